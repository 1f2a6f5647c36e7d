// SPDX-License-Identifier: GPL-3.0-or-later
// WeightMatrix: a matrix [rows, columns] of a WeightType. Its rows are packed in panels of 64. A
// panel has block after block, and a block has element after element, with element i of the 64 rows
// side by side. The last panel is filled up with zeros. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/core/tensor.h"
#include "engine/core/thread_pool.h"
#include "engine/model/weights/weight_type.h"

namespace attn {

inline constexpr int64_t kPanelRows = 64;

// Reads rows [first, first + count) of a matrix: to [count * row_bytes()]. Several threads may call
// it at once. It may throw Error, such as those of reading a file.
using RowReader = std::function<void(int64_t first, int64_t count, std::byte* to)>;

// A matrix whose rows are read when they are needed.
struct StoredMatrix {
  WeightType type = WeightType::kF32;
  Shape shape;  // [rows, columns]
  RowReader read;
  // True: the rows are the columns of the tensor that the family wants.
  bool is_transposed = false;
  ThreadPool* pool = nullptr;  // whose workers make a WeightMatrix; null: the calling thread

  StoredMatrix() = default;
  // Holds a tensor of rank 2. Throws Error(kBadInput) unless it is f32, f16 or bf16.
  explicit StoredMatrix(Tensor numbers);
  // Holds the bytes of the rows: [rows, row_bytes()].
  StoredMatrix(WeightType type, Shape shape, Tensor bytes);
};

// A panel of a matrix, for the product of panel_product.h.
struct WeightPanel {
  WeightType type = WeightType::kF32;
  const std::byte* bytes = nullptr;
  int64_t columns = 0;
};

class WeightMatrix {
 public:
  WeightMatrix() = default;
  // Reads each row once, at most 64 at a time. What `read` throws is passed on. `pool`: its workers
  // read and pack the rows; null: the calling thread does.
  WeightMatrix(WeightType type, int64_t rows, int64_t columns, const RowReader& read,
               ThreadPool* pool);
  // Reads all rows of `stored`.
  explicit WeightMatrix(const StoredMatrix& stored);

  WeightType type() const { return type_; }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  // Bytes of memory of a matrix, and about those that `workers` workers need beside it while they
  // make it.
  static int64_t bytes(WeightType type, int64_t rows, int64_t columns);
  static int64_t bytes_of_workers(WeightType type, int64_t rows, int64_t columns, int workers);

  int64_t num_panels() const { return (rows_ + kPanelRows - 1) / kPanelRows; }
  WeightPanel panel(int64_t index) const;

  // One number. It reads a whole block; use for_row() for rows.
  float at(int64_t row, int64_t column) const;
  // Calls use(first, numbers, count) for the numbers [first, first + count) of a row, in order.
  template <class Use>
  void for_row(int64_t row, Use&& use) const;

 private:
  static constexpr int64_t kMostBlock = 256;
  int64_t num_blocks() const;
  // Writes panel `index` from rows [64, num_blocks() whole blocks].
  void pack_panel(int64_t index, const std::byte* rows);
  // Blocks [first, first + count) of a row, as f32.
  void widen(int64_t row, int64_t first, int64_t count, float* to) const;

  WeightType type_ = WeightType::kF32;
  int64_t rows_ = 0, columns_ = 0;
  AlignedBuffer bytes_;
};

template <class Use>
void WeightMatrix::for_row(int64_t row, Use&& use) const {
  float numbers[kMostBlock];
  const int64_t block = layout_of(type_).block;
  for (int64_t first = 0; first < columns_; first += kMostBlock) {
    const int64_t count = std::min(kMostBlock, columns_ - first);
    widen(row, first / block, (count + block - 1) / block, numbers);
    use(first, numbers, count);
  }
}

}  // namespace attn
