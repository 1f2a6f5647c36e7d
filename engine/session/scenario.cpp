// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/session/scenario_fields.h"

namespace attn {
namespace {

using namespace scenario_fields;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr size_t kMostFileBytes = size_t{16} << 20;
constexpr double kSlowestPace = 0.01;  // tiles per second

// An object inside a scenario: "first-look.json" and "$.engine", or no file for one made in a
// window.
struct Place {
  std::string file;
  std::string path = "$";

  Place child(std::string_view key) const { return {file, path + path_step(key)}; }
  Place item(size_t index) const { return {file, fmt::format("{}[{}]", path, index)}; }
  std::string text() const { return file.empty() ? path : file + ", " + path; }
};

std::string shown(const Json& value) {
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  return value.is_string() ? quote_text(value.get_ref<const std::string&>()) : value.dump();
}

[[noreturn]] void refuse(const Place& place, std::string what, std::string found,
                         std::string allowed, std::string advice = "") {
  throw_bad_input({.what = std::move(what),
                   .where = place.text(),
                   .found = std::move(found),
                   .allowed = std::move(allowed),
                   .advice = std::move(advice)});
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& allowed) {
  const std::string near = nearest_match(word, allowed);
  return near.empty() ? "" : fmt::format("Did you mean `{}`?", near);
}

std::string range_text(int64_t min, int64_t max, const char* unit) {
  return min == max ? fmt::format("{} {}", min, unit) : fmt::format("{} to {} {}", min, max, unit);
}
std::string range_text(const NumberRule& rule) {
  return fmt::format("{}{} to {}{}{}", rule.min_excluded ? "above " : "", rule.min, rule.max,
                     *rule.unit ? " " : "", rule.unit);
}
constexpr const char* kSeedRange = "an integer, 0 to 18446744073709551615";

template <class T>
std::vector<std::string> names_of(const Choices<T>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.first);
  return names;
}

// --- Visitors of scenario_fields.h
// ---------------------------------------------------------------------------------

struct KeyList {
  std::vector<std::string> keys;
  void text(const char* key, std::string&, TextRule) { keys.emplace_back(key); }
  void integer(const char* key, int64_t&, int64_t, int64_t, const char*) { keys.emplace_back(key); }
  void seed(const char* key, uint64_t&) { keys.emplace_back(key); }
  void number(const char* key, double&, NumberRule) { keys.emplace_back(key); }
  void boolean(const char* key, bool&) { keys.emplace_back(key); }
  void numbers(const char* key, std::vector<double>&, NumberRule, int64_t) {
    keys.emplace_back(key);
  }
  template <class T>
  void choice(const char* key, T&, const Choices<T>&) {
    keys.emplace_back(key);
  }
};

// Fills fields from an object; a key that is not there leaves the default. Types only: ranges are
// the Checker's.
class Reader {
 public:
  Reader(const Json& object, Place place) : object_(object), place_(std::move(place)) {}

  void text(const char* key, std::string& field, TextRule) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_string())
      refuse(place_.child(key), fmt::format("{} is not a text", key), shown(*value), "a text");
    field = value->get<std::string>();
  }
  void integer(const char* key, int64_t& field, int64_t min, int64_t max, const char* unit) {
    const Json* value = find(key);
    if (!value) return;
    const auto allowed = [&] { return "an integer, " + range_text(min, max, unit); };
    if (!value->is_number_integer()) {
      refuse(place_.child(key), fmt::format("{} is not an integer", key), shown(*value), allowed());
    }
    if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t{INT64_MAX}) {
      refuse(place_.child(key), fmt::format("{} is out of range", key), shown(*value),
             range_text(min, max, unit));
    }
    field = value->get<int64_t>();
  }
  void seed(const char* key, uint64_t& field) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_number_unsigned()) {
      refuse(place_.child(key), fmt::format("{} is not a whole number in range", key),
             shown(*value), kSeedRange);
    }
    field = value->get<uint64_t>();
  }
  void number(const char* key, double& field, NumberRule rule) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_number()) {
      refuse(place_.child(key), fmt::format("{} is not a number", key), shown(*value),
             "a number, " + range_text(rule));
    }
    field = value->get<double>();
  }
  void boolean(const char* key, bool& field) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_boolean()) {
      refuse(place_.child(key), fmt::format("{} is neither true nor false", key), shown(*value),
             "true, false");
    }
    field = value->get<bool>();
  }
  void numbers(const char* key, std::vector<double>& field, NumberRule rule, int64_t) {
    const Json* value = find(key);
    if (!value) return;
    const Place place = place_.child(key);
    if (!value->is_array())
      refuse(place, fmt::format("{} is not a list", key), shown(*value), "a list of numbers");
    for (size_t i = 0; i < value->size(); ++i) {
      if (!(*value)[i].is_number())
        refuse(place.item(i), fmt::format("{} holds something that is not a number", key),
               shown((*value)[i]), "a number, " + range_text(rule));
      field.push_back((*value)[i].get<double>());
    }
  }
  template <class T>
  void choice(const char* key, T& field, const Choices<T>& choices) {
    const Json* value = find(key);
    if (!value) return;
    const std::vector<std::string> names = names_of(choices);
    const std::string word = value->is_string() ? value->get<std::string>() : "";
    const auto chosen = std::find(names.begin(), names.end(), word);
    if (!value->is_string() || chosen == names.end()) {
      refuse(place_.child(key), fmt::format("{} is not one of the choices", key), shown(*value),
             fmt::format("{}", fmt::join(names, ", ")), did_you_mean(word, names));
    }
    field = choices[static_cast<size_t>(chosen - names.begin())].second;
  }

  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& require(const char* key, const char* allowed) const {
    const Json* value = find(key);
    if (!value) {
      refuse(place_.child(key), fmt::format("{} is missing", key), "no such key", allowed,
             fmt::format("Add \"{}\"", key));
    }
    return *value;
  }
  void refuse_unknown_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      refuse(place_.child(key.substr(0, 60)), "unknown key", quote_text(key),
             fmt::format("{}", fmt::join(known, ", ")), did_you_mean(key, known));
    }
  }

 private:
  const Json& object_;
  Place place_;
};

