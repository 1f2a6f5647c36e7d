// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on steps: in the window, on the timeline, in sessions and in reports.
#include <QFile>
#include <QMenu>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>

#include "backends/register_all.h"
#include "engine/core/files/whole_file.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// On the virtual clock the flags of the steps stand apart.
Scenario nine_steps() {
  Scenario scenario = synthetic_scenario(20, 9);
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

struct Noted : Workbench {
  Noted() : Workbench(nine_steps()) {
    if (!QTest::qWaitForWindowExposed(window.get()) || !control.start() ||
        !wait_until_phase(bridge, EnginePhase::kFinished))
      qWarning("the run did not end");
  }
  Notes& notes() { return window->notes(); }
  const Actions& actions() { return window->actions(); }
  TimelineCanvas& timeline() { return *window->view("timeline")->findChild<TimelineCanvas*>(); }
  void write_here(const QString& text) {
    actions().note->trigger();
    NoteDialog* dialog = window->window_notes().dialog();
    QVERIFY(dialog);
    dialog->editor()->setPlainText(text);
    QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!window->window_notes().dialog());
  }
  void write(uint32_t step, const QString& text) {
    window->cursor().go_to(step);
    write_here(text);
  }
  QString flag_at(uint32_t step) {
    const TimelineScene& scene = timeline().scene_now();
    const uint64_t begin_ns = (*bridge.snapshot()->steps)[step - 1].begin_ns;
    return timeline().tooltip_at(
        {scene.layout.ruler.left() + 1 + timeline().axis().to_pixel(static_cast<double>(begin_ns)),
         scene.layout.ruler.center().y()});
  }
  QStringList listed() {
    QStringList list;
    for (const QAction* action : window->window_notes().menu()->actions())
      if (action->text().startsWith(QStringLiteral("Step "))) list << action->text();
    return list;
  }
};

void answer_next_question(const QString& button, bool& asked) {
  QTimer::singleShot(0, qApp, [button, &asked] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    asked = true;
    for (QAbstractButton* one : box->buttons())
      if (one->text().remove(QLatin1Char('&')) == button) return one->click();
    qWarning("the question has no such button");
    box->reject();
  });
}

}  // namespace

