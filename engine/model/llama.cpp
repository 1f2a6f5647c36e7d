// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/llama.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr int64_t kRowsPerTask = 16;

// Runs fn(row) for every row on the pool, kRowsPerTask rows per task. `flops` and `bytes` are per
// row.
template <class Fn>
bool for_rows(const Execution& execution, KernelId kernel, int64_t rows, double flops, double bytes,
              Fn&& fn) {
  if (rows == 0) return true;
  const int64_t tasks = (rows + kRowsPerTask - 1) / kRowsPerTask;
  const double rows_per_task = static_cast<double>(rows) / static_cast<double>(tasks);
  return traced_parallel_for(execution, kernel, tasks, rows, flops * rows_per_task,
                             bytes * rows_per_task, [&](int64_t task, int /*worker*/) {
                               const int64_t end = std::min(rows, (task + 1) * kRowsPerTask);
                               for (int64_t row = task * kRowsPerTask; row < end; ++row) fn(row);
                             });
}

void fit(std::vector<float>& values, int64_t count) {
  values.resize(static_cast<size_t>(count));
}

void fit(Tensor& tensor, const Shape& shape) {
  if (tensor.dtype() != DType::kF32 || tensor.shape() != shape) tensor = Tensor(DType::kF32, shape);
}

template <class T>
void widen(const T* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = to_f32(from[i]);
}

// to = x / sqrt(mean(x^2) + epsilon) * weight
void rms_norm(const float* x, const float* weight, int64_t width, float epsilon, float* to) {
  double sum = 0;
  for (int64_t i = 0; i < width; ++i) sum += static_cast<double>(x[i]) * x[i];
  const float mean = static_cast<float>(sum / static_cast<double>(width));
  const float factor = 1.0f / std::sqrt(mean + epsilon);
  for (int64_t i = 0; i < width; ++i) to[i] = x[i] * factor * weight[i];
}

// Rotary positions of one head: (a, b) -> (a cos - b sin, b cos + a sin), where a and b are the two
// halves of the head.
void rotate(const float* head, const float* cosine, const float* sine, int64_t half, float* to) {
  for (int64_t i = 0; i < half; ++i) {
    const float a = head[i], b = head[i + half];
    to[i] = a * cosine[i] - b * sine[i];
    to[i + half] = b * cosine[i] + a * sine[i];
  }
}

}  // namespace

bool LlamaModel::begin_step(const StepTokens& tokens, const Execution& execution) {
  const auto rows = static_cast<int64_t>(tokens.token_ids.size());
  for (size_t row = 0; row < tokens.token_ids.size(); ++row) {
    const int64_t token = tokens.token_ids[row], position = tokens.positions[row];
    if (token < 0 || token >= config_.vocab_size)
      throw_bad_input({"token is not in the vocabulary", fmt::format("row {}", row),
                       fmt::format("{}", token), fmt::format("0 to {}", config_.vocab_size - 1),
                       ""});
    if (position < 0 || position >= config_.max_model_len)
      throw_bad_input({"position is past the model's context", fmt::format("row {}", row),
                       fmt::format("{}", position),
                       fmt::format("0 to {}", config_.max_model_len - 1),
                       "Use a shorter prompt or fewer tokens"});
  }
  step_ = tokens;
  const int64_t width = config_.hidden_size, half = config_.head_size / 2;
  fit(hidden_, rows * width);
  fit(cosine_, rows * half);
  fit(sine_, rows * half);
  return for_rows(
      execution, KernelId::kEmbed, rows, 40.0 * static_cast<double>(half),
      8.0 * static_cast<double>(width), [&](int64_t row) {
        const int64_t from = int64_t{step_.token_ids[static_cast<size_t>(row)]} * width;
        float* to = hidden_.data() + row * width;
        if (embedding_.dtype() == DType::kBF16)
          widen(embedding_.data<BFloat16>() + from, width, to);
        else if (embedding_.dtype() == DType::kF16)
          widen(embedding_.data<Float16>() + from, width, to);
        else
          widen(embedding_.data<float>() + from, width, to);
        const auto position = static_cast<float>(step_.positions[static_cast<size_t>(row)]);
        for (int64_t i = 0; i < half; ++i) {
          const double angle =
              position * inverse_frequency_[static_cast<size_t>(i)];  // f32 product, f64 cosine
          cosine_[static_cast<size_t>(row * half + i)] = static_cast<float>(std::cos(angle));
          sine_[static_cast<size_t>(row * half + i)] = static_cast<float>(std::sin(angle));
        }
      });
}

