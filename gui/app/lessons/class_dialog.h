// SPDX-License-Identifier: GPL-3.0-or-later
// ClassDialog: a dialog with the results of a class: a table with the number of right answers and
// the most frequent wrong answers to each task. A thread reads the files. GUI thread.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QTableWidget>
#include <QThreadPool>
#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/lesson/results/result.h"
#include "engine/lesson/results/shipped_words.h"

namespace attn::gui {

class ClassDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ClassDialog(QWidget* parent);
  ~ClassDialog() override;

  // Adds files of results, or folders with such files. added() is emitted when they are read.
  void add(const QStringList& files);
  bool is_reading() const { return reading_ || !waiting_.empty(); }
  bool is_empty() const { return files_.empty(); }  // no results have been read
  // Returns what went wrong; empty: the file is written.
  QString write_csv(const QString& file) const;
  const lesson::ClassTable& table() const { return table_; }
  QTableWidget* tasks() const { return tasks_; }
  QString notes() const { return notes_->text(); }

 signals:
  // The files of add() are read. trouble: why they were not added; empty: they are in the table.
  void added(const QStringList& files, const QString& trouble);
  void given_up();  // the dialog is destroyed before all files are read

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  struct Reading;
  void read_next();
  void finish();
  void take(const QStringList& files, bool dropped_here);
  QString right_words(const lesson::ClassTable::Task& row);
  void show_table();
  void ask_csv();
  std::vector<std::filesystem::path> files_;
  lesson::ClassTable table_;
  lesson::ShippedLessons shipped_;
  QLabel *summary_, *notes_;
  QTableWidget* tasks_;
  std::vector<std::shared_ptr<Reading>> waiting_;
  std::shared_ptr<Reading> reading_;  // null: nothing is read
  QThreadPool thread_;                // last member: its destructor waits for the work
};

}  // namespace attn::gui
