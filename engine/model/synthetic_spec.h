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
  kAlignment,  // cross attention only: the word of the encoder that is being translated
};
inline constexpr SyntheticKind kSyntheticKinds[] = {
    SyntheticKind::kRandom, SyntheticKind::kLocal, SyntheticKind::kInduction,
    SyntheticKind::kNeedle, SyntheticKind::kAlignment};
// "random", "local", "induction", "needle", "alignment"
std::string_view name_of(SyntheticKind kind);
std::optional<SyntheticKind> synthetic_kind_from_name(std::string_view name);

struct SyntheticSpec {
  SyntheticKind kind = SyntheticKind::kRandom;
  int64_t num_layers = 2, num_heads = 4, num_kv_heads = 2, head_size = 64;
  int64_t max_model_len = 4096;  // tokens
  // Induction: length of the repeated segment; local: width of the band; alignment: words of a run
  // within which the order changes. Tokens.
  int64_t period = 16;
  int64_t needle_position = 5;  // needle: absolute position every later token looks at
  double sharpness = 4.0;       // how concentrated the pattern is; 0 = uniform
  bool operator==(const SyntheticSpec&) const = default;
};

}  // namespace attn
