// SPDX-License-Identifier: GPL-3.0-or-later
// That the window can be closed before, during and after a run, and during a comparison or report.
#include <QFileInfo>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "gui/app/window/main_window.h"
#include "gui/views/compare/compare_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct QuitWorkbench {
  QuitWorkbench() : control(bridge) {
    follow_runs(bridge, selection);
    window = std::make_unique<MainWindow>(bridge, control, selection, false);
    window->resize(1280, 720);
    window->show();
  }
  void start(const char* name, bool paused, double pace_tiles_per_s = 0) {
    Scenario scenario = load_scenario(find_scenario(name));
    scenario.view.pace_tiles_per_s = pace_tiles_per_s;
    scenario.engine.threads = 2;
    control.edit(scenario);
    QVERIFY(control.start(paused));
    if (paused) QVERIFY(wait_until_stands(bridge));
  }
  bool any(RequestState state) const {
    const auto& requests = bridge.snapshot()->requests;
    return std::ranges::any_of(requests,
                               [state](const RequestView& view) { return view.state == state; });
  }

  EngineBridge bridge;
  Selection selection;
  RunControl control;
  std::unique_ptr<MainWindow> window;
};

// One tile per second: a quit that waited for the run's end would take hours.
constexpr double kForHours = 1;

void quit(std::unique_ptr<QuitWorkbench> f) {
  f->window->close();
  f.reset();
}

}  // namespace

class TestQuit : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void before_anything() { quit(std::make_unique<QuitWorkbench>()); }

  void while_loading() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("full-house-swap", false, kForHours);
    quit(std::move(f));
  }

  void while_a_kernel_stands() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("full-house", true);
    for (int i = 0; i < 5; ++i) {
      f->bridge.step(Granularity::kTile);
      QVERIFY(wait_until_stands(f->bridge));
    }
    quit(std::move(f));
  }

  void while_a_request_is_swapped_out() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("full-house-swap", true);
    for (int i = 0; i < 200 && !f->any(RequestState::kSwapped); ++i) {
      f->bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(f->bridge));
    }
    QVERIFY(f->any(RequestState::kSwapped));
    quit(std::move(f));
  }

  void while_it_runs_with_the_cursor_in_the_past() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("many-users", false);
    QVERIFY(QTest::qWaitFor([&] { return f->window->cursor().range().last > 3; }, 60000));
    f->bridge.set_pace(kForHours);
    f->window->cursor().go_to(2);
    QTest::qWait(30);
    QVERIFY(!f->window->cursor().is_live());
    quit(std::move(f));
  }

  void after_the_end() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("samples", false);
    QVERIFY(wait_until_phase(f->bridge, EnginePhase::kFinished));
    quit(std::move(f));
  }

  void while_backends_are_compared() {
    auto f = std::make_unique<QuitWorkbench>();
    f->start("many-users", false);
    QVERIFY(wait_until_phase(f->bridge, EnginePhase::kFinished));
    f->window->view<CompareView>()->toggle_job();
    QVERIFY(f->window->view<CompareView>()->job().state() != CompareJob::State::kIdle);
    QTest::qWait(20);
    quit(std::move(f));
  }

  void while_a_report_is_exported() {
    QTemporaryDir folder;
    auto f = std::make_unique<QuitWorkbench>();
    f->start("many-users", false);
    QVERIFY(wait_until_phase(f->bridge, EnginePhase::kFinished));
    f->window->export_report(folder.path());
    quit(std::move(f));
    QVERIFY(QFileInfo(folder.filePath(QStringLiteral("index.html"))).size() > 0);
  }
};

ATTN_QT_TEST(test_quit, attn::gui::test::run<TestQuit>)
#include "test_quit.moc"
