// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/patching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/explore/attribution.h"
#include "engine/session/run/run_memory.h"

namespace attn {
namespace {

constexpr int64_t kSequencesAtOnce = 64;
// The most tokens of a step, unless a prompt is longer.
constexpr int64_t kStepTokens = 1024;

[[noreturn]] void refuse(const char* what, std::string found, std::string allowed,
                         std::string advice = "") {
  throw_bad_input({what, "patching", std::move(found), std::move(allowed), std::move(advice)});
}

void check_plan(const PatchPlan& plan, const Source& source) {
  if (residual_width(source) == 0)
    refuse("only a model can be patched", source.shape().name, "a model");
  if (source.shape().type_of_model() == AttentionType::kEncoderDecoder)
    refuse("the prompts of this model are read by its encoder, whose states are not patched",
           source.shape().name, "a model of one stack of layers");
  if (plan.clean.empty() || plan.clean.size() != plan.corrupted.size())
    refuse("the two prompts do not have equally many tokens",
           fmt::format("{} and {}", plan.clean.size(), plan.corrupted.size()),
           "equally many, so that each position has a partner",
           "Replace a word by one with as many tokens");
  if (plan.clean == plan.corrupted)
    refuse("the two prompts are the same", fmt::format("{} tokens", plan.clean.size()),
           "prompts that differ in at least one token");
  const int64_t vocab = source.shape().vocab_size;
  for (const int32_t token : {plan.right, plan.wrong})
    if (token != kChosenToken && (token < 0 || token >= vocab))
      refuse("there is no such token", fmt::format("{}", token), fmt::format("0 to {}", vocab - 1));
}

struct PatchedRun {
  bool clean = false;
  std::vector<Intervention> change;
};

// The intervention of a move. It takes its values from a cell of the other run.
Intervention change_of(const PatchPlan& plan, const PatchMove& move) {
  Intervention what;
  what.layer = move.layer;
  what.with = Replacement::kRequest;
  what.request = plan.into_clean ? 1 : 0;
  if (plan.sites == PatchSites::kHeads) {
    what.kind = InterventionKind::kHead;
    what.head = move.column;
    return what;
  }
  what.kind = InterventionKind::kResidual;
  what.site = plan.sites == PatchSites::kMidByPosition ? ResidualSite::kMid : ResidualSite::kPost;
  what.position = move.column;
  if (move.from_layer != move.layer) what.from_layer = move.from_layer;
  if (move.from_column != move.column) what.from_position = move.from_column;
  return what;
}

// Calls row(i, logits) for each run and, at least once, for the two prompts (i = -2 clean, -1
// corrupted), in any order. False: cancelled.
using TakeRow = std::function<void(int64_t run, std::span<const float> logits)>;
bool run_all(const Scenario& settings, const std::shared_ptr<Source>& source, const PatchPlan& plan,
             const std::vector<PatchedRun>& runs, const TakeRow& row, RunGate* gate) {
  const auto tokens = static_cast<int64_t>(plan.clean.size()), vocab = source->shape().vocab_size;
  constexpr int64_t kPrompts = 2, kRunsAtOnce = kMostRequests - kPrompts;
  const int64_t all = std::ssize(runs);
  const int64_t sequences = std::min(kSequencesAtOnce, kPrompts + all);  // at the same time
  Scenario scenario = settings;
  ScenarioEngine& engine_settings = scenario.engine;
  engine_settings.enable_prefix_caching = false;
  engine_settings.num_swap_blocks = 0;
  engine_settings.preemption = PreemptionMode::kRecompute;
  engine_settings.policy = SchedulingPolicy::kPrefillFirst;
  engine_settings.clock = ClockKind::kReal;
  engine_settings.watermark = 0;
  engine_settings.use_captured_plan = false;
  engine_settings.max_num_seqs = sequences;
  engine_settings.max_num_batched_tokens = std::max(kStepTokens, tokens);
  engine_settings.num_blocks = sequences * (tokens / engine_settings.block_size + 1) + 1;
  scenario.arrivals = {};
  ScenarioRequest one;
  one.prompt = "-";  // the tokens are given
  one.max_tokens = 1;
  for (int64_t begin = 0; begin < std::max<int64_t>(1, all); begin += kRunsAtOnce) {
    const int64_t count = std::min(kRunsAtOnce, all - begin);
    scenario.requests.assign(static_cast<size_t>(kPrompts + count), one);
    EngineOptions options;
    options.gate = gate;
    options.keep_attention = false;
    options.prompts.assign(static_cast<size_t>(kPrompts + count), {plan.corrupted, {}});
    options.prompts[0].ids = plan.clean;
    for (int64_t i = 0; i < count; ++i) {
      const PatchedRun& run = runs[static_cast<size_t>(begin + i)];
      const auto request = static_cast<size_t>(kPrompts + i);
      scenario.requests[request].interventions = run.change;
      if (run.clean) options.prompts[request].ids = plan.clean;
    }
    options.on_logits = [&](const Tensor& logits, const std::vector<uint32_t>& requests) {
      for (size_t i = 0; i < requests.size(); ++i) {
        const int64_t run = int64_t{requests[i]} - kPrompts;
        row(run < 0 ? run : begin + run,
            {logits.data<float>() + static_cast<int64_t>(i) * vocab, static_cast<size_t>(vocab)});
      }
    };
    Engine engine(scenario, source, options);
    engine.run_to_end();
    if (engine.has_work()) return false;
    if (const Request& clean = *engine.scheduler().find(0);
        clean.state == RequestState::kFinishedIgnored)
      throw_bad_input({"the prompt cannot run", "patching", clean.ignored_reason, "", ""});
  }
  return !gate || !gate->cancelled();
}

double difference_of(std::span<const float> logits, int32_t right, int32_t wrong) {
  return static_cast<double>(logits[static_cast<size_t>(right)]) -
         static_cast<double>(logits[static_cast<size_t>(wrong)]);
}

PatchAnswer answer_of(std::span<const float> logits, int32_t right, int32_t wrong) {
  PatchAnswer answer;
  answer.difference = difference_of(logits, right, wrong);
  const auto best = std::ranges::max_element(logits);
  answer.best = static_cast<int32_t>(best - logits.begin());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - *best));
  const auto probability = [&](int32_t token) {
    return std::exp(static_cast<double>(logits[static_cast<size_t>(token)] - *best)) / sum;
  };
  answer.best_probability = probability(answer.best);
  answer.right_probability = probability(right);
  answer.wrong_probability = probability(wrong);
  return answer;
}

