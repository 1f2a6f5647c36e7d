// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/experts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/model/layers/rows.h"

namespace attn {

void Experts::take(TensorReader& reader, const std::string& at, const Axis& width,
                   const ExpertSpec& spec, Activation activation) {
  width_ = width.size;
  inner_ = spec.inner.size;
  chosen_ = spec.chosen;
  normalised_ = spec.normalised;
  activation_ = activation;
  router_.take(reader, width, {{at + spec.router, spec.count}});
  experts_.resize(static_cast<size_t>(spec.count.size));  // the reader keeps pointers into it
  for (size_t e = 0; e < experts_.size(); ++e) {
    const std::string name = fmt::format("{}{}{}.", at, spec.experts, e);
    experts_[e].gate_up.take(reader, width,
                             {{name + spec.gate, spec.inner}, {name + spec.up, spec.inner}});
    experts_[e].down.take(reader, spec.inner, {{name + spec.down, width}});
  }
}

void Experts::choose(const float* scores, int64_t row) {
  const auto count = static_cast<int64_t>(experts_.size());
  float* weights = weights_.data() + row * count;
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  const float largest = scores[order.front()];
  float sum = 0, sum_of_chosen = 0;
  for (int64_t e = 0; e < count; ++e) sum += weights[e] = std::exp(scores[e] - largest);
  for (int64_t i = 0; i < count; ++i) {
    float& weight = weights[order[static_cast<size_t>(i)]];
    weight = i < chosen_ ? weight / sum : 0;
    sum_of_chosen += weight;
  }
  if (!normalised_) return;
  for (int64_t e = 0; e < count; ++e) weights[e] /= sum_of_chosen;
}

bool Experts::forward(const float* x, int64_t rows, float* to, const Execution& execution) {
  const auto count = static_cast<int64_t>(experts_.size());
  make_room(scores_, rows * count);
  make_room(weights_, rows * count);
  if (!router_.forward(x, rows, scores_.data(), false, KernelId::kLinear, execution) ||
      !for_rows(execution, KernelId::kActivation, rows, 10.0 * static_cast<double>(count),
                8.0 * static_cast<double>(count),
                [&](int64_t row) { choose(scores_.data() + row * count, row); }))
    return false;
  std::fill_n(to, rows * width_, 0.0f);
  for (int64_t e = 0; e < count; ++e) {
    rows_.clear();
    for (int64_t row = 0; row < rows; ++row)
      if (weights_[static_cast<size_t>(row * count + e)] != 0) rows_.push_back(row);
    if (rows_.empty()) continue;
    const auto picked = static_cast<int64_t>(rows_.size());
    make_room(picked_, picked * width_);
    make_room(gate_up_, picked * 2 * inner_);
    make_room(activated_, picked * inner_);
    make_room(out_, picked * width_);
    for (int64_t i = 0; i < picked; ++i)
      std::copy_n(x + rows_[static_cast<size_t>(i)] * width_, width_, picked_.data() + i * width_);
    const Expert& expert = experts_[static_cast<size_t>(e)];
    if (!expert.gate_up.forward(picked_.data(), picked, gate_up_.data(), false, KernelId::kLinear,
                                execution) ||
        !activate_gated(activation_, gate_up_.data(), picked, inner_, activated_.data(),
                        execution) ||
        !expert.down.forward(activated_.data(), picked, out_.data(), false, KernelId::kLinear,
                             execution))
      return false;
    for (int64_t i = 0; i < picked; ++i) {
      const int64_t row = rows_[static_cast<size_t>(i)];
      row_of(to + row * width_, width_) +=
          row_of(out_.data() + i * width_, width_) * weights_[static_cast<size_t>(row * count + e)];
    }
  }
  return true;
}

}  // namespace attn
