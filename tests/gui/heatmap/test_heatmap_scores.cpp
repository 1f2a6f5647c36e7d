// SPDX-License-Identifier: GPL-3.0-or-later
// Scores, exp(score - max), written values and outputs in the heatmap; rows in the inspector.
#include <QMenu>
#include <QToolButton>
#include <cmath>
#include <random>

#include "engine/explore/written.h"
#include "engine/model/model.h"
#include "gui/app/commands/command_palette.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/figure/row_table.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/view_stage.h"
#include "tests/gui/window/window_fixture.h"
#include "tests/support/dense.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// Score of the record's operands with soft cap and ALiBi, without mask.
double defined_score(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
                     int64_t key) {
  const WeightOperands cell = record.operands(layer, head, query, key);
  const WeightRule& rule = record.shape().rules.of(layer);
  double score = double{record.shape().scale} * attn::test::dot(cell.query, cell.key);
  if (rule.soft_cap > 0) score = rule.soft_cap * std::tanh(score / rule.soft_cap);
  return score + double{rule.slope(head)} * static_cast<double>(key - query);
}

double defined_max(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query) {
  double max = -1e30;
  const WeightRule& rule = record.shape().rules.of(layer);
  for (int64_t key = 0; key <= query; ++key)
    if (rule.sees(head, query, key))
      max = std::max(max, defined_score(record, layer, head, query, key));
  return max;
}

QList<QList<QByteArray>> csv_table(const QByteArray& csv) {
  QList<QList<QByteArray>> rows;
  for (const QByteArray& line : csv.split('\n'))
    if (!line.isEmpty()) rows.append(line.split(','));
  return rows;
}

Scenario with_rule(const char* rule) {
  Scenario scenario = small_scenario();
  const QString name = QString::fromLatin1(rule);
  if (name == QStringLiteral("window")) scenario.attention.sliding_window = 9;
  if (name == QStringLiteral("alibi")) scenario.attention.alibi = true;
  if (name == QStringLiteral("soft cap")) scenario.attention.logits_soft_cap = 0.75;
  if (name == QStringLiteral("sink")) scenario.attention.sinks = {0.5, -1, 2, 0};
  if (name != QStringLiteral("plain")) scenario.engine.backend = "reference";
  return scenario;
}

}  // namespace

