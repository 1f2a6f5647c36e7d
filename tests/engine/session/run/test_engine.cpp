// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>

#include "engine/core/error.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/run/run_memory.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/llama_folder.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using test::model_scenario;
using test::synthetic_scenario;

struct Outcome {
  std::vector<std::vector<int32_t>> tokens;
  std::vector<float> logits;
};

Outcome run(const Scenario& scenario, std::shared_ptr<Source> source = nullptr,
            Recorder* recorder = nullptr) {
  Outcome result;
  EngineOptions options;
  options.recorder = recorder;
  options.on_logits = [&](const Tensor& logits, const std::vector<uint32_t>&) {
    result.logits.insert(result.logits.end(), logits.data<float>(),
                         logits.data<float>() + logits.size());
  };
  if (!source) source = load_source(scenario);
  Engine engine(scenario, source, options);
  engine.run_to_end();
  for (const auto& request : engine.scheduler().requests())
    result.tokens.push_back(request->output_ids);
  return result;
}

const std::vector<std::string> kPrompts = {"Once upon a time, there was a little girl named Lily.",
                                           "Tom and his dog went to the beach.", "The"};

// A folder's tokenizer may have tokens that were added to it but not to the model.
TEST(Engine, ATokenThatTheModelDoesNotKnowRefusesItsRequestAlone) {
  const LlamaFolder folder;
  folder.write();
  std::ofstream(folder.path() / "tokenizer.json")
      << R"({"model":{"type":"BPE","vocab":{"<unk>":0,"a":1,"b":2,"ab":3},"merges":["a b"]},)"
      << R"("added_tokens":[{"id":4,"content":"<x>","special":true},)"
      << R"({"id":5,"content":"<pad>","special":true}]})";
  Scenario scenario = model_scenario({"abab"}, 4);
  scenario.source.model = folder.path();
  scenario.engine.backend = "reference";
  Engine engine(scenario, EngineOptions{});
  EXPECT_TRUE(engine.step());
  ScenarioRequest request;
  request.max_tokens = 1;
  request.prompt = "a<pad>";
  expect_refused(
      {ErrorCode::kBadInput, "does not have", "request 1", "\"<pad>\", token 5", "0 to 4"},
      [&] { engine.add_request(request); });
  request.prompt = "a<x>";
  engine.add_request(request);
  engine.run_to_end();
  ASSERT_EQ(engine.scheduler().requests().size(), 2u);
  EXPECT_EQ(engine.scheduler().requests()[0]->output_ids.size(), 4u);
}

TEST(Engine, GreedyTokensAndLogitsDoNotDependOnBlocksThreadsOrTrace) {
  Scenario scenario = model_scenario(kPrompts, 24);
  scenario.engine.num_blocks = 256;
  const auto source = load_source(scenario);
  const Outcome expected = run(scenario, source);
  ASSERT_EQ(expected.tokens.size(), 3u);
  for (const auto& tokens : expected.tokens) EXPECT_EQ(tokens.size(), 24u);
  for (const int64_t block_size : {1, 5, 16, 64})
    for (const int64_t threads : {1, 2}) {
      scenario.engine.block_size = block_size;
      scenario.engine.threads = threads;
      Recorder recorder(static_cast<int>(threads));
      const Outcome found = run(scenario, source, threads == 2 ? &recorder : nullptr);
      EXPECT_EQ(found.tokens, expected.tokens)
          << "block size " << block_size << ", threads " << threads;
      EXPECT_EQ(found.logits, expected.logits)
          << "block size " << block_size << ", threads " << threads;
    }
}

