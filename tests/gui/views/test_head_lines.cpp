// SPDX-License-Identifier: GPL-3.0-or-later
// The view Lines.
#include <QPainterPath>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "backends/register_all.h"
#include "engine/core/rng.h"
#include "engine/explore/written.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/attention/lines/line_raster.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct HeadLinesBench {
  explicit HeadLinesBench(const Scenario& scenario, QSize size = {1000, 600}) {
    follow_runs(bridge, selection);
    view = std::make_unique<HeadLinesView>(ViewContext{&bridge, &selection});
    view->resize(size);
    view->show();
    view->canvas().setFocus();
    bridge.start(scenario);
    finished = wait_until_phase(bridge, EnginePhase::kFinished) && settle();
  }
  bool settle() {
    QCoreApplication::processEvents();
    return view->line_rows().wait(std::chrono::seconds(30));
  }
  const AttentionRecord& record() const { return *bridge.snapshot()->requests.front().attention; }
  HeadLinesCanvas& canvas() { return view->canvas(); }
  const HeadLinesScene& scene() const { return view->scene(); }
  void point_at(const LineToken& token) {
    QTest::mouseMove(&canvas(), canvas().rect_of(token).center().toPoint());
    QTest::qWait(1);
  }
  void click(const LineToken& token) {
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().rect_of(token).center().toPoint());
  }

  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<HeadLinesView> view;
  bool finished = false;
};

Scenario long_scenario(int64_t tokens) {
  Scenario scenario = synthetic_scenario(tokens, 1);
  scenario.source.synthetic->num_layers = 1;
  scenario.source.synthetic->num_heads = 2;
  scenario.source.synthetic->num_kv_heads = 1;
  scenario.source.synthetic->max_model_len = tokens + 8;
  scenario.engine.num_blocks = tokens / 16 + 8;
  scenario.engine.max_num_batched_tokens = tokens + 8;
  return scenario;
}

constexpr LineToken query(int64_t position) {
  return {LineSide::kQuery, position};
}
constexpr LineToken key(int64_t position) {
  return {LineSide::kKey, position};
}

}  // namespace

