// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/intervene/applied.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/dtype.h"
#include "engine/core/error.h"

namespace attn {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

// Writes the output of one row and returns its log-sum-exp. scores: [count]. value: that of the
// first key. stride: floats from the value of a key to that of the next.
double output_of_row(std::span<const float> scores, float sink, const float* value, int64_t stride,
                     std::span<double> out) {
  double largest = sink;
  for (const float score : scores) largest = std::max(largest, static_cast<double>(score));
  std::ranges::fill(out, 0.0);
  if (largest == kMasked) return kMasked;  // the row sees nothing
  double sum = sink == kMasked ? 0 : std::exp(sink - largest);
  for (size_t k = 0; k < scores.size(); ++k) {
    if (scores[k] == kMasked) continue;  // masked: a value that is not finite must not count
    const double e = std::exp(scores[k] - largest);
    sum += e;
    const float* v = value + static_cast<int64_t>(k) * stride;
    for (size_t d = 0; d < out.size(); ++d) out[d] += e * static_cast<double>(v[d]);
  }
  for (double& x : out) x /= sum;
  return largest + std::log(sum);
}

}  // namespace

LayerRules rules_with(const std::vector<Intervention>& list, const SourceShape& shape,
                      const LayerRules& plain, const std::string& where) {
  std::vector<WeightRule> rules;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) rules.push_back(plain.of(layer));
  for (size_t i = 0; i < list.size(); ++i) {
    const Intervention& what = list[i];
    WeightRule& rule = rules[static_cast<size_t>(what.layer)];
    if (what.kind == InterventionKind::kEdge)
      rule.cuts.push_back({what.head, what.query, what.key});
    if (what.kind != InterventionKind::kSink) continue;
    if (plain.of(what.layer).sink(what.head) == kMasked)
      throw_bad_input(
          {"the head has no sink that could be taken out", fmt::format("{}[{}].head", where, i),
           fmt::format("head {}.{}", what.layer, what.head), "a head of a layer with sinks",
           "To take out what a head reads of the first token, cut the edge to key 0."});
    rule.sinks[static_cast<size_t>(what.head)] = kMasked;
  }
  return LayerRules(std::move(rules));
}

AppliedInterventions::AppliedInterventions(std::vector<Intervention> list, const SourceShape& shape,
                                           const LayerRules& rules, const std::string& where)
    : list_(std::move(list)),
      shape_(shape),
      plain_(rules),
      rules_(rules_with(list_, shape, rules, where)),
      references_(list_.size()),
      changed_(list_.size(), 0) {
  has_references_ = !needs_own_prompt() && needed_requests().empty();
}

bool AppliedInterventions::needs_own_prompt() const {
  return std::ranges::any_of(list_, [](const Intervention& what) {
    return what.kind == InterventionKind::kHead && what.with == Replacement::kMean;
  });
}

std::vector<int64_t> AppliedInterventions::needed_requests() const {
  std::vector<int64_t> requests;
  for (const Intervention& what : list_)
    if ((what.kind == InterventionKind::kHead || what.kind == InterventionKind::kResidual) &&
        what.with == Replacement::kRequest &&
        std::ranges::find(requests, what.request) == requests.end())
      requests.push_back(what.request);
  return requests;
}

void AppliedInterventions::set_references(std::shared_ptr<const ResidualRecord> own,
                                          std::vector<std::shared_ptr<const ResidualRecord>> of) {
  const std::vector<int64_t> requests = needed_requests();
  const int64_t heads = shape_.num_heads, size = shape_.head_size;
  for (size_t i = 0; i < list_.size(); ++i) {
    const Intervention& what = list_[i];
    if (what.kind != InterventionKind::kHead && what.kind != InterventionKind::kResidual) continue;
    if (what.with == Replacement::kRequest) {
      references_[i].record =
          of[static_cast<size_t>(std::ranges::find(requests, what.request) - requests.begin())];
    } else if (what.with == Replacement::kMean) {
      const int64_t rows = own->num_rows();
      std::vector<float> all(static_cast<size_t>(rows * heads * size));
      own->read_heads(what.layer, 0, rows, all.data());
      std::vector<double> sum(static_cast<size_t>(size), 0.0);
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t d = 0; d < size; ++d)
          sum[static_cast<size_t>(d)] +=
              static_cast<double>(all[static_cast<size_t>((row * heads + what.head) * size + d)]);
      for (const double total : sum)
        references_[i].mean.push_back(static_cast<float>(total / static_cast<double>(rows)));
    }
  }
  has_references_ = true;
}

