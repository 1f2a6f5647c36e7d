// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces prompts of a scenario by those of a person. Gives such requests a name such as "Own
// prompt 2", and takes it back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/session/scenario/scenario.h"

namespace attn {

// Compares request i of `scenario` with request i of `opened`, the scenario as it was read. A
// request with another prompt that still has its name from the file is named "Own prompt", or "Own
// prompt 2" and so on, unless that name was empty or began so. If its prompt is the old one again,
// a name that begins so gives way to the old name. Does nothing unless both sources read text.
void name_own_prompts(Scenario& scenario, const Scenario& opened);

// Throws Error(kBadInput) if the source of the scenario reads no text. option: the option that
// needs such a source. found: the option's value.
void need_texts(const Scenario& scenario, std::string_view option, const std::string& found);

// Gives the request with this index the prompt of the option, and a name as name_own_prompts()
// does. Throws as need_texts() and validate() do, and if the prompt is not UTF-8.
void give_prompt(Scenario& scenario, size_t request, std::string_view option,
                 const std::string& prompt);

}  // namespace attn
