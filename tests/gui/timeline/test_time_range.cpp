// SPDX-License-Identifier: GPL-3.0-or-later
// The selected range of time on the timeline: sums, table, panel, and past steps.
#include <QClipboard>
#include <QGuiApplication>

#include "gui/app/commands/view_menu.h"
#include "gui/views/timeline/timeline_text.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/timeline/timeline_stage.h"

using namespace attn;
using namespace attn::gui;
using attn::gui::test::DrawnText;
using attn::gui::test::RandomRun;
using attn::gui::test::TextRecorder;
using attn::gui::test::TimelineStage;

namespace {

using SumKey = std::pair<LaneKind, SpanClass>;
struct PlainSum {
  uint64_t events = 0, total_ns = 0, tokens = 0;
};

std::map<SumKey, PlainSum> plain_sums(const TimelineModel& model,
                                      const std::vector<TraceEvent>& events, TimeRange range) {
  range.end_ns = std::min(range.end_ns, model.until_ns());
  std::map<SumKey, PlainSum> sums;
  const auto add = [&](LaneKind kind, SpanClass span_class, uint64_t begin, uint64_t end,
                       uint64_t tokens) {
    const bool is_instant = begin == end;
    if (begin >= range.end_ns || (is_instant ? begin < range.begin_ns : end <= range.begin_ns))
      return;
    PlainSum& sum = sums[{kind, span_class}];
    ++sum.events;
    sum.total_ns += std::min(end, range.end_ns) - std::max(begin, range.begin_ns);
    sum.tokens += tokens;
  };
  for (const TraceEvent& event : events) {
    const bool is_step = event.kind == EventKind::kStep;
    const bool is_kernel = event.kind == EventKind::kSchedule || event.kind == EventKind::kKernel ||
                           (event.kind == EventKind::kTask && event.lane == kEngineLane);
    const bool is_work = event.kind == EventKind::kTile || event.kind == EventKind::kTask;
    if (!is_step && !is_kernel && !is_work) continue;
    add(is_step     ? LaneKind::kSteps
        : is_kernel ? LaneKind::kKernels
                    : LaneKind::kWorker,
        class_of(event, SpanClass::kPrefill), event.begin_ns, event.begin_ns + event.duration_ns,
        is_step ? uint64_t{event.b} + event.c : 0);
  }
  for (const TimelineLane* lane : model.lanes()) {
    if (lane->kind != LaneKind::kRequest) continue;
    for (uint64_t i = 0; i < lane->spans.size(); ++i) {
      const LodSpan& span = lane->spans.span(i);
      add(LaneKind::kRequest, static_cast<SpanClass>(span.span_class), span.begin_ns, span.end_ns,
          0);
    }
    if (lane->open && model.end_ns() > range.begin_ns)
      add(LaneKind::kRequest, lane->open->span_class,
          std::max(lane->open->begin_ns, range.begin_ns),
          std::max({lane->open->begin_ns, range.begin_ns, model.end_ns()}), 0);
  }
  return sums;
}

void compare_sums(const TimelineModel& model, const std::vector<TraceEvent>& events,
                  const TimeRange& range) {
  const RangeSums got = range_sums(model, events, range);
  std::map<SumKey, PlainSum> want = plain_sums(model, events, range);
  for (const RangeGroup& group : got.groups) {
    uint64_t count = 0, total_ns = 0, tokens = 0;
    for (const RangeSum& sum : group.classes) {
      const auto found = want.find({group.kind, sum.span_class});
      QVERIFY(found != want.end());
      QCOMPARE(sum.events, found->second.events);
      QCOMPARE(sum.total_ns, found->second.total_ns);
      QCOMPARE(sum.tokens.has_value(), group.kind == LaneKind::kSteps);
      QCOMPARE(sum.tokens.value_or(0), found->second.tokens);
      count += sum.events;
      total_ns += sum.total_ns;
      tokens += sum.tokens.value_or(0);
      want.erase(found);
    }
    QCOMPARE(group.events, count);
    QCOMPARE(group.total_ns, total_ns);
    if (group.kind == LaneKind::kSteps) QCOMPARE(group.tokens.value(), tokens);
  }
  QVERIFY(want.empty());
}

}  // namespace

