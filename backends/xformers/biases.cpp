// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/xformers/biases.h"

#include <algorithm>
#include <string_view>

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

BiasList build(const AttentionConfig& config, const Lengths& lengths) {
  if (config.attn_type != AttentionType::kDecoder)
    return {std::make_shared<BlockDiagonalMask>(lengths.query, lengths.keys)};
  if (!config.alibi_slopes) return {causal_mask(config, lengths.query, lengths.keys)};
  BiasList biases;
  for (size_t s = 0; s < lengths.query.size(); ++s) {
    BiasPtr mask;
    if (config.sliding_window)
      mask = causal_mask(config, {&lengths.query[s], 1}, {&lengths.keys[s], 1});
    else
      mask = std::make_shared<LowerTriangularMask>(lengths.query[s], lengths.keys[s]);
    biases.push_back(std::make_shared<AlibiBias>(std::move(mask), *config.alibi_slopes));
  }
  return biases;
}

// Whether `bias` is the mask that build() makes for sequences first .. first + count - 1 of
// `lengths`. Another backend may have left its own biases on the batch.
bool fits(const AttentionBias& bias, std::string_view name, const AttentionConfig& config,
          const Lengths& lengths, size_t first, size_t count) {
  const auto* mask = dynamic_cast<const BlockDiagonalRule*>(&bias);
  const auto same = [&](const std::vector<int64_t>& found, const std::vector<int32_t>& expected) {
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first);
    return std::equal(found.begin(), found.end(), begin,
                      begin + static_cast<std::ptrdiff_t>(count));
  };
  return mask && mask->name() == name && same(mask->queries().lens, lengths.query) &&
         same(mask->keys().lens, lengths.keys) &&
         (!config.sliding_window || mask->rule().before == *config.sliding_window - 1);
}

bool fits(const BiasList& biases, const AttentionConfig& config, const Lengths& lengths) {
  const size_t sequences = lengths.query.size();
  const std::string_view local = "BlockDiagonalCausalLocalAttentionMask";
  if (config.attn_type != AttentionType::kDecoder)
    return biases.size() == 1 &&
           fits(*biases[0], "BlockDiagonalMask", config, lengths, 0, sequences);
  if (!config.alibi_slopes)
    return biases.size() == 1 &&
           fits(*biases[0], config.sliding_window ? local : "BlockDiagonalCausalMask", config,
                lengths, 0, sequences);
  if (biases.size() != sequences) return false;
  for (size_t s = 0; s < sequences; ++s) {
    const auto* alibi = dynamic_cast<const AlibiBias*>(biases[s].get());
    if (!alibi || !std::ranges::equal(alibi->slopes(), *config.alibi_slopes) ||
        !fits(alibi->mask(), config.sliding_window ? local : "LowerTriangularMask", config, lengths,
              s, 1))
      return false;
  }
  return true;
}

uint32_t clamp_u32(int64_t value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX));
}

}  // namespace

const BiasList& packed_biases(const AttentionConfig& config, const AttentionMetadata& part,
                              const Execution& execution) {
  const BiasList* kept = part.attn_bias_for(config.attn_type);
  const Lengths lengths = lengths_of(config, part);
  if (kept && fits(*kept, config, lengths)) return *kept;
  BiasList biases = build(config, lengths);
  int64_t rows = 0, keys = 0, bytes = 0;
  for (const BiasPtr& bias : biases) {
    rows += bias->num_queries();
    keys += bias->num_keys();
    bytes += static_cast<int64_t>(bias->bytes());
  }
  emit_instant(execution, EventKind::kBiasBuilt, execution.step, clamp_u32(rows), clamp_u32(keys),
               clamp_u32(bytes));
  part.set_attn_bias(config.attn_type, std::move(biases));
  return *part.attn_bias_for(config.attn_type);
}

}  // namespace attn::backends::xformers
