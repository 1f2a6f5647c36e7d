// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/circuits.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <queue>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/explore/explored_run.h"

namespace attn {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class Part { kQuery, kKey, kValue };

void check(const Network& network, HeadName head) {
  const auto layers = static_cast<int64_t>(network.layers.size());
  if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= network.heads.heads)
    throw_bad_input(
        {"there is no such head", "circuits", fmt::format("{}.{}", head.layer, head.head),
         fmt::format("layers 0 to {}, heads 0 to {}", layers - 1, network.heads.heads - 1), ""});
}

// The QK circuit of a model whose scores are not a product of two matrices is not defined.
void require_bilinear(const Network& network, const Model& model) {
  if (!network.not_bilinear.empty())
    throw Error(ErrorCode::kNotSupported,
                {"the QK circuit is not defined for this model", model.shape().name,
                 network.not_bilinear, "scores that are products of linear queries and keys", ""});
}

double gain_of(const Norm* norm, int64_t i) {
  return norm ? static_cast<double>(norm->gain(i)) : 1;
}

// W_Q, W_K or W_V of a head with the gain of the norm before it, [D, C].
Matrix reading(const Network& network, HeadName head, Part part) {
  const HeadShape& heads = network.heads;
  const NetworkLayer& layer = network.layers[static_cast<size_t>(head.layer)];
  const int64_t kv_head = head.head / (heads.heads / heads.kv_heads);
  const int64_t first = part == Part::kQuery ? head.head
                        : part == Part::kKey ? heads.heads + kv_head
                                             : heads.heads + heads.kv_heads + kv_head;
  Matrix w(heads.size, network.width);
  for (int64_t d = 0; d < heads.size; ++d)
    for (int64_t c = 0; c < network.width; ++c)
      w(d, c) = static_cast<double>(layer.qkv->weight(first * heads.size + d, c)) *
                gain_of(layer.before, c);
  return w;
}

// W_O of a head, [C, D], with the gain of a norm after attention.
Matrix writing(const Network& network, HeadName head) {
  const int64_t size = network.heads.size;
  const NetworkLayer& layer = network.layers[static_cast<size_t>(head.layer)];
  const Linear& out = *layer.out;
  Matrix w(network.width, size);
  for (int64_t c = 0; c < network.width; ++c)
    for (int64_t d = 0; d < size; ++d)
      w(c, d) = static_cast<double>(out.weight(c, head.head * size + d)) *
                gain_of(layer.after_attention, c) * static_cast<double>(network.residual_scale);
  return w;
}

// The input embedding, [V, C].
Matrix embedding(const Network& network) {
  if (network.embedding->width() != network.width)
    throw Error(ErrorCode::kNotSupported,
                {"the embedding is projected before it is read", "circuits",
                 fmt::format("width {}", network.embedding->width()),
                 fmt::format("{}, the width of the residual stream", network.width), ""});
  Matrix e(network.vocab_size, network.width);
  std::vector<float> row(static_cast<size_t>(network.width));
  for (int64_t v = 0; v < network.vocab_size; ++v) {
    network.embedding->look_up(v, row.data());
    for (int64_t c = 0; c < network.width; ++c)
      e(v, c) = static_cast<double>(row[static_cast<size_t>(c)]);
  }
  return e;
}

// U W_O of a head with the gain of the final norm, [V, D].
Matrix writing_to_logits(const Network& network, HeadName head) {
  Matrix w = writing(network, head);
  for (int64_t c = 0; c < network.width; ++c) w.row(c) *= gain_of(network.final_norm, c);
  if (network.project) {
    Matrix project(network.project->out(), network.width);
    for (int64_t i = 0; i < project.rows(); ++i)
      for (int64_t c = 0; c < network.width; ++c)
        project(i, c) = static_cast<double>(network.project->weight(i, c));
    w = project * w;
  }
  Matrix u(network.vocab_size, network.head->in());
  for (int64_t v = 0; v < u.rows(); ++v)
    for (int64_t i = 0; i < u.cols(); ++i)
      u(v, i) = static_cast<double>(network.head->weight(v, i));
  return u * w * static_cast<double>(network.logit_scale);
}

// Turns the rows of w [D, C] as rotary positions turn a head at `position`.
Matrix turned(const Network& network, Matrix w, int64_t position) {
  if (!network.rotary) return w;
  const Rotary& rotary = *network.rotary;
  for (int64_t p = 0; p < rotary.num_pairs(); ++p) {
    const bool halves = rotary.pairs() == RotaryPairs::kHalves;
    const int64_t a = halves ? p : 2 * p, b = halves ? p + rotary.num_pairs() : 2 * p + 1;
    const double angle = static_cast<double>(position) *
                         static_cast<double>(rotary.frequencies()[static_cast<size_t>(p)]);
    const Eigen::RowVectorXd x = w.row(a), y = w.row(b);
    w.row(a) = std::cos(angle) * x - std::sin(angle) * y;
    w.row(b) = std::cos(angle) * y + std::sin(angle) * x;
  }
  return w;
}