class Checker {
 public:
  explicit Checker(Place place) : place_(std::move(place)) {}

  void text(const char* key, const std::string& field, TextRule rule) const {
    const std::string allowed =
        fmt::format("{}{} to {} bytes of UTF-8", rule.several_lines ? "" : "one line of ",
                    rule.required ? 1 : 0, rule.max_bytes);
    const Place at = place_.child(key);
    if (field.size() > rule.max_bytes) {
      refuse(at, fmt::format("{} is too long", key), fmt::format("{} bytes", field.size()),
             allowed);
    }
    if (rule.required && field.empty())
      refuse(at, fmt::format("{} is empty", key), "\"\"", allowed);
    for (const char c : field) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0 || (!rule.several_lines && (byte < 0x20 || byte == 0x7F))) {
        refuse(at, fmt::format("{} holds a control character", key),
               fmt::format("byte 0x{:02X}", byte), allowed);
      }
    }
    try {
      static_cast<void>(Json(field).dump());
    } catch (const Json::exception&) {
      refuse(at, fmt::format("{} is not valid UTF-8", key), quote_text(field), allowed);
    }
  }
  void integer(const char* key, int64_t field, int64_t min, int64_t max, const char* unit) const {
    if (field >= min && field <= max) return;
    refuse(place_.child(key), fmt::format("{} is out of range", key), fmt::format("{}", field),
           range_text(min, max, unit));
  }
  void seed(const char*, uint64_t) const {}
  void number(const char* key, double field, NumberRule rule) const {
    const bool above = rule.min_excluded ? field > rule.min : field >= rule.min;
    if (above && field <= rule.max) return;  // false for NaN
    refuse(place_.child(key), fmt::format("{} is out of range", key), fmt::format("{}", field),
           range_text(rule));
  }
  void boolean(const char*, bool) const {}
  void numbers(const char* key, const std::vector<double>& field, NumberRule rule,
               int64_t most) const {
    const Place place = place_.child(key);
    if (field.size() > static_cast<size_t>(most))
      refuse(place, fmt::format("{} is too long", key), fmt::format("{} numbers", field.size()),
             range_text(0, most, "numbers"));
    for (size_t i = 0; i < field.size(); ++i)
      if (!(field[i] >= rule.min && field[i] <= rule.max))  // true for NaN
        refuse(place.item(i), fmt::format("a number of {} is out of range", key),
               fmt::format("{}", field[i]), range_text(rule));
  }
  template <class T>
  void choice(const char* key, const T& field, const Choices<T>& choices) const {
    for (const auto& [name, value] : choices) {
      if (value == field) return;
    }
    const std::vector<std::string> names = names_of(choices);
    std::string found = "an unknown value", advice;
    if constexpr (std::is_same_v<T, std::string>) {
      found = quote_text(field);
      advice = did_you_mean(field, names);
    }
    refuse(place_.child(key), fmt::format("{} is not one of the choices", key), found,
           fmt::format("{}", fmt::join(names, ", ")), advice);
  }

 private:
  Place place_;
};

class Writer {
 public:
  OrderedJson object = OrderedJson::object();
  void text(const char* key, const std::string& field, TextRule) { object[key] = field; }
  void integer(const char* key, int64_t field, int64_t, int64_t, const char*) {
    object[key] = field;
  }
  void seed(const char* key, uint64_t field) { object[key] = field; }
  void number(const char* key, double field, NumberRule) { object[key] = field; }
  void boolean(const char* key, bool field) { object[key] = field; }
  void numbers(const char* key, const std::vector<double>& field, NumberRule, int64_t) {
    object[key] = field;
  }
  template <class T>
  void choice(const char* key, const T& field, const Choices<T>& choices) {
    for (const auto& [name, value] : choices) {
      if (value == field) object[key] = name;
    }
  }
};

