// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine can do at most: rates that are measured, none that is looked up. `attn bench`
// measures a limit by turns with each of its rows; machine_limits.h measures all of them at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/core/tensor.h"
#include "engine/core/thread_pool.h"

namespace attn {

enum class Limit : uint8_t {
  kFma,         // f32 multiply-adds in registers, 2 operations each, 1e9 operations/s
  kBf16Dot,     // bf16 dot products in registers (vdpbf16ps), 2 operations per pair, also 1e9/s
  kBf16Matrix,  // bf16 products in the registers of the matrix unit (tdpbf16ps), also 1e9/s
  kRead,        // reading the memory that the LimitMeter was given, GB/s
  kCopy,        // copying one half of that memory to the other, bytes read and bytes written, GB/s
};
std::string_view name_of(Limit limit);  // "f32 multiply-adds", ...

// Whether this processor has bf16 dot products and the compiler could compile them. kBf16Matrix can
// be measured where has_bf16_unit(Bf16Unit::kMatrix).
bool has_bf16_dot();

// Memory of this size, written once: memory that was never written is one shared page of zeros,
// which the processor would read from its cache. Throws what Tensor throws.
std::shared_ptr<Tensor> written_memory(int64_t bytes, ThreadPool& pool);

// Only one thread at a time may call rate() or reread_rate(); the pool has the other threads.
class LimitMeter {
 public:
  // memory: f32; must be larger than the caches of the processor for kRead and kCopy to be limits
  // of the memory.
  LimitMeter(std::shared_ptr<ThreadPool> pool, std::shared_ptr<Tensor> memory);

  // The rate that all threads reach together at this moment, in 1e9 operations or bytes per second.
  // Takes some milliseconds; kRead and kCopy as long as it takes to go through the memory once.
  double rate(Limit limit);
  // The rate of all threads together, GB/s, where each reads `bytes_per_thread` bytes of its own
  // again and again: the rate of the smallest cache that holds them. The bytes of all threads
  // together must not be more than the memory.
  double reread_rate(int64_t bytes_per_thread);

 private:
  template <class Work>
  double rate_of(Work&& work);
  int threads() const { return pool_->num_workers(); }

  std::shared_ptr<ThreadPool> pool_;
  std::shared_ptr<Tensor> memory_;
};

// The work of one thread for kBf16Dot and kBf16Matrix: `rounds` rounds of independent chains.
// Returns the number of operations. In bf16_chains.cpp; call them only where the unit is there.
double bf16_dot_chains(long rounds, float* sink);
double bf16_matrix_chains(long rounds, float* sink);

}  // namespace attn
