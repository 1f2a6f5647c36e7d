// SPDX-License-Identifier: GPL-3.0-or-later
// Model folders, tried on a small Llama: what is read, what is ignored, and what is refused. The
// meaning of keys is that of transformers (models/llama, models/mistral, tie_weights,
// create_causal_mask, adjust_generation_fn).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/model/load_model.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/llama_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Logits = std::vector<float>;

constexpr int64_t kPlenty = int64_t{1} << 40;

class LlamaFolderTest : public testing::Test, protected LlamaFolder {
 protected:
  std::unique_ptr<Model> load() const {
    write();
    return load_model(path());
  }
  Logits logits() const { return DenseAttention(*load(), 1).step({0, 1, 2, 3, 4}); }

  void refused(const Refusal& expected) const {
    write();
    const ModelCheck check = check_model(path(), kPlenty);
    const auto is_expected = [&](const Error& error) {
      const ErrorParts& parts = error.parts();
      const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
      };
      return error.code() == expected.code && has(parts.what, expected.what) &&
             has(parts.where, expected.where) && has(parts.found, expected.found) &&
             has(parts.allowed, expected.allowed);
    };
    const auto found = std::ranges::find_if(check.problems.all(), is_expected);
    ASSERT_NE(found, check.problems.all().end())
        << expected.what << " is not among:\n"
        << fmt::format("{}", fmt::join(check.problems.sentences(), "\n"));
    const auto error = error_of([&] { load_model(path()); });
    ASSERT_TRUE(error);
    EXPECT_THAT(error->what(), HasSubstr(found->what()));
  }
  void refused_with(const char* key, Json value, const Refusal& expected) {
    SCOPED_TRACE(key);
    const Json good = config;
    config[key] = std::move(value);
    refused(expected);
    config = good;
  }
};

TEST_F(LlamaFolderTest, LoadsInEveryElementType) {
  const auto model = load();
  EXPECT_EQ(model->shape().head_size, kSize);
  EXPECT_EQ(model->shape().name, path().filename().string());
  EXPECT_THAT(model->notes(), IsEmpty());
  for (const DType dtype : {DType::kBF16, DType::kF16, DType::kF64}) {
    SCOPED_TRACE(name_of(dtype));
    LlamaFolder rounded, widened;
    rounded.config = widened.config = config;
    for (const auto& [name, tensor] : tensors) {
      rounded.tensors[name] = convert(tensor, dtype);
      widened.tensors[name] = convert(rounded.tensors[name], DType::kF32);
    }
    rounded.write();
    widened.write();
    const auto a = load_model(rounded.path()), b = load_model(widened.path());
    EXPECT_EQ(DenseAttention(*a, 1).step({0, 1, 2, 3, 4}),
              DenseAttention(*b, 1).step({0, 1, 2, 3, 4}));
  }
}

TEST_F(LlamaFolderTest, AnOwnOutputEmbeddingIsUsed) {
  const std::string input = "model.embed_tokens.weight", output = "lm_head.weight";
  const Logits own = logits();
  config["tie_word_embeddings"] = true;
  EXPECT_EQ(logits(), own);
  EXPECT_TRUE(check_model(path(), kPlenty).has_own_head);

  const Tensor table = std::move(tensors[output]);
  tensors.erase(output);
  const Logits tied = logits();
  EXPECT_NE(tied, own);
  EXPECT_FALSE(check_model(path(), kPlenty).has_own_head);
  tensors[output] = std::move(tensors[input]);
  tensors.erase(input);
  EXPECT_EQ(logits(), tied);
  config["tie_word_embeddings"] = false;
  refused({kBad, "tensor is missing", "model.safetensors", input, "[5, 12]"});
}

