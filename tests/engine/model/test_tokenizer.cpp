// SPDX-License-Identifier: GPL-3.0-or-later
// Ids and texts equal those of the `tokenizers` library (tests/golden/tokenizer); broken files are
// refused with the place.
#include "engine/model/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/rng.h"
#include "engine/model/tokenizer/models/bpe.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "tests/engine/model/expect_error.h"

namespace attn {
namespace {

using Json = nlohmann::json;
const std::filesystem::path kSourceDir = ATTN_SOURCE_DIR;

const Tokenizer& bundled_tokenizer() {
  static const Tokenizer tokenizer =
      load_tokenizer_json(kSourceDir / "assets/models/tinystories-gqa/tokenizer.json");
  return tokenizer;
}

Json golden(const char* name) {
  return Json::parse(read_text_file(kSourceDir / "tests/golden/tokenizer" / name, 1 << 24));
}

TEST(Tokenizer, EncodesAsTheLibrary) {
  const Json cases = golden("tinystories-gqa.json");
  ASSERT_GT(cases.size(), 100u);
  for (const Json& c : cases) {
    const auto ids = bundled_tokenizer().encode(c["text"].get<std::string>(),
                                                c["add_special_tokens"].get<bool>());
    EXPECT_EQ(ids, c["ids"].get<std::vector<int32_t>>()) << c["name"];
    EXPECT_EQ(bundled_tokenizer().decode(ids), c["decoded"].get<std::string>()) << c["name"];
    EXPECT_EQ(bundled_tokenizer().decode(ids, false), c["decoded_with_special"].get<std::string>())
        << c["name"];
  }
}

TEST(Tokenizer, DecodesOddIdsAsTheLibrary) {
  const Json cases = golden("tinystories-gqa-decode.json");
  ASSERT_GT(cases.size(), 10u);
  for (const Json& c : cases) {
    const auto ids = c["ids"].get<std::vector<int32_t>>();
    for (size_t i = 0; i < ids.size(); ++i)
      EXPECT_EQ(bundled_tokenizer().piece(ids[i]), c["tokens"][i].get<std::string>()) << c["name"];
    EXPECT_EQ(bundled_tokenizer().decode(ids), c["decoded"].get<std::string>()) << c["name"];
    EXPECT_EQ(bundled_tokenizer().decode(ids, false), c["decoded_with_special"].get<std::string>())
        << c["name"];
  }
}

TEST(Tokenizer, RandomTextComesBack) {
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (uint64_t i = rng.below(40) + 1; i > 0; --i) {
      const std::string_view pieces[] = {"a",  "the", " ", "\n",   "\t",   "7", "é",
                                         "猫", "😀",   ".", "Lily", "\x01", "<", "s>"};
      text += pieces[rng.below(std::size(pieces))];
    }
    if (text.find("<s>") != std::string::npos) continue;
    EXPECT_EQ(bundled_tokenizer().decode(bundled_tokenizer().encode(text)), text);
  }
}

TEST(Tokenizer, BytesThatAreNotUtf8BecomeByteTokens) {
  const std::vector<int32_t> ids = bundled_tokenizer().encode("a\xff\xc3", false);
  ASSERT_GE(ids.size(), 3u);
  EXPECT_EQ(ids[ids.size() - 2], 3 + 0xff);
  EXPECT_EQ(ids[ids.size() - 1], 3 + 0xc3);
  EXPECT_EQ(bundled_tokenizer().decode(std::vector<int32_t>{-1, 1 << 30, 262}), "a");
}

TEST(Tokenizer, LabelsKeepSpacesAndShowBytes) {
  EXPECT_EQ(bundled_tokenizer().token_text(1), "<s>");
  EXPECT_EQ(bundled_tokenizer().token_text(3 + 0x0a), "\n");
  EXPECT_EQ(bundled_tokenizer().token_text(3 + 0x07), "<0x07>");
  EXPECT_EQ(bundled_tokenizer().token_text(3 + 0xe4), "<0xE4>");
  EXPECT_EQ(bundled_tokenizer().token_text(3 + '7'), "7");
  EXPECT_EQ(bundled_tokenizer().token_text(*bundled_tokenizer().find("▁the")), " the");
  EXPECT_EQ(bundled_tokenizer().token_text(-5), "<-5>");
}

// An algorithm of quadratic time would make this test very slow.
TEST(Tokenizer, LongTextsAreEncodedAtAll) {
  for (const char* unit : {"a", " ", "é", "the", "ab", "😀", " a"}) {
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    EXPECT_EQ(bundled_tokenizer().decode(bundled_tokenizer().encode(text)), text) << unit;
  }
}

// --- files that are refused ---

Json small() {
  Json vocab = {{"<unk>", 0}, {"<s>", 1}, {"a", 2}, {"b", 3}, {"ab", 4}};
  return {
      {"version", "1.0"},
      {"added_tokens", {{{"id", 1}, {"content", "<s>"}, {"special", true}}}},
      {"normalizer", nullptr},
      {"model", {{"type", "BPE"}, {"unk_token", "<unk>"}, {"vocab", vocab}, {"merges", {"a b"}}}}};
}

Tokenizer parse(const Json& json) {
  return parse_tokenizer(json.dump(), "tokenizer.json");
}

struct BadFile {
  const char* name;
  const char* patch;  // a JSON Patch (RFC 6902)
  Refusal expected;
};

void PrintTo(const BadFile& file, std::ostream* out) {
  *out << file.name;
}

class TokenizerRefuses : public testing::TestWithParam<BadFile> {};

TEST_P(TokenizerRefuses, WithPlaceAndReason) {
  const Json bad = small().patch(Json::parse(GetParam().patch));
  expect_refused(GetParam().expected, [&] { parse(bad); });
}

INSTANTIATE_TEST_SUITE_P(
    Files, TokenizerRefuses,
    testing::Values(
        BadFile{"negative_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":-1}])",
                {kBad, "token id is not valid", "$.model.vocab.b", "-1", "0 to"}},
        BadFile{"fraction_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":3.5}])",
                {kBad, "token id is not valid", "$.model.vocab.b", "3.5", "0 to"}},
        BadFile{"text_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":"3"}])",
                {kBad, "token id is not valid", "$.model.vocab.b", "\"3\"", "0 to"}},
        BadFile{"huge_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":18446744073709551615}])",
                {kBad, "token id is not valid", "$.model.vocab.b", "18446744073709551615", "0 to"}},
        BadFile{"far_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":900000}])",
                {kBad, "not dense", "$.model.vocab.b", "900000", "0 to 5"}},
        BadFile{"gap",
                R"([{"op":"replace","path":"/model/vocab/ab","value":5}])",
                {kBad, "not dense", "$.model.vocab", "no token 4", "each once"}},
        BadFile{"duplicate_id",
                R"([{"op":"replace","path":"/model/vocab/b","value":2}])",
                {kBad, "same id", "$.model.vocab.b", "2 for", "each id once"}},
        BadFile{"merge_unknown",
                R"([{"op":"add","path":"/model/merges/-","value":"a z"}])",
                {kBad, "merge of an unknown token", "$.model.merges[1]", "\"z\"", "vocab"}},
        BadFile{"merge_result_unknown",
                R"([{"op":"add","path":"/model/merges/-","value":"b a"}])",
                {kBad, "merge of an unknown token", "$.model.merges[1]", "\"ba\"", "vocab"}},
        BadFile{"merge_not_pair",
                R"([{"op":"add","path":"/model/merges/-","value":"a b ab"}])",
                {kBad, "merge is not a pair", "$.model.merges[1]", "\"a b ab\"", "left right"}},
        BadFile{"merge_number",
                R"([{"op":"add","path":"/model/merges/-","value":[1,2]}])",
                {kBad, "merge is not a pair", "$.model.merges[1]", "array", "left right"}},
        BadFile{"no_vocab",
                R"([{"op":"remove","path":"/model/vocab"}])",
                {kBad, "key is missing", "$.model", "vocab", ""}},
        BadFile{"no_model",
                R"([{"op":"remove","path":"/model"}])",
                {kBad, "key is missing", "$", "model", ""}},
        BadFile{"vocab_list",
                R"([{"op":"replace","path":"/model/vocab","value":["a"]}])",
                {kBad, "not an object", "$.model.vocab", "array", ""}},
        BadFile{"unknown_unk",
                R"([{"op":"replace","path":"/model/unk_token","value":"?"}])",
                {kBad, "not in the vocabulary", "$.model.unk_token", "\"?\"", ""}},
        BadFile{"added_other_id",
                R"([{"op":"replace","path":"/added_tokens/0/id","value":3}])",
                {kBad, "another id", "$.added_tokens[0].id", "3", "1"}},
        BadFile{"added_far_id",
                R"([{"op":"add","path":"/added_tokens/-","value":{"id":77,"content":"<x>"}}])",
                {kBad, "not dense", "$.added_tokens[1].id", "77", "0 to 6"}},
        BadFile{"added_twice",
                R"([{"op":"copy","from":"/added_tokens/0","path":"/added_tokens/1"}])",
                {kBad, "there twice", "$.added_tokens[1].content", "<s>", ""}},
        BadFile{"added_empty",
                R"([{"op":"replace","path":"/added_tokens/0/content","value":""}])",
                {kBad, "no usable text", "$.added_tokens[0].content", "\"\"", ""}},
        BadFile{"model",
                R"([{"op":"replace","path":"/model/type","value":"Char"}])",
                {kNot, "tokenizer model is not supported", "$.model", "Char", "WordPiece"}},
        BadFile{"dropout",
                R"([{"op":"add","path":"/model/dropout","value":0.1}])",
                {kNot, "tokenizer option is not supported", "$.model.dropout", "0.1", "null"}},
        BadFile{"pre_tokenizer",
                R"([{"op":"add","path":"/pre_tokenizer","value":{"type":"UnicodeScripts"}}])",
                {kNot, "pre-tokenizer is not supported", "$.pre_tokenizer.type", "UnicodeScripts",
                 "ByteLevel"}},
        BadFile{"normalizer",
                R"([{"op":"replace","path":"/normalizer","value":{"type":"Reverse"}}])",
                {kNot, "normalizer is not supported", "$.normalizer.type", "Reverse", "Prepend"}},
        BadFile{"decoder",
                R"([{"op":"add","path":"/decoder","value":{"type":"CTC"}}])",
                {kNot, "decoder is not supported", "$.decoder.type", "CTC", "ByteLevel"}},
        BadFile{"post_processor",
                R"([{"op":"add","path":"/post_processor","value":{"type":"Other"}}])",
                {kNot, "post-processor is not supported", "$.post_processor.type", "Other",
                 "BertProcessing"}},
        BadFile{
            "pattern_not_closed",
            R"([{"op":"replace","path":"/normalizer","value":{"type":"Replace","pattern":{"Regex":"a(b"},"content":"x"}}])",
            {kBad, "regular expression is not valid", "$.normalizer.pattern.Regex",
             "a bracket is not closed, at byte 1", "Oniguruma"}},
        BadFile{
            "pattern_not_supported",
            R"([{"op":"add","path":"/pre_tokenizer","value":{"type":"Split","pattern":{"Regex":"(a)\\1"},"behavior":"Isolated","invert":false}}])",
            {kNot, "regular expression is not supported", "$.pre_tokenizer.pattern.Regex",
             "\\1, at byte 4", "sets"}},
        BadFile{
            "pattern_kind",
            R"([{"op":"replace","path":"/normalizer","value":{"type":"Replace","pattern":"a","content":"x"}}])",
            {kBad, "pattern is not valid", "$.normalizer.pattern", "\"a\"", "String or Regex"}},
        BadFile{
            "behavior",
            R"([{"op":"add","path":"/pre_tokenizer","value":{"type":"Punctuation","behavior":"Kept"}}])",
            {kBad, "behavior is unknown", "$.pre_tokenizer.behavior", "Kept", "Isolated"}},
        BadFile{
            "charsmap",
            R"([{"op":"replace","path":"/normalizer","value":{"type":"Precompiled","precompiled_charsmap":"AAAA?"}}])",
            {kBad, "table of characters is not valid", "$.normalizer.precompiled_charsmap", "5",
             "base64"}},
        BadFile{
            "unigram_entry",
            R"([{"op":"replace","path":"/model","value":{"type":"Unigram","vocab":[["a",-1],["b"]],"unk_id":0}}])",
            {kBad, "no text and score", "$.model.vocab[1]", "array", "[text, number]"}},
        BadFile{
            "unigram_unknown",
            R"([{"op":"replace","path":"/model","value":{"type":"Unigram","vocab":[["a",-1],["<s>",-2]],"unk_id":2}}])",
            {kBad, "whole number", "$.model.unk_id", "2", "0 to 1"}},
        BadFile{
            "word_piece_unknown",
            R"([{"op":"replace","path":"/model","value":{"type":"WordPiece","vocab":{"a":0,"<s>":1},"unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100}}])",
            {kBad, "not in the vocabulary", "$.model.unk_token", "[UNK]", ""}},
        BadFile{"merge_prefix",
                R"([{"op":"add","path":"/model/continuing_subword_prefix","value":"##"}])",
                {kBad, "without the prefix", "$.model.merges[0]", "\"b\"", "##"}},
        BadFile{
            "bert_pair",
            R"([{"op":"add","path":"/post_processor","value":{"type":"BertProcessing","sep":["b",3],"cls":["a",9]}}])",
            {kBad, "whole number", "$.post_processor.cls[1]", "9", "0 to 4"}},
        BadFile{
            "template_pair",
            R"([{"op":"add","path":"/post_processor","value":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"B"}}]}}])",
            {kNot, "template", "$.post_processor.single[0]", "", ""}},
        BadFile{
            "template_id",
            R"([{"op":"add","path":"/post_processor","value":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}],"special_tokens":{"<s>":{"ids":[5]}}}}])",
            {kBad, "whole number", "$.post_processor.special_tokens[\"<s>\"].ids[0]", "5",
             "0 to 4"}}),
    [](const auto& test) { return test.param.name; });

