// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/circuits.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/explore/explored_run.h"

namespace attn {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class Part { kQuery, kKey, kValue };

constexpr int64_t kBlock = 64;  // tokens multiplied at once

void ask(const GoOn& go_on) {
  if (go_on && !go_on())
    throw Error(ErrorCode::kCancelled,
                {"the circuits were not computed to the end", "", "", "", ""});
}

void check(const Network& network, HeadName head) {
  const auto layers = static_cast<int64_t>(network.layers.size());
  if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= network.heads.heads)
    throw_bad_input(
        {"there is no such head", "circuits", fmt::format("{}.{}", head.layer, head.head),
         fmt::format("layers 0 to {}, heads 0 to {}", layers - 1, network.heads.heads - 1), ""});
  if (!network.layers[static_cast<size_t>(head.layer)].qkv)
    throw Error::not_supported(
        {"This model has an encoder and a decoder. Circuits are computed for models of one stack "
         "of layers."});
}

void require_bilinear(const Network& network, const Model& model) {
  if (!network.not_bilinear.empty())
    throw Error::not_supported({fmt::format("The QK circuit is not defined for the model {}. {}",
                                            model.shape().name, network.not_bilinear)});
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

// W_O of a head, [C, D], with the gain of a norm after attention and the residual scale.
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

// put(token, row) fills the rows [V, columns] of an embedding. They are multiplied by w [columns,
// D] block by block, because an embedding in f64 may be large. Returns [V, D].
template <class Put>
Matrix token_rows(int64_t vocab_size, const Matrix& w, const GoOn& go_on, const Put& put) {
  Matrix product(vocab_size, w.cols());
  Matrix block;
  for (int64_t begin = 0; begin < vocab_size; begin += kBlock) {
    ask(go_on);
    block.resize(std::min(kBlock, vocab_size - begin), w.rows());
    for (int64_t i = 0; i < block.rows(); ++i) put(begin + i, block.row(i));
    product.middleRows(begin, block.rows()).noalias() = block * w;
  }
  return product;
}

// E w', what w [D, C] reads of the tokens, [V, D].
Matrix of_tokens(const Network& network, const Matrix& w, const GoOn& go_on) {
  if (network.embedding->width() != network.width)
    throw Error::not_supported(
        {"Circuits of tokens are not defined for this model. Its embedding is projected before a "
         "layer reads it."});
  Eigen::RowVectorXf e(network.width);
  return token_rows(network.vocab_size, w.transpose(), go_on, [&](int64_t token, auto row) {
    network.embedding->look_up(token, e.data());
    row = e.cast<double>();
  });
}

// U W_O of a head, [V, D], with the gain of the final norm, the projection before U and the scale
// of the logits.
Matrix writing_to_logits(const Network& network, HeadName head, const GoOn& go_on) {
  Matrix w = writing(network, head);
  for (int64_t c = 0; c < network.width; ++c) w.row(c) *= gain_of(network.final_norm, c);
  if (network.project) {
    Matrix project(network.project->out(), network.width);
    for (int64_t i = 0; i < project.rows(); ++i)
      for (int64_t c = 0; c < network.width; ++c)
        project(i, c) = static_cast<double>(network.project->weight(i, c));
    w = project * w;
  }
  w *= static_cast<double>(network.logit_scale);
  return token_rows(network.vocab_size, w, go_on, [&](int64_t token, auto row) {
    for (int64_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<double>(network.head->weight(token, i));
  });
}

// W_Q of a head as reading() gives it, with the rotary turn of `position`, [D, C].
Matrix turned_query(const Network& network, HeadName head, int64_t position) {
  Matrix w = reading(network, head, Part::kQuery);
  const NetworkLayer& layer = network.layers[static_cast<size_t>(head.layer)];
  if (!layer.rotary) return w;
  const Rotary& rotary = *layer.rotary;
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

// The circuit of the matrix left right' [N, N]; left and right are [N, D]. The nonzero eigenvalues
// of A B are those of B A, here [D, D].
Circuit circuit_of(const Matrix& left, const Matrix& right) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(right.transpose() * left, false);
  Circuit circuit;
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i)
    circuit.eigenvalues.push_back(solver.eigenvalues()[i]);
  std::ranges::stable_sort(circuit.eigenvalues,
                           [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  double magnitudes = 0;
  for (const std::complex<double>& value : circuit.eigenvalues) magnitudes += std::abs(value);
  circuit.score = magnitudes > 0 ? circuit.sum() / magnitudes : 0;
  circuit.trace = left.cwiseProduct(right).sum();
  return circuit;
}

struct ByLength {
  explicit ByLength(const Matrix& matrix) : order(static_cast<size_t>(matrix.rows())) {
    const Eigen::VectorXd all = matrix.rowwise().norm();
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::ranges::stable_sort(order, std::greater(), [&](Eigen::Index i) { return all[i]; });
    rows.resize(matrix.rows(), matrix.cols());
    lengths.resize(matrix.rows());
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      rows.row(i) = matrix.row(order[static_cast<size_t>(i)]);
      lengths[i] = all[order[static_cast<size_t>(i)]];
    }
  }
  int32_t token(Eigen::Index row) const {
    return static_cast<int32_t>(order[static_cast<size_t>(row)]);
  }
  std::vector<Eigen::Index> order;
  Matrix rows;
  Eigen::VectorXd lengths;
};

// The largest cells (row, column) of left right', both [V, D]. A cell is at most the product of the
// lengths of its two rows, so cells of short rows need not be computed.
std::vector<TokenPair> strongest(const Matrix& left, const Matrix& right, int64_t count,
                                 const GoOn& go_on) {
  const auto less = [](const TokenPair& a, const TokenPair& b) { return a.value > b.value; };
  std::priority_queue<TokenPair, std::vector<TokenPair>, decltype(less)> best(less);
  const ByLength from(left), to(right);
  for (Eigen::Index begin = 0; begin < from.rows.rows(); begin += kBlock) {
    ask(go_on);
    const double least = static_cast<int64_t>(best.size()) < count
                             ? -std::numeric_limits<double>::infinity()
                             : best.top().value;
    Eigen::Index columns = 0;
    while (columns < to.lengths.size() && from.lengths[begin] * to.lengths[columns] >= least)
      ++columns;
    if (columns == 0) break;
    const Eigen::Index rows = std::min(kBlock, from.rows.rows() - begin);
    const Matrix values = from.rows.middleRows(begin, rows) * to.rows.topRows(columns).transpose();
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) {
        if (static_cast<int64_t>(best.size()) == count && values(i, j) <= best.top().value)
          continue;
        best.push({from.token(begin + i), to.token(j), values(i, j)});
        if (static_cast<int64_t>(best.size()) > count) best.pop();
      }
  }
  std::vector<TokenPair> pairs;
  for (; !best.empty(); best.pop()) pairs.push_back(best.top());
  std::ranges::reverse(pairs);
  return pairs;
}

// |a b|^2 in the Frobenius norm, for a [N, D] and b [D, M], from D x D matrices.
double squared_length(const Matrix& a, const Matrix& b) {
  return (a.transpose() * a).cwiseProduct(b * b.transpose()).sum();
}

// |a1 a2 b1 b2| / (|a1 a2| |b1 b2|) in the Frobenius norm, from D x D matrices.
double ratio(const Matrix& a1, const Matrix& a2, const Matrix& b1, const Matrix& b2) {
  const Matrix middle = a2 * b1;
  const double a = squared_length(a1, a2), b = squared_length(b1, b2);
  const double product = squared_length(a1 * middle, b2);
  return a > 0 && b > 0 ? std::sqrt(std::max(0.0, product) / (a * b)) : 0;
}

Matrix random_matrix(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
  Matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<double>(rng.normal());
  return m;
}

// The mean ratio() of random matrices in the shapes of two heads.
double baseline_of(const Network& network) {
  const int64_t width = network.width, size = network.heads.size;
  Rng rng(1);
  double mean = 0;
  for (int i = 0; i < kBaselines; ++i) {
    const Matrix a1 = random_matrix(rng, width, size), a2 = random_matrix(rng, size, width),
                 b1 = random_matrix(rng, width, size), b2 = random_matrix(rng, size, width);
    mean += ratio(a1, a2, b1, b2) / kBaselines;
  }
  return mean;
}

class Reader {
 public:
  Reader(const Network& network, HeadName head)
      : query_(reading(network, head, Part::kQuery)),
        key_(reading(network, head, Part::kKey)),
        value_(reading(network, head, Part::kValue)),
        out_(writing(network, head)) {}

  double through(Composition kind, const Matrix& b1, const Matrix& b2) const {
    if (kind == Composition::kQuery) return ratio(key_.transpose(), query_, b1, b2);
    if (kind == Composition::kKey) return ratio(query_.transpose(), key_, b1, b2);
    return ratio(out_, value_, b1, b2);
  }

 private:
  Matrix query_, key_, value_, out_;
};

}  // namespace

