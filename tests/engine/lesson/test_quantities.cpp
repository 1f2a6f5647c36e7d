// SPDX-License-Identifier: GPL-3.0-or-later
// Compares quantities with numbers that are known in another way: from the records and tables of
// the run, or by hand. Also that each quantity has a value or says why not, and which clicks are at
// a place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/lesson/format/words.h"
#include "engine/session/record/attention_row.h"
#include "tests/engine/lesson/quantity_support.h"

namespace attn::lesson {
namespace {

using testing::HasSubstr;

// Two requests of one synthetic source. With blocks of 4 tokens, 10 tokens take 3 blocks with 2
// empty slots.
std::shared_ptr<const FrozenRun> needle_run() {
  static const auto run = run_of(R"({"version": 1,
          "source": {"synthetic": {"kind": "needle", "num_layers": 2, "num_heads": 2,
                                   "num_kv_heads": 1, "head_size": 32, "needle_position": 3}},
          "requests": [{"name": "A", "prompt_tokens": 10, "max_tokens": 3},
                       {"name": "B", "prompt_tokens": 6, "max_tokens": 5}],
          "engine": {"block_size": 4, "num_blocks": 16}})");
  return run;
}

TEST(Quantities, ArithmeticAndConditions) {
  const FrozenRun& run = *needle_run();
  EXPECT_EQ(value("2 + 3 * 4 - 6 / 2", run), 11);
  EXPECT_EQ(value("(2 + 3) * 4", run), 20);
  EXPECT_EQ(value("-2 + 3", run), 1);
  Mistakes mistakes;
  const auto holds = [&](const char* text) {
    return value_of(parse_condition(text, nullptr, 1, mistakes), run).holds;
  };
  EXPECT_TRUE(holds("0.1 + 0.2 = 0.3"));
  EXPECT_FALSE(holds("0.1 + 0.2 != 0.3"));
  EXPECT_FALSE(holds("1 < 1"));
  EXPECT_TRUE(holds("1 <= 1"));
  EXPECT_TRUE(holds("2 = 2..3"));
  EXPECT_FALSE(holds("3.5 = 2..3"));
  EXPECT_THAT(refusal("1 / (steps - steps)", run), HasSubstr("divides by zero"));
}

TEST(Quantities, CellsAndRows) {
  const FrozenRun& run = *needle_run();
  const AttentionRecord& record = *run.end().requests[0].attention;
  const WeightOperands cell = record.operands(1, 0, 9, 3);
  EXPECT_EQ(value("weight(layer=1, head=0, query=9, key=3)", run), cell.weight);
  EXPECT_EQ(value("score(layer=1, head=0, query=9, key=3)", run), cell.score);
  EXPECT_EQ(value("dot(layer=1, head=0, query=9, key=3)", run), cell.dot);
  EXPECT_FLOAT_EQ(static_cast<float>(value("scale", run)), cell.scale);
  const Place at = place("weight(layer=1, head=0, query=9, key=3)", run);
  EXPECT_EQ(to_string(at), "layer 1, head 0, query 9, key 3");
  const auto row = attention_row(record, 0, 0, 9);
  ASSERT_TRUE(row);
  EXPECT_EQ(value("row_sum(query=9)", run), row->weight_sum);
  EXPECT_EQ(value("row_max(query=9)", run), row->max);
  EXPECT_NEAR(value("log_sum_exp(query=9)", run), row->max + std::log(row->exp_sum), 1e-4);
  EXPECT_EQ(value("running_max(query=9, keys=10)", run), row->max);
  EXPECT_NEAR(value("running_sum(query=9, keys=10)", run), row->exp_sum, 1e-5);
  EXPECT_NEAR(value("share(query=9, key=0, to=last)", run), 1, 1e-5);
  EXPECT_EQ(value("visible_keys(query=9)", run), 10);
  EXPECT_EQ(place("heaviest_key(query=9)", run).key, 3);
  EXPECT_EQ(value("heaviest_position(query=9)", run), 3);
  EXPECT_EQ(value("weight(query=9, key=3)", run), value("heaviest(query=9)", run));
  EXPECT_EQ(value("heads_reading(query=9, key=3)", run), 4);
  EXPECT_NEAR(value("effective_keys(query=9)", run), std::exp(value("entropy(query=9)", run)),
              1e-9);
  EXPECT_EQ(value("rescales(query=9, tile=2)", run), 1);
  EXPECT_LT(value("rescale(query=9, keys=4, tile=2)", run), 1);
  EXPECT_EQ(value("rescale(query=9, keys=10, tile=2)", run), 1);
}

TEST(Quantities, TokensAreFoundByTheirTexts) {
  const FrozenRun& run = *needle_run();
  const std::string text = (*run.end().requests[0].tokens)[3].text.str();
  EXPECT_EQ(value("weight(query=9, key=\"" + text + "\")", run),
            value("weight(query=9, key=3)", run));
  EXPECT_EQ(value("prompt_tokens(request=\"B\")", run), 6);
  EXPECT_THAT(refusal("weight(key=\"nowhere\")", run), HasSubstr("no such token"));
  EXPECT_THAT(refusal("prompt_tokens(request=\"C\")", run), HasSubstr("allowed A, B"));
}

TEST(Quantities, BlocksAndSlots) {
  const FrozenRun& run = *needle_run();
  // Step 1: 10 tokens in 3 blocks, 6 tokens in 2.
  EXPECT_EQ(value("blocks_used(step=1)", run), 5);
  EXPECT_EQ(value("wasted_slots(step=1)", run), 2 + 2);
  EXPECT_EQ(value("waste(step=1)", run), 4.0 / 20);
  EXPECT_EQ(value("blocks_of(request=0, step=1)", run), 3);
  EXPECT_EQ(value("logical_block_of(token=9)", run), 2);
  const double block = value("block_of(token=9, step=1)", run);
  EXPECT_EQ(value("slot_of(token=9, step=1)", run), block * 4 + 1);
  EXPECT_EQ(value("slots_filled(token=9, step=1)", run), 2);
  EXPECT_EQ(value("references(token=9, step=1)", run), 1);
  EXPECT_EQ(place("block_of(token=9, step=1)", run).block, static_cast<int64_t>(block));
  // Step 3: A has 12 keys and ends, B has 8; later B alone has 3 blocks.
  EXPECT_EQ(value("blocks_used(step=peak)", run), 5);
  // f32 keys and values, 2 layers, 1 KV head of 32.
  EXPECT_EQ(value("bytes_per_token", run), 2 * 2 * 32 * 4);
  EXPECT_EQ(value("cache_bytes", run), value("bytes_per_token * block_size * num_blocks", run));
  EXPECT_EQ(value("copies + evictions + hits + preemptions", run), 0);
  EXPECT_THAT(refusal("first_evicted", run), HasSubstr("never happens"));
}

TEST(Quantities, StepsAndWork) {
  const FrozenRun& run = *needle_run();
  EXPECT_EQ(value("steps", run), 5);
  EXPECT_EQ(value("tokens_of_step(step=1)", run), 16);
  EXPECT_EQ(value("tokens_of_step(step=2)", run), 2);
  EXPECT_EQ(value("tokens_generated", run), 8);
  EXPECT_EQ(value("pairs_of_step(step=1)", run), 55 + 21);
  EXPECT_EQ(value("pairs_of_step(step=2)", run), 11 + 7);
  EXPECT_EQ(place("busiest_step", run).step, 1);
  double pairs = 0;
  for (const char* step : {"1", "2", "3", "4", "5"})
    pairs += value(fmt::format("pairs_of_step(step={})", step), run);
  EXPECT_EQ(value("pairs", run), pairs);
  EXPECT_GT(value("pairs_without_cache", run), pairs);
  SourceCache sources;
  const auto sparse =
      FrozenRun::make(frozen(load_scenario(find_scenario("block-sparse"))), sources);
  pairs = 0;
  for (double step = 1; step <= value("steps", *sparse); ++step)
    pairs += value(fmt::format("pairs_of_step(step={})", step), *sparse);
  EXPECT_EQ(value("pairs", *sparse), pairs);
  const auto row = "head=1, query=last_prompt";
  double seen = 0;
  for (double key = 0; key <= value("prompt_tokens", *sparse) - 1; ++key)
    seen += value(fmt::format("weight({}, key={})", row, key), *sparse) > 0;
  EXPECT_EQ(value(fmt::format("visible_keys({})", row), *sparse), seen);
  EXPECT_EQ(value("tokens_computed", run), 16 + 2 + 2 + 1 + 1);
  EXPECT_EQ(value("first_token_place(request=1)", run), 1);  // both requests in step 1
  EXPECT_EQ(place("first_to_finish", run).request, 0);
  EXPECT_EQ(value("first_token_step(request=1)", run), 1);
  EXPECT_GT(value("modelled_time", run), value("step_time(step=1)", run));
  EXPECT_EQ(value("elements_outside(backend=reference)", run), 0);
  EXPECT_LT(value("largest_difference(backend=reference)", run), 1e-3);
  EXPECT_THAT(refusal("largest_difference(backend=torch_sdpa)", run), HasSubstr("with itself"));
  EXPECT_THAT(refusal("step_time(step=99)", run), HasSubstr("allowed 1 to 5"));
  EXPECT_THAT(refusal("weight(layer=7, key=0)", run), HasSubstr("allowed 0 to 1"));
}

TEST(Quantities, EachOneComputesOrSaysWhyNot) {
  const FrozenRun& run = *needle_run();
  std::set<std::string> names;
  for (const Quantity& quantity : all_quantities()) {
    EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
    EXPECT_STRNE(quantity.meaning, "");
    std::string call = quantity.name;
    std::string arguments;
    for (const std::string& argument : split_words(quantity.arguments)) {
      EXPECT_FALSE(values_of_argument(argument).empty()) << argument;
      const char* given = argument == "key"       ? "key=0"
                          : argument == "backend" ? "backend=unified"
                                                  : "";
      if (*given) arguments += (arguments.empty() ? "" : ", ") + std::string(given);
    }
    if (!arguments.empty()) call += "(" + arguments + ")";
    const std::string told = refusal(call, run);
    EXPECT_TRUE(told == "accepted" || told.find("found") != std::string::npos)
        << call << ": " << told;
    if (*quantity.place && told == "accepted") {
      EXPECT_EQ(name_of(place(call, run).kind), quantity.place) << call;
    }
  }
  EXPECT_GE(names.size(), 80u);
}

TEST(Quantities, SharingCopiesAndHits) {
  const auto samples = run_of(R"({"version": 1,
        "source": {"model": "tinystories-gqa"},
        "requests": [{"prompt": "Once upon a time there was a girl", "max_tokens": 4,
                      "temperature": 1, "n": 3, "seed": 5}],
        "engine": {"block_size": 4, "num_blocks": 16}})");
  const double prompt = value("prompt_tokens", *samples);
  ASSERT_NE(std::fmod(prompt, 4), 0);
  EXPECT_EQ(value("copies", *samples), 2);
  EXPECT_EQ(value("num_requests", *samples), 3);
  EXPECT_EQ(value("references(token=0, step=1)", *samples), 3);
  EXPECT_EQ(place("first_copy", *samples).kind, PlaceKind::kBlock);
}

TEST(Places, WhatAClickMeans) {
  Place cell;
  cell.kind = PlaceKind::kCell;
  cell.request = 0;
  cell.layer = 1;
  cell.head = 2;
  cell.query = 5;
  cell.key = 3;
  Place row = cell;
  row.kind = PlaceKind::kRow;
  row.key = -1;
  Place other = cell;
  other.key = 4;
  EXPECT_TRUE(is_at(cell, cell));
  EXPECT_FALSE(is_at(other, cell));
  EXPECT_TRUE(is_at(other, row));
  EXPECT_FALSE(is_at(row, cell));
  Place block;
  block.kind = PlaceKind::kBlock;
  block.block = 3;
  block.step = 1;
  Place later = block;
  later.step = 9;
  EXPECT_TRUE(is_at(later, block));
  EXPECT_FALSE(is_at(cell, block));
}

}  // namespace
}  // namespace attn::lesson