TEST(TokenizerRefuses, SequencesNestedTooDeep) {
  const auto nested = [](int depth) {
    Json step = {{"type", "Prepend"}, {"prepend", "_"}};
    for (int i = 0; i < depth; ++i)
      step = {{"type", "Sequence"}, {"normalizers", Json::array({step})}};
    return step;
  };
  Json json = small();
  json["normalizer"] = nested(32);
  EXPECT_NO_THROW(parse(json));
  json["normalizer"] = nested(33);
  expect_refused({kBad, "nested too deep", "$.normalizer.normalizers[0]", "32", "32"},
                 [&] { parse(json); });
  json["normalizer"] = nested(200);
  expect_refused({kBad, "nested too deep", "$.normalizer", "", ""}, [&] { parse(json); });
}

TEST(TokenizerRefuses, DuplicateKeysAndMissingFile) {
  expect_refused({kBad, "duplicate key", "$.model.vocab.a", "a", ""}, [] {
    parse_tokenizer(R"({"model":{"vocab":{"a":0,"a":1},"merges":[]}})", "tokenizer.json");
  });
  expect_refused({kBad, "cannot be opened", "nowhere.json", "", ""},
                 [] { load_tokenizer_json("/nowhere/nowhere.json"); });
}

TEST(TokenizerRefuses, EveryPrefixOfAFile) {
  const std::string text = small().dump();
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_TRUE(error_of([&] { parse_tokenizer(text.substr(0, length), "cut"); })) << length;
}

