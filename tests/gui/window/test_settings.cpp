// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the window that were damaged or edited, limits of lists, and folders of file dialogs.
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QtEndian>

#include "backends/register_all.h"
#include "gui/app/window/checked_settings.h"
#include "gui/theme/file_dialogs.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int kHuge = 2'000'000'000;

QStringList shown_panels(const MainWindow& window) {
  QStringList shown;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    if (!dock->isHidden()) shown.append(dock->objectName());
  shown.sort();
  return shown;
}

}  // namespace

class TestSettings : public QObject {
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
  void cleanup() {
    Theme::instance().set_text_percent(100);
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_reduce_motion(false);
  }

  void sealed_bytes_come_back_only_unchanged() {
    for (const QByteArray& bytes : {QByteArray("a"), QByteArray(1000, '\0')}) {
      QByteArray stored = sealed(bytes);
      QCOMPARE(unsealed(stored), bytes);
      for (qsizetype i = 0; i < stored.size(); i += 7) {
        stored[i] = static_cast<char>(stored[i] ^ 1);
        QVERIFY(unsealed(stored).isEmpty());
        stored[i] = static_cast<char>(stored[i] ^ 1);
      }
      QVERIFY(unsealed(bytes).isEmpty());
    }
    QVERIFY(unsealed({}).isEmpty());
  }

  // QMainWindow::restoreState() itself can crash on such bytes.
  void arrangements_with_other_bytes_are_not_restored() {
    {
      Workbench w(synthetic_scenario(8, 1), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QVERIFY(w.window->layouts().save_as(QStringLiteral("mine")).isEmpty());
      w.window->close();
    }
    QSettings().sync();
    const QStringList panels =
        QStringLiteral("attention blocks inspector timeline workload").split(QLatin1Char(' '));
    for (const char* key : {"window/docks", "window/geometry", "layouts/user/1/docks"}) {
      const QByteArray stored = QSettings().value(QLatin1String(key)).toByteArray();
      QVERIFY(stored.size() > 60);
      for (qsizetype i = 0; i + 4 <= stored.size(); i += 37) {
        QByteArray bytes = stored;
        qToBigEndian<qint32>(kHuge, bytes.data() + i);
        QSettings().setValue(QLatin1String(key), bytes);
        Workbench w(synthetic_scenario(8, 1), true);
        QCOMPARE(shown_panels(*w.window), panels);
        const bool kept = QLatin1String(key) != QLatin1String("layouts/user/1/docks");
        QCOMPARE(w.window->layouts().user_names().size(), qsizetype{kept ? 1 : 0});
      }
      QSettings().setValue(QLatin1String(key), stored);
    }
    Workbench w(synthetic_scenario(8, 1), true);
    QCOMPARE(w.window->layouts().user_names(), QStringList{QStringLiteral("mine")});
  }

  void numbers_are_kept_in_range() {
    for (const int number : {kHuge, -kHuge}) {
      QSettings settings;
      settings.setValue(QStringLiteral("window/version"), WindowLayouts::kVersion);
      for (const char* key : {"theme", "text_percent", "reduce_motion", "recent_commands",
                              "geometry", "layout", "docks", "step_by"})
        settings.setValue(QStringLiteral("window/") + QLatin1String(key), number);
      settings.setValue(QStringLiteral("files/recent"), number);
      settings.sync();
      Workbench w(synthetic_scenario(8, 1), true);
      QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
      QCOMPARE(Theme::instance().chosen_text_percent(), number > 0 ? 200 : 100);
      QCOMPARE(w.window->layouts().current(), QStringLiteral("explore"));
      QVERIFY(w.window->run_bar()->unit() ==
              (number > 0 ? Granularity::kStep : Granularity::kTile));
    }
  }

  void file_dialogs_remember_their_folders() {
    const auto ask = [this](QDialogButtonBox::StandardButton button, QAction& action,
                            const QString& name, QString& began) {
      QTimer::singleShot(0, this, [&, name] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        began = dialog->directory().absolutePath();
        if (name.isEmpty()) return dialog->reject();
        dialog->setDirectory(QFileInfo(name).absolutePath());
        dialog->selectFile(QFileInfo(name).fileName());
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
      });
      action.trigger();
    };
    const auto save = [&](QAction& action, const QString& name, QString& began) {
      ask(QDialogButtonBox::Save, action, name, began);
    };
    QTemporaryDir saved, sessions;
    const QString here = QFileInfo(saved.path()).canonicalFilePath(),
                  other = QFileInfo(sessions.path()).canonicalFilePath();
    QString began;
    {
      Workbench w(synthetic_scenario(8, 1), true);
      save(*w.window->actions().save, here + QStringLiteral("/mine.attn.json"), began);
      QVERIFY(began != here);
      save(*w.window->actions().save, {}, began);
      QCOMPARE(began, here);
      save(*w.window->actions().save_session, other + QStringLiteral("/run.attn-session"), began);
      save(*w.window->actions().save, {}, began);
      QCOMPARE(began, here);
      save(*w.window->actions().save_session, {}, began);
      QCOMPARE(began, other);
      ask(QDialogButtonBox::Open, *w.window->actions().open,
          here + QStringLiteral("/mine.attn.json"), began);
      save(*w.window->actions().open, {}, began);
      QCOMPARE(began, here);
      w.window->close();
    }
    set_last_folder(FileKind::kScenario, {});
    set_last_folder(FileKind::kOpened, {});
    Workbench w(synthetic_scenario(8, 1), true);
    save(*w.window->actions().save, {}, began);
    QCOMPARE(began, here);
    save(*w.window->actions().open, {}, began);
    QCOMPARE(began, here);
    set_last_folder(FileKind::kOpened, {});
    set_last_folder(FileKind::kScenario, {});
  }

