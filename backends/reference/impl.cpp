// SPDX-License-Identifier: GPL-3.0-or-later
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/reference/backend.h"
#include "engine/kernels/cache/gather_rows.h"

namespace attn::backends::reference {
namespace {

using Eigen::ArrayXd, Eigen::MatrixXd, Eigen::MatrixXf, Eigen::VectorXd, Eigen::VectorXf;

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Tokens begin .. end - 1 of a head as matrix [head_size, end], one token per column; earlier
// columns are not set. The product of a stored number and its scale is exact in fp64.
MatrixXd load(const KvSource& source, int64_t head, int64_t begin, int64_t end, int64_t head_size) {
  MatrixXf stored(head_size, end - begin);
  gather_rows(source.unscaled(), head, begin, end - begin, head_size, stored.data());
  MatrixXd tokens(head_size, end);
  tokens.rightCols(end - begin) = stored.cast<double>() * double{source.scale_of(head)};
  return tokens;
}

MatrixXd columns_of(const MatrixXd& tokens, const std::vector<int64_t>& seen) {
  MatrixXd columns(tokens.rows(), static_cast<Eigen::Index>(seen.size()));
  for (Eigen::Index i = 0; i < columns.cols(); ++i)
    columns.col(i) = tokens.col(seen[static_cast<size_t>(i)]);
  return columns;
}

template <class T>
void store_as(const VectorXf& row, T* out) {
  std::transform(row.begin(), row.end(), out, from_f32<T>);
}

class ReferenceImpl final : public AttentionImpl {
 public:
  explicit ReferenceImpl(const AttentionConfig& config) : config_(config) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    metadata.require_fields(config_.attn_type);
    Call call{inputs, metadata, outputs, uses_cache(inputs), {}};
    if (call.cached) {
      call.layout = cache_layout(inputs.kv_cache);
      apply_scales(call.layout, inputs.scales);
      if (inputs.key && !write_cache(call, execution)) return false;
    }
    if (outputs.weights) outputs.weights->clear();
    KernelSpan span(execution, KernelId::kReference, 1, metadata.num_tokens());
    if (span.cancelled()) return false;
    const bool all_prefill = config_.attn_type == AttentionType::kEncoder;
    bool running = true;
    with_probe(execution, [&]<class Probe>() {
      Probe probe(execution, 0);
      int64_t encoder_row = 0;
      for (int64_t s = 0; running && s < metadata.num_seqs(); ++s) {
        Sequence sequence = describe(call, s, encoder_row);
        sequence.is_prefill = all_prefill || s < metadata.num_prefills;
        const Operands operands = load_operands(call, sequence);
        if (outputs.weights && sequence.is_prefill)
          outputs.weights->emplace_back(
              DType::kF32, Shape{config_.num_heads, sequence.query_len, sequence.kv_len});
        for (int64_t i = 0; running && i < sequence.query_len; ++i)
          for (int64_t h = 0; running && h < config_.num_heads; ++h)
            running = row(call, sequence, operands, i, h, probe);
      }
    });
    return running;
  }

 private:
  struct Call {
    const AttentionInputs& inputs;
    const AttentionMetadata& metadata;
    const AttentionOutputs& outputs;
    bool cached;
    CacheLayout layout;
  };
  struct Sequence {
    uint32_t request = 0;
    bool is_prefill = false;
    int64_t row_begin = 0, query_len = 0, context_len = 0, kv_len = 0;
    KvSource keys, values;
  };
  // The matrices of a sequence, one token per column: queries has one for each query head, keys and
  // values one for each KV head.
  struct Operands {
    std::vector<MatrixXd> queries, keys, values;
  };

  // Encoder layers use no cache: all keys are in the call.
  bool uses_cache(const AttentionInputs& inputs) const {
    return !inputs.kv_cache.empty() && (config_.attn_type == AttentionType::kDecoder ||
                                        config_.attn_type == AttentionType::kEncoderDecoder);
  }

  bool write_cache(const Call& call, const Execution& execution) const {
    const bool cross = config_.attn_type == AttentionType::kEncoderDecoder;
    AttentionState* state = call.inputs.state;
    return cache_write(*call.inputs.key, *call.inputs.value,
                       cross ? *call.metadata.cross_slot_mapping : call.metadata.slot_mapping,
                       call.layout, execution, state ? &state->cache_rounding() : nullptr);
  }