class TestTimeRange : public QObject {
  Q_OBJECT
 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void sums_are_those_of_every_event() {
    for (uint32_t seed = 0; seed < 6; ++seed) {
      RandomRun run(seed);
      TimelineModel model;
      model.append(run.events, 0);
      model.set_snapshot(run.snapshot);
      for (int round = 0; round < 80; ++round) {
        model.set_past(round % 2 == 0 ? nullptr : run.after(1 + run.pick(40)));
        const TraceEvent& one = run.events[run.pick(run.events.size())];
        const uint64_t begin = round % 3 == 0 ? one.begin_ns : run.pick(run.end_ns());
        const uint64_t end =
            round % 5 == 0 ? one.begin_ns + one.duration_ns : run.pick(run.end_ns() + 100);
        if (const auto range = part_before(range_between(begin, end), model.until_ns()))
          compare_sums(model, run.events, *range);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void sampled_tokens_are_counted_with_the_requests() {
    TimelineStage s;
    const auto sampled = std::count_if(
        s.run.events.begin(), s.run.events.end(),
        [](const TraceEvent& event) { return event.kind == EventKind::kTokenSampled; });
    const RangeSums sums = range_sums(s.canvas.model(), s.run.events, {0, s.run.end_ns() + 1});
    QCOMPARE(sums.groups.back().kind, LaneKind::kRequest);
    QCOMPARE(sums.groups.back().tokens.value(), static_cast<uint64_t>(sampled));
  }

  void shift_drag_selects() {
    TimelineStage s;
    QVERIFY(s.view.range_panel().isHidden());
    const TimelineLayout layout = s.canvas.layout_now();
    const auto end = static_cast<double>(s.run.end_ns());
    for (const double y : {layout.lanes.center().y(), layout.ruler.center().y()}) {
      s.drag(s.canvas, s.at(0.25 * end, y), s.at(0.5 * end, y), Qt::ShiftModifier);
      QVERIFY(s.canvas.range().has_value());
      const double pixel = 1.5 / s.canvas.axis().scale;
      QVERIFY(std::abs(static_cast<double>(s.canvas.range()->begin_ns) - 0.25 * end) < pixel);
      QVERIFY(std::abs(static_cast<double>(s.canvas.range()->end_ns) - 0.5 * end) < pixel);
      QVERIFY(s.canvas.scene_now().range == s.canvas.range());
      QVERIFY(s.view.range_panel().isVisible());
      compare_sums(s.canvas.model(), s.run.events, *s.canvas.range());
      QVERIFY(s.view.range_panel().sums() ==
              range_sums(s.canvas.model(), s.run.events, *s.canvas.range()));
      QTest::keyClick(&s.canvas, Qt::Key_Return);  // zooms to the range
      QVERIFY(s.canvas.axis().visible_end() - s.canvas.axis().visible_begin() < 0.3 * end);
      QTest::keyClick(&s.canvas, Qt::Key_Escape);
      QVERIFY(!s.canvas.range() && s.view.range_panel().isHidden());
      s.canvas.fit_all();
      s.settle();
    }
  }

  void keys_and_menu_set_its_ends() {
    TimelineStage s;
    const double y = s.canvas.layout_now().lanes.center().y();
    const auto end = static_cast<double>(s.run.end_ns());
    const double pixel = 1.5 / s.canvas.axis().scale;
    QTest::mouseMove(&s.canvas, s.at(0.3 * end, y));
    QTest::keyClick(&s.canvas, Qt::Key_BracketLeft);
    QTest::mouseMove(&s.canvas, s.at(0.6 * end, y));
    QTest::keyClick(&s.canvas, Qt::Key_BracketRight);
    QVERIFY(std::abs(static_cast<double>(s.canvas.range()->begin_ns) - 0.3 * end) < pixel);
    QVERIFY(std::abs(static_cast<double>(s.canvas.range()->end_ns) - 0.6 * end) < pixel);
    QTest::mouseMove(&s.canvas, s.at(0.8 * end, y));
    QTest::keyClick(&s.canvas, Qt::Key_BracketLeft);
    QVERIFY(std::abs(static_cast<double>(s.canvas.range()->begin_ns) - 0.8 * end) < pixel);
    QCOMPARE(s.canvas.range()->end_ns, s.run.end_ns() + 1);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&s.canvas, &leave);
    const auto step =
        std::find_if(s.run.events.begin() + 100, s.run.events.end(), [](const TraceEvent& event) {
          return event.kind == EventKind::kStep && event.duration_ns > 0;
        });
    s.canvas.select_event(static_cast<uint32_t>(step - s.run.events.begin()));
    QTest::keyClick(&s.canvas, Qt::Key_BracketLeft);
    QTest::keyClick(&s.canvas, Qt::Key_BracketRight);
    QCOMPARE(*s.canvas.range(), (TimeRange{step->begin_ns, step->begin_ns + step->duration_ns}));

    EngineBridge bridge;
    TimeCursor cursor(bridge);
    const ViewMenuTargets targets{s.selection,
                                  cursor,
                                  [](const QString&) {},
                                  [](const ViewEntry&) {},
                                  [](QMenu& menu) { return menu.addMenu(QString()); },
                                  [] {}};
    const ViewMenu menu(targets, s.view, {400, 100}, nullptr);
    const auto entry = [&](const char* text) {
      for (QAction* action : menu.actions())
        if (action->text() == QString::fromUtf8(text)) return action;
      return static_cast<QAction*>(nullptr);
    };
    for (const char* text : {"Find in the timeline…", "Begin the range here", "End the range here",
                             "Zoom to the range", "Copy the sums of the range", "Clear the range"})
      QVERIFY2(entry(text) && entry(text)->isEnabled(), text);
    entry("Copy the sums of the range")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), s.view.csv());
    entry("Clear the range")->trigger();
    QVERIFY(!s.canvas.range() && !entry("Zoom to the range")->isEnabled());
  }

