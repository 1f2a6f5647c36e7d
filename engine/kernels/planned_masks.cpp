// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/planned_masks.h"

#include <algorithm>
#include <limits>

#include "engine/kernels/prefill/tile_rows.h"
#include "engine/kernels/tiles/bf16_unit.h"

namespace attn {
namespace {

class PackedRule final : public BlockDiagonalRule {
 public:
  PackedRule(std::span<const int32_t> query, std::span<const int32_t> keys, DiagonalRule rule)
      : BlockDiagonalRule("PackedRule", SeqLenInfo::from_seqlens(query),
                          SeqLenInfo::from_seqlens(keys), rule) {}
};

}  // namespace

std::string_view name_of(MaskForm form) {
  switch (form) {
    case MaskForm::kFlag:
      return "flag";
    case MaskForm::kDense:
      return "dense";
    case MaskForm::kPerTile:
      break;
  }
  return "per tile";
}

std::vector<KeySpan> PlannedMask::seen(int64_t head, int64_t query) const {
  const KeySpan span = rule->visible(query);
  if (span.empty()) return {};
  if (!blocksparse) return {span};
  const int64_t first_key = rule->keys().starts[static_cast<size_t>(rule->sequence_of(query))];
  const int64_t size = blocksparse->block_size;
  const int64_t query_block = (rule->diagonal(query) - first_key) / size;
  std::vector<KeySpan> runs;
  for (int64_t key = span.begin; key < span.end;) {
    const int64_t block = (key - first_key) / size;
    const int64_t end = std::min(span.end, first_key + (block + 1) * size);
    if (sees_block(*blocksparse, head, query_block, block)) {
      if (runs.empty() || runs.back().end != key) runs.push_back({key, key});
      runs.back().end = end;
    }
    key = end;
  }
  return runs;
}

float PlannedMask::value(int64_t head, int64_t query, int64_t key) const {
  const float masked = rule->value(0, query, key);
  if (masked != 0 || (slopes.empty() && relative_bias.empty() && !blocksparse)) return masked;
  const int64_t first_key = rule->keys().starts[static_cast<size_t>(rule->sequence_of(query))];
  if (blocksparse &&
      !sees_key(*blocksparse, head, rule->diagonal(query) - first_key, key - first_key))
    return -std::numeric_limits<float>::infinity();
  const int64_t position = rule->diagonal(query) - first_key;
  const float bias = relative_bias.at(head, position, key - first_key);
  if (slopes.empty()) return bias;
  return bias + alibi_element(slopes[static_cast<size_t>(head)], position, key - first_key, dtype);
}

bool PlannedMask::visits(int64_t head, const MaskTile& tile) const {
  if (!blocksparse) return true;
  const int64_t first_key = rule->keys().starts[static_cast<size_t>(rule->sequence_of(tile.row))];
  const auto block_of = [&](int64_t key) { return (key - first_key) / blocksparse->block_size; };
  const int64_t last_query = block_of(rule->diagonal(tile.row + tile.rows - 1));
  const int64_t last_key = block_of(tile.key + tile.keys - 1);
  for (int64_t query = block_of(rule->diagonal(tile.row)); query <= last_query; ++query)
    for (int64_t key = block_of(tile.key); key <= last_key; ++key)
      if (sees_block(*blocksparse, head, query, key)) return true;
  return false;
}

PlannedMask rule_mask(const AttentionConfig& config, const AttentionMetadata& prefills,
                      int64_t first, int64_t count) {
  const SeqLens lens = prefills.seq_lens_for(config.attn_type);
  std::vector<int32_t> query, keys;
  bool has_context = false;
  for (int64_t s = first; s < first + count; ++s) {
    const auto i = static_cast<size_t>(s);
    keys.push_back(lens.kv[i]);
    query.push_back(config.attn_type == AttentionType::kEncoder
                        ? lens.kv[i]
                        : static_cast<int32_t>(prefills.query_len(s)));
    has_context = has_context || prefills.context_lens[i] > 0;
  }
  DiagonalRule rule;
  rule.causal = config.attn_type == AttentionType::kDecoder;
  rule.from_bottom_right = rule.causal && has_context;
  if (config.sliding_window) rule.before = *config.sliding_window - 1;
  PlannedMask mask;
  mask.first_sequence = first;
  mask.sequences = count;
  mask.rule = std::make_shared<PackedRule>(query, keys, rule);
  if (config.alibi_slopes) mask.slopes = *config.alibi_slopes;
  mask.relative_bias = config.relative_bias;
  mask.blocksparse = config.blocksparse;
  return mask;
}

std::vector<MaskTile> visited_tiles(const BlockDiagonalRule& rule, int64_t rows, int64_t keys,
                                    bool all) {
  std::vector<MaskTile> tiles;
  for (int64_t s = 0; s < rule.queries().num_seqs(); ++s) {
    const auto i = static_cast<size_t>(s);
    const int64_t first_row = rule.queries().starts[i], first_key = rule.keys().starts[i];
    const int64_t row_count = rule.queries().lens[i], key_count = rule.keys().lens[i];
    for (int64_t row = 0; row < row_count; row += rows) {
      const int64_t tile_rows = std::min(rows, row_count - row);
      KeySpan seen{key_count, 0};
      for (int64_t r = row; r < row + tile_rows; ++r) {
        const KeySpan span = rule.visible(first_row + r);
        if (span.empty()) continue;
        seen.begin = std::min(seen.begin, span.begin - first_key);
        seen.end = std::max(seen.end, span.end - first_key);
      }
      for (int64_t key = 0; key < key_count; key += keys) {
        const int64_t tile_keys = std::min(keys, key_count - key);
        if (all || (key < seen.end && key + tile_keys > seen.begin))
          tiles.push_back({first_row + row, tile_rows, first_key + key, tile_keys});
      }
    }
  }
  return tiles;
}

std::vector<MaskTile> flash_tiles(const AttentionConfig& config, const BlockDiagonalRule& rule,
                                  int workers, bool all) {
  std::vector<PrefillSequence> sequences(rule.queries().lens.size());
  for (size_t s = 0; s < sequences.size(); ++s) {
    sequences[s].query_len = rule.queries().lens[s];
    sequences[s].kv_len = rule.keys().lens[s];
  }
  PrefillArgs args;
  args.num_heads = config.num_heads;
  args.num_kv_heads = config.num_kv_heads;
  args.head_size = config.head_size;
  args.sequences = sequences;
  const bool reads_cache = config.attn_type == AttentionType::kDecoder ||
                           config.attn_type == AttentionType::kEncoderDecoder;
  const Bf16Unit unit = bf16_unit();
  if (config.dtype == DType::kBF16 &&
      (config.kv_cache_dtype_auto || !reads_cache || takes_keys(unit, config.kv_cache_dtype)))
    args.bf16_unit = unit;
  return visited_tiles(rule, flash_tile_rows(args, workers), kKvTile, all);
}

}  // namespace attn
