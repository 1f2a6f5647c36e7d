// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `model_folder`: an input is the JSON files of the folder one after another, with
// a byte 0x1e between them, and last the name of the model of tests/golden/families whose weights
// lie beside them, or "pieces-" and the name of the folder of tests/golden/sentence_piece whose
// model files do. Where there is no such name, the weights are those of a small Llama.
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/tokenizer_folder.h"
#include "engine/model/tokenizer/tokenizer_parse.h"
#include "tests/engine/model/families/family_case.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/fuzz/targets/tokenizer_seeds.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

constexpr char kNextFile = '\x1e';
constexpr const char* kFiles[] = {"config.json",
                                  "tokenizer.json",
                                  "tokenizer_config.json",
                                  "generation_config.json",
                                  "added_tokens.json",
                                  "special_tokens_map.json",
                                  "vocab.json"};
constexpr int64_t kMostMemory = int64_t{64} << 20;  // bytes

std::vector<std::string> split(std::string_view bytes) {
  std::vector<std::string> files;
  for (;;) {
    const size_t end = bytes.find(kNextFile);
    files.emplace_back(bytes.substr(0, end));
    if (end == std::string_view::npos || files.size() > std::size(kFiles)) return files;
    bytes.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& files) {
  std::string bytes;
  for (size_t i = 0; i < files.size(); ++i)
    bytes += (i > 0 ? std::string(1, kNextFile) : "") + files[i];
  return bytes;
}

// The weights of a Llama of one layer.
void write_weights(const std::filesystem::path& file, int64_t vocabulary) {
  Rng rng(11);
  std::vector<std::pair<std::string, Tensor>> tensors;
  const auto add = [&](const std::string& name, Shape shape) {
    Tensor tensor(DType::kF32, std::move(shape));
    for (float& value : tensor.span<float>()) value = 0.3f * rng.normal();
    tensors.emplace_back(name, std::move(tensor));
  };
  add("model.embed_tokens.weight", {vocabulary, 12});
  add("lm_head.weight", {vocabulary, 12});
  add("model.norm.weight", {12});
  const std::string at = "model.layers.0.";
  for (const char* norm : {"input_layernorm.weight", "post_attention_layernorm.weight"})
    add(at + norm, {12});
  add(at + "self_attn.q_proj.weight", {24, 12});
  for (const char* part : {"self_attn.k_proj.weight", "self_attn.v_proj.weight"})
    add(at + part, {12, 12});
  add(at + "self_attn.o_proj.weight", {12, 24});
  for (const char* part : {"mlp.gate_proj.weight", "mlp.up_proj.weight"}) add(at + part, {20, 12});
  add(at + "mlp.down_proj.weight", {12, 20});
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  write_safetensors(file, named, {});
}

constexpr int64_t kVocabulary = 12;

// The models of tests/golden/families with the number 1, and those whose config has other keys.
const std::vector<std::string>& family_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found = {"falcon_3",  "gemma3_2", "llama_6", "mbart_3",
                                      "mpt_2",     "mpt_3",    "qwen2_3", "qwen3_moe_3",
                                      "smollm3_2", "t5_2",     "t5_3"};
    for (const auto& entry : std::filesystem::directory_iterator(family_cases()))
      if (std::string name = entry.path().stem().string(); name.ends_with("_1"))
        found.push_back(std::move(name));
    std::ranges::sort(found);
    return found;
  }();
  return names;
}

// The folders of tests/golden/sentence_piece with small model files.
constexpr const char* kPieces[] = {"bpe_marked", "llama", "marian_bpe", "suffix", "t5"};
constexpr std::string_view kPiecesPrefix = "pieces-";

std::filesystem::path folder_of_pieces(std::string_view name) {
  return std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece" /
         name.substr(kPiecesPrefix.size());
}

bool are_pieces(std::string_view name) {
  return name.starts_with(kPiecesPrefix) &&
         std::ranges::find(kPieces, name.substr(kPiecesPrefix.size())) != std::end(kPieces);
}

