// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/core/error.h"
#include "engine/explore/explored_run.h"

namespace attn {
namespace {

using Direction = std::vector<double>;  // [C]

double dot(const Direction& direction, std::span<const float> x) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += direction[i] * static_cast<double>(x[i]);
  return sum;
}

// The direction before a norm that belongs to the direction `after` it, with the norm's statistics
// of `x`. The dot product of a part of x with the result is what this part adds to the logit
// difference.
Direction before_norm(const Direction& after, const Norm* norm, const float* x) {
  if (!norm) return after;
  Direction before(after.size());
  const NormStatistics at = norm->statistics(x);
  for (size_t i = 0; i < after.size(); ++i)
    before[i] = after[i] * static_cast<double>(at.factor) *
                static_cast<double>(norm->gain(static_cast<int64_t>(i)));
  if (!norm->centres()) return before;
  const double mean =
      std::accumulate(before.begin(), before.end(), 0.0) / static_cast<double>(before.size());
  for (double& x_i : before) x_i -= mean;
  return before;
}

// What the bias of a norm gives along a direction after it.
double along_bias(const Direction& after, const Norm* norm) {
  double sum = 0;
  for (size_t i = 0; norm && i < after.size(); ++i)
    sum += after[i] * static_cast<double>(norm->bias(static_cast<int64_t>(i)));
  return sum;
}

// The difference of two tokens' rows in the output embedding, times the scale of logits, as a
// direction after the final norm.
Direction unembedding(const Network& network, int32_t a, int32_t b) {
  const Linear& head = *network.head;
  Direction inner(static_cast<size_t>(head.in()));
  for (int64_t i = 0; i < head.in(); ++i)
    inner[static_cast<size_t>(i)] =
        (static_cast<double>(head.weight(a, i)) - static_cast<double>(head.weight(b, i))) *
        static_cast<double>(network.logit_scale);
  if (!network.project) return inner;
  Direction outer(static_cast<size_t>(network.width), 0.0);
  for (int64_t i = 0; i < network.width; ++i)
    for (int64_t j = 0; j < head.in(); ++j)
      outer[static_cast<size_t>(i)] +=
          static_cast<double>(network.project->weight(j, i)) * inner[static_cast<size_t>(j)];
  return outer;
}

void check_tokens(const Network& network, int32_t a, int32_t b) {
  for (const int32_t token : {a, b})
    if (token < 0 || token >= network.vocab_size)
      throw_bad_input({"there is no such token", "the pair of an attribution",
                       fmt::format("{}", token), fmt::format("0 to {}", network.vocab_size - 1),
                       ""});
}

}  // namespace

double Attribution::sum() const {
  double total = embed + norm_bias + output_bias;
  for (const auto* parts : {&heads, &attention_biases, &mlps})
    total += std::accumulate(parts->begin(), parts->end(), 0.0);
  return total;
}

std::pair<int32_t, int32_t> two_best(std::span<const float> logits) {
  std::pair<int32_t, int32_t> best{0, logits.size() > 1 ? 1 : 0};
  const auto at = [&](int32_t token) { return logits[static_cast<size_t>(token)]; };
  if (at(best.second) > at(best.first)) std::swap(best.first, best.second);
  for (int32_t token = 2; token < static_cast<int32_t>(logits.size()); ++token) {
    if (at(token) > at(best.first))
      best = {token, best.first};
    else if (at(token) > at(best.second))
      best.second = token;
  }
  return best;
}

