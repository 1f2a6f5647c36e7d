// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the masks that a backend plans (planned_masks) with those that its call builds, and the
// planned tiles with those of the trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/kernels/paged_backend.h"
#include "engine/trace/bias_event.h"
#include "tests/support/backend_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

// Each tile: request, first row, number of rows, first key, number of keys. Rows and keys are
// counted from the first of the sequence.
using Tiles = std::set<std::tuple<uint32_t, int64_t, int64_t, int64_t, int64_t>>;

class PlannedMasks : public BackendTest {
 protected:
  static CaseSpec prompts(DType dtype = DType::kF32) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 128);
    spec.config.dtype = dtype;
    spec.dtype = dtype;
    spec.sequences = {{20, 0, 1}, {300, 0, 2}, {1, 0, 3}, {33, 0, 4}};
    return spec;
  }

  static std::vector<PlannedMask> planned(const AttentionCase& c, const AttentionBackend& backend,
                                          int workers = 1) {
    return dynamic_cast<const PagedBackend&>(backend).planned_masks(
        c.spec.config, c.metadata,
        {.block_size = c.spec.block_size, .captured_rows = 0, .workers = workers});
  }

  static void expect_same_tiles(const AttentionCase& c, const AttentionBackend& backend,
                                int workers = 1, uint32_t head = 0) {
    const TracedRun run(c, backend, workers);
    Tiles found;
    for (const TraceEvent& event : run.of(EventKind::kTile)) {
      const TileEvent tile = unpack_tile(event);
      if (tile.head != head) continue;
      const int64_t context = c.metadata.context_lens[tile.request];
      found.insert({tile.request, int64_t{tile.q_begin} - context, tile.q_count, tile.k_begin,
                    tile.k_count});
    }
    Tiles expected;
    for (const PlannedMask& mask : planned(c, backend, workers))
      for (const MaskTile& tile : mask.tiles) {
        if (!mask.visits(head, tile)) continue;
        const int64_t s = mask.rule->sequence_of(tile.row);
        const auto i = static_cast<size_t>(s);
        expected.insert({static_cast<uint32_t>(mask.first_sequence + s),
                         tile.row - mask.rule->queries().starts[i], tile.rows,
                         tile.key - mask.rule->keys().starts[i], tile.keys});
      }
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, expected) << backend.name() << " " << describe(c.spec);
  }

  static void expect_same_masks(const AttentionCase& c, const AttentionBackend& backend) {
    const TracedRun run(c, backend, 1);
    const BiasList* built = c.metadata.prefill_metadata()->attn_bias_for(c.spec.config.attn_type);
    ASSERT_NE(built, nullptr) << backend.name() << " " << describe(c.spec);
    const std::vector<PlannedMask> masks = planned(c, backend);
    ASSERT_EQ(masks.size(), built->size());
    int64_t bytes = 0;
    for (const PlannedMask& mask : masks) bytes += mask.bytes;
    EXPECT_EQ(unpack_bias(run.of(EventKind::kBiasBuilt).at(0)).bytes, static_cast<uint64_t>(bytes));
    for (size_t i = 0; i < masks.size(); ++i) {
      const AttentionBias& bias = *(*built)[i];
      EXPECT_EQ(english(masks[i].name), bias.name());
      EXPECT_TRUE(masks[i].kept);
      const auto* tensor = dynamic_cast<const TensorBias*>(&bias);
      EXPECT_EQ(masks[i].bytes,
                static_cast<int64_t>(tensor ? tensor->tensor().bytes() : bias.bytes()));
      for (int64_t head = 0; head < bias.num_heads(); ++head)
        for (int64_t query = 0; query < bias.num_queries(); ++query)
          for (int64_t key = 0; key < bias.num_keys(); ++key)
            ASSERT_EQ(masks[i].value(head, query, key), bias.value(head, query, key))
                << bias.name() << " " << head << " " << query << " " << key;
    }
  }
};

TEST_F(PlannedMasks, AreThoseThatAStepBuilds) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    CaseSpec spec = prompts(dtype);
    expect_same_masks(make_case(spec), backend_named("xformers"));
    for (const char* name : {"torch_sdpa", "xformers"}) {
      spec = prompts(dtype);
      spec.config.sliding_window = 16;
      expect_same_masks(make_case(spec), backend_named(name));
      spec.config.alibi_slopes = standard_alibi_slopes(4);  // beside ALiBi the window is ignored
      expect_same_masks(make_case(spec), backend_named(name));
    }
  }
  CaseSpec cross = prompts();
  cross.config.attn_type = AttentionType::kEncoderDecoder;
  cross.sequences = {{7, 0, 1, 9}, {3, 0, 2, 40}};
  expect_same_masks(make_case(cross), backend_named("xformers"));
}

