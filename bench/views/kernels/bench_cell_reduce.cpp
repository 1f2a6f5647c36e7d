// SPDX-License-Identifier: GPL-3.0-or-later
// The largest magnitude of 8 Mi cells, and the addition of 8 Mi cells to sums, by functions of the
// heatmap.
#include "bench/views/view_bench.h"
#include "gui/views/attention/cell_reduce.h"

namespace attn::gui {
namespace {

constexpr int64_t kCells = 8 << 20;

bench::Work memory_work(double bytes, Limit limit) {
  bench::Work work;
  work.counter = "achieved_gbps";
  work.amount = 1e-9 * bytes;
  work.limit = limit;
  return work;
}

void find_largest(benchmark::State& state) {
  const std::vector<float> cells(kCells, -0.5f);
  bench::measure(
      state, [&] { benchmark::DoNotOptimize(largest_magnitude(cells.data(), kCells, 0)); },
      memory_work(4.0 * kCells, Limit::kRead));
}

void add_rows(benchmark::State& state) {
  const std::vector<float> cells(kCells, 0.5f);
  std::vector<double> sums(kCells);
  bench::measure(
      state,
      [&] {
        add_cells(cells.data(), kCells, sums.data());
        benchmark::DoNotOptimize(sums.data());
      },
      memory_work(20.0 * kCells, Limit::kCopy));
}

}  // namespace

void register_cell_reduce() {
  const std::string shape = "/N" + std::to_string(kCells) + "/T1";
  bench::add_row("view/cell_reduce/largest_magnitude" + shape, find_largest);
  bench::add_row("view/cell_reduce/add_cells" + shape, add_rows);
}

}  // namespace attn::gui