TEST(Engine, BackendsAgree) {
  Scenario scenario = model_scenario(kPrompts, 24);
  const auto source = load_source(scenario);
  scenario.engine.backend = "reference";
  const Outcome expected = run(scenario, source);
  scenario.engine.backend = "torch_sdpa";
  for (const char* kernel : {"math", "flash"}) {
    scenario.engine.backend_options["sdpa_kernel"] = kernel;
    const Outcome found = run(scenario, source);
    EXPECT_EQ(found.tokens, expected.tokens) << kernel;
    ASSERT_EQ(found.logits.size(), expected.logits.size());
    double worst = 0;
    for (size_t i = 0; i < found.logits.size(); ++i)
      worst = std::max<double>(worst, std::abs(found.logits[i] - expected.logits[i]));
    EXPECT_LT(worst, 1e-4) << kernel;
  }
}

TEST(Engine, BatchingAndPreemptionChangeNoToken) {
  const auto source = load_source(model_scenario(kPrompts, 40));
  std::vector<std::vector<int32_t>> alone;
  for (const std::string& prompt : kPrompts)
    alone.push_back(run(model_scenario({prompt}, 40), source).tokens[0]);
  Scenario together = model_scenario(kPrompts, 40);
  EXPECT_EQ(run(together, source).tokens, alone);
  together.engine.block_size = 4;
  together.engine.num_blocks = 24;
  Recorder recorder(2);
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(together, source, options);
  engine.run_to_end();
  int64_t preemptions = 0;
  for (const auto& request : engine.scheduler().requests()) {
    EXPECT_EQ(request->output_ids, alone[request->id]);
    preemptions += request->num_preemptions;
  }
  EXPECT_GT(preemptions, 0);
  int64_t events = 0;
  for (const TraceEvent& event : recorder.sorted())
    events += event.kind == EventKind::kRequestPreempted;
  EXPECT_EQ(events, preemptions);
}

TEST(Engine, KeepsTheAttentionOfEveryRow) {
  for (const bool traced : {false, true}) {
    Recorder recorder(2);
    EngineOptions options;
    options.recorder = traced ? &recorder : nullptr;
    Engine engine(model_scenario({kPrompts[0]}, 12), options);
    engine.run_to_end();
    const auto record = engine.attention(0);
    ASSERT_TRUE(record);
    const int64_t rows = record->num_rows();
    EXPECT_EQ(rows, engine.scheduler().requests()[0]->num_tokens() - 1);
    std::vector<float> weights(static_cast<size_t>(rows * rows));
    for (int64_t layer = 0; layer < record->shape().num_layers; ++layer)
      for (int64_t head = 0; head < record->shape().num_heads; ++head) {
        record->weights(layer, head, 0, rows, 0, rows, weights.data());
        for (int64_t q = 0; q < rows; ++q) {
          ASSERT_TRUE(record->row_done(layer, head, q));
          const auto row = weights.begin() + q * rows;
          EXPECT_NEAR(std::accumulate(row, row + rows, 0.0), 1.0, 1e-5)
              << layer << " " << head << " " << q;
        }
      }
  }
}

TEST(Engine, Bf16CacheKeepsRowsThatSumToOne) {
  Scenario scenario = model_scenario({kPrompts[0]}, 8);
  scenario.engine.kv_cache_dtype = "bf16";
  Engine engine(scenario, EngineOptions{});
  engine.run_to_end();
  const auto record = engine.attention(0);
  const int64_t rows = record->num_rows();
  std::vector<float> weights(static_cast<size_t>(rows));
  for (int64_t q = 0; q < rows; ++q) {
    record->weights(3, 2, q, 1, 0, rows, weights.data());
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-4);
  }
}

TEST(Engine, NarrowCachesKeepRowsThatSumToOne) {
  for (const char* name : {"f16", "fp8", "fp8_e5m2"}) {
    for (const char* backend : {"torch_sdpa", "reference"}) {
      Scenario scenario = model_scenario({kPrompts[0]}, 4);
      scenario.engine.kv_cache_dtype = name;
      scenario.engine.backend = backend;
      scenario.engine.extended = true;
      Engine engine(scenario, EngineOptions{});
      engine.run_to_end();
      const auto record = engine.attention(0);
      const int64_t rows = record->num_rows();
      std::vector<float> weights(static_cast<size_t>(rows));
      for (int64_t q = 0; q < rows; ++q) {
        record->weights(3, 2, q, 1, 0, rows, weights.data());
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-4)
            << name << " " << backend << " row " << q;
      }
    }
  }
}

