// SPDX-License-Identifier: GPL-3.0-or-later
// Compares `reference` with a dense sum written here, and torch_sdpa and unified with `reference`,
// mostly on random cases of all attention types.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/backend_test.h"

namespace attn::testing {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

constexpr AttentionType kTypes[] = {AttentionType::kDecoder, AttentionType::kEncoder,
                                    AttentionType::kEncoderOnly, AttentionType::kEncoderDecoder};

// A case that reference can run and, unless `everything` is set, torch_sdpa, too.
CaseSpec random_spec(uint64_t seed, bool everything) {
  Rng rng(seed);
  CaseSpec spec;
  const int64_t kv_heads = pick<int64_t>(rng, {1, 2, 3});
  const int64_t head_size =
      everything ? pick<int64_t>(rng, {1, 3, 31, 64}) : pick<int64_t>(rng, {32, 64, 80, 128});
  spec.config = make_config(kv_heads * pick<int64_t>(rng, {1, 2, 4}), kv_heads, head_size);
  spec.config.attn_type = kTypes[seed % 4];
  spec.config.extended = true;
  const bool cross = spec.config.attn_type == AttentionType::kEncoderDecoder;
  const bool decoder = spec.config.attn_type == AttentionType::kDecoder;
  spec.block_size = pick<int64_t>(rng, {1, 5, 16, 64});
  spec.dtype = pick(rng, {DType::kF32, DType::kBF16, DType::kF16});
  if (decoder || cross) {
    const DType cache[] = {DType::kF32,    DType::kBF16,   DType::kF16,
                           DType::kF8E4M3, DType::kF8E5M2, DType::kI8};
    if (rng.below(4) > 0) spec.cache_dtype = cache[rng.below(everything ? 6 : 5)];
    if (spec.cache_dtype == DType::kI8)
      for (int64_t h = 0; h < kv_heads; ++h) {
        spec.scales.k_head_scales.push_back(pick(rng, {0.03125f, 0.0625f}));
        spec.scales.v_head_scales.push_back(pick(rng, {0.03125f, 0.125f}));
      }
    spec.scales.k_scale = pick(rng, {1.0f, 0.25f});
    spec.scales.v_scale = pick(rng, {1.0f, 0.5f});
  }
  spec.placement_seed = rng.next();
  if (everything || !cross) {
    if (rng.below(4) == 0) spec.config.sliding_window = pick<int64_t>(rng, {1, 3, 16, 43});
    if (rng.below(4) == 0) spec.config.alibi_slopes = standard_alibi_slopes(spec.config.num_heads);
  }
  if (everything) {
    if (rng.below(4) == 0) spec.config.logits_soft_cap = 2.0f;
    if (rng.below(4) == 0)
      for (spec.config.sinks.emplace();
           static_cast<int64_t>(spec.config.sinks->size()) < spec.config.num_heads;)
        spec.config.sinks->push_back(rng.normal());
    if (rng.below(4) == 0)
      spec.config.blocksparse = BlockSparse{static_cast<int64_t>(1 + rng.below(2)), 3, 4,
                                            static_cast<int64_t>(rng.below(3))};
    if (rng.below(4) == 0) spec.dense_bias_heads = rng.below(2) ? 1 : spec.config.num_heads;
  }
  if (everything && seed % 3 == 0)
    spec.config.relative_bias =
        random_relative_bias(spec.config.num_heads, seed % 2 ? 4 : 30, seed % 5 * 7);
  const auto batch = 1 + rng.below(4);
  const bool mixed = (decoder || cross) && rng.below(2) == 0;
  if (!everything && !mixed && rng.below(4) == 0)
    spec.dense_bias_heads = rng.below(2) ? 1 : spec.config.num_heads;
  for (uint64_t i = 0; i <= batch; ++i) {
    CaseSequence s;
    s.is_decode = mixed && i == batch;
    s.query_len = s.is_decode ? 1 : pick<int64_t>(rng, {1, 2, 3, 15, 40});
    if (decoder || cross) s.context_len = rng.below(2) ? 0 : pick<int64_t>(rng, {1, 7, 52});
    if (cross) s.encoder_len = i == 0 ? 17 : pick<int64_t>(rng, {0, 1, 17, 60});
    s.seed = rng.next();
    spec.sequences.push_back(s);
  }
  return spec;
}

// Output and log-sum-exp, computed from the definition of attention in loops over all keys.
struct Dense {
  Tensor out, lse;
};

float number(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case DType::kBF16:
      return to_f32(tensor.data<BFloat16>()[i]);
    case DType::kF16:
      return to_f32(tensor.data<Float16>()[i]);
    default:
      return tensor.data<float>()[i];
  }
}

