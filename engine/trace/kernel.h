// SPDX-License-Identifier: GPL-3.0-or-later
// KernelId: the kernels that a trace names. KernelFacts: what is known of each, one row for each
// id.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attn {

// Session files name kernels by these numbers, so a new kernel is added before kCount.
enum class KernelId : uint8_t {
  kEmbed,
  kNorm,
  kLinear,
  kRope,
  kCacheWrite,
  kFlashPrefill,
  kMathScores,  // torch_sdpa, kernel math, first of three: all scores of a sequence
  kPagedDecodeV1,
  kPagedDecodeV2,
  kPagedReduce,
  kReference,
  kActivation,
  kLogits,
  kSample,
  kPackKv,
  kMemoryEfficientPrefill,  // xformers: packed prompts; with ALiBi one prompt in a call
  kPrefixPrefill,           // xformers: cached context first, then the new tokens
  kPallasFlash,             // pallas: flash attention, one call per prompt
  kPallasMultiQuery,        // pallas: multi-query paged attention of a prefill with context
  kPallasPagedDecode,       // pallas: paged attention
  kUnifiedPrefill,
  kUnifiedDecode,
  kCopyBlocks,
  kSwapBlocks,
  kPlan,         // integers of a batch: rows, lengths, tables
  kPlanReplay,   // integers of a batch put into a captured plan
  kMathSoftmax,  // kernel math, second of three: the scores become weights
  kMathValues,   // kernel math, third of three: weights times values
  kCount
};

// What the time of a kernel is spent on.
enum class KernelClass : uint8_t {
  kPrefill,
  kDecode,
  kPrefillOrDecode,  // the states of the requests decide
  kLinear,
  kCacheWrite,
  kCopy,  // of blocks
  kPlan,
  kOther,
};

// Where an attention kernel reads keys and values.
enum class KeysFrom : uint8_t {
  kBackend,  // AttentionBackend::reads_new_keys_from_cache() decides
  kContext,  // cached tokens from the KV cache, new tokens from the call
  kCache,    // all from the KV cache
};

struct KernelFacts {
  KernelId id;
  std::string_view name;
  KernelClass work = KernelClass::kOther;
  bool attention = false;  // part of computing attention
  bool tiles = false;      // records the tiles that it computes
  KeysFrom keys_from = KeysFrom::kBackend;
  int products = 0;           // how many of Q K^T and P V it computes
  int score_passes = 0;       // how often it writes or reads all scores, in f32 in memory
  bool tiles_again = false;   // another kernel of the call has recorded the same tiles
  bool partitions = false;    // a row's keys are divided into partitions
  bool one_sequence = false;  // a call has one sequence
};

inline constexpr std::array<KernelFacts, static_cast<size_t>(KernelId::kCount)> kKernelFacts{{
    {.id = KernelId::kEmbed, .name = "embed"},
    {.id = KernelId::kNorm, .name = "norm"},
    {.id = KernelId::kLinear, .name = "linear", .work = KernelClass::kLinear},
    {.id = KernelId::kRope, .name = "rope"},
    {.id = KernelId::kCacheWrite, .name = "cache_write", .work = KernelClass::kCacheWrite},
    {.id = KernelId::kFlashPrefill,
     .name = "flash_prefill",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 2},
    {.id = KernelId::kMathScores,
     .name = "math_scores",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 1,
     .score_passes = 1,
     .one_sequence = true},
    {.id = KernelId::kPagedDecodeV1,
     .name = "paged_decode_v1",
     .work = KernelClass::kDecode,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kCache,
     .products = 2},
    {.id = KernelId::kPagedDecodeV2,
     .name = "paged_decode_v2",
     .work = KernelClass::kDecode,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kCache,
     .products = 2,
     .partitions = true},
    {.id = KernelId::kPagedReduce,
     .name = "paged_reduce",
     .work = KernelClass::kDecode,
     .attention = true},
    {.id = KernelId::kReference,
     .name = "reference",
     .work = KernelClass::kPrefillOrDecode,
     .attention = true,
     .tiles = true,
     .products = 2},
    {.id = KernelId::kActivation, .name = "activation"},
    {.id = KernelId::kLogits, .name = "logits"},
    {.id = KernelId::kSample, .name = "sample"},
    // Prepares a prefill.
    {.id = KernelId::kPackKv, .name = "pack_kv", .work = KernelClass::kPrefill, .attention = true},
    {.id = KernelId::kMemoryEfficientPrefill,
     .name = "memory_efficient_prefill",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 2},
    {.id = KernelId::kPrefixPrefill,
     .name = "prefix_prefill",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kContext,
     .products = 2},
    {.id = KernelId::kPallasFlash,
     .name = "pallas_flash",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 2,
     .one_sequence = true},
    {.id = KernelId::kPallasMultiQuery,
     .name = "pallas_multi_query",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kCache,
     .products = 2},
    {.id = KernelId::kPallasPagedDecode,
     .name = "pallas_paged_decode",
     .work = KernelClass::kDecode,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kCache,
     .products = 2},
    {.id = KernelId::kUnifiedPrefill,
     .name = "unified_prefill",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 2},
    {.id = KernelId::kUnifiedDecode,
     .name = "unified_decode",
     .work = KernelClass::kDecode,
     .attention = true,
     .tiles = true,
     .keys_from = KeysFrom::kCache,
     .products = 2},
    {.id = KernelId::kCopyBlocks, .name = "copy_blocks", .work = KernelClass::kCopy},
    {.id = KernelId::kSwapBlocks, .name = "swap_blocks", .work = KernelClass::kCopy},
    {.id = KernelId::kPlan, .name = "plan", .work = KernelClass::kPlan},
    {.id = KernelId::kPlanReplay, .name = "plan_replay", .work = KernelClass::kPlan},
    {.id = KernelId::kMathSoftmax,
     .name = "math_softmax",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 0,
     .score_passes = 2,
     .tiles_again = true,
     .one_sequence = true},
    {.id = KernelId::kMathValues,
     .name = "math_values",
     .work = KernelClass::kPrefill,
     .attention = true,
     .tiles = true,
     .products = 1,
     .score_passes = 1,
     .tiles_again = true,
     .one_sequence = true},
}};

// A kernel without a row, or a row in another order, does not compile.
static_assert([] {
  for (size_t i = 0; i < kKernelFacts.size(); ++i)
    if (kKernelFacts[i].id != static_cast<KernelId>(i) || kKernelFacts[i].name.empty())
      return false;
  return true;
}());

constexpr const KernelFacts& kernel_facts(KernelId kernel) {
  return kKernelFacts[static_cast<size_t>(kernel)];
}
constexpr std::string_view name_of(KernelId kernel) {  // "flash_prefill"
  return kernel_facts(kernel).name;
}

}  // namespace attn
