// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor: an owner of contiguous, row-major elements in an AlignedBuffer; View: a typed, strided
// window on elements owned elsewhere. Comments give shapes by the names of the axes, outermost
// first. Any thread; no locking.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/dtype.h"

namespace attn {

// 64-byte aligned bytes, zero-filled. Throws Error(kFailed) naming the size when memory is refused.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t bytes);
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  size_t size() const { return size_; }

  // Bytes of all buffers of the program that are alive now.
  static int64_t bytes_alive();

  // For tests: while this is on, a new buffer ends at a page that may not be touched, so that
  // access past the end stops the program. It is 64-byte aligned only if its size is a multiple
  // of 64.
  static void guard_allocations(bool on);
  // Number of buffers asked for so far, without empty ones.
  static int64_t allocations();

 private:
  struct Free {
    void* mapping;  // start of the mapping of a buffer that is mapped; else null
    size_t mapping_bytes;
    size_t bytes;  // size of the buffer
    Free() : mapping(nullptr), mapping_bytes(0), bytes(0) {}
    Free(void* start, size_t mapped, size_t bytes_in)
        : mapping(start), mapping_bytes(mapped), bytes(bytes_in) {}
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_ = 0;
};

using Shape = std::vector<int64_t>;
std::string to_string(const Shape& shape);  // "[2, 16, 64]"
// The product of the axes; throws Error(kBadInput) on negative axes or overflow.
int64_t element_count(const Shape& shape);

class Tensor {
 public:
  Tensor() = default;
  // Zero-filled. Throws Error(kBadInput) if the shape is invalid or too large, or needs 64 MiB or
  // more and more than ask_memory() allows; Error(kFailed) if memory is refused.
  Tensor(DType dtype, Shape shape);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t dim(int axis) const { return shape_[static_cast<size_t>(axis)]; }
  int rank() const { return static_cast<int>(shape_.size()); }
  int64_t size() const { return count_; }  // elements
  size_t bytes() const { return buffer_.size(); }
  bool empty() const { return count_ == 0; }

  void* raw() { return buffer_.data(); }
  const void* raw() const { return buffer_.data(); }
  template <class T>
  T* data() {
    assert(DTypeOf<T>::value == dtype_);
    return reinterpret_cast<T*>(buffer_.data());
  }
  template <class T>
  const T* data() const {
    assert(DTypeOf<T>::value == dtype_);
    return reinterpret_cast<const T*>(buffer_.data());
  }
  template <class T>
  std::span<T> span() {
    return {data<T>(), static_cast<size_t>(count_)};
  }
  template <class T>
  std::span<const T> span() const {
    return {data<T>(), static_cast<size_t>(count_)};
  }

 private:
  DType dtype_ = DType::kF32;
  Shape shape_;
  int64_t count_ = 0;
  AlignedBuffer buffer_;
};

// Converts between f64, f32, f16 and bf16; to the same type it copies a tensor of any type. Throws
// Error(kBadInput) for other conversions of a tensor that is not empty.
Tensor convert(const Tensor& tensor, DType dtype);

// A strided window; strides in elements. `View<const float, 3>` is for example a query [T, H, D].
template <class T, int Rank>
struct View {
  T* data = nullptr;
  std::array<int64_t, Rank> shape{};
  std::array<int64_t, Rank> stride{};

  View() = default;
  View(T* data_in, std::array<int64_t, Rank> shape_in) : data(data_in), shape(shape_in) {
    int64_t step = 1;
    for (int axis = Rank - 1; axis >= 0; --axis) {
      stride[static_cast<size_t>(axis)] = step;
      step *= shape[static_cast<size_t>(axis)];
    }
  }
  template <class... Index>
  T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == Rank);
    const std::array<int64_t, Rank> at{static_cast<int64_t>(index)...};
    int64_t offset = 0;
    for (size_t axis = 0; axis < Rank; ++axis) offset += at[axis] * stride[axis];
    return data[offset];
  }
  bool empty() const { return data == nullptr; }
};

template <class T, int Rank>
View<T, Rank> view_of(Tensor& tensor) {
  assert(tensor.rank() == Rank);
  std::array<int64_t, Rank> shape{};
  for (size_t axis = 0; axis < Rank; ++axis) shape[axis] = tensor.shape()[axis];
  return View<T, Rank>(tensor.data<T>(), shape);
}
template <class T, int Rank>
View<const T, Rank> view_of(const Tensor& tensor) {
  assert(tensor.rank() == Rank);
  std::array<int64_t, Rank> shape{};
  for (size_t axis = 0; axis < Rank; ++axis) shape[axis] = tensor.shape()[axis];
  return View<const T, Rank>(tensor.data<T>(), shape);
}

}  // namespace attn
