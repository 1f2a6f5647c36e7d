// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and biases as values; the soft cap; slopes and tensors of ALiBi; the keys that block-sparse
// attention shows. An AttentionBias says which keys each query row sees. materialize() writes it as
// f32 [num_heads, queries, keys]: 0 or the bias where a key is seen, -inf where it is not. Most
// names and meanings follow xFormers' attention-bias classes (xformers/ops/fmha/attn_bias).
//
// Coordinates: `query` is a row of the packed batch, `key` a column of the packed keys (in a
// PagedMask a slot of the cache). In a block of q_len rows and k_len keys, the diagonal of row i is
// at key i (top left) or at key i + k_len - q_len (bottom right). Any thread; an AttentionBias does
// not change. Constructors throw Error(kBadInput) for lengths, windows, block tables or tensors
// that do not fit.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/types.h"
#include "engine/core/tensor.h"

namespace attn {

// Keys [begin, end).
struct KeySpan {
  int64_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  bool operator==(const KeySpan&) const = default;
};

// Where the sequences of a packed axis lie: sequence s has rows starts[s] .. starts[s] + lens[s] -
// 1 of `total`.
struct SeqLenInfo {
  std::vector<int64_t> starts, lens;  // [S]
  int64_t total = 0;

  static SeqLenInfo from_seqlens(std::span<const int32_t> lens);  // one after the other, no gaps
  // Every sequence has `padding` places, of which the first lens[s] are used.
  static SeqLenInfo padded(std::span<const int32_t> lens, int64_t padding);
  // Sequences at the given starts, perhaps with gaps between them; total: length of the whole axis.
  static SeqLenInfo gappy(std::span<const int32_t> starts, std::span<const int32_t> lens,
                          int64_t total);
  int64_t num_seqs() const { return static_cast<int64_t>(lens.size()); }
};

// Which keys of its own sequence a query row sees.
struct DiagonalRule {
  bool causal = false;  // no key beyond the diagonal
  // true: the diagonal of row i is at key i + k_len - q_len; false: it is at key i.
  bool from_bottom_right = false;
  // A row sees keys at most this far before and after its diagonal; none: no limit. A sliding
  // window of w keys is before = w - 1.
  std::optional<int64_t> before, after;

  static DiagonalRule window(int64_t keys, bool bottom_right) {
    return {true, bottom_right, keys - 1, std::nullopt};
  }
};

class AttentionBias {
 public:
  virtual ~AttentionBias() = default;
  virtual std::string_view name() const = 0;  // "BlockDiagonalCausalMask"
  virtual int64_t num_queries() const = 0;
  virtual int64_t num_keys() const = 0;
  virtual int64_t num_heads() const { return 1; }  // 1: the same for all heads
  // The row sees no key outside this range. A block table or a -inf in a bias tensor can hide keys
  // within it, too.
  virtual KeySpan visible(int64_t query) const = 0;
  // The number that is added to the scaled and capped score; -inf: the key is masked. head <
  // num_heads().
  virtual float value(int64_t head, int64_t query, int64_t key) const = 0;
  // The key at which the diagonal of a query row lies; 0 if the row belongs to no sequence.
  virtual int64_t diagonal(int64_t query) const = 0;
  virtual size_t bytes() const = 0;    // about the memory that it takes
  virtual Tensor materialize() const;  // f32 [num_heads, num_queries, num_keys]
};
using BiasPtr = std::shared_ptr<const AttentionBias>;
// The biases of a batch: one for the packed batch, or one per sequence (null: it has none).
using BiasList = std::vector<BiasPtr>;

// A block-diagonal mask: a row of sequence s sees only keys of sequence s, as `rule` says.
class BlockDiagonalRule : public AttentionBias {
 public:
  std::string_view name() const override { return name_; }
  int64_t num_queries() const override { return queries_.total; }
  int64_t num_keys() const override { return keys_.total; }
  KeySpan visible(int64_t query) const override;
  float value(int64_t head, int64_t query, int64_t key) const override;
  int64_t diagonal(int64_t query) const override;
  size_t bytes() const override;

  const SeqLenInfo& queries() const { return queries_; }
  const SeqLenInfo& keys() const { return keys_; }
  const DiagonalRule& rule() const { return rule_; }
  // The sequence of a query row; -1: the row belongs to none.
  int64_t sequence_of(int64_t query) const;

 protected:
  BlockDiagonalRule(std::string_view name, SeqLenInfo queries, SeqLenInfo keys, DiagonalRule rule);

