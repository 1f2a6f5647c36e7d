// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios: what a file gives, how they are written, and the shipped ones. Also how scenarios and
// models are found by name or path. Refused contents are in test_scenario_errors.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "backends/register_all.h"
#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "engine/session/scenario/scenario.h"
#include "engine/session/scenario/scenario_groups.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsSupersetOf;
namespace fs = std::filesystem;

// The options of backends are keys of scenarios, so the backends are registered first.
const bool kRegistered = (register_all_backends(), true);

const char* kSmallest =
    R"({"version": 1, "source": {"model": "m"}, "requests": [{"prompt": "Hi"}]})";

TEST(Scenario, SmallestFileGivesTheDefaults) {
  ASSERT_TRUE(kRegistered);
  const Scenario scenario = parse_scenario(kSmallest, "small.json");
  Scenario expected;
  expected.source.model = "m";
  expected.requests.resize(1);
  expected.requests[0].prompt = "Hi";
  EXPECT_EQ(scenario, expected);
  EXPECT_EQ(scenario.engine.backend, "torch_sdpa");
  EXPECT_EQ(scenario.engine.block_size, 16);
  EXPECT_EQ(scenario.requests[0].max_tokens, 32);
  EXPECT_EQ(scenario.view.color_map, "cividis");
}

TEST(Scenario, EveryKeyIsRead) {
  const Scenario scenario = parse_scenario(R"({
    "version": 1, "title": "T", "description": "two\nlines", "seed": 18446744073709551615,
    "source": {"synthetic": {"kind": "needle", "num_layers": 3, "num_heads": 6, "num_kv_heads": 3, "head_size": 80,
                             "max_model_len": 100, "period": 9, "needle_position": 99, "sharpness": 2.5}},
    "requests": [{"name": "a", "prompt": "", "prompt_tokens": 40, "max_tokens": 2, "temperature": 0.5, "top_k": 3,
                  "top_p": 0.25, "seed": 9}],
    "attention": {"type": "decoder", "sliding_window": 7, "logits_soft_cap": 30.5, "alibi": true,
                  "sinks": [0, -1.5, 2, 3, 4, 5],
                  "blocksparse": {"local_blocks": 2, "vert_stride": 3, "block_size": 4, "head_sliding_step": 5}},
    "engine": {"backend": "reference", "sdpa_kernel": "math", "block_size": 8, "num_blocks": 9,
               "max_num_batched_tokens": 10, "max_num_seqs": 11, "kv_cache_dtype": "int8",
               "k_scale": 0.5, "v_scale": 0.25, "k_head_scales": [1, 2, 3], "v_head_scales": [4, 5, 6],
               "pad_head_size": true, "use_captured_plan": true, "tpu": "v5p", "threads": 2,
               "clock": "virtual", "extended": true},
    "view": {"layer": 2, "head": 5, "pace_tiles_per_s": 12, "color_map": "magma", "scale": "log"}})",
                                           "all.json");
  EXPECT_EQ(scenario.title, "T");
  EXPECT_EQ(scenario.description, "two\nlines");
  EXPECT_EQ(scenario.seed, UINT64_MAX);
  ASSERT_TRUE(scenario.source.synthetic);
  const SyntheticSpec spec{.kind = SyntheticKind::kNeedle,
                           .num_layers = 3,
                           .num_heads = 6,
                           .num_kv_heads = 3,
                           .head_size = 80,
                           .max_model_len = 100,
                           .period = 9,
                           .needle_position = 99,
                           .sharpness = 2.5};
  EXPECT_EQ(*scenario.source.synthetic, spec);
  ASSERT_EQ(scenario.requests.size(), 1u);
  const SamplingParams sampling{.temperature = 0.5, .top_k = 3, .top_p = 0.25, .seed = 9};
  EXPECT_EQ(scenario.requests[0].sampling, sampling);
  EXPECT_EQ(scenario.requests[0].prompt_tokens, 40);
  EXPECT_EQ(scenario.requests[0].max_tokens, 2);
  const ScenarioAttention attention{
      .type = AttentionType::kDecoder,
      .sliding_window = 7,
      .logits_soft_cap = 30.5,
      .alibi = true,
      .sinks = {0, -1.5, 2, 3, 4, 5},
      .blocksparse = BlockSparse{
          .local_blocks = 2, .vert_stride = 3, .block_size = 4, .head_sliding_step = 5}};
  EXPECT_EQ(scenario.attention, attention);
  const ScenarioEngine engine{.backend = "reference",
                              .backend_options = {{"sdpa_kernel", "math"}, {"tpu", "v5p"}},
                              .block_size = 8,
                              .num_blocks = 9,
                              .max_num_batched_tokens = 10,
                              .max_num_seqs = 11,
                              .kv_cache_dtype = "int8",
                              .k_scale = 0.5,
                              .v_scale = 0.25,
                              .k_head_scales = {1, 2, 3},
                              .v_head_scales = {4, 5, 6},
                              .pad_head_size = true,
                              .use_captured_plan = true,
                              .threads = 2,
                              .clock = ClockKind::kVirtual,
                              .extended = true};
  EXPECT_EQ(scenario.engine, engine);
  const ScenarioView view{
      .layer = 2, .head = 5, .pace_tiles_per_s = 12, .color_map = "magma", .scale = "log"};
  EXPECT_EQ(scenario.view, view);
}

