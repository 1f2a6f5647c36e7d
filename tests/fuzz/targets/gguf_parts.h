// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file taken apart into keys and tensors, which can be changed and put together again, so
// that a change keeps all lengths, counts and places right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/files/gguf_metadata.h"
#include "tests/fuzz/json_change.h"

namespace attn::fuzz {

struct GgufKey {
  std::string name;
  GgufType type, element;           // `element` is that of an array, else the same as `type`
  std::vector<std::string> values;  // bytes of the numbers, or texts; one where it is no array
};
struct GgufEntry {
  std::string name;
  std::vector<uint64_t> axes;  // as in the file, the fastest first
  uint32_t type;
  std::string data;
  int64_t moved = 0;  // added to the place of the tensor in the file, not to that of its data
};
struct GgufParts {
  uint32_t version = 3;
  std::vector<GgufKey> keys = {};
  std::vector<GgufEntry> tensors = {};
  int64_t more_tensors = 0, more_keys = 0;  // added to the counts
  std::string tail = {};                    // bytes behind the tensors

  std::string bytes() const;
  GgufKey* find(std::string_view name);
};
// Nullopt for bytes that are no such file.
std::optional<GgufParts> gguf_parts(std::string_view bytes);

GgufKey text_key_of(std::string name, std::string text);
GgufKey texts_key_of(std::string name, std::vector<std::string> texts);
// A key with a number of any type; an array where there are several.
GgufKey number_key_of(std::string name, GgufType type, double number);
GgufKey numbers_key_of(std::string name, GgufType type, const std::vector<double>& numbers);
// A tensor of zeros.
GgufEntry tensor_of(std::string name, std::vector<uint64_t> axes, uint32_t type = 0);

// A table of characters that replaces "a" and "ab" by other texts. Vocabularies of Unigram have
// one.
std::string small_charsmap();

// Changes one key, one tensor or the header.
void change_parts(GgufParts& parts, Random& random);

}  // namespace attn::fuzz
