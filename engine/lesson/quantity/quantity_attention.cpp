// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of attention: cells, rows and heads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/attention/scores/head_scores.h"
#include "engine/lesson/quantity/quantity_tables.h"
#include "engine/lesson/quantity/resolved_arguments.h"
#include "engine/session/record/head_reader.h"

namespace attn::lesson {
namespace {

using With = ResolvedArguments;

int64_t size_of(const KeySpan& keys) {
  return keys.empty() ? 0 : keys.end - keys.begin;
}

bool sees(const With& with, int64_t key) {
  return with.record().shape().rules.of(with.layer()).sees(with.head(), with.query(), key);
}

QuantityValue at_cell(double number, const With& with, int64_t key) {
  Place place = with.place(PlaceKind::kCell);
  place.key = key;
  return {number, place};
}

QuantityValue operand(const With& with, double (*of)(const WeightOperands&)) {
  const int64_t key = with.key();
  return at_cell(of(with.record().operands(with.layer(), with.head(), with.query(), key)), with,
                 key);
}

QuantityValue of_row(const With& with, double (*of)(const AttentionRow&)) {
  return {of(with.row()), with.place(PlaceKind::kRow)};
}

double entropy(const AttentionRow& row) {
  double sum = 0;
  for (const float weight : row.weight)
    if (weight > 0) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
  return sum;
}

double share(const With& with) {
  const AttentionRow row = with.row();
  const int64_t from = with.key(), to = with.key("to", from);
  double sum = 0;
  for (int64_t key = std::max(from, row.keys.begin); key <= to && key < row.keys.end; ++key)
    sum += static_cast<double>(row.weight[row.at(key)]);
  return sum;
}

int64_t heaviest_key(const AttentionRow& row) {
  return row.keys.begin + (std::ranges::max_element(row.weight) - row.weight.begin());
}
QuantityValue heaviest(const With& with) {
  const AttentionRow row = with.row();
  const int64_t key = heaviest_key(row);
  return at_cell(static_cast<double>(row.weight[row.at(key)]), with, key);
}
QuantityValue lightest(const With& with) {
  const AttentionRow row = with.row();
  int64_t lightest = -1;
  for (int64_t key = row.keys.begin; key < row.keys.end; ++key)
    if (sees(with, key) && (lightest < 0 || row.weight[row.at(key)] < row.weight[row.at(lightest)]))
      lightest = key;
  return at_cell(static_cast<double>(row.weight[row.at(lightest)]), with, lightest);
}

// The scores of a row from its first visible key on; masked: -inf.
std::vector<float> scores_from_first(const With& with) {
  const AttentionRow row = with.row();
  int64_t first = row.keys.begin;
  while (first < row.keys.end - 1 && !sees(with, first)) ++first;
  return {row.score.begin() + (first - row.keys.begin), row.score.end()};
}
// The maximum and the sum of exp(score - maximum) over the first `keys` scores.
struct Running {
  double max = -std::numeric_limits<double>::infinity(), sum = 0;
};
Running running(const std::vector<float>& scores, int64_t keys) {
  Running state;
  const auto count = std::min(static_cast<size_t>(keys), scores.size());
  for (size_t i = 0; i < count; ++i)
    state.max = std::max(state.max, static_cast<double>(scores[i]));
  for (size_t i = 0; i < count; ++i)
    state.sum += std::exp(static_cast<double>(scores[i]) - state.max);
  return state;
}
int64_t keys_of(const With& with, const std::vector<float>& scores) {
  return with.integer("keys", static_cast<int64_t>(scores.size()), 1, 1'000'000);
}
Running running(const With& with) {
  const std::vector<float> scores = scores_from_first(with);
  return running(scores, keys_of(with, scores));
}
// exp(old maximum - new maximum) when the last `tile` of the first `keys` keys of a row are added.
double rescale(const With& with) {
  const std::vector<float> scores = scores_from_first(with);
  const int64_t keys = keys_of(with, scores), tile = with.integer("tile", 16, 1, 4096);
  if (keys <= tile) return 0;  // no tile before
  return std::exp(running(scores, keys - tile).max - running(scores, keys).max);
}
// How often the running maximum grew as tiles of `tile` keys were added, without the first tile.
double rescales(const With& with) {
  const std::vector<float> scores = scores_from_first(with);
  const auto count = static_cast<int64_t>(scores.size());
  const int64_t tile = with.integer("tile", 16, 1, 4096);
  double times = 0;
  for (int64_t keys = 2 * tile; keys < count + tile; keys += tile)
    if (running(scores, keys).max > running(scores, keys - tile).max) ++times;
  return times;
}

HeadScores scores_of(const With& with, int64_t layer, int64_t head) {
  const RequestView& request = with.request().at(layer);
  if (!request.attention) with.refuse("the request was never computed", request.name, "another");
  HeadReading reading;
  (void)read_head(
      *request.attention, layer, head, request.num_computed, repeated_tokens_of(request),
      [] { return false; }, reading);
  return reading.scores;
}
double score_named(const With& with, const HeadScores& scores, std::string_view name) {
  const auto value = name == "previous_token" ? scores.previous
                     : name == "induction"    ? scores.induction
                     : name == "first_token"  ? scores.first_share
                     : name == "entropy"      ? scores.entropy_nats
                                              : scores.distance_tokens;
  if (!value)
    with.refuse("no row counts for this score", std::string(name),
                "a run with such rows, for induction one with repeated tokens");
  return *value;
}
QuantityValue head_score(const With& with, std::string_view name) {
  return {score_named(with, scores_of(with, with.layer(), with.head()), name),
          with.place(PlaceKind::kHead)};
}

// The head with the largest score, in `layer` if it is given.
QuantityValue best_head(const FrozenRun& run, const With& with) {
  const std::string name = with.word("score", "induction");
  const SourceShape& shape = run.end().source;
  Place best = with.place(PlaceKind::kHead);
  double most = -std::numeric_limits<double>::infinity();
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
    if (with.has("layer") && layer != with.layer()) continue;
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      const double score = score_named(with, scores_of(with, layer, head), name);
      if (score <= most) continue;
      most = score;
      best.layer = layer;
      best.head = head;
    }
  }
  return {most, best};
}

