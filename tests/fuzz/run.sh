#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets libFuzzer search for bad files, one target after the other, and prints how many inputs were executed.
#
#   tests/fuzz/run.sh [--build FOLDER] [--work FOLDER] [--seconds N] [--jobs N] [TARGET...]
#
# build: of the preset asan (build/asan). work: where the corpus grows and findings are kept (build/fuzz). seconds: per
# target (60). jobs: processes per target (1). Targets: all, unless some are named. Needs: cmake --build --preset asan
# --target fuzz fuzz_replay. A finding is run again with: build/asan/bin/fuzz_replay TARGET FILE.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/asan work=$root/build/fuzz seconds=60 jobs=1 targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --work) work=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    -*) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
mkdir -p "$work"
build=$(cd "$build" && pwd) work=$(cd "$work" && pwd)
[ ${#targets[@]} -gt 0 ] || targets=(session safetensors weight_index npy model_folder scenario lesson gguf sentence_piece texts)
export ATTN_ASSETS=$root/assets
# A failed allocation must not end the program: a reader may refuse the file with an Error.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}:allocator_may_return_null=1
# Several processes share the corpus.
mode=(-print_final_stats=1)
[ "$jobs" -eq 1 ] || mode=(-fork="$jobs")
failed=0
for target in "${targets[@]}"; do
  seeds=$work/$target/seeds corpus=$work/$target/corpus log=$work/$target/log
  mkdir -p "$seeds" "$corpus" "$work/$target/findings"
  "$build/bin/fuzz_replay" write "$target" "$seeds"
  code=0
  (cd "$work/$target" && ATTN_FUZZ_TARGET=$target "$build/bin/fuzz" "${mode[@]}" \
    -max_total_time="$seconds" -timeout=300 -rss_limit_mb=3000 -max_len=65536 -dict="$here/dictionaries/$target.dict" \
    -artifact_prefix="$work/$target/findings/" "$corpus" "$seeds") >"$log" 2>&1 || code=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^#\([0-9]*\): cov.*/\1/p' "$log" | tail -n 1)
  printf '%-14s %10s executions, %s, corpus of %s files\n' "$target" "${executions:-0}" \
    "$([ $code -eq 0 ] && echo 'no finding' || echo "FINDING in $work/$target/findings")" "$(find "$corpus" -type f | wc -l)"
  [ $code -eq 0 ] || { tail -n 40 "$log"; failed=1; }
done
exit $failed
