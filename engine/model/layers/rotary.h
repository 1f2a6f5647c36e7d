// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary positions: J. Su and others, "RoFormer", 2021. Pair i of a head, (a, b), is rotated by the
// angle w_i p at position p:
//   (a, b) -> m (a cos - b sin, b cos + a sin),   w_i = theta^(-2i/R)
// The first R elements of a head are rotated; the others stay. m is 1 except for longrope and yarn.
//
// The frequencies w_i can be scaled, so that a model reads longer texts than it was trained on. The
// formulas are those of transformers' modeling_rope_utils; s is the factor, L the length of the
// texts in training, and r_i = L w_i / 2 pi how often pair i turns within L:
//   linear  w_i / s                                                    S. Chen and others, 2023
//   dynamic theta becomes theta (s n / L - s + 1)^(R / (R - 2)) for texts of n > L tokens
//   llama3  w_i where r_i > high, w_i / s where r_i < low, between them a mixture that is linear in
//           r_i                                                        A. Dubey and others, 2024
//   longrope w_i / s_i with a factor of its own for each pair, for texts of at most L tokens;
//           m = sqrt(1 + ln s / ln L), or 1 where s <= 1               Y. Ding and others, 2024
//   yarn    from w_i to w_i / s along a ramp over i, which begins where r_i = beta_fast and ends
//           where r_i = beta_slow; m = 0.1 ln s + 1, or 1 where s <= 1
//                                                                      B. Peng and others, 2023
// Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

enum class RotaryScaling { kNone, kLinear, kDynamic, kLlama3, kLongrope, kYarn };

// Which elements of a head are a pair: i and i + R/2, as in the transformers library, or 2i and
// 2i + 1, as in the paper.
enum class RotaryPairs { kHalves, kInterleaved };

struct RotaryConfig {
  int64_t size = 0;  // R, even; at most the head size
  double theta = 10000;
  RotaryPairs pairs = RotaryPairs::kHalves;
  RotaryScaling scaling = RotaryScaling::kNone;
  double factor = 1;                             // s
  int64_t trained_length = 0;                    // L: tokens; all scalings but linear
  double low_frequency = 1, high_frequency = 4;  // llama3: low and high
  double beta_fast = 32, beta_slow = 1;          // yarn
  bool truncate = true;                          // yarn: the ramp begins and ends at whole i
  std::vector<float> factors = {};               // longrope: s_i, [R/2]
  std::optional<double> attention_factor = {};   // longrope and yarn: m, instead of the formula's
  // yarn with s > 1 and both of them, not 0:
  // m = (0.1 mscale ln s + 1) / (0.1 mscale_all_dim ln s + 1)
  std::optional<double> mscale = {}, mscale_all_dim = {};
};

class Rotary {
 public:
  Rotary() = default;
  // `length`: n, tokens of the longest text; only dynamic scaling depends on it.
  explicit Rotary(const RotaryConfig& config, int64_t length = 0);

  int64_t num_pairs() const { return static_cast<int64_t>(frequencies_.size()); }  // R/2
  const std::vector<float>& frequencies() const { return frequencies_; }           // [R/2] w
  float magnitude() const { return magnitude_; }                                   // m
  RotaryPairs pairs() const { return pairs_; }
  // Fills cosine and sine, [R/2] each, m included. The angle is an f32 product; its cosine and
  // sine are computed in f64 and rounded.
  void angles(int32_t position, float* cosine, float* sine) const;
  // Rotates one head: head, to [head_size], which must not overlap.
  void turn(const float* head, const float* cosine, const float* sine, int64_t head_size,
            float* to) const;

 private:
  RotaryPairs pairs_ = RotaryPairs::kHalves;
  std::vector<float> frequencies_;
  float magnitude_ = 1;
};

}  // namespace attn