TEST(Scenario, CanonicalJsonHasEveryKeyInOrder) {
  EXPECT_EQ(to_json(parse_scenario(kSmallest, "small.json")), R"({
  "version": 1,
  "title": "",
  "description": "",
  "seed": 0,
  "source": {
    "model": "m"
  },
  "requests": [
    {
      "name": "",
      "prompt": "Hi",
      "prompt_tokens": 0,
      "encoder_tokens": 0,
      "max_tokens": 32,
      "temperature": 0.0,
      "top_k": 0,
      "top_p": 1.0,
      "seed": 0,
      "n": 1,
      "beam_width": 1,
      "length_penalty": 1.0,
      "early_stopping": false,
      "priority": 0,
      "arrival_s": 0.0
    }
  ],
  "arrivals": {
    "kind": "all_at_once",
    "rate_per_s": 1.0
  },
  "attention": {
    "type": "decoder",
    "sliding_window": 0,
    "logits_soft_cap": 0.0,
    "alibi": false,
    "sinks": []
  },
  "engine": {
    "backend": "torch_sdpa",
    "sdpa_kernel": "auto",
    "exactness": "invariant",
    "block_size": 16,
    "num_blocks": 64,
    "max_num_batched_tokens": 2048,
    "max_num_seqs": 16,
    "policy": "prefill_first",
    "preemption": "recompute",
    "num_swap_blocks": 0,
    "enable_prefix_caching": false,
    "watermark": 0.0,
    "kv_cache_dtype": "auto",
    "k_scale": 1.0,
    "v_scale": 1.0,
    "k_head_scales": [],
    "v_head_scales": [],
    "pad_head_size": false,
    "use_captured_plan": false,
    "tpu": "v4",
    "threads": 0,
    "clock": "real",
    "extended": false
  },
  "view": {
    "layer": 0,
    "head": 0,
    "pace_tiles_per_s": 0.0,
    "color_map": "cividis",
    "scale": "linear"
  }
}
)");
}

std::string random_text(Rng& rng, size_t most) {
  static const char* kPieces[] = {"a",  "Z",  " ",         "é",    "漢", "🙂",
                                  "\"", "\\", "</script>", "=1+1", "%s", "{}"};
  std::string text = "x";
  for (size_t i = rng.below(most); i > 0; --i) text += kPieces[rng.below(std::size(kPieces))];
  return text;
}

template <class T>
T pick(Rng& rng, std::initializer_list<T> choices) {
  return choices.begin()[rng.below(choices.size())];
}

BackendOptions some_options(Rng& rng) {
  BackendOptions chosen;
  for (const BackendOption& option : backend_options())
    choose(chosen, option, option.values[rng.below(option.values.size())]);
  return chosen;
}

