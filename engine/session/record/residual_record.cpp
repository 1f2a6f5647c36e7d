// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/residual_record.h"

#include <algorithm>
#include <mutex>

namespace attn {

double ResidualRecord::bytes_needed(const Shape& shape) {
  const double layers = static_cast<double>(shape.kept_layers());
  return 4 * static_cast<double>(shape.tokens) *
         ((1 + 2 * layers) * static_cast<double>(shape.width) +
          layers * static_cast<double>(shape.num_heads * shape.head_size));
}

ResidualRecord::ResidualRecord(const Shape& shape) : shape_(shape) {
  there_.resize(static_cast<size_t>(shape.tokens));
  const auto layers = static_cast<size_t>(shape.kept_layers());
  residual_.resize(1 + 2 * layers);
  for (auto& rows : residual_) rows.resize(static_cast<size_t>(shape.tokens * shape.width));
  heads_.resize(layers);
  for (auto& rows : heads_)
    rows.resize(static_cast<size_t>(shape.tokens * shape.num_heads * shape.head_size));
}

std::vector<float>& ResidualRecord::rows_of(ResidualSite site, int64_t layer) {
  if (site == ResidualSite::kEmbed) return residual_[0];
  return residual_[static_cast<size_t>(1 + 2 * (layer - shape_.first_layer) +
                                       (site == ResidualSite::kPost ? 1 : 0))];
}
const std::vector<float>& ResidualRecord::rows_of(ResidualSite site, int64_t layer) const {
  return const_cast<ResidualRecord*>(this)->rows_of(site, layer);
}

void ResidualRecord::keep_rows(std::vector<float>& rows, int64_t row, int64_t position,
                               int64_t count, const float* from) {
  const int64_t begin = std::max(position, shape_.first),
                end = std::min(position + count, shape_.end());
  if (begin >= end) return;
  std::lock_guard lock(mutex_);
  std::copy_n(from + (begin - position) * row, (end - begin) * row,
              rows.data() + (begin - shape_.first) * row);
}

void ResidualRecord::keep(ResidualSite site, int64_t layer, int64_t position, int64_t count,
                          const float* x) {
  keep_rows(rows_of(site, layer), shape_.width, position, count, x);
}

void ResidualRecord::keep_heads(int64_t layer, int64_t position, int64_t count,
                                const float* heads) {
  keep_rows(heads_[static_cast<size_t>(layer - shape_.first_layer)],
            shape_.num_heads * shape_.head_size, position, count, heads);
}

void ResidualRecord::publish(int64_t first, int64_t end) {
  std::lock_guard lock(mutex_);
  for (int64_t i = std::max(first, shape_.first); i < std::min(end, shape_.end()); ++i)
    there_[static_cast<size_t>(i - shape_.first)] = true;
}

void ResidualRecord::forget_rows(int64_t first) {
  std::lock_guard lock(mutex_);
  for (int64_t i = std::max(first, shape_.first); i < shape_.end(); ++i)
    there_[static_cast<size_t>(i - shape_.first)] = false;
}

std::shared_ptr<ResidualRecord> ResidualRecord::fork() const {
  auto child = std::make_shared<ResidualRecord>(shape_);
  std::shared_lock lock(mutex_);
  child->there_ = there_;
  child->residual_ = residual_;
  child->heads_ = heads_;
  return child;
}

bool ResidualRecord::has(int64_t position) const {
  std::shared_lock lock(mutex_);
  return position >= shape_.first && position < shape_.end() &&
         there_[static_cast<size_t>(position - shape_.first)];
}

int64_t ResidualRecord::num_rows() const {
  std::shared_lock lock(mutex_);
  return std::ranges::find(there_, false) - there_.begin();
}

bool ResidualRecord::read_rows(const std::vector<float>& rows, int64_t row, int64_t position,
                               int64_t count, float* to) const {
  std::shared_lock lock(mutex_);
  if (position < shape_.first || position + count > shape_.end()) return false;
  const int64_t begin = position - shape_.first;
  for (int64_t i = begin; i < begin + count; ++i)
    if (!there_[static_cast<size_t>(i)]) return false;
  std::copy_n(rows.data() + begin * row, count * row, to);
  return true;
}

bool ResidualRecord::read(ResidualSite site, int64_t layer, int64_t position, int64_t count,
                          float* x) const {
  if (site != ResidualSite::kEmbed && layer < shape_.first_layer) return false;
  return read_rows(rows_of(site, layer), shape_.width, position, count, x);
}

bool ResidualRecord::read_heads(int64_t layer, int64_t position, int64_t count,
                                float* heads) const {
  if (layer < shape_.first_layer) return false;
  return read_rows(heads_[static_cast<size_t>(layer - shape_.first_layer)],
                   shape_.num_heads * shape_.head_size, position, count, heads);
}

}  // namespace attn
