// SPDX-License-Identifier: GPL-3.0-or-later
// The pallas backend: agreement with the fp64 reference, the same bits in any batch, one test per
// refusal, and what its trace shows: padding, page fetches, split calls, cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "backends/pallas/backend.h"
#include "backends/pallas/metadata.h"
#include "backends/pallas/pallas_cache.h"
#include "backends/pallas/pallas_grid.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/session/report/report.h"
#include "tests/support/backend_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

using backends::pallas::PallasMetadata;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

CaseSpec pallas_spec(uint64_t seed) {
  Rng rng(seed);
  CaseSpec spec;
  const int64_t kv_heads = pick<int64_t>(rng, {1, 2, 3});
  spec.config = make_config(kv_heads * pick<int64_t>(rng, {1, 2, 3, 4, 8}), kv_heads,
                            pick<int64_t>(rng, {128, 128, 256}));
  spec.config.backend_options["tpu"] = rng.below(2) ? "v4" : "v5e";
  spec.block_size = pick<int64_t>(rng, {1, 5, 8, 16, 32, 64, 128, 256});
  spec.dtype = rng.below(2) ? DType::kBF16 : DType::kF32;
  if (rng.below(4) == 0) spec.query_factor = 2.0f;
  spec.is_prefill = rng.below(2) == 0;
  spec.placement_seed = rng.next();
  const auto batch = pick<int64_t>(rng, {1, 2, 5, 6});
  for (int64_t i = 0; i < batch; ++i) {
    CaseSequence sequence;
    sequence.query_len =
        spec.is_prefill ? pick<int64_t>(rng, {1, 2, 3, 15, 17, 64, 97, 127, 129, 300}) : 1;
    sequence.context_len = spec.is_prefill && rng.below(2)
                               ? 0
                               : pick<int64_t>(rng, {0, 1, 7, 16, 52, 129, 255, 511, 1100});
    sequence.seed = rng.next();
    spec.sequences.push_back(sequence);
  }
  return spec;
}

class Pallas : public BackendTest {
 protected:
  static const AttentionBackend& pallas() { return backend_named("pallas"); }
  static void expect_padded_to(int64_t head_size, int64_t padded) {
    SCOPED_TRACE(head_size);
    CaseSpec spec;
    spec.config = make_config(4, 2, head_size);
    spec.sequences = {{33, 0, 1}, {150, 0, 2}};
    const AttentionCase c = make_case(spec);
    const RunResult expected = run_case(c, backend_named("reference"));
    AttentionConfig config = spec.config;
    config.pad_head_size = true;
    ASSERT_THAT(pallas().not_supported_reasons(config), IsEmpty());
    EXPECT_EQ(cache_head_size(pallas(), config), padded);
    const auto impl = pallas().make_impl(config);
    EXPECT_THAT(impl->warnings(), ElementsAre(HasSubstr(std::to_string(padded) + " elements")));
    Tensor storage(DType::kF32, pallas().kv_cache_shape(c.num_blocks, 16, 2, padded));
    ThreadPool pool(1);
    Execution execution;
    execution.pool = &pool;
    Tensor out(DType::kF32, c.query.shape());
    AttentionInputs inputs;
    inputs.query = &c.query;
    inputs.key = &c.key;
    inputs.value = &c.value;
    inputs.kv_cache = {&storage, c.num_blocks, 16, 2, padded};
    ASSERT_TRUE(impl->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution));
    EXPECT_EQ(compare(out, expected.out, tolerance_for(DType::kF32, 0)), "");
  }
};
class PallasAgreement : public Pallas, public ::testing::WithParamInterface<int> {};

