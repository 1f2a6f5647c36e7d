// SPDX-License-Identifier: GPL-3.0-or-later
// Wheel, keys and shortcuts, undo of edits and of new runs, messages over panels, a job between two
// steps of a run, and the size of the window.
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <algorithm>
#include <atomic>
#include <thread>

#include "backends/register_all.h"
#include "gui/app/window/fit_to_screen.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

void notch(QWidget& widget) {
  const QPointF at = widget.rect().center();
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

QComboBox* box_named(QWidget& in, const QString& name) {
  for (QComboBox* box : in.findChildren<QComboBox*>())
    if (box->accessibleName() == name) return box;
  return nullptr;
}

QByteArray recorded(Workbench& w) {
  const auto& view = *w.window->view<HeatmapView>();
  return view.table()() + w.window->view("metrics")->csv() +
         QByteArray::number(static_cast<qulonglong>(w.bridge.events().size()));
}

Scenario quick(const QString& title, int64_t prompt) {
  Scenario scenario = synthetic_scenario(prompt, 5);
  scenario.title = title.toStdString();
  return scenario;
}

}  // namespace

class TestInputs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_wheel_changes_no_box() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const uint64_t run = w.bridge.snapshot()->run;
    int boxes = 0;
    for (gui::View* tab : w.window->all_views()) {
      if (w.window->attention_tabs()->indexOf(tab) >= 0) w.window->show_attention(tab);
      QTest::qWait(1);
      for (QComboBox* box : w.window->findChildren<QComboBox*>()) {
        if (!box->isVisible() || !box->isEnabled()) continue;
        for (const bool focused : {false, true}) {
          if (focused) box->setFocus();
          const int before = box->currentIndex();
          notch(*box);
          QCOMPARE(box->currentIndex(), before);
        }
        ++boxes;
      }
      for (QAbstractSpinBox* box : w.window->findChildren<QAbstractSpinBox*>()) {
        if (!box->isVisible() || !box->isEnabled()) continue;
        w.window->setFocus();
        const QString before = box->text();
        notch(*box);
        QCOMPARE(box->text(), before);
        QVERIFY(!box->hasFocus());  // with focus the next notch would change the number
      }
    }
    QVERIFY(boxes > 10);
    w.bridge.tick();
    QCOMPARE(w.bridge.snapshot()->run, run);
  }

  void a_closed_box_takes_no_letters() {
    Scenario scenario = load_scenario(find_scenario("first-look"));
    Workbench w(scenario);
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    QComboBox* box = box_named(*w.window->workload(), QStringLiteral("Scenario"));
    QVERIFY(box);
    QTest::mouseClick(box, Qt::LeftButton);
    QTRY_VERIFY(box->view()->isVisible());
    const int first_look = box->findData(QStringLiteral("first-look"));
    const QModelIndex index = box->model()->index(first_look, 0);
    // For the double-click interval after it opens, the list ignores a mouse release.
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    QTest::mouseClick(box->view()->viewport(), Qt::LeftButton, {},
                      box->view()->visualRect(index).center());
    QTRY_VERIFY(!box->view()->isVisible());
    QTRY_VERIFY(w.bridge.snapshot() && w.bridge.snapshot()->source.num_layers > 0);
    // On the offscreen platform the window does not become active again by itself.
    w.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    QVERIFY(box->hasFocus());
    const uint64_t run = w.bridge.snapshot()->run;
    const QString file = w.control.file();
    for (const Qt::Key key : {Qt::Key_L, Qt::Key_M, Qt::Key_Home, Qt::Key_End, Qt::Key_PageDown})
      QTest::keyClick(box, key);
    QCOMPARE(w.control.file(), file);
    QVERIFY(w.control.is_running());
    QTest::keyClick(box, Qt::Key_Space);  // pauses
    QVERIFY(!box->view()->isVisible());
    QVERIFY(wait_until_stands(w.bridge));
    QCOMPARE(w.bridge.snapshot()->run, run);
    QTest::keyClick(box, Qt::Key_Down);
    QTRY_VERIFY(box->view()->isVisible());
    QCOMPARE(w.control.file(), file);
    QTest::keyClick(box->view(), Qt::Key_L);
    QVERIFY(box->view()->currentIndex().data().toString().startsWith(QLatin1Char('L')));
    QTest::keyClick(box->view(), Qt::Key_Escape);
    QCOMPARE(w.control.file(), file);
  }

  void starting_another_run_can_be_undone() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::qWait(1);
    const QByteArray before = recorded(w);
    const std::string scenario = to_json(w.control.scenario());
    w.control.edit(quick(QStringLiteral("B"), 33));
    MessageBar& bar = *w.window->message_bar();
    QSignalSpy begun(&w.bridge, &EngineBridge::run_started);
    QVERIFY(w.control.start());
    QVERIFY(begun.wait(60000));
    QVERIFY2(bar.text().contains(QStringLiteral("run of A")), qPrintable(bar.text()));
    QVERIFY(bar.offered()->isVisibleTo(w.window.get()));
    QCOMPARE(bar.offered()->text(), w.window->actions().undo->text());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(recorded(w) != before);
    const QByteArray second = recorded(w);

    w.window->actions().undo->trigger();
    QTRY_COMPARE(w.bridge.snapshot()->requests.front().prompt_len, int64_t{20});
    w.bridge.catch_up();
    QVERIFY(recorded(w) == before);
    QCOMPARE(to_json(w.control.scenario()), scenario);
    QVERIFY(!w.control.has_changes());
    w.window->cursor().go_to(2);
    QCOMPARE(w.window->cursor().snapshot()->step, 2u);
    w.window->cursor().go_live();

    w.window->view("heatmap")->setFocus();
    QTest::keyClick(w.window->view("heatmap"), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.bridge.snapshot()->requests.front().prompt_len, int64_t{33});
    w.bridge.catch_up();
    QVERIFY(recorded(w) == second);
    QVERIFY2(w.window->message_bar()->text().contains(QStringLiteral("returned to the newer run")),
             qPrintable(w.window->message_bar()->text()));
    QVERIFY(w.window->message_bar()->offered()->isVisible());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(!w.bridge.session());
  }

  void an_edit_keeps_the_pace() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start(true));
    w.control.set_pace(7);
    // The form was filled before the pace was chosen.
    emit w.window->workload()->form()->edited();
    QCOMPARE(w.control.scenario().view.pace_tiles_per_s, 7.0);
    QVERIFY(w.control.start(true));
    QCOMPARE(w.bridge.pace(), 7.0);
  }

  void a_run_that_was_going_on_comes_back() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    w.bridge.step(Granularity::kStep);
    QVERIFY(wait_until_stands(w.bridge));
    ScenarioRequest joined = w.control.scenario().requests.front();
    joined.name = "later";
    QVERIFY(w.control.add_request(joined));
    w.bridge.step(Granularity::kStep);
    QTRY_COMPARE(w.bridge.snapshot()->requests.size(), size_t{2});
    QVERIFY(wait_until_stands(w.bridge));
    w.control.edit(quick(QStringLiteral("B"), 33));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    w.control.go_back();
    QTRY_COMPARE(w.bridge.snapshot()->requests.size(), size_t{2});
    w.bridge.catch_up();
    QCOMPARE(w.bridge.snapshot()->phase, EnginePhase::kCancelled);
    QCOMPARE(w.control.scenario().requests.size(), size_t{2});
    QVERIFY(w.control.live_id(1) >= 0);
    const AttentionRecord& record = *w.bridge.snapshot()->requests.front().attention;
    QVERIFY(record.row_done(0, 0, 10));
    float weight = -1;
    record.weights(0, 0, 10, 1, 3, 1, &weight);
    QVERIFY(weight > 0 && weight <= 1);
  }

  void an_added_request_is_taken_back() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    ScenarioRequest wanted = w.control.scenario().requests.front();
    wanted.name = "fork";
    w.control.add_to_run(wanted, {});
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("one more request, fork")));
    w.bridge.step(Granularity::kStep);
    QTRY_COMPARE(w.bridge.snapshot()->requests.size(), size_t{2});
    QVERIFY(wait_until_stands(w.bridge));
    QVERIFY(w.control.can_undo_addition());
    w.window->actions().undo->trigger();
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("“fork” was taken back")));
    QVERIFY(!w.control.can_undo_addition() && !w.bridge.session());
    w.control.add_to_run(wanted, {});
    w.window->actions().undo->trigger();
    wanted.name = "later";
    QVERIFY(w.control.add_request(wanted));
    w.window->actions().undo->trigger();
    QCOMPARE(w.control.scenario().requests.size(), size_t{1});
    const auto aborted = [&w] {
      return std::ranges::count(w.bridge.snapshot()->requests, RequestState::kFinishedAborted,
                                &RequestView::state);
    };
    QTRY_COMPARE(aborted(), 3);
    w.bridge.run();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(aborted(), 3);
    QCOMPARE(w.bridge.snapshot()->requests.size(), size_t{4});
    w.control.add_to_run(w.control.scenario().requests.front(), {});
    QTRY_VERIFY(w.bridge.snapshot()->requests.size() > 4 &&
                w.bridge.snapshot()->requests.back().state == RequestState::kFinishedLengthCapped);
    w.window->actions().undo->trigger();
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("” has ended already")));
    QVERIFY(!w.bridge.session());
  }

  void messages_stay_over_a_panel_that_comes_to_the_front() {
    Workbench w(quick(QStringLiteral("A"), 20));
    MessageBar& bar = *w.window->message_bar();
    const auto is_seen = [&] {
      QWidget* at = w.window->childAt(bar.geometry().center());
      return at && (at == &bar || bar.isAncestorOf(at));
    };
    for (const char* layout : {"teach", "explore"}) {
      bar.show_message(MessageKind::kError, QStringLiteral("wrong"));
      w.window->layouts().apply(QLatin1String(layout));
      QTRY_VERIFY2(is_seen(), layout);
      for (gui::View* view : {w.window->view("heads"), w.window->view("blocks")}) {
        w.window->show_view(view);
        QTRY_VERIFY2(is_seen(), layout);
      }
      w.window->set_wide(true);
      QTRY_VERIFY2(is_seen(), layout);
      w.window->set_wide(false);
      QTRY_VERIFY2(is_seen(), layout);
    }
  }

  void undo_reaches_the_scenario_from_a_field() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    const auto line = [&w](const char* path) -> QLineEdit* {
      for (const Field* field : w.window->workload()->findChildren<Field*>())
        if (field->path() == path) return qobject_cast<QLineEdit*>(field->editor());
      return nullptr;
    };
    QLineEdit* heads = line("$.source.synthetic.num_heads");
    QLineEdit* next = line("$.source.synthetic.num_kv_heads");
    QVERIFY(heads && next);
    const QString before = heads->text();
    const auto type = [](QLineEdit* to, const char* text) {
      to->setFocus();
      to->selectAll();
      QTest::keyClicks(to, QLatin1String(text));
    };
    for (QLineEdit* focus : {next, heads}) {
      type(heads, "8");
      QCOMPARE(w.control.scenario().source.synthetic->num_heads, 8);
      focus->setFocus();
      QTest::keyClick(focus, Qt::Key_Z, Qt::ControlModifier);
      QCOMPARE(heads->text(), before);
      QCOMPARE(w.control.scenario().source.synthetic->num_heads, before.toLongLong());
      QTest::keyClick(focus, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
      QCOMPARE(heads->text(), QStringLiteral("8"));
      QTest::keyClick(focus, Qt::Key_Z, Qt::ControlModifier);
    }
    type(heads, "x");  // text that is no number is taken back by the field
    QTest::keyClick(heads, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(heads->text(), before);
  }

  // Ctrl+Z in the prompt first takes back what was typed there, and then changes of the scenario.
  void undo_goes_on_from_the_prompt_to_the_scenario() {
    Workbench w(load_scenario(find_scenario("first-look")));
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    QPlainTextEdit* prompt = w.window->workload()->form()->prompt();
    const auto text = [&w] { return w.control.scenario().requests.front().prompt; };
    const auto budget = [&w] { return w.control.scenario().engine.max_num_batched_tokens; };
    const std::string first = text();
    const int64_t small = budget(), large = small + 1;
    Scenario scenario = w.control.scenario();
    scenario.engine.max_num_batched_tokens = large;
    w.control.edit(scenario);
    prompt->setFocus();
    prompt->moveCursor(QTextCursor::End);
    QTest::keyClicks(prompt, QStringLiteral(" now"));
    const auto press = [prompt](Qt::KeyboardModifiers shift) {
      QTest::keyClick(prompt, Qt::Key_Z, Qt::ControlModifier | shift);
    };
    const auto is = [&](const std::string& prompt_now, int64_t budget_now) {
      return text() == prompt_now && prompt->toPlainText().toStdString() == prompt_now &&
             budget() == budget_now;
    };
    QVERIFY(is(first + " now", large));
    press({});
    QVERIFY(is(first, large));
    press(Qt::ShiftModifier);
    QVERIFY(is(first + " now", large));
    press({});
    QVERIFY(is(first, large));
    press({});
    QVERIFY(is(first, small));
    press(Qt::ShiftModifier);
    QVERIFY(is(first, large));
    press(Qt::ShiftModifier);
    QVERIFY(is(first + " now", large));
  }

  void esc_closes_an_error_first() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    w.window->show_attention(w.window->view("events"));
    auto* line = w.window->view("events")->findChild<QLineEdit*>();
    QVERIFY(line);
    line->setFocus();
    QTest::keyClicks(line, QStringLiteral("flash"));
    w.window->message_bar()->show_message(MessageKind::kError, QStringLiteral("wrong"));
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(w.window->message_bar()->count(), 0);
    QVERIFY(line->text().startsWith(QStringLiteral("flash")));
    QTest::keyClick(line, Qt::Key_Escape);
    QCOMPARE(line->text(), QString());
  }

  void undo_says_which_run_is_shown() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    w.control.edit(quick(QStringLiteral("B"), 33));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const auto* status = w.window->findChild<StatusLine*>();
    const auto undo = [&](const char* message, const char* phase) {
      w.control.go_back();
      QTRY_VERIFY(w.bridge.session());
      QTRY_VERIFY(w.window->message_bar()->text().contains(QLatin1String(message)));
      QTRY_VERIFY(status->text().contains(QLatin1String(phase)));
    };
    undo("went back to the run before this one", "Earlier run");
    undo("returned to the newer run", "Newer run");
    undo("went back to the run before this one", "Earlier run");
  }

  // One key press with Ctrl can match several shortcuts, such as Ctrl++ and Ctrl+Shift+=. Qt then
  // reports "Ambiguous shortcut overload" and does nothing.
  void no_key_is_two_shortcuts() {
    Workbench w(quick(QStringLiteral("A"), 20));
    std::vector<QKeyCombination> shortcuts;
    for (const QAction* action : w.window->actions().all)
      for (const QKeySequence& keys : action->shortcuts())
        if (keys.count() == 1) shortcuts.push_back(keys[0]);
    const auto matches = [&](std::initializer_list<QKeyCombination> press) {
      return static_cast<int>(
          std::count_if(press.begin(), press.end(), [&](const QKeyCombination& one) {
            return std::find(shortcuts.begin(), shortcuts.end(), one) != shortcuts.end();
          }));
    };
    using K = QKeyCombination;
    const Qt::KeyboardModifiers shifted = Qt::ControlModifier | Qt::ShiftModifier;
    // + above =, as on a US keyboard, without and with Shift.
    QCOMPARE(matches({K(Qt::ControlModifier, Qt::Key_Equal)}), 1);
    QCOMPARE(matches({K(shifted, Qt::Key_Plus), K(Qt::ControlModifier, Qt::Key_Plus),
                      K(shifted, Qt::Key_Equal)}),
             1);
    // + without Shift, as on a German keyboard, and on the number pad.
    QCOMPARE(matches({K(Qt::ControlModifier, Qt::Key_Plus)}), 1);
    // _ above - with Shift, and - without Shift.
    QCOMPARE(matches({K(Qt::ControlModifier, Qt::Key_Minus)}), 1);
    QCOMPARE(matches({K(shifted, Qt::Key_Underscore), K(Qt::ControlModifier, Qt::Key_Underscore),
                      K(shifted, Qt::Key_Minus)}),
             1);
    for (size_t i = 0; i < shortcuts.size(); ++i)
      for (size_t j = 0; j < i; ++j) QVERIFY(!(shortcuts[i] == shortcuts[j]));
  }

  void the_window_fits_the_screen() {
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    struct Screen {
      QRect room;
      QMargins frame;
    };
    for (const Screen& screen :
         {Screen{{0, 0, 1280, 720}, {1, 21, 1, 5}}, Screen{{60, 0, 1220, 700}, {4, 30, 4, 4}},
          Screen{{0, 0, 1920, 1080}, {0, 30, 0, 0}}}) {
      const QRect inside = fitted(QRect(0, 0, 1280, 720), screen.frame, screen.room);
      QVERIFY(screen.room.contains(inside.marginsAdded(screen.frame)));
      w.window->resize(inside.size());
      QTest::qWait(1);
      QCOMPARE(w.window->size(), inside.size());  // its content does not need more
      const StatusLine& status = *w.window->status_line();
      const QRect line(status.mapTo(w.window.get(), QPoint()), status.size());
      QVERIFY(w.window->rect().contains(line));
      QVERIFY(status.time_bar()->slider()->isVisible());
    }
    QCOMPARE(fitted(QRect(10, 40, 800, 600), {1, 21, 1, 5}, {0, 0, 1280, 720}),
             QRect(10, 40, 800, 600));
  }

  void other_work_leaves_no_hole_in_the_run() {
    // Longer than a busy machine keeps a thread waiting between two steps.
    constexpr std::chrono::milliseconds kWork{1500};
    Workbench w(quick(QStringLiteral("A"), 20));
    QVERIFY(w.control.start(true));
    QVERIFY(wait_until_stands(w.bridge));
    for (int i = 0; i < 2; ++i) {
      w.bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(w.bridge));
    }
    std::atomic<bool> done{false};
    w.bridge.runner().run_job([&](RunGate&) {
      std::this_thread::sleep_for(kWork);
      done = true;
    });
    QTRY_VERIFY(done);
    w.bridge.run();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const std::vector<StepRecord>& steps = *w.bridge.snapshot()->steps;
    QVERIFY(steps.size() >= 3);
    const auto gap = std::chrono::nanoseconds(steps[2].begin_ns - steps[1].end_ns);
    QVERIFY2(gap < kWork, qPrintable(QString::number(gap.count())));
  }
};

ATTN_QT_TEST(test_inputs, attn::gui::test::run<TestInputs>)
#include "test_inputs.moc"
