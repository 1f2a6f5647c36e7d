// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/row_by_row.h"

#include <utility>

namespace attn {

bool make_row_by_row(Scenario& scenario) {
  ScenarioEngine& engine = scenario.engine;
  bool changed = std::exchange(engine.enable_prefix_caching, false);
  changed |= std::exchange(engine.num_swap_blocks, 0) > 0;
  engine.preemption = PreemptionMode::kRecompute;
  scenario.arrivals = {};
  for (ScenarioRequest& request : scenario.requests) {
    changed |= request.n > 1 || request.beam_width > 1;
    request.n = request.beam_width = 1;
    request.arrival_s = 0;
  }
  return changed;
}

}  // namespace attn
