// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for files of a test, removed with its content when the object is destroyed.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

namespace attn {

struct ScratchFolder {
  ScratchFolder() {
    static std::atomic<int> counter{0};
    path = std::filesystem::temp_directory_path() /
           ("attn-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directories(path);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path path;
};

}  // namespace attn