TEST_F(LlamaFolderTest, StopTokensAreThoseOfGenerationConfig) {
  EXPECT_THAT(load()->stop_tokens(), IsEmpty());
  config["eos_token_id"] = 2;
  EXPECT_THAT(load()->stop_tokens(), ElementsAre(2));
  config["eos_token_id"] = Json::array({1, 2, 1});
  EXPECT_THAT(load()->stop_tokens(), ElementsAre(1, 2));
  write_json("generation_config.json", {{"eos_token_id", Json::array({4, 3})}});
  EXPECT_THAT(load()->stop_tokens(), ElementsAre(4, 3));
  write_json("generation_config.json", {{"eos_token_id", 0}});
  EXPECT_THAT(load()->stop_tokens(), ElementsAre(0));
  write_json("generation_config.json", {{"do_sample", true}});
  EXPECT_THAT(load()->stop_tokens(), IsEmpty());

  write_json("generation_config.json", {{"eos_token_id", Json::array({1, 5})}});
  refused({kBad, "not a whole number", "generation_config.json, $.eos_token_id[1]", "5", "0 to 4"});
  write_json("generation_config.json", {{"eos_token_id", std::vector<int>(257, 1)}});
  refused({kBad, "too many", "generation_config.json, $.eos_token_id", "257", "256"});
  std::ofstream(path() / "generation_config.json") << "[1";
  refused({kBad, "", "generation_config.json", "", ""});
}

TEST_F(LlamaFolderTest, NotesKeysThatWouldChooseOtherTokens) {
  config.update({{"num_beams", 1}, {"repetition_penalty", 1.0}, {"forced_eos_token_id", nullptr}});
  config.update({{"min_length", 0}, {"begin_suppress_tokens", Json::array()}});
  EXPECT_THAT(load()->notes(), IsEmpty());
  config["forced_bos_token_id"] = 0;
  config["num_beams"] = 4;
  EXPECT_THAT(load()->notes(),
              ElementsAre("config.json has forced_bos_token_id, num_beams, which are ignored: "
                          "tokens are chosen as if they were not there."));
  write_json("generation_config.json", {{"begin_suppress_tokens", {1}}, {"temperature", 0.5}});
  EXPECT_THAT(load()->notes(),
              ElementsAre("generation_config.json has begin_suppress_tokens, which is ignored: "
                          "tokens are chosen as if it were not there."));
}