TEST(Engine, EventsBlocksAndSnapshotTellTheSameStory) {
  Scenario scenario = model_scenario(kPrompts, 20);
  scenario.engine.block_size = 4;
  Recorder recorder(2);
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(scenario, options);
  std::vector<int> held(static_cast<size_t>(scenario.engine.num_blocks), -1);
  uint64_t read = 0;
  std::vector<TraceEvent> events;
  while (engine.has_work()) {
    ASSERT_TRUE(engine.step());
    recorder.drain();
    read = recorder.read(read, events);
    std::ranges::fill(held, -1);
    for (const TraceEvent& event : events) {
      if (event.kind == EventKind::kBlockAllocated) held[event.a] = static_cast<int>(event.b);
      if (event.kind == EventKind::kBlockFreed) held[event.a] = -1;
    }
    const EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
    int64_t filled = 0, computed = 0, free = 0;
    for (size_t block = 0; block < held.size(); ++block) {
      EXPECT_EQ(shot.blocks[block].owner, held[block]);
      EXPECT_EQ(shot.blocks[block].ref_count, held[block] >= 0 ? 1 : 0);
      filled += shot.blocks[block].filled;
      free += held[block] < 0;
    }
    for (const RequestView& request : shot.requests) {
      if (!is_finished(request.state)) computed += request.num_computed;
      for (size_t j = 0; j < request.own_table.blocks.size(); ++j) {
        const BlockView& block = shot.blocks[static_cast<size_t>(request.own_table.blocks[j])];
        EXPECT_EQ(block.owner, static_cast<int>(request.id));
        EXPECT_EQ(block.logical, static_cast<int>(j));
        EXPECT_EQ(block.last_read_step, shot.step);
      }
    }
    EXPECT_EQ(filled, computed);
    EXPECT_EQ(free, shot.free_blocks);
  }
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(shot.steps->size(), shot.step);
  EXPECT_EQ(shot.generated_tokens, 60);
  EXPECT_EQ(shot.free_blocks, scenario.engine.num_blocks);
  EXPECT_GT(shot.tokens_per_s, 0);
  std::map<EventKind, int64_t> kinds;
  for (const TraceEvent& event : events) ++kinds[event.kind];
  EXPECT_EQ(kinds[EventKind::kRequestQueued], 3);
  EXPECT_EQ(kinds[EventKind::kRequestScheduled], 3);
  EXPECT_EQ(kinds[EventKind::kRequestFinished], 3);
  EXPECT_EQ(kinds[EventKind::kTokenSampled], 60);
  EXPECT_EQ(kinds[EventKind::kStep], shot.step);
  EXPECT_EQ(kinds[EventKind::kSchedule], shot.step);
  EXPECT_GT(kinds[EventKind::kTile], 0);
  EXPECT_EQ(kinds[EventKind::kBlockAllocated], kinds[EventKind::kBlockFreed]);
  const TraceCounts counts = recorder.counts();
  EXPECT_EQ(counts.dropped, 0u);
  EXPECT_EQ(counts.pushed, counts.recorded);
}

TEST(Engine, SyntheticSourcesRun) {
  for (const SyntheticKind kind : {SyntheticKind::kRandom, SyntheticKind::kLocal,
                                   SyntheticKind::kInduction, SyntheticKind::kNeedle}) {
    Scenario scenario = synthetic_scenario({70, 33}, 10);
    scenario.source.synthetic->kind = kind;
    Engine engine(scenario, EngineOptions{});
    engine.run_to_end();
    for (const auto& request : engine.scheduler().requests()) {
      EXPECT_EQ(request->output_ids.size(), 10u) << name_of(kind);
      EXPECT_TRUE(engine.attention(request->id)->row_done(1, 3, request->num_tokens() - 2));
    }
  }
}

