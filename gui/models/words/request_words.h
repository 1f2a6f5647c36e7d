// SPDX-License-Identifier: GPL-3.0-or-later
// How the window names a request and its state, in the language of the program. No Widgets. Any
// thread.
#pragma once

#include <QString>
#include <functional>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

// The request's name, or "request 3" if it has no name or does not exist.
QString request_name(const EngineSnapshot& snapshot, int64_t id);
// request_name() as a function of the id. Empty: no names are known.
using RequestNames = std::function<QString(int64_t id)>;

// Whether the request was preempted and does not run again yet. Its state is then kWaiting or
// kSwapped.
bool is_preempted(const RequestView& request);

// How many first tokens of the request have a key and a value, but no query, as with tensors that
// have a single query. Their rows have no weights.
int64_t tokens_without_query(const EngineSnapshot& snapshot, const RequestView& request);
QString given_words();  // what such a token is: "given with its key and value, without a query"

QString text_of(RequestState state);         // "Waiting", "Running", "Finished"
QString explanation_of(RequestState state);  // a sentence for each state
// As text_of() and explanation_of(), but a request that waits after a preemption is "Preempted".
QString state_words(const RequestView& request);
QString state_explanation(const RequestView& request);

}  // namespace attn::gui
