// SPDX-License-Identifier: GPL-3.0-or-later
// WindowLayouts: where the panels lie. Three layouts are built in; those that the user saves are
// kept in the settings. A change of layout leaves the keyboard focus where it is; if its panel is
// hidden now, Attention gets it. Selection and run stay as they are. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QObject>
#include <QStringList>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::gui {

struct Panels {
  QDockWidget *attention, *workload, *inspector, *blocks, *timeline;
  std::array<QDockWidget*, 5> all() const {
    return {attention, workload, inspector, blocks, timeline};
  }
};

// Words of --layout. explore: everything; teach: large type and few panels, for a projector;
// systems: blocks and timeline are large.
inline constexpr std::array<std::string_view, 3> kLayoutWords{"explore", "teach", "systems"};

class WindowLayouts : public QObject {
  Q_OBJECT
 public:
  // Raised when panels or their names change: an older state is then not restored.
  static constexpr int kVersion = 1;
  static constexpr qsizetype kLongestName = 40;  // characters
  static constexpr int kMostLayouts = 100;       // of the user

  // keep: true if the user's layouts are read now and written whenever they change.
  WindowLayouts(QMainWindow& window, const Panels& panels, bool keep);
  ~WindowLayouts() override;

  // A word of kLayoutWords or the name of one of the user's layouts.
  const QString& current() const { return current_; }
  bool apply(const QString& name);  // false: there is none of that name
  void reset() { apply(current_); }

  QStringList user_names() const;
  // Saves the panels as they are now, in place of a layout of the same name. Returns what is wrong
  // with the name; empty: the layout is saved and is the current one.
  QString save_as(const QString& name);
  void remove(const QString& name);

  // True: shows the attention views alone. False: shows the panels again as they were.
  void set_wide(bool wide);
  bool is_wide() const { return !narrow_state_.isEmpty(); }

  // For the settings of the window: the panels as they are, without set_wide().
  QByteArray state() const;
  // False: there is no layout of this name, or the state cannot be restored.
  bool restore(const QString& name, const QByteArray& state);

  // True while the inspector and the workload are tabs of one place, without Attention.
  bool inspector_is_tab() const;

 signals:
  void changed();  // current(), user_names()

 private:
  struct UserLayout {
    QString name;
    QByteArray state;
    bool projector = false;
  };

  void arrange(std::string_view word);
  void arrange_explore();
  void arrange_teach();
  void arrange_systems();
  void size_panels(std::string_view word);
  void size_explore();
  void size_teach();
  void size_systems();
  bool is_tight() const;
  bool is_low() const;
  void place_inspector();
  void place_blocks();
  void fit();
  int side_width() const;
  int body_height() const;
  const UserLayout* find(const QString& name) const;
  void read();
  void write() const;

  QMainWindow& window_;
  Panels panels_;
  bool keep_;
  QString current_;
  std::vector<UserLayout> user_;  // sorted by name
  QByteArray narrow_state_;       // state of the docks before set_wide(true); empty: not wide
  bool tight_ = false;            // true: in explore the inspector is a tab of the workload; in
                                  // systems both are tabs of the attention
  bool low_ = false;              // true: the blocks are a tab of the timeline
  bool arranging_ = false;
  uint64_t arrangement_ = 0;  // number of the arrangement, grows with each new one
};

}  // namespace attn::gui
