// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_job.h"

#include <utility>

namespace attn::gui {

template <class Result, class Compute>
void CompareJob::launch_for(std::shared_ptr<const Result>& place, Compute compute) {
  // `made` is written on the engine thread before the job ends.
  auto made = std::make_shared<std::shared_ptr<const Result>>();
  keep_ = [made, &place] { place = *made; };
  launch([made, compute = std::move(compute)](RunGate& gate, const Progress& progress) {
    Result result = compute(gate, progress);
    if (result.cancelled) return false;
    *made = std::make_shared<const Result>(std::move(result));
    return true;
  });
}

void CompareJob::start(CompareSpec spec) {
  launch_for(result_, [spec = std::move(spec)](RunGate& gate, const CompareProgress& progress) {
    return run_compare(spec, &gate, progress);
  });
}

void CompareJob::start(CacheCompareSpec spec) {
  launch_for(cache_result_,
             [spec = std::move(spec)](RunGate& gate, const CompareProgress& progress) {
               return compare_cache(spec, &gate, progress);
             });
}

}  // namespace attn::gui

#include "moc_compare_job.cpp"
