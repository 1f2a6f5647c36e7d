// SPDX-License-Identifier: GPL-3.0-or-later
// ViewChoices: what the command line, or the dialog for a figure, asks the views to show. Its words
// have been checked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/widgets/figure/figure_look.h"

namespace attn::gui {

// What the compare view compares: words of --compare and of session files.
inline constexpr std::array<const char*, 2> kCompareWords{"backends", "cache"};

struct ViewChoices {
  bool for_files = false;  // true in `run`, whose files must have the same bytes every time
  std::vector<std::string> backends;  // compared; empty: those that the view chooses
  std::string compare;                // of kCompareWords; empty: as the view is set
  std::vector<int> heads;             // heads whose lines are drawn; empty: that of the scenario
  std::string rank;              // word of kRankWords: arrangement of the heads; empty: by layer
  std::string texts;             // over which the heads have their scores; empty: the request
  std::string filter;            // which events are shown, as typed in Events; empty: all of them
  std::string combine;           // word of combination_from_word(); empty: one head
  std::string keep;              // word of keep_from_word(); empty: all cells
  std::string quantity;          // word of quantity_from_word(); empty: weights
  std::string clean, corrupted;  // the two prompts of Patching; empty: those that the view has
  // First and last position that the logit lens shows; nullopt: the last ones.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // two tokens that attribution compares; empty: likeliest
  std::optional<int64_t> position;  // after which it compares them; nullopt: after the newest
  std::string colormap;             // of kColorMaps; empty: that of the scenario
  FigureLook figure;
};

}  // namespace attn::gui
