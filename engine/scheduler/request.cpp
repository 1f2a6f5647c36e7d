// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/request.h"

namespace attn {

std::string_view name_of(RequestState state) {
  switch (state) {
    case RequestState::kWaiting:
      return "WAITING";
    case RequestState::kRunning:
      return "RUNNING";
    case RequestState::kSwapped:
      return "SWAPPED";
    case RequestState::kFinishedStopped:
      return "FINISHED_STOPPED";
    case RequestState::kFinishedLengthCapped:
      return "FINISHED_LENGTH_CAPPED";
    case RequestState::kFinishedAborted:
      return "FINISHED_ABORTED";
    case RequestState::kFinishedIgnored:
      return "FINISHED_IGNORED";
  }
  return "UNKNOWN";
}

}  // namespace attn
