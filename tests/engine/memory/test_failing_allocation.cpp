// SPDX-License-Identifier: GPL-3.0-or-later
// The n-th allocation of a call fails, alone or with all later ones, for growing n until none
// fails. The call must then report that memory has run out, or go on without it, and must leak
// nothing. A call after the failures must work.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/whole_file.h"
#include "engine/lesson/format/controls.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/result.h"
#include "engine/model/files/gguf.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/gguf/convert.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "engine/session/page/run_page.h"
#include "engine/session/report/report.h"
#include "engine/session/report/report_folder.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "engine/session/session_file/session_file.h"
#include "engine/trace/lod_index.h"
#include "tests/engine/memory/counted_heap.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/session_chunks.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using test::FailingAllocation;
using test::TemporaryFolder;

void survives(
    const std::function<void()>& call, const std::function<void()>& after = [] {}) {
  call();
  for (const bool all : {false, true}) {
    int64_t failures = 0, next = 0;
    for (int64_t n = 1;; n = next) {
      next = n < 50 ? n + 1 : n + n / 8;
      const int64_t before = test::heap_bytes();
      char message[512] = "";  // not on the heap
      {
        const FailingAllocation failing(n, all);
        try {
          call();
        } catch (const std::exception& error) {
          std::snprintf(message, sizeof message, "%s", message_of(error));
        }
      }
      if (!FailingAllocation::has_failed()) break;
      ++failures;
      EXPECT_TRUE(message[0] == 0 || std::strstr(message, "memory")) << message;
      after();
      ASSERT_EQ(test::heap_bytes(), before) << "allocation " << n << (all ? " and all later" : "");
    }
    EXPECT_GT(failures, 3);
    call();
  }
}

TEST(FailingAllocation, OfAScenario) {
  const Scenario scenario = test::synthetic_scenario({8, 4}, 3);
  const std::string json = to_json(scenario);
  survives([&] { (void)parse_scenario(json, "scenario.json"); });
  survives([&] { (void)to_json(scenario); });
}

TEST(FailingAllocation, OfScenariosOfALesson) {
  const std::string text = R"(---
id: two
title: Two scenarios
language: en
needs: model tinystories-gqa
version: 1
---

## First

:::scenario name=first-look
{"requests": [{"prompt": "One day"}, {"prompt": "Two"}]}
:::

## Second

:::scenario name=previous
{"title": null, "requests": [{"prompt": "Three"}], "engine": {"block_size": 8}}
:::
)";
  ASSERT_EQ(lesson::parse_lesson(text, "lesson.md").mistakes.size(), 2u);  // a lesson without tasks
  survives([&] { (void)lesson::parse_lesson(text, "lesson.md"); });
  const Scenario scenario = test::synthetic_scenario({8, 4}, 3);
  const lesson::Control& control = *lesson::find_control("block_size");
  survives([&] {
    (void)lesson::with_settings(scenario, {{control.name, "8"}});
    EXPECT_EQ(lesson::value_of(control, scenario), "16");
  });
}

TEST(FailingAllocation, OfJsonWithAMistake) {
  survives([] {
    try {
      (void)parse_json(R"({"a": [1, 2, {"b": "c"}], "a": 3})", "x.json");
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadInput) throw;
    }
  });
}

TEST(FailingAllocation, OfTheSpansOfALane) {
  const auto span = [](uint64_t i) {
    return LodSpan{10 * i, 10 * i + 1 + i % 9, static_cast<uint32_t>(i),
                   static_cast<uint8_t>(i % LodIndex::kClasses)};
  };
  constexpr uint64_t kSpans = 4'500;
  LodIndex expected;
  for (uint64_t i = 0; i < kSpans; ++i) expected.append(span(i));
  const LodStatistics all = expected.statistics(0, expected.end_ns());
  int failures = 0, failures_before = -1;
  for (int64_t n = 1; failures > failures_before; ++n) {
    failures_before = failures;
    LodIndex index;
    for (uint64_t i = 0; i < kSpans; ++i) {
      try {
        const FailingAllocation failing(n);
        index.append(span(i));
      } catch (const std::bad_alloc&) {
        ++failures;
        ASSERT_EQ(index.size(), i) << "allocation " << n;
        index.append(span(i));
      }
    }
    const LodStatistics is = index.statistics(0, index.end_ns());
    EXPECT_EQ(is.total_ns, all.total_ns);
    EXPECT_EQ(is.class_ns, all.class_ns);
    EXPECT_EQ(is.class_count, all.class_count);
  }
  EXPECT_GT(failures, 10);
}

