// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_stats.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace attn::gui {

namespace {

using Clock = std::chrono::steady_clock;

bool read_scores(const HeadsRef& heads, int64_t index, const std::function<bool()>& stop,
                 HeadSummary& summary) {
  static const RepeatedTokens nothing;
  const HeadRef head = heads.head(index);
  const uint64_t version = head.record->version();
  const RepeatedTokens* repeated = heads.repeated_of(index);
  const bool all = read_head(*head.record, head.layer, head.head, head.rows,
                             repeated ? *repeated : nothing, stop, summary.reading);
  summary.read_version = version;
  summary.read_rows = all ? head.rows : -1;
  if (all && head.rule().sinks.empty()) {
    summary.off = 0;
    for (size_t row = 0; row < summary.reading.rows.size(); ++row)
      if (const double mass = summary.reading.rows[row].mass; summary.reading.read[row] && mass > 0)
        summary.off = std::max(summary.off, std::abs(mass - 1));
  }
  return all;
}

bool read_thumb(const HeadsRef& heads, int64_t index, const ThumbDetail& thumb,
                std::chrono::milliseconds budget, HeadSummary& summary) {
  const bool same = summary.thumb_detail == thumb;
  const TileRefresh refresh =
      refresh_tile(heads.head(index), thumb.key(), same ? summary.thumb : nullptr, budget);
  if (refresh.tile) {
    summary.thumb = refresh.tile;
    summary.thumb_most = 0;
    for (const float entry : refresh.tile->value)
      if (is_value(entry))
        summary.thumb_most = std::max(summary.thumb_most, static_cast<double>(entry));
  }
  summary.thumb_detail = thumb;
  summary.thumb_version = refresh.version;
  summary.thumb_rows = refresh.finished ? heads.head(index).rows : -1;
  return refresh.finished;
}

}  // namespace

struct HeadStats::Slice {
  HeadsRef heads;
  ThumbDetail thumb;
  uint64_t epoch = 0;
  struct Step {
    Task task;
    std::shared_ptr<const HeadSummary> known;  // may be null
    std::shared_ptr<HeadSummary> made;         // null: the slice ended before this step
    bool finished = false;
  };
  std::vector<Step> steps;
};

int thumb_level(int64_t cells, double pixels) {
  const int64_t most = std::clamp<int64_t>(static_cast<int64_t>(std::floor(pixels)), 1, kTileSide);
  int level = 0;
  while (((cells + (int64_t{1} << level) - 1) >> level) > most) ++level;
  return level;
}

HeadSummaries read_all(const HeadsRef& heads, const ThumbDetail& thumb, HeadSummaries known) {
  known.resize(static_cast<size_t>(heads.count()));
  for (int64_t i = 0; i < heads.count(); ++i) {
    std::shared_ptr<const HeadSummary>& at = known[static_cast<size_t>(i)];
    auto summary = at ? std::make_shared<HeadSummary>(*at) : std::make_shared<HeadSummary>();
    read_scores(
        heads, i, [] { return false; }, *summary);
    read_thumb(heads, i, thumb, std::chrono::hours(1), *summary);
    at = std::move(summary);
  }
  return known;
}

HeadStats::HeadStats(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);  // one slice at a time
}

HeadStats::~HeadStats() {
  quit_ = true;
  pool_.waitForDone();
}

void HeadStats::want(const HeadsRef& heads, const ThumbDetail& thumb) {
  // Results are dropped if another sequence is shown, or fewer rows of the same one, because
  // results for more rows cannot be reduced to fewer rows.
  if (heads.record != heads_.record || heads.rows < heads_.rows ||
      heads.encoder != heads_.encoder || heads.encoder_rows < heads_.encoder_rows) {
    clear();
    summaries_.resize(static_cast<size_t>(heads.count()));
  }
  heads_ = heads;
  thumb_ = thumb;
  if (!heads_.record) return;
  queue_missing();
  again_ = running_;  // the slice under way began before this call
  start_slice();
}

