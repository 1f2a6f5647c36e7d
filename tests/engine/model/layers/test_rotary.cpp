// SPDX-License-Identifier: GPL-3.0-or-later
// Compares rotary positions with transformers: frequencies, angles, and which elements of a head
// turn. Also settings that are refused.
#include "engine/model/layers/rotary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/model/config_reader.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/layers/layer_golden.h"

namespace attn {
namespace {

constexpr int64_t kHead = 16;

RotaryConfig read_rotary(const nlohmann::json& json, Problems& problems) {
  ConfigReader reader(JsonAt(json, "config.json"), "llama", problems);
  int64_t max_model_len = json.value("max_position_embeddings", int64_t{512});
  return reader.rotary(kHead, max_model_len);
}

class RotaryGolden : public testing::TestWithParam<const char*>, protected LayerRun {};

TEST_P(RotaryGolden, FrequenciesAndAnglesEqualTransformers) {
  const std::string at = fmt::format("rotary.{}", GetParam());
  Problems problems;
  const RotaryConfig config =
      read_rotary(nlohmann::json::parse(golden.metadata().at(at)), problems);
  EXPECT_TRUE(problems.empty());
  const Rotary rotary(config);
  expect_near(rotary.frequencies(), numbers(at + ".frequencies"), 3e-7, 0);
  EXPECT_NEAR(rotary.magnitude(), numbers(at + ".magnitude")[0], 1e-7);
  const Tensor positions = golden.read("positions");
  const std::vector<float> cosine = numbers(at + ".cos"), sine = numbers(at + ".sin");
  for (int64_t row = 0; row < positions.size(); ++row) {
    const int32_t position = positions.data<int32_t>()[row];
    std::vector<float> c(kHead / 2), s(kHead / 2);
    rotary.angles(position, c.data(), s.data());
    const auto first = static_cast<size_t>(row * kHead / 2);
    // An f32 angle near 10^5 can have an error of 0.004.
    const double bound = 3e-7 + 2e-7 * position;
    expect_near(c, std::span(cosine).subspan(first, kHead / 2), 0, bound);
    expect_near(s, std::span(sine).subspan(first, kHead / 2), 0, bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Scalings, RotaryGolden,
                         testing::Values("default", "linear", "llama3", "yarn", "yarn_options",
                                         "yarn_magnitude"),
                         [](const auto& test) { return test.param; });

TEST(Rotary, DynamicFrequenciesEqualTransformers) {
  LayerRun run;
  const RotaryConfig config{
      .size = kHead, .scaling = RotaryScaling::kDynamic, .factor = 2.5, .trained_length = 64};
  const int64_t length = std::stoll(run.golden.metadata().at("dynamic_length"));
  expect_near(Rotary(config, length).frequencies(), run.numbers("rotary.dynamic.frequencies"), 3e-7,
              0);
  EXPECT_EQ(Rotary(config, 64).frequencies(), Rotary({.size = kHead}).frequencies());
  EXPECT_EQ(Rotary(config).frequencies(), Rotary({.size = kHead}).frequencies());
}

TEST(Rotary, TurnsWholeHeadsAndPartsWithEitherPairs) {
  LayerRun run;
  const std::vector<float> heads = run.numbers("heads"), cosine = run.numbers("rotary.default.cos"),
                           sine = run.numbers("rotary.default.sin");
  for (const int64_t size : {kHead, int64_t{6}})
    for (const RotaryPairs pairs : {RotaryPairs::kHalves, RotaryPairs::kInterleaved}) {
      const Rotary rotary({.size = size, .pairs = pairs});
      std::vector<float> got(heads.size());
      for (size_t row = 0; row < heads.size() / kHead; ++row)
        rotary.turn(heads.data() + row * kHead, cosine.data() + row * kHead / 2,
                    sine.data() + row * kHead / 2, kHead, got.data() + row * kHead);
      const char* name = pairs == RotaryPairs::kHalves ? "halves" : "interleaved";
      expect_near(got, run.numbers(fmt::format("turned.{}.{}", name, size)), 1e-6, 1e-6);
    }
}

TEST(Rotary, AListOfFactorsWithAMistakeIsNotKeptInPart) {
  const nlohmann::json rope = {
      {"rope_type", "longrope"}, {"factor", 2}, {"short_factor", {1, 2, 1e38, 1, 1, 1, 1, 1}}};
  Problems problems;
  const RotaryConfig config = read_rotary({{"rope_scaling", rope}}, problems);
  EXPECT_EQ(problems.all().size(), 1u);
  EXPECT_TRUE(config.factors.empty());
}

TEST(Rotary, RefusesWhatIsUnknownOrOutOfRange) {
  const auto refused = [](const nlohmann::json& rope, const Refusal& expected) {
    Problems problems;
    read_rotary({{"rope_scaling", rope}}, problems);
    ASSERT_EQ(problems.all().size(), 1u) << rope;
    expect_refused(expected, [&] { problems.throw_if_any(); });
  };
  refused({{"rope_type", "longrope"}, {"factor", 2}, {"short_factor", {1, 2}}},
          {kBad, "number of factors", "$.rope_scaling.short_factor", "2 factors", "8"});
  refused({{"type", "su"}}, {kNot, "scaled in this way", "$.rope_scaling.type", "su", "llama3"});
  refused({{"rope_type", "linear"}},
          {kBad, "key is missing", "$.rope_scaling", "no \"factor\"", ""});
  refused({{"rope_type", "linear"}, {"factor", 0}},
          {kBad, "not a number in range", "$.rope_scaling.factor", "0", ""});
  refused({{"rope_type", "llama3"}, {"factor", 2}, {"low_freq_factor", 4}, {"high_freq_factor", 4}},
          {kBad, "range of frequencies is empty", "high_freq_factor", "4", "above"});
  refused({{"rope_type", "linear"}, {"factor", 2}, {"partial_rotary_factor", 0.5}},
          {kNot, "a part of each head", "$.rope_scaling.partial_rotary_factor", "0.5", "1"});
}

}  // namespace
}  // namespace attn
