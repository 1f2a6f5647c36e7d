// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/options.h"

#include "engine/core/error.h"

namespace attn::bench {
namespace {

constexpr size_t kLongest = 5000;  // characters
constexpr int kDeepest = 100;      // parentheses

[[noreturn]] void refuse(const std::string& problem, const std::string& expression,
                         const std::string& allowed) {
  throw_bad_input({problem, "--filter", "`" + expression.substr(0, 200) + "`", allowed,
                   "--list prints the names of the rows"});
}

// What would take long to compile.
void check_cost(const std::string& expression) {
  if (expression.size() > kLongest)
    refuse("the expression is too long", expression,
           "up to " + std::to_string(kLongest) + " characters");
  int depth = 0;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\' && i + 1 < expression.size()) {
      if (expression[++i] >= '1' && expression[i] <= '9')
        refuse("the expression refers back to what it found", expression, "no \\1 to \\9");
      continue;
    }
    if (c == '{')
      refuse("the expression counts repetitions", expression, "*, + and ?; for a brace \\{");
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth > kDeepest)
      refuse("the expression is nested too deeply", expression,
             "up to " + std::to_string(kDeepest) + " parentheses in each other");
  }
}

}  // namespace

const std::string& OptionValues::take(size_t& i) {
  const std::string& option = words_[i];
  if (!given_.insert(option).second)
    throw_bad_input({"option given twice", option, "", "once", ""});
  if (i + 1 >= words_.size())
    throw_bad_input({"option needs a value", option, "nothing", "a value", "See --help"});
  if (words_[++i].empty())
    throw_bad_input({"the value of an option is empty", option, "''", "a value", "See --help"});
  return words_[i];
}

RowFilter::RowFilter(const std::string& expression) : expression_(expression) {
  check_cost(expression);
  regex_t regex;
  if (const int code = regcomp(&regex, expression.c_str(), REG_EXTENDED | REG_NOSUB); code != 0) {
    char words[200];
    regerror(code, &regex, words, sizeof words);
    refuse(std::string("no regular expression: ") + words, expression,
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
