// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/explore/what_if_list.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"

namespace attn::gui {
namespace {

bool same_place(const Intervention& a, const Intervention& b) {
  if (a.kind != b.kind || a.layer != b.layer || a.head != b.head) return false;
  if (a.kind == InterventionKind::kEdge) return a.query == b.query && a.key == b.key;
  return a.kind == InterventionKind::kSink || (a.position == b.position && a.site == b.site);
}

bool names_token_or_request(const Intervention& what) {
  switch (what.kind) {
    case InterventionKind::kEdge:
      return what.query >= 0 || what.key > 0;
    case InterventionKind::kSink:
      return false;
    case InterventionKind::kHead:
    case InterventionKind::kResidual:
      break;
  }
  return what.position >= 0 || what.with == Replacement::kRequest;
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

std::optional<std::vector<Intervention>> knock_out_from_word(std::string_view word) {
  std::vector<Intervention> heads;
  for (const QString& part : text_of(word).split(QLatin1Char(','), Qt::KeepEmptyParts)) {
    // Layer 4 and head 2 are written 4.2 or L4H2.
    static const QRegularExpression form(QStringLiteral(
        "^(?:L(?=[0-9]+H)|(?=[0-9]+[.]))([0-9]{1,3})[.H]([0-9]{1,3})(=0|=mean|=sink)?$"));
    const QRegularExpressionMatch match = form.match(part);
    if (!match.hasMatch()) return std::nullopt;
    Intervention what;
    what.layer = match.captured(1).toInt();
    what.head = match.captured(2).toInt();
    if (match.captured(3) == QLatin1String("=mean")) what.with = Replacement::kMean;
    if (match.captured(3) == QLatin1String("=sink")) what.kind = InterventionKind::kSink;
    if (std::ranges::any_of(heads, [&](const Intervention& before) {
          return before.layer == what.layer && before.head == what.head;
        }))
      return std::nullopt;
    heads.push_back(what);
  }
  return heads;
}

std::vector<Intervention> kept_changes(const std::vector<Intervention>& list,
                                       const Scenario& before, const Scenario& next) {
  if (before.source != next.source) return {};
  const bool same_requests = before.requests == next.requests,
             same_attention = before.attention == next.attention;
  std::vector<Intervention> kept;
  for (const Intervention& what : list)
    if ((same_requests || !names_token_or_request(what)) &&
        (same_attention || what.kind != InterventionKind::kSink))
      kept.push_back(what);
  return kept;
}

}  // namespace attn::gui

#include "moc_what_if_list.cpp"
