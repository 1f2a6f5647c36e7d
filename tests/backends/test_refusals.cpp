// SPDX-License-Identifier: GPL-3.0-or-later
// Which configs and batches the backends refuse, and the sentences that say so. Also warnings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "engine/attention/attention_bias.h"
#include "engine/core/error.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Refusals : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  const AttentionBackend& sdpa_ = backend_named("torch_sdpa");
};

TEST_F(Refusals, HeadSizeNotOnTheList) {
  const AttentionConfig config = make_config(6, 6, 48);
  EXPECT_THAT(sdpa_.not_supported_reasons(config), ElementsAre(HasSubstr("head sizes 32, 64, 80")));
  try {
    sdpa_.make_impl(config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_EQ(error.exit_code(), 3);
    EXPECT_EQ(error.sentences(), sdpa_.not_supported_reasons(config));
  }
}

TEST_F(Refusals, EveryReasonIsListed) {
  AttentionConfig config = make_config(6, 6, 48);
  config.blocksparse = BlockSparse{};
  config.kv_cache_dtype_name = "fp8_e4m3";
  config.sinks.emplace(6, 0.0f);
  EXPECT_EQ(sdpa_.not_supported_reasons(config).size(), 4u);
}

// --- one test per sentence -----------------------------------------------------------------------
// A feature that a backend refuses, and a part of the sentence that says so.
struct RefusedFeature {
  const char* backend;
  const char* feature;
  int64_t head_size;
  void (*ask)(AttentionConfig& config);
  const char* sentence;
};
void PrintTo(const RefusedFeature& refused, std::ostream* out) {
  *out << refused.backend << " " << refused.feature;
}
class RefusesAFeature : public Refusals, public ::testing::WithParamInterface<RefusedFeature> {};

TEST_P(RefusesAFeature, InOneSentence) {
  const RefusedFeature& refused = GetParam();
  AttentionConfig config = make_config(2, 1, refused.head_size);
  EXPECT_THAT(backend_named(refused.backend).not_supported_reasons(config), IsEmpty());
  refused.ask(config);
  EXPECT_THAT(backend_named(refused.backend).not_supported_reasons(config),
              ElementsAre(HasSubstr(refused.sentence)));
}

void ask_alibi(AttentionConfig& config) {
  config.alibi_slopes = {0.5f, 0.25f};
}
void ask_block_sparse(AttentionConfig& config) {
  config.blocksparse = BlockSparse{};
}
void ask_sinks(AttentionConfig& config) {
  config.sinks = {0.0f, 0.0f};
}
void ask_soft_cap(AttentionConfig& config) {
  config.logits_soft_cap = 30.0f;
}
void ask_window(AttentionConfig& config) {
  config.sliding_window = 16;
}

INSTANTIATE_TEST_SUITE_P(
    Backends, RefusesAFeature,
    ::testing::Values(
        RefusedFeature{"torch_sdpa", "block_sparse", 64, ask_block_sparse,
                       "TORCH_SDPA has no block-sparse attention."},
        RefusedFeature{"torch_sdpa", "sinks", 64, ask_sinks, "TORCH_SDPA has no attention sinks."},
        RefusedFeature{"xformers", "block_sparse", 64, ask_block_sparse, "block-sparse"},
        RefusedFeature{"torch_sdpa", "soft_cap", 64, ask_soft_cap, "soft cap"},
        RefusedFeature{"xformers", "soft_cap", 64, ask_soft_cap, "soft cap"},
        RefusedFeature{"xformers", "sinks", 64, ask_sinks, "sinks"},
        RefusedFeature{"pallas", "alibi", 128, ask_alibi, "no ALiBi"},
        RefusedFeature{"pallas", "window", 128, ask_window, "no sliding window"},
        RefusedFeature{"pallas", "block_sparse", 128, ask_block_sparse, "block-sparse"},
        RefusedFeature{"pallas", "soft_cap", 128, ask_soft_cap, "soft cap"},
        RefusedFeature{"pallas", "sinks", 128, ask_sinks, "sinks"}),
    [](const auto& test) { return std::string(test.param.backend) + "_" + test.param.feature; });

TEST_F(Refusals, HeadSizeSentenceNamesTheOption) {
  EXPECT_THAT(
      sdpa_.not_supported_reasons(make_config(2, 1, 48)),
      ElementsAre(
          "TORCH_SDPA stores its cache in the layout of paged attention, which exists for "
          "the head sizes 32, 64, 80, 96, 112, 120, 128, 192, 256, not for 48. With the "
          "option pad_head_size (Head padding in the window), heads are padded with zeros to 64."));
}

TEST_F(Refusals, HeadSizeAboveAllHasNoOption) {
  AttentionConfig config = make_config(2, 1, 300);
  EXPECT_THAT(sdpa_.not_supported_reasons(config), ElementsAre(EndsWith("256, not for 300.")));
  config.pad_head_size = true;
  EXPECT_THAT(sdpa_.not_supported_reasons(config), ElementsAre(EndsWith("256, not for 300.")));
}

TEST_F(Refusals, Fp8CacheUnlessExtended) {
  for (const char* name : {"fp8", "fp8_e4m3", "fp8_e5m2"}) {
    AttentionConfig config = make_config(2, 1, 64);
    config.kv_cache_dtype_name = name;
    EXPECT_THAT(
        sdpa_.not_supported_reasons(config),
        ElementsAre("TORCH_SDPA refuses an fp8 cache, as the original does: the original's prefill "
                    "does not apply the scales of such a cache. The option extended (Extended "
                    "in the window) allows it."));
    config.extended = true;
    EXPECT_THAT(sdpa_.not_supported_reasons(config), IsEmpty());
  }
}

TEST_F(Refusals, Fp8CacheOfAHeadSizeWithoutWholePieces) {
  AttentionConfig config = make_config(2, 1, 120);
  config.kv_cache_dtype_name = "fp8";
  config.extended = true;
  EXPECT_THAT(sdpa_.not_supported_reasons(config),
              ElementsAre("TORCH_SDPA cannot lay out an fp8 cache for head size 120: keys are "
                          "stored in pieces of 16 elements."));
}

TEST_F(Refusals, Int8Cache) {
  AttentionConfig config = make_config(2, 1, 64);
  config.kv_cache_dtype_name = "int8";
  for (const bool extended : {false, true}) {
    config.extended = extended;
    EXPECT_THAT(
        sdpa_.not_supported_reasons(config),
        ElementsAre("TORCH_SDPA does not support an int8 cache: its original knows no such type "
                    "of cache. UNIFIED and REFERENCE do."));
  }
}

TEST_F(Refusals, CacheTypesThatDoNotExist) {
  AttentionConfig config = make_config(2, 1, 64);
  config.kv_cache_dtype_name = "banana";
  EXPECT_THAT(
      sdpa_.not_supported_reasons(config),
      ElementsAre("TORCH_SDPA keeps its cache as f32, bf16, f16 or the model's type (auto), "
                  "not as banana."));
  EXPECT_THAT(backend_named("reference").not_supported_reasons(config),
              ElementsAre("REFERENCE does not support the cache type banana; it supports auto, "
                          "f32, bf16, f16, fp8, fp8_e4m3, fp8_e5m2, int8."));
}

TEST_F(Refusals, NoRefusalForTheCacheTypesThatRun) {
  AttentionConfig config = make_config(2, 1, 64);
  for (const char* name : {"auto", "f32", "bf16", "f16"}) {
    config.kv_cache_dtype_name = name;
    for (const AttentionBackend* backend : {&sdpa_, &backend_named("reference")})
      EXPECT_THAT(backend->not_supported_reasons(config), IsEmpty()) << name;
  }
  for (const char* name : {"fp8", "fp8_e4m3", "fp8_e5m2", "int8"}) {
    config.kv_cache_dtype_name = name;
    EXPECT_THAT(backend_named("reference").not_supported_reasons(config), IsEmpty()) << name;
  }
}

TEST_F(Refusals, AlibiInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.alibi_slopes.emplace(2, 0.5f);
  EXPECT_THAT(sdpa_.not_supported_reasons(config),
              ElementsAre("TORCH_SDPA has no ALiBi in cross attention: there is no distance "
                          "between a token of the decoder and a token of the encoder."));
}

TEST_F(Refusals, WindowInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.sliding_window = 4;
  EXPECT_THAT(sdpa_.not_supported_reasons(config),
              ElementsAre("TORCH_SDPA has no sliding window in cross attention: every token of the "
                          "encoder is visible."));
}

TEST_F(Refusals, NothingIsRefusedByTheReference) {
  AttentionConfig config = make_config(2, 1, 7);
  config.alibi_slopes.emplace(2, 0.5f);
  config.sliding_window = 4;
  config.logits_soft_cap = 3.0f;
  config.sinks.emplace(2, 0.5f);
  config.blocksparse = BlockSparse{};
  config.kv_cache_dtype_name = "int8";
  for (const AttentionType type : {AttentionType::kDecoder, AttentionType::kEncoder,
                                   AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder}) {
    config.attn_type = type;
    EXPECT_THAT(backend_named("reference").not_supported_reasons(config), IsEmpty());
    EXPECT_THAT(backend_named("reference").make_impl(config)->warnings(), IsEmpty());
  }
}

// --- Sentences about a batch ---
AttentionMetadata batch(int64_t context_len, bool with_decode) {
  static const std::vector<int32_t> table{0, 1, 2};
  std::vector<SequenceSlice> slices{{0, context_len, 3, true, table}};
  if (with_decode) slices.push_back({1, 2, 1, false, table});
  return build_metadata(slices, 16);
}

TEST_F(Refusals, MixedBatchUnlessExtended) {
  AttentionConfig config = make_config(2, 1, 64);
  const AttentionMetadata mixed = batch(0, true);
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, mixed),
              ElementsAre("TORCH_SDPA computes either prefills or decodes in one call, not both: "
                          "all sequences of a batch are prompts, or none is."));
  EXPECT_THAT(batch_not_supported_reasons(backend_named("reference"), config, mixed), IsEmpty());
  config.extended = true;
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, mixed), IsEmpty());
}

