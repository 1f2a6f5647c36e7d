// SPDX-License-Identifier: GPL-3.0-or-later
// How byte-level BPE cuts a text into words: the names that tokenizer.ggml.pre of a GGUF file has
// for a rule, and what tokenizer.json says instead. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/files/json_at.h"

namespace attn {

struct SplitRule {
  std::vector<const char*> names;  // the first one is written, all are read
  nlohmann::json steps;            // array of pre-tokenizers; one of them turns text into bytes
  bool ignores_merges = false;     // a word that is a token is not cut further
  bool has_nfc = false;            // the text is normalised to NFC first
  bool adds_bos = false;           // bos is added where the file has no add_bos_token
};

const SplitRule* find_split_rule(std::string_view name);
// All names of all rules, for messages: "gpt-2", "default", ...
std::string known_split_rules();

// For writing: the name of the rule by which a tokenizer.json with byte-level BPE cuts a text into
// words. Throws Error(kNotSupported) for another rule.
std::string split_rule_of(const JsonAt& tokenizer);

}  // namespace attn
