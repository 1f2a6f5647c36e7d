// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the place of an output file, makes its folder, and refuses one that is an input or another
// output. The rename in whole_file.h would replace a device, a pipe or a symbolic link that has its
// name. Any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace attn {

// The path to which `file` leads if it is a symbolic link, else `file` itself. Throws
// Error(kBadInput) if that is a device, a pipe or a socket, or if more than 40 links follow each
// other, as in a circle.
std::filesystem::path output_file(const std::filesystem::path& file);

// Tries beforehand whether `file` can be written. Throws Error(kBadInput) as output_file(), or if
// `file` is a folder or its name is too long; Error(kFailed) if it cannot be written for another
// reason. option: for the message, "--dump".
void check_output_place(std::string_view option, const std::filesystem::path& file);
// Makes the missing folders above `file`. Throws Error(kBadInput) as check_name_length(), or
// Error(kFailed).
void make_folder_of(std::string_view option, const std::filesystem::path& file);
// Throws Error(kBadInput) if the system takes no name or path of this length.
void check_name_length(std::string_view option, const std::filesystem::path& file);

// Whether both names mean the same file, also through links and other spellings. For a file that
// does not exist yet, only the links of its folders are followed.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);
// Throws Error(kBadInput) if `output` and `other` are one file, or as output_file(). The names of
// the options ("--out") are for the message.
void refuse_same_file(std::string_view output_option, const std::filesystem::path& output,
                      std::string_view other_option, const std::filesystem::path& other);

// Throws Error(kBadInput) if `output` is one of `inputs`, or as output_file().
void refuse_inputs(std::string_view output_option, const std::filesystem::path& output,
                   std::span<const std::filesystem::path> inputs);

}  // namespace attn
