// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/run_extras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/session/intervene/same_target.h"
#include "engine/session/run/engine.h"

namespace attn {

RunExtras::RunExtras(Run run)
    : run_(std::move(run)), num_encoder_layers_(run_.source->shape().num_encoder_layers()) {}

RequestExtras RunExtras::wanted_by(const ScenarioRequest& request, const Request& added) const {
  RequestExtras result;
  const Scenario& scenario = *run_.scenario;
  const SourceShape& shape = run_.source->shape();
  const bool is_listed = added.id < scenario.requests.size();
  const std::string path = is_listed ? fmt::format("$.requests[{}].interventions", added.id)
                                     : fmt::format("request {}, interventions", added.id);
  const std::string place = is_listed ? place_in(scenario, path) : path;
  if (!request.interventions.empty()) {
    const InterventionLimits limits{
        .shape = &shape,
        .attention = scenario.attention.type,
        .width = residual_width(*run_.source),
        .requests = static_cast<int64_t>(std::max(extras_.size() + 1, scenario.requests.size())),
        .own = added.id,
        .encoder_tokens = static_cast<int64_t>(added.encoder_ids.size())};
    for (size_t i = 0; i < request.interventions.size(); ++i)
      check_intervention(request.interventions[i], limits, fmt::format("{}[{}]", place, i));
    check_targets(request.interventions, place, path);
    result.interventions =
        std::make_shared<AppliedInterventions>(request.interventions, shape, *run_.rules, place);
  }
  const ResidualRecord::Shape kept =
      residual_shape(request, *run_.source, static_cast<int64_t>(added.prompt_ids.size()));
  if (kept.tokens > 0) {
    // The scenario's own requests were counted before the run began.
    if (added.id >= scenario.requests.size())
      ask_memory({.bytes = ResidualRecord::bytes_needed(kept),
                  .what = "the residual stream does not fit in memory",
                  .where = added.name,
                  .found = residual_text(kept),
                  .advice = "Keep fewer tokens"});
    result.residual = std::make_shared<ResidualRecord>(kept);
  }
  return result;
}

void RunExtras::add_request(RequestExtras wanted) {
  has_any_ = has_any_ || wanted.interventions || wanted.residual;
  extras_.push_back(std::move(wanted));
}

void RunExtras::forked(const Request& parent, const Request& child) {
  if (extras_.size() <= child.id) extras_.resize(child.id + 1);
  extras_[child.id].interventions = extras_[parent.id].interventions;
  if (extras_[parent.id].residual) extras_[child.id].residual = extras_[parent.id].residual->fork();
}

const LayerRules& RunExtras::rules_of(uint32_t request) const {
  const AppliedInterventions* applied = extras_[request].interventions.get();
  return applied ? applied->rules() : *run_.rules;
}

void RunExtras::begin_step(const BatchPlan& plan, const Scheduler& scheduler) {
  const auto has_extras = [this](const PlannedSequence& planned) {
    const RequestExtras& of = extras_[planned.request];
    return of.interventions || of.residual;
  };
  plan_ = has_any_ && std::ranges::any_of(plan.sequences, has_extras) ? &plan : nullptr;
  if (!plan_) return;
  for (const PlannedSequence& planned : plan.sequences) {
    AppliedInterventions* applied = extras_[planned.request].interventions.get();
    if (!applied || applied->has_references()) continue;
    std::shared_ptr<const ResidualRecord> own;
    std::vector<std::shared_ptr<const ResidualRecord>> others;
    if (applied->needs_own_prompt()) own = reference_of(*scheduler.find(planned.request));
    for (const int64_t other : applied->needed_requests())
      others.push_back(reference_of(*scheduler.find(static_cast<uint32_t>(other))));
    applied->set_references(std::move(own), std::move(others));
  }
}

// The residual stream and the heads of a prompt that is computed alone, without interventions.
std::shared_ptr<const ResidualRecord> RunExtras::reference_of(const Request& request) {
  const auto found = references_.find({request.prompt_ids, request.encoder_ids});
  if (found != references_.end()) return found->second;
  const auto tokens = static_cast<int64_t>(request.prompt_ids.size()),
             encoder = static_cast<int64_t>(request.encoder_ids.size());
  Scenario alone = *run_.scenario;
  const bool reads_text = alone.source.reads_text();
  ScenarioRequest prompt;
  prompt.name = request.name;
  prompt.prompt = request.prompt;
  prompt.prompt_tokens = reads_text ? 0 : tokens;
  prompt.encoder_tokens = reads_text ? 0 : encoder;
  prompt.max_tokens = 1;
  prompt.residual = {0, tokens};
  alone.requests = {prompt};
  alone.arrivals = {};
  ScenarioEngine& settings = alone.engine;
  // Two blocks to spare; a sliding window takes one of them as the null block.
  settings.num_blocks = (tokens + settings.block_size) / settings.block_size +
                        (encoder + settings.block_size - 1) / settings.block_size + 2;
  settings.max_num_batched_tokens = std::max(settings.max_num_batched_tokens, tokens);
  settings.max_num_seqs = 1;
  settings.policy = SchedulingPolicy::kPrefillFirst;
  settings.preemption = PreemptionMode::kRecompute;
  settings.num_swap_blocks = 0;
  settings.enable_prefix_caching = false;
  settings.watermark = 0;
  settings.use_captured_plan = false;
  settings.clock = ClockKind::kReal;
  // Without a gate: whoever steps through the run does not want to step through this.
  EngineOptions plain;
  plain.keep_attention = false;
  plain.prompts = {{request.prompt_ids, request.encoder_ids}};
  Engine engine(std::move(alone), run_.source, std::move(plain));
  engine.run_to_end();
  const Request& done = *engine.scheduler().requests().front();
  if (done.state == RequestState::kFinishedIgnored)
    throw_bad_input({"the prompt from which an intervention takes its values cannot run",
                     request.name, done.ignored_reason, "", ""});
  return references_[{request.prompt_ids, request.encoder_ids}] = engine.residual(0);
}

RunExtras::Hooked::Hooked(RunExtras& extras)
    : model_(extras.plan_ ? dynamic_cast<Model*>(extras.run_.source.get()) : nullptr) {
  if (model_) model_->set_hook(&extras);
}

RunExtras::Hooked::~Hooked() {
  if (model_) model_->set_hook(nullptr);
}

void RunExtras::at(ResidualSite site, int64_t layer, float* x, int64_t /*rows*/, int64_t width) {
  for (const PlannedSequence& planned : plan_->sequences) {
    const int64_t first = first_row(planned),
                  count = planned.context_len + planned.query_len - first;
    const RequestExtras& wanted = extras_[planned.request];
    if (wanted.interventions)
      wanted.interventions->change_residual(site, layer, {first, count}, width, x);
    if (wanted.residual) wanted.residual->keep(site, layer, first, count, x);
    x += count * width;
  }
}

// The keys and values that `rows` of a sequence may see: those of the call where there is no cache,
// else copies in cached_keys_ and cached_values_.
KeyRows RunExtras::key_rows(const AttentionMetadata& batch, int64_t sequence, int64_t layer,
                            StepRows rows, const LayerOperands& operands) {
  const PlannedSequence& planned = plan_->sequences[static_cast<size_t>(sequence)];
  const WeightRule& rule = run_.rules->of(layer);
  const Tensor& key = operands.key;
  const int64_t heads = key.dim(1);
  KeyRows result;
  if (caches_nothing()) {
    const int64_t begin =
        int64_t{batch.query_start_loc[static_cast<size_t>(sequence)]} * heads * key.dim(2);
    return {key.data<float>() + begin, operands.value.data<float>() + begin, 0, rows.count,
            key.dim(2)};
  }
  const std::span<const int32_t> table = run_.manager.blocks(
      table_id(planned.request, rule.cross ? TableKind::kCross : TableKind::kOwn));
  const int64_t end = rule.cross ? planned.encoder_len : rows.first + rows.count;
  const int64_t size = run_.scenario->engine.block_size;
  result.first = rule.cross ? 0 : rule.span(rows.first, end).begin;
  result.count = end - result.first;
  result.stored = run_.cache.spec().head_size;
  std::vector<int64_t> slots;
  for (int64_t k = result.first; k < end; ++k)
    slots.push_back(int64_t{table[static_cast<size_t>(k / size)]} * size + k % size);
  const size_t floats = slots.size() * static_cast<size_t>(heads * result.stored);
  cached_keys_.resize(floats);
  cached_values_.resize(floats);
  run_.backend.read_keys(run_.cache.layer(layer), slots, cached_keys_.data());
  run_.backend.read_values(run_.cache.layer(layer), slots, cached_values_.data());
  result.key = cached_keys_.data();
  result.value = cached_values_.data();
  return result;
}

void RunExtras::change_layer(int64_t layer, const AttentionMetadata& batch, LayerOperands& operands,
                             const RunRecords& records) {
  if (!plan_) return;
  Tensor& out = operands.out;
  const int64_t heads = out.dim(1), width = out.dim(2);
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    const uint32_t request = batch.request(s);
    const RequestExtras& of = extras_[request];
    const StepRows rows{batch.context_lens[static_cast<size_t>(s)], batch.query_len(s)};
    const int64_t begin = batch.query_start_loc[static_cast<size_t>(s)];
    float* outputs = out.data<float>() + begin * heads * width;
    if (of.interventions && of.interventions->changes_rows(layer)) {
      float* sums = operands.lse.data<float>() + begin * heads;
      of.interventions->change_rows(
          layer, rows, operands.query.data<float>() + begin * heads * width,
          key_rows(batch, s, layer, rows, operands), operands.narrow(), outputs, sums);
      for (int64_t head = 0; records.keeps() && head < heads; ++head)
        records.own(request)->publish_lse(layer, head, rows.first, rows.count, sums + head, heads);
    }
    if (of.interventions && of.interventions->changes_heads(layer))
      of.interventions->change_heads(layer, rows, outputs);
    if (of.residual && layer >= num_encoder_layers_)
      of.residual->keep_heads(layer, rows.first, rows.count, outputs);
  }
}

