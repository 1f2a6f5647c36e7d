// SPDX-License-Identifier: GPL-3.0-or-later
// The operands that a comparison keeps for maps of differences. Private to this folder. The engine
// thread writes them during the comparison.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/session/record/layer_rules.h"

namespace attn {

struct CompareOperands {
  // One layer of one sequence as one column computed it. The lists have room for all rows that it
  // can have.
  struct Layer {
    // [keys, Hkv, D], as the column's cache holds them; without a cache, those of the call.
    std::vector<float> keys;
    std::vector<float> out;  // [rows, H, D]
    std::vector<float> lse;  // [rows, H]
    int64_t rows = 0;        // computed so far
    // With ALiBi and a window, this many rows from the first on ignore the window
    // (AttentionBackend::rows_without_window).
    int64_t rows_without_window = 0;
  };
  struct Sequence {
    bool kept = false;
    int64_t room = 0;                         // the most rows that it can have
    int64_t encoder_keys = 0;                 // 0: no encoder
    std::vector<std::vector<float>> queries;  // [layers] of [rows, H, D]: the same for all columns
    std::vector<std::vector<Layer>> columns;  // [columns][layers]
    // Number of keys of a layer; in self attention there is one per row.
    int64_t keys_of(int64_t rows, bool cross) const { return cross ? encoder_keys : rows; }
    // The most rows that a layer of this configuration can have.
    int64_t room_of(const AttentionConfig& config) const {
      return config.attn_type == AttentionType::kEncoder ? encoder_keys : room;
    }
  };
  std::vector<Sequence> sequences;  // index: request id
  size_t baseline = 0;              // index into Sequence::columns
  LayerRules rules;                 // rules of the baseline
};

}  // namespace attn
