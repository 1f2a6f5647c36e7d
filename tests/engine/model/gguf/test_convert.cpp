// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between folders and GGUF files: the same model comes back, and what cannot be written
// is refused.
#include "engine/model/gguf/convert.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "engine/model/files/gguf.h"
#include "engine/model/load_model.h"
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
  // GGUF stores the base of rotary positions as an f32 number, to which that of this model is
  // rounded.
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
  const fs::path smaller = folder.path / "t5.gguf";
  convert_to_gguf(file, smaller, written_type("q8_0"));
  EXPECT_EQ(load_model(smaller)->num_parameters(), before->num_parameters());
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
    // The weights of the folder are bf16.
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
  // Rows of 16 numbers are no whole blocks of 32.
  EXPECT_EQ(written.find("blk.0.attn_q.weight")->type, ggml_type(1));
  EXPECT_EQ(written.metadata().text("general.name"), "llama");
  EXPECT_EQ(converted.num_tensors, static_cast<int64_t>(written.tensors().size()));
  EXPECT_TRUE(check_model(file, int64_t{1} << 40).problems.empty());
}

// A weight that its new type cannot hold is found by the check of the result, which is then
// removed.
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
  source.config["model_type"] = "llama";
  source.write();
  expect_refused({kNot, "this way of cutting texts", "tokenizer.json", "no pre_tokenizer", "GPT-2"},
                 [&] { convert_to_gguf(source.path(), file, written_type("f16")); });
  EXPECT_FALSE(fs::exists(file)) << "nothing is left of what was refused";
}

}  // namespace
}  // namespace attn
