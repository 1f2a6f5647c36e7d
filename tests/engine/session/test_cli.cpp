// SPDX-License-Identifier: GPL-3.0-or-later
// The program `attn`: what commands print and write, what they refuse, and their exit codes. Also
// `attn op` compared with torch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "engine/core/files/json.h"
#include "engine/core/files/whole_file.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/report/report.h"
#include "tests/engine/session/attn_program.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using testing::HasSubstr;

using test::attn_program;
using test::read_file;
using Result = test::ProgramResult;

const std::string kRoot = ATTN_SOURCE_DIR;
const std::string kModel = kRoot + "/assets/models/tinystories-gqa";

TEST(Cli, HelpAndVersion) {
  EXPECT_EQ(attn_program({"--version"}).code, 0);
  EXPECT_THAT(attn_program({"--help"}).out, HasSubstr("generate"));
  EXPECT_EQ(attn_program({}).code, 2);
  for (const char* command : {"op", "generate", "run", "backends", "inspect"}) {
    const Result result = attn_program({command, "--help"});
    EXPECT_EQ(result.code, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("Usage: attn " + std::string(command)));
  }
}

TEST(Cli, TheHelpOfBenchNeedsNoOtherProgram) {
  const test::TemporaryFolder folder;
  const std::filesystem::path alone = folder.path() / "attn", out = folder.path() / "out";
  std::filesystem::copy_file(ATTN_PROGRAM, alone);
  EXPECT_EQ(
      std::system((test::shell_quote(alone) + " bench --help >" + test::shell_quote(out)).c_str()),
      0);
  EXPECT_THAT(read_file(out), HasSubstr("Usage: attn bench"));
}

TEST(Cli, AnIgnoredRequestIsToldOnStderr) {
  const test::TemporaryFolder folder;
  Scenario scenario = test::synthetic_scenario({8, 40}, 2);
  scenario.requests[1].name = "Long";
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 3;
  write_file_atomically(folder.path() / "scenario.json", to_json(scenario));
  const Result result = attn_program({"run", folder.path() / "scenario.json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("attn: Long was ignored, nothing of it was computed: The prompt"));
}

TEST(Cli, WrongWordsAreBadInputWithANearMatch) {
  Result result = attn_program({"generat"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("generate"));
  result = attn_program({"generate", "--modle", kModel});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--model"));
  EXPECT_EQ(
      attn_program({"generate", "--model", kModel, "--prompt", "x", "--max-tokens", "0"}).code, 2);
  EXPECT_EQ(
      attn_program({"generate", "--model", kModel, "--prompt", "x", "--max-tokens", "ten"}).code,
      2);
  EXPECT_EQ(attn_program({"generate", "--model", kModel, "--prompt"}).code, 2);
  EXPECT_EQ(attn_program({"generate", "--model", kModel}).code, 2);
  EXPECT_EQ(
      attn_program({"generate", "--model", kModel, "--prompt", "x", "--greedy", "--seed", "1"})
          .code,
      2);
  EXPECT_EQ(attn_program({"generate", "--model", "/no/such/model", "--prompt", "x"}).code, 2);
  EXPECT_EQ(
      attn_program({"generate", "--model", kModel, "--prompt", "x", "--backend", "torch_spda"})
          .code,
      2);
  EXPECT_EQ(attn_program({"run"}).code, 2);
  EXPECT_EQ(attn_program({"run", "a", "b"}).code, 2);
  EXPECT_EQ(attn_program({"run", "no-such-scenario"}).code, 2);
  EXPECT_EQ(attn_program({"backends", "--greedy"}).code, 2);
  EXPECT_EQ(attn_program({"inspect", kRoot + "/README-none"}).code, 2);
}

TEST(Cli, UnknownWordsBesideHelpAndVersionAreRefused) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--version", "--foo"},
                                                {"--help", "--foo"},
                                                {"generate", "--help", "--foo"},
                                                {"generate", "--foo", "--help"}}) {
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, 2) << words[0];
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--foo"));
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"generate", "--help", "--model", "-x"},
        {"generate", "--model", "--help"},
        {"run", "-h"}})
    EXPECT_EQ(attn_program(words).code, 0);
}

TEST(Cli, AWrongNameIsHeldAgainstModelsAndScenarios) {
  EXPECT_THAT(attn_program({"inspect", "tinystories-gq"}).err,
              HasSubstr("Did you mean the model `tinystories-gqa`?"));
  EXPECT_THAT(attn_program({"inspect", "first-lok"}).err,
              HasSubstr("Did you mean the scenario `first-look`?"));
}

