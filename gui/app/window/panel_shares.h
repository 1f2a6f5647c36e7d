// SPDX-License-Identifier: GPL-3.0-or-later
// PanelShares: the sizes of the docked panels, in pixels and as shares of the room between the bars
// of the window. GUI thread.
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
  QDockWidget *attention, *workload, *inspector, *below, *bottom;
  std::array<QDockWidget*, 5> all() const {
    return {attention, workload, inspector, below, bottom};
  }
};

class PanelShares {
 public:
  PanelShares(QMainWindow& window, const Panels& panels) : window_(window), panels_(panels) {}

  // The size of the window without the bars above and below the panels, px.
  QSize room() const;
  static bool is_docked(const QDockWidget* panel);
  // The first of `panels` that is docked; null: none is.
  static QDockWidget* docked_of(std::initializer_list<QDockWidget*> panels);
  // Gives each panel of `fixed` its size and `rest` what is left of `length`, in px along `along`.
  // Panels that are not docked are skipped.
  void give(Qt::Orientation along, int length, QDockWidget* rest,
            const std::vector<std::pair<QDockWidget*, int>>& fixed);

  // The sizes of the docked panels that are visible; empty sizes for the others.
  std::array<QSize, 5> sizes() const;
  void record();
  void apply();

  // For each of Panels::all() its width and height as parts of room(), 0 to 1; empty: no share.
  using Shares = std::array<QSizeF, 5>;
  const Shares& shares() const { return shares_; }
  void set(const Shares& shares) { shares_ = shares; }

 private:
  QMainWindow& window_;
  Panels panels_;
  Shares shares_;
};

}  // namespace attn::gui
