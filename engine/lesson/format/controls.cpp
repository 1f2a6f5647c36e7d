// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/controls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"

namespace attn::lesson {
namespace {

using Json = nlohmann::json;
using enum ControlKind;

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const AttentionBackend* backend : registered_backends()) names.emplace_back(backend->name());
  return names;
}

std::vector<Control> make_controls() {
  return {
      {"prompt", "Prompt", "/requests/0/prompt", kText, 1, 2000, "bytes", {}},
      {"max_tokens", "New tokens", "/requests/0/max_tokens", kInteger, 1, 512, "tokens", {}},
      {"prompt_tokens",
       "Length of the prompt",
       "/requests/0/prompt_tokens",
       kInteger,
       1,
       2048,
       "tokens",
       {}},
      {"encoder_tokens",
       "Length of the encoder's input",
       "/requests/0/encoder_tokens",
       kInteger,
       1,
       2048,
       "tokens",
       {}},
      {"temperature", "Temperature", "/requests/0/temperature", kNumber, 0, 100, "", {}},
      {"samples", "Samples of the prompt", "/requests/0/n", kInteger, 1, 16, "samples", {}},
      {"backend", "Backend", "/engine/backend", kChoice, 0, 0, "", backend_names()},
      {"block_size", "Tokens per block", "/engine/block_size", kInteger, 1, 256, "tokens", {}},
      {"num_blocks", "Blocks of the cache", "/engine/num_blocks", kInteger, 1, 4096, "blocks", {}},
      {"max_num_batched_tokens",
       "Tokens per step at most",
       "/engine/max_num_batched_tokens",
       kInteger,
       1,
       4096,
       "tokens",
       {}},
      {"max_num_seqs",
       "Requests at the same time",
       "/engine/max_num_seqs",
       kInteger,
       1,
       64,
       "requests",
       {}},
      {"policy",
       "Which work comes first",
       "/engine/policy",
       kChoice,
       0,
       0,
       "",
       {"prefill_first", "chunked_prefill"}},
      {"preemption",
       "What a preempted request loses",
       "/engine/preemption",
       kChoice,
       0,
       0,
       "",
       {"recompute", "swap"}},
      {"num_swap_blocks",
       "Blocks of the swap pool",
       "/engine/num_swap_blocks",
       kInteger,
       0,
       4096,
       "blocks",
       {}},
      {"prefix_caching",
       "Share equal prefixes",
       "/engine/enable_prefix_caching",
       kSwitch,
       0,
       0,
       "",
       {}},
      {"sliding_window",
       "Sliding window (0: none)",
       "/attention/sliding_window",
       kInteger,
       0,
       4096,
       "tokens",
       {}},
      {"alibi", "ALiBi", "/attention/alibi", kSwitch, 0, 0, "", {}},
      {"num_heads", "Query heads", "/source/synthetic/num_heads", kInteger, 1, 64, "heads", {}},
      {"num_kv_heads", "KV heads", "/source/synthetic/num_kv_heads", kInteger, 1, 64, "heads", {}},
      {"head_size",
       "Elements of a head",
       "/source/synthetic/head_size",
       kInteger,
       1,
       256,
       "elements",
       {}},
      {"num_layers", "Layers", "/source/synthetic/num_layers", kInteger, 1, 32, "layers", {}},
      {"pattern",
       "Pattern",
       "/source/synthetic/kind",
       kChoice,
       0,
       0,
       "",
       {"random", "local", "induction", "needle"}},
      {"sharpness", "Sharpness", "/source/synthetic/sharpness", kNumber, 0, 100, "", {}},
      {"needle_position",
       "Position of the needle",
       "/source/synthetic/needle_position",
       kInteger,
       0,
       2048,
       "",
       {}},
      {"period",
       "Length of the repeated segment",
       "/source/synthetic/period",
       kInteger,
       1,
       2048,
       "tokens",
       {}},
      {"seed", "Seed", "/seed", kInteger, 0, 1'000'000, "", {}},
      {"view_layer", "Layer that is shown", "/view/layer", kInteger, 0, 64, "", {}},
      {"view_head", "Head that is shown", "/view/head", kInteger, 0, 64, "", {}},
  };
}