// --- Reading
// -------------------------------------------------------------------------------------------------------

const char* kSourceForm = R"({"model": NAME} or {"synthetic": {"kind": ...}})";

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

// All keys of a struct. What they contain besides `visit` is the caller's.
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
  reader.refuse_unknown_keys({"model", "synthetic"});
  const Json* synthetic = reader.find("synthetic");
  if ((synthetic != nullptr) == (reader.find("model") != nullptr)) {
    refuse(place, synthetic ? "there are two sources" : "there is no source",
           synthetic ? "both `model` and `synthetic`" : "neither `model` nor `synthetic`",
           kSourceForm);
  }
  if (synthetic) {
    const Place at = place.child("synthetic");
    require_object(*synthetic, at);
    Reader(*synthetic, at).refuse_unknown_keys(keys_of<SyntheticSpec>());
    Reader(*synthetic, at).require("kind", "random, local, induction, needle");
    read_fields(*synthetic, at, source.synthetic.emplace());
    return;
  }
  reader.text("model", source.model, {});
  if (source.model.empty())
    refuse(place.child("model"), "model is empty", "\"\"", "a bundled name or a folder");
}

void read_requests(const Json& value, const Place& place, std::vector<ScenarioRequest>& requests) {
  if (!value.is_array())
    refuse(place, "requests is not a list", shown(value), "a list: [ {...}, ... ]");
  requests.resize(value.size());
  for (size_t i = 0; i < value.size(); ++i) read_fields(value[i], place.item(i), requests[i]);
}

// --- Checking
// ------------------------------------------------------------------------------------------------------

template <class T>
void check_fields(T fields, const Place& place) {
  Checker checker(place);
  visit(checker, fields);
}

void check_synthetic(const SyntheticSpec& spec, const Place& place) {
  check_fields(spec, place);
  if (spec.num_heads % spec.num_kv_heads != 0) {
    refuse(place.child("num_kv_heads"), "query heads cannot be shared out evenly among KV heads",
           fmt::format("{} query heads, {} KV heads", spec.num_heads, spec.num_kv_heads),
           "a divisor of num_heads");
  }
  if (spec.kind == SyntheticKind::kNeedle && spec.needle_position >= spec.max_model_len) {
    refuse(place.child("needle_position"), "needle_position is past the longest sequence",
           fmt::format("{}", spec.needle_position),
           fmt::format("0 to {} (max_model_len - 1)", spec.max_model_len - 1));
  }
}

void check_source(const ScenarioSource& source, const Place& place) {
  const bool has_model = !source.model.empty();
  if (has_model == source.synthetic.has_value()) {
    refuse(place, has_model ? "there are two sources" : "there is no source",
           has_model ? "both `model` and `synthetic`" : "neither `model` nor `synthetic`",
           kSourceForm);
  }
  if (has_model) Checker(place).text("model", source.model, {.max_bytes = 4096, .required = true});
  if (source.synthetic) check_synthetic(*source.synthetic, place.child("synthetic"));
}

void check_request(const ScenarioRequest& request, bool is_synthetic, const Place& place) {
  check_fields(request, place);
  if (is_synthetic) {
    if (!request.prompt.empty()) {
      refuse(place.child("prompt"), "a synthetic source reads no text", quote_text(request.prompt),
             "no prompt", "Give the length as prompt_tokens, or use a model");
    }
    if (request.prompt_tokens < 1) {
      refuse(place.child("prompt_tokens"), "a synthetic source needs the length of the prompt",
             fmt::format("{}", request.prompt_tokens), range_text(1, kMostTokens, "tokens"));
    }
    return;
  }
  if (request.prompt.empty()) {
    refuse(place.child("prompt"), "a model needs a prompt", "no text",
           "1 to 1048576 bytes of UTF-8");
  }
  if (request.prompt_tokens != 0) {
    refuse(place.child("prompt_tokens"), "the length of a model's prompt follows from its text",
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
  if (!synthetic) return;  // a model's shape is known when it is loaded
  if (scenario.view.layer >= synthetic->num_layers) {
    refuse(place.child("layer"), "the source has no such layer",
           fmt::format("{}", scenario.view.layer),
           fmt::format("0 to {}", synthetic->num_layers - 1));
  }
  if (scenario.view.head >= synthetic->num_heads) {
    refuse(place.child("head"), "the source has no such head",
           fmt::format("{}", scenario.view.head), fmt::format("0 to {}", synthetic->num_heads - 1));
  }
}

// A program without backends (a converter) cannot know their names; any other refuses a wrong one
// here, with its place.
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

// Scales say what the codes of a quantised cache mean; any other cache holds the numbers
// themselves.
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
    // A model's heads are counted when it is loaded.
    if (source.synthetic && values.size() != static_cast<size_t>(source.synthetic->num_kv_heads))
      refuse(place.child(key), "there is not one scale per KV head",
             fmt::format("{} scales", values.size()),
             fmt::format("{}, one per KV head, or an empty list", source.synthetic->num_kv_heads));
  };
  head_scales("k_head_scales", engine.k_head_scales);
  head_scales("v_head_scales", engine.v_head_scales);
}

