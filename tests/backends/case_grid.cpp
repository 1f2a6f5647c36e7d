// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/case_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "engine/attention/attention_bias.h"

namespace attn::testing {
namespace {

constexpr AttentionType kTypes[] = {AttentionType::kDecoder, AttentionType::kEncoder,
                                    AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder};
constexpr DType kDTypes[] = {DType::kF32, DType::kBF16, DType::kF16};
constexpr const char* kCacheNames[] = {"auto", "fp8_e4m3", "fp8_e5m2", "int8"};
constexpr const char* kKernels[] = {"flash", "math"};
// Points that have num_heads * head_size below this with one KV head may get more KV heads, and
// longer sequences beside the first.
constexpr int64_t kCheapRow = 1024;
// Parts of the budget for a new point. covering_points() tries them in this order; random_points()
// takes a random one.
constexpr double kBudgetParts[] = {1.0 / 64, 1.0 / 16, 1.0 / 4, 1};

bool is_set(const GridPoint& point, GridAxis axis) {
  return point[axis] >= 0;
}
int64_t value_or(const GridPoint& point, GridAxis axis, int64_t open) {
  return is_set(point, axis) ? grid_value(point, axis) : open;
}
bool is_encoder(AttentionType type) {
  return type == AttentionType::kEncoder || type == AttentionType::kEncoderOnly;
}
AttentionType type_of(const GridPoint& point) {
  return kTypes[value_or(point, kTypeAxis, 0)];
}
int64_t kv_len_of(const GridPoint& point) {
  const int64_t kv = value_or(point, kKvLenAxis, kKvAsQuery);
  return kv == kKvAsQuery ? value_or(point, kQueryLenAxis, 0) : kv;
}
int64_t context_of(const GridPoint& point) {
  if (type_of(point) != AttentionType::kDecoder) return 0;
  return std::max<int64_t>(0, kv_len_of(point) - value_or(point, kQueryLenAxis, 0));
}
int64_t heads_of(const GridPoint& point, int64_t kv_heads) {
  const int64_t alibi = value_or(point, kAlibiAxis, 0);
  return alibi > 0 ? alibi : value_or(point, kRatioAxis, 1) * kv_heads;
}

bool is_meaningful(const GridPoint& point) {
  const bool typed = is_set(point, kTypeAxis), phased = is_set(point, kPhaseAxis);
  const int64_t phase = value_or(point, kPhaseAxis, kPrefillPhase);
  if (typed && is_encoder(type_of(point))) {
    if (phased && phase != kPrefillPhase) return false;
    if (is_set(point, kKvLenAxis) && grid_value(point, kKvLenAxis) != kKvAsQuery) return false;
  }
  if (is_set(point, kQueryLenAxis)) {
    const int64_t query = grid_value(point, kQueryLenAxis);
    if (phase == kDecodePhase && query != 1) return false;
    if (typed && is_set(point, kKvLenAxis) && type_of(point) == AttentionType::kDecoder &&
        kv_len_of(point) < query)
      return false;
  }
  if (phase == kMixedPhase && value_or(point, kBatchAxis, 5) < 2) return false;
  return value_or(point, kAlibiAxis, 0) % value_or(point, kRatioAxis, 1) == 0;
}

AttentionConfig config_of(const GridPoint& point, int64_t heads, int64_t kv_heads,
                          int64_t head_size) {
  AttentionConfig config = make_config(heads, kv_heads, head_size);
  config.attn_type = type_of(point);
  config.chunked_prefill = value_or(point, kPhaseAxis, kPrefillPhase) == kChunkedPhase;
  config.extended = value_or(point, kExtendedAxis, 1) == 1;
  config.backend_options["sdpa_kernel"] = kKernels[value_or(point, kKernelAxis, 0)];
  config.kv_cache_dtype_name = kCacheNames[value_or(point, kCacheAxis, 0)];
  if (const int64_t window = value_or(point, kWindowAxis, 0); window > 0)
    config.sliding_window = window;
  if (value_or(point, kSoftCapAxis, 0)) config.logits_soft_cap = 2.0f;
  if (value_or(point, kAlibiAxis, 0)) config.alibi_slopes = standard_alibi_slopes(heads);
  if (const int64_t before = value_or(point, kRelativeBiasAxis, 0); before > 0)
    config.relative_bias = random_relative_bias(heads, before, before - 1);
  if (value_or(point, kSinksAxis, 0)) {
    Rng rng(static_cast<uint64_t>(heads));
    for (config.sinks.emplace(); static_cast<int64_t>(config.sinks->size()) < heads;)
      config.sinks->push_back(rng.normal() * 2);
  }
  return config;
}

// Metadata for batch_not_supported_reasons(). It has no lengths of sequences, so the limit on the
// scores of kernel math is not checked.
AttentionMetadata outline(const GridPoint& point) {
  const int64_t phase = value_or(point, kPhaseAxis, kPrefillPhase);
  AttentionMetadata metadata;
  metadata.num_prefills = phase == kDecodePhase ? 0 : 1;
  metadata.num_decode_tokens = phase == kDecodePhase || phase == kMixedPhase ? 1 : 0;
  const bool known = is_set(point, kPhaseAxis) && is_set(point, kQueryLenAxis) &&
                     is_set(point, kKvLenAxis) && is_set(point, kTypeAxis) && phase != kDecodePhase;
  metadata.context_lens = {known ? static_cast<int32_t>(context_of(point)) : 0, 1};
  return metadata;
}

}  // namespace

const std::array<GridAxisValues, kGridAxes>& grid_axes() {
  static const std::array<GridAxisValues, kGridAxes> axes{{
      {"type", {0, 1, 2, 3}},
      {"phase", {kPrefillPhase, kChunkedPhase, kMixedPhase, kDecodePhase}},
      {"query_len", {0, 1, 2, 3, 15, 17, 64, 127, 512, 2345}},
      {"kv_len", {kKvAsQuery, 0, 1, 7, 16, 17, 53, 129, 512, 1025, 5131, 8192, 16384}},
      {"batch", {1, 5, 7, 12, 128}},
      {"alibi", {0, 4, 8, 12, 32, 40}},
      {"ratio", {1, 2, 3, 4, 6, 8, 12, 32}},
      {"window", {0, 1, 3, 16, 43, 111, 256, kBeyondKv}},
      {"head_size",
       {1, 2, 3, 8, 16, 24, 31, 32, 36, 40, 48, 64, 72, 80, 96, 112, 120, 128, 160, 192, 256}},
      {"extended", {0, 1}},
      {"cache", {0, 1, 2, 3}},
      {"dtype", {0, 1, 2}},
      {"soft_cap", {0, 1}},
      {"sinks", {0, 1}},
      {"block_size", {1, 5, 8, 16, 32, 64, 128, 256}},
      {"threads", {1, 2, 3, 8}},
      {"kernel", {0, 1}},
      {"relative_bias", {0, 20}},
  }};
  return axes;
}

int64_t grid_value(const GridPoint& point, GridAxis axis) {
  return grid_axes()[axis].values[static_cast<size_t>(point[axis])];
}

CaseGrid::CaseGrid(std::vector<const AttentionBackend*> backends, double budget)
    : backends_(std::move(backends)), rules_(backends_.size()), budget_(budget) {
  for (size_t a = 0; a < kGridAxes; ++a)
    for (size_t b = a + 1; b < kGridAxes; ++b) {
      first_pair_[a][b] = num_pairs_;
      num_pairs_ += grid_axes()[a].values.size() * grid_axes()[b].values.size();
    }
  for (size_t i = 0; i < backends_.size(); ++i) {
    const AttentionBackend& backend = *backends_[i];
    for (const int64_t head_size : grid_axes()[kHeadSizeAxis].values) {
      AttentionConfig config = make_config(1, 1, head_size);
      if (!backend.not_supported_reasons(config).empty()) continue;
      rules_[i].smallest_head = head_size;
      config.sliding_window = 1;
      rules_[i].windowed = backend.not_supported_reasons(config).empty();
      break;
    }
  }
}

size_t CaseGrid::pair_index(size_t axis, int value, size_t other_axis, int other_value) const {
  if (axis > other_axis) return pair_index(other_axis, other_value, axis, value);
  return first_pair_[axis][other_axis] +
         static_cast<size_t>(value) * grid_axes()[other_axis].values.size() +
         static_cast<size_t>(other_value);
}

// A lower bound of the estimated cost of points that have the chosen values of `point`.
double CaseGrid::least_cost(const Rules& rules, const GridPoint& point) const {
  const bool typed = is_set(point, kTypeAxis);
  const bool maybe_causal = type_of(point) == AttentionType::kDecoder;
  const bool maybe_cross = !typed || type_of(point) == AttentionType::kEncoderDecoder;
  const auto query = static_cast<double>(value_or(point, kQueryLenAxis, 0));
  const double kv = is_set(point, kKvLenAxis) ? static_cast<double>(kv_len_of(point))
                    : maybe_cross             ? 0
                                              : query;
  const double width = static_cast<double>(value_or(point, kHeadSizeAxis, rules.smallest_head));
  const auto heads = static_cast<double>(heads_of(point, 1));
  double seen = query * kv;
  if (maybe_causal)
    seen = std::min(seen, std::max(0.0, query * (kv - query) + query * (query + 1) / 2));
  const int64_t window = value_or(point, kWindowAxis, rules.windowed ? 1 : 0);
  if (window > 0 && maybe_causal) seen = std::min(seen, query * static_cast<double>(window));
  const double looks = query * kv * heads * 0.5;
  const auto others = static_cast<double>(value_or(point, kBatchAxis, 1) - 1);
  const double kv_heads =
      std::max(1.0, heads / static_cast<double>(value_or(point, kRatioAxis, 32)));
  const double operands = (query * heads + 2 * (kv + others * 8) * kv_heads) * width;
  return seen * heads * (width + 3) + others * 12 * heads * width + looks + 10 * operands;
}

bool CaseGrid::accepts(size_t backend, const GridPoint& point) {
  const bool context = is_set(point, kQueryLenAxis) && is_set(point, kKvLenAxis) &&
                       is_set(point, kTypeAxis) && context_of(point) > 0;
  uint64_t key = context;
  for (const GridAxis axis :
       {kTypeAxis, kPhaseAxis, kAlibiAxis, kRatioAxis, kWindowAxis, kHeadSizeAxis, kExtendedAxis,
        kCacheAxis, kDTypeAxis, kSoftCapAxis, kSinksAxis, kRelativeBiasAxis})
    key = key * 32 + static_cast<uint64_t>(point[axis] + 1);
  const auto [entry, is_new] = rules_[backend].accepted.try_emplace(key, false);
  if (!is_new) return entry->second;
  const AttentionBackend& candidate = *backends_[backend];
  const DType dtype = kDTypes[value_or(point, kDTypeAxis, 0)];
  const int64_t heads = heads_of(point, 1);
  const int64_t ratio = value_or(point, kRatioAxis, 1);
  const AttentionConfig config = config_of(
      point, heads, heads / ratio, value_or(point, kHeadSizeAxis, rules_[backend].smallest_head));
  const std::vector<DType> dtypes = candidate.capabilities().dtypes;
  entry->second = std::ranges::find(dtypes, dtype) != dtypes.end() &&
                  candidate.not_supported_reasons(config).empty() &&
                  batch_not_supported_reasons(candidate, config, outline(point)).empty();
  return entry->second;
}

bool CaseGrid::possible(size_t backend, const GridPoint& point) {
  return is_meaningful(point) && least_cost(rules_[backend], point) <= budget_ &&
         accepts(backend, point);
}

bool CaseGrid::runs(size_t backend, const GridPoint& point) {
  return possible(backend, point);
}

bool CaseGrid::complete(size_t backend, GridPoint& point) {
  if (!possible(backend, point)) return false;
  const auto open = std::ranges::find(point, -1);
  if (open == point.end()) return true;
  const auto axis = static_cast<size_t>(open - point.begin());
  for (size_t i = 0; i < grid_axes()[axis].values.size(); ++i) {
    GridPoint next = point;
    next[axis] = static_cast<int>(i);
    if (!complete(backend, next)) continue;
    point = next;
    return true;
  }
  return false;
}

// Sets the axes that have no value yet, in random order. An axis gets a value with which the point
// can be completed: the one that covers the most pairs that are set in `open`, or a random one of
// several such values.
GridPoint CaseGrid::greedy_point(size_t backend, GridPoint point, const std::vector<bool>& open,
                                 Rng& rng) {
  std::array<size_t, kGridAxes> order;
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  for (const size_t axis : order) {
    if (point[axis] >= 0) continue;
    struct Candidate {
      int value;
      uint64_t gain, tie;
    };
    std::vector<Candidate> candidates;
    for (int value = 0; value < static_cast<int>(grid_axes()[axis].values.size()); ++value) {
      Candidate candidate{value, 0, rng.next()};
      for (size_t other = 0; !open.empty() && other < kGridAxes; ++other)
        if (other != axis && point[other] >= 0 &&
            open[pair_index(axis, value, other, point[other])])
          ++candidate.gain;
      candidates.push_back(candidate);
    }
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.tie < b.tie;
    });
    bool found = false;
    for (size_t i = 0; !found && i < candidates.size(); ++i) {
      point[axis] = candidates[i].value;
      GridPoint whole = point;
      found = complete(backend, whole);
    }
    if (!found) throw std::logic_error("no value of an axis completes " + describe(point));
  }
  return point;
}

