// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/panel_shares.h"

#include <QStatusBar>
#include <QStyle>
#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

int length_of(const QWidget* bar) {
  if (!bar || bar->isHidden()) return 0;
  return bar->isVisible() ? bar->height() : bar->sizeHint().height();
}

}  // namespace

QSize PanelShares::room() const {
  const int bars = length_of(window_.menuWidget()) + length_of(window_.statusBar());
  return {window_.width(), std::max(1, window_.height() - bars)};
}

bool PanelShares::is_docked(const QDockWidget* panel) {
  return !panel->isHidden() && !panel->isFloating();
}

QDockWidget* PanelShares::docked_of(std::initializer_list<QDockWidget*> panels) {
  const auto found = std::ranges::find_if(panels, is_docked);
  return found == panels.end() ? nullptr : *found;
}

void PanelShares::give(Qt::Orientation along, int length, QDockWidget* rest,
                       const std::vector<std::pair<QDockWidget*, int>>& fixed) {
  const int separator =
      window_.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &window_);
  QList<QDockWidget*> panels;
  QList<int> sizes;
  int left = length;
  for (const auto& [panel, size] : fixed) {
    if (!panel || !is_docked(panel)) continue;
    panels.append(panel);
    sizes.append(std::max(1, size));
    left -= sizes.back() + separator;
  }
  if (rest && is_docked(rest)) {
    panels.append(rest);
    sizes.append(std::max(1, left));
  }
  if (!panels.isEmpty()) window_.resizeDocks(panels, sizes, along);
}

// Qt moves a panel that is behind another panel's tab outside the window.
std::array<QSize, 5> PanelShares::sizes() const {
  std::array<QSize, 5> sizes;
  const auto panels = panels_.all();
  for (size_t i = 0; i < panels.size(); ++i)
    if (is_docked(panels[i]) && window_.rect().intersects(panels[i]->geometry()))
      sizes[i] = panels[i]->size();
  return sizes;
}

void PanelShares::record() {
  const QSizeF all = room();
  const auto now = sizes();
  for (size_t i = 0; i < now.size(); ++i)
    shares_[i] = now[i].isEmpty() ? QSizeF()
                                  : QSizeF(std::min(1.0, now[i].width() / all.width()),
                                           std::min(1.0, now[i].height() / all.height()));
}

void PanelShares::apply() {
  const QSizeF all = room();
  QList<QDockWidget*> panels;
  QList<int> widths, heights;
  for (size_t i = 0; i < shares_.size(); ++i) {
    QDockWidget* panel = panels_.all()[i];
    if (shares_[i].isEmpty() || !is_docked(panel)) continue;
    panels.append(panel);
    widths.append(std::max(1, static_cast<int>(std::lround(shares_[i].width() * all.width()))));
    heights.append(std::max(1, static_cast<int>(std::lround(shares_[i].height() * all.height()))));
  }
  if (panels.isEmpty()) return;
  window_.resizeDocks(panels, widths, Qt::Horizontal);
  window_.resizeDocks(panels, heights, Qt::Vertical);
}

}  // namespace attn::gui