TEST_F(Refusals, ChunkedPrefillUnlessExtended) {
  AttentionConfig config = make_config(2, 1, 64);
  config.chunked_prefill = true;
  EXPECT_THAT(sdpa_.not_supported_reasons(config),
              ElementsAre(HasSubstr("TORCH_SDPA does not support chunked prefill")));
  config.extended = true;
  EXPECT_THAT(sdpa_.not_supported_reasons(config), IsEmpty());
}

TEST_F(Refusals, APromptWithCachedTokensUnlessExtended) {
  AttentionConfig config = make_config(2, 1, 64);
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, batch(5, false)),
              ElementsAre(HasSubstr("Torch SDPA backend doesn't support prefix decoding.")));
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, batch(0, false)), IsEmpty());
  EXPECT_THAT(batch_not_supported_reasons(backend_named("xformers"), config, batch(5, false)),
              IsEmpty());
  config.extended = true;
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, batch(5, false)), IsEmpty());
}

TEST_F(Refusals, ScoresThatDoNotFitInMemory) {
  AttentionConfig config = make_config(64, 1, 64);
  const std::vector<int32_t> table(256);
  const std::vector<SequenceSlice> slices{{0, 0, 3000, true, table}};
  const AttentionMetadata prompt = build_metadata(slices, 16);
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, prompt), IsEmpty());
  config.backend_options["sdpa_kernel"] = "math";
  for (const bool extended : {false, true}) {
    config.extended = extended;
    EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, prompt),
                ElementsAre(HasSubstr("This is why the flash kernel exists")));
  }
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, batch(0, false)), IsEmpty());
}

