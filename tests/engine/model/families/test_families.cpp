// SPDX-License-Identifier: GPL-3.0-or-later
// Small random models of the families, compared with `transformers` (tests/golden/families). Also
// refusals, the tables of model types in the manual, and that the bits do not depend on the lengths
// of the steps or the number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/model/families/family.h"
#include "engine/model/language_part.h"
#include "engine/model/load_model.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/families/family_case.h"

namespace attn {
namespace {

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(family_cases()))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> cases_of_one_stack() {
  std::vector<std::string> names = case_names();
  std::erase_if(names,
                [](const std::string& name) { return FamilyCase(name).has_golden("encoder_ids"); });
  return names;
}

class FamilyGolden : public testing::TestWithParam<std::string> {};

TEST_P(FamilyGolden, EqualsTransformers) {
  const FamilyCase golden(GetParam());
  const auto model = load_model(golden.write());
  const std::vector<int32_t> prompt = golden.ids("prompt_ids"), rows = golden.ids("logits_rows"),
                             weight_rows = golden.ids("weight_rows");
  std::vector<int32_t> tokens = prompt, generated;
  if (golden.has_golden("generated_ids")) generated = golden.ids("generated_ids");
  const Tensor logits = golden.golden("logits");
  const auto vocabulary = static_cast<size_t>(model->shape().vocab_size);
  double worst_logit = 0, worst_weight = 0;
  DenseAttention run(*model, 1);
  const auto compare = [&](size_t place, const float* got) {
    for (size_t v = 0; v < vocabulary; ++v)
      worst_logit = std::max(
          worst_logit, std::abs(double{got[v]} - logits.data<float>()[place * vocabulary + v]));
  };
  if (generated.empty()) {
    const std::vector<float> got = run.step(tokens, {rows.begin(), rows.end()});
    for (size_t place = 0; place < rows.size(); ++place)
      compare(place, got.data() + place * vocabulary);
  }
  for (size_t i = 0; i < generated.size(); ++i) {
    const std::vector<float> got = run.step(i == 0 ? prompt : std::vector<int32_t>{tokens.back()});
    const auto row = std::ranges::find(rows, static_cast<int32_t>(run.length() - 1));
    if (row != rows.end()) compare(static_cast<size_t>(row - rows.begin()), got.data());
    tokens.push_back(largest(got));
    ASSERT_EQ(tokens.back(), generated[i]) << "token " << i;
  }
  EXPECT_LT(worst_logit, 1e-4);

  const bool has_weights = golden.has_golden("weights.0");
  for (int64_t layer = 0; has_weights && layer < model->shape().num_layers; ++layer) {
    const Tensor weights = golden.golden(fmt::format("weights.{}", layer));
    const auto view = view_of<float, 3>(weights);
    ASSERT_EQ(weights.dim(0), model->shape().num_heads);
    const bool is_encoder = generated.empty();
    for (int64_t head = 0; head < weights.dim(0); ++head)
      for (size_t r = 0; r < weight_rows.size(); ++r)
        for (int64_t k = 0; k < (is_encoder ? weights.dim(2) : weight_rows[r] + 1); ++k)
          worst_weight =
              std::max(worst_weight, std::abs(double{view(head, static_cast<int64_t>(r), k)} -
                                              run.weight(layer, head, weight_rows[r], k)));
  }
  EXPECT_LT(worst_weight, 1e-5);
  std::cout << fmt::format("largest difference: logits {:.1e}, weights {:.1e}\n", worst_logit,
                           worst_weight);
}

INSTANTIATE_TEST_SUITE_P(Cases, FamilyGolden, testing::ValuesIn(cases_of_one_stack()),
                         [](const auto& test) { return test.param; });

TEST(Families, EveryModelTypeHasItsCases) {
  std::map<std::string, int> cases;
  for (const std::string& name : case_names())
    ++cases[FamilyCase(name).config.at("model_type").get<std::string>()];
  for (const Family& family : families())
    for (const std::string& type : family.model_types) EXPECT_GE(cases[type], 3) << type;
  for (const std::string& type : types_with_language_part()) EXPECT_GE(cases[type], 1) << type;
}

// The types in the first column of the table below a heading.
std::vector<std::string> types_in_the_manual(const std::string& heading) {
  std::ifstream in(std::filesystem::path(ATTN_SOURCE_DIR) / "docs/formats.md");
  std::vector<std::string> types;
  bool is_there = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) is_there = line == heading;
    if (!is_there || !line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (size_t end = 0, begin; (begin = cell.find('`', end)) != cell.npos; ++end) {
      end = cell.find('`', begin + 1);
      types.push_back(cell.substr(begin + 1, end - begin - 1));
    }
  }
  std::erase(types, "model_type");  // the heading of the column
  return types;
}

