// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/theme.h"

#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "gui/theme/plain_glyphs.h"
#include "gui/theme/style.h"

namespace attn::gui {
namespace {

const ThemeColors kDark{
    .background = QColor(0x14, 0x17, 0x1C),
    .surface = QColor(0x1B, 0x20, 0x28),
    .raised = QColor(0x23, 0x2A, 0x34),
    .line = QColor(0x30, 0x38, 0x46),
    .text = QColor(0xE8, 0xEC, 0xF2),
    .muted = QColor(0x9F, 0xAA, 0xBA),
    .accent = QColor(0x5B, 0xB8, 0xFF),
    .good = QColor(0x4C, 0xC3, 0x8A),
    .warning = QColor(0xF5, 0xB9, 0x4A),
    .bad = QColor(0xFF, 0x7A, 0x7A),
    // Violet and lime differ along the blue-yellow axis, for people with a red-green colour vision
    // deficiency.
    .prefill = QColor(0xA7, 0x8B, 0xFA),
    .decode = QColor(0xA6, 0xD8, 0x3E),
    .hatch = QColor(0x6F, 0x7B, 0x8B),
    .not_a_number = QColor(0xFF, 0x4F, 0xD8),
};

const ThemeColors kLight{
    .background = QColor(0xF6, 0xF7, 0xF9),
    .surface = QColor(0xFF, 0xFF, 0xFF),
    .raised = QColor(0xFF, 0xFF, 0xFF),
    .line = QColor(0xD8, 0xDD, 0xE5),
    .text = QColor(0x1A, 0x1F, 0x27),
    .muted = QColor(0x56, 0x61, 0x72),
    .accent = QColor(0x0B, 0x67, 0xC2),
    .good = QColor(0x14, 0x79, 0x4F),
    .warning = QColor(0x8A, 0x5A, 0x00),
    .bad = QColor(0xC0, 0x2B, 0x2B),
    .prefill = QColor(0x6D, 0x3F, 0xD1),
    .decode = QColor(0x56, 0x78, 0x00),
    .hatch = QColor(0x83, 0x8E, 0x9E),
    .not_a_number = QColor(0xC4, 0x00, 0x9A),
};

// Okabe and Ito, "Color Universal Design" (2008). In place of their eighth colour, black,
// category() gives the text colour of the theme.
constexpr std::array<QRgb, 7> kOkabeIto{0xFFE69F00, 0xFF56B4E9, 0xFF009E73, 0xFFF0E442,
                                        0xFF0072B2, 0xFFD55E00, 0xFFCC79A7};
constexpr int64_t kCategories = 8;

// WCAG 2.1, definition of relative luminance.
double luminance(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

int px_of(TextRole role) {
  switch (role) {
    case TextRole::kSmall:
      return 11;
    case TextRole::kBody:
      return 13;
    case TextRole::kTitle:
      return 15;
    case TextRole::kLarge:
      return 20;
    case TextRole::kDisplay:
      return 28;
  }
  return 13;
}

QImage hatch_tile(const QColor& ground, const QColor& line, qreal width) {
  QImage tile(8, 8, QImage::Format_ARGB32_Premultiplied);
  tile.fill(ground);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(line, width));
  for (int shift : {-8, 0, 8}) painter.drawLine(QPointF(shift - 1, 9), QPointF(shift + 9, -1));
  return tile;
}

QPalette palette_for(const ThemeColors& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.background);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.surface);
  p.setColor(QPalette::AlternateBase, c.raised);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.muted);
  p.setColor(QPalette::Button, c.raised);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.bad);
  p.setColor(QPalette::ToolTipBase, c.raised);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Link, c.accent);
  p.setColor(QPalette::LinkVisited, c.accent);
  p.setColor(QPalette::Highlight, c.accent);
  p.setColor(QPalette::HighlightedText,
             Theme::contrast(c.accent, Qt::white) >= 4.5 ? QColor(Qt::white) : c.background);
  p.setColor(QPalette::Light, c.raised);
  p.setColor(QPalette::Midlight, c.line);
  p.setColor(QPalette::Mid, c.line);
  p.setColor(QPalette::Dark, c.line);
  p.setColor(QPalette::Shadow, c.background);
  for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, c.muted);
  p.setColor(QPalette::Disabled, QPalette::Highlight, c.line);
  p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.muted);
  return p;
}

}  // namespace

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

