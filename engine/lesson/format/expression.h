// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions over quantities, as a lesson writes them:
//   share(key=0, query=last) * 100        steps / 2        pairs_without_cache - pairs
// They consist of numbers, quantities of quantity/quantity.h, + - * / and brackets. A condition
// compares expressions. An expression that is a place, such as heaviest_key(query=last), cannot be
// computed with or compared. Plain data; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/format/controls.h"
#include "engine/lesson/quantity/quantity.h"

namespace attn::lesson {

// In postfix order.
struct Expression {
  enum class Kind { kNumber, kQuantity, kAdd, kSubtract, kMultiply, kDivide };
  struct Node {
    Kind kind = Kind::kNumber;
    double number = 0;
    QuantityCall call = {};  // kQuantity
  };
  std::vector<Node> nodes;
  std::string text;       // as written
  std::string unit;       // of its value: "tokens"; "part" (0 to 1); empty: none
  bool is_place = false;  // the value is a place and not a number

  bool empty() const { return nodes.empty(); }
};

struct Measure {
  Expression expression;
  std::string unit;  // "%", "tokens"; empty: none
  double scale = 1;  // shown = value * scale
  // Number of decimals shown. -1: none for a whole number or a magnitude from 100 on (below 1e15),
  // otherwise up to 3 significant digits.
  int decimals = -1;
  std::string language = "en";  // of the lesson
};
// The value with its unit: "12.5 %", "7 blocks". value: not yet scaled.
std::string shown(const Measure& measure, double value);

enum class Relation { kLess, kAtMost, kMore, kAtLeast, kEqual, kNotEqual, kBetween };
// left RELATION right. kBetween: right <= left <= upper, written `3..5`. left and right count as
// equal if they differ by rounding only.
struct Condition {
  Expression left, right, upper;
  Relation relation = Relation::kLess;
  std::string text;  // as written
};

}  // namespace attn::lesson
