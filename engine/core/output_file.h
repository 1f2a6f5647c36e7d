// SPDX-License-Identifier: GPL-3.0-or-later
// Where an output file goes. Files are written beside their place and then renamed onto it, which
// would put a file in the place of whatever stands there: a device, a pipe, a symbolic link. Any
// thread.
#pragma once

#include <filesystem>

namespace attn {

// The file that `file` names, through symbolic links. Throws Error(kBadInput) where a device, a
// pipe or a socket stands, or where links do not end.
std::filesystem::path output_file(const std::filesystem::path& file);

}  // namespace attn
