// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/output_file.h"

#include "engine/core/error.h"

namespace attn {

constexpr int kMostLinks = 40;  // as many as the system follows

std::filesystem::path output_file(const std::filesystem::path& file) {
  using std::filesystem::file_type;
  std::error_code failed;
  const file_type type = std::filesystem::status(file, failed).type();
  if (type == file_type::block || type == file_type::character || type == file_type::fifo ||
      type == file_type::socket)
    throw_bad_input({"an output can only replace an ordinary file", file.string(),
                     "a device, pipe or socket", "the name of a file, new or old",
                     "Write to a file and read it from there."});
  // By hand: the library's canonical paths stop at a link to a file that is yet to be made.
  std::filesystem::path target = file;
  for (int links = 0; links < kMostLinks; ++links) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(target, failed)))
      return target;
    target = target.parent_path() / std::filesystem::read_symlink(target, failed);
  }
  throw_bad_input({"the symbolic link of an output leads nowhere", file.string(),
                   "links without an end", "a link to a file, or the name of a file", ""});
}

}  // namespace attn
