// SPDX-License-Identifier: GPL-3.0-or-later
// How views show layers with a sliding window, soft cap, ALiBi, sinks, encoder or cross attention.
#include <QTest>
#include <cmath>

#include "engine/core/rng.h"
#include "engine/session/compare/compare.h"
#include "gui/views/attention/lines/head_lines_scene.h"
#include "gui/views/compare/difference_image.h"
#include "gui/views/inspector/inspector_content.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"

namespace attn::gui {
namespace {

using namespace test;

constexpr int64_t kPrompt = 90, kNew = 12;

struct Case {
  const char* name;
  ScenarioAttention attention;
};

std::vector<Case> rules() {
  ScenarioAttention window, cap, alibi, sinks, all, encoder, cross;
  window.sliding_window = all.sliding_window = 19;
  cap.logits_soft_cap = all.logits_soft_cap = 1.5;
  alibi.alibi = all.alibi = true;
  sinks.sinks = {2};
  all.sinks = {0.5, -1, 2, 3};
  encoder.type = AttentionType::kEncoderOnly;
  cross.type = AttentionType::kEncoderDecoder;
  return {{"window", window}, {"cap", cap},         {"alibi", alibi}, {"sinks", sinks},
          {"all", all},       {"encoder", encoder}, {"cross", cross}};
}

Scenario scenario_of(const ScenarioAttention& attention, int64_t prompt = kPrompt) {
  const bool encoder = attention.type == AttentionType::kEncoderOnly;
  Scenario scenario = small_scenario(prompt, encoder ? 1 : kNew);
  scenario.source.synthetic->kind = SyntheticKind::kRandom;
  scenario.source.synthetic->sharpness = 2;
  scenario.attention = attention;
  scenario.engine.backend = "unified";
  scenario.engine.num_blocks = prompt / 8 + 12;
  if (attention.type == AttentionType::kEncoderDecoder)
    scenario.requests[0].encoder_tokens = prompt + 15;
  return scenario;
}

bool sees(const ScenarioAttention& attention, int64_t q, int64_t k) {
  if (attention.type == AttentionType::kDecoder && k > q) return false;
  return attention.sliding_window == 0 || k > q - attention.sliding_window;
}

QString row_of(const InspectorContent& content, const QString& name) {
  for (const InspectorItem& item : content.items)
    if (item.kind == InspectorItem::Kind::kRow && item.name == name) return item.text;
  return {};
}

InspectorContent cell_content(HeatmapBench& bench, int64_t q, int64_t k) {
  InspectorInput input;
  input.snapshot = bench.bridge.snapshot().get();
  input.selection.kind = SelectionKind::kCell;
  input.selection.request = 0;
  input.selection.layer = 1;
  input.selection.head = 2;
  input.selection.query = q;
  input.selection.key = k;
  return inspect(input);
}

constexpr int64_t kAlternatingWindow = 7;
Scenario alternating_scenario(int64_t prompt) {
  Scenario scenario = scenario_of({}, prompt);
  scenario.source.synthetic->kind = SyntheticKind::kAlternating;
  scenario.source.synthetic->num_layers = 4;
  scenario.source.synthetic->period = kAlternatingWindow;
  return scenario;
}
bool sees_in_layer(int64_t layer, int64_t q, int64_t k) {
  return k <= q && (layer % 2 == 1 || k > q - kAlternatingWindow);
}

struct Tiles {
  explicit Tiles(const Scenario& scenario) {
    follow_runs(bridge, selection);
    view = std::make_unique<TilesView>(ViewContext{&bridge, &selection});
    view->resize(1000, 600);
    view->show();
    bridge.start(scenario);
  }
  bool finished() {
    const bool done = HeatmapBench::wait_for(
        [this] { return bridge.snapshot() && bridge.snapshot()->phase == EnginePhase::kFinished; });
    bridge.catch_up();
    return done;
  }
  void show_row(int64_t row, int64_t layer = 0, int64_t head = 0) {
    selection.select(
        {.kind = SelectionKind::kToken, .request = 0, .layer = layer, .head = head, .query = row});
    view->refresh();
  }
  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<TilesView> view;
};

}  // namespace

class TestAttentionViews : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { attn::gui::test::fail_on_warnings(); }

