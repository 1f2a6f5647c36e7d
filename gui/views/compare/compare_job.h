// SPDX-License-Identifier: GPL-3.0-or-later
// CompareJob: one comparison on the engine thread. GUI thread.
#pragma once

#include <functional>
#include <memory>

#include "engine/session/compare/compare_cache.h"
#include "gui/bridge/engine_job.h"

namespace attn::gui {

class CompareJob : public EngineJob {
  Q_OBJECT
 public:
  using EngineJob::EngineJob;

  // Starts a comparison; one already on its way is cancelled.
  void start(CompareSpec spec);
  void start(CacheCompareSpec spec);

  // The last comparison of its kind that was completed; null before the first.
  std::shared_ptr<const CompareResult> result() const { return result_; }
  std::shared_ptr<const CacheCompareResult> cache_result() const { return cache_result_; }

 protected:
  void take_result() override { keep_(); }
  QString cancelled_text() const override { return tr("The comparison was cancelled."); }

 private:
  // Launches `compute`, whose result take_result() puts into `place`.
  template <class Result, class Compute>
  void launch_for(std::shared_ptr<const Result>& place, Compute compute);

  std::function<void()> keep_;
  std::shared_ptr<const CompareResult> result_;
  std::shared_ptr<const CacheCompareResult> cache_result_;
};

}  // namespace attn::gui
