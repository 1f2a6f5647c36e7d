// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the bundled model with `transformers` (tests/golden/llama), and a tiny one with scaled
// rotary positions (tests/golden/layers); checks that the bits do not depend on the division into
// steps or the number of threads. Also the threads that a model starts, and refused tokens.
#include "engine/model/load_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "engine/model/files/safetensors.h"
#include "engine/model/tokenizer/text_file.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/llama_folder.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
const fs::path kSource = ATTN_SOURCE_DIR;
const fs::path kTinystories = kSource / "assets/models/tinystories-gqa";

Model& bundled_model() {
  static const std::unique_ptr<Model> model = load_model(kTinystories);
  return *model;
}

std::vector<int32_t> ids(const SafetensorsFile& file, const char* name) {
  const Tensor tensor = file.read(name);
  return {tensor.span<int32_t>().begin(), tensor.span<int32_t>().end()};
}

class LlamaGolden : public testing::TestWithParam<const char*> {};

TEST_P(LlamaGolden, TokensLogitsAndWeightsEqualTransformers) {
  const auto golden = SafetensorsFile::open(kSource / "tests/golden/llama" /
                                            fmt::format("{}.safetensors", GetParam()));
  const std::vector<int32_t> prompt = ids(golden, "prompt_ids"),
                             generated = ids(golden, "generated_ids");
  ASSERT_EQ(bundled_model().encode(golden.metadata().at("prompt")), prompt);
  const Tensor logits = golden.read("logits"), lse = golden.read("logits_lse");
  const std::vector<int32_t> kept = ids(golden, "logits_rows");

  DenseAttention run(bundled_model(), 2);
  std::vector<int32_t> tokens = prompt;
  double worst_logit = 0, worst_lse = 0;
  for (size_t i = 0; i < generated.size(); ++i) {
    const std::vector<float> got = run.step(i == 0 ? prompt : std::vector<int32_t>{tokens.back()});
    const auto row = std::find(kept.begin(), kept.end(), static_cast<int32_t>(i));
    if (row != kept.end())
      for (size_t v = 0; v < got.size(); ++v)
        worst_logit = std::max(
            worst_logit,
            std::abs(
                double{got[v]} -
                logits.data<float>()[static_cast<size_t>(row - kept.begin()) * got.size() + v]));
    double sum = 0;
    for (const float logit : got) sum += std::exp(double{logit});
    worst_lse = std::max(worst_lse, std::abs(std::log(sum) - lse.data<float>()[i]));
    tokens.push_back(largest(got));
    ASSERT_EQ(tokens.back(), generated[i]) << "token " << i;
  }
  EXPECT_LT(worst_logit, 1e-4);
  EXPECT_LT(worst_lse, 1e-4);

  double worst_weight = 0;
  const std::vector<int32_t> rows = ids(golden, "weight_rows");
  for (int64_t layer = 0; layer < bundled_model().shape().num_layers; ++layer) {
    const Tensor weights = golden.read(fmt::format("weights.{}", layer));
    const auto view = view_of<float, 3>(weights);
    for (int64_t head = 0; head < weights.dim(0); ++head)
      for (size_t r = 0; r < rows.size(); ++r)
        for (int64_t k = 0; k <= rows[r]; ++k)
          worst_weight = std::max(worst_weight, std::abs(double{view(head, r, k)} -
                                                         run.weight(layer, head, rows[r], k)));
  }
  EXPECT_LT(worst_weight, 1e-5);
  EXPECT_EQ(bundled_model().decode(tokens),
            golden.metadata().at("prompt") + golden.metadata().at("generated_text"));
  RecordProperty("worst_logit", fmt::format("{:.2e}", worst_logit));
  RecordProperty("worst_weight", fmt::format("{:.2e}", worst_weight));
  std::cout << fmt::format("largest difference: logits {:.1e}, weights {:.1e}\n", worst_logit,
                           worst_weight);
}

INSTANTIATE_TEST_SUITE_P(Runs, LlamaGolden, testing::Values("lily", "beach", "long400"),
                         [](const auto& test) { return test.param; });

TEST(Llama, ScaledRotaryPositionsEqualTransformers) {
  const auto golden = SafetensorsFile::open(kSource / "tests/golden/layers/layers.safetensors");
  LlamaFolder folder;
  folder.tensors.clear();
  for (const TensorEntry& entry : golden.tensors())
    if (entry.name.starts_with("llama.") && entry.name != "llama.ids")
      folder.tensors[entry.name.substr(6)] = golden.read(entry);
  for (const char* name :
       {"default", "linear", "llama3", "yarn", "yarn_options", "yarn_magnitude"}) {
    SCOPED_TRACE(name);
    folder.config = nlohmann::json::parse(golden.metadata().at(fmt::format("rotary.{}", name)));
    folder.write();
    const auto model = load_model(folder.path());
    EXPECT_TRUE(model->notes().empty());
    DenseAttention run(*model, 1);
    std::vector<float> got;
    for (const int32_t token : ids(golden, "llama.ids")) got = run.step({token});
    const Tensor expected = golden.read(fmt::format("llama_logits.{}", name));
    ASSERT_EQ(got.size(), expected.span<float>().size());
    for (size_t v = 0; v < got.size(); ++v)
      EXPECT_NEAR(got[v], expected.span<float>()[v], 2e-4) << v;
  }
}

