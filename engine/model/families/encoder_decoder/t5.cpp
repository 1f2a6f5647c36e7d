// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/encoder_decoder/t5.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/limits.h"
#include "engine/model/transformer/encoder_decoder.h"

namespace attn {
namespace {

constexpr int64_t kMostBuckets = 1024, kMostDistance = 8192;

StackSpec t5_stack(const std::string& name, bool gated) {
  StackSpec stack;
  const bool decoder = name == "decoder";
  const auto attention = [](const std::string& at, const std::string& block) {
    return AttentionNames{at + block + ".q", at + block + ".k", at + block + ".v",
                          at + block + ".o", at + "layer_norm"};
  };
  stack.prefix = name + ".block.";
  stack.self = attention("layer.0.", "SelfAttention");
  if (decoder) stack.cross = attention("layer.1.", "EncDecAttention");
  const std::string mlp = decoder ? "layer.2." : "layer.1.";
  stack.up = {mlp + "DenseReluDense.wi"};
  if (gated) stack.up = {mlp + "DenseReluDense.wi_0", mlp + "DenseReluDense.wi_1"};
  stack.down = mlp + "DenseReluDense.wo";
  stack.mlp_norm = mlp + "layer_norm";
  stack.final_norm = name + ".final_layer_norm";
  stack.relative_bias = name + ".block.0.layer.0.SelfAttention.relative_attention_bias";
  return stack;
}

// Reads the activation function and whether the MLP has a gate, from a text such as "relu" or
// "gated-gelu".
void read_activation(const JsonAt& root, EncoderDecoderSpec& spec) {
  const char* const key = "feed_forward_proj";
  std::string name = root.has(key) ? root[key].text() : "relu";
  spec.gated = name.starts_with("gated-");
  if (spec.gated) name = name.substr(6);
  if (spec.gated && name == "gelu") name = "gelu_new";
  const auto activation = activation_named(name);
  if (!activation)
    root[key].not_supported("the activation function is not known", root[key].shown(),
                            "\"relu\", \"gelu\", \"silu\", or one of them after \"gated-\"");
  spec.activation = *activation;
  if (const char* again = "is_gated_act"; root.has(again) && root[again].boolean() != spec.gated)
    root[again].not_supported(fmt::format("it contradicts {}", key), root[again].shown(),
                              spec.gated ? "true" : "false");
  if (const char* again = "dense_act_fn";
      root.has(again) && activation_named(root[again].text()) != spec.activation)
    root[again].not_supported(fmt::format("it contradicts {}", key), root[again].shown(),
                              fmt::format("\"{}\"", name));
}

bool read_buckets(ConfigReader& reader, EncoderDecoderSpec& spec) {
  const char *const buckets = "relative_attention_num_buckets",
                    *const distance = "relative_attention_max_distance";
  if (!reader.size(buckets, kMostBuckets, spec.buckets, 32) ||
      !reader.size(distance, kMostDistance, spec.max_distance, 128))
    return false;
  const JsonAt& root = reader.root();
  return reader.holds([&] {
    // In an encoder, the keys up to the query have half of the buckets and those after it the other
    // half, and half of the buckets of a side hold at most one distance each. In a decoder, half of
    // all buckets hold one distance each.
    if (spec.buckets % 4 != 0)
      root[buckets].refuse("the number of buckets does not fit an encoder",
                           fmt::format("{}", spec.buckets), "a multiple of 4");
    if (spec.max_distance <= spec.buckets / 2)
      (root.has(distance) ? root[distance] : root)
          .refuse("no distances are left for the last buckets",
                  fmt::format("a largest distance of {}", spec.max_distance),
                  fmt::format("more than {}, half of {}", spec.buckets / 2, buckets));
  });
}

std::unique_ptr<Model> make_t5(ConfigReader& reader) {
  EncoderDecoderSpec spec;
  const JsonAt& root = reader.root();
  const bool knows_mlp = reader.holds([&] { read_activation(root, spec); });
  spec.encoder = t5_stack("encoder", spec.gated);
  spec.decoder = t5_stack("decoder", spec.gated);
  const auto axis = [&](const char* key, int64_t most, int64_t otherwise, Axis& to) {
    to.name = key;
    return reader.size(key, most, to.size, otherwise);
  };
  reader.expect({"is_encoder_decoder"}, true,
                "the encoder of a T5 without its decoder is not supported");
  bool ok = axis("d_model", ConfigReader::kMostWidth, 512, spec.width);
  ok &= axis("d_ff", ConfigReader::kMostWidth, 2048, spec.encoder.inner);
  spec.decoder.inner = spec.encoder.inner;
  ok &= axis("num_layers", kMostLayers / 4, 6, spec.encoder.layers);
  ok &= axis("num_decoder_layers", kMostLayers / 4, std::max<int64_t>(1, spec.encoder.layers.size),
             spec.decoder.layers);
  ok &= axis("vocab_size", kMostVocabulary, 32128, spec.vocabulary);
  ok &= reader.size("n_positions", kMostPositions, spec.max_model_len, 512);
  spec.heads_key = "num_heads";
  spec.size_key = "d_kv";
  ok &= reader.heads(spec.width.size,
                     {.heads = "num_heads",
                      .kv_heads = nullptr,
                      .size = "d_kv",
                      .width = "d_model",
                      .default_heads = 8,
                      .default_size = 64},
                     spec.heads);
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  // The key tie_word_embeddings says whether the logits are scaled. The files say whether there is
  // an output layer.
  bool scales_logits = true;
  ok &= reader.flag("tie_word_embeddings", scales_logits);
  ok &= read_buckets(reader, spec);
  ok = ok && knows_mlp && reader.holds([&] {
    // Without a decoder_start_token_id, the decoder begins with the padding token.
    for (const char* key : {"pad_token_id", "decoder_start_token_id"})
      if (root.has(key))
        spec.start_token = static_cast<int32_t>(root[key].whole(0, spec.vocabulary.size - 1));
  });
  if (!ok) return nullptr;
  spec.scale = 1;
  if (scales_logits)
    spec.logit_scale = static_cast<float>(1 / std::sqrt(static_cast<double>(spec.width.size)));
  spec.embedding = "shared";
  // Copies of the embedding, and a bias of cross attention that is not used.
  spec.ignored = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                  "EncDecAttention.relative_attention_bias.weight"};
  return make_encoder_decoder(std::move(spec));
}

}  // namespace

Family t5_family() {
  return {{"t5"}, make_t5};
}

}  // namespace attn
