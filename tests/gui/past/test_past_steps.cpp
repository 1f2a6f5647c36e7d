// SPDX-License-Identifier: GPL-3.0-or-later
// That at a past step the window shows nothing of later steps, except in Compare and the time bar,
// and that views agree there. The steps are random; ATTN_PAST_STEPS sets about how many.
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>
#include <map>

#include "backends/register_all.h"
#include "gui/models/event_words.h"
#include "gui/models/request_model.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/blocks/blocks_scene.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/widgets/request/request_box.h"
#include "shown_texts.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

ScenarioRequest asked(const char* name, int64_t prompt, int64_t most, double arrival_s = 0) {
  ScenarioRequest request;
  request.name = name;
  request.prompt_tokens = prompt;
  request.max_tokens = most;
  request.arrival_s = arrival_s;
  request.sampling.temperature = 1;  // otherwise few different tokens are generated
  return request;
}

Scenario tokens_with_names(uint64_t seed) {
  Scenario scenario = synthetic_scenario(20, 20);
  scenario.source.synthetic = SyntheticSpec{.kind = SyntheticKind::kRandom,
                                            .num_layers = 2,
                                            .num_heads = 2,
                                            .num_kv_heads = 1,
                                            .head_size = 32,
                                            .max_model_len = 4096};
  scenario.seed = seed;
  scenario.engine.block_size = 4;
  return scenario;
}

Scenario chunked_arrivals(uint64_t seed) {
  Scenario scenario = tokens_with_names(seed);
  scenario.requests = {asked("Ann", 18, 30), asked("Bob", 33, 20, 1e-5), asked("Eve", 9, 24, 3e-5)};
  scenario.arrivals.kind = ArrivalKind::kListed;
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.extended = true;
  scenario.engine.max_num_batched_tokens = 16;
  scenario.engine.enable_prefix_caching = true;
  return scenario;
}

Scenario crowded_cache(uint64_t seed) {
  Scenario scenario = tokens_with_names(seed);
  for (const char* name : {"Ann", "Bob", "Eve", "Max"})
    scenario.requests.push_back(asked(name, 12, 28));
  scenario.requests.erase(scenario.requests.begin());
  scenario.engine.num_blocks = 20;
  scenario.engine.threads = 2;
  if (seed % 2 == 0) {
    scenario.engine.preemption = PreemptionMode::kSwap;
    scenario.engine.num_swap_blocks = 40;
  }
  return scenario;
}

Scenario samples_and_beams(uint64_t seed) {
  Scenario scenario = tokens_with_names(seed);
  scenario.requests = {asked("Ann", 14, 20), asked("Bob", 10, 16)};
  scenario.requests[0].n = 3;
  scenario.requests[1].beam_width = 3;
  scenario.requests[1].sampling.temperature = 0;
  return scenario;
}

int64_t new_tokens(const RequestView& request) {
  return static_cast<int64_t>(request.tokens->size()) - request.prompt_len;
}

struct PastWindow : Workbench {
  using Workbench::Workbench;
  TimeCursor& cursor() { return window->cursor(); }
  EventsView& events() { return *window->view<EventsView>(); }
  MetricsView& metrics() { return *window->view<MetricsView>(); }
  TimelineCanvas& timeline() { return *window->view("timeline")->findChild<TimelineCanvas*>(); }
};

struct PastMoment {
  uint32_t step = 0;
  uint64_t end_ns = 0;
  QSet<QString> later;  // names of tokens that came later

  explicit PastMoment(const EngineSnapshot& end, const EngineSnapshot& then)
      : step(then.step), end_ns(then.steps->back().end_ns) {
    QSet<QString> known;
    for (const RequestView& request : end.requests)
      for (size_t i = 0; i < request.tokens->size(); ++i) {
        const QString name = QString::fromStdString((*request.tokens)[i].text);
        const RequestView* before = nullptr;
        for (const RequestView& one : then.requests)
          if (one.id == request.id) before = &one;
        const bool has = before && i < before->tokens->size();
        (has || static_cast<int64_t>(i) < request.prompt_len ? known : later).insert(name);
      }
    later.subtract(known);
  }