Scenario random_scenario(uint64_t seed) {
  Rng rng(seed);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng.below(static_cast<uint64_t>(high - low + 1)));
  };
  Scenario s;
  s.title = random_text(rng, 12);
  s.description = random_text(rng, 40) + "\n\t";
  s.seed = rng.next();
  const bool synthetic = rng.below(2);
  if (synthetic) {
    SyntheticSpec& spec = s.source.synthetic.emplace();
    spec.kind = static_cast<SyntheticKind>(rng.below(4));
    spec.num_kv_heads = between(1, 8);
    spec.num_heads = spec.num_kv_heads * between(1, 8);
    spec.num_layers = between(1, 254);
    spec.head_size = between(1, 1024);
    spec.max_model_len = between(2, 1048576);
    spec.period = between(1, 1048576);
    spec.needle_position = between(0, spec.max_model_len - 1);
    spec.sharpness = rng.uniform() * 100;
  } else {
    s.source.model = random_text(rng, 10);
  }
  s.requests.resize(1 + rng.below(4));
  for (ScenarioRequest& request : s.requests) {
    request.name = random_text(rng, 8);
    if (synthetic) request.prompt_tokens = between(1, 1048576);
    if (!synthetic) request.prompt = random_text(rng, 30) + "\r\n";
    request.max_tokens = between(1, 1048576);
    request.sampling = {.temperature = rng.uniform() * 100,
                        .top_k = between(0, 1048576),
                        .top_p = 1 - rng.uniform(),
                        .seed = rng.next()};
  }
  s.attention.sliding_window = between(0, 1) * between(1, 1048576);
  if (rng.below(2)) s.attention.logits_soft_cap = 0.001 + rng.uniform() * 1e3;
  s.attention.alibi = synthetic && rng.below(2);
  if (synthetic && rng.below(3) == 0) {
    s.attention.type = AttentionType::kEncoderOnly;
    for (ScenarioRequest& request : s.requests) request.max_tokens = 1;
  }
  if (synthetic && s.attention.type == AttentionType::kDecoder && !s.attention.alibi &&
      s.attention.sliding_window == 0) {
    s.attention.type = AttentionType::kEncoderDecoder;
    if (rng.below(2)) s.source.synthetic->kind = SyntheticKind::kAlignment;
    for (ScenarioRequest& request : s.requests)
      request.encoder_tokens = between(1, s.source.synthetic->max_model_len);
  }
  if (s.attention.type != AttentionType::kEncoderDecoder && rng.below(2))
    s.attention.blocksparse = BlockSparse{.local_blocks = between(1, 1048576),
                                          .vert_stride = between(1, 1048576),
                                          .block_size = between(1, 1048576),
                                          .head_sliding_step = between(0, 1048576)};
  if (const uint64_t sinks = rng.below(3); sinks > 0) {
    const int64_t heads = sinks == 2 && synthetic ? s.source.synthetic->num_heads : 1;
    for (int64_t head = 0; head < heads; ++head)
      s.attention.sinks.push_back(rng.uniform() * 2000 - 1000);
  }
  s.engine = {.backend = "torch_sdpa",
              .backend_options = some_options(rng),
              .block_size = between(1, 256),
              .num_blocks = between(1, 1048576),
              .max_num_batched_tokens = between(1, 1048576),
              .max_num_seqs = between(1, 4096),
              .kv_cache_dtype = pick<std::string>(
                  rng, {"auto", "f32", "bf16", "f16", "fp8", "fp8_e4m3", "fp8_e5m2", "int8"}),
              .k_head_scales = {},
              .v_head_scales = {},
              .pad_head_size = rng.below(2) == 1,
              .use_captured_plan = rng.below(2) == 1,
              .threads = between(0, 254),
              .clock = static_cast<ClockKind>(rng.below(2)),
              .extended = rng.below(2) == 1};
  const bool int8 = s.engine.kv_cache_dtype == "int8";
  if (int8 || s.engine.kv_cache_dtype.starts_with("fp8")) {
    s.engine.k_scale = 1e-3 + rng.uniform();
    s.engine.v_scale = 1e3 * (1 - rng.uniform());
  }
  if (int8 && synthetic)
    for (int64_t head = 0; head < s.source.synthetic->num_kv_heads; ++head)
      s.engine.k_head_scales.push_back(1 - rng.uniform());
  s.view = {.layer = synthetic ? between(0, s.source.synthetic->num_layers - 1) : between(0, 253),
            .head = synthetic ? between(0, s.source.synthetic->num_heads - 1) : between(0, 254),
            .pace_tiles_per_s = rng.uniform() * 1e6,
            .color_map = pick<std::string>(rng, {"cividis", "viridis", "magma", "grey"}),
            .scale = pick<std::string>(rng, {"linear", "log"})};
  return s;
}

