// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window: the panel, results and hand-outs.
#include <QAbstractSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/result.h"
#include "gui/app/language.h"
#include "gui/app/lessons/handout.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/lessons/number_input.h"
#include "gui/widgets/canvas.h"
#include "lesson_forms.h"
#include "lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// Without this environment variable only the first kQuick shipped lessons are taken.
constexpr const char* kAll = "ATTN_ALL_LESSONS";
constexpr size_t kQuick = 2;
// Names a folder. If it is set, lessons are taken with text of 150%, and pictures of the window are
// saved there.
constexpr const char* kLessonPictures = "ATTN_LESSON_PICTURES";

std::vector<QString> lesson_files() {
  std::vector<QString> files;
  for (const auto& file : lesson::shipped_lessons(program_language().toStdString()))
    files.push_back(QString::fromStdString(file.string()));
  if (!qEnvironmentVariableIsSet(kAll) && files.size() > kQuick) files.resize(kQuick);
  return files;
}

}  // namespace

class TestLessonPanel : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    use_language(*qApp, qEnvironmentVariable("ATTN_LANGUAGE"));
    register_all_backends();
    QVERIFY(folder_.isValid());
    small_ = write(QStringLiteral("small.md"),
                   QByteArray::fromStdString(lesson::skeleton("small", "A small lesson")));
    forms_ = write(QStringLiteral("forms.md"), kForms);
  }
  void init() {
    fail_on_warnings();
    bench_ = std::make_unique<Workbench>(synthetic_scenario(24, 3));
    QVERIFY(QTest::qWaitForWindowExposed(bench_->window.get()));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    if (qEnvironmentVariableIsSet(kLessonPictures)) Theme::instance().set_text_percent(150);
  }
  void cleanup() {
    bench_.reset();
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
    Theme::instance().set_projector(false);
  }

  void all_lessons_by_keyboard_data() { add_lessons(); }
  void all_lessons_by_keyboard() {
    QFETCH(QString, file);
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(file));
    LessonPlayer& player = walker.player();
    const size_t steps = player.lesson().steps.size();
    for (size_t step = 0; step < steps; ++step) {
      QCOMPARE(player.walk().step(), step);
      while (const auto task = player.open_task()) {
        const bool asks = player.step().tasks[*task].kind == lesson::TaskKind::kPredict;
        keep_picture(player, *task, "asked");
        if (asks) QCOMPARE(player.run(), LessonPlayer::Run::kWaiting);
        QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), step, *task)));
        QVERIFY2(player.state(*task).last, qPrintable(where(player, *task)));
        QVERIFY2(player.state(*task).last->is_right(), qPrintable(where(player, *task)));
        keep_picture(player, *task, "right");
      }
      for (size_t task = 0; task < player.step().tasks.size(); ++task) {
        QVERIFY2(player.is_told(task), qPrintable(where(player, task)));
        QVERIFY2(!walker.page().blocks()[task]->told().isEmpty(), qPrintable(where(player, task)));
      }
      if (step + 1 == steps) break;
      QCOMPARE(walker.page().primary()->text(), tr_of("Next"));
      walker.key(Qt::Key_Return);
      QVERIFY(walker.wait_for_step());
    }
    QVERIFY(player.is_finished());
    const SavedLesson saved =
        window().lessons().progress().of(progress_name(player.lesson().about));
    QVERIFY(saved.is_done());
    QCOMPARE(saved.right, saved.tasks);
    walker.key(Qt::Key_Return);  // presses Finish
    QVERIFY(!window().lessons().is_open());
  }

  void all_lessons_wrongly_data() { add_lessons(); }
  void all_lessons_wrongly() {
    QFETCH(QString, file);
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(file));
    LessonPlayer& player = walker.player();
    const size_t steps = player.lesson().steps.size();
    for (size_t step = 0; step < steps; ++step) {
      while (const auto task = player.open_task()) {
        for (size_t hint = 0; hint < player.step().tasks[*task].hints.size(); ++hint) {
          QVERIFY(walker.page().hint_button()->isEnabled());
          walker.page().hint_button()->click();
          QCOMPARE(player.state(*task).hints, hint + 1);
        }
        QVERIFY(!walker.page().hint_button()->isEnabled());
        walker.page().begin();
        keep_picture(player, *task, "hints");
        const auto wrong = lesson::wrong_answer(player.walk().key(), step, *task);
        const bool is_goal = !player.step().tasks[*task].is_question();
        if (wrong) {
          QVERIFY(walker.answer(*wrong));
          QVERIFY2(player.state(*task).last, qPrintable(where(player, *task)));
          QVERIFY2(!player.state(*task).last->is_right(), qPrintable(where(player, *task)));
          keep_picture(player, *task, "wrong");
          if (player.is_told(*task))
            QVERIFY2(!walker.page().blocks()[*task]->told().isEmpty(),
                     qPrintable(where(player, *task)));
        }
        if (is_goal || !wrong) {
          QCOMPARE(player.open_task(), task);
          walker.page().skip_button()->click();
          QVERIFY(walker.finish());
        }
      }
      if (step + 1 == steps) break;
      walker.page().primary()->setFocus();
      walker.key(Qt::Key_Return);
      QVERIFY(walker.wait_for_step());
      QCOMPARE(player.walk().step(), step + 1);
    }
    QVERIFY(player.is_finished());
    QCOMPARE(player.walk().right_at_first() < player.lesson().num_tasks(), true);
  }

  void a_lesson_gives_the_run_back() {
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    Scenario edited = bench_->control.scenario();
    edited.title = "edited and not run";
    bench_->control.edit(edited);
    window().show_attention(window().view("words"));
    bench_->selection.select(
        {.kind = SelectionKind::kCell, .request = 0, .layer = 1, .head = 2, .query = 12, .key = 3});
    const SelectionState selected = bench_->selection.state();
    window().cursor().go_to(2);
    bench_->control.set_pace(300);
    const auto recorder = bench_->bridge.recorder();
    const size_t events = bench_->bridge.events().size();
    const bool workload_was_hidden = window().workload()->isHidden();

    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    QVERIFY(bench_->bridge.recorder() != recorder);
    QVERIFY(window().is_wide());
    QCOMPARE(bench_->control.scenario().title, walker.player().step().scenario.title);
    QVERIFY(window().message_bar()->text().isEmpty());
    leave();

    QCOMPARE(bench_->bridge.recorder(), recorder);
    QCOMPARE(bench_->bridge.events().size(), events);
    QCOMPARE(bench_->bridge.pace(), 300.0);
    QCOMPARE(bench_->control.scenario().title, std::string("edited and not run"));
    QVERIFY(bench_->control.has_changes());
    QCOMPARE(window().cursor().step(), 2U);
    QCOMPARE(bench_->selection.state(), selected);
    QCOMPARE(window().attention_tabs()->currentWidget(), window().view("words"));
    QVERIFY(!window().is_wide());
    QCOMPARE(window().workload()->isHidden(), workload_was_hidden);
    QVERIFY(window().actions().run->isEnabled());
  }

  // The buttons could show the answer.
  void no_button_runs_before_the_answer() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    QCOMPARE(walker.player().run(), LessonPlayer::Run::kWaiting);
    const auto run_buttons = [this] {
      QList<QPushButton*> buttons{window().findChild<CompareView*>()->start_button()};
      for (const Canvas* canvas : window().findChildren<Canvas*>())
        for (QPushButton* button : canvas->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly))
          if (button->text() == QStringLiteral("Run")) buttons.push_back(button);
      return buttons;
    };
    QVERIFY(run_buttons().size() > 5);
    for (const QPushButton* button : run_buttons()) {
      QVERIFY2(!button->isEnabled(),
               qPrintable(button->parentWidget()->accessibleName() + button->text()));
      QCOMPARE(button->toolTip(), window().actions().run->property("refusal").toString());
    }
    leave();
    for (const QPushButton* button : run_buttons().mid(1)) QVERIFY(button->isEnabled());
  }

  void a_lesson_before_any_run() {
    const std::string title = bench_->control.scenario().title;
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    leave();
    QCOMPARE(bench_->control.scenario().title, title);
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QCOMPARE(bench_->bridge.snapshot()->scenario->title, title);
  }

  // The panel of lessons is closed without a lesson, as after --lesson with a file that has
  // mistakes. Then the scenario of the window runs.
  void without_a_lesson_the_scenario_runs() {
    QTest::keyClick(&window(), Qt::Key_L, Qt::ControlModifier);
    QVERIFY(window().lessons().is_open());
    QVERIFY(!bench_->control.has_begun());
    leave();
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
  }

  void space_starts_the_first_run() {
    QVERIFY(!bench_->control.has_begun());
    QTest::keyClick(&window(), Qt::Key_Space);
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
  }

  void a_message_leaves_the_buttons_of_a_lesson_free() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    MessageBar& messages = *window().message_bar();
    messages.show_message(MessageKind::kWarning, QStringLiteral("a warning"));
    const auto area = [](QWidget& widget) {
      return QRect(widget.mapToGlobal(QPoint()), widget.size());
    };
    QVERIFY(messages.isVisible());
    QVERIFY(!area(messages).intersects(area(window().lessons().panel())));
    window().resize(1000, 900);  // now Blocks and Timeline are tall
    QTRY_VERIFY(!area(messages).intersects(area(window().lessons().panel())));
    leave();
    QTRY_COMPARE(messages.width(), window().width());
  }

  void the_list_alone_changes_nothing() {
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    const auto recorder = bench_->bridge.recorder();
    QTest::keyClick(&window(), Qt::Key_L, Qt::ControlModifier);
    QVERIFY(window().lessons().is_open());
    QVERIFY(!window().lessons().panel().list()->entries().empty());
    QVERIFY(window().lessons().panel().list()->isAncestorOf(window().focusWidget()));
    leave();
    QCOMPARE(bench_->bridge.recorder(), recorder);
    QVERIFY(!window().is_wide());
  }

  void a_lesson_is_continued() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    const auto key = walker.player().walk().key();
    const size_t task = *walker.player().open_task();
    QVERIFY(walker.answer(lesson::right_answer(key, 0, task)));
    const std::string answered = walker.player().state(task).first->answered;
    leave();
    QVERIFY(walker.open(small_));
    QCOMPARE(walker.player().walk().step(), size_t{0});
    QVERIFY(walker.player().state(task).first);
    QCOMPARE(walker.player().state(task).first->answered, answered);
    QVERIFY(!walker.page().blocks()[task]->told().isEmpty());
  }

  void another_run_is_noticed() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    const size_t task = *walker.player().open_task();
    QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, task)));
    bench_->control.show_scenario(synthetic_scenario(16, 2));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QCOMPARE(walker.player().run(), LessonPlayer::Run::kOther);
    QVERIFY(walker.page().note().contains(QStringLiteral("Another run")));
    walker.player().restore_run();
    QVERIFY(walker.wait_for_step());
    QCOMPARE(bench_->bridge.snapshot()->scenario->title, walker.player().step().scenario.title);
  }

  void mistakes_are_told_in_the_panel() {
    QByteArray text = QByteArray::fromStdString(lesson::skeleton("bad", "A bad lesson"));
    text.replace(":::predict", ":::predcit");
    text.append(
        "\n## Another step\n\n:::predict kind=number quantity=\"no_such_number\"\nWhat?\n:::\n");
    const QString file = write(QStringLiteral("bad.md"), text);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    QTRY_VERIFY(!window().lessons().panel().mistakes_text().isEmpty());
    const QString told = window().lessons().panel().mistakes_text();
    QVERIFY2(told.contains(QStringLiteral("predcit")), qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral("no_such_number")), qPrintable(told));
    QVERIFY2(told.count(QStringLiteral("line ")) >= 2, qPrintable(told));
    QVERIFY(window().message_bar()->text().contains(QStringLiteral("bad.md, line ")));
    LessonWalker walker(*bench_);
    QFile::remove(file);
    QVERIFY(QFile::copy(small_, file));
    QTest::mouseClick(window().lessons().panel().again_button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(walker.player().is_on(), 60000);
    QVERIFY(walker.wait_for_step());
    QVERIFY(window().message_bar()->text().isEmpty());
    leave();
    QCOMPARE(write(QStringLiteral("bad.md"), text), file);
    QVERIFY(walker.open(small_));
    window().lessons().open(file);
    QVERIFY(walker.player().is_on());
    QVERIFY(window().lessons().panel().mistakes_text().isEmpty());
    QVERIFY(window().message_bar()->text().contains(QStringLiteral("bad.md, line ")));
    leave();
    window().lessons().open(QStringLiteral("no-such-lesson"));
    QVERIFY(!window().lessons().is_open());
    const QString told_last = window().message_bar()->texts().join(u'\n');
    QVERIFY2(told_last.contains(QStringLiteral("no-such-lesson")), qPrintable(told_last));
  }

  void a_presenter_counts_the_class() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    const size_t task = *walker.player().open_task();
    QVERIFY(walker.player().step().tasks[task].is_question());
    window().lessons().panel().presenter_button()->click();
    QVERIFY(Theme::instance().is_projector());
    CountBoard* board = walker.page().blocks()[task]->board();
    QVERIFY(board);
    QVERIFY(board->field(0)->hasFocus());
    QTRY_COMPARE(board->field(0)->findChild<QLineEdit*>()->selectedText(), QStringLiteral("0"));
    QTest::keyClicks(board->field(0), QStringLiteral("3"));
    QCOMPARE(board->field(0)->value(), 3);
    walker.type(QStringLiteral("7"));
    walker.key(Qt::Key_Tab);
    walker.type(QStringLiteral("12"));
    QCOMPARE(board->total(), 19);
    walker.key(Qt::Key_Return);
    QVERIFY(walker.finish());
    QTRY_VERIFY(board->is_revealed());
    QVERIFY(board->words_of(1).contains(QStringLiteral("12 of 19")));
    QVERIFY(walker.player().state(task).skipped);
    QVERIFY(!walker.page().blocks()[task]->told().isEmpty());
    leave();
    QVERIFY(!Theme::instance().is_projector());
  }

  void results_can_be_read_back() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    const size_t task = *walker.player().open_task();
    QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, task)));
    const QString file = folder_.filePath(QStringLiteral("small-Anna.csv"));
    QCOMPARE(window().lessons().write_results(file, QStringLiteral("Anna")), QString());
    QFile read(file);
    QVERIFY(read.open(QIODevice::ReadOnly));
    const auto records = lesson::parse_results(read.readAll().toStdString(), "small-Anna.csv");
    QVERIFY(records.size() >= 2);
    QCOMPARE(records.front().participant, std::string("Anna"));
    QVERIFY(records[1].correct);
    QVERIFY(!window()
                 .lessons()
                 .write_results(folder_.filePath(QStringLiteral("no/such/folder.csv")),
                                QStringLiteral("Anna"))
                 .isEmpty());
  }

  void looks_data() {
    QTest::addColumn<int>("percent");
    QTest::addColumn<bool>("dark");
    for (const int percent : {100, 150})
      for (const bool dark : {false, true})
        QTest::addRow("%d%% %s", percent, dark ? "dark" : "light") << percent << dark;
  }
  void looks() {
    QFETCH(int, percent);
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? ThemeMode::kDark : ThemeMode::kLight);
    Theme::instance().set_text_percent(percent);
    LessonWalker walker(*bench_);
    window().lessons().show();
    QTest::qWait(100);
    check_texts(QStringLiteral("list"));
    QVERIFY(walker.open(forms_));
    for (size_t step = 0;; ++step) {
      while (const auto task = walker.player().open_task()) {
        QTest::qWait(60);
        check_texts(where(walker.player(), *task));
        check_names();
        QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), step, *task)));
        QTest::qWait(60);
        check_texts(where(walker.player(), *task) + QStringLiteral(", told"));
      }
      if (!walker.player().can_go_on()) break;
      walker.key(Qt::Key_Return);
      QVERIFY(walker.wait_for_step());
    }
    QCOMPARE(window().size(), QSize(1280, 720));
  }

  void a_number_outside_the_range_is_no_answer() {
    NumberInput input;
    input.set_range(0, 200, 1, 0, QStringLiteral("pairs"), QStringLiteral("how many"));
    input.show();
    const auto type = [&](const QString& text) {
      input.field()->selectAll();
      QTest::keyClicks(input.field(), text);
      QTest::keyClick(input.field(), Qt::Key_Return);
    };
    QVERIFY(!input.value());
    QVERIFY(input.refusal().isEmpty());
    for (const char* outside : {"1000", "201", "123456", "-5", "-77"}) {
      type(QString::fromLatin1(outside));
      QVERIFY2(!input.value(), outside);
      QVERIFY2(input.refusal().contains(QStringLiteral("0 to 200 pairs")), outside);
    }
    type(QStringLiteral("1000"));
    QCOMPARE(input.field()->text(), QStringLiteral("1000"));
    QTest::keyClick(input.field(), Qt::Key_Down);
    QCOMPARE(input.value().value_or(-1), 200.0);
    type(QStringLiteral("7"));
    QCOMPARE(input.value().value_or(-1), 7.0);
    QVERIFY(input.refusal().isEmpty());
    input.set_value({});
    QVERIFY(!input.value());
    QVERIFY(input.refusal().isEmpty());
    QTest::keyClick(input.field(), Qt::Key_Down);
    QVERIFY(!input.value());
    QTest::keyClick(input.field(), Qt::Key_Up);
    QCOMPARE(input.value().value_or(-1), 0.0);
    input.slider()->setValue(50);
    QCOMPARE(input.value().value_or(-1), 50.0);
  }

  void a_double_click_goes_one_step() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    while (const auto task = walker.player().open_task())
      QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, *task)));
    // Sends only the second click of a double click: its first click was on "To the end".
    QPushButton* button = walker.page().primary();
    QCOMPARE(button->text(), QStringLiteral("Next"));
    const QPointF place = QRectF(button->rect()).center();
    for (const QEvent::Type type : {QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease}) {
      QMouseEvent event(type, place, button->mapToGlobal(place), Qt::LeftButton,
                        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton,
                        Qt::NoModifier);
      QApplication::sendEvent(button, &event);
    }
    QCOMPARE(walker.player().walk().step(), size_t{0});
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(walker.player().walk().step(), size_t{1});
    QVERIFY(walker.wait_for_step());
    // A click just after the end of the run was meant for "To the end".
    QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 1, 0)));
    QCOMPARE(button->text(), QStringLiteral("Next"));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(walker.player().walk().step(), size_t{1});
    QTest::qWait(LessonPage::kLateClick_ms);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(walker.player().walk().step(), size_t{2});
    QVERIFY(walker.wait_for_step());
  }

  void a_panel_without_a_lesson_leaves_no_texts() {
    const auto texts = [] {
      const QWidgetList all = QApplication::allWidgets();
      return std::ranges::count_if(
          all, [](const QWidget* one) { return qobject_cast<const LessonText*>(one) != nullptr; });
    };
    const auto before = texts();
    {
      const LessonPage page(window().lessons().player(), bench_->bridge, bench_->selection,
                            window().cursor());
      QVERIFY(texts() > before);
    }
    QCOMPARE(texts(), before);
  }

  void parts_of_a_handout_stay_whole() {
    const std::vector<double> heights{60, 30, 20, 250, 40, 70};
    const std::vector<HandoutPlace> places = place_on_pages(heights, 100);
    const std::vector<std::pair<int, double>> expected{{0, 0}, {0, 60}, {1, 0},
                                                       {2, 0}, {4, 50}, {5, 0}};
    QCOMPARE(places.size(), expected.size());
    for (size_t i = 0; i < places.size(); ++i) {
      QCOMPARE(places[i].page, expected[i].first);
      QCOMPARE(places[i].top, expected[i].second);
    }
    QCOMPARE(place_on_pages(heights, 100, {0, 1}).front().page, 0);
    QCOMPARE(place_on_pages(heights, 100, {0, 1})[1].page, 1);
    QCOMPARE(place_on_pages(heights, 100, {0, 1})[2].top, 30.0);
  }

  void pictures_of_a_handout_are_not_divided() {
    const QSizeF page(100, 150), wide(200, 100), high(50, 100);
    QCOMPARE(picture_below(20, wide, page), std::optional(QSizeF(100, 50)));
    QCOMPARE(picture_below(20, high, page), std::optional(QSizeF(45, 90)));
    QCOMPARE(picture_below(80, high, page), std::optional(QSizeF(35, 70)));
    QCOMPARE(picture_below(110, high, page), std::nullopt);
    QCOMPARE(picture_below(110, wide, page), std::optional(QSizeF(80, 40)));
    QCOMPARE(picture_below(170, wide, page), std::optional(QSizeF(100, 50)));
  }

  void a_hint_is_seen() {
    Theme::instance().set_text_percent(150);
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    TaskBlock* block = walker.page().blocks()[*walker.player().open_task()];
    for (size_t hint = 1; hint <= 2; ++hint) {
      walker.page().hint_button()->click();
      QCOMPARE(block->hints().size(), hint);
      const QWidget* shown = block->hints().back();
      QTRY_COMPARE(shown->visibleRegion().boundingRect(), shown->rect());
    }
  }

  void an_answer_in_compare_is_made() {
    QByteArray text = kForms;
    text.replace(":::reveal view=blocks at=\"block_of(token=last_prompt, step=1)\"",
                 ":::reveal view=compare");
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("compare.md"), text)));
    auto* compare = qobject_cast<CompareView*>(window().view("compare"));
    QVERIFY(compare);
    QVERIFY(!compare->model().result());
    const size_t task = *walker.player().open_task();
    QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, task)));
    QCOMPARE(window().attention_tabs()->currentWidget(), compare);
    QTRY_VERIFY_WITH_TIMEOUT(compare->model().result(), 60000);
  }

  void the_answer_is_ringed() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(small_));
    const size_t task = *walker.player().open_task();
    QVERIFY(!window().lessons().spotlight().view());
    QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, task)));
    const lesson::TaskKey& key = walker.player().walk().key().steps[0].tasks[task];
    if (!key.place) return;
    Spotlight& spotlight = window().lessons().spotlight();
    QVERIFY(spotlight.view());
    QTRY_VERIFY(spotlight.place());
    // The layout of the view may not be finished yet.
    QTRY_COMPARE(spotlight.place(), spotlight.view()->place_of_selection());
    QVERIFY(spotlight.isVisible());
    walker.key(Qt::Key_Return);
    if (walker.player().walk().step() > 0) QVERIFY(!spotlight.isVisible());
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  static QString tr_of(const char* text) { return LessonPage::tr(text); }

  QString write(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
    return file.fileName();
  }

  void add_lessons() const {
    QTest::addColumn<QString>("file");
    QTest::addRow("skeleton") << small_;
    QTest::addRow("forms") << forms_;
    for (const QString& file : lesson_files())
      QTest::addRow("%s", qPrintable(QFileInfo(file).completeBaseName())) << file;
  }

  static QString where(const LessonPlayer& player, size_t task) {
    return QString::fromStdString(player.lesson().about.id + ", " + player.step().tasks[task].name);
  }

  void keep_picture(const LessonPlayer& player, size_t task, const char* when) const {
    const QString folder = qEnvironmentVariable(kLessonPictures);
    if (folder.isEmpty()) return;
    QTest::qWait(400);  // gives the view time to be laid out and drawn
    window().grab().save(QStringLiteral("%1/%2-%3-%4.png")
                             .arg(folder, QString::fromLatin1(QTest::currentDataTag()),
                                  QString::fromStdString(player.step().tasks[task].name),
                                  QLatin1String(when)));
  }

  void leave() const {
    QSignalSpy left(&window().lessons(), &WindowLessons::left);
    window().lessons().leave();
    QTRY_COMPARE(left.count(), 1);
    QVERIFY(!window().lessons().is_open());
  }

  void check_texts(const QString& at) const {
    LessonPanel& panel = window().lessons().panel();
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
      if (!widget->isVisible()) continue;
      // Only widgets without others inside are drawn. A line edit draws its selected text twice.
      const bool is_alone =
          widget->findChildren<QWidget*>().isEmpty() && !qobject_cast<const QLineEdit*>(widget);
      TextRecorder recorder(widget->size());
      if (is_alone) widget->render(&recorder, {}, {}, QWidget::DrawWindowBackground);
      const QStringList wrong = recorder.cut() + recorder.overlaps();
      QVERIFY2(wrong.isEmpty(),
               qPrintable(at + QStringLiteral(": ") + wrong.join(QLatin1Char('\n'))));
      if (widget->hasHeightForWidth() && !widget->layout())
        QVERIFY2(widget->height() + 1 >= widget->heightForWidth(widget->width()),
                 qPrintable(at + QStringLiteral(": ") + widget->accessibleName()));
      if (!qobject_cast<const QScrollBar*>(widget) && widget->parentWidget())
        QVERIFY2(widget->geometry().right() <= widget->parentWidget()->width(),
                 qPrintable(QStringLiteral("%1: %2 ends at %3 of %4")
                                .arg(at, widget->accessibleName())
                                .arg(widget->geometry().right())
                                .arg(widget->parentWidget()->width())));
    }
  }

  void check_names() const {
    for (const QWidget* widget : window().lessons().panel().findChildren<QWidget*>()) {
      if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
        continue;
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                   qobject_cast<const QLineEdit*>(widget),
               widget->metaObject()->className());
    }
  }

  QTemporaryDir folder_;
  QString small_, forms_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_lesson_panel, attn::gui::test::run<TestLessonPanel>)
#include "test_lesson_panel.moc"
