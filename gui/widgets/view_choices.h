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
  // If a field is empty or nullopt, the view keeps its own choice, unless a comment says otherwise.
  bool for_files = false;             // true: files are to be reproducible, for the command `run`
  std::vector<std::string> backends;  // the backends that Compare compares
  std::string compare;                // one of kCompareWords
  std::string metrics;                // one of kMetricsWords
  std::vector<int> heads;             // the heads whose lines are drawn
  std::string rank;                   // one of kRankWords
  std::string texts;                  // kShippedTexts or a file: texts to score heads
  std::string filter;                 // the filter of Events; empty: all events
  std::string combine;                // a word of combination_from_word()
  std::string keep;                   // a word of keep_from_word(), of Heatmap and Lines
  bool no_first_token = false;        // true: Lines leaves out the lines to the first token
  std::string quantity;               // a word of quantity_from_word()
  std::string clean, corrupted;       // the two prompts of Patching
  // The first and the last position that Logit lens shows.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // the two tokens of Attribution, read by token_pair()
  std::optional<int64_t> position;  // of Attribution; nullopt: by the selection, or the last one
  std::string colormap;             // a name of one of kColorMaps
};

}  // namespace attn::gui
