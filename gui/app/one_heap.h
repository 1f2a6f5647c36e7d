// SPDX-License-Identifier: GPL-3.0-or-later
// One heap for all threads. glibc's allocator gives a thread a heap of its own, and the window
// frees what the engine's thread made: the free pieces of one run then lie between the kept pieces
// of the next, and the process grows by megabytes an hour though nothing is kept (test_soak).
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attn::gui {

// To be called first in main(): it takes effect for threads that begin later.
inline void use_one_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace attn::gui
