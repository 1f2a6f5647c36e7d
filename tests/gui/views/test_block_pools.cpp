// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks view: tables, host pool, moves between blocks, figures, colours, readers and cells.
#include <QSignalSpy>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "block_run.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/block_figures.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_painter.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/drawing/link_painter.h"
#include "gui/views/inspector/inspector_content.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

using Kind = BlockMoved::Kind;

std::shared_ptr<EngineSnapshot> swapped_snapshot(EnginePhase phase) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->phase = phase;
  shot->block_size = 4;
  shot->cache_bytes = 8 * 1024;
  shot->step = shot->plan.step = 5;
  shot->blocks.resize(8);
  shot->swap_blocks.resize(6);
  shot->source.max_model_len = 30;
  RequestView here, there;
  here.id = 0;
  here.name = "Lily";
  here.state = RequestState::kRunning;
  here.own_table.blocks = {0, 2};
  there.id = 1;
  there.name = "Tom";
  there.state = RequestState::kSwapped;
  there.own_table.swap_blocks = {3, 1};
  shot->blocks[0] = {.owner = 0, .ref_count = 1, .logical = 0, .filled = 4, .allocated_step = 1};
  shot->blocks[2] = {.owner = 0, .ref_count = 1, .logical = 1, .filled = 1, .allocated_step = 5};
  shot->swap_blocks[3] = {
      .owner = 1, .ref_count = 1, .logical = 0, .filled = 4, .allocated_step = 5};
  shot->swap_blocks[1] = {
      .owner = 1, .ref_count = 1, .logical = 1, .filled = 2, .allocated_step = 5};
  shot->requests = {here, there};
  shot->plan.swap_out_moves = {{.from = 4, .to = 3}, {.from = 2, .to = 1}};
  shot->plan.copies = {{.from = 6, .to = 2}};
  return shot;
}

TraceEvent event_of(EventKind kind, uint32_t a, uint32_t b = 0, uint32_t d = 0) {
  TraceEvent event;
  event.kind = kind;
  event.a = a;
  event.b = b;
  event.d = d;
  return event;
}

std::shared_ptr<EngineSnapshot> table_of_a(const std::vector<int32_t>& blocks) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->phase = EnginePhase::kPaused;
  shot->block_size = 4;
  shot->step = 9;
  shot->blocks.resize(16);
  RequestView request;
  request.name = "A";
  request.state = RequestState::kRunning;
  request.own_table.blocks = blocks;
  for (size_t i = 0; i < blocks.size(); ++i)
    shot->blocks[static_cast<size_t>(blocks[i])] = {.owner = 0,
                                                    .ref_count = 1,
                                                    .logical = static_cast<int32_t>(i),
                                                    .filled = 4,
                                                    .allocated_step = 1};
  shot->requests = {request};
  return shot;
}

QImage exported(BlocksView& view) {
  QImage image(view.export_size(), QImage::Format_RGB32);
  QPainter painter(&image);
  view.paint_content(painter, QRectF(QPointF(0, 0), QSizeF(image.size())));
  return image;
}

