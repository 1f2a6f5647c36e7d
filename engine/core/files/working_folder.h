// SPDX-License-Identifier: GPL-3.0-or-later
// WorkingFolder: an output folder while it is written, under an unfinished name (unfinished.h).
// take_name() gives it its own name by a rename; until then a program that is ended leaves nothing
// of it under that name. The files lie directly in it. One thread at a time.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "engine/core/files/unfinished.h"

namespace attn {

class WorkingFolder {
 public:
  WorkingFolder() = default;  // has no folder
  // Makes a folder in `folder`, for the output `name`. On failure this object has none, and errno
  // is set.
  WorkingFolder(const std::filesystem::path& folder, const std::string& name);
  // Makes a folder beside `place`, for the output of its name. Before that it removes what killed
  // writers of this name left there.
  static WorkingFolder beside(const std::filesystem::path& place);
  ~WorkingFolder() { remove(); }
  WorkingFolder(WorkingFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  WorkingFolder& operator=(WorkingFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }

  explicit operator bool() const { return !path_.empty(); }
  const std::filesystem::path& path() const { return path_; }  // empty: see path_
  int descriptor() const { return lock_.get(); }

  // Syncs the names of the files, if the file system can. False: errno is set.
  bool sync();
  // Renames the folder to `place`, which may be an empty folder. False: errno is set, and the
  // folder keeps its unfinished name.
  bool take_name(const std::filesystem::path& place);
  // Removes the folder and its files, if it still has its unfinished name.
  void remove();

 private:
  std::filesystem::path path_;  // empty: no folder, or it has taken its name
  Descriptor lock_;
};

}  // namespace attn
