// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/rows/event_rows.h"

#include <QElapsedTimer>
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace attn::gui {
namespace {

constexpr uint64_t kAtOnce = 1 << 14;  // events read from the recorder at a time
// At most this many new events are filtered on the GUI thread at once.
constexpr uint64_t kHere = 1 << 13;
constexpr int kBeatMs = 40;
// After a job, a sorted table waits kMergeRest times as long as the job took, but at least
// kLeastMergeMs, before it takes new events.
constexpr int kLeastMergeMs = 150, kMergeRest = 10;

}  // namespace

// The inputs, progress and result of a job. The GUI thread does not change the inputs.
struct EventRows::Job {
  enum class Kind { kFull, kExtend, kMerge, kFind };
  Kind kind = Kind::kFull;
  EventFilter filter;
  EventOrder order;
  EventRowsPicture before;  // rows when the job began, with recorder, step times, messages
  uint64_t from = 0;        // events [from, before.total)
  std::optional<SelectedEvents> sought;
  uint64_t after = 0;  // kFind: the search begins after this row

  std::atomic<bool> cancelled{false};
  std::atomic<Work> work{Work::kFiltering};
  std::atomic<uint64_t> done{0}, all{1};

  ChunkList<uint32_t> made;
  std::shared_ptr<const EventKeys> keys;
  uint64_t uncertain_from = UINT64_MAX;
  int64_t found = -1;
  qint64 took_ms = 0;

  void run();

 private:
  std::vector<uint32_t> collect();
  void sort(std::vector<uint32_t>& rows);
  bool arrange(std::vector<uint32_t>& rows, const std::vector<uint64_t>& keys);
  void merge(const std::vector<uint32_t>& added);
  void look();
  // Calls see(event, index) for [from, before.total), until cancelled.
  template <class See>
  void each(See&& see);
};

template <class See>
void EventRows::Job::each(See&& see) {
  std::vector<TraceEvent> events;
  for (uint64_t at = from; at < before.total && !cancelled; at += events.size()) {
    events.clear();
    before.recorder->read(at, events, std::min(kAtOnce, before.total - at));
    if (events.empty()) return;
    for (size_t i = 0; i < events.size(); ++i) see(events[i], static_cast<uint32_t>(at + i));
    done += events.size();
  }
}

std::vector<uint32_t> EventRows::Job::collect() {
  std::vector<uint32_t> rows;
  if (filter.passes_all()) {
    rows.resize(before.total - from);
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(from));
    return rows;
  }
  all = std::max<uint64_t>(1, before.total - from);
  EventContext context{&before.steps, before.messages, 0, {}};
  each([&](const TraceEvent& event, uint32_t index) {
    bool certain = true;
    if (filter.matches(event, index, context, certain)) rows.push_back(index);
    if (!certain) uncertain_from = std::min<uint64_t>(uncertain_from, index);
  });
  return rows;
}

// One stable sort for each key, the least important key first.
void EventRows::Job::sort(std::vector<uint32_t>& rows) {
  keys = std::make_shared<const EventKeys>(order, before.steps, before.messages);
  work = Work::kSorting;
  done = 0;
  constexpr uint64_t kShareOfSorting = 2;  // arranging counts as much as reading
  all = std::max<uint64_t>(1, (before.total - from) * keys->count() * kShareOfSorting);
  const std::vector<uint32_t> members = keys->count() > 1 ? rows : std::vector<uint32_t>{};
  std::vector<uint64_t> values(before.total - from);
  for (size_t which = keys->count(); which-- > 0 && !cancelled;) {
    const std::vector<uint32_t>& wanted = keys->count() > 1 ? members : rows;
    size_t next = 0, near = 0;
    each([&](const TraceEvent& event, uint32_t index) {
      if (next == wanted.size() || wanted[next] != index) return;
      values[index - from] = keys->key(event, index, which, near);
      ++next;
    });
    if (!arrange(rows, values)) return;
    done += before.total - from;
  }
}

