// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/work/kernel_work.h"

#include <algorithm>
#include <limits>

#include "engine/session/work/visible_pairs.h"

namespace attn {
namespace {

// The rule by which a layer of the request computes. With ALiBi and a window it is read from the
// request's record, because it depends on how the prompt was computed.
const WeightRule& rule_of(const EngineSnapshot& run, uint32_t request, int64_t layer) {
  const WeightRule& rule = run.rules->of(layer);
  if (rule.sliding_window == 0 || rule.alibi_slopes.empty()) return rule;
  const RequestView* view = request_by_id(run, request);
  if (!view || !view->at(layer).attention) return rule;
  return view->at(layer).attention->shape().rules.of(layer);
}

void add_to(WorkSum& sum, const std::vector<KernelCall>& calls, size_t index) {
  const KernelCall& call = calls[index];
  if (sum.calls == 0 || call.duration_ns > calls[sum.longest].duration_ns) sum.longest = index;
  ++sum.calls;
  sum.operations += call.operations;
  sum.bytes += call.bytes;
  sum.ns += static_cast<double>(call.duration_ns);
}

}  // namespace

bool KernelWork::prepare(const EngineSnapshot& run) {
  if (configs_) return true;
  if (!run.rules || !run.scenario) return false;
  configs_ = layer_configs(*run.scenario, run.source);
  backend_ = &backend_named(run.scenario->engine.backend);
  return true;
}

bool KernelWork::take(const EngineSnapshot& run, const std::vector<TraceEvent>& events,
                      size_t most) {
  if (!prepare(run)) return events.empty();
  const size_t end = events.size() - taken_ > most ? taken_ + most : events.size();
  for (; taken_ < end; ++taken_) {
    const TraceEvent& event = events[taken_];
    if (event.kind == EventKind::kKernel) {
      if (kernel_facts(static_cast<KernelId>(event.a)).tiles) take_call(run, event, taken_);
    } else if (event.kind == EventKind::kTile) {
      if (const auto call = call_of(event))
        add(run, event, *call);
      else
        waiting_.push_back(event);
    }
  }
  return taken_ == events.size();
}

// A call's tiles may come before or after its span, because lanes are drained one after another.
void KernelWork::take_call(const EngineSnapshot& run, const TraceEvent& event, size_t index) {
  calls_.push_back({.kernel = static_cast<KernelId>(event.a),
                    .layer = event.layer,
                    .step = event.b,
                    .begin_ns = event.begin_ns,
                    .duration_ns = event.duration_ns,
                    .event = index});
  reads_.emplace_back();
  // Calls come in order of time, so a tile that began before this call belongs to no later one.
  std::vector<TraceEvent> later;
  for (const TraceEvent& tile : waiting_) {
    if (const auto call = call_of(tile))
      add(run, tile, *call);
    else if (tile.begin_ns >= event.begin_ns)
      later.push_back(tile);
  }
  waiting_ = std::move(later);
}

std::optional<size_t> KernelWork::call_of(const TraceEvent& tile) const {
  const auto after =
      std::ranges::upper_bound(calls_, uint64_t{tile.begin_ns}, {}, &KernelCall::begin_ns);
  if (after == calls_.begin()) return std::nullopt;
  const KernelCall& call = *(after - 1);
  // The kernel is not compared, because a call and its tiles can have different names.
  if (tile.begin_ns > call.begin_ns + call.duration_ns || call.layer != tile.layer)
    return std::nullopt;
  return static_cast<size_t>(after - 1 - calls_.begin());
}

void KernelWork::add(const EngineSnapshot& run, const TraceEvent& event, size_t index) {
  KernelCall& call = calls_[index];
  const KernelFacts& facts = kernel_facts(call.kernel);
  const TileEvent tile = unpack_tile(event);
  const WeightRule& rule = rule_of(run, tile.request, event.layer);
  // No limit: a tile has no rows past the end of its sequence.
  constexpr int64_t kAllRows = std::numeric_limits<int64_t>::max() / 2;
  const auto pairs = static_cast<double>(visible_pairs(tile, rule, kAllRows, nullptr));
  const auto width = static_cast<double>(configs_->of(event.layer).head_size);
  call.operations += 2 * facts.products * pairs * width;
  // Bytes of the scores in f32.
  call.bytes += facts.score_passes * 4.0 * tile.q_count * tile.k_count * tile.heads;
  if (facts.products == 0) return;
  std::vector<Reads>& all = reads_[index];
  auto reads = std::ranges::find(all, tile.request, &Reads::request);
  const KeySpan keys = seen_keys(tile, rule);
  const int64_t q_end = int64_t{tile.q_begin} + tile.q_count;
  if (reads == all.end())
    reads = all.insert(reads, Reads{tile.request, tile.q_begin, q_end, keys.begin, keys.end});
  reads->q_begin = std::min<int64_t>(reads->q_begin, tile.q_begin);
  reads->q_end = std::max(reads->q_end, q_end);
  if (!keys.empty()) {
    reads->k_begin = std::min(reads->k_begin, keys.begin);
    reads->k_end = std::max(reads->k_end, keys.end);
  }
  call.bytes -= reads->bytes;
  reads->bytes = count_bytes(call, *reads);
  call.bytes += reads->bytes;
}

// Counts all keys from the first to the last that is seen, although with block-sparse attention
// some of them are not read.
double KernelWork::count_bytes(const KernelCall& call, const Reads& reads) const {
  const KernelFacts& facts = kernel_facts(call.kernel);
  const AttentionConfig& config = configs_->of(call.layer);
  const auto width = static_cast<double>(config.head_size);
  const auto own = static_cast<double>(size_of(config.dtype.value_or(DType::kF32)));
  const auto cached = static_cast<double>(size_of(config.kv_cache_dtype));
  const auto rows = static_cast<double>(reads.q_end - reads.q_begin);
  int64_t from_cache = reads.k_end - reads.k_begin;
  if (config.attn_type == AttentionType::kEncoder)  // no cache
    from_cache = 0;
  else if (facts.keys_from == KeysFrom::kContext)
    from_cache = std::clamp<int64_t>(reads.q_begin - reads.k_begin, 0, from_cache);
  else if (facts.keys_from == KeysFrom::kBackend &&
           !backend_->reads_new_keys_from_cache({config.attn_type,
                                                 config.dtype.value_or(DType::kF32),
                                                 config.kv_cache_dtype, reads.q_begin}))
    from_cache = 0;
  const auto keys = static_cast<double>(from_cache) * cached +
                    static_cast<double>(reads.k_end - reads.k_begin - from_cache) * own;
  // Q K^T moves queries and keys, P V moves outputs and values.
  return facts.products * width *
         (rows * own * static_cast<double>(config.num_heads) +
          keys * static_cast<double>(config.num_kv_heads));
}

std::vector<KernelSum> KernelWork::by_kernel(uint32_t last_step) const {
  std::vector<KernelSum> sums;
  for (size_t i = 0; i < calls_.size() && calls_[i].step <= last_step; ++i) {
    if (calls_[i].operations == 0) continue;
    auto sum = std::ranges::find(sums, calls_[i].kernel, &KernelSum::kernel);
    if (sum == sums.end()) sum = sums.insert(sum, {.kernel = calls_[i].kernel});
    add_to(sum->sum, calls_, i);
  }
  return sums;
}

std::vector<KernelSum> KernelWork::by_step(uint32_t last_step) const {
  std::vector<KernelSum> sums;
  size_t first = 0;  // of the sums of the present step
  for (size_t i = 0; i < calls_.size() && calls_[i].step <= last_step; ++i) {
    if (calls_[i].operations == 0) continue;
    if (!sums.empty() && sums.back().step != calls_[i].step) first = sums.size();
    auto sum =
        std::find_if(sums.begin() + static_cast<std::ptrdiff_t>(first), sums.end(),
                     [&](const KernelSum& known) { return known.kernel == calls_[i].kernel; });
    if (sum == sums.end())
      sum = sums.insert(sum, {.kernel = calls_[i].kernel, .step = calls_[i].step});
    add_to(sum->sum, calls_, i);
  }
  return sums;
}

}  // namespace attn
