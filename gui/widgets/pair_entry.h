// SPDX-License-Identifier: GPL-3.0-or-later
// PairEntry: what the program knows about a view that compares two runs. Such a view is a tab of
// the column beside the run of the window, and not an entry of view_registry(), because it needs a
// second run. Any thread; PairEntry::make: GUI thread.
#pragma once

#include <QString>
#include <string>

#include "gui/widgets/view.h"

namespace attn::gui {

struct PairEntry {
  std::string name = {};                           // objectName of the view
  QString title = {};                              // of its tab
  QString look_at = {};                            // what to look at: one or two sentences
  QString document = QStringLiteral("window.md");  // the file in docs/ that describes the view
  // here: the run of the window. beside: the second run; its bridge is null if there is none.
  // run: words for the second run, such as "the run before" or a file.
  View* (*make)(const ViewContext& here, const ViewContext& beside, const QString& run,
                QWidget* parent) = nullptr;
};

}  // namespace attn::gui
