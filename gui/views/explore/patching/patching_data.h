// SPDX-License-Identifier: GPL-3.0-or-later
// Two prompts and a pair of tokens (PatchingWish), their answers and the grids of patched runs
// (PatchingData), the function that computes them, and a single patch (PatchingMove).
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/patching.h"
#include "engine/model/model.h"

namespace attn::gui {

struct PatchingWish {
  QString clean, corrupted;
  QString right, wrong;  // the pair of tokens; empty: chosen by likelihood
  bool operator==(const PatchingWish&) const = default;
};

enum PatchingPart { kIntoClean, kIntoCorrupted, kHeadsIntoClean, kHeadsIntoCorrupted };
inline constexpr int kPatchingParts = 4;
inline bool is_of_heads(int part) {
  return part >= kHeadsIntoClean;
}
inline bool is_into_clean(int part) {
  return part == kIntoClean || part == kHeadsIntoClean;
}
// The grid of the same sites (stream or heads) of the other run.
inline int other_run(int part) {
  return part ^ 1;
}

struct PatchingData {
  PatchingWish wish;
  std::vector<int32_t> clean, corrupted;                  // tokens
  std::vector<std::string> clean_texts, corrupted_texts;  // texts of these tokens, UTF-8
  std::string right, wrong, best_clean, best_corrupted;   // texts of tokens of `ends`
  PatchEnds ends;
  int64_t layers = 0, heads = 0;
  std::array<std::optional<PatchGrid>, kPatchingParts> grids;  // those that are computed
  double seconds = 0;                                          // time that ends and grids took
  QString trouble;  // why there are no grids; empty: nothing is wrong

  int64_t tokens() const { return std::max(std::ssize(clean), std::ssize(corrupted)); }
  bool differs(int64_t position) const;
  bool is_complete() const;
  int64_t runs() const { return 2 * layers * (tokens() + heads); }
};

PatchPlan patching_plan(const PatchingData& data, int part);

// Computes the grids; call it on the engine thread. `publish` gets the data when there is more of
// it, `progress` the share of all cells, in [0, 1]. Returns false if it was cancelled. `trouble` of
// the data can say why there are no grids; other errors are thrown.
using PublishPatching = std::function<void(std::shared_ptr<const PatchingData>)>;
bool compute_patching(const PatchingWish& wish, const Scenario& settings,
                      const std::shared_ptr<Source>& source, const PublishPatching& publish,
                      const std::function<void(double)>& progress, RunGate* gate);

// A patch that a person makes; `part` is the grid of the replaced cell.
struct PatchingMove {
  int part = kIntoCorrupted;
  PatchMove cells;
  bool operator==(const PatchingMove&) const = default;
};
struct PatchedAnswer {
  PatchingMove move;
  PatchAnswer answer;
  std::string best;  // text of answer.best
};

// Sentences about numbers that must be equal, with their residues.
QStringList patching_checks(const PatchingData& data);

}  // namespace attn::gui
