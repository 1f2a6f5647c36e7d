// SPDX-License-Identifier: GPL-3.0-or-later
// The standard streams of a program that writes files. If stdout does not take a text, the program
// goes on, and finish_standard_output() reports it. Main thread.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace attn {

// To be called in main() before any file is opened. Opens /dev/null for each standard stream that
// is closed; otherwise an output file could get its number. Ignores SIGPIPE and SIGXFSZ, so that
// writing fails with an error instead.
void prepare_standard_streams();

// Prints to stdout. A failure is kept for finish_standard_output().
void print_text(std::string_view text);
template <typename... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

// Text from outside, such as a model's, for print_out(). If stdout is a terminal, this is
// escape_unprintable_but_lines(text), so that the text does not control it; otherwise `text`.
std::string text_for_output(const std::string& text);

// To be called last in main(). Returns `code`. If stdout did not take all of the text, prints
// `program` and the reason to stderr, and returns 1 in place of 0.
int finish_standard_output(std::string_view program, int code);

}  // namespace attn
