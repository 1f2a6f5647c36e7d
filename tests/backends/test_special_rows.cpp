// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of empty sequences, rows that see no key or only one, extreme scores, NaN in a key or value,
// and tokens whose slot is padding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/backend_test.h"

namespace attn::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct RowsCase {
  const char* backend;
  int64_t head_size;
};
void PrintTo(const RowsCase& rows, std::ostream* out) {
  *out << rows.backend;
}

class SpecialRows : public BackendTest, public ::testing::WithParamInterface<RowsCase> {
 protected:
  const AttentionBackend& backend() const { return backend_named(GetParam().backend); }
  CaseSpec spec_of(int64_t num_heads, int64_t num_kv_heads) const {
    CaseSpec spec;
    spec.config = make_config(num_heads, num_kv_heads, GetParam().head_size);
    return spec;
  }
};

class WindowedRows : public SpecialRows {};

TEST_P(SpecialRows, EmptySequenceGivesZeroAndMinusInfinity) {
  CaseSpec spec = spec_of(2, 1);
  spec.is_prefill = false;
  spec.sequences = {{1, 3, 1}, {1, 200, 2}};
  AttentionCase c = make_case(spec);
  const RunResult alone = run_case(c, backend());
  c.metadata.seq_lens[0] = 0;  // a padding row of a captured batch: slot -1, length 0
  c.metadata.slot_mapping[0] = kPaddingSlot;
  const RunResult found = run_case(c, backend());
  for (int64_t i = 0; i < 2 * GetParam().head_size; ++i) {
    const float x = found.out.data<float>()[i];
    EXPECT_TRUE(x == 0 && !std::signbit(x));
  }
  for (int64_t i = 0; i < 2; ++i) EXPECT_EQ(found.lse.data<float>()[i], -kInf);
  EXPECT_EQ(rows_of(found.out, 1, 1), rows_of(alone.out, 1, 1));
}

// A sink is a term of every row's sum; in a row that sees no key it is the only one.
TEST_F(BackendTest, RowsThatSeeNoKeyHaveTheSinkInTheirSum) {
  const std::vector<float> sinks = {0.5f, -300.0f, 3.0f, 0.0f};
  for (const char* name : {"unified", "reference"})
    for (const bool alibi : {false, true})
      for (const bool is_prefill : {true, false}) {
        SCOPED_TRACE(fmt::format("{} alibi {} prefill {}", name, alibi, is_prefill));
        CaseSpec spec;
        spec.config = make_config(4, 2, 64);
        spec.config.sinks = sinks;
        if (alibi) spec.config.alibi_slopes = standard_alibi_slopes(4);
        spec.is_prefill = is_prefill;
        if (is_prefill)
          spec.sequences = {{5, 0, 1}, {70, 0, 2}};
        else
          spec.sequences = {{1, 3, 1}, {1, 700, 2}};
        spec.dense_bias_heads = is_prefill ? 1 : 0;  // unified accepts no bias at decode
        AttentionCase c = make_case(spec);
        const int64_t empty = is_prefill ? c.query.dim(0) - 1 : 0;
        if (is_prefill) {
          Tensor bias(DType::kF32, c.metadata.dense_bias->shape());
          const auto rows = bias.span<float>();
          std::fill(rows.begin(), rows.end(), 0.0f);
          std::fill_n(bias.data<float>() + empty * bias.dim(2), bias.dim(2), -kInf);
          c.metadata.dense_bias = std::make_shared<const Tensor>(std::move(bias));
        } else {
          c.metadata.seq_lens[0] = 0;
          c.metadata.slot_mapping[0] = kPaddingSlot;
        }
        const RunResult found = run_case(c, backend_named(name));
        for (int64_t h = 0; h < 4; ++h) {
          EXPECT_FLOAT_EQ(found.lse.data<float>()[empty * 4 + h], sinks[static_cast<size_t>(h)]);
          for (int64_t d = 0; d < 64; ++d) {
            const float x = found.out.data<float>()[(empty * 4 + h) * 64 + d];
            ASSERT_TRUE(x == 0 && !std::signbit(x)) << h << ' ' << x;
          }
        }
      }
}

TEST_P(SpecialRows, OneVisibleKeyGivesItsValueBitwise) {
  CaseSpec spec = spec_of(2, 2);
  spec.sequences = {{1, 0, 7}, {30, 0, 8}};
  const AttentionCase c = make_case(spec);
  const RunResult found = run_case(c, backend());
  // Row 1 is the first row of the other sequence.
  EXPECT_EQ(rows_of(found.out, 0, 2), rows_of(c.value, 0, 2));
}

