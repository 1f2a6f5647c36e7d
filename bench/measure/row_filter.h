// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that --filter of `attn bench` and `attention-workbench bench-views` selects. Any thread.
#pragma once

#include <regex.h>

#include <memory>
#include <string>

namespace attn::bench {

// Selects rows by an extended regular expression of POSIX: it matches somewhere in the row's name,
// or is the whole name. Expressions that could cost too much time or memory are refused.
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
std::string shown_filter(const std::string& expression);

}  // namespace attn::bench
