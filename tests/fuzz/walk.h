// SPDX-License-Identifier: GPL-3.0-or-later
// Changes values of good session files one at a time, makes the checksums again, and uses each file
// as the program does. A bad file must be refused with an error, any other must be usable.
#pragma once

#include <filesystem>
#include <functional>

namespace attn::fuzz {

// Opens a file and uses it. Returns false where it was refused. An exception is a finding.
using UseFile = std::function<bool(const std::filesystem::path& file)>;

// The main function of a walker:
//
//   [--files N] [--seed N] [--chain N] [--keep FOLDER]
//
// files: about how many are tried. chain: so many accepted changes are made one on top of another
// before it begins with the seed again. A crash leaves the file that caused it in FOLDER. Files
// whose use ends with an exception are copied there, at most three for each message, and the
// program then ends with code 1.
int walk(int argc, char** argv, const UseFile& use);

}  // namespace attn::fuzz