TEST(Scenario, WhatIsWrittenReadsBackEqual) {
  std::set<std::string> hashes;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Scenario scenario = random_scenario(seed);
    ASSERT_NO_THROW(validate(scenario));
    const std::string json = to_json(scenario);
    const Scenario again = parse_scenario(json, "again.json");
    ASSERT_EQ(again, scenario) << json;
    ASSERT_EQ(to_json(again), json);
    ASSERT_EQ(scenario_hash(again), scenario_hash(scenario));
    hashes.insert(scenario_hash(scenario));
  }
  EXPECT_EQ(hashes.size(), 300u);
}

TEST(Scenario, HashIsOfTheContentNotOfTheText) {
  const Scenario plain = parse_scenario(kSmallest, "a.json");
  const Scenario reordered = parse_scenario(
      "{\"requests\":[{\"max_tokens\":32,\"prompt\":\"Hi\"}],\n\"source\":{\"model\":\"m\"},"
      "\"seed\":0,\"version\":1}",
      "b.json");
  EXPECT_EQ(scenario_hash(plain), scenario_hash(reordered));
  // What `xxhsum -H64` prints of the canonical text above.
  EXPECT_EQ(scenario_hash(plain), "4bf9b5e7527bf28c");
  Scenario other = plain;
  other.requests[0].prompt = "Hj";
  EXPECT_NE(scenario_hash(other), scenario_hash(plain));
}

TEST(Scenario, WritingNeverThrowsEvenOnTextThatIsNotUtf8) {
  Scenario scenario = parse_scenario(kSmallest, "a.json");
  scenario.requests[0].prompt = "\xff\xfe";
  EXPECT_NO_THROW(to_json(scenario));
  EXPECT_THROW(validate(scenario), Error);
}

// The 2 layers of the source make 4 attention calls.
TEST(Scenario, TheViewBeginsWithAnyAttentionCallOfAnEncoderDecoder) {
  Scenario scenario = load_scenario(find_scenario("encoder-decoder"));
  ASSERT_EQ(scenario.source.synthetic->num_layers, 2);
  scenario.view.layer = 3;
  EXPECT_NO_THROW(validate(scenario));
  scenario.view.layer = 4;
  EXPECT_THROW(validate(scenario), Error);
}

TEST(SyntheticKind, NamesGoBothWays) {
  for (const char* name :
       {"random", "local", "induction", "needle", "alignment", "alternating", "encoder_decoder"}) {
    ASSERT_TRUE(synthetic_kind_from_name(name));
    EXPECT_EQ(name_of(*synthetic_kind_from_name(name)), name);
  }
  EXPECT_FALSE(synthetic_kind_from_name("Random"));
  EXPECT_FALSE(synthetic_kind_from_name(""));
}

// --- Shipped scenarios ---

TEST(ShippedScenarios, FirstLookComesFirst) {
  const std::vector<std::string> names = shipped_scenarios();
  ASSERT_GE(names.size(), 5u);
  EXPECT_EQ(names[0], "first-look");
  EXPECT_EQ(names[1], "long-prompt");
  EXPECT_EQ(names[2], "many-users");
  EXPECT_THAT(names, IsSupersetOf({"alibi", "alternating-layers", "cross-attention", "encoder",
                                   "grouped-query", "sliding-window", "synthetic-induction",
                                   "synthetic-needle"}));
}

TEST(ShippedScenarios, EachIsInOneGroup) {
  std::vector<std::string> names;
  for (const ScenarioGroup& group : scenario_groups()) {
    EXPECT_NE(group.title, "More") << "the table of groups does not name " << group.scenarios[0];
    names.insert(names.end(), group.scenarios.begin(), group.scenarios.end());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(shipped_scenarios()));
  EXPECT_EQ(names[0], "first-look");
}

