// SPDX-License-Identifier: GPL-3.0-or-later
// Activation patching (K. Meng and others, 2022; K. Wang and others, 2022). Of two prompts of equal
// length, a clean and a corrupted one, one is run again with one site taken from the run of the
// other:
//   value = (d - d_corrupted) / (d_clean - d_corrupted)
// d is the logit of `right` minus that of `wrong` at the last position. The value is 0 where d is
// as in the corrupted run and 1 where it is as in the clean run; it is not clipped. Engine thread.
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
  // corrupted one. If this is `right`, `wrong` is the likeliest other token after the clean prompt.
  int32_t right = kChosenToken, wrong = kChosenToken;
  PatchSites sites = PatchSites::kPostByPosition;
  // False: the corrupted prompt is run with a site of the clean one. True: the clean prompt with a
  // site of the corrupted one.
  bool into_clean = false;
};

// From the logits after the last token of the prompt.
struct PatchAnswer {
  double difference = 0;
  double right_probability = 0;  // of `right`
  double wrong_probability = 0;
  int32_t best = 0;  // the likeliest token
  double best_probability = 0;
};

struct PatchEnds {
  int32_t right = 0, wrong = 0;
  PatchAnswer clean, corrupted;
  // Two checks that should give 0: the largest difference from the clean prompt's logits when the
  // corrupted run gets the clean embeddings of all tokens (residue_embedding), or the clean stream
  // of the last position after the last layer (residue_last).
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
  std::vector<double> difference;  // [layers, columns] d
  double value(int64_t layer, int64_t column) const {
    return ends.value(difference[static_cast<size_t>(layer * columns + column)]);
  }
};

struct PatchMove {
  int64_t from_layer = 0, from_column = 0;  // the cell that is read
  int64_t layer = 0, column = 0;            // the cell that is changed
  bool operator==(const PatchMove&) const = default;
};

// The logit differences of the two prompts must be further apart than this.
inline constexpr double kLeastPatchEffect = 1e-3;

// settings: attention and engine of the runs. Its requests, arrivals, clock, captured plans, and
// settings of scheduling, prefix caching and cache sizes are not used. nullopt: cancelled by the
// gate. The three functions throw Error(kBadInput) for a source that is not a model or has an
// encoder and a decoder, for prompts that are empty, equal, of different lengths or too long, and
// for tokens that do not exist; patch_ends() and patch_grid() also for prompts that hardly differ
// in their effect.
std::optional<PatchEnds> patch_ends(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan, RunGate* gate = nullptr);
// progress: share of the cells that are done, in [0, 1].
std::optional<PatchGrid> patch_grid(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan,
                                    const std::function<void(double)>& progress = {},
                                    RunGate* gate = nullptr);
// One patch from one cell to another. Also throws Error(kBadInput) for a cell that does not exist,
// and with PatchSites::kHeads for two different cells. ends: of the same plan.
std::optional<PatchAnswer> patch_once(const Scenario& settings,
                                      const std::shared_ptr<Source>& source, const PatchPlan& plan,
                                      const PatchEnds& ends, const PatchMove& move,
                                      RunGate* gate = nullptr);

// In a causal model: whether a patch of the stream at (layer, position) can change the cell
// (of_layer, of_position).
inline bool in_patch_cone(int64_t layer, int64_t position, int64_t of_layer, int64_t of_position) {
  return of_layer > layer ? of_position >= position : of_layer == layer && of_position == position;
}

}  // namespace attn
