// SPDX-License-Identifier: GPL-3.0-or-later
// WindowHistory: what the window showed before, for Back and Forward: tab, places in the views,
// selection, shown request, layer and head, and step. GUI thread.
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
  void begin();
  // Call before a key, wheel or mouse button event of the user is handled. Once it is handled,
  // looks at what has changed.
  void hand_moves();

  // Changes of the same kind with less time between them are one entry, except changes of the tab.
  static constexpr qint64 kOneMovement_ms = 800;

 signals:
  void changed();  // can_go_back(), can_go_forward()

 private:
  struct Place {
    QWidget* tab = nullptr;
    SelectionState selected;
    int64_t request = -1, layer = 0, head = 0;
    std::optional<uint32_t> step;  // nullopt: live
    std::vector<std::vector<double>> views;
    bool operator==(const Place&) const = default;
  };
  // The kinds of difference between a and b, as bits.
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
