// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/snapshot.h"

namespace attn {

std::string_view name_of(EnginePhase phase) {
  switch (phase) {
    case EnginePhase::kLoading:
      return "loading";
    case EnginePhase::kIdle:
      return "idle";
    case EnginePhase::kRunning:
      return "running";
    case EnginePhase::kPaused:
      return "paused";
    case EnginePhase::kFinished:
      return "finished";
    case EnginePhase::kCancelled:
      return "cancelled";
    case EnginePhase::kFailed:
      return "failed";
  }
  return "unknown";
}

}  // namespace attn
