// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a request's texts: of the prompt, and of the text with which a decoder begins. Any
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct RequestTokens {
  std::vector<int32_t> own;      // the first tokens of the request
  std::vector<int32_t> encoder;  // empty: no encoder
};

// source: one that reads text. Throws Error(kBadInput) as Source::encode() does, and where the
// decoder's text has no tokens.
RequestTokens tokens_of_texts(const ScenarioRequest& request, const Source& source);

}  // namespace attn
