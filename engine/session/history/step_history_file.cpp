// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and loads a StepHistory in a session file: the state before the first kept step, then the
// changes of each. Loading applies the steps one by one and checks indices and tables against the
// state to which they belong.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/session/history/step_history.h"
#include "engine/session/history/step_history_impl.h"
#include "engine/session/session_file/session_bytes.h"
#include "engine/session/session_file/session_fields.h"

namespace attn {
namespace {

using history::Prefix;
using history::PrefixEntry;

// A limit, because a small file could ask for much more memory.
constexpr size_t kMostHistoryBytes = size_t{256} << 20;

template <class A, class Moment>
void archive_moment(A& a, Moment& moment, int64_t most_tokens) {
  a.number(moment.state, 0, kRequestStates - 1, "state of a request");
  a.flag(moment.scheduled, "scheduled");
  a.flag(moment.first_token, "has its first token");
  a.flag(moment.finished, "finished");
  a.flag(moment.ranked, "has a rank");
  a.flag(moment.pause_over, "pause is over");
  a.number(moment.num_token_times, 0, kMostStep, "token times");
  a.number(moment.num_pauses, 0, kMostStep, "pauses");
  a.number(moment.num_tokens, 0, most_tokens, "tokens of a request");
  a.number(moment.num_computed, 0, most_tokens, "computed tokens");
  a.number(moment.num_cached, 0, most_tokens, "cached tokens");
  a.number(moment.num_preemptions, 0, kMostCount, "preemptions");
  a.any_real(moment.cumulative_logprob, "log-probability");
  a.number(moment.left_window, 0, kMostId, "blocks left of the window");
}

// In the table of a swapped sequence an entry may be -1: a block that left the window.
template <class A, class Table>
void archive_table(A& a, Table& table, int64_t pool_blocks, bool swapped, const char* name) {
  a.list(table, kMostCount, name, [&](auto& block) {
    if (swapped)
      a.number(block, -1, pool_blocks - 1, name);
    else
      archive_block(a, block, pool_blocks, name);
  });
}

template <class A, class Entries>
void archive_entries(A& a, Entries& entries, int64_t pool_blocks, const SessionLimits& limits,
                     const char* name) {
  a.list(entries, kMostCount, name, [&](auto& entry) {
    archive_block(a, entry.block, pool_blocks, name);
    archive_block_view(a, entry.view, limits);
  });
}

// The most tokens that a request can have. place: its index in the list of requests.
int64_t most_tokens(const SessionLimits& limits, size_t place) {
  return place < limits.request_tokens.size() ? limits.request_tokens[place] : 0;
}

template <class A, class Tail>
void archive_tail(A& a, Tail& tail, int64_t pool_blocks, bool swapped, const char* name) {
  a.number(tail.keep, 0, kMostCount, name);
  archive_table(a, tail.items, pool_blocks, swapped, name);
}

// Numbers prefixes in the order in which they are written: each once, parents before children.
class PutPrefixes {
 public:
  explicit PutPrefixes(const SessionLimits& limits) : limits_(limits) {}

  void archive(PutBytes& out, const std::vector<PrefixEntry>& entries) {
    if (!limits_.has_prefixes) return;
    std::vector<const Prefix*> fresh;
    for (const PrefixEntry& entry : entries) {
      const size_t known = fresh.size();
      for (const Prefix* node = entry.prefix.get(); node && !numbers_.contains(node);
           node = node->parent.get()) {
        numbers_.emplace(node, 0);
        fresh.push_back(node);
      }
      std::reverse(fresh.begin() + static_cast<ptrdiff_t>(known), fresh.end());
      for (size_t i = known; i < fresh.size(); ++i) numbers_[fresh[i]] = count_++;
    }
    out.list(fresh, kMostId, "new prefixes", [&](const Prefix* node) {
      out.number(number_of(node->parent.get()), -1, kMostId, "parent of a prefix");
      out.number(node->request, 0, kMostId, "request of a prefix");
      out.number(node->serial, 0, kMostCount, "serial number of a prefix");
    });
    out.list(entries, kMostId, "blocks of prefixes", [&](const PrefixEntry& entry) {
      archive_block(out, entry.block, limits_.num_blocks, "block of a prefix");
      out.number(number_of(entry.prefix.get()), -1, kMostId, "prefix");
    });
  }