void RunExtras::end_step() {
  if (!plan_) return;
  for (const PlannedSequence& planned : plan_->sequences)
    if (const RequestExtras& of = extras_[planned.request]; of.residual)
      of.residual->publish(first_row(planned), planned.context_len + planned.query_len);
}

void RunExtras::forget(const PlannedSequence& planned) {
  if (const auto& residual = extras_[planned.request].residual)
    residual->forget_rows(planned.context_len);
}

void RunExtras::finished(const Request& request, const Scheduler& scheduler,
                         const RunTrace& trace) {
  const auto& applied = extras_[request.id].interventions;
  if (!applied) return;
  for (size_t id = 0; id < extras_.size(); ++id) {
    const Request* other = scheduler.find(static_cast<uint32_t>(id));
    if (extras_[id].interventions == applied && other && !is_finished(other->state)) return;
  }
  if (request.state == RequestState::kFinishedAborted ||
      request.state == RequestState::kFinishedIgnored)
    return;
  for (const std::string& sentence : applied->without_effect()) {
    without_effect_.push_back(fmt::format("{}, {}", request.name, sentence));
    trace.warn(without_effect_.back() + ".");
  }
}

void RunExtras::require_effect() const {
  if (without_effect_.empty()) return;
  const std::vector<std::string>& all = without_effect_;
  const size_t shown = std::min<size_t>(all.size(), 5);
  std::string found = fmt::format("{}", fmt::join(all.begin(), all.begin() + shown, "; "));
  if (shown < all.size()) found += fmt::format("; and {} more", all.size() - shown);
  throw Error(ErrorCode::kFailed,
              {"an intervention changed nothing", "interventions", found, "",
               "Look at its layer, head and positions: the head may add nothing there, or the "
               "positions may lie past the end of the text"});
}

}  // namespace attn
