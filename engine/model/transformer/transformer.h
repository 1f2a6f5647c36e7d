// SPDX-License-Identifier: GPL-3.0-or-later
// The network of all families: computes what a TransformerSpec describes. Linear layers and norms
// are kept in f32, embeddings in the type of the file. Arithmetic is f32, except sums of norms,
// cosines and sines, which are computed in f64 and rounded.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/transformer/transformer_spec.h"

namespace attn {

// The network without weights. The spec must be consistent: sizes above 0, lists as long as it
// says.
std::unique_ptr<Model> make_transformer(TransformerSpec spec);

}  // namespace attn
