// SPDX-License-Identifier: GPL-3.0-or-later
// The compare view when it compares a run with a cache and the same run without one.
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QTemporaryDir>

#include "backends/register_all.h"
#include "gui/app/command_line.h"
#include "gui/app/headless/headless.h"
#include "gui/views/compare/compare_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

using What = CompareView::What;
using CacheQuantity = CompareCacheModel::Quantity;

Scenario cache_scenario(int64_t prompt_tokens, int64_t max_tokens) {
  Scenario scenario = synthetic_scenario(prompt_tokens, max_tokens);
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

struct CacheBench {
  explicit CacheBench(const Scenario& scenario) {
    follow_runs(bridge, selection);
    view = std::make_unique<CompareView>(ViewContext{&bridge, &selection});
    view->resize(1200, 640);
    view->show();
    bridge.start(scenario, true);
  }
  bool compare() {
    view->set_what(What::kCache);
    if (!QTest::qWaitFor([&] { return view->start_button()->isEnabled(); }, 60000)) return false;
    QTest::mouseClick(view->start_button(), Qt::LeftButton);
    return QTest::qWaitFor([&] { return view->job().state() == CompareJob::State::kIdle; }, 60000);
  }
  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<CompareView> view;
};

int row_of_cache(const CompareCacheModel& model, CacheQuantity quantity) {
  for (size_t row = 0; row < model.rows().size(); ++row)
    if (model.rows()[row].quantity == quantity) return static_cast<int>(row);
  return -1;
}

CacheCompareResult engine_result(const Scenario& scenario) {
  CacheCompareSpec spec;
  spec.scenario = scenario;
  return compare_cache(spec);
}

}  // namespace

