// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of each kind of event by name, as in the table of trace/event.h, and its label.
#include <fmt/format.h>

#include "engine/scheduler/request.h"
#include "engine/session/report/report.h"
#include "engine/trace/bias_event.h"

namespace attn {
namespace {

std::string_view kernel_name(uint32_t kernel) {
  return kernel < static_cast<uint32_t>(KernelId::kCount) ? name_of(static_cast<KernelId>(kernel))
                                                          : "unknown";
}

}  // namespace

std::vector<EventField> fields_of(const TraceEvent& event) {
  const auto kernel = [&] { return EventField{"kernel", 0, kernel_name(event.a)}; };
  switch (event.kind) {
    case EventKind::kStep:
      return {{"step", event.a, {}},
              {"prefill_tokens", event.b, {}},
              {"decode_tokens", event.c, {}},
              {"sequences", event.d, {}}};
    case EventKind::kSchedule:
      return {{"step", event.a, {}},
              {"waiting", event.b, {}},
              {"running", event.c, {}},
              {"free_blocks", event.d, {}}};
    case EventKind::kKernel:
      return {kernel(), {"step", event.b, {}}, {"tasks", event.c, {}}, {"tokens", event.d, {}}};
    case EventKind::kTask:
      return {kernel(), {"step", event.b, {}}, {"task", event.c, {}}, {"rows", event.d, {}}};
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      return {{"kernel", 0, kernel_name(static_cast<uint32_t>(tile.kernel))},
              {"request", tile.request, {}},
              {"head", tile.head, {}},
              {"q_begin", tile.q_begin, {}},
              {"q_count", tile.q_count, {}},
              {"k_begin", tile.k_begin, {}},
              {"k_count", tile.k_count, {}}};
    }
    case EventKind::kRequestQueued:
      return {{"request", event.a, {}}, {"prompt_tokens", event.b, {}}};
    case EventKind::kRequestScheduled:
      return {{"request", event.a, {}}, {"step", event.b, {}}};
    case EventKind::kTokenSampled:
      return {{"request", event.a, {}},
              {"position", event.b, {}},
              {"token_id", event.c, {}},
              {"step", event.d, {}}};
    case EventKind::kRequestPreempted:
      return {{"request", event.a, {}},
              {"step", event.b, {}},
              {"lost_tokens", event.d == 1 ? 0 : event.c, {}},  // swapped ones are kept
              {"how", 0, event.d == 1 ? "swap" : "recompute"}};
    case EventKind::kRequestResumed:
      return {{"request", event.a, {}}, {"step", event.b, {}}};
    case EventKind::kRequestForked:
      return {{"request", event.a, {}}, {"parent", event.b, {}}, {"step", event.c, {}}};
    case EventKind::kPrefixHit:
      return {{"request", event.a, {}},
              {"cached_tokens", event.b, {}},
              {"prompt_tokens", event.c, {}},
              {"step", event.d, {}}};
    case EventKind::kRequestFinished:
      return {{"request", event.a, {}},
              {"state", 0, name_of(static_cast<RequestState>(event.b))},
              {"tokens", event.c, {}}};
    case EventKind::kBlockAllocated:
    case EventKind::kBlockFreed:
    case EventKind::kBlockCached:
      return {{"block", event.a, {}},
              {"request", event.b, {}},
              {"logical_block", logical_block_of(event.c), {}},
              {"free_blocks", event.d, {}}};
    case EventKind::kBlockEvicted:
      return {{"block", event.a, {}}, {"free_blocks", event.d, {}}};
    case EventKind::kBlockShared:
    case EventKind::kBlockReleased:
    case EventKind::kBlockHashed:
    case EventKind::kBlockLeftWindow:
      return {{"block", event.a, {}},
              {"request", event.b, {}},
              {"logical_block", logical_block_of(event.c), {}},
              {"ref_count", event.d, {}}};
    case EventKind::kBlockCopied:
      return {{"block", event.a, {}},
              {"request", event.b, {}},
              {"logical_block", logical_block_of(event.c), {}},
              {"from_block", event.d, {}}};
    case EventKind::kBlockSwappedOut:
    case EventKind::kBlockSwappedIn:
      return {{"block", event.a, {}},
              {"request", event.b, {}},
              {"logical_block", logical_block_of(event.c), {}},
              {"swap_block", event.d, {}}};
    case EventKind::kWarning:
      return {{"message", event.a, {}}, {"step", event.b, {}}};
    case EventKind::kPageFetch:
      return {{"kernel", 0, kernel_name(event.a >> 24)},
              {"request", event.a & kRequestBits, {}},
              {"first_page", event.b, {}},
              {"pages", event.c, {}},
              {"kv_head", event.d, {}}};
    case EventKind::kCallSplit:
      return {kernel(), {"call", event.b, {}}, {"calls", event.c, {}}, {"sequences", event.d, {}}};
    case EventKind::kBiasBuilt: {
      const BiasEvent bias = unpack_bias(event);
      return {{"step", bias.step, {}},
              {"rows", bias.rows, {}},
              {"keys", bias.keys, {}},
              {"bytes", static_cast<int64_t>(bias.bytes), {}}};
    }
    case EventKind::kPlanCaptured:
      return {{"batch_size", event.a, {}}, {"bytes", event.b, {}}};
    case EventKind::kPlanReplayed:
      return {{"batch_size", event.a, {}}, {"padding_rows", event.b, {}}};
    case EventKind::kPadding:
      return {kernel(),
              {"rows", event.b, {}},
              {"padding_rows", event.c, {}},
              {"sequences", event.d, {}}};
    case EventKind::kCount:
      break;
  }
  return {};
}

std::string label_of(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kStep:
      return fmt::format("step {}", event.a);
    case EventKind::kKernel:
    case EventKind::kTask:
      return std::string(kernel_name(event.a));
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      return fmt::format("{} tile", kernel_name(static_cast<uint32_t>(tile.kernel)));
    }
    default:
      return std::string(name_of(event.kind));
  }
}

}  // namespace attn
