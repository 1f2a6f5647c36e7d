// SPDX-License-Identifier: GPL-3.0-or-later
// TraceEvent: one span or instant of the run, 32 bytes, plain data. Times are nanoseconds on the
// run's clock (RunClock). The meaning of a, b, c, d is in EventKind. TileEvent: the numbers of a
// kTile event; PageFetch: what a kPageFetch event is made from.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/trace/kernel.h"

namespace attn {

enum class EventKind : uint8_t {
  // In brackets: a, b, c, d. request: its id; logical: position of the block in its table, perhaps
  // with kCrossTableMark; tables: how many hold the block afterwards; free: blocks that can be
  // handed out afterwards.

  // Spans, which have a duration
  kStep,      // one engine step (step, prefill tokens, decode tokens, sequences)
  kSchedule,  // scheduler and block manager (step, waiting, running, free blocks)
  kKernel,    // one kernel, on the engine lane (KernelId, step, tasks, tokens)
  kTile,      // one tile of attention (packed, see TileEvent)
  // One task of a kernel (KernelId, step, task, rows of the whole kernel).
  kTask,
  // Pages copied to a kernel's buffer (request | kernel << 24, first logical page, pages, KV head).
  kPageFetch,

  // Instants
  kRequestQueued,     // at its arrival; recorded by the next step (request, prompt tokens)
  kRequestScheduled,  // (request, step)
  kTokenSampled,      // (request, position, token id, step)
  kRequestPreempted,  // (request, step, computed tokens when preempted, 1: swapped out and kept)
  kRequestResumed,    // swapped in (request, step)
  kRequestForked,     // it begins with its parent's tokens (request, parent, step)
  kPrefixHit,         // tokens found in the cache (request, cached tokens, all its tokens, step)
  kRequestFinished,   // (request, RequestState, tokens)
  kBlockAllocated,    // (block, request, logical, free)
  kBlockFreed,        // (block, request, logical, free)
  kBlockShared,       // one more table holds it (block, request, logical, tables)
  kBlockReleased,     // one table fewer, not the last (block, request, logical, tables)
  kBlockCached,       // in no table, kept for its prefix (block, request, logical, free)
  kBlockEvicted,      // was cached, is forgotten (block, kNoNumber, kNoNumber, free)
  kBlockHashed,       // full, found by its prefix from now on (block, request, logical, tables)
  kBlockCopied,       // copy-on-write (block, request, logical, block it was copied from)
  kBlockLeftWindow,   // the sequence sees it no more (block, request, logical, tables)
  kBlockSwappedOut,   // its contents go to the swap pool (block, request, logical, swap block)
  kBlockSwappedIn,    // its contents come back (block, request, logical, swap block)
  kWarning,           // text in Recorder::messages() (message index, step)
  kCallSplit,         // one of the calls of a cut batch (KernelId, call, calls, sequences)
  kBiasBuilt,         // a mask or bias was built (packed, see bias_event.h)
  kPlanCaptured,      // a plan is kept (batch size, bytes of the plan)
  kPlanReplayed,      // a kept plan is used (batch size, padding rows)
  // Padding rows of a call (KernelId, its rows without padding, padding rows, sequences).
  kPadding,
  kCount
};

inline bool is_span(EventKind kind) {
  return kind <= EventKind::kPageFetch;
}
// In a run whose requests have two block tables, this bit of a block event's `logical` says that
// the block is in the table of the encoder's tokens.
inline constexpr uint32_t kCrossTableMark = uint32_t{1} << 31;
// The `logical` of a block event without kCrossTableMark; kNoNumber stays as it is.
constexpr uint32_t logical_block_of(uint32_t logical) {
  return logical == 0xffffffff ? logical : logical & ~kCrossTableMark;
}
constexpr bool is_in_cross_table(uint32_t logical) {
  return logical != 0xffffffff && (logical & kCrossTableMark) != 0;
}
inline bool is_block_event(EventKind kind) {
  return kind >= EventKind::kBlockAllocated && kind <= EventKind::kBlockSwappedIn;
}
std::string_view name_of(EventKind kind);  // "tile"

struct TraceEvent {
  uint64_t begin_ns = 0;
  uint64_t duration_ns : 40 = 0;  // longer spans are stored as kMaxDurationNs
  EventKind kind = EventKind::kStep;
  uint8_t lane = 0;   // 0: engine (scheduler, kernels as a whole); 1 + w: worker w
  uint8_t layer = 0;  // kNoLayer where there is none
  uint32_t a = 0, b = 0, c = 0, d = 0;
};
inline constexpr uint64_t kMaxDurationNs = (uint64_t{1} << 40) - 1;  // 18 minutes
static_assert(sizeof(TraceEvent) == 32 && std::is_trivially_copyable_v<TraceEvent>);

inline constexpr uint32_t kNoNumber = 0xffffffff;  // in kBlockEvicted: no request, no logical block
inline constexpr uint8_t kEngineLane = 0;
inline constexpr uint8_t kNoLayer = 0xff;
inline uint8_t lane_of_worker(int worker) {
  return static_cast<uint8_t>(1 + worker);
}

// Where an event has a request and a kernel in one number, these bits are the request.
inline constexpr uint32_t kRequestBits = 0xffffff;

// What one fetch copies: pages of the keys and values of one KV head.
struct PageFetch {
  uint32_t request = 0;
  uint32_t first_page = 0;  // index in the sequence, not in the cache
  uint32_t pages = 0;
  uint32_t kv_head = 0;
  uint64_t bytes = 0;
  KernelId kernel = {};
};

// What one tile covers. Positions count from the first token of the queries' or keys' sequence.
struct TileEvent {
  uint32_t request = 0;  // < 2^24
  uint32_t q_begin = 0;  // < 2^24
  uint32_t k_begin = 0;  // < 2^24
  uint32_t q_count = 0;  // < 2^8
  uint32_t k_count = 0;  // < 2^24
  uint32_t head = 0;     // < 2^8
  KernelId kernel = {};
  uint32_t heads = 1;  // computed together: head .. head + heads - 1; 1 .. 256
};
// a = request | kernel << 24;  b = q_begin | q_count << 24;  c = k_begin | head << 24;
// d = k_count | (heads - 1) << 24
inline void pack(const TileEvent& tile, TraceEvent& event) {
  event.kind = EventKind::kTile;
  event.a = tile.request | static_cast<uint32_t>(tile.kernel) << 24;
  event.b = tile.q_begin | tile.q_count << 24;
  event.c = tile.k_begin | tile.head << 24;
  event.d = tile.k_count | (tile.heads - 1) << 24;
}
inline TileEvent unpack_tile(const TraceEvent& event) {
  constexpr uint32_t kLow = 0xffffff;
  return {event.a & kRequestBits,
          event.b & kLow,
          event.c & kLow,
          event.b >> 24,
          event.d & kLow,
          event.c >> 24,
          static_cast<KernelId>(event.a >> 24),
          (event.d >> 24) + 1};
}

}  // namespace attn
