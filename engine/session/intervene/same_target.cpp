// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/intervene/same_target.h"

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

}  // namespace attn