bool LlamaModel::normalize(const std::vector<float>& x, const std::vector<float>& weight,
                           std::vector<float>& to, int64_t rows, const Execution& execution) const {
  const int64_t width = config_.hidden_size;
  fit(to, rows * width);
  return for_rows(execution, KernelId::kNorm, rows, 4.0 * static_cast<double>(width),
                  8.0 * static_cast<double>(width), [&](int64_t row) {
                    rms_norm(x.data() + row * width, weight.data(), width, config_.norm_epsilon,
                             to.data() + row * width);
                  });
}

bool LlamaModel::qkv(int64_t layer_index, Tensor& query, Tensor& key, Tensor& value,
                     const Execution& execution) {
  const Layer& layer = layers_[static_cast<size_t>(layer_index)];
  const auto rows = static_cast<int64_t>(step_.token_ids.size());
  const int64_t size = config_.head_size, half = size / 2, heads = config_.num_heads,
                kv_heads = config_.num_kv_heads;
  const int64_t stride = layer.qkv.out();
  fit(query, {rows, heads, size});
  fit(key, {rows, kv_heads, size});
  fit(value, {rows, kv_heads, size});
  fit(qkv_, rows * stride);
  if (!normalize(hidden_, layer.attention_norm, normed_, rows, execution)) return false;
  if (!layer.qkv.forward(normed_.data(), rows, qkv_.data(), false, KernelId::kLinear, execution))
    return false;
  return for_rows(
      execution, KernelId::kRope, rows, 3.0 * static_cast<double>(stride),
      8.0 * static_cast<double>(stride), [&](int64_t row) {
        const float* from = qkv_.data() + row * stride;
        const float *cosine = cosine_.data() + row * half, *sine = sine_.data() + row * half;
        for (int64_t h = 0; h < heads; ++h, from += size)
          rotate(from, cosine, sine, half, query.data<float>() + (row * heads + h) * size);
        for (int64_t h = 0; h < kv_heads; ++h, from += size)
          rotate(from, cosine, sine, half, key.data<float>() + (row * kv_heads + h) * size);
        std::copy_n(from, kv_heads * size, value.data<float>() + row * kv_heads * size);
      });
}

bool LlamaModel::attention_output(int64_t layer_index, const Tensor& out,
                                  const Execution& execution) {
  const Layer& layer = layers_[static_cast<size_t>(layer_index)];
  const auto rows = static_cast<int64_t>(step_.token_ids.size());
  const int64_t inner = config_.intermediate_size;
  if (!layer.out.forward(out.data<float>(), rows, hidden_.data(), true, KernelId::kLinear,
                         execution))
    return false;
  if (!normalize(hidden_, layer.mlp_norm, normed_, rows, execution)) return false;
  fit(gate_up_, rows * 2 * inner);
  fit(activated_, rows * inner);
  if (!layer.gate_up.forward(normed_.data(), rows, gate_up_.data(), false, KernelId::kLinear,
                             execution))
    return false;
  const bool finished =
      for_rows(execution, KernelId::kActivation, rows, 20.0 * static_cast<double>(inner),
               12.0 * static_cast<double>(inner), [&](int64_t row) {
                 const float *gate = gate_up_.data() + row * 2 * inner, *up = gate + inner;
                 float* to = activated_.data() + row * inner;
                 for (int64_t i = 0; i < inner; ++i)
                   to[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];  // silu(gate) * up
               });
  return finished && layer.down.forward(activated_.data(), rows, hidden_.data(), true,
                                        KernelId::kLinear, execution);
}

bool LlamaModel::end_step(Tensor& logits, const Execution& execution) {
  const auto rows = static_cast<int64_t>(step_.logit_rows.size());
  const int64_t width = config_.hidden_size;
  fit(logits, {rows, config_.vocab_size});
  fit(normed_, rows * width);
  const bool finished = for_rows(
      execution, KernelId::kNorm, rows, 4.0 * static_cast<double>(width),
      8.0 * static_cast<double>(width), [&](int64_t row) {
        const float* from = hidden_.data() + step_.logit_rows[static_cast<size_t>(row)] * width;
        rms_norm(from, final_norm_.data(), width, config_.norm_epsilon,
                 normed_.data() + row * width);
      });
  return finished && head_.forward(normed_.data(), rows, logits.data<float>(), false,
                                   KernelId::kLogits, execution);
}

}  // namespace attn
