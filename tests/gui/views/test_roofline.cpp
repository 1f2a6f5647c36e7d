// SPDX-License-Identifier: GPL-3.0-or-later
// The page "This machine" of Metrics: points of kernels, measured roofs, and the room on it.
#include <QPushButton>
#include <cmath>

#include "backends/register_all.h"
#include "gui/views/metrics/metrics_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct RooflineRun {
  explicit RooflineRun(Scenario scenario, ClockKind clock = ClockKind::kReal) {
    follow_runs(bridge, selection);
    scenario.view.pace_tiles_per_s = 0;
    scenario.engine.threads = 1;
    scenario.engine.clock = clock;
    view.set_shown_page(MetricsView::Page::kMachine);
    view.resize(1280, 640);
    view.show();
    bridge.start(scenario);
    ended = wait_until_phase(bridge, EnginePhase::kFinished) && wait();
  }
  bool wait() {
    bridge.catch_up();
    const bool counted = QTest::qWaitFor([&] { return !view.is_behind(); }, 60000);
    QTest::qWait(2 * MachinePage::kRefreshMs);
    return counted;
  }
  const RooflineScene& scene() { return view.machine().canvas().scene(); }
  bool measure() {
    view.machine().job()->start(1, 0);
    return QTest::qWaitFor([&] { return !view.machine().is_measuring(); }, 60000);
  }
  EngineBridge bridge;
  Selection selection;
  TimeCursor cursor{bridge};
  MetricsView view{{&bridge, &selection, &cursor}};
  bool ended = false;
};

}  // namespace

class TestRoofline : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void points_are_the_work_of_the_kernels() {
    RooflineRun run(synthetic_scenario(40, 4));
    QVERIFY(run.ended);
    KernelWork work;
    while (!work.take(*run.bridge.snapshot(), run.bridge.events(), 1000)) {
    }
    const std::vector<KernelSum> expected = work.by_kernel(1000);
    QCOMPARE(run.scene().kernels.size(), expected.size());
    QCOMPARE(expected.size(), size_t{2});
    for (size_t i = 0; i < expected.size(); ++i) {
      QCOMPARE(run.scene().kernels[i].sum.operations, expected[i].sum.operations);
      QCOMPARE(run.scene().kernels[i].sum.bytes, expected[i].sum.bytes);
    }
    QCOMPARE(run.scene().steps.size(), size_t{4});
    QVERIFY(run.scene().has_points());
    QVERIFY(!run.scene().limits);
    QVERIFY(run.scene().state.contains(QStringLiteral("not measured yet")));
    QVERIFY(expected[0].sum.intensity() > 4 * expected[1].sum.intensity());

