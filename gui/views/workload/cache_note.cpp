// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/cache_note.h"

#include "engine/attention/types.h"
#include "engine/core/dtype.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

double largest_number(DType dtype) {
  constexpr float kTooLarge = 1e30f;
  if (dtype == DType::kF8E4M3) return to_f32(to_f8e4m3(kTooLarge));
  if (dtype == DType::kF8E5M2) return to_f32(to_f8e5m2(kTooLarge));
  return to_f32(to_i8(kTooLarge));
}

}  // namespace

bool has_quantised_cache(const Scenario& scenario) {
  const auto dtype = cache_dtype_from_name(scenario.engine.kv_cache_dtype);
  return dtype && is_quantised(*dtype);
}

CacheNote::CacheNote(QWidget* parent) : QLabel(parent) {
  setWordWrap(true);
  connect(&Theme::instance(), &Theme::changed, this, &CacheNote::restyle);
  restyle();
}

void CacheNote::restyle() {
  const Theme& theme = Theme::instance();
  setFont(theme.font(TextRole::kSmall));
  setStyleSheet(QStringLiteral("color: %1").arg(theme.colors().muted.name()));
}

void CacheNote::show_limits(const Scenario& scenario) {
  const bool quantised = has_quantised_cache(scenario);
  setVisible(quantised);
  if (!quantised) return;
  const ScenarioEngine& engine = scenario.engine;
  const double largest = largest_number(*cache_dtype_from_name(engine.kv_cache_dtype));
  const bool by_head = !engine.k_head_scales.empty() || !engine.v_head_scales.empty();
  setText(by_head
              ? tr("KV heads have scales of their own, from the scenario file. A number beyond "
                   "±%1 × its scale saturates: it becomes the largest that fits. The run warns if "
                   "some did.")
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

#include "moc_cache_note.cpp"
