// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionRecord: what is kept of one sequence so that its attention weights can be recomputed:
// query rows, the log-sum-exp of each row, keys and values. Keys and values are read from the cache
// or, after archive_blocks(), keep_keys() or load(), from copies.
// weight(q, k) = exp(s - lse), s = cap(scale * q.k) + bias (ALiBi, or a table by distance), in f32.
//
// A row (layer, head, q) is visible once its log-sum-exp is published (release); readers load that
// first (acquire). The engine thread and workers write, any thread reads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cache/kv_storage.h"
#include "engine/scheduler/request.h"
#include "engine/session/record/layer_rules.h"

namespace attn {

class PutBytes;
class TakeBytes;

// A weight and its operands, for one (layer, head, query, key).
struct WeightOperands {
  bool computed = false;  // the row's lse is there
  bool masked = false;    // not seen by the query
  float dot = 0;          // q.k
  float scale = 0;
  float soft_cap = 0;  // 0: none
  float bias = 0;      // WeightRule::bias()
  float score = 0;     // cap(scale * dot) + bias; 0 where `key` is empty
  float lse = 0;
  float weight = 0;    // exp(score - lse)
  int32_t block = -1;  // physical block of the key (from a session file: at its save); -1: none
  int64_t slot = -1;
  std::vector<float> query;  // [head_size]; empty: not computed
  std::vector<float> key;    // [head_size]; empty: not computed, masked, or not there
  std::vector<float> value;  // [head_size]; empty: not computed, masked, or not kept
};

class AttentionRecord {
 public:
  struct Shape {
    int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0, head_size = 0;
    float scale = 0;
    LayerRules rules = {};
    int64_t encoder_keys = 0;  // of cross attention; 0: it has none
    // True: keys and values come from keep_keys() and stay here, because nothing is cached.
    bool keeps_keys = false;
    int64_t first_query = 0;  // rows before it have no queries and are never published
    // True: the record of the layers of an encoder before a decoder; its rows are encoder tokens.
    // False: of the other layers.
    bool of_encoder = false;
    bool has(int64_t layer) const { return rules.of(layer).encoder == of_encoder; }
  };
  AttentionRecord(uint32_t request, const Shape& shape, std::shared_ptr<const KvStorage> cache);
  ~AttentionRecord();

  uint32_t request() const { return request_; }
  const Shape& shape() const { return shape_; }

  // --- engine thread ---
  // Makes room for `rows` query rows, and counts them in num_rows().
  void grow(int64_t rows);
  // Sets the block table of the sequence in the cache, from which keys and values are read from now
  // on; with keeps_keys does nothing. The blocks before `first_held` left the sliding window; their
  // entries are ignored and their copies stay.
  void set_blocks(TableKind kind, std::span<const int32_t> blocks, int64_t first_held = 0);
  // A record for a forked request, with everything that this record has now.
  std::shared_ptr<AttentionRecord> fork(uint32_t request) const;
  // Keeps the queries of a layer, [count, H, D] f32, for the positions from q_begin on. row_stride:
  // in elements. Call it before the kernel runs.
  void keep_queries(int64_t layer, int64_t q_begin, int64_t count, const float* query,
                    int64_t row_stride);
  // With keeps_keys: keeps the keys and values of a layer's rows [0, count), each [count, Hkv, D]
  // f32. Call it before the kernel runs.
  void keep_keys(int64_t layer, int64_t count, const float* key, const float* value);
  // Copy the keys and values of the logical blocks [first, end) of a table, or of all blocks of all
  // tables, out of the cache. Call them before the blocks are written again.
  void archive_blocks(TableKind kind, int64_t first, int64_t end);
  void archive_keys();
  // Removes the log-sum-exps of the rows from `first` on, which will be computed again; with first
  // = 0 also the block tables and the copies of keys and values. Returns when no reader looks at
  // them any more.
  void forget_rows(int64_t first = 0);

