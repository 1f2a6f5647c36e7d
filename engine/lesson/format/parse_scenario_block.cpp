// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/parse_scenario_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/core/files/json.h"
#include "engine/lesson/format/attributes.h"
#include "engine/lesson/format/lesson.h"
#include "engine/lesson/format/words.h"
#include "engine/lesson/run/frozen_run.h"

namespace attn::lesson {
namespace {

using Json = nlohmann::json;

// The line in the file of the place that an error names: "line 3, column 5", or the last key of
// "$.engine.block_size" that the block has. Otherwise the line of the directive.
int line_of(const Error& error, const OutlineDirective& directive) {
  const std::string& where = error.parts().where;
  if (const size_t at = where.rfind("line "); at != std::string::npos) {
    int line = 0;
    const char* begin = where.data() + at + 5;
    if (std::from_chars(begin, where.data() + where.size(), line).ec == std::errc{})
      return directive.body_line + line - 1;
  }
  const size_t path = where.find("$.");
  if (path == std::string::npos) return directive.line;
  size_t key_end = where.size();
  while (key_end > path + 1) {
    const size_t dot = where.rfind('.', key_end - 1);
    if (dot == std::string::npos || dot < path) break;
    std::string key = where.substr(dot + 1, key_end - dot - 1);
    key.resize(std::min(key.find('['), key.size()));
    const size_t at = directive.body.find('"' + key + '"');
    if (at != std::string::npos)
      return directive.body_line +
             static_cast<int>(std::count(directive.body.begin(),
                                         directive.body.begin() + static_cast<std::ptrdiff_t>(at),
                                         '\n'));
    key_end = dot;
  }
  return directive.line;
}

// The scenario on which the block builds, in canonical form. An empty object: none.
Json base_of(const std::string& name, const Scenario* previous) {
  if (name.empty()) return Json::object();
  if (name == "previous") {
    if (!previous)
      throw_bad_input({"there is no scenario before this one", "", "name=previous",
                       "the name of a shipped scenario, or JSON", ""});
    return parse_json(to_json(*previous), "the scenario");
  }
  return parse_json(to_json(load_scenario(find_scenario(name))), "the scenario");
}

// Merges `patch` into `into` as RFC 7386 (JSON Merge Patch) says. Moves values out of `patch`.
void merge(Json& patch, Json& into) {
  if (!patch.is_object()) {
    take_apart(into);
    into = std::move(patch);
    return;
  }
  if (!into.is_object()) {
    take_apart(into);
    into = Json::object();
  }
  for (auto& [key, value] : patch.get_ref<Json::object_t&>()) {
    if (value.is_null()) {
      if (const auto old = into.find(key); old != into.end()) take_apart(*old);
      into.erase(key);
    } else {
      merge(value, into[key]);
    }
  }
}

}  // namespace

std::optional<Scenario> read_scenario_block(const OutlineDirective& directive,
                                            const Scenario* previous, Mistakes& mistakes,
                                            std::string& view) {
  Attributes attributes(directive, mistakes);
  const std::string name = attributes.text("name").value_or("");
  view = attributes.one_of("view", view_names()).value_or("");
  attributes.finish();
  if (name.empty() && directive.body.empty()) {
    mistakes.add({directive.line, "the scenario is empty", "neither a name nor JSON",
                  "name=NAME of a shipped scenario, name=previous, JSON, or both"});
    return std::nullopt;
  }
  try {
    Json json = base_of(name, previous);
    const TakenApart apart(json);
    if (!directive.body.empty()) {
      JsonLimits limits;
      limits.max_depth = 16;
      limits.max_values = 20'000;
      Json own = parse_json(directive.body, "the scenario", limits);
      const TakenApart own_apart(own);
      if (!own.is_object())
        throw_bad_input({"the scenario is not an object", "", quote_text(directive.body),
                         "an object: { ... }", ""});
      merge(own, json);
      if (!json.contains("version")) json["version"] = 1;
    }
    Scenario scenario = frozen(parse_scenario(json.dump(), "the scenario"));
    if (scenario.source.tensors)
      throw_bad_input({"a lesson is one file, so its scenario cannot read tensors from others",
                       "$.source.tensors", "a source of tensors", "model or synthetic", ""});
    if (!scenario.source.model.empty()) {
      const std::vector<std::string> models = shipped_models();
      if (std::ranges::find(models, scenario.source.model) == models.end())
        throw_bad_input({"a lesson can only use bundled models", "$.source.model",
                         quote_text(scenario.source.model),
                         fmt::format("{}", models.empty() ? "none" : models.front()), ""});
    }
    scenario.origin = {};
    return scenario;
  } catch (const Error& error) {
    ErrorParts parts = error.parts();
    const int line = line_of(error, directive);
    if (const size_t path = parts.where.find("$."); path != std::string::npos)
      parts.what += fmt::format(" ({})", parts.where.substr(path));
    mistakes.add(line, Error(error.code(), parts));
    return std::nullopt;
  } catch (const Json::exception& error) {
    mistakes.add({directive.line, "the scenario cannot be read", error.what(), "JSON"});
    return std::nullopt;
  }
}

}  // namespace attn::lesson
