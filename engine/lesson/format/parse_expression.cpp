// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/parse_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/core/files/json.h"
#include "engine/lesson/format/words.h"
#include "engine/lesson/quantity/lesson_language.h"

namespace attn::lesson {
namespace {

constexpr int kDeepestBrackets = 16;

std::vector<std::string> names_of_quantities() {
  std::vector<std::string> names;
  for (const Quantity& quantity : all_quantities()) names.emplace_back(quantity.name);
  return names;
}

std::string unit_of_sum(const std::string& a, const std::string& b) {
  return a == b ? a : a.empty() ? b : a;
}

class Reader {
 public:
  Reader(std::string_view text, int line, Mistakes& mistakes)
      : text_(text), line_(line), mistakes_(mistakes) {}

  Expression read() {
    Expression result;
    result.text = trimmed(text_);
    if (text_.size() > kMostExpressionBytes) {
      fail("this expression is too long", fmt::format("{} bytes", text_.size()),
           fmt::format("at most {} bytes", kMostExpressionBytes));
      return result;
    }
    result.unit = sum(0);
    skip_blanks();
    if (!failed_ && at_ < text_.size())
      fail("this does not belong to the expression", quote_text(text_.substr(at_)),
           "+ - * / or the end");
    if (failed_) return result;
    result.nodes = std::move(nodes_);
    result.is_place = has_place_;
    if (has_place_ && result.nodes.size() > 1)
      fail("a place cannot be computed with", quote_text(result.text), "the place alone");
    return result;
  }

 private:
  using Kind = Expression::Kind;

  void fail(std::string what, std::string found, std::string allowed, std::string advice = "") {
    if (!failed_)
      mistakes_.add(
          {line_, std::move(what), std::move(found), std::move(allowed), std::move(advice)});
    failed_ = true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void push(Expression::Node node) {
    if (nodes_.size() >= kMostExpressionNodes)
      fail("this expression has too many parts", quote_text(text_),
           fmt::format("at most {} numbers, quantities and signs", kMostExpressionNodes));
    else
      nodes_.push_back(std::move(node));
  }

  // These functions return the unit of what they read.
  std::string sum(int depth) {
    std::string unit = product(depth);
    while (!failed_) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      unit = unit_of_sum(unit, product(depth));
      push({plus ? Kind::kAdd : Kind::kSubtract, 0, {}});
    }
    return unit;
  }
  std::string product(int depth) {
    std::string unit = atom(depth);
    while (!failed_) {
      const bool times = take('*');
      if (!times && !take('/')) break;
      const std::string right = atom(depth);
      push({times ? Kind::kMultiply : Kind::kDivide, 0, {}});
      if (!right.empty()) unit = times && unit.empty() ? right : "";
    }
    return unit;
  }
  std::string atom(int depth) {
    if (failed_) return "";
    if (depth > kDeepestBrackets) {
      fail("there are too many brackets within brackets", quote_text(text_),
           fmt::format("at most {}", kDeepestBrackets));
      return "";
    }
    if (take('(')) {
      std::string unit = sum(depth + 1);
      if (!failed_ && !take(')'))
        fail("a bracket is not closed", quote_text(text_), "`)` for every `(`");
      return unit;
    }
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) {
      fail("the expression ends where a quantity or number is needed", quote_text(text_),
           "a number, a quantity or a bracket");
      return "";
    }
    const bool minus = rest[0] == '-' && rest.size() > 1;
    if (is_digit(rest[minus ? 1 : 0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1])))
      return number(rest);
    if (is_letter(rest[0])) return quantity();
    fail("this is neither a number nor a quantity", quote_text(rest),
         "a number, a quantity or a bracket");
    return "";
  }
  std::string number(std::string_view rest) {
    double value = 0;
    const auto [end, trouble] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto length = static_cast<size_t>(end - rest.data());
    if (trouble != std::errc{} || !std::isfinite(value)) {
      fail("this is not a number", quote_text(rest), "a decimal number, such as 0.5");
      return "";
    }
    at_ += length;
    push({Kind::kNumber, value, {}});
    return "";
  }
  std::string_view word() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string quantity() {
    const size_t begin = at_;
    QuantityCall call;
    call.name = word();
    const Quantity* known = find_quantity(call.name);
    if (!known) {
      mistakes_.add_unknown(line_, "there is no such quantity", call.name, names_of_quantities());
      failed_ = true;
      return "";
    }
    if (take('(') && !take(')')) {
      do argument(*known, call);
      while (!failed_ && take(','));
      if (!failed_ && !take(')'))
        fail("the arguments of a quantity are not closed", quote_text(text_.substr(begin)),
             "name=value, name=value)");
    }
    if (failed_) return "";
    call.text = std::string(text_.substr(begin, at_ - begin));
    has_place_ = has_place_ || known->is_place;
    push({Kind::kQuantity, 0, std::move(call)});
    return known->unit;
  }
  void argument(const Quantity& quantity, QuantityCall& call) {
    skip_blanks();
    const std::string name(word());
    const std::vector<std::string> allowed = split_words(quantity.arguments);
    if (std::ranges::find(allowed, name) == allowed.end()) {
      if (allowed.empty())
        fail(fmt::format("the quantity `{}` takes no arguments", quantity.name), quote_text(name),
             quantity.name);
      else
        mistakes_.add_unknown(line_, fmt::format("`{}` has no such argument", quantity.name), name,
                              allowed);
      failed_ = true;
      return;
    }
    if (call.arguments.contains(name))
      return fail("an argument is given twice", quote_text(name), "each argument once");
    if (!take('='))
      return fail("an argument has no value", quote_text(name),
                  fmt::format("{}={}", name, values_of_argument(name)));
    skip_blanks();
    ArgumentValue value;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos)
        return fail("a text has no closing quote", quote_text(text_.substr(at_)),
                    "the same quote at its end");
      value.kind = ArgumentValue::Kind::kText;
      value.text = std::string(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
    } else {
      const std::string_view given = word();
      if (!given.empty() && std::ranges::all_of(given, is_digit)) {
        const auto [end, trouble] =
            std::from_chars(given.data(), given.data() + given.size(), value.integer);
        if (trouble != std::errc{} || value.integer > 1'000'000'000)
          return fail("this number is too large", quote_text(given), "0 to 1000000000");
      } else {
        value.kind = ArgumentValue::Kind::kWord;
        value.text = std::string(given);
      }
    }
    if (!argument_takes(name, value)) {
      fail(fmt::format("the argument `{}` does not take this", name),
           value.kind == ArgumentValue::Kind::kInteger ? fmt::format("{}", value.integer)
           : value.text.empty() && value.kind == ArgumentValue::Kind::kWord
               ? quote_text(text_.substr(at_))
               : quote_text(value.text),
           values_of_argument(name));
      return;
    }
    call.arguments.emplace(name, std::move(value));
  }

