// SPDX-License-Identifier: GPL-3.0-or-later
// RelativeBias: a number that a trained model adds to the score of a query and a key, by their
// distance and the head, as T5 does. C. Raffel and others, 2020. A value; copies share their
// numbers. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace attn {

class RelativeBias {
 public:
  RelativeBias() = default;  // no bias
  // values [H, before + 1 + after]: of the distances key - query from -before to after. A key that
  // is farther away gets the number of the farthest one on its side.
  RelativeBias(int64_t before, int64_t after, std::vector<float> values)
      : before_(before),
        after_(after),
        values_(std::make_shared<const std::vector<float>>(std::move(values))) {}

  bool empty() const { return !values_; }
  int64_t before() const { return before_; }
  int64_t after() const { return after_; }
  int64_t distances() const { return before_ + 1 + after_; }
  int64_t num_heads() const {
    return empty() ? 0 : static_cast<int64_t>(values_->size()) / distances();
  }
  const std::vector<float>& values() const { return *values_; }
  // Points to the head's number of distance 0; element d is that of distance d, -before() to
  // after(). There must be a bias.
  const float* of_head(int64_t head) const {
    return values_->data() + head * distances() + before_;
  }
  // The number that is added to a score; 0 without a bias.
  float at(int64_t head, int64_t query, int64_t key) const {
    return empty() ? 0.0f : of_head(head)[std::clamp(key - query, -before_, after_)];
  }
  bool operator==(const RelativeBias& other) const {
    if (empty() || other.empty()) return empty() == other.empty();
    return before_ == other.before_ && after_ == other.after_ &&
           (values_ == other.values_ || *values_ == *other.values_);
  }

 private:
  int64_t before_ = 0, after_ = 0;
  std::shared_ptr<const std::vector<float>> values_;
};

}  // namespace attn
