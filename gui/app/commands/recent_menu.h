// SPDX-License-Identifier: GPL-3.0-or-later
// RecentMenu: the menu "Open recent". It has the unsaved work of earlier runs of the program
// (Recovery), then the files that were opened or saved last, the newest first. GUI thread.
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

  // keeps: true: the list is kept in the settings; false: in this object.
  RecentMenu(RunControl& control, bool keeps, QWidget* parent = nullptr);

  QStringList files() const;  // absolute paths
  void add(const QString& file);
  void clear_files();
  // Sets the entries that come before the files. The caller owns the actions.
  void set_unsaved(const QList<QPointer<QAction>>& unsaved);
  // Makes the entries anew. A file that no longer exists is listed but disabled.
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
