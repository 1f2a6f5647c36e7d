// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/folder_names.h"

#include <dirent.h>

#include <memory>
#include <string_view>

namespace attn {

void for_each_name(const std::filesystem::path& folder,
                   const std::function<void(const char* name)>& each) {
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), &::closedir);
  if (!opened) return;
  while (const dirent* entry = ::readdir(opened.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") each(entry->d_name);
  }
}

}  // namespace attn