TEST(FailingAllocation, OfTensorsInFiles) {
  const TemporaryFolder folder;
  Tensor tensor(DType::kF32, {4, 3, 8});
  const fs::path file = folder.path() / "qkv.safetensors";
  write_safetensors(file, {{"query", &tensor}, {"key", &tensor}, {"value", &tensor}},
                    {{"name", "x"}});
  survives([&] { (void)SafetensorsFile::open(file).read("key"); });
  const fs::path npy = folder.path() / "a.npy";
  test::write_npy(npy, tensor);
  survives([&] { (void)NpyFile::open(npy).read(); });
}

TEST(FailingAllocation, OfAModelFolder) {
  const fs::path folder = fs::path(ATTN_SOURCE_DIR) / "assets/models/tinystories-gqa";
  survives([&] { check_model(folder, int64_t{1} << 40).problems.throw_if_any(); });
}

TEST(FailingAllocation, OfAT5Folder) {
  const FamilyCase model("t5_1");
  const fs::path folder = model.write();
  survives([&] { check_model(folder, int64_t{1} << 40).problems.throw_if_any(); });
}

TEST(FailingAllocation, OfFoldersWhoseTokenizerIsRebuilt) {
  const std::pair<const char*, const char*> classes[] = {
      {"llama", "LlamaTokenizer"}, {"gpt2", "GPT2Tokenizer"},   {"roberta", "RobertaTokenizer"},
      {"qwen2", "Qwen2Tokenizer"}, {"gemma", "GemmaTokenizer"}, {"bert", "BertTokenizer"}};
  for (const auto& [family, name] : classes) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    const auto write = [&](const char* file, const std::string& text) {
      write_file_atomically(folder.path() / file, text);
    };
    write("tokenizer.json", R"({"added_tokens": [{"id": 0, "content": "<s>", "special": true}],
      "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
      "decoder": {"type": "Sequence", "decoders": [{"type": "Fuse"}]},
      "model": {"type": "BPE", "dropout": null, "vocab": {"<s>": 0, "a": 1, "<unk>": 2, "[UNK]": 3},
                "merges": []}})");
    write("tokenizer_config.json",
          fmt::format(R"({{"tokenizer_class": "{}", "cls_token": "<s>", "sep_token": "<s>",
                      "extra_special_tokens": ["<x>"]}})",
                      name));
    write("config.json", fmt::format(R"({{"model_type": "{}"}})", family));
    survives([&] { (void)tokenizer_of_folder(folder.path()); });
  }
}

TEST(FailingAllocation, OfFoldersOfSentencePiece) {
  const fs::path cases = fs::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece";
  const TemporaryFolder folder;
  for (const char* name : {"t5", "llama", "marian"}) {
    SCOPED_TRACE(name);
    const fs::path path = folder.path() / name;
    fs::copy(cases / name, path);
    const int64_t next = tokenizer_of_folder(path).vocab_size();
    write_file_atomically(path / "added_tokens.json", fmt::format(R"({{"<x>": {}}})", next));
    write_file_atomically(path / "tokenizer_config.json",
                          R"({"additional_special_tokens": ["<y>", {"content": "<z>"}]})");
    survives([&] { (void)tokenizer_of_folder(path); });
  }
}

TEST(FailingAllocation, OfGgufModels) {
  for (const char* name : {"llama", "llama_yarn", "llama_wide", "mpt", "qwen2"}) {
    SCOPED_TRACE(name);
    const fs::path file =
        fs::path(ATTN_SOURCE_DIR) / "tests/golden/gguf" / (std::string(name) + ".gguf");
    survives([&] { check_model(file, int64_t{1} << 40).problems.throw_if_any(); });
  }
}

