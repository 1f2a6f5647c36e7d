// SPDX-License-Identifier: GPL-3.0-or-later
// The view Patching: clicks and drags from one run to the other, and prompts that it refuses.
#include <algorithm>
#include <cmath>
#include <set>

#include "backends/register_all.h"
#include "gui/views/explore/patching/patching_view.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestPatchingView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    stage_ = std::make_unique<Stage>(deterministic("first-look", 2));
    view_ = &stage_->add<PatchingView>("patching", {1100, 620});
    QVERIFY(stage_->run_to_end());
    QVERIFY(settle());
  }
  void init() { fail_on_warnings(); }
  void cleanupTestCase() { stage_.reset(); }

  void the_default_prompts_have_a_clear_answer() {
    const PatchingData& data = *view_->data();
    QCOMPARE(data.trouble, QString());
    QCOMPARE(QString::fromStdString(data.right), QStringLiteral(" dog"));
    QCOMPARE(QString::fromStdString(data.wrong), QStringLiteral(" cat"));
    QVERIFY(data.ends.clean.right_probability > 0.9);
    QVERIFY(data.ends.corrupted.wrong_probability > 0.9);
    QCOMPARE(data.ends.residue_embedding, 0.0);
    QCOMPARE(data.ends.residue_last, 0.0);
    const int64_t last = data.tokens() - 1, layer = data.layers - 1;
    QCOMPARE(data.grids[kIntoCorrupted]->value(layer, last), 1.0);
    QCOMPARE(data.grids[kIntoClean]->value(layer, last), 0.0);
    QCOMPARE(std::ranges::count_if(std::vector<int64_t>{0, 1, 2, 3, 4, 5},
                                   [&](int64_t i) { return data.differs(i); }),
             1);
    QVERIFY(view_->canvas().picture()->frame().checks.at(0).contains(
        QStringLiteral("residues 0 and 0")));
    QVERIFY(view_->nothing_to_export().isEmpty());
    QVERIFY(view_->csv().count('\n') == 3 + data.runs());
  }

  void both_runs_have_numbers_in_their_cells_or_neither() {
    std::set<int> digits;
    for (int width = 400; width <= 1600; width += 40) {
      TextRecorder device(QSize(width, 900));
      QPainter painter(&device);
      picture().paint(painter, device.bounds(), false, {});
      painter.end();
      for (const int part : {kIntoClean, kHeadsIntoClean}) {
        const int there = digits_in(device, part), back = digits_in(device, other_run(part));
        QVERIFY2(there == back, qPrintable(QString::number(width)));
        digits.insert(there);
      }
    }
    QCOMPARE(digits, (std::set<int>{0, 1, 2}));
  }

  void a_click_puts_the_same_cell_of_the_other_run_in_its_place() {
    const PatchingData& data = *view_->data();
    const Spot spot{kIntoCorrupted, 0, word()};
    click(spot);
    QTRY_VERIFY(view_->patch());
    const auto& grid = *data.grids[kIntoCorrupted];
    QCOMPARE(view_->patch()->answer.difference, grid.difference[static_cast<size_t>(word())]);
    const auto number = stage_->selection.explained();  // the inspector explains it
    QVERIFY(number);
    QCOMPARE(number->numbers[0].second, format_number(grid.value(0, word()), 7));
    QVERIFY(std::abs(number->formulas[1].section(QLatin1Char(' '), -1).toDouble() -
                     grid.value(0, word())) < 1e-5);
    QVERIFY(words().contains(QStringLiteral("the state after layer 0 at “·dog” (position")));
    QVERIFY(words().contains(QStringLiteral("of the clean answer back")));
    QVERIFY(view_->canvas().accessibleDescription().contains(words()));
    QTest::keyClick(&view_->canvas(), Qt::Key_Escape);
    QVERIFY(!view_->patch());
    click({kHeadsIntoClean, 4, 2});
    QTRY_VERIFY(view_->patch());
    QCOMPARE(stage_->selection.shown_layer(), 4);
    QCOMPARE(stage_->selection.shown_head(), 2);
    QVERIFY(words().contains(QStringLiteral("of the clean answer away")));
  }

  void a_cell_is_dragged_to_any_cell_of_the_other_run() {
    const Spot from{kIntoClean, 0, word()}, to{kIntoCorrupted, 1, word() + 1};
    drag(from, to);
    QTRY_VERIFY(view_->patch() && view_->patch()->move.cells.layer == 1);
    QCOMPARE(source_of(view_->patch()->move), from);
    QCOMPARE(target_of(view_->patch()->move), to);
    const double by_mouse = view_->patch()->answer.difference;
    QTest::keyClick(&view_->canvas(), Qt::Key_Escape);
    ExploreCanvas& canvas = view_->canvas();
    canvas.set_cursor(from);
    QTest::keyClick(&canvas, Qt::Key_M);
    QCOMPARE(view_->marked(), from);
    for (int i = 0; i < 6; ++i) QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), to);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QTRY_VERIFY(view_->patch());
    QCOMPARE(view_->patch()->answer.difference, by_mouse);
    drag(from, {kIntoClean, 3, 3});
    QVERIFY(words().contains(QStringLiteral("of one run")));
    drag({kHeadsIntoClean, 3, 3}, {kHeadsIntoCorrupted, 3, 4});
    QVERIFY(words().contains(QStringLiteral("same head")));
    drag(from, {kHeadsIntoCorrupted, 3, 4});
    QVERIFY(words().contains(QStringLiteral("same kind")));
    QVERIFY(!view_->patch());
  }

  void prompts_that_cannot_be_compared_are_shown_and_refused() {
    type("Tom saw a big dog. He was scared of the big", "Tom saw a cat.");
    QVERIFY(settle());
    QVERIFY2(trouble().contains(QStringLiteral("13 tokens")) ||
                 trouble().contains(QStringLiteral("14 tokens")),
             qPrintable(trouble()));
    QVERIFY(trouble().contains(QStringLiteral("equally many")));
    QVERIFY(view_->canvas().picture());  // it shows the tokens
    type("Tom", "Tom");
    QVERIFY(settle());
    QVERIFY(trouble().contains(QStringLiteral("the same")));
    type("Tom", "");
    QVERIFY(settle());
    QVERIFY(trouble().contains(QStringLiteral("Type a clean prompt")));
    view_->prompts().right_field()->setText(QStringLiteral("unbelievably"));
    type("Tom saw a dog", "Tom saw a cat");
    QVERIFY(settle());
    QVERIFY(trouble().contains(QStringLiteral("unbelievably")));
    QVERIFY_THROWS_EXCEPTION(Error, view_->throw_if_refused());
    view_->set_options({{QStringLiteral("right"), QStringLiteral("dog")},
                        {QStringLiteral("wrong"), QStringLiteral("ball")}});
    QVERIFY(settle());
    QCOMPARE(trouble(), QString());
    QCOMPARE(QString::fromStdString(view_->data()->wrong), QStringLiteral(" ball"));
    QCOMPARE(view_->options()[QLatin1String("wrong")].toString(), QStringLiteral("ball"));
  }

  void equal_answers_are_told() {
    QVERIFY2(said().contains(QStringLiteral("the logit of “·dog” minus that of “·ball”")),
             qPrintable(said()));
    type("Tom went to the park. He", "Sam went to the park. He");
    view_->set_options(
        {{QStringLiteral("right"), QString()}, {QStringLiteral("wrong"), QString()}});
    QVERIFY(settle());
    QCOMPARE(view_->data()->ends.clean.best, view_->data()->ends.corrupted.best);
    QVERIFY2(said().contains(QStringLiteral("after both prompts")), qPrintable(said()));
    QVERIFY2(said().contains(QStringLiteral("apart")), qPrintable(said()));
    QVERIFY(view_->csv().startsWith(
        "run,site,layer,position,token,other_token,head,logit_difference,clean_share,right,wrong"));
  }

  void the_button_takes_texts_that_are_still_typed() {
    type("Tom saw a big dog.", "Tom saw a cat.");
    QVERIFY(settle());
    QVERIFY(trouble().contains(QStringLiteral("equally many")));
    QVERIFY(!view_->job_button()->isEnabled());
    QLineEdit *clean = view_->prompts().clean_field(),
              *corrupted = view_->prompts().corrupted_field();
    for (const auto& [field, text] :
         {std::pair(clean, "Sam saw a dog"), {corrupted, "Sam saw a cat"}}) {
      QTest::mouseClick(field, Qt::LeftButton);
      field->selectAll();
      QTest::keyClicks(field, QString::fromLatin1(text));
      QTest::qWait(60);
      QVERIFY(!view_->is_behind());
      QVERIFY(!view_->canvas().picture());  // the old refusal is gone
      QVERIFY2(view_->canvas().waiting_text().contains(QStringLiteral("were changed")),
               qPrintable(view_->canvas().waiting_text()));
      QVERIFY(view_->job_button()->isEnabled());
    }
    QTest::mouseClick(view_->job_button(), Qt::LeftButton);
    QVERIFY(settle());
    QCOMPARE(trouble(), QString());
    QCOMPARE(view_->data()->wish.clean, QStringLiteral("Sam saw a dog"));
    QCOMPARE(view_->data()->wish.corrupted, QStringLiteral("Sam saw a cat"));
    QVERIFY(view_->canvas().picture());
    // While grids are computed, typing ends that; with the texts taken before it begins again.
    type("Tom saw a dog", "Tom saw a cat");
    QVERIFY(view_->is_behind());
    QTest::keyClicks(corrupted, QStringLiteral("s"));
    QVERIFY(!view_->is_behind());
    QCOMPARE(view_->job_button()->text(), QStringLiteral("Compute"));
    QTest::keyClick(corrupted, Qt::Key_Backspace);
    QVERIFY(settle());
    QCOMPARE(view_->data()->wish.corrupted, QStringLiteral("Tom saw a cat"));
  }

  void runs_are_cancelled_and_begun_again() {
    type("Tom saw a dog.", "Tom saw a cat.");
    QVERIFY(view_->is_behind());
    QKeyEvent asks(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
    asks.ignore();
    QCoreApplication::sendEvent(&view_->canvas(), &asks);
    QVERIFY(asks.isAccepted());
    QTest::keyClick(&view_->canvas(), Qt::Key_Escape);
    QVERIFY(!view_->is_behind());
    QVERIFY(view_->job_button()->isEnabled());
    QTest::qWait(60);
    QVERIFY(!view_->data() || !view_->data()->is_complete());
    QTest::keyClick(&view_->canvas(), Qt::Key_C);
    QVERIFY(settle());
    QVERIFY(!view_->job_button()->isEnabled());
    const QByteArray table = view_->csv();
    stage_->cursor.go_to(0);
    QCOMPARE(view_->csv(), table);
    stage_->cursor.go_live();
  }

  void a_source_without_a_model_is_refused() {
    stage_->bridge.start(synthetic_scenario(12, 2));
    QVERIFY(wait_until_phase(stage_->bridge, EnginePhase::kFinished));
    QTRY_VERIFY(view_->canvas().waiting_text().contains(QStringLiteral("no model")));
    QVERIFY(!view_->canvas().picture());
    QVERIFY(view_->nothing_to_export().contains(QStringLiteral("model")));
  }

 private:
  bool settle() {
    return QTest::qWaitFor(
        [this] { return !view_->is_behind() && view_->data() && view_->data()->is_complete(); },
        60000);
  }
  // The first position at which the two prompts of the view differ.
  int64_t word() const {
    int64_t position = 0;
    while (!view_->data()->differs(position)) ++position;
    return position;
  }
  const PatchingPicture& picture() const {
    return dynamic_cast<const PatchingPicture&>(*view_->canvas().picture());
  }
  QString words() const { return picture().patch_words(); }
  QString said() const { return view_->canvas().picture()->sentence(); }
  QString trouble() const { return view_->data()->trouble; }
  // How many digits after the point the numbers in the cells of this part have; 0: no numbers.
  int digits_in(const TextRecorder& device, int part) const {
    for (int64_t row = 0; row < view_->data()->layers; ++row)
      for (int64_t column = 0; column < view_->data()->grids[size_t(part)]->columns; ++column) {
        const QRectF cell = picture().box_of({part, row, column}, device.bounds().width());
        for (const DrawnText& text : device.texts())
          if (cell.contains(text.ink.center()))
            return static_cast<int>(text.text.size() - text.text.indexOf(QLatin1Char('.')) - 1);
      }
    return 0;
  }
  QPoint place(const Spot& spot) const {
    view_->canvas().set_cursor(spot);
    return view_->canvas().place_of_selection()->toPoint();
  }
  void click(const Spot& spot) {
    QTest::mouseClick(&view_->canvas(), Qt::LeftButton, {}, place(spot));
  }
  void drag(const Spot& from, const Spot& to) {
    const QPoint end = place(to), begin = place(from);
    QTest::mousePress(&view_->canvas(), Qt::LeftButton, {}, begin);
    QMouseEvent move(QEvent::MouseMove, end, view_->canvas().mapToGlobal(end), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&view_->canvas(), &move);
    QTest::mouseRelease(&view_->canvas(), Qt::LeftButton, {}, end);
  }
  void type(const char* clean, const char* corrupted) {
    view_->prompts().clean_field()->setText(QString::fromLatin1(clean));
    view_->prompts().corrupted_field()->setText(QString::fromLatin1(corrupted));
    QTest::keyClick(view_->prompts().corrupted_field(), Qt::Key_Return);
  }

  std::unique_ptr<Stage> stage_;
  PatchingView* view_ = nullptr;
};

ATTN_QT_TEST(test_patching_view, attn::gui::test::run<TestPatchingView>)
#include "test_patching_view.moc"
