// SPDX-License-Identifier: GPL-3.0-or-later
// Identities of the results of engine/explore, tested on the bundled model and on small random
// ones. Also refusals of the lens and of tokens, and the two best tokens.
#include <gtest/gtest.h>

#include "engine/explore/attribution.h"
#include "engine/explore/circuits.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/rollout.h"
#include "engine/explore/written.h"
#include "engine/session/record/attention_row.h"
#include "tests/engine/explore/toy_model.h"
#include "tests/engine/model/families/family_case.h"

namespace attn {
namespace {

using namespace test;

struct Case {
  std::string name;
  std::function<std::shared_ptr<Model>()> model;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases{{"bundled", bundled_model},
                          {"toy", [] { return random_toy(1); }},
                          {"one_kv_head", [] {
                             return random_toy(2, {.layers = 2,
                                                   .heads = 6,
                                                   .kv_heads = 1,
                                                   .size = 8,
                                                   .width = 18,
                                                   .inner = 30,
                                                   .vocab = 40});
                           }}};
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(family_cases()))
    if (const std::string name = entry.path().stem().string(); name.ends_with("_1"))
      names.push_back(name);
  std::ranges::sort(names);
  for (const std::string& name : names)
    cases.push_back({name, [name]() -> std::shared_ptr<Model> {
                       return load_model(FamilyCase(name).write());
                     }});
  return cases;
}

class Identities : public testing::TestWithParam<Case> {
 protected:
  Identities() : model_(GetParam().model()), network_(model_->network()) {}
  void SetUp() override {
    if (!network_.not_a_sum.empty()) {
      EXPECT_THROW(require_sum(*model_, "The logit lens"), Error);
      GTEST_SKIP() << network_.not_a_sum;
    }
    Rng rng(3);
    run_ = run_of(model_, random_ids(rng, 17, model_->shape().vocab_size), {}, 4);
    tokens_ = run_.num_tokens();
    first_layer_ = model_->shape().num_encoder_layers();
  }
  std::vector<float> rows(ResidualSite site, int64_t layer) const {
    std::vector<float> x(static_cast<size_t>(tokens_ * network_.width));
    EXPECT_TRUE(run_.residual->read(site, layer, 0, tokens_, x.data()));
    return x;
  }
  std::vector<float> before(int64_t layer) const {
    return layer == first_layer_ ? rows(ResidualSite::kEmbed, 0)
                                 : rows(ResidualSite::kPost, layer - 1);
  }

