// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the two bench programs (`attn bench`, `attention-workbench bench-views`), and the rows
// that --filter takes. Any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bench {

// Options that have been read, for their values: each once, and none empty.
class OptionValues {
 public:
  explicit OptionValues(const std::vector<std::string>& words) : words_(words) {}
  // The word after words[i], and moves on to it. Throws Error(kBadInput) where there is none, where
  // it is empty and where words[i] stood before.
  const std::string& take(size_t& i);

 private:
  const std::vector<std::string>& words_;
  std::set<std::string> given_;
};

// Whether a row's name fits one of the patterns of --filter, which have commas between them. A
// pattern fits a name that it is a part of; `*` in it stands for any text, `^` before it ties it to
// the begin of the name and `$` after it to the end. Time grows with the product of both lengths.
bool fits_filter(std::string_view name, std::string_view filter);
// Throws Error(kBadInput) for a pattern without text.
void check_filter(std::string_view filter);
// What --help says of it.
inline constexpr const char* kFilterHelp =
    "--filter takes the rows that have this text in their name, for example prefill/unified. `*` "
    "in it\n"
    "stands for any text, `^` before it is the begin of the name and `$` after it the end; several "
    "with\n"
    "commas between them are alternatives. It is no regular expression.\n";

}  // namespace attn::bench
