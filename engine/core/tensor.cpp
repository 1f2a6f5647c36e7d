// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace attn {

namespace {

// Bytes of a tensor from which on ask_memory() is called before it is made.
constexpr int64_t kAskFrom = int64_t{64} << 20;

std::atomic<bool> guarded{false};
std::atomic<int64_t> buffers_made{0};
std::atomic<int64_t> alive{0};

}  // namespace

void AlignedBuffer::guard_allocations(bool on) {
  guarded.store(on);
}

int64_t AlignedBuffer::allocations() {
  return buffers_made.load();
}

int64_t AlignedBuffer::bytes_alive() {
  return alive.load(std::memory_order_relaxed);
}

void AlignedBuffer::Free::operator()(std::byte* p) const {
  alive.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  if (mapping)
    munmap(mapping, mapping_bytes);
  else
    std::free(p);
}

AlignedBuffer::AlignedBuffer(size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  buffers_made.fetch_add(1, std::memory_order_relaxed);
  const auto counted = [bytes] {
    alive.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  };
  if (guarded.load()) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t used = (bytes + page - 1) / page * page;
    void* mapping =
        mmap(nullptr, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping != MAP_FAILED &&
        mprotect(static_cast<std::byte*>(mapping) + used, page, PROT_NONE) == 0) {
      data_ = std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(mapping) + used - bytes,
                                               Free{mapping, used + page, bytes});
      counted();
      return;
    }
  }
  // A large buffer is mapped: the system zeroes its pages when they are first touched.
  constexpr size_t kMapFrom = size_t{1} << 20;
  if (bytes >= kMapFrom) {
    void* mapping =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping != MAP_FAILED) {
      data_ = std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(mapping),
                                               Free{mapping, bytes, bytes});
      counted();
      return;
    }
  }
  const size_t rounded = (bytes + 63) / 64 * 64;
  auto* p = rounded < bytes ? nullptr : static_cast<std::byte*>(std::aligned_alloc(64, rounded));
  if (!p)
    throw Error(ErrorCode::kFailed,
                {"out of memory", "buffer", fmt::format("{} bytes asked for", bytes), "",
                 "Use fewer blocks, shorter prompts or a smaller model"});
  std::memset(p, 0, rounded);
  data_ = std::unique_ptr<std::byte, Free>(p, Free{nullptr, 0, bytes});
  counted();
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

int64_t element_count(const Shape& shape) {
  int64_t count = 1;
  for (int64_t axis : shape) {
    if (axis < 0 || __builtin_mul_overflow(count, axis, &count))
      throw_bad_input({"shape is invalid", "tensor", to_string(shape),
                       "axes >= 0 whose product fits 63 bits", ""});
  }
  return count;
}

Tensor::Tensor(DType dtype, Shape shape)
    : dtype_(dtype), shape_(std::move(shape)), count_(element_count(shape_)) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count_, static_cast<int64_t>(size_of(dtype)), &bytes))
    throw_bad_input(
        {"tensor is too large", "tensor", to_string(shape_), "fewer than 2^63 bytes", ""});
  if (bytes >= kAskFrom)
    ask_memory({.bytes = static_cast<double>(bytes),
                .what = "tensor does not fit in memory",
                .where = "tensor",
                .found = fmt::format("{} of {} = {}", to_string(shape_), name_of(dtype),
                                     bytes_text(static_cast<double>(bytes))),
                .advice = "Use fewer tokens, heads or blocks, or close other programs"});
  buffer_ = AlignedBuffer(static_cast<size_t>(bytes));
}

namespace {

double load(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case DType::kF64:
      return tensor.data<double>()[i];
    case DType::kF32:
      return tensor.data<float>()[i];
    case DType::kF16:
      return to_f32(tensor.data<Float16>()[i]);
    case DType::kBF16:
      return to_f32(tensor.data<BFloat16>()[i]);
    default:
      throw_bad_input({"tensor is not of a floating-point type", "convert",
                       std::string(name_of(tensor.dtype())), "f64, f32, f16, bf16", ""});
  }
}

}  // namespace

Tensor convert(const Tensor& tensor, DType dtype) {
  Tensor result(dtype, tensor.shape());
  if (tensor.dtype() == dtype) {
    if (tensor.bytes() != 0) std::memcpy(result.raw(), tensor.raw(), tensor.bytes());
    return result;
  }
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const double value = load(tensor, i);
    switch (dtype) {
      case DType::kF64:
        result.data<double>()[i] = value;
        break;
      case DType::kF32:
        result.data<float>()[i] = static_cast<float>(value);
        break;
      case DType::kF16:
        result.data<Float16>()[i] = to_f16(static_cast<float>(value));
        break;
      case DType::kBF16:
        result.data<BFloat16>()[i] = to_bf16(static_cast<float>(value));
        break;
      default:
        throw_bad_input({"conversion target is not a floating-point type", "convert",
                         std::string(name_of(dtype)), "f64, f32, f16, bf16", ""});
    }
  }
  return result;
}

}  // namespace attn
