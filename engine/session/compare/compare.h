// SPDX-License-Identifier: GPL-3.0-or-later
// Compare: the same work by two to four backends. One run of a scenario makes queries, keys and
// values. At a compared attention call the backends get the same operands and metadata, and their
// outputs are compared with the baseline's. Only the baseline's output goes on into the model, so
// differences do not add up over layers.
//
// The run may be repeated to measure it. A time is the median of the repetitions, with the least
// and the most. The thread that calls run_compare() is the engine thread of that run; a finished
// result is plain data for any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/session/run/snapshot.h"
#include "engine/session/scenario/scenario.h"
#include "engine/trace/event.h"
#include "engine/trace/run_gate.h"

namespace attn {

inline constexpr size_t kMinCompared = 2, kMaxCompared = 4;  // backends
// The number of repetitions in the window, and the default of `compare` on the command line.
inline constexpr int64_t kRepetitions = 5;

// A backend. A name with a part after "/", such as "unified/fast", also sets the value of one of
// its options.
struct ComparedBackend {
  const AttentionBackend* backend = nullptr;
  std::optional<BackendOption> option;
  std::string value;                 // of the option
  std::string name() const;          // "unified/fast"
  std::string display_name() const;  // "UNIFIED fast"
};
// Throws Error(kBadInput) for a backend or a value that does not exist. Any thread.
ComparedBackend compared_backend(std::string_view name);
// The backends, then each of them with each value of its options about kernels.
std::vector<ComparedBackend> all_compared_backends();

// What to compare. A backend that is named without a value of its option gets the scenario's value.
// No backend may be named twice with the same value.
struct CompareSpec {
  Scenario scenario;                  // its backend does not decide what is compared
  std::vector<std::string> backends;  // names as above, kMinCompared .. kMaxCompared
  bool against_reference = false;     // baseline; false: the first backend that can run
  int64_t layer = -1;                 // -1: all
  int64_t max_steps = 0;              // 0: to the end
  // The most bytes of operands kept for maps and differences of weights, all columns together.
  int64_t keep_bytes = 256 << 20;
  // At least 1. Modelled times are taken once.
  int64_t repetitions = 1;
  // A further repetition begins only if it will probably end within this time from the beginning.
  double repeat_within_s = 10;
};

// The place of a difference. d = -1: a log-sum-exp. Positions are absolute in the sequence.
struct ComparePlace {
  uint32_t step = 0, request = 0;
  int64_t layer = -1, head = -1, query = -1, d = -1;
  float value = 0, baseline = 0;
};

struct Difference {
  int64_t compared = 0;  // elements
  int64_t unequal = 0;   // compared elements with different bits; two NaN count as equal
  int64_t outside = 0;   // compared elements beyond the tolerance; NaN always counts
  int64_t nan = 0;       // NaN on either side
  // Largest |value - baseline|; infinity where either is NaN, or they differ and one is infinite.
  double max_abs = 0;
  // Largest |value - baseline| / scale; infinity also where either is NaN. The scale is the largest
  // finite |baseline| of the row and head, for a log-sum-exp max(1, |baseline|).
  double max_rel = 0;
  ComparePlace abs_at, rel_at;
};

// The largest difference of the attention weights, over all requests, layers and heads whose
// operands are kept. Weights are those of weight_differences().
struct WeightDifference {
  std::string why;     // why it was not computed, a sentence; empty: it was
  double max_abs = 0;  // infinity where one side is NaN
  ComparePlace at;     // without step and d; layer -1: no weight differs
  int64_t key = -1;    // position of the key
};

// A time over the repetitions: the median, the least and the most. With an even number of them the
// median is the mean of the two in the middle.
struct RepeatedTime {
  uint64_t ns = 0, least_ns = 0, most_ns = 0;
};
RepeatedTime repeated_time(std::vector<uint64_t> times_ns);  // at least one

struct KernelCost {
  KernelId kernel = {};
  int64_t calls = 0;  // of the first repetition
  RepeatedTime time;
};

struct CompareColumn {
  std::string name, display_name;
  bool is_baseline = false;
  // Why the backend refused, one sentence each; empty: it did not. refused_at: the step that it
  // refused; 0: none, or before the first step.
  std::vector<std::string> refusals;
  uint32_t refused_at = 0;
  std::vector<std::string> warnings;
  LayerRules rules;
  Difference out, lse;              // nothing is compared for the baseline
  WeightDifference weights;         // of a column that ran and is not the baseline
  std::vector<KernelCost> kernels;  // in order of first use
  RepeatedTime total;               // all its compared attention calls
  // The time of its compared attention calls outside of kernels.
  RepeatedTime outside_kernels;
  int64_t calls = 0;  // compared attention calls that it computed
  int64_t tiles = 0;  // tiles of attention kernels
  double pairs = 0;   // (query, key) pairs that its tiles cover, over all heads
  int64_t page_fetches = 0, pages = 0, splits = 0;
  int64_t padding_rows = 0;  // query rows computed past the end of a sequence, counted in one layer
  int64_t cache_bytes = 0;   // all layers
  // The device that its backend models ("TPU v4"), and the modelled time of its compared calls
  // there. Empty: it models none, or was not begun. 0 also if it computed no such call.
  std::string modelled_device;
  double modelled_device_ns = 0;
  int64_t workspace_bytes = 0;  // aligned memory its backend keeps between calls, without the cache
  bool ran() const { return calls > 0; }
};

// A sequence of the run.
struct CompareRequest {
  uint32_t id = 0;
  std::string name;
  std::vector<SharedText> tokens;          // labels
  std::vector<SharedText> encoder_tokens;  // labels; may be empty
  int64_t rows = 0;                        // query positions computed
  bool kept = false;                       // its operands are kept for the maps
  std::string ignored_reason;              // why the engine ignored it; empty: it did not
};

struct CompareOperands;  // kept for the maps (compare_operands.h)

struct CompareResult {
  std::string title, source;
  SourceShape shape;
  int64_t layer = -1;  // CompareSpec::layer
  int64_t block_size = 0;
  std::string dtype;               // element type of the cache
  std::string attention;           // type and options: "decoder, soft cap 30"
  std::vector<std::string> notes;  // sentences for the user
  double tolerance_abs = 0,
         tolerance_rel = 0;            // of outputs: |value - baseline| <= abs + rel * |baseline|
  std::string baseline;                // display name; empty: there is none
  std::vector<CompareColumn> columns;  // in the order of CompareSpec::backends
  std::vector<CompareRequest> requests;
  uint32_t steps = 0;
  int64_t tokens = 0;  // rows of all steps
  // Visible (query, key) pairs of the compared calls, over all heads.
  double needed_pairs = 0;
  bool modelled_time = false;
  int64_t repetitions = 0, wanted_repetitions = 0;  // measured; wanted
  bool cancelled = false;
  std::string ended_early;  // the baseline's refusal of a step; empty: none
  std::shared_ptr<const CompareOperands> operands;
};

std::vector<std::string> modelled_devices(const CompareResult& result);

// The default choice: backends that can run the scenario, in the order of the registry, up to
// kMaxCompared. If fewer than kMinCompared can, others are added. Any thread.
std::vector<std::string> default_backends(const Scenario& scenario, const SourceShape& shape);

// Gets a fraction in [0, 1] and what is being done. Called on the thread of the comparison.
using CompareProgress = std::function<void(double fraction, const std::string& what)>;

// Throws Error(kBadInput) for backends or a layer that do not exist, for a wrong number of backends
// and for one named twice, and what load_source() and Engine throw. gate: can cancel it; may be
// null. A comparison that is cancelled in its steps has `cancelled` set, the numbers so far and no
// CompareColumn::weights.
CompareResult run_compare(const CompareSpec& spec, RunGate* gate = nullptr,
                          const CompareProgress& progress = {});

// A map of differences, row-major. If there is none, `values` is empty, and `why` may give the
// reason.
struct DifferenceMap {
  enum class Kind { kWeights, kOutputs };
  Kind kind = Kind::kWeights;
  // kWeights: query rows x keys, weight - weight of the baseline, 0 in cells that both mask.
  // kOutputs: query rows x heads, the largest |output - output of the baseline| over the elements
  // of the head. Infinite where only one side is NaN.
  int64_t rows = 0, columns = 0;
  std::vector<float> values;
  float max_abs = 0;
  int64_t max_row = -1, max_column = -1;
  WeightRule rule;     // kWeights: the column's rule, by which its cells are masked
  int64_t head = 0;    // kWeights: the query head
  bool cross = false;  // kWeights: cross attention, so the keys are an encoder's
  std::string why;

  bool masked(int64_t row, int64_t column) const {
    return kind == Kind::kWeights && !rule.sees(head, row, column);
  }
};
// Weights are recomputed from the kept queries and from the column's own keys and log-sum-exps. Any
// thread.
DifferenceMap weight_differences(const CompareResult& result, size_t column, size_t request,
                                 int64_t layer, int64_t head);
DifferenceMap output_differences(const CompareResult& result, size_t column, size_t request,
                                 int64_t layer);
// The result has a `why` if no operands are kept, if it would take more than kMostWeightProducts
// multiplications, or if `gate` (may be null) was cancelled. Any thread.
inline constexpr double kMostWeightProducts = 4e9;
WeightDifference largest_weight_difference(const CompareResult& result, size_t column,
                                           const RunGate* gate = nullptr);

// CSV with lines for the quantities, refusals and warnings of each column.
std::string compare_csv(const CompareResult& result);
// How the times were measured, as text; empty: there is no baseline.
std::string times_text(const CompareResult& result);
// The place as text: "Lily, layer 2, head 3, row 17, d 5", with the name of the request. Empty:
// there is no place.
std::string place_text(const CompareResult& result, const ComparePlace& place);

}  // namespace attn
