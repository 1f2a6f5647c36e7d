// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of model folders to GGUF files and back: that the result is the same model, or with
// smaller types of weights a similar one. Also conversions that are refused.
#include "engine/model/gguf/convert.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "engine/model/files/gguf.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/text_file.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/engine/model/families/llama_folder.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const fs::path& bundled_folder() {
  static const fs::path folder = fs::path(ATTN_SOURCE_DIR) / "assets/models/tinystories-gqa";
  return folder;
}
fs::path golden_model(const char* name) {
  return fs::path(ATTN_SOURCE_DIR) / "tests/golden/gguf" / name;
}

std::vector<float> logits_of(const fs::path& path, const std::vector<int32_t>& text) {
  const auto model = load_model(path);
  return DenseAttention(*model, 2).step(text);
}

TEST(Convert, AFolderIsTheSameModelInGguf) {
  const ScratchFolder folder;
  const fs::path file = folder.path / "model.gguf";
  const Converted converted = convert_to_gguf(bundled_folder(), file, written_type("f32"));
  EXPECT_EQ(converted.worst, 0);
  EXPECT_EQ(converted.notes, std::vector<std::string>{});
  const auto before = load_model(bundled_folder()), after = load_model(file);
  const std::string text =
      "Once upon a time, there was a little girl named Lily. She said: \"No!\"";
  const std::vector<int32_t> ids = before->encode(text);
  EXPECT_EQ(after->encode(text), ids);
  EXPECT_EQ(after->decode(ids), before->decode(ids));
  EXPECT_EQ(after->stop_tokens(), before->stop_tokens());
  // GGUF stores the base of rotary positions as f32, which rounds that of this model.
  const std::vector<float> is = DenseAttention(*after, 2).step(ids),
                           was = DenseAttention(*before, 2).step(ids);
  for (size_t i = 0; i < was.size(); ++i) ASSERT_NEAR(is[i], was[i], 1e-4) << i;
}

TEST(Convert, AT5IsTheSameModelInAFolder) {
  const ScratchFolder folder;
  const fs::path file = golden_model("t5_4.gguf");
  EXPECT_EQ(convert_to_folder(file, folder.path / "t5", written_type("f32")).worst, 0);
  const FamilyCase source("t5_4");
  const auto before = load_model(file), after = load_model(folder.path / "t5");
  EXPECT_EQ(after->num_parameters(), load_model(source.write())->num_parameters());
  EXPECT_EQ(after->shape().calls, before->shape().calls);
  EXPECT_EQ(after->decoder_start(), before->decoder_start());
  EXPECT_EQ(after->stop_tokens(), before->stop_tokens());
  EXPECT_EQ(after->encode("a cab"), before->encode("a cab"));
  const fs::path back = folder.path / "back.gguf";
  EXPECT_EQ(convert_to_gguf(folder.path / "t5", back, written_type("f32")).worst, 0);
  const GgufFile first = GgufFile::open(file), again = GgufFile::open(back);
  EXPECT_EQ(again.metadata().texts("tokenizer.ggml.tokens"),
            first.metadata().texts("tokenizer.ggml.tokens"));
  EXPECT_EQ(again.metadata().numbers("tokenizer.ggml.scores"),
            first.metadata().numbers("tokenizer.ggml.scores"));
  EXPECT_EQ(again.tensors().size(), first.tensors().size());
  const auto written = load_model(back);
  EXPECT_EQ(written->encode("a cab"), before->encode("a cab"));
  EXPECT_EQ(written->stop_tokens(), before->stop_tokens());
  const fs::path smaller = folder.path / "t5.gguf";
  convert_to_gguf(file, smaller, written_type("q8_0"));
  EXPECT_EQ(load_model(smaller)->num_parameters(), before->num_parameters());
}

// A small T5 with a model file of SentencePiece. User-defined pieces become normal ones.
class T5Folder {
 public:
  T5Folder() {
    const char* const name = "spiece.model";
    pieces_ = read_text_file(fs::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece/t5" / name,
                             1 << 20);
    int64_t count = 0;
    for (size_t at = 0; at < pieces_.size() && pieces_[at] == '\x0a'; ++count) {
      size_t length = static_cast<unsigned char>(pieces_[++at]);
      if (length >= 128) length = length % 128 + 128 * static_cast<unsigned char>(pieces_[++at]);
      at += 1 + length;
      if (pieces_.substr(at - 2, 2) == "\x18\x04") pieces_[at - 1] = 1;
    }
    model.config["vocab_size"] = count + 100;  // <extra_id_99> to <extra_id_0>
    model.config["eos_token_id"] = 1;
    for (auto& [tensor, numbers] : model.tensors)
      if (tensor == "shared.weight" || tensor == "lm_head.weight")
        numbers = hashed_tensor("a/" + tensor, {count + 100, numbers.dim(1)}, 0, 1);
  }
  const fs::path& write() const {
    const fs::path& folder = model.write();
    fs::remove(folder / "tokenizer.json");
    std::ofstream(folder / "spiece.model", std::ios::binary) << pieces_;
    return folder;
  }

