// SPDX-License-Identifier: GPL-3.0-or-later
// Ten prompts with up to 200 new tokens each give the same greedy tokens with the combinations of
// backend, block size, chunking, preemption and prefix cache that the backend supports.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

constexpr int64_t kTokens = 200;
constexpr int64_t kContext = 256;  // about the longest sequence

std::vector<std::string> prompts() {
  const std::string story =
      "Once upon a time there was a little girl named Lily. She loved to play in the park with her "
      "dog Max. One day they found a big red ball under the old tree. ";
  return {"Once upon a time",
          "Tom had a toy car. He",
          "One day Mia saw a big tree. It",
          "The sun was hot and the",
          "Ben and his mom made a cake. Then",
          story + "Lily said",
          story + "Max ran",
          story + "The ball",
          story + "A boy came",
          story + "They went home"};
}

struct Outcome {
  std::vector<std::vector<int32_t>> tokens;
  int64_t preemptions = 0, swapped = 0, hits = 0;
};

Outcome run(const Scenario& scenario, const std::shared_ptr<Source>& source) {
  EngineOptions options;
  options.keep_attention = false;
  Engine engine(scenario, source, options);
  engine.run_to_end();
  engine.scheduler().check_invariants();
  Outcome result;
  for (const auto& request : engine.scheduler().requests())
    result.tokens.push_back(request->output_ids);
  for (const StepRecord& step : engine.steps()) {
    result.preemptions += step.preemptions;
    result.swapped += step.swapped_out_blocks;
    result.hits += step.hit_tokens;
  }
  return result;
}

Scenario plain() {
  Scenario scenario = test::model_scenario(prompts(), kTokens);
  scenario.engine.num_blocks = 1024;
  return scenario;
}

struct Model {
  std::shared_ptr<Source> source = load_source(plain());
  std::vector<std::vector<int32_t>> expected = run(plain(), source).tokens;
};

const Model& model() {
  static const Model model;
  return model;
}

enum class Room { kPlenty, kRecompute, kSwap };

// chunk: the most tokens of a step; 0: prompts are not cut.
Scenario policies(const char* backend, int64_t block_size, int64_t chunk, Room room, bool caching) {
  Scenario scenario = plain();
  ScenarioEngine& engine = scenario.engine;
  engine.backend = backend;
  engine.pad_head_size = true;
  engine.block_size = block_size;
  engine.enable_prefix_caching = caching;
  engine.max_num_seqs = chunk > 0 ? std::min<int64_t>(chunk, 10) : 10;
  if (chunk > 0) {
    engine.policy = SchedulingPolicy::kChunkedPrefill;
    engine.extended = true;
    engine.max_num_batched_tokens = chunk;
  }
  // Unless there is plenty of room, some running requests must be preempted.
  const int64_t sequences =
      room == Room::kPlenty ? 12 : std::max<int64_t>(engine.max_num_seqs / 3, 1);
  engine.num_blocks = (sequences * kContext + kContext / 2) / block_size + 1;
  if (room == Room::kSwap) {
    engine.preemption = PreemptionMode::kSwap;
    engine.num_swap_blocks = 12 * kContext / block_size;
  }
  return scenario;
}

class PoliciesOf : public testing::TestWithParam<std::tuple<const char*, int64_t>> {};

TEST_P(PoliciesOf, WriteTheSame) {
  const auto& [backend, block_size] = GetParam();
  const bool pallas = std::string_view(backend) == "pallas";
  int64_t runs = 0;
  Outcome sum;
  for (const int64_t chunk : {0, 2, 3, 256}) {
    if (pallas && chunk > 0) continue;
    for (const Room room : {Room::kPlenty, Room::kRecompute, Room::kSwap}) {
      if (pallas && room == Room::kSwap) continue;  // it does not swap blocks
      for (const bool caching : {false, true}) {
        SCOPED_TRACE(testing::Message() << "chunk " << chunk << ", room " << static_cast<int>(room)
                                        << ", caching " << caching);
        const Outcome found =
            run(policies(backend, block_size, chunk, room, caching), model().source);
        ASSERT_EQ(found.tokens, model().expected);
        EXPECT_EQ(found.preemptions > 0, room != Room::kPlenty);
        EXPECT_EQ(found.swapped > 0, room == Room::kSwap);
        EXPECT_TRUE(caching || found.hits == 0);
        ++runs;
        sum.preemptions += found.preemptions;
        sum.swapped += found.swapped;
        sum.hits += found.hits;
      }
    }
  }
  EXPECT_GT(sum.hits, 0);
  size_t tokens = 0;
  for (const auto& output : model().expected) tokens += output.size();
  std::printf(
      "%s, block size %ld: %ld runs of %zu tokens, %ld preemptions, %ld blocks swapped, "
      "%ld tokens found\n",
      backend, static_cast<long>(block_size), static_cast<long>(runs), tokens,
      static_cast<long>(sum.preemptions), static_cast<long>(sum.swapped),
      static_cast<long>(sum.hits));
}

INSTANTIATE_TEST_SUITE_P(All, PoliciesOf,
                         testing::Combine(testing::Values("torch_sdpa", "xformers", "unified",
                                                          "pallas", "reference"),
                                          testing::Values<int64_t>(1, 5, 16, 64)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace attn
