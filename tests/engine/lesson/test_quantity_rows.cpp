// SPDX-License-Identifier: GPL-3.0-or-later
// Compares quantities of attention with sums in f64 over queries, keys and values; also quantities
// of an encoder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "tests/engine/lesson/quantity_support.h"

namespace attn::lesson {
namespace {

constexpr int64_t kWidth = 32;

using Sees = std::function<bool(int64_t head, int64_t query, int64_t key)>;
using Numbers = std::vector<double>;

std::shared_ptr<const FrozenRun> repeating_run(const std::string& attention,
                                               const std::string& backend) {
  return run_of(fmt::format(R"({{"version": 1, "seed": 3,
      "source": {{"synthetic": {{"kind": "induction", "num_layers": 2, "num_heads": 4,
                                 "num_kv_heads": 2, "head_size": 32, "period": 5}}}},
      "requests": [{{"prompt_tokens": 13, "max_tokens": 4}}],
      "attention": {{{}}},
      "engine": {{"backend": "{}", "block_size": 4, "num_blocks": 16}}}})",
                            attention, backend));
}

// One head, computed by the definition of attention. Masked cells have the weight 0.
struct DenseHead {
  int64_t rows = 0, keys = 0;
  std::vector<std::vector<bool>> seen;
  std::vector<Numbers> dot, weight;  // [rows][keys]
  Numbers max, sum;                  // [rows] the largest score; the sum of exp(score - max)
  Numbers length;                    // [keys] the Euclidean norm of each value

  double score(int64_t q, int64_t k) const { return dot[at(q)][at(k)] / std::sqrt(kWidth); }
  static size_t at(int64_t i) { return static_cast<size_t>(i); }
};

DenseHead dense_head(const AttentionRecord& record, int64_t layer, int64_t head, int64_t rows,
                     int64_t keys, const Sees& sees) {
  DenseHead dense;
  dense.rows = rows;
  dense.keys = keys;
  std::vector<float> q(static_cast<size_t>(rows * kWidth)), k(static_cast<size_t>(keys * kWidth)),
      v(k.size());
  EXPECT_TRUE(record.queries(layer, head, 0, rows, q.data()));
  EXPECT_TRUE(record.keys(layer, head, 0, keys, k.data()));
  EXPECT_TRUE(record.values(layer, head, 0, keys, v.data()));
  for (int64_t key = 0; key < keys; ++key) {
    double square = 0;
    for (int64_t d = 0; d < kWidth; ++d)
      square += std::pow(static_cast<double>(v[DenseHead::at(key * kWidth + d)]), 2);
    dense.length.push_back(std::sqrt(square));
  }
  for (int64_t query = 0; query < rows; ++query) {
    Numbers dots(DenseHead::at(keys)), weights(DenseHead::at(keys));
    std::vector<bool> seen(DenseHead::at(keys));
    double max = -1e30, sum = 0;
    for (int64_t key = 0; key < keys; ++key) {
      for (int64_t d = 0; d < kWidth; ++d)
        dots[DenseHead::at(key)] += static_cast<double>(q[DenseHead::at(query * kWidth + d)]) *
                                    static_cast<double>(k[DenseHead::at(key * kWidth + d)]);
      seen[DenseHead::at(key)] = sees(head, query, key);
      if (seen[DenseHead::at(key)])
        max = std::max(max, dots[DenseHead::at(key)] / std::sqrt(kWidth));
    }
    for (int64_t key = 0; key < keys; ++key)
      if (seen[DenseHead::at(key)])
        sum += weights[DenseHead::at(key)] =
            std::exp(dots[DenseHead::at(key)] / std::sqrt(kWidth) - max);
    for (double& weight : weights) weight /= sum;
    dense.seen.push_back(seen);
    dense.dot.push_back(dots);
    dense.weight.push_back(weights);
    dense.max.push_back(max);
    dense.sum.push_back(sum);
  }
  return dense;
}

