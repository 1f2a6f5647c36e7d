// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline.
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include "backends/register_all.h"
#include "engine/session/report/report.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/views/timeline/timeline_view.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;

namespace {

constexpr uint64_t kMs = 1000000;

TraceEvent span(EventKind kind, uint64_t begin_ms, uint64_t duration_ms, uint8_t lane,
                uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0) {
  TraceEvent event;
  event.kind = kind;
  event.begin_ns = begin_ms * kMs;
  event.duration_ns = static_cast<uint32_t>(duration_ms * kMs);
  event.lane = lane;
  event.layer = kNoLayer;
  event.a = a;
  event.b = b;
  event.c = c;
  event.d = d;
  return event;
}

TraceEvent tile(uint64_t begin_ms, uint64_t duration_ms, uint8_t lane, uint8_t layer,
                const TileEvent& what) {
  TraceEvent event = span(EventKind::kTile, begin_ms, duration_ms, lane);
  event.layer = layer;
  pack(what, event);
  return event;
}

// Request 0, in ms: queued at 0, prefill 10..30, decode to 50, preempted to 70, prefill again to
// 80, decode to 100.
std::vector<TraceEvent> small_run() {
  const auto flash = static_cast<uint32_t>(KernelId::kFlashPrefill);
  std::vector<TraceEvent> events;
  events.push_back(span(EventKind::kRequestQueued, 0, 0, 0, 0, 5));
  events.push_back(span(EventKind::kSchedule, 9, 1, 0, 1, 0, 1, 12));
  events.push_back(span(EventKind::kRequestScheduled, 10, 0, 0, 0, 1));
  events.push_back(tile(12, 4, 1, 0, {0, 0, 0, 5, 5, 0, KernelId::kFlashPrefill}));
  events.push_back(tile(12, 6, 2, 0, {0, 0, 0, 5, 5, 1, KernelId::kFlashPrefill}));
  events.push_back(span(EventKind::kKernel, 11, 8, 0, flash, 1, 2, 5));
  events.push_back(
      span(EventKind::kTask, 20, 5, 1, static_cast<uint32_t>(KernelId::kLinear), 1, 0, 5));
  events.push_back(span(EventKind::kTokenSampled, 30, 0, 0, 0, 5, 77, 1));
  events.push_back(span(EventKind::kStep, 9, 21, 0, 1, 5, 0, 1));
  events.push_back(tile(40, 3, 1, 1, {0, 5, 0, 1, 6, 0, KernelId::kPagedDecodeV1}));
  events.push_back(span(EventKind::kTokenSampled, 45, 0, 0, 0, 6, 78, 2));
  events.push_back(span(EventKind::kStep, 31, 14, 0, 2, 0, 1, 1));
  events.push_back(span(EventKind::kRequestPreempted, 50, 0, 0, 0, 3, 7));
  events.push_back(span(EventKind::kRequestScheduled, 70, 0, 0, 0, 4));
  events.push_back(span(EventKind::kTokenSampled, 80, 0, 0, 0, 7, 79, 4));
  events.push_back(span(EventKind::kRequestFinished, 100, 0, 0, 0, 0, 3));
  return events;
}

std::shared_ptr<EngineSnapshot> snapshot_of(bool modelled = false) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = 1;
  shot->block_size = 4;
  shot->blocks.resize(8);
  shot->blocks[2] = {0, 1, 1, 2, 1, 0, 0};
  shot->free_blocks = 7;
  shot->num_lanes = 3;
  shot->modelled_time = modelled;
  RequestView request;
  request.id = 0;
  request.name = "Lily";
  shot->requests.push_back(request);
  auto steps = std::make_shared<std::vector<StepRecord>>();
  steps->push_back({1, 9 * kMs, 30 * kMs, 5, 0, 1, 0, 1, 6, 2, 0, kMs, 4 * kMs});
  steps->push_back({2, 31 * kMs, 45 * kMs, 0, 1, 1, 0, 1, 6, 2, 0, kMs, 3 * kMs});
  shot->steps = steps;
  return shot;
}

