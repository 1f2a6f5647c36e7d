// SPDX-License-Identifier: GPL-3.0-or-later
// That the window tells of bad files, most of them dropped on it, and that a run goes on meanwhile.
// ATTN_DROPPED_FILES: how many files are dropped during that run.
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "backends/register_all.h"
#include "bench/views/watchdog.h"
#include "engine/core/files/whole_file.h"
#include "tests/gui/input/bad_files.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

QByteArray saved_session() {
  Workbench w(synthetic_scenario(20, 3));
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("good.attn-session"));
  if (!w.control.start() || !wait_until_phase(w.bridge, EnginePhase::kFinished)) return {};
  QSignalSpy saved(&w.window->session(), &WindowSession::saved);
  w.window->session().save(file);
  QFile in(file);
  if (!QTest::qWaitFor([&] { return !saved.isEmpty(); }, 60000) || !in.open(QIODevice::ReadOnly))
    return {};
  return in.readAll();
}

// The longest processor time of this thread between two ticks of a timer. Unlike the clock it does
// not count other programs.
class LongestTurn : public QObject {
 public:
  LongestTurn() {
    connect(&timer_, &QTimer::timeout, this, [this] {
      const double now = spent_ms();
      longest_ms_ = std::max(longest_ms_, now - before_ms_);
      before_ms_ = now;
    });
    timer_.start(5);
  }
  double longest_ms() const { return longest_ms_; }

 private:
  static double spent_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
  }
  QTimer timer_;
  double before_ms_ = spent_ms(), longest_ms_ = 0;
};

void drop(MainWindow& window, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &event);
}

}  // namespace

class TestDroppedFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void a_refused_file_is_told_beside_the_run_that_stands_in_for_it() {
    Workbench w(synthetic_scenario(20, 3));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTemporaryDir folder;
    const QString bad = folder.filePath(QStringLiteral("bad.json")),
                  good = folder.filePath(QStringLiteral("good.json"));
    write_file_atomically(bad.toStdString(), std::string("{}"));
    write_file_atomically(good.toStdString(), to_json(synthetic_scenario(20, 2)));
    w.control.run_instead(bad, good);
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    QVERIFY2(w.window->message_bar()->text().contains(bad),
             qPrintable(w.window->message_bar()->text()));
  }

  void bad_tables_of_one_drop_are_each_told() {
    Workbench w(synthetic_scenario(20, 3));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QTemporaryDir folder;
    QStringList files;
    for (const char* name : {"first.csv", "second.csv", "third.csv"}) {
      files << folder.filePath(QLatin1String(name));
      write_file_atomically(files.back().toStdString(), std::string("a,b\n1,2\n"));
    }
    drop(*w.window, files);
    QTRY_COMPARE(w.window->message_bar()->count(), 3);
    QString texts;
    for (int i = 0; i < 3; ++i) {
      texts += w.window->message_bar()->text();
      w.window->message_bar()->close_shown();
    }
    for (const QString& file : files)
      QVERIFY2(texts.contains(QFileInfo(file).fileName()), qPrintable(texts));
  }

  void bad_files_are_told_once_and_the_run_goes_on() {
    const int asked = qEnvironmentVariableIntValue("ATTN_DROPPED_FILES");
    const QByteArray session = saved_session();
    QVERIFY(session.size() > 1000);
    BadFiles bad(session);
    const int count = asked > 0 ? asked : bad.num_kinds();
    QStringList files;
    for (int i = 0; i < count; ++i) files << bad.make(i);

    Scenario lecture = synthetic_scenario(512, 400);
    lecture.view.pace_tiles_per_s = 50;
    Workbench w(lecture);
    w.window->layouts().apply(QStringLiteral("teach"));
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    QMap<QString, int> told;
    connect(&w.control, &RunControl::message, w.window.get(),
            [&](MessageKind kind, const QString& text) {
              if (kind == MessageKind::kError) ++told[text];
            });
    QVERIFY(w.control.start());
    QTRY_VERIFY_WITH_TIMEOUT(count_events(w.bridge, EventKind::kTile) > 4, 60000);
    const uint64_t run = w.bridge.snapshot()->run;
    const int64_t tiles = count_events(w.bridge, EventKind::kTile);
    const Watchdog watchdog;
    const LongestTurn turn;
    for (const QString& file : files) {
      drop(*w.window, {file});
      if (asked == 0) continue;
      // One by one, so that the file that stops the window can be named.
      const double worst_ms = watchdog.worst_ms();
      while (w.control.is_opening()) QTest::qWait(5);
      if (watchdog.worst_ms() > std::max(worst_ms, 20.0))
        std::printf("%s: %.1f ms\n", qPrintable(QFileInfo(file).fileName()), watchdog.worst_ms());
    }
    while (w.control.is_opening()) QTest::qWait(20);
    QVERIFY2(w.bridge.snapshot()->run == run, qPrintable(w.control.file()));
    QVERIFY(w.control.is_running());
    QTRY_VERIFY_WITH_TIMEOUT(count_events(w.bridge, EventKind::kTile) > tiles, 60000);
    QVERIFY(!w.bridge.session());
    if (asked > 0) {
      std::printf(
          "%d files, longest time for which the window stood still: %.1f ms, longest "
          "processor time of a turn of its event loop: %.1f ms\n",
          count, watchdog.worst_ms(), turn.longest_ms());
      std::fflush(stdout);
    }
    const int messages = w.window->message_bar()->count();
    QStringList texts;
    while (w.window->message_bar()->count() > 0) {
      texts << w.window->message_bar()->text();
      w.window->message_bar()->close_shown();
    }
    for (const QString& file : files)
      QVERIFY2(std::ranges::any_of(texts, [name = QFileInfo(file).fileName()](
                                              const QString& text) { return text.contains(name); }),
               qPrintable(file));
    QCOMPARE(messages, count);
    for (auto each = told.begin(); each != told.end(); ++each) QCOMPARE(each.value(), 1);
  }
};

namespace {
// Many dropped files can take longer than the default limit of QtTest for a test.
int run_dropped_files(int argc, char** argv) {
  qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
  return run<TestDroppedFiles>(argc, argv);
}
}  // namespace
ATTN_QT_TEST(test_dropped_files, run_dropped_files)
#include "test_dropped_files.moc"
