// SPDX-License-Identifier: GPL-3.0-or-later
// Refuses a config.json of an unknown model type, and tells what this program lacks for it.
#pragma once

#include <string>
#include <vector>

#include "engine/model/files/json_at.h"

namespace attn {

// What a model with this config needs and this program lacks, in phrases such as "layers for
// images". Empty: no key of the config shows such a need.
std::vector<std::string> missing_features(const JsonAt& root);

// Throws Error(kNotSupported) at model_type, with the known types and missing_features().
[[noreturn]] void refuse_type(const JsonAt& root, const std::vector<std::string>& known);

}  // namespace attn
