// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between the places of a lesson (cell, token, block, ...) and the selection of the
// window, and lists the numbers that name a place. GUI thread; no Widgets.
#pragma once

#include <optional>

#include "engine/lesson/quantity/place.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

// Selects the place; a head or a request is not selected but shown. A request, layer or head that
// the place leaves open (-1) is the one that is shown.
void show_place(const lesson::Place& place, const EngineBridge& bridge, Selection& selection);

// The place of this kind that is selected or, for a head, a request or a step, shown. nullopt:
// there is none.
std::optional<lesson::Place> place_of_selection(lesson::PlaceKind kind, const Selection& selection,
                                                const TimeCursor& cursor);

struct PlaceField {
  int64_t lesson::Place::*field;
  const char* name;  // such as "query"; translated in the context LessonPlaces
  int64_t most;      // the largest number
};
std::vector<PlaceField> fields_of(lesson::PlaceKind kind, const EngineSnapshot* snapshot,
                                  const Selection& selection);

}  // namespace attn::gui
