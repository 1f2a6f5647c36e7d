// SPDX-License-Identifier: GPL-3.0-or-later
// Compares quantities of the cache and of the run with events, block tables, other runs, and
// numbers worked out by hand. The quantities of attention are tested in test_quantity_rows.cpp.
// Also checks that each quantity is on a list of those with a test in one of the two files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "engine/session/history/step_history.h"
#include "engine/session/run/layer_configs.h"
#include "tests/engine/lesson/quantity_support.h"

namespace attn::lesson {
namespace {

struct ByHand {
  const char* expression;
  double expected;
};
void expect(const FrozenRun& run, std::initializer_list<ByHand> cases) {
  for (const ByHand& each : cases)
    EXPECT_DOUBLE_EQ(value(each.expression, run), each.expected) << each.expression;
}

std::string at_step(const char* name, int64_t step) {
  return fmt::format("{}(step={})", name, step);
}
std::string of_request(const char* name, uint32_t request) {
  return fmt::format("{}(request={})", name, request);
}

std::vector<TraceEvent> events_of(const FrozenRun& run, EventKind kind) {
  std::vector<TraceEvent> found;
  for (const TraceEvent& event : run.events())
    if (event.kind == kind) found.push_back(event);
  return found;
}

constexpr const char* kSmallSource =
    R"("source": {"synthetic": {"kind": "random", "num_layers": 2, "num_heads": 4,
                                "num_kv_heads": 2, "head_size": 32}})";

std::shared_ptr<const FrozenRun> small_run(const char* rest) {
  return run_of(fmt::format(R"({{"version": 1, "seed": 5, {}, {}}})", kSmallSource, rest));
}

// Three requests, at most two at a time; steps of at most 8 tokens.
std::shared_ptr<const FrozenRun> queue_run() {
  static const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 10, "max_tokens": 3},
                   {"name": "B", "prompt_tokens": 6, "max_tokens": 5},
                   {"name": "C", "prompt_tokens": 5, "max_tokens": 2}],
      "engine": {"block_size": 4, "num_blocks": 16, "max_num_batched_tokens": 8,
                 "max_num_seqs": 2, "policy": "chunked_prefill", "backend": "unified"})");
  return run;
}

// --- the cache ---

void expect_tables(const FrozenRun& run) {
  const EngineSnapshot& end = run.end();
  for (int64_t step = 1; step <= static_cast<int64_t>(end.steps->size()); ++step) {
    SCOPED_TRACE(step);
    const auto shot = run.after(step);
    std::map<int32_t, int64_t> filled, tables;  // by block
    int64_t entries = 0;
    for (const RequestView& request : shot->requests) {
      const std::vector<int32_t>& blocks = request.own_table.blocks;
      for (size_t i = 0; i < blocks.size(); ++i) {
        ++entries;
        ++tables[blocks[i]];
        const int64_t slots = std::clamp<int64_t>(
            request.num_computed - static_cast<int64_t>(i) * end.block_size, 0, end.block_size);
        filled[blocks[i]] = std::max(filled[blocks[i]], slots);
      }
    }
    int64_t slots = 0;
    for (const auto& [block, count] : filled) slots += count;
    std::set<int32_t> cached;
    if (shot->prefixes)
      for (const PrefixView& prefix : *shot->prefixes)
        if (prefix.block >= 0 && !tables.contains(prefix.block)) cached.insert(prefix.block);
    const auto used = static_cast<double>(tables.size());
    const double room = used * static_cast<double>(end.block_size);
    const double wasted = room - static_cast<double>(slots);
    EXPECT_EQ(value(at_step("blocks_used", step), run), used);
    EXPECT_EQ(value(at_step("blocks_saved", step), run), static_cast<double>(entries) - used);
    EXPECT_EQ(value(at_step("blocks_cached", step), run), static_cast<double>(cached.size()));
    EXPECT_EQ(value(at_step("blocks_free", step), run),
              value("num_blocks", run) - used - static_cast<double>(cached.size()));
    EXPECT_EQ(value(at_step("wasted_slots", step), run), wasted);
    EXPECT_DOUBLE_EQ(value(at_step("waste", step), run), room > 0 ? wasted / room : 0);
    // f32 keys and values of 2 KV heads of 32 in 2 layers
    EXPECT_EQ(value(at_step("kv_bytes", step), run), room * 2 * 2 * 2 * 32 * 4);
    for (const RequestView& request : shot->requests) {
      const std::vector<int32_t>& blocks = request.own_table.blocks;
      const std::string of = fmt::format("(request={}, step={}", request.id, step);
      EXPECT_EQ(value("blocks_of" + of + ")", run),
                static_cast<double>(request.own_table.held().size()));
      for (int64_t token = 0; token < request.num_computed && !blocks.empty(); ++token) {
        const int32_t block = blocks[static_cast<size_t>(token / end.block_size)];
        const std::string at = fmt::format("{}, token={})", of, token);
        EXPECT_EQ(value("block_of" + at, run), block) << at;
        EXPECT_EQ(value("slot_of" + at, run),
                  static_cast<double>(block * end.block_size + token % end.block_size))
            << at;
        EXPECT_EQ(value("slots_filled" + at, run), static_cast<double>(filled[block])) << at;
        EXPECT_EQ(value("references" + at, run), static_cast<double>(tables[block])) << at;
      }
    }
  }
  const auto count = [&](EventKind kind) {
    return static_cast<double>(events_of(run, kind).size());
  };
  EXPECT_EQ(value("copies", run), count(EventKind::kBlockCopied));
  EXPECT_EQ(value("evictions", run), count(EventKind::kBlockEvicted));
  EXPECT_EQ(value("swapped_out", run), count(EventKind::kBlockSwappedOut));
  EXPECT_EQ(value("swapped_in", run), count(EventKind::kBlockSwappedIn));
  EXPECT_EQ(value("preemptions", run), count(EventKind::kRequestPreempted));
  double hits = 0;
  for (const TraceEvent& hit : events_of(run, EventKind::kPrefixHit)) hits += hit.b;
  EXPECT_EQ(value("hits", run), hits);
}

