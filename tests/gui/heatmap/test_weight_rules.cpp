// SPDX-License-Identifier: GPL-3.0-or-later
// Heatmap tiles and words of sliding-window, block-sparse, encoder and cross attention, and cuts.
#include <QFontInfo>
#include <QTest>
#include <cmath>

#include "backends/register_all.h"
#include "engine/attention/attention_bias.h"
#include "engine/core/rng.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"
#include "gui/views/inspector/inspector_chain.h"
#include "gui/widgets/text/rule_words.h"
#include "tests/gui/qt_test_main.h"
#include "tests/support/dense.h"

namespace attn::gui {
namespace {

constexpr int64_t kHeads = 2, kWidth = 32, kBlockSize = 16;

// A record of one layer with random operands. The log-sum-exp of a row is that of the keys that it
// sees.
HeadRef filled(const WeightRule& rule, int64_t rows, int64_t keys, int64_t encoder_keys) {
  register_all_backends();
  const KvStorageSpec spec{1, keys / kBlockSize + 1, kBlockSize, kHeads, kWidth, DType::kF32};
  auto cache = std::make_shared<KvStorage>(backend_named("reference"), spec);
  Rng rng(5);
  std::vector<float> query, key;
  for (int64_t i = 0; i < rows * kHeads * kWidth; ++i) query.push_back(rng.normal());
  for (int64_t i = 0; i < keys * kHeads * kWidth; ++i) key.push_back(rng.normal());
  std::vector<int64_t> places;
  std::vector<int32_t> blocks;
  for (int64_t i = 0; i < keys; ++i) places.push_back(i);
  for (int32_t b = 0; b < spec.num_blocks; ++b) blocks.push_back(b);
  cache->backend().write_rows(cache->layer(0), places, key.data(), key.data());
  AttentionRecord::Shape shape{1, kHeads, kHeads, kWidth, 0.2f};
  shape.rules = rule;
  shape.encoder_keys = encoder_keys;
  auto record = std::make_shared<AttentionRecord>(0, shape, cache);
  record->grow(rows);
  record->set_blocks(rule.cross ? TableKind::kCross : TableKind::kOwn, blocks);
  record->keep_queries(0, 0, rows, query.data(), kHeads * kWidth);
  for (int64_t head = 0; head < kHeads; ++head)
    for (int64_t q = 0; q < rows; ++q) {
      double sum = 0;
      for (int64_t k = 0; k < keys; ++k) {
        if (!rule.sees(head, q, k)) continue;
        const double dot = attn::test::dot({query.data() + (q * kHeads + head) * kWidth, kWidth},
                                           {key.data() + (k * kHeads + head) * kWidth, kWidth});
        sum += std::exp(0.2 * dot);
      }
      const auto lse = static_cast<float>(std::log(sum));
      record->publish_lse(0, head, q, 1, &lse, 1);
    }
  return {record, 0, 1, rows};
}

struct RuleCase {
  WeightRule rule;
  int64_t rows = 0, keys = 0, encoder_keys = 0;
};

std::vector<RuleCase> cases() {
  WeightRule window, sparse, encoder, cross, both, cut;
  window.sliding_window = both.sliding_window = 37;
  sparse.blocksparse = both.blocksparse = BlockSparse{1, 3, 16, 1};
  encoder.causal = cross.causal = false;
  cross.cross = true;
  // Cuts single cells, a square of 4 x 4 cells, the first key in all rows, and a cell of another
  // head.
  cut.cuts = {{1, 20, 7}, {1, 21, 21}, {1, -1, 0}, {0, 30, 3}};
  for (int64_t q = 40; q < 44; ++q)
    for (int64_t k = 8; k < 12; ++k) cut.cuts.push_back({1, q, k});
  // Cuts two corners of an entry of 4 x 4 cells in a block of 16 x 16.
  WeightRule cut_sparse = sparse;
  cut_sparse.cuts = {{1, 40, 32}, {1, 40, 35}};
  return {{window, 300, 300, 0},     {sparse, 300, 300, 0}, {both, 300, 300, 0},
          {encoder, 290, 290, 0},    {cross, 40, 300, 300}, {cross, 300, 40, 40},
          {cut_sparse, 300, 300, 0}, {cut, 300, 300, 0}};
}

}  // namespace

class TestWeightRules : public QObject {
  Q_OBJECT

 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }
  void cells_are_the_records() {
    for (const RuleCase& c : cases()) {
      const HeadRef head = filled(c.rule, c.rows, c.keys, c.encoder_keys);
      QCOMPARE(head.columns(), c.keys);
      std::vector<float> row(static_cast<size_t>(c.keys));
      for (int64_t tile_row = 0; tile_row * kTileSide < c.rows; ++tile_row)
        for (int64_t tile_column = 0; tile_column * kTileSide < c.keys; ++tile_column) {
          const TileKey key{0, Reduce::kMax, tile_row, tile_column};
          const auto tile = refresh_tile(head, key, nullptr, std::chrono::hours(1)).tile;
          QVERIFY(tile);
          for (int64_t q = tile_row * kTileSide; q < std::min(c.rows, (tile_row + 1) * kTileSide);
               ++q) {
            head.record->weights(0, 1, q, 1, 0, c.keys, row.data());
            for (int64_t k = tile_column * kTileSide;
                 k < std::min(c.keys, (tile_column + 1) * kTileSide); ++k) {
              const float found = tile->at(q % kTileSide, k % kTileSide);
              QCOMPARE(found, c.rule.sees(1, q, k) ? row[static_cast<size_t>(k)] : kMaskedCell);
            }
          }
        }
    }
  }

