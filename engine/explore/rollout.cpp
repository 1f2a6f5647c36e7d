// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/rollout.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace attn {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

double Rollout::residue() const {
  double residue = 0;
  for (const std::vector<double>& layer : layers)
    for (int64_t row = 0; row < rows; ++row) {
      const Eigen::Map<const Eigen::VectorXd> shares(layer.data() + row * rows, rows);
      residue = std::max(residue, std::abs(shares.sum() - 1));
    }
  return residue;
}

Rollout rollout(const AttentionRecord& record, int64_t rows, bool without_first,
                const std::function<bool()>& go_on) {
  const AttentionRecord::Shape& shape = record.shape();
  Rollout result;
  result.rows = rows;
  // Checks all layers first.
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    if (record.is_cross(layer))
      throw_bad_input({"rollout is not defined for cross attention, whose keys are other tokens",
                       "rollout", fmt::format("layer {}", layer), "self attention", ""});
  Rows before = Rows::Identity(rows, rows);
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
    Rows mean = Rows::Zero(rows, rows);
    RowsF weights(rows, rows);
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      if (go_on && !go_on())
        throw Error(ErrorCode::kCancelled,
                    {"the rollout was not computed to the end", "", "", "", ""});
      record.weights(layer, head, 0, rows, 0, rows, weights.data());
      mean += weights.cast<double>();
    }
    for (int64_t row = 0; row < rows; ++row) {
      if (without_first && row > 0 && mean.row(row).tail(rows - 1).sum() > 0) mean(row, 0) = 0;
      const double sum = mean.row(row).sum();
      if (!(sum > 0))
        throw_bad_input({"a row has no weights", "rollout",
                         fmt::format("row {} of layer {}", row, layer), "computed rows", ""});
      // A sink takes a part of the row's weight. The row is scaled to the sum 1 all the same.
      mean.row(row) /= sum;
    }
    before = (0.5 * mean + 0.5 * Rows::Identity(rows, rows)) * before;
    result.layers.emplace_back(before.data(), before.data() + before.size());
  }
  return result;
}

}  // namespace attn
