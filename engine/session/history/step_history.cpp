// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/history/step_history.h"

#include <algorithm>
#include <utility>

#include "engine/session/history/step_history_impl.h"

namespace attn {
namespace {

using history::BlockEntry;
using history::Tail;

// A segment ends once its steps together have read more blocks than this. A block counts once for
// each step and sequence that reads it. This bounds the time to restore a step.
constexpr size_t kMostTouched = size_t{1} << 22;
constexpr size_t kMostSegmentShare = 8;            // a segment ends above 1/8 of max_bytes_
constexpr size_t kLeastSegment = size_t{1} << 16;  // bytes

class SourceTexts final : public PastTexts {
 public:
  explicit SourceTexts(std::shared_ptr<const Source> source) : source_(std::move(source)) {}
  std::string output_text(const RequestView& request, int64_t num_tokens) const override {
    if (num_tokens <= request.prompt_len) return {};
    std::vector<int32_t> ids;
    ids.reserve(static_cast<size_t>(num_tokens));
    for (int64_t i = 0; i < num_tokens; ++i)
      ids.push_back((*request.tokens)[static_cast<size_t>(i)].id);
    return attn::output_text(*source_, ids, static_cast<size_t>(request.prompt_len));
  }

 private:
  std::shared_ptr<const Source> source_;
};

void sort_once(std::vector<int32_t>& touched) {
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
}

// Adds the touched blocks that differ from the state to `entries`, and updates the state.
void collect_blocks(std::vector<int32_t>& touched, const std::vector<BlockView>& blocks,
                    std::vector<BlockView>& state, std::vector<BlockEntry>& entries) {
  for (const int32_t block : touched) {
    const auto i = static_cast<size_t>(block);
    if (state[i] == blocks[i]) continue;
    entries.push_back({block, blocks[i]});
    state[i] = blocks[i];
  }
  touched.clear();
}

// Whether no step of the run left a block in use.
bool leaves_no_block(const EngineSnapshot& now) {
  return now.steps && std::ranges::all_of(
                          *now.steps, [](const StepRecord& step) { return step.used_blocks == 0; });
}

}  // namespace

StepHistory::StepHistory(size_t max_bytes, size_t num_blocks, size_t num_swap_blocks,
                         int64_t block_size, std::shared_ptr<const Source> source)
    : max_bytes_(max_bytes),
      block_size_(block_size),
      texts_(std::make_shared<SourceTexts>(std::move(source))),
      state_(std::make_unique<State>()),
      pending_(std::make_unique<Changes>()),
      prefixes_(std::make_unique<history::StepPrefixes>()) {
  state_->blocks.resize(num_blocks);
  state_->swap_blocks.resize(num_swap_blocks);
  begin_segment();
}

StepHistory::~StepHistory() = default;

void StepHistory::touch(PoolKind pool, int32_t block) {
  (pool == PoolKind::kDevice ? touched_ : touched_swap_).push_back(block);
}

void StepHistory::hashed(int32_t block, uint32_t request) {
  prefixes_->hashed(block, request);
}

// Adds what differs from the state to `changes`, and updates the state.
void StepHistory::collect(Changes& changes, const Scheduler& scheduler, const BlockManager& manager,
                          const std::vector<BlockView>& blocks,
                          const std::vector<BlockView>& swap_blocks) {
  const auto& requests = scheduler.requests();
  if (state_->requests.size() < requests.size()) {
    for (size_t i = state_->requests.size(); i < requests.size(); ++i)
      changes.requests.push_back({static_cast<uint32_t>(i), {}, {}});
    state_->requests.resize(requests.size());
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    State::Sequence& known = state_->requests[i];
    const uint32_t id = requests[i]->id;
    const RequestMoment moment = RequestMoment::of(*requests[i], manager);
    // A request that has ended gets no more blocks.
    if (is_finished(moment.state) && moment == known.moment && known.holds_nothing()) continue;
    Changes::OfRequest change{static_cast<uint32_t>(i), moment, {}};
    bool changed = moment != known.moment;
    for (const TableKind kind : kTableKinds) {
      const uint32_t table = table_id(id, kind);
      std::span<const int32_t> held, swapped;
      if (manager.knows(table))
        (manager.is_swapped(table) ? swapped : held) = manager.blocks(table);
      const BlockTableView& before = known.tables[static_cast<size_t>(kind)];
      changed = changed || !std::ranges::equal(held, before.blocks) ||
                !std::ranges::equal(swapped, before.swap_blocks);
      change.tables[static_cast<size_t>(kind)] = {Tail::between(before.blocks, held),
                                                  Tail::between(before.swap_blocks, swapped)};
    }
    if (!changed) continue;
    known.moment = moment;
    for (size_t kind = 0; kind < known.tables.size(); ++kind) {
      change.tables[kind].blocks.apply(known.tables[kind].blocks);
      change.tables[kind].swap_blocks.apply(known.tables[kind].swap_blocks);
    }
    changes.requests.push_back(std::move(change));
  }
  sort_once(touched_);
  sort_once(touched_swap_);
  if (manager.config().prefix_caching) {
    state_->prefixes.resize(state_->blocks.size());
    changes.new_prefixes +=
        prefixes_->collect(touched_, scheduler, manager, state_->prefixes, changes.prefixes);
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
    while (held_bytes() > max_bytes_ && segments_.size() > 1) {
      bytes_ -= segments_.front()->state_bytes + segments_.front()->step_bytes;
      segments_.pop_front();
    }
  }
  if (segment.step_bytes > std::max(segment.state_bytes, kLeastSegment) ||
      segment.step_bytes > max_bytes_ / kMostSegmentShare || segment.touched > kMostTouched)
    begin_segment();
}

void StepHistory::begin_segment() {
  next_ = std::make_shared<Segment>();
  next_->before = *state_;
  next_->state_bytes = next_->before.bytes();
  const auto known = std::ranges::count_if(next_->before.prefixes,
                                           [](const auto& prefix) { return prefix != nullptr; });
  next_->prefix_bytes = static_cast<size_t>(known) * history::kPrefixBytes;
}

StepHistory::Range StepHistory::range() const {
  std::lock_guard lock(mutex_);
  if (segments_.empty()) return {};
  return {segments_.front()->first(), segments_.back()->last()};
}

size_t StepHistory::bytes() const {
  std::lock_guard lock(mutex_);
  return held_bytes();
}

// The bytes of prefix nodes are counted with the steps that made them, those of older nodes with
// the first segment.
size_t StepHistory::held_bytes() const {
  return bytes_ + (segments_.empty() ? 0 : segments_.front()->prefix_bytes);
}

// The steps of the segment that holds `step`, up to that step. Empty: no segment holds it.
std::vector<std::shared_ptr<const StepHistory::Step>> StepHistory::steps_to(
    uint32_t step, std::shared_ptr<const Segment>& segment) const {
  std::lock_guard lock(mutex_);
  const auto after = std::ranges::upper_bound(
      segments_, step, {}, [](const std::shared_ptr<Segment>& it) { return it->first(); });
  if (after == segments_.begin() || step > segments_.back()->last()) return {};
  segment = *std::prev(after);
  const auto end = std::ranges::upper_bound(
      segment->steps, step, {}, [](const std::shared_ptr<const Step>& it) { return it->step; });
  return {segment->steps.begin(), end};
}

std::optional<StepBatch> StepHistory::batch(uint32_t step) const {
  std::shared_ptr<const Segment> segment;
  const std::vector<std::shared_ptr<const Step>> steps = steps_to(step, segment);
  if (steps.empty() || steps.back()->step != step || steps.back()->plan.empty())
    return std::nullopt;
  State state = segment->before;
  const Step& last = *steps.back();
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    steps[i]->planned.apply_to(state);
    steps[i]->finished.apply_to(state);
  }
  last.planned.apply_to(state);
  StepBatch batch;
  batch.step = step;
  batch.sequences = last.plan.sequences;
  for (const uint32_t index : last.sequences) {
    StepBatch::Tables& tables = batch.tables.emplace_back();
    for (const TableKind kind : kTableKinds)
      tables[static_cast<size_t>(kind)] =
          std::move(state.requests[index].tables[static_cast<size_t>(kind)].blocks);
  }
  return batch;
}

