// SPDX-License-Identifier: GPL-3.0-or-later
// ViewChoices: what the command line says of what views show. Its words are checked before.
#pragma once

#include <string>
#include <vector>

#include "gui/widgets/figure/figure_look.h"

namespace attn::gui {

struct ViewChoices {
  bool for_files = false;             // pictures and tables of `run`: the same bytes from every run
  std::vector<std::string> backends;  // to compare; empty: those that the view takes by itself
  std::vector<int> heads;             // whose lines are drawn; empty: that of the scenario
  std::string rank;                   // heads by this score, of kRankWords; empty: by layer
  std::string filter;                 // of the events; empty: all of them
  std::string combine;                // of combination_from_word(); empty: one head
  std::string keep;                   // of keep_from_word(); empty: all cells
  std::string colormap;               // of kColorMaps; empty: that of the scenario
  FigureLook figure;
};

}  // namespace attn::gui
