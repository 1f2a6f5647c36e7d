// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of parameters on which backends are compared: its axes, which of its points a backend
// can run, samples of points, and the attention call of a point. Not for several threads at once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/attention_case.h"

namespace attn::testing {

enum GridAxis : size_t {
  kTypeAxis,
  kPhaseAxis,
  kQueryLenAxis,
  kKvLenAxis,
  kBatchAxis,
  kAlibiAxis,
  kRatioAxis,
  kWindowAxis,
  kHeadSizeAxis,
  kExtendedAxis,
  kCacheAxis,
  kDTypeAxis,
  kSoftCapAxis,
  kSinksAxis,
  kBlockSizeAxis,
  kThreadsAxis,
  kKernelAxis,
  kRelativeBiasAxis,
  kGridAxes
};
// Value of the kv_len axis: as many keys as queries, so no context.
inline constexpr int64_t kKvAsQuery = -1;
// Value of the window axis: larger than the values of kv_len.
inline constexpr int64_t kBeyondKv = 1 << 20;
enum GridPhase : int64_t { kPrefillPhase, kChunkedPhase, kMixedPhase, kDecodePhase };

struct GridAxisValues {
  const char* name;
  std::vector<int64_t> values;  // numbers, or codes for values that are not numbers
};
const std::array<GridAxisValues, kGridAxes>& grid_axes();

// For each axis the index of one of its values; -1: not chosen yet.
using GridPoint = std::array<int, kGridAxes>;
int64_t grid_value(const GridPoint& point, GridAxis axis);  // the axis must be chosen

class CaseGrid {
 public:
  // budget: the largest estimated cost of a point, roughly in multiply-adds.
  CaseGrid(std::vector<const AttentionBackend*> backends, double budget);

  // Whether runs() holds for a point with the chosen values. If so, sets the other axes to values
  // with which it holds.
  bool complete(size_t backend, GridPoint& point);
  // Whether the backend can run the complete point, and the point is meaningful and within the
  // budget.
  bool runs(size_t backend, const GridPoint& point);

  // Points that cover, for each backend, the pairs of values of two axes with which it runs() some
  // point. The choice is greedy.
  std::vector<GridPoint> covering_points(uint64_t seed);
  // Random points. Point i can be run by backends()[i % backends().size()].
  std::vector<GridPoint> random_points(size_t count, uint64_t seed);

  size_t num_pairs() const { return num_pairs_; }
  // A number below num_pairs() for each pair of values of two axes.
  size_t pair_index(size_t axis, int value, size_t other_axis, int other_value) const;

  const std::vector<const AttentionBackend*>& backends() const { return backends_; }

 private:
  struct Rules {
    int64_t smallest_head = 1;  // the smallest of the axis that the backend accepts
    bool windowed = false;      // the backend has sliding windows, which make rows cheap
    std::map<uint64_t, bool> accepted;
  };
  bool possible(size_t backend, const GridPoint& point);
  bool accepts(size_t backend, const GridPoint& point);
  double least_cost(const Rules& rules, const GridPoint& point) const;
  GridPoint greedy_point(size_t backend, GridPoint point, const std::vector<bool>& open, Rng& rng);

  std::vector<const AttentionBackend*> backends_;
  std::vector<Rules> rules_;
  double budget_;
  size_t num_pairs_ = 0;
  std::array<std::array<size_t, kGridAxes>, kGridAxes> first_pair_{};
};

// The attention call of a point. The first sequence has the point's lengths; the others have random
// ones where the type and the phase of the point leave a choice.
CaseSpec grid_spec(const GridPoint& point, uint64_t seed);
std::string describe(const GridPoint& point);  // "type 0, phase 3, query_len 1, ..."

}  // namespace attn::testing
