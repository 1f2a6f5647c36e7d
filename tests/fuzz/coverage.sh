#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints which share of the lines of the readers the seeds, their changes and a corpus reach, the same with the tests of
# the readers, and the lines that neither reaches.
#
#   tests/fuzz/coverage.sh [--work FOLDER] [--changes N] [--corpus FOLDER] [--jobs N]
#
# work: where it builds (build/coverage). changes: of every seed (200). corpus: as tests/fuzz/run.sh leaves it. jobs: of
# the build. Needs clang and llvm.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/coverage changes=200 corpus=$root/build/fuzz jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --work) work=$2; shift 2 ;;
    --changes) changes=$2; shift 2 ;;
    --corpus) corpus=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    *) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
readers=(core/files/json.cpp lesson/format lesson/results/class_table.cpp lesson/results/result.cpp model/config_reader.cpp
         model/families model/load_model.cpp model/files model/gguf/architectures.cpp model/gguf/gguf_config.cpp
         model/gguf/gguf_tokenizer.cpp model/gguf/gguf_weights.cpp model/gguf/split_rules.cpp model/tokenizer
         session/scenario/scenario.cpp session/session_file/session_bytes.cpp session/session_file/session_bytes.h
         session/session_file/session_chunks.cpp session/session_file/session_events.cpp
         session/session_file/session_fields.h session/session_file/session_load.cpp
         session/history/step_history_file.cpp session/record/attention_record_file.cpp)
tests=(test_bad_lessons test_bad_session test_failing_allocation test_gguf test_lesson test_model test_scenario test_session
       test_session_file)
readers=("${readers[@]/#/$root/engine/}")
# One instruction set for the kernels: they read no files.
flags="-O1 -g1 -fprofile-instr-generate -fcoverage-mapping -march=native -DHWY_COMPILE_ONLY_STATIC"
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ -DATTN_BUILD_GUI=OFF \
  -DATTN_BUILD_TESTS=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$flags" >"$work.log"
cmake --build "$work" -j "$jobs" --target fuzz_replay fuzz_walker "${tests[@]}" >>"$work.log"
export ATTN_ASSETS=$root/assets
cd "$work"
rm -f ./*.profraw
LLVM_PROFILE_FILE=seeds.profraw bin/fuzz_replay seeds "$changes"
LLVM_PROFILE_FILE=walker.profraw bin/fuzz_walker --files $((16 * changes))
for target in session safetensors weight_index npy model_folder scenario lesson gguf; do
  [ -d "$corpus/$target/corpus" ] || continue
  LLVM_PROFILE_FILE=$target.profraw bin/fuzz_replay "$target" "$corpus/$target/corpus"
done
llvm-profdata merge -o fuzz.profdata ./*.profraw
objects=(bin/fuzz_replay -object bin/fuzz_walker)
report() {  # report PROFILE
  llvm-cov report "${objects[@]}" -instr-profile="$1" "${readers[@]}" -show-region-summary=0 -show-branch-summary=0
}
report fuzz.profdata
for test in "${tests[@]}"; do
  LLVM_PROFILE_FILE=$test.profraw "bin/$test" --gtest_brief=1
  objects+=(-object "bin/$test")
done
llvm-profdata merge -o all.profdata ./*.profraw
echo "With the tests of the readers:"
report all.profdata
echo "Lines that were not reached:"
llvm-cov show "${objects[@]}" -instr-profile=all.profdata "${readers[@]}" -use-color=0 |
  awk -F'|' '/^\/.*:$/ { file = $0 } $2 ~ /^ *0$/ { print file $1 "|" $3 }'
