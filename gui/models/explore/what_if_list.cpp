// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/explore/what_if_list.h"

#include <algorithm>
#include <utility>

namespace attn::gui {
namespace {

bool same_place(const Intervention& a, const Intervention& b) {
  if (a.kind != b.kind || a.layer != b.layer || a.head != b.head) return false;
  if (a.kind == InterventionKind::kEdge) return a.query == b.query && a.key == b.key;
  return a.kind == InterventionKind::kSink || (a.position == b.position && a.site == b.site);
}

}  // namespace

const Intervention* WhatIfList::at_place_of(const Intervention& what) const {
  const auto at = std::ranges::find_if(
      list_, [&what](const Intervention& other) { return same_place(what, other); });
  return at == list_.end() ? nullptr : &*at;
}

void WhatIfList::toggle(const Intervention& what) {
  std::vector<Intervention> next = list_;
  const auto at = std::ranges::find_if(
      next, [&what](const Intervention& other) { return same_place(what, other); });
  if (at == next.end())
    next.push_back(what);
  else if (*at == what)
    next.erase(at);
  else
    *at = what;
  set(std::move(next));
}

void WhatIfList::set(std::vector<Intervention> list) {
  if (list == list_) return;
  list_ = std::move(list);
  emit changed();
}

}  // namespace attn::gui

#include "moc_what_if_list.cpp"
