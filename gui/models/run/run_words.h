// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says about a run: how far its step is, where it was stopped, which requests were
// refused. In the language of the program. GUI thread; no Widgets.
#pragma once

#include <QString>

#include "engine/session/run/snapshot.h"
#include "engine/session/run/step_progress.h"

namespace attn::gui {

// How many percent of the rows of the layer's attention are done, rounded down.
int percent_done(const StepProgress::State& at);
// "layer 2 (0..7), attention 37%".
QString progress_words(const StepProgress::State& at);
// Where a run was stopped, what is left of it, and what to do. at: EngineRunner::progress() after
// the run has ended; ended_steps: how many steps the run has.
QString stopped_words(const StepProgress::State& at, size_t ended_steps);
// A text about the requests that were refused, or that ended before they had all their tokens;
// empty: there are none. count: is set to how many there are.
QString news_words(const EngineSnapshot& snapshot, size_t& count);

}  // namespace attn::gui
