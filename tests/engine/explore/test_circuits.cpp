// SPDX-License-Identifier: GPL-3.0-or-later
// Circuits of heads: eigenvalues, copying, the strongest pairs, composition, and queries that turn
// with the distance.
#include "engine/explore/circuits.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;
using Eigen::MatrixXd;

struct Weights {
  explicit Weights(const Network& network, HeadName name) {
    const HeadShape& heads = network.heads;
    const NetworkLayer& layer = network.layers[static_cast<size_t>(name.layer)];
    const int64_t kv = name.head / (heads.heads / heads.kv_heads), c = network.width,
                  d = heads.size;
    const auto part = [&](int64_t first) {
      MatrixXd w(d, c);
      for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < c; ++j)
          w(i, j) = static_cast<double>(layer.qkv->weight(first * d + i, j)) *
                    static_cast<double>(layer.before->gain(j));
      return w;
    };
    q = part(name.head);
    k = part(heads.heads + kv);
    v = part(heads.heads + heads.kv_heads + kv);
    o.resize(c, d);
    for (int64_t i = 0; i < c; ++i)
      for (int64_t j = 0; j < d; ++j)
        o(i, j) = static_cast<double>(layer.out->weight(i, name.head * d + j));
    e.resize(network.vocab_size, c);
    u.resize(network.vocab_size, c);
    std::vector<float> row(static_cast<size_t>(c));
    for (int64_t t = 0; t < network.vocab_size; ++t) {
      network.embedding->look_up(t, row.data());
      for (int64_t j = 0; j < c; ++j) {
        e(t, j) = static_cast<double>(row[static_cast<size_t>(j)]);
        u(t, j) = static_cast<double>(network.head->weight(t, j)) *
                  static_cast<double>(network.final_norm->gain(j));
      }
    }
  }
  MatrixXd q, k, v, o, e, u;
};

std::vector<double> magnitudes(const MatrixXd& matrix, size_t count) {
  const Eigen::EigenSolver<MatrixXd> solver(matrix, false);
  std::vector<double> all;
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i)
    all.push_back(std::abs(solver.eigenvalues()[i]));
  std::ranges::sort(all, std::greater());
  all.resize(count);
  return all;
}