TEST_P(WindowedRows, OneKeyInTheWindowGivesItsValueBitwise) {
  CaseSpec spec = spec_of(2, 2);
  spec.config.sliding_window = 1;
  for (const int64_t context : {0, 40}) {
    spec.sequences = {{140, context, 7}};
    const AttentionCase c = make_case(spec);
    EXPECT_TRUE(bits_equal(run_case(c, backend()).out, c.value)) << context;
  }
}

TEST_P(SpecialRows, ExtremeScoresStayFinite) {
  for (const float factor : {1e2f, 1e4f, 5e5f}) {
    CaseSpec spec = spec_of(2, 1);
    spec.query_factor = factor;
    spec.sequences = {{70, 0, 9}, {20, 150, 10}};
    const RunResult found = run_case(make_case(spec), backend());
    for (const float x : found.out.span<float>()) ASSERT_TRUE(std::isfinite(x)) << factor;
    for (const float x : found.lse.span<float>()) ASSERT_TRUE(std::isfinite(x)) << factor;
  }
}

TEST_P(SpecialRows, NanStaysWithTheRowsThatSeeIt) {
  const int64_t head_size = GetParam().head_size;
  for (const bool in_key : {true, false})
    for (const int64_t context : {0, 150}) {
      CaseSpec spec = spec_of(4, 2);
      spec.sequences = {{30, context, 11}, {20, context, 12}};
      AttentionCase c = make_case(spec);
      const RunResult clean = run_case(c, backend());
      // Sets element 5 of KV head 1 of the first sequence's new token 17 to NaN.
      Tensor& poisoned = in_key ? c.key : c.value;
      poisoned.data<float>()[(17 * 2 + 1) * head_size + 5] = kNan;
      const RunResult found = run_case(c, backend());
      for (int64_t t = 0; t < 50; ++t)
        for (int64_t h = 0; h < 4; ++h) {
          const float* row = found.out.data<float>() + (t * 4 + h) * head_size;
          const float* expected = clean.out.data<float>() + (t * 4 + h) * head_size;
          const bool sees = t < 30 && t >= 17 && h >= 2;
          if (sees)
            EXPECT_TRUE(std::isnan(row[5])) << t << " " << h;
          else
            EXPECT_EQ(std::memcmp(row, expected, static_cast<size_t>(head_size) * sizeof(float)), 0)
                << t << " " << h;
        }
    }
}

TEST_P(SpecialRows, PaddingSlotWritesNothing) {
  CaseSpec spec = spec_of(2, 1);
  spec.sequences = {{5, 0, 3}};
  AttentionCase c = make_case(spec);
  Tensor storage(DType::kF32, backend().kv_cache_shape(c.num_blocks, 16, 1, GetParam().head_size));
  std::memset(storage.raw(), 0xff, storage.bytes());
  for (int64_t& slot : c.metadata.slot_mapping) slot = kPaddingSlot;
  ThreadPool pool(1);
  Execution execution;
  execution.pool = &pool;
  Tensor out(DType::kF32, c.query.shape());
  const KvCacheView cache{&storage, c.num_blocks, 16, 1, GetParam().head_size};
  backend()
      .make_impl(spec.config)
      ->forward({&c.query, &c.key, &c.value, cache, {}}, c.metadata, {&out, nullptr, nullptr},
                execution);
  const auto* bytes = static_cast<const unsigned char*>(storage.raw());
  EXPECT_TRUE(
      std::all_of(bytes, bytes + storage.bytes(), [](unsigned char b) { return b == 0xff; }));
}

std::string name_of_case(const ::testing::TestParamInfo<RowsCase>& info) {
  return info.param.backend;
}
const RowsCase kWindowed[] = {
    {"torch_sdpa", 64}, {"unified", 64}, {"reference", 64}, {"xformers", 64}};
INSTANTIATE_TEST_SUITE_P(Backends, SpecialRows, ::testing::ValuesIn(kWindowed), name_of_case);
INSTANTIATE_TEST_SUITE_P(Pallas, SpecialRows, ::testing::Values(RowsCase{"pallas", 128}),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Backends, WindowedRows, ::testing::ValuesIn(kWindowed), name_of_case);

}  // namespace
}  // namespace attn::testing
