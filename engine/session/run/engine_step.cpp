// SPDX-License-Identifier: GPL-3.0-or-later
// One engine step: plan, compute layer by layer, sample, account.
#include <algorithm>
#include <thread>

#include "engine/core/limits.h"
#include "engine/scheduler/sampler.h"
#include "engine/session/run/engine_impl.h"
#include "engine/session/run/parts/block_moves.h"

namespace attn {
namespace {

// Modelled time of the scheduler on the virtual clock: list handling per sequence and new block.
uint64_t schedule_cost_ns(const BatchPlan& plan) {
  const double blocks = static_cast<double>(plan.free_blocks_before - plan.free_blocks_after);
  return modelled_ns(
      0, 64.0 * static_cast<double>(plan.sequences.size()) + 32.0 * std::max(0.0, blocks));
}

// Modelled time of making the batch's metadata on the virtual clock: its integers are written once,
// and a second time if a captured plan is used.
uint64_t plan_cost_ns(const AttentionMetadata& batch, const CapturedPlan* replayed) {
  const auto bytes = [](const AttentionMetadata& m) {
    return static_cast<double>(m.slot_mapping.size() * sizeof(int64_t) +
                               (m.seq_lens.size() + m.context_lens.size() +
                                m.query_start_loc.size() + m.block_tables.size()) *
                                   sizeof(int32_t));
  };
  return modelled_ns(0, bytes(batch) + (replayed ? bytes(replayed->metadata) : 0));
}

}  // namespace

// Publishes a snapshot. A run that is paused, stepped or paced may stand still right after this, so
// its snapshot is always published; a run at full speed may skip some.
void Engine::Impl::announce() {
  const bool running = !options.gate || options.gate->state() == RunGate::State::kRunning;
  const bool full_speed = running && (!options.gate || options.gate->pace() <= 0);
  // Always published before a long prefill; otherwise its request could be shown as waiting until
  // the prefill ends.
  constexpr int64_t kLongPrefill = 256;  // tokens
  const bool is_long = layer < 0 && plan.num_prefill_tokens() >= kLongPrefill;
  publish(running ? EnginePhase::kRunning : EnginePhase::kPaused, !full_speed || is_long);
}

bool Engine::Impl::checkpoint(Granularity unit) {
  announce();
  return !options.gate || pass_gate(execution(kNoLayer), unit, kEngineLane);
}

void Engine::Impl::enter(StepProgress::Stage stage) const {
  if (options.progress) options.progress->enter(stage, layer);
}

bool Engine::Impl::run_step() {
  announce();
  // A call that only waited for an arrival has passed the gate for the step that is still to come.
  // That step does not pass it again, unless the run is paused or cancelled by then.
  const auto goes_on = [](RunGate::State now) {
    return now == RunGate::State::kRunning || now == RunGate::State::kStepping;
  };
  if (options.gate && !(passed_gate && goes_on(options.gate->state()))) {
    const RunGate::Passed passed =
        pass_gate_or_interrupt(execution(kNoLayer), Granularity::kStep, kEngineLane);
    if (passed != RunGate::Passed::kYes) return passed == RunGate::Passed::kInterrupted;
  }
  clock.join_lanes();
  passed_gate = wait_for_arrival();
  if (passed_gate) return true;
  ++step;
  if (options.progress) options.progress->begin_step(step, source->shape().num_layers);
  StepRecord record;
  record.step = step;
  record.begin_ns = trace.now_ns();
  make_plan(record);
  if (history) history->planned(*scheduler, manager, blocks.device(), blocks.swap());
  std::vector<SampledToken> sampled;
  if (!plan.empty()) {
    for (const PlannedSequence& planned : plan.sequences) prepare_record(planned);
    announce();
    if (!compute(record)) {
      undo_step();
      return false;
    }
    sampled = sample();
  }
  finish_step(record, sampled);
  return true;
}

// Waits if nothing can be done before the next arrival. The virtual clock jumps to the arrival. On
// the real clock the thread only sleeps a moment, so that commands are noticed in time; then the
// result is true, and the caller comes back.
bool Engine::Impl::wait_for_arrival() {
  const std::optional<uint64_t> next = scheduler->next_arrival_ns();
  const uint64_t now = trace.now_ns();
  if (!next || *next <= now) return false;
  if (clock.is_virtual()) {
    trace.spend(*next - now);
    return false;
  }
  constexpr uint64_t kMoment_ns = 2'000'000;
  std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(kMoment_ns, *next - now)));
  return true;
}

