// SPDX-License-Identifier: GPL-3.0-or-later
// WhatIfList: the interventions on the shown request that a person is trying, such as a head that
// is knocked out. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <vector>

#include "engine/session/intervene/intervention.h"

namespace attn::gui {

class WhatIfList : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  const std::vector<Intervention>& list() const { return list_; }
  // The intervention in the list with the kind and the place of `what`; null: none.
  const Intervention* at_place_of(const Intervention& what) const;
  // Removes `what` if it is in the list. Otherwise adds it in place of the one with the same kind
  // and place, if any.
  void toggle(const Intervention& what);
  void set(std::vector<Intervention> list);
  void clear() { set({}); }

 signals:
  void changed();

 private:
  std::vector<Intervention> list_;
};

}  // namespace attn::gui
