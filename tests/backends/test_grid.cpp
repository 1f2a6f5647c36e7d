// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the registered backends with `reference` and with each other on a sample of the grid
// (case_grid.h): points that cover pairs of values, and random points; with ATTN_GRID_SLOW, instead
// of these, 9,000 random points. With a sanitizer every eighth point is run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <set>

#include "backends/register_all.h"
#include "tests/backends/case_grid.h"

namespace attn::testing {
namespace {

#ifdef ATTN_GRID_SLOW
constexpr double kBudget = 4e8;
constexpr int kShards = 61;  // a prime: all shards get points of each backend
constexpr size_t kPoints = 9'000;
#else
constexpr double kBudget = 9e7;
constexpr int kShards = 6;
#endif
#ifdef ATTN_SANITIZED
constexpr size_t kStride = 8;
#else
constexpr size_t kStride = 1;
#endif

struct Tally {
  int64_t runs = 0, refused = 0;
  double worst_out = 0, worst_lse = 0;  // largest part_of_bound() of the runs
  std::string worst_case;
};
struct Report {
  int64_t cases = 0;
  std::map<std::string, Tally> backends;
  std::map<std::string, int64_t> sentences;
};

// The largest quotient of the difference of two elements and its bound; infinity if a difference is
// not finite. Equal elements and two NaNs have no difference.
double part_of_bound(const Tensor& found, const Tensor& expected, Tolerance tolerance) {
  const Tensor x = convert(found, DType::kF64), y = convert(expected, DType::kF64);
  double worst = 0;
  for (int64_t i = 0; i < x.size(); ++i) {
    const double a = x.data<double>()[i], b = y.data<double>()[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double difference = std::abs(a - b);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference / (tolerance.absolute + tolerance.relative * std::abs(b)));
  }
  return worst;
}

// Replaces each run of digits that is not part of a word by N, so that sentences that differ only
// in such digits are counted together.
std::string kind_of(const std::string& sentence) {
  std::string kind;
  bool in_number = false, in_word = false;
  for (const char c : sentence) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    in_word = letter || (in_word && digit);
    if (digit && !in_word) {
      if (!in_number) kind += 'N';
      in_number = true;
      continue;
    }
    in_number = false;
    kind += c;
  }
  return kind;
}

class Grid : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() {
    register_all_backends();
    AlignedBuffer::guard_allocations(true);
    grid_ = std::make_unique<CaseGrid>(registered_backends(), kBudget);
#ifdef ATTN_GRID_SLOW
    points_ = grid_->random_points(kPoints, 7);
#else
    points_ = grid_->covering_points(7);
    for (const GridPoint& point :
         CaseGrid(registered_backends(), kBudget / 16).random_points(300, 8))
      points_.push_back(point);
#endif
  }
  static void TearDownTestSuite() {
    AlignedBuffer::guard_allocations(false);
    std::cout << fmt::format("grid: {} points, {} cases run\n", points_.size(), report_.cases);
    for (const auto& [name, tally] : report_.backends)
      std::cout << fmt::format(
          "  {}: {} runs, {} refused, worst output {:.3f} and lse {:.3f} of the bound{}\n", name,
          tally.runs, tally.refused, tally.worst_out, tally.worst_lse,
          tally.worst_case.empty() ? "" : " in " + tally.worst_case);
    for (const auto& [sentence, count] : report_.sentences)
      std::cout << fmt::format("  {:6} x {}\n", count, sentence);
    grid_.reset();
  }

  static std::vector<std::string> reasons(const AttentionBackend& backend, const AttentionCase& c) {
    std::vector<std::string> all = backend.not_supported_reasons(c.spec.config);
    for (std::string& reason : batch_not_supported_reasons(backend, c.spec.config, c.metadata))
      all.push_back(std::move(reason));
    const auto dtypes = backend.capabilities().dtypes;
    if (std::ranges::find(dtypes, c.spec.dtype) == dtypes.end())
      all.push_back(fmt::format("{} lists no {} among its capabilities.", backend.display_name(),
                                name_of(c.spec.dtype)));
    return all;
  }

  static void run_point(const GridPoint& point, uint64_t seed);
  static void run_backend(const AttentionBackend& backend, const AttentionCase& c, int threads,
                          const RunResult& expected, std::vector<RunResult>& others);
  static void run_fast(const AttentionBackend& backend, const AttentionCase& c, int threads,
                       const RunResult& expected);
  static void expect_agreement(const AttentionCase& c, const RunResult& found,
                               const RunResult& expected);
  static int64_t longest_kv(const AttentionCase& c) {
    int64_t longest = 0;
    for (const CaseSequence& s : c.spec.sequences)
      longest = std::max({longest, s.context_len + s.query_len, s.encoder_len});
    return longest;
  }