class TestStepNotes : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void a_note_is_written_changed_removed_and_undone() {
    Noted f;
    f.write(4, QStringLiteral("  first\nsecond line  "));
    QCOMPARE(f.notes().all(), (std::vector<StepNote>{{4, "first\nsecond line"}}));
    QTRY_VERIFY(f.window->status_line()->text().contains(QStringLiteral("Note: first…")));
    f.write(2, QStringLiteral("a & b"));
    QCOMPARE(f.listed(),
             (QStringList{QStringLiteral("Step 2: a && b"), QStringLiteral("Step 4: first")}));
    f.write(4, QStringLiteral("changed"));
    QCOMPARE(f.notes().text(4), QStringLiteral("changed"));
    f.actions().undo->trigger();
    QCOMPARE(f.notes().text(4), QStringLiteral("first\nsecond line"));
    f.actions().undo->trigger();
    QVERIFY(f.notes().text(2).isEmpty());
    f.actions().redo->trigger();
    f.actions().redo->trigger();
    QCOMPARE(f.notes().text(4), QStringLiteral("changed"));
    QCOMPARE(f.notes().text(2), QStringLiteral("a & b"));
    QVERIFY(!f.actions().redo->isEnabled());
    f.window->cursor().go_to(4);
    f.actions().note->trigger();
    f.window->window_notes().dialog()->remove_button()->click();
    QTRY_VERIFY(!f.window->window_notes().dialog());
    QVERIFY(f.notes().text(4).isEmpty());
    f.write(2, QStringLiteral(" \n "));
    QVERIFY(f.notes().all().empty());
    f.actions().undo->trigger();
    QCOMPARE(f.notes().all(), (std::vector<StepNote>{{2, "a & b"}}));
    f.notes().give_up();
  }

  void a_note_has_limits() {
    Noted f;
    f.window->cursor().go_to(3);
    f.actions().note->trigger();
    NoteDialog& dialog = *f.window->window_notes().dialog();
    const QString letter(QChar(0x00fc));  // two bytes
    dialog.editor()->setPlainText(letter.repeated(2048));
    QVERIFY(dialog.save_button()->isEnabled());
    dialog.editor()->setPlainText(letter.repeated(2048) + QLatin1Char('x'));
    QVERIFY(!dialog.save_button()->isEnabled());
    QCOMPARE(f.notes().refusal_of(3, dialog.text()),
             QStringLiteral("The note has 4097 bytes. It may have up to 4096."));
    dialog.reject();
    QVERIFY(!f.notes().write(0, QStringLiteral("x")));
    QVERIFY(!f.notes().write(10, QStringLiteral("x")));
    QVERIFY(f.notes().all().empty());
  }

  void notes_are_gone_to_and_marked_on_the_timeline() {
    Noted f;
    f.write(2, QStringLiteral("two <b>"));
    f.write(7, QStringLiteral("seven"));
    f.window->cursor().go_live();
    QVERIFY2(f.flag_at(2).contains(QStringLiteral("Note on step 2\ntwo <b>")),
             qPrintable(f.flag_at(2)));
    QVERIFY(f.flag_at(7).contains(QStringLiteral("seven")));
    QVERIFY(!f.flag_at(5).contains(QStringLiteral("Note")));
    QVERIFY(!f.actions().next_note->isEnabled());
    f.actions().previous_note->trigger();
    QCOMPARE(f.window->cursor().step(), 7u);
    f.actions().previous_note->trigger();
    QCOMPARE(f.window->cursor().step(), 2u);
    QVERIFY(!f.actions().previous_note->isEnabled());
    QVERIFY(f.flag_at(2).contains(QStringLiteral("Note on step 2")));
    QVERIFY(!f.flag_at(7).contains(QStringLiteral("seven")));
    f.actions().next_note->trigger();
    QCOMPARE(f.window->cursor().step(), 7u);
    const TimelineScene& scene = f.timeline().scene_now();
    const auto begin = static_cast<double>((*f.bridge.snapshot()->steps)[1].begin_ns);
    QTest::mouseClick(&f.timeline(), Qt::LeftButton, {},
                      QPoint(static_cast<int>(scene.layout.ruler.left() + 2 +
                                              f.timeline().axis().to_pixel(begin)),
                             static_cast<int>(scene.layout.ruler.center().y())));
    QCOMPARE(f.window->cursor().step(), 2u);
    f.notes().give_up();
  }

  void a_session_and_a_report_keep_them() {
    const QString file = folder_.filePath(QStringLiteral("notes.attn-session"));
    const QString report = folder_.filePath(QStringLiteral("report"));
    Noted f;
    f.write(3, QStringLiteral("three"));
    f.write(9, QStringLiteral("nine"));
    QVERIFY(f.notes().has_unsaved());
    QSignalSpy saved(&f.window->session(), &WindowSession::saved);
    f.window->session().save(file);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
    QVERIFY(!f.notes().has_unsaved());

    Noted g;
    QSignalSpy opened(&g.window->session(), &WindowSession::opened);
    g.window->session().open(file);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 60000);
    QCOMPARE(g.notes().all(), f.notes().all());
    QVERIFY(!g.notes().has_unsaved());
    QVERIFY(g.flag_at(3).contains(QStringLiteral("three")));
    QSignalSpy finished(g.window.get(), &MainWindow::report_finished);
    g.window->export_report(report);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120000);
    QFile table(report + QStringLiteral("/notes.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll(), QByteArray("step,text\n3,three\n9,nine\n"));
  }

  void they_are_asked_about_before_they_are_lost() {
    Noted f;
    f.write(3, QStringLiteral("three"));
    const uint64_t run = f.bridge.snapshot()->run;
    bool asked = false;
    answer_next_question(QStringLiteral("Cancel"), asked);
    QVERIFY(!f.control.start());
    QVERIFY(asked);
    QCOMPARE(f.bridge.snapshot()->run, run);
    asked = false;
    answer_next_question(QStringLiteral("Cancel"), asked);
    QVERIFY(!f.window->close());
    QVERIFY(asked);
    QVERIFY(f.window->isVisible());
    const QTemporaryDir folder;
    const QString bad = folder.filePath(QStringLiteral("bad.attn-session"));
    write_file_atomically(bad.toStdString(), "noise");
    QSignalSpy opened(&f.window->session(), &WindowSession::opened);
    f.window->session().open(bad);
    QTRY_COMPARE(opened.count(), 1);
    QVERIFY(f.window->message_bar()->text().contains(QStringLiteral("bad.attn-session")));
    QVERIFY(f.notes().has_unsaved());
    asked = false;
    answer_next_question(QStringLiteral("Go on without saving"), asked);
    QVERIFY(f.control.start());
    QVERIFY(asked);
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    QVERIFY(f.notes().all().empty());
    f.actions().undo->trigger();
    QTRY_COMPARE(f.notes().text(3), QStringLiteral("three"));
    f.actions().undo->trigger();
    QVERIFY(f.notes().all().empty());
    QVERIFY(f.window->close());
  }
};

ATTN_QT_TEST(test_step_notes, attn::gui::test::run<TestStepNotes>)
#include "test_step_notes.moc"
