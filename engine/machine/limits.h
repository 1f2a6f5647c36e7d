// SPDX-License-Identifier: GPL-3.0-or-later
// Measures single limits of this machine: rates of arithmetic, of reading and of copying.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/core/tensor.h"
#include "engine/core/thread_pool.h"

namespace attn {

enum class Limit : uint8_t {
  kFma,         // f32 multiply-adds in registers, 2 operations each, 1e9 operations/s
  kBf16Dot,     // bf16 dot products in registers (vdpbf16ps), 2 operations per product, 1e9/s
  kBf16Matrix,  // bf16 products in the matrix unit (tdpbf16ps), 2 operations per product, 1e9/s
  kRead,        // reading the memory of the LimitMeter, GB/s
  kCopy,        // copying half of that memory to the other half; read and written bytes, GB/s
};
std::string_view name_of(Limit limit);  // "f32 multiply-adds", ...

// Whether this processor has bf16 dot products and they were compiled. kBf16Matrix needs
// has_bf16_unit(Bf16Unit::kMatrix).
bool has_bf16_dot();

// Memory of this size. It is written once, because memory that was never written may be one shared
// page of zeros. Throws what Tensor throws.
std::shared_ptr<Tensor> written_memory(int64_t bytes, ThreadPool& pool);

// One thread at a time may call rate() or reread_rate().
class LimitMeter {
 public:
  // memory: f32; should be larger than the caches, so that kRead and kCopy measure the memory.
  LimitMeter(std::shared_ptr<ThreadPool> pool, std::shared_ptr<Tensor> memory);

  // The present rate of all threads together, in 1e9 operations or bytes per second.
  double rate(Limit limit);
  // The rate of all threads together, in GB/s, when each reads its own `bytes_per_thread` bytes
  // again and again, 512 if it is less. The bytes of all threads must not exceed the memory.
  double reread_rate(int64_t bytes_per_thread);

 private:
  template <class Work>
  double rate_of(Work&& work);
  int threads() const { return pool_->num_workers(); }

  std::shared_ptr<ThreadPool> pool_;
  std::shared_ptr<Tensor> memory_;
};

// The work of one thread for kBf16Dot and kBf16Matrix: `rounds` rounds of independent chains.
// Returns the number of operations. Call them only if the processor has the unit.
double bf16_dot_chains(long rounds, float* sink);
double bf16_matrix_chains(long rounds, float* sink);

}  // namespace attn
