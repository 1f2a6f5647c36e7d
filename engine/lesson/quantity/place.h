// SPDX-License-Identifier: GPL-3.0-or-later
// Place: the cell, row, token, block, head, request or step of a run that a view can ring. Plain
// data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn::lesson {

enum class PlaceKind {
  kCell,   // request, layer, head, query, key
  kRow,    // request, layer, head, query
  kToken,  // request, token: a position in its own sequence
  // block: a physical block; step: the step after which views show what a quantity says of it; 0:
  // there is no such step
  kBlock,
  kHead,     // request, layer, head
  kRequest,  // request
  kStep,     // step
};
std::string_view name_of(PlaceKind kind);  // "cell", "row", ...
std::optional<PlaceKind> place_kind_named(std::string_view name);

// Fields that a place of this kind does not use are -1; `step` may also say when to show it.
struct Place {
  PlaceKind kind = PlaceKind::kCell;
  int64_t request = -1, layer = -1, head = -1, query = -1, key = -1;
  int64_t token = -1, block = -1, step = -1;
  bool operator==(const Place&) const = default;
};

// Whether views can show the place. They cannot show a block that a request got and gave back in
// one step.
inline bool can_be_shown(const Place& place) {
  return place.kind != PlaceKind::kBlock || place.step != 0;
}

// The place in words: "layer 4, head 2, query 7, key 0", "block 12". with_request: also names the
// request of a cell, row, token or head.
std::string to_string(const Place& place, bool with_request = false,
                      std::string_view language = "en");
// Whether a click on `clicked` means `target`. A cell counts as its row, a cell or row as its head.
// The step of a block does not matter.
bool is_at(const Place& clicked, const Place& target);

}  // namespace attn::lesson
