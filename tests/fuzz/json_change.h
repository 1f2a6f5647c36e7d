// SPDX-License-Identifier: GPL-3.0-or-later
// change_json(): changes one value of a JSON text, so that it stays JSON. change_text(): changes
// some characters of any text. Also random numbers for changes.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace attn::fuzz {

using Random = std::mt19937_64;
size_t below(Random& random, size_t count);
// A number that readers may stumble over, such as one close to `near` or to a power of two.
int64_t odd_number(Random& random, int64_t near);

struct JsonChange {
  std::string text, what;  // what: the change, as "$.engine.block_size: 4 -> 5"
};
// Changes one value of the JSON text. If the text is no JSON, overwrites one of its bytes.
JsonChange change_json(std::string_view text, Random& random);
// Removes, doubles or inserts some characters, or puts a word of the text in the place of another,
// or cuts the text off.
std::string change_text(std::string_view text, Random& random);

}  // namespace attn::fuzz
