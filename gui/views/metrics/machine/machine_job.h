// SPDX-License-Identifier: GPL-3.0-or-later
// MachineJob: measures the limits of this machine. The engine thread does it with a pool of threads
// and computes no run meanwhile. GUI thread.
#pragma once

#include <memory>

#include "engine/machine/machine_limits.h"
#include "gui/bridge/engine_job.h"

namespace attn::gui {

class MachineJob : public EngineJob {
  Q_OBJECT
 public:
  using EngineJob::EngineJob;

  void start(int threads, double seconds = kMeasureSeconds);
  // The last finished measurement; null: none yet.
  std::shared_ptr<const MachineLimits> limits() const { return limits_; }

 protected:
  void take_result() override { limits_ = *measured_; }
  QString cancelled_text() const override { return tr("The measurement was cancelled."); }

 private:
  // The engine thread writes measured_ before the job ends.
  std::shared_ptr<std::shared_ptr<const MachineLimits>> measured_;
  std::shared_ptr<const MachineLimits> limits_;
};

}  // namespace attn::gui
