// SPDX-License-Identifier: GPL-3.0-or-later
// THE CONTRACT, part 3: what a backend is. A backend lives in the registry; an impl is made per
// layer configuration.
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

// A stored number of a quantised cache stands for stored * scale. The scale is the same for all
// heads, except in an int8 cache with scales per KV head.
struct LayerScales {
  float k_scale = 1.0f, v_scale = 1.0f;
  std::vector<float> k_head_scales, v_head_scales;  // [Hkv] or empty; only for int8
};

// A layer's cache: one tensor in the backend's own layout (kv_cache_shape). Without a tensor
// (storage null) the call has no cache.
struct KvCacheView {
  Tensor* storage = nullptr;
  int64_t num_blocks = 0;
  int64_t block_size = 0;
  int64_t num_kv_heads = 0;
  int64_t head_size = 0;
  // The scales of canonical access (read_keys, read_values, write_rows); null: 1. forward() uses
  // AttentionInputs::scales instead.
  const LayerScales* scales = nullptr;
  bool empty() const { return storage == nullptr; }
};

// Operands of one forward. query, key, value, out share one dtype (f32, bf16 or f16, as the
// backend's capabilities say); the cache may have another one.
struct AttentionInputs {
  const Tensor* query = nullptr;  // [T, H, D]; ENCODER: T = num_encoder_tokens
  // [T, Hkv, D], in cross attention [num_encoder_tokens, Hkv, D]. Null: cross attention that only
  // reads the cache.
  const Tensor* key = nullptr;
  const Tensor* value = nullptr;  // shape as key
  KvCacheView kv_cache;
  LayerScales scales;
  // Shared by the layers of one configuration, in all steps; null: none.
  AttentionState* state = nullptr;
  int layer = 0;  // 0 .. layers - 1
};
struct AttentionOutputs {
  Tensor* out = nullptr;  // [T, H, D], dtype of query. Rows that see no key: +0
  // Optional, f32 [T, H]: the natural log of sum exp(s), including a sink; -inf for a row that sees
  // no key and has no sink.
  Tensor* lse = nullptr;
  // Optional. forward() removes what the vector held. The `math` kernel and the reference then put
  // the weights of the prefills (ENCODER: of all sequences) into it, one f32 [H, query_len, keys]
  // per sequence; other kernels leave it empty.
  std::vector<Tensor>* weights = nullptr;
};

class AttentionImpl {
 public:
  virtual ~AttentionImpl() = default;
  // Writes the call's K and V, if any, to the cache by slot mapping if the call and the attention
  // type have a cache, and computes the outputs. Returns false when the gate was cancelled (outputs
  // are then unspecified). Assumes validated input; engine thread.
  virtual bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                       const AttentionOutputs& outputs, const Execution& execution) = 0;
  // Sentences about this layer that the user should know.
  virtual std::vector<std::string> warnings() const { return {}; }
};

struct BackendCapabilities {
  bool mixed_batches = false;  // prefills and decodes in one forward, also without `extended`
  bool swap = true;
  bool dense_bias = false;         // accepts a dense bias tensor at prefill
  bool decode_dense_bias = false;  // accepts it at decode, too
  bool ignores_soft_cap = false;   // computes without logits_soft_cap (extended only), and warns
  // true if the masks of ALiBi and of windows are causal in encoder attention, too.
  bool causal_masks = false;
  bool captured_plans = false;
  std::vector<DType> dtypes;  // element types of the query that it accepts
  // Element types that its cache can have without AttentionConfig::extended.
  std::vector<DType> cache_dtypes;
};

// A device that a backend stands for. It gives the modelled time of the forward of one layer there,
// from published figures; nothing is measured.
class DeviceModel {
 public:
  virtual ~DeviceModel() = default;
  virtual std::string name() const = 0;  // "TPU v4"
  virtual double forward_ns(const AttentionMetadata& metadata, int64_t block_size) const = 0;
};
// Name of modelled times (in microseconds) in exports: "modelled_tpu_v4_us" for "TPU v4".
std::string modelled_time_name(std::string_view device);

// Bytes of the large tensors that a prefill of one sequence holds besides its operands.
struct PrefillMemory {
  double mask = 0;    // kept until the next step
  double scores = 0;  // while the call runs
};

using BlockPair = std::pair<int64_t, int64_t>;  // source, destination

// What decides where a prefill sequence reads its new keys and values.
struct NewKeys {
  AttentionType type = AttentionType::kDecoder;
  DType dtype = DType::kF32, cache_dtype = DType::kF32;
  int64_t context_len = 0;  // tokens of the sequence that are already in the cache
};