  void cells_are_engine_memory() {
    for (const Case& c : rules()) {
      HeatmapBench bench;
      QVERIFY2(bench.run(scenario_of(c.attention)), c.name);
      bench.selection.show(0, 1, 2);
      QVERIFY(bench.settle());
      const AttentionRecord& record = bench.record();
      const int64_t rows = record.num_rows();
      Rng rng(23);
      int masked = 0;
      for (int i = 0; i < 200; ++i) {
        const auto q = static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows)));
        const auto k = static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows)));
        const float expected = weight_of(record, 1, 2, q, k);
        QVERIFY2(same_bits(bench.heatmap.shown_value(q, k), expected), c.name);
        const InspectorContent content = cell_content(bench, q, k);
        if (!sees(c.attention, q, k)) {
          ++masked;
          QCOMPARE(expected, 0.0f);
          QCOMPARE(row_of(content, QStringLiteral("weight")), QStringLiteral("0"));
          QVERIFY(content.to_text().contains(QStringLiteral("Masked: the key")));
          continue;
        }
        QCOMPARE(row_of(content, QStringLiteral("weight")), format_number(expected, 7));
        const WeightOperands cell = record.operands(1, 2, q, k);
        QVERIFY(same_bits(cell.weight, expected));
        QVERIFY(content.to_text().contains(format_number(cell.score, 7)));
      }
      QCOMPARE(masked > 0, c.attention.type == AttentionType::kDecoder);
    }
  }

  void the_inspector_names_every_operand() {
    HeatmapBench bench;
    const ScenarioAttention attention = rules()[4].attention;
    QVERIFY(bench.run(scenario_of(attention)));
    const WeightOperands cell =
        bench.bridge.snapshot()->requests[0].attention->operands(1, 2, 60, 55);
    const QString text = cell_content(bench, 60, 55).to_text();
    const double scaled = static_cast<double>(cell.scale) * cell.dot;
    for (const QString& expected :
         {QStringLiteral("mask: causal, window of 19, visible"),
          QStringLiteral("window: 19 tokens: query 60 sees keys from 42 on"),
          QStringLiteral("tanh(%1 ÷ 1.5) = %2")
              .arg(format_number(scaled, 7), format_number(1.5 * std::tanh(scaled / 1.5), 7)),
          QStringLiteral("bias = slope × (key − query) = 0.015625 × (55 − 60) = %1")
              .arg(format_number(-5 * 0.015625, 7)),
          QStringLiteral("score = capped + bias = %1").arg(format_number(cell.score, 7)),
          QStringLiteral("keys 42..60"), QStringLiteral("exp(sink)"),
          QStringLiteral("weight of the sink = exp(sink − lse) = exp(2 − %1)")
              .arg(format_number(cell.lse, 7))})
      QVERIFY2(text.contains(expected), qPrintable(expected + QStringLiteral("\nnot in\n") + text));
    QVERIFY(std::abs(1.5 * std::tanh(scaled / 1.5) - 5 * 0.015625 - double{cell.score}) < 1e-6);
    const QString before = cell_content(bench, 60, 30).to_text();
    QVERIFY2(before.contains(
                 QStringLiteral("the key lies before the query's window, which begins at key 42")),
             qPrintable(before));
  }

  void an_encoder_has_no_place_in_the_cache() {
    HeatmapBench bench;
    QVERIFY(bench.run(scenario_of(rules()[5].attention)));
    const QString text = cell_content(bench, 3, 70).to_text();
    QVERIFY(text.contains(QStringLiteral("mask: none, visible")));
    QVERIFY(text.contains(QStringLiteral("The key is in no cache, because an encoder")));
    InspectorInput input;
    input.snapshot = bench.bridge.snapshot().get();
    input.selection = {.kind = SelectionKind::kToken, .request = 0, .query = 40};
    const InspectorContent token = inspect(input);
    QCOMPARE(row_of(token, QStringLiteral("block")),
             QStringLiteral("none: an encoder keeps no cache"));
    QVERIFY(token.to_text().contains(QStringLiteral("8 of 90 keys")));
  }

  void cross_attention_names_both_sides() {
    const Scenario scenario = scenario_of(rules()[6].attention, 20);
    HeatmapBench bench;
    QVERIFY(bench.run(scenario));
    const HeatmapScene& scene = bench.heatmap.scene();
    QVERIFY(!scene.keys_are_tokens());
    QCOMPARE(scene.columns(), 35);
    QCOMPARE(scene.rows(), 20 + kNew - 1);
    QCOMPARE(scene.key_labels().size(), size_t{35});
    QCOMPARE(scene.key_labels()[34].shown, QStringLiteral("src34"));
    QCOMPARE(scene.labels[1].shown, QStringLiteral("k1"));
    const QString text = cell_content(bench, 3, 34).to_text();
    QVERIFY2(text.contains(QStringLiteral("key (encoder): 34 “src34”")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("mask: none, visible")));
    InspectorInput input;
    input.snapshot = bench.bridge.snapshot().get();
    input.selection = {.kind = SelectionKind::kToken, .request = 0, .query = 19};
    const QString token = inspect(input).to_text();
    QVERIFY(token.contains(QStringLiteral("none: the blocks hold the keys of the encoder")));
    QVERIFY(token.contains(QStringLiteral("8 of 35 keys")));
    QVERIFY(!token.contains(QStringLiteral("Is read most by")));
    HeadRef before = scene.head;
    before.record = nullptr;
    QCOMPARE(before.columns(), 35);
    QVERIFY(before.sees(0, 34));
  }

  void few_queries_and_many_keys_are_readable() {
    Scenario scenario = scenario_of(rules()[6].attention, 6);
    scenario.requests[0].encoder_tokens = 300;
    scenario.engine.num_blocks = 80;
    scenario.source.synthetic->max_model_len = 512;
    HeatmapBench bench;
    QVERIFY(bench.run(scenario));
    const HeatmapScene& scene = bench.heatmap.scene();
    QCOMPARE(scene.columns(), 300);
    const QRectF cell = bench.heatmap.rect_of(0, 0);
    QVERIFY(cell.height() > 4 * cell.width());
    const double high = cell.height() * static_cast<double>(scene.rows());
    QVERIFY(std::abs(high - cell.width() * 300 / CanvasTransform::kLongest) < 1);
    const QSize picture = bench.heatmap.export_size();
    QVERIFY(picture.width() > 2 * picture.height());
    QVERIFY(picture.width() >= 6 * 300);

    HeadLinesScene lines;
    lines.look = PictureLook::read();
    lines.base = scene.head;
    QCOMPARE(lines.keys(), 300);
    const CanvasAxis keys = lines_axis(lines.length(), 700, lines.look);
    const CanvasAxis queries = queries_beside(keys, lines);
    QCOMPARE(queries.to_pixel(0), 0.0);
    QCOMPARE(queries.to_pixel(static_cast<double>(lines.rows())), 700.0);
    QVERIFY(keys.scale < queries.scale);
    lines.base.rows = 100;
    QCOMPARE(queries_beside(keys, lines).scale, keys.scale);
  }

  void masked_cells_are_hatched() {
    for (const Case& c : rules()) {
      HeatmapBench bench;
      QVERIFY2(bench.run(scenario_of(c.attention, 24)), c.name);
      const QImage image = picture_of(bench.heatmap);
      const QRgb hatch = Theme::instance().colors().hatch.rgb();
      for (int64_t q = 0; q < 24; ++q)
        for (int64_t k = 0; k < 24; ++k) {
          const QRectF cell = bench.heatmap.rect_of(q, k).adjusted(1, 1, -2, -2);
          const bool hatched = colors_in(image, cell).contains(hatch);
          if (hatched == sees(c.attention, q, k))
            QFAIL(qPrintable(
                QStringLiteral("%1: %2 %3").arg(QString::fromUtf8(c.name)).arg(q).arg(k)));
        }
      const WeightRule& rule = bench.heatmap.scene().head.rule();
      QCOMPARE(mask_words(rule).isEmpty(), c.attention.type != AttentionType::kDecoder);
      QCOMPARE(sink_words(rule).isEmpty(), c.attention.sinks.empty());
    }
  }

  void every_layer_is_masked_by_its_own_rule() {
    HeatmapBench bench;
    QVERIFY(bench.run(alternating_scenario(24)));
    const QRgb hatch = Theme::instance().colors().hatch.rgb();
    const auto expect_masks = [&](int64_t layer, bool any) {
      QVERIFY(bench.settle());
      const QImage image = picture_of(bench.heatmap);
      for (int64_t q = 0; q < 24; ++q)
        for (int64_t k = 0; k < 24; ++k) {
          const QRectF cell = bench.heatmap.rect_of(q, k).adjusted(1, 1, -2, -2);
          const bool seen = any ? k <= q : sees_in_layer(layer, q, k);
          if (colors_in(image, cell).contains(hatch) == seen)
            QFAIL(qPrintable(QStringLiteral("layer %1: %2 %3").arg(layer).arg(q).arg(k)));
          QCOMPARE(bench.heatmap.scene().head.sees(q, k), seen);
        }
    };
    for (const int64_t layer : {0, 1, 2, 3}) {
      bench.selection.show(0, layer, 1);
      expect_masks(layer, false);
      QCOMPARE(bench.heatmap.scene().head.rule().sliding_window,
               layer % 2 == 0 ? kAlternatingWindow : 0);
      QVERIFY(
          same_bits(bench.heatmap.shown_value(20, 2), weight_of(bench.record(), layer, 1, 20, 2)));
    }
    bench.selection.show(0, 0, 1);
    bench.heatmap.set_combination({Combine::kMean, {}});
    expect_masks(0, true);
    bench.heatmap.set_combination({Combine::kHeadDifference, {1, 1}});
    expect_masks(0, true);
    QVERIFY(bench.heatmap.shown_value(20, 2) < 0);
    bench.heatmap.set_combination({Combine::kHeadDifference, {2, 3}});
    expect_masks(0, false);
  }

  void the_inspector_and_tiles_go_by_the_layer() {
    HeatmapBench bench;
    QVERIFY(bench.run(alternating_scenario(60)));
    for (const int64_t layer : {0, 1}) {
      InspectorInput input;
      input.snapshot = bench.bridge.snapshot().get();
      input.selection = {.kind = SelectionKind::kCell,
                         .request = 0,
                         .layer = layer,
                         .head = 2,
                         .query = 50,
                         .key = 30};
      const QString text = inspect(input).to_text();
      QCOMPARE(text.contains(QStringLiteral("mask: causal, window of 7, masked")), layer == 0);
      QCOMPARE(text.contains(QStringLiteral("mask: causal, visible")), layer == 1);
    }
    Tiles tiles(alternating_scenario(300));
    QVERIFY(tiles.finished());
    const AttentionRecord& record = *tiles.bridge.snapshot()->requests[0].attention;
    for (const int64_t layer : {2, 3}) {
      tiles.show_row(290, layer, 0);
      const TilesScene& scene = tiles.view->scene();
      QCOMPARE(scene.rule.sliding_window, layer == 2 ? kAlternatingWindow : 0);
      int64_t seen = 0;
      for (const SoftmaxLine& line : scene.softmax.lines) seen += line.seen;
      QCOMPARE(seen, layer == 2 ? kAlternatingWindow : 291);
      const float end = scene.softmax.max + std::log(scene.softmax.sum);
      QVERIFY(std::abs(end - record.lse(layer, 0, 290)) < 1e-5f);
    }
  }

  void masks_are_right_before_anything_is_computed() {
    for (const size_t which : {size_t{0}, size_t{5}}) {
      HeatmapBench bench;
      bench.bridge.start(scenario_of(rules()[which].attention, 40), true);
      QVERIFY(HeatmapBench::wait_for([&] {
        bench.bridge.catch_up();
        return bench.bridge.snapshot() && bench.bridge.snapshot()->rules &&
               bench.heatmap.scene().rows() == 40;
      }));
      for (const auto& [q, k] : {std::pair<int64_t, int64_t>{30, 5}, {5, 30}, {30, 29}})
        QCOMPARE(bench.heatmap.scene().head.sees(q, k), sees(rules()[which].attention, q, k));
    }
  }

  void skipped_tiles_are_those_nobody_sees() {
    for (const char* backend : {"unified", "torch_sdpa", "xformers"}) {
      for (const size_t which : {size_t{0}, size_t{2}, size_t{5}}) {
        const ScenarioAttention attention = rules()[which].attention;
        Scenario scenario = scenario_of(attention, 700);
        scenario.engine.backend = backend;
        Tiles tiles(scenario);
        QVERIFY(tiles.finished());
        tiles.view->refresh();
        const TilesScene& scene = tiles.view->scene();
        std::vector<bool> covered(static_cast<size_t>(scene.seq_len * scene.seq_len), false);
        int64_t seen_by_tiles = 0, seen_by_rule = 0;
        for (const TileMark& mark : scene.tiles) {
          seen_by_tiles += seen_pairs(scene, mark.tile);
          for (int64_t q = mark.tile.q_begin;
               q < std::min<int64_t>(mark.tile.q_begin + mark.tile.q_count, scene.seq_len); ++q)
            for (int64_t k = mark.tile.k_begin;
                 k < std::min<int64_t>(mark.tile.k_begin + mark.tile.k_count, scene.seq_len); ++k)
              covered[static_cast<size_t>(q * scene.seq_len + k)] = true;
        }
        for (int64_t q = 0; q < scene.seq_len; ++q)
          for (int64_t k = 0; k < scene.seq_len; ++k) {
            if (!sees(attention, q, k)) continue;
            ++seen_by_rule;
            QVERIFY2(covered[static_cast<size_t>(q * scene.seq_len + k)], backend);
          }
        QCOMPARE(seen_by_tiles, seen_by_rule);
        int skipped = 0;
        for (const TileMark& mark : scene.tiles)
          for (const auto& [from, to] : skipped_keys(scene, mark.tile)) {
            skipped += mark.tile.q_begin < scene.prompt_len;
            for (int64_t q = mark.tile.q_begin;
                 q < std::min<int64_t>(mark.tile.q_begin + mark.tile.q_count, scene.seq_len); ++q)
              for (int64_t k = from; k < std::min(to, scene.seq_len); ++k)
                QVERIFY2(!sees(attention, q, k), backend);
          }
        // With ALiBi or a window, TORCH_SDPA reads a dense mask and computes all tiles of a prompt.
        const bool dense = scenario.engine.backend == "torch_sdpa" &&
                           (attention.alibi || attention.sliding_window > 0);
        QCOMPARE(skipped > 0, attention.type == AttentionType::kDecoder && !dense);
      }
    }
  }

  void softmax_rows_end_in_the_log_sum_exp() {
    for (const Case& c : rules()) {
      Tiles tiles(scenario_of(c.attention, 400));
      QVERIFY(tiles.finished());
      const AttentionRecord& record = *tiles.bridge.snapshot()->requests[0].attention;
      std::vector<int64_t> rows{0, 5, 255, 256, 399};
      if (c.attention.type == AttentionType::kDecoder) rows.push_back(405);  // a decoded row
      for (const int64_t row : rows) {
        tiles.show_row(row);
        const TilesScene& scene = tiles.view->scene();
        const RowSoftmax& softmax = scene.softmax;
        QCOMPARE(softmax.origin, RowSoftmax::Origin::kKernel);
        QCOMPARE(softmax.has_sink, !c.attention.sinks.empty());
        const float end = softmax.has_sink ? softmax.sink_max + std::log(softmax.sink_sum)
                                           : softmax.max + std::log(softmax.sum);
        QVERIFY2(std::abs(end - record.lse(0, 0, row)) < 1e-5f, c.name);
        int64_t seen = 0, expected = 0;
        for (const SoftmaxLine& line : softmax.lines) seen += line.seen;
        for (int64_t k = 0; k < record.num_keys(0); ++k)
          expected += sees(c.attention, row, k) ? 1 : 0;
        QCOMPARE(seen, expected);
        double sum = 0;
        for (int64_t k = 0; k < record.num_keys(0); ++k)
          if (sees(c.attention, row, k))
            sum += std::exp(double{record.operands(0, 0, row, k).score} - double{softmax.max});
        QVERIFY2(std::abs(sum - double{softmax.sum}) < 1e-4 * sum, c.name);
        const RowSoftmax again =
            row_softmax(scene.tiles, scene.tiles.size(), row, {}, &record, 0, 0);
        QCOMPARE(again.origin, RowSoftmax::Origin::kRecomputed);
        QVERIFY(std::abs(again.max - softmax.max) < 1e-5f);
        QVERIFY(std::abs(again.sum - softmax.sum) < 1e-4f * softmax.sum);
        QCOMPARE(softmax_sentence(scene).contains(QStringLiteral("Sink")), softmax.has_sink);
      }
      const QString sentence = softmax_sentence(tiles.view->scene());
      QCOMPARE(sentence.contains(QStringLiteral("tanh")), c.attention.logits_soft_cap > 0);
      QCOMPARE(sentence.contains(QStringLiteral("slope")), c.attention.alibi);
    }
  }

  void difference_maps_mask_by_the_rule() {
    for (const Case& c : rules()) {
      CompareSpec spec;
      spec.scenario = scenario_of(c.attention);
      spec.backends = {"unified", "reference"};
      const CompareResult result = run_compare(spec);
      const DifferenceMap map = weight_differences(result, 1, 0, 1, 2);
      const int side = static_cast<int>(map.rows);
      const PictureLook look = PictureLook::read();
      const QImage cells = difference_image(map, side, side, look);
      const QImage small = difference_image(map, side / 4, side / 4, look);
      for (int q = 0; q < side; ++q)
        for (int k = 0; k < side; ++k)
          QCOMPARE(qAlpha(cells.pixel(k, q)) > 0, sees(c.attention, q, k));
      int shown = 0;
      for (int y = 0; y < small.height(); ++y)
        for (int x = 0; x < small.width(); ++x) shown += qAlpha(small.pixel(x, y)) > 0 ? 1 : 0;
      QCOMPARE(shown < small.width() * small.height(), c.attention.type == AttentionType::kDecoder);
    }
  }
};

}  // namespace attn::gui

ATTN_QT_TEST(test_attention_views, attn::gui::test::run<attn::gui::TestAttentionViews>)
#include "test_attention_views.moc"
