// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "engine/scheduler/scheduler.h"

namespace attn {
namespace {

void require(bool holds, const char* what, uint32_t id) {
  if (!holds) throw std::logic_error(fmt::format("{} (request {})", what, id));
}

}  // namespace

void Scheduler::check_invariants() const {
  manager_.check_invariants();
  size_t waiting = 0, running = 0, swapped = 0, future = 0;
  for (const auto& owned : requests_) {
    const Request& request = *owned;
    for (const TableKind kind : {TableKind::kOwn, TableKind::kCross}) {
      const uint32_t table = table_id(request.id, kind);
      const bool has_one = std::ranges::count(request.tables(), kind) > 0;
      const bool on_device = manager_.knows(table) && !manager_.is_swapped(table);
      require(on_device == (has_one && request.state == RequestState::kRunning),
              "a request runs without device blocks, or holds some without running", request.id);
      require(manager_.knows(table) ==
                  (on_device || (has_one && request.state == RequestState::kSwapped)),
              "a request is swapped out without swap blocks, or holds some otherwise", request.id);
    }
    require(request.num_computed >= request.num_cached,
            "a request has more cached than computed tokens", request.id);
    require(request.num_preemptions == static_cast<int64_t>(request.times.pauses.size()),
            "a request has not one pause per preemption", request.id);
    if (request.state == RequestState::kRunning) {
      ++running;
      require(std::find(running_.begin(), running_.end(), &request) != running_.end(),
              "a running request is not among the running", request.id);
      check_running(request);
    } else if (request.state == RequestState::kSwapped) {
      ++swapped;
      require(swapped_.contains(const_cast<Request*>(&request)),
              "a swapped request is not among the swapped", request.id);
    } else if (request.state == RequestState::kWaiting) {
      require(request.num_computed == 0, "a waiting request has computed tokens", request.id);
      const bool arrived = waiting_.contains(const_cast<Request*>(&request));
      ++(arrived ? waiting : future);
    }
  }
  require(waiting == waiting_.size() && running == running_.size() && swapped == swapped_.size() &&
              future == future_.size(),
          "the queues do not hold exactly the unfinished requests", 0);
  require(std::is_sorted(running_.begin(), running_.end(), Before{}), "running is out of order", 0);
  require(seats_taken() <= config_.max_num_seqs, "more requests run than max_num_seqs", 0);
  for (const auto& [root, search] : searches_) check_search(root, search);
  // With swapping the check below does not hold: a swapped request may come back before an older
  // one that has to be computed again.
  if (config_.preemption == PreemptionMode::kSwap) return;
  std::map<int64_t, const Request*> last_running;  // key: priority
  for (const Request* request : running_) last_running[request->priority] = request;
  for (const Request* request : waiting_) {
    const auto last = last_running.find(request->priority);
    require(last == last_running.end() || Before{}(last->second, request),
            "a running request is younger than a waiting one", request->id);
  }
}

void Scheduler::check_running(const Request& request) const {
  for (const TableKind kind : request.tables())
    require((kind == TableKind::kCross ? request.places_in(kind) : request.num_computed) <=
                manager_.num_tokens(table_id(request.id, kind)),
            "computed tokens have no block", request.id);
  const Search* search = search_of(request);
  require(request.is_beam() == (search != nullptr), "a running beam has no search", request.id);
  const bool has_candidates = search && search->candidates.contains(&request);
  require(has_candidates == (request.num_computed == request.num_tokens()),
          has_candidates ? "a beam that has its candidates has a token to compute"
                         : "a running request has nothing to compute",
          request.id);
  require(request.num_computed <= request.num_tokens(),
          "more tokens are computed than the request has", request.id);
}

void Scheduler::check_search(uint32_t root, const Search& search) const {
  require(!search.live.empty(), "a search without beams goes on", root);
  require(static_cast<int64_t>(search.live.size()) <= find(root)->beam_width,
          "a search has more beams than beam_width", root);
  require(search.candidates.size() < search.live.size(),
          "every beam of a search has its candidates, but the search did not advance", root);
  require(std::is_sorted(search.live.begin(), search.live.end(), Before{}),
          "beams are out of order", root);
  for (const Request* beam : search.live)
    require(beam->state == search.live.front()->state,
            "the beams of a search are in different states", root);
}

}  // namespace attn
