// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/bias_event.h"

#include "engine/trace/probe.h"

namespace attn {

void emit_bias_built(const Execution& execution, int64_t rows, int64_t keys, int64_t bytes) {
  const auto count = [](int64_t value) {
    return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX));
  };
  TraceEvent event;
  pack(BiasEvent{execution.step, count(rows), count(keys), static_cast<uint64_t>(bytes)}, event);
  emit_instant(execution, event.kind, event.a, event.b, event.c, event.d);
}

}  // namespace attn
