// SPDX-License-Identifier: GPL-3.0-or-later
// The time cursor: what views show at its step, and keys, buttons, slider and ruler that move it.
#include "gui/models/time_cursor.h"

#include <QSignalSpy>
#include <cmath>
#include <map>

#include "backends/register_all.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct Window : Workbench {
  using Workbench::Workbench;
  TimeCursor& cursor() { return window->cursor(); }
  TimeBar& bar() { return *window->status_line()->time_bar(); }
  HeatmapView& heatmap() { return *window->view<HeatmapView>(); }
  BlocksCanvas& blocks() { return window->view<BlocksView>()->canvas(); }
  TimelineCanvas& timeline() { return *window->view("timeline")->findChild<TimelineCanvas*>(); }
};

// 40 tokens of prompt, then one per step: after step s there are 40 + s - 1 rows.
constexpr int64_t kPromptTokens = 40, kNewTokens = 30;

void run_to_end(Window& f) {
  f.control.start();
  QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
  QCOMPARE(f.cursor().range(), (StepHistory::Range{1, kNewTokens}));
}

}  // namespace

class TestTimeCursor : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_step_of_the_cursor_has_ended() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    const std::vector<TraceEvent>& events = f.bridge.events();
    for (const StepRecord& record : *f.bridge.snapshot()->steps) {
      const auto step = std::ranges::find_if(events, [&](const TraceEvent& event) {
        return event.kind == EventKind::kStep && event.a == record.step;
      });
      QVERIFY(step != events.end());
      QCOMPARE(step->begin_ns + step->duration_ns, record.end_ns);
    }
    f.cursor().go_to(7);
    f.timeline().fit_all();
    const auto& lanes = f.timeline().model().lanes();
    const auto steps = std::ranges::find(lanes, LaneKind::kSteps, &TimelineLane::kind);
    QVERIFY(steps != lanes.end());
    const double y =
        f.timeline().layout_now().lane_top(static_cast<int>(steps - lanes.begin())) + 6;
    int ended = 0;
    for (double x = 0; x < f.timeline().width(); x += 2)
      if (const QString tip = f.timeline().tooltip_at({x, y});
          tip.contains(QStringLiteral("step"))) {
        QVERIFY2(!tip.contains(QStringLiteral("So far")), qPrintable(tip));
        ended += tip.contains(QStringLiteral("Duration"));
      }
    QVERIFY(ended > 7);
  }

  void all_views_show_the_step() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    QVERIFY(f.cursor().is_live());
    QCOMPARE(f.bar().text(), QStringLiteral("step 30"));
    for (const uint32_t step : {5u, 17u, 1u, 30u, 12u}) {
      f.cursor().go_to(step);
      QCOMPARE(f.cursor().step(), step);
      QVERIFY(!f.cursor().is_live());
      const int64_t rows = kPromptTokens + static_cast<int64_t>(step) - 1;
      const EngineSnapshot& shown = *f.cursor().snapshot();
      QCOMPARE(shown.step, step);
      QCOMPARE(shown.requests[0].num_computed, rows);
      const AttentionRecord& record = *f.bridge.snapshot()->requests[0].attention;
      float expected = 0;
      record.weights(0, 0, rows - 1, 1, 3, 1, &expected);
      QTRY_COMPARE(f.heatmap().shown_value(rows - 1, 3), expected);
      QVERIFY(std::isnan(f.heatmap().shown_value(rows, 3)));
      QCOMPARE(f.heatmap().table()().count('\n'), rows + 1);
      const QByteArray heads = f.window->view<HeadGridView>()->table()();
      QCOMPARE(heads.split('\n')[1].split(',')[3].toLongLong(), rows);
      const QList<QByteArray> lines = f.window->view<HeadLinesView>()->table()().split('\n');
      QCOMPARE(lines[lines.size() - 2].split(',')[2].toLongLong(), rows - 1);
      QCOMPARE(f.blocks().scene().snapshot->step, step);
      QCOMPARE(f.blocks().scene().snapshot->blocks, shown.blocks);
      const StepRecord& record_of_step = (*f.bridge.snapshot()->steps)[step - 1];
      const auto& band = f.timeline().scene_now().cursor;
      QVERIFY(band.has_value());
      QCOMPARE(band->begin_ns, record_of_step.begin_ns);
      QCOMPARE(band->end_ns, record_of_step.end_ns);
      QCOMPARE(f.bar().text(), QStringLiteral("step %1 of 30").arg(step));
      QCOMPARE(f.bar().slider()->value(), static_cast<int>(step));
    }
    f.cursor().go_live();
    QVERIFY(!f.timeline().scene_now().cursor);
    QCOMPARE(f.blocks().scene().snapshot, f.bridge.snapshot());
    QTRY_VERIFY(!std::isnan(f.heatmap().shown_value(kPromptTokens + 20, 3)));
  }

  void tiles_are_those_of_the_step() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    TilesView& tiles = *f.window->view<TilesView>();
    f.window->show_attention(&tiles);
    const size_t all = tiles.scene().tiles.size();
    const QByteArray table = tiles.csv();
    for (const uint32_t step : {1u, 12u, 30u, 5u}) {
      tiles.show_tiles(1);
      f.cursor().go_to(step);
      const StepRecord& record = (*f.bridge.snapshot()->steps)[step - 1];
      const TilesScene& scene = tiles.scene();
      QCOMPARE(scene.past_step, std::optional(step));
      size_t until = 0, own = 0;
      for (const TraceEvent& event : f.bridge.events()) {
        if (event.kind != EventKind::kTile || event.layer != 0) continue;
        const TileEvent tile = unpack_tile(event);
        if (tile.head > 0 || event.begin_ns + event.duration_ns > record.end_ns) continue;
        ++until;
        own += event.begin_ns >= record.begin_ns;
      }
      QVERIFY(own > 0);
      QCOMPARE(scene.tiles.size(), until);
      QCOMPARE(scene.shown, until);
      QCOMPARE(scene.step_first, until - own);
      QCOMPARE(tiles.slider()->maximum(), static_cast<int>(until));
      QCOMPARE(tiles.csv().count('\n'), static_cast<qsizetype>(until) + 1);
      const int64_t rows = kPromptTokens + static_cast<int64_t>(step) - 1;
      QCOMPARE(scene.seq_len, rows);
      QCOMPARE(scene.row, rows - 1);
      QCOMPARE(scene.blocks, f.cursor().snapshot()->requests[0].own_table.blocks);
      QVERIFY(scene.lse_known);
      QVERIFY(std::abs(scene.softmax.max + std::log(scene.softmax.sum) - scene.lse) < 1e-5f);
      tiles.show_tiles(until - 1);
      QCOMPARE(tiles.scene().shown, until - 1);
      tiles.show_tiles(all);
      QCOMPARE(tiles.scene().shown, until);
    }
    f.cursor().go_live();
    QCOMPARE(tiles.scene().tiles.size(), all);
    QVERIFY(!tiles.scene().past_step);
    QCOMPARE(tiles.csv(), table);
  }

  void compare_is_not_of_a_step() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    const auto headers = f.window->findChildren<PanelHeader*>();
    const PanelHeader* header = *std::ranges::find_if(
        headers, [](const PanelHeader* one) { return one->title() == QStringLiteral("Compare"); });
    f.cursor().go_to(7);
    QVERIFY2(header->toolTip().contains(QStringLiteral("not only step 7")),
             qPrintable(header->toolTip()));
    f.cursor().go_live();
    QVERIFY(header->toolTip().isEmpty());
  }

  void head_scores_are_those_of_the_step() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    HeadGridView& heads = *f.window->view<HeadGridView>();
    f.window->show_attention(&heads);
    const AttentionRecord& record = *f.bridge.snapshot()->requests[0].attention;
    const RepeatedTokens repeated = repeated_tokens_of(f.bridge.snapshot()->requests[0]);
    for (const uint32_t step : {30u, 2u, 19u, 7u}) {
      f.cursor().go_to(step);
      const int64_t rows = kPromptTokens + static_cast<int64_t>(step) - 1;
      QVERIFY(heads.stats().wait(std::chrono::seconds(20)));
      const HeadGridScene& scene = heads.canvas().scene();
      QCOMPARE(scene.past_step, step);
      QCOMPARE(scene.heads.rows, rows);
      for (int64_t head = 0; head < scene.count(); ++head) {
        HeadReading expected;
        read_head(
            record, scene.layer_of(head), scene.head_of(head), rows, repeated, [] { return false; },
            expected);
        const auto& summary = heads.stats().summaries()[static_cast<size_t>(head)];
        QVERIFY(summary && summary->reading.scores == expected.scores);
        QCOMPARE(summary->thumb_rows, rows);
      }
    }
  }

  void inspector_says_what_was_not_there() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    f.selection.select({.kind = SelectionKind::kCell,
                        .request = 0,
                        .layer = 0,
                        .head = 0,
                        .query = kPromptTokens + 10,
                        .key = 2});
    const auto text = [&] { return f.window->inspector()->content().to_text(); };
    const QString now = text();
    QVERIFY(now.contains(QStringLiteral("weight")));
    f.cursor().go_to(3);
    QVERIFY2(text().contains(QStringLiteral("Not computed at step 3.")), qPrintable(text()));
    f.cursor().go_to(12);
    QVERIFY2(text().contains(QStringLiteral("weight")), qPrintable(text()));
    f.cursor().go_live();
    QCOMPARE(text(), now);
  }

  void keys_buttons_and_slider_move_it() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    QVERIFY(!f.bar().slider()->isEnabled());
    run_to_end(f);
    QSignalSpy moved(&f.cursor(), &TimeCursor::moved);
    f.heatmap().setFocus();
    QTest::keyClick(&f.heatmap(), Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(f.cursor().step(), 29u);
    QTest::keyClick(&f.heatmap(), Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(f.cursor().step(), 1u);
    QTest::keyClick(&f.heatmap(), Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(f.cursor().step(), 1u);
    QTest::keyClick(&f.heatmap(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(f.cursor().step(), 2u);
    QTest::keyClick(&f.heatmap(), Qt::Key_End, Qt::ControlModifier);
    QVERIFY(f.cursor().is_live());
    QCOMPARE(moved.count(), 4);
    QTest::mouseClick(f.bar().live(), Qt::LeftButton);
    QVERIFY(!f.cursor().is_live());
    QCOMPARE(f.cursor().step(), 30u);
    QTest::keyClick(f.bar().slider(), Qt::Key_PageDown);
    QCOMPARE(f.cursor().step(), 20u);
    QTest::mouseClick(f.bar().live(), Qt::LeftButton);
    QVERIFY(f.cursor().is_live() && f.bar().live()->isChecked());
    f.cursor().go_to(30);
    f.cursor().move(1);
    QVERIFY(f.cursor().is_live());
  }

  void next_goes_to_the_newest_step() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    f.control.start(true);
    QVERIFY(wait_until_stands(f.bridge));
    f.bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(f.bridge));
    f.bridge.step(Granularity::kStep);
    QTRY_COMPARE(f.cursor().range().last, 2u);
    QVERIFY(wait_until_stands(f.bridge));
    f.cursor().go_to(1);
    QVERIFY(!f.cursor().is_live());
    QTest::keyClick(&f.heatmap(), Qt::Key_N);
    QVERIFY(f.cursor().is_live());
  }

  void ruler_of_the_timeline_moves_it() {
    Window f(synthetic_scenario(kPromptTokens, kNewTokens));
    run_to_end(f);
    f.timeline().fit_all();
    const TimelineLayout layout = f.timeline().layout_now();
    const StepRecord& wanted = (*f.bridge.snapshot()->steps)[14];
    const auto at = [&](const StepRecord& step) {
      const double middle = 0.5 * static_cast<double>(step.begin_ns + step.end_ns);
      return QPoint(
          static_cast<int>(std::lround(layout.ruler.left() + f.timeline().axis().to_pixel(middle))),
          static_cast<int>(layout.ruler.center().y()));
    };
    const auto step_at = [&](const QPoint& point) {
      const double time = f.timeline().axis().to_content(point.x() - layout.ruler.left());
      uint32_t step = 0;
      for (const StepRecord& record : *f.bridge.snapshot()->steps)
        if (static_cast<double>(record.begin_ns) <= time) step = record.step;
      return step;
    };
    QTest::mousePress(&f.timeline(), Qt::LeftButton, {}, at(wanted));
    QCOMPARE(f.cursor().step(), step_at(at(wanted)));
    const StepRecord& last = f.bridge.snapshot()->steps->back();
    QTest::mouseMove(&f.timeline(), at(last));
    QCOMPARE(f.cursor().step(), step_at(at(last)));
    QTest::mouseRelease(&f.timeline(), Qt::LeftButton, {}, at(last));
    QVERIFY(!f.timeline().range());
    const uint32_t there = f.cursor().step();
    QTest::mouseMove(&f.timeline(), at(wanted));
    QCOMPARE(f.cursor().step(), there);
  }

  void blocks_have_the_prefix_tree_of_the_step() {
    Scenario scenario = synthetic_scenario(kPromptTokens, kNewTokens);
    scenario.engine.enable_prefix_caching = true;
    scenario.engine.extended = true;
    scenario.engine.block_size = 16;
    Window f(scenario);
    run_to_end(f);
    f.blocks().set_parts(true, true, true);
    for (const uint32_t step : {30u, 1u, 8u, 9u, 24u, 25u}) {
      f.cursor().go_to(step);
      const BlocksScene& scene = f.blocks().scene();
      QVERIFY(scene.tree_shown());
      QCOMPARE(scene.tree.nodes().size(), static_cast<size_t>(kPromptTokens + step - 1) / 16);
      QCOMPARE(scene.tree.nodes()[0].holders.size(), size_t(step < 30 ? 1 : 0));
    }
  }

  void stays_while_the_run_goes_on() {
    Window f(synthetic_scenario(kPromptTokens, 400));
    f.control.start(true);
    QVERIFY(wait_until_stands(f.bridge));
    for (int i = 0; i < 4; ++i) {
      f.bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(f.bridge));
    }
    f.cursor().go_to(2);
    const auto shown = f.blocks().scene().snapshot;
    f.bridge.run();
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    QCOMPARE(f.cursor().step(), 2u);
    QCOMPARE(f.blocks().scene().snapshot, shown);
    QCOMPARE(f.cursor().range().last, 400u);
    QCOMPARE(f.bar().slider()->maximum(), 400);
    QSignalSpy begun(&f.bridge, &EngineBridge::run_started);
    f.control.start();
    QVERIFY(begun.wait(60000));
    QVERIFY(f.cursor().is_live());
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
  }
};

ATTN_QT_TEST(test_time_cursor, attn::gui::test::run<TestTimeCursor>)
#include "test_time_cursor.moc"
