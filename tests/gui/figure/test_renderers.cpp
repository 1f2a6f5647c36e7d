// SPDX-License-Identifier: GPL-3.0-or-later
// That other programs draw exported SVG and PDF files in the colours of the colour map. Slow. A
// program that is not installed is left out.
#include <QImageReader>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>
#include <random>

#include "backends/register_all.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int kZoom = 3;  // device pixels per logical pixel (1/96 inch)
constexpr int kLookedAt = 200;

struct LookedAt {
  QPointF middle;  // points
  QColor color;
};

struct Renderer {
  const char *program, *format, *arguments;
};

const Renderer kRenderers[] = {
    {"pdftoppm", "pdf", "-r @dpi -png -singlefile @file @stem"},
    {"rsvg-convert", "svg", "-z @zoom @file -o @png"},
    {"chromium", "svg",
     "--headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=@zoom "
     "--window-size=@size --screenshot=@png file://@file"},
    {"inkscape", "svg", "--export-type=png --export-dpi=@dpi --export-filename=@png @file"},
    {"inkscape", "pdf", "--export-type=png --export-dpi=@dpi --export-filename=@png @file"}};

QStringList arguments_of(const Renderer& renderer, const QString& file, const QString& png,
                         const QSize& size) {
  QString text = QLatin1String(renderer.arguments);
  text.replace(QLatin1String("@dpi"), QString::number(96 * kZoom));
  text.replace(QLatin1String("@zoom"), QString::number(kZoom));
  text.replace(QLatin1String("@size"),
               QStringLiteral("%1,%2").arg(size.width() + 20).arg(size.height() + 200));
  text.replace(QLatin1String("@file"), file);
  text.replace(QLatin1String("@png"), png);
  text.replace(QLatin1String("@stem"), png.chopped(4));
  return text.split(QLatin1Char(' '));
}

QColor map_color(float weight) {
  const ColorScale scale = weight_scale(ColorScale::Kind::kLinear);
  return QColor(color_table(
      ColorMapId::kCividis)[static_cast<size_t>(scale.index(static_cast<double>(weight)))]);
}

}  // namespace

class TestRenderers : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QImageReader::setAllocationLimit(0);
    Theme::instance().set_mode(ThemeMode::kLight);
  }

  void heatmaps_have_the_colours_of_the_map_data() {
    QTest::addColumn<int>("tokens");
    QTest::newRow("rectangles, 60 tokens") << 60;
    QTest::newRow("image, 300 tokens") << 300;
  }

  void heatmaps_have_the_colours_of_the_map() {
    QFETCH(const int, tokens);
    HeatmapBench bench;
    QVERIFY(bench.run(small_scenario(tokens, 1)));
    HeatmapScene scene = bench.heatmap.scene();
    scene.caption = true;
    const QSize size = bench.heatmap.export_size();
    const HeatmapLayout layout = layout_heatmap(scene, QRectF(QPointF(), size));
    CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
    transform.set_viewport(layout.cells.width(), layout.cells.height());
    transform.fit();
    std::mt19937 random(5);
    std::vector<LookedAt> samples;
    // Away from the number in the middle of a cell and from the gap between cells.
    while (samples.size() < kLookedAt) {
      const auto query = static_cast<int64_t>(random() % static_cast<size_t>(scene.rows())),
                 key = static_cast<int64_t>(random() % static_cast<size_t>(query + 1));
      samples.push_back(
          {layout.cells.topLeft() + QPointF(transform.x.to_pixel(static_cast<double>(key) + 0.3),
                                            transform.y.to_pixel(static_cast<double>(query) + 0.3)),
           map_color(gui::test::weight_of(bench.record(), scene.head.layer, scene.head.head, query,
                                          key))});
    }
    look_at(bench.heatmap, samples);
  }

  void heads_have_the_colours_of_the_map() {
    EngineBridge bridge;
    Selection selection;
    follow_runs(bridge, selection);
    HeadGridView view({&bridge, &selection}, nullptr);
    view.resize(view.export_size());
    view.show();
    bridge.start(small_scenario(60, 1));
    QVERIFY(wait_until_phase(bridge, EnginePhase::kFinished));
    QCoreApplication::processEvents();
    QVERIFY(view.stats().wait(std::chrono::seconds(30)));
    HeadGridScene scene = view.scene();
    scene.caption = true;
    const HeadGridLayout layout = layout_heads(scene, QRectF(QPointF(), view.export_size()), 1);
    const AttentionRecord& record = *bridge.snapshot()->requests.front().attention;
    std::mt19937 random(5);
    std::vector<LookedAt> samples;
    while (samples.size() < kLookedAt) {
      const HeadGridLayout::Cell& cell = layout.cells[random() % layout.cells.size()];
      const int64_t rows = record.num_rows();
      const auto query = static_cast<int64_t>(random() % static_cast<size_t>(rows)),
                 key = static_cast<int64_t>(random() % static_cast<size_t>(query + 1));
      const QRectF thumb = cell.thumb.translated(0, layout.view.top());
      samples.push_back(
          {thumb.topLeft() + QPointF((static_cast<double>(key) + 0.5) * thumb.width(),
                                     (static_cast<double>(query) + 0.5) * thumb.height()) /
                                 static_cast<double>(rows),
           map_color(gui::test::weight_of(record, cell.index / scene.num_heads,
                                          cell.index % scene.num_heads, query, key))});
    }
    look_at(view, samples);
  }

 private:
  void look_at(gui::View& view, const std::vector<LookedAt>& samples) {
    const QString svg = folder_.filePath(QStringLiteral("a.svg")),
                  pdf = folder_.filePath(QStringLiteral("a.pdf"));
    QCOMPARE(export_svg(view, svg), QString());
    QCOMPARE(export_pdf(view, pdf), QString());
    for (const Renderer& renderer : kRenderers) {
      const QString png = folder_.filePath(QStringLiteral("a.png")),
                    program = QLatin1String(renderer.program);
      const QString what = QStringLiteral("%1 of %2").arg(program, QLatin1String(renderer.format));
      QFile::remove(png);
      if (QStandardPaths::findExecutable(program).isEmpty()) {
        qInfo("%s: not installed, left out", qPrintable(what));
        continue;
      }
      QProcess process;
      const bool is_svg = QLatin1String(renderer.format) == QLatin1String("svg");
      process.start(program, arguments_of(renderer, is_svg ? svg : pdf, png, view.export_size()));
      QVERIFY(process.waitForFinished(300000));
      const QImage drawn(png);
      QVERIFY2(!drawn.isNull(), process.readAllStandardError().constData());
      int largest = 0;
      for (const LookedAt& sample : samples) {
        const QPointF at = sample.middle * kZoom;
        const QColor found = drawn.pixelColor(static_cast<int>(at.x()), static_cast<int>(at.y()));
        largest = std::max({largest, std::abs(found.red() - sample.color.red()),
                            std::abs(found.green() - sample.color.green()),
                            std::abs(found.blue() - sample.color.blue())});
      }
      qInfo("%s: %zu cells, largest difference %d of 255", qPrintable(what), samples.size(),
            largest);
      QVERIFY(largest <= 1);
    }
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_renderers, attn::gui::test::run<TestRenderers>)
#include "test_renderers.moc"
