// SPDX-License-Identifier: GPL-3.0-or-later
// Names of outputs that are being written. A file or folder NAME is made as NAME.unfinished-XXXXXX
// beside its place (six random letters and digits) and then renamed. Its writer holds a lock on it
// (flock) as long as the writer lives. So the next writer of NAME can tell what a killed writer has
// left, and removes it.
// Any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>

namespace attn {

// An open file or folder; -1: none.
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

// Whether `name`, without its folder, is the name of an unfinished output `of`.
bool is_unfinished(const std::string& name, const std::string& of);
// A new unfinished name beside `place`. A long name is shortened so that the result is not too
// long.
std::filesystem::path unfinished_path(const std::filesystem::path& place);

// Makes and locks a file (open for reading and writing, with mode & ~umask) or a folder with an
// unfinished name in `folder`, for an output called `name`; its path is put into `path`. No
// descriptor, with errno, on failure.
Descriptor make_unfinished_file(const std::filesystem::path& folder, const std::string& name,
                                mode_t mode, std::filesystem::path& path);
Descriptor make_unfinished_folder(const std::filesystem::path& folder, const std::string& name,
                                  std::filesystem::path& path);

// Removes from `folder` what killed writers of `name` left there: files, or folders that hold files
// only. What is locked, or cannot be opened or removed, stays.
void remove_unfinished_files(const std::filesystem::path& folder, const std::string& name);
void remove_unfinished_folders(const std::filesystem::path& folder, const std::string& name);
// Removes a folder that holds files only. What is not a file stays, and so does the folder then.
void remove_flat_folder(const std::filesystem::path& folder);

// The new names in a folder survive a loss of power after this. A folder that cannot be synced is
// no error: not every file system can do it.
void sync_folder(const std::filesystem::path& folder);
// "." for an empty path, which is what parent_path() gives for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& file);

}  // namespace attn