TEST_P(PallasAgreement, WithReference) {
  constexpr int kCasesPerPart = 6;
  for (int i = 0; i < kCasesPerPart; ++i) {
    const CaseSpec spec = pallas_spec(static_cast<uint64_t>(GetParam() * kCasesPerPart + i));
    SCOPED_TRACE(describe(spec));
    expect_agreement_with_reference(spec, pallas(), {.threads = 1 + i % 3});
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Sample, PallasAgreement, ::testing::Range(0, 10));

TEST_F(Pallas, AgreesOnEveryTarget) {
  expect_agreement_on_every_target(pallas(), pallas_spec, 3);
}

// A prompt as a whole (flash), its second part as a chunk after cached tokens (multi-query), and
// its last token as a decode give the same bits, for several block sizes, TPUs and numbers of
// threads.
TEST_F(Pallas, AllThreeKernelsGiveTheSameBits) {
  CaseSpec whole;
  whole.config = make_config(4, 2, 128);
  whole.sequences = {{391, 0, 42}};
  const RunResult expected = run_case(make_case(whole), pallas());
  for (const int64_t cut : {1, 16, 127, 128, 256, 300, 390})
    for (const int64_t block_size : {5, 8, 16, 256}) {
      CaseSpec chunk = whole;
      chunk.block_size = block_size;
      chunk.sequences = {{391 - cut, cut, 42}};
      const RunOptions options{.threads = static_cast<int>(1 + cut % 3),
                               .query_tile_rows = cut % 2 ? 0 : 7};
      const RunResult found = run_case(make_case(chunk), pallas(), options);
      EXPECT_EQ(rows_of(found.out, 0, 391 - cut), rows_of(expected.out, cut, 391 - cut)) << cut;
      EXPECT_EQ(rows_of(found.lse, 0, 391 - cut), rows_of(expected.lse, cut, 391 - cut)) << cut;
    }
  for (const int64_t block_size : {1, 3, 8, 16, 24, 256}) {
    CaseSpec decode = whole;
    decode.is_prefill = false;
    decode.block_size = block_size;
    decode.config.backend_options["tpu"] = block_size % 2 ? "v4" : "v6e";
    decode.sequences = {{1, 77, 1}, {1, 390, 42}, {1, 5, 2}};
    const RunResult found = run_case(make_case(decode), pallas(), {.threads = 2});
    EXPECT_EQ(rows_of(found.out, 1, 1), rows_of(expected.out, 390, 1)) << block_size;
    EXPECT_EQ(rows_of(found.lse, 1, 1), rows_of(expected.lse, 390, 1)) << block_size;
  }
}

// --- refusals ------------------------------------------------------------------------------------
TEST_F(Pallas, RefusesHeadSizesThatAreNoMultipleOf128) {
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 64)),
              ElementsAre(HasSubstr("multiple of 128, the width of a TPU register, and not 64")));
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 64)),
              ElementsAre(HasSubstr("With the option pad_head_size (Head padding in the window), "
                                    "heads are padded with zeros to "
                                    "128. The cache would be 2 times as large.")));
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 300)),
              ElementsAre(HasSubstr("With the option pad_head_size (Head padding in the window), "
                                    "heads are padded with zeros to "
                                    "384. The cache would be 1.28 times as large.")));
  // No larger size exists to pad to.
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 1100)),
              ElementsAre(Not(HasSubstr("option"))));
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 128)), IsEmpty());
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 384)), IsEmpty());
}

// Pads to the next multiple of 128, up to the largest head size.
TEST_F(Pallas, PadsHeadsWhenAsked) {
  EXPECT_THAT(pallas().supported_head_sizes(),
              ElementsAre(128, 256, 384, 512, 640, 768, 896, 1024));
  for (const auto& [head_size, padded] : {std::pair{64, 128}, {257, 384}, {1000, 1024}})
    expect_padded_to(head_size, padded);
}

TEST_F(Pallas, RefusesEveryCacheDtypeButAuto) {
  AttentionConfig config = make_config(2, 1, 128);
  for (const char* name : {"f32", "bf16", "f16", "fp8", "fp8_e4m3", "fp8_e5m2", "int8"}) {
    config.kv_cache_dtype_name = name;
    EXPECT_THAT(pallas().not_supported_reasons(config),
                ElementsAre(HasSubstr(std::string("not as ") + name + ":")));
  }
}

TEST_F(Pallas, RefusesTpusBelowVersion4) {
  AttentionConfig config = make_config(2, 1, 128);
  for (const char* version : {"v2", "v3"}) {
    config.backend_options["tpu"] = version;
    EXPECT_THAT(pallas().not_supported_reasons(config), ElementsAre(HasSubstr("version 4")));
  }
  for (const char* version : {"v4", "v5e", "v5p", "v6e"}) {
    config.backend_options["tpu"] = version;
    EXPECT_THAT(pallas().not_supported_reasons(config), IsEmpty());
  }
}

TEST_F(Pallas, RefusesEncoders) {
  AttentionConfig config = make_config(2, 1, 128);
  for (const AttentionType type :
       {AttentionType::kEncoder, AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder}) {
    config.attn_type = type;
    EXPECT_THAT(
        pallas().not_supported_reasons(config),
        ElementsAre(HasSubstr("DECODER attention only, not " + std::string(name_of(type)))));
  }
}