void Theme::install(QApplication& app) {
  app_ = &app;
  // Read before our own palette replaces that of the desktop.
  system_dark_ = luminance(app.palette().color(QPalette::Window)) < 0.2;
  app.setStyle(make_style());
  apply();
}

void Theme::set_mode(ThemeMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  apply();
}

void Theme::set_text_percent(int percent) {
  percent = std::clamp(percent, 100, 200);
  if (percent == text_percent_) return;
  text_percent_ = percent;
  apply();
}

void Theme::set_projector(bool projector) {
  if (projector == projector_) return;
  projector_ = projector;
  apply();
}

int Theme::text_percent() const {
  return projector_ ? std::max(text_percent_, kProjectorPercent) : text_percent_;
}

void Theme::apply() {
  dark_ = mode_ == ThemeMode::kSystem ? system_dark_ : mode_ == ThemeMode::kDark;
  if (app_) {
    app_->setPalette(palette_for(colors()));
    app_->setFont(font());
    QToolTip::setPalette(app_->palette());
    QToolTip::setFont(font());
  }
  emit changed();
}

const ThemeColors& Theme::colors() const {
  return dark_ ? kDark : kLight;
}

QFont Theme::font(TextRole role, QFont::Weight weight) const {
  QFont font;
  font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"),
                    QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
  font.setPixelSize(px(px_of(role)));
  font.setWeight(weight);
  font.setStyleHint(QFont::SansSerif);
  PlainGlyphs::apply_to(font);
  return font;
}

QFont Theme::mono(TextRole role) const {
  QFont font;
  font.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
                    QStringLiteral("monospace")});
  font.setPixelSize(px(px_of(role)));
  font.setStyleHint(QFont::Monospace);
  font.setFixedPitch(true);
  // Without shaping there are no ligatures: "++" and "!=" of a token stay as they are.
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

int Theme::px(double at_100_percent) const {
  return static_cast<int>(std::lround(at_100_percent * text_percent() / 100.0));
}

double Theme::line(double width) const {
  return projector_ ? std::max(width, 2.0) : width;
}

QColor Theme::category(int64_t index) const {
  if (index < 0) return colors().muted;
  const auto at = static_cast<size_t>(index % kCategories);
  return at < kOkabeIto.size() ? QColor::fromRgba(kOkabeIto[at]) : colors().text;
}

QColor Theme::category_edge(int64_t index) const {
  QColor color = category(index);
  for (int step = 0; step < 20 && contrast(color, colors().surface) < 3.0; ++step)
    color = dark_ ? color.lighter(112) : color.darker(112);
  return color;
}

QBrush Theme::category_brush(int64_t index) const {
  const QColor color = category(index);
  if (index < kCategories) return color;
  // Hatches are kept, because pictures use the same few often. Each thread has its own, because
  // exports draw on other threads.
  static thread_local std::unordered_map<QRgb, QBrush> hatches;
  const auto [known, is_new] = hatches.try_emplace(color.rgb());
  if (is_new) known->second = QBrush(hatch_tile(color, text_on(color), 1.5));
  return known->second;
}

QColor Theme::text_on(const QColor& fill) const {
  // For any fill, pure black or pure white has a contrast of at least 4.58:1.
  const QColor black(Qt::black), white(Qt::white);
  return contrast(fill, black) >= contrast(fill, white) ? black : white;
}

QBrush Theme::masked_brush() const {
  return QBrush(hatch_tile(colors().surface, colors().hatch, 1.0));
}

QBrush Theme::modelled_brush(const QColor& base) const {
  return QBrush(hatch_tile(base, text_on(base), 1.0));
}

QColor mix(const QColor& a, const QColor& b, double part_of_b) {
  const auto channel = [part_of_b](int x, int y) {
    return static_cast<int>(std::lround(x + (y - x) * part_of_b));
  };
  return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

double Theme::contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace attn::gui

#include "moc_theme.cpp"