 private:
  int64_t number_of(const Prefix* node) const { return node ? numbers_.at(node) : -1; }

  const SessionLimits& limits_;
  std::unordered_map<const Prefix*, int64_t> numbers_;
  int64_t count_ = 0;
};

class TakePrefixes {
 public:
  explicit TakePrefixes(const SessionLimits& limits)
      : limits_(limits), held_(static_cast<size_t>(limits.num_blocks), -1) {}

  size_t archive(TakeBytes& in, std::vector<PrefixEntry>& entries) {
    if (!limits_.has_prefixes) return 0;
    const uint64_t fresh = in.length(kMostId, "new prefixes");
    for (uint64_t i = 0; i < fresh; ++i) take_prefix(in);
    std::vector<int64_t> numbers;
    in.list(entries, static_cast<uint64_t>(limits_.num_blocks), "blocks of prefixes",
            [&](PrefixEntry& entry) {
              archive_block(in, entry.block, limits_.num_blocks, "block of a prefix");
              int64_t& number = numbers.emplace_back();
              in.number(number, -1, static_cast<int64_t>(nodes_.size()) - 1, "prefix");
              if (number >= 0) entry.prefix = nodes_[static_cast<size_t>(number)];
            });
    put(in, entries, numbers);
    return fresh;
  }

 private:
  void take_prefix(TakeBytes& in) {
    int64_t parent = -1;
    uint32_t request = 0;
    uint64_t serial = 0;
    in.number(parent, -1, static_cast<int64_t>(nodes_.size()) - 1, "parent of a prefix");
    in.index(request, static_cast<int64_t>(limits_.request_ids.size()), "request of a prefix");
    const int64_t tokens = limits_.request_tokens[request];
    auto above = parent < 0 ? nullptr : nodes_[static_cast<size_t>(parent)];
    const int64_t depth = above ? above->depth + 1 : 0;
    if (depth >= tokens / limits_.block_size)
      in.refuse("prefix is longer than its request", "request of a prefix",
                fmt::format("{} blocks of {} tokens", depth + 1, limits_.block_size),
                fmt::format("at most {} tokens", tokens));
    in.number(serial, 0, kMostCount, "serial number of a prefix");
    if (!serials_.insert(serial).second || (above && serial < above->serial))
      in.refuse("prefix appears twice, or before its parent", "serial number of a prefix",
                fmt::format("{}", serial),
                above ? fmt::format("a new number, more than {}", above->serial) : "a new number");
    nodes_.push_back(std::make_shared<const Prefix>(std::move(above), serial, request));
    block_of_.push_back(-1);
  }

  // Puts prefixes into blocks. A prefix may move to another block, but lies in one only.
  void put(TakeBytes& in, const std::vector<PrefixEntry>& entries,
           const std::vector<int64_t>& numbers) {
    for (const PrefixEntry& entry : entries) {
      int64_t& held = held_[static_cast<size_t>(entry.block)];
      if (held >= 0) block_of_[static_cast<size_t>(held)] = -1;
      held = -1;
    }
    for (size_t i = 0; i < entries.size(); ++i) {
      int64_t& held = held_[static_cast<size_t>(entries[i].block)];
      if (held >= 0)
        in.refuse("two prefixes lie in one block", "block of a prefix",
                  fmt::format("block {}", entries[i].block), "each block once");
      if (numbers[i] < 0) continue;
      int32_t& block = block_of_[static_cast<size_t>(numbers[i])];
      if (block >= 0)
        in.refuse("a prefix lies in two blocks", "prefix",
                  fmt::format("blocks {} and {}", block, entries[i].block), "one block");
      block = entries[i].block;
      held = numbers[i];
    }
  }

