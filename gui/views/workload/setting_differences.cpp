// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/setting_differences.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "engine/attention/backend.h"
#include "gui/models/text.h"
#include "gui/views/workload/fields/attention_fields.h"
#include "gui/views/workload/fields/backend_fields.h"
#include "gui/views/workload/fields/engine_fields.h"
#include "gui/views/workload/fields/field_list.h"
#include "gui/views/workload/fields/request_fields.h"
#include "gui/views/workload/fields/scheduling_fields.h"
#include "gui/views/workload/fields/source_fields.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// The toolbar has the backend, and the form has no field for the clock.
std::vector<FieldSpec> fields_outside_the_form() {
  FieldSpec backend{.name = tr("Backend"),
                    .unit = {},
                    .meaning = tr("The attention backend is the code that computes attention."),
                    .path = "$.engine.backend"};
  for (const AttentionBackend* one : registered_backends())
    backend.options.emplace_back(text_of(one->display_name()), std::string(one->name()));
  backend.word = [](const Scenario& s, const ScenarioRequest&) { return s.engine.backend; };
  FieldSpec clock{.name = tr("Clock"),
                  .unit = {},
                  .meaning = tr("Real: times are measured. Virtual: they come from a cost model."),
                  .path = "$.engine.clock"};
  clock.options = {{tr("real"), "real"}, {tr("virtual"), "virtual"}};
  clock.word = [](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.engine.clock == ClockKind::kReal ? "real" : "virtual");
  };
  return {backend, clock};
}

std::vector<FieldSpec> all_fields() {
  std::vector<FieldSpec> all = fields_outside_the_form();
  for (const auto& some : {engine_fields(), scheduling_fields(), backend_fields(),
                           attention_fields(), fields_of_source(), request_fields()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

QString number_text(double value, bool whole) {
  constexpr double kMostCount = 1e15;
  if (whole && std::abs(value) < kMostCount) return format_count(std::llround(value));
  return QLocale().toString(value, 'g', QLocale::FloatingPointShortest);
}

QString text_in(const FieldSpec& spec, const Scenario& scenario, const ScenarioRequest& request) {
  if (spec.matters && !spec.matters(scenario, request)) return QStringLiteral("–");
  if (spec.number) return number_text(spec.number(scenario, request), spec.whole);
  const std::string word = spec.word(scenario, request);
  const auto option =
      std::ranges::find(spec.options, word, &std::pair<QString, std::string>::second);
  // "Tensors…" of the form opens a dialog.
  if (option != spec.options.end()) return QString(option->first).remove(QChar(0x2026));
  return spec.label ? spec.label(word) : text_of(word);
}

bool differ(const FieldSpec& spec, const Scenario& a, const ScenarioRequest& of_a,
            const Scenario& b, const ScenarioRequest& of_b) {
  return spec.number ? spec.number(a, of_a) != spec.number(b, of_b)
                     : spec.word(a, of_a) != spec.word(b, of_b);
}

// The values of a scenario file by their JSON paths. A list is one value.
using Values = std::map<std::string, QJsonValue>;
void collect(const QJsonObject& object, const std::string& path, Values& values) {
  for (auto at = object.begin(); at != object.end(); ++at) {
    const std::string here = path + "." + at.key().toStdString();
    if (at->isObject())
      collect(at->toObject(), here, values);
    else
      values[here] = at.value();
  }
}

Values values_of(const Scenario& scenario) {
  QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(to_json(scenario))).object();
  for (const char* no_setting : {"version", "title", "description", "requests", "view"})
    json.remove(QLatin1String(no_setting));
  Values values;
  collect(json, "$", values);
  return values;
}

QString text_of_value(const Values& values, const std::string& path) {
  const auto at = values.find(path);
  if (at == values.end()) return QStringLiteral("–");
  if (at->second.isArray())
    return QString::fromUtf8(QJsonDocument(at->second.toArray()).toJson(QJsonDocument::Compact));
  if (at->second.isBool()) return at->second.toBool() ? tr("on") : tr("off");
  return at->second.isDouble() ? number_text(at->second.toDouble(), false) : at->second.toString();
}

// Settings of the file without a field: they are named by their keys. A field can show a part of a
// list or of what the seed decides, so these two have a row unless their field has one.
void add_by_key(const Scenario& first, const Scenario& second, const std::set<std::string>& fields,
                const std::set<std::string>& told, bool same_source,
                std::vector<SettingDifference>& differences) {
  const Values left = values_of(first), right = values_of(second);
  Values both = left;
  both.insert(right.begin(), right.end());
  for (const auto& [path, value] : both) {
    const auto in_left = left.find(path), in_right = right.find(path);
    if (in_left != left.end() && in_right != right.end() && in_left->second == in_right->second)
      continue;
    const bool shown = told.contains(path) || told.contains(path + "[]");
    const bool in_part = value.isArray() || path == "$.seed";
    if (shown || (fields.contains(path) && !in_part)) continue;
    if (!same_source && path.starts_with("$.source.")) continue;
    const QString key = text_of(path.substr(path.rfind('.') + 1));
    differences.push_back({key, tr("%1 in the scenario file").arg(text_of(path)),
                           text_of_value(left, path), text_of_value(right, path)});
  }
}

}  // namespace

std::vector<SettingDifference> setting_differences(const Scenario& first, int first_request,
                                                   const Scenario& second, int second_request) {
  const ScenarioRequest* left = request_at(first, first_request);
  const ScenarioRequest* right = request_at(second, second_request);
  const bool has_requests = left && right;
  const ScenarioRequest nobody;
  const ScenarioRequest &of_first = has_requests ? *left : nobody,
                        &of_second = has_requests ? *right : nobody;
  // The settings of another kind of source say nothing about this one.
  const bool same_source =
      first.source.synthetic.has_value() == second.source.synthetic.has_value() &&
      first.source.tensors.has_value() == second.source.tensors.has_value();
  std::vector<SettingDifference> differences;
  std::set<std::string> fields, told;
  for (const FieldSpec& spec : all_fields()) {
    fields.insert(spec.path);
    if (!has_requests && spec.path.starts_with("$.requests")) continue;
    if (!same_source &&
        (spec.path.starts_with("$.source.synthetic") || spec.path.starts_with("$.source.tensors")))
      continue;
    if (!differ(spec, first, of_first, second, of_second)) continue;
    const QString here = text_in(spec, first, of_first), there = text_in(spec, second, of_second);
    if (here == there) continue;  // it has no effect in either
    told.insert(spec.path);
    differences.push_back({spec.name, spec.meaning, here, there});
  }
  add_by_key(first, second, fields, told, same_source, differences);
  return differences;
}

}  // namespace attn::gui