  std::shared_ptr<Model> model_;
  Network network_;
  ExploredRun run_;
  int64_t tokens_ = 0, first_layer_ = 0;
  Pool pool_;
};

TEST_P(Identities, HeadsAndBiasAreWhatAttentionAdds) {
  const int64_t width = network_.width;
  for (int64_t layer = first_layer_; layer < model_->shape().num_layers; ++layer) {
    const std::vector<float> heads = head_outputs(network_, *run_.residual, layer, 0, tokens_),
                             mid = rows(ResidualSite::kMid, layer), first = before(layer);
    std::vector<float> sum(mid.size()), added(mid.size());
    for (size_t i = 0; i < mid.size(); ++i) {
      double total = static_cast<double>(network_.layers[static_cast<size_t>(layer)].out->bias(
                         static_cast<int64_t>(i) % width)) *
                     static_cast<double>(network_.residual_scale);
      for (int64_t head = 0; head < network_.heads.heads; ++head)
        total += static_cast<double>(heads[static_cast<size_t>(head) * mid.size() + i]);
      sum[i] = static_cast<float>(total);
      added[i] = mid[i] - first[i];
    }
    EXPECT_LE(largest_difference(sum, added), 1e-5 * std::max(largest(mid), largest(sum)))
        << "layer " << layer;
  }
}

TEST_P(Identities, TheLensOfTheLastLayerHasTheBitsOfTheLogits) {
  const int64_t count = run_.logits.dim(0), layers = model_->shape().num_layers;
  Tensor lens;
  ASSERT_TRUE(lens_logits(*model_, *run_.residual, {ResidualSite::kPost, layers - 1},
                          tokens_ - count, count, lens, pool_.execution));
  EXPECT_TRUE(same_bits(lens, run_.logits));
  LogitLens grid;
  ASSERT_TRUE(
      logit_lens(*model_, *run_.residual, run_.tokens, 0, tokens_, true, grid, pool_.execution));
  const auto with_mlp = std::ranges::count_if(network_.layers.begin() + first_layer_,
                                              network_.layers.end(), &NetworkLayer::has_mlp);
  ASSERT_EQ(std::ssize(grid.sites), 1 + layers - first_layer_ + with_mlp);
  for (int64_t i = 0; i < count; ++i) {
    const LensCell& cell = grid.cell(grid.sites.size() - 1, tokens_ - count + i);
    EXPECT_EQ(cell.best, run_.generated[static_cast<size_t>(i)]);
    EXPECT_EQ(cell.rank, 0);
    EXPECT_EQ(cell.divergence, 0);
    EXPECT_EQ(cell.best_logit, cell.logit);
  }
  for (const LensCell& cell : grid.cells) {
    EXPECT_GE(cell.divergence, -1e-12);
    EXPECT_LE(cell.probability, cell.best_probability);
    EXPECT_EQ(cell.rank == 0, cell.logit == cell.best_logit);
  }
}

// Each row is normed by its own scale, so a row times 4 gives nearly the same logits.
TEST_P(Identities, TheLensComputesTheNormOfEachRowAnew) {
  std::vector<float> x = rows(ResidualSite::kPost, first_layer_), scaled = x;
  for (float& value : scaled) value *= 4;
  const int64_t row = tokens_ - 1;
  Tensor plain, same;
  ASSERT_TRUE(model_->read_out(x.data(), {&row, 1}, plain, pool_.execution));
  ASSERT_TRUE(model_->read_out(scaled.data(), {&row, 1}, same, pool_.execution));
  EXPECT_LE(largest_difference(plain.span<float>(), same.span<float>()),
            2e-3 * largest(plain.span<float>()));
}

TEST_P(Identities, PartsOfALogitDifferenceAddUpToIt) {
  Rng rng(9);
  const int64_t vocab = model_->shape().vocab_size;
  for (int i = 0; i < 8; ++i) {
    const std::vector<int32_t> pair = random_ids(rng, 2, vocab);
    const auto position = static_cast<int64_t>(rng.next() % static_cast<uint64_t>(tokens_));
    const auto shares =
        attribute(*model_, *run_.residual, position, pair[0], pair[1], pool_.execution);
    ASSERT_TRUE(shares);
    EXPECT_NEAR(shares->sum(), shares->difference,
                1e-4 * std::max(1.0, std::abs(shares->difference)));
    EXPECT_EQ(shares->before_cap, network_.logit_soft_cap > 0);
  }
}

TEST_P(Identities, RowsOfWeightsSumToOne) {
  for (int64_t layer = first_layer_; layer < model_->shape().num_layers; ++layer)
    for (int64_t head = 0; head < network_.heads.heads; ++head)
      for (int64_t query = 0; query < tokens_; ++query) {
        const int64_t keys = run_.attention->key_columns(layer, tokens_);
        std::vector<float> row(static_cast<size_t>(keys));
        run_.attention->weights(layer, head, query, 1, 0, keys, row.data());
        double sum = 0;
        for (const float weight : row) sum += static_cast<double>(weight);
        EXPECT_NEAR(sum, 1, 1e-6 * static_cast<double>(tokens_));
      }
}

TEST_P(Identities, WeightsTimesValuesAreTheOutputOfTheHead) {
  const int64_t heads = network_.heads.heads, size = network_.heads.size;
  for (int64_t layer = first_layer_; layer < model_->shape().num_layers; ++layer) {
    const int64_t keys = run_.attention->key_columns(layer, tokens_);
    std::vector<float> z(static_cast<size_t>(heads * size));
    ASSERT_TRUE(run_.residual->read_heads(layer, tokens_ - 1, 1, z.data()));
    for (int64_t head = 0; head < heads; ++head) {
      const auto row = attention_row(*run_.attention, layer, head, tokens_ - 1);
      ASSERT_TRUE(row);
      for (int64_t d = 0; d < size; ++d)
        EXPECT_NEAR(row->output[static_cast<size_t>(d)],
                    static_cast<double>(z[static_cast<size_t>(head * size + d)]),
                    1e-5 * std::max(1.0, largest(z)));
      const std::vector<double> lengths =
          output_lengths(network_, *run_.attention, layer, head, 0, keys);
      std::vector<float> values(static_cast<size_t>(keys * size));
      ASSERT_TRUE(run_.attention->values(layer, head, 0, keys, values.data()));
      double squares = 0;
      for (int64_t c = 0; c < network_.width; ++c) {
        double sum = 0;
        for (int64_t d = 0; d < size; ++d)
          sum += static_cast<double>(
                     network_.layers[static_cast<size_t>(layer)].out->weight(c, head * size + d)) *
                 static_cast<double>(values[static_cast<size_t>(3 * size + d)]);
        squares += sum * sum;
      }
      EXPECT_NEAR(lengths[3], std::sqrt(squares), 1e-9 * std::max(1.0, lengths[3]));
    }
  }
}

TEST_P(Identities, TheCheckOfWhatIsWrittenComparesWithTheStore) {
  const Execution& execution = pool_.execution;
  const int64_t all = network_.heads.heads * (std::ssize(network_.layers) - first_layer_);
  const auto check =
      check_written(network_, *run_.attention, *run_.residual, tokens_ - 1, {}, execution);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->heads, all);
  EXPECT_GT(check->largest, 0);
  EXPECT_LE(check->residue, 1e-5 * std::max(1.0, check->largest));
  EXPECT_EQ(check->layers, std::ssize(network_.layers) - first_layer_);
  EXPECT_GT(check->largest_sum, 0);
  EXPECT_LE(
      check->residue_of_sum,
      1e-5 * std::max(1.0, largest(rows(ResidualSite::kPost, model_->shape().num_layers - 1))));
  Rng rng(4);
  const ExploredRun other = run_of(model_, random_ids(rng, 17, model_->shape().vocab_size), {}, 4);
  const auto wrong =
      check_written(network_, *run_.attention, *other.residual, tokens_ - 1, {}, execution);
  ASSERT_TRUE(wrong);
  EXPECT_GT(wrong->residue, 1e-3 * wrong->largest);
  Intervention off;
  off.layer = first_layer_;
  const ExploredRun without = run_of(model_, run_.tokens, {off});
  const auto changed = check_written(network_, *without.attention, *without.residual, tokens_ - 1,
                                     std::vector{off}, execution);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->layers, check->layers);
  EXPECT_LE(
      changed->residue_of_sum,
      1e-5 * std::max(1.0, largest(rows(ResidualSite::kPost, model_->shape().num_layers - 1))));
  EXPECT_EQ(check_written(network_, *run_.attention, *run_.residual, tokens_ - 1, std::vector{off},
                          execution)
                ->heads,
            all - 1);
  EXPECT_FALSE(
      check_written(network_, *run_.attention, *run_.residual, tokens_ + 5, {}, execution));
}

