// SPDX-License-Identifier: GPL-3.0-or-later
// Words and classes of spans: tiles of several heads, the null block, kernels and steps.
#include <map>
#include <set>

#include "backends/register_all.h"
#include "gui/views/attention/heatmap/heatmap_mark.h"
#include "gui/views/inspector/inspector_step.h"
#include "gui/views/timeline/timeline_model.h"
#include "gui/views/timeline/timeline_text.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/qt_test_main.h"

using namespace attn;
using namespace attn::gui;

class TestSpanWords : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() { attn::gui::test::fail_on_warnings(); }

  void a_tile_names_all_its_heads() {
    TraceEvent event{};
    pack({0, 5, 0, 1, 6, 4, KernelId::kPagedDecodeV1, 4}, event);
    event.layer = 1;
    const TimelineLane lane;
    const QStringList labels = span_labels(lane, event, SpanClass::kOther, nullptr);
    QCOMPARE(labels.first(), QStringLiteral("layer 1, heads 4–7: q 5 × k 0–5"));
    QCOMPARE(labels.last(), QStringLiteral("heads 4–7"));
    const QString tip = span_tooltip({.lane = &lane, .event = &event});
    QVERIFY2(tip.contains(QStringLiteral("Heads</td><td>4 to 7 (4)")), qPrintable(tip));
    HeatmapScene scene;
    scene.head.layer = 1;
    scene.head.rows = 8;
    const SelectionState chosen{.kind = SelectionKind::kSpan, .event = 0};
    for (const int64_t head : {3, 4, 7, 8}) {
      scene.head.head = head;
      const HeatmapMark mark = mark_of(chosen, scene, RequestView{}, {event});
      QCOMPARE(mark.kind == HeatmapMark::Kind::kRange, head >= 4 && head <= 7);
    }
    pack({0, 5, 0, 1, 6, 4, KernelId::kPagedDecodeV1, 1}, event);
    QCOMPARE(span_labels(lane, event, SpanClass::kOther, nullptr).last(), QStringLiteral("head 4"));
  }

  void the_null_block_is_none_of_the_blocks() {
    auto snapshot = std::make_shared<EngineSnapshot>();
    snapshot->blocks.resize(5);
    snapshot->has_null_block = true;
    const StepRecord step{.step = 3, .waiting = 1, .running = 4, .swapped = 2, .used_blocks = 4};
    QCOMPARE(used_blocks(*snapshot), int64_t{4});
    QCOMPARE(usable_blocks(*snapshot), int64_t{4});
    QVERIFY(step_tooltip(step, *snapshot).contains(QStringLiteral("4 of 4 blocks used")));
    QVERIFY(step_tooltip(step, *snapshot).contains(QStringLiteral("4, 1, 2")));
    snapshot->has_null_block = false;
    QVERIFY(step_tooltip(step, *snapshot).contains(QStringLiteral("4 of 5 blocks used")));
  }

  void every_kernel_has_its_class() {
    std::map<SpanClass, std::set<std::string_view>> classes;
    for (uint32_t id = 0; id < static_cast<uint32_t>(KernelId::kCount); ++id) {
      const auto kernel = static_cast<KernelId>(id);
      classes[class_of_kernel(kernel, SpanClass::kMixed)].insert(name_of(kernel));
    }
    using Names = std::set<std::string_view>;
    QCOMPARE(classes[SpanClass::kPrefill],
             (Names{"flash_prefill", "math_scores", "math_softmax", "math_values", "pack_kv",
                    "memory_efficient_prefill", "prefix_prefill", "pallas_flash",
                    "pallas_multi_query", "unified_prefill"}));
    QCOMPARE(classes[SpanClass::kDecode],
             (Names{"paged_decode_v1", "paged_decode_v2", "paged_reduce", "pallas_paged_decode",
                    "unified_decode"}));
    QCOMPARE(classes[SpanClass::kMixed], Names{"reference"});
    QCOMPARE(classes[SpanClass::kLinear], Names{"linear"});
    QCOMPARE(classes[SpanClass::kCacheWrite], Names{"cache_write"});
    QCOMPARE(classes[SpanClass::kCopy], (Names{"copy_blocks", "swap_blocks"}));
    QCOMPARE(classes[SpanClass::kSchedule], (Names{"plan", "plan_replay"}));
    QCOMPARE(classes[SpanClass::kOther],
             (Names{"embed", "norm", "rope", "activation", "logits", "sample"}));
  }

  void tiles_of_reference_are_prefill_or_decode() {
    Scenario scenario = gui::test::small_scenario();
    scenario.engine.backend = "reference";
    scenario.engine.clock = ClockKind::kVirtual;
    gui::test::HeatmapBench w;
    QVERIFY(w.run(scenario));
    TimelineModel model;
    model.append(w.bridge.events(), 0);
    const int64_t prompt = scenario.requests[0].prompt_tokens;
    int64_t prefill = 0, decode = 0;
    for (const TimelineLane* lane : model.lanes())
      for (uint64_t i = 0; i < lane->spans.size(); ++i) {
        const LodSpan span = lane->spans.span(i);
        const TraceEvent& event = w.bridge.events()[span.event];
        const bool is_tile = event.kind == EventKind::kTile;
        if (!is_tile && (event.kind != EventKind::kKernel ||
                         static_cast<KernelId>(event.a) != KernelId::kReference))
          continue;
        const bool is_prefill = is_tile ? unpack_tile(event).q_begin < prompt : event.d == prompt;
        QCOMPARE(static_cast<SpanClass>(span.span_class),
                 is_prefill ? SpanClass::kPrefill : SpanClass::kDecode);
        ++(is_prefill ? prefill : decode);
      }
    QVERIFY(prefill > 0 && decode > 0);
  }

  void a_step_counts_a_key_once() {
    Scenario scenario = gui::test::small_scenario();
    scenario.engine.backend = "torch_sdpa";
    scenario.engine.backend_options["sdpa_kernel"] = "math";
    gui::test::HeatmapBench w;
    QVERIFY(w.run(scenario));
    const std::vector<TraceEvent>& events = w.bridge.events();
    int64_t of_scores = 0, of_values = 0, told = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      if (events[i].kind == EventKind::kStep && events[i].b > 0)
        told += step_cost(*w.bridge.snapshot(), events, i).keys_read;
      if (events[i].kind != EventKind::kTile) continue;
      const TileEvent tile = unpack_tile(events[i]);
      if (tile.kernel == KernelId::kMathScores) of_scores += tile.k_count;
      if (tile.kernel == KernelId::kMathValues) of_values += tile.k_count;
    }
    QVERIFY(of_scores > 0);
    QCOMPARE(of_values, of_scores);
    QCOMPARE(told, of_scores);
  }
};

ATTN_QT_TEST(test_span_words, attn::gui::test::run<TestSpanWords>)
#include "test_span_words.moc"
