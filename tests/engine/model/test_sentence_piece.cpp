// SPDX-License-Identifier: GPL-3.0-or-later
// Folders with model files of SentencePiece and no tokenizer.json give the ids and texts of that
// library, Marian's those of transformers (tests/golden/sentence_piece). Broken files are refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/rng.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/describe.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/model/gguf/gguf_bytes.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
const fs::path kPieceCases = fs::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece";

nlohmann::json read_answers(const fs::path& file) {
  return nlohmann::json::parse(read_text_file(file, 1 << 24));
}

class SentencePieceCases : public testing::TestWithParam<const char*> {};

TEST_P(SentencePieceCases, EncodesAndDecodesAsTheLibraries) {
  const fs::path folder = kPieceCases / GetParam();
  const nlohmann::json answers = read_answers(folder / "answers.json");
  nlohmann::json texts = read_answers(kPieceCases / "../tokenizer/kinds/texts.json");
  for (const nlohmann::json& text : answers["more"]) texts.push_back(text);
  const Tokenizer tokenizer = tokenizer_of_folder(folder);
  ASSERT_EQ(answers["ids"].size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto ids = answers["ids"][i].get<std::vector<int32_t>>();
    EXPECT_EQ(tokenizer.encode(texts[i].get<std::string>()), ids) << i << ": " << texts[i];
    EXPECT_EQ(tokenizer.decode(ids), answers["decoded"][i].get<std::string>())
        << i << ": " << texts[i];
  }
}

TEST_P(SentencePieceCases, LabelsAndBytesThatAreNotUtf8) {
  const Tokenizer tokenizer = tokenizer_of_folder(kPieceCases / GetParam());
  for (int32_t token = -1; token <= tokenizer.vocab_size(); ++token) tokenizer.token_text(token);
  for (const int32_t id : tokenizer.encode("a\xff\xc3 b\xe4\xbb")) {
    EXPECT_GE(id, 0);
    EXPECT_LT(id, tokenizer.vocab_size());
  }
  EXPECT_EQ(tokenizer.token_text(tokenizer.find("\u2581").value()), " ");
}

