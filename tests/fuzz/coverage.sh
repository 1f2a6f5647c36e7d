#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints which share of the lines of the readers the seeds, their changes and a corpus reach, and the lines that they do
# not reach.
#
#   tests/fuzz/coverage.sh [--work FOLDER] [--changes N] [--corpus FOLDER]
#
# work: where it builds (build/coverage). changes: of every seed (200). corpus: as tests/fuzz/run.sh leaves it. Needs
# clang and llvm.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/coverage changes=200 corpus=$root/build/fuzz
while [ $# -gt 0 ]; do
  case $1 in
    --work) work=$2; shift 2 ;;
    --changes) changes=$2; shift 2 ;;
    --corpus) corpus=$2; shift 2 ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
readers=(core/files/json.cpp model/config_reader.cpp model/load_model.cpp model/files model/tokenizer model/families
         model/gguf/gguf_config.cpp model/gguf/gguf_tokenizer.cpp model/gguf/gguf_weights.cpp lesson/format
         lesson/results/result.cpp explore/texts session/scenario/scenario.cpp session/session_file/session_bytes.cpp session/session_file/session_bytes.h
         session/session_file/session_chunks.cpp session/session_file/session_events.cpp
         session/session_file/session_fields.h session/session_file/session_load.cpp
         session/history/step_history_file.cpp session/record/attention_record_file.cpp)
readers=("${readers[@]/#/$root/engine/}")
# With it ccache would write relative names of files into the objects, which would not be found below.
unset CCACHE_BASEDIR
# One instruction set for the kernels: they read no files.
mkdir -p "$(dirname "$work")"  # for the log
flags="-O1 -g1 -fprofile-instr-generate -fcoverage-mapping -march=native -DHWY_COMPILE_ONLY_STATIC"
cmake -S "$root" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ -DATTN_BUILD_GUI=OFF \
  -DATTN_BUILD_TESTS=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$flags" >"$work.log"
cmake --build "$work" --target fuzz_replay fuzz_walker >>"$work.log"
export ATTN_ASSETS=$root/assets
cd "$work"
LLVM_PROFILE_FILE=seeds.profraw bin/fuzz_replay seeds "$changes"
LLVM_PROFILE_FILE=walker.profraw bin/fuzz_walker --files $((16 * changes))
for target in session safetensors weight_index npy model_folder scenario lesson gguf sentence_piece texts; do
  [ -d "$corpus/$target/corpus" ] || continue
  LLVM_PROFILE_FILE=$target.profraw bin/fuzz_replay "$target" "$corpus/$target/corpus"
done
llvm-profdata merge -o all.profdata ./*.profraw
llvm-cov report bin/fuzz_replay -instr-profile=all.profdata "${readers[@]}" -show-region-summary=0 -show-branch-summary=0
echo "Lines that were not reached:"
llvm-cov show bin/fuzz_replay -instr-profile=all.profdata "${readers[@]}" -use-color=0 |
  awk -F'|' '/^\/.*:$/ { file = $0 } $2 ~ /^ *0$/ { print file $1 "|" $3 }'
