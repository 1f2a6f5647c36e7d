// SPDX-License-Identifier: GPL-3.0-or-later
// The xformers backend: agreement with `reference`, refusals, cross attention, rows without keys,
// captured plans and masks. Its kernels are tested in kernels/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "tests/backends/kernels/xformers_test.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr AttentionType kXformersTypes[] = {
    AttentionType::kDecoder, AttentionType::kDecoder,     AttentionType::kDecoder,
    AttentionType::kEncoder, AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder};

CaseSpec xformers_spec(uint64_t seed) {
  Rng rng(seed);
  CaseSpec spec;
  const int64_t kv_heads = pick<int64_t>(rng, {1, 2, 3});
  spec.config = make_config(kv_heads * pick<int64_t>(rng, {1, 2, 3, 4, 8}), kv_heads,
                            pick<int64_t>(rng, {32, 64, 80, 96, 112, 128, 192}));
  spec.config.attn_type = kXformersTypes[rng.below(std::size(kXformersTypes))];
  const bool cross = spec.config.attn_type == AttentionType::kEncoderDecoder;
  const bool decoder = spec.config.attn_type == AttentionType::kDecoder;
  spec.block_size = pick<int64_t>(rng, {1, 5, 8, 16, 64, 256});
  spec.dtype = pick(rng, {DType::kF32, DType::kBF16, DType::kF16});
  if (rng.below(4) == 0) spec.query_factor = 2.0f;
  if (decoder || cross) {
    if (rng.below(2))
      spec.cache_dtype =
          pick(rng, {DType::kF32, DType::kBF16, DType::kF16, DType::kF8E4M3, DType::kF8E5M2});
    spec.scales.k_scale = pick(rng, {1.0f, 0.25f});
    spec.scales.v_scale = pick(rng, {1.0f, 0.5f});
  }
  if (decoder) {
    if (rng.below(4) == 0)
      spec.config.sliding_window = pick<int64_t>(rng, {1, 3, 16, 43, 111, 256});
    if (rng.below(4) == 0) spec.config.alibi_slopes = standard_alibi_slopes(spec.config.num_heads);
  }
  spec.placement_seed = rng.next();
  const auto batch = 1 + rng.below(4);
  const bool mixed = (decoder || cross) && rng.below(2) == 0;
  for (uint64_t i = 0; i <= batch; ++i) {
    CaseSequence s;
    s.is_decode = mixed && i == batch;
    s.query_len = s.is_decode ? 1 : pick<int64_t>(rng, {1, 2, 15, 63, 64, 65, 129, 200});
    if (decoder || cross) s.context_len = rng.below(2) ? 0 : pick<int64_t>(rng, {1, 7, 127, 300});
    if (s.is_decode && rng.below(2)) s.context_len = 1100;
    if (cross) s.encoder_len = i == 0 ? 17 : pick<int64_t>(rng, {0, 1, 17, 160});
    s.seed = rng.next();
    spec.sequences.push_back(s);
  }
  return spec;
}

class XformersAgreement : public Xformers, public ::testing::WithParamInterface<int> {};