  const SessionLimits& limits_;
  std::vector<std::shared_ptr<const Prefix>> nodes_;  // index: number
  std::vector<int32_t> block_of_;                     // -1: in no block
  std::vector<int64_t> held_;                         // by block; -1: none
  std::unordered_set<uint64_t> serials_;
};

template <class A, class Prefixes, class Changes>
void archive_changes(A& a, Prefixes& prefixes, Changes& changes, const SessionLimits& limits) {
  a.list(changes.requests, kMostCount, "changed requests", [&](auto& change) {
    a.index(change.index, static_cast<int64_t>(limits.request_ids.size()), "place of a request");
    archive_moment(a, change.moment, most_tokens(limits, change.index));
    for (const TableKind kind : limits.tables()) {
      auto& table = change.tables[static_cast<size_t>(kind)];
      archive_tail(a, table.blocks, limits.num_blocks, false, "block table");
      archive_tail(a, table.swap_blocks, limits.num_swap_blocks, true, "swap table");
    }
  });
  archive_entries(a, changes.blocks, limits.num_blocks, limits, "changed blocks");
  archive_entries(a, changes.swap_blocks, limits.num_swap_blocks, limits, "changed swap blocks");
  if constexpr (A::kReads)
    changes.new_prefixes = prefixes.archive(a, changes.prefixes);
  else
    prefixes.archive(a, changes.prefixes);
}

template <class A, class State>
void archive_state(A& a, State& state, const SessionLimits& limits) {
  size_t place = 0;
  a.list(state.requests, limits.request_ids.size(), "requests", [&](auto& sequence) {
    archive_moment(a, sequence.moment, most_tokens(limits, place++));
    for (const TableKind kind : limits.tables()) {
      auto& table = sequence.tables[static_cast<size_t>(kind)];
      archive_table(a, table.blocks, limits.num_blocks, false, "block table");
      archive_table(a, table.swap_blocks, limits.num_swap_blocks, true, "swap table");
    }
  });
  for (auto& block : state.blocks) archive_block_view(a, block, limits);
  for (auto& block : state.swap_blocks) archive_block_view(a, block, limits);
}

std::vector<PrefixEntry> entries_of(const history::Prefixes& prefixes) {
  std::vector<PrefixEntry> entries;
  for (size_t block = 0; block < prefixes.size(); ++block)
    if (prefixes[block]) entries.push_back({static_cast<int32_t>(block), prefixes[block]});
  return entries;
}

template <class A, class Prefixes, class Step>
void archive_step(A& a, Prefixes& prefixes, Step& step, const SessionLimits& limits) {
  archive_plan(a, step.plan, limits);
  a.list(step.sequences, step.plan.sequences.size(), "places of the planned requests",
         [&](auto& place) {
           a.index(place, static_cast<int64_t>(limits.request_ids.size()),
                   "place of a planned request");
         });
  archive_changes(a, prefixes, step.planned, limits);
  archive_changes(a, prefixes, step.finished, limits);
  a.number(step.generated_tokens, 0, kMostCount, "generated tokens");
}

template <class Changes, class State>
void check_changes(const Changes& changes, const State& state, TakeBytes& in) {
  // Table sizes after the changes: (blocks, swap blocks) by request and TableKind.
  std::vector<std::array<std::pair<size_t, size_t>, 2>> sizes;
  for (const auto& sequence : state.requests) {
    auto& of_request = sizes.emplace_back();
    for (size_t kind = 0; kind < of_request.size(); ++kind)
      of_request[kind] = {sequence.tables[kind].blocks.size(),
                          sequence.tables[kind].swap_blocks.size()};
  }
  for (const auto& change : changes.requests) {
    if (change.index > sizes.size())
      in.refuse("requests are in the wrong order", "place of a request",
                fmt::format("{}", change.index), fmt::format("0 to {}", sizes.size()));
    if (change.index == sizes.size()) sizes.emplace_back();
    for (size_t kind = 0; kind < change.tables.size(); ++kind) {
      const auto& [kept, kept_swapped] = change.tables[kind];
      auto& [blocks, swapped] = sizes[change.index][kind];
      if (kept.keep > blocks || kept_swapped.keep > swapped)
        in.refuse("a block table keeps more than it had", "block table",
                  fmt::format("{} and {} blocks", kept.keep, kept_swapped.keep),
                  fmt::format("at most {} and {}", blocks, swapped));
      blocks = kept.keep + kept.items.size();
      swapped = kept_swapped.keep + kept_swapped.items.size();
    }
  }
}

template <class State>
void check_state(const State& state, const SessionLimits& limits, TakeBytes& in) {
  for (size_t i = 0; i < state.requests.size(); ++i) {
    const auto& [moment, tables] = state.requests[i];
    if (moment.num_tokens < limits.prompt_tokens[i])
      in.refuse("request has fewer tokens than its prompt", "tokens of a request",
                fmt::format("{}", moment.num_tokens),
                fmt::format("{} or more", limits.prompt_tokens[i]));
    const size_t held = tables[static_cast<size_t>(TableKind::kOwn)].held().size();
    if (static_cast<size_t>(moment.left_window) > held)
      in.refuse("more blocks left the window than the table has", "blocks left of the window",
                fmt::format("{}", moment.left_window), fmt::format("at most {}", held));
    for (const BlockTableView& table : tables)
      if (table.blocks.size() > static_cast<size_t>(limits.num_blocks) ||
          table.swap_blocks.size() > static_cast<size_t>(limits.num_swap_blocks))
        in.refuse("block table is longer than the cache", "block table",
                  fmt::format("{} and {} blocks", table.blocks.size(), table.swap_blocks.size()),
                  fmt::format("at most {} and {}", limits.num_blocks, limits.num_swap_blocks));
  }
}

// Refuses a block if `hashed` contradicts the prefix tree.
template <class State>
void check_hashed(int32_t block, const State& state, const SessionLimits& limits, TakeBytes& in) {
  const auto i = static_cast<size_t>(block);
  const bool hashed = state.blocks[i].hashed;
  const bool known = i < state.prefixes.size() && state.prefixes[i];
  if (!limits.has_prefixes || hashed == known) return;
  in.refuse("the state of a block contradicts the prefix tree", "prefix",
            fmt::format("block {} is {}found by its prefix", block, hashed ? "" : "not "),
            hashed ? "a node of the prefix tree that names this block"
                   : "no node of the prefix tree that names this block");
}

template <class Changes, class State>
void check_known(const Changes& changes, const State& state, const SessionLimits& limits,
                 TakeBytes& in) {
  for (const auto& entry : changes.blocks) check_hashed(entry.block, state, limits, in);
  for (const PrefixEntry& entry : changes.prefixes) check_hashed(entry.block, state, limits, in);
}

// Checks that the tokens of a step lie in the block tables with which it ran.
template <class Step, class State>
void check_sequences(const Step& step, const State& state, const SessionLimits& limits,
                     TakeBytes& in) {
  if (step.sequences.size() != step.plan.sequences.size())
    in.refuse("planned sequences and their places differ in number",
              "places of the planned requests", fmt::format("{}", step.sequences.size()),
              fmt::format("{}", step.plan.sequences.size()));
  std::set<uint32_t> seen;
  for (size_t i = 0; i < step.sequences.size(); ++i) {
    const PlannedSequence& planned = step.plan.sequences[i];
    if (!seen.insert(step.sequences[i]).second)
      in.refuse("a request is planned twice in a step", "place of a planned request",
                fmt::format("{}", step.sequences[i]), "each request once");
    if (step.sequences[i] >= state.requests.size())
      in.refuse("a request is planned before it is there", "place of a planned request",
                fmt::format("{}", step.sequences[i]),
                state.requests.empty() ? "none, because no request is there"
                                       : fmt::format("0 to {}", state.requests.size() - 1));
    for (const TableKind kind : kTableKinds) {
      const int64_t end = planned.places(kind).end;
      const auto room = static_cast<int64_t>(
          state.requests[step.sequences[i]].tables[static_cast<size_t>(kind)].blocks.size());
      if (end > room * limits.block_size)
        in.refuse("tokens of a step lie outside of its block table", "query length",
                  fmt::format("{} tokens", end),
                  fmt::format("at most {}", room * limits.block_size));
    }
  }
}

}  // namespace

std::vector<std::shared_ptr<const StepHistory::Step>> StepHistory::all_steps(State& before) const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const Step>> steps;
  if (!segments_.empty()) before = segments_.front()->before;
  for (const auto& segment : segments_)
    steps.insert(steps.end(), segment->steps.begin(), segment->steps.end());
  return steps;
}

