// SPDX-License-Identifier: GPL-3.0-or-later
// Random attention calls for tests: a flat batch, a paged cache whose unused slots are NaN (-1 in
// an i8 cache), a function that runs a backend on them, and comparisons of results. The same
// operands can be laid out with other block sizes, at other physical blocks and in another order of
// sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/core/rng.h"
#include "tests/support/print_dtype.h"

namespace attn::testing {

struct CaseSequence {
  int64_t query_len = 1;
  int64_t context_len = 0;
  uint64_t seed = 0;        // seeds the sequence's random operands
  int64_t encoder_len = 0;  // cross attention: number of keys
  bool is_decode = false;   // in a prefill case: a decode; decodes must follow the prefills
};

struct CaseSpec {
  AttentionConfig config;
  std::vector<CaseSequence> sequences;
  bool is_prefill = true;
  int64_t block_size = 16;
  DType dtype = DType::kF32;
  // Type of the cache; without a value it is dtype. Keys and values are rounded so that a read
  // returns what was written.
  std::optional<DType> cache_dtype;
  LayerScales scales;
  int64_t dense_bias_heads = 0;  // 0: no bias, 1: one for all heads, num_heads: one per head
  float query_factor = 1;        // factor of the queries; 4 makes the softmax sharp
  uint64_t placement_seed = 1;   // chooses the physical blocks, and seeds the dense bias
};

struct AttentionCase {
  CaseSpec spec;
  // query: [T, H, D]; key and value: [T, Hkv, D], in cross attention [new encoder tokens, Hkv, D]
  Tensor query, key, value;
  // [cached tokens of all sequences, Hkv, D] f32; numbers that the cache, with its scales,
  // gives back unchanged.
  Tensor context_keys, context_values;
  std::vector<int64_t> cached;  // [S] cached tokens of each sequence
  AttentionMetadata metadata;
  int64_t num_blocks = 0;
};
AttentionCase make_case(const CaseSpec& spec);

struct RunOptions {
  int threads = 1;
  int64_t query_tile_rows = 0;
  bool weights = false;
  AttentionState* state = nullptr;
  bool without_new_keys = false;        // pass no key and value
  BackendOptions backend_options = {};  // replace the case's options of the same names
};
struct RunResult {
  Tensor out;  // [T, H, D] dtype of the case
  Tensor lse;  // [T, H]
  std::vector<Tensor> weights;
};
RunResult run_case(const AttentionCase& c, const AttentionBackend& backend,
                   const RunOptions& options = {});

// What `reference` computes for the case with the masks that `backend` builds: the result of
// run_case() with `reference` where has_own_masks() is false.
RunResult reference_of(const AttentionCase& c, const AttentionBackend& backend);
// Whether reference_of() adds the backend's masks as a tensor for this configuration.
bool has_own_masks(const AttentionConfig& config, const AttentionBackend& backend);

// An element agrees where |found - expected| <= absolute + relative * |expected|. NaN equals NaN;
// infinities must be equal.
struct Tolerance {
  double absolute = 0, relative = 0;
};
Tolerance tolerance_for(DType dtype, int64_t longest_kv);
// Empty when all elements agree; otherwise that the shapes differ, or how many elements failed and
// the worst one with its coordinates.
std::string compare(const Tensor& found, const Tensor& expected, Tolerance tolerance);
// Largest |x - y| over the elements where it is finite.
double largest_difference(const Tensor& x, const Tensor& y);
bool bits_equal(const Tensor& x, const Tensor& y);
// Bytes of rows [first, first + count) of a tensor whose first axis is T.
std::vector<std::byte> rows_of(const Tensor& tensor, int64_t first, int64_t count);

AttentionConfig make_config(int64_t num_heads, int64_t num_kv_heads, int64_t head_size);
// A bias of random numbers, one for each distance and head.
RelativeBias random_relative_bias(int64_t num_heads, int64_t before, int64_t after);
std::string describe(const CaseSpec& spec);

template <class T>
T pick(Rng& rng, std::initializer_list<T> values) {
  return *(values.begin() + rng.below(values.size()));
}

}  // namespace attn::testing
