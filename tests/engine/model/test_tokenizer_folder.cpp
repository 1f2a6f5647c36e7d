// SPDX-License-Identifier: GPL-3.0-or-later
// Ids and texts of folders equal those of transformers, and those of unusual options of
// tokenizer.json equal those of the `tokenizers` library (tests/golden/tokenizer/folders.json).
// Broken files are refused with the place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

using Json = nlohmann::json;
const std::filesystem::path kProject = ATTN_SOURCE_DIR;
const std::filesystem::path kBundled = kProject / "assets/models/tinystories-gqa";

Json read(const std::filesystem::path& file) {
  return Json::parse(read_text_file(file, 1 << 24));
}

void write(const std::filesystem::path& file, const Json& json) {
  std::ofstream(file) << json.dump();
}

// Loads the bundled tokenizer after the JSON merge patch (RFC 7396) `patch` to its tokenizer.json.
// files: a merge patch to its config.json, and further files.
Tokenizer load_patched(const Json& patch, const Json& files) {
  const ScratchFolder folder;
  Json document = read(kBundled / "tokenizer.json"), config = read(kBundled / "config.json");
  document.merge_patch(patch);
  write(folder.path / "tokenizer.json", document);
  for (const auto& [name, content] : files.items()) {
    if (name == "config.json")
      config.merge_patch(content);
    else
      write(folder.path / name, content);
  }
  write(folder.path / "config.json", config);
  return tokenizer_of_folder(folder.path);
}