TEST_P(XformersAgreement, WithReference) {
  constexpr int kCasesPerPart = 15;
  for (int i = 0; i < kCasesPerPart; ++i) {
    const CaseSpec spec = xformers_spec(static_cast<uint64_t>(GetParam() * kCasesPerPart + i));
    SCOPED_TRACE(describe(spec));
    ASSERT_THAT(xformers().not_supported_reasons(spec.config), IsEmpty());
    expect_agreement_with_reference(spec, xformers(), {.threads = 1 + i % 3});
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Sample, XformersAgreement, ::testing::Range(0, 10));

TEST_F(Xformers, AgreesOnEveryTarget) {
  expect_agreement_on_every_target(xformers(), xformers_spec, 8);
}

TEST_F(Xformers, ADecodeHasTheBitsOfThePrefill) {
  for (const bool windowed : {false, true})
    for (const int64_t tokens : {1, 255, 256, 257, 700, 1500}) {
      CaseSpec prefill;
      prefill.config = make_config(4, 2, 64);
      if (windowed)  // with ALiBi a prompt ignores the window
        prefill.config.sliding_window = 300;
      else
        prefill.config.alibi_slopes = standard_alibi_slopes(4);  // slopes are powers of two
      prefill.sequences = {{tokens, 0, 42}};
      CaseSpec decode = prefill;
      decode.is_prefill = false;
      decode.sequences = {{1, tokens - 1, 42}};
      const RunResult expected = run_case(make_case(prefill), xformers());
      const RunResult found = run_case(make_case(decode), xformers());
      EXPECT_EQ(rows_of(found.out, 0, 1), rows_of(expected.out, tokens - 1, 1)) << tokens;
      EXPECT_EQ(rows_of(found.lse, 0, 1), rows_of(expected.lse, tokens - 1, 1)) << tokens;
    }
}

TEST_F(Xformers, DecodesGiveTheSameBitsInAnyCompany) {
  CaseSpec alone;
  alone.config = make_config(4, 2, 64);
  alone.is_prefill = false;
  alone.sequences = {{1, 1234, 42}};
  const RunResult expected = run_case(make_case(alone), xformers());
  for (const int64_t block_size : {1, 5, 32, 256}) {
    CaseSpec crowd = alone;
    crowd.block_size = block_size;
    crowd.sequences = {{1, 4, 1}, {1, 1234, 42}};
    for (uint64_t i = 0; block_size == 32 && i < 200; ++i)  // 808 (row, head) pairs take v1
      crowd.sequences.push_back({1, 3, 100 + i});
    const RunResult found = run_case(make_case(crowd), xformers(), {.threads = 3});
    EXPECT_EQ(rows_of(found.out, 1, 1), rows_of(expected.out, 0, 1));
    EXPECT_EQ(rows_of(found.lse, 1, 1), rows_of(expected.lse, 0, 1));
  }
}

// --- refusals ------------------------------------------------------------------------------------
TEST_F(Xformers, RefusesHeadSizesNotOnTheList) {
  EXPECT_THAT(
      xformers().not_supported_reasons(make_config(2, 1, 48)),
      ElementsAre(
          "XFORMERS stores its cache in the layout of paged attention, which exists for "
          "the head sizes 32, 64, 80, 96, 112, 120, 128, 192, 256, not for 48. With the "
          "option pad_head_size (Head padding in the window), heads are padded with zeros to 64."));
  AttentionConfig config = make_config(2, 1, 48);
  config.pad_head_size = true;
  EXPECT_THAT(xformers().not_supported_reasons(config), IsEmpty());
}

TEST_F(Xformers, RefusesAnInt8Cache) {
  AttentionConfig config = make_config(2, 1, 64);
  config.kv_cache_dtype_name = "int8";
  EXPECT_THAT(xformers().not_supported_reasons(config),
              ElementsAre(HasSubstr("does not support an int8 cache")));
}

TEST_F(Xformers, RefusesCacheTypesThatDoNotExist) {
  AttentionConfig config = make_config(2, 1, 64);
  config.kv_cache_dtype_name = "banana";
  EXPECT_THAT(xformers().not_supported_reasons(config), ElementsAre(HasSubstr("not as banana")));
  for (const char* name : {"auto", "f32", "bf16", "f16", "fp8", "fp8_e4m3", "fp8_e5m2"}) {
    config.kv_cache_dtype_name = name;
    EXPECT_THAT(xformers().not_supported_reasons(config), IsEmpty()) << name;
  }
}

TEST_F(Xformers, RefusesAnFp8CacheWithoutWholePieces) {
  AttentionConfig config = make_config(2, 1, 120);
  config.kv_cache_dtype_name = "fp8";
  EXPECT_THAT(xformers().not_supported_reasons(config),
              ElementsAre(HasSubstr("fp8 cache for head size 120")));
}

TEST_F(Xformers, RefusesAlibiOutsideDecoder) {
  AttentionConfig config = make_config(2, 1, 64);
  config.alibi_slopes.emplace(2, 0.5f);
  EXPECT_THAT(xformers().not_supported_reasons(config), IsEmpty());
  for (const AttentionType type :
       {AttentionType::kEncoder, AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder}) {
    config.attn_type = type;
    EXPECT_THAT(xformers().not_supported_reasons(config),
                ElementsAre(HasSubstr("ALiBi in DECODER attention only, not in " +
                                      std::string(name_of(type)))));
  }
}

TEST_F(Xformers, RefusesAWindowOutsideDecoder) {
  AttentionConfig config = make_config(2, 1, 64);
  config.sliding_window = 5;
  EXPECT_THAT(xformers().not_supported_reasons(config), IsEmpty());
  config.attn_type = AttentionType::kEncoder;
  EXPECT_THAT(xformers().not_supported_reasons(config),
              ElementsAre(HasSubstr("window in DECODER attention only, not in ENCODER:")));
}

TEST_F(Xformers, SaysEverythingAtOnce) {
  AttentionConfig config = make_config(2, 1, 48);
  config.blocksparse = BlockSparse{};
  config.logits_soft_cap = 30.0f;
  try {
    xformers().make_impl(config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_EQ(error.sentences(), xformers().not_supported_reasons(config));
    EXPECT_EQ(error.sentences().size(), 3u);
  }
}

TEST_F(Xformers, NamesTheFieldsThatCrossAttentionMisses) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.sequences = {{3, 0, 1}};
  AttentionCase c = make_case(spec);
  c.spec.config.attn_type = AttentionType::kEncoderDecoder;
  try {
    run_case(c, backend_named("xformers"));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("cross_block_tables"));
  }
}

