// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a scenario whose values are texts, numbers, flags or choices, with name, range and
// unit, listed once for reading, checking and writing. Private to this folder. A visitor has
//   text(key, std::string&, TextRule)          integer(key, int64_t&, min, max, unit)
//   seed(key, uint64_t&)                       number(key, double&, NumberRule)
//   boolean(key, bool&)                        choice(key, T&, Choices<T>)
//   numbers(key, std::vector<double>&, NumberRule, most)
//   numbers_or_one(the same): a single number stands for a list of one
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/core/limits.h"
#include "engine/session/scenario/scenario.h"

namespace attn::scenario_fields {

struct TextRule {
  size_t max_bytes = 0;
  bool required = false;  // must not be empty
  bool several_lines = false;
};

struct NumberRule {
  double min = 0, max = 0;
  bool min_excluded = false;
  const char* unit = "";
};

template <class T>
using Choices = std::vector<std::pair<std::string_view, T>>;

inline constexpr int64_t kMostPriority = 1000000;
inline constexpr double kLeastSoftCap = 0.001, kLargestSoftCap = 1e6;
inline constexpr double kLargestSink = 1000;
inline constexpr double kLeastScale = 1e-30, kLargestScale = 1e30;  // scales of a quantised cache

// The choices of these enumerators, each with its name.
template <class T>
Choices<T> named(std::initializer_list<T> all) {
  Choices<T> choices;
  for (const T value : all) choices.emplace_back(name_of(value), value);
  return choices;
}

inline const Choices<SyntheticKind>& synthetic_kinds() {
  static const Choices<SyntheticKind> kinds = [] {
    Choices<SyntheticKind> all;
    for (const SyntheticKind kind : kSyntheticKinds) all.emplace_back(name_of(kind), kind);
    return all;
  }();
  return kinds;
}
inline const Choices<TensorLayout>& tensor_layouts() {
  static const Choices<TensorLayout> layouts = {
      {name_of(TensorLayout::kHeadsFirst), TensorLayout::kHeadsFirst},
      {name_of(TensorLayout::kTokensFirst), TensorLayout::kTokensFirst}};
  return layouts;
}
inline const Choices<AttentionType>& attention_types() {
  static const Choices<AttentionType> types = {{"decoder", AttentionType::kDecoder},
                                               {"encoder_only", AttentionType::kEncoderOnly},
                                               {"encoder_decoder", AttentionType::kEncoderDecoder}};
  return types;
}
inline const Choices<ClockKind>& clock_kinds() {
  static const Choices<ClockKind> kinds = {{"real", ClockKind::kReal},
                                           {"virtual", ClockKind::kVirtual}};
  return kinds;
}
// The names must outlive the choices.
inline Choices<std::string> words(std::span<const std::string> names) {
  Choices<std::string> choices;
  for (const std::string& name : names) choices.emplace_back(name, name);
  return choices;
}
inline Choices<std::string> words(std::initializer_list<std::string_view> names) {
  Choices<std::string> choices;
  for (const std::string_view name : names) choices.emplace_back(name, std::string(name));
  return choices;
}
inline Choices<std::string> cache_dtypes() {
  static const std::vector<std::string> names = cache_dtype_names();
  return words(names);
}

inline const Choices<SchedulingPolicy>& policies() {
  static const Choices<SchedulingPolicy> all = {
      {name_of(SchedulingPolicy::kPrefillFirst), SchedulingPolicy::kPrefillFirst},
      {name_of(SchedulingPolicy::kChunkedPrefill), SchedulingPolicy::kChunkedPrefill}};
  return all;
}
inline const Choices<PreemptionMode>& preemption_modes() {
  static const Choices<PreemptionMode> all = {
      {name_of(PreemptionMode::kRecompute), PreemptionMode::kRecompute},
      {name_of(PreemptionMode::kSwap), PreemptionMode::kSwap}};
  return all;
}
inline const Choices<ArrivalKind>& arrival_kinds() {
  static const Choices<ArrivalKind> all = {{"all_at_once", ArrivalKind::kAllAtOnce},
                                           {"listed", ArrivalKind::kListed},
                                           {"poisson", ArrivalKind::kPoisson}};
  return all;
}

template <class V>
void visit(V& v, SyntheticSpec& s) {
  v.choice("kind", s.kind, synthetic_kinds());
  v.integer("num_layers", s.num_layers, 1, kMostLayers, "layers");
  v.integer("num_encoder_layers", s.num_encoder_layers, 0, kMostLayers,
            "layers (0: the encoder is not computed)");
  v.integer("num_heads", s.num_heads, 1, kMostHeads, "query heads");
  v.integer("num_kv_heads", s.num_kv_heads, 1, kMostHeads, "KV heads");
  v.integer("head_size", s.head_size, 1, kMostHeadSize, "elements");
  v.integer("max_model_len", s.max_model_len, 2, kMostTokens, "tokens");
  v.integer("period", s.period, 1, kMostTokens, "tokens");
  v.integer("needle_position", s.needle_position, 0, kMostTokens - 1, "(a token position)");
  v.number("sharpness", s.sharpness, {.min = 0, .max = SyntheticSpec::kMostSharpness});
}

template <class V>
void visit(V& v, TensorSpec& t) {
  const TextRule path{.max_bytes = 4096};
  v.text("file", t.file, path);
  v.text("query", t.query, path);
  v.text("key", t.key, path);
  v.text("value", t.value, path);
  v.text("tokens", t.tokens, path);
  v.text("key_tokens", t.key_tokens, path);
  v.choice("layout", t.layout, tensor_layouts());
  v.number("scale", t.scale, {.min = 0, .max = 1e6, .unit = "(0: 1 / sqrt(head size))"});
}

template <class V>
void visit(V& v, ScenarioRequest& r) {
  v.text("name", r.name, {.max_bytes = 100});
  v.text("prompt", r.prompt, {.max_bytes = size_t{1} << 20, .several_lines = true});
  v.text("decoder_prompt", r.decoder_prompt, {.max_bytes = size_t{1} << 20, .several_lines = true});
  v.integer("prompt_tokens", r.prompt_tokens, 0, kMostTokens, "tokens");
  v.integer("encoder_tokens", r.encoder_tokens, 0, kMostTokens, "tokens (0: no encoder)");
  v.integer("max_tokens", r.max_tokens, 1, kMostTokens, "tokens");
  v.number("temperature", r.sampling.temperature, {.min = 0, .max = 100});
  v.integer("top_k", r.sampling.top_k, 0, kMostTokens, "tokens");
  v.number("top_p", r.sampling.top_p, {.min = 0, .max = 1, .min_excluded = true});
  v.seed("seed", r.sampling.seed);
  v.integer("n", r.n, 1, kMostSamples, "sequences");
  v.integer("beam_width", r.beam_width, 1, kMostSamples, "beams");
  v.number("length_penalty", r.length_penalty, {.min = -10, .max = 10});
  v.boolean("early_stopping", r.early_stopping);
  v.integer("priority", r.priority, -kMostPriority, kMostPriority, "(smaller goes first)");
  v.number("arrival_s", r.arrival_s, {.min = 0, .max = 1e6, .unit = "seconds"});
}

inline const Choices<InterventionKind>& intervention_kinds() {
  static const Choices<InterventionKind> kinds =
      named({InterventionKind::kHead, InterventionKind::kEdge, InterventionKind::kSink,
             InterventionKind::kResidual});
  return kinds;
}
inline const Choices<Replacement>& replacements() {
  static const Choices<Replacement> all =
      named({Replacement::kZero, Replacement::kMean, Replacement::kRequest});
  return all;
}
inline const Choices<ResidualSite>& residual_sites() {
  static const Choices<ResidualSite> sites =
      named({ResidualSite::kEmbed, ResidualSite::kMid, ResidualSite::kPost});
  return sites;
}

template <class V>
void visit(V& v, Intervention& i) {
  v.choice("kind", i.kind, intervention_kinds());
  v.integer("layer", i.layer, 0, kMostLayers - 1, "(a layer index)");
  v.integer("head", i.head, 0, kMostHeads - 1, "(a query head index)");
  v.choice("with", i.with, replacements());
  v.integer("request", i.request, 0, kMostRequests - 1, "(the number of a request)");
  v.integer("position", i.position, -1, kMostTokens - 1, "(a token position; -1: all)");
  v.integer("query", i.query, -1, kMostTokens - 1, "(a token position; -1: all after the key)");
  v.integer("key", i.key, 0, kMostTokens - 1, "(a token position)");
  v.choice("site", i.site, residual_sites());
  v.integer("from_layer", i.from_layer, -1, kMostLayers - 1, "(a layer index; -1: the same)");
  v.integer("from_position", i.from_position, -1, kMostTokens - 1,
            "(a token position; -1: the same)");
}

template <class V>
void visit(V& v, ResidualWindow& w) {
  v.integer("first", w.first, 0, kMostTokens - 1, "(a token position)");
  v.integer("tokens", w.tokens, 0, kMostTokens, "tokens (0: nothing is kept)");
}

template <class V>
void visit(V& v, ScenarioArrivals& a) {
  v.choice("kind", a.kind, arrival_kinds());
  v.number("rate_per_s", a.rate_per_s, {.min = 0.01, .max = 1e6, .unit = "requests per second"});
}

template <class V>
void visit(V& v, ScenarioAttention& a) {
  v.choice("type", a.type, attention_types());
  v.integer("sliding_window", a.sliding_window, 0, kMostTokens, "tokens (0: none)");
  v.number("logits_soft_cap", a.logits_soft_cap, {.min = 0, .max = kLargestSoftCap});
  v.boolean("alibi", a.alibi);
  v.numbers_or_one("sinks", a.sinks, {.min = -kLargestSink, .max = kLargestSink}, kMostHeads);
}

template <class V>
void visit(V& v, BlockSparse& s) {
  v.integer("local_blocks", s.local_blocks, 1, kMostTokens, "blocks");
  v.integer("vert_stride", s.vert_stride, 1, kMostTokens, "blocks");
  v.integer("block_size", s.block_size, 1, kMostTokens, "tokens");
  v.integer("head_sliding_step", s.head_sliding_step, 0, kMostTokens, "blocks per head");
}

// A key for each option of this kind, also of backends that this scenario does not run, because a
// comparison may run them.
template <class V>
void visit(V& v, BackendOptions& chosen, BackendOption::About about) {
  for (const BackendOption& option : backend_options()) {
    if (option.about != about) continue;
    std::string value(value_of(chosen, option));
    v.choice(option.name.c_str(), value, words(option.values));
    choose(chosen, option, value);
  }
}

template <class V>
void visit(V& v, ScenarioEngine& e) {
  v.text("backend", e.backend, {.max_bytes = 64, .required = true});
  visit(v, e.backend_options, BackendOption::About::kKernel);
  v.integer("block_size", e.block_size, 1, kMostBlockSize, "tokens per block");
  v.integer("num_blocks", e.num_blocks, 1, kMostBlocks, "blocks");
  v.integer("max_num_batched_tokens", e.max_num_batched_tokens, 1, kMostTokens, "tokens per step");
  v.integer("max_num_seqs", e.max_num_seqs, 1, kMostRequests, "sequences");
  v.choice("policy", e.policy, policies());
  v.choice("preemption", e.preemption, preemption_modes());
  v.integer("num_swap_blocks", e.num_swap_blocks, 0, kMostBlocks, "blocks");
  v.boolean("enable_prefix_caching", e.enable_prefix_caching);
  v.number("watermark", e.watermark, {.min = 0, .max = 0.99, .unit = "of the blocks"});
  v.choice("kv_cache_dtype", e.kv_cache_dtype, cache_dtypes());
  const NumberRule scale{.min = kLeastScale, .max = kLargestScale};
  v.number("k_scale", e.k_scale, scale);
  v.number("v_scale", e.v_scale, scale);
  v.numbers("k_head_scales", e.k_head_scales, scale, kMostHeads);
  v.numbers("v_head_scales", e.v_head_scales, scale, kMostHeads);
  v.boolean("pad_head_size", e.pad_head_size);
  v.boolean("use_captured_plan", e.use_captured_plan);
  visit(v, e.backend_options, BackendOption::About::kDevice);
  v.integer("threads", e.threads, 0, kMostWorkers, "threads");
  v.choice("clock", e.clock, clock_kinds());
  v.boolean("extended", e.extended);
}

template <class V>
void visit(V& v, ScenarioView& view) {
  v.integer("layer", view.layer, 0, kMostLayers - 1, "(a layer index)");
  v.integer("head", view.head, 0, kMostHeads - 1, "(a query head index)");
  v.number("pace_tiles_per_s", view.pace_tiles_per_s,
           {.min = 0, .max = 1e6, .unit = "tiles per second"});
  v.choice("color_map", view.color_map, words({"cividis", "viridis", "magma", "grey"}));
  v.choice("scale", view.scale, words({"linear", "log"}));
}

template <class V>
void visit(V& v, Scenario& s) {
  v.integer("version", s.version, 1, 1, "(the format version)");
  v.text("title", s.title, {.max_bytes = 200});
  v.text("description", s.description, {.max_bytes = 4000, .several_lines = true});
  v.seed("seed", s.seed);
}

}  // namespace attn::scenario_fields
