// SPDX-License-Identifier: GPL-3.0-or-later
// RunPage: a run as one HTML file that a browser shows without a network or the program: heatmap,
// lines, blocks and timeline, with the values under the pointer and the keyboard, and a slider over
// the steps. The page holds the numbers of the run (weights as f32, bit for bit) and a script that
// draws them. Any thread that owns the snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"

namespace attn {

struct RunPage {
  // The snapshot must have attention records. Without a history the page has the last step only.
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

// What a page has room for; what is left out is said on the page.
inline constexpr int64_t kMostPageCells = 3'000'000;  // weights, 5.4 bytes each in the file
inline constexpr int64_t kMostPageSteps = 1000;
inline constexpr int64_t kMostPageEvents = 20'000;

// The whole page. Throws Error(kBadInput) if the weights of the shown head alone, those of all
// requests together, are more than kMostPageCells, or if the run has no step.
std::string run_page_html(const RunPage& page);

// --- for pages that hold more than a run (engine/lesson/results/lesson_page.h) ---
// The data of a run, a JSON object that cannot end the <script> element in which it stands.
std::string run_page_data(const RunPage& page);
std::string html_escaped(std::string_view text);
// JSON that may stand in a <script> element.
std::string script_json(const std::string& json);
std::string_view page_style();
// Defines showRun(root, data, takesKeys), which builds the views of a run in the element `root` and
// returns a function that shows a place of the run. takesKeys: the views take the keys of the whole
// page; otherwise only those of their own canvas.
std::string_view page_script();

}  // namespace attn
