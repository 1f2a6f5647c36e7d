// SPDX-License-Identifier: GPL-3.0-or-later
// Models with an encoder and a decoder: small random ones and the bundled model of dates, compared
// with the answers of `transformers` (tests/golden/families, tests/golden/dates). Also that the
// rules of a run change no token, how the decoder begins, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/model/gguf/convert.h"
#include "engine/model/load_model.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/model_scenario.h"
#include "tests/engine/model/families/family_case.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(family_cases()))
    if (const std::string name = entry.path().stem().string();
        FamilyCase(name).has_golden("encoder_ids"))
      names.push_back(name);
  std::ranges::sort(names);
  return names;
}

struct IdRun {
  IdRun(const Scenario& scenario, std::shared_ptr<Source> source,
        std::vector<EngineOptions::GivenPrompt> prompts) {
    EngineOptions options;
    options.prompts = std::move(prompts);
    options.on_logits = [this](const Tensor& rows, const std::vector<uint32_t>& requests) {
      const auto vocabulary = static_cast<size_t>(rows.dim(1));
      logits.resize(std::max(logits.size(), size_t{1} + *std::ranges::max_element(requests)));
      for (size_t i = 0; i < requests.size(); ++i) {
        const float* row = rows.data<float>() + i * vocabulary;
        logits[requests[i]].insert(logits[requests[i]].end(), row, row + vocabulary);
      }
    };
    engine = std::make_unique<Engine>(scenario, std::move(source), std::move(options));
    while (engine->has_work()) {
      engine->step();
      engine->scheduler().check_invariants();
    }
    shot = engine->snapshot(EnginePhase::kFinished);
  }
  const std::vector<int32_t>& output(uint32_t request) const {
    return engine->scheduler().find(request)->output_ids;
  }
  const AttentionRecord& record(size_t request, int64_t layer) const {
    return *shot.requests[request].at(layer).attention;
  }

  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
  std::vector<std::vector<float>> logits;  // of each request
};

Scenario scenario_of(const FamilyCase& golden, size_t requests, int64_t max_tokens) {
  register_all_backends();
  Scenario scenario = attn::model_scenario(golden.write());
  scenario.requests.front().prompt = "ab";
  scenario.requests.front().max_tokens = max_tokens;
  scenario.requests.resize(requests, scenario.requests.front());
  scenario.engine.backend = "unified";
  scenario.engine.num_blocks = 64;
  scenario.engine.threads = 1;
  return scenario;
}

void expect_equals_transformers(const auto& golden, Scenario scenario,
                                const std::shared_ptr<Source>& source, double most_weight) {
  const std::vector<int32_t> prompt = golden.ids("prompt_ids"), ids = golden.ids("generated_ids"),
                             rows = golden.ids("logits_rows"), own_rows = golden.ids("weight_rows"),
                             encoder_rows = golden.ids("encoder_weight_rows");
  const SourceShape& shape = source->shape();
  for (const char* backend : {"unified", "reference"}) {
    SCOPED_TRACE(backend);
    scenario.engine.backend = backend;
    const IdRun run(scenario, source, {{prompt, golden.ids("encoder_ids")}});
    EXPECT_EQ(run.output(0), ids);

    const Tensor logits = golden.golden("logits");
    double worst_logit = 0, worst_weight = 0;
    for (size_t i = 0; i < rows.size(); ++i)
      for (int64_t v = 0; v < shape.vocab_size; ++v) {
        const auto at = (static_cast<size_t>(rows[i]) + 1 - prompt.size()) *
                            static_cast<size_t>(shape.vocab_size) +
                        static_cast<size_t>(v);
        worst_logit = std::max(
            worst_logit,
            std::abs(double{run.logits[0][at]} -
                     logits.data<float>()[static_cast<int64_t>(i) * shape.vocab_size + v]));
      }
    EXPECT_LT(worst_logit, 1e-4);

    for (int64_t layer = 0; layer < shape.num_layers; ++layer) {
      const Tensor weights = golden.golden(fmt::format("weights.{}", layer));
      const auto& shown = shape.is_encoder(layer) ? encoder_rows : own_rows;
      const int64_t keys = weights.dim(2);
      ASSERT_EQ(weights.dim(0), shape.num_heads);
      ASSERT_EQ(weights.dim(1), std::ssize(shown));
      std::vector<float> got(static_cast<size_t>(keys));
      const float* expected = weights.data<float>();
      for (int64_t head = 0; head < shape.num_heads; ++head)
        for (const int32_t row : shown) {
          run.record(0, layer).weights(layer, head, row, 1, 0, keys, got.data());
          for (const float weight : got)
            worst_weight = std::max(worst_weight, std::abs(double{weight} - *expected++));
        }
    }
    EXPECT_LT(worst_weight, most_weight);
    std::cout << fmt::format("largest difference: logits {:.1e}, weights {:.1e}\n", worst_logit,
                             worst_weight);
  }
}

