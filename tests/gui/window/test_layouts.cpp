// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of the real window and the size of its text.

#include <QDataStream>
#include <QInputDialog>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include "backends/register_all.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QStringList panels_shown(const MainWindow& window) {
  QStringList shown;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    if (dock->isVisible() && !dock->visibleRegion().isEmpty()) shown.append(dock->objectName());
  shown.sort();
  return shown;
}

QStringList names(std::initializer_list<const char*> words) {
  QStringList list;
  for (const char* word : words) list.append(QLatin1String(word));
  return list;
}

QWidget* dock(const MainWindow& window, const char* name) {
  return window.findChild<QDockWidget*>(QLatin1String(name));
}

}  // namespace

class TestLayouts : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
  }
  void init() {
    fail_on_warnings();
    QSettings().clear();
  }
  void cleanup() { Theme::instance().set_text_percent(100); }

  void each_layout_has_its_panels() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTest::keyClick(w.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
    QTest::qWait(50);
    QCOMPARE(w.window->layouts().current(), QStringLiteral("teach"));
    QTRY_COMPARE(panels_shown(*w.window), names({"attention"}));
    QVERIFY(Theme::instance().font(TextRole::kSmall).pixelSize() >= 15);
    QVERIFY(Theme::instance().line(1) >= 2);
    QTest::keyClick(w.window.get(), Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    QTest::qWait(50);
    QCOMPARE(Theme::instance().text_percent(), 100);
    QTRY_VERIFY(w.window->view("timeline")->isVisible() && w.window->view("blocks")->isVisible());
    QTRY_VERIFY(w.window->view("blocks")->width() > w.window->view("heatmap")->width());
    QTRY_VERIFY(w.window->view("timeline")->height() * 100 > w.window->height() * 36);
    QTest::keyClick(w.window.get(), Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QTest::qWait(50);
    QTRY_COMPARE(panels_shown(*w.window), names({"attention", "blocks", "timeline", "workload"}));
    QTRY_COMPARE(w.window->size(), QSize(1280, 720));
  }

  void a_panel_that_is_switched_on_is_in_front() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTRY_COMPARE(panels_shown(*w.window), names({"attention", "blocks", "timeline", "workload"}));
    auto* workload = qobject_cast<QDockWidget*>(dock(*w.window, "workload"));
    auto* inspector = qobject_cast<QDockWidget*>(dock(*w.window, "inspector"));
    QVERIFY(w.window->tabifiedDockWidgets(workload).contains(inspector));
    workload->toggleViewAction()->trigger();
    QTRY_COMPARE(panels_shown(*w.window), names({"attention", "blocks", "inspector", "timeline"}));
    workload->toggleViewAction()->trigger();
    QTRY_COMPARE(panels_shown(*w.window), names({"attention", "blocks", "timeline", "workload"}));
    inspector->toggleViewAction()->trigger();
    inspector->toggleViewAction()->trigger();
    QTRY_COMPARE(panels_shown(*w.window), names({"attention", "blocks", "inspector", "timeline"}));
  }

  void switching_keeps_focus_selection_and_run() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const uint64_t run = w.bridge.snapshot()->run;
    const SelectionState cell{.kind = SelectionKind::kCell,
                              .request = w.selection.shown_request(),
                              .layer = 0,
                              .head = 1,
                              .query = 12,
                              .key = 3};
    w.selection.select(cell);
    QWidget* blocks = w.window->view("blocks")->focusProxy();
    blocks->setFocus();
    for (const char* name : {"systems", "explore", "systems", "explore"}) {
      QVERIFY(w.window->layouts().apply(QLatin1String(name)));
      w.window->grab();
      QCOMPARE(w.window->focusWidget(), blocks);
      QVERIFY(w.selection.state() == cell);
      QCOMPARE(w.bridge.snapshot()->run, run);
    }
    w.window->layouts().apply(QStringLiteral("explore"));
    w.window->workload()->table()->setFocus();
    QVERIFY(w.window->workload()->table()->hasFocus());
    w.window->layouts().apply(QStringLiteral("teach"));
    QCOMPARE(w.window->focusWidget(), w.window->view("heatmap"));
    QVERIFY(!w.window->layouts().apply(QStringLiteral("no such layout")));
    QCOMPARE(w.window->layouts().current(), QStringLiteral("teach"));
  }

  void reset_puts_the_panels_back() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    w.window->layouts().apply(QStringLiteral("systems"));
    dock(*w.window, "timeline")->hide();
    w.window->actions().reset_layout->trigger();
    QVERIFY(dock(*w.window, "timeline")->isVisible());
    QCOMPARE(w.window->layouts().current(), QStringLiteral("systems"));
    QVERIFY(w.window->actions().layout_systems->isChecked());
    w.window->layouts().apply(QStringLiteral("teach"));
    for (QDockWidget* panel : w.window->findChildren<QDockWidget*>())
      if (panel->objectName() == QStringLiteral("timeline")) panel->toggleViewAction()->trigger();
    QTest::qWait(20);
    const QWidget* timeline = dock(*w.window, "timeline");
    QVERIFY(timeline->isVisible());
    QVERIFY(!static_cast<const QDockWidget*>(timeline)->isFloating());
    QCOMPARE(timeline->width(), w.window->width());
  }

  void layouts_of_the_user_are_kept() {
    const QString name = QStringLiteral("Blocks & timeline");
    {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      w.window->layouts().apply(QStringLiteral("teach"));
      dock(*w.window, "blocks")->show();
      QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        auto* line = dialog->findChild<QLineEdit*>();
        QTest::keyClicks(line, name);
        QTest::keyClick(line, Qt::Key_Return);
      });
      w.window->actions().save_layout->trigger();
      QCOMPARE(w.window->layouts().user_names(), QStringList{name});
      QCOMPARE(w.window->layouts().current(), name);
      for (const QString& bad : {QString(), QStringLiteral("  "), QStringLiteral("Teach"),
                                 QString(41, QLatin1Char('x'))})
        QVERIFY(!w.window->layouts().save_as(bad).isEmpty());
      w.window->layouts().apply(QStringLiteral("explore"));
      w.window->close();
    }
    {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QCOMPARE(w.window->layouts().current(), QStringLiteral("explore"));
      QCOMPARE(w.window->layouts().user_names(), QStringList{name});
      QVERIFY(w.window->layouts().apply(name));
      QTest::qWait(20);
      QCOMPARE(panels_shown(*w.window), names({"attention", "blocks"}));
      QVERIFY(Theme::instance().is_projector());
      w.window->close();
    }
    QVERIFY(!Theme::instance().is_projector());
    {
      Workbench w(synthetic_scenario(40, 4), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QCOMPARE(w.window->layouts().current(), name);
      QCOMPARE(panels_shown(*w.window), names({"attention", "blocks"}));
      w.window->layouts().remove(name);
      QVERIFY(w.window->layouts().user_names().isEmpty());
      w.window->close();
      QSettings().setValue(QStringLiteral("layouts/version"), 999);
    }
    Workbench w(synthetic_scenario(40, 4), true);
    QVERIFY(w.window->layouts().user_names().isEmpty());
    QCOMPARE(w.window->layouts().current(), QStringLiteral("explore"));
  }

  void a_state_that_cannot_be_restored_changes_nothing() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    WindowLayouts& layouts = w.window->layouts();
    layouts.apply(QStringLiteral("teach"));
    const QByteArray state = layouts.state();
    // The panels, the last part of the state, are no longer those of a QMainWindow.
    QDataStream from(state);
    from.setVersion(QDataStream::Qt_6_4);
    quint32 mark = 0;
    quint8 fold = 0;
    bool low = false, resized = false, moved = false;
    PanelShares::Shares shares;
    from >> mark >> fold >> low >> resized >> moved;
    for (QSizeF& share : shares) from >> share;
    const qint64 head = from.device()->pos();
    QByteArray damaged = state.first(head);
    QDataStream to(&damaged, QIODevice::Append);
    to << QByteArray("panels");
    QVERIFY(!layouts.restore(QStringLiteral("explore"), damaged));
    QVERIFY(Theme::instance().is_projector());
    QCOMPARE(layouts.current(), QStringLiteral("teach"));
  }

  void text_goes_in_steps() {
    Workbench w(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    Theme& theme = Theme::instance();
    QVERIFY(!refusal_of(*w.window->actions().smaller).isEmpty());
    for (const int size : {125, 150, 175, 200}) {
      QTest::keyClick(w.window.get(), Qt::Key_Plus, Qt::ControlModifier);
      QCOMPARE(theme.text_percent(), size);
    }
    QVERIFY(!w.window->actions().larger->isEnabled());
    for (const int size : {175, 150, 125, 100}) {
      QTest::keyClick(w.window.get(), Qt::Key_Minus, Qt::ControlModifier);
      QCOMPARE(theme.text_percent(), size);
    }
    theme.set_text_percent(175);
    QTest::keyClick(w.window.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(theme.text_percent(), 100);
    theme.set_text_percent(125);
    w.window->layouts().apply(QStringLiteral("teach"));
    QCOMPARE(theme.text_percent(), Theme::kProjectorPercent);
    QVERIFY(!w.window->actions().smaller->isEnabled());
    QTest::keyClick(w.window.get(), Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(theme.text_percent(), 150);
    QTest::keyClick(w.window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(theme.text_percent(), Theme::kProjectorPercent);
    w.window->layouts().apply(QStringLiteral("explore"));
    QCOMPARE(theme.text_percent(), 125);
  }

 private:
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_layouts, attn::gui::test::run<TestLayouts>)
#include "test_layouts.moc"
