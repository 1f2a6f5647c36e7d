// SPDX-License-Identifier: GPL-3.0-or-later
// Watchdog: measures the longest time for which a thread's event loop stood still although the
// thread had a processor.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace attn::gui {

// Measures gaps between the beats of a 5 ms timer. The thread's time in the run queue does not
// count. In gaps over kLongMs, roughly the time that the host of a virtual machine took from the
// thread's core does not count either.
class Watchdog : public QObject {
 public:
  Watchdog() {
    connect(&timer_, &QTimer::timeout, this, [this] { beat(); });
    timer_.setTimerType(Qt::PreciseTimer);
    clock_.start();
    queued_ms_ = queued_ms();
    stolen_ms_ = stolen_ms();
    asked_.start();
    timer_.start(5);
  }
  double worst_ms() const { return worst_ms_; }
  // Starts a new gap: the time since the last beat does not count.
  void excuse() {
    clock_.restart();
    queued_ms_ = queued_ms();
    stolen_ms_ = stolen_ms();
    asked_.restart();
  }

 private:
  static constexpr double kLongMs = 40;      // ms; stolen time is subtracted only from longer gaps
  static constexpr qint64 kAskAgainMs = 50;  // ms; after this a beat reads stolen time again

  static double queued_ms() {
    std::ifstream stat("/proc/thread-self/schedstat");
    double ran = 0, queued = 0;
    return stat >> ran >> queued ? queued / 1e6 : 0;
  }
  static std::vector<double> stolen_ms() {  // [cores]
    std::vector<double> stolen;
    std::ifstream stat("/proc/stat");
    std::string line;
    std::getline(stat, line);  // sum of all cores
    const double tick_ms = 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
    while (std::getline(stat, line) && line.starts_with("cpu")) {
      std::istringstream fields(line);
      std::string field;
      double steal = 0;
      for (int i = 0; i < 8; ++i) fields >> field;  // cpu, user, nice, .. softirq
      fields >> steal;
      stolen.push_back(steal * tick_ms);
    }
    return stolen;
  }
  void beat() {
    const double now_queued = queued_ms();
    double gap = static_cast<double>(clock_.nsecsElapsed()) / 1e6 - (now_queued - queued_ms_);
    clock_.restart();
    queued_ms_ = now_queued;
    if (gap > kLongMs || asked_.elapsed() > kAskAgainMs) {
      const std::vector<double> now = stolen_ms();
      const auto core = static_cast<size_t>(std::max(0, sched_getcpu()));
      if (gap > kLongMs && core < now.size() && core < stolen_ms_.size())
        gap -= now[core] - stolen_ms_[core];
      stolen_ms_ = now;
      asked_.restart();
    }
    worst_ms_ = std::max(worst_ms_, gap);
  }
  QTimer timer_;
  QElapsedTimer clock_;
  QElapsedTimer asked_;
  std::vector<double> stolen_ms_;
  double queued_ms_ = 0, worst_ms_ = 0;
};

}  // namespace attn::gui
