// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap's means, differences, kept cells and sums: numbers, tables, words and controls.
#include <QComboBox>
#include <QMenu>
#include <QSpinBox>
#include <cmath>
#include <numeric>
#include <random>

#include "gui/views/attention/heatmap/drawing/heatmap_sums.h"
#include "gui/views/attention/heatmap/heatmap_export.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int64_t kLayers = 2, kHeads = 4;

float mean_of(const AttentionRecord& record, int64_t first_layer, int64_t end_layer, int64_t query,
              int64_t key) {
  double sum = 0;
  for (int64_t layer = first_layer; layer < end_layer; ++layer)
    for (int64_t head = 0; head < kHeads; ++head)
      sum += static_cast<double>(weight_of(record, layer, head, query, key));
  return static_cast<float>(sum / static_cast<double>((end_layer - first_layer) * kHeads));
}

float expected(const AttentionRecord& record, const HeadRef& shown, int64_t query, int64_t key) {
  const HeadId& other = shown.combine.other;
  switch (shown.combine.kind) {
    case Combine::kHead:
      break;
    case Combine::kLayerMean:
      return mean_of(record, shown.layer, shown.layer + 1, query, key);
    case Combine::kMean:
      return mean_of(record, 0, kLayers, query, key);
    case Combine::kHeadDifference:
      return weight_of(record, shown.layer, shown.head, query, key) -
             weight_of(record, other.layer, other.head, query, key);
    case Combine::kLayerDifference:
      return mean_of(record, shown.layer, shown.layer + 1, query, key) -
             mean_of(record, other.layer, other.layer + 1, query, key);
  }
  return weight_of(record, shown.layer, shown.head, query, key);
}

const std::vector<Combination>& combinations() {
  static const std::vector<Combination> all{{Combine::kHead, {}},
                                            {Combine::kLayerMean, {}},
                                            {Combine::kMean, {}},
                                            {Combine::kHeadDifference, {1, 2}},
                                            {Combine::kLayerDifference, {1, 0}}};
  return all;
}

std::vector<QList<QByteArray>> cells_of(const QByteArray& csv) {
  std::vector<QList<QByteArray>> rows;
  for (const QByteArray& line : csv.split('\n'))
    if (!line.isEmpty()) rows.push_back(line.split(','));
  return rows;
}

}  // namespace

