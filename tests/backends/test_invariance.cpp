// SPDX-License-Identifier: GPL-3.0-or-later
// The bits of a row do not depend on the batch around it, on threads, block size, placement or tile
// height, and with some backends not on where a prompt is cut. With exactness fast they may.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "backends/register_all.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

constexpr int kScenarios = 1000, kRounds = 25;

class Invariance : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { register_all_backends(); }
};

// A random length: below `common` in three of four cases, else below `longest`.
int64_t some_length(Rng& rng, uint64_t common, uint64_t longest) {
  return static_cast<int64_t>(rng.below(rng.below(4) ? common : longest));
}

CaseSpec random_call(Rng& rng) {
  CaseSpec spec;
  spec.config = make_config(4, 2, pick<int64_t>(rng, {32, 64, 80, 120, 128}));
  spec.config.backend_options["sdpa_kernel"] = rng.below(3) ? "flash" : "math";
  spec.is_prefill = rng.below(2) == 0;
  spec.dtype = pick(rng, {DType::kF32, DType::kBF16, DType::kF16});
  spec.sequences = {{spec.is_prefill ? 1 + some_length(rng, 120, 400) : 1,
                     some_length(rng, 300, 1300), rng.next()}};
  return spec;
}

// Puts the sequence of `alone` among up to six random ones. Its first `cut` queries become cached
// tokens. Sets `first` to the row of its first query that is left.
CaseSpec in_a_crowd(const CaseSpec& alone, int64_t cut, Rng& rng, int64_t& first) {
  CaseSpec crowd = alone;
  crowd.block_size = pick<int64_t>(rng, {1, 5, 8, 16, 32, 64, 256});
  crowd.placement_seed = rng.next();
  const uint64_t before = rng.below(4), after = rng.below(4);
  crowd.sequences.clear();
  first = 0;
  for (uint64_t i = 0; i < before + after + 1; ++i) {
    if (i == before) {
      crowd.sequences.push_back(alone.sequences[0]);
      crowd.sequences.back().query_len -= cut;
      crowd.sequences.back().context_len += cut;
      continue;
    }
    const CaseSequence other{crowd.is_prefill ? 1 + some_length(rng, 40, 200) : 1,
                             some_length(rng, 150, 700), rng.next()};
    crowd.sequences.push_back(other);
    if (i < before) first += other.query_len;
  }
  return crowd;
}

