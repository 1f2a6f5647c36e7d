// SPDX-License-Identifier: GPL-3.0-or-later
// RunRemarks: which of the engine's remarks on a run are messages of the window, and of which kind.
// GUI thread.
#pragma once

#include <string>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

enum class MessageKind { kInfo, kWarning, kError };

// A remark is information if a scenario with the same type of attention and otherwise default
// settings gets it, too. Other remarks are warnings.
MessageKind kind_of(const std::string& remark, const EngineSnapshot& snapshot);

class RunRemarks {
 public:
  void begin_run();
  // Whether this remark on the run is a message. That heads are padded follows from a setting, so
  // it is one only if it was not told of the run before.
  bool tells(const std::string& remark);

 private:
  std::string padding_, padding_before_;  // the remark of the run, and that of the run before it
};

}  // namespace attn::gui
