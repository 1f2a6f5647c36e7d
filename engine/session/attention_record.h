// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionRecord: what is kept of one sequence so that any tile of its attention weights can be
// computed again: its query rows, the log-sum-exp per row, and its keys - read from the cache while
// the sequence holds their block, copied out of it before the block is given back. weight(q, k) =
// exp(s - lse) with s = cap(scale * q.k) + slope * (k - q), by the code the backends use; the full
// matrix never exists in memory.
//
// A row (layer, head, q) is visible once its lse is there: the kernel's probe publishes it tile by
// tile (release), readers look at it first (acquire). Engine thread and workers write, any thread
// reads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cache/kv_storage.h"
#include "engine/kernels/weight_recompute.h"

namespace attn {

class PutBytes;
class TakeBytes;

// Weights and what they are made of, for one (layer, head, query, key).
struct WeightOperands {
  bool computed = false;  // the row's lse is there
  bool masked = false;    // the query does not see the key: weight is exactly 0
  float dot = 0;          // q.k
  float scale = 0;
  float soft_cap = 0;  // 0: none
  float bias = 0;      // ALiBi: slope * (key - query)
  float score = 0;     // cap(scale * dot) + bias, by the kernels' code; 0 of a masked cell
  float lse = 0;
  float weight = 0;    // exp(score - lse)
  int32_t block = -1;  // physical block that holds the key; -1 once freed
  int64_t slot = -1;
  std::vector<float> query, key;  // [head_size]
};

class AttentionRecord {
 public:
  struct Shape {
    int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0, head_size = 0;
    float scale = 0;
    WeightRule rule = {};
    // Cross attention: keys of the encoder, whose blocks grow() then takes. 0: the keys are those
    // of the sequence's own tokens.
    int64_t encoder_keys = 0;
    // Nothing is cached (an encoder's self attention): keys come by keep_keys() and stay here.
    bool keeps_keys = false;
  };
  // The record keeps the cache alive.
  AttentionRecord(uint32_t request, const Shape& shape, std::shared_ptr<const KvStorage> cache);
  ~AttentionRecord();

  uint32_t request() const { return request_; }
  const Shape& shape() const { return shape_; }

  // --- engine thread ---
  // Room for `rows` query rows; blocks: the sequence's block table now, in `cache`, where the keys
  // are read from here on, those of archived blocks too. The first `first_held` entries mean
  // nothing: those blocks left the sliding window and stay archived.
  void grow(int64_t rows, std::span<const int32_t> blocks, int64_t first_held = 0);
  // The record of a request that goes on from all that this one has now.
  std::shared_ptr<AttentionRecord> fork(uint32_t request) const;
  // Keeps query rows [count, H, D] (f32, row stride in elements) at positions q_begin.. of a layer.
  // Before the kernel runs.
  void keep_queries(int64_t layer, int64_t q_begin, int64_t count, const float* query,
                    int64_t row_stride);
  // Where the record keeps its keys: those of a layer's rows [0, count), [count, Hkv, D] f32, the
  // whole sequence at once. Before the kernel runs.
  void keep_keys(int64_t layer, int64_t count, const float* key);
  // Copies the keys of the logical blocks [first, end), or of all, out of the cache; from then on
  // it is not touched for them. Called before the blocks are given back.
  void archive_blocks(int64_t first, int64_t end);
  void archive_keys();
  // Rows from `first` on will be computed again (preemption, a cancelled step): forget their lse,
  // so that they are invisible until then. Returns when no reader is looking at them any more.
  void forget_rows(int64_t first = 0);

  // --- any worker ---
  void publish_lse(int64_t layer, int64_t head, int64_t q_begin, int64_t count, const float* lse,
                   int64_t stride);

  // --- any thread ---
  int64_t num_rows() const;  // rows there is room for = query positions so far
  bool row_done(int64_t layer, int64_t head, int64_t query) const;
  // NaN where row_done() is false; a NaN that was computed is one of a done row.
  float lse(int64_t layer, int64_t head, int64_t query) const;
  uint64_t version() const;  // grows whenever a row becomes visible
  // Keys there are so far: of the encoder in cross attention, else as many as rows.
  int64_t num_keys() const;
  // Key columns of a picture of `rows` query rows.
  int64_t key_columns(int64_t rows) const {
    return shape_.encoder_keys > 0 ? shape_.encoder_keys : rows;
  }
  // out [q_count, k_count] f32 row-major. Masked cells are 0; cells of rows not computed yet are
  // NaN, as are those of rows whose lse is. The bits of a cell do not depend on the tile it is
  // asked in.
  void weights(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
               int64_t k_count, float* out) const;
  WeightOperands operands(int64_t layer, int64_t head, int64_t query, int64_t key) const;

  // --- session files (attention_record_file.cpp) ---
  // All that weights() and operands() need, bit for bit: save_about(), the rows of every layer, the
  // keys of every layer. The run stands still meanwhile.
  void save_about(PutBytes& out) const;
  void save_rows(int64_t layer, PutBytes& out) const;
  void save_keys(int64_t layer, PutBytes& out) const;
  uint64_t saved_bytes() const;  // of rows and keys
  // A record that has all its keys itself. num_blocks: of the cache; shape: rule and dimensions of
  // the run, the rest is read. Throws Error(kBadInput).
  static std::shared_ptr<const AttentionRecord> load(uint32_t request, Shape shape,
                                                     int64_t block_size, int64_t num_blocks,
                                                     TakeBytes& in);

 private:
  struct Impl;
  AttentionRecord(uint32_t request, const Shape& shape, std::unique_ptr<Impl> impl);
  void reserve_rows(int64_t rows);
  int64_t rows_done(int64_t layer) const;
  int64_t keys_needed() const;
  void load_rows(int64_t layer, TakeBytes& in);

  uint32_t request_;
  Shape shape_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn
