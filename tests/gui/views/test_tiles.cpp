// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles view.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>

#include "backends/register_all.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"
#include "tests/support/shipped_scenario.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

TraceEvent tile_event(const TileEvent& tile, uint8_t lane, uint64_t begin, uint64_t duration) {
  TraceEvent event;
  pack(tile, event);
  event.begin_ns = begin;
  event.duration_ns = duration;
  event.lane = lane;
  event.layer = 1;
  return event;
}

TileMark mark(uint32_t q, uint32_t rows, uint32_t k, uint32_t keys) {
  return {TileEvent{0, q, k, rows, keys, 0, KernelId::kFlashPrefill}, 1, 0, 1, 0};
}

struct TilesBench {
  explicit TilesBench(const Scenario& scenario, bool paused = false) {
    follow_runs(bridge, selection);
    view = std::make_unique<TilesView>(ViewContext{&bridge, &selection});
    view->resize(1000, 600);
    view->show();
    bridge.start(scenario, paused);
  }
  const AttentionRecord& record() const { return *bridge.snapshot()->requests.front().attention; }
  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<TilesView> view;
};

}  // namespace

class TestTiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void a_half_done_row_says_why_it_has_no_numbers() {
    TilesScene scene;
    scene.row = 0;
    scene.softmax.lines.emplace_back();
    const QString text = softmax_sentence(scene);
    QVERIFY2(text.contains(QStringLiteral("not computed to its end")) &&
                 text.contains(QStringLiteral("did not report it")) &&
                 text.contains(QStringLiteral("layer and head that are shown then")),
             qPrintable(text));
  }
  void cleanup() { Theme::instance().set_mode(ThemeMode::kDark); }

  void history_sorts_and_finds() {
    std::vector<TraceEvent> events;
    events.push_back(tile_event({7, 0, 0, 4, 8, 2, KernelId::kFlashPrefill}, 1, 100, 50));
    events.push_back(tile_event({7, 4, 0, 4, 8, 2, KernelId::kFlashPrefill}, 2, 90, 20));
    events.push_back(tile_event({7, 0, 0, 4, 8, 3, KernelId::kFlashPrefill}, 1, 10, 20));
    // Heads that are computed together share one tile event.
    TileEvent group{7, 9, 0, 1, 8, 4, KernelId::kUnifiedDecode};
    group.heads = 3;
    events.push_back(tile_event(group, 1, 200, 10));
    TraceEvent fetch;
    fetch.kind = EventKind::kPageFetch;
    fetch.layer = 1;
    fetch.a = 7u | static_cast<uint32_t>(KernelId::kPallasPagedDecode) << 24;
    fetch.b = 16;
    fetch.c = 4;
    fetch.d = 1;
    events.push_back(fetch);
    TraceEvent split;
    split.kind = EventKind::kCallSplit;
    split.a = static_cast<uint32_t>(KernelId::kPallasPagedDecode);
    split.b = 1;
    split.c = 3;
    split.d = 12;
    events.push_back(split);
    TileHistory history;
    history.append(events, 0);
    const std::vector<TileMark> tiles = history.tiles(7, 1, 2);
    QCOMPARE(tiles.size(), size_t{2});
    QCOMPARE(tiles[0].event, int64_t{1});
    QCOMPARE(tiles[0].worker(), 1);
    QCOMPARE(tiles[1].event, int64_t{0});
    QCOMPARE(history.count(7, 1, 3), size_t{1});
    QCOMPARE(history.count(7, 0, 3), size_t{0});
    for (const int64_t head : {4, 5, 6}) QCOMPARE(history.count(7, 1, head), size_t{1});
    QCOMPARE(history.count(7, 1, 7), size_t{0});
    QCOMPARE(history.tiles(7, 1, 5)[0].tile.k_count, 8u);
    QCOMPARE(history.fetches(7, 1, 1).size(), size_t{1});
    QCOMPARE(history.fetches(7, 1, 1)[0].first_page, int64_t{16});
    QCOMPARE(history.splits()[0].calls, 3u);
    history.clear();
    QVERIFY(history.tiles(7, 1, 2).empty());
  }

  // On the virtual clock tiles of two workers often end at the same time.
  void equal_ends_have_one_order() {
    const TraceEvent early =
        tile_event({7, 384, 0, 128, 8, 2, KernelId::kPallasFlash}, 1, 100, 260);
    const TraceEvent late = tile_event({7, 512, 0, 88, 8, 2, KernelId::kPallasFlash}, 2, 240, 120);
    const TraceEvent third = tile_event({7, 640, 0, 88, 8, 2, KernelId::kPallasFlash}, 1, 240, 120);
    std::string expected;
    std::vector<TraceEvent> events{early, third, late};
    for (int rotation = 0; rotation < 3; ++rotation) {
      TileHistory history;
      history.append(events, 0);
      const std::string csv = tiles_csv(history.tiles(7, 1, 2));
      if (expected.empty()) expected = csv;
      QCOMPARE(csv, expected);
      std::rotate(events.begin(), events.begin() + 1, events.end());
    }
    TileHistory history;
    history.append({late, third, early}, 0);
    QCOMPARE(tiles_csv(history.tiles(7, 1, 2)), expected);
  }

  void skipped_is_what_no_tile_covers() {
    TilesScene scene;
    scene.tiles = {mark(0, 4, 0, 4), mark(4, 4, 0, 4), mark(4, 4, 8, 4), mark(12, 1, 0, 13)};
    scene.rows = scene.keys = scene.seq_len = 13;
    scene.prompt_len = 12;
    scene.row_done.assign(13, true);
    scene.shown = 4;
    using Ranges = std::vector<std::pair<int64_t, int64_t>>;
    QCOMPARE(skipped_keys(scene, scene.tiles[0].tile), (Ranges{{4, 12}}));
    QCOMPARE(skipped_keys(scene, scene.tiles[1].tile), (Ranges{{4, 8}}));
    QCOMPARE(skipped_keys(scene, scene.tiles[3].tile), Ranges{});
    scene.shown = 2;
    QCOMPARE(skipped_keys(scene, scene.tiles[1].tile), Ranges{});
    scene.shown = 4;
    scene.row_done[5] = false;
    QCOMPARE(skipped_keys(scene, scene.tiles[1].tile), Ranges{});
  }

  void visible_pairs_are_without_cut_edges() {
    TilesScene scene;
    scene.seq_len = scene.rows = scene.keys = 4;
    const TileEvent tile = mark(0, 4, 0, 4).tile;
    QCOMPARE(seen_pairs(scene, tile), int64_t{10});
    scene.rule.cuts.push_back({.head = 0, .query = 2, .key = 1});
    QCOMPARE(seen_pairs(scene, tile), int64_t{9});
    scene.head = 1;  // the cut is of another head
    QCOMPARE(seen_pairs(scene, tile), int64_t{10});
  }

  void shows_the_tiles_of_the_run() {
    TilesBench bench(synthetic_scenario(600, 4));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    bench.view->refresh();
    const TilesScene& scene = bench.view->scene();
    size_t expected = 0;
    for (const TraceEvent& event : bench.bridge.events())
      if (event.kind == EventKind::kTile && event.layer == 0 && unpack_tile(event).head == 0)
        ++expected;
    QCOMPARE(scene.tiles.size(), expected);
    QVERIFY(expected > 6);
    QCOMPARE(scene.shown, expected);
    for (const TileMark& tile : scene.tiles) {
      const TraceEvent& event = bench.bridge.events()[static_cast<size_t>(tile.event)];
      QCOMPARE(tile.begin_ns, event.begin_ns);
      QCOMPARE(tile.tile.k_begin, unpack_tile(event).k_begin);
    }
    QVERIFY(!skipped_keys(scene, scene.tiles.front().tile).empty() ||
            scene.tiles.front().tile.q_begin > 255);
    QVERIFY(bench.view->canvas().accessibleDescription().contains(QStringLiteral("tile")));
  }

  void softmax_ends_in_the_log_sum_exp() {
    TilesBench bench(synthetic_scenario(600, 3));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    for (const int64_t row : {0, 17, 255, 256, 400, 599}) {
      bench.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = row});
      bench.view->refresh();
      const TilesScene& scene = bench.view->scene();
      QCOMPARE(scene.row, row);
      QCOMPARE(scene.softmax.origin, RowSoftmax::Origin::kKernel);
      QVERIFY(scene.lse_known);
      QVERIFY(same_bits(scene.lse, bench.record().lse(0, 0, row)));
      const float end = scene.softmax.lines.back().max + std::log(scene.softmax.lines.back().sum);
      QVERIFY2(same_bits(end, scene.lse), qPrintable(QString::number(row)));
      for (size_t i = 1; i < scene.softmax.lines.size(); ++i) {
        const SoftmaxLine &before = scene.softmax.lines[i - 1], &now = scene.softmax.lines[i];
        QVERIFY(same_bits(now.rescale, std::exp(before.max - now.max)));
      }
    }
  }

  void a_row_computed_twice_has_the_states_of_then() {
    TileMark tile;
    tile.tile.q_count = 4;
    tile.tile.k_count = 4;
    const std::vector<TileMark> tiles{tile, tile};
    RowStateEvent first, second;
    first.query = second.query = 2;
    first.k_count = second.k_count = 4;
    first.layer = second.layer = 0;
    first.max = 1, first.sum = 2;
    second.max = 3, second.sum = 4;
    const auto max_at = [&](size_t shown, const std::vector<RowStateEvent>& states) {
      const RowSoftmax row = row_softmax(tiles, shown, 2, states, nullptr, 0, 0);
      return row.origin == RowSoftmax::Origin::kKernel ? row.max : -1;
    };
    QCOMPARE(max_at(1, {first, second}), 1.0f);
    QCOMPARE(max_at(2, {first, second}), 3.0f);
    QCOMPARE(max_at(1, {second}), 3.0f);
    QCOMPARE(max_at(1, {}), -1.0f);
  }

  void decoded_rows_merge_their_partitions() {
    TilesBench bench(synthetic_scenario(600, 3));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    bench.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 601});
    bench.view->refresh();
    const RowSoftmax& row = bench.view->scene().softmax;
    QCOMPARE(row.lines.size(), size_t{3});
    const QString sentence = softmax_sentence(bench.view->scene());
    QVERIFY2(sentence.contains(QStringLiteral("3 tiles of 2 partitions merged")),
             qPrintable(sentence));
    QVERIFY(std::abs(row.max + std::log(row.sum) - bench.record().lse(0, 0, 601)) < 1e-5f);
  }

  void the_tour_says_how_the_softmax_of_a_row_goes() {
    TilesBench bench(synthetic_scenario(600, 3));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    const auto words_at = [&](int64_t head, int64_t row) {
      bench.selection.show(0, 0, head);
      bench.selection.select(
          {.kind = SelectionKind::kToken, .request = 0, .layer = 0, .head = head, .query = row});
      bench.view->refresh();
      const Tour tour = bench.view->tour();
      for (const TourStop& stop : tour.stops())
        if (stop.title == QStringLiteral("The running softmax")) return stop.text;
      return QString();
    };
    const auto says = [](const QString& text, const char* words) {
      return text.contains(QString::fromUtf8(words));
    };
    const auto shown = [](float value) { return format_number(static_cast<double>(value)); };
    const QString one = words_at(0, 400);
    const RowSoftmax running = bench.view->scene().softmax;
    QCOMPARE(running.merged, int64_t{1});
    QVERIFY2(says(one, "so far") && one.contains(shown(running.lines.back().max)) &&
                 one.contains(shown(running.lines.back().sum)),
             qPrintable(one));
    QVERIFY2(!says(one, "One tile has all keys") && !says(one, "parts"), qPrintable(one));
    QVERIFY(says(words_at(0, 17), "One tile has all keys"));

    const QString cut = words_at(0, 601);
    const RowSoftmax parts = bench.view->scene().softmax;
    QCOMPARE(parts.merged, int64_t{3});
    QVERIFY2(says(cut, "cut into parts; the table has 3") && !says(cut, "so far"), qPrintable(cut));
    QVERIFY2(cut.contains(shown(parts.max)) && cut.contains(shown(parts.sum)), qPrintable(cut));
    for (const SoftmaxLine& line : parts.lines) QVERIFY(line.anew && line.max <= parts.max);

    const QString unwatched = words_at(3, 400);
    QVERIFY2(says(unwatched, "so far") && says(unwatched, "Recomputed"), qPrintable(unwatched));
  }

  void a_view_with_one_key_tile_in_each_row_says_so() {
    const auto says = [](const Scenario& scenario) {
      TilesBench bench(scenario);
      if (!wait_until_phase(bench.bridge, EnginePhase::kFinished)) return QString();
      bench.view->refresh();
      TextRecorder recorder(QSize(1280, 640));
      QPainter painter(&recorder);
      bench.view->paint_content(painter, recorder.bounds());
      painter.end();
      QString texts;
      for (const DrawnText& text : recorder.texts()) texts += text.text + QLatin1Char(' ');
      return texts.simplified();
    };
    const QString sign = QStringLiteral("one key tile");
    const QString shorter = says(synthetic_scenario(40, 4));
    QVERIFY2(shorter.contains(sign) && shorter.contains(QStringLiteral("Long prompt")),
             qPrintable(shorter));
    const QString longer = says(synthetic_scenario(600, 3));
    QVERIFY2(longer.contains(QStringLiteral("rescale")) && !longer.contains(sign),
             qPrintable(longer));
    // The scenarios that the line names have rows with several tiles.
    for (const char* name : {"long-prompt", "pallas-pages"}) {
      Scenario named = attn::test::shipped_virtual(name);
      QVERIFY(one_tile_text().contains(QString::fromStdString(named.title)));
      QVERIFY2(!says(named).contains(sign), name);
    }
  }

  void an_unwatched_head_is_recomputed() {
    TilesBench bench(synthetic_scenario(300, 2));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    bench.selection.show(0, 1, 3);
    for (const int64_t row : {0, 100, 299}) {
      bench.selection.select(
          {.kind = SelectionKind::kToken, .request = 0, .layer = 1, .head = 3, .query = row});
      bench.view->refresh();
      const TilesScene& scene = bench.view->scene();
      QCOMPARE(scene.softmax.origin, RowSoftmax::Origin::kRecomputed);
      QVERIFY(std::abs(scene.softmax.max + std::log(scene.softmax.sum) - scene.lse) < 1e-5f);
      QVERIFY(softmax_sentence(scene).contains(QStringLiteral("Recomputed")));
    }
  }

  void follows_the_run_tile_by_tile() {
    Scenario scenario = synthetic_scenario(300, 2);
    scenario.source.synthetic->num_heads = scenario.source.synthetic->num_kv_heads = 1;
    scenario.source.synthetic->num_layers = 1;
    TilesBench bench(scenario, true);
    QVERIFY(wait_until_stands(bench.bridge));
    QCOMPARE(bench.view->scene().tiles.size(), size_t{0});
    for (size_t step = 1; step <= 4; ++step) {
      bench.bridge.step(Granularity::kTile);
      QVERIFY(wait_until_stands(bench.bridge));
      bench.view->refresh();
      const TilesScene& scene = bench.view->scene();
      QCOMPARE(scene.tiles.size(), step);
      QCOMPARE(scene.shown, step);
      QVERIFY(bench.view->is_live());
      QCOMPARE(scene.softmax.origin, RowSoftmax::Origin::kKernel);
      QCOMPARE(scene.softmax.lines.back().tile, step - 1);
    }
  }

  void keys_and_slider_go_through_history() {
    TilesBench bench(synthetic_scenario(300, 3));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    TilesView& view = *bench.view;
    view.refresh();
    const size_t all = view.scene().tiles.size();
    QVERIFY(all > 4);
    QTest::keyClick(&view.canvas(), Qt::Key_Left);
    QCOMPARE(view.scene().shown, all - 1);
    QVERIFY(!view.is_live());
    QVERIFY(!view.live_button()->isChecked());
    view.slider()->setValue(2);
    QCOMPARE(view.scene().shown, size_t{2});
    QTest::keyClick(&view.canvas(), Qt::Key_Right);
    QCOMPARE(view.scene().shown, size_t{3});
    QVERIFY(view.scene().softmax.lines.size() <= 2);
    QTest::mouseClick(view.live_button(), Qt::LeftButton);
    QCOMPARE(view.scene().shown, all);
    QVERIFY(view.is_live());
    QTest::keyClick(&view.canvas(), Qt::Key_Left);
    QTest::keyClick(&view.canvas(), Qt::Key_L);
    QVERIFY(view.is_live());

    bench.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 10});
    QTest::keyClick(&view.canvas(), Qt::Key_Down);
    QCOMPARE(bench.selection.state().query, int64_t{11});
    QTest::keyClick(&view.canvas(), Qt::Key_Up);
    QTest::keyClick(&view.canvas(), Qt::Key_Up);
    QCOMPARE(view.scene().row, int64_t{9});
    QTest::keyClick(&view.canvas(), Qt::Key_Period);
    QCOMPARE(bench.selection.shown_head(), int64_t{1});
    QTest::keyClick(&view.canvas(), Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(bench.selection.shown_layer(), int64_t{1});
    QTest::keyClick(&view.canvas(), Qt::Key_Comma);
    QCOMPARE(bench.selection.shown_head(), int64_t{0});
  }

  void click_selects_row_and_key() {
    TilesBench bench(synthetic_scenario(300, 2));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    TilesCanvas& canvas = bench.view->canvas();
    const QRectF grid = canvas.canvas_layout().grid;
    const auto point = [&](double q, double k) {
      return QPointF(grid.left() + canvas.transform().x.to_pixel(k),
                     grid.top() + canvas.transform().y.to_pixel(q));
    };
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, point(200.5, 60.5).toPoint());
    QCOMPARE(bench.selection.state().kind, SelectionKind::kCell);
    QVERIFY(std::abs(bench.selection.state().query - 200) <= 1);
    QVERIFY(std::abs(bench.selection.state().key - 60) <= 1);
    QCOMPARE(bench.view->scene().row, bench.selection.state().query);
    const auto tile =
        tile_at(canvas.scene(), canvas.canvas_layout(), canvas.transform(), point(200.5, 60.5));
    QVERIFY(tile.has_value());
    const TileEvent& event = canvas.scene().tiles[*tile].tile;
    QVERIFY(event.q_begin <= 200 && event.q_begin + event.q_count > 200 && event.k_begin == 0);

    const double before = canvas.transform().x.scale;
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(canvas.transform().x.scale > before);
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.transform().x.scale, before);
  }

  void page_fetches_and_splits_are_drawn() {
    const PictureLook look = PictureLook::read();
    TilesScene scene;
    TileMark decoded = mark(64, 1, 0, 65);
    decoded.tile.kernel = KernelId::kPallasPagedDecode;
    scene.tiles = {decoded};
    scene.shown = 1;
    scene.rows = scene.keys = scene.seq_len = 65;
    scene.row_done.assign(65, true);
    scene.block_size = 16;
    scene.blocks = {3, 1, 4, 5, 9};
    scene.request = QStringLiteral("A");
    scene.place = QStringLiteral("layer 0, head 0");
    const auto decode_pixels = [&] {
      const QSize size(900, 500);
      QImage image(size, QImage::Format_RGB32);
      QPainter painter(&image);
      const TilesLayout layout = lay_out_tiles(QRectF(QPointF(0, 0), QSizeF(size)), look);
      CanvasTransform transform;
      transform.zoom = CanvasTransform::Zoom::kIndependent;
      transform.x.max_scale = transform.y.max_scale = 256;
      transform.set_viewport(layout.grid.width(), layout.grid.height());
      transform.set_content(0, 65, 0, 65);
      transform.fit();
      paint_tiles(painter, scene, layout, transform, look);
      painter.end();
      int64_t count = 0;
      for (int y = 0; y < static_cast<int>(layout.grid.top()); ++y)
        for (int x = 0; x < size.width(); ++x)
          count += image.pixel(x, y) == look.colors.decode.rgb();
      return count;
    };
    QCOMPARE(decode_pixels(), int64_t{0});
    scene.fetches = {{0, 1, 0, KernelId::kPallasPagedDecode}};
    const int64_t one = decode_pixels();
    QVERIFY(one > 100);
    scene.fetches = {{0, 3, 0, KernelId::kPallasPagedDecode}};
    QVERIFY(decode_pixels() > 2 * one);
    for (const auto& [sequences, words] :
         {std::pair{1U, "Call 1 of 2 of a batch that was split, 1 sequence."},
          std::pair{7U, "Call 1 of 2 of a batch that was split, 7 sequences."}}) {
      scene.split = SplitMark{.calls = 2, .sequences = sequences};
      TextRecorder recorder(QSize(1600, 500));
      QPainter painter(&recorder);
      const TilesLayout layout = lay_out_tiles(recorder.bounds(), look);
      CanvasTransform transform;
      transform.set_viewport(layout.grid.width(), layout.grid.height());
      transform.set_content(0, 65, 0, 65);
      paint_tiles(painter, scene, layout, transform, look);
      painter.end();
      const QLatin1String told(words);
      QVERIFY(std::ranges::any_of(
          recorder.texts(), [&told](const DrawnText& text) { return text.text.endsWith(told); }));
    }
  }

  void numbers_are_not_crossed_by_the_mask() {
    TilesBench bench(synthetic_scenario(40, 2));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    bench.view->grab();
    TilesScene scene = bench.view->scene();
    scene.tiles = {mark(0, 4, 0, 40), mark(4, 36, 0, 40)};
    scene.shown = 2;
    const PictureLook look = PictureLook::read();
    const CanvasTransform& transform = bench.view->canvas().transform();
    const TilesLayout& layout = bench.view->canvas().canvas_layout();
    const QSize size = bench.view->canvas().size();
    TextRecorder recorder(size);
    {
      QPainter painter(&recorder);
      paint_tiles(painter, scene, layout, transform, look);
    }
    const auto picture = [&](bool causal) {
      scene.rule.causal = causal;
      QImage image(size, QImage::Format_RGB32);
      QPainter painter(&image);
      paint_tiles(painter, scene, layout, transform, look);
      return image;
    };
    const QImage with_line = picture(true), without = picture(false);
    QVERIFY(with_line != without);
    int numbers = 0;
    for (const DrawnText& text : recorder.texts()) {
      if (!text.text.contains(QStringLiteral("worker")) || !layout.grid.contains(text.visible))
        continue;
      ++numbers;
      const QRect ink = text.visible.toAlignedRect();
      QVERIFY2(with_line.copy(ink) == without.copy(ink), qPrintable(text.text));
    }
    QVERIFY(numbers >= 1);
  }

  void pictures_and_numbers_come_out() {
    TilesBench bench(synthetic_scenario(300, 2));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    QTemporaryDir folder;
    QCOMPARE(export_png(*bench.view, folder.filePath(QStringLiteral("t.png")), 1), QString());
    QCOMPARE(export_svg(*bench.view, folder.filePath(QStringLiteral("t.svg"))), QString());
    const QByteArray csv = bench.view->csv();
    QCOMPARE(csv.count('\n'), static_cast<int>(bench.view->scene().tiles.size()) + 1);
    const QList<QByteArray> first = csv.split('\n').at(1).split(',');
    const TileMark& tile = bench.view->scene().tiles.front();
    QCOMPARE(first.at(0), QByteArrayLiteral("1"));
    QCOMPARE(first.at(3).toUInt(), tile.tile.q_begin);
    QCOMPARE(first.at(8).toULongLong(), tile.end_ns - tile.begin_ns);
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      Theme::instance().set_mode(mode);
      const QImage image = bench.view->grab().toImage();
      int64_t other = 0;
      for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
          other += image.pixel(x, y) != Theme::instance().colors().surface.rgb();
      QVERIFY(other > 5000);
    }
  }

  void every_size_has_room() {
    TilesBench bench(synthetic_scenario(600, 3));
    QVERIFY(wait_until_phase(bench.bridge, EnginePhase::kFinished));
    for (const int percent : {100, 200}) {
      Theme::instance().set_text_percent(percent);
      for (const QSize& size : {QSize(664, 260), QSize(1280, 600), QSize(1920, 960)}) {
        bench.view->resize(size);
        const QImage image = bench.view->grab().toImage();
        const TilesLayout& layout = bench.view->canvas().canvas_layout();
        QVERIFY(layout.legend.isEmpty() || layout.bounds.contains(layout.legend));
        QVERIFY(layout.grid.width() >= 150);
        QVERIFY2(layout.grid.height() >= (percent == 100 ? 80 : 30),
                 qPrintable(QStringLiteral("%1 at %2%, %3 px")
                                .arg(size.height())
                                .arg(percent)
                                .arg(layout.grid.height())));
        QVERIFY(layout.panel.isEmpty() || layout.grid.right() < layout.panel.left());
        QVERIFY(layout.legend.isEmpty() || layout.grid.bottom() < layout.legend.top());
        QVERIFY(percent == 200 || !layout.legend.isEmpty());
        if (const QString folder = qEnvironmentVariable("ATTN_KEEP_PICTURES"); !folder.isEmpty())
          image.save(
              QStringLiteral("%1/size-%2-%3.png").arg(folder).arg(size.width()).arg(percent));
      }
    }
    Theme::instance().set_text_percent(100);
  }

  void an_empty_view_says_what_will_appear() {
    EngineBridge bridge;
    Selection selection;
    follow_runs(bridge, selection);
    TilesView view({&bridge, &selection});
    view.resize(600, 300);
    view.show();
    QVERIFY(view.canvas().accessibleDescription().contains(QStringLiteral("tile")));
    QVERIFY(!view.grab().isNull());
  }
};

ATTN_QT_TEST(test_tiles, attn::gui::test::run<TestTiles>)
#include "test_tiles.moc"