void HeadStats::stop() {
  waiting_.clear();
  queued_.clear();
  again_ = false;
}

void HeadStats::clear() {
  stop();
  ++epoch_;
  heads_ = {};
  summaries_.clear();
}

bool HeadStats::is_current(const Task& task) const {
  const auto& summary = summaries_[static_cast<size_t>(task.index)];
  if (!summary) return false;
  const HeadRef head = heads_.head(task.index);
  const uint64_t version = head.record->version();
  if (task.part == Part::kScores)
    return summary->read_version == version && summary->read_rows == head.rows;
  return summary->thumb && summary->thumb_detail == thumb_ && summary->thumb_version == version &&
         summary->thumb_rows == head.rows;
}

// Adds missing tasks at the end of the queue. Those that wait already keep their places.
void HeadStats::queue_missing() {
  for (const Part part : {Part::kThumb, Part::kScores})
    for (int64_t i = 0; i < heads_.count(); ++i) {
      const Task task{part, i};
      if (queued_.contains(task) || is_current(task)) continue;
      queued_.insert(task);
      waiting_.push_back(task);
    }
}

void HeadStats::start_slice() {
  if (running_ || waiting_.empty()) return;
  auto slice = std::make_shared<Slice>();
  slice->heads = heads_;
  slice->thumb = thumb_;
  slice->epoch = epoch_;
  for (const Task& task : waiting_)
    slice->steps.push_back({task, summaries_[static_cast<size_t>(task.index)], nullptr, false});
  waiting_.clear();
  running_ = true;
  ++slices_;
  pool_.start([this, slice] {
    work(*slice, quit_);
    QMetaObject::invokeMethod(
        this, [this, slice] { take(slice); }, Qt::QueuedConnection);
  });
}

void HeadStats::work(Slice& slice, const std::atomic<bool>& quit) {
  const Clock::time_point deadline = Clock::now() + kSlice;
  const auto over = [&] { return quit || Clock::now() >= deadline; };
  // The newest result of this slice for each head, because both parts of a head may be in it.
  std::map<int64_t, std::shared_ptr<const HeadSummary>> newest;
  for (Slice::Step& step : slice.steps) {
    if (over()) return;
    const auto other = newest.find(step.task.index);
    const auto& known = other != newest.end() ? other->second : step.known;
    step.made = known ? std::make_shared<HeadSummary>(*known) : std::make_shared<HeadSummary>();
    step.finished = step.task.part == Part::kScores
                        ? read_scores(slice.heads, step.task.index, over, *step.made)
                        : read_thumb(slice.heads, step.task.index, slice.thumb, kSlice, *step.made);
    newest[step.task.index] = step.made;
  }
}

void HeadStats::take(const std::shared_ptr<Slice>& slice) {
  running_ = false;
  if (slice->epoch == epoch_) {
    for (const Slice::Step& step : slice->steps) {
      if (step.made) summaries_[static_cast<size_t>(step.task.index)] = step.made;
      if (!queued_.contains(step.task)) continue;  // stop() was called meanwhile
      if (step.finished) {
        queued_.erase(step.task);
      } else {
        waiting_.push_back(step.task);
      }
    }
    // Unfinished tasks of the slice come before the tasks that want() added meanwhile.
    std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Task& task) {
      return std::ranges::any_of(slice->steps,
                                 [&](const Slice::Step& step) { return step.task == task; });
    });
    if (std::exchange(again_, false)) queue_missing();
    emit arrived();
  }
  start_slice();
}

bool HeadStats::wait(std::chrono::milliseconds timeout) {
  QElapsedTimer timer;
  timer.start();
  while (busy() && timer.elapsed() < timeout.count()) {
    pool_.waitForDone(5);
    QCoreApplication::sendPostedEvents(this);
  }
  return !busy();
}

}  // namespace attn::gui

#include "moc_head_stats.cpp"
