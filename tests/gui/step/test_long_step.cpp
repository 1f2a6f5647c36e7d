// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a long step, runs that are stopped inside or between steps, and steps of one
// tile. A slow pace makes steps long on any machine.
#include "backends/register_all.h"
#include "gui/app/commands/tile_steps.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr double kNearlyStill = 0.01;  // tiles per second

struct LongStep : Workbench {
  LongStep() : Workbench(slow_scenario()) {}
  static Scenario slow_scenario() {
    Scenario scenario = synthetic_scenario(40, 6);
    scenario.engine.backend = "reference";
    return scenario;
  }
  StepProgressBar& progress() { return *window->status_line()->progress(); }
  QString message() { return window->message_bar()->text(); }
  void run_into_a_long_step(int steps) {
    QVERIFY(control.start(true));
    QVERIFY(wait_until_stands(bridge));
    for (int i = 0; i < steps; ++i) {
      bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(bridge));
    }
    bridge.set_pace(kNearlyStill);
    bridge.run();
    QTRY_VERIFY_WITH_TIMEOUT(!progress().text().isEmpty(), 60000);
  }
};

}  // namespace

class TestLongStep : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void it_shows_its_progress_and_stops() {
    LongStep f;
    QVERIFY(f.progress().text().isEmpty());
    f.run_into_a_long_step(0);
    QTRY_VERIFY_WITH_TIMEOUT(
        f.progress().text().startsWith(QStringLiteral("step 1: layer 0 (0..1), attention ")),
        60000);
    QVERIFY(f.window->status_line()->text().contains(f.progress().text()));
    f.bridge.pause();
    QTRY_VERIFY_WITH_TIMEOUT(f.progress().text().isEmpty(), 60000);
    f.bridge.run();
    QTRY_VERIFY_WITH_TIMEOUT(!f.progress().text().isEmpty(), 60000);

