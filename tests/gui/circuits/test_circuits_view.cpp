// SPDX-License-Identifier: GPL-3.0-or-later
// The view Circuits: numbers, keys and table, its export, and a source without weights.
#include <fmt/format.h>

#include <cmath>

#include "backends/register_all.h"
#include "gui/views/circuits/circuits_view.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestCircuitsView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }

  void numbers_are_those_of_the_engine() {
    Stage stage(deterministic("first-look", 2));
    auto& view = stage.add<CircuitsView>("circuits", {1100, 600});
    QVERIFY(stage.run_to_end());
    stage.selection.show(0, 1, 2);
    const auto settle = [&view] {
      return QTest::qWaitFor([&view] { return !view.is_behind() && !view.scene().is_empty(); });
    };
    QVERIFY(settle());
    const std::shared_ptr<const Model> model = stage.bridge.snapshot()->model.lock();
    const Circuit ov = full_ov_circuit(*model, {1, 2}), qk = qk_circuit(*model, {1, 2}, 1);
    QCOMPARE(view.scene().ov->part.circuit.score, ov.score);
    QCOMPARE(view.scene().qk->part.circuit.score, qk.score);
    QVERIFY(std::abs(ov.residue()) < 1e-9 * std::abs(ov.eigenvalues.front()));
    for (const size_t fact : {0, 1})
      QVERIFY(circuits_facts(view.scene())[fact].contains(QStringLiteral("residue")));
    QCOMPARE(view.scene().earlier().size(), size_t(6));
    CircuitsCanvas& canvas = view.canvas();
    const CircuitsParts& parts = canvas.parts();
    const QPointF first =
        eigenvalue_place(view.scene(), ov, parts.ov.plane, ov.eigenvalues.front());
    QVERIFY(parts.ov.plane.contains(first));
    QVERIFY(canvas.tooltip_at(first).contains(QStringLiteral("magnitude")));
    const QPointF pair = parts.ov.pairs.topLeft() + QPointF(20, view.scene().look.px(24));
    QVERIFY(canvas.tooltip_at(pair).contains(QStringLiteral("likelier")));
    QCOMPARE(canvas.point_at(parts.cell(2, 4).center()).numbers.size(), size_t(3));
    const QByteArray table = view.csv();
    QCOMPARE(table.count("eigenvalue,"), 2 * qsizetype(ov.eigenvalues.size()));
    QCOMPARE(table.count("composition,"), 18);
    QVERIFY(table.contains(QByteArray("ov,copying_score,,,,,,") +
                           QByteArray::fromStdString(fmt::format("{}", ov.score)) + '\n'));
    stage.cursor.go_to(0);
    QCOMPARE(view.csv(), table);

    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    QCOMPARE(view.distance_box()->value(), 2);
    QVERIFY(settle());
    QVERIFY(view.scene().qk->part.circuit.score != qk.score);
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(view.place().front() > 1);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(view.place().empty());
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("reads layer 0, head 1")));
    QCOMPARE(*canvas.place_of_selection(), parts.cell(0, 1).center());
    const EarlierHead read = view.scene().earlier()[1];
    QTest::keyClick(&canvas, Qt::Key_Return);
    const auto number = stage.selection.explained();  // the inspector explains it
    QVERIFY(number && number->title.contains(QStringLiteral("reads layer 0, head 1")));
    QCOMPARE(number->numbers.back().second, format_number(read.value, 7));
    QCOMPARE(stage.selection.shown_layer(), 0);
    QCOMPARE(stage.selection.shown_head(), 1);
    QVERIFY(settle());
    QVERIFY(view.scene().earlier().empty());
  }

  void a_hidden_view_tells_that_it_can_be_exported() {
    Stage stage(deterministic("first-look", 1));
    auto& view = stage.add<CircuitsView>("circuits", {600, 400});
    view.hide();
    QString menu = view.nothing_to_export();
    QVERIFY(!menu.isEmpty());
    connect(&view, &CircuitsView::exports_changed, this, [&] { menu = view.nothing_to_export(); });
    QVERIFY(stage.stand_at_start());
    QTRY_VERIFY(view.nothing_to_export().isEmpty());
    QTRY_VERIFY(menu.isEmpty());
  }

  void a_source_without_weights_is_refused() {
    Stage stage(synthetic_scenario(20, 2));
    auto& view = stage.add<CircuitsView>("circuits", {600, 400});
    QVERIFY(stage.run_to_end());
    QVERIFY(view.scene().is_empty());
    QVERIFY(view.scene().refusal.endsWith(QLatin1Char('.')));
    QCOMPARE(view.canvas().accessibleDescription(), view.scene().refusal);
    QVERIFY(view.csv().endsWith('\n'));
  }
};

ATTN_QT_TEST(test_circuits_view, attn::gui::test::run<TestCircuitsView>)
#include "test_circuits_view.moc"