TEST_F(LlamaFolderTest, TokensThatAreNeverGenerated) {
  EXPECT_THAT(load()->suppressed_tokens(), IsEmpty());
  config["eos_token_id"] = 2;
  config["bad_words_ids"] = {{4}, {2}, {1}};
  EXPECT_THAT(load()->suppressed_tokens(), ElementsAre(1, 4));
  EXPECT_THAT(load()->notes(), IsEmpty());
  write_json("generation_config.json",
             {{"eos_token_id", 2}, {"bad_words_ids", {{3}, {1, 4}}}, {"suppress_tokens", {2, 3}}});
  EXPECT_THAT(load()->suppressed_tokens(), ElementsAre(2, 3));
  EXPECT_EQ(check_model(path(), kPlenty).suppressed_tokens, load()->suppressed_tokens());
  EXPECT_THAT(load()->notes(),
              ElementsAre("generation_config.json has bad_words_ids of several tokens, which is "
                          "ignored: tokens are chosen as if it were not there."));
  const auto with = [&](const char* key, Json value, const Refusal& expected) {
    write_json("generation_config.json", {{key, std::move(value)}});
    refused(expected);
  };
  with(
      "bad_words_ids", {{1}, {5}},
      {kBad, "not a whole number", "generation_config.json, $.bad_words_ids[1][0]", "5", "0 to 4"});
  with("bad_words_ids", {1}, {kBad, "not an array", "$.bad_words_ids[0]", "1", ""});
  with("bad_words_ids", Json::array({Json::array()}),
       {kBad, "word has no tokens", "$.bad_words_ids[0]", "[]", "ids"});
  with("suppress_tokens", 7, {kBad, "not an array", "$.suppress_tokens", "7", ""});
  with("suppress_tokens", std::vector<int>(10'001, 1),
       {kBad, "too long", "$.suppress_tokens", "10001", "10000"});
}

TEST_F(LlamaFolderTest, RefusesConfigsByName) {
  const auto with = [&](const char* key, Json value, const Refusal& expected) {
    refused_with(key, std::move(value), expected);
  };
  with("model_type", "mamba",
       {kNot, "model family is not supported", "$.model_type", "mamba", "mistral"});
  with("rope_scaling", {{"rope_type", "proportional"}, {"factor", 8.0}},
       {kNot, "scaled in this way", "$.rope_scaling.rope_type", "proportional", "longrope"});
  with("rope_scaling", {{"factor", 2.0}},
       {kNot, "without a type", "$.rope_scaling", "object", "null"});
  with("rope_parameters", {{"full_attention", {{"rope_theta", 1e4}}}},
       {kNot, "differ by layer", "$.rope_parameters.full_attention", "object", "one set"});
  with("attention_bias", true, {kBad, "missing", "", "self_attn.q_proj.bias", "[24]"});
  with("mlp_bias", 1, {kBad, "", "$.mlp_bias", "1", ""});
  with("hidden_act", "mish", {kNot, "activation", "$.hidden_act", "mish", "silu"});
  with("is_causal", false, {kNot, "see later tokens", "$.is_causal", "false", "true"});
  with("is_causal", nullptr, {kNot, "see later tokens", "$.is_causal", "null", "true"});
  with("quantization_config", {{"bits", 4}},
       {kNot, "quantised", "$.quantization_config", "", "bf16"});
  with("hidden_size", 0, {kBad, "not a whole number", "$.hidden_size", "0", "1 to"});
  with("hidden_size", -3, {kBad, "not a whole number", "$.hidden_size", "-3", "1 to"});
  with("hidden_size", 12.5, {kBad, "not a whole number", "$.hidden_size", "12.5", "1 to"});
  with("hidden_size", "12", {kBad, "not a whole number", "$.hidden_size", "\"12\"", "1 to"});
  with("num_hidden_layers", 18446744073709551615u,
       {kBad, "not a whole number", "$.num_hidden_layers", "18446744073709551615", "254"});
  with("num_key_value_heads", 3,
       {kBad, "does not divide the number of query heads", "$.num_key_value_heads", "4 query and 3",
        "divides"});
  with("head_dim", 5, {kBad, "head size is odd", "$.head_dim", "5", "even"});
  with("head_dim", kMostHeadSize + 1,
       {kBad, "not a whole number", "$.head_dim", "1025", "1 to 1024"});
  with("rope_theta", 0, {kBad, "not a number", "$.rope_theta", "0", ""});
  config["rms_norm_eps"] = nullptr;  // null: the default
  EXPECT_NO_THROW(load());
}

TEST_F(LlamaFolderTest, KeysThatChangeNothingAreTaken) {
  const Logits plain = logits();
  config["hidden_act"] = "swish";  // another name of silu
  config["is_causal"] = true;
  EXPECT_EQ(logits(), plain);
  EXPECT_THAT(load()->notes(), IsEmpty());

  config["sliding_window"] = 4;
  config["partial_rotary_factor"] = 0.5;
  config["rope_parameters"] = {{"rope_type", "default"}, {"partial_rotary_factor", 0.5}};
  EXPECT_EQ(logits(), plain);
  EXPECT_THAT(load()->notes(), ElementsAre(HasSubstr("partial_rotary_factor (0.5) has no effect"),
                                           HasSubstr("partial_rotary_factor (0.5) has no effect"),
                                           HasSubstr("sliding_window (4) has no effect")));
  EXPECT_EQ(load()->shape().max_model_len, 64);
}

TEST_F(LlamaFolderTest, OfTwoRotarySettingsTheOlderNameCounts) {
  config["rope_theta"] = 500.0;
  const Logits expected = logits();
  config["rope_theta"] = 10000.0;
  config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 500.0}};
  EXPECT_EQ(logits(), expected);
  config["rope_scaling"] = {{"type", "default"}};
  EXPECT_NE(logits(), expected);
  config["rope_theta"] = 500.0;
  EXPECT_EQ(logits(), expected);
}

