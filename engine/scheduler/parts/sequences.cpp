// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/scheduler/fault.h"

namespace attn {

Sequences::Sequences(uint32_t first_fork_id, BlockManager& manager, RequestQueues& queues,
                     const SchedulerEvents& events)
    : manager_(manager), queues_(queues), events_(events), next_fork_id_(first_fork_id) {}

Request& Sequences::add(Request request) {
  if (by_id_.contains(request.id)) {
    throw std::logic_error(fmt::format("request id {} is used twice", request.id));
  }
  if (request.tables().empty())
    throw std::logic_error(fmt::format("request {} has nothing to cache", request.id));
  request.state = RequestState::kWaiting;
  request.num_computed = request.num_cached = request.prefill_end = 0;
  request.times = {};
  request.times.queued_ns = request.arrival_ns;
  all_.push_back(std::make_unique<Request>(std::move(request)));
  Request& added = *all_.back();
  by_id_.emplace(added.id, &added);
  next_fork_id_ = std::max(next_fork_id_, added.id + 1);
  queues_.add(added);
  return added;
}

Request& Sequences::fork(Request& parent, int64_t sample_index) {
  const Request& root = root_of(parent);
  auto owned = std::make_unique<Request>(parent);
  Request& child = *owned;
  child.id = next_fork_id_++;
  if (!root.name.empty()) child.name = fmt::format("{} ({})", root.name, sample_index + 1);
  child.parent = root.id;
  child.sample_index = sample_index;
  child.n = 1;
  child.sampling = sampling_of(root, ATTN_SCHEDULER_FAULT(kForkSharesSeed) ? 0 : sample_index);
  if (ATTN_SCHEDULER_FAULT(kForkLosesTimes)) child.times = {};
  all_.push_back(std::move(owned));
  by_id_.emplace(child.id, &child);
  forks_[root.id].push_back(&child);
  for (const TableKind kind : parent.tables())
    manager_.fork(table_id(parent.id, kind), table_id(child.id, kind));
  queues_.enter(child);
  forked_.push_back({parent.id, child.id});
  if (events_.forked) events_.forked(parent, child);
  return child;
}

void Sequences::end(Request& request, RequestState state, uint64_t now_ns) {
  const bool was_swapped = request.state == RequestState::kSwapped;
  queues_.move(request, state);
  request.times.finished_ns = now_ns;
  if (!(was_swapped && ATTN_SCHEDULER_FAULT(kAbortLeavesBlocks))) free_blocks(request);
  if (state != RequestState::kFinishedIgnored) finished_.push_back(request.id);
  if (events_.finished) events_.finished(request);
}

void Sequences::abort(Request& request, uint64_t now_ns) {
  if (!is_finished(request.state)) end(request, RequestState::kFinishedAborted, now_ns);
}

void Sequences::free_blocks(const Request& request) {
  const uint32_t first = table_id(request.id, request.tables().front());
  if (!manager_.knows(first)) return;
  if (events_.before_free && !manager_.is_swapped(first)) events_.before_free(request);
  for (const TableKind kind : request.tables()) manager_.free(table_id(request.id, kind));
}

Request* Sequences::find(uint32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const Request& Sequences::root_of(const Request& request) const {
  return *by_id_.at(request.parent.value_or(request.id));
}

std::vector<Request*> Sequences::forks_of(uint32_t root) const {
  const auto forks = forks_.find(root);
  return forks == forks_.end() ? std::vector<Request*>{} : forks->second;
}

std::vector<Fork> Sequences::take_forked() {
  return std::exchange(forked_, {});
}

std::vector<uint32_t> Sequences::take_finished() {
  return std::exchange(finished_, {});
}

}  // namespace attn