TEST(ShippedModels, TheOneOfFirstLookComesFirst) {
  EXPECT_EQ(shipped_models(),
            (std::vector<std::string>{"tinystories-gqa", "cloze-encoder", "dates-encdec"}));
}

TEST(OwnPrompts, GetANameOfTheirOwn) {
  const Scenario opened = load_scenario(find_scenario("many-users"));
  Scenario scenario = opened;
  scenario.requests[0].prompt = "The cat sat.";
  scenario.requests[2].prompt = "A dog ran.";
  name_own_prompts(scenario, opened);
  EXPECT_EQ(scenario.requests[0].name, "Own prompt");
  EXPECT_EQ(scenario.requests[1].name, opened.requests[1].name);
  EXPECT_EQ(scenario.requests[2].name, "Own prompt 2");
  scenario.requests[0].prompt = opened.requests[0].prompt;
  name_own_prompts(scenario, opened);
  EXPECT_EQ(scenario.requests[0].name, opened.requests[0].name);
  scenario.requests[1].name = "mine";
  scenario.requests[1].prompt = "Once.";
  name_own_prompts(scenario, opened);
  EXPECT_EQ(scenario.requests[1].name, "mine");
  Scenario reopened = opened;
  reopened.requests[0].name = "Own prompt";
  scenario = reopened;
  scenario.requests[0].prompt = "Twice.";
  name_own_prompts(scenario, reopened);
  EXPECT_EQ(scenario.requests[0].name, "Own prompt");
}

TEST(ShippedScenarios, AllLoadAndAreCanonical) {
  for (const std::string& name : shipped_scenarios()) {
    SCOPED_TRACE(name);
    const fs::path file = find_scenario(name);
    const Scenario scenario = load_scenario(file);
    EXPECT_FALSE(scenario.title.empty());
    EXPECT_FALSE(scenario.description.empty());
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(text, to_json(scenario)) << "shipped files are written in the canonical form";
    if (!scenario.source.model.empty()) {
      EXPECT_NO_THROW(find_model(scenario.source.model));
    }
  }
}

TEST(ShippedScenarios, EveryKeyIsInTheFormatManual) {
  std::ifstream in(fs::path(ATTN_SOURCE_DIR) / "docs/formats.md");
  const std::string manual{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  ASSERT_FALSE(manual.empty());
  Scenario scenario;
  scenario.requests.resize(1);
  scenario.attention.blocksparse.emplace();
  const auto with_model = nlohmann::json::parse(to_json(scenario));
  scenario.source.synthetic.emplace();
  const auto with_synthetic = nlohmann::json::parse(to_json(scenario));
  std::vector<std::string> keys;
  for (const auto* node : {&with_model, &with_model["source"], &with_synthetic["source"],
                           &with_synthetic["source"]["synthetic"], &with_model["requests"][0],
                           &with_model["attention"], &with_model["attention"]["blocksparse"],
                           &with_model["engine"], &with_model["view"]}) {
    for (const auto& [key, value] : node->items()) keys.push_back(key);
  }
  EXPECT_GE(keys.size(), 40u);
  for (const std::string& key : keys) EXPECT_THAT(manual, HasSubstr("`" + key + "`"));
}

TEST(FindScenario, ByNameAndByFile) {
  const fs::path file = find_scenario("first-look");
  EXPECT_EQ(file.filename(), "first-look.json");
  EXPECT_EQ(find_scenario(file.string()), file);
  EXPECT_TRUE(fs::exists(assets_folder() / "scenarios"));
}

TEST(FindScenario, NamesNeverBecomePaths) {
  for (const char* name :
       {"../scenarios/first-look", "first-look/", "", ".", "/", "first-look.json/x"}) {
    EXPECT_THROW(find_scenario(name), Error) << name;
  }
}

TEST(FindScenario, UnknownNameListsWhatThereIs) {
  try {
    find_scenario("first-lok");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.parts().found, "\"first-lok\"");
    EXPECT_THAT(error.parts().allowed, HasSubstr("first-look, long-prompt, many-users"));
    EXPECT_EQ(error.parts().advice, "Did you mean `first-look`?");
  }
}

