// SPDX-License-Identifier: GPL-3.0-or-later
// One attention call, set up for measuring: random operands, caches, and a workspace that a first
// run has already allocated. Engine thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "engine/attention/backend.h"

namespace attn::bench {

struct Call {
  std::string backend = "unified";
  std::string path;                   // the backend's kernel path, for the row's name: "math", "v2"
  DType dtype = DType::kF32;          // type of query, key, value and output
  std::string cache_dtype = "auto";   // cache type, as in AttentionConfig::kv_cache_dtype_name
  BackendOptions options;             // passed to the backend
  std::vector<int64_t> query_lens;    // [S]
  std::vector<int64_t> context_lens;  // [S]
  std::string shape;                  // the lengths, for the row's name: "S2048", "C4096/B8"
  bool is_prefill = true;
  bool chunked_prefill = false;
  bool alibi = false;
  int64_t window = 0;  // keys that a row sees, its own included; 0: all up to its own
  // Whether each run builds the masks of the step, as its first layer does; else they are there
  // from an earlier run, as for later layers.
  bool builds_masks = false;
  int64_t num_heads = 8, num_kv_heads = 8, head_size = 128;
  int64_t block_size = 16;
  bool shuffled = true;  // blocks lie in random order; false: in ascending order
  int threads = 1;
  bool cached = true;  // false: no cache and no cache write, attention alone, as in a profiling run
};

// Sets query_lens and context_lens for `batch` sequences of the same lengths.
void set_lengths(Call& call, int64_t batch, int64_t query_len, int64_t context_len);
// Name of the row: backend and path, element type of the cache, shape, threads:
// "prefill/unified/f32/causal/S2048/H8/KV8/D128/T1",
// "decode/torch_sdpa-v2/bf16/C4096/B8/H8/KV8/D128/BS16/T1". In place of "causal": "alibi",
// "window256".
std::string name_of(const Call& call);

// One attention call with its operands. In decodes every run takes the next of several caches, as
// the layers of a model do, so that on most processors the keys are not in the processor's caches:
// as many caches as fill 512 MiB, but at most 64.
class AttentionBench {
 public:
  explicit AttentionBench(const Call& call);
  void run(Recorder* recorder = nullptr, RunClock* clock = nullptr, RunGate* gate = nullptr);
  double flops() const { return flops_; }        // FLOPs of a run, for unmasked (query, key) pairs
  double kv_bytes() const { return kv_bytes_; }  // bytes of all keys and values, once per KV head
  double pairs() const { return pairs_; }        // unmasked (query, key) pairs of one head
  double keys() const { return keys_; }          // tokens of all sequences, cached and new
  double tokens() const { return tokens_; }      // query tokens

 private:
  void make_cache(const AttentionBackend& backend, int64_t blocks);

  Call call_;
  AttentionConfig config_;
  LayerScales scales_;
  Tensor query_, key_, value_, out_, lse_;
  std::unique_ptr<AttentionMetadata> metadata_;  // the backend's own
  std::vector<std::unique_ptr<Tensor>> storage_;
  std::vector<KvCacheView> caches_;
  size_t next_cache_ = 0;
  std::unique_ptr<AttentionImpl> impl_;
  ThreadPool pool_;
  double flops_ = 0, kv_bytes_ = 0, pairs_ = 0, keys_ = 0, tokens_ = 0;
};

// Numbers in [-1, 1), for 8-bit types in [-16, 16), repeated after 1,000,003 of them.
Tensor random_tensor(DType dtype, Shape shape, uint64_t seed);

// Registers a row for the call: FLOP/s of unmasked pairs for a prefill, bytes/s of keys and values
// for a decode, each against the machine's limit. With peers (bench/measure/peer.h), also a row on
// the same shape for each peer that can be asked about it.
void add_attention(const Call& call);

// Each registers the rows of one file; main calls them once.
// bench/kernels:
void register_flash_prefill(int threads);
void register_math_prefill(int threads);
void register_memory_efficient_prefill(int threads);
void register_prefix_prefill(int threads);
void register_pallas_flash(int threads);
void register_pallas_multi_query(int threads);
void register_paged_decode(int threads);
void register_pallas_paged_decode(int threads);
void register_cache_ops(int threads);
void register_pallas_cache(int threads);
void register_move_rows();
void register_quantise();
void register_dot_tiles();
void register_matrix_tiles();
void register_matrix_pack();
void register_linear(int threads);
void register_panel_product();
void register_weight_recompute();
// bench:
void register_original_steps(int threads);
void register_calls(int threads);
void register_trace(int threads);
void register_engine(int threads);
void register_explore(int threads);
void register_tokenizer();

}  // namespace attn::bench
