// SPDX-License-Identifier: GPL-3.0-or-later
// The user's tensors as a source: a run computes with the numbers of the file, and its weights
// equal those of the definition. Files that do not fit each other are refused with their names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "engine/model/files/safetensors.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using test::random_tensor;
using test::write_npy;

Tensor exchanged(const Tensor& from) {
  const int64_t b = from.dim(0), h = from.dim(1), l = from.dim(2), d = from.dim(3);
  Tensor to(DType::kF32, {b, l, h, d});
  for (int64_t s = 0; s < b; ++s)
    for (int64_t i = 0; i < h; ++i)
      for (int64_t t = 0; t < l; ++t)
        std::memcpy(to.data<float>() + ((s * l + t) * h + i) * d,
                    from.data<float>() + ((s * h + i) * l + t) * d, static_cast<size_t>(d) * 4);
  return to;
}

class TensorFiles : public testing::Test {
 protected:
  static constexpr int64_t kSequences = 2, kHeads = 4, kKvHeads = 2, kTokens = 37, kSize = 32;

  void SetUp() override {
    register_all_backends();
    for (uint64_t layer = 0; layer < 2; ++layer)
      layers_.push_back({random_tensor({kSequences, kHeads, kTokens, kSize}, 3 * layer + 1),
                         random_tensor({kSequences, kKvHeads, kTokens, kSize}, 3 * layer + 2),
                         random_tensor({kSequences, kKvHeads, kTokens, kSize}, 3 * layer + 3)});
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  fs::path write_safetensors_file(bool tokens_first = false) const {
    std::vector<std::pair<std::string, Tensor>> kept;
    const char* roles[] = {"query", "key", "value"};
    for (size_t layer = 0; layer < layers_.size(); ++layer)
      for (size_t role = 0; role < 3; ++role)
        kept.emplace_back(std::string(roles[role]) + "." + std::to_string(layer),
                          tokens_first ? exchanged(layers_[layer][role])
                                       : convert(layers_[layer][role], DType::kF32));
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : kept) named.push_back({name, &tensor});
    write_safetensors(path("qkv.safetensors"), named, {});
    return path("qkv.safetensors");
  }
  void write_npy_files() const {
    for (size_t layer = 0; layer < layers_.size(); ++layer) {
      write_npy(path("q_" + std::to_string(layer) + ".npy"), layers_[layer][0]);
      write_npy(path("k_" + std::to_string(layer) + ".npy"), layers_[layer][1]);
      write_npy(path("v_" + std::to_string(layer) + ".npy"), layers_[layer][2]);
    }
  }
  Scenario scenario_of(const fs::path& file) const { return tensor_scenario({&file, 1}); }

  const float* row(size_t layer, int role, int64_t s, int64_t head, int64_t token) const {
    const Tensor& tensor = layers_[layer][static_cast<size_t>(role)];
    return tensor.data<float>() + ((s * tensor.dim(1) + head) * kTokens + token) * kSize;
  }
  void expect_true(const Scenario& scenario) const {
    Engine engine(scenario, {});
    engine.run_to_end();
    const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
    ASSERT_EQ(shot.requests.size(), size_t{kSequences});
    const double scale = scenario.source.tensors->scale > 0 ? scenario.source.tensors->scale
                                                            : 1 / std::sqrt(double{kSize});
    for (int64_t s = 0; s < kSequences; ++s) {
      const AttentionRecord& record = *shot.requests[static_cast<size_t>(s)].attention;
      ASSERT_EQ(record.num_rows(), kTokens);
      for (size_t layer = 0; layer < layers_.size(); ++layer)
        for (int64_t head = 0; head < kHeads; ++head) expect_head(record, s, layer, head, scale);
    }
  }
  void expect_head(const AttentionRecord& record, int64_t s, size_t layer, int64_t head,
                   double scale) const {
    const int64_t kv_head = head / (kHeads / kKvHeads);
    std::vector<float> weights(kTokens * kTokens);
    const auto l = static_cast<int64_t>(layer);
    record.weights(l, head, 0, kTokens, 0, kTokens, weights.data());
    for (int64_t q = 0; q < kTokens; ++q) {
      std::vector<double> expected;
      double sum = 0;
      for (int64_t k = 0; k <= q; ++k) {
        const double dot =
            test::dot({row(layer, 0, s, head, q), kSize}, {row(layer, 1, s, kv_head, k), kSize});
        expected.push_back(std::exp(scale * dot));
        sum += expected.back();
      }
      for (int64_t k = 0; k <= q; ++k)
        ASSERT_NEAR(weights[static_cast<size_t>(q * kTokens + k)],
                    expected[static_cast<size_t>(k)] / sum, 3e-6)
            << "sequence " << s << " layer " << layer << " head " << head << " row " << q;
    }
    const WeightOperands cell = record.operands(l, head, kTokens - 1, 3);
    EXPECT_EQ(std::memcmp(cell.query.data(), row(layer, 0, s, head, kTokens - 1), kSize * 4), 0);
    EXPECT_EQ(std::memcmp(cell.key.data(), row(layer, 1, s, kv_head, 3), kSize * 4), 0);
  }
  void refused(const Scenario& scenario, const Refusal& refusal) const {
    SCOPED_TRACE(refusal.what);
    expect_refused(refusal, [&] { Engine engine(scenario, {}); });
  }