bool AppliedInterventions::changes_rows(int64_t layer) const {
  return std::ranges::any_of(list_, [&](const Intervention& what) {
    return what.layer == layer &&
           (what.kind == InterventionKind::kEdge || what.kind == InterventionKind::kSink);
  });
}

bool AppliedInterventions::changes_heads(int64_t layer) const {
  return std::ranges::any_of(list_, [&](const Intervention& what) {
    return what.layer == layer && what.kind == InterventionKind::kHead;
  });
}

// Puts `with` (null: zeros) in the place of `to`, and counts the numbers that change.
void AppliedInterventions::replace(size_t which, std::span<float> to, const float* with) {
  const std::vector<float> zeros(with ? 0 : to.size(), 0.0f);
  const float* from = with ? with : zeros.data();
  for (size_t d = 0; d < to.size(); ++d)
    changed_[which] += std::memcmp(&to[d], &from[d], sizeof(float)) != 0;
  std::copy_n(from, to.size(), to.data());
}

void AppliedInterventions::change_heads(int64_t layer, StepRows rows, float* out) {
  const int64_t heads = shape_.num_heads;
  const auto size = static_cast<size_t>(shape_.head_size);
  std::vector<float> other(static_cast<size_t>(heads) * size);
  for (size_t i = 0; i < list_.size(); ++i) {
    const Intervention& what = list_[i];
    if (what.kind != InterventionKind::kHead || what.layer != layer) continue;
    for (int64_t row = 0; row < rows.count; ++row) {
      const int64_t position = rows.first + row;
      if (what.position >= 0 && what.position != position) continue;
      const float* with = nullptr;
      if (what.with == Replacement::kMean) with = references_[i].mean.data();
      if (what.with == Replacement::kRequest) {
        if (!references_[i].record->read_heads(layer, position, 1, other.data())) continue;
        with = other.data() + static_cast<size_t>(what.head) * size;
      }
      replace(i, {out + static_cast<size_t>(row * heads + what.head) * size, size}, with);
    }
  }
}

void AppliedInterventions::change_residual(ResidualSite site, int64_t layer, StepRows rows,
                                           int64_t width, float* x) {
  std::vector<float> other(static_cast<size_t>(width));
  for (size_t i = 0; i < list_.size(); ++i) {
    const Intervention& what = list_[i];
    if (what.kind != InterventionKind::kResidual || what.site != site ||
        (site != ResidualSite::kEmbed && what.layer != layer))
      continue;
    const ResidualRecord* record = references_[i].record.get();
    for (int64_t row = 0; row < rows.count; ++row) {
      const int64_t position = rows.first + row;
      if (what.position >= 0 && what.position != position) continue;
      const int64_t from_layer = what.from_layer < 0 ? layer : what.from_layer,
                    from = what.from_position < 0 ? position : what.from_position;
      if (record && !record->read(site, from_layer, from, 1, other.data())) continue;
      replace(i, {x + row * width, other.size()}, record ? other.data() : nullptr);
    }
  }
}