// --- cross attention without new keys ------------------------------------------------------------
TEST_F(Xformers, APrefillOfCrossAttentionReadsTheCachedKeys) {
  for (const auto& [dtype, cache] : {std::pair{DType::kF32, DType::kF32},
                                     {DType::kBF16, DType::kBF16},
                                     {DType::kF16, DType::kF8E4M3}})
    for (const int64_t block_size : {5, 16, 256}) {
      CaseSpec spec;
      spec.config = make_config(6, 3, 80);
      spec.config.attn_type = AttentionType::kEncoderDecoder;
      spec.dtype = dtype;
      spec.cache_dtype = cache;
      if (cache != dtype) spec.scales.k_scale = 0.25f;
      spec.block_size = block_size;
      spec.sequences = {{9, 0, 1, 300}, {70, 4, 2, 17}, {3, 0, 3, 0}, {2, 0, 4, 41}};
      SCOPED_TRACE(describe(spec));
      AttentionCase c = make_case(spec);
      const RunResult with_keys = run_case(c, xformers());
      c.context_keys = convert(c.key, DType::kF32);
      c.context_values = convert(c.value, DType::kF32);
      for (size_t i = 0; i < c.cached.size(); ++i) c.cached[i] = spec.sequences[i].encoder_len;
      const RunOptions options{.threads = 2, .without_new_keys = true};
      const RunResult found = run_case(c, xformers(), options);
      expect_agreement(found, run_case(c, backend_named("reference"), options), dtype);
      if (dtype == DType::kF32) {
        EXPECT_TRUE(bits_equal(found.out, with_keys.out));
        EXPECT_TRUE(bits_equal(found.lse, with_keys.lse));
      } else {
        expect_agreement(found, with_keys, dtype);
      }
    }
}

// --- special rows --------------------------------------------------------------------------------
TEST_F(Xformers, ARowWithoutKeysIsZeroAndMinusInfinity) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.config.attn_type = AttentionType::kEncoderDecoder;
  spec.sequences = {{2, 0, 1, 0}, {2, 0, 2, 5}};
  const RunResult found = run_case(make_case(spec), xformers());
  for (int64_t i = 0; i < 2 * 2 * 64; ++i) {
    const float x = found.out.data<float>()[i];
    EXPECT_TRUE(x == 0 && !std::signbit(x));
  }
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(found.lse.data<float>()[i], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isfinite(found.lse.data<float>()[4]));
}

