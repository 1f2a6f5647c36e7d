// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/limits.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/core/thread_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/measure/limits.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Number of independent chains of multiply-adds: enough to hide the latency, and few enough for 16
// registers.
constexpr int kChains = 12;

// Runs `rounds` multiply-adds in each chain. Returns the number of FLOPs; `sink` gets a result, so
// that the compiler keeps the work.
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

ThreadPool& pool_of(int threads) {
  static std::map<int, std::unique_ptr<ThreadPool>> pools;
  std::unique_ptr<ThreadPool>& pool = pools[threads];
  if (!pool) pool = std::make_unique<ThreadPool>(threads);
  return *pool;
}

// Runs work(task) on every thread and returns the sum of its results per second, in 1e9.
template <class Work>
double rate_of(int threads, Work&& work) {
  std::vector<double> done(static_cast<size_t>(threads) * 8);
  const auto begin = std::chrono::steady_clock::now();
  pool_of(threads).parallel_for(threads, TaskOrder::kStatic, [&](int64_t task, int) {
    done[static_cast<size_t>(task * 8)] = work(task);
  });
  const double seconds = seconds_since(begin);
  double total = 0;
  for (int task = 0; task < threads; ++task) total += done[static_cast<size_t>(task * 8)];
  return total / seconds * 1e-9;
}

constexpr int64_t kFloats = int64_t{1} << 28;  // 1 GiB

// Writes the memory before its first use: memory that was never written is one shared page of
// zeros, which the processor would read from its cache.
float* big_memory() {
  static Tensor memory = [] {
    Tensor tensor(DType::kF32, {kFloats});
    std::fill_n(tensor.data<float>(), kFloats, 1.0f);
    return tensor;
  }();
  return memory.data<float>();
}

double read_gbps(int threads) {
  const float* data = big_memory();
  const int64_t part = kFloats / threads / 128 * 128;
  std::vector<float> sinks(static_cast<size_t>(threads) * 16);
  return rate_of(threads, [&](int64_t task) {
    HWY_DYNAMIC_DISPATCH(ReadAll)(data + task * part, part, &sinks[static_cast<size_t>(task * 16)]);
    return 4.0 * static_cast<double>(part);
  });
}

double copy_gbps(int threads) {
  float* data = big_memory();
  const int64_t part = kFloats / 2 / threads / 128 * 128;
  return rate_of(threads, [&](int64_t task) {
    std::memcpy(data + kFloats / 2 + task * part, data + task * part,
                static_cast<size_t>(part) * sizeof(float));
    return 8.0 * static_cast<double>(part);
  });
}

}  // namespace

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::kFma:
      return "f32 multiply-adds";
    case Limit::kBf16Dot:
      return "bf16 dot products";
    case Limit::kRead:
      return "reading";
    case Limit::kCopy:
      return "copying";
  }
  return "";
}

bool has_bf16_dot() {
#if defined(ATTN_BENCH_BF16_DOT) && defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

double limit_now(Limit limit, int threads) {
  std::vector<float> sinks(static_cast<size_t>(threads) * 16);
  switch (limit) {
    case Limit::kFma:
      return rate_of(threads, [&](int64_t task) {
        return HWY_DYNAMIC_DISPATCH(FmaChains)(1000000, &sinks[static_cast<size_t>(task * 16)]);
      });
    case Limit::kBf16Dot:
      return rate_of(threads, [&](int64_t task) {
        return bf16_dot_chains(1000000, &sinks[static_cast<size_t>(task * 16)]);
      });
    case Limit::kRead:
      return read_gbps(threads);
    case Limit::kCopy:
      return copy_gbps(threads);
  }
  return 0;
}

}  // namespace attn::bench
#endif  // HWY_ONCE