  // encoder_row: the first row of the sequence in the encoder's flat batch; is advanced to that of
  // the next sequence.
  Sequence describe(const Call& call, int64_t s, int64_t& encoder_row) const {
    const AttentionMetadata& metadata = call.metadata;
    const auto i = static_cast<size_t>(s);
    const AttentionType type = config_.attn_type;
    const int64_t encoder_len = metadata.encoder_seq_lens ? (*metadata.encoder_seq_lens)[i] : 0;
    Sequence sequence;
    sequence.request = metadata.request(s);
    sequence.row_begin = metadata.query_start_loc[i];
    sequence.query_len = metadata.query_len(s);
    sequence.context_len = metadata.context_lens[i];
    sequence.kv_len = metadata.seq_lens[i];
    int64_t kv_row = sequence.row_begin;
    if (type == AttentionType::kEncoder) {
      sequence.row_begin = kv_row = encoder_row;
      sequence.query_len = sequence.kv_len = encoder_len;
      sequence.context_len = 0;
    } else if (type == AttentionType::kEncoderDecoder) {
      kv_row = encoder_row;
      sequence.kv_len = encoder_len;
    }
    encoder_row += encoder_len;
    if (call.cached) {
      sequence.keys = call.layout.keys;
      sequence.values = call.layout.values;
      sequence.keys.block_table = sequence.values.block_table =
          (type == AttentionType::kEncoderDecoder ? metadata.cross_block_table(s)
                                                  : metadata.block_table(s))
              .data();
      return sequence;
    }
    sequence.keys = rows_from(*call.inputs.key, kv_row, config_.num_kv_heads);
    sequence.values = rows_from(*call.inputs.value, kv_row, config_.num_kv_heads);
    if (type == AttentionType::kDecoder || type == AttentionType::kEncoderOnly) {
      sequence.kv_len = sequence.query_len;
      sequence.context_len = 0;
    }
    return sequence;
  }

  KvSource rows_from(const Tensor& tensor, int64_t row, int64_t num_heads) const {
    const int64_t offset = row * num_heads * config_.head_size;
    const auto bytes = static_cast<size_t>(offset) * size_of(tensor.dtype());
    return dense_rows(static_cast<const std::byte*>(tensor.raw()) + bytes, tensor.dtype(),
                      num_heads, config_.head_size);
  }

  int64_t first_key(int64_t position) const {
    if (!config_.sliding_window) return 0;
    return std::max<int64_t>(0, position - *config_.sliding_window + 1);
  }

  Operands load_operands(const Call& call, const Sequence& sequence) const {
    Operands operands;
    if (sequence.query_len == 0) return operands;
    const int64_t head_size = config_.head_size, kv_len = sequence.kv_len;
    const Tensor& query = *call.inputs.query;
    const KvSource queries = rows_from(query, sequence.row_begin, config_.num_heads);
    for (int64_t head = 0; head < config_.num_heads; ++head)
      operands.queries.push_back(load(queries, head, 0, sequence.query_len, head_size));
    const int64_t begin = std::min(first_key(sequence.context_len), kv_len);
    for (int64_t head = 0; head < config_.num_kv_heads; ++head) {
      operands.keys.push_back(load(sequence.keys, head, begin, kv_len, head_size));
      operands.values.push_back(load(sequence.values, head, begin, kv_len, head_size));
    }
    return operands;
  }

  // bias: the row of the dense bias for this query and head; null: none.
  std::vector<int64_t> visible_keys(const Sequence& sequence, int64_t position, int64_t head,
                                    const float* bias) const {
    const bool causal = config_.attn_type == AttentionType::kDecoder;
    const int64_t end = causal ? std::min(position + 1, sequence.kv_len) : sequence.kv_len;
    std::vector<int64_t> keys;
    for (int64_t k = first_key(position); k < end; ++k) {
      if (config_.blocksparse && !sees_key(*config_.blocksparse, head, position, k)) continue;
      if (!bias || bias[k] != kNone) keys.push_back(k);
    }
    return keys;
  }

