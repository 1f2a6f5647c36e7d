// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace attn {

void Problems::add(Error error) {
  const std::string_view text = error.what();
  if (std::ranges::none_of(errors_, [&](const Error& other) { return other.what() == text; }))
    errors_.push_back(std::move(error));
}

std::vector<std::string> Problems::sentences() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(errors_.size(), kMostSentences); ++i)
    all.emplace_back(errors_[i].what());
  if (errors_.size() > kMostSentences)
    all.push_back(fmt::format("... and {} more.", errors_.size() - kMostSentences));
  return all;
}

Error Problems::error() const {
  if (errors_.size() == 1) return errors_.front();
  const auto has = [&](ErrorCode code) {
    return std::ranges::any_of(errors_, [&](const Error& error) { return error.code() == code; });
  };
  return Error::several(has(ErrorCode::kBadInput) ? ErrorCode::kBadInput
                        : has(ErrorCode::kFailed) ? ErrorCode::kFailed
                                                  : ErrorCode::kNotSupported,
                        sentences());
}

void Problems::throw_if_any() const {
  if (!empty()) throw error();
}

}  // namespace attn
