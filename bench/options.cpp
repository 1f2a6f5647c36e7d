// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/options.h"

#include <algorithm>

#include "engine/core/error.h"

namespace attn::bench {
namespace {

// Calls fn(pattern) for each of them until it returns true.
template <class Fn>
bool any_pattern(std::string_view filter, Fn&& fn) {
  size_t from = 0;
  while (from <= filter.size()) {
    const size_t comma = std::min(filter.find(',', from), filter.size());
    if (fn(filter.substr(from, comma - from))) return true;
    from = comma + 1;
  }
  return false;
}

// Without the marks of begin and end.
std::string_view text_of(std::string_view pattern, bool& at_begin, bool& at_end) {
  at_begin = pattern.starts_with('^');
  if (at_begin) pattern.remove_prefix(1);
  at_end = pattern.ends_with('$');
  if (at_end) pattern.remove_suffix(1);
  return pattern;
}

// The whole name, with `*` for any text. On a mismatch only the last `*` takes one more letter:
// what the earlier ones took was the shortest that fits, and more would not help.
bool fits_whole(std::string_view name, std::string_view pattern) {
  size_t at = 0, next = 0;
  size_t star = std::string_view::npos, star_end = 0;
  while (at < name.size()) {
    if (next < pattern.size() && pattern[next] == '*') {
      star = ++next;
      star_end = at;
    } else if (next < pattern.size() && pattern[next] == name[at]) {
      ++next;
      ++at;
    } else if (star != std::string_view::npos) {
      next = star;
      at = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', next) == std::string_view::npos;
}

}  // namespace

const std::string& OptionValues::take(size_t& i) {
  const std::string& option = words_[i];
  if (!given_.insert(option).second)
    throw_bad_input({"option given twice", option, "", "once", ""});
  if (i + 1 >= words_.size())
    throw_bad_input({"option needs a value", option, "nothing", "a value", "See --help"});
  if (words_[++i].empty())
    throw_bad_input({"the value of an option is empty", option, "''", "a value", "See --help"});
  return words_[i];
}

bool fits_filter(std::string_view name, std::string_view filter) {
  return any_pattern(filter, [name](std::string_view pattern) {
    bool at_begin = false, at_end = false;
    std::string whole(text_of(pattern, at_begin, at_end));
    if (!at_begin) whole.insert(0, "*");
    if (!at_end) whole += "*";
    return fits_whole(name, whole);
  });
}

void check_filter(std::string_view filter) {
  any_pattern(filter, [filter](std::string_view pattern) {
    bool at_begin = false, at_end = false;
    if (!text_of(pattern, at_begin, at_end).empty()) return false;
    throw_bad_input(
        {"a pattern of the filter has no text", "--filter", "`" + std::string(filter) + "`",
         "a part of a row's name, with `*` for any text", "Without --filter all rows are taken"});
  });
}

}  // namespace attn::bench