const TimelineLane* lane_named(const TimelineModel& model, const char* name) {
  for (const TimelineLane* lane : model.lanes())
    if (lane->name == name) return lane;
  return nullptr;
}

int lane_index(const TimelineModel& model, const char* name) {
  for (size_t i = 0; i < model.lanes().size(); ++i)
    if (model.lanes()[i]->name == name) return static_cast<int>(i);
  return -1;
}

struct TimelineFixture {
  Selection selection;
  TimelineView view{{nullptr, &selection}};
  TimelineCanvas& canvas = view.canvas();
  explicit TimelineFixture(bool modelled = false) {
    view.resize(900, 260);
    view.grab();
    view.show_run(snapshot_of(modelled), small_run());
    QCoreApplication::processEvents();
  }
  QPoint at(const char* lane, double ms) {
    const TimelineLayout& layout = canvas.layout_now();
    const double x = layout.lanes.left() + canvas.axis().to_pixel(ms * static_cast<double>(kMs));
    return QPointF(x, layout.lane_top(lane_index(canvas.model(), lane)) + layout.lane_height / 2)
        .toPoint();
  }
  void wheel(QPoint where, int notches, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(where, canvas.mapToGlobal(where), {}, {0, notches * 120}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
  }
};

}  // namespace

class TestTimeline : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { attn::gui::test::fail_on_warnings(); }
  void cleanup() { Theme::instance().set_mode(ThemeMode::kDark); }

  void lanes_and_request_states() {
    TimelineModel model;
    const std::vector<TraceEvent> events = small_run();
    model.append(events, 0);
    model.set_snapshot(snapshot_of());
    std::vector<std::string> names;
    for (const TimelineLane* lane : model.lanes()) names.push_back(lane->name);
    QCOMPARE(names, (std::vector<std::string>{"Lily", "steps", "kernels", "worker 0", "worker 1"}));
    const TimelineLane& lily = *model.lanes()[0];
    QVERIFY(!lily.open);
    const std::vector<std::tuple<uint64_t, uint64_t, SpanClass>> want{
        {0, 10, SpanClass::kQueued},   {10, 30, SpanClass::kPrefill},
        {30, 50, SpanClass::kDecode},  {50, 70, SpanClass::kPreempted},
        {70, 80, SpanClass::kPrefill}, {80, 100, SpanClass::kDecode}};
    QCOMPARE(lily.spans.size(), uint64_t{want.size()});
    for (size_t i = 0; i < want.size(); ++i) {
      const LodSpan& s = lily.spans.span(i);
      QCOMPARE(
          std::make_tuple(s.begin_ns / kMs, s.end_ns / kMs, static_cast<SpanClass>(s.span_class)),
          want[i]);
    }
    QCOMPARE(lily.tokens.size(), size_t{3});
    QCOMPARE(lane_named(model, "worker 0")->spans.size(), uint64_t{3});
    QCOMPARE(lane_named(model, "kernels")->spans.size(), uint64_t{2});
    QCOMPARE(model.end_ns(), 100 * kMs);
  }

  void states_stay_open_while_they_last() {
    TimelineModel model;
    const std::vector<TraceEvent> events = small_run();
    model.append({events.data(), 5}, 0);
    QVERIFY(model.lanes()[0]->open.has_value());
    QCOMPARE(model.lanes()[0]->open->span_class, SpanClass::kPrefill);
    const uint64_t version = model.version();
    model.append({events.data() + 5, events.size() - 5}, 5);
    QVERIFY(model.version() > version);
    QVERIFY(!model.lanes()[0]->open);
  }

  void long_spans_have_their_true_end() {
    std::vector<TraceEvent> events{span(EventKind::kStep, 0, 0, 0, 1, 5, 0, 1)};
    events[0].duration_ns = 90000 * kMs;
    TimelineModel model;
    model.append(events, 0);
    const TimelineLane* lane = lane_named(model, "steps");
    QCOMPARE(lane->spans.size(), uint64_t{1});
    QCOMPARE(lane->spans.span(0).end_ns, 90000 * kMs);
  }

  void range_statistics_are_exact() {
    TimelineModel model;
    const std::vector<TraceEvent> events = small_run();
    model.append(events, 0);
    model.set_snapshot(snapshot_of());
    const int worker = lane_index(model, "worker 0");
    const LodStatistics sum = model.statistics(worker, 14 * kMs, 41 * kMs);
    QCOMPARE(sum.count, uint64_t{3});
    QCOMPARE(sum.total_ns, (2 + 5 + 1) * kMs);
    QCOMPARE(sum.class_ns[static_cast<size_t>(SpanClass::kPrefill)], 2 * kMs);
    QCOMPARE(sum.class_ns[static_cast<size_t>(SpanClass::kLinear)], 5 * kMs);
    QCOMPARE(sum.class_ns[static_cast<size_t>(SpanClass::kDecode)], 1 * kMs);
    QCOMPARE(model.statistics(-1, 0, kMs).count, uint64_t{0});
  }

  void dragging_measures() {
    TimelineFixture f;
    const QPoint from = f.at("worker 0", 14), to = f.at("worker 0", 41);
    QTest::mousePress(&f.canvas, Qt::LeftButton, {}, from);
    QTest::mouseMove(&f.canvas, to);
    QTest::mouseRelease(&f.canvas, Qt::LeftButton, {}, to);
    QVERIFY(f.canvas.range().has_value());
    QCOMPARE(f.canvas.range_lane(), lane_index(f.canvas.model(), "worker 0"));
    const double per_pixel = 1 / f.canvas.axis().scale;
    QVERIFY(std::abs(static_cast<double>(f.canvas.range()->begin_ns) - 14.0 * kMs) < 2 * per_pixel);
    QVERIFY(std::abs(static_cast<double>(f.canvas.range()->end_ns) - 41.0 * kMs) < 2 * per_pixel);
    const QString summary = f.canvas.summary();
    QVERIFY2(
        summary.contains(QStringLiteral("3 spans")) && summary.contains(QStringLiteral("worker 0")),
        qPrintable(summary));
    QVERIFY(!f.canvas.live());
    QTest::keyClick(&f.canvas, Qt::Key_F);
    QVERIFY(f.canvas.axis().visible_end() - f.canvas.axis().visible_begin() < 40.0 * kMs);
    QTest::keyClick(&f.canvas, Qt::Key_Escape);
    QVERIFY(!f.canvas.range().has_value());
  }

  void click_selects_and_other_views_learn_what() {
    TimelineFixture f;
    QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at("worker 1", 15));
    QCOMPARE(f.selection.state().kind, SelectionKind::kSpan);
    QCOMPARE(f.selection.state().event, int64_t{4});
    QCOMPARE(f.selection.state().request, int64_t{0});
    QCOMPARE(f.selection.state().head, int64_t{1});
    QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at("Lily", 60));
    QCOMPARE(f.selection.state().event, int64_t{12});
  }

  void marks_stand_out_from_the_track() {
    for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight}) {
      Theme::instance().set_mode(mode);
      for (int i = 0; i < kSpanClasses; ++i)
        for (const LaneKind lane : {LaneKind::kRequest, LaneKind::kKernels, LaneKind::kSteps}) {
          const auto span_class = static_cast<SpanClass>(i);
          if (lane == LaneKind::kSteps && span_class > SpanClass::kDecode) continue;
          const double ratio = Theme::contrast(span_color(span_class, lane), track_color());
          QVERIFY2(ratio >= 3, qPrintable(QStringLiteral("%1 in lane kind %2: %3")
                                              .arg(QLatin1String(name_of(span_class)))
                                              .arg(static_cast<int>(lane))
                                              .arg(ratio)));
        }
    }
  }

  void spans_with_a_layer_show_it() {
    Selection selection;
    TimelineView view({nullptr, &selection});
    view.resize(900, 260);
    std::vector<TraceEvent> events = small_run();
    events[5].layer = 3;  // the kernel event
    view.show_run(snapshot_of(), events);
    view.grab();
    TimelineCanvas& canvas = view.canvas();
    const TimelineLayout& layout = canvas.layout_now();
    const double x = layout.lanes.left() + canvas.axis().to_pixel(15.0 * kMs);
    const double y = layout.lane_top(lane_index(canvas.model(), "kernels")) + 8;
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPointF(x, y).toPoint());
    QCOMPARE(selection.state().event, int64_t{5});
    QCOMPARE(selection.state().layer, int64_t{3});
    QCOMPARE(selection.shown_layer(), int64_t{3});
  }

  void marks_and_page_fetches() {
    const auto decode = static_cast<uint32_t>(KernelId::kPallasPagedDecode);
    const auto first = static_cast<uint32_t>(small_run().size());
    std::vector<TraceEvent> events;
    events.push_back(span(EventKind::kBiasBuilt, 11, 0, 0, 1, 5, 5, 50));
    events.push_back(span(EventKind::kPadding, 13, 0, 0, decode, 5, 11, 1));
    events.push_back(span(EventKind::kPlanReplayed, 31, 0, 0, 4, 3));
    events.push_back(span(EventKind::kCallSplit, 40, 0, 0, decode, 0, 2, 4));
    events.push_back(span(EventKind::kPageFetch, 33, 4, 2, decode << 24, 16, 8, 1));
    TimelineFixture f;
    QVERIFY(!lane_named(f.canvas.model(), "marks"));
    f.view.resize(900, 400);
    f.view.grab();
    f.view.show_run(snapshot_of(), events);
    QCoreApplication::processEvents();
    const TimelineLane* marks = lane_named(f.canvas.model(), "marks");
    QVERIFY(marks);
    QCOMPARE(marks->spans.size(), 4u);
    QCOMPARE(static_cast<SpanClass>(marks->spans.span(0).span_class), SpanClass::kPrefill);
    QCOMPARE(static_cast<SpanClass>(marks->spans.span(2).span_class), SpanClass::kSchedule);
    QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at("marks", 31) + QPoint(4, 0));
    QCOMPARE(f.selection.state().event, static_cast<int>(first + 2));
    QTest::keyClick(&f.canvas, Qt::Key_Right);
    QCOMPARE(f.selection.state().event, static_cast<int>(first + 3));
    for (const auto& [ms, words] : {std::pair{11, "Mask or bias built"}, {40, "1 of 2"}})
      QVERIFY2(f.canvas.tooltip_at(f.at("marks", ms)).contains(QLatin1String(words)), words);
    const TimelineLane* worker = lane_named(f.canvas.model(), "worker 1");
    QVERIFY(worker);
    const auto fetch = worker->spans.find_event(first + 4);
    QVERIFY(fetch);
    QCOMPARE(static_cast<SpanClass>(worker->spans.span(*fetch).span_class), SpanClass::kCopy);
    const QString tooltip = f.canvas.tooltip_at(f.at("worker 1", 35));
    for (const char* words : {"Page fetch", "16..23 (8)", "Lily", "pallas_paged_decode"})
      QVERIFY2(tooltip.contains(QLatin1String(words)), qPrintable(tooltip));
    f.canvas.find(QStringLiteral("page fetch"));
    QTRY_VERIFY(f.canvas.searched_all());
    QCOMPARE(f.canvas.search().count(f.canvas.model()), 1u);
  }

  void ruler_marks_what_is_selected_elsewhere() {
    TimelineFixture f;
    QVERIFY(f.canvas.scene_now().ruler_marks.empty());
    f.selection.select({.kind = SelectionKind::kCell,
                        .request = 0,
                        .layer = 0,
                        .head = 1,
                        .query = 2,
                        .key = 1});  // its tile is event 4: 12..18 ms
    const TimelineScene& scene = f.canvas.scene_now();
    QCOMPARE(scene.ruler_marks.size(), size_t{1});
    QVERIFY(std::abs(double{scene.ruler_marks[0].x} - f.canvas.axis().to_pixel(12.0 * kMs)) < 1);
    QVERIFY(!scene.marks_before && !scene.marks_after);
    QTest::keyClick(&f.canvas, Qt::Key_F);
    QVERIFY(f.canvas.axis().visible_begin() > 10.0 * kMs);
    QVERIFY(f.canvas.axis().visible_end() < 20.0 * kMs);
    for (int i = 0; i < 12; ++i) QTest::keyClick(&f.canvas, Qt::Key_D);
    QVERIFY(f.canvas.axis().visible_begin() > 18.0 * kMs);
    QVERIFY(f.canvas.scene_now().ruler_marks.empty() && f.canvas.scene_now().marks_before);
    QVERIFY(!f.canvas.scene_now().marks_after);
  }

  void rate_strip_names_its_top() {
    TimelineFixture f;
    const StripGeometry& rate = f.canvas.scene_now().rate;
    QVERIFY(std::abs(rate.top - 1 / 14e-3) < 1e-6 || std::abs(rate.top - 5 / 21e-3) < 1e-6);
    double highest = 0;
    for (const StripColumn& column : rate.columns) highest = std::max(highest, double{column.high});
    QVERIFY(std::abs(highest - rate.top) < 1e-3);
    QVERIFY(f.canvas.tooltip_at(f.canvas.layout_now().rate_strip.center())
                .contains(QStringLiteral("Tokens computed per second")));
  }

  void too_many_lanes_are_scaled_down() {
    TimelineFixture f;
    const QSize full = f.canvas.full_size();
    QImage image(full.width() / 2, full.height() / 2, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    f.view.paint_content(painter, QRectF(image.rect()));
    painter.end();
    QImage whole(full, QImage::Format_RGB32);
    QPainter large(&whole);
    f.view.paint_content(large, QRectF(whole.rect()));
    large.end();
    const QColor bar = span_color(SpanClass::kPrefill, LaneKind::kWorker);
    const auto lowest = [&bar](const QImage& picture, double legend) {
      int at = -1;
      for (int y = 0; y < picture.height() - static_cast<int>(legend); ++y)
        for (int x = picture.width() / 8; x < picture.width(); ++x)
          if (picture.pixelColor(x, y) == bar) at = y;
      return static_cast<double>(at) / picture.height();
    };
    const double legend = Theme::instance().px(24 + 48 + 4);
    QVERIFY(lowest(whole, legend) > 0.3);
    QVERIFY(std::abs(lowest(image, legend / 2) - lowest(whole, legend)) < 0.03);
  }

  void keys_have_effects() {
    TimelineFixture f;
    QTest::mouseClick(&f.canvas, Qt::LeftButton, {}, f.at("worker 0", 14));
    QTest::keyClick(&f.canvas, Qt::Key_Right);
    QCOMPARE(f.selection.state().event, int64_t{6});
    QTest::keyClick(&f.canvas, Qt::Key_Period);
    QCOMPARE(f.selection.state().event, int64_t{9});
    QTest::keyClick(&f.canvas, Qt::Key_Comma);
    QCOMPARE(f.selection.state().event, int64_t{6});
    QTest::keyClick(&f.canvas, Qt::Key_Up);
    QCOMPARE(f.selection.state().event, int64_t{5});
    QTest::keyClick(&f.canvas, Qt::Key_Down);
    QVERIFY(f.selection.state().event == 3 || f.selection.state().event == 6);

    const CanvasAxis before = f.canvas.axis();
    QTest::keyClick(&f.canvas, Qt::Key_W);
    QVERIFY(f.canvas.axis().scale > before.scale);
    const double offset = f.canvas.axis().offset;
    QTest::keyClick(&f.canvas, Qt::Key_D);
    QVERIFY(f.canvas.axis().offset > offset);
    QTest::keyClick(&f.canvas, Qt::Key_A);
    QVERIFY(std::abs(f.canvas.axis().offset - offset) < 1);
    const std::vector<double> zoomed = f.canvas.place();
    const double scale = f.canvas.axis().scale;
    f.canvas.go_to_place({before.offset, before.scale, 0});
    QCOMPARE(f.canvas.axis().scale, before.scale);
    f.canvas.go_to_place(zoomed);
    QCOMPARE(f.canvas.axis().scale, scale);
    QTest::keyClick(&f.canvas, Qt::Key_Home);
    QVERIFY(f.canvas.axis().is_fit());
    QTest::keyClick(&f.canvas, Qt::Key_L);
    QVERIFY(f.canvas.live());
    QTest::keyClick(&f.canvas, Qt::Key_Escape);
    QCOMPARE(f.selection.state().kind, SelectionKind::kNothing);
  }

  void wheel_zooms_at_the_pointer_and_middle_drag_pans() {
    TimelineFixture f;
    const QPoint at = f.at("worker 0", 40);
    const double x = at.x() - f.canvas.layout_now().gutter;
    const double time = f.canvas.axis().to_content(x);
    f.wheel(at, 8, Qt::ControlModifier);
    QVERIFY(!f.canvas.axis().is_fit());
    QVERIFY(std::abs(f.canvas.axis().to_pixel(time) - x) < 0.01);
    QTest::mousePress(&f.canvas, Qt::MiddleButton, {}, at);
    QTest::mouseMove(&f.canvas, at + QPoint(50, 0));
    QTest::mouseRelease(&f.canvas, Qt::MiddleButton, {}, at + QPoint(50, 0));
    QVERIFY(std::abs(f.canvas.axis().to_pixel(time) - x - 50) < 0.01);
    const double offset = f.canvas.axis().offset;
    f.wheel(at, 1, Qt::ShiftModifier);
    QVERIFY(f.canvas.axis().offset < offset);
  }

  void double_click_fits_the_span() {
    TimelineFixture f;
    QTest::mouseDClick(&f.canvas, Qt::LeftButton, {}, f.at("worker 0", 22));
    QVERIFY(f.canvas.axis().visible_begin() < 20.0 * kMs &&
            f.canvas.axis().visible_begin() > 18.0 * kMs);
    QVERIFY(f.canvas.axis().visible_end() > 25.0 * kMs &&
            f.canvas.axis().visible_end() < 27.0 * kMs);
  }

  void live_follows_until_the_user_moves() {
    TimelineFixture f;
    QVERIFY(f.canvas.live());
    const auto grow = [&](uint64_t ms) {
      f.view.show_run(snapshot_of(),
                      {tile(ms, 5, 1, 0, {0, 0, 0, 5, 5, 0, KernelId::kFlashPrefill})});
    };
    grow(400);
    QVERIFY(f.canvas.axis().visible_end() >= 405.0 * kMs);
    grow(60000);
    QVERIFY(f.canvas.axis().visible_end() >= 60005.0 * kMs);
    QVERIFY(f.canvas.axis().visible_begin() > 40000.0 * kMs);
    f.wheel(f.canvas.rect().center(), 3, Qt::ControlModifier);
    QVERIFY(!f.canvas.live());
    const double end = f.canvas.axis().visible_end();
    grow(90000);
    QCOMPARE(f.canvas.axis().visible_end(), end);
    for (QToolButton* button : f.view.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Follow")) {
        QVERIFY(!button->isChecked());
        button->click();
      }
    QVERIFY(f.canvas.live());
    QVERIFY(f.canvas.axis().visible_end() >= 90005.0 * kMs);
  }

  void other_views_light_up_spans() {
    const std::vector<TraceEvent> events = small_run();
    const auto shot = snapshot_of();
    const auto lit = [&](const SelectionState& state) {
      const EventMatcher matcher(state, shot.get());
      std::vector<size_t> found;
      for (size_t i = 0; i < events.size(); ++i)
        if (matcher.matches(events[i], static_cast<uint32_t>(i))) found.push_back(i);
      return found;
    };
    using Found = std::vector<size_t>;
    QCOMPARE(lit({.kind = SelectionKind::kToken, .request = 0, .query = 5}), (Found{9}));
    QCOMPARE(lit({.kind = SelectionKind::kToken, .request = 0, .query = 2}), (Found{3, 4}));
    QCOMPARE(lit({.kind = SelectionKind::kToken, .request = 3, .query = 2}), (Found{}));
    QCOMPARE(lit({.kind = SelectionKind::kCell,
                  .request = 0,
                  .layer = 0,
                  .head = 1,
                  .query = 2,
                  .key = 1}),
             (Found{4}));
    TileEvent group{0, 0, 0, 5, 5, 2, KernelId::kFlashPrefill};
    group.heads = 3;
    const TraceEvent grouped = tile(20, 1, 0, 0, group);
    for (const int head : {1, 2, 4, 5}) {
      const SelectionState cell{.kind = SelectionKind::kCell,
                                .request = 0,
                                .layer = 0,
                                .head = head,
                                .query = 2,
                                .key = 1};
      QCOMPARE(EventMatcher(cell, shot.get()).matches(grouped, 99), head == 2 || head == 4);
    }
    QCOMPARE(lit({.kind = SelectionKind::kBlock, .request = 0, .block = 2}), (Found{3, 4, 9}));
    QCOMPARE(lit({.kind = SelectionKind::kSpan, .event = 6}), (Found{6}));
    TimelineFixture f;
    const QImage before = f.canvas.grab().toImage();
    f.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 5});
    QVERIFY(f.canvas.grab().toImage() != before);
  }

  void tooltips_name_every_field() {
    TimelineFixture f;
    const QString tile_text = f.canvas.tooltip_at(f.at("worker 1", 15));
    for (const char* part :
         {"flash_prefill", "Lily", "Head", "0 to 4 (5)", "Layer", "12 ms", "6 ms", "worker 1"})
      QVERIFY2(tile_text.contains(QLatin1String(part)), part);
    QVERIFY(f.canvas.tooltip_at(f.at("Lily", 60)).contains(QStringLiteral("preempted")));
    QVERIFY(f.canvas.tooltip_at(f.canvas.layout_now().cache_strip.center())
                .contains(QStringLiteral("of 8 blocks used")));
    QVERIFY(f.canvas.tooltip_at({4, f.canvas.layout_now().lane_top(0) + 4})
                .contains(QStringLiteral("Lily")));
  }

  void modelled_time_says_so() {
    TimelineFixture real, modelled(true);
    const QRect ruler(0, 0, 900, 22);
    QVERIFY(real.canvas.grab(ruler).toImage() != modelled.canvas.grab(ruler).toImage());
    QVERIFY(modelled.canvas.tooltip_at(modelled.at("worker 1", 15))
                .contains(QStringLiteral("modelled")));
  }

  void geometry_is_cached() {
    TimelineFixture f;
    f.canvas.grab();
    const int builds = f.canvas.geometry_builds();
    QTest::mouseMove(&f.canvas, f.at("worker 0", 14));
    f.canvas.grab();
    QTest::mouseMove(&f.canvas, f.at("worker 1", 30));
    f.canvas.grab();
    QCOMPARE(f.canvas.geometry_builds(), builds);
    QTest::keyClick(&f.canvas, Qt::Key_W);
    f.canvas.grab();
    QCOMPARE(f.canvas.geometry_builds(), builds + 1);
  }

  void strips_keep_every_spike() {
    auto shot = snapshot_of();
    auto steps = std::make_shared<std::vector<StepRecord>>();
    for (uint32_t i = 0; i < 100000; ++i)
      steps->push_back({.step = i + 1,
                        .begin_ns = i * kMs,
                        .end_ns = (i + 1) * kMs,
                        .used_blocks = i == 54321 ? 8 : 1});
    shot->steps = steps;
    CanvasAxis axis;
    axis.set_content(0, 1e5 * kMs);
    axis.set_pixels(500);
    axis.fit();
    const StripGeometry strip = strip_geometry(Strip::kCacheUse, shot.get(), axis);
    QVERIFY(strip.columns.size() <= 501);
    float highest = 0;
    for (const StripColumn& column : strip.columns) highest = std::max(highest, column.high);
    QCOMPARE(highest, 8.0f);
  }

  void a_million_spans_are_no_more_bars_than_pixels() {
    std::vector<TraceEvent> events;
    events.reserve(1000000);
    for (uint32_t i = 0; i < 1000000; ++i) {
      TraceEvent event = tile(0, 0, static_cast<uint8_t>(1 + i % 8), 0,
                              {0, 0, 0, 4, 4, 0, KernelId::kFlashPrefill});
      event.begin_ns = (i / 8) * 1000;
      event.duration_ns = 300 + i % 600;
      events.push_back(event);
    }
    Selection selection;
    TimelineView view({nullptr, &selection});
    view.resize(1920, 420);
    view.show_run(snapshot_of(), events);
    QImage target(view.canvas().size(), QImage::Format_RGB32);
    for (int i = 0; i < 60; ++i) {
      view.canvas().zoom(i < 30 ? 1.3 : 1 / 1.3);
      view.canvas().render(&target);
      for (const LaneGeometry& lane : view.canvas().scene_now().lanes)
        QVERIFY2(lane.bars.size() <= 2 * 1920, qPrintable(QString::number(lane.bars.size())));
    }
  }

  void empty_and_small_sizes() {
    Selection selection;
    TimelineView view({nullptr, &selection});
    for (const QSize size : {QSize(120, 60), QSize(320, 120), QSize(640, 220)}) {
      view.resize(size);
      view.grab();
    }
    QVERIFY(view.minimumSizeHint().width() <= 320);
    view.show_run(snapshot_of(), small_run());
    view.resize(200, 90);
    view.grab();
  }

  void csv_is_the_engines() {
    TimelineFixture f;
    std::vector<TraceEvent> sorted = small_run();
    std::stable_sort(sorted.begin(), sorted.end(), [](const TraceEvent& a, const TraceEvent& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.lane < b.lane;
    });
    QCOMPARE(f.view.csv(), QByteArray::fromStdString(timeline_csv(sorted)));
    QVERIFY(f.view.csv().contains("_ns") || f.view.csv().contains("ns"));
    QVERIFY(f.view.table());
  }

  void real_run() {
    EngineBridge bridge;
    Selection selection;
    TimelineView view({&bridge, &selection});
    view.resize(900, 260);
    view.grab();
    Scenario scenario = load_scenario(find_scenario("many-users"));
    scenario.view.pace_tiles_per_s = 0;
    bridge.start(scenario);
    QTRY_VERIFY_WITH_TIMEOUT(
        bridge.snapshot() && bridge.snapshot()->phase == EnginePhase::kFinished, 120000);
    QTRY_VERIFY(!bridge.timer_active());
    const TimelineModel& model = view.canvas().model();
    uint64_t spans = 0;
    for (size_t i = 0; i < bridge.events().size(); ++i) {
      const TraceEvent& event = bridge.events()[i];
      if (!is_span(event.kind)) continue;
      ++spans;
      const TimelineModel::Place place = model.place_of(static_cast<uint32_t>(i), event);
      QVERIFY(place.lane >= 0);
      const LodSpan& held =
          model.lanes()[static_cast<size_t>(place.lane)]->spans.span(place.position);
      QCOMPARE(held.begin_ns, event.begin_ns);
      QCOMPARE(held.end_ns, event.begin_ns + event.duration_ns);
    }
    uint64_t in_lanes = 0;
    size_t tokens = 0;
    for (const TimelineLane* lane : model.lanes()) {
      if (lane->kind != LaneKind::kRequest && lane->kind != LaneKind::kMarks)
        in_lanes += lane->spans.size();
      tokens += lane->tokens.size();
      QVERIFY(!lane->open);  // everything has ended
    }
    QCOMPARE(in_lanes, spans);
    QCOMPARE(static_cast<int64_t>(tokens), bridge.snapshot()->generated_tokens);
  }
};

ATTN_QT_TEST(test_timeline, attn::gui::test::run<TestTimeline>)
#include "test_timeline.moc"
