// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/attention_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "bench/measure/peer.h"
#include "engine/core/rng.h"

namespace attn::bench {
namespace {

constexpr size_t kAllCaches = size_t{512} << 20;
constexpr size_t kMaxCaches = 64;

std::string cache_name(const Call& call) {
  return call.cache_dtype == "auto" ? std::string(name_of(call.dtype)) : call.cache_dtype;
}

std::vector<int32_t> block_order(int64_t blocks, bool shuffled) {
  std::vector<int32_t> order(static_cast<size_t>(blocks));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(1);
  if (shuffled)
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

int64_t blocks_of(const Call& call, size_t s) {
  return (call.query_lens[s] + call.context_lens[s] + call.block_size - 1) / call.block_size;
}

template <class T>
void fill(void* to, const std::vector<float>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) static_cast<T*>(to)[i] = from_f32<T>(numbers[i]);
}

// Writes `numbers` as elements of `dtype`, 16 times as large for 8-bit types.
void fill(DType dtype, std::vector<float> numbers, void* to) {
  if (size_of(dtype) == 1)
    for (float& x : numbers) x *= 16;
  if (dtype == DType::kF32) fill<float>(to, numbers);
  if (dtype == DType::kBF16) fill<BFloat16>(to, numbers);
  if (dtype == DType::kF16) fill<Float16>(to, numbers);
  if (dtype == DType::kF8E4M3) fill<Float8E4M3>(to, numbers);
  if (dtype == DType::kF8E5M2) fill<Float8E5M2>(to, numbers);
  if (dtype == DType::kI8) fill<int8_t>(to, numbers);
}

}  // namespace

Tensor random_tensor(DType dtype, Shape shape, uint64_t seed) {
  Tensor tensor(dtype, std::move(shape));
  constexpr size_t kPeriod = 1000003;
  std::vector<float> numbers(std::min(kPeriod, static_cast<size_t>(tensor.size())));
  Rng rng(seed);
  for (float& x : numbers) x = static_cast<float>(rng.uniform() * 2 - 1);
  auto* bytes = static_cast<std::byte*>(tensor.raw());
  fill(dtype, numbers, bytes);
  const size_t all = static_cast<size_t>(tensor.size()) * size_of(dtype);
  for (size_t done = numbers.size() * size_of(dtype); done < all;) {
    const size_t count = std::min(done, all - done);
    std::memcpy(bytes + done, bytes, count);
    done += count;
  }
  return tensor;
}

void set_lengths(Call& call, int64_t batch, int64_t query_len, int64_t context_len) {
  call.query_lens.assign(static_cast<size_t>(batch), query_len);
  call.context_lens.assign(static_cast<size_t>(batch), context_len);
}

std::string name_of(const Call& call) {
  const std::string mask = call.alibi        ? "alibi/"
                           : call.window > 0 ? fmt::format("window{}/", call.window)
                                             : "causal/";
  std::string name = fmt::format(
      "{}/{}{}{}/{}/{}{}/H{}/KV{}/D{}", call.is_prefill ? "prefill" : "decode", call.backend,
      call.path.empty() ? "" : "-", call.path, cache_name(call), call.is_prefill ? mask : "",
      call.shape, call.num_heads, call.num_kv_heads, call.head_size);
  if (call.cached) name += fmt::format("/BS{}", call.block_size);
  if (!call.shuffled) name += "/contiguous";
  return name + fmt::format("/T{}", call.threads);
}

AttentionBench::AttentionBench(const Call& call) : call_(call), pool_(call.threads) {
  config_.num_heads = call.num_heads;
  config_.num_kv_heads = call.num_kv_heads;
  config_.head_size = call.head_size;
  config_.scale = 1.0f / std::sqrt(static_cast<float>(call.head_size));
  config_.backend_options = call.options;
  config_.chunked_prefill = call.chunked_prefill;
  config_.extended = call.chunked_prefill;  // torch_sdpa refuses chunked prefill without it
  if (call.alibi) config_.alibi_slopes = standard_alibi_slopes(call.num_heads);
  if (call.window > 0) config_.sliding_window = call.window;
  set_cache_dtype(config_, call.cache_dtype, call.dtype, name_of(call));
  const AttentionBackend& backend = backend_named(call.backend);
  impl_ = backend.make_impl(config_);

  int64_t blocks = 0;
  for (size_t s = 0; s < call.query_lens.size(); ++s) blocks += blocks_of(call, s);
  const std::vector<int32_t> order = block_order(blocks, call.shuffled);
  std::vector<SequenceSlice> slices;
  int64_t tokens = 0;
  size_t next = 0;
  for (size_t s = 0; s < call.query_lens.size(); ++s) {
    const int64_t q = call.query_lens[s], c = call.context_lens[s];
    const auto count = static_cast<size_t>(blocks_of(call, s));
    slices.push_back(
        {static_cast<uint32_t>(s), c, q, call.is_prefill, std::span(order).subspan(next, count)});
    next += count;
    tokens += q;
    keys_ += static_cast<double>(q + c);
    for (int64_t row = c; row < c + q; ++row)
      pairs_ += static_cast<double>(call.window > 0 ? std::min(row + 1, call.window) : row + 1);
  }
  tokens_ = static_cast<double>(tokens);
  flops_ = 4.0 * pairs_ * static_cast<double>(call.head_size * call.num_heads);
  kv_bytes_ = 2.0 * keys_ * static_cast<double>(call.num_kv_heads * call.head_size) *
              static_cast<double>(size_of(config_.kv_cache_dtype));
  metadata_ = backend.make_metadata();
  build_metadata(slices, call.block_size, *metadata_);
  query_ = random_tensor(call.dtype, {tokens, call.num_heads, call.head_size}, 2);
  key_ = random_tensor(call.dtype, {tokens, call.num_kv_heads, call.head_size}, 3);
  value_ = random_tensor(call.dtype, {tokens, call.num_kv_heads, call.head_size}, 4);
  out_ = Tensor(call.dtype, query_.shape());
  lse_ = Tensor(DType::kF32, {tokens, call.num_heads});
  make_cache(backend, blocks);
  run();
}

void AttentionBench::make_cache(const AttentionBackend& backend, int64_t blocks) {
  if (!call_.cached) {
    caches_.emplace_back();
    return;
  }
  if (config_.kv_cache_dtype == DType::kI8) {
    scales_.k_head_scales.assign(static_cast<size_t>(call_.num_kv_heads), 1.0f / 16);
    scales_.v_head_scales = scales_.k_head_scales;
  } else if (is_quantised(config_.kv_cache_dtype)) {
    scales_.k_scale = scales_.v_scale = 1.0f / 16;
  }
  const Shape shape =
      backend.kv_cache_shape(blocks, call_.block_size, call_.num_kv_heads, call_.head_size);
  size_t bytes = 0;
  do {
    storage_.push_back(std::make_unique<Tensor>(
        random_tensor(config_.kv_cache_dtype, shape, 5 + storage_.size())));
    bytes += storage_.back()->bytes();
    caches_.push_back(
        {storage_.back().get(), blocks, call_.block_size, call_.num_kv_heads, call_.head_size});
  } while (!call_.is_prefill && bytes < kAllCaches && caches_.size() < kMaxCaches);
}

void AttentionBench::run(Recorder* recorder, RunClock* clock, RunGate* gate) {
  Execution execution;
  execution.pool = &pool_;
  execution.recorder = recorder;
  execution.clock = clock;
  execution.gate = gate;
  if (call_.builds_masks) metadata_->forget_attn_biases();
  const KvCacheView& cache = caches_[next_cache_++ % caches_.size()];
  impl_->forward({&query_, &key_, &value_, cache, scales_}, *metadata_, {&out_, &lse_, nullptr},
                 execution);
}

namespace {

// Dot products of bf16 if the processor has them and they are faster than f32 multiply-adds;
// otherwise f32 multiply-adds.
Limit limit_of_bf16() {
  static const Limit limit =
      has_bf16_dot() && limit_now(Limit::kBf16Dot, 1) > limit_now(Limit::kFma, 1) ? Limit::kBf16Dot
                                                                                  : Limit::kFma;
  return limit;
}

Work work_of(const Call& call, const AttentionBench& bench) {
  Work work;
  work.threads = call.threads;
  work.tokens = bench.tokens();
  if (call.is_prefill) {
    work.amount = bench.flops() * 1e-9;
    if (call.dtype == DType::kBF16) work.limit = limit_of_bf16();
    work.unit = "ns_per_pair";
    work.units = bench.pairs() * static_cast<double>(call.num_heads);
  } else {
    work.counter = "achieved_gbps";
    work.amount = bench.kv_bytes() * 1e-9;
    work.limit = Limit::kRead;
    work.unit = "ns_per_key";
    work.units = bench.keys() * static_cast<double>(call.num_kv_heads);
  }
  return work;
}

PeerCase peer_case(const Call& call) {
  return {call.is_prefill,   call.query_lens, call.context_lens, call.num_heads,
          call.num_kv_heads, call.head_size,  call.dtype,        call.threads};
}

// "prefill/unified/f32/..." becomes "prefill/peer_torch/f32/...".
std::string peer_row(const Call& call, const std::string& peer) {
  Call theirs = call;
  theirs.backend = "peer_" + peer;
  theirs.path.clear();
  theirs.cached = false;
  return name_of(theirs);
}

bool has_peer(const Call& call) {
  constexpr int64_t kLongest = 8192;
  for (size_t i = 0; i < call.query_lens.size(); ++i)
    if (call.query_lens[i] + call.context_lens[i] > kLongest) return false;
  return call.cache_dtype == "auto" && call.shuffled && call.block_size == 16 && !call.alibi &&
         call.window == 0 && (call.dtype == DType::kF32 || call.dtype == DType::kBF16);
}
bool may_run(const std::string& peer, const Call& call) {
  const auto same = [](const std::vector<int64_t>& lengths) {
    return std::ranges::adjacent_find(lengths, std::not_equal_to<>()) == lengths.end();
  };
  return peer != "onnxruntime" ||
         (call.dtype == DType::kF32 && same(call.query_lens) && same(call.context_lens));
}

}  // namespace

void add_attention(const Call& call) {
  add_row(name_of(call), [call](benchmark::State& state) {
    AttentionBench bench(call);
    const double seconds = measure(
        state, [&] { bench.run(); }, work_of(call, bench));
    if (call.is_prefill && call.dtype == DType::kBF16 && has_bf16_dot())
      state.counters["bf16_dot_limit"] = limit_now(Limit::kBf16Dot, call.threads);
    if (!has_peer(call)) return;
    double best = 0;
    for (const std::string& peer : peer_names()) {
      if (!may_run(peer, call)) continue;
      if (const auto theirs = ask_peer(peer, peer_case(call)).seconds)
        best = best > 0 ? std::min(best, *theirs) : *theirs;
    }
    if (best > 0) state.counters["ratio_to_peer"] = best / seconds;
  });
  if (!has_peer(call)) return;
  for (const std::string& peer : peer_names()) {
    if (!may_run(peer, call)) continue;
    static std::vector<std::string> known;
    const std::string name = peer_row(call, peer);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    known.push_back(name);
    add_row(name, [call, peer](benchmark::State& state) {
      const AttentionBench sizes(call);
      const PeerCase asked = peer_case(call);
      const auto& [seconds, trouble] = ask_peer(peer, asked);
      for (auto _ : state) {
        if (!seconds) {
          state.SkipWithError(trouble.c_str());
          break;
        }
        set_counters(state, *seconds, limit_now(work_of(call, sizes).limit, call.threads),
                     work_of(call, sizes));
      }
    });
  }
}

}  // namespace attn::bench
