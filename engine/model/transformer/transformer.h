// SPDX-License-Identifier: GPL-3.0-or-later
// The network of the families with one stack of layers: computes what a TransformerSpec describes.
// Weight matrices are of a WeightType; norms and biases are f32. Arithmetic is f32, except parts of
// norms (norm.h), cosines and sines, which are computed in f64 and rounded.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/transformer/transformer_spec.h"

namespace attn {

// Makes the network without weights. The spec must be consistent: sizes above 0, lists as long as
// it says.
std::unique_ptr<Model> make_transformer(TransformerSpec spec);

}  // namespace attn
