// SPDX-License-Identifier: GPL-3.0-or-later
// use_one_heap(): all threads use one heap. glibc may otherwise give threads heaps of their own;
// these can fragment, because the window frees memory that the engine's thread allocated.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attn::gui {

// Call first in main(): threads that exist already may keep their heaps.
inline void use_one_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace attn::gui
