// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsModel: the numbers behind the charts: one column per quantity with a value for each engine
// step, and the waiting times of the requests. No Widgets. No locking; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/models/run/token_times.h"

namespace attn::gui {

enum class StepValue : uint8_t {
  kPrefillRate,  // tokens of the step per second
  kDecodeRate,
  kWaiting,  // requests, after the step
  kRunning,
  kSwapped,
  kUsed,  // blocks, after the step
  kCached,
  kFree,
  kSwapUsed,
  kHitStep,    // hit share; NaN: no look-ups
  kHitSoFar,   // hit share so far
  kPreempted,  // requests, in the step
  kCopied,     // blocks, in the step
  kSwappedOut,
  kSwappedIn,
  kEvicted,
  kCount
};
inline constexpr size_t kStepValues = static_cast<size_t>(StepValue::kCount);

// A waiting time over the requests of a run, without samples and beams (requests with a parent).
struct Distribution {
  struct Entry {
    double ns = 0;
    uint32_t request = 0;
    bool ended = false;  // the value is final
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;  // sorted by ns, then request
  size_t requests = 0;         // requests without a parent
  bool operator==(const Distribution&) const = default;
  // The smallest entry for which at least this share (0, 1] of the entries are no larger (nearest
  // rank). NaN without entries.
  double percentile(double share) const;
};
Distribution ttft_of(const EngineSnapshot& snapshot);
// Time per output token after the first; of a request that has not ended: so far.
Distribution tpot_of(const EngineSnapshot& snapshot);

// Bins of one width: 1, 2 or 5 × 10^n ns. The first begins at a multiple of the width. A value on
// an edge belongs to the bin above.
struct Histogram {
  double begin = 0, width = 0;
  std::vector<int64_t> counts;
  double edge(size_t bin) const { return begin + width * static_cast<double>(bin); }
};
Histogram histogram_of(const Distribution& distribution, int max_bins);

struct MetricsPoint {
  double x = 0, y = 0;
  bool operator==(const MetricsPoint&) const = default;
};
// The points of y over x in [x_begin, x_end] that are needed to draw them `columns` pixels wide:
// the lowest and the highest of each pixel column, and the nearest one outside on either side. x
// must not fall. NaN values are left out.
std::vector<MetricsPoint> decimate(const std::vector<double>& x, const std::vector<double>& y,
                                   double x_begin, double x_end, int columns);

class MetricsModel {
 public:
  // The snapshot may be newer or older, or of another run. Null clears the model.
  void update(const std::shared_ptr<const EngineSnapshot>& snapshot);
  void clear();

  bool empty() const { return ends_ns_.empty(); }
  size_t size() const { return ends_ns_.size(); }  // number of steps
  const std::shared_ptr<const EngineSnapshot>& snapshot() const { return snapshot_; }
  const StepRecord& record(size_t index) const { return (*snapshot_->steps)[index]; }
  const std::vector<double>& column(StepValue value) const {
    return columns_[static_cast<size_t>(value)];
  }
  double value(StepValue value, size_t index) const { return column(value)[index]; }
  const std::vector<double>& step_numbers() const { return numbers_; }
  const std::vector<double>& ends_ns() const { return ends_ns_; }  // since the run began
  // The index of the step whose number is nearest; 0 when empty.
  size_t index_of_step(uint32_t step) const;
  // The largest value of a column in [first, last]; at least 0.
  double largest(StepValue value, size_t first, size_t last) const;
  const TokenTimes& token_times() const { return token_times_; }
  const Distribution& ttft() const { return ttft_; }
  const Distribution& tpot() const { return tpot_; }
  bool has_swap_pool() const { return snapshot_ && !snapshot_->swap_blocks.empty(); }
  bool modelled() const { return snapshot_ && snapshot_->modelled_time; }
  bool running() const {
    return snapshot_ && !snapshot_->restored &&
           (snapshot_->phase == EnginePhase::kRunning || snapshot_->phase == EnginePhase::kPaused);
  }
  bool slowed() const { return snapshot_ && snapshot_->slowed_or_paused; }

  // One row per step. The times of a request without a parent stand in the row of the step that
  // gave its first token (ttft_ns) or that ended it (tpot_ns). Several times in a cell are
  // separated by spaces.
  std::string csv() const;

 private:
  void append(const StepRecord& record);
  void truncate(size_t steps);  // keeps the first `steps` steps

  std::shared_ptr<const EngineSnapshot> snapshot_;
  std::array<std::vector<double>, kStepValues> columns_;
  std::vector<double> numbers_, ends_ns_;
  std::vector<int64_t> queried_, hit_;  // tokens so far
  Distribution ttft_, tpot_;
  TokenTimes token_times_;
};

}  // namespace attn::gui