double Circuit::sum() const {
  double sum = 0;  // imaginary parts cancel
  for (const std::complex<double>& value : eigenvalues) sum += value.real();
  return sum;
}

Circuit ov_circuit(const Model& model, HeadName head) {
  const Network network = model.network();
  check(network, head);
  return circuit_of(writing(network, head), reading(network, head, Part::kValue).transpose());
}

Circuit full_ov_circuit(const Model& model, HeadName head, const GoOn& go_on) {
  require_sum(model, "The full OV circuit");
  const Network network = model.network();
  check(network, head);
  return circuit_of(writing_to_logits(network, head, go_on),
                    of_tokens(network, reading(network, head, Part::kValue), go_on));
}

Circuit qk_circuit(const Model& model, HeadName head, int64_t distance) {
  const Network network = model.network();
  check(network, head);
  require_bilinear(network, model);
  // q' k with q at position `distance` and k at 0.
  return circuit_of(turned_query(network, head, distance).transpose(),
                    reading(network, head, Part::kKey).transpose());
}

std::vector<TokenPair> strongest_ov_pairs(const Model& model, HeadName head, int64_t count,
                                          const GoOn& go_on) {
  require_sum(model, "The full OV circuit");
  const Network network = model.network();
  check(network, head);
  return strongest(of_tokens(network, reading(network, head, Part::kValue), go_on),
                   writing_to_logits(network, head, go_on), count, go_on);
}

