// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/memory/counted_heap.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> alive{0}, most{0};
thread_local int64_t until_failure = 0;  // n > 0: the n-th allocation fails; 0: none fails
thread_local bool fails_from_then = false, failed = false;

void count(int64_t bytes) {
  const int64_t now = alive.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t before = most.load(std::memory_order_relaxed);
  while (now > before && !most.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

void* counted(size_t bytes) {
  if (until_failure > 0 && --until_failure == 0) {
    failed = true;
    if (fails_from_then) until_failure = 1;
    throw std::bad_alloc();
  }
  void* p = std::malloc(bytes == 0 ? 1 : bytes);
  if (!p) throw std::bad_alloc();
  count(static_cast<int64_t>(malloc_usable_size(p)));
  return p;
}

void release(void* p) {
  if (!p) return;
  count(-static_cast<int64_t>(malloc_usable_size(p)));
  std::free(p);
}

}  // namespace

// Not inlined: the compiler would otherwise see free() beside an allocation by operator new and
// warn of a mismatch.
[[gnu::noinline]] void* operator new(size_t bytes) {
  return counted(bytes);
}
[[gnu::noinline]] void* operator new[](size_t bytes) {
  return counted(bytes);
}
// Without the next two definitions a build with AddressSanitizer would call its own ones, which do
// not call the operators above.
[[gnu::noinline]] void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return counted(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return operator new(bytes, std::nothrow);
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  release(p);
}
[[gnu::noinline]] void operator delete[](void* p) noexcept {
  release(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept {
  release(p);
}
[[gnu::noinline]] void operator delete[](void* p, size_t) noexcept {
  release(p);
}

namespace attn::test {

int64_t heap_bytes() {
  return alive.load();
}
int64_t heap_peak() {
  return most.load();
}
void forget_peak() {
  most.store(alive.load());
}

FailingAllocation::FailingAllocation(int64_t n, bool all) {
  failed = false;
  fails_from_then = all;
  until_failure = n;
}
FailingAllocation::~FailingAllocation() {
  until_failure = 0;
}
bool FailingAllocation::has_failed() {
  return failed;
}

}  // namespace attn::test
