// SPDX-License-Identifier: GPL-3.0-or-later
// The modelled TPU time in views and in exported files, and which views an export has.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "gui/app/headless/headless.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/block_figures.h"
#include "gui/views/compare/compare_model.h"
#include "gui/views/timeline/timeline_painter.h"
#include "gui/views/timeline/timeline_text.h"
#include "tests/gui/qt_test_main.h"

namespace attn::gui {
namespace {

std::string short_scenario(const QTemporaryDir& folder, const char* backend, const char* tpu) {
  Scenario scenario = load_scenario(find_scenario("pallas-padded"));
  scenario.engine.backend = backend;
  scenario.engine.backend_options["tpu"] = tpu;
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.view.pace_tiles_per_s = 0;
  for (ScenarioRequest& request : scenario.requests) request.max_tokens = 4;
  const QString file = folder.filePath(QStringLiteral("short.json"));
  QFile out(file);
  if (out.open(QIODevice::WriteOnly)) out.write(QByteArray::fromStdString(to_json(scenario)));
  return file.toStdString();
}

QByteArray content(const QString& folder, const char* name) {
  QFile file(QDir(folder).filePath(QString::fromLatin1(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

CommandLine export_line(const std::string& scenario, const QString& folder) {
  CommandLine line;
  line.mode = CommandLine::Mode::kRun;
  line.scenario = scenario;
  line.export_folder = folder.toStdString();
  line.scale = 1;
  line.views = {"heatmap", "blocks", "timeline", "tiles", "compare"};
  line.backends = {"reference", "torch_sdpa", "pallas"};
  return line;
}

}  // namespace

class TestModelledTpu : public QObject {
  Q_OBJECT

 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }
  void initTestCase() { register_all_backends(); }

  void exports_of_all_views_say_modelled() {
    QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out"));
    run_and_export(export_line(short_scenario(folder, "pallas", "v5p"), out));
    const QByteArray manifest = content(out, "manifest.json"), index = content(out, "index.html");
    for (const char* stem : {"heatmap", "blocks", "timeline", "tiles", "compare"})
      for (const char* format : {".png", ".svg"}) {
        const QByteArray name = QByteArray(stem) + format;
        QVERIFY2(content(out, name).size() > 1000, name);
        QVERIFY2(manifest.contains('"' + name + '"'), name);
      }
    for (const char* name : {"tiles.csv", "compare.csv"}) {
      QVERIFY2(content(out, name).count('\n') > 3, name);
      QVERIFY2(manifest.contains(QByteArray(name)), name);
    }
    QVERIFY(index.contains("compare.png"));
    QVERIFY(content(out, "timeline.svg").contains("TPU v5p, modelled"));
    QVERIFY(content(out, "compare.svg").contains("TPU v5p (modelled)"));
    QVERIFY(content(out, "tiles.svg").contains("TPU v5p, modelled"));
    QVERIFY(content(out, "compare.csv").contains("modelled_tpu_v5p_us,,"));
    QVERIFY(content(out, "compare.csv").contains(",us modelled,"));
    QVERIFY(content(out, "steps.csv").contains(",modelled_tpu_v5p_us\n"));
  }

  void other_backends_have_none() {
    QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out"));
    CommandLine line = export_line(short_scenario(folder, "torch_sdpa", "v4"), out);
    line.backends = {"reference", "torch_sdpa"};
    run_and_export(line);
    for (const char* name :
         {"timeline.svg", "tiles.svg", "compare.svg", "compare.csv", "steps.csv"})
      QVERIFY2(!content(out, name).isEmpty() && !content(out, name).contains("TPU") &&
                   !content(out, name).contains("modelled_tpu"),
               name);
  }

  void views_that_were_not_asked_for_are_not_drawn() {
    QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("out"));
    CommandLine line = export_line(short_scenario(folder, "pallas", "v4"), out);
    line.views = {"tiles"};
    run_and_export(line);
    QVERIFY(!content(out, "tiles.png").isEmpty());
    QVERIFY(!QFile::exists(out + QStringLiteral("/compare.png")));
    QVERIFY(!QFile::exists(out + QStringLiteral("/heatmap.png")));
  }

  void a_comparison_that_fails_says_so() {
    QTemporaryDir folder;
    CommandLine line =
        export_line(short_scenario(folder, "pallas", "v4"), folder.filePath(QStringLiteral("out")));
    line.backends = {"reference", "refrence"};
    QVERIFY_THROWS_EXCEPTION(Error, run_and_export(line));
    for (const char* few : {"reference", "reference,pallas,xformers,unified,torch_sdpa"})
      QVERIFY_THROWS_EXCEPTION(
          Error, parse_command_line({"run", "first-look", "--export", "out", "--views", "compare",
                                     "--backends", few}));
    QCOMPARE(
        parse_command_line({"run", "x", "--export", "o", "--views=tiles,compare"}).views.size(),
        size_t{2});
  }

  void the_strip_has_a_scale_of_its_own() {
    auto snapshot = std::make_shared<EngineSnapshot>();
    snapshot->modelled_device = "TPU v6e";
    auto steps = std::make_shared<std::vector<StepRecord>>();
    for (uint32_t i = 0; i < 4; ++i) {
      StepRecord step;
      step.step = i + 1;
      step.begin_ns = i * 1000;
      step.end_ns = (i + 1) * 1000;
      step.decode_tokens = 2;
      step.modelled_device_ns = 10.0 * (i + 1);
      steps->push_back(step);
    }
    snapshot->steps = steps;
    CanvasAxis axis;
    axis.set_content(0, 4000);
    axis.set_pixels(400);
    axis.fit();
    const StripGeometry strip = strip_geometry(Strip::kModelledDevice, snapshot.get(), axis);
    QCOMPARE(strip.columns.size(), size_t{4});
    QCOMPARE(strip.columns[2].high, 30.0f);
    QCOMPARE(strip.top, 40.0);
    TimelineModel model;
    model.set_snapshot(snapshot);
    QVERIFY(has_device_strip(model));
    QCOMPARE(device_strip_name(*snapshot), QStringLiteral("TPU v6e, modelled"));
    QVERIFY(step_tooltip(steps->back(), *snapshot).contains(QStringLiteral("TPU v6e, modelled")));
    const QRectF bounds(0, 0, 800, 400);
    QVERIFY(TimelineLayout::make(bounds, 4, 100, 0, false).device_strip.isEmpty());
    const TimelineLayout layout = TimelineLayout::make(bounds, 4, 100, 0, true);
    QVERIFY(!layout.device_strip.isEmpty() && !layout.rate_strip.isEmpty());
    QVERIFY(!layout.device_strip.intersects(layout.cache_strip));
    QVERIFY(!layout.device_strip.intersects(layout.rate_strip));
    const TimelineLayout low = TimelineLayout::make(QRectF(0, 0, 800, 118), 4, 100, 0, true);
    QVERIFY(!low.cache_strip.isEmpty() && low.rate_strip.isEmpty());
  }

  void the_blocks_say_how_the_cache_grew() {
    EngineSnapshot snapshot;
    snapshot.source.head_size = snapshot.cache_head_size = 64;
    snapshot.blocks.resize(4);
    QVERIFY(!figures_text(figures_of(snapshot), false).contains(QStringLiteral("padded to")));
    QVERIFY(!figures_text(figures_of(snapshot), true).contains(QStringLiteral("padded")));
    snapshot.cache_head_size = 128;
    QVERIFY(figures_text(figures_of(snapshot), false)
                .contains(QStringLiteral("head size 64 padded to 128: cache × 2")));
    QVERIFY(figures_text(figures_of(snapshot), true).contains(QStringLiteral("padded × 2")));
  }

  void comparisons_keep_the_scales_apart() {
    auto result = std::make_shared<CompareResult>();
    for (const double modelled : {0.0, 50.0, 25.0}) {
      CompareColumn column;
      column.calls = 1;
      column.total = {1000000, 1000000, 1000000};
      if (modelled > 0) column.modelled_device = "TPU v5e";
      column.modelled_device_ns = modelled;
      result->columns.push_back(column);
    }
    CompareModel model;
    model.set_result(result);
    int row = -1;
    for (int i = 0; i < model.rowCount(); ++i)
      if (model.rows()[static_cast<size_t>(i)].quantity == CompareModel::Quantity::kDevice) row = i;
    QVERIFY(row >= 0);
    QCOMPARE(model.headerData(row, Qt::Vertical).toString(), QStringLiteral("TPU v5e (modelled)"));
    QVERIFY(!model.index(row, 0).data(CompareModel::kShareRole).isValid());
    QCOMPARE(model.index(row, 0).data().toString(), QStringLiteral("–"));
    QCOMPARE(model.index(row, 1).data(CompareModel::kShareRole).toDouble(), 1.0);
    QCOMPARE(model.index(row, 2).data(CompareModel::kShareRole).toDouble(), 0.5);
    QVERIFY(model.index(row, 1).data(CompareModel::kModelledRole).toBool());
    for (int i = 0; i < model.rowCount(); ++i)
      if (i != row) QVERIFY(!model.index(i, 1).data(CompareModel::kModelledRole).toBool());
    for (CompareColumn& column : result->columns) column.modelled_device_ns = 0;
    model.set_result(result);
    for (const CompareModel::Row& shown : model.rows())
      QVERIFY(shown.quantity != CompareModel::Quantity::kDevice);
  }
};

}  // namespace attn::gui

ATTN_QT_TEST(test_modelled_tpu, attn::gui::test::run<attn::gui::TestModelledTpu>)
#include "test_modelled_tpu.moc"
