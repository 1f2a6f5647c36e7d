// SPDX-License-Identifier: GPL-3.0-or-later
// Back and forward in the real window, and views that return to an earlier place.
#include <QWheelEvent>

#include "backends/register_all.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/timeline/timeline_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

void settle() {
  QTest::qWait(5);
}

void wait_for_the_next() {
  QTest::qWait(WindowHistory::kOneMovement_ms + 50);
}

void go_back(MainWindow& window) {
  QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
  settle();
}

void go_forward(MainWindow& window) {
  QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
  settle();
}

void turn_wheel(QWidget& widget, const QPointF& at, int notches, Qt::KeyboardModifiers keys) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
  settle();
}

}  // namespace

class TestWindowHistory : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void one_history_of_all_views() {
    Workbench w(synthetic_scenario(60, 6));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    settle();
    MainWindow& window = *w.window;
    auto& heatmap = *window.view<HeatmapView>();
    QVERIFY(!window.actions().back->isEnabled());
    QVERIFY(!window.actions().forward->isEnabled());

    QTest::mouseClick(&heatmap, Qt::LeftButton, {}, heatmap.rect_of(30, 12).center().toPoint());
    settle();
    const SelectionState cell = w.selection.state();
    QVERIFY(cell.kind == SelectionKind::kCell);
    QVERIFY(window.actions().back->isEnabled());
    turn_wheel(heatmap, heatmap.rect_of(30, 12).center(), 2, Qt::ControlModifier);
    const double zoomed = heatmap.transform().x.scale;
    QVERIFY(!heatmap.transform().is_fit());
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    settle();
    QTest::keyClick(&window, Qt::Key_Left, Qt::ControlModifier);
    settle();
    const uint32_t step = window.cursor().step();
    QVERIFY(!window.cursor().is_live());

    go_back(window);
    QVERIFY(window.cursor().is_live());
    QCOMPARE(window.attention_tabs()->currentWidget(),
             static_cast<QWidget*>(window.view<HeadLinesView>()));
    go_back(window);
    QCOMPARE(window.attention_tabs()->currentWidget(), window.view("heatmap"));
    QVERIFY(window.view("heatmap")->hasFocus());
    QCOMPARE(heatmap.transform().x.scale, zoomed);
    go_back(window);
    QVERIFY(heatmap.transform().is_fit());
    QVERIFY(w.selection.state() == cell);
    go_back(window);
    QVERIFY(w.selection.state().kind == SelectionKind::kNothing);
    QVERIFY(!window.actions().back->isEnabled());
    for (int i = 0; i < 4; ++i) go_forward(window);
    QVERIFY(!window.actions().forward->isEnabled());
    QCOMPARE(window.attention_tabs()->currentWidget(),
             static_cast<QWidget*>(window.view<HeadLinesView>()));
    QCOMPARE(window.cursor().step(), step);
    QVERIFY(!window.cursor().is_live());
    QVERIFY(w.selection.state() == cell);
    QCOMPARE(heatmap.transform().x.scale, zoomed);

    go_back(window);
    go_back(window);
    QTest::keyClick(&window, Qt::Key_6, Qt::ControlModifier);
    settle();
    QVERIFY(!window.actions().forward->isEnabled());
  }

  void a_chain_of_notches_is_one_entry() {
    Workbench w(synthetic_scenario(60, 6));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    settle();
    auto& timeline = *w.window->view<TimelineView>();
    TimelineCanvas& canvas = timeline.canvas();
    QVERIFY(canvas.live());
    for (int i = 0; i < 8; ++i) turn_wheel(canvas, {600, 40}, 1, Qt::ControlModifier);
    const double scale = canvas.axis().scale;
    wait_for_the_next();
    for (int i = 0; i < 3; ++i) turn_wheel(canvas, {600, 40}, 1, Qt::ControlModifier);
    QVERIFY(canvas.axis().scale > scale);
    go_back(*w.window);
    QCOMPARE(canvas.axis().scale, scale);
    go_back(*w.window);
    QVERIFY(canvas.live());
    QVERIFY(!w.window->actions().back->isEnabled());
  }

  void the_outer_mouse_buttons_do_the_same() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    settle();
    QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
    settle();
    QTest::mouseClick(w.window->view<HeadGridView>()->focusProxy(), Qt::BackButton);
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("heatmap"));
    QTest::mouseClick(w.window->view("heatmap"), Qt::ForwardButton);
    QCOMPARE(w.window->attention_tabs()->currentWidget(),
             static_cast<QWidget*>(w.window->view<HeadGridView>()));
  }

  void every_view_finds_its_place_again() {
    Workbench w(synthetic_scenario(60, 6));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    int found = 0;
    for (gui::View* view : w.window->all_views()) {
      if (w.window->attention_tabs()->indexOf(view) >= 0) w.window->show_attention(view);
      QTest::qWait(100);
      const auto before = view->place();
      view->zoom(3);
      QTest::qWait(20);
      const auto zoomed = view->place();
      if (before.empty() && zoomed.empty()) continue;
      ++found;
      QVERIFY2(zoomed != before, qPrintable(view->title()));
      view->go_to_place(before);
      QVERIFY2(view->place() == before, qPrintable(view->title()));
      view->go_to_place(zoomed);
      QVERIFY2(view->place() == zoomed, qPrintable(view->title()));
    }
    QVERIFY(found >= 7);
  }

  void a_new_run_begins_a_new_history() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    settle();
    QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
    settle();
    QVERIFY(w.window->actions().back->isEnabled());
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    settle();
    QVERIFY(!w.window->actions().back->isEnabled());
  }
};

ATTN_QT_TEST(test_window_history, attn::gui::test::run<TestWindowHistory>)
#include "test_window_history.moc"