// The key after the nearest earlier place of the query's token. The place just before the query
// does not count.
QuantityValue induction_key(const With& with) {
  const RepeatedTokens repeated = repeated_tokens_of(with.request().at(with.layer()));
  const auto query = static_cast<size_t>(with.query());
  const int64_t key = query < repeated.nearest.size() ? repeated.nearest[query] : -1;
  if (key < 0)
    with.refuse("this token did not occur before", std::to_string(query), "a repeated token");
  return at_cell(static_cast<double>(key), with, key);
}

// The dot products of a row with the keys that it sees.
std::vector<double> dots(const With& with) {
  const AttentionRow row = with.row();
  const AttentionRecord& record = with.record();
  std::vector<double> all;
  for (int64_t key = row.keys.begin; key < row.keys.end; ++key) {
    const WeightOperands of = record.operands(with.layer(), with.head(), with.query(), key);
    if (!of.masked) all.push_back(static_cast<double>(of.dot));
  }
  return all;
}
double spread(const std::vector<double>& numbers) {
  double sum = 0, squares = 0;
  for (const double each : numbers) sum += each;
  const double mean = sum / static_cast<double>(numbers.size());
  for (const double each : numbers) squares += (each - mean) * (each - mean);
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}
double heaviest_unscaled(const With& with) {
  const std::vector<double> all = dots(with);
  const double most = *std::ranges::max_element(all);
  double sum = 0;
  for (const double each : all) sum += std::exp(each - most);
  return 1 / sum;
}

