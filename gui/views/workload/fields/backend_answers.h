// SPDX-License-Identifier: GPL-3.0-or-later
// What the registered backends can compute, as they answer when asked, in words for tooltips. GUI
// thread.
#pragma once

#include <QString>
#include <functional>

#include "engine/attention/backend.h"

namespace attn::gui {

// What is asked for: changes the configuration of a plain decoder layer.
using Feature = std::function<void(AttentionConfig&)>;

// Sentences that say which backends compute the feature and which refuse it. ignored: says of a
// backend that with the option Extended it takes the feature and does nothing; null: none does.
QString words_on(const Feature& feature, bool BackendCapabilities::*ignored = nullptr);

// Sentences that say what backends refuse unless Extended is on, and which ignore a soft cap.
QString words_on_extended();

}  // namespace attn::gui
