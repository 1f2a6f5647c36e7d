// SPDX-License-Identifier: GPL-3.0-or-later
// WindowHistory: where the window has been, for back and forward across its views: the attention
// tab, which part of its content each view shows, what is selected and shown, the time cursor. A
// chain of movements of the same kind (notches of a wheel, held arrow keys) is one entry. A new run
// begins a new history. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTabWidget>
#include <QTimer>
#include <optional>
#include <vector>

#include "gui/widgets/view.h"
#include "gui/widgets/view_history.h"

namespace attn::gui {

class WindowHistory : public QObject {
  Q_OBJECT
 public:
  WindowHistory(EngineBridge& bridge, Selection& selection, TimeCursor& cursor, QTabWidget& tabs,
                std::vector<View*> views);

  bool can_go_back() const { return history_.can_go_back(); }
  bool can_go_forward() const { return history_.can_go_forward(); }
  void back();
  void forward();
  // Forgets where the window has been.
  void begin();
  // To be called before each input of the user (key, wheel, mouse button) is handled. What the
  // input changed is looked at afterwards.
  void hand_moves();

  // Movements of the same kind with less time between them are one entry. Each change of the tab is
  // an entry of its own.
  static constexpr qint64 kOneMovement_ms = 800;

 signals:
  void changed();  // can_go_back(), can_go_forward()

 private:
  struct Place {
    QWidget* tab = nullptr;
    SelectionState selected;
    int64_t request = -1, layer = 0, head = 0;
    std::optional<uint32_t> step;  // past step that is shown; none: live
    std::vector<std::vector<double>> views;
    bool operator==(const Place&) const = default;
  };
  // What differs, as bits. Movements with the same bits are of the same kind.
  static unsigned difference(const Place& a, const Place& b);

  Place look() const;
  void look_later();
  void take();
  void go(const std::optional<Place>& place);

  EngineBridge& bridge_;
  Selection& selection_;
  TimeCursor& cursor_;
  QTabWidget& tabs_;
  std::vector<View*> views_;
  ViewHistory<Place> history_;
  Place here_;
  unsigned last_kind_ = 0;
  QElapsedTimer since_last_;
  QTimer later_;  // calls take() after the event that changed something
};

}  // namespace attn::gui
