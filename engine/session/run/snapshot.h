// SPDX-License-Identifier: GPL-3.0-or-later
// EngineSnapshot: a picture of a run for views. It does not change, but the records and the history
// to which it points change with the run. Any thread may read one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attention/cache_type/cache_rounding.h"
#include "engine/model/source.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/request.h"
#include "engine/session/record/attention_record.h"
#include "engine/session/record/residual_record.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}
  const std::string& str() const {
    static const std::string kNothing;
    return text_ ? *text_ : kNothing;
  }
  operator const std::string&() const { return str(); }
  operator std::string_view() const { return str(); }
  bool operator==(const SharedText& other) const {
    return text_ == other.text_ || str() == other.str();
  }

 private:
  std::shared_ptr<const std::string> text_;  // null: empty
};

struct TokenView {
  int32_t id = 0;
  SharedText text;  // label; spaces kept
};

inline constexpr TableKind kTableKinds[] = {TableKind::kOwn, TableKind::kCross};
struct BlockTableView {
  std::vector<int32_t> blocks;  // [j] physical block of logical block j; -1: it left the window
  std::vector<int32_t> swap_blocks;  // the same in the swap pool, while `blocks` is empty
  const std::vector<int32_t>& held() const { return swap_blocks.empty() ? blocks : swap_blocks; }
  bool operator==(const BlockTableView&) const = default;
};

struct RequestView {
  uint32_t id = 0;
  std::string name;
  RequestState state = RequestState::kWaiting;
  std::string ignored_reason;
  // Whether the user should read ignored_reason. That of a dropped beam is not shown.
  bool has_news() const {
    const bool dropped =
        state == RequestState::kFinishedStopped ||
        (state == RequestState::kFinishedLengthCapped && beam_width > 1 && !beam_rank);
    return !ignored_reason.empty() && !dropped;
  }
  int64_t prompt_len = 0;    // tokens
  int64_t num_computed = 0;  // own tokens that are computed
  int64_t num_cached = 0;    // own tokens found in the prefix cache, as in Request
  int64_t num_preemptions = 0;
  std::shared_ptr<const std::vector<TokenView>> tokens;  // prompt + output so far
  // Encoder tokens, which cross attention reads. Null: none.
  std::shared_ptr<const std::vector<TokenView>> encoder_tokens;
  std::shared_ptr<const std::string> prompt_text, output_text;  // UTF-8
  std::optional<uint32_t> parent;    // of a fork: id of the added request
  int64_t sample_index = 0;          // number of the sample
  std::optional<int64_t> beam_rank;  // 0: best
  double cumulative_logprob = 0;     // log-probability of a beam's output
  // Block tables of own tokens and of encoder tokens. Empty: none at present.
  BlockTableView own_table, cross_table;
  const BlockTableView& table(TableKind kind) const {
    return kind == TableKind::kCross ? cross_table : own_table;
  }
  BlockTableView& table(TableKind kind) {
    return kind == TableKind::kCross ? cross_table : own_table;
  }
  bool on_device() const { return !own_table.blocks.empty() || !cross_table.blocks.empty(); }
  bool in_swap() const {
    return !own_table.swap_blocks.empty() || !cross_table.swap_blocks.empty();
  }
  RequestTimes times;
  RequestMetrics metrics;
  // Null while there is no record.
  std::shared_ptr<const AttentionRecord> attention;
  std::vector<Intervention> interventions = {};
  std::vector<int64_t> changed_numbers = {};  // [interventions] see AppliedInterventions::changed()
  std::shared_ptr<const ResidualRecord> residual;  // null: it is not kept
  // An added request in a session file before version 7 lacks `sampling` and `beam_width`. Then
  // they have these defaults.
  SamplingParams sampling = {};
  int64_t beam_width = 1;  // above 1: beam search

  const std::shared_ptr<const std::vector<TokenView>>& tokens_in(TableKind kind) const {
    return kind == TableKind::kCross ? encoder_tokens : tokens;
  }

  // The request as its encoder layers see it: `tokens` and `attention` are the encoder's, and the
  // block tables are empty. Null: there are no encoder layers, or no encoder tokens.
  std::shared_ptr<const RequestView> encoder = {};
  int64_t num_encoder_layers = 0;  // SourceShape::num_encoder_layers()
  const RequestView& at(int64_t layer) const {
    return encoder && layer < num_encoder_layers ? *encoder : *this;
  }
};
// Sets `encoder` from the other fields of the view. record: of the encoder layers; may be null.
void set_encoder(RequestView& view, int64_t num_encoder_layers,
                 std::shared_ptr<const AttentionRecord> record);

struct BlockView {
  int32_t owner = -1;  // request id, one of several where it is shared; -1: none (or null block)
  int32_t ref_count = 0;
  int32_t logical = -1;  // position in the owner's table
  int32_t filled = 0;    // slots written, 0..block_size
  uint32_t allocated_step = 0;
  uint32_t last_read_step = 0, last_write_step = 0;  // 0: never
  bool hashed = false;                               // can be found by its prefix
  bool cross = false;
  bool is_cached() const { return hashed && ref_count == 0; }
  TableKind table() const { return cross ? TableKind::kCross : TableKind::kOwn; }
  bool operator==(const BlockView&) const = default;
};

// A node of the prefix tree: one full block of tokens.
struct PrefixView {
  int32_t parent = -1;  // index in this list, less than its own; -1: these tokens begin a prompt
  int32_t block = -1;   // physical block; -1: no block holds these tokens any more
  int32_t depth = 0;    // blocks before it
  std::shared_ptr<const std::vector<TokenView>> tokens;  // [block_size]
};

