// SPDX-License-Identifier: GPL-3.0-or-later
// ViewEntry: what the program knows about a view before one is made. Every view's folder defines
// its entry, and view_registry() (gui/app/view_registry.h) lists them: the window, the command
// line, `run`, the benchmarks and the tests take the views from there. Any thread.
#pragma once

#include <QKeySequence>
#include <QString>
#include <limits>
#include <optional>
#include <string>

#include "gui/widgets/view.h"

namespace attn::gui {

// Where a view stands in the window.
enum class ViewPlace {
  kTab,    // a tab of the attention panel
  kBelow,  // a panel below the attention; one view has this place
  kBottom  // a panel over the full width of the window, at its bottom; one view has this place
};

// Work that a view does on request, besides showing the run (View::toggle_job()).
struct ViewJob {
  QString text;  // name of the command
  QKeySequence keys;
  QString meaning;
};

struct ViewEntry {
  std::string name;      // word of --views and of --show (tabs), object name of a panel
  QString title;         // title of its tab or panel
  QKeySequence keys;     // keys that show the tab; empty for a panel, whose command has none
  QString meaning = {};  // what these keys do, a sentence; empty for a panel
  // What to look at, a sentence that is true for every run; shown beside the title.
  QString look_at = {};
  // The document that describes the view, a file in docs/.
  const char* document = "window.md";
  // False: the view does not follow selection and time cursor, so nothing is opened in it.
  bool follows_selection = true;
  ViewPlace place = ViewPlace::kTab;
  bool in_every_run = false;  // true: `run` draws it if --views is not given
  // The views are listed for --views in the order of this number, those with in_every_run first.
  // Views with the same number keep the order of the registry.
  int run_order = std::numeric_limits<int>::max();
  std::optional<ViewJob> job = {};
  View* (*make)(const ViewContext& context, QWidget* parent) = nullptr;
};

// A function for ViewEntry::make.
template <class ViewType>
View* make_view(const ViewContext& context, QWidget* parent) {
  return new ViewType(context, parent);
}

}  // namespace attn::gui
