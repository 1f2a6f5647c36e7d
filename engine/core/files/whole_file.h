// SPDX-License-Identifier: GPL-3.0-or-later
// WholeFile: an output file that takes its name by a rename when it is complete. Until then an old
// file of this name stays. It is written without a name (O_TMPFILE) or, where that is not possible,
// under an unfinished name (unfinished.h). A new file has the mode that the umask gives; a replaced
// one keeps its permission bits. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/core/files/unfinished.h"

namespace attn {

class WholeFile {
 public:
  // `file` and its errors as in output_file(). If the system refuses something, this, write(),
  // write_at() and commit() throw Error(kFailed) with path and reason.
  explicit WholeFile(const std::filesystem::path& file);
  ~WholeFile();  // without commit() an old file stays as it was
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view bytes);  // appends
  void write_at(std::string_view bytes, uint64_t offset);
  // Syncs the bytes and gives the file its name.
  void commit();

  const std::filesystem::path& file() const { return file_; }  // as output_file() returns it
  int descriptor() const { return fd_.get(); }

 private:
  void take_unfinished_name();
  void copy_to_named_file();
  [[noreturn]] void give_up(int code);

  std::filesystem::path file_, unfinished_;  // unfinished_ is empty while there is no name
  Descriptor fd_;
  mode_t mode_ = 0666;
  bool replaces_ = false;
  uint64_t end_ = 0;  // where write() goes on
};

void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

[[noreturn]] void throw_write_error(const std::filesystem::path& file, int code);

}  // namespace attn