 private:
  std::string_view name_;
  SeqLenInfo queries_, keys_;
  DiagonalRule rule_;
};

// --- One block ----------------------------------------------------------------------------------
// Row i sees the keys j <= i.
class LowerTriangularMask final : public BlockDiagonalRule {
 public:
  LowerTriangularMask(int64_t num_queries, int64_t num_keys);
};
// Row i sees the keys up to its diagonal: j <= i + num_keys - num_queries.
class LowerTriangularFromBottomRightMask final : public BlockDiagonalRule {
 public:
  LowerTriangularFromBottomRightMask(int64_t num_queries, int64_t num_keys);
};
// Row i sees the keys d - window < j <= d, where d = i + num_keys - num_queries.
class LowerTriangularFromBottomRightLocalAttentionMask final : public BlockDiagonalRule {
 public:
  LowerTriangularFromBottomRightLocalAttentionMask(int64_t num_queries, int64_t num_keys,
                                                   int64_t window);
};
// Row i sees the keys d - window_left <= j <= d + window_right, where d = i + num_keys -
// num_queries.
class LocalAttentionFromBottomRightMask final : public BlockDiagonalRule {
 public:
  LocalAttentionFromBottomRightMask(int64_t num_queries, int64_t num_keys, int64_t window_left,
                                    int64_t window_right);
};
class NoMask final : public BlockDiagonalRule {
 public:
  NoMask(int64_t num_queries, int64_t num_keys);
};

// --- Packed batches: q_seqlens and kv_seqlens per sequence
class BlockDiagonalMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalMask(std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens);
};
class BlockDiagonalCausalMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalMask(std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_seqlens);
};
// Needs q_len <= k_len for every sequence.
class BlockDiagonalCausalFromBottomRightMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalFromBottomRightMask(std::span<const int32_t> q_seqlens,
                                         std::span<const int32_t> kv_seqlens);
};
class BlockDiagonalCausalLocalAttentionMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalLocalAttentionMask(std::span<const int32_t> q_seqlens,
                                        std::span<const int32_t> kv_seqlens, int64_t window);
};
class BlockDiagonalCausalLocalAttentionFromBottomRightMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalLocalAttentionFromBottomRightMask(std::span<const int32_t> q_seqlens,
                                                       std::span<const int32_t> kv_seqlens,
                                                       int64_t window);
};

// --- Keys with padding: every sequence has kv_padding places
class BlockDiagonalPaddedKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalPaddedKeysMask(std::span<const int32_t> q_seqlens,
                              std::span<const int32_t> kv_seqlens, int64_t kv_padding);
};
class BlockDiagonalCausalWithOffsetPaddedKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalWithOffsetPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                              std::span<const int32_t> kv_seqlens,
                                              int64_t kv_padding);
};
class BlockDiagonalCausalLocalAttentionPaddedKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalLocalAttentionPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                                  std::span<const int32_t> kv_seqlens,
                                                  int64_t kv_padding, int64_t window);
};
class BlockDiagonalLocalAttentionPaddedKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalLocalAttentionPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                            std::span<const int32_t> kv_seqlens, int64_t kv_padding,
                                            int64_t window_left, int64_t window_right);
};

// --- Keys with gaps: sequence s has kv_seqlens[s] of the num_keys keys, from kv_starts[s] on
class BlockDiagonalGappyKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalGappyKeysMask(std::span<const int32_t> q_seqlens, std::span<const int32_t> kv_starts,
                             std::span<const int32_t> kv_seqlens, int64_t num_keys);
};
class BlockDiagonalCausalWithOffsetGappyKeysMask final : public BlockDiagonalRule {
 public:
  BlockDiagonalCausalWithOffsetGappyKeysMask(std::span<const int32_t> q_seqlens,
                                             std::span<const int32_t> kv_starts,
                                             std::span<const int32_t> kv_seqlens, int64_t num_keys);
};

// --- Keys in the pages of a block table

// A mask with padded keys whose columns are mapped to slots by block_tables [S,
// max_blocks_per_seq]: key j of sequence s lies in slot block_tables[s][j / page_size] * page_size
// + j % page_size; -1 is no page. materialize() has one column per slot, up to the highest page in
// the tables.
class PagedMask : public AttentionBias {
 public:
  std::string_view name() const override { return name_; }
  int64_t num_queries() const override { return logical_->num_queries(); }
  int64_t num_keys() const override { return num_slots_; }
  // The slots from the first to the last visible one; others may lie between them.
  KeySpan visible(int64_t query) const override;
  float value(int64_t head, int64_t query, int64_t slot) const override;
  // The diagonal as a key of logical(), not as a slot as in visible() and value().
  int64_t diagonal(int64_t query) const override { return logical_->diagonal(query); }
  size_t bytes() const override;
  const BlockDiagonalRule& logical() const { return *logical_; }
  int64_t page_size() const { return page_size_; }

 protected:
  PagedMask(std::string_view name, std::shared_ptr<const BlockDiagonalRule> logical,
            std::span<const int32_t> block_tables, int64_t max_blocks_per_seq, int64_t page_size);

