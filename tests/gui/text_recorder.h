// SPDX-License-Identifier: GPL-3.0-or-later
// TextRecorder: a paint device that records which text was drawn, where, and in which colour. For
// tests that look for overlapping, cut or unreadable text, or for words.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <optional>
#include <vector>

namespace attn::gui::test {

struct DrawnText {
  QString text;
  QRectF ink;      // tight bounds, device pixels
  QRectF visible;  // the part of ink inside the clip and the device
  QColor color;
  std::optional<QColor> ground;  // colour of the last fill below all of it; nullopt: not known
  bool turned = false;           // vertical
};

class TextRecorder : public QPaintDevice {
 public:
  explicit TextRecorder(const QSize& size) : size_(size), engine_(*this) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  const std::vector<DrawnText>& texts() const { return texts_; }
  QRectF bounds() const { return QRectF(QPointF(0, 0), QSizeF(size_)); }

  // Pairs of texts whose visible parts overlap by more than `slack` px in both directions.
  QStringList overlaps(double slack = 2) const {
    QStringList found;
    for (size_t i = 0; i < texts_.size(); ++i)
      for (size_t j = i + 1; j < texts_.size(); ++j) {
        const QRectF both = texts_[i].visible & texts_[j].visible;
        if (both.width() > slack && both.height() > slack)
          found.append(QStringLiteral("\"%1\" and \"%2\" share %3")
                           .arg(texts_[i].text, texts_[j].text, words(both)));
      }
    return found;
  }
  // Texts of whose length the device or a clip cuts off more than 2 px. Left out are texts out of
  // sight and those that are cut only across their line, because scrolled lines are clipped.
  QStringList cut() const {
    QStringList found;
    for (const DrawnText& text : texts_) {
      const double lost = text.turned ? text.ink.height() - text.visible.height()
                                      : text.ink.width() - text.visible.width();
      if (lost > 2) found.append(QStringLiteral("\"%1\" at %2").arg(text.text, words(text.ink)));
    }
    return found;
  }
  static QString words(const QRectF& r) {
    return QStringLiteral("%1,%2 %3x%4")
        .arg(r.x(), 0, 'f', 0)
        .arg(r.y(), 0, 'f', 0)
        .arg(r.width(), 0, 'f', 0)
        .arg(r.height(), 0, 'f', 0);
  }

 protected:
  int metric(PaintDeviceMetric which) const override {
    switch (which) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmWidthMM:
        return size_.width() * 254 / 960;
      case PdmHeightMM:
        return size_.height() * 254 / 960;
      case PdmNumColors:
        return 1 << 24;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 96;
    }
  }

 private:
  struct Fill {
    QRectF area;
    std::optional<QColor> color;
  };

  class Engine : public QPaintEngine {
   public:
    explicit Engine(TextRecorder& owner) : QPaintEngine(AllFeatures), owner_(owner) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState&) override {}

    void drawRects(const QRectF* rects, int count) override {
      for (int i = 0; i < count; ++i) filled(rects[i], painter()->brush());
    }
    void drawRects(const QRect* rects, int count) override {
      for (int i = 0; i < count; ++i) filled(QRectF(rects[i]), painter()->brush());
    }
    void drawPath(const QPainterPath& path) override {
      // A path counts as ground below text if it is filled and contains three points of the middle
      // line of its bounding box, as boxes do, also rounded ones.
      const QBrush brush = painter()->brush();
      const QRectF box = path.boundingRect();
      if (brush.style() != Qt::NoBrush && path.contains(box.center()) &&
          path.contains(box.center() - QPointF(box.width() * 0.4, 0)) &&
          path.contains(box.center() + QPointF(box.width() * 0.4, 0)))
        filled(box, brush);
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
      if (mode == PolylineMode || count != 4) return;
      QPolygonF polygon;
      for (int i = 0; i < count; ++i) polygon.append(points[i]);
      filled(polygon.boundingRect(), painter()->brush());
    }
    void drawPixmap(const QRectF& r, const QPixmap&, const QRectF&) override { pictured(r); }
    void drawImage(const QRectF& r, const QImage&, const QRectF&,
                   Qt::ImageConversionFlags) override {
      pictured(r);
    }
    void drawTiledPixmap(const QRectF& r, const QPixmap&, const QPointF&) override { pictured(r); }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
      if (item.text().trimmed().isEmpty()) return;
      const QRectF tight = QFontMetricsF(item.font()).tightBoundingRect(item.text());
      const QTransform& transform = painter()->combinedTransform();
      DrawnText text;
      text.text = item.text();
      text.ink = transform.mapRect(tight.translated(at));
      text.visible = text.ink & clip();
      text.color = painter()->pen().color();
      text.turned = transform.m12() != 0;
      if (text.color.alpha() == 0 || text.visible.isEmpty()) return;
      for (const Fill& fill : owner_.fills_)
        if (fill.area.contains(text.visible)) {
          text.ground = fill.color;
        } else if (!fill.color && fill.area.intersects(text.visible)) {
          text.ground.reset();
        }
      owner_.texts_.push_back(text);
    }

   private:
    QRectF clip() const {
      if (!painter()->hasClipping()) return owner_.bounds();
      return painter()->combinedTransform().mapRect(painter()->clipBoundingRect()) &
             owner_.bounds();
    }
    void filled(const QRectF& rect, const QBrush& brush) {
      if (brush.style() == Qt::NoBrush) return;
      const QRectF area = painter()->combinedTransform().mapRect(rect.normalized()) & clip();
      if (area.isEmpty()) return;
      if (brush.style() != Qt::SolidPattern) return owner_.fills_.push_back({area, std::nullopt});
      QColor color = brush.color();
      color.setAlphaF(color.alphaF() * static_cast<float>(painter()->opacity()));
      if (color.alpha() == 0) return;
      if (color.alpha() == 255) {
        // Texts and fills that lie inside the new opaque fill are no longer visible.
        std::erase_if(owner_.texts_,
                      [&](const DrawnText& text) { return area.contains(text.visible); });
        std::erase_if(owner_.fills_, [&](const Fill& fill) { return area.contains(fill.area); });
      } else {
        std::optional<QColor> below;
        for (const Fill& fill : owner_.fills_)
          if (fill.area.contains(area)) below = fill.color;
        if (below) color = mix(*below, color);
      }
      owner_.fills_.push_back({area, color.alpha() == 255 ? std::optional(color) : std::nullopt});
    }
    void pictured(const QRectF& rect) {
      owner_.fills_.push_back(
          {painter()->combinedTransform().mapRect(rect) & clip(), std::nullopt});
    }
    static QColor mix(const QColor& below, const QColor& above) {
      const auto part = [&](float a, float b) { return a + (b - a) * above.alphaF(); };
      return QColor::fromRgbF(part(below.redF(), above.redF()),
                              part(below.greenF(), above.greenF()),
                              part(below.blueF(), above.blueF()));
    }
    TextRecorder& owner_;
  };

  QSize size_;
  mutable Engine engine_;
  std::vector<DrawnText> texts_;
  std::vector<Fill> fills_;
};

}  // namespace attn::gui::test