class EncoderDecoderGolden : public testing::TestWithParam<std::string> {};

TEST_P(EncoderDecoderGolden, EqualsTransformers) {
  const FamilyCase golden(GetParam());
  expect_equals_transformers(golden,
                             scenario_of(golden, 1, std::ssize(golden.ids("generated_ids"))),
                             load_model(golden.write()), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Cases, EncoderDecoderGolden, testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

TEST(EncoderDecoderGguf, EqualsTransformersAndTheFolder) {
  for (const char* name : {"t5_1", "t5_4"}) {
    SCOPED_TRACE(name);
    const FamilyCase golden(name);
    const Scenario scenario = scenario_of(golden, 1, std::ssize(golden.ids("generated_ids")));
    const std::shared_ptr<Model> file =
        load_model(fs::path(ATTN_SOURCE_DIR) / "tests/golden/gguf" / fmt::format("{}.gguf", name));
    EXPECT_EQ(file->notes(), std::vector<std::string>{});
    EXPECT_EQ(file->stop_tokens(), std::vector<int32_t>{1});
    EXPECT_EQ(file->decoder_start(), name == std::string("t5_4") ? 2 : 0);
    EXPECT_EQ(file->encode("a cab"), (std::vector<int32_t>{30, 3, 6, 31, 1}));
    expect_equals_transformers(golden, scenario, file, 1e-5);
    const std::vector<EngineOptions::GivenPrompt> prompts = {
        {golden.ids("prompt_ids"), golden.ids("encoder_ids")}};
    EXPECT_EQ(IdRun(scenario, file, prompts).logits,
              IdRun(scenario, load_model(golden.write()), prompts).logits);
  }
}

TEST(EncoderDecoderGguf, OfAFolderHasItsLogits) {
  const char* const tokenizer = R"({"model": {"type": "Unigram", "unk_id": 2, "vocab":
    [["<pad>", 0], ["</s>", 0], ["<unk>", 0], ["\u2581", -2], ["a", -3], ["b", -3.5], ["ab", -4]]},
    "added_tokens": [{"id": 0, "content": "<pad>", "special": true, "single_word": false,
                      "lstrip": false, "rstrip": false, "normalized": false},
                     {"id": 1, "content": "</s>", "special": true, "single_word": false,
                      "lstrip": false, "rstrip": false, "normalized": false}],
    "normalizer": {"type": "Sequence", "normalizers": [
      {"type": "Strip", "strip_left": true, "strip_right": true},
      {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
    "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"},
    "decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"},
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "</s>", "type_id": 0}}], "pair": [],
      "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}}})";
  for (const char* name : {"t5_1", "t5_4"}) {
    SCOPED_TRACE(name);
    FamilyCase golden(name);
    golden.config["eos_token_id"] = 1;
    golden.config["relative_attention_max_distance"] = 128;
    const fs::path &folder = golden.write(), file = folder / "model.gguf";
    std::ofstream(folder / "tokenizer.json") << tokenizer;
    EXPECT_EQ(convert_to_gguf(folder, file, written_type("f32")).worst, 0);
    const std::shared_ptr<Model> before = load_model(folder), after = load_model(file);
    Scenario scenario = scenario_of(golden, 1, 12);
    const std::vector<EngineOptions::GivenPrompt> prompts = {
        {golden.ids("prompt_ids"), golden.ids("encoder_ids")}};
    EXPECT_EQ(IdRun(scenario, after, prompts).logits, IdRun(scenario, before, prompts).logits);
    EXPECT_EQ(after->encode("ab a"), before->encode("ab a"));
    EXPECT_EQ(after->decode(after->encode("ab a")), "ab a");
  }
}

