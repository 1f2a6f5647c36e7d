// SPDX-License-Identifier: GPL-3.0-or-later
// The map of the whole run below the timeline: sums, frame, mouse and past steps.
#include <QWheelEvent>

#include "tests/gui/qt_test_main.h"
#include "tests/gui/timeline/timeline_stage.h"

using namespace attn;
using namespace attn::gui;
using attn::gui::test::RandomRun;
using attn::gui::test::TimelineStage;

namespace {

struct VisiblePart {
  double begin = 0, end = 0;
};
VisiblePart visible_part(const TimelineStage& s) {
  return {s.canvas.axis().visible_begin(), s.canvas.axis().visible_end()};
}

// The time for which one pixel of the map stands, ns.
double map_pixel(TimelineStage& s) {
  return s.canvas.axis().length() / s.view.minimap().strip().width();
}

}  // namespace

class TestMinimap : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void bins_keep_their_sums() {
    std::mt19937 random(3);
    TimeBins<uint64_t> bins;
    std::vector<std::pair<uint64_t, uint64_t>> added;
    uint64_t most = 1000;
    for (int i = 0; i < 3000; ++i) {
      if (i % 100 == 0) most *= 2;
      added.emplace_back(random() % most, random() % 100);
      bins.at(added.back().first) += added.back().second;
    }
    QVERIFY(bins.size() <= TimeBins<uint64_t>::kBins);
    for (size_t bin = 0; bin < bins.size(); ++bin) {
      uint64_t want = 0;
      for (const auto& [time, value] : added)
        if (time / bins.bin_ns() == bin) want += value;
      QCOMPARE(bins[bin], want);
    }
  }

  void shows_what_the_engine_did() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    QVERIFY(map.isVisible());
    const auto plain = [&](uint64_t until) {
      ClassTimes times;
      for (const TimelineLane* lane : s.canvas.model().lanes()) {
        if (lane->kind != LaneKind::kKernels) continue;
        for (uint64_t i = 0; i < lane->spans.size(); ++i) {
          const LodSpan& span = lane->spans.span(i);
          if (span.begin_ns < until)
            times.ns[span.span_class] += std::min(span.end_ns, until) - span.begin_ns;
        }
      }
      return times;
    };
    QVERIFY(map.times_between(0, 1e18) == plain(UINT64_MAX));
    for (const size_t step : {1, 9, 23, 40}) {
      s.canvas.set_past(s.run.after(step));
      QVERIFY(map.times_between(0, 1e18) == plain(s.run.snapshot->steps->at(step - 1).end_ns));
    }
    s.canvas.set_past(nullptr);
    const double column = s.canvas.axis().length() / 200;
    for (int i = 0; i < 200; ++i) {
      double sum = 0;
      for (const uint64_t ns : map.times_between(i * column, (i + 1) * column).ns)
        sum += static_cast<double>(ns);
      QVERIFY(sum <= column * 1.01 + kSpanClasses);
    }
  }

  void dragging_the_frame_moves_the_visible_part() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    const auto end = static_cast<double>(s.run.end_ns());
    s.canvas.show_time(0.4 * end, 0.6 * end);
    s.settle();
    const QRectF frame = map.frame();
    QVERIFY(std::abs(frame.left() - map.x_of(0.4 * end)) < 1);
    QVERIFY(std::abs(frame.right() - map.x_of(0.6 * end)) < 1);
    const double pixel = map_pixel(s);
    const QPoint middle = frame.center().toPoint();
    const VisiblePart before = visible_part(s);
    s.drag(map, middle, middle + QPoint(90, 0));
    QVERIFY(std::abs(visible_part(s).begin - before.begin - 90 * pixel) < 2 * pixel);
    QVERIFY(std::abs(visible_part(s).end - before.end - 90 * pixel) < 2 * pixel);
    QVERIFY(!s.canvas.live());
    s.drag(map, map.frame().center().toPoint(), QPoint(map.width() + 500, middle.y()));
    QVERIFY(std::abs(visible_part(s).end - s.canvas.axis().end) < 2 * pixel);
  }

  void dragging_an_edge_resizes_it() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    const auto end = static_cast<double>(s.run.end_ns());
    s.canvas.show_time(0.4 * end, 0.6 * end);
    s.settle();
    const double pixel = map_pixel(s);
    const VisiblePart before = visible_part(s);
    const auto y = static_cast<int>(map.frame().center().y());
    const auto left = static_cast<int>(map.frame().left());
    s.drag(map, {left, y}, {left - 60, y});
    QVERIFY(std::abs(visible_part(s).begin - before.begin + 60 * pixel) < 2 * pixel);
    QVERIFY(std::abs(visible_part(s).end - before.end) < pixel);
    const auto right = static_cast<int>(map.frame().right());
    s.drag(map, {right, y}, {right + 40, y});
    QVERIFY(std::abs(visible_part(s).end - before.end - 40 * pixel) < 2 * pixel);
  }

  void click_goes_there_and_the_wheel_zooms() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    const auto end = static_cast<double>(s.run.end_ns());
    s.canvas.show_time(0.1 * end, 0.2 * end);
    s.settle();
    const auto y = static_cast<int>(map.frame().center().y());
    const QPoint there(static_cast<int>(map.x_of(0.7 * end)), y);
    QTest::mouseClick(&map, Qt::LeftButton, {}, there);
    s.settle();
    QVERIFY(std::abs((visible_part(s).begin + visible_part(s).end) / 2 - 0.7 * end) <
            2 * map_pixel(s));
    const VisiblePart before = visible_part(s);
    QWheelEvent in(there, map.mapToGlobal(there), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase,
                   false);
    QApplication::sendEvent(&map, &in);
    QVERIFY(visible_part(s).end - visible_part(s).begin < 0.7 * (before.end - before.begin));
    QVERIFY(visible_part(s).begin < 0.7 * end && visible_part(s).end > 0.7 * end);
    QTest::mouseDClick(&map, Qt::LeftButton, {}, there);
    QVERIFY(s.canvas.axis().is_fit());
  }

  void follows_a_running_run_and_starts_anew() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    const uint64_t end = s.run.end_ns();
    TraceEvent more;
    more.kind = EventKind::kKernel;
    more.a = static_cast<uint32_t>(KernelId::kLinear);
    more.begin_ns = 9 * end;
    more.duration_ns = end;
    more.layer = kNoLayer;
    const QImage before = map.grab().toImage();
    s.view.show_run(s.run.snapshot, {more});
    s.settle();
    QVERIFY(map.grab().toImage() != before);
    QCOMPARE(map.times_between(static_cast<double>(8 * end), static_cast<double>(20 * end))
                 .ns[static_cast<size_t>(SpanClass::kLinear)],
             end);
    s.canvas.reset();
    QVERIFY(map.times_between(0, 1e18) == ClassTimes{});
  }

  void a_past_step_hides_what_came_later() {
    TimelineStage s;
    Minimap& map = s.view.minimap();
    s.canvas.find(QStringLiteral("e"));
    s.canvas.set_range({0, s.run.end_ns()});
    QTRY_VERIFY(s.canvas.searched_all());
    s.canvas.fit_all();
    s.canvas.set_past(s.run.after(20));
    s.settle();
    const auto until = static_cast<double>(s.run.snapshot->steps->at(19).end_ns);
    const QImage picture = map.grab().toImage();
    const int from = static_cast<int>(std::ceil(map.x_of(until))) + 3,
              to = static_cast<int>(map.strip().right()) - 4,
              y = static_cast<int>(map.strip().center().y());
    QVERIFY(to - from > 50);
    for (int x = from; x < to; ++x)
      for (const int row : {static_cast<int>(map.strip().top()) + 1, y})
        QCOMPARE(picture.pixelColor(x, row), Theme::instance().colors().surface);
  }

  void goes_where_the_view_is_low() {
    TimelineStage s;
    QVERIFY(s.view.minimap().isVisible());
    s.view.resize(1100, 150);
    s.settle();
    QVERIFY(!s.view.minimap().isVisible());
    s.view.resize(1100, 420);
    s.settle();
    QVERIFY(s.view.minimap().isVisible());
    Selection selection;
    TimelineView empty({nullptr, &selection});
    empty.resize(1100, 420);
    QVERIFY(empty.minimap().isHidden());  // nothing has run
  }
};

ATTN_QT_TEST(test_minimap, attn::gui::test::run<TestMinimap>)
#include "test_minimap.moc"
