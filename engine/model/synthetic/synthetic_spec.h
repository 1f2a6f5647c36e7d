// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a source that makes queries, keys and values by a rule (synthetic.h). Plain data; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attn {

enum class SyntheticKind {
  kRandom,     // no pattern
  kLocal,      // a query looks most at the keys about period / 2 before it
  kInduction,  // a query of token t looks at the keys of token t + 1
  kNeedle,     // every query that sees one position, the needle, looks at it
  kAlignment,  // cross attention only: a query looks at words of the encoder, as a translation does
  kAlternating,  // decoder only: no pattern; layers 0, 2, 4, ... have a sliding window
  // No pattern; every layer has self attention and cross attention, and before them the layers of
  // an encoder may run.
  kEncoderDecoder,
};
inline constexpr SyntheticKind kSyntheticKinds[] = {
    SyntheticKind::kRandom,        SyntheticKind::kLocal,     SyntheticKind::kInduction,
    SyntheticKind::kNeedle,        SyntheticKind::kAlignment, SyntheticKind::kAlternating,
    SyntheticKind::kEncoderDecoder};
std::string_view name_of(SyntheticKind kind);
std::optional<SyntheticKind> synthetic_kind_from_name(std::string_view name);

struct SyntheticSpec {
  SyntheticKind kind = SyntheticKind::kRandom;
  int64_t num_layers = 2, num_heads = 4, num_kv_heads = 2, head_size = 64;
  int64_t max_model_len = 4096;  // tokens
  // Induction: length of the repeated segment, tokens. Local: p in synthetic.h, tokens. Alignment:
  // length of the runs within which the order of words changes. Alternating: the window of layers
  // 0, 2, 4, ..., tokens.
  int64_t period = 16;
  int64_t needle_position = 5;  // needle: the position that tokens look at
  static constexpr double kMostSharpness = 100;
  double sharpness = 4.0;  // how concentrated the pattern is; 0 = uniform
  // kEncoderDecoder: the number of layers of the encoder.
  int64_t num_encoder_layers = 0;
  bool operator==(const SyntheticSpec&) const = default;
  // The number of attention calls, with those of the encoder.
  int64_t num_calls() const {
    return kind == SyntheticKind::kEncoderDecoder ? num_encoder_layers + 2 * num_layers
                                                  : num_layers;
  }
};

}  // namespace attn
