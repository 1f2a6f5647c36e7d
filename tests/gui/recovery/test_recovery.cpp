// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of edits of a scenario, and unsaved work that the next window offers to open.
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>

#include "backends/register_all.h"
#include "tests/gui/lessons/lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/session_files.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario short_run() {
  Scenario scenario = synthetic_scenario(12, 6);
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

void set_seed(RunControl& control, uint64_t seed) {
  Scenario scenario = control.scenario();
  scenario.seed = seed;
  control.edit(scenario);
}

QStringList files_in(const QString& folder) {
  return QDir(folder).entryList({QStringLiteral("*.json")}, QDir::Files);
}

// Copies the window's file without its lock. The copy stands for what a killed program leaves.
QString left_by_killed(const Workbench& killed, const QString& from, const QString& to) {
  const QStringList files = files_in(from);
  if (files.size() != 1 || killed.window == nullptr) return {};
  const QString copy = to + QStringLiteral("/left.json");
  return QFile::copy(from + QLatin1Char('/') + files.front(), copy) ? copy : QString();
}

}  // namespace

class TestRecovery : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { register_all_backends(); }

  void edits_are_undone_and_made_again() {
    Workbench w(short_run());
    w.control.show_scenario(short_run());
    const Actions& actions = w.window->actions();
    QVERIFY(!actions.redo->isEnabled());
    const uint64_t before = w.control.scenario().seed;
    set_seed(w.control, before + 1);
    Scenario other = w.control.scenario();
    other.requests[0].max_tokens = 3;
    w.control.edit(other);
    other.requests[0].max_tokens = 4;
    w.control.edit(other);

    actions.undo->trigger();
    QCOMPARE(w.control.scenario().requests[0].max_tokens, 6);
    QCOMPARE(w.control.scenario().seed, before + 1);
    actions.undo->trigger();
    QCOMPARE(w.control.scenario().seed, before);
    QVERIFY(actions.redo->isEnabled());
    actions.redo->trigger();
    actions.redo->trigger();
    QCOMPARE(w.control.scenario().requests[0].max_tokens, 4);
    QVERIFY(!actions.redo->isEnabled());
    QCOMPARE(w.window->workload()->form()->scenario().requests[0].max_tokens, 4);

    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    actions.undo->trigger();
    QCOMPARE(w.control.scenario().requests[0].max_tokens, 4);
  }

  void what_a_killed_program_left_is_offered_and_shown() {
    const QTemporaryDir folder, next_folder;
    Workbench killed(short_run());
    killed.control.show_scenario(short_run());
    killed.window->recovery().begin(folder.path());
    QVERIFY(killed.window->message_bar()->text().isEmpty());
    QVERIFY(killed.control.start());
    QVERIFY(wait_until_phase(killed.bridge, EnginePhase::kFinished));
    QVERIFY(killed.window->notes().write(3, QStringLiteral("here it begins")));
    killed.window->cursor().go_to(4);
    set_seed(killed.control, 77);
    killed.window->recovery().keep_now();
    QVERIFY(!left_by_killed(killed, folder.path(), next_folder.path()).isEmpty());

    Workbench next(synthetic_scenario(8, 2));
    next.control.show_scenario(synthetic_scenario(8, 2));
    next.window->recovery().begin(next_folder.path());
    MessageBar& bar = *next.window->message_bar();
    QVERIFY2(bar.text().startsWith(QStringLiteral("The program did not end as usual.")),
             qPrintable(bar.text()));
    bar.offered()->click();
    QVERIFY(wait_until_phase(next.bridge, EnginePhase::kFinished));
    QCOMPARE(next.control.scenario().seed, uint64_t{77});
    QTRY_COMPARE(next.window->notes().text(3), QStringLiteral("here it begins"));
    QTRY_COMPARE(next.window->cursor().step(), 4U);
    QVERIFY(!QFile::exists(next_folder.path() + QStringLiteral("/left.json")));
    QCOMPARE(files_in(next_folder.path()).size(), 1);
    next.window->notes().give_up();
    killed.window->notes().give_up();
    QVERIFY(next.window->close());
    QVERIFY(killed.window->close());
  }

  // A different pace alone is no edit.
  void an_edited_scenario_outlives_the_window() {
    const QTemporaryDir folder;
    {
      Workbench closed(short_run());
      QVERIFY(closed.control.open(QStringLiteral("first-look")));
      closed.window->recovery().begin(folder.path());
      closed.control.set_pace(3);
      closed.window->recovery().keep_now();
      QVERIFY(closed.window->close());
      QVERIFY(files_in(folder.path()).isEmpty());
    }
    {
      Workbench closed(short_run());
      QVERIFY(closed.control.open(QStringLiteral("first-look")));
      closed.window->recovery().begin(folder.path());
      Scenario own = closed.control.scenario();
      own.requests.front().prompt = "A sentence of my own";
      closed.control.edit(own);
      QVERIFY(closed.window->close());
      QCOMPARE(files_in(folder.path()).size(), 1);
    }
    Workbench next(short_run());
    next.window->recovery().begin(folder.path());
    MessageBar& bar = *next.window->message_bar();
    QVERIFY2(bar.text().contains(QStringLiteral("was changed and not saved")),
             qPrintable(bar.text()));
    bar.offered()->click();
    QCOMPARE(next.control.scenario().requests.front().prompt, std::string("A sentence of my own"));
    next.bridge.cancel();
  }

  // Edits that a session file has are saved, also when the scenario of that session runs again.
  void what_a_session_has_is_not_offered() {
    const QTemporaryDir folder, files;
    const QString session = files.filePath(QStringLiteral("run.attn-session"));
    {
      Workbench closed(short_run());
      QVERIFY(closed.control.save(files.filePath(QStringLiteral("run.attn.json"))));
      closed.window->recovery().begin(folder.path());
      set_seed(closed.control, 77);
      QVERIFY(closed.control.start());
      QVERIFY(wait_until_phase(closed.bridge, EnginePhase::kFinished));
      set_seed(closed.control, 78);
      QVERIFY(save_from(closed, session));
      QVERIFY(closed.window->close());
      QVERIFY(files_in(folder.path()).isEmpty());
    }
    for (const bool edits : {false, true}) {
      Workbench next(synthetic_scenario(8, 2));
      next.window->recovery().begin(folder.path());
      QVERIFY(open_in(next, session));
      QCOMPARE(next.control.scenario().seed, uint64_t{78});
      QVERIFY(next.control.start());
      QVERIFY(wait_until_phase(next.bridge, EnginePhase::kFinished));
      if (edits) set_seed(next.control, 79);
      next.window->recovery().keep_now();
      QVERIFY(next.window->close());
      QCOMPARE(files_in(folder.path()).size(), edits ? 1 : 0);
    }
  }

  void work_stays_if_its_session_cannot_be_opened() {
    const QTemporaryDir folder;
    const QString session = folder.filePath(QStringLiteral("run.attn-session")),
                  left = folder.filePath(QStringLiteral("left.json"));
    const auto write = [](const QString& name, const QByteArray& bytes) {
      QFile file(name);
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write(session, "not a session"));
    const QJsonObject work{
        {QStringLiteral("workload"), QString::fromStdString(to_json(short_run()))},
        {QStringLiteral("session"), session}};
    QVERIFY(write(left, QJsonDocument(work).toJson()));
    Workbench next(short_run());
    next.control.show_scenario(short_run());
    next.window->recovery().begin(folder.path());
    QSignalSpy opened(&next.window->session(), &WindowSession::opened);
    next.window->message_bar()->offered()->click();
    QTRY_COMPARE(opened.size(), 1);
    QVERIFY(!opened.front().at(1).toBool());
    QVERIFY(QFile::exists(left));
    next.window->recent_menu().refresh();
    const auto entries = next.window->recent_menu().actions();
    QVERIFY(std::ranges::any_of(entries, [](const QAction* action) {
      return action->text().startsWith(QStringLiteral("Open unsaved work again: "));
    }));
  }

  // Notes are given up when the window is closed. Without an edit nothing was "changed and not
  // saved".
  void a_note_alone_does_not_outlive_a_lesson() {
    const QTemporaryDir folder;
    Workbench closed(short_run());
    QVERIFY(closed.control.open(QStringLiteral("first-look")));
    closed.window->recovery().begin(folder.path());
    QVERIFY(closed.control.start());
    closed.bridge.set_pace(0);
    QVERIFY(wait_until_phase(closed.bridge, EnginePhase::kFinished));
    QVERIFY(closed.window->notes().write(1, QStringLiteral("here it begins")));
    closed.window->recovery().keep_now();
    QCOMPARE(files_in(folder.path()).size(), 1);
    closed.window->lessons().show();
    QVERIFY(closed.window->lessons().is_open());
    closed.window->notes().give_up();
    QVERIFY(closed.window->close());
    QVERIFY(files_in(folder.path()).isEmpty());
  }

  // The user has changed nothing: neither in the lesson, nor in the run that comes back.
  void a_run_of_a_lesson_is_no_unsaved_work() {
    const QTemporaryDir folder;
    Workbench w(short_run());
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.open(QStringLiteral("first-look")));
    w.window->recovery().begin(folder.path());
    QVERIFY(w.control.start());
    w.control.set_pace(0);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    LessonWalker walker(w);
    QVERIFY(walker.open(QString::fromStdString(lesson::find_lesson("1").string())));
    QVERIFY(walker.player().has_run());
    const QSignalSpy left(&w.window->lessons(), &WindowLessons::left);
    w.window->lessons().leave();
    QTRY_COMPARE(left.size(), 1);
    const auto is_back = [&] { return w.control.scenario().title == "First look"; };
    QVERIFY(is_back());
    w.window->actions().undo->trigger();
    QVERIFY(is_back());
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("no earlier run")));
    w.window->recovery().keep_now();
    QCOMPARE(files_in(folder.path()), QStringList());
    QVERIFY(w.window->close());
    QCOMPARE(files_in(folder.path()), QStringList());
  }

  void the_presenter_hides_the_offer() {
    Workbench w(short_run());
    QAction again(QStringLiteral("Open it again"));
    MessageBar& bar = *w.window->message_bar();
    bar.offer(MessageKind::kInfo, QStringLiteral("It was kept."), again, Recovery::kAction,
              Leaves::kWhenAnswered);
    QCOMPARE(bar.count(), 1);
    w.window->lessons().panel().presenter_button()->click();
    QCOMPARE(bar.count(), 0);
    w.window->lessons().panel().presenter_button()->click();
  }

  // The offer stays when time passes and when another message is shown.
  void an_offer_waits_for_its_answer() {
    QWidget window;
    window.resize(1280, 720);
    MessageBar bar(&window, *new QWidget(&window));
    auto* leave = bar.findChild<QTimer*>();
    QVERIFY(leave);
    leave->setInterval(1);
    QAction again(QStringLiteral("Again"));
    bar.offer(MessageKind::kInfo, QStringLiteral("kept"), again, QStringLiteral("a"),
              Leaves::kWhenAnswered);
    QVERIFY(!leave->isActive());
    bar.show_message(MessageKind::kInfo, QStringLiteral("wrote b"));
    QCOMPARE(bar.texts(), (QStringList{QStringLiteral("wrote b"), QStringLiteral("kept")}));
    QTRY_COMPARE(bar.texts(), QStringList{QStringLiteral("kept")});
    QVERIFY(!leave->isActive());
    const QSignalSpy refused(&bar, &MessageBar::refused);
    bar.findChildren<MessageRow*>().front()->findChildren<QToolButton*>().last()->click();
    QVERIFY(bar.isHidden());
    QCOMPARE(refused.size(), 1);
    QCOMPARE(refused.front().front().toString(), QStringLiteral("a"));
  }

  void an_offer_that_nobody_answers_comes_again() {
    const QTemporaryDir folder;
    const auto entries = [](const Workbench& of) {
      QStringList texts;
      of.window->recent_menu().refresh();
      for (const QAction* action : of.window->recent_menu().actions())
        if (action->text().startsWith(QStringLiteral("Open unsaved work again: ")))
          texts << action->text();
      return texts;
    };
    const auto leave_prompt = [&folder](const char* prompt) {
      Workbench closed(short_run());
      QVERIFY(closed.control.open(QStringLiteral("first-look")));
      closed.window->recovery().begin(folder.path());
      Scenario own = closed.control.scenario();
      own.requests.front().prompt = prompt;
      closed.control.edit(own);
      QVERIFY(closed.window->close());
    };
    leave_prompt("The first sentence");
    {
      Workbench unanswered(short_run());
      QVERIFY(unanswered.control.open(QStringLiteral("first-look")));
      unanswered.window->recovery().begin(folder.path());
      QVERIFY(unanswered.window->message_bar()->text().contains(QStringLiteral("not saved")));
      QCOMPARE(entries(unanswered).size(), 1);
      QVERIFY(unanswered.window->close());
    }
    leave_prompt("The second sentence");
    QCOMPARE(files_in(folder.path()).size(), 2);
    {
      Workbench refusing(short_run());
      QVERIFY(refusing.control.open(QStringLiteral("first-look")));
      refusing.window->recovery().begin(folder.path());
      MessageBar& bar = *refusing.window->message_bar();
      QVERIFY(bar.text().contains(QStringLiteral("not saved")));
      bar.findChildren<MessageRow*>().front()->findChildren<QToolButton*>().last()->click();
      QCOMPARE(bar.count(), 0);
      QCOMPARE(entries(refusing).size(), 2);
      QVERIFY(refusing.window->close());
    }
    QCOMPARE(files_in(folder.path()).filter(QStringLiteral("refused")).size(), 1);
    Workbench next(short_run());
    next.window->recovery().begin(folder.path());
    QCOMPARE(entries(next).size(), 2);
    MessageBar& bar = *next.window->message_bar();
    QVERIFY(bar.text().contains(QStringLiteral("not saved")));
    next.window->recent_menu().actions().front()->trigger();
    QCOMPARE(next.control.scenario().requests.front().prompt, std::string("The second sentence"));
    QCOMPARE(entries(next).size(), 1);
    QVERIFY(bar.texts().join(QLatin1Char(' ')).contains(QStringLiteral("not saved")));
    for (const QString& text : bar.texts())
      if (text.contains(QStringLiteral("not saved")))
        for (MessageRow* row : bar.findChildren<MessageRow*>())
          if (row->text() == text && row->isVisibleTo(&bar)) row->offered()->click();
    QCOMPARE(next.control.scenario().requests.front().prompt, std::string("The first sentence"));
    QCOMPARE(entries(next).size(), 1);  // the second sentence, which the first one has replaced
    next.bridge.cancel();
  }

  void a_sentence_that_another_scenario_replaced_is_offered() {
    const QString own = QStringLiteral("A sentence of my own");
    const auto write_own = [&own](Workbench& w) {
      Scenario scenario = w.control.scenario();
      scenario.requests.front().prompt = own.toStdString();
      w.control.edit(scenario);
    };
    enum class Kept { kNot, kScenario, kSession };
    for (const Kept kept : {Kept::kNot, Kept::kScenario, Kept::kSession}) {
      const QTemporaryDir folder, files;
      {
        Workbench closed(short_run());
        QVERIFY(closed.control.open(QStringLiteral("first-look")));
        closed.window->recovery().begin(folder.path());
        write_own(closed);
        if (kept == Kept::kScenario)
          QVERIFY(closed.control.save(files.filePath(QStringLiteral("own.json"))));
        if (kept == Kept::kSession) {
          QVERIFY(closed.control.start());
          closed.control.set_pace(0);
          QVERIFY(wait_until_phase(closed.bridge, EnginePhase::kFinished));
          QVERIFY(save_from(closed, files.filePath(QStringLiteral("run.attn-session"))));
        }
        QVERIFY(closed.control.open(QStringLiteral("repeated-words")));
        closed.window->recovery().keep_now();
        QCOMPARE(files_in(folder.path()).size(), kept == Kept::kNot ? 1 : 0);
        QVERIFY(closed.window->close());
      }
      QCOMPARE(files_in(folder.path()).size(), kept == Kept::kNot ? 1 : 0);
      Workbench next(short_run());
      next.window->recovery().begin(folder.path());
      MessageBar& bar = *next.window->message_bar();
      if (kept != Kept::kNot) {
        QVERIFY2(bar.text().isEmpty(), qPrintable(bar.text()));
        continue;
      }
      QVERIFY2(bar.text().contains(QStringLiteral("something else took its place")),
               qPrintable(bar.text()));
      bar.offered()->click();
      QCOMPARE(QString::fromStdString(next.control.scenario().requests.front().prompt), own);
      next.bridge.cancel();
    }
  }

  // The run that Undo brings back has the sentence, which is then kept as the edited scenario.
  void a_sentence_that_is_back_is_kept_once() {
    const QTemporaryDir folder;
    Workbench w(short_run());
    QVERIFY(w.control.open(QStringLiteral("first-look")));
    w.window->recovery().begin(folder.path());
    Scenario own = w.control.scenario();
    own.requests.front().prompt = "A sentence of my own";
    own.requests.front().max_tokens = 2;
    own.engine.clock = ClockKind::kVirtual;
    own.view.pace_tiles_per_s = 0;
    w.control.edit(own);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY(w.control.open(QStringLiteral("repeated-words")));
    w.window->recovery().keep_now();
    QCOMPARE(files_in(folder.path()).size(), 1);
    w.control.set_pace(0);
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    w.control.go_back();
    QCOMPARE(w.control.scenario().requests.front().prompt, std::string("A sentence of my own"));
    QVERIFY(files_in(folder.path()).isEmpty());
    QVERIFY(w.window->close());
    QCOMPARE(files_in(folder.path()).size(), 1);
  }

  // Only what a person wrote is kept when a scenario is replaced, not a changed setting.
  void a_setting_that_another_scenario_replaced_is_not_kept() {
    const QTemporaryDir folder;
    Workbench w(short_run());
    QVERIFY(w.control.open(QStringLiteral("first-look")));
    w.window->recovery().begin(folder.path());
    set_seed(w.control, 77);
    QVERIFY(w.control.open(QStringLiteral("repeated-words")));
    w.window->recovery().keep_now();
    QVERIFY(files_in(folder.path()).isEmpty());
  }

  void nothing_is_offered_of_a_program_that_runs_or_ended_or_of_a_damaged_file() {
    const QTemporaryDir folder;
    Workbench running(short_run());
    running.control.show_scenario(short_run());
    running.window->recovery().begin(folder.path());
    set_seed(running.control, 5);
    running.window->recovery().keep_now();
    QFile lock(folder.path() + QStringLiteral("/killed.json.lock"));
    QVERIFY(lock.open(QIODevice::WriteOnly));  // as after a power cut
    lock.close();
    QFile damaged(folder.path() + QStringLiteral("/damaged.json"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("{\"workload\"");
    damaged.close();

    Workbench next(short_run());
    next.window->recovery().begin(folder.path());
    QVERIFY(next.window->message_bar()->text().isEmpty());
    QVERIFY(!damaged.exists());
    QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.lock")}).size(), 2);
    QCOMPARE(files_in(folder.path()).size(), 1);
  }
};

ATTN_QT_TEST(test_recovery, attn::gui::test::run<TestRecovery>)
#include "test_recovery.moc"
