// SPDX-License-Identifier: GPL-3.0-or-later
// Reads expressions, measures and conditions of a lesson. Mistakes are added with the given line.
// Any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/lesson/format/expression.h"
#include "engine/lesson/format/mistakes.h"

namespace attn::lesson {

inline constexpr size_t kMostExpressionBytes = 1000, kMostExpressionNodes = 64;

Expression parse_expression(std::string_view text, int line, Mistakes& mistakes);
// unit: "%", "ms", ...; "-": none; empty: that of the expression, but none for "part". decimals: as
// in Measure.
Measure parse_measure(std::string_view expression, std::string_view unit, int decimals, int line,
                      Mistakes& mistakes);
// `quantity < 5`, `a >= b` or `a = 3..5`. With a `subject` also `< 5` and `3..5`, which are about
// it.
Condition parse_condition(std::string_view text, const Expression* subject, int line,
                          Mistakes& mistakes);
// Reads several conditions with `and` between them.
std::vector<Condition> parse_conditions(std::string_view text, int line, Mistakes& mistakes);

}  // namespace attn::lesson
