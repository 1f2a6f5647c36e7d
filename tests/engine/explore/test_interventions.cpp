// SPDX-License-Identifier: GPL-3.0-or-later
// Interventions: what they change, which ones are refused, and the messages about them. Also the
// residual stream that a run keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/session/intervene/applied.h"
#include "engine/session/run/run_memory.h"
#include "engine/session/scenario/scenario.h"
#include "engine/session/session_file/session_file.h"
#include "engine/trace/row_state_log.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;
using testing::HasSubstr;

const std::vector<int32_t> kIds{3, 9, 1, 17, 4, 20, 8, 11, 2, 6};
const std::vector<int32_t> kOther{3, 9, 1, 5, 4, 20, 8, 13, 2, 7};

std::shared_ptr<Model> toy() {
  static const std::shared_ptr<Model> model = random_toy(5);
  return model;
}

std::vector<float> heads_of(const ExploredRun& run, int64_t layer) {
  const ResidualRecord::Shape& shape = run.residual->shape();
  std::vector<float> z(static_cast<size_t>(run.num_tokens() * shape.num_heads * shape.head_size));
  EXPECT_TRUE(run.residual->read_heads(layer, 0, run.num_tokens(), z.data()));
  return z;
}
std::vector<float> stream_at(const ExploredRun& run, ResidualSite site, int64_t layer,
                             int64_t first, int64_t count) {
  std::vector<float> x(static_cast<size_t>(count * run.residual->shape().width));
  EXPECT_TRUE(run.residual->read(site, layer, first, count, x.data()));
  return x;
}
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Interventions, AHeadThatIsOffAddsNothingAndOthersOfItsLayerStay) {
  const ExploredRun plain = run_of(toy(), kIds), off = run_of(toy(), kIds, {head_off(1, 2)});
  const std::vector<float> before = heads_of(plain, 1), after = heads_of(off, 1);
  const int64_t size = 6, heads = 4;
  for (size_t i = 0; i < before.size(); ++i) {
    const bool is_off = static_cast<int64_t>(i) / size % heads == 2;
    ASSERT_EQ(after[i], is_off ? 0 : before[i]) << i;
  }
  EXPECT_TRUE(same_bits(heads_of(plain, 0), heads_of(off, 0)));
  EXPECT_FALSE(same_bits(heads_of(plain, 2), heads_of(off, 2)));
  EXPECT_FALSE(same_bits(plain.logits, off.logits));
}

TEST(Interventions, AValueOfARunOfTheSameTextChangesNothingAndThatIsSaid) {
  for (Intervention what :
       {head_off(1, 2, Replacement::kRequest), stream_of(1, ResidualSite::kPost, 1, -1),
        stream_of(1, ResidualSite::kMid, 2, 4)}) {
    what.request = 1;
    const std::string said = error_of([&] { run_of(toy(), kIds, {what}, 1, kIds); });
    EXPECT_THAT(said, HasSubstr("an intervention changed nothing"));
    EXPECT_THAT(said, HasSubstr(text_of(what)));
  }
}

TEST(Interventions, EveryStreamOfTheOtherRunGivesItsLogits) {
  const ExploredRun other = run_of(toy(), kOther);
  for (int64_t layer = 0; layer < 3; ++layer) {
    const ExploredRun patched =
        run_of(toy(), kIds, {stream_of(1, ResidualSite::kPost, layer, -1)}, 1, kOther);
    EXPECT_TRUE(same_bits(patched.logits, other.logits)) << layer;
  }
}

TEST(Interventions, APatchReachesOnlyItsCone) {
  const ExploredRun plain = run_of(toy(), kIds);
  const int64_t position = 7, layer = 1;
  const ExploredRun patched =
      run_of(toy(), kIds, {stream_of(1, ResidualSite::kPost, layer, position)}, 1, kOther);
  for (int64_t l = 0; l < 3; ++l)
    for (const ResidualSite site : {ResidualSite::kMid, ResidualSite::kPost}) {
      const int64_t same =
          l < layer || (l == layer && site == ResidualSite::kMid) ? plain.num_tokens() : position;
      EXPECT_TRUE(
          same_bits(stream_at(plain, site, l, 0, same), stream_at(patched, site, l, 0, same)))
          << l;
    }
  EXPECT_FALSE(same_bits(stream_at(plain, ResidualSite::kPost, layer, position, 1),
                         stream_at(patched, ResidualSite::kPost, layer, position, 1)));
}

