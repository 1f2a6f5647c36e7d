// SPDX-License-Identifier: GPL-3.0-or-later
// A model folder that loads, for tests to change: a small Llama with random weights, 1 layer, 4
// heads of size 6, 5 tokens (<unk>, a, b, ab, and one that the tokenizer lacks).
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/rng.h"
#include "engine/model/files/safetensors.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {

struct LlamaFolder {
  static constexpr int64_t kWidth = 12, kInner = 20, kHeads = 4, kKvHeads = 2, kSize = 6,
                           kVocab = 5;

  LlamaFolder() {
    Rng rng(11);
    const auto add = [&](const std::string& name, Shape shape) {
      Tensor tensor(DType::kF32, std::move(shape));
      for (float& value : tensor.span<float>()) value = 0.3f * rng.normal();
      tensors[name] = std::move(tensor);
    };
    add("model.embed_tokens.weight", {kVocab, kWidth});
    add("lm_head.weight", {kVocab, kWidth});
    add("model.norm.weight", {kWidth});
    const std::string at = "model.layers.0.";
    add(at + "input_layernorm.weight", {kWidth});
    add(at + "post_attention_layernorm.weight", {kWidth});
    add(at + "self_attn.q_proj.weight", {kHeads * kSize, kWidth});
    add(at + "self_attn.k_proj.weight", {kKvHeads * kSize, kWidth});
    add(at + "self_attn.v_proj.weight", {kKvHeads * kSize, kWidth});
    add(at + "self_attn.o_proj.weight", {kWidth, kHeads * kSize});
    add(at + "mlp.gate_proj.weight", {kInner, kWidth});
    add(at + "mlp.up_proj.weight", {kInner, kWidth});
    add(at + "mlp.down_proj.weight", {kWidth, kInner});
  }

  const std::filesystem::path& path() const { return folder.path; }
  void write_json(const char* name, const nlohmann::json& json) const {
    std::ofstream(path() / name) << json.dump();
  }
  void write() const {
    write_json("config.json", config);
    std::ofstream(path() / "tokenizer.json")
        << R"({"model":{"type":"BPE","vocab":{"<unk>":0,"a":1,"b":2,"ab":3},"merges":["a b"]}})";
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
    write_safetensors(path() / "model.safetensors", named, {});
  }

  ScratchFolder folder;
  nlohmann::json config = {{"model_type", "llama"},
                           {"hidden_size", kWidth},
                           {"intermediate_size", kInner},
                           {"num_hidden_layers", 1},
                           {"num_attention_heads", kHeads},
                           {"num_key_value_heads", kKvHeads},
                           {"head_dim", kSize},
                           {"vocab_size", kVocab},
                           {"max_position_embeddings", 64},
                           {"rope_theta", 10000.0},
                           {"rms_norm_eps", 1e-5},
                           {"hidden_act", "silu"},
                           {"tie_word_embeddings", false}};
  std::map<std::string, Tensor> tensors;
};

}  // namespace attn
