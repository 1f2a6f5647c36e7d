// SPDX-License-Identifier: GPL-3.0-or-later
// Logit lens (nostalgebraist, 2020): what the model would say if it ended after layer l:
//   lens_l = cap(scale * U norm(x_l))
// The norm is the final one, with the statistics of x_l. Engine thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/model.h"
#include "engine/session/record/residual_record.h"

namespace attn {

struct LensSite {
  ResidualSite site = ResidualSite::kEmbed;
  int64_t layer = 0;
  bool operator==(const LensSite&) const = default;
};
// The embedding, then for each layer the stream after its attention (if with_mid) and after its MLP
// (if it has one). Layers of an encoder before a decoder have no site.
std::vector<LensSite> lens_sites(const Model& model, bool with_mid);

// The model's own logits [count, V] at positions [first, first + count), from the stream after the
// last layer. False: cancelled. Throws Error(kNotSupported) for a model without an output layer,
// Error(kBadInput) for rows that the record does not have.
bool own_logits(Model& model, const ResidualRecord& record, int64_t first, int64_t count,
                Tensor& logits, const Execution& execution);

// Logits [count, V] of positions [first, first + count) at a site. False: cancelled. Throws
// Error(kNotSupported) as require_sum() does, Error(kBadInput) for rows that the record does not
// have.
bool lens_logits(Model& model, const ResidualRecord& record, LensSite at, int64_t first,
                 int64_t count, Tensor& logits, const Execution& execution);

struct LensCell {
  int32_t best = 0;  // token with the largest logit; of equal ones the lowest id
  float best_logit = 0;
  double best_probability = 0;  // softmax of the logits as they are
  // Of the token LogitLens::wanted.
  float logit = 0;
  double probability = 0;
  int64_t rank = 0;  // 0: it is the best
  // Kullback-Leibler divergence from the model's own distribution p, in nats: sum of p log(p /
  // lens).
  double divergence = 0;
};
struct LogitLens {
  int64_t first = 0, count = 0;  // positions
  std::vector<LensSite> sites;
  // [count] the next token; where there is none, the model's most likely one.
  std::vector<int32_t> wanted;
  std::vector<LensCell> cells;  // [sites, count]
  const LensCell& cell(size_t site, int64_t position) const {
    return cells[site * static_cast<size_t>(count) + static_cast<size_t>(position - first)];
  }
};

// tokens: of the sequence, from position 0. Returns false when cancelled. Throws as lens_logits()
// does.
bool logit_lens(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                int64_t first, int64_t count, bool with_mid, LogitLens& lens,
                const Execution& execution);

}  // namespace attn
