// SPDX-License-Identifier: GPL-3.0-or-later
// Where an output file goes. A complete output is renamed to its name (whole_file.h), which would
// replace anything that has the name: also a device, a pipe or a symbolic link. Any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace attn {

// The file that `file` names, with symbolic links followed. Throws Error(kBadInput) if it is a
// device, a pipe or a socket, or if the links form a circle or are more than 40.
std::filesystem::path output_file(const std::filesystem::path& file);

// For a program that writes `file` at its end: reports beforehand what would prevent it. Throws
// Error(kBadInput) as output_file(), or if `file` is a folder or its name is too long;
// Error(kFailed) if the folder that is to hold it does not exist or cannot be written. option:
// "--dump".
void check_output_place(std::string_view option, const std::filesystem::path& file);
// Makes the folder that is to hold `file`, if it does not exist. Throws Error(kFailed), which names
// `file` and the reason.
void make_folder_of(const std::filesystem::path& file);
// Throws Error(kBadInput) if the system takes no name or path of this length.
void check_name_length(std::string_view option, const std::filesystem::path& file);

// Whether both names mean the same file, also through links and other spellings. If the file does
// not exist yet, only the links of its folders are followed.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);
// For a program that writes `output` and reads or writes `other`, too. The names are those of the
// options ("--out"). Throws Error(kBadInput) if both are one file, and otherwise as output_file().
void refuse_same_file(std::string_view output_option, const std::filesystem::path& output,
                      std::string_view other_option, const std::filesystem::path& other);

// Checks the output against each of the input files, as refuse_same_file() does.
void refuse_inputs(std::string_view output_option, const std::filesystem::path& output,
                   std::span<const std::filesystem::path> inputs);

}  // namespace attn