void AppliedInterventions::change_rows(int64_t layer, StepRows rows, const float* query,
                                       const KeyRows& keys, bool rounds_to_bf16, float* out,
                                       float* lse) {
  const int64_t heads = shape_.num_heads, size = shape_.head_size;
  const int64_t group = heads / shape_.num_kv_heads, stride = shape_.num_kv_heads * keys.stored;
  const WeightRule &plain = plain_.of(layer), &rule = rules_.of(layer);
  std::vector<float> scores, cut_scores;
  std::vector<double> sums(static_cast<size_t>(size));
  std::vector<float> before(sums.size()), after(sums.size());
  const auto rounded = [&](std::vector<float>& to) {
    for (size_t d = 0; d < sums.size(); ++d) {
      const auto x = static_cast<float>(sums[d]);
      to[d] = rounds_to_bf16 ? to_f32(to_bf16(x)) : x;
    }
  };
  for (int64_t head = 0; head < heads; ++head) {
    std::vector<size_t> of_head;  // the edges and sinks of the head
    for (size_t i = 0; i < list_.size(); ++i)
      if (list_[i].layer == layer && list_[i].head == head &&
          (list_[i].kind == InterventionKind::kEdge || list_[i].kind == InterventionKind::kSink))
        of_head.push_back(i);
    if (of_head.empty()) continue;
    const float* key = keys.key + head / group * keys.stored;
    const float* value = keys.value + head / group * keys.stored;
    for (int64_t row = 0; row < rows.count; ++row) {
      const int64_t position = rows.first + row;
      // The interventions that cut an edge of this row or take its sink out.
      std::vector<size_t> here;
      for (const size_t i : of_head)
        if (list_[i].kind == InterventionKind::kSink ||
            (CutEdge{head, list_[i].query, list_[i].key}.cuts(head, position, list_[i].key) &&
             plain.sees(head, position, list_[i].key)))
          here.push_back(i);
      if (here.empty()) continue;
      const KeySpan span = plain.span(position, keys.first + keys.count);
      WeightTile tile;
      tile.query = query + (row * heads + head) * size;
      tile.query_stride = size;
      tile.key = key + (span.begin - keys.first) * stride;
      tile.key_stride = stride;
      tile.q_begin = position;
      tile.q_count = 1;
      tile.k_begin = span.begin;
      tile.k_count = span.end - span.begin;
      tile.head_size = size;
      tile.scale = shape_.scale;
      tile.rule = &plain;
      tile.head = head;
      scores.resize(static_cast<size_t>(tile.k_count));
      recompute_scores(tile, scores.data(), tile.k_count);
      const float* first_value = value + (span.begin - keys.first) * stride;
      const auto run = [&](std::span<const float> of, float sink, std::vector<float>& to) {
        const double sum = output_of_row(of, sink, first_value, stride, sums);
        rounded(to);
        return static_cast<float>(sum);
      };
      const float plain_lse = run(scores, plain.sink(head), before);
      for (const size_t i : here) {
        cut_scores = scores;
        float sink = plain.sink(head);
        if (list_[i].kind == InterventionKind::kSink)
          sink = kMasked;
        else
          cut_scores[static_cast<size_t>(list_[i].key - span.begin)] = kMasked;
        const float sum = run(cut_scores, sink, after);
        if (std::memcmp(&sum, &plain_lse, sizeof sum) != 0) ++changed_[i];
        for (size_t d = 0; d < sums.size(); ++d)
          changed_[i] += std::memcmp(&before[d], &after[d], sizeof(float)) != 0;
      }
      // The row with all interventions together.
      cut_scores = scores;
      for (const size_t i : here)
        if (list_[i].kind == InterventionKind::kEdge)
          cut_scores[static_cast<size_t>(list_[i].key - span.begin)] = kMasked;
      const float sum = run(cut_scores, rule.sink(head), after);
      if (std::memcmp(&sum, &plain_lse, sizeof sum) == 0 &&
          std::memcmp(before.data(), after.data(), before.size() * sizeof(float)) == 0)
        continue;
      std::ranges::copy(after, out + (row * heads + head) * size);
      lse[row * heads + head] = sum;
    }
  }
}

std::vector<std::string> AppliedInterventions::without_effect() const {
  std::vector<std::string> sentences;
  for (size_t i = 0; i < list_.size(); ++i)
    if (changed_[i] == 0)
      sentences.push_back(fmt::format("{}: this changed no number of the run", text_of(list_[i])));
  return sentences;
}

}  // namespace attn