// The share of a key in the sum of weight times value length over a row's keys. G. Kobayashi et
// al., "Attention is Not Only a Weight", 2020.
QuantityValue value_share(const With& with) {
  const AttentionRow row = with.row();
  const auto size = static_cast<size_t>(with.record().shape().head_size);
  std::vector<float> values(row.weight.size() * size);
  if (!with.record().values(with.layer(), with.head(), row.keys.begin, size_of(row.keys),
                            values.data()))
    with.refuse("the values of this row were not kept", "none", "a run that keeps them");
  double all = 0, own = 0;
  const int64_t key = with.key();
  for (size_t i = 0; i < row.weight.size(); ++i) {
    double square = 0;
    for (size_t d = 0; d < size; ++d) {
      const double value = static_cast<double>(values[i * size + d]);
      square += value * value;
    }
    const double length = static_cast<double>(row.weight[i]) * std::sqrt(square);
    all += length;
    if (row.keys.begin + static_cast<int64_t>(i) == key) own = length;
  }
  return at_cell(all > 0 ? own / all : 0, with, key);
}

// How many heads have the largest weight of the row on this key, over the layers whose queries and
// keys belong to the same tokens: self attention and cross attention share a record, but key 3 of
// one is not key 3 of the other.
QuantityValue heads_reading(const FrozenRun& run, const With& with) {
  const SourceShape& shape = run.end().source;
  const LayerRules& rules = with.record().shape().rules;
  const int64_t query = with.query(), key = with.key();
  double heads = 0;
  for (const int64_t layer : rules.layers_like(with.layer(), shape.num_layers))
    for (int64_t head = 0; head < shape.num_heads; ++head)
      if (const auto row = attention_row(with.record(), layer, head, query))
        heads += heaviest_key(*row) == key;
  return at_cell(heads, with, key);
}

double visible(const With& with) {
  const AttentionRecord& record = with.record();
  const WeightRule& rule = record.shape().rules.of(with.layer());
  return static_cast<double>(
      count_seen_keys(rule, with.head(), with.query(), 0, record.num_keys(with.layer())));
}

#define ATTN_ROW "request layer head query"