// Radix sort by digits of 11 bits, from the lowest. Digits in which no keys differ are skipped.
bool EventRows::Job::arrange(std::vector<uint32_t>& rows, const std::vector<uint64_t>& values) {
  constexpr int kBits = 11;
  constexpr uint64_t kMask = (1 << kBits) - 1;
  if (rows.empty()) return true;
  uint64_t varying = 0;
  const uint64_t first = values[rows.front() - from];
  for (const uint32_t row : rows) varying |= values[row - from] ^ first;
  std::vector<uint32_t> next(rows.size());
  for (int shift = 0; shift < 64; shift += kBits) {
    if ((varying >> shift & kMask) == 0) continue;
    std::array<size_t, kMask + 1> place{};
    for (const uint32_t row : rows) ++place[values[row - from] >> shift & kMask];
    size_t sum = 0;
    for (size_t& count : place) sum += std::exchange(count, sum);
    if (cancelled) return false;
    for (const uint32_t row : rows) next[place[values[row - from] >> shift & kMask]++] = row;
    rows.swap(next);
    if (cancelled) return false;
  }
  return true;
}

// Merges new rows into the old ones. Of equal keys the old row comes first.
void EventRows::Job::merge(const std::vector<uint32_t>& added) {
  std::vector<TraceEvent> one;
  size_t near = 0;
  const auto keys_of = [&](uint32_t index) {
    one.clear();
    before.recorder->read(index, one, 1);
    std::array<uint64_t, EventKeys::kMostKeys> values{};
    for (size_t i = 0; i < keys->count(); ++i) values[i] = keys->key(one.front(), index, i, near);
    return values;
  };
  const ChunkList<uint32_t>& old = before.list;
  size_t copied = 0;
  for (const uint32_t index : added) {
    if (cancelled) return;
    const auto wanted = keys_of(index);
    size_t first = copied, last = old.size();
    while (first < last) {
      const size_t middle = (first + last) / 2;
      if (keys_of(old[middle]) <= wanted)
        first = middle + 1;
      else
        last = middle;
    }
    for (; copied < first; ++copied) made.push_back(old[copied]);
    made.push_back(index);
  }
  for (; copied < old.size() && !cancelled; ++copied) made.push_back(old[copied]);
}

void EventRows::Job::look() {
  std::vector<TraceEvent> one;
  const uint64_t count = before.size();
  all = std::max<uint64_t>(1, count);
  for (uint64_t i = 1; i <= count && !cancelled; ++i) {
    const uint32_t index = before.event_at((after + i) % count);
    one.clear();
    before.recorder->read(index, one, 1);
    if (one.empty() || !sought->matches(one.front(), index)) continue;
    found = index;
    return;
  }
}

void EventRows::Job::run() {
  QElapsedTimer clock;
  clock.start();
  if (kind == Kind::kFind) return look();
  std::vector<uint32_t> found_rows = collect();
  if (order.column != EventColumn::kNumber && !cancelled) sort(found_rows);
  if (kind == Kind::kMerge)
    merge(found_rows);
  else
    made.append(found_rows.data(), found_rows.size());
  took_ms = clock.elapsed();
}

EventRows::EventRows(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);  // one job after another
  beat_.setInterval(kBeatMs);
  merge_wait_.setSingleShot(true);
  connect(&beat_, &QTimer::timeout, this, &EventRows::progressed);
  connect(&merge_wait_, &QTimer::timeout, this, &EventRows::go_on);
}

EventRows::~EventRows() {
  if (job_) job_->cancelled = true;
  if (find_) find_->cancelled = true;
  pool_.waitForDone();
}

void EventRows::start(std::shared_ptr<const Recorder> recorder) {
  shown_ = {};
  shown_.recorder = std::move(recorder);
  recorded_ = 0;
  most_ = UINT64_MAX;
  near_ = 0;
  if (find_) find_->cancelled = true;
  find_.reset();
  restart();
}

void EventRows::append(uint64_t total) {
  if (!shown_.recorder) return;
  while (recorded_ < total) {
    buffer_.clear();
    shown_.recorder->read(recorded_, buffer_, std::min(kAtOnce, total - recorded_));
    if (buffer_.empty()) break;
    bool warned = false;
    auto index = static_cast<uint32_t>(recorded_);
    for (const TraceEvent& event : buffer_) {
      shown_.steps.take(event, index++);
      warned = warned || event.kind == EventKind::kWarning;
    }
    if (warned) shown_.messages = shown_.recorder->messages();
    recorded_ += buffer_.size();
  }
  extend();
}

void EventRows::extend() {
  shown_.total = std::min(recorded_, most_);
  look_again_at_uncertain();
  go_on();
  if (shown_.all) emit changed();
}

