// SPDX-License-Identifier: GPL-3.0-or-later
// WindowLayouts: where the panels lie: built-in layouts and those of the user. When the size of the
// window changes, the panels are sized anew. In a built-in layout whose panels the user has not
// moved, they also fold if there is no room: some become tabs or are hidden. GUI thread.
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

// Words of --layout. explore: all panels; teach: large text and few panels; systems: large blocks
// and timeline.
inline constexpr std::array<std::string_view, 3> kLayoutWords{"explore", "teach", "systems"};

class WindowLayouts : public QObject {
  Q_OBJECT
 public:
  // Raise this number when panels or their names change. States with another number are not
  // restored.
  static constexpr int kVersion = 1;
  static constexpr qsizetype kLongestName = 40;  // characters
  static constexpr int kMostLayouts = 100;       // of the user

  // keep: true: the user's layouts are kept in the settings.
  WindowLayouts(QMainWindow& window, const Panels& panels, bool keep);
  ~WindowLayouts() override;

  // A word of kLayoutWords or the name of one of the user's layouts.
  const QString& current() const { return current_; }
  // False: there is no such layout, or its state cannot be restored.
  bool apply(const QString& name);
  void reset() { apply(current_); }

  QStringList user_names() const;
  // Saves state() under this name; replaces a layout of the same name. Returns why it could not;
  // empty: saved and current.
  QString save_as(const QString& name);
  void remove(const QString& name);

  void set_wide(bool wide);
  bool is_wide() const { return !narrow_state_.isEmpty(); }

  // Folds or unfolds the panels of a built-in layout for the present size of the window, unless the
  // user has moved them or the window is wide.
  void fold();

  // The state of the panels as it is without set_wide(), and their shares.
  QByteArray state() const;
  // False: there is no layout of this name, or the state cannot be restored.
  bool restore(const QString& name, const QByteArray& state);

  // Whether inspector and workload are tabs of the same place and Attention is not one of its tabs.
  bool inspector_is_tab() const;

 signals:
  void changed();  // current(), user_names()
  void sized();    // the panels got their sizes, while the window was not wide

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
  Fold fold_ = Fold::kNone;
  bool low_ = false;      // true: in explore, blocks and timeline are tabs of one place
  bool resized_ = false;  // true: the user has changed sizes, or moved_; shares_ are applied
  bool moved_ = false;  // true: the user moved a panel or saved the layout; panels do not fold, and
                        // resized_ is true, too
  bool arranging_ = false;
  bool record_ = false;  // true: settle() records shares_
  QTimer later_;         // calls settle()
  std::array<QSize, 5> dragged_from_{};
  bool dragging_ = false;
};

}  // namespace attn::gui