TEST(QuantitySources, BlocksByHand) {
  const FrozenRun& run = *queue_run();
  expect_tables(run);
  expect(run, {{"block_size", 4},
               {"num_blocks", 16},
               {"bytes_per_token", 2 * 2 * 2 * 32 * 4},
               {"cache_bytes", 16 * 4 * 2 * 2 * 2 * 32 * 4},
               {"logical_block_of(token=0)", 0},
               {"logical_block_of(token=3)", 0},
               {"logical_block_of(token=4)", 1},
               {"logical_block_of(token=9)", 2},
               {"hit_share", 0}});
}

// One request after the other. Synthetic prompts begin with the same tokens, so B finds the two
// full blocks of A's prompt. B needs all 6 blocks, so A's third one is evicted.
TEST(QuantitySources, HitsAndEvictions) {
  const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 10, "max_tokens": 3},
                   {"name": "B", "prompt_tokens": 20, "max_tokens": 4}],
      "engine": {"block_size": 4, "num_blocks": 6, "max_num_seqs": 1, "extended": true,
                 "enable_prefix_caching": true})");
  expect_tables(*run);
  const auto after_first = run->after(1);
  const RequestView& first = after_first->requests[0];
  ASSERT_EQ(first.own_table.blocks.size(), 3u);
  expect(*run, {{"hits", 8},
                {"hits_of(request=\"A\")", 0},
                {"hits_of(request=\"B\")", 8},
                {"hit_share", 8.0 / (10 + 20)},
                {"evictions", 1},
                {"blocks_cached(step=3)", 3},
                {"blocks_free(step=3)", 3},
                {"blocks_used(step=6)", 6},
                {"first_evicted", static_cast<double>(first.own_table.blocks[2])}});
  EXPECT_EQ(place("first_evicted", *run).block, first.own_table.blocks[2]);
}

