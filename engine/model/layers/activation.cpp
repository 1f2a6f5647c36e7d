// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/activation.h"

#include <cmath>
#include <numbers>

#include "engine/model/layers/rows.h"

namespace attn {
namespace {

// The functions below use exp, erf and tanh of the standard library; Eigen's vectorised ones need
// not have the same last digits.
float silu(float x) {
  return x / (1.0f + std::exp(-x));
}

float gelu(float x) {
  return 0.5f * x * (1.0f + std::erf(x * std::numbers::sqrt2_v<float> / 2));
}

float gelu_tanh(float x) {
  constexpr float kFactor = 0.79788456f;  // sqrt(2/pi)
  return 0.5f * x * (1.0f + std::tanh(kFactor * (x + 0.044715f * (x * x * x))));
}

float quick_gelu(float x) {
  return x / (1.0f + std::exp(-1.702f * x));
}

float relu(float x) {
  return x < 0 ? 0 : x;  // NaN stays
}

// Calls run(f) with a function object instead of a pointer, so that it can be inlined.
template <class Run>
bool with_function(Activation activation, Run&& run) {
  switch (activation) {
    case Activation::kSilu:
      return run([](float x) { return silu(x); });
    case Activation::kGelu:
      return run([](float x) { return gelu(x); });
    case Activation::kGeluTanh:
      return run([](float x) { return gelu_tanh(x); });
    case Activation::kQuickGelu:
      return run([](float x) { return quick_gelu(x); });
    case Activation::kRelu:
      break;
  }
  return run([](float x) { return relu(x); });
}

constexpr double kFlops = 20;  // flops of one element, about

}  // namespace

std::optional<Activation> activation_named(std::string_view name) {
  if (name == "silu" || name == "swish") return Activation::kSilu;
  if (name == "gelu" || name == "gelu_python") return Activation::kGelu;
  for (const std::string_view tanh :
       {"gelu_new", "gelu_pytorch_tanh", "gelu_python_tanh", "gelu_fast", "gelu_accurate"})
    if (name == tanh) return Activation::kGeluTanh;
  if (name == "quick_gelu") return Activation::kQuickGelu;
  if (name == "relu") return Activation::kRelu;
  return std::nullopt;
}

bool activate(Activation f, const float* x, int64_t rows, int64_t width, float* to,
              const Execution& execution) {
  return with_function(f, [&](auto function) {
    return for_rows(execution, KernelId::kActivation, rows, kFlops * static_cast<double>(width),
                    8.0 * static_cast<double>(width), [&](int64_t row) {
                      row_of(to + row * width, width) =
                          row_of(x + row * width, width).unaryExpr(function);
                    });
  });
}

bool activate_gated(Activation f, const float* gate_up, int64_t rows, int64_t width, float* to,
                    const Execution& execution) {
  return with_function(f, [&](auto function) {
    return for_rows(execution, KernelId::kActivation, rows, kFlops * static_cast<double>(width),
                    12.0 * static_cast<double>(width), [&](int64_t row) {
                      const float* gate = gate_up + row * 2 * width;
                      row_of(to + row * width, width) =
                          row_of(gate, width).unaryExpr(function) * row_of(gate + width, width);
                    });
  });
}

}  // namespace attn
