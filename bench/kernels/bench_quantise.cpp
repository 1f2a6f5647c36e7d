// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of f32 numbers to the codes of 8-bit caches.
#include "bench/kernels/cache_bench.h"
#include "engine/kernels/cache/quantise.h"

namespace attn::bench {
namespace {

constexpr int64_t kNumbers = 8 << 20;

template <class Code>
void quantise_all(benchmark::State& state) {
  const Tensor numbers = random_tensor(DType::kF32, {kNumbers}, 1);
  std::vector<Code> codes(kNumbers);
  RoundingCounts counts;
  measure(
      state,
      [&] {
        quantise(numbers.data<float>(), kNumbers, 1.0f / 16, codes.data(), counts);
        benchmark::DoNotOptimize(codes.data());
      },
      copy_work(static_cast<double>(kNumbers) * (sizeof(float) + sizeof(Code))));
}

template <class Code>
void add_quantise(DType dtype) {
  add_row(fmt::format("quantise/{}/N{}/T1", name_of(dtype), kNumbers), quantise_all<Code>);
}

}  // namespace

void register_quantise() {
  add_quantise<Float8E4M3>(DType::kF8E4M3);
  add_quantise<Float8E5M2>(DType::kF8E5M2);
  add_quantise<int8_t>(DType::kI8);
}

}  // namespace attn::bench
