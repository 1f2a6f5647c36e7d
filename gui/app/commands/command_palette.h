// SPDX-License-Identifier: GPL-3.0-or-later
// CommandPalette: commands of the window in one list over the window, found by typing a few letters
// of their names. Recently used commands rank higher; a command that cannot be done now is grey and
// says why. Up and down choose, Enter runs the command, Esc or a click beside the list closes; the
// mouse works too. GUI thread.
#pragma once

#include <QAbstractListModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <vector>

namespace attn::gui {

struct Command {
  QString name;     // with its menus: "Export › Heatmap › PNG…"; all differ
  QString keys;     // "Ctrl+K", or empty
  QString meaning;  // one sentence, or empty
  QString refusal;  // why it cannot be done now; empty: it can be done
  QString words;    // further words by which it is found, or empty
  // A thing that is opened or shown, such as a scenario, and no command of the program.
  bool is_content = false;
  // True while the setting that the command switches or chooses is on; shown as a check mark.
  bool is_on = false;
  std::function<void()> run;
};

struct PaletteContent {
  std::vector<Command> commands;
  // The commands that go to the place that was typed, such as "step 17"; none if it is no place.
  std::function<std::vector<Command>(const QString& typed)> places;
  QStringList recent;  // names of the commands used last, the newest first
};

// A row of the list.
struct FoundCommand {
  Command command;
  std::vector<int> marked;  // positions in the name of the characters that were typed
};
// The rows of the list for what was typed: places first, then the commands whose names, meanings or
// further words match, best match first; recently used ones rank higher. If three letters or more
// are typed, commands of the program in whose name or further words they begin a word come before
// the other commands. Pure.
std::vector<FoundCommand> find_commands(const PaletteContent& content, const QString& typed);

class CommandList : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kMarked = Qt::UserRole, kKeys, kRefusal, kIsOn };
  using QAbstractListModel::QAbstractListModel;
  void show(std::vector<FoundCommand> found);
  const Command& at(int row) const { return found_[static_cast<size_t>(row)].command; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<FoundCommand> found_;
};

class CommandPalette : public QWidget {
  Q_OBJECT
 public:
  // Covers `window`; deletes itself when closed.
  CommandPalette(PaletteContent content, QWidget* window);

  QLineEdit* line() const { return line_; }
  QListView* list() const { return list_; }
  const CommandList& found() const { return found_; }

 signals:
  // The user chose this command. Emitted before it is run, when the palette is closed and the focus
  // is back.
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
  void move_to(int row);
  void tell_current();
  void run_current();
  void lay_out();

  PaletteContent content_;
  CommandList found_;
  QWidget* panel_;
  QLineEdit* line_;
  QListView* list_;
  QLabel* about_;             // the command at hand: what it does, or why it cannot be done
  QPointer<QWidget> before_;  // the widget that had the focus
};

}  // namespace attn::gui
