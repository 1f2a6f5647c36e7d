// SPDX-License-Identifier: GPL-3.0-or-later
// The view Points: the plane, the slider, keys and clicks, encoders, and past steps.
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "gui/views/points/points_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestPoints : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    stage_ = std::make_unique<Stage>(deterministic("first-look", 6));
    view_ = &stage_->add<PointsView>("points", {900, 560});
    QVERIFY(stage_->run_to_end());
    stage_->selection.show(0, 2, 1);
    QVERIFY(settle());
  }
  void init() { fail_on_warnings(); }
  void cleanup() {
    stage_->selection.clear();
    view_->slider()->setValue(0);
    QVERIFY(settle());
  }
  void cleanupTestCase() { stage_.reset(); }

  void the_plane_is_that_of_the_engine() {
    const PointsScene& scene = view_->scene();
    const AttentionRecord& record = *stage_->bridge.snapshot()->requests.front().attention;
    QCOMPARE(scene.rows_end(), record.num_rows());
    const QueryKeyPlane plane = query_key_plane(record, 2, 1, record.num_rows());
    QCOMPARE(scene.data->plane.queries, plane.queries);
    QCOMPARE(scene.data->plane.keys, plane.keys);
    QVERIFY(scene.data->error < 1e-5);
    QVERIFY(canvas().accessibleDescription().contains(QStringLiteral("of the variance")));
    for (int64_t key = 0; key < scene.num_keys(); ++key)
      QVERIFY(canvas().parts().plot.contains(canvas().position_of({true, key})));
    const QPointF origin = canvas().position_of({true, 0}), other = canvas().position_of({true, 9});
    const double dx = scene.coordinate({true, 9}, 0) - scene.coordinate({true, 0}, 0),
                 dy = scene.coordinate({true, 9}, 1) - scene.coordinate({true, 0}, 1);
    QVERIFY(std::abs((other.x() - origin.x()) * dy + (other.y() - origin.y()) * dx) <= 1e-6);
  }

  void the_slider_moves_keys_and_no_weight() {
    stage_->selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 9});
    QVERIFY(settle());
    const std::vector<float> weights = view_->scene().row->weights;
    const double before = view_->scene().coordinate({true, 3}, 0);
    QTest::keyClick(&canvas(), Qt::Key_BracketRight);
    QCOMPARE(view_->slider()->value(), 5);
    QTest::keyClick(&canvas(), Qt::Key_M);
    QTest::keyClick(&canvas(), Qt::Key_M);
    QCOMPARE(view_->slider()->value(), 100);
    QVERIFY(settle());
    const PointsScene& scene = view_->scene();
    QCOMPARE(scene.row->query, 9);
    QCOMPARE(scene.row->weights, weights);
    QVERIFY(scene.coordinate({true, 3}, 0) != before);
    QVERIFY(scene.row->check.weight_change < 1e-12 && scene.row->check.residue < 1e-9);
    QVERIFY(scene.row->check.lse_growth != 0);
    QVERIFY(points_facts(scene).back().contains(QStringLiteral("residue")));
    QCOMPARE(view_->options()[QLatin1String("moved")].toInt(), 100);
  }

  void keys_and_clicks_select() {
    QTest::keyClick(&canvas(), Qt::Key_Left);
    const int64_t query = view_->scene().rows_end() - 2;
    QCOMPARE(stage_->selection.state().query, query);
    QTest::keyClick(&canvas(), Qt::Key_Down);
    const SelectionState cell = stage_->selection.state();
    QVERIFY(cell.kind == SelectionKind::kCell && cell.query == query);
    for (int64_t key = 0; key < view_->scene().num_keys(); ++key)
      QVERIFY(view_->scene().weight(key) <= view_->scene().weight(cell.key));
    const QPoint place = canvas().position_of({true, cell.key}).toPoint();
    QCOMPARE(canvas().place_of_selection()->toPoint(), place);
    QVERIFY(canvas().point_at(canvas().position_of({true, cell.key})).numbers.front().name ==
            QStringLiteral("weight"));
    QTest::keyClick(&canvas(), Qt::Key_Escape);
    QCOMPARE(stage_->selection.state().kind, SelectionKind::kNothing);
  }

  void queries_of_an_encoder() {
    Stage stage(deterministic("encoder-layers", 2));
    PointsView& view = stage.add<PointsView>("points", {900, 560});
    QVERIFY(stage.run_to_end());
    stage.selection.show(0, 1, 0);
    QVERIFY(QTest::qWaitFor([&] { return !view.is_behind() && view.scene().of_encoder; }));
    QVERIFY(points_sentence(view.scene()).contains(QStringLiteral("layer 1 (encoder), head 0")));
    QTest::keyClick(&view.canvas(), Qt::Key_Left);
    const SelectionState cell = stage.selection.state();
    QCOMPARE(cell.kind, SelectionKind::kCell);
    QCOMPARE(cell.query, view.scene().rows_end() - 2);
    QCOMPARE(cell.key, cell.query);
  }

  void the_past_has_fewer_points() {
    const int64_t rows = view_->scene().rows_end();
    stage_->cursor.go_to(2);
    QVERIFY(settle());
    QVERIFY(view_->scene().rows_end() < rows);
    QCOMPARE(view_->scene().num_keys(), view_->scene().rows_end());
    const QByteArray table = view_->csv();
    QCOMPARE(table.count('\n'), 1 + 2 * view_->scene().rows_end());
    stage_->cursor.go_live();
  }

 private:
  PointsCanvas& canvas() { return view_->canvas(); }
  bool settle() {
    return QTest::qWaitFor([this] { return !view_->is_behind() && !view_->scene().is_empty(); });
  }

  std::unique_ptr<Stage> stage_;
  PointsView* view_ = nullptr;
};

ATTN_QT_TEST(test_points, attn::gui::test::run<TestPoints>)
#include "test_points.moc"
