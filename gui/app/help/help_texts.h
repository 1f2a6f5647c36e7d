// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the help, and the documents that come with the program. Links: "view:NAME",
// "scenario:NAME", "doc:FILE". GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "gui/app/help/control_words.h"
#include "gui/widgets/view.h"

namespace attn::gui {

QString help_of_window();
// here: a text about the place that the user asked about; may be empty.
QString help_of_view(const View& view, const QString& here);
// view: the view that the control belongs to; null: none.
QString help_of_control(const ControlWords& control, const View* view);
QString help_of_scenarios(const QString& title, const QString& description);
QString help_of_program();

struct HelpDocument {
  QString file, title;  // "heatmap.md", "Heatmap"
};
std::vector<HelpDocument> help_documents();
// The document as Markdown. Below each picture it has the picture's words; pictures that are not
// installed are left out. Empty: the document is not listed or not found.
QString text_of_document(const QString& file);
// The file of a picture "images/NAME" of the documents; empty: there is none.
QString path_of_picture(const QString& name);

}  // namespace attn::gui
