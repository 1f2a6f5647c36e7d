// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics view.
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cmath>
#include <set>

#include "backends/register_all.h"
#include "gui/views/metrics/metrics_view.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

using Steps = std::vector<StepRecord>;

std::shared_ptr<EngineSnapshot> snapshot_of(Steps steps, uint64_t run = 1) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = run;
  shot->steps = std::make_shared<const Steps>(std::move(steps));
  return shot;
}

StepRecord step(uint32_t number, uint64_t begin_ns, uint64_t end_ns, int64_t prefill,
                int64_t decode) {
  StepRecord record;
  record.step = number;
  record.begin_ns = begin_ns;
  record.end_ns = end_ns;
  record.prefill_tokens = prefill;
  record.decode_tokens = decode;
  return record;
}

Steps plain_steps(uint32_t count) {
  Steps steps;
  for (uint32_t i = 0; i < count; ++i)
    steps.push_back(step(i + 1, uint64_t{i} * 1000000, uint64_t{i + 1} * 1000000, 0, 1));
  return steps;
}

RequestView request_of(uint32_t id, std::optional<uint64_t> ttft_ns, std::optional<double> tpot_ns,
                       RequestState state = RequestState::kFinishedStopped) {
  RequestView request;
  request.id = id;
  request.name = "request " + std::to_string(id);
  request.state = state;
  request.metrics.ttft_ns = ttft_ns;
  request.metrics.tpot_ns = tpot_ns;
  return request;
}

Distribution distribution_of(const std::vector<double>& values) {
  Distribution result;
  for (const double value : values) result.entries.push_back({value, 0, true});
  return result;
}

struct Run {
  EngineBridge bridge;
  Selection selection;
  MetricsView view{{&bridge, &selection}};

  explicit Run(Scenario scenario) {
    follow_runs(bridge, selection);
    scenario.view.pace_tiles_per_s = 0;
    scenario.engine.threads = 1;
    view.resize(1280, 640);
    view.show();
    bridge.start(scenario);
    ended = wait_until_phase(bridge, EnginePhase::kFinished);
    QTest::qWait(2 * MetricsCanvas::kRefreshMs);
  }
  bool ended = false;
};

QImage picture_of(MetricsView& view) {
  QImage image(view.size(), QImage::Format_RGB32);
  view.render(&image);
  return image;
}

