// SPDX-License-Identifier: GPL-3.0-or-later
// A report's file of queries, keys and values opens as a run with the weights and the tokens of the
// run that wrote it. Notes say what is lost.
#include "engine/session/scenario/stored_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/record/attention_record.h"
#include "engine/session/record/query_key_value_file.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The engine and the snapshot of a run that has ended.
struct FinishedRun {
  explicit FinishedRun(const Scenario& scenario) : engine(scenario, {}) {
    engine.run_to_end();
    snapshot = engine.snapshot(EnginePhase::kFinished);
  }
  Engine engine;
  EngineSnapshot snapshot;
};

std::vector<std::string> texts_of(const std::shared_ptr<const std::vector<TokenView>>& tokens,
                                  int64_t count) {
  std::vector<std::string> texts;
  for (int64_t i = 0; tokens && i < count; ++i)
    texts.push_back((*tokens)[static_cast<size_t>(i)].text.str());
  return texts;
}

class StoredRuns : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "qkv.safetensors"; }

  // Writes the file of a request, opens it and compares the two runs.
  Scenario expect_same(const Scenario& scenario, int64_t layer = 0, size_t of = 0) {
    const FinishedRun first(scenario);
    const RequestView& before = first.snapshot.requests[of];
    write_query_key_value(file(), before, layer);
    const std::filesystem::path path = file();
    Scenario opened = tensor_scenario({&path, 1});
    const FinishedRun second(opened);
    const RequestView& after = second.snapshot.requests[0];
    const AttentionRecord& was = *before.at(layer).attention;
    const std::vector<int64_t> layers =
        was.shape().rules.layers_like(layer, first.snapshot.source.num_layers);
    const Tensor query = SafetensorsFile::open(path).read("query.0");
    const int64_t rows = query.dim(1), keys = SafetensorsFile::open(path).read("key.0").dim(1);
    for (size_t i = 0; i < layers.size(); ++i)
      for (int64_t head = 0; head < query.dim(0); ++head) {
        std::vector<float> a(static_cast<size_t>(rows * keys)), b(a.size());
        was.weights(layers[i], head, 0, rows, 0, keys, a.data());
        const auto now = static_cast<int64_t>(i);
        after.at(now).attention->weights(now, head, 0, rows, 0, keys, b.data());
        for (size_t cell = 0; cell < a.size(); ++cell) EXPECT_NEAR(a[cell], b[cell], 2e-5);
        EXPECT_EQ(after.at(now).attention->shape().rules.of(now).relative_bias,
                  was.shape().rules.of(layers[i]).relative_bias);
      }
    EXPECT_EQ(texts_of(after.tokens, rows), texts_of(before.at(layer).tokens, rows));
    if (was.is_cross(layer)) {
      EXPECT_EQ(texts_of(after.encoder_tokens, keys), texts_of(before.encoder_tokens, keys));
    }
    EXPECT_EQ(other_reading(opened), std::nullopt);
    return opened;
  }
  Scenario shipped(const std::string& name) {
    register_all_backends();
    return load_scenario(find_scenario(name));
  }

  test::TemporaryFolder folder_;
};

