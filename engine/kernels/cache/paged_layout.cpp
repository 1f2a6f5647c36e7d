// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/paged_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/attention/pad_heads.h"

namespace attn {

std::string paged_head_size_reason(const AttentionBackend& backend, const AttentionConfig& config) {
  if (std::ranges::find(kPagedHeadSizes, cache_head_size(backend, config)) !=
      std::end(kPagedHeadSizes))
    return "";
  return fmt::format(
      "{} stores its cache in the layout of paged attention, which exists for the head sizes {}, "
      "not for {}.{}",
      backend.display_name(), fmt::join(kPagedHeadSizes, ", "), config.head_size,
      config.pad_head_size ? "" : padding_hint(backend, config));
}

}  // namespace attn
