// SPDX-License-Identifier: GPL-3.0-or-later
// The attention panel in the real window: changes of its tab, a jump from an event, and F10.
#include "backends/register_all.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestAttentionTabs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void keys_change_the_tab() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::keyClick(w.window.get(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("tiles"));
    QVERIFY(w.window->view("tiles")->isVisible());
    QVERIFY(w.window->view("tiles")->focusProxy()->hasFocus());
    QTest::keyClick(w.window.get(), Qt::Key_R, Qt::ControlModifier);
    QCOMPARE(w.window->attention_tabs()->currentWidget(),
             static_cast<QWidget*>(w.window->view<CompareView>()));
    QVERIFY(QTest::qWaitFor(
        [&] { return w.window->view<CompareView>()->model().result() != nullptr; }, 60000));
    auto* metrics = w.window->view<MetricsView>();
    QVERIFY(!metrics->canvas().has_charts());
    QTest::keyClick(w.window.get(), Qt::Key_6, Qt::ControlModifier);
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("metrics"));
    QTRY_VERIFY(metrics->canvas().has_charts());
    QCOMPARE(metrics->canvas().model().size(), w.bridge.snapshot()->steps->size());
    QTest::keyClick(w.window.get(), Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("heatmap"));
  }

  void events_take_the_window_to_their_moment() {
    Workbench w(synthetic_scenario(40, 12));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::keyClick(w.window.get(), Qt::Key_7, Qt::ControlModifier);
    auto* events = w.window->view<EventsView>();
    QCOMPARE(w.window->attention_tabs()->currentWidget(), static_cast<QWidget*>(events));
    QVERIFY(events->events().view().hasFocus());
    QTRY_COMPARE(events->rows().total(), static_cast<uint64_t>(w.bridge.events().size()));
    const auto tile = std::ranges::find_if(w.bridge.events(), [](const TraceEvent& event) {
      return event.kind == EventKind::kTile && event.layer == 1;
    });
    const auto index = tile - w.bridge.events().begin();
    events->events().set_current_row(index);
    QTest::keyClick(&events->events().view(), Qt::Key_Enter);
    QCOMPARE(w.selection.state().event, static_cast<int64_t>(index));
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    const auto& content = w.window->inspector()->content();
    QTRY_COMPARE(content.title, QStringLiteral("Attention tile"));
    QVERIFY(!w.window->cursor().is_live());
    QCOMPARE(w.window->cursor().step(), 1u);
    const int64_t other = index + 3;
    w.selection.select({.kind = SelectionKind::kSpan, .event = other});
    QTest::keyClick(&events->events().view(), Qt::Key_S);
    QCOMPARE(events->events().current_row(), other);
  }

  void a_head_opens_in_the_heatmap() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier);
    HeadGridView* heads = w.window->view<HeadGridView>();
    QCOMPARE(w.window->attention_tabs()->currentWidget(), static_cast<QWidget*>(heads));
    QVERIFY(heads->focusProxy()->hasFocus());
    QVERIFY(heads->stats().wait(std::chrono::seconds(20)));
    QTest::mouseClick(&heads->canvas(), Qt::LeftButton, {},
                      heads->canvas().rect_of(2).center().toPoint());
    QCOMPARE(w.window->attention_tabs()->currentWidget(), w.window->view("heatmap"));
    QCOMPARE(w.selection.shown_head(), int64_t{2});
    QTest::keyClick(w.window.get(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(w.window->attention_tabs()->currentWidget(),
             static_cast<QWidget*>(w.window->view<HeadLinesView>()));
    QVERIFY(w.window->view<HeadLinesView>()->scene().heads == std::vector<int64_t>{2});
    QTest::keyClick(&w.window->view<HeadLinesView>()->canvas(), Qt::Key_Left);
    QCOMPARE(w.selection.shown_head(), int64_t{1});
  }

  void f10_gives_the_window_and_takes_it_back() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    const int before = w.window->attention_tabs()->width();
    QTest::keyClick(w.window.get(), Qt::Key_F10);
    QVERIFY(w.window->is_wide());
    QVERIFY(!w.window->view("blocks")->isVisible());
    QVERIFY(!w.window->workload()->isVisible());
    QTRY_VERIFY(w.window->attention_tabs()->width() > before + 300);
    QTest::keyClick(w.window.get(), Qt::Key_F10);
    QVERIFY(!w.window->is_wide());
    QVERIFY(w.window->view("blocks")->isVisible());
    QVERIFY(w.window->workload()->isVisible());
    QTRY_VERIFY(w.window->attention_tabs()->width() < before + 40);
  }

  void f10_leaves_the_panel_of_lessons_alone() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    w.window->lessons().show();
    QVERIFY(w.window->is_wide());
    for (const bool wide : {false, true, false}) {
      QTest::keyClick(w.window.get(), Qt::Key_F10);
      QCOMPARE(w.window->is_wide(), wide);
      QVERIFY(w.window->lessons().is_open());
      const QWidget& panel = w.window->lessons().panel();
      QTRY_VERIFY2(panel.width() >= 320 && panel.width() <= 480,
                   qPrintable(QString::number(panel.width())));
    }
    QVERIFY(w.window->view("blocks")->isVisible());
  }
};

ATTN_QT_TEST(test_attention_tabs, attn::gui::test::run<TestAttentionTabs>)
#include "test_attention_tabs.moc"
