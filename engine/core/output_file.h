// SPDX-License-Identifier: GPL-3.0-or-later
// Where an output file goes. Files are written beside their place and then renamed onto it, which
// would put a file in the place of whatever stands there: a device, a pipe, a symbolic link. Any
// thread.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace attn {

// The file that `file` names, through symbolic links. Throws Error(kBadInput) where a device, a
// pipe or a socket stands, or where links do not end.
std::filesystem::path output_file(const std::filesystem::path& file);

// For a program that writes `file` at its end: throws now what would fail then. Error(kBadInput) as
// output_file() and for a folder, Error(kFailed) where the folder around it is not there or cannot
// be written. option: "--dump".
void check_output_place(std::string_view option, const std::filesystem::path& file);

// Whether both names are, or would be, one file: through links and other ways to write it.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);
// For a program that writes `output` and reads or writes `other` too. The names are the options'
// ("--out"). Throws Error(kBadInput) where both are one file, and as output_file().
void refuse_same_file(std::string_view output_option, const std::filesystem::path& output,
                      std::string_view other_option, const std::filesystem::path& other);

// The same for every file that the program reads besides.
void refuse_inputs(std::string_view output_option, const std::filesystem::path& output,
                   std::span<const std::filesystem::path> inputs);

}  // namespace attn
