// SPDX-License-Identifier: GPL-3.0-or-later
// EngineBridge, Selection, RunControl and RequestModel, without a window.
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "gui/models/request_model.h"
#include "gui/models/selection.h"
#include "qt_test_main.h"
#include "run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestBridge : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void no_event_is_lost_and_the_timer_stops() {
    EngineBridge bridge;
    QSignalSpy started(&bridge, &EngineBridge::run_started);
    QSignalSpy appended(&bridge, &EngineBridge::events_appended);
    QSignalSpy rows(&bridge, &EngineBridge::attention_changed);
    bridge.start(synthetic_scenario(100, 20));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QVERIFY(started.count() >= 1);
    QVERIFY(rows.count() >= 1);
    const TraceCounts counts = bridge.trace_counts();
    QCOMPARE(counts.pushed, counts.recorded + counts.dropped);
    QCOMPARE(counts.dropped, uint64_t{0});
    QCOMPARE(bridge.events().size(), size_t(counts.recorded));
    qint64 next = -1;
    for (const QList<QVariant>& range : appended) {
      if (range[0].toLongLong() != 0 && next >= 0) QCOMPARE(range[0].toLongLong(), next);
      next = range[1].toLongLong();
    }
    QCOMPARE(next, qint64(bridge.events().size()));
    // 20 tokens: the first one from the prefill, then one per step.
    QCOMPARE(bridge.snapshot()->generated_tokens, int64_t{20});
    QCOMPARE(count_events(bridge, EventKind::kStep), int64_t{20});
    QVERIFY(QTest::qWaitFor([&] { return !bridge.timer_active(); }, 60000));
  }

  void a_held_bridge_announces_nothing() {
    EngineBridge bridge;
    bridge.hold(true);
    bridge.start(synthetic_scenario(10, 2));
    QVERIFY(bridge.runner().wait_finished(std::chrono::seconds(60)));
    QTest::qWait(50);
    QVERIFY(!bridge.timer_active() && !bridge.snapshot());
    bridge.hold(false);
    QTRY_VERIFY(bridge.snapshot() && bridge.snapshot()->phase == EnginePhase::kFinished);
  }

  void a_new_run_forgets_the_old_one() {
    EngineBridge bridge;
    bridge.start(synthetic_scenario(60, 8));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    const uint64_t first = bridge.snapshot()->run;
    bridge.start(synthetic_scenario(30, 4));
    QVERIFY(QTest::qWaitFor(
        [&] {
          return bridge.snapshot()->run != first &&
                 bridge.snapshot()->phase == EnginePhase::kFinished;
        },
        60000));
    bridge.catch_up();
    QCOMPARE(count_events(bridge, EventKind::kStep), int64_t{4});
    QCOMPARE(bridge.snapshot()->generated_tokens, int64_t{4});
  }

  void what_listeners_do_counts_against_the_budget() {
    EngineBridge bridge;
    std::vector<QChar> order;
    const auto busy = [&order](QChar what) {
      order.push_back(what);
      QTest::qSleep(4);
    };
    connect(&bridge, &EngineBridge::events_appended, this, [&] { busy(QLatin1Char('e')); });
    connect(&bridge, &EngineBridge::snapshot_changed, this, [&] { busy(QLatin1Char('s')); });
    connect(&bridge, &EngineBridge::attention_changed, this, [&] { busy(QLatin1Char('a')); });
    bridge.start(synthetic_scenario(400, 200));
    QVERIFY(bridge.runner().wait_finished(std::chrono::seconds(60)));
    const uint64_t recorded = bridge.runner().recorder()->counts().pushed;
    QString all;
    for (int tick = 0; tick < 1000 && (all.count(QLatin1Char('a')) == 0 || tick < 8); ++tick) {
      order.clear();
      bridge.tick();
      QVERIFY2(order.size() <= 1, qPrintable(QString::number(order.size())));
      if (!order.empty()) all += order.front();
    }
    QVERIFY2(recorded > 2 * 2048, qPrintable(QString::number(recorded)));
    QVERIFY2(all.startsWith(QLatin1String("saee")), qPrintable(all));
    bridge.catch_up();
    QCOMPARE(bridge.events().size(), size_t(bridge.trace_counts().recorded));
  }

  void pause_step_and_cancel() {
    EngineBridge bridge;
    bridge.start(synthetic_scenario(64, 64), true);
    QVERIFY(wait_until_stands(bridge));
    QCOMPARE(count_events(bridge, EventKind::kTile), int64_t{0});
    for (int64_t tile = 1; tile <= 5; ++tile) {
      bridge.step(Granularity::kTile);
      QVERIFY(wait_until_stands(bridge));
      QCOMPARE(count_events(bridge, EventKind::kTile), tile);
    }
    bridge.cancel();
    QVERIFY(bridge.runner().wait_finished(std::chrono::seconds(60)));
    bridge.catch_up();
    QCOMPARE(bridge.snapshot()->phase, EnginePhase::kCancelled);
    QCOMPARE(count_events(bridge, EventKind::kTile), int64_t{5});
  }

  void pace_slows_the_run() {
    EngineBridge bridge;
    Scenario scenario = synthetic_scenario(16, 8);
    scenario.view.pace_tiles_per_s = 50;
    QElapsedTimer clock;
    clock.start();
    bridge.start(scenario);
    // How much slower than the pace depends on the machine.
    QVERIFY(QTest::qWaitFor([&] { return count_events(bridge, EventKind::kTile) >= 20; }, 60000));
    bridge.pause();
    QVERIFY(wait_until_stands(bridge));
    const double most = 50.0 * static_cast<double>(clock.elapsed()) / 1000.0 + 2;
    const auto tiles = static_cast<double>(count_events(bridge, EventKind::kTile));
    QVERIFY2(tiles <= most, qPrintable(QStringLiteral("%1 of at most %2").arg(tiles).arg(most)));
  }

  void selection_shows_what_it_names() {
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed),
        shown(&selection, &Selection::shown_changed);
    selection.select(
        {.kind = SelectionKind::kCell, .request = 3, .layer = 2, .head = 1, .query = 7, .key = 5});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(shown.count(), 1);
    QCOMPARE(selection.shown_request(), int64_t{3});
    selection.select(selection.state());
    QCOMPARE(changed.count(), 1);
    selection.select({.kind = SelectionKind::kBlock, .block = 9});
    QCOMPARE(selection.shown_layer(), int64_t{2});
    QCOMPARE(shown.count(), 1);
    selection.clear();
    QVERIFY(selection.state().kind == SelectionKind::kNothing);
  }

  void request_model_follows_the_run() {
    EngineBridge bridge;
    RunControl control(bridge);
    RequestModel model(control);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Scenario scenario = synthetic_scenario(40, 6);
    scenario.requests.push_back(scenario.requests.front());
    scenario.requests.back().name = "B";
    control.edit(scenario);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, RequestModel::kState).data().toString(), QStringLiteral("Planned"));
    QVERIFY(control.start());
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QCOMPARE(model.index(0, RequestModel::kName).data().toString(), QStringLiteral("A"));
    QCOMPARE(model.index(1, RequestModel::kPrompt).data().toString(), QStringLiteral("40"));
    QCOMPARE(model.index(1, RequestModel::kGenerated).data().toString(), QStringLiteral("6"));
    QCOMPARE(model.request_at(1), int64_t{1});

    ScenarioRequest third = scenario.requests.front();
    third.name = "C";
    third.max_tokens = 3;
    QVERIFY(control.add_request(third));
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return model.index(2, RequestModel::kGenerated).data().toString() == QStringLiteral("3");
        },
        60000));
    control.remove_request(0);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, RequestModel::kName).data().toString(), QStringLiteral("C"));
    QVERIFY(control.has_changes());
  }

  void edits_before_a_new_request_still_count() {
    EngineBridge bridge;
    RunControl control(bridge);
    Scenario scenario = synthetic_scenario(40, 6);
    control.edit(scenario);
    QVERIFY(control.start());
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QVERIFY(control.add_request(scenario.requests.front()));
    QVERIFY(!control.has_changes());
    scenario = control.scenario();
    const int64_t seats = scenario.engine.max_num_seqs;
    scenario.engine.max_num_seqs += 1;
    control.edit(scenario);
    QVERIFY(control.add_request(scenario.requests.front()));
    control.set_pace(10);
    QVERIFY(control.has_changes());
    scenario = control.scenario();
    scenario.engine.max_num_seqs = seats;
    control.edit(scenario);
    QVERIFY(!control.has_changes());
  }

  void a_person_who_stays_keeps_the_backend() {
    EngineBridge bridge;
    RunControl control(bridge);
    const Scenario scenario = synthetic_scenario(40, 6);
    control.edit(scenario);
    QVERIFY(control.start());
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    bool may_leave = false;
    control.ask_before_leaving([&] { return may_leave; });
    const QString other = QStringLiteral("reference");
    QVERIFY(scenario.engine.backend != other.toStdString());
    control.set_backend(other);
    QCOMPARE(control.scenario().engine.backend, scenario.engine.backend);
    QVERIFY(!control.has_changes());
    may_leave = true;
    control.set_backend(other);
    QCOMPARE(control.scenario().engine.backend, other.toStdString());
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
  }

  // A request with too long a prompt is refused only when the engine takes it.
  void a_refused_request_takes_no_id() {
    EngineBridge bridge;
    RunControl control(bridge);
    RequestModel model(control);
    QSignalSpy messages(&control, &RunControl::message);
    Scenario scenario = synthetic_scenario(40, 6);
    control.edit(scenario);
    QVERIFY(control.start());
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    ScenarioRequest refused = scenario.requests.front();
    refused.name = "too long";
    refused.prompt_tokens = 5000;  // the source ends at 1024
    ScenarioRequest fine = scenario.requests.front();
    fine.name = "A";  // this name is taken
    fine.max_tokens = 3;
    QVERIFY(control.add_request(refused));
    QVERIFY(control.add_request(fine));
    QVERIFY(QTest::qWaitFor([&] { return control.live_id(2) >= 0; }, 60000));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QCOMPARE(QString::fromStdString(control.scenario().requests[2].name), QStringLiteral("A 2"));
    for (int row : {0, 2}) {
      const int64_t id = control.live_id(row);
      for (const RequestView& request : bridge.snapshot()->requests)
        if (static_cast<int64_t>(request.id) == id)
          QCOMPARE(QString::fromStdString(request.name),
                   QString::fromStdString(control.scenario().requests[size_t(row)].name));
    }
    QVERIFY(control.live_id(2) != control.live_id(1));
    QCOMPARE(model.index(2, RequestModel::kGenerated).data().toString(), QStringLiteral("3"));
  }

  void added_while_paused_joins_at_the_next_step() {
    EngineBridge bridge;
    RunControl control(bridge);
    RequestModel model(control);
    Scenario scenario = synthetic_scenario(40, 6);
    control.edit(scenario);
    QVERIFY(control.start(true));
    QVERIFY(wait_until_stands(bridge));
    bridge.step(Granularity::kTile);
    QVERIFY(wait_until_stands(bridge));
    ScenarioRequest more = scenario.requests.front();
    more.name = "B";
    QVERIFY(control.add_request(more));
    QVERIFY(control.is_joining(1));
    QVERIFY(
        model.index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("next step")));
    // Nothing changes until the run continues, so the timer stops.
    QVERIFY(QTest::qWaitFor([&] { return !bridge.timer_active(); }, 60000));
    bridge.run();
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QVERIFY(!control.is_joining(1));
    QCOMPARE(control.live_id(1), int64_t{1});
    QCOMPARE(model.index(1, RequestModel::kGenerated).data().toString(), QStringLiteral("6"));
  }

  void a_bad_file_leaves_the_run_alone() {
    EngineBridge bridge;
    RunControl control(bridge);
    control.edit(synthetic_scenario(40, 6));
    QVERIFY(control.start(true));
    QVERIFY(wait_until_stands(bridge));
    const uint64_t run = bridge.snapshot()->run;
    QSignalSpy messages(&control, &RunControl::message);
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("broken.json"));
    for (const char* text :
         {"", "{", "[]", "{\"version\": 1, \"tittle\": \"x\"}", "{\"version\": 99}"}) {
      QFile out(file);
      QVERIFY(out.open(QIODevice::WriteOnly));
      out.write(text);
      out.close();
      QVERIFY(!control.open(file));
    }
    QVERIFY(!control.open(QStringLiteral("/no/such/file.json")));
    QCOMPARE(messages.count(), 6);
    for (const QList<QVariant>& message : messages) QVERIFY(!message[1].toString().isEmpty());
    bridge.tick();
    QCOMPARE(bridge.snapshot()->run, run);
    QCOMPARE(QString::fromStdString(control.scenario().requests.front().name), QStringLiteral("A"));
    QVERIFY(stands(bridge));
  }

  void a_scenario_with_a_problem_does_not_start() {
    EngineBridge bridge;
    RunControl control(bridge);
    Scenario scenario = synthetic_scenario(40, 6);
    scenario.engine.block_size = 0;
    control.edit(scenario);
    QVERIFY(control.problem_where().contains(QStringLiteral("block_size")));
    QVERIFY(!control.start());
    QVERIFY(!bridge.snapshot());
  }

  void save_and_open_give_the_same_scenario() {
    EngineBridge bridge;
    RunControl control(bridge);
    control.edit(synthetic_scenario(33, 5));
    const std::string before = to_json(control.scenario());
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mine.json"));
    QVERIFY(control.save(file));
    control.edit(synthetic_scenario(1, 1));
    QVERIFY(control.open(file));
    QCOMPARE(QString::fromStdString(to_json(control.scenario())), QString::fromStdString(before));
    QVERIFY(!control.save(QStringLiteral("/no/such/folder/mine.json")));
  }
};

ATTN_QT_TEST(test_bridge, attn::gui::test::run<TestBridge>)
#include "test_bridge.moc"
