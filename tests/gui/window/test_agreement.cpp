// SPDX-License-Identifier: GPL-3.0-or-later
// Views that agree at each step; classes of steps; the snapshot published during a prefill.
#include "backends/register_all.h"
#include "engine/session/run/engine.h"
#include "gui/models/request_model.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/blocks/blocks_scene.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int64_t kPrompt = 20, kNew = 12;

Scenario chunked() {
  Scenario scenario = synthetic_scenario(kPrompt, kNew);
  scenario.requests.push_back(scenario.requests.front());
  scenario.requests.back().name = "B";
  scenario.requests.back().prompt_tokens = 30;
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.extended = true;
  scenario.engine.max_num_batched_tokens = 16;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 32;
  return scenario;
}

}  // namespace

class TestAgreement : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  // The request that is looked at stays when the scenario runs again. If the new run has none of
  // its name, Workload goes to the first request with the other views.
  void the_shown_request_stays_when_the_scenario_runs_again() {
    Workbench w(chunked());
    const auto run = [&] {
      return w.control.start() && wait_until_phase(w.bridge, EnginePhase::kFinished);
    };
    const auto row = [&] { return w.window->workload()->table()->currentIndex().row(); };
    QVERIFY(run());
    w.selection.show(1, 1, 2);
    w.selection.select({.kind = SelectionKind::kBlock, .block = 2});
    QVERIFY(run());
    QCOMPARE(w.selection.shown_request(), int64_t{1});
    QCOMPARE(w.window->view<HeatmapView>()->scene().request_name, QStringLiteral("B"));
    QTRY_COMPARE(row(), 1);
    Scenario renamed = w.control.scenario();
    renamed.requests.back().name = "C";
    w.control.edit(renamed);
    QVERIFY(run());
    QCOMPARE(w.selection.shown_request(), int64_t{0});
    QTRY_COMPARE(row(), 0);
    QCOMPARE(w.window->workload()->form()->request_index(), 0);
  }

  // What was selected and shown goes before a view is told of the new run: with Tiles in front, the
  // layer of the old run was read from the record of the new one.
  void a_run_with_fewer_layers_can_follow_a_selection() {
    Scenario large = synthetic_scenario(kPrompt, kNew), small = synthetic_scenario(8, 2);
    large.source.synthetic->num_layers = 6;
    small.source.synthetic->num_layers = small.source.synthetic->num_heads =
        small.source.synthetic->num_kv_heads = 1;
    Workbench w(large);
    const auto run = [&](const Scenario& scenario) {
      w.control.edit(scenario);
      return w.control.start() && wait_until_phase(w.bridge, EnginePhase::kFinished);
    };
    const std::vector<SelectionState> things{
        {.kind = SelectionKind::kCell, .request = 0, .layer = 5, .head = 3, .query = 12, .key = 3},
        {.kind = SelectionKind::kBlock, .block = 0},
        {.kind = SelectionKind::kToken, .request = 0, .query = 11}};
    QTabWidget* tabs = w.window->attention_tabs();
    for (int tab = 0; tab < tabs->count(); ++tab)
      for (const SelectionState& thing : things) {
        QVERIFY(run(large));
        tabs->setCurrentIndex(tab);
        w.selection.show(0, 5, 3);
        w.selection.select(thing);
        QCoreApplication::processEvents();
        const QMetaObject::Connection check = connect(&w.selection, &Selection::changed, this, [&] {
          QVERIFY(w.selection.shown_layer() == 0 && w.selection.shown_request() < 0);
        });
        QVERIFY(run(small));
        disconnect(check);
        QCOMPARE(w.selection.shown_layer(), int64_t{0});
        QVERIFY(w.selection.state().kind == SelectionKind::kNothing);
      }
  }

  void views_agree_at_every_step() {
    Workbench w(chunked());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    TimeCursor& cursor = w.window->cursor();
    const QAbstractItemModel& list = *w.window->workload()->table()->model();
    const auto cell = [&](int row, int column) {
      return list.index(row, column).data().toString();
    };
    auto& heatmap = *w.window->view<HeatmapView>();
    const BlocksCanvas& blocks = w.window->view<BlocksView>()->canvas();
    const QString at_the_end = cell(0, RequestModel::kBlocks);
    bool had_blocks = false;
    for (uint32_t step = 1; step <= cursor.range().last; ++step) {
      cursor.go_to(step);
      const EngineSnapshot& then = *cursor.snapshot();
      for (int row = 0; row < list.rowCount(); ++row) {
        const RequestView& request = then.requests[static_cast<size_t>(row)];
        const auto held = static_cast<qsizetype>(request.own_table.blocks.size());
        had_blocks |= held > 0;
        QCOMPARE(cell(row, RequestModel::kBlocks), QString::number(held));
        QCOMPARE(cell(row, RequestModel::kGenerated),
                 QString::number(static_cast<qsizetype>(request.tokens->size()) -
                                 static_cast<qsizetype>(request.prompt_len)));
        QCOMPARE(cell(row, RequestModel::kState), state_words(request));
      }
      QCOMPARE(blocks.scene().snapshot->blocks, then.blocks);
      for (const RequestView& request : then.requests) {
        w.selection.show(request.id, 0, 0);
        QCOMPARE(heatmap.rows(), std::max(request.prompt_len, request.num_computed));
        QVERIFY(std::isnan(heatmap.shown_value(request.num_computed, 0)));
      }
    }
    QVERIFY(had_blocks);
    cursor.go_live();
    QCOMPARE(cell(0, RequestModel::kBlocks), at_the_end);
    QCOMPARE(at_the_end, QStringLiteral("0"));
  }

  void a_mixed_step_is_both() {
    Workbench w(chunked());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    auto& timeline = *w.window->view("timeline")->findChild<TimelineCanvas*>();
    const TimelineModel& model = *timeline.scene_now().model;
    int mixed = 0;
    for (const TimelineLane* lane : model.lanes()) {
      if (lane->kind != LaneKind::kSteps) continue;
      for (uint64_t i = 0; i < lane->spans.size(); ++i) {
        const TraceEvent& step = w.bridge.events()[lane->spans.span(i).event];
        const auto shown = static_cast<SpanClass>(lane->spans.span(i).span_class);
        QCOMPARE(shown, step.b == 0   ? SpanClass::kDecode
                        : step.c == 0 ? SpanClass::kPrefill
                                      : SpanClass::kMixed);
        mixed += shown == SpanClass::kMixed;
      }
    }
    QVERIFY(mixed > 0);
  }

  void a_prefill_is_no_waiting() {
    Scenario scenario = synthetic_scenario(512, 1);
    scenario.engine.threads = 1;
    Mailbox<EngineSnapshot> published;
    std::shared_ptr<const EngineSnapshot> during;
    EngineOptions options;
    options.snapshots = &published;
    Engine* running = nullptr;
    EngineSnapshot inside;
    options.forward = [&](const AttentionInputs& inputs, const AttentionMetadata&,
                          const AttentionOutputs&, const Execution&) {
      if (inputs.layer == 0 && !during) {
        during = published.latest();
        inside = running->snapshot(EnginePhase::kRunning);
      }
      return true;
    };
    Engine engine(scenario, std::move(options));
    running = &engine;
    QVERIFY(engine.step());
    QVERIFY(during);
    QCOMPARE(during->requests.front().state, RequestState::kRunning);
    QCOMPARE(during->requests.front().own_table.blocks.size(), size_t{512 / 16});
    for (const int32_t block : inside.requests.front().own_table.blocks) {
      QCOMPARE(inside.blocks[static_cast<size_t>(block)].last_write_step, 1u);
      QCOMPARE(inside.blocks[static_cast<size_t>(block)].filled, 16);
    }
  }
};

ATTN_QT_TEST(test_agreement, attn::gui::test::run<TestAgreement>)
#include "test_agreement.moc"