std::shared_ptr<const EngineSnapshot> StepHistory::restore(const EngineSnapshot& now,
                                                           uint32_t step) const {
  return restore(now, step, leaves_no_block(now));
}

std::shared_ptr<const EngineSnapshot> StepHistory::restore_held(const EngineSnapshot& now,
                                                                uint32_t step) const {
  return restore(now, step, true);
}

std::shared_ptr<const EngineSnapshot> StepHistory::restore(const EngineSnapshot& now, uint32_t step,
                                                           bool still_held) const {
  std::shared_ptr<const Segment> segment;
  const std::vector<std::shared_ptr<const Step>> steps = steps_to(step, segment);
  if (steps.empty()) return nullptr;
  State state = segment->before;
  const Step& last = *steps.back();
  for (size_t i = 0; i + 1 < steps.size(); ++i) steps[i]->apply_to(state, block_size_);
  if (!now.steps || now.steps->size() < step) return nullptr;
  if (still_held) {
    last.planned.apply_to(state);
    last.mark(state, block_size_);
    const State used = state;
    last.finished.apply_to(state);
    state.take_tables(used);
  } else {
    last.apply_to(state, block_size_);
  }
  if (now.requests.size() < state.requests.size()) return nullptr;
  return compose(now, last, std::move(state), still_held);
}

