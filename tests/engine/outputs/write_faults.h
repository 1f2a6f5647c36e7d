// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the system refuse to write. The program is linked with --wrap for the calls through which
// the engine writes files; write_faults.cpp has the functions that are called instead. For one
// thread only. tree_of() reads what was written.
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace attn::test {

struct WriteFaults {
  int fail_at = -1;                // number of the call that fails, from 0; -1: none
  int error = EIO;                 // errno of the call that fails
  int64_t bytes_left = INT64_MAX;  // bytes until the disk is full
  bool no_nameless_files = false;  // as on a file system without O_TMPFILE
  bool no_exchange = false;        // as on a file system without RENAME_EXCHANGE
  int calls = 0;                   // calls so far that could fail
};
extern WriteFaults write_faults;

struct NoWriteFaults {
  NoWriteFaults() { write_faults = {}; }
  ~NoWriteFaults() { write_faults = {}; }
};

// Every file below a folder, with its bytes, and every folder there, with a slash after its name.
std::map<std::string, std::string> tree_of(const std::filesystem::path& folder);

}  // namespace attn::test
