// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the menu Help and the pages that it opens. GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QPointer>
#include <vector>

#include "gui/app/commands/actions.h"
#include "gui/app/help/help_page.h"
#include "gui/models/run_control.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class Help : public QObject {
  Q_OBJECT
 public:
  // views: one for each entry of view_registry().
  Help(QMenu& menu, const Actions& actions, RunControl& control, const std::vector<View*>& views,
       QWidget& window);

  void show_window();
  void show_view(const View& view, const QString& here = {});
  // Explains what lies at a place of the screen: the control there, else the view there, else the
  // window.
  void show_place(const QPoint& global);
  void show_scenarios();
  void show_document(const QString& file);
  void show_program();
  HelpPage* page() const { return page_; }  // null: none is open

 private:
  void build(QMenu& menu, const Actions& actions);
  void show_html(const QString& title, const QString& html);
  void follow(const QString& link);
  HelpPage& open_page();

  RunControl& control_;
  const std::vector<View*>& views_;
  QWidget& window_;
  QPointer<HelpPage> page_;
};

}  // namespace attn::gui