std::vector<TokenPair> strongest_qk_pairs(const Model& model, HeadName head, int64_t distance,
                                          int64_t count, const GoOn& go_on) {
  const Network network = model.network();
  check(network, head);
  require_bilinear(network, model);
  return strongest(of_tokens(network, reading(network, head, Part::kKey), go_on),
                   of_tokens(network, turned_query(network, head, distance), go_on), count, go_on);
}

double composition(const Model& model, HeadName first, HeadName second, Composition kind) {
  require_sum(model, "The composition of heads");
  const Network network = model.network();
  check(network, first);
  check(network, second);
  if (kind != Composition::kValue) require_bilinear(network, model);
  if (first.layer >= second.layer)
    throw_bad_input(
        {"a head reads only what earlier layers write", "composition",
         fmt::format("{}.{} and {}.{}", first.layer, first.head, second.layer, second.head),
         "a head of an earlier layer, then one of a later layer", ""});
  return Reader(network, second)
             .through(kind, writing(network, first), reading(network, first, Part::kValue)) -
         baseline_of(network);
}

std::vector<EarlierHead> compositions(const Model& model, HeadName second, const GoOn& go_on) {
  require_sum(model, "The composition of heads");
  const Network network = model.network();
  check(network, second);
  std::vector<EarlierHead> earlier;
  if (second.layer == 0) return earlier;
  const bool bilinear = network.not_bilinear.empty();
  const Reader reader(network, second);
  const double baseline = baseline_of(network);
  for (int64_t layer = 0; layer < second.layer; ++layer)
    for (int64_t head = 0; head < network.heads.heads; ++head) {
      ask(go_on);
      const Matrix b1 = writing(network, {layer, head}),
                   b2 = reading(network, {layer, head}, Part::kValue);
      EarlierHead& of = earlier.emplace_back();
      of.name = {layer, head};
      of.value = reader.through(Composition::kValue, b1, b2) - baseline;
      if (!bilinear) continue;
      of.query = reader.through(Composition::kQuery, b1, b2) - baseline;
      of.key = reader.through(Composition::kKey, b1, b2) - baseline;
    }
  return earlier;
}

}  // namespace attn