  test::TemporaryFolder folder_;
  std::vector<std::array<Tensor, 3>> layers_;
};

TEST_F(TensorFiles, WeightsAreThoseOfTheFile) {
  Scenario scenario = scenario_of(write_safetensors_file());
  EXPECT_EQ(scenario.requests.size(), size_t{kSequences});
  for (const char* backend : {"torch_sdpa", "xformers", "unified", "reference", "pallas"}) {
    SCOPED_TRACE(backend);
    scenario.engine.backend = backend;
    expect_true(scenario);
  }
  scenario.source.tensors->scale = 0.3;
  expect_true(scenario);
}

TEST_F(TensorFiles, HoweverTheyAreComputed) {
  Scenario decode = scenario_of(write_safetensors_file());
  for (ScenarioRequest& request : decode.requests) {
    request.prompt_tokens = 5;
    request.max_tokens = 1000;  // the files end before that
  }
  expect_true(decode);
  Scenario chunked = decode;
  chunked.engine.policy = SchedulingPolicy::kChunkedPrefill;
  chunked.engine.extended = true;
  chunked.engine.max_num_batched_tokens = 7;
  chunked.engine.max_num_seqs = 2;
  expect_true(chunked);
  Scenario crowded = decode;
  crowded.engine.num_blocks = 4;
  expect_true(crowded);
  Scenario shared = decode;
  shared.engine.enable_prefix_caching = true;
  shared.engine.extended = true;
  shared.engine.block_size = 4;
  shared.engine.num_blocks = 64;
  expect_true(shared);
}

TEST_F(TensorFiles, NpyFilesAndLayouts) {
  write_npy_files();
  const fs::path one = path("k_1.npy");
  const Scenario by_one = scenario_of(one), by_folder = scenario_of(folder_.path());
  EXPECT_EQ(by_one.source.tensors->query, path("q_{layer}.npy").string());
  EXPECT_EQ(by_one.source, by_folder.source);
  expect_true(by_one);
  // Read as heads first, the shapes (37 heads of 4 and 2 tokens) would not fit each other.
  const Scenario turned = scenario_of(write_safetensors_file(true));
  EXPECT_EQ(turned.source.tensors->layout, TensorLayout::kTokensFirst);
  expect_true(turned);
}

TEST_F(TensorFiles, OtherTypesAreWidened) {
  const Tensor &q = layers_[0][0], &k = layers_[0][1];
  const Tensor q64 = convert(q, DType::kF64), k16 = convert(k, DType::kF16),
               v16 = convert(layers_[0][2], DType::kBF16);
  write_safetensors(path("mixed.safetensors"), {{"q", &q64}, {"k", &k16}, {"v", &v16}}, {});
  layers_.resize(1);
  layers_[0][1] = convert(k16, DType::kF32);
  expect_true(scenario_of(path("mixed.safetensors")));
}

TEST_F(TensorFiles, NumbersThatAreNoneAreTold) {
  layers_[1][1].data<float>()[7] = std::numeric_limits<float>::infinity();
  layers_[1][1].data<float>()[9] = std::nanf("");
  write_npy_files();
  const fs::path one = path("k_1.npy");
  EXPECT_THAT(load_source(scenario_of(one))->notes(),
              ::testing::ElementsAre(::testing::AllOf(
                  ::testing::HasSubstr("2 of the 9472 numbers of the key are NaN or infinite"),
                  ::testing::HasSubstr("layer 1, head 0, position 0 of sequence 0"))));
}

