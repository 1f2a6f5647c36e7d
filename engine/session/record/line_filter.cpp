// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/line_filter.h"

#include <algorithm>
#include <cmath>

namespace attn {

KeptKeys keep_keys(const LineFilter& filter, std::span<const float> row) {
  KeptKeys kept;
  const double least = filter.kind == LineFilter::Kind::kAtLeast ? filter.value : 0;
  for (size_t k = 0; k < row.size(); ++k) {
    const auto weight = static_cast<double>(row[k]);
    kept.mass += weight;
    if (weight > 0 && weight >= least && (k > 0 || !filter.without_first))
      kept.keys.push_back(static_cast<int32_t>(k));
  }
  kept.hidden = kept.mass;
  if (std::isnan(kept.mass)) {
    kept.keys.clear();
    return kept;
  }
  const auto weight = [&](int32_t key) {
    return static_cast<double>(row[static_cast<size_t>(key)]);
  };
  std::stable_sort(kept.keys.begin(), kept.keys.end(),
                   [&](int32_t a, int32_t b) { return weight(a) > weight(b); });
  if (filter.kind == LineFilter::Kind::kTopMass) {
    double all = kept.mass;
    if (filter.without_first && !row.empty()) all -= static_cast<double>(row.front());
    double held = 0;
    size_t count = 0;
    while (count < kept.keys.size() && held < filter.value * all)
      held += weight(kept.keys[count++]);
    kept.keys.resize(count);
  }
  double shown = 0;
  for (const int32_t key : kept.keys) shown += weight(key);
  // The two sums add in different orders, so their difference can fall just below 0.
  kept.hidden = std::max(0.0, kept.mass - shown);
  return kept;
}

}  // namespace attn
