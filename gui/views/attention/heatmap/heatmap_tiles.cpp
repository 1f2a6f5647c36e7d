// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_tiles.h"

#include <QMetaObject>
#include <algorithm>
#include <cmath>

namespace attn::gui {

namespace {

// Time after which a partly filled tile is handed to the view, which shows it.
constexpr std::chrono::milliseconds kSlice{15};
constexpr int kCoarser = 6;  // number of coarser levels searched for a stand-in

size_t bytes_of(const WeightTileData& tile) {
  return sizeof(tile) + tile.value.size() * (sizeof(float) + sizeof(CellCode)) +
         tile.done.size() * sizeof(uint32_t) +
         (tile.sum.size() + tile.parts.size()) * sizeof(double) + tile.cut.size() * sizeof(RowCut);
}

CellCode code_of(float value, const ColorScale& scale) {
  if (value == kMaskedCell) return kMaskedCode;
  if (value == kNotComputedCell) return kNotComputedCode;
  if (std::isnan(value)) return kNanCode;
  return static_cast<CellCode>(scale.index(static_cast<double>(value)));
}

}  // namespace

HeatmapTiles::~HeatmapTiles() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
    jobs_.clear();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

HeatmapTiles::CacheKey HeatmapTiles::cache_key(const HeadRef& head, const TileKey& key) {
  const Combination& combine = head.combine;
  CacheKey result{head.record.get(), 0, 0, {combine.kind, {}}, head.quantity, key};
  result.layer = head.layer;  // for kMean it decides which layers take part
  if (combine.uses_head()) result.head = head.head;
  if (combine.is_difference()) result.combine.other.layer = combine.other.layer;
  if (combine.kind == Combine::kHeadDifference) result.combine.other.head = combine.other.head;
  return result;
}

void HeatmapTiles::set_scale(const ColorScale& scale) {
  if (scale == scale_) return;
  scale_ = scale;
  ++stamp_;
}

void HeatmapTiles::set_keep(const Keep& keep) {
  if (keep == keep_) return;
  keep_ = keep;
  ++stamp_;
}

void HeatmapTiles::clear() {
  {
    std::lock_guard lock(mutex_);
    jobs_.clear();
    results_.clear();
    ++generation_;
    ++epoch_;
  }
  entries_.clear();
  peaks_.clear();
  stand_ins_.clear();
  kept_up_.clear();
  bytes_ = 0;
  head_ = {};
}

void HeatmapTiles::want(const std::vector<TileKey>& keys) {
  ++use_;
  stand_ins_.clear();
  kept_up_ = keys;
  std::ranges::sort(kept_up_);
  if (!head_.record) return;
  const uint64_t version = head_.record->version();
  std::vector<Job> jobs;
  for (const TileKey& key : keys) {
    const auto found = entries_.find(cache_key(head_, key));
    if (found != entries_.end()) found->second.last_used = use_;
    if (found != entries_.end() && is_current(found->second, version)) continue;
    jobs.push_back({head_, key, found == entries_.end() ? nullptr : found->second.tile, peaks()});
  }
  std::reverse(jobs.begin(), jobs.end());
  {
    std::lock_guard lock(mutex_);
    jobs_ = std::move(jobs);
    ++generation_;
    if (jobs_.empty()) return;
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  }
  wake_.notify_all();
}

void HeatmapTiles::compute_now(const std::vector<TileKey>& keys) {
  ++use_;
  stand_ins_.clear();
  if (!head_.record) return;
  for (const TileKey& key : keys)
    if (const auto at = std::ranges::lower_bound(kept_up_, key); at == kept_up_.end() || *at != key)
      kept_up_.insert(at, key);
  for (const TileKey& key : keys) {
    std::shared_ptr<const WeightTileData> tile = find(key);
    for (bool finished = false; !finished;) {
      TileRefresh refresh = refresh_tile(head_, key, tile, std::chrono::hours(1), nullptr, peaks());
      finished = refresh.finished;
      if (refresh.tile) tile = refresh.tile;
      store(head_, key, refresh);
    }
    entries_[cache_key(head_, key)].last_used = use_;
  }
}

bool HeatmapTiles::wait(std::chrono::milliseconds timeout) {
  bool quiet = false;
  {
    std::unique_lock lock(mutex_);
    quiet = idle_.wait_for(lock, timeout, [this] { return jobs_.empty() && !working_; });
  }
  take_results();
  return quiet;
}

bool HeatmapTiles::busy() const {
  std::lock_guard lock(mutex_);
  return !jobs_.empty() || working_ || posted_;
}

int64_t HeatmapTiles::behind() const {
  std::lock_guard lock(mutex_);
  return static_cast<int64_t>(jobs_.size()) + working_;
}

std::shared_ptr<const WeightTileData> HeatmapTiles::find(const TileKey& key) const {
  const auto found = entries_.find(cache_key(head_, key));
  return found == entries_.end() ? nullptr : found->second.tile;
}

std::shared_ptr<const WeightTileData> HeatmapTiles::find_kept_up(const TileKey& key) const {
  const auto found = entries_.find(cache_key(head_, key));
  if (found == entries_.end()) return nullptr;
  const bool is_kept_up = std::ranges::binary_search(kept_up_, key) ||
                          (head_.record && is_current(found->second, head_.record->version()));
  return is_kept_up ? found->second.tile : nullptr;
}

std::shared_ptr<RowPeaks> HeatmapTiles::peaks() {
  if (head_.quantity == Quantity::kWeight || !head_.record) return nullptr;
  for (const Peaks& known : peaks_)
    if (known.is_of(head_)) return known.peaks;
  if (peaks_.size() >= kMostPeaks) peaks_.erase(peaks_.begin());
  peaks_.push_back(
      {head_.record, head_.layer, head_.head, head_.lengths,
       std::make_shared<RowPeaks>(head_.record, head_.layer, head_.head, head_.lengths)});
  return peaks_.back().peaks;
}

std::optional<ScoreRange> HeatmapTiles::score_range(int64_t rows) const {
  for (const Peaks& known : peaks_)
    if (known.is_of(head_)) return known.peaks->range(rows);
  return std::nullopt;
}

const CellCode* HeatmapTiles::codes(const TileKey& key) {
  const auto found = entries_.find(cache_key(head_, key));
  if (found != entries_.end() && found->second.tile) return entry_codes(found->second);
  if (!head_.record) {
    // Without a record masked cells are known, and all others are not computed.
    std::vector<CellCode> nothing;
    // Kept in a variable, because the range-based for would not keep the temporary alive.
    const auto empty = empty_tile(head_, key);
    for (float value : empty->value) nothing.push_back(code_of(value, scale_));
    stand_ins_.push_back(std::move(nothing));
    return stand_ins_.back().data();
  }
  TileKey coarse = key;
  for (int up = 1; up <= kCoarser; ++up) {
    coarse.level = key.level + up;
    coarse.row = key.row >> up;
    coarse.column = key.column >> up;
    const auto ancestor = entries_.find(cache_key(head_, coarse));
    if (ancestor == entries_.end() || !ancestor->second.tile) continue;
    const CellCode* source = entry_codes(ancestor->second);
    const int64_t row0 = (key.row - (coarse.row << up)) * (kTileSide >> up);
    const int64_t column0 = (key.column - (coarse.column << up)) * (kTileSide >> up);
    std::vector<CellCode> expanded(static_cast<size_t>(kTileSide * kTileSide));
    for (int64_t r = 0; r < kTileSide; ++r) {
      for (int64_t c = 0; c < kTileSide; ++c) {
        expanded[static_cast<size_t>(r * kTileSide + c)] =
            source[(row0 + (r >> up)) * kTileSide + column0 + (c >> up)];
      }
    }
    stand_ins_.push_back(std::move(expanded));
    return stand_ins_.back().data();
  }
  return nullptr;
}

void HeatmapTiles::code_row(Entry& entry, int64_t row) {
  const WeightTileData& tile = *entry.tile;
  const size_t begin = static_cast<size_t>(row * kTileSide), end = begin + kTileSide;
  for (size_t i = begin; i < end; ++i) entry.codes[i] = code_of(tile.value[i], scale_);
  RowCut cut;
  if (keep_.kind == Keep::Kind::kAtLeast) {
    cut.least = keep_.least;
  } else if (keep_.kind == Keep::Kind::kShare && tile.key.level == 0) {
    const int64_t query = tile.key.row * kTileSide + row;
    const auto cuts = find({TileKey::kRowCuts, Reduce::kMax, query / kSumRows, keep_.code()});
    if (!cuts) return;
    cut = cuts->cut[static_cast<size_t>(query % kSumRows)];
  } else {
    return;
  }
  const int64_t first_key = tile.key.column * kTileSide;  // at level 0; any will do at others
  for (size_t i = begin; i < end; ++i)
    if (is_value(tile.value[i]) &&
        !cut.keeps(tile.value[i], first_key + static_cast<int64_t>(i - begin)))
      entry.codes[i] = kHiddenCode;
}

const CellCode* HeatmapTiles::entry_codes(Entry& entry) {
  entry.last_used = use_;
  if (entry.coded == entry.tile && entry.stamp == stamp_) return entry.codes.data();
  const WeightTileData& tile = *entry.tile;
  const bool all = !entry.coded || entry.codes.empty() || entry.stamp != stamp_;
  entry.codes.resize(tile.value.size());
  for (int64_t row = 0; row < kTileSide; ++row)
    if (all || entry.coded->done[static_cast<size_t>(row)] != tile.done[static_cast<size_t>(row)])
      code_row(entry, row);
  entry.coded = entry.tile;
  entry.stamp = stamp_;
  return entry.codes.data();
}

void HeatmapTiles::store(const HeadRef& head, const TileKey& key, const TileRefresh& refresh) {
  Entry& entry = entries_[cache_key(head, key)];
  entry.record = head.record;
  entry.version = refresh.version;
  entry.rows = refresh.finished ? head.rows : -1;
  if (!refresh.tile) return;
  if (entry.tile) bytes_ -= bytes_of(*entry.tile);
  entry.tile = refresh.tile;
  entry.last_used = std::max(entry.last_used, use_);
  bytes_ += bytes_of(*entry.tile);
  if (key.level == TileKey::kRowCuts) ++stamp_;
  ++tiles_computed_;
  evict();
}

void HeatmapTiles::evict() {
  while (bytes_ > kMaxBytes) {
    auto oldest = entries_.end();
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if (it->second.last_used == use_) continue;  // on the screen now
      if (oldest == entries_.end() || it->second.last_used < oldest->second.last_used) oldest = it;
    }
    if (oldest == entries_.end()) return;
    if (oldest->second.tile) bytes_ -= bytes_of(*oldest->second.tile);
    entries_.erase(oldest);
  }
}

