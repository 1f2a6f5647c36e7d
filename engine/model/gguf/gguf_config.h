// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the config.json of a Hugging Face folder from metadata and tensors of a GGUF file. Any
// thread.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/files/gguf.h"
#include "engine/model/gguf/architecture.h"
#include "engine/model/layers/heads.h"

namespace attn {

// The architecture that the key general.architecture names. Throws Error(kBadInput) where the key
// is missing or no text, Error(kNotSupported) for an architecture that is not known here.
const GgufArchitecture& architecture_of(const GgufFile& file);

struct GgufConfig {
  nlohmann::json json;
  HeadShape heads;
  std::vector<int32_t> stop_tokens;  // each once
};
// What cannot be read or is not supported is added to `problems`; then the result is not complete.
GgufConfig config_of(const GgufFile& file, const GgufArchitecture& architecture,
                     Problems& problems);

}  // namespace attn
