// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON for input files. Duplicate keys, too much depth, a BOM, NUL, numbers that overflow
// (1e999), lone surrogates and trailing text are refused with file and JSON path or byte offset.
// parse_json() checks an estimate of the memory with ask_memory() before it builds the values. Also
// take_apart(), and texts for error messages: quoted and escaped text, JSON paths, the nearest
// known word. Any thread.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct JsonLimits {
  size_t max_bytes = size_t{64} << 20;
  int max_depth = 64;
  // Most values in the text, or with parse_json_members() inside the value of one member: numbers,
  // strings, true, false, null, arrays and objects. parse_json() counts an empty array or object as
  // two values.
  size_t max_values = 8'000'000;
  // Bytes of memory that parse_json() counts for each value, besides the bytes of the text.
  size_t bytes_per_value = 128;
};

// `where` names the origin in errors: "config.json". Throws Error(kBadInput), also if the memory
// is estimated at more than allowed; Error(kFailed) if an allocation fails.
nlohmann::json parse_json(std::string_view text, std::string_view where, JsonLimits limits = {});

// For an object with very many members. Calls `each` with one member after another and then drops
// its value; the keys are kept. max_values holds for each member. The memory is not checked first.
using JsonMember = std::function<void(const std::string& key, const nlohmann::json& value)>;
void parse_json_members(std::string_view text, std::string_view where, JsonLimits limits,
                        const JsonMember& each);

// Empties an array or object and all within it. If it is not empty, the destructor of
// nlohmann::json allocates memory, and ends the program if there is none.
void take_apart(nlohmann::json& value) noexcept;
// take_apart(old), then old = value.
void replace_json(nlohmann::json& old, nlohmann::json&& value) noexcept;
// Calls take_apart() at the end of a scope. Build the value from empty arrays and objects in place:
// temporary ones are destroyed by the library.
class TakenApart {
 public:
  explicit TakenApart(nlohmann::json& value) : value_(value) {}
  ~TakenApart() { take_apart(value_); }
  TakenApart(const TakenApart&) = delete;
  TakenApart& operator=(const TakenApart&) = delete;

 private:
  nlohmann::json& value_;
};

// `text` in double quotes, with escape_unprintable(). Shows at most `max_bytes` bytes of it, then
// "..." if there is more.
std::string quote_text(std::string_view text, size_t max_bytes = 60);
// Replaces the bytes of control characters, of characters with the Unicode property Bidi_Control
// and of malformed UTF-8 by \xNN. Text from a file must not control a terminal.
std::string escape_unprintable(std::string_view text);
// As escape_unprintable(), but line feeds and tabs stay.
std::string escape_unprintable_but_lines(std::string_view text);
// A step of a JSON path: ".name", or ["odd name"] for a key that is empty, longer than 60 bytes, or
// has other bytes than ASCII letters, digits, _ and -.
std::string path_step(std::string_view key);

// The allowed word nearest to `word` by edit distance, or "" when none is near.
std::string nearest_match(std::string_view word, const std::vector<std::string>& allowed);

}  // namespace attn
