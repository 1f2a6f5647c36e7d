// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the tests of quantities: a run of a scenario that is given as JSON, the value and the
// place of an expression, and the message with which an expression is refused.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/lesson/format/parse_expression.h"
#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

inline std::shared_ptr<const FrozenRun> run_of(std::string_view json) {
  register_all_backends();
  SourceCache sources;
  return FrozenRun::make(parse_scenario(json, "test"), sources);
}

inline double value(std::string_view expression, const FrozenRun& run) {
  Mistakes mistakes;
  const Expression parsed = parse_expression(expression, 1, mistakes);
  EXPECT_TRUE(mistakes.empty()) << expression << ": " << mistakes.sorted()[0].what;
  return value_of(parsed, run).number;
}
inline Place place(std::string_view expression, const FrozenRun& run) {
  Mistakes mistakes;
  return value_of(parse_expression(expression, 1, mistakes), run).place.value();
}
inline std::string refusal(std::string_view expression, const FrozenRun& run) {
  try {
    (void)value(expression, run);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "accepted";
}

}  // namespace attn::lesson
