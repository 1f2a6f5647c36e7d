// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON for everything that comes from a user: duplicate keys, depth over 64, BOM, NUL,
// numbers that overflow (1e999), lone surrogates and trailing text are refused with file and JSON
// path or byte offset. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct JsonLimits {
  size_t max_bytes = size_t{256} << 20;
  int max_depth = 64;
};

// `where` names the origin in errors: "config.json". Throws Error(kBadInput).
nlohmann::json parse_json(std::string_view text, std::string_view where, JsonLimits limits = {});

// Text from a file in a form that is safe in a message: quoted, unprintable characters as in
// escape_unprintable(), cut after `max_bytes` of the text.
std::string quote_text(std::string_view text, size_t max_bytes = 60);
// Replaces control characters, characters that change the writing direction and bytes that are not
// UTF-8 by \xNN, so that text from a file cannot control a terminal.
std::string escape_unprintable(std::string_view text);
// A step of a JSON path: ".name", or ["odd name"] where the key is not a plain word. "$" +
// path_step("a") is "$.a".
std::string path_step(std::string_view key);

// The allowed word nearest to `word` by edit distance, or "" when none is near. For "did you mean".
std::string nearest_match(std::string_view word, const std::vector<std::string>& allowed);

}  // namespace attn
