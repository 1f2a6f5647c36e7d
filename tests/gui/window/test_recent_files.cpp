// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Open recent: order, limit, missing files, and settings.
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "gui/app/window/window_commands.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestRecentFiles : public QObject {
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

  void opened_and_saved_files_are_kept_the_newest_first() {
    const QString a = file("a.json"), b = file("b & c.json");
    {
      Workbench w(synthetic_scenario(8, 1), true);
      QVERIFY(w.control.save(a));
      QVERIFY(w.control.save(b));
      QVERIFY(w.control.open(a));
      QVERIFY(w.control.open(QStringLiteral("first-look")));
      QCOMPARE(w.window->recent_menu().files(), QStringList({a, b}));
    }
    Workbench w(synthetic_scenario(8, 1), true);
    RecentMenu& menu = w.window->recent_menu();
    QCOMPARE(menu.files(), QStringList({a, b}));
    menu.refresh();
    QVERIFY(menu.actions()[1]->text().startsWith(QStringLiteral("&2 b && c.json")));
    menu.actions()[1]->trigger();
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QCOMPARE(w.control.file(), b);
    QCOMPARE(menu.files(), QStringList({b, a}));
    menu.refresh();
    const QString name = QStringLiteral("a.json");
    const QMenu panels, exports, lessons, help;
    const auto commands = window_commands(
        {w.window->actions(), panels, exports, menu, lessons, help, *w.window->run_bar(), w.control,
         w.selection, w.window->cursor(), w.window->all_views(), *w.window->workload()});
    QVERIFY(std::ranges::any_of(
        commands, [&](const Command& command) { return command.name.contains(name); }));
  }

  void a_file_that_is_gone_is_shown_and_cannot_be_chosen() {
    const QString a = file("gone.json");
    Workbench w(synthetic_scenario(8, 1), true);
    QVERIFY(w.control.save(a));
    QVERIFY(QFile::remove(a));
    RecentMenu& menu = w.window->recent_menu();
    menu.refresh();
    QVERIFY(!menu.actions()[0]->isEnabled());
    QVERIFY(!refusal_of(*menu.actions()[0]).isEmpty());
    menu.actions().back()->trigger();  // the entry Clear
    QVERIFY(menu.files().isEmpty());
    menu.refresh();
    QVERIFY(!menu.actions().back()->isEnabled());
    QVERIFY(!QSettings().value(QStringLiteral("files/recent")).toStringList().contains(a));
  }

  void there_are_ten_at_most() {
    Workbench w(synthetic_scenario(8, 1), true);
    RecentMenu& menu = w.window->recent_menu();
    for (int i = 0; i < 13; ++i) menu.add(file(qPrintable(QStringLiteral("%1.json").arg(i))));
    QCOMPARE(menu.files().size(), qsizetype{10});
    QCOMPARE(menu.files().front(), file("12.json"));
    QCOMPARE(menu.files().back(), file("3.json"));
  }

  void without_settings_nothing_is_read_or_written() {
    const QString a = file("a.json"), b = file("b.json");
    QSettings().setValue(QStringLiteral("files/recent"), QStringList{b});
    Workbench w(synthetic_scenario(8, 1), false);
    QVERIFY(w.window->recent_menu().files().isEmpty());
    QVERIFY(w.control.save(a));
    QCOMPARE(w.window->recent_menu().files(), QStringList{a});
    QCOMPARE(QSettings().value(QStringLiteral("files/recent")).toStringList(), QStringList{b});
  }

  void the_menu_opens_by_its_keys() {
    Workbench w(synthetic_scenario(8, 1));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTest::keyClick(w.window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w.window->recent_menu().isVisible());
    w.window->recent_menu().close();
  }

 private:
  QString file(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_recent_files, attn::gui::test::run<TestRecentFiles>)
#include "test_recent_files.moc"
