// SPDX-License-Identifier: GPL-3.0-or-later
// BlockRun: runs a scenario step by step, without a bridge, and keeps its events and last snapshot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/session/run/engine.h"
#include "tests/support/shipped_scenario.h"

namespace attn::gui::test {

class BlockRun {
 public:
  explicit BlockRun(const std::string& name) : BlockRun(attn::test::shipped_virtual(name)) {}
  explicit BlockRun(const Scenario& scenario)
      : recorder_(num_workers(scenario)), engine_(scenario, options(recorder_)) {}

  bool step() {
    if (!engine_.has_work() || !engine_.step()) return false;
    recorder_.drain();
    first_new_ = events_.size();
    read_ = recorder_.read(read_, events_);
    shot_ = std::make_shared<const EngineSnapshot>(engine_.snapshot(EnginePhase::kPaused));
    return true;
  }
  const std::shared_ptr<const EngineSnapshot>& shot() const { return shot_; }
  const Engine& engine() const { return engine_; }
  const std::vector<TraceEvent>& events() const { return events_; }
  size_t first_new() const { return first_new_; }  // index of the first event of the last step()

 private:
  static EngineOptions options(Recorder& recorder) {
    EngineOptions options;
    options.recorder = &recorder;
    options.keep_attention = false;
    return options;
  }
  Recorder recorder_;
  Engine engine_;
  std::vector<TraceEvent> events_;
  uint64_t read_ = 0;
  size_t first_new_ = 0;
  std::shared_ptr<const EngineSnapshot> shot_;
};

}  // namespace attn::gui::test
