// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times for contributors: how long the main widget of each view took to paint, last and at
// most within a second, written over its lower left corner. GUI thread.
#pragma once

#include <deque>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

class FrameTimes {
 public:
  // end_ms: by any clock that does not go back.
  void add(double end_ms, double duration_ms);
  double last_ms() const { return frames_.empty() ? 0 : frames_.back().duration_ms; }
  // The duration of the longest frame that ended in the last second before the newest one ended.
  double worst_ms() const;

 private:
  struct Frame {
    double end_ms = 0, duration_ms = 0;
  };
  std::deque<Frame> frames_;
};

void show_frame_times(const std::vector<View*>& views);

}  // namespace attn::gui
