// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/view_registry.h"

#include <algorithm>

#include "gui/app/language.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/circuits/circuits_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/explore/attribution/attribution_view.h"
#include "gui/views/explore/knock_out/knock_out_view.h"
#include "gui/views/explore/lens/lens_view.h"
#include "gui/views/explore/next_token/next_token_view.h"
#include "gui/views/explore/patching/patching_view.h"
#include "gui/views/explore/rollout/rollout_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "gui/views/points/points_view.h"
#include "gui/views/rotary/rotary_view.h"
#include "gui/views/step/step_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/words/words_view.h"

namespace attn::gui {

namespace {

std::vector<ViewEntry> make_registry() {
  return {
      heatmap_entry(), head_lines_entry(), head_grid_entry(),   tiles_entry(),
      compare_entry(), blocks_entry(),     timeline_entry(),    metrics_entry(),
      events_entry(),  words_entry(),      step_entry(),        next_token_entry(),
      lens_entry(),    knock_out_entry(),  attribution_entry(), points_entry(),
      rotary_entry(),  circuits_entry(),   rollout_entry(),     patching_entry(),
  };
}

}  // namespace

// The first call can come before the language is known, so each language has its own list.
const std::vector<ViewEntry>& view_registry() {
  static const std::vector<ViewEntry> english = make_registry();
  if (program_language() == QLatin1String("en")) return english;
  static const std::vector<ViewEntry> translated = make_registry();
  return translated;
}

const ViewEntry* find_view(std::string_view name) {
  const auto at = std::ranges::find(view_registry(), name, &ViewEntry::name);
  return at == view_registry().end() ? nullptr : &*at;
}

std::vector<std::string> tab_names() {
  std::vector<std::string> names;
  for (const ViewEntry& entry : view_registry())
    if (entry.place == ViewPlace::kTab) names.push_back(entry.name);
  return names;
}

std::vector<std::string> run_view_names() {
  std::vector<const ViewEntry*> entries;
  for (const ViewEntry& entry : view_registry()) entries.push_back(&entry);
  std::ranges::stable_sort(entries, {}, &ViewEntry::run_order);
  std::stable_partition(entries.begin(), entries.end(),
                        [](const ViewEntry* entry) { return entry->in_every_run; });
  std::vector<std::string> names;
  for (const ViewEntry* entry : entries) names.push_back(entry->name);
  return names;
}

size_t count_in_every_run() {
  return static_cast<size_t>(std::ranges::count_if(view_registry(), &ViewEntry::in_every_run));
}

}  // namespace attn::gui
