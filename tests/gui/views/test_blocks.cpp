// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks view.
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include "backends/register_all.h"
#include "engine/session/report/report.h"
#include "gui/views/blocks/block_figures.h"
#include "gui/views/blocks/blocks_picture.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/widgets/text/number_signs.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;

namespace {

std::shared_ptr<EngineSnapshot> snapshot_of(int64_t num_blocks, int64_t block_size) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = 1;
  shot->phase = EnginePhase::kPaused;
  shot->block_size = block_size;
  shot->cache_bytes = num_blocks * 1024;
  shot->step = 9;
  shot->blocks.resize(static_cast<size_t>(num_blocks));
  shot->free_blocks = num_blocks;
  return shot;
}

void give(EngineSnapshot& shot, const std::string& name, std::vector<int32_t> blocks,
          int32_t last_filled, uint32_t taken) {
  RequestView request;
  request.id = static_cast<uint32_t>(shot.requests.size());
  request.name = name;
  request.state = RequestState::kRunning;
  request.own_table.blocks = blocks;
  auto tokens = std::make_shared<std::vector<TokenView>>();
  for (size_t i = 0; i < blocks.size(); ++i) {
    BlockView& block = shot.blocks[static_cast<size_t>(blocks[i])];
    block.owner = static_cast<int32_t>(request.id);
    block.ref_count = 1;
    block.logical = static_cast<int32_t>(i);
    block.filled = i + 1 == blocks.size() ? last_filled : static_cast<int32_t>(shot.block_size);
    block.allocated_step = taken + static_cast<uint32_t>(i);
    block.last_read_step = shot.step;
    for (int32_t slot = 0; slot < block.filled; ++slot)
      tokens->push_back(
          {static_cast<int32_t>(tokens->size()), name + std::to_string(tokens->size())});
    --shot.free_blocks;
  }
  request.prompt_len = static_cast<int64_t>(tokens->size());
  request.tokens = tokens;
  shot.requests.push_back(request);
}

std::shared_ptr<EngineSnapshot> two_sequences() {
  auto shot = snapshot_of(32, 4);
  give(*shot, "Lily", {0, 1, 5, 30}, 3, 1);
  give(*shot, "Tom", {2, 3}, 1, 8);
  return shot;
}

bool is_near(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
             std::abs(a.blue() - b.blue()) <
         24;
}

}  // namespace