// Recorded answers of transformers with the bundled model of dates (tests/golden/dates).
struct DatesCase {
  Tensor golden(const std::string& name) const { return file.read(name); }
  std::vector<int32_t> ids(const std::string& name) const {
    const Tensor tensor = file.read(name);
    return {tensor.span<int32_t>().begin(), tensor.span<int32_t>().end()};
  }

  SafetensorsFile file;
};

TEST(DatesEncdec, EqualsTransformers) {
  register_all_backends();
  const std::shared_ptr<Model> model = load_model(find_model("dates-encdec"));
  EXPECT_TRUE(model->notes().empty());
  for (const char* name : {"third", "weekday", "words", "number"}) {
    SCOPED_TRACE(name);
    const DatesCase golden{SafetensorsFile::open(fs::path(ATTN_SOURCE_DIR) / "tests/golden/dates" /
                                                 fmt::format("{}.safetensors", name))};
    const auto& facts = golden.file.metadata();
    EXPECT_EQ(model->encode(facts.at("prompt")), golden.ids("encoder_ids"));
    EXPECT_EQ(model->decode(golden.ids("generated_ids")), facts.at("generated_text"));
    Scenario scenario = load_scenario(find_scenario("dates"));
    scenario.requests.resize(1);
    scenario.engine.threads = 1;
    // Scores are large: from 256 on floats are 3e-5 apart, and a weight of 1 can err by as much.
    expect_equals_transformers(golden, scenario, model, 1e-4);
  }
}

// Three requests with one prompt; the encoder of the second reads other tokens.
struct ThreeRequests {
  explicit ThreeRequests(const char* name) : golden(name), source(load_model(golden.write())) {
    const std::vector<int32_t> prompt = golden.ids("prompt_ids"),
                               encoder = golden.ids("encoder_ids");
    std::vector<int32_t> other(encoder.rbegin() + 7, encoder.rend());
    prompts = {{prompt, encoder}, {prompt, std::move(other)}, {prompt, encoder}};
    scenario = scenario_of(golden, prompts.size(), 24);
    scenario.engine.block_size = 4;
    validate(scenario);
  }
  IdRun run(const Scenario& of) const { return {of, source, prompts}; }

  FamilyCase golden;
  std::shared_ptr<Source> source;
  std::vector<EngineOptions::GivenPrompt> prompts;
  Scenario scenario;
};

int64_t sum(const IdRun& run, int64_t StepRecord::*field) {
  int64_t total = 0;
  for (const StepRecord& step : *run.shot.steps) total += step.*field;
  return total;
}

// Compares the tokens, and the weights of head 1 of every layer in the rows that `run` computed.
void expect_same(const IdRun& run, const IdRun& expected) {
  for (uint32_t request = 0; request < 3; ++request) {
    ASSERT_EQ(run.output(request).size(), 24u);
    ASSERT_EQ(run.output(request), expected.output(request)) << request;
    for (int64_t layer = 0; layer < run.shot.source.num_layers; ++layer) {
      const AttentionRecord &a = run.record(request, layer), &b = expected.record(request, layer);
      const int64_t rows = b.num_rows(), keys = b.num_keys(layer);
      ASSERT_EQ(a.num_rows(), rows);
      ASSERT_EQ(a.num_keys(layer), keys);
      std::vector<float> got(static_cast<size_t>(keys)), wanted(got.size());
      for (int64_t q = 0; q < rows; ++q) {
        if (!a.row_done(layer, 1, q)) continue;  // found in the prefix cache
        a.weights(layer, 1, q, 1, 0, keys, got.data());
        b.weights(layer, 1, q, 1, 0, keys, wanted.data());
        ASSERT_EQ(std::memcmp(got.data(), wanted.data(), got.size() * sizeof(float)), 0)
            << "layer " << layer << ", row " << q;
      }
    }
  }
}