void check_scenario(const Scenario& scenario, const Place& place) {
  check_fields(scenario, place);
  check_source(scenario.source, place.child("source"));
  const Place requests = place.child("requests");
  if (scenario.requests.empty() || scenario.requests.size() > static_cast<size_t>(kMostRequests)) {
    refuse(requests, "the number of requests is out of range",
           fmt::format("{}", scenario.requests.size()), range_text(1, kMostRequests, "requests"));
  }
  for (size_t i = 0; i < scenario.requests.size(); ++i) {
    check_request(scenario.requests[i], scenario.source.synthetic.has_value(), requests.item(i));
  }
  check_fields(scenario.engine, place.child("engine"));
  check_backend(scenario.engine.backend, place.child("engine"));
  check_scales(scenario.engine, scenario.source, place.child("engine"));
  check_view(scenario, place.child("view"));
}

template <class T>
OrderedJson written(T fields) {
  Writer writer;
  visit(writer, fields);
  return std::move(writer.object);
}

}  // namespace

Scenario parse_scenario(std::string_view json, std::string_view where) {
  const Json root = parse_json(json, where, {.max_bytes = kMostFileBytes, .max_depth = 16});
  const Place place{.file = std::string(where)};
  require_object(root, place);
  Reader reader(root, place);
  Scenario scenario;
  // The version first: the keys of another version would only give misleading errors.
  reader.require("version", "1");
  reader.integer("version", scenario.version, 1, 1, "(the format version)");
  if (scenario.version != 1) {
    refuse(place.child("version"), "this version of the scenario format is not known",
           fmt::format("{}", scenario.version), "1",
           scenario.version > 1 ? "It was made for a newer version of this program" : "");
  }
  std::vector<std::string> known = keys_of<Scenario>();
  known.insert(known.end(), {"source", "requests", "engine", "view"});
  reader.refuse_unknown_keys(known);

  visit(reader, scenario);
  read_source(reader.require("source", kSourceForm), place.child("source"), scenario.source);
  read_requests(reader.require("requests", "a list: [ {...}, ... ]"), place.child("requests"),
                scenario.requests);
  if (const Json* engine = reader.find("engine"))
    read_fields(*engine, place.child("engine"), scenario.engine);
  if (const Json* view = reader.find("view"))
    read_fields(*view, place.child("view"), scenario.view);
  check_scenario(scenario, place);
  scenario.origin.file = place.file;
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file) {
  const auto cannot_read = [&](const std::string& found) {
    throw_bad_input({.what = "scenario cannot be read",
                     .where = file.string(),
                     .found = found,
                     .allowed = "a JSON file",
                     .advice = ""});
  };
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) cannot_read("no such file");
  // A pipe or a device would be read without end.
  if (!std::filesystem::is_regular_file(status)) cannot_read("not a plain file");
  const uintmax_t bytes = std::filesystem::file_size(file, failure);
  if (failure) cannot_read(failure.message());
  if (bytes > kMostFileBytes) {
    throw_bad_input({.what = "scenario is too large",
                     .where = file.string(),
                     .found = fmt::format("{} bytes", bytes),
                     .allowed = fmt::format("at most {} bytes", kMostFileBytes),
                     .advice = ""});
  }
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) cannot_read("a file that this user may not read");
  return parse_scenario(text, file.string());
}

std::string to_json(const Scenario& scenario) {
  OrderedJson root = written(scenario);
  if (scenario.source.synthetic) {
    root["source"]["synthetic"] = written(*scenario.source.synthetic);
  } else {
    root["source"]["model"] = scenario.source.model;
  }
  root["requests"] = OrderedJson::array();
  for (const ScenarioRequest& request : scenario.requests)
    root["requests"].push_back(written(request));
  root["engine"] = written(scenario.engine);
  root["view"] = written(scenario.view);
  return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string scenario_hash(const Scenario& scenario) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const char c : to_json(scenario)) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

std::string place_in(const Scenario& scenario, std::string_view json_path) {
  return Place{scenario.origin.file, std::string(json_path)}.text();
}

void validate(const Scenario& scenario) {
  check_scenario(scenario, Place{});
}

}  // namespace attn
