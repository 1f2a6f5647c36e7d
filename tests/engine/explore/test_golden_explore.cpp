// SPDX-License-Identifier: GPL-3.0-or-later
// Compares with other programs (tests/golden/explore). With Hugging Face transformers and its
// forward hooks: residual stream, lens, attribution, what is written, knock-outs, cut edges and
// patching of a tiny Llama. With TransformerLens: lens, attribution and patching of the same Llama;
// lens, attribution and scores of heads of a tiny GPT-2. With the program of G. Kobayashi and
// others (2020): what the heads of a tiny BERT write. With transformers: what the bundled encoder
// says of masked words, and how many of 100 masked words it finds (tests/golden/cloze).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/explore/attribution.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/next_token.h"
#include "engine/explore/patching.h"
#include "engine/explore/request/explored_request.h"
#include "engine/explore/request/what_if.h"
#include "engine/explore/written.h"
#include "engine/model/tokenizer/mask_token.h"
#include "engine/session/record/head_reader.h"
#include "engine/session/run/engine.h"
#include "tests/engine/explore/toy_model.h"
#include "tests/engine/model/families/family_case.h"

namespace attn {
namespace {

using namespace test;

SafetensorsFile open_golden(const std::string& name) {
  return SafetensorsFile::open(std::string(ATTN_SOURCE_DIR) + "/tests/golden/explore/" + name +
                               ".safetensors");
}

std::vector<int32_t> ids_of(const SafetensorsFile& file) {
  const Tensor tensor = file.read("ids");
  return {tensor.span<int32_t>().begin(), tensor.span<int32_t>().end()};
}

struct Golden {
  SafetensorsFile file = open_golden("llama-toy");
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
  std::vector<int64_t> place(const char* key) const {
    std::vector<int64_t> numbers;
    std::stringstream words(file.metadata().at(key));
    for (std::string word; std::getline(words, word, '.');) numbers.push_back(std::stoll(word));
    return numbers;
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

constexpr double kNear = 1e-5;  // relative to the larger of 1 and the largest number

void expect_near(std::span<const float> got, std::span<const float> wanted,
                 const std::string& name) {
  ASSERT_EQ(got.size(), wanted.size()) << name;
  EXPECT_LE(largest_difference(got, wanted), kNear * std::max(1.0, largest(wanted))) << name;
}
void expect_near(std::span<const float> got, const std::string& name,
                 const SafetensorsFile& file = golden().file) {
  const Tensor wanted = file.read(name);
  expect_near(got, wanted.span<float>(), name);
}

std::vector<float> floats(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

PatchGrid patched(PatchSites sites) {
  const PatchPlan plan{.clean = golden().ids,
                       .corrupted = golden().other,
                       .right = 5,
                       .wrong = 17,
                       .sites = sites,
                       .into_clean = false};
  return *patch_grid(toy_scenario(1), golden().model, plan);
}

void expect_last_logits(std::vector<Intervention> changes, const std::string& name,
                        const std::vector<int32_t>& other = {}) {
  const ExploredRun run = run_of(golden().model, golden().ids, std::move(changes), 1, other);
  const Tensor wanted = golden().file.read(name);
  const size_t vocab = run.logits.span<float>().size();
  EXPECT_LE(largest_difference(run.logits.span<float>(), wanted.span<float>().last(vocab)), 2e-5)
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

TEST(GoldenExplore, AttributionIsThatOfTransformersAndOfTransformerLens) {
  Pool pool;
  const auto shares = attribute(*golden().model, *plain_run().residual,
                                plain_run().num_tokens() - 1, 5, 17, pool.execution);
  ASSERT_TRUE(shares);
  const SafetensorsFile lens = open_golden("llama-toy.transformer_lens");
  for (const SafetensorsFile* file : {&golden().file, &lens}) {
    SCOPED_TRACE(file->metadata().at("generator"));
    ASSERT_EQ(file->metadata().at("pair"), "5,17");
    expect_near(floats(shares->heads), "attribution", *file);
    expect_near(floats(shares->mlps), "attribution.mlp", *file);
    expect_near(floats({&shares->embed, 1}), "attribution.embed", *file);
  }
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
  for (const auto& [sites, name] : {std::pair(PatchSites::kMidByPosition, "patch.mid"),
                                    {PatchSites::kPostByPosition, "patch.post"},
                                    {PatchSites::kHeads, "patch.heads"}}) {
    const PatchGrid grid = patched(sites);
    const std::vector<float> ends{static_cast<float>(grid.ends.clean.difference),
                                  static_cast<float>(grid.ends.corrupted.difference)};
    expect_near(floats(grid.difference), name);
    expect_near(ends, "patch.ends");
  }
}

TEST(GoldenExplore, TheLensIsThatOfTransformerLens) {
  const SafetensorsFile file = open_golden("llama-toy.transformer_lens");
  Pool pool;
  Tensor logits;
  std::vector<float> all;
  for (const LensSite site : lens_sites(*golden().model, true)) {
    ASSERT_TRUE(lens_logits(*golden().model, *plain_run().residual, site, 0,
                            plain_run().num_tokens(), logits, pool.execution));
    all.insert(all.end(), logits.span<float>().begin(), logits.span<float>().end());
  }
  expect_near(all, "lens", file);
}

TEST(GoldenExplore, PatchingGivesTheGridsOfTransformerLens) {
  const SafetensorsFile file = open_golden("llama-toy.transformer_lens");
  expect_near(floats(patched(PatchSites::kMidByPosition).difference), "patch.mid", file);
  expect_near(floats(patched(PatchSites::kHeads).difference), "patch.heads", file);
  // TransformerLens patches the stream before a layer: our stream after the layer before it.
  const std::vector<float> after = floats(patched(PatchSites::kPostByPosition).difference);
  const Tensor before = file.read("patch.pre");
  const size_t columns = golden().ids.size();
  expect_near(std::span(after).first(2 * columns), before.span<float>().last(2 * columns),
              "patch.pre");
}

TEST(GoldenExplore, LensAndAttributionOfAGpt2AreThoseOfTransformerLens) {
  const SafetensorsFile file = open_golden("gpt2-toy.transformer_lens");
  ASSERT_EQ(file.metadata().at("pair"), "11,42");
  const std::shared_ptr<Model> gpt2 = load_model(FamilyCase(file.metadata().at("case")).write());
  const ExploredRun run = run_of(gpt2, ids_of(file));
  const int64_t tokens = run.num_tokens();
  Pool pool;
  std::vector<float> all;
  for (const LensSite site : lens_sites(*gpt2, true)) {
    Tensor logits;
    ASSERT_TRUE(lens_logits(*gpt2, *run.residual, site, 0, tokens, logits, pool.execution));
    all.insert(all.end(), logits.span<float>().begin(), logits.span<float>().end());
  }
  expect_near(all, "lens", file);
  const auto shares = attribute(*gpt2, *run.residual, tokens - 1, 11, 42, pool.execution);
  ASSERT_TRUE(shares);
  expect_near(floats(shares->heads), "attribution", file);
  expect_near(floats(shares->mlps), "attribution.mlp", file);
  expect_near(floats({&shares->embed, 1}), "attribution.embed", file);
}

// head_detector of TransformerLens divides a sum by the number of all rows; our scores divide it by
// the number of rows that they count. The test converts our scores.
TEST(GoldenExplore, HeadScoresAreThoseOfTheHeadDetector) {
  const SafetensorsFile file = open_golden("gpt2-toy.transformer_lens");
  const std::shared_ptr<Model> gpt2 = load_model(FamilyCase(file.metadata().at("case")).write());
  const std::vector<int32_t> ids = ids_of(file);
  const ExploredRun run = run_of(gpt2, ids);
  const RepeatedTokens repeated = repeated_tokens(ids);
  std::vector<float> previous, duplicate, induction;
  const auto add = [&](std::vector<float>& to, std::optional<double> score, int64_t rows) {
    ASSERT_TRUE(score);
    to.push_back(static_cast<float>(*score * static_cast<double>(rows) / std::ssize(ids)));
  };
  for (int64_t layer = 0; layer < gpt2->shape().num_layers; ++layer)
    for (int64_t head = 0; head < gpt2->shape().num_heads; ++head) {
      HeadReading reading;
      ASSERT_TRUE(read_head(
          *run.attention, layer, head, run.num_tokens(), repeated, [] { return false; }, reading));
      const HeadScores& scores = reading.scores;
      add(previous, scores.previous, scores.previous_rows);
      add(duplicate, scores.duplicate, scores.duplicate_rows);
      add(induction, scores.induction, scores.induction_rows);
    }
  expect_near(previous, "previous_token_head", file);
  expect_near(duplicate, "duplicate_token_head", file);
  expect_near(induction, "induction_head", file);
}

TEST(GoldenExplore, WhatABertWritesIsThatOfKobayashi) {
  const SafetensorsFile file = open_golden("bert-toy.norm_analysis");
  const std::shared_ptr<Model> bert = load_model(FamilyCase(file.metadata().at("case")).write());
  const Tensor ids = file.read("ids");
  Scenario scenario = toy_scenario(1);
  scenario.attention.type = AttentionType::kEncoderOnly;
  const auto run =
      explore(scenario, bert, {{{ids.span<int32_t>().begin(), ids.span<int32_t>().end()}, {}}});
  ASSERT_TRUE(run);
  const Network network = bert->network();
  const int64_t tokens = run->num_tokens();
  ASSERT_EQ(tokens, ids.dim(0));
  for (int64_t layer = 0; layer < bert->shape().num_layers; ++layer) {
    std::vector<float> lengths, cells;
    for (int64_t head = 0; head < bert->shape().num_heads; ++head) {
      const std::vector<double> of_keys =
          output_lengths(network, *run->attention, layer, head, 0, tokens);
      for (const double length : of_keys) lengths.push_back(static_cast<float>(length));
      const std::vector<float> of_cells = written(
          network, *run->attention, layer, head, Written::kWeightTimesOutput, 0, tokens, 0, tokens);
      cells.insert(cells.end(), of_cells.begin(), of_cells.end());
    }
    expect_near(lengths, fmt::format("transformed.{}", layer), file);
    expect_near(cells, fmt::format("written.{}", layer), file);
  }
}

// softmax(logits)[token]
double share_of(std::span<const float> logits, int32_t token) {
  double sum = 0;
  for (const float logit : logits)
    sum += std::exp(static_cast<double>(logit - logits[static_cast<size_t>(token)]));
  return 1 / sum;
}

// The bundled encoder.
struct Cloze {
  std::shared_ptr<Model> model =
      load_model(std::string(ATTN_SOURCE_DIR) + "/assets/models/cloze-encoder");
  Pool pool;

  static SafetensorsFile open(const std::string& name) {
    return SafetensorsFile::open(std::string(ATTN_SOURCE_DIR) + "/tests/golden/cloze/" + name +
                                 ".safetensors");
  }
  static Scenario scenario() {
    Scenario scenario = toy_scenario(1);
    scenario.attention.type = AttentionType::kEncoderOnly;
    return scenario;
  }
  ExploredRun run(std::vector<int32_t> ids) const {
    return *explore(scenario(), model, {{std::move(ids), {}}});
  }
  Tensor logits(const ExploredRun& run, int64_t first, int64_t count) {
    Tensor logits;
    EXPECT_TRUE(own_logits(*model, *run.residual, first, count, logits, pool.execution));
    return logits;
  }
  std::vector<float> weights(const ExploredRun& run, int64_t layer, int64_t head) const {
    const int64_t tokens = run.num_tokens();
    std::vector<float> weights(static_cast<size_t>(tokens * tokens));
    run.attention->weights(layer, head, 0, tokens, 0, tokens, weights.data());
    return weights;
  }
};

TEST(GoldenExplore, TheBundledEncoderEqualsTransformers) {
  Cloze cloze;
  EXPECT_TRUE(cloze.model->notes().empty());
  for (const char* name : {"name", "colour", "thing", "unknown"}) {
    SCOPED_TRACE(name);
    const SafetensorsFile file = Cloze::open(name);
    const Tensor given = file.read("prompt_ids"), logits = file.read("logits");
    const std::vector<int32_t> ids(given.span<int32_t>().begin(), given.span<int32_t>().end());
    ASSERT_EQ(cloze.model->encode(file.metadata().at("prompt")), ids);
    const ExploredRun run = cloze.run(ids);
    EXPECT_LT(largest_difference(cloze.logits(run, 0, std::ssize(ids)).span<float>(),
                                 logits.span<float>()),
              1e-4);
    const SourceShape& shape = cloze.model->shape();
    for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
      std::vector<float> weights;
      for (int64_t head = 0; head < shape.num_heads; ++head) {
        const std::vector<float> of_head = cloze.weights(run, layer, head);
        weights.insert(weights.end(), of_head.begin(), of_head.end());
      }
      const Tensor expected = file.read(fmt::format("weights.{}", layer));
      EXPECT_LT(largest_difference(weights, expected.span<float>()), 1e-5);
    }
    const auto mask = std::ranges::find(ids, mask_token(cloze.model->tokenizer()));
    ASSERT_NE(mask, ids.end());
    const Tensor at_mask = cloze.logits(run, mask - ids.begin(), 1);
    const auto best = std::ranges::max_element(at_mask.span<float>());
    EXPECT_EQ(cloze.model->token_text(static_cast<int32_t>(best - at_mask.span<float>().begin())),
              file.metadata().at("answer"));
  }
}

// In an encoder a row is about the token at its own position, not the next one.
TEST(GoldenExplore, WithoutItsGuidedHeadTheBundledEncoderIsThatOfTransformers) {
  Cloze cloze;
  const SafetensorsFile file = Cloze::open("name");
  const Tensor given = file.read("prompt_ids"), logits = file.read("logits"),
               without = file.read("logits_without");
  const std::vector<int32_t> ids(given.span<int32_t>().begin(), given.span<int32_t>().end());
  EngineOptions options;
  options.prompts = {{ids, {}}};
  Engine engine(Cloze::scenario(), cloze.model, options);
  engine.run_to_end();
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  const RequestView& request = shot.requests.front();
  const auto before = explore_request(shot, request, cloze.model, cloze.pool.execution);
  ASSERT_TRUE(before);
  const auto result =
      what_if(shot, request, *before, {Intervention{.layer = 2, .head = 0}}, cloze.pool.execution);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->answer_before.empty() && result->answer_after.empty());
  ASSERT_EQ(result->rows.size(), ids.size());
  const auto vocabulary = static_cast<size_t>(logits.dim(1));
  double most = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    SCOPED_TRACE(i);
    const WhatIfRow& row = result->rows[i];
    const auto p = logits.span<float>().subspan(i * vocabulary, vocabulary),
               q = without.span<float>().subspan(i * vocabulary, vocabulary);
    EXPECT_EQ(row.position, static_cast<int64_t>(i));
    EXPECT_EQ(row.next, std::ranges::max_element(p) - p.begin());
    EXPECT_NEAR(row.before, share_of(p, row.next), 1e-5);
    EXPECT_NEAR(row.after, share_of(q, row.next), 1e-5);
    EXPECT_EQ(row.best_after, std::ranges::max_element(q) - q.begin());
    most = std::max(most, row.before - row.after);
  }
  EXPECT_GT(most, 0.1);  // a knock-out that changes nothing would test nothing
}

TEST(GoldenExplore, TheBundledEncoderFindsHiddenWordsWhereTheyStandAgain) {
  Cloze cloze;
  const SafetensorsFile file = Cloze::open("held_out");
  const Tensor ids = file.read("ids"), lengths = file.read("lengths"), places = file.read("places");
  const int64_t layer = cloze.model->shape().num_layers - 1;
  int right = 0, found = 0, later = 0;
  for (int64_t text = 0; text < ids.dim(0); ++text) {
    const int32_t* row = ids.data<int32_t>() + text * ids.dim(1);
    const int32_t* place = places.data<int32_t>() + text * 3;
    const int64_t length = lengths.data<int32_t>()[text];
    const ExploredRun run = cloze.run({row, row + length});
    std::vector<PastToken> tokens;
    std::vector<int32_t> answered = run.tokens;
    ASSERT_EQ(answered[static_cast<size_t>(place[0])], mask_token(cloze.model->tokenizer()));
    answered[static_cast<size_t>(place[0])] = place[2];
    ASSERT_TRUE(tokens_in_place(*cloze.model, *run.residual, answered, place[0], 1, tokens,
                                cloze.pool.execution));
    ASSERT_EQ(tokens.size(), 1u);
    EXPECT_EQ(tokens[0].position, place[0]);
    right += tokens[0].rank == 0;
    const std::vector<float> weights = cloze.weights(run, layer, 0);
    const auto begin = weights.begin() + place[0] * length;
    found += std::max_element(begin, begin + length) - begin == place[1];
    later += place[1] > place[0];
  }
  EXPECT_EQ(right, std::stoi(file.metadata().at("right")));
  EXPECT_EQ(found, std::stoi(file.metadata().at("found")));
  EXPECT_GE(right, 98);
  EXPECT_GE(found, 98);
  // In about half of the texts the answer stands after the hidden word.
  EXPECT_GT(later, 35);
  EXPECT_LT(later, 65);
}

}  // namespace
}  // namespace attn
