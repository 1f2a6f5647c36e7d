// SPDX-License-Identifier: GPL-3.0-or-later
// The program `attn` as a user runs it: its words in, its exit code and what it printed out.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/engine/session/session_support.h"

namespace attn::cli_test {

const std::string kRoot = ATTN_SOURCE_DIR;

struct Result {
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

inline Result attn_program(const std::vector<std::string>& words) {
  const test::TemporaryFolder folder;
  std::string command =
      "ATTN_ASSETS=" + shell_quote(kRoot + "/assets") + " " + shell_quote(ATTN_PROGRAM);
  for (const std::string& word : words) command += " " + shell_quote(word);
  command += " >" + shell_quote(folder.path() / "out") + " 2>" + shell_quote(folder.path() / "err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder.path() / "out"),
          read_file(folder.path() / "err")};
}

}  // namespace attn::cli_test