std::vector<std::tuple<int, int64_t, int64_t>> sorted(const std::vector<BlockMoved>& moves) {
  std::vector<std::tuple<int, int64_t, int64_t>> all;
  for (const BlockMoved& move : moves)
    all.emplace_back(static_cast<int>(move.kind), move.from, move.to);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

class TestBlockPools : public QObject {
  Q_OBJECT
 private slots:
  void the_inspector_names_who_shares_a_block() {
    const auto shot = swapped_snapshot(EnginePhase::kPaused);
    const auto holders = [&](int64_t more) {
      shot->requests.resize(2);
      for (int64_t id = 2; id < 2 + more; ++id) {
        RequestView other = shot->requests[0];
        other.id = static_cast<uint32_t>(id);
        other.name = "R" + std::to_string(id);
        shot->requests.push_back(other);
      }
      shot->blocks[0].ref_count = static_cast<int32_t>(1 + more);
      InspectorInput input{.snapshot = shot.get(), .events = {}, .selection = {}};
      input.selection = {.kind = SelectionKind::kBlock, .block = 0};
      for (const InspectorItem& item : inspect(input).items)
        if (item.name == QStringLiteral("owner") || item.name == QStringLiteral("shared by"))
          return item.name + QStringLiteral(": ") + item.text;
      return QString();
    };
    QCOMPARE(holders(0), QStringLiteral("owner: Lily"));
    QCOMPARE(holders(2), QStringLiteral("shared by: Lily, R2, R3"));
    QCOMPARE(holders(5), QStringLiteral("shared by: Lily, R2, R3, R4 and 2 more"));
  }

  // The view is about as narrow as it is beside a lesson in the layout Teach.
  void short_tables_are_whole_in_a_narrow_view() {
    Theme::instance().set_projector(true);
    const auto restore = qScopeGuard([] { Theme::instance().set_projector(false); });
    const auto shot = table_of_a({0, 1, 4, 6}), longer = table_of_a({0, 1, 4, 6, 8, 9, 10});
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(368, 626);
    view.show_snapshot(shot);
    view.grab();  // lays the view out
    const TableLayout& tables = view.canvas().scene().tables;
    QVERIFY(tables.cell_rect(0, 3).right() <= tables.body().right());
    QCOMPARE(tables.shown_until(4), int64_t{4});
    view.show_snapshot(longer);
    const int64_t shown = tables.shown_until(7);
    QVERIFY(shown >= 2 && shown < 7);
    gui::test::TextRecorder recorder(view.canvas().size());
    QPainter painter(&recorder);
    BlockPainter().paint(painter, view.canvas().scene());
    painter.end();
    const auto texts = recorder.texts();
    QVERIFY(std::ranges::any_of(texts, [&](const gui::test::DrawnText& text) {
      return text.text == QStringLiteral("+%1").arg(7 - shown);
    }));
    TableLayout moved = tables;
    moved.reveal(0, 4);
    QVERIFY(moved.cell_rect(0, 4).right() <= moved.body().right() - moved.more + 1);
  }

  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_reduce_motion(false);
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  void arrows_are_the_moves_of_the_trace() {
    std::map<Kind, int> seen;
    for (const char* name : {"full-house-swap", "samples", "beam-search"}) {
      BlockRun run(name);
      Selection selection;
      BlocksView view({nullptr, &selection});
      view.resize(1100, 420);
      view.grab();
      while (run.step()) {
        const EngineSnapshot& shot = *run.shot();
        std::vector<BlockMoved> traced;
        for (size_t i = run.first_new(); i < run.events().size(); ++i) {
          const TraceEvent& event = run.events()[i];
          const auto move = move_of(shot, event);
          QCOMPARE(move.has_value(), event.kind == EventKind::kBlockCopied ||
                                         event.kind == EventKind::kBlockSwappedOut ||
                                         event.kind == EventKind::kBlockSwappedIn);
          if (move) traced.push_back(*move);
        }
        QCOMPARE(sorted(moves_of(shot)), sorted(traced));
        if (traced.empty()) continue;
        view.show_snapshot(run.shot());
        const BlocksScene& scene = view.canvas().scene();
        QCOMPARE(scene.arrows.size(), traced.size());
        for (const MoveArrow& arrow : scene.arrows) {
          ++seen[arrow.move.kind];
          QCOMPARE(arrow.reach, 1.0);
          QCOMPARE(arrow.strength, 1.0);
          const QLineF line = line_of(scene, arrow.move);
          QCOMPARE(view.canvas().block_at(line.p1()), arrow.move.from);
          QCOMPARE(view.canvas().block_at(line.p2()), arrow.move.to);
        }
      }
    }
    QVERIFY(seen[Kind::kCopy] >= 6);
    QVERIFY(seen[Kind::kSwapOut] >= 10);
    QCOMPARE(seen[Kind::kSwapIn], seen[Kind::kSwapOut]);
  }

  void host_blocks_are_those_of_the_swap_tables() {
    BlockRun run("full-house-swap");
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(1100, 420);
    view.grab();
    int checked = 0;
    while (run.step()) {
      const EngineSnapshot& shot = *run.shot();
      std::set<int32_t> owned;
      for (const RequestView& request : shot.requests) {
        const auto& [blocks, swap_blocks] = request.own_table;
        QVERIFY(blocks.empty() || swap_blocks.empty());
        for (size_t j = 0; j < swap_blocks.size(); ++j) {
          const int32_t block = swap_blocks[j];
          const BlockView& host = shot.swap_blocks[static_cast<size_t>(block)];
          QCOMPARE(host.owner, static_cast<int32_t>(request.id));
          QCOMPARE(host.logical, static_cast<int32_t>(j));
          QVERIFY(owned.insert(block).second);
          QCOMPARE(table_place(shot, request, TableKind::kOwn, static_cast<int64_t>(j)),
                   host_place(shot, block));
        }
      }
      for (size_t i = 0; i < shot.swap_blocks.size(); ++i)
        QCOMPARE(shot.swap_blocks[i].ref_count > 0, owned.contains(static_cast<int32_t>(i)));
      QCOMPARE(figures_of(shot).host_used, static_cast<int64_t>(owned.size()));
      if (owned.empty() || ++checked > 4) continue;
      view.show_snapshot(run.shot());
      const BlocksScene& scene = view.canvas().scene();
      for (size_t row = 0; row < scene.order.size(); ++row) {
        const RequestView& request = request_of(shot, scene.order[row]);
        for (size_t j = 0; j < table_of(shot, scene.order[row]).size(); ++j) {
          const QPointF at =
              scene.tables.cell_rect(static_cast<int64_t>(row), static_cast<int64_t>(j)).center();
          if (!scene.tables.body().contains(at)) continue;
          QCOMPARE(view.canvas().block_at(at),
                   table_place(shot, request, TableKind::kOwn, static_cast<int64_t>(j)));
        }
      }
      QVERIFY(pool_title(shot, true, false).contains(QString::number(owned.size())));
    }
    QVERIFY(checked > 4);
  }

  void host_grid_is_pointed_at_and_reached_by_keys() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 300);
    view.grab();
    view.show_snapshot(swapped_snapshot(EnginePhase::kPaused));
    BlocksCanvas& canvas = view.canvas();
    const BlocksScene& scene = canvas.scene();
    QVERIFY(!scene.host.area().intersects(scene.grid.area()));
    for (int block = 0; block < 6; ++block) {
      const QRectF cell = scene.host.rect_of(block);
      QVERIFY(scene.bounds.contains(cell));
      QVERIFY(!cell.intersects(scene.tables.area));
      QCOMPARE(canvas.block_at(cell.center()), int64_t{8 + block});
    }
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, scene.host.rect_of(3).center().toPoint());
    const SelectionState expected{
        .kind = SelectionKind::kBlock, .request = 1, .block = 3, .in_host_pool = true};
    QVERIFY(selection.state() == expected);
    QCOMPARE(canvas.highlight().primary, int64_t{11});
    QCOMPARE(canvas.highlight().request, int64_t{1});
    QVERIFY(canvas.accessibleDescription().startsWith(QStringLiteral("Host block 3, Tom")));
    const QString tip = canvas.tooltip_at(scene.host.rect_of(3).center());
    for (const char* part : {"Host block 3", "Tom", "4 of 4", "moved here from block 4"})
      QVERIFY2(tip.contains(QLatin1String(part)), part);
    QVERIFY(canvas.tooltip_at(scene.grid.rect_of(2).center())
                .contains(QStringLiteral("copied from block 6")));
    selection.select({.kind = SelectionKind::kToken, .request = 1, .query = 5});
    QCOMPARE(canvas.highlight().blocks, std::vector<int32_t>{8 + 1});
    canvas.select_block(7);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), int64_t{8});
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.cursor(), int64_t{7});
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.cursor(), int64_t{8});
    QTest::keyClick(&canvas, Qt::Key_Return);
    QVERIFY(selection.state().in_host_pool);
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(!scene.host.is_fit());
    QVERIFY(scene.grid.is_fit());
  }

  void host_cells_are_dotted() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 300);
    view.grab();
    auto shot = swapped_snapshot(EnginePhase::kPaused);
    shot->plan = {};
    view.show_snapshot(shot);
    const BlocksScene& scene = view.canvas().scene();
    const QImage picture = view.canvas().grab().toImage();
    const auto drawn = [&](const QRectF& cell) {
      const QRect body = snapped(cell, 2).toRect();
      const QColor surface = Theme::instance().colors().surface;
      int count = 0;
      for (int x = body.left() + 2; x < body.right() - 2; ++x)
        count += picture.pixelColor(x, body.top()) != surface;
      return 100 * count / (body.width() - 4);
    };
    QVERIFY(drawn(scene.grid.rect_of(5)) > 95);
    const int dotted = drawn(scene.host.rect_of(0));
    QVERIFY2(dotted > 20 && dotted < 80, qPrintable(QString::number(dotted)));
  }

  void arrows_grow_fade_and_stand_still() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 300);
    view.grab();
    view.show();
    auto before = swapped_snapshot(EnginePhase::kRunning);
    before->step = 4;
    view.show_snapshot(before);
    QVERIFY(view.canvas().scene().arrows.empty());
    view.show_snapshot(swapped_snapshot(EnginePhase::kRunning));
    QCOMPARE(view.canvas().scene().arrows.size(), size_t{3});
    QVERIFY(view.canvas().scene().arrows.front().reach < 1);
    const QImage file = exported(view);
    QTRY_VERIFY(view.canvas().scene().arrows.empty());
    QCOMPARE(exported(view), file);
    view.show_snapshot(swapped_snapshot(EnginePhase::kPaused));
    QCOMPARE(view.canvas().scene().arrows.size(), size_t{3});
    const QImage with = view.canvas().grab().toImage();
    auto next = swapped_snapshot(EnginePhase::kPaused);
    next->plan = {};
    view.show_snapshot(next);
    QVERIFY(view.canvas().scene().arrows.empty());
    QVERIFY(view.canvas().grab().toImage() != with);
    Theme::instance().set_reduce_motion(true);
    view.show_snapshot(before);
    view.show_snapshot(swapped_snapshot(EnginePhase::kRunning));
    QCOMPARE(view.canvas().scene().arrows.size(), size_t{3});
    for (const MoveArrow& arrow : view.canvas().scene().arrows)
      QVERIFY(arrow.reach == 1 && arrow.strength == 1);
  }

  void arrows_of_the_trace_while_it_runs() {
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.resize(900, 300);
    view.grab();
    view.show();
    auto shot = swapped_snapshot(EnginePhase::kRunning);
    shot->plan = {};
    view.show_snapshot(shot);
    std::vector<TraceEvent> events(3);
    events[1].kind = EventKind::kBlockCopied;
    events[1].a = 5;
    events[1].d = 1;
    events[2].kind = EventKind::kBlockSwappedIn;
    events[2].a = 6;
    events[2].d = 2;
    BlocksCanvas& canvas = view.canvas();
    canvas.set_events(&events);
    canvas.take_events(0, 3);
    QCOMPARE(canvas.scene().arrows.size(), size_t{2});
    QVERIFY((canvas.scene().arrows[0].move == BlockMoved{Kind::kCopy, 1, 5}));
    QVERIFY((canvas.scene().arrows[1].move == BlockMoved{Kind::kSwapIn, 8 + 2, 6}));
    canvas.take_events(0, 3);
    QCOMPARE(canvas.scene().arrows.size(), size_t{2});
    MoveArrows many;
    for (int64_t i = 0; i < static_cast<int64_t>(MoveArrows::kMost); ++i)
      many.add({Kind::kCopy, i, i + 1}, 0);
    QCOMPARE(many.all().size(), MoveArrows::kMost);
    for (int64_t i = 0; i < 10; ++i) many.add({Kind::kSwapOut, i, i + 1}, 0);
    QVERIFY(many.all().empty());
    many.advance(MoveArrows::kGrow_ms + MoveArrows::kFade_ms);
    QVERIFY(many.empty());
  }

  void figures_of_waste_and_sharing() {
    auto shot = swapped_snapshot(EnginePhase::kPaused);
    shot->blocks[0].ref_count = 3;
    shot->blocks[5] = {.owner = -1, .ref_count = 0, .logical = 1, .filled = 4, .hashed = true};
    shot->has_null_block = true;
    const BlockFigures f = figures_of(*shot);
    QCOMPARE(f.used, int64_t{2});
    QCOMPARE(f.usable, int64_t{8 - 1});
    QCOMPARE(f.free, int64_t{8 - 2 - 1});
    QCOMPARE(f.cached, int64_t{1});
    QCOMPARE(f.wasted_slots(), int64_t{3});
    QCOMPARE(f.wasted_bytes(), int64_t{3 * 1024 / 4});
    QCOMPARE(f.saved_blocks(), int64_t{4 - 2});
    QCOMPARE(f.host_total, int64_t{6});
    QCOMPARE(f.host_used, int64_t{2});
    QCOMPARE(f.holders, int64_t{1});
    QCOMPARE(f.contiguous_blocks, int64_t{8});
    auto encoder = std::make_shared<EngineSnapshot>(*shot);
    for (RequestView& request : encoder->requests)
      if (request.on_device()) request.cross_table.blocks.assign(63, 0);
    QCOMPARE(figures_of(*encoder).contiguous_blocks, int64_t{8 + 63});
    for (RequestView& request : encoder->requests) request.own_table.blocks.clear();
    QCOMPARE(figures_of(*encoder).contiguous_blocks, int64_t{63});
    const QString text = figures_explanation(f);
    for (const char* part : {"768 B", "4 - 2 = 2 blocks", "2 of 6", "30 tokens", "8 blocks instead",
                             "2 of 7; 5 are free", "2 KiB of 7 KiB", "Null block"})
      QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QVERIFY(figures_text(f, false).contains(QStringLiteral("sharing saves 2 blocks")));
    QVERIFY(figures_text(f, false).startsWith(QStringLiteral("2 of 7 blocks used, ")));
    QVERIFY(figures_text(f, true).startsWith(QStringLiteral("2 of 7 used")));
    shot->has_null_block = false;
    QVERIFY(figures_text(figures_of(*shot), false).startsWith(QStringLiteral("2 of 8 blocks")));
    QVERIFY(!figures_explanation(figures_of(*shot)).contains(QStringLiteral("Null block")));
  }

  void figures_are_the_engines() {
    for (const char* name : {"shared-prompt", "full-house-swap", "sliding-window"}) {
      BlockRun run(name);
      while (run.step()) {
        const BlockFigures f = figures_of(*run.shot());
        const StepRecord& step = run.engine().steps().back();
        QCOMPARE(f.used, step.used_blocks);
        QCOMPARE(used_blocks(*run.shot()), step.used_blocks);
        QCOMPARE(f.wasted_slots(), step.wasted_slots);
        QCOMPARE(f.saved_blocks(), step.saved_blocks);
        QCOMPARE(f.cached, step.cached_blocks);
        QCOMPARE(f.host_used, step.swap_blocks_used);
        QCOMPARE(f.free, run.shot()->free_blocks);
        QCOMPARE(f.usable, usable_blocks(*run.shot()));
      }
    }
  }

  void colours_by_hash_state() {
    BlockView block{.owner = 0, .ref_count = 1, .logical = 0, .filled = 3};
    QCOMPARE(hash_state_of(block, 4), HashState::kPartial);
    block.filled = 4;
    QCOMPARE(hash_state_of(block, 4), HashState::kFull);
    block.hashed = true;
    QCOMPARE(hash_state_of(block, 4), HashState::kHashed);
    auto shot = swapped_snapshot(EnginePhase::kPaused);
    const BlockColoring coloring = BlockColoring::make(BlockColorBy::kHashState, *shot);
    QCOMPARE(coloring.color(block, 5), coloring.color_of_state(HashState::kHashed));
    QVERIFY(coloring.color(shot->blocks[0], 5) != coloring.color(shot->blocks[2], 5));
    const auto grey = [&](HashState state) { return qGray(coloring.color_of_state(state).rgb()); };
    QVERIFY(grey(HashState::kFull) - grey(HashState::kPartial) > 30);
    QVERIFY(grey(HashState::kHashed) - grey(HashState::kFull) > 30);
  }

  void readers_are_the_last_tiles() {
    BlockRun run("shared-prompt");
    ReaderLog log;
    std::map<int32_t, std::pair<uint64_t, std::set<uint8_t>>>
        expected;  // end time, and the lanes whose tiles ended then
    std::map<uint32_t, std::vector<int32_t>> tables;
    int compared = 0;
    while (run.step()) {
      const EngineSnapshot& shot = *run.shot();
      QVERIFY(log.read(run.events(), shot.block_size, shot.rules.get(), ~uint64_t{0}, SIZE_MAX));
      for (const RequestView& request : shot.requests)
        if (request.on_device()) tables[request.id] = request.own_table.blocks;
      for (size_t i = run.first_new(); i < run.events().size(); ++i) {
        const TraceEvent& event = run.events()[i];
        if (event.kind != EventKind::kTile) continue;
        const TileEvent tile = unpack_tile(event);
        const std::vector<int32_t>& table = tables[tile.request];
        for (int64_t j = tile.k_begin / shot.block_size;
             j * shot.block_size < tile.k_begin + tile.k_count; ++j) {
          if (j >= static_cast<int64_t>(table.size())) continue;
          auto& [end, lanes] = expected[table[static_cast<size_t>(j)]];
          const uint64_t ended = event.begin_ns + event.duration_ns;
          if (ended > end) lanes.clear();
          if (ended >= end) lanes.insert(event.lane);
          end = std::max(end, ended);
        }
      }
      for (const RequestView& request : shot.requests)
        for (const int32_t block : request.own_table.blocks) {
          if (shot.blocks[static_cast<size_t>(block)].last_read_step != shot.step) continue;
          const BlockReader reader = log.of(block);
          QVERIFY(reader.is_known());
          QCOMPARE(reader.end_ns, expected[block].first);
          QVERIFY(expected[block].second.contains(reader.lane));
          ++compared;
        }
    }
    QVERIFY(compared > 300);
    QCOMPARE(log.num_workers(), 2);
    ReaderLog past;
    past.read(run.events(), run.shot()->block_size, run.shot()->rules.get(),
              run.engine().steps().front().end_ns, SIZE_MAX);
    const uint64_t limit = run.engine().steps().front().end_ns;
    for (int64_t block = 0; block < 48; ++block) QVERIFY(past.of(block).end_ns <= limit);
    ReaderLog pieces;
    while (!pieces.read(run.events(), run.shot()->block_size, run.shot()->rules.get(), ~uint64_t{0},
                        5000)) {
    }
    for (int64_t block = 0; block < 48; ++block)
      QCOMPARE(pieces.of(block).end_ns, log.of(block).end_ns);
  }

  void count_does_not_cover_the_number() {
    for (const int side : {20, 22, 26, 34, 48}) {
      const auto picture = [side](int64_t number, int32_t tables) {
        QImage image(side + 4, side + 4, QImage::Format_RGB32);
        image.fill(Theme::instance().colors().surface);
        QPainter painter(&image);
        painter.setFont(Theme::instance().mono(TextRole::kSmall));
        BlockCellStyle style;
        style.block = number;
        style.numbered = true;
        style.block_size = 8;
        style.color = style.edge = Theme::instance().category(1);
        style.fill = style.color;
        const BlockView view{.owner = 1, .ref_count = tables, .logical = 0, .filled = 8};
        paint_block_cell(painter, QRectF(2, 2, side, side), view, style);
        return image;
      };
      const auto differing = [](const QImage& a, const QImage& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
          for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
        return count;
      };
      const int alone = differing(picture(3, 1), picture(8, 1));
      const int shared = differing(picture(3, 2), picture(8, 2));
      QVERIFY2(alone > 5 && shared >= alone * 7 / 10,
               qPrintable(QStringLiteral("%1: %2 of %3").arg(side).arg(shared).arg(alone)));
      const int counts = differing(picture(3, 2), picture(3, 4));
      QVERIFY2(side < 34 || counts > 5, qPrintable(QStringLiteral("%1: %2").arg(side).arg(counts)));
    }
  }

  void pool_image_is_brought_up_to_date() {
    std::vector<BlockView> pool(4096);
    auto shot = std::make_shared<EngineSnapshot>();
    shot->block_size = 16;
    const BlockColoring owner = BlockColoring::make(BlockColorBy::kOwner, *shot);
    PoolImage image;
    image.update(pool, 0, 64, owner, 1, 1);
    QCOMPARE(image.num_painted(), int64_t{4096});
    for (size_t i = 0; i < pool.size(); i += 100)
      pool[i] = {.owner = static_cast<int32_t>(i / 100 % 7), .ref_count = 1, .filled = 16};
    pool[7].hashed = true;
    image.update(pool, 0, 64, owner, 2, 1);
    QCOMPARE(image.num_painted(), int64_t{41 + 1});
    PoolImage anew;
    anew.update(pool, 0, 64, owner, 2, 1);
    QCOMPARE(image.image(), anew.image());
    image.update(pool, 0, 64, BlockColoring::make(BlockColorBy::kAge, *shot), 3, 1);
    QCOMPARE(image.num_painted(), int64_t{4096});
    image.update(pool, 0, 64, owner, 3, 2);  // of another run
    QCOMPARE(image.image(), anew.image());
    Theme::instance().set_mode(ThemeMode::kLight);
    image.update(pool, 0, 64, owner, 3, 2);
    QVERIFY(image.image() != anew.image());
  }

  // Tables with more columns than fit are scrolled; the numbers above the columns are not cut.
  void numbers_of_columns_are_whole_with_large_text() {
    auto shot = swapped_snapshot(EnginePhase::kFinished);
    shot->blocks.resize(64);
    std::vector<int32_t>& table = shot->requests[0].own_table.blocks;
    table.resize(24);
    std::iota(table.begin(), table.end(), 0);
    Theme::instance().set_text_percent(150);
    Selection selection;
    BlocksView view({nullptr, &selection});
    view.show_snapshot(shot);
    view.show();
    int64_t numbers = 0;
    for (int width = 500; width < 560; width += 6) {
      view.resize(width, 300);
      BlocksCanvas& canvas = view.canvas();
      canvas.resize(width, 250);
      TextRecorder recorder(canvas.size());
      canvas.render(&recorder);
      const TableLayout& tables = canvas.scene().tables;
      QVERIFY(tables.max_scroll_x() > 0);
      const QRectF header(tables.body().left(), tables.area.top(), tables.body().width(),
                          tables.header);
      for (const DrawnText& text : recorder.texts()) {
        if (!header.intersects(text.ink)) continue;
        ++numbers;
        QVERIFY2(text.ink.width() - text.visible.width() < 1, qPrintable(text.text));
      }
    }
    Theme::instance().set_text_percent(100);
    QVERIFY(numbers > 0);
  }

  void a_free_block_says_what_it_was() {
    using enum EventKind;
    const auto shot = swapped_snapshot(EnginePhase::kPaused);
    const std::vector<TraceEvent> events{event_of(kBlockAllocated, 5, 1),
                                         event_of(kStep, 1),
                                         event_of(kBlockSwappedOut, 5, 1, 2),
                                         event_of(kBlockFreed, 5, 1),
                                         event_of(kStep, 2),
                                         event_of(kBlockSwappedIn, 6, 1, 2),
                                         event_of(kBlockAllocated, 5, 0),
                                         event_of(kStep, 3),
                                         event_of(kBlockFreed, 5, 0),
                                         event_of(kStep, 4)};
    const auto says = [&](size_t count, int64_t block, bool on_host, const QString& words) {
      const QString text = inspect({.snapshot = shot.get(),
                                    .events = std::span(events).first(count),
                                    .selection = {.kind = SelectionKind::kBlock,
                                                  .block = block,
                                                  .in_host_pool = on_host}})
                               .to_text();
      if (!text.contains(words)) qWarning("%s", qPrintable(text));
      return text.contains(words);
    };
    QVERIFY(says(10, 5, false, QStringLiteral("2 times\nlast owner: Lily\nfreed: step 4")));
    QVERIFY(says(5, 5, false, QStringLiteral("once\nlast owner: Tom\nfreed: step 2")));
    QVERIFY(says(10, 2, true, QStringLiteral("once\nlast owner: Tom\nfreed: step 3")));
    QVERIFY(says(10, 7, false, QStringLiteral("taken so far: never\nNo request")));
  }

  void a_preemption_says_why_it_could_not_swap() {
    using enum EventKind;
    const auto shot = swapped_snapshot(EnginePhase::kPaused);
    Scenario scenario;
    scenario.engine.preemption = PreemptionMode::kSwap;
    shot->scenario = std::make_shared<const Scenario>(scenario);
    shot->backend_name = "PALLAS";
    std::vector<TraceEvent> events;
    for (uint32_t i = 0; i < 5; ++i) events.push_back(event_of(kBlockSwappedOut, i, 1, i));
    for (uint32_t i = 0; i < 2; ++i) events.push_back(event_of(kBlockFreed, i, 0));
    events.push_back(event_of(kRequestPreempted, 0, 5));
    const auto text = [&] {
      return inspect({.snapshot = shot.get(),
                      .events = events,
                      .selection = {.kind = SelectionKind::kSpan,
                                    .event = static_cast<int64_t>(events.size()) - 1}})
          .to_text();
    };
    QVERIFY2(text().contains(QStringLiteral(
                 "it held 2 blocks, and 1 of the 6 blocks of the swap pool were free.")),
             qPrintable(text()));
    shot->swap_blocks.clear();
    QVERIFY2(text().contains(QStringLiteral("the backend PALLAS cannot swap.")),
             qPrintable(text()));
  }
};

ATTN_QT_TEST(test_block_pools, attn::gui::test::run<TestBlockPools>)
#include "test_block_pools.moc"