TEST_F(StoredRuns, GiveTheWeightsAndTokensOfTheRun) {
  for (const char* name :
       {"encoder", "cross-attention", "sliding-window", "alibi", "block-sparse", "grouped-query"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(guesses_of(expect_same(shipped(name))), IsEmpty());
  }
}

TEST_F(StoredRuns, CapsAndSinksAreThoseOfTheRun) {
  Scenario scenario = test::synthetic_scenario({20}, 4);
  scenario.engine.backend = "unified";
  scenario.attention.logits_soft_cap = 2.5;
  scenario.attention.sinks = {0.5, -1, 0, 2};
  scenario.attention.sliding_window = 7;
  scenario.attention.alibi = true;
  const Scenario opened = expect_same(scenario);
  EXPECT_THAT(guesses_of(opened), IsEmpty());
  EXPECT_EQ(opened.attention, scenario.attention);
  scenario.attention.alibi = false;
  scenario.attention.type = AttentionType::kEncoderOnly;
  scenario.attention.sliding_window = 5;
  scenario.requests[0].max_tokens = 1;
  EXPECT_EQ(expect_same(scenario).attention, scenario.attention);
}

TEST_F(StoredRuns, ALayersOwnNumberAndScaleAreKept) {
  const Scenario opened = expect_same(shipped("dates"), 3);
  EXPECT_EQ(opened.source.tensors->scale, 1);
  EXPECT_THAT(guesses_of(opened), ElementsAre(HasSubstr("are the layers 3, 5 of the run")));
}

// The relative bias of T5: distances in the encoder have both signs, in the decoder only one.
TEST_F(StoredRuns, ARelativeBiasIsThatOfTheRun) {
  Scenario dates = shipped("dates");
  const FamilyCase t5("t5_1");
  Scenario random = dates;
  random.source.model = t5.write().string();
  random.requests.resize(1);
  random.requests[0].prompt = "abaabbabaabababbbaabaababbbabababaabbab";
  for (const Scenario& scenario : {dates, random})
    for (const int64_t layer : {0, 2}) {
      SCOPED_TRACE(scenario.source.model + " " + std::to_string(layer));
      const FinishedRun run(scenario);
      const auto& bias =
          run.snapshot.requests[0].at(layer).attention->shape().rules.of(layer).relative_bias;
      ASSERT_FALSE(bias.empty());
      const Scenario opened = expect_same(scenario, layer);
      EXPECT_EQ(opened.engine.backend, "unified");
      for (const std::string& note : guesses_of(opened))
        EXPECT_THAT(note, testing::Not(HasSubstr("cannot have")));
      const SafetensorsFile written = SafetensorsFile::open(file());
      const Tensor stored = written.read("relative_bias.1");
      const auto first = std::stoll(written.metadata().at("first_distance.1"));
      EXPECT_EQ(stored.shape(), (Shape{bias.num_heads(), bias.distances()}));
      for (int64_t head = 0; head < stored.dim(0); ++head)
        for (int64_t i = 0; i < stored.dim(1); ++i)
          EXPECT_EQ(stored.data<float>()[head * stored.dim(1) + i], bias.at(head, 0, first + i));
    }
}

// Files of earlier programs have no numbers of a bias, and a file may be wrong.
TEST_F(StoredRuns, ARelativeBiasThatCannotBeReadIsTold) {
  write_query_key_value(file(), FinishedRun(shipped("dates")).snapshot.requests[0], 2);
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> about;
  {
    const SafetensorsFile written = SafetensorsFile::open(file());
    about = written.metadata();
    for (const TensorEntry& entry : written.tensors()) tensors[entry.name] = written.read(entry);
  }
  const std::filesystem::path path = file();
  // bias: replaces that of the file's first layer; null: the file has no bias of any layer.
  const auto opened = [&](const Tensor* bias, const std::map<std::string, std::string>& metadata) {
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors)
      if (bias || !name.starts_with("relative_bias"))
        named.push_back({name, name == "relative_bias.0" ? bias : &tensor});
    write_safetensors(path, named, metadata);
    return tensor_scenario({&path, 1});
  };
  // backend: the one that the scenario gets; unified if the other layer still has its bias.
  const auto expect_lost = [&](const Scenario& scenario, const char* backend = "unified") {
    const std::vector<std::string> notes = guesses_of(scenario);
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes[0], HasSubstr("cannot have: relative bias. So the weights"));
    EXPECT_EQ(scenario.engine.backend, backend);
    EXPECT_NO_THROW(FinishedRun{scenario});
  };
  const Tensor& good = tensors.at("relative_bias.0");
  const int64_t distances = good.dim(1);
  auto changed = about;
  for (const std::string& wrong : {std::string(), std::string("x"), std::string("1"),
                                   std::string("-3.5"), std::to_string(-distances)}) {
    SCOPED_TRACE(wrong);
    changed["first_distance.0"] = wrong;
    expect_lost(opened(&good, changed));
  }
  const Tensor more_heads(DType::kF32, {good.dim(0) + 1, distances});
  expect_lost(opened(&more_heads, about));
  const Tensor narrow = convert(good, DType::kF16);
  expect_lost(opened(&narrow, about));
  expect_lost(opened(nullptr, about), "torch_sdpa");
  Tensor infinite(DType::kF32, good.shape());
  infinite.data<float>()[1] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(FinishedRun{opened(&infinite, about)}, Error);
}

