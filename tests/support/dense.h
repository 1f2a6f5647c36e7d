// SPDX-License-Identifier: GPL-3.0-or-later
// Dense algebra in fp64 for oracles, with Eigen.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/core/tensor.h"

namespace attn::test {

// The rows of one head, as matrix [rows, width]. data: f32 [rows, num_heads, width].
inline Eigen::MatrixXd head_rows(const float* data, int64_t rows, int64_t num_heads, int64_t width,
                                 int64_t head) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows, 0, Eigen::OuterStride<>>(data + head * width, rows, width,
                                                         Eigen::OuterStride<>(num_heads * width))
      .cast<double>();
}
// The rows of one head of an f32 tensor [rows, num_heads, width], as matrix [rows, width].
inline Eigen::MatrixXd head_rows(const Tensor& tensor, int64_t head) {
  return head_rows(tensor.data<float>(), tensor.dim(0), tensor.dim(1), tensor.dim(2), head);
}

inline double dot(std::span<const float> a, std::span<const float> b) {
  const auto size = static_cast<Eigen::Index>(a.size());
  return Eigen::Map<const Eigen::VectorXf>(a.data(), size)
      .cast<double>()
      .dot(Eigen::Map<const Eigen::VectorXf>(b.data(), size).cast<double>());
}

// Largest |a - b|, or NaN if a difference is NaN or the shapes differ.
inline double max_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::quiet_NaN();
  return (a - b).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

// The softmax of each row. A masked score is minus infinity; every row must have a score that is
// not masked.
inline Eigen::MatrixXd softmax(const Eigen::MatrixXd& scores) {
  Eigen::ArrayXXd weights = (scores.colwise() - scores.rowwise().maxCoeff()).array().exp();
  weights.colwise() /= weights.rowwise().sum().eval();
  return weights;
}

}  // namespace attn::test
