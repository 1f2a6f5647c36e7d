// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons with a class: counted answers and their results, and lessons that are begun again.
#include <QAction>
#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>

#include "backends/register_all.h"
#include "engine/lesson/results/result.h"
#include "lesson_forms.h"
#include "lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestLessonClass : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    forms_ = write(QStringLiteral("forms.md"), kForms);
  }
  void init() {
    fail_on_warnings();
    bench_ = std::make_unique<Workbench>(synthetic_scenario(24, 3));
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
  }
  void cleanup() {
    bench_.reset();
    Theme::instance().set_projector(false);
  }

  void counts_are_in_the_results() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    present();
    QVERIFY(!walker.page().blocks()[0]->near_words());  // only the exact number is right
    walker.page().blocks()[0]->board()->set_counts({10, 15, 0, 0, 0});
    QVERIFY(press(walker));
    walker.page().blocks()[1]->board()->set_counts({3, 9});
    QVERIFY(press(walker));
    const QString file = folder_.filePath(QStringLiteral("class.csv"));
    QCOMPARE(window().lessons().write_results(file, QStringLiteral("9b")), QString());
    window().lessons().take_results({file});
    const auto is_shown = [&] {
      const ClassDialog* made = window().lessons().class_dialog();
      return made && made->isVisible();
    };
    QTRY_VERIFY(is_shown());
    const ClassDialog& dialog = *window().lessons().class_dialog();
    QCOMPARE(dialog.tasks()->rowCount(), 2);
    QCOMPARE(dialog.tasks()->item(0, 4)->text(), QStringLiteral("3 of 12"));
    QCOMPARE(dialog.tasks()->item(1, 4)->text(), QStringLiteral("15 of 25"));
    QCOMPARE(dialog.tasks()->item(1, 6)->text(), QStringLiteral("10 × 0 slots to 8 slots"));
    QVERIFY(dialog.notes().contains(QStringLiteral("ranges of numbers")));
  }

  void a_rehearsed_question_is_put_to_the_class() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    while (const auto task = walker.player().open_task())
      QVERIFY(walker.answer(*lesson::wrong_answer(walker.player().walk().key(), 0, *task)));
    walker.player().go_to(0);
    QVERIFY(walker.wait_for_step());
    QVERIFY(walker.page().blocks()[1]->told().contains(QStringLiteral("You said: Most of it was")));
    present();
    const TaskBlock& question = *walker.page().blocks()[0];
    QVERIFY(!question.board()->is_revealed());
    QVERIFY(question.told().isEmpty());
    QVERIFY(question.board()->field(0)->hasFocus());
    QCOMPARE(walker.page().primary()->text(), QStringLiteral("Reveal"));
    walker.type(QStringLiteral("3"));
    walker.key(Qt::Key_Tab);
    walker.type(QStringLiteral("4"));
    walker.key(Qt::Key_Return);
    QVERIFY(question.board()->is_revealed());
    QVERIFY2(question.board()->words_of(1).startsWith(QStringLiteral("9 to 18 slots: 4 of 7")),
             qPrintable(question.board()->words_of(1)));
    QVERIFY(question.told().startsWith(QStringLiteral("The run says: 15")));
    QVERIFY(!question.told().contains(QStringLiteral("needs a whole block")));  // of low answers
    QVERIFY(!walker.page().blocks()[1]->board()->is_revealed());
    QVERIFY(walker.page().blocks()[1]->board()->field(0)->hasFocus());
    walker.key(Qt::Key_Return);
    QCOMPARE(walker.page().primary()->text(), QStringLiteral("Next"));
    walker.key(Qt::Key_Return);
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().walk().step(), size_t{1});
  }

  // A class must know how exact its number has to be, as a learner does.
  void a_class_sees_which_numbers_are_right() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(QString::fromStdString(lesson::find_lesson("10").string())));
    const TaskBlock* learners = walker.page().blocks()[*walker.player().open_task()];
    QVERIFY(!learners->near_words());
    const QString near = learners->number()->tolerance();
    QVERIFY(!near.isEmpty());
    present();
    const TaskBlock* question = walker.page().blocks()[*walker.player().open_task()];
    QVERIFY(question->near_words() && question->near_words()->isVisible());
    QCOMPARE(question->near_words()->plain(), near);
  }

  // A place can be pointed at again, although the learner's answer closed its input.
  void a_rehearsed_place_is_put_to_the_class() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_, 1));
    QVERIFY(walker.answer(*lesson::wrong_answer(walker.player().walk().key(), 1, 0)));
    present();
    const TaskBlock& question = *walker.page().blocks()[0];
    bench_->selection.select({.kind = SelectionKind::kBlock, .block = 3});
    const auto buttons = question.findChildren<QPushButton*>();
    const auto add = std::ranges::find_if(buttons, [](const QPushButton* button) {
      return button->text() == QStringLiteral("Add this answer");
    });
    QVERIFY(add != buttons.end() && (*add)->isVisible());
    (*add)->click();
    QCOMPARE(question.board()->counts(), std::vector<int>{1});
    QVERIFY(press(walker));
    QCOMPARE(question.board()->words_of(0), QStringLiteral("block 3: 1 of 1"));
    QVERIFY(!(*add)->isVisible());
  }

  void a_lesson_is_begun_again() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    present();
    walker.page().blocks()[0]->board()->set_counts({10, 15, 0, 0, 0});
    QVERIFY(press(walker));
    QAction* again = menu_action(QStringLiteral("Begin the lesson again"));
    QVERIFY(again);
    again->trigger();
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().open_task(), std::optional<size_t>(0));
    QCOMPARE(walker.player().run(), LessonPlayer::Run::kWaiting);
    QCOMPARE(walker.page().blocks()[0]->board()->total(), 0);
  }

  void a_lesson_of_the_list_is_begun_again() {
    LessonWalker walker(*bench_);
    window().lessons().show();
    const LessonList& list = *window().lessons().panel().list();
    QAction* again = list.button(0)->actions().value(0);
    QVERIFY(again && !again->isEnabled());
    QVERIFY(walker.open(list.entries()[0].file));
    QVERIFY(walker.answer(*lesson::wrong_answer(walker.player().walk().key(), 0, 0)));
    leave(walker);
    window().lessons().show();
    again = list.button(0)->actions().value(0);
    QVERIFY(again && again->isEnabled());
    again->trigger();
    QVERIFY(QTest::qWaitFor([&] { return walker.player().is_on(); }, 60000));
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().open_task(), std::optional<size_t>(0));
  }

  void each_language_keeps_its_answers() {
    QByteArray text = kForms;
    text.replace("language: en", "language: de");
    const QString german = write(QStringLiteral("formen.md"), text);
    LessonWalker walker(*bench_);
    const std::vector<int> counts{12, 3, 0, 0, 0};
    QVERIFY(walker.open(forms_));
    present();
    walker.page().blocks()[0]->board()->set_counts(counts);
    leave(walker);
    QVERIFY(walker.open(german));
    present();
    QCOMPARE(walker.page().blocks()[0]->board()->total(), 0);
    leave(walker);
    QVERIFY(walker.open(forms_));
    present();
    QCOMPARE(walker.page().blocks()[0]->board()->counts(), counts);
  }

  void results_without_a_name_are_told_of() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    QTimer::singleShot(0, this, [] {
      auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      dialog->setTextValue(QStringLiteral(" "));
      dialog->accept();
    });
    window().lessons().ask_results();
    QVERIFY2(window().message_bar()->text().contains(QStringLiteral("Nothing was saved")),
             qPrintable(window().message_bar()->text()));
  }

  void compare_does_not_stay_in_front_of_a_step_with_blocks() {
    LessonWalker walker(*bench_);
    QTabWidget* tabs = window().attention_tabs();
    QVERIFY(walker.open(forms_));
    tabs->setCurrentWidget(window().view("compare"));
    QCOMPARE(tabs->currentWidget()->objectName(), QStringLiteral("compare"));
    walker.player().go_to(0);
    QVERIFY(tabs->currentWidget()->objectName() != QLatin1String("compare"));
  }

  void a_name_is_proposed_only_while_the_lesson_is_open() {
    LessonWalker walker(*bench_);
    QStringList proposed;
    QTimer dialogs;
    connect(&dialogs, &QTimer::timeout, this, [&proposed] {
      QWidget* shown = QApplication::activeModalWidget();
      if (auto* asked = qobject_cast<QInputDialog*>(shown)) {
        proposed.append(asked->textValue());
        asked->setTextValue(QStringLiteral("Ben"));
        asked->accept();
      } else if (auto* dialog = qobject_cast<QDialog*>(shown)) {
        dialog->reject();
      }
    });
    dialogs.start(5);
    QVERIFY(walker.open(forms_));
    window().lessons().ask_results();
    window().lessons().ask_results();
    leave(walker);
    QVERIFY(walker.open(forms_));
    window().lessons().ask_results();
    QCOMPARE(proposed, QStringList({QString(), QStringLiteral("Ben"), QString()}));
  }

  void a_finished_result_is_kept_until_a_task_is_answered() {
    LessonWalker walker(*bench_);
    LessonProgress& progress = window().lessons().progress();
    QVERIFY(walker.open(forms_));
    LessonPlayer& player = walker.player();
    window().lessons().begin_again();
    QVERIFY(walker.wait_for_step());
    const QString name = progress_name(player.lesson().about);
    QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, 0)));
    for (size_t step = 0; step < player.lesson().steps.size(); ++step) {
      if (step > 0) player.go_to(step);
      QVERIFY(walker.wait_for_step());
      while (player.open_task()) {
        player.skip();
        QVERIFY(walker.finish());
      }
    }
    QVERIFY(progress.of(name).is_done());
    QCOMPARE(progress.of(name).right, 1);
    leave(walker);
    QVERIFY(walker.open(forms_));
    QCOMPARE(player.walk().answered(), size_t{0});
    QVERIFY(player.keeps_result());
    leave(walker);
    QVERIFY(progress.of(name).is_done());
    QCOMPARE(progress.of(name).right, 1);

    const QString file = folder_.filePath(QStringLiteral("kept.csv"));
    window().lessons().results().write_kept(forms_, file, QStringLiteral("Anna"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 60000);
    QFile read(file);
    QVERIFY(read.open(QIODevice::ReadOnly));
    const auto records = lesson::parse_results(read.readAll().toStdString(), "kept.csv");
    QCOMPARE(records.size(), static_cast<size_t>(progress.of(name).tasks) + 1);
    QVERIFY(records[1].correct);

    QVERIFY(walker.open(forms_));
    QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, 0)));
    QVERIFY(!player.keeps_result());
    leave(walker);
    QVERIFY(!progress.of(name).is_done());

    // The list keeps the best result, also if the lesson is begun again.
    LessonEntry entry;
    entry.minutes = 3;
    const int tasks = progress.of(name).tasks;
    const QString best = QStringLiteral("done: 1 of %1 right at first").arg(tasks);
    const QString words = state_words(entry, progress.of(name));
    QVERIFY2(words.contains(best), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("now 1 of %1 answered").arg(tasks)), qPrintable(words));
    QVERIFY(walker.open(forms_));
    window().lessons().begin_again();
    QVERIFY(walker.wait_for_step());
    QVERIFY(progress.of(name).was_done() && !progress.of(name).is_done());
    leave(walker);
    QVERIFY(state_words(entry, progress.of(name)).endsWith(best));
  }

  void a_worse_result_does_not_replace_the_best() {
    SavedLesson saved;
    saved.tasks = saved.answered = 4;
    saved.right = 4;
    const SavedLesson best = saved.with_best();
    QCOMPARE(best.best_right, 4);
    SavedLesson later = best;
    later.right = 2;
    QCOMPARE(later.with_best().best_right, 4);
    later.answered = 1;
    QVERIFY(later.was_done() && !later.is_done());
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  void present() const {
    QToolButton* presenter = window().lessons().panel().presenter_button();
    if (!presenter->isChecked()) presenter->click();
  }
  static bool press(LessonWalker& walker) {
    walker.page().primary()->click();
    return walker.finish();
  }
  void leave(LessonWalker& walker) const {
    window().lessons().leave();
    QTRY_VERIFY(!walker.player().is_on());
  }
  QAction* menu_action(const QString& text) const {
    window().lessons().refresh_menu();
    for (const QMenu* menu : window().findChildren<QMenu*>())
      for (QAction* action : menu->actions())
        if (action->text() == text && action->isEnabled()) return action;
    return nullptr;
  }

  QString write(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
    return file.fileName();
  }

  QTemporaryDir folder_;
  QString forms_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_lesson_class, attn::gui::test::run<TestLessonClass>)
#include "test_lesson_class.moc"