  static std::unique_ptr<CaseGrid> grid_;
  static std::vector<GridPoint> points_;
  static std::string point_;
  static Report report_;
};
std::unique_ptr<CaseGrid> Grid::grid_;
std::vector<GridPoint> Grid::points_;
std::string Grid::point_;
Report Grid::report_;

void Grid::expect_agreement(const AttentionCase& c, const RunResult& found,
                            const RunResult& expected) {
  EXPECT_EQ(compare(found.out, expected.out, tolerance_for(c.spec.dtype, longest_kv(c))), "");
  EXPECT_EQ(compare(found.lse, expected.lse, {1e-5, 1e-5}), "");
}

void Grid::run_backend(const AttentionBackend& backend, const AttentionCase& c, int threads,
                       const RunResult& expected, std::vector<RunResult>& others) {
  RunResult found = run_case(c, backend, {.threads = threads});
  expect_agreement(c, found, expected);
  for (const RunResult& other : others) expect_agreement(c, found, other);
  const RunResult again = run_case(c, backend, {.threads = threads});
  EXPECT_TRUE(bits_equal(found.out, again.out) && bits_equal(found.lse, again.lse)) << "rerun";
  if (threads != 1) {
    const RunResult alone = run_case(c, backend);
    EXPECT_TRUE(bits_equal(found.out, alone.out) && bits_equal(found.lse, alone.lse))
        << threads << " threads and 1";
  }
  Tally& tally = report_.backends[std::string(backend.name())];
  ++tally.runs;
  const double out =
      part_of_bound(found.out, expected.out, tolerance_for(c.spec.dtype, longest_kv(c)));
  if (out > tally.worst_out) tally.worst_case = point_;
  tally.worst_out = std::max(tally.worst_out, out);
  tally.worst_lse = std::max(tally.worst_lse, part_of_bound(found.lse, expected.lse, {1e-5, 1e-5}));
  others.push_back(std::move(found));
}

// Runs the case with exactness fast if the backend is unified and this may be computed in another
// way: with bf16 operands and a bf16 cache, or if a decode may be cut.
void Grid::run_fast(const AttentionBackend& backend, const AttentionCase& c, int threads,
                    const RunResult& expected) {
  const bool bf16 =
      c.spec.dtype == DType::kBF16 && c.spec.cache_dtype.value_or(DType::kBF16) == DType::kBF16;
  const bool may_be_cut = c.metadata.decode_metadata() && longest_kv(c) > 256 && threads > 1;
  if (backend.name() != "unified" || !(bf16 || may_be_cut)) return;
  SCOPED_TRACE("fast");
  const RunOptions options{.threads = threads, .backend_options = {{"exactness", "fast"}}};
  const RunResult found = run_case(c, backend, options);
  expect_agreement(c, found, expected);
  const RunResult again = run_case(c, backend, options);
  EXPECT_TRUE(bits_equal(found.out, again.out) && bits_equal(found.lse, again.lse)) << "rerun";
  Tally& tally = report_.backends["unified, fast"];
  ++tally.runs;
  const double out =
      part_of_bound(found.out, expected.out, tolerance_for(c.spec.dtype, longest_kv(c)));
  if (out > tally.worst_out) tally.worst_case = point_;
  tally.worst_out = std::max(tally.worst_out, out);
  tally.worst_lse = std::max(tally.worst_lse, part_of_bound(found.lse, expected.lse, {1e-5, 1e-5}));
}

