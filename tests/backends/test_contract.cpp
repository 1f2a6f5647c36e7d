// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviours of torch_sdpa, xformers and pallas from the table in docs/backends.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/support/backend_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

constexpr const char* kModelled[] = {"torch_sdpa", "xformers", "pallas"};

class Contract : public BackendTest {};

TEST_F(Contract, NamesAndMetadataAreTheOriginals) {
  const char* expected[][2] = {{"TORCH_SDPA", "TorchSDPAMetadata"},
                               {"XFORMERS", "XFormersMetadata"},
                               {"PALLAS", "PallasMetadata"}};
  for (size_t i = 0; i < std::size(kModelled); ++i) {
    const AttentionBackend& backend = backend_named(kModelled[i]);
    EXPECT_EQ(backend.display_name(), expected[i][0]);
    EXPECT_EQ(&backend_named(expected[i][0]), &backend);
    const auto metadata = backend.make_metadata();
    EXPECT_EQ(metadata->type_name(), expected[i][1]);
    EXPECT_EQ(metadata->make_empty()->type_name(), expected[i][1]);
  }
}

TEST_F(Contract, ABatchOfOnePhaseIsItsOwnPart) {
  const std::vector<int32_t> table{0, 1};
  const std::vector<SequenceSlice> prompts{{0, 0, 3, true, table}},
      decodes{{0, 3, 1, false, table}};
  for (const char* name : kModelled) {
    const AttentionBackend& backend = backend_named(name);
    const auto metadata = backend.make_metadata();
    build_metadata(prompts, 16, *metadata);
    EXPECT_EQ(metadata->prefill_metadata(), metadata.get());
    EXPECT_EQ(metadata->decode_metadata(), nullptr);
    build_metadata(decodes, 16, *metadata);
    EXPECT_EQ(metadata->prefill_metadata(), nullptr);
    EXPECT_EQ(metadata->decode_metadata(), metadata.get());
  }
}

struct Call {
  Call(const AttentionCase& c, const AttentionBackend& backend, KvCacheView cache)
      : out(c.spec.dtype, c.query.shape()) {
    ThreadPool pool(1);
    Execution execution;
    execution.pool = &pool;
    AttentionInputs inputs;
    inputs.query = &c.query;
    inputs.key = &c.key;
    inputs.value = &c.value;
    inputs.kv_cache = cache;
    EXPECT_TRUE(backend.make_impl(c.spec.config)
                    ->forward(inputs, c.metadata, {&out, nullptr, nullptr}, execution));
  }
  Tensor out;
};

TEST_F(Contract, ACallWithoutCacheGivesTheSameBits) {
  for (const char* name : kModelled) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 128);
    spec.sequences = {{17, 0, 1}, {40, 0, 2}};
    const AttentionCase c = make_case(spec);
    const Call profiling(c, backend_named(name), {});
    EXPECT_TRUE(bits_equal(profiling.out, run_case(c, backend_named(name)).out)) << name;
  }
}

TEST_F(Contract, EncodersWriteNothing) {
  for (const char* name : {"torch_sdpa", "xformers"})
    for (const AttentionType type : {AttentionType::kEncoder, AttentionType::kEncoderOnly}) {
      CaseSpec spec;
      spec.config = make_config(2, 1, 64);
      spec.config.attn_type = type;
      spec.sequences = {{17, 0, 1}, {5, 0, 2}};
      const AttentionCase c = make_case(spec);
      const AttentionBackend& backend = backend_named(name);
      Tensor storage(DType::kF32, backend.kv_cache_shape(c.num_blocks, 16, 1, 64));
      std::memset(storage.raw(), 0x5a, storage.bytes());
      const Call call(c, backend, {&storage, c.num_blocks, 16, 1, 64});
      const auto* bytes = static_cast<const std::byte*>(storage.raw());
      EXPECT_TRUE(std::all_of(bytes, bytes + storage.bytes(),
                              [](std::byte b) { return b == std::byte{0x5a}; }))
          << name << " " << name_of(type);
    }
}

TEST_F(Contract, PartitionsDoNotNeedABlockSizeThatDividesThem) {
  for (const char* name : {"torch_sdpa", "xformers"}) {
    CaseSpec spec;
    spec.config = make_config(2, 1, 64);
    spec.is_prefill = false;
    spec.block_size = 24;
    spec.sequences = {{1, 1300, 1}, {1, 30, 2}};
    const AttentionCase c = make_case(spec);
    const TracedRun run(c, backend_named(name), 1);
    EXPECT_TRUE(std::ranges::any_of(run.of(EventKind::kKernel), [](const TraceEvent& event) {
      return event.a == static_cast<uint32_t>(KernelId::kPagedDecodeV2);
    }));
    expect_agreement_with_reference(spec, backend_named(name), {});
  }
}

TEST_F(Contract, ContextAttentionTakesTheScaleOfTheLayer) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.config.scale = 0.4f;
  spec.sequences = {{12, 40, 1}, {5, 0, 2}};
  expect_agreement_with_reference(spec, backend_named("xformers"), {});
}

std::vector<int64_t> lengths_of(const SeqLenInfo& info) {
  return info.lens;
}

TEST_F(Contract, BlockDiagonalMasksOfEncoders) {
  for (const AttentionType type :
       {AttentionType::kEncoder, AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder}) {
    CaseSpec spec;
    spec.config = make_config(2, 1, 64);
    spec.config.attn_type = type;
    spec.sequences = {{7, 0, 1, 9}, {3, 0, 2, 4}};
    const AttentionCase c = make_case(spec);
    const TracedRun run(c, backend_named("xformers"), 1);
    const AttentionMetadata& part =
        type == AttentionType::kEncoder ? c.metadata : *c.metadata.prefill_metadata();
    const BiasList* biases = part.attn_bias_for(type);
    ASSERT_NE(biases, nullptr) << name_of(type);
    ASSERT_EQ(biases->size(), 1u);
    EXPECT_EQ((*biases)[0]->name(), "BlockDiagonalMask");
    const auto& mask = dynamic_cast<const BlockDiagonalRule&>(*(*biases)[0]);
    EXPECT_THAT(lengths_of(mask.queries()), ElementsAre(7, 3));
    if (type == AttentionType::kEncoderDecoder)
      EXPECT_THAT(lengths_of(mask.keys()), ElementsAre(9, 4));
    else
      EXPECT_THAT(lengths_of(mask.keys()), ElementsAre(7, 3));
    EXPECT_EQ(mask.visible(0), (KeySpan{0, mask.keys().lens[0]}));  // the mask is not causal
  }
}

}  // namespace
}  // namespace attn::testing
