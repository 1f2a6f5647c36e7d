// SPDX-License-Identifier: GPL-3.0-or-later
// One attention call, set up for measuring: random operands, caches, and a workspace that a first
// run has already allocated. Also the functions that register the rows of `attn bench`. One thread
// at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "engine/attention/backend.h"

namespace attn::bench {

struct Call {
  std::string backend = "unified";
  std::string path;  // for the row's name: "math", "v2", "fast"; may be empty
  DType dtype = DType::kF32;
  std::string cache_dtype = "auto";   // cache type, as in AttentionConfig::kv_cache_dtype_name
  BackendOptions options;             // passed to the backend
  std::vector<int64_t> query_lens;    // [S]
  std::vector<int64_t> context_lens;  // [S]
  std::string shape;                  // the lengths, for the row's name: "S2048", "C4096/B8"
  bool is_prefill = true;
  bool chunked_prefill = false;
  bool alibi = false;
  int64_t window = 0;  // the most keys that a row sees, its own included; 0: no window
  // true: each run builds its masks, as the first layer of a step does; false: later runs use
  // those of the first.
  bool builds_masks = false;
  int64_t num_heads = 8, num_kv_heads = 8, head_size = 128;
  int64_t block_size = 16;
  bool shuffled = true;
  int threads = 1;
  bool cached = true;  // false: the call has no cache
};

void set_lengths(Call& call, int64_t batch, int64_t query_len, int64_t context_len);
// Name of the row: "prefill/unified/f32/causal/S2048/H8/KV8/D128/T1",
// "decode/torch_sdpa-v2/bf16/C4096/B8/H8/KV8/D128/BS16/T1".
std::string name_of(const Call& call);

// One attention call with its operands. Runs of a decode take turns on so many KV caches that their
// keys should come from memory, not from the processor's caches.
class AttentionBench {
 public:
  explicit AttentionBench(const Call& call);
  void run(Recorder* recorder = nullptr, RunClock* clock = nullptr, RunGate* gate = nullptr);
  double flops() const { return flops_; }        // FLOPs of a run, for unmasked (query, key) pairs
  double kv_bytes() const { return kv_bytes_; }  // bytes of the keys and values of all KV heads
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

// Random numbers from -1 to 1, for 8-bit types from -16 to 16.
Tensor random_tensor(DType dtype, Shape shape, uint64_t seed);

// Registers a row for the call and, for some calls, rows of peers (bench/measure/peer.h). A prefill
// is measured in FLOP/s, a decode in bytes/s.
void add_attention(const Call& call);

// Defined in bench/kernels:
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
// Defined in bench:
void register_original_steps(int threads);
void register_calls(int threads);
void register_trace(int threads);
void register_engine(int threads);
void register_explore(int threads);
void register_tokenizer();

}  // namespace attn::bench
