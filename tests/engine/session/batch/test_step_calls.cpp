// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel calls that the program plans for a step: those that the trace shows, and the reasons
// that are given for them. Also that at the address that is shown of a key or value the cache has
// its number.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "engine/kernels/paged_backend.h"
#include "engine/session/batch/step_facts.h"
#include "engine/session/history/step_history.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/shipped_scenario.h"

namespace attn {
namespace {

const PagedBackend& paged(const char* name) {
  register_all_backends();
  return dynamic_cast<const PagedBackend&>(backend_named(name));
}

AttentionConfig some_config(int64_t kv_heads) {
  AttentionConfig config;
  config.num_heads = 4;
  config.num_kv_heads = kv_heads;
  config.head_size = 128;
  config.scale = 1;
  return config;
}

AttentionMetadata decodes_of(const std::vector<int64_t>& seq_lens, int64_t blocks) {
  const std::vector<int32_t> table(static_cast<size_t>(blocks), 0);
  std::vector<SequenceSlice> slices;
  for (const int64_t length : seq_lens) {
    SequenceSlice slice;
    slice.context_len = length - 1;
    slice.query_len = 1;
    slice.block_table = table;
    slices.push_back(slice);
  }
  return build_metadata(slices, 16);
}

std::string all_reasons(const PlannedCall& call) {
  std::string all;
  for (const Sentence& reason : call.reasons) all += english(reason) + "\n";
  return all;
}

TEST(PlannedCalls, TheRuleOfPagedAttention) {
  const PagedBackend& backend = paged("torch_sdpa");
  const PlanInputs inputs{16, 0, 2};
  const auto one = backend.planned_calls(some_config(2), decodes_of({500, 20}, 40), inputs);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].kernel, KernelId::kPagedDecodeV1);
  const auto two = backend.planned_calls(some_config(2), decodes_of({600, 20}, 40), inputs);
  ASSERT_EQ(two.size(), 1u);
  EXPECT_EQ(two[0].kernel, KernelId::kPagedDecodeV2);
  const std::string reasons = all_reasons(two[0]);
  for (const char* part :
       {"600 tokens in 2 partitions", "2 x 4 = 8: v2", "12 tasks", "4 pairs of (sequence, head)"})
    EXPECT_NE(reasons.find(part), std::string::npos) << part << "\n" << reasons;
  // If a captured plan pads the 127 decodes to 136 rows, the rule counts those.
  const AttentionMetadata many = decodes_of(std::vector<int64_t>(127, 600), 40);
  EXPECT_EQ(backend.planned_calls(some_config(2), many, {16, 0, 2})[0].kernel,
            KernelId::kPagedDecodeV2);
  const auto padded = backend.planned_calls(some_config(2), many, {16, 136, 2});
  EXPECT_EQ(padded[0].kernel, KernelId::kPagedDecodeV1);
  EXPECT_EQ(padded[0].padding, 9);
}

TEST(PlannedCalls, PallasSplitsByScalarMemory) {
  const PagedBackend& backend = paged("pallas");
  // 524288 / (4 * 20000) = 6.55, so a call takes 6 sequences.
  const AttentionMetadata batch = decodes_of(std::vector<int64_t>(7, 100), 20000);
  const auto calls = backend.planned_calls(some_config(2), batch, {16, 0, 2});
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].sequences, 6);
  EXPECT_EQ(calls[1].first_sequence, 6);
  EXPECT_EQ(calls[1].sequences, 1);
  EXPECT_NE(all_reasons(calls[0]).find("= 560000 of 524288 bytes"), std::string::npos)
      << all_reasons(calls[0]);
  EXPECT_NE(all_reasons(calls[0]).find("kv_head"), std::string::npos);
  const auto odd = backend.planned_calls(some_config(1), batch, {16, 0, 2});
  EXPECT_NE(all_reasons(odd[0]).find("mode batch"), std::string::npos);
  EXPECT_NE(all_reasons(odd[1]).find("mode none"), std::string::npos);
}

TEST(PlannedCalls, UnifiedSaysWhoseKeysAreReadOnce) {
  for (const auto& [kv_heads, part] : {std::pair{int64_t{2}, "once for up to 2 query heads;"},
                                       {4, "once for up to 1 query head;"}}) {
    const auto calls = paged("unified").planned_calls(some_config(kv_heads),
                                                      decodes_of({500, 20}, 40), {16, 0, 2});
    const std::string reasons = all_reasons(calls.at(0));
    EXPECT_NE(reasons.find(part), std::string::npos) << part << "\n" << reasons;
  }
  // A task takes at most 16 heads, and a single one where heads see different blocks.
  AttentionConfig config = some_config(2);
  config.num_heads = 40;
  const auto reasons = [&config] {
    return all_reasons(
        paged("unified").planned_calls(config, decodes_of({500, 20}, 40), {16, 0, 2}).at(0));
  };
  EXPECT_NE(reasons().find("once for up to 16 query heads;"), std::string::npos) << reasons();
  config.blocksparse = BlockSparse{.head_sliding_step = 1};
  EXPECT_NE(reasons().find("once for up to 1 query head;"), std::string::npos) << reasons();
}

