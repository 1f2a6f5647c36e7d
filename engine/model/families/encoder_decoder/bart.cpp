// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/encoder_decoder/bart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/limits.h"
#include "engine/model/transformer/encoder_decoder.h"

namespace attn {
namespace {

// A model type: the defaults of keys that config.json leaves out, and what differs from BART.
struct BartVariant {
  const char* type;
  int64_t vocabulary = 50265;
  int32_t start_token = 2;
  PositionKind positions = PositionKind::kLearned;
  bool embedding_norm = true;
  bool norm_before = false;  // norms are before branches and at a stack's end
  bool logits_bias = true;
  bool scales_embedding = false;
  bool starts_with_bos = false;  // with bos_token_id, if decoder_start_token_id is missing
  Activation activation = Activation::kGelu;
};

constexpr BartVariant kBartVariants[] = {
    {.type = "bart"},
    {.type = "marian",
     .vocabulary = 58101,
     .start_token = 58100,
     .positions = PositionKind::kSinusoidal,
     .embedding_norm = false},
    {.type = "mbart", .start_token = 0, .norm_before = true, .starts_with_bos = true},
    {.type = "m2m_100",
     .vocabulary = 128112,
     .positions = PositionKind::kSinusoidalToEnd,
     .embedding_norm = false,
     .norm_before = true,
     .logits_bias = false,
     .scales_embedding = true,
     .activation = Activation::kRelu},
};

StackSpec bart_stack(const std::string& name, const BartVariant& variant) {
  StackSpec stack;
  const auto attention = [](const std::string& at) {
    return AttentionNames{at + ".q_proj", at + ".k_proj", at + ".v_proj", at + ".out_proj",
                          at + "_layer_norm"};
  };
  const std::string base = "model." + name + ".";
  stack.prefix = base + "layers.";
  stack.self = attention("self_attn");
  if (name == "decoder") stack.cross = attention("encoder_attn");
  stack.up = {"fc1"};
  stack.down = "fc2";
  stack.mlp_norm = "final_layer_norm";
  if (variant.positions == PositionKind::kLearned) stack.positions = base + "embed_positions";
  if (variant.embedding_norm) stack.embedding_norm = base + "layernorm_embedding";
  if (variant.norm_before) stack.final_norm = base + "layer_norm";
  return stack;
}

// Checks that the key `of_decoder`, a size of the decoder, is missing, null or `shared`, the size
// of the encoder under the key `of_encoder`.
bool read_shared(ConfigReader& reader, const char* of_encoder, const char* of_decoder,
                 int64_t shared) {
  int64_t other = shared;
  return reader.size(of_decoder, shared, other, shared) && reader.holds([&] {
    if (other != shared)
      reader.root()[of_decoder].not_supported(
          fmt::format("{} and {} must be the same", of_encoder, of_decoder),
          fmt::format("{}", other), fmt::format("{}", shared));
  });
}

std::unique_ptr<Model> make_bart(ConfigReader& reader) {
  const BartVariant& variant = *std::ranges::find_if(
      kBartVariants, [&](const BartVariant& v) { return v.type == reader.model_type(); });
  EncoderDecoderSpec spec;
  const JsonAt& root = reader.root();
  spec.encoder = bart_stack("encoder", variant);
  spec.decoder = bart_stack("decoder", variant);
  const auto axis = [&](const char* key, int64_t most, int64_t otherwise, Axis& to) {
    to.name = key;
    return reader.size(key, most, to.size, otherwise);
  };
  reader.expect({"is_encoder_decoder"}, true,
                "an encoder or a decoder of this family by itself is not supported");
  reader.expect({"share_encoder_decoder_embeddings"}, true,
                "an encoder and a decoder with vocabularies of their own are not supported");
  reader.expect({"normalize_before", "add_final_layer_norm"}, variant.norm_before,
                "norms at other places are not supported in this family");
  bool ok = axis("d_model", ConfigReader::kMostWidth, 1024, spec.width);
  ok &= axis("encoder_ffn_dim", ConfigReader::kMostWidth, 4096, spec.encoder.inner);
  ok &= axis("decoder_ffn_dim", ConfigReader::kMostWidth, 4096, spec.decoder.inner);
  ok &= axis("encoder_layers", kMostLayers / 4, 12, spec.encoder.layers);
  ok &= axis("decoder_layers", kMostLayers / 4, 12, spec.decoder.layers);
  ok &= axis("vocab_size", kMostVocabulary, variant.vocabulary, spec.vocabulary);
  ok &= reader.size("max_position_embeddings", kMostPositions, spec.max_model_len, 1024);
  spec.heads_key = "encoder_attention_heads";
  spec.size_key = "head size";
  ok = ok && reader.heads(spec.width.size,
                          {.heads = "encoder_attention_heads",
                           .kv_heads = nullptr,
                           .size = nullptr,
                           .width = "d_model",
                           .default_heads = 16},
                          spec.heads);
  ok = ok &&
       read_shared(reader, "encoder_attention_heads", "decoder_attention_heads", spec.heads.heads);
  bool scales = variant.scales_embedding;
  ok &= reader.flag("scale_embedding", scales);
  reader.expect({"tie_word_embeddings"}, true,
                "embeddings of their own for encoder, decoder and output are not supported");
  if (scales)
    spec.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(spec.width.size)));
  spec.activation = reader.activation("activation_function", variant.activation);
  spec.start_token = variant.start_token;
  ok = ok && reader.holds([&] {
    const char* const key = "decoder_start_token_id";
    if (root.has(key))
      spec.start_token = static_cast<int32_t>(root[key].whole(0, spec.vocabulary.size - 1));
    else if (variant.starts_with_bos && root.has("bos_token_id"))
      spec.start_token =
          static_cast<int32_t>(root["bos_token_id"].whole(0, spec.vocabulary.size - 1));
    else if (spec.start_token >= spec.vocabulary.size)
      root[key].whole(0, spec.vocabulary.size - 1);  // the key is missing, so this throws
  });
  spec.position_offset = variant.positions == PositionKind::kSinusoidal ? 0 : 2;
  if (variant.positions == PositionKind::kSinusoidalToEnd)
    ok = ok && reader.holds([&] {
      if (spec.width.size < 4)
        root["d_model"].refuse("too narrow for these positions", root["d_model"].shown(),
                               "4 or more");
      const char* const key = "pad_token_id";  // position 0 has the sines of the number after it
      if (root.has(key)) spec.position_offset = root[key].whole(0, kMostVocabulary) + 1;
    });
  if (!ok) return nullptr;
  spec.uses_layer_norm = spec.has_bias = true;
  spec.norm_after_sum = !variant.norm_before;
  spec.norm_epsilon = 1e-5f;
  spec.positions = variant.positions;
  spec.embedding = "model.shared";
  if (variant.logits_bias) spec.logits_bias = "final_logits_bias";
  spec.ignored = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"};
  if (variant.positions != PositionKind::kLearned)
    for (const char* name : {"embed_positions.weight", "embed_positions.weights"})
      spec.ignored.emplace_back(name);
  return make_encoder_decoder(std::move(spec));
}

}  // namespace

Family bart_family() {
  Family family{{}, make_bart};
  for (const BartVariant& variant : kBartVariants) family.model_types.emplace_back(variant.type);
  return family;
}

}  // namespace attn
