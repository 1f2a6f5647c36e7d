// SPDX-License-Identifier: GPL-3.0-or-later
// ClassDialog: the table of a class from the results of its learners: for each task how many
// answers were right, and the most frequent wrong ones. Files of further learners can be dropped on
// it. GUI thread.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QTableWidget>
#include <filesystem>
#include <vector>

#include "engine/lesson/results/result.h"

namespace attn::gui {

class ClassDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ClassDialog(QWidget* parent);

  // Adds files of results, and folders that hold some. Returns what is wrong, a sentence; empty:
  // the table is shown.
  QString add(const QStringList& files);
  // Whether all of these are files of results, or folders that hold such, by their names.
  static bool are_results(const QStringList& files);
  // Writes the table. Returns what went wrong; empty: nothing.
  QString write_csv(const QString& file) const;
  const lesson::ClassTable& table() const { return table_; }
  QTableWidget* tasks() const { return tasks_; }
  QString notes() const { return notes_->text(); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void show_table();
  void ask_csv();
  std::vector<std::filesystem::path> files_;
  lesson::ClassTable table_;
  QLabel *summary_, *notes_;
  QTableWidget* tasks_;
};

}  // namespace attn::gui
