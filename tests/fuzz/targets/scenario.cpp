// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `scenario`: what is accepted is written again, and run for some steps where the
// run is small.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "tests/fuzz/behind_session.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/session_seeds.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

constexpr int kSteps = 4;

// Whether the source is synthetic and the scenario is small enough to run some steps of it.
bool is_small(const Scenario& scenario) {
  if (!scenario.source.synthetic || scenario.requests.size() > 8) return false;
  const SyntheticSpec& source = *scenario.source.synthetic;
  const ScenarioEngine& engine = scenario.engine;
  int64_t sequences = 0, tokens = 0;
  for (const ScenarioRequest& request : scenario.requests) {
    sequences += std::max(request.n, request.beam_width);
    tokens += request.prompt_tokens + request.encoder_tokens;
  }
  return source.num_layers * source.num_heads * source.head_size <= 1024 && tokens <= 64 &&
         sequences <= 8 && engine.num_blocks * engine.block_size <= 4096 &&
         engine.num_swap_blocks * engine.block_size <= 4096 && engine.max_num_seqs <= 16 &&
         source.max_model_len <= 4096;
}

// is_used: whether the run is also saved as a session, which is then loaded and used.
void run_some_steps(Scenario scenario, bool is_used) {
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 1;
  Recorder recorder(num_workers(scenario), 1u << 12);
  EngineOptions options;
  options.recorder = &recorder;
  options.history_bytes = size_t{1} << 20;
  Engine engine(scenario, options);
  for (int i = 0; i < kSteps && engine.has_work(); ++i) engine.step();
  recorder.drain();
  const auto snapshot =
      std::make_shared<const EngineSnapshot>(engine.snapshot(EnginePhase::kPaused));
  if (!is_used) return;
  const std::filesystem::path file = scratch_folder() / "run.attn-session";
  save_session(file, {snapshot, &recorder, nullptr, "{}"});
  use_session(load_session(file), scratch_folder() / "again.attn-session");
}

bool run_scenario(std::string_view bytes) {
  register_all_backends();
  Scenario scenario;
  try {
    scenario = parse_scenario(bytes, "scenario");
  } catch (const Error&) {
    return false;
  }
  const std::string json = to_json(scenario);
  const Scenario again = parse_scenario(json, "scenario");
  if (!(again == scenario) || to_json(again) != json)
    throw std::logic_error("a scenario changes when it is written again");
  validate(scenario);
  if (!is_small(scenario)) return true;
  try {
    run_some_steps(scenario, is_one_of(bytes, 4));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kFailed) throw std::logic_error(error.what());
  }
  return true;
}

std::vector<Seed> scenario_seed_list() {
  std::vector<Seed> list;
  for (const SeedScenario& seed : seed_scenarios())
    list.push_back({seed.name, to_json(seed.scenario)});
  for (const bool one_file : {true, false}) {
    Scenario scenario = seed_scenarios()[0].scenario;
    scenario.source.synthetic.reset();
    TensorSpec& tensors = scenario.source.tensors.emplace();
    if (one_file) {
      tensors.file = "tensors.safetensors";
    } else {
      tensors.query = "q{layer}.npy";
      tensors.key = "k{layer}.npy";
      tensors.value = "v{layer}.npy";
      tensors.tokens = "tokens.json";
    }
    list.push_back({one_file ? "tensors" : "arrays", to_json(scenario)});
  }
  for (const std::string& name : shipped_scenarios())
    list.push_back({"shipped-" + name, test::read_bytes(find_scenario(name))});
  return list;
}

// Takes over a part of the other document, at the same path.
void graft(nlohmann::json& to, const nlohmann::json& from, Random& random) {
  if (!from.is_object() || from.empty()) return;
  const auto item = std::next(from.begin(), static_cast<ptrdiff_t>(below(random, from.size())));
  nlohmann::json& part = to[item.key()];
  if (part.is_object() && item->is_object() && below(random, 4) != 0)
    return graft(part, *item, random);
  if (part.is_array() && item->is_array() && !part.empty() && !item->empty() &&
      part[0].is_object() && below(random, 4) != 0)
    return graft(part[0], (*item)[0], random);
  part = *item;
}

// Combines parts of several seeds, changes a value, or changes characters of the text.
std::string change_scenario(std::string_view bytes, Random& random) {
  static const std::vector<Seed> seeds = scenario_seed_list();
  if (below(random, 8) == 0) return change_text(bytes, random);
  nlohmann::json document = nlohmann::json::parse(bytes, nullptr, false);
  if (!document.is_object() || below(random, 3) == 0) return change_json(bytes, random).text;
  for (size_t times = 1 + below(random, 3); times > 0; --times)
    graft(document, nlohmann::json::parse(seeds[below(random, seeds.size())].bytes), random);
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

const Target kScenarioTarget = {"scenario", run_scenario, change_scenario, scenario_seed_list};

}  // namespace attn::fuzz