double logit(const AttentionCase& c, int64_t head, int64_t row, int64_t position, int64_t key,
             double dot) {
  const AttentionConfig& config = c.spec.config;
  if (config.attn_type == AttentionType::kDecoder && key > position) return kNone;
  if (config.sliding_window && key <= position - *config.sliding_window) return kNone;
  if (config.blocksparse) {
    const BlockSparse& b = *config.blocksparse;
    const int64_t i = position / b.block_size, j = key / b.block_size;
    if (j <= i - b.local_blocks && (j + head * b.head_sliding_step + 1) % b.vert_stride != 0)
      return kNone;
  }
  double s = dot * config.scale;
  if (config.logits_soft_cap) s = *config.logits_soft_cap * std::tanh(s / *config.logits_soft_cap);
  if (config.alibi_slopes)
    s += (*config.alibi_slopes)[static_cast<size_t>(head)] * static_cast<double>(key - position);
  if (const RelativeBias& bias = config.relative_bias; !bias.empty()) {
    const int64_t nearest = std::min(std::max(key - position, -bias.before()), bias.after());
    s += bias.values()[static_cast<size_t>(head * bias.distances() + bias.before() + nearest)];
  }
  if (const auto& bias = c.metadata.dense_bias)
    s += bias->data<float>()[((bias->dim(0) > 1 ? head : 0) * bias->dim(1) + row) * bias->dim(2) +
                             key];
  return s;
}

Dense dense_attention(const AttentionCase& c) {
  const AttentionConfig& config = c.spec.config;
  const int64_t heads = config.num_heads, kv_heads = config.num_kv_heads, width = config.head_size;
  const bool cross = config.attn_type == AttentionType::kEncoderDecoder;
  Dense dense{Tensor(DType::kF32, c.query.shape()), Tensor(DType::kF32, {c.query.dim(0), heads})};
  int64_t row = 0, new_row = 0, cached_row = 0;
  for (size_t s = 0; s < c.spec.sequences.size(); ++s) {
    const CaseSequence& sequence = c.spec.sequences[s];
    const int64_t keys = cross ? sequence.encoder_len : sequence.context_len + sequence.query_len;
    const auto kv = [&](const Tensor& cached, const Tensor& fresh, int64_t k, int64_t h,
                        int64_t d) {
      const bool old = k < c.cached[s];
      const int64_t at = old ? cached_row + k : new_row + k - c.cached[s];
      return static_cast<double>(number(old ? cached : fresh, (at * kv_heads + h) * width + d));
    };
    for (int64_t i = 0; i < sequence.query_len; ++i)
      for (int64_t h = 0; h < heads; ++h) {
        const int64_t g = h / (heads / kv_heads), at = (row + i) * heads + h;
        std::vector<double> weights;
        double max = kNone, sum = 0;
        for (int64_t k = 0; k < keys; ++k) {
          double dot = 0;
          for (int64_t d = 0; d < width; ++d)
            dot += number(c.query, at * width + d) * kv(c.context_keys, c.key, k, g, d);
          weights.push_back(logit(c, h, row + i, sequence.context_len + i, k, dot));
          max = std::max(max, weights.back());
        }
        const double sink = config.sinks ? (*config.sinks)[static_cast<size_t>(h)] : kNone;
        max = std::max(max, sink);
        for (double& w : weights) sum += w = w == kNone ? 0.0 : std::exp(w - max);
        if (config.sinks) sum += std::exp(sink - max);
        dense.lse.data<float>()[at] = static_cast<float>(max == kNone ? max : max + std::log(sum));
        for (int64_t d = 0; d < width; ++d) {
          double total = 0;
          for (int64_t k = 0; k < keys; ++k)
            if (weights[static_cast<size_t>(k)] > 0)
              total += weights[static_cast<size_t>(k)] * kv(c.context_values, c.value, k, g, d);
          dense.out.data<float>()[at * width + d] =
              static_cast<float>(max == kNone ? 0.0 : total / sum);
        }
      }
    row += sequence.query_len;
    new_row += keys - c.cached[s];
    cached_row += c.cached[s];
  }
  return dense;
}

class AttentionTypes : public BackendTest, public ::testing::WithParamInterface<int> {};

TEST_P(AttentionTypes, ReferenceIsTheDefinition) {
  for (uint64_t i = 0; i < 25; ++i) {
    const CaseSpec spec = random_spec(static_cast<uint64_t>(GetParam()) * 1000 + i, true);
    SCOPED_TRACE(describe(spec));
    const AttentionCase c = make_case(spec);
    const Dense expected = dense_attention(c);
    const RunResult found = run_case(c, backend_named("reference"));
    const Tolerance rounding = spec.dtype == DType::kF32   ? Tolerance{1e-6, 1e-6}
                               : spec.dtype == DType::kF16 ? Tolerance{1e-6, 5e-4}
                                                           : Tolerance{1e-6, 4e-3};
    ASSERT_EQ(compare(found.out, expected.out, rounding), "");
    ASSERT_EQ(compare(found.lse, expected.lse, {1e-6, 1e-6}), "");
  }
}

