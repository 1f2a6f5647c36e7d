// SPDX-License-Identifier: GPL-3.0-or-later
// The folder and the files into which inputs are written, because the readers take files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/engine/session/session_support.h"

namespace attn::fuzz {

// A folder that is made at the first call and removed when the program ends.
const std::filesystem::path& scratch_folder();

// A file below scratch_folder() that inputs are written to. It stays open. Bytes that stay the same
// at its beginning, and if it keeps its length at its end, are not written again.
class ScratchFile {
 public:
  explicit ScratchFile(std::filesystem::path file) : path_(std::move(file)) {}
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void put(std::string_view bytes);
  void remove();

 private:
  std::filesystem::path path_;
  std::string bytes_;  // present content of the file
  int fd_ = -1;        // -1: there is no such file
};

}  // namespace attn::fuzz
