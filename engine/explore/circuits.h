// SPDX-License-Identifier: GPL-3.0-or-later
// Circuits of a head (N. Elhage and others, 2021), from the weights alone. OV = W_O W_V: what a
// head writes for a token that it reads. QK = W_Q' W_K: which tokens look at which. The gains of
// the norms are part of the matrices, their statistics are not. Heads of a group share W_K and W_V.
//
// Throws Error: kBadInput for a head that does not exist or, in composition(), is not of an earlier
// layer; kNotSupported where the circuit is not defined for the model; kCancelled where go_on()
// returned false. Any thread.
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
  std::vector<std::complex<double>> eigenvalues;  // [D], the largest magnitude first
  // Sum of eigenvalues / sum of their magnitudes, in [-1, 1].
  double score = 0;
  // Trace of the whole matrix; it should be the sum of the eigenvalues.
  double trace = 0;
  double sum() const;
  double residue() const { return sum() - trace; }
};

// W_O W_V, from residual stream to residual stream.
Circuit ov_circuit(const Model& model, HeadName head);
// U W_O W_V E, from a token that is read to the logits. Its `score` is the copying score.
Circuit full_ov_circuit(const Model& model, HeadName head, const GoOn& go_on = {});
// W_Q' R W_K, with the query `distance` tokens after the key (R: rotary positions).
Circuit qk_circuit(const Model& model, HeadName head, int64_t distance);

struct TokenPair {
  // OV: the token that is read, and the one whose logit it changes. QK: the key's token, and the
  // query's.
  int32_t from = 0, to = 0;
  double value = 0;
};
// The `count` pairs with the largest values of the full circuit, in descending order.
std::vector<TokenPair> strongest_ov_pairs(const Model& model, HeadName head, int64_t count,
                                          const GoOn& go_on = {});
std::vector<TokenPair> strongest_qk_pairs(const Model& model, HeadName head, int64_t distance,
                                          int64_t count, const GoOn& go_on = {});

enum class Composition { kQuery, kKey, kValue };
// How much head `second` reads of what the earlier head `first` writes, through its queries, keys
// or values: |A B| / (|A| |B|) in the Frobenius norm, minus the mean of the same for random
// matrices of these shapes (`kBaselines`, fixed seed). A is W_K' W_Q (queries), W_Q' W_K (keys) or
// W_O W_V (values) of `second`, B is W_O W_V of `first`. Rotary positions are left out.
inline constexpr int kBaselines = 8;
double composition(const Model& model, HeadName first, HeadName second, Composition kind);

struct EarlierHead {
  HeadName name;
  std::optional<double> query, key;  // nullopt: not defined for the model
  double value = 0;
};
// The composition of `second` with the heads of earlier layers, in their order.
std::vector<EarlierHead> compositions(const Model& model, HeadName second, const GoOn& go_on = {});

}  // namespace attn
