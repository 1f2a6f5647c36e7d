// SPDX-License-Identifier: GPL-3.0-or-later
// DifferenceTiles: computes the tiles of a WeightDifferences that are on the screen, and then the
// sums of all cells, on a thread of its own. GUI thread.
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gui/views/attention/difference/weight_differences.h"

namespace attn::gui {

// What is known of a pair. behind: true: tiles or sums are still to be computed.
struct DifferenceState {
  DifferenceTileMap tiles;
  DifferenceSums sums;
  bool behind = false;
};

class DifferenceTiles : public QObject {
  Q_OBJECT
 public:
  explicit DifferenceTiles(QObject* parent = nullptr) : QObject(parent) {}
  ~DifferenceTiles() override;

  // Asks for these tiles of the pair, and for its sums. What was read of the same heads is kept and
  // brought up to date; of other heads everything is forgotten. The pair has no refusal.
  void want(const RunPair& pair, const std::vector<TileKey>& keys);
  void clear();
  DifferenceState state() const;
  bool behind() const;
  // Waits at most this long until nothing is left to compute. False on time-out.
  bool wait(std::chrono::milliseconds timeout);

 signals:
  void arrived();  // state() has changed

 private:
  struct Wish {
    RunPair pair;
    std::vector<TileKey> keys;
    uint64_t heads;  // heads_ when it was asked for
  };
  void work();
  void compute(const Wish& wish, WeightDifferences& map);
  void publish(const Wish& wish, const WeightDifferences& map);

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::optional<Wish> asked_, next_;  // the last one; the one that the thread has not begun
  uint64_t heads_ = 0;                // grows when other heads are asked for
  DifferenceState state_;             // `behind` is not used
  bool working_ = false, posted_ = false;
  std::atomic<bool> leave_ = false;  // true: the thread ends what it does and begins next_
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace attn::gui
