// SPDX-License-Identifier: GPL-3.0-or-later
// Soak test (slow): the window with its views runs one scenario after another and loses no event.
// In a soak of an hour or more, memory after the warm-up must grow by less than 1 MB per hour, by a
// straight line through the samples. ATTN_SOAK_S: duration in seconds, an hour by default.
#include <malloc.h>

#include <QElapsedTimer>
#include <QFile>
#include <cstdio>
#include <vector>

#include "backends/register_all.h"
#include "gui/app/one_heap.h"
#include "gui/app/window/main_window.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr const char* kScenarios[] = {"many-users",      "shared-prompt", "full-house",
                                      "full-house-swap", "samples",       "beam-search",
                                      "chunked-prefill", "sliding-window"};

double own_memory_mb() {
  malloc_trim(0);
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("RssAnon:")) return line.mid(8).trimmed().split(' ')[0].toDouble() / 1024;
  return 0;
}

double allocated_mb() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
}

struct Sample {
  double hours = 0, mb = 0, allocated_mb = 0;
};

// The slope of the least-squares line, in MB per hour.
double slope(const std::vector<Sample>& samples) {
  double t = 0, m = 0, tm = 0, tt = 0;
  const auto n = static_cast<double>(samples.size());
  for (const Sample& sample : samples) {
    t += sample.hours / n;
    m += sample.mb / n;
  }
  for (const Sample& sample : samples) {
    tm += (sample.hours - t) * (sample.mb - m);
    tt += (sample.hours - t) * (sample.hours - t);
  }
  return tm / tt;
}

}  // namespace

class TestSoak : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void memory_does_not_grow() {
    const double asked = qEnvironmentVariable("ATTN_SOAK_S", QStringLiteral("3600")).toDouble();
    EngineBridge bridge;
    Selection selection;
    RunControl control(bridge);
    follow_runs(bridge, selection);
    MainWindow window(bridge, control, selection, false);
    window.resize(1280, 720);
    window.show();
    QElapsedTimer clock;
    clock.start();
    std::vector<Sample> samples;
    uint64_t runs = 0, events = 0, lost = 0;
    const auto seconds = [&] { return static_cast<double>(clock.elapsed()) * 1e-3; };
    while (seconds() < asked) {
      for (const char* name : kScenarios) {
        Scenario scenario = load_scenario(find_scenario(name));
        scenario.view.pace_tiles_per_s = 0;
        control.edit(scenario);
        QSignalSpy begun(&bridge, &EngineBridge::run_started);
        QVERIFY(control.start());
        QVERIFY(begun.wait(60000));
        QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
        window.cursor().go_to(window.cursor().range().last / 2);
        QTest::qWait(20);
        const TraceCounts counts = bridge.trace_counts();
        events += counts.recorded;
        lost += counts.pushed - counts.recorded;
        ++runs;
      }
      if (seconds() < asked / 6) continue;
      samples.push_back({seconds() / 3600, own_memory_mb(), allocated_mb()});
      std::printf("soak at %.3f h: %llu runs, %.2f MB, allocated %.2f MB\n", samples.back().hours,
                  static_cast<unsigned long long>(runs), samples.back().mb,
                  samples.back().allocated_mb);
      std::fflush(stdout);
    }
    QVERIFY(samples.size() >= 5);
    const double mb_per_hour = slope(samples);
    std::printf(
        "soak: %.0f s, %llu runs, %llu events, %llu lost, %zu samples, %.1f MB at first, "
        "%.1f MB at last, slope %.2f MB/h; allocated %.2f MB at first, %.2f MB at last\n",
        seconds(), static_cast<unsigned long long>(runs), static_cast<unsigned long long>(events),
        static_cast<unsigned long long>(lost), samples.size(), samples.front().mb,
        samples.back().mb, mb_per_hour, samples.front().allocated_mb, samples.back().allocated_mb);
    QCOMPARE(lost, uint64_t{0});
    // In a short soak noise counts too much.
    if (asked >= 3600) QVERIFY2(mb_per_hour < 1, qPrintable(QString::number(mb_per_hour)));
  }
};

namespace {
// A long soak takes longer than the default limit of QtTest for a test.
int run_soak(int argc, char** argv) {
  use_one_heap();  // as the program does
  qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
  return run<TestSoak>(argc, argv);
}
}  // namespace
ATTN_QT_TEST(test_soak, run_soak)
#include "test_soak.moc"