TEST(Families, TheTablesOfTheManualHaveEveryModelTypeOnce) {
  std::vector<std::string> types = types_in_the_manual("### Model types"), known;
  for (const Family& family : families())
    known.insert(known.end(), family.model_types.begin(), family.model_types.end());
  std::ranges::sort(types);
  std::ranges::sort(known);
  EXPECT_EQ(types, known);
  types = types_in_the_manual("### Models that also read pictures");
  std::ranges::sort(types);
  EXPECT_EQ(types, types_with_language_part());
}

void strip(FamilyCase& golden, const std::string& prefix) {
  for (auto& [name, tensor] : golden.tensors)
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
}

std::vector<float> logits_of(const FamilyCase& golden) {
  const auto model = load_model(golden.write());
  return DenseAttention(*model, 1).step(golden.ids("prompt_ids"));
}

TEST(Families, NamesMayLackTheirFirstPart) {
  FamilyCase golden("gpt2_1");
  const std::vector<float> expected = logits_of(golden);
  strip(golden, "transformer.");
  golden.tensors.emplace_back("h.0.attn.bias", Tensor(DType::kF32, {1, 1, 4, 4}));
  EXPECT_EQ(logits_of(golden), expected);
  EXPECT_TRUE(load_model(golden.write())->notes().empty());
}

TEST(Families, OfAModelThatReadsPicturesTheLanguagePartIsOpened) {
  FamilyCase golden("pictures_llava_1");
  const std::vector<float> expected = logits_of(golden);
  const ModelCheck check = check_model(golden.write(), int64_t{1} << 40);
  EXPECT_TRUE(check.problems.empty());
  EXPECT_EQ(check.type, "llama");
  ASSERT_EQ(check.notes.size(), 1u);  // tensors for pictures get no notes of their own
  EXPECT_NE(check.notes[0].find("Only its language model (llama)"), std::string::npos)
      << check.notes[0];

  // Older and newer files have other names for the tensors of the network and of the output head.
  for (const auto& [now, older] :
       std::map<std::string, std::string>{{"language_model.model.", "model.language_model."},
                                          {"language_model.lm_head.", "lm_head."},
                                          {"model.language_model.", "language_model.model."}}) {
    for (auto& [name, tensor] : golden.tensors)
      if (name.starts_with(now)) name = older + name.substr(now.size());
    EXPECT_EQ(logits_of(golden), expected) << now;
  }
}

TEST(Families, APartWithoutItsConfigIsRefused) {
  FamilyCase golden("pictures_gemma3_1");
  const auto refused = [&](const char* part) {
    const ModelCheck check = check_model(golden.write(), int64_t{1} << 40);
    ASSERT_FALSE(check.problems.empty()) << part;
    EXPECT_NE(std::string(check.problems.error().what()).find(part), std::string::npos)
        << part << " is not in: " << check.problems.error().what();
  };
  golden.config["text_config"]["model_type"] = "new";
  refused("$.text_config.model_type");
  golden.config["text_config"]["model_type"] = "gemma3_text";
  golden.config["text_config"]["num_hidden_layers"] = 4;
  refused("model.language_model.layers.3");
  golden.config["quantization_config"] = {{"bits", 4}};
  refused("$.quantization_config");
  golden.config["text_config"] = 1;
  refused("$.text_config");
  golden.config.erase("text_config");
  refused("found no \"text_config\"");
}

TEST(Families, AnEncoderMayLackItsHead) {
  FamilyCase golden("bert_1");
  const std::vector<float> expected = logits_of(golden);
  for (auto& [name, tensor] : golden.tensors)
    if (const size_t at = name.find("LayerNorm."); at != std::string::npos)
      name = name.substr(0, at) + "LayerNorm." + (name.ends_with("bias") ? "beta" : "gamma");
  EXPECT_EQ(logits_of(golden), expected);
  std::erase_if(golden.tensors, [](const auto& one) { return one.first.starts_with("cls."); });
  strip(golden, "bert.");
  EXPECT_EQ(logits_of(golden), std::vector<float>(expected.size()));
  const std::vector<std::string> notes = load_model(golden.write())->notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("no output layer"), std::string::npos) << notes[0];
}