struct ModelFolder {
  explicit ModelFolder(const std::string& family) : path(scratch_folder() / ("model-" + family)) {
    std::filesystem::create_directories(path);
    const std::filesystem::path weights = path / "model.safetensors";
    if (are_pieces(family)) {
      for (const auto& entry : std::filesystem::directory_iterator(folder_of_pieces(family)))
        if (entry.path().extension() == ".spm" || entry.path().extension() == ".model")
          std::filesystem::copy_file(entry.path(), path / entry.path().filename());
    } else if (family.empty())
      write_weights(weights, kVocabulary);
    else
      std::filesystem::copy_file(FamilyCase(family).write() / "model.safetensors", weights);
    for (size_t i = 0; i < std::size(kFiles); ++i)
      files[i] = std::make_unique<ScratchFile>(path / kFiles[i]);
  }

  std::filesystem::path path;
  std::array<std::unique_ptr<ScratchFile>, std::size(kFiles)> files;
};

ModelFolder& model_folder(const std::string& family) {
  static std::map<std::string, std::unique_ptr<ModelFolder>> folders;
  const bool is_known = std::ranges::binary_search(family_names(), family) || are_pieces(family);
  std::unique_ptr<ModelFolder>& folder = folders[is_known ? family : ""];
  if (!folder) folder = std::make_unique<ModelFolder>(is_known ? family : "");
  return *folder;
}

bool run_model_folder(std::string_view bytes) {
  const std::vector<std::string> files = split(bytes);
  const std::string family = files.size() > std::size(kFiles) ? files.back() : std::string();
  const ModelFolder& folder = model_folder(family);
  for (size_t i = 0; i < std::size(kFiles); ++i) {
    if (i < files.size() && !files[i].empty())
      folder.files[i]->put(files[i]);
    else
      folder.files[i]->remove();
  }
  try {
    use_tokenizer(load_tokenizer(folder.path));
    if (are_pieces(family)) return true;
  } catch (const Error&) {
  }
  if (is_one_of(bytes, 4)) try {
      use_tokenizer(load_tokenizer_json(folder.path / "tokenizer.json"));
    } catch (const Error&) {
    }
  try {
    const ModelCheck check = check_model(folder.path, kMostMemory);
    if (!check.problems.empty()) {
      check.problems.error();
      return false;
    }
    if (!is_one_of(bytes, 2)) return true;
    const std::unique_ptr<Model> model = load_model(folder.path, {}, {}, 1);
    const std::vector<int32_t> ids = model->encode("ab a");
    model->decode(ids);
    for (const int32_t id : ids) model->token_text(id);
    return true;
  } catch (const Error&) {
    return false;
  }
}

nlohmann::json config() {
  return {{"model_type", "llama"},     {"architectures", {"LlamaForCausalLM"}},
          {"hidden_size", 12},         {"intermediate_size", 20},
          {"num_hidden_layers", 1},    {"num_attention_heads", 4},
          {"num_key_value_heads", 2},  {"head_dim", 6},
          {"vocab_size", kVocabulary}, {"max_position_embeddings", 64},
          {"rope_theta", 10000.0},     {"rms_norm_eps", 1e-5},
          {"hidden_act", "silu"},      {"bos_token_id", 1},
          {"eos_token_id", 2},         {"tie_word_embeddings", false}};
}