 private:
  int64_t slot_of(int64_t sequence, int64_t key) const;  // -1: no page
  std::string_view name_;
  std::shared_ptr<const BlockDiagonalRule> logical_;
  std::vector<int32_t> block_tables_;
  int64_t max_blocks_per_seq_, page_size_, num_slots_;
};
class PagedBlockDiagonalPaddedKeysMask final : public PagedMask {
 public:
  PagedBlockDiagonalPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                   std::span<const int32_t> kv_seqlens,
                                   std::span<const int32_t> block_tables,
                                   int64_t max_blocks_per_seq, int64_t page_size);
};
class PagedBlockDiagonalCausalWithOffsetPaddedKeysMask final : public PagedMask {
 public:
  PagedBlockDiagonalCausalWithOffsetPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                                   std::span<const int32_t> kv_seqlens,
                                                   std::span<const int32_t> block_tables,
                                                   int64_t max_blocks_per_seq, int64_t page_size);
};
class PagedBlockDiagonalCausalLocalPaddedKeysMask final : public PagedMask {
 public:
  PagedBlockDiagonalCausalLocalPaddedKeysMask(std::span<const int32_t> q_seqlens,
                                              std::span<const int32_t> kv_seqlens,
                                              std::span<const int32_t> block_tables,
                                              int64_t max_blocks_per_seq, int64_t page_size,
                                              int64_t window);
};

// --- Biases: a mask and numbers on top of it

// Adds slope_h * (key - diagonal(query)) to the value of `mask`.
class AlibiBias final : public AttentionBias {
 public:
  AlibiBias(BiasPtr mask, std::span<const float> slopes);  // slopes [H]
  std::string_view name() const override { return "AlibiBias"; }
  int64_t num_queries() const override { return mask_->num_queries(); }
  int64_t num_keys() const override { return mask_->num_keys(); }
  int64_t num_heads() const override { return static_cast<int64_t>(slopes_.size()); }
  KeySpan visible(int64_t query) const override { return mask_->visible(query); }
  float value(int64_t head, int64_t query, int64_t key) const override;
  int64_t diagonal(int64_t query) const override { return mask_->diagonal(query); }
  size_t bytes() const override { return mask_->bytes() + slopes_.size() * sizeof(float); }
  const AttentionBias& mask() const { return *mask_; }
  std::span<const float> slopes() const { return slopes_; }

 private:
  BiasPtr mask_;
  std::vector<float> slopes_;
};

// Adds a dense tensor [H or 1, queries, columns >= keys], f32, bf16 or f16, to a mask; a -inf in
// the tensor masks its key, too.
class TensorBias : public AttentionBias {
 public:
  TensorBias(BiasPtr mask, std::shared_ptr<const Tensor> bias);
  std::string_view name() const override { return "TensorBias"; }
  int64_t num_queries() const override { return mask_->num_queries(); }
  int64_t num_keys() const override { return mask_->num_keys(); }
  int64_t num_heads() const override { return bias_->dim(0); }
  KeySpan visible(int64_t query) const override { return mask_->visible(query); }
  float value(int64_t head, int64_t query, int64_t key) const override;
  int64_t diagonal(int64_t query) const override { return mask_->diagonal(query); }
  size_t bytes() const override { return mask_->bytes() + bias_->bytes(); }
  const AttentionBias& mask() const { return *mask_; }
  const Tensor& tensor() const { return *bias_; }

 private:
  BiasPtr mask_;
  std::shared_ptr<const Tensor> bias_;
};
// A causal mask from the top left, plus a bias tensor. The mask has the tensor's rows and its first
// num_keys columns; without num_keys, all columns.
class LowerTriangularMaskWithTensorBias final : public TensorBias {
 public:
  explicit LowerTriangularMaskWithTensorBias(std::shared_ptr<const Tensor> bias);
  LowerTriangularMaskWithTensorBias(std::shared_ptr<const Tensor> bias, int64_t num_keys);
  std::string_view name() const override { return "LowerTriangularMaskWithTensorBias"; }
};

// A function of the scaled score, applied before a bias: cap * tanh(score / cap).
struct SoftCap {
  double cap = 0;  // 0: none
  double operator()(double score) const;
};

// Slopes of ALiBi for `num_heads` heads: with c the largest power of two <= num_heads, slope i =
// 2^(-8 i / c) for i = 1 .. c; the rest are the slopes 1, 3, 5, ... of 2c heads. O. Press et al.,
// "Train Short, Test Long", 2022.
std::vector<float> standard_alibi_slopes(int64_t num_heads);
// ALiBi of one sequence as a tensor [slopes, len, columns] of f32, bf16 or f16. Positions, their
// difference and its product with the slope are each rounded to the type. Columns from len on are
// padding and hold 0.
Tensor alibi_tensor(std::span<const float> slopes, int64_t len, int64_t columns, DType dtype);
// The element of alibi_tensor() for a query and a key at these positions.
float alibi_element(float slope, int64_t query, int64_t key, DType dtype);
float element(const Tensor& tensor, int64_t head, int64_t row, int64_t column);

// Whether block-sparse attention lets `head` at position `query` see the key at position `key`.
// Causality is not part of it.
bool sees_key(const BlockSparse& sparse, int64_t head, int64_t query, int64_t key);

// The bias of one sequence by the type, window and ALiBi of `config`, with query_len rows and
// kv_len keys: causal from the bottom right for DECODER, all keys for the other types.
// The first row has position kv_len - query_len for DECODER and 0 for the other types. For the
// other types the window limits only the keys before the row.
BiasPtr make_sequence_bias(const AttentionConfig& config, int64_t query_len, int64_t kv_len);

}  // namespace attn