[[noreturn]] void refuse(const Control& control, std::string_view value, std::string allowed) {
  throw_bad_input({fmt::format("the control `{}` does not take this value", control.name), "",
                   quote_text(value), std::move(allowed), ""});
}

struct Document {
  explicit Document(const Scenario& scenario)
      : json(parse_json(to_json(scenario), "the scenario")) {}
  Json json;
  const TakenApart apart{json};
};

Json json_of(const Control& control, const std::string& value) {
  const char* const end = value.data() + value.size();
  switch (control.kind) {
    case kInteger: {
      int64_t number = 0;
      const auto [at, trouble] = std::from_chars(value.data(), end, number);
      if (trouble != std::errc{} || at != end || static_cast<double>(number) < control.min ||
          static_cast<double>(number) > control.max)
        refuse(control, value, fmt::format("{:.0f} to {:.0f}", control.min, control.max));
      return number;
    }
    case kNumber: {
      double number = 0;
      const auto [at, trouble] = std::from_chars(value.data(), end, number);
      if (trouble != std::errc{} || at != end || !(number >= control.min) ||
          !(number <= control.max))
        refuse(control, value, fmt::format("{} to {}", control.min, control.max));
      return number;
    }
    case kSwitch:
      if (value != "true" && value != "false") refuse(control, value, "true, false");
      return value == "true";
    case kChoice:
      // A program without backends does not know their names.
      if (!control.choices.empty() &&
          std::ranges::find(control.choices, value) == control.choices.end())
        refuse(control, value, fmt::format("{}", fmt::join(control.choices, ", ")));
      return value;
    case kText:
      if (value.empty() || value.size() > static_cast<size_t>(control.max))
        refuse(control, value, fmt::format("1 to {:.0f} bytes", control.max));
      return value;
  }
  return nullptr;
}

}  // namespace

const std::vector<Control>& all_controls() {
  static const std::vector<Control> controls = make_controls();
  return controls;
}

const Control* find_control(std::string_view name) {
  const auto at = std::ranges::find(all_controls(), name, &Control::name);
  return at == all_controls().end() ? nullptr : &*at;
}

bool has_control(const Control& control, const Scenario& scenario) {
  // The canonical form has these keys for sources that do not use them, too.
  if (control.name == "prompt") return scenario.source.reads_text();
  if (control.name == "prompt_tokens") return !scenario.source.reads_text();
  if (control.name == "encoder_tokens")
    return scenario.attention.type == AttentionType::kEncoderDecoder &&
           !scenario.source.reads_text();
  const Document document(scenario);
  return document.json.contains(Json::json_pointer(control.path));
}

std::string value_of(const Control& control, const Scenario& scenario) {
  const Document document(scenario);
  const Json& json = document.json;
  const Json::json_pointer path(control.path);
  if (!json.contains(path))
    throw_bad_input({fmt::format("this scenario has no control `{}`", control.name), scenario.title,
                     "", "", ""});
  const Json& value = json.at(path);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Scenario with_settings(const Scenario& scenario, const std::vector<Setting>& settings) {
  Document document(scenario);
  Json& json = document.json;
  for (const Setting& setting : settings) {
    const Control* control = find_control(setting.control);
    if (!control || !has_control(*control, scenario))
      throw_bad_input({"this scenario has no such control", "", quote_text(setting.control),
                       "a control of its source and engine", ""});
    json[Json::json_pointer(control->path)] = json_of(*control, setting.value);
  }
  Scenario changed = parse_scenario(json.dump(), scenario.title);
  changed.origin = scenario.origin;
  return changed;
}

}  // namespace attn::lesson