  FamilyCase model{"t5_4"};

 private:
  std::string pieces_;
};

TEST(Convert, AT5FolderIsTheSameModelInGguf) {
  T5Folder source;
  source.model.config["decoder_start_token_id"] = 7;
  const fs::path &folder = source.write(), file = folder / "t5.gguf";
  std::ofstream(folder / "generation_config.json")
      << R"({"eos_token_id": [3, 1], "decoder_start_token_id": 2, "suppress_tokens": [9]})";
  const Converted converted = convert_to_gguf(folder, file, written_type("f32"));
  EXPECT_EQ(converted.worst, 0);
  ASSERT_EQ(converted.notes.size(), 1u);
  EXPECT_NE(converted.notes[0].find("such as 9 are never generated"), std::string::npos);
  const auto before = load_model(folder), after = load_model(file);
  EXPECT_EQ(after->num_parameters(), before->num_parameters());
  EXPECT_EQ(after->shape().calls, before->shape().calls);
  EXPECT_EQ(after->shape().max_model_len, before->shape().max_model_len);
  EXPECT_EQ(before->decoder_start(), 2);
  EXPECT_EQ(after->decoder_start(), 2);
  EXPECT_EQ(after->stop_tokens(), (std::vector<int32_t>{1, 3}));
  const auto texts = nlohmann::json::parse(read_text_file(
      fs::path(ATTN_SOURCE_DIR) / "tests/golden/tokenizer/kinds/texts.json", 1 << 24));
  for (const auto& text : texts) {
    const std::vector<int32_t> ids = before->encode(text.get<std::string>());
    EXPECT_EQ(after->encode(text.get<std::string>()), ids) << text;
    EXPECT_EQ(after->decode(ids), before->decode(ids)) << text;
  }
  const std::string hidden = "a <extra_id_0> b<extra_id_99></s>";
  EXPECT_EQ(after->encode(hidden), before->encode(hidden));
  const GgufFile written = GgufFile::open(file);
  const GgufMetadata& says = written.metadata();
  EXPECT_EQ(says.text("general.architecture"), "t5");
  EXPECT_EQ(says.text("tokenizer.ggml.model"), "t5");
  EXPECT_EQ(says.whole("t5.decoder_block_count", 0, 99), 3);
  EXPECT_EQ(says.whole("t5.attention.relative_buckets_count", 0, 99), 16);
  EXPECT_EQ(says.byte_array("tokenizer.ggml.precompiled_charsmap"),
            charsmap_of(folder / "spiece.model"));
  for (const char* name : {"enc.blk.0.attn_rel_b.weight", "dec.blk.2.cross_attn_o.weight",
                           "dec.blk.1.ffn_gate.weight", "output.weight"})
    EXPECT_NE(written.find(name), nullptr) << name;
  convert_to_gguf(folder, file, written_type("q8_0"));
  EXPECT_EQ(load_model(file)->num_parameters(), before->num_parameters());
}

TEST(Convert, RefusesWhatGgufCannotSayOfAT5) {
  const auto with = [](const char* key, const nlohmann::json& value, const Refusal& expected) {
    T5Folder source;
    source.model.config[key] = value;
    const fs::path& folder = source.write();
    expect_refused(expected,
                   [&] { convert_to_gguf(folder, folder / "x.gguf", written_type("f16")); });
    EXPECT_FALSE(fs::exists(folder / "x.gguf"));
  };
  with("relative_attention_max_distance", 64,
       {kNot, "largest distance", "$.relative_attention_max_distance", "64", "128"});
  with("feed_forward_proj", "gated-silu",
       {kNot, "activation of a T5", "$.feed_forward_proj", "gated-silu", "gated-gelu"});
  with("tie_word_embeddings", true,
       {kNot, "logits are scaled", "$.tie_word_embeddings", "true and an output layer", "false"});
  with("eos_token_id", 5,
       {kNot, "the token behind a text does not end a text", "spiece.model", "token 1",
        "eos_token_id"});
  with("eos_token_id", {1, 2, 3, 4},
       {kNot, "so many tokens that end a text", "eos_token_id", "4", "at most 3"});
  const T5Folder source;
  const fs::path& folder = source.write();
  fs::copy_file(fs::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece/t5/spiece.model",
                folder / "spiece.model", fs::copy_options::overwrite_existing);
  expect_refused({kNot, "kind of tokenizer", "spiece.model", "a user defined", "other types"},
                 [&] { convert_to_gguf(folder, folder / "x.gguf", written_type("f16")); });
}

TEST(Convert, QuantisedWeightsAreCloseToTheSource) {
  const ScratchFolder folder;
  for (const char* type : {"f16", "bf16", "q8_0", "q4_0"}) {
    SCOPED_TRACE(type);
    const fs::path file = folder.path / (std::string(type) + ".gguf");
    const Converted converted = convert_to_gguf(bundled_folder(), file, written_type(type));
    EXPECT_EQ(GgufFile::open(file).find("blk.0.attn_q.weight")->type, written_type(type).type);
    EXPECT_EQ(GgufFile::open(file).find("blk.0.attn_norm.weight")->type, ggml_type(0));
    EXPECT_EQ(converted.bytes > 0, true);
    EXPECT_EQ(converted.worst == 0, std::string(type) == "bf16");
  }
}

