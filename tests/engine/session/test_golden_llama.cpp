// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the bundled model with the kernels flash and math and on `reference`: tokens, logits and
// weights are compared with those of `transformers` (tests/golden/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/model/files/safetensors.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using Param = std::tuple<std::string, std::string>;  // golden file, backend or sdpa kernel

class GoldenLlama : public testing::TestWithParam<Param> {};

struct Worst {
  double difference = 0;
  std::string where;
  void see(double found, double expected, const std::string& place) {
    const double d = std::abs(found - expected);
    if (d > difference || std::isnan(d)) {
      difference = std::isnan(d) ? 1e9 : d;
      where = place;
    }
  }
};

TEST_P(GoldenLlama, TokensLogitsAndWeights) {
  const auto& [name, kernel] = GetParam();
  const auto golden = SafetensorsFile::open(std::string(ATTN_SOURCE_DIR) + "/tests/golden/llama/" +
                                            name + ".safetensors");
  const Tensor generated = golden.read("generated_ids"), prompt = golden.read("prompt_ids");
  Scenario scenario = test::model_scenario({golden.metadata().at("prompt")}, generated.size());
  if (kernel == "reference") {
    scenario.engine.backend = kernel;
  } else {
    scenario.engine.backend_options["sdpa_kernel"] = kernel;
  }
  std::vector<std::vector<float>> logits;
  EngineOptions options;
  options.on_logits = [&](const Tensor& rows, const std::vector<uint32_t>&) {
    logits.emplace_back(rows.data<float>(), rows.data<float>() + rows.size());
  };
  Engine engine(scenario, options);
  engine.run_to_end();
  const Request& request = *engine.scheduler().requests()[0];
  ASSERT_EQ(request.prompt_ids,
            std::vector<int32_t>(prompt.data<int32_t>(), prompt.data<int32_t>() + prompt.size()));
  ASSERT_EQ(request.output_ids, std::vector<int32_t>(generated.data<int32_t>(),
                                                     generated.data<int32_t>() + generated.size()));

  const Tensor expected_logits = golden.read("logits"), logit_rows = golden.read("logits_rows");
  const int64_t vocab = expected_logits.dim(1);
  Worst logit;
  for (int64_t i = 0; i < logit_rows.size(); ++i) {
    const int32_t token = logit_rows.data<int32_t>()[i];
    for (int64_t v = 0; v < vocab; ++v)
      logit.see(logits[static_cast<size_t>(token)][static_cast<size_t>(v)],
                expected_logits.data<float>()[i * vocab + v],
                "new token " + std::to_string(token) + ", vocabulary " + std::to_string(v));
  }
  EXPECT_LT(logit.difference, 1e-4) << logit.where;
  const Tensor largest = golden.read("logits_max");
  for (int64_t i = 0; i < largest.size(); ++i)
    EXPECT_NEAR(*std::ranges::max_element(logits[static_cast<size_t>(i)]), largest.data<float>()[i],
                1e-4);

  const Tensor weight_rows = golden.read("weight_rows");
  const auto record = engine.attention(0);
  Worst weight;
  for (int64_t layer = 0; layer < engine.source().shape().num_layers; ++layer) {
    const Tensor expected = golden.read("weights." + std::to_string(layer));
    const int64_t heads = expected.dim(0), rows = expected.dim(1), columns = expected.dim(2);
    ASSERT_EQ(record->num_rows(), columns);
    std::vector<float> found(static_cast<size_t>(columns));
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t r = 0; r < rows; ++r) {
        const int32_t q = weight_rows.data<int32_t>()[r];
        record->weights(layer, head, q, 1, 0, columns, found.data());
        for (int64_t k = 0; k < columns; ++k)
          weight.see(found[static_cast<size_t>(k)],
                     expected.data<float>()[(head * rows + r) * columns + k],
                     "layer " + std::to_string(layer) + ", head " + std::to_string(head) +
                         ", query " + std::to_string(q) + ", key " + std::to_string(k));
      }
  }
  EXPECT_LT(weight.difference, 1e-5) << weight.where;
  std::printf("%s %s: logits %.2g, weights %.2g\n", name.c_str(), kernel.c_str(), logit.difference,
              weight.difference);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenLlama,
                         testing::Combine(testing::Values("lily", "beach", "long400"),
                                          testing::Values("flash", "math", "reference")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

}  // namespace
}  // namespace attn
