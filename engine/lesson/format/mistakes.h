// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes of a lesson file, each with its line. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace attn::lesson {

inline constexpr size_t kMostMistakes = 100;

struct Mistake {
  int line = 0;  // of the file, from 1; 0: of the file as a whole
  std::string what, found, allowed, advice = {};
  // The mistake as an Error: "there is no such quantity at sink.md, line 12: found ..., allowed
  // ...".
  Error error(std::string_view origin) const;
  bool operator==(const Mistake&) const = default;
};

class Mistakes {
 public:
  // An equal mistake is not added again; after kMostMistakes no more are kept.
  void add(Mistake mistake);
  void add(int line, const Error& error);
  // what: "there is no such quantity". allowed: the words that may stand there.
  void add_unknown(int line, std::string_view what, std::string_view word,
                   const std::vector<std::string>& allowed);
  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }
  std::vector<Mistake> sorted() const;  // by line

 private:
  std::vector<Mistake> list_;
};

// One Error of code kBadInput with a sentence for each mistake. `mistakes` must not be empty.
Error error_of(const std::vector<Mistake>& mistakes, std::string_view origin);

}  // namespace attn::lesson
