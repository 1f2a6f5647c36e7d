// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/picture_look.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

PictureLook PictureLook::read() {
  const Theme& theme = Theme::instance();
  PictureLook look;
  look.colors = theme.colors();
  look.small = theme.font(TextRole::kSmall);
  look.small_bold = theme.font(TextRole::kSmall, QFont::DemiBold);
  look.title = theme.font(TextRole::kTitle);
  look.title_bold = theme.font(TextRole::kTitle, QFont::DemiBold);
  look.mono = theme.mono(TextRole::kSmall);
  look.text_percent = theme.text_percent();
  look.projector = theme.is_projector();
  look.on_bright = theme.text_on(Qt::white);
  look.on_dark = theme.text_on(Qt::black);
  return look;
}

int PictureLook::px(double at_100_percent) const {
  return static_cast<int>(std::lround(at_100_percent * text_percent / 100.0));
}

double PictureLook::line(double width) const {
  return projector ? std::max(width, 2.0) : width;
}

QColor PictureLook::text_on(const QColor& fill) const {
  return Theme::contrast(fill, on_bright) >= Theme::contrast(fill, on_dark) ? on_bright : on_dark;
}

QColor PictureLook::faint() const {
  constexpr double kPart = 0.14;
  const auto mix = [](int ground, int ink) {
    return static_cast<int>(std::lround(ground + (ink - ground) * kPart));
  };
  const QColor &ground = colors.surface, &ink = colors.muted;
  return {mix(ground.red(), ink.red()), mix(ground.green(), ink.green()),
          mix(ground.blue(), ink.blue())};
}

void paint_surface(QPainter& painter, const QRectF& bounds, const QColor& color) {
  const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.fillRect(bounds.adjusted(0, 0, 1, 1), color);
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

}  // namespace attn::gui
