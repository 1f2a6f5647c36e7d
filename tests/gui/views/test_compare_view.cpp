// SPDX-License-Identifier: GPL-3.0-or-later
// The compare view: comparisons of backends, maps of differences, refusals, and files.
#include <fmt/format.h>

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <cstring>

#include "backends/register_all.h"
#include "gui/models/run_control.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/compare/difference_image.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct CompareBench {
  explicit CompareBench(const Scenario& scenario, bool paused = true) {
    follow_runs(bridge, selection);
    view = std::make_unique<CompareView>(ViewContext{&bridge, &selection});
    view->set_backends({"torch_sdpa", "reference"});
    view->resize(1200, 640);
    view->show();
    bridge.start(scenario, paused);
  }
  bool compare() {
    if (!QTest::qWaitFor([&] { return view->start_button()->isEnabled(); }, 60000)) return false;
    QTest::mouseClick(view->start_button(), Qt::LeftButton);
    return wait();
  }
  bool wait() {
    const bool done =
        QTest::qWaitFor([&] { return view->job().state() == CompareJob::State::kIdle; }, 60000);
    view->wait_for_maps();
    return done;
  }
  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<CompareView> view;
};

int row_of(const CompareModel& model, CompareModel::Quantity quantity) {
  for (size_t row = 0; row < model.rows().size(); ++row)
    if (model.rows()[row].quantity == quantity) return static_cast<int>(row);
  return -1;
}

}  // namespace

