// SPDX-License-Identifier: GPL-3.0-or-later
// Makes maps of differences from the operands that a comparison kept, and finds the largest
// difference of weights.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <limits>

#include "engine/core/limits.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/session/compare/compare.h"
#include "engine/session/compare/compare_operands.h"

namespace attn {
namespace {

using Eigen::ArrayXf;
using ArrayMap = Eigen::Map<const ArrayXf>;
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
        "No map: {} can have more than {} rows or keys, or the operands of the maps would take too "
        "much memory.",
        asked.name, kMostMapSide);
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

WeightRule rule_of(const LayerRules& rules, int64_t layer, const Layer& side) {
  return rules.without_window(side.rows_without_window).of(layer);
}

// Weights [rows, keys] of one head, recomputed from `queries` and from a column's keys and
// log-sum-exps.
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

ArrayMap array_of(const std::vector<float>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

// value - baseline: infinite where only one side is NaN, 0 where both are NaN or both are equal.
ArrayXf difference(const ArrayMap& value, const ArrayMap& baseline) {
  const ArrayXf result = value - baseline;
  return (value == baseline || (value.isNaN() && baseline.isNaN()))
      .select(0, result.isNaN().select(std::numeric_limits<float>::infinity(), result));
}

// The weights [rows, keys] of one head on both sides.
struct TwoWeights {
  WeightRule rule;  // of the column
  int64_t keys = 0;
  std::vector<float> column, baseline;
};

TwoWeights two_weights(const CompareResult& result, const Sides& sides, size_t column,
                       int64_t layer, int64_t head) {
  TwoWeights two;
  const auto& queries = sides.sequence->queries[static_cast<size_t>(layer)];
  two.rule = rule_of(result.columns[column].rules, layer, *sides.column);
  two.keys = sides.sequence->keys_of(sides.rows, two.rule.cross);
  two.column = weights_of(result, queries, *sides.column, two.rule, sides.rows, two.keys, head);
  two.baseline = weights_of(result, queries, *sides.baseline,
                            rule_of(result.operands->rules, layer, *sides.baseline), sides.rows,
                            two.keys, head);
  return two;
}

void find_largest(DifferenceMap& map) {
  Eigen::Index at = 0;
  map.max_abs = array_of(map.values).abs().maxCoeff(&at);
  if (map.max_abs == 0) return;
  map.max_row = at / map.columns;
  map.max_column = at % map.columns;
}

}  // namespace

DifferenceMap weight_differences(const CompareResult& result, size_t column, size_t request,
                                 int64_t layer, int64_t head) {
  DifferenceMap map;
  const Sides sides = sides_of(result, column, request, layer);
  map.why = sides.why;
  if (sides.rows == 0 || head < 0 || head >= result.shape.num_heads) return map;
  TwoWeights two = two_weights(result, sides, column, layer, head);
  map.rows = sides.rows;
  map.columns = two.keys;
  map.cross = two.rule.cross;
  map.rule = std::move(two.rule);
  map.head = head;
  const ArrayXf differences = difference(array_of(two.column), array_of(two.baseline));
  map.values.assign(differences.begin(), differences.end());
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
  const int64_t cells = map.rows * map.columns;
  const ArrayXf differences = difference({sides.column->out.data(), cells * width},
                                         {sides.baseline->out.data(), cells * width});
  const Eigen::ArrayXf largest = differences.abs().reshaped(width, cells).colwise().maxCoeff();
  map.values.assign(largest.begin(), largest.end());
  find_largest(map);
  return map;
}

WeightDifference largest_weight_difference(const CompareResult& result, size_t column,
                                           const RunGate* gate) {
  WeightDifference found;
  const int64_t heads = result.shape.num_heads;
  double products = 0;
  const auto each_layer = [&](auto&& visit) {
    for (size_t request = 0; request < result.requests.size(); ++request)
      for (int64_t layer = 0; layer < result.shape.num_layers; ++layer)
        if (const Sides sides = sides_of(result, column, request, layer); sides.rows > 0)
          if (!visit(sides, result.requests[request].id, layer)) return;
  };
  each_layer([&](const Sides& sides, uint32_t, int64_t layer) {
    const bool cross = rule_of(result.columns[column].rules, layer, *sides.column).cross;
    products += 2.0 * static_cast<double>(sides.rows * sides.sequence->keys_of(sides.rows, cross) *
                                          heads * result.shape.head_size);
    return true;
  });
  if (products == 0)
    found.why = fmt::format(
        "No request is kept for it: each can have more than {} rows or keys, or would take too "
        "much "
        "memory.",
        kMostMapSide);
  if (products > kMostWeightProducts)
    found.why = fmt::format(
        "All weights of both backends would take {:.1e} multiplications, more than {:.0e}.",
        products, kMostWeightProducts);
  if (!found.why.empty()) return found;
  each_layer([&](const Sides& sides, uint32_t request, int64_t layer) {
    for (int64_t head = 0; head < heads; ++head) {
      if (gate && gate->cancelled()) {
        found = {};
        found.why = "The comparison was cancelled.";
        return false;
      }
      const TwoWeights two = two_weights(result, sides, column, layer, head);
      Eigen::Index at = 0;
      const double largest =
          difference(array_of(two.column), array_of(two.baseline)).abs().maxCoeff(&at);
      if (!(largest > found.max_abs)) continue;
      found.max_abs = largest;
      found.key = at % two.keys;
      found.at = {.step = 0,
                  .request = request,
                  .layer = layer,
                  .head = head,
                  .query = at / two.keys,
                  .d = -1,
                  .value = two.column[static_cast<size_t>(at)],
                  .baseline = two.baseline[static_cast<size_t>(at)]};
    }
    return true;
  });
  return found;
}

}  // namespace attn
