// SPDX-License-Identifier: GPL-3.0-or-later
// Combination: which weights are shown: those of one head, their mean over several heads, or a
// difference of two heads or of two layers. Plain data. Any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace attn::gui {

struct HeadId {
  int64_t layer = 0, head = 0;
  auto operator<=>(const HeadId&) const = default;
};

enum class Combine : uint8_t {
  kHead,  // the head itself
  kLayerMean,
  kMean,  // mean over all heads of all layers with the same tokens as the layer of the head
  kHeadDifference,  // weights of the head - weights of head `other`
  kLayerDifference  // mean over the heads of the head's layer - that of the layer of `other`
};
inline constexpr Combine kCombines[] = {Combine::kHead, Combine::kLayerMean, Combine::kMean,
                                        Combine::kHeadDifference, Combine::kLayerDifference};

struct Combination {
  Combine kind = Combine::kHead;
  HeadId other;  // the head that a difference subtracts; kLayerDifference uses only its layer
  auto operator<=>(const Combination&) const = default;

  bool is_difference() const {
    return kind == Combine::kHeadDifference || kind == Combine::kLayerDifference;
  }
  bool uses_head() const { return kind == Combine::kHead || kind == Combine::kHeadDifference; }
  bool uses_layer() const { return kind != Combine::kMean; }
};

// The notation of the command line: "head", "layer-mean", "mean", "minus:L,H", "minus-layer:L".
std::optional<Combination> combination_from_word(std::string_view word);

}  // namespace attn::gui
