// SPDX-License-Identifier: GPL-3.0-or-later
// Problems: collects errors, so that they can be told together. One thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace attn {

class Problems {
 public:
  // An error with the same text as an earlier one is not added again.
  void add(Error error);
  void add_all(const Problems& others) {
    for (const Error& error : others.errors_) add(error);
  }
  // Runs `check` and returns whether it did not throw. An Error is added, except kCancelled, which
  // is thrown on.
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
  // The texts of the problems, in the order of add(). After kMostSentences, a last one counts the
  // rest.
  std::vector<std::string> sentences() const;
  // The Error of a single problem, or one Error with sentences(). Its code is then kBadInput if any
  // has it, else kFailed if any has it, else kNotSupported. Needs at least one problem.
  Error error() const;
  void throw_if_any() const;

 private:
  static constexpr size_t kMostSentences = 20;
  std::vector<Error> errors_;
};

}  // namespace attn
