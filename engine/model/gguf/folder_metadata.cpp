// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/folder_metadata.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/model/files/json_at.h"
#include "engine/model/gguf/vocabulary_writer.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMost = (int64_t{1} << 32) - 1;

// Reads numbers of config.json, and writes numbers under keys such as llama.block_count.
struct KeysOf {
  const std::filesystem::path& folder;
  const JsonAt& root;
  const GgufArchitecture& architecture;
  GgufWriter& writer;

  std::string key(const char* name) const { return fmt::format("{}.{}", architecture.name, name); }
  int64_t whole(const char* from, int64_t otherwise) const {
    return root.has(from) ? root[from].whole(0, kMost) : otherwise;
  }
  void u32(const char* to, int64_t value) const { writer.u32(key(to), value); }
  void f32(const char* to, double value) const { writer.f32(key(to), value); }
};

void write_llama(const KeysOf& keys, const ModelCheck& check) {
  const JsonAt& root = keys.root;
  for (const char* key : {"rope_scaling", "rope_parameters"})
    if (root.has(key) && root[key].json().is_object()) {
      const JsonAt rope = root[key];
      const char* const kind = rope.has("rope_type") ? "rope_type" : "type";
      if (rope.has(kind) && rope[kind].text() != "default")
        rope[kind].not_supported("scaled rotary positions cannot be written as GGUF",
                                 rope[kind].shown(), "\"default\"");
    }
  const SourceShape& shape = check.shape;
  keys.u32("context_length", root.has("max_position_embeddings")
                                 ? root["max_position_embeddings"].whole(1, int64_t{1} << 31)
                                 : shape.max_model_len);
  keys.u32("embedding_length", root["hidden_size"].whole(1, int64_t{1} << 31));
  keys.u32("block_count", shape.num_layers);
  keys.u32("feed_forward_length", root["intermediate_size"].whole(1, int64_t{1} << 31));
  keys.u32("attention.head_count", shape.num_heads);
  keys.u32("attention.head_count_kv", shape.num_kv_heads);
  keys.u32("rope.dimension_count", shape.head_size);
  keys.f32("attention.layer_norm_rms_epsilon",
           root.has("rms_norm_eps") ? root["rms_norm_eps"].number(0, 1) : 1e-6);
  const bool in_rope = root.has("rope_parameters") && root["rope_parameters"].has("rope_theta");
  const JsonAt holder = in_rope ? root["rope_parameters"] : root;
  keys.f32("rope.freq_base",
           holder.has("rope_theta") ? holder["rope_theta"].number(1e-3, 1e12) : 10000);
  if (std::string_view(keys.architecture.name) == "llama" && root.has("model_type") &&
      root["model_type"].text() == "mistral" && root.has("sliding_window"))
    keys.u32("attention.sliding_window", root["sliding_window"].whole(1, kMost));
}

// The token with which the decoder begins. What generation_config.json says comes first.
int64_t decoder_start(const KeysOf& keys) {
  const char *const key = "decoder_start_token_id", *const name = "generation_config.json";
  const int64_t start = keys.whole(key, keys.whole("pad_token_id", 0));
  if (!has_entry(keys.folder / name)) return start;
  Json generation = parse_json(read_text_file(keys.folder / name, JsonLimits{}.max_bytes), name);
  const TakenApart apart(generation);
  const JsonAt root(generation, name);
  return root.has(key) ? root[key].whole(0, kMost) : start;
}

// Missing numbers get the defaults of families/encoder_decoder/t5.cpp.
void write_t5(const KeysOf& keys, const ModelCheck& check) {
  const JsonAt& root = keys.root;
  const auto refuse = [&](const char* key, const char* what, const std::string& found,
                          const char* allowed) {
    (root.has(key) ? root[key] : root).not_supported(what, found, allowed);
  };
  const char* const distance = "relative_attention_max_distance";
  if (keys.whole(distance, 128) != 128)
    refuse(distance, "this largest distance of relative positions cannot be written as GGUF",
           root[distance].shown(), "128");
  const char* const activation = "feed_forward_proj";
  const std::string function = root.has(activation) ? root[activation].text() : "relu";
  if (function != "relu" && function != "gated-gelu")
    refuse(activation, "this activation of a T5 cannot be written as GGUF", quote_text(function),
           "\"relu\", \"gated-gelu\"");
  const char* const tied = "tie_word_embeddings";
  const bool scales = !root.has(tied) || root[tied].boolean();
  if (scales == check.has_own_head)
    refuse(tied, "whether logits are scaled cannot be written as GGUF",
           fmt::format("{} {} an output layer of its own", scales,
                       check.has_own_head ? "and" : "without"),
           "true without an output layer of its own, false with one");
  const int64_t layers = keys.whole("num_layers", 6);
  keys.u32("context_length", check.shape.max_model_len);
  keys.u32("embedding_length", keys.whole("d_model", 512));
  keys.u32("feed_forward_length", keys.whole("d_ff", 2048));
  keys.u32("block_count", layers);
  keys.u32("decoder_block_count", keys.whole("num_decoder_layers", layers));
  keys.u32("attention.head_count", check.shape.num_heads);
  keys.u32("attention.relative_buckets_count", keys.whole("relative_attention_num_buckets", 32));
  const double epsilon =
      root.has("layer_norm_epsilon") ? root["layer_norm_epsilon"].number(0, 1) : 1e-6;
  keys.f32("attention.layer_norm_epsilon", epsilon);
  keys.f32("attention.layer_norm_rms_epsilon", epsilon);
  keys.u32("decoder_start_token_id", decoder_start(keys));
  keys.writer.u32("tokenizer.ggml.padding_token_id", keys.whole("pad_token_id", 0));
}

const GgufArchitecture& architecture_for(const JsonAt& root) {
  const std::string type = root.has("model_type") ? root["model_type"].text() : "llama";
  if (type == "bart" || type == "marian" || type == "mbart" || type == "m2m_100")
    root["model_type"].not_supported(
        "models of this family cannot be written as GGUF: llama.cpp has no architecture for them",
        root["model_type"].shown(), "\"t5\" with an encoder and a decoder");
  if (type != "llama" && type != "mistral" && type != "qwen2" && type != "qwen3" && type != "t5")
    root["model_type"].not_supported("models of this family cannot be written as GGUF",
                                     root["model_type"].shown(),
                                     "\"llama\", \"mistral\", \"qwen2\", \"qwen3\", \"t5\"");
  return *architecture_named(type == "mistral" ? "llama" : type);
}

}  // namespace

const GgufArchitecture& write_folder_metadata(const std::filesystem::path& folder,
                                              const ModelCheck& check, GgufWriter& writer) {
  const char* const name = "config.json";
  Json config = parse_json(read_text_file(folder / name, JsonLimits{}.max_bytes), name);
  const TakenApart apart(config);
  const JsonAt root(config, name);
  const GgufArchitecture& architecture = architecture_for(root);
  writer.text("general.architecture", architecture.name);
  writer.text("general.name", check.shape.name);
  const KeysOf keys{folder, root, architecture, writer};
  keys.u32("vocab_size", check.shape.vocab_size);
  keys.u32("attention.key_length", check.shape.head_size);
  keys.u32("attention.value_length", check.shape.head_size);
  if (std::string_view(architecture.name) == "t5")
    write_t5(keys, check);
  else
    write_llama(keys, check);
  write_vocabulary(folder, check, writer);
  return architecture;
}

}  // namespace attn
