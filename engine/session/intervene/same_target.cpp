// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/intervene/same_target.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace attn {

bool same_target(const Intervention& a, const Intervention& b) {
  if (a.kind != b.kind) return false;
  const bool same_head = a.layer == b.layer && a.head == b.head;
  switch (a.kind) {
    case InterventionKind::kHead:
      return same_head && a.position == b.position;
    case InterventionKind::kEdge:
      return same_head && a.query == b.query && a.key == b.key;
    case InterventionKind::kSink:
      return same_head;
    case InterventionKind::kResidual:
      // The stream after the embedding belongs to no layer.
      return a.site == b.site && (a.layer == b.layer || a.site == ResidualSite::kEmbed) &&
             a.position == b.position;
  }
  return false;
}

void check_targets(const std::vector<Intervention>& list, const std::string& where,
                   const std::string& path) {
  for (size_t i = 0; i < list.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (same_target(list[j], list[i]))
        throw_bad_input(
            {"two interventions change the same values", fmt::format("{}[{}]", where, i),
             fmt::format("{}, and in {}[{}] {}", text_of(list[i]), path, j, text_of(list[j])),
             "each head, edge, sink or residual stream once", ""});
}

}  // namespace attn
