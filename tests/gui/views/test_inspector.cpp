// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector shows of cells, tokens, blocks, spans and requests, mostly of real runs.
#include <QClipboard>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "gui/views/blocks/block_facts.h"
#include "gui/views/inspector/inspector_page.h"
#include "gui/views/inspector/inspector_span.h"
#include "gui/views/inspector/inspector_step.h"
#include "gui/widgets/text/ticks.h"
#include "tests/gui/heatmap/heatmap_fixture.h"
#include "tests/gui/view_stage.h"

using namespace attn;
using namespace attn::gui;
using attn::gui::test::HeatmapBench;
using attn::gui::test::small_scenario;

namespace {

SelectionState cell(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
                    int64_t key) {
  SelectionState state;
  state.kind = SelectionKind::kCell;
  state.request = record.request();
  state.layer = layer;
  state.head = head;
  state.query = query;
  state.key = key;
  return state;
}

const InspectorItem* find_row(const InspectorContent& content, const QString& name) {
  for (const InspectorItem& item : content.items)
    if (item.name == name) return &item;
  return nullptr;
}

std::vector<const InspectorItem*> all(const InspectorContent& content, InspectorItem::Kind kind) {
  std::vector<const InspectorItem*> items;
  for (const InspectorItem& item : content.items)
    if (item.kind == kind) items.push_back(&item);
  return items;
}

}  // namespace

