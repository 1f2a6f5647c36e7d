// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that measure the units that multiply bf16, compiled with -mavx512bf16 where the compiler
// has it. Ask has_bf16_dot() or has_bf16_unit() before calling them.
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/machine/limits.h"

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

namespace attn {

#ifdef __AVX512BF16__

double bf16_dot_chains(long rounds, float* sink) {
  constexpr int kChains = 12;
  const __m512bh a = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3f00));  // 0.5
  const __m512bh b = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3a80));  // 2^-10
  // Loops over acc must be unrolled, or the compiler may keep acc in memory.
  __m512 acc[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      acc[i] = _mm512_dpbf16_ps(acc[i], a, b);
      // The operands are constant. Without this the compiler may move the work out of the loop.
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

#if ATTN_HAS_BF16_UNITS

// Four sums of 16 x 16 numbers. A round adds the product of 16 x 32 and 32 x 16 numbers to each.
double bf16_matrix_chains(long rounds, float* sink) {
  const MatrixSession session(true);
  asm volatile(
      "tilezero %%tmm0\n\ttilezero %%tmm1\n\ttilezero %%tmm2\n\ttilezero %%tmm3\n\t"
      "tilezero %%tmm4\n\ttilezero %%tmm5" ::);
  for (long round = 0; round < rounds; ++round)
    asm volatile(
        "tdpbf16ps %%tmm5, %%tmm4, %%tmm0\n\ttdpbf16ps %%tmm5, %%tmm4, %%tmm1\n\t"
        "tdpbf16ps %%tmm5, %%tmm4, %%tmm2\n\ttdpbf16ps %%tmm5, %%tmm4, %%tmm3" ::);
  *sink = 0;
  return 4 * 2.0 * 16 * 16 * 32 * static_cast<double>(rounds);
}

#else

double bf16_matrix_chains(long /*rounds*/, float* sink) {
  *sink = 0;
  return 0;
}

#endif

}  // namespace attn
