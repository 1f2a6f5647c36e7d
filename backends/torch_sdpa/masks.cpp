// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/masks.h"

#include <algorithm>
#include <limits>

#include "backends/torch_sdpa/backend.h"
#include "engine/kernels/fault.h"
#include "engine/trace/bias_event.h"

namespace attn::backends::torch_sdpa {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

// Writes -inf to the cells of each row outside keys (query - window, query].
template <class T>
void mask_cells(Tensor& tensor, int64_t window) {
  const int64_t len = tensor.dim(1);
  T* row = tensor.data<T>();
  for (int64_t head = 0; head < tensor.dim(0); ++head)
    for (int64_t query = 0; query < len; ++query, row += len) {
      std::fill(row, row + std::max<int64_t>(0, query - window + 1), from_f32<T>(kMasked));
      std::fill(row + query + 1, row + len, from_f32<T>(kMasked));
    }
}

Tensor make_tensor(const AttentionConfig& config, int64_t len, DType dtype) {
  Tensor tensor = config.alibi_slopes ? alibi_tensor(*config.alibi_slopes, len, len, dtype)
                                      : Tensor(dtype, {1, len, len});
  const int64_t window = config.alibi_slopes ? len : std::min(len, *config.sliding_window);
  if (dtype == DType::kBF16)
    mask_cells<BFloat16>(tensor, window);
  else if (dtype == DType::kF16)
    mask_cells<Float16>(tensor, window);
  else
    mask_cells<float>(tensor, window);
  return tensor;
}

// Key lengths of the sequences; 0 for a decoder's sequence with cached tokens.
std::vector<int64_t> mask_lengths(const AttentionConfig& config, const AttentionMetadata& part) {
  const SeqLens lens = part.seq_lens_for(config.attn_type);
  std::vector<int64_t> lengths;
  for (int64_t s = 0; s < part.num_seqs(); ++s) {
    const auto i = static_cast<size_t>(s);
    const bool cached = config.attn_type == AttentionType::kDecoder && part.context_lens[i] > 0;
    lengths.push_back(cached ? 0 : int64_t{lens.kv[i]});
  }
  return lengths;
}

bool fits(const BiasList& masks, const AttentionConfig& config, const std::vector<int64_t>& lengths,
          DType dtype) {
  return std::ranges::equal(masks, lengths, [&](const BiasPtr& mask, int64_t len) {
    if (len == 0) return mask == nullptr;
    const auto* dense = dynamic_cast<const DenseMask*>(mask.get());
    if (ATTN_FAULT(kMaskOfOtherRule)) return dense && dense->num_queries() == len;
    return dense && dense->is_for(config, len, dtype);
  });
}

}  // namespace

DenseMask::DenseMask(const AttentionConfig& config, int64_t len, DType dtype)
    : tensor_(make_tensor(config, len, dtype)) {
  if (config.alibi_slopes)
    slopes_ = *config.alibi_slopes;
  else
    window_ = *config.sliding_window;
}

KeySpan DenseMask::visible(int64_t query) const {
  const int64_t window = slopes_.empty() ? window_ : query + 1;
  return {std::max<int64_t>(0, query - window + 1), query + 1};
}

float DenseMask::value(int64_t head, int64_t query, int64_t key) const {
  return element(tensor_, head, query, key);
}

bool DenseMask::is_for(const AttentionConfig& config, int64_t len, DType dtype) const {
  if (num_queries() != len || tensor_.dtype() != dtype) return false;
  if (config.alibi_slopes) return slopes_ == *config.alibi_slopes;
  return slopes_.empty() && window_ == config.sliding_window.value_or(0);
}

bool needs_mask(const AttentionConfig& config) {
  return config.alibi_slopes.has_value() || config.sliding_window.has_value();
}

double mask_bytes(const AttentionConfig& config, int64_t len, DType dtype) {
  if (!needs_mask(config)) return 0;
  const double heads = config.alibi_slopes ? static_cast<double>(config.alibi_slopes->size()) : 1;
  return heads * static_cast<double>(len) * static_cast<double>(len) *
         static_cast<double>(size_of(dtype));
}

const BiasList& step_masks(const AttentionConfig& config, const AttentionMetadata& part,
                           DType dtype, const Execution& execution) {
  const std::vector<int64_t> lengths = mask_lengths(config, part);
  const BiasList* kept = part.attn_bias_for(config.attn_type);
  const bool again = kept && fits(*kept, config, lengths, dtype);
  if (again && !ATTN_FAULT(kMaskRebuilt)) return *kept;
  BiasList masks;
  int64_t rows = 0, bytes = 0;
  for (const int64_t len : lengths) {
    masks.push_back(len > 0 ? std::make_shared<DenseMask>(config, len, dtype) : nullptr);
    rows += len;
    if (len > 0) bytes += static_cast<int64_t>(masks.back()->bytes());
  }
  emit_bias_built(execution, rows, rows, bytes);
  part.set_attn_bias(config.attn_type, std::move(masks));
  return *part.attn_bias_for(config.attn_type);
}

std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& prefills, int workers) {
  const DType dtype = config.dtype.value_or(DType::kF32);
  const bool is_math = sdpa_kernel(config) == SdpaKernel::kMath;
  const std::vector<int64_t> lengths = mask_lengths(config, prefills);
  std::vector<PlannedMask> masks;
  for (int64_t s = 0; s < prefills.num_seqs(); ++s) {
    const int64_t len = lengths[static_cast<size_t>(s)];  // 0: no dense mask
    const bool is_dense = needs_mask(config) && len > 0;
    AttentionConfig rule = config;
    if (is_dense) {
      rule.attn_type = AttentionType::kDecoder;  // dense masks are causal for every type
      if (config.alibi_slopes) rule.sliding_window.reset();
    }
    PlannedMask mask = rule_mask(rule, prefills, s, 1);
    mask.tiles =
        is_math ? visited_tiles(*mask.rule, std::max<int64_t>(1, mask.rule->num_queries()),
                                std::max<int64_t>(1, mask.rule->num_keys()), true)
                : flash_tiles(config, *mask.rule, workers, is_dense);  // each sequence has a call
    if (is_dense) {
      mask.name = Sentence::same("DenseMask");
      mask.form = MaskForm::kDense;
      mask.bytes = static_cast<int64_t>(mask_bytes(config, len, dtype));
      mask.kept = true;
      mask.dtype = dtype;
    } else if (needs_mask(config)) {
      mask.name = translatable("Step", "rule in the kernel");
    } else {
      mask.form = MaskForm::kFlag;
      mask.name =
          Sentence::same(mask.rule->rule().causal ? "is_causal = true" : "is_causal = false");
    }
    masks.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace attn::backends::torch_sdpa
