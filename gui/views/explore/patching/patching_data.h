// SPDX-License-Identifier: GPL-3.0-or-later
// PatchingData: two prompts, their answers and the grids of patched runs, and what computes them.
// compute_patching(): engine thread; the data: any thread.
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

// What is asked for, as typed.
struct PatchingWish {
  QString clean, corrupted;
  QString right, wrong;  // the pair of tokens; empty: the likeliest ones
  bool operator==(const PatchingWish&) const = default;
};

// The four grids. Those of the heads come after those of the stream.
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
  std::vector<std::string> clean_texts, corrupted_texts;  // of the tokens, UTF-8
  std::string right, wrong, best_clean, best_corrupted;   // texts of tokens of `ends`
  PatchEnds ends;
  int64_t layers = 0, heads = 0;
  std::array<std::optional<PatchGrid>, kPatchingParts> grids;  // those that are computed
  double seconds = 0;                                          // that the grids took
  QString trouble;  // why there are no grids, a sentence; empty: nothing is wrong

  int64_t tokens() const { return std::max(std::ssize(clean), std::ssize(corrupted)); }
  bool differs(int64_t position) const;
  bool is_complete() const;
  int64_t runs() const { return 2 * layers * (tokens() + heads); }
};

// The plan of a grid.
PatchPlan patching_plan(const PatchingData& data, int part);

// publish: called with what there is, after the tokens and after each grid. progress: share of all
// cells, in [0, 1]. False: cancelled. What is wrong with the prompts is told by the data; throws as
// Engine.
using PublishPatching = std::function<void(std::shared_ptr<const PatchingData>)>;
bool compute_patching(const PatchingWish& wish, const Scenario& settings,
                      const std::shared_ptr<Source>& source, const PublishPatching& publish,
                      const std::function<void(double)>& progress, RunGate* gate);

// A patch that a person makes: its grid, and the cells.
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

// What must hold exactly, each with its residue, a line each.
QStringList patching_checks(const PatchingData& data);

}  // namespace attn::gui