  void a_dialog_begins_where_it_can() {
    QTemporaryDir work;
    const QString here = QFileInfo(work.path()).canonicalFilePath();
    set_work_folder(here);
    for (const char* folder : {"", "/proc", "/proc/self", "/sys", "/dev", "/no/such/folder"}) {
      set_last_folder(FileKind::kExport, QLatin1String(folder));
      QCOMPARE(folder_to_begin(FileKind::kExport), here);
    }
    set_work_folder(QStringLiteral("/proc"));
    QCOMPARE(folder_to_begin(FileKind::kExport), QDir::currentPath());
    set_last_folder(FileKind::kExport, here);
    QCOMPARE(folder_to_begin(FileKind::kExport), here);
    set_last_folder(FileKind::kExport, {});
  }

  void there_are_only_so_many_layouts() {
    QSettings settings;
    settings.setValue(QStringLiteral("layouts/version"), WindowLayouts::kVersion);
    const QByteArray docks = sealed(QByteArray(100, 'x'));
    for (const int at : {1, WindowLayouts::kMostLayouts, WindowLayouts::kMostLayouts + 1}) {
      const QString entry = QStringLiteral("layouts/user/%1/").arg(at);
      settings.setValue(entry + QStringLiteral("name"), QStringLiteral("number %1").arg(at));
      settings.setValue(entry + QStringLiteral("docks"), docks);
    }
    const QString second = QStringLiteral("layouts/user/2/");
    settings.setValue(second + QStringLiteral("name"), QString(1000, QLatin1Char('n')));
    settings.setValue(second + QStringLiteral("docks"), docks);
    settings.setValue(QStringLiteral("layouts/user/size"), 200);
    settings.sync();
    {
      Workbench w(synthetic_scenario(8, 1), true);
      QCOMPARE(w.window->layouts().user_names(),
               QStringList({QStringLiteral("number 1"), QStringLiteral("number 100")}));
    }
    settings.setValue(QStringLiteral("layouts/user/size"), kHuge);
    settings.sync();
    Workbench w(synthetic_scenario(8, 1), true);
    QCOMPARE(w.window->layouts().user_names().size(), qsizetype{2});
  }

  // Qt makes room for as many elements as a stored list says it has.
  void a_list_that_asks_for_all_memory_is_not_read() {
    QFile file(QSettings().fileName());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        "[window]\nversion=1\ntext_percent=150\n"
        "recent_commands=@Variant(\\0\\0\\0\\t\\x77\\x35\\x94\\0)\n"
        "[files]\nrecent=@Variant(\\0\\0\\0\\t\\x77\\x35\\x94\\0)\n");
    file.close();
    Workbench w(synthetic_scenario(8, 1), true);
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QVERIFY(w.window->recent_menu().files().isEmpty());
  }

  void lists_are_cut() {
    QStringList files;
    for (int i = 0; i < 1000; ++i) files << QStringLiteral("/tmp/%1.json").arg(i);
    files.prepend(QString(100'000, QLatin1Char('x')));
    QSettings().setValue(QStringLiteral("files/recent"), files);
    Workbench w(synthetic_scenario(8, 1), true);
    QCOMPARE(w.window->recent_menu().files(), files.mid(1, RecentMenu::kMost));
  }

 private:
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_settings, attn::gui::test::run<TestSettings>)
#include "test_settings.moc"
