// SPDX-License-Identifier: GPL-3.0-or-later
// That weights that are recomputed from queries, keys and the log-sum-exp of a backend agree with
// those of `reference`, for each backend that accepts a feature.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "backends/register_all.h"
#include "engine/kernels/weight_recompute.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

struct Features {
  const char* name;
  AttentionType type = AttentionType::kDecoder;
  int64_t window = 0;
  bool alibi = false, relative_bias = false;
  float soft_cap = 0;
  bool sinks = false;
  std::optional<BlockSparse> blocksparse = {};
  int64_t bias_heads = 0;
};

void PrintTo(const Features& features, std::ostream* out) {
  *out << features.name;
}

CaseSpec spec_of(const Features& f) {
  CaseSpec spec;
  spec.config = make_config(4, 2, 64);
  spec.config.attn_type = f.type;
  spec.config.extended = true;
  if (f.window > 0) spec.config.sliding_window = f.window;
  if (f.alibi) spec.config.alibi_slopes = standard_alibi_slopes(4);
  if (f.relative_bias) spec.config.relative_bias = random_relative_bias(4, 40, 20);
  if (f.soft_cap > 0) spec.config.logits_soft_cap = f.soft_cap;
  if (f.sinks) spec.config.sinks = std::vector<float>{0.5f, -1.0f, 2.0f, 0.0f};
  spec.config.blocksparse = f.blocksparse;
  spec.dense_bias_heads = f.bias_heads;
  spec.block_size = 8;
  const bool decoder = f.type == AttentionType::kDecoder;
  spec.sequences = {{70, 0, 1}, {9, decoder ? 61 : 0, 2}, {33, 0, 3}};
  if (f.type == AttentionType::kEncoderDecoder) {
    spec.sequences[0].encoder_len = 41;  // fewer keys than queries; the next has more
    spec.sequences[1].encoder_len = 150;
    spec.sequences[2].encoder_len = 33;
  }
  return spec;
}

// The keys of each sequence, [keys, Hkv, D]: first those in the cache, then the new ones.
std::vector<std::vector<float>> keys_of(const AttentionCase& c, std::span<const int32_t> lens) {
  const int64_t row = c.spec.config.num_kv_heads * c.spec.config.head_size;
  std::vector<std::vector<float>> all;
  int64_t cached = 0, fresh = 0;
  for (size_t s = 0; s < c.spec.sequences.size(); ++s) {
    std::vector<float> keys;
    const float* from = c.context_keys.data<float>() + cached * row;
    keys.insert(keys.end(), from, from + c.cached[s] * row);
    cached += c.cached[s];
    const int64_t count = lens[s] - c.cached[s];
    from = c.key.data<float>() + fresh * row;
    keys.insert(keys.end(), from, from + count * row);
    fresh += count;
    all.push_back(std::move(keys));
  }
  return all;
}

std::vector<float> recomputed(const AttentionCase& c, const WeightRule& rule, const RunResult& run,
                              int64_t seq, const std::vector<float>& keys) {
  const AttentionConfig& config = c.spec.config;
  const auto s = static_cast<size_t>(seq);
  const int64_t row = c.metadata.query_start_loc[s], rows = c.metadata.query_len(seq);
  const int64_t count =
      static_cast<int64_t>(keys.size()) / (config.num_kv_heads * config.head_size);
  std::vector<float> weights(static_cast<size_t>(config.num_heads * rows * count), -1.0f);
  constexpr int64_t kSide = 29;
  for (int64_t head = 0; head < config.num_heads; ++head)
    for (int64_t q = 0; q < rows; q += kSide)
      for (int64_t k = 0; k < count; k += kSide) {
        WeightTile tile;
        tile.query =
            c.query.data<float>() + ((row + q) * config.num_heads + head) * config.head_size;
        tile.query_stride = config.num_heads * config.head_size;
        tile.key =
            keys.data() + (k * config.num_kv_heads + head / config.group_size()) * config.head_size;
        tile.key_stride = config.num_kv_heads * config.head_size;
        tile.lse = run.lse.data<float>() + (row + q) * config.num_heads + head;
        tile.lse_stride = config.num_heads;
        tile.q_begin = c.metadata.context_lens[s] + q;
        tile.q_count = std::min(kSide, rows - q);
        tile.k_begin = k;
        tile.k_count = std::min(kSide, count - k);
        tile.head_size = config.head_size;
        tile.scale = config.scale;
        tile.rule = &rule;
        tile.head = head;
        if (const float* bias = c.metadata.dense_bias_at(row + q)) {
          tile.bias = bias + head * c.metadata.dense_bias_head_stride() + k;
          tile.bias_stride = c.metadata.dense_bias->dim(2);
        }
        recompute_weights(tile, weights.data() + (head * rows + q) * count + k, count);
      }
  return weights;
}