  // Returns a later token, later step or larger count of steps in the text; empty: it has none.
  QString fault_in(QString text) const {
    static const QRegularExpression token(QStringLiteral("\\bk\\d+\\b")),
        of_step(QStringLiteral("\\bsteps?:?\\s+([\\d,]++)(?!\\.\\d|\\s*%)"),
                QRegularExpression::CaseInsensitiveOption),
        steps(QStringLiteral("([\\d,]+)\\s+steps\\b"));
    text.remove(QStringLiteral("the last 32 steps"));  // explains how tokens/s are counted
    for (auto it = token.globalMatch(text); it.hasNext();)
      if (const QString name = it.next().captured(0); later.contains(name))
        return QStringLiteral("token %1").arg(name);
    for (const QRegularExpression* pattern : {&of_step, &steps})
      for (auto it = pattern->globalMatch(text); it.hasNext();)
        if (const auto found = it.next();
            found.captured(1).remove(QLatin1Char(',')).toLongLong() > int64_t{step})
          return found.captured(0);
    return {};
  }

  QString fault_in_csv(const QByteArray& csv) const {
    const QList<QByteArray> lines = csv.split('\n');
    const QList<QByteArray> names = lines.front().split(',');
    for (const QByteArray& line : lines.mid(1)) {
      const QList<QByteArray> cells = line.split(',');
      for (qsizetype i = 0; i < std::min(names.size(), cells.size()); ++i) {
        const bool of_step = names[i] == "step" || names[i].endsWith("_step");
        const bool of_time = names[i] == "begin_ns";
        if ((of_step && cells[i].toULongLong() > step) ||
            (of_time && cells[i].toULongLong() > end_ns))
          return QStringLiteral("%1 %2").arg(QString::fromUtf8(names[i]),
                                             QString::fromUtf8(cells[i]));
      }
    }
    return fault_in(QString::fromUtf8(csv));
  }
};

QStringList texts_in_svg_file(const QString& name) {
  QFile file(name);
  QStringList texts;
  if (!file.open(QIODevice::ReadOnly)) return texts;
  QXmlStreamReader xml(&file);
  while (!xml.atEnd())
    if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
      texts += xml.readElementText(QXmlStreamReader::IncludeChildElements);
  return texts;
}

}  // namespace