TEST(FindScenario, APathSaysWhatIsThere) {
  const auto parts_of = [](const std::string& path) {
    try {
      find_scenario(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      return error.parts();
    }
    return ErrorParts{};
  };
  const ErrorParts missing = parts_of("lessons/first-lok.attn.json");
  EXPECT_EQ(missing.what, "the file of the scenario is missing");
  EXPECT_EQ(missing.where, "lessons/first-lok.attn.json");
  EXPECT_EQ(missing.advice, "Did you mean `first-look`?");
  EXPECT_THAT(missing.allowed, HasSubstr("first-look, long-prompt, many-users"));
  EXPECT_EQ(parts_of("first-look.json").advice, "Did you mean `first-look`?");
  const std::string folder = fs::temp_directory_path().string();
  EXPECT_EQ(parts_of(folder).what, "a folder is not a scenario");
  EXPECT_EQ(parts_of(folder).where, folder);
}

TEST(FindModel, APathSaysWhatIsThere) {
  const std::string file = find_scenario("first-look").string();
  try {
    find_model(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().what, "a file is not a model");
    EXPECT_EQ(error.parts().where, file);
  }
}

TEST(FindModel, UnknownNameListsWhatThereIs) {
  try {
    find_model("tinystory-gqa");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_THAT(error.parts().allowed, HasSubstr("a folder with config.json, or a GGUF file"));
  }
  EXPECT_THROW(find_model(""), Error);
  EXPECT_THROW(find_model(find_scenario("first-look").string()), Error);  // is no model
  EXPECT_EQ(find_model(fs::temp_directory_path().string()), fs::temp_directory_path());
}

TEST(AssetsFolder, FollowsTheEnvironment) {
  const fs::path folder = fs::temp_directory_path() / ("attn-assets-" + std::to_string(getpid()));
  fs::create_directories(folder / "scenarios");
  fs::create_directories(folder / "models/tiny");
  std::ofstream(folder / "scenarios/zebra.json") << kSmallest;
  std::ofstream(folder / "scenarios/ant.json") << kSmallest;
  std::ofstream(folder / "scenarios/notes.txt") << "no";
  std::ofstream(folder / "models/tiny/config.json") << "{}";
  setenv("ATTN_ASSETS", folder.c_str(), 1);
  EXPECT_EQ(assets_folder(), folder);
  EXPECT_THAT(shipped_scenarios(), ElementsAre("ant", "zebra"));
  EXPECT_EQ(find_scenario("zebra"), folder / "scenarios/zebra.json");
  EXPECT_EQ(find_model("tiny"), folder / "models/tiny");
  setenv("ATTN_ASSETS", (folder / "nothing").c_str(), 1);
  EXPECT_THROW(assets_folder(), Error);
  unsetenv("ATTN_ASSETS");
  fs::remove_all(folder);
}

TEST(LoadScenario, RefusesWhatIsNotAPlainFile) {
  const auto refusal = [](const fs::path& file) {
    try {
      load_scenario(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      EXPECT_EQ(error.parts().where, file.string());
      return error.parts().found;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("no/such/file.json"), "nothing there");
  EXPECT_EQ(refusal(fs::temp_directory_path()), "a folder");
  EXPECT_EQ(refusal("/dev/zero"), "a device");
  const fs::path huge =
      fs::temp_directory_path() / ("attn-huge-" + std::to_string(getpid()) + ".json");
  std::ofstream(huge) << kSmallest;
  fs::resize_file(huge, uintmax_t{1} << 30);  // a sparse file
  EXPECT_EQ(refusal(huge), "1073741824 bytes");
  fs::remove(huge);
}

TEST(LoadScenario, ErrorsNameTheFile) {
  const fs::path file =
      fs::temp_directory_path() / ("attn-bad-" + std::to_string(getpid()) + ".json");
  std::ofstream(file)
      << R"({"version": 1, "source": {"model": "m"}, "requests": [{"prompt": "Hi"}], "engin": {}})";
  try {
    load_scenario(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.parts().where, file.string() + ", $.engin");
    EXPECT_EQ(error.parts().advice, "Did you mean `engine`?");
  }
  fs::remove(file);
}

}  // namespace
}  // namespace attn
