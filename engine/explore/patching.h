// SPDX-License-Identifier: GPL-3.0-or-later
// Activation patching (K. Meng and others, 2022; K. Wang and others, 2022): two prompts of equal
// length, a clean and a corrupted one. One of them is run again with one site taken from the run of
// the other. Where the clean state brings the answer of the corrupted prompt back, the information
// passes through this site; where the corrupted state destroys the answer of the clean prompt, the
// answer needs this site.
//   value = (d - d_corrupted) / (d_clean - d_corrupted)
// d is the logit of `right` minus that of `wrong` at the last position. The value is 0 where d is
// as in the corrupted run and 1 where it is as in the clean run; it can be outside of [0, 1] and is
// not clipped. Each cell is one request of a batched run. Engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/run/engine.h"

namespace attn {

enum class PatchSites {
  kMidByPosition,   // layer x position: the residual stream after the attention of a layer
  kPostByPosition,  // layer x position: the residual stream after a layer
  kHeads,           // layer x head: the output of a head at all positions
};

// Stands for a token of the pair that the plan does not name.
inline constexpr int32_t kChosenToken = -1;

struct PatchPlan {
  std::vector<int32_t> clean, corrupted;  // tokens, equally many
  // kChosenToken: `right` is the likeliest token after the clean prompt, `wrong` that after the
  // corrupted one; where this is `right`, `wrong` is the likeliest other one after the clean
  // prompt.
  int32_t right = kChosenToken, wrong = kChosenToken;
  PatchSites sites = PatchSites::kPostByPosition;
  // False: the corrupted prompt is run with sites of the clean one. True: the other way round.
  bool into_clean = false;
};

// What the logits after the prompt of a run say.
struct PatchAnswer {
  double difference = 0;         // d: logit of `right` - logit of `wrong`
  double right_probability = 0;  // of `right` as the next token
  double wrong_probability = 0;
  int32_t best = 0;  // the likeliest token
  double best_probability = 0;
};

// The runs of the two prompts without any patch.
struct PatchEnds {
  int32_t right = 0, wrong = 0;
  PatchAnswer clean, corrupted;
  // Two identities: both are 0. The largest difference between a logit of the clean prompt and that
  // of the corrupted prompt when the corrupted run gets the embeddings of all tokens of the clean
  // run (residue_embedding), or its stream of the last position after the last layer
  // (residue_last).
  double residue_embedding = 0, residue_last = 0;
  double value(double difference) const {
    return (difference - corrupted.difference) / (clean.difference - corrupted.difference);
  }
};

struct PatchGrid {
  PatchSites sites = PatchSites::kPostByPosition;
  bool into_clean = false;
  int64_t layers = 0, columns = 0;  // columns: positions or heads
  PatchEnds ends;
  std::vector<double> difference;  // d of each cell, [layers, columns]
  double value(int64_t layer, int64_t column) const {
    return ends.value(difference[static_cast<size_t>(layer * columns + column)]);
  }
};

// A cell of one run that is put in the place of a cell of the other.
struct PatchMove {
  int64_t from_layer = 0, from_column = 0;  // of the run that is read
  int64_t layer = 0, column = 0;            // of the run that is changed
  bool operator==(const PatchMove&) const = default;
};

// The logit differences d of the two prompts must be further apart than this.
inline constexpr double kLeastPatchEffect = 1e-3;

// settings: engine and source of the runs; its requests are ignored. nullopt: cancelled by the
// gate. All three functions throw Error(kBadInput) for a source that is not a model or has an
// encoder and a decoder, for prompts of different lengths, for equal prompts, for prompts that
// cannot run, and for tokens that do not exist; patch_ends() and patch_grid() also for prompts that
// hardly differ in their effect.
std::optional<PatchEnds> patch_ends(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan, RunGate* gate = nullptr);
// The whole grid: d of every cell. progress: share of the cells that are done, in [0, 1].
std::optional<PatchGrid> patch_grid(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan,
                                    const std::function<void(double)>& progress = {},
                                    RunGate* gate = nullptr);
// One patch, from any layer and position to any. The output of a head is only put in the place of
// the same head, so with PatchSites::kHeads both places must be one; otherwise, and for a place
// that does not exist, it throws Error(kBadInput). ends: of the same plan.
std::optional<PatchAnswer> patch_once(const Scenario& settings,
                                      const std::shared_ptr<Source>& source, const PatchPlan& plan,
                                      const PatchEnds& ends, const PatchMove& move,
                                      RunGate* gate = nullptr);

// Whether a patch of the stream at (layer, position) can change the cell: its causal cone.
inline bool in_patch_cone(int64_t layer, int64_t position, int64_t of_layer, int64_t of_position) {
  return of_layer > layer ? of_position >= position : of_layer == layer && of_position == position;
}

}  // namespace attn
