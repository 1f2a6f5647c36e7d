// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says about a run: how far its step is, where the run was stopped, and which
// requests were refused or ended early. In the language of the program. GUI thread; no Widgets.
#pragma once

#include <QString>

#include "engine/session/run/snapshot.h"
#include "engine/session/run/step_progress.h"

namespace attn::gui {

// Percent of the attention rows of the layer that are done, rounded down; 0 before the attention,
// 100 after it.
int percent_done(const StepProgress::State& at);
// "layer 2 (0..7), attention 37%".
QString progress_words(const StepProgress::State& at);
// Where a run was stopped and what is left of it. at: EngineRunner::progress() after the run has
// ended; ended_steps: the number of steps that have ended.
QString stopped_words(const StepProgress::State& at, size_t ended_steps);
// About the requests with RequestView::has_news(), which were refused or ended early; empty: none.
// Sets count to the number of these requests.
QString news_words(const EngineSnapshot& snapshot, size_t& count);

}  // namespace attn::gui
