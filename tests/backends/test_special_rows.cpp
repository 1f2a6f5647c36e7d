// SPDX-License-Identifier: GPL-3.0-or-later
// Rows at the edge: padding rows, one visible key, extreme scores, NaN in a key or value that some
// rows see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/register_all.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

class SpecialRows : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
  const AttentionBackend& backend() const { return backend_named(GetParam()); }
};

TEST_P(SpecialRows, EmptySequenceGivesZeroAndMinusInfinity) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 32);
  spec.is_prefill = false;
  spec.sequences = {{1, 3, 1}};
  AttentionCase c = make_case(spec);
  c.metadata.seq_lens[0] = 0;  // a padding row of a captured batch: slot -1, length 0
  c.metadata.slot_mapping[0] = kPaddingSlot;
  const RunResult found = run_case(c, backend());
  for (const float x : found.out.span<float>()) EXPECT_TRUE(x == 0 && !std::signbit(x));
  for (const float x : found.lse.span<float>()) EXPECT_EQ(x, -kInf);
}

TEST_P(SpecialRows, OneVisibleKeyGivesItsValueBitwise) {
  CaseSpec spec;
  spec.config = make_config(2, 2, 64);
  spec.config.sliding_window = 1;
  spec.sequences = {{40, 0, 7}};
  const AttentionCase c = make_case(spec);
  const RunResult found = run_case(c, backend());
  EXPECT_TRUE(bits_equal(found.out, c.value));
}

TEST_P(SpecialRows, ExtremeScoresStayFinite) {
  for (const float factor : {1e2f, 1e4f, 5e5f}) {
    CaseSpec spec;
    spec.config = make_config(2, 1, 64);
    spec.query_factor = factor;
    spec.sequences = {{70, 0, 9}};
    const RunResult found = run_case(make_case(spec), backend());
    for (const float x : found.out.span<float>()) ASSERT_TRUE(std::isfinite(x)) << factor;
    for (const float x : found.lse.span<float>()) ASSERT_TRUE(std::isfinite(x)) << factor;
  }
}

TEST_P(SpecialRows, NanStaysWithTheRowsThatSeeIt) {
  for (const bool in_key : {true, false}) {
    CaseSpec spec;
    spec.config = make_config(4, 2, 64);
    spec.sequences = {{30, 0, 11}, {20, 0, 12}};
    AttentionCase c = make_case(spec);
    const RunResult clean = run_case(c, backend());
    // KV head 1, position 17 of the first sequence.
    Tensor& poisoned = in_key ? c.key : c.value;
    poisoned.data<float>()[(17 * 2 + 1) * 64 + 5] = std::numeric_limits<float>::quiet_NaN();
    const RunResult found = run_case(c, backend());
    for (int64_t t = 0; t < 50; ++t)
      for (int64_t h = 0; h < 4; ++h) {
        const bool sees = t < 30 && t >= 17 && h >= 2;
        const float* row = found.out.data<float>() + (t * 4 + h) * 64;
        if (sees) {
          EXPECT_TRUE(std::isnan(row[5])) << t << " " << h;
        } else {
          EXPECT_EQ(
              std::memcmp(row, clean.out.data<float>() + (t * 4 + h) * 64, 64 * sizeof(float)), 0)
              << t << " " << h;
        }
      }
  }
}

TEST_P(SpecialRows, PaddingSlotWritesNothing) {
  CaseSpec spec;
  spec.config = make_config(2, 1, 32);
  spec.sequences = {{5, 0, 3}};
  AttentionCase c = make_case(spec);
  Tensor storage(DType::kF32, backend().kv_cache_shape(c.num_blocks, 16, 1, 32));
  std::memset(storage.raw(), 0xff, storage.bytes());
  for (int64_t& slot : c.metadata.slot_mapping) slot = kPaddingSlot;
  ThreadPool pool(1);
  Execution execution;
  execution.pool = &pool;
  Tensor out(DType::kF32, c.query.shape());
  const KvCacheView cache{&storage, c.num_blocks, 16, 1, 32};
  backend()
      .make_impl(spec.config)
      ->forward({&c.query, &c.key, &c.value, cache, {}}, c.metadata, {&out, nullptr, nullptr},
                execution);
  const auto* bytes = static_cast<const unsigned char*>(storage.raw());
  EXPECT_TRUE(
      std::all_of(bytes, bytes + storage.bytes(), [](unsigned char b) { return b == 0xff; }));
}

INSTANTIATE_TEST_SUITE_P(Backends, SpecialRows,
                         ::testing::Values("torch_sdpa", "unified", "reference", "xformers"));

}  // namespace
}  // namespace attn::testing
