// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a request for the scheduler from what a scenario or a person asks for. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/source.h"
#include "engine/scheduler/request.h"
#include "engine/session/run/engine.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct NewRequest {
  uint32_t id = 0;
  const Scenario& scenario;
  const Source& source;
  // Tokens in place of those of the texts or of the source. given: the request's own tokens and the
  // encoder's; prompt: its own tokens only.
  const EngineOptions::GivenPrompt* given = nullptr;  // null: not given
  std::vector<int32_t> prompt;                        // empty: not given
};

// The request with its tokens and settings, but without arrival_ns, caches_own, writes_own and
// cache_key. Throws Error(kBadInput) if the run cannot have such a request.
Request make_request(const ScenarioRequest& asked, NewRequest added);

}  // namespace attn
