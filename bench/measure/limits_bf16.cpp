// SPDX-License-Identifier: GPL-3.0-or-later
// The limit of bf16 dot products. This file alone is compiled with -mavx512bf16; nothing in it runs
// before has_bf16_dot() has asked the processor.
#include "bench/measure/limits.h"

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

namespace attn::bench {

#ifdef __AVX512BF16__

double bf16_dot_chains(long rounds, float* sink) {
  constexpr int kChains = 12;
  const __m512bh a = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3f00));  // 0.5
  const __m512bh b = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3a80));  // 2^-10
  // Every loop over acc is unrolled; otherwise the compiler keeps acc in memory.
  __m512 acc[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      acc[i] = _mm512_dpbf16_ps(acc[i], a, b);
      // The operands never change; without this the compiler may move the work out of the loop.
      asm volatile("" : "+v"(acc[i]));
    }
  }
  __m512 sum = acc[0];
#pragma GCC unroll 12
  for (int i = 1; i < kChains; ++i) sum = _mm512_add_ps(sum, acc[i]);
  alignas(64) float lanes[16];
  _mm512_store_ps(lanes, sum);
  *sink = lanes[0];
  return 2.0 * kChains * 32 * static_cast<double>(rounds);
}

#else

double bf16_dot_chains(long /*rounds*/, float* sink) {
  *sink = 0;
  return 0;
}

#endif

}  // namespace attn::bench
