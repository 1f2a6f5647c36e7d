// SPDX-License-Identifier: GPL-3.0-or-later
// Activation patching (K. Meng and others, 2022; K. Wang and others, 2022): two prompts of equal
// length, a clean and a corrupted one. The corrupted prompt is run again with one site taken from
// the clean run. Where that brings the answer back, the information passes through this site.
//   value = (d - d_corrupted) / (d_clean - d_corrupted)
// d is the logit of `right` minus that of `wrong` at the last position. 0: as corrupted; 1: as
// clean; it can be outside of [0, 1] and is not clipped. A cell is one request of one batched run.
// Engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/run/engine.h"

namespace attn {

enum class PatchSites {
  kMidByPosition,   // layer x position: the residual stream after the attention of a layer
  kPostByPosition,  // layer x position: after a layer
  kHeads,           // layer x head: the output of a head at all positions
};

struct PatchPlan {
  std::vector<int32_t> clean, corrupted;  // tokens, equally many
  int32_t right = 0, wrong = 0;
  PatchSites sites = PatchSites::kPostByPosition;
};

struct PatchGrid {
  PatchSites sites = PatchSites::kPostByPosition;
  int64_t layers = 0, columns = 0;  // columns: positions or heads
  double clean = 0, corrupted = 0;  // d of the two prompts
  std::vector<double> difference;   // d of each cell, [layers, columns]
  double value(int64_t layer, int64_t column) const {
    return (difference[static_cast<size_t>(layer * columns + column)] - corrupted) /
           (clean - corrupted);
  }
};

// d_clean and d_corrupted must be further apart than this.
inline constexpr double kLeastPatchEffect = 1e-3;

// settings: engine and source of the runs; its requests are ignored. progress: share of the cells
// that are done, in [0, 1]. nullopt: cancelled by the gate. Throws Error(kBadInput) for prompts of
// different lengths, for prompts that differ nowhere or hardly in their effect, and for tokens that
// do not exist.
std::optional<PatchGrid> patch_grid(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan,
                                    const std::function<void(double)>& progress = {},
                                    RunGate* gate = nullptr);

// "After layer 3, position 5: 82% of the way from the corrupted to the clean answer."
std::string patch_sentence(const PatchGrid& grid, int64_t layer, int64_t column);

}  // namespace attn
