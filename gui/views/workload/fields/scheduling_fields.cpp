// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/scheduling_fields.h"

#include "gui/models/text.h"

namespace attn::gui {
namespace {

bool arrives_at_random(const Scenario& s, const ScenarioRequest&) {
  return s.arrivals.kind == ArrivalKind::kPoisson;
}
bool swaps(const Scenario& s, const ScenarioRequest&) {
  return s.engine.preemption == PreemptionMode::kSwap || s.engine.num_swap_blocks > 0;
}

constexpr std::pair<ArrivalKind, const char*> kArrivals[] = {
    {ArrivalKind::kAllAtOnce, "all_at_once"},
    {ArrivalKind::kListed, "listed"},
    {ArrivalKind::kPoisson, "poisson"}};

FieldSpec arrivals_field() {
  FieldSpec spec{.name = tr("Arrivals"),
                 .unit = {},
                 .meaning = tr("When the requests arrive: all when the run begins, each at its own "
                               "time, or at random with a mean rate (a Poisson process)."),
                 .path = "$.arrivals.kind"};
  spec.options = {{tr("all at once"), "all_at_once"},
                  {tr("at given times"), "listed"},
                  {tr("at random"), "poisson"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    for (const auto& [kind, word] : kArrivals)
      if (s.arrivals.kind == kind) return std::string(word);
    return std::string();
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& value) {
    for (const auto& [kind, word] : kArrivals)
      if (value == word) s.arrivals.kind = kind;
    // The check refuses arrival times that would have no effect.
    if (s.arrivals.kind != ArrivalKind::kListed)
      for (ScenarioRequest& request : s.requests) request.arrival_s = 0;
  };
  return spec;
}

std::vector<FieldSpec> arrival_numbers() {
  FieldSpec rate{
      .name = tr("Mean rate"),
      .unit = tr("per s"),
      .meaning = tr("How many requests arrive per second of the run's clock, on average."),
      .path = "$.arrivals.rate_per_s",
      .whole = false};
  rate.number = [](const Scenario& s, const ScenarioRequest&) { return s.arrivals.rate_per_s; };
  rate.set_number = [](Scenario& s, ScenarioRequest&, double v) { s.arrivals.rate_per_s = v; };
  rate.matters = arrives_at_random;
  FieldSpec seed{
      .name = tr("Arrival seed"),
      .unit = {},
      .meaning =
          tr("With the same seed and mean rate the requests arrive at the same times again."),
      .path = "$.seed",
      .least = 0};
  seed.number = [](const Scenario& s, const ScenarioRequest&) {
    return static_cast<double>(s.seed);
  };
  seed.set_number = [](Scenario& s, ScenarioRequest&, double v) {
    s.seed = static_cast<uint64_t>(v);
  };
  seed.matters = arrives_at_random;
  return {rate, seed};
}

FieldSpec policy_field() {
  FieldSpec spec{
      .name = tr("Policy"),
      .unit = {},
      .meaning =
          tr("Prefill first: a step computes either prompts or decodes. Chunked prefill: decodes "
             "come first in a step, and pieces of prompts can fill the rest of the batch budget."),
      .path = "$.engine.policy"};
  spec.options = {{tr("prefill first"), std::string(name_of(SchedulingPolicy::kPrefillFirst))},
                  {tr("chunked prefill"), std::string(name_of(SchedulingPolicy::kChunkedPrefill))}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(name_of(s.engine.policy));
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& value) {
    s.engine.policy = value == name_of(SchedulingPolicy::kChunkedPrefill)
                          ? SchedulingPolicy::kChunkedPrefill
                          : SchedulingPolicy::kPrefillFirst;
  };
  return spec;
}

FieldSpec preemption_field() {
  FieldSpec spec{
      .name = tr("Preemption"),
      .unit = {},
      .meaning = tr("When the cache is full and a request has to give its blocks back: its tokens "
                    "are computed again later (recompute), or the content of its blocks is moved "
                    "to the swap pool and back (swap, if the pool has room)."),
      .path = "$.engine.preemption",
      .rare = true};
  spec.options = {{tr("recompute"), std::string(name_of(PreemptionMode::kRecompute))},
                  {tr("swap"), std::string(name_of(PreemptionMode::kSwap))}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(name_of(s.engine.preemption));
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& value) {
    s.engine.preemption = value == name_of(PreemptionMode::kSwap) ? PreemptionMode::kSwap
                                                                  : PreemptionMode::kRecompute;
    // Swapping needs a pool: at first one as large as the cache.
    if (s.engine.preemption == PreemptionMode::kSwap && s.engine.num_swap_blocks == 0)
      s.engine.num_swap_blocks = s.engine.num_blocks;
  };
  return spec;
}

FieldSpec prefix_caching_field() {
  FieldSpec spec{
      .name = tr("Prefix caching"),
      .unit = {},
      .meaning = tr("A prompt that begins with the same tokens as one of an earlier step can share "
                    "the full blocks of these tokens, but not the block of its own last token. The "
                    "blocks are kept until the cache needs them."),
      .path = "$.engine.enable_prefix_caching"};
  spec.options = {{tr("off"), "off"}, {tr("on"), "on"}};
  spec.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.engine.enable_prefix_caching ? "on" : "off");
  };
  spec.set_word = [](Scenario& s, ScenarioRequest&, const std::string& value) {
    s.engine.enable_prefix_caching = value == "on";
  };
  spec.matters = decodes;
  return spec;
}

}  // namespace

std::vector<FieldSpec> scheduling_fields() {
  FieldSpec pool =
      number_field(tr("Swap pool"), tr("blocks"),
                   tr("Number of blocks in host memory to which preempted requests can be moved."),
                   "$.engine.num_swap_blocks", &ScenarioEngine::num_swap_blocks);
  pool.matters = swaps;
  const FieldSpec watermark =
      number_field(tr("Watermark"), tr("0 to 0.99"),
                   tr("The share of all blocks that must stay free (or only cached) when a request "
                      "begins, or goes on after a preemption, while others run."),
                   "$.engine.watermark", &ScenarioEngine::watermark);
  std::vector<FieldSpec> all{arrivals_field()};
  for (FieldSpec& spec : arrival_numbers()) all.push_back(std::move(spec));
  for (const FieldSpec& spec :
       {policy_field(), prefix_caching_field(), preemption_field(), rare(pool), rare(watermark)})
    all.push_back(spec);
  return all;
}

}  // namespace attn::gui