void expect_same(const Circuit& circuit, const MatrixXd& whole) {
  const std::vector<double> wanted = magnitudes(whole, circuit.eigenvalues.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(std::abs(circuit.eigenvalues[i]), wanted[i], 1e-6 * wanted[0]) << i;
  double sum = 0, all = 0;
  for (const auto& value : circuit.eigenvalues) {
    sum += value.real();
    all += std::abs(value);
  }
  EXPECT_NEAR(sum, whole.trace(), 1e-6 * std::max(1.0, wanted[0]));
  EXPECT_NEAR(circuit.trace, whole.trace(), 1e-9 * std::max(1.0, wanted[0]));
  EXPECT_LE(std::abs(circuit.residue()), 1e-9 * std::max(1.0, wanted[0]));
  EXPECT_NEAR(circuit.score, sum / all, 1e-12);
}

TEST(Circuits, TheSmallMatrixHasTheEigenvaluesOfTheWholeOne) {
  const auto model = random_toy(7);
  const HeadName head{1, 3};
  const Weights w(model->network(), head);
  expect_same(ov_circuit(*model, head), w.o * w.v);
  expect_same(full_ov_circuit(*model, head), w.u * w.o * w.v * w.e.transpose());
  expect_same(qk_circuit(*model, head, 0), w.q.transpose() * w.k);
}

TEST(Circuits, AHeadThatCopiesHasScoreOne) {
  for (const float sign : {1.0f, -1.0f}) {
    const ToyShape shape{.layers = 1, .heads = 2, .kv_heads = 2};
    const auto model = random_toy(7, shape, [&](Tensors& weights) {
      const std::string at = "model.layers.0.";
      Tensor& out = weights[at + "self_attn.o_proj.weight"];
      const Tensor& value = weights[at + "self_attn.v_proj.weight"];
      const int64_t rows = out.dim(0), columns = out.dim(1);
      for (int64_t c = 0; c < rows; ++c)
        for (int64_t d = 0; d < columns; ++d)
          out.data<float>()[c * columns + d] = sign * value.data<float>()[d * rows + c];
      for (const std::string& norm :
           {std::string("model.norm.weight"), at + "input_layernorm.weight"})
        std::ranges::fill(weights[norm].span<float>(), 1.0f);
      std::ranges::copy(weights["model.embed_tokens.weight"].span<float>(),
                        weights["lm_head.weight"].data<float>());
    });
    for (const int64_t head : {0, 1})
      EXPECT_NEAR(full_ov_circuit(*model, {0, head}).score, static_cast<double>(sign), 1e-9);
  }
}

TEST(Circuits, TheStrongestPairsAreTheLargestCells) {
  const auto model = random_toy(7);
  const HeadName head{0, 1};
  const Weights w(model->network(), head);
  const auto check = [](const std::vector<TokenPair>& pairs, const MatrixXd& whole) {
    ASSERT_EQ(pairs.size(), 5u);
    EXPECT_NEAR(pairs[0].value, whole.maxCoeff(), 1e-9);
    for (const TokenPair& pair : pairs) EXPECT_NEAR(pair.value, whole(pair.to, pair.from), 1e-9);
    EXPECT_TRUE(std::ranges::is_sorted(pairs, std::greater(), &TokenPair::value));
    int larger = 0;
    for (Eigen::Index i = 0; i < whole.size(); ++i)
      larger += whole.data()[i] > pairs.back().value + 1e-9;
    EXPECT_EQ(larger, 4);
  };
  check(strongest_ov_pairs(*model, head, 5), w.u * w.o * w.v * w.e.transpose());
  check(strongest_qk_pairs(*model, head, 0, 5), w.e * w.q.transpose() * w.k * w.e.transpose());
  EXPECT_THROW(strongest_ov_pairs(*model, head, 5, [] { return false; }), Error);
}

TEST(Circuits, CompositionIsTheShareOfNormsMinusThatOfChance) {
  const auto model = random_toy(7);
  const HeadName first{0, 1}, second{2, 2};
  const Weights a(model->network(), second), b(model->network(), first);
  const MatrixXd written = b.o * b.v;
  const auto ratio = [&](const MatrixXd& reads) {
    return (reads * written).norm() / (reads.norm() * written.norm());
  };
  const double query = composition(*model, first, second, Composition::kQuery),
               key = composition(*model, first, second, Composition::kKey),
               value = composition(*model, first, second, Composition::kValue);
  // composition() subtracts the same baseline, at most 0.5, for queries, keys and values.
  EXPECT_NEAR(query, ratio(a.k.transpose() * a.q), 0.5);
  EXPECT_NEAR(key - query, ratio(a.q.transpose() * a.k) - ratio(a.k.transpose() * a.q), 1e-9);
  EXPECT_NEAR(value - query, ratio(a.o * a.v) - ratio(a.k.transpose() * a.q), 1e-9);
  const std::vector<EarlierHead> all = compositions(*model, second);
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[1].name.layer * 10 + all[1].name.head, 1);
  EXPECT_EQ(*all[1].query, query);
  EXPECT_EQ(*all[1].key, key);
  EXPECT_EQ(all[1].value, value);
  EXPECT_TRUE(compositions(*model, first).empty());
  EXPECT_THROW(composition(*model, second, first, Composition::kKey), Error);
  EXPECT_THROW(ov_circuit(*model, {3, 0}), Error);
}

TEST(Circuits, QueriesTurnWithTheDistance) {
  const auto model = bundled_model();
  const Circuit near = qk_circuit(*model, {2, 1}, 0), far = qk_circuit(*model, {2, 1}, 9);
  EXPECT_NE(near.score, far.score);
  EXPECT_LE(std::abs(full_ov_circuit(*model, {4, 2}).score), 1);
}

}  // namespace
}  // namespace attn
