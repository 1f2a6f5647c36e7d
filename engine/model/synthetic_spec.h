// SPDX-License-Identifier: GPL-3.0-or-later
// What a synthetic source is asked for. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attn {

enum class SyntheticKind {
  kRandom,     // no pattern
  kLocal,      // a band behind the query
  kInduction,  // the token after the last place where the same token stood
  kNeedle,     // one position that everybody looks at
};
inline constexpr SyntheticKind kSyntheticKinds[] = {SyntheticKind::kRandom, SyntheticKind::kLocal,
                                                    SyntheticKind::kInduction,
                                                    SyntheticKind::kNeedle};
std::string_view name_of(SyntheticKind kind);  // "random", "local", "induction", "needle"
std::optional<SyntheticKind> synthetic_kind_from_name(std::string_view name);

struct SyntheticSpec {
  SyntheticKind kind = SyntheticKind::kRandom;
  int64_t num_layers = 2, num_heads = 4, num_kv_heads = 2, head_size = 64;
  int64_t max_model_len = 4096;  // tokens
  int64_t period =
      16;  // induction: length of the repeated segment; local: width of the band, tokens
  int64_t needle_position = 5;  // needle: absolute position every later token looks at
  double sharpness = 4.0;       // how concentrated the pattern is; 0 = uniform
  bool operator==(const SyntheticSpec&) const = default;
};

}  // namespace attn