void Engine::Impl::make_plan(StepRecord& record) {
  const uint64_t begin = trace.now_ns();
  const BlockManager::PrefixStats before = manager.prefix_stats();
  plan = scheduler->schedule(step, begin);
  trace.spend(schedule_cost_ns(plan));
  record.schedule_ns = trace.now_ns() - begin;
  record.prefill_tokens = plan.num_prefill_tokens();
  record.decode_tokens = plan.num_decode_tokens();
  if (options.recompute) {
    record.prefill_tokens = record.decode_tokens = 0;
    for (const PlannedSequence& planned : plan.sequences)
      record.prefill_tokens += planned.context_len + planned.query_len;
  }
  record.sequences = static_cast<int64_t>(plan.sequences.size());
  record.preemptions = static_cast<int64_t>(plan.preempted.size());
  const BlockManager::PrefixStats& after = manager.prefix_stats();
  record.queried_tokens = after.queried_tokens - before.queried_tokens;
  record.hit_tokens = after.hit_tokens - before.hit_tokens;
  record.evicted_blocks = after.evicted_blocks - before.evicted_blocks;
  trace.span(EventKind::kSchedule, begin, step, scheduler->num_waiting(), scheduler->num_running(),
             manager.num_available());
  move_blocks(plan, backend, *cache, swap_cache.get(), trace, record);
  for (const uint32_t id : plan.admitted)
    if (const Request& request = *scheduler->find(id); request.num_cached > 0)
      trace.instant(EventKind::kPrefixHit, id, static_cast<uint32_t>(request.num_cached),
                    static_cast<uint32_t>(request.num_tokens()), step);
  logit_requests.clear();
  for (const PlannedSequence& planned : plan.sequences)
    if (planned.num_samples > 0) logit_requests.push_back(planned.request);
}

void Engine::Impl::prepare_record(const PlannedSequence& planned) {
  records.prepare(planned, *scheduler->find(planned.request), extras.rules_of(planned.request));
}

bool Engine::Impl::compute(StepRecord& record) {
  rounding.begin_step();
  make_metadata(record);
  groups.check_batches();
  note_rows_without_window();
  const SourceShape& shape = source->shape();
  enter(StepProgress::Stage::kBeforeLayers);
  extras.begin_step(plan, *scheduler);
  const RunExtras::Hooked hooked(extras);
  if (!source->begin_step(step_tokens(), execution(kNoLayer))) return false;
  for (int64_t i = 0; i < shape.num_layers; ++i) {
    // The encoder's layers run only in steps with prompts, which bring them tokens.
    if (groups.of(i).batch->num_tokens() == 0) continue;
    layer = static_cast<int>(i);
    if (!checkpoint(Granularity::kLayer) || !compute_layer(i, record)) return false;
    trace.drain();
  }
  layer = -1;
  enter(StepProgress::Stage::kAfterLayers);
  rounding.warn_of_step(trace);
  if (!source->end_step(logits, execution(kNoLayer))) return false;
  extras.end_step();
  return true;
}

// Makes the metadata of the batch, and records a task for it.
void Engine::Impl::make_metadata(StepRecord& record) {
  const uint64_t begin = trace.now_ns();
  plan_slices();
  record.captured_rows = 0;
  for (AttentionGroup& group : groups.all()) {
    AttentionMetadata& batch = *group.batch;
    AttentionState& state = *group.state;
    attn::make_metadata(slices_of(group), scenario->engine.block_size, state.is_captured(), batch);
    state.begin_forward(batch);
    const CapturedPlan* replayed =
        batch.use_captured_plan ? state.replay(batch, execution(kNoLayer)) : nullptr;
    trace.spend(plan_cost_ns(batch, replayed));
    if (replayed) record.captured_rows = replayed->batch;
  }
  record.plan_ns = trace.now_ns() - begin;
  const KernelId kernel = record.captured_rows > 0 ? KernelId::kPlanReplay : KernelId::kPlan;
  trace.span(EventKind::kTask, begin, static_cast<uint32_t>(kernel), step, 0,
             groups.own_batch().num_tokens());
}

void Engine::Impl::plan_slices() {
  fill_slices(
      plan.sequences, has_encoder(),
      [this](size_t i, TableKind kind) {
        return manager.blocks(table_id(plan.sequences[i].request, kind));
      },
      slices);
  for (SequenceSlice& slice : slices) {
    if (!options.recompute) break;
    slice.query_len += slice.context_len;
    slice.context_len = 0;
    slice.is_prefill = true;
  }
  if (records.num_encoder_layers() > 0) fill_encoder_slices(slices, encoder_slices);
}

std::span<const SequenceSlice> Engine::Impl::slices_of(const AttentionGroup& group) const {
  return group.config.attn_type == AttentionType::kEncoder ? encoder_slices : slices;
}

