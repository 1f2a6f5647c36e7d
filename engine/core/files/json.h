// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON for everything that comes from a user: duplicate keys, depth over 64, BOM, NUL,
// numbers that overflow (1e999), lone surrogates and trailing text are refused with file and JSON
// path or byte offset. A value takes up to 40 times as much memory as its text, so parse_json()
// counts the values and checks that there is memory for them before it makes any. Any thread.
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
  // At most this many values in the text, or in one member with parse_json_members(): numbers,
  // texts, true, false, null, lists, objects. An empty list or object counts twice.
  size_t max_values = 8'000'000;
  // Bytes of memory that parse_json() counts for each value, besides the bytes of the text. A
  // reader that builds more from the values sets a larger number.
  size_t bytes_per_value = 128;
};

// `where` names the origin in errors: "config.json". Throws Error(kBadInput), also if the values
// need more memory than they may take; Error(kFailed) if memory runs out all the same.
nlohmann::json parse_json(std::string_view text, std::string_view where, JsonLimits limits = {});

// parse_json() for an object that may have very many members: `each` gets one member after another,
// and only the keys are kept. max_values holds for each member alone, and memory is not checked
// before.
using JsonMember = std::function<void(const std::string& key, const nlohmann::json& value)>;
void parse_json_members(std::string_view text, std::string_view where, JsonLimits limits,
                        const JsonMember& each);

// Empties a list or an object, with all that is in it. The library's destructor takes memory for a
// list of what it still has to destroy, and ends the program if there is no memory left.
void take_apart(nlohmann::json& value) noexcept;
// Takes a value apart and puts another one in its place.
void replace_json(nlohmann::json& old, nlohmann::json&& value) noexcept;
// Calls take_apart() at the end of a scope. Code that builds the value must make lists and objects
// in place, empty, and then fill them: one that is made by itself, as {{"b", 1}}, is destroyed by
// the library if memory ends before it is moved into the value, and null that gets a key or an item
// may be left half made.
class TakenApart {
 public:
  explicit TakenApart(nlohmann::json& value) : value_(value) {}
  ~TakenApart() { take_apart(value_); }
  TakenApart(const TakenApart&) = delete;
  TakenApart& operator=(const TakenApart&) = delete;

 private:
  nlohmann::json& value_;
};

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
