// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of the attention types; also AttentionState, the names of cache types, and padding
// of heads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/attention/attention_state.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

AttentionMetadata encoder_decoder_batch() {
  static const std::vector<int32_t> self[] = {{7, 2}, {4}, {9, 1, 3}};
  static const std::vector<int32_t> cross[] = {{5, 6}, {8}, {10}};
  const std::vector<SequenceSlice> slices{{10, 0, 5, true, self[0], 6, cross[0]},
                                          {11, 2, 2, true, self[1], 3, cross[1]},
                                          {12, 8, 1, false, self[2], 4, cross[2]}};
  return build_metadata(slices, 4);
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(CacheDtype, UnknownNamesAreRefusedWithAllThatAreKnown) {
  for (const std::string& name : cache_dtype_names()) {
    AttentionConfig config;
    set_cache_dtype(config, name, DType::kF16, "here");
    EXPECT_EQ(config.kv_cache_dtype_name, name);
    EXPECT_EQ(config.kv_cache_dtype_auto, name == "auto");
    EXPECT_EQ(config.kv_cache_dtype, cache_dtype_from_name(name).value_or(DType::kF16));
  }
  for (const std::string name : {"", "F32", "bf 16", "fp8_e4m3fn", "banana"}) {
    AttentionConfig config;
    EXPECT_THAT(error_of([&] { set_cache_dtype(config, name, DType::kBF16, "here"); }),
                HasSubstr("no such cache type at here: found \"" + name +
                          "\", allowed auto, f32, bf16, f16, fp8, fp8_e4m3, fp8_e5m2, int8"));
    EXPECT_EQ(config.kv_cache_dtype_name, "auto");
  }
}

TEST(AttentionTypeMetadata, BuilderSetsTheEncoderFields) {
  const AttentionMetadata m = encoder_decoder_batch();
  EXPECT_THAT(*m.encoder_seq_lens, ElementsAre(6, 3, 4));
  EXPECT_EQ(*m.num_encoder_tokens, 9);
  EXPECT_EQ(*m.max_encoder_seq_len, 6);
  EXPECT_THAT(*m.cross_slot_mapping, ElementsAre(20, 21, 22, 23, 24, 25, 32, 33, 34));
  EXPECT_THAT(*m.cross_block_tables, ElementsAre(5, 6, 8, -1, 10, -1));
  EXPECT_NO_THROW(validate_for(AttentionType::kEncoderDecoder, m, 11, 4));
}

TEST(AttentionTypeMetadata, PartsKeepTheirShareOfTheEncoder) {
  const AttentionMetadata m = encoder_decoder_batch();
  const AttentionMetadata& prefill = *m.prefill_metadata();
  EXPECT_THAT(*prefill.encoder_seq_lens, ElementsAre(6, 3));
  EXPECT_EQ(*prefill.num_encoder_tokens, 9);
  EXPECT_EQ(prefill.cross_slot_mapping, m.cross_slot_mapping);
  EXPECT_THAT(*prefill.cross_block_tables, ElementsAre(5, 6, 8, -1));
  const AttentionMetadata& decode = *m.decode_metadata();
  EXPECT_THAT(*decode.encoder_seq_lens, ElementsAre(4));
  EXPECT_EQ(*decode.num_encoder_tokens, 0);
  EXPECT_TRUE(decode.cross_slot_mapping->empty());
  EXPECT_THAT(*decode.cross_block_tables, ElementsAre(10, -1));
  EXPECT_EQ(*decode.max_encoder_seq_len, 4);
  EXPECT_EQ(prefill.prefill_metadata(), &prefill);
  EXPECT_EQ(prefill.decode_metadata(), nullptr);
  EXPECT_EQ(decode.decode_metadata(), &decode);
}

TEST(AttentionTypeMetadata, LengthsAndTablesOfEveryType) {
  const AttentionMetadata m = encoder_decoder_batch();
  const auto of = [&](AttentionType type) {
    const SeqLens lens = m.seq_lens_for(type);
    return std::pair(std::vector(lens.query.begin(), lens.query.end()),
                     std::vector(lens.kv.begin(), lens.kv.end()));
  };
  using Lengths = std::vector<int32_t>;
  EXPECT_EQ(of(AttentionType::kDecoder), std::pair(Lengths{5, 4, 9}, Lengths{5, 4, 9}));
  EXPECT_EQ(of(AttentionType::kEncoder), std::pair(Lengths{6, 3, 4}, Lengths{6, 3, 4}));
  EXPECT_EQ(of(AttentionType::kEncoderDecoder), std::pair(Lengths{5, 4, 9}, Lengths{6, 3, 4}));
  EXPECT_EQ(m.block_table_args_for(AttentionType::kDecoder, true).max_seq_len, 5);
  EXPECT_EQ(m.block_table_args_for(AttentionType::kDecoder, false).max_seq_len, 9);
  EXPECT_EQ(m.block_table_args_for(AttentionType::kDecoder, true).max_blocks_per_seq, 3);
  const BlockTableArgs cross = m.block_table_args_for(AttentionType::kEncoderDecoder, true);
  EXPECT_THAT(cross.block_tables, ElementsAre(5, 6, 8, -1, 10, -1));
  EXPECT_EQ(cross.max_seq_len, 6);
  EXPECT_EQ(cross.max_blocks_per_seq, 2);
  EXPECT_TRUE(m.block_table_args_for(AttentionType::kEncoder, true).block_tables.empty());
}

TEST(AttentionTypeMetadata, EncoderNamesItsMissingFields) {
  AttentionMetadata m = encoder_decoder_batch();
  m.encoder_seq_lens.reset();
  m.max_encoder_seq_len.reset();
  const std::string text = error_of([&] { m.seq_lens_for(AttentionType::kEncoder); });
  EXPECT_THAT(text, HasSubstr("attention type ENCODER: found no encoder_seq_lens, "
                              "max_encoder_seq_len, allowed all of them set"));
  EXPECT_THAT(text, Not(HasSubstr("num_encoder_tokens")));
}

TEST(AttentionTypeMetadata, EveryFieldOfCrossAttentionIsNamed) {
  const auto missing = [](auto&& drop) {
    AttentionMetadata m = encoder_decoder_batch();
    drop(m);
    return error_of([&] { m.block_table_args_for(AttentionType::kEncoderDecoder, false); });
  };
  EXPECT_THAT(missing([](auto& m) { m.encoder_seq_lens.reset(); }),
              HasSubstr("no encoder_seq_lens"));
  EXPECT_THAT(missing([](auto& m) { m.num_encoder_tokens.reset(); }),
              HasSubstr("no num_encoder_tokens"));
  EXPECT_THAT(missing([](auto& m) { m.max_encoder_seq_len.reset(); }),
              HasSubstr("no max_encoder_seq_len"));
  EXPECT_THAT(missing([](auto& m) { m.cross_slot_mapping.reset(); }),
              HasSubstr("no cross_slot_mapping"));
  EXPECT_THAT(missing([](auto& m) { m.cross_block_tables.reset(); }),
              HasSubstr("no cross_block_tables"));
  EXPECT_EQ(missing([](auto&) {}), "no error");
}

TEST(AttentionTypeMetadata, EncoderOnlyHasNoDecodes) {
  const AttentionMetadata m = encoder_decoder_batch();
  EXPECT_THAT(error_of([&] { m.require_fields(AttentionType::kEncoderOnly); }),
              HasSubstr("num_decode_tokens: found 1, allowed 0 for attention type ENCODER_ONLY"));
  AttentionMetadata prompts = *m.prefill_metadata();
  EXPECT_THAT(error_of([&] { prompts.require_fields(AttentionType::kEncoderOnly); }),
              HasSubstr("no cached tokens at context_lens[1]: found 2"));
  prompts.context_lens[1] = 0;
  EXPECT_NO_THROW(prompts.require_fields(AttentionType::kEncoderOnly));
}

TEST(AttentionTypeMetadata, ValidationNamesWhatDoesNotFit) {
  const auto broken = [](auto&& break_it) {
    AttentionMetadata m = encoder_decoder_batch();
    break_it(m);
    return error_of([&] { validate_for(AttentionType::kEncoderDecoder, m, 11, 4); });
  };
  EXPECT_THAT(broken([](auto& m) { m.encoder_seq_lens->pop_back(); }),
              HasSubstr("`encoder_seq_lens` has the wrong length"));
  EXPECT_THAT(broken([](auto& m) { (*m.encoder_seq_lens)[1] = -1; }),
              HasSubstr("encoder_seq_lens[1]"));
  EXPECT_THAT(broken([](auto& m) { m.num_encoder_tokens = 8; }),
              HasSubstr("`num_encoder_tokens` has the wrong length"));
  EXPECT_THAT(broken([](auto& m) { m.max_encoder_seq_len = 5; }), HasSubstr("max_encoder_seq_len"));
  EXPECT_THAT(broken([](auto& m) { m.cross_slot_mapping->pop_back(); }),
              HasSubstr("`cross_slot_mapping` has the wrong length"));
  EXPECT_THAT(broken([](auto& m) { (*m.cross_slot_mapping)[2] = 44; }),
              HasSubstr("cross_slot_mapping[2]"));
  EXPECT_THAT(broken([](auto& m) { (*m.cross_slot_mapping)[2] = 20; }),
              HasSubstr("slot 20, as in cross_slot_mapping[0]"));
  EXPECT_THAT(broken([](auto& m) { (*m.cross_block_tables)[4] = 11; }),
              HasSubstr("cross_block_tables[2][0]"));
  EXPECT_THAT(broken([](auto& m) { (*m.cross_block_tables)[1] = -1; }),
              HasSubstr("cross_block_tables[0][1]"));
  EXPECT_THAT(broken([](auto& m) { m.cross_block_tables->resize(3); }),
              HasSubstr("cross block table is too short"));
}

TEST(AttentionTypeMetadata, BuilderRefusesShortCrossTables) {
  static const std::vector<int32_t> self{1}, cross{2};
  const std::vector<SequenceSlice> slices{{10, 0, 3, true, self, 5, cross}};
  EXPECT_THAT(error_of([&] { build_metadata(slices, 4); }),
              HasSubstr("cross block table does not cover the encoder's tokens"));
}

TEST(AttentionTypeMetadata, BiasesAreKeptPerType) {
  const AttentionMetadata m = encoder_decoder_batch();
  EXPECT_EQ(m.attn_bias_for(AttentionType::kDecoder), nullptr);
  m.set_attn_bias(AttentionType::kDecoder, {std::make_shared<NoMask>(1, 1)});
  m.set_attn_bias(AttentionType::kEncoder, {});
  EXPECT_EQ(m.attn_bias_for(AttentionType::kDecoder)->size(), 1u);
  EXPECT_TRUE(m.attn_bias_for(AttentionType::kEncoder)->empty());
  EXPECT_EQ(m.attn_bias_for(AttentionType::kEncoderOnly), nullptr);
  EXPECT_EQ(m.attn_bias_for(AttentionType::kEncoderDecoder), nullptr);
  m.forget_attn_biases();
  EXPECT_EQ(m.attn_bias_for(AttentionType::kDecoder), nullptr);
}

TEST(AttentionTypeMetadata, DenseBiasFollowsItsRows) {
  AttentionMetadata m = encoder_decoder_batch();
  auto bias = std::make_shared<Tensor>(DType::kF32, Shape{2, 8, 9});
  for (int64_t i = 0; i < bias->size(); ++i) bias->data<float>()[i] = static_cast<float>(i);
  m.dense_bias = bias;
  EXPECT_EQ(*m.decode_metadata()->dense_bias_at(0), 7 * 9);
  EXPECT_EQ(m.decode_metadata()->dense_bias_head_stride(), 72);
  EXPECT_EQ(*m.prefill_metadata()->dense_bias_at(5), 5 * 9);
}

// --- State ---
TEST(AttentionState, CapturesOneTwoFourAndMultiplesOfEight) {
  EXPECT_THAT(AttentionState::capture_sizes(1), ElementsAre(1));
  EXPECT_THAT(AttentionState::capture_sizes(3), ElementsAre(1, 2, 4));
  EXPECT_THAT(AttentionState::capture_sizes(17), ElementsAre(1, 2, 4, 8, 16, 24));
  EXPECT_THAT(AttentionState::capture_sizes(24), ElementsAre(1, 2, 4, 8, 16, 24));
  for (int64_t batch = 1; batch < 70; ++batch) {
    const auto sizes = AttentionState::capture_sizes(70);
    const auto wanted = std::ranges::find_if(sizes, [&](int64_t size) { return size >= batch; });
    EXPECT_EQ(AttentionState::padded_batch(batch), *wanted);
  }
}

CaptureSpec small_spec() {
  CaptureSpec spec;
  spec.config.num_heads = spec.config.num_kv_heads = 2;
  spec.config.head_size = 8;
  spec.max_blocks_per_seq = 4;
  spec.block_size = 4;
  return spec;
}

TEST(AttentionState, PreparedBatchIsPadded) {
  AttentionState state;
  state.capture(6, small_spec(), Execution{});
  EXPECT_EQ(state.max_captured_batch(), 8);
  static const std::vector<int32_t> tables[] = {{3}, {1, 0}, {2}};
  const std::vector<SequenceSlice> slices{
      {5, 2, 1, false, tables[0]}, {6, 6, 1, false, tables[1]}, {7, 0, 1, false, tables[2]}};
  const AttentionMetadata decode = build_metadata(slices, 4);
  const CapturedPlan* plan = state.prepare_input_buffers(decode);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->batch, 4);
  EXPECT_EQ(plan->rows, 3);
  EXPECT_THAT(plan->metadata.seq_lens, ElementsAre(3, 7, 1, 0));
  EXPECT_THAT(plan->metadata.slot_mapping, ElementsAre(14, 2, 8, -1));
  EXPECT_THAT(plan->metadata.block_tables,
              ElementsAre(3, -1, -1, -1, 1, 0, -1, -1, 2, -1, -1, -1, -1, -1, -1, -1));
  EXPECT_EQ(plan->metadata.max_decode_seq_len, 7);
  EXPECT_EQ(&plan->metadata, &state.metadata_for_batch(4));
  EXPECT_EQ(state.input_buffers(4).seq_lens.data(), plan->metadata.seq_lens.data());
  const std::vector<SequenceSlice> fewer{
      {5, 2, 1, false, tables[0]}, {7, 0, 1, false, tables[2]}, {8, 0, 1, false, tables[2]}};
  state.prepare_input_buffers(build_metadata(fewer, 4));
  EXPECT_THAT(plan->metadata.block_tables,
              ElementsAre(3, -1, -1, -1, 2, -1, -1, -1, 2, -1, -1, -1, -1, -1, -1, -1));
}