// How many rows of a prompt ignore the window is known only with the batch. The rule of a record
// cannot change, so a request with another number gets a new record.
void Engine::Impl::note_rows_without_window() {
  for (const AttentionGroup& group : groups.all()) {
    if (!group.config.alibi_slopes || !group.config.sliding_window) continue;
    for (int64_t s = 0; s < group.batch->num_seqs(); ++s) {
      const PlannedSequence& planned = plan.sequences[static_cast<size_t>(s)];
      const int64_t context = group.batch->context_lens[static_cast<size_t>(s)];
      const int64_t known = records.rows_without_window(planned.request);
      // Rows that follow a context obey the window.
      int64_t rows = context > 0 ? std::min(known, context)
                                 : backend.rows_without_window(group.config, *group.batch, s);
      if (options.recompute && rows > 0) rows = kMostPositions;  // every step is a prompt
      if (rows == known) continue;
      if (const auto& applied = extras.of(planned.request).interventions)
        applied->set_rows_without_window(rows);
      records.set_rows_without_window(planned.request, rows);
      prepare_record(planned);
    }
  }
}

StepTokens Engine::Impl::step_tokens() const {
  StepTokens tokens;
  tokens.has_encoder = has_encoder();
  for (const PlannedSequence& planned : plan.sequences) {
    const Request& request = *scheduler->find(planned.request);
    // Prefills come first in the plan and in the batch, so the encoder's rows are in the batch's
    // order.
    for (int32_t i = 0; planned.is_prefill && i < planned.encoder_len; ++i) {
      tokens.encoder_ids.push_back(request.encoder_ids[static_cast<size_t>(i)]);
      tokens.encoder_positions.push_back(i);
    }
    if (has_encoder())
      tokens.encoder_lens.insert(tokens.encoder_lens.end(), static_cast<size_t>(planned.query_len),
                                 static_cast<int32_t>(planned.encoder_len));
    const int64_t end = planned.context_len + planned.query_len;
    for (int64_t position = options.recompute ? 0 : planned.context_len; position < end;
         ++position) {
      tokens.token_ids.push_back(request.token(position));
      tokens.positions.push_back(static_cast<int32_t>(position));
      tokens.requests.push_back(planned.request);
    }
    if (planned.num_samples > 0)
      tokens.logit_rows.push_back(static_cast<int64_t>(tokens.token_ids.size()) - 1);
  }
  return tokens;
}

bool Engine::Impl::compute_layer(int64_t layer_index, StepRecord& record) {
  const Execution run = execution(static_cast<uint8_t>(layer_index));
  const AttentionGroup& group = groups.of(layer_index);
  const SourceShape& shape = source->shape();
  enter(StepProgress::Stage::kBeforeAttention);
  const bool cross = group.config.attn_type == AttentionType::kEncoderDecoder;
  const int64_t tokens = group.batch->num_tokens();
  operands.resize(tokens, cross ? *group.batch->num_encoder_tokens : tokens);
  if (!source->qkv(layer_index, operands.query, operands.key, operands.value, run)) return false;
  const bool of_encoder = is_encoder_layer(layer_index), caches = !of_encoder && !is_encoder();
  const LayerScales& scales = cache->spec().scales;
  if (operands.narrow())
    operands.round_to_narrow(caches);
  else if (caches)
    rounding.round_rows(layer_index, scales, operands.key, operands.value);
  records.keep_queries(layer_index, *group.batch, operands);
  AttentionInputs inputs;
  inputs.state = group.state.get();
  inputs.layer = static_cast<int>(layer_index);
  if (!of_encoder) inputs.kv_cache = cache->layer(layer_index);
  inputs.scales = scales;
  AttentionOutputs outputs;
  operands.give_to(inputs, outputs);
  // New keys are first written in the first layer that reads their table. The blocks are marked
  // before its attention, so that nobody who stops in it sees them as empty or never written.
  const TableKind kind = cross ? TableKind::kCross : TableKind::kOwn;
  if (!of_encoder && layer_index == groups.first_layer_of(kind, records.num_encoder_layers()))
    blocks.mark_used(plan, kind);
  if (options.progress) options.progress->begin_attention(layer, tokens * shape.num_heads);
  const uint64_t begin = trace.now_ns();
  const bool computed = options.forward ? options.forward(inputs, *group.batch, outputs, run)
                                        : group.impl->forward(inputs, *group.batch, outputs, run);
  if (!computed) return false;
  clock.join_lanes();
  record.attention_ns += trace.now_ns() - begin;
  enter(StepProgress::Stage::kAfterAttention);
  if (operands.narrow()) operands.widen_output();
  extras.change_layer(layer_index, *group.batch, operands, records);
  records.publish_missing_rows(layer_index, *group.batch, operands.lse);
  nan_watch.look(layer_index, operands, *group.batch, *scheduler, trace);
  return source->attention_output(layer_index, operands.out, run);
}