QPointF place_of(MetricsCanvas& canvas, ChartKind kind, size_t index) {
  const QRectF plot = canvas.charts()->plot().translated(canvas.grid().chart(kind).topLeft());
  const MetricsRange range = canvas.range();
  const RunAxis axis = run_axis(canvas.model(), range);
  const double value = axis_value(canvas.model(), axis, range, index);
  return {plot.left() + (value - axis.begin) / (axis.end - axis.begin) * plot.width(),
          plot.center().y()};
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
  }
  void init() { fail_on_warnings(); }

  void speed_is_tokens_by_time_of_the_step() {
    MetricsModel model;
    model.update(
        snapshot_of({step(1, 1000000, 3000000, 100, 0), step(2, 4000000, 5000000, 0, 30)}));
    QCOMPARE(model.value(StepValue::kPrefillRate, 0), 100 / 2e-3);
    QCOMPARE(model.value(StepValue::kDecodeRate, 0), 0.0);
    QCOMPARE(model.value(StepValue::kPrefillRate, 1), 0.0);
    QCOMPARE(model.value(StepValue::kDecodeRate, 1), 30 / 1e-3);
    model.update(snapshot_of({step(1, 5, 5, 7, 0)}, 2));
    QVERIFY(std::isnan(model.value(StepValue::kPrefillRate, 0)));
  }

  void numbers_say_of_which_step_they_are() {
    MetricsModel model;
    model.update(snapshot_of(plain_steps(4)));
    for (const size_t index : {size_t{1}, size_t{3}}) {
      const QString step = QString::number(model.record(index).step);
      for (int i = 0; i < kCharts; ++i) {
        const auto kind = static_cast<ChartKind>(i);
        QString said = note_of(kind, model, index);
        for (const LegendEntry& entry : legend_of(kind, model, index))
          said += QLatin1Char(' ') + entry.name;
        QVERIFY2(said.contains(QStringLiteral("step ") + step) == is_over_run(kind),
                 qPrintable(said));
      }
    }
  }

  void prefill_and_decode_are_compared() {
    MetricsModel model;
    model.update(snapshot_of({step(1, 0, 2000000, 100, 0), step(2, 2000000, 3000000, 50, 5),
                              step(3, 3000000, 4000000, 0, 10)}));
    QCOMPARE(model.token_times().prefill_ns, 20000.0);
    QCOMPARE(model.token_times().decode_ns, 100000.0);
    QVERIFY(
        note_of(ChartKind::kPrefillRate, model, 0).contains(QStringLiteral("5 × decode speed")));
    QVERIFY(
        note_of(ChartKind::kDecodeRate, model, 0).contains(QStringLiteral("prefill speed ÷ 5")));
    QVERIFY(legend_of(ChartKind::kPrefillRate, model, 0)[0].value.contains(
        QStringLiteral("(20 µs a token)")));
    QVERIFY(legend_of(ChartKind::kDecodeRate, model, 2)[0].value.contains(
        QStringLiteral("(100 µs a token)")));
    QVERIFY(!legend_of(ChartKind::kDecodeRate, model, 0)[0].value.contains(QLatin1Char('(')));
    model.update(snapshot_of({step(1, 0, 2000000, 100, 0)}, 2));
    QVERIFY(!model.token_times().are_comparable());
  }

  void hit_rate_of_the_step_and_so_far() {
    Steps steps = plain_steps(3);
    steps[0].queried_tokens = 40;
    steps[2].queried_tokens = 60;
    steps[2].hit_tokens = 45;
    MetricsModel model;
    model.update(snapshot_of(steps));
    QCOMPARE(model.value(StepValue::kHitStep, 0), 0.0);
    QVERIFY(std::isnan(model.value(StepValue::kHitStep, 1)));
    QCOMPARE(model.value(StepValue::kHitStep, 2), 0.75);
    QCOMPARE(model.value(StepValue::kHitSoFar, 1), 0.0);
    QCOMPARE(model.value(StepValue::kHitSoFar, 2), 0.45);
  }

  void percentiles_are_values_that_requests_had() {
    const Distribution ten = distribution_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    QCOMPARE(ten.percentile(0.5), 5.0);
    QCOMPARE(ten.percentile(0.9), 9.0);
    QCOMPARE(ten.percentile(0.99), 10.0);
    QCOMPARE(ten.percentile(1), 10.0);
    QCOMPARE(distribution_of({3}).percentile(0.5), 3.0);
    QCOMPARE(distribution_of({3, 8, 9}).percentile(0.5), 8.0);
    QVERIFY(std::isnan(Distribution().percentile(0.5)));
  }

  void waiting_times_are_of_requests_that_were_asked_for() {
    auto shot = snapshot_of({});
    shot->requests = {request_of(0, 30, 5.5), request_of(1, 10, std::nullopt),
                      request_of(2, 10, 4.5, RequestState::kRunning),
                      request_of(3, std::nullopt, std::nullopt, RequestState::kWaiting),
                      request_of(4, 1, 1.0)};
    shot->requests[4].parent = 0;
    const Distribution ttft = ttft_of(*shot), tpot = tpot_of(*shot);
    QCOMPARE(ttft.requests, size_t{4});
    QVERIFY((ttft.entries ==
             std::vector<Distribution::Entry>{{10, 1, true}, {10, 2, true}, {30, 0, true}}));
    QCOMPARE(tpot.requests, size_t{4});
    QVERIFY((tpot.entries == std::vector<Distribution::Entry>{{4.5, 2, false}, {5.5, 0, true}}));
  }

  void bins_by_hand() {
    const Histogram bins = histogram_of(distribution_of({10, 11, 12, 20, 30}), 4);
    QCOMPARE(bins.begin, 10.0);
    QCOMPARE(bins.width, 5.0);
    QVERIFY((bins.counts == std::vector<int64_t>{3, 0, 1, 0, 1}));
    const Histogram one = histogram_of(distribution_of({40, 40}), 4);
    QVERIFY((one.counts == std::vector<int64_t>{2}));
    QVERIFY(one.edge(0) <= 40 && one.edge(1) > 40);
    QVERIFY(histogram_of(Distribution(), 4).counts.empty());
  }

  void another_run_replaces_everything() {
    MetricsModel model;
    const auto first = snapshot_of(plain_steps(5));
    model.update(first);
    auto more = snapshot_of(plain_steps(8));
    model.update(more);
    QCOMPARE(model.size(), size_t{8});
    QCOMPARE(model.index_of_step(3), size_t{2});
    QCOMPARE(model.index_of_step(99), size_t{7});
    model.update(snapshot_of(plain_steps(2), 2));
    QCOMPARE(model.size(), size_t{2});
    QCOMPARE(model.column(StepValue::kDecodeRate).size(), size_t{2});
    model.update(nullptr);
    QVERIFY(model.empty());
  }

  void a_past_step_and_back_is_the_same() {
    MetricsModel there_and_back, fresh;
    for (const uint32_t steps : {20, 12, 16, 3, 20})
      there_and_back.update(snapshot_of(plain_steps(steps)));
    fresh.update(snapshot_of(plain_steps(20)));
    QCOMPARE(there_and_back.csv(), fresh.csv());
    there_and_back.update(snapshot_of(plain_steps(7)));
    MetricsModel seven;
    seven.update(snapshot_of(plain_steps(7)));
    QCOMPARE(there_and_back.csv(), seven.csv());
  }

  void full_house_equals_engine_memory() {
    Run run(load_scenario(find_scenario("full-house-swap")));
    QVERIFY(run.ended);
    const EngineSnapshot& shot = *run.bridge.snapshot();
    const MetricsModel& model = run.view.canvas().model();
    QCOMPARE(model.size(), shot.steps->size());
    QVERIFY(model.size() > 40);
    int64_t preempted = 0, out = 0, in = 0, swapped = 0;
    for (size_t i = 0; i < model.size(); ++i) {
      const StepRecord& record = (*shot.steps)[i];
      const auto same = [&](StepValue value, int64_t number) {
        return model.value(value, i) == static_cast<double>(number);
      };
      QVERIFY(same(StepValue::kWaiting, record.waiting));
      QVERIFY(same(StepValue::kRunning, record.running));
      QVERIFY(same(StepValue::kSwapped, record.swapped));
      QVERIFY(same(StepValue::kUsed, record.used_blocks));
      QVERIFY(same(StepValue::kSwapUsed, record.swap_blocks_used));
      QCOMPARE(model.value(StepValue::kUsed, i) + model.value(StepValue::kCached, i) +
                   model.value(StepValue::kFree, i),
               static_cast<double>(shot.blocks.size()));
      preempted += static_cast<int64_t>(model.value(StepValue::kPreempted, i));
      out += static_cast<int64_t>(model.value(StepValue::kSwappedOut, i));
      in += static_cast<int64_t>(model.value(StepValue::kSwappedIn, i));
      swapped += record.swapped;
    }
    int64_t of_requests = 0;
    for (const RequestView& request : shot.requests) of_requests += request.num_preemptions;
    QVERIFY(preempted > 0);
    QCOMPARE(preempted, of_requests);
    QCOMPARE(out, count_events(run.bridge, EventKind::kBlockSwappedOut));
    QCOMPARE(in, count_events(run.bridge, EventKind::kBlockSwappedIn));
    QVERIFY(swapped > 0);
    QCOMPARE(model.ttft().entries.size(), shot.requests.size());
    std::multiset<double> by_hand;
    for (const RequestView& request : shot.requests)
      by_hand.insert(static_cast<double>(*request.times.first_token_ns - request.times.queued_ns));
    std::multiset<double> shown;
    for (const auto& entry : model.ttft().entries) shown.insert(entry.ns);
    QVERIFY(shown == by_hand);

    picture_of(run.view);
    const MetricsCharts& charts = *run.view.canvas().charts();
    const auto running = charts.points(ChartKind::kRequests, 1);
    QCOMPARE(running.size(), model.size());
    for (size_t i = 0; i < running.size(); ++i) {
      QCOMPARE(running[i].x, static_cast<double>((*shot.steps)[i].step));
      QCOMPARE(running[i].y, static_cast<double>((*shot.steps)[i].running));
    }
    QCOMPARE(charts.points(ChartKind::kBlocks, 0).front().y, double(shot.blocks.size()));
    const auto p50 = charts.points(ChartKind::kTtft, 2);
    QCOMPARE(p50.size(), size_t{2});
    const double unit = time_unit(model.ttft().entries.back().ns).ns;
    QCOMPARE(p50[0].x * unit, model.ttft().percentile(0.5));
  }

  void csv_parses_back() {
    Run run(load_scenario(find_scenario("full-house")));
    QVERIFY(run.ended);
    const EngineSnapshot& shot = *run.bridge.snapshot();
    const MetricsModel& model = run.view.canvas().model();
    const QString file = folder_.filePath(QStringLiteral("metrics.csv"));
    QCOMPARE(export_csv(run.view, file), QString());
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = in.readAll().split('\n');
    QCOMPARE(static_cast<size_t>(lines.size()), model.size() + 2);
    const QList<QByteArray> names = lines[0].split(',');
    const auto column = [&](const char* name) { return names.indexOf(QByteArray(name)); };
    QCOMPARE(names.size(), qsizetype{25});
    std::multiset<double> ttft, tpot;
    for (size_t i = 0; i < model.size(); ++i) {
      const QList<QByteArray> cells = lines[static_cast<qsizetype>(i) + 1].split(',');
      QCOMPARE(cells.size(), names.size());
      const auto number = [&](const char* name) { return cells[column(name)].toDouble(); };
      const StepRecord& record = (*shot.steps)[i];
      QCOMPARE(cells[column("end_ns")].toULongLong(), record.end_ns);
      QVERIFY(number("decode_tokens_per_s") == model.value(StepValue::kDecodeRate, i));
      QVERIFY(number("prefill_tokens_per_s") == model.value(StepValue::kPrefillRate, i));
      QCOMPARE(number("used_blocks"), static_cast<double>(record.used_blocks));
      QCOMPARE(number("preempted_requests"), static_cast<double>(record.preemptions));
      QVERIFY(cells[column("hit_share_of_step")].isEmpty() ==
              std::isnan(model.value(StepValue::kHitStep, i)));
      for (const QByteArray& word : cells[column("ttft_ns")].split(' '))
        if (!word.isEmpty()) ttft.insert(word.toDouble());
      for (const QByteArray& word : cells[column("tpot_ns")].split(' '))
        if (!word.isEmpty()) tpot.insert(word.toDouble());
    }
    std::multiset<double> ttft_shown, tpot_shown;
    for (const auto& entry : model.ttft().entries) ttft_shown.insert(entry.ns);
    for (const auto& entry : model.tpot().entries) tpot_shown.insert(entry.ns);
    QVERIFY(ttft == ttft_shown);
    QVERIFY(tpot == tpot_shown);
    QVERIFY(!ttft.empty() && !tpot.empty());
  }

  void charts_are_made_when_they_are_seen() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.show_snapshot(snapshot_of(plain_steps(20)));
    QTest::qWait(2 * MetricsCanvas::kRefreshMs);
    QVERIFY(!view.canvas().has_charts());
    view.resize(700, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    picture_of(view);
    QVERIFY(view.canvas().has_charts());
  }

  void the_grid_follows_the_width() {
    const PictureLook look = PictureLook::read();
    for (const auto& [width, columns] : {std::pair{320, 1}, {640, 2}, {1000, 3}, {1920, 4}}) {
      const MetricsGrid grid(width, 250, look);
      int first_row = 0;
      QRectF all;
      for (int i = 0; i < kCharts; ++i) {
        const QRectF cell = grid.cell(static_cast<ChartKind>(i));
        QVERIFY(cell.right() <= width);
        QVERIFY(cell.bottom() <= grid.height() + 0.5);
        QVERIFY(!all.intersects(cell) || i > 0);
        for (int j = 0; j < i; ++j) QVERIFY(!cell.intersects(grid.cell(static_cast<ChartKind>(j))));
        first_row += cell.top() == 0;
      }
      QCOMPARE(first_row, columns);
    }
    QCOMPARE(MetricsGrid(1920, 900, look).height(), 900.0);
  }

  void a_click_chooses_the_step_under_the_pointer() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.resize(1280, 500);
    view.show_snapshot(snapshot_of(plain_steps(60)));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    picture_of(view);
    QSignalSpy chosen(&view, &MetricsView::step_chosen);
    MetricsCanvas& canvas = view.canvas();
    for (const bool by_time : {false, true}) {
      canvas.set_by_time(by_time);
      for (const size_t index : {size_t{0}, size_t{7}, size_t{31}, size_t{59}})
        for (const ChartKind kind : {ChartKind::kDecodeRate, ChartKind::kMoves}) {
          const QPoint at = place_of(canvas, kind, index).toPoint();
          QTest::mouseMove(&canvas, at);
          QCOMPARE(canvas.shown_index(), index);
          QVERIFY(
              canvas.accessibleDescription().startsWith(QStringLiteral("Step %1.").arg(index + 1)));
          QTest::mouseClick(&canvas, Qt::LeftButton, Qt::NoModifier, at);
          QCOMPARE(chosen.takeLast().at(0).toUInt(), static_cast<uint32_t>(index + 1));
        }
    }
    chosen.clear();
    QSignalSpy cleared(&view, &MetricsView::cursor_cleared);
    QVERIFY(canvas.cursor().has_value());
    const QRectF ttft = canvas.grid().chart(ChartKind::kTtft);
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::NoModifier, ttft.center().toPoint());
    QVERIFY(chosen.isEmpty());
    QCOMPARE(cleared.size(), 1);
    QVERIFY(!canvas.cursor().has_value());
    QTest::mouseMove(&canvas, QPoint(2, 2));
    QTest::keyClick(&canvas, Qt::Key_Left);
    QTest::keyClick(&canvas, Qt::Key_Left);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(chosen.takeLast().at(0).toUInt(), 58U);
  }

  void the_cursor_is_a_line_on_every_chart_of_the_run() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.resize(1280, 640);
    view.show_snapshot(snapshot_of(plain_steps(60)));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QImage before = picture_of(view);
    view.set_cursor(20);
    const QImage after = picture_of(view);
    MetricsCanvas& canvas = view.canvas();
    const QPoint corner = canvas.mapTo(&view, QPoint(0, 0));
    for (int i = 0; i < kCharts; ++i) {
      const auto kind = static_cast<ChartKind>(i);
      const QRect chart = canvas.grid().chart(kind).toAlignedRect();
      const double line = place_of(canvas, kind, 19).x();
      int changed = 0;
      for (int y = chart.top(); y < chart.bottom(); ++y)
        for (int x = chart.left(); x < chart.right(); ++x) {
          if (before.pixel(corner + QPoint(x, y)) == after.pixel(corner + QPoint(x, y))) continue;
          ++changed;
          QVERIFY2(std::abs(x + 0.5 - line) <= 2, qPrintable(QString::number(x - line)));
        }
      QVERIFY2(is_over_run(kind) ? changed > chart.height() / 3 : changed == 0,
               qPrintable(QStringLiteral("%1: %2").arg(title_of(kind)).arg(changed)));
    }
    QCOMPARE(canvas.shown_index(), size_t{19});
    QVERIFY(canvas.accessibleDescription().startsWith(QStringLiteral("Step 20.")));
    view.set_cursor(std::nullopt);
    QCOMPARE(canvas.shown_index(), size_t{59});
    QVERIFY(picture_of(view) == before);
  }

  void one_step_is_drawn() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.resize(1280, 640);
    view.show_snapshot(snapshot_of(plain_steps(1)));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    picture_of(view);
    for (const ChartKind kind :
         {ChartKind::kDecodeRate, ChartKind::kRequests, ChartKind::kBlocks}) {
      QImage curves(view.canvas().grid().chart(kind).size().toSize(),
                    QImage::Format_ARGB32_Premultiplied);
      curves.fill(Qt::transparent);
      QPainter painter(&curves);
      view.canvas().charts()->draw_curves(kind, painter);
      painter.end();
      QImage nothing(curves.size(), curves.format());
      nothing.fill(Qt::transparent);
      QVERIFY2(curves != nothing, qPrintable(title_of(kind)));
    }
  }

  void axes_follow_the_size() {
    MetricsModel model;
    auto snapshot = snapshot_of(plain_steps(3));
    snapshot->requests = {request_of(0, 2000000, 1000000.0)};
    model.update(snapshot);
    const auto picture_of_chart = [&model](MetricsCharts& charts, ChartKind kind, QSize size) {
      charts.set_size(size);
      charts.fill(kind, model, {0, 2});
      QImage picture(size, QImage::Format_RGB32);
      picture.fill(Qt::white);
      QPainter painter(&picture);
      charts.draw(kind, painter);
      return picture;
    };
    const QSize low(300, 130), high(300, 230), wide(420, 230);
    for (int i = 0; i < kCharts; ++i) {
      const auto kind = static_cast<ChartKind>(i);
      MetricsCharts resized;
      for (const QSize size : {low, high, wide, low}) {
        MetricsCharts made;
        const QImage shown = picture_of_chart(resized, kind, size);
        QVERIFY2(shown == picture_of_chart(made, kind, size), qPrintable(title_of(kind)));
      }
    }
  }

  void zoom_keeps_the_step_and_fit_shows_all() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.resize(1280, 500);
    view.show_snapshot(snapshot_of(plain_steps(1000)));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    picture_of(view);
    MetricsCanvas& canvas = view.canvas();
    QVERIFY((canvas.range() == MetricsRange{0, 999, false}));
    const QPointF at = place_of(canvas, ChartKind::kRequests, 250);
    QTest::mouseMove(&canvas, at.toPoint());
    const size_t pointed = canvas.shown_index();
    view.zoom(4);
    const MetricsRange now = canvas.range();
    QVERIFY(now.last - now.first >= 249 && now.last - now.first <= 251);
    QVERIFY(std::abs(place_of(canvas, ChartKind::kRequests, pointed).x() - at.x()) < 4);
    picture_of(view);
    const auto points = canvas.charts()->points(ChartKind::kRequests, 1);
    QVERIFY(points.front().x >= double(now.first) && points.back().x <= double(now.last) + 2);
    view.show_snapshot(snapshot_of(plain_steps(1500)));
    canvas.model();
    QVERIFY(canvas.range() == now);
    QTest::keyClick(&canvas, Qt::Key_Home);
    QVERIFY((canvas.range() == MetricsRange{0, 1499, false}));
  }

  void modelled_and_slowed_times_say_so() {
    Scenario scenario = load_scenario(find_scenario("full-house"));
    scenario.engine.clock = ClockKind::kVirtual;
    Run modelled(scenario);
    QVERIFY(modelled.ended);
    const MetricsModel& model = modelled.view.canvas().model();
    QVERIFY(model.modelled());
    QVERIFY(time_words(model).contains(QStringLiteral("modelled")));
    for (int i = 0; i < kCharts; ++i) {
      const auto kind = static_cast<ChartKind>(i);
      QCOMPARE(note_of(kind, model, 0).contains(QStringLiteral("modelled")), shows_time(kind));
    }
    auto slow = snapshot_of(plain_steps(3));
    slow->slowed_or_paused = true;
    MetricsModel plain;
    plain.update(slow);
    QVERIFY(time_words(plain).contains(QStringLiteral("leave the waiting out")));
    plain.update(snapshot_of(plain_steps(3), 2));
    QCOMPARE(time_words(plain), QString());
    QVERIFY(!note_of(ChartKind::kTtft, plain, 0).contains(QStringLiteral("modelled")));
  }

  void pictures_hold_every_chart() {
    Run run(load_scenario(find_scenario("full-house")));
    QVERIFY(run.ended);
    const QImage before = picture_of(run.view);
    const QString png = folder_.filePath(QStringLiteral("metrics.png")),
                  svg = folder_.filePath(QStringLiteral("metrics.svg"));
    QElapsedTimer clock;
    clock.start();
    QVERIFY(run.view.drawing());
    qInfo("recorded for an export in %lld ms", static_cast<long long>(clock.elapsed()));
    QCOMPARE(export_png(run.view, png, 2), QString());
    QCOMPARE(QImage(png).size(), run.view.export_size() * 2);
    QCOMPARE(export_svg(run.view, svg), QString());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(!bytes.contains("nan"));
    QString text;
    for (QXmlStreamReader xml(bytes); !xml.atEnd();) {
      xml.readNext();
      QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
      if (xml.isCharacters()) text += xml.text();
    }
    for (int i = 0; i < kCharts; ++i) {
      const auto kind = static_cast<ChartKind>(i);
      QVERIFY2(text.contains(title_of(kind)), qPrintable(title_of(kind)));
      QVERIFY2(text.contains(y_title_of(kind)), qPrintable(y_title_of(kind)));
      for (const LegendEntry& entry :
           legend_of(kind, run.view.canvas().model(), run.view.canvas().model().size() - 1))
        QVERIFY2(text.contains(entry.value), qPrintable(entry.name));
    }
    QVERIFY(text.contains(QStringLiteral("step")));
    for (const QSize size : {QSize(400, 300), QSize(2000, 900)}) {
      QImage image(size, QImage::Format_RGB32);
      QPainter painter(&image);
      run.view.paint_content(painter, QRectF(QPointF(0, 0), QSizeF(size)));
    }
    QVERIFY(picture_of(run.view) == before);
  }

  void nothing_yet_and_bad_numbers_are_no_trouble() {
    Selection selection;
    MetricsView view({nullptr, &selection});
    view.resize(600, 250);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    picture_of(view);
    QVERIFY(!view.canvas().has_charts());
    QVERIFY(view.canvas().findChild<QPushButton*>()->isVisible());
    QVERIFY(view.csv().startsWith("step,"));
    view.fit();
    view.zoom(2);
    QTest::keyClick(&view.canvas(), Qt::Key_Return);
    view.show_snapshot(snapshot_of({step(1, 0, 0, 5, 5)}));
    picture_of(view);
    Steps steps = plain_steps(2);
    steps[1].decode_tokens = int64_t{1} << 40;
    steps[1].running = 1000000;
    view.show_snapshot(snapshot_of(steps, 2));
    picture_of(view);
    view.show_snapshot(snapshot_of(plain_steps(2), 3));
    picture_of(view);
    QVERIFY(view.canvas().has_charts());
  }

 private:
  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_metrics, attn::gui::test::run<TestMetrics>)
#include "test_metrics.moc"