TEST(Engine, AddAndAbortWhileRunning) {
  Engine engine(synthetic_scenario({40}, 100), EngineOptions{});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(engine.step());
  ScenarioRequest more;
  more.prompt_tokens = 17;
  more.max_tokens = 3;
  const uint32_t added = engine.add_request(more);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(engine.step());
  engine.abort(0);
  engine.run_to_end();
  const auto& requests = engine.scheduler().requests();
  EXPECT_EQ(requests[0]->state, RequestState::kFinishedAborted);
  EXPECT_EQ(requests[added]->state, RequestState::kFinishedLengthCapped);
  EXPECT_EQ(requests[added]->output_ids.size(), 3u);
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(shot.free_blocks, static_cast<int64_t>(shot.blocks.size()));
  EXPECT_TRUE(engine.attention(0)->row_done(0, 0, 40));  // its rows can still be read
}

TEST(Engine, TooLongPromptIsIgnoredWithAReason) {
  Scenario scenario = synthetic_scenario({500, 20}, 2);
  scenario.engine.num_blocks = 4;
  Engine engine(scenario, EngineOptions{});
  engine.run_to_end();
  EXPECT_EQ(engine.scheduler().requests()[0]->state, RequestState::kFinishedIgnored);
  EXPECT_FALSE(engine.scheduler().requests()[0]->ignored_reason.empty());
  EXPECT_EQ(engine.scheduler().requests()[1]->output_ids.size(), 2u);
}

TEST(Engine, RefusesWhatCannotRun) {
  Scenario scenario = synthetic_scenario({10}, 2);
  scenario.source.synthetic->head_size = 48;
  try {
    Engine engine(scenario, EngineOptions{});
    FAIL() << "head size 48 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("48"));
  }
  ScenarioRequest bad;
  bad.prompt_tokens = 4;
  bad.max_tokens = 0;
  Engine engine(synthetic_scenario({10}, 2), EngineOptions{});
  EXPECT_THROW(engine.add_request(bad), Error);
  bad.max_tokens = 1;
  bad.prompt_tokens = 0;
  EXPECT_THROW(engine.add_request(bad), Error);
}

