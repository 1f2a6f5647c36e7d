// SPDX-License-Identifier: GPL-3.0-or-later
// The places of a lesson (cell, token, block, ...) and what is selected and shown in the window.
// GUI thread; no Widgets.
#pragma once

#include <optional>

#include "engine/lesson/quantity/place.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

// Selects the place, or shows its head or request. Fields that the place leaves open are taken from
// what is shown.
void show_place(const lesson::Place& place, const EngineBridge& bridge, Selection& selection);

// The place of this kind that is selected or shown; nothing: there is none.
std::optional<lesson::Place> place_of_selection(lesson::PlaceKind kind, const Selection& selection,
                                                const TimeCursor& cursor);

// A field of a place that a person can give as a number, and the numbers that the run has.
struct PlaceField {
  int64_t lesson::Place::*field;
  const char* name;  // "query": to be translated in the context LessonPlaces
  int64_t most;      // the largest number; -1: the run has none
};
std::vector<PlaceField> fields_of(lesson::PlaceKind kind, const EngineSnapshot* snapshot,
                                  const Selection& selection);

}  // namespace attn::gui
