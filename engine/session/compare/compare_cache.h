// SPDX-License-Identifier: GPL-3.0-or-later
// Compare with and without a cache: one scenario is run twice by its own backend. One run keeps
// keys and values in the paged cache. The other computes all positions of its sequences again in
// every step (EngineOptions::recompute).
//
// Both runs use the same source, seed and sampling, and each samples its own tokens. They take
// turns step by step. Prefix caching, swapping, further samples, beams, arrival times and captured
// plans are switched off. Pairs and rows are counted from the tiles that the kernels report. Times
// are those of engine steps on the run's clock.
//
// The thread that calls compare_cache() is the engine thread of both runs; a finished result is
// plain data for any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/compare/compare.h"

namespace attn {

struct CacheCompareSpec {
  Scenario scenario;
  int64_t max_steps = 0;  // 0: to the end
};

// Rows [first, end) of one request that a step computed, positions in the sequence.
struct ComputedRows {
  uint32_t request = 0;
  int64_t first = 0, end = 0;
  int64_t pairs = 0;  // visible (query, key) pairs, over all layers and heads
};

struct CacheCompareStep {
  uint32_t step = 0;
  std::vector<ComputedRows> rows;     // by request id
  int64_t tokens = 0;                 // tokens that went through the model
  int64_t pairs = 0;                  // sum of rows[].pairs
  int64_t tile_pairs = 0;             // pairs in the tiles, masked ones included
  uint64_t ns = 0, attention_ns = 0;  // the step; its attention calls
  // Bytes of keys and values. With a cache: of the blocks in use when the step's logits were
  // computed, or at its end if it has none, all layers. Without: of the step's tokens in one layer.
  int64_t kv_bytes = 0;
  std::vector<std::pair<uint32_t, int32_t>> sampled;
};

// One of the two runs.
struct CacheCompareRun {
  std::vector<CacheCompareStep> steps;
  std::vector<int64_t> pairs_of_head;  // [num_layers * num_heads] visible pairs, all steps
  int64_t tokens = 0, pairs = 0, tile_pairs = 0;  // sums over the steps
  uint64_t ns = 0, attention_ns = 0;
  int64_t most_kv_bytes = 0;  // largest of a step
};

struct CacheCompareAnswer {
  uint32_t request = 0;
  std::string name;
  int64_t prompt_tokens = 0;
  std::vector<int32_t> with_cache, without_cache;  // token ids
  std::string text_with_cache, text_without_cache;
  int64_t first_difference = -1;  // -1: the same tokens
  // Logits of the last row are compared as long as the tokens before them are the same.
  int64_t compared_rows = 0;
  double max_difference =
      0;                     // largest |logit with - logit without|; infinity where only one is NaN
  int64_t max_at = -1;       // index of the answer token whose logits differ most
  double largest_logit = 0;  // largest finite |logit| of the compared rows, with a cache
  bool same_tokens() const { return first_difference < 0; }
};

struct CacheCompareResult {
  std::string title, source, backend;  // backend: display name
  SourceShape shape;
  std::string attention, dtype;  // as in CompareResult
  int64_t block_size = 0;
  LayerRules rules;                // which keys a row sees
  std::vector<std::string> notes;  // sentences for the user
  CacheCompareRun with_cache, without_cache;
  // [steps of the run without a cache] the largest difference of the compared logits of that step;
  // NaN: none were compared. A cancelled comparison may lack the last step.
  std::vector<double> logit_differences;
  std::vector<CacheCompareAnswer> answers;  // by request id
  bool modelled_time = false;
  bool cancelled = false;

  bool same_answers() const;
  double max_difference() const;  // of all answers
  // pairs / heads() is the mean number of pairs of one head of one layer.
  int64_t heads() const { return shape.num_layers * shape.num_heads; }
  // Whether in each of the two runs all layers and heads computed equally many pairs.
  bool equal_heads() const;
};

// Why this scenario cannot be run without a cache; empty: it can. shape: null: the layers of a
// model are not checked.
std::string no_cache_refusal(const Scenario& scenario, const SourceShape* shape = nullptr);

// Throws Error(kNotSupported) with no_cache_refusal(), Error(kBadInput) for a bad scenario or when
// both runs do not fit in memory, and what load_source() and Engine throw. gate: can cancel it; may
// be null. A comparison that it stops after loading has `cancelled` set and the steps so far.
CacheCompareResult compare_cache(const CacheCompareSpec& spec, RunGate* gate = nullptr,
                                 const CompareProgress& progress = {});

// CSV with a line for each step of each run; docs/formats.md describes the columns.
std::string compare_cache_csv(const CacheCompareResult& result);

}  // namespace attn