TEST(Interventions, TheOtherWeightsOfACutRowGrowByOneOverTheRest) {
  const ExploredRun plain = run_of(toy(), kIds), cut = run_of(toy(), kIds, {edge_cut(1, 1, 8, 3)});
  std::vector<float> before(10), after(10), row(10);
  for (int64_t query = 0; query < 10; ++query) {
    plain.attention->weights(1, 1, query, 1, 0, 10, before.data());
    cut.attention->weights(1, 1, query, 1, 0, 10, after.data());
    if (query != 8) {
      EXPECT_TRUE(same_bits(before, after)) << query;
      continue;
    }
    EXPECT_EQ(after[3], 0);
    for (size_t key = 0; key < 10; ++key)
      if (key != 3) {
        EXPECT_NEAR(static_cast<double>(after[key]),
                    static_cast<double>(before[key]) / (1 - static_cast<double>(before[3])), 1e-6);
      }
  }
  cut.attention->scores(1, 1, 8, 1, 0, 10, row.data());
  EXPECT_EQ(row[3], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(cut.attention->operands(1, 1, 8, 3).masked);
}

TEST(Interventions, ARowThatSeesNoKeyGivesZero) {
  const ExploredRun cut = run_of(toy(), kIds, {edge_cut(0, 0, 0, 0)});
  const std::vector<float> z = heads_of(cut, 0);
  for (size_t d = 0; d < 6; ++d) EXPECT_EQ(z[d], 0);
  EXPECT_EQ(cut.attention->lse(0, 0, 0), -std::numeric_limits<float>::infinity());
}

TEST(Interventions, AMeanIsThatOfTheUntouchedPrompt) {
  const ExploredRun plain = run_of(toy(), kIds);
  const std::vector<float> z = heads_of(plain, 2);
  const ExploredRun changed =
      run_of(toy(), kIds, {head_off(0, 1), head_off(2, 3, Replacement::kMean)}, 3);
  const std::vector<float> after = heads_of(changed, 2);
  for (int64_t d = 0; d < 6; ++d) {
    double mean = 0;
    for (int64_t row = 0; row < 10; ++row)
      mean += static_cast<double>(z[static_cast<size_t>((row * 4 + 3) * 6 + d)]) / 10;
    for (int64_t row = 0; row < changed.num_tokens(); ++row)
      ASSERT_NEAR(static_cast<double>(after[static_cast<size_t>((row * 4 + 3) * 6 + d)]), mean,
                  1e-6);
  }
}

TEST(Interventions, WhatChangesNoBitIsAnErrorInWords) {
  EXPECT_THAT(error_of([] { run_of(toy(), kIds, {edge_cut(1, 1, 30, 3)}); }),
              HasSubstr("edge 1.1: query 30 does not read key 3: this changed no number"));
}

// The engine also checks a list of interventions that does not come from a scenario file.
TEST(Interventions, TwoOfTheSameValuesAreRefused) {
  Intervention sink = head_off(1, 2);
  sink.kind = InterventionKind::kSink;
  const std::vector<std::vector<Intervention>> pairs = {
      {head_off(1, 2), head_off(1, 2)},
      {head_off(1, 2), head_off(1, 2, Replacement::kMean)},
      {edge_cut(1, 1, 6, 3), edge_cut(1, 1, 6, 3)},
      {sink, sink}};
  for (const std::vector<Intervention>& pair : pairs) {
    const std::string text = error_of([&] {
      Scenario scenario = toy_scenario(1);
      scenario.attention.sinks = {5};
      scenario.requests[0].interventions = {head_off(0, 0), pair[0], pair[1]};
      explore(scenario, toy(), {{kIds, {}}});
    });
    EXPECT_THAT(text, HasSubstr("two interventions change the same values at "
                                "$.requests[0].interventions[2]: "));
    EXPECT_THAT(text, HasSubstr(text_of(pair[1]) + ", and in $.requests[0].interventions[1] " +
                                text_of(pair[0])));
  }
}

TEST(Interventions, WhatTheModelDoesNotHaveIsRefused) {
  EXPECT_THAT(error_of([] { run_of(toy(), kIds, {head_off(3, 0)}); }), HasSubstr("0 to 2"));
  EXPECT_THAT(error_of([] { run_of(toy(), kIds, {head_off(0, 4)}); }), HasSubstr("0 to 3"));
  EXPECT_THAT(error_of([] { run_of(toy(), kIds, {edge_cut(0, 0, 3, 5)}); }),
              HasSubstr("a query sees no later key"));
  Intervention sink = head_off(0, 0);
  sink.kind = InterventionKind::kSink;
  EXPECT_THAT(error_of([&] { run_of(toy(), kIds, {sink}); }),
              HasSubstr("the head has no sink that could be taken out"));
  EXPECT_THAT(error_of([] { run_of(toy(), kIds, {head_off(0, 0, Replacement::kRequest)}); }),
              HasSubstr("a request cannot take a value from itself"));
  Intervention moved = head_off(0, 0);
  moved.from_layer = 1;
  EXPECT_THAT(error_of([&] { run_of(toy(), kIds, {moved}); }),
              HasSubstr("only the residual stream of another request"));
  moved = stream_of(1, ResidualSite::kPost, 1, -1);
  moved.from_position = 2;
  EXPECT_THAT(error_of([&] { run_of(toy(), kIds, {moved}, 1, kIds); }),
              HasSubstr("one position cannot be put in the place of all"));
  moved.position = 3;
  moved.from_layer = 3;
  EXPECT_THAT(error_of([&] { run_of(toy(), kIds, {moved}, 1, kIds); }), HasSubstr("0 to 2"));
  moved.from_layer = 0;
  EXPECT_EQ(text_of(moved),
            "residual stream after layer 1 of request 1, position 3, from layer 0, position 2");
}

TEST(Interventions, ASinkThatIsOffGivesItsShareBack) {
  Scenario scenario = toy_scenario(1);
  scenario.attention.sinks = {5};
  const auto run = [&] { return *explore(scenario, toy(), {{kIds, {}}}); };
  const ExploredRun with = run();
  Intervention sink = head_off(1, 2);
  sink.kind = InterventionKind::kSink;
  scenario.requests[0].interventions = {sink};
  const ExploredRun without = run();
  std::vector<float> row(10);
  const auto sum = [&](const ExploredRun& of, int64_t head) {
    of.attention->weights(1, head, 9, 1, 0, 10, row.data());
    double all = 0;
    for (const float weight : row) all += static_cast<double>(weight);
    return all;
  };
  EXPECT_LT(sum(with, 2), 0.999);
  EXPECT_NEAR(sum(without, 2), 1, 1e-5);
  EXPECT_EQ(sum(with, 1), sum(without, 1));
}

TEST(Interventions, AScenarioKeepsThem) {
  Scenario scenario = toy_scenario(2);
  scenario.requests[0].interventions = {head_off(1, 2, Replacement::kMean), edge_cut(0, 1, 5, 2),
                                        stream_of(1, ResidualSite::kMid, 2, 4)};
  scenario.requests[1].residual = {2, 40};
  const std::string json = to_json(scenario);
  EXPECT_EQ(parse_scenario(json, "test"), scenario);
  EXPECT_EQ(to_json(toy_scenario(1)).find("interventions"), std::string::npos);
  EXPECT_THAT(error_of([] {
                parse_scenario(R"({"version": 1, "source": {"model": "x"},
                  "requests": [{"prompt": "a", "interventions": [{"kind": "hed"}]}]})",
                               "f.json");
              }),
              HasSubstr("$.requests[0].interventions[0].kind"));
}