TEST_P(Identities, RowsOfTheRolloutSumToOne) {
  if (first_layer_ > 0) {
    EXPECT_THROW(rollout(*run_.attention, tokens_), Error) << "it has cross attention";
    return;
  }
  for (const bool without_first : {false, true}) {
    const Rollout all = rollout(*run_.attention, tokens_, without_first);
    ASSERT_EQ(all.layers.size(), static_cast<size_t>(model_->shape().num_layers));
    EXPECT_LE(all.residue(), 1e-6);
    for (const std::vector<double>& layer : all.layers)
      for (int64_t row = 0; row < tokens_; ++row) {
        double sum = 0, later = 0;
        for (int64_t key = 0; key < tokens_; ++key)
          (key <= row ? sum : later) += layer[static_cast<size_t>(row * tokens_ + key)];
        EXPECT_NEAR(sum, 1, 1e-6);
        EXPECT_EQ(later, 0);
      }
  }
  const Rollout all = rollout(*run_.attention, tokens_);
  std::vector<double> mean(static_cast<size_t>(tokens_), 0.0);
  std::vector<float> row(static_cast<size_t>(tokens_));
  for (int64_t head = 0; head < network_.heads.heads; ++head) {
    run_.attention->weights(1, head, 5, 1, 0, tokens_, row.data());
    for (size_t k = 0; k < row.size(); ++k)
      mean[k] += static_cast<double>(row[k]) / static_cast<double>(network_.heads.heads);
  }
  double cell = 0;
  for (int64_t k = 0; k < tokens_; ++k)
    cell += (0.5 * mean[static_cast<size_t>(k)] + (k == 5 ? 0.5 : 0)) *
            all.layers[0][static_cast<size_t>(k * tokens_ + 2)];
  EXPECT_NEAR(all.layers[1][static_cast<size_t>(5 * tokens_ + 2)], cell, 1e-6);
}