TEST_F(PlannedMasks, LeaveOutTheBlocksOfBlockSparseAttention) {
  CaseSpec spec = prompts();
  spec.config.blocksparse =
      BlockSparse{.local_blocks = 2, .vert_stride = 3, .block_size = 7, .head_sliding_step = 1};
  const PlannedMask mask = planned(make_case(spec), backend_named("unified")).at(0);
  for (const int64_t head : {0, 3})
    for (int64_t query = 0; query < mask.rule->num_queries(); ++query) {
      const int64_t first = mask.rule->keys().starts[static_cast<size_t>(
          mask.rule->sequence_of(query))];  // no cached tokens: rows are packed like keys
      std::vector<bool> seen(static_cast<size_t>(mask.rule->num_keys()), false);
      for (const KeySpan& run : mask.seen(head, query))
        std::fill(seen.begin() + run.begin, seen.begin() + run.end, true);
      for (int64_t key = 0; key < mask.rule->num_keys(); ++key) {
        const bool expected =
            key >= first && key <= query &&
            sees_block(*spec.config.blocksparse, head, (query - first) / 7, (key - first) / 7);
        ASSERT_EQ(seen[static_cast<size_t>(key)], expected) << head << ' ' << query << ' ' << key;
        ASSERT_EQ(mask.value(head, query, key) == 0, expected);
      }
    }
}

TEST_F(PlannedMasks, AddTheRelativeBias) {
  CaseSpec spec = prompts();
  std::vector<float> values;  // 4 heads, distances -9 to 0
  for (int i = 0; i < 40; ++i) values.push_back(static_cast<float>(i) / 8);
  spec.config.relative_bias = RelativeBias(9, 0, values);
  const PlannedMask mask = planned(make_case(spec), backend_named("unified")).at(0);
  for (const int64_t head : {0, 3})
    for (int64_t query = 0; query < mask.rule->num_queries(); ++query)
      for (const KeySpan& run : mask.seen(head, query))
        for (int64_t key = run.begin; key < run.end; ++key) {
          const int64_t back = std::min<int64_t>(9, query - key);
          ASSERT_EQ(mask.value(head, query, key),
                    values[static_cast<size_t>(10 * head + 9 - back)]);
        }
}

TEST_F(PlannedMasks, SayWhichTilesAKernelVisits) {
  for (const char* name : {"torch_sdpa", "xformers", "pallas", "unified"})
    for (const int workers : {1, 2, 4})
      expect_same_tiles(make_case(prompts()), backend_named(name), workers);
  for (const char* name : {"torch_sdpa", "xformers", "unified"}) {
    CaseSpec window = prompts();
    window.config.sliding_window = 16;
    window.sequences[1].query_len = 600;
    expect_same_tiles(make_case(window), backend_named(name));
    CaseSpec alibi = prompts();
    alibi.config.alibi_slopes = standard_alibi_slopes(4);
    expect_same_tiles(make_case(alibi), backend_named(name));
  }
  CaseSpec cached = prompts();
  cached.sequences = {{40, 200, 1}, {9, 0, 2}, {400, 7, 3}};
  for (const char* name : {"pallas", "xformers", "unified"})
    expect_same_tiles(make_case(cached), backend_named(name));
  cached.config.sliding_window = 30;
  for (const char* name : {"xformers", "unified"})
    expect_same_tiles(make_case(cached), backend_named(name));
  CaseSpec sparse = prompts();
  sparse.sequences = {{900, 0, 1}, {200, 450, 2}};
  sparse.config.blocksparse =
      BlockSparse{.local_blocks = 1, .vert_stride = 5, .block_size = 64, .head_sliding_step = 1};
  for (const uint32_t head : {0u, 3u})
    expect_same_tiles(make_case(sparse), backend_named("unified"), 1, head);
  expect_same_tiles(make_case(prompts(DType::kBF16)), backend_named("unified"));
}

TEST_F(PlannedMasks, SayTheirForm) {
  const auto form = [](const char* name, const CaseSpec& spec) {
    return planned(make_case(spec), backend_named(name)).front();
  };
  EXPECT_EQ(form("torch_sdpa", prompts()).form, MaskForm::kFlag);
  EXPECT_EQ(english(form("torch_sdpa", prompts()).name), "is_causal = true");
  EXPECT_EQ(form("torch_sdpa", prompts()).bytes, 0);
  EXPECT_EQ(form("xformers", prompts()).form, MaskForm::kPerTile);
  EXPECT_EQ(form("pallas", prompts()).form, MaskForm::kFlag);
  EXPECT_EQ(form("unified", prompts()).form, MaskForm::kPerTile);
  CaseSpec encoder = prompts();
  encoder.config.attn_type = AttentionType::kEncoderOnly;
  EXPECT_EQ(english(form("torch_sdpa", encoder).name), "is_causal = false");
  encoder.config.sliding_window = 4;  // the backend's mask is causal
  EXPECT_EQ(form("torch_sdpa", encoder).form, MaskForm::kDense);
  EXPECT_TRUE(form("torch_sdpa", encoder).rule->rule().causal);
  CaseSpec decodes = prompts();
  decodes.is_prefill = false;
  decodes.sequences = {{1, 5, 1}};
  EXPECT_TRUE(planned(make_case(decodes), backend_named("xformers")).empty());
}

}  // namespace
}  // namespace attn::testing
