// SPDX-License-Identifier: GPL-3.0-or-later
// ChunkList: a list in chunks that grows at its end without moving its elements. A copy shares the
// chunks, and may be read on another thread while the original grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace attn::gui {

template <class T>
class ChunkList {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t at) const { return chunks_[at / kChunk][at % kChunk]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ % kChunk == 0) chunks_.emplace_back(new T[kChunk]);
    chunks_.back()[size_++ % kChunk] = value;
  }
  void append(const T* values, size_t count) {
    while (count > 0) {
      if (size_ % kChunk == 0) chunks_.emplace_back(new T[kChunk]);
      const size_t part = std::min(count, kChunk - size_ % kChunk);
      std::copy_n(values, part, &chunks_.back()[size_ % kChunk]);
      size_ += part;
      values += part;
      count -= part;
    }
  }
  // Forgets the elements from `size` on. Copies keep theirs.
  void truncate(size_t size) {
    if (size >= size_) return;
    chunks_.resize((size + kChunk - 1) / kChunk);
    if (size % kChunk != 0) {
      std::shared_ptr<T[]> piece(new T[kChunk]);
      std::copy_n(chunks_.back().get(), size % kChunk, piece.get());
      chunks_.back() = std::move(piece);
    }
    size_ = size;
  }
  void clear() {
    chunks_.clear();
    size_ = 0;
  }

 private:
  static constexpr size_t kChunk = size_t{1} << 16;
  std::vector<std::shared_ptr<T[]>> chunks_;
  size_t size_ = 0;
};

}  // namespace attn::gui