TEST_F(Refusals, ACacheOfAnotherTypeThanTheModelUnlessExtended) {
  AttentionConfig config = make_config(2, 1, 64);
  set_cache_dtype(config, "f16", DType::kF32, "here");
  EXPECT_THAT(sdpa_.not_supported_reasons(config),
              ElementsAre(HasSubstr("in the model's type, f32, and not as f16")));
  config.extended = true;
  EXPECT_THAT(sdpa_.not_supported_reasons(config), IsEmpty());
  config.extended = false;
  set_cache_dtype(config, "f16", DType::kF16, "here");
  EXPECT_THAT(sdpa_.not_supported_reasons(config), IsEmpty());
}

TEST_F(Refusals, ScalesOtherThanOneUnlessExtended) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 64);
  spec.sequences = {{3, 0, 1}};
  spec.scales.v_scale = 0.5f;
  const AttentionCase c = make_case(spec);
  EXPECT_THROW(run_case(c, sdpa_), Error);
  AttentionCase extended = make_case(spec);
  extended.spec.config.extended = true;
  run_case(extended, sdpa_);
}

TEST_F(Refusals, PallasCutsNoPrompts) {
  AttentionConfig config = make_config(2, 1, 128);
  const AttentionBackend& pallas = backend_named("pallas");
  EXPECT_THAT(pallas.not_supported_reasons(config), IsEmpty());
  config.chunked_prefill = true;
  EXPECT_THAT(pallas.not_supported_reasons(config),
              ElementsAre(HasSubstr("PALLAS does not support chunked prefill")));
  config.extended = true;
  EXPECT_THAT(pallas.not_supported_reasons(config), IsEmpty());
}