std::vector<GridPoint> CaseGrid::covering_points(uint64_t seed) {
  struct Pair {
    size_t axis, other;
    int value, other_value;
  };
  std::vector<Pair> pairs;
  for (size_t a = 0; a < kGridAxes; ++a)
    for (size_t b = a + 1; b < kGridAxes; ++b)
      for (size_t i = 0; i < grid_axes()[a].values.size(); ++i)
        for (size_t j = 0; j < grid_axes()[b].values.size(); ++j)
          pairs.push_back({a, b, static_cast<int>(i), static_cast<int>(j)});
  Rng rng(seed);
  const double full = budget_;
  std::vector<GridPoint> points;
  std::vector<std::vector<bool>> open(backends_.size());
  std::vector<std::pair<int64_t, size_t>> order;
  for (size_t backend = 0; backend < backends_.size(); ++backend) {
    for (const Pair& pair : pairs) {
      GridPoint point;
      point.fill(-1);
      point[pair.axis] = pair.value;
      point[pair.other] = pair.other_value;
      open[backend].push_back(complete(backend, point));
    }
    order.emplace_back(std::ranges::count(open[backend], true), backend);
  }
  std::ranges::sort(order);
  for (const auto& [possible_pairs, backend] : order) {
    for (size_t first = 0; first < pairs.size(); ++first) {
      if (!open[backend][first]) continue;
      GridPoint point;
      point.fill(-1);
      point[pairs[first].axis] = pairs[first].value;
      point[pairs[first].other] = pairs[first].other_value;
      for (const double part : kBudgetParts) {
        budget_ = full * part;
        GridPoint whole = point;
        if (complete(backend, whole)) break;
      }
      point = greedy_point(backend, point, open[backend], rng);
      points.push_back(point);
      budget_ = full;
      for (size_t user = 0; user < backends_.size(); ++user) {
        if (!runs(user, point)) continue;
        for (size_t a = 0; a < kGridAxes; ++a)
          for (size_t b = a + 1; b < kGridAxes; ++b)
            open[user][pair_index(a, point[a], b, point[b])] = false;
      }
    }
  }
  return points;
}

