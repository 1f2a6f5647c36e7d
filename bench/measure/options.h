// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the two bench programs (`attn bench`, `attention-workbench bench-views`), and the rows
// that --filter selects. Any thread.
#pragma once

#include <regex.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace attn::bench {

// Reads the values of options. Each option may be given once and no value may be empty.
class OptionValues {
 public:
  explicit OptionValues(const std::vector<std::string>& words) : words_(words) {}
  // Returns the word after words[i] and increments i. Throws Error(kBadInput) where there is none,
  // where it is empty, or where the option words[i] was given before.
  const std::string& take(size_t& i);

 private:
  const std::vector<std::string>& words_;
  std::set<std::string> given_;
};

// The rows that --filter selects: those in whose name the expression, an extended regular
// expression of POSIX, matches somewhere, and the row whose whole name it is. Matching does not
// backtrack. Expressions that could take minutes or all memory nevertheless are refused: counted
// repetitions, many repetitions, repetitions of repetitions, back references, very long or deeply
// nested ones.
class RowFilter {
 public:
  RowFilter() = default;  // selects all rows
  // Throws Error(kBadInput) for an expression that is not valid or is refused.
  explicit RowFilter(const std::string& expression);
  bool takes(const std::string& name) const;
  const std::string& expression() const { return expression_; }

 private:
  std::string expression_;
  std::shared_ptr<const regex_t> compiled_;  // null: all rows
};
// An expression for messages; a long one is cut.
std::string shown_filter(const std::string& expression);
// What --help says about it.
inline constexpr const char* kFilterHelp =
    "--filter takes the rows that this extended regular expression fits, anywhere in the name, "
    "for\n"
    "example prefill/unified, ^decode/.*/T1$ or prefill|decode.\n";

}  // namespace attn::bench
