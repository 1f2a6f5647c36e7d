// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson as one HTML file for a browser without a network or the program: it asks for a
// prediction, tells whether it was right, explains, and shows the run of the step with the answer
// marked. Tasks that change the scenario need the program; the page says so. Any thread.
#pragma once

#include <string>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

// The answers stand in the file, where a curious reader can find them. Throws Error(kBadInput) for
// a run that is too large for a page (engine/session/page/run_page.h).
std::string lesson_page_html(const AnswerKey& key);

}  // namespace attn::lesson
