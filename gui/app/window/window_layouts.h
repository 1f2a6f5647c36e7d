// SPDX-License-Identifier: GPL-3.0-or-later
// WindowLayouts: where the panels lie. Three layouts are built in; those that the user saves are
// kept in the settings. A change of layout leaves the keyboard focus where it is; if its panel is
// hidden now, Attention gets it. Selection and run stay as they are.
//
// A layout is proportions: whenever the window, its bars or the size of text change, the panels get
// their shares again: those of the layout, or those that the user gave them by dragging a separator
// or a panel. In a built-in layout panels fold (become tabs, or are hidden) where there is no room
// for all of them, and unfold where there is. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <array>
#include <string_view>
#include <vector>

#include "gui/app/window/panel_shares.h"

namespace attn::gui {

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
  // False: there is none of that name, or the user's layout cannot be restored.
  bool apply(const QString& name);
  void reset() { apply(current_); }

  QStringList user_names() const;
  // Saves the panels as they are now, in place of a layout of the same name. Returns why it could
  // not; empty: the layout is saved and is the current one.
  QString save_as(const QString& name);
  void remove(const QString& name);

  // True: shows the attention views alone. False: shows the panels again as they were.
  void set_wide(bool wide);
  bool is_wide() const { return !narrow_state_.isEmpty(); }

  // Folds panels of a built-in layout (hides them, or makes them tabs of one place) or unfolds
  // them, for the size that the window has now. By itself this happens a moment after each change
  // of the size.
  void fold();

  // For the settings of the window: the panels as they are, without set_wide(), and their shares.
  QByteArray state() const;
  // False: there is no layout of this name, or the state cannot be restored.
  bool restore(const QString& name, const QByteArray& state);

  // True while the inspector and the workload are tabs of one place, without Attention.
  bool inspector_is_tab() const;

 signals:
  void changed();  // current(), user_names()

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct UserLayout {
    QString name;
    QByteArray state;
    bool projector = false;
  };

  void arrange();
  void place_panels();
  void arrange_flat();
  void arrange_explore();
  void arrange_teach();
  void arrange_systems();
  void size_panels();
  void size_explore();
  void size_teach();
  void size_systems();
  enum class Fold : quint8 { kNone, kTight, kNarrow, kFlat };
  Fold wanted_fold() const;
  bool is_low() const;
  int side_width() const;
  int below_height() const;
  void settle();
  void moved_by_hand();
  void drag_ended();
  const UserLayout* find(const QString& name) const;
  void read();
  void write() const;

  QMainWindow& window_;
  Panels panels_;
  PanelShares shares_;
  bool keep_;
  QString current_;
  std::vector<UserLayout> user_;  // sorted by name
  QByteArray narrow_state_;       // state of the docks before set_wide(true); empty: not wide
  // How far the panels are folded, because the window is small. kTight: in explore the inspector
  // is a tab of the workload, in teach inspector and blocks are hidden, in systems workload and
  // inspector are tabs of the attention. kNarrow: in explore workload and inspector are tabs of the
  // attention, in systems the blocks too. kFlat: all panels are tabs of one place.
  Fold fold_ = Fold::kNone;
  bool low_ = false;      // true: in explore the blocks are a tab of the timeline
  bool resized_ = false;  // true: the user dragged a separator; the panels keep shares_
  bool moved_ = false;  // true: the user moved a panel, or the layout is one of the user's; panels
                        // do not fold, and resized_ is true as well
  bool arranging_ = false;
  bool record_ = false;                  // true: shares_ are to be recorded when all is laid out
  QTimer later_;                         // calls settle()
  std::array<QSize, 5> dragged_from_{};  // the sizes when the drag of a separator began
  bool dragging_ = false;
};

}  // namespace attn::gui
