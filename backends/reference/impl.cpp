// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "backends/reference/backend.h"
#include "engine/kernels/cache/kv_source.h"

namespace attn::backends::reference {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double load(const void* base, DType dtype, int64_t i) {
  switch (dtype) {
    case DType::kBF16:
      return to_f32(static_cast<const BFloat16*>(base)[i]);
    case DType::kF16:
      return to_f32(static_cast<const Float16*>(base)[i]);
    case DType::kF8E4M3:
      return to_f32(static_cast<const Float8E4M3*>(base)[i]);
    case DType::kF8E5M2:
      return to_f32(static_cast<const Float8E5M2*>(base)[i]);
    case DType::kI8:
      return to_f32(static_cast<const int8_t*>(base)[i]);
    default:
      return static_cast<const float*>(base)[i];
  }
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
        if (outputs.weights && sequence.query_len > 0 && sequence.is_prefill)
          outputs.weights->emplace_back(
              DType::kF32, Shape{config_.num_heads, sequence.query_len, sequence.kv_len});
        for (int64_t i = 0; running && i < sequence.query_len; ++i)
          for (int64_t h = 0; running && h < config_.num_heads; ++h)
            running = row(call, sequence, i, h, probe);
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
    sequence.keys = rows_from(*call.inputs.key, kv_row);
    sequence.values = rows_from(*call.inputs.value, kv_row);
    if (type == AttentionType::kDecoder || type == AttentionType::kEncoderOnly) {
      sequence.kv_len = sequence.query_len;
      sequence.context_len = 0;
    }
    return sequence;
  }

  KvSource rows_from(const Tensor& tensor, int64_t row) const {
    const int64_t offset = row * config_.num_kv_heads * config_.head_size;
    const auto bytes = static_cast<size_t>(offset) * size_of(tensor.dtype());
    return dense_rows(static_cast<const std::byte*>(tensor.raw()) + bytes, tensor.dtype(),
                      config_.num_kv_heads, config_.head_size);
  }

  bool visible(int64_t query, int64_t key, int64_t head) const {
    if (config_.attn_type == AttentionType::kDecoder && key > query) return false;
    if (config_.sliding_window && key <= query - *config_.sliding_window) return false;
    return !config_.blocksparse || sees_key(*config_.blocksparse, head, query, key);
  }

  // Fills scores_ with s = cap(scale * q.k) + ALiBi + dense bias, -inf where masked, and seen_ with
  // 1 for keys that are not masked. Returns the largest score, -inf if all keys are masked, NaN if
  // any score is NaN.
  double score_row(const Call& call, const Sequence& sequence, int64_t i, int64_t head) {
    const int64_t kv_head = head / config_.group_size(), head_size = config_.head_size;
    const int64_t position = sequence.context_len + i;
    const Tensor& query = *call.inputs.query;
    const int64_t at = ((sequence.row_begin + i) * config_.num_heads + head) * head_size;
    const float* bias = call.metadata.dense_bias_at(sequence.row_begin + i);
    if (bias) bias += head * call.metadata.dense_bias_head_stride();
    const double key_scale = sequence.keys.scale_of(kv_head);
    const SoftCap cap{config_.logits_soft_cap.value_or(0.0f)};
    query_.resize(static_cast<size_t>(head_size));
    for (int64_t d = 0; d < head_size; ++d)
      query_[static_cast<size_t>(d)] = load(query.raw(), query.dtype(), at + d);
    scores_.assign(static_cast<size_t>(sequence.kv_len), kNone);
    seen_.assign(static_cast<size_t>(sequence.kv_len), 0);
    double max = kNone;
    bool nan = false;
    for (int64_t k = 0; k < sequence.kv_len; ++k) {
      if (!visible(position, k, head)) continue;
      const double added = bias ? bias[k] : 0.0;
      if (added == kNone) continue;
      const int64_t key_at = sequence.keys.row(k, kv_head);
      double dot = 0;
      for (int64_t d = 0; d < head_size; ++d)
        dot += query_[static_cast<size_t>(d)] *
               load(sequence.keys.base, sequence.keys.dtype, key_at + sequence.keys.element(d));
      double score = cap(dot * key_scale * config_.scale);
      if (config_.alibi_slopes)
        score +=
            (*config_.alibi_slopes)[static_cast<size_t>(head)] * static_cast<double>(k - position);
      score += added;
      scores_[static_cast<size_t>(k)] = score;
      seen_[static_cast<size_t>(k)] = 1;
      nan = nan || std::isnan(score);
      max = std::max(max, score);
    }
    return nan ? std::numeric_limits<double>::quiet_NaN() : max;
  }

