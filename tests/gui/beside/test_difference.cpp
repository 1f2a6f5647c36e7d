// SPDX-License-Identifier: GPL-3.0-or-later
// The view Difference: the attention weights of the run in the window minus those of the run
// beside. Its numbers are compared with weights that are read from the records of both runs.
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "backends/register_all.h"
#include "gui/views/attention/difference/difference_table.h"
#include "gui/views/attention/difference/difference_view.h"
#include "gui/views/attention/difference/difference_words.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

Scenario pair_scenario(uint64_t seed, int64_t prompt, int64_t output) {
  Scenario scenario = synthetic_scenario(prompt, output);
  scenario.source.synthetic->kind = SyntheticKind::kRandom;
  scenario.seed = seed;
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

// Two finished runs, each on a bridge of its own, and the view of their differences.
struct PairStage {
  EngineBridge here, beside;
  Selection selection, other;
  TimeCursor cursor{here}, other_cursor{beside};
  DifferenceView view{{&here, &selection, &cursor},
                      {&beside, &other, &other_cursor},
                      QStringLiteral("the run before")};

  PairStage() {
    follow_runs(here, selection);
    follow_runs(beside, other);
    view.resize(760, 640);
    view.show();
  }
  bool run(const Scenario& in_window, const Scenario& second) {
    here.start(in_window);
    beside.start(second);
    return wait_until_phase(here, EnginePhase::kFinished) &&
           wait_until_phase(beside, EnginePhase::kFinished) && settle();
  }
  // Waits until the view shows the present pair, with all its numbers.
  bool settle() {
    return QTest::qWaitFor(
        [this] {
          const RunPair now = view.pair(), &seen = view.canvas().scene().pair;
          return !now.is_empty() && !seen.is_empty() && seen.same_heads(now) &&
                 seen.here.head.rows == now.here.head.rows &&
                 seen.beside.head.rows == now.beside.head.rows && seen.rows() == now.rows() &&
                 !view.is_behind() && !state().behind && state().sums.compared > 0;
        },
        60000);
  }
  const DifferenceState& state() { return view.canvas().state(); }
  // A cell as it is drawn, of the first tile.
  float entry(int64_t query, int64_t key) {
    return state().tiles.at(TileKey{0, Reduce::kMax, 0, 0})->at(query, key);
  }
  int64_t request(size_t place = 0) { return here.snapshot()->requests[place].id; }
};

const AttentionRecord& record_in(const EngineBridge& bridge) {
  return *bridge.snapshot()->requests.front().attention;
}

}  // namespace

