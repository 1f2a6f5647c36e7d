// SPDX-License-Identifier: GPL-3.0-or-later
// Activation functions, such as that of an MLP, element by element in f32, plain or gated.
//   silu       x / (1 + e^-x)                                  S. Elfwing and others, 2017
//   gelu       x/2 (1 + erf(x / sqrt 2))                       D. Hendrycks, K. Gimpel, 2016
//   gelu_tanh  x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))   the same paper
//   quick_gelu x / (1 + e^(-1.702 x))                          the same paper
//   relu       max(x, 0)
// Gated: to = f(gate) * up, N. Shazeer, "GLU variants improve transformer", 2020.
// Engine thread; activation_named(): any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/trace/probe.h"

namespace attn {

enum class Activation { kSilu, kGelu, kGeluTanh, kQuickGelu, kRelu };

// The function with this name in a config.json; nullopt for other names. The names are: "silu" or
// "swish"; "gelu" or "gelu_python"; "gelu_new", "gelu_pytorch_tanh", "gelu_python_tanh",
// "gelu_fast" or "gelu_accurate", all of them kGeluTanh; "quick_gelu"; "relu".
std::optional<Activation> activation_named(std::string_view name);

// to [rows, width] = f(x [rows, width]); `to` may be x. Returns false when the gate cancelled the
// run.
bool activate(Activation f, const float* x, int64_t rows, int64_t width, float* to,
              const Execution& execution);
// A row of gate_up [rows, 2 width] is the gate and then up; to [rows, width]. Returns false when
// the gate cancelled the run.
bool activate_gated(Activation f, const float* gate_up, int64_t rows, int64_t width, float* to,
                    const Execution& execution);

}  // namespace attn
