// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF files as models: the logits of transformers for files that gguf-py wrote, the same bits as
// the folder of the same weights, and what is refused of metadata, vocabulary and tensors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/core/rng.h"
#include "engine/model/gguf/gguf_tokenizer.h"
#include "engine/model/gguf/gguf_weights.h"
#include "engine/model/gguf/split_rules.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/describe.h"
#include "engine/model/tokenizer/text_file.h"
#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/families/llama_folder.h"
#include "tests/engine/model/gguf/gguf_bytes.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

fs::path golden_file(const std::string& name) {
  return fs::path(ATTN_SOURCE_DIR) / "tests/golden/gguf" / name;
}

class GgufGolden : public testing::TestWithParam<const char*> {};

TEST_P(GgufGolden, LogitsAreThoseOfTransformers) {
  const std::string name = GetParam();
  const auto golden = SafetensorsFile::open(golden_file("logits.safetensors"));
  const Tensor ids = golden.read(name + ".ids"), logits = golden.read(name + ".logits");
  const auto model = load_model(golden_file(name + ".gguf"));
  EXPECT_EQ(model->shape().name, name);
  EXPECT_EQ(model->stop_tokens(), (std::vector<int32_t>{2}));
  DenseAttention run(*model, 1);
  const int64_t vocabulary = logits.dim(1);
  for (int64_t row = 0; row < ids.size(); ++row) {
    const std::vector<float> got = run.step({static_cast<int32_t>(ids.data<int64_t>()[row])});
    ASSERT_EQ(static_cast<int64_t>(got.size()), vocabulary);
    for (int64_t v = 0; v < vocabulary; ++v)
      ASSERT_NEAR(got[static_cast<size_t>(v)], logits.data<float>()[row * vocabulary + v], 1e-4)
          << "row " << row << ", token " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GgufGolden,
                         testing::Values("bloom", "falcon", "falcon_new", "gemma", "gemma2",
                                         "gemma3", "gpt2", "gptneox", "granite", "llama", "llama3",
                                         "llama_linear", "llama_wide", "llama_yarn", "mixtral",
                                         "mpt", "olmo2", "phi3", "qwen2", "qwen3", "qwen3moe",
                                         "smollm3"),
                         [](const auto& param) { return std::string(param.param); });

TEST(GgufVocabulary, IsThatOfTheFile) {
  const Tokenizer tokenizer = load_tokenizer(golden_file("llama.gguf"));
  EXPECT_EQ(tokenizer.vocab_size(), 40);
  const std::vector<int32_t> ids = tokenizer.encode("abcd\nx");
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  EXPECT_EQ(pieces, (std::vector<std::string>{"<s>", "\u2581ab", "cd", "<0x0A>", "x"}));
  EXPECT_EQ(tokenizer.decode(ids), "abcd\nx");
  EXPECT_TRUE(tokenizer.is_special(1));
}

TEST(GgufVocabulary, OfT5HasTheIdsOfSentencePiece) {
  const auto parsed = [](const fs::path& file) {
    return nlohmann::json::parse(read_text_file(file, 1 << 24));
  };
  const Tokenizer tokenizer = load_tokenizer(golden_file("t5_vocabulary.gguf"));
  EXPECT_EQ(kind_of(tokenizer), "SentencePiece, Unigram");
  const nlohmann::json texts = parsed(golden_file("../tokenizer/kinds/texts.json")),
                       ids = parsed(golden_file("t5_vocabulary.json"))["ids"];
  ASSERT_EQ(ids.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(tokenizer.encode(texts[i].get<std::string>()), ids[i].get<std::vector<int32_t>>())
        << i << ": " << texts[i];
  const std::vector<int32_t> spans = tokenizer.encode("<extra_id_0><extra_id_99>", false);
  EXPECT_EQ(tokenizer.decode(spans, false), "<extra_id_0><extra_id_99>");
  EXPECT_EQ(spans.size(), 2u);
}

TEST(GgufT5, RefusesMetadataThatDoesNotFit) {
  const ScratchFolder folder;
  const fs::path file = folder.path / "t5.gguf";
  const std::string good = read_text_file(golden_file("t5_4.gguf"), 1 << 24);
  const auto refused = [&](const std::string& key, int64_t offset, char byte,
                           const Refusal& expected) {
    std::string bytes = good;
    const size_t end = bytes.find(key) + key.size();
    bytes[static_cast<size_t>(static_cast<int64_t>(end) + offset)] = byte;
    std::ofstream(file, std::ios::binary) << bytes;
    expect_refused(expected, [&] { load_model(file); });
  };
  const char* const buckets = "t5.attention.relative_buckets_count";
  refused(buckets, -1, 'x', {kBad, "key is missing", "metadata", buckets, ""});
  refused(buckets, 4, 0, {kBad, "out of range", buckets, "0", "1 to 1024"});
  refused(buckets, 4, 12, {kBad, "does not fit", "enc.blk.0.attn_rel_b.weight", "[16, ", "[12, "});
  refused("t5.decoder_start_token_id", 4, 96,
          {kBad, "not a whole number", "$.decoder_start_token_id", "96", "0 to 95"});
  refused("t5.decoder_block_count", 4, 4,
          {kBad, "tensor is missing", "t5.gguf", "no dec.blk.3.", "4 layers"});
}

// The Llama of LlamaFolder as a GGUF file, for tests to change.
struct GgufLlama : LlamaFolder {
  static constexpr uint32_t kF32 = 0;

  GgufLlama() {
    const auto u32 = [&](const char* key, uint32_t value) { keys[key] = u32_key(key, value); };
    keys["general.architecture"] = text_key("general.architecture", "llama");
    u32("llama.embedding_length", kWidth);
    u32("llama.feed_forward_length", kInner);
    u32("llama.block_count", 1);
    u32("llama.context_length", 64);
    u32("llama.attention.head_count", kHeads);
    u32("llama.attention.head_count_kv", kKvHeads);
    u32("llama.attention.key_length", kSize);
    u32("llama.attention.value_length", kSize);
    u32("llama.rope.dimension_count", kSize);
    keys["llama.attention.layer_norm_rms_epsilon"] =
        f32_key("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    keys["llama.rope.freq_base"] = f32_key("llama.rope.freq_base", 10000);
    keys["tokenizer.ggml.model"] = text_key("tokenizer.ggml.model", "llama");
    words("tokenizer.ggml.tokens", {"<unk>", "a", "b", "ab"});
    keys["tokenizer.ggml.scores"] = array_key(
        "tokenizer.ggml.scores", 6, 4,
        number_bytes(0.0f) + number_bytes(-2.0f) + number_bytes(-3.0f) + number_bytes(-1.0f));
    const std::string in = "model.layers.0.", out = "blk.0.";
    for (const auto& [name, other] :
         std::map<std::string, std::string>{{"model.embed_tokens", "token_embd"},
                                            {"lm_head", "output"},
                                            {"model.norm", "output_norm"},
                                            {in + "input_layernorm", out + "attn_norm"},
                                            {in + "post_attention_layernorm", out + "ffn_norm"},
                                            {in + "self_attn.q_proj", out + "attn_q"},
                                            {in + "self_attn.k_proj", out + "attn_k"},
                                            {in + "self_attn.v_proj", out + "attn_v"},
                                            {in + "self_attn.o_proj", out + "attn_output"},
                                            {in + "mlp.gate_proj", out + "ffn_gate"},
                                            {in + "mlp.up_proj", out + "ffn_up"},
                                            {in + "mlp.down_proj", out + "ffn_down"}})
      weights[other + ".weight"] = shared(convert(tensors.at(name + ".weight"), DType::kF32));
    turn(out + "attn_q.weight", kHeads);
    turn(out + "attn_k.weight", kKvHeads);
  }

  static std::shared_ptr<const Tensor> shared(Tensor tensor) {
    return std::make_shared<const Tensor>(std::move(tensor));
  }
  static std::shared_ptr<const Tensor> zeros(Shape shape) {
    return shared(Tensor(DType::kF32, std::move(shape)));
  }
  void words(const char* key, const std::vector<std::string>& list) {
    std::string bytes;
    for (const std::string& word : list) bytes += text_bytes(word);
    keys[key] = array_key(key, 8, list.size(), bytes);
  }
  void turn(const std::string& name, int64_t heads) {
    const Tensor& from = *weights.at(name);
    Tensor to(from.dtype(), from.shape());
    const int64_t width = from.dim(1), half = kSize / 2;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t pair = 0; pair < half; ++pair)
        for (int64_t element = 0; element < 2; ++element)
          std::copy_n(from.data<float>() + (head * kSize + element * half + pair) * width, width,
                      to.data<float>() + (head * kSize + 2 * pair + element) * width);
    weights[name] = shared(std::move(to));
  }
  fs::path file() const { return path() / "tiny.gguf"; }
  void write_file() const {
    GgufBytesOf bytes;
    for (const auto& [key, value] : keys) bytes.keys.push_back(value);
    for (const auto& [name, tensor] : weights) {
      bytes.data.resize((bytes.data.size() + 31) / 32 * 32, '\0');
      std::vector<uint64_t> axes(tensor->shape().rbegin(), tensor->shape().rend());
      bytes.tensors.push_back(tensor_bytes(name, axes, kF32, bytes.data.size()));
      bytes.data.append(static_cast<const char*>(tensor->raw()), tensor->bytes());
    }
    std::ofstream(file(), std::ios::binary) << bytes.bytes();
  }
  ModelCheck check() const {
    write_file();
    return check_model(file(), int64_t{1} << 40);
  }

  std::map<std::string, std::string> keys;                       // bytes of each key and its value
  std::map<std::string, std::shared_ptr<const Tensor>> weights;  // by the names of GGUF
};

class GgufModel : public testing::Test, protected GgufLlama {
 protected:
  void refused(const Refusal& expected) const {
    SCOPED_TRACE(expected.what);
    const ModelCheck found = check();
    bool is_named = false;
    std::string all;
    for (const Error& error : found.problems.all()) {
      const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
      };
      const ErrorParts& parts = error.parts();
      is_named =
          is_named || (error.code() == expected.code && has(parts.what, expected.what) &&
                       has(parts.where, expected.where) && has(parts.found, expected.found) &&
                       has(parts.allowed, expected.allowed));
      all += error.what() + std::string("\n");
    }
    EXPECT_TRUE(is_named) << all;
    EXPECT_TRUE(error_of([&] { load_model(file()); }));
  }
  void set(const char* key, const std::string& bytes) { keys[key] = bytes; }
};

TEST_F(GgufModel, HasTheBitsOfTheFolderOfTheSameWeights) {
  write();
  write_file();
  const auto hf = load_model(path()), gguf = load_model(file());
  EXPECT_EQ(gguf->shape().name, "tiny");
  EXPECT_EQ(gguf->num_parameters(), hf->num_parameters());
  EXPECT_EQ(gguf->notes(), std::vector<std::string>{});
  const std::vector<int32_t> text = {1, 3, 2, 4, 1};
  EXPECT_EQ(DenseAttention(*gguf, 2).step(text), DenseAttention(*hf, 2).step(text));
  EXPECT_EQ(gguf->encode("abba"), hf->encode("abba"));
}

TEST_F(GgufModel, FusedHeadsAreTheSameModel) {
  write();
  Tensor fused(DType::kF32, {(kHeads + 2 * kKvHeads) * kSize, kWidth});
  float* to = fused.data<float>();
  for (const char* part : {"q", "k", "v"}) {
    auto node = weights.extract(fmt::format("blk.0.attn_{}.weight", part));
    to = std::copy_n(node.mapped()->data<float>(), node.mapped()->size(), to);
  }
  weights["blk.0.attn_qkv.weight"] = shared(std::move(fused));
  write_file();
  const auto hf = load_model(path()), gguf = load_model(file());
  const std::vector<int32_t> text = {1, 3, 2, 4, 1};
  EXPECT_EQ(DenseAttention(*gguf, 2).step(text), DenseAttention(*hf, 2).step(text));
}

TEST_F(GgufModel, QuantisedMatricesHaveTheNumbersOfTheTensor) {
  const std::map<uint32_t, WeightType> types{
      {2, WeightType::kQ4_0},  {6, WeightType::kQ8_0},  {8, WeightType::kQ8_0},
      {12, WeightType::kQ4_K}, {14, WeightType::kQ6_K}, {20, WeightType::kQ8_0},
      {3, WeightType::kQ4_1},  {7, WeightType::kQ5_1},  {10, WeightType::kQ2_K},
      {11, WeightType::kQ3_K}, {13, WeightType::kQ5_K}, {23, WeightType::kIQ4_XS}};
  constexpr int64_t kRows = 3, kColumns = 512;
  Rng rng(1);
  for (const auto& [id, type] : types) {
    const GgmlType& stored = *ggml_type(id);
    GgufBytesOf bytes;
    bytes.tensors.push_back(tensor_bytes("token_embd.weight", {kColumns, kRows}, id, 0));
    for (int64_t i = 0; i < kRows * kColumns / stored.block * stored.block_bytes; ++i)
      bytes.data += static_cast<char>(rng.below(256) & 0xBF);  // so that scales are finite
    std::ofstream(file(), std::ios::binary) << bytes.bytes();
    const GgufFile opened = GgufFile::open(file());
    const GgufWeights read(opened, *architecture_named("llama"), {});
    const Tensor expected = read.read("model.embed_tokens.weight");
    const StoredMatrix matrix = read.read_matrix("model.embed_tokens.weight");
    EXPECT_EQ(matrix.type, type) << stored.name;
    const WeightMatrix kept(matrix);
    for (int64_t row = 0; row < kRows; ++row)
      kept.for_row(row, [&](int64_t first, const float* numbers, int64_t count) {
        EXPECT_EQ(std::memcmp(numbers, expected.data<float>() + row * kColumns + first,
                              static_cast<size_t>(count) * sizeof(float)),
                  0)
            << stored.name;
      });
  }
}

TEST_F(GgufModel, AHeadThatIsLeftOutIsTheEmbedding) {
  weights.erase("output.weight");
  const ModelCheck found = check();
  EXPECT_TRUE(found.problems.empty());
  EXPECT_FALSE(found.has_own_head);
}

TEST_F(GgufModel, RefusesMetadata) {
  const auto with = [&](const char* key, const std::string& bytes, const Refusal& expected) {
    const auto before = keys;
    keys[key] = bytes;
    refused(expected);
    keys = before;
  };
  const auto number = [&](const char* key, uint32_t value, const Refusal& expected) {
    with(key, u32_key(key, value), expected);
  };
  number("llama.block_count", 0, {kBad, "out of range", "llama.block_count", "0", "1 to 254"});
  number("llama.block_count", 5000, {kBad, "out of range", "llama.block_count", "5000", "254"});
  number("llama.attention.head_count", 0, {kBad, "out of range", "head_count", "0", "1 to 255"});
  number("llama.attention.head_count_kv", 3,
         {kBad, "does not divide", "head_count_kv", "4 query", ""});
  number("llama.embedding_length", 0, {kBad, "out of range", "embedding_length", "0", ""});
  number("llama.attention.value_length", 8,
         {kNot, "values of another size", "value_length", "8", "6"});
  number("llama.rope.dimension_count", 4, {kNot, "only a part", "dimension_count", "4", "6"});
  with("llama.context_length", f32_key("llama.context_length", 64),
       {kBad, "another type", "tiny.gguf, byte ", "f32", "a whole number"});
  with("llama.feed_forward_length",
       array_key("llama.feed_forward_length", 4, 2, number_bytes(20u) + number_bytes(24u)),
       {kNot, "layers of different sizes", "feed_forward_length", "20, 24", "the same"});
  with("llama.rope.scaling.type", text_key("llama.rope.scaling.type", "su"),
       {kNot, "scaled in this way", "scaling.type", "\"su\"", "yarn"});
  with("general.architecture", text_key("general.architecture", "t5encoder"),
       {kNot, "the encoder of a T5 without its decoder", "general.architecture", "\"t5encoder\"",
        "\"t5\""});
  with("general.architecture", text_key("general.architecture", "rwkv"),
       {kNot, "family is not supported", "general.architecture", "\"rwkv\"", "\"qwen2\""});
  keys.erase("llama.attention.layer_norm_rms_epsilon");
  refused({kBad, "key is missing", "metadata", "no llama.attention.layer_norm_rms_epsilon", ""});
  keys.erase("general.architecture");
  refused({kBad, "key is missing", "metadata", "no general.architecture", "a text"});
}

TEST_F(GgufModel, RefusesVocabularies) {
  const auto with = [&](const char* key, const std::string& bytes, const Refusal& expected) {
    const auto before = keys;
    keys[key] = bytes;
    refused(expected);
    keys = before;
  };
  const char* const tokens = "tokenizer.ggml.tokens";
  const char* const kinds = "tokenizer.ggml.token_type";
  const auto kind_list = [&](std::initializer_list<int32_t> list) {
    std::string bytes;
    for (const int32_t kind : list) bytes += number_bytes(kind);
    return array_key(kinds, 5, list.size(), bytes);
  };
  const auto word_list = [&](const std::vector<std::string>& list) {
    std::string bytes;
    for (const std::string& word : list) bytes += text_bytes(word);
    return array_key(tokens, 8, list.size(), bytes);
  };
  with("tokenizer.ggml.model", text_key("tokenizer.ggml.model", "rwkv"),
       {kNot, "kind of vocabulary", "tokenizer.ggml.model", "rwkv", "llama"});
  with(tokens, word_list({}), {kBad, "number of tokens", tokens, "0", ""});
  with(tokens, word_list({"a", "b", "a", "c"}),
       {kBad, "token 2 is in the vocabulary twice", tokens, "\"a\"", "once"});
  with(tokens, word_list({"a", "\xff", "b", "c"}), {kBad, "token 1 is not UTF-8", tokens, "", ""});
  with(tokens, word_list({"a", "b", "c"}),
       {kBad, "number of scores", "tokenizer.ggml.scores", "4", "3"});
  with(tokens, word_list({"a", "b", "c", "d", "e", "f"}), {kBad, "number of scores", "", "4", "6"});
  with(tokens, array_key(tokens, 4, 1, number_bytes(1u)),
       {kBad, "another type", tokens, "u32", "texts"});
  with("tokenizer.ggml.scores", array_key("tokenizer.ggml.scores", 6, 4, std::string(16, '\xff')),
       {kBad, "score of token 0 is not a number", "scores", "NaN", ""});
  std::string infinite(16, '\0');
  infinite[2] = '\x80';
  infinite[3] = '\x7f';
  with("tokenizer.ggml.scores", array_key("tokenizer.ggml.scores", 6, 4, infinite),
       {kBad, "score of token 0 is not a number", "scores", "infinite", "finite"});
  with(kinds, kind_list({1, 1}), {kBad, "number of token types", kinds, "2", "4"});
  with(kinds, kind_list({1, 6, 1, 1}),
       {kBad, "token 1 is not the name of a byte", tokens, "\"a\"", "<0xFF>"});
  with(kinds, kind_list({1, 999, 1, 1}), {kBad, "out of range", kinds, "999", "0 to 255"});
  with("tokenizer.ggml.unknown_token_id", u32_key("tokenizer.ggml.unknown_token_id", 4),
       {kBad, "token is not in the vocabulary", "unknown_token_id", "4", "0 to 3"});
  with("tokenizer.ggml.eos_token_id", u32_key("tokenizer.ggml.eos_token_id", 5),
       {kBad, "out of range", "eos_token_id", "5", "0 to 4"});
  keys["tokenizer.ggml.model"] = text_key("tokenizer.ggml.model", "t5");
  const char* const charsmap = "tokenizer.ggml.precompiled_charsmap";
  with(charsmap, array_key(charsmap, 0, 2, "ab"),
       {kBad, "table of characters", charsmap, "2 bytes", "double array"});
  with(tokens, word_list({"a", "b", std::string(1025, 'c'), "d"}),
       {kBad, "token 2 is too long", tokens, "1025 bytes", "at most 1024"});
  keys["tokenizer.ggml.model"] = text_key("tokenizer.ggml.model", "gpt2");
  refused({kBad, "key is missing", "metadata", "no tokenizer.ggml.merges", ""});
  const char* const merges = "tokenizer.ggml.merges";
  for (const char* bad : {"", "ab", " ab", "a ", "a b b"})
    with(merges, array_key(merges, 8, 1, text_bytes(bad)),
         {kBad, "merge 0 is not two tokens", merges, bad, "a space"});
  with(merges, array_key(merges, 8, 1, text_bytes("a x")),
       {kBad, "merge 0 has a token that is not in the vocabulary: \"x\"", merges, "\"a x\"", ""});
  with("tokenizer.ggml.pre", text_key("tokenizer.ggml.pre", "new-rule"),
       {kNot, "cut into words by this rule", "tokenizer.ggml.pre", "new-rule", "llama-bpe"});
}

TEST_F(GgufModel, EachRuleOfWordsIsReadAndWrittenByItsName) {
  keys["tokenizer.ggml.model"] = text_key("tokenizer.ggml.model", "gpt2");
  words("tokenizer.ggml.merges", {"a b"});
  keys["tokenizer.ggml.bos_token_id"] = u32_key("tokenizer.ggml.bos_token_id", 1);
  for (const std::string name :
       {"gpt-2", "llama-bpe", "dbrx", "qwen2", "stablelm2", "smollm", "gpt-4o", "tekken", "falcon",
        "bloom", "deepseek-v3", "deepseek-coder"}) {
    SCOPED_TRACE(name);
    keys["tokenizer.ggml.pre"] = text_key("tokenizer.ggml.pre", name);
    write_file();
    const auto document = tokenizer_json_of(GgufFile::open(file()).metadata());
    EXPECT_EQ(split_rule_of(JsonAt(document, "tokenizer.json")), name);
    const bool adds_first = name == "llama-bpe" || name == "tekken";
    const std::vector<int32_t> with_first = {1, 3}, without = {3};
    EXPECT_EQ(load_tokenizer(file()).encode("ab"), adds_first ? with_first : without);
    keys["tokenizer.ggml.add_bos_token"] =
        key_bytes("tokenizer.ggml.add_bos_token", 7, std::string(1, adds_first ? '\0' : '\1'));
    write_file();
    EXPECT_EQ(load_tokenizer(file()).encode("ab"), adds_first ? without : with_first);
    keys.erase("tokenizer.ggml.add_bos_token");
  }
}

TEST_F(GgufModel, RefusesTensorsThatDoNotFit) {
  const auto before = weights;
  weights["blk.0.attn_q.weight"] = zeros({kHeads * kSize, kWidth + 2});
  refused({kBad, "tensor does not fit the metadata", "tiny.gguf, blk.0.attn_q.weight", "[24, 14]",
           "[24, 12]"});
  weights["blk.0.attn_q.weight"] = zeros({kHeads * kSize - 2, kWidth});
  refused(
      {kBad, "tensor does not fit the metadata", "blk.0.attn_q.weight", "[22, 12]", "[24, 12]"});
  weights = before;
  weights.erase("blk.0.ffn_up.weight");
  refused({kBad, "tensor is missing", "tiny.gguf", "no blk.0.ffn_up.weight", "of shape [20, 12]"});
  weights = before;
  weights["blk.9.odd.weight"] = zeros({2});
  const ModelCheck found = check();
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("blk.9.odd.weight"), std::string::npos) << found.notes[0];
}

TEST_F(GgufModel, WhatIsNoGgufIsNamed) {
  std::ofstream(file()) << "version https://git-lfs.github.com/spec/v1\n";
  expect_refused({kBad, "not a GGUF file", "tiny.gguf, byte 0", "Git LFS", "GGUF"},
                 [&] { load_model(file()); });
  std::ofstream(path() / "x.txt") << "text";
  expect_refused({kBad, "this is not a model folder", "x.txt", "a file", "or a GGUF file"},
                 [&] { load_model(path() / "x.txt"); });
}

}  // namespace
}  // namespace attn
