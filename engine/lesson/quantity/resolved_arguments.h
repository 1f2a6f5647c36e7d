// SPDX-License-Identifier: GPL-3.0-or-later
// ResolvedArguments: what the arguments of a quantity mean in one run. Accessors throw
// Error(kBadInput) for what the run does not have. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/lesson/quantity/quantity.h"
#include "engine/lesson/run/frozen_run.h"
#include "engine/session/record/attention_row.h"

namespace attn::lesson {

class ResolvedArguments {
 public:
  ResolvedArguments(const QuantityCall& call, const FrozenRun& run) : call_(call), run_(run) {}

  bool has(std::string_view name) const { return call_.arguments.contains(name); }
  const RequestView& request() const;
  const AttentionRecord& record() const;  // of the request
  int64_t layer() const;
  int64_t head() const;
  int64_t kv_head() const;
  int64_t query() const;  // a position whose row is computed
  // A key position of the layer. name: "key" or "to". Without the argument: `if_absent`, or an
  // error if that is -1.
  int64_t key(std::string_view name = "key", int64_t if_absent = -1) const;
  int64_t token() const;         // a position in the request's own tokens
  int64_t step() const;          // without the argument: `peak`
  bool is_at_peak() const;       // whether the argument `step` is `peak` or absent
  int64_t step_to_show() const;  // the step in which views show the blocks of step()
  // The step in which views show a request that holds block() in step(); if none holds it,
  // step_to_show(). At `peak` it may be the step before. 0: the request got the block at `peak` and
  // ended with that step.
  int64_t step_to_show_block() const;
  // The run after step(); at `peak` as in FrozenRun::held_in().
  std::shared_ptr<const EngineSnapshot> snapshot() const;
  const StepRecord& step_record() const;
  const RequestView& request_in(const EngineSnapshot& snapshot) const;
  // The physical block of the argument `block`. Without it: the block that holds the request's
  // token after the step.
  int64_t block() const;
  std::string word(std::string_view name, std::string_view if_absent) const;
  int64_t integer(std::string_view name, int64_t if_absent, int64_t min, int64_t max) const;

  AttentionRow row() const;  // of layer, head and query
  Place place(PlaceKind kind) const;
  [[noreturn]] void refuse(std::string_view what, std::string found, std::string allowed) const;

 private:
  const ArgumentValue* find(std::string_view name) const;
  int64_t position(std::string_view name, const std::vector<TokenView>& tokens, int64_t count,
                   int64_t if_absent) const;

  const QuantityCall& call_;
  const FrozenRun& run_;
};

}  // namespace attn::lesson
