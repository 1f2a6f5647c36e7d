// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/attention/layer_warnings.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/scheduler/arrivals.h"
#include "engine/session/run/engine_impl.h"
#include "engine/session/run/run_memory.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/scenario/prompts/request_tokens.h"
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

std::vector<AttentionGroup> make_groups(const AttentionBackend& backend,
                                        const LayerConfigs& configs) {
  std::vector<AttentionGroup> groups;
  for (const AttentionConfig& config : configs.distinct)
    groups.push_back({.config = config,
                      .impl = backend.make_impl(config),
                      .state = backend.make_state(),
                      .device = backend.device_model(padded_config(backend, config)),
                      .batch = backend.make_metadata()});
  return groups;
}

constexpr double kNsPerSecond = 1e9;
constexpr const char* kSomeTokens = "a text of which the tokenizer makes one token or more";

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
  const AttentionConfig config = layer_configs(scenario, shape).of(0);  // all have the same cache
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
      configs(layer_configs(*scenario, source->shape())),
      rules(std::make_shared<const LayerRules>(layer_rules(backend, configs))),
      groups(make_groups(backend, configs)),
      pool(num_workers(*scenario)),
      clock(scenario->engine.clock, 1 + num_workers(*scenario)),
      trace(options.recorder, clock, step, configs.cache_own()),
      cache(std::make_shared<KvStorage>(backend, checked_storage_spec())),
      manager(manager_config(), [this](const BlockChange& change) { on_block_change(change); }),
      history(make_history()),
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
      operands(source->shape(), cache->spec().dtype),
      rounding(cache->spec().dtype, source->shape().num_layers, source->shape().num_kv_heads) {
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
  for (const std::string& warning : attention_warnings(*scenario, configs.cache_own()))
    trace.warn(warning);
  if (scenario->engine.num_swap_blocks > 0 && !swap_cache)
    trace.warn(fmt::format(
        "{} cannot swap blocks to host memory, so a preempted request is computed again.",
        backend.display_name()));
  capture_plans();
  const std::vector<uint64_t> arrive = arrivals();
  for (size_t i = 0; i < arrive.size(); ++i) add(scenario->requests[i], arrive[i]);
}

// The warnings of all layers, each sentence once.
std::vector<std::string> Engine::Impl::impl_warnings() const {
  std::vector<std::string> warnings;
  for (const AttentionGroup& group : groups)
    add_new(warnings_of(backend, group.config, *group.impl), warnings);
  return warnings;
}

// The settings of the block manager: without a swap pool where the backend cannot swap, of which
// the constructor warns.
BlockManagerConfig Engine::Impl::manager_config() const {
  const ScenarioEngine& engine = scenario->engine;
  BlockManagerConfig result;
  result.block_size = engine.block_size;
  result.num_blocks = engine.num_blocks;
  if (backend.capabilities().swap) result.num_swap_blocks = engine.num_swap_blocks;
  result.prefix_caching = engine.enable_prefix_caching;
  result.watermark = engine.watermark;
  // Steps that compute all positions again write all of them, so no block leaves the window.
  if (!options.recompute) result.sliding_window = window_of_all(configs);
  return result;
}

std::shared_ptr<StepHistory> Engine::Impl::make_history() const {
  if (options.history_bytes == 0) return nullptr;
  return std::make_shared<StepHistory>(
      options.history_bytes, static_cast<size_t>(scenario->engine.num_blocks),
      static_cast<size_t>(manager.config().num_swap_blocks), scenario->engine.block_size, source);
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

// The spec of the cache, after all checks that must come before it takes memory.
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

// Warns of what the implementations say. That heads are padded, and what this costs in the cache,
// is told in one message.
void Engine::Impl::warn_of_impls() {
  const int64_t heads = source->shape().head_size, kept = cache->spec().head_size;
  for (std::string warning : impl_warnings()) {
    if (kept != heads && warning == padded_heads_sentence(kept))
      warning += ' ' + padded_cache_sentence(heads, kept);
    trace.warn(warning);
  }
}

// Captures plans for as many sequences as a step may hold, with tables for the longest one.
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
      configs.cache_own() ? captured_blocks(*scenario, source->shape().max_model_len) : 1;
  if (has_encoder())
    spec.max_cross_blocks = captured_blocks(*scenario, source->shape().max_encoder_len);
  for (AttentionGroup& group : groups) {
    if (group.config.attn_type == AttentionType::kEncoder) continue;  // it never decodes
    spec.config = group.config;
    spec.config.head_size = cache->spec().head_size;
    group.state->capture(captured_sequences(*scenario), spec, execution(kNoLayer));
  }
}

