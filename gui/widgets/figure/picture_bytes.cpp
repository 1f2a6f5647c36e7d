// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/figure/picture_bytes.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>

namespace attn::gui {
namespace {

// Estimates of the bytes per item that Qt's SVG engine and the list of further fonts need.
constexpr double kOfState = 380, kOfShape = 60, kOfPoint = 16, kOfText = 230, kOfPixel = 1.5;

class CountingEngine : public QPaintEngine {
 public:
  CountingEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}
  double bytes() const { return bytes_; }

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  // What a view draws may depend on this type, see keeps_drawings().
  Type type() const override { return QPaintEngine::SVG; }
  void updateState(const QPaintEngineState&) override { bytes_ += kOfState; }

  void drawPixmap(const QRectF&, const QPixmap& pixmap, const QRectF&) override {
    add_image(pixmap.size());
  }
  void drawImage(const QRectF&, const QImage& image, const QRectF&,
                 Qt::ImageConversionFlags) override {
    add_image(image.size());
  }
  void drawTiledPixmap(const QRectF& to, const QPixmap&, const QPointF&) override {
    add_image(to.size().toSize());
  }
  void drawPath(const QPainterPath& path) override { add_shapes(1, path.elementCount()); }
  void drawPolygon(const QPointF*, int count, PolygonDrawMode) override { add_shapes(1, count); }
  void drawPolygon(const QPoint*, int count, PolygonDrawMode) override { add_shapes(1, count); }
  void drawRects(const QRectF*, int count) override { add_shapes(count, 4); }
  void drawRects(const QRect*, int count) override { add_shapes(count, 4); }
  void drawLines(const QLineF*, int count) override { add_shapes(count, 2); }
  void drawLines(const QLine*, int count) override { add_shapes(count, 2); }
  void drawPoints(const QPointF*, int count) override { add_shapes(count, 2); }
  void drawPoints(const QPoint*, int count) override { add_shapes(count, 2); }
  void drawEllipse(const QRectF&) override { add_shapes(1, 8); }
  void drawEllipse(const QRect&) override { add_shapes(1, 8); }
  void drawTextItem(const QPointF&, const QTextItem& item) override {
    bytes_ += kOfText + static_cast<double>(item.text().size());
  }

 private:
  void add_shapes(int count, int points) {
    bytes_ += static_cast<double>(count) * (kOfShape + kOfPoint * points);
  }
  void add_image(const QSize& size) {
    bytes_ += kOfPixel * static_cast<double>(size.width()) * size.height();
  }

  double bytes_ = 0;
};

class CountingDevice : public QPaintDevice {
 public:
  explicit CountingDevice(const QSize& size) : size_(size) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  double bytes() const { return engine_.bytes(); }

 protected:
  // Similar to those of a QSvgGenerator with a resolution of 96 dots per inch.
  int metric(PaintDeviceMetric metric) const override {
    constexpr double kMmPerDot = 25.4 / 96;
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmWidthMM:
        return static_cast<int>(size_.width() * kMmPerDot);
      case PdmHeightMM:
        return static_cast<int>(size_.height() * kMmPerDot);
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmNumColors:
        return 0x7fffffff;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return QPaintDevice::metric(metric);
    }
  }

 private:
  QSize size_;
  mutable CountingEngine engine_;
};

}  // namespace

double svg_bytes(const std::function<void(QPainter&)>& draw, const QSize& size) {
  CountingDevice device(size);
  QPainter painter(&device);
  draw(painter);
  painter.end();
  return device.bytes();
}

}  // namespace attn::gui
