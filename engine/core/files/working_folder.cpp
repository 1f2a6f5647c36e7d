// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/working_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace attn {

WorkingFolder::WorkingFolder(const std::filesystem::path& folder, const std::string& name)
    : lock_(make_unfinished_folder(folder, name, path_)) {
  if (!lock_) path_.clear();
}

WorkingFolder WorkingFolder::beside(const std::filesystem::path& place) {
  const std::filesystem::path parent = folder_of(place);
  const std::string name = place.filename().string();
  remove_unfinished_folders(parent, name);
  return WorkingFolder(parent, name);
}

bool WorkingFolder::sync() {
  return ::fsync(lock_.get()) == 0 || errno == EINVAL;
}

bool WorkingFolder::take_name(const std::filesystem::path& place) {
  if (::rename(path_.c_str(), place.c_str()) != 0) return false;
  path_.clear();
  return true;
}

void WorkingFolder::remove() {
  if (!path_.empty()) remove_flat_folder(path_);
  path_.clear();
}

}  // namespace attn