TEST_F(Pallas, RefusesMixedBatches) {
  const std::vector<int32_t> table{0, 1};
  const std::vector<SequenceSlice> slices{{0, 0, 5, true, table}, {1, 4, 1, false, table}};
  EXPECT_THAT(
      batch_not_supported_reasons(pallas(), make_config(2, 1, 128), build_metadata(slices, 16)),
      ElementsAre(HasSubstr("in one call, not both")));
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    return error.sentences().size() == 1 ? error.sentences()[0] : "more than one sentence";
  }
  return "nothing was refused";
}

TEST_F(Pallas, RefusesToSwapBlocks) {
  EXPECT_FALSE(pallas().capabilities().swap);
  EXPECT_THAT(refusal_of([&] { pallas().swap_blocks({}, {}, {}); }),
              HasSubstr("cannot swap blocks"));
}

TEST_F(Pallas, RefusesScalesOtherThanOne) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{3, 0, 1}};
  const AttentionCase c = make_case(spec);
  ThreadPool pool(1);
  Execution execution;
  execution.pool = &pool;
  Tensor out(DType::kF32, c.query.shape());
  AttentionInputs inputs;
  inputs.query = &c.query;
  inputs.key = &c.key;
  inputs.value = &c.value;
  inputs.scales.v_scale = 0.5f;
  const auto impl = pallas().make_impl(spec.config);
  EXPECT_THAT(refusal_of([&] {
                impl->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution);
              }),
              HasSubstr("k_scale and v_scale must be 1, not 1 and 0.5"));
  inputs.scales.v_scale = 1.0f;
  EXPECT_TRUE(impl->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution));
}

TEST_F(Pallas, RefusesABlockTableLargerThanScalarMemory) {
  AttentionMetadata metadata;
  metadata.num_decode_tokens = 1;
  metadata.max_blocks_per_seq = 131072;  // exactly 512 KiB
  EXPECT_THAT(backends::pallas::call_not_supported_reasons({}, metadata), IsEmpty());
  metadata.max_blocks_per_seq = 131073;
  EXPECT_THAT(backends::pallas::call_not_supported_reasons({}, metadata),
              ElementsAre(HasSubstr("512 KiB of scalar memory")));
}

TEST_F(Pallas, SaysEverythingAtOnce) {
  AttentionConfig config = make_config(2, 1, 80);
  config.alibi_slopes = {0.5f, 0.25f};
  config.sliding_window = 4;
  config.backend_options["tpu"] = "v3";
  EXPECT_EQ(pallas().not_supported_reasons(config).size(), 4u);
  EXPECT_THROW(pallas().make_impl(config), Error);
}

// --- cache ---------------------------------------------------------------------------------------
TEST_F(Pallas, CacheIsAPairOfHeadsBlocksTokens) {
  EXPECT_EQ(pallas().kv_cache_shape(7, 16, 3, 128), (Shape{2, 3, 7, 16, 128}));
  Tensor storage(DType::kF32, {2, 3, 7, 16, 128});
  const KvCacheView cache{&storage, 7, 16, 3, 128};
  Tensor rows(DType::kF32, {1, 3, 128});
  for (int64_t i = 0; i < rows.size(); ++i) rows.data<float>()[i] = static_cast<float>(i + 1);
  const int64_t slot = 5 * 16 + 9;
  pallas().write_rows(cache, {&slot, 1}, rows.data<float>(), rows.data<float>());
  for (int64_t half = 0; half < 2; ++half)
    for (int64_t h = 0; h < 3; ++h)
      EXPECT_EQ(storage.data<float>()[((((half * 3 + h) * 7 + 5) * 16) + 9) * 128 + 4],
                static_cast<float>(h * 128 + 5));
  const int64_t slots[] = {slot, kPaddingSlot};
  EXPECT_THAT(backends::pallas::flat_rows(slots, cache),
              ElementsAre(89, 89 + 112, 89 + 224, -1, -1, -1));
}

TEST_F(Pallas, CopiesBlocksByIndexAlongTheSecondAxis) {
  Tensor storage(DType::kF32, {2, 2, 4, 8, 128});
  for (int64_t i = 0; i < storage.size(); ++i) storage.data<float>()[i] = static_cast<float>(i);
  const Tensor before = convert(storage, DType::kF32);
  const KvCacheView cache{&storage, 4, 8, 2, 128};
  const BlockPair pairs[] = {{0, 2}, {2, 3}};  // all sources are read before any block is written
  pallas().copy_blocks({&cache, 1}, pairs);
  constexpr int64_t kBlockFloats = 8 * 128;
  const int64_t source_of[] = {0, 1, 0, 2};
  for (int64_t head = 0; head < 4; ++head)
    for (int64_t block = 0; block < 4; ++block)
      EXPECT_EQ(std::memcmp(storage.data<float>() + (head * 4 + block) * kBlockFloats,
                            before.data<float>() + (head * 4 + source_of[block]) * kBlockFloats,
                            kBlockFloats * sizeof(float)),
                0)
          << head << " " << block;
}