// A tokenizer like Llama's: byte fallback, a mark for spaces, a template with <s>.
nlohmann::json tokenizer() {
  const std::string mark = "\u2581";
  const auto added = [](int id, const char* text, bool special) {
    return nlohmann::json{{"id", id},          {"content", text}, {"single_word", false},
                          {"lstrip", false},   {"rstrip", false}, {"normalized", false},
                          {"special", special}};
  };
  return {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", {added(0, "<unk>", true), added(1, "<s>", true), added(11, "<x>", false)}},
      {"normalizer",
       {{"type", "Sequence"},
        {"normalizers",
         {{{"type", "Prepend"}, {"prepend", mark}},
          {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", mark}}}}}},
      {"pre_tokenizer", nullptr},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single",
         {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}},
          {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
        {"pair", nlohmann::json::array()},
        {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}}},
      {"decoder",
       {{"type", "Sequence"},
        {"decoders",
         {{{"type", "Replace"}, {"pattern", {{"String", mark}}}, {"content", " "}},
          {{"type", "ByteFallback"}},
          {{"type", "Fuse"}},
          {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
      {"model",
       {{"type", "BPE"},
        {"dropout", nullptr},
        {"unk_token", "<unk>"},
        {"fuse_unk", true},
        {"byte_fallback", true},
        {"vocab",
         {{"<unk>", 0},
          {"<s>", 1},
          {"</s>", 2},
          {"<0x0A>", 3},
          {"<0xFF>", 4},
          {mark, 5},
          {"a", 6},
          {"b", 7},
          {"ab", 8},
          {mark + "a", 9},
          {mark + "ab", 10}}},
        {"merges", {"a b", mark + " a", mark + " ab"}}}}};
}

nlohmann::json metaspace_tokenizer() {
  nlohmann::json json = tokenizer();
  json["normalizer"] = nullptr;
  json["pre_tokenizer"] = {{"type", "Metaspace"},
                           {"replacement", "\u2581"},
                           {"prepend_scheme", "first"},
                           {"split", true}};
  json["decoder"] = {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "first"}};
  json["added_tokens"][2]["lstrip"] = true;
  json["added_tokens"][2]["rstrip"] = true;
  json["added_tokens"][2]["normalized"] = true;
  return json;
}

// tokenizer() with another model, other added tokens and other steps.
nlohmann::json with_model(nlohmann::json model, const char* steps) {
  nlohmann::json json = tokenizer();
  json["model"] = std::move(model);
  json["added_tokens"] = nlohmann::json::array(
      {{{"id", 1}, {"content", "<s>"}, {"special", true}, {"single_word", true}}});
  json["post_processor"] = nullptr;
  json.update(nlohmann::json::parse(steps));
  return json;
}

std::vector<Seed> tokenizer_seeds() {
  const auto seed = [](const char* name, const nlohmann::json& json) {
    return Seed{name, join({config().dump(), json.dump()})};
  };
  const nlohmann::json vocab = {{"<unk>", 0}, {"<s>", 1}, {"a", 2}, {"##b", 3}, {"\u0120", 4}};
  return {
      seed("byte-level",
           with_model({{"type", "BPE"}, {"vocab", vocab}, {"merges", nlohmann::json::array()}},
                      R"~({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},
                            {"type":"Replace","pattern":{"Regex":" {2,}|(?i:x+)"},"content":" "}]},
                          "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split",
                            "pattern":{"Regex":"(?i:'s)|[^\\r\\n\\p{L}&&a]?\\p{L}+|\\s+(?!\\S)"},
                            "behavior":"Isolated","invert":false},
                            {"type":"ByteLevel","add_prefix_space":true,"use_regex":true}]},
                          "decoder":{"type":"ByteLevel"}})~")),
      seed("word-piece", with_model({{"type", "WordPiece"},
                                     {"vocab", vocab},
                                     {"unk_token", "<unk>"},
                                     {"continuing_subword_prefix", "##"},
                                     {"max_input_chars_per_word", 100}},
                                    R"~({"normalizer":{"type":"BertNormalizer","clean_text":true,
                          "handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
                          "pre_tokenizer":{"type":"BertPreTokenizer"},
                          "post_processor":{"type":"BertProcessing","cls":["<s>",1],"sep":["a",2]},
                          "decoder":{"type":"WordPiece","prefix":"##","cleanup":true}})~")),
      seed(
          "unigram",
          with_model(
              {{"type", "Unigram"},
               {"vocab", nlohmann::json::parse(
                             R"~([["<unk>",0.0],["<s>",0.0],["a",-1.5],["\u2581ab",-2.0]])~")},
               {"unk_id", 0}},
              R"~({"normalizer":{"type":"Precompiled","precompiled_charsmap":"CAAAAAAEAAAAAAAAYQA="},
                          "pre_tokenizer":{"type":"Metaspace","replacement":"\u2581"},
                          "decoder":{"type":"Metaspace","replacement":"\u2581"}})~"))};
}

std::vector<Seed> config_seeds() {
  std::vector<Seed> seeds;
  const auto add = [&](const char* name, const char* key, nlohmann::json value) {
    nlohmann::json changed = config();
    changed[key] = std::move(value);
    seeds.push_back({name, join({changed.dump(), tokenizer().dump()})});
  };
  add("linear", "rope_scaling", {{"type", "linear"}, {"factor", 2.0}});
  add("yarn", "rope_scaling",
      {{"rope_type", "yarn"},
       {"factor", 4.0},
       {"original_max_position_embeddings", 16},
       {"beta_fast", 32.0},
       {"beta_slow", 1.0},
       {"attention_factor", 1.2},
       {"mscale", 1.0},
       {"mscale_all_dim", 0.5},
       {"truncate", false}});
  add("longrope", "rope_scaling",
      {{"type", "longrope"},
       {"short_factor", {1.0, 1.1, 1.2}},
       {"long_factor", {1.0, 1.5, 2.0}},
       {"factor", 4.0},
       {"original_max_position_embeddings", 16}});
  add("dynamic", "rope_scaling", {{"type", "dynamic"}, {"factor", 2.0}});
  add("several-ends", "eos_token_id", {2, 3});
  add("ignored-choices", "forced_bos_token_id", 1);
  add("bad-words", "bad_words_ids", {{1}, {2, 3}});
  add("suppressed", "suppress_tokens", {1, 2});
  add("plain", "rope_parameters", {{"rope_type", "default"}, {"rope_theta", 500000.0}});
  add("partial", "partial_rotary_factor", 0.5);
  add("causal", "is_causal", true);
  nlohmann::json mistral = config();
  mistral["model_type"] = "mistral";
  mistral["sliding_window"] = 8;
  seeds.push_back({"mistral", join({mistral.dump(), tokenizer().dump()})});
  return seeds;
}

// Classes of transformers that build their tokenizer anew from the file, each in a folder of a
// family that uses the class. `list` has the files.
std::vector<Seed> class_seeds(const std::vector<Seed>& list) {
  struct TokenizerClass {
    const char *family, *name, *file;
  };
  constexpr TokenizerClass kClasses[] = {{"gpt2_1", "GPT2Tokenizer", "byte-level"},
                                         {"roberta_1", "RobertaTokenizer", "byte-level"},
                                         {"qwen2_1", "Qwen2Tokenizer", "byte-level"},
                                         {"gemma_1", "GemmaTokenizer", "linear"},
                                         {"bert_1", "BertTokenizer", "word-piece"}};
  std::vector<Seed> seeds;
  for (const auto& [family, name, file] : kClasses) {
    const std::string tokenizer = split(std::ranges::find(list, file, &Seed::name)->bytes)[1];
    const std::string options = fmt::format(
        R"({{"tokenizer_class":"{}","add_prefix_space":true,"strip_accents":true,"unk_token":"<unk>",)"
        R"("cls_token":"<s>","sep_token":{{"content":"a"}}}})",
        name);
    seeds.push_back({name, join({FamilyCase(family).config.dump(), tokenizer, options, "", "", "",
                                 "", family})});
  }
  return seeds;
}

// Folders without tokenizer.json. Older ones list their tokens in files of their own.
std::vector<Seed> piece_seeds() {
  std::vector<Seed> seeds;
  for (const char* name : kPieces) {
    const std::string own = std::string(kPiecesPrefix) + name;
    const auto text = [&](const char* file) {
      const std::filesystem::path path = folder_of_pieces(own) / file;
      return std::filesystem::exists(path) ? test::read_bytes(path) : std::string();
    };
    seeds.push_back({own, join({text("config.json"), "", text("tokenizer_config.json"), "", "", "",
                                text("vocab.json"), own})});
  }
  const std::string t5 = R"({"model_type":"t5"})", own = "pieces-t5";
  seeds.push_back({"pieces-older",
                   join({t5, "", R"({"extra_ids":2,"additional_special_tokens":["<x>"]})", "", "",
                         R"({"eos_token":{"content":"</s>","lstrip":true},"pad_token":"<pad>",)"
                         R"("extra_special_tokens":{"one":"<y>"}})",
                         "", own})});
  seeds.push_back(
      {"pieces-listed", join({t5, "",
                              R"({"extra_ids":0,"added_tokens_decoder":{"0":{"content":"<pad>",)"
                              R"("special":true,"rstrip":true},"1":{"content":"</s>"}}})",
                              "", "", "", "", own})});
  return seeds;
}

std::vector<Seed> model_seed_list() {
  nlohmann::json scaled = config();
  scaled["rope_scaling"] = {{"rope_type", "llama3"},
                            {"factor", 8.0},
                            {"low_freq_factor", 1.0},
                            {"high_freq_factor", 4.0},
                            {"original_max_position_embeddings", 32}};
  const std::string llama_class = R"({"tokenizer_class":"LlamaTokenizer","legacy":false})";
  std::vector<Seed> list = {
      {"llama",
       join({config().dump(), tokenizer().dump(),
             R"({"tokenizer_class":"PreTrainedTokenizerFast"})", R"({"eos_token_id":[2,3]})"})},
      {"metaspace", join({config().dump(), metaspace_tokenizer().dump()})},
      {"llama-tokenizer", join({scaled.dump(), tokenizer().dump(), llama_class})},
      // Older folders list special tokens in files of their own, newer ones in the tokenizer's
      // config.
      {"older-tokens",
       join({config().dump(), tokenizer().dump(), llama_class, "", R"({"<y>":12})",
             R"({"bos_token":{"content":"<s>"},"eos_token":"</s>","pad_token":null,)"
             R"("additional_special_tokens":["<x>",{"content":"<z>","lstrip":true}]})"})},
      {"listed-tokens", join({config().dump(), tokenizer().dump(),
                              R"({"tokenizer_class":"LlamaTokenizerFast","add_prefix_space":false,)"
                              R"("added_tokens_decoder":{"1":{"content":"<s>","special":true},)"
                              R"("11":{"content":"<x>","rstrip":true,"normalized":false}},)"
                              R"("image_token":"<i>","extra_special_tokens":{"one":"<x>"}})"})}};
  for (Seed& seed : config_seeds()) list.push_back(std::move(seed));
  for (Seed& seed : tokenizer_seeds()) list.push_back(std::move(seed));
  for (const Seed& seed : tokenizer_files())
    list.push_back({seed.name, join({config().dump(), seed.bytes})});
  for (Seed& seed : class_seeds(list)) list.push_back(std::move(seed));
  for (Seed& seed : piece_seeds()) list.push_back(std::move(seed));
  for (const std::string& name : family_names()) {
    const FamilyCase family(name);
    list.push_back(
        {name, join({family.config.dump(), FamilyCase::kTokenizer, "", "", "", "", "", name})});
  }
  return list;
}

std::string change_model(std::string_view bytes, Random& random) {
  std::vector<std::string> files = split(bytes);
  std::vector<std::string*> there;
  for (size_t i = 0; i < std::min(files.size(), std::size(kFiles)); ++i)
    if (!files[i].empty()) there.push_back(&files[i]);
  if (there.empty()) return std::string(bytes);
  std::string& file = *there[below(random, there.size())];
  if (below(random, 40) == 0)
    file.clear();  // there is no such file
  else if (below(random, 12) == 0)
    file = change_text(file, random);
  else if (file.find("\"Regex\"") != std::string::npos && below(random, 2) == 0)
    file = change_pattern(file, random);
  else
    file = change_json(file, random).text;
  return join(files);
}

}  // namespace

const Target kModelFolderTarget = {"model_folder", run_model_folder, change_model, model_seed_list};

}  // namespace attn::fuzz
