// SPDX-License-Identifier: GPL-3.0-or-later
// What a StepHistory holds. Private to step_history*.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/session/history/step_history.h"
#include "engine/session/history/step_prefixes.h"

namespace attn {
namespace history {

template <class T>
size_t bytes_of(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

inline size_t bytes_of(const BatchPlan& plan) {
  return bytes_of(plan.sequences) + bytes_of(plan.admitted) + bytes_of(plan.preempted) +
         bytes_of(plan.swapped_in) + bytes_of(plan.ignored) + bytes_of(plan.forked) +
         bytes_of(plan.finished) + bytes_of(plan.swap_out_moves) + bytes_of(plan.swap_in_moves) +
         bytes_of(plan.copies);
}

// A vector as a change of an earlier one: the first `keep` items stay, and `items` follow.
struct Tail {
  size_t keep = 0;
  std::vector<int32_t> items;

  static Tail between(std::span<const int32_t> before, std::span<const int32_t> after) {
    const auto [mine, theirs] =
        std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    return {static_cast<size_t>(mine - before.begin()), {theirs, after.end()}};
  }
  void apply(std::vector<int32_t>& table) const {
    table.resize(keep);
    table.insert(table.end(), items.begin(), items.end());
  }
};

struct BlockEntry {
  int32_t block = 0;
  BlockView view;
};

inline void apply(const std::vector<BlockEntry>& entries, std::vector<BlockView>& blocks) {
  for (const BlockEntry& entry : entries) blocks.at(static_cast<size_t>(entry.block)) = entry.view;
}

}  // namespace history

// What changes of one request from step to step, without its block tables.
struct StepHistory::RequestMoment {
  RequestState state = RequestState::kWaiting;
  bool scheduled = false, first_token = false, finished = false, ranked = false;
  bool pause_over = false;  // the last pause has ended
  uint32_t num_token_times = 0, num_pauses = 0;
  int64_t num_tokens = 0, num_computed = 0, num_cached = 0, num_preemptions = 0;
  double cumulative_logprob = 0;
  int64_t left_window = 0;  // how many blocks of the own table left the window
  bool operator==(const RequestMoment&) const = default;

  static RequestMoment of(const Request& request, const BlockManager& manager) {
    RequestMoment moment;
    const RequestTimes& times = request.times;
    moment.state = request.state;
    moment.scheduled = times.scheduled_ns.has_value();
    moment.first_token = times.first_token_ns.has_value();
    moment.finished = times.finished_ns.has_value();
    moment.ranked = request.beam_rank.has_value();
    moment.pause_over = !times.pauses.empty() && times.pauses.back().end_ns;
    moment.num_token_times = static_cast<uint32_t>(times.token_ns.size());
    moment.num_pauses = static_cast<uint32_t>(times.pauses.size());
    moment.num_tokens = request.num_tokens();
    moment.num_computed = request.num_computed;
    moment.num_cached = request.num_cached;
    moment.num_preemptions = request.num_preemptions;
    moment.cumulative_logprob = request.cumulative_logprob;
    const uint32_t own = table_id(request.id, TableKind::kOwn);
    if (manager.knows(own)) moment.left_window = manager.blocks_left_window(own);
    return moment;
  }

  // Turns the view of a later moment back to this one.
  void turn_back(RequestView& view, const PastTexts& texts) const {
    if (!is_finished(state)) view.ignored_reason.clear();
    view.state = state;
    view.num_computed = num_computed;
    view.num_cached = num_cached;
    view.num_preemptions = num_preemptions;
    view.cumulative_logprob = cumulative_logprob;
    if (!ranked) view.beam_rank.reset();
    RequestTimes& times = view.times;
    if (!scheduled) times.scheduled_ns.reset();
    if (!first_token) times.first_token_ns.reset();
    if (!finished) times.finished_ns.reset();
    times.token_ns.resize(std::min<size_t>(times.token_ns.size(), num_token_times));
    times.pauses.resize(std::min<size_t>(times.pauses.size(), num_pauses));
    if (!times.pauses.empty() && !pause_over) times.pauses.back().end_ns.reset();
    view.metrics = metrics_of(times, state);
    const bool began = num_computed > 0 || scheduled;
    if (!began) view.attention.reset();
    shorten_texts(view, texts);
    if (view.encoder)
      set_encoder(view, view.num_encoder_layers, began ? view.encoder->attention : nullptr);
  }

 private:
  void shorten_texts(RequestView& view, const PastTexts& texts) const {
    const auto count = static_cast<size_t>(num_tokens);
    if (!view.tokens || view.tokens->size() <= count) return;
    auto text = std::make_shared<const std::string>(texts.output_text(view, num_tokens));
    view.tokens = std::make_shared<const std::vector<TokenView>>(
        view.tokens->begin(), view.tokens->begin() + static_cast<ptrdiff_t>(count));
    view.output_text = std::move(text);
  }
};

struct StepHistory::State {
  struct Sequence {
    RequestMoment moment;
    std::array<BlockTableView, 2> tables;  // by TableKind
    bool holds_nothing() const {
      return std::ranges::all_of(tables, [](const BlockTableView& table) {
        return table.blocks.empty() && table.swap_blocks.empty();
      });
    }
  };
  std::vector<Sequence> requests;  // in the order of Scheduler::requests()
  std::vector<BlockView> blocks, swap_blocks;
  history::Prefixes prefixes;  // by block: the prefix in it, or null; empty: no block had one

