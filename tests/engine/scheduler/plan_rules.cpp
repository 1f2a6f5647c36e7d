// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/scheduler/plan_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace attn::testing {
namespace {

template <class Items, class Item>
bool contains(const Items& items, const Item& item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

const PlannedSequence* planned_of(const BatchPlan& plan, uint32_t id) {
  const auto found = std::find_if(plan.sequences.begin(), plan.sequences.end(),
                                  [&](const PlannedSequence& p) { return p.request == id; });
  return found == plan.sequences.end() ? nullptr : &*found;
}

bool is_victim(const BatchPlan& plan, uint32_t id) {
  return std::any_of(plan.preempted.begin(), plan.preempted.end(),
                     [&](const Preemption& p) { return p.request == id; });
}

}  // namespace

void expect(bool holds, std::string_view what) {
  if (!holds) throw std::runtime_error(std::string(what));
}

void PlanRules::will_arrive(const Request& request) {
  coming_.emplace_back(request.arrival_ns, added_++, request.id);
}

PlanRules::Before PlanRules::look(uint64_t now_ns) {
  std::sort(coming_.begin(), coming_.end());
  while (!coming_.empty() && std::get<0>(coming_.front()) <= now_ns) {
    const uint64_t next = order_.size();
    order_.emplace(std::get<2>(coming_.front()), next);
    coming_.erase(coming_.begin());
  }
  Before before;
  for (const auto& request : scheduler_.requests()) {
    Standing standing{request->state,
                      request->num_computed,
                      request->num_cached,
                      request->num_tokens(),
                      0,
                      0,
                      {}};
    if (manager_.knows(request->id)) {
      const auto table = manager_.blocks(request->id);
      standing.table.assign(table.begin(), table.end());
      standing.table_blocks = static_cast<int64_t>(table.size());
      standing.held_blocks = standing.table_blocks - manager_.blocks_left_window(request->id);
    }
    before.of.emplace(request->id, std::move(standing));
  }
  before.swap_available = manager_.num_available(PoolKind::kSwap);
  return before;
}

PlanRules::Place PlanRules::place(uint32_t id) const {
  return {find(id).priority, order_.at(root_of(id)), find(id).sample_index};
}

std::vector<uint32_t> PlanRules::line(const Before& before, RequestState state) const {
  std::vector<uint32_t> ids;
  for (const auto& [id, standing] : before.of)
    if (standing.state == state && order_.contains(root_of(id))) ids.push_back(id);
  std::sort(ids.begin(), ids.end(), [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  return ids;
}

int64_t PlanRules::seats_free() const {
  int64_t taken = 0;
  std::set<uint32_t> searches;
  for (const auto& request : scheduler_.requests()) {
    if (request->state != RequestState::kRunning) continue;
    if (request->beam_width > 1) {
      if (searches.insert(root_of(request->id)).second) taken += request->beam_width;
    } else {
      taken += request->output_ids.empty() ? request->n : 1;
    }
  }
  return std::min(config_.max_num_seqs, config_.max_num_batched_tokens) - taken;
}

bool PlanRules::is_unit_of_one(uint32_t id) const {
  return find(id).beam_width == 1 || find(id).output_ids.empty();
}

void PlanRules::check(const BatchPlan& plan, const Before& before, uint64_t now_ns) {
  for (const Fork& fork : plan.forked) prefill_end_[fork.child] = prefill_end_.at(fork.parent);
  for (const uint32_t id : plan.admitted) {
    const Request& request = find(id);
    prefill_end_[id] =
        config_.policy == SchedulingPolicy::kChunkedPrefill
            ? request.num_tokens()
            : std::min(request.num_tokens(), request.num_cached + config_.max_num_batched_tokens);
  }
  check_sequences(plan, before);
  check_budget(plan, before);
  check_victims(plan, before);
  check_how(plan, before);
  check_newcomers(plan, before);
  check_who_is_left_out(plan, before);
  check_untouched(plan, before);
  expect(plan.free_blocks_after == manager_.num_available(), "the plan counts blocks wrongly");
  for (const auto& coming : coming_)
    expect(is_finished(find(std::get<2>(coming)).state) ||
               find(std::get<2>(coming)).state == RequestState::kWaiting,
           "somebody runs before he came");
  for (const uint32_t id : plan.admitted)
    expect(find(id).arrival_ns <= now_ns, "somebody was admitted before he came");
}

void PlanRules::check_sequences(const BatchPlan& plan, const Before& before) {
  std::set<uint32_t> seen;
  bool decodes = false;
  for (const PlannedSequence& planned : plan.sequences) {
    const Request& request = find(planned.request);
    const std::string who = fmt::format("request {}", planned.request);
    expect(seen.insert(planned.request).second, "B18: " + who + " is planned twice");
    expect(request.state == RequestState::kRunning, who + " is planned and does not run");
    const bool is_new = contains(plan.admitted, planned.request);
    const int64_t context = is_new ? request.num_cached : before.of.at(planned.request).computed;
    expect(planned.context_len == context, who + " has another context");
    expect(planned.query_len >= 1, who + " computes nothing");
    const int64_t end = planned.context_len + planned.query_len, known = request.num_tokens();
    expect(end <= known, who + " computes what nobody knows");
    const int64_t prefill_end = prefill_end_.at(planned.request);
    expect(planned.is_prefill == (context < prefill_end), who + " prefills or decodes wrongly");
    expect(planned.is_prefill || planned.query_len == 1, who + " decodes several tokens");
    expect(!planned.is_prefill || end <= prefill_end, who + " prefills too far");
    // The requests of the world have at most two stop tokens.
    const int64_t per_beam = request.stop_tokens.size() > 1 ? 3 : 2;
    const int64_t samples = request.beam_width > 1 ? per_beam * request.beam_width
                            : request.n > 1 && request.output_ids.empty() ? request.n
                                                                          : 1;
    expect(planned.num_samples == (end == known ? samples : 0), who + " samples wrongly");
    expect(!planned.is_prefill || !decodes, "a prefill stands after a decode");
    decodes = decodes || !planned.is_prefill;
  }
}

void PlanRules::check_budget(const BatchPlan& plan, const Before&) {
  expect(plan.num_prefill_tokens() + plan.num_decode_tokens() <= config_.max_num_batched_tokens,
         "B18: more tokens than max_num_batched_tokens");
  expect(static_cast<int64_t>(plan.sequences.size()) <= config_.max_num_seqs &&
             scheduler_.num_running() <= config_.max_num_seqs && seats_free() >= 0,
         "B18: more sequences than max_num_seqs");
  if (config_.policy == SchedulingPolicy::kChunkedPrefill) return check_chunks(plan);
  expect(plan.num_prefill_tokens() == 0 || plan.num_decode_tokens() == 0, "a batch is mixed");
  for (const PlannedSequence& planned : plan.sequences)
    expect(!planned.is_prefill ||
               planned.context_len + planned.query_len == prefill_end_.at(planned.request),
           "prefill_first cuts a prompt");
}

// The number of tokens of a chunk must follow from the budget that is left at its turn.
void PlanRules::check_chunks(const BatchPlan& plan) {
  int64_t left = config_.max_num_batched_tokens;
  const auto take_decodes = [&](auto&& mine) {
    for (const PlannedSequence& planned : plan.sequences)
      if (!planned.is_prefill && mine(planned.request)) --left;
  };
  const auto take_chunks = [&](auto&& mine) {
    for (const PlannedSequence& planned : plan.sequences) {
      if (!planned.is_prefill || !mine(planned.request)) continue;
      const int64_t to_go = prefill_end_.at(planned.request) - planned.context_len;
      int64_t due = std::min(to_go, left);
      if (due < to_go && manager_.config().prefix_caching) {
        const int64_t size = manager_.config().block_size;
        const int64_t past_boundary = (planned.context_len + due) % size;
        if (past_boundary < due) due -= past_boundary;
      }
      expect(planned.query_len == due,
             fmt::format("the chunk of request {} has {} tokens, {} are due", planned.request,
                         planned.query_len, due));
      left -= due;
    }
  };
  const auto came_back = [&](uint32_t id) { return contains(plan.swapped_in, id); };
  const auto is_new = [&](uint32_t id) { return contains(plan.admitted, id); };
  const auto was_here = [&](uint32_t id) { return !came_back(id) && !is_new(id); };
  take_decodes(was_here);
  take_chunks(was_here);
  const int64_t left_by_running = left;
  std::set<uint32_t> searches;
  for (const uint32_t id : plan.swapped_in) {
    const uint32_t root = root_of(id);
    if (find(id).beam_width > 1 && !searches.insert(root).second) continue;
    const auto mine = [&](uint32_t other) {
      return find(id).beam_width > 1 ? came_back(other) && root_of(other) == root : other == id;
    };
    take_decodes(mine);
    take_chunks(mine);
  }
  take_chunks(is_new);
  for (const auto& request : scheduler_.requests())
    if (request->state == RequestState::kRunning && was_here(request->id) &&
        request->num_computed < prefill_end_.at(request->id))
      expect(planned_of(plan, request->id) || left_by_running == 0,
             fmt::format("request {} gets no chunk and {} tokens are left", request->id,
                         left_by_running));
}

// Preempted requests must be the last running ones of the queue order and not in the plan. A beam
// search must be preempted as a whole.
void PlanRules::check_victims(const BatchPlan& plan, const Before& before) {
  for (size_t i = 0; i < plan.preempted.size(); ++i) {
    const uint32_t id = plan.preempted[i].request;
    expect(before.of.at(id).state == RequestState::kRunning, "a victim did not run");
    expect(!planned_of(plan, id), "a victim is planned");
    if (i > 0)
      expect(place(id) < place(plan.preempted[i - 1].request), "B16: victims are out of order");
  }
  if (plan.preempted.empty()) return;
  for (const uint32_t id : line(before, RequestState::kRunning))
    expect(is_victim(plan, id) || place(id) < place(plan.preempted.back().request),
           "B16: an older request was preempted before a newer one");
  for (const Preemption& victim : plan.preempted)
    if (find(victim.request).beam_width > 1)
      for (const uint32_t id : line(before, RequestState::kRunning))
        expect(root_of(id) != root_of(victim.request) || is_victim(plan, id),
               "a search was preempted in part");
}

void PlanRules::check_how(const BatchPlan& plan, const Before& before) {
  int64_t room = before.swap_available;
  size_t moves = 0;
  for (size_t i = 0; i < plan.preempted.size();) {
    size_t end = i + 1;
    const uint32_t root = root_of(plan.preempted[i].request);
    if (find(plan.preempted[i].request).beam_width > 1)
      while (end < plan.preempted.size() && root_of(plan.preempted[end].request) == root) ++end;
    bool swap = config_.preemption == PreemptionMode::kSwap;
    int64_t blocks = 0;
    for (size_t k = i; k < end; ++k) blocks += before.of.at(plan.preempted[k].request).held_blocks;
    swap = swap && blocks <= room;
    if (swap) room -= blocks;
    if (swap) moves += static_cast<size_t>(blocks);
    for (; i < end; ++i) {
      const Preemption& victim = plan.preempted[i];
      expect((victim.how == PreemptionMode::kSwap) == swap, "a victim left by the wrong way");
      const Request& request = find(victim.request);
      expect(request.state == (swap ? RequestState::kSwapped : RequestState::kWaiting),
             "a victim is in the wrong state");
      expect(request.num_computed == (swap ? before.of.at(victim.request).computed : 0),
             "a victim has the wrong tokens");
      expect(!request.times.pauses.empty() && !request.times.pauses.back().end_ns &&
                 request.times.pauses.back().swapped == swap,
             "a preemption has no time");
    }
  }
  expect(plan.swap_out_moves.size() == moves, "B15: other blocks are swapped out");
  size_t back = 0;
  for (const uint32_t id : plan.swapped_in)
    back += static_cast<size_t>(before.of.at(id).held_blocks);
  expect(plan.swap_in_moves.size() == back, "B15: other blocks are swapped in");
}

void PlanRules::check_newcomers(const BatchPlan& plan, const Before& before) {
  auto waiting = line(before, RequestState::kWaiting);
  std::erase_if(waiting, [&](uint32_t id) { return contains(plan.ignored, id); });
  expect(plan.admitted.size() <= waiting.size() &&
             std::equal(plan.admitted.begin(), plan.admitted.end(), waiting.begin()),
         "somebody overtook the front of the queue");
  const auto swapped = line(before, RequestState::kSwapped);
  expect(plan.swapped_in.size() <= swapped.size() &&
             std::equal(plan.swapped_in.begin(), plan.swapped_in.end(), swapped.begin()),
         "somebody overtook the first of the swapped");
  expect(plan.admitted.empty() || scheduler_.num_swapped() == 0,
         "somebody was admitted before the swapped ones came back");
  expect(plan.preempted.empty() || (plan.admitted.empty() && plan.swapped_in.empty()),
         "somebody came in while others had to go");
  for (const uint32_t id : plan.admitted) {
    const Request& request = find(id);
    expect(manager_.num_tokens(id) >= request.num_tokens(),
           "admitted without room for all it knows");
    expect(request.num_cached % manager_.config().block_size == 0 &&
               request.num_cached < request.num_tokens() &&
               (manager_.config().prefix_caching || request.num_cached == 0),
           "B10, B12: an impossible prefix hit");
  }
  for (const auto* newcomers : {&plan.admitted, &plan.swapped_in})
    for (const uint32_t id : *newcomers)
      expect(find(id).times.pauses.empty() || find(id).times.pauses.back().end_ns,
             "a pause goes on while the request runs");
}

void PlanRules::check_who_is_left_out(const BatchPlan& plan, const Before& before) {
  const bool chunked = config_.policy == SchedulingPolicy::kChunkedPrefill;
  const int64_t used = plan.num_prefill_tokens() + plan.num_decode_tokens();
  const int64_t left = config_.max_num_batched_tokens - used;
  const bool decodes = chunked || plan.num_prefill_tokens() == 0;
  for (const uint32_t id : line(before, RequestState::kRunning)) {
    const Standing& standing = before.of.at(id);
    if (is_victim(plan, id) || planned_of(plan, id)) continue;
    const bool in_prefill = standing.computed < prefill_end_.at(id);
    expect(!decodes || in_prefill || standing.computed == standing.tokens,
           fmt::format("request {} does not decode", id));
    expect(chunked || !in_prefill || plan.num_prefill_tokens() > 0,
           "prefill_first decodes before a prompt");
  }
  if (!plan.preempted.empty()) return;
  const auto front = [&](RequestState state) -> const Request* {
    const Request* first = nullptr;
    for (const auto& request : scheduler_.requests())
      if (request->state == state && order_.contains(root_of(request->id)) &&
          (!first || place(request->id) < place(first->id)))
        first = request.get();
    return first;
  };
  if (const Request* first = front(RequestState::kSwapped)) {
    expect(!decodes || !is_unit_of_one(first->id) || seats_free() < 1 || left < 1 ||
               manager_.can_swap_in(first->id) != Room::kOk,
           "a swapped request could come back");
    return;
  }
  // In prefill_first, admissions come before swap-ins, and nobody is admitted while somebody is
  // swapped.
  if (!chunked && !plan.swapped_in.empty()) return;
  const Request* first = front(RequestState::kWaiting);
  if (!first || !is_unit_of_one(first->id)) return;
  const auto ids = first->token_ids();
  const int64_t cached = manager_.cached_prefix(ids, first->cache_key);
  const int64_t first_step =
      chunked ? 1 : std::min(first->num_tokens() - cached, config_.max_num_batched_tokens);
  const int64_t seats = first->beam_width > 1       ? first->beam_width
                        : first->output_ids.empty() ? first->n
                                                    : 1;
  // In prefill_first, admissions come before decodes and have the whole token budget.
  const bool tokens = decodes && !chunked ? true : left >= first_step;
  expect(
      seats_free() < seats || !tokens || manager_.can_allocate(ids, first->cache_key) != Room::kOk,
      fmt::format("request {} could be admitted", first->id));
}

void PlanRules::check_untouched(const BatchPlan& plan, const Before& before) {
  for (const auto& [id, standing] : before.of) {
    const Request& request = find(id);
    if (is_victim(plan, id) || contains(plan.admitted, id) || contains(plan.swapped_in, id) ||
        contains(plan.ignored, id))
      continue;
    expect(request.state == standing.state && request.num_computed == standing.computed,
           "the plan changed somebody whom it does not name");
    if (planned_of(plan, id) || !manager_.knows(id)) continue;
    expect(std::ranges::equal(manager_.blocks(id), standing.table),
           "B5: the plan changed the table of somebody whom it does not name");
  }
}

}  // namespace attn::testing
