// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/step_history.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// Blocks that are read and written on the way from a whole state to a step: some 10 ms of work.
constexpr size_t kMostTouched = size_t{1} << 22;
constexpr size_t kMostSegmentShare = 8;            // a segment is at most about 1/8 of the ring
constexpr size_t kLeastSegment = size_t{1} << 16;  // bytes of steps worth a state of their own

template <class T>
size_t bytes_of(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

size_t bytes_of(const BatchPlan& plan) {
  return bytes_of(plan.sequences) + bytes_of(plan.admitted) + bytes_of(plan.preempted) +
         bytes_of(plan.swapped_in) + bytes_of(plan.ignored) + bytes_of(plan.forked) +
         bytes_of(plan.finished) + bytes_of(plan.swap_out_moves) + bytes_of(plan.swap_in_moves) +
         bytes_of(plan.copies);
}

// A vector as the part it shares with the one before it, and the rest.
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

void apply(const std::vector<BlockEntry>& entries, std::vector<BlockView>& blocks) {
  for (const BlockEntry& entry : entries) blocks[static_cast<size_t>(entry.block)] = entry.view;
}

// The touched blocks that are not as the state has them.
void collect_blocks(std::vector<int32_t>& touched, const std::vector<BlockView>& blocks,
                    std::vector<BlockView>& state, std::vector<BlockEntry>& entries) {
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const int32_t block : touched) {
    const auto i = static_cast<size_t>(block);
    if (state[i] == blocks[i]) continue;
    entries.push_back({block, blocks[i]});
    state[i] = blocks[i];
  }
  touched.clear();
}

}  // namespace

// Of one request at one moment; what else a RequestView says does not change or follows from this.
struct StepHistory::RequestMoment {
  RequestState state = RequestState::kWaiting;
  bool scheduled = false, first_token = false, finished = false, ranked = false;
  bool pause_over = false;  // the last one
  uint32_t num_token_times = 0, num_pauses = 0;
  int64_t num_tokens = 0, num_computed = 0, num_cached = 0, num_preemptions = 0;
  double cumulative_logprob = 0;
  int64_t left_window = 0;  // so many first entries of the table hold nothing
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
    if (manager.knows(request.id)) moment.left_window = manager.blocks_left_window(request.id);
    return moment;
  }

  // The view of a later moment as it was at this one. Tokens are only ever added.
  void turn_back(RequestView& view, const Source& source) const {
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
    if (num_computed == 0 && !scheduled) view.attention.reset();
    shorten_texts(view, source);
  }

 private:
  void shorten_texts(RequestView& view, const Source& source) const {
    const auto count = static_cast<size_t>(num_tokens);
    if (!view.tokens || view.tokens->size() <= count) return;
    view.tokens = std::make_shared<const std::vector<TokenView>>(
        view.tokens->begin(), view.tokens->begin() + static_cast<ptrdiff_t>(count));
    std::vector<int32_t> ids;
    for (const TokenView& token : *view.tokens) ids.push_back(token.id);
    view.output_text = std::make_shared<const std::string>(
        attn::output_text(source, ids, static_cast<size_t>(view.prompt_len)));
  }
};

struct StepHistory::State {
  struct Sequence {
    RequestMoment moment;
    std::vector<int32_t> table, swap_table;
  };
  std::vector<Sequence> requests;  // in the order of the scheduler's
  std::vector<BlockView> blocks, swap_blocks;

  size_t bytes() const {
    size_t sum = attn::bytes_of(requests) + attn::bytes_of(blocks) + attn::bytes_of(swap_blocks);
    for (const Sequence& sequence : requests)
      sum += attn::bytes_of(sequence.table) + attn::bytes_of(sequence.swap_table);
    return sum;
  }
};

struct StepHistory::Changes {
  struct OfRequest {
    uint32_t index = 0;
    RequestMoment moment;
    Tail table, swap_table;
  };
  std::vector<OfRequest> requests;
  std::vector<BlockEntry> blocks, swap_blocks;

  size_t bytes() const {
    size_t sum = attn::bytes_of(requests) + attn::bytes_of(blocks) + attn::bytes_of(swap_blocks);
    for (const OfRequest& change : requests)
      sum += attn::bytes_of(change.table.items) + attn::bytes_of(change.swap_table.items);
    return sum;
  }

