// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_tiles.h"

#include <QMetaObject>
#include <utility>

namespace attn::gui {
namespace {

// Time after which what is known is handed to the view, which shows it.
constexpr std::chrono::milliseconds kBetweenStates{60};

}  // namespace

DifferenceTiles::~DifferenceTiles() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    leave_ = true;
    next_.reset();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void DifferenceTiles::want(const RunPair& pair, const std::vector<TileKey>& keys) {
  {
    const std::lock_guard lock(mutex_);
    if (!asked_ || !asked_->pair.same_heads(pair)) {
      ++heads_;
      state_ = {};
      leave_ = true;
    } else if (asked_->keys != keys) {
      leave_ = true;  // the tiles on the screen come first
    }
    asked_ = Wish{pair, keys, heads_};
    next_ = asked_;
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  }
  wake_.notify_all();
}

void DifferenceTiles::clear() {
  const std::lock_guard lock(mutex_);
  ++heads_;
  state_ = {};
  leave_ = true;
  asked_.reset();
  next_.reset();
}

DifferenceState DifferenceTiles::state() const {
  const std::lock_guard lock(mutex_);
  DifferenceState state = state_;
  state.behind = working_ || next_.has_value();
  return state;
}

bool DifferenceTiles::behind() const {
  const std::lock_guard lock(mutex_);
  return working_ || next_.has_value();
}

bool DifferenceTiles::wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, timeout, [this] { return !working_ && !next_; });
}

void DifferenceTiles::publish(const Wish& wish, const WeightDifferences& map) {
  const std::lock_guard lock(mutex_);
  if (wish.heads != heads_) return;
  state_.tiles = map.tiles();
  state_.sums = map.sums();
}

// A wish that is left keeps what it has computed, because the map keeps it.
void DifferenceTiles::compute(const Wish& wish, WeightDifferences& map) {
  auto told = std::chrono::steady_clock::now();
  const auto go_on = [&] {
    if (const auto now = std::chrono::steady_clock::now(); now - told >= kBetweenStates) {
      told = now;
      publish(wish, map);
      QMetaObject::invokeMethod(
          this, [this] { emit arrived(); }, Qt::QueuedConnection);
    }
    return !leave_;
  };
  bool whole = true;
  for (const TileKey& key : wish.keys) whole = whole && map.refresh(wish.pair, key, go_on);
  if (whole) map.refresh_sums(wish.pair, go_on);
  map.forget_others(wish.keys);
}

void DifferenceTiles::work() {
  WeightDifferences map(&leave_);
  uint64_t heads = 0;  // of `map`
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return quit_ || next_.has_value(); });
    if (quit_) return;
    const Wish wish = *std::exchange(next_, std::nullopt);
    leave_ = false;
    working_ = true;
    lock.unlock();
    if (heads != wish.heads) map = WeightDifferences(&leave_);
    heads = wish.heads;
    compute(wish, map);
    publish(wish, map);
    lock.lock();
    working_ = false;
    if (!next_) idle_.notify_all();
    if (!posted_ && !quit_) {
      posted_ = true;
      QMetaObject::invokeMethod(
          this,
          [this] {
            {
              const std::lock_guard guard(mutex_);
              posted_ = false;
            }
            emit arrived();
          },
          Qt::QueuedConnection);
    }
  }
}

}  // namespace attn::gui

#include "moc_difference_tiles.cpp"
