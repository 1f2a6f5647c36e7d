// SPDX-License-Identifier: GPL-3.0-or-later
// What is changed inside the model for some requests, and what is kept of their residual stream.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/session/run/engine_impl.h"

namespace attn {

void Engine::Impl::StreamHook::at(ResidualSite site, int64_t of_layer, float* x, int64_t /*rows*/,
                                  int64_t width) {
  for (const PlannedSequence& planned : engine.plan.sequences) {
    const int64_t first = engine.first_row(planned),
                  count = planned.context_len + planned.query_len - first;
    const RequestExtras& wanted = engine.extras[planned.request];
    if (wanted.interventions)
      wanted.interventions->change_residual(site, of_layer, {first, count}, width, x);
    if (wanted.residual) wanted.residual->keep(site, of_layer, first, count, x);
    x += count * width;
  }
}

// What the request wants beside its tokens: interventions, and a record of its residual stream.
// Throws Error(kBadInput) for an intervention that the source cannot have, and for a residual
// stream that does not fit in memory.
RequestExtras Engine::Impl::extras_of(const ScenarioRequest& request, const Request& added) {
  RequestExtras result;
  const SourceShape& shape = source->shape();
  const std::string place =
      added.id < scenario->requests.size()
          ? place_in(*scenario, fmt::format("$.requests[{}].interventions", added.id))
          : fmt::format("request {}, interventions", added.id);
  if (!request.interventions.empty()) {
    const InterventionLimits limits{
        .shape = &shape,
        .attention = scenario->attention.type,
        .width = residual_width(*source),
        .requests =
            static_cast<int64_t>(std::max(records.own.size() + 1, scenario->requests.size())),
        .own = added.id,
        .encoder_tokens = static_cast<int64_t>(added.encoder_ids.size())};
    for (size_t i = 0; i < request.interventions.size(); ++i)
      check_intervention(request.interventions[i], limits, fmt::format("{}[{}]", place, i));
    result.interventions =
        std::make_shared<AppliedInterventions>(request.interventions, shape, *rules, place);
  }
  const ResidualRecord::Shape kept =
      residual_shape(request, *source, static_cast<int64_t>(added.prompt_ids.size()));
  if (kept.tokens > 0) {
    // The scenario's own requests were counted before the run began.
    if (added.id >= scenario->requests.size())
      ask_memory({.bytes = ResidualRecord::bytes_needed(kept),
                  .what = "the residual stream does not fit in memory",
                  .where = added.name,
                  .found = residual_text(kept),
                  .advice = "Keep fewer tokens"});
    result.residual = std::make_shared<ResidualRecord>(kept);
  }
  return result;
}

// The residual stream and the heads of a prompt that is computed alone and untouched.
std::shared_ptr<const ResidualRecord> Engine::Impl::reference_of(const Request& request) {
  const auto found = references.find({request.prompt_ids, request.encoder_ids});
  if (found != references.end()) return found->second;
  const auto tokens = static_cast<int64_t>(request.prompt_ids.size()),
             encoder = static_cast<int64_t>(request.encoder_ids.size());
  Scenario alone = *scenario;
  ScenarioRequest prompt;
  prompt.name = request.name;
  prompt.prompt = request.prompt;
  prompt.prompt_tokens = scenario->source.reads_text() ? 0 : tokens;
  prompt.encoder_tokens = scenario->source.reads_text() ? 0 : encoder;
  prompt.max_tokens = 1;
  prompt.residual = {0, tokens};
  alone.requests = {prompt};
  alone.arrivals = {};
  ScenarioEngine& settings = alone.engine;
  // Two more blocks: the null block of a sliding window, and one for the token that is sampled.
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
  Engine engine(std::move(alone), source, std::move(plain));
  engine.run_to_end();
  const Request& done = *engine.scheduler().requests().front();
  if (done.state == RequestState::kFinishedIgnored)
    throw_bad_input({"the prompt from which an intervention takes its values cannot run",
                     request.name, done.ignored_reason, "", ""});
  return references[{request.prompt_ids, request.encoder_ids}] = engine.residual(0);
}

// Called before a step: gives the interventions of its requests the values that they put in.
void Engine::Impl::find_references() {
  for (const PlannedSequence& planned : plan.sequences) {
    AppliedInterventions* applied = extras[planned.request].interventions.get();
    if (!applied || applied->has_references()) continue;
    std::shared_ptr<const ResidualRecord> own;
    std::vector<std::shared_ptr<const ResidualRecord>> others;
    if (applied->needs_own_prompt()) own = reference_of(*scheduler->find(planned.request));
    for (const int64_t other : applied->needed_requests())
      others.push_back(reference_of(*scheduler->find(static_cast<uint32_t>(other))));
    applied->set_references(std::move(own), std::move(others));
  }
}

bool Engine::Impl::plan_has_extras() const {
  return has_extras && std::ranges::any_of(plan.sequences, [this](const PlannedSequence& planned) {
           const RequestExtras& of = extras[planned.request];
           return of.interventions || of.residual;
         });
}

// The keys and values that `rows` of a sequence may see: those of the call where there is no cache,
// else copies in cached_keys and cached_values.
KeyRows Engine::Impl::key_rows(const AttentionMetadata& batch, int64_t sequence, int64_t of_layer,
                               StepRows rows) {
  const PlannedSequence& planned = plan.sequences[static_cast<size_t>(sequence)];
  const WeightRule& rule = rules->of(of_layer);
  const int64_t heads = operands.key.dim(1);
  KeyRows result;
  if (is_encoder()) {
    const int64_t begin =
        int64_t{batch.query_start_loc[static_cast<size_t>(sequence)]} * heads * operands.key.dim(2);
    return {operands.key.data<float>() + begin, operands.value.data<float>() + begin, 0, rows.count,
            operands.key.dim(2)};
  }
  const std::span<const int32_t> table =
      table_of(planned.request, rule.cross ? TableKind::kCross : TableKind::kOwn);
  const int64_t end = rule.cross ? planned.encoder_len : rows.first + rows.count;
  const int64_t size = scenario->engine.block_size;
  result.first = rule.cross ? 0 : rule.span(rows.first, end).begin;
  result.count = end - result.first;
  result.stored = cache->spec().head_size;
  std::vector<int64_t> slots;
  for (int64_t k = result.first; k < end; ++k)
    slots.push_back(int64_t{table[static_cast<size_t>(k / size)]} * size + k % size);
  const size_t floats = slots.size() * static_cast<size_t>(heads * result.stored);
  cached_keys.resize(floats);
  cached_values.resize(floats);
  backend.read_keys(cache->layer(of_layer), slots, cached_keys.data());
  backend.read_values(cache->layer(of_layer), slots, cached_values.data());
  result.key = cached_keys.data();
  result.value = cached_values.data();
  return result;
}

// After the attention of a layer: changes the rows and heads of the step, and keeps the heads.
void Engine::Impl::intervene(int64_t of_layer) {
  const AttentionMetadata& batch = *group_of(of_layer).batch;
  const int64_t heads = operands.out.dim(1), width = operands.out.dim(2);
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    const uint32_t request = batch.request(s);
    const RequestExtras& of = extras[request];
    const StepRows rows{batch.context_lens[static_cast<size_t>(s)], batch.query_len(s)};
    const int64_t begin = batch.query_start_loc[static_cast<size_t>(s)];
    float* outputs = operands.out.data<float>() + begin * heads * width;
    if (of.interventions && of.interventions->changes_rows(of_layer)) {
      float* sums = operands.lse.data<float>() + begin * heads;
      of.interventions->change_rows(
          of_layer, rows, operands.query.data<float>() + begin * heads * width,
          key_rows(batch, s, of_layer, rows), operands.narrow(), outputs, sums);
      for (int64_t head = 0; options.keep_attention && head < heads; ++head)
        records.own[request]->publish_lse(of_layer, head, rows.first, rows.count, sums + head,
                                          heads);
    }
    if (of.interventions && of.interventions->changes_heads(of_layer))
      of.interventions->change_heads(of_layer, rows, outputs);
    if (of.residual && !is_encoder_layer(of_layer))
      of.residual->keep_heads(of_layer, rows.first, rows.count, outputs);
  }
}