  void reduced_entries_leave_masked_cells_out() {
    for (const RuleCase& c : cases()) {
      const HeadRef head = filled(c.rule, c.rows, c.keys, c.encoder_keys);
      for (const Reduce reduce : {Reduce::kMax, Reduce::kMean}) {
        const auto tile =
            refresh_tile(head, {2, reduce, 0, 0}, nullptr, std::chrono::hours(1)).tile;
        int masked = 0, shown = 0;
        for (int64_t row = 0; row * 4 + 3 < c.rows; ++row)
          for (int64_t column = 0; column * 4 + 3 < c.keys; ++column) {
            double total = 0, most = 0;
            int count = 0;
            for (int64_t q = row * 4; q < row * 4 + 4; ++q)
              for (int64_t k = column * 4; k < column * 4 + 4; ++k) {
                if (!c.rule.sees(1, q, k)) continue;
                float weight = 0;
                head.record->weights(0, 1, q, 1, k, 1, &weight);
                total += double{weight};
                most = std::max(most, double{weight});
                ++count;
              }
            const float found = tile->at(row, column);
            if (count == 0) {
              ++masked;
              QCOMPARE(found, kMaskedCell);
            } else {
              ++shown;
              const double expected = reduce == Reduce::kMax ? most : total / count;
              QVERIFY(std::abs(double{found} - expected) <= 1e-6 * expected + 1e-12);
            }
          }
        QVERIFY(shown > 0);
        QCOMPARE(masked > 0, c.rule.causal);
      }
    }
  }

  void labels_of_the_encoder_count_after_a_change_of_font() {
    RequestView request;
    request.tokens =
        std::make_shared<const std::vector<TokenView>>(1, TokenView{.id = 1, .text = "a"});
    request.encoder_tokens =
        std::make_shared<const std::vector<TokenView>>(1, TokenView{.id = 2, .text = "encoder"});
    HeatmapScene scene;
    scene.look = PictureLook::read();
    scene.read_tokens(request, true);
    const double widest = scene.widest_label;
    QCOMPARE(scene.widest_encoder_label, widest);
    scene.measure_labels();
    QCOMPARE(scene.widest_label, widest);
    scene.look.mono.setPixelSize(2 * QFontInfo(scene.look.mono).pixelSize());
    scene.measure_labels();
    QVERIFY(scene.widest_label > 1.5 * widest);
    QCOMPARE(scene.widest_encoder_label, scene.widest_label);
  }

  void rows_add_up_to_one() {
    for (const RuleCase& c : cases()) {
      const HeadRef head = filled(c.rule, c.rows, c.keys, c.encoder_keys);
      const auto tile = refresh_tile(head, {TileKey::kRowSums, Reduce::kMax, 0, 0}, nullptr,
                                     std::chrono::hours(1))
                            .tile;
      for (int64_t row = 0; row < std::min(kSumRows, c.rows); ++row)
        QVERIFY(std::abs(tile->sum[static_cast<size_t>(row)] - 1) < 1e-5);
    }
  }

  void the_chain_counts_keys_that_are_seen() {
    const HeadRef head = filled(cases().back().rule, 300, 300, 0);
    RequestView request;
    request.attention = head.record;
    InspectorContent content;
    add_row_chain(content, request,
                  {.kind = SelectionKind::kToken, .layer = 0, .head = 1, .query = 43}, {},
                  TableKind::kOwn);
    QVERIFY2(content.to_text().contains(QStringLiteral("39 others")),
             qPrintable(content.to_text()));
  }

  void words_name_a_cut() {
    const WeightRule rule = cases().back().rule;
    QVERIFY(mask_words(rule).contains(QStringLiteral("does not see")));
    QVERIFY(masked_because(rule, 1, 20, 7).contains(QStringLiteral("cut")));
    QVERIFY(!masked_because(rule, 1, 20, 30).contains(QStringLiteral("cut")));
    QVERIFY(masked_because(rule, 1, 20, 8).isEmpty());
  }

  void pictures_are_as_wide_as_the_keys() {
    const HeadRef head = filled(cases()[4].rule, 40, 300, 300);
    CanvasTransform transform = heatmap_transform(head.rows, head.columns());
    transform.set_viewport(600, 400);
    transform.fit();
    QCOMPARE(transform.x.end, 300.0);
    QCOMPARE(transform.y.end, 40.0);
    const auto tiles = visible_tiles(transform, head, 0, Reduce::kMax);
    QCOMPARE(tiles.size(), size_t{2});
    QCOMPARE(tiles[1].column, int64_t{1});
    QCOMPARE(tiles[1].row, int64_t{0});
  }

  void masks_are_known_before_anything_is_computed() {
    WeightRule rule;
    rule.sliding_window = 3;
    const HeadRef head = filled(rule, 20, 20, 0);
    const auto tile = empty_tile(head, {0, Reduce::kMax, 0, 0});
    QCOMPARE(tile->at(10, 11), kMaskedCell);
    QCOMPARE(tile->at(10, 10), kNotComputedCell);
    QCOMPARE(tile->at(10, 8), kNotComputedCell);
    QCOMPARE(tile->at(10, 7), kMaskedCell);
    // Without a record the mask is causal.
    const auto plain = empty_tile({}, {0, Reduce::kMax, 0, 0});
    QCOMPARE(plain->at(10, 7), kNotComputedCell);
    QCOMPARE(plain->at(10, 11), kMaskedCell);
  }
};

}  // namespace attn::gui

ATTN_QT_TEST(test_weight_rules, attn::gui::test::run<attn::gui::TestWeightRules>)
#include "test_weight_rules.moc"
