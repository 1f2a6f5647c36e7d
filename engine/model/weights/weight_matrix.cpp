// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights/weight_matrix.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace attn {
namespace {

int64_t blocks_of(WeightType type, int64_t columns) {
  const int64_t block = layout_of(type).block;
  return (columns + block - 1) / block;
}

// Calls fn(offset, bytes) for every element of a block: its place in the block and its size.
template <class Fn>
void for_elements(const WeightLayout& layout, Fn&& fn) {
  int64_t offset = 0;
  for (const BlockSection& section : layout.sections)
    for (int64_t i = 0; i < section.count; ++i, offset += section.element_bytes)
      fn(offset, section.element_bytes);
}

// to [64] = an element of each of 64 rows, which are `stride` bytes apart.
template <class T>
void interleave(const std::byte* from, int64_t stride, std::byte* to) {
  for (int64_t row = 0; row < kPanelRows; ++row)
    std::memcpy(to + row * static_cast<int64_t>(sizeof(T)), from + row * stride, sizeof(T));
}

// About how many bytes of a row are copied at a time before they are interleaved.
constexpr int64_t kRowPiece = 256;

// Asks for large pages for 4 MiB or more. The system may decline.
void prefer_large_pages(AlignedBuffer& buffer) {
  constexpr size_t kLarge = size_t{4} << 20;
  if (buffer.size() < kLarge) return;
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<uintptr_t>(buffer.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<uintptr_t>(buffer.data()) + buffer.size()) / page * page;
  (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

StoredMatrix::StoredMatrix(Tensor numbers) : shape(numbers.shape()) {
  const std::optional<WeightType> found = weight_type_of(numbers.dtype());
  if (!found)
    throw_bad_input({"weights have no floating-point type", "weight matrix",
                     std::string(name_of(numbers.dtype())), "f32, f16, bf16", ""});
  *this = StoredMatrix(*found, shape, std::move(numbers));
}

StoredMatrix::StoredMatrix(WeightType type_in, Shape shape_in, Tensor bytes)
    : type(type_in), shape(std::move(shape_in)) {
  const int64_t row = row_bytes(type, shape[1]);
  read = [row, held = std::make_shared<Tensor>(std::move(bytes))](int64_t first, int64_t count,
                                                                  std::byte* to) {
    std::memcpy(to, static_cast<const std::byte*>(held->raw()) + first * row,
                static_cast<size_t>(count * row));
  };
}

WeightMatrix::WeightMatrix(WeightType type, int64_t rows, int64_t columns, const RowReader& read,
                           ThreadPool* pool)
    : type_(type),
      rows_(rows),
      columns_(columns),
      bytes_(static_cast<size_t>(bytes(type, rows, columns))) {
  prefer_large_pages(bytes_);
  const int64_t row = row_bytes(type, columns), whole = num_blocks() * layout_of(type).block_bytes;
  std::vector<std::vector<std::byte>> rooms(static_cast<size_t>(pool ? pool->num_workers() : 1));
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<bool> has_failed{false};
  const auto make_panel = [&](int64_t index, int worker) {
    if (has_failed.load(std::memory_order_relaxed)) return;
    const int64_t first = index * kPanelRows, count = std::min(kPanelRows, rows - first);
    try {
      std::vector<std::byte>& own = rooms[static_cast<size_t>(worker)];
      own.resize(static_cast<size_t>(kPanelRows * whole));
      std::byte* const room = own.data();
      read(first, count, room);
      if (row != whole)  // rows end within a block
        for (int64_t i = count; i-- > 0;) {
          std::memmove(room + i * whole, room + i * row, static_cast<size_t>(row));
          std::memset(room + i * whole + row, 0, static_cast<size_t>(whole - row));
        }
      std::memset(room + count * whole, 0, static_cast<size_t>((kPanelRows - count) * whole));
      pack_panel(index, room);
    } catch (...) {  // tasks of a pool must not throw
      const std::lock_guard lock(mutex);
      if (!has_failed.exchange(true)) failure = std::current_exception();
    }
  };
  if (pool)
    pool->parallel_for(num_panels(), TaskOrder::kDynamic, make_panel);
  else
    for (int64_t index = 0; index < num_panels(); ++index) make_panel(index, 0);
  if (failure) std::rethrow_exception(failure);
}

WeightMatrix::WeightMatrix(const StoredMatrix& stored)
    : WeightMatrix(stored.type, stored.shape[0], stored.shape[1], stored.read, stored.pool) {}

int64_t WeightMatrix::bytes(WeightType type, int64_t rows, int64_t columns) {
  return (rows + kPanelRows - 1) / kPanelRows * kPanelRows * blocks_of(type, columns) *
         layout_of(type).block_bytes;
}

int64_t WeightMatrix::bytes_of_workers(WeightType type, int64_t rows, int64_t columns,
                                       int workers) {
  return bytes(type, std::min(rows, workers * kPanelRows), columns);
}

int64_t WeightMatrix::num_blocks() const {
  return blocks_of(type_, columns_);
}

WeightPanel WeightMatrix::panel(int64_t index) const {
  return {.type = type_,
          .bytes = bytes_.data() + bytes(type_, index * kPanelRows, columns_),
          .columns = columns_};
}

void WeightMatrix::pack_panel(int64_t index, const std::byte* rows) {
  const WeightLayout& layout = layout_of(type_);
  const int64_t whole = num_blocks() * layout.block_bytes;
  std::byte* to = bytes_.data() + bytes(type_, index * kPanelRows, columns_);
  const int64_t blocks = std::max<int64_t>(1, kRowPiece / layout.block_bytes),
                stride = blocks * layout.block_bytes + 4;
  std::vector<std::byte> pieces(static_cast<size_t>(kPanelRows * stride));
  for (int64_t first = 0; first < num_blocks(); first += blocks) {
    const int64_t count = std::min(blocks, num_blocks() - first);
    for (int64_t row = 0; row < kPanelRows; ++row)
      std::memcpy(pieces.data() + row * stride, rows + row * whole + first * layout.block_bytes,
                  static_cast<size_t>(count * layout.block_bytes));
    const std::byte* from = pieces.data();
    for (int64_t block = 0; block < count; ++block) {
      for_elements(layout, [&](int64_t offset, int64_t size) {
        std::byte* const run = to + offset * kPanelRows;
        if (size == 4)
          interleave<uint32_t>(from + offset, stride, run);
        else if (size == 2)
          interleave<uint16_t>(from + offset, stride, run);
        else
          interleave<uint8_t>(from + offset, stride, run);
      });
      from += layout.block_bytes;
      to += kPanelRows * layout.block_bytes;
    }
  }
}

void WeightMatrix::widen(int64_t row, int64_t first, int64_t count, float* to) const {
  const WeightLayout& layout = layout_of(type_);
  const int64_t place = row % kPanelRows;
  const std::byte* from = panel(row / kPanelRows).bytes + first * kPanelRows * layout.block_bytes;
  std::array<std::byte, 4 * kMostBlock> blocks;  // no type has more than four bytes per number
  std::byte* block = blocks.data();
  for (int64_t i = 0; i < count; ++i) {
    for_elements(layout, [&](int64_t offset, int64_t size) {
      std::memcpy(block + offset, from + offset * kPanelRows + place * size,
                  static_cast<size_t>(size));
    });
    block += layout.block_bytes;
    from += kPanelRows * layout.block_bytes;
  }
  widen_blocks(type_, blocks.data(), count, to);
}

float WeightMatrix::at(int64_t row, int64_t column) const {
  const int64_t block = layout_of(type_).block;
  std::array<float, kMostBlock> numbers;
  widen(row, column / block, 1, numbers.data());
  return numbers[static_cast<size_t>(column % block)];
}

}  // namespace attn
