// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the tools that look inside a model: the logit lens, an answer without two heads, patched
// runs, and a run whose residual stream is kept, all on the bundled model; and the computation of
// points from random queries and keys.
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "engine/core/rng.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/patching.h"
#include "engine/explore/query_key_plane.h"
#include "engine/explore/request/what_if.h"

namespace attn::bench {
namespace {

constexpr int64_t kTextTokens = 512, kPoints = 16384, kPointSize = 64, kPatchedTokens = 30;

Scenario told_story(int64_t max_tokens, int threads) {
  Scenario scenario;
  scenario.source.model = "tinystories-gqa";
  scenario.requests.resize(1);
  scenario.requests[0].prompt = "Lily went to the park to see the big tree. Lily went to the";
  scenario.requests[0].max_tokens = max_tokens;
  scenario.engine.threads = threads;
  return scenario;
}

struct FinishedRun {
  std::shared_ptr<Source> source;
  EngineSnapshot shown;
  ThreadPool pool;
  Execution execution;

  FinishedRun(const Scenario& scenario, int threads)
      : source(load_source(scenario)), pool(threads) {
    execution.pool = &pool;
    Engine engine(scenario, source, {});
    engine.run_to_end();
    shown = engine.snapshot(EnginePhase::kFinished);
  }
  const RequestView& request() const { return shown.requests.front(); }
  ExploredRun inside() const { return *explore_request(shown, request(), source, execution); }
};

void lens_of_text(benchmark::State& state, int threads) {
  const FinishedRun finished(told_story(kTextTokens, threads), threads);
  std::vector<int32_t> tokens;
  for (const TokenView& token : *finished.request().tokens) tokens.push_back(token.id);
  int64_t positions = 0;
  LogitLens lens;
  measure_alone(
      state,
      [&] {
        const ExploredRun inside = finished.inside();
        positions = inside.num_tokens();
        logit_lens(inside.model(), *inside.residual, tokens, 0, positions, false, lens,
                   finished.execution);
      },
      threads);
  state.counters["positions"] = static_cast<double>(positions);
  state.counters["sites"] = static_cast<double>(lens.sites.size());
}

void answer_without_heads(benchmark::State& state, int threads) {
  const FinishedRun finished(told_story(32, threads), threads);
  const ExploredRun before = finished.inside();
  std::vector<Intervention> list(2);
  for (size_t i = 0; i < list.size(); ++i) {
    list[i].layer = 4;
    list[i].head = 2 + static_cast<int64_t>(i);
  }
  int64_t equal = 0;
  measure_alone(
      state,
      [&] {
        equal =
            what_if(finished.shown, finished.request(), before, list, finished.execution)->equal;
      },
      threads);
  state.counters["first_changed"] = static_cast<double>(equal);
}

void grid_of_patches(benchmark::State& state, int threads) {
  const Scenario settings = told_story(1, threads);
  const std::shared_ptr<Source> source = load_source(settings);
  const std::string begin = "Once upon a time there was a boy named Tom. One day Tom saw a big ",
                    end = ". It was sitting by the old tree. Tom was scared of the big";
  PatchPlan plan;
  for (const bool clean : {true, false}) {
    std::vector<int32_t> ids = source->encode(begin + (clean ? "dog" : "cat") + end);
    if (std::ssize(ids) < kPatchedTokens) return state.SkipWithError("the prompt is too short");
    // Keeps the last kPatchedTokens tokens, so that both prompts have the same length.
    ids.erase(ids.begin(), ids.end() - kPatchedTokens);
    (clean ? plan.clean : plan.corrupted) = std::move(ids);
  }
  int64_t cells = 0;
  measure_alone(
      state, [&] { cells = std::ssize(patch_grid(settings, source, plan)->difference); }, threads);
  state.counters["cells"] = static_cast<double>(cells);
}

void plane_of_points(benchmark::State& state) {
  Rng rng(7);
  std::vector<float> queries(kPoints * kPointSize), keys(queries.size());
  for (float& number : queries) number = rng.normal();
  for (float& number : keys) number = rng.normal();
  measure_alone(
      state, [&] { query_key_plane(queries, keys, kPointSize); }, 1);
}

void keep_residual(benchmark::State& state, int threads) {
  const Scenario off = told_story(128, threads);
  Scenario on = off;
  on.requests[0].residual = {0, kTextTokens};
  const std::shared_ptr<Source> source = load_source(off);
  const auto generate_with = [&](const Scenario& scenario) {
    EngineOptions options;
    options.keep_attention = false;
    Engine(scenario, source, options).run_to_end();
  };
  generate_with(on);
  measure_against(
      state, [&] { generate_with(off); }, [&] { generate_with(on); }, threads);
  state.counters["speed_to_off"] = 1 / state.counters["ratio_to_off"];
}

}  // namespace

void register_explore(int threads) {
  for (const int t : thread_counts(threads)) {
    add_row(fmt::format("explore/lens/tinystories-gqa/S{}/T{}", kTextTokens, t),
            [t](benchmark::State& state) { lens_of_text(state, t); });
    add_row(fmt::format("explore/knock_out/tinystories-gqa/T{}", t),
            [t](benchmark::State& state) { answer_without_heads(state, t); });
    add_row(fmt::format("explore/patch_grid/tinystories-gqa/S{}/T{}", kPatchedTokens, t),
            [t](benchmark::State& state) { grid_of_patches(state, t); });
    add_row(fmt::format("explore/residual/tinystories-gqa/T{}", t),
            [t](benchmark::State& state) { keep_residual(state, t); });
  }
  add_row(fmt::format("explore/plane/N{}/D{}", kPoints, kPointSize), plane_of_points);
}

}  // namespace attn::bench
