// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/patching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/session/run/run_memory.h"

namespace attn {
namespace {

constexpr int64_t kSequencesAtOnce = 64;

void check_plan(const PatchPlan& plan, const Source& source) {
  const auto refuse = [](const char* what, std::string found, std::string allowed) {
    throw_bad_input({what, "patching", std::move(found), std::move(allowed), ""});
  };
  if (residual_width(source) == 0)
    refuse("only a model can be patched", source.shape().name, "a model");
  if (plan.clean.empty() || plan.clean.size() != plan.corrupted.size())
    refuse("the two prompts do not have equally many tokens",
           fmt::format("{} and {}", plan.clean.size(), plan.corrupted.size()),
           "equally many, so that each position has a partner");
  if (plan.clean == plan.corrupted)
    refuse("the two prompts are the same", fmt::format("{} tokens", plan.clean.size()),
           "prompts that differ in at least one token");
  const int64_t vocab = source.shape().vocab_size;
  for (const int32_t token : {plan.right, plan.wrong})
    if (token < 0 || token >= vocab)
      refuse("there is no such token", fmt::format("{}", token), fmt::format("0 to {}", vocab - 1));
}

// The change that a cell makes to the corrupted prompt; request 0 is the clean one.
Intervention change_of(PatchSites sites, int64_t layer, int64_t column) {
  Intervention what;
  what.layer = layer;
  what.with = Replacement::kRequest;
  what.request = 0;
  if (sites == PatchSites::kHeads) {
    what.kind = InterventionKind::kHead;
    what.head = column;
    return what;
  }
  what.kind = InterventionKind::kResidual;
  what.site = sites == PatchSites::kMidByPosition ? ResidualSite::kMid : ResidualSite::kPost;
  what.position = column;
  return what;
}

}  // namespace

std::optional<PatchGrid> patch_grid(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan,
                                    const std::function<void(double)>& progress, RunGate* gate) {
  check_plan(plan, *source);
  const SourceShape& shape = source->shape();
  const auto tokens = static_cast<int64_t>(plan.clean.size());
  PatchGrid grid;
  grid.sites = plan.sites;
  grid.layers = shape.num_layers;
  grid.columns = plan.sites == PatchSites::kHeads ? shape.num_heads : tokens;
  const int64_t cells = grid.layers * grid.columns;
  grid.difference.resize(static_cast<size_t>(cells));

  Scenario scenario = settings;
  ScenarioEngine& engine_settings = scenario.engine;
  engine_settings.enable_prefix_caching = false;
  engine_settings.num_swap_blocks = 0;
  engine_settings.preemption = PreemptionMode::kRecompute;
  engine_settings.policy = SchedulingPolicy::kPrefillFirst;
  engine_settings.clock = ClockKind::kReal;
  engine_settings.max_num_seqs = kSequencesAtOnce;
  engine_settings.max_num_batched_tokens = std::max(engine_settings.max_num_batched_tokens, tokens);
  engine_settings.num_blocks = kSequencesAtOnce * (tokens / engine_settings.block_size + 1) + 1;
  scenario.arrivals = {};
  ScenarioRequest one;
  one.prompt = "-";  // the tokens are given
  one.max_tokens = 1;
  // Requests 0 and 1 are the two prompts; the cells follow, as many as a scenario may have.
  constexpr int64_t kCellsAtOnce = kMostRequests - 2;
  for (int64_t begin = 0; begin < cells; begin += kCellsAtOnce) {
    const int64_t count = std::min(kCellsAtOnce, cells - begin);
    scenario.requests.assign(static_cast<size_t>(2 + count), one);
    EngineOptions options;
    options.gate = gate;
    options.keep_attention = false;
    options.prompts.assign(static_cast<size_t>(2 + count), {plan.corrupted, {}});
    options.prompts[0].ids = plan.clean;
    for (int64_t i = 0; i < count; ++i)
      scenario.requests[static_cast<size_t>(2 + i)].interventions = {
          change_of(plan.sites, (begin + i) / grid.columns, (begin + i) % grid.columns)};
    int64_t done = 0;
    options.on_logits = [&](const Tensor& logits, const std::vector<uint32_t>& requests) {
      for (size_t i = 0; i < requests.size(); ++i) {
        const float* row = logits.data<float>() + static_cast<int64_t>(i) * shape.vocab_size;
        const double difference =
            static_cast<double>(row[plan.right]) - static_cast<double>(row[plan.wrong]);
        const int64_t request = requests[i];
        (request == 0   ? grid.clean
         : request == 1 ? grid.corrupted
                        : grid.difference[static_cast<size_t>(begin + request - 2)]) = difference;
        done += request > 1;
      }
      if (progress) progress(static_cast<double>(begin + done) / static_cast<double>(cells));
    };
    Engine engine(scenario, source, options);
    engine.run_to_end();
    if (engine.has_work()) return std::nullopt;
    if (const Request& clean = *engine.scheduler().find(0);
        clean.state == RequestState::kFinishedIgnored)
      throw_bad_input({"the prompt cannot run", "patching", clean.ignored_reason, "", ""});
  }
  if (!(std::abs(grid.clean - grid.corrupted) > kLeastPatchEffect))
    throw_bad_input(
        {"the two prompts hardly differ in their answer, so there is nothing to bring back",
         "patching", fmt::format("logit differences {:.6g} and {:.6g}", grid.clean, grid.corrupted),
         fmt::format("differences more than {} apart", kLeastPatchEffect),
         "Choose other prompts or other tokens"});
  return grid;
}

std::string patch_sentence(const PatchGrid& grid, int64_t layer, int64_t column) {
  const std::string site =
      grid.sites == PatchSites::kHeads
          ? fmt::format("Head {}.{}", layer, column)
          : fmt::format("After {}layer {}, position {}",
                        grid.sites == PatchSites::kMidByPosition ? "the attention of " : "", layer,
                        column);
  return fmt::format("{}: {:.0f}% of the way from the corrupted to the clean answer.", site,
                     100 * grid.value(layer, column));
}

}  // namespace attn
