// SPDX-License-Identifier: GPL-3.0-or-later
// Bad files of all kinds are dropped on the window while a run goes on: the run is not disturbed,
// and each file is told once. ATTN_DROPPED_FILES=1000 drops as many, and the longest time for which
// the window stood still is printed.
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "backends/register_all.h"
#include "bench/views/watchdog.h"
#include "engine/core/files/whole_file.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"
#include "tests/support/tensor_files.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// One file or folder of each kind in turn.
class BadFiles {
 public:
  // Makes the session file of which others are damaged copies.
  void prepare() {
    Workbench w(synthetic_scenario(20, 3));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    const QString file = folder_.filePath(QStringLiteral("good.attn-session"));
    QSignalSpy saved(&w.window->session(), &WindowSession::saved);
    w.window->session().save(file);
    QTRY_VERIFY_WITH_TIMEOUT(!saved.isEmpty(), 20000);
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    session_ = in.readAll();
    QVERIFY(session_.size() > 1000);
  }

  QString make(int number) {
    const QString name = QStringLiteral("bad%1").arg(number);
    switch (number % kKinds) {
      case 0:
        return write(name + QStringLiteral(".json"), noise(500));
      case 1:
        return write(name + QStringLiteral(".json"), R"({"version": 1, "requests": [{"prompt")");
      case 2:
        return write(name + QStringLiteral(".json"), R"({"version": 1, "engin": {}})");
      case 3:
        return write(name + QStringLiteral(".json"),
                     R"({"version": 1, "source": {"model": "no-such-model"},
                         "requests": [{"prompt": "a", "max_tokens": 2}]})");
      case 4:
        return write(name + QStringLiteral(".json"),
                     R"({"version": 1, "source": {"tensors": {"file": "none.safetensors"}},
                         "requests": [{"prompt_tokens": 4, "max_tokens": 1}]})");
      case 5:
        return write(name + QStringLiteral(".npy"), "\x93NUMPY" + noise(300));
      case 6: {
        const QString file = folder_.filePath(name + QStringLiteral("_k.npy"));
        attn::test::write_npy(file.toStdString(), attn::test::random_tensor({2, 8, 32}, 1));
        return file;
      }
      case 7:
        return write(name + QStringLiteral(".safetensors"), noise(400));
      case 8:
        return write(name + QStringLiteral(".safetensors"),
                     QByteArray("\xff\xff\xff\x7f\0\0\0\0{", 9));
      case 9:
        return write(name + QStringLiteral(".attn-session"), noise(2000));
      case 10:
        return write(name + QStringLiteral(".attn-session"),
                     session_.left(session_.size() * (1 + number % 7) / 8));
      case 11: {
        QByteArray changed = session_;
        const qsizetype at = changed.size() * (1 + number % 13) / 15;
        changed[at] = static_cast<char>(changed[at] ^ 0x40);
        return write(name + QStringLiteral(".attn-session"), changed);
      }
      case 12:
        QDir(folder_.path()).mkdir(name);
        return folder_.filePath(name);
      case 13:
        QDir(folder_.path()).mkdir(name);
        return QFileInfo(write(name + QStringLiteral("/config.json"), "{}")).path();
      case 14:
        return write(name + QStringLiteral(".bin"), noise(100'000));
      default:
        return folder_.filePath(name + QStringLiteral(".json"));  // there is no such file
    }
  }

 private:
  static constexpr int kKinds = 16;

  // ASCII and bytes that no UTF-8 text has: a message quotes some of them, and Qt warns of letters
  // that no font has.
  QByteArray noise(int size) {
    QByteArray bytes(size, '\0');
    for (char& byte : bytes) {
      const int value = random_.bounded(160);
      byte = static_cast<char>(value < 128 ? value : 0xFF);
    }
    return bytes;
  }
  QString write(const QString& name, const QByteArray& bytes) {
    QFile out(folder_.filePath(name));
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
      qFatal("cannot write %s", qPrintable(name));
    return out.fileName();
  }

  QTemporaryDir folder_;
  QRandomGenerator random_{17};
  QByteArray session_;
};

// The longest processor time that the thread took between two turns of its event loop. Unlike the
// time by the clock it does not count what other programs do meanwhile.
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

void drop(MainWindow& window, const QString& file) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
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

  // A file of the command line: the other scenario runs, and its start does not take the reason
  // back.
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

  void bad_files_are_told_once_and_the_run_goes_on() {
    const int asked = qEnvironmentVariableIntValue("ATTN_DROPPED_FILES");
    const int count = asked > 0 ? asked : 64;
    BadFiles bad;
    bad.prepare();
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
    for (const QString& file : files) drop(*w.window, file);
    while (w.control.is_opening()) QTest::qWait(20);
    // The run is still that one, and it goes on.
    QCOMPARE(w.bridge.snapshot()->run, run);
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
    // One message for each file, which names it.
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
// QtTest ends a test after five minutes unless it is told otherwise.
int run_dropped_files(int argc, char** argv) {
  qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
  return run<TestDroppedFiles>(argc, argv);
}
}  // namespace
ATTN_QT_TEST(test_dropped_files, run_dropped_files)
#include "test_dropped_files.moc"
