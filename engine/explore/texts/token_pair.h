// SPDX-License-Identifier: GPL-3.0-or-later
// Reads two tokens of a source from a text such as "dog,cat" that a person typed. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "engine/model/source.h"

namespace attn {

// "A,B": each is a token's id in decimal digits, or its text with or without the blank before it,
// as in "dog, cat". where: the option, for the error. Throws Error(kBadInput) unless they are two
// different tokens of the source.
std::pair<int32_t, int32_t> token_pair(const Source& source, const std::string& text,
                                       const std::string& where);

}  // namespace attn
