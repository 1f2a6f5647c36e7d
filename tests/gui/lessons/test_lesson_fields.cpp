// SPDX-License-Identifier: GPL-3.0-or-later
// The fields for the answers of a lesson, and the width of the panel of lessons.
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <algorithm>
#include <array>

#include "backends/register_all.h"
#include "gui/views/lessons/count_board.h"
#include "lesson_forms.h"
#include "lesson_walker.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

void type(AnswerField& field, const QString& text) {
  field.setFocus();
  field.selectAll();
  QTest::keyClicks(&field, text);
}

// Whether the field shows its text and the text cursor without scrolling.
bool is_whole(const AnswerField& field) {
  const auto* line = field.findChild<QLineEdit*>();
  constexpr int kMargins = 4, kCursor = 1;  // px that QLineEdit needs beside the text
  return line->fontMetrics().horizontalAdvance(line->text()) + kMargins + kCursor <=
         line->contentsRect().width();
}

}  // namespace

class TestLessonFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    forms_ = folder_.filePath(QStringLiteral("forms.md"));
    QFile file(forms_);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(kForms) > 0);
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
    Theme::instance().set_text_percent(100);
  }

  void the_panel_stays_readable_while_the_window_grows() {
    window().resize(1280, 720);
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_));
    const QWidget& panel = window().lessons().panel();
    for (const QSize size : {QSize(1920, 1080), QSize(2560, 1440), QSize(1280, 720)}) {
      window().resize(size);
      QTest::qWait(50);  // panels are sized again in later turns of the event loop
      QCOMPARE(window().size(), size);
      QVERIFY2(panel.width() >= 320 && panel.width() <= 480,
               qPrintable(QString::number(panel.width())));
    }
  }

  void numbers_out_of_range_are_marked() {
    NumberInput input;
    input.set_range(0, 200, 1, 0, QStringLiteral("pairs"), QStringLiteral("how many"));
    input.show();
    const auto color = [&] {
      return input.field()->palette().color(QPalette::Active, QPalette::Text);
    };
    const ThemeColors& colors = Theme::instance().colors();
    QVERIFY(!input.slider()->shows_value());
    type(*input.field(), QStringLiteral("60"));
    QVERIFY(input.slider()->shows_value());
    QCOMPARE(input.slider()->value(), 60);
    QCOMPARE(color(), colors.text);
    const QImage with = input.slider()->grab().toImage();
    type(*input.field(), QStringLiteral("250"));
    QVERIFY(!input.value());
    QVERIFY(!input.slider()->shows_value());
    QVERIFY(input.slider()->grab().toImage() != with);
    QCOMPARE(color(), colors.bad);
    QVERIFY(input.refusal().contains(QStringLiteral("0 to 200 pairs")));
    QCOMPARE(input.slider()->accessibleDescription(), input.refusal());
    input.slider()->setValue(61);
    QCOMPARE(input.value().value_or(-1), 61.0);
    QVERIFY(input.slider()->shows_value());
    QCOMPARE(color(), colors.text);
    QVERIFY(input.refusal().isEmpty());
    input.set_tolerance(QStringLiteral("up to 2 pairs"));
    QVERIFY(input.slider()->accessibleDescription().endsWith(input.tolerance()));
  }

  void an_emptied_field_is_not_answered() {
    NumberInput input;
    input.set_range(0, 200, 1, 0, QStringLiteral("pairs"), QStringLiteral("how many"));
    input.show();
    AnswerField& field = *input.field();
    for (const Qt::Key key : {Qt::Key_Backspace, Qt::Key_Minus}) {
      type(field, QStringLiteral("60"));
      QCOMPARE(input.value().value_or(-1), 60.0);
      field.selectAll();
      QTest::keyClick(&field, key);
      QVERIFY(!input.value());
      QVERIFY(!input.slider()->shows_value() && input.refusal().isEmpty());
      QTest::keyClick(&field, Qt::Key_Return);
      QVERIFY(!input.value());
      QCOMPARE(field.text(), QStringLiteral("?"));
      type(field, QStringLiteral("-"));
      QFocusEvent leave(QEvent::FocusOut);
      QCoreApplication::sendEvent(&field, &leave);
      QVERIFY(!input.value());
      QCOMPARE(field.text(), QStringLiteral("?"));
    }
    type(field, QStringLiteral("7"));
    QCOMPARE(input.value().value_or(-1), 7.0);
  }

  // A whole number is not made of "1,5", and a decimal comma is read as such.
  void a_comma_is_no_silent_other_number() {
    const QLocale before;
    QLocale german = before;
    german.setNumberOptions(german.numberOptions() | QLocale::OmitGroupSeparator);
    for (const bool is_german : {false, true}) {
      QLocale::setDefault(is_german ? german : before);
      NumberInput whole, parts;
      whole.set_range(0, 2000, 1, 0, QStringLiteral("%"), QStringLiteral("how many"));
      parts.set_range(1, 20, 0.1, 1, {}, QStringLiteral("how much"));
      for (NumberInput* input : {&whole, &parts}) input->show();
      for (const char* text : {"1,5", "1.5"}) {
        type(*whole.field(), QString::fromLatin1(text));
        for (int time = 0; time < 2; ++time) {
          QCOMPARE(whole.field()->text(), QString::fromLatin1(text));
          QVERIFY(!whole.value());
          QVERIFY(!whole.slider()->shows_value());
          QVERIFY2(whole.refusal().contains(QStringLiteral("whole number")),
                   qPrintable(whole.refusal()));
          QTest::keyClick(whole.field(), Qt::Key_Return);
        }
        type(*parts.field(), QString::fromLatin1(text));
        QCOMPARE(parts.value().value_or(-1), 1.5);
        QTest::keyClick(parts.field(), Qt::Key_Return);
        QCOMPARE(parts.value().value_or(-1), 1.5);
        QCOMPARE(parts.field()->text(), QStringLiteral("1.5"));
      }
      type(*parts.field(), QStringLiteral("4,75"));
      QVERIFY(!parts.value());
      QVERIFY(parts.refusal().contains(QStringLiteral("1.0 to 20.0")));
      type(*parts.field(), QStringLiteral("4,7"));
      QCOMPARE(parts.value().value_or(-1), 4.7);
      QVERIFY(parts.refusal().isEmpty());
      type(*whole.field(), QStringLiteral("1,234"));
      QCOMPARE(whole.value().value_or(-1), is_german ? -1.0 : 1234.0);
    }
    QLocale::setDefault(before);
  }

  void a_layer_that_the_model_does_not_have_is_refused() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(QStringLiteral("1"), 3));
    const GoalInput& goal = *walker.page().blocks()[0]->goal();
    const auto& source = bench_->bridge.snapshot()->source;
    const std::array<int64_t, 2> numbers{source.num_layers, source.num_heads};
    for (const int at : {0, 1}) {
      auto& field = *static_cast<AnswerField*>(goal.editor(at));
      const int64_t number = numbers[static_cast<size_t>(at)];
      type(field, QString::number(number));
      QVERIFY(!goal.is_valid());
      QVERIFY(!walker.page().primary()->isEnabled());
      QVERIFY(walker.page().skip_button()->isEnabled());
      type(field, QString::number(number - 1));
      QVERIFY(goal.is_valid());
    }
  }

  void the_last_notch_is_the_largest_answer() {
    NumberInput input;
    input.set_range(0, 10, 4, 0, {}, QStringLiteral("How many?"));
    auto* slider = input.slider();
    slider->setValue(slider->maximum());
    QCOMPARE(input.value().value_or(-1), 10.0);
    slider->setValue(1);
    QCOMPARE(input.value().value_or(-1), 4.0);
  }

  void a_typed_setting_is_not_cut_to_its_range() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_, 3));
    const GoalInput& goal = *walker.page().blocks()[0]->goal();
    auto& block_size = *static_cast<AnswerField*>(goal.editor(0));
    QVERIFY(goal.is_valid());
    for (const char* outside : {"300", "0", "9999"}) {
      type(block_size, QString::fromLatin1(outside));
      QCOMPARE(block_size.text(), QString::fromLatin1(outside));
      QVERIFY(is_whole(block_size));
      QVERIFY(!goal.is_valid());
      QVERIFY(!walker.page().primary()->isEnabled());
      const auto refusals = goal.findChildren<QLabel*>();
      QVERIFY(std::ranges::any_of(refusals, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("1 to 256 tokens"));
      }));
    }
    type(block_size, QStringLiteral("5"));
    QVERIFY(goal.is_valid());
    QVERIFY(walker.page().primary()->isEnabled());
  }

  void a_typed_place_is_not_cut_to_its_range() {
    LessonWalker walker(*bench_);
    QVERIFY(walker.open(forms_, 1));
    const PlaceInput& place = *walker.page().blocks()[0]->place();
    type(*place.field(0), QStringLiteral("5"));
    QVERIFY(place.place());
    type(*place.field(0), QStringLiteral("77"));  // there are 8 blocks
    QCOMPARE(place.field(0)->text(), QStringLiteral("77"));
    QVERIFY(is_whole(*place.field(0)));
    QVERIFY(!place.place());
    QVERIFY(!walker.page().primary()->isEnabled());
    type(*place.field(0), QStringLiteral("6"));
    QCOMPARE(place.place()->block, 6);
  }

  void the_tries_of_a_goal_are_kept() {
    SavedTask task;
    task.tries = 3;
    QCOMPARE(saved_task(json_of(task)).tries, 3);
  }

  void counts_of_a_bar_stay_on_one_line() {
    CountBoard board;
    board.set_answers({QStringLiteral("A"), QStringLiteral("B")});
    board.set_counts({15, 5});
    board.reveal({CountBoard::Mark::kRight, CountBoard::Mark::kWrong});
    const auto labels = board.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->text().endsWith(QStringLiteral("15\u00a0(75\u00a0%)"));
    }));
  }

  void long_numbers_are_whole() {
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      NumberInput input;
      input.set_range(0, 20000, 0.001, 3, QStringLiteral("slots"), QStringLiteral("how many"));
      input.resize(Theme::instance().px(300), input.sizeHint().height());
      input.show();
      AnswerField& field = *input.field();
      for (const char* text : {"12345.678", "-12345.678", "999998.999"}) {
        type(field, QString::fromLatin1(text));
        QCOMPARE(field.text(), QString::fromLatin1(text));
        QVERIFY2(is_whole(field), text);
      }
    }
  }

 private:
  MainWindow& window() const { return *bench_->window; }

  QTemporaryDir folder_;
  QString forms_;
  std::unique_ptr<Workbench> bench_;
};

ATTN_QT_TEST(test_lesson_fields, attn::gui::test::run<TestLessonFields>)
#include "test_lesson_fields.moc"
