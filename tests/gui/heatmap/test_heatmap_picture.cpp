// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap's pictures on the screen and in files, and its CSV table.
#include <QSvgRenderer>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/views/attention/heatmap/drawing/heatmap_raster.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestHeatmapPicture : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  // --- pixels ---

  void masked_small_and_selected_cells_differ_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void masked_small_and_selected_cells_differ() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? ThemeMode::kDark : ThemeMode::kLight);
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.heatmap.set_scale(ColorScale::Kind::kLinear);
    const ThemeColors& colors = Theme::instance().colors();
    const QImage image = w.heatmap.grab().toImage();
    QCOMPARE(colors_in(image, cells(w.heatmap, 3, 12, 25, 35)),
             (std::set<QRgb>{colors.surface.rgb(), colors.hatch.rgb()}));
    const ColorTable& table = color_table(w.heatmap.scene().map);
    int small = 0;
    for (int64_t query = 20; query < 40; ++query) {
      for (int64_t key = 0; key < query; ++key) {
        const float weight = w.heatmap.shown_value(query, key);
        if (weight > 0.001f) continue;
        const QRgb expected =
            table[static_cast<size_t>(w.heatmap.scene().scale.index(static_cast<double>(weight)))];
        QCOMPARE(colors_in(image, w.heatmap.rect_of(query, key).adjusted(2, 2, -3, -3)),
                 (std::set<QRgb>{expected}));
        QVERIFY(expected != colors.surface.rgb() && expected != colors.hatch.rgb());
        if (++small == 20) break;
      }
    }
    QVERIFY(small > 0);
    QTest::mouseClick(&w.heatmap, Qt::LeftButton, {}, w.heatmap.rect_of(22, 7).center().toPoint());
    const QImage selected = w.heatmap.grab().toImage();
    const QRectF cell = w.heatmap.rect_of(22, 7);
    QVERIFY(colors_in(selected, cell.adjusted(-2, -2, 2, 2)).contains(colors.accent.rgb()));
    QVERIFY(!colors_in(image, cell.adjusted(-2, -2, 2, 2)).contains(colors.accent.rgb()));
    const QRectF label(w.heatmap.canvas_layout().row_labels.left(), cell.center().y() - 4,
                       w.heatmap.canvas_layout().row_labels.width(), 8);
    QVERIFY(colors_in(selected, label).contains(colors.accent.rgb()));
  }

  void what_is_no_value_never_looks_like_one() {
    const ThemeColors& theme = Theme::instance().colors();
    RasterLook look{&color_table(ColorMapId::kViridis),
                    theme.surface.rgb(),
                    theme.hatch.rgb(),
                    theme.muted.rgb(),
                    theme.not_a_number.rgb(),
                    theme.raised.rgb()};
    std::vector<CellCode> codes(static_cast<size_t>(kTileSide * kTileSide), 200);
    const std::array<CellCode, 5> row{200, kMaskedCode, kNotComputedCode, kNanCode, kPendingCode};
    for (size_t r = 0; r < 4; ++r)
      std::copy(row.begin(), row.end(), codes.begin() + static_cast<std::ptrdiff_t>(r * kTileSide));
    for (double ratio : {1.0, 1.5, 2.0}) {
      for (double cell : {4.0, 40.0}) {
        CanvasTransform transform = heatmap_transform(5, 5);
        transform.max_aspect = 1;
        transform.x.max_scale = transform.y.max_scale = cell;
        transform.set_viewport(5 * cell, 5 * cell);
        transform.fit();
        const int side = static_cast<int>(5 * cell * ratio);
        const QImage image = raster_cells(transform, 0, ratio, side, side, look,
                                          [&](int64_t, int64_t) { return codes.data(); });
        const auto seen = [&](int column) {
          const double w = cell * ratio;
          return colors_in(image, QRectF(column * w + 1, 1, w - 2, 4 * w - 2));
        };
        const QRgb value = color_table(ColorMapId::kViridis)[200];
        QVERIFY(seen(0).contains(value));
        for (int column = 1; column < 5; ++column) QVERIFY(!seen(column).contains(value));
        QCOMPARE(seen(1), (std::set<QRgb>{look.surface, look.hatch}));
        // Small cells have sparse dots, so a narrow column may show only the surface.
        for (QRgb color : seen(2)) QVERIFY(color == look.surface || color == look.dots);
        QVERIFY(cell < kGapCell || seen(2).contains(look.dots));
        QVERIFY(cell > kGapCell || seen(3) == std::set<QRgb>{look.nan});
        QVERIFY(seen(4).contains(look.pending));
      }
    }
  }

  void cells_to_come_are_seen_on_screen_in_svg_and_in_the_legend_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light, large cells") << false << 40 << QSize(800, 560);
    QTest::newRow("dark, large cells") << true << 40 << QSize(800, 560);
    QTest::newRow("light, small cells") << false << 120 << QSize(800, 560);
    QTest::newRow("dark, small cells") << true << 120 << QSize(800, 560);
  }
  void cells_to_come_are_seen_on_screen_in_svg_and_in_the_legend() {
    QFETCH(bool, dark);
    QFETCH(int, tokens);
    QFETCH(QSize, size);
    Theme::instance().set_mode(dark ? ThemeMode::kDark : ThemeMode::kLight);
    const ThemeColors& colors = Theme::instance().colors();
    HeatmapBench w;
    w.heatmap.resize(size);
    w.bridge.start(small_scenario(tokens), true);
    QVERIFY(HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == tokens; }));
    QVERIFY(w.settle());
    const QImage image = picture_of(w.heatmap);
    const std::set<QRgb> seen =
        colors_in(image, cells(w.heatmap, tokens - 12, tokens - 2, 2, tokens - 14));
    QCOMPARE(seen.size(), size_t{2});
    for (QRgb color : seen) {
      if (color == colors.surface.rgb()) continue;
      QVERIFY(Theme::contrast(QColor(color), colors.surface) >= 3.0);
      const QRectF legend = w.heatmap.canvas_layout().legend(
          w.heatmap.rect_of(0, tokens - 1).right(), w.heatmap.canvas_layout().cells.bottom());
      QVERIFY(colors_in(image, QRectF(legend.left(), legend.top() + 200, 8, legend.height() - 200))
                  .contains(color));
      const QByteArray svg = svg_of(w.heatmap, size);
      const QByteArray fill = "fill=\"" + QColor(color).name().toLatin1() + '"';
      QVERIFY2(svg.count(fill) > 50, qPrintable(QString::number(svg.count(fill))));
      QVERIFY(svg.contains("not computed") && !svg.contains("not a number"));
    }
  }

  void the_legend_of_a_figure_names_only_what_it_has() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario(40, 1)));
    const QByteArray svg = svg_of(w.heatmap, {800, 560});
    QVERIFY(svg.contains(">weight<"));
    QVERIFY(!svg.contains("not computed") && !svg.contains("not a number"));
  }

  // A viewer that smooths edges would show the ground between small cells that only touch.
  void no_ground_shines_through_between_small_cells_of_an_svg() {
    Theme::instance().set_mode(ThemeMode::kLight);
    HeatmapBench w;
    QVERIFY(w.run(small_scenario(120, 1)));
    const QSize size(600, 480);
    HeatmapScene scene = w.heatmap.scene();
    scene.caption = true;
    const HeatmapLayout layout = layout_heatmap(scene, QRectF(QPointF(), size));
    CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
    transform.set_viewport(layout.cells.width(), layout.cells.height());
    transform.fit();
    QVERIFY(!has_gaps(transform, 0));
    QSvgRenderer renderer(svg_of(w.heatmap, size, true));
    constexpr double kScale = 1.37;
    QImage drawn(size * kScale, QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(QPointF(), QSizeF(size) * kScale));
    painter.end();
    int most = 0;
    for (const QRgb color : color_table(scene.map)) most = std::max(most, qBlue(color));
    QVERIFY(most < 200);  // white has 255
    const QPointF from(transform.x.to_pixel(2), transform.y.to_pixel(90)),
        to(transform.x.to_pixel(80), transform.y.to_pixel(118));
    const QRect inside =
        QRectF((layout.cells.topLeft() + from) * kScale, (layout.cells.topLeft() + to) * kScale)
            .toRect();
    QVERIFY(inside.width() > 50 && inside.height() > 20);
    for (int y = inside.top(); y <= inside.bottom(); ++y)
      for (int x = inside.left(); x <= inside.right(); ++x)
        QVERIFY2(qBlue(drawn.pixel(x, y)) <= most + 3,
                 qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
  }

  void a_wide_panel_has_the_words_beside_the_color_bar() {
    HeatmapBench w;
    w.heatmap.resize(1500, 420);
    QVERIFY(w.run(small_scenario()));
    const QImage image = picture_of(w.heatmap);
    const HeatmapLayout& layout = w.heatmap.canvas_layout();
    const int64_t last = w.heatmap.scene().rows() - 1;
    const QRectF content = w.heatmap.rect_of(0, 0).united(w.heatmap.rect_of(last, last));
    const QRectF legend = layout.legend(content.right(), content.bottom());
    const QRgb surface = Theme::instance().colors().surface.rgb();
    QVERIFY(legend.width() > 2 * layout.legend_width);
    QVERIFY(legend.right() <= 1500);
    QVERIFY(image.pixel(static_cast<int>(legend.left()) + 5,
                        static_cast<int>(content.bottom()) - 40) != surface);
    QVERIFY(colors_in(image, QRectF(legend.left() + layout.legend_width, layout.cells.top(),
                                    legend.width() - layout.legend_width, 60))
                .size() > 3);
  }

  void the_name_of_a_block_keeps_clear_of_other_words() {
    HeatmapBench w;
    w.heatmap.resize(1300, 420);
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kLayer);
      QTest::qWait(10);
      return w.bridge.snapshot() && !w.bridge.snapshot()->requests.empty() &&
             w.bridge.snapshot()->requests[0].own_table.blocks.size() >= 5;
    }));
    SelectionState state;
    state.kind = SelectionKind::kBlock;
    state.block = w.bridge.snapshot()->requests[0].own_table.blocks[2];
    w.selection.select(state);
    QVERIFY(w.settle());
    const QRgb accent = Theme::instance().colors().accent.rgb();
    const auto split = [&] {
      const int64_t last = w.heatmap.scene().rows() - 1;
      QRectF above = w.heatmap.canvas_layout().column_axis, beyond = above;
      above.setRight(w.heatmap.rect_of(0, last).right());
      beyond.setLeft(above.right() + 1);
      beyond.setRight(w.heatmap.width());
      const QImage image = picture_of(w.heatmap);
      return std::pair{colors_in(image, above).contains(accent),
                       colors_in(image, beyond).contains(accent)};
    };
    QCOMPARE(split(), (std::pair{true, false}));
    w.heatmap.resize(360, 420);  // no room for the block's name
    QCOMPARE(split(), (std::pair{false, false}));
  }

  void the_label_under_the_pointer_is_whole() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario(200, 2)));
    const int64_t request = w.record().request();
    w.selection.select({.kind = SelectionKind::kToken, .request = request, .query = 100});
    QVERIFY(w.settle());
    QVERIFY(w.heatmap.transform().y.scale < 4);  // labels of neighbouring rows would overlap
    const auto marked = [&](int64_t row) {
      TextRecorder recorder(w.heatmap.size());
      w.heatmap.render(&recorder, {}, {}, QWidget::DrawWindowBackground);
      if (!recorder.overlaps().isEmpty()) return -1;
      return static_cast<int>(std::ranges::count_if(recorder.texts(), [row](const DrawnText& text) {
        return text.text == QString::number(row) && !text.turned &&
               text.ground == Theme::instance().colors().accent;
      }));
    };
    QCOMPARE(marked(100), 1);
    for (const int64_t row : {97, 99, 100, 101, 102}) {
      w.selection.point({.request = request, .query = row, .key = 40});
      QCOMPARE(marked(row), 1);
    }
    w.selection.point({.request = request, .query = 20, .key = 40});
    QCOMPARE(marked(20), 1);
    QCOMPARE(marked(100), 1);
  }

  void going_back_to_a_head_draws_that_head() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const uint32_t request = w.record().request();
    const auto show = [&](int64_t layer, int64_t head) {
      w.selection.show(request, layer, head);
      QVERIFY(w.settle());
    };
    show(0, 0);
    const QImage first = picture_of(w.heatmap);
    const float weight = w.heatmap.shown_value(30, 12);
    for (const auto& [layer, head] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 3}}) {
      show(layer, head);
      const QImage other = picture_of(w.heatmap);
      QVERIFY(other != first);
      QVERIFY(same_bits(w.heatmap.shown_value(30, 12), weight_of(w.record(), layer, head, 30, 12)));
      show(0, 0);
      QVERIFY(picture_of(w.heatmap) == first);
      QVERIFY(same_bits(w.heatmap.shown_value(30, 12), weight));
      show(layer, head);
      QVERIFY(picture_of(w.heatmap) == other);
    }
  }

  void a_request_of_the_same_length_is_drawn() {
    HeatmapBench w;
    QVERIFY(w.run(two_requests("Lily", "Tom")));
    const auto& requests = w.bridge.snapshot()->requests;
    QCOMPARE(requests.size(), size_t{2});
    QCOMPARE(requests[0].attention->num_rows(), requests[1].attention->num_rows());
    w.selection.show(requests[0].id, 0, 0);
    QVERIFY(w.settle());
    const QImage first = picture_of(w.heatmap);
    w.heatmap.zoom(3);
    w.selection.show(requests[1].id, 0, 0);
    QVERIFY(w.settle());
    QVERIFY(w.heatmap.transform().is_fit());
    QCOMPARE(w.heatmap.transform().x.end, static_cast<double>(w.heatmap.scene().rows()));
    QVERIFY(
        same_bits(w.heatmap.shown_value(30, 12), weight_of(*requests[1].attention, 0, 0, 30, 12)));
    const QRgb drawn_as = color_table(w.heatmap.scene().map)[static_cast<size_t>(
        w.heatmap.scene().scale.index(static_cast<double>(w.heatmap.shown_value(30, 12))))];
    QCOMPARE(colors_in(picture_of(w.heatmap), w.heatmap.rect_of(30, 12).adjusted(2, 2, -3, -3)),
             (std::set<QRgb>{drawn_as}));
    w.selection.show(requests[0].id, 0, 0);
    QVERIFY(w.settle());
    QVERIFY(picture_of(w.heatmap) == first);
  }

  void an_empty_heatmap_says_what_will_appear() {
    HeatmapBench w;
    const QImage image = w.heatmap.grab().toImage();
    QVERIFY(colors_in(image, QRectF(0, 100, 800, 400)).size() > 4);
    QCOMPARE(w.heatmap.scene().rows(), int64_t{0});
    QTest::keyClick(&w.heatmap, Qt::Key_Right);
    QTest::keyClick(&w.heatmap, Qt::Key_Period);
    QTest::mouseClick(&w.heatmap, Qt::LeftButton, {}, QPoint(400, 300));
    QCOMPARE(w.selection.state().kind, SelectionKind::kNothing);
  }

  // --- exports ---

  void exports_show_everything_and_are_the_same_twice() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const auto picture = [&] {
      QImage image(w.heatmap.export_size(), QImage::Format_ARGB32_Premultiplied);
      image.fill(Theme::instance().colors().surface);
      QPainter painter(&image);
      w.heatmap.paint_content(painter, image.rect());
      return image;
    };
    const QImage first = picture();
    w.heatmap.zoom(8);
    QVERIFY(w.settle());
    QVERIFY(first == picture());
    QVERIFY(colors_in(first, first.rect()).size() > 40);

    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(w.heatmap.export_size());
    QPainter painter(&svg);
    w.heatmap.paint_content(painter, QRectF(QPointF(), QSizeF(w.heatmap.export_size())));
    painter.end();
    const QByteArray text = buffer.data();
    QVERIFY(text.contains("query token, reads"));
    QVERIFY(text.contains(">row sum"));
    QVERIFY(!text.contains("<image"));
    QVERIFY(text.count("<rect") + text.count("<path") > 40 * 41 / 2);
  }

  void a_drawing_keeps_the_look_it_was_taken_with() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const QSize size = w.heatmap.export_size();
    const auto drawing = w.heatmap.drawing();
    const QImage before = drawn(drawing, size);
    Theme::instance().set_mode(ThemeMode::kLight);
    Theme::instance().set_text_percent(150);
    const QImage after = drawn(drawing, size), other = drawn(w.heatmap.drawing(), size);
    Theme::instance().set_text_percent(100);
    QVERIFY(before == after);
    QVERIFY(before != other);
  }

  void many_cells_are_one_image_in_svg() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario(200, 1)));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(QSize(900, 700));
    QPainter painter(&svg);
    w.heatmap.paint_content(painter, QRectF(0, 0, 900, 700));
    painter.end();
    QCOMPARE(buffer.data().count("<image"), 1);
    QVERIFY(buffer.data().count("<rect") < 2000);
  }

  void csv_reads_back_bit_equal() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.show(w.record().request(), 1, 2);
    const QList<QByteArray> lines = w.heatmap.csv().split('\n');
    QByteArray expected =
        QByteArray::fromStdString(heatmap_csv(w.bridge.snapshot()->requests[0], 1, 2));
    QCOMPARE(w.heatmap.csv(), expected);
    const float weight = weight_of(w.record(), 1, 2, 20, 3);
    QVERIFY(w.heatmap.csv().contains(QByteArray::fromStdString(format_float(weight))));
    QVERIFY(lines.size() > 40);
  }
};

ATTN_QT_TEST(test_heatmap_picture, attn::gui::test::run<TestHeatmapPicture>)
#include "test_heatmap_picture.moc"
