// SPDX-License-Identifier: GPL-3.0-or-later
// ViewHistory: the places that the user left, for Back and Forward. At most 64 places to go back to
// are kept. No locking; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace attn::gui {

template <typename Place>
class ViewHistory {
 public:
  // The user leaves `here` for another place. The places to go forward to are forgotten.
  void leave(const Place& here) {
    ahead_.clear();
    if (!behind_.empty() && behind_.back() == here) return;
    behind_.push_back(here);
    if (behind_.size() > kMost) behind_.erase(behind_.begin());
  }
  std::optional<Place> back(const Place& here) { return move(behind_, ahead_, here); }
  std::optional<Place> forward(const Place& here) { return move(ahead_, behind_, here); }
  bool can_go_back() const { return !behind_.empty(); }
  bool can_go_forward() const { return !ahead_.empty(); }
  void clear() { behind_.clear(), ahead_.clear(); }

 private:
  static constexpr size_t kMost = 64;
  static std::optional<Place> move(std::vector<Place>& from, std::vector<Place>& to,
                                   const Place& here) {
    while (!from.empty()) {
      Place place = from.back();
      from.pop_back();
      if (place == here) continue;
      to.push_back(here);
      return place;
    }
    return std::nullopt;
  }
  std::vector<Place> behind_, ahead_;
};

}  // namespace attn::gui
