// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/attention_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numeric>

namespace attn::testing {
namespace {

// Sets every byte to 0xff, which every floating-point type reads as NaN. std::fill_n accepts the
// null pointer of a tensor without rows; memset does not.
void poison(void* bytes, size_t count) {
  std::fill_n(static_cast<std::byte*>(bytes), count, std::byte{0xff});
}

void put(Tensor& tensor, int64_t i, float x) {
  if (tensor.dtype() == DType::kBF16)
    tensor.data<BFloat16>()[i] = to_bf16(x);
  else if (tensor.dtype() == DType::kF16)
    tensor.data<Float16>()[i] = to_f16(x);
  else
    tensor.data<float>()[i] = x;
}

float through(DType dtype, float x) {
  switch (dtype) {
    case DType::kBF16:
      return to_f32(to_bf16(x));
    case DType::kF16:
      return to_f32(to_f16(x));
    case DType::kF8E4M3:
      return to_f32(to_f8e4m3(x));
    case DType::kF8E5M2:
      return to_f32(to_f8e5m2(x));
    case DType::kI8:
      return to_f32(to_i8(x));
    default:
      return x;
  }
}

// Rounds x to the type of the operands and then to that of the cache. Only a quantised cache uses
// `scale`.
float rounded(const CaseSpec& spec, float x, float scale) {
  x = through(spec.dtype, x);
  if (!spec.cache_dtype) return x;
  return is_quantised(*spec.cache_dtype) ? through(*spec.cache_dtype, x / scale) * scale
                                         : through(*spec.cache_dtype, x);
}

float scale_of(const std::vector<float>& per_head, float scale, int64_t head) {
  return per_head.empty() ? scale : per_head[static_cast<size_t>(head)];
}

bool is_cross(const CaseSpec& spec) {
  return spec.config.attn_type == AttentionType::kEncoderDecoder;
}
bool is_prefill(const CaseSpec& spec, const CaseSequence& s) {
  return spec.is_prefill && !s.is_decode;
}
int64_t keys_of(const CaseSpec& spec, const CaseSequence& s) {
  return is_cross(spec) ? s.encoder_len : s.context_len + s.query_len;
}
// How many keys of a sequence are in the cache before the call.
int64_t cached_of(const CaseSpec& spec, const CaseSequence& s) {
  if (is_cross(spec)) return is_prefill(spec, s) ? 0 : s.encoder_len;
  return s.context_len;
}

// Returns a block table for each entry of `tokens`: random blocks for that many tokens. Sets
// num_blocks so that at least two blocks stay free.
std::vector<std::vector<int32_t>> place_blocks(const CaseSpec& spec,
                                               const std::vector<int64_t>& tokens,
                                               int64_t& num_blocks) {
  int64_t needed = 0;
  std::vector<int64_t> counts;
  for (const int64_t count : tokens) {
    counts.push_back((count + spec.block_size - 1) / spec.block_size);
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

void fill_operands(AttentionCase& c) {
  const CaseSpec& spec = c.spec;
  const AttentionConfig& config = spec.config;
  const int64_t kv_row = config.num_kv_heads * config.head_size,
                q_row = config.num_heads * config.head_size;
  int64_t row = 0, key_row = 0, cached_row = 0;
  for (const CaseSequence& s : spec.sequences) {
    const int64_t keys = keys_of(spec, s), cached = cached_of(spec, s);
    // Keys and values depend on the seed and the absolute position, and so do the queries of self
    // attention. So a prompt that is split into context and query keeps its operands.
    for (int64_t position = 0; position < keys; ++position) {
      Rng rng(s.seed * 1000003u + static_cast<uint64_t>(position));
      const bool in_cache = position < cached;
      const int64_t at =
          in_cache ? (cached_row + position) * kv_row : (key_row + position - cached) * kv_row;
      for (int64_t i = 0; i < kv_row; ++i) {
        const int64_t head = i / config.head_size;
        const float k = rounded(spec, rng.normal(),
                                scale_of(spec.scales.k_head_scales, spec.scales.k_scale, head));
        const float v = rounded(spec, rng.normal(),
                                scale_of(spec.scales.v_head_scales, spec.scales.v_scale, head));
        put(in_cache ? c.context_keys : c.key, at + i, k);
        put(in_cache ? c.context_values : c.value, at + i, v);
      }
      if (in_cache || is_cross(spec)) continue;
      for (int64_t i = 0; i < q_row; ++i)
        put(c.query, (row + position - cached) * q_row + i, rng.normal() * spec.query_factor);
    }
    for (int64_t i = 0; is_cross(spec) && i < s.query_len; ++i) {
      Rng rng(s.seed * 1000003u + 500000u + static_cast<uint64_t>(i));
      for (int64_t e = 0; e < q_row; ++e)
        put(c.query, (row + i) * q_row + e, rng.normal() * spec.query_factor);
    }
    c.cached.push_back(cached);
    row += s.query_len;
    key_row += keys - cached;
    cached_row += cached;
  }
}

std::shared_ptr<const Tensor> random_bias(const CaseSpec& spec, int64_t tokens) {
  int64_t longest = 1;
  for (const CaseSequence& s : spec.sequences) longest = std::max(longest, keys_of(spec, s));
  auto bias = std::make_shared<Tensor>(DType::kF32, Shape{spec.dense_bias_heads, tokens, longest});
  Rng rng(spec.placement_seed + 17);
  for (float& x : bias->span<float>())
    x = rng.below(8) == 0 ? -std::numeric_limits<float>::infinity() : rng.normal();
  return bias;
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
  int64_t tokens = 0, keys = 0, cached = 0;
  std::vector<int64_t> all_tokens;
  for (const CaseSequence& s : spec.sequences) {
    tokens += s.query_len;
    keys += keys_of(spec, s) - cached_of(spec, s);
    cached += cached_of(spec, s);
    all_tokens.push_back(s.context_len + s.query_len);
  }
  if (is_cross(spec))
    for (const CaseSequence& s : spec.sequences) all_tokens.push_back(s.encoder_len);
  c.query = Tensor(spec.dtype, {tokens, config.num_heads, config.head_size});
  c.key = Tensor(spec.dtype, {keys, config.num_kv_heads, config.head_size});
  c.value = Tensor(spec.dtype, {keys, config.num_kv_heads, config.head_size});
  c.context_keys = Tensor(DType::kF32, {cached, config.num_kv_heads, config.head_size});
  c.context_values = Tensor(DType::kF32, {cached, config.num_kv_heads, config.head_size});
  fill_operands(c);
  const auto tables = place_blocks(spec, all_tokens, c.num_blocks);
  std::vector<SequenceSlice> slices;
  for (size_t i = 0; i < spec.sequences.size(); ++i) {
    const CaseSequence& s = spec.sequences[i];
    SequenceSlice slice{static_cast<uint32_t>(i), s.context_len, s.query_len, is_prefill(spec, s),
                        tables[i]};
    if (is_cross(spec)) {
      slice.encoder_len = s.encoder_len;
      slice.cross_block_table = tables[spec.sequences.size() + i];
    }
    slices.push_back(slice);
  }
  c.metadata = build_metadata(slices, spec.block_size);
  if (is_cross(spec) && !c.metadata.encoder_seq_lens) {
    c.metadata.encoder_seq_lens.emplace(spec.sequences.size(), 0);
    c.metadata.num_encoder_tokens = c.metadata.max_encoder_seq_len = 0;
    c.metadata.cross_slot_mapping.emplace();
    c.metadata.cross_block_tables.emplace();
  }
  if (config.attn_type == AttentionType::kEncoder) {
    c.metadata.encoder_seq_lens = c.metadata.seq_lens;
    c.metadata.num_encoder_tokens = tokens;
    c.metadata.max_encoder_seq_len = c.metadata.max_prefill_seq_len;
  }
  if (spec.dense_bias_heads > 0) c.metadata.dense_bias = random_bias(spec, tokens);
  return c;
}

RunResult run_case(const AttentionCase& c, const AttentionBackend& backend,
                   const RunOptions& options) {
  AttentionConfig config = c.spec.config;
  for (const auto& [name, value] : options.backend_options) config.backend_options[name] = value;
  Tensor storage(c.spec.cache_dtype.value_or(c.spec.dtype),
                 backend.kv_cache_shape(c.num_blocks, c.spec.block_size, config.num_kv_heads,
                                        config.head_size));
  poison(storage.raw(), storage.bytes());
  const KvCacheView cache{&storage,         c.num_blocks,  c.spec.block_size, config.num_kv_heads,
                          config.head_size, &c.spec.scales};
  const int64_t kv_row = config.num_kv_heads * config.head_size;
  int64_t context_row = 0;
  for (size_t i = 0; i < c.spec.sequences.size(); ++i) {
    const auto seq = static_cast<int64_t>(i);
    const auto table =
        is_cross(c.spec) ? c.metadata.cross_block_table(seq) : c.metadata.block_table(seq);
    std::vector<int64_t> slots;
    for (int64_t position = 0; position < c.cached[i]; ++position)
      slots.push_back(int64_t{table[static_cast<size_t>(position / c.spec.block_size)]} *
                          c.spec.block_size +
                      position % c.spec.block_size);
    backend.write_rows(cache, slots, c.context_keys.data<float>() + context_row * kv_row,
                       c.context_values.data<float>() + context_row * kv_row);
    context_row += c.cached[i];
  }
  ThreadPool pool(options.threads);
  Execution execution;
  execution.pool = &pool;
  execution.query_tile_rows = options.query_tile_rows;
  RunResult result;
  result.out = Tensor(c.spec.dtype, c.query.shape());
  result.lse = Tensor(DType::kF32, {c.query.dim(0), config.num_heads});
  poison(result.out.raw(), result.out.bytes());
  AttentionInputs inputs{&c.query, &c.key, &c.value, cache, c.spec.scales, options.state};
  if (options.without_new_keys) inputs.key = inputs.value = nullptr;
  // Stands for the weights of an earlier call, which forward() drops.
  if (options.weights) result.weights.emplace_back(DType::kF32, Shape{1, 1, 1});
  AttentionOutputs outputs{&result.out, &result.lse, options.weights ? &result.weights : nullptr};
  backend.make_impl(config)->forward(inputs, c.metadata, outputs, execution);
  return result;
}

namespace {

double rounded(double x, DType dtype) {
  const auto value = static_cast<float>(x);
  if (dtype == DType::kBF16) return to_f32(from_f32<BFloat16>(value));
  if (dtype == DType::kF16) return to_f32(from_f32<Float16>(value));
  return value;
}

// Returns what the backend's mask adds to the score of a key: minus infinity if the key is masked.
// in_tensor: the row belongs to a prompt whose mask the backend builds as a tensor.
float mask_cell(const AttentionCase& c, bool in_tensor, int64_t head, int64_t query, int64_t key) {
  const AttentionConfig& config = c.spec.config;
  const bool causal = config.attn_type == AttentionType::kDecoder || in_tensor;
  const bool windowed = config.sliding_window && !(in_tensor && config.alibi_slopes);
  if ((causal && key > query) || (windowed && key <= query - *config.sliding_window))
    return -std::numeric_limits<float>::infinity();
  if (!config.alibi_slopes) return 0;
  const double slope = (*config.alibi_slopes)[static_cast<size_t>(head)];
  if (!in_tensor) return static_cast<float>(slope * static_cast<double>(key - query));
  const DType dtype = c.spec.dtype;
  const double distance = rounded(
      rounded(static_cast<double>(key), dtype) - rounded(static_cast<double>(query), dtype), dtype);
  return static_cast<float>(rounded(slope * distance, dtype));
}

}  // namespace

bool has_own_masks(const AttentionConfig& config, const AttentionBackend& backend) {
  const bool sdpa = backend.name() == "torch_sdpa";
  if (config.attn_type == AttentionType::kEncoderDecoder) return false;
  if (sdpa && config.attn_type != AttentionType::kDecoder && config.sliding_window) return true;
  return config.alibi_slopes && (sdpa || backend.name() == "xformers");
}

RunResult reference_of(const AttentionCase& c, const AttentionBackend& backend) {
  const AttentionBackend& reference = backend_named("reference");
  if (!has_own_masks(c.spec.config, backend)) return run_case(c, reference);
  AttentionCase masked = make_case(c.spec);
  masked.query = convert(c.query, c.query.dtype());
  masked.key = convert(c.key, c.key.dtype());
  masked.value = convert(c.value, c.value.dtype());
  masked.metadata = c.metadata;
  const AttentionMetadata& batch = c.metadata;
  const int64_t heads = c.spec.config.num_heads;
  int64_t longest = 1;
  bool any_context = false;
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    longest = std::max<int64_t>(longest, batch.seq_lens[static_cast<size_t>(s)]);
    any_context =
        any_context || (s < batch.num_prefills && batch.context_lens[static_cast<size_t>(s)] > 0);
  }
  // xformers computes all prompts of a batch by context attention if one has cached tokens.
  const bool by_batch = backend.name() == "xformers" && any_context;
  Tensor bias(DType::kF32, {heads, c.query.dim(0), longest});
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    const int64_t context = batch.context_lens[static_cast<size_t>(s)];
    const int64_t first = batch.query_start_loc[static_cast<size_t>(s)];
    const bool in_tensor = s < batch.num_prefills && context == 0 && !by_batch;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t i = 0; i < batch.query_len(s); ++i)
        for (int64_t key = 0; key < batch.seq_lens[static_cast<size_t>(s)]; ++key) {
          float cell = mask_cell(c, in_tensor, head, context + i, key);
          if (const float* own = batch.dense_bias_at(first + i))
            cell += own[head * batch.dense_bias_head_stride() + key];
          bias.data<float>()[(head * bias.dim(1) + first + i) * longest + key] = cell;
        }
  }
  masked.metadata.dense_bias = std::make_shared<const Tensor>(std::move(bias));
  masked.spec.config.alibi_slopes.reset();
  masked.spec.config.sliding_window.reset();
  return run_case(masked, reference);
}

Tolerance tolerance_for(DType dtype, int64_t longest_kv) {
  if (dtype == DType::kBF16) return {4e-3, 8e-3};
  if (dtype == DType::kF16) return {1e-3, 1e-3};
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
         (x.bytes() == 0 || std::memcmp(x.raw(), y.raw(), x.bytes()) == 0);
}

std::vector<std::byte> rows_of(const Tensor& tensor, int64_t first, int64_t count) {
  const size_t row = tensor.bytes() / static_cast<size_t>(tensor.dim(0));
  const auto* begin =
      static_cast<const std::byte*>(tensor.raw()) + static_cast<size_t>(first) * row;
  return {begin, begin + static_cast<size_t>(count) * row};
}

RelativeBias random_relative_bias(int64_t num_heads, int64_t before, int64_t after) {
  Rng rng(static_cast<uint64_t>(num_heads * 1000 + before));
  std::vector<float> values(static_cast<size_t>(num_heads * (before + 1 + after)));
  for (float& value : values) value = rng.normal() * 2;
  return {before, after, std::move(values)};
}

std::string describe(const CaseSpec& spec) {
  std::string text =
      fmt::format("{} H{} Hkv{} D{} bs{} {} x{}", spec.is_prefill ? "prefill" : "decode",
                  spec.config.num_heads, spec.config.num_kv_heads, spec.config.head_size,
                  spec.block_size, name_of(spec.dtype), spec.query_factor);
  if (spec.config.sliding_window) text += fmt::format(" window {}", *spec.config.sliding_window);
  if (spec.config.alibi_slopes) text += " alibi";
  if (const RelativeBias& bias = spec.config.relative_bias; !bias.empty())
    text += fmt::format(" relative bias -{}..{}", bias.before(), bias.after());
  text += fmt::format(" {}", name_of(spec.config.attn_type));
  if (spec.cache_dtype) text += fmt::format(" cache {}", name_of(*spec.cache_dtype));
  if (spec.dense_bias_heads > 0) text += fmt::format(" bias {}", spec.dense_bias_heads);
  for (const CaseSequence& s : spec.sequences)
    text += fmt::format(" ({}+{}{}{})", s.context_len, s.query_len, s.is_decode ? " decode" : "",
                        s.encoder_len > 0 ? fmt::format(" enc {}", s.encoder_len) : "");
  return text;
}

}  // namespace attn::testing
