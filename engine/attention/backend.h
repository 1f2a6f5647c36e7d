// SPDX-License-Identifier: GPL-3.0-or-later
// THE CONTRACT, part 3: what a backend is. A backend is stateless and lives in the registry; an
// impl is made per layer configuration. forward() runs on the engine thread and uses the pool.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attention/attention_state.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/trace/probe.h"

namespace attn {

// What a stored number of a quantised cache means: stored * scale. fp8 has one scale per tensor,
// int8 one per KV head.
struct LayerScales {
  float k_scale = 1.0f, v_scale = 1.0f;
  std::vector<float> k_head_scales, v_head_scales;  // [Hkv]; empty: not int8
};

// A layer's cache: one tensor in the backend's own layout (kv_cache_shape). null tensor: a
// profiling run without cache.
struct KvCacheView {
  Tensor* storage = nullptr;
  int64_t num_blocks = 0;
  int64_t block_size = 0;
  int64_t num_kv_heads = 0;
  int64_t head_size = 0;
  // What canonical access (read_keys, write_rows) multiplies stored numbers by; null: by 1, so that
  // the codes themselves come out. forward() goes by AttentionInputs::scales.
  const LayerScales* scales = nullptr;
  bool empty() const { return storage == nullptr; }
};

// Operands of one forward. query, key, value, out share one dtype (f32, bf16 or f16, as the
// backend's capabilities say); the cache may be narrower.
struct AttentionInputs {
  const Tensor* query = nullptr;  // [T, H, D]; ENCODER: T = num_encoder_tokens
  const Tensor* key = nullptr;  // [T, Hkv, D], cross attention [num_encoder_tokens, Hkv, D]; null:
                                // cross attention that only reads the cache
  const Tensor* value = nullptr;  // as key
  KvCacheView kv_cache;
  LayerScales scales;
  AttentionState* state = nullptr;  // shared by all layers and steps of a run; null: none
  int layer = 0;                    // 0 .. layers - 1
};
struct AttentionOutputs {
  Tensor* out = nullptr;  // [T, H, D], dtype of query. Fully masked or empty rows: +0
  Tensor* lse = nullptr;  // optional f32 [T, H], natural log of sum exp(s), a sink among the s;
                          // -inf for fully masked or empty rows without a sink
  // Optional, `math` kernel and reference only: the weights as the kernel held them, one f32 [H,
  // query_len, seq_len] per prefill sequence. Resized by forward().
  std::vector<Tensor>* weights = nullptr;
};

class AttentionImpl {
 public:
  virtual ~AttentionImpl() = default;
  // Writes K and V to the cache by slot mapping, then computes. Returns false when the gate was
  // cancelled (outputs are then unspecified). Assumes validated input; engine thread.
  virtual bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                       const AttentionOutputs& outputs, const Execution& execution) = 0;
  // Things the user should know, one sentence each ("logits soft cap is ignored, as in the
  // original, ...").
  virtual std::vector<std::string> warnings() const { return {}; }
};

struct BackendCapabilities {
  bool faithful = true;             // modelled on an original
  bool mixed_batches = false;       // prefill and decode in one forward
  bool mixed_when_chunked = false;  // the same once AttentionConfig::chunked_prefill is on
  bool context_bias = true;         // ALiBi or a sliding window in a prefill that has cached tokens
  bool swap = true;
  bool dense_bias = false;          // a dense bias tensor at prefill
  bool decode_dense_bias = false;   // and at decode
  bool ignores_soft_cap = false;    // computes without logits_soft_cap, with a warning
  bool captured_plans = false;      // replays captured plans of decode batches
  bool modelled_tpu = false;        // has a model of its time on a TPU (kernels/tpu_model.h)
  std::vector<DType> dtypes;        // of query
  std::vector<DType> cache_dtypes;  // of the cache, in the faithful mode
};

// Builds the metadata of a step; a backend that pads or splits batches has its own.
class AttentionMetadataBuilder {
 public:
  virtual ~AttentionMetadataBuilder() = default;
  virtual AttentionMetadata build(std::span<const SequenceSlice> slices, int64_t block_size) {
    return build_metadata(slices, block_size);
  }
};

using BlockPair = std::pair<int64_t, int64_t>;  // source, destination

// Keys and values that a prefill sequence brings along, and the cache that they are written to.
struct NewKeys {
  AttentionType type = AttentionType::kDecoder;
  DType dtype = DType::kF32, cache_dtype = DType::kF32;
  int64_t context_len = 0;  // of the sequence
};

class AttentionBackend {
 public:
  virtual ~AttentionBackend() = default;
  virtual std::string_view name() const = 0;          // "torch_sdpa": --backend, files, folders
  virtual std::string_view display_name() const = 0;  // "TORCH_SDPA"
  virtual std::string_view description() const = 0;   // one sentence a student understands
  virtual std::vector<int64_t> supported_head_sizes() const = 0;  // empty: any
  virtual BackendCapabilities capabilities() const = 0;
  // Every reason why `config` cannot run here, one sentence each; empty = it can. Never throws.
  virtual std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const = 0;
  // Throws Error(kNotSupported) with those sentences, Error(kBadInput) for what no backend accepts.
  virtual std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const = 0;
  // One per run; passed to every forward of it.
  virtual std::unique_ptr<AttentionState> make_state() const {
    return std::make_unique<AttentionState>();
  }
  virtual std::unique_ptr<AttentionMetadataBuilder> metadata_builder() const {
    return std::make_unique<AttentionMetadataBuilder>();
  }

  virtual Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                               int64_t head_size) const = 0;
  virtual void swap_blocks(const KvCacheView& src, const KvCacheView& dst,
                           std::span<const BlockPair> pairs) const = 0;
  virtual void copy_blocks(std::span<const KvCacheView> caches,
                           std::span<const BlockPair> pairs) const = 0;

  // Where a prefill finds the keys and values that it brings along: true: in the cache, rounded to
  // its type; false: where they came. Cached tokens it always reads from the cache, as decodes do.
  virtual bool reads_new_keys_from_cache(const NewKeys& /*keys*/) const { return true; }

  // Canonical access, for views, exports, tests and weight recomputation: rows [n, Hkv, D] f32 of
  // the given slots. Any thread, as long as nobody writes those slots.
  virtual void read_keys(const KvCacheView& cache, std::span<const int64_t> slots,
                         float* keys) const = 0;
  virtual void read_values(const KvCacheView& cache, std::span<const int64_t> slots,
                           float* values) const = 0;
  virtual void write_rows(const KvCacheView& cache, std::span<const int64_t> slots,
                          const float* keys, const float* values) const = 0;
};

// The registry. Backends register themselves through register_all_backends() in backends/; any
// thread afterwards.
void register_backend(std::unique_ptr<AttentionBackend> backend);
std::vector<const AttentionBackend*> registered_backends();  // in order of registration
// Accepts name() or display_name(), case-insensitive. Throws Error(kBadInput) listing the names and
// the nearest one.
const AttentionBackend& backend_named(std::string_view name);

// Every reason why `backend` cannot run this batch of a configuration it accepts, one sentence
// each; empty = it can. `extended` lifts what only the original refuses. For the edges: kernels
// assume that it was asked. Any thread.
std::vector<std::string> batch_not_supported_reasons(const AttentionBackend& backend,
                                                     const AttentionConfig& config,
                                                     const AttentionMetadata& metadata);

}  // namespace attn
