// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a request's texts: of its prompt, and of the text with which the decoder of a model
// with an encoder begins. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct RequestTokens {
  std::vector<int32_t> own;      // the request's sequence begins with them
  std::vector<int32_t> encoder;  // what the encoder reads; empty: the source has none
};

// The tokens of a request's texts, for a source that reads text. Throws Error(kBadInput) as
// Source::encode(), and where the decoder's text has no tokens.
RequestTokens tokens_of_texts(const ScenarioRequest& request, const Source& source);

}  // namespace attn