  void table_is_that_of_the_range() {
    TimelineStage s;
    QCOMPARE(s.view.table_name(), QStringLiteral("timeline"));
    s.canvas.set_range({100, s.run.end_ns() / 2});
    QCOMPARE(s.view.table_name(), QStringLiteral("timeline_range"));
    const QList<QByteArray> rows = s.view.csv().trimmed().split('\n');
    QCOMPARE(rows[0], QByteArray("group,class,events,sum_ns,share_of_range,tokens,range_begin_ns,"
                                 "range_end_ns"));
    const RangeSums sums = *s.view.range_panel().sums();
    qsizetype row = 1;
    for (const RangeGroup& group : sums.groups) {
      const QList<QByteArray> all = rows[row++].split(',');
      QCOMPARE(all[1], QByteArray("all"));
      QCOMPARE(all[2].toULongLong(), group.events);
      for (const RangeSum& sum : group.classes) {
        const QList<QByteArray> cells = rows[row++].split(',');
        QCOMPARE(cells.size(), 8);
        QCOMPARE(cells[0], all[0]);
        QCOMPARE(cells[2].toULongLong(), sum.events);
        QCOMPARE(cells[3].toULongLong(), sum.total_ns);
        QVERIFY(std::abs(cells[4].toDouble() - sums.share(sum.total_ns)) < 1e-6);
        QCOMPARE(cells[5].toULongLong(), sum.tokens.value_or(0));
        QCOMPARE(cells[6].toULongLong(), uint64_t{100});
        QCOMPARE(cells[7].toULongLong(), sums.range.end_ns);
      }
    }
    QCOMPARE(row, rows.size());
  }

  void panel_gives_way() {
    TimelineStage s;
    s.canvas.set_range({100, s.run.end_ns() / 2});
    s.settle();
    RangePanel& panel = s.view.range_panel();
    const auto place = [&](QWidget& widget) {
      return QRect(widget.mapTo(&s.view, QPoint(0, 0)), widget.size());
    };
    QVERIFY(panel.isVisible() && !panel.folded());
    QVERIFY(place(panel).left() >= place(s.canvas).right());
    s.view.resize(500, 420);
    s.settle();
    QVERIFY(panel.isVisible() && panel.folded());
    QVERIFY(place(panel).top() > place(s.canvas).bottom());
    s.view.resize(500, 110);
    s.settle();
    QVERIFY(!panel.isVisible());
    s.view.resize(1100, 420);
    s.settle();
    QVERIFY(panel.isVisible() && !panel.folded());
    for (QToolButton* button : panel.findChildren<QToolButton*>())
      if (button->accessibleName() == QStringLiteral("Fold the table of sums")) button->click();
    s.settle();
    QVERIFY(panel.isVisible() && panel.folded());
  }

