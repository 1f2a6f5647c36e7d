// SPDX-License-Identifier: GPL-3.0-or-later
// A family of models: model types and the function that makes their networks. registry.cpp lists
// the families.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/model/config_reader.h"
#include "engine/model/model.h"

namespace attn {

struct Family {
  std::vector<std::string> model_types;  // values of model_type in config.json
  // Makes the network that the config describes, without weights. Null where this is not possible;
  // a problem then says why.
  std::unique_ptr<Model> (*make)(ConfigReader& config);
};

// All families. A config.json without a model_type belongs to the first family.
const std::vector<Family>& families();

}  // namespace attn
