// SPDX-License-Identifier: GPL-3.0-or-later
// THE CONTRACT, part 1: the terms. Names follow vLLM's V0 attention backends. Any thread; plain
// data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/backend_option.h"
#include "engine/attention/relative_bias.h"
#include "engine/core/dtype.h"

namespace attn {

enum class AttentionType {
  kDecoder,         // causal self attention
  kEncoder,         // bidirectional, no cache
  kEncoderOnly,     // bidirectional, of a model without a decoder
  kEncoderDecoder,  // cross attention: K and V from the encoder
};
// "DECODER", "ENCODER", "ENCODER_ONLY", "ENCODER_DECODER"
std::string_view name_of(AttentionType type);
std::optional<AttentionType> attention_type_from_name(std::string_view name);

inline constexpr int64_t kPaddingSlot = -1;

// Block-sparse attention in blocks of `block_size` tokens: causality aside, a head sees key block j
// from query block i iff j > i - local_blocks or (j + head * head_sliding_step + 1) % vert_stride
// == 0. After vLLM's block-sparse paged attention.
struct BlockSparse {
  int64_t local_blocks = 16;
  int64_t vert_stride = 8;
  int64_t block_size = 64;
  int64_t head_sliding_step = 0;
  bool operator==(const BlockSparse&) const = default;
};
inline bool sees_block(const BlockSparse& sparse, int64_t head, int64_t query_block,
                       int64_t key_block) {
  return key_block > query_block - sparse.local_blocks ||
         (key_block + head * sparse.head_sliding_step + 1) % sparse.vert_stride == 0;
}

// What one attention layer is. num_heads % num_kv_heads == 0; query head h reads KV head h /
// (num_heads / num_kv_heads).
struct AttentionConfig {
  int64_t num_heads = 0;
  int64_t head_size = 0;
  float scale = 0;  // s = scale * q.k; the usual value is 1/sqrt(head_size)
  int64_t num_kv_heads = 0;
  std::optional<std::vector<float>> alibi_slopes;  // [num_heads]
  RelativeBias relative_bias;                      // added to scores; empty: none
  // DECODER: key j is visible to query i iff i - w < j <= i; other types: iff i - w < j (ENCODER
  // and ENCODER_ONLY as DECODER if BackendCapabilities::causal_masks).
  std::optional<int64_t> sliding_window;
  std::optional<DType> dtype;          // the model's: of queries, keys and values; none: not known
  DType kv_cache_dtype = DType::kF32;  // element type of the cache
  bool kv_cache_dtype_auto = true;     // whether the user asked for "auto", the model's own type
  // As the user wrote it: one of cache_dtype_names().
  std::string kv_cache_dtype_name = "auto";
  std::optional<BlockSparse> blocksparse;
  std::optional<float> logits_soft_cap;  // s = cap * tanh(s / cap), before ALiBi
  // [num_heads]: one more logit in the softmax sum of every row, without a value.
  std::optional<std::vector<float>> sinks;
  AttentionType attn_type = AttentionType::kDecoder;
  bool extended = false;         // true: backends lift refusals of their originals
  bool chunked_prefill = false;  // prompts may be cut; prefill and decode may share a batch
  // If the backend does not accept the head size: fill heads up with zeros to its next size and
  // crop the output. The cache then holds the padded heads. Off: the head size is refused.
  bool pad_head_size = false;
  BackendOptions backend_options;  // each backend reads its own

  int64_t group_size() const { return num_heads / num_kv_heads; }
};

// The element type of a cache by the name that users give it; nullopt: no such name, or "auto".
std::optional<DType> cache_dtype_from_name(std::string_view name);
// "auto" and the names that cache_dtype_from_name() knows.
std::vector<std::string> cache_dtype_names();
// Sets dtype and the three kv_cache_dtype fields; "auto" means `model_dtype`. Throws
// Error(kBadInput) with all names if `name` is none of them; `where` is the place that the message
// names.
void set_cache_dtype(AttentionConfig& config, const std::string& name, DType model_dtype,
                     const std::string& where);
// Whether the type is that of a quantised cache, which stores numbers divided by a scale.
bool is_quantised(DType cache_dtype);

// Throws Error(kBadInput) for a config that no backend could accept (zero heads, heads not
// divisible, scale not finite, ...).
void validate(const AttentionConfig& config);

}  // namespace attn