TEST_P(AttentionTypes, TorchSdpaAgreesWithReference) {
  for (uint64_t i = 0; i < 25; ++i) {
    CaseSpec spec = random_spec(static_cast<uint64_t>(GetParam()) * 1000 + i, false);
    spec.config.backend_options["sdpa_kernel"] = i % 3 == 0 ? "math" : "flash";
    SCOPED_TRACE(describe(spec));
    ASSERT_TRUE(backend_named("torch_sdpa").not_supported_reasons(spec.config).empty());
    const AttentionCase c = make_case(spec);
    const RunResult expected = reference_of(c, backend_named("torch_sdpa"));
    const RunResult found =
        run_case(c, backend_named("torch_sdpa"), {.threads = static_cast<int>(1 + i % 3)});
    ASSERT_EQ(compare(found.out, expected.out, tolerance_for(spec.dtype, 0)), "");
    ASSERT_EQ(compare(found.lse, expected.lse, {1e-5, 1e-5}), "");
  }
}
TEST_P(AttentionTypes, UnifiedAgreesWithReference) {
  const AttentionBackend& unified = backend_named("unified");
  int ran = 0;
  for (uint64_t i = 0; i < 40; ++i) {
    const CaseSpec spec = random_spec(static_cast<uint64_t>(GetParam()) * 1000 + 500 + i, true);
    SCOPED_TRACE(describe(spec));
    if (!unified.not_supported_reasons(spec.config).empty()) continue;
    const AttentionCase c = make_case(spec);
    if (!batch_not_supported_reasons(unified, spec.config, c.metadata).empty()) continue;
    ++ran;
    const RunResult expected = run_case(c, backend_named("reference"));
    const RunResult found = run_case(c, unified, {.threads = static_cast<int>(1 + i % 3)});
    ASSERT_EQ(compare(found.out, expected.out, tolerance_for(spec.dtype, 0)), "");
    ASSERT_EQ(compare(found.lse, expected.lse, {1e-5, 1e-5}), "");
  }
  EXPECT_GE(ran, 20);
}
INSTANTIATE_TEST_SUITE_P(Sample, AttentionTypes, ::testing::Range(0, 8));

// Without causality ALiBi adds large numbers to the scores of later keys.
TEST_F(AttentionTypes, BidirectionalAlibiKeepsTheBound) {
  for (const char* name : {"unified", "torch_sdpa"})
    for (const char* kernel : {"flash", "math"})
      for (const bool sinks : {false, true}) {
        const AttentionBackend& backend = backend_named(name);
        CaseSpec spec;
        spec.config = make_config(8, 8, 32);
        spec.config.attn_type = AttentionType::kEncoderOnly;
        spec.config.alibi_slopes = standard_alibi_slopes(40);
        // Keeps the last 8 of the 40 slopes, among them the steepest.
        spec.config.alibi_slopes->erase(spec.config.alibi_slopes->begin(),
                                        spec.config.alibi_slopes->begin() + 32);
        spec.config.backend_options["sdpa_kernel"] = kernel;
        if (sinks) spec.config.sinks.emplace(8, 300.0f);
        if (!backend.not_supported_reasons(spec.config).empty()) continue;
        spec.sequences = {{512, 0, 1}, {3, 0, 2}};
        SCOPED_TRACE(std::string(name) + ": " + describe(spec));
        const AttentionCase c = make_case(spec);
        const RunResult expected = reference_of(c, backend);
        const RunResult found = run_case(c, backend);
        EXPECT_EQ(compare(found.out, expected.out, tolerance_for(spec.dtype, 0)), "");
        EXPECT_EQ(compare(found.lse, expected.lse, {1e-5, 1e-5}), "");
      }
}

TEST_F(AttentionTypes, CrossAttentionReadsWhatAnEarlierCallWrote) {
  for (const char* name : {"reference", "torch_sdpa", "unified"}) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 64);
    spec.config.attn_type = AttentionType::kEncoderDecoder;
    spec.sequences = {{3, 0, 1, 37}, {1, 5, 2, 9}};
    const RunResult written = run_case(make_case(spec), backend_named(name));
    // Decodes that find the encoder's keys and values in the cache; none are passed.
    CaseSpec read = spec;
    read.is_prefill = false;
    read.sequences = {{1, 0, 1, 37}, {1, 5, 2, 9}};
    const RunResult found =
        run_case(make_case(read), backend_named(name), {.without_new_keys = true});
    const float* row = found.out.data<float>();
    for (int64_t e = 0; e < 4 * 64; ++e) {
      EXPECT_NEAR(row[e], written.out.data<float>()[e], 1e-5) << name;
      EXPECT_NEAR(row[4 * 64 + e], written.out.data<float>()[3 * 4 * 64 + e], 1e-5) << name;
    }
  }
}

}  // namespace
}  // namespace attn::testing
