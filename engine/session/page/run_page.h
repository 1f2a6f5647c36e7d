// SPDX-License-Identifier: GPL-3.0-or-later
// RunPage: a run as one HTML file with a script that shows heatmap, lines, blocks and timeline. It
// needs no network. Also the parts of it that pages of lessons use. Any thread that owns the
// snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"

namespace attn {

struct RunPage {
  // Without a history the page has the last step only.
  const EngineSnapshot* snapshot = nullptr;
  const std::vector<TraceEvent>* events = nullptr;  // in order of begin; null: no timeline
  // What is shown first.
  std::string view = "heatmap";  // one of page_views()
  int64_t request = -1;          // id; -1: the first
  int64_t layer = 0, head = 0;
  int64_t step = 0;  // 0: the last
};
// "heatmap", "lines", "blocks", "timeline".
const std::vector<std::string>& page_views();

inline constexpr int64_t kMostPageCells = 3'000'000;  // weights
inline constexpr int64_t kMostPageSteps = 1000;
inline constexpr int64_t kMostPageEvents = 20'000;

// Throws Error(kBadInput) if no step was computed, or if the weights of the shown head, over all
// requests, are more than kMostPageCells.
std::string run_page_html(const RunPage& page);

// Sentences under a run that is not shown in full. {} stands for a number.
namespace page_notes {
inline constexpr std::string_view kOneLayer =
    "Weights of all layers are too many for a page: it has those of layer {}.";
inline constexpr std::string_view kOneHead =
    "Weights of all heads are too many for a page: it has those of layer {}, head {}.";
inline constexpr std::string_view kLastSteps = "The page has the last {} steps of the run.";
inline constexpr std::string_view kNoTiles =
    "The run has too many tiles for a page: its timeline has steps and kernels.";
inline constexpr std::string_view kFirstSpans = "The timeline of the page ends after {} spans.";
}  // namespace page_notes

// --- for pages that hold more than a run (engine/lesson/results/lesson_page.h) ---
// The data of a run as a JSON object, made safe by script_json().
std::string run_page_data(const RunPage& page);
std::string html_escaped(std::string_view text);
std::string script_json(const std::string& json);
std::string_view page_style();
// Defines showRun(root, data, takesKeys, words), which builds the views of a run in the element
// `root` and returns a function that shows a place of the run. takesKeys: whether the views get
// the keys that are pressed anywhere in the page. words: translations of its English texts; without
// them it is English.
std::string_view page_script();

}  // namespace attn
