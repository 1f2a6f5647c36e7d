// SPDX-License-Identifier: GPL-3.0-or-later
// The objects of which a Scheduler consists.
#pragma once

#include <utility>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/parts/beam_searches.h"
#include "engine/scheduler/parts/request_limits.h"
#include "engine/scheduler/parts/request_queues.h"
#include "engine/scheduler/parts/seats.h"
#include "engine/scheduler/parts/sequences.h"
#include "engine/scheduler/scheduler_config.h"

namespace attn {

struct SchedulerParts {
  SchedulerParts(const SchedulerConfig& its_config, BlockManager& its_manager,
                 SchedulerEvents its_events)
      : config(its_config), events(std::move(its_events)), manager(its_manager) {}
  SchedulerParts(const SchedulerParts&) = delete;  // the parts refer to each other
  SchedulerParts& operator=(const SchedulerParts&) = delete;

  const SchedulerConfig config;
  const SchedulerEvents events;
  BlockManager& manager;
  RequestQueues queues;
  RequestLimits limits{config, manager};
  Sequences sequences{config.first_fork_id, manager, queues, events};
  BeamSearches searches{sequences, limits};
  Seats seats{config, queues, searches};
};

}  // namespace attn