struct StepRecord {
  uint32_t step = 0;
  uint64_t begin_ns = 0, end_ns = 0;
  int64_t prefill_tokens = 0, decode_tokens = 0, sequences = 0;
  int64_t waiting = 0, running = 0, swapped = 0;  // after the step
  // After the step. Cached blocks hold a prefix and can be reused.
  int64_t free_blocks = 0, used_blocks = 0, cached_blocks = 0, swap_blocks_used = 0;
  int64_t wasted_slots = 0;  // unfilled slots of used blocks
  int64_t saved_blocks = 0;  // saved by sharing: table entries minus distinct blocks
  int64_t preemptions = 0;
  int64_t copied_blocks = 0, swapped_out_blocks = 0, swapped_in_blocks = 0;
  int64_t queried_tokens = 0, hit_tokens = 0;  // looked up in the prefix cache, and found there
  int64_t evicted_blocks = 0;
  uint64_t copy_ns = 0, swap_ns = 0;
  uint64_t schedule_ns = 0, attention_ns = 0;
  uint64_t plan_ns = 0;       // metadata and captured plan
  int64_t captured_rows = 0;  // 0: no captured plan
  // Modelled time of the step's attention calls on the backend's modelled device. 0: none.
  double modelled_device_ns = 0;
};

enum class EnginePhase { kLoading, kIdle, kRunning, kPaused, kFinished, kCancelled, kFailed };
std::string_view name_of(EnginePhase phase);  // "loading", ...

class Model;
class StepHistory;

struct EngineSnapshot {
  // Number of the run. It grows with each run that is started or shown.
  uint64_t run = 0;
  EnginePhase phase = EnginePhase::kIdle;
  std::string phase_detail;  // what is being loaded, or the error that ended the run
  std::shared_ptr<const Scenario> scenario;
  SourceShape source;
  int64_t residual_width = 0;               // see residual_width() in run_memory.h
  std::string backend_name;                 // display name
  std::shared_ptr<const LayerRules> rules;  // null while loading, or if that failed
  uint32_t step = 0;
  int layer = -1;  // -1: outside the layers
  int64_t block_size = 0;
  int64_t cache_bytes = 0;
  int64_t cache_head_size = 0;
  std::string modelled_device;         // "TPU v4"; empty: none
  std::vector<RequestView> requests;   // in the order of Scheduler::requests()
  std::vector<BlockView> blocks;       // [num_blocks]
  std::vector<BlockView> swap_blocks;  // [num_swap_blocks]
  bool has_null_block = false;  // block 0 stands for blocks that left a window (BlockManager)
  // By depth; at one depth older ones first. Null without prefix caching.
  std::shared_ptr<const std::vector<PrefixView>> prefixes;
  int64_t free_blocks = 0;  // blocks that can be handed out: free or cached, unlike in StepRecord
  double tokens_per_s = 0;  // see recent_tokens_per_s()
  int64_t generated_tokens = 0;
  std::shared_ptr<const std::vector<StepRecord>> steps;  // all so far
  std::shared_ptr<const StepHistory> history;            // null: not kept
  BatchPlan plan;                                        // current or last step
  // What rounding to the cache's type did in the finished steps of the run. Null before the first
  // step that computes has ended, where the cache is not quantised, and in session files before
  // version 6. A restored snapshot has the counts of the snapshot that it was made from.
  std::shared_ptr<const HeadRounding> rounding;
  int num_lanes = 0;
  bool modelled_time = false;  // on the virtual clock
  bool restored = false;       // made by the history
  bool slowed_or_paused = false;
  // The model of the run, if it is still loaded. Empty for other sources and for saved runs.
  std::weak_ptr<const Model> model;
};

const RequestView* request_by_id(const EngineSnapshot& snapshot, int64_t id);

// Whether this is the block that stands for blocks that left a sliding window.
inline bool is_null_block(const EngineSnapshot& snapshot, int64_t block) {
  return snapshot.has_null_block && block == 0;
}

// The number of device blocks that requests can hold: all but the null block.
inline int64_t usable_blocks(const EngineSnapshot& snapshot) {
  return static_cast<int64_t>(snapshot.blocks.size()) - (snapshot.has_null_block ? 1 : 0);
}

// The number of device blocks that requests hold.
inline int64_t used_blocks(const EngineSnapshot& snapshot) {
  return usable_blocks(snapshot) - snapshot.free_blocks;
}

// The result of mark_blocks_used().
struct BlocksUsed {
  size_t read = 0;     // blocks
  int64_t filled = 0;  // slots filled by the step
};
// Marks in `blocks` which blocks of one table a step reads (places below places.end) and writes
// (places from places.written_from on). table: physical blocks, [logical]. first_held: first
// logical block of the table that is still held.
BlocksUsed mark_blocks_used(const PlannedSequence::Places& places, std::span<const int32_t> table,
                            int64_t first_held, int64_t block_size, uint32_t step,
                            std::vector<BlockView>& blocks);

// The text of the tokens after the first `prompt_len`. If the text of all tokens begins with the
// text of the prompt, this is the rest of it. Otherwise these tokens are decoded alone.
std::string output_text(const Source& source, std::span<const int32_t> tokens, size_t prompt_len);

// The time between steps during which no request was waiting, running or swapped, in ns.
uint64_t idle_ns(std::span<const StepRecord> steps);

// Generated tokens per second over the last steps, without idle_ns().
double recent_tokens_per_s(const std::vector<StepRecord>& steps,
                           const std::vector<RequestView>& requests);

}  // namespace attn
