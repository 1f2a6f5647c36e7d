// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson as one HTML file for a browser: it asks, explains, shows the run of the step, and grades
// numbers and choices. It needs no network. Any thread.
#pragma once

#include <string>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

// The file holds the answers. Throws Error(kBadInput) for a run that a page cannot show, such as
// one that is too large (engine/session/page/run_page.h).
std::string lesson_page_html(const AnswerKey& key);

}  // namespace attn::lesson