// The request computes 15 tokens. The last one needs a second block, and is computed in the step
// with which the request ends.
TEST(QuantitySources, PeakCountsBeforeRequestsEnd) {
  const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 6, "max_tokens": 10}],
      "engine": {"block_size": 14, "num_blocks": 8, "extended": true,
                 "enable_prefix_caching": true})");
  const double block = 14 * value("bytes_per_token", *run);
  expect(*run, {{"blocks_of(step=9)", 1},
                {"blocks_of(step=last)", 0},
                {"blocks_of(step=peak)", 2},
                {"blocks_of", 2},
                {"blocks_used(step=last)", 0},
                {"blocks_used(step=peak)", 2},
                {"blocks_free(step=peak)", 6},
                {"blocks_cached(step=last)", 1},
                {"blocks_cached(step=peak)", 0},
                {"blocks_saved(step=peak)", 0},
                {"wasted_slots(step=peak)", 2 * 14 - 15},
                {"waste(step=peak)", 13.0 / 28},
                {"kv_bytes(step=9)", block},
                {"kv_bytes(step=peak)", 2 * block},
                {"kv_bytes(step=fullest)", block},
                {"blocks_of(step=fullest)", 1},
                {"slots_filled(token=14, step=peak)", 1},
                {"references(token=14, step=peak)", 1},
                {"tokens_of_step(step=peak)", 1}});
  EXPECT_EQ(run->peak().step, 10);
  // Views show the state after a step, and after step 10 no block is in use.
  EXPECT_EQ(place("block_of(token=0, step=peak)", *run).step, 9);
  EXPECT_EQ(place("block_of(token=0, step=fullest)", *run).step, 9);
  // No view shows the second block.
  const Place second = place("block_of(token=14, step=peak)", *run);
  EXPECT_EQ(second.step, 0);
  EXPECT_FALSE(can_be_shown(second));
}

// B begins and ends in the step with most blocks, and after the step before it the cache is empty.
TEST(QuantitySources, WhatIsShownOfThePeakIsInUse) {
  const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 4, "max_tokens": 2},
                   {"name": "B", "prompt_tokens": 14, "max_tokens": 1}],
      "engine": {"block_size": 4, "num_blocks": 8, "max_num_seqs": 1, "extended": true})");
  EXPECT_EQ(run->peak().step, 3);
  EXPECT_EQ(value("blocks_used", *run), 4);
  EXPECT_EQ(value("blocks_used(step=2)", *run), 0);
  EXPECT_EQ(run->peak().step_to_show, 1);
  const Place block = place("block_of(token=0, request=1)", *run);
  EXPECT_FALSE(can_be_shown(block));
  EXPECT_EQ(place(fmt::format("slots_filled(block={})", block.block), *run).step, 0);
  // Block 7 is in no table at the peak.
  EXPECT_EQ(place("slots_filled(block=7)", *run).step, 1);
}

// The prompt of 16 tokens is computed with four blocks. At the end of this step three of them leave
// the window of 4 tokens.
TEST(QuantitySources, PeakCountsBlocksThatLeaveTheWindow) {
  const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 16, "max_tokens": 3}],
      "attention": {"sliding_window": 4},
      "engine": {"block_size": 4, "num_blocks": 16, "backend": "unified"})");
  EXPECT_EQ(run->peak().step, 1);
  EXPECT_EQ(run->peak().step_to_show, 2);
  expect(*run, {{"blocks_used(step=1)", 1},
                {"blocks_used(step=2)", 2},
                {"blocks_used(step=peak)", 4},
                {"blocks_free(step=peak)", 15 - 4},
                {"wasted_slots(step=peak)", 0},
                {"slots_filled(token=0, step=peak)", 4}});
  // The request ends with step 3. The null block is not one of the blocks that it held then.
  const auto held = run->held_in(3);
  ASSERT_EQ(held->requests[0].own_table.blocks.size(), 5u);
  for (size_t place = 0; place < 5; ++place)
    EXPECT_EQ(held->requests[0].own_table.blocks[place] == -1, place < 3) << place;
}

// For a step that the history has dropped, the peak counts the blocks in use after the step.
TEST(QuantitySources, ThePeakOfALongRunNeedsNotItsWholeHistory) {
  register_all_backends();
  const Scenario scenario = frozen(parse_scenario(fmt::format(R"({{"version": 1, {},
      "requests": [{{"prompt_tokens": 4, "max_tokens": 2}},
                   {{"prompt_tokens": 16, "max_tokens": 400}}],
      "engine": {{"block_size": 4, "num_blocks": 128}}}})",
                                                              kSmallSource),
                                                  "test"));
  SourceCache sources;
  EngineOptions options;
  options.history_bytes = 16 << 10;
  Engine engine(scenario, sources.load(scenario), options);
  engine.run_to_end();
  const auto end = std::make_shared<const EngineSnapshot>(engine.snapshot(EnginePhase::kFinished));
  ASSERT_GT(end->history->range().first, 2u);  // the first request ends with step 2
  const FrozenRun run(end, {});
  EXPECT_EQ(run.peak().step, 398);  // 16 + 397 tokens
}

