// SPDX-License-Identifier: GPL-3.0-or-later
// The integers of the pallas kernels: padding, blocks, calls and cores, as pure functions; and the
// option tpu. The kernels and the modelled TPU time use them. After the Pallas backend of vLLM's
// first engine and JAX's paged attention for TPU. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/attention/types.h"

namespace attn::backends::pallas {

// TPU generation, the value of the option tpu.
enum class TpuVersion { kV2, kV3, kV4, kV5e, kV5p, kV6e };
std::string_view name_of(TpuVersion version);  // "v2" .. "v6e"
const BackendOption& tpu_option();
TpuVersion tpu_version(const AttentionConfig& config);  // kV4 if the option names none

inline constexpr int64_t kBlock = 128;     // most tokens of a q block of flash and of a k block
inline constexpr int64_t kTpuLanes = 128;  // lanes of a TPU vector register
inline constexpr int64_t kPagesPerComputeBlock = 16;
inline constexpr int64_t kQueriesPerComputeBlock = 16;
inline constexpr int64_t kPrefillMultiple = 16;  // prefill lengths are padded to a multiple of it
inline constexpr int64_t kScalarMemoryBytes = 512 * 1024;

inline int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
inline int64_t padded_prefill_length(int64_t query_len) {
  return round_up(query_len, kPrefillMultiple);
}

// How the two cores of a TPU divide a decode: by KV heads or by sequences. kNone: one core does
// everything.
enum class Megacore { kNone, kKvHead, kBatch };
std::string_view name_of(Megacore mode);  // "none", "kv_head", "batch"
// On a chip with two cores: kKvHead if the number of KV heads is even, else kBatch if the batch is
// even, else kNone. On other chips kNone.
Megacore megacore_mode(TpuVersion version, int64_t num_kv_heads, int64_t batch);
// The number of cores that work in this mode: 1 or 2.
int num_cores(Megacore mode);
bool has_two_cores(TpuVersion version);

// How many sequences of a decode batch fit one call: the block table of a call lies in scalar
// memory, 4 bytes per entry. If the batch does not fit: what fits, rounded down to an even number
// if it is 2 or more; may be 0.
int64_t sequences_per_call(int64_t batch, int64_t max_blocks_per_seq);

struct CallRange {
  int64_t first = 0, count = 0;  // sequences
};
std::vector<CallRange> split_calls(int64_t batch, int64_t max_blocks_per_seq);

// Pages of a compute block: 16, or more where that is needed to make its tokens a multiple of 128.
// No block of 128 keys then spans two compute blocks.
int64_t pages_per_compute_block(int64_t block_size);

// One grid step of paged attention: the pages that are copied and computed together.
struct ComputeBlock {
  int64_t sequence = 0;
  int64_t kv_head = 0;
  int64_t first_token = 0;
  int64_t tokens = 0;  // tokens that exist; the last block may be partly filled
  int64_t first_page = 0;
  int64_t pages = 0;
  bool first = false, last = false;  // whether it is the first, the last of (sequence, kv_head)
};
// What `core` of `mode` does in a decode call, in order: for each of its sequences, for each of its
// KV heads, the blocks of its keys. Empty sequences have none.
std::vector<ComputeBlock> decode_blocks(std::span<const int64_t> seq_lens, int64_t num_kv_heads,
                                        int64_t block_size, Megacore mode, int core);

// Whether a block of queries sees any key of the key block that begins at `k_begin`; blocks above
// the diagonal are left out. last_q_row: the last row of the query block, counted from the first
// new token, which has position `context_len`.
inline bool below_or_on_diagonal(int64_t last_q_row, int64_t context_len, int64_t k_begin) {
  return context_len + last_q_row >= k_begin;
}

}  // namespace attn::backends::pallas