TEST_F(TensorFiles, AttentionThatIsNotFiniteIsToldOnce) {
  const int64_t at = ((1 * kKvHeads + 1) * kTokens + 5) * kSize;
  layers_[1][2].data<float>()[at + 3] = std::nanf("");
  write_npy_files();
  Scenario scenario = scenario_of(path("k_1.npy"));
  Recorder recorder(num_workers(scenario));
  EngineOptions options;
  options.recorder = &recorder;
  Engine(scenario, std::move(options)).run_to_end();
  recorder.drain();
  std::vector<std::string> told;
  for (const std::string& message : recorder.messages())
    if (message.find("output of attention") != message.npos) told.push_back(message);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0],
              ::testing::HasSubstr("layer 1, head 2, at position 5 of Sequence 1. Values"));
}

// With as many key heads as query heads both orders of the axes fit.
TEST_F(TensorFiles, AGuessedOrderOfTheAxesIsTold) {
  write_npy_files();
  EXPECT_TRUE(guesses_of(scenario_of(path("k_1.npy"))).empty());
  const Tensor same = random_tensor({kHeads, kTokens, kSize}, 1);
  for (const char* name : {"q.npy", "k.npy", "v.npy"}) write_npy(path(name), same);
  const std::vector<fs::path> files = {path("q.npy"), path("k.npy"), path("v.npy")};
  Scenario scenario = tensor_scenario(files);
  const std::vector<std::string> guesses = guesses_of(scenario);
  ASSERT_EQ(guesses.size(), 1u);
  EXPECT_THAT(guesses[0],
              ::testing::HasSubstr("It was read as 4 heads and 37 tokens, heads first"));
  Recorder recorder(num_workers(scenario));
  EngineOptions options;
  options.recorder = &recorder;
  const Engine engine(scenario, std::move(options));
  EXPECT_THAT(recorder.messages(), ::testing::ElementsAre(guesses[0]));
  scenario.source.tensors->layout = TensorLayout::kTokensFirst;  // the user chose the order
  EXPECT_TRUE(guesses_of(scenario).empty());
}

TEST_F(TensorFiles, TwoAxesAreInNoDoubt) {
  const Tensor same = random_tensor({kTokens, kSize}, 1);
  for (const char* name : {"q.npy", "k.npy", "v.npy"}) write_npy(path(name), same);
  const Scenario scenario = scenario_of(folder_.path());
  EXPECT_THAT(guesses_of(scenario), ::testing::IsEmpty());
  EXPECT_EQ(scenario.title, folder_.path().filename());
  EXPECT_EQ(scenario_of(folder_.path() / "").title, folder_.path().filename());
  EXPECT_EQ(scenario_of(path("q.npy")).title, "q.npy");
}

TEST_F(TensorFiles, AFileWhoseNameTellsNoRoleIsNamed) {
  write_npy(path("heatmap.npy"), random_tensor({kTokens, kSize}, 1));
  expect_refused({.what = "query, key or value is missing", .found = "heatmap.npy"},
                 [&] { scenario_of(path("heatmap.npy")); });
}

TEST_F(TensorFiles, OfAFolderOfModelsTheModelsAreNamed) {
  for (const char* model : {"one", "deep/two"}) {
    fs::create_directories(folder_.path() / model);
    std::ofstream(folder_.path() / model / "config.json") << R"({"model_type": "llama"})";
  }
  expect_refused({.what = "a folder of models is not a scenario",
                  .found = "2 models and no .npy files: deep/two, one",
                  .allowed = "one of the models"},
                 [&] { open_scenario(folder_.path().string()); });
}

TEST_F(TensorFiles, AnOddOrderOfTheAxesIsNotGuessed) {
  write_npy(path("q.npy"), random_tensor({3, 20, kSize}, 1));
  for (const char* name : {"k.npy", "v.npy"})
    write_npy(path(name), random_tensor({2, 20, kSize}, 2));
  const std::vector<fs::path> files = {path("q.npy"), path("k.npy"), path("v.npy")};
  try {
    tensor_scenario(files);
    FAIL() << "it was guessed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("3 query heads and 2 KV heads of 20 tokens"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("tokens_first"));
  }
  const Scenario told =
      tensor_scenario(files, {.layout = TensorLayout::kTokensFirst, .cross = true});
  EXPECT_EQ(told.attention.type, AttentionType::kEncoderDecoder);
}

