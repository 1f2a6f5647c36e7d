// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/row_filter.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/utf8.h"

namespace attn::bench {
namespace {

constexpr size_t kLongest = 5000;  // bytes of an expression
constexpr int kDeepest = 3;        // levels of parentheses
constexpr int kMostQuantifiers = 50;

[[noreturn]] void refuse(const std::string& problem, const std::string& expression,
                         const std::string& allowed) {
  throw_bad_input({problem, "--filter", shown_filter(expression), allowed,
                   "--list prints the names of the rows"});
}

// Index after the bracket expression that begins at `at`; npos: it has no end. A class such as
// [:digit:] inside makes the index too small.
size_t end_of_bracket(const std::string& expression, size_t at) {
  const size_t first = at + (expression.compare(at, 2, "[^") == 0 ? 2 : 1);
  const size_t end = expression.find(']', first + 1);
  return end == std::string::npos ? end : end + 1;
}

// Refuses expressions for which regcomp() or regexec() could take too much time or memory.
void check_cost(const std::string& expression) {
  if (expression.size() > kLongest)
    refuse("the expression is too long", expression,
           "up to " + std::to_string(kLongest) + " characters");
  int depth = 0, quantifiers = 0;
  bool after_quantifier = false;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    const bool quantifies = c == '*' || c == '+' || c == '?';
    if (quantifies && after_quantifier)
      refuse("the expression repeats a repetition", expression, "one of *, + and ? at a time");
    after_quantifier = quantifies;
    if (quantifies && ++quantifiers > kMostQuantifiers)
      refuse("the expression repeats too much", expression,
             "up to " + std::to_string(kMostQuantifiers) + " of *, + and ?");
    if (c == '\\' && i + 1 < expression.size()) {
      if (expression[++i] >= '1' && expression[i] <= '9')
        refuse("the expression refers back to what it found", expression, "no \\1 to \\9");
    } else if (c == '[') {
      i = std::min(expression.size(), end_of_bracket(expression, i)) - 1;
    } else if (c == '{') {
      refuse("the expression counts repetitions", expression, "*, + and ?; for a brace \\{");
    } else if (c == '(' && ++depth > kDeepest) {
      refuse("the expression is nested too deeply", expression,
             "up to " + std::to_string(kDeepest) + " nested parentheses");
    } else if (c == ')') {
      --depth;
    }
  }
}

}  // namespace

std::string shown_filter(const std::string& expression) {
  constexpr size_t kMost = 200;
  const std::string shown = expression.substr(0, whole_chars(expression, kMost));
  return "`" + shown + (shown.size() < expression.size() ? "...`" : "`");
}

RowFilter::RowFilter(const std::string& expression) : expression_(expression) {
  check_cost(expression);
  regex_t regex;
  if (const int code = regcomp(&regex, expression.c_str(), REG_EXTENDED | REG_NOSUB); code != 0) {
    char words[200];
    regerror(code, &regex, words, sizeof words);
    refuse(std::string("the expression is not understood: ") + words, expression,
           "an extended regular expression, for example ^decode/.*/T1$");
  }
  compiled_.reset(new regex_t(regex), [](regex_t* done) {
    regfree(done);
    delete done;
  });
}

bool RowFilter::takes(const std::string& name) const {
  return !compiled_ || name == expression_ ||
         regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace attn::bench