TEST(EncoderDecoderModels, TheRulesOfARunChangeNoToken) {
  for (const char* name : {"t5_2", "bart_2"}) {
    SCOPED_TRACE(name);
    const ThreeRequests three(name);
    const IdRun expected = three.run(three.scenario);
    EXPECT_EQ(sum(expected, &StepRecord::preemptions), 0);
    EXPECT_EQ(expected.output(0), expected.output(2));
    EXPECT_NE(expected.output(0), expected.output(1));

    Scenario found = three.scenario;
    found.engine.enable_prefix_caching = true;
    found.engine.max_num_seqs = 1;
    const IdRun shared = three.run(found);
    EXPECT_EQ(sum(shared, &StepRecord::hit_tokens), 4);  // only the third request hits
    expect_same(shared, expected);

    Scenario chunks = three.scenario;
    chunks.engine.policy = SchedulingPolicy::kChunkedPrefill;
    chunks.engine.max_num_batched_tokens = 5;
    const IdRun chunked = three.run(chunks);
    EXPECT_GT(chunked.shot.steps->size(), expected.shot.steps->size());
    expect_same(chunked, expected);

    Scenario crowded = three.scenario;
    crowded.engine.num_blocks = 24;
    const IdRun again = three.run(crowded);
    EXPECT_GT(sum(again, &StepRecord::preemptions), 0);
    EXPECT_EQ(sum(again, &StepRecord::swapped_out_blocks), 0);
    expect_same(again, expected);

    crowded.engine.preemption = PreemptionMode::kSwap;
    crowded.engine.num_swap_blocks = 32;
    const IdRun swapped = three.run(crowded);
    EXPECT_GT(sum(swapped, &StepRecord::swapped_out_blocks), 0);
    expect_same(swapped, expected);

    Scenario planned = three.scenario;
    planned.engine.use_captured_plan = true;
    const IdRun replayed = three.run(planned);
    EXPECT_GT(sum(replayed, &StepRecord::captured_rows), 0);
    expect_same(replayed, expected);
  }
}

TEST(EncoderDecoderModels, TheEncoderReadsThePrompt) {
  FamilyCase golden("t5_3");
  golden.config["eos_token_id"] = 1;
  register_all_backends();
  Scenario scenario = attn::model_scenario(golden.write());
  EXPECT_EQ(scenario.attention.type, AttentionType::kEncoderDecoder);
  EXPECT_EQ(scenario.engine.backend, "unified");
  scenario.requests[0].prompt = "abba";
  scenario.requests[0].max_tokens = 3;
  scenario.requests.push_back(scenario.requests[0]);
  scenario.requests[1].decoder_prompt = "ab";
  scenario = parse_scenario(to_json(scenario), "again.json");
  EXPECT_EQ(scenario.requests[1].decoder_prompt, "ab");
  const std::shared_ptr<Source> source = load_model(golden.write());
  EXPECT_EQ(source->decoder_start(), 3);
  const IdRun run(scenario, source, {});
  const auto request = [&](uint32_t id) { return *run.engine->scheduler().find(id); };
  EXPECT_THAT(request(0).encoder_ids, testing::ElementsAre(3, 2, 1));
  EXPECT_THAT(request(0).prompt_ids, testing::ElementsAre(3));
  EXPECT_THAT(request(1).encoder_ids, testing::ElementsAre(3, 2, 1));
  EXPECT_THAT(request(1).prompt_ids, testing::ElementsAre(3, 3));
  EXPECT_THAT(request(0).stop_tokens, testing::ElementsAre(1));
}