  std::string_view text_;
  int line_;
  Mistakes& mistakes_;
  size_t at_ = 0;
  bool failed_ = false, has_place_ = false;
  std::vector<Expression::Node> nodes_;
};

struct UnitChange {
  const char *from, *to;
  double scale;
};
// How a unit may be shown. A number without a unit may also be shown in percent.
constexpr UnitChange kUnitChanges[] = {{"part", "%", 100},
                                       {"", "%", 100},
                                       {"ns", "us", 1e-3},
                                       {"ns", "ms", 1e-6},
                                       {"ns", "s", 1e-9},
                                       {"bytes", "KiB", 1.0 / 1024},
                                       {"bytes", "MiB", 1.0 / (1024 * 1024)}};

struct Sign {
  std::string_view text;
  Relation relation;
};
// A longer sign comes before a shorter one with which it begins.
constexpr Sign kSigns[] = {{"<=", Relation::kAtMost},   {">=", Relation::kAtLeast},
                           {"!=", Relation::kNotEqual}, {"==", Relation::kEqual},
                           {"..", Relation::kBetween},  {"<", Relation::kLess},
                           {">", Relation::kMore},      {"=", Relation::kEqual}};

const Sign* sign_at(std::string_view text, size_t at) {
  for (const Sign& sign : kSigns)
    if (text.substr(at).starts_with(sign.text)) return &sign;
  return nullptr;
}

// Calls found(at) for places outside of brackets and quotes until it returns true.
template <class Found>
void outside(std::string_view text, Found&& found) {
  int depth = 0;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && found(at)) return;
  }
}

constexpr std::string_view kConditionForm =
    "two expressions with <, <=, >, >=, = or != between them, or `subject = low..high`";

}  // namespace

Expression parse_expression(std::string_view text, int line, Mistakes& mistakes) {
  return Reader(text, line, mistakes).read();
}

Measure parse_measure(std::string_view expression, std::string_view unit, int decimals, int line,
                      Mistakes& mistakes) {
  Measure measure;
  measure.expression = parse_expression(expression, line, mistakes);
  measure.decimals = decimals;
  const std::string& own = measure.expression.unit;
  measure.unit = unit.empty() ? (own == "part" ? "" : own) : std::string(unit);
  if (unit == "-") measure.unit.clear();
  if (unit.empty() || unit == "-" || unit == own || measure.expression.empty()) return measure;
  std::vector<std::string> allowed;
  if (!own.empty() && own != "part") allowed.push_back(own);
  for (const UnitChange& change : kUnitChanges) {
    if (own != change.from) continue;
    if (unit == change.to) {
      measure.scale = change.scale;
      return measure;
    }
    allowed.emplace_back(change.to);
  }
  mistakes.add_unknown(line,
                       own.empty() ? "a number without a unit cannot be shown in this unit"
                                   : fmt::format("a number of {} cannot be shown in this unit",
                                                 own == "part" ? "parts" : own),
                       unit, allowed);
  return measure;
}

