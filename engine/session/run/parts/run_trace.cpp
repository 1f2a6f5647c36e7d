// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/run_trace.h"

#include <algorithm>

namespace attn {
namespace {

EventKind event_of(BlockChangeKind kind) {
  switch (kind) {
    case BlockChangeKind::kAllocated:
      return EventKind::kBlockAllocated;
    case BlockChangeKind::kShared:
      return EventKind::kBlockShared;
    case BlockChangeKind::kReleased:
      return EventKind::kBlockReleased;
    case BlockChangeKind::kFreed:
      return EventKind::kBlockFreed;
    case BlockChangeKind::kCached:
      return EventKind::kBlockCached;
    case BlockChangeKind::kEvicted:
      return EventKind::kBlockEvicted;
    case BlockChangeKind::kCopied:
      return EventKind::kBlockCopied;
    case BlockChangeKind::kHashed:
      return EventKind::kBlockHashed;
    case BlockChangeKind::kWindowLeft:
      return EventKind::kBlockLeftWindow;
    case BlockChangeKind::kSwappedOut:
      return EventKind::kBlockSwappedOut;
    case BlockChangeKind::kSwappedIn:
      return EventKind::kBlockSwappedIn;
  }
  return EventKind::kBlockAllocated;
}

// The last number of the event, by its kind: another block, the number of tables, or the free
// blocks.
uint32_t detail_of(const BlockChange& change) {
  switch (change.kind) {
    case BlockChangeKind::kCopied:
    case BlockChangeKind::kSwappedOut:
    case BlockChangeKind::kSwappedIn:
      return static_cast<uint32_t>(change.other);
    case BlockChangeKind::kShared:
    case BlockChangeKind::kReleased:
    case BlockChangeKind::kHashed:
    case BlockChangeKind::kWindowLeft:
      return static_cast<uint32_t>(change.ref_count);
    default:
      return static_cast<uint32_t>(change.free_after);
  }
}

}  // namespace

RunTrace::RunTrace(Recorder* recorder, RunClock& clock, const uint32_t& step, bool own_tables)
    : recorder_(recorder), clock_(clock), step_(step), own_tables_(own_tables) {}

void RunTrace::instant(EventKind kind, uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
  Execution lane;
  lane.recorder = recorder_;
  lane.clock = &clock_;
  emit_instant(lane, kind, a, b, c, d);
}

void RunTrace::span(EventKind kind, uint64_t begin_ns, uint32_t a, int64_t b, int64_t c, int64_t d,
                    std::optional<uint64_t> end_ns) const {
  if (!recorder_) return;
  TraceEvent event;
  event.begin_ns = begin_ns;
  event.duration_ns = std::min(end_ns.value_or(now_ns()) - begin_ns, kMaxDurationNs);
  event.kind = kind;
  event.lane = kEngineLane;
  event.layer = kNoLayer;
  event.a = a;
  event.b = static_cast<uint32_t>(b);
  event.c = static_cast<uint32_t>(c);
  event.d = static_cast<uint32_t>(d);
  recorder_->push(event);
}

void RunTrace::warn(const std::string& text) const {
  if (recorder_) instant(EventKind::kWarning, recorder_->add_message(text), step_);
}

void RunTrace::drain() const {
  if (recorder_) recorder_->drain();
}

void RunTrace::arrived(const Request& request) const {
  if (!recorder_) return;
  TraceEvent event;
  event.begin_ns = request.times.queued_ns;
  event.kind = EventKind::kRequestQueued;
  event.lane = kEngineLane;
  event.layer = kNoLayer;
  event.a = request.id;
  event.b = static_cast<uint32_t>(request.prompt_ids.size());
  recorder_->push(event);
}

void RunTrace::forked(const Request& parent, const Request& child) {
  if (told_tokens_.size() <= child.id) told_tokens_.resize(child.id + 1);
  told_tokens_[child.id] = static_cast<int64_t>(child.output_ids.size());
  instant(EventKind::kRequestForked, child.id, parent.id, step_);
}

void RunTrace::preempted(const Request& request) const {
  instant(EventKind::kRequestPreempted, request.id, step_, static_cast<uint32_t>(lost_tokens_),
          request.state == RequestState::kSwapped ? 1 : 0);
}

void RunTrace::finished(const Request& request) const {
  instant(EventKind::kRequestFinished, request.id, static_cast<uint32_t>(request.state),
          static_cast<uint32_t>(request.num_tokens()));
}

void RunTrace::tell_tokens(const Request& request) {
  int64_t& told = told_tokens_[request.id];
  const auto prompt = static_cast<int64_t>(request.prompt_ids.size());
  for (; told < static_cast<int64_t>(request.output_ids.size()); ++told, ++generated_tokens_)
    instant(EventKind::kTokenSampled, request.id, static_cast<uint32_t>(prompt + told),
            static_cast<uint32_t>(request.output_ids[static_cast<size_t>(told)]), step_);
}

void RunTrace::block_changed(const BlockChange& change) const {
  if (change.pool == PoolKind::kSwap) return;
  const bool of_sequence = change.kind != BlockChangeKind::kEvicted;
  const bool marked = own_tables_ && kind_of_table(change.sequence) == TableKind::kCross;
  instant(event_of(change.kind), static_cast<uint32_t>(change.block),
          of_sequence ? request_of_table(change.sequence) : kNoNumber,
          of_sequence ? static_cast<uint32_t>(change.logical) | (marked ? kCrossTableMark : 0)
                      : kNoNumber,
          detail_of(change));
}

}  // namespace attn