  // The scores of the seen keys: cap(scale * q.k) + ALiBi + relative bias + dense bias.
  ArrayXd scores_of(const Sequence& sequence, const Operands& operands, int64_t i, int64_t head,
                    const std::vector<int64_t>& seen, const float* bias) const {
    const MatrixXd keys = columns_of(operands.keys[kv_head_of(head)], seen);
    ArrayXd scores = keys.transpose() * operands.queries[static_cast<size_t>(head)].col(i);
    scores *= double{config_.scale};
    scores = scores.unaryExpr(SoftCap{config_.logits_soft_cap.value_or(0.0f)});
    if (config_.alibi_slopes) {
      const Eigen::Map<const Eigen::ArrayX<int64_t>> k(seen.data(), scores.size());
      const double slope = (*config_.alibi_slopes)[static_cast<size_t>(head)];
      scores += slope * (k - (sequence.context_len + i)).cast<double>();
    }
    for (Eigen::Index j = 0; !config_.relative_bias.empty() && j < scores.size(); ++j)
      scores[j] += double{
          config_.relative_bias.at(head, sequence.context_len + i, seen[static_cast<size_t>(j)])};
    for (Eigen::Index j = 0; bias && j < scores.size(); ++j)
      scores[j] += double{bias[seen[static_cast<size_t>(j)]]};
    return scores;
  }

  // Each row is computed from copies of the keys and values that it sees. A masked value, which may
  // be NaN, is then not multiplied by a weight of 0.
  template <class Probe>
  bool row(const Call& call, const Sequence& sequence, const Operands& operands, int64_t i,
           int64_t head, Probe& probe) const {
    if (!probe.tile_begin()) return false;
    const int64_t position = sequence.context_len + i, flat_row = sequence.row_begin + i;
    const float* bias = call.metadata.dense_bias_at(flat_row);
    if (bias) bias += head * call.metadata.dense_bias_head_stride();
    const std::vector<int64_t> seen = visible_keys(sequence, position, head, bias);
    ArrayXd weights = scores_of(sequence, operands, i, head, seen, bias);
    // A NaN among the scores makes the whole row NaN.
    const double largest = seen.empty() ? kNone : weights.maxCoeff<Eigen::PropagateNaN>();
    // The sink is one more logit in the sum, also for a row that sees no key.
    const double sink = config_.sinks ? (*config_.sinks)[static_cast<size_t>(head)] : kNone;
    const double max = std::max(largest, sink);
    double lse = kNone;
    if (max != kNone) {
      // std::exp gives 0 for minus infinity.
      weights = (weights - max).unaryExpr([](double x) { return std::exp(x); });
      const double sum = weights.sum() + std::exp(sink - max);
      weights /= sum;
      lse = max + std::log(sum);
    }
    VectorXd out = VectorXd::Zero(config_.head_size);
    if (largest != kNone)
      out = columns_of(operands.values[kv_head_of(head)], seen) * weights.matrix();
    store(call.outputs, flat_row * config_.num_heads + head, out.cast<float>());
    if (call.outputs.weights && sequence.is_prefill) {
      float* to = call.outputs.weights->back().data<float>() +
                  (head * sequence.query_len + i) * sequence.kv_len;
      std::fill_n(to, sequence.kv_len, 0.0f);
      for (size_t j = 0; largest != kNone && j < seen.size(); ++j)
        to[seen[j]] = static_cast<float>(weights[static_cast<Eigen::Index>(j)]);
    }
    const auto lse_f32 = static_cast<float>(lse);
    if (call.outputs.lse)
      call.outputs.lse->data<float>()[flat_row * config_.num_heads + head] = lse_f32;
    const TileEvent event{sequence.request,
                          static_cast<uint32_t>(position),
                          0,
                          1,
                          static_cast<uint32_t>(sequence.kv_len),
                          static_cast<uint32_t>(head),
                          KernelId::kReference};
    probe.tile_end(event, config_.head_size);
    probe.rows_done(event, &lse_f32, 1);
    return true;
  }

  size_t kv_head_of(int64_t head) const { return static_cast<size_t>(head / config_.group_size()); }

  // row_and_head: index of the row in [T * H, D].
  void store(const AttentionOutputs& outputs, int64_t row_and_head, const VectorXf& row) const {
    const int64_t at = row_and_head * config_.head_size;
    switch (outputs.out->dtype()) {
      case DType::kBF16:
        return store_as(row, outputs.out->data<BFloat16>() + at);
      case DType::kF16:
        return store_as(row, outputs.out->data<Float16>() + at);
      default:
        return store_as(row, outputs.out->data<float>() + at);
    }
  }

  AttentionConfig config_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<ReferenceImpl>(config);
}

}  // namespace attn::backends::reference
