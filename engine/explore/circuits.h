// SPDX-License-Identifier: GPL-3.0-or-later
// Circuits of a head (N. Elhage and others, 2021), from the weights alone. What a head moves from
// a token to the logits is OV = W_O W_V; which tokens look at which is QK = W_Q' W_K. Both are C x
// C of rank D, so their eigenvalues are those of a D x D matrix. The gains of the norms in front of
// the head and at the end of the model are part of the matrices; their statistics are not known
// without a run. With grouped heads, the heads of a group share W_K and W_V. All functions throw
// Error: kBadInput for a head that does not exist, kNotSupported where the circuit is not defined
// for the model, kCancelled where go_on() returned false. Any thread.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/model/model.h"

namespace attn {

struct HeadName {
  int64_t layer = 0, head = 0;
};

// Called now and then during a long computation; false ends it.
using GoOn = std::function<bool()>;

struct Circuit {
  std::vector<std::complex<double>> eigenvalues;  // [D], the largest first
  // Sum of eigenvalues / sum of their magnitudes, in [-1, 1]. Of the full OV circuit: 1 where the
  // head copies, so that a token that it reads becomes likelier; -1 where it becomes less likely.
  double score = 0;
  // Of the whole matrix, from its diagonal: the eigenvalues must have this sum.
  double trace = 0;
  double sum() const;
  double residue() const { return sum() - trace; }
};

// W_O W_V, from residual stream to residual stream.
Circuit ov_circuit(const Model& model, HeadName head);
// The whole way from a token that is read to the logits: U W_O W_V E. Its `score` is the copying
// score.
Circuit full_ov_circuit(const Model& model, HeadName head, const GoOn& go_on = {});
// W_Q' R W_K, where the query stands `distance` tokens after the key (rotary positions turn by it).
Circuit qk_circuit(const Model& model, HeadName head, int64_t distance);

struct TokenPair {
  // OV: the token that is read, and the one that becomes likelier. QK: the key's token, and the
  // query's.
  int32_t from = 0, to = 0;
  double value = 0;
};
// The `count` pairs with the largest values of the full circuit, the largest first. It takes up to
// V^2 D multiplications.
std::vector<TokenPair> strongest_ov_pairs(const Model& model, HeadName head, int64_t count,
                                          const GoOn& go_on = {});
std::vector<TokenPair> strongest_qk_pairs(const Model& model, HeadName head, int64_t distance,
                                          int64_t count, const GoOn& go_on = {});

enum class Composition { kQuery, kKey, kValue };
// How much of what head `first` writes the later head `second` reads through its queries, keys or
// values: |A B| / (|A| |B|) in the Frobenius norm, minus the same of random matrices of these
// shapes (the mean of `kBaselines`, with a fixed seed). Rotary positions are not part of it: query
// and key stand at one place.
inline constexpr int kBaselines = 8;
double composition(const Model& model, HeadName first, HeadName second, Composition kind);

struct EarlierHead {
  HeadName name;
  std::optional<double> query, key;  // none: the QK circuit of the model is not defined
  double value = 0;
};
// The composition of every head of the layers before `second` with it, in their order.
std::vector<EarlierHead> compositions(const Model& model, HeadName second, const GoOn& go_on = {});

}  // namespace attn
