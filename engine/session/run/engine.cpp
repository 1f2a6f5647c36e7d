// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/scheduler/arrivals.h"
#include "engine/session/run/engine_impl.h"
#include "engine/session/run/parts/new_request.h"
#include "engine/session/run/run_memory.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/scenario/tensor_scenario.h"

namespace attn {
namespace {

// Checks the view's layer and head. A model's shape is known only once it is loaded.
void check_view(const Scenario& scenario, const SourceShape& shape) {
  const auto check = [&](const char* key, int64_t index, int64_t count) {
    if (index >= 0 && index < count) return;
    throw_bad_input({fmt::format("the source has no such {}", key),
                     place_in(scenario, fmt::format("$.view.{}", key)), fmt::format("{}", index),
                     fmt::format("0 to {} in {}", count - 1, shape.name), ""});
  };
  check("layer", scenario.view.layer, shape.num_layers);
  check("head", scenario.view.head, shape.num_heads);
}

SchedulerConfig scheduler_config(const Scenario& scenario, const SourceShape& shape) {
  SchedulerConfig config;
  config.max_num_batched_tokens = scenario.engine.max_num_batched_tokens;
  config.max_num_seqs = scenario.engine.max_num_seqs;
  config.max_model_len = shape.max_model_len;
  config.max_encoder_len = shape.max_encoder_len;
  config.policy = scenario.engine.policy;
  config.preemption = scenario.engine.preemption;
  config.first_fork_id = static_cast<uint32_t>(scenario.requests.size());
  return config;
}

constexpr double kNsPerSecond = 1e9;

}  // namespace

RunKeeps keeps_of(const EngineOptions& options) {
  return {.attention = options.keep_attention,
          .events = options.recorder != nullptr,
          .report = options.will_report};
}

int num_workers(const Scenario& scenario) {
  if (scenario.engine.threads > 0)
    return static_cast<int>(std::min(scenario.engine.threads, kMostWorkers));
  // A modelled run must not depend on the number of cores of this machine.
  return scenario.engine.clock == ClockKind::kVirtual
             ? 2
             : static_cast<int>(std::min<int64_t>(ThreadPool::hardware_workers(), kMostWorkers));
}

std::string modelled_device(const Scenario& scenario, const SourceShape& shape) {
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  const auto device =
      backend.device_model(padded_config(backend, layer_configs(scenario, shape).distinct.front()));
  return device ? device->name() : "";
}

LayerScales layer_scales(const Scenario& scenario, const SourceShape& shape) {
  const ScenarioEngine& engine = scenario.engine;
  LayerScales scales;
  scales.k_scale = static_cast<float>(engine.k_scale);
  scales.v_scale = static_cast<float>(engine.v_scale);
  if (cache_dtype_from_name(engine.kv_cache_dtype) != DType::kI8) return scales;
  const auto per_head = [&](const char* key, const std::vector<double>& list, float same) {
    const auto heads = static_cast<size_t>(shape.num_kv_heads);
    if (list.empty()) return std::vector<float>(heads, same);
    if (list.size() != heads)
      throw_bad_input(
          {"the number of scales is wrong", place_in(scenario, fmt::format("$.engine.{}", key)),
           fmt::format("{} scales", list.size()),
           fmt::format("{}, one per KV head of {}, or an empty list", heads, shape.name), ""});
    return std::vector<float>(list.begin(), list.end());
  };
  scales.k_head_scales = per_head("k_head_scales", engine.k_head_scales, scales.k_scale);
  scales.v_head_scales = per_head("v_head_scales", engine.v_head_scales, scales.v_scale);
  return scales;
}

KvStorageSpec storage_spec(const Scenario& scenario, const SourceShape& shape,
                           const AttentionBackend& backend) {
  const AttentionConfig config =
      layer_configs(scenario, shape).of(0);  // all layers have the same cache
  const int64_t padded = cache_head_size(backend, config);
  KvStorageSpec spec;
  spec.first_layer = shape.num_encoder_layers();
  spec.num_layers = shape.num_layers - spec.first_layer;
  spec.num_blocks = scenario.engine.num_blocks;
  spec.block_size = scenario.engine.block_size;
  spec.num_kv_heads = shape.num_kv_heads;
  spec.head_size = padded > 0 ? padded : shape.head_size;
  spec.dtype = config.kv_cache_dtype;
  spec.scales = layer_scales(scenario, shape);
  return spec;
}

Engine::Impl::Impl(Scenario scenario_in, std::shared_ptr<Source> source_in,
                   EngineOptions options_in)
    : scenario(std::make_shared<const Scenario>(std::move(scenario_in))),
      options(std::move(options_in)),
      source(std::move(source_in)),
      backend(backend_named(scenario->engine.backend)),
      groups(backend, layer_configs(*scenario, source->shape())),
      rules(std::make_shared<const LayerRules>(layer_rules(backend, groups.configs()))),
      pool(num_workers(*scenario)),
      clock(scenario->engine.clock, 1 + num_workers(*scenario)),
      cache(std::make_shared<KvStorage>(backend, checked_storage_spec())),
      manager(manager_config(), [this](const BlockChange& change) { on_block_change(change); }),
      operands(source->shape(), cache->spec().dtype),
      history(make_history()),
      trace(options.recorder, clock, step, groups.configs().cache_own()),
      blocks(manager, history.get(), step, static_cast<size_t>(scenario->engine.num_blocks)),
      records({.shape = source->shape(),
               .keeps = options.keep_attention,
               .is_encoder = is_encoder(),
               .rules = rules,
               .cache = cache,
               .manager = manager,
               .progress = options.progress}),
      extras({.scenario = scenario,
              .source = source,
              .rules = rules,
              .backend = backend,
              .cache = *cache,
              .manager = manager,
              .recompute = options.recompute}),
      rounding(cache->spec().dtype, source->shape().num_layers, source->shape().num_kv_heads),
      snapshot_parts(*source, manager) {
  if (options.recorder && options.recorder->num_lanes() < 1 + pool.num_workers())
    throw Error(ErrorCode::kFailed, {"the recorder has too few lanes", "Engine",
                                     fmt::format("{}", options.recorder->num_lanes()),
                                     fmt::format("{} or more", 1 + pool.num_workers()), ""});
  if (manager.config().num_swap_blocks > 0) {
    KvStorageSpec spec = cache->spec();
    spec.num_blocks = manager.config().num_swap_blocks;
    swap_cache = std::make_shared<KvStorage>(backend, spec);
  }
  scheduler = std::make_unique<Scheduler>(scheduler_config(*scenario, source->shape()), manager,
                                          scheduler_events());
  for (const std::string& guess : guesses_of(*scenario)) trace.warn(guess);
  for (const std::string& note : source->notes()) trace.warn(note);
  warn_of_impls();
  for (const std::string& warning : attention_warnings(*scenario, groups.configs().cache_own()))
    trace.warn(warning);
  if (scenario->engine.num_swap_blocks > 0 && !swap_cache)
    trace.warn(fmt::format(
        "{} cannot swap blocks to host memory, so a preempted request is computed again.",
        backend.display_name()));
  capture_plans();
  const std::vector<uint64_t> arrive = arrivals();
  for (size_t i = 0; i < arrive.size(); ++i) add(scenario->requests[i], arrive[i]);
}

// The spec of the cache. Makes the checks that must come before the cache takes memory.
KvStorageSpec Engine::Impl::checked_storage_spec() const {
  check_view(*scenario, source->shape());
  const KvStorageSpec spec = storage_spec(*scenario, source->shape(), backend);
  std::vector<GivenTokens> given;
  for (const EngineOptions::GivenPrompt& prompt : options.prompts)
    given.push_back({std::ssize(prompt.ids), std::ssize(prompt.encoder_ids)});
  check_run_memory(run_memory(*scenario, *source, keeps_of(options), 0, given),
                   available_memory_bytes());
  return spec;
}

// The settings of the block manager. If the backend cannot swap, there is no swap pool, and the
// constructor warns if the scenario asks for one.
BlockManagerConfig Engine::Impl::manager_config() const {
  const ScenarioEngine& engine = scenario->engine;
  BlockManagerConfig result;
  result.block_size = engine.block_size;
  result.num_blocks = engine.num_blocks;
  if (backend.capabilities().swap) result.num_swap_blocks = engine.num_swap_blocks;
  result.prefix_caching = engine.enable_prefix_caching;
  result.watermark = engine.watermark;
  // Steps that compute all positions again write all of them, so no block leaves the window.
  if (!options.recompute) result.sliding_window = window_of_all(groups.configs());
  return result;
}

std::shared_ptr<StepHistory> Engine::Impl::make_history() const {
  if (options.history_bytes == 0) return nullptr;
  return std::make_shared<StepHistory>(
      options.history_bytes, static_cast<size_t>(scenario->engine.num_blocks),
      static_cast<size_t>(manager.config().num_swap_blocks), scenario->engine.block_size, source);
}

SchedulerEvents Engine::Impl::scheduler_events() {
  SchedulerEvents events;
  events.arrived = [this](const Request& request) { trace.arrived(request); };
  events.before_free = [this](const Request& request) {
    trace.before_free(request);
    records.before_free(request);
  };
  events.scheduled = [this](const Request& request) {
    trace.instant(EventKind::kRequestScheduled, request.id, step);
  };
  events.resumed = [this](const Request& request) {
    trace.instant(EventKind::kRequestResumed, request.id, step);
  };
  events.preempted = [this](const Request& request) { trace.preempted(request); };
  events.finished = [this](const Request& request) {
    trace.tell_tokens(request);  // so that its last token comes before the end
    extras.finished(request, *scheduler, trace);
    trace.finished(request);
  };
  events.forked = [this](const Request& parent, const Request& child) {
    records.forked(parent, child);
    extras.forked(parent, child);
    trace.forked(parent, child);
  };
  return events;
}

void Engine::Impl::on_block_change(const BlockChange& change) {
  blocks.change(change, *scheduler);
  records.block_changed(change);
  trace.block_changed(change);
}

// Warns of what the implementations say. That heads are padded, and what this costs in the cache,
// is told in one message.
void Engine::Impl::warn_of_impls() {
  const int64_t heads = source->shape().head_size, kept = cache->spec().head_size;
  for (std::string warning : groups.warnings()) {
    if (kept != heads && warning == padded_heads_sentence(backend.display_name(), heads, kept))
      warning += ' ' + padded_cache_sentence(heads, kept);
    trace.warn(warning);
  }
}

// Captures plans for as many sequences as a step may hold, with tables for the longest sequence.
void Engine::Impl::capture_plans() {
  if (!scenario->engine.use_captured_plan || options.forward || is_encoder()) return;
  if (!uses_captured_plans(*scenario, backend)) {
    trace.warn(fmt::format("{} has no captured plans, so every step computes its own plan.",
                           backend.display_name()));
    return;
  }
  CaptureSpec spec;
  spec.dtype = cache->spec().dtype == DType::kBF16 ? DType::kBF16 : DType::kF32;
  spec.block_size = scenario->engine.block_size;
  spec.max_blocks_per_seq =
      groups.configs().cache_own() ? captured_blocks(*scenario, source->shape().max_model_len) : 1;
  if (has_encoder())
    spec.max_cross_blocks = captured_blocks(*scenario, source->shape().max_encoder_len);
  for (AttentionGroup& group : groups.all()) {
    // Layers of an encoder never decode.
    if (group.config.attn_type == AttentionType::kEncoder) continue;
    spec.config = group.config;
    spec.config.head_size = cache->spec().head_size;
    group.state->capture(captured_sequences(*scenario), spec, execution(kNoLayer));
  }
}

// Arrival times of the scenario's requests in their order, ns on the run's clock.
std::vector<uint64_t> Engine::Impl::arrivals() const {
  const ScenarioArrivals& arrivals = scenario->arrivals;
  const size_t count = scenario->requests.size();
  if (arrivals.kind == ArrivalKind::kPoisson)
    return poisson_arrivals(arrivals.rate_per_s, static_cast<int64_t>(count), scenario->seed);
  std::vector<uint64_t> times;
  for (const ScenarioRequest& request : scenario->requests)
    times.push_back(static_cast<uint64_t>(std::llround(request.arrival_s * kNsPerSecond)));
  return times;
}

uint32_t Engine::Impl::add(const ScenarioRequest& request, std::optional<uint64_t> arrival_ns,
                           std::vector<int32_t> prompt) {
  const uint32_t id = records.num_requests();
  Request added =
      make_request(request, {.id = id,
                             .scenario = *scenario,
                             .source = *source,
                             .given = id < options.prompts.size() ? &options.prompts[id] : nullptr,
                             .prompt = std::move(prompt)});
  added.caches_own = groups.configs().cache_own();
  added.writes_own = !is_encoder();
  added.arrival_ns = arrival_ns.value_or(trace.now_ns());
  RequestExtras wanted = extras.wanted_by(request, added);
  // Other requests must not find the blocks of a request with interventions by their prefix.
  if (wanted.interventions) added.cache_key = uint64_t{id} + 1;
  records.add_request();
  extras.add_request(std::move(wanted));
  trace.add_request();
  scheduler->add(std::move(added));
  return id;
}

EngineSnapshot Engine::Impl::snapshot(EnginePhase phase) {
  EngineSnapshot shot;
  shot.run = options.run;
  shot.phase = phase;
  shot.scenario = scenario;
  shot.source = source->shape();
  shot.residual_width = residual_width(*source);
  shot.backend_name = backend.display_name();
  shot.rules = rules;
  shot.step = step;
  shot.layer = layer;
  shot.block_size = scenario->engine.block_size;
  shot.cache_bytes = KvStorage::bytes_needed(cache->spec());
  shot.cache_head_size = cache->spec().head_size;
  shot.modelled_device = groups.modelled_device();
  for (const auto& request : scheduler->requests())
    shot.requests.push_back(snapshot_parts.request(*request, records, extras));
  shot.blocks = blocks.device();
  shot.swap_blocks = blocks.swap();
  shot.has_null_block = manager.pool(PoolKind::kDevice).has_null_block();
  shot.prefixes = snapshot_parts.prefixes();
  shot.free_blocks = manager.num_available();
  shot.generated_tokens = trace.generated_tokens();
  shot.steps = snapshot_parts.steps(steps);
  shot.history = history;
  shot.tokens_per_s = recent_tokens_per_s(*shot.steps, shot.requests);
  shot.plan = plan;
  shot.num_lanes = 1 + pool.num_workers();
  shot.modelled_time = clock.is_virtual();
  has_waited = has_waited || (options.gate && options.gate->has_waited());
  shot.slowed_or_paused = has_waited;
  shot.rounding = rounding.published();
  shot.model = std::dynamic_pointer_cast<const Model>(source);
  return shot;
}

void Engine::Impl::publish(EnginePhase phase, bool always) {
  // Publishing that may be skipped takes about 1/50 of the run's time at most.
  constexpr int64_t kCostShare = 50;
  if (!options.snapshots) return;
  const auto begin = std::chrono::steady_clock::now();
  if (!always && begin - last_publish < kCostShare * publish_cost) return;
  options.snapshots->publish(std::make_shared<const EngineSnapshot>(snapshot(phase)));
  last_publish = std::chrono::steady_clock::now();
  publish_cost = last_publish - begin;
}

Engine::Engine(Scenario scenario, EngineOptions options) {
  std::shared_ptr<Source> source = load_source(scenario, {}, keeps_of(options));
  impl_ = std::make_unique<Impl>(std::move(scenario), std::move(source), std::move(options));
}

Engine::Engine(Scenario scenario, std::shared_ptr<Source> source, EngineOptions options)
    : impl_(std::make_unique<Impl>(std::move(scenario), std::move(source), std::move(options))) {}

Engine::~Engine() = default;

bool Engine::has_work() const {
  return impl_->scheduler->has_work();
}
bool Engine::step() {
  return impl_->run_step();
}

void Engine::run_to_end() {
  while (has_work() && step()) {
  }
}

uint32_t Engine::add_request(const ScenarioRequest& request, std::vector<int32_t> prompt) {
  return impl_->add(request, {}, std::move(prompt));
}
void Engine::abort(uint32_t request) {
  impl_->scheduler->abort(request, impl_->trace.now_ns());
}
void Engine::publish_snapshot(EnginePhase phase) {
  if (phase == EnginePhase::kFinished || phase == EnginePhase::kCancelled)
    impl_->rounding.warn_of_run(impl_->trace);
  impl_->publish(phase, true);
}
void Engine::leave_out(std::chrono::nanoseconds stood) {
  impl_->clock.leave_out(kEngineLane, static_cast<uint64_t>(stood.count()));
}
void Engine::warn(const std::string& text) {
  impl_->trace.warn(text);
}

const Scenario& Engine::scenario() const {
  return *impl_->scenario;
}
const Source& Engine::source() const {
  return *impl_->source;
}
const Scheduler& Engine::scheduler() const {
  return *impl_->scheduler;
}
const KvStorage& Engine::cache() const {
  return *impl_->cache;
}
const std::vector<StepRecord>& Engine::steps() const {
  return impl_->steps;
}
EngineSnapshot Engine::snapshot(EnginePhase phase) const {
  return impl_->snapshot(phase);
}

std::shared_ptr<const ResidualRecord> Engine::residual(uint32_t request) const {
  return request < impl_->extras.num_requests() ? impl_->extras.of(request).residual : nullptr;
}

int64_t Engine::rows_without_window(uint32_t request) const {
  return impl_->records.rows_without_window(request);
}

std::shared_ptr<const AttentionRecord> Engine::attention(uint32_t request) const {
  return request < impl_->records.num_requests() ? impl_->records.own(request) : nullptr;
}

void Engine::require_effect() const {
  impl_->extras.require_effect();
}

}  // namespace attn