TEST_F(LlamaFolderTest, MistralIsTheSameNetworkButForItsWindow) {
  const Logits plain = logits();
  config["model_type"] = "mistral";
  config["attention_bias"] = true;
  config["sliding_window"] = nullptr;
  EXPECT_EQ(logits(), plain);
  EXPECT_THAT(load()->notes(), IsEmpty());
  EXPECT_EQ(load()->shape().max_model_len, 64);
  config["sliding_window"] = 64;
  EXPECT_THAT(load()->notes(), IsEmpty());
  EXPECT_TRUE(load()->shape().calls.empty());  // a window of 64 would hide nothing
  config["sliding_window"] = 5;
  EXPECT_EQ(logits(), plain);
  EXPECT_EQ(load()->shape().max_model_len, 64);
  EXPECT_EQ(load()->shape().calls.at(0).sliding_window, 5);
  config["sliding_window"] = 4;
  EXPECT_NE(logits(), plain);
  refused_with("sliding_window", 0, {kBad, "not a whole number", "$.sliding_window", "0", "1 to"});

  config.erase("sliding_window");
  config.erase("max_position_embeddings");
  EXPECT_EQ(load()->shape().max_model_len, 131072);
  EXPECT_EQ(load()->shape().calls.at(0).sliding_window, 4096);
  config.erase("num_key_value_heads");
  refused({kBad, "does not divide the number of query heads", "$", "4 query and 8", "divides"});
  config["model_type"] = "llama";
  config.erase("attention_bias");
  refused({kBad, "does not fit", "k_proj", "[12, 12]", "[24, 12]"});
}

TEST_F(LlamaFolderTest, RefusesTensorsThatDoNotFit) {
  const auto with = [&](const char* key, Json value, const Refusal& expected) {
    refused_with(key, std::move(value), expected);
  };
  with("intermediate_size", 24,
       {kBad, "does not fit config.json", "model.safetensors, model.layers.0.mlp.gate_proj.weight",
        "[20, 12]", "[24, 12]"});
  with("vocab_size", 6,
       {kBad, "does not fit config.json", "model.embed_tokens.weight", "[5, 12]", "[6, 12]"});
  with("vocab_size", 3,
       {kBad, "tokenizer.json does not fit", "tokenizer.json", "4 tokens", "at most 3"});
  with("num_hidden_layers", 2,
       {kBad, "tensor is missing", "model.safetensors", "model.layers.1.", "2 layers"});
  write();
  fs::remove(path() / "model.safetensors");
  write_json("model.safetensors.index.json", {{"weight_map", Json::object()}});
  EXPECT_THAT(check_model(path(), kPlenty).problems.sentences().front(),
              HasSubstr("tensor is missing at model.safetensors.index.json"));
  fs::remove(path() / "model.safetensors.index.json");

  tensors["model.norm.weight"] = Tensor(DType::kI32, {kWidth});
  refused({kNot, "element type", "model.norm.weight", "I32", "F64, F32, F16, BF16"});
  for (auto& [name, tensor] : tensors) tensor = Tensor(DType::kI8, tensor.shape());
  refused({kNot, "element type", "model.embed_tokens.weight", "I8 in 12 tensors", "BF16"});
  EXPECT_EQ(check_model(path(), kPlenty).problems.all().size(), 1u);
}

TEST_F(LlamaFolderTest, TensorsWithoutAPlaceAreLeftAside) {
  const Logits plain = logits();
  tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = Tensor(DType::kF32, {3});
  EXPECT_EQ(logits(), plain);
  EXPECT_THAT(load()->notes(), IsEmpty());
  tensors["model.layers.0.self_attn.q_proj.bias"] = Tensor(DType::kI64, {24});
  EXPECT_EQ(logits(), plain);
  EXPECT_THAT(load()->notes(), ElementsAre("1 tensor of the files is not part of this model and is "
                                           "ignored: \"model.layers.0.self_attn.q_proj.bias\"."));
  for (const char* name : {"a", "b", "c"}) tensors[name] = Tensor(DType::kU8, {2});
  EXPECT_THAT(load()->notes(), ElementsAre("4 tensors of the files are not part of this model and "
                                           "are ignored: \"a\", \"b\", \"c\", ...."));
}

TEST_F(LlamaFolderTest, TellsAProblemThatTwoReadersMeetOnce) {
  write();
  for (const char* broken : {"{", "[]", R"({"model_type": 7})"}) {
    std::ofstream(path() / "config.json") << broken;
    std::vector<std::string> sentences = check_model(path(), kPlenty).problems.sentences();
    ASSERT_FALSE(sentences.empty());
    std::ranges::sort(sentences);
    EXPECT_EQ(std::ranges::adjacent_find(sentences), sentences.end()) << sentences.front();
  }
}

