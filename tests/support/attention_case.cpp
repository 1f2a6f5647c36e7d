// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/attention_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace attn::testing {
namespace {

float rounded(float x, DType dtype) {
  return dtype == DType::kBF16 ? to_f32(to_bf16(x)) : x;
}

void put(Tensor& tensor, int64_t i, float x) {
  if (tensor.dtype() == DType::kBF16)
    tensor.data<BFloat16>()[i] = to_bf16(x);
  else
    tensor.data<float>()[i] = x;
}

// Blocks of each sequence at shuffled places, with a free block here and there.
std::vector<std::vector<int32_t>> place_blocks(const CaseSpec& spec, int64_t& num_blocks) {
  int64_t needed = 0;
  std::vector<int64_t> counts;
  for (const CaseSequence& s : spec.sequences) {
    counts.push_back((s.context_len + s.query_len + spec.block_size - 1) / spec.block_size);
    needed += counts.back();
  }
  num_blocks = needed + needed / 4 + 2;
  std::vector<int32_t> order(static_cast<size_t>(num_blocks));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(spec.placement_seed);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::vector<int32_t>> tables;
  size_t next = 0;
  for (int64_t count : counts) {
    tables.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(next),
                        order.begin() + static_cast<std::ptrdiff_t>(next) + count);
    next += static_cast<size_t>(count);
  }
  return tables;
}

}  // namespace

AttentionConfig make_config(int64_t num_heads, int64_t num_kv_heads, int64_t head_size) {
  AttentionConfig config;
  config.num_heads = num_heads;
  config.num_kv_heads = num_kv_heads;
  config.head_size = head_size;
  config.scale = 1.0f / std::sqrt(static_cast<float>(head_size));
  return config;
}

AttentionCase make_case(const CaseSpec& spec) {
  AttentionCase c;
  c.spec = spec;
  const AttentionConfig& config = spec.config;
  int64_t tokens = 0, context = 0;
  for (const CaseSequence& s : spec.sequences) {
    tokens += s.query_len;
    context += s.context_len;
  }
  c.query = Tensor(spec.dtype, {tokens, config.num_heads, config.head_size});
  c.key = Tensor(spec.dtype, {tokens, config.num_kv_heads, config.head_size});
  c.value = Tensor(spec.dtype, {tokens, config.num_kv_heads, config.head_size});
  c.context_keys = Tensor(DType::kF32, {context, config.num_kv_heads, config.head_size});
  c.context_values = Tensor(DType::kF32, {context, config.num_kv_heads, config.head_size});
  const int64_t kv_row = config.num_kv_heads * config.head_size,
                q_row = config.num_heads * config.head_size;
  int64_t row = 0, context_row = 0;
  for (const CaseSequence& s : spec.sequences) {
    // Keys and values per absolute position, so that a prompt split into context and query has the
    // same operands.
    for (int64_t position = 0; position < s.context_len + s.query_len; ++position) {
      Rng rng(s.seed * 1000003u + static_cast<uint64_t>(position));
      const bool in_context = position < s.context_len;
      const int64_t at = in_context ? (context_row + position) * kv_row
                                    : (row + position - s.context_len) * kv_row;
      for (int64_t i = 0; i < kv_row; ++i) {
        const float k = rounded(rng.normal(), spec.dtype), v = rounded(rng.normal(), spec.dtype);
        put(in_context ? c.context_keys : c.key, at + i, k);
        put(in_context ? c.context_values : c.value, at + i, v);
      }
      if (in_context) continue;
      for (int64_t i = 0; i < q_row; ++i)
        put(c.query, (row + position - s.context_len) * q_row + i,
            rng.normal() * spec.query_factor);
    }
    row += s.query_len;
    context_row += s.context_len;
  }
  const auto tables = place_blocks(spec, c.num_blocks);
  std::vector<SequenceSlice> slices;
  for (size_t i = 0; i < spec.sequences.size(); ++i)
    slices.push_back({static_cast<uint32_t>(i), spec.sequences[i].context_len,
                      spec.sequences[i].query_len, spec.is_prefill, tables[i]});
  c.metadata = build_metadata(slices, spec.block_size);
  return c;
}