class TestHeatmapOptions : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  void a_thousand_cells_of_each_are_the_combined_weights() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const int64_t rows = w.heatmap.scene().rows();
    std::mt19937 random(17);
    for (const Combination& combination : combinations()) {
      w.heatmap.set_combination(combination);
      int negative = 0, positive = 0;
      for (int i = 0; i < 1000; ++i) {
        if (i % 250 == 0) {
          w.selection.show(w.record().request(), 0, i / 250);
          QVERIFY(w.settle());
        }
        const auto query = static_cast<int64_t>(random() % static_cast<uint64_t>(rows));
        const auto key = static_cast<int64_t>(random() % static_cast<uint64_t>(rows));
        const float shown = w.heatmap.shown_value(query, key);
        const float memory = expected(w.record(), w.heatmap.scene().head, query, key);
        QVERIFY2(same_bits(shown, memory), qPrintable(QStringLiteral("%1: %2,%3: %4 %5")
                                                          .arg(name_of(combination.kind))
                                                          .arg(query)
                                                          .arg(key)
                                                          .arg(shown)
                                                          .arg(memory)));
        negative += shown < 0;
        positive += shown > 0;
      }
      QVERIFY(positive > 200);
      QCOMPARE(negative > 100, combination.is_difference());
    }
  }

  void one_way_is_the_other_with_its_sign_turned() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.heatmap.set_combination({Combine::kHeadDifference, {1, 2}});
    std::vector<float> there;
    for (int64_t k = 0; k <= 30; ++k) there.push_back(w.heatmap.shown_value(30, k));
    w.selection.show(w.record().request(), 1, 2);
    w.heatmap.set_combination({Combine::kHeadDifference, {0, 0}});
    QVERIFY(w.settle());
    for (int64_t k = 0; k <= 30; ++k)
      QCOMPARE(w.heatmap.shown_value(30, k), -there[static_cast<size_t>(k)]);
    w.heatmap.set_combination({Combine::kHeadDifference, {1, 2}});
    QVERIFY(w.settle());
    for (int64_t k = 0; k <= 30; ++k) QCOMPARE(w.heatmap.shown_value(30, k), 0.0f);

    // Colours are symmetric around the middle of the map.
    const ColorScale scale = w.heatmap.scene().shown_scale();
    QCOMPARE(scale.index(0), 128);
    for (double v : {0.001, 0.1, 0.25, 0.5, 0.77, 1.0, 3.0})
      QCOMPARE(scale.index(v) - 128, 128 - scale.index(-v));
    const ColorTable colors = w.heatmap.scene().shown_colors();
    QCOMPARE(QColor(colors[128]), Theme::instance().colors().surface);
  }

  void what_is_no_value_lies_beyond_all_values() {
    QVERIFY(kMaskedCell < -2 && kNotComputedCell < -2 && kMaskedCell != kNotComputedCell);
    QVERIFY(is_value(-1.0f) && is_value(-2.0f) && is_value(std::nanf("")));
    QVERIFY(!is_value(kMaskedCell) && !is_value(kNotComputedCell));
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.heatmap.set_combination({Combine::kHeadDifference, {1, 2}});
    QVERIFY(w.settle());
    const auto tile = w.heatmap.tiles().find({0, Reduce::kMax, 0, 0});
    QVERIFY(tile);
    for (int64_t q = 0; q < 40; ++q)
      for (int64_t k = 0; k < 40; ++k) QCOMPARE(tile->at(q, k) == kMaskedCell, k > q);
  }

  void blocks_of_cells_hold_their_mean_and_the_largest_size() {
    HeatmapBench w;
    w.heatmap.resize(420, 360);
    QVERIFY(w.run(small_scenario(1200, 1)));
    for (const Combination& combination : combinations()) {
      if (combination.kind == Combine::kHead) continue;
      w.heatmap.set_combination(combination);
      for (Reduce reduce : {Reduce::kMax, Reduce::kMean}) {
        w.heatmap.set_reduce(reduce);
        const int level = w.heatmap.level();
        QVERIFY(level >= 2);
        const int64_t side = int64_t{1} << level;
        QTRY_VERIFY_WITH_TIMEOUT(w.settle() && w.heatmap.tiles().find({level, reduce, 0, 0}),
                                 60000);
        const auto tile = w.heatmap.tiles().find({level, reduce, 0, 0});
        std::mt19937 random(5);
        for (int i = 0; i < 12; ++i) {
          const auto row = static_cast<int64_t>(random() % 70),
                     column = static_cast<int64_t>(random() % static_cast<uint64_t>(row + 2));
          float most = 0;
          double total = 0, size = 0;
          int64_t count = 0;
          for (int64_t q = row * side; q < (row + 1) * side; ++q) {
            for (int64_t k = column * side; k < (column + 1) * side && k <= q; ++k) {
              const float value = expected(w.record(), w.heatmap.scene().head, q, k);
              if (std::abs(value) > std::abs(most) ||
                  (std::abs(value) == std::abs(most) && value > 0))
                most = value;
              total += static_cast<double>(value);
              size += std::abs(static_cast<double>(value));
              ++count;
            }
          }
          const float held = tile->at(row, column);
          if (count == 0)
            QCOMPARE(held, kMaskedCell);
          else if (reduce == Reduce::kMax)
            QVERIFY(same_bits(held, most));
          else
            QVERIFY(std::abs(static_cast<double>(held) - total / static_cast<double>(count)) <=
                    1e-7 * size + 1e-12);
        }
        const QString detail = detail_sentence(w.heatmap.scene(), level);
        if (combination.is_difference() && reduce == Reduce::kMax)
          QVERIFY2(detail.contains(QStringLiteral("largest difference, with its sign")),
                   qPrintable(detail));
      }
    }
  }

  void a_mean_waits_for_all_of_its_heads() {
    HeatmapBench w;
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == 40; }));
    w.heatmap.set_combination({Combine::kLayerMean, {}});
    const auto done = [&](int64_t head) { return w.record().row_done(0, head, 39); };
    bool waited = false;
    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kTile);
      if (!w.settle() || !w.heatmap.scene().head.record) return false;
      const bool all = done(0) && done(1) && done(2) && done(3);
      const float shown = w.heatmap.shown_value(39, 5);
      if (!all && done(0) && std::isnan(shown)) {
        waited = true;
        const QString text = w.heatmap.cell_text(39, 5);
        const bool still = !(done(1) && done(2) && done(3));
        if (still && !text.contains(QStringLiteral("not computed"))) qFatal("%s", qPrintable(text));
      }
      return all && !std::isnan(shown);
    }));
    QVERIFY(waited);
    QVERIFY(same_bits(w.heatmap.shown_value(39, 5), mean_of(w.record(), 0, 1, 39, 5)));
    w.heatmap.set_combination({Combine::kMean, {}});
    QVERIFY(w.settle());
    QVERIFY(!w.record().row_done(1, 3, 39));
    QVERIFY(std::isnan(w.heatmap.shown_value(39, 5)));
    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.bridge.snapshot()->phase == EnginePhase::kFinished; }));
    QVERIFY(w.settle());
    QVERIFY(same_bits(w.heatmap.shown_value(39, 5), mean_of(w.record(), 0, kLayers, 39, 5)));
  }

  // --- cells that are kept ---

  void the_largest_of_a_row_make_the_share() {
    std::mt19937 random(29);
    std::uniform_real_distribution<float> size(-1, 1);
    for (int trial = 0; trial < 400; ++trial) {
      std::vector<float> row(1 + random() % 90);
      for (float& value : row)
        value = trial % 3 == 0 ? std::round(size(random) * 4) / 4 : size(random);
      for (int percent : {1, 50, 80, 90, 95, 99}) {
        const RowCut cut = cut_row(row, Keep::share(percent), std::ssize(row));
        // By brute force: takes the remaining value of the largest magnitude, the first of equal
        // ones, until the share is reached.
        std::vector<size_t> order(row.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::stable_sort(
            order, [&](size_t a, size_t b) { return std::abs(row[a]) > std::abs(row[b]); });
        double total = 0, sum = 0;
        for (size_t i : order) total += std::abs(static_cast<double>(row[i]));
        std::vector<bool> kept(row.size());
        int64_t count = 0;
        for (size_t i : order) {
          if (sum >= total * percent / 100) break;
          sum += std::abs(static_cast<double>(row[i]));
          kept[i] = true;
          ++count;
        }
        QCOMPARE(cut.kept, count);
        for (size_t k = 0; k < row.size(); ++k)
          QCOMPARE(cut.keeps(row[k], static_cast<int64_t>(k)), static_cast<bool>(kept[k]));
      }
      const RowCut cut = cut_row(row, Keep::at_least(0.25f), std::ssize(row));
      int64_t count = 0;
      for (size_t k = 0; k < row.size(); ++k) {
        QCOMPARE(cut.keeps(row[k], static_cast<int64_t>(k)), std::abs(row[k]) >= 0.25f);
        count += std::abs(row[k]) >= 0.25f;
      }
      QCOMPARE(cut.kept, count);
    }
    const std::vector<float> strange{0.5f, std::nanf(""), 0.25f};
    QCOMPARE(cut_row(strange, Keep::share(50), 3).kept, int64_t{3});
    QCOMPARE(cut_row(strange, Keep::at_least(0.3f), 3).kept, int64_t{2});  // a NaN is kept
    const std::vector<float> masked{0.5f, std::nanf(""), 0, 0};
    for (const Keep& keep : kKeeps) QCOMPARE(cut_row(masked, keep, 2).kept, int64_t{2});
    for (const Keep& keep : kKeeps) QCOMPARE(Keep::from_code(keep.code()), keep);
    QCOMPARE(keep_from_word("80%"), std::optional(Keep::share(80)));
    QCOMPARE(keep_from_word("0.05"), std::optional(Keep::at_least(0.05f)));
    for (const char* word : {"", "0%", "100%", "%", "0", "2", "80 %", "x", "-0.1", "nan"})
      QVERIFY2(!keep_from_word(word), word);
  }

  void cells_that_are_not_kept_are_faint() {
    HeatmapBench w;
    w.heatmap.resize(1100, 900);
    QVERIFY(w.run(small_scenario()));
    w.heatmap.set_keep(Keep::share(80));
    QVERIFY(w.settle());
    const QRgb faint = w.heatmap.scene().look.faint().rgb();
    const QImage image = picture_of(w.heatmap);
    int64_t kept = 0, hidden = 0;
    for (int64_t q = 0; q < w.heatmap.scene().rows(); ++q) {
      std::vector<float> row;
      for (int64_t k = 0; k <= q; ++k) row.push_back(weight_of(w.record(), 0, 0, q, k));
      const RowCut cut = cut_row(row, Keep::share(80), q + 1);
      kept += cut.kept;
      hidden += q + 1 - cut.kept;
      for (int64_t k = 0; k <= q; ++k) {
        const QPoint at = w.heatmap.rect_of(q, k).center().toPoint();
        QCOMPARE(image.pixel(at) == faint, !cut.keeps(row[static_cast<size_t>(k)], k));
      }
    }
    QVERIFY(kept > 40 && hidden > 400);
    HeatmapTiles tiles;
    tiles.set_head(w.heatmap.scene().head);
    tiles.compute_now(
        picture_tiles(w.heatmap.scene(), w.heatmap.canvas_layout(), w.heatmap.transform(), 0));
    const HeatmapPicture picture{w.heatmap.scene(), w.heatmap.canvas_layout(),
                                 w.heatmap.transform(), tiles, 0};
    const auto counted = kept_cells(picture);
    QVERIFY(counted);
    QCOMPARE(counted->kept, kept);
    QCOMPARE(counted->seen, kept + hidden);
    const QString words = legend_sentences(picture).join(QLatin1Char(' '));
    QVERIFY2(words.contains(QStringLiteral("80 %")) && words.contains(QString::number(kept)),
             qPrintable(words));
    QVERIFY(w.heatmap.accessibleDescription().contains(QStringLiteral("80 %")));
    QVERIFY(
        svg_of(w.heatmap, {900, 800}).contains(w.heatmap.scene().look.faint().name().toLatin1()));
  }

  // --- sums ---

  void columns_are_summed_over_all_rows_so_far() {
    HeatmapBench w;
    w.heatmap.resize(900, 700);
    QVERIFY(w.run(small_scenario(600, 3)));
    for (const Combination& combination : combinations()) {
      w.heatmap.set_combination(combination);
      QVERIFY(w.settle());
      const int64_t rows = w.heatmap.scene().rows();
      for (int64_t key : {int64_t{0}, int64_t{1}, int64_t{255}, int64_t{256}, rows - 1}) {
        // Summed in parts of 256 rows, then over the parts.
        double total = 0;
        for (int64_t first = 0; first < rows; first += 256) {
          double part = 0;
          for (int64_t q = first; q < std::min(rows, first + 256); ++q)
            part += static_cast<double>(expected(w.record(), w.heatmap.scene().head, q, key));
          total += part;
        }
        QCOMPARE(w.heatmap.shown_column_sum(key), total);
      }
      // Differences have no total.
      const auto totals = heatmap_totals(w.heatmap.tiles(), w.heatmap.scene());
      QCOMPARE(totals.has_value(), !combination.is_difference());
      const QString text = w.heatmap.cell_text(300, 5);
      QCOMPARE(text.contains(QStringLiteral("% of the weights of all rows")), totals.has_value());
      if (!totals) continue;
      double all = 0;
      for (int64_t key = 0; key < rows; ++key) all += w.heatmap.shown_column_sum(key);
      QCOMPARE(totals->all, all);
      QVERIFY(std::abs(all - static_cast<double>(rows)) < 1e-3);
      QCOMPARE(totals->first, w.heatmap.shown_column_sum(0));
      QVERIFY2(text.contains(QStringLiteral("all cells ") + format_number(all, 5)),
               qPrintable(text));
    }
    QVERIFY(w.heatmap.cell_text(300, 5).contains(QStringLiteral("column sum")));
  }

  // Where no strip of column sums keeps them up, old sums are not told, and pointing at a cell
  // brings the new ones.
  void sums_of_the_tooltip_are_those_of_all_rows() {
    HeatmapBench w;
    w.heatmap.resize(900, 700);
    w.bridge.start(small_scenario(40, 6), true);
    const auto stands = [&] {
      return HeatmapBench::wait_for([&] {
        return w.bridge.gate_state() == RunGate::State::kPaused &&
               w.bridge.runner().gate().held() > 0;
      });
    };
    for (int step = 0; step < 2; ++step) {
      QVERIFY(stands());
      w.bridge.step(Granularity::kStep);
    }
    QVERIFY(stands() && w.settle());
    QVERIFY(w.heatmap.canvas_layout().column_sums_height > 0);
    const auto sum_of_all = [&] {
      const auto totals = heatmap_totals(w.heatmap.tiles(), w.heatmap.scene());
      return totals ? std::llround(totals->all) : -1;
    };
    const auto some = sum_of_all();
    QVERIFY2(some >= 40 && some < 45, qPrintable(QString::number(some)));
    w.heatmap.resize(900, 240);
    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.bridge.snapshot()->phase == EnginePhase::kFinished; }));
    QVERIFY(w.settle());
    QCOMPARE(w.heatmap.canvas_layout().column_sums_height, 0.0);
    QVERIFY(!w.heatmap.cell_text(30, 5).contains(QStringLiteral("sum of all cells")));
    w.heatmap.hover(w.heatmap.rect_of(3, 1).center(), QPoint());
    QVERIFY(w.settle());
    QCOMPARE(sum_of_all(), static_cast<long long>(w.record().num_rows()));
    QVERIFY(w.heatmap.cell_text(30, 5).contains(
        QStringLiteral("sum of all cells %1").arg(w.record().num_rows())));
  }

  void before_the_first_row_there_are_no_column_sums() {
    HeatmapBench w;
    w.heatmap.resize(900, 700);
    QVERIFY(w.run(small_scenario(40, 3)));
    HeatmapScene past = w.heatmap.scene();
    HeatmapTiles tiles;
    tiles.set_head(past.head);
    tiles.compute_now({{TileKey::kColumnSums, Reduce::kMax, 1, 0}});
    past.past.emplace().computed = 1;
    QCOMPARE(heatmap_totals(tiles, past)->all, 1.0);  // the weights of row 0
    past.past->computed = 0;
    QVERIFY(!heatmap_totals(tiles, past));
  }

  // --- tables and words ---

  void the_table_reads_back_to_the_same_bits() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    for (const Combination& combination : combinations()) {
      w.heatmap.set_combination(combination);
      w.heatmap.set_keep(Keep::share(90));
      QVERIFY(w.settle());
      const auto rows = cells_of(w.heatmap.table()());
      const std::vector<int64_t> layers{0, 1};
      const std::string name = column_name(combination, {0, 0}, layers, kHeads) + "_key_7";
      const auto column = rows[0].indexOf(QByteArray::fromStdString(name));
      QVERIFY2(column > 0, name.c_str());
      QCOMPARE(static_cast<int64_t>(rows.size()), w.heatmap.scene().rows() + 1);
      for (size_t i = 1; i < rows.size(); ++i) {
        const auto q = static_cast<int64_t>(i) - 1;
        QCOMPARE(rows[i].size(), rows[0].size());
        QVERIFY(same_bits(rows[i][column].toFloat(), w.heatmap.shown_value(q, 7)));
        std::vector<float> row;
        for (int64_t k = 0; k < w.heatmap.scene().rows(); ++k)
          row.push_back(w.heatmap.shown_value(q, k));
        QCOMPARE(rows[i][rows[0].indexOf("kept_cells")].toLongLong(),
                 static_cast<qlonglong>(cut_row(row, Keep::share(90), std::ssize(row)).kept));
        QCOMPARE(rows[i][rows[0].indexOf("row_sum")].toDouble(), w.heatmap.shown_row_sum(q));
      }
    }
  }

  void words_of_the_command_line() {
    QCOMPARE(combination_from_word("mean"), std::optional(Combination{Combine::kMean, {}}));
    QCOMPARE(combination_from_word("minus:4,1"),
             std::optional(Combination{Combine::kHeadDifference, {4, 1}}));
    QCOMPARE(combination_from_word("minus-layer:3"),
             std::optional(Combination{Combine::kLayerDifference, {3, 0}}));
    for (const char* word : {"", "minus", "minus:", "minus:1", "minus:1,", "minus:1,2,3",
                             "minus:-1,2", "minus-layer:", "minus-layer:1,2", "average"})
      QVERIFY2(!combination_from_word(word), word);
  }

  // --- controls ---

  void keys_and_menu_choose() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    const auto kind = [&] { return v.scene().head.combine.kind; };
    for (Combine next : {Combine::kLayerMean, Combine::kMean, Combine::kHeadDifference,
                         Combine::kLayerDifference, Combine::kHead}) {
      QTest::keyClick(&v, Qt::Key_V);
      QCOMPARE(kind(), next);
    }
    QTest::keyClick(&v, Qt::Key_V, Qt::ShiftModifier);
    QCOMPARE(kind(), Combine::kLayerDifference);
    QTest::keyClick(&v, Qt::Key_V, Qt::ShiftModifier);
    QCOMPARE(kind(), Combine::kHeadDifference);
    QCOMPARE(v.scene().head.combine.other, (HeadId{1, 1}));
    QTest::keyClick(&v, Qt::Key_O);
    QCOMPARE(v.scene().head.combine.other, (HeadId{1, 2}));
    QTest::keyClick(&v, Qt::Key_O, Qt::ShiftModifier);
    QCOMPARE(v.scene().head.combine.other, (HeadId{0, 2}));
    QTest::keyClick(&v, Qt::Key_L);
    QCOMPARE(v.scene().difference_range, 0.3);
    QCOMPARE(v.scene().scale.kind, ColorScale::Kind::kLinear);
    QTest::keyClick(&v, Qt::Key_K);
    QCOMPARE(v.scene().keep, Keep::share(99));
    QTest::keyClick(&v, Qt::Key_K, Qt::ShiftModifier);
    QCOMPARE(v.scene().keep, Keep{});
    QVERIFY(v.accessibleDescription().contains(QStringLiteral("weight(layer 0 head 0) − ")));

    const auto boxes = v.findChildren<QSpinBox*>();
    QCOMPARE(boxes.size(), 4);
    QCOMPARE(boxes[2]->value(), 0);
    QCOMPARE(boxes[3]->value(), 2);
    boxes[3]->setValue(3);
    QCOMPARE(v.scene().head.combine.other, (HeadId{0, 3}));

    auto* show = v.findChild<QToolButton*>();
    QVERIFY(show && show->menu() && show->focusPolicy() & Qt::TabFocus);
    QVERIFY(!show->accessibleName().isEmpty());
    const auto choose = [&](const QString& text) {
      for (QAction* action : show->menu()->actions())
        if (action->text() == text) return action->trigger(), true;
      return false;
    };
    QVERIFY(choose(name_of(Combine::kMean)));
    QCOMPARE(kind(), Combine::kMean);
    QVERIFY(choose(name_of(Keep::at_least(0.05f))));
    QCOMPARE(v.scene().keep, Keep::at_least(0.05f));
  }

  void a_place_holds_what_is_shown() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    QVERIFY(v.place().empty());
    v.set_combination({Combine::kHeadDifference, {1, 3}});
    v.set_keep(Keep::at_least(0.05f));
    v.set_difference_range(0.1);
    const std::vector<double> whole = v.place();
    v.zoom(4);
    const std::vector<double> zoomed = v.place();
    const double scale = v.transform().x.scale;
    v.go_to_place({});
    QVERIFY(v.transform().is_fit());
    QCOMPARE(v.scene().head.combine.kind, Combine::kHead);
    QCOMPARE(v.scene().keep, Keep{});
    QVERIFY(v.place().empty());
    v.go_to_place(zoomed);
    QCOMPARE(v.transform().x.scale, scale);
    QCOMPARE(v.scene().head.combine, (Combination{Combine::kHeadDifference, {1, 3}}));
    QCOMPARE(v.scene().keep, Keep::at_least(0.05f));
    QCOMPARE(v.place(), zoomed);
    v.go_to_place(whole);
    QVERIFY(v.transform().is_fit());
    QCOMPARE(v.place(), whole);
  }

  void the_header_fits_at_every_text_size() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    for (int percent : {100, 125, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      for (const Combination& combination : combinations()) {
        w.heatmap.set_combination(combination);
        w.heatmap.resize(665 * std::max(percent, 100) / (percent > 150 ? 150 : percent), 400);
        QCoreApplication::processEvents();
        const auto* header = w.heatmap.findChild<PanelHeader*>();
        for (QWidget* control : header->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
          if (!control->isVisible()) continue;
          QVERIFY2(control->geometry().right() < header->width(),
                   qPrintable(QStringLiteral("%1 at %2 % in %3")
                                  .arg(control->accessibleName())
                                  .arg(percent)
                                  .arg(name_of(combination.kind))));
        }
      }
    }
    Theme::instance().set_text_percent(100);
  }

  // In a file of 85 mm the labels of rows give way to the cells, and no text says "zoom in". The
  // title has as many lines as it needs.
  void a_narrow_file_keeps_its_cells() {
    HeatmapBench w;
    Scenario scenario = small_scenario(60, 1);
    scenario.requests[0].name = std::string(100, 'n');
    QVERIFY(w.run(scenario));
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      HeatmapScene scene = w.heatmap.scene();
      scene.read_look();
      scene.caption = true;
      const QSize size = w.heatmap.export_size_for(85 * kPixelsPerMm);
      const QRectF cells = layout_heatmap(scene, QRectF(QPointF(), size)).cells;
      const QByteArray place = TextRecorder::words(cells).toUtf8();
      QVERIFY2(std::abs(cells.width() - cells.height()) <= 1.5, place);
      QVERIFY2(cells.width() >= 0.25 * size.width(), place);
      TextRecorder recorder(size);
      QPainter painter(&recorder);
      heatmap_drawing(scene)(painter, QRectF(QPointF(), size));
      painter.end();
      QString all;
      for (const DrawnText& text : recorder.texts()) all += text.text + QLatin1Char('\n');
      QVERIFY2(!all.contains(QStringLiteral("zoom in")), qPrintable(all));
      all.remove(QLatin1Char('\n')).remove(QLatin1Char(' '));
      QVERIFY2(all.contains(QString(100, QLatin1Char('n')) +
                            QStringLiteral(":attentionweights,layer0,head0")),
               qPrintable(all));
    }
    Theme::instance().set_text_percent(100);
    QVERIFY(keep_words(Keep::share(90), 1).contains(QStringLiteral("zoom in")));
    QVERIFY(!keep_words(Keep::share(90), 1, false).contains(QStringLiteral("zoom")));
  }
};

ATTN_QT_TEST(test_heatmap_options, attn::gui::test::run<TestHeatmapOptions>)
#include "test_heatmap_options.moc"