TEST_F(LlamaFolderTest, TellsAllProblemsAtOnce) {
  config["hidden_act"] = "mish";
  config["is_causal"] = false;
  config["rope_scaling"] = {{"rope_type", "proportional"}};
  config["rope_theta"] = 0;
  tensors.erase("model.norm.weight");
  tensors["lm_head.weight"] = Tensor(DType::kI8, {kVocab, kWidth});
  write();
  std::ofstream(path() / "tokenizer.json") << "{}";
  const ModelCheck check = check_model(path(), kPlenty);
  EXPECT_EQ(check.problems.all().size(), 7u);
  const auto error = error_of([&] { load_model(path()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), kBad);
  EXPECT_EQ(error->sentences().size(), 7u);
  for (const char* part : {"hidden_act", "is_causal", "proportional", "rope_theta",
                           "tokenizer.json", "no model.norm.weight", "found I8"})
    EXPECT_THAT(error->what(), HasSubstr(part));

  config = LlamaFolder().config;
  config["num_hidden_layers"] = 100;
  tensors = LlamaFolder().tensors;
  write();
  const auto many = error_of([&] { load_model(path()); });
  ASSERT_TRUE(many);
  EXPECT_THAT(many->what(), AllOf(HasSubstr("890 more tensors like it"), HasSubstr("have 1 of")));
  EXPECT_THAT(many->what(), testing::Not(HasSubstr("\n")));
  config = LlamaFolder().config;
  config["hidden_size"] = 24;  // an axis of twelve tensors
  write();
  const ModelCheck wide = check_model(path(), kPlenty);
  ASSERT_EQ(wide.problems.all().size(), 1u) << wide.problems.error().what();
  EXPECT_THAT(wide.problems.error().what(),
              HasSubstr("11 more tensors where hidden_size does not"));
  config = LlamaFolder().config;
  tensors.erase("lm_head.weight");
  refused({kBad, "tensor is missing", "", "lm_head.weight", ""});
  EXPECT_THAT(check_model(path(), kPlenty).problems.error().what(),
              HasSubstr("tie_word_embeddings"));
}

TEST_F(LlamaFolderTest, SaysNothingOfTensorsWhereTheConfigDoesNotSayTheirShapes) {
  config.erase("hidden_size");
  refused({kBad, "key is missing", "config.json", "hidden_size", ""});
  EXPECT_EQ(check_model(path(), kPlenty).problems.all().size(), 1u);
  config["model_type"] = "deberta-v2";
  config["relative_attention"] = true;
  config["kv_lora_rank"] = 32;
  refused({kNot, "model family is not supported", "$.model_type", "deberta-v2", "llama"});
  const ModelCheck check = check_model(path(), kPlenty);
  EXPECT_EQ(check.problems.all().size(), 1u);
  EXPECT_THAT(
      check.problems.error().what(),
      HasSubstr("needs relative positions of another kind than T5's; keys and values from"));
}

TEST_F(LlamaFolderTest, AsksForMemoryBeforeItLoads) {
  for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF64}) {
    for (auto& [name, tensor] : tensors) tensor = convert(tensor, dtype);
    write();
    const int64_t need = check_model(path(), kPlenty).needed_bytes;
    int64_t available = need * 100 / kMemoryPercent;
    while (allowed_memory_bytes(available) < need) ++available;
    EXPECT_TRUE(check_model(path(), available).problems.empty());
    const ModelCheck refused = check_model(path(), available - 1);
    ASSERT_EQ(refused.problems.all().size(), 1u);
    const ErrorParts parts = refused.problems.error().parts();
    EXPECT_THAT(parts.what, HasSubstr("does not fit in memory"));
    EXPECT_THAT(parts.found, HasSubstr(bytes_text(static_cast<double>(need))));
    EXPECT_THAT(parts.allowed, HasSubstr("70% of the"));

    const int64_t before = AlignedBuffer::bytes_alive();
    int64_t most = 0;
    const auto model = load_model(path(), [&](double) {
      most = std::max(most, AlignedBuffer::bytes_alive() - before);
      return true;
    });
    const int64_t kept = AlignedBuffer::bytes_alive() - before;
    EXPECT_LE(std::max(most, kept), need);
    EXPECT_GT(kept, need / 3);
  }
}

