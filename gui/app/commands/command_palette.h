// SPDX-License-Identifier: GPL-3.0-or-later
// CommandPalette: a list over the window: the places that were typed, such as "step 17", and the
// commands that match the typed letters. Esc or a click beside the list closes it. GUI thread.
#pragma once

#include <QAbstractListModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <vector>

namespace attn::gui {

struct Command {
  QString name;     // with its group: "Export › Heatmap › PNG…"
  QString keys;     // "Ctrl+K", or empty
  QString meaning;  // what it does, or empty
  QString refusal;  // why it cannot be run now; empty: it can
  QString words;    // further words by which it is found, or empty
  // The command is in a list of things to open or show, such as scenarios, or in the menu Lessons.
  bool is_content = false;
  // The command switches a thing that is on, or chooses what is chosen. The row has a check mark.
  bool is_on = false;
  std::function<void()> run;
};

struct PaletteContent {
  std::vector<Command> commands;
  std::function<std::vector<Command>()> read;  // makes `commands` anew; may be empty
  // The commands that go to the place that was typed, such as "step 17"; may be empty.
  std::function<std::vector<Command>(const QString& typed)> places;
  QStringList recent;  // names of the commands used last, the newest first
};

// A row of the list.
struct FoundCommand {
  Command command;
  std::vector<int> marked;  // positions of the matched characters in the name
};
// The rows for the typed text: first places, then the commands that match, the best ones first.
std::vector<FoundCommand> find_commands(const PaletteContent& content, const QString& typed);

class CommandList : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kMarked = Qt::UserRole, kKeys, kRefusal, kIsOn };
  using QAbstractListModel::QAbstractListModel;
  void show(std::vector<FoundCommand> found);
  // Whether rows with `found` would look the same.
  bool looks_like(const std::vector<FoundCommand>& found) const;
  const Command& at(int row) const { return found_[static_cast<size_t>(row)].command; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<FoundCommand> found_;
};

class CommandPalette : public QWidget {
  Q_OBJECT
 public:
  CommandPalette(PaletteContent content, QWidget* window);

  QLineEdit* line() const { return line_; }
  QListView* list() const { return list_; }
  const CommandList& found() const { return found_; }
  // Reads the commands and places again after a moment, because a run that goes on changes what can
  // be done. The typed text and the chosen command stay.
  void refresh_soon();

 signals:
  // Emitted when the palette has closed and before the command runs.
  void chosen(const QString& name);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool take_key(const QKeyEvent& event);
  void find(const QString& typed);
  void refresh();
  void move_to(int row);
  void tell_current();
  void run_current();
  void lay_out();

  PaletteContent content_;
  CommandList found_;
  QWidget* panel_;
  QLineEdit* line_;
  QListView* list_;
  QLabel* about_;             // meaning or refusal of the current command, or that none matches
  QPointer<QWidget> before_;  // the widget that had the focus before
  QTimer later_;
};

}  // namespace attn::gui
