#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles engine and backends with clang's checks of integer arithmetic: sums, products and shifts that wrap, of numbers
# with and without a sign, and conversions without a cast that change a number. Then runs the tests of kernels, with
# caches and weights of more than 2^32 elements. The first finding ends a test.
#
#   tests/backends/index_arithmetic.sh [--work FOLDER] [--jobs N]
#
# work: where it builds (build/index_arithmetic). jobs: of the build. Needs clang, and 5 GB of memory for the weights.
# What wraps on purpose is in index_arithmetic.list.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/index_arithmetic jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --work) work=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
tests=(test_kernels test_backends test_cache test_model test_attention)
checks=signed-integer-overflow,unsigned-integer-overflow,shift,implicit-conversion,integer-divide-by-zero
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ -DATTN_BUILD_GUI=OFF \
  -DATTN_BUILD_TESTS=ON -DATTN_SANITIZE=$checks -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" \
  -DCMAKE_CXX_FLAGS="-fsanitize-ignorelist=$root/tests/backends/index_arithmetic.list" >"$work.log"
cmake --build "$work" -j "$jobs" --target "${tests[@]}" >>"$work.log"
export ATTN_ASSETS=$root/assets ATTN_FAR_WEIGHTS=1 UBSAN_OPTIONS=print_stacktrace=1
for test in "${tests[@]}"; do
  echo "$test"
  "$work/bin/$test" --gtest_brief=1
done