// Three samples share the blocks of a prompt of 10; the first two that write into the third block
// get a copy.
TEST(QuantitySources, Copies) {
  const auto run = small_run(R"(
      "requests": [{"prompt_tokens": 10, "max_tokens": 4, "temperature": 1, "n": 3}],
      "engine": {"block_size": 4, "num_blocks": 16})");
  expect_tables(*run);
  expect(*run, {{"copies", 2},
                {"blocks_used(step=1)", 3},
                {"blocks_saved(step=1)", 2 * 3},
                {"references(token=9, step=1)", 3},
                {"blocks_saved(step=2)", 2 * 2},
                {"references(token=9, step=2)", 1},
                {"num_requests", 3}});
  const auto before = run->after(1), after = run->after(2);
  const int64_t copy = place("first_copy", *run).block;
  EXPECT_NE(copy, before->requests[0].own_table.blocks[2]);
  EXPECT_EQ(copy, after->requests[0].own_table.blocks[2]);
}

// Each of two requests needs a third block for its ninth token, but the cache has five.
TEST(QuantitySources, Swapping) {
  const auto run = small_run(R"(
      "requests": [{"name": "A", "prompt_tokens": 7, "max_tokens": 4},
                   {"name": "B", "prompt_tokens": 7, "max_tokens": 4}],
      "engine": {"block_size": 4, "num_blocks": 5, "preemption": "swap", "num_swap_blocks": 4})");
  expect_tables(*run);
  expect(*run, {{"preemptions", 1},
                {"preemptions_of(request=\"A\")", 0},
                {"preemptions_of(request=\"B\")", 1},
                {"swapped_out", 2},
                {"swapped_in", 2}});
  const Place place_of = place("first_preempted", *run);
  bool found = false;
  for (int64_t step = 1; !found; ++step) {
    ASSERT_LE(step, static_cast<int64_t>(value("steps", *run)));
    const auto shot = run->after(step);
    for (const RequestView& request : shot->requests)
      if (request.state == RequestState::kSwapped) {
        found = true;
        EXPECT_EQ(place_of.request, int64_t{request.id});
      }
  }
}

// --- steps and requests ---

// Chunked prefill, 8 tokens a step: decodes first, then as much of a prompt as fits.
TEST(QuantitySources, StepsByHand) {
  const FrozenRun& run = *queue_run();
  const EngineSnapshot& end = run.end();
  expect(run, {{"num_requests", 3},
               {"prompt_tokens(request=\"A\")", 10},
               {"prompt_tokens(request=\"B\")", 6},
               {"new_tokens(request=\"A\")", 3},
               {"new_tokens(request=\"B\")", 5},
               {"new_tokens(request=\"C\")", 2},
               {"tokens_generated", 10},
               {"tokens_computed", (10 + 2) + (6 + 4) + (5 + 1)},
               {"encoder_tokens", 0},
               {"num_layers", 2},
               {"num_heads", 4},
               {"num_kv_heads", 2},
               {"head_size", 32},
               {"prefill_tokens(step=1)", 8},
               {"sequences(step=1)", 1},
               {"prefill_tokens(step=2)", 2 + 6},
               {"sequences(step=2)", 2},
               {"decode_tokens(step=3)", 2},
               {"prefill_tokens(step=3)", 0},
               {"tokens_of_step(step=3)", 2},
               {"waiting(step=2)", 1}});
  const auto steps = events_of(run, EventKind::kStep);
  ASSERT_EQ(value("steps", run), static_cast<double>(steps.size()));
  double most = 0, busiest = 0;
  for (const TraceEvent& event : steps) {
    SCOPED_TRACE(event.a);
    const auto shot = run.after(event.a);
    double prefill = 0, decode = 0, pairs = 0, waiting = 0;
    for (const PlannedSequence& planned : shot->plan.sequences) {
      (planned.is_prefill ? prefill : decode) += static_cast<double>(planned.query_len);
      for (int64_t i = 1; i <= planned.query_len; ++i)
        pairs += static_cast<double>(planned.context_len + i);
    }
    for (const RequestView& request : shot->requests)
      waiting += request.state == RequestState::kWaiting;
    EXPECT_EQ(value(at_step("prefill_tokens", event.a), run), prefill);
    EXPECT_EQ(value(at_step("decode_tokens", event.a), run), decode);
    EXPECT_EQ(value(at_step("tokens_of_step", event.a), run), prefill + decode);
    EXPECT_EQ(value(at_step("sequences", event.a), run),
              static_cast<double>(shot->plan.sequences.size()));
    EXPECT_EQ(value(at_step("waiting", event.a), run), waiting);
    EXPECT_EQ(value(at_step("pairs_of_step", event.a), run), pairs);
    EXPECT_EQ(value(at_step("step_time", event.a), run),
              static_cast<double>(uint64_t{event.duration_ns}));
    EXPECT_GT(uint64_t{event.duration_ns}, 0u);
    if (prefill + decode > most) {
      most = prefill + decode;
      busiest = event.a;
    }
  }
  EXPECT_EQ(static_cast<double>(place("busiest_step", run).step), busiest);
  EXPECT_EQ(value("modelled_time", run),
            static_cast<double>(steps.back().begin_ns + steps.back().duration_ns));
  EXPECT_EQ(end.requests.size(), 3u);
}

