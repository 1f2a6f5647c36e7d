// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/bert.h"

#include <fmt/format.h>

#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

// What BERT, RoBERTa and DistilBERT have in common.
TransformerSpec encoder() {
  TransformerSpec spec;
  spec.type = AttentionType::kEncoderOnly;
  spec.uses_layer_norm = true;
  spec.norm_epsilon = 1e-12f;
  spec.gated = false;
  spec.tie_embeddings = true;
  spec.final_norm = "";
  spec.embedding = "embeddings.word_embeddings";
  spec.positions = "embeddings.position_embeddings";
  spec.embedding_norm = "embeddings.LayerNorm";
  spec.ignored = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias",
                  "cls.seq_relationship.weight", "cls.seq_relationship.bias"};
  return spec;
}

// Makes a BERT or a RoBERTa.
std::unique_ptr<Model> make_bert(ConfigReader& reader) {
  const bool is_roberta = reader.model_type() == "roberta";
  TransformerSpec spec = encoder();
  reader.expect({"is_decoder", "add_cross_attention"}, false,
                "an encoder that is used as a decoder is not supported");
  reader.holds([&] {
    const char* const key = "position_embedding_type";
    if (reader.root().has(key) && reader.root()[key].text() != "absolute")
      reader.root()[key].not_supported("positions of this kind are not supported",
                                       reader.root()[key].shown(), "\"absolute\"");
  });
  bool ok = read_shape(reader,
                       {.width = {{"hidden_size"}, 768},
                        .inner = {{"intermediate_size"}, 3072},
                        .layers = {{"num_hidden_layers"}, 12},
                        .vocabulary = {{"vocab_size"}, is_roberta ? 50265 : 30522},
                        .positions = {{"max_position_embeddings"}, 512},
                        .heads = {{"num_attention_heads"}, 12}},
                       spec);
  ok &= reader.size("type_vocab_size", 1 << 16, spec.num_types, 2);
  ok &= reader.number("layer_norm_eps", 0, 1, spec.norm_epsilon);
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("hidden_act", Activation::kGelu);
  if (is_roberta) {
    // In RoBERTa's table of positions, position 0 has the row after the row with the number of the
    // padding token.
    int64_t padding = 1;
    ok = ok && reader.holds([&] {
      const JsonAt& root = reader.root();
      if (root.has("pad_token_id"))
        padding = root["pad_token_id"].whole(0, spec.vocabulary.size - 1);
      if (padding + 1 >= spec.max_model_len)
        root.refuse("no positions are left after that of the padding token",
                    fmt::format("{} positions", spec.max_model_len),
                    fmt::format("more than {}", padding + 1));
    });
    spec.position_offset = padding + 1;
    spec.max_model_len -= spec.position_offset;
  }
  spec.token_types = "embeddings.token_type_embeddings";
  spec.base = is_roberta ? "roberta." : "bert.";
  spec.layer_prefix = "encoder.layer.";
  spec.attention_norms = {"", "", "attention.output.LayerNorm"};
  spec.mlp_norms = {"", "", "output.LayerNorm"};
  const std::string at = "attention.self.";
  spec.qkv = {{at + "query", at + "key", at + "value"}, true};
  spec.out = {{"attention.output.dense"}, true};
  spec.up = {{"intermediate.dense"}, true};
  spec.down = {{"output.dense"}, true};
  if (is_roberta) {
    spec.head = "lm_head.decoder";
    spec.transform = "lm_head.dense";
    spec.transform_norm = "lm_head.layer_norm";
    spec.head_biases = {"lm_head.bias", "lm_head.decoder.bias"};
  } else {
    spec.head = "cls.predictions.decoder";
    spec.transform = "cls.predictions.transform.dense";
    spec.transform_norm = "cls.predictions.transform.LayerNorm";
    spec.transform_activation = spec.activation;
    spec.head_biases = {"cls.predictions.bias", "cls.predictions.decoder.bias"};
  }
  spec.ignored.insert(spec.ignored.end(), spec.head_biases.begin(), spec.head_biases.end());
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

std::unique_ptr<Model> make_distilbert(ConfigReader& reader) {
  TransformerSpec spec = encoder();
  bool ok = read_shape(reader,
                       {.width = {{"dim", "hidden_size"}, 768},
                        .inner = {{"hidden_dim"}, 3072},
                        .layers = {{"n_layers", "num_hidden_layers"}, 6},
                        .vocabulary = {{"vocab_size"}, 30522},
                        .positions = {{"max_position_embeddings"}, 512},
                        .heads = {{"n_heads", "num_attention_heads"}, 12}},
                       spec);
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation", Activation::kGelu);
  spec.base = "distilbert.";
  spec.layer_prefix = "transformer.layer.";
  spec.attention_norms = {"", "", "sa_layer_norm"};
  spec.mlp_norms = {"", "", "output_layer_norm"};
  const std::string at = "attention.";
  spec.qkv = {{at + "q_lin", at + "k_lin", at + "v_lin"}, true};
  spec.out = {{at + "out_lin"}, true};
  spec.up = {{"ffn.lin1"}, true};
  spec.down = {{"ffn.lin2"}, true};
  spec.head = "vocab_projector";
  spec.transform = "vocab_transform";
  spec.transform_norm = "vocab_layer_norm";
  spec.transform_activation = spec.activation;
  spec.head_biases = {"vocab_projector.bias"};
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family bert_family() {
  return {{"bert", "roberta", "distilbert"}, [](ConfigReader& reader) {
            return reader.model_type() == "distilbert" ? make_distilbert(reader)
                                                       : make_bert(reader);
          }};
}

}  // namespace attn
