// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/llama_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/counted.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

constexpr const char* kEmbedding = "model.embed_tokens.weight";
constexpr const char* kHead = "lm_head.weight";

bool is_readable(std::optional<DType> dtype) {
  return dtype == DType::kF64 || dtype == DType::kF32 || dtype == DType::kF16 ||
         dtype == DType::kBF16;
}

constexpr const char* kWholeLayers = "layers";
constexpr std::string_view kLayers = "model.layers.";

// The prefix "model.layers.7." of a tensor of a layer; "" for other tensors.
std::string layer_of(std::string_view name) {
  if (!name.starts_with(kLayers)) return "";
  return std::string(name.substr(0, name.find('.', kLayers.size()) + 1));
}

// Names the axes that differ, in terms of config.json: "hidden_size". All axes where their number
// differs.
std::string unfit_axes(const WeightSpec& weight, const Shape& found) {
  std::string_view why = weight.why;  // "[a, b]"
  if (found.size() != weight.shape.size()) return std::string(why);
  why = why.substr(1, why.size() - 2);
  std::string axes;
  for (size_t i = 0; i < found.size(); ++i) {
    const size_t comma = std::min(why.find(", "), why.size());
    if (found[i] != weight.shape[i])
      axes += fmt::format("{}{}", axes.empty() ? "" : ", ", why.substr(0, comma));
    why.remove_prefix(std::min(comma + 2, why.size()));
  }
  return axes;
}

// Whether the name of any tensor begins with `beginning`.
bool has_any(const WeightFiles& files, const std::string& beginning) {
  return std::ranges::any_of(files.names(),
                             [&](const std::string& name) { return name.starts_with(beginning); });
}

}  // namespace

LlamaWeights::LlamaWeights(const LlamaConfig& config, const WeightFiles& files) {
  const int64_t width = config.hidden_size, inner = config.intermediate_size,
                query = config.num_heads * config.head_size,
                kv = config.num_kv_heads * config.head_size;
  const char* const kQuery = "[num_attention_heads * head_dim, hidden_size]";
  const char* const kKv = "[num_key_value_heads * head_dim, hidden_size]";
  const char* const kInner = "[intermediate_size, hidden_size]";
  // Tied embeddings are one tensor, stored under either name. Where the files have both names, they
  // are two tensors.
  const bool tied = config.tie_embeddings;
  const bool one_name = tied && !(files.find(kEmbedding) && files.find(kHead));
  const char* const only = files.find(kHead) ? kHead : kEmbedding;
  const Shape table{config.vocab_size, width};
  embedding = {one_name ? only : kEmbedding, table, "[vocab_size, hidden_size]"};
  head = {one_name ? only : kHead, table, "[vocab_size, hidden_size]"};
  final_norm = {"model.norm.weight", {width}, "[hidden_size]"};
  for (int64_t i = 0; i < config.num_layers; ++i) {
    const std::string at = fmt::format("model.layers.{}.", i), attention = at + "self_attn.",
                      mlp = at + "mlp.";
    layers.push_back({
        .attention_norm = {at + "input_layernorm.weight", {width}, "[hidden_size]"},
        .mlp_norm = {at + "post_attention_layernorm.weight", {width}, "[hidden_size]"},
        .query = {attention + "q_proj.weight", {query, width}, kQuery},
        .key = {attention + "k_proj.weight", {kv, width}, kKv},
        .value = {attention + "v_proj.weight", {kv, width}, kKv},
        .out = {attention + "o_proj.weight",
                {width, query},
                "[hidden_size, num_attention_heads * head_dim]"},
        .gate = {mlp + "gate_proj.weight", {inner, width}, kInner},
        .up = {mlp + "up_proj.weight", {inner, width}, kInner},
        .down = {mlp + "down_proj.weight", {width, inner}, "[hidden_size, intermediate_size]"},
    });
  }
}

void LlamaWeights::for_each(const std::function<void(const WeightSpec&)>& visit) const {
  visit(embedding);
  visit(final_norm);
  for (const Layer& l : layers)
    for (const WeightSpec* weight : {&l.attention_norm, &l.mlp_norm, &l.query, &l.key, &l.value,
                                     &l.out, &l.gate, &l.up, &l.down})
      visit(*weight);
  if (has_own_head()) visit(head);
}