TEST_F(Refusals, DenseBiasInDecode) {
  AttentionConfig config = make_config(2, 1, 64);
  config.extended = true;
  AttentionMetadata metadata = batch(0, false);
  metadata.dense_bias = std::make_shared<Tensor>(DType::kF32, Shape{1, 3, 3});
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, metadata), IsEmpty());
  metadata = batch(0, true);
  metadata.dense_bias = std::make_shared<Tensor>(DType::kF32, Shape{1, 4, 3});
  EXPECT_THAT(batch_not_supported_reasons(sdpa_, config, metadata),
              ElementsAre("TORCH_SDPA does not support a dense bias tensor in decode, because "
                          "paged attention takes none."));
  EXPECT_THAT(batch_not_supported_reasons(backend_named("reference"), config, metadata), IsEmpty());
}

TEST_F(Refusals, SoftCapUnlessExtendedWhichWarns) {
  for (const char* name : {"torch_sdpa", "xformers"}) {
    const AttentionBackend& backend = backend_named(name);
    AttentionConfig config = make_config(2, 1, 64);
    EXPECT_THAT(backend.make_impl(config)->warnings(), IsEmpty());
    config.logits_soft_cap = 30.0f;
    EXPECT_THAT(backend.not_supported_reasons(config), ElementsAre(HasSubstr("soft cap")));
    config.extended = true;
    EXPECT_THAT(backend.not_supported_reasons(config), IsEmpty());
    EXPECT_THAT(backend.make_impl(config)->warnings(),
                ElementsAre(HasSubstr("ignores the logits soft cap")));
  }
}