std::shared_ptr<const EngineSnapshot> StepHistory::compose(const EngineSnapshot& now,
                                                           const Step& step, State state,
                                                           bool still_held) const {
  auto shot = std::make_shared<EngineSnapshot>(now);
  shot->restored = true;
  shot->step = step.step;
  shot->layer = -1;
  shot->plan = step.plan;
  if (now.prefixes)
    shot->prefixes = history::prefix_views(state.prefixes, now.requests, block_size_);
  shot->generated_tokens = step.generated_tokens;
  shot->requests.resize(state.requests.size());
  for (size_t i = 0; i < state.requests.size(); ++i) {
    RequestView& view = shot->requests[i];
    state.requests[i].moment.turn_back(view, *texts_);
    for (const TableKind kind : kTableKinds)
      view.table(kind) = std::move(state.requests[i].tables[static_cast<size_t>(kind)]);
    BlockTableView& own = view.own_table;
    std::fill_n((own.swap_blocks.empty() ? own.blocks : own.swap_blocks).begin(),
                state.requests[i].moment.left_window, -1);
  }
  shot->blocks = std::move(state.blocks);
  shot->swap_blocks = std::move(state.swap_blocks);
  const auto end = std::ranges::upper_bound(*now.steps, step.step, {}, &StepRecord::step);
  shot->steps = std::make_shared<const std::vector<StepRecord>>(now.steps->begin(), end);
  if (!shot->steps->empty()) {
    const StepRecord& record = shot->steps->back();
    shot->free_blocks = record.free_blocks + record.cached_blocks;
    if (still_held) {
      shot->free_blocks += record.used_blocks;
      for (size_t i = 0; i < shot->blocks.size(); ++i)
        if (shot->blocks[i].ref_count > 0 && !is_null_block(*shot, static_cast<int64_t>(i)))
          --shot->free_blocks;
    }
  }
  shot->tokens_per_s = recent_tokens_per_s(*shot->steps, shot->requests);
  return shot;
}

}  // namespace attn
