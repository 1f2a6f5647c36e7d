// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/machine/machine_job.h"

namespace attn::gui {

void MachineJob::start(int threads, double seconds) {
  measured_ = std::make_shared<std::shared_ptr<const MachineLimits>>();
  launch([made = measured_, threads, seconds](RunGate& gate, const Progress& progress) {
    const auto limits = measure_machine(
        threads,
        [&](double fraction) {
          progress(fraction, {});
          return !gate.cancelled();
        },
        seconds);
    if (limits) *made = std::make_shared<const MachineLimits>(*limits);
    return limits.has_value();
  });
}

}  // namespace attn::gui

#include "moc_machine_job.cpp"