TEST(AttentionState, RefusesWhatWasNotCaptured) {
  AttentionState state;
  EXPECT_THAT(error_of([&] { state.metadata_for_batch(1); }), HasSubstr("no plan is captured"));
  EXPECT_THAT(error_of([&] { state.capture(0, small_spec(), Execution{}); }),
              HasSubstr("a plan cannot be captured"));
  state.capture(2, small_spec(), Execution{});
  EXPECT_THAT(error_of([&] { state.input_buffers(3); }), HasSubstr("up to 2"));
  EXPECT_EQ(state.prepare_input_buffers(encoder_decoder_batch()), nullptr);
}

TEST(AttentionState, SharedObjectsAreMadeOnce) {
  AttentionState state;
  state.shared<std::vector<int>>().push_back(7);
  EXPECT_THAT(state.shared<std::vector<int>>(), ElementsAre(7));
  EXPECT_TRUE(state.shared<std::vector<float>>().empty());
}

TEST(PadHeads, CopiesPadAndCrop) {
  Tensor narrow(DType::kF32, {2, 1, 3}), wide(DType::kF32, {2, 1, 5}), back(DType::kF32, {2, 1, 3});
  for (int64_t i = 0; i < 6; ++i) narrow.data<float>()[i] = static_cast<float>(i + 1);
  for (float& x : wide.span<float>()) x = 9;
  copy_heads(narrow, wide);
  EXPECT_THAT(wide.span<float>(), ElementsAre(1, 2, 3, 0, 0, 4, 5, 6, 0, 0));
  copy_heads(wide, back);
  EXPECT_THAT(back.span<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

}  // namespace
}  // namespace attn