DenseHead dense_head(const FrozenRun& run, int64_t layer, int64_t head, const Sees& sees) {
  const RequestView& request = run.end().requests[0];
  const auto rows = static_cast<int64_t>(request.tokens->size()) - 1;  // the last token has no row
  return dense_head(*request.attention, layer, head, rows, rows, sees);
}

double entropy_of(const Numbers& weights) {
  double entropy = 0;
  for (const double weight : weights)
    if (weight > 0) entropy -= weight * std::log(weight);
  return entropy;
}

void expect_row(const FrozenRun& run, const DenseHead& dense, int64_t layer, int64_t head,
                int64_t query) {
  const std::string row = fmt::format("layer={}, head={}, query={}", layer, head, query);
  SCOPED_TRACE(row);
  const auto of = [&](const std::string& name, const std::string& more = "") {
    return value(name + "(" + row + (more.empty() ? "" : ", " + more) + ")", run);
  };
  const auto at = DenseHead::at(query);
  const Numbers& weights = dense.weight[at];
  constexpr double kClose = 2e-5;
  Numbers scores, dots;  // of the keys that the row sees
  std::vector<int64_t> keys;
  for (int64_t key = 0; key < dense.keys; ++key) {
    const double weight = weights[DenseHead::at(key)];
    EXPECT_NEAR(of("weight", fmt::format("key={}", key)), weight, kClose) << key;
    if (!dense.seen[at][DenseHead::at(key)]) continue;
    keys.push_back(key);
    dots.push_back(dense.dot[at][DenseHead::at(key)]);
    scores.push_back(dense.score(query, key));
    EXPECT_NEAR(of("dot", fmt::format("key={}", key)), dots.back(), 1e-3) << key;
    EXPECT_NEAR(of("score", fmt::format("key={}", key)), scores.back(), 2e-4) << key;
  }
  const auto count = static_cast<double>(keys.size());
  EXPECT_EQ(of("visible_keys"), count);
  EXPECT_NEAR(of("row_sum"), 1, kClose);
  EXPECT_NEAR(of("row_max"), dense.max[at], 2e-4);
  EXPECT_NEAR(of("log_sum_exp"), dense.max[at] + std::log(dense.sum[at]), 2e-4);
  EXPECT_NEAR(of("entropy"), entropy_of(weights), 1e-4);
  EXPECT_NEAR(of("effective_keys"), std::exp(entropy_of(weights)), 1e-3);

  const auto from = keys.front() + 1, to = keys.back() - 1;
  if (from <= to) {
    double share = 0;
    for (int64_t key = from; key <= to; ++key) share += weights[DenseHead::at(key)];
    EXPECT_NEAR(of("share", fmt::format("key={}, to={}", from, to)), share, kClose);
  }

  double mean = 0, square = 0, most_dot = -1e30, unscaled = 0;
  for (const double dot : dots) {
    mean += dot / count;
    square += dot * dot / count;
    most_dot = std::max(most_dot, dot);
  }
  EXPECT_NEAR(of("dot_spread"), std::sqrt(std::max(0.0, square - mean * mean)), 2e-3);
  for (const double dot : dots) unscaled += std::exp(dot - most_dot);
  EXPECT_NEAR(of("heaviest_unscaled"), 1 / unscaled, 1e-3);

  double heaviest = 0, lightest = 1, lengths = 0;
  for (const int64_t key : keys) {
    const auto i = DenseHead::at(key);
    heaviest = std::max(heaviest, weights[i]);
    lightest = std::min(lightest, weights[i]);
    lengths += weights[i] * dense.length[i];
  }
  EXPECT_NEAR(of("heaviest"), heaviest, kClose);
  EXPECT_NEAR(of("lightest"), lightest, kClose);
  EXPECT_TRUE(dense.seen[at][DenseHead::at(place("lightest(" + row + ")", run).key)]);
  const int64_t position = static_cast<int64_t>(of("heaviest_position"));
  EXPECT_NEAR(weights[DenseHead::at(position)], heaviest, kClose);
  EXPECT_EQ(place("heaviest_key(" + row + ")", run).key, position);
  for (const int64_t key : keys)
    EXPECT_NEAR(of("value_share", fmt::format("key={}", key)),
                weights[DenseHead::at(key)] * dense.length[DenseHead::at(key)] / lengths, 1e-4);

  // The scores from the first visible key to the last one; -1e30 for masked keys between them.
  std::vector<double> line;
  for (int64_t key = keys.front(); key <= keys.back(); ++key)
    line.push_back(dense.seen[at][DenseHead::at(key)] ? dense.score(query, key) : -1e30);
  constexpr int64_t kTile = 3;
  double rescales = 0, ties = 0;
  Numbers maxima;
  double max = -1e30, sum = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const double more = std::max(max, line[i]);
    sum = sum * std::exp(max - more) + std::exp(line[i] - more);
    max = more;
    maxima.push_back(max);
    const auto length = static_cast<int64_t>(i) + 1;
    const std::string taken = fmt::format("keys={}", length);
    EXPECT_NEAR(of("running_max", taken), max, 2e-4);
    EXPECT_NEAR(of("running_sum", taken), sum, 1e-3);
    const double rescale =
        length > kTile ? std::exp(maxima[i - static_cast<size_t>(kTile)] - max) : 0;
    EXPECT_NEAR(of("rescale", fmt::format("{}, tile={}", taken, kTile)), rescale, 1e-3);
    // At the end of a tile. Scores that are nearly equal count as ties.
    if (length % kTile == 0 || i + 1 == line.size()) {
      const size_t first = i / static_cast<size_t>(kTile) * static_cast<size_t>(kTile);
      if (first == 0) continue;
      const double largest = *std::max_element(line.begin() + static_cast<std::ptrdiff_t>(first),
                                               line.begin() + length);
      rescales += largest > maxima[first - 1] + 1e-4;
      ties += std::abs(largest - maxima[first - 1]) <= 1e-4;
    }
  }
  const double told = of("rescales", fmt::format("tile={}", kTile));
  EXPECT_GE(told, rescales);
  EXPECT_LE(told, rescales + ties);
}

