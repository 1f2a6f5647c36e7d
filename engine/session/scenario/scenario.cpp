// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/scenario.h"

#include <xxhash.h>

#include "engine/attention/backend.h"
#include "engine/core/limits.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/session/intervene/same_target.h"
#include "engine/session/scenario/scenario_visitors.h"

namespace attn {
namespace {

using namespace scenario_fields;

constexpr size_t kMostFileBytes = size_t{16} << 20;
constexpr size_t kMostFileValues = 200'000;
constexpr double kSlowestPace = 0.01;  // tiles per second

// --- Reading ---

const char* kSourceForm =
    R"({"model": NAME}, {"synthetic": {"kind": ...}} or {"tensors": {"file": ...}})";

// The sources that are there, for example "`model` and `synthetic`".
std::string sources_text(bool model, bool synthetic, bool tensors) {
  std::vector<std::string> there;
  if (model) there.emplace_back("`model`");
  if (synthetic) there.emplace_back("`synthetic`");
  if (tensors) there.emplace_back("`tensors`");
  if (there.empty()) return "neither `model` nor `synthetic` nor `tensors`";
  return fmt::format("{}", fmt::join(there, " and "));
}

void require_object(const Json& value, const Place& place) {
  if (!value.is_object())
    refuse(place, "this is not an object", shown(value), "an object: { ... }");
}

template <class T>
std::vector<std::string> keys_of() {
  KeyList list;
  T fields;
  visit(list, fields);
  return list.keys;
}

template <class T>
void read_fields(const Json& value, const Place& place, T& fields) {
  require_object(value, place);
  Reader reader(value, place);
  reader.refuse_unknown_keys(keys_of<T>());
  visit(reader, fields);
}

void read_source(const Json& value, const Place& place, ScenarioSource& source) {
  require_object(value, place);
  Reader reader(value, place);
  reader.refuse_unknown_keys({"model", "synthetic", "tensors"});
  const Json *synthetic = reader.find("synthetic"), *tensors = reader.find("tensors");
  const bool model = reader.find("model") != nullptr;
  if (const int there = int{model} + int{synthetic != nullptr} + int{tensors != nullptr};
      there != 1)
    refuse(place, there > 1 ? "there is more than one source" : "there is no source",
           sources_text(model, synthetic, tensors), kSourceForm);
  if (synthetic) {
    const Place at = place.child("synthetic");
    require_object(*synthetic, at);
    Reader(*synthetic, at).refuse_unknown_keys(keys_of<SyntheticSpec>());
    Reader(*synthetic, at)
        .require("kind",
                 "random, local, induction, needle, alignment, alternating, encoder_decoder");
    read_fields(*synthetic, at, source.synthetic.emplace());
    return;
  }
  if (tensors) {
    read_fields(*tensors, place.child("tensors"), source.tensors.emplace());
    return;
  }
  reader.text("model", source.model, {});
  if (source.model.empty())
    refuse(place.child("model"), "model is empty", "\"\"", "a bundled name or a folder");
}

void read_attention(const Json& value, const Place& place, ScenarioAttention& attention) {
  require_object(value, place);
  Reader reader(value, place);
  std::vector<std::string> known = keys_of<ScenarioAttention>();
  known.emplace_back("blocksparse");
  reader.refuse_unknown_keys(known);
  visit(reader, attention);
  if (const Json* sparse = reader.find("blocksparse"))
    read_fields(*sparse, place.child("blocksparse"), attention.blocksparse.emplace());
}

void read_request(const Json& value, const Place& place, ScenarioRequest& request) {
  require_object(value, place);
  Reader reader(value, place);
  std::vector<std::string> known = keys_of<ScenarioRequest>();
  known.insert(known.end(), {"interventions", "residual"});
  reader.refuse_unknown_keys(known);
  visit(reader, request);
  if (const Json* list = reader.find("interventions")) {
    const Place at = place.child("interventions");
    if (!list->is_array())
      refuse(at, "interventions is not a list", shown(*list), "a list: [ {...}, ... ]");
    request.interventions.resize(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
      require_object((*list)[i], at.item(i));
      Reader((*list)[i], at.item(i)).require("kind", "head, edge, sink, residual");
      read_fields((*list)[i], at.item(i), request.interventions[i]);
    }
  }
  if (const Json* residual = reader.find("residual"))
    read_fields(*residual, place.child("residual"), request.residual);
}

// usual: values of keys that are left out.
void read_requests(const Json& value, const Place& place, const ScenarioRequest& usual,
                   std::vector<ScenarioRequest>& requests) {
  if (!value.is_array())
    refuse(place, "requests is not a list", shown(value), "a list: [ {...}, ... ]");
  requests.resize(value.size(), usual);
  for (size_t i = 0; i < value.size(); ++i) read_request(value[i], place.item(i), requests[i]);
}

// --- Checking ---

template <class T>
void check_fields(T fields, const Place& place) {
  Checker checker(place);
  visit(checker, fields);
}

void check_synthetic(const SyntheticSpec& spec, const Place& place) {
  check_fields(spec, place);
  if (spec.num_heads % spec.num_kv_heads != 0) {
    refuse(place.child("num_kv_heads"),
           "the number of KV heads does not divide the number of query heads",
           fmt::format("{} query heads, {} KV heads", spec.num_heads, spec.num_kv_heads),
           "a divisor of num_heads");
  }
  if (spec.num_encoder_layers > 0 && spec.kind != SyntheticKind::kEncoderDecoder)
    refuse(place.child("num_encoder_layers"), "the source has no encoder",
           fmt::format("{} with the kind \"{}\"", spec.num_encoder_layers, name_of(spec.kind)),
           "0, or the kind \"encoder_decoder\"");
  if (spec.num_calls() > kMostLayers)
    refuse(place.child("num_layers"), "the source makes too many attention calls",
           fmt::format("{} calls: 2 for each of {} layers, 1 for each of {} of the encoder",
                       spec.num_calls(), spec.num_layers, spec.num_encoder_layers),
           range_text(1, kMostLayers, "calls"));
  if (spec.kind == SyntheticKind::kNeedle && spec.needle_position >= spec.max_model_len) {
    refuse(place.child("needle_position"), "needle_position is outside the longest sequence",
           fmt::format("{}", spec.needle_position),
           fmt::format("0 to {} (max_model_len - 1)", spec.max_model_len - 1));
  }
}

void check_tensors(const TensorSpec& spec, const Place& place) {
  check_fields(spec, place);
  const bool any = !spec.query.empty() || !spec.key.empty() || !spec.value.empty();
  const bool all = !spec.query.empty() && !spec.key.empty() && !spec.value.empty();
  if (spec.file.empty() ? all : !any) return;
  std::string found = "no file";
  if (!spec.file.empty() || any)
    found = fmt::format("file {}, query {}, key {}, value {}", quote_text(spec.file),
                        quote_text(spec.query), quote_text(spec.key), quote_text(spec.value));
  refuse(place, "the files of the tensors are not clear", found,
         "`file` (safetensors), or `query`, `key` and `value` (.npy)");
}

void check_source(const ScenarioSource& source, const Place& place) {
  const bool has_model = !source.model.empty();
  const bool synthetic = source.synthetic.has_value(), tensors = source.tensors.has_value();
  if (const int there = int{has_model} + int{synthetic} + int{tensors}; there != 1)
    refuse(place, there > 1 ? "there is more than one source" : "there is no source",
           sources_text(has_model, synthetic, tensors), kSourceForm);
  if (has_model) Checker(place).text("model", source.model, {.max_bytes = 4096, .required = true});
  if (synthetic) check_synthetic(*source.synthetic, place.child("synthetic"));
  if (tensors) check_tensors(*source.tensors, place.child("tensors"));
}

void check_key_labels(const Scenario& scenario, const Place& place) {
  const auto& tensors = scenario.source.tensors;
  if (!tensors || tensors->key_tokens.empty() ||
      scenario.attention.type == AttentionType::kEncoderDecoder)
    return;
  refuse(place.child("source").child("tensors").child("key_tokens"),
         "keys can have their own labels only in cross attention", quote_text(tensors->key_tokens),
         "no key_tokens, or the attention type \"encoder_decoder\"");
}

// The files hold the tokens after the prompt too, so nothing is sampled.
void check_tensor_request(const ScenarioRequest& request, const Place& place) {
  const auto refuse_drawing = [&](const char* key, const std::string& found, const char* allowed) {
    refuse(place.child(key), "a source of tensors already holds all tokens, so nothing is sampled",
           found, allowed);
  };
  if (request.n > 1) refuse_drawing("n", fmt::format("{}", request.n), "1");
  if (request.beam_width > 1)
    refuse_drawing("beam_width", fmt::format("{}", request.beam_width), "1");
  if (request.sampling.temperature > 0)
    refuse_drawing("temperature", fmt::format("{}", request.sampling.temperature), "0");
}

// What depends on the loaded source is checked when the run starts.
void check_interventions(const ScenarioRequest& request, const Place& place) {
  const Place list = place.child("interventions");
  if (request.interventions.size() > static_cast<size_t>(kMostInterventions))
    refuse(list, "there are too many interventions",
           fmt::format("{}", request.interventions.size()),
           range_text(0, kMostInterventions, "interventions"));
  for (size_t i = 0; i < request.interventions.size(); ++i)
    check_fields(request.interventions[i], list.item(i));
  check_targets(request.interventions, list.text(), list.path);
  check_fields(request.residual, place.child("residual"));
}

void check_request(const ScenarioRequest& request, const ScenarioSource& source,
                   const Place& place) {
  const char* const kind = source.synthetic ? "a synthetic source" : "a source of tensors";
  // Checked before check_fields(), which has the range of all sources.
  if (!source.reads_text() && request.prompt.empty() && request.prompt_tokens < 1)
    refuse(place.child("prompt_tokens"), fmt::format("{} needs the length of the prompt", kind),
           fmt::format("{}", request.prompt_tokens), range_text(1, kMostTokens, "tokens"));
  check_fields(request, place);
  check_interventions(request, place);
  if (!source.reads_text()) {
    if (!request.prompt.empty()) {
      refuse(place.child("prompt"), fmt::format("{} does not read text", kind),
             quote_text(request.prompt), "no prompt",
             "Give the length as prompt_tokens, or use a model");
    }
    if (source.tensors) check_tensor_request(request, place);
    return;
  }
  if (request.prompt.empty()) {
    refuse(place.child("prompt"), "the prompt is empty", "", "",
           "Type the text that the model continues");
  }
  if (request.prompt_tokens != 0) {
    refuse(place.child("prompt_tokens"), "the length of a model's prompt is given by its text",
           fmt::format("{}", request.prompt_tokens), "no prompt_tokens, or 0",
           "Remove it, or use a synthetic source");
  }
}

void check_view(const Scenario& scenario, const Place& place) {
  check_fields(scenario.view, place);
  if (const double pace = scenario.view.pace_tiles_per_s; pace > 0 && pace < kSlowestPace) {
    refuse(place.child("pace_tiles_per_s"), "pace_tiles_per_s is out of range",
           fmt::format("{}", pace), "0 (full speed), or 0.01 to 1000000 tiles per second");
  }
  const auto& synthetic = scenario.source.synthetic;
  if (!synthetic) return;  // the shape of other sources is not known yet
  if (scenario.view.layer >= synthetic->num_calls()) {
    refuse(place.child("layer"), "the source has no such layer",
           fmt::format("{}", scenario.view.layer),
           fmt::format("0 to {}", synthetic->num_calls() - 1));
  }
  if (scenario.view.head >= synthetic->num_heads) {
    refuse(place.child("head"), "the source has no such head",
           fmt::format("{}", scenario.view.head), fmt::format("0 to {}", synthetic->num_heads - 1));
  }
}

// A program without backends, such as a converter, cannot check the name.
void check_backend(const std::string& name, const Place& place) {
  if (registered_backends().empty()) return;
  try {
    backend_named(name);
  } catch (const Error& error) {
    ErrorParts parts = error.parts();
    parts.where = place.child("backend").text();
    throw_bad_input(std::move(parts));
  }
}

// Checks that each option is one of a backend's. Values are checked with the other fields.
void check_backend_options(const BackendOptions& chosen, const Place& place) {
  std::vector<std::string> known;
  for (const BackendOption& option : backend_options()) known.push_back(option.name);
  for (const auto& [name, value] : chosen)
    if (std::ranges::find(known, name) == known.end())
      refuse(place.child(name), "no backend has this option", quote_text(name),
             fmt::format("{}", fmt::join(known, ", ")), did_you_mean(name, known));
}

void check_scales(const ScenarioEngine& engine, const ScenarioSource& source, const Place& place) {
  const auto dtype = cache_dtype_from_name(engine.kv_cache_dtype);
  const auto scale = [&](const char* key, double value) {
    if (value == 1 || (dtype && is_quantised(*dtype))) return;
    refuse(place.child(key), "only a quantised cache has scales",
           fmt::format("{} with kv_cache_dtype {}", value, engine.kv_cache_dtype),
           "1, or kv_cache_dtype fp8, fp8_e4m3, fp8_e5m2 or int8");
  };
  scale("k_scale", engine.k_scale);
  scale("v_scale", engine.v_scale);
  const auto head_scales = [&](const char* key, const std::vector<double>& values) {
    if (values.empty()) return;
    if (dtype != DType::kI8)
      refuse(place.child(key), "only an int8 cache has a scale per KV head",
             fmt::format("{} scales with kv_cache_dtype {}", values.size(), engine.kv_cache_dtype),
             "an empty list, or kv_cache_dtype int8");
    // The heads of a model are known only when it is loaded.
    if (source.synthetic && values.size() != static_cast<size_t>(source.synthetic->num_kv_heads))
      refuse(place.child(key), "the number of scales is wrong",
             fmt::format("{} scales", values.size()),
             fmt::format("{}, one per KV head, or an empty list", source.synthetic->num_kv_heads));
  };
  head_scales("k_head_scales", engine.k_head_scales);
  head_scales("v_head_scales", engine.v_head_scales);
}

// A trained model is refused ALiBi here. It may have a window, a soft cap, sinks or block-sparse
// attention, unless check_cross_attention() refuses them.
void check_attention(const Scenario& scenario, const Place& place) {
  const ScenarioAttention& attention = scenario.attention;
  check_fields(attention, place);
  if (attention.blocksparse) check_fields(*attention.blocksparse, place.child("blocksparse"));
  if (const double cap = attention.logits_soft_cap; cap > 0 && cap < kLeastSoftCap)
    refuse(place.child("logits_soft_cap"), "logits_soft_cap is out of range",
           fmt::format("{}", cap),
           fmt::format("0 (none), or {} to {}", kLeastSoftCap, kLargestSoftCap));
  const auto& synthetic = scenario.source.synthetic;
  const bool is_model = scenario.source.reads_text();
  if (is_model && attention.alibi)
    refuse(place.child("alibi"),
           "a trained model cannot use ALiBi, because it was trained with other positions", "true",
           "false, or another source");
  if (synthetic && synthetic->kind == SyntheticKind::kAlignment &&
      attention.type != AttentionType::kEncoderDecoder)
    refuse(place.child("type"), "the synthetic source \"alignment\" needs cross attention",
           attention.type == AttentionType::kDecoder ? "\"decoder\"" : "\"encoder_only\"",
           "\"encoder_decoder\" with a synthetic source of the kind \"alignment\"");
  if (synthetic && synthetic->kind == SyntheticKind::kEncoderDecoder &&
      attention.type != AttentionType::kEncoderDecoder)
    refuse(place.child("type"), "the synthetic source \"encoder_decoder\" needs cross attention",
           attention.type == AttentionType::kDecoder ? "\"decoder\"" : "\"encoder_only\"",
           "the attention type \"encoder_decoder\", because the synthetic source is of the kind "
           "\"encoder_decoder\"");
  if (synthetic && synthetic->kind == SyntheticKind::kAlternating) {
    if (attention.type != AttentionType::kDecoder)
      refuse(place.child("type"), "the synthetic source \"alternating\" needs decoder attention",
             attention.type == AttentionType::kEncoderOnly ? "\"encoder_only\""
                                                           : "\"encoder_decoder\"",
             "\"decoder\" with a synthetic source of the kind \"alternating\"");
    if (attention.sliding_window > 0)
      refuse(place.child("sliding_window"),
             "the synthetic source \"alternating\" sets the windows of its layers itself",
             fmt::format("{}", attention.sliding_window),
             "0 with a synthetic source of the kind \"alternating\", whose window is its period");
  }
  const size_t sinks = attention.sinks.size();
  // The heads of a model are known only when it is loaded.
  if (synthetic && sinks > 1 && sinks != static_cast<size_t>(synthetic->num_heads))
    refuse(place.child("sinks"), "the number of sinks is wrong", fmt::format("{} sinks", sinks),
           fmt::format("{}, one per query head, or one for all of them, or an empty list",
                       synthetic->num_heads));
}

// An encoder decodes nothing. Its request ends with the token that is sampled from the last row.
void check_encoder_request(const ScenarioRequest& request, const Place& place) {
  if (std::max(request.n, request.beam_width) > 1)
    refuse(place.child(request.n > 1 ? "n" : "beam_width"), "an encoder generates no text",
           fmt::format("{}", std::max(request.n, request.beam_width)), "1");
  if (request.max_tokens == 1) return;
  refuse(place.child("max_tokens"), "an encoder generates no text",
         fmt::format("{}", request.max_tokens),
         "1: one token is sampled from the last row of the prompt");
}

// An encoder caches nothing. So it cannot share a prefix or cut its prompt into chunks.
void check_encoder_engine(const ScenarioEngine& engine, const Place& place) {
  if (engine.policy == SchedulingPolicy::kChunkedPrefill)
    refuse(place.child("policy"), "an encoder needs its whole prompt in one step",
           "\"chunked_prefill\"", "\"prefill_first\"");
  if (engine.enable_prefix_caching)
    refuse(place.child("enable_prefix_caching"), "an encoder has no KV cache", "true", "false");
}

// There is no distance between a token of the decoder and one of the encoder, which a window, ALiBi
// and block-sparse attention need.
void check_cross_attention(const ScenarioAttention& attention, const Place& place) {
  if (attention.sliding_window > 0)
    refuse(place.child("sliding_window"),
           "cross attention has no sliding window: a token sees all tokens of the encoder",
           fmt::format("{}", attention.sliding_window), "0 with the type \"encoder_decoder\"");
  if (attention.alibi)
    refuse(place.child("alibi"),
           "cross attention has no ALiBi: there is no distance between a token of the decoder and "
           "a token of the encoder",
           "true", "false with the type \"encoder_decoder\"");
  if (attention.blocksparse)
    refuse(place.child("blocksparse"),
           "cross attention has no block-sparse attention: blocks are counted from the query's own "
           "position, which is not one of the encoder",
           "an object", "no blocksparse with the type \"encoder_decoder\"");
}

void check_encoder_tokens(const ScenarioRequest& request, const Scenario& scenario,
                          const Place& place) {
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder,
             is_model = scenario.source.reads_text();
  const auto& synthetic = scenario.source.synthetic;
  if (!request.decoder_prompt.empty() && !(is_model && is_cross))
    refuse(place.child("decoder_prompt"),
           "only a model with an encoder and a decoder has a prompt of the decoder",
           quote_text(request.decoder_prompt),
           "no decoder_prompt, or a model with the attention type \"encoder_decoder\"");
  const std::string found = fmt::format("{}", request.encoder_tokens);
  if (!is_cross && request.encoder_tokens != 0)
    refuse(place.child("encoder_tokens"), "only cross attention has encoder tokens", found,
           "0, or the attention type \"encoder_decoder\"");
  if (is_cross && is_model) {
    if (request.encoder_tokens != 0)
      refuse(place.child("encoder_tokens"), "the encoder of a model reads the text of the prompt",
             found, "no encoder_tokens, or 0");
    return;
  }
  if (is_cross && request.encoder_tokens < 1)
    refuse(place.child("encoder_tokens"), "cross attention needs the number of encoder tokens",
           found, range_text(1, kMostTokens, "tokens"));
  // The number of keys of tensors is known only when they are loaded.
  if (synthetic && request.encoder_tokens > synthetic->max_model_len)
    refuse(place.child("encoder_tokens"),
           "encoder_tokens is larger than the longest sequence of the source", found,
           range_text(1, synthetic->max_model_len, "tokens (max_model_len)"));
}

// The cache holds the encoder's keys. One prefill writes them, and other requests cannot share
// them.
void check_cross_engine(const ScenarioEngine& engine, const Place& place) {
  if (engine.policy == SchedulingPolicy::kChunkedPrefill)
    refuse(place.child("policy"),
           "cross attention writes the keys of the encoder in one prefill, which cannot be cut "
           "into chunks",
           "\"chunked_prefill\"", "\"prefill_first\"");
  if (engine.enable_prefix_caching)
    refuse(
        place.child("enable_prefix_caching"),
        "cross attention caches the keys of the encoder, so equal prompts do not have equal blocks",
        "true", "false");
}

void check_sequences(const ScenarioRequest& request, const Scenario& scenario, const Place& place) {
  const int64_t most = scenario.engine.max_num_seqs;
  const auto too_many = [&](const char* key, int64_t found) {
    if (found <= most || most < 1) return;  // max_num_seqs below 1 has its own error
    refuse(place.child(key), fmt::format("{} is larger than max_num_seqs", key),
           fmt::format("{}", found), fmt::format("1 to {} (max_num_seqs)", most),
           fmt::format("Raise max_num_seqs to {} or more", found));
  };
  too_many("n", request.n);
  too_many("beam_width", request.beam_width);
  if (request.beam_width == 1) return;
  if (request.n > 1)
    refuse(place.child("n"), "a beam search cannot draw samples",
           fmt::format("n {} with beam_width {}", request.n, request.beam_width), "n 1");
  if (request.sampling.temperature > 0)
    refuse(place.child("temperature"), "a beam search does not sample, so it has no temperature",
           fmt::format("{}", request.sampling.temperature), "0 with a beam_width above 1");
}

void check_arrivals(const Scenario& scenario, const Place& place) {
  check_fields(scenario.arrivals, place.child("arrivals"));
  if (scenario.arrivals.kind == ArrivalKind::kListed) return;
  for (size_t i = 0; i < scenario.requests.size(); ++i)
    if (const double at = scenario.requests[i].arrival_s; at != 0)
      refuse(place.child("requests").item(i).child("arrival_s"),
             "arrival_s has an effect only with listed arrivals", fmt::format("{}", at),
             "0, or arrivals of the kind \"listed\"");
}

void check_swap(const ScenarioEngine& engine, const Place& place) {
  if (engine.preemption != PreemptionMode::kSwap || engine.num_swap_blocks > 0) return;
  refuse(place.child("num_swap_blocks"), "preemption by swap needs a swap pool", "0",
         fmt::format("1 to {} blocks with preemption \"swap\"", kMostBlocks),
         "Or choose preemption \"recompute\"");
}

void check_scenario(const Scenario& scenario, const Place& place) {
  check_fields(scenario, place);
  check_source(scenario.source, place.child("source"));
  check_key_labels(scenario, place);
  check_attention(scenario, place.child("attention"));
  const Place requests = place.child("requests");
  if (scenario.requests.empty() || scenario.requests.size() > static_cast<size_t>(kMostRequests)) {
    refuse(requests, "the number of requests is out of range",
           fmt::format("{}", scenario.requests.size()), range_text(1, kMostRequests, "requests"));
  }
  for (size_t i = 0; i < scenario.requests.size(); ++i) {
    check_request(scenario.requests[i], scenario.source, requests.item(i));
    check_sequences(scenario.requests[i], scenario, requests.item(i));
    check_encoder_tokens(scenario.requests[i], scenario, requests.item(i));
    if (scenario.attention.type == AttentionType::kEncoderOnly)
      check_encoder_request(scenario.requests[i], requests.item(i));
  }
  check_fields(scenario.engine, place.child("engine"));
  check_backend_options(scenario.engine.backend_options, place.child("engine"));
  if (scenario.attention.type == AttentionType::kEncoderOnly)
    check_encoder_engine(scenario.engine, place.child("engine"));
  if (scenario.attention.type == AttentionType::kEncoderDecoder) {
    check_cross_attention(scenario.attention, place.child("attention"));
    const auto& synthetic = scenario.source.synthetic;
    if (!scenario.source.reads_text() &&
        !(synthetic && synthetic->kind == SyntheticKind::kEncoderDecoder))
      check_cross_engine(scenario.engine, place.child("engine"));
  }
  check_swap(scenario.engine, place.child("engine"));
  check_arrivals(scenario, place);
  check_backend(scenario.engine.backend, place.child("engine"));
  check_scales(scenario.engine, scenario.source, place.child("engine"));
  check_view(scenario, place.child("view"));
}

void refuse_other_document(const Json& root, const Place& place) {
  if (root.contains("source") || root.contains("requests")) return;
  const char* const found = root.contains("model") && root["model"].is_object() ? "a tokenizer"
                            : root.contains("model_type") || root.contains("architectures")
                                ? "a model's config.json"
                                : nullptr;
  if (found)
    refuse(place, "this JSON file is not a scenario", found, "version, source, requests, ...",
           "Use `attn inspect` to see what it contains; a scenario names the folder of a model as "
           "its source");
}

}  // namespace

Scenario parse_scenario(std::string_view json, std::string_view where) {
  Json root = parse_json(
      json, where, {.max_bytes = kMostFileBytes, .max_depth = 16, .max_values = kMostFileValues});
  const TakenApart apart(root);
  const Place place{.file = std::string(where)};
  require_object(root, place);
  refuse_other_document(root, place);
  Reader reader(root, place);
  Scenario scenario;
  // The version is read first, because keys of another version would give misleading errors.
  reader.require("version", "1");
  reader.integer("version", scenario.version, 1, 1, "(the format version)");
  if (scenario.version != 1) {
    refuse(place.child("version"), "this version of the scenario format is not known",
           fmt::format("{}", scenario.version), "1",
           scenario.version > 1 ? "It was made for a newer version of this program" : "");
  }
  std::vector<std::string> known = keys_of<Scenario>();
  known.insert(known.end(), {"source", "requests", "arrivals", "attention", "engine", "view"});
  reader.refuse_unknown_keys(known);

  visit(reader, scenario);
  read_source(reader.require("source", kSourceForm), place.child("source"), scenario.source);
  if (const Json* attention = reader.find("attention"))
    read_attention(*attention, place.child("attention"), scenario.attention);
  if (const Json* arrivals = reader.find("arrivals"))
    read_fields(*arrivals, place.child("arrivals"), scenario.arrivals);
  ScenarioRequest usual;
  if (scenario.attention.type == AttentionType::kEncoderOnly) usual.max_tokens = 1;
  read_requests(reader.require("requests", "a list: [ {...}, ... ]"), place.child("requests"),
                usual, scenario.requests);
  if (const Json* engine = reader.find("engine"))
    read_fields(*engine, place.child("engine"), scenario.engine);
  if (const Json* view = reader.find("view"))
    read_fields(*view, place.child("view"), scenario.view);
  check_scenario(scenario, place);
  scenario.origin.file = place.file;
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file) {
  return parse_scenario(read_text_file(file, kMostFileBytes), file.string());
}

std::string scenario_hash(const Scenario& scenario) {
  const std::string json = to_json(scenario);
  return fmt::format("{:016x}", XXH64(json.data(), json.size(), 0));
}

std::string place_in(const Scenario& scenario, std::string_view json_path) {
  return Place{scenario.origin.file, std::string(json_path)}.text();
}

void validate(const Scenario& scenario) {
  check_scenario(scenario, Place{});
}

}  // namespace attn
