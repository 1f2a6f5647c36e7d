// SPDX-License-Identifier: GPL-3.0-or-later
// NanWatch: looks for NaN and infinity in a run. It warns once of outputs of attention with such
// numbers, and refuses logits with NaN or +inf, which ends the run. Engine thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/attention/metadata.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/run/parts/layer_operands.h"
#include "engine/session/run/parts/run_trace.h"

namespace attn {

class NanWatch {
 public:
  // Warns once when attention gives NaN or infinity. Later places can follow from the first one, so
  // only the first one is told. batch: of the layer.
  void look(int64_t layer, const LayerOperands& operands, const AttentionMetadata& batch,
            const Scheduler& scheduler, const RunTrace& trace);
  // Refuses logits with NaN or +inf: any token drawn from them would look like an answer. Throws
  // Error(kBadInput).
  void require_numbers(const Request& request, std::span<const float> logits) const;

 private:
  std::string began_;  // the warning of look(); empty: it did not warn yet
};

}  // namespace attn