TEST(EncoderDecoderModels, BeginWithTheTokenOfTheGenerationConfig) {
  const FamilyCase bart("bart_1");
  const std::filesystem::path& folder = bart.write();
  const auto says = [&](const char* text) {
    std::ofstream(folder / "generation_config.json") << text;
  };
  says(R"({"eos_token_id": 2})");
  EXPECT_EQ(load_model(folder)->decoder_start(), 2);
  says(R"({"decoder_start_token_id": 5})");
  EXPECT_EQ(load_model(folder)->decoder_start(), 5);
  says(R"({"decoder_start_token_id": 96})");
  const ModelCheck check = check_model(folder, int64_t{1} << 40);
  ASSERT_FALSE(check.problems.empty());
  EXPECT_THAT(std::string(check.problems.error().what()),
              testing::HasSubstr("generation_config.json, $.decoder_start_token_id"));
}

TEST(EncoderDecoderModels, NeverWriteBadWords) {
  FamilyCase golden("marian_1");
  const std::vector<int32_t> tokens = golden.ids("suppressed");
  for (const int32_t token : tokens) {
    EXPECT_TRUE(std::ranges::count(golden.ids("generated_ids"), token) > 0);
    golden.config["bad_words_ids"].push_back({token});
  }
  Scenario scenario = scenario_of(golden, 1, std::ssize(golden.ids("suppressed_ids")));
  const std::shared_ptr<Model> model = load_model(golden.write());
  EXPECT_EQ(model->suppressed_tokens(), tokens);
  const std::vector<EngineOptions::GivenPrompt> prompts = {
      {golden.ids("prompt_ids"), golden.ids("encoder_ids")}};
  EXPECT_EQ(IdRun(scenario, model, prompts).output(0), golden.ids("suppressed_ids"));
  scenario.requests[0].beam_width = 3;
  const IdRun beams(scenario, model, prompts);
  const auto best = std::ranges::find_if(beams.shot.requests,
                                         [](const RequestView& r) { return r.beam_rank == 0; });
  ASSERT_NE(best, beams.shot.requests.end());
  EXPECT_EQ(beams.output(best->id), golden.ids("suppressed_beam_ids"));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(EncoderDecoderModels, SaysWhatTheyCannotDo) {
  using testing::HasSubstr;
  const FamilyCase t5("t5_1");
  register_all_backends();
  Scenario scenario = attn::model_scenario(t5.write());
  const std::shared_ptr<Source> source = load_model(t5.write());
  for (const char* backend : {"torch_sdpa", "xformers", "pallas"}) {
    scenario.engine.backend = backend;
    EXPECT_THAT(message_of([&] { IdRun(scenario, source, {}); }),
                HasSubstr("has no relative position bias"));
  }
  scenario.engine.backend = "unified";
  scenario.attention.type = AttentionType::kDecoder;
  EXPECT_THAT(message_of([&] { IdRun(scenario, source, {}); }),
              testing::AllOf(HasSubstr("has an encoder and a decoder"), HasSubstr("\"decoder\""),
                             HasSubstr("\"encoder_decoder\"")));
  scenario.requests[0].decoder_prompt = "a";
  EXPECT_THAT(message_of([&] { validate(scenario); }),
              testing::AllOf(HasSubstr("$.requests[0].decoder_prompt"),
                             HasSubstr("only a model with an encoder and a decoder")));
  scenario.attention.type = AttentionType::kEncoderDecoder;
  scenario.requests[0].encoder_tokens = 4;
  EXPECT_THAT(message_of([&] { validate(scenario); }),
              testing::AllOf(HasSubstr("$.requests[0].encoder_tokens"), HasSubstr("4"),
                             HasSubstr("the text of the prompt")));
  scenario.requests[0].encoder_tokens = 0;
  scenario.requests[0].decoder_prompt.clear();
  scenario.requests[0].prompt = "ab";
  for (int i = 0; i < 8; ++i) scenario.requests[0].prompt += scenario.requests[0].prompt;
  const IdRun run(scenario, source, {});
  EXPECT_THAT(run.engine->scheduler().find(0)->ignored_reason, HasSubstr("it can read 128"));
}

TEST(EncoderDecoderModels, SayWhichTextHasNoTokens) {
  const FamilyCase golden("t5_1");
  Scenario scenario = scenario_of(golden, 1, 4);
  const std::shared_ptr<Source> source = load_model(golden.write());
  scenario.requests[0].prompt = "xx";
  EXPECT_THAT(
      message_of([&] { IdRun(scenario, source, {}); }),
      testing::AllOf(testing::HasSubstr("the prompt has no tokens for the encoder"),
                     testing::HasSubstr("\"xx\""), testing::Not(testing::HasSubstr("empty"))));
  scenario.requests[0].prompt = "ab";
  scenario.requests[0].decoder_prompt = "x";
  EXPECT_THAT(message_of([&] { IdRun(scenario, source, {}); }),
              testing::AllOf(testing::HasSubstr("the text has no tokens"),
                             testing::HasSubstr("decoder_prompt"), testing::HasSubstr("\"x\"")));
}

TEST(EncoderDecoderModels, RefuseARelativeBiasThatIsNoNumber) {
  FamilyCase t5("t5_1");
  const std::string name = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
  for (auto& [tensor, values] : t5.tensors)
    if (tensor == name) values.data<float>()[5] = std::nanf("");
  EXPECT_THAT(message_of([&] { load_model(t5.write()); }),
              testing::AllOf(testing::HasSubstr(name), testing::HasSubstr("nan")));
}

TEST(EncoderDecoderModels, RefusesBadConfigs) {
  const auto refused = [](const char* name, const nlohmann::json& options,
                          const std::vector<std::string>& parts) {
    SCOPED_TRACE(options.dump());
    FamilyCase golden(name);
    golden.config.update(options);
    const ModelCheck check = check_model(golden.write(), int64_t{1} << 40);
    ASSERT_FALSE(check.problems.empty());
    for (const std::string& part : parts)
      EXPECT_THAT(std::string(check.problems.error().what()), testing::HasSubstr(part));
  };
  refused("t5_1", {{"relative_attention_num_buckets", 6}},
          {"$.relative_attention_num_buckets", "6", "a multiple of 4"});
  refused("t5_1", {{"relative_attention_max_distance", 16}},
          {"$.relative_attention_max_distance", "16", "more than 16"});
  refused("t5_1", {{"relative_attention_max_distance", 1 << 20}},
          {"$.relative_attention_max_distance", "1048576", "8192"});
  refused("t5_1", {{"feed_forward_proj", "gated-mish"}},
          {"$.feed_forward_proj", "gated-mish", "\"relu\""});
  refused("t5_1", {{"is_gated_act", true}},
          {"$.is_gated_act", "true", "contradicts feed_forward_proj", "false"});
  refused("t5_2", {{"dense_act_fn", "relu"}},
          {"$.dense_act_fn", "relu", "contradicts feed_forward_proj", "\"gelu_new\""});
  refused("t5_1", {{"decoder_start_token_id", 96}}, {"$.decoder_start_token_id", "96", "95"});
  refused("t5_1", {{"is_encoder_decoder", false}}, {"$.is_encoder_decoder", "false", "true"});
  refused("t5_1", {{"num_layers", 3}}, {"3 layers, by num_layers", "The files have 2 of them"});
  refused("t5_2", {{"d_kv", 16}}, {"num_heads * d_kv"});
  refused("bart_1", {{"decoder_attention_heads", 1}}, {"$.decoder_attention_heads", "1"});
  refused("bart_1", {{"normalize_before", true}}, {"$.normalize_before", "true", "false"});
  refused("marian_1", {{"share_encoder_decoder_embeddings", false}},
          {"$.share_encoder_decoder_embeddings", "false", "true"});
  refused("marian_1", {{"max_position_embeddings", 0}}, {"$.max_position_embeddings", "0"});
}

}  // namespace
}  // namespace attn