    RooflineCanvas& canvas = run.view.machine().canvas();
    const WorkSum& decode = run.scene().kernels[1].sum;
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.parts().at(decode.intensity(), decode.gops()).toPoint());
    QCOMPARE(run.selection.state().kind, SelectionKind::kSpan);
    const TraceEvent& call = run.bridge.events()[static_cast<size_t>(run.selection.state().event)];
    QVERIFY(call.kind == EventKind::kKernel);
    QCOMPARE(static_cast<KernelId>(call.a), run.scene().kernels[1].kernel);
    run.selection.clear();
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(run.selection.state().kind, SelectionKind::kSpan);

    run.cursor.go_to(1);
    QCOMPARE(run.scene().kernels.size(), size_t{1});
    QCOMPARE(run.scene().steps.size(), size_t{1});
    run.cursor.go_live();
    QCOMPARE(run.scene().kernels.size(), size_t{2});
  }

  void roofs_are_measured_when_asked_and_can_be_stopped() {
    RooflineRun run(synthetic_scenario(40, 3));
    QVERIFY(run.ended);
    QTest::mouseClick(run.view.measure_button(), Qt::LeftButton);
    QVERIFY(run.view.machine().is_measuring());
    QCOMPARE(run.view.measure_button()->text(), QStringLiteral("Stop"));
    QTest::mouseClick(run.view.measure_button(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !run.view.machine().is_measuring(); }, 60000));
    QVERIFY(!run.scene().limits);
    QVERIFY(run.scene().state.contains(QStringLiteral("cancelled")));
    QVERIFY(run.measure());
    const RooflineScene& scene = run.scene();
    QVERIFY(scene.limits);
    QCOMPARE(scene.arithmetic_roof(), scene.limits->f32_gops);
    QVERIFY(scene.state.isEmpty());
    QCOMPARE(scene.roof(1e-6), 1e-6 * scene.limits->memory().read_gbps);
    QCOMPARE(scene.roof(1e9), scene.limits->f32_gops);
    QCOMPARE(scene.roof(scene.ridge()), scene.arithmetic_roof());
    const QByteArray csv = run.view.csv();
    QVERIFY(csv.contains("limit,f32 multiply-adds,,1,"));
    QVERIFY(csv.contains("limit,reading memory,,1,"));
    QCOMPARE(csv.count("\nkernel,"), 2);
    QCOMPARE(csv.count("\nstep,"), 3);
    QCOMPARE(run.view.export_name(), QStringLiteral("machine"));
    QVERIFY(run.view.tour().stops().size() >= 4);
    run.view.set_shown_page(MetricsView::Page::kRun);
    QCOMPARE(run.view.export_name(), QStringLiteral("metrics"));
    QVERIFY(run.view.csv().startsWith("step,"));
  }

  // Times of the virtual clock say nothing about this machine.
  void modelled_times_give_no_points() {
    RooflineRun run(synthetic_scenario(40, 3), ClockKind::kVirtual);
    QVERIFY(run.ended);
    QVERIFY(run.measure());
    QCOMPARE(run.scene().kernels.size(), size_t{2});
    QVERIFY(!run.scene().has_points());
    bool said = false;
    for (const QString& note : roofline_notes(run.scene()))
      said |= note.contains(QStringLiteral("virtual"));
    QVERIFY(said);
    QVERIFY(!point_words(run.scene(), run.scene().kernels[0], false).contains(u"G/s"));
    for (const QByteArray& line : run.view.csv().split('\n'))
      if (line.startsWith("kernel,")) QVERIFY2(line.endsWith(",,,"), line.constData());
  }

  void the_page_has_room_for_everything() {
    RooflineScene scene;
    auto limits = std::make_shared<MachineLimits>();
    *limits = {.threads = 2,
               .rounds = 9,
               .f32_gops = 250,
               .bf16_gops = 500,
               .bf16_unit = "bf16 dot products",
               .levels = {{"L1", 49152, 900}, {"L2", 1 << 20, 400}, {"memory", 1 << 28, 30}},
               .copy_gbps = 25};
    scene.limits = limits;
    scene.kernels = {{KernelId::kFlashPrefill, 0, {2, 1e9, 1e7, 1e7, 0}},
                     {KernelId::kUnifiedDecode, 0, {8, 1e6, 1e6, 1e6, 1}}};
    for (const QSize size : {QSize(1280, 640), QSize(700, 640)}) {
      const RooflineParts parts = roofline_parts(scene, QRectF(QPointF(0, 0), size), true);
      QVERIFY(parts.bounds.contains(parts.plot));
      QVERIFY(parts.plot.height() > 150);
      for (size_t i = 0; i < 2; ++i) {
        const WorkSum& sum = scene.kernels[i].sum;
        const auto hit = roofline_hit(scene, parts, parts.at(sum.intensity(), sum.gops()));
        QVERIFY(hit && !hit->of_step);
        QCOMPARE(hit->index, i);
        QVERIFY(parts.plot.contains(parts.at(sum.intensity(), sum.gops())));
      }
      QImage image(size, QImage::Format_RGB32);
      QPainter painter(&image);
      paint_roofline(painter, scene, parts);
    }
    QCOMPARE(share_text(scene, scene.kernels[1].sum), QStringLiteral("3.3 %"));
    QCOMPARE(share_text(scene, scene.kernels[0].sum), QStringLiteral("40 %"));
    scene.bf16 = true;
    QCOMPARE(share_text(scene, scene.kernels[0].sum), QStringLiteral("20 %"));
  }
};

ATTN_QT_TEST(test_roofline, attn::gui::test::run<TestRoofline>)
#include "test_roofline.moc"
