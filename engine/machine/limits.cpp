// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/machine/limits.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/machine/limits.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Independent chains of multiply-adds, to hide the latency.
constexpr int kChains = 12;

// Runs `rounds` multiply-adds in each chain and returns the number of FLOPs. sink: gets a result,
// so that the compiler keeps the work.
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
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(FmaChains);
HWY_EXPORT(ReadAll);

constexpr int64_t kLine = 128;          // floats; a thread measures a multiple of it
constexpr int64_t kSinks = 16;          // floats from the result of a thread to the next one's
constexpr int64_t kReread = 128 << 20;  // bytes that all threads read in reread_rate(), about
constexpr long kRounds = 1000000;       // rounds of FMA or dot product chains in a measurement
constexpr long kMatrixRounds = 100000;

int64_t floats_of(const Tensor& memory) {
  return memory.dim(0);
}

}  // namespace

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::kFma:
      return "f32 multiply-adds";
    case Limit::kBf16Dot:
      return "bf16 dot products";
    case Limit::kBf16Matrix:
      return "bf16 matrix products";
    case Limit::kRead:
      return "reading";
    case Limit::kCopy:
      return "copying";
  }
  return "";
}

bool has_bf16_dot() {
#if defined(ATTN_COMPILED_BF16_DOT) && defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

std::shared_ptr<Tensor> written_memory(int64_t bytes, ThreadPool& pool) {
  auto memory = std::make_shared<Tensor>(DType::kF32, Shape{bytes / 4});
  const int threads = pool.num_workers();
  const int64_t part = (floats_of(*memory) + threads - 1) / threads;
  pool.parallel_for(threads, TaskOrder::kStatic, [&](int64_t task, int) {
    const int64_t from = task * part, to = std::min(floats_of(*memory), from + part);
    if (from < to) std::fill_n(memory->data<float>() + from, to - from, 1.0f);
  });
  return memory;
}

LimitMeter::LimitMeter(std::shared_ptr<ThreadPool> pool, std::shared_ptr<Tensor> memory)
    : pool_(std::move(pool)), memory_(std::move(memory)) {}

// Runs work(task, sink) on all threads. `work` returns its number of operations or bytes. The
// result is their sum per second, in 1e9.
template <class Work>
double LimitMeter::rate_of(Work&& work) {
  std::vector<double> done(static_cast<size_t>(threads()) * 8);
  std::vector<float> sinks(static_cast<size_t>(threads()) * kSinks);
  const auto begin = std::chrono::steady_clock::now();
  pool_->parallel_for(threads(), TaskOrder::kStatic, [&](int64_t task, int) {
    done[static_cast<size_t>(task * 8)] = work(task, &sinks[static_cast<size_t>(task * kSinks)]);
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  double total = 0;
  for (int task = 0; task < threads(); ++task) total += done[static_cast<size_t>(task * 8)];
  return total / seconds.count() * 1e-9;
}

double LimitMeter::rate(Limit limit) {
  auto* data = memory_->data<float>();
  const int64_t floats = floats_of(*memory_);
  switch (limit) {
    case Limit::kFma:
      return rate_of(
          [](int64_t, float* sink) { return HWY_DYNAMIC_DISPATCH(FmaChains)(kRounds, sink); });
    case Limit::kBf16Dot:
      return rate_of([](int64_t, float* sink) { return bf16_dot_chains(kRounds, sink); });
    case Limit::kBf16Matrix:
      return rate_of([](int64_t, float* sink) { return bf16_matrix_chains(kMatrixRounds, sink); });
    case Limit::kRead: {
      const int64_t part = floats / threads() / kLine * kLine;
      return rate_of([&](int64_t task, float* sink) {
        HWY_DYNAMIC_DISPATCH(ReadAll)(data + task * part, part, sink);
        return 4.0 * static_cast<double>(part);
      });
    }
    case Limit::kCopy: {
      const int64_t part = floats / 2 / threads() / kLine * kLine;
      return rate_of([&](int64_t task, float*) {
        std::memcpy(data + floats / 2 + task * part, data + task * part,
                    static_cast<size_t>(part) * sizeof(float));
        return 8.0 * static_cast<double>(part);
      });
    }
  }
  return 0;
}

double LimitMeter::reread_rate(int64_t bytes_per_thread) {
  const auto* data = memory_->data<float>();
  const int64_t part = std::max(kLine, bytes_per_thread / 4 / kLine * kLine);
  const int64_t rounds = std::max<int64_t>(1, kReread / 4 / threads() / part);
  return rate_of([&](int64_t task, float* sink) {
    for (int64_t round = 0; round < rounds; ++round)
      HWY_DYNAMIC_DISPATCH(ReadAll)(data + task * part, part, sink);
    return 4.0 * static_cast<double>(part * rounds);
  });
}

}  // namespace attn
#endif  // HWY_ONCE