// The eigenvalues of A B that are not 0 are those of B A, [D, D].
Circuit circuit_of(const Matrix& small) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(small, false);
  Circuit circuit;
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i)
    circuit.eigenvalues.push_back(solver.eigenvalues()[i]);
  std::ranges::stable_sort(circuit.eigenvalues,
                           [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  double sum = 0, magnitudes = 0;  // imaginary parts come in pairs and cancel
  for (const std::complex<double>& value : circuit.eigenvalues) {
    sum += value.real();
    magnitudes += std::abs(value);
  }
  circuit.score = magnitudes > 0 ? sum / magnitudes : 0;
  return circuit;
}

// The largest cells (row, column) of left [V, D] right [V, D]'.
std::vector<TokenPair> strongest(const Matrix& left, const Matrix& right, int64_t count,
                                 const std::function<bool()>& go_on) {
  const auto less = [](const TokenPair& a, const TokenPair& b) { return a.value > b.value; };
  std::priority_queue<TokenPair, std::vector<TokenPair>, decltype(less)> best(less);
  for (Eigen::Index from = 0; from < left.rows(); ++from) {
    if (go_on && !go_on()) return {};
    const Eigen::VectorXd values = right * left.row(from).transpose();
    for (Eigen::Index to = 0; to < values.size(); ++to) {
      if (static_cast<int64_t>(best.size()) == count && values[to] <= best.top().value) continue;
      best.push({static_cast<int32_t>(from), static_cast<int32_t>(to), values[to]});
      if (static_cast<int64_t>(best.size()) > count) best.pop();
    }
  }
  std::vector<TokenPair> pairs;
  for (; !best.empty(); best.pop()) pairs.push_back(best.top());
  std::ranges::reverse(pairs);
  return pairs;
}

// |a1 a2 b1 b2| / (|a1 a2| |b1 b2|) in the Frobenius norm, from D x D matrices.
double ratio(const Matrix& a1, const Matrix& a2, const Matrix& b1, const Matrix& b2) {
  const Matrix left = a1.transpose() * a1, right = b2 * b2.transpose(), middle = a2 * b1;
  const double product = (middle.transpose() * left * middle * right).trace();
  const double a = (a2 * a2.transpose() * left).trace();
  const double b = (b1.transpose() * b1 * right).trace();
  return a > 0 && b > 0 ? std::sqrt(std::max(0.0, product) / (a * b)) : 0;
}

Matrix random_matrix(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  Matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<double>(rng.normal());
  return m;
}

}  // namespace

Circuit ov_circuit(const Model& model, HeadName head) {
  const Network network = model.network();
  check(network, head);
  return circuit_of(reading(network, head, Part::kValue) * writing(network, head));
}

Circuit full_ov_circuit(const Model& model, HeadName head) {
  require_sum(model, "the full OV circuit");
  const Network network = model.network();
  check(network, head);
  return circuit_of((reading(network, head, Part::kValue) * embedding(network).transpose()) *
                    writing_to_logits(network, head));
}

Circuit qk_circuit(const Model& model, HeadName head, int64_t distance) {
  const Network network = model.network();
  check(network, head);
  require_bilinear(network, model);
  // q' k with q at position `distance` and k at 0.
  return circuit_of(reading(network, head, Part::kKey) *
                    turned(network, reading(network, head, Part::kQuery), distance).transpose());
}

std::vector<TokenPair> strongest_ov_pairs(const Model& model, HeadName head, int64_t count,
                                          const std::function<bool()>& go_on) {
  require_sum(model, "the full OV circuit");
  const Network network = model.network();
  check(network, head);
  return strongest(embedding(network) * reading(network, head, Part::kValue).transpose(),
                   writing_to_logits(network, head), count, go_on);
}

std::vector<TokenPair> strongest_qk_pairs(const Model& model, HeadName head, int64_t distance,
                                          int64_t count, const std::function<bool()>& go_on) {
  const Network network = model.network();
  check(network, head);
  require_bilinear(network, model);
  const Matrix e = embedding(network);
  return strongest(e * reading(network, head, Part::kKey).transpose(),
                   e * turned(network, reading(network, head, Part::kQuery), distance).transpose(),
                   count, go_on);
}

double composition(const Model& model, HeadName first, HeadName second, Composition kind) {
  const Network network = model.network();
  check(network, first);
  check(network, second);
  if (kind != Composition::kValue) require_bilinear(network, model);
  if (first.layer >= second.layer)
    throw_bad_input(
        {"a head reads only what earlier layers write", "composition",
         fmt::format("{}.{} and {}.{}", first.layer, first.head, second.layer, second.head),
         "a head of an earlier layer, then one of a later layer", ""});
  // The matrix of the second head with the side that reads the first head's output to the right.
  Matrix a1, a2;
  if (kind == Composition::kValue) {
    a1 = writing(network, second);
    a2 = reading(network, second, Part::kValue);
  } else {
    const bool query = kind == Composition::kQuery;
    a1 = reading(network, second, query ? Part::kKey : Part::kQuery).transpose();
    a2 = reading(network, second, query ? Part::kQuery : Part::kKey);
  }
  const Matrix b1 = writing(network, first), b2 = reading(network, first, Part::kValue);
  Rng rng(1);
  double baseline = 0;
  for (int i = 0; i < kBaselines; ++i) {
    const Matrix ra1 = random_matrix(rng, a1.rows(), a1.cols()),
                 ra2 = random_matrix(rng, a2.rows(), a2.cols()),
                 rb1 = random_matrix(rng, b1.rows(), b1.cols()),
                 rb2 = random_matrix(rng, b2.rows(), b2.cols());
    baseline += ratio(ra1, ra2, rb1, rb2) / kBaselines;
  }
  return ratio(a1, a2, b1, b2) - baseline;
}

}  // namespace attn