// --- padding ------------------------------------------------------------------------------------
TEST_F(Pallas, ItsBuilderPadsEveryPrompt) {
  const std::vector<int32_t> first{0, 1}, second{2}, third{3, 4, 5};
  const std::vector<SequenceSlice> slices{
      {0, 0, 17, true, first}, {1, 0, 16, true, second}, {2, 20, 5, true, third}};
  const auto metadata = pallas().make_metadata();
  pallas().build_metadata(slices, 16, *metadata);
  const auto& padded = dynamic_cast<const PallasMetadata&>(*metadata).padded;
  EXPECT_THAT(padded.start_loc, ElementsAre(0, 32, 48, 64));
  ASSERT_EQ(padded.slot_mapping.size(), 64u);
  for (int64_t row = 0; row < 64; ++row) {
    const int64_t slot = padded.slot_mapping[static_cast<size_t>(row)];
    if (row < 17)
      EXPECT_EQ(slot, row);
    else if (row < 32 || row >= 53)
      EXPECT_EQ(slot, kPaddingSlot) << row;
    else
      EXPECT_EQ(slot, row < 48 ? row : 68 + row - 48) << row;
  }
  EXPECT_THAT(metadata->slot_mapping, SizeIs(38));  // the flat batch itself is not padded
  const std::vector<SequenceSlice> decodes{{0, 3, 1, false, second}};
  pallas().build_metadata(decodes, 16, *metadata);
  EXPECT_EQ(padded.rows(), 0);
}

// The rows of padding are computed, but no slot and no output changes by them.
TEST_F(Pallas, PaddingIsWrittenNowhereAndCutOff) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.block_size = 8;
  spec.sequences = {{9, 0, 1}, {3, 20, 2}};
  spec.placement_seed = 3;
  const AttentionCase c = make_case(spec);
  Tensor storage(DType::kF32, pallas().kv_cache_shape(c.num_blocks, 8, 1, 128));
  const KvCacheView cache{&storage, c.num_blocks, 8, 1, 128};
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Tensor out(DType::kF32, c.query.shape());
  AttentionInputs inputs;
  inputs.query = &c.query;
  inputs.key = &c.key;
  inputs.value = &c.value;
  inputs.kv_cache = cache;
  ASSERT_TRUE(pallas()
                  .make_impl(spec.config)
                  ->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution));
  for (int64_t slot = 0; slot < c.num_blocks * 8; ++slot) {
    const auto row = std::ranges::find(c.metadata.slot_mapping, slot);
    std::vector<float> keys(128), values(128);
    pallas().read_keys(cache, {&slot, 1}, keys.data());
    pallas().read_values(cache, {&slot, 1}, values.data());
    for (int64_t e = 0; e < 128; ++e) {
      const int64_t at = (row - c.metadata.slot_mapping.begin()) * 128 + e;
      const bool written = row != c.metadata.slot_mapping.end();
      EXPECT_EQ(keys[static_cast<size_t>(e)], written ? c.key.data<float>()[at] : 0) << slot;
      EXPECT_EQ(values[static_cast<size_t>(e)], written ? c.value.data<float>()[at] : 0) << slot;
    }
  }
}