TEST(Interventions, RequestsAreAddedToARunningBatch) {
  const auto run = [](bool add) {
    Scenario scenario = toy_scenario(1, 12);
    scenario.engine.enable_prefix_caching = true;
    scenario.engine.block_size = 2;
    EngineOptions options;
    options.prompts = {{kIds, {}}};
    Engine engine(scenario, toy(), options);
    for (int step = 0; step < 4; ++step) engine.step();
    if (add) {
      ScenarioRequest changed = scenario.requests[0];
      changed.interventions = {head_off(1, 2), head_off(2, 1, Replacement::kMean)};
      engine.add_request(changed, kIds);
      std::vector<int32_t> other = engine.scheduler().find(0)->token_ids();
      other.back() = (other.back() + 1) % 24;
      engine.add_request(scenario.requests[0], other);
      EXPECT_THROW(engine.add_request(scenario.requests[0], {24}), Error);
    }
    engine.run_to_end();
    EXPECT_NO_THROW(engine.require_effect());
    if (add) {
      const Scheduler& scheduler = engine.scheduler();
      EXPECT_EQ(scheduler.find(1)->num_cached, 0);
      EXPECT_GT(scheduler.find(2)->num_cached, 8);
      const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
      EXPECT_TRUE(shot.requests[0].interventions.empty());
      EXPECT_EQ(shot.requests[1].interventions.size(), 2u);
      EXPECT_GT(shot.requests[1].changed_numbers[1], 0);
      EXPECT_EQ(scheduler.find(1)->output_ids,
                run_of(toy(), kIds, shot.requests[1].interventions, 12).generated);
    }
    return engine.scheduler().find(0)->output_ids;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(Interventions, ASavedRunHasTheCutInItsWeights) {
  Scenario scenario = toy_scenario(1, 3);
  scenario.source.model = std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa";
  scenario.requests[0].prompt = "Once upon a time, there was a little girl.";
  scenario.requests[0].interventions = {edge_cut(1, 1, 6, 3)};
  Recorder recorder(2);
  EngineOptions options;
  options.recorder = &recorder;
  options.history_bytes = kHistoryBytes;
  Engine engine(scenario, bundled_model(), options);
  engine.run_to_end();
  recorder.drain();
  const auto shot = std::make_shared<const EngineSnapshot>(engine.snapshot(EnginePhase::kFinished));
  RowStateLog states;
  const ScratchFolder folder;
  save_session(folder.path / "a.attn-session", {shot, &recorder, &states, "{}"});
  const Session session = load_session(folder.path / "a.attn-session");
  const RequestView &before = shot->requests[0], &after = session.snapshot->requests[0];
  EXPECT_EQ(after.interventions, before.interventions);
  for (int64_t query = 0; query < before.attention->num_rows(); ++query) {
    std::vector<float> a(12), b(12);
    before.attention->weights(1, 1, query, 1, 0, 12, a.data());
    after.attention->weights(1, 1, query, 1, 0, 12, b.data());
    EXPECT_TRUE(same_bits(a, b)) << query;
    if (query == 6) {
      EXPECT_EQ(b[3], 0);
    }
  }
}

TEST(ResidualStore, ItsBytesAreKnownAndItKeepsItsWindow) {
  Scenario scenario = toy_scenario(1, 5);
  scenario.requests[0].residual = {3, 100};
  const ResidualRecord::Shape shape = residual_shape(scenario.requests[0], *toy(), 10);
  EXPECT_EQ(shape.tokens, 12);  // positions 3 to 14
  EXPECT_EQ(ResidualRecord::bytes_needed(shape), 4.0 * 12 * (7 * 20 + 3 * 4 * 6));
  EngineOptions options;
  options.prompts = {{kIds, {}}};
  Engine engine(scenario, toy(), options);
  engine.run_to_end();
  const auto record = engine.residual(0);
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->has(2));
  EXPECT_TRUE(record->has(3));
  EXPECT_TRUE(record->has(13));
  EXPECT_FALSE(record->has(14));  // this token was sampled, but its row was not computed
  EXPECT_EQ(record->num_rows(), 11);
  std::vector<float> x(20);
  EXPECT_FALSE(record->read(ResidualSite::kPost, 0, 2, 1, x.data()));
  EXPECT_EQ(engine.snapshot(EnginePhase::kFinished).requests[0].residual, record);
}

TEST(ResidualStore, TooMuchIsRefusedWithItsArithmetic) {
  Scenario scenario = toy_scenario(1, 5);
  scenario.requests[0].residual = {0, 100};
  EXPECT_GT(run_memory(scenario, *toy(), {}).residual_bytes, 0);
  RunMemory need = run_memory(scenario, *toy(), {});
  need.residual_bytes = 1 << 20;
  EXPECT_THAT(error_of([&] { check_run_memory(need, int64_t{1} << 20); }),
              HasSubstr("residual streams"));
  const std::vector<GivenTokens> given{{60, 0}};
  const RunMemory of_given = run_memory(scenario, *toy(), {}, 0, given);
  EXPECT_EQ(of_given.residual_bytes,
            ResidualRecord::bytes_needed(residual_shape(scenario.requests[0], *toy(), 60)));
  EXPECT_GT(of_given.residual_bytes, run_memory(scenario, *toy(), {}).residual_bytes);
  EXPECT_GT(of_given.token_bytes, run_memory(scenario, *toy(), {}).token_bytes);
  scenario.requests[0].residual = {};
  EXPECT_EQ(run_memory(scenario, *toy(), {}).residual_bytes, 0);
}

TEST(ResidualStore, ItChangesNoBit) {
  Scenario scenario = toy_scenario(1, 6);
  std::vector<std::vector<float>> rows(2);
  for (const int64_t tokens : {0, 100}) {
    scenario.requests[0].residual = {0, tokens};
    EngineOptions options;
    options.prompts = {{kIds, {}}};
    options.on_logits = [&](const Tensor& logits, const auto&) {
      auto& to = rows[tokens > 0];
      to.insert(to.end(), logits.span<float>().begin(), logits.span<float>().end());
    };
    Engine engine(scenario, toy(), options);
    engine.run_to_end();
  }
  EXPECT_TRUE(same_bits(rows[0], rows[1]));
}

}  // namespace
}  // namespace attn
