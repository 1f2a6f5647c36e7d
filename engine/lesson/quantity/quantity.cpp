// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/lesson/format/words.h"
#include "engine/lesson/quantity/quantity_tables.h"
#include "engine/lesson/quantity/resolved_arguments.h"

namespace attn::lesson {
namespace {

const QuantityArgument* find_argument(std::string_view name) {
  const auto& all = all_quantity_arguments();
  const auto at = std::ranges::find_if(
      all, [&](const QuantityArgument& argument) { return argument.name == name; });
  return at == all.end() ? nullptr : &*at;
}

std::string words_of_backends() {
  std::string names;
  for (const AttentionBackend* backend : registered_backends())
    (names += names.empty() ? "" : " ") += backend->name();
  return names;
}

}  // namespace

const std::vector<Quantity>& all_quantities() {
  static const std::vector<Quantity> all = [] {
    std::vector<Quantity> list;
    for (const auto part : {attention_quantities(), cache_quantities(), run_quantities()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Quantity* find_quantity(std::string_view name) {
  const auto& all = all_quantities();
  const auto at =
      std::ranges::find_if(all, [&](const Quantity& quantity) { return quantity.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const std::vector<QuantityArgument>& all_quantity_arguments() {
  // columns: name, integer, words, text, meaning, if absent
  static const std::vector<QuantityArgument> all = {
      {"request", true, "", true, "the request, by its number or name", "request 0"},
      {"layer", true, "last", false, "the attention layer", "the layer of the scenario's view"},
      {"head", true, "", false, "the query head", "the head of the scenario's view"},
      {"kv_head", true, "", false, "the KV head", "KV head 0"},
      {"query", true, "last last_prompt", true, "the row: the position of the token that reads",
       "the last row that was computed"},
      {"key", true, "last self", true, "the column: the position of the token that is read", ""},
      {"to", true, "last self", true, "the last column of a range that begins with `key`",
       "the same as `key`"},
      {"keys", true, "", false, "how many keys, from the first visible one on",
       "all keys that the row sees"},
      {"tile", true, "", false, "the number of keys in a tile", "16"},
      {"token", true, "last last_prompt", true, "a position in the request's tokens",
       "the last token"},
      {"block", true, "", false, "a physical block", "the block of the token"},
      {"step", true, "last peak fullest", false,
       "a step of the run; `peak`: the first one that computes with most blocks in use. At its end "
       "a step gives back blocks of requests that end, and blocks that leave a sliding window; "
       "`peak` counts before that; `fullest`: the step after which views show the blocks of "
       "`peak`, "
       "counted as they show them",
       "`peak`"},
      {"score", false, "previous_token induction first_token entropy distance", false,
       "a score of heads", "`induction`"},
      {"backend", false, words_of_backends(), false, "the other backend", ""},
  };
  return all;
}

bool argument_takes(std::string_view name, const ArgumentValue& value) {
  const QuantityArgument* argument = find_argument(name);
  if (!argument) return false;
  switch (value.kind) {
    case ArgumentValue::Kind::kInteger:
      return argument->takes_integer;
    case ArgumentValue::Kind::kText:
      return argument->takes_text && !value.text.empty();
    case ArgumentValue::Kind::kWord: {
      const auto words = split_words(argument->words);
      return std::ranges::find(words, value.text) != words.end();
    }
  }
  return false;
}

std::string values_of_argument(std::string_view name) {
  const QuantityArgument* argument = find_argument(name);
  if (!argument) return "";
  std::string values;
  const auto add = [&](std::string_view part) {
    values += values.empty() ? "" : ", ";
    values += part;
  };
  if (argument->takes_integer) add("a whole number");
  for (const std::string& word : split_words(argument->words)) add('`' + word + '`');
  if (argument->takes_text)
    add(name == "request" ? "a name in quotes" : "the text of a token in quotes");
  return values;
}

QuantityValue compute(const QuantityCall& call, const FrozenRun& run) {
  const Quantity* quantity = find_quantity(call.name);
  if (!quantity)
    throw_bad_input({"there is no such quantity", "", quote_text(call.name),
                     "a quantity of the closed list", ""});
  return quantity->compute(run, ResolvedArguments(call, run));
}

}  // namespace attn::lesson
