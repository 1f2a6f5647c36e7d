// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence of the engine in the language of the window. Any thread.
#pragma once

#include <QString>

#include "engine/core/text/sentence.h"

namespace attn::gui {

QString words_of(const Sentence& sentence);

}  // namespace attn::gui
