// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/request/what_if.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/written.h"

namespace attn {
namespace {

constexpr int64_t kRowsOfPart = 64;  // bounds the logits' memory

struct Distribution {
  std::span<const float> logits;
  double log_sum = 0;
  int32_t best = 0;
  explicit Distribution(std::span<const float> row) : logits(row) {
    const auto at = std::ranges::max_element(row);
    best = static_cast<int32_t>(at - row.begin());
    double sum = 0;
    for (const float logit : row) sum += std::exp(static_cast<double>(logit) - *at);
    log_sum = static_cast<double>(*at) + std::log(sum);
  }
  double log_of(size_t token) const { return static_cast<double>(logits[token]) - log_sum; }
};

bool is_encoder(const ExploredRun& run) {
  return run.source->shape().type_of_model() == AttentionType::kEncoderOnly;
}

bool compare_rows(const ExploredRun& before, const std::vector<int32_t>& tokens, int64_t count,
                  WhatIf& result, const Execution& execution) {
  Model& model = before.model();
  const bool in_place = is_encoder(before);
  Tensor own, changed;
  for (int64_t begin = 0; begin < count; begin += kRowsOfPart) {
    const int64_t rows = std::min(kRowsOfPart, count - begin);
    if (!own_logits(model, *before.residual, begin, rows, own, execution) ||
        !own_logits(model, *result.after.residual, begin, rows, changed, execution))
      return false;
    const auto vocab = static_cast<size_t>(own.dim(1));
    for (int64_t i = 0; i < rows; ++i) {
      const size_t from = static_cast<size_t>(i) * vocab;
      const Distribution p(std::as_const(own).span<float>().subspan(from, vocab));
      const Distribution q(std::as_const(changed).span<float>().subspan(from, vocab));
      WhatIfRow row;
      row.position = begin + i;
      const auto next = static_cast<size_t>(row.position + 1);
      row.next = !in_place && next < tokens.size() ? tokens[next] : p.best;
      row.before = std::exp(p.log_of(static_cast<size_t>(row.next)));
      row.after = std::exp(q.log_of(static_cast<size_t>(row.next)));
      row.best_before = p.best;
      row.best_after = q.best;
      for (size_t token = 0; token < vocab; ++token)
        row.divergence += std::exp(p.log_of(token)) * (p.log_of(token) - q.log_of(token));
      result.rows.push_back(row);
    }
  }
  return true;
}

// Whether only this edge changes its rows: no other intervention changes the residual stream, an
// earlier layer, or the softmax of its head.
bool is_alone(const Intervention& edge, const std::vector<Intervention>& list) {
  return std::ranges::none_of(list, [&](const Intervention& other) {
    if (&other == &edge) return false;
    const bool of_rows =
        other.kind == InterventionKind::kEdge || other.kind == InterventionKind::kSink;
    return other.kind == InterventionKind::kResidual || other.layer < edge.layer ||
           (of_rows && other.layer == edge.layer && other.head == edge.head);
  });
}

void compare_cut_rows(const AttentionRecord& before, const std::vector<Intervention>& list,
                      WhatIf& result) {
  const AttentionRecord& after = *result.after.attention;
  const auto rows = std::ssize(result.rows);
  std::vector<float> plain, cut;
  for (const Intervention& edge : list) {
    if (edge.kind != InterventionKind::kEdge || !is_alone(edge, list)) continue;
    const int64_t first = edge.query < 0 ? edge.key + 1 : edge.query,
                  end = edge.query < 0 ? rows : std::min(rows, edge.query + 1);
    const int64_t keys = before.key_columns(edge.layer, rows);
    plain.resize(static_cast<size_t>(keys));
    cut.resize(plain.size());
    for (int64_t row = first; row < end; ++row) {
      if (edge.key >= keys || !before.row_done(edge.layer, edge.head, row) ||
          !after.row_done(edge.layer, edge.head, row))
        continue;
      before.weights(edge.layer, edge.head, row, 1, 0, keys, plain.data());
      after.weights(edge.layer, edge.head, row, 1, 0, keys, cut.data());
      const double rest = 1 - static_cast<double>(plain[static_cast<size_t>(edge.key)]);
      constexpr double kLeast = 1e-3;  // less is mostly rounding
      if (rest < kLeast || rest == 1) continue;
      ++result.cut_rows;
      for (int64_t k = 0; k < keys; ++k) {
        const auto at = static_cast<size_t>(k);
        const double wanted = k == edge.key ? 0 : static_cast<double>(plain[at]) / rest;
        result.cut_residue =
            std::max(result.cut_residue, std::abs(static_cast<double>(cut[at]) - wanted));
      }
    }
  }
}

bool compare_stream(const ExploredRun& before, const std::vector<Intervention>& list,
                    WhatIf& result, const Execution& execution) {
  if (list.empty() ||
      std::ranges::count(list, InterventionKind::kResidual, &Intervention::kind) > 0)
    return true;
  const int64_t layer = std::ranges::min(list, {}, &Intervention::layer).layer;
  const Network network = before.model().network();
  const ResidualRecord &was = *before.residual, &now = *result.after.residual;
  if (!network.not_a_sum.empty() || layer < was.shape().first_layer ||
      !network.layers[static_cast<size_t>(layer)].out ||
      network.layers[static_cast<size_t>(layer)].after_attention)
    return true;
  const auto rows = std::ssize(result.rows);
  const int64_t width = network.width, heads = network.heads.heads;
  for (int64_t first = 0; first < rows; first += kRowsOfPart) {
    if (execution.gate && execution.gate->cancelled()) return false;
    const int64_t count = std::min(kRowsOfPart, rows - first);
    const auto size = static_cast<size_t>(count * width);
    std::vector<float> then(size), after(size);
    if (!was.read(ResidualSite::kMid, layer, first, count, then.data()) ||
        !now.read(ResidualSite::kMid, layer, first, count, after.data()))
      return true;
    const std::vector<float> wrote = head_outputs(network, was, layer, first, count),
                             write = head_outputs(network, now, layer, first, count);
    for (size_t i = 0; i < size; ++i) {
      double sum = 0;
      for (size_t at = i; at < static_cast<size_t>(heads) * size; at += size)
        sum += static_cast<double>(write[at]) - wrote[at];
      const double change = static_cast<double>(after[i]) - then[i];
      result.stream_residue = std::max(result.stream_residue, std::abs(sum - change));
      result.stream_largest = std::max(result.stream_largest, std::abs(change));
    }
    result.stream_rows += count;
  }
  result.stream_layer = layer;
  return true;
}

}  // namespace

std::optional<WhatIf> what_if(const EngineSnapshot& run, const RequestView& request,
                              const ExploredRun& before, const std::vector<Intervention>& list,
                              const Execution& execution) {
  RequestView changed = request;
  changed.interventions.insert(changed.interventions.end(), list.begin(), list.end());
  std::vector<int32_t> tokens;
  for (const TokenView& token : *request.tokens) tokens.push_back(token.id);
  WhatIf result;
  result.answer_before.assign(tokens.begin() + request.prompt_len, tokens.end());
  const bool is_beam = request.beam_width > 1;
  if (is_beam && has_mean(changed))
    throw Error(ErrorCode::kNotSupported,
                {"a mean over the prompt is not defined for the tokens of a beam", request.name, "",
                 "a request without beam search", ""});
  std::optional<ExploredRun> answer;
  if (!is_beam) {
    const int64_t new_tokens = std::max<int64_t>(1, std::ssize(result.answer_before));
    answer = explore_tokens(run, changed, request.prompt_len, new_tokens, before.source, execution);
    if (!answer) return std::nullopt;
    result.answer_after = answer->generated;
    const auto parts = std::ranges::mismatch(result.answer_before, result.answer_after);
    result.equal = parts.in1 - result.answer_before.begin();
  }
  int64_t rows = before.num_tokens();
  if (has_mean(changed)) {
    rows = std::min({rows, answer->num_tokens(), request.prompt_len + result.equal});
    result.after = std::move(*answer);
  } else {
    auto after = explore_tokens(run, changed, rows, 1, before.source, execution);
    if (!after) return std::nullopt;
    result.after = std::move(*after);
  }
  const std::vector<int64_t>& all = result.after.changed_numbers;
  result.changed_numbers.assign(all.end() - std::ssize(list), all.end());
  if (!compare_rows(before, tokens, rows, result, execution)) return std::nullopt;
  if (before.attention && result.after.attention) compare_cut_rows(*before.attention, list, result);
  if (!compare_stream(before, list, result, execution)) return std::nullopt;
  if (is_encoder(before)) {  // an encoder has no answer
    result.answer_before.clear();
    result.answer_after.clear();
    result.equal = 0;
  }
  return result;
}

}  // namespace attn