  void apply_to(State& state) const {
    for (const OfRequest& change : requests) {
      if (state.requests.size() <= change.index) state.requests.resize(change.index + 1);
      State::Sequence& sequence = state.requests[change.index];
      sequence.moment = change.moment;
      change.table.apply(sequence.table);
      change.swap_table.apply(sequence.swap_table);
    }
    apply(blocks, state.blocks);
    apply(swap_blocks, state.swap_blocks);
  }
};

struct StepHistory::Step {
  uint32_t step = 0;
  BatchPlan plan;
  std::vector<uint32_t> sequences;  // [plan.sequences]: their places in State::requests
  Changes planned, finished;
  int64_t generated_tokens = 0;

  size_t bytes() const {
    return sizeof(Step) + bytes_of(plan) + attn::bytes_of(sequences) + planned.bytes() +
           finished.bytes();
  }

  // Returns how many blocks the step read.
  size_t mark(State& state, int64_t block_size) const {
    size_t read = 0;
    for (size_t i = 0; i < sequences.size(); ++i) {
      const State::Sequence& sequence = state.requests[sequences[i]];
      read += mark_blocks_used(plan.sequences[i], sequence.table, sequence.moment.left_window,
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
  State before;  // its first step
  std::vector<std::shared_ptr<const Step>> steps;
  size_t state_bytes = 0, step_bytes = 0, touched = 0;

  uint32_t first() const { return steps.front()->step; }
  uint32_t last() const { return steps.back()->step; }
};

StepHistory::StepHistory(size_t max_bytes, size_t num_blocks, size_t num_swap_blocks,
                         int64_t block_size, std::shared_ptr<const Source> source)
    : max_bytes_(max_bytes),
      block_size_(block_size),
      source_(std::move(source)),
      state_(std::make_unique<State>()),
      pending_(std::make_unique<Changes>()) {
  state_->blocks.resize(num_blocks);
  state_->swap_blocks.resize(num_swap_blocks);
  begin_segment();
}

StepHistory::~StepHistory() = default;

void StepHistory::touch(PoolKind pool, int32_t block) {
  (pool == PoolKind::kDevice ? touched_ : touched_swap_).push_back(block);
}

// What differs from the state goes into `changes`, and the state follows.
void StepHistory::collect(Changes& changes, const Scheduler& scheduler, const BlockManager& manager,
                          const std::vector<BlockView>& blocks,
                          const std::vector<BlockView>& swap_blocks) {
  const auto& requests = scheduler.requests();
  if (state_->requests.size() < requests.size()) {
    // A request of which nothing has happened yet is known all the same.
    for (size_t i = state_->requests.size(); i < requests.size(); ++i)
      changes.requests.push_back({static_cast<uint32_t>(i), {}, {}, {}});
    state_->requests.resize(requests.size());
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    State::Sequence& known = state_->requests[i];
    const uint32_t id = requests[i]->id;
    std::span<const int32_t> table, swap_table;
    if (manager.knows(id)) (manager.is_swapped(id) ? swap_table : table) = manager.blocks(id);
    const RequestMoment moment = RequestMoment::of(*requests[i], manager);
    if (moment == known.moment && std::ranges::equal(table, known.table) &&
        std::ranges::equal(swap_table, known.swap_table))
      continue;
    changes.requests.push_back({static_cast<uint32_t>(i), moment, Tail::between(known.table, table),
                                Tail::between(known.swap_table, swap_table)});
    known.moment = moment;
    changes.requests.back().table.apply(known.table);
    changes.requests.back().swap_table.apply(known.swap_table);
  }
  collect_blocks(touched_, blocks, state_->blocks, changes.blocks);
  collect_blocks(touched_swap_, swap_blocks, state_->swap_blocks, changes.swap_blocks);
}

void StepHistory::planned(const Scheduler& scheduler, const BlockManager& manager,
                          const std::vector<BlockView>& blocks,
                          const std::vector<BlockView>& swap_blocks) {
  collect(*pending_, scheduler, manager, blocks, swap_blocks);
}

void StepHistory::finished(uint32_t step, const BatchPlan& plan, int64_t generated_tokens,
                           const Scheduler& scheduler, const BlockManager& manager,
                           const std::vector<BlockView>& blocks,
                           const std::vector<BlockView>& swap_blocks) {
  auto done = std::make_shared<Step>();
  done->step = step;
  done->plan = plan;
  done->generated_tokens = generated_tokens;
  const auto& requests = scheduler.requests();
  for (const PlannedSequence& planned : plan.sequences) {
    const auto found = std::ranges::find(requests, planned.request, &Request::id);
    done->sequences.push_back(static_cast<uint32_t>(found - requests.begin()));
  }
  done->planned = std::exchange(*pending_, {});
  const size_t touched = done->mark(*state_, block_size_);
  collect(done->finished, scheduler, manager, blocks, swap_blocks);
  append(std::move(done), touched);
}

void StepHistory::append(std::shared_ptr<const Step> step, size_t touched) {
  const size_t step_bytes = step->bytes();
  std::shared_ptr<Segment> begun = std::exchange(next_, nullptr);
  Segment& segment = begun ? *begun : *segments_.back();
  {
    std::lock_guard lock(mutex_);
    if (begun) {
      bytes_ += begun->state_bytes;
      segments_.push_back(std::move(begun));
    }
    segment.steps.push_back(std::move(step));
    segment.step_bytes += step_bytes;
    segment.touched += touched;
    bytes_ += step_bytes;
    while (bytes_ > max_bytes_ && segments_.size() > 1) {
      bytes_ -= segments_.front()->state_bytes + segments_.front()->step_bytes;
      segments_.pop_front();
    }
  }
  if (segment.step_bytes > std::max(segment.state_bytes, kLeastSegment) ||
      segment.step_bytes > max_bytes_ / kMostSegmentShare || segment.touched > kMostTouched)
    begin_segment();
}

// From the present state, which is that before the next step.
void StepHistory::begin_segment() {
  next_ = std::make_shared<Segment>();
  next_->before = *state_;
  next_->state_bytes = next_->before.bytes();
}

StepHistory::Range StepHistory::range() const {
  std::lock_guard lock(mutex_);
  if (segments_.empty()) return {};
  return {segments_.front()->first(), segments_.back()->last()};
}

size_t StepHistory::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

std::shared_ptr<const EngineSnapshot> StepHistory::restore(const EngineSnapshot& now,
                                                           uint32_t step) const {
  std::shared_ptr<const Segment> segment;
  std::vector<std::shared_ptr<const Step>> steps;
  {
    std::lock_guard lock(mutex_);
    const auto after = std::ranges::upper_bound(
        segments_, step, {}, [](const std::shared_ptr<Segment>& it) { return it->first(); });
    if (after == segments_.begin() || step > segments_.back()->last()) return nullptr;
    segment = *std::prev(after);
    const auto end = std::ranges::upper_bound(
        segment->steps, step, {}, [](const std::shared_ptr<const Step>& it) { return it->step; });
    steps.assign(segment->steps.begin(), end);
  }
  State state = segment->before;
  for (const auto& earlier : steps) earlier->apply_to(state, block_size_);
  if (now.requests.size() < state.requests.size() || !now.steps || now.steps->size() < step)
    return nullptr;
  return compose(now, *steps.back(), std::move(state));
}

std::shared_ptr<const EngineSnapshot> StepHistory::compose(const EngineSnapshot& now,
                                                           const Step& step, State state) const {
  auto shot = std::make_shared<EngineSnapshot>(now);
  shot->restored = true;
  shot->step = step.step;
  shot->layer = -1;
  shot->plan = step.plan;
  shot->prefixes = nullptr;
  shot->generated_tokens = step.generated_tokens;
  shot->requests.resize(state.requests.size());
  for (size_t i = 0; i < state.requests.size(); ++i) {
    RequestView& view = shot->requests[i];
    state.requests[i].moment.turn_back(view, *source_);
    view.blocks = std::move(state.requests[i].table);
    view.swap_table = std::move(state.requests[i].swap_table);
    std::vector<int32_t>& shown = view.swap_table.empty() ? view.blocks : view.swap_table;
    std::fill_n(shown.begin(), state.requests[i].moment.left_window, -1);
  }
  shot->blocks = std::move(state.blocks);
  shot->swap_blocks = std::move(state.swap_blocks);
  const auto end = std::ranges::upper_bound(*now.steps, step.step, {}, &StepRecord::step);
  shot->steps = std::make_shared<const std::vector<StepRecord>>(now.steps->begin(), end);
  if (!shot->steps->empty()) {
    const StepRecord& record = shot->steps->back();
    shot->free_blocks = record.free_blocks + record.cached_blocks;
  }
  shot->tokens_per_s = recent_tokens_per_s(*shot->steps, shot->requests);
  return shot;
}

}  // namespace attn
