// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/run_rounding.h"

#include <fmt/format.h>

#include <span>
#include <string>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/core/counted.h"

namespace attn {
namespace {

// Rounds rows [tokens, Hkv, D] in place to what a cache of type T holds, as f32: code * scale of
// the head. counts [Hkv].
template <class T>
void round_through(Tensor& rows, float scale, std::span<const float> head_scales,
                   std::span<RoundingCounts> counts) {
  const int64_t heads = rows.dim(1), width = rows.dim(2);
  float* x = rows.data<float>();
  for (int64_t row = 0; row < rows.dim(0) * heads; ++row) {
    const auto head = static_cast<size_t>(row % heads);
    const float unit = head_scales.empty() ? scale : head_scales[head];
    for (int64_t d = 0; d < width; ++d, ++x)
      *x = to_f32(round_to_code<T>(*x / unit, counts[head])) * unit;
  }
}

void round_through(DType dtype, Tensor& rows, float scale, std::span<const float> head_scales,
                   std::span<RoundingCounts> counts) {
  switch (dtype) {
    case DType::kF16:
      return round_through<Float16>(rows, 1, {}, counts);
    case DType::kF8E4M3:
      return round_through<Float8E4M3>(rows, scale, {}, counts);
    case DType::kF8E5M2:
      return round_through<Float8E5M2>(rows, scale, {}, counts);
    case DType::kI8:
      return round_through<int8_t>(rows, scale, head_scales, counts);
    default:
      return;
  }
}

}  // namespace

RunRounding::RunRounding(DType cache, int64_t num_layers, int64_t kv_heads)
    : cache_(cache), num_layers_(num_layers), in_step_(0, 0), before_(num_layers, kv_heads) {}

void RunRounding::round_rows(int64_t layer, const LayerScales& scales, Tensor& key, Tensor& value) {
  round_through(cache_, key, scales.k_scale, scales.k_head_scales, in_step_.keys_of(layer));
  round_through(cache_, value, scales.v_scale, scales.v_head_scales, in_step_.values_of(layer));
}

void RunRounding::warn_of_step(const RunTrace& trace) {
  const RoundingCounts keys = sum_of(in_step_.keys), values = sum_of(in_step_.values);
  if (const int64_t saturated = keys.saturated + values.saturated; saturated > 0) {
    saturated_values_ += saturated;
    if (++saturated_steps_ == 1) {
      trace.warn(
          fmt::format("{} among the keys and values of step {} {} outside the range of the {} "
                      "cache and became the nearest number in it. If this happens in later steps "
                      "too, a message at the end of the run gives the total.",
                      counted(saturated, "number", "numbers"), trace.step(),
                      saturated == 1 ? "was" : "were", cache_dtype_name(cache_)));
      told_saturated_steps_ = 1;
    }
  }
  for (const std::string& sentence :
       vanished_sentences(warned_of_keys_ ? RoundingCounts() : keys,
                          warned_of_values_ ? RoundingCounts() : values, cache_))
    trace.warn(sentence);
  warned_of_keys_ = warned_of_keys_ || keys.mostly_vanished();
  warned_of_values_ = warned_of_values_ || values.mostly_vanished();
}

void RunRounding::keep_step() {
  if (!is_quantised(cache_)) return;
  before_ += in_step_;
  published_ = std::make_shared<const HeadRounding>(before_);
}

void RunRounding::warn_of_run(const RunTrace& trace) {
  if (saturated_steps_ == told_saturated_steps_) return;
  told_saturated_steps_ = saturated_steps_;
  trace.warn(
      fmt::format("In total, {} numbers among the keys and values of {} steps were outside the "
                  "range of the {} cache and became the nearest number in it.",
                  saturated_values_, saturated_steps_, cache_dtype_name(cache_)));
}

}  // namespace attn