TEST(FailingAllocation, OfAGgufFile) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "model.gguf";
  convert_to_gguf(fs::path(ATTN_SOURCE_DIR) / "assets/models/tinystories-gqa", file,
                  written_type("f16"));
  survives([&] {
    const GgufFile opened = GgufFile::open(file);
    (void)opened.read(*opened.find("blk.0.attn_q.weight"));
  });
}

TEST(FailingAllocation, OfFoldersOfAssets) {
  survives([] {
    (void)shipped_models();
    (void)shipped_scenarios();
    (void)lesson::shipped_lessons();
  });
}

TEST(FailingAllocation, OfOtherFolders) {
  const TemporaryFolder folder;
  Tensor tensor(DType::kF32, {4, 3, 8});
  for (const char* name : {"q.npy", "k.npy", "v.npy"})
    test::write_npy(folder.path() / name, tensor);
  const fs::path path = folder.path();
  survives([&] { (void)tensor_scenario(std::span(&path, 1)); });
  survives([&] { EXPECT_EQ(look_at_report_place(path).others.size(), 3u); });
  survives([&] { EXPECT_FALSE(lesson::may_be_results(path)); });
  Scenario scenario = test::synthetic_scenario({4}, 2);
  scenario.source = {};
  scenario.source.model = "tinystories-gqa";
  survives([&] { EXPECT_GT(input_files(scenario).size(), 3u); });
}

TEST(FailingAllocation, OfResultsOfALesson) {
  lesson::ResultRecord who;
  who.participant = "A";
  who.hash = lesson::results_hash({});
  const std::string results = lesson::results_csv({who});
  survives([&] { (void)lesson::parse_results(results, "results.csv"); });
}

TEST(FailingAllocation, OfASession) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.attn-session";
  {
    const Scenario scenario = test::synthetic_scenario({8, 4}, 3);
    Recorder recorder(num_workers(scenario));
    EngineOptions options;
    options.recorder = &recorder;
    options.history_bytes = size_t{1} << 20;
    Engine engine(scenario, options);
    engine.run_to_end();
    recorder.drain();
    save_session(file, {.snapshot = std::make_shared<const EngineSnapshot>(
                            engine.snapshot(EnginePhase::kFinished)),
                        .recorder = &recorder});
  }
  survives([&] { (void)load_session(file); });
}

TEST(FailingAllocation, OfTheEnginesStart) {
  Scenario scenario = test::synthetic_scenario({8, 4}, 3);
  scenario.engine.use_captured_plan = true;
  scenario.engine.num_swap_blocks = 8;
  survives([&] {
    Recorder recorder(num_workers(scenario), 1u << 8);
    EngineOptions options;
    options.recorder = &recorder;
    options.history_bytes = size_t{1} << 20;
    const Engine engine(scenario, options);
  });
}

TEST(FailingAllocation, OfTracesAndTablesOnTheirWayToAFile) {
  const Scenario scenario = test::synthetic_scenario({4}, 2);
  Recorder recorder(num_workers(scenario));
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(scenario, options);
  engine.run_to_end();
  recorder.drain();
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  const std::vector<TraceEvent> events = recorder.sorted();
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  const auto is_alone = [&] {  // no temporary file is left
    for (const auto& entry : fs::directory_iterator(folder.path())) EXPECT_EQ(entry.path(), file);
  };
  survives(
      [&] {
        write_file_atomically(file,
                              [&](Pieces& out) { write_trace_perfetto(shot, events, {}, out); });
      },
      is_alone);
  survives(
      [&] { write_file_atomically(file, [&](Pieces& out) { write_timeline_csv(events, out); }); },
      is_alone);
  survives([&] { write_file_atomically(file, steps_csv(shot)); }, is_alone);
  survives([&] { (void)run_page_html({.snapshot = &shot, .events = &events, .view = "blocks"}); });
}

TEST(FailingAllocation, HasAMessage) {
  EXPECT_THAT(message_of(std::bad_alloc()), testing::HasSubstr("not enough memory"));
  EXPECT_STREQ(message_of(std::logic_error("x")), "x");
}

}  // namespace
}  // namespace attn
