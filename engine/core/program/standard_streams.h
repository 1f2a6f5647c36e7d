// SPDX-License-Identifier: GPL-3.0-or-later
// stdin, stdout and stderr of a program that writes files. Text that stdout does not take (a full
// disk, a reader that has gone, a closed stdout) must neither end the program before its files are
// written nor go unnoticed. Main thread.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace attn {

// To be called first in main(). A standard stream that is closed gets a descriptor on which writing
// fails, so that no output file gets its number and is then written to by mistake. Writing to a
// pipe without reader, or beyond a limit on the size of files, becomes an error instead of a
// signal.
void prepare_standard_streams();

// Prints to stdout. A failure is kept for finish_standard_output().
void print_text(std::string_view text);
template <typename... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

// To be called last in main(): returns `code`, or 1 where it was 0 and stdout did not take all of
// the text; the reason is then on stderr, after `program`.
int finish_standard_output(std::string_view program, int code);

}  // namespace attn
