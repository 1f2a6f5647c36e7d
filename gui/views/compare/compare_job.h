// SPDX-License-Identifier: GPL-3.0-or-later
// CompareJob: runs a comparison on the engine thread. Call its functions on the GUI thread.
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

  // Starts a comparison and cancels one that still runs.
  void start(CompareSpec spec);
  void start(CacheCompareSpec spec);

  // The last completed comparison of this kind; null: none.
  std::shared_ptr<const CompareResult> result() const { return result_; }
  std::shared_ptr<const CacheCompareResult> cache_result() const { return cache_result_; }

 protected:
  void take_result() override { keep_(); }
  QString cancelled_text() const override { return tr("The comparison was cancelled."); }

 private:
  // Launches `compute`. take_result() then puts its result into `place`.
  template <class Result, class Compute>
  void launch_for(std::shared_ptr<const Result>& place, Compute compute);

  std::function<void()> keep_;
  std::shared_ptr<const CompareResult> result_;
  std::shared_ptr<const CacheCompareResult> cache_result_;
};

}  // namespace attn::gui
