// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/model/layers/rows.h"

namespace attn {
namespace {

// Frequency i is theta^(-2i/R), or 1 / (s_i theta^(2i/R)) where there are factors, rounded to f32.
std::vector<float> plain_frequencies(double theta, int64_t size,
                                     const std::vector<float>& factors = {}) {
  std::vector<float> frequencies;
  for (int64_t i = 0; i < size / 2; ++i) {
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(size);
    const auto power = static_cast<float>(std::pow(theta, static_cast<double>(exponent)));
    frequencies.push_back(1.0f /
                          (factors.empty() ? power : factors[static_cast<size_t>(i)] * power));
  }
  return frequencies;
}

double dynamic_theta(const RotaryConfig& c, int64_t length) {
  const auto size = static_cast<double>(c.size), trained = static_cast<double>(c.trained_length);
  const double ratio = std::max(static_cast<double>(length), trained) / trained;
  return c.theta * std::pow(c.factor * ratio - (c.factor - 1), size / (size - 2));
}

float llama3_frequency(const RotaryConfig& c, float w) {
  const auto trained = static_cast<float>(c.trained_length), factor = static_cast<float>(c.factor),
             low = static_cast<float>(c.low_frequency), high = static_cast<float>(c.high_frequency);
  const float wave = 2 * std::numbers::pi_v<float> / w;  // positions of one whole turn
  if (wave < trained / high) return w;
  if (wave > trained / low) return w / factor;
  const float share = (trained / wave - low) / (high - low);
  return (1 - share) * w / factor + share * w;
}

// The number i, with a fraction, of the pair that turns `turns` times within the trained length.
double yarn_pair(const RotaryConfig& c, double turns) {
  const double wave = static_cast<double>(c.trained_length) / (turns * 2 * std::numbers::pi);
  return static_cast<double>(c.size) * std::log(wave) / (2 * std::log(c.theta));
}

void scale_by_yarn(const RotaryConfig& c, std::vector<float>& frequencies) {
  double begin = yarn_pair(c, c.beta_fast), end = yarn_pair(c, c.beta_slow);
  if (c.truncate) {
    begin = std::floor(begin);
    end = std::ceil(end);
  }
  begin = std::max(begin, 0.0);
  end = std::min(end, static_cast<double>(c.size - 1));
  if (begin == end) end += 0.001;
  for (size_t i = 0; i < frequencies.size(); ++i) {
    const float place =
        (static_cast<float>(i) - static_cast<float>(begin)) / static_cast<float>(end - begin);
    const float kept = 1 - std::clamp(place, 0.0f, 1.0f);
    const float w = frequencies[i];
    frequencies[i] = w / static_cast<float>(c.factor) * (1 - kept) + w * kept;
  }
}

double yarn_magnitude(const RotaryConfig& c) {
  if (c.attention_factor) return *c.attention_factor;
  const auto of = [&](double mscale) {
    return c.factor <= 1 ? 1.0 : 0.1 * mscale * std::log(c.factor) + 1;
  };
  const double mscale = c.mscale.value_or(0), all = c.mscale_all_dim.value_or(0);
  return mscale != 0 && all != 0 ? of(mscale) / of(all) : of(1);
}

double longrope_magnitude(const RotaryConfig& c) {
  if (c.attention_factor) return *c.attention_factor;
  return c.factor <= 1
             ? 1.0
             : std::sqrt(1 + std::log(c.factor) / std::log(static_cast<double>(c.trained_length)));
}

}  // namespace

Rotary::Rotary(const RotaryConfig& config, int64_t length) : pairs_(config.pairs) {
  const bool is_dynamic = config.scaling == RotaryScaling::kDynamic;
  frequencies_ = plain_frequencies(is_dynamic ? dynamic_theta(config, length) : config.theta,
                                   config.size, config.factors);
  if (config.scaling == RotaryScaling::kLinear)
    for (float& w : frequencies_) w /= static_cast<float>(config.factor);
  if (config.scaling == RotaryScaling::kLlama3)
    for (float& w : frequencies_) w = llama3_frequency(config, w);
  if (config.scaling == RotaryScaling::kLongrope)
    magnitude_ = static_cast<float>(longrope_magnitude(config));
  if (config.scaling == RotaryScaling::kYarn) {
    scale_by_yarn(config, frequencies_);
    magnitude_ = static_cast<float>(yarn_magnitude(config));
  }
}

void Rotary::angles(int32_t position, float* cosine, float* sine) const {
  const auto p = static_cast<float>(position);
  for (size_t i = 0; i < frequencies_.size(); ++i) {
    const double angle = p * frequencies_[i];  // f32 product, f64 cosine
    cosine[i] = static_cast<float>(std::cos(angle)) * magnitude_;
    sine[i] = static_cast<float>(std::sin(angle)) * magnitude_;
  }
}

void Rotary::turn(const float* head, const float* cosine, const float* sine, int64_t head_size,
                  float* to) const {
  const int64_t pairs = num_pairs();
  using Stride = Eigen::InnerStride<>;
  using Pick = Eigen::Map<const Eigen::ArrayXf, Eigen::Unaligned, Stride>;
  using Place = Eigen::Map<Eigen::ArrayXf, Eigen::Unaligned, Stride>;
  const ConstRowMap c = row_of(cosine, pairs), s = row_of(sine, pairs);
  if (pairs_ == RotaryPairs::kHalves) {
    const ConstRowMap a = row_of(head, pairs), b = row_of(head + pairs, pairs);
    row_of(to, pairs) = a * c - b * s;
    row_of(to + pairs, pairs) = b * c + a * s;
  } else {
    const Pick a(head, pairs, Stride(2)), b(head + 1, pairs, Stride(2));
    Place(to, pairs, Stride(2)) = a * c - b * s;
    Place(to + 1, pairs, Stride(2)) = b * c + a * s;
  }
  std::copy(head + 2 * pairs, head + head_size, to + 2 * pairs);
}

}  // namespace attn
