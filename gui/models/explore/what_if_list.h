// SPDX-License-Identifier: GPL-3.0-or-later
// WhatIfList: the interventions that the user is trying, such as a head that is knocked out (GUI
// thread), and how --knock-out writes them (any thread). No Widgets.
#pragma once

#include <QObject>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/session/intervene/intervention.h"
#include "engine/session/scenario/scenario.h"

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

// The interventions that a word such as "4.2,4.3=mean,1.0=sink" (layer.head) stands for: head 4.2
// is switched off, head 4.3 is replaced by its mean, head 1.0 loses its sink. nullopt: the word
// cannot be read, or it names a head twice.
std::optional<std::vector<Intervention>> knock_out_from_word(std::string_view word);

// The changes of `list`, which was made in a run of `before`, that a run of `next` can have, too.
// None if the source differs. Changes that name a token (except key 0 for all later queries) or
// another request are kept only if the requests are equal, sinks only if the settings of the
// attention are.
std::vector<Intervention> kept_changes(const std::vector<Intervention>& list,
                                       const Scenario& before, const Scenario& next);

}  // namespace attn::gui
