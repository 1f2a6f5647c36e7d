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

// If a name were missing, the last element of the array would be empty.
static_assert(!kEventNames.back().empty());

}  // namespace

std::string_view name_of(EventKind kind) {
  return kEventNames[static_cast<size_t>(kind)];
}

}  // namespace attn
