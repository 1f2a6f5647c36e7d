// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/event.h"

#include <array>

namespace attn {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(EventKind::kCount)> kEventNames{
    "step",
    "schedule",
    "kernel",
    "tile",
    "task",
    "page_fetch",
    "request_queued",
    "request_scheduled",
    "token_sampled",
    "request_preempted",
    "request_resumed",
    "request_forked",
    "prefix_hit",
    "request_finished",
    "block_allocated",
    "block_freed",
    "block_shared",
    "block_released",
    "block_cached",
    "block_evicted",
    "block_hashed",
    "block_copied",
    "block_left_window",
    "block_swapped_out",
    "block_swapped_in",
    "warning",
    "call_split",
    "bias_built",
    "plan_captured",
    "plan_replayed",
    "padding"};

constexpr std::array<std::string_view, static_cast<size_t>(KernelId::kCount)> kKernelNames{
    "embed",
    "norm",
    "linear",
    "rope",
    "cache_write",
    "flash_prefill",
    "math_scores",
    "paged_decode_v1",
    "paged_decode_v2",
    "paged_reduce",
    "reference",
    "activation",
    "logits",
    "sample",
    "pack_kv",
    "memory_efficient_prefill",
    "prefix_prefill",
    "pallas_flash",
    "pallas_multi_query",
    "pallas_paged_decode",
    "unified_prefill",
    "unified_decode",
    "copy_blocks",
    "swap_blocks",
    "plan",
    "plan_replay",
    "math_softmax",
    "math_values"};

// If a name were missing, the last element of the array would be empty.
static_assert(!kEventNames.back().empty() && !kKernelNames.back().empty());

}  // namespace

std::string_view name_of(EventKind kind) {
  return kEventNames[static_cast<size_t>(kind)];
}
std::string_view name_of(KernelId kernel) {
  return kKernelNames[static_cast<size_t>(kernel)];
}

bool is_attention(KernelId kernel) {
  switch (kernel) {
    case KernelId::kFlashPrefill:
    case KernelId::kMathScores:
    case KernelId::kMathSoftmax:
    case KernelId::kMathValues:
    case KernelId::kPagedDecodeV1:
    case KernelId::kPagedDecodeV2:
    case KernelId::kPagedReduce:
    case KernelId::kReference:
    case KernelId::kPackKv:
    case KernelId::kMemoryEfficientPrefill:
    case KernelId::kPrefixPrefill:
    case KernelId::kPallasFlash:
    case KernelId::kPallasMultiQuery:
    case KernelId::kPallasPagedDecode:
    case KernelId::kUnifiedPrefill:
    case KernelId::kUnifiedDecode:
      return true;
    case KernelId::kEmbed:
    case KernelId::kNorm:
    case KernelId::kLinear:
    case KernelId::kRope:
    case KernelId::kCacheWrite:
    case KernelId::kActivation:
    case KernelId::kLogits:
    case KernelId::kSample:
    case KernelId::kCopyBlocks:
    case KernelId::kSwapBlocks:
    case KernelId::kPlan:
    case KernelId::kPlanReplay:
    case KernelId::kCount:
      return false;
  }
  return false;  // no default above, so that the compiler warns of a kernel that is not listed
}

}  // namespace attn