TEST_F(TensorFiles, LabelsAndRelativePaths) {
  write_safetensors_file();
  Scenario scenario = scenario_of(path("qkv.safetensors"));
  std::string list = "[";
  for (int64_t i = 0; i < kTokens; ++i) list += (i ? ", \"w" : "\"w") + std::to_string(i) + "\"";
  list += "]";
  std::ofstream(path("tokens.json")) << "[" << list << ", " << list << "]";
  scenario.source.tensors->file = "qkv.safetensors";
  scenario.source.tensors->tokens = "tokens.json";
  std::ofstream(path("mine.json")) << to_json(scenario);
  const Scenario read = load_scenario(path("mine.json"));
  EXPECT_EQ(read, scenario);
  const std::shared_ptr<Source> source = load_source(read);
  EXPECT_EQ(source->token_text(static_cast<int32_t>(kTokens + 3)), "w3");
  EXPECT_EQ(source->token_text(static_cast<int32_t>(2 * kTokens)), "<end>");
  expect_true(read);
  std::ofstream(path("tokens.json")) << "[\"a\", \"b\"]";
  refused(read, {.what = "the number of labels is wrong",
                 .where = "tokens.json, $",
                 .found = "2 texts",
                 .allowed = "37"});
  std::ofstream(path("tokens.json")) << "[" << list << "]";
  refused(read, {.what = "the number of labels is wrong",
                 .where = "tokens.json, $",
                 .found = "1 lists of texts",
                 .allowed = "2"});
  std::ofstream(path("tokens.json")) << "{}";
  refused(read, {.what = "labels are not a list", .where = "tokens.json, $"});
}

TEST_F(TensorFiles, WhatDoesNotFitIsNamed) {
  const auto with = [&](const Tensor& q, const Tensor& k, const Tensor& v) {
    write_npy(path("q.npy"), q);
    write_npy(path("k.npy"), k);
    write_npy(path("v.npy"), v);
    Scenario scenario = test::synthetic_scenario({4}, 1);
    scenario.source.synthetic.reset();
    TensorSpec& spec = scenario.source.tensors.emplace();
    spec.query = path("q.npy").string();
    spec.key = path("k.npy").string();
    spec.value = path("v.npy").string();
    return scenario;
  };
  const auto random = [](const Shape& shape) { return random_tensor(shape, 9); };
  const Tensor q = random({4, 8, 32}), k = random({2, 8, 32}), v = random({2, 8, 32});
  EXPECT_NO_THROW(Engine(with(q, k, v), {}));
  refused(with(random({32}), k, v), {.what = "wrong number of axes",
                                     .where = "q.npy",
                                     .found = "[32]",
                                     .allowed = "[tokens, head size]"});
  refused(with(random({1, 1, 1, 8, 32}), k, v), {.what = "wrong number of axes", .where = "q.npy"});
  refused(with(q, random({3, 8, 32}), v), {.what = "does not divide the number of query heads",
                                           .where = "k.npy",
                                           .found = "4 query heads, 3 KV heads"});
  refused(with(q, random({2, 9, 32}), v), {.what = "tokens do not fit",
                                           .where = "k.npy",
                                           .found = "9 in [2, 9, 32]",
                                           .allowed = "8, as in q.npy"});
  refused(
      with(random({4, 2, 32}), k, v),
      {.what = "tokens do not fit", .where = "k.npy", .found = "8", .allowed = "2, as in q.npy"});
  EXPECT_NO_THROW(Engine(with(random({4, 1, 32}), k, v), {}));
  refused(
      with(random({4, 1, 32}), k, random({2, 9, 32})),
      {.what = "tokens do not fit", .where = "v.npy", .found = "9", .allowed = "8, as in k.npy"});
  refused(with(q, random({2, 8, 16}), v),
          {.what = "elements of a head do not fit", .where = "k.npy", .allowed = "as in q.npy"});
  refused(
      with(q, k, random({1, 8, 32})),
      {.what = "heads do not fit", .where = "v.npy", .found = "1", .allowed = "2, as in k.npy"});
  refused(with(random({300, 8, 32}), random({2, 8, 32}), v),
          {.what = "number of query heads is out of range",
           .where = "q.npy",
           .found = "300",
           .allowed = "1 to 255"});
  refused(with(random({4, 0, 32}), random({2, 0, 32}), random({2, 0, 32})),
          {.what = "number of tokens is out of range", .where = "q.npy"});
  Scenario integers = with(q, k, v);
  write_npy(path("k.npy"), k, "<i4");
  refused(integers, {.what = "not floating-point numbers", .where = "k.npy", .found = "<i4"});
  Scenario missing = with(q, k, v);
  fs::remove(path("v.npy"));
  refused(missing, {.what = "file cannot be opened", .where = "v.npy"});
  Scenario half = with(q, k, v);
  half.source.tensors->query = path("q_{layer}.npy").string();
  refused(half, {.what = "{layer} is missing in some of the names", .where = "$.source.tensors"});
  Scenario too_long = with(q, k, v);
  too_long.requests[0].prompt_tokens = 9;
  refused(too_long, {.what = "prompt_tokens is out of range",
                     .where = "request 0",
                     .found = "9",
                     .allowed = "1 to 8"});
  Scenario two = with(q, k, v);
  two.requests.push_back(two.requests[0]);
  refused(two, {.what = "too few sequences", .where = "request 1", .found = "1 sequences"});
}