TEST(Cli, WhatIsNoScenarioIsCalledByItsName) {
  const test::TemporaryFolder folder;
  const std::string session = folder.path() / "a.attn-session";
  for (const auto& [file, says] : {std::pair{"tokenizer.json", "found a tokenizer"},
                                   std::pair{"config.json", "found a model's config.json"}}) {
    const std::filesystem::path alone = folder.path() / (std::string("my-") + file);
    std::filesystem::copy_file(kModel + "/" + file, alone);
    const Result result = attn_program({"run", alone.string()});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(says));
  }
  const Result result = attn_program({"compare", session, "--backends", "reference,unified"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("a session file is not a scenario"));
}

TEST(Cli, LimitsSaidAreTheLimits) {
  const auto refusal = [](const std::string& top_k) {
    return attn_program({"generate", "--model", kModel, "--prompt", "x", "--top-k", top_k}).err;
  };
  EXPECT_THAT(refusal("-1"), HasSubstr("0 to the size of the model's vocabulary"));
  EXPECT_THAT(refusal("4673"), HasSubstr("attn generate --top-k: found `4673`, allowed a whole "
                                         "number from 0 to 4672"));
  std::string prompt;
  for (int i = 0; i < 600; ++i) prompt += "a b ";
  EXPECT_THAT(attn_program({"generate", "--model", kModel, "--prompt", prompt}).err,
              HasSubstr("at most 511 tokens, so that one can follow. Shorten the prompt"));
  EXPECT_THAT(attn_program({"compare", "first-look", "--backends", ""}).err,
              HasSubstr("the value is empty at attn compare --backends: found ''"));
}

TEST(Cli, AComparisonTakesAPromptOfItsOwn) {
  const auto compared = [](const std::string& scenario, const std::string& prompt) {
    return attn_program({"compare", scenario, "--backends", "reference,unified", "--clock",
                         "virtual", "--steps", "1", "--prompt", prompt});
  };
  Result result = compared("first-look", "The cat sat.");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 step, 5 tokens,"));  // 15 with the scenario's prompt
  std::string text;
  for (int i = 0; i < 600; ++i) text += "a b ";
  for (const auto& [scenario, prompt, says] :
       {std::tuple{"first-look", text, "the prompt cannot run at --prompt"},
        {"first-look", "\xff", "the prompt is not valid UTF-8 at --prompt"},
        {"synthetic-needle", "Hi", "reads no text at --prompt"}}) {
    result = compared(scenario, prompt);
    EXPECT_EQ(result.code, 2) << says;
    EXPECT_THAT(result.err, HasSubstr(says));
  }
}

TEST(Cli, ARunTakesAPromptOfItsOwn) {
  const test::TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out",
                              session = folder.path() / "a.attn-session";
  const auto run = [&](const std::string& scenario, const std::string& prompt) {
    return attn_program(
        {"run", scenario, "--clock", "virtual", "--export", out, "--prompt", prompt});
  };
  std::string text;
  for (int i = 0; i < 600; ++i) text += "a b ";
  for (const auto& [scenario, prompt, says] :
       {std::tuple{"first-look", text, "the prompt cannot run at --prompt"},
        {"first-look", "\xff", "the prompt is not valid UTF-8 at --prompt"},
        {"synthetic-needle", "Hi", "reads no text at --prompt"}}) {
    const Result result = run(scenario, prompt);
    EXPECT_EQ(result.code, 2) << says;
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_FALSE(std::filesystem::exists(out)) << says;
  }
  Result result = run("first-look", "The cat sat.");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string requests = read_file(out / "requests.csv");
  EXPECT_THAT(requests, HasSubstr("The cat sat."));
  EXPECT_THAT(requests, HasSubstr("Own prompt"));
  EXPECT_THAT(requests, testing::Not(HasSubstr("Once upon a time")));
  const std::filesystem::path many = folder.path() / "many";
  result = attn_program(
      {"run", "many-users", "--clock", "virtual", "--export", many, "--prompt", "The cat sat."});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(read_file(many / "requests.csv"), HasSubstr("Tom and his dog"));  // the second one
  EXPECT_EQ(attn_program({"run", "first-look", "--clock", "virtual", "--session", session}).code,
            0);
  result = attn_program({"run", session, "--prompt", "The cat sat."});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("needs a new run"));
  EXPECT_THAT(attn_program({"run", "--help"}).out, HasSubstr("--prompt TEXT"));
}

