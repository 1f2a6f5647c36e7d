// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap: numbers of real runs, updates during a run, keys, mouse, tooltips and controls.
#include <QSignalSpy>
#include <QSpinBox>
#include <QTextDocument>
#include <QToolTip>
#include <cmath>
#include <random>

#include "engine/session/report/report.h"
#include "tests/gui/heatmap/heatmap_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

// Starts a run that waits before its first step, and points at the cell of row 39 and key 5.
bool point_before_a_run(HeatmapBench& w) {
  w.bridge.start(small_scenario(), true);
  if (!HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == 40; }) || !w.settle())
    return false;
  const QPointF at = w.heatmap.rect_of(39, 5).center();
  QMouseEvent move(QEvent::MouseMove, at, w.heatmap.mapToGlobal(at), Qt::NoButton, {}, {});
  // The offscreen platform gives this warning.
  QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()");
  QCoreApplication::sendEvent(&w.heatmap, &move);
  return true;
}

}  // namespace

class TestHeatmap : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().set_mode(ThemeMode::kDark);
  }

  // --- numbers ---

  void a_thousand_cells_equal_engine_memory() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const int64_t rows = w.heatmap.scene().rows();
    QCOMPARE(rows, w.record().num_rows());
    QVERIFY(rows >= 45);
    std::mt19937 random(11);
    int masked = 0, positive = 0;
    for (int64_t layer = 0; layer < 2; ++layer) {
      for (int64_t head = 0; head < 4; ++head) {
        w.selection.show(w.record().request(), layer, head);
        QVERIFY(w.settle());
        for (int i = 0; i < 125; ++i) {
          const auto query = static_cast<int64_t>(random() % static_cast<uint64_t>(rows));
          const auto key = static_cast<int64_t>(random() % static_cast<uint64_t>(rows));
          const float shown = w.heatmap.shown_value(query, key);
          const float memory = weight_of(w.record(), layer, head, query, key);
          QVERIFY2(same_bits(shown, memory),
                   qPrintable(
                       QStringLiteral("%1,%2: %3 %4").arg(query).arg(key).arg(shown).arg(memory)));
          masked += key > query;
          positive += shown > 0;
        }
      }
    }
    QVERIFY(masked > 300 && positive > 300);
    QVERIFY(std::isnan(w.heatmap.shown_value(-1, 0)) && std::isnan(w.heatmap.shown_value(0, rows)));
  }

  void blocks_of_cells_are_their_max_and_mean() {
    HeatmapBench w;
    w.heatmap.resize(420, 360);
    QVERIFY(w.run(small_scenario(1200, 1)));
    QVERIFY(w.heatmap.level() >= 2);
    QVERIFY(w.heatmap.grab().width() > 0);
    for (Reduce reduce : {Reduce::kMax, Reduce::kMean}) {
      w.heatmap.set_reduce(reduce);
      QVERIFY(w.settle());
      const int level = w.heatmap.level();
      const int64_t side = int64_t{1} << level;
      // On a busy machine settle() may return before the tile's job has begun.
      QTRY_VERIFY_WITH_TIMEOUT(w.settle() && w.heatmap.tiles().find({level, reduce, 0, 0}), 60000);
      const auto tile = w.heatmap.tiles().find({level, reduce, 0, 0});
      QVERIFY(
          detail_sentence(w.heatmap.scene(), level)
              .contains(reduce == Reduce::kMax ? QStringLiteral("max") : QStringLiteral("mean")));
      std::mt19937 random(5);
      for (int i = 0; i < 60; ++i) {
        const auto row = static_cast<int64_t>(random() % 70),
                   column = static_cast<int64_t>(random() % static_cast<uint64_t>(row + 2));
        float most = 0;
        double total = 0;
        int64_t count = 0;
        for (int64_t q = row * side; q < (row + 1) * side; ++q) {
          for (int64_t k = column * side; k < (column + 1) * side && k <= q; ++k) {
            const float weight = weight_of(w.record(), 0, 0, q, k);
            most = std::max(most, weight);
            total += weight;
            ++count;
          }
        }
        const float held = tile->at(row, column);
        if (count == 0)
          QCOMPARE(held, kMaskedCell);
        else if (reduce == Reduce::kMax)
          QVERIFY2(same_bits(held, most), qPrintable(QStringLiteral("entry %1,%2 level %3: %4 %5")
                                                         .arg(row)
                                                         .arg(column)
                                                         .arg(level)
                                                         .arg(held)
                                                         .arg(most)));
        else
          QVERIFY(std::abs(held - total / static_cast<double>(count)) <= 1e-7 * most + 1e-12);
      }
    }
  }

  void row_sums_are_sums_of_their_row() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const auto sums = w.heatmap.tiles().find({TileKey::kRowSums, Reduce::kMax, 0, 0});
    QVERIFY(sums);
    for (int64_t query = 0; query < w.heatmap.scene().rows(); ++query) {
      double expected = 0;
      for (int64_t key = 0; key <= query; ++key)
        expected += static_cast<double>(weight_of(w.record(), 0, 0, query, key));
      QCOMPARE(sums->sum[static_cast<size_t>(query)], expected);
      QVERIFY(std::abs(expected - 1) < 1e-4);
    }
  }

  void memory_stays_bounded() {
    HeatmapBench w;
    w.heatmap.resize(1600, 1000);
    QVERIFY(w.run(small_scenario(3000, 1)));
    for (int i = 0; i < 60; ++i) {
      w.heatmap.zoom_at(QPointF(300 + 17 * i, 200 + 11 * i), i % 6 < 4 ? 2.0 : 0.2);
      w.selection.show(w.record().request(), i % 2, i % 4);
      QVERIFY(w.settle());
      QVERIFY(w.heatmap.tiles().bytes() <= HeatmapTiles::kMaxBytes);
    }
  }

  // --- live ---

  void it_fills_while_the_kernels_run() {
    HeatmapBench w;
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == 40; }));
    QVERIFY(w.settle());
    // Nothing is computed yet.
    QVERIFY(std::isnan(w.heatmap.shown_value(20, 5)));
    const ThemeColors& colors = Theme::instance().colors();
    const std::set<QRgb> empty = colors_in(w.heatmap.grab().toImage(),
                                           cells(w.heatmap, 20, 30, 2, 10).adjusted(1, 1, -1, -1));
    QCOMPARE(empty, (std::set<QRgb>{colors.surface.rgb(), colors.muted.rgb()}));
    QVERIFY(w.heatmap.cell_text(20, 5).contains(QStringLiteral("not computed")));

    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kTile);
      QTest::qWait(10);
      return w.heatmap.scene().head.record && w.record().version() > 0;
    }));
    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kTile);
      return w.settle() && !std::isnan(w.heatmap.shown_value(39, 5));
    }));
    QVERIFY(same_bits(w.heatmap.shown_value(39, 5), weight_of(w.record(), 0, 0, 39, 5)));
    QVERIFY(!w.record().row_done(1, 3, 39));
    QVERIFY(!colors_in(w.heatmap.grab().toImage(),
                       cells(w.heatmap, 39, 39, 2, 10).adjusted(2, 2, -2, -2))
                 .contains(colors.muted.rgb()));

    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.bridge.snapshot()->phase == EnginePhase::kFinished; }));
    QVERIFY(w.settle());
    QCOMPARE(w.heatmap.scene().rows(), w.record().num_rows());
    const int64_t last = w.heatmap.scene().rows() - 1;
    QVERIFY(same_bits(w.heatmap.shown_value(last, last), weight_of(w.record(), 0, 0, last, last)));
  }

  void a_new_run_forgets_the_old_one() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const auto old = w.heatmap.scene().head.record;
    w.bridge.start(small_scenario(17, 2));
    QVERIFY(HeatmapBench::wait_for([&] {
      const auto& snapshot = w.bridge.snapshot();
      return snapshot && snapshot->phase == EnginePhase::kFinished &&
             snapshot->requests.size() == 1 && snapshot->requests[0].prompt_len == 17;
    }));
    QVERIFY(w.settle());
    QVERIFY(w.heatmap.scene().head.record != old);
    QVERIFY(w.heatmap.scene().rows() < 20);
    QVERIFY(same_bits(w.heatmap.shown_value(9, 4), weight_of(w.record(), 0, 0, 9, 4)));
  }

  // --- keys and mouse ---

  // When another head of the layer is shown, the selected cell is the same cell of that head.
  void a_selected_cell_follows_the_head() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.select(
        {.kind = SelectionKind::kCell, .request = 0, .layer = 0, .head = 0, .query = 9, .key = 4});
    QSignalSpy changed(&w.selection, &Selection::changed);
    QTest::keyClick(&w.heatmap, Qt::Key_Period);
    QCOMPARE(w.selection.shown_head(), int64_t{1});
    QCOMPARE(w.selection.state().head, int64_t{1});
    QCOMPARE(w.selection.state().key, int64_t{4});
    QCOMPARE(changed.count(), 1);
    QTest::keyClick(&w.heatmap, Qt::Key_Greater, Qt::ShiftModifier);  // another layer
    QCOMPARE(w.selection.state().layer, int64_t{0});
  }

  void every_key_has_its_effect() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    const auto key = [&](Qt::Key k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(&v, k, m); };
    QCOMPARE(w.selection.shown_head(), int64_t{0});
    key(Qt::Key_Period);
    QCOMPARE(w.selection.shown_head(), int64_t{1});
    QCOMPARE(v.scene().head.head, int64_t{1});
    key(Qt::Key_Comma);
    QCOMPARE(w.selection.shown_head(), int64_t{0});
    key(Qt::Key_Comma);  // from the first head of layer 0 to the last head of the last layer
    QCOMPARE(w.selection.shown_head(), int64_t{3});
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    key(Qt::Key_Period);
    key(Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    key(Qt::Key_Less, Qt::ShiftModifier);
    QCOMPARE(w.selection.shown_layer(), int64_t{0});
    key(Qt::Key_Colon, Qt::ShiftModifier);  // as on a German keyboard
    QCOMPARE(w.selection.shown_layer(), int64_t{1});
    key(Qt::Key_Semicolon, Qt::ShiftModifier);
    QCOMPARE(w.selection.shown_layer(), int64_t{0});

    key(Qt::Key_Plus);
    QVERIFY(!v.transform().is_fit());
    const double zoomed = v.transform().x.scale;
    key(Qt::Key_Minus);
    QVERIFY(v.transform().x.scale < zoomed);
    key(Qt::Key_Plus);
    key(Qt::Key_F);
    QVERIFY(v.transform().is_fit());
    key(Qt::Key_Plus);
    key(Qt::Key_Home);
    QVERIFY(v.transform().is_fit());

    key(Qt::Key_Down);
    QCOMPARE(w.selection.state().kind, SelectionKind::kCell);
    const int64_t query = w.selection.state().query, column = w.selection.state().key;
    key(Qt::Key_Up);
    QCOMPARE(w.selection.state().query, query - 1);
    key(Qt::Key_Left);
    QCOMPARE(w.selection.state().key, column - 1);
    key(Qt::Key_Down);
    key(Qt::Key_Right);
    QCOMPARE(w.selection.state().query, query);
    QCOMPARE(w.selection.state().key, column);
    key(Qt::Key_PageUp);
    QVERIFY(w.selection.state().query < query);
    key(Qt::Key_PageDown);
    QCOMPARE(w.selection.state().query, query);
    key(Qt::Key_Escape);
    QCOMPARE(w.selection.state().kind, SelectionKind::kNothing);
    key(Qt::Key_Return);
    QCOMPARE(w.selection.state().kind, SelectionKind::kCell);
    QVERIFY(v.accessibleDescription().contains(QStringLiteral("reads key")));
    key(Qt::Key_Left);
    QTest::keyClick(&v, Qt::Key_T, Qt::ShiftModifier);
    QCOMPARE(w.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(w.selection.state().query, column - 1);
    key(Qt::Key_T);
    QCOMPARE(w.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(w.selection.state().query, query);

    key(Qt::Key_C);
    QCOMPARE(v.scene().map, ColorMapId::kViridis);
    key(Qt::Key_L);
    QCOMPARE(v.scene().scale.kind, ColorScale::Kind::kLog);
    key(Qt::Key_M);
    QCOMPARE(v.scene().reduce, Reduce::kMean);
    for (const KeyHelp& help : v.key_help())
      QVERIFY(!help.keys.isEmpty() && !help.action.isEmpty());
  }

  void a_place_is_found_again() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    QVERIFY(v.place().empty());
    QTest::keyClick(&v, Qt::Key_Plus);
    const std::vector<double> zoomed = v.place();
    const double scale = v.transform().x.scale;
    v.go_to_place({});
    QVERIFY(v.transform().is_fit());
    v.go_to_place(zoomed);
    QCOMPARE(v.transform().x.scale, scale);
    QCOMPARE(v.place(), zoomed);
  }

  void the_mouse_selects_and_moves() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    HeatmapView& v = w.heatmap;
    QTest::mouseClick(&v, Qt::LeftButton, {}, v.rect_of(30, 12).center().toPoint());
    QCOMPARE(w.selection.state().kind, SelectionKind::kCell);
    QCOMPARE(w.selection.state().query, int64_t{30});
    QCOMPARE(w.selection.state().key, int64_t{12});
    const QPointF row_label(v.canvas_layout().row_labels.center().x(),
                            v.rect_of(10, 0).center().y());
    QTest::mouseClick(&v, Qt::LeftButton, {}, row_label.toPoint());
    QCOMPARE(w.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(w.selection.state().query, int64_t{10});
    const QPointF column_label(v.rect_of(0, 17).center().x(),
                               v.canvas_layout().column_labels.center().y());
    QTest::mouseClick(&v, Qt::LeftButton, {}, column_label.toPoint());
    QCOMPARE(w.selection.state().query, int64_t{17});

    const auto wheel = [&](const QPointF& at, QPoint angle, Qt::KeyboardModifiers m) {
      QWheelEvent event(at, v.mapToGlobal(at), {}, angle, Qt::NoButton, m, Qt::NoScrollPhase,
                        false);
      QCoreApplication::sendEvent(&v, &event);
    };
    const QPointF pointer = v.rect_of(30, 12).center();
    for (int i = 0; i < 6; ++i) wheel(pointer, {0, 120}, Qt::ControlModifier);
    const auto under = v.cell_at(pointer);
    QVERIFY(under);
    QCOMPARE(under->query, int64_t{30});
    QCOMPARE(under->key, int64_t{12});
    const double top = v.transform().y.offset, left = v.transform().x.offset;
    wheel(pointer, {0, -120}, Qt::NoModifier);
    QVERIFY(v.transform().y.offset > top);
    QCOMPARE(v.transform().x.offset, left);
    wheel(pointer, {0, -120}, Qt::ShiftModifier);
    QVERIFY(v.transform().x.offset > left);

    const double before = v.transform().x.offset;
    QTest::mousePress(&v, Qt::MiddleButton, {}, QPoint(400, 300));
    QMouseEvent drag(QEvent::MouseMove, QPointF(460, 300), v.mapToGlobal(QPointF(460, 300)),
                     Qt::NoButton, Qt::MiddleButton, {});
    QCoreApplication::sendEvent(&v, &drag);
    QTest::mouseRelease(&v, Qt::MiddleButton, {}, QPoint(460, 300));
    QVERIFY(v.transform().x.offset < before);

    QTest::mouseDClick(&v, Qt::LeftButton, {}, QPoint(400, 300));
    QVERIFY(v.transform().is_fit());

    const QPoint from = v.rect_of(20, 4).center().toPoint(),
                 to = v.rect_of(30, 14).center().toPoint();
    QTest::mousePress(&v, Qt::LeftButton, {}, from);
    QMouseEvent band(QEvent::MouseMove, QPointF(to), v.mapToGlobal(QPointF(to)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&v, &band);
    QTest::mouseRelease(&v, Qt::LeftButton, {}, to);
    QVERIFY(!v.transform().is_fit());
    QVERIFY(v.transform().y.visible_begin() <= 21 && v.transform().y.visible_end() >= 30);
    QVERIFY(v.transform().x.visible_begin() <= 5 && v.transform().x.visible_end() >= 14);
  }

  void the_newest_row_can_be_scrolled_out_of_a_message() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const int64_t last = w.heatmap.rows() - 1;
    const auto end = [&] { return w.heatmap.rect_of(last, 0).bottom(); };
    const double whole = end();
    const int top = static_cast<int>(whole) - 60;
    w.heatmap.set_covered({0, top, w.heatmap.width(), w.heatmap.height() - top});
    QCOMPARE(end(), whole);  // a message moves nothing
    QWheelEvent wheel(QPointF(300, 300), w.heatmap.mapToGlobal(QPointF(300, 300)), {}, {0, -1200},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&w.heatmap, &wheel);
    QVERIFY2(end() <= top + 1, qPrintable(QString::number(end())));
    QTest::keyClick(&w.heatmap, Qt::Key_F);
    QVERIFY2(end() <= top + 1, qPrintable(QString::number(end())));
    QVERIFY(w.heatmap.rect_of(0, 0).top() >= w.heatmap.canvas_layout().cells.top() - 1);
    w.heatmap.set_covered({});
    QTest::keyClick(&w.heatmap, Qt::Key_F);
    QCOMPARE(end(), whole);
  }

  void what_is_selected_elsewhere_is_shown_here() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario(40, 3)));
    SelectionState token;
    token.kind = SelectionKind::kToken;
    token.request = w.record().request();
    token.query = 11;
    w.selection.select(token);
    QCOMPARE(w.heatmap.scene().mark.kind, HeatmapMark::Kind::kToken);
    QCOMPARE(w.heatmap.scene().mark.key, int64_t{11});
    token.request = 999;
    w.selection.select(token);
    QCOMPARE(w.heatmap.scene().mark.kind, HeatmapMark::Kind::kNone);
  }

  void a_block_outlines_the_keys_stored_in_it() {
    HeatmapBench w;
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == 40; }));
    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kLayer);
      QTest::qWait(10);
      return w.bridge.snapshot()->requests[0].own_table.blocks.size() >= 5;
    }));
    SelectionState state;
    state.kind = SelectionKind::kBlock;
    state.block = w.bridge.snapshot()->requests[0].own_table.blocks[2];
    w.selection.select(state);
    QCOMPARE(w.heatmap.scene().mark.kind, HeatmapMark::Kind::kColumns);
    QCOMPARE(w.heatmap.scene().mark.key, int64_t{16});
    QCOMPARE(w.heatmap.scene().mark.key_end, int64_t{24});
    const QRectF columns = cells(w.heatmap, 0, 39, 16, 23);
    QVERIFY(colors_in(w.heatmap.grab().toImage(), columns.adjusted(-2, 20, 2, -20))
                .contains(Theme::instance().colors().accent.rgb()));
  }

  void the_box_of_requests_has_the_names_of_this_run() {
    HeatmapBench w;
    const auto names = [&] {
      QStringList list;
      const auto* box = w.heatmap.findChild<QComboBox*>();
      for (int i = 0; i < box->count(); ++i) list.append(box->itemText(i));
      return list;
    };
    QVERIFY(w.run(two_requests("Lily", "Tom")));
    QCOMPARE(names(), (QStringList{QStringLiteral("Lily"), QStringLiteral("Tom")}));
    const uint64_t run = w.bridge.snapshot()->run;
    w.bridge.start(two_requests("Lily", "Mia"));
    QVERIFY(HeatmapBench::wait_for([&] {
      return w.bridge.snapshot()->run != run && w.bridge.snapshot()->requests.size() == 2;
    }));
    QCOMPARE(names(), (QStringList{QStringLiteral("Lily"), QStringLiteral("Mia")}));
  }

  void tooltips_show_tokens_that_look_like_markup() {
    Scenario scenario = small_scenario();
    scenario.source = {};
    scenario.source.model = "tinystories-gqa";
    scenario.requests[0].prompt_tokens = 0;
    scenario.requests[0].prompt = "Once upon a time";
    HeatmapBench w;
    QVERIFY(w.run(scenario));
    const QString text = w.heatmap.cell_text(0, 0);
    QVERIFY2(text.contains(QStringLiteral("<s>")), qPrintable(text));
    const QPointF at = w.heatmap.rect_of(0, 0).center();
    QMouseEvent move(QEvent::MouseMove, at, w.heatmap.mapToGlobal(at), Qt::NoButton, {}, {});
    // The offscreen platform gives this warning.
    QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()");
    QCoreApplication::sendEvent(&w.heatmap, &move);
    QTextDocument shown;
    if (Qt::mightBeRichText(QToolTip::text()))
      shown.setHtml(QToolTip::text());
    else
      shown.setPlainText(QToolTip::text());
    QCOMPARE(shown.toPlainText(), text);
    QToolTip::hideText();
  }

  void an_open_tooltip_has_the_numbers_of_now() {
    HeatmapBench w;
    QVERIFY(point_before_a_run(w));
    const auto shown = [] {
      QTextDocument text;
      text.setHtml(QToolTip::isVisible() ? QToolTip::text() : QString());
      return text.toPlainText();
    };
    QVERIFY2(shown().contains(QStringLiteral("not computed")), qPrintable(shown()));

    w.bridge.step(Granularity::kStep);
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.settle() && !std::isnan(w.heatmap.shown_value(39, 5)); }));
    QTRY_COMPARE(shown(), w.heatmap.cell_text(39, 5));
    const QString head_0 = shown();
    QVERIFY2(head_0.contains(QStringLiteral("head 0")) &&
                 !head_0.contains(QStringLiteral("not computed")),
             qPrintable(head_0));

    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.bridge.snapshot()->phase == EnginePhase::kFinished; }));
    w.selection.show(w.record().request(), 1, 2);
    QVERIFY(w.settle());
    QTRY_COMPARE(shown(), w.heatmap.cell_text(39, 5));
    QVERIFY2(shown().contains(QStringLiteral("layer 1, head 2")), qPrintable(shown()));

    // In the new run another cell lies there, so the tooltip is hidden.
    w.bridge.start(small_scenario(17, 2));
    QTRY_VERIFY(w.heatmap.scene().rows() > 0 && w.heatmap.scene().rows() < 20);
    QTRY_VERIFY(!QToolTip::isVisible());
  }

  void a_tooltip_that_has_gone_stays_away() {
    HeatmapBench w;
    QVERIFY(point_before_a_run(w));
    QVERIFY(QToolTip::isVisible());
    QToolTip::hideText();
    QTRY_VERIFY(!QToolTip::isVisible());
    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return w.bridge.snapshot()->phase == EnginePhase::kFinished; }));
    QVERIFY(w.settle());
    QVERIFY(!QToolTip::isVisible());
  }

  void labels_measured_in_parts_are_as_wide() {
    const QFont font = PictureLook::read().mono;
    std::vector<TokenText> labels;
    for (const char* text : {"a", " upon", "x", " extraordinary", " the", ""})
      labels.push_back(token_text(text));
    const std::span all(labels);
    for (size_t cut = 0; cut <= labels.size(); ++cut)
      QCOMPARE(std::max(widest_token(all.first(cut), font), widest_token(all.subspan(cut), font)),
               widest_token(all, font));
  }

  void controls_follow_and_lead() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const auto boxes = w.heatmap.findChildren<QSpinBox*>();
    QCOMPARE(boxes.size(), 4);
    QSpinBox* head = boxes[1];
    w.selection.show(w.record().request(), 0, 2);
    QCOMPARE(head->value(), 2);
    QCOMPARE(head->maximum(), 3);
    head->setValue(3);
    QCOMPARE(w.selection.shown_head(), int64_t{3});
    for (QWidget* control : w.heatmap.findChildren<QWidget*>())
      if (qobject_cast<QSpinBox*>(control) || qobject_cast<QComboBox*>(control))
        QVERIFY(!control->accessibleName().isEmpty());
    w.heatmap.resize(380, 300);
    QVERIFY(w.heatmap.grab().width() == 380);
  }
};

ATTN_QT_TEST(test_heatmap, attn::gui::test::run<TestHeatmap>)
#include "test_heatmap.moc"
