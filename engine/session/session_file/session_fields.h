// SPDX-License-Identifier: GPL-3.0-or-later
// The structs of a run in a session file: archive_x(archive, x, ...) writes with PutBytes and reads
// with TakeBytes. For code that saves or loads sessions.
#pragma once

#include "engine/core/limits.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/snapshot.h"
#include "engine/session/session_file/session_bytes.h"

namespace attn {

inline constexpr int64_t kRequestStates = static_cast<int64_t>(RequestState::kFinishedIgnored) + 1;

// The output text where a source reads no text: the texts of the tokens [prompt_len, num_tokens),
// with or without spaces between.
inline std::string joined_output(const RequestView& request, int64_t num_tokens, bool spaces) {
  std::string output;
  bool has_text = false;  // whether an earlier token has text
  for (int64_t i = 0; i < num_tokens; ++i) {
    const std::string& text = (*request.tokens)[static_cast<size_t>(i)].text;
    if (i >= request.prompt_len) {
      if (spaces && has_text) output += ' ';
      output += text;
    }
    has_text = has_text || !text.empty();
  }
  return output;
}

inline void set_tables(SessionLimits& limits, const SourceShape& source, const Scenario& scenario) {
  limits.has_encoder = scenario.attention.type == AttentionType::kEncoderDecoder;
  limits.writes_own = scenario.attention.type != AttentionType::kEncoderOnly;
  limits.caches_own = false;
  for (int64_t layer = 0; layer < source.num_layers; ++layer)
    limits.caches_own = limits.caches_own || (!source.is_encoder(layer) &&
                                              !source.is_cross(layer, scenario.attention.type));
}

template <class A, class Id>
void archive_request_id(A& a, Id& id, const SessionLimits& limits, const char* name) {
  a.number(id, 0, kMostId, name);
  if constexpr (A::kReads)
    if (!limits.knows(id))
      a.refuse("no request has this number", name, std::to_string(id), "a request of the run");
}

template <class A, class Block>
void archive_block(A& a, Block& block, int64_t pool_blocks, const char* name) {
  a.index(block, pool_blocks, name);
}

template <class A, class View>
void archive_block_view(A& a, View& view, const SessionLimits& limits) {
  a.number(view.owner, -1, kMostId, "owner");
  if constexpr (A::kReads)
    if (view.owner >= 0 && !limits.knows(static_cast<uint32_t>(view.owner)))
      a.refuse("block belongs to no request of the run", "owner", std::to_string(view.owner),
               "a request of the run, or none");
  if (limits.has_both_tables())
    a.flag(view.cross, "block of an encoder");
  else if constexpr (A::kReads)
    view.cross = limits.has_encoder && view.owner >= 0;
  a.number(view.ref_count, 0, kMostId, "tables that hold the block");
  a.number(view.logical, -1, kMostId, "place in the table");
  a.number(view.filled, 0, limits.block_size, "filled slots");
  a.number(view.allocated_step, 0, kMostStep, "step of allocation");
  a.number(view.last_read_step, 0, kMostStep, "step of the last read");
  a.number(view.last_write_step, 0, kMostStep, "step of the last write");
  a.flag(view.hashed, "found by its prefix");
}

template <class A, class Moves>
void archive_moves(A& a, Moves& moves, int64_t from_blocks, int64_t to_blocks, const char* name) {
  a.list(moves, kMostCount, name, [&](auto& move) {
    archive_block(a, move.from, from_blocks, name);
    archive_block(a, move.to, to_blocks, name);
  });
}

template <class A, class Plan>
void archive_plan(A& a, Plan& plan, const SessionLimits& limits) {
  const auto requests = [&](auto& list, const char* name) {
    a.list(list, kMostCount, name,
           [&](auto& request) { archive_request_id(a, request, limits, name); });
  };
  a.number(plan.step, 0, kMostStep, "step of the plan");
  a.list(plan.sequences, kMostCount, "planned sequences", [&](auto& planned) {
    archive_request_id(a, planned.request, limits, "planned request");
    a.number(planned.context_len, 0, kMostId, "context length");
    a.number(planned.query_len, 1, kMostId, "query length");
    a.flag(planned.is_prefill, "prefill");
    a.number(planned.num_samples, 0, kMostId, "samples");
    if (limits.has_encoder) a.number(planned.encoder_len, 1, kMostId, "encoder tokens");
    if constexpr (A::kReads) {
      planned.caches_own = limits.caches_own;
      planned.writes_own = limits.writes_own;
    }
  });
  requests(plan.admitted, "admitted");
  a.list(plan.preempted, kMostCount, "preempted", [&](auto& preemption) {
    archive_request_id(a, preemption.request, limits, "preempted");
    a.number(preemption.how, 0, static_cast<int64_t>(PreemptionMode::kSwap), "preempted how");
  });
  requests(plan.swapped_in, "swapped in");
  requests(plan.ignored, "ignored");
  a.list(plan.forked, kMostCount, "forked", [&](auto& fork) {
    archive_request_id(a, fork.parent, limits, "parent");
    archive_request_id(a, fork.child, limits, "child");
  });
  requests(plan.finished, "finished");
  archive_moves(a, plan.swap_out_moves, limits.num_blocks, limits.num_swap_blocks, "swapped out");
  archive_moves(a, plan.swap_in_moves, limits.num_swap_blocks, limits.num_blocks, "swapped in");
  archive_moves(a, plan.copies, limits.num_blocks, limits.num_blocks, "copies");
  a.number(plan.free_blocks_before, 0, kMostCount, "free blocks before");
  a.number(plan.free_blocks_after, 0, kMostCount, "free blocks after");
}

template <class A, class Snapshot>
void archive_shape(A& a, Snapshot& shot) {
  auto& shape = shot.source;
  a.text(shape.name, "name of the source");
  a.number(shape.num_layers, 1, kMostLayers, "layers");
  a.number(shape.num_heads, 1, kMostHeads, "query heads");
  a.number(shape.num_kv_heads, 1, kMostHeads, "KV heads");
  a.number(shape.head_size, 1, kMostHeadSize, "head size");
  a.real(shape.scale, "scale");
  a.number(shape.vocab_size, 0, std::numeric_limits<int32_t>::max(), "vocabulary");
  a.number(shape.max_model_len, 0, kMostCount, "longest sequence");
  if constexpr (A::kReads)
    if (shape.num_heads % shape.num_kv_heads != 0)
      a.refuse("KV heads do not divide the query heads", "KV heads",
               std::to_string(shape.num_kv_heads),
               "a divisor of " + std::to_string(shape.num_heads));
}

// The list has one value per query head, or none.
template <class A, class Values>
void archive_per_head(A& a, Values& values, int64_t num_heads, const char* name) {
  a.list(values, static_cast<uint64_t>(num_heads), name, [&](auto& value) { a.real(value, name); });
  if constexpr (A::kReads)
    if (!values.empty() && values.size() != static_cast<size_t>(num_heads))
      a.refuse("there is not one value per query head", name, std::to_string(values.size()),
               std::to_string(num_heads) + ", or none");
}

template <class A, class Bias>
void archive_relative_bias(A& a, Bias& bias, int64_t num_heads) {
  int64_t before = bias.before(), after = bias.after();
  std::vector<float> values;
  if constexpr (!A::kReads)
    if (!bias.empty()) values = bias.values();
  a.number(before, 0, kMostPositions, "distances before a query");
  a.number(after, 0, kMostPositions, "distances after a query");
  const int64_t count = num_heads * (before + 1 + after);
  a.list(values, static_cast<uint64_t>(count), "relative bias",
         [&](auto& value) { a.real(value, "relative bias"); });
  if constexpr (A::kReads) {
    if (values.empty()) return;
    if (std::ssize(values) != count)
      a.refuse("there is not one bias per query head and distance", "relative bias",
               std::to_string(values.size()), std::to_string(count) + ", or none");
    bias = RelativeBias(before, after, std::move(values));
  }
}

// has_relative_bias: files before version 8 lack it.
template <class A, class Rule>
void archive_rule(A& a, Rule& rule, int64_t num_heads, bool has_relative_bias) {
  a.flag(rule.causal, "masks later keys");
  a.number(rule.sliding_window, 0, kMostCount, "sliding window");
  a.real(rule.soft_cap, "soft cap");
  archive_per_head(a, rule.alibi_slopes, num_heads, "ALiBi slopes");
  archive_per_head(a, rule.sinks, num_heads, "sinks");
  a.maybe(rule.blocksparse, "block-sparse", [&](auto& sparse) {
    a.number(sparse.local_blocks, 0, kMostCount, "local blocks");
    a.number(sparse.vert_stride, 1, kMostCount, "vertical stride");
    a.number(sparse.block_size, 1, kMostCount, "block-sparse block size");
    a.number(sparse.head_sliding_step, -kMostCount, kMostCount, "head sliding step");
  });
  if (has_relative_bias) archive_relative_bias(a, rule.relative_bias, num_heads);
}

// What the source says of one attention layer, without its relative bias, which the rule has.
// has_type: false for files of version 2.
template <class A, class Call>
void archive_call(A& a, Call& call, int64_t num_heads, bool has_type) {
  a.text(call.label, "label of a layer");
  if (has_type)
    a.maybe(call.type, "type of a layer", [&](auto& type) {
      a.number(type, 0, static_cast<int64_t>(AttentionType::kEncoderDecoder), "type of a layer");
    });
  a.maybe(call.sliding_window, "sliding window",
          [&](auto& window) { a.number(window, 0, kMostCount, "sliding window"); });
  a.maybe(call.logits_soft_cap, "soft cap", [&](auto& cap) { a.real(cap, "soft cap"); });
  const auto per_head = [&](auto& list, const char* name) {
    a.maybe(list, name, [&](auto& values) { archive_per_head(a, values, num_heads, name); });
  };
  per_head(call.alibi_slopes, "ALiBi slopes");
  per_head(call.sinks, "sinks");
}

template <class A, class Snapshot>
void archive_figures(A& a, Snapshot& shot) {
  a.number(shot.phase, 0, static_cast<int64_t>(EnginePhase::kFailed), "phase");
  a.text(shot.phase_detail, "detail of the phase");
  a.text(shot.backend_name, "backend");
  a.number(shot.step, 0, kMostStep, "step");
  a.number(shot.layer, -1, shot.source.num_layers - 1, "layer");
  a.number(shot.cache_bytes, 0, kMostTime, "bytes of the cache");
  a.number(shot.cache_head_size, 1, kMostHeadSize, "head size in the cache");
  bool models_device = !shot.modelled_device.empty();
  a.flag(models_device, "models a device");
  if constexpr (A::kReads)
    if (models_device) shot.modelled_device = modelled_device(*shot.scenario, shot.source);
  a.flag(shot.has_null_block, "has a null block");
  a.number(shot.free_blocks, 0, kMostCount, "free blocks");
  a.real(shot.tokens_per_s, "tokens per second");
  a.number(shot.generated_tokens, 0, kMostCount, "generated tokens");
  a.number(shot.num_lanes, 1, kMostLanes, "lanes");
  a.flag(shot.modelled_time, "times are modelled");
  a.flag(shot.slowed_or_paused, "was slowed or paused");
}

template <class A, class Rounding>
void archive_rounding(A& a, Rounding& rounding) {
  for (auto* all : {&rounding.keys, &rounding.values})
    for (auto& counts : *all) {
      a.number(counts.saturated, 0, kMostCount, "saturated numbers");
      a.number(counts.vanished, 0, kMostCount, "numbers that became 0");
      a.number(counts.kept, 0, kMostCount, "numbers that did not");
    }
}

// The time is stored as its difference from the time before it.
template <class A, class Time>
void archive_later(A& a, Time& time, uint64_t& before, const char* name) {
  int64_t more = A::kReads ? 0 : static_cast<int64_t>(time) - static_cast<int64_t>(before);
  a.difference(more, name);
  if constexpr (A::kReads) {
    if (more > kMostTime - static_cast<int64_t>(before) || more < -static_cast<int64_t>(before))
      a.refuse("time is out of range", name, std::to_string(more) + " ns after the one before",
               "0 to 2^62 ns");
    time = before + static_cast<uint64_t>(more);
  }
  before = static_cast<uint64_t>(time);
}

template <class A, class Times>
void archive_times(A& a, Times& times) {
  const auto when = [&](auto& time, const char* name) {
    a.maybe(time, name, [&](auto& ns) { a.number(ns, 0, kMostTime, name); });
  };
  a.number(times.queued_ns, 0, kMostTime, "time of arrival");
  when(times.scheduled_ns, "time of admission");
  when(times.first_token_ns, "time of the first token");
  when(times.finished_ns, "time of the end");
  uint64_t before = 0;
  a.list(times.token_ns, kMostCount, "token times",
         [&](auto& ns) { archive_later(a, ns, before, "token time"); });
  a.list(times.pauses, kMostCount, "pauses", [&](auto& pause) {
    a.number(pause.begin_ns, 0, kMostTime, "begin of a pause");
    when(pause.end_ns, "end of a pause");
    a.flag(pause.swapped, "paused by swap");
  });
}

// Fields of a request that was added to the run, and of its forks; for other requests the scenario
// has them.
template <class A, class Request>
void archive_added(A& a, Request& request) {
  a.list(request.interventions, static_cast<uint64_t>(kMostInterventions), "interventions",
         [&](auto& what) {
           a.number(what.kind, 0, static_cast<int64_t>(InterventionKind::kResidual),
                    "kind of an intervention");
           a.number(what.layer, 0, kMostLayers - 1, "layer of an intervention");
           a.number(what.head, 0, kMostHeads - 1, "head of an intervention");
           a.number(what.with, 0, static_cast<int64_t>(Replacement::kRequest), "replacement");
           a.number(what.request, 0, kMostId, "request of an intervention");
           a.number(what.position, -1, kMostId, "position of an intervention");
           a.number(what.query, -1, kMostId, "query of an intervention");
           a.number(what.key, 0, kMostId, "key of an intervention");
           a.number(what.site, 0, static_cast<int64_t>(ResidualSite::kPost),
                    "site of an intervention");
           a.number(what.from_layer, -1, kMostLayers - 1, "layer that is put in");
           a.number(what.from_position, -1, kMostId, "position that is put in");
         });
  auto& sampling = request.sampling;
  a.real(sampling.temperature, "temperature");
  a.number(sampling.top_k, 0, kMostCount, "top k");
  a.real(sampling.top_p, "top p");
  uint32_t low = static_cast<uint32_t>(sampling.seed),
           high = static_cast<uint32_t>(sampling.seed >> 32);
  a.number(low, 0, std::numeric_limits<uint32_t>::max(), "seed");
  a.number(high, 0, std::numeric_limits<uint32_t>::max(), "upper half of the seed");
  a.number(request.beam_width, 1, kMostCount, "beams");
  if constexpr (A::kReads) {
    sampling.seed = uint64_t{high} << 32 | low;
    if (!(sampling.temperature >= 0 && sampling.temperature <= 100 && sampling.top_p > 0 &&
          sampling.top_p <= 1))
      a.refuse("the sampling is not possible", "temperature and top p",
               std::to_string(sampling.temperature) + " and " + std::to_string(sampling.top_p),
               "0 to 100, and above 0 up to 1");
  }
}

// Whether a request is neither one of the scenario's nor a fork of one.
template <class Request>
bool was_added(const Request& request, const Scenario& scenario) {
  return request.parent.value_or(request.id) >= scenario.requests.size();
}

template <class A, class Request>
void archive_request(A& a, Request& request, const SessionLimits& limits) {
  a.text(request.name, "name of a request");
  a.number(request.state, 0, kRequestStates - 1, "state of a request");
  a.text(request.ignored_reason, "reason of a request's end");
  a.number(request.num_computed, 0, kMostId, "computed tokens");
  a.number(request.num_cached, 0, kMostId, "cached tokens");
  a.number(request.num_preemptions, 0, kMostCount, "preemptions");
  a.maybe(request.parent, "parent",
          [&](auto& parent) { archive_request_id(a, parent, limits, "parent"); });
  a.number(request.sample_index, 0, kMostCount, "sample");
  a.maybe(request.beam_rank, "rank of a beam",
          [&](auto& rank) { a.number(rank, 0, kMostCount, "rank of a beam"); });
  a.any_real(request.cumulative_logprob, "log-probability");
  for (const TableKind kind : limits.tables()) {
    auto& table = request.table(kind);
    a.list(table.blocks, static_cast<uint64_t>(limits.num_blocks), "block table",
           [&](auto& block) { a.number(block, -1, limits.num_blocks - 1, "block table"); });
    a.list(table.swap_blocks, static_cast<uint64_t>(limits.num_swap_blocks), "swap table",
           [&](auto& block) { a.number(block, -1, limits.num_swap_blocks - 1, "swap table"); });
  }
  archive_times(a, request.times);
}

// Steps are numbered without gaps, so their numbers are not stored.
template <class A, class Record>
void archive_step_record(A& a, Record& record, uint64_t& before) {
  archive_later(a, record.begin_ns, before, "begin of a step");
  archive_later(a, record.end_ns, before, "end of a step");
  if constexpr (A::kReads)
    if (record.end_ns < record.begin_ns)
      a.refuse("step ends before it begins", "end of a step", std::to_string(record.end_ns) + " ns",
               "at least " + std::to_string(record.begin_ns) + " ns");
  const auto count = [&](auto& value, const char* name) { a.number(value, 0, kMostTime, name); };
  count(record.prefill_tokens, "prefill tokens");
  count(record.decode_tokens, "decode tokens");
  count(record.sequences, "sequences");
  count(record.waiting, "waiting");
  count(record.running, "running");
  count(record.swapped, "swapped");
  count(record.free_blocks, "free blocks");
  count(record.used_blocks, "used blocks");
  count(record.cached_blocks, "cached blocks");
  count(record.swap_blocks_used, "used swap blocks");
  a.number(record.wasted_slots, -kMostTime, kMostTime, "wasted slots");
  a.number(record.saved_blocks, -kMostTime, kMostTime, "saved blocks");
  count(record.preemptions, "preemptions");
  count(record.copied_blocks, "copied blocks");
  count(record.swapped_out_blocks, "blocks swapped out");
  count(record.swapped_in_blocks, "blocks swapped in");
  count(record.queried_tokens, "queried tokens");
  count(record.hit_tokens, "hit tokens");
  count(record.evicted_blocks, "evicted blocks");
  count(record.copy_ns, "time of copies");
  count(record.swap_ns, "time of swaps");
  count(record.schedule_ns, "time of the scheduler");
  count(record.attention_ns, "time of attention");
  count(record.plan_ns, "time of planning");
  count(record.captured_rows, "captured rows");
  a.real(record.modelled_device_ns, "modelled time of a device");
}

}  // namespace attn
