// SPDX-License-Identifier: GPL-3.0-or-later
// Makes maps of differences from the operands that a comparison kept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/weight_recompute.h"
#include "engine/session/compare/compare.h"
#include "engine/session/compare/compare_operands.h"

namespace attn {
namespace {

using Layer = CompareOperands::Layer;

// The two sides of a map, or why there is none.
struct Sides {
  const CompareOperands::Sequence* sequence = nullptr;
  const Layer *column = nullptr, *baseline = nullptr;
  int64_t rows = 0;
  std::string why;
};

Sides sides_of(const CompareResult& result, size_t column, size_t request, int64_t layer) {
  Sides sides;
  if (!result.operands || column >= result.columns.size() || request >= result.requests.size()) {
    sides.why = "Nothing was computed.";
    return sides;
  }
  const CompareRequest& asked = result.requests[request];
  const CompareOperands::Sequence& sequence = result.operands->sequences[asked.id];
  if (!sequence.kept) {
    sides.why = fmt::format(
        "No map: {} has more than {} rows, or the operands of the maps would take too much memory.",
        asked.name, kMaxMapRows);
    return sides;
  }
  if (layer < 0 || layer >= result.shape.num_layers ||
      (result.layer >= 0 && layer != result.layer)) {
    sides.why = fmt::format("Layer {} was not compared.", layer);
    return sides;
  }
  sides.sequence = &sequence;
  sides.column = &sequence.columns[column][static_cast<size_t>(layer)];
  sides.baseline = &sequence.columns[result.operands->baseline][static_cast<size_t>(layer)];
  sides.rows = std::min(sides.column->rows, sides.baseline->rows);
  if (sides.rows == 0)
    sides.why =
        fmt::format("{} computed nothing of {}.", result.columns[column].display_name, asked.name);
  return sides;
}

// Weights [rows, keys] of one head, recomputed from a column's keys and log-sum-exps.
std::vector<float> weights_of(const CompareResult& result, const std::vector<float>& queries,
                              const Layer& layer, const WeightRule& rule, int64_t rows,
                              int64_t keys, int64_t head) {
  const SourceShape& shape = result.shape;
  WeightTile tile;
  tile.query = queries.data() + head * shape.head_size;
  tile.query_stride = shape.num_heads * shape.head_size;
  const int64_t kv_head = head / (shape.num_heads / shape.num_kv_heads);
  tile.key = layer.keys.data() + kv_head * shape.head_size;
  tile.key_stride = shape.num_kv_heads * shape.head_size;
  tile.lse = layer.lse.data() + head;
  tile.lse_stride = shape.num_heads;
  tile.q_count = rows;
  tile.k_count = keys;
  tile.head_size = shape.head_size;
  tile.scale = shape.scale;
  tile.rule = &rule;
  tile.head = head;
  std::vector<float> weights(static_cast<size_t>(rows * keys));
  recompute_weights(tile, weights.data(), keys);
  return weights;
}

// The difference is infinite where only one side is NaN, and 0 where both are.
float signed_difference(float value, float baseline) {
  if (value == baseline || (std::isnan(value) && std::isnan(baseline))) return 0;
  const float result = value - baseline;
  return std::isnan(result) ? std::numeric_limits<float>::infinity() : result;
}

void find_largest(DifferenceMap& map) {
  for (int64_t i = 0; i < map.rows * map.columns; ++i) {
    const float size = std::abs(map.values[static_cast<size_t>(i)]);
    if (size <= map.max_abs) continue;
    map.max_abs = size;
    map.max_row = i / map.columns;
    map.max_column = i % map.columns;
  }
}

}  // namespace

DifferenceMap weight_differences(const CompareResult& result, size_t column, size_t request,
                                 int64_t layer, int64_t head) {
  DifferenceMap map;
  const Sides sides = sides_of(result, column, request, layer);
  map.why = sides.why;
  if (sides.rows == 0 || head < 0 || head >= result.shape.num_heads) return map;
  const auto& queries = sides.sequence->queries[static_cast<size_t>(layer)];
  map.rows = sides.rows;
  map.rule = result.columns[column].rules.of(layer);
  map.cross = map.rule.cross;
  map.columns = sides.sequence->keys_of(sides.rows, map.cross);
  map.head = head;
  map.values = weights_of(result, queries, *sides.column, map.rule, map.rows, map.columns, head);
  const auto baseline = weights_of(result, queries, *sides.baseline,
                                   result.operands->rules.of(layer), map.rows, map.columns, head);
  for (size_t i = 0; i < map.values.size(); ++i)
    map.values[i] = signed_difference(map.values[i], baseline[i]);
  find_largest(map);
  return map;
}

DifferenceMap output_differences(const CompareResult& result, size_t column, size_t request,
                                 int64_t layer) {
  DifferenceMap map;
  map.kind = DifferenceMap::Kind::kOutputs;
  const Sides sides = sides_of(result, column, request, layer);
  map.why = sides.why;
  if (sides.rows == 0) return map;
  const int64_t width = result.shape.head_size;
  map.rows = sides.rows;
  map.columns = result.shape.num_heads;
  map.values.assign(static_cast<size_t>(map.rows * map.columns), 0.0f);
  for (int64_t cell = 0; cell < map.rows * map.columns; ++cell) {
    float& largest = map.values[static_cast<size_t>(cell)];
    for (int64_t at = cell * width; at < (cell + 1) * width; ++at)
      largest = std::max(largest,
                         std::abs(signed_difference(sides.column->out[static_cast<size_t>(at)],
                                                    sides.baseline->out[static_cast<size_t>(at)])));
  }
  find_largest(map);
  return map;
}

}  // namespace attn