// Some scores of a head, by the definitions in head_scores.h.
struct DenseScores {
  double previous = 0, first = 0, induction = 0, entropy = 0, distance = 0;
};
DenseScores scores_of(const DenseHead& dense, const std::vector<int32_t>& tokens) {
  double rows_previous = 0, rows_first = 0, rows_induction = 0, mass = 0;
  DenseScores scores;
  for (int64_t q = 0; q < dense.rows; ++q) {
    const auto row = DenseHead::at(q);
    scores.entropy += entropy_of(dense.weight[row]) / static_cast<double>(dense.rows);
    for (int64_t k = 0; k < dense.keys; ++k) {
      mass += dense.weight[row][DenseHead::at(k)];
      scores.distance += dense.weight[row][DenseHead::at(k)] * static_cast<double>(std::abs(q - k));
    }
    if (q > 0 && dense.seen[row][row - 1]) {
      ++rows_previous;
      scores.previous += dense.weight[row][row - 1];
    }
    if (dense.seen[row][0] && std::ranges::count(dense.seen[row], true) > 1) {
      ++rows_first;
      scores.first += dense.weight[row][0];
    }
    double followed = 0;
    bool counts = false;
    for (int64_t p = 0; p + 1 < q; ++p) {
      if (tokens[DenseHead::at(p)] != tokens[row]) continue;
      counts = dense.seen[row][DenseHead::at(p + 1)];  // the nearest place decides
      followed += dense.weight[row][DenseHead::at(p + 1)];
    }
    if (!counts) continue;
    ++rows_induction;
    scores.induction += followed;
  }
  EXPECT_GT(rows_induction, 0);
  scores.previous /= rows_previous;
  scores.first /= rows_first;
  scores.induction /= rows_induction;
  scores.distance /= mass;
  return scores;
}

