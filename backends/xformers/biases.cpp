// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/xformers/biases.h"

#include <algorithm>
#include <string_view>

#include "backends/xformers/memory_efficient_prefill.h"
#include "backends/xformers/prefix_prefill.h"
#include "engine/core/counted.h"
#include "engine/kernels/fault.h"
#include "engine/trace/bias_event.h"

namespace attn::backends::xformers {
namespace {

struct Lengths {
  std::vector<int32_t> query, keys;  // [S]
};

Lengths lengths_of(const AttentionConfig& config, const AttentionMetadata& part) {
  const SeqLens lens = part.seq_lens_for(config.attn_type);
  Lengths lengths;
  lengths.keys.assign(lens.kv.begin(), lens.kv.end());
  if (config.attn_type == AttentionType::kEncoder) {
    lengths.query = lengths.keys;
    return lengths;
  }
  for (int64_t s = 0; s < part.num_seqs(); ++s)
    lengths.query.push_back(static_cast<int32_t>(part.query_len(s)));
  return lengths;
}

BiasPtr causal_mask(const AttentionConfig& config, std::span<const int32_t> query,
                    std::span<const int32_t> keys) {
  if (config.sliding_window)
    return std::make_shared<BlockDiagonalCausalLocalAttentionMask>(query, keys,
                                                                   *config.sliding_window);
  return std::make_shared<BlockDiagonalCausalMask>(query, keys);
}

BiasPtr tensor_bias(const AttentionConfig& config, int64_t len, DType dtype) {
  return std::make_shared<LowerTriangularMaskWithTensorBias>(
      std::make_shared<const Tensor>(
          alibi_tensor(*config.alibi_slopes, len, padded_columns(len), dtype)),
      len);
}

BiasList build(const AttentionConfig& config, const Lengths& lengths, DType dtype) {
  if (ATTN_FAULT(kPackedMaskCausal) && config.attn_type == AttentionType::kEncoder)
    return {causal_mask(config, lengths.query, lengths.keys)};
  if (config.attn_type != AttentionType::kDecoder)
    return {std::make_shared<BlockDiagonalMask>(lengths.query, lengths.keys)};
  if (!config.alibi_slopes) return {causal_mask(config, lengths.query, lengths.keys)};
  BiasList biases;
  for (const int32_t len : lengths.keys) biases.push_back(tensor_bias(config, len, dtype));
  return biases;
}

// Whether `bias` is the tensor bias that build() makes for a sequence.
bool fits(const AttentionBias& bias, const AttentionConfig& config, int64_t len, DType dtype) {
  const auto* kept = dynamic_cast<const LowerTriangularMaskWithTensorBias*>(&bias);
  if (!kept || kept->num_queries() != len || kept->tensor().dtype() != dtype ||
      kept->tensor().dim(2) != padded_columns(len) ||
      kept->num_heads() != static_cast<int64_t>(config.alibi_slopes->size()))
    return false;
  if (len < 2) return true;  // with one token, the bias is 0 for any slopes
  const Tensor corner = alibi_tensor(*config.alibi_slopes, 2, 2, dtype);
  for (int64_t head = 0; head < kept->num_heads(); ++head)
    if (element(kept->tensor(), head, 1, 0) != element(corner, head, 1, 0)) return false;
  return true;
}

// Whether `bias` is the mask that build() makes for the packed batch. Another backend may have left
// its own biases on the batch.
bool fits(const AttentionBias& bias, std::string_view name, const AttentionConfig& config,
          const Lengths& lengths, size_t count) {
  const auto* mask = dynamic_cast<const BlockDiagonalRule*>(&bias);
  const auto same = [&](const std::vector<int64_t>& found, const std::vector<int32_t>& expected) {
    return found.size() == count && std::ranges::equal(found, expected);
  };
  return mask && mask->name() == name && same(mask->queries().lens, lengths.query) &&
         same(mask->keys().lens, lengths.keys) &&
         (!config.sliding_window || mask->rule().before == *config.sliding_window - 1);
}

bool fits(const BiasList& biases, const AttentionConfig& config, const Lengths& lengths,
          DType dtype) {
  const size_t sequences = lengths.query.size();
  if (config.attn_type != AttentionType::kDecoder)
    return biases.size() == 1 && biases[0] &&
           fits(*biases[0], "BlockDiagonalMask", config, lengths, sequences);
  if (!config.alibi_slopes)
    return biases.size() == 1 && biases[0] &&
           fits(*biases[0],
                config.sliding_window ? "BlockDiagonalCausalLocalAttentionMask"
                                      : "BlockDiagonalCausalMask",
                config, lengths, sequences);
  if (biases.size() != sequences) return false;
  for (size_t s = 0; s < sequences; ++s)
    if (!biases[s] || !fits(*biases[s], config, lengths.keys[s], dtype)) return false;
  return true;
}

}  // namespace

double tensor_bias_bytes(const AttentionConfig& config, int64_t len, DType dtype) {
  if (!config.alibi_slopes || config.attn_type != AttentionType::kDecoder) return 0;
  return static_cast<double>(config.alibi_slopes->size()) * static_cast<double>(len) *
         static_cast<double>(padded_columns(len)) * static_cast<double>(size_of(dtype));
}

int64_t held_bytes(const AttentionBias& bias) {
  const auto* with_tensor = dynamic_cast<const TensorBias*>(&bias);
  return static_cast<int64_t>(with_tensor ? with_tensor->tensor().bytes() : bias.bytes());
}

const BiasList& packed_biases(const AttentionConfig& config, const AttentionMetadata& part,
                              DType dtype, const Execution& execution) {
  const BiasList* kept = part.attn_bias_for(config.attn_type);
  const Lengths lengths = lengths_of(config, part);
  const bool again = kept && fits(*kept, config, lengths, dtype);
  if (again && !ATTN_FAULT(kMaskRebuilt)) return *kept;
  BiasList biases = build(config, lengths, dtype);
  int64_t rows = 0, keys = 0, bytes = 0;
  for (const BiasPtr& bias : biases) {
    rows += bias->num_queries();
    keys += bias->num_keys();
    bytes += held_bytes(*bias);
  }
  emit_bias_built(execution, rows, keys, bytes);
  part.set_attn_bias(config.attn_type, std::move(biases));
  return *part.attn_bias_for(config.attn_type);
}

std::vector<PlannedCall> prefill_calls(const AttentionConfig& config,
                                       const AttentionMetadata& prefills) {
  std::vector<PlannedCall> calls;
  const bool is_decoder = config.attn_type == AttentionType::kDecoder;
  const int64_t cached =
      is_decoder ? std::ranges::count_if(prefills.context_lens, [](int32_t len) { return len > 0; })
                 : 0;
  if (is_decoder && cached == 0 && config.alibi_slopes) {
    add_calls_of_one_prompt(config, prefills, KernelId::kMemoryEfficientPrefill,
                            translatable("Step",
                                         "With ALiBi each prompt has its own bias tensor: one "
                                         "call each."),
                            calls);
    return calls;
  }
  PlannedCall call = prefill_call(
      config, prefills, cached > 0 ? KernelId::kPrefixPrefill : KernelId::kMemoryEfficientPrefill,
      0, prefills.num_seqs());
  if (cached > 0)
    call.reasons.push_back(
        {translatable("Step",
                      "%1 cached tokens, so context attention takes all prompts of the batch and "
                      "reads these tokens from the pages."),
         {counted(cached, translatable("Step", "1 prompt has"),
                  translatable("Step", "%1 prompts have"))}});
  else
    call.reasons.emplace_back(translatable(
        "Step", "The prompts are packed one after the other: one call for all of them."));
  calls.push_back(std::move(call));
  return calls;
}

std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& prefills) {
  const int64_t sequences = prefills.num_seqs();
  const bool has_prefix =
      config.attn_type == AttentionType::kDecoder &&
      std::ranges::any_of(prefills.context_lens, [](int32_t len) { return len > 0; });
  if (has_prefix) {
    PlannedMask mask = rule_mask(config, prefills, 0, sequences);
    mask.name = translatable("Step", "rule in context attention");
    mask.tiles = visited_tiles(*mask.rule, kPrefixQueries, kKvTile);
    return {mask};
  }
  const Lengths lengths = lengths_of(config, prefills);
  std::vector<PlannedMask> masks;
  if (!config.alibi_slopes) {
    PlannedMask mask = rule_mask(config, prefills, 0, sequences);
    const BiasPtr built = build(config, lengths, DType::kF32).front();
    mask.rule = std::static_pointer_cast<const BlockDiagonalRule>(built);
    mask.name = Sentence::same(built->name());
    mask.bytes = static_cast<int64_t>(built->bytes());
    mask.kept = true;
    mask.tiles = visited_tiles(*mask.rule, kBlockQueries, kKvTile);
    return {mask};
  }
  AttentionConfig rule = config;
  rule.sliding_window.reset();
  for (int64_t s = 0; s < sequences; ++s) {
    PlannedMask mask = rule_mask(rule, prefills, s, 1);
    mask.name = Sentence::same("LowerTriangularMaskWithTensorBias");
    mask.form = MaskForm::kDense;
    mask.dtype = config.dtype.value_or(DType::kF32);
    mask.bytes = static_cast<int64_t>(
        tensor_bias_bytes(config, lengths.keys[static_cast<size_t>(s)], mask.dtype));
    mask.kept = true;
    mask.tiles = visited_tiles(*mask.rule, kBlockQueries, kKvTile);
    masks.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace attn::backends::xformers
