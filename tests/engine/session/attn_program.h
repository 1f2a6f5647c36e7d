// SPDX-License-Identifier: GPL-3.0-or-later
// attn_program(): runs the program `attn` (ATTN_PROGRAM) and returns its output and exit code. Also
// read_file() and shell_quote().
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/engine/session/session_support.h"

namespace attn::test {

struct ProgramResult {
  int code = -1;
  std::string out, err;
};

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::string shell_quote(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// redirection: a further redirection of the shell, such as ">/dev/full"; what goes there is not
// returned. program: the `attn` that is run.
inline ProgramResult attn_program(const std::vector<std::string>& words,
                                  const std::string& redirection = "",
                                  const std::string& program = ATTN_PROGRAM) {
  const TemporaryFolder folder;
  std::string command = "ATTN_ASSETS=" + shell_quote(std::string(ATTN_SOURCE_DIR) + "/assets") +
                        " " + shell_quote(program);
  for (const std::string& word : words) command += " " + shell_quote(word);
  command += " >" + shell_quote(folder.path() / "out") + " 2>" +
             shell_quote(folder.path() / "err") + " " + redirection;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder.path() / "out"),
          read_file(folder.path() / "err")};
}

}  // namespace attn::test