  void a_past_step_cuts_it() {
    TimelineStage s;
    const uint64_t step_end = s.run.snapshot->steps->at(19).end_ns;
    s.canvas.set_range({step_end / 2, s.run.end_ns()});
    s.canvas.set_past(s.run.after(20));
    s.settle();
    QCOMPARE(s.canvas.shown_range()->end_ns, step_end);
    QCOMPARE(s.canvas.scene_now().range->end_ns, step_end);
    QCOMPARE(s.view.range_panel().sums()->range.end_ns, step_end);
    compare_sums(s.canvas.model(), s.run.events, *s.canvas.shown_range());
    QVERIFY(!s.view.csv().contains(QByteArray::number(qulonglong(s.run.end_ns()))));
    s.canvas.set_past(s.run.after(2));
    s.settle();
    QVERIFY(!s.canvas.scene_now().range && !s.view.range_panel().sums());
    QCOMPARE(s.view.table_name(), QStringLiteral("timeline"));
    s.canvas.set_past(nullptr);
    QCOMPARE(s.canvas.shown_range()->end_ns, s.run.end_ns());
  }

  void times_of_the_ruler_give_way_to_the_step() {
    TimelineStage s;
    s.canvas.set_past(s.run.after(20));
    s.settle();
    TimelineScene scene = s.canvas.scene_now();
    QVERIFY(scene.cursor);
    const double end = scene.axis.to_pixel(static_cast<double>(scene.cursor->end_ns));
    for (const double hover : {end - 40, end - 15, end, 4.0}) {
      scene.hover_x = hover;
      TextRecorder recorder(s.canvas.size());
      QPainter painter(&recorder);
      TimelinePainter().paint(painter, scene);
      painter.end();
      const auto flag = std::ranges::find(
          recorder.texts(), QStringLiteral("step %1").arg(scene.cursor_step), &DrawnText::text);
      QVERIFY(flag != recorder.texts().end());
      int times = 0;
      for (const DrawnText& text : recorder.texts()) {
        if (text.ink.bottom() > scene.layout.ruler.bottom() || text.text == flag->text) continue;
        ++times;
        QVERIFY2(!text.visible.intersects(flag->visible),
                 qPrintable(QStringLiteral("%1, mouse at %2").arg(text.text).arg(hover)));
      }
      QVERIFY(times >= 2);
    }
  }

  void words_have_the_digits_that_they_need() {
    QCOMPARE(range_words({12000000, 20000000}), QStringLiteral("12 ms – 20 ms: 8 ms"));
    QCOMPARE(range_words({1000000000, 1000000250}), QStringLiteral("1 s – 1.00000025 s: 250 ns"));
    QCOMPARE(range_words({0, 1}), QStringLiteral("0 ns – 1 ns: 1 ns"));
  }

  // The picture is as wide as the page, so that its letters are not made smaller.
  void a_picture_for_a_page_has_the_whole_legend() {
    TimelineStage s;
    const QSize size = s.view.export_size_for(658);
    QCOMPARE(size.width(), 658);
    QVERIFY(size.height() > s.view.export_size().height());
    TextRecorder recorder(size);
    QPainter painter(&recorder);
    s.view.paint_content(painter, QRectF(QPointF(0, 0), QSizeF(size)));
    painter.end();
    QStringList texts;
    for (const DrawnText& text : recorder.texts()) texts.append(text.text);
    for (const SpanClass entry : {SpanClass::kPrefill, SpanClass::kQueued, SpanClass::kSwapped})
      QVERIFY2(texts.contains(text_of(entry)), qPrintable(texts.join(u'|')));
  }
};

ATTN_QT_TEST(test_time_range, attn::gui::test::run<TestTimeRange>)
#include "test_time_range.moc"
