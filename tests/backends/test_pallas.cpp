// SPDX-License-Identifier: GPL-3.0-or-later
// The pallas backend: agreement with `reference`, refusals, padding of prompts and heads, and the
// gate. More tests of its kernels are in kernels/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "backends/pallas/backend.h"
#include "backends/pallas/metadata.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "tests/backends/kernels/pallas_test.h"

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
  // No supported head size is larger than 1100, so no padding is offered.
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 1100)),
              ElementsAre(Not(HasSubstr("option"))));
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 128)), IsEmpty());
  EXPECT_THAT(pallas().not_supported_reasons(make_config(4, 2, 384)), IsEmpty());
}

void expect_padded_to(int64_t head_size, int64_t padded) {
  SCOPED_TRACE(head_size);
  const AttentionBackend& pallas = backend_named("pallas");
  CaseSpec spec;
  spec.config = make_config(4, 2, head_size);
  spec.sequences = {{33, 0, 1}, {150, 0, 2}};
  const AttentionCase c = make_case(spec);
  const RunResult expected = run_case(c, backend_named("reference"));
  AttentionConfig config = spec.config;
  config.pad_head_size = true;
  ASSERT_THAT(pallas.not_supported_reasons(config), IsEmpty());
  EXPECT_EQ(cache_head_size(pallas, config), padded);
  const auto impl = pallas.make_impl(config);
  EXPECT_THAT(impl->warnings(), ElementsAre(HasSubstr(std::to_string(padded) + " elements")));
  Tensor storage(DType::kF32, pallas.kv_cache_shape(c.num_blocks, 16, 2, padded));
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
  metadata.max_blocks_per_seq = 131072;  // a table of exactly 512 KiB
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

// --- padding ------------------------------------------------------------------------------------
TEST_F(Pallas, ItsBuilderPadsEveryPrompt) {
  const std::vector<int32_t> first{0, 1}, second{2}, third{3, 4, 5};
  const std::vector<SequenceSlice> slices{
      {0, 0, 17, true, first}, {1, 0, 16, true, second}, {2, 20, 5, true, third}};
  const auto metadata = pallas().make_metadata();
  build_metadata(slices, 16, *metadata);
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
  EXPECT_THAT(metadata->slot_mapping, SizeIs(38));
  const std::vector<SequenceSlice> decodes{{0, 3, 1, false, second}};
  build_metadata(decodes, 16, *metadata);
  EXPECT_EQ(padded.rows(), 0);
}

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