class TestDifference : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
  }
  void init() { fail_on_warnings(); }

  void cells_are_the_differences_of_the_weights() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 30, 6), pair_scenario(4, 30, 6)));
    s.selection.show(s.request(), 1, 2);
    QVERIFY(s.settle());
    const AttentionRecord &a = record_in(s.here), &b = record_in(s.beside);
    const int64_t rows = a.num_rows();
    QCOMPARE(rows, int64_t{35});
    QCOMPARE(b.num_rows(), rows);
    std::mt19937 rng(7);
    for (int i = 0; i < 50; ++i) {
      const auto query = static_cast<int64_t>(rng() % static_cast<uint32_t>(rows));
      const auto key = static_cast<int64_t>(rng() % static_cast<uint32_t>(query + 1));
      const float wanted = weight_of(a, 1, 2, query, key) - weight_of(b, 1, 2, query, key);
      QVERIFY2(same_bits(s.entry(query, key), wanted),
               qPrintable(QStringLiteral("query %1, key %2").arg(query).arg(key)));
    }
    int64_t count = 0;
    double size = 0;
    float largest = 0;
    for (int64_t query = 0; query < rows; ++query)
      for (int64_t key = 0; key <= query; ++key) {
        const float one = std::abs(weight_of(a, 1, 2, query, key) - weight_of(b, 1, 2, query, key));
        size += static_cast<double>(one);
        largest = std::max(largest, one);
        ++count;
      }
    const DifferenceSums sums = s.state().sums;
    QVERIFY(largest > 0);
    QCOMPARE(sums.compared, count);
    QCOMPARE(sums.not_numbers, int64_t{0});
    QVERIFY(std::abs(sums.mean() - size / static_cast<double>(count)) < 1e-9);
    QVERIFY(same_bits(std::abs(sums.largest), largest));
    QVERIFY(same_bits(sums.largest, weight_of(a, 1, 2, sums.query, sums.key) -
                                        weight_of(b, 1, 2, sums.query, sums.key)));
    QVERIFY(s.entry(3, 9) == kMaskedCell && s.entry(0, 34) == kMaskedCell);
    const ColorScale scale = difference_scale(sums);
    QVERIFY(scale.is_symmetric() && scale.high >= static_cast<double>(largest));
    QCOMPARE(scale.index(0), 128);
    const QString text = s.view.canvas().accessibleDescription();
    QVERIFY2(text.contains(QStringLiteral("630 cells")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("weight beside (the run before: test)")),
             qPrintable(text));
  }

  void a_cell_says_both_weights() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 20, 2), pair_scenario(4, 20, 2)));
    DifferenceCanvas& canvas = s.view.canvas();
    const QPointF place = canvas.rect_of(9, 4).center();
    const ViewPoint point = canvas.point_at(place);
    const float here = weight_of(record_in(s.here), 0, 0, 9, 4),
                beside = weight_of(record_in(s.beside), 0, 0, 9, 4);
    QCOMPARE(point.numbers.size(), size_t{3});
    QCOMPARE(point.numbers[0].text, exact_number(here - beside));
    QCOMPARE(point.numbers[1].text, exact_number(here));
    QCOMPARE(point.numbers[2].text, exact_number(beside));
    QVERIFY(point.text.contains(QStringLiteral("query 9")) &&
            point.text.contains(QStringLiteral("in the window: weight")));
    QVERIFY(canvas.tooltip_at(place).contains(QStringLiteral("beside: weight")));
    const ViewPoint masked = canvas.point_at(canvas.rect_of(4, 9).center());
    QVERIFY(masked.numbers.empty() && masked.text.contains(QStringLiteral("masked")));
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(s.selection.state().kind, SelectionKind::kCell);
    QCOMPARE(s.selection.state().query, int64_t{9});
    QCOMPARE(s.selection.state().key, int64_t{4});
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(s.selection.state().key, int64_t{5});
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(s.selection.state().kind, SelectionKind::kNothing);
  }

  void a_head_knocked_out_changes_the_layers_above() {
    Scenario plain = load_scenario(find_scenario("first-look"));
    plain.engine.clock = ClockKind::kVirtual;
    plain.view.pace_tiles_per_s = 0;
    plain.requests.front().max_tokens = 1;
    Scenario changed = plain;
    changed.requests.front().interventions = {
        {.kind = InterventionKind::kHead, .layer = 0, .head = 0}};
    PairStage s;
    QVERIFY(s.run(changed, plain));
    s.selection.show(s.request(), 0, 1);
    QVERIFY(s.settle());
    QCOMPARE(s.state().sums.largest, 0.0f);
    const auto text = [&] { return s.view.canvas().accessibleDescription(); };
    QTRY_VERIFY2(text().contains(QStringLiteral("No difference")), qPrintable(text()));
    s.selection.show(s.request(), 2, 1);
    QVERIFY(s.settle());
    QVERIFY(std::abs(s.state().sums.largest) > 0);
    QTRY_VERIFY2(text().contains(QStringLiteral("in the window head 0.0 off, beside nothing")),
                 qPrintable(text()));
    const float wanted =
        weight_of(record_in(s.here), 2, 1, 7, 3) - weight_of(record_in(s.beside), 2, 1, 7, 3);
    QVERIFY(same_bits(s.entry(7, 3), wanted));
  }

  void runs_of_other_lengths() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 12, 3), pair_scenario(3, 20, 6)));
    const RunPair& pair = s.view.canvas().scene().pair;
    QCOMPARE(pair.here.rows, int64_t{14});
    QCOMPARE(pair.beside.rows, int64_t{25});
    QCOMPARE(s.view.canvas().scene().cells.rows(), int64_t{25});
    QCOMPARE(s.state().sums.compared, int64_t{14 * 15 / 2});
    // What only one run has is no difference of 0.
    QVERIFY(s.entry(20, 5) == kNotComputedCell && s.entry(14, 14) == kNotComputedCell);
    QVERIFY(s.entry(5, 20) == kMaskedCell);
    QVERIFY(same_bits(s.entry(13, 3), weight_of(record_in(s.here), 0, 0, 13, 3) -
                                          weight_of(record_in(s.beside), 0, 0, 13, 3)));
    QVERIFY(!weight_in(pair.here, 20, 5) && weight_in(pair.beside, 20, 5));
    const QString cell = difference_cell_text(pair, 20, 5);
    QVERIFY2(cell.contains(QStringLiteral("in the window: there is no such position")),
             qPrintable(cell));
    const QString text = s.view.canvas().sentences();
    QVERIFY2(text.contains(QStringLiteral("14 tokens in the window, 25 tokens beside")),
             qPrintable(text));
    QVERIFY(s.view.csv().contains(",20,5,"));
    QTest::mouseClick(&s.view.canvas(), Qt::LeftButton, {},
                      s.view.canvas().rect_of(20, 5).center().toPoint());
    QCOMPARE(s.selection.state().kind, SelectionKind::kNothing);
    // The longer run in the window.
    PairStage turned;
    QVERIFY(turned.run(pair_scenario(3, 20, 6), pair_scenario(3, 12, 3)));
    QCOMPARE(turned.state().sums.compared, int64_t{14 * 15 / 2});
    QVERIFY(turned.entry(20, 5) == kNotComputedCell && turned.entry(5, 20) == kMaskedCell);
  }

  void a_key_that_one_run_masks_is_no_difference() {
    Scenario window = pair_scenario(3, 20, 1);
    window.attention.sliding_window = 4;
    PairStage s;
    QVERIFY(s.run(window, pair_scenario(3, 20, 1)));
    QVERIFY(s.entry(18, 2) == kNotComputedCell);
    QVERIFY(s.entry(2, 18) == kMaskedCell);
    QVERIFY(same_bits(s.entry(18, 17), weight_of(record_in(s.here), 0, 0, 18, 17) -
                                           weight_of(record_in(s.beside), 0, 0, 18, 17)));
    int64_t seen = 0;
    for (int64_t query = 0; query < 20; ++query) seen += std::min<int64_t>(query + 1, 4);
    QCOMPARE(s.state().sums.compared, seen);
    const QString cell = difference_cell_text(s.view.pair(), 18, 2);
    QVERIFY2(cell.contains(QStringLiteral("in the window: masked")), qPrintable(cell));
  }

  void differences_that_are_no_numbers_are_said() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 12, 2), pair_scenario(4, 12, 2)));
    DifferenceSums sums;
    sums.not_numbers = 3;
    const QString text = difference_sentences(s.view.canvas().scene(), sums, false);
    QVERIFY2(text.startsWith(QStringLiteral("No difference is a number.")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("not a number: 3 cells")), qPrintable(text));
  }

  // Otherwise it would keep the KV cache of that run in memory.
  void a_hidden_view_lets_go_of_a_replaced_run() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 12, 2), pair_scenario(4, 12, 2)));
    s.view.hide();
    QVERIFY(!s.view.canvas().scene().is_empty());
    s.here.start(pair_scenario(5, 14, 2));
    QTRY_VERIFY(s.view.canvas().scene().is_empty());
    QVERIFY(wait_until_phase(s.here, EnginePhase::kFinished));
    s.view.show();
    QVERIFY(s.settle());
    QCOMPARE(s.view.pair().here.rows, int64_t{15});
  }

  void dots_show_the_largest_difference() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 300, 1), pair_scenario(4, 300, 1)));
    const RunPair pair = s.view.pair();
    WeightDifferences read;
    const auto go_on = [] { return true; };
    for (const int64_t row : {0, 1})
      for (const int64_t column : {0, 1})
        QVERIFY(read.refresh(pair, TileKey{0, Reduce::kMax, row, column}, go_on));
    const DifferenceSums of_tiles = read.sums();
    QVERIFY(read.refresh_sums(pair, go_on));
    QCOMPARE(read.sums().compared, int64_t{300 * 301 / 2});
    QCOMPARE(of_tiles.compared, read.sums().compared);
    QCOMPARE(read.sums().size, s.state().sums.size);
    const TileKey coarse{2, Reduce::kMax, 0, 0};
    QVERIFY(read.refresh(pair, coarse, go_on));
    const auto at = [&](int64_t query, int64_t key) {
      const TileKey tile{0, Reduce::kMax, query / kTileSide, key / kTileSide};
      return read.tiles().at(tile)->at(query % kTileSide, key % kTileSide);
    };
    for (int64_t row = 0; row < 75; ++row)
      for (int64_t column = 0; column < 75; ++column) {
        float wanted = kMaskedCell;
        for (int64_t cell = 0; cell < 16; ++cell) {
          const float value = at(4 * row + cell / 4, 4 * column + cell % 4);
          if (!is_value(value)) continue;
          if (!is_value(wanted) || std::abs(value) > std::abs(wanted) ||
              (std::abs(value) == std::abs(wanted) && value > wanted))
            wanted = value;
        }
        QVERIFY2(same_bits(read.tiles().at(coarse)->at(row, column), wanted),
                 qPrintable(QStringLiteral("dot %1, %2").arg(row).arg(column)));
      }
  }

  void requests_are_paired_by_name_and_else_by_place() {
    Scenario one = pair_scenario(3, 12, 2);
    one.requests.push_back(one.requests.front());
    Scenario two = one, three = one;
    one.requests[0].name = "A";
    one.requests[1].name = "B";
    two.requests[0].name = "B";
    two.requests[1].name = "C";
    PairStage s;
    QVERIFY(s.run(one, two));
    s.selection.show(s.request(0), 0, 0);
    RunPair pair = s.view.pair();
    QVERIFY(!pair.by_name);
    QCOMPARE(pair.here.request, QStringLiteral("A"));
    QCOMPARE(pair.beside.request, QStringLiteral("B"));
    QVERIFY(s.settle());
    QVERIFY(s.view.canvas().sentences().contains(QStringLiteral("“A” is paired with “B”")));
    s.selection.show(s.request(1), 0, 0);
    pair = s.view.pair();
    QVERIFY(pair.by_name);
    QCOMPARE(pair.beside.request, QStringLiteral("B"));
    QVERIFY(pair.beside.head.record == s.beside.snapshot()->requests[0].attention);
    three.requests.pop_back();
    three.requests[0].name = "D";
    PairStage alone;
    QVERIFY(alone.run(one, three));
    alone.selection.show(alone.request(1), 0, 0);
    pair = alone.view.pair();
    QVERIFY2(pair.refusal.contains(QStringLiteral("no request “B”")), qPrintable(pair.refusal));
    QTRY_VERIFY(alone.view.canvas().scene().is_empty());
  }

  void a_layer_that_one_run_lacks_is_refused() {
    Scenario small = pair_scenario(3, 12, 2);
    small.source.synthetic->num_layers = 1;
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 12, 2), small));
    s.selection.show(s.request(), 1, 0);
    QVERIFY(s.view.pair().refusal.contains(QStringLiteral("no layer 1")));
    QCOMPARE(s.view.canvas().sentences(), s.view.pair().refusal);
  }

  void at_a_past_step_both_runs_are_as_they_were() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 12, 6), pair_scenario(4, 12, 6)));
    QCOMPARE(s.view.pair().rows(), int64_t{17});
    s.cursor.go_to(2);
    s.other_cursor.go_to(1);
    QVERIFY(s.settle());
    const RunPair& pair = s.view.canvas().scene().pair;
    QCOMPARE(pair.here.rows, int64_t{13});
    QCOMPARE(pair.beside.rows, int64_t{12});
    QCOMPARE(s.state().sums.compared, int64_t{12 * 13 / 2});
    QVERIFY(s.entry(12, 3) == kNotComputedCell);
    QVERIFY(!weight_in(pair.beside, 12, 3) && weight_in(pair.here, 12, 3));
    QVERIFY(s.view.canvas().sentences().contains(
        QStringLiteral("After step 2 in the window and step 1 beside.")));
    s.cursor.go_live();
    s.other_cursor.go_live();
    QVERIFY(s.settle());
    QCOMPARE(s.state().sums.compared, int64_t{17 * 18 / 2});
    QVERIFY(is_value(s.entry(12, 3)));
  }

  void the_table_has_the_cells() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 16, 3), pair_scenario(4, 16, 3)));
    s.selection.show(s.request(), 1, 3);
    QVERIFY(s.settle());
    QList<QByteArray> lines = s.view.csv().split('\n');
    QCOMPARE(lines.takeFirst(),
             QByteArray("request,layer,head,query,key,query_token,key_token,other_query_token,"
                        "other_key_token,weight,other_weight,difference"));
    QCOMPARE(lines.takeLast(), QByteArray());
    QCOMPARE(static_cast<int64_t>(lines.size()), int64_t{18 * 19 / 2});
    const auto& tokens = *s.here.snapshot()->requests.front().tokens;
    const auto& other_tokens = *s.beside.snapshot()->requests.front().tokens;
    const auto number = [](const QByteArray& text) {
      return std::strtof(text.constData(), nullptr);
    };
    for (const QByteArray& line : lines) {
      const QList<QByteArray> fields = line.split(',');
      QCOMPARE(static_cast<int>(fields.size()), 12);
      QVERIFY(fields[0].toLongLong() == s.request() && fields[1] == "1" && fields[2] == "3");
      const qlonglong query = fields[3].toLongLong(), key = fields[4].toLongLong();
      const float a = weight_of(record_in(s.here), 1, 3, query, key),
                  b = weight_of(record_in(s.beside), 1, 3, query, key);
      QVERIFY(same_bits(number(fields[9]), a) && same_bits(number(fields[10]), b));
      QVERIFY(same_bits(number(fields[11]), a - b));
      QVERIFY(same_bits(number(fields[11]), s.entry(query, key)));
      const auto text = [](const std::vector<TokenView>& of, qlonglong position) {
        return QByteArray::fromStdString(of[static_cast<size_t>(position)].text);
      };
      QVERIFY(fields[5] == text(tokens, query) && fields[6] == text(tokens, key));
      QVERIFY(fields[7] == text(other_tokens, query) && fields[8] == text(other_tokens, key));
    }
  }

  void pictures_are_written() {
    PairStage s;
    QVERIFY(s.run(pair_scenario(3, 20, 2), pair_scenario(4, 24, 2)));
    const QString stem = folder_.filePath(s.view.export_name());
    QCOMPARE(export_png(s.view, stem + QStringLiteral(".png"), 1), QString());
    QCOMPARE(export_svg(s.view, stem + QStringLiteral(".svg")), QString());
    QCOMPARE(export_pdf(s.view, stem + QStringLiteral(".pdf")), QString());
    QCOMPARE(export_csv(s.view, stem + QStringLiteral(".csv")), QString());
    const QImage image(stem + QStringLiteral(".png"));
    QCOMPARE(image.size(), s.view.export_size());
    QVERIFY(colors_in(image, QRectF(image.rect())).size() > 50);
    QFile table(stem + QStringLiteral(".csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll(), s.view.csv());
    // The window draws the cells in the colours of the scale.
    QVERIFY(colors_in(s.view.canvas().grab().toImage(),
                      QRectF(s.view.canvas().rect_of(2, 0)).united(s.view.canvas().rect_of(19, 9)))
                .size() > 20);
  }

  void without_a_second_run_it_says_so() {
    EngineBridge bridge;
    Selection selection;
    TimeCursor cursor{bridge};
    DifferenceView view({&bridge, &selection, &cursor}, {}, QString());
    view.resize(500, 400);
    view.show();
    const QString text = view.canvas().sentences();
    QVERIFY2(text.contains(QStringLiteral("No second run is open")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("Ctrl+B")));
    QCOMPARE(view.nothing_to_export(), text);
    QCOMPARE(view.csv().count('\n'), 1);
    QCOMPARE(export_png(view, folder_.filePath(QStringLiteral("none.png")), 1), QString());
  }

  void the_window_shows_it_beside() {
    Workbench w(pair_scenario(1, 8, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    BesidePanel& panel = w.window->beside();
    QAction& command = *w.window->actions().pair_beside;
    command.trigger();
    QVERIFY(!panel.run() && panel.isHidden());
    QVERIFY(w.window->message_bar()->text().contains(QStringLiteral("no earlier run")));
    w.control.edit(pair_scenario(2, 8, 2));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    command.trigger();
    QVERIFY(panel.run());
    const auto view = [&] { return qobject_cast<DifferenceView*>(panel.view("difference")); };
    QCOMPARE(panel.tabs()->currentWidget(), view());
    QTRY_VERIFY(!view()->canvas().scene().is_empty());
    QTRY_COMPARE(view()->canvas().state().sums.compared, int64_t{9 * 10 / 2});
    QTRY_VERIFY(view()->canvas().sentences().contains(QStringLiteral("the run before")));
    QVERIFY(&panel.context_of(*view()).selection == &w.selection);
    // One time cursor for both runs.
    w.window->cursor().go_to(1);
    QTRY_COMPARE(view()->canvas().scene().cells.rows(), int64_t{8});
    QVERIFY(view()->pair().here.past_step == 1u && view()->pair().beside.past_step == 1u);
    w.window->cursor().go_live();
    QTRY_COMPARE(view()->canvas().scene().cells.rows(), int64_t{9});
    // The help knows the views of the column, too.
    view()->setFocus();
    QTRY_VERIFY(view()->isAncestorOf(QApplication::focusWidget()) || view()->hasFocus());
    w.window->actions().what_is_this->trigger();
    QPointer<HelpPage> page = w.window->help().page();
    QVERIFY(page);
    QVERIFY2(page->text()->toPlainText().startsWith(view()->title()),
             qPrintable(page->text()->toPlainText()));
    QVERIFY(page->text()->toPlainText().contains(view()->about().look_at));
    page->close();
    QTRY_VERIFY(!page);
    // The column goes on to the other run, in the same tab.
    w.control.go_back();
    QTRY_VERIFY(view() && !view()->canvas().scene().is_empty() &&
                view()->canvas().sentences().contains(QStringLiteral("the newer run")));
    QCOMPARE(panel.tabs()->currentWidget(), view());
  }

 private:
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_difference, attn::gui::test::run<TestDifference>)
#include "test_difference.moc"
