// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/limits.h"

#include <map>

namespace attn::bench {
namespace {

LimitMeter& meter_of(int threads) {
  static std::map<int, LimitMeter> meters;
  static std::shared_ptr<Tensor> memory;
  const auto known = meters.find(threads);
  if (known != meters.end()) return known->second;
  auto pool = std::make_shared<ThreadPool>(threads);
  if (!memory) memory = written_memory(int64_t{1} << 30, *pool);
  return meters.try_emplace(threads, std::move(pool), memory).first->second;
}

}  // namespace

double limit_now(Limit limit, int threads) {
  return meter_of(threads).rate(limit);
}

}  // namespace attn::bench
