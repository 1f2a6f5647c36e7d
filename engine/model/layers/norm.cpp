// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/norm.h"

#include <cmath>
#include <utility>

#include "engine/model/layers/rows.h"

namespace attn {

template <class Pick>
bool Norm::normalize_rows(const float* x, int64_t rows, float* to, const Execution& execution,
                          Pick&& pick) const {
  const auto width = static_cast<int64_t>(weight_.size());
  return for_rows(execution, KernelId::kNorm, rows, 4.0 * static_cast<double>(width),
                  8.0 * static_cast<double>(width),
                  [&](int64_t row) { normalize(x + pick(row) * width, to + row * width); });
}

bool Norm::forward(const float* x, int64_t rows, float* to, const Execution& execution) const {
  return normalize_rows(x, rows, to, execution, [](int64_t row) { return row; });
}

bool Norm::forward(const float* x, std::span<const int64_t> rows, float* to,
                   const Execution& execution) const {
  return normalize_rows(x, static_cast<int64_t>(rows.size()), to, execution,
                        [&](int64_t row) { return rows[static_cast<size_t>(row)]; });
}

void RmsNorm::take(TensorReader& reader, const std::string& name, const Axis& width) {
  reader.take(name + ".weight", {width}, [this](const Tensor& weight) { set(f32_values(weight)); });
}

void RmsNorm::set(std::vector<float> weight) {
  weight_ = std::move(weight);
  if (offset_ != 0) row_of(weight_.data(), static_cast<int64_t>(weight_.size())) += offset_;
}

NormStatistics RmsNorm::statistics(const float* x) const {
  const auto width = static_cast<int64_t>(weight_.size());
  double sum = 0;
  for (int64_t i = 0; i < width; ++i) sum += static_cast<double>(x[i]) * x[i];
  const float mean = static_cast<float>(sum / static_cast<double>(width));
  return {.mean = 0, .factor = 1.0f / std::sqrt(mean + epsilon_)};
}

void RmsNorm::normalize(const float* x, float* to) const {
  const auto width = static_cast<int64_t>(weight_.size());
  row_of(to, width) = row_of(x, width) * statistics(x).factor * row_of(weight_.data(), width);
}

void LayerNorm::take(TensorReader& reader, const std::string& name, const Axis& width) {
  const bool is_old = !reader.has(name + ".weight") && reader.has(name + ".gamma");
  reader.take(name + (is_old ? ".gamma" : ".weight"), {width}, weight_);
  if (has_bias_) reader.take(name + (is_old ? ".beta" : ".bias"), {width}, bias_);
}

void LayerNorm::set(std::vector<float> weight, std::vector<float> bias) {
  weight_ = std::move(weight);
  bias_ = std::move(bias);
}

NormStatistics LayerNorm::statistics(const float* x) const {
  const auto width = static_cast<int64_t>(weight_.size());
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < width; ++i) sum += x[i];
  const double mean = sum / static_cast<double>(width);
  for (int64_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double variance = squares / static_cast<double>(width);
  return {.mean = static_cast<float>(mean),
          .factor = static_cast<float>(1.0 / std::sqrt(variance + double{epsilon_}))};
}

void LayerNorm::normalize(const float* x, float* to) const {
  const auto width = static_cast<int64_t>(weight_.size());
  const NormStatistics at = statistics(x);
  row_of(to, width) = (row_of(x, width) - at.mean) * at.factor * row_of(weight_.data(), width);
  if (!bias_.empty()) row_of(to, width) += row_of(bias_.data(), width);
}

}  // namespace attn
