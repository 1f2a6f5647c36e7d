// SPDX-License-Identifier: GPL-3.0-or-later
// Keep: which cells of a row are kept (not hidden): all cells, the largest cells that together make
// up a share of the row, or the cells of at least a given magnitude. Magnitudes are used because
// differences of weights may be negative.
//   share  The cells are ordered by falling magnitude, cells of equal magnitude by rising key. As
//          few cells as possible are kept from the front, so that their magnitudes add up to at
//          least percent / 100 of the sum of all magnitudes. Both sums are computed in double
//          precision in this order.
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
  // code() encodes a Keep as one number, and from_code() decodes it. An invalid code gives a Keep
  // of all cells.
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
// Reads the notation of the command line: a share such as "80%" (1 to 99), or a magnitude such as
// "0.01" (above 0, at most 1). nullopt: `word` is neither.
std::optional<Keep> keep_from_word(std::string_view word);

struct RowCut {
  float least = 0;  // cells of a larger magnitude are kept
  // Cells whose magnitude is exactly `least` are kept up to this key.
  int64_t last = std::numeric_limits<int64_t>::max();
  int64_t kept = 0;  // number of cells kept; masked cells are not counted
  bool keeps(float value, int64_t key) const {
    const float size = value < 0 ? -value : value;
    return !(size < least) && (size != least || key <= last);  // a NaN is never hidden
  }
};

// row: the cells of keys 0, 1, ...; masked cells are 0. seen: the number of cells that are not
// masked. In a row with a NaN, every share keeps all cells.
RowCut cut_row(std::span<const float> row, const Keep& keep, int64_t seen);

}  // namespace attn::gui
