// SPDX-License-Identifier: GPL-3.0-or-later
// ResidualHook: is called with the residual stream of a model while a step runs, and may change it.
#pragma once

#include <cstdint>

namespace attn {

// The places at which a ResidualHook is called with the residual stream x [C] of each token. In a
// layer without an MLP, nothing is added between kMid and kPost. The hook is not called in an
// encoder before a decoder.
enum class ResidualSite {
  kEmbed,  // after the embedding, before layer 0
  kMid,    // in a layer, after the output of its attention was added, and any norm of the sum
  kPost,   // after the layer: its MLP was added, too
};

// Is called with the residual stream of the rows of a step at each site, and may change it. Engine
// thread.
class ResidualHook {
 public:
  virtual ~ResidualHook() = default;
  // x [rows, width] f32: the rows of the step in their order. layer: 0 at kEmbed.
  virtual void at(ResidualSite site, int64_t layer, float* x, int64_t rows, int64_t width) = 0;
};

}  // namespace attn