std::optional<Attribution> attribute(Model& model, const ResidualRecord& record, int64_t position,
                                     int32_t token_a, int32_t token_b, const Execution& execution) {
  require_sum(model, "Attribution");
  const Network network = model.network();
  check_tokens(network, token_a, token_b);
  const int64_t width = network.width, layers = record.shape().num_layers,
                first_layer = record.shape().first_layer, heads = network.heads.heads,
                size = network.heads.size;
  Attribution result;
  result.position = position;
  result.token_a = token_a;
  result.token_b = token_b;
  result.first_layer = first_layer;
  result.num_layers = layers;
  result.num_heads = heads;
  const auto wide = static_cast<size_t>(width);
  std::vector<float> embed(wide), last(wide), mid(wide), post(wide);
  if (!record.read(ResidualSite::kEmbed, 0, position, 1, embed.data()) ||
      !record.read(ResidualSite::kPost, layers - 1, position, 1, last.data()))
    throw_bad_input({"the residual stream of this token is not kept", "attribution",
                     fmt::format("position {}", position),
                     fmt::format("computed positions from {} to {}", record.shape().first,
                                 record.shape().end() - 1),
                     ""});
  Tensor logits;
  const int64_t row = 0;
  if (!model.read_out(last.data(), {&row, 1}, logits, execution)) return std::nullopt;
  const Direction after = unembedding(network, token_a, token_b);
  const Direction stream = before_norm(after, network.final_norm, last.data());
  result.norm_bias = along_bias(after, network.final_norm);
  result.output_bias = (static_cast<double>(network.head->bias(token_a)) -
                        static_cast<double>(network.head->bias(token_b))) *
                       static_cast<double>(network.logit_scale);
  result.before_cap = network.logit_soft_cap > 0;
  result.difference = result.before_cap ? dot(stream, last) + result.norm_bias + result.output_bias
                                        : static_cast<double>(logits.data<float>()[token_a]) -
                                              static_cast<double>(logits.data<float>()[token_b]);

  result.embed = dot(stream, embed);
  result.heads.resize(static_cast<size_t>(first_layer * heads), 0.0);
  result.attention_biases.resize(static_cast<size_t>(first_layer), 0.0);
  result.mlps.resize(static_cast<size_t>(first_layer), 0.0);
  result.has_mlp.resize(static_cast<size_t>(first_layer), false);
  std::vector<float> z(static_cast<size_t>(heads * size)), added(wide);
  for (int64_t layer = first_layer; layer < layers; ++layer) {
    const NetworkLayer& of = network.layers[static_cast<size_t>(layer)];
    record.read(ResidualSite::kMid, layer, position, 1, mid.data());
    record.read(ResidualSite::kPost, layer, position, 1, post.data());
    record.read_heads(layer, position, 1, z.data());
    // With its statistics known, a norm after attention is linear too.
    Direction direction = stream;
    for (double& x : direction) x *= static_cast<double>(network.residual_scale);
    if (of.after_attention) {
      result.attention_biases.push_back(along_bias(direction, of.after_attention));
      for (int64_t c = 0; c < width; ++c) {
        double sum = static_cast<double>(of.out->bias(c));
        for (int64_t j = 0; j < heads * size; ++j)
          sum += static_cast<double>(of.out->weight(c, j)) *
                 static_cast<double>(z[static_cast<size_t>(j)]);
        added[static_cast<size_t>(c)] = static_cast<float>(sum);
      }
      direction = before_norm(direction, of.after_attention, added.data());
    } else {
      result.attention_biases.push_back(0);
    }
    for (int64_t head = 0; head < heads; ++head) {
      double sum = 0;
      for (int64_t j = head * size; j < (head + 1) * size; ++j) {
        double along = 0;
        for (int64_t c = 0; c < width; ++c)
          along += direction[static_cast<size_t>(c)] * static_cast<double>(of.out->weight(c, j));
        sum += along * static_cast<double>(z[static_cast<size_t>(j)]);
      }
      result.heads.push_back(sum);
    }
    for (int64_t c = 0; c < width; ++c)
      result.attention_biases.back() +=
          direction[static_cast<size_t>(c)] * static_cast<double>(of.out->bias(c));
    double mlp = 0;
    for (size_t c = 0; c < wide; ++c)
      mlp += stream[c] * (static_cast<double>(post[c]) - static_cast<double>(mid[c]));
    result.mlps.push_back(mlp);
    result.has_mlp.push_back(of.has_mlp);
  }
  return result;
}

}  // namespace attn