TEST(PlannedCalls, PallasSaysWhoCopiesPages) {
  const PagedBackend& backend = paged("pallas");
  const auto said = [&](int64_t kv_heads, int64_t tokens, int workers, TaskOrder order) {
    return all_reasons(
        backend
            .planned_calls(some_config(kv_heads), decodes_of({tokens}, 80), {16, 0, workers, order})
            .at(0));
  };
  for (const auto& [reasons, part] :
       {std::pair{said(2, 1200, 1, TaskOrder::kStatic), "1 worker: it copies the pages"},
        {said(2, 1200, 2, TaskOrder::kStatic),
         "2 workers for 2 cores: the worker of a core copies"},
        {said(2, 1200, 4, TaskOrder::kStatic), "4 workers for 2 cores: while the worker of a core"},
        {said(2, 1200, 4, TaskOrder::kDynamic),
         "4 workers for 2 cores: while the worker of a core"},
        {said(1, 60, 2, TaskOrder::kStatic), "2 workers for 1 core: while the worker of a core"},
        {said(1, 60, 2, TaskOrder::kDynamic), "estimated at 4 us, less than the 50 us"}})
    EXPECT_NE(reasons.find(part), std::string::npos) << part << "\n" << reasons;
}

TEST(PlannedCalls, AreThoseOfTheTrace) {
  register_all_backends();
  for (const char* name :
       {"long-prompt", "many-users", "pallas-padded", "grouped-query", "xformers-packed",
        "encoder-decoder", "encoder-layers", "xformers-alibi", "xformers-cached-prompt", "alibi"}) {
    SCOPED_TRACE(name);
    const Scenario scenario = test::shipped_virtual(name);
    Recorder recorder(num_workers(scenario));
    EngineOptions options;
    options.recorder = &recorder;
    options.keep_attention = false;
    options.history_bytes = size_t{1} << 26;
    Engine engine(scenario, options);
    for (int step = 0; step < 40 && engine.has_work() && engine.step(); ++step) continue;
    recorder.drain();
    std::map<uint32_t, std::multiset<uint32_t>> ran;  // step -> kernels
    for (const TraceEvent& event : recorder.sorted())
      if (event.kind == EventKind::kKernel) ran[event.b].insert(event.a);
    const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
    size_t decodes = 0;
    for (uint32_t step = 1; step <= now.step; ++step) {
      const auto past = now.history->restore(now, step);
      ASSERT_TRUE(past);
      const auto facts = step_facts(*past);
      if (!facts) continue;
      std::map<uint32_t, size_t> planned;
      for (const StepFacts::Layers& layers : facts->layers)
        for (const PlannedCall& call : layers.calls)
          planned[static_cast<uint32_t>(call.kernel)] += layers.layers.size();
      for (const auto& [kernel, count] : planned) EXPECT_EQ(ran[step].count(kernel), count) << step;
      for (const uint32_t kernel : ran[step]) {
        const auto id = static_cast<KernelId>(kernel);
        const bool of_another = id == KernelId::kPagedReduce || id == KernelId::kPackKv;
        EXPECT_TRUE(!kernel_facts(id).attention || of_another || planned.contains(kernel))
            << step << ' ' << name_of(id);
      }
      decodes += facts->metadata->num_decode_tokens > 0;
    }
    EXPECT_GT(decodes, 0u);
  }
}

TEST(PlannedCalls, TheEncodersLayersHaveABatchOfTheirOwn) {
  register_all_backends();
  EngineOptions options;
  options.history_bytes = size_t{1} << 26;
  Engine engine(test::shipped_virtual("encoder-layers"), options);
  engine.run_to_end();
  const EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  const auto prompts = step_facts(*now.history->restore(now, 1));
  ASSERT_TRUE(prompts && prompts->encoder);
  EXPECT_EQ(prompts->metadata->num_tokens(), 20 + 9);
  EXPECT_EQ(prompts->encoder->num_tokens(), 28 + 17);
  EXPECT_EQ(prompts->encoder->num_encoder_tokens, 28 + 17);
  const StepFacts::Layers& layers = prompts->layers[0];
  EXPECT_EQ(layers.config.attn_type, AttentionType::kEncoder);
  EXPECT_EQ(layers.layers, (std::vector<int64_t>{0, 1}));
  ASSERT_EQ(layers.picked.size(), 1u);
  EXPECT_EQ(layers.picked[0].query_lens, "encoder_seq_lens");
  EXPECT_EQ(layers.picked[0].key_lens, "encoder_seq_lens");
  EXPECT_TRUE(layers.picked[0].table.empty());
  ASSERT_EQ(layers.masks.size(), 1u);  // one packed mask of xformers
  EXPECT_EQ(layers.masks[0].rule->num_queries(), 28 + 17);
  EXPECT_TRUE(layers.masks[0].rule->visible(0).end == 28);
  const auto later = step_facts(*now.history->restore(now, 2));
  ASSERT_TRUE(later);
  EXPECT_FALSE(later->encoder);
  EXPECT_TRUE(later->layers[0].picked.empty());
}