// --- what the trace shows ------------------------------------------------------------------------
TEST_F(Pallas, PaddingIsCountedAndTraced) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{17, 0, 1}, {32, 0, 2}, {1, 0, 3}, {33, 40, 4}};
  const TracedRun run(make_case(spec), pallas(), 1);
  const auto padding = run.of(EventKind::kPadding);
  ASSERT_EQ(padding.size(), 3u);  // the prompt of 32 tokens needs none
  EXPECT_EQ(padding[0].a, static_cast<uint32_t>(KernelId::kPallasFlash));
  EXPECT_EQ(padding[0].b, 17u);
  EXPECT_EQ(padding[0].c, 15u);
  EXPECT_EQ(padding[1].b, 1u);
  EXPECT_EQ(padding[1].c, 15u);
  EXPECT_EQ(padding[2].a, static_cast<uint32_t>(KernelId::kPallasMultiQuery));
  EXPECT_EQ(padding[2].b, 33u);
  EXPECT_EQ(padding[2].c, 15u);
  EXPECT_EQ(padding[2].d, 1u);
  // The flash kernel takes one prompt: one call per prompt, with its padded length.
  const auto splits = run.of(EventKind::kCallSplit);
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_EQ(splits[2].b, 2u);
  EXPECT_EQ(splits[2].c, 3u);
  std::vector<uint32_t> lengths;
  for (const TraceEvent& event : run.of(EventKind::kKernel))
    if (event.a == static_cast<uint32_t>(KernelId::kPallasFlash)) lengths.push_back(event.d);
  EXPECT_THAT(lengths, ElementsAre(32, 32, 16));
}

TEST_F(Pallas, KernelsCsvCountsTheRowsOfTheBuilder) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.sequences = {{17, 0, 1}, {32, 0, 2}, {1, 0, 3}, {40, 0, 4}};
  const AttentionCase c = make_case(spec);
  const backends::pallas::PaddedPrefills padded = backends::pallas::pad_prefills(c.metadata);
  const std::string csv = kernels_csv(TracedRun(c, pallas(), 1).events);
  std::vector<std::string> found;  // tokens,padding_rows
  for (size_t at = 0; (at = csv.find(",pallas_flash,", at)) != std::string::npos; ++at) {
    const std::string row = csv.substr(at, csv.find('\n', at) - at);
    found.push_back(row.substr(row.rfind(',', row.rfind(',') - 1) + 1));
  }
  std::vector<std::string> expected;
  for (int64_t s = 0; s < 4; ++s)
    expected.push_back(std::to_string(padded.rows_of(s)) + "," +
                       std::to_string(padded.rows_of(s) - c.metadata.query_len(s)));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found[0], "32,15");
}

TEST_F(Pallas, DecodeBatchesThatDoNotFitScalarMemoryAreSplit) {
  CaseSpec spec;
  spec.config = make_config(1, 1, 128);
  spec.is_prefill = false;
  for (uint64_t i = 0; i < 7; ++i) spec.sequences.push_back({1, static_cast<int64_t>(3 * i), i});
  AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, pallas());
  // The same block tables, but wide: with 25000 entries of 4 bytes, 5 sequences fit in scalar
  // memory, 4 after rounding to an even number.
  AttentionMetadata wide = c.metadata;
  wide.max_blocks_per_seq = 25000;
  wide.block_tables.assign(7 * 25000, -1);
  for (int64_t s = 0; s < 7; ++s)
    std::copy_n(c.metadata.block_table(s).begin(), c.metadata.max_blocks_per_seq,
                wide.block_tables.begin() + s * 25000);
  c.metadata = wide;
  const RunResult found = run_case(c, pallas());
  EXPECT_TRUE(bits_equal(found.out, expected.out));
  EXPECT_TRUE(bits_equal(found.lse, expected.lse));
  const TracedRun run(c, pallas(), 2);
  const auto splits = run.of(EventKind::kCallSplit);
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].a, static_cast<uint32_t>(KernelId::kPallasPagedDecode));
  EXPECT_EQ(splits[0].d, 4u);
  EXPECT_EQ(splits[1].d, 3u);
}

TEST_F(Pallas, PagesOfTheNextBlockAreFetchedBeforeThePresentOneIsComputed) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.is_prefill = false;
  spec.block_size = 8;  // 128 tokens per compute block
  spec.sequences = {{1, 299, 1}};
  const TracedRun run(make_case(spec), pallas(), 1);
  std::string order;
  std::vector<uint32_t> pages;
  for (const TraceEvent& event : run.events) {
    if (event.kind == EventKind::kPageFetch) {
      order += 'f';
      pages.push_back(event.b);
      pages.push_back(event.c);
      EXPECT_GT(event.duration_ns, 0u);
      EXPECT_EQ(event.a >> 24, static_cast<uint32_t>(KernelId::kPallasPagedDecode));
    } else if (event.kind == EventKind::kTile) {
      order += 't';
    }
  }
  EXPECT_EQ(order,
            "ffttfttt"
            "t");                                         // two query heads per block of keys
  EXPECT_THAT(pages, ElementsAre(0, 16, 16, 16, 32, 6));  // 300 tokens: 16 + 16 + 6 pages
}