class AttentionBackend {
 public:
  virtual ~AttentionBackend() = default;
  virtual std::string_view name() const = 0;          // "torch_sdpa": --backend, files, folders
  virtual std::string_view display_name() const = 0;  // "TORCH_SDPA"
  virtual std::string_view description() const = 0;   // for users, in plain words
  virtual std::vector<int64_t> supported_head_sizes() const = 0;  // empty: any
  virtual BackendCapabilities capabilities() const = 0;
  virtual std::vector<BackendOption> options() const { return {}; }
  // The reasons why this backend refuses a valid `config`; empty: it accepts it.
  virtual std::vector<std::string> not_supported_reasons(const AttentionConfig& config) const = 0;
  // Throws Error(kNotSupported) with not_supported_reasons(), and Error(kBadInput) for a config
  // that no backend accepts or an option value that this backend does not know.
  virtual std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config) const = 0;
  virtual std::unique_ptr<AttentionState> make_state() const {
    return std::make_unique<AttentionState>();
  }
  // An empty metadata object of the backend's own type, which build_metadata() fills for a batch.
  virtual std::unique_ptr<AttentionMetadata> make_metadata() const {
    return std::make_unique<AttentionMetadata>();
  }
  // The memory that a prefill without cached tokens needs; dtype: of its query.
  virtual PrefillMemory prefill_memory(const AttentionConfig& /*config*/, DType /*dtype*/,
                                       int64_t /*query_len*/, int64_t /*kv_len*/) const {
    return {};
  }
  // Adds this backend's own reasons to those of batch_not_supported_reasons().
  virtual void add_batch_reasons(const AttentionConfig& /*config*/,
                                 const AttentionMetadata& /*metadata*/,
                                 std::vector<std::string>& /*reasons*/) const {}
  // `config` has the head size of the cache (padded_config). Null: no device is modelled.
  virtual std::unique_ptr<DeviceModel> device_model(const AttentionConfig& /*config*/) const {
    return nullptr;
  }

  virtual Shape kv_cache_shape(int64_t num_blocks, int64_t block_size, int64_t num_kv_heads,
                               int64_t head_size) const = 0;
  virtual void swap_blocks(const KvCacheView& src, const KvCacheView& dst,
                           std::span<const BlockPair> pairs) const = 0;
  virtual void copy_blocks(std::span<const KvCacheView> caches,
                           std::span<const BlockPair> pairs) const = 0;

  // Where a prefill with a cache reads its new keys and values: true: from the cache, rounded to
  // its type; false: from the call's key and value.
  virtual bool reads_new_keys_from_cache(const NewKeys& /*keys*/) const { return true; }

  // How many rows of a sequence, from its first on, are computed without the sliding window of
  // `config`.
  virtual int64_t rows_without_window(const AttentionConfig& /*config*/,
                                      const AttentionMetadata& /*metadata*/,
                                      int64_t /*sequence*/) const {
    return 0;
  }

  // Canonical access: reads or writes rows [n, Hkv, D] f32 of the given slots. Any thread; calls on
  // the same slots must not overlap if one of them writes.
  virtual void read_keys(const KvCacheView& cache, std::span<const int64_t> slots,
                         float* keys) const = 0;
  virtual void read_values(const KvCacheView& cache, std::span<const int64_t> slots,
                           float* values) const = 0;
  virtual void write_rows(const KvCacheView& cache, std::span<const int64_t> slots,
                          const float* keys, const float* values) const = 0;
};

// The registry, any thread. A second backend of the same name is ignored.
void register_backend(std::unique_ptr<AttentionBackend> backend);
std::vector<const AttentionBackend*> registered_backends();  // in order of registration
// The options of all registered backends; an option that several have is listed once.
std::vector<BackendOption> backend_options();
// Throws Error(kBadInput) if `config` has a value that an option of the backend does not know.
void validate_options(const AttentionBackend& backend, const AttentionConfig& config);
// Accepts name() or display_name(), case-insensitive. Throws Error(kBadInput) listing the names.
const AttentionBackend& backend_named(std::string_view name);

// The reasons why `backend` cannot run this batch, without those that forward() finds in a call's
// scales or block tables. `config` must be one that it accepts. Any thread.
std::vector<std::string> batch_not_supported_reasons(const AttentionBackend& backend,
                                                     const AttentionConfig& config,
                                                     const AttentionMetadata& metadata);

}  // namespace attn
