// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the two bench programs (`attn bench`, `attention-workbench bench-views`), and the rows
// that --filter takes. Any thread.
#pragma once

#include <regex.h>

#include <memory>
#include <set>
#include <string>
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

// The rows that --filter takes: those whose name the expression fits somewhere, an extended regular
// expression of POSIX, and the row whose whole name it is. Matching does not backtrack; what could
// take minutes or all memory even so is refused: counted or many repetitions, repetitions of
// repetitions, references back, very long or deeply nested ones.
class RowFilter {
 public:
  RowFilter() = default;  // takes all
  // Throws Error(kBadInput) for what is no such expression.
  explicit RowFilter(const std::string& expression);
  bool takes(const std::string& name) const;
  const std::string& expression() const { return expression_; }

 private:
  std::string expression_;
  std::shared_ptr<const regex_t> compiled_;  // null: all
};
// An expression for messages, cut where it is long.
std::string shown_filter(const std::string& expression);
// What --help says of it.
inline constexpr const char* kFilterHelp =
    "--filter takes the rows that this extended regular expression fits, anywhere in the name, "
    "for\n"
    "example prefill/unified, ^decode/.*/T1$ or prefill|decode.\n";

}  // namespace attn::bench