TEST_P(Invariance, OfASequenceInAnySurroundings) {
  Rng rng(static_cast<uint64_t>(GetParam()));
  for (int round = 0; round < kRounds; ++round) {
    CaseSpec alone = random_call(rng);
    const AttentionBackend& backend =
        backend_named(pick(rng, {"unified", "torch_sdpa", "xformers", "pallas", "reference"}));
    if (backend.name() == "pallas") {
      alone.config = make_config(4, 2, 128);
      if (alone.dtype == DType::kF16) alone.dtype = DType::kF32;
    }
    if ((backend.name() == "unified" || backend.name() == "reference") && round % 2 == 0)
      alone.config.relative_bias = random_relative_bias(4, 100, 0);
    const RunResult expected = run_case(make_case(alone), backend);
    const auto query_len = static_cast<uint64_t>(alone.sequences[0].query_len);
    // xformers and pallas use different kernels with and without cached tokens.
    const bool may_cut = alone.sequences[0].context_len > 0 ||
                         (backend.name() != "xformers" && backend.name() != "pallas");
    const int64_t cut = may_cut && rng.below(2) ? static_cast<int64_t>(rng.below(query_len)) : 0;
    const int64_t rows = alone.sequences[0].query_len - cut;
    int64_t first = 0;
    const CaseSpec crowd = in_a_crowd(alone, cut, rng, first);
    const RunOptions options{.threads = static_cast<int>(1 + rng.below(4)),
                             .query_tile_rows = static_cast<int64_t>(rng.below(97))};
    SCOPED_TRACE(fmt::format("{}, cut after {}: {}", backend.name(), cut, describe(crowd)));
    const RunResult found = run_case(make_case(crowd), backend, options);
    ASSERT_EQ(rows_of(found.out, first, rows), rows_of(expected.out, cut, rows));
    ASSERT_EQ(rows_of(found.lse, first, rows), rows_of(expected.lse, cut, rows));
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Invariance, ::testing::Range(1, 1 + kScenarios / kRounds));

// Runs the tests with each bf16 unit of this machine, and without one.
class InvarianceByUnit : public ::testing::TestWithParam<Bf16Unit> {
 protected:
  void SetUp() override {
    if (!has_bf16_unit(GetParam())) GTEST_SKIP() << "this machine has no such unit";
    use_.emplace(GetParam());
  }
  static void SetUpTestSuite() { register_all_backends(); }

 private:
  std::optional<UseBf16Unit> use_;
};

TEST_P(InvarianceByUnit, ChunkAndDecodeGiveTheRowsOfAPrefill) {
  for (const char* name : {"torch_sdpa", "unified", "reference"}) {
    SCOPED_TRACE(name);
    const AttentionBackend& backend = backend_named(name);
    struct Types {
      DType dtype;
      std::optional<DType> cache;
    };
    std::vector<Types> all = {{DType::kF32, {}}, {DType::kBF16, {}}};
    if (backend.name() == "unified")
      for (const DType cache : {DType::kF32, DType::kF8E4M3, DType::kF8E5M2, DType::kI8})
        all.push_back({DType::kBF16, cache});
    for (const auto& [dtype, cache] : all) {
      SCOPED_TRACE(fmt::format("{}, cache {}", name_of(dtype), name_of(cache.value_or(dtype))));
      CaseSpec whole;
      whole.config = make_config(4, 2, 64);
      whole.dtype = dtype;
      whole.cache_dtype = cache;
      whole.sequences = {{700, 0, 42}};
      const RunResult expected = run_case(make_case(whole), backend);
      for (const int64_t cut : {1, 16, 95, 256, 511, 699}) {
        CaseSpec chunk = whole;
        chunk.sequences = {{700 - cut, cut, 42}};
        const RunResult found = run_case(make_case(chunk), backend);
        EXPECT_EQ(rows_of(found.out, 0, 700 - cut), rows_of(expected.out, cut, 700 - cut)) << cut;
      }
      for (const int64_t position : {0, 63, 255, 256, 300, 512, 699}) {
        CaseSpec decode = whole;
        decode.is_prefill = false;
        decode.sequences = {{1, position, 42}};
        for (const int threads : {1, 3}) {
          const RunResult found = run_case(make_case(decode), backend, {.threads = threads});
          EXPECT_EQ(rows_of(found.out, 0, 1), rows_of(expected.out, position, 1)) << position;
          EXPECT_EQ(rows_of(found.lse, 0, 1), rows_of(expected.lse, position, 1)) << position;
        }
      }
    }
  }
}

// The last row has huge queries, whose sums can overflow, or several kinds of NaN in its key.
TEST_P(InvarianceByUnit, ExtremeRowsOfAPrefillAndADecode) {
  const AttentionBackend& backend = backend_named("unified");
  for (const DType cache : {DType::kBF16, DType::kF8E5M2, DType::kI8})
    for (const int64_t head_size : {64, 120})
      for (const bool huge : {true, false}) {
        SCOPED_TRACE(fmt::format("{}, head size {}, {}", name_of(cache), head_size,
                                 huge ? "huge query" : "NaN in a key"));
        CaseSpec spec;
        spec.config = make_config(4, 1, head_size);
        spec.config.scale *= huge ? 1e-36f : 1.0f;
        spec.dtype = DType::kBF16;
        spec.cache_dtype = cache;
        spec.sequences = {{37, 0, 42}};
        const auto run = [&](bool is_prefill, int64_t block_size) {
          CaseSpec of_run = spec;
          of_run.is_prefill = is_prefill;
          of_run.block_size = block_size;
          if (!is_prefill) of_run.sequences = {{1, 36, 42}};
          AttentionCase work = make_case(of_run);
          const int64_t rows = work.query.dim(0), row = 4 * head_size;
          auto* query = work.query.data<BFloat16>() + (rows - 1) * row;
          auto* key = work.key.data<BFloat16>() + (rows - 1) * head_size;
          constexpr uint16_t kNaNs[] = {0x7fc1, 0xffe0, 0xffd5, 0x7ff1};
          for (int64_t d = 0; huge && d < row; ++d) query[d].bits = d % 2 ? 0x7e80 : 0xfe00;
          for (int64_t d = 0; !huge && d < 4; ++d) key[d].bits = kNaNs[d];
          return run_case(work, backend);
        };
        const RunResult expected = run(true, 16);
        for (const int64_t block_size : {5, 16, 64}) {
          const RunResult found = run(false, block_size);
          EXPECT_EQ(rows_of(found.out, 0, 1), rows_of(expected.out, 36, 1)) << block_size;
          EXPECT_EQ(rows_of(found.lse, 0, 1), rows_of(expected.lse, 36, 1)) << block_size;
        }
      }
}

std::string unit_name(const ::testing::TestParamInfo<Bf16Unit>& info) {
  const char* const names[] = {"none", "dot_products", "matrix"};
  return names[static_cast<size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Units, InvarianceByUnit,
                         ::testing::Values(Bf16Unit::kNone, Bf16Unit::kDotProducts,
                                           Bf16Unit::kMatrix),
                         unit_name);

TEST_F(Invariance, FastMayDependOnTheBatchAndTheThreads) {
  CaseSpec alone;
  alone.config = make_config(4, 2, 64);
  alone.is_prefill = false;
  alone.dtype = DType::kBF16;
  alone.sequences = {{1, 1500, 1}};
  CaseSpec crowd = alone;
  for (uint64_t i = 0; i < 8; ++i) crowd.sequences.push_back({1, 1500, 100 + i});
  const AttentionBackend& backend = backend_named("unified");
  const auto rows_by = [&](const CaseSpec& spec, const char* exactness, int threads) {
    const RunOptions options{.threads = threads, .backend_options = {{"exactness", exactness}}};
    const RunResult found = run_case(make_case(spec), backend, options);
    return std::pair{rows_of(found.out, 0, 1), rows_of(found.lse, 0, 1)};
  };
  const auto expected = rows_by(alone, "invariant", 2);
  EXPECT_EQ(rows_by(crowd, "invariant", 2), expected);
  EXPECT_EQ(rows_by(alone, "invariant", 1), expected);
  const auto fast = rows_by(alone, "fast", 2);
  EXPECT_EQ(rows_by(alone, "fast", 2), fast);
  EXPECT_NE(rows_by(crowd, "fast", 2).first, fast.first);
  EXPECT_NE(rows_by(alone, "fast", 1).first, fast.first);
  EXPECT_NE(fast.first, expected.first);
}

TEST_F(Invariance, PagedDecodeV1EqualsV2) {
  // 3 sequences of 2 heads take v2; 300 of them take v1 (600 > 512).
  CaseSpec few;
  few.config = make_config(2, 1, 64);
  few.is_prefill = false;
  few.sequences = {{1, 1500, 1}, {1, 700, 2}, {1, 513, 3}};
  CaseSpec many = few;
  for (uint64_t i = 0; i < 297; ++i) many.sequences.push_back({1, 3, 100 + i});
  const RunResult v2 = run_case(make_case(few), backend_named("torch_sdpa"));
  const RunResult v1 = run_case(make_case(many), backend_named("torch_sdpa"), {.threads = 2});
  EXPECT_EQ(rows_of(v1.out, 0, 3), rows_of(v2.out, 0, 3));
  EXPECT_EQ(rows_of(v1.lse, 0, 3), rows_of(v2.lse, 0, 3));
}

}  // namespace
}  // namespace attn::testing