class TestCompare : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void small_differences_are_seen() {
    CompareSpec spec;
    spec.scenario = synthetic_scenario(24, 2);
    spec.backends = {"reference", "unified"};
    const CompareResult result = run_compare(spec);
    DifferenceMap map = weight_differences(result, 1, 0, 1, 2);
    QVERIFY(map.max_abs > 0);
    const PictureLook look = PictureLook::read();
    const int side = static_cast<int>(map.rows);
    const QImage before = difference_image(map, side, side, look);
    for (float& value : map.values) value *= 0x1p-20F;
    map.max_abs *= 0x1p-20F;
    QVERIFY(difference_image(map, side, side, look) == before);
    QVERIFY(std::abs(difference_share(-0.01, 1) + 0.1) < 1e-12);
    QVERIFY(std::isnan(difference_share(std::nan(""), 1)));
    CompareModel model;
    model.set_result(std::make_shared<const CompareResult>(result));
    QVERIFY(model.index(0, 1).data(Qt::ToolTipRole).toString().contains(model.why_digits_differ()));
  }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
  }

  void model_shows_the_result() {
    CompareModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    CompareSpec spec;
    spec.scenario = synthetic_scenario(40, 3);
    spec.backends = {"reference", "torch_sdpa"};
    spec.repetitions = 3;
    const auto result = std::make_shared<const CompareResult>(run_compare(spec));
    model.set_result(result);
    QCOMPARE(model.columnCount(), 2);
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("TORCH_SDPA"));
    const CompareColumn& column = result->columns[1];
    const auto at = [&](CompareModel::Quantity quantity, int role) {
      return model.index(row_of(model, quantity), 1).data(role);
    };
    using Quantity = CompareModel::Quantity;
    QCOMPARE(at(Quantity::kOutAbs, CompareModel::kNumberRole).toDouble(), column.out.max_abs);
    QCOMPARE(at(Quantity::kOutAbs, Qt::DisplayRole).toString(),
             QLocale().toString(column.out.max_abs, 'e', 3));
    QCOMPARE(at(Quantity::kOutAbs, CompareModel::kDetailRole).toString().toStdString(),
             place_text(*result, column.out.abs_at));
    QCOMPARE(at(Quantity::kLse, CompareModel::kNumberRole).toDouble(), column.lse.max_abs);
    QCOMPARE(at(Quantity::kWeights, CompareModel::kNumberRole).toDouble(), column.weights.max_abs);
    QCOMPARE(at(Quantity::kWeights, CompareModel::kDetailRole).toString().toStdString(),
             fmt::format("{}, key {}", place_text(*result, column.weights.at), column.weights.key));
    QCOMPARE(at(Quantity::kTime, CompareModel::kNumberRole).toDouble(),
             static_cast<double>(column.total.ns));
    QCOMPARE(at(Quantity::kCache, CompareModel::kNumberRole).toDouble(),
             static_cast<double>(column.cache_bytes));
    QCOMPARE(at(Quantity::kOutside, CompareModel::kVerdictRole).toBool(), true);
    QCOMPARE(at(Quantity::kOutsideKernels, CompareModel::kNumberRole).toDouble(),
             static_cast<double>(column.outside_kernels.ns));
    QVERIFY(model.times_text().contains(QStringLiteral("from the least to the most")));
    double longest = 0;
    for (int i = 0; i < 2; ++i) {
      const QModelIndex time = model.index(row_of(model, Quantity::kTime), i);
      const QPointF spread = time.data(CompareModel::kSpreadRole).toPointF();
      const double share = time.data(CompareModel::kShareRole).toDouble();
      QVERIFY(0 < spread.x() && spread.x() <= share && share <= spread.y());
      longest = std::max(longest, spread.y());
      const RepeatedTime& total = result->columns[static_cast<size_t>(i)].total;
      QCOMPARE(time.data(CompareModel::kDetailRole).toString(),
               QStringLiteral("%1 to %2")
                   .arg(format_duration_ns(static_cast<double>(total.least_ns)),
                        format_duration_ns(static_cast<double>(total.most_ns))));
      QVERIFY(time.data(Qt::ToolTipRole).toString().contains(QStringLiteral("medians of 3")));
    }
    QVERIFY(longest >= 1.0);
    for (size_t row = 0; row < model.rows().size(); ++row) {
      if (model.rows()[row].kernel != KernelId::kFlashPrefill ||
          model.rows()[row].quantity != Quantity::kKernel)
        continue;
      const QString text = model.index(static_cast<int>(row), 1).data().toString();
      QVERIFY2(text.endsWith(QStringLiteral(", 2 calls")), qPrintable(text));
      QCOMPARE(model.index(static_cast<int>(row), 0).data().toString(), QStringLiteral("–"));
    }
    model.set_result(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void one_slow_run_does_not_shorten_the_bars() {
    CompareSpec spec;
    spec.scenario = synthetic_scenario(8, 1);
    spec.backends = {"reference", "torch_sdpa"};
    CompareResult result = run_compare(spec);
    result.repetitions = 5;
    result.columns[0].total = {.ns = 100, .least_ns = 90, .most_ns = 10000};
    result.columns[1].total = {.ns = 80, .least_ns = 75, .most_ns = 90};
    CompareModel model;
    model.set_result(std::make_shared<const CompareResult>(result));
    const auto at = [&](int column, int role) {
      return model.index(row_of(model, CompareModel::Quantity::kTime), column).data(role);
    };
    QVERIFY(at(0, CompareModel::kShareRole).toDouble() > 0.6);
    QCOMPARE(at(1, CompareModel::kShareRole).toDouble(),
             0.8 * at(0, CompareModel::kShareRole).toDouble());
    QVERIFY(at(0, CompareModel::kSpreadRole).toPointF().y() > 1);
    QVERIFY(model.times_text().contains(QStringLiteral("an arrow")));
    result.columns[0].total.most_ns = 120;
    model.set_result(std::make_shared<const CompareResult>(result));
    QCOMPARE(at(0, CompareModel::kSpreadRole).toPointF().y(), 1.0);
    QVERIFY(!model.times_text().contains(QStringLiteral("an arrow")));
  }

  void changes_are_said_and_can_be_compared() {
    EngineBridge bridge;
    Selection selection;
    RunControl control(bridge);
    follow_runs(bridge, selection);
    CompareView view(ViewContext{.bridge = &bridge, .selection = &selection, .control = &control});
    view.set_backends({"torch_sdpa", "reference"});
    view.resize(1200, 640);
    view.show();
    control.edit(synthetic_scenario(30, 2));
    QVERIFY(control.start(true));
    const auto compared = [&] {
      return QTest::qWaitFor(
                 [&] {
                   return view.job().state() == CompareJob::State::kIdle &&
                          view.model().result() != nullptr;
                 },
                 60000) &&
             QTest::qWaitFor([&] { return view.canvas().scene().note.isEmpty(); }, 60000);
    };
    QVERIFY(QTest::qWaitFor([&] { return view.start_button()->isEnabled(); }, 60000));
    QVERIFY(!view.changes_button()->isVisible());
    QTest::mouseClick(view.start_button(), Qt::LeftButton);
    QVERIFY(compared());
    const int64_t before = view.model().result()->block_size;
    QCOMPARE(view.model().result()->repetitions, kRepetitions);
    Scenario changed = control.scenario();
    changed.engine.block_size = 2 * static_cast<int>(before);
    control.edit(changed);
    QVERIFY(view.changes_button()->isVisible());
    QVERIFY2(view.canvas().scene().note.contains(QStringLiteral("changed in Workload")),
             qPrintable(view.canvas().scene().note));
    QTest::mouseClick(view.changes_button(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor(
        [&] { return view.model().result()->block_size == changed.engine.block_size; }, 60000));
    QVERIFY(compared());
    QVERIFY(!view.changes_button()->isVisible());
    QVERIFY(!control.has_changes());
  }

  void two_ways_of_one_backend_differ_in_outputs() {
    Scenario scenario = synthetic_scenario(30, 2);
    scenario.engine.kv_cache_dtype = "bf16";
    CompareBench bench(scenario);
    bench.view->set_backends({"unified/invariant", "unified/fast"});
    QVERIFY(bench.compare());
    const CompareColumn& fast = bench.view->model().result()->columns[1];
    QVERIFY(fast.out.unequal > 0);
    const int row = row_of(bench.view->model(), CompareModel::Quantity::kUnequal);
    QVERIFY(row >= 0);
    QCOMPARE(bench.view->model().index(row, 1).data(CompareModel::kNumberRole).toDouble(),
             static_cast<double>(fast.out.unequal));
    QCOMPARE(bench.view->map_box()->currentIndex(), 1);
    const DifferenceMap& map = bench.view->canvas().scene().maps[1];
    QVERIFY(map.kind == DifferenceMap::Kind::kOutputs);
    QVERIFY(map.max_abs > 0);
    QVERIFY(bench.view->model().why_digits_differ().contains(QStringLiteral("UNIFIED fast")));
    CompareResult f32 = *bench.view->model().result();
    f32.dtype = "f32";
    CompareModel model;
    model.set_result(std::make_shared<const CompareResult>(f32));
    QVERIFY(!model.why_digits_differ().contains(QStringLiteral("bf16")));
    QVERIFY(!model.why_digits_differ().contains(QStringLiteral("narrower")));

    bench.view->set_backends({"unified", "torch_sdpa"});
    QVERIFY(bench.compare());
    QCOMPARE(bench.view->map_box()->currentIndex(), 0);
    bench.view->map_box()->setCurrentIndex(1);
    emit bench.view->map_box()->activated(1);
    QVERIFY(bench.compare());
    QCOMPARE(bench.view->map_box()->currentIndex(), 1);
  }

  void a_fifth_backend_leaves_the_reference() {
    CompareBench bench(synthetic_scenario(30, 2));
    bench.view->set_backends({"reference", "torch_sdpa", "xformers", "pallas"});
    const auto choose = [&](const char* name) {
      for (QMenu* menu : bench.view->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
          if (action->data().toString() == QLatin1String(name)) action->setChecked(true);
    };
    choose("unified");
    QCOMPARE(bench.view->backends(),
             (std::vector<std::string>{"reference", "xformers", "pallas", "unified"}));
    // The view says which backend left.
    const auto said = [&] { return bench.view->canvas().accessibleDescription(); };
    const QString left = QStringLiteral("UNIFIED has taken the place of TORCH_SDPA");
    QVERIFY2(said().contains(left), qPrintable(said()));
    bench.view->set_backends({"torch_sdpa", "reference"});
    QVERIFY2(!said().contains(left), qPrintable(said()));
    bench.view->set_backends({"torch_sdpa", "reference", "xformers", "pallas"});
    choose("unified");
    QCOMPARE(bench.view->backends(),
             (std::vector<std::string>{"torch_sdpa", "reference", "pallas", "unified"}));
  }

  void a_click_compares_and_the_keys_read_it() {
    CompareBench bench(synthetic_scenario(40, 4));
    QVERIFY(bench.view->canvas().accessibleDescription().contains(QStringLiteral("Compare")));
    QVERIFY(bench.compare());
    QVERIFY2(bench.view->job().trouble().isEmpty(), qPrintable(bench.view->job().trouble()));
    const CompareResult& result = *bench.view->job().result();
    QCOMPARE(bench.view->model().result(), &result);
    QCOMPARE(result.steps, 4u);
    CompareCanvas& canvas = bench.view->canvas();
    QTest::keyClick(&canvas, Qt::Key_Right);
    const QString said = canvas.accessibleDescription();
    QVERIFY2(said.contains(CompareModel::difference_text(result.columns[1].out.max_abs)),
             qPrintable(said));
    QVERIFY(said.startsWith(QStringLiteral("REFERENCE")));
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.scene().row, 1);
    QTest::keyClick(&canvas, Qt::Key_Period);
    QCOMPARE(bench.selection.shown_head(), int64_t{1});
    bench.view->wait_for_maps();
    QVERIFY(canvas.scene().map_title.contains(QStringLiteral("head 1")));
    QVERIFY(bench.bridge.gate_state() == RunGate::State::kPaused);
    QCOMPARE(bench.bridge.snapshot()->generated_tokens, int64_t{0});
  }

  void cells_are_those_of_the_engine() {
    CompareBench bench(synthetic_scenario(60, 4));
    QVERIFY(bench.compare());
    CompareSpec spec;
    spec.scenario = *bench.bridge.snapshot()->scenario;
    spec.backends = bench.view->backends();
    const CompareResult again = run_compare(spec);
    QRandomGenerator random(7);
    for (int i = 0; i < 1000; ++i) {
      if (i % 100 == 0) {
        bench.selection.show(0, random.bounded(2), random.bounded(4));
        bench.view->map_box()->setCurrentIndex(i / 100 % 2);
        bench.view->wait_for_maps();
      }
      const DifferenceMap& map = bench.view->canvas().scene().maps[1];
      const int64_t layer = bench.selection.shown_layer(), head = bench.selection.shown_head();
      const DifferenceMap own = i / 100 % 2 == 0 ? weight_differences(again, 1, 0, layer, head)
                                                 : output_differences(again, 1, 0, layer);
      QCOMPARE(map.values.size(), own.values.size());
      const auto cell = random.bounded(static_cast<quint32>(map.values.size()));
      QVERIFY(std::memcmp(&map.values[cell], &own.values[cell], sizeof(float)) == 0);
    }
  }

  void a_click_on_a_map_selects_the_cell() {
    CompareBench bench(synthetic_scenario(40, 2));
    QVERIFY(bench.compare());
    CompareCanvas& canvas = bench.view->canvas();
    const QRectF area = canvas.canvas_layout().maps[1];
    QVERIFY(area.width() > 100);
    const DifferenceMap& map = canvas.scene().maps[1];
    const QPointF point(area.left() + 4.5 / static_cast<double>(map.columns) * area.width(),
                        area.top() + 20.5 / static_cast<double>(map.rows) * area.height());
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, point.toPoint());
    QCOMPARE(bench.selection.state().kind, SelectionKind::kCell);
    QCOMPARE(bench.selection.state().query, int64_t{20});
    QCOMPARE(bench.selection.state().key, int64_t{4});
    QVERIFY(cell_sentence(canvas.scene(), {1, 20, 4}).startsWith(QStringLiteral("row 20, key 4")));
    QVERIFY(cell_sentence(canvas.scene(), {1, 4, 20}).contains(QStringLiteral("masked")));
  }

  // TORCH_SDPA does not support head size 48.
  void a_refusal_stands_as_a_sentence() {
    Scenario scenario = synthetic_scenario(30, 2);
    scenario.source.synthetic->head_size = 48;
    scenario.engine.backend = "reference";
    CompareBench bench(scenario);
    QVERIFY(bench.compare());
    const CompareResult& result = *bench.view->job().result();
    QVERIFY(!result.columns[0].refusals.empty());
    QCOMPARE(result.baseline, std::string("REFERENCE"));
    CompareCanvas& canvas = bench.view->canvas();
    QTest::keyClick(&canvas, Qt::Key_Left);
    QVERIFY(canvas.accessibleDescription().contains(
        QString::fromStdString(result.columns[0].refusals[0])));
    QVERIFY(bench.view->csv().contains(QByteArrayLiteral("torch_sdpa,REFERENCE,refusal")));
    QVERIFY(!bench.view->grab().isNull());
  }

  void four_columns_have_room() {
    CompareSpec spec;
    spec.scenario = synthetic_scenario(40, 3);
    spec.backends = {"torch_sdpa", "reference"};
    CompareResult result = run_compare(spec);
    CompareColumn refused;
    refused.name = "third";
    refused.display_name = "THIRD_BACKEND";
    refused.refusals = {
        "THIRD_BACKEND needs a head size that is a multiple of 128, the width of a register, and "
        "not "
        "32. With zeros added the cache would be 4 times as large.",
        "THIRD_BACKEND takes no sliding window."};
    CompareColumn halfway = result.columns[1];
    halfway.display_name = "FOURTH";
    halfway.refusals = {"FOURTH cannot swap blocks."};
    halfway.refused_at = 3;
    result.columns.push_back(refused);
    result.columns.push_back(halfway);
    CompareModel model;
    model.set_result(std::make_shared<const CompareResult>(result));
    CompareScene scene;
    scene.model = &model;
    scene.maps.resize(4);
    scene.maps[1] = scene.maps[3] = weight_differences(result, 1, 0, 0, 0);
    scene.map_title = QStringLiteral("Difference of the attention weights: A, layer 0, head 0");
    for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight}) {
      Theme::instance().set_mode(mode);
      for (const QSize& size : {QSize(672, 300), QSize(1280, 600), QSize(1920, 960)}) {
        const PictureLook look = PictureLook::read();
        const CompareLayout layout = lay_out(scene, QRectF(QPointF(0, 0), QSizeF(size)), look);
        const QRectF all(0, 0, size.width(), layout.height + 1);
        for (size_t i = 0; i < 4; ++i) {
          QVERIFY(all.contains(layout.columns[i]));
          QVERIFY(i == 0 || layout.columns[i - 1].right() <= layout.columns[i].left() + 0.01);
          if (layout.maps[i].isEmpty()) continue;
          QVERIFY(all.contains(layout.maps[i]));
          QVERIFY(layout.maps[i].width() >= 100);
          QVERIFY(!layout.maps[i].intersects(layout.legend));
        }
        QVERIFY(!layout.maps[1].intersects(layout.maps[3]));
        QImage image(size.width(), static_cast<int>(layout.height), QImage::Format_RGB32);
        QPainter painter(&image);
        paint_compare(painter, scene, layout, look);
        painter.end();
        int64_t words = 0;
        for (int y = static_cast<int>(layout.columns[2].top()); y < layout.columns[2].bottom(); ++y)
          for (int x = static_cast<int>(layout.columns[2].left()); x < layout.columns[2].right();
               ++x)
            words += image.pixel(x, y) == look.colors.bad.rgb();
        QVERIFY(words > 50);
        if (const QString folder = qEnvironmentVariable("ATTN_KEEP_PICTURES"); !folder.isEmpty())
          image.save(QStringLiteral("%1/four-%2-%3.png")
                         .arg(folder)
                         .arg(size.width())
                         .arg(QLatin1String(mode == ThemeMode::kDark ? "dark" : "light")));
      }
    }
  }

  void it_can_be_stopped() {
    Scenario scenario = synthetic_scenario(900, 5000);
    scenario.source.synthetic->max_model_len = 100000;
    scenario.engine.num_blocks = 1000;
    CompareBench bench(scenario);
    QVERIFY(QTest::qWaitFor([&] { return bench.view->start_button()->isEnabled(); }, 60000));
    QTest::mouseClick(bench.view->start_button(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor(
        [&] { return bench.view->job().state() == CompareJob::State::kRunning; }, 60000));
    QCOMPARE(bench.view->start_button()->text(), QStringLiteral("Cancel"));
    QTest::mouseClick(bench.view->start_button(), Qt::LeftButton);
    QVERIFY(bench.wait());
    QVERIFY(bench.view->job().trouble().contains(QStringLiteral("cancelled")));
    QVERIFY(!bench.view->model().result());
    QCOMPARE(bench.view->start_button()->text(), QStringLiteral("Compare"));
  }

  void a_slow_run_makes_room_and_goes_on() {
    Scenario scenario = synthetic_scenario(200, 40);
    scenario.view.pace_tiles_per_s = 2;
    CompareBench bench(scenario, false);
    QVERIFY(QTest::qWaitFor(
        [&] { return bench.bridge.snapshot() && bench.bridge.snapshot()->layer >= 0; }, 60000));
    QVERIFY(bench.compare());
    QVERIFY(bench.view->model().result());
    QVERIFY(QTest::qWaitFor([&] { return bench.bridge.gate_state() == RunGate::State::kRunning; },
                            60000));
    QCOMPARE(bench.bridge.pace(), 2.0);
    bench.bridge.set_pace(0);
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    QCOMPARE(bench.bridge.snapshot()->generated_tokens, int64_t{40});
  }

  void another_run_is_said() {
    CompareBench bench(synthetic_scenario(30, 2));
    QVERIFY(bench.compare());
    QVERIFY(bench.view->canvas().scene().note.isEmpty());
    bench.bridge.start(synthetic_scenario(31, 2), true);
    QVERIFY(QTest::qWaitFor([&] { return !bench.view->canvas().scene().note.isEmpty(); }, 60000));
  }

  void an_old_table_is_marked_while_a_new_one_is_made() {
    CompareBench bench(synthetic_scenario(30, 2));
    QVERIFY(bench.compare());
    bench.bridge.start(synthetic_scenario(31, 2), true);
    QVERIFY(QTest::qWaitFor([&] { return !bench.view->canvas().scene().note.isEmpty(); }, 60000));
    QTest::mouseClick(bench.view->start_button(), Qt::LeftButton);
    QVERIFY(bench.view->job().state() != CompareJob::State::kIdle);
    const QString said = bench.view->canvas().scene().note;
    QVERIFY2(said.contains(QStringLiteral("another run")), qPrintable(said));
    QVERIFY(bench.wait());
    QVERIFY(bench.view->canvas().scene().note.isEmpty());
  }

  void the_backends_that_it_takes_can_run_the_scenario() {
    EngineBridge bridge;
    Selection selection;
    CompareView view({&bridge, &selection});
    Scenario scenario = synthetic_scenario(30, 2);
    const auto compared = [&] {
      std::vector<QString> names;
      for (const QJsonValue& name : view.options().value(QLatin1String("backends")).toArray())
        names.push_back(name.toString());
      return names;
    };
    const auto take = [&](int64_t head_size) {
      scenario.source.synthetic->head_size = head_size;
      bridge.start(scenario, true);
      return QTest::qWaitFor(
          [&] { return bridge.snapshot() && bridge.snapshot()->source.head_size == head_size; },
          60000);
    };
    QVERIFY(take(32));
    QCOMPARE(compared(),
             (std::vector<QString>{QStringLiteral("reference"), QStringLiteral("torch_sdpa"),
                                   QStringLiteral("xformers"), QStringLiteral("unified")}));
    QVERIFY(take(128));
    const std::vector<QString> wide = compared();
    QVERIFY(std::ranges::find(wide, QStringLiteral("pallas")) != wide.end());
    view.set_backends({"reference", "unified"});
    QVERIFY(take(64));
    QCOMPARE(compared().size(), size_t{2});
  }

  void names_of_backends_are_whole_with_large_text() {
    CompareSpec spec;
    spec.scenario = synthetic_scenario(24, 2);
    spec.backends = {"reference", "torch_sdpa/math", "unified/invariant", "xformers"};
    CompareModel model;
    model.set_result(std::make_shared<const CompareResult>(run_compare(spec)));
    CompareScene scene;
    scene.model = &model;
    for (const auto& [percent, width] :
         {std::pair{150, 1000}, {150, 1280}, {150, 1920}, {175, 1280}, {200, 1280}, {200, 1920}}) {
      Theme::instance().set_text_percent(percent);
      const PictureLook look = PictureLook::read();
      const CompareLayout layout = lay_out(scene, QRectF(0, 0, width, 700), look);
      QCOMPARE(layout.headings.size(), size_t{4});
      for (size_t i = 0; i < layout.headings.size(); ++i) {
        QStringList name;
        for (const QString& line : layout.headings[i]) {
          name << line;
          QVERIFY2(text_width(look.title_bold, line) <= layout.columns[i].width() - 2 * look.px(6),
                   qPrintable(QStringLiteral("%1 at %2%").arg(line).arg(percent)));
        }
        QCOMPARE(name.join(u' ').toStdString(), model.result()->columns[i].display_name);
        if (i > 0) QVERIFY(layout.columns[i].left() >= layout.columns[i - 1].right() - 0.5);
      }
      QVERIFY(layout.columns.back().right() <= width);
      if (!layout.legend.isEmpty()) QVERIFY(layout.columns.back().right() <= layout.legend.left());
    }
  }

  void pictures_and_numbers_come_out() {
    CompareBench bench(synthetic_scenario(30, 2));
    QVERIFY(bench.compare());
    QTemporaryDir folder;
    QCOMPARE(export_png(*bench.view, folder.filePath(QStringLiteral("c.png")), 1), QString());
    QCOMPARE(export_svg(*bench.view, folder.filePath(QStringLiteral("c.svg"))), QString());
    QCOMPARE(bench.view->csv().toStdString(), compare_csv(*bench.view->job().result()));
    // The picture is as wide as the page, so that its letters are not made smaller.
    const QSize page = bench.view->export_size_for(658);
    QCOMPARE(page.width(), 658);
    TextRecorder recorder(page);
    QPainter painter(&recorder);
    bench.view->paint_content(painter, QRectF(QPointF(0, 0), QSizeF(page)));
    painter.end();
    QVERIFY(recorder.texts().size() > 20);
    QVERIFY2(recorder.cut().isEmpty(), qPrintable(recorder.cut().join(u'\n')));
    QVERIFY2(recorder.overlaps().isEmpty(), qPrintable(recorder.overlaps().join(u'\n')));
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      const PictureLook look = PictureLook::read();
      QCOMPARE(difference_color(0, look).rgb(), look.colors.surface.rgb());
      for (const double end : {-1.0, 1.0})
        QVERIFY(Theme::contrast(difference_color(end, look), look.colors.surface) >= 3);
      for (const QSize& size : {QSize(1200, 640), QSize(640, 300), QSize(320, 200)}) {
        bench.view->resize(size);
        QVERIFY(!bench.view->grab().isNull());
      }
    }
  }
};

ATTN_QT_TEST(test_compare_view, attn::gui::test::run<TestCompare>)
#include "test_compare_view.moc"
