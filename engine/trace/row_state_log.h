// SPDX-License-Identifier: GPL-3.0-or-later
// RowStateLog: keeps the running maximum and sum of the rows of a watched (request, layer, head),
// tile by tile. Workers append; any thread reads and chooses what is watched.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "engine/trace/probe.h"

namespace attn {

class RowStateLog final : public RowStateSink {
 public:
  // Most events that are kept (32 MiB). Further ones are only counted as left out.
  static constexpr size_t kMost = size_t{1} << 20;

  // Watches this head from now on, in place of the one before; events already kept stay until
  // clear().
  void watch(uint32_t request, int layer, int head);
  void clear();  // drops all events; the same head stays watched

  bool watches(uint32_t request, int layer, uint32_t head) const override {
    return watched_.load(std::memory_order_relaxed) == key(request, layer, static_cast<int>(head));
  }
  void row_state(const RowStateEvent& event) override;

  size_t size() const;
  size_t left_out() const;
  // Changes at every clear(): the indices of read() start from 0 again.
  uint64_t generation() const;
  // Appends events [from, size()) to `out`, in the order in which they were reported. Returns
  // size().
  size_t read(size_t from, std::vector<RowStateEvent>& out) const;

 private:
  static uint64_t key(uint32_t request, int layer, int head) {
    return uint64_t{request} << 32 | uint64_t{static_cast<uint16_t>(layer)} << 16 |
           uint64_t{static_cast<uint16_t>(head)};
  }
  std::atomic<uint64_t> watched_{~uint64_t{0}};
  mutable std::mutex mutex_;
  std::vector<RowStateEvent> events_;
  size_t left_out_ = 0;
  uint64_t generation_ = 0;
};

}  // namespace attn