void StepHistory::save(PutBytes& out, const SessionLimits& limits) const {
  State before;
  const auto steps = all_steps(before);
  out.number(steps.size(), 0, kMostStep, "steps");
  if (steps.empty()) return;
  out.number(steps.front()->step, 1, kMostStep, "first step");
  archive_state(out, before, limits);
  PutPrefixes prefixes(limits);
  prefixes.archive(out, entries_of(before.prefixes));
  for (const auto& step : steps) archive_step(out, prefixes, *step, limits);
}

std::shared_ptr<StepHistory> StepHistory::load(TakeBytes& in, const SessionLimits& limits,
                                               std::shared_ptr<const PastTexts> texts) {
  // Twice the limit: append() drops no step before the check below.
  std::shared_ptr<StepHistory> history(
      new StepHistory(2 * kMostHistoryBytes, limits, std::move(texts)));
  const uint64_t count = in.length(static_cast<uint64_t>(limits.num_steps), "steps");
  if (count == 0) return history;
  uint32_t first = 0;
  in.number(first, 1, limits.num_steps - static_cast<int64_t>(count) + 1, "first step");
  State& state = *history->state_;
  archive_state(in, state, limits);
  check_state(state, limits, in);
  TakePrefixes prefixes(limits);
  std::vector<PrefixEntry> entries;
  prefixes.archive(in, entries);
  history::apply(entries, state.blocks.size(), state.prefixes);
  for (int32_t block = 0; block < limits.num_blocks; ++block)
    check_hashed(block, state, limits, in);
  history->begin_segment();
  for (uint64_t i = 0; i < count; ++i) {
    auto step = std::make_shared<Step>();
    step->step = first + static_cast<uint32_t>(i);
    archive_step(in, prefixes, *step, limits);
    check_changes(step->planned, state, in);
    step->planned.apply_to(state);
    check_known(step->planned, state, limits, in);
    check_state(state, limits, in);
    check_sequences(*step, state, limits, in);
    const size_t touched = step->mark(state, limits.block_size);
    check_changes(step->finished, state, in);
    step->finished.apply_to(state);
    check_known(step->finished, state, limits, in);
    check_state(state, limits, in);
    history->append(std::move(step), touched);
    if (history->bytes() > kMostHistoryBytes)
      in.refuse("history takes more memory than a run keeps", "steps",
                fmt::format("more than {} bytes at step {}", kMostHistoryBytes, first + i),
                "a history that a run has kept");
  }
  return history;
}

