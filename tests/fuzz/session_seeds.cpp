// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/session_seeds.h"

#include <stdexcept>

#include "engine/model/load_model.h"
#include "engine/session/scenario/model_scenario.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

// A run with few layers, heads and blocks, so that a walker comes to each value often.
Scenario small(const std::vector<int64_t>& prompts, int64_t max_tokens) {
  Scenario scenario = test::synthetic_scenario(prompts, max_tokens);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.num_layers = 1;
  source.num_heads = 2;
  source.num_kv_heads = 1;
  source.head_size = 32;
  source.max_model_len = 64;
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 8;
  scenario.engine.threads = 1;
  return scenario;
}

// A state of the window's views, as a session keeps it.
constexpr const char* kView = R"({
  "version": 1, "tab": "heads", "layout": "reading", "wide": false, "hidden_panels": ["metrics"],
  "shown": {"request": 0, "layer": 0, "head": 1},
  "selected": {"kind": 2, "in_host_pool": false, "request": 0, "layer": 0, "head": 1, "query": 3,
               "key": 2, "block": 1},
  "step": 2, "workload": "{}", "workload_changed": false,
  "views": {
    "heatmap": {"place": [0.5, 40, 0.25, 40]},
    "head_lines": {"place": [], "options": {"heads": [0, 1], "filter": 1, "least_weight": 0.1,
                   "top_mass": 0.5, "without_first": true}},
    "heads": {"place": [], "options": {"order": 1, "score": 2, "relative": true}},
    "tiles": {"place": [], "options": {"follow": false, "tiles": 3}},
    "blocks": {"place": [], "options": {"color_by": 1, "grid": false, "tables": true,
               "prefixes": true, "asked_for_prefixes": true}},
    "events": {"place": [1], "options": {"filter": "kind:tile", "order": 1, "descending": true}},
    "metrics": {"place": [], "options": {"axis": 1}},
    "words": {"place": [3, 0, 1.25, 0], "options": {"told_apart": false, "weights": true}},
    "timeline": {"place": [100, 0.5, 0], "options": {}},
    "compare": {"place": [], "options": {"backends": ["reference", "unified"]}}}})";

std::shared_ptr<Source> source_of(const SeedScenario& seed) {
  if (seed.family.empty()) return load_source(seed.scenario);
  const FamilyCase model(seed.family);
  return load_model(model.write());
}

std::string saved(const SeedScenario& seed) {
  const Scenario& scenario = seed.scenario;
  Recorder recorder(num_workers(scenario));
  RowStateLog row_states;
  row_states.watch(0, 0, 0);
  EngineOptions options;
  options.recorder = &recorder;
  options.history_bytes = size_t{1} << 24;
  options.row_states = &row_states;
  options.prompts = seed.prompts;
  Engine engine(scenario, source_of(seed), options);
  for (int i = 0; i != seed.steps && engine.has_work(); ++i) {
    if (!engine.step()) throw std::logic_error("a run of a seed was cancelled");
    if (i == 0)
      for (const ScenarioRequest& request : seed.added) engine.add_request(request);
  }
  engine.warn("a sentence");
  recorder.drain();
  const auto snapshot = std::make_shared<const EngineSnapshot>(
      engine.snapshot(engine.has_work() ? EnginePhase::kPaused : EnginePhase::kFinished));
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "seed.attn-session";
  save_session(file, {snapshot, &recorder, &row_states, kView, seed.notes});
  return test::read_bytes(file);
}

Scenario with_swap_pool() {
  Scenario scenario = small({6, 6}, 6);
  scenario.engine.num_blocks = 5;
  scenario.engine.num_swap_blocks = 4;
  scenario.engine.preemption = PreemptionMode::kSwap;
  return scenario;
}

Scenario with_prefixes() {
  Scenario scenario = small({9, 9}, 2);
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  scenario.engine.max_num_seqs = 1;  // one after the other, so that the second finds prefixes
  return scenario;
}

Scenario with_window() {
  Scenario scenario = small({11}, 4);
  scenario.attention.sliding_window = 5;
  return scenario;
}

Scenario with_rules() {
  Scenario scenario = small({5}, 2);
  scenario.attention.alibi = true;
  scenario.attention.logits_soft_cap = 20;
  scenario.engine.backend = "reference";
  return scenario;
}

Scenario quantised(const char* type) {
  Scenario scenario = small({5, 3}, 3);
  scenario.engine.kv_cache_dtype = type;
  scenario.engine.backend = "unified";
  return scenario;
}