constexpr Quantity kAttentionQuantities[] = {
    {"weight", ATTN_ROW " key", "part", "cell", false,
     "the weight of one key in the row of a query",
     [](const FrozenRun&, const With& with) {
       return operand(with,
                      [](const WeightOperands& of) { return static_cast<double>(of.weight); });
     }},
    {"score", ATTN_ROW " key", "", "cell", false,
     "the number that goes into the softmax: q.k times the scale, with soft cap and bias",
     [](const FrozenRun&, const With& with) {
       return operand(with, [](const WeightOperands& of) { return static_cast<double>(of.score); });
     }},
    {"dot", ATTN_ROW " key", "", "cell", false, "q.k, the dot product of a query and a key",
     [](const FrozenRun&, const With& with) {
       return operand(with, [](const WeightOperands& of) { return static_cast<double>(of.dot); });
     }},
    {"dot_spread", ATTN_ROW, "", "row", false,
     "the standard deviation of q.k over the keys that a row sees",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{spread(dots(with)), with.place(PlaceKind::kRow)};
     }},
    {"heaviest_unscaled", ATTN_ROW, "part", "row", false,
     "the largest weight of a row if its softmax took q.k without the scale",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{heaviest_unscaled(with), with.place(PlaceKind::kRow)};
     }},
    {"scale", "", "", "", false, "the factor by which q.k is multiplied, 1 / sqrt(head size)",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{static_cast<double>(with.record().shape().scale), {}};
     }},
    {"share", ATTN_ROW " key to", "part", "cell", false,
     "the sum of the weights of the keys from `key` to `to`",
     [](const FrozenRun&, const With& with) { return at_cell(share(with), with, with.key()); }},
    {"row_sum", ATTN_ROW, "part", "row", false, "the sum of all weights of a row",
     [](const FrozenRun&, const With& with) {
       return of_row(with, [](const AttentionRow& row) { return row.weight_sum; });
     }},
    {"entropy", ATTN_ROW, "nats", "row", false, "the entropy of the weights of a row",
     [](const FrozenRun&, const With& with) { return of_row(with, entropy); }},
    {"effective_keys", ATTN_ROW, "keys", "row", false,
     "exp(entropy): over how many keys an even row of this entropy would spread",
     [](const FrozenRun&, const With& with) {
       return of_row(with, [](const AttentionRow& row) { return std::exp(entropy(row)); });
     }},
    {"log_sum_exp", ATTN_ROW, "", "row", false,
     "the logarithm of the sum of the exponentials of a row, as the kernel gave it",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{
           static_cast<double>(with.record().lse(with.layer(), with.head(), with.query())),
           with.place(PlaceKind::kRow)};
     }},
    {"row_max", ATTN_ROW, "", "row", false, "the largest score of a row",
     [](const FrozenRun&, const With& with) {
       return of_row(with, [](const AttentionRow& row) { return static_cast<double>(row.max); });
     }},
    {"running_max", ATTN_ROW " keys", "", "row", false,
     "the largest score of the first `keys` keys",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{running(with).max, with.place(PlaceKind::kRow)};
     }},
    {"running_sum", ATTN_ROW " keys", "", "row", false,
     "the sum of exp(score - running maximum) over the first `keys` keys",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{running(with).sum, with.place(PlaceKind::kRow)};
     }},
    {"rescale", ATTN_ROW " keys tile", "", "row", false,
     "the factor for the old sum when the tile that ends with key number `keys` is taken in",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{rescale(with), with.place(PlaceKind::kRow)};
     }},
    {"rescales", ATTN_ROW " tile", "times", "row", false,
     "how often a later tile had a larger score than all tiles before it",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{rescales(with), with.place(PlaceKind::kRow)};
     }},
    {"visible_keys", ATTN_ROW, "keys", "row", false, "how many keys a row sees",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{visible(with), with.place(PlaceKind::kRow)};
     }},
    {"heaviest", ATTN_ROW, "part", "cell", false, "the largest weight of a row",
     [](const FrozenRun&, const With& with) { return heaviest(with); }},
    {"lightest", ATTN_ROW, "part", "cell", false, "the smallest weight of the keys that a row sees",
     [](const FrozenRun&, const With& with) { return lightest(with); }},
    {"heaviest_key", ATTN_ROW, "", "cell", true, "the cell with the largest weight of a row",
     [](const FrozenRun&, const With& with) { return heaviest(with); }},
    {"heaviest_position", ATTN_ROW, "", "cell", false,
     "the position of the key with the largest weight of a row",
     [](const FrozenRun&, const With& with) {
       const int64_t key = heaviest_key(with.row());
       return at_cell(static_cast<double>(key), with, key);
     }},
    {"induction_key", ATTN_ROW, "", "cell", true,
     "the cell of the key after the nearest earlier place of the same token",
     [](const FrozenRun&, const With& with) { return induction_key(with); }},
    {"value_share", ATTN_ROW " key", "part", "cell", false,
     "the share of a key in the sum of the lengths of weight times value over a row",
     [](const FrozenRun&, const With& with) { return value_share(with); }},
    {"heads_reading", ATTN_ROW " key", "heads", "cell", false,
     "how many heads have their largest weight of a row on this key, over all layers of the same "
     "kind of attention as `layer`",
     heads_reading},
    {"previous_token_score", "request layer head", "part", "head", false,
     "the mean weight of the previous token in the rows of a head",
     [](const FrozenRun&, const With& with) { return head_score(with, "previous_token"); }},
    {"induction_score", "request layer head", "part", "head", false,
     "the mean weight of the tokens that followed earlier places of the same token",
     [](const FrozenRun&, const With& with) { return head_score(with, "induction"); }},
    {"first_token_score", "request layer head", "part", "head", false,
     "the mean weight of token 0 in the rows of a head",
     [](const FrozenRun&, const With& with) { return head_score(with, "first_token"); }},
    {"head_entropy", "request layer head", "nats", "head", false,
     "the mean entropy of the rows of a head",
     [](const FrozenRun&, const With& with) { return head_score(with, "entropy"); }},
    {"mean_distance", "request layer head", "tokens", "head", false,
     "how far back a head reads on average",
     [](const FrozenRun&, const With& with) { return head_score(with, "distance"); }},
    {"best_score", "request layer score", "", "head", false, "the largest score of all heads",
     best_head},
    {"best_head", "request layer score", "", "head", true, "the head with the largest score",
     best_head},
};
#undef ATTN_ROW

}  // namespace

std::span<const Quantity> attention_quantities() {
  return kAttentionQuantities;
}

}  // namespace attn::lesson