TEST_P(Identities, EigenvaluesOfCircuitsAddUpToTheirTraces) {
  const HeadName head{std::ssize(network_.layers) - 1, network_.heads.heads - 1};
  if (first_layer_ > 0) {
    EXPECT_THROW(ov_circuit(*model_, head), Error) << "it has an encoder and a decoder";
    return;
  }
  const auto check = [](const Circuit& circuit) {
    EXPECT_LE(std::abs(circuit.residue()), 1e-9 * std::abs(circuit.eigenvalues.front()));
    EXPECT_LE(std::abs(circuit.score), 1 + 1e-12);
  };
  check(ov_circuit(*model_, head));
  if (network_.embedding->width() == network_.width)
    check(full_ov_circuit(*model_, head));
  else
    EXPECT_THROW(full_ov_circuit(*model_, head), Error);
  const bool bilinear = network_.not_bilinear.empty();
  if (bilinear)
    check(qk_circuit(*model_, head, 3));
  else
    EXPECT_THROW(qk_circuit(*model_, head, 3), Error);
  const std::vector<EarlierHead> earlier = compositions(*model_, head);
  EXPECT_EQ(std::ssize(earlier), head.layer * network_.heads.heads);
  for (const EarlierHead& one : earlier) EXPECT_EQ(one.query.has_value(), bilinear);
}

INSTANTIATE_TEST_SUITE_P(Models, Identities, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

// BART, Marian and an early OPT have a norm after each sum, so the logit lens refuses them.
TEST(Explore, TheOwnLogitsNeedNoSum) {
  for (const char* name : {"bart_1", "marian_1", "opt_2"}) {
    SCOPED_TRACE(name);
    const std::shared_ptr<Model> model = load_model(FamilyCase(name).write());
    EXPECT_THROW(require_sum(*model, "The logit lens"), Error);
    const ExploredRun run = run_of(model, {2, 3, 4, 5}, {}, 3);
    Pool pool;
    Tensor own;
    ASSERT_TRUE(own_logits(*model, *run.residual, 3, 3, own, pool.execution));
    EXPECT_TRUE(same_bits(own, run.logits));
    // If the last row of the last stream comes from another text, the logits are that text's.
    const int64_t last = model->shape().num_layers - 1;
    const ExploredRun patched =
        run_of(model, {2, 3, 4, 5}, {stream_of(1, ResidualSite::kPost, last, 3)}, 1, {6, 7, 8, 9});
    const ExploredRun other = run_of(model, {6, 7, 8, 9});
    EXPECT_TRUE(same_bits(patched.logits, other.logits));
  }
}

TEST(Explore, RefusesTokensThatDoNotExistAndRowsThatAreNotKept) {
  const auto model = random_toy(1);
  const ExploredRun run = run_of(model, {1, 2, 3});
  Pool pool;
  EXPECT_THROW(attribute(*model, *run.residual, 0, 0, 24, pool.execution), Error);
  EXPECT_THROW(attribute(*model, *run.residual, 3, 0, 1, pool.execution), Error);
  Tensor logits;
  EXPECT_THROW(lens_logits(*model, *run.residual, {}, 2, 2, logits, pool.execution), Error);
}

TEST(Explore, TheTwoBestTokens) {
  EXPECT_EQ(two_best(std::vector<float>{1, 3, 3, 2}), std::pair(1, 2));
  EXPECT_EQ(two_best(std::vector<float>{5, 1, 4}), std::pair(0, 2));
}

}  // namespace
}  // namespace attn
