// SPDX-License-Identifier: GPL-3.0-or-later
// Place: the cell, token, block, head, request or step of a run that a view can ring, and that a
// learner can click. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn::lesson {

enum class PlaceKind {
  kCell,     // request, layer, head, query, key: of the heatmap, a line of Lines
  kRow,      // request, layer, head, query: a row of the heatmap
  kToken,    // request, token: a position in its own sequence
  kBlock,    // block: a physical block; step: the step after which it is looked at
  kHead,     // request, layer, head
  kRequest,  // request
  kStep,     // step: its span in the Timeline
};
std::string_view name_of(PlaceKind kind);  // "cell", "row", ...
std::optional<PlaceKind> place_kind_named(std::string_view name);

// A place of a run. A field that a place of this kind does not use is -1.
struct Place {
  PlaceKind kind = PlaceKind::kCell;
  int64_t request = -1, layer = -1, head = -1, query = -1, key = -1;
  int64_t token = -1, block = -1, step = -1;
  bool operator==(const Place&) const = default;
};

// The place in words: "layer 4, head 2, query 7, key 0", "block 12". with_request: the request of a
// cell, row, token or head is named, too.
std::string to_string(const Place& place, bool with_request = false,
                      std::string_view language = "en");
// Whether a click on `clicked` means `target`: the fields that say what it is are equal. A cell
// counts as its row, a cell or row as its head; the step of a block does not matter.
bool is_at(const Place& clicked, const Place& target);

}  // namespace attn::lesson