  // --- any worker ---
  void publish_lse(int64_t layer, int64_t head, int64_t q_begin, int64_t count, const float* lse,
                   int64_t stride);

  // --- any thread ---
  int64_t num_rows() const;  // query positions so far
  bool row_done(int64_t layer, int64_t head, int64_t query) const;
  // A fixed NaN where row_done() is false, as for a layer or head that the record does not have; a
  // row that is done can have a computed NaN.
  float lse(int64_t layer, int64_t head, int64_t query) const;
  uint64_t version() const;  // grows when rows are published or forgotten
  bool is_cross(int64_t layer) const { return shape_.rules.of(layer).cross; }
  // Number of keys of a layer so far: in cross attention the encoder's, otherwise one per row.
  int64_t num_keys(int64_t layer) const;
  // Number of key columns in a picture of `rows` query rows of a layer.
  int64_t key_columns(int64_t layer, int64_t rows) const {
    return is_cross(layer) ? shape_.encoder_keys : rows;
  }
  // out [q_count, k_count] f32, row-major. Cells of rows that are not computed are NaN. In a
  // computed row masked cells are 0, and the other cells are NaN where the log-sum-exp is NaN. The
  // bits of a cell do not depend on the tile in which it is asked for.
  void weights(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
               int64_t k_count, float* out) const;
  // The scores, in the layout of weights(): weight = exp(score - lse). Cells of rows that are not
  // computed are NaN. In a computed row masked cells are -inf. Other cells can be -inf or NaN too,
  // so the layer's rule says what is masked.
  void scores(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
              int64_t k_count, float* out) const;
  // exp(score - row_max), in the layout of weights(). row_max [q_count]. Cells of rows that are not
  // computed are NaN. In a computed row masked cells are 0, and so is a row whose row_max is -inf.
  void exponentials(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
                    int64_t k_count, const float* row_max, float* out) const;
  // The values [k_count, D] of keys that a computed row sees, for a query head. False: they are not
  // all there, for example in a session file without values.
  bool values(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count, float* out) const;
  // Like values(): the keys [k_count, D] that a computed row sees, and the queries [q_count, D] of
  // computed rows. Rotary positions are applied in both.
  bool keys(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count, float* out) const;
  bool queries(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, float* out) const;
  WeightOperands operands(int64_t layer, int64_t head, int64_t query, int64_t key) const;

  // --- session files (attention_record_file.cpp) ---
  // Together these write what weights() and operands() need: save_about(), then the rows, the keys
  // and the values of each layer. The run must stand still meanwhile.
  void save_about(PutBytes& out) const;
  void save_rows(int64_t layer, PutBytes& out) const;
  void save_keys(int64_t layer, PutBytes& out) const;
  void save_values(int64_t layer, PutBytes& out) const;  // writes nothing if there are none
  uint64_t saved_bytes() const;
  // Which parts of a record a version of the session file format has.
  struct Tells {
    bool values = true, rows_without_window = true;
  };
  // Reads a record that holds its keys itself. num_blocks: size of the cache. shape: that of the
  // run, but encoder_keys, keeps_keys and the rows without a window come from the record. Throws
  // Error(kBadInput).
  static std::shared_ptr<const AttentionRecord> load(uint32_t request, Shape shape,
                                                     int64_t block_size, int64_t num_blocks,
                                                     Tells tells, TakeBytes& in);

 private:
  struct Impl;
  AttentionRecord(uint32_t request, const Shape& shape, std::unique_ptr<Impl> impl);
  enum class Cells { kWeights, kScores, kExponentials };
  // The work of weights(), scores() and exponentials(). row_max: of kExponentials.
  void recompute(Cells what, int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                 int64_t k_begin, int64_t k_count, const float* row_max, float* out) const;
  void reserve_rows(int64_t rows);
  int64_t rows_done(int64_t layer) const;
  int64_t keys_needed(TableKind kind) const;
  int64_t rows_without_window() const;
  void load_rows(int64_t layer, TakeBytes& in);

  uint32_t request_;
  Shape shape_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn
