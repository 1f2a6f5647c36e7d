// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/session/report/report.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kNothing;
}

template <class Value>
Distribution distribution_of(const EngineSnapshot& snapshot, Value value) {
  Distribution result;
  for (const RequestView& request : snapshot.requests) {
    if (request.parent) continue;
    ++result.requests;
    if (const auto ns = value(request))
      result.entries.push_back({static_cast<double>(*ns), request.id, is_finished(request.state)});
  }
  std::sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
    return a.ns != b.ns ? a.ns < b.ns : a.request < b.request;
  });
  return result;
}

}  // namespace

double Distribution::percentile(double share_of_all) const {
  if (entries.empty()) return kNothing;
  const auto count = static_cast<double>(entries.size());
  // A product such as 0.07 * 100 is a little above the whole number.
  const auto rank = static_cast<size_t>(std::max(1.0, std::ceil(share_of_all * count - 1e-9)));
  return entries[std::min(rank, entries.size()) - 1].ns;
}

Distribution ttft_of(const EngineSnapshot& snapshot) {
  Distribution result =
      distribution_of(snapshot, [](const RequestView& request) { return request.metrics.ttft_ns; });
  for (Distribution::Entry& entry : result.entries) entry.ended = true;
  return result;
}

Distribution tpot_of(const EngineSnapshot& snapshot) {
  return distribution_of(snapshot,
                         [](const RequestView& request) { return request.metrics.tpot_ns; });
}

Histogram histogram_of(const Distribution& distribution, int max_bins) {
  Histogram result;
  if (distribution.entries.empty()) return result;
  const double low = distribution.entries.front().ns, high = distribution.entries.back().ns;
  const double span = high > low ? (high - low) / max_bins : std::max(high, 1.0) / 10;
  result.width = nice_step(span);
  result.begin = std::floor(low / result.width) * result.width;
  for (const Distribution::Entry& entry : distribution.entries) {
    const auto bin = static_cast<size_t>((entry.ns - result.begin) / result.width);
    if (bin >= result.counts.size()) result.counts.resize(bin + 1);
    ++result.counts[bin];
  }
  return result;
}

std::vector<MetricsPoint> decimate(const std::vector<double>& x, const std::vector<double>& y,
                                   double x_begin, double x_end, int columns) {
  std::vector<MetricsPoint> points;
  if (x.empty() || columns < 1 || !(x_end > x_begin)) return points;
  const auto index = [&](auto found) { return static_cast<size_t>(found - x.begin()); };
  size_t first = index(std::lower_bound(x.begin(), x.end(), x_begin));
  size_t end = index(std::upper_bound(x.begin(), x.end(), x_end));
  const auto add = [&](size_t i) { points.push_back({x[i], y[i]}); };
  for (size_t before = first; before > 0; --before)
    if (!std::isnan(y[before - 1])) {
      add(before - 1);
      break;
    }
  const double scale = columns / (x_end - x_begin);
  const auto column_of = [&](size_t i) {
    return std::min(columns - 1, static_cast<int>((x[i] - x_begin) * scale));
  };
  for (size_t i = first; i < end;) {
    const int column = column_of(i);
    size_t low = i, high = i;
    bool any = false;
    for (; i < end && column_of(i) == column; ++i) {
      if (std::isnan(y[i])) continue;
      if (!any || y[i] < y[low]) low = i;
      if (!any || y[i] > y[high]) high = i;
      any = true;
    }
    if (!any) continue;
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  for (; end < x.size(); ++end)
    if (!std::isnan(y[end])) {
      add(end);
      break;
    }
  return points;
}

void MetricsModel::clear() {
  *this = MetricsModel();
}

void MetricsModel::update(const std::shared_ptr<const EngineSnapshot>& snapshot) {
  const size_t steps = snapshot && snapshot->steps ? snapshot->steps->size() : 0;
  if (!snapshot || (snapshot_ && snapshot_->run != snapshot->run)) clear();
  if (!snapshot) return;
  if (steps < size()) truncate(steps);  // a past step is shown
  snapshot_ = snapshot;
  for (size_t i = size(); i < steps; ++i) append((*snapshot->steps)[i]);
  ttft_ = ttft_of(*snapshot);
  tpot_ = tpot_of(*snapshot);
  token_times_ = snapshot->steps ? gui::token_times(*snapshot->steps) : TokenTimes{};
}

void MetricsModel::truncate(size_t steps) {
  for (std::vector<double>& column : columns_) column.resize(steps);
  numbers_.resize(steps);
  ends_ns_.resize(steps);
  queried_.resize(steps);
  hit_.resize(steps);
}

void MetricsModel::append(const StepRecord& record) {
  const auto put = [this](StepValue value, double number) {
    columns_[static_cast<size_t>(value)].push_back(number);
  };
  const auto put_count = [&](StepValue value, int64_t count) {
    put(value, static_cast<double>(count));
  };
  numbers_.push_back(record.step);
  ends_ns_.push_back(static_cast<double>(record.end_ns));
  // The rate of this step alone: a mean over several steps would show prefill in steps without any.
  const auto rate = [&](int64_t tokens) {
    return record.end_ns > record.begin_ns
               ? static_cast<double>(tokens) * 1e9 /
                     static_cast<double>(record.end_ns - record.begin_ns)
               : kNothing;
  };
  put(StepValue::kPrefillRate, rate(record.prefill_tokens));
  put(StepValue::kDecodeRate, rate(record.decode_tokens));
  put_count(StepValue::kWaiting, record.waiting);
  put_count(StepValue::kRunning, record.running);
  put_count(StepValue::kSwapped, record.swapped);
  put_count(StepValue::kUsed, record.used_blocks);
  put_count(StepValue::kCached, record.cached_blocks);
  put_count(StepValue::kFree, record.free_blocks);
  put_count(StepValue::kSwapUsed, record.swap_blocks_used);
  const auto so_far = [](std::vector<int64_t>& sums, int64_t tokens) {
    sums.push_back((sums.empty() ? 0 : sums.back()) + tokens);
  };
  so_far(queried_, record.queried_tokens);
  so_far(hit_, record.hit_tokens);
  put(StepValue::kHitStep, share(record.hit_tokens, record.queried_tokens));
  put(StepValue::kHitSoFar, share(hit_.back(), queried_.back()));
  put_count(StepValue::kPreempted, record.preemptions);
  put_count(StepValue::kCopied, record.copied_blocks);
  put_count(StepValue::kSwappedOut, record.swapped_out_blocks);
  put_count(StepValue::kSwappedIn, record.swapped_in_blocks);
  put_count(StepValue::kEvicted, record.evicted_blocks);
}

size_t MetricsModel::index_of_step(uint32_t step) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), double(step));
  if (found == numbers_.end()) return numbers_.empty() ? 0 : numbers_.size() - 1;
  const auto at = static_cast<size_t>(found - numbers_.begin());
  return at > 0 && step - numbers_[at - 1] < *found - step ? at - 1 : at;
}

double MetricsModel::largest(StepValue value, size_t first, size_t last) const {
  const std::vector<double>& all = column(value);
  double most = 0;
  for (size_t i = first; i <= last && i < all.size(); ++i)
    if (all[i] > most) most = all[i];  // false for NaN
  return most;
}

std::string MetricsModel::csv() const {
  std::string csv =
      "step,begin_ns,end_ns,prefill_tokens,decode_tokens,prefill_tokens_per_s,decode_tokens_per_s,"
      "waiting_requests,running_requests,swapped_requests,used_blocks,cached_blocks,free_blocks,"
      "swap_blocks_used,queried_tokens,hit_tokens,hit_share_of_step,hit_share_so_far,"
      "preempted_requests,copied_blocks,swapped_out_blocks,swapped_in_blocks,evicted_blocks,"
      "ttft_ns,tpot_ns\n";
  std::vector<std::string> ttft(size()), tpot(size());
  const auto place = [this](std::vector<std::string>& cells, const std::optional<uint64_t>& at_ns,
                            double ns) {
    if (!at_ns || cells.empty()) return;
    const auto found = std::lower_bound(ends_ns_.begin(), ends_ns_.end(), double(*at_ns));
    std::string& cell = cells[std::min(size() - 1, static_cast<size_t>(found - ends_ns_.begin()))];
    cell += (cell.empty() ? "" : " ") + format_double(ns);
  };
  if (snapshot_)
    for (const RequestView& request : snapshot_->requests) {
      if (request.parent) continue;
      if (request.metrics.ttft_ns)
        place(ttft, request.times.first_token_ns, double(*request.metrics.ttft_ns));
      if (request.metrics.tpot_ns) place(tpot, request.times.finished_ns, *request.metrics.tpot_ns);
    }
  const auto number = [](double value) {
    return std::isnan(value) ? std::string() : format_double(value);
  };
  for (size_t i = 0; i < size(); ++i) {
    const StepRecord& step = record(i);
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{},{}", step.step,
                   step.begin_ns, step.end_ns, step.prefill_tokens, step.decode_tokens,
                   number(value(StepValue::kPrefillRate, i)),
                   number(value(StepValue::kDecodeRate, i)), step.waiting, step.running,
                   step.swapped, step.used_blocks, step.cached_blocks, step.free_blocks,
                   step.swap_blocks_used);
    fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{},{},{},{},{},{}\n",
                   step.queried_tokens, step.hit_tokens, number(value(StepValue::kHitStep, i)),
                   number(value(StepValue::kHitSoFar, i)), step.preemptions, step.copied_blocks,
                   step.swapped_out_blocks, step.swapped_in_blocks, step.evicted_blocks, ttft[i],
                   tpot[i]);
  }
  return csv;
}

}  // namespace attn::gui