TEST(Llama, HasTheParametersOfTheBundledModel) {
  EXPECT_NEAR(static_cast<double>(bundled_model().num_parameters()), 7.3e6, 0.05e6);
}

// Runs `prompt` in steps of the lengths `cuts`, then one token at a time. Returns the logits of the
// last row; `keys` gets the keys of layer 5.
std::vector<float> logits_of(const std::vector<int32_t>& prompt, const std::vector<size_t>& cuts,
                             int workers, std::vector<float>* keys) {
  DenseAttention run(bundled_model(), workers);
  std::vector<float> logits;
  size_t begin = 0;
  for (const size_t cut : cuts) {
    logits = run.step({prompt.begin() + static_cast<std::ptrdiff_t>(begin),
                       prompt.begin() + static_cast<std::ptrdiff_t>(begin + cut)});
    begin += cut;
  }
  for (; begin < prompt.size(); ++begin) logits = run.step({prompt[begin]});
  *keys = run.keys(5);
  return logits;
}

TEST(Llama, BitsDoNotDependOnCutsOrThreads) {
  const std::vector<int32_t> prompt = bundled_model().encode(
      "Once upon a time, there was a little girl named Lily. She loved to play outside.");
  ASSERT_GT(prompt.size(), 20u);
  std::vector<float> keys, other_keys;
  const std::vector<float> logits = logits_of(prompt, {prompt.size()}, 1, &keys);
  for (const int workers : {1, 2, 3}) {
    for (const std::vector<size_t>& cuts :
         std::vector<std::vector<size_t>>{{prompt.size()}, {}, {3, 1, 9}, {8, 8}, {13}}) {
      const std::vector<float> other = logits_of(prompt, cuts, workers, &other_keys);
      EXPECT_EQ(std::memcmp(logits.data(), other.data(), logits.size() * sizeof(float)), 0)
          << workers << " workers";
      ASSERT_EQ(keys.size(), other_keys.size());
      EXPECT_EQ(std::memcmp(keys.data(), other_keys.data(), keys.size() * sizeof(float)), 0)
          << workers << " workers";
    }
  }
}

int64_t thread_count() {
  return static_cast<int64_t>(
      std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()));
}
void wait_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
int64_t settled_thread_count() {
  int64_t count = thread_count();
  for (int same = 0; same < 20; ++same) {
    wait_a_little();
    if (const int64_t now = thread_count(); now != count) count = now, same = 0;
  }
  return count;
}
int64_t settled_thread_count(int64_t expected) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (thread_count() != expected && std::chrono::steady_clock::now() < deadline) wait_a_little();
  return thread_count();
}

TEST(Llama, StartsNoThreadsOfItsOwn) {
  // When a process starts its first thread, a sanitizer may start one of its own, so a first thread
  // is started before the threads are counted.
  std::thread([] {}).join();
  const int64_t before = settled_thread_count();
  std::vector<float> keys;
  logits_of(bundled_model().encode("Tom and his dog"), {}, 1, &keys);
  EXPECT_EQ(settled_thread_count(before), before);
  DenseAttention run(bundled_model(), 3);  // starts two threads
  run.step(std::vector<int32_t>(100, 262));
  EXPECT_EQ(settled_thread_count(before + 2), before + 2);
}

TEST(Llama, IsReadByAsManyThreadsAsAreAskedFor) {
  std::thread([] {}).join();
  const int64_t before = settled_thread_count();
  int64_t most = 0;
  load_model(
      kTinystories,
      [&](double) {
        most = std::max(most, thread_count());
        return true;
      },
      {}, 1);
  EXPECT_EQ(most, before);
}

TEST(Llama, RefusesTokensAndPositionsOutOfRange) {
  ThreadPool pool(1);
  Execution execution;
  execution.pool = &pool;
  expect_refused(
      {ErrorCode::kBadInput, "not in the vocabulary", "row 1", "4672", "0 to 4671"}, [&] {
        bundled_model().begin_step({{1, 4672}, {0, 1}, {0, 0}, {1}, false, {}, {}, {}}, execution);
      });
  expect_refused({ErrorCode::kBadInput, "past the model's context", "row 0", "512", "0 to 511"},
                 [&] {
                   bundled_model().begin_step({{1}, {512}, {0}, {0}, false, {}, {}, {}}, execution);
                 });
}

// --- another model, if it is present ---

TEST(Llama, Stories15MWritesAStory) {
  const fs::path folder = kSource / "../shared/models/stories15M";
  if (!fs::exists(folder / "config.json"))
    GTEST_SKIP() << "models/stories15M is not beside the source tree";
  const auto model = load_model(folder);
  EXPECT_EQ(model->shape().head_size, 48);
  EXPECT_EQ(model->shape().num_kv_heads, 6);
  DenseAttention run(*model, 2);
  std::vector<int32_t> tokens = model->encode("Once upon a time");
  std::vector<float> logits = run.step(tokens);
  for (int i = 0; i < 30; ++i) {
    tokens.push_back(largest(logits));
    logits = run.step({tokens.back()});
  }
  EXPECT_EQ(model->decode(tokens),
            "Once upon a time, there was a little girl named Lily. She loved to play outside in "
            "the sunshine. One day, she "
            "saw a big, red");
}

}  // namespace
}  // namespace attn