TEST(Cli, LinksInACircleAreTheInputsOwn) {
  const test::TemporaryFolder folder;
  const std::filesystem::path link = folder.path() / "round.safetensors";
  std::filesystem::create_symlink(link, link);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"op", "--in", link, "--out", folder.path() / "out.st"},
        {"inspect", link},
        {"run", link}}) {
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("file cannot be opened at " + link.string() +
                                      ": found symbolic links that lead in a circle"));
  }
}

TEST(Cli, ValuesAreNotEmpty) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "first-look", "--export", ""},
        {"compare", "first-look", "--backends", "reference,unified", "--csv="},
        {"op", "--in", "a", "--out", ""},
        {"generate", "--model", kModel, "--prompt", "x", "--dump", ""}}) {
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("the value is empty at attn " + words[0] + " --"));
  }
}

TEST(Cli, AStderrThatTakesNothingChangesNoExitCode) {
  EXPECT_EQ(std::system((test::shell_quote(ATTN_PROGRAM) + " foo 2>/dev/full").c_str()), 2 << 8);
  EXPECT_EQ(std::system((test::shell_quote(ATTN_PROGRAM) + " foo 2>&-").c_str()), 2 << 8);
}

TEST(Cli, AModelIsLookedForInTheScenariosFolder) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory_symlink(kModel, folder.path() / "mine");
  Scenario scenario = test::model_scenario({"One day"}, 1);
  scenario.source.model = "./mine";
  write_file_atomically(folder.path() / "scenario.json", to_json(scenario));
  const Result result = attn_program({"run", folder.path() / "scenario.json"});
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST(Cli, OutputsDoNotReplaceTheirInput) {
  const test::TemporaryFolder folder;
  const std::string prompt = folder.path() / "prompt.txt",
                    scenario = folder.path() / "scenario.json",
                    json = to_json(test::synthetic_scenario({8}, 2));
  write_file_atomically(prompt, "One day");
  write_file_atomically(scenario, json);
  Result result =
      attn_program({"generate", "--model", kModel, "--prompt-file", prompt, "--dump", prompt});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--dump and --prompt-file name the same file"));
  EXPECT_EQ(read_file(prompt), "One day");
  result = attn_program({"compare", scenario, "--backends", "reference,unified", "--csv",
                         folder.path() / "." / "scenario.json"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--csv would replace an input file"));
  EXPECT_EQ(read_file(scenario), json);
  result = attn_program({"run", scenario, "--export", folder.path()});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--export could replace an input file"));
  EXPECT_EQ(read_file(scenario), json);
  const std::filesystem::path model = folder.path() / "model";
  std::filesystem::copy(kModel, model);
  const std::string config = read_file(model / "config.json");
  result = attn_program({"generate", "--model", model, "--prompt", "x", "--max-tokens", "1",
                         "--dump", model / "config.json"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--dump would replace an input file"));
  EXPECT_EQ(read_file(model / "config.json"), config);
}

TEST(Cli, RunIsRefusedFirstWhereItsReportCannotBeWritten) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "taken").string();
  write_file_atomically(file, "x");
  const Result result = attn_program({"run", "first-look", "--export", file + "/report"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(file + "/report"));
}

TEST(Cli, OutputsThatCannotBeWrittenAreRefusedFirst) {
  const test::TemporaryFolder folder;
  const std::filesystem::path taken = folder.path() / "taken.attn-session";
  std::filesystem::create_directory(taken);
  const auto refused = [](const std::vector<std::string>& words, int code, const char* says) {
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
  };
  const std::vector<std::string> generate = {"generate", "--model", kModel,
                                             "--prompt", "x",       "--dump"};
  const auto dump = [&](const std::filesystem::path& file) {
    std::vector<std::string> words = generate;
    words.push_back(file);
    return words;
  };
  refused(dump(folder.path() / "no" / "x"), 1, "Make it first");
  refused(dump(folder.path()), 2, "found a folder");
  refused({"run", "first-look", "--session", taken}, 2, "found a folder");
}

TEST(Cli, ARunThatDoesNotFitInMemoryIsBadInput) {
  const test::TemporaryFolder folder;
  Scenario scenario = test::synthetic_scenario({8}, 2);
  scenario.source.synthetic->num_layers = 64;
  scenario.source.synthetic->head_size = 256;
  scenario.source.synthetic->num_heads = scenario.source.synthetic->num_kv_heads = 64;
  scenario.engine.num_blocks = 1048576;
  write_file_atomically(folder.path() / "large.json", to_json(scenario));
  const Result result = attn_program({"run", (folder.path() / "large.json").string()});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("does not fit in memory"));
}

TEST(Cli, GenerateGreedyGivesTheGoldenText) {
  const auto golden = SafetensorsFile::open(kRoot + "/tests/golden/llama/lily.safetensors");
  const Result result =
      attn_program({"generate", "--model", kModel, "--prompt", golden.metadata().at("prompt"),
                    "--max-tokens", "40", "--greedy"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            golden.metadata().at("prompt") + golden.metadata().at("generated_text") + "\n");
  const Tensor ids = golden.read("generated_ids");
  std::string expected;
  for (int64_t i = 0; i < ids.size(); ++i)
    expected += (i ? " " : "") + std::to_string(ids.data<int32_t>()[i]);
  EXPECT_EQ(
      attn_program({"generate", "--model", kModel, "--prompt", golden.metadata().at("prompt"),
                    "--max-tokens", "40", "--greedy", "--ids", "--block-size=5", "--threads=1"})
          .out,
      expected + "\n");
}

TEST(Cli, SamplingRepeatsWithItsSeed) {
  const auto run = [](const std::string& seed) {
    return attn_program({"generate", "--model", kModel, "--prompt", "One day", "--max-tokens", "24",
                         "--temperature", "1.5", "--top-k", "50", "--top-p", "0.95", "--seed", seed,
                         "--ids"});
  };
  const auto sample = [&](const std::string& seed) {
    const Result result = run(seed);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(sample("7"), sample("7"));
  EXPECT_NE(sample("7"), sample("8"));
}

TEST(Cli, PromptsThatCannotRunAreRefusedFirst) {
  const test::TemporaryFolder folder;
  const auto expect_refused = [](const std::vector<std::string>& prompt, const char* word) {
    std::vector<std::string> words = {"generate", "--model", kModel, "--max-tokens", "1"};
    words.insert(words.end(), prompt.begin(), prompt.end());
    const Result result = attn_program(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(word));
    EXPECT_EQ(result.out, "");
  };
  expect_refused({"--prompt", ""}, "the value is empty at attn generate --prompt");
  expect_refused({"--prompt", "a\xff"}, "UTF-8");
  expect_refused({"--prompt-file", folder.path()}, "a folder");
  expect_refused({"--prompt-file", folder.path() / "none"}, "nothing there");
  expect_refused({"--prompt-file", std::string(5000, 'x')}, "too long");
  expect_refused({"--prompt-file", "/dev/zero"}, "a device");
  write_file_atomically(folder.path() / "large", std::string((1 << 20) + 1, 'a'));
  expect_refused({"--prompt-file", folder.path() / "large"}, "allowed 1048576 bytes at most");
}

TEST(Cli, DumpHoldsLogitsIdsAndWeights) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "dump.safetensors";
  const Result result = attn_program(
      {"generate", "--model", kModel, "--prompt", "Tom ran.", "--max-tokens", "5", "--dump", file});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto dump = SafetensorsFile::open(file);
  const Tensor ids = dump.read("generated_ids"), prompt = dump.read("prompt_ids"),
               logits = dump.read("logits");
  ASSERT_EQ(ids.size(), 5);
  EXPECT_EQ(ids.dtype(), DType::kI32);
  EXPECT_EQ(logits.shape(), (Shape{5, 4672}));
  for (int64_t i = 0; i < 5; ++i) {
    const auto row = logits.data<float>() + i * 4672;
    EXPECT_EQ(std::max_element(row, row + 4672) - row, ids.data<int32_t>()[i]);
  }
  const int64_t rows = prompt.size() + 4;
  for (int layer = 0; layer < 6; ++layer) {
    const Tensor weights = dump.read("weights." + std::to_string(layer));
    ASSERT_EQ(weights.shape(), (Shape{6, rows, rows}));
    for (int64_t row = 0; row < 6 * rows; ++row) {
      double sum = 0;
      for (int64_t k = 0; k < rows; ++k) sum += weights.data<float>()[row * rows + k];
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
}

TEST(Cli, RunWritesTheSameReportTwice) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    const Result result =
        attn_program({"run", "first-look", "--export", folder.path() / name, "--clock", "virtual"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("modelled"));
  }
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "a")) {
    ++files;
    EXPECT_EQ(read_file(entry.path()), read_file(folder.path() / "b" / entry.path().filename()))
        << entry.path();
  }
  EXPECT_GE(files, 9u);
}

TEST(Cli, RunTakesAnotherBackend) {
  const test::TemporaryFolder folder;
  Result result = attn_program({"run", "synthetic-needle", "--backend", "UNIFIED", "--export",
                                folder.path() / "out", "--clock", "virtual"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(read_file(folder.path() / "out/kernels.csv"), HasSubstr("unified_decode"));
  EXPECT_THAT(read_file(folder.path() / "out/scenario.json"),
              HasSubstr("\"backend\": \"unified\""));
  const auto told = HasSubstr("has no option tpu: v5e changes nothing here.");
  EXPECT_THAT(attn_program({"run", "synthetic-needle", "--tpu", "v5e"}).err, told);
  EXPECT_THAT(attn_program({"run", "pallas-padded", "--tpu", "v5e"}).err, testing::Not(told));
  result = attn_program({"run", "synthetic-needle", "--backend", "pallas"});
  EXPECT_EQ(result.code, 3);  // its heads have 64 elements
  result = attn_program({"run", "synthetic-needle", "--backend", "palas"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("pallas"));
}

TEST(Cli, BackendsSayWhyNot) {
  Result result = attn_program({"backends"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("torch_sdpa"));
  EXPECT_THAT(result.out, HasSubstr("reference"));
  EXPECT_THAT(result.out, HasSubstr("cache types    f32, bf16, f16, fp8_e4m3, fp8_e5m2, int8\n"));
  result = attn_program({"backends", "--kv-cache-dtype", "banana"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("found \"banana\", allowed auto, f32, bf16"));
  result = attn_program({"backends", "--kv-cache-dtype", "int8"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("TORCH_SDPA does not support an int8 cache"));
  result = attn_program({"backends", "--sinks", "--pad-head-size", "--head-size", "48"});
  EXPECT_THAT(result.out, HasSubstr("TORCH_SDPA has no attention sinks."));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("not 48")));
  result = attn_program({"backends", "--head-size", "48"});
  EXPECT_EQ(result.code, 0);  // the reference backend accepts it
  EXPECT_THAT(result.out, HasSubstr("not 48"));
  EXPECT_EQ(attn_program({"backends", "--num-heads", "6", "--num-kv-heads", "4"}).code, 2);
  result = attn_program({"backends", "--head-size", "1025"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("at attn backends --head-size: found `1025`, allowed a whole "
                                    "number from 1 to 1024"));
}

TEST(Cli, InspectKnowsEveryKindOfFile) {
  EXPECT_THAT(attn_program({"inspect", kModel}).out, HasSubstr("4672"));
  EXPECT_THAT(attn_program({"inspect", kModel + "/tokenizer.json"}).out, HasSubstr("4672 tokens"));
  EXPECT_THAT(attn_program({"inspect", kModel + "/model.safetensors"}).out, HasSubstr("BF16"));
  EXPECT_THAT(attn_program({"inspect", "first-look"}).out, HasSubstr("hash"));
  EXPECT_THAT(attn_program({"inspect", kModel + "/"}).out,
              testing::StartsWith("tinystories-gqa: "));
  const Result config = attn_program({"inspect", kModel + "/config.json"});
  EXPECT_EQ(config.code, 0) << config.err;
  EXPECT_THAT(config.out, HasSubstr("\"num_hidden_layers\" = 6"));
  const Result too_long = attn_program({"inspect", std::string(5000, 'x')});
  EXPECT_EQ(too_long.code, 2);
  EXPECT_THAT(too_long.err, HasSubstr("allowed"));
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "bad.safetensors") << "not a tensor file";
  const Result bad = attn_program({"inspect", folder.path() / "bad.safetensors"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.safetensors"));
}

// --- op ---

std::vector<std::string> sdpa_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "/tests/golden/sdpa"))
    if (entry.path().extension() == ".safetensors") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

void expect_close(const Tensor& found_any, const Tensor& expected, double absolute, double relative,
                  const std::string& what) {
  const Tensor found = convert(found_any, DType::kF32);
  ASSERT_EQ(found.shape(), expected.shape()) << what;
  int64_t wrong = 0, worst = 0;
  double worst_excess = 0;
  for (int64_t i = 0; i < found.size(); ++i) {
    const double a = found.data<float>()[i], b = expected.data<float>()[i];
    const double excess = a == b ? 0 : std::abs(a - b) / (absolute + relative * std::abs(b));
    if (excess <= 1) continue;
    ++wrong;
    if (!(excess <= worst_excess)) {
      worst_excess = excess;
      worst = i;
    }
  }
  EXPECT_EQ(wrong, 0) << what << ": worst element " << worst << " is " << found.data<float>()[worst]
                      << ", expected " << expected.data<float>()[worst];
}

class CliOp : public testing::TestWithParam<std::string> {};

TEST_P(CliOp, AgreesWithTorch) {
  const std::string in = kRoot + "/tests/golden/sdpa/" + GetParam() + ".safetensors";
  const auto golden = SafetensorsFile::open(in);
  const bool bf16 = golden.find("query")->dtype == DType::kBF16,
             prefill = GetParam().starts_with("prefill");
  const double absolute = bf16 ? 4e-3 : 1e-5, relative = bf16 ? 8e-3 : 5e-6;
  const test::TemporaryFolder folder;
  for (const char* backend : {"torch_sdpa", "reference"}) {
    const std::string out = folder.path() / "out.safetensors", trace = folder.path() / "trace.json";
    const Result result = attn_program(
        {"op", "--in", in, "--out", out, "--backend", backend, "--weights", "--trace", trace});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto found = SafetensorsFile::open(out);
    expect_close(found.read("output"), golden.read("expected.output"), absolute, relative,
                 std::string(backend) + " output");
    expect_close(found.read("lse"), golden.read("expected.lse"), 1e-5, 1e-6,
                 std::string(backend) + " lse");
    if (golden.find("expected.output_f64"))
      expect_close(found.read("output"), golden.read("expected.output_f64"), absolute, relative,
                   "f64");
    Tensor cache = golden.read("key_cache");
    const Tensor slots = golden.read("slot_mapping"), key = golden.read("key");
    const size_t row = static_cast<size_t>(key.dim(1) * key.dim(2)) * size_of(key.dtype());
    for (int64_t i = 0; i < slots.size(); ++i)
      std::memcpy(static_cast<std::byte*>(cache.raw()) +
                      static_cast<size_t>(slots.data<int64_t>()[i]) * row,
                  static_cast<const std::byte*>(key.raw()) + static_cast<size_t>(i) * row, row);
    const Tensor after = found.read("key_cache");
    const Tensor wanted_f32 = convert(cache, DType::kF32), after_f32 = convert(after, DType::kF32);
    ASSERT_EQ(after.shape(), cache.shape());
    for (int64_t i = 0; i < after.size(); ++i) {
      const float a = after_f32.data<float>()[i], b = wanted_f32.data<float>()[i];
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << "key_cache element " << i;
    }
    const Tensor lens = golden.read("seq_lens"), query_lens = golden.read("query_lens");
    for (int64_t s = 0; s < lens.size(); ++s) {
      const Tensor weights = found.read("weights." + std::to_string(s));
      const int64_t keys = lens.data<int32_t>()[s];
      ASSERT_EQ(weights.shape(),
                (Shape{golden.find("query")->shape[1], query_lens.data<int32_t>()[s], keys}));
      for (int64_t r = 0; r < weights.dim(0) * weights.dim(1); ++r) {
        double sum = 0;
        for (int64_t k = 0; k < keys; ++k) sum += weights.data<float>()[r * keys + k];
        ASSERT_NEAR(sum, 1, 2e-5) << backend << " sequence " << s;
      }
    }
    const auto json = parse_json(read_file(trace), "trace.json");
    const std::string expected_kernel =
        std::string(backend) == "reference" ? "reference"
        : prefill                           ? "flash_prefill"
                  : "paged_decode_" + golden.metadata().at("expect_kernel");
    bool seen = false;
    for (const auto& event : json["traceEvents"])
      seen = seen || (event["ph"] == "X" && event["args"].contains("kernel") &&
                      event["args"]["kernel"] == expected_kernel);
    EXPECT_TRUE(seen) << expected_kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Sdpa, CliOp, testing::ValuesIn(sdpa_cases()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace attn