void HeatmapTiles::take_results() {
  std::vector<Result> results;
  uint64_t epoch = 0;
  {
    std::lock_guard lock(mutex_);
    results.swap(results_);
    posted_ = false;
    epoch = epoch_;
  }
  bool any = false;
  for (const Result& result : results) {
    if (result.epoch != epoch) continue;
    store(result.head, result.key, result.refresh);
    any = true;
  }
  if (any) emit arrived();
}

void HeatmapTiles::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return quit_ || !jobs_.empty(); });
    if (quit_) return;
    Job job = std::move(jobs_.back());
    jobs_.pop_back();
    const uint64_t generation = generation_, epoch = epoch_;
    working_ = true;
    lock.unlock();
    TileRefresh refresh = refresh_tile(job.head, job.key, job.previous, kSlice, &quit_, job.peaks);
    lock.lock();
    working_ = false;
    if (epoch == epoch_ && !quit_) {
      results_.push_back({job.head, job.key, refresh, epoch});
      if (!refresh.finished && generation == generation_) {
        if (refresh.tile) job.previous = refresh.tile;
        jobs_.push_back(std::move(job));
      }
      if (!posted_) {
        posted_ = true;
        QMetaObject::invokeMethod(
            this, [this] { take_results(); }, Qt::QueuedConnection);
      }
    }
    if (jobs_.empty()) idle_.notify_all();
  }
}

}  // namespace attn::gui

#include "moc_heatmap_tiles.cpp"