TEST_F(TensorFiles, ScenarioKeys) {
  const auto bad = [](const std::string& source, const Refusal& refusal) {
    SCOPED_TRACE(source);
    expect_refused(refusal, [&] {
      parse_scenario(
          R"({"version": 1, "source": )" + source + R"(, "requests": [{"prompt_tokens": 4}]})",
          "s.json");
    });
  };
  bad(R"({"tensors": {}})", {.what = "the files of the tensors are not clear",
                             .where = "$.source.tensors",
                             .found = "no file"});
  bad(R"({"tensors": {"query": "q.npy"}})", {.what = "the files of the tensors are not clear"});
  bad(R"({"tensors": {"file": "a", "key": "b"}})",
      {.what = "the files of the tensors are not clear"});
  bad(R"({"tensors": {"files": "a"}})",
      {.what = "unknown key", .where = "$.source.tensors.files", .allowed = "file"});
  bad(R"({"tensors": 3})", {.what = "not an object", .where = "$.source.tensors"});
  bad(R"({"tensors": {"file": "a", "layout": "odd"}})",
      {.what = "layout is not one of the choices", .allowed = "heads_first, tokens_first"});
  bad(R"({"tensors": {"file": "a", "scale": -1}})", {.what = "scale is out of range"});
  bad(R"({"model": "m", "tensors": {"file": "a"}})",
      {.what = "more than one source", .found = "`model` and `tensors`"});
  const auto request = [](const std::string& text, const Refusal& refusal) {
    SCOPED_TRACE(text);
    expect_refused(refusal, [&] {
      parse_scenario(
          R"({"version": 1, "source": {"tensors": {"file": "a"}}, "requests": [)" + text + "]}",
          "s.json");
    });
  };
  request(R"({"prompt": "x"})", {.what = "a source of tensors does not read text"});
  request(R"({})", {.what = "a source of tensors needs the length of the prompt"});
  request(R"({"prompt_tokens": 4, "n": 2})", {.what = "nothing is sampled", .where = "n"});
  request(R"({"prompt_tokens": 4, "beam_width": 2})", {.what = "nothing is sampled"});
  request(R"({"prompt_tokens": 4, "temperature": 1})", {.what = "nothing is sampled"});
}

TEST_F(TensorFiles, AFileOfAModelsFolderOpensTheModel) {
  const fs::path folder = assets_folder() / "models" / "tinystories-gqa";
  const std::string model = to_json(open_scenario(folder.string()));
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"}) {
    ASSERT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_EQ(to_json(open_scenario((folder / name).string())), model) << name;
  }
  EXPECT_EQ(to_json(open_scenario("tinystories-gqa")), model);
  try {
    open_scenario("tinystories-gqb");
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a bundled model (tinystories-gqa, "));
  }
}

TEST_F(TensorFiles, OtherFilesAreCalledWhatTheyAre) {
  const auto refused = [&](const fs::path& file, const std::string& found,
                           const std::string& advice) {
    SCOPED_TRACE(file.filename());
    try {
      open_scenario(file.string());
      ADD_FAILURE() << "opened";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(found));
      EXPECT_THAT(error.what(), testing::HasSubstr(advice));
      EXPECT_THAT(error.what(), testing::HasSubstr("this file cannot be opened"));
    }
  };
  const auto written = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  };
  refused(written("a.png", std::string("\x89PNG\r\n\x1a\n\0", 9)), "a PNG picture", "session");
  refused(written("picture", "<?xml version=\"1.0\"?>\n<svg>"), "an SVG drawing", "session");
  refused(written("a.pdf", "%PDF-1.7"), "a PDF document", "session");
  refused(written("notes.txt", "Once upon a time"), "a text", "paste it into the prompt");
  refused(written("requests.csv", "request,name,state\n0,Lily,done\n"), "a table with the columns",
          "scenario.json");
  const char* const kTrace = R"({"displayTimeUnit":"ns","otherData":{"program":"A","modelled":true},