// An algorithm of quadratic time would make this test very slow.
TEST_P(SentencePieceCases, LongRunsAreEncodedAtAll) {
  const Tokenizer tokenizer = tokenizer_of_folder(kPieceCases / GetParam());
  for (const char* unit : {"a", " ", "\u4e16", "the "}) {
    std::string text;
    while (text.size() < 50'000) text += unit;
    tokenizer.encode(text);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SentencePieceCases,
                         testing::Values("bpe_marked", "llama", "marian", "marian_bpe", "suffix",
                                         "t5"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SentencePiece, SaysWhatItIs) {
  const auto kind = [](const char* name) {
    return kind_of(tokenizer_of_folder(kPieceCases / name));
  };
  EXPECT_EQ(kind("marian"), "SentencePiece, Unigram");
  EXPECT_EQ(kind("llama"), "SentencePiece, BPE with byte fallback");
  EXPECT_EQ(steps_of(tokenizer_of_folder(kPieceCases / "marian")),
            (std::vector<std::string>{"normalizer: nmt_nfkc", "pre-tokenizer: none",
                                      "template: TEXT </s>", "decoder: Replace, Fuse, Strip"}));
}

// --- the file, byte by byte ---

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string field(int number, const std::string& content) {
  return varint(static_cast<uint64_t>(number) << 3 | 2) + varint(content.size()) + content;
}
std::string number_field(int number, uint64_t value) {
  return varint(static_cast<uint64_t>(number) << 3) + varint(value);
}
std::string score_field(float score) {
  return varint(2 << 3 | 5) + number_bytes(score);
}
std::string piece(const std::string& text, uint64_t type = 1, float score = -1) {
  return field(1, field(1, text) + score_field(score) + number_field(3, type));
}

struct PieceBytes {
  std::string pieces = piece("<unk>", 2) + piece("a") + piece("b"), trainer = field(2, ""),
              normalizer = field(3, field(1, "identity"));

  std::string bytes() const { return pieces + trainer + normalizer; }
};

void refused(const PieceBytes& file, const Refusal& expected) {
  SCOPED_TRACE(expected.what);
  expect_refused(expected, [&] { PieceFile::read(file.bytes(), "source.spm"); });
}

TEST(SentencePieceFile, RefusesWhatIsBroken) {
  const PieceBytes good;
  EXPECT_EQ(PieceFile::read(good.bytes(), "").pieces.size(), 3u);
  const auto pieces = [&](const std::string& bytes, const Refusal& expected) {
    PieceBytes file = good;
    file.pieces = bytes;
    refused(file, expected);
  };
  const auto more = [&](const std::string& bytes, const Refusal& expected) {
    pieces(good.pieces + bytes, expected);
  };
  const std::string at = "source.spm, byte " + std::to_string(good.pieces.size());
  pieces("", {kBad, "pieces are missing", "source.spm, byte 14", "the end", "pieces"});
  pieces(piece("a"), {kBad, "no piece stands for unknown text", "byte 26", "1 piece", "type 2"});
  more(piece("a"), {kBad, "piece 3 is there twice", at, "\"a\"", "the first one is piece 1"});
  more(piece("<u>", 2), {kBad, "a second piece stands for", at, "piece 3", "piece 0 alone"});
  more(piece(""), {kBad, "piece 3 has no text", at, "", "1 to 1024 bytes"});
  more(piece(std::string(1025, 'x')), {kBad, "text of piece 3", "", "1025 bytes", "1024"});
  more(piece("\xff"), {kBad, "text of piece 3", "", "", "UTF-8"});
  more(piece(std::string("c\0d", 3)), {kBad, "text of piece 3", at.substr(0, 18), "", "NUL"});
  more(piece("c", 7), {kBad, "type of piece 3", "", "7", "1 to 6"});
  more(piece("c", 1, std::numeric_limits<float>::infinity()),
       {kBad, "score of piece 3", "", "inf", "finite"});
  more(piece("c", 6), {kBad, "piece 3 is not the name of a byte", at, "\"c\"", "<0xFF>"});
  more(piece("<0x0a>", 6), {kBad, "piece 3 is not the name of a byte", at, "<0x0a>", "capitals"});
  more(piece("<0x41>", 6), {kBad, "pieces for bytes", at, "1 bytes have a piece", "256"});
  more(number_field(1, 5),
       {kBad, "piece has a wrong wire type", at, "0 (a number)", "2 (a length"});
  more(field(1, number_field(1, 5)), {kBad, "text of a piece has a wrong wire type", "", "0", "2"});
  more(field(1, field(2, "")), {kBad, "score of a piece has a wrong wire", "", "2", "5 (4 bytes)"});
  more(field(1, field(3, "")), {kBad, "type of a piece has a wrong wire type", "", "2", "0"});
  more("\x0b", {kBad, "wire type that is not used", at, "3", "0, 1, 2 or 5"});
  more("\x02\x01x", {kBad, "no valid number", at, "0", "1 to"});
  more("\x0a" + varint(uint64_t{1} << 63), {kBad, "longer than what is left", at, "bytes", "14"});
  more(std::string(1, '\x08') + std::string(10, '\xff'),
       {kBad, "a number is too long", "", "more than 64 bits", ""});
  more(field(1, "\x0a\x7f"), {kBad, "longer than what is left", "", "127 bytes", "0 bytes"});

  PieceBytes file = good;
  file.trainer = field(2, number_field(3, 4));
  refused(file, {kNot, "kind of model", "byte ", "model_type 4", "1 (Unigram), 2 (BPE)"});
  file.trainer = field(2, number_field(35, 1));
  refused(file, {kBad, "pieces for bytes", "byte " + std::to_string(good.pieces.size() + 2),
                 "0 bytes have a piece, and byte_fallback is true", "256"});
  file.trainer = "";
  refused(file, {kBad, "trainer_spec is missing", "", "the end", "trainer_spec"});
  file = good;
  file.normalizer = field(3, field(2, "xy"));
  refused(file, {kBad, "table of characters", "byte ", "2 bytes", "double array"});
  file.normalizer = "";
  refused(file, {kBad, "normalizer_spec is missing", "", "", ""});
  EXPECT_THAT(error_of([] { PieceFile::read("GGUF", "x.model"); })->what(),
              testing::HasSubstr("found GGUF"));
}

TEST(SentencePieceFile, PiecesAroundATextHaveNames) {
  PieceBytes file;
  file.trainer = field(2, field(46, "") + field(47, "[E]"));
  const PieceFile read = PieceFile::read(file.bytes(), "");
  EXPECT_EQ(read.first, "<s>");
  EXPECT_EQ(read.last, "[E]");
}

std::vector<int32_t> ids_of(const PieceBytes& bytes, std::string_view text) {
  const PieceFile file = PieceFile::read(bytes.bytes(), "source.spm");
  TokenIds ids;
  for (size_t id = 0; id < file.pieces.size(); ++id)
    ids[file.pieces[id].text] = static_cast<int32_t>(id);
  std::vector<int32_t> out;
  PieceModel(file, file.unknown, false).encode(text, ids, out);
  return out;
}

TEST(SentencePieceFile, UnknownPartsWithTheTextOfAPieceAreUnknown) {
  PieceBytes file;
  file.normalizer = field(3, field(1, "identity") + number_field(3, 0));  // adds no space in front
  file.pieces = piece("<unk>", 2, 0) + piece("a") + piece("\u00e9", 5) + piece("xy", 5);
  EXPECT_EQ(ids_of(file, "a\u00e9"), (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(ids_of(file, "axya"), (std::vector<int32_t>{1, 0, 1}));
  file.pieces = piece("<unk>", 2, 0) + piece("a") + piece("xyz");
  file.trainer = field(2, number_field(3, 2));
  EXPECT_EQ(ids_of(file, "axyza"), (std::vector<int32_t>{1, 0, 1}));
}

TEST(SentencePieceFile, TextsDoNotGrowWithoutALimit) {
  std::vector<uint32_t> units(256);
  units[0] = 1 << 10;
  units[0x60] = 'a' | 1 << 8 | 2 << 10;
  units[0x62] = 0x80000000;  // its text is at offset 0
  std::string map = number_bytes(static_cast<uint32_t>(units.size() * sizeof units[0]));
  for (const uint32_t unit : units) map += number_bytes(unit);
  map += std::string(1000, 'x') + '\0';
  PieceBytes file;
  file.normalizer = field(3, field(2, map));
  const PieceModel model(PieceFile::read(file.bytes(), "source.spm"), 0, false);
  std::vector<int32_t> ids;
  model.encode("a", {}, ids);
  EXPECT_EQ(ids.size(), 1u);
  expect_refused({kBad, "replacements make a text too long", "tokenizer", "16 times", ""},
                 [&] { model.encode(std::string(1000, 'a'), {}, ids); });
}

TEST(SentencePieceFile, EveryBeginningIsRefused) {
  for (const char* name : {"marian_bpe/source.spm", "t5/spiece.model"}) {
    const std::string bytes = read_text_file(kPieceCases / name, 1 << 20);
    ASSERT_FALSE(PieceFile::read(bytes, name).pieces.empty());
    for (size_t size = 0; size < bytes.size(); ++size) {
      const bool may_end = bytes.substr(size) == std::string("\x2a\x00", 2);
      const auto error =
          error_of([&] { PieceFile::read(std::string_view(bytes).substr(0, size), name); });
      ASSERT_EQ(error.has_value(), !may_end) << name << " " << size;
    }
  }
}

TEST(SentencePieceFile, ChangedFilesAreReadOrRefused) {
  Rng rng(21);
  size_t read = 0, refusals = 0;
  for (const char* name :
       {"marian_bpe/source.spm", "t5/spiece.model", "bpe_marked/tokenizer.model"}) {
    const std::string good = read_text_file(kPieceCases / name, 1 << 20);
    for (int i = 0; i < 1500; ++i) {
      std::string bytes = good;
      for (uint64_t changes = 1 + rng.below(4); changes > 0; --changes) {
        const size_t place = rng.below(bytes.size());
        switch (rng.below(4)) {
          case 0:
            bytes[place] = static_cast<char>(rng.below(256));
            break;
          case 1:
            bytes[place] = static_cast<char>(bytes[place] ^ 1 << rng.below(8));
            break;
          case 2:
            bytes.erase(place, 1 + rng.below(8));
            break;
          default:
            bytes.insert(place, bytes.substr(rng.below(bytes.size()), 1 + rng.below(40)));
        }
        if (bytes.empty()) bytes = "\x0a";
      }
      if (error_of([&] {
            const PieceModel model(PieceFile::read(bytes, name), 0, true);
            std::vector<int32_t> ids;
            model.encode("the licence \u00bd e\u0301 ing <sep> \xff", {}, ids);
            for (const int32_t id : ids) ASSERT_EQ(id, 0);
            ++read;
          }))
        ++refusals;
    }
  }
  EXPECT_GT(read, 300u);
  EXPECT_GT(refusals, 300u);
}

// --- folders ---

// The folder of a Marian of tests/golden/families with small SentencePiece files and a small
// vocab.json, which a test may replace.
class SentencePieceFolder : public testing::Test {
 protected:
  SentencePieceFolder() : model_("marian_1"), folder_(model_.write()) {
    fs::remove(folder_ / "tokenizer.json");
    write_source(PieceBytes());
    std::ofstream(folder_ / "target.spm", std::ios::binary) << PieceBytes().bytes();
    write_vocabulary({{"</s>", 0}, {"<unk>", 1}, {"a", 2}, {"\u2581", 3}});
  }
  void write_source(const PieceBytes& file) {
    std::ofstream(folder_ / "source.spm", std::ios::binary) << file.bytes();
  }
  void write_vocabulary(const nlohmann::json& vocabulary) {
    std::ofstream(folder_ / "vocab.json") << vocabulary;
  }
  void refused(const Refusal& expected) {
    SCOPED_TRACE(expected.what);
    expect_refused(expected, [&] { load_model(folder_); });
  }

  FamilyCase model_;
  fs::path folder_;
};

TEST_F(SentencePieceFolder, AMarianOpens) {
  const auto model = load_model(folder_);
  EXPECT_EQ(model->tokenizer().vocab_size(), 4);
  EXPECT_EQ(model->encode("ab"), (std::vector<int32_t>{3, 2, 1, 0}));
  EXPECT_TRUE(model->decoder_start().has_value());
}

TEST_F(SentencePieceFolder, FilesThatDoNotFitAreRefused) {
  write_vocabulary({{"</s>", 0}, {"a", 1}});
  refused({kBad, "key is missing", "vocab.json", "<unk>", ""});
  write_vocabulary({{"</s>", "0"}, {"<unk>", 1}});
  refused({kBad, "not a whole number", "vocab.json, $[\"</s>\"]", "\"0\"", "0 to 1"});
  write_vocabulary({{"</s>", 0}, {"<unk>", 1}, {"a", 7}});
  refused({kBad, "token ids are not dense", "vocab.json", "7", "0 to"});
  write_vocabulary(nlohmann::json::array());
  refused({kBad, "not an object", "vocab.json", "array", ""});
  nlohmann::json many = {{"</s>", 0}, {"<unk>", 1}};
  for (int i = 2; i < 5000; ++i) many["a" + std::to_string(i)] = i;
  write_vocabulary(many);
  refused({kBad, "vocab.json does not fit config.json", "vocab.json", "5000 tokens", "at most"});
  fs::remove(folder_ / "vocab.json");
  refused({kBad, "cannot be opened", "vocab.json", "nothing there", ""});
  write_vocabulary({{"</s>", 0}, {"<unk>", 1}});
  fs::remove(folder_ / "target.spm");
  refused({kBad, "cannot be opened", "target.spm", "nothing there", ""});
  fs::rename(folder_ / "source.spm", folder_ / "target.spm");
  refused({kBad, "cannot be opened", "source.spm", "nothing there", ""});
  fs::remove(folder_ / "target.spm");
  refused({kBad, "tokenizer is missing", "tokenizer.json", "nothing there", "source.spm"});
}

TEST_F(SentencePieceFolder, ConfigFilesCount) {
  std::ofstream(folder_ / "tokenizer_config.json") << R"({"eos_token":"a"})";
  EXPECT_EQ(load_tokenizer(folder_).encode("b"), (std::vector<int32_t>{3, 1, 2}));
  std::ofstream(folder_ / "tokenizer_config.json") << R"({"separate_vocabs":true})";
  refused(
      {kNot, "a vocabulary for each of the two languages", "$.separate_vocabs", "true", "false"});
}

// --- added tokens ---

// A SentencePiece tokenizer with the pieces <unk>, <s>, </s>, a and b. It adds and drops no spaces.
class SentencePieceAddedTokens : public testing::Test {
 protected:
  SentencePieceAddedTokens() {
    PieceBytes file;
    file.pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("</s>", 3) + piece("a") + piece("b");
    file.normalizer = field(3, field(1, "identity") + number_field(3, 0) + number_field(4, 0));
    write("tokenizer.model", file.bytes());
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_.path / name, std::ios::binary) << text;
  }
  std::vector<int32_t> encode(const char* text) const {
    return tokenizer_of_folder(folder_.path).encode(text);
  }
  void refused(const Refusal& expected) const {
    SCOPED_TRACE(expected.what);
    expect_refused(expected, [&] { tokenizer_of_folder(folder_.path); });
  }

  ScratchFolder folder_;
};
using Ids = std::vector<int32_t>;

TEST_F(SentencePieceAddedTokens, OfAnOlderFolder) {
  EXPECT_EQ(encode("a<x>b"), (Ids{1, 3, 0, 4}));
  write("added_tokens.json", R"({"<y>": 6, "<x>": 5, "a": 3})");
  write("special_tokens_map.json", R"({"bos_token": {"content": "<x>", "lstrip": true},
                                       "additional_special_tokens": ["<z>", "<y>"]})");
  EXPECT_EQ(encode("b<y> <x>a<z>"), (Ids{5, 4, 6, 0, 5, 3, 7}));
  const Tokenizer tokenizer = tokenizer_of_folder(folder_.path);
  EXPECT_EQ(tokenizer.vocab_size(), 8);
  EXPECT_EQ(tokenizer.model_vocab_size(), 5);
  EXPECT_EQ(tokenizer.decode(Ids{5, 3, 6, 4, 7}), "ab");
  EXPECT_EQ(tokenizer.decode(Ids{3, 6}, false), "a<y>");
}

TEST_F(SentencePieceAddedTokens, OfAListInTheConfig) {
  write("added_tokens.json", R"({"<y>": 100})");
  write("special_tokens_map.json", R"({"bos_token": "<nowhere>"})");
  write("tokenizer_config.json",
        R"({"added_tokens_decoder": {"5": {"content": "<x>", "rstrip": true, "special": true},
                                     "1": {"content": "<s>"}},
            "eos_token": "<x>", "add_eos_token": true})");
  EXPECT_EQ(encode("a<x> b"), (Ids{1, 3, 5, 4, 5}));
}

TEST_F(SentencePieceAddedTokens, OfAT5) {
  fs::rename(folder_.path / "tokenizer.model", folder_.path / "spiece.model");
  write("config.json", R"({"model_type": "t5"})");
  write("added_tokens.json", R"({"<x>": 7})");
  write("tokenizer_config.json",
        R"({"extra_ids": 2, "additional_special_tokens": ["<extra_id_0>", "<extra_id_1>"]})");
  EXPECT_EQ(encode("<extra_id_0>a<x><extra_id_1>"), (Ids{6, 3, 7, 5, 2}));
  write("added_tokens.json", R"({"<x>": 5})");
  refused({kBad, "token ids are not dense", "added_tokens.json, $[\"<x>\"]", "5 for \"<x>\"", "7"});
}

TEST_F(SentencePieceAddedTokens, ThatCannotBeAreRefused) {
  write("added_tokens.json", R"({"<x>": 6})");
  refused({kBad, "token ids are not dense", "added_tokens.json, $[\"<x>\"]", "6 for \"<x>\"",
           "5, the first one behind tokenizer.model"});
  write("added_tokens.json", R"({"<x>": 5, "<y>": 5})");
  refused({kBad, "token ids are not dense", "added_tokens.json", "5", "6"});
  write("added_tokens.json", R"({"a": 5})");
  refused({kBad, "added token has another id as well", "$.a", "5 for \"a\"", "3"});
  write("added_tokens.json", R"({"": 5})");
  refused({kBad, "token has no text", "added_tokens.json", "\"\"", "1 byte"});
  write("added_tokens.json", R"({"<x>": "5"})");
  refused({kBad, "not a whole number", "added_tokens.json", "\"5\"", ""});
  write("added_tokens.json", "{}");
  for (const char* key : {"bos_token", "eos_token", "unk_token", "pad_token"}) {
    write("tokenizer_config.json", nlohmann::json{{key, "<x>"}}.dump());
    refused({kBad, "token is not in the vocabulary", std::string("tokenizer_config.json, $.") + key,
             "\"<x>\"", "a token of tokenizer.model or an added token"});
  }
  write("tokenizer_config.json", R"({"additional_special_tokens": "<x>"})");
  refused({kBad, "", "$.additional_special_tokens", "", ""});
  write("tokenizer_config.json", R"({"split_special_tokens": true})");
  refused({kNot, "option is not supported", "$.split_special_tokens", "true", "false"});
}

TEST_F(SentencePieceFolder, AddedTokensFollowTheVocabulary) {
  std::ofstream(folder_ / "added_tokens.json") << R"({"<x>": 4})";
  EXPECT_EQ(load_tokenizer(folder_).encode("a<x>a"), (std::vector<int32_t>{3, 2, 4, 3, 2, 0}));
  std::ofstream(folder_ / "tokenizer_config.json") << R"({"pad_token": "<y>"})";
  refused({kBad, "token is not in the vocabulary", "$.pad_token", "\"<y>\"", "vocab.json"});
}

}  // namespace
}  // namespace attn
