// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/query_key_plane.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace attn {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows points_of(std::span<const float> values, int64_t size) {
  const auto count = static_cast<int64_t>(values.size()) / size;
  return Eigen::Map<const RowsF>(values.data(), count, size).cast<double>();
}

std::vector<double> list_of(const Rows& rows) {
  return {rows.data(), rows.data() + rows.size()};
}

}  // namespace

double QueryKeyPlane::share(int64_t axis) const {
  double all = 0;
  for (const double part : variance) all += part;
  return all > 0 ? variance[static_cast<size_t>(axis)] / all : 0;
}

std::vector<double> QueryKeyPlane::point(std::span<const double> coordinates) const {
  std::vector<double> result = mean;
  for (size_t axis = 0; axis < coordinates.size(); ++axis)
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += coordinates[axis] * axes[axis * result.size() + i];
  return result;
}

QueryKeyPlane query_key_plane(std::span<const float> queries, std::span<const float> keys,
                              int64_t size, std::span<const double> shift) {
  const Rows q = points_of(queries, size);
  Rows k = points_of(keys, size);
  if (q.rows() + k.rows() == 0)
    throw_bad_input({"there are no queries and keys to show", "query-key plane", "0 points",
                     "1 point or more", ""});
  if (!shift.empty()) k.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(shift.data(), size);
  const auto count = static_cast<double>(q.rows() + k.rows());
  const Eigen::RowVectorXd mean = (q.colwise().sum() + k.colwise().sum()) / count;
  const Rows q0 = q.rowwise() - mean, k0 = k.rowwise() - mean;
  const Eigen::MatrixXd covariance = (q0.transpose() * q0 + k0.transpose() * k0) / count;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  QueryKeyPlane plane;
  plane.size = size;
  plane.mean.assign(mean.data(), mean.data() + size);
  Rows axes(size, size);
  for (int64_t axis = 0; axis < size; ++axis) {  // the solver gives the smallest first
    Eigen::VectorXd vector = solver.eigenvectors().col(size - 1 - axis);
    Eigen::Index largest = 0;
    vector.cwiseAbs().maxCoeff(&largest);
    if (vector[largest] < 0) vector = -vector;
    axes.row(axis) = vector.transpose();
    plane.variance.push_back(std::max(0.0, solver.eigenvalues()[size - 1 - axis]));
  }
  plane.axes = list_of(axes);
  plane.queries = list_of(q0 * axes.transpose());
  plane.keys = list_of(k0 * axes.transpose());
  return plane;
}

QueryKeyPlane query_key_plane(const AttentionRecord& record, int64_t layer, int64_t head,
                              int64_t rows) {
  const int64_t size = record.shape().head_size, count = record.key_columns(layer, rows);
  std::vector<float> queries(static_cast<size_t>(rows * size)),
      keys(static_cast<size_t>(count * size));
  if (!record.queries(layer, head, 0, rows, queries.data()) ||
      !record.keys(layer, head, 0, count, keys.data()))
    throw_bad_input({"these rows are not computed", "query-key plane",
                     fmt::format("rows 0 to {} of layer {}", rows - 1, layer), "computed rows",
                     ""});
  return query_key_plane(queries, keys, size);
}

ShiftedRow shifted_row(std::span<const float> query, std::span<const float> keys, float scale,
                       std::span<const double> shift) {
  const size_t size = query.size(), count = keys.size() / size;
  std::vector<double> scores(count, 0.0);
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < size; ++i)
      scores[k] += static_cast<double>(scale) * static_cast<double>(query[i]) *
                   (static_cast<double>(keys[k * size + i]) + (shift.empty() ? 0 : shift[i]));
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - largest);
  ShiftedRow row;
  row.lse = largest + std::log(sum);
  for (const double score : scores) row.weights.push_back(std::exp(score - row.lse));
  return row;
}

}  // namespace attn