Condition parse_condition(std::string_view text, const Expression* subject, int line,
                          Mistakes& mistakes) {
  Condition condition;
  condition.text = trimmed(text);
  const std::string_view all = condition.text;
  const Sign* sign = nullptr;
  size_t at = 0, end = 0;
  outside(all, [&](size_t place) {
    sign = sign_at(all, place);
    at = place;
    return sign != nullptr;
  });
  if (!sign) {
    mistakes.add({line, "this is not a condition", quote_text(all), std::string(kConditionForm)});
    return condition;
  }
  end = at + sign->text.size();
  condition.relation = sign->relation;
  std::string_view left = all.substr(0, at), right = all.substr(end);
  // `low..high`, about `subject`, or `expression = low..high`.
  std::string_view upper;
  if (sign->relation == Relation::kBetween) {
    upper = right;
    right = left;
    left = {};
  } else if (sign->relation == Relation::kEqual) {
    outside(right, [&](size_t place) {
      if (!right.substr(place).starts_with("..")) return false;
      upper = right.substr(place + 2);
      right = right.substr(0, place);
      condition.relation = Relation::kBetween;
      return true;
    });
  }
  if (trimmed(left).empty() && subject)
    condition.left = *subject;
  else if (trimmed(left).empty())
    mistakes.add({line, "a condition has nothing to the left of its sign", quote_text(all),
                  std::string(kConditionForm)});
  else
    condition.left = parse_expression(left, line, mistakes);
  condition.right = parse_expression(right, line, mistakes);
  if (condition.relation == Relation::kBetween)
    condition.upper = parse_expression(upper, line, mistakes);
  const bool places =
      condition.left.is_place || condition.right.is_place || condition.upper.is_place;
  if (places)
    mistakes.add({line, "a place is not a number that can be compared", quote_text(all),
                  "quantities that are numbers"});
  return condition;
}

std::vector<Condition> parse_conditions(std::string_view text, int line, Mistakes& mistakes) {
  std::vector<Condition> conditions;
  size_t begin = 0;
  const auto add = [&](size_t end) {
    conditions.push_back(parse_condition(text.substr(begin, end - begin), nullptr, line, mistakes));
    begin = end + 5;
  };
  outside(text, [&](size_t at) {
    if (at >= begin && text.substr(at).starts_with(" and ")) add(at);
    return false;
  });
  add(text.size());
  if (conditions.size() > 8)
    mistakes.add({line, "a goal has too many conditions", fmt::format("{}", conditions.size()),
                  "at most 8"});
  return conditions;
}

namespace {

// "294912" -> "294,912" in English, as the window writes numbers. In other languages a comma may be
// read as the decimal point, so there are no separators.
std::string with_separators(std::string number, std::string_view language) {
  if (language.substr(0, language.find('-')) != "en") return number;
  if (number.find_first_of("en") != std::string::npos) return number;  // 1e+20, nan, inf
  const size_t first = number.starts_with('-') ? 1 : 0;
  size_t at = std::min(number.find('.'), number.size());
  for (; at > first + 3; at -= 3) number.insert(at - 3, 1, ',');
  return number;
}

}  // namespace

std::string shown(const Measure& measure, double value) {
  const double number = value * measure.scale;
  std::string text;
  if (measure.decimals >= 0) {
    text = fmt::format("{:.{}f}", number, measure.decimals);
  } else if (number == std::round(number) && std::abs(number) < 1e15) {
    text = fmt::format("{:.0f}", number);
  } else if (std::abs(number) >= 100 && std::abs(number) < 1e15) {
    text = fmt::format("{:.0f}", number);
  } else {
    text = fmt::format("{:.3g}", number);
  }
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-'))
    text.erase(0, 1);  // minus zero
  text = with_separators(std::move(text), measure.language);
  if (measure.unit.empty()) return text;
  // "1 block", "2 blocks"; with a given number of decimals always the plural.
  const bool one =
      number == 1 && measure.unit.size() > 2 && measure.unit.ends_with('s') && measure.decimals < 0;
  const std::string unit = one ? measure.unit.substr(0, measure.unit.size() - 1) : measure.unit;
  return fmt::format("{} {}", text, in_language(unit, measure.language));
}

}  // namespace attn::lesson