std::string refusal(const Scenario& scenario, ErrorCode code) {
  try {
    Engine engine(scenario, EngineOptions{});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "accepted";
}

TEST(Engine, RefusesAViewTheModelDoesNotHave) {
  Scenario scenario = test::model_scenario({"Hi"}, 1);
  scenario.view.layer = 6;
  EXPECT_THAT(refusal(scenario, ErrorCode::kBadInput), testing::HasSubstr("$.view.layer"));
  scenario.view.layer = 5;
  scenario.view.head = 6;
  EXPECT_THAT(refusal(scenario, ErrorCode::kBadInput), testing::HasSubstr("$.view.head"));
  scenario.view.head = 5;
  EXPECT_EQ(refusal(scenario, ErrorCode::kBadInput), "accepted");
}

TEST(Engine, RefusesRequestsThatDoNotFitInMemory) {
  Scenario scenario = synthetic_scenario(std::vector<int64_t>(4096, 1000), 1000000);
  scenario.source.synthetic->num_heads = 255;
  scenario.source.synthetic->num_kv_heads = 1;
  scenario.source.synthetic->max_model_len = 1048576;
  scenario.engine.num_blocks = 32768;
  const std::string message = refusal(scenario, ErrorCode::kBadInput);
  EXPECT_THAT(message, testing::HasSubstr("does not fit in memory"));
  EXPECT_THAT(message,
              testing::HasSubstr("2147483648 rows x 2 layers x (255 heads + 2 x 1 KV heads)"));
  EXPECT_THAT(message, testing::HasSubstr("70% of the"));
}

TEST(Engine, MemoryIsEstimatedFromTheRequests) {
  // The prompt of 3000 tokens is longer than a sequence may be.
  const Scenario scenario = synthetic_scenario({100, 3000, 50}, 20);
  SourceShape shape;
  shape.num_layers = 2;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_size = 32;
  shape.vocab_size = 10;
  shape.max_model_len = 110;
  KvStorageSpec cache;
  cache.num_layers = 2;
  cache.num_blocks = 64;
  cache.block_size = 16;
  cache.num_kv_heads = 2;
  cache.head_size = 32;
  const std::vector<int64_t> prompts = {100, 3000, 50};
  const RunMemory need = run_memory(scenario, shape, cache, prompts, {.attention = true});
  EXPECT_EQ(need.cache_bytes, 2 * 64 * 16 * 2 * 32 * 2 * 4);
  EXPECT_EQ(need.record_bytes, (110 + 70) * 2 * (8 * 32 + 4) * 4);
  EXPECT_EQ(need.step_bytes, 150 * 2 * 6 * 32 * 4 + 3 * 10 * 4);
  EXPECT_EQ(run_memory(scenario, shape, cache, prompts, {}).record_bytes, 0);
  const auto bytes = static_cast<int64_t>(need.total());
  EXPECT_NO_THROW(check_run_memory(need, bytes * 10 / 7 + 10));
  EXPECT_THROW(check_run_memory(need, bytes * 10 / 7 - 10), Error);
  // The estimate with a window: in torch_sdpa a mask [1, 110, 110] for each of two prompts, in
  // `math` also the scores of 4 heads of one prompt.
  EXPECT_EQ(need.mask_bytes, 0);
  Scenario masked = scenario;
  masked.attention.sliding_window = 7;
  const auto masks = [&] { return run_memory(masked, shape, cache, prompts, {}).mask_bytes; };
  EXPECT_EQ(masks(), 2 * 110 * 110 * 4);
  masked.engine.backend_options["sdpa_kernel"] = "math";
  EXPECT_EQ(masks(), (2 + 4) * 110 * 110 * 4);
  masked.engine.backend = "unified";
  EXPECT_EQ(masks(), 0);
}

TEST(Engine, WorkersAreAtMostWhatATraceCanNumber) {
  Scenario scenario = synthetic_scenario({4}, 1);
  scenario.engine.threads = 1000;
  EXPECT_EQ(num_workers(scenario), 254);
  const AttentionConfig config = layer_configs(scenario, load_source(scenario)->shape()).of(0);
  EXPECT_EQ(config.num_heads, 4);
  EXPECT_EQ(config.num_kv_heads, 2);
}

TEST(Engine, CancelledStepIsUndoneAndCanBeDoneAgain) {
  const Scenario scenario = synthetic_scenario({120}, 4);
  Engine plain(scenario, EngineOptions{});
  plain.run_to_end();
  RunGate gate;
  Recorder recorder(2);
  EngineOptions options;
  options.gate = &gate;
  options.recorder = &recorder;
  Engine engine(scenario, options);
  ASSERT_TRUE(engine.step());
  gate.pause();
  std::thread canceller([&] {
    test::wait_until(std::chrono::seconds(5), [&] { return gate.held() > 0; });
    gate.step(Granularity::kTile);
    test::wait_until(std::chrono::seconds(5),
                     [&] { return gate.state() == RunGate::State::kPaused && gate.held() > 0; });
    gate.cancel();
  });
  EXPECT_FALSE(engine.step());
  canceller.join();
  EXPECT_EQ(engine.steps().size(), 1u);
  EXPECT_EQ(engine.snapshot(EnginePhase::kCancelled).step, 1u);
  EXPECT_FALSE(engine.attention(0)->row_done(0, 0, 120));
  gate.reset();
  engine.run_to_end();
  EXPECT_EQ(engine.scheduler().requests()[0]->output_ids,
            plain.scheduler().requests()[0]->output_ids);
}

}  // namespace
}  // namespace attn
