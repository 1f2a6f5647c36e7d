// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/model/gguf/architecture.h"

namespace attn {
namespace {

using Names = std::vector<TensorName>;

Names joined(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<StackNames> one_stack(const char* family, Names names) {
  return {{"blk.", family, std::move(names)}};
}

// --- models that are built like Llama ---

Names llama_outside(Stored norm = Stored::kAsIs) {
  return {{"token_embd", "model.embed_tokens"},
          {"output_norm", "model.norm", norm},
          {"output", "lm_head"}};
}

Names separate_heads(Stored query = Stored::kAsIs, Stored key = Stored::kAsIs) {
  return {{"attn_q", "self_attn.q_proj", query},
          {"attn_k", "self_attn.k_proj", key},
          {"attn_v", "self_attn.v_proj"},
          {"attn_output", "self_attn.o_proj"}};
}
Names turned_heads() {
  return separate_heads(Stored::kQueryPairs, Stored::kKeyPairs);
}
Names head_norms(Stored stored = Stored::kAsIs) {
  return {{"attn_q_norm", "self_attn.q_norm", stored}, {"attn_k_norm", "self_attn.k_norm", stored}};
}
const Names kGatedMlp = {
    {"ffn_gate", "mlp.gate_proj"}, {"ffn_up", "mlp.up_proj"}, {"ffn_down", "mlp.down_proj"}};

Names norms_before(Stored stored = Stored::kAsIs) {
  return {{"attn_norm", "input_layernorm", stored},
          {"ffn_norm", "post_attention_layernorm", stored}};
}

GgufArchitecture like_llama(const char* name, const char* model_type, Names layer,
                            Stored norm = Stored::kAsIs) {
  return {.name = name,
          .model_type = model_type,
          .names = llama_outside(norm),
          .stacks = one_stack("model.layers.", std::move(layer))};
}

// Llama, Mistral, Mixtral and SmolLM all have this architecture in GGUF files.
GgufArchitecture llama() {
  return like_llama("llama", "llama",
                    joined(joined(joined(turned_heads(), kGatedMlp), norms_before()),
                           {{"ffn_gate_inp", "block_sparse_moe.gate"},
                            {"ffn_gate_exps", "block_sparse_moe.experts.{}.w1"},
                            {"ffn_up_exps", "block_sparse_moe.experts.{}.w3"},
                            {"ffn_down_exps", "block_sparse_moe.experts.{}.w2"}}));
}

GgufArchitecture smollm3() {
  return like_llama("smollm3", "smollm3",
                    joined(joined(turned_heads(), kGatedMlp), norms_before()));
}

GgufArchitecture qwen3_moe() {
  return like_llama("qwen3moe", "qwen3_moe",
                    joined(joined(joined(separate_heads(), head_norms()), norms_before()),
                           {{"ffn_gate_inp", "mlp.gate"},
                            {"ffn_gate_exps", "mlp.experts.{}.gate_proj"},
                            {"ffn_up_exps", "mlp.experts.{}.up_proj"},
                            {"ffn_down_exps", "mlp.experts.{}.down_proj"}}));
}

Names gemma2_layer() {
  return joined(joined(separate_heads(), kGatedMlp),
                {{"attn_norm", "input_layernorm", Stored::kPlusOne},
                 {"post_attention_norm", "post_attention_layernorm", Stored::kPlusOne},
                 {"ffn_norm", "pre_feedforward_layernorm", Stored::kPlusOne},
                 {"post_ffw_norm", "post_feedforward_layernorm", Stored::kPlusOne}});
}
GgufArchitecture gemma2() {
  return like_llama("gemma2", "gemma2", gemma2_layer(), Stored::kPlusOne);
}
GgufArchitecture gemma3() {
  return like_llama("gemma3", "gemma3_text", joined(gemma2_layer(), head_norms(Stored::kPlusOne)),
                    Stored::kPlusOne);
}

GgufArchitecture phi3() {
  return like_llama("phi3", "phi3",
                    joined(norms_before(), {{"attn_qkv", "self_attn.qkv_proj"},
                                            {"attn_output", "self_attn.o_proj"},
                                            {"ffn_up", "mlp.gate_up_proj"},
                                            {"ffn_down", "mlp.down_proj"}}));
}

GgufArchitecture olmo2() {
  return like_llama("olmo2", "olmo2",
                    joined(joined(joined(separate_heads(), head_norms()), kGatedMlp),
                           {{"post_attention_norm", "post_attention_layernorm"},
                            {"post_ffw_norm", "post_feedforward_layernorm"}}));
}

// --- models with layer norms ---

GgufArchitecture gpt2() {
  return {
      .name = "gpt2",
      .model_type = "gpt2",
      .positions = "n_positions",
      .inner = "n_inner",
      .kv_heads = "",
      .norm_epsilon = "layer_norm_epsilon",
      .has_rotary = false,
      .has_head_size = false,
      .names = {{"token_embd", "transformer.wte"},
                {"position_embd", "transformer.wpe"},
                {"output_norm", "transformer.ln_f"},
                {"output", "lm_head"}},
      .stacks = one_stack("transformer.h.", {{"attn_norm", "ln_1"},
                                             {"attn_qkv", "attn.c_attn", Stored::kTransposed},
                                             {"attn_output", "attn.c_proj", Stored::kTransposed},
                                             {"ffn_norm", "ln_2"},
                                             {"ffn_up", "mlp.c_fc", Stored::kTransposed},
                                             {"ffn_down", "mlp.c_proj", Stored::kTransposed}})};
}

GgufArchitecture gpt_neox() {
  return {.name = "gptneox",
          .model_type = "gpt_neox",
          .kv_heads = "",
          .norm_epsilon = "layer_norm_eps",
          .has_head_size = false,
          .names = {{"token_embd", "gpt_neox.embed_in"},
                    {"output_norm", "gpt_neox.final_layer_norm"},
                    {"output", "embed_out"}},
          .stacks = one_stack("gpt_neox.layers.",
                              {{"attn_norm", "input_layernorm"},
                               {"ffn_norm", "post_attention_layernorm"},
                               {"attn_qkv", "attention.query_key_value", Stored::kByKind},
                               {"attn_output", "attention.dense"},
                               {"ffn_up", "mlp.dense_h_to_4h"},
                               {"ffn_down", "mlp.dense_4h_to_h"}})};
}

// The names in a layer of BLOOM or Falcon: `norms`, in which the two differ, and the others.
Names fused_by_group(Names norms) {
  return joined(std::move(norms), {{"attn_qkv", "self_attention.query_key_value", Stored::kByKind},
                                   {"attn_output", "self_attention.dense"},
                                   {"ffn_up", "mlp.dense_h_to_4h"},
                                   {"ffn_down", "mlp.dense_4h_to_h"}});
}

GgufArchitecture bloom() {
  return {.name = "bloom",
          .model_type = "bloom",
          .positions = "seq_length",
          .inner = "",
          .kv_heads = "",
          .norm_epsilon = "layer_norm_epsilon",
          .has_rotary = false,
          .has_head_size = false,
          .names = {{"token_embd", "transformer.word_embeddings"},
                    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
                    {"output_norm", "transformer.ln_f"},
                    {"output", "lm_head"}},
          .stacks = one_stack("transformer.h.",
                              fused_by_group({{"attn_norm", "input_layernorm"},
                                              {"ffn_norm", "post_attention_layernorm"}}))};
}

// Falcon 7B has one norm for both branches, attn_norm. Falcon 40B has one for each: attn_norm_2 for
// attention, attn_norm for the MLP.
GgufArchitecture falcon() {
  return {.name = "falcon",
          .model_type = "falcon",
          .inner = "ffn_hidden_size",
          .kv_heads = "num_kv_heads",
          .norm_epsilon = "layer_norm_epsilon",
          .has_head_size = false,
          .names = {{"token_embd", "transformer.word_embeddings"},
                    {"output_norm", "transformer.ln_f"},
                    {"output", "lm_head"}},
          .stacks = one_stack("transformer.h.", fused_by_group({{"attn_norm", "input_layernorm"},
                                                                {"attn_norm_2", "ln_attn"}}))};
}

GgufArchitecture mpt() {
  return {.name = "mpt",
          .model_type = "mpt",
          .positions = "max_seq_len",
          .inner = "",
          .kv_heads = "",
          .norm_epsilon = "layer_norm_epsilon",
          .has_rotary = false,
          .has_head_size = false,
          .names = {{"token_embd", "transformer.wte"},
                    {"output_norm", "transformer.norm_f"},
                    {"output", "lm_head"}},
          .stacks = one_stack("transformer.blocks.", {{"attn_norm", "norm_1"},
                                                      {"ffn_norm", "norm_2"},
                                                      {"attn_qkv", "attn.Wqkv"},
                                                      {"attn_output", "attn.out_proj"},
                                                      {"ffn_up", "ffn.up_proj"},
                                                      {"ffn_down", "ffn.down_proj"}})};
}

// --- an encoder and a decoder ---

// An MLP of T5 has a gate (wi_0, and wi_1 beside it) or none (wi).
GgufArchitecture t5() {
  const Names self = {{"attn_norm", "layer.0.layer_norm"},
                      {"attn_q", "layer.0.SelfAttention.q"},
                      {"attn_k", "layer.0.SelfAttention.k"},
                      {"attn_v", "layer.0.SelfAttention.v"},
                      {"attn_o", "layer.0.SelfAttention.o"},
                      {"attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"}};
  const Names cross = {{"cross_attn_norm", "layer.1.layer_norm"},
                       {"cross_attn_q", "layer.1.EncDecAttention.q"},
                       {"cross_attn_k", "layer.1.EncDecAttention.k"},
                       {"cross_attn_v", "layer.1.EncDecAttention.v"},
                       {"cross_attn_o", "layer.1.EncDecAttention.o"},
                       {"cross_attn_rel_b", "layer.1.EncDecAttention.relative_attention_bias"}};
  const Names encoder_mlp = {{"ffn_norm", "layer.1.layer_norm"},
                             {"ffn_gate", "layer.1.DenseReluDense.wi_0"},
                             {"ffn_up", "layer.1.DenseReluDense.wi"},
                             {"ffn_up", "layer.1.DenseReluDense.wi_1"},
                             {"ffn_down", "layer.1.DenseReluDense.wo"}};
  const Names decoder_mlp = {{"ffn_norm", "layer.2.layer_norm"},
                             {"ffn_gate", "layer.2.DenseReluDense.wi_0"},
                             {"ffn_up", "layer.2.DenseReluDense.wi"},
                             {"ffn_up", "layer.2.DenseReluDense.wi_1"},
                             {"ffn_down", "layer.2.DenseReluDense.wo"}};
  return {.name = "t5",
          .model_type = "t5",
          .positions = "n_positions",
          .inner = "d_ff",
          .kv_heads = "",
          .has_rotary = false,
          .names = {{"token_embd", "shared"},
                    {"enc.output_norm", "encoder.final_layer_norm"},
                    {"dec.output_norm", "decoder.final_layer_norm"},
                    {"output", "lm_head"}},
          .stacks = {{"enc.blk.", "encoder.block.", joined(self, encoder_mlp)},
                     {"dec.blk.", "decoder.block.", joined(joined(self, cross), decoder_mlp)}}};
}

const std::vector<GgufArchitecture>& architectures() {
  static const std::vector<GgufArchitecture> all = {
      llama(),
      like_llama("qwen2", "qwen2", joined(joined(separate_heads(), kGatedMlp), norms_before())),
      like_llama("qwen3", "qwen3",
                 joined(joined(joined(separate_heads(), head_norms()), kGatedMlp), norms_before())),
      qwen3_moe(),
      like_llama("gemma", "gemma",
                 joined(joined(separate_heads(), kGatedMlp), norms_before(Stored::kPlusOne)),
                 Stored::kPlusOne),
      gemma2(),
      gemma3(),
      smollm3(),
      phi3(),
      olmo2(),
      like_llama("granite", "granite", joined(joined(turned_heads(), kGatedMlp), norms_before())),
      gpt2(),
      gpt_neox(),
      bloom(),
      falcon(),
      mpt(),
      t5(),
  };
  return all;
}

}  // namespace

std::vector<TensorRows> family_rows(Stored stored, const HeadShape& heads, int64_t first,
                                    int64_t count) {
  const int64_t size = heads.size, half = size / 2;
  std::vector<TensorRows> rows;
  if (stored == Stored::kQueryPairs || stored == Stored::kKeyPairs) {
    const int64_t all = stored == Stored::kQueryPairs ? heads.heads : heads.kv_heads;
    if (count != all * size || size % 2 != 0) return {{first, count}};
    for (int64_t head = 0; head < all; ++head)
      for (int64_t element = 0; element < 2; ++element)
        for (int64_t pair = 0; pair < half; ++pair)
          rows.push_back({first + head * size + 2 * pair + element, 1});
    return rows;
  }
  if (stored == Stored::kByKind && count == heads.width()) {
    const int64_t queries = heads.heads / heads.kv_heads * size, keys = heads.heads * size,
                  values = keys + heads.kv_heads * size;
    for (int64_t group = 0; group < heads.kv_heads; ++group) {
      rows.push_back({first + group * queries, queries});
      rows.push_back({first + keys + group * size, size});
      rows.push_back({first + values + group * size, size});
    }
    return rows;
  }
  return {{first, count}};
}

std::optional<GgufName> gguf_name_of(const GgufArchitecture& architecture,
                                     std::string_view family) {
  const size_t dot = family.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view ending = family.substr(dot);
  std::string_view stem = family.substr(0, dot);
  std::string layer;
  const std::vector<TensorName>* rules = &architecture.names;
  for (const StackNames& stack : architecture.stacks) {
    if (!stem.starts_with(stack.family)) continue;
    const std::string_view rest = stem.substr(stack.family.size());
    const size_t end = rest.find('.');
    if (end == std::string_view::npos) return std::nullopt;
    layer = fmt::format("{}{}.", stack.gguf, rest.substr(0, end));
    stem = rest.substr(end + 1);
    rules = &stack.names;
    break;
  }
  for (const TensorName& rule : *rules) {
    const std::string_view name = rule.family;
    const size_t place = name.find("{}");
    const bool fits = place == std::string_view::npos ? stem == name
                                                      : stem.starts_with(name.substr(0, place)) &&
                                                            stem.ends_with(name.substr(place + 2));
    if (fits) return GgufName{fmt::format("{}{}{}", layer, rule.gguf, ending), rule.stored};
  }
  return std::nullopt;
}

const GgufArchitecture* architecture_named(std::string_view name) {
  const auto found = std::ranges::find(architectures(), name, &GgufArchitecture::name);
  return found == architectures().end() ? nullptr : &*found;
}

std::string known_architectures() {
  std::vector<std::string> names;
  for (const GgufArchitecture& architecture : architectures())
    names.push_back(fmt::format("\"{}\"", architecture.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace attn
