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
  for (int64_t axis = 0; axis < size; ++axis) {  // smallest first in the solver
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

HeadPoints head_points(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows) {
  HeadPoints points;
  int64_t end = std::min(rows, record.num_rows());
  while (end > 0 && !record.row_done(layer, head, end - 1)) --end;
  int64_t first = end;
  while (first > 0 && record.row_done(layer, head, first - 1)) --first;
  const int64_t size = record.shape().head_size;
  const int64_t keys = std::min(record.key_columns(layer, end), record.num_keys(layer));
  if (first == end || keys <= 0) return points;
  points.queries.resize(static_cast<size_t>((end - first) * size));
  points.keys.resize(static_cast<size_t>(keys * size));
  if (!record.queries(layer, head, first, end - first, points.queries.data()) ||
      !record.keys(layer, head, 0, keys, points.keys.data()))
    return {};
  points.size = size;
  points.first = first;
  return points;
}

double reconstruction_error(const QueryKeyPlane& plane, const HeadPoints& points,
                            std::span<const double> shift) {
  const int64_t size = plane.size;
  const Rows axes = Eigen::Map<const Rows>(plane.axes.data(), size, size);
  const Eigen::RowVectorXd mean = Eigen::Map<const Eigen::RowVectorXd>(plane.mean.data(), size);
  const auto error_of = [&](const std::vector<float>& values,
                            const std::vector<double>& coordinates, std::span<const double> moved) {
    Rows points_there = points_of(values, size);
    if (points_there.rows() == 0) return 0.0;
    if (!moved.empty())
      points_there.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(moved.data(), size);
    Rows back = Eigen::Map<const Rows>(coordinates.data(), points_there.rows(), size) * axes;
    back.rowwise() += mean;
    return (back - points_there).cwiseAbs().maxCoeff();
  };
  return std::max(error_of(points.queries, plane.queries, {}),
                  error_of(points.keys, plane.keys, shift));
}

std::vector<double> shift_to_queries(const HeadPoints& points, double part) {
  const int64_t size = points.size;
  std::vector<double> shift(static_cast<size_t>(size), 0.0);
  const auto add = [&](const std::vector<float>& values, double times) {
    for (size_t i = 0; i < values.size(); ++i)
      shift[i % static_cast<size_t>(size)] += times * static_cast<double>(values[i]);
  };
  add(points.queries, part / static_cast<double>(points.rows()));
  add(points.keys, -part / static_cast<double>(points.num_keys()));
  return shift;
}

std::string shift_refusal(const WeightRule& rule) {
  if (rule.soft_cap != 0)
    return "The scores of this layer have a soft cap, so moving the keys would change the weights.";
  if (!rule.sinks.empty())
    return "A sink is part of the softmax of this layer and would not move with the keys, so the "
           "weights would change.";
  return {};
}

ShiftedRow shifted_row(std::span<const float> query, std::span<const float> keys, float scale,
                       std::span<const double> shift, std::span<const double> bias) {
  const size_t size = query.size(), count = keys.size() / size;
  std::vector<double> scores(count, 0.0);
  for (size_t k = 0; k < count; ++k) {
    for (size_t i = 0; i < size; ++i)
      scores[k] += static_cast<double>(scale) * static_cast<double>(query[i]) *
                   (static_cast<double>(keys[k * size + i]) + (shift.empty() ? 0 : shift[i]));
    if (!bias.empty()) scores[k] += bias[k];
  }
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - largest);
  ShiftedRow row;
  row.lse = largest + std::log(sum);
  for (const double score : scores) row.weights.push_back(std::exp(score - row.lse));
  return row;
}

ShiftCheck check_shift(const AttentionRecord& record, int64_t layer, int64_t head,
                       const HeadPoints& points, int64_t query, std::span<const double> shift) {
  const WeightRule& rule = record.shape().rules.of(layer);
  const auto size = static_cast<size_t>(points.size);
  const std::span<const float> row =
      std::span(points.queries).subspan(static_cast<size_t>(query - points.first) * size, size);
  std::vector<float> keys;
  std::vector<double> bias;
  for (int64_t key = 0; key < points.num_keys(); ++key) {
    if (!rule.sees(head, query, key)) continue;
    const auto at = points.keys.begin() + key * points.size;
    keys.insert(keys.end(), at, at + points.size);
    bias.push_back(static_cast<double>(rule.slope(head)) * static_cast<double>(key - query) +
                   static_cast<double>(rule.relative_bias.at(head, query, key)));
  }
  ShiftCheck check;
  if (keys.empty()) return check;
  const float scale = record.shape().scale;
  const ShiftedRow plain = shifted_row(row, keys, scale, {}, bias),
                   moved = shifted_row(row, keys, scale, shift, bias);
  double dot = 0;
  for (size_t i = 0; i < size; ++i) dot += static_cast<double>(row[i]) * shift[i];
  for (size_t k = 0; k < plain.weights.size(); ++k)
    check.weight_change =
        std::max(check.weight_change, std::abs(moved.weights[k] - plain.weights[k]));
  check.lse_growth = moved.lse - plain.lse;
  check.residue = std::abs(check.lse_growth - static_cast<double>(scale) * dot);
  return check;
}

}  // namespace attn
