// SPDX-License-Identifier: GPL-3.0-or-later
// Keep: which cells of a row are kept (not hidden): all, the largest ones that together make up a
// share of the row's sum, or those of at least a given magnitude. Magnitudes are used because
// differences may be negative.
//   share  cells are ordered by falling magnitude, equal ones by rising key; the fewest cells from
//          the front are kept whose magnitudes add up to at least percent / 100 of the sum of all.
//          Both sums are computed in double precision in this order.
// RowCut: the cells that a Keep selects in one row. Any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace attn::gui {

struct Keep {
  enum class Kind : uint8_t { kAll, kShare, kAtLeast };
  Kind kind = Kind::kAll;
  int percent = 100;  // kShare, 1..99
  float least = 0;    // kAtLeast, > 0
  bool operator==(const Keep&) const = default;

  static Keep share(int percent) { return {Kind::kShare, percent, 0}; }
  static Keep at_least(float least) { return {Kind::kAtLeast, 100, least}; }
  // Encodes a Keep as one number, and back. An invalid code gives a Keep of all cells.
  int64_t code() const;
  static Keep from_code(int64_t code);
};

inline const Keep kKeeps[] = {Keep{},
                              Keep::share(99),
                              Keep::share(95),
                              Keep::share(90),
                              Keep::share(80),
                              Keep::share(50),
                              Keep::at_least(0.001f),
                              Keep::at_least(0.01f),
                              Keep::at_least(0.05f),
                              Keep::at_least(0.1f)};
// The notation of the command line: "80%" (1 to 99), "0.01" (above 0, at most 1).
std::optional<Keep> keep_from_word(std::string_view word);

struct RowCut {
  float least = 0;  // cells of a larger magnitude are kept
  // Cells whose magnitude is exactly `least` are kept up to this key.
  int64_t last = std::numeric_limits<int64_t>::max();
  int64_t kept = 0;  // number of cells kept, without masked ones
  bool keeps(float value, int64_t key) const {
    const float size = value < 0 ? -value : value;
    return !(size < least) && (size != least || key <= last);  // a NaN is never hidden
  }
};

// row: values of keys 0, 1, ...; masked ones are 0. seen: how many are not masked. Of a row with a
// NaN, all of these are kept for any share.
RowCut cut_row(std::span<const float> row, const Keep& keep, int64_t seen);

}  // namespace attn::gui
