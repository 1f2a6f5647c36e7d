// SPDX-License-Identifier: GPL-3.0-or-later
// PanelShares: how large the docked panels are, in pixels and as shares of the room between the
// bars of the window. Qt remembers pixels; after a change of the window's size it gives most of the
// new room to one panel. Shares are applied again instead. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QSizeF>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace attn::gui {

struct Panels {
  QDockWidget *attention, *workload, *inspector, *blocks, *timeline;
  std::array<QDockWidget*, 5> all() const {
    return {attention, workload, inspector, blocks, timeline};
  }
};

class PanelShares {
 public:
  PanelShares(QMainWindow& window, const Panels& panels) : window_(window), panels_(panels) {}

  // The room of all panels together: the window without the bars above and below them.
  QSize room() const;
  static bool is_docked(const QDockWidget* panel);
  // The first of these that is docked; null: none is.
  static QDockWidget* docked_of(std::initializer_list<QDockWidget*> panels);
  // Panels that share `length` px, side by side or one above the other: each of `fixed` gets its
  // size, `rest` gets what is left. Panels that are not docked are left out.
  void give(Qt::Orientation along, int length, QDockWidget* rest,
            const std::vector<std::pair<QDockWidget*, int>>& fixed);

  // The sizes of the panels that can be seen; empty sizes for the others.
  std::array<QSize, 5> sizes() const;
  void record();  // remembers these sizes as shares of room()
  void apply();   // gives the panels the shares that were recorded

  // One for each of Panels::all(), 0 to 1 of room(); empty: not recorded.
  using Shares = std::array<QSizeF, 5>;
  const Shares& shares() const { return shares_; }
  void set(const Shares& shares) { shares_ = shares; }

 private:
  QMainWindow& window_;
  Panels panels_;
  Shares shares_;
};

}  // namespace attn::gui
