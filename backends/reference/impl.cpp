// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "backends/reference/backend.h"
#include "engine/kernels/kv_source.h"

namespace attn::backends::reference {
namespace {

double load(const void* base, DType dtype, int64_t i) {
  switch (dtype) {
    case DType::kBF16:
      return to_f32(static_cast<const BFloat16*>(base)[i]);
    case DType::kF16:
      return to_f32(static_cast<const Float16*>(base)[i]);
    default:
      return static_cast<const float*>(base)[i];
  }
}

class ReferenceImpl final : public AttentionImpl {
 public:
  explicit ReferenceImpl(const AttentionConfig& config) : config_(config) {}

  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) override {
    const bool cached = !inputs.kv_cache.empty() && config_.attn_type == AttentionType::kDecoder;
    CacheLayout layout;
    if (cached) {
      layout = cache_layout(inputs.kv_cache);
      if (inputs.key &&
          !cache_write(*inputs.key, *inputs.value, metadata.slot_mapping, layout, execution))
        return false;
    }
    if (outputs.weights) outputs.weights->clear();
    KernelSpan span(execution, KernelId::kReference, 1, metadata.num_tokens());
    if (span.cancelled()) return false;
    bool running = true;
    with_probe(execution, [&]<class Probe>() {
      Probe probe(execution, 0);
      for (int64_t s = 0; running && s < metadata.num_seqs(); ++s) {
        const Sequence sequence = describe(inputs, metadata, layout, cached, s);
        if (outputs.weights && sequence.query_len > 0 && s < metadata.num_prefills)
          outputs.weights->emplace_back(
              DType::kF32, Shape{config_.num_heads, sequence.query_len, sequence.kv_len});
        for (int64_t i = 0; running && i < sequence.query_len; ++i)
          for (int64_t h = 0; running && h < config_.num_heads; ++h)
            running = row(inputs, sequence, i, h, outputs, s < metadata.num_prefills, probe);
      }
    });
    return running;
  }

 private:
  struct Sequence {
    uint32_t request = 0;
    int64_t row_begin = 0, query_len = 0, context_len = 0, kv_len = 0;
    KvSource keys, values;
  };

  Sequence describe(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                    const CacheLayout& layout, bool cached, int64_t s) const {
    Sequence sequence;
    const auto i = static_cast<size_t>(s);
    sequence.request = metadata.request(s);
    sequence.row_begin = metadata.query_start_loc[i];
    sequence.query_len = metadata.query_len(s);
    sequence.context_len = metadata.context_lens[i];
    sequence.kv_len = metadata.seq_lens[i];
    if (cached) {
      sequence.keys = layout.keys;
      sequence.values = layout.values;
      sequence.keys.block_table = sequence.values.block_table = metadata.block_table(s).data();
    } else {
      const int64_t offset = sequence.row_begin * config_.num_kv_heads * config_.head_size;
      const auto bytes = static_cast<size_t>(offset) * size_of(inputs.key->dtype());
      sequence.keys = dense_rows(static_cast<const std::byte*>(inputs.key->raw()) + bytes,
                                 inputs.key->dtype(), config_.num_kv_heads, config_.head_size);
      sequence.values = dense_rows(static_cast<const std::byte*>(inputs.value->raw()) + bytes,
                                   inputs.value->dtype(), config_.num_kv_heads, config_.head_size);
      sequence.kv_len = sequence.query_len;
      sequence.context_len = 0;
    }
    return sequence;
  }

  bool visible(int64_t query, int64_t key) const {
    const bool causal = config_.attn_type == AttentionType::kDecoder;
    if (causal && key > query) return false;
    return !config_.sliding_window || key > query - *config_.sliding_window;
  }

  template <class Probe>
  bool row(const AttentionInputs& inputs, const Sequence& sequence, int64_t i, int64_t head,
           const AttentionOutputs& outputs, bool is_prefill, Probe& probe) {
    if (!probe.tile_begin()) return false;
    const int64_t kv_head = head / config_.group_size();
    const int64_t position = sequence.context_len + i;
    const int64_t head_size = config_.head_size;
    const int64_t at = ((sequence.row_begin + i) * config_.num_heads + head) * head_size;
    const double none = -std::numeric_limits<double>::infinity();
    scores_.assign(static_cast<size_t>(sequence.kv_len), none);
    double max = none;
    bool nan = false;
    for (int64_t k = 0; k < sequence.kv_len; ++k) {
      if (!visible(position, k)) continue;
      const int64_t key_at = sequence.keys.row(k, kv_head);
      double dot = 0;
      for (int64_t d = 0; d < head_size; ++d)
        dot += load(inputs.query->raw(), inputs.query->dtype(), at + d) *
               load(sequence.keys.base, sequence.keys.dtype, key_at + sequence.keys.element(d));
      double score = dot * config_.scale;
      if (config_.logits_soft_cap)
        score = *config_.logits_soft_cap * std::tanh(score / *config_.logits_soft_cap);
      if (config_.alibi_slopes)
        score +=
            (*config_.alibi_slopes)[static_cast<size_t>(head)] * static_cast<double>(k - position);
      scores_[static_cast<size_t>(k)] = score;
      nan = nan || std::isnan(score);
      max = std::max(max, score);
    }
    const bool empty = max == none && !nan;
    double sum = 0;
    if (!empty)
      for (double& score : scores_) {
        score = score == none ? 0.0 : std::exp(score - max);
        sum += score;
      }
    accumulate_.assign(static_cast<size_t>(head_size), 0.0);
    for (int64_t k = 0; !empty && k < sequence.kv_len; ++k) {
      if (!visible(position, k)) continue;
      const int64_t value_at = sequence.values.row(k, kv_head);
      const double weight = scores_[static_cast<size_t>(k)] / sum;
      for (int64_t d = 0; d < head_size; ++d)
        accumulate_[static_cast<size_t>(d)] +=
            weight * load(sequence.values.base, sequence.values.dtype,
                          value_at + sequence.values.element(d));
    }
    store(outputs, sequence, i, head, at, empty, sum, is_prefill);
    const float lse =
        empty ? -std::numeric_limits<float>::infinity() : static_cast<float>(max + std::log(sum));
    if (outputs.lse)
      outputs.lse->data<float>()[(sequence.row_begin + i) * config_.num_heads + head] = lse;
    const TileEvent event{sequence.request,
                          static_cast<uint32_t>(position),
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
             int64_t at, bool empty, double sum, bool is_prefill) {
    for (int64_t d = 0; d < config_.head_size; ++d) {
      const auto value = static_cast<float>(accumulate_[static_cast<size_t>(d)]);
      if (outputs.out->dtype() == DType::kF32)
        outputs.out->data<float>()[at + d] = value;
      else
        outputs.out->data<BFloat16>()[at + d] = to_bf16(value);
    }
    if (!outputs.weights || !is_prefill) return;
    float* weights =
        outputs.weights->back().data<float>() + (head * sequence.query_len + i) * sequence.kv_len;
    for (int64_t k = 0; k < sequence.kv_len; ++k)
      weights[k] = empty ? 0.0f : static_cast<float>(scores_[static_cast<size_t>(k)] / sum);
  }

  AttentionConfig config_;
  std::vector<double> scores_, accumulate_;
};

}  // namespace

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) {
  return std::make_unique<ReferenceImpl>(config);
}

}  // namespace attn::backends::reference