// 5 TB of weights in a sparse file.
TEST_F(LlamaFolderTest, AModelLargerThanTheMachineIsRefusedAtOnce) {
  write();
  config["hidden_size"] = 1 << 17;
  config["num_key_value_heads"] = kHeads;
  config["vocab_size"] = 10'000'000;
  write_json("config.json", config);
  uint64_t end = 0;
  Json header;
  for (const auto& [name, tensor] : tensors) {
    Shape shape = tensor.shape();
    if (name.ends_with("k_proj.weight") || name.ends_with("v_proj.weight"))
      shape[0] = kHeads * kSize;
    for (int64_t& axis : shape)
      axis = axis == kWidth ? 1 << 17 : axis == kVocab ? 10'000'000 : axis;
    const uint64_t begin = end;
    end += static_cast<uint64_t>(element_count(shape)) * 2;
    header[name] = {{"dtype", "BF16"}, {"shape", shape}, {"data_offsets", {begin, end}}};
  }
  const std::string text = header.dump();
  const uint64_t length = text.size();
  const fs::path file = path() / "model.safetensors";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(&length), 8) << text;
  std::error_code failure;
  fs::resize_file(file, 8 + length + end, failure);
  if (failure) GTEST_SKIP() << "no sparse files of this size: " << failure.message();
  expect_refused({kBad, "does not fit in memory", "", "GiB", "70% of the"},
                 [&] { load_model(path()); });
}

TEST_F(LlamaFolderTest, RefusesWhatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  for (const char* file :
       {"config.json", "tokenizer.json", "generation_config.json", "model.safetensors"}) {
    write();
    if (!fs::exists(path() / file)) std::ofstream(path() / file) << "{}";
    fs::permissions(path() / file, fs::perms::none);
    expect_refused({ErrorCode::kFailed, "cannot be opened", file, "no permission", ""},
                   [&] { load_model(path()); });
    fs::remove(path() / file);
  }
  fs::permissions(path(), fs::perms::none);
  expect_refused({ErrorCode::kFailed, "folder cannot be read", "", "no permission", ""},
                 [&] { load_model(path()); });
  fs::permissions(path(), fs::perms::owner_all);
}

TEST_F(LlamaFolderTest, RefusesFoldersWithoutTheirFiles) {
  expect_refused({kBad, "folder is missing", "nowhere", "", ""},
                 [&] { load_model(path() / "nowhere"); });
  const auto empty = error_of([&] { load_model(path()); });
  ASSERT_TRUE(empty);
  for (const char* file : {"config.json", "tokenizer.json", "model.safetensors"})
    EXPECT_THAT(empty->what(), HasSubstr(file));
  write();
  fs::remove(path() / "model.safetensors");
  expect_refused({kBad, "weights are missing", "model.safetensors", "", ""},
                 [&] { load_model(path()); });
  // A link that leads nowhere counts as a file that exists.
  for (const char* file : {"model.safetensors", "config.json", "tokenizer.json",
                           "generation_config.json", "tokenizer_config.json"}) {
    write();
    fs::remove(path() / file);
    fs::create_symlink("nowhere", path() / file);
    expect_refused({kBad, "cannot be opened", file, "link that leads nowhere", ""},
                   [&] { load_model(path()); });
    fs::remove(path() / file);
    fs::create_symlink(file, path() / file);
    expect_refused({kBad, "cannot be opened", file, "in a circle", ""},
                   [&] { load_model(path()); });
    fs::remove(path() / file);
    fs::create_directory(path() / file);
    expect_refused({kBad, "not a file", file, "a folder", " file"}, [&] { load_model(path()); });
    fs::remove(path() / file);
  }
  write();
  fs::remove(path() / "model.safetensors");
  std::ofstream(path() / "pytorch_model.bin") << "PK";
  expect_refused({kBad, "weights are missing", "model.safetensors", "pickle", "model.safetensors"},
                 [&] { load_model(path()); });
}

}  // namespace
}  // namespace attn