class TestHeatmapScores : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  void cells_are_the_numbers_of_the_softmax_data() {
    QTest::addColumn<QString>("rule");
    for (const char* rule : {"plain", "window", "alibi", "soft cap", "sink"})
      QTest::newRow(rule) << QString::fromLatin1(rule);
  }
  void cells_are_the_numbers_of_the_softmax() {
    QFETCH(QString, rule);
    HeatmapBench w;
    QVERIFY(w.run(with_rule(rule.toLatin1().constData())));
    w.selection.show(w.record().request(), 1, 3);
    const WeightRule& masks = w.record().shape().rules.of(1);
    const int64_t rows = w.heatmap.scene().rows();
    std::mt19937 random(23);
    for (int i = 0; i < 40; ++i) {
      const auto query = static_cast<int64_t>(random() % static_cast<uint64_t>(rows - 1));
      double exps = 0, max = 0;
      std::vector<double> shown_exps, weights;
      w.heatmap.set_quantity(Quantity::kScore);
      for (int64_t key = 0; key <= query; ++key) {
        const float shown = w.heatmap.shown_value(query, key);
        if (!masks.sees(3, query, key)) {
          QVERIFY(std::isnan(shown));
          continue;
        }
        const double score = defined_score(w.record(), 1, 3, query, key);
        QVERIFY2(std::abs(double{shown} - score) <= 1e-5 * (1 + std::abs(score)),
                 qPrintable(QStringLiteral("%1 %2").arg(shown).arg(score)));
        QVERIFY(same_bits(shown, w.record().operands(1, 3, query, key).score));
      }
      w.heatmap.set_quantity(Quantity::kExp);
      max = defined_max(w.record(), 1, 3, query);
      for (int64_t key = 0; key <= query; ++key) {
        if (!masks.sees(3, query, key)) continue;
        const double shown = double{w.heatmap.shown_value(query, key)};
        const double expected = std::exp(defined_score(w.record(), 1, 3, query, key) - max);
        QVERIFY(std::abs(shown - expected) <= 2e-5 * expected + 1e-7);
        shown_exps.push_back(shown);
        exps += shown;
      }
      QCOMPARE(*std::ranges::max_element(shown_exps), 1.0);
      if (!masks.sinks.empty()) exps += std::exp(double{masks.sink(3)} - max);
      w.heatmap.set_quantity(Quantity::kWeight);
      size_t at = 0;
      for (int64_t key = 0; key <= query; ++key) {
        if (!masks.sees(3, query, key)) continue;
        const double weight = double{w.heatmap.shown_value(query, key)};
        QVERIFY(std::abs(weight - shown_exps[at++] / exps) <= 5e-6 * weight + 1e-9);
      }
    }
    const QStringList table = row_table(w.heatmap.scene(), 20).trimmed().split(QLatin1Char('\n'));
    QCOMPARE(table.front().count(QLatin1Char('\t')), 6);
    qsizetype line = 1;
    for (int64_t key = 0; key <= 20; ++key) {
      if (!masks.sees(3, 20, key)) continue;
      const QStringList cells = table[line++].split(QLatin1Char('\t'));
      const WeightOperands cell = w.record().operands(1, 3, 20, key);
      double squares = 0;
      for (const float value : cell.value) squares += double{value} * double{value};
      QCOMPARE(cells[0].toLongLong(), key);
      QVERIFY(same_bits(cells[2].toFloat(), cell.score));
      QVERIFY(same_bits(cells[4].toFloat(), w.heatmap.shown_value(20, key)));
      QVERIFY(std::abs(cells[6].toDouble() - std::sqrt(squares) * double{cell.weight}) < 1e-9);
    }
    QCOMPARE(line, table.size() - 1);
    QVERIFY(row_table(w.heatmap.scene(), rows).isEmpty());
    w.heatmap.set_quantity(Quantity::kScore);
    QVERIFY(w.settle());
    const double max = defined_max(w.record(), 1, 3, 20);
    QVERIFY(std::abs(w.heatmap.shown_row_sum(20) - max) <= 1e-5 * (1 + std::abs(max)));
    QVERIFY(std::isnan(w.heatmap.shown_column_sum(3)));
    w.heatmap.set_quantity(Quantity::kExp);
    QVERIFY(w.settle());
    QVERIFY(w.heatmap.shown_row_sum(20) >= 1);
  }

  void masked_cells_stay_masked() {
    HeatmapBench w;
    QVERIFY(w.run(with_rule("window")));
    for (const Quantity quantity : {Quantity::kScore, Quantity::kExp}) {
      w.heatmap.set_quantity(quantity);
      QVERIFY(w.settle());
      const auto tile = w.heatmap.tiles().find({0, Reduce::kMax, 0, 0});
      QVERIFY(tile);
      for (int64_t q = 0; q < 40; ++q)
        for (int64_t k = 0; k < 40; ++k)
          QVERIFY((tile->at(q, k) == kMaskedCell) == (k > q || k + 9 <= q));
      QVERIFY(w.heatmap.cell_text(30, 3).contains(QStringLiteral("masked")));
      QVERIFY(!w.heatmap.cell_text(30, 3).contains(QStringLiteral("inf")));
    }
  }

  void blocks_of_cells_hold_their_largest_or_their_mean() {
    HeatmapBench w;
    w.heatmap.resize(420, 360);
    QVERIFY(w.run(small_scenario(700, 1)));
    const AttentionRecord& record = w.record();
    for (const Quantity quantity : {Quantity::kScore, Quantity::kExp}) {
      w.heatmap.set_quantity(quantity);
      for (const Reduce reduce : {Reduce::kMax, Reduce::kMean}) {
        w.heatmap.set_reduce(reduce);
        const int level = w.heatmap.level();
        QVERIFY(level >= 1);
        const int64_t side = int64_t{1} << level;
        QTRY_VERIFY_WITH_TIMEOUT(w.settle() && w.heatmap.tiles().find({level, reduce, 0, 0}),
                                 60000);
        const auto tile = w.heatmap.tiles().find({level, reduce, 0, 0});
        int negative = 0;
        std::mt19937 random(5);
        for (int i = 0; i < 60; ++i) {
          const auto row = static_cast<int64_t>(random() % 70),
                     column = static_cast<int64_t>(random() % static_cast<uint64_t>(row + 1));
          float most = -1e30f;
          double total = 0;
          int64_t count = 0;
          for (int64_t q = row * side; q < (row + 1) * side; ++q) {
            std::vector<float> scores(static_cast<size_t>(q + 1)), values(scores.size());
            record.scores(0, 0, q, 1, 0, q + 1, scores.data());
            const float max = *std::ranges::max_element(scores);
            record.exponentials(0, 0, q, 1, 0, q + 1, &max, values.data());
            if (quantity == Quantity::kScore) values = scores;
            for (int64_t k = column * side; k < (column + 1) * side && k <= q; ++k) {
              most = std::max(most, values[static_cast<size_t>(k)]);
              total += double{values[static_cast<size_t>(k)]};
              ++count;
            }
          }
          const float held = tile->at(row, column);
          if (reduce == Reduce::kMax)
            QVERIFY(same_bits(held, most));
          else
            QVERIFY(std::abs(double{held} - total / static_cast<double>(count)) <= 1e-6);
          negative += held < 0;
        }
        if (quantity == Quantity::kExp) QCOMPARE(negative, 0);
      }
    }
    w.heatmap.set_reduce(Reduce::kMax);
  }

  void cells_are_what_is_written() {
    HeatmapBench w;
    QVERIFY(w.run(deterministic("first-look", 4)));
    w.selection.show(w.record().request(), 3, 4);
    const std::shared_ptr<const Model> model = w.bridge.snapshot()->model.lock();
    QVERIFY(model);
    const Network network = model->network();
    const int64_t rows = w.record().num_rows();
    for (const Quantity quantity : {Quantity::kWrittenValue, Quantity::kWrittenOutput}) {
      QCOMPARE(w.heatmap.refusal_of(quantity), QString());
      w.heatmap.set_quantity(quantity);
      QVERIFY(w.settle());
      const std::vector<float> cells =
          written(network, w.record(), 3, 4,
                  quantity == Quantity::kWrittenValue ? Written::kWeightTimesValue
                                                      : Written::kWeightTimesOutput,
                  0, rows, 0, rows);
      double sum = 0;
      for (int64_t query = 0; query < rows; ++query)
        for (int64_t key = 0; key <= query; ++key) {
          const float cell = cells[static_cast<size_t>(query * rows + key)];
          const double shown = double{w.heatmap.shown_value(query, key)};
          QVERIFY(std::abs(shown - double{cell}) <= 1e-6 * double{cell});
          if (query == 9) sum += double{cell};
        }
      QVERIFY(std::abs(w.heatmap.shown_row_sum(9) - sum) <= 1e-5 * sum);
      w.heatmap.repaint();
      const float most = *std::ranges::max_element(cells);
      QCOMPARE(w.heatmap.scene().score_range->most, most);
      QVERIFY(w.heatmap.scene().shown_scale().high >= double{most});
      QVERIFY(w.heatmap.scene().shown_scale().high <= 1.11 * double{most});
      QVERIFY(w.heatmap.cell_text(9, 3).contains(quantities_of(quantity)));
      QVERIFY(w.heatmap.csv().contains(quantity == Quantity::kWrittenValue
                                           ? "written_value_layer_3_head_4_key_3"
                                           : "written_output_layer_3_head_4_key_3"));
    }
  }

  void keys_menu_and_palette_switch() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    // Without a model there is no output matrix.
    QVERIFY(!v.refusal_of(Quantity::kWrittenOutput).isEmpty());
    for (const Quantity next :
         {Quantity::kScore, Quantity::kExp, Quantity::kWrittenValue, Quantity::kWeight}) {
      QTest::keyClick(&v, Qt::Key_S);
      QCOMPARE(v.scene().quantity(), next);
    }
    QTest::keyClick(&v, Qt::Key_S, Qt::ShiftModifier);
    QTest::keyClick(&v, Qt::Key_S, Qt::ShiftModifier);
    QCOMPARE(v.scene().quantity(), Quantity::kExp);
    auto* show = v.findChild<QToolButton*>();
    const auto action = [&](Quantity quantity) -> QAction* {
      for (QAction* one : show->menu()->actions())
        if (one->text() == name_of(quantity)) return one;
      return nullptr;
    };
    QVERIFY(action(Quantity::kExp)->isChecked());
    action(Quantity::kScore)->trigger();
    QCOMPARE(v.scene().quantity(), Quantity::kScore);
    QVERIFY(action(Quantity::kScore)->isChecked() && !action(Quantity::kExp)->isChecked());
    QTest::keyClick(&v, Qt::Key_V);
    QCOMPARE(v.scene().head.combine.kind, Combine::kLayerMean);
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    QTest::keyClick(&v, Qt::Key_S);
    QCOMPARE(v.scene().head.combine.kind, Combine::kHead);
    QCOMPARE(v.scene().quantity(), Quantity::kScore);
    v.set_keep(Keep::share(90));
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    v.set_quantity(Quantity::kExp);
    QCOMPARE(v.scene().keep, Keep{});
    const std::vector<double> place = v.place();
    v.go_to_place({});
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    QVERIFY(v.place().empty());
    v.zoom(3);
    const std::vector<double> zoomed = v.place();
    v.go_to_place(place);
    QCOMPARE(v.scene().quantity(), Quantity::kExp);
    QCOMPARE(v.place(), place);
    v.go_to_place(zoomed);
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    v.go_to_place({0, 0, 0, 0, 1, 77});  // 77 is no quantity
    QCOMPARE(v.scene().quantity(), Quantity::kWeight);
    bool help = false;
    for (const KeyHelp& line : v.key_help()) help |= line.keys == QStringLiteral("S, Shift+S");
    QVERIFY(help);

    Workbench window(synthetic_scenario(40, 4));
    QVERIFY(QTest::qWaitForWindowExposed(window.window.get()));
    QVERIFY(window.control.start());
    QVERIFY(wait_until_phase(window.bridge, EnginePhase::kFinished));
    window.window->attention_tabs()->setCurrentWidget(window.window->view("heads"));
    QTest::keyClick(window.window.get(), Qt::Key_K, Qt::ControlModifier);
    auto* palette = window.window->findChild<CommandPalette*>();
    QVERIFY(palette);
    QTest::keyClicks(palette->line(), QStringLiteral("heatmap score before"));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTest::qWait(1);
    QCOMPARE(window.window->attention_tabs()->currentWidget(), window.window->view("heatmap"));
    QCOMPARE(window.window->view<HeatmapView>()->scene().quantity(), Quantity::kScore);
  }

  void scores_stand_in_cells_that_are_wide_enough() {
    const QFont font = Theme::instance().mono(TextRole::kSmall);
    const double four = text_width(font, QStringLiteral("0.00")),
                 five = text_width(font, QStringLiteral("-0.00"));
    QCOMPARE(score_decimals({-1.5F, 3.25F}, font, five), 2);
    QCOMPARE(score_decimals({-1.5F, 3.25F}, font, four), 1);
    QCOMPARE(score_decimals({-15.5F, 3.25F}, font, five), 1);
    QCOMPARE(score_decimals({-15.5F, 3.25F}, font, four), 0);
    QCOMPARE(score_decimals({0.5F, 3.25F}, font, four), 2);
    QCOMPARE(score_text(-1.27, 1), QStringLiteral("-1.3"));
  }

  void colours_and_legend_name_the_number() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    v.select_cell({20, 7});
    v.clear_selection();
    const QImage weights = picture_of(v);
    v.set_quantity(Quantity::kScore);
    QVERIFY(w.settle());
    picture_of(v);
    float least = 1e30f, most = -1e30f;
    const int64_t rows = v.scene().rows();
    for (int64_t q = 0; q < rows; ++q)
      for (int64_t k = 0; k <= q && w.record().row_done(0, 0, q); ++k) {
        const float score = w.record().operands(0, 0, q, k).score;
        least = std::min(least, score);
        most = std::max(most, score);
      }
    QVERIFY(v.scene().score_range);
    QCOMPARE(v.scene().score_range->least, least);
    QCOMPARE(v.scene().score_range->most, most);
    const ColorScale scale = v.scene().shown_scale();
    QVERIFY(scale.is_symmetric());
    const double end = std::max(std::abs(double{least}), std::abs(double{most}));
    QVERIFY(scale.high >= end && scale.high <= 1.1 * end);
    QCOMPARE(scale.index(0), 128);
    v.select_cell({20, 7});
    const QString told = v.accessibleDescription();
    QVERIFY2(
        told.contains(QStringLiteral("attention scores, scores from %1 to %2")
                          .arg(format_number(double{least}, 4), format_number(double{most}, 4))),
        qPrintable(told));
    const WeightOperands cell = w.record().operands(0, 0, 20, 7);
    QVERIFY(v.cell_text(20, 7).contains(
        QStringLiteral("score %1 = ").arg(format_number(double{cell.score}, 5))));
    QVERIFY(v.cell_text(20, 7).contains(
        QStringLiteral("weight %1 = ").arg(format_number(double{cell.weight}, 5))));
    QVERIFY(v.cell_text(20, 7).contains(QStringLiteral("largest score of the row")));
    v.clear_selection();
    QCOMPARE(quantity_of(v.scene().head), QStringLiteral("score"));
    v.set_quantity(Quantity::kExp);
    QVERIFY(w.settle());
    QVERIFY(v.cell_text(20, 7).contains(QStringLiteral("exp(score − max) ")));
    QCOMPARE(quantity_of(v.scene().head), QStringLiteral("exp(score − max)"));
    QVERIFY(v.scene().shown_scale() == weight_scale(ColorScale::Kind::kLinear));
    // Weights look as before.
    v.set_quantity(Quantity::kWeight);
    QVERIFY(w.settle());
    QCOMPARE(picture_of(v), weights);
  }

  void files_hold_what_is_shown() {
    HeatmapBench w;
    QVERIFY(w.run(with_rule("window")));
    HeatmapView& v = w.heatmap;
    const QByteArray weights = v.csv();
    const QImage picture = drawn(v.drawing(), {700, 600});
    for (const Quantity quantity : {Quantity::kScore, Quantity::kExp}) {
      v.set_quantity(quantity);
      QVERIFY(v.has_own_table());
      const auto rows = csv_table(v.csv());
      const QByteArray word(word_of(quantity).data(),
                            static_cast<qsizetype>(word_of(quantity).size()));
      QCOMPARE(rows[0][2], quantity == Quantity::kScore ? QByteArray("row_max") : "row_sum");
      QCOMPARE(rows[0][3], word + "_layer_0_head_0_key_0");
      for (int64_t q = 0; q < 40; ++q)
        for (int64_t k = 0; k < 40; ++k) {
          const QByteArray& cell =
              rows[static_cast<qsizetype>(q) + 1][static_cast<qsizetype>(k) + 3];
          if (k > q || k + 9 <= q)
            QVERIFY(cell.isEmpty());
          else
            QVERIFY(same_bits(cell.toFloat(), v.shown_value(q, k)));
        }
      QVERIFY(drawn(v.drawing(), {700, 600}) != picture);
    }
    v.set_quantity(Quantity::kWeight);
    QVERIFY(!v.has_own_table());
    QCOMPARE(v.csv(), weights);
    QCOMPARE(drawn(v.drawing(), {700, 600}), picture);
  }

  void a_past_step_shows_its_rows_only() {
    Workbench f(synthetic_scenario(40, 30));
    QVERIFY(QTest::qWaitForWindowExposed(f.window.get()));
    QVERIFY(f.control.start());
    QVERIFY(wait_until_phase(f.bridge, EnginePhase::kFinished));
    HeatmapView& v = *f.window->view<HeatmapView>();
    for (const Quantity quantity : {Quantity::kScore, Quantity::kExp}) {
      v.set_quantity(quantity);
      f.window->cursor().go_live();
      QTRY_VERIFY(!v.tiles().busy());
      QVERIFY(!std::isnan(v.shown_value(60, 3)));
      f.window->cursor().go_to(4);  // 40 rows of the prompt and 3 more
      QTRY_VERIFY(!v.tiles().busy());
      QCOMPARE(v.rows(), int64_t{43});
      QVERIFY(!std::isnan(v.shown_value(42, 3)));
      QVERIFY(std::isnan(v.shown_value(43, 3)));
      QVERIFY(std::isnan(v.shown_row_sum(43)));
      QVERIFY(!std::isnan(v.shown_row_sum(42)) || !shows_sums(v.transform()));
      v.grab();
      if (quantity != Quantity::kScore) continue;
      float least = 1e30f, most = -1e30f;
      for (int64_t q = 0; q < 43; ++q)
        for (int64_t k = 0; k <= q; ++k) {
          const float score = v.shown_value(q, k);
          least = std::min(least, score);
          most = std::max(most, score);
        }
      QVERIFY(v.scene().score_range == (ScoreRange{least, most}));
      QCOMPARE(csv_table(v.csv()).size(), qsizetype{44});
    }
  }

  void the_inspector_follows_a_row_to_its_output() {
    for (const char* rule : {"plain", "window", "alibi", "soft cap", "sink"}) {
      HeatmapBench w;
      QVERIFY(w.run(with_rule(rule)));
      const AttentionRecord& record = w.record();
      const int64_t layer = 1, head = 2, query = 30;
      const WeightRule& masks = record.shape().rules.of(layer);
      w.selection.show(record.request(), layer, head);
      w.selection.select(
          {.kind = SelectionKind::kToken, .request = record.request(), .query = query});
      const double max = defined_max(record, layer, head, query);
      double sum = masks.sinks.empty() ? 0 : std::exp(double{masks.sink(head)} - max);
      std::vector<double> output(32, 0.0);
      for (int64_t k = 0; k <= query; ++k)
        if (masks.sees(head, query, k))
          sum += std::exp(defined_score(record, layer, head, query, k) - max);
      for (int64_t k = 0; k <= query; ++k) {
        if (!masks.sees(head, query, k)) continue;
        const double weight = std::exp(defined_score(record, layer, head, query, k) - max) / sum;
        const WeightOperands cell = record.operands(layer, head, query, k);
        QCOMPARE(cell.value.size(), size_t{32});
        for (size_t e = 0; e < 32; ++e) output[e] += weight * double{cell.value[e]};
      }
      const InspectorContent& content = w.inspector.content();
      const InspectorItem *head_line = nullptr, *sum_line = nullptr, *shown = nullptr;
      std::array<double, 3> added{};
      const auto number_in = [](const QString& text) { return QLocale::c().toDouble(text); };
      for (const InspectorItem& item : content.items) {
        if (item.kind == InspectorItem::Kind::kChainHead) head_line = &item;
        if (item.kind == InspectorItem::Kind::kVector &&
            item.name.startsWith(QStringLiteral("output")))
          shown = &item;
        if (item.kind != InspectorItem::Kind::kChain) continue;
        if (item.name == QStringLiteral("sum")) {
          sum_line = &item;
          continue;
        }
        for (size_t i = 0; i < 3 && static_cast<qsizetype>(i) + 1 < item.cells.size(); ++i)
          added[i] += number_in(item.cells[static_cast<qsizetype>(i) + 1]);
      }
      QVERIFY(head_line && sum_line && shown);
      QCOMPARE(head_line->cells.size(), 4);
      QVERIFY(std::abs(number_in(sum_line->cells[1]) - sum) < 2e-4 * sum);
      QVERIFY(std::abs(added[0] - sum) < 1e-3 * sum);
      if (masks.sinks.empty()) QVERIFY(std::abs(number_in(sum_line->cells[2]) - 1) < 1e-4);
      QVERIFY(std::abs(added[1] - 1) < 1e-3);
      QVERIFY(std::abs(added[2] - output[0]) < 2e-3);
      QVERIFY(std::abs(number_in(sum_line->cells[3]) - output[0]) < 2e-4);
      QCOMPARE(shown->numbers.size(), size_t{32});
      for (size_t e = 0; e < 32; ++e)
        QVERIFY(std::abs(double{shown->numbers[e]} - output[e]) < 1e-5);

      w.selection.select({.kind = SelectionKind::kCell,
                          .request = record.request(),
                          .layer = layer,
                          .head = head,
                          .query = query,
                          .key = 28});
      const WeightOperands cell = record.operands(layer, head, query, 28);
      const auto vector = [&](const QString& name) {
        for (const InspectorItem& item : w.inspector.content().items)
          if (item.kind == InspectorItem::Kind::kVector && item.name == name) return item.numbers;
        return std::vector<float>();
      };
      QCOMPARE(vector(QStringLiteral("q")), cell.query);
      QCOMPARE(vector(QStringLiteral("k")), cell.key);
      QCOMPARE(vector(QStringLiteral("v")), cell.value);
      const auto row = vector(QStringLiteral("output of the row: Σ weight × v"));
      QCOMPARE(row.size(), size_t{32});
      for (size_t e = 0; e < 32; ++e) QVERIFY(std::abs(double{row[e]} - output[e]) < 1e-5);
      const QString text = w.inspector.content().to_text();
      QVERIFY(text.contains(QStringLiteral("weight = exp(score − m) ÷ d = ")));
    }
  }
};

ATTN_QT_TEST(test_heatmap_scores, attn::gui::test::run<TestHeatmapScores>)
#include "test_heatmap_scores.moc"
