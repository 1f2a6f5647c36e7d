// SPDX-License-Identifier: GPL-3.0-or-later
// CacheNote: says which numbers a quantised cache can hold. Hidden for other caches. GUI thread.
#pragma once

#include <QLabel>

#include "engine/session/scenario/scenario.h"

namespace attn::gui {

bool has_quantised_cache(const Scenario& scenario);

class CacheNote : public QLabel {
  Q_OBJECT
 public:
  explicit CacheNote(QWidget* parent = nullptr);
  void show_limits(const Scenario& scenario);

 private:
  void restyle();
};

}  // namespace attn::gui
