// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/bench_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/core/error.h"

namespace attn {

void run_bench_program(const std::string& name, const std::vector<std::string>& words,
                       const std::string& command) {
  std::error_code failure;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure)
    throw Error(ErrorCode::kFailed, {"the benchmarks cannot be found", command,
                                     "/proc/self/exe: " + failure.message(), "", ""});
  const std::string program = (here.parent_path() / name).string();
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const int why = errno;
  if (why == ENOENT)
    throw Error(
        ErrorCode::kFailed,
        {.what = "the program " + name + ", which `" + command +
                 "` starts, is missing: it was looked for in " + here.parent_path().string() +
                 ", and `./workbench build --all` in the folder of the sources makes it in "
                 "build/release/bin",
         .where = "",
         .found = "",
         .allowed = "",
         .advice = ""});
  throw Error(ErrorCode::kFailed, {.what = "the benchmarks cannot be started",
                                   .where = command,
                                   .found = program + ": " + std::strerror(why),
                                   .allowed = "the program " + name + " beside this one",
                                   .advice = "`./workbench build --all` makes it"});
}

}  // namespace attn
