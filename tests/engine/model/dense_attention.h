// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a Source with attention computed directly in f64: one sequence, all keys in memory, no
// tiles. Soft cap, ALiBi and window are applied. An encoder takes its text in one step.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/model/source.h"
#include "tests/support/dense.h"

namespace attn {

class DenseAttention {
 public:
  DenseAttention(Source& source, int workers) : source_(source), pool_(workers) {
    execution_.pool = &pool_;
    keys_.resize(static_cast<size_t>(source.shape().num_layers));
    values_ = keys_;
    weights_.resize(keys_.size());
  }

  // Runs one step over `tokens`, which follow those of earlier steps. Returns the logits of the
  // last row, [vocab].
  std::vector<float> step(const std::vector<int32_t>& tokens) {
    return step(tokens, {static_cast<int64_t>(tokens.size()) - 1});
  }
  // The same for the given rows of the step: logits [logit_rows, vocab].
  std::vector<float> step(const std::vector<int32_t>& tokens, std::vector<int64_t> logit_rows) {
    const SourceShape& shape = source_.shape();
    const auto rows = static_cast<int64_t>(tokens.size());
    StepTokens step{
        tokens, {}, std::vector<uint32_t>(tokens.size(), 0), std::move(logit_rows), false, {},
        {},     {}};
    for (int64_t row = 0; row < rows; ++row)
      step.positions.push_back(static_cast<int32_t>(length_ + row));
    source_.begin_step(step, execution_);
    Tensor query, key, value, out(DType::kF32, {rows, shape.num_heads, shape.head_size});
    for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
      source_.qkv(layer, query, key, value, execution_);
      auto& keys = keys_[static_cast<size_t>(layer)];
      auto& values = values_[static_cast<size_t>(layer)];
      keys.insert(keys.end(), key.span<float>().begin(), key.span<float>().end());
      values.insert(values.end(), value.span<float>().begin(), value.span<float>().end());
      attend(layer, query, out);
      source_.attention_output(layer, out, execution_);
    }
    Tensor logits;
    source_.end_step(logits, execution_);
    length_ += rows;
    return {logits.span<float>().begin(), logits.span<float>().end()};
  }

  int64_t length() const { return length_; }
  float weight(int64_t layer, int64_t head, int64_t q, int64_t k) const {
    const auto row = static_cast<size_t>(q * source_.shape().num_heads + head);
    return weights_[static_cast<size_t>(layer)][row][static_cast<size_t>(k)];
  }
  const std::vector<float>& keys(int64_t layer) const { return keys_[static_cast<size_t>(layer)]; }

 private:
  void apply_rule(const AttentionCall& call, int64_t head, int64_t position,
                  Eigen::RowVectorXd& scores) const {
    const float cap = call.logits_soft_cap.value_or(0);
    const int64_t window = call.sliding_window.value_or(0);
    for (int64_t k = 0; k < scores.size(); ++k) {
      double& score = scores[k];
      if (cap > 0) score = cap * std::tanh(score / cap);
      if (call.alibi_slopes)
        score +=
            (*call.alibi_slopes)[static_cast<size_t>(head)] * static_cast<double>(k - position);
      if (window > 0 && k <= position - window) score = -std::numeric_limits<double>::infinity();
    }
  }

  void attend(int64_t layer, const Tensor& query, Tensor& out) {
    const SourceShape& shape = source_.shape();
    const int64_t rows = query.dim(0), size = shape.head_size, all = length_ + rows;
    const auto heads_of = [size](const float* data, int64_t tokens, int64_t heads) {
      std::vector<Eigen::MatrixXd> matrices;
      for (int64_t head = 0; head < heads; ++head)
        matrices.push_back(test::head_rows(data, tokens, heads, size, head));
      return matrices;
    };
    const auto queries = heads_of(query.data<float>(), rows, shape.num_heads);
    const auto keys = heads_of(keys_[static_cast<size_t>(layer)].data(), all, shape.num_kv_heads);
    const auto values =
        heads_of(values_[static_cast<size_t>(layer)].data(), all, shape.num_kv_heads);
    const AttentionCall call =
        shape.calls.empty() ? AttentionCall{} : shape.calls[static_cast<size_t>(layer)];
    const bool sees_all = call.type == AttentionType::kEncoderOnly;
    float* to = out.data<float>();
    for (int64_t row = 0; row < rows; ++row)
      for (size_t head = 0; head < queries.size(); ++head, to += size) {
        const size_t kv_head = head / (queries.size() / keys.size());
        const int64_t visible = sees_all ? all : length_ + row + 1;
        Eigen::RowVectorXd scores =
            shape.scale * queries[head].row(row) * keys[kv_head].topRows(visible).transpose();
        apply_rule(call, static_cast<int64_t>(head), length_ + row, scores);
        const Eigen::RowVectorXd weights = test::softmax(scores);
        weights_[static_cast<size_t>(layer)].emplace_back();
        for (const double weight : weights)
          weights_[static_cast<size_t>(layer)].back().push_back(static_cast<float>(weight));
        Eigen::Map<Eigen::RowVectorXf>(to, size) =
            (weights * values[kv_head].topRows(visible)).cast<float>();
      }
  }

  Source& source_;
  ThreadPool pool_;
  Execution execution_;
  int64_t length_ = 0;
  std::vector<std::vector<float>> keys_, values_;         // [layer][length, Hkv, D]
  std::vector<std::vector<std::vector<float>>> weights_;  // [layer][row, head][visible key]
};

inline int32_t largest(const std::vector<float>& logits) {
  size_t best = 0;
  for (size_t i = 1; i < logits.size(); ++i)
    if (logits[i] > logits[best]) best = i;
  return static_cast<int32_t>(best);
}

}  // namespace attn
