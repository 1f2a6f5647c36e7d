// SPDX-License-Identifier: GPL-3.0-or-later
// LessonWalker: opens a lesson in the window and answers its questions by keys.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QtTest>

#include "tests/gui/window/window_fixture.h"

namespace attn::gui::test {

class LessonWalker {
 public:
  explicit LessonWalker(Workbench& bench) : bench_(bench), window_(*bench.window) {}

  LessonPlayer& player() { return window_.lessons().player(); }
  LessonPage& page() { return *window_.lessons().panel().page(); }

  // step: from 0
  bool open(const QString& file, std::optional<size_t> step = std::nullopt) {
    window_.lessons().open(file, step);
    return QTest::qWaitFor([&] { return player().is_on(); }, 60000) && wait_for_step();
  }
  bool wait_for_step() {
    return QTest::qWaitFor([&] { return !window_.lessons().is_busy() && !player().is_trying(); },
                           60000);
  }
  void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(focus(), static_cast<Qt::Key>(key), modifiers);
  }
  void type(const QString& text) {
    key(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(focus(), text);
  }

  bool answer(const lesson::Answer& answer) {
    const size_t task = *player().open_task();
    TaskBlock* block = page().blocks()[task];
    if (const auto* number = std::get_if<lesson::NumberAnswer>(&answer)) {
      type(QString::number(number->number, 'f', block->number()->field()->decimals()));
    } else if (const auto* choice = std::get_if<lesson::ChoiceAnswer>(&answer)) {
      key(Qt::Key_1 + static_cast<int>(choice->option));
    } else if (const auto* click = std::get_if<lesson::ClickAnswer>(&answer)) {
      give_place(*block, click->place);
    } else {
      give_settings(*block->goal(), std::get<lesson::GoalAnswer>(answer).settings);
    }
    key(Qt::Key_Return);
    return finish();
  }

  bool finish() {
    return QTest::qWaitFor(
        [&] {
          if (player().run() == LessonPlayer::Run::kRunning) player().hurry();
          return !window_.lessons().is_busy() && !player().is_trying();
        },
        60000);
  }

 private:
  QWidget* focus() const {
    QWidget* focused = window_.focusWidget();
    return focused ? focused : static_cast<QWidget*>(&window_);
  }

  void give_place(TaskBlock& block, const lesson::Place& place) {
    const auto fields =
        fields_of(std::get<lesson::ClickQuestion>(player().step().tasks[block.task()].form).kind,
                  bench_.bridge.snapshot().get(), bench_.selection);
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) key(Qt::Key_Tab);
      type(QString::number(place.*fields[i].field));
    }
  }

  void give_settings(GoalInput& goal, const std::vector<lesson::Setting>& settings) {
    const std::vector<lesson::Setting> now = goal.settings();
    for (size_t i = 0; i < now.size(); ++i) {
      QWidget* editor = goal.editor(static_cast<int>(i));
      for (int tabs = 0; tabs < 40 && !editor->hasFocus(); ++tabs) key(Qt::Key_Tab);
      for (const lesson::Setting& wanted : settings) {
        if (wanted.control != now[i].control || wanted.value == now[i].value) continue;
        const QString value = QString::fromStdString(wanted.value);
        if (auto* box = qobject_cast<QComboBox*>(editor)) {
          key(Qt::Key_Down);  // opens the list
          QWidget* list = QApplication::activePopupWidget();
          const int steps = box->findText(value) - box->currentIndex();
          for (int step = 0; list && step < std::abs(steps); ++step)
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : list,
                            steps > 0 ? Qt::Key_Down : Qt::Key_Up);
          if (list)
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : list,
                            Qt::Key_Return);
        } else if (qobject_cast<QCheckBox*>(editor)) {
          key(Qt::Key_Space);
        } else {
          type(value);
        }
      }
    }
  }

  Workbench& bench_;
  MainWindow& window_;
};

}  // namespace attn::gui::test
