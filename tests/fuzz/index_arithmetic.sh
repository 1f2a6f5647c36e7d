#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the kernels, the backends and the cache with checks of their integer arithmetic: sums and products that wrap
# around, signed or unsigned, and conversions that lose bits. test_far_blocks drives them with caches of more than 2^32
# elements (2^31 where there is less address space). Prints each place once; exit code 1 if there is one.
#
#   tests/fuzz/index_arithmetic.sh [--work FOLDER] [--filter TESTS]
#
# work: where it builds (build/index). filter: as --gtest_filter of test_backends (*FarBlocks*). Needs clang.
# index_arithmetic.ignore lists what is not checked.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/index filter='*FarBlocks*'
while [ $# -gt 0 ]; do
  case $1 in
    --work) work=$2; shift 2 ;;
    --filter) filter=$2; shift 2 ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
mkdir -p "$work"
checks=unsigned-integer-overflow,signed-integer-overflow,implicit-conversion
# One instruction set: the arithmetic of indices is the same in all.
flags="-O1 -g1 -march=native -DHWY_COMPILE_ONLY_STATIC -fsanitize=$checks -fsanitize-ignorelist=$here/index_arithmetic.ignore"
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ -DATTN_BUILD_GUI=OFF \
  -DATTN_BUILD_TESTS=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$flags" >"$work.log"
cmake --build "$work" --target test_backends >>"$work.log"
export ATTN_ASSETS=$root/assets
code=0
"$work/bin/test_backends" --gtest_brief=1 "--gtest_filter=$filter" >"$work.out" 2>&1 || code=$?
# The lines are FILE:LINE:COLUMN: runtime error: WHAT, and WHAT differs from run to run.
places=$(grep -o '[^ ]*:[0-9]*:[0-9]*: runtime error: .*' "$work.out" | sort -t: -k1,3 -u || true)
grep -v 'runtime error' "$work.out" | tail -n 3
[ -z "$places" ] || printf '%s\n' "$places"
grep -q 'PASSED.*[1-9][0-9]* test' "$work.out" || { echo "no test fits $filter" >&2; exit 1; }
[ "$code" -eq 0 ] && [ -z "$places" ]
