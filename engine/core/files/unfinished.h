// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files and folders that are being written: NAME.unfinished-XXXXXX for the output NAME,
// with three random letters or digits and three that are a check of these and of NAME. Its writer
// locks it (flock). A later writer of NAME may remove those that it can lock: killed writers left
// them. Also Descriptor, sync_folder() and folder_of(). Any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>

namespace attn {

// Owns a file descriptor; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close();

 private:
  int fd_;
};

// Whether `name`, a name without a folder, is an unfinished name of the output `of`.
bool is_unfinished(const std::string& name, const std::string& of);
// A new unfinished name beside `place`. A long name is shortened to fit NAME_MAX.
std::filesystem::path unfinished_path(const std::filesystem::path& place);

// Makes a file (read and write, mode & ~umask) or a folder in `folder`, under an unfinished name of
// the output `name`, and locks it where the file system has locks. Sets `path`. On failure returns
// no descriptor and sets errno.
Descriptor make_unfinished_file(const std::filesystem::path& folder, const std::string& name,
                                mode_t mode, std::filesystem::path& path);
Descriptor make_unfinished_folder(const std::filesystem::path& folder, const std::string& name,
                                  std::filesystem::path& path);

// Removes from `folder` what killed writers of `name` left. What cannot be opened, locked or
// removed stays, and so does a folder that has folders in it: writers make flat ones.
void remove_unfinished_files(const std::filesystem::path& folder, const std::string& name);
void remove_unfinished_folders(const std::filesystem::path& folder, const std::string& name);
// Removes the files of a folder, and the folder if it holds nothing else.
void remove_flat_folder(const std::filesystem::path& folder);

// fsync() of a folder, to keep new names in it. A failure is ignored.
void sync_folder(const std::filesystem::path& folder);
// parent_path(), or "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace attn
