// SPDX-License-Identifier: GPL-3.0-or-later
// Watchdog: how long the event loop of a thread stands still at worst. For tests and benches.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <fstream>

namespace attn::gui {

// Beats every 5 ms on its thread. A gap is the time between two beats less what the thread
// spent in the queue for a core, which is the machine's doing and not ours: running too long and
// waiting for a lock both count.
class Watchdog : public QObject {
 public:
  Watchdog() {
    connect(&timer_, &QTimer::timeout, this, [this] { beat(); });
    timer_.setTimerType(Qt::PreciseTimer);
    clock_.start();
    queued_ms_ = queued_ms();
    timer_.start(5);
  }
  double worst_ms() const { return worst_ms_; }
  // Leaves out what the thread did on purpose since the last beat.
  void excuse() {
    clock_.restart();
    queued_ms_ = queued_ms();
  }

 private:
  static double queued_ms() {
    std::ifstream stat("/proc/thread-self/schedstat");
    double ran = 0, queued = 0;
    return stat >> ran >> queued ? queued / 1e6 : 0;
  }
  void beat() {
    const double now_queued = queued_ms();
    const double gap = static_cast<double>(clock_.nsecsElapsed()) / 1e6 - (now_queued - queued_ms_);
    clock_.restart();
    queued_ms_ = now_queued;
    worst_ms_ = std::max(worst_ms_, gap);
  }
  QTimer timer_;
  QElapsedTimer clock_;
  double queued_ms_ = 0, worst_ms_ = 0;
};

}  // namespace attn::gui