    f.progress().stop_button()->click();
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kCancelled));
    QVERIFY(f.progress().text().isEmpty());
    QVERIFY(f.bridge.snapshot()->steps->empty());
    QVERIFY2(f.message().startsWith(
                 QStringLiteral("The run was stopped in step 1, layer 0 (0..1), attention ")),
             qPrintable(f.message()));
    QVERIFY2(f.message().contains(QStringLiteral("No step had ended before. To get further, take")),
             qPrintable(f.message()));
    QVERIFY(!f.window->actions().stop->isEnabled());

    QVERIFY(f.control.start());
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    QCOMPARE(f.bridge.snapshot()->steps->size(), 6u);
    QVERIFY2(!f.message().contains(QStringLiteral("stopped")), qPrintable(f.message()));
  }

  void a_step_by_tiles_is_one_of_the_shown_head() {
    Scenario scenario = synthetic_scenario(40, 6);
    scenario.view.pace_tiles_per_s = 1;
    Workbench w(scenario);
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    w.bridge.set_pace(0);
    w.selection.show(0, 0, 3);
    TileSteps steps(w.control, w.selection, nullptr);
    const auto of_head = [&] {
      return std::ranges::count_if(w.bridge.events(), [](const TraceEvent& event) {
        if (event.kind != EventKind::kTile) return false;
        const TileEvent tile = unpack_tile(event);
        return tile.head <= 3 && tile.head + tile.heads > 3;
      });
    };
    for (int turn = 1; turn <= 5; ++turn) {
      steps.next(Granularity::kTile);
      QTRY_COMPARE(static_cast<int>(of_head()), turn);
      QVERIFY(wait_until_stands(w.bridge));
      QCOMPARE(w.selection.shown_head(), int64_t{3});
    }
    steps.stop();
  }

  void the_steps_before_it_are_kept() {
    LongStep f;
    f.run_into_a_long_step(2);
    QVERIFY2(f.progress().text().startsWith(QStringLiteral("step 3: ")),
             qPrintable(f.progress().text()));
    f.window->actions().stop->trigger();
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kCancelled));
    QVERIFY2(f.message().contains(QStringLiteral("in step 3, ")) &&
                 f.message().contains(QStringLiteral("Steps 1 to 2 are kept.")),
             qPrintable(f.message()));
    QCOMPARE(f.bridge.snapshot()->step, 2u);
    QCOMPARE(f.window->cursor().range(), (StepHistory::Range{1, 2}));
    f.window->cursor().go_to(1);
    const auto& past = f.window->cursor().snapshot();
    QCOMPARE(past->requests[0].num_computed, 40);
    QVERIFY(past->requests[0].attention->row_done(1, 3, 39));
    QVERIFY(!past->requests[0].attention->row_done(0, 0, 41));
  }

  void a_run_between_two_steps_stops_too() {
    LongStep f;
    QVERIFY(f.control.start(true));
    QVERIFY(wait_until_stands(f.bridge));
    f.control.stop();
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kCancelled));
    QVERIFY2(f.message().startsWith(QStringLiteral("The run was stopped, but not inside a step.")),
             qPrintable(f.message()));
    f.control.stop();
    QCOMPARE(f.window->message_bar()->count(), 1);
  }

  // The time bar names the last step that has ended, and the layer the step under way.
  void the_layer_names_its_step() {
    LongStep f;
    QVERIFY(f.control.start(true));
    for (const Granularity unit : {Granularity::kStep, Granularity::kTile}) {
      QVERIFY(wait_until_stands(f.bridge));
      f.bridge.step(unit);
    }
    QVERIFY(wait_until_stands(f.bridge));
    QTRY_VERIFY2(f.window->status_line()->text().contains(QStringLiteral("step 2: layer 0 (0..1)")),
                 qPrintable(f.window->status_line()->text()));
    QVERIFY(f.window->status_line()->text().startsWith(QStringLiteral("step 1 | ")));

    // At once, not only after the delay of a running step: the shown step has no layer under way.
    f.window->cursor().go_to(1);
    QVERIFY2(!f.window->status_line()->text().contains(QStringLiteral("layer")),
             qPrintable(f.window->status_line()->text()));
  }

  // Also at the moment at which a step has ended, not only after the next refresh.
  void the_layer_is_of_the_step_after_that_of_the_time_bar() {
    static const QRegularExpression kEnded(QStringLiteral("^step (\\d+) \\|")),
        kUnderWay(QStringLiteral("\\| step (\\d+): layer"));
    QStringList wrong;
    int ends = 0;
    LongStep f;
    connect(&f.window->cursor(), &TimeCursor::range_changed, this, [&] {
      const QString text = f.window->status_line()->text();
      const auto ended = kEnded.match(text), under_way = kUnderWay.match(text);
      ends += ended.hasMatch();
      if (under_way.hasMatch() && under_way.captured(1).toInt() != ended.captured(1).toInt() + 1)
        wrong << text;
    });
    QVERIFY(f.control.start(true));
    QVERIFY(wait_until_stands(f.bridge));
    for (int step = 1; step <= 3; ++step) {
      f.bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(f.bridge));
      f.bridge.step(Granularity::kTile);
      QVERIFY(wait_until_stands(f.bridge));
      QTRY_VERIFY2(f.window->status_line()->text().contains(
                       QStringLiteral("step %1: layer 0").arg(step + 1)),
                   qPrintable(f.window->status_line()->text()));
    }
    QVERIFY(ends >= 3);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
  }

  // To wait for the end of the slow step would take many minutes.
  void restart_and_another_scenario_do_not_wait() {
    LongStep f;
    f.run_into_a_long_step(1);
    QVERIFY(f.control.start());
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    QVERIFY2(!f.message().contains(QStringLiteral("stopped")), qPrintable(f.message()));
    f.run_into_a_long_step(1);
    f.control.edit(synthetic_scenario(9, 2));
    QVERIFY(f.control.start());
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    f.control.edit(LongStep::slow_scenario());
    f.run_into_a_long_step(1);
    f.window->close();
  }
};

ATTN_QT_TEST(test_long_step, attn::gui::test::run<TestLongStep>)
#include "test_long_step.moc"