double largest_gap(std::span<const float> a, std::span<const float> b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

}  // namespace

std::optional<PatchEnds> patch_ends(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan, RunGate* gate) {
  check_plan(plan, *source);
  const int64_t last = std::ssize(plan.clean) - 1;
  Intervention everything;
  everything.kind = InterventionKind::kResidual;
  everything.with = Replacement::kRequest;
  everything.site = ResidualSite::kEmbed;
  PatchPlan last_cell = plan;
  last_cell.sites = PatchSites::kPostByPosition;
  last_cell.into_clean = false;
  const int64_t last_layer = source->shape().num_layers - 1;
  const Intervention end = change_of(last_cell, {last_layer, last, last_layer, last});
  std::vector<float> rows[4];
  const auto keep = [&](int64_t run, std::span<const float> logits) {
    rows[run + 2].assign(logits.begin(), logits.end());
  };
  if (!run_all(settings, source, plan, {{false, {everything}}, {false, {end}}}, keep, gate))
    return std::nullopt;
  PatchEnds ends;
  const auto [best, second] = two_best(rows[0]);
  ends.right = plan.right == kChosenToken ? best : plan.right;
  ends.wrong = plan.wrong == kChosenToken ? two_best(rows[1]).first : plan.wrong;
  if (plan.wrong == kChosenToken && ends.wrong == ends.right)
    ends.wrong = ends.right == best ? second : best;
  ends.clean = answer_of(rows[0], ends.right, ends.wrong);
  ends.corrupted = answer_of(rows[1], ends.right, ends.wrong);
  ends.residue_embedding = largest_gap(rows[0], rows[2]);
  ends.residue_last = largest_gap(rows[0], rows[3]);
  const double clean = ends.clean.difference, corrupted = ends.corrupted.difference;
  if (!(std::abs(clean - corrupted) > kLeastPatchEffect))
    refuse("the two prompts hardly differ in their answer, so there is nothing to bring back",
           fmt::format("logit differences {:.6g} and {:.6g}", clean, corrupted),
           fmt::format("differences more than {} apart", kLeastPatchEffect),
           "Choose other prompts or other tokens");
  return ends;
}