struct Moments {
  uint64_t queued = 0, scheduled = 0, first = 0, last = 0, finished = 0;
  uint32_t first_step = 0;
  int64_t tokens = 0;
};

TEST(QuantitySources, TimesOfRequestsAreThoseOfTheEvents) {
  const FrozenRun& run = *queue_run();
  std::map<uint32_t, Moments> requests;
  for (const TraceEvent& event : run.events()) {
    if (event.kind == EventKind::kRequestQueued) requests[event.a].queued = event.begin_ns;
    if (event.kind == EventKind::kRequestScheduled) requests[event.a].scheduled = event.begin_ns;
    if (event.kind == EventKind::kRequestFinished) requests[event.a].finished = event.begin_ns;
    if (event.kind != EventKind::kTokenSampled) continue;
    Moments& of = requests[event.a];
    if (of.tokens++ == 0) {
      of.first = event.begin_ns;
      of.first_step = event.d;
    }
    of.last = event.begin_ns;
  }
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_GT(requests[2].scheduled, requests[0].scheduled);
  const auto earliest = [&](uint64_t Moments::*when) -> int64_t {
    return std::ranges::min_element(requests, {},
                                    [&](const auto& each) { return each.second.*when; })
        ->first;
  };
  EXPECT_EQ(place("first_to_speak", run).request, earliest(&Moments::first));
  EXPECT_EQ(place("first_to_finish", run).request, earliest(&Moments::finished));
  for (const auto& each : requests) {
    const uint32_t id = each.first;
    const Moments& of = each.second;
    SCOPED_TRACE(id);
    EXPECT_EQ(value(of_request("first_token_step", id), run), of.first_step);
    EXPECT_EQ(value(of_request("waiting_time", id), run),
              static_cast<double>(of.scheduled - of.queued));
    EXPECT_EQ(value(of_request("time_to_first_token", id), run),
              static_cast<double>(of.first - of.queued));
    EXPECT_DOUBLE_EQ(value(of_request("time_per_token", id), run),
                     static_cast<double>(of.last - of.first) / static_cast<double>(of.tokens - 1));
    const auto place_of = [&](uint64_t Moments::*when) {
      return 1 + static_cast<double>(std::ranges::count_if(
                     requests, [&](const auto& other) { return other.second.*when < of.*when; }));
    };
    EXPECT_EQ(value(of_request("first_token_place", id), run), place_of(&Moments::first));
    EXPECT_EQ(value(of_request("finish_place", id), run), place_of(&Moments::finished));
  }
  // A and B get their first tokens in step 2. A ends in step 4, and C begins in step 5.
  expect(run, {{"first_token_step(request=\"A\")", 2},
               {"first_token_step(request=\"B\")", 2},
               {"first_token_step(request=\"C\")", 5},
               {"first_token_place(request=\"C\")", 3},
               {"finish_place(request=\"A\")", 1},
               {"waiting_time(request=\"A\")", 0}});
}

// --- work ---

