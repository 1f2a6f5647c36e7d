// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities: the closed list of what a lesson may ask for. Each is an entry of the tables in
// quantity_*.cpp, with a function that computes it from a frozen run. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/quantity/place.h"

namespace attn::lesson {

class FrozenRun;

// The value of an argument of a call: key=0, query=last, key="Lily".
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
  double number = 0;
  std::optional<Place> place;
};

// Looks up the arguments of a call in the run, each when it is asked for.
class ResolvedArguments;

struct Quantity {
  const char* name;
  const char* arguments;  // names with spaces between: "layer head query key"
  const char* unit;       // "tokens", "blocks", "ns", ...; "": none
  // Kind of place: "cell", "block", ...; "": none.
  const char* place;
  bool is_place;        // the value is a place and not a number
  const char* meaning;  // a phrase
  QuantityValue (*compute)(const FrozenRun& run, const ResolvedArguments& with);
};

const std::vector<Quantity>& all_quantities();
const Quantity* find_quantity(std::string_view name);  // null: there is none

struct QuantityArgument {
  const char* name;
  bool takes_integer;
  std::string words;      // "last last_prompt"
  bool takes_text;        // in quotes
  const char* meaning;    // "the query head"
  const char* if_absent;  // "the last row that was computed"; "": required
};
const std::vector<QuantityArgument>& all_quantity_arguments();
bool argument_takes(std::string_view name, const ArgumentValue& value);
std::string values_of_argument(std::string_view name);

// Throws Error(kBadInput) where there is no such quantity, or the run does not have what the call
// asks for, such as a row that was not computed.
QuantityValue compute(const QuantityCall& call, const FrozenRun& run);

}  // namespace attn::lesson