class TestInspector : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { register_all_backends(); }
  void init() {
    gui::test::fail_on_warnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }

  void nothing_selected_says_what_will_appear() {
    HeatmapBench w;
    QVERIFY(w.inspector.content().empty);
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("Click a cell")));
    QVERIFY(!w.inspector.findChild<QToolButton*>()->isEnabled());
  }

  void a_cell_shows_its_operands() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.select(cell(w.record(), 1, 2, 25, 9));
    const WeightOperands operands = w.record().operands(1, 2, 25, 9);
    QVERIFY(operands.computed && operands.weight > 0);
    const QString text = w.inspector.content().to_text();
    for (double number : {double{operands.dot}, double{operands.score}, double{operands.lse},
                          double{operands.weight}})
      QVERIFY2(text.contains(format_number(number, 7)), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("1/√32")));
    QVERIFY(text.contains(QStringLiteral("KV head: 1 (0..1), shared by 2 heads")));
    QVERIFY(text.contains(QStringLiteral("mask: causal, visible")));
    QVERIFY(text.contains(QStringLiteral("bias: none")));
    QVERIFY(text.contains(QStringLiteral("cache dtype: f32 (auto)")));
    const auto vectors = all(w.inspector.content(), InspectorItem::Kind::kVector);
    QCOMPARE(vectors.size(), size_t{6});
    QCOMPARE(vectors[0]->numbers, operands.query);
    QCOMPARE(vectors[1]->numbers, operands.key);
    double sum = 0;
    for (float product : vectors[2]->numbers) sum += static_cast<double>(product);
    QVERIFY(std::abs(sum - double{operands.dot}) <= 1e-4 * (1 + std::abs(double{operands.dot})));
  }

  void a_cell_of_an_encoder() {
    HeatmapBench w;
    QVERIFY(w.run(gui::test::deterministic("encoder-layers", 2)));
    const auto text = [&w](int64_t layer) {
      w.selection.select({.kind = SelectionKind::kCell,
                          .request = 0,
                          .layer = layer,
                          .head = 1,
                          .query = 3,
                          .key = 2});
      return w.inspector.content().to_text();
    };
    const QString encoder = text(1), decoder = text(2);
    for (const char* line : {"query (encoder): 3", "key (encoder): 2", "encoder layer: 1 (0..5)"})
      QVERIFY2(encoder.contains(QLatin1String(line)), qPrintable(encoder));
    QVERIFY2(!encoder.contains(QStringLiteral("cache dtype")), qPrintable(encoder));
    QVERIFY2(decoder.contains(QStringLiteral("cache dtype: f32 (auto)")), qPrintable(decoder));
    QVERIFY(decoder.contains(QStringLiteral("layer: 2 (0..5)")));
  }

  void a_quantised_cache_says_what_saturated() {
    HeatmapBench w;
    Scenario scenario = small_scenario();
    scenario.engine.backend = "unified";
    scenario.engine.kv_cache_dtype = "int8";
    scenario.engine.k_head_scales = {0.0625, 1e-12};
    scenario.engine.v_scale = 0.125;
    QVERIFY(w.run(scenario));
    w.selection.select(cell(w.record(), 1, 2, 25, 9));
    const HeadRounding& rounding = *w.bridge.snapshot()->rounding;
    const RoundingCounts &here = rounding.keys[3], all = sum_of(rounding.keys);
    QVERIFY(here.saturated > 0 && here.saturated < all.saturated);
    const InspectorItem* keys = find_row(w.inspector.content(), QStringLiteral("saturated keys"));
    QVERIFY(keys);
    QCOMPARE(keys->text, QStringLiteral("%1 of %2 numbers in KV head 1 of this layer (0 became 0); "
                                        "%3 of %4 in all heads of all layers")
                             .arg(format_count(here.saturated), format_count(here.nonzero()),
                                  format_count(all.saturated), format_count(all.nonzero())));
    QVERIFY(find_row(w.inspector.content(), QStringLiteral("saturated values"))
                ->text.startsWith(QStringLiteral("0 of ")));
  }

  void a_prompt_that_ignores_its_window_says_so() {
    HeatmapBench w;
    Scenario scenario = small_scenario();
    scenario.engine.backend = "xformers";
    scenario.attention.alibi = true;
    scenario.attention.sliding_window = 4;
    QVERIFY(w.run(scenario));
    const int64_t prompt = w.bridge.snapshot()->requests[0].prompt_len;
    w.selection.select(cell(w.record(), 1, 2, prompt - 1, 0));
    QVERIFY(w.inspector.content().to_text().contains(
        QStringLiteral("window: 4 tokens, but with ALiBi this backend ignores it in this prompt")));
    w.selection.select(cell(w.record(), 1, 2, prompt, 0));
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("before the query's window")));
  }

  void a_masked_cell_says_why_it_is_zero() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.select(cell(w.record(), 0, 0, 5, 9));
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("Masked")));
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("mask: causal, masked")));
    QVERIFY(all(w.inspector.content(), InspectorItem::Kind::kFormula).empty());
    w.selection.select(cell(w.record(), 0, 0, 5, 4000));  // outside the sequence
    QVERIFY(!w.inspector.content().to_text().contains(QStringLiteral("exp(")));
  }

  void what_is_not_computed_has_no_numbers_until_it_is() {
    HeatmapBench w;
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] { return w.heatmap.scene().rows() == 40; }));
    SelectionState state;
    state.kind = SelectionKind::kCell;
    state.request = w.bridge.snapshot()->requests[0].id;
    state.layer = state.head = 0;
    state.query = 30;
    state.key = 4;
    w.selection.select(state);
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("Not computed")));
    QVERIFY(all(w.inspector.content(), InspectorItem::Kind::kFormula).empty());
    w.bridge.run();
    QVERIFY(HeatmapBench::wait_for(
        [&] { return !all(w.inspector.content(), InspectorItem::Kind::kFormula).empty(); }));
    QVERIFY(w.inspector.content().to_text().contains(
        format_number(double{w.record().operands(0, 0, 30, 4).weight}, 7)));
  }

  void a_token_lists_what_it_reads_most() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.show(w.record().request(), 1, 1);
    SelectionState state;
    state.kind = SelectionKind::kToken;
    state.request = w.record().request();
    state.query = 33;
    w.selection.select(state);
    std::vector<float> row(34);
    w.record().weights(1, 1, 33, 1, 0, 34, row.data());
    const auto bars = all(w.inspector.content(), InspectorItem::Kind::kBar);
    QVERIFY(bars.size() >= 8);
    for (size_t i = 0; i < 8; ++i) {
      QCOMPARE(static_cast<float>(bars[i]->value), row[static_cast<size_t>(bars[i]->name.toInt())]);
      if (i > 0) QVERIFY(bars[i]->value <= bars[i - 1]->value);
    }
    QCOMPARE(static_cast<float>(bars[0]->value), *std::max_element(row.begin(), row.end()));
    const double before = bars[0]->value;
    w.selection.show(w.record().request(), 0, 3);
    w.record().weights(0, 3, 33, 1, 0, 34, row.data());
    const auto after = all(w.inspector.content(), InspectorItem::Kind::kBar);
    QCOMPARE(static_cast<float>(after[0]->value), *std::max_element(row.begin(), row.end()));
    QVERIFY(after[0]->value != before);
  }

  void a_token_tells_how_its_row_is_made() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.show(w.record().request(), 1, 2);
    w.selection.select(
        {.kind = SelectionKind::kToken, .request = w.record().request(), .query = 21});
    std::vector<float> row(22);
    w.record().weights(1, 2, 21, 1, 0, 22, row.data());
    double entropy = 0, largest = -1e9, sum = 0;
    for (const float weight : row) entropy -= weight * std::log(double{weight});
    for (int64_t key = 0; key < 22; ++key)
      largest = std::max(largest, double{w.record().operands(1, 2, 21, key).score});
    for (int64_t key = 0; key < 22; ++key)
      sum += std::exp(double{w.record().operands(1, 2, 21, key).score} - largest);
    const QString text = w.inspector.content().to_text();
    QVERIFY2(text.contains(QStringLiteral("softmax(scale × q·K), keys 0..21")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("m = largest score = ") + format_number(largest, 7)));
    const auto formulas = all(w.inspector.content(), InspectorItem::Kind::kFormula);
    QCOMPARE(formulas.size(), size_t{4});
    const double told = formulas[2]->text.section(QStringLiteral(" = "), -1).toDouble();
    QVERIFY(std::abs(told / sum - 1) < 1e-4);
    const double told_entropy = find_row(w.inspector.content(), QStringLiteral("entropy"))
                                    ->text.section(u' ', 0, 0)
                                    .toDouble();
    QVERIFY(std::abs(told_entropy - entropy) < 1e-4);
    QVERIFY(find_row(w.inspector.content(), QStringLiteral("backend")));
    QVERIFY(find_row(w.inspector.content(), QStringLiteral("blocks read")));
    for (int y = 0; y < w.inspector.page().height(); y += 4) {
      const InspectorItem* item = w.inspector.page().item_at({20, y});
      if (item != formulas[1]) continue;
      const auto menu = w.inspector.copy_menu({20, y});
      QCOMPARE(menu->actions().size(), 2);
      menu->actions().back()->trigger();
      QCOMPARE(QGuiApplication::clipboard()->text(), formulas[1]->text);
      menu->actions().front()->trigger();
      QCOMPARE(QGuiApplication::clipboard()->text(), text);
      return;
    }
    QFAIL("the formula is nowhere on the page");
  }

  void bytes_of_a_step_are_those_in_the_cache() {
    HeatmapBench w;
    QVERIFY(w.run(gui::test::deterministic("encoder-layers", 2)));
    const EngineSnapshot& snapshot = *w.bridge.snapshot();
    const std::vector<TraceEvent>& events = w.bridge.events();
    for (size_t i = events.size(); i-- > 0;) {
      if (events[i].kind != EventKind::kStep) continue;
      InspectorContent content;
      add_step_cost(content, snapshot, events, i, {});
      const double keys = static_cast<double>(step_cost(snapshot, events, i).keys_read) /
                          static_cast<double>(events[i].b + events[i].c);  // per token
      QVERIFY(keys > 0);
      const InspectorItem* bytes = find_row(content, QStringLiteral("their bytes"));
      QVERIFY(bytes);
      QCOMPARE(bytes->text,
               format_bytes(2 * 4 * static_cast<double>(snapshot.source.head_size) * keys));
      return;
    }
    QFAIL("no step");
  }

  void a_token_says_where_its_key_lies() {
    EngineSnapshot shot;
    shot.block_size = 4;
    RequestView& request = shot.requests.emplace_back();
    request.prompt_len = 6;
    const auto where = [&](int64_t position) {
      SelectionState state;
      state.kind = SelectionKind::kToken;
      state.request = 0;
      state.query = position;
      InspectorInput input;
      input.snapshot = &shot;
      input.selection = state;
      const InspectorContent content = inspect(input);
      const InspectorItem* row = find_row(content, QStringLiteral("block"));
      return row ? row->text : QString();
    };
    QCOMPARE(where(5), QStringLiteral("none now"));
    request.state = RequestState::kRunning;
    request.own_table.blocks = {-1, 7};
    QCOMPARE(where(1), QStringLiteral("given back: it left the sliding window"));
    QCOMPARE(where(5), QStringLiteral("7 (number 1 in the table of the sequence)"));
    QCOMPARE(where(8), QStringLiteral("none now"));
    request.state = RequestState::kSwapped;
    request.own_table = {.blocks = {}, .swap_blocks = {-1, 3}};
    QCOMPARE(where(1), QStringLiteral("given back: it left the sliding window"));
    QCOMPARE(where(5), QStringLiteral("host block 3"));
    QCOMPARE(where(8), QStringLiteral("none now"));
    request.own_table = {};
    request.state = RequestState::kFinishedIgnored;
    QCOMPARE(where(5), QStringLiteral("none: the request has ended"));
  }

  void a_block_lists_its_tokens() {
    HeatmapBench w;
    w.bridge.start(small_scenario(), true);
    QVERIFY(HeatmapBench::wait_for([&] {
      w.bridge.step(Granularity::kStep);
      QTest::qWait(10);
      const auto& s = w.bridge.snapshot();
      return s && !s->requests.empty() && s->requests[0].num_computed >= 40;
    }));
    const auto& snapshot = *w.bridge.snapshot();
    SelectionState state;
    state.kind = SelectionKind::kBlock;
    state.block = snapshot.requests[0].own_table.blocks[1];
    w.selection.select(state);
    const InspectorContent& content = w.inspector.content();
    const auto tokens = all(content, InspectorItem::Kind::kTokens);
    QCOMPARE(static_cast<int64_t>(tokens.size()),
             int64_t{snapshot.blocks[static_cast<size_t>(state.block)].filled});
    QCOMPARE(tokens[0]->token.shown, token_text((*snapshot.requests[0].tokens)[8].text).shown);
    QVERIFY(find_row(content, QStringLiteral("owner")));
    QCOMPARE(find_row(content, QStringLiteral("owner"))->text, QStringLiteral("small"));
    // A free block.
    for (size_t i = 0; i < snapshot.blocks.size(); ++i)
      if (snapshot.blocks[i].owner < 0) state.block = static_cast<int64_t>(i);
    w.selection.select(state);
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("free")));
    QVERIFY(!w.inspector.content().to_text().contains(QStringLiteral("last written")));
    const QString tip = block_tooltip(snapshot, state.block, nullptr);
    QVERIFY2(!tip.contains(QStringLiteral("never")), qPrintable(tip));
    state.block = 1 << 20;
    w.selection.select(state);
    QVERIFY(w.inspector.content().to_text().contains(QStringLiteral("not part of this run")));
  }

  void a_span_shows_its_tile() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    int64_t index = -1;
    for (size_t i = 0; i < w.bridge.events().size() && index < 0; ++i)
      if (w.bridge.events()[i].kind == EventKind::kTile) index = static_cast<int64_t>(i);
    QVERIFY(index >= 0);
    SelectionState state;
    state.kind = SelectionKind::kSpan;
    state.event = index;
    w.selection.select(state);
    const TraceEvent& event = w.bridge.events()[static_cast<size_t>(index)];
    const TileEvent tile = unpack_tile(event);
    const InspectorContent& content = w.inspector.content();
    QVERIFY(
        find_row(content, QStringLiteral("queries"))
            ->text.startsWith(
                QStringLiteral("%1..%2").arg(tile.q_begin).arg(tile.q_begin + tile.q_count - 1)));
    QVERIFY(
        find_row(content, QStringLiteral("keys"))
            ->text.startsWith(
                QStringLiteral("%1..%2").arg(tile.k_begin).arg(tile.k_begin + tile.k_count - 1)));
    QCOMPARE(find_row(content, QStringLiteral("begin"))->text,
             format_duration_ns(static_cast<double>(event.begin_ns), 6));
    for (size_t i = 0; i < w.bridge.events().size(); i += 7) {
      state.event = static_cast<int64_t>(i);
      w.selection.select(state);
      QVERIFY(w.inspector.content().items.size() >= 3);
    }
  }

  void a_span_counts_what_block_sparse_attention_leaves() {
    HeatmapBench w;
    const Scenario scenario = attn::gui::test::deterministic("block-sparse", 2);
    QVERIFY(scenario.attention.blocksparse.has_value());
    QVERIFY(w.run(scenario));
    int64_t fewer = 0;
    for (size_t i = 0; i < w.bridge.events().size(); ++i) {
      const TraceEvent& event = w.bridge.events()[i];
      if (event.kind != EventKind::kTile) continue;
      const TileEvent tile = unpack_tile(event);
      if (tile.heads != 1 || tile.q_count > 64) continue;
      int64_t seen = 0, causal = 0;
      for (int64_t q = tile.q_begin; q < int64_t{tile.q_begin} + tile.q_count; ++q)
        for (int64_t k = tile.k_begin; k < int64_t{tile.k_begin} + tile.k_count; ++k) {
          causal += k <= q;
          seen += k <= q && sees_key(*scenario.attention.blocksparse, tile.head, q, k);
        }
      w.selection.select({.kind = SelectionKind::kSpan, .event = static_cast<int64_t>(i)});
      const QString text = find_row(w.inspector.content(), QStringLiteral("cells"))->text;
      QVERIFY2(text.contains(QStringLiteral("of them %1 not masked").arg(format_count(seen))),
               qPrintable(text));
      fewer += seen < causal;
    }
    QVERIFY(fewer > 0);
  }

  void a_step_tells_what_a_token_costs() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const std::vector<TraceEvent>& events = w.bridge.events();
    int prefills = 0, decodes = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      const TraceEvent& step = events[i];
      if (step.kind != EventKind::kStep) continue;
      w.selection.select({.kind = SelectionKind::kSpan, .event = static_cast<int64_t>(i)});
      const InspectorContent& content = w.inspector.content();
      const auto tokens = static_cast<double>(step.b + step.c);
      QCOMPARE(find_row(content, QStringLiteral("time per token"))->text,
               format_duration_ns(static_cast<double>(step.duration_ns) / tokens, 4));
      // Each tile reads the keys of one KV head, for one or both query heads that share it.
      int64_t keys = 0;
      for (const TraceEvent& tile : events)
        if (tile.kind == EventKind::kTile && tile.begin_ns >= step.begin_ns &&
            tile.begin_ns + tile.duration_ns <= step.begin_ns + step.duration_ns)
          keys += unpack_tile(tile).k_count;
      QCOMPARE(step_cost(*w.bridge.snapshot(), events, i).keys_read, keys);
      QCOMPARE(find_row(content, QStringLiteral("keys per token"))->text,
               format_number(static_cast<double>(keys) / tokens, 4));
      ++(step.b > 0 ? prefills : decodes);
      const auto* other = find_row(content, step.b > 0 ? QStringLiteral("a decode token")
                                                       : QStringLiteral("a prefill token"));
      QVERIFY(other && find_row(content, QStringLiteral("ratio")));
      QVERIFY(content.to_text().contains(QStringLiteral("hardly grows with its tokens")));
    }
    QVERIFY(prefills > 0 && decodes > 0);
    for (const EventKind begin : {EventKind::kRequestScheduled, EventKind::kTokenSampled}) {
      const auto at = std::ranges::find(events, begin, &TraceEvent::kind) - events.begin();
      w.selection.select({.kind = SelectionKind::kSpan, .event = at});
      QVERIFY(find_row(w.inspector.content(), QStringLiteral("time per token")));
    }
    QCOMPARE(request_bar(*w.bridge.snapshot(), events,
                         static_cast<size_t>(std::ranges::find(events, EventKind::kRequestScheduled,
                                                               &TraceEvent::kind) -
                                             events.begin()))
                 ->computed,
             int64_t{40});
  }

  // Each row of each query head reads its keys by itself.
  void the_reference_reads_keys_for_each_row_and_query_head() {
    HeatmapBench w;
    Scenario scenario = small_scenario();
    scenario.engine.backend = "reference";
    QVERIFY(w.run(scenario));
    const std::vector<TraceEvent>& events = w.bridge.events();
    const auto step = std::ranges::find(events, EventKind::kStep, &TraceEvent::kind);
    w.selection.select({.kind = SelectionKind::kSpan, .event = step - events.begin()});
    const InspectorContent& content = w.inspector.content();
    const SourceShape& source = w.bridge.snapshot()->source;
    QCOMPARE(find_row(content, QStringLiteral("keys per token"))->text,
             format_number(static_cast<double>(source.num_layers * source.num_heads * step->b), 4));
    QVERIFY(content.to_text().contains(QStringLiteral("for each row of each query head")));
    QVERIFY(!content.to_text().contains(QStringLiteral("KV heads; the bytes")));
  }

  void a_preemption_says_why() {
    for (const auto& [name, caching] :
         {std::pair{"full-house", false}, {"full-house", true}, {"full-house-swap", false}}) {
      HeatmapBench w;
      Scenario scenario = load_scenario(find_scenario(name));
      scenario.view.pace_tiles_per_s = 0;
      scenario.engine.enable_prefix_caching = caching;
      if (caching) scenario.engine.backend = "unified";  // torch_sdpa refuses cached prompts
      QVERIFY(w.run(scenario));
      const std::vector<TraceEvent>& events = w.bridge.events();
      const auto at = std::ranges::find(events, EventKind::kRequestPreempted, &TraceEvent::kind);
      QVERIFY(at != events.end());
      w.selection.select(
          {.kind = SelectionKind::kSpan, .event = static_cast<int64_t>(at - events.begin())});
      const QString text = w.inspector.content().to_text();
      const auto says = [&text](const QString& words) {
        if (!text.contains(words)) qWarning("%s\nlacks: %s", qPrintable(text), qPrintable(words));
        return text.contains(words);
      };
      QVERIFY(says(QStringLiteral("Why it was preempted")));
      QVERIFY(says(QStringLiteral("needed more blocks than were free")));
      QVERIFY(!text.contains(QStringLiteral("lost")));
      const int64_t blocks = (at->c + scenario.engine.block_size - 1) / scenario.engine.block_size;
      const int64_t full = at->c / scenario.engine.block_size;
      const QString all = counted(blocks, QStringLiteral("1 block"), QStringLiteral("%1 blocks"));
      if (at->d == 1) {
        QVERIFY(says(QStringLiteral("(%1, %2 computed tokens) was moved to the swap pool")
                         .arg(all)
                         .arg(at->c)));
        continue;
      }
      QVERIFY(says(QStringLiteral("It gives back %1: ").arg(all)));
      if (caching) {
        QVERIFY(full > 0);
        QVERIFY(says(QStringLiteral("stay")));
        QVERIFY(
            says(QStringLiteral("its %1 computed tokens are computed again, except").arg(at->c)));
      } else {
        QVERIFY(says(QStringLiteral("%1 are free now").arg(blocks)));
        QVERIFY(says(QStringLiteral("its %1 computed tokens are computed again.").arg(at->c)));
      }
    }
  }

  void a_request_bar_shows_its_state_and_times() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    const std::vector<TraceEvent>& events = w.bridge.events();
    const auto find = [&events](EventKind kind, size_t from = 0) {
      while (from < events.size() && events[from].kind != kind) ++from;
      return from;
    };
    const size_t queued = find(EventKind::kRequestQueued),
                 scheduled = find(EventKind::kRequestScheduled),
                 first = find(EventKind::kTokenSampled),
                 second = find(EventKind::kTokenSampled, first + 1),
                 finished = find(EventKind::kRequestFinished);
    QVERIFY(second < events.size() && finished < events.size());
    const auto check = [&](size_t from, size_t to, const char* state) {
      w.selection.select({.kind = SelectionKind::kSpan, .event = static_cast<int64_t>(from)});
      const InspectorContent& content = w.inspector.content();
      QCOMPARE(content.title, QStringLiteral("small: %1").arg(QLatin1String(state)));
      const auto begin = static_cast<double>(events[from].begin_ns),
                 end = static_cast<double>(events[to].begin_ns);
      QCOMPARE(find_row(content, QStringLiteral("state"))->text, QLatin1String(state));
      QCOMPARE(find_row(content, QStringLiteral("begin"))->text, format_duration_ns(begin, 6));
      QCOMPARE(find_row(content, QStringLiteral("end"))->text, format_duration_ns(end, 6));
      QCOMPARE(find_row(content, QStringLiteral("duration"))->text,
               format_duration_ns(end - begin, 4));
    };
    check(queued, scheduled, "queued");
    check(scheduled, first, "prefill");
    check(first, finished, "decode");
    QCOMPARE(find_row(w.inspector.content(), QStringLiteral("tokens sampled"))->text,
             QStringLiteral("6"));
    w.selection.select({.kind = SelectionKind::kSpan, .event = static_cast<int64_t>(second)});
    QCOMPARE(w.inspector.content().title, QStringLiteral("Token sampled"));
    const auto bar = request_bar(
        *w.bridge.snapshot(),
        {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(scheduled) + 1}, scheduled);
    QVERIFY(bar && bar->open && bar->end_ns >= bar->begin_ns);
  }

  void a_swapped_request_goes_on_where_it_was() {
    std::vector<TraceEvent> events;
    const auto add = [&events](EventKind kind, uint32_t request, uint32_t d = 0) {
      TraceEvent event;
      event.kind = kind;
      event.begin_ns = 1000 * (events.size() + 1);
      event.a = request;
      event.d = d;
      events.push_back(event);
    };
    add(EventKind::kRequestScheduled, 1);
    add(EventKind::kTokenSampled, 2);  // of another request
    add(EventKind::kRequestPreempted, 1, 1);
    add(EventKind::kRequestResumed, 1);
    add(EventKind::kTokenSampled, 1);
    add(EventKind::kRequestPreempted, 1, 1);
    add(EventKind::kRequestResumed, 1);
    const EngineSnapshot shot{};
    QStringList states;
    for (size_t i = 0; i < events.size(); ++i) {
      const auto bar = events[i].a == 1 ? request_bar(shot, events, i) : std::nullopt;
      if (bar) states << bar->state;
    }
    QCOMPARE(states, (QStringList{QStringLiteral("prefill"), QStringLiteral("swapped out"),
                                  QStringLiteral("prefill"), QStringLiteral("decode"),
                                  QStringLiteral("swapped out"), QStringLiteral("decode")}));
  }

  void the_focused_panel_has_a_frame() {
    HeatmapBench w;
    w.inspector.setFocus();
    w.inspector.activateWindow();
    auto* area = w.inspector.findChild<QScrollArea*>();
    area->setFocus();
    QTest::qWait(30);
    const auto edge = [&w] {
      const QImage picture = w.inspector.grab().toImage();
      return picture.pixelColor(0, picture.height() / 2);
    };
    if (area->hasFocus()) QCOMPARE(edge(), Theme::instance().colors().accent);
    area->clearFocus();
    QCOMPARE(edge(), Theme::instance().colors().surface);
    QVERIFY(inspector_key_help().size() >= 3);
  }

  void copy_puts_the_text_on_the_clipboard() {
    HeatmapBench w;
    QVERIFY(w.run(small_scenario()));
    w.selection.select(cell(w.record(), 0, 0, 12, 3));
    QTest::mouseClick(w.inspector.findChild<QToolButton*>(), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied, w.inspector.content().to_text());
    QVERIFY(copied.contains(QStringLiteral("q·k")) &&
            copied.contains(QStringLiteral("Cell: query 12 reads key 3")));
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(&w.inspector, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), copied);
    QTest::keyClick(&w.inspector, Qt::Key_Escape);
    QCOMPARE(w.selection.state().kind, SelectionKind::kNothing);
  }

  void a_narrow_panel_scrolls_down_and_cuts_nothing_data() {
    QTest::addColumn<int>("percent");
    QTest::newRow("100%") << 100;
    QTest::newRow("200%") << 200;
  }
  void a_narrow_panel_scrolls_down_and_cuts_nothing() {
    QFETCH(int, percent);
    Theme::instance().set_text_percent(percent);
    HeatmapBench w;
    w.inspector.resize(260, 300);
    QVERIFY(w.run(small_scenario()));
    w.selection.select(cell(w.record(), 0, 0, 12, 3));
    QTest::qWait(30);
    auto* area = w.inspector.findChild<QScrollArea*>();
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    QVERIFY(area->verticalScrollBar()->maximum() > 0);
    QVERIFY(area->widget()->height() >= area->widget()->heightForWidth(area->widget()->width()));
    QVERIFY(area->widget()->width() <= 260);
    const QImage page = area->widget()->grab().toImage();
    const QRgb surface = Theme::instance().colors().surface.rgb();
    for (int y = 0; y < page.height(); ++y)
      QCOMPARE(page.pixel(page.width() - 2, y) | 0xff000000, surface);
    Theme::instance().set_text_percent(100);
  }

  void bars_of_what_is_no_number_stay_in_their_place() {
    const auto picture = [](float number) {
      InspectorContent content;
      content.title = QStringLiteral("Title");
      content.note(QStringLiteral("Text"));
      content.vector(QStringLiteral("query"), {1, -1, number, 0.5f});
      InspectorPage page;
      page.resize(280, 200);
      page.set_content(content);
      return page.grab().toImage();
    };
    const QImage finite = picture(0), none = picture(std::numeric_limits<float>::quiet_NaN()),
                 infinite = picture(std::numeric_limits<float>::infinity());
    const QRect above(0, 0, finite.width(), finite.height() / 5);
    QCOMPARE(none.copy(above), finite.copy(above));
    QVERIFY(none != finite);
    QCOMPARE(infinite, none);
  }
};

ATTN_QT_TEST(test_inspector, attn::gui::test::run<TestInspector>)
#include "test_inspector.moc"
