// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string_view>

#include "engine/core/files/json_writer.h"
#include "engine/session/scenario/scenario.h"
#include "engine/session/scenario/scenario_fields.h"

namespace attn {
namespace {

using namespace scenario_fields;

// Writes the fields. decoder_prompt and num_encoder_layers, which came later, are left out if they
// are empty or 0, so older scenarios keep their hash.
class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_(json) {}
  void text(const char* key, const std::string& field, TextRule) {
    if (!field.empty() || key != std::string_view("decoder_prompt")) json_.put(key, field);
  }
  void integer(const char* key, int64_t field, int64_t, int64_t, const char*) {
    if (field != 0 || key != std::string_view("num_encoder_layers")) json_.put(key, field);
  }
  void seed(const char* key, uint64_t field) { json_.put(key, field); }
  void number(const char* key, double field, NumberRule) { json_.put(key, field); }
  void boolean(const char* key, bool field) { json_.put(key, field); }
  void numbers(const char* key, const std::vector<double>& field, NumberRule, int64_t) {
    json_.put(key, field);
  }
  void numbers_or_one(const char* key, const std::vector<double>& field, NumberRule, int64_t) {
    json_.put(key, field);
  }
  template <class T>
  void choice(const char* key, const T& field, const Choices<T>& choices) {
    const auto at = std::ranges::find(choices, field, &std::pair<std::string_view, T>::second);
    if (at != choices.end()) json_.put(key, at->first);
  }

 private:
  JsonWriter& json_;
};

template <class T>
void write_fields(T fields, JsonWriter& json) {
  Writer writer(json);
  visit(writer, fields);
}

template <class T>
void write_object(const char* key, const T& fields, JsonWriter& json) {
  json.key(key).begin_object();
  write_fields(fields, json);
  json.end_object();
}

void write_request(const ScenarioRequest& request, JsonWriter& json) {
  json.begin_object();
  write_fields(request, json);
  if (!request.interventions.empty()) {
    json.key("interventions").begin_array();
    for (const Intervention& what : request.interventions) {
      json.begin_object();
      write_fields(what, json);
      json.end_object();
    }
    json.end_array();
  }
  if (request.residual != ResidualWindow{}) write_object("residual", request.residual, json);
  json.end_object();
}

void write_source(const ScenarioSource& source, JsonWriter& json) {
  json.key("source").begin_object();
  if (source.synthetic)
    write_object("synthetic", *source.synthetic, json);
  else if (source.tensors)
    write_object("tensors", *source.tensors, json);
  else
    json.put("model", source.model);
  json.end_object();
}

}  // namespace

std::string to_json(const Scenario& scenario) {
  JsonWriter json(2);
  json.begin_object();
  write_fields(scenario, json);
  write_source(scenario.source, json);
  json.key("requests").begin_array();
  for (const ScenarioRequest& request : scenario.requests) write_request(request, json);
  json.end_array();
  write_object("arrivals", scenario.arrivals, json);
  json.key("attention").begin_object();
  write_fields(scenario.attention, json);
  if (scenario.attention.blocksparse)
    write_object("blocksparse", *scenario.attention.blocksparse, json);
  json.end_object();
  write_object("engine", scenario.engine, json);
  write_object("view", scenario.view, json);
  json.end_object();
  return std::move(json).take() + "\n";
}

}  // namespace attn