class TestCompareCache : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
  }

  void the_switch_changes_what_is_compared() {
    CacheBench bench(cache_scenario(20, 3));
    QComboBox* box = bench.view->what_box();
    QVERIFY(bench.view->what() == What::kBackends);
    QVERIFY(bench.view->map_box()->isVisible());
    QCOMPARE(bench.view->table_name(), QStringLiteral("compare"));
    QTest::keyClick(box, Qt::Key_Down);  // opens the list
    QTRY_VERIFY(box->view()->isVisible());
    QTest::keyClick(box->view(), Qt::Key_Down);
    QTest::keyClick(box->view(), Qt::Key_Return);
    QTRY_VERIFY(bench.view->what() == What::kCache);
    QVERIFY(!bench.view->map_box()->isVisible());
    QVERIFY(bench.view->cache_canvas().isVisible());
    QVERIFY(!bench.view->canvas().isVisible());
    QCOMPARE(bench.view->table_name(), QStringLiteral("compare_cache"));
    QVERIFY(bench.view->cache_canvas().accessibleDescription().contains(QStringLiteral("twice")));
    const QJsonObject kept = bench.view->options();
    for (const ViewCommand& command : bench.view->commands())
      if (!command.is_on) command.run();
    QVERIFY(bench.view->what() == What::kBackends);
    QVERIFY(bench.view->map_box()->isVisible());
    bench.view->set_options(kept);
    QVERIFY(bench.view->what() == What::kCache);
  }

  void the_numbers_are_those_of_the_engine() {
    const Scenario scenario = cache_scenario(20, 4);
    CacheBench bench(scenario);
    QVERIFY(bench.compare());
    QVERIFY2(bench.view->job().trouble().isEmpty(), qPrintable(bench.view->job().trouble()));
    const CacheCompareResult expected = engine_result(scenario);
    const CompareCacheModel& model = bench.view->cache_model();
    QVERIFY(model.result());
    QCOMPARE(model.columnCount(), 2);
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("Without a cache"));
    const auto number = [&](CacheQuantity quantity, int column) {
      return model.index(row_of_cache(model, quantity), column)
          .data(CompareCacheModel::kNumberRole)
          .toDouble();
    };
    const CacheCompareRun* runs[] = {&expected.with_cache, &expected.without_cache};
    for (int column = 0; column < 2; ++column) {
      const CacheCompareRun& run = *runs[column];
      QCOMPARE(number(CacheQuantity::kAllPairs, column), static_cast<double>(run.pairs));
      QCOMPARE(number(CacheQuantity::kPairs, column), static_cast<double>(run.pairs) / 8);
      QCOMPARE(number(CacheQuantity::kTilePairs, column), static_cast<double>(run.tile_pairs));
      QCOMPARE(number(CacheQuantity::kTokens, column), static_cast<double>(run.tokens));
      QCOMPARE(number(CacheQuantity::kTime, column), static_cast<double>(run.ns));
      QCOMPARE(number(CacheQuantity::kAttention, column), static_cast<double>(run.attention_ns));
      QCOMPARE(number(CacheQuantity::kKvBytes, column), static_cast<double>(run.most_kv_bytes));
      QCOMPARE(number(CacheQuantity::kAnswer, column), 4.0);
    }
    QCOMPARE(number(CacheQuantity::kPairs, 0), 23 * 24 / 2.0);  // 20 + 3 rows of one triangle
    const QModelIndex pairs = model.index(row_of_cache(model, CacheQuantity::kPairs), 1);
    QCOMPARE(pairs.data().toString(), QStringLiteral("970"));  // 210 + 231 + 253 + 276
    QCOMPARE(pairs.data(CompareCacheModel::kDetailRole).toString(),
             QStringLiteral("3.51 times that with a cache"));
    QCOMPARE(pairs.data(CompareCacheModel::kShareRole).toDouble(), 1.0);
    const QModelIndex answer = model.index(row_of_cache(model, CacheQuantity::kAnswer), 1);
    QCOMPARE(answer.data(CompareCacheModel::kVerdictRole).toBool(), true);
    QCOMPARE(answer.data(CompareCacheModel::kDetailRole).toString(),
             QStringLiteral("the same tokens"));
    QCOMPARE(number(CacheQuantity::kLogits, 1), expected.max_difference());
    QCOMPARE(bench.view->csv().toStdString(), compare_cache_csv(expected));
    QVERIFY(bench.bridge.gate_state() == RunGate::State::kPaused);
    QCOMPARE(bench.bridge.snapshot()->generated_tokens, int64_t{0});
  }

  void an_answer_that_differs_is_said() {
    CompareCacheModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    CacheCompareResult result = engine_result(cache_scenario(20, 4));
    result.answers[0].first_difference = 2;
    model.set_result(std::make_shared<const CacheCompareResult>(result));
    const QModelIndex answer = model.index(row_of_cache(model, CacheQuantity::kAnswer), 1);
    QCOMPARE(answer.data(CompareCacheModel::kVerdictRole).toBool(), false);
    QCOMPARE(answer.data(CompareCacheModel::kDetailRole).toString(),
             QStringLiteral("differs from answer token 3 of A on"));
    model.set_result(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void the_pictures_show_the_rows_that_were_computed() {
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      CacheBench bench(cache_scenario(8, 5));
      QVERIFY(bench.compare());
      CompareCacheCanvas& canvas = bench.view->cache_canvas();
      canvas.choose_step(2);
      const CompareCacheScene& scene = canvas.scene();
      QCOMPARE(scene.steps.size(), size_t{5});
      const QImage picture = canvas.grab().toImage();
      const PictureLook look = PictureLook::read();
      const double ratio = picture.devicePixelRatio();
      const auto color_at = [&](const QRectF& area, double columns, double rows, double column,
                                double row) {
        const QPointF at(area.left() + (column + 0.5) * area.width() / columns,
                         area.top() + (row + 0.5) * area.height() / rows);
        return picture.pixelColor((at * ratio).toPoint());
      };
      const QColor accent = look.colors.accent, surface = look.colors.surface;
      const QColor pale = color_at(canvas.canvas_layout().steps, 5, 12, 1, 0);
      QVERIFY(pale != accent);
      QVERIFY(pale != surface);
      for (int64_t step = 0; step < 5; ++step)
        for (int64_t row = 0; row < 12; ++row) {
          const int64_t length = 8 + step;
          const QColor expected = row >= length                    ? surface
                                  : step == 0 || row == length - 1 ? accent
                                                                   : pale;
          const QColor found = color_at(canvas.canvas_layout().steps, 5, 12,
                                        static_cast<double>(step), static_cast<double>(row));
          QVERIFY2(found == expected,
                   qPrintable(
                       QStringLiteral("step %1 row %2: %3").arg(step).arg(row).arg(found.name())));
        }
      for (int64_t row = 0; row < 10; ++row)
        for (int64_t key = 0; key <= row; ++key)
          QCOMPARE(color_at(canvas.canvas_layout().square, 10, 10, static_cast<double>(key),
                            static_cast<double>(row)),
                   row == 9 ? accent : pale);
    }
  }

  void keys_and_mouse_choose_the_step() {
    CacheBench bench(cache_scenario(20, 6));
    QVERIFY(bench.compare());
    CompareCacheCanvas& canvas = bench.view->cache_canvas();
    QCOMPARE(canvas.scene().shown_step(), size_t{5});
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.scene().shown_step(), size_t{4});
    QVERIFY2(canvas.accessibleDescription().contains(
                 QStringLiteral("Step 5: with a cache 1 row and 24 pairs per head, without 24 rows "
                                "and 300 pairs")),
             qPrintable(canvas.accessibleDescription()));
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.scene().shown_step(), size_t{0});
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.scene().shown_step(), size_t{0});
    const QRectF area = canvas.canvas_layout().steps;
    const QPointF fourth(area.left() + 3.5 / 6 * area.width(), area.center().y());
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, fourth.toPoint());
    QCOMPARE(canvas.scene().shown_step(), size_t{3});
    QTest::keyClick(&canvas, Qt::Key_End);
    QCOMPARE(canvas.scene().shown_step(), size_t{5});
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.scene().row, 1);
    QVERIFY(canvas.accessibleDescription().startsWith(
        QStringLiteral("Query-key pairs, all layers and heads: With a cache 2,600; Without")));
    QVERIFY(canvas.tooltip_at(fourth).contains(QStringLiteral("Step 4")));
  }

  void a_refusal_stands_as_a_sentence() {
    Scenario scenario = cache_scenario(20, 1);
    scenario.attention.type = AttentionType::kEncoderOnly;
    CacheBench bench(scenario);
    QVERIFY(bench.compare());
    QVERIFY(!bench.view->cache_model().result());
    QVERIFY2(bench.view->cache_canvas().accessibleDescription().contains(
                 QStringLiteral("An encoder computes its prompt in one step and has no KV cache")),
             qPrintable(bench.view->cache_canvas().accessibleDescription()));
    QVERIFY(!bench.view->nothing_to_export().isEmpty());
    bench.view->set_what(What::kBackends);
    QVERIFY(!bench.view->canvas().accessibleDescription().contains(QStringLiteral("An encoder")));
  }

  void everything_has_room() {
    CompareCacheModel model;
    model.set_result(
        std::make_shared<const CacheCompareResult>(engine_result(cache_scenario(30, 12))));
    CompareCacheScene scene;
    scene.model = &model;
    scene.steps = cache_steps_of(*model.result(), 0);
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark})
      for (const int percent : {100, 200})
        for (const QSize& size :
             {QSize(330, 300), QSize(700, 500), QSize(1280, 640), QSize(1920, 900)}) {
          Theme::instance().set_mode(mode);
          Theme::instance().set_text_percent(percent);
          const PictureLook look = PictureLook::read();
          const CompareCacheLayout layout =
              lay_out_cache(scene, QRectF(QPointF(0, 0), QSizeF(size)), look);
          const QRectF all(0, 0, size.width(), layout.height + 1);
          const QRectF parts[] = {layout.legend[0], layout.legend[1],    layout.steps_words,
                                  layout.steps,     layout.square_words, layout.square};
          const QRectF table = layout.columns[0].united(layout.columns[1]);
          for (const QRectF& part : parts) {
            QVERIFY2(all.contains(part), qPrintable(QStringLiteral("%1 px").arg(size.width())));
            QVERIFY(!part.intersects(table));
            for (const QRectF& other : parts) QVERIFY(&part == &other || !part.intersects(other));
          }
          QVERIFY(layout.square.width() >= 60);
          for (size_t row = 0; row < layout.rows.size(); ++row)
            for (int column = 0; column < 2; ++column)
              QVERIFY(QFontMetricsF(look.mono).horizontalAdvance(
                          model.index(static_cast<int>(row), column).data().toString()) <=
                      layout.columns[column].width() - 2 * look.px(6));
          QImage image(size.width(), static_cast<int>(layout.height), QImage::Format_RGB32);
          QPainter painter(&image);
          painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
          paint_compare_cache(painter, scene, layout, look);
          painter.end();
          if (const QString folder = qEnvironmentVariable("ATTN_KEEP_PICTURES"); !folder.isEmpty())
            image.save(QStringLiteral("%1/cache-%2-%3-%4.png")
                           .arg(folder)
                           .arg(size.width())
                           .arg(percent)
                           .arg(QLatin1String(mode == ThemeMode::kDark ? "dark" : "light")));
        }
  }

  void the_program_writes_picture_and_table() {
    QTemporaryDir folder;
    const Scenario scenario = cache_scenario(12, 3);
    const QString file = folder.filePath(QStringLiteral("small.json"));
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(QByteArray::fromStdString(to_json(scenario)));
    written.close();
    const QString out = folder.filePath(QStringLiteral("out"));
    const CommandLine line =
        parse_command_line({"run", file.toStdString(), "--export", out.toStdString(), "--views",
                            "compare", "--compare", "cache", "--scale", "1"});
    QCOMPARE(run_and_export(line), 0);
    const auto read = [&out](const char* name) {
      QFile of(out + QLatin1Char('/') + QLatin1String(name));
      return of.open(QIODevice::ReadOnly) ? of.readAll() : QByteArray();
    };
    QCOMPARE(read("compare_cache.csv").toStdString(), compare_cache_csv(engine_result(scenario)));
    QVERIFY(!read("compare.png").isEmpty());
    QVERIFY(!read("compare.svg").isEmpty());
    QVERIFY(!QFile::exists(out + QStringLiteral("/compare.csv")));
    QVERIFY(read("manifest.json").contains("\"compare_cache.csv\""));
    QVERIFY_THROWS_EXCEPTION(
        Error, parse_command_line({"run", "x", "--export", "out", "--views", "compare", "--compare",
                                   "cache", "--backends", "torch_sdpa,unified"}));
    QVERIFY_THROWS_EXCEPTION(
        Error, parse_command_line({"run", "x", "--export", "out", "--compare", "cache"}));
  }
};

ATTN_QT_TEST(test_compare_cache_view, attn::gui::test::run<TestCompareCache>)
#include "test_compare_cache_view.moc"