void Engine::Impl::publish_residual() {
  for (const PlannedSequence& planned : plan.sequences)
    if (const RequestExtras& of = extras[planned.request]; of.residual)
      of.residual->publish(first_row(planned), planned.context_len + planned.query_len);
}

// Called when a request has ended: says which of its interventions changed nothing. The sequences
// of one prompt share their interventions, so this waits for the last of them.
void Engine::Impl::tell_without_effect(const Request& request) {
  const auto& applied = extras[request.id].interventions;
  if (!applied) return;
  for (size_t id = 0; id < extras.size(); ++id) {
    const Request* other = scheduler->find(static_cast<uint32_t>(id));
    if (extras[id].interventions == applied && other && !is_finished(other->state)) return;
  }
  if (request.state == RequestState::kFinishedAborted ||
      request.state == RequestState::kFinishedIgnored)
    return;
  for (const std::string& sentence : applied->without_effect()) {
    without_effect.push_back(fmt::format("{}, {}", request.name, sentence));
    trace.warn(without_effect.back() + ".");
  }
}

void Engine::require_effect() const {
  if (impl_->without_effect.empty()) return;
  const std::vector<std::string>& all = impl_->without_effect;
  const size_t shown = std::min<size_t>(all.size(), 5);
  std::string found = fmt::format("{}", fmt::join(all.begin(), all.begin() + shown, "; "));
  if (shown < all.size()) found += fmt::format("; and {} more", all.size() - shown);
  throw Error(ErrorCode::kFailed,
              {"an intervention changed nothing", "interventions", found, "",
               "Look at its layer, head and positions: the head may add nothing there, or the "
               "positions may lie past the end of the text"});
}

}  // namespace attn
