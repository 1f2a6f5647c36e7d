// SPDX-License-Identifier: GPL-3.0-or-later
// Files that ask for much memory, and runs and reports that would not fit: that they are refused,
// in most tests before the heap has grown by 100 MB. Also that what is accepted takes little
// memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/memory.h"
#include "engine/core/tensor.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/handout.h"
#include "engine/model/files/gguf.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/files/weight_files.h"
#include "engine/model/gguf/gguf_tokenizer.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "engine/session/report/report.h"
#include "engine/session/run/run_memory.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/memory/counted_heap.h"
#include "tests/engine/model/gguf/gguf_bytes.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/address_limit.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using test::AddressLimit;
using test::TemporaryFolder;
using testing::HasSubstr;

constexpr int64_t kMost = 100'000'000;

void write_file(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

nlohmann::json bundled_tokenizer() {
  std::ifstream in(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa/tokenizer.json");
  return nlohmann::json::parse(in);
}

// Calls `read` while the program may map at most `most` more bytes. Returns the message of its
// Error(kBadInput).
std::string refusal(const std::function<void()>& read, int64_t most = 2'000'000'000) {
  test::forget_peak();
  const int64_t before = test::heap_bytes(), tensors = AlignedBuffer::allocations();
  std::string message;
  {
    const AddressLimit limit(most);
    try {
      read();
      ADD_FAILURE() << "was not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      message = error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_LT(test::heap_peak() - before, kMost) << message;
  EXPECT_EQ(AlignedBuffer::allocations(), tensors) << message;  // no tensor was read
  return message;
}

// A Llama of the given sizes whose weights file is sparse.
class SparseModel {
 public:
  SparseModel(int64_t layers, int64_t hidden, int64_t mlp, int64_t vocab) {
    nlohmann::json header;
    int64_t end = 0;
    const auto add = [&](const std::string& name, std::vector<int64_t> shape) {
      int64_t bytes = 4;
      for (const int64_t axis : shape) bytes *= axis;
      header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
      end += bytes;
    };
    add("model.embed_tokens.weight", {vocab, hidden});
    for (int64_t i = 0; i < layers; ++i) {
      const std::string prefix = fmt::format("model.layers.{}.", i);
      for (const char* name : {"q", "k", "v", "o"})
        add(fmt::format("{}self_attn.{}_proj.weight", prefix, name), {hidden, hidden});
      for (const char* name : {"gate", "up"})
        add(fmt::format("{}mlp.{}_proj.weight", prefix, name), {mlp, hidden});
      add(prefix + "mlp.down_proj.weight", {hidden, mlp});
      add(prefix + "input_layernorm.weight", {hidden});
      add(prefix + "post_attention_layernorm.weight", {hidden});
    }
    add("model.norm.weight", {hidden});
    add("lm_head.weight", {vocab, hidden});
    const std::string text = header.dump();
    const auto size = static_cast<uint64_t>(text.size());
    const fs::path file = path() / "model.safetensors";
    write_file(file, std::string(reinterpret_cast<const char*>(&size), 8) + text);
    fs::resize_file(file, 8 + size + static_cast<uint64_t>(end));
    write_file(path() / "config.json", nlohmann::json{{"model_type", "llama"},
                                                      {"hidden_size", hidden},
                                                      {"intermediate_size", mlp},
                                                      {"num_hidden_layers", layers},
                                                      {"num_attention_heads", hidden / 128},
                                                      {"num_key_value_heads", hidden / 128},
                                                      {"vocab_size", vocab},
                                                      {"max_position_embeddings", 4096},
                                                      {"rms_norm_eps", 1e-5}}
                                           .dump());
    write_file(path() / "tokenizer.json", bundled_tokenizer().dump());
  }
  const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TEST(MemoryBombs, ASparseModelOf40Gigabytes) {
  const SparseModel model(48, 4096, 11008, 32000);
  EXPECT_GT(fs::file_size(model.path() / "model.safetensors"), 39'000'000'000u);
  EXPECT_THAT(refusal([&] { load_model(model.path()); }),
              HasSubstr("the model does not fit in memory"));
}

TEST(MemoryBombs, AModelWhoseRunDoesNotFit) {
  const SparseModel model(2, 2048, 8192, 32000);
  Scenario scenario = test::model_scenario({"One day"}, 4);
  scenario.source.model = model.path().string();
  scenario.engine.num_blocks = 1500;
  const std::string message = refusal([&] { load_source(scenario); });
  EXPECT_THAT(message, HasSubstr("the run does not fit in memory"));
  EXPECT_THAT(message, HasSubstr("weights "));
}

TEST(MemoryBombs, ManyPromptsThatWillBeIgnored) {
  Scenario scenario =
      test::synthetic_scenario(std::vector<int64_t>(4'096, (int64_t{1} << 20) - 1), 1);
  scenario.source.synthetic->max_model_len = int64_t{1} << 20;
  const AddressLimit limit(2'000'000'000);
  const std::string message = refusal([&] { const Engine engine(scenario, {}); });
  EXPECT_THAT(message, HasSubstr("the run does not fit in memory"));
  EXPECT_THAT(message, HasSubstr("tokens of the prompts"));
}

TEST(MemoryBombs, TensorsOfAScenario) {
  const TemporaryFolder folder;
  const int64_t tokens = 1'000'000, bytes = tokens * 1024 * 4;
  const nlohmann::json tensor = {{"dtype", "F32"}, {"shape", {1, tokens, 1024}}};
  nlohmann::json header = {{"query", tensor}, {"key", tensor}, {"value", tensor}};
  int64_t end = 0;
  for (const char* name : {"query", "key", "value"}) {
    header[name]["data_offsets"] = {end, end + bytes};
    end += bytes;
  }
  const std::string text = header.dump();
  const auto size = static_cast<uint64_t>(text.size());
  const fs::path file = folder.path() / "qkv.safetensors";
  write_file(file, std::string(reinterpret_cast<const char*>(&size), 8) + text);
  fs::resize_file(file, 8 + size + static_cast<uint64_t>(end));
  Scenario scenario = test::synthetic_scenario({8}, 1);
  scenario.source = {};
  scenario.source.tensors.emplace();
  scenario.source.tensors->file = file.string();
  EXPECT_THAT(refusal([&] { load_source(scenario); }),
              HasSubstr("the tensors do not fit in memory"));
  const SafetensorsFile opened = SafetensorsFile::open(file);
  EXPECT_THAT(refusal([&] { (void)opened.read("query"); }),
              HasSubstr("[1, 1000000, 1024] of F32 = 3.81 GiB"));
}

// Long texts in a file about its run do not get it refused, but the notes do not repeat them.
TEST(MemoryBombs, ARuleOfMillionsOfParts) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "qkv.safetensors";
  Tensor tensor(DType::kF32, {2, 3, 4});
  const auto peak_with = [&](const std::string& parts) {
    std::string rule = "0";
    for (int i = 1; rule.size() < 10'000'000; ++i) rule += fmt::format("{}{}", parts, i);
    write_safetensors(
        file, {{"query.0", &tensor}, {"key.0", &tensor}, {"value.0", &tensor}},
        {{"axes", "head, token, element"}, {"rule.0", rule}, {"scale", rule}, {"layers", rule}});
    test::forget_peak();
    const int64_t before = test::heap_bytes();
    (void)SafetensorsFile::open(file);
    const int64_t opened = test::heap_peak() - before;
    test::forget_peak();
    const std::vector<std::string> notes = guesses_of(tensor_scenario({&file, 1}));
    EXPECT_LT(test::heap_peak() - before, opened + 1'000'000) << parts;
    EXPECT_THAT(notes, testing::SizeIs(2));
    EXPECT_THAT(notes.at(0), HasSubstr("a rule of 10000"));
    for (const std::string& note : notes) EXPECT_LT(note.size(), 2000u);
  };
  peak_with(", ");
  peak_with(" ");
}

TEST(MemoryBombs, AHeaderOfLists) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "lists.safetensors";
  {
    std::ofstream out(file, std::ios::binary);
    const uint64_t size = 96'000'000;
    out.write(reinterpret_cast<const char*>(&size), 8);
    out << "{\"a\":[0,";
    std::string lists;
    while (lists.size() < 1'000'000) lists += "[0],";
    for (int i = 0; i < 95; ++i) out << lists;
    out << std::string(size - 95 * lists.size() - 8 - 2, ' ') << "]}";
  }
  EXPECT_THAT(refusal([&] { SafetensorsFile::open(file); }),
              HasSubstr("too many values in one of its members"));
}

TEST(MemoryBombs, AHeaderOfMillionsOfTensors) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "many.safetensors";
  {
    std::string header = "{";
    for (int i = 0; i < 1'500'000; ++i)
      header += fmt::format(R"("{}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}},)", i);
    header.back() = '}';
    const uint64_t size = header.size();
    write_file(file, std::string(reinterpret_cast<const char*>(&size), 8) + header);
  }
  const int64_t before = test::heap_bytes();
  EXPECT_THAT(refusal([&] { SafetensorsFile::open(file); }),
              HasSubstr("more than 250000 objects in the header, allowed"));
  EXPECT_LT(test::heap_peak() - before, 4'000'000);
}

TEST(MemoryBombs, JsonOfLists) {
  const TemporaryFolder folder;
  std::string lists = "{\"a\":[0";
  while (lists.size() < (size_t{15} << 20)) lists += ",[0]";
  lists += "]}";
  EXPECT_THAT(refusal([&] { parse_scenario(lists, "scenario.json"); }),
              HasSubstr("too many values"));
  while (lists.size() < (size_t{30} << 20)) lists += lists;
  write_file(folder.path() / "tokenizer.json", lists);
  EXPECT_THAT(refusal([&] { load_tokenizer_json(folder.path() / "tokenizer.json"); }),
              HasSubstr("too many values"));
  const std::string some = lists.substr(0, (size_t{14} << 20) + 3) + "]}";
  EXPECT_THAT(
      refusal([&] { parse_json(some, "x.json", {.bytes_per_value = 1024}); }),
      testing::AllOf(HasSubstr("does not fit in memory"), HasSubstr("values x 1024 bytes")));
}

// Pieces that share only a short beginning need a node for almost every byte.
TEST(MemoryBombs, LongPieces) {
  const auto message = [](std::string_view content, char tag) {
    std::string bytes(1, tag);
    bytes += static_cast<char>((content.size() & 0x7F) | 0x80);
    bytes += static_cast<char>(content.size() >> 7);
    return bytes.append(content);
  };
  const auto file = [&](int pieces) {
    std::string bytes("\x0a\x09\x0a\x05<unk>\x18\x02\x12\x00\x1a\x00", 15);
    for (int i = 0; i < pieces; ++i)
      bytes += message(message(fmt::format("{:06}", i) + std::string(1018, 'x'), 0x0a), 0x0a);
    return bytes;
  };
  const TemporaryFolder folder;
  write_file(folder.path() / "tokenizer.model", file(23'000));
  EXPECT_THAT(refusal([&] { tokenizer_of_folder(folder.path()); }),
              testing::AllOf(HasSubstr("vocabulary does not fit in memory at tokenizer.model"),
                             HasSubstr("23001 pieces x 1024 bytes + 23621009 bytes in them x 64")));
  const std::string some = file(2'000);
  write_file(folder.path() / "tokenizer.model", some);
  const int64_t before = test::heap_bytes();
  test::forget_peak();
  EXPECT_EQ(tokenizer_of_folder(folder.path()).vocab_size(), 2001);
  EXPECT_LT(test::heap_peak() - before, 2001 * 1024 + static_cast<int64_t>(some.size()) * 64);
}

// In a tokenizer.json, too, such tokens need a node for almost every byte.
TEST(MemoryBombs, LongTokensOfATokenizer) {
  const auto tokenizer = [](const char* type, int count) {
    std::string json = R"({"added_tokens": [], "model": {"type": ")" + std::string(type) +
                       R"(", "unk_token": "x", "continuing_subword_prefix": "#",
                           "max_input_chars_per_word": 100, "unk_id": 0, "vocab": )";
    const bool is_list = type == std::string_view("Unigram");
    json += is_list ? R"([["x", 0])" : R"({"x": 0)";
    for (int i = 1; i < count; ++i)
      json += fmt::format(fmt::runtime(is_list ? R"(, ["{:06}{}", 0])" : R"(, "{:06}{}": {})"), i,
                          std::string(1000, 'x'), i);
    return json + (is_list ? "]}}" : "}}}");
  };
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "tokenizer.json";
  for (const char* type : {"WordPiece", "Unigram"}) {
    SCOPED_TRACE(type);
    write_file(path, tokenizer(type, 10'001));
    EXPECT_THAT(
        refusal([&] { load_tokenizer_json(path); }, 600'000'000),
        testing::AllOf(HasSubstr("vocabulary does not fit in memory"), HasSubstr("$.model.vocab"),
                       HasSubstr("10060001 bytes of tokens x 64")));
    write_file(path, tokenizer(type, 1'001));
    const int64_t before = test::heap_bytes();
    test::forget_peak();
    EXPECT_EQ(load_tokenizer_json(path).vocab_size(), 1001);
    EXPECT_LT(test::heap_peak() - before, 64 * 1'006'001);
  }
}

TEST(MemoryBombs, LongTokensOfGguf) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "model.gguf";
  const auto open = [&](const char* kind, uint64_t count) {
    std::string tokens, scores;
    for (uint64_t i = 0; i < count; ++i) {
      tokens += text_bytes(i == 0 ? "[UNK]" : fmt::format("{:06}", i) + std::string(1016, 'x'));
      scores += number_bytes(-static_cast<float>(i));
    }
    GgufBytesOf file;
    file.keys = {text_key("tokenizer.ggml.model", kind),
                 array_key("tokenizer.ggml.tokens", 8, count, tokens),
                 array_key("tokenizer.ggml.scores", 6, count, scores),
                 array_key("tokenizer.ggml.merges", 8, 0, "")};
    write_file(path, file.bytes());
    return GgufFile::open(path);
  };
  const GgufFile many = open("t5", 23'000);
  EXPECT_THAT(refusal([&] { gguf_tokenizer(many); }),
              testing::AllOf(HasSubstr("vocabulary does not fit in memory at model.gguf, "
                                       "tokenizer.ggml.tokens"),
                             HasSubstr("23000 tokens x 1024 bytes + 23504983 bytes in them x 64")));
  for (const auto& [kind, of_byte] :
       {std::pair{"t5", 64}, {"bert", 64}, {"llama", 8}, {"gpt2", 8}}) {
    SCOPED_TRACE(kind);
    const GgufFile some = open(kind, 2'000);
    const int64_t before = test::heap_bytes();
    test::forget_peak();
    EXPECT_EQ(gguf_tokenizer(some).vocab_size(), 2000);
    EXPECT_LT(test::heap_peak() - before, 2000 * (1024 + 1022 * of_byte));
  }
}

TEST(MemoryBombs, ATableOfCharactersOfGguf) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "model.gguf";
  const auto open = [&](uint64_t bytes) {
    GgufBytesOf file;
    file.keys = {text_key("tokenizer.ggml.model", "t5"),
                 array_key("tokenizer.ggml.tokens", 8, 3,
                           text_bytes("a") + text_bytes("b") + text_bytes("ab")),
                 array_key("tokenizer.ggml.scores", 6, 3, std::string(12, '\0')),
                 array_key("tokenizer.ggml.precompiled_charsmap", 0, bytes,
                           number_bytes(uint32_t{4}) + std::string(bytes - 4, '\0'))};
    write_file(path, file.bytes());
    return GgufFile::open(path);
  };
  const GgufFile large = open(60'000'000);
  EXPECT_THAT(refusal([&] { gguf_tokenizer(large); }, 250'000'000),
              testing::AllOf(HasSubstr("table of characters does not fit in memory"),
                             HasSubstr("tokenizer.ggml.precompiled_charsmap"),
                             HasSubstr("60000000 bytes x 4")));
  const GgufFile small = open(1'000'000);
  const int64_t before = test::heap_bytes();
  test::forget_peak();
  EXPECT_EQ(gguf_tokenizer(small).vocab_size(), 3);
  EXPECT_LT(test::heap_peak() - before, 4'000'000);
}

TEST(MemoryBombs, MergesOfGguf) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "model.gguf";
  const auto open = [&](uint64_t count) {
    std::string merges;
    for (uint64_t i = 0; i < count; ++i) merges += text_bytes("a b");
    GgufBytesOf file;
    file.keys = {text_key("tokenizer.ggml.model", "gpt2"),
                 array_key("tokenizer.ggml.tokens", 8, 3,
                           text_bytes("a") + text_bytes("b") + text_bytes("ab")),
                 array_key("tokenizer.ggml.merges", 8, count, merges)};
    write_file(path, file.bytes());
    return GgufFile::open(path);
  };
  const GgufFile many = open(4'500'000);
  EXPECT_THAT(refusal([&] { gguf_tokenizer(many); }),
              testing::AllOf(HasSubstr("merges of the vocabulary do not fit in memory"),
                             HasSubstr("tokenizer.ggml.merges"),
                             HasSubstr("4500000 merges x 512 bytes + 13500000 bytes in them x 8")));
  const GgufFile some = open(20'000);
  const int64_t before = test::heap_bytes();
  test::forget_peak();
  EXPECT_EQ(gguf_tokenizer(some).vocab_size(), 3);
  EXPECT_LT(test::heap_peak() - before, 20'000 * (512 + 3 * 8));
}

TEST(MemoryBombs, AnIndexOfMillionsOfTensors) {
  const TemporaryFolder folder;
  std::string index = R"({"weight_map":{"a":"a")";
  for (int i = 0; i < 2'000'000; ++i) index += fmt::format(R"(,"{}":"a")", i);
  write_file(folder.path() / "model.safetensors.index.json", index + "}}");
  EXPECT_THAT(refusal([&] { WeightFiles::open(folder.path()); }), HasSubstr("too many values"));
}

// --- lessons ---

TEST(MemoryBombs, ALessonOfVeryManyParts) {
  register_all_backends();
  const std::string skeleton = lesson::skeleton("many", "Many");
  const std::string_view parts[] = {"## a\n",
                                    "## a\n:::hint\n",
                                    ":::change\n:::\n",
                                    ":::predict\n:::\n",
                                    ":::hint\na\n:::\n",
                                    ":::explain\na\n:::\n",
                                    ":::fact\n:::\n"};
  for (const std::string_view part : parts) {
    std::string text = skeleton;
    while (text.size() + part.size() <= lesson::kMostLessonBytes) text += part;
    test::forget_peak();
    const int64_t before = test::heap_bytes();
    (void)lesson::parse_lesson(text, "many.md");
    EXPECT_LT(test::heap_peak() - before, kMost) << part;
  }
}

// --- tokenizers ---

nlohmann::json doubling(const char* kind, const char* list) {
  nlohmann::json steps = nlohmann::json::array();
  for (int i = 0; i < 28; ++i)
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}});
  return {{"type", kind}, {list, steps}};
}

TEST(MemoryBombs, ReplacementsThatDoubleAText) {
  nlohmann::json json = bundled_tokenizer();
  json["normalizer"] = doubling("Sequence", "normalizers");
  const Tokenizer normal = parse_tokenizer(json.dump(), "tokenizer.json");
  EXPECT_THAT(refusal([&] { normal.encode("a banana"); }),
              HasSubstr("replacements make a text too long"));
  json["added_tokens"].push_back(
      {{"id", json["model"]["vocab"]["a"]}, {"content", "a"}, {"normalized", true}});
  EXPECT_THAT(refusal([&] { parse_tokenizer(json.dump(), "tokenizer.json"); }),
              HasSubstr("replacements make a text too long"));

  json = bundled_tokenizer();
  json["decoder"] = doubling("Sequence", "decoders");
  const Tokenizer decoding = parse_tokenizer(json.dump(), "tokenizer.json");
  const std::vector<int32_t> tokens = decoding.encode("a banana");
  EXPECT_THAT(refusal([&] { decoding.decode(tokens); }),
              HasSubstr("replacements make a text too long"));
  const auto a = decoding.find("a");
  ASSERT_TRUE(a);
  EXPECT_THAT(refusal([&] { decoding.token_text(*a); }),
              HasSubstr("replacements make a text too long"));
}

// Each of these steps writes a byte above 127 as two.
TEST(MemoryBombs, PreTokenizersThatDoubleAText) {
  nlohmann::json json = bundled_tokenizer();
  nlohmann::json steps = nlohmann::json::array();
  for (int i = 0; i < 28; ++i)
    steps.push_back({{"type", "ByteLevel"}, {"add_prefix_space", true}, {"use_regex", true}});
  json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", steps}};
  const Tokenizer tokenizer = parse_tokenizer(json.dump(), "tokenizer.json");
  test::forget_peak();
  const int64_t before = test::heap_bytes();
  EXPECT_THAT(refusal([&] { tokenizer.encode("a banana \u00e4"); }),
              HasSubstr("replacements make a text too long"));
  EXPECT_LT(test::heap_peak() - before, kMost);
}

// U+2581 in front of the text and in place of each space makes a text of spaces three times as
// long.
TEST(MemoryBombs, UsualReplacementsAreNoBomb) {
  nlohmann::json json = bundled_tokenizer();
  json["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers",
       {{{"type", "Prepend"}, {"prepend", "\u2581"}},
        {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}};
  const Tokenizer tokenizer = parse_tokenizer(json.dump(), "tokenizer.json");
  EXPECT_NO_THROW(tokenizer.encode(std::string(100'000, ' ')));
}

TEST(MemoryBombs, ATemplateThatNamesAListOftenAndLongAddedTokens) {
  nlohmann::json json = bundled_tokenizer();
  nlohmann::json single = nlohmann::json::array({{{"Sequence", {{"id", "A"}}}}});
  for (int i = 0; i < 1000; ++i) single.push_back({{"SpecialToken", {{"id", "x"}}}});
  json["post_processor"] = {{"type", "TemplateProcessing"},
                            {"single", single},
                            {"special_tokens", {{"x", {{"ids", std::vector<int>(100'000, 1)}}}}}};
  EXPECT_THAT(refusal([&] { parse_tokenizer(json.dump(), "tokenizer.json"); }),
              HasSubstr("template adds too many tokens"));

  json = bundled_tokenizer();
  const auto first = static_cast<int>(json["model"]["vocab"].size());
  for (int i = 0; i < 2000; ++i)
    json["added_tokens"].push_back(
        {{"id", first + i}, {"content", fmt::format("{:04}", i) + std::string(4000, 'x')}});
  EXPECT_THAT(refusal([&] { parse_tokenizer(json.dump(), "tokenizer.json"); }),
              HasSubstr("added tokens are too long"));
}

// --- sessions ---

struct FinishedRun {
  std::shared_ptr<EngineSnapshot> snapshot;
  std::unique_ptr<Recorder> recorder;
};

FinishedRun finished_run(const Scenario& scenario) {
  FinishedRun run;
  run.recorder = std::make_unique<Recorder>(num_workers(scenario));
  EngineOptions options;
  options.recorder = run.recorder.get();
  options.history_bytes = size_t{1} << 20;
  Engine engine(scenario, options);
  engine.run_to_end();
  run.recorder->drain();
  run.snapshot = std::make_shared<EngineSnapshot>(engine.snapshot(EnginePhase::kFinished));
  return run;
}

TEST(MemoryBombs, ASessionWhoseTokensShareALongText) {
  FinishedRun run = finished_run(test::synthetic_scenario({4}, 2));
  RequestView& request = run.snapshot->requests.front();
  const SharedText text(std::string(72'000, 'x'));
  request.tokens =
      std::make_shared<const std::vector<TokenView>>(40'000, TokenView{.id = 7, .text = text});
  request.prompt_len = 39'000;
  request.output_text = std::make_shared<const std::string>();
  run.snapshot->history = nullptr;  // the history has other tokens
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "bomb.attn-session";
  const int64_t before = test::heap_bytes();
  save_session(file, {.snapshot = run.snapshot, .recorder = run.recorder.get()});
  EXPECT_LT(fs::file_size(file), 200'000u);
  test::forget_peak();
  const Session session = load_session(file);
  EXPECT_LT(test::heap_peak() - before, kMost);
  ASSERT_EQ(session.snapshot->requests.front().tokens->size(), 40'000u);
  EXPECT_EQ(session.snapshot->requests.front().tokens->back().text.str().size(), 72'000u);
}

TEST(MemoryBombs, TokensOfARunShareTheirTexts) {
  const FinishedRun run = finished_run(test::model_scenario({"a a a a a a a a a a a a"}, 2));
  const std::vector<TokenView>& tokens = *run.snapshot->requests.front().tokens;
  for (const TokenView& token : tokens)
    for (const TokenView& other : tokens)
      EXPECT_EQ(token.id == other.id, &token.text.str() == &other.text.str());
}

// --- reports ---

TEST(MemoryBombs, AReportTakesLittleForEachEvent) {
  FinishedRun run = finished_run(test::synthetic_scenario({16}, 2));
  const TemporaryFolder folder;
  ReportInputs inputs;
  inputs.snapshot = run.snapshot.get();
  const std::vector<TraceEvent> events = run.recorder->sorted();
  constexpr size_t kEvents = 150'000;
  for (size_t i = 0; inputs.events.size() < kEvents; ++i) {
    inputs.events.push_back(events[i % events.size()]);
    inputs.events.back().begin_ns = i;
  }
  test::forget_peak();
  const int64_t before = test::heap_bytes();
  write_report(folder.path(), std::move(inputs));
  EXPECT_LT(test::heap_peak() - before,
            static_cast<int64_t>(kEvents) * kReportBytesPerEvent + (int64_t{3} << 20));
}

TEST(MemoryBombs, AReportIsRefusedBeforeItIsWritten) {
  FinishedRun run = finished_run(test::synthetic_scenario({16}, 2));
  const TemporaryFolder folder;
  ReportInputs inputs;
  inputs.snapshot = run.snapshot.get();
  inputs.events.resize(1'000'000);
  const AddressLimit limit(150'000'000);
  try {
    write_report(folder.path() / "report", std::move(inputs));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("1000000 events x 160 bytes = 152.59 MiB"));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "report"));
}

TEST(MemoryBombs, TheEventsOfARunAreCountedBefore) {
  for (const Scenario& scenario :
       {test::model_scenario({"One day", "Once upon a time"}, 8),
        test::synthetic_scenario({600, 16, 16, 16}, 12), test::synthetic_scenario({16}, 1)}) {
    const FinishedRun run = finished_run(scenario);
    const RunMemory need = run_memory(scenario, *load_source(scenario), {.events = true});
    const auto recorded = static_cast<double>(run.recorder->size() * 2 * sizeof(TraceEvent));
    EXPECT_GT(need.event_bytes, recorded / 2);
    EXPECT_LT(need.event_bytes, recorded * 8);
    EXPECT_GT(
        run_memory(scenario, *load_source(scenario), {.events = true, .report = true}).event_bytes,
        2 * need.event_bytes);
  }
}

}  // namespace
}  // namespace attn