class TestHeadLines : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
  }

  void lines_are_the_weights_of_engine_and_heatmap() {
    HeadLinesBench b(synthetic_scenario(80, 6));
    QVERIFY(b.finished);
    HeatmapView heatmap({&b.bridge, &b.selection}, nullptr);
    heatmap.resize(700, 500);
    heatmap.show();
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.0, false});
    Rng rng(5);
    int checked = 0;
    for (int round = 0; round < 8; ++round) {
      const int64_t layer = round % 2, head = round / 2;
      b.selection.show(b.selection.shown_request(), layer, head);
      b.view->set_heads({head});
      QVERIFY(b.settle());
      const std::vector<HeadLine> lines = b.canvas().shown().lines;
      QVERIFY(lines.size() > 100);
      for (int i = 0; i < 25; ++i, ++checked) {
        const HeadLine& line = lines[rng.below(lines.size())];
        QVERIFY(
            same_bits(line.weight, weight_of(b.record(), layer, line.head, line.query, line.key)));
        QVERIFY(same_bits(line.weight, heatmap.shown_value(line.query, line.key)));
      }
    }
    QCOMPARE(checked, 200);
  }

  void the_filter_says_what_it_hides() {
    HeadLinesBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.1, false});
    QVERIFY(b.settle());
    const LineWindow window = b.canvas().window();
    QCOMPARE(window.q_begin, int64_t{0});
    QCOMPARE(window.q_end, b.record().num_rows());
    size_t expected = 0;
    double hidden = 0, mass = 0;
    for (int64_t q = 0; q < window.q_end; ++q)
      for (int64_t k = 0; k <= q; ++k) {
        const auto weight = static_cast<double>(weight_of(b.record(), 0, 0, q, k));
        mass += weight;
        if (weight >= 0.1) {
          ++expected;
        } else {
          hidden += weight;
        }
      }
    const LinesShown shown = b.canvas().shown();
    QCOMPARE(shown.lines.size(), expected);
    QVERIFY(std::abs(shown.hidden - hidden) < 1e-9);
    QVERIFY(std::abs(shown.mass - mass) < 1e-9);
    const QString said = QLocale().toString(hidden / mass, 'f', 3);
    QVERIFY2(lines_sentence(b.scene(), shown).contains(said), qPrintable(said));
    b.view->set_filter({LineFilter::Kind::kTopMass, 0.5, false});
    QVERIFY(b.settle());
    QCOMPARE(b.view->value_box()->value(), 50.0);
    const LinesShown top = b.canvas().shown();
    QVERIFY(top.hidden <= 0.5 * top.mass + 1e-9);
    b.view->value_box()->setValue(90);
    QVERIFY(b.settle());
    QVERIFY(b.canvas().shown().lines.size() > top.lines.size());
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.0, true});
    QVERIFY(b.settle());
    for (const HeadLine& line : b.canvas().shown().lines) QVERIFY(line.key != 0);
  }

  void pointing_leaves_the_lines_of_a_token() {
    HeadLinesBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.001, false});
    b.point_at(query(9));
    QVERIFY(b.settle());
    QVERIFY(b.scene().pointed == query(9));
    QVERIFY(!b.canvas().shown().lines.empty());
    for (const HeadLine& line : b.canvas().shown().lines) QCOMPARE(line.query, int64_t{9});
    b.point_at(key(4));
    QVERIFY(b.settle());
    QVERIFY(b.scene().pointed == key(4));
    QVERIFY(!b.canvas().shown().lines.empty());
    for (const HeadLine& line : b.canvas().shown().lines) {
      QCOMPARE(line.key, int64_t{4});
      QVERIFY(line.query >= 4);
    }
    QVERIFY(b.canvas()
                .tooltip_at(b.canvas().rect_of(key(4)).center())
                .contains(QStringLiteral("key 4")));
    QTest::mouseMove(&b.canvas(), b.canvas().canvas_layout().lines.center().toPoint());
    QTest::qWait(1);
    QVERIFY(!b.scene().pointed);
    QVERIFY(b.canvas().shown().lines.size() > 20);
  }

  void a_click_locks_and_selects_the_token() {
    HeadLinesBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    b.click(query(7));
    QCOMPARE(b.selection.state().kind, SelectionKind::kToken);
    QCOMPARE(b.selection.state().query, int64_t{7});
    QVERIFY(b.scene().locked == query(7));
    b.point_at(query(12));
    QVERIFY(b.scene().chosen() == query(7));
    b.click(key(3));
    QVERIFY(b.scene().locked == key(3));
    QCOMPARE(b.selection.state().query, int64_t{3});
    b.click(key(3));
    QVERIFY(!b.scene().locked);
    QCOMPARE(b.selection.state().kind, SelectionKind::kNothing);
    SelectionState cell{.kind = SelectionKind::kCell,
                        .request = b.selection.shown_request(),
                        .layer = 1,
                        .head = 2,
                        .query = 15,
                        .key = 5};
    b.selection.select(cell);
    QVERIFY(b.scene().locked == query(15));
    QCOMPARE(b.scene().marked_key, int64_t{5});
    QCOMPARE(b.scene().base.layer, int64_t{1});
    QVERIFY(b.scene().heads == std::vector<int64_t>{2});
  }

  void keys_choose_token_head_and_layer() {
    HeadLinesBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    HeadLinesCanvas& canvas = b.canvas();
    QTest::keyClick(&canvas, Qt::Key_Up);
    QVERIFY(b.scene().pointed == query(b.record().num_rows() - 1));
    QTest::keyClick(&canvas, Qt::Key_Up);
    QVERIFY(b.scene().pointed == query(b.record().num_rows() - 2));
    QTest::keyClick(&canvas, Qt::Key_Return);
    QVERIFY(b.scene().locked == query(b.record().num_rows() - 2));
    QTest::keyClick(&canvas, Qt::Key_Up);  // moves the locked row
    QVERIFY(b.scene().locked == query(b.record().num_rows() - 3));
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(!b.scene().locked);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_S);
    QCOMPARE(b.scene().pointed->side, LineSide::kKey);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(b.selection.shown_head(), int64_t{1});
    QVERIFY(b.scene().heads == std::vector<int64_t>{1});
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    QCOMPARE(b.selection.shown_layer(), int64_t{1});
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    QCOMPARE(b.selection.shown_layer(), int64_t{1});
    QTest::keyClick(&canvas, Qt::Key_BracketLeft);
    QCOMPARE(b.view->layer_box()->value(), 0);
    QTest::keyClick(&canvas, Qt::Key_3);
    QVERIFY((b.scene().heads == std::vector<int64_t>{1, 3}));
    QTest::keyClick(&canvas, Qt::Key_A);
    QCOMPARE(b.scene().heads.size(), size_t{4});
    QTest::keyClick(&canvas, Qt::Key_A);
    QVERIFY(b.scene().heads == std::vector<int64_t>{1});
    QVERIFY(!b.scene().filter.without_first);
    QTest::keyClick(&canvas, Qt::Key_T);
    QVERIFY(b.scene().filter.without_first);
    QTest::keyClick(&canvas, Qt::Key_T);
    QVERIFY(!b.scene().filter.without_first);
  }

  void chips_draw_several_heads() {
    HeadLinesBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    QVERIFY(b.view->chips().chip(0)->isChecked());
    QTest::mouseClick(b.view->chips().chip(2), Qt::LeftButton);
    QVERIFY((b.scene().heads == std::vector<int64_t>{0, 2}));
    QVERIFY(b.settle());
    std::set<int64_t> drawn;
    for (const HeadLine& line : b.canvas().shown().lines) drawn.insert(line.head);
    QVERIFY((drawn == std::set<int64_t>{0, 2}));
    QVERIFY(b.scene().head_colors[0] != b.scene().head_colors[2]);
    QTest::mouseClick(b.view->chips().chip(0), Qt::LeftButton);
    QVERIFY(b.scene().heads == std::vector<int64_t>{2});
    QCOMPARE(b.selection.shown_head(), int64_t{2});
    QTest::mouseClick(b.view->chips().chip(2), Qt::LeftButton);
    QVERIFY(b.scene().heads == std::vector<int64_t>{2});
    QVERIFY(b.view->chips().chip(2)->isChecked());
  }

  void a_line_is_drawn_in_the_colour_of_its_head() {
    HeadLinesBench b(synthetic_scenario(12, 1));
    QVERIFY(b.finished);
    b.selection.show(b.selection.shown_request(), 0, 1);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.999, false});
    b.point_at(query(0));
    QVERIFY(b.settle());
    QCOMPARE(b.canvas().shown().lines.size(), size_t{1});
    const QImage picture = b.canvas().grab().toImage();
    const double ratio = picture.devicePixelRatio();
    const QPointF middle(b.canvas().canvas_layout().lines.center().x(),
                         b.canvas().rect_of(query(0)).center().y());
    QCOMPARE(QColor(picture.pixel((middle * ratio).toPoint())).rgb(),
             b.scene().head_colors[1].rgb());
  }

  void long_sequences_show_a_window() {
    HeadLinesBench b(synthetic_scenario(700, 3));
    QVERIFY(b.finished);
    HeadLinesCanvas& canvas = b.canvas();
    const LineWindow top = canvas.window();
    QCOMPARE(top.q_begin, int64_t{0});
    QVERIFY(top.q_end < 60);
    const size_t rows = b.view->line_rows().data().row.size();
    QVERIFY2(rows <= 2 * static_cast<size_t>(top.q_end), "more rows are kept than are near");
    canvas.scroll_by(400 * canvas.queries().scale);
    QVERIFY(b.settle());
    const LineWindow far = canvas.window();
    QVERIFY(far.q_begin >= 390);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.001, false});
    QVERIFY(b.settle());
    const LinesShown shown = canvas.shown();
    int64_t above = 0;
    for (const HeadLine& line : shown.lines) {
      QVERIFY(line.query >= far.q_begin && line.query < far.q_end);
      above += line.key < far.k_begin;
    }
    QVERIFY(above > 0);
    const CanvasAxis keys = canvas.keys();
    const HeadLinesPicture picture{b.scene(), canvas.canvas_layout(), canvas.queries(), keys,
                                   shown};
    QVERIFY(line_end(picture, LineSide::kKey, 0, 0) < canvas.canvas_layout().lines.top());
    QVERIFY(line_end(picture, LineSide::kQuery, far.q_begin + 2, 0) >
            canvas.canvas_layout().lines.top());
    QVERIFY(b.view->line_rows().data().row.size() <=
            3 * static_cast<size_t>(far.q_end - far.q_begin));
    const int64_t above_all = far.k_begin + 2;
    canvas.set_pointed(key(above_all), true);
    QVERIFY(b.settle());
    int64_t readers = 0;
    for (int64_t q = far.q_end; q < b.record().num_rows(); ++q)
      readers += static_cast<double>(weight_of(b.record(), 0, 0, q, above_all)) >= 0.001;
    const LineWindow now = canvas.window();
    QCOMPARE(now.q_end, far.q_end);
    QCOMPARE(canvas.shown().readers_below, readers);
    const auto drawn = [&] {
      TextRecorder recorder(canvas.size());
      canvas.render(&recorder);
      QStringList all;
      for (const DrawnText& text : recorder.texts()) all.append(text.text);
      return all;
    };
    const QString count = format_count(readers);
    QVERIFY(drawn().contains(QStringLiteral("later rows that read this key: ") + count) ||
            drawn().contains(QStringLiteral("later: ") + count));
    canvas.fit();
    QCOMPARE(canvas.window().q_end, b.record().num_rows());
  }

  void scrolling_reads_only_the_rows_of_the_window() {
    HeadLinesBench b(long_scenario(4096), {1000, 500});
    QVERIFY(b.finished);
    HeadLinesCanvas& canvas = b.canvas();
    QCOMPARE(b.scene().rows(), b.record().num_rows());
    const LineRows& rows = b.view->line_rows();
    const LineWindow top = canvas.window();
    QVERIFY(top.q_end < 40);
    QCOMPARE(canvas.shown().missing, int64_t{0});
    const uint64_t before = rows.data().rows_read;
    canvas.scroll_by(3000 * canvas.queries().scale);
    QVERIFY(b.settle());
    const LineWindow far = canvas.window();
    QVERIFY(far.q_begin >= 2990);
    QCOMPARE(rows.data().rows_read - before, static_cast<uint64_t>(far.q_end - far.q_begin));
    TextRecorder recorder(canvas.size());
    canvas.render(&recorder);
    QStringList drawn;
    for (const DrawnText& text : recorder.texts()) drawn.append(text.text);
    QVERIFY2(drawn.join(u' ').simplified().contains(
                 QStringLiteral("first token: %1% of the weights of the rows shown")
                     .arg(format_number(100 * canvas.shown().first / canvas.shown().mass, 3))),
             qPrintable(drawn.join(u' ')));
    QCOMPARE(canvas.shown().missing, int64_t{0});
    canvas.scroll_by(3 * canvas.queries().scale);
    QVERIFY(b.settle());
    const LineWindow next = canvas.window();
    QCOMPARE(rows.data().rows_read - before, static_cast<uint64_t>(next.q_end - far.q_begin));
    const uint64_t slices = rows.slices();
    const LinesShown* same = &canvas.shown();
    const HeadLine* first = same->lines.data();
    QTest::qWait(50);
    QCOMPARE(rows.slices(), slices);
    QCOMPARE(canvas.shown().lines.data(), first);
  }

  void the_strongest_of_too_many_lines_are_drawn() {
    HeadLinesBench b(synthetic_scenario(300, 2));
    QVERIFY(b.finished);
    HeadLinesCanvas& canvas = b.canvas();
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.0, false});
    b.view->set_heads({0, 1, 2, 3});
    canvas.scroll_by(200 * canvas.queries().scale);
    QVERIFY(b.settle());
    const LineWindow window = canvas.window();
    std::vector<float> all;
    double mass = 0, above = 0;
    int64_t lines_above = 0;
    for (int64_t head = 0; head < 4; ++head)
      for (int64_t q = window.q_begin; q < window.q_end; ++q)
        for (int64_t k = 0; k <= q; ++k) {
          const float weight = weight_of(b.record(), 0, head, q, k);
          if (!(weight > 0)) continue;
          all.push_back(weight);
          mass += static_cast<double>(weight);
          if (k >= window.k_above) continue;
          above += static_cast<double>(weight);
          ++lines_above;
        }
    std::sort(all.begin(), all.end(), std::greater<>());
    const LinesShown& shown = canvas.shown();
    QVERIFY(all.size() > LinesShown::kMost);
    QCOMPARE(shown.kept, static_cast<int64_t>(all.size()));
    QCOMPARE(shown.lines.size(), LinesShown::kMost);
    double drawn = 0;
    for (size_t i = 0; i < LinesShown::kMost; ++i) {
      QVERIFY(same_bits(shown.lines[LinesShown::kMost - 1 - i].weight, all[i]));
      drawn += static_cast<double>(all[i]);
    }
    QVERIFY(std::abs(shown.undrawn - (mass - drawn)) < 1e-6);
    QVERIFY(shown.undrawn > 0);
    QVERIFY(lines_above > 0);
    QCOMPARE(shown.lines_above, lines_above);
    QVERIFY(std::abs(shown.mass_above - above) < 1e-6);
    const QString said = lines_sentence(b.scene(), shown);
    for (const QString& number : {format_count(LinesShown::kMost), format_count(shown.kept),
                                  QLocale().toString(shown.undrawn / shown.mass, 'f', 3)})
      QVERIFY2(said.contains(number), qPrintable(said));
  }

  void the_raster_draws_the_curves_of_the_painter() {
    constexpr QSize kSize(240, 160);
    constexpr double kLeft = 10, kRight = 230, kBend = (kRight - kLeft) * kCurveBend;
    LineRaster raster(kSize, qRgb(20, 20, 24), kLeft, kRight);
    QImage painted(kSize, QImage::Format_RGB32);
    painted.fill(qRgb(20, 20, 24));
    {
      QPainter painter(&painted);
      painter.setRenderHint(QPainter::Antialiasing);
      for (const auto& [from, to, width, opacity] :
           {std::tuple{20.0, 140.5, 6.0, 1.0}, std::tuple{130.25, 30.0, 2.0, 0.6},
            std::tuple{80.0, -20.0, 1.0, 0.9}}) {
        raster.add({from, to, width, qRgb(240, 160, 60), opacity});
        QColor color(240, 160, 60);
        color.setAlphaF(static_cast<float>(opacity));
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
        QPainterPath path(QPointF(kLeft, from));
        path.cubicTo({kLeft + kBend, from}, {kRight - kBend, to}, {kRight, to});
        painter.drawPath(path);
      }
    }
    const QImage drawn = raster.image();
    double sum = 0;
    int changed = 0;
    for (int y = 0; y < kSize.height(); ++y)
      for (int x = 0; x < kSize.width(); ++x) {
        const int apart = std::abs(qRed(painted.pixel(x, y)) - qRed(drawn.pixel(x, y)));
        // The raster takes the middle of a column, which blurs edges where a curve is steep.
        QVERIFY2(apart <= 80, qPrintable(QStringLiteral("%1, %2: %3").arg(x).arg(y).arg(apart)));
        sum += apart;
        changed += qRed(painted.pixel(x, y)) != 20;
      }
    QVERIFY(changed > 1500);
    QVERIFY2(sum / changed < 6.1, qPrintable(QString::number(sum / changed)));
  }

  void a_locked_row_stays_in_sight() {
    HeadLinesBench b(long_scenario(40));
    b.selection.select({.kind = SelectionKind::kToken, .request = 0, .query = 3});
    for (const int height : {600, 160, 600, 220}) {
      b.view->resize(1000, height);
      QCoreApplication::processEvents();
      const QRectF row = b.canvas().rect_of(query(3));
      QVERIFY2(b.canvas().token_at(row.center()) == query(3), qPrintable(QString::number(height)));
    }
  }

  void wheel_scrolls_and_zooms() {
    HeadLinesBench b(synthetic_scenario(300, 2));
    QVERIFY(b.finished);
    HeadLinesCanvas& canvas = b.canvas();
    const QPointF at = canvas.canvas_layout().lines.center();
    const auto wheel = [&](int angle, Qt::KeyboardModifiers keys) {
      QWheelEvent event(at, at, QPoint(), QPoint(0, angle), Qt::NoButton, keys, Qt::NoScrollPhase,
                        false);
      QCoreApplication::sendEvent(&canvas, &event);
    };
    wheel(-120, Qt::NoModifier);
    QVERIFY(canvas.window().q_begin > 0);
    const double scale = canvas.queries().scale;
    wheel(-120, Qt::ControlModifier);
    QVERIFY(canvas.queries().scale < scale);
  }

  void decoded_rows_stand_at_their_positions() {
    HeadLinesBench b(synthetic_scenario(10, 6));
    QVERIFY(b.finished);
    QCOMPARE(b.scene().prompt_len, int64_t{10});
    QCOMPARE(b.scene().rows(), b.record().num_rows());
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.0, false});
    b.point_at(query(13));
    QVERIFY(b.settle());
    QCOMPARE(b.canvas().shown().lines.size(), size_t{14});
  }

  void nothing_is_read_while_hidden() {
    HeadLinesBench b(synthetic_scenario(30, 2));
    QVERIFY(b.finished);
    b.view->hide();
    const uint64_t before = b.view->line_rows().slices();
    b.bridge.start(synthetic_scenario(40, 3));
    QVERIFY(wait_until_phase(b.bridge, EnginePhase::kFinished));
    b.selection.show(b.selection.shown_request(), 1, 1);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.5, false});
    QTest::qWait(50);
    QCOMPARE(b.view->line_rows().slices(), before);
    b.view->show();
    QVERIFY(b.settle());
    QVERIFY(b.view->line_rows().slices() > before);
    QCOMPARE(b.canvas().shown().missing, int64_t{0});
  }

  void lines_show_what_is_written() {
    HeadLinesBench b(synthetic_scenario(40, 3));
    QVERIFY(b.finished);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.0, false});
    const size_t all = b.canvas().shown().lines.size();
    b.view->set_heads({0, 2});
    QTest::keyClick(&b.canvas(), Qt::Key_W);
    QVERIFY(b.settle());
    QCOMPARE(b.scene().base.quantity, Quantity::kWrittenValue);
    const int64_t layer = b.scene().base.layer, keys = b.scene().keys();
    double longest = 0;
    for (const int64_t head : {0, 2}) {
      const std::vector<double> lengths = value_lengths(b.record(), layer, head, 0, keys);
      longest = std::max(longest, *std::ranges::max_element(lengths));
      for (const HeadLine& line : b.canvas().shown().lines) {
        if (line.head != head) continue;
        const auto weight =
            static_cast<double>(weight_of(b.record(), layer, head, line.query, line.key));
        const double written = weight * lengths[static_cast<size_t>(line.key)];
        QVERIFY(std::abs(static_cast<double>(line.weight) - written) <= 1e-6 * written);
      }
    }
    QVERIFY(b.canvas().shown().lines.size() > all);  // these are lines of two heads
    QVERIFY(std::abs(b.scene().full() - longest) <= 1e-9 * longest);
    double sum = 0;
    for (const HeadLine& line : b.canvas().shown().lines)
      if (line.query == 20) sum += static_cast<double>(line.weight);
    QVERIFY(std::abs(b.scene().row_sum(20) - sum) < 1e-6 * sum);
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.1, false});
    QVERIFY(b.settle());
    for (const HeadLine& line : b.canvas().shown().lines)
      QVERIFY(static_cast<double>(line.weight) >= 0.1 * longest);
    QVERIFY(b.canvas().shown().off < 1e-5);
    QVERIFY(b.canvas().accessibleDescription().contains(QStringLiteral("sum to 1 within")));
    QCOMPARE(b.view->quantity_box()->next(), Quantity::kWeight);
    QVERIFY(b.view->csv().startsWith("layer,head,query,query_token,key,key_token,written_value"));
  }

  void table_and_pictures_are_written() {
    HeadLinesBench b(synthetic_scenario(24, 2), {1000, 800});
    QVERIFY(b.finished);
    b.view->set_heads({0, 3});
    b.view->set_filter({LineFilter::Kind::kAtLeast, 0.1, false});
    QVERIFY(b.settle());
    QTemporaryDir folder;
    const QString stem = folder.filePath(b.view->export_name());
    QCOMPARE(export_png(*b.view, stem + QStringLiteral(".png"), 1), QString());
    QCOMPARE(export_svg(*b.view, stem + QStringLiteral(".svg")), QString());
    QCOMPARE(export_csv(*b.view, stem + QStringLiteral(".csv")), QString());
    QCOMPARE(QImage(stem + QStringLiteral(".png")).size(), b.view->export_size());
    QFile svg(stem + QStringLiteral(".svg")), csv(stem + QStringLiteral(".csv"));
    QVERIFY(svg.open(QIODevice::ReadOnly) && csv.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("layer 0, heads 0, 3"));
    QCOMPARE(csv.readAll().trimmed().split('\n').size() - 1,
             static_cast<qsizetype>(b.canvas().shown().lines.size()));
  }

  // 85 mm, the column of a journal, are about 321 px. Five points are the least that it prints.
  void a_narrow_picture_keeps_its_letters() {
    HeadLinesBench b(synthetic_scenario(24, 2));
    QVERIFY(b.finished);
    const double column = 85 * kPixelsPerMm;
    for (const std::vector<int64_t>& heads :
         {std::vector<int64_t>{0}, std::vector<int64_t>{0, 1, 2, 3}})
      for (const double width : {column, 180 * kPixelsPerMm}) {
        b.view->set_heads(heads);
        QVERIFY(b.settle());
        const QSize size = b.view->export_size_for(width);
        const double points = PictureLook::read().small.pixelSize() * width / size.width() * 0.75;
        QVERIFY2(points >= 5, qPrintable(QString::number(points)));
        TextRecorder recorder(size);
        {
          QPainter painter(&recorder);
          b.view->drawing()(painter, QRectF(QPointF(0, 0), QSizeF(size)));
        }
        QCOMPARE(recorder.cut(), QStringList());
        QCOMPARE(recorder.overlaps(), QStringList());
        QStringList drawn;
        for (const DrawnText& text : recorder.texts()) drawn << text.text;
        const QString all = drawn.join(u' ').simplified();
        QVERIFY2(all.contains(QStringLiteral("(weights below")), qPrintable(all));
        for (const int64_t head : heads)
          QVERIFY2(all.contains(QStringLiteral("head %1").arg(head)), qPrintable(all));
      }
    QCOMPARE(b.view->export_size_for(2000).width(), b.view->export_size().width());
    QVERIFY(b.view->export_size_for(100).width() > 100);
  }

  void layouts_hold_at_every_size() {
    HeadLinesBench b(synthetic_scenario(30, 2));
    QVERIFY(b.finished);
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      for (const QSize size : {QSize(360, 240), QSize(620, 260), QSize(1280, 600)})
        for (const int heads : {1, 3}) {
          HeadLinesScene scene = b.scene();
          scene.look = PictureLook::read();
          scene.heads.resize(static_cast<size_t>(heads));
          const HeadLinesLayout l = layout_lines(scene, QRectF(QPointF(), size));
          const QRectF parts[] = {l.left_values, l.left_labels, l.lines, l.right_labels,
                                  l.right_values};
          for (size_t i = 1; i < std::size(parts); ++i)
            QVERIFY(parts[i].left() >= parts[i - 1].right() - 0.5);
          QVERIFY(l.left_values.left() >= 0 && l.right_values.right() <= size.width());
          if (l.legend.width() > 0) QVERIFY(l.right_values.right() <= l.legend.left());
          QVERIFY(l.lines.width() >= 24 && l.lines.bottom() <= l.footer.top());
        }
    }
  }
};

ATTN_QT_TEST(test_head_lines, attn::gui::test::run<TestHeadLines>)
#include "test_head_lines.moc"