void Grid::run_point(const GridPoint& point, uint64_t seed) {
  point_ = describe(point);
  SCOPED_TRACE(point_);
  const CaseSpec spec = grid_spec(point, seed);
  SCOPED_TRACE(describe(spec));
  const AttentionCase c = make_case(spec);
  const AttentionBackend& reference = backend_named("reference");
  const RunResult definition = run_case(c, reference);
  ++report_.backends["reference"].runs;
  ++report_.cases;
  std::vector<RunResult> others;
  for (size_t i = 0; i < grid_->backends().size(); ++i) {
    const AttentionBackend& backend = *grid_->backends()[i];
    SCOPED_TRACE(backend.name());
    const std::vector<std::string> why = reasons(backend, c);
    EXPECT_EQ(why.empty(), grid_->runs(i, point)) << (why.empty() ? "" : why.front());
    if (!why.empty()) {
      ++report_.backends[std::string(backend.name())].refused;
      for (const std::string& sentence : why) ++report_.sentences[kind_of(sentence)];
      continue;
    }
    if (&backend == &reference) continue;
    const auto threads = static_cast<int>(grid_value(point, kThreadsAxis));
    const std::vector<std::string> warnings = backend.make_impl(spec.config)->warnings();
    for (const std::string& warning : warnings) ++report_.sentences["warns: " + kind_of(warning)];
    if (has_own_masks(spec.config, backend) && !spec.config.logits_soft_cap) {
      std::vector<RunResult> alone;  // no other results: other backends may have other masks
      run_backend(backend, c, threads, reference_of(c, backend), alone);
      continue;
    }
    if (warnings.empty() || !spec.config.logits_soft_cap) {
      run_backend(backend, c, threads, definition, others);
      run_fast(backend, c, threads, definition);
      continue;
    }
    // The backend ignores the cap, so its numbers must be those without one.
    AttentionCase uncapped = make_case(spec);
    uncapped.spec.config.logits_soft_cap.reset();
    const RunResult without = reference_of(uncapped, backend);
    std::vector<RunResult> alone;
    run_backend(backend, c, threads, without, alone);
  }
}

TEST_P(Grid, AllBackendsAgree) {
  for (size_t i = static_cast<size_t>(GetParam()) * kStride; i < points_.size();
       i += kShards * kStride) {
    run_point(points_[i], i + 1);
    if (HasFailure()) return;
  }
}

#ifdef ATTN_GRID_SLOW
INSTANTIATE_TEST_SUITE_P(Random, Grid, ::testing::Range(0, kShards));
#else
INSTANTIATE_TEST_SUITE_P(Pairs, Grid, ::testing::Range(0, kShards));

TEST_F(Grid, EveryPossiblePairIsRunByEveryBackend) {
  EXPECT_LE(points_.size(), 2000u);
  for (size_t backend = 0; backend < grid_->backends().size(); ++backend) {
    std::vector<bool> covered(grid_->num_pairs());
    for (const GridPoint& point : points_) {
      if (!grid_->runs(backend, point)) continue;
      for (size_t a = 0; a < kGridAxes; ++a)
        for (size_t b = a + 1; b < kGridAxes; ++b)
          covered[grid_->pair_index(a, point[a], b, point[b])] = true;
    }
    int64_t possible = 0, uncovered = 0;
    for (size_t a = 0; a < kGridAxes; ++a)
      for (size_t b = a + 1; b < kGridAxes; ++b)
        for (int i = 0; i < static_cast<int>(grid_axes()[a].values.size()); ++i)
          for (int j = 0; j < static_cast<int>(grid_axes()[b].values.size()); ++j) {
            GridPoint pair;
            pair.fill(-1);
            pair[a] = i;
            pair[b] = j;
            GridPoint whole = pair;
            if (!grid_->complete(backend, whole)) continue;
            ++possible;
            if (covered[grid_->pair_index(a, i, b, j)]) continue;
            if (++uncovered <= 5) ADD_FAILURE() << "not covered: " << describe(pair);
          }
    std::cout << fmt::format("  {}: {} of {} pairs possible, {} not covered\n",
                             grid_->backends()[backend]->name(), possible, grid_->num_pairs(),
                             uncovered);
    EXPECT_EQ(uncovered, 0) << grid_->backends()[backend]->name();
    EXPECT_GT(possible, 0) << grid_->backends()[backend]->name();
  }
}

TEST_F(Grid, LongLengthsAreInTheSample) {
  for (const AttentionBackend* backend : grid_->backends()) {
    if (backend->name() == "pallas") continue;
    const auto index = static_cast<size_t>(std::ranges::find(grid_->backends(), backend) -
                                           grid_->backends().begin());
    std::set<int64_t> queries, keys;
    for (const GridPoint& point : points_) {
      if (!grid_->runs(index, point)) continue;
      queries.insert(grid_value(point, kQueryLenAxis));
      keys.insert(grid_value(point, kKvLenAxis));
    }
    EXPECT_TRUE(queries.contains(2345)) << backend->name();
    for (const int64_t length : {5131, 8192, 16384})
      EXPECT_TRUE(keys.contains(length)) << backend->name() << " " << length;
  }
}
#endif

}  // namespace
}  // namespace attn::testing
