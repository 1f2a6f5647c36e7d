// SPDX-License-Identifier: GPL-3.0-or-later
// Code shared by multi-query and decode: the memory of a worker, the copy of a compute block's
// pages, and the attention over that block, 128 keys at a time, for every query head of the KV
// head's group. Included once per Highway target.

#if defined(ATTN_BACKENDS_PALLAS_PAGES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_BACKENDS_PALLAS_PAGES_INL_H_
#undef ATTN_BACKENDS_PALLAS_PAGES_INL_H_
#else
#define ATTN_BACKENDS_PALLAS_PAGES_INL_H_
#endif

#include "backends/pallas/pallas_math-inl.h"
#include "backends/pallas/pallas_plan.h"
#include "engine/kernels/fault.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

struct PagedScratch {
  float* keys = nullptr;    // [2, D, 64]
  float* values = nullptr;  // strips of 128 rows
  float* heads = nullptr;   // one PallasRows per query head of the group
  size_t head_floats = 0;
  PageBuffers buffers;
};

inline size_t PagedTileFloats(int64_t head_size) {
  return static_cast<size_t>(kBlock * (head_size + pad_head_size(head_size)));
}

inline size_t PagedScratchFloats(const PagedArgs& args, int64_t block_tokens, int64_t rows) {
  const auto group = static_cast<size_t>(args.num_heads / args.num_kv_heads);
  const size_t half = PageBuffers::half(block_tokens, args.head_size, args.sequences[0].keys.dtype);
  return PagedTileFloats(args.head_size) + group * PallasRows::floats(rows, args.head_size) +
         4 * half / sizeof(float);
}

inline PagedScratch MakePagedScratch(const PagedArgs& args, int64_t block_tokens, int64_t rows,
                                     float* memory) {
  PagedScratch scratch;
  scratch.keys = memory;
  scratch.values = memory + kBlock * args.head_size;
  scratch.heads = memory + PagedTileFloats(args.head_size);
  scratch.head_floats = PallasRows::floats(rows, args.head_size);
  const int64_t group = args.num_heads / args.num_kv_heads;
  scratch.buffers.base = reinterpret_cast<std::byte*>(scratch.heads + static_cast<size_t>(group) *
                                                                          scratch.head_floats);
  scratch.buffers.half_bytes =
      PageBuffers::half(block_tokens, args.head_size, args.sequences[0].keys.dtype);
  return scratch;
}

// Copies the pages of `block` into buffer 0 or 1, and reports the copy to the probe as one event.
template <class Probe>
void FetchPages(const PagedArgs& args, const PagedSequence& sequence, const ComputeBlock& block,
                KernelId kernel, const PagedScratch& scratch, int buffer, Probe& probe) {
  probe.fetch_begin();
  copy_pages(sequence.keys, block.kv_head, block.first_token, block.tokens, args.head_size,
             scratch.buffers.keys(buffer));
  copy_pages(sequence.values, block.kv_head, block.first_token, block.tokens, args.head_size,
             scratch.buffers.values(buffer));
  const uint64_t row_bytes = static_cast<uint64_t>(args.head_size) * size_of(sequence.keys.dtype);
  probe.fetch_end({sequence.request, static_cast<uint32_t>(block.first_page),
                   static_cast<uint32_t>(block.pages), static_cast<uint32_t>(block.kv_head),
                   2 * static_cast<uint64_t>(block.tokens) * row_bytes, kernel});
}

// Loads rows row .. row + rows - 1 of every query head of the group, of which `real` exist, and
// clears their softmax state.
inline void LoadGroup(const PagedArgs& args, const PagedSequence& sequence, int64_t kv_head,
                      int64_t row, int64_t rows, int64_t real, const PagedScratch& scratch,
                      PallasRows* states) {
  const int64_t group = args.num_heads / args.num_kv_heads;
  for (int64_t g = 0; g < group; ++g) {
    states[g] = MakeRows(rows, args.head_size,
                         scratch.heads + static_cast<size_t>(g) * scratch.head_floats);
    LoadQuery(*args.query, sequence.row_begin + row, real, args.num_heads, kv_head * group + g,
              args.head_size, states[g].query);
    std::fill(states[g].query + real * args.head_size, states[g].query + rows * args.head_size,
              0.0f);
    ScaleQuery(args.scale, states[g]);
  }
}

// Computes attention of the loaded rows over the block in `buffer`. last_visible: no row sees a
// later key. event: has request, rows and kernel set. False when the gate cancelled it.
template <class Probe>
bool ComputeOnPages(const PagedArgs& args, const PagedSequence& sequence, const ComputeBlock& block,
                    const PagedScratch& scratch, int buffer, const KeyRange* visible,
                    int64_t last_visible, PallasRows* states, TileEvent event, Probe& probe) {
  const int64_t group = args.num_heads / args.num_kv_heads;
  if (ATTN_FAULT(kWrongPageBuffer)) buffer = 1 - buffer;
  KvSource keys = dense_rows(scratch.buffers.keys(buffer), sequence.keys.dtype, 1, args.head_size);
  KvSource values =
      dense_rows(scratch.buffers.values(buffer), sequence.values.dtype, 1, args.head_size);
  for (int64_t begin = 0; begin < block.tokens; begin += kBlock) {
    const int64_t k_begin = block.first_token + begin;
    if (k_begin > last_visible) break;  // above the diagonal
    const int64_t count = std::min(kBlock, block.tokens - begin);
    PackKeys(keys, 0, begin, count, args.head_size, scratch.keys);
    const bool finite = PackValues(values, 0, begin, count, args.head_size, scratch.values);
    for (int64_t g = 0; g < group; ++g) {
      if (!probe.tile_begin()) return false;
      PallasBlock(states[g], visible, k_begin, count, scratch.keys, scratch.values, finite);
      event.head = static_cast<uint32_t>(block.kv_head * group + g);
      event.k_begin = static_cast<uint32_t>(k_begin);
      event.k_count = static_cast<uint32_t>(count);
      if (event.q_count == 0) continue;  // padding
      probe.row_states(event, 0, event.q_count, states[g].m(0), states[g].l(0), 4 * kTpuLanes,
                       k_begin == 0);
      probe.tile_end(event, args.head_size);
    }
  }
  return true;
}

// Writes output and log-sum-exp of `real` rows of every query head of the group.
template <class Probe>
void FinishGroup(const PagedArgs& args, const PagedSequence& sequence, int64_t kv_head, int64_t row,
                 int64_t real, const PallasRows* states, TileEvent event, Probe& probe) {
  const int64_t group = args.num_heads / args.num_kv_heads;
  for (int64_t g = 0; g < group; ++g) {
    const int64_t head = kv_head * group + g, first = sequence.row_begin + row;
    float* lse = args.lse + first * args.num_heads + head;
    for (int64_t r = 0; r < real; ++r)
      lse[r * args.num_heads] = FinishPallasRow(
          states[g], r, *args.out, ((first + r) * args.num_heads + head) * args.head_size);
    event.head = static_cast<uint32_t>(head);
    if (real > 0) probe.rows_done(event, lse, args.num_heads);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::pallas
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
