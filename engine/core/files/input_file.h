// SPDX-License-Identifier: GPL-3.0-or-later
// InputFile: a plain file that is read by offset. It is not mapped into memory: a file that shrinks
// while it is open causes an Error, not a signal. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>

namespace attn {

class InputFile {
 public:
  // kind: what the file should be, for the error message ("a safetensors file"). Throws
  // Error(kBadInput), for example if there is no such file or it is not a plain file, or
  // Error(kFailed), for example if this user may not read it.
  static InputFile open(const std::filesystem::path& file, const char* kind);

  const std::filesystem::path& path() const { return path_; }
  uint64_t size() const { return size_; }  // in bytes, when the file was opened
  // Reads exactly `bytes` from `offset` on. Throws Error(kBadInput) if the file ends before that,
  // Error(kFailed) if the system refuses.
  void read(uint64_t offset, void* to, uint64_t bytes) const;

  InputFile() = default;
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

}  // namespace attn