std::optional<PatchGrid> patch_grid(const Scenario& settings, const std::shared_ptr<Source>& source,
                                    const PatchPlan& plan,
                                    const std::function<void(double)>& progress, RunGate* gate) {
  const auto ends = patch_ends(settings, source, plan, gate);
  if (!ends) return std::nullopt;
  const SourceShape& shape = source->shape();
  PatchGrid grid;
  grid.sites = plan.sites;
  grid.into_clean = plan.into_clean;
  grid.ends = *ends;
  grid.layers = shape.num_layers;
  grid.columns = plan.sites == PatchSites::kHeads ? shape.num_heads : std::ssize(plan.clean);
  std::vector<PatchedRun> runs;
  for (int64_t layer = 0; layer < grid.layers; ++layer)
    for (int64_t column = 0; column < grid.columns; ++column)
      runs.push_back({plan.into_clean, {change_of(plan, {layer, column, layer, column})}});
  grid.difference.resize(runs.size());
  size_t done = 0;
  const auto take = [&](int64_t run, std::span<const float> logits) {
    if (run < 0) return;
    grid.difference[static_cast<size_t>(run)] = difference_of(logits, ends->right, ends->wrong);
    ++done;
    if (progress) progress(static_cast<double>(done) / static_cast<double>(runs.size()));
  };
  if (!run_all(settings, source, plan, runs, take, gate)) return std::nullopt;
  return grid;
}

std::optional<PatchAnswer> patch_once(const Scenario& settings,
                                      const std::shared_ptr<Source>& source, const PatchPlan& plan,
                                      const PatchEnds& ends, const PatchMove& move, RunGate* gate) {
  check_plan(plan, *source);
  const SourceShape& shape = source->shape();
  const bool heads = plan.sites == PatchSites::kHeads;
  const int64_t columns = heads ? shape.num_heads : std::ssize(plan.clean);
  for (const auto& [layer, column] :
       {std::pair(move.from_layer, move.from_column), std::pair(move.layer, move.column)})
    if (layer < 0 || layer >= shape.num_layers || column < 0 || column >= columns)
      refuse("there is no such cell", fmt::format("layer {}, column {}", layer, column),
             fmt::format("layers 0 to {}, columns 0 to {}", shape.num_layers - 1, columns - 1));
  if (heads && (move.from_layer != move.layer || move.from_column != move.column))
    refuse("the output of a head is only put in the place of the same head",
           fmt::format("head {}.{} into {}.{}", move.from_layer, move.from_column, move.layer,
                       move.column),
           "the same head of both runs");
  std::optional<PatchAnswer> answer;
  const auto take = [&](int64_t run, std::span<const float> logits) {
    if (run == 0) answer = answer_of(logits, ends.right, ends.wrong);
  };
  if (!run_all(settings, source, plan, {{plan.into_clean, {change_of(plan, move)}}}, take, gate))
    return std::nullopt;
  return answer;
}

}  // namespace attn