TEST_F(Refusals, WarningsOfMasks) {
  for (const char* name : {"torch_sdpa", "xformers"}) {
    AttentionConfig config = make_config(2, 1, 64);
    config.alibi_slopes = standard_alibi_slopes(2);
    config.dtype = DType::kF32;
    EXPECT_THAT(backend_named(name).make_impl(config)->warnings(), IsEmpty());
    config.sliding_window = 5;
    EXPECT_THAT(backend_named(name).make_impl(config)->warnings(),
                ElementsAre(HasSubstr("ignores the sliding window")));
    // Beside ALiBi, prompts without cached tokens ignore the window. xformers takes a batch with
    // cached tokens through context attention, which applies the window.
    CaseSpec spec;
    spec.config = config;
    spec.sequences = {{7, 0, 1}, {5, 0, 2}};
    const AttentionBackend& backend = backend_named(name);
    EXPECT_EQ(backend.rows_without_window(config, make_case(spec).metadata, 0), 7);
    spec.sequences[1].context_len = 9;
    const AttentionCase cached = make_case(spec);
    EXPECT_EQ(backend.rows_without_window(config, cached.metadata, 0),
              backend.name() == "xformers" ? 0 : 7);
    EXPECT_EQ(backend.rows_without_window(config, cached.metadata, 1), 0);
    config.alibi_slopes.reset();
    EXPECT_EQ(backend.rows_without_window(config, make_case(spec).metadata, 0), 0);
    config.alibi_slopes = standard_alibi_slopes(2);
    config.sliding_window.reset();
    config.dtype = DType::kBF16;
    EXPECT_THAT(backend_named(name).make_impl(config)->warnings(),
                ElementsAre(HasSubstr("as a tensor of bf16")));
  }
  AttentionConfig encoder = make_config(2, 1, 64);
  encoder.attn_type = AttentionType::kEncoderOnly;
  EXPECT_THAT(sdpa_.make_impl(encoder)->warnings(), IsEmpty());
  encoder.sliding_window = 5;
  EXPECT_THAT(sdpa_.make_impl(encoder)->warnings(),
              ElementsAre(HasSubstr("do not see later ones")));
}

TEST_F(Refusals, WhatNoBackendAcceptsIsBadInput) {
  for (const auto& broken :
       {make_config(0, 1, 64), make_config(6, 4, 64), make_config(300, 1, 64)}) {
    for (const AttentionBackend* backend : registered_backends()) {
      try {
        backend->make_impl(broken);
        FAIL() << backend->name();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      }
    }
  }
}

TEST_F(Refusals, UnknownBackendNamesTheNearest) {
  try {
    backend_named("torch_spda");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Did you mean `torch_sdpa`"));
  }
}

TEST_F(Refusals, UnifiedHasNoAlibiInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.alibi_slopes.emplace(2, 0.5f);
  EXPECT_THAT(backend_named("unified").not_supported_reasons(config),
              ElementsAre("UNIFIED has no ALiBi in cross attention: there is no distance between a "
                          "token of the decoder and a token of the encoder."));
}

TEST_F(Refusals, UnifiedHasNoRelativeBiasInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.relative_bias = random_relative_bias(2, 4, 4);
  EXPECT_THAT(backend_named("unified").not_supported_reasons(config),
              ElementsAre("UNIFIED has no relative position bias in cross attention: there is no "
                          "distance between a token of the decoder and a token of the encoder."));
}

TEST_F(Refusals, UnifiedHasNoSlidingWindowInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.sliding_window = 8;
  EXPECT_THAT(backend_named("unified").not_supported_reasons(config),
              ElementsAre("UNIFIED has no sliding window in cross attention: every token of the "
                          "encoder is visible."));
}

TEST_F(Refusals, UnifiedHasNoBlockSparseInCrossAttention) {
  AttentionConfig config = make_config(2, 1, 64);
  config.attn_type = AttentionType::kEncoderDecoder;
  config.blocksparse = BlockSparse{};
  EXPECT_THAT(backend_named("unified").not_supported_reasons(config),
              ElementsAre("UNIFIED has no block-sparse attention in cross attention: its blocks "
                          "are counted from the position of the query."));
}

TEST_F(Refusals, UnifiedKnowsNoOtherCacheType) {
  AttentionConfig config = make_config(2, 1, 64);
  config.kv_cache_dtype_name = "banana";
  EXPECT_THAT(
      backend_named("unified").not_supported_reasons(config),
      ElementsAre(HasSubstr("UNIFIED does not support the cache type banana; it supports auto")));
}

}  // namespace
}  // namespace attn::testing