TEST_F(StoredRuns, WhatIsLostIsTold) {
  const auto told = [&](const Scenario& scenario, int64_t layer, size_t of = 0) {
    write_query_key_value(file(), FinishedRun(scenario).snapshot.requests[of], layer);
    const std::filesystem::path path = file();
    const Scenario opened = tensor_scenario({&path, 1});
    const std::vector<std::string> notes = guesses_of(opened);
    return notes.empty() ? std::string() : notes[0];
  };
  EXPECT_THAT(told(shipped("alternating-layers"), 0), HasSubstr(": window of 12 in layers 0, 2."));
  Scenario prefix = test::model_scenario({"Once upon a time there was a little dog. The cat",
                                          "Once upon a time there was a little dog. A bird"},
                                         4);
  prefix.engine.block_size = 4;
  prefix.engine.enable_prefix_caching = true;
  prefix.engine.backend = "unified";
  prefix.engine.max_num_seqs = 1;
  EXPECT_THAT(told(prefix, 0, 1), HasSubstr("see no later keys. So the weights here are not"));
}

TEST_F(StoredRuns, OtherFilesAreNone) {
  Tensor tensor(DType::kF32, {2, 3, 4});
  const std::vector<NamedTensor> tensors = {
      {"query.0", &tensor}, {"key.0", &tensor}, {"value.0", &tensor}};
  write_safetensors(file(), tensors, {{"scale", "3"}});
  EXPECT_FALSE(stored_run(file()));
  // Impossible values in a file are not used.
  write_safetensors(file(), tensors,
                    {{"axes", "head, token, element"},
                     {"scale", "-1"},
                     {"key_tokens", "[1, 2, 3]"},
                     {"rule.0", "window of -3, sinks 1, block-sparse"}});
  const auto stored = stored_run(file());
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->scale, 0);
  EXPECT_EQ(stored->attention, ScenarioAttention());
  EXPECT_THAT(stored->lost, ElementsAre("window of -3", "sinks 1", "block-sparse"));
  const std::filesystem::path path = file();
  EXPECT_NO_THROW(FinishedRun(tensor_scenario({&path, 1})));
}

TEST_F(StoredRuns, RulesThatContradictThemselvesAreTold) {
  Tensor tensor(DType::kF32, {2, 3, 4});
  const std::vector<NamedTensor> tensors = {
      {"query.0", &tensor}, {"key.0", &tensor}, {"value.0", &tensor}};
  const auto stored = [&](const std::string& rule, const std::string& layers = "0") {
    write_safetensors(file(), tensors,
                      {{"axes", "head, token, element"}, {"layers", layers}, {"rule.0", rule}});
    return stored_run(file()).value();
  };
  const StoredRun windows = stored("window of 4, window of 2");
  EXPECT_EQ(windows.attention.sliding_window, 4);
  EXPECT_THAT(windows.lost, ElementsAre("window of 2"));
  EXPECT_THAT(stored("window of 2, window of 2").lost, IsEmpty());
  EXPECT_THAT(stored("sinks 1 2, sinks 1 3").lost, ElementsAre("sinks 1 3"));
  EXPECT_THAT(stored("soft cap 2, soft cap 3").lost, ElementsAre("soft cap 3"));
  const std::string sparse =
      "block-sparse block_size 1 local_blocks 2 vert_stride 3 head_sliding_step 0";
  EXPECT_THAT(stored(sparse).lost, IsEmpty());
  EXPECT_THAT(stored(sparse + " and more").lost, ElementsAre(sparse + " and more"));
  const StoredRun odd = stored("cut\nedges" + std::string(200, 'x'), std::string(9000, '7'));
  EXPECT_EQ(odd.lost.at(0), "cut\\x0Aedges" + std::string(91, 'x') + "...");
  EXPECT_EQ(odd.layers, std::string(1500, '7') + "...");
}

}  // namespace
}  // namespace attn
