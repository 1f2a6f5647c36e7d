// SPDX-License-Identifier: GPL-3.0-or-later
// PlannedMask: which keys the rows of a batch's prefills see in the layers of a configuration, in
// what form a backend holds the mask, and which tiles its kernel visits. Made from the batch on
// request; holds no tensor. For views and tests. Any thread; plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/attention/attention_bias.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/text/sentence.h"

namespace attn {

// How a kernel gets its mask. kFlag: as an argument of the operator; kDense: as a tensor that it
// reads; kPerTile: the kernel computes the mask of each tile.
enum class MaskForm { kFlag, kDense, kPerTile };
std::string_view name_of(MaskForm form);  // "flag", "dense", "per tile"

// Rows and keys of a mask that a kernel takes at a time.
struct MaskTile {
  int64_t row = 0, rows = 0, key = 0, keys = 0;
};

struct PlannedMask {
  // Name for views, for example "BlockDiagonalCausalMask", "is_causal = true" or "rule in the
  // kernel".
  Sentence name = Sentence::same({});
  MaskForm form = MaskForm::kPerTile;
  int64_t first_sequence = 0, sequences = 0;  // the mask is for this range of the batch
  int64_t bytes = 0;                          // memory that the first layer takes for the mask
  // Whether the first layer builds the mask and later layers of the configuration use it again.
  bool kept = false;
  // Which keys a row sees, apart from `blocksparse`. Rows and keys are those of the sequences,
  // packed one after the other.
  std::shared_ptr<const BlockDiagonalRule> rule;
  // Tiles that the kernel visits, before visits() leaves some out for a head; empty: none, or not
  // known.
  std::vector<MaskTile> tiles;
  // [H] slopes of ALiBi, whose terms value() adds for visible keys, rounded to `dtype` as in
  // alibi_tensor(); empty: no ALiBi.
  std::vector<float> slopes;
  DType dtype = DType::kF32;
  RelativeBias relative_bias;              // added by value() for visible keys; empty: none
  std::optional<BlockSparse> blocksparse;  // hides some of the keys that `rule` shows

  // The keys that a row sees, as runs in the order of their positions.
  std::vector<KeySpan> seen(int64_t head, int64_t query) const;
  // What the mask adds to a score; -inf: the key is masked.
  float value(int64_t head, int64_t query, int64_t key) const;
  // Whether the kernel visits this tile for this head. False if block-sparse attention hides all
  // its keys from all its rows.
  bool visits(int64_t head, const MaskTile& tile) const;
};

// The mask of sequences [first, first + count) of `prefills` by the rule of `config`. The caller
// sets name and form.
PlannedMask rule_mask(const AttentionConfig& config, const AttentionMetadata& prefills,
                      int64_t first, int64_t count);
// The tiles of `rows` x `keys` in which a row sees a key. The first tile of a sequence starts at
// its first row and first key. `all`: also the tiles in which no row sees a key.
std::vector<MaskTile> visited_tiles(const BlockDiagonalRule& rule, int64_t rows, int64_t keys,
                                    bool all = false);
// The tiles that one flash_prefill() call visits for all sequences of `rule`, with
// flash_tile_rows() rows (query_tile_rows is 0). `all`: as in visited_tiles().
std::vector<MaskTile> flash_tiles(const AttentionConfig& config, const BlockDiagonalRule& rule,
                                  int workers, bool all = false);

}  // namespace attn