class TestBlocks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { attn::gui::test::fail_on_warnings(); }
  void cleanup() { Theme::instance().set_mode(ThemeMode::kDark); }

  void a_count_never_covers_the_number() {
    const QFont font = Theme::instance().mono(TextRole::kSmall);
    const NumberSigns& signs = NumberSigns::of(font);
    const double cap = QFontMetricsF(signs.font).capHeight();
    int beside = 0, below = 0;
    for (int side = 14; side <= 60; ++side)
      for (const char* number : {"0", "17", "#104", "4095"})
        for (const char* count : {"×2", "×12", "×256"}) {
          const QRectF body(3, 5, side, side);
          const double wide = signs.width(QLatin1String(number));
          const BlockTexts texts = place_block_texts(
              body, wide, signs.width(QString::fromUtf8(count)), cap, signs.height(), false);
          const QPointF middle = texts.number.center();
          const QRectF digits(middle.x() - wide / 2, middle.y() - cap / 2, wide, cap);
          QVERIFY2(!texts.count.intersects(digits), qPrintable(QString::number(side)));
          QVERIFY(texts.count.isEmpty() || body.contains(texts.count));
          if (texts.count.isEmpty()) continue;
          ++(texts.count.top() > digits.bottom() ? below : beside);
        }
    QVERIFY(beside > 100 && below > 20);
  }

  void columns_data() {
    QTest::addColumn<int>("blocks");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<int>("columns");
    QTest::newRow("one") << 1 << 300.0 << 100.0 << 1;
    QTest::newRow("none") << 0 << 300.0 << 100.0 << 1;
    QTest::newRow("square") << 64 << 100.0 << 100.0 << 8;
    QTest::newRow("square of 65536") << 65536 << 512.0 << 512.0 << 256;
    QTest::newRow("row") << 16 << 1600.0 << 90.0 << 16;
    QTest::newRow("column") << 16 << 90.0 << 1600.0 << 1;
    QTest::newRow("no area") << 64 << 0.0 << 0.0 << 1;
  }
  void columns() {
    QFETCH(int, blocks);
    QFETCH(double, width);
    QFETCH(double, height);
    QTEST(static_cast<int>(best_columns(blocks, width, height)), "columns");
  }

  void geometry_and_hit() {
    for (const int64_t count : {1, 7, 64, 100, 1000}) {
      for (const QSizeF size : {QSizeF(280, 130), QSizeF(900, 400), QSizeF(60, 600)}) {
        BlockGrid grid;
        grid.set_num_blocks(count);
        grid.set_area(QRectF(QPointF(8, 8), size));
        for (int64_t block = 0; block < count; ++block) {
          const QRectF rect = grid.rect_of(block);
          QVERIFY(grid.area().adjusted(-0.01, -0.01, 0.01, 0.01).contains(rect));
          QCOMPARE(grid.block_at(rect.center()), block);
          if (block > 0)
            QVERIFY(!rect.adjusted(0.01, 0.01, -0.01, -0.01).intersects(grid.rect_of(block - 1)));
        }
        QCOMPARE(grid.block_at(QPointF(0, 0)), int64_t{-1});
        QVERIFY(grid.cell() <= BlockGrid::kLargestFitCell);
      }
    }
  }

  void zoom_keeps_the_point() {
    BlockGrid grid;
    grid.set_num_blocks(4096);
    grid.set_area(QRectF(0, 0, 640, 320));
    const QPointF point = grid.rect_of(2000).center();
    const double before = grid.cell();
    grid.zoom_at(point, 4);
    QCOMPARE(grid.block_at(point), int64_t{2000});
    QVERIFY(std::abs(grid.cell() - 4 * before) < 1e-6);
    QVERIFY(!grid.is_fit());
    grid.zoom_at(point, 1e-6);
    QVERIFY(grid.is_fit());
    QCOMPARE(grid.cell(), before);
    grid.fit_block(4095);
    QVERIFY(grid.area().contains(grid.rect_of(4095)));
  }

  void tables_geometry() {
    TableLayout tables;
    tables.area = QRectF(300, 8, 300, 100);
    tables.num_rows = 10;
    tables.longest = 40;
    QCOMPARE(tables.row_at(tables.cell_rect(2, 3).center()), int64_t{2});
    QCOMPARE(tables.logical_at(tables.cell_rect(2, 3).center()), int64_t{3});
    QCOMPARE(tables.row_at(QPointF(310, 9)), int64_t{-1});
    tables.reveal(9, 39);
    QVERIFY(tables.body().adjusted(-1, -1, 1, 1).contains(tables.cell_rect(9, 39)));
    QCOMPARE(tables.logical_at(tables.cell_rect(9, 39).center()), int64_t{39});
    tables.scroll_y = 1e9;
    tables.clamp();
    QCOMPARE(tables.scroll_y, tables.max_scroll_y());
  }

  void figures() {
    const auto shot = two_sequences();
    const BlockFigures f = figures_of(*shot);
    QCOMPARE(f.total, int64_t{32});
    QCOMPARE(f.used, int64_t{6});
    QCOMPARE(f.free, int64_t{26});
    QCOMPARE(f.used_bytes, int64_t{6 * 1024});
    QCOMPARE(f.reserved_slots, int64_t{24});
    QCOMPARE(f.wasted_slots(), int64_t{1 + 3});
    QVERIFY(std::abs(f.waste_percent() - 100.0 * 4 / 24) < 1e-9);
    QCOMPARE(figures_of(*snapshot_of(4, 16)).waste_percent(), 0.0);
  }

  void coloring() {
    const auto shot = two_sequences();
    const Theme& theme = Theme::instance();
    const BlockColoring owner = BlockColoring::make(BlockColorBy::kOwner, *shot);
    QCOMPARE(owner.color(shot->blocks[0], shot->step), theme.category(0));
    QCOMPARE(owner.color(shot->blocks[2], shot->step), theme.category(1));
    for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      QCOMPARE(owner.edge(shot->blocks[2], shot->step), theme.category_edge(1));
    }
    const BlockColoring age = BlockColoring::make(BlockColorBy::kAge, *shot);
    QCOMPARE(age.value(shot->blocks[0], shot->step), 8.0);
    QCOMPARE(age.low, 0.0);
    QCOMPARE(age.high, 8.0);
    QVERIFY(age.color(shot->blocks[0], shot->step) != age.color(shot->blocks[3], shot->step));
    shot->blocks[3].last_read_step = 0;
    const BlockColoring read = BlockColoring::make(BlockColorBy::kLastRead, *shot);
    QVERIFY(std::isnan(read.value(shot->blocks[3], shot->step)));
    shot->blocks[5].ref_count = 3;
    const BlockColoring refs = BlockColoring::make(BlockColorBy::kRefCount, *shot);
    QCOMPARE(refs.low, 1.0);
    QCOMPARE(refs.high, 3.0);
    QVERIFY(refs.color(shot->blocks[5], shot->step) != refs.color(shot->blocks[0], shot->step));
  }

  void highlights() {
    const auto shot = two_sequences();
    std::vector<TraceEvent> events(1);
    TileEvent tile;
    tile.request = 0;
    tile.k_begin = 2;
    tile.k_count = 7;
    tile.q_count = 1;
    pack(tile, events[0]);
    StepTiles step_tiles;
    const auto of = [&](SelectionState state) {
      return highlight_of(state, -1, *shot, events, step_tiles);
    };

    const BlockHighlight block = of({.kind = SelectionKind::kBlock, .block = 5});
    QCOMPARE(block.request, int64_t{0});
    QCOMPARE(block.blocks, std::vector<int32_t>{5});
    QCOMPARE(block.first_token, int64_t{8});
    QCOMPARE(block.last_token, int64_t{11});

    const BlockHighlight token = of({.kind = SelectionKind::kToken, .request = 0, .query = 13});
    QCOMPARE(token.primary, int64_t{30});
    QCOMPARE(token.first_token, int64_t{13});

    const BlockHighlight cell =
        of({.kind = SelectionKind::kCell, .request = 0, .query = 13, .key = 4});
    QCOMPARE(cell.primary, int64_t{1});
    QCOMPARE(cell.blocks, (std::vector<int32_t>{1, 30}));

    const BlockHighlight span = of({.kind = SelectionKind::kSpan, .request = 0, .event = 0});
    QCOMPARE(span.blocks, (std::vector<int32_t>{0, 1, 5}));

    QVERIFY(of({.kind = SelectionKind::kBlock, .block = 99}).blocks.empty());
    QVERIFY(of({.kind = SelectionKind::kToken, .request = 7, .query = 1}).blocks.empty());
    QVERIFY(of({.kind = SelectionKind::kToken, .request = 1, .query = 400}).blocks.empty());
    QCOMPARE(highlight_of({}, 1, *shot, events, step_tiles).request, int64_t{1});
  }

  void tooltip_names_every_field() {
    const auto shot = two_sequences();
    const QString text = block_tooltip(*shot, 30);
    for (const char* part : {"Block 30", "Lily", "Logical block", "3 of 4", "step 4", "step 9",
                             "never", "12 to 14", "Lily12"})
      QVERIFY2(text.contains(QLatin1String(part)), part);
    QVERIFY(block_tooltip(*shot, 31).contains(QStringLiteral("free")));
    QVERIFY(block_tooltip(*shot, 32).isEmpty());
  }

  void order_of_tables() {
    auto shot = two_sequences();
    give(*shot, "Bird", {7}, 1, 2);
    shot->requests[0].own_table.blocks.clear();
    shot->requests[0].state = RequestState::kFinishedStopped;
    shot->requests[1].own_table.blocks.clear();
    shot->requests[1].state = RequestState::kWaiting;
    QCOMPARE(table_order(*shot), (std::vector<TableRow>{{2}, {1}, {0}}));
  }

  // --- the widget ---

  void the_owner_of_a_selected_block_does_not_look_shown() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 400);
    view.show_snapshot(two_sequences());
    selection.show(1, 0, 0);
    view.grab();
    const auto ground = [&](int64_t row) {
      const QPointF corner = view.canvas().scene().tables.row_rect(row).topLeft();
      return view.canvas().grab().toImage().pixel(corner.toPoint() + QPoint(9, 3));
    };
    const std::pair before(ground(0), ground(1));
    QVERIFY(before.first != before.second);
    selection.select({.kind = SelectionKind::kBlock, .block = 5});
    QVERIFY(before == std::pair(ground(0), ground(1)));
  }

  void mouse_selects_in_both_parts() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    BlocksCanvas& canvas = view.canvas();
    view.grab();
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.scene().grid.rect_of(5).center().toPoint());
    QCOMPARE(selection.state().kind, SelectionKind::kBlock);
    QCOMPARE(selection.state().block, int64_t{5});
    QCOMPARE(selection.state().request, int64_t{0});
    QCOMPARE(canvas.highlight().primary, int64_t{5});
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.scene().tables.cell_rect(1, 1).center().toPoint());
    QCOMPARE(selection.state().block, int64_t{3});
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.scene().tables.row_rect(1).topLeft().toPoint() + QPoint(6, 10));
    QCOMPARE(selection.state().kind, SelectionKind::kNothing);
    QCOMPARE(selection.shown_request(), int64_t{1});
    QCOMPARE(canvas.highlight().request, int64_t{1});
  }

  void keys_have_effects() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    BlocksCanvas& canvas = view.canvas();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), int64_t{0});
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    const int64_t columns = canvas.scene().grid.columns();
    QCOMPARE(canvas.cursor(), 1 + columns);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(canvas.cursor(), int64_t{1});
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(selection.state().block, int64_t{1});
    QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("Lily")));
    const double cell = canvas.scene().grid.cell();
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(canvas.scene().grid.cell() > cell);
    QTest::keyClick(&canvas, Qt::Key_Minus);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(canvas.scene().grid.cell() > cell);
    QVERIFY(canvas.scene().grid.area().contains(canvas.scene().grid.rect_of(1).center()));
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.scene().grid.cell(), cell);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(selection.state().kind, SelectionKind::kNothing);
  }

  void wheel_zooms_at_the_pointer_and_middle_drag_pans() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(snapshot_of(1024, 16));
    BlocksCanvas& canvas = view.canvas();
    const QPointF at = canvas.scene().grid.rect_of(500).center();
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 8 * 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    QCOMPARE(canvas.block_at(at), int64_t{500});
    QVERIFY(!canvas.scene().grid.is_fit());
    const QRectF before = canvas.scene().grid.rect_of(500);
    QTest::mousePress(&canvas, Qt::MiddleButton, {}, at.toPoint());
    QTest::mouseMove(&canvas, at.toPoint() - QPoint(20, 12));
    QTest::mouseRelease(&canvas, Qt::MiddleButton, {}, at.toPoint() - QPoint(20, 12));
    const QPointF moved = canvas.scene().grid.rect_of(500).topLeft() - before.topLeft();
    QVERIFY(std::abs(moved.x() + 20) < 1.01 && std::abs(moved.y() + 12) < 1.01);
  }

  void free_blocks_stand_out() {
    for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight}) {
      Theme::instance().set_mode(mode);
      QVERIFY(Theme::contrast(free_edge(), Theme::instance().colors().surface) >= 3);
    }
  }

  void ctrl_wheel_over_the_tables_zooms_too() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    auto shot = snapshot_of(1024, 16);
    give(*shot, "Lily", {0, 1}, 3, 1);
    view.show_snapshot(shot);
    BlocksCanvas& canvas = view.canvas();
    const QPointF at = canvas.scene().tables.body().center();
    QVERIFY(!canvas.scene().grid.area().contains(at));
    const double before = canvas.scene().grid.cell();
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 3 * 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    QVERIFY(canvas.scene().grid.cell() > before);
  }

  void a_step_lights_up_what_it_computed() {
    const auto shot = two_sequences();
    std::vector<TraceEvent> events(4);
    events[0].kind = EventKind::kStep;
    events[0].begin_ns = 100;
    events[0].duration_ns = 50;
    const auto tile_at = [](TraceEvent& event, uint64_t begin, uint32_t request, uint32_t query) {
      TileEvent tile;
      tile.request = request;
      tile.q_begin = query;
      tile.q_count = 2;
      tile.k_count = 1;
      pack(tile, event);
      event.begin_ns = begin;
    };
    tile_at(events[1], 110, 0, 7);
    tile_at(events[2], 140, 1, 0);
    tile_at(events[3], 151, 0, 12);  // a tile of the next step
    StepTiles step_tiles;
    const auto lit = [&] {
      return highlight_of({.kind = SelectionKind::kSpan, .event = 0}, -1, *shot, events, step_tiles)
          .blocks;
    };
    QCOMPARE(lit(), (std::vector<int32_t>{1, 5, 2}));
    events.resize(6);
    tile_at(events[4], 149, 0, 3);
    tile_at(events[5], 99, 0, 12);
    QCOMPARE(lit(), (std::vector<int32_t>{1, 5, 2, 0}));
  }

  void links_lie_under_the_text() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    const QImage without = view.canvas().grab().toImage();
    selection.show(0, 0, 0);
    const QImage with = view.canvas().grab().toImage();
    QVERIFY(with != without);
    const BlockGrid& grid = view.canvas().scene().grid;
    for (const int block : {0, 1, 2, 3, 5, 30}) {
      const QRect middle = grid.rect_of(block).toRect().adjusted(6, 6, -6, -8);
      QCOMPARE(with.copy(middle), without.copy(middle));
    }
  }

  void exported_picture_has_room_for_all_words() {
    auto shot = two_sequences();
    shot->requests[1].own_table.blocks.clear();
    shot->requests[1].state = RequestState::kFinishedStopped;
    shot->requests[1].name = "a request with a long name";
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(300, 200);
    view.show_snapshot(shot);
    BlocksScene scene = view.canvas().scene();
    arrange(scene, QRectF(QPointF(0, 0), QSizeF(view.export_size())), true);
    const TableText text = measure_tables(*shot, scene.order);
    QVERIFY(text.sentences > 100);
    QVERIFY2(scene.tables.gutter >= text.names,
             qPrintable(QStringLiteral("%1 < %2").arg(scene.tables.gutter).arg(text.names)));
    QVERIFY(scene.tables.body().width() >= text.sentences);
  }

  void a_picture_for_a_page_has_room_for_all_words() {
    auto long_table = snapshot_of(64, 4);
    give(*long_table, "Lily",
         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}, 3,
         1);
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(300, 200);
    for (const auto& shot : {two_sequences(), long_table}) {
      view.show_snapshot(shot);
      const bool is_long = shot == long_table;
      QVERIFY(view.export_size().width() > 1000);
      const QSize size = view.export_size_for(658);
      QVERIFY(is_long ? size.width() < 900 : size.width() == 658);
      QCOMPARE(picture_of_blocks(view.canvas().scene(), {}, true, 658).tables_below, is_long);
      gui::test::TextRecorder recorder(size);
      QPainter painter(&recorder);
      view.paint_content(painter, QRectF(QPointF(0, 0), QSizeF(size)));
      painter.end();
      QCOMPARE(recorder.cut() + recorder.overlaps(), QStringList());
      QStringList texts;
      for (const gui::test::DrawnText& text : recorder.texts()) texts.append(text.text);
      for (const char* word : {"Lily", "free", "taken in this step", "read", "written", "31"})
        QVERIFY2(texts.contains(QLatin1String(word)), word);
    }
  }

  void caption_is_in_the_exported_picture() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    const auto picture = [&view] {
      QImage image(view.export_size(), QImage::Format_RGB32);
      QPainter painter(&image);
      view.paint_content(painter, QRectF(image.rect()));
      return image;
    };
    const QImage plain = picture();
    const QImage screen = view.canvas().grab().toImage();
    view.set_caption(QStringLiteral("step 31 of 32, most blocks in use"));
    const QImage captioned = picture();
    QCOMPARE(captioned.size(), plain.size());
    QVERIFY(captioned != plain);
    const int title = Theme::instance().px(30);
    const QRect below = plain.rect().adjusted(0, title, 0, 0);
    QCOMPARE(captioned.copy(below), plain.copy(below));
    QCOMPARE(view.canvas().grab().toImage(), screen);
  }

  void other_views_light_up_blocks() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    const QImage before = view.canvas().grab().toImage();
    selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 9});
    QCOMPARE(view.canvas().highlight().primary, int64_t{5});
    QVERIFY(view.canvas().grab().toImage() != before);
  }

  void parts_and_coloring_controls() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 240);
    view.show_snapshot(two_sequences());
    auto* combo = view.findChild<QComboBox*>();
    const QImage by_owner = view.canvas().grab().toImage();
    combo->setCurrentIndex(static_cast<int>(BlockColorBy::kAge));
    QCOMPARE(view.canvas().color_by(), BlockColorBy::kAge);
    QVERIFY(view.canvas().grab().toImage() != by_owner);
    QToolButton *grid = nullptr, *tables = nullptr;
    for (QToolButton* button : view.findChildren<QToolButton*>()) {
      QVERIFY(!button->accessibleName().isEmpty());
      if (button->text() == QStringLiteral("Grid")) grid = button;
      if (button->text() == QStringLiteral("Tables")) tables = button;
    }
    QVERIFY(grid && tables);
    const double narrow = view.canvas().scene().grid.area().width();
    tables->click();
    QVERIFY(!view.canvas().scene().show_tables);
    QVERIFY(view.canvas().scene().grid.area().width() > narrow);
    grid->click();
    QVERIFY(view.canvas().scene().show_tables && !view.canvas().scene().show_grid);
  }

  void picture_has_the_owners_colours() {
    for (const ThemeMode mode : {ThemeMode::kDark, ThemeMode::kLight}) {
      Theme::instance().set_mode(mode);
      Selection selection;
      BlocksView view({nullptr, &selection});
      view.resize(900, 240);
      view.show_snapshot(two_sequences());
      const BlockGrid& grid = view.canvas().scene().grid;
      const QImage picture = view.canvas().grab().toImage();
      for (const int block : {0, 1, 2, 3, 5}) {
        const QRectF rect = grid.rect_of(block);
        const int owner = view.canvas().scene().snapshot->blocks[static_cast<size_t>(block)].owner;
        bool found = false;
        for (int x = 2; x < static_cast<int>(rect.width()) / 3; ++x)
          found |= is_near(picture.pixelColor(rect.bottomLeft().toPoint() + QPoint(x, -5)),
                           Theme::instance().category(owner));
        QVERIFY(found);
      }
      const QPoint free = grid.rect_of(20).topLeft().toPoint() + QPoint(4, 4);
      QVERIFY(is_near(picture.pixelColor(free), Theme::instance().colors().surface));
    }
  }

  void many_blocks_are_a_pixel_each() {
    auto shot = snapshot_of(65536, 16);
    std::vector<int32_t> blocks;
    for (int32_t i = 0; i < 40000; ++i) blocks.push_back(i);
    give(*shot, "Long", blocks, 3, 1);
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1600, 900);
    view.show_snapshot(shot);
    QVERIFY(view.canvas().scene().grid.cell() < BlockPainter::kOwnCell);
    const BlockGrid& grid = view.canvas().scene().grid;
    const QImage picture = view.canvas().grab().toImage();
    QVERIFY(is_near(picture.pixelColor(grid.rect_of(39999).center().toPoint()),
                    Theme::instance().category(0)));
    QVERIFY(!is_near(picture.pixelColor(grid.rect_of(60000).center().toPoint()),
                     Theme::instance().category(0)));
  }

  void empty_state_and_small_sizes() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    for (const QSize size : {QSize(120, 60), QSize(320, 120), QSize(640, 220)}) {
      view.resize(size);
      view.grab();
      view.show_snapshot(two_sequences());
      view.grab();
      view.show_snapshot(nullptr);
    }
    QVERIFY(view.csv().startsWith(
        QByteArray::fromStdString(block_table_csv(EngineSnapshot{})).left(5)));
    QVERIFY(view.minimumSizeHint().width() <= 320);
  }

  void csv_is_the_engines_table() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    const auto shot = two_sequences();
    view.show_snapshot(shot);
    const QByteArray csv = view.csv();
    QCOMPARE(csv, QByteArray::fromStdString(block_table_csv(*shot)));
    QVERIFY(csv.count('\n') >= 32);
  }

  void real_run() {
    EngineBridge bridge;
    Selection selection;
    BlocksView view({&bridge, &selection});
    view.resize(900, 260);
    view.grab();
    Scenario scenario = load_scenario(find_scenario("many-users"));
    scenario.view.pace_tiles_per_s = 0;
    bridge.start(scenario, true);
    QVERIFY(gui::test::wait_until_stands(bridge));
    // Whole steps: at full speed the run could end before a pause.
    while (bridge.snapshot()->generated_tokens <= 20) {
      bridge.step(Granularity::kStep);
      QVERIFY(gui::test::wait_until_stands(bridge));
    }
    const auto shot = bridge.snapshot();
    QCOMPARE(view.canvas().scene().snapshot, shot);
    const BlockFigures f = figures_of(*shot);
    QCOMPARE(f.free, shot->free_blocks);
    QVERIFY(f.used > 0);
    for (const RequestView& request : shot->requests) {
      for (size_t i = 0; i < request.own_table.blocks.size(); ++i) {
        const BlockView& block = shot->blocks[static_cast<size_t>(request.own_table.blocks[i])];
        QCOMPARE(block.owner, static_cast<int32_t>(request.id));
        QCOMPARE(block.logical, static_cast<int32_t>(i));
      }
    }
    view.show_snapshot(shot);
    bridge.run();
    QTRY_VERIFY_WITH_TIMEOUT(bridge.snapshot()->generated_tokens > shot->generated_tokens ||
                                 bridge.snapshot()->phase == EnginePhase::kFinished,
                             60000);
    QVERIFY(bridge.snapshot() != shot);
    QCOMPARE(view.canvas().scene().snapshot, shot);
    QCOMPARE(view.csv(), QByteArray::fromStdString(block_table_csv(*shot)));
    view.show_snapshot(nullptr);
    QCOMPARE(view.canvas().scene().snapshot, bridge.snapshot());
    bridge.cancel();
  }
};

ATTN_QT_TEST(test_blocks, attn::gui::test::run<TestBlocks>)
#include "test_blocks.moc"
