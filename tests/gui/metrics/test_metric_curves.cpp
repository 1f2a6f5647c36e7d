// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of Metrics with many points per pixel: peaks, columns, gaps and dashes.
#include <QImage>
#include <QPainter>
#include <cmath>

#include "gui/views/metrics/dense_curve.h"
#include "gui/views/metrics/metrics_charts.h"
#include "gui/views/metrics/metrics_model.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;

namespace {

class TestMetricCurves : public QObject {
  Q_OBJECT

 private slots:
  void peaks_stay() {
    std::vector<double> x, y;
    for (int i = 0; i < 20000; ++i) {
      x.push_back(i + 1);
      y.push_back(i % 1000 == 777 ? std::nan("") : std::sin(i * 0.01) + (i * 7919 % 100) * 0.001);
    }
    y[12345] = 50;
    y[777 * 3] = -50;
    for (const int columns : {1, 7, 100, 640}) {
      const double begin = 0.5, end = 20000.5;
      const auto points = decimate(x, y, begin, end, columns);
      QVERIFY(points.size() <= 2 * static_cast<size_t>(columns));
      std::vector<double> low(static_cast<size_t>(columns), 1e9), high(low.size(), -1e9);
      auto low_kept = low, high_kept = high;
      const auto column = [&](double at) {
        return std::min(low.size() - 1,
                        static_cast<size_t>((at - begin) / (end - begin) * columns));
      };
      for (size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(y[i])) continue;
        low[column(x[i])] = std::min(low[column(x[i])], y[i]);
        high[column(x[i])] = std::max(high[column(x[i])], y[i]);
      }
      double last = 0;
      for (const MetricsPoint& point : points) {
        QVERIFY(point.x > last);
        last = point.x;
        QCOMPARE(y[static_cast<size_t>(point.x) - 1], point.y);
        low_kept[column(point.x)] = std::min(low_kept[column(point.x)], point.y);
        high_kept[column(point.x)] = std::max(high_kept[column(point.x)], point.y);
      }
      QVERIFY(low == low_kept);
      QVERIFY(high == high_kept);
    }
    // One neighbour on each side is included, so that lines run to the edge.
    const auto inside = decimate(x, y, 100, 102, 1000);
    QCOMPARE(inside.size(), size_t{5});
    QCOMPARE(inside.front().x, 99.0);
    QCOMPARE(inside.back().x, 103.0);
  }

  void columns_cover_the_points_and_touch() {
    QPolygonF points;
    uint32_t seed = 1;
    for (int i = 0; i < 4000; ++i) {
      seed = seed * 1664525u + 1013904223u;
      points << QPointF(10 + i * 0.1, 100 + 40 * std::sin(i * 0.02) + (seed >> 8) % 1000 * 0.03);
    }
    const DenseCurve curve = dense_curve(points, {});
    QCOMPARE(curve.columns.size(), 400);
    QVERIFY(curve.across.isEmpty());
    for (const QPointF& point : points) {
      const QRect& column = curve.columns[static_cast<int>(point.x()) - 10];
      QCOMPARE(column.left(), static_cast<int>(point.x()));
      QVERIFY(column.top() <= point.y() && point.y() < column.bottom() + 1);
    }
    for (int i = 1; i < curve.columns.size(); ++i)
      QVERIFY(curve.columns[i - 1].top() <= curve.columns[i].bottom() + 1 &&
              curve.columns[i].top() <= curve.columns[i - 1].bottom() + 1);
  }

  void a_gap_is_crossed() {
    const DenseCurve curve = dense_curve({{{0.2, 5}, {0.7, 9}, {6.5, 3}}}, {});
    QCOMPARE(curve.columns, (QList<QRect>{QRect(0, 5, 1, 5), QRect(6, 3, 1, 1)}));
    QCOMPARE(curve.across, (QList<QLineF>{QLineF(0.7, 9, 6.5, 3)}));
  }

  void a_peak_between_dashes_is_drawn() {
    const QSize size(400, 160);
    MetricsCharts charts;
    charts.set_size(size);
    const auto column_of_peak = [&](size_t peak) {
      std::vector<StepRecord> steps(20000);
      for (size_t i = 0; i < steps.size(); ++i) steps[i].step = static_cast<uint32_t>(i + 1);
      steps[peak].waiting = 5;
      auto shot = std::make_shared<EngineSnapshot>();
      shot->run = 1;
      shot->steps = std::make_shared<const std::vector<StepRecord>>(std::move(steps));
      MetricsModel model;
      model.update(shot);
      charts.fill(ChartKind::kRequests, model, {0, model.size() - 1});
      QImage image(size, QImage::Format_RGB32);
      image.fill(Qt::black);
      QPainter painter(&image);
      charts.draw_curves(ChartKind::kRequests, painter);
      painter.end();
      const int half = static_cast<int>(charts.plot().center().y());
      for (int x = 0; x < size.width(); ++x)
        if (image.pixel(x, half) != qRgb(0, 0, 0)) return x;
      return -1;
    };
    int last = 0;
    for (size_t peak = 9000; peak < 9600; peak += 20) {
      const int x = column_of_peak(peak);
      QVERIFY2(x >= last, qPrintable(QString::number(peak)));
      last = x;
    }
  }
};

}  // namespace

ATTN_QT_TEST(test_metric_curves, attn::gui::test::run<TestMetricCurves>)
#include "test_metric_curves.moc"
