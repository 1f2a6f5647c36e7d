// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities: the closed list of what a lesson may ask for. Each is computed from a frozen run by
// one function and is one entry of the tables in quantity_*.cpp; no other code has to be changed
// for a new one. The parser, `attn lesson quantities`, the docs' test and the results take them
// from the list. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/quantity/place.h"

namespace attn::lesson {

class FrozenRun;

// The arguments of a call as written: key=0, query=last, key="Lily", backend=unified.
struct ArgumentValue {
  enum class Kind { kInteger, kWord, kText };
  Kind kind = Kind::kInteger;
  int64_t integer = 0;
  std::string text;  // kWord, kText
};
struct QuantityCall {
  std::string name;
  std::map<std::string, ArgumentValue, std::less<>> arguments;
  std::string text;  // as written
};

struct QuantityValue {
  double number = 0;           // meaningless where the quantity is a place only
  std::optional<Place> place;  // where the value is to be seen
};

// A call with its arguments looked up in the run: defaults filled in, `last` and texts of tokens
// turned into positions. Throws Error(kBadInput) for what the run does not have.
class ResolvedArguments;

struct Quantity {
  const char* name;
  const char* arguments;  // the names that it takes, with spaces between: "layer head query key"
  const char* unit;       // "part", "tokens", "blocks", "bytes", "ns", "steps", ...; "" where none
  // What kind of place the quantity has, "" where it has none: "cell", "block", ...
  const char* place;
  bool is_place;        // the place is all that it gives
  const char* meaning;  // a phrase: "the weight of a key in the row of a query"
  QuantityValue (*compute)(const FrozenRun& run, const ResolvedArguments& with);
};

const std::vector<Quantity>& all_quantities();
const Quantity* find_quantity(std::string_view name);  // null: there is none

struct QuantityArgument {
  const char* name;
  bool takes_integer;
  const char* words;      // words that it takes, with spaces between: "last last_prompt"
  bool takes_text;        // in quotes: the text of a token, the name of a request
  const char* meaning;    // "the query row"
  const char* if_absent;  // "the last row that was computed"; "": it must be given
};
const std::vector<QuantityArgument>& all_quantity_arguments();
// Whether an argument of this name takes the value, and in words what it takes.
bool argument_takes(std::string_view name, const ArgumentValue& value);
std::string values_of_argument(std::string_view name);

// Throws Error(kBadInput) where the run does not have what the call asks for: no such layer, a row
// that was not computed.
QuantityValue compute(const QuantityCall& call, const FrozenRun& run);

}  // namespace attn::lesson