std::vector<std::vector<int64_t>> StepHistory::token_counts() const {
  State before;
  const auto steps = all_steps(before);
  std::vector<std::set<int64_t>> counts(before.requests.size());
  for (size_t i = 0; i < before.requests.size(); ++i)
    counts[i].insert(before.requests[i].moment.num_tokens);
  for (const auto& step : steps)
    for (const Changes* changes : {&step->planned, &step->finished})
      for (const Changes::OfRequest& change : changes->requests) {
        if (counts.size() <= change.index) counts.resize(change.index + 1);
        counts[change.index].insert(change.moment.num_tokens);
      }
  std::vector<std::vector<int64_t>> result;
  for (const std::set<int64_t>& of_request : counts)
    result.emplace_back(of_request.begin(), of_request.end());
  return result;
}

StepHistory::StepHistory(size_t max_bytes, const SessionLimits& limits,
                         std::shared_ptr<const PastTexts> texts)
    : max_bytes_(max_bytes),
      block_size_(limits.block_size),
      texts_(std::move(texts)),
      state_(std::make_unique<State>()),
      pending_(std::make_unique<Changes>()) {
  state_->blocks.resize(static_cast<size_t>(limits.num_blocks));
  state_->swap_blocks.resize(static_cast<size_t>(limits.num_swap_blocks));
}

}  // namespace attn