TEST(TokenizerFolder, EncodesAsTheLibraries) {
  const Json golden = read(kProject / "tests/golden/tokenizer/folders.json");
  const Json &texts = golden["texts"], &variants = golden["variants"];
  ASSERT_GT(variants.size(), 20u);
  for (const Json& variant : variants) {
    SCOPED_TRACE(variant["name"]);
    const Json* answer = &variant;
    for (const Json& other : variants)
      if (variant.value("same_as", "") == other["name"].get<std::string>()) answer = &other;
    const Tokenizer tokenizer =
        load_patched(variant["patch"], variant.value("files", Json::object()));
    ASSERT_EQ((*answer)["ids"].size(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto ids = (*answer)["ids"][i].get<std::vector<int32_t>>();
      EXPECT_EQ(tokenizer.encode(texts[i].get<std::string>()), ids) << texts[i];
      EXPECT_EQ(tokenizer.decode(ids, false), (*answer)["decoded"][i].get<std::string>())
          << texts[i];
    }
  }
}

TEST(TokenizerFolder, OtherFamiliesAndByteLevelFilesAreReadAsTheyAre) {
  const Json llama = {{"tokenizer_config.json", {{"tokenizer_class", "LlamaTokenizer"}}}};
  const std::vector<int32_t> rebuilt{1, 371, 1794}, as_it_is{1, 4614, 371, 1794};
  EXPECT_EQ(load_patched(Json::object(), llama).encode(" Hello"), rebuilt);
  Json mistral = llama;
  mistral["config.json"] = {{"model_type", "mistral"}};
  EXPECT_EQ(load_patched(Json::object(), mistral).encode(" Hello"), as_it_is);
  const Json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
  EXPECT_EQ(
      load_patched({{"pre_tokenizer", byte_level}, {"normalizer", nullptr}}, llama).encode("Hello"),
      load_patched({{"normalizer", nullptr}}, Json::object()).encode("Hello"));
}

TEST(TokenizerFolder, LabelsOfMetaspaceShowSpaces) {
  const Json space = {{"type", "Metaspace"}, {"replacement", "\u2581"}};
  const Tokenizer tokenizer = load_patched(
      {{"pre_tokenizer", space}, {"decoder", space}, {"normalizer", nullptr}}, Json::object());
  EXPECT_EQ(tokenizer.token_text(*tokenizer.find("\u2581the")), " the");
}

TEST(TokenizerFolder, AnAddedTokenMayHaveZerosInFrontOfItsId) {
  Json files = {{"tokenizer_config.json", {{"tokenizer_class", "LlamaTokenizer"}}}};
  Json& added = files["tokenizer_config.json"]["added_tokens_decoder"];
  added = {{"04672", {{"content", "<a>"}}}};
  EXPECT_EQ(load_patched(Json::object(), files).find("<a>"), 4672);
  added["4672"] = {{"content", "<b>"}};
  expect_refused({kBad, "token id is there twice", "$.added_tokens_decoder.4672", "4672", "once"},
                 [&] { load_patched(Json::object(), files); });
}

TEST(TokenizerFolder, BrokenFilesAreRefused) {
  const auto config = [](const Json& options = Json::object()) {
    Json files = {{"tokenizer_config.json", {{"tokenizer_class", "LlamaTokenizer"}}}};
    files["tokenizer_config.json"].update(options);
    return files;
  };
  const auto refused = [](const Refusal& expected, const Json& files) {
    SCOPED_TRACE(expected.where);
    expect_refused(expected, [&] { load_patched(Json::object(), files); });
  };
  refused({kBad, "not an object", "tokenizer_config.json", "array", ""},
          {{"tokenizer_config.json", Json::array()}});
  refused({kBad, "not text", "tokenizer_config.json, $.tokenizer_class", "7", ""},
          config({{"tokenizer_class", 7}}));
  refused({kBad, "not true or false", "tokenizer_config.json, $.legacy", "\"yes\"", ""},
          config({{"legacy", "yes"}}));
  refused({kBad, "not text", "tokenizer_config.json, $.bos_token", "7", ""},
          config({{"bos_token", 7}}));
  refused({kBad, "key is missing", "tokenizer_config.json, $.eos_token", "content", ""},
          config({{"eos_token", Json::object()}}));
  refused({kBad, "token id is not valid", "$.added_tokens_decoder.-1", "-1", "0 to"},
          config({{"added_tokens_decoder", {{"-1", {{"content", "<a>"}}}}}}));
  refused({kBad, "not an object", "$.added_tokens_decoder.4672", "<a>", ""},
          config({{"added_tokens_decoder", {{"4672", "<a>"}}}}));
  refused({kBad, "not true or false", "$.added_tokens_decoder.4672.single_word", "1", ""},
          config({{"added_tokens_decoder", {{"4672", {{"content", "<a>"}, {"single_word", 1}}}}}}));
  refused({kNot, "tokenizer option", "$.split_special_tokens", "true", "false"},
          config({{"split_special_tokens", true}}));
  refused({kBad, "not an array", "$.extra_special_tokens", "", ""},
          config({{"extra_special_tokens", "<a>"}}));
  Json older = config();
  older["added_tokens.json"] = {{"<a>", -4}};
  refused({kBad, "whole number", "added_tokens.json, $[\"<a>\"]", "-4", "0 to"}, older);
  older["added_tokens.json"] = {{"", 4672}};
  refused({kBad, "no usable text", "$.added_tokens", "", ""}, older);
}

TEST(TokenizerFolder, MetaspaceOptionsAreChecked) {
  const auto refused = [](const Json& space, const Refusal& expected) {
    expect_refused(expected, [&] { load_patched({{"pre_tokenizer", space}}, Json::object()); });
  };
  Json space = {{"type", "Metaspace"}};
  refused(space, {ErrorCode::kBadInput, "missing", "$.pre_tokenizer", "replacement", ""});
  space["replacement"] = "ab";
  refused(space,
          {ErrorCode::kBadInput, "not one character", "$.pre_tokenizer.replacement", "ab", ""});
  space["replacement"] = "\u2581";
  space["add_prefix_space"] = false;  // a key of older files
  refused(space, {ErrorCode::kBadInput, "contradicts", "$.pre_tokenizer.add_prefix_space", "false",
                  "never"});
  space["prepend_scheme"] = "sometimes";
  refused(space, {ErrorCode::kBadInput, "unknown", "$.pre_tokenizer.prepend_scheme", "sometimes",
                  "always, first, never"});
}

// A new scan for each token would take 8e12 steps.
TEST(TokenizerFolder, StrippedWhiteSpaceIsWalkedThroughOnce) {
  const Json added = {{"id", 4672}, {"content", "\n"}, {"special", true}, {"rstrip", true}};
  Json tokens = read(kBundled / "tokenizer.json")["added_tokens"];
  tokens.push_back(added);
  const Tokenizer tokenizer = load_patched({{"added_tokens", tokens}}, Json::object());
  EXPECT_EQ(tokenizer.encode(std::string(4'000'000, '\n')).size(), 4'000'001u);
}

}  // namespace
}  // namespace attn
