// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/row_cut.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <vector>

namespace attn::gui {

namespace {

// The code of a kAtLeast is this number plus the bits of its threshold.
constexpr int64_t kThresholds = int64_t{1} << 32;

struct Cell {
  float size;
  int64_t key;
};

}  // namespace

int64_t Keep::code() const {
  switch (kind) {
    case Kind::kAll:
      return 0;
    case Kind::kShare:
      return percent;
    case Kind::kAtLeast:
      return kThresholds + std::bit_cast<uint32_t>(least);
  }
  return 0;
}

Keep Keep::from_code(int64_t code) {
  if (code <= 0) return {};
  if (code < kThresholds) return code < 100 ? share(static_cast<int>(code)) : Keep{};
  const auto least = std::bit_cast<float>(static_cast<uint32_t>(code - kThresholds));
  return least > 0 && least <= 1 ? at_least(least) : Keep{};
}

std::optional<Keep> keep_from_word(std::string_view word) {
  const auto read = [&word](auto& value) {
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    return problem == std::errc{} && end == word.data() + word.size();
  };
  if (word.ends_with('%')) {
    word.remove_suffix(1);
    int percent = 0;
    if (!read(percent) || percent < 1 || percent > 99) return std::nullopt;
    return Keep::share(percent);
  }
  float least = 0;
  if (!read(least) || !(least > 0 && least <= 1)) return std::nullopt;
  return Keep::at_least(least);
}

RowCut cut_row(std::span<const float> row, const Keep& keep, int64_t seen) {
  RowCut cut;
  // A NaN is not less than any number, so it is kept.
  if (keep.kind == Keep::Kind::kAtLeast) {
    cut.least = keep.least;
    cut.kept =
        std::ranges::count_if(row, [&](float value) { return !(std::abs(value) < keep.least); });
    return cut;
  }
  if (keep.kind == Keep::Kind::kAll ||
      std::ranges::any_of(row, [](float value) { return std::isnan(value); })) {
    cut.kept = seen;
    return cut;
  }
  std::vector<Cell> cells;
  for (int64_t key = 0; key < std::ssize(row); ++key)
    if (const float size = std::abs(row[static_cast<size_t>(key)]); size > 0)
      cells.push_back({size, key});
  std::ranges::sort(cells, [](const Cell& a, const Cell& b) {
    return a.size != b.size ? a.size > b.size : a.key < b.key;
  });
  double total = 0, so_far = 0;
  for (const Cell& cell : cells) total += static_cast<double>(cell.size);
  const double wanted = total * keep.percent / 100;
  cut.least = std::numeric_limits<float>::infinity();
  for (const Cell& cell : cells) {
    if (so_far >= wanted) break;
    so_far += static_cast<double>(cell.size);
    cut.least = cell.size;
    cut.last = cell.key;
    ++cut.kept;
  }
  return cut;
}

}  // namespace attn::gui
