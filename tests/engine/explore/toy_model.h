// SPDX-License-Identifier: GPL-3.0-or-later
// Models, runs, interventions and comparisons for the tests of engine/explore.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/register_all.h"
#include "engine/core/rng.h"
#include "engine/explore/explored_run.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/load_model.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn::test {

struct ToyShape {
  int64_t layers = 3, heads = 4, kv_heads = 2, size = 6, width = 20, inner = 28, vocab = 24;
};

inline std::shared_ptr<Model> write_and_load(const nlohmann::json& config,
                                             const std::map<std::string, Tensor>& tensors) {
  register_all_backends();
  const ScratchFolder folder;
  std::ofstream(folder.path / "config.json") << config.dump();
  std::ofstream(folder.path / "tokenizer.json")
      << R"({"model":{"type":"BPE","vocab":{"<unk>":0,"a":1,"b":2,"ab":3},"merges":["a b"]}})";
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  write_safetensors(folder.path / "model.safetensors", named, {});
  return load_model(folder.path);
}

using Tensors = std::map<std::string, Tensor>;

// edit: changes the weights before the model is loaded.
inline std::shared_ptr<Model> random_toy(uint64_t seed, const ToyShape& s = {},
                                         const std::function<void(Tensors&)>& edit = {}) {
  Rng rng(seed);
  Tensors tensors;
  const auto add = [&](const std::string& name, Shape shape, float mean = 0) {
    Tensor tensor(DType::kF32, std::move(shape));
    for (float& value : tensor.span<float>()) value = mean + 0.4f * rng.normal();
    tensors[name] = std::move(tensor);
  };
  add("model.embed_tokens.weight", {s.vocab, s.width});
  add("lm_head.weight", {s.vocab, s.width});
  add("model.norm.weight", {s.width}, 1);
  for (int64_t layer = 0; layer < s.layers; ++layer) {
    const std::string at = fmt::format("model.layers.{}.", layer);
    add(at + "input_layernorm.weight", {s.width}, 1);
    add(at + "post_attention_layernorm.weight", {s.width}, 1);
    add(at + "self_attn.q_proj.weight", {s.heads * s.size, s.width});
    add(at + "self_attn.k_proj.weight", {s.kv_heads * s.size, s.width});
    add(at + "self_attn.v_proj.weight", {s.kv_heads * s.size, s.width});
    add(at + "self_attn.o_proj.weight", {s.width, s.heads * s.size});
    add(at + "mlp.gate_proj.weight", {s.inner, s.width});
    add(at + "mlp.up_proj.weight", {s.inner, s.width});
    add(at + "mlp.down_proj.weight", {s.width, s.inner});
  }
  if (edit) edit(tensors);
  return write_and_load({{"model_type", "llama"},
                         {"hidden_size", s.width},
                         {"intermediate_size", s.inner},
                         {"num_hidden_layers", s.layers},
                         {"num_attention_heads", s.heads},
                         {"num_key_value_heads", s.kv_heads},
                         {"head_dim", s.size},
                         {"vocab_size", s.vocab},
                         {"max_position_embeddings", 128},
                         {"rope_theta", 10000.0},
                         {"rms_norm_eps", 1e-5},
                         {"hidden_act", "silu"},
                         {"tie_word_embeddings", false}},
                        tensors);
}

inline std::shared_ptr<Model> bundled_model() {
  static const std::shared_ptr<Model> model =
      load_model(std::string(ATTN_SOURCE_DIR) + "/assets/models/tinystories-gqa");
  return model;
}

inline std::vector<int32_t> random_ids(Rng& rng, int64_t count, int64_t vocab) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i)
    ids.push_back(static_cast<int32_t>(rng.next() % static_cast<uint64_t>(vocab)));
  return ids;
}

inline Scenario toy_scenario(size_t requests, int64_t max_tokens = 1) {
  register_all_backends();
  Scenario scenario;
  scenario.source.model = "toy";
  scenario.requests.resize(requests);
  for (ScenarioRequest& request : scenario.requests) {
    request.prompt = "a";
    request.max_tokens = max_tokens;
  }
  // pad_head_size: the heads are padded where the backend does not support the model's head size.
  scenario.engine.backend = "unified";
  scenario.engine.pad_head_size = true;
  scenario.engine.threads = 2;
  return scenario;
}

inline ExploredRun run_of(const std::shared_ptr<Source>& source, const std::vector<int32_t>& ids,
                          std::vector<Intervention> interventions = {}, int64_t max_tokens = 1,
                          const std::vector<int32_t>& other = {}) {
  Scenario scenario = toy_scenario(other.empty() ? 1 : 2, max_tokens);
  scenario.requests[0].interventions = std::move(interventions);
  std::vector<int32_t> encoder_ids;
  if (source->shape().type_of_model() == AttentionType::kEncoderDecoder) {
    scenario.attention.type = AttentionType::kEncoderDecoder;
    Rng rng(12);
    encoder_ids = random_ids(rng, 11, source->shape().vocab_size);
  }
  std::vector<EngineOptions::GivenPrompt> prompts{{ids, encoder_ids}};
  if (!other.empty()) prompts.push_back({other, encoder_ids});
  return *explore(scenario, source, prompts);
}

struct Pool {
  Pool() { execution.pool = &pool; }
  ThreadPool pool{2};
  Execution execution;
};

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return same_bits(a.span<float>(), b.span<float>());
}

inline double largest_difference(std::span<const float> a, std::span<const float> b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return worst;
}
inline double largest(std::span<const float> a) {
  double most = 0;
  for (const float x : a) most = std::max(most, std::abs(static_cast<double>(x)));
  return most;
}

inline Intervention head_off(int64_t layer, int64_t head, Replacement with = Replacement::kZero) {
  Intervention what;
  what.layer = layer;
  what.head = head;
  what.with = with;
  return what;
}
inline Intervention edge_cut(int64_t layer, int64_t head, int64_t query, int64_t key) {
  Intervention what;
  what.kind = InterventionKind::kEdge;
  what.layer = layer;
  what.head = head;
  what.query = query;
  what.key = key;
  return what;
}
inline Intervention stream_of(int64_t request, ResidualSite site, int64_t layer, int64_t position) {
  Intervention what;
  what.kind = InterventionKind::kResidual;
  what.with = Replacement::kRequest;
  what.request = request;
  what.site = site;
  what.layer = layer;
  what.position = position;
  return what;
}

}  // namespace attn::test