TEST(Families, RefusesOptionsThatItDoesNotCompute) {
  const auto refused = [](const char* name, const nlohmann::json& options,
                          const std::vector<std::string>& parts) {
    SCOPED_TRACE(name);
    FamilyCase golden(name);
    golden.config.update(options);
    const ModelCheck check = check_model(golden.write(), int64_t{1} << 40);
    EXPECT_EQ(check.problems.all().size(), parts.size());
    for (const std::string& part : parts)
      EXPECT_NE(std::string(check.problems.error().what()).find(part), std::string::npos)
          << part << " is not in: " << check.problems.error().what();
  };
  refused("gpt2_1", {{"add_cross_attention", true}, {"activation_function", "mish"}},
          {"$.add_cross_attention", "$.activation_function"});
  refused("gemma2_1", {{"use_bidirectional_attention", true}, {"layer_types", {"full_attention"}}},
          {"$.use_bidirectional_attention", "$.layer_types"});
  refused("gemma3_1", {{"sliding_window_pattern", 0}, {"rope_scaling", {{"rope_type", "new"}}}},
          {"$.rope_scaling.rope_type", "$.sliding_window_pattern"});
  refused("smollm3_1", {{"no_rope_layers", {1, 0}}}, {"$.no_rope_layers"});
  refused("smollm3_2", {{"layer_types", {"full_attention", "new", "full_attention", "new"}}},
          {"$.layer_types[1]"});
  refused("mbart_1", {{"tie_word_embeddings", false}, {"normalize_before", false}},
          {"$.tie_word_embeddings", "$.normalize_before"});
  refused("phi_1", {{"qk_layernorm", true}, {"partial_rotary_factor", 0.01}},
          {"$.qk_layernorm", "$.partial_rotary_factor"});
  refused("starcoder2_1", {{"sliding_window", 0}}, {"$.sliding_window"});
  refused("qwen2_3", {{"layer_types", {"full_attention", "linear_attention"}}},
          {"$.layer_types[1]"});
  refused("mpt_1", {{"attn_config", {{"alibi", false}, {"qk_ln", true}}}, {"no_bias", false}},
          {"$.attn_config.alibi", "$.attn_config.qk_ln", "$.no_bias"});
  refused("bloom_1", {{"apply_residual_connection_post_layernorm", true}},
          {"$.apply_residual_connection_post_layernorm"});
  refused("falcon_2", {{"parallel_attn", false}}, {"$.parallel_attn"});
  refused("opt_1", {{"layer_norm_elementwise_affine", false}}, {"$.layer_norm_elementwise_affine"});
  refused("bert_1", {{"is_decoder", true}, {"position_embedding_type", "relative_key"}},
          {"$.is_decoder", "$.position_embedding_type"});
  refused("gptj_1", {{"rotary_dim", 3}}, {"$.rotary_dim"});
  refused("gptj_1", {{"rotary_dim", nullptr}}, {"rotary_dim is missing, and its default"});
  refused("gpt_neo_1", {{"attention_types", {{{"global"}, 5}}}}, {"$.attention_types"});
  refused("gpt_neo_1", nlohmann::json::parse(R"({"attention_types":[[["global"]]]})"),
          {"list is too short"});
  refused("gpt_neo_1", nlohmann::json::parse(R"({"attention_types":["global"]})"),
          {"not an array"});
  refused("gpt_neox_1", {{"rotary_pct", 0.01}}, {"$.rotary_pct"});
  refused("mixtral_1", {{"num_experts_per_tok", 9}}, {"$.num_experts_per_tok"});
}

TEST(Families, BitsDoNotDependOnCutsOrThreads) {
  for (const char* name :
       {"gemma2_1", "gemma3_1", "gpt2_1", "mixtral_1", "bloom_2", "gptj_1", "olmo2_1"}) {
    SCOPED_TRACE(name);
    const FamilyCase golden(name);
    const auto model = load_model(golden.write());
    const std::vector<int32_t> prompt = golden.ids("prompt_ids");
    DenseAttention whole(*model, 1), cut(*model, 2);
    const std::vector<float> expected = whole.step(prompt);
    std::vector<float> got;
    for (auto at = prompt.begin(); at != prompt.end();) {
      const auto end = at + std::min<std::ptrdiff_t>(5, prompt.end() - at);
      got = cut.step({at, end});
      at = end;
    }
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)), 0);
    EXPECT_EQ(whole.keys(model->shape().num_layers - 1), cut.keys(model->shape().num_layers - 1));
  }
}

}  // namespace
}  // namespace attn