void EventRows::show_first(uint64_t most) {
  most_ = most;
  if (!shown_.recorder || shown_.total == std::min(recorded_, most)) return;
  if (most < shown_.total)
    cut(most);
  else
    extend();
}

// Cancels the jobs and removes the rows of events from `total` on.
void EventRows::cut(uint64_t total) {
  for (std::shared_ptr<Job>* job : {&job_, &find_}) {
    if (*job) (*job)->cancelled = true;
    job->reset();
  }
  beat_.stop();
  shown_.total = total;
  if (!shown_.all && done_ > total) {
    const ChunkList<uint32_t>& list = shown_.list;
    if (!keys_) {  // the list is in order of recording
      shown_.list.truncate(first_row_from(total));
    } else {
      ChunkList<uint32_t> kept;
      for (size_t i = 0; i < list.size(); ++i)
        if (list[i] < total) kept.push_back(list[i]);
      shown_.list = std::move(kept);
    }
    done_ = total;
    if (uncertain_from_ >= total) uncertain_from_ = UINT64_MAX;
  }
  ++generation_;
  if (stale_) return restart();
  go_on();
  emit changed();
  emit progressed();
}

// The first place in the list whose event is not before `event`. Needs a list in order of
// recording.
size_t EventRows::first_row_from(uint64_t event) const {
  size_t first = 0, last = shown_.list.size();
  while (first < last) {
    const size_t middle = (first + last) / 2;
    if (shown_.list[middle] < event)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

void EventRows::set_filter(EventFilter filter) {
  filter_ = std::move(filter);
  restart();
}

void EventRows::set_order(EventOrder order) {
  if (order == order_) return;
  // If only the direction of the order of recording changes, nothing has to be made anew.
  const bool turned = !stale_ && in_order_of_recording() && order.column == EventColumn::kNumber;
  order_ = order;
  if (!turned) return restart();
  shown_.reversed = order.descending;
  ++generation_;
  emit changed();
}

// Makes the rows for a new run, filter or order. If that needs a job, the rows stay until it ends.
void EventRows::restart() {
  if (job_) job_->cancelled = true;
  job_.reset();
  merge_wait_.stop();
  stale_ = true;
  const bool all = filter_.passes_all() && in_order_of_recording();
  if (all || shown_.total == 0) {
    pool_.start([old = std::move(shown_.list)] {});  // frees the memory on the other thread
    shown_.list.clear();
    shown_.all = all;
    shown_.reversed = in_order_of_recording() && order_.descending;
    keys_.reset();
    done_ = 0;
    uncertain_from_ = UINT64_MAX;
    stale_ = false;
    ++generation_;
    beat_.stop();
    emit changed();
    emit progressed();
    return;
  }
  go_on();
  emit progressed();
}

void EventRows::go_on() {
  if (job_ || !shown_.recorder) return;
  if (!stale_ && (shown_.all || done_ == shown_.total)) return;
  if (!stale_ && in_order_of_recording() && shown_.total - done_ <= kHere) return add_here();
  if (!stale_ && !in_order_of_recording() && merge_wait_.isActive()) return;
  auto job = std::make_shared<Job>();
  job->filter = filter_;
  job->order = order_;
  job->before = shown_;
  const bool by_step = order_.column == EventColumn::kStep || filter_.asks_steps();
  const bool many = shown_.total - done_ > shown_.list.size() / 8;
  if (stale_ || (!in_order_of_recording() && (by_step || many))) {
    job->kind = Job::Kind::kFull;
  } else {
    job->kind = in_order_of_recording() ? Job::Kind::kExtend : Job::Kind::kMerge;
    job->from = done_;
  }
  ended_seen_ = shown_.steps.num_ended();
  launch(job);
  job_ = std::move(job);
  beat_.start();
}

void EventRows::launch(std::shared_ptr<Job> job) {
  pool_.start([this, job = std::move(job)] {
    job->run();
    QMetaObject::invokeMethod(
        this, [this, job] { finish(job); }, Qt::QueuedConnection);
  });
}

void EventRows::finish(const std::shared_ptr<Job>& job) {
  if (job == find_) {
    find_.reset();
    emit found(job->found);
    return;
  }
  if (job != job_) return;  // replaced by a newer job
  job_.reset();
  beat_.stop();
  if (job->kind == Job::Kind::kExtend) {
    for (size_t i = 0; i < job->made.size(); ++i) shown_.list.push_back(job->made[i]);
    uncertain_from_ = std::min(uncertain_from_, job->uncertain_from);
  } else {
    pool_.start([old = std::move(shown_.list)] {});
    shown_.list = std::move(job->made);
    uncertain_from_ = job->uncertain_from;
  }
  shown_.all = false;
  shown_.reversed = in_order_of_recording() && order_.descending;
  keys_ = job->keys;
  done_ = job->before.total;
  if (stale_) ++generation_;
  stale_ = false;
  if (!in_order_of_recording())
    merge_wait_.start(std::max<int>(kLeastMergeMs, static_cast<int>(job->took_ms) * kMergeRest));
  look_again_at_uncertain();
  emit changed();
  go_on();
  emit progressed();
}

// Filters new events without a job. Only for a table in order of recording.
void EventRows::add_here() {
  const size_t before = shown_.list.size();
  EventContext context{&shown_.steps, shown_.messages, near_, {}};
  buffer_.clear();
  shown_.recorder->read(done_, buffer_, shown_.total - done_);
  for (const TraceEvent& event : buffer_) {
    bool certain = true;
    const auto index = static_cast<uint32_t>(done_);
    if (filter_.matches(event, index, context, certain)) shown_.list.push_back(index);
    if (!certain) uncertain_from_ = std::min(uncertain_from_, done_);
    ++done_;
  }
  ended_seen_ = shown_.steps.num_ended();
  if (shown_.list.size() != before || std::exchange(cut_, false)) emit changed();
}

// After the end of a step, removes the rows from the first uncertain event on, to filter them
// again.
void EventRows::look_again_at_uncertain() {
  if (job_ || shown_.all || stale_ || !in_order_of_recording()) return;
  if (shown_.steps.num_ended() == ended_seen_ || uncertain_from_ >= done_) return;
  shown_.list.truncate(first_row_from(uncertain_from_));
  done_ = uncertain_from_;
  uncertain_from_ = UINT64_MAX;
  ended_seen_ = shown_.steps.num_ended();
  cut_ = true;
}

TraceEvent EventRows::event_of(uint32_t index) const {
  one_.clear();
  if (shown_.recorder) shown_.recorder->read(index, one_, 1);
  return one_.empty() ? TraceEvent{} : one_.front();
}

std::optional<uint64_t> EventRows::row_of(uint32_t wanted) const {
  if (wanted >= shown_.total) return std::nullopt;
  const auto row_at = [&](uint64_t at) { return shown_.reversed ? size() - 1 - at : at; };
  if (shown_.all) return row_at(wanted);
  // In the order of steps the rows are compared one by one.
  if (keys_ && order_.column == EventColumn::kStep) {
    for (size_t i = 0; i < shown_.list.size(); ++i)
      if (shown_.list[i] == wanted) return i;
    return std::nullopt;
  }
  const auto place_of = [&](uint32_t index) {
    std::array<uint64_t, EventKeys::kMostKeys + 1> place{};
    if (keys_) {
      const TraceEvent data = event_of(index);
      for (size_t i = 0; i < keys_->count(); ++i) place[i] = keys_->key(data, index, i, near_);
    }
    place.back() = index;
    return place;
  };
  const auto sought = place_of(wanted);
  size_t first = 0, last = shown_.list.size();
  while (first < last) {
    const size_t middle = (first + last) / 2;
    if (place_of(shown_.list[middle]) < sought)
      first = middle + 1;
    else
      last = middle;
  }
  if (first == shown_.list.size() || shown_.list[first] != wanted) return std::nullopt;
  return row_at(first);
}

void EventRows::find(SelectedEvents wanted, uint64_t row) {
  if (find_) find_->cancelled = true;
  auto job = std::make_shared<Job>();
  job->kind = Job::Kind::kFind;
  job->before = shown_;
  job->sought = std::move(wanted);
  job->after = row;
  find_ = job;
  launch(std::move(job));
}

EventRows::Work EventRows::work() const {
  return job_ ? job_->work.load() : Work::kNone;
}

double EventRows::fraction() const {
  if (!job_) return 0;
  return std::min(1.0, static_cast<double>(job_->done.load()) /
                           static_cast<double>(std::max<uint64_t>(1, job_->all.load())));
}

}  // namespace attn::gui

#include "moc_event_rows.cpp"
