// SPDX-License-Identifier: GPL-3.0-or-later
// error_of(): the Error that a function throws; nullopt: none. expect_refused(): expects an Error
// with a code, and with parts that contain the given texts.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "engine/core/error.h"

namespace attn {

inline constexpr auto kBad = ErrorCode::kBadInput, kNot = ErrorCode::kNotSupported;

struct Refusal {
  ErrorCode code = ErrorCode::kBadInput;
  std::string what = {}, where = {}, found = {},
              allowed = {};  // parts of the error's texts; "": not checked
};

template <class Fn>
std::optional<Error> error_of(Fn&& fn) {
  try {
    fn();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

template <class Fn>
void expect_refused(const Refusal& expected, Fn&& fn) {
  using testing::HasSubstr;
  const std::optional<Error> error = error_of(fn);
  ASSERT_TRUE(error.has_value()) << "not refused: " << expected.what;
  EXPECT_EQ(error->code(), expected.code) << error->what();
  EXPECT_THAT(error->parts().what, HasSubstr(expected.what)) << error->what();
  EXPECT_THAT(error->parts().where, HasSubstr(expected.where)) << error->what();
  EXPECT_THAT(error->parts().found, HasSubstr(expected.found)) << error->what();
  EXPECT_THAT(error->parts().allowed, HasSubstr(expected.allowed)) << error->what();
}

}  // namespace attn
