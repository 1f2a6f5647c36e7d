// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/synthetic/synthetic_spec.h"

namespace attn {

std::string_view name_of(SyntheticKind kind) {
  constexpr std::string_view kNames[] = {"random",    "local",       "induction",      "needle",
                                         "alignment", "alternating", "encoder_decoder"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<SyntheticKind> synthetic_kind_from_name(std::string_view name) {
  for (const SyntheticKind kind : kSyntheticKinds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

}  // namespace attn