float number_at(const Tensor& layer, const CacheMap& map, CacheHalf half,
                const CacheElement& element) {
  const std::byte* at = static_cast<const std::byte*>(layer.raw()) + map.byte_of(half, element);
  if (map.dtype == DType::kBF16) {
    BFloat16 number{};
    std::memcpy(&number, at, sizeof number);
    return to_f32(number);
  }
  float number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

TEST(CacheMap, EveryAddressHasItsNumber) {
  register_all_backends();
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "pallas", "unified"})
    for (const char* dtype : {"f32", "bf16"}) {
      SCOPED_TRACE(std::string(backend) + " " + dtype);
      Scenario scenario = test::synthetic_scenario({37, 5}, 2);
      scenario.source.synthetic->head_size = 128;
      scenario.engine.backend = backend;
      scenario.engine.block_size = 8;
      scenario.engine.num_blocks = 16;
      if (std::string(backend) != "pallas") scenario.engine.kv_cache_dtype = dtype;
      Engine engine(scenario, {});
      engine.step();
      const auto map = cache_map_of(engine.snapshot(EnginePhase::kPaused));
      ASSERT_TRUE(map);
      const KvStorageSpec& spec = engine.cache().spec();
      const KvCacheView layer = engine.cache().layer(1);
      ASSERT_EQ(map->dtype, spec.dtype);
      ASSERT_EQ(map->bytes, static_cast<int64_t>(layer.storage->bytes()));
      ASSERT_EQ(map->shape, layer.storage->shape());
      const size_t row = static_cast<size_t>(spec.num_kv_heads * spec.head_size);
      std::set<int64_t> bytes;
      size_t not_zero = 0;
      for (int64_t slot = 0; slot < spec.num_blocks * spec.block_size; ++slot) {
        std::vector<float> keys(row), values(row);
        backend_named(backend).read_keys(layer, {&slot, 1}, keys.data());
        backend_named(backend).read_values(layer, {&slot, 1}, values.data());
        for (int64_t head = 0; head < spec.num_kv_heads; ++head)
          for (int64_t d = 0; d < spec.head_size; ++d) {
            const CacheElement element{slot, head, d};
            const auto at = static_cast<size_t>(head * spec.head_size + d);
            ASSERT_EQ(number_at(*layer.storage, *map, CacheHalf::kKey, element), keys[at]);
            ASSERT_EQ(number_at(*layer.storage, *map, CacheHalf::kValue, element), values[at]);
            not_zero += keys[at] != 0;
            for (const CacheHalf half : {CacheHalf::kKey, CacheHalf::kValue})
              bytes.insert(map->byte_of(half, element));
          }
      }
      EXPECT_GT(not_zero, row);
      EXPECT_EQ(static_cast<int64_t>(bytes.size()) * map->element_bytes(), map->bytes);
      EXPECT_EQ(*bytes.begin(), 0);
      EXPECT_EQ(*bytes.rbegin(), map->bytes - map->element_bytes());
    }
}

TEST(CacheMap, OneReadOfSixteenBytes) {
  const CacheElement element{21, 1, 4};
  const auto read = [&](const char* backend, CacheHalf half) {
    return paged(backend).cache_map(8, 16, 2, 128, DType::kF32).read_at(half, element, 16);
  };
  const std::vector<CacheElement> of_one_row{{21, 1, 4}, {21, 1, 5}, {21, 1, 6}, {21, 1, 7}};
  const std::vector<CacheElement> of_neighbours{{20, 1, 4}, {21, 1, 4}, {22, 1, 4}, {23, 1, 4}};
  for (const char* backend : {"torch_sdpa", "xformers"}) {
    EXPECT_EQ(read(backend, CacheHalf::kKey), of_one_row);
    EXPECT_EQ(read(backend, CacheHalf::kValue), of_neighbours);
  }
  EXPECT_EQ(read("pallas", CacheHalf::kKey), of_one_row);
  EXPECT_EQ(read("pallas", CacheHalf::kValue), of_one_row);
  EXPECT_EQ(read("unified", CacheHalf::kKey), of_neighbours);
  EXPECT_EQ(read("unified", CacheHalf::kValue), of_one_row);
}

}  // namespace
}  // namespace attn
