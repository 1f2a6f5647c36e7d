// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/output_file.h"

#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/paths.h"
#include "engine/core/files/whole_file.h"

namespace attn {

constexpr int kMostLinks = 40;

std::filesystem::path output_file(const std::filesystem::path& file) {
  using std::filesystem::file_type;
  std::error_code failed;
  const file_type type = std::filesystem::status(file, failed).type();
  if (type == file_type::block || type == file_type::character || type == file_type::fifo ||
      type == file_type::socket)
    throw_bad_input({"an output file can only replace an ordinary file", file.string(),
                     "a device, pipe or socket", "the name of a new or an existing file",
                     "Write to a file and read it from there."});
  // Links are followed by hand, because the last one may lead to a file that does not exist yet.
  std::filesystem::path target = file;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(target, failed)))
      return target;
    target = target.parent_path() / std::filesystem::read_symlink(target, failed);
  }
  throw_bad_input({"the symbolic link of an output file cannot be followed", file.string(),
                   "a circle of links, or more than 40 of them",
                   "a link to a file, or the name of a file", ""});
}

void check_output_place(std::string_view option, const std::filesystem::path& file) {
  const std::filesystem::path target = output_file(file);
  check_name_length(option, absolute_path(target));
  std::error_code unknown;
  if (std::filesystem::is_directory(target, unknown))
    throw_bad_input({"an output file can only replace an ordinary file",
                     fmt::format("{} {}", option, file.string()), "a folder",
                     "the name of a new or an existing file", ""});
  const std::filesystem::path folder = absolute_path(target).parent_path();
  if (const std::string found = why_no_folder(folder); !found.empty())
    throw Error(ErrorCode::kFailed,
                {"the folder of an output cannot be used", folder.string(), found,
                 fmt::format("a folder in which you may write, for {} {}", option, file.string()),
                 found == "nothing there" ? "Make it first." : ""});
  const WholeFile probe(target);
}

void make_folder_of(std::string_view option, const std::filesystem::path& file) {
  check_name_length(option, absolute_path(file));
  std::error_code failed;
  std::filesystem::create_directories(absolute_path(file).parent_path(), failed);
  if (failed) throw_write_error(file, failed.value());
}

void check_name_length(std::string_view option, const std::filesystem::path& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) == 0 || errno != ENAMETOOLONG) return;
  size_t longest = 0;
  for (const std::filesystem::path& name : file) longest = std::max(longest, name.native().size());
  throw_bad_input(
      {"the name of an output is too long", std::string(option),
       fmt::format("a name of {} bytes in a path of {}", longest, file.native().size()),
       fmt::format("names of at most {} bytes and paths of at most {}", NAME_MAX, PATH_MAX - 1),
       "Choose a shorter name."});
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed) && !failed) return true;
  const auto written = [](const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(file, unknown);
    const std::filesystem::path folder =
        std::filesystem::weakly_canonical(whole.parent_path(), unknown);
    return unknown ? whole : folder / whole.filename();
  };
  return written(a) == written(b);
}

void refuse_same_file(std::string_view output_option, const std::filesystem::path& output,
                      std::string_view other_option, const std::filesystem::path& other) {
  const std::filesystem::path target = output_file(output);
  std::filesystem::path other_target = other;
  std::error_code unknown;
  // A file that does not exist yet: follow its links. A circle of links sets `unknown` and is not
  // followed.
  if (!std::filesystem::exists(other, unknown) && !unknown) other_target = output_file(other);
  if (is_same_file(target, other_target))
    throw_bad_input({fmt::format("{} and {} name the same file", output_option, other_option),
                     std::string(output_option), output.string(),
                     fmt::format("another file than {}", other.string()),
                     "The one would overwrite the other."});
}

void refuse_inputs(std::string_view output_option, const std::filesystem::path& output,
                   std::span<const std::filesystem::path> inputs) {
  const std::filesystem::path target = output_file(output);
  for (const std::filesystem::path& input : inputs)
    if (is_same_file(target, input))
      throw_bad_input({fmt::format("{} would replace an input file", output_option),
                       std::string(output_option), output.string(),
                       fmt::format("another file than {}", input.string()),
                       "Choose another name or folder."});
}

}  // namespace attn