RunResult run_case(const AttentionCase& c, const AttentionBackend& backend,
                   const RunOptions& options) {
  const AttentionConfig& config = c.spec.config;
  Tensor storage(c.spec.dtype, backend.kv_cache_shape(c.num_blocks, c.spec.block_size,
                                                      config.num_kv_heads, config.head_size));
  // Poison: every bit set is a NaN in f32 and bf16.
  std::memset(storage.raw(), 0xff, storage.bytes());
  const KvCacheView cache{&storage, c.num_blocks, c.spec.block_size, config.num_kv_heads,
                          config.head_size};
  const int64_t kv_row = config.num_kv_heads * config.head_size;
  int64_t context_row = 0;
  for (size_t i = 0; i < c.spec.sequences.size(); ++i) {
    std::vector<int64_t> slots;
    for (int64_t position = 0; position < c.spec.sequences[i].context_len; ++position)
      slots.push_back(int64_t{c.metadata.block_table(static_cast<int64_t>(
                          i))[static_cast<size_t>(position / c.spec.block_size)]} *
                          c.spec.block_size +
                      position % c.spec.block_size);
    backend.write_rows(cache, slots, c.context_keys.data<float>() + context_row * kv_row,
                       c.context_values.data<float>() + context_row * kv_row);
    context_row += c.spec.sequences[i].context_len;
  }
  ThreadPool pool(options.threads);
  Execution execution;
  execution.pool = &pool;
  execution.query_tile_rows = options.query_tile_rows;
  RunResult result;
  result.out = Tensor(c.spec.dtype, c.query.shape());
  result.lse = Tensor(DType::kF32, {c.query.dim(0), config.num_heads});
  std::memset(result.out.raw(), 0xff, result.out.bytes());
  AttentionInputs inputs{&c.query, &c.key, &c.value, cache, {}};
  AttentionOutputs outputs{&result.out, &result.lse, options.weights ? &result.weights : nullptr};
  backend.make_impl(config)->forward(inputs, c.metadata, outputs, execution);
  return result;
}

Tolerance tolerance_for(DType dtype, int64_t longest_kv) {
  if (dtype == DType::kBF16) return {4e-3, 8e-3};
  return longest_kv >= 8192 ? Tolerance{3e-5, 5e-6} : Tolerance{1e-5, 5e-6};
}

std::string compare(const Tensor& found, const Tensor& expected, Tolerance tolerance) {
  if (found.shape() != expected.shape())
    return fmt::format("shape {} instead of {}", to_string(found.shape()),
                       to_string(expected.shape()));
  const Tensor x = convert(found, DType::kF64), y = convert(expected, DType::kF64);
  int64_t failed = 0, worst = -1;
  double worst_excess = 0;
  for (int64_t i = 0; i < x.size(); ++i) {
    const double a = x.data<double>()[i], b = y.data<double>()[i];
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    const double difference = std::abs(a - b);
    const double excess = std::isfinite(difference)
                              ? difference / (tolerance.absolute + tolerance.relative * std::abs(b))
                              : std::numeric_limits<double>::infinity();
    if (excess <= 1) continue;
    ++failed;
    if (worst < 0 || excess > worst_excess) {
      worst = i;
      worst_excess = excess;
    }
  }
  if (failed == 0) return "";
  std::string at;
  int64_t rest = worst;
  for (auto axis = static_cast<int>(x.rank()) - 1; axis >= 0; --axis) {
    at = fmt::format("{}{}{}", rest % x.dim(axis), at.empty() ? "" : ", ", at);
    rest /= x.dim(axis);
  }
  return fmt::format(
      "{} of {} elements differ; worst at [{}]: {} instead of {} ({:.1f} times the bound)", failed,
      x.size(), at, x.data<double>()[worst], y.data<double>()[worst], worst_excess);
}

double largest_difference(const Tensor& x, const Tensor& y) {
  const Tensor a = convert(x, DType::kF64), b = convert(y, DType::kF64);
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data<double>()[i] - b.data<double>()[i]);
    if (std::isfinite(difference)) largest = std::max(largest, difference);
  }
  return largest;
}

bool bits_equal(const Tensor& x, const Tensor& y) {
  return x.dtype() == y.dtype() && x.shape() == y.shape() &&
         std::memcmp(x.raw(), y.raw(), x.bytes()) == 0;
}

std::string describe(const CaseSpec& spec) {
  std::string text =
      fmt::format("{} H{} Hkv{} D{} bs{} {} x{}", spec.is_prefill ? "prefill" : "decode",
                  spec.config.num_heads, spec.config.num_kv_heads, spec.config.head_size,
                  spec.block_size, name_of(spec.dtype), spec.query_factor);
  if (spec.config.sliding_window) text += fmt::format(" window {}", *spec.config.sliding_window);
  if (spec.config.alibi_slopes) text += " alibi";
  for (const CaseSequence& s : spec.sequences)
    text += fmt::format(" ({}+{})", s.context_len, s.query_len);
  return text;
}

}  // namespace attn::testing
