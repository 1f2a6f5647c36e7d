// SPDX-License-Identifier: GPL-3.0-or-later
// How the window names a request and its state. All views use these, so that one request has one
// name and one state everywhere. In the language of the program. No Widgets. GUI thread.
#pragma once

#include <QString>
#include <functional>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

// The request's name; "request 3" where it has none, or where there is no such request.
QString request_name(const EngineSnapshot& snapshot, int64_t id);
// request_name() as a function of the id, for texts about many events. Empty: no names are known.
using RequestNames = std::function<QString(int64_t id)>;

// True: it was preempted and has not begun again. It is then kWaiting or kSwapped.
bool is_preempted(const RequestView& request);

QString text_of(RequestState state);         // "Waiting", "Running", "Finished"
QString explanation_of(RequestState state);  // one sentence
// text_of() and explanation_of() a request's state, but one that waits because it was preempted is
// "Preempted".
QString state_words(const RequestView& request);
QString state_explanation(const RequestView& request);

}  // namespace attn::gui