// With a cache each row is computed once; without one each step computes all rows so far.
TEST(QuantitySources, WorkWithAndWithoutACache) {
  const auto run = small_run(R"(
      "requests": [{"prompt_tokens": 10, "max_tokens": 3}, {"prompt_tokens": 6, "max_tokens": 5}],
      "engine": {"block_size": 4, "num_blocks": 16})");
  double pairs = 0, pairs_without = 0, tokens_without = 0;
  for (const auto& request : {std::pair(10, 3), std::pair(6, 5)}) {
    const int last = request.first + request.second - 1;  // rows that are computed
    for (int row = 1; row <= last; ++row) pairs += row;
    for (int length = request.first; length <= last; ++length) {
      tokens_without += length;
      for (int row = 1; row <= length; ++row) pairs_without += row;
    }
  }
  expect(*run, {{"pairs", pairs},
                {"pairs_without_cache", pairs_without},
                {"tokens_without_cache", tokens_without},
                {"tokens_computed", 12 + 10}});
}

// Heads of 128; prompts of 130 and 10 tokens, padded to 144 and 16, in blocks of up to 128 queries
// and keys.
TEST(QuantitySources, TilesPaddingAndDeviceTime) {
  const auto run = run_of(R"({"version": 1,
      "source": {"synthetic": {"kind": "random", "num_layers": 2, "num_heads": 4,
                               "num_kv_heads": 2, "head_size": 128}},
      "requests": [{"prompt_tokens": 130, "max_tokens": 1}, {"prompt_tokens": 10, "max_tokens": 1}],
      "engine": {"backend": "pallas", "tpu": "v4", "block_size": 16, "num_blocks": 16}})");
  for (const char* where : {"layer=0, head=0", "layer=1, head=3"}) {
    EXPECT_EQ(value(fmt::format("tiles(request=0, {})", where), *run), 3);  // of 2 x 2 tiles
    EXPECT_EQ(value(fmt::format("tiles(request=1, {})", where), *run), 1);
  }
  EXPECT_EQ(value("padding_rows", *run), 14 + 6);
  // The time of a block is that of 4 x queries x keys x 128 operations or that of its rows of 128 x
  // 2 bytes, whichever is longer, on one of two cores that share 275 TFLOP/s and 1228 GB/s. Each
  // core computes 2 heads.
  const auto block = [](double queries, double keys, double rows) {
    return std::max(4 * queries * keys * 128 / (275e12 / 2), rows * 128 * 2 / (1228e9 / 2)) * 1e9;
  };
  const double of_head = block(128, 128, 2 * 128 + 2 * 128) + block(16, 128, 2 * 128 + 16) +
                         block(16, 16, 2 * 16 + 16) + block(16, 16, 2 * 16 + 2 * 16);
  EXPECT_NEAR(value("device_time", *run), 2 * 2 * of_head, 1e-6 * of_head);
}

// --- other backends ---

// Outputs of a backend by (request, position, layer): [H * D].
using Outputs = std::map<std::tuple<uint32_t, int64_t, int>, std::vector<float>>;

Outputs outputs_of(Scenario scenario, const std::string& backend) {
  scenario.engine.backend = backend;
  const std::shared_ptr<Source> source = load_source(scenario);
  const auto impl =
      backend_named(backend).make_impl(layer_configs(scenario, source->shape()).of(0));
  Outputs outputs;
  EngineOptions options;
  options.forward = [&](const AttentionInputs& inputs, const AttentionMetadata& metadata,
                        const AttentionOutputs& out, const Execution& execution) {
    if (!impl->forward(inputs, metadata, out, execution)) return false;
    const int64_t width = out.out->dim(1) * out.out->dim(2);
    for (int64_t s = 0; s < metadata.num_seqs(); ++s)
      for (int64_t i = 0; i < metadata.query_len(s); ++i) {
        const float* row =
            out.out->data<float>() + (metadata.query_start_loc[static_cast<size_t>(s)] + i) * width;
        outputs[{metadata.request(s), metadata.context_lens[static_cast<size_t>(s)] + i,
                 inputs.layer}] = {row, row + width};
      }
    return true;
  };
  Engine engine(scenario, source, std::move(options));
  while (engine.has_work() && engine.step()) {
  }
  return outputs;
}

