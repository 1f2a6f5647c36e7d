// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionRecord: what is kept of one sequence so that any tile of its attention weights can be
// recomputed: the query rows, the log-sum-exp of each row, the keys and the values. Keys and values
// are read from the cache while the sequence holds their block, and are copied out before the block
// is given back. weight(q, k) = exp(s - lse) with s = cap(scale * q.k) + bias (ALiBi, or a table by
// distance), computed by the f32 code that most backends use (docs/architecture.md names those that
// multiply or add in another way); the full matrix never exists in memory.
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
#include "engine/scheduler/request.h"
#include "engine/session/record/layer_rules.h"

namespace attn {

class PutBytes;
class TakeBytes;

// A weight and what it is computed from, for one (layer, head, query, key).
struct WeightOperands {
  bool computed = false;  // the row's lse is there
  bool masked = false;    // the query does not see the key: weight is exactly 0
  float dot = 0;          // q.k
  float scale = 0;
  float soft_cap = 0;  // 0: none
  float bias = 0;      // WeightRule::bias()
  float score = 0;  // cap(scale * dot) + bias, by the kernels' code; 0 where masked or not computed
  float lse = 0;
  float weight = 0;    // exp(score - lse)
  int32_t block = -1;  // physical block that holds the key; -1: none does
  int64_t slot = -1;
  std::vector<float> query;  // [head_size]; empty: not computed
  std::vector<float> key;    // [head_size]; empty: not computed, or masked
  std::vector<float> value;  // [head_size]; empty: not computed, masked, or not kept
};

class AttentionRecord {
 public:
  struct Shape {
    int64_t num_layers = 0, num_heads = 0, num_kv_heads = 0, head_size = 0;
    float scale = 0;
    LayerRules rules = {};
    int64_t encoder_keys = 0;  // number of keys that cross attention reads; 0: no encoder
    // True where nothing is cached (self attention of an encoder): keys and values are given by
    // keep_keys() and stay here.
    bool keeps_keys = false;
    int64_t first_query = 0;  // rows before it have no queries: they are never computed
    // True: the record of a request's encoder, with the layers whose queries are the encoder's
    // tokens. Else it has the other layers.
    bool of_encoder = false;
    // Whether the record has rows of the layer.
    bool has(int64_t layer) const { return rules.of(layer).encoder == of_encoder; }
  };
  // The record shares ownership of the cache.
  AttentionRecord(uint32_t request, const Shape& shape, std::shared_ptr<const KvStorage> cache);
  ~AttentionRecord();

  uint32_t request() const { return request_; }
  const Shape& shape() const { return shape_; }

  // --- engine thread ---
  // Makes room for `rows` query rows.
  void grow(int64_t rows);
  // blocks: the present block table of the sequence in `cache`, from which keys are read from now
  // on, also those of blocks that were archived. The first `first_held` entries are ignored: their
  // blocks left the sliding window and stay archived.
  void set_blocks(TableKind kind, std::span<const int32_t> blocks, int64_t first_held = 0);
  // A record for a request that goes on from everything that this one has now.
  std::shared_ptr<AttentionRecord> fork(uint32_t request) const;
  // Keeps query rows [count, H, D] (f32, row stride in elements) of a layer for the positions
  // q_begin, q_begin + 1, ... Called before the kernel runs.
  void keep_queries(int64_t layer, int64_t q_begin, int64_t count, const float* query,
                    int64_t row_stride);
  // With keeps_keys: keeps the keys and values of a layer's rows [0, count), [count, Hkv, D] f32
  // each, the whole sequence at once. Called before the kernel runs.
  void keep_keys(int64_t layer, int64_t count, const float* key, const float* value);
  // Copies the keys and values of the logical blocks [first, end) of a table, or of all blocks, out
  // of the cache, which is not read for them any more. Called before the blocks are given back.
  void archive_blocks(TableKind kind, int64_t first, int64_t end);
  void archive_keys();
  // Rows from `first` on will be computed again (preemption, a cancelled step): removes their lse,
  // so that they are invisible until then. Returns when no reader is looking at them any more.
  void forget_rows(int64_t first = 0);

  // --- any worker ---
  void publish_lse(int64_t layer, int64_t head, int64_t q_begin, int64_t count, const float* lse,
                   int64_t stride);

  // --- any thread ---
  int64_t num_rows() const;  // rows there is room for: the query positions so far
  bool row_done(int64_t layer, int64_t head, int64_t query) const;
  // A fixed NaN where row_done() is false; a row that is done can have a computed NaN.
  float lse(int64_t layer, int64_t head, int64_t query) const;
  uint64_t version() const;  // grows when rows become visible or are forgotten
  // Whether the layer is cross attention, whose keys are those of the encoder.
  bool is_cross(int64_t layer) const { return shape_.rules.of(layer).cross; }
  // Number of keys of a layer so far: the encoder's in cross attention, else as many as rows.
  int64_t num_keys(int64_t layer) const;
  // Number of key columns in a picture of `rows` query rows of a layer.
  int64_t key_columns(int64_t layer, int64_t rows) const {
    return is_cross(layer) ? shape_.encoder_keys : rows;
  }
  // out [q_count, k_count] f32 row-major. All cells of a row that is not computed yet are NaN. In
  // a computed row masked cells are 0, and the others are NaN where its lse is NaN. The bits of a
  // cell do not depend on the tile in which it is asked for.
  void weights(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
               int64_t k_count, float* out) const;
  // What weights() takes the exponential of, in the same layout and from the same operations:
  // weight = exp(score - lse), by the exponential of the kernels. All cells of a row that is not
  // computed yet are NaN. In a computed row masked cells are -inf. A cell can also have a computed
  // -inf or NaN, so the rule of the layer says what is masked.
  void scores(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
              int64_t k_count, float* out) const;
  // exp(score - row_max) by the exponential of the kernels, in the same layout. row_max [q_count].
  // All cells of a row that is not computed yet are NaN. In a computed row masked cells are 0; so
  // is a whole row whose maximum is -inf.
  void exponentials(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, int64_t k_begin,
                    int64_t k_count, const float* row_max, float* out) const;
  // The values of keys that a computed row sees, [k_begin, k_begin + k_count), for a query head:
  // [k_count, D]. False: they are not there, because the record is from a session file without
  // values, or because its rows were forgotten.
  bool values(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count, float* out) const;
  // Like values(): the keys that a computed row sees, [k_count, D], and the queries of rows that
  // are all computed, [q_count, D]. Rotary positions are applied in both.
  bool keys(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count, float* out) const;
  bool queries(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count, float* out) const;
  WeightOperands operands(int64_t layer, int64_t head, int64_t query, int64_t key) const;

  // --- session files (attention_record_file.cpp) ---
  // These write everything that weights() and operands() need, bit for bit: save_about(), then the
  // rows of every layer, the keys of every layer, the values of every layer. The run must stand
  // still meanwhile.
  void save_about(PutBytes& out) const;
  void save_rows(int64_t layer, PutBytes& out) const;
  void save_keys(int64_t layer, PutBytes& out) const;
  void save_values(int64_t layer, PutBytes& out) const;  // nothing where there are none
  uint64_t saved_bytes() const;                          // bytes of rows, keys and values
  // What the session files of one version say of a record.
  struct Tells {
    bool values = true, rows_without_window = true;
  };
  // Reads a record, which holds all its keys itself. num_blocks: size of the cache; shape: rule and
  // dimensions of the run, its other fields are read. Throws Error(kBadInput).
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
