// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 4> kTypeNames{"DECODER", "ENCODER", "ENCODER_ONLY",
                                                     "ENCODER_DECODER"};

void check_range(const char* what, int64_t value, int64_t low, int64_t high) {
  if (value < low || value > high)
    throw_bad_input({fmt::format("{} is out of range", what), "attention config",
                     fmt::format("{}", value), fmt::format("{} to {}", low, high), ""});
}

}  // namespace

std::string_view name_of(AttentionType type) {
  return kTypeNames[static_cast<size_t>(type)];
}
std::optional<AttentionType> attention_type_from_name(std::string_view name) {
  for (size_t i = 0; i < kTypeNames.size(); ++i)
    if (kTypeNames[i] == name) return static_cast<AttentionType>(i);
  return std::nullopt;
}

namespace {

constexpr std::pair<std::string_view, DType> kCacheDtypes[] = {
    {"f32", DType::kF32},    {"bf16", DType::kBF16},       {"f16", DType::kF16},
    {"fp8", DType::kF8E4M3}, {"fp8_e4m3", DType::kF8E4M3}, {"fp8_e5m2", DType::kF8E5M2},
    {"int8", DType::kI8}};

}  // namespace

std::optional<DType> cache_dtype_from_name(std::string_view name) {
  for (const auto& [known, dtype] : kCacheDtypes)
    if (known == name) return dtype;
  return std::nullopt;
}

std::string_view cache_dtype_name(DType dtype) {
  // If the type has two names, the later one is returned: fp8_e4m3, not fp8.
  std::string_view last = name_of(dtype);
  for (const auto& [name, known] : kCacheDtypes)
    if (known == dtype) last = name;
  return last;
}

std::vector<std::string> cache_dtype_names() {
  std::vector<std::string> names{"auto"};
  for (const auto& [name, dtype] : kCacheDtypes) names.emplace_back(name);
  return names;
}

void set_cache_dtype(AttentionConfig& config, const std::string& name, DType model_dtype,
                     const std::string& where) {
  const auto dtype = name == "auto" ? model_dtype : cache_dtype_from_name(name);
  if (!dtype)
    throw_bad_input({"no such cache type", where, quote_text(name),
                     fmt::format("{}", fmt::join(cache_dtype_names(), ", ")), ""});
  config.dtype = model_dtype;
  config.kv_cache_dtype = *dtype;
  config.kv_cache_dtype_auto = name == "auto";
  config.kv_cache_dtype_name = name;
}

bool is_quantised(DType cache_dtype) {
  return cache_dtype == DType::kF8E4M3 || cache_dtype == DType::kF8E5M2 ||
         cache_dtype == DType::kI8;
}

void validate(const AttentionConfig& config) {
  check_range("number of heads", config.num_heads, 1, kMostHeads);
  check_range("number of KV heads", config.num_kv_heads, 1, config.num_heads);
  check_range("head size", config.head_size, 1, kMostHeadSize);
  if (config.num_heads % config.num_kv_heads != 0)
    throw_bad_input({"the number of KV heads does not divide the number of query heads",
                     "attention config",
                     fmt::format("{} heads, {} KV heads", config.num_heads, config.num_kv_heads),
                     "num_heads % num_kv_heads == 0", ""});
  if (!std::isfinite(config.scale))
    throw_bad_input({"scale is not a number", "attention config", fmt::format("{}", config.scale),
                     "a finite number", "The usual value is 1/sqrt(head_size)"});
  if (config.alibi_slopes && static_cast<int64_t>(config.alibi_slopes->size()) != config.num_heads)
    throw_bad_input({"ALiBi slopes do not fit the heads", "alibi_slopes",
                     fmt::format("{} slopes", config.alibi_slopes->size()),
                     fmt::format("one per query head: {}", config.num_heads), ""});
  if (config.alibi_slopes)
    for (const float slope : *config.alibi_slopes)
      if (!std::isfinite(slope))
        throw_bad_input({"an ALiBi slope is not a number", "alibi_slopes", fmt::format("{}", slope),
                         "finite numbers", ""});
  if (const RelativeBias& bias = config.relative_bias; !bias.empty()) {
    if (bias.num_heads() != config.num_heads)
      throw_bad_input({"the relative bias does not fit the heads", "relative_bias",
                       fmt::format("{} heads", bias.num_heads()),
                       fmt::format("one row per query head: {}", config.num_heads), ""});
    for (const float value : bias.values())
      if (!std::isfinite(value))
        throw_bad_input({"a relative bias is not a number", "relative_bias",
                         fmt::format("{}", value), "finite numbers", ""});
  }
  if (config.sliding_window && *config.sliding_window < 1)
    throw_bad_input({"sliding window is too small", "sliding_window",
                     fmt::format("{}", *config.sliding_window), "at least 1 token", ""});
  if (config.logits_soft_cap &&
      !(*config.logits_soft_cap > 0 && std::isfinite(*config.logits_soft_cap)))
    throw_bad_input({"logits soft cap is out of range", "logits_soft_cap",
                     fmt::format("{}", *config.logits_soft_cap), "a finite number above 0",
                     "Leave it out to switch it off"});
  if (config.sinks && static_cast<int64_t>(config.sinks->size()) != config.num_heads)
    throw_bad_input({"attention sinks do not fit the heads", "sinks",
                     fmt::format("{} sinks", config.sinks->size()),
                     fmt::format("one per query head: {}", config.num_heads), ""});
  if (config.sinks)
    for (const float sink : *config.sinks)
      if (!std::isfinite(sink))
        throw_bad_input({"an attention sink is not a number", "sinks", fmt::format("{}", sink),
                         "finite numbers", ""});
  if (config.blocksparse) {
    check_range("local_blocks of block-sparse attention", config.blocksparse->local_blocks, 1,
                kMostPositions);
    check_range("vert_stride of block-sparse attention", config.blocksparse->vert_stride, 1,
                kMostPositions);
    check_range("block_size of block-sparse attention", config.blocksparse->block_size, 1,
                kMostPositions);
    check_range("head_sliding_step of block-sparse attention",
                config.blocksparse->head_sliding_step, 0, kMostPositions);
  }
}

}  // namespace attn