Scenario with_encoder(SyntheticKind kind) {
  Scenario scenario = small({3, 2}, 3);
  scenario.attention.type = AttentionType::kEncoderDecoder;
  scenario.source.synthetic->kind = kind;
  scenario.source.synthetic->period = 2;
  for (ScenarioRequest& request : scenario.requests) request.encoder_tokens = 6;
  return scenario;
}

Scenario encoder_only() {
  Scenario scenario = small({5, 3}, 1);
  scenario.attention.type = AttentionType::kEncoderOnly;
  return scenario;
}

Scenario with_layers() {
  Scenario scenario = small({9}, 3);
  scenario.source.synthetic->kind = SyntheticKind::kAlternating;
  scenario.source.synthetic->num_layers = 2;
  scenario.source.synthetic->period = 4;
  return scenario;
}

Scenario with_forks() {
  Scenario scenario = small({5, 5}, 3);
  scenario.requests[0].n = 2;
  scenario.requests[0].sampling.temperature = 1;
  scenario.requests[1].beam_width = 2;
  scenario.engine.num_blocks = 16;
  return scenario;
}

SeedScenario with_interventions() {
  SeedScenario seed{"interventions", small({5, 3}, 3)};
  Intervention edge;
  edge.kind = InterventionKind::kEdge;
  edge.head = 1;
  edge.key = 1;
  seed.scenario.requests[0].interventions = {edge};
  edge.query = 2;
  seed.added = {seed.scenario.requests[1]};
  seed.added[0].interventions = {edge};
  seed.added[0].sampling.top_k = 3;
  return seed;
}

// A run of a small random model. The name of the model replaces its folder, which differs from run
// to run.
SeedScenario of_family(const char* name, const char* family, int steps = -1) {
  SeedScenario seed{name, {}, steps};
  seed.family = family;
  const FamilyCase model(family);
  seed.scenario = model_scenario(model.write());
  const std::string folder = seed.scenario.source.model;
  seed.scenario.source.model = family;
  seed.scenario.title = family;
  seed.scenario.requests.front().prompt = "ab a";
  seed.scenario.requests.front().max_tokens = 2;
  seed.scenario.engine.backend = "unified";
  seed.scenario.engine.clock = ClockKind::kVirtual;
  seed.scenario.engine.block_size = 4;
  seed.scenario.engine.num_blocks = 8;
  seed.scenario.engine.threads = 1;
  return seed;
}

SeedScenario with_changed_heads() {
  SeedScenario seed = of_family("changed-heads", "llama_1");
  auto& requests = seed.scenario.requests;
  requests.resize(2, requests.front());
  Intervention off, mean, other, stream;
  mean.head = 1;
  mean.with = Replacement::kMean;
  other.layer = 1;
  other.with = Replacement::kRequest;
  other.request = 1;
  other.position = 1;
  stream.kind = InterventionKind::kResidual;
  stream.site = ResidualSite::kMid;
  stream.position = 0;
  requests[0].interventions = {off, mean, other, stream};
  return seed;
}

Scenario modelled_device() {
  Scenario scenario = small({5}, 2);
  scenario.engine.backend = "pallas";
  scenario.source.synthetic->head_size = 128;
  return scenario;
}

}  // namespace

std::vector<SeedScenario> seed_scenarios() {
  return {{"plain", small({5, 3}, 3)},
          {"notes", small({5, 3}, 3), -1, {{1, "the prompts"}, {3, "the end:\n\u00fc, =1+1"}}},
          {"in-the-middle", small({5, 3}, 3), 2},
          {"swap-pool", with_swap_pool()},
          {"swapped-out", with_swap_pool(), 5},
          {"prefixes", with_prefixes()},
          {"prefixes-in-the-middle", with_prefixes(), 3},
          {"window", with_window(), 3},
          {"rules", with_rules()},
          {"fp8-cache", quantised("fp8")},
          {"int8-cache", quantised("int8")},
          {"cross-attention", with_encoder(SyntheticKind::kAlignment)},
          {"two-tables", with_encoder(SyntheticKind::kEncoderDecoder), 3},
          {"encoder", encoder_only()},
          {"layers", with_layers()},
          {"forks", with_forks()},
          {"modelled-device", modelled_device()},
          with_interventions(),
          with_changed_heads(),
          of_family("relative-bias", "t5_1"),
          of_family("relative-bias-in-the-middle", "t5_3", 1)};
}

std::vector<SessionSeed> session_seeds() {
  std::vector<SessionSeed> seeds;
  for (const SeedScenario& seed : seed_scenarios()) seeds.push_back({seed.name, saved(seed)});
  return seeds;
}

}  // namespace attn::fuzz
