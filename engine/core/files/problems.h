// SPDX-License-Identifier: GPL-3.0-or-later
// Problems: collects all reasons why an input cannot be accepted, where the first exception would
// name only one. One thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace attn {

class Problems {
 public:
  // Equal sentences count once, because two readers of a file may find the same.
  void add(Error error);
  void add_all(const Problems& others) {
    for (const Error& error : others.errors_) add(error);
  }
  // Runs `check` and says whether it returned. An Error that it throws is added, except kCancelled,
  // which is passed on.
  template <class Check>
  bool holds(Check&& check) {
    try {
      std::forward<Check>(check)();
      return true;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCancelled) throw;
      add(error);
      return false;
    }
  }

  bool empty() const { return errors_.empty(); }
  const std::vector<Error>& all() const { return errors_; }
  // One sentence per problem, in the order they were found; after kMostSentences a last one counts
  // the others.
  std::vector<std::string> sentences() const;
  // One problem gives its own Error; several give one Error with a sentence each, of code kBadInput
  // if any has it, else kFailed if any has it, else kNotSupported. There must be at least one
  // problem.
  Error error() const;
  void throw_if_any() const;

 private:
  static constexpr size_t kMostSentences = 20;
  std::vector<Error> errors_;
};

}  // namespace attn
