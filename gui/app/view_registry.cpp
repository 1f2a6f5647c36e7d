// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/view_registry.h"

#include <algorithm>

#include "gui/app/language.h"

namespace attn::gui {

#define VIEW(name) ViewEntry name##_entry();
#include "gui/app/view_list.inc"
#undef VIEW

namespace {

std::vector<ViewEntry> make_registry() {
  return {
#define VIEW(name) name##_entry(),
#include "gui/app/view_list.inc"
#undef VIEW
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
