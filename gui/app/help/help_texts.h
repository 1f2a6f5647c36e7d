// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the help as rich text: the window, a view, the scenarios, the program; and the
// documents that come with the program. Links: "view:NAME", "scenario:NAME", "doc:FILE". GUI
// thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/widgets/view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

QString help_of_window();
// here: what is at the place that the user asked about; may be empty.
QString help_of_view(const ViewEntry& entry, const View& view, const QString& here);
QString help_of_scenarios(const QString& title, const QString& description);
QString help_of_program();

struct HelpDocument {
  QString file, title;  // "heatmap.md", "Heatmap"
};
// The documents for users that are installed with the program, or stand in its source tree.
std::vector<HelpDocument> help_documents();
// The document as Markdown without its pictures; empty: it is not there.
QString text_of_document(const QString& file);

}  // namespace attn::gui