TEST(Convert, AFileIsTheSameModelAsAFolder) {
  const std::vector<int32_t> text = {1, 7, 5, 30, 12};
  for (const char* name : {"llama.gguf", "gemma2.gguf", "bloom.gguf", "qwen3moe.gguf"}) {
    SCOPED_TRACE(name);
    const ScratchFolder folder;
    convert_to_folder(golden_model(name), folder.path / "model", written_type("f32"));
    EXPECT_EQ(logits_of(folder.path / "model", text), logits_of(golden_model(name), text));
  }
}

TEST(Convert, AFileIsWrittenInAnotherType) {
  const ScratchFolder folder;
  const fs::path file = folder.path / "x.gguf";
  const Converted converted =
      convert_to_gguf(golden_model("llama.gguf"), file, written_type("q8_0"));
  const GgufFile written = GgufFile::open(file);
  EXPECT_EQ(written.find("blk.0.attn_q.weight")->type, ggml_type(1));
  EXPECT_EQ(written.metadata().text("general.name"), "llama");
  EXPECT_EQ(converted.num_tensors, static_cast<int64_t>(written.tensors().size()));
  EXPECT_TRUE(check_model(file, int64_t{1} << 40).problems.empty());
}

TEST(Convert, AResultThatDiffersTooMuchIsNotKept) {
  const ScratchFolder folder;
  const fs::path source = folder.path / "source.gguf", file = folder.path / "model.gguf";
  fs::copy_file(golden_model("llama.gguf"), source);
  const char* const tensor = "blk.0.attn_q.weight";
  const auto set_first = [&](float number) {
    std::fstream stream(source, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(GgufFile::open(source).find(tensor)->begin));
    stream.write(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  ASSERT_EQ(GgufFile::open(source).find(tensor)->type, ggml_type(0));
  set_first(1e6f);
  expect_refused({ErrorCode::kFailed, "differs too much", tensor, "a difference of inf", "in F16"},
                 [&] { convert_to_gguf(source, file, written_type("f16")); });
  EXPECT_FALSE(fs::exists(file));
  EXPECT_GT(convert_to_gguf(source, file, written_type("bf16")).worst, 0);
  const auto bytes_of = [](const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string good = bytes_of(file);
  expect_refused({ErrorCode::kFailed, "differs too much", tensor, "a difference of inf", "in F16"},
                 [&] { convert_to_gguf(source, file, written_type("f16")); });
  EXPECT_TRUE(bytes_of(file) == good) << "an old file is replaced by a checked one only";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 2)
      << "nothing else is left there";
  set_first(std::numeric_limits<float>::quiet_NaN());
  fs::remove(file);
  expect_refused({ErrorCode::kBadInput, "NaN or infinite", tensor, "number 0", "finite"},
                 [&] { convert_to_gguf(source, file, written_type("f16")); });
  EXPECT_FALSE(fs::exists(file));
}

TEST(Convert, RefusesWhatItCannotWrite) {
  LlamaFolder source;
  source.config["rope_scaling"] = {{"rope_type", "linear"}, {"factor", 2.0}};
  source.write();
  const fs::path file = source.path() / "x.gguf";
  expect_refused({kNot, "scaled rotary positions", "config.json", "linear", "default"},
                 [&] { convert_to_gguf(source.path(), file, written_type("f16")); });
  source.config.erase("rope_scaling");
  source.config["model_type"] = "granite";
  source.write();
  expect_refused({kNot, "models of this family", "config.json", "granite", "qwen3"},
                 [&] { convert_to_gguf(source.path(), file, written_type("f16")); });
  for (const char* kind : {"bart_1", "marian_1"}) {
    const FamilyCase model(kind);
    expect_refused({kNot, "llama.cpp has no architecture", "$.model_type", "", "t5"},
                   [&] { convert_to_gguf(model.write(), file, written_type("f16")); });
  }
  const FamilyCase windows("qwen2_2");  // has windows in its upper layers
  const fs::path& folder = windows.write();
  std::ofstream(folder / "tokenizer.json")
      << R"({"model": {"type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
                       "vocab": {"<unk>": 0, "a": 1, "b": 2, "ab": 3}, "merges": ["a b"]}})";
  expect_refused({kNot, "cannot be written as GGUF", "", "other windows", "the same in all layers"},
                 [&] { convert_to_gguf(folder, file, written_type("f16")); });
  source.config["model_type"] = "llama";
  source.write();
  expect_refused({kNot, "this way of cutting texts", "tokenizer.json", "no pre_tokenizer", "GPT-2"},
                 [&] { convert_to_gguf(source.path(), file, written_type("f16")); });
  EXPECT_FALSE(fs::exists(file)) << "nothing is left of what was refused";
}

}  // namespace
}  // namespace attn
