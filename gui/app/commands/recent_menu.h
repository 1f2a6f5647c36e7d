// SPDX-License-Identifier: GPL-3.0-or-later
// RecentMenu: "Open recent": the files that were opened or saved last, scenarios, tensors and
// sessions, the newest first; before them unsaved work of earlier runs of the program (Recovery).
// GUI thread.
#pragma once

#include <QMenu>
#include <QPointer>
#include <QStringList>

#include "gui/models/run_control.h"

namespace attn::gui {

class RecentMenu : public QMenu {
  Q_OBJECT
 public:
  static constexpr qsizetype kMost = 10;

  // keeps: true if the list is read from the settings and written to them; otherwise it ends with
  // the window.
  RecentMenu(RunControl& control, bool keeps, QWidget* parent = nullptr);

  QStringList files() const;  // absolute paths
  void add(const QString& file);
  void clear_files();
  // Entries before the files; who made them deletes them.
  void set_unsaved(const QList<QPointer<QAction>>& unsaved);
  // Makes the entries anew; also done each time the menu opens. A file that no longer exists is
  // listed but cannot be chosen.
  void refresh();

 private:
  void open(const QString& file);
  void write(const QStringList& files);

  RunControl& control_;
  const bool keeps_;
  QStringList files_;  // the list, if the settings do not keep it
  QList<QPointer<QAction>> unsaved_;
};

}  // namespace attn::gui
