// SPDX-License-Identifier: GPL-3.0-or-later
// StepFacts: the metadata with which a step called its backend, and the lengths, block tables and
// kernel calls that follow from it. Also the layout of the run's cache. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/kernels/cache/cache_map.h"
#include "engine/kernels/planned_calls.h"
#include "engine/kernels/planned_masks.h"
#include "engine/session/batch/step_batch.h"
#include "engine/session/run/snapshot.h"

namespace attn {

struct StepFacts {
  // What an attention type takes from the prefills or the decodes of the batch. The lengths and the
  // table are names of fields of AttentionMetadata.
  struct Picked {
    bool is_prefill = false;
    int64_t first_sequence = 0, sequences = 0, rows = 0;
    std::string_view query_lens, key_lens;
    std::string_view table;    // empty: no table
    int64_t max_seq_len = 0;   // the longest of key_lens
    int64_t table_blocks = 0;  // entries per row
  };
  // The layers of one configuration.
  struct Layers {
    AttentionConfig config;
    std::vector<int64_t> layers;
    std::vector<Picked> picked;
    std::vector<PlannedCall> calls;  // in each of the layers
    std::vector<PlannedMask> masks;  // of the prefills
  };

  StepBatch batch;
  // Do not call functions of it that make parts or biases on demand, such as prefill_metadata():
  // other threads may read it at the same time.
  std::shared_ptr<const AttentionMetadata> metadata;
  // The metadata of the encoder layers; its rows are encoder tokens. Null: none ran.
  std::shared_ptr<const AttentionMetadata> encoder;
  int64_t captured_rows = 0;  // rows of the replayed captured plan; 0: none was replayed
  std::vector<Layers> layers;
};

// Null: there is no batch, or the facts cannot be made.
std::shared_ptr<const StepFacts> step_facts(const EngineSnapshot& snapshot);

// The cache layout of one layer. Null: the run keeps nothing in the cache, or the layout is not
// known.
std::shared_ptr<const CacheMap> cache_map_of(const EngineSnapshot& snapshot);

}  // namespace attn