// --- options the bundled file does not use ---

TEST(Tokenizer, AddedTokensStripSpaceAndMatchTheLongest) {
  Json json = small();
  json["added_tokens"].push_back(
      {{"id", 5}, {"content", "<x>"}, {"special", true}, {"lstrip", true}, {"rstrip", true}});
  json["added_tokens"].push_back(
      {{"id", 6}, {"content", "<x>y"}, {"special", false}, {"normalized", false}});
  const Tokenizer tokenizer = parse(json);
  EXPECT_EQ(tokenizer.encode("ab \u2003 <x>  ab"), (std::vector<int32_t>{4, 5, 4}));
  EXPECT_EQ(tokenizer.encode("<x>y<x>"), (std::vector<int32_t>{6, 5}));
  EXPECT_EQ(tokenizer.vocab_size(), 7);
}

TEST(Tokenizer, UnknownCharactersFuseWhenAsked) {
  Json json = small();
  EXPECT_EQ(parse(json).encode("azzb"), (std::vector<int32_t>{2, 0, 0, 3}));
  json["model"]["fuse_unk"] = true;
  EXPECT_EQ(parse(json).encode("azzb"), (std::vector<int32_t>{2, 0, 3}));
  json["model"].erase("unk_token");
  EXPECT_EQ(parse(json).encode("azzb"), (std::vector<int32_t>{4}));
}