TEST_F(Pallas, AnotherWorkerFetchesWhileTheCoreComputes) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 128);
  spec.is_prefill = false;
  spec.block_size = 8;  // 128 tokens per compute block
  spec.sequences = {{1, 699, 1}};
  const AttentionCase c = make_case(spec);
  const TracedRun run(c, pallas(), 2);
  struct Span {
    uint64_t begin, end;
  };
  std::vector<Span> fetches, blocks;
  for (const TraceEvent& event : run.of(EventKind::kPageFetch)) {
    EXPECT_EQ(event.lane, 2);
    fetches.push_back({event.begin_ns, event.begin_ns + event.duration_ns});
  }
  const std::vector<TraceEvent> tiles = run.of(EventKind::kTile);
  ASSERT_EQ(tiles.size(), 12u);  // 700 tokens: 6 blocks, two query heads each
  for (size_t i = 0; i < tiles.size(); i += 2) {
    EXPECT_EQ(tiles[i].lane, 1);
    blocks.push_back({tiles[i].begin_ns, tiles[i + 1].begin_ns + tiles[i + 1].duration_ns});
  }
  ASSERT_EQ(fetches.size(), blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_GE(blocks[i].begin, fetches[i].end) << "a block is computed after it is fetched";
    if (i + 1 < blocks.size()) {
      EXPECT_LT(fetches[i + 1].begin, blocks[i].end) << "while a block is computed";
    }
    if (i + 2 < blocks.size()) {
      EXPECT_GE(fetches[i + 2].begin, blocks[i].end) << "there are two buffers";
    }
  }
}

// The KV heads and requests that each lane computed, as (KV head, request). One query head per KV
// head.
std::map<uint8_t, std::set<std::pair<uint32_t, uint32_t>>> work_of_lanes(const TracedRun& run) {
  std::map<uint8_t, std::set<std::pair<uint32_t, uint32_t>>> work;
  for (const TraceEvent& event : run.of(EventKind::kTile)) {
    const TileEvent tile = unpack_tile(event);
    work[event.lane].insert({tile.request, tile.head});
  }
  return work;
}

TEST_F(Pallas, TwoWorkersStandForTwoCores) {
  using Work = std::set<std::pair<uint32_t, uint32_t>>;
  CaseSpec spec;
  spec.is_prefill = false;
  spec.sequences = {{1, 40, 1}, {1, 50, 2}};
  // Even number of KV heads: each core takes every other head.
  spec.config = make_config(2, 2, 128);
  auto work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1], (Work{{0, 0}, {1, 0}}));
  EXPECT_EQ(work[2], (Work{{0, 1}, {1, 1}}));
  // Odd KV heads, even batch: each core takes every other sequence.
  spec.config = make_config(3, 3, 128);
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1], (Work{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(work[2], (Work{{1, 0}, {1, 1}, {1, 2}}));
  spec.sequences.push_back({1, 7, 3});  // both odd: one core does everything
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work[1].size(), 9u);
  EXPECT_EQ(work.count(2), 0u);
  spec.config = make_config(2, 2, 128);
  spec.config.backend_options["tpu"] = "v5e";  // a chip with one core
  work = work_of_lanes(TracedRun(make_case(spec), pallas(), 2));
  EXPECT_EQ(work.count(2), 0u);
}

TEST_F(Pallas, StopsWhenTheGateIsCancelled) {
  for (const bool is_prefill : {true, false})
    for (const int64_t context : {0, 200}) {
      CaseSpec spec;
      spec.config = make_config(2, 1, 128);
      spec.is_prefill = is_prefill;
      spec.sequences = {{is_prefill ? 40 : 1, context, 1}};
      const AttentionCase c = make_case(spec);
      Tensor storage(DType::kF32, pallas().kv_cache_shape(c.num_blocks, 16, 1, 128));
      ThreadPool pool(2);
      Recorder recorder(2);
      RunClock clock(ClockKind::kReal, recorder.num_lanes());
      RunGate gate;
      gate.cancel();
      Execution execution;
      execution.pool = &pool;
      execution.recorder = &recorder;
      execution.clock = &clock;
      execution.gate = &gate;
      Tensor out(DType::kF32, c.query.shape());
      AttentionInputs inputs;
      inputs.query = &c.query;
      inputs.key = &c.key;
      inputs.value = &c.value;
      inputs.kv_cache = {&storage, c.num_blocks, 16, 1, 128};
      EXPECT_FALSE(pallas()
                       .make_impl(spec.config)
                       ->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution));
    }
}

}  // namespace
}  // namespace attn::testing
