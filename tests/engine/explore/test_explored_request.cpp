// SPDX-License-Identifier: GPL-3.0-or-later
// A request of a run that is computed once more has the bits that the run keeps. If a part of it is
// switched off, only what depends on that part differs.
#include "engine/explore/request/explored_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/explore/logit_lens.h"
#include "engine/explore/request/what_if.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

struct ToyRun {
  std::shared_ptr<Model> model = random_toy(11);
  EngineSnapshot shot;

  // Runs three requests. The first one has the interventions.
  explicit ToyRun(std::vector<Intervention> list, bool keeps) {
    Scenario scenario = toy_scenario(3, 5);
    scenario.requests[0].interventions = std::move(list);
    scenario.requests[0].sampling = {.temperature = 0.9, .top_k = 0, .top_p = 1, .seed = 3};
    if (keeps) scenario.requests[0].residual = {0, 100};
    EngineOptions options;
    options.prompts = {{{3, 1, 4, 1, 5}, {}}, {{9, 2, 6}, {}}, {{5, 3, 5, 8, 9, 7, 9}, {}}};
    Engine engine(scenario, model, options);
    engine.run_to_end();
    shot = engine.snapshot(EnginePhase::kFinished);
  }
  const RequestView& request() const { return shot.requests.front(); }
};

std::vector<float> all_rows(const Model& model, const ResidualRecord& record, int64_t rows) {
  std::vector<float> all, part(static_cast<size_t>(rows * record.shape().width));
  for (const LensSite& site : lens_sites(model, true)) {
    EXPECT_TRUE(record.read(site.site, site.layer, 0, rows, part.data()));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(ExploredRequest, HasTheBitsOfTheRun) {
  Pool pool;
  Intervention mean, other;
  mean.layer = 1;
  mean.head = 2;
  mean.with = Replacement::kMean;
  other.layer = 2;
  other.head = 1;
  other.with = Replacement::kRequest;
  other.request = 2;
  for (const auto& list : {std::vector<Intervention>{}, {mean}, {other}}) {
    const ToyRun kept(list, true), plain(list, false);
    ASSERT_TRUE(kept.request().residual && !plain.request().residual);
    const int64_t rows = rows_inside(plain.request());
    EXPECT_EQ(rows, 9);
    EXPECT_GT(inside_bytes(plain.shot, rows), 0);
    const auto again = explore_request(plain.shot, plain.request(), plain.model, pool.execution);
    const auto own = explore_request(kept.shot, kept.request(), kept.model, pool.execution);
    ASSERT_TRUE(again && own);
    EXPECT_EQ(own->residual, kept.request().residual);
    EXPECT_EQ(again->tokens, own->tokens);
    EXPECT_TRUE(same_bits(all_rows(*plain.model, *again->residual, rows),
                          all_rows(*plain.model, *own->residual, rows)));
    EXPECT_TRUE(same_bits(again->logits, own->logits));
  }
}

TEST(ExploredRequest, WhatIfChangesOnlyWhatItMay) {
  Pool pool;
  const ToyRun run({}, false);
  const auto before = explore_request(run.shot, run.request(), run.model, pool.execution);
  Intervention late;  // changes head 0 of layer 1 at position 6
  late.layer = 1;
  late.head = 0;
  late.position = 6;
  const auto result = what_if(run.shot, run.request(), *before, {late}, pool.execution);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->rows.size(), 9U);
  for (const WhatIfRow& row : result->rows) {
    if (row.position < 6) {
      EXPECT_EQ(row.before, row.after);
      EXPECT_EQ(row.divergence, 0);
      EXPECT_EQ(row.best_before, row.best_after);
    }
    EXPECT_GT(row.divergence, -1e-12);
  }
  EXPECT_GT(result->rows[6].divergence, 0);
  EXPECT_GT(result->changed_numbers.at(0), 0);
  EXPECT_GE(result->equal, 1);
  Intervention never = late;
  never.position = 90;
  EXPECT_THROW(what_if(run.shot, run.request(), *before, {never}, pool.execution), Error);
  Intervention mean = late;
  mean.with = Replacement::kMean;
  try {
    what_if(run.shot, run.request(), *before, {late, mean}, pool.execution);
    ADD_FAILURE() << "two changes of one head were accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("two interventions change the same values"));
  }
}

// In the first layer that is changed the stream changes by what the heads write now minus before.
TEST(ExploredRequest, WhatIfComparesTheStreamOfTheFirstChangedLayer) {
  Pool pool;
  const ToyRun run({}, false);
  const auto before = explore_request(run.shot, run.request(), run.model, pool.execution);
  Intervention off;
  off.layer = 1;
  off.head = 2;
  Intervention later = off, mean = off;
  later.layer = 2;
  mean.head = 3;
  mean.with = Replacement::kMean;
  for (const std::vector<Intervention>& list :
       {std::vector{off}, {later, off}, {off, mean}, {edge_cut(1, 0, 6, 3)}}) {
    const auto result = what_if(run.shot, run.request(), *before, list, pool.execution);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->stream_layer, 1);
    EXPECT_EQ(result->stream_rows, std::ssize(result->rows));
    EXPECT_GT(result->stream_largest, 0.03);
    EXPECT_LE(result->stream_residue, 4e-6);  // the stream is f32
  }
  Intervention stream;
  stream.kind = InterventionKind::kResidual;
  stream.layer = 1;
  const auto result = what_if(run.shot, run.request(), *before, {off, stream}, pool.execution);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stream_rows, 0);
}

// Checks that the other weights of a row are multiplied by 1 / (1 - weight of its cut edge). Rows
// that another change of the list can alter are left out.
TEST(ExploredRequest, WhatIfComparesRowsWithACutEdge) {
  Pool pool;
  const ToyRun run({}, false);
  const auto before = explore_request(run.shot, run.request(), run.model, pool.execution);
  const Intervention one = edge_cut(1, 2, 6, 3);
  auto result = what_if(run.shot, run.request(), *before, {one}, pool.execution);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cut_rows, 1);
  EXPECT_LE(result->cut_residue, 1e-6);
  Intervention first = edge_cut(1, 2, -1, 0);  // cuts key 0 from all rows behind it
  result = what_if(run.shot, run.request(), *before, {first}, pool.execution);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cut_rows, 8);
  EXPECT_LE(result->cut_residue, 1e-6);
  result = what_if(run.shot, run.request(), *before,
                   {one, edge_cut(1, 2, 6, 4), edge_cut(2, 0, 6, 2)}, pool.execution);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->cut_rows, 0);
}

}  // namespace
}  // namespace attn