TEST(Tokenizer, LowestRankMergesFirstAndLeftmostAmongEquals) {
  Json json = small();
  json["model"]["vocab"] = {{"a", 0},  {"b", 1},  {"c", 2},     {"ab", 3},
                            {"bc", 4}, {"aa", 5}, {"<unk>", 6}, {"<s>", 7}};
  json["added_tokens"][0]["id"] = 7;
  json["model"]["merges"] = Json::parse(R"([["b","c"],["a","b"],["a","a"]])");
  EXPECT_EQ(parse(json).encode("abc"), (std::vector<int32_t>{0, 4}));
  EXPECT_EQ(parse(json).encode("aaa"), (std::vector<int32_t>{5, 0}));
  EXPECT_EQ(parse(json).encode("aab"), (std::vector<int32_t>{0, 3}));
}

// BPE by its definition: the pair with the lowest rank merges first, the leftmost among equals.
std::vector<int32_t> merged_plainly(std::vector<int32_t> symbols,
                                    const std::map<std::pair<int32_t, int32_t>, int32_t>& ranks,
                                    const std::vector<int32_t>& becomes) {
  for (;;) {
    int32_t best = std::numeric_limits<int32_t>::max();
    size_t place = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = ranks.find({symbols[i], symbols[i + 1]});
      if (found == ranks.end() || found->second >= best) continue;
      best = found->second;
      place = i;
    }
    if (best == std::numeric_limits<int32_t>::max()) return symbols;
    symbols[place] = becomes[static_cast<size_t>(best)];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

TEST(Tokenizer, CuttingATextChangesNoToken) {
  Rng rng(7);
  size_t cuts = 0, whole = 0;
  for (int round = 0; round < 300; ++round) {
    BpeModel model;
    TokenIds ids;
    std::vector<std::string> texts;
    const int characters = 2 + static_cast<int>(rng.below(6));
    for (int c = 0; c < characters; ++c)
      texts.push_back(std::string(1, static_cast<char>('a' + c)));
    std::map<std::pair<int32_t, int32_t>, int32_t> ranks;
    std::vector<int32_t> becomes;
    for (int i = 0; i < 2 + static_cast<int>(rng.below(12)); ++i) {
      const auto left = static_cast<int32_t>(rng.below(texts.size()));
      const auto right = static_cast<int32_t>(rng.below(texts.size()));
      if (!ranks.emplace(std::pair{left, right}, i).second) {
        becomes.push_back(-1);
        continue;
      }
      const bool other = round % 3 == 0 && rng.below(4) == 0;  // the merge gives any existing token
      const std::string joined =
          texts[static_cast<size_t>(left)] + texts[static_cast<size_t>(right)];
      auto token = static_cast<int32_t>(std::ranges::find(texts, joined) - texts.begin());
      if (other) token = static_cast<int32_t>(rng.below(texts.size()));
      if (token == static_cast<int32_t>(texts.size())) texts.push_back(joined);
      becomes.push_back(token);
      model.merges.set(left, right, {static_cast<uint32_t>(i), token});
      model.joints.add(left, right, token);
    }
    model.joints.finish();
    for (size_t id = 0; id < texts.size(); ++id) ids.emplace(texts[id], static_cast<int32_t>(id));
    for (int text = 0; text < 20; ++text) {
      std::string word;
      std::vector<int32_t> symbols, found;
      for (uint64_t i = 0; i < 1 + rng.below(30); ++i) {
        const auto c = static_cast<int32_t>(rng.below(static_cast<uint64_t>(characters)));
        if (!symbols.empty()) ++(model.joints.may_join(symbols.back(), c) ? whole : cuts);
        symbols.push_back(c);
        word += static_cast<char>('a' + c);
      }
      model.encode(word, ids, found);
      EXPECT_EQ(found, merged_plainly(symbols, ranks, becomes)) << round << " " << word;
    }
  }
  EXPECT_GT(cuts, 1000u);
  EXPECT_GT(whole, 1000u);
}

}  // namespace
}  // namespace attn