SchedulerEvents Engine::Impl::scheduler_events() {
  SchedulerEvents events;
  events.arrived = [this](const Request& request) {
    trace.instant(EventKind::kRequestQueued, request.id,
                  static_cast<uint32_t>(request.prompt_ids.size()));
  };
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

// Rows of a query tile; 0: as the kernel chooses. When a person watches a slow or stepped run, the
// longest prompt of the step comes in about 4 tiles of rows per head, of at most 96 rows each.
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

// Token ids of the prompt of the request that is added next.
std::vector<int32_t> Engine::Impl::prompt_ids(const ScenarioRequest& request) const {
  if (records.num_requests() < options.prompts.size())
    return options.prompts[records.num_requests()].ids;
  if (!scenario->source.reads_text())
    return source->prompt_ids(records.num_requests(), request.prompt_tokens);
  return known_tokens(tokens_of_texts(request, *source).own);
}

// Refuses ids that the model does not know: a tokenizer may have tokens that were added to it but
// not to the model.
std::vector<int32_t> Engine::Impl::known_tokens(std::vector<int32_t> ids) const {
  const int64_t vocab = source->shape().vocab_size;
  for (const int32_t id : ids)
    if (id >= vocab)
      throw_bad_input({"the prompt has a token that the model does not have",
                       fmt::format("request {}", records.num_requests()),
                       fmt::format("{}, token {}", quote_text(source->token_text(id)), id),
                       fmt::format("tokens 0 to {}", vocab - 1), "Remove it from the prompt"});
  return ids;
}

// Encoder tokens of the request that is added next; none without cross attention.
std::vector<int32_t> Engine::Impl::encoder_ids(const ScenarioRequest& request,
                                               const std::string& where) const {
  if (!has_encoder()) return {};
  if (records.num_requests() < options.prompts.size())
    return options.prompts[records.num_requests()].encoder_ids;
  if (source->shape().max_encoder_len < 1)
    throw_bad_input({"the source has no encoder", "$.attention.type", source->shape().name,
                     "a model with an encoder and a decoder, a synthetic source or tensors for "
                     "cross attention",
                     ""});
  if (scenario->source.reads_text()) {
    std::vector<int32_t> ids = known_tokens(tokens_of_texts(request, *source).encoder);
    if (ids.empty())
      throw_bad_input({"the prompt has no tokens for the encoder", where,
                       quote_text(request.prompt), kSomeTokens, "Type other text"});
    return ids;
  }
  if (request.encoder_tokens < 1)
    throw_bad_input({"cross attention needs the number of encoder tokens", where,
                     fmt::format("encoder_tokens {}", request.encoder_tokens), "1 or more tokens",
                     ""});
  return source->encoder_ids(records.num_requests(), request.encoder_tokens);
}

uint32_t Engine::Impl::add(const ScenarioRequest& request, std::optional<uint64_t> arrival_ns,
                           std::vector<int32_t> prompt) {
  const auto id = records.num_requests();
  const std::string where = fmt::format("request {}", id);
  if (request.max_tokens < 1)
    throw_bad_input({"max_tokens is out of range", where, fmt::format("{}", request.max_tokens),
                     "1 or more", ""});
  if (is_encoder() && request.max_tokens != 1)
    throw_bad_input({"an encoder generates no text", where, fmt::format("{}", request.max_tokens),
                     "max_tokens 1: one token is sampled from the last row of the prompt", ""});
  const int64_t vocab = source->shape().vocab_size;
  if (request.sampling.top_k < 0 || request.sampling.top_k > vocab)
    throw_bad_input({"top_k is out of range", where, fmt::format("{}", request.sampling.top_k),
                     fmt::format("0 to {}, the size of the vocabulary", vocab), ""});
  Request added;
  added.id = id;
  added.name = request.name.empty() ? where : request.name;
  if (prompt.empty()) added.prompt = request.prompt;  // else its text is that of its tokens
  added.prompt_ids = prompt.empty() ? prompt_ids(request) : std::move(prompt);
  for (const int32_t token : added.prompt_ids)
    if (scenario->source.reads_text() && (token < 0 || token >= vocab))
      throw_bad_input({"the prompt has a token that the model does not have", where,
                       fmt::format("token {}", token), fmt::format("tokens 0 to {}", vocab - 1),
                       ""});
  added.encoder_ids = encoder_ids(request, where);
  added.caches_own = configs.cache_own();
  if (added.prompt_ids.empty())
    throw_bad_input({"the prompt has no tokens", where, quote_text(request.prompt), kSomeTokens,
                     "Type other text"});
  added.max_tokens = request.max_tokens;
  added.stop_tokens = source->stop_tokens();
  added.suppressed_tokens = source->suppressed_tokens();
  added.sampling = request.sampling;
  added.arrival_ns = arrival_ns.value_or(trace.now_ns());
  added.priority = request.priority;
  added.n = request.n;
  added.beam_width = request.beam_width;
  added.length_penalty = request.length_penalty;
  added.early_stopping = request.early_stopping;
  RequestExtras wanted = extras.wanted_by(request, added);
  // Other requests must not find what a changed request writes into the cache.
  if (wanted.interventions) added.cache_key = uint64_t{id} + 1;
  records.add_request();
  extras.add_request(std::move(wanted));
  trace.add_request();
  scheduler->add(std::move(added));
  return id;
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
