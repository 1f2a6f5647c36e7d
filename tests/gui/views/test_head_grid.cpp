// SPDX-License-Identifier: GPL-3.0-or-later
// The head grid.
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/explore/written.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/text_recorder.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

struct HeadGridBench {
  explicit HeadGridBench(const Scenario& scenario, QSize size = {1100, 600}) {
    follow_runs(bridge, selection);
    view = std::make_unique<HeadGridView>(ViewContext{&bridge, &selection});
    view->resize(size);
    view->show();
    view->canvas().setFocus();
    bridge.start(scenario);
    finished = wait_until_phase(bridge, EnginePhase::kFinished) && settle();
  }
  bool settle() {
    QCoreApplication::processEvents();
    return view->stats().wait(std::chrono::seconds(30));
  }
  const AttentionRecord& record() const { return *bridge.snapshot()->requests.front().attention; }
  QPoint middle_of(int64_t index) { return view->canvas().rect_of(index).center().toPoint(); }

  EngineBridge bridge;
  Selection selection;
  std::unique_ptr<HeadGridView> view;
  bool finished = false;
};

void write_texts(const QString& file, const char* lines) {
  write_file_atomically(FilePath(file).path(), lines);
}

}  // namespace

class TestHeadGrid : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { fail_on_warnings(); }
  void cleanup() {
    Theme::instance().set_mode(ThemeMode::kDark);
    Theme::instance().set_text_percent(100);
  }

  void scores_and_thumbnails_are_those_of_the_engine() {
    HeadGridBench b(synthetic_scenario(60, 5));
    QVERIFY(b.finished);
    const RequestView& request = b.bridge.snapshot()->requests.front();
    const RepeatedTokens repeated = repeated_tokens_of(request);
    QCOMPARE(b.view->scene().count(), int64_t{8});
    for (int64_t index = 0; index < 8; ++index) {
      const HeadScores* shown = b.view->scene().scores(index);
      QVERIFY(shown);
      HeadReading reading;
      read_head(
          b.record(), index / 4, index % 4, b.record().num_rows(), repeated, [] { return false; },
          reading);
      QVERIFY(*shown == reading.scores);
      const auto& summary = b.view->scene().summaries[static_cast<size_t>(index)];
      QCOMPARE(summary->thumb_detail.level, 0);
      for (int64_t q = 0; q < b.record().num_rows(); q += 7)
        for (int64_t k = 0; k <= q; k += 5)
          QVERIFY(same_bits(summary->thumb->at(q, k),
                            weight_of(b.record(), index / 4, index % 4, q, k)));
      QCOMPARE(summary->thumb->at(3, 4), kMaskedCell);
    }
  }

  void pooled_thumbnails_are_true() {
    HeadGridBench b(synthetic_scenario(300, 2), {420, 320});
    QVERIFY(b.finished);
    for (const Reduce reduce : {Reduce::kMax, Reduce::kMean}) {
      b.view->set_reduce(reduce);
      QVERIFY(b.settle());
      const ThumbDetail detail = b.view->scene().thumb;
      QVERIFY(detail.level >= 1);
      QVERIFY(
          thumb_sentence(b.view->scene())
              .contains(reduce == Reduce::kMax ? QStringLiteral("max") : QStringLiteral("mean")));
      const auto& summary = b.view->scene().summaries[5];
      QVERIFY(summary->thumb_detail == detail);
      const int64_t side = int64_t{1} << detail.level;
      for (const auto& [row, column] : {std::pair<int64_t, int64_t>{3, 1}, {9, 9}, {20, 0}}) {
        float most = 0;
        double sum = 0;
        int count = 0;
        for (int64_t q = row * side; q < (row + 1) * side; ++q)
          for (int64_t k = column * side; k < (column + 1) * side && k <= q; ++k) {
            const float weight = weight_of(b.record(), 1, 1, q, k);
            most = std::max(most, weight);
            sum += static_cast<double>(weight);
            ++count;
          }
        const float shown = summary->thumb->at(row, column);
        if (reduce == Reduce::kMax) {
          QVERIFY(same_bits(shown, most));
        } else {
          QVERIFY(std::abs(static_cast<double>(shown) - sum / count) < 1e-6);
        }
      }
    }
  }

  void pixels_have_the_colours_of_the_weights() {
    HeadGridBench b(synthetic_scenario(12, 2), {1100, 420});
    QVERIFY(b.finished);
    b.selection.show(b.selection.shown_request(), 0, 0);
    const HeadGridScene& scene = b.view->scene();
    const QImage picture = b.view->canvas().grab().toImage();
    const double ratio = picture.devicePixelRatio();
    const int64_t rows = scene.heads.rows;
    for (const int64_t index : {1, 6}) {
      const QRectF thumb = b.view->canvas().rect_of(index);
      const double step = thumb.width() / static_cast<double>(rows);
      for (const auto& [q, k] : {std::pair<int64_t, int64_t>{5, 2}, {11, 11}, {9, 0}}) {
        const float weight =
            weight_of(b.record(), scene.layer_of(index), scene.head_of(index), q, k);
        const QPointF at = thumb.topLeft() + QPointF((static_cast<double>(k) + 0.5) * step,
                                                     (static_cast<double>(q) + 0.5) * step);
        QCOMPARE(
            picture.pixel((at * ratio).toPoint()),
            color_table(
                scene.map)[static_cast<size_t>(scene.scale.index(static_cast<double>(weight)))]);
      }
    }
  }

  void no_mark_of_the_legend_is_without_words() {
    HeadGridBench b(synthetic_scenario(12, 2), {1100, 600});
    QVERIFY(b.finished);
    b.selection.show(b.selection.shown_request(), 0, 0);
    HeadGridCanvas& canvas = b.view->canvas();
    const QRgb accent = Theme::instance().colors().accent.rgb();
    int with = 0, without = 0;
    for (int height = 600; height > 160; height -= 6) {
      b.view->resize(1100, height);
      QVERIFY(b.settle());
      const QImage picture = canvas.grab().toImage();
      TextRecorder recorder(canvas.size());
      canvas.render(&recorder);
      const QRectF legend = canvas.canvas_layout().legend;
      const int x = static_cast<int>(legend.left()) + 6;
      bool mark = false;
      for (int y = static_cast<int>(legend.top()); y < legend.bottom(); ++y)
        mark |= picture.pixel(QPoint(x, y) * picture.devicePixelRatio()) == accent;
      const bool words = std::ranges::any_of(recorder.texts(), [](const DrawnText& text) {
        return text.text.startsWith(QStringLiteral("the head that"));
      });
      QVERIFY2(mark == words, qPrintable(QString::number(height)));
      (words ? with : without) += 1;
    }
    QVERIFY(with > 0 && without > 0);
  }

  void ranking_is_by_the_score_and_bars_are_its_length() {
    HeadGridBench b(synthetic_scenario(60, 2));
    QVERIFY(b.finished);
    for (const HeadScore score : kHeadScores) {
      b.view->set_order(score);
      QVERIFY(b.view->canvas().canvas_layout().ranked);
      const auto& cells = b.view->canvas().canvas_layout().cells;
      QCOMPARE(cells.size(), size_t{8});
      for (size_t place = 1; place < cells.size(); ++place)
        QVERIFY(*value_of(*b.view->scene().scores(cells[place - 1].index), score, false) >=
                *value_of(*b.view->scene().scores(cells[place].index), score, false));
    }
    b.view->resize(620, 300);
    QVERIFY(!b.view->canvas().canvas_layout().down_first);
    for (size_t place = 1; place < 8; ++place) {
      const QRectF before = b.view->canvas().canvas_layout().cells[place - 1].rect;
      QVERIFY(b.view->canvas().canvas_layout().cells[place].rect.top() >= before.top());
    }
    b.view->set_order(std::nullopt);
    QVERIFY(!b.view->canvas().canvas_layout().ranked);
    QCOMPARE(b.view->canvas().canvas_layout().cells[5].index, int64_t{5});
  }

  void a_score_that_is_not_there_ranks_last_and_says_so() {
    Scenario scenario = synthetic_scenario(6, 1);
    scenario.source.synthetic->kind = SyntheticKind::kRandom;
    HeadGridBench b(scenario);
    QVERIFY(b.finished);
    const HeadScores* scores = b.view->scene().scores(0);
    QVERIFY(scores);
    if (!scores->induction)
      QVERIFY(b.view->scene().sentence(0).contains(QStringLiteral("induction n/a")));
    QCOMPARE(score_text(std::nullopt, HeadScore::kInduction, false), QStringLiteral("n/a"));
    for (const double nothing : {-0.0, -1.2e-7})
      QCOMPARE(score_text(nothing, HeadScore::kEntropy, false), QStringLiteral("0.00"));
    QCOMPARE(score_text(-0.006, HeadScore::kEntropy, false), QStringLiteral("-0.01"));
  }

  void click_shows_the_head_everywhere() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    QSignalSpy opened(b.view.get(), &gui::View::view_asked);
    QTest::mouseClick(&b.view->canvas(), Qt::LeftButton, {}, b.middle_of(6));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(b.selection.shown_layer(), int64_t{1});
    QCOMPARE(b.selection.shown_head(), int64_t{2});
    QCOMPARE(b.view->scene().shown, int64_t{6});
    b.view->set_order(HeadScore::kEntropy);
    const int64_t first = b.view->canvas().canvas_layout().cells.front().index;
    QTest::mouseClick(&b.view->canvas(), Qt::LeftButton, {}, b.middle_of(first));
    QCOMPARE(b.view->scene().shown, first);
    QTest::mouseClick(&b.view->canvas(), Qt::LeftButton, {},
                      QPoint(b.view->canvas().width() - 4, 4));
    QCOMPARE(opened.count(), 2);
  }

  void keys_move_open_and_choose() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    HeadGridCanvas& canvas = b.view->canvas();
    b.selection.show(b.selection.shown_request(), 0, 1);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(b.view->scene().cursor, int64_t{1});
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(b.view->scene().cursor, int64_t{6});
    QVERIFY(canvas.accessibleDescription().startsWith(QStringLiteral("layer 1, head 2")));
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(b.selection.shown_layer(), int64_t{1});
    QCOMPARE(b.selection.shown_head(), int64_t{2});
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(b.view->scene().cursor, int64_t{6});
    QTest::keyClick(&canvas, Qt::Key_Period);
    QCOMPARE(b.selection.shown_head(), int64_t{3});
    QTest::keyClick(&canvas, Qt::Key_O);
    QVERIFY(b.view->scene().order == HeadScore::kEntropy);
    QCOMPARE(b.view->order_box()->currentIndex(), 1);
    QTest::keyClick(&canvas, Qt::Key_E);
    QVERIFY(b.view->scene().relative);
    QTest::keyClick(&canvas, Qt::Key_S);
    QVERIFY(b.view->scene().order == HeadScore::kDistance);
    QTest::keyClick(&canvas, Qt::Key_L);
    QVERIFY(b.view->scene().scale.kind == ColorScale::Kind::kLog);
    QTest::keyClick(&canvas, Qt::Key_M);
    QVERIFY(b.view->scene().thumb.reduce == Reduce::kMean);
    const double before = canvas.canvas_layout().thumb_side;
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(canvas.canvas_layout().thumb_side > before);
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.canvas_layout().thumb_side, before);
  }

  void the_chosen_head_can_be_revealed() {
    HeadGridBench b(synthetic_scenario(60, 5), {900, 300});
    QVERIFY(b.finished);
    b.view->go_to_place({3, 0});
    b.selection.show_head(1, 3, 2, 4);
    QVERIFY(b.settle());
    b.view->reveal_selection();
    const double above = b.view->canvas().scroll_offset();
    QVERIFY(above > 0);
    QVERIFY(b.view->canvas().rect_of(7).bottom() <= b.view->canvas().height());
    b.selection.show_head(0, 0, 2, 4);
    QVERIFY(b.settle());
    b.view->reveal_selection();
    QVERIFY(b.view->canvas().scroll_offset() < above);
  }

  void points_stand_at_their_scores() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    b.view->set_score(HeadScore::kDistance);
    b.view->set_points(HeadScore::kEntropy);
    HeadGridCanvas& canvas = b.view->canvas();
    const HeadGridScene& scene = b.view->scene();
    const QRectF& plot = canvas.canvas_layout().plot;
    QCOMPARE(std::ssize(canvas.canvas_layout().cells), scene.count());
    for (int64_t head = 0; head < scene.count(); ++head) {
      const QPointF middle = canvas.rect_of(head).center();
      QVERIFY(plot.contains(middle));
      QVERIFY(
          std::abs((middle.x() - plot.left()) / plot.width() * scene.axis_end(HeadScore::kEntropy) -
                   *scene.scores(head)->entropy_nats) < 1e-9);
      QVERIFY(std::abs((plot.bottom() - middle.y()) / plot.height() *
                           scene.axis_end(HeadScore::kDistance) -
                       *scene.scores(head)->distance_tokens) < 1e-9);
    }
    QTest::keyClick(&canvas, Qt::Key_Right);
    const int64_t from = scene.cursor;
    QTest::keyClick(&canvas, Qt::Key_Up);
    QVERIFY(canvas.rect_of(scene.cursor).top() <= canvas.rect_of(from).top());
    QVERIFY(b.view->options()[QLatin1String("across")].toInt() == 0);
    QTest::keyClick(&canvas, Qt::Key_A);
    QVERIFY(scene.across == HeadScore::kDistance);
    QTest::keyClick(&canvas, Qt::Key_O);
    QVERIFY(!scene.across && !scene.order);
  }

  void tooltip_defines_all_five() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    const QString tip = b.view->canvas().tooltip_at(b.middle_of(3));
    QVERIFY(tip.contains(QStringLiteral("layer 0, head 3, KV head 1 (shared by heads 2, 3)")));
    for (const HeadScore score : kHeadScores) {
      QVERIFY2(tip.contains(definition_of(score, false).toHtmlEscaped()), qPrintable(tip));
      QVERIFY(tip.contains(
          name_of(score) + QLatin1Char(' ') +
          score_text(value_of(*b.view->scene().scores(3), score, false), score, false)));
    }
  }

  void nothing_is_read_while_hidden() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    b.view->hide();
    const uint64_t before = b.view->stats().slices();
    b.bridge.start(synthetic_scenario(50, 3));
    QVERIFY(wait_until_phase(b.bridge, EnginePhase::kFinished));
    b.view->set_reduce(Reduce::kMean);
    QTest::qWait(50);
    QCOMPARE(b.view->stats().slices(), before);
    b.view->show();
    QVERIFY(b.settle());
    QVERIFY(b.view->stats().slices() > before);
    QCOMPARE(b.view->scene().scores(7)->rows, b.record().num_rows());
  }

  void rows_appear_while_the_run_goes_on() {
    EngineBridge bridge;
    Selection selection;
    follow_runs(bridge, selection);
    HeadGridView view({&bridge, &selection});
    view.resize(900, 500);
    view.show();
    bridge.start(synthetic_scenario(40, 6), true);
    QVERIFY(wait_until_stands(bridge));
    int64_t last = -1;
    for (int i = 0; i < 4; ++i) {
      bridge.step(Granularity::kStep);
      QVERIFY(wait_until_stands(bridge));
      QCoreApplication::processEvents();
      QVERIFY(view.stats().wait(std::chrono::seconds(20)));
      const HeadScores* scores = view.scene().scores(5);
      if (!scores) continue;
      const AttentionRecord& record = *bridge.snapshot()->requests.front().attention;
      int64_t done = 0;
      for (int64_t q = 0; q < record.num_rows(); ++q) done += record.row_done(1, 1, q);
      QCOMPARE(scores->rows, done);
      QVERIFY(scores->rows > last);
      last = scores->rows;
    }
    QVERIFY(last > 40);
  }

  void thumbnails_show_what_is_written() {
    HeadGridBench b(synthetic_scenario(60, 5));
    QVERIFY(b.finished);
    QTest::keyClick(&b.view->canvas(), Qt::Key_W);
    QVERIFY(b.settle());
    QCOMPARE(b.view->scene().heads.quantity, Quantity::kWrittenValue);
    double most = 0;
    for (int64_t index = 0; index < 8; ++index) {
      const auto& summary = b.view->scene().summaries[static_cast<size_t>(index)];
      const std::vector<double> lengths =
          value_lengths(b.record(), index / 4, index % 4, 0, b.record().num_rows());
      for (int64_t k = 0; k <= 40; k += 5) {
        const double written =
            static_cast<double>(weight_of(b.record(), index / 4, index % 4, 40, k)) *
            lengths[static_cast<size_t>(k)];
        QVERIFY(std::abs(static_cast<double>(summary->thumb->at(40, k)) - written) <=
                1e-6 * written);
      }
      most = std::max(most, summary->thumb_most);
    }
    QVERIFY(b.view->scene().shown_scale().high >= most &&
            b.view->scene().shown_scale().high < 1.1 * most);
    QVERIFY(b.view->scene().off() < 1e-5);
    QCOMPARE(b.view->quantity_box()->next(), Quantity::kWeight);
  }

  void table_and_pictures_are_written() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    b.view->set_order(HeadScore::kInduction);
    QTemporaryDir folder;
    const QString stem = folder.filePath(b.view->export_name());
    QCOMPARE(export_png(*b.view, stem + QStringLiteral(".png"), 2), QString());
    QCOMPARE(export_svg(*b.view, stem + QStringLiteral(".svg")), QString());
    QCOMPARE(export_csv(*b.view, stem + QStringLiteral(".csv")), QString());
    const QImage picture(stem + QStringLiteral(".png"));
    QCOMPARE(picture.size(), b.view->export_size() * 2);
    QFile svg(stem + QStringLiteral(".svg")), csv(stem + QStringLiteral(".csv"));
    QVERIFY(svg.open(QIODevice::ReadOnly) && csv.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("ranked by: induction"));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 9);
    const int64_t index = 6;
    const QList<QByteArray> cells = lines[1 + index].split(',');
    QCOMPARE(cells[0].toLongLong(), b.view->scene().layer_of(index));
    QCOMPARE(cells[2].toLongLong(), b.view->scene().kv_head_of(index));
    QCOMPARE(cells[4].toDouble(), *b.view->scene().scores(index)->entropy_nats);
    QCOMPARE(cells[9].toDouble(), *b.view->scene().scores(index)->induction);
  }

  void scores_over_texts_stand_in_the_place_of_the_requests() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mine.txt"));
    write_texts(file, "Tom had a ball. Tom had a ball.\n\nThe cat saw the cat.\n");
    Stage stage(deterministic("first-look", 2));
    auto& view = stage.add<HeadGridView>("heads", {1280, 600});
    QVERIFY(stage.run_to_end());
    QVERIFY(view.stats().wait(std::chrono::seconds(30)));
    const HeadGridScene& scene = view.scene();
    const auto thumbs = scene.summaries;
    const HeadScores of_request = *scene.scores(5);
    QVERIFY(scene.texts_line().isEmpty());
    view.texts().show_file(file);
    QVERIFY(view.is_behind());
    QVERIFY(scene.state_line.contains(QStringLiteral("Esc cancels")));
    QVERIFY(*scene.scores(5) == of_request);
    QTRY_VERIFY(scene.texts);
    QVERIFY(scene.state_line.isEmpty());
    const auto source = load_source(*stage.bridge.snapshot()->scenario);
    const auto expected =
        score_texts(*stage.bridge.snapshot()->scenario, source, read_texts(FilePath(file).path()));
    QCOMPARE(std::ssize(expected->heads), scene.count());
    for (int64_t head = 0; head < scene.count(); ++head)
      QVERIFY(*scene.scores(head) == expected->heads[static_cast<size_t>(head)]);
    QVERIFY(!(*scene.scores(5) == of_request));
    QVERIFY(scene.summaries[5]->thumb == thumbs[5]->thumb);
    const QString line = QStringLiteral(
                             "Scores over 2 texts of “mine.txt” with %1 tokens; the "
                             "pictures are those of “%2”")
                             .arg(expected->tokens)
                             .arg(scene.request_name);
    QCOMPARE(scene.texts_line(), line);
    QVERIFY(
        view.canvas().tooltip_at(view.canvas().rect_of(3).center()).contains(line.toHtmlEscaped()));
    QCOMPARE(view.texts().button()->text(), QStringLiteral("Texts: mine.txt"));
    QCOMPARE(QString::fromUtf8(view.csv())
                 .section(QLatin1Char('\n'), 6, 6)
                 .section(QLatin1Char(','), -3),
             QStringLiteral("mine.txt,2,%1").arg(expected->tokens));
    const QJsonObject saved = view.options();
    QCOMPARE(saved.value(QLatin1String("texts")).toObject().value(QLatin1String("file")).toString(),
             file);
    view.texts().show_request();
    QVERIFY(!scene.texts);
    view.set_options(QJsonDocument::fromJson(QJsonDocument(saved).toJson()).object());
    QVERIFY(scene.texts);
    QCOMPARE(scene.texts_line(), line);
    for (int64_t head = 0; head < scene.count(); ++head)
      QVERIFY(*scene.scores(head) == expected->heads[static_cast<size_t>(head)]);
    QJsonObject other = saved, texts = saved.value(QLatin1String("texts")).toObject();
    texts.insert(QStringLiteral("heads"), QJsonArray{QJsonArray{1, 2}});
    other.insert(QStringLiteral("texts"), texts);
    view.texts().show_request();
    view.set_options(other);  // options of another model
    QVERIFY(!scene.texts);
    view.set_options(saved);
    stage.bridge.start(deterministic("first-look", 3));
    QVERIFY(wait_until_phase(stage.bridge, EnginePhase::kFinished));
    QTRY_VERIFY(scene.texts);
    view.texts().show_file(folder.filePath(QStringLiteral("none.txt")));
    QTRY_VERIFY(!view.texts().is_computing());
    QVERIFY2(scene.state_line.contains(QStringLiteral("none.txt")), qPrintable(scene.state_line));
    QVERIFY(!scene.texts);
    QTest::keyClick(&view.canvas(), Qt::Key_Escape);
    QVERIFY(scene.state_line.isEmpty());
    view.texts().show_shipped();
    QVERIFY(!scene.state_line.isEmpty());
    QTest::keyClick(&view.canvas(), Qt::Key_Escape);
    QVERIFY(!view.texts().is_computing() && scene.state_line.isEmpty() && !scene.texts);
    QTest::keyClick(&view.canvas(), Qt::Key_T);
    QMenu* menu = view.texts().button()->menu();
    QVERIFY(menu->isVisible());
    QCOMPARE(menu->actions().size(), 4);
    QVERIFY(menu->actions()[0]->isChecked() && menu->actions()[1]->isEnabled());
    menu->close();
    QVERIFY(menu->actions()[2]->text().contains(QStringLiteral("mine.txt")));
    QVERIFY(menu->actions()[2]->toolTip().contains(file));
    menu->actions()[2]->trigger();
    QTRY_VERIFY(scene.texts);
    for (int64_t head = 0; head < scene.count(); ++head)
      QVERIFY(*scene.scores(head) == expected->heads[static_cast<size_t>(head)]);
  }

  void a_session_keeps_the_file_of_the_texts() {
    Stage stage(deterministic("first-look", 2));
    auto& view = stage.add<HeadGridView>("heads", {1280, 600});
    QVERIFY(stage.run_to_end());
    QJsonObject saved = view.options();
    QJsonArray heads;
    const QJsonArray numbers{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
    for (int64_t head = 0; head < view.scene().count(); ++head) heads.append(numbers);
    QJsonObject texts{{QStringLiteral("name"), QStringLiteral("mine.txt")},
                      {QStringLiteral("file"), QStringLiteral("/some/where/mine.txt")},
                      {QStringLiteral("texts"), 1},
                      {QStringLiteral("tokens"), 9},
                      {QStringLiteral("cut"), 0},
                      {QStringLiteral("longest"), 9},
                      {QStringLiteral("heads"), heads}};
    saved.insert(QStringLiteral("texts"), texts);
    view.set_options(saved);
    QVERIFY(view.scene().texts);
    QCOMPARE(view.options().value(QLatin1String("texts")).toObject(), texts);
    view.texts().open_menu();
    QMenu* menu = view.texts().button()->menu();
    QVERIFY(menu->actions()[2]->isChecked());
    QVERIFY(menu->actions()[2]->toolTip().contains(QStringLiteral("/some/where/mine.txt")));
    menu->close();
  }

  void texts_are_refused_without_a_model() {
    HeadGridBench b(synthetic_scenario(20, 2));
    QVERIFY(b.finished);
    QTest::keyClick(&b.view->canvas(), Qt::Key_T);
    QVERIFY(b.view->scene().state_line.contains(QStringLiteral("a model that reads texts")));
    QVERIFY(!b.view->texts().button()->menu()->isVisible());
    QTest::keyClick(&b.view->canvas(), Qt::Key_Escape);
    QVERIFY(b.view->scene().state_line.isEmpty());
    ViewChoices choices;
    choices.texts = "stories";
    QVERIFY_THROWS_EXCEPTION(Error, b.view->choose(choices));
  }

  void layouts_hold_at_every_size() {
    HeadGridBench b(synthetic_scenario(40, 2));
    QVERIFY(b.finished);
    for (const int percent : {100, 150, 200}) {
      Theme::instance().set_text_percent(percent);
      for (const QSize size : {QSize(360, 240), QSize(620, 260), QSize(1280, 600)}) {
        HeadGridScene scene = b.view->scene();
        scene.look = PictureLook::read();
        scene.state_line = QStringLiteral("computing");
        for (const bool ranked : {false, true}) {
          scene.order = ranked ? std::optional(HeadScore::kFirst) : std::nullopt;
          const HeadGridLayout layout = layout_heads(scene, QRectF(QPointF(), size), 1);
          QVERIFY(layout.view.right() <= size.width() && layout.view.bottom() <= size.height());
          for (size_t i = 0; i < layout.cells.size(); ++i) {
            const HeadGridLayout::Cell& cell = layout.cells[i];
            QVERIFY(!cell.rect.translated(0, layout.view.top()).intersects(layout.texts_line));
            QVERIFY(cell.rect.left() >= layout.view.left() - 0.5);
            QVERIFY(cell.rect.right() <= layout.view.right() + 0.5);
            QVERIFY(cell.thumb.bottom() <= cell.rect.bottom() + 0.5);
            QVERIFY(!cell.thumb.intersects(cell.facts));
            for (size_t j = 0; j < i; ++j) QVERIFY(!layout.cells[j].thumb.intersects(cell.thumb));
          }
        }
      }
    }
  }

  void thumb_levels() {
    QCOMPARE(thumb_level(1, 50), 0);
    QCOMPARE(thumb_level(50, 50), 0);
    QCOMPARE(thumb_level(51, 50), 1);
    QCOMPARE(thumb_level(100, 50), 1);
    QCOMPARE(thumb_level(101, 50), 2);
    // A thumbnail has at most the 256 x 256 entries of a tile.
    QCOMPARE(thumb_level(16384, 1e9), 6);
  }
};

ATTN_QT_TEST(test_head_grid, attn::gui::test::run<TestHeadGrid>)
#include "test_head_grid.moc"
