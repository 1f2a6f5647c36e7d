// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of lessons in the window: answers, goals, counts of a class, rings, and hand-outs.
#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/handout.h"
#include "gui/app/lessons/handout.h"
#include "gui/views/compare/compare_view.h"
#include "gui/widgets/canvas.h"
#include "lesson_forms.h"
#include "lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestLessonSteps : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    small_ = write(QStringLiteral("small.md"),
                   QByteArray::fromStdString(lesson::skeleton("small", "A small lesson")));
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

  void predictions_are_told_together() {
    QByteArray text = kForms;
    text.replace(":::observe kind=choice", ":::predict kind=choice");
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("two.md"), text)));
    LessonPlayer& player = walker.player();
    const auto key = player.walk().key();
    QVERIFY(walker.answer(*lesson::wrong_answer(key, 0, 0)));
    QCOMPARE(player.run(), LessonPlayer::Run::kWaiting);
    QCOMPARE(player.open_task(), std::optional<size_t>(1));
    QVERIFY(!player.is_told(0));
    QVERIFY(walker.page().blocks()[0]->told().isEmpty());
    QVERIFY(!window().lessons().spotlight().view());
    QVERIFY(walker.answer(lesson::right_answer(key, 0, 1)));
    QCOMPARE(player.run(), LessonPlayer::Run::kDone);
    for (const TaskBlock* block : walker.page().blocks()) QVERIFY(!block->told().isEmpty());
    QVERIFY(window().lessons().spotlight().view());
    QPushButton* show = walker.page().blocks()[0]->show_button();
    QVERIFY(show && !walker.page().blocks()[1]->show_button());
    bench_->selection.clear();
    for (int tabs = 0; tabs < 40 && !show->hasFocus(); ++tabs) walker.key(Qt::Key_Tab);
    walker.key(Qt::Key_Space);
    QCOMPARE(bench_->selection.state().kind, SelectionKind::kBlock);
    const auto records = player.walk().records({});
    QCOMPARE(records.size(), size_t{3});
    QVERIFY(!records[1].correct && records[2].correct);
    QCOMPARE(records[2].task, std::string("step1-predict-2"));
    walker.key(Qt::Key_Return);
    QCOMPARE(player.walk().step(), size_t{1});
  }

  void a_change_keeps_its_view() {
    QByteArray text = kForms;
    text.remove(text.indexOf("## Which block"),
                text.indexOf("## Other settings") - text.indexOf("## Which block"));
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("change.md"), text)));
    while (const auto task = walker.player().open_task())
      QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, *task)));
    QVERIFY(window().view("blocks")->isVisible());
    walker.key(Qt::Key_Return);
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().walk().step(), size_t{1});
    QVERIFY(window().view("blocks")->isVisible());
  }

  void a_goal_is_judged_by_the_run_that_is_shown() {
    QByteArray text = kForms;
    text.remove(text.indexOf("## Which block"),
                text.indexOf("## Other settings") - text.indexOf("## Which block"));
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("goal.md"), text)));
    LessonPlayer& player = walker.player();
    while (const auto task = player.open_task())
      QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, *task)));
    walker.key(Qt::Key_Return);
    QVERIFY(walker.wait_for_step());
    const auto holds = [&player] {
      const auto* conditions = player.conditions(0);
      return conditions &&
             std::ranges::all_of(*conditions, [](const auto& value) { return value.holds; });
    };
    const auto is_told = [&](const QString& part) {
      for (const LessonText* line : walker.page().blocks()[0]->findChildren<LessonText*>())
        if (!line->isHidden() && line->plain().contains(part)) return true;
      return false;
    };
    const QString begin = QStringLiteral("empty slots: 31");
    QVERIFY(!holds() && is_told(begin));
    walker.page().skip_button()->click();
    QVERIFY(walker.finish());
    QTRY_VERIFY(holds());
    QVERIFY(!is_told(begin) && is_told(QStringLiteral("empty slots: ")));
    QVERIFY(is_told(QStringLiteral("One solution")));
    QVERIFY(is_told(QStringLiteral("Small blocks leave fewer slots empty.")));

    const auto visit_again = [&] {
      player.go_to(0);
      QVERIFY(walker.wait_for_step());
      player.go_to(1);
      QVERIFY(walker.wait_for_step());
    };
    visit_again();
    QCOMPARE(player.open_task(), std::optional<size_t>(0));
    QVERIFY(!holds() && is_told(begin));
    QVERIFY(!is_told(QStringLiteral("One solution")));
    QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 1, 0)));
    QVERIFY(holds() && is_told(QStringLiteral("The goal is reached.")));
    QVERIFY(!player.walk().records({}).back().correct);  // the solution was shown

    visit_again();
    QVERIFY(!player.open_task());
    QTRY_VERIFY(holds());
    QVERIFY(!is_told(begin));
    QCOMPARE(bench_->bridge.snapshot()->scenario->engine.block_size, int64_t{5});
  }

  void fields_of_the_shown_head_follow_the_views() {
    QByteArray text = kForms;
    text.remove(text.indexOf("## Which block"),
                text.indexOf("## Other settings") - text.indexOf("## Which block"));
    text.replace("backend, prompt_tokens", "view_layer, view_head");
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("shown.md"), text)));
    LessonPlayer& player = walker.player();
    while (const auto task = player.open_task())
      QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, *task)));
    walker.key(Qt::Key_Return);
    QVERIFY(walker.wait_for_step());
    const TaskBlock& block = *walker.page().blocks()[0];
    const auto field = [&block](const char* name) {
      for (const lesson::Setting& setting : block.settings())
        if (setting.control == name) return setting.value;
      return std::string();
    };
    const auto is_told = [&block](const QString& part) {
      for (const LessonText* line : block.findChildren<LessonText*>())
        if (!line->isHidden() && line->plain().contains(part)) return true;
      return false;
    };
    Selection& selection = bench_->selection;
    QVERIFY(is_told(QStringLiteral("% now; wanted: ")));
    QCOMPARE(field("view_head"), std::to_string(selection.shown_head()));
    const int64_t head = selection.shown_head() + 1;
    selection.show(selection.shown_request(), selection.shown_layer(), head);
    QCOMPARE(field("view_head"), std::to_string(head));
    QVERIFY(is_told(QStringLiteral("% before; wanted: ")) && !is_told(QStringLiteral("% now")));
    selection.show(selection.shown_request(), selection.shown_layer(), head - 1);
    QVERIFY(is_told(QStringLiteral("% now; wanted: ")));
    const uint32_t request = static_cast<uint32_t>(selection.shown_request());
    const int64_t layer = selection.shown_layer();
    selection.show(request, layer, head);
    selection.show(-1, 0, 0);
    selection.show(request, layer, head - 1);
    QCOMPARE(field("view_head"), std::to_string(head));
    QCOMPARE(field("view_layer"), std::to_string(layer));
    selection.show(request, layer, head + 1);
    QCOMPARE(field("view_head"), std::to_string(head + 1));
  }

  void a_run_again_keeps_what_is_looked_at() {
    QByteArray text = kForms;
    text.replace("\"kind\": \"random\"",
                 "\"kind\": \"random\", \"num_layers\": 3, \"num_heads\": 4");
    text.replace("\"title\": \"Forms\",", "\"title\": \"Forms\", \"view\": {\"layer\": 1},");
    text.replace("backend, prompt_tokens", "view_layer, prompt_tokens");
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("again.md"), text)));
    LessonPlayer& player = walker.player();
    Selection& selection = bench_->selection;
    QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, 0)));
    const auto shown = [&] { return std::pair(selection.shown_layer(), selection.shown_head()); };
    using Head = std::pair<int64_t, int64_t>;
    const Head of_step(1, 0), chosen(2, 3);
    const auto look = [&](const Head& head) {
      selection.show(selection.shown_request(), head.first, head.second);
    };
    QCOMPARE(shown(), of_step);
    look(chosen);
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QCOMPARE(shown(), chosen);
    QCOMPARE(player.run(), LessonPlayer::Run::kOther);
    player.restore_run();
    QVERIFY(walker.wait_for_step());
    QCOMPARE(shown(), chosen);
    player.go_to(0);
    QVERIFY(walker.wait_for_step());
    QCOMPARE(shown(), of_step);
    Scenario other = bench_->control.scenario();
    other.title = "Other";
    other.view.head = 1;
    look(chosen);
    bench_->control.show_scenario(other);
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    QCOMPARE(shown(), Head(1, 1));
  }

  void a_comparison_of_other_work_says_so() {
    QByteArray text = kForms;
    text.remove(text.indexOf("## Which block"),
                text.indexOf("## Other settings") - text.indexOf("## Which block"));
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("compared.md"), text)));
    LessonPlayer& player = walker.player();
    while (const auto task = player.open_task())
      QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, *task)));
    auto* compare = qobject_cast<CompareView*>(window().view("compare"));
    QVERIFY(compare);
    compare->compare(CompareView::What::kBackends);
    QTRY_VERIFY_WITH_TIMEOUT(compare->model().result(), 60000);
    const auto pace = [&] { return bench_->bridge.snapshot()->scenario->view.pace_tiles_per_s; };
    const double watched = pace();
    QVERIFY(watched > 0 && !compare->is_of_other_run());
    player.go_to(0);
    QVERIFY(walker.wait_for_step());
    QVERIFY(pace() != watched);
    QVERIFY(!compare->is_of_other_run());
    player.go_to(1);
    QVERIFY(walker.wait_for_step());
    QVERIFY(!compare->is_of_other_run());
    QCOMPARE(player.try_settings({{"prompt_tokens", "20"}}), QString());
    QVERIFY(walker.wait_for_step());
    QVERIFY(compare->is_of_other_run());
    QVERIFY(compare->canvas().scene().note.contains(QStringLiteral("another run")));
  }

  void a_try_shows_its_layer() {
    QByteArray text = kForms;
    text.replace("\"kind\": \"random\"", "\"kind\": \"random\", \"num_layers\": 3");
    text.remove(text.indexOf("## Which block"),
                text.indexOf("## Other settings") - text.indexOf("## Which block"));
    text.replace("backend, prompt_tokens", "view_layer, prompt_tokens");
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("tried.md"), text)));
    LessonPlayer& player = walker.player();
    while (const auto task = player.open_task())
      QVERIFY(walker.answer(lesson::right_answer(player.walk().key(), 0, *task)));
    player.go_to(1);
    QVERIFY(walker.wait_for_step());
    for (int time = 0; time < 2; ++time) {
      QCOMPARE(player.try_settings({{"view_layer", "2"}}), QString());
      QVERIFY(walker.wait_for_step());
      QCOMPARE(bench_->selection.shown_layer(), int64_t{2});
      bench_->selection.show(bench_->selection.shown_request(), 1, 0);
    }
  }

  void rows_of_numbers_share_none() {
    LessonWalker walker(*bench_);
    QByteArray text = kForms;
    text.replace(":::observe kind=choice", ":::predict kind=choice");
    QVERIFY(walker.open(write(QStringLiteral("ranges.md"), text)));
    CountBoard* board = present(walker);
    QVERIFY(board);
    const QStringList rows{board->words_of(0), board->words_of(1), board->words_of(4)};
    QVERIFY2(rows[0].startsWith(QStringLiteral("0 to 8 ")) &&
                 rows[1].startsWith(QStringLiteral("9 to 18 ")) &&
                 rows[2].startsWith(QStringLiteral("39 to 48 ")),
             qPrintable(rows.join(QLatin1Char('|'))));
    board->set_counts({10, 15});
    QCOMPARE(board->sum_words(), QStringLiteral("Answers in all: 25"));
    QVERIFY(reveal(walker) && reveal(walker));
    QVERIFY(board->is_revealed());
    QCOMPARE(board->words_of(1), QStringLiteral("9 to 18 slots: 15 of 25, holds a right answer"));
    for (int row = 0; row < 5; ++row)
      QVERIFY(!board->words_of(row).contains(QStringLiteral("correct")));
  }

  void few_numbers_have_a_row_each() {
    LessonWalker walker(*bench_);
    QByteArray text = kForms;
    text.replace(":::observe kind=choice", ":::predict kind=choice");
    text.replace("min=0 max=48", "min=5 max=16");
    QVERIFY(walker.open(write(QStringLiteral("few.md"), text)));
    CountBoard* board = present(walker);
    QCOMPARE(board->counts().size(), size_t{12});
    QVERIFY(board->words_of(10).startsWith(QStringLiteral("15 ")));
    board->set_counts({0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3});
    QVERIFY(reveal(walker) && reveal(walker));
    for (int row = 0; row < 12; ++row)
      QCOMPARE(board->words_of(row).contains(QStringLiteral("correct")), row == 10);
  }

  void counts_of_a_class_are_kept() {
    LessonWalker walker(*bench_);
    const QString file = write(QStringLiteral("kept.md"), kForms);
    QVERIFY(walker.open(file));
    const std::vector<int> first{10, 15, 0, 0, 0};
    present(walker)->set_counts(first);
    QToolButton* presenter = window().lessons().panel().presenter_button();
    presenter->click();
    QCOMPARE(present(walker)->counts(), first);
    QVERIFY(reveal(walker) && reveal(walker));
    walker.page().primary()->click();
    QVERIFY(walker.wait_for_step());
    const TaskBlock* places = walker.page().blocks()[0];
    for (const int64_t block : {3, 0, 3}) {
      bench_->selection.select({.kind = SelectionKind::kBlock, .block = block});
      add_button(*places)->click();
    }
    places->board()->field(1)->setValue(7);
    const std::vector<int> second{1, 7};
    QCOMPARE(places->board()->counts(), second);
    window().lessons().leave();
    QTRY_VERIFY(!walker.player().is_on());
    QVERIFY(walker.open(file));
    QCOMPARE(walker.player().walk().step(), size_t{1});
    CountBoard* board = present(walker);
    QCOMPARE(board->counts(), second);
    QVERIFY(reveal(walker));
    QCOMPARE(board->words_of(1), QStringLiteral("block 0: 7 of 8, correct"));
    walker.player().go_to(0);
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.page().blocks()[0]->board()->counts(), first);
  }

  void the_answer_before_is_no_click() {
    LessonWalker walker(*bench_);
    window().lessons().open(QStringLiteral("9"), 1);
    QVERIFY(QTest::qWaitFor([&] { return walker.player().is_on(); }, 60000));
    QVERIFY(walker.wait_for_step());
    CountBoard* board = present(walker);
    board->set_counts({18, 7});
    QVERIFY(reveal(walker));
    QVERIFY(board->is_revealed());
    QCOMPARE(walker.player().open_task(), std::optional<size_t>(1));
    QVERIFY(!walker.page().blocks()[1]->place()->place());
    QVERIFY(!window().lessons().spotlight().view());
    QVERIFY(bench_->bridge.snapshot()->phase == EnginePhase::kFinished);
  }

  // The answer of the second step of the forms is a block.
  void a_place_clicked_in_a_view_is_committed_by_enter() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("forms.md"), kForms)));
    while (const auto task = walker.player().open_task())
      QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(), 0, *task)));
    walker.key(Qt::Key_Return);
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().walk().step(), size_t{1});
    auto* blocks = window().view("blocks");
    auto* canvas = blocks->findChild<Canvas*>();
    canvas->setFocus();
    QTRY_COMPARE(window().focusWidget(), canvas);
    const size_t task = *walker.player().open_task();
    walker.key(Qt::Key_Return);  // nothing is chosen
    QVERIFY(!walker.player().state(task).first);
    bench_->selection.select({.kind = SelectionKind::kBlock, .block = 3});
    walker.key(Qt::Key_Right);  // after another key, Enter does not commit the place as answer
    walker.key(Qt::Key_Return);
    QVERIFY(!walker.player().state(task).first);
    bench_->selection.select({.kind = SelectionKind::kBlock, .block = 4});
    walker.key(Qt::Key_Return);
    QVERIFY(walker.player().state(task).first);
    QVERIFY(walker.finish());
  }

  void a_view_leaves_the_answer_keys_to_the_lesson() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("forms.md"), kForms)));
    while (!walker.player().open_task() ||
           !std::holds_alternative<lesson::ChoiceQuestion>(
               walker.player().step().tasks[*walker.player().open_task()].form)) {
      if (const auto task = walker.player().open_task()) {
        QVERIFY(walker.answer(lesson::right_answer(walker.player().walk().key(),
                                                   walker.player().walk().step(), *task)));
      } else {
        walker.key(Qt::Key_Return);
        QVERIFY(walker.wait_for_step());
      }
    }
    const size_t task = *walker.player().open_task();
    window().show_attention(window().view("heatmap"));
    window().view("heatmap")->setFocus();
    walker.key(Qt::Key_2);
    QCOMPARE(walker.page().blocks()[task]->choice()->chosen(), 1);
    // The letters are keys of views, so they choose only while an answer has the focus.
    walker.page().blocks()[task]->choice()->button(1)->setFocus();
    walker.key(Qt::Key_A);
    QCOMPARE(walker.page().blocks()[task]->choice()->chosen(), 0);
    walker.key(Qt::Key_B);
    QCOMPARE(walker.page().blocks()[task]->choice()->chosen(), 1);
    walker.key(Qt::Key_Return);
    QVERIFY(walker.player().state(task).first);
  }

  void blocks_have_most_of_the_width_in_teach() {
    window().resize(1920, 1080);
    window().layouts().apply(QStringLiteral("teach"));
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("forms.md"), kForms)));
    const QWidget* blocks = window().view("blocks");
    QVERIFY(blocks->isVisible());
    QTRY_VERIFY(blocks->width() > window().attention_tabs()->width());
  }

  void a_request_that_answers_is_ringed() {
    Scenario scenario = synthetic_scenario(4, 1);
    for (int i = 1; i < 40; ++i) {
      scenario.requests.push_back(scenario.requests.front());
      scenario.requests.back().name = "r" + std::to_string(i);
    }
    bench_->control.edit(scenario);
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    auto* timeline = window().view("timeline");
    QTRY_VERIFY(timeline->isVisible());
    show_place({.kind = lesson::PlaceKind::kRequest, .request = 0}, bench_->bridge,
               bench_->selection);
    timeline->reveal_selection();
    QTRY_VERIFY(timeline->place_of_selection());
    show_place({.kind = lesson::PlaceKind::kRequest, .request = 39}, bench_->bridge,
               bench_->selection);
    QVERIFY(!timeline->place_of_selection());
    timeline->reveal_selection();
    QTRY_VERIFY(timeline->place_of_selection());
  }

  // At its label, a row looks the same with the ring around it and without.
  void a_ringed_row_stays_readable_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"heatmap", "tiles", "timeline"})
      QTest::addRow("%s", name) << QString::fromLatin1(name);
  }
  void a_ringed_row_stays_readable() {
    QFETCH(QString, name);
    bench_->control.edit(synthetic_scenario(24, 3));
    QVERIFY(bench_->control.start());
    QVERIFY(wait_until_phase(bench_->bridge, EnginePhase::kFinished));
    gui::View* view = window().view(name.toStdString());
    if (window().attention_tabs()->indexOf(view) >= 0)
      window().attention_tabs()->setCurrentWidget(view);
    QTRY_VERIFY(view->isVisible());
    if (name == QLatin1String("timeline"))
      show_place({.kind = lesson::PlaceKind::kRequest, .request = 0}, bench_->bridge,
                 bench_->selection);
    else
      show_place({.kind = lesson::PlaceKind::kRow, .request = 0, .query = 12}, bench_->bridge,
                 bench_->selection);
    view->reveal_selection();
    QTRY_VERIFY(view->place_of_selection() && !view->is_behind());
    Spotlight ring(view);
    ring.show_on(view);
    QTRY_VERIFY(ring.isVisible());
    QTest::qWait(400);  // waits until the ring has shrunk to its final size
    const QImage ringed = view->grab().toImage();
    ring.hide();
    const QImage bare = view->grab().toImage();
    QVERIFY(ringed != bare);
    const QPoint place = *view->place_of_selection();
    const int half = QFontMetrics(PictureLook::read().small).height() / 2 - 1;
    const int left = name == QLatin1String("timeline") ? Theme::instance().px(12) : place.x() - 24;
    const QRect label(QPoint(std::max(0, left), place.y() - half),
                      QPoint(place.x() + 24, place.y() + half));
    QVERIFY(view->row_of_selection());
    // The row may begin at the edge of the view, where there is no text.
    const QRect inside = label & view->row_of_selection()->adjusted(4, 0, -4, 0);
    QVERIFY(inside.width() > 20 && inside.height() > 6);
    QCOMPARE(ringed.copy(inside), bare.copy(inside));
  }

  void two_clicks_on_next_reveal_nothing() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(write(QStringLiteral("twice.md"), kForms)));
    present(walker);
    QVERIFY(reveal(walker) && reveal(walker));
    QPushButton* button = walker.page().primary();
    QCOMPARE(button->text(), QStringLiteral("Next"));
    QTest::qWait(LessonPage::kLateClick_ms);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(button->text(), QStringLiteral("Reveal"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!walker.player().state(0).skipped);
    QVERIFY(walker.wait_for_step());
    QTest::qWait(LessonPage::kLateClick_ms);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(walker.player().state(0).skipped);
  }

  // Remarks of the engine are for the author of the scenario.
  void a_learner_reads_no_remarks() {
    LessonWalker walker(*bench_);
    window().lessons().open(QStringLiteral("3"), 2);  // an encoder, which has no cache
    QVERIFY(QTest::qWaitFor([&] { return walker.player().is_on(); }, 60000));
    QVERIFY(walker.wait_for_step());
    QCOMPARE(walker.player().run(), LessonPlayer::Run::kDone);
    QVERIFY(!bench_->bridge.messages().empty());
    QCOMPARE(window().message_bar()->text(), QString());
  }

  void handouts_are_written_from_the_window() {
    LessonWalker walker(*bench_);
    window().lessons().refresh_menu();
    const auto command = [this](bool teacher) {
      for (QAction* action : window().findChildren<QAction*>())
        if (action->text() == LessonPanel::handout_words(teacher) && !action->whatsThis().isEmpty())
          return action;
      return static_cast<QAction*>(nullptr);
    };
    QVERIFY(command(false) && !command(false)->isEnabled());
    QVERIFY(walker.open(small_));
    window().lessons().refresh_menu();
    QVERIFY(command(false)->isEnabled() && command(true)->isEnabled());
    QCOMPARE(window().lessons().panel().handout_button()->menu()->actions().size(), 2);
    WindowHandouts& handouts = window().lessons().handouts();
    handouts.set_program(QStringLiteral(ATTN_WORKBENCH));
    const LessonPlayer::Run run = walker.player().run();
    for (const bool teacher : {false, true}) {
      const QString out =
          folder_.filePath(teacher ? QStringLiteral("t.pdf") : QStringLiteral("p.pdf"));
      handouts.write(small_, out, teacher);
      QTRY_VERIFY_WITH_TIMEOUT(!handouts.is_writing(), 60000);
      QVERIFY2(window().message_bar()->text().startsWith(QStringLiteral("Saved ")),
               qPrintable(window().message_bar()->text()));
      QFile file(out);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(file.read(5) == "%PDF-");
    }
    QCOMPARE(walker.player().run(), run);
    // Two sheets, each on one page. The box of the last task once stood alone on a third page.
    const QString seventh = folder_.filePath(QStringLiteral("7.pdf"));
    handouts.write(QStringLiteral("7"), seventh, false);
    QTRY_VERIFY_WITH_TIMEOUT(!handouts.is_writing(), 60000);
    QFile pages(seventh);
    QVERIFY(pages.open(QIODevice::ReadOnly) && pages.readAll().contains("/Count 2"));
    // 174 mm between the margins, at 300 pixels per inch.
    const lesson::ParsedLesson first = lesson::read_lesson(lesson::find_lesson("1"));
    const lesson::ParsedLesson forms = lesson::parse_lesson(kForms, "forms.md");
    for (const lesson::Step* step : {&first.lesson->steps[0], &forms.lesson->steps[0]}) {
      const QImage picture = picture_of_start(*step);
      QVERIFY2(std::abs(picture.width() - 174 / 25.4 * 300) <= 2,
               qPrintable(QString::number(picture.width())));
      QVERIFY(picture.height() < 2 * picture.width());
    }
    handouts.write(small_, folder_.filePath(QStringLiteral("none/p.pdf")), false);
    QTRY_VERIFY_WITH_TIMEOUT(!handouts.is_writing(), 60000);
    QVERIFY(window().message_bar()->text().contains(QStringLiteral("none/p.pdf")));
  }

  // On a projector nobody scrolls, so all fields must be visible.
  void all_fields_of_a_class_are_seen_data() {
    QTest::addColumn<int>("rows");
    QTest::newRow("1") << 5;
    QTest::newRow("9") << 11;
  }
  void all_fields_of_a_class_are_seen() {
    QFETCH(int, rows);
    window().actions().layout_teach->trigger();
    LessonWalker walker(*bench_);
    QVERIFY(
        walker.open(QString::fromStdString(lesson::find_lesson(QTest::currentDataTag()).string())));
    QCOMPARE(window().size(), QSize(1280, 720));
    window().lessons().panel().presenter_button()->click();
    const TaskBlock* block = walker.page().blocks()[*walker.player().open_task()];
    QCOMPARE(static_cast<int>(block->board()->counts().size()), rows);
    const auto is_seen = [](const QWidget* widget) {
      return widget->visibleRegion().boundingRect() == widget->rect();
    };
    for (int row = 0; row < rows; ++row) QTRY_VERIFY(is_seen(block->board()->field(row)));
    QVERIFY(is_seen(block));
  }

  // The letters become larger after the page was made, which moves the question down.
  void presenter_begins_at_the_top_of_the_question() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(QString::fromStdString(lesson::find_lesson("9").string())));
    window().resize(1280, 560);
    present(walker);
    const auto* scroll = walker.page().findChild<QScrollArea*>();
    const QScrollBar* bar = scroll->verticalScrollBar();
    const auto begins = [&] {
      const TaskBlock* block = walker.page().blocks()[*walker.player().open_task()];
      return bar->value() == 0 ? block->geometry().bottom() < scroll->viewport()->height()
                               : bar->value() == std::min(block->y(), bar->maximum());
    };
    for (const int percent : {100, 150}) {
      Theme::instance().set_text_percent(percent);
      QTest::qWait(50);  // panels are sized again in later turns of the event loop
      QTRY_VERIFY(begins());
    }
    Theme::instance().set_text_percent(100);
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  CountBoard* present(LessonWalker& walker) const {
    QToolButton* presenter = window().lessons().panel().presenter_button();
    if (!presenter->isChecked()) presenter->click();
    return walker.page().blocks()[*walker.player().open_task()]->board();
  }
  static bool reveal(LessonWalker& walker) {
    walker.page().primary()->click();
    return walker.finish();
  }
  static QPushButton* add_button(const TaskBlock& block) {
    for (QPushButton* button : block.findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Add this answer")) return button;
    return nullptr;
  }

  QString write(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
    return file.fileName();
  }

  QTemporaryDir folder_;
  QString small_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_lesson_steps, attn::gui::test::run<TestLessonSteps>)
#include "test_lesson_steps.moc"
