// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/shortened_text.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QScopedValueRollback>
#include <QWidget>
#include <utility>
#include <vector>

namespace attn::gui {

namespace {

struct Shortened {
  QString shown, whole;
};

// The texts that were shortened while whole_text_at() makes a widget paint; null: it does not run.
thread_local std::vector<Shortened>* shortened = nullptr;

class TextFinder : public QPaintDevice {
 public:
  TextFinder(const QSize& size, const QPointF& at) : size_(size), engine_(at) {}
  QPaintEngine* paintEngine() const override { return &engine_; }
  const QString& found() const { return engine_.found; }

 protected:
  int metric(PaintDeviceMetric which) const override {
    switch (which) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmNumColors:
        return 1 << 24;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      default:
        return 96;  // dots per inch
    }
  }

 private:
  class Engine : public QPaintEngine {
   public:
    explicit Engine(const QPointF& at) : QPaintEngine(AllFeatures), at_(at) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPath(const QPainterPath&) override {}
    // One line of text may be drawn as several items.
    void drawTextItem(const QPointF& begin, const QTextItem& item) override {
      const QRectF box(begin.x(), begin.y() - item.ascent(), item.width(),
                       item.ascent() + item.descent());
      if (!painter()->combinedTransform().mapRect(box).contains(at_)) return;
      for (auto one = shortened->rbegin(); one != shortened->rend(); ++one)
        if (one->shown.contains(item.text())) {
          found = one->whole;
          return;
        }
    }
    QString found;

   private:
    QPointF at_;
  };

  QSize size_;
  mutable Engine engine_;
};

}  // namespace

QString whole_text_at(QWidget& widget, const QPointF& at) {
  std::vector<Shortened> all;
  const QScopedValueRollback collecting(shortened, &all);
  TextFinder finder(widget.size(), at);
  widget.render(&finder, {}, {}, {});
  return finder.found();
}

void note_shortened(const QString& shown, const QString& whole) {
  if (shortened) shortened->push_back({shown, whole});
}

}  // namespace attn::gui