void LlamaWeights::check(const WeightFiles& files, Problems& problems) const {
  struct Kind {
    const WeightSpec* first;
    int64_t count = 0;
  };
  // One wrong key of config.json affects many tensors, so each kind of problem is reported once,
  // with the first tensor that has it.
  std::vector<std::pair<std::string, Kind>> missing, unfit;
  const auto add = [](auto& kinds, std::string name, const WeightSpec& weight) {
    auto kind = std::ranges::find(kinds, name, [](const auto& entry) { return entry.first; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {std::move(name), Kind{&weight}});
    ++kind->second.count;
  };
  std::map<std::string, Kind> unreadable;  // by the name of the element type
  for_each([&](const WeightSpec& weight) {
    const TensorEntry* entry = files.find(weight.name);
    if (!entry) {
      const std::string layer = layer_of(weight.name);
      const bool whole = !layer.empty() && !has_any(files, layer);
      add(missing, whole ? kWholeLayers : weight.name.substr(layer.size()), weight);
      return;
    }
    if (entry->shape != weight.shape) add(unfit, unfit_axes(weight, entry->shape), weight);
    if (!is_readable(entry->dtype))
      ++unreadable.try_emplace(entry->dtype_name, Kind{&weight}).first->second.count;
  });
  const auto others = [](const Kind& kind, const std::string& how) {
    return kind.count == 1
               ? ""
               : fmt::format("; and {} {}", counted(kind.count - 1, "more tensor", "more tensors"),
                             how);
  };
  for (const auto& [name, kind] : missing) {
    const WeightSpec& weight = *kind.first;
    const std::string file = files.file_of(weight.name);
    if (name == kWholeLayers) {
      const auto there = static_cast<int64_t>(std::ranges::count_if(
          layers, [&](const Layer& layer) { return has_any(files, layer_of(layer.query.name)); }));
      problems.add(
          {ErrorCode::kBadInput,
           {"tensor is missing", file, fmt::format("no {}{}", weight.name, others(kind, "like it")),
            fmt::format("{}, by num_hidden_layers of config.json",
                        counted(layers.size(), "layer", "layers")),
            fmt::format("The files have {}", counted(there, "of them", "of them"))}});
      continue;
    }
    problems.add(
        {ErrorCode::kBadInput,
         {"tensor is missing", file, fmt::format("no {}{}", weight.name, others(kind, "like it")),
          fmt::format("{} of shape {}", weight.name, to_string(weight.shape)),
          weight.name == kHead
              ? "config.json requires it. In a model that uses the input embedding also for the "
                "output, config.json says \"tie_word_embeddings\": true"
              : "config.json requires it"}});
  }
  for (const auto& [name, kind] : unfit)
    problems.add({ErrorCode::kBadInput,
                  {"tensor does not fit config.json",
                   fmt::format("{}, {}", files.file_of(kind.first->name), kind.first->name),
                   to_string(files.find(kind.first->name)->shape), to_string(kind.first->shape),
                   fmt::format("Shape by config.json: {}{}", kind.first->why,
                               others(kind, fmt::format("where {} does not fit", name)))}});
  for (const auto& [name, kind] : unreadable)
    problems.add({ErrorCode::kNotSupported,
                  {"weights of this element type are not supported",
                   fmt::format("{}, {}", files.file_of(kind.first->name), kind.first->name),
                   kind.count == 1 ? name : fmt::format("{} in {} tensors", name, kind.count),
                   "F64, F32, F16, BF16", ""}});
}

std::string LlamaWeights::unused(const WeightFiles& files) const {
  std::set<std::string, std::less<>> used;
  for_each([&](const WeightSpec& weight) { used.insert(weight.name); });
  std::vector<std::string> first;
  size_t count = 0;
  for (const std::string& name : files.names()) {
    // Some files hold the frequencies of the rotary positions. They are not used, since they follow
    // from config.json, but need no remark.
    if (used.contains(name) || name.ends_with("rotary_emb.inv_freq")) continue;
    if (++count <= 3) first.push_back(quote_text(name));
  }
  if (count == 0) return "";
  return fmt::format("{} of the files {} not part of this model and {} ignored: {}{}.",
                     counted(count, "tensor", "tensors"), count == 1 ? "is" : "are",
                     count == 1 ? "is" : "are", fmt::join(first, ", "),
                     count > first.size() ? ", ..." : "");
}

int64_t LlamaWeights::needed_bytes(const WeightFiles& files) const {
  int64_t kept = has_own_head() ? 0 : 4 * element_count(head.shape), on_its_way = 0;
  for_each([&](const WeightSpec& weight) {
    const int64_t count = element_count(weight.shape),
                  stored = static_cast<int64_t>(size_of(files.find(weight.name)->dtype.value()));
    const bool is_wide = stored > 4;  // f64: the tensor as read and its f32 copy are both in memory
    kept += count * (&weight == &embedding ? std::min<int64_t>(4, stored) : 4);
    on_its_way = std::max(on_its_way, count * (is_wide ? stored + 4 : stored));
  });
  return kept + on_its_way;
}

int64_t LlamaWeights::stored_bytes(const WeightFiles& files) const {
  int64_t bytes = 0;
  for_each([&](const WeightSpec& weight) {
    const TensorEntry* entry = files.find(weight.name);
    if (entry) bytes += static_cast<int64_t>(entry->end - entry->begin);
  });
  return bytes;
}

}  // namespace attn