std::vector<SampledToken> Engine::Impl::sample() {
  std::vector<SampledToken> sampled;
  if (logit_requests.empty()) return sampled;
  if (options.on_logits) options.on_logits(logits, logit_requests);
  const int64_t vocab = source->shape().vocab_size;
  clock.join_lanes();
  const uint64_t begin = trace.now_ns();
  const float* row = logits.data<float>();
  for (const PlannedSequence& planned : plan.sequences) {
    if (planned.num_samples == 0) continue;
    const std::span<const float> row_logits(row, static_cast<size_t>(vocab));
    nan_watch.require_numbers(*scheduler->find(planned.request), row_logits);
    sample_sequence(planned, row_logits, sampled);
    trace.spend(modelled_ns(static_cast<double>(vocab), 4.0 * static_cast<double>(vocab)));
    row += vocab;
  }
  trace.span(EventKind::kKernel, begin, static_cast<uint32_t>(KernelId::kSample), step,
             static_cast<int64_t>(logit_requests.size()),
             static_cast<int64_t>(logit_requests.size()));
  return sampled;
}

// Takes from one row of logits the best tokens of a beam, or as many draws as there are samples.
void Engine::Impl::sample_sequence(const PlannedSequence& planned, std::span<const float> row,
                                   std::vector<SampledToken>& sampled) {
  const Request& request = *scheduler->find(planned.request);
  if (request.is_beam()) {
    const std::vector<SampledToken> best =
        best_tokens(row, planned.num_samples, request.suppressed_tokens);
    sampled.insert(sampled.end(), best.begin(), best.end());
    return;
  }
  for (int64_t i = 0; i < planned.num_samples; ++i)
    sampled.push_back(
        {sample_token(row, planned.num_samples > 1 ? sampling_of(request, i) : request.sampling,
                      request.num_tokens(), request.suppressed_tokens),
         0});
}

// Called when the gate cancelled a step: its rows are computed again if the run goes on.
void Engine::Impl::undo_step() {
  blocks.touch_planned(plan, *scheduler);
  scheduler->discard(plan);
  for (const PlannedSequence& planned : plan.sequences) {
    records.forget(planned);
    extras.forget(planned);
  }
  layer = -1;
  --step;
  trace.drain();
}

void Engine::Impl::finish_step(StepRecord& record, std::span<const SampledToken> sampled) {
  clock.join_lanes();
  if (!plan.empty()) rounding.keep_step();
  scheduler->update(plan, sampled, trace.now_ns());
  for (const auto& request : scheduler->requests()) trace.tell_tokens(*request);
  record.end_ns = trace.now_ns();
  // After the step's own time was taken, so that the time of this computation is not part of it.
  if (!plan.empty()) record.modelled_device_ns = groups.device_ns(scenario->engine.block_size);
  record.waiting = scheduler->num_waiting();
  record.running = scheduler->num_running();
  record.swapped = scheduler->num_swapped();
  const BlockPool& device = manager.pool(PoolKind::kDevice);
  record.free_blocks = device.num_free();
  record.cached_blocks = device.num_evictable();
  record.used_blocks = device.num_used();
  record.wasted_slots = record.used_blocks * scenario->engine.block_size - blocks.filled_slots();
  record.saved_blocks = blocks.table_entries() - record.used_blocks;
  record.swap_blocks_used = swap_cache ? manager.pool(PoolKind::kSwap).num_used() : 0;
  steps.push_back(record);
  if (history)
    history->finished(step, plan, trace.generated_tokens(), *scheduler, manager, blocks.device(),
                      blocks.swap());
  trace.span(EventKind::kStep, record.begin_ns, step, record.prefill_tokens, record.decode_tokens,
             record.sequences, record.end_ns);
  if (!scheduler->has_work()) rounding.warn_of_run(trace);
  trace.drain();
  if (options.progress) options.progress->end_step();
  announce();
}

Execution Engine::Impl::execution(uint8_t layer_in) {
  Execution result;
  result.pool = &pool;
  result.recorder = options.recorder;
  result.clock = &clock;
  result.gate = options.gate;
  result.rows = records.sink();
  result.row_states = options.row_states;
  result.step = step;
  result.layer = layer_in;
  result.query_tile_rows = query_tile_rows();
  return result;
}

// Rows of a query tile; 0: as the kernel chooses. In a slow, stepped or paused run a tile has a
// quarter of the most rows that the step computes of a sequence, at most 96.
int64_t Engine::Impl::query_tile_rows() const {
  constexpr double kFastPace = 5000;  // tiles per second; nobody can follow more
  if (!options.gate) return 0;
  const double pace = options.gate->pace();
  const bool watched =
      (pace > 0 && pace < kFastPace) || options.gate->state() != RunGate::State::kRunning;
  if (!watched) return 0;
  int64_t longest = 1;
  for (const PlannedSequence& planned : plan.sequences)
    longest = std::max(longest, planned.query_len);
  return std::clamp<int64_t>((longest + 3) / 4, 1, 96);
}

}  // namespace attn
