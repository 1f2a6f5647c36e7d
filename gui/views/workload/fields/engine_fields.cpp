// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the form about the cache, and the choice Extended.
#include <QComboBox>

#include "engine/core/dtype.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/scenario_form.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

bool is_quantised_cache(const Scenario& scenario) {
  const auto dtype = cache_dtype_from_name(scenario.engine.kv_cache_dtype);
  return dtype && is_quantised(*dtype);
}

// "fp8" is another name of "fp8_e4m3".
std::string shown_name(const std::string& name) {
  return name == "fp8" ? "fp8_e4m3" : name;
}

double largest_number(DType dtype) {
  constexpr float kTooLarge = 1e30f;
  if (dtype == DType::kF8E4M3) return to_f32(to_f8e4m3(kTooLarge));
  if (dtype == DType::kF8E5M2) return to_f32(to_f8e5m2(kTooLarge));
  return to_f32(to_i8(kTooLarge));
}

void choose_cache_dtype(Scenario& scenario, const std::string& name) {
  scenario.engine.kv_cache_dtype = name;
  // The check refuses scales that would have no effect.
  if (!is_quantised_cache(scenario)) scenario.engine.k_scale = scenario.engine.v_scale = 1;
  if (name != "int8") {
    scenario.engine.k_head_scales.clear();
    scenario.engine.v_head_scales.clear();
  }
}

}  // namespace

void ScenarioForm::build_cache(QVBoxLayout* layout) {
  choice(
      layout, tr("Cache dtype"),
      tr("Element type of keys and values in the cache. auto means the type in which the model "
         "computes. fp8 and int8 keep a number divided by a scale, rounded to 8 bits."),
      "$.engine.kv_cache_dtype",
      {{QStringLiteral("auto"), "auto"},
       {QStringLiteral("f32"), "f32"},
       {QStringLiteral("bf16"), "bf16"},
       {QStringLiteral("f16"), "f16"},
       {QStringLiteral("fp8_e4m3"), "fp8_e4m3"},
       {QStringLiteral("fp8_e5m2"), "fp8_e5m2"},
       {QStringLiteral("int8"), "int8"}},
      [](const Scenario& s) { return shown_name(s.engine.kv_cache_dtype); }, choose_cache_dtype);
  const auto scale = [&](const QString& name, const QString& meaning, const char* path,
                         double ScenarioEngine::*member) {
    Field* field = number(
        layout, name, tr("1 none"), meaning, path, false,
        [member](const Scenario& s) { return s.engine.*member; },
        [member](Scenario& s, double v) { s.engine.*member = v; });
    conditional_.push_back(
        {field, [](const Scenario& s, const auto&) { return is_quantised_cache(s); }});
  };
  scale(tr("Key scale"),
        tr("What a stored key is multiplied by when it is read. With int8 a scenario file can give "
           "every KV head its own (k_head_scales)."),
        "$.engine.k_scale", &ScenarioEngine::k_scale);
  scale(tr("Value scale"),
        tr("What a stored value is multiplied by when it is read. With int8 a scenario file can "
           "give every KV head its own (v_head_scales)."),
        "$.engine.v_scale", &ScenarioEngine::v_scale);
  cache_note_ = new QLabel;
  cache_note_->setWordWrap(true);
  const auto restyle = [this] {
    const Theme& theme = Theme::instance();
    cache_note_->setFont(theme.font(TextRole::kSmall));
    cache_note_->setStyleSheet(QStringLiteral("color: %1").arg(theme.colors().muted.name()));
  };
  connect(&Theme::instance(), &Theme::changed, this, restyle);
  restyle();
  layout->addWidget(cache_note_);
  choice(
      layout, tr("Extended"),
      tr("On: the backends that are modelled on an original may do what only the original refuses. "
         "torch_sdpa: chunks of prompts, prompts with cached tokens, mixed batches, cache types "
         "other than auto (but not int8), and scales other than 1. pallas: chunks of prompts and "
         "mixed batches. torch_sdpa and xformers: a soft cap, which they ignore with a warning."),
      "$.engine.extended", {{tr("off"), "off"}, {tr("on"), "on"}},
      [](const Scenario& s) { return std::string(s.engine.extended ? "on" : "off"); },
      [](Scenario& s, const std::string& v) { s.engine.extended = v == "on"; });
}

void ScenarioForm::show_cache_note() {
  const bool quantised = is_quantised_cache(scenario_);
  cache_note_->setVisible(quantised);
  if (!quantised) return;
  const ScenarioEngine& engine = scenario_.engine;
  const double largest = largest_number(*cache_dtype_from_name(engine.kv_cache_dtype));
  const bool by_head = !engine.k_head_scales.empty() || !engine.v_head_scales.empty();
  cache_note_->setText(
      by_head
          ? tr("KV heads have scales of their own, from the scenario file. A number beyond ±%1 × "
               "its scale saturates: it becomes the largest that fits. The run warns if some did.")
                .arg(largest)
          : tr("Keys up to ±%1 × %2 = %3 and values up to ±%1 × %4 = %5 fit. Larger numbers "
               "saturate: they become the largest that fits. The run warns if some did.")
                .arg(largest)
                .arg(engine.k_scale)
                .arg(largest * engine.k_scale)
                .arg(engine.v_scale)
                .arg(largest * engine.v_scale));
}

}  // namespace attn::gui
