// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of the run: requests, steps, times, work, comparisons, and the shape of the source.
#include <algorithm>
#include <optional>

#include "engine/lesson/quantity/quantity_tables.h"
#include "engine/lesson/quantity/resolved_arguments.h"

namespace attn::lesson {
namespace {

using With = ResolvedArguments;

template <class T>
QuantityValue number(T value) {
  return {static_cast<double>(value), {}};
}

Place step_place(int64_t step) {
  Place place;
  place.kind = PlaceKind::kStep;
  place.step = step;
  return place;
}
QuantityValue at_request(const With& with, double value) {
  return {value, with.place(PlaceKind::kRequest)};
}
QuantityValue time_of(const With& with, const std::optional<uint64_t>& time) {
  if (!time)
    with.refuse("this never happens in the run", "no such time", "a request that gets there");
  return at_request(with, static_cast<double>(*time));
}

int64_t step_at(const FrozenRun& run, uint64_t ns) {
  for (const StepRecord& step : *run.end().steps)
    if (step.begin_ns <= ns && ns <= step.end_ns) return step.step;
  return 0;
}

// 1 for the request that reaches `when` first; requests with the same time share a number.
QuantityValue place_in_order(const FrozenRun& run, const With& with,
                             std::optional<uint64_t> RequestTimes::*when) {
  const auto own = with.request().times.*when;
  if (!own) return time_of(with, own);
  int64_t before = 0;
  for (const RequestView& request : run.end().requests)
    if (const auto time = request.times.*when; time && *time < *own) ++before;
  return at_request(with, static_cast<double>(before + 1));
}
QuantityValue earliest(const FrozenRun& run, const With& with,
                       std::optional<uint64_t> RequestTimes::*when) {
  const RequestView* first = nullptr;
  for (const RequestView& request : run.end().requests)
    if (const auto time = request.times.*when; time && (!first || *time < *(first->times.*when)))
      first = &request;
  if (!first)
    with.refuse("this never happens in the run", "no such time", "a run in which it does");
  Place place;
  place.kind = PlaceKind::kRequest;
  place.request = first->id;
  return {static_cast<double>(first->id), place};
}

QuantityValue first_preempted(const FrozenRun& run, const With& with) {
  for (const TraceEvent& event : run.events()) {
    if (event.kind != EventKind::kRequestPreempted) continue;
    Place place;
    place.kind = PlaceKind::kRequest;
    place.request = event.a;
    return {static_cast<double>(event.a), place};
  }
  with.refuse("no request is preempted in this run", "none", "a run in which one is");
}

QuantityValue busiest_step(const FrozenRun& run, const With& with) {
  const auto& steps = *run.end().steps;
  if (steps.empty()) (void)with.step();  // refuses
  const auto tokens = [](const StepRecord& step) {
    return step.prefill_tokens + step.decode_tokens;
  };
  const auto at = std::ranges::max_element(steps, {}, tokens);
  return {static_cast<double>(tokens(*at)), step_place(at->step)};
}

// Visible (query, key) pairs of one head and layer in a step; with block-sparse attention the mean
// over the heads.
double pairs_of_step(const FrozenRun& run, const With& with) {
  const auto shot = with.snapshot();
  const WeightRule& rule = shot->rules->of(with.layer());
  const int64_t heads = rule.blocksparse ? run.end().source.num_heads : 1;
  int64_t pairs = 0;
  for (const PlannedSequence& sequence : shot->plan.sequences) {
    if (rule.encoder && !sequence.is_prefill) continue;
    const int64_t begin = rule.encoder ? 0 : sequence.context_len;
    const int64_t end = rule.encoder ? sequence.encoder_len : begin + sequence.query_len;
    const int64_t keys = rule.cross ? sequence.encoder_len : end;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t query = begin; query < end; ++query)
        pairs += count_seen_keys(rule, head, query, 0, keys);
  }
  return static_cast<double>(pairs) / static_cast<double>(heads);
}

// Tiles that the kernels reported for one head and layer of the request.
double tiles(const FrozenRun& run, const With& with) {
  const auto layer = static_cast<uint8_t>(with.layer());
  const auto head = static_cast<uint32_t>(with.head());
  const uint32_t request = with.request().id;
  int64_t count = 0;
  for (const TraceEvent& event : run.events()) {
    if (event.kind != EventKind::kTile || event.layer != layer) continue;
    const TileEvent tile = unpack_tile(event);
    if (tile.request == request && tile.head <= head && head < tile.head + tile.heads) ++count;
  }
  return static_cast<double>(count);
}

// Rows of padding that were reported for layer 0, or without a layer.
double padding_rows(const FrozenRun& run) {
  int64_t rows = 0;
  for (const TraceEvent& event : run.events())
    if (event.kind == EventKind::kPadding && (event.layer == 0 || event.layer == kNoLayer))
      rows += event.c;
  return static_cast<double>(rows);
}

const CompareColumn& other_column(const FrozenRun& run, const With& with) {
  if (!with.has("backend"))
    with.refuse("the other backend is missing", "no `backend`", "backend=NAME");
  const CompareColumn& column = run.compared_with(with.word("backend", "")).columns.back();
  if (!column.refusals.empty())
    with.refuse("this backend does not compute the run", column.refusals.front(),
                "another backend");
  return column;
}

double heads_of(const FrozenRun& run) {
  return static_cast<double>(run.without_cache().heads());
}

constexpr Quantity kRunQuantities[] = {
    {"steps", "", "steps", "", false, "engine steps of the run",
     [](const FrozenRun& run, const With&) { return number(run.end().steps->size()); }},
    {"num_requests", "", "requests", "", false, "requests of the run, samples and beams included",
     [](const FrozenRun& run, const With&) { return number(run.end().requests.size()); }},
    {"prompt_tokens", "request", "tokens", "request", false, "the length of a prompt",
     [](const FrozenRun&, const With& with) {
       return at_request(with, static_cast<double>(with.request().prompt_len));
     }},
    {"new_tokens", "request", "tokens", "request", false,
     "tokens that were generated for a request",
     [](const FrozenRun&, const With& with) {
       const RequestView& request = with.request();
       return at_request(with, static_cast<double>(request.tokens->size()) -
                                   static_cast<double>(request.prompt_len));
     }},
    {"tokens_generated", "", "tokens", "", false, "tokens that were generated for all requests",
     [](const FrozenRun& run, const With&) { return number(run.end().generated_tokens); }},
    {"tokens_of_step", "step", "tokens", "step", false,
     "tokens that went through the model in a step",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.prefill_tokens + step.decode_tokens),
                            step_place(step.step)};
     }},
    {"prefill_tokens", "step", "tokens", "step", false, "tokens of prompts in a step",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.prefill_tokens), step_place(step.step)};
     }},
    {"decode_tokens", "step", "tokens", "step", false, "tokens of decodes in a step",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.decode_tokens), step_place(step.step)};
     }},
    {"sequences", "step", "requests", "step", false, "requests that a step computes",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.sequences), step_place(step.step)};
     }},
    {"waiting", "step", "requests", "step", false, "requests that wait after a step",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.waiting), step_place(step.step)};
     }},
    {"busiest_step", "", "", "step", true, "the first step with most tokens", busiest_step},
    {"preemptions", "", "times", "", false, "how often requests were preempted",
     [](const FrozenRun& run, const With&) {
       int64_t sum = 0;
       for (const StepRecord& step : *run.end().steps) sum += step.preemptions;
       return number(sum);
     }},
    {"preemptions_of", "request", "times", "request", false, "how often this request was preempted",
     [](const FrozenRun&, const With& with) {
       return at_request(with, static_cast<double>(with.request().num_preemptions));
     }},
    {"first_preempted", "", "", "request", true, "the request that was preempted first",
     first_preempted},
    {"first_token_place", "request", "", "request", false,
     "the place of a request in the order of first tokens; 1 is the first",
     [](const FrozenRun& run, const With& with) {
       return place_in_order(run, with, &RequestTimes::first_token_ns);
     }},
    {"first_token_step", "request", "", "request", false,
     "the step that gave the first token of a request",
     [](const FrozenRun& run, const With& with) {
       QuantityValue value = time_of(with, with.request().times.first_token_ns);
       value.number = static_cast<double>(step_at(run, static_cast<uint64_t>(value.number)));
       return value;
     }},
    {"first_to_speak", "", "", "request", true, "the request that got its first token first",
     [](const FrozenRun& run, const With& with) {
       return earliest(run, with, &RequestTimes::first_token_ns);
     }},
    {"first_to_finish", "", "", "request", true, "the request that finished first",
     [](const FrozenRun& run, const With& with) {
       return earliest(run, with, &RequestTimes::finished_ns);
     }},
    {"finish_place", "request", "", "request", false,
     "the place of a request in the order of ends; 1 is the first",
     [](const FrozenRun& run, const With& with) {
       return place_in_order(run, with, &RequestTimes::finished_ns);
     }},
    {"modelled_time", "", "ns", "", false, "the modelled time of the whole run",
     [](const FrozenRun& run, const With&) {
       const auto& steps = *run.end().steps;
       return number(steps.empty() ? 0 : steps.back().end_ns);
     }},
    {"step_time", "step", "ns", "step", false, "the modelled time of a step",
     [](const FrozenRun&, const With& with) {
       const StepRecord& step = with.step_record();
       return QuantityValue{static_cast<double>(step.end_ns - step.begin_ns),
                            step_place(step.step)};
     }},
    {"time_to_first_token", "request", "ns", "request", false,
     "modelled time from the arrival of a request to its first token",
     [](const FrozenRun&, const With& with) {
       return time_of(with, with.request().metrics.ttft_ns);
     }},
    {"time_per_token", "request", "ns", "request", false,
     "modelled time per token of a request after its first",
     [](const FrozenRun&, const With& with) {
       const auto time = with.request().metrics.tpot_ns;
       if (!time) with.refuse("this request has fewer than two tokens", with.request().name, "two");
       return at_request(with, *time);
     }},
    {"waiting_time", "request", "ns", "request", false,
     "modelled time from the arrival of a request to its first step",
     [](const FrozenRun&, const With& with) {
       return time_of(with, with.request().metrics.queue_ns);
     }},
    {"device_time", "", "ns", "", false,
     "modelled time of all attention calls on the device that the backend stands for",
     [](const FrozenRun& run, const With&) {
       double sum = 0;
       for (const StepRecord& step : *run.end().steps) sum += step.modelled_device_ns;
       return number(sum);
     }},
    {"pairs_of_step", "layer step", "pairs", "step", false,
     "query-key pairs that one head of a layer computes in a step",
     [](const FrozenRun& run, const With& with) {
       return QuantityValue{pairs_of_step(run, with), step_place(with.step())};
     }},
    {"pairs", "", "pairs", "", false, "query-key pairs of one layer and head, all steps",
     [](const FrozenRun& run, const With&) {
       return number(static_cast<double>(run.without_cache().with_cache.pairs) / heads_of(run));
     }},
    {"pairs_without_cache", "", "pairs", "", false,
     "query-key pairs of one layer and head, if every step computes all positions again",
     [](const FrozenRun& run, const With&) {
       return number(static_cast<double>(run.without_cache().without_cache.pairs) / heads_of(run));
     }},
    {"tokens_computed", "", "tokens", "", false, "tokens that went through the model, all steps",
     [](const FrozenRun& run, const With&) {
       int64_t sum = 0;
       for (const StepRecord& step : *run.end().steps)
         sum += step.prefill_tokens + step.decode_tokens;
       return number(sum);
     }},
    {"tokens_without_cache", "", "tokens", "", false,
     "tokens that go through the model, if every step computes all positions again",
     [](const FrozenRun& run, const With&) {
       return number(run.without_cache().without_cache.tokens);
     }},
    {"tiles", "request layer head", "tiles", "", false,
     "tiles that the kernels computed for a head of a request",
     [](const FrozenRun& run, const With& with) { return number(tiles(run, with)); }},
    {"padding_rows", "", "rows", "", false, "query rows computed only as padding, in one layer",
     [](const FrozenRun& run, const With&) { return number(padding_rows(run)); }},
    {"largest_difference", "backend", "", "", false,
     "the largest difference between the outputs of the run's backend and another one",
     [](const FrozenRun& run, const With& with) {
       return number(other_column(run, with).out.max_abs);
     }},
    {"elements_outside", "backend", "elements", "", false,
     "output elements of another backend that differ by more than rounding explains",
     [](const FrozenRun& run, const With& with) {
       return number(other_column(run, with).out.outside);
     }},
    {"elements_compared", "backend", "elements", "", false,
     "output elements of both backends that were compared",
     [](const FrozenRun& run, const With& with) {
       return number(other_column(run, with).out.compared);
     }},
    {"elements_unequal", "backend", "elements", "", false,
     "output elements of another backend whose bits differ",
     [](const FrozenRun& run, const With& with) {
       return number(other_column(run, with).out.unequal);
     }},
    {"num_layers", "", "layers", "", false, "attention layers of the source",
     [](const FrozenRun& run, const With&) { return number(run.end().source.num_layers); }},
    {"num_heads", "", "heads", "", false, "query heads of the source",
     [](const FrozenRun& run, const With&) { return number(run.end().source.num_heads); }},
    {"num_kv_heads", "", "heads", "", false, "KV heads of the source",
     [](const FrozenRun& run, const With&) { return number(run.end().source.num_kv_heads); }},
    {"head_size", "", "elements", "", false, "elements of a head",
     [](const FrozenRun& run, const With&) { return number(run.end().source.head_size); }},
    {"encoder_tokens", "request", "tokens", "request", false, "the length of the encoder's input",
     [](const FrozenRun&, const With& with) {
       const auto& tokens = with.request().encoder_tokens;
       return at_request(with, tokens ? static_cast<double>(tokens->size()) : 0);
     }},
};

}  // namespace

std::span<const Quantity> run_quantities() {
  return kRunQuantities;
}

}  // namespace attn::lesson