// Runs each backend alone. TORCH_SDPA leaves the soft cap out, so its outputs differ, except in the
// rows that see one key.
TEST(QuantitySources, OtherBackends) {
  const auto run = run_of(R"({"version": 1, "seed": 5,
      "source": {"synthetic": {"kind": "random", "num_layers": 2, "num_heads": 4,
                               "num_kv_heads": 2, "head_size": 32, "sharpness": 8.0}},
      "requests": [{"prompt_tokens": 40, "max_tokens": 1}, {"prompt_tokens": 25, "max_tokens": 1}],
      "attention": {"logits_soft_cap": 2.0},
      "engine": {"backend": "reference", "block_size": 16, "num_blocks": 16, "extended": true,
                 "kv_cache_dtype": "f32"}})");
  const Outputs own = outputs_of(run->scenario(), "reference");
  const Outputs other = outputs_of(run->scenario(), "torch_sdpa");
  ASSERT_EQ(own.size(), other.size());
  double compared = 0, unequal = 0, outside = 0, largest = 0;
  for (const auto& [where, baseline] : own) {
    const std::vector<float>& values = other.at(where);
    for (size_t i = 0; i < baseline.size(); ++i) {
      const auto expected = static_cast<double>(baseline[i]);
      const double difference = std::abs(static_cast<double>(values[i]) - expected);
      ++compared;
      unequal += std::bit_cast<uint32_t>(values[i]) != std::bit_cast<uint32_t>(baseline[i]);
      outside += difference > 1e-5 + 5e-6 * std::abs(expected);
      largest = std::max(largest, difference);
    }
  }
  EXPECT_EQ(compared, (40 + 25) * 2 * 4 * 32);
  EXPECT_GT(unequal, 0);
  EXPECT_LT(unequal, compared);
  EXPECT_GT(outside, 0);
  expect(*run, {{"elements_compared(backend=torch_sdpa)", compared},
                {"elements_unequal(backend=torch_sdpa)", unequal},
                {"elements_outside(backend=torch_sdpa)", outside},
                {"largest_difference(backend=torch_sdpa)", largest}});
}

// --- all of them ---

// Fails when a quantity is new: give it a test like those above or in test_quantity_rows.cpp, and
// then write it down here.
TEST(QuantitySources, EachQuantityHasOne) {
  const std::set<std::string> tested = {
      // RowsAndHeads
      "weight", "score", "dot", "dot_spread", "heaviest_unscaled", "scale", "share", "row_sum",
      "entropy", "effective_keys", "log_sum_exp", "row_max", "running_max", "running_sum",
      "rescale", "rescales", "visible_keys", "heaviest", "lightest", "heaviest_key",
      "heaviest_position", "value_share", "heads_reading", "previous_token_score",
      "induction_score", "first_token_score", "head_entropy", "mean_distance", "best_score",
      "best_head",
      // InductionKeyFollowsTheSameToken
      "induction_key",
      // LayersOfAnEncoder
      "encoder_tokens",
      // BlocksByHand, and expect_tables()
      "block_size", "num_blocks", "blocks_used", "blocks_free", "blocks_cached", "blocks_saved",
      "blocks_of", "wasted_slots", "waste", "block_of", "logical_block_of", "slot_of",
      "slots_filled", "references", "cache_bytes", "bytes_per_token", "kv_bytes",
      // HitsAndEvictions
      "hits", "hits_of", "hit_share", "evictions", "first_evicted",
      // Copies
      "copies", "first_copy",
      // Swapping
      "preemptions", "preemptions_of", "first_preempted", "swapped_out", "swapped_in",
      // StepsByHand
      "steps", "num_requests", "prompt_tokens", "new_tokens", "tokens_generated", "tokens_of_step",
      "prefill_tokens", "decode_tokens", "sequences", "waiting", "busiest_step", "pairs_of_step",
      "step_time", "modelled_time", "num_layers", "num_heads", "num_kv_heads", "head_size",
      // TimesOfRequestsAreThoseOfTheEvents
      "first_token_place", "first_token_step", "first_to_speak", "first_to_finish", "finish_place",
      "time_to_first_token", "time_per_token", "waiting_time",
      // WorkWithAndWithoutACache
      "pairs", "pairs_without_cache", "tokens_computed", "tokens_without_cache",
      // TilesPaddingAndDeviceTime
      "tiles", "padding_rows", "device_time",
      // OtherBackends
      "largest_difference", "elements_outside", "elements_compared", "elements_unequal"};
  std::set<std::string> names;
  for (const Quantity& quantity : all_quantities()) names.insert(quantity.name);
  EXPECT_EQ(names, tested);
}

}  // namespace
}  // namespace attn::lesson