"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"engine"}})";
  refused(written("trace.json", kTrace), "a trace of a run", ".attn-session");
  refused(written("chrome.json", "[{\"name\":\"a\",\"ph\":\"X\",\"pid\":1}]"), "a trace of a run",
          "Perfetto");
  refused(written("trace.perfetto-trace", "\x0a\x02\x40\x01"), "a trace of a run", "index.html");
  const Tensor query = random_tensor({8, 2, 32}, 1), lens(DType::kI32, {1});
  write_safetensors(path("case.safetensors"),
                    {{"query", &query}, {"key", &query}, {"value", &query}, {"seq_lens", &lens}},
                    {});
  refused(path("case.safetensors"), "one attention call", "`attn op --in FILE");
  write_safetensors(path("result.safetensors"), {{"output", &query}, {"lse", &query}}, {});
  refused(path("result.safetensors"), "the result of `attn op`", "attn inspect");
  std::string named = to_json(load_scenario(find_scenario("first-look")));
  named.replace(named.find("First look"), std::string("First look").size(), "traceEvents");
  EXPECT_EQ(open_scenario(written("named.json", named).string()).title, "traceEvents");
  try {
    open_scenario(written("a.json", "Once").string());
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("JSON"));
  }
  write_safetensors(path("qkv.safetensors"),
                    {{"query", &query}, {"key", &query}, {"value", &query}}, {});
  EXPECT_TRUE(open_scenario(path("qkv.safetensors").string()).source.tensors);
}

TEST_F(TensorFiles, NamesOfFilesTellTheirRoles) {
  const Tensor small = random_tensor({2, 8, 32}, 1);
  const auto only = [&](const std::vector<std::string>& names) {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry.path());
    std::vector<fs::path> files;
    for (const std::string& name : names) {
      write_npy(path(name), small);
      files.push_back(path(name));
    }
    return files;
  };
  const auto pattern = [&](const std::vector<std::string>& names) {
    const std::vector<fs::path> files = only(names);
    return fs::path(tensor_scenario(files).source.tensors->key).filename().string();
  };
  EXPECT_EQ(pattern({"q.npy", "k.npy", "v.npy"}), "k.npy");
  EXPECT_EQ(pattern({"queries.npy", "keys.npy", "values.npy"}), "keys.npy");
  EXPECT_EQ(pattern({"Layer0_Query.npy", "Layer0_Key.npy", "Layer0_Value.npy"}),
            "Layer{layer}_Key.npy");
  EXPECT_EQ(pattern({"q0.npy", "q1.npy", "k0.npy", "k1.npy", "v0.npy", "v1.npy"}), "k{layer}.npy");
  EXPECT_EQ(pattern({"gpt2-q.npy", "gpt2-k.npy", "gpt2-v.npy"}), "gpt2-k.npy");
  EXPECT_EQ(pattern({"gpt2_layer0_q.npy", "gpt2_layer0_k.npy", "gpt2_layer0_v.npy"}),
            "gpt2_layer{layer}_k.npy");
  const auto refused = [&](const std::vector<std::string>& names, const std::string& what) {
    const std::vector<fs::path> files = only(names);
    expect_refused({.what = what}, [&] { tensor_scenario(files); });
  };
  refused({"q.npy", "k.npy"}, "query, key or value is missing");
  refused({"a.npy", "b.npy", "c.npy"}, "query, key or value is missing");
  refused({"q.npy", "k.npy", "v.npy", "a_q.npy", "a_k.npy", "a_v.npy"}, "several sets");
  refused({"q1.npy", "q2.npy", "k1.npy", "k2.npy", "v1.npy", "v2.npy"}, "do not begin at 0");
  const std::vector<fs::path> nothing = {path("nothing.npy")};
  expect_refused({.what = "file cannot be opened", .where = "nothing.npy"},
                 [&] { tensor_scenario(nothing); });
  EXPECT_THROW(tensor_scenario({}), Error);
}

TEST_F(TensorFiles, TheFilesOfEveryLayerAreInputs) {
  const Tensor small = random_tensor({2, 8, 32}, 1);
  std::vector<fs::path> files;
  for (const char* name : {"q0.npy", "q1.npy", "k0.npy", "k1.npy", "v0.npy", "v1.npy"}) {
    write_npy(path(name), small);
    files.push_back(path(name));
  }
  EXPECT_THAT(input_files(tensor_scenario(files)), testing::UnorderedElementsAreArray(files));
}

}  // namespace
}  // namespace attn
