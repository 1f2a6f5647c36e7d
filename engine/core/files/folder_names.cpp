// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/folder_names.h"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

namespace attn {

std::error_code for_each_name(const std::filesystem::path& folder,
                              const std::function<void(const char* name)>& each) {
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), &::closedir);
  if (!opened && errno == ENOMEM) throw std::bad_alloc();
  if (!opened) return {errno, std::generic_category()};
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(opened.get());
    if (!entry) return {errno, std::generic_category()};
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") each(entry->d_name);
  }
}

}  // namespace attn
