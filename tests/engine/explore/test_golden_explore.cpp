// SPDX-License-Identifier: GPL-3.0-or-later
// Compares with Hugging Face transformers and its forward hooks (tests/golden/explore): residual
// stream, lens, attribution, what is written, knock-outs, cut edges and patching of a tiny Llama.
#include <gtest/gtest.h>

#include "engine/explore/attribution.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/patching.h"
#include "engine/explore/written.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

struct Golden {
  SafetensorsFile file = SafetensorsFile::open(std::string(ATTN_SOURCE_DIR) +
                                               "/tests/golden/explore/llama-toy.safetensors");
  std::shared_ptr<Model> model;
  std::vector<int32_t> ids, other;

  Golden() {
    std::map<std::string, Tensor> weights;
    const std::string prefix = "weights.model.", head = "weights.lm_head.weight";
    for (const TensorEntry& entry : file.tensors())
      if (entry.name.starts_with(prefix) || entry.name == head)
        weights[entry.name.substr(std::string("weights.").size())] = file.read(entry);
    model = write_and_load(nlohmann::json::parse(file.metadata().at("config")), weights);
    ids = list("ids");
    other = list("other_ids");
  }
  std::vector<int32_t> list(const char* name) const {
    const Tensor tensor = file.read(name);
    return {tensor.span<int32_t>().begin(), tensor.span<int32_t>().end()};
  }
  // The numbers of "1.1.9.4".
  std::vector<int64_t> place(const char* key) const {
    std::vector<int64_t> numbers;
    std::stringstream words(file.metadata().at(key));
    for (std::string word; std::getline(words, word, '.');) numbers.push_back(std::stoll(word));
    return numbers;
  }
  std::vector<float> read(const std::string& name) const {
    const Tensor tensor = file.read(name);
    return {tensor.span<float>().begin(), tensor.span<float>().end()};
  }
};

const Golden& golden() {
  static const Golden data;
  return data;
}

const ExploredRun& plain_run() {
  static const ExploredRun run = run_of(golden().model, golden().ids);
  return run;
}

void expect_near(std::span<const float> got, const std::string& name, double relative = 1e-5) {
  const std::vector<float> wanted = golden().read(name);
  ASSERT_EQ(got.size(), wanted.size()) << name;
  EXPECT_LE(largest_difference(got, wanted), relative * std::max(1.0, largest(wanted))) << name;
}

// Logits of the last position with an intervention.
void expect_last_logits(std::vector<Intervention> changes, const std::string& name,
                        const std::vector<int32_t>& other = {}) {
  const ExploredRun run = run_of(golden().model, golden().ids, std::move(changes), 1, other);
  const std::vector<float> wanted = golden().read(name);
  const size_t vocab = run.logits.span<float>().size();
  EXPECT_LE(largest_difference(run.logits.span<float>(), std::span(wanted).last(vocab)), 2e-5)
      << name;
  EXPECT_GT(largest_difference(run.logits.span<float>(), plain_run().logits.span<float>()), 1e-3)
      << name;
}

TEST(GoldenExplore, TheResidualStreamIsThatOfTransformers) {
  const ResidualRecord& record = *plain_run().residual;
  const int64_t tokens = plain_run().num_tokens();
  std::vector<float> x(static_cast<size_t>(tokens * record.shape().width));
  ASSERT_TRUE(record.read(ResidualSite::kEmbed, 0, 0, tokens, x.data()));
  expect_near(x, "residual.embed");
  for (int64_t layer = 0; layer < record.shape().num_layers; ++layer) {
    ASSERT_TRUE(record.read(ResidualSite::kMid, layer, 0, tokens, x.data()));
    expect_near(x, fmt::format("residual.{}.mid", layer));
    ASSERT_TRUE(record.read(ResidualSite::kPost, layer, 0, tokens, x.data()));
    expect_near(x, fmt::format("residual.{}.post", layer));
  }
}

TEST(GoldenExplore, LensHeadsAndWhatIsWrittenAreThoseOfTransformers) {
  Pool pool;
  const int64_t tokens = plain_run().num_tokens();
  const Network network = golden().model->network();
  for (int64_t layer = 0; layer < 3; ++layer) {
    Tensor logits;
    ASSERT_TRUE(lens_logits(*golden().model, *plain_run().residual, {ResidualSite::kPost, layer}, 0,
                            tokens, logits, pool.execution));
    expect_near(logits.span<float>(), fmt::format("lens.{}", layer));
    expect_near(head_outputs(network, *plain_run().residual, layer, 0, tokens),
                fmt::format("head_out.{}", layer));
    std::vector<float> all;
    for (int64_t head = 0; head < 4; ++head) {
      const std::vector<float> cells = written(network, *plain_run().attention, layer, head,
                                               Written::kWeightTimesOutput, 0, tokens, 0, tokens);
      all.insert(all.end(), cells.begin(), cells.end());
    }
    expect_near(all, fmt::format("written.{}", layer));
  }
}

TEST(GoldenExplore, AttributionIsThatOfTransformers) {
  Pool pool;
  const auto shares = attribute(*golden().model, *plain_run().residual,
                                plain_run().num_tokens() - 1, 5, 17, pool.execution);
  ASSERT_TRUE(shares);
  ASSERT_EQ(golden().file.metadata().at("pair"), "5,17");
  const std::vector<float> heads(shares->heads.begin(), shares->heads.end()),
      mlps(shares->mlps.begin(), shares->mlps.end()), embed{static_cast<float>(shares->embed)};
  expect_near(heads, "attribution");
  expect_near(mlps, "attribution.mlp");
  expect_near(embed, "attribution.embed");
}

TEST(GoldenExplore, KnockOutsAndCutEdgesGiveTheLogitsOfTheHooks) {
  const auto zero = golden().place("zero_head"), mean = golden().place("mean_head"),
             other = golden().place("other_head"), edge = golden().place("edge"),
             column = golden().place("column");
  expect_last_logits({head_off(zero[0], zero[1])}, "knock_out.zero");
  expect_last_logits({head_off(mean[0], mean[1], Replacement::kMean)}, "knock_out.mean");
  Intervention from = head_off(other[0], other[1], Replacement::kRequest);
  from.request = 1;
  expect_last_logits({from}, "knock_out.other", golden().other);
  expect_last_logits({edge_cut(edge[0], edge[1], edge[2], edge[3])}, "cut.edge");
  expect_last_logits({edge_cut(column[0], column[1], -1, column[2])}, "cut.column");
}

TEST(GoldenExplore, PatchingGivesTheGridsOfTheHooks) {
  PatchPlan plan{.clean = golden().ids,
                 .corrupted = golden().other,
                 .right = 5,
                 .wrong = 17,
                 .sites = PatchSites::kMidByPosition,
                 .into_clean = false};
  for (const auto& [sites, name] : {std::pair(PatchSites::kMidByPosition, "patch.mid"),
                                    {PatchSites::kPostByPosition, "patch.post"},
                                    {PatchSites::kHeads, "patch.heads"}}) {
    plan.sites = sites;
    const auto grid = patch_grid(toy_scenario(1), golden().model, plan);
    ASSERT_TRUE(grid);
    const std::vector<float> got(grid->difference.begin(), grid->difference.end()),
        ends{static_cast<float>(grid->ends.clean.difference),
             static_cast<float>(grid->ends.corrupted.difference)};
    expect_near(got, name);
    expect_near(ends, "patch.ends");
  }
}

}  // namespace
}  // namespace attn