void expect_heads(const FrozenRun& run, const Sees& sees) {
  std::vector<int32_t> tokens;
  for (const TokenView& token : *run.end().requests[0].tokens) tokens.push_back(token.id);
  struct Best {
    double score = -1;
    int64_t layer = -1, head = -1;
  };
  std::map<std::string, Best> best;
  std::map<std::pair<int64_t, int64_t>, double> readers;  // number of heads, by (query, key)
  std::set<int64_t> tied;  // queries where a head has two nearly equal largest weights
  for (int64_t layer = 0; layer < 2; ++layer)
    for (int64_t head = 0; head < 4; ++head) {
      const DenseHead dense = dense_head(run, layer, head, sees);
      for (int64_t query = 0; query < dense.rows; ++query) {
        expect_row(run, dense, layer, head, query);
        const Numbers& weights = dense.weight[DenseHead::at(query)];
        const auto most = std::ranges::max_element(weights) - weights.begin();
        ++readers[{query, most}];
        const double limit = weights[DenseHead::at(most)] - 1e-4;
        if (std::ranges::count_if(weights, [&](double weight) { return weight > limit; }) > 1)
          tied.insert(query);
      }
      const DenseScores scores = scores_of(dense, tokens);
      const std::string of = fmt::format("(layer={}, head={})", layer, head);
      EXPECT_NEAR(value("previous_token_score" + of, run), scores.previous, 1e-5) << of;
      EXPECT_NEAR(value("first_token_score" + of, run), scores.first, 1e-5) << of;
      EXPECT_NEAR(value("induction_score" + of, run), scores.induction, 1e-5) << of;
      EXPECT_NEAR(value("head_entropy" + of, run), scores.entropy, 1e-4) << of;
      EXPECT_NEAR(value("mean_distance" + of, run), scores.distance, 1e-4) << of;
      const std::map<std::string, double> named = {{"previous_token", scores.previous},
                                                   {"first_token", scores.first},
                                                   {"induction", scores.induction},
                                                   {"entropy", scores.entropy},
                                                   {"distance", scores.distance}};
      for (const auto& [name, score] : named)
        if (score > best[name].score) best[name] = {score, layer, head};
    }
  for (const auto& [name, most] : best) {
    EXPECT_NEAR(value(fmt::format("best_score(score={})", name), run), most.score, 1e-4) << name;
    const Place found = place(fmt::format("best_head(score={})", name), run);
    EXPECT_EQ(found.layer, most.layer) << name;
    EXPECT_EQ(found.head, most.head) << name;
  }
  EXPECT_LT(tied.size(), 12u);  // of 16 queries
  for (const auto& [cell, heads] : readers)
    if (!tied.contains(cell.first)) {
      EXPECT_EQ(value(fmt::format("heads_reading(query={}, key={})", cell.first, cell.second), run),
                heads)
          << cell.first << ' ' << cell.second;
    }
}

TEST(QuantitySources, RowsAndHeads) {
  const auto run = repeating_run("", "torch_sdpa");
  EXPECT_NEAR(value("scale", *run), 1 / std::sqrt(32.0), 1e-7);
  expect_heads(*run, [](int64_t, int64_t q, int64_t k) { return k <= q; });
}

TEST(QuantitySources, RowsAndHeadsWithAWindow) {
  const auto run = repeating_run(R"("sliding_window": 6)", "torch_sdpa");
  expect_heads(*run, [](int64_t, int64_t q, int64_t k) { return k <= q && k > q - 6; });
}

TEST(QuantitySources, RowsAndHeadsWithHoles) {
  const auto run = repeating_run(R"("blocksparse": {"local_blocks": 2, "vert_stride": 3,
      "block_size": 2, "head_sliding_step": 1})",
                                 "unified");
  expect_heads(*run, [](int64_t head, int64_t q, int64_t k) {
    return k <= q && (k / 2 > q / 2 - 2 || (k / 2 + head + 1) % 3 == 0);
  });
}