std::vector<GridPoint> CaseGrid::random_points(size_t count, uint64_t seed) {
  Rng rng(seed);
  const double full = budget_;
  std::vector<GridPoint> points;
  while (points.size() < count) {
    GridPoint point;
    point.fill(-1);
    budget_ = full * kBudgetParts[rng.below(std::size(kBudgetParts))];
    points.push_back(greedy_point(points.size() % backends_.size(), point, {}, rng));
  }
  budget_ = full;
  return points;
}

CaseSpec grid_spec(const GridPoint& point, uint64_t seed) {
  Rng rng(seed);
  const int64_t ratio = grid_value(point, kRatioAxis), alibi = grid_value(point, kAlibiAxis);
  const int64_t width = grid_value(point, kHeadSizeAxis), batch = grid_value(point, kBatchAxis);
  const int64_t phase = grid_value(point, kPhaseAxis);
  const int64_t query = grid_value(point, kQueryLenAxis), kv = kv_len_of(point);
  const bool cheap = heads_of(point, 1) * width < kCheapRow;
  const auto more_kv_heads = static_cast<int64_t>(1 + rng.below(3));
  const bool few = cheap && (query + 64) * (kv + 64) * ratio * width < 400'000;
  const int64_t kv_heads = alibi > 0 ? alibi / ratio : few ? more_kv_heads : 1;
  CaseSpec spec;
  spec.config = config_of(point, heads_of(point, kv_heads), kv_heads, width);
  spec.block_size = grid_value(point, kBlockSizeAxis);
  spec.dtype = kDTypes[grid_value(point, kDTypeAxis)];
  spec.is_prefill = phase != kDecodePhase;
  spec.placement_seed = rng.next();
  if (grid_value(point, kCacheAxis) > 0) {
    spec.cache_dtype = cache_dtype_from_name(spec.config.kv_cache_dtype_name);
    spec.config.kv_cache_dtype = *spec.cache_dtype;
    spec.config.kv_cache_dtype_auto = false;
    // Powers of two: scaling by them does not round.
    if (spec.cache_dtype == DType::kI8)
      for (int64_t h = 0; h < kv_heads; ++h) {
        spec.scales.k_head_scales.push_back(rng.below(2) ? 0.03125f : 0.0625f);
        spec.scales.v_head_scales.push_back(rng.below(2) ? 0.03125f : 0.125f);
      }
    else
      spec.scales.k_scale = 0.25f, spec.scales.v_scale = 0.5f;
  }
  const bool cross = type_of(point) == AttentionType::kEncoderDecoder;
  const bool with_context =
      type_of(point) == AttentionType::kDecoder && (phase == kDecodePhase || context_of(point) > 0);
  spec.sequences.push_back({query, context_of(point), rng.next(), cross ? kv : 0, false});
  constexpr int64_t kQueries[] = {0, 1, 2, 3, 15, 17}, kContexts[] = {0, 1, 7, 16, 52, 129};
  const int64_t decodes = phase == kMixedPhase ? std::max<int64_t>(1, (batch - 1) / 2) : 0;
  const bool short_ones = batch > 12 || !cheap;
  for (int64_t i = 1; i < batch; ++i) {
    CaseSequence s;
    s.is_decode = i >= batch - decodes;
    const bool one_token = s.is_decode || phase == kDecodePhase;
    s.query_len = one_token ? 1 : kQueries[rng.below(short_ones ? 3 : 6)];
    const int64_t context = kContexts[rng.below(short_ones ? 4 : 6)];
    if (with_context || (s.is_decode && !cross)) s.context_len = context;
    if (cross) s.encoder_len = context;
    s.seed = rng.next();
    spec.sequences.push_back(s);
  }
  return spec;
}

std::string describe(const GridPoint& point) {
  std::string text;
  for (size_t axis = 0; axis < kGridAxes; ++axis)
    text += fmt::format(
        "{}{} {}", text.empty() ? "" : ", ", grid_axes()[axis].name,
        point[axis] < 0 ? std::string("any") : std::to_string(grid_value(point, GridAxis(axis))));
  return text;
}

}  // namespace attn::testing
