// SPDX-License-Identifier: GPL-3.0-or-later
// The view Rotary: parts of a score, keys and table, a small panel, and a source that it refuses.
#include <cmath>

#include "backends/register_all.h"
#include "gui/views/rotary/rotary_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestRotaryView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void parts_add_up_and_turn() {
    Stage stage(deterministic("first-look", 6));
    auto& view = stage.add<RotaryView>("rotary", {900, 560});
    QVERIFY(stage.run_to_end());
    stage.selection.select({.kind = SelectionKind::kCell,
                            .request = 0,
                            .layer = 1,
                            .head = 2,
                            .query = 18,
                            .key = 15});
    const AttentionRecord& record = *stage.bridge.snapshot()->requests.front().attention;
    const RotaryScene& scene = view.scene();
    QVERIFY2(!scene.is_empty(), qPrintable(scene.refusal));
    QVERIFY(scene.selected);
    const WeightOperands of = record.operands(1, 2, 18, 15);
    QVERIFY(std::abs(scene.cell->score.score() - double{of.score}) < 1e-4);
    QVERIFY(scene.cell->residue() < 1e-4);
    QVERIFY(rotary_facts(scene).front().contains(
        QStringLiteral("The curve passes through the sum at distance 3: residue ")));
    QCOMPARE(scene.shown().distance, 3.0);
    RotaryCanvas& canvas = view.canvas();
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    QCOMPARE(*view.scene().looked_at, 4);
    QVERIFY(std::abs(view.scene().shown().score() - view.scene().cell->score.at_distance(4)) <
            1e-9);
    QVERIFY(rotary_facts(view.scene()).back().contains(QStringLiteral("distance 4")));
    const RotaryParts& parts = canvas.parts();
    const QPointF far(parts.x_of(7, view.scene().longest), parts.curve.center().y());
    QVERIFY(canvas.tooltip_at(far).contains(QStringLiteral("distance 7")));
    const QPointF second(parts.bars.left() + 1.5 * parts.column, parts.bars.center().y());
    QVERIFY(canvas.tooltip_at(second).contains(QStringLiteral("pair 1")));
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(!view.scene().looked_at);
    QVERIFY(!view.scene().selected);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(stage.selection.state().query, record.num_rows() - 2);
    const int64_t longest = view.scene().longest;
    QTest::keyClick(&canvas, Qt::Key_Minus);
    QVERIFY(view.scene().longest > longest);
    const auto pairs = static_cast<qsizetype>(view.scene().cell->score.pairs.size());
    QCOMPARE(view.csv().count("pair,"), pairs);
    QVERIFY(view.csv().contains(",angle,value,query_text,key_text\n"));
  }

  void a_small_panel_has_bars_only() {
    Stage stage(deterministic("first-look", 6));
    auto& view = stage.add<RotaryView>("rotary", {420, 170});
    QVERIFY(stage.run_to_end());
    RotaryCanvas& canvas = view.canvas();
    const RotaryParts& parts = canvas.parts();
    QVERIFY(parts.curve.isEmpty() && !parts.bars.isEmpty());
    QVERIFY(canvas.tooltip_at(QPointF(2, 2)).isEmpty());
    const QPointF second(parts.bars.left() + 1.5 * parts.column, parts.bars.center().y());
    QVERIFY(canvas.tooltip_at(second).contains(QStringLiteral("pair 1")));
  }

  void a_source_without_frequencies_is_refused() {
    Stage stage(synthetic_scenario(20, 2));
    auto& view = stage.add<RotaryView>("rotary", {600, 400});
    QVERIFY(stage.run_to_end());
    QVERIFY(view.scene().is_empty());
    QVERIFY(view.scene().refusal.endsWith(QLatin1Char('.')));
    QCOMPARE(view.canvas().accessibleDescription(), view.scene().refusal);
    QVERIFY(view.csv().endsWith('\n'));
  }
};

ATTN_QT_TEST(test_rotary_view, attn::gui::test::run<TestRotaryView>)
#include "test_rotary_view.moc"
