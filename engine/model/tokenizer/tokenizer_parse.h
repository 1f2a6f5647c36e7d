// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a Tokenizer from a tokenizer.json. A part that is not supported is refused by its name
// (kNotSupported); a broken file is kBadInput. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/files/json.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// Limits of a tokenizer.json. The depth leaves room for nested Sequences.
inline constexpr JsonLimits kTokenizerLimits{.max_depth = 4 * 32, .bytes_per_value = 256};

Tokenizer load_tokenizer_json(const std::filesystem::path& file);
// `where` names the origin in errors: "tokenizer.json".
Tokenizer parse_tokenizer(std::string_view json, const std::string& where);
// The same for a document that is parsed already, or was made in the program.
Tokenizer tokenizer_from_json(const nlohmann::json& document, const std::string& where);

}  // namespace attn
