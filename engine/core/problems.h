// SPDX-License-Identifier: GPL-3.0-or-later
// Problems: every reason why something cannot be taken, where the first exception would tell one
// and leave the others for the next try. One thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace attn {

class Problems {
 public:
  // The same sentence counts once: two readers of a file may both find it.
  void add(Error error);
  void add_all(const Problems& others) {
    for (const Error& error : others.errors_) add(error);
  }
  // Whether `check` returns. An Error that it throws is kept; kCancelled, which is no problem, goes
  // through.
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
  // One each, in the order they were found; the last one counts those past kMostSentences.
  std::vector<std::string> sentences() const;
  // Of one problem its own Error, of several one with a sentence each: kBadInput where any is, else
  // kFailed where any is. There must be one.
  Error error() const;
  void throw_if_any() const;

 private:
  static constexpr size_t kMostSentences = 20;
  std::vector<Error> errors_;
};

}  // namespace attn
