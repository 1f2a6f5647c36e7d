// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/limits.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/core/thread_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/limits.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file once per target

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Independent chains of multiply-adds: enough to hide the latency, few enough for 16 registers.
// Returns FLOPs done.
constexpr int kChains = 12;

double FmaChains(int64_t rounds, float* sink) {
  const hn::ScalableTag<float> d;
  const auto a = hn::Set(d, 0.999f), b = hn::Set(d, 0.001f);
  hn::Vec<decltype(d)> acc[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) acc[i] = hn::Set(d, static_cast<float>(i));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) acc[i] = hn::MulAdd(acc[i], a, b);
  }
  auto sum = hn::Zero(d);
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) sum = hn::Add(sum, acc[i]);
  *sink = hn::GetLane(hn::SumOfLanes(d, sum));
  return 2.0 * kChains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

void ReadAll(const float* data, int64_t count, float* sink) {
  const hn::ScalableTag<float> d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> acc[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) acc[i] = hn::Zero(d);
  for (int64_t at = 0; at + 8 * n <= count; at += 8 * n) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) acc[i] = hn::Add(acc[i], hn::Load(d, data + at + i * n));
  }
  auto sum = hn::Zero(d);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) sum = hn::Add(sum, acc[i]);
  *sink = hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::bench {
namespace {

HWY_EXPORT(FmaChains);
HWY_EXPORT(ReadAll);

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Limits measure(int threads) {
  ThreadPool pool(threads);
  Limits limits;
  std::vector<float> sinks(static_cast<size_t>(threads) * 16);
  std::vector<double> flops(static_cast<size_t>(threads) * 8);
  constexpr int64_t kFloats = int64_t{1} << 28;  // 1 GiB
  Tensor memory(DType::kF32, {kFloats});
  // Memory that was never written is one shared page of zeros: it would be read from the cache.
  std::fill_n(memory.data<float>(), kFloats, 1.0f);
  const float* data = memory.data<float>();
  for (int repeat = 0; repeat < 5; ++repeat) {
    auto begin = std::chrono::steady_clock::now();
    pool.parallel_for(threads, TaskOrder::kStatic, [&](int64_t task, int) {
      flops[static_cast<size_t>(task * 8)] =
          HWY_DYNAMIC_DISPATCH(FmaChains)(4000000, &sinks[static_cast<size_t>(task * 16)]);
    });
    double total = 0;
    for (int task = 0; task < threads; ++task) total += flops[static_cast<size_t>(task * 8)];
    limits.fma_gflops = std::max(limits.fma_gflops, total / seconds_since(begin) * 1e-9);
    begin = std::chrono::steady_clock::now();
    pool.parallel_for(threads, TaskOrder::kStatic, [&](int64_t task, int) {
      const int64_t part = kFloats / threads / 16 * 16;
      HWY_DYNAMIC_DISPATCH(ReadAll)
      (data + task * part, part, &sinks[static_cast<size_t>(task * 16)]);
    });
    limits.read_gbps = std::max(limits.read_gbps, 4.0 * kFloats / seconds_since(begin) * 1e-9);
  }
  return limits;
}

}  // namespace

const Limits& limits(int threads) {
  static std::map<int, Limits> known;
  auto found = known.find(threads);
  if (found == known.end()) found = known.emplace(threads, measure(threads)).first;
  return found->second;
}

}  // namespace attn::bench
#endif  // HWY_ONCE
