// SPDX-License-Identifier: GPL-3.0-or-later
// CacheLayout, and operations on the cache other than attention: writing new tokens by slots,
// reading and writing rows as f32 [slots, heads, head_size], copying blocks.
#pragma once

#include <cstdint>
#include <span>

#include "engine/attention/backend.h"
#include "engine/attention/cache_type/cache_rounding.h"
#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/trace/probe.h"

namespace attn {

// Where a layer's keys and values lie. Both bases point to writable memory.
struct CacheLayout {
  KvSource keys, values;
};

// Sets the scales in `layout` if the cache is quantised. The layout can then point into `scales`,
// which must outlive it.
void apply_scales(CacheLayout& layout, const LayerScales& scales);

// Writes key, value [T, Hkv, D] (f32, bf16 or f16) to the slots of slot_mapping [T]; kPaddingSlot:
// the token is not written. Numbers are rounded to nearest even. Quantised caches: they are divided
// by the scale first, and the counts of saturated, vanished and kept numbers are added to
// `rounding` (may be null). False when the gate cancelled it. Engine thread.
bool cache_write(const Tensor& key, const Tensor& value, std::span<const int64_t> slot_mapping,
                 const CacheLayout& cache, const Execution& execution,
                 CacheRounding* rounding = nullptr);

// Reads or writes rows [slots, num_kv_heads, head_size] as f32; a quantised cache stores row /
// scale. Any thread; calls on the same slots must not overlap if one of them writes.
void read_rows(const KvSource& source, std::span<const int64_t> slots, int64_t num_kv_heads,
               int64_t head_size, float* rows);
void write_rows(const KvSource& target, std::span<const int64_t> slots, int64_t num_kv_heads,
                int64_t head_size, const float* rows);

// Copies the keys and values of whole blocks from one tensor [2, num_blocks, elements of a block]
// to another, or within one.
void copy_paired_blocks(const Tensor& source, int64_t source_blocks, Tensor& target,
                        int64_t target_blocks, std::span<const BlockPair> pairs);

}  // namespace attn