  // Gives tables the device blocks back that left them since `other`, when the request ended or
  // when the window moved on, with the views of these blocks.
  void take_tables(const State& other) {
    for (size_t i = 0; i < std::min(requests.size(), other.requests.size()); ++i)
      for (const TableKind kind : kTableKinds) {
        const Sequence& before = other.requests[i];
        const std::vector<int32_t>& held = before.tables[static_cast<size_t>(kind)].blocks;
        if (held.empty()) continue;
        std::vector<int32_t>& own = requests[i].tables[static_cast<size_t>(kind)].blocks;
        int64_t& left_window = requests[i].moment.left_window;
        const bool has_window = kind == TableKind::kOwn;
        const bool ended = own.empty();
        if (ended) own = held;
        size_t end = ended ? held.size() : has_window ? static_cast<size_t>(left_window) : 0;
        end = std::min({end, held.size(), own.size()});
        for (size_t at = has_window ? static_cast<size_t>(before.moment.left_window) : 0; at < end;
             ++at) {
          own[at] = held[at];
          if (held[at] >= 0)
            blocks[static_cast<size_t>(held[at])] = other.blocks[static_cast<size_t>(held[at])];
        }
        if (has_window) left_window = before.moment.left_window;
      }
  }

  // Bytes of the state without the prefix nodes, which states and steps share.
  size_t bytes() const {
    size_t sum = history::bytes_of(requests) + history::bytes_of(blocks) +
                 history::bytes_of(swap_blocks) + history::bytes_of(prefixes);
    for (const Sequence& sequence : requests)
      for (const BlockTableView& table : sequence.tables)
        sum += history::bytes_of(table.blocks) + history::bytes_of(table.swap_blocks);
    return sum;
  }
};

struct StepHistory::Changes {
  struct OfRequest {
    struct Table {
      history::Tail blocks, swap_blocks;
    };
    uint32_t index = 0;
    RequestMoment moment;
    std::array<Table, 2> tables;  // by TableKind
  };
  std::vector<OfRequest> requests;
  std::vector<history::BlockEntry> blocks, swap_blocks;
  std::vector<history::PrefixEntry> prefixes;
  size_t new_prefixes = 0;  // prefix nodes that appear for the first time

  size_t bytes() const {
    size_t sum = history::bytes_of(requests) + history::bytes_of(blocks) +
                 history::bytes_of(swap_blocks) + history::bytes_of(prefixes) +
                 new_prefixes * history::kPrefixBytes;
    for (const OfRequest& change : requests)
      for (const OfRequest::Table& table : change.tables)
        sum += history::bytes_of(table.blocks.items) + history::bytes_of(table.swap_blocks.items);
    return sum;
  }

  void apply_to(State& state) const {
    for (const OfRequest& change : requests) {
      if (state.requests.size() <= change.index) state.requests.resize(change.index + 1);
      State::Sequence& sequence = state.requests[change.index];
      sequence.moment = change.moment;
      for (size_t kind = 0; kind < sequence.tables.size(); ++kind) {
        change.tables[kind].blocks.apply(sequence.tables[kind].blocks);
        change.tables[kind].swap_blocks.apply(sequence.tables[kind].swap_blocks);
      }
    }
    history::apply(blocks, state.blocks);
    history::apply(swap_blocks, state.swap_blocks);
    history::apply(prefixes, state.blocks.size(), state.prefixes);
  }
};

struct StepHistory::Step {
  uint32_t step = 0;
  BatchPlan plan;
  std::vector<uint32_t> sequences;  // [plan.sequences]: their indices in State::requests
  Changes planned, finished;
  int64_t generated_tokens = 0;

  size_t bytes() const {
    return sizeof(Step) + history::bytes_of(plan) + history::bytes_of(sequences) + planned.bytes() +
           finished.bytes();
  }

  // Marks the blocks that the step uses. Returns how often it reads a block.
  size_t mark(State& state, int64_t block_size) const {
    size_t read = 0;
    for (size_t i = 0; i < sequences.size(); ++i) {
      const State::Sequence& sequence = state.requests[sequences[i]];
      for (const TableKind kind : kTableKinds)
        read += mark_blocks_used(plan.sequences[i].places(kind),
                                 sequence.tables[static_cast<size_t>(kind)].blocks,
                                 kind == TableKind::kOwn ? sequence.moment.left_window : 0,
                                 block_size, step, state.blocks)
                    .read;
    }
    return read;
  }

  void apply_to(State& state, int64_t block_size) const {
    planned.apply_to(state);
    mark(state, block_size);
    finished.apply_to(state);
  }
};

struct StepHistory::Segment {
  State before;  // before its first step
  std::vector<std::shared_ptr<const Step>> steps;
  size_t state_bytes = 0, step_bytes = 0, touched = 0;
  // Bytes of the prefixes in `before`; counted only for the oldest segment.
  size_t prefix_bytes = 0;

  uint32_t first() const { return steps.front()->step; }
  uint32_t last() const { return steps.back()->step; }
};

}  // namespace attn
