// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times for contributors: how long each view takes to paint itself, written in a corner of
// it. The program shows them where ATTN_FRAME_TIMES is set; otherwise none of this is made.
// Pictures and files never have them: those are drawn without paint events. GUI thread.
#pragma once

#include <deque>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

// The times of a view's frames: of the last frame, and the longest in the last second.
class FrameTimes {
 public:
  // Adds a frame that ended at end_ms on any clock that only goes forward.
  void add(double end_ms, double duration_ms);
  double last_ms() const { return frames_.empty() ? 0 : frames_.back().duration_ms; }
  // The longest of the frames that ended in the second before the last one's end.
  double worst_ms() const;

 private:
  struct Frame {
    double end_ms = 0, duration_ms = 0;
  };
  std::deque<Frame> frames_;  // the frames of the last second, by their end
};

// Paints the frame times over each of these views from now on.
void show_frame_times(const std::vector<View*>& views);

}  // namespace attn::gui