class TestPastSteps : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    QVERIFY(folder_.isValid());
  }
  void init() { fail_on_warnings(); }

  void nothing_later_is_shown_and_views_agree_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("chunks and arrivals") << 0;
    QTest::newRow("preemption") << 1;
    QTest::newRow("samples and beams") << 2;
  }
  void nothing_later_is_shown_and_views_agree() {
    QFETCH(const int, kind);
    const int wanted = qEnvironmentVariableIntValue("ATTN_PAST_STEPS");
    const int count = wanted > 0 ? (wanted + 2) / 3 : 12;
    constexpr int kStepsPerRun = 84;
    const int runs = (count + kStepsPerRun - 1) / kStepsPerRun;
    int64_t later = 0, done = 0;
    for (int run = 0; run < runs; ++run) {
      const auto seed = static_cast<uint64_t>(run);
      PastWindow w(kind == 0   ? chunked_arrivals(seed)
                   : kind == 1 ? crowded_cache(seed)
                               : samples_and_beams(seed));
      QVERIFY(w.control.start());
      QVERIFY2(wait_until_phase(w.bridge, EnginePhase::kFinished),
               w.bridge.snapshot()->phase_detail.c_str());
      QRandomGenerator random(static_cast<quint32>(100 * kind + run));
      const uint32_t last = w.cursor().range().last;
      QVERIFY(last >= 15);
      w.timeline().set_range({0, w.bridge.snapshot()->steps->back().end_ns});
      w.timeline().find(QStringLiteral("step"));
      const int here = std::min(kStepsPerRun, count - run * kStepsPerRun);
      for (int i = 0; i < here; ++i, ++done) {
        gui::View* tab = tabs(w)[static_cast<size_t>(i) % tabs(w).size()];
        if (i % 2 == 0) w.window->show_attention(tab);
        w.cursor().go_to(1 + static_cast<uint32_t>(random.bounded(static_cast<int>(last))));
        if (i % 2 == 1) w.window->show_attention(tab);
        select_something(w, random);
        const PastMoment moment(*w.bridge.snapshot(), *w.cursor().snapshot());
        later += moment.later.size();
        look_at(w, moment, random, i);
        if (!QTest::currentTestFailed()) agree(w);
        if (QTest::currentTestFailed()) return;
      }
      w.cursor().go_live();
      QCOMPARE(w.events().rows().total(), static_cast<uint64_t>(w.bridge.events().size()));
      QCOMPARE(w.metrics().canvas().model().size(), w.bridge.snapshot()->steps->size());
      QCOMPARE(w.timeline().model().end_ns(), w.timeline().model().run_end_ns());
    }
    QVERIFY(later > 4 * done);
    qInfo("%lld steps, on average %lld later tokens", static_cast<long long>(done),
          static_cast<long long>(later / done));
  }

 private:
  static std::vector<gui::View*> tabs(PastWindow& w) {
    std::vector<gui::View*> found;
    for (int i = 0; i < w.window->attention_tabs()->count(); ++i) {
      auto* view = qobject_cast<gui::View*>(w.window->attention_tabs()->widget(i));
      if (view && !qobject_cast<CompareView*>(view)) found.push_back(view);
    }
    return found;
  }

  void select_something(PastWindow& w, QRandomGenerator& random) {
    const EngineSnapshot& end = *w.bridge.snapshot();
    const RequestView& request =
        end.requests[static_cast<size_t>(random.bounded(static_cast<int>(end.requests.size())))];
    const auto tokens = static_cast<int>(request.tokens->size());
    SelectionState state;
    state.request = request.id;
    state.layer = random.bounded(2);
    state.head = random.bounded(2);
    w.selection.show(state.request, state.layer, state.head);
    switch (random.bounded(4)) {
      case 0:
        state.kind = SelectionKind::kCell;
        state.query = random.bounded(tokens);
        state.key = random.bounded(static_cast<int>(state.query) + 1);
        break;
      case 1:
        state.kind = SelectionKind::kToken;
        state.query = random.bounded(tokens);
        break;
      case 2:
        state.kind = SelectionKind::kBlock;
        state.block = random.bounded(static_cast<int>(end.blocks.size()));
        break;
      default:
        state.kind = SelectionKind::kSpan;
        state.event = random.bounded(static_cast<int>(w.bridge.events().size()));
    }
    w.selection.select(state);
  }

  void look_at(PastWindow& w, const PastMoment& moment, QRandomGenerator& random, int turn) {
    ShownTexts texts(random);
    texts.read(*w.window, [](const QWidget& widget) {
      return qobject_cast<const TimeBar*>(&widget) || qobject_cast<const CompareView*>(&widget) ||
             (qobject_cast<const gui::View*>(&widget) && !widget.isVisible());
    });
    texts.add(QStringLiteral("inspector"), w.window->inspector()->content().to_text());
    std::vector<gui::View*> views;
    for (gui::View* view : w.window->views())
      if (!qobject_cast<CompareView*>(view)) views.push_back(view);
    for (gui::View* view : views)
      if (view->isVisible()) texts.read_painted(view->title(), *view);
    gui::View& drawn = *views[static_cast<size_t>(turn) % views.size()];
    const QString file = folder_.filePath(QStringLiteral("view.svg"));
    QCOMPARE(export_svg(drawn, file), QString());
    const QStringList in_svg = texts_in_svg_file(file);
    QVERIFY(!in_svg.empty());
    for (const QString& text : in_svg) texts.add(drawn.title() + QStringLiteral(", SVG"), text);

    QVERIFY(texts.all().size() > 300);
    for (const ShownText& shown : texts.all())
      if (const QString fault = moment.fault_in(shown.text); !fault.isEmpty())
        QFAIL(qPrintable(QStringLiteral("at step %1, %2 has %3: %4")
                             .arg(moment.step)
                             .arg(shown.where, fault, shown.text.left(300))));
    for (gui::View* view : views)
      if (const QString fault = moment.fault_in_csv(view->csv()); !fault.isEmpty())
        QFAIL(qPrintable(QStringLiteral("at step %1, the table of %2 has %3")
                             .arg(moment.step)
                             .arg(view->title(), fault)));
    MetricsCanvas& metrics = w.metrics().canvas();
    QCOMPARE(metrics.model().size(), size_t{moment.step});
    QVERIFY(run_axis(metrics.model(), metrics.range()).end <= moment.step + 1);
  }

  void agree(PastWindow& w) {
    const EngineSnapshot& then = *w.cursor().snapshot();
    const StepRecord& record = then.steps->back();
    const QAbstractItemModel& list = *w.window->workload()->table()->model();
    const auto& events = w.bridge.events();
    const uint64_t shown = w.events().rows().total();
    QVERIFY(shown > 0 && shown <= events.size());
    std::map<uint32_t, int64_t> sampled;
    for (size_t i = 0; i < events.size(); ++i) {
      const int64_t own = step_of(events[i]);
      if (i < shown) {
        QVERIFY(own >= 0 ? own <= then.step : events[i].begin_ns <= record.end_ns);
        if (events[i].kind == EventKind::kTokenSampled) ++sampled[events[i].a];
      } else {
        QVERIFY(own >= 0 ? own > then.step : events[i].begin_ns >= record.end_ns);
      }
    }
    const TimelineModel& timeline = w.timeline().model();
    QCOMPARE(timeline.end_ns(), record.end_ns);
    int64_t running = 0, waiting = 0;
    for (const RequestView& request : then.requests) {
      running += request.state == RequestState::kRunning;
      waiting += request.state == RequestState::kWaiting;
      const TimelineLane* lane = nullptr;
      for (const TimelineLane* one : timeline.lanes())
        if (one->kind == LaneKind::kRequest && one->id == request.id) lane = one;
      QVERIFY(lane);
      const auto marks = std::ranges::count_if(
          lane->tokens, [&](const auto& token) { return token.time_ns <= record.end_ns; });
      QCOMPARE(static_cast<int64_t>(marks), sampled[request.id]);
      if (!request.parent) {
        QCOMPARE(sampled[request.id], new_tokens(request));
        w.selection.show(request.id, 0, 0);
        const auto& heatmap = *w.window->view<HeatmapView>();
        QCOMPARE(heatmap.rows(), std::max(request.prompt_len, request.num_computed));
      }
      for (const int32_t block : request.own_table.blocks)
        if (block >= 0) QVERIFY(then.blocks[static_cast<size_t>(block)].ref_count > 0);
    }
    for (const TimelineLane* lane : timeline.lanes())
      if (lane->kind == LaneKind::kRequest)
        QVERIFY(std::ranges::any_of(then.requests,
                                    [&](const auto& request) { return request.id == lane->id; }));
    for (const RequestBox* box : w.window->findChildren<RequestBox*>())
      if (box->isVisible()) QCOMPARE(static_cast<size_t>(box->count()), then.requests.size());
    BlocksCanvas& blocks = w.window->view<BlocksView>()->canvas();
    QCOMPARE(blocks.scene().snapshot->blocks, then.blocks);
    blocks.set_color_by(BlockColorBy::kReader);
    for (size_t block = 0; block < then.blocks.size(); ++block)
      QVERIFY(blocks.readers().of(static_cast<int64_t>(block)).end_ns <= record.end_ns);
    for (int row = 0; row < list.rowCount(); ++row) {
      const auto cell = [&](int column) { return list.index(row, column).data().toString(); };
      const int64_t id = list.index(row, 0).data(RequestModel::kRequestRole).toLongLong();
      const auto found = std::ranges::find_if(
          then.requests, [&](const auto& one) { return static_cast<int64_t>(one.id) == id; });
      QVERIFY(found != then.requests.end());
      QCOMPARE(cell(RequestModel::kState), state_words(*found));
      QCOMPARE(cell(RequestModel::kGenerated), QString::number(new_tokens(*found)));
      QCOMPARE(cell(RequestModel::kBlocks), QString::number(found->own_table.blocks.size()));
    }
    const MetricsModel& metrics = w.metrics().canvas().model();
    const size_t at = metrics.size() - 1;
    QCOMPARE(metrics.value(StepValue::kRunning, at), static_cast<double>(running));
    QVERIFY(metrics.value(StepValue::kWaiting, at) <= static_cast<double>(waiting));
    const auto used = std::ranges::count_if(
        then.blocks, [](const BlockView& block) { return block.ref_count > 0; });
    QCOMPARE(metrics.value(StepValue::kUsed, at), static_cast<double>(used));
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_past_steps, attn::gui::test::run<TestPastSteps>)
#include "test_past_steps.moc"
