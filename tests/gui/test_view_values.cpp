// SPDX-License-Identifier: GPL-3.0-or-later
// Values, blocks, spans and events of views, at random places, equal those of the engine.
#include <QRandomGenerator>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "backends/register_all.h"
#include "engine/session/record/head_reader.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/heatmap/heatmap_view.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/views/blocks/blocks_view.h"
#include "gui/views/events/events_view.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/metrics/metrics_view.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/widgets/text/ticks.h"
#include "qt_test_main.h"
#include "view_stage.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

namespace {

constexpr int kCells = 200;  // per view

bool equal_bits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}
bool equal_bits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

float engine_weight(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
                    int64_t key) {
  float weight = 0;
  record.weights(layer, head, query, 1, key, 1, &weight);
  return weight;
}

struct EngineMemory {
  std::vector<StepRecord> steps;
  std::vector<BlockView> blocks;
  struct Sequence {
    uint32_t id = 0;
    std::vector<int32_t> blocks, tokens;
  };
  std::vector<Sequence> sequences;
};

}  // namespace

class TestViewValues : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    stage_ = std::make_unique<Stage>(deterministic("shared-prompt", 24));
    heatmap_ = &stage_->add<HeatmapView>("heatmap", {700, 500});
    lines_ = &stage_->add<HeadLinesView>("lines", {700, 500});
    heads_ = &stage_->add<HeadGridView>("heads", {700, 500});
    tiles_ = &stage_->add<TilesView>("tiles", {700, 400});
    blocks_ = &stage_->add<BlocksView>("blocks", {700, 400});
    timeline_ = &stage_->add<TimelineView>("timeline", {700, 300});
    metrics_ = &stage_->add<MetricsView>("metrics", {700, 400});
    events_ = &stage_->add<EventsView>("events", {700, 300});
    inspector_ = &stage_->add<InspectorView>("inspector", {300, 600});
    QVERIFY(stage_->run_until(60));
    stage_->bridge.catch_up();
    memory_ = read_engine();
    QVERIFY(memory_.steps.size() > 20);
    QVERIFY(memory_.sequences.size() > 1);
  }
  void init() { fail_on_warnings(); }
  void cleanupTestCase() {
    QVERIFY2(cells_ >= 1000, qPrintable(QString::number(cells_)));
    stage_.reset();
  }

  void heatmap() {
    int nonzero = 0;
    for (int i = 0; i < kCells; ++i, ++cells_) {
      if (i % 20 == 0) {
        show_a_head();
        QVERIFY(QTest::qWaitFor([&] { return !heatmap_->tiles().busy(); }, 60000));
      }
      const int64_t query = computed_row(), key = below(record().num_rows());
      const float weight = engine_weight(record(), layer(), head(), query, key);
      QVERIFY(equal_bits(heatmap_->shown_value(query, key), weight));
      nonzero += weight > 0;
    }
    QVERIFY(nonzero > kCells / 4);
  }

  void lines() {
    lines_->set_filter({LineFilter::Kind::kAtLeast, 0.0, false});
    for (int i = 0; i < kCells; ++i, ++cells_) {
      if (i % 20 == 0) {
        show_a_head();
        lines_->fit();  // the first rows may belong to a shared prefix
        QVERIFY(QTest::qWaitFor([&] { return !lines_->line_rows().busy(); }, 60000));
      }
      const std::vector<HeadLine>& drawn = lines_->canvas().shown().lines;
      QVERIFY(drawn.size() > 20);
      const HeadLine& line = drawn[static_cast<size_t>(below(std::ssize(drawn)))];
      QVERIFY(equal_bits(line.weight,
                         engine_weight(record(), layer(), line.head, line.query, line.key)));
    }
  }

  void head_grid() {
    show_a_head();
    QVERIFY(heads_->stats().wait(std::chrono::seconds(20)));
    const RequestView& request = shown_request();
    const RepeatedTokens repeated = repeated_tokens_of(request);
    const int64_t heads = record().shape().num_heads, rows = record().num_rows();
    for (int i = 0; i < kCells; ++i) {
      const int64_t index = below(heads_->scene().count());
      const int64_t at_layer = index / heads, at_head = index % heads;
      if (i % 10 == 0) {
        HeadReading engine;
        read_head(
            record(), at_layer, at_head, rows, repeated, [] { return false; }, engine);
        QVERIFY(*heads_->scene().scores(index) == engine.scores);
      }
      const HeadSummary& summary = *heads_->scene().summaries[static_cast<size_t>(index)];
      const int level = summary.thumb_detail.level;
      const int64_t entry_q = below(rows >> level), entry_k = below((rows >> level));
      float largest = kMaskedCell;
      for (int64_t q = entry_q << level; q < (entry_q + 1) << level; ++q)
        for (int64_t k = entry_k << level; k < (entry_k + 1) << level && k <= q; ++k) {
          if (!record().row_done(at_layer, at_head, q)) continue;
          largest = std::max(largest, engine_weight(record(), at_layer, at_head, q, k));
        }
      if (largest == kMaskedCell) continue;  // masked, or of a prefix that another request computed
      QVERIFY(equal_bits(summary.thumb->at(entry_q, entry_k), largest));
      ++cells_;
    }
  }

  void softmax_rows() {
    std::vector<RowStateEvent> kernel;
    stage_->bridge.runner().row_states().read(0, kernel);
    const ScenarioView& view = stage_->bridge.snapshot()->scenario->view;
    std::erase_if(kernel, [&](const RowStateEvent& state) {
      return state.request != 0 || state.layer != view.layer || state.head != view.head;
    });
    QVERIFY(kernel.size() > 20);
    stage_->selection.show(0, view.layer, view.head);
    for (int i = 0; i < kCells; ++i, ++cells_) {
      const RowStateEvent& state = kernel[static_cast<size_t>(below(std::ssize(kernel)))];
      stage_->selection.select({.kind = SelectionKind::kToken,
                                .request = 0,
                                .layer = view.layer,
                                .head = view.head,
                                .query = state.query});
      const TilesScene& scene = tiles_->scene();
      QVERIFY(scene.softmax.origin == RowSoftmax::Origin::kKernel);
      const auto line =
          std::ranges::find(scene.softmax.lines, int64_t{state.k_begin}, &SoftmaxLine::k_begin);
      QVERIFY(line != scene.softmax.lines.end());
      QVERIFY(equal_bits(line->max, state.max) && equal_bits(line->sum, state.sum));
      QVERIFY(scene.lse_known);
      QVERIFY(equal_bits(scene.lse, record().lse(view.layer, view.head, state.query)));
    }
  }

  void blocks() {
    const EngineSnapshot& shown = *blocks_->canvas().scene().snapshot;
    for (int i = 0; i < kCells; ++i, ++cells_) {
      const EngineMemory::Sequence& sequence =
          memory_.sequences[static_cast<size_t>(below(std::ssize(memory_.sequences)))];
      const RequestView* request = request_by_id(shown, sequence.id);
      QVERIFY(request && request->own_table.blocks == sequence.blocks);
      const int64_t token = below(request->num_computed);
      const int32_t block =
          request->own_table.blocks[static_cast<size_t>(token / shown.block_size)];
      QVERIFY(shown.blocks[static_cast<size_t>(block)] ==
              memory_.blocks[static_cast<size_t>(block)]);
      const BlockTokens held = tokens_of(shown, block);
      const std::string* text = held.text(token % shown.block_size);
      QVERIFY(text && *text == (*request->tokens)[static_cast<size_t>(token)].text);
      QCOMPARE((*request->tokens)[static_cast<size_t>(token)].id,
               sequence.tokens[static_cast<size_t>(token)]);
    }
  }

  void timeline_spans() {
    const TimelineModel& model = timeline_->canvas().model();
    std::vector<uint32_t> spans;
    const std::vector<TraceEvent> recorded = trace();
    for (size_t i = 0; i < recorded.size(); ++i)
      if (is_span(recorded[i].kind)) spans.push_back(static_cast<uint32_t>(i));
    for (int i = 0; i < kCells; ++i, ++cells_) {
      const uint32_t event = spans[static_cast<size_t>(below(std::ssize(spans)))];
      const TraceEvent& engine = recorded[event];
      const TimelineModel::Place place = model.place_of(event, engine);
      QVERIFY(place.lane >= 0);
      const LodSpan& span =
          model.lanes()[static_cast<size_t>(place.lane)]->spans.span(place.position);
      QCOMPARE(span.event, event);
      QCOMPARE(span.begin_ns, engine.begin_ns);
      QCOMPARE(span.end_ns, engine.begin_ns + engine.duration_ns);
    }
  }

  void metrics_points() {
    const MetricsModel& model = metrics_->canvas().model();
    QCOMPARE(model.size(), memory_.steps.size());
    using Field = int64_t StepRecord::*;
    const std::vector<std::pair<StepValue, Field>> fields{
        {StepValue::kWaiting, &StepRecord::waiting},
        {StepValue::kRunning, &StepRecord::running},
        {StepValue::kSwapped, &StepRecord::swapped},
        {StepValue::kUsed, &StepRecord::used_blocks},
        {StepValue::kCached, &StepRecord::cached_blocks},
        {StepValue::kPreempted, &StepRecord::preemptions},
        {StepValue::kCopied, &StepRecord::copied_blocks},
        {StepValue::kEvicted, &StepRecord::evicted_blocks}};
    for (int i = 0; i < kCells; ++i, ++cells_) {
      const auto step = static_cast<size_t>(below(std::ssize(memory_.steps)));
      const auto& [value, field] = fields[static_cast<size_t>(below(std::ssize(fields)))];
      QVERIFY(
          equal_bits(model.value(value, step), static_cast<double>(memory_.steps[step].*field)));
      QVERIFY(equal_bits(model.ends_ns()[step], static_cast<double>(memory_.steps[step].end_ns)));
      const StepRecord& record = memory_.steps[step];
      const double hit = model.value(StepValue::kHitStep, step);
      if (record.queried_tokens == 0)
        QVERIFY(std::isnan(hit));
      else
        QVERIFY(equal_bits(hit, static_cast<double>(record.hit_tokens) /
                                    static_cast<double>(record.queried_tokens)));
    }
  }

  void event_rows() {
    const std::vector<TraceEvent> recorded = trace();
    events_->rows().set_order({EventColumn::kTime, false});
    QVERIFY(QTest::qWaitFor([&] { return events_->rows().complete(); }, 60000));
    QCOMPARE(events_->rows().size(), uint64_t(recorded.size()));
    for (int i = 0; i < kCells; ++i, ++cells_) {
      const auto row = static_cast<uint64_t>(below(std::ssize(recorded)));
      const uint32_t index = events_->rows().event_at(row);
      const TraceEvent shown = events_->rows().event_of(index);
      QCOMPARE(std::memcmp(&shown, &recorded[index], sizeof shown), 0);
    }
  }

  void inspector() {
    for (int i = 0; i < 50; ++i, ++cells_) {
      show_a_head();
      const int64_t query = computed_row(), key = below(query + 1);
      stage_->selection.select({.kind = SelectionKind::kCell,
                                .request = stage_->selection.shown_request(),
                                .layer = layer(),
                                .head = head(),
                                .query = query,
                                .key = key});
      const float weight = engine_weight(record(), layer(), head(), query, key);
      const QString text = inspector_->content().to_text();
      QVERIFY2(text.contains(format_number(static_cast<double>(weight), 7)), qPrintable(text));
    }
    stage_->selection.clear();
  }

 private:
  // Rows of a prefix found in the cache were not computed.
  int64_t computed_row() {
    int64_t row = below(record().num_rows());
    while (!record().row_done(layer(), head(), row)) row = below(record().num_rows());
    return row;
  }
  int64_t below(int64_t count) { return random_.bounded(static_cast<int>(count)); }
  int64_t layer() const { return stage_->selection.shown_layer(); }
  int64_t head() const { return stage_->selection.shown_head(); }
  const RequestView& shown_request() const {
    return *request_by_id(*stage_->bridge.snapshot(), stage_->selection.shown_request());
  }
  const AttentionRecord& record() const { return *shown_request().attention; }

  void show_a_head() {
    std::vector<uint32_t> requests;
    for (const RequestView& request : stage_->bridge.snapshot()->requests)
      if (request.attention && request.attention->num_rows() > 10) requests.push_back(request.id);
    const uint32_t request = requests[static_cast<size_t>(below(std::ssize(requests)))];
    stage_->selection.show(request, layer(), head());
    const AttentionRecord::Shape& shape = record().shape();
    stage_->selection.show(request, below(shape.num_layers), below(shape.num_heads));
    QCoreApplication::processEvents();
  }

  std::vector<TraceEvent> trace() const {
    std::vector<TraceEvent> events;
    stage_->bridge.recorder()->read(0, events);
    return events;
  }

  EngineMemory read_engine() const {
    auto memory = std::make_shared<EngineMemory>();
    auto done = std::make_shared<std::atomic<bool>>(false);
    stage_->bridge.runner().with_engine([memory, done](Engine* engine) {
      memory->steps = engine->steps();
      memory->blocks = engine->snapshot(EnginePhase::kPaused).blocks;
      const BlockManager& manager = engine->scheduler().manager();
      for (const auto& request : engine->scheduler().requests()) {
        if (!manager.knows(request->id) || manager.is_swapped(request->id)) continue;
        const std::span<const int32_t> blocks = manager.blocks(request->id);
        EngineMemory::Sequence& sequence = memory->sequences.emplace_back();
        sequence.id = request->id;
        sequence.blocks.assign(blocks.begin(), blocks.end());
        for (int64_t i = 0; i < request->num_tokens(); ++i)
          sequence.tokens.push_back(request->token(i));
      }
      *done = true;
    });
    return QTest::qWaitFor([&] { return done->load(); }, 60000) ? *memory : EngineMemory();
  }

  std::unique_ptr<Stage> stage_;
  HeatmapView* heatmap_ = nullptr;
  HeadLinesView* lines_ = nullptr;
  HeadGridView* heads_ = nullptr;
  TilesView* tiles_ = nullptr;
  BlocksView* blocks_ = nullptr;
  TimelineView* timeline_ = nullptr;
  MetricsView* metrics_ = nullptr;
  EventsView* events_ = nullptr;
  InspectorView* inspector_ = nullptr;
  EngineMemory memory_;
  QRandomGenerator random_{7};
  int cells_ = 0;
};

ATTN_QT_TEST(test_view_values, attn::gui::test::run<TestViewValues>)
#include "test_view_values.moc"