TEST(QuantitySources, InductionKeyFollowsTheSameToken) {
  const auto run = repeating_run("", "torch_sdpa");
  const std::vector<TokenView>& tokens = *run->end().requests[0].tokens;
  int repeated = 0;
  for (int64_t query = 0; query + 1 < static_cast<int64_t>(tokens.size()); ++query) {
    int64_t follows = -1;
    for (int64_t p = 0; p + 1 < query; ++p)
      if (tokens[DenseHead::at(p)].id == tokens[DenseHead::at(query)].id) follows = p + 1;
    const std::string call = fmt::format("induction_key(query={})", query);
    if (follows < 0) {
      EXPECT_NE(refusal(call, *run), "accepted") << query;
    } else {
      ++repeated;
      EXPECT_EQ(place(call, *run).key, follows) << query;
    }
  }
  EXPECT_GT(repeated, 5);
}

// The encoder has more tokens than the decoder, so the rows of one are not those of the other.
TEST(QuantitySources, LayersOfAnEncoder) {
  const auto run = run_of(R"({"version": 1, "seed": 3,
      "source": {"synthetic": {"kind": "encoder_decoder", "num_layers": 1, "num_encoder_layers": 1,
                               "num_heads": 4, "num_kv_heads": 2, "head_size": 32}},
      "requests": [{"prompt_tokens": 3, "encoder_tokens": 12, "max_tokens": 3}],
      "attention": {"type": "encoder_decoder"},
      "engine": {"backend": "xformers", "block_size": 4, "num_blocks": 16}})");
  const RequestView& request = run->end().requests[0];
  const auto all = [](int64_t, int64_t, int64_t) { return true; };
  const auto earlier = [](int64_t, int64_t q, int64_t k) { return k <= q; };
  const DenseHead heads[] = {dense_head(*request.encoder->attention, 0, 1, 12, 12, all),
                             dense_head(*request.attention, 1, 1, 5, 5, earlier),
                             dense_head(*request.attention, 2, 1, 5, 12, all)};
  for (int64_t layer = 0; layer < 3; ++layer) {
    const DenseHead& dense = heads[layer];
    double entropy = 0;
    for (int64_t query = 0; query < dense.rows; ++query) {
      expect_row(*run, dense, layer, 1, query);
      entropy += entropy_of(dense.weight[DenseHead::at(query)]) / static_cast<double>(dense.rows);
    }
    EXPECT_NEAR(value(fmt::format("head_entropy(layer={}, head=1)", layer), *run), entropy, 1e-4);
  }
  // A key of cross attention is a token of the encoder, so heads of self attention do not read it.
  for (int64_t layer = 0; layer < 3; ++layer) {
    const AttentionRecord& record = *request.at(layer).attention;
    const int64_t query = heads[layer].rows - 1, keys = record.num_keys(layer);
    double all_keys = 0;
    for (int64_t key = 0; key < keys; ++key) {
      double readers = 0;
      for (int64_t head = 0; head < 4; ++head) {
        const std::vector<float> weight = attention_row(record, layer, head, query)->weight;
        const auto largest = std::ranges::max_element(weight) - weight.begin();
        readers += largest == key;
      }
      EXPECT_EQ(
          value(fmt::format("heads_reading(layer={}, query={}, key={})", layer, query, key), *run),
          readers)
          << layer << ' ' << key;
      all_keys += readers;
    }
    EXPECT_EQ(all_keys, 4) << layer;
  }
  EXPECT_EQ(value("encoder_tokens", *run), 12);
  EXPECT_EQ(value("num_layers", *run), 3);
  // The encoder runs in step 1 only.
  EXPECT_EQ(value("pairs_of_step(layer=0, step=1)", *run), 12 * 12);
  EXPECT_EQ(value("pairs_of_step(layer=0, step=2)", *run), 0);
  EXPECT_EQ(value("pairs_of_step(layer=1, step=1)", *run), 1 + 2 + 3);
  EXPECT_EQ(value("pairs_of_step(layer=1, step=2)", *run), 4);
  EXPECT_EQ(value("pairs_of_step(layer=2, step=1)", *run), 3 * 12);
  EXPECT_EQ(value("pairs_of_step(layer=2, step=2)", *run), 12);
  // 3 own tokens and 12 of the encoder, each in blocks of 4.
  EXPECT_EQ(value("blocks_of(step=1)", *run), 1 + 3);
}

}  // namespace
}  // namespace attn::lesson
