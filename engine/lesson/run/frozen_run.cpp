// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/frozen_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/session/history/step_history.h"

namespace attn::lesson {

std::shared_ptr<Source> SourceCache::load(const Scenario& scenario) {
  // Sources that read no text are quick to make, so they are not kept.
  if (!scenario.source.reads_text()) return load_source(scenario);
  const std::string folder = model_folder(scenario).string();
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Source>& model = models_[folder];
  if (!model) model = load_source(scenario);
  return model;
}

Scenario frozen(Scenario scenario) {
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 2;
  scenario.view.pace_tiles_per_s = 0;
  return scenario;
}

// What is computed at first use.
struct FrozenRun::More {
  std::mutex mutex;
  std::map<std::string, CompareResult, std::less<>> others;
  std::unique_ptr<CacheCompareResult> cache;
  std::optional<Peak> peak;
};

std::shared_ptr<const FrozenRun> FrozenRun::make(const Scenario& scenario, SourceCache& sources,
                                                 RunGate* gate) {
  const Scenario fixed = frozen(scenario);
  Recorder recorder(num_workers(fixed));
  EngineOptions options;
  options.gate = gate;
  options.recorder = &recorder;
  options.history_bytes = kHistoryBytes;
  Engine engine(fixed, sources.load(fixed), options);
  int64_t steps = 0, tokens = 0;
  while (engine.has_work()) {
    if (!engine.step()) throw Error(ErrorCode::kCancelled, {"the run was stopped", "", "", "", ""});
    ++steps;
    if (!engine.steps().empty())
      tokens += engine.steps().back().prefill_tokens + engine.steps().back().decode_tokens;
    if (steps > kMostLessonSteps || tokens > kMostLessonTokens)
      throw_bad_input(
          {"the scenario is too long for a lesson", fixed.title,
           fmt::format("{} steps, {} tokens, and more to do", steps, tokens),
           fmt::format("at most {} steps and {} tokens", kMostLessonSteps, kMostLessonTokens),
           "Use shorter prompts or fewer requests"});
  }
  auto snapshot = std::make_shared<const EngineSnapshot>(engine.snapshot(EnginePhase::kFinished));
  recorder.drain();
  return std::make_shared<const FrozenRun>(std::move(snapshot), recorder.sorted());
}

FrozenRun::FrozenRun(std::shared_ptr<const EngineSnapshot> snapshot, std::vector<TraceEvent> events)
    : snapshot_(std::move(snapshot)), events_(std::move(events)), more_(std::make_unique<More>()) {}

FrozenRun::~FrozenRun() = default;

std::shared_ptr<const EngineSnapshot> FrozenRun::after(int64_t step) const {
  if (step == snapshot_->step) return snapshot_;
  if (snapshot_->history && step > 0)
    if (auto restored = snapshot_->history->restore(*snapshot_, static_cast<uint32_t>(step)))
      return restored;
  throw_bad_input({"the run has no such step", "", fmt::format("step {}", step),
                   fmt::format("1 to {}", snapshot_->step), ""});
}

std::shared_ptr<const EngineSnapshot> FrozenRun::restored_held(int64_t step) const {
  return snapshot_->history && step > 0
             ? snapshot_->history->restore_held(*snapshot_, static_cast<uint32_t>(step))
             : nullptr;
}

std::shared_ptr<const EngineSnapshot> FrozenRun::held_in(int64_t step) const {
  auto restored = restored_held(step);
  return restored ? restored : after(step);
}

namespace {

// The index with the largest number: of several the last before `most`, or else the first.
size_t largest_near(const std::vector<int64_t>& left, size_t most) {
  size_t largest = 0;
  for (size_t i = 1; i < left.size(); ++i)
    if (left[i] > left[largest] || (left[i] == left[largest] && i < most)) largest = i;
  return largest;
}

}  // namespace

FrozenRun::Peak FrozenRun::peak() const {
  const std::vector<StepRecord>& steps = *snapshot_->steps;
  if (steps.empty()) return {};
  const std::lock_guard lock(more_->mutex);
  if (more_->peak) return *more_->peak;
  std::vector<int64_t> left;  // in use after each step
  for (const StepRecord& step : steps) left.push_back(step.used_blocks);
  std::vector<int64_t> used = left;
  // A step computed with more blocks than it left in use only if a request ended with it, or if
  // blocks left the window with it.
  std::vector<uint64_t> given_back;
  for (const RequestView& request : snapshot_->requests)
    if (request.times.finished_ns) given_back.push_back(*request.times.finished_ns);
  for (const TraceEvent& event : events_)
    if (event.kind == EventKind::kBlockLeftWindow) given_back.push_back(event.begin_ns);
  std::ranges::sort(given_back);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto first = std::ranges::lower_bound(given_back, steps[i].begin_ns);
    if (first == given_back.end() || *first > steps[i].end_ns) continue;
    // The history may have dropped the step.
    if (const auto held = restored_held(steps[i].step)) used[i] = used_blocks(*held);
  }
  const auto most = static_cast<size_t>(std::ranges::max_element(used) - used.begin());
  Peak peak{steps[most].step, steps[most].step};
  // If no step left a block in use, StepHistory::restore() gives blocks as still held.
  const bool none_left = std::ranges::all_of(left, [](int64_t blocks) { return blocks == 0; });
  if (!none_left && left[most] < used[most])
    peak.step_to_show = steps[largest_near(left, most)].step;
  more_->peak = peak;
  return peak;
}

const CompareResult& FrozenRun::compared_with(const std::string& other) const {
  const std::lock_guard lock(more_->mutex);
  const auto known = more_->others.find(other);
  if (known != more_->others.end()) return known->second;
  if (other == scenario().engine.backend)
    throw_bad_input({"a backend cannot be compared with itself", "", other,
                     "another backend than that of the run", ""});
  CompareSpec spec;
  spec.scenario = scenario();
  spec.backends = {scenario().engine.backend, other};
  spec.keep_bytes = 0;
  return more_->others.emplace(other, run_compare(spec)).first->second;
}

const CacheCompareResult& FrozenRun::without_cache() const {
  const std::lock_guard lock(more_->mutex);
  if (!more_->cache)
    more_->cache = std::make_unique<CacheCompareResult>(
        compare_cache({.scenario = scenario(), .max_steps = 0}));
  return *more_->cache;
}

}  // namespace attn::lesson