// --- captured plans, what the trace shows --------------------------------------------------------
TEST_F(Xformers, AReplayedPlanGivesTheSameBits) {
  for (const int64_t count : {1, 3, 5, 11}) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 64);
    spec.is_prefill = false;
    for (int64_t i = 0; i < count; ++i)
      spec.sequences.push_back({1, 3 + i * 211 % 1200, static_cast<uint64_t>(i)});
    AttentionCase c = make_case(spec);
    const RunResult expected = run_case(c, xformers());
    ThreadPool pool(1);
    Execution execution;
    execution.pool = &pool;
    const auto state = xformers().make_state();
    state->capture(16, {spec.config, DType::kF32, 100, 16, 0}, execution);
    c.metadata.use_captured_plan = true;
    state->begin_forward(c.metadata);
    const RunResult found = run_case(c, xformers(), {.state = state.get()});
    EXPECT_TRUE(bits_equal(found.out, expected.out)) << count;
    EXPECT_TRUE(bits_equal(found.lse, expected.lse)) << count;
    EXPECT_EQ(state->metadata_for_batch(AttentionState::padded_batch(count)).max_decode_seq_len,
              c.metadata.max_decode_seq_len);
  }
}

TEST_F(Xformers, AlibiIsATensorWithPaddedRows) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    CaseSpec spec;
    spec.config = make_config(2, 1, 64);
    spec.config.alibi_slopes = standard_alibi_slopes(2);
    spec.dtype = dtype;
    spec.sequences = {{20, 0, 1}, {30, 0, 2}, {8, 0, 3}};
    const AttentionCase c = make_case(spec);
    const auto events = traced_events(c, 3);
    const auto built = std::ranges::find(events, EventKind::kBiasBuilt, &TraceEvent::kind);
    ASSERT_NE(built, events.end());
    EXPECT_EQ(count_of(events, EventKind::kBiasBuilt), 1);
    const BiasList* biases = c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder);
    ASSERT_NE(biases, nullptr);
    ASSERT_EQ(biases->size(), 3u);
    size_t bytes = 0;
    for (const BiasPtr& bias : *biases)
      bytes += dynamic_cast<const TensorBias&>(*bias).tensor().bytes();
    EXPECT_EQ(bytes, 2u * (20 * 24 + 30 * 32 + 8 * 8) * size_of(dtype));
    EXPECT_EQ(built->d, bytes);  // bytes of the tensors alone
    const auto& bias = dynamic_cast<const LowerTriangularMaskWithTensorBias&>(*(*biases)[1]);
    EXPECT_EQ(bias.tensor().dtype(), dtype);
    EXPECT_EQ(bias.tensor().shape(), (Shape{2, 30, 32}));
    EXPECT_EQ(bias.num_keys(), 30);
    EXPECT_EQ(bias.value(1, 9, 5), -4 * (*spec.config.alibi_slopes)[1]);
    EXPECT_EQ(bias.value(1, 9, 10), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(element(bias.tensor(), 1, 9, 10), (*spec.config.alibi_slopes)[1]);
  }
}

TEST_F(Xformers, TheMaskIsBuiltAtTheFirstLayerAndReused) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.sequences = {{20, 0, 1}, {30, 0, 2}};
  const AttentionCase c = make_case(spec);
  const auto events = traced_events(c, 4);
  EXPECT_EQ(count_of(events, EventKind::kBiasBuilt), 1);
  const BiasList* biases = c.metadata.prefill_metadata()->attn_bias_for(AttentionType::kDecoder);
  ASSERT_NE(biases, nullptr);
  ASSERT_EQ(biases->size(), 1u);
  EXPECT_EQ((*biases)[0]->name(), "BlockDiagonalCausalMask");
  EXPECT_EQ((*biases)[0]->num_queries(), 50);
}

}  // namespace
}  // namespace attn::testing