  template <class Probe>
  bool row(const Call& call, const Sequence& sequence, int64_t i, int64_t head, Probe& probe) {
    if (!probe.tile_begin()) return false;
    const int64_t kv_head = head / config_.group_size(), head_size = config_.head_size;
    const AttentionOutputs& outputs = call.outputs;
    double max = score_row(call, sequence, i, head);
    const bool empty = max == kNone;
    double sum = 0;
    // The sink is one more logit in the sum, also for a row that sees no key.
    const double sink = config_.sinks ? (*config_.sinks)[static_cast<size_t>(head)] : kNone;
    if (sink > max) max = sink;
    if (max != kNone) {
      for (double& score : scores_) {
        score = score == kNone ? 0.0 : std::exp(score - max);
        sum += score;
      }
      if (config_.sinks) sum += std::exp(sink - max);
    }
    accumulate_.assign(static_cast<size_t>(head_size), 0.0);
    const double value_scale = sequence.values.scale_of(kv_head);
    for (int64_t k = 0; !empty && k < sequence.kv_len; ++k) {
      if (!seen_[static_cast<size_t>(k)]) continue;
      const int64_t value_at = sequence.values.row(k, kv_head);
      const double weight = scores_[static_cast<size_t>(k)] / sum;
      for (int64_t d = 0; d < head_size; ++d)
        accumulate_[static_cast<size_t>(d)] += weight * value_scale *
                                               load(sequence.values.base, sequence.values.dtype,
                                                    value_at + sequence.values.element(d));
    }
    store(outputs, sequence, i, head, empty, sum);
    const float lse = max == kNone ? -std::numeric_limits<float>::infinity()
                                   : static_cast<float>(max + std::log(sum));
    if (outputs.lse)
      outputs.lse->data<float>()[(sequence.row_begin + i) * config_.num_heads + head] = lse;
    const TileEvent event{sequence.request,
                          static_cast<uint32_t>(sequence.context_len + i),
                          0,
                          1,
                          static_cast<uint32_t>(sequence.kv_len),
                          static_cast<uint32_t>(head),
                          KernelId::kReference};
    probe.tile_end(event, head_size);
    probe.rows_done(event, &lse, 1);
    return true;
  }

  void store(const AttentionOutputs& outputs, const Sequence& sequence, int64_t i, int64_t head,
             bool empty, double sum) {
    const int64_t at = ((sequence.row_begin + i) * config_.num_heads + head) * config_.head_size;
    for (int64_t d = 0; d < config_.head_size; ++d) {
      const auto value = static_cast<float>(accumulate_[static_cast<size_t>(d)]);
      switch (outputs.out->dtype()) {
        case DType::kBF16:
          outputs.out->data<BFloat16>()[at + d] = to_bf16(value);
          break;
        case DType::kF16:
          outputs.out->data<Float16>()[at + d] = to_f16(value);
          break;
        default:
          outputs.out->data<float>()[at + d] = value;
          break;
      }
    }
    if (!outputs.weights || !sequence.is_prefill) return;
    float* weights =
        outputs.weights->back().data<float>() + (head * sequence.query_len + i) * sequence.kv_len;
    for (int64_t k = 0; k < sequence.kv_len; ++k)
      weights[k] = empty ? 0.0f : static_cast<float>(scores_[static_cast<size_t>(k)] / sum);
  }

  AttentionConfig config_;
  std::vector<double> query_, scores_, accumulate_;
  std::vector<uint8_t> seen_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<ReferenceImpl>(config);
}

}  // namespace attn::backends::reference
