// SPDX-License-Identifier: GPL-3.0-or-later
// ViewChoices: what the command line, the dialog for a figure or a lesson asks the views to show.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/widgets/figure/figure_look.h"

namespace attn::gui {

// What Compare compares: words of --compare and of session files.
inline constexpr std::array<const char*, 2> kCompareWords{"backends", "cache"};

// What Metrics shows: words of --metrics.
inline constexpr std::array<const char*, 2> kMetricsWords{"run", "machine"};
// What Heads ranks by: words of --rank. They are the scores in the order of kHeadScores, then the
// plane of points.
inline constexpr std::array<std::string_view, 8> kRankWords{
    "entropy", "distance", "first", "previous", "induction", "duplicate", "spread", "points"};

struct ViewChoices {
  bool for_files = false;             // reproducible files, for `run`
  std::vector<std::string> backends;  // compared; empty: the view's
  std::string compare;                // of kCompareWords; empty: unchanged
  std::string metrics;                // of kMetricsWords; empty: unchanged
  std::vector<int> heads;             // with lines; empty: the scenario's
  std::string rank;                   // of kRankWords; empty: by layer
  std::string texts;                  // for scores; empty: the request
  std::string filter;                 // of Events; empty: all events
  std::string combine;                // combination word; empty: one head
  std::string keep;                   // keep word; empty: all cells
  std::string quantity;               // word of quantity_from_word(); empty: weights
  std::string clean, corrupted;       // Patching prompts; empty: the view's
  // First and last position of the logit lens; nullopt: the last ones.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // tokens of attribution; empty: likeliest
  std::optional<int64_t> position;  // of attribution; nullopt: the newest
  std::string colormap;             // of kColorMaps; empty: the scenario's
  FigureLook figure;
};

}  // namespace attn::gui
