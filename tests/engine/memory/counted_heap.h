// SPDX-License-Identifier: GPL-3.0-or-later
// The heap of a test program: counts the bytes of all threads, and fails allocations of the thread
// that asks for it. counted_heap.cpp replaces operator new and delete, but not the aligned ones.
#pragma once

#include <cstdint>

namespace attn::test {

// Bytes from the replaced operators that are alive now, and the most since forget_peak().
int64_t heap_bytes();
int64_t heap_peak();
void forget_peak();

// While an object lives, the n-th call of operator new by its thread fails; with `all` also every
// later one. n: from 1 on.
class FailingAllocation {
 public:
  explicit FailingAllocation(int64_t n, bool all = false);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  static bool has_failed();
};

}  // namespace attn::test
