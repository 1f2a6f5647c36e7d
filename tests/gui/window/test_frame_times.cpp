// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times: the largest of the last second, and their display, which no exported picture has.
#include "backends/register_all.h"
#include "gui/app/frame_times.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestFrameTimes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void the_worst_is_of_the_last_second() {
    FrameTimes times;
    QCOMPARE(times.last_ms(), 0.0);
    QCOMPARE(times.worst_ms(), 0.0);
    times.add(100, 40);
    times.add(600, 5);
    QCOMPARE(times.last_ms(), 5.0);
    QCOMPARE(times.worst_ms(), 40.0);
    times.add(1100, 7);
    QCOMPARE(times.worst_ms(), 40.0);
    times.add(1101, 6);
    QCOMPARE(times.last_ms(), 6.0);
    QCOMPARE(times.worst_ms(), 7.0);
    times.add(9000, 1);
    QCOMPARE(times.worst_ms(), 1.0);
  }

  void they_stand_on_the_screen_and_in_no_picture() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    for (gui::View* view : w.window->views()) {
      if (w.window->attention_tabs()->indexOf(view) >= 0) w.window->show_attention(view);
      QTRY_VERIFY(!view->is_behind());
      QTest::qWait(100);
      const QImage before = view->grab().toImage();
      QCOMPARE(view->grab().toImage(), before);  // the view stands still
      const QImage picture = prepare_image(*view, 1)();
      const QByteArray table = prepare_table(*view)();
      show_frame_times({view});
      const QImage after = view->grab().toImage();
      QVERIFY2(after != before, qPrintable(view->title()));
      const QRect above(0, 0, before.width(), before.height() / 2);
      QCOMPARE(after.copy(above), before.copy(above));
      QCOMPARE(prepare_image(*view, 1)(), picture);
      QCOMPARE(prepare_table(*view)(), table);
    }
  }
};

ATTN_QT_TEST(test_frame_times, attn::gui::test::run<TestFrameTimes>)
#include "test_frame_times.moc"
