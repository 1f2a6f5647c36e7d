// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/row_state_log.h"

namespace attn {

void RowStateLog::watch(uint32_t request, int layer, int head) {
  watched_.store(key(request, layer, head), std::memory_order_relaxed);
}

void RowStateLog::clear() {
  std::lock_guard lock(mutex_);
  events_.clear();
  left_out_ = 0;
  ++generation_;
}

void RowStateLog::row_state(const RowStateEvent& event) {
  std::lock_guard lock(mutex_);
  if (events_.size() < kMost)
    events_.push_back(event);
  else
    ++left_out_;
}

size_t RowStateLog::size() const {
  std::lock_guard lock(mutex_);
  return events_.size();
}

size_t RowStateLog::left_out() const {
  std::lock_guard lock(mutex_);
  return left_out_;
}

uint64_t RowStateLog::generation() const {
  std::lock_guard lock(mutex_);
  return generation_;
}

size_t RowStateLog::read(size_t from, std::vector<RowStateEvent>& out) const {
  std::lock_guard lock(mutex_);
  if (from < events_.size())
    out.insert(out.end(), events_.begin() + static_cast<std::ptrdiff_t>(from), events_.end());
  return events_.size();
}

}  // namespace attn
