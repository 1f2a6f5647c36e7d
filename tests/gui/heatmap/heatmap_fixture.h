// SPDX-License-Identifier: GPL-3.0-or-later
// For tests: small scenarios, a heatmap and an inspector on an engine run (HeatmapBench), weights
// of a record, and pictures of the heatmap.
#pragma once

#include <QBuffer>
#include <QElapsedTimer>
#include <QSvgGenerator>
#include <bit>
#include <functional>
#include <set>

#include "backends/register_all.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "tests/gui/qt_test_main.h"

namespace attn::gui::test {

inline Scenario small_scenario(int64_t prompt_tokens = 40, int64_t max_tokens = 6) {
  Scenario scenario;
  scenario.title = "small";
  scenario.seed = 3;
  SyntheticSpec synthetic;
  synthetic.kind = SyntheticKind::kInduction;
  synthetic.num_layers = 2;
  synthetic.num_heads = 4;
  synthetic.num_kv_heads = 2;
  synthetic.head_size = 32;
  synthetic.max_model_len = prompt_tokens + max_tokens + 8;
  scenario.source.synthetic = synthetic;
  ScenarioRequest request;
  request.name = "small";
  request.prompt_tokens = prompt_tokens;
  request.max_tokens = max_tokens;
  scenario.requests = {request};
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = prompt_tokens / 8 + 8;
  scenario.engine.max_num_batched_tokens = prompt_tokens + 8;
  scenario.engine.threads = 1;
  return scenario;
}

struct HeatmapBench {
  EngineBridge bridge;
  Selection selection;
  HeatmapView heatmap{{&bridge, &selection}, nullptr};
  InspectorView inspector{{&bridge, &selection}, nullptr};

  HeatmapBench() {
    heatmap.resize(800, 560);
    inspector.resize(300, 600);
    heatmap.show();
    inspector.show();
    heatmap.setFocus();
  }

  static bool wait_for(const std::function<bool()>& condition, int limit_ms = 60000) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
      if (timer.elapsed() > limit_ms) return false;
      QTest::qWait(5);
    }
    return true;
  }
  bool settle() {
    return wait_for([this] {
      bridge.catch_up();
      QCoreApplication::processEvents();
      return !heatmap.tiles().busy();
    });
  }
  bool run(const Scenario& scenario) {
    bridge.start(scenario);
    const bool finished = wait_for([this] {
      const auto& snapshot = bridge.snapshot();
      return snapshot && snapshot->phase == EnginePhase::kFinished;
    });
    return finished && settle();
  }
  const AttentionRecord& record() const { return *heatmap.scene().head.record; }
};

inline float weight_of(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
                       int64_t key) {
  float weight = 0;
  record.weights(layer, head, query, 1, key, 1, &weight);
  return weight;
}

inline bool same_bits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

inline std::set<QRgb> colors_in(const QImage& image, const QRectF& rect) {
  std::set<QRgb> colors;
  const QRect area = rect.toAlignedRect() & image.rect();
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) colors.insert(image.pixel(x, y) | 0xff000000);
  return colors;
}

inline QImage picture_of(HeatmapView& view) {
  return view.grab().toImage();
}

inline QImage drawn(const std::function<void(QPainter&, const QRectF&)>& drawing,
                    const QSize& size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  drawing(painter, image.rect());
  return image;
}

// with_box: true: a renderer takes the units of the drawing, not millimetres.
inline QByteArray svg_of(HeatmapView& view, const QSize& size, bool with_box = false) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  svg.setSize(size);
  if (with_box) svg.setViewBox(QRect(QPoint(0, 0), size));
  QPainter painter(&svg);
  view.paint_content(painter, QRectF(QPointF(), QSizeF(size)));
  painter.end();
  return buffer.data();
}

inline Scenario two_requests(const std::string& first, const std::string& second) {
  Scenario scenario = small_scenario();
  scenario.requests.push_back(scenario.requests.front());
  scenario.requests[0].name = first;
  scenario.requests[1].name = second;
  scenario.engine.num_blocks = 40;
  scenario.engine.max_num_batched_tokens = 128;
  return scenario;
}

inline QRectF cells(const HeatmapView& view, int64_t query, int64_t query_last, int64_t key,
                    int64_t key_last) {
  return view.rect_of(query, key).united(view.rect_of(query_last, key_last));
}

}  // namespace attn::gui::test
