// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <array>

#include "gui/theme/theme.h"

// Q_INIT_RESOURCE must be outside of any namespace.
static void register_icons() {
  Q_INIT_RESOURCE(icons);
}

namespace attn::gui {
namespace {

constexpr std::array<const char*, static_cast<size_t>(Icon::kCount)> kFiles{
    "run",           "pause",        "restart", "step-tile", "step-kernel",  "step-layer",
    "step",          "export",       "open",    "save",      "add",          "remove",
    "theme",         "close",        "float",   "fit",       "more",         "help",
    "warning",       "error",        "info",    "panels",    "chevron-down", "chevron-up",
    "chevron-right", "chevron-left", "check",   "back",      "forward",      "lessons"};

QByteArray read_svg(const char* name) {
  register_icons();
  QFile file(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QByteArray& svg_of(Icon which) {
  static std::array<QByteArray, kFiles.size()> cache;
  QByteArray& svg = cache[static_cast<size_t>(which)];
  if (svg.isEmpty()) svg = read_svg(kFiles[static_cast<size_t>(which)]);
  return svg;
}

QPixmap draw(const QByteArray& svg, int pixels) {
  QPixmap result(pixels, pixels);
  result.fill(Qt::transparent);
  QPainter painter(&result);
  QSvgRenderer(svg).render(&painter, QRectF(0, 0, pixels, pixels));
  return result;
}

class ThemedIconEngine : public QIconEngine {
 public:
  explicit ThemedIconEngine(Icon which) : which_(which) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = mode == QIcon::Disabled ? colors.muted
                         : state == QIcon::On    ? colors.accent
                                                 : colors.text;
    const int side = std::min(rect.width(), rect.height());
    const QPixmap pixmap = icon_pixmap(which_, side, color, painter->device()->devicePixelRatioF());
    painter->drawPixmap(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2,
                        pixmap);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap result(size);
    result.fill(Qt::transparent);
    QPainter painter(&result);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return result;
  }
  QIconEngine* clone() const override { return new ThemedIconEngine(which_); }

 private:
  Icon which_;
};

}  // namespace

QIcon icon(Icon which) {
  return QIcon(new ThemedIconEngine(which));
}

// Buttons ask for their icons at each paint event, so drawn icons are kept in Qt's cache.
QPixmap icon_pixmap(Icon which, int side, const QColor& color, qreal device_pixel_ratio) {
  const int pixels = std::max(1, static_cast<int>(side * device_pixel_ratio + 0.5));
  const QString key = QStringLiteral("attn-icon %1 %2 %3 %4")
                          .arg(static_cast<int>(which))
                          .arg(pixels)
                          .arg(color.name())
                          .arg(device_pixel_ratio);
  QPixmap result;
  if (QPixmapCache::find(key, &result)) return result;
  QByteArray svg = svg_of(which);
  svg.replace("currentColor", color.name().toLatin1());
  result = draw(svg, pixels);
  result.setDevicePixelRatio(device_pixel_ratio);
  QPixmapCache::insert(key, result);
  return result;
}

// Rendered here: QIcon needs a plugin to read an SVG file, which may not be installed.
QIcon application_icon() {
  const QByteArray svg = read_svg("application");
  QIcon icon;
  for (int side : {16, 24, 32, 48, 64, 128, 256}) icon.addPixmap(draw(svg, side));
  return icon;
}

}  // namespace attn::gui
