// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of parameters that all backends are compared on, as data: its axes, which points of it
// mean something and are cheap enough, and a sample of points that covers every possible pair of
// values for every backend. Deterministic; one thread.
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
  kGridAxes
};
inline constexpr int64_t kKvAsQuery = -1;      // value of the kv_len axis: no context
inline constexpr int64_t kBeyondKv = 1 << 20;  // value of the window axis: sees every key
enum GridPhase : int64_t { kPrefillPhase, kChunkedPhase, kMixedPhase, kDecodePhase };

struct GridAxisValues {
  const char* name;
  std::vector<int64_t> values;  // numbers, or the index of an enumerator; cheap ones first
};
const std::array<GridAxisValues, kGridAxes>& grid_axes();

// One value per axis, as an index of its values; -1: open.
using GridPoint = std::array<int, kGridAxes>;
int64_t grid_value(const GridPoint& point, GridAxis axis);  // of an axis that is not open

class CaseGrid {
 public:
  // budget: what a point may cost, in multiply-adds of the reference and of making the operands.
  CaseGrid(std::vector<const AttentionBackend*> backends, double budget);

  // Whether the backend (an index) runs some point that has these values; open ones are then set
  // to those of such a point. An exact search.
  bool complete(size_t backend, GridPoint& point);
  // Whether the backend takes the whole point, and the point means something and is within budget.
  bool runs(size_t backend, const GridPoint& point);

  // Greedy: together these points cover, for every backend, every pair of values of two axes that
  // is possible there, in points that this backend runs.
  std::vector<GridPoint> covering_points(uint64_t seed);
  // Possible points at random: all values of an axis equally often, as far as they are possible.
  std::vector<GridPoint> random_points(size_t count, uint64_t seed);

  // Indices of pairs: a number below num_pairs() for each two values of two axes.
  size_t num_pairs() const { return num_pairs_; }
  size_t pair_index(size_t axis, int value, size_t other_axis, int other_value) const;

  const std::vector<const AttentionBackend*>& backends() const { return backends_; }

 private:
  struct Rules {
    int64_t smallest_head = 1;  // cheapest head size of the backend
    bool windowed = false;      // a window can make a row cheap
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

// The call of a point: the first sequence has the point's lengths, the others are short ones.
CaseSpec grid_spec(const GridPoint& point, uint64_t seed);
std::string describe(const GridPoint& point);  // "head_size 64, block_size 5, ..."

}  // namespace attn::testing