class WeightMaps : public ::testing::TestWithParam<Features> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
};

TEST_P(WeightMaps, AreThoseOfReference) {
  const AttentionCase c = make_case(spec_of(GetParam()));
  const WeightRule rule = weight_rule(c.spec.config);
  const RunResult reference = run_case(c, backend_named("reference"), {.weights = true});
  const auto keys = keys_of(c, c.metadata.seq_lens_for(c.spec.config.attn_type).kv);
  int ran = 0;
  for (const AttentionBackend* backend : registered_backends()) {
    if (!backend->not_supported_reasons(c.spec.config).empty()) continue;
    if (backend->capabilities().ignores_soft_cap && c.spec.config.logits_soft_cap) continue;
    // The masks of this backend are causal in encoders, too.
    if (GetParam().type != AttentionType::kDecoder && has_own_masks(c.spec.config, *backend))
      continue;
    if (!batch_not_supported_reasons(*backend, c.spec.config, c.metadata).empty()) continue;
    ++ran;
    const RunResult run = run_case(c, *backend);
    for (int64_t seq = 0; seq < c.metadata.num_seqs(); ++seq) {
      const Tensor& expected = reference.weights[static_cast<size_t>(seq)];
      const auto found = recomputed(c, rule, run, seq, keys[static_cast<size_t>(seq)]);
      ASSERT_EQ(static_cast<int64_t>(found.size()), expected.size()) << backend->name();
      const int64_t rows = expected.dim(1), count = expected.dim(2);
      int64_t hidden = 0;
      for (int64_t i = 0; i < expected.size(); ++i) {
        const float weight = found[static_cast<size_t>(i)], wanted = expected.data<float>()[i];
        ASSERT_NEAR(weight, wanted, 2e-5)
            << backend->name() << ", sequence " << seq << ", head " << i / (rows * count)
            << ", query " << i / count % rows << ", key " << i % count;
        const bool sees = rule.sees(
            i / (rows * count),
            c.metadata.context_lens[static_cast<size_t>(seq)] + i / count % rows, i % count);
        if (!sees) {
          ++hidden;
          ASSERT_EQ(weight, 0.0f) << i;
        } else if (!c.metadata.dense_bias) {
          ASSERT_GT(wanted, 0.0f) << i;
        }
      }
      const bool masks = c.spec.config.attn_type == AttentionType::kDecoder ||
                         count > c.spec.config.sliding_window.value_or(count);
      EXPECT_EQ(hidden > 0, masks) << seq;
    }
  }
  EXPECT_GE(ran, 2);
}

constexpr BlockSparse kSparse{1, 3, 8, 1};
constexpr auto kEncoder = AttentionType::kEncoder;
constexpr auto kEncoderOnly = AttentionType::kEncoderOnly;
constexpr auto kCross = AttentionType::kEncoderDecoder;
INSTANTIATE_TEST_SUITE_P(
    Features, WeightMaps,
    ::testing::Values(
        Features{.name = "plain"}, Features{.name = "window", .window = 7},
        Features{.name = "alibi", .alibi = true},
        Features{.name = "relative_bias", .relative_bias = true},
        Features{.name = "soft_cap", .soft_cap = 1.5f}, Features{.name = "sinks", .sinks = true},
        Features{.name = "blocksparse", .blocksparse = kSparse},
        Features{.name = "bias", .bias_heads = 4}, Features{.name = "bias_of_all", .bias_heads = 1},
        Features{.name = "everything",
                 .window = 40,
                 .alibi = true,
                 .soft_cap = 2,
                 .sinks = true,
                 .blocksparse = kSparse,
                 .bias_heads = 4},
        Features{.name = "encoder", .type = kEncoder},
        Features{.name = "encoder_window", .type = kEncoder, .window = 9},
        Features{.name = "encoder_alibi", .type = kEncoderOnly, .alibi = true},
        Features{.name = "encoder_relative_bias", .type = kEncoder, .relative_bias = true},
        Features{.name = "encoder_cap", .type = kEncoderOnly, .soft_cap = 1.5f},
        Features{.name = "cross", .type = kCross},
        Features{.name = "cross_cap", .type = kCross, .soft_cap = 1.5f}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace attn::testing
