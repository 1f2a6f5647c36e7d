// SPDX-License-Identifier: GPL-3.0-or-later
// The values of an event's facts as texts, for tables. Any thread; in the language of the program.
// No Widgets.
#pragma once

#include <QString>

#include "engine/session/run/snapshot.h"
#include "gui/models/event_words.h"

namespace attn::gui {

// "16..23 (8)"; "none" for an empty range.
QString range_words(int64_t first, int64_t count);
// Requests get their names from the snapshot; without a snapshot they are written as "request 3".
// The result is empty for kMessage.
QString value_words(const EngineSnapshot* snapshot, const EventFact& fact);

}  // namespace attn::gui
