// SPDX-License-Identifier: GPL-3.0-or-later
// ViewEntry: what the program knows about a view before one is made. view_registry()
// (gui/app/view_registry.h) lists the entries. Any thread.
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
  kTab,    // tab of the attention panel
  kBelow,  // the panel below the attention: one view
  kBottom  // the panel at the window's bottom: one view
};

// Work that a view does on request (View::toggle_job()).
struct ViewJob {
  QString text;  // name of the command
  QKeySequence keys;
  QString meaning;
};

struct ViewEntry {
  std::string name;      // for --views and --show
  QString title;         // of tab or panel
  QKeySequence keys;     // empty for a panel
  QString meaning = {};  // of keys; empty for panels
  // What to look at: a sentence beside the title.
  QString look_at = {};
  // A file in docs/.
  const char* document = "window.md";
  // False: the view does not follow selection and time cursor.
  bool follows_selection = true;
  ViewPlace place = ViewPlace::kTab;
  bool in_every_run = false;  // drawn by `run` without --views
  // The order of the views for --views, where those with in_every_run come first. Equal numbers
  // keep the order of the registry.
  int run_order = std::numeric_limits<int>::max();
  std::optional<ViewJob> job = {};
  View* (*make)(const ViewContext& context, QWidget* parent) = nullptr;
};

// For ViewEntry::make.
template <class ViewType>
View* make_view(const ViewContext& context, QWidget* parent) {
  return new ViewType(context, parent);
}

}  // namespace attn::gui
