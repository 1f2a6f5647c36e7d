// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/backend_test.h"

#include <optional>

#include "backends/register_all.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/instruction_set.h"
#include "hwy/targets.h"

namespace attn::testing {

void BackendTest::SetUpTestSuite() {
  register_all_backends();
  AlignedBuffer::guard_allocations(true);
}

void BackendTest::TearDownTestSuite() {
  AlignedBuffer::guard_allocations(false);
}

void expect_agreement(const RunResult& found, const RunResult& expected, DType dtype) {
  EXPECT_EQ(compare(found.out, expected.out, tolerance_for(dtype, 0)), "");
  EXPECT_EQ(compare(found.lse, expected.lse, {1e-5, 1e-5}), "");
}

void expect_agreement_with_reference(const CaseSpec& spec, const AttentionBackend& backend,
                                     const RunOptions& options) {
  const AttentionCase c = make_case(spec);
  const RunResult found = run_case(c, backend, options);
  expect_agreement(found, reference_of(c, backend), spec.dtype);
  const RunResult again = run_case(c, backend, options);
  EXPECT_TRUE(bits_equal(found.out, again.out));
  EXPECT_TRUE(bits_equal(found.lse, again.lse));
}

void expect_agreement_on_every_target(const AttentionBackend& backend,
                                      const std::function<CaseSpec(uint64_t seed)>& spec_of,
                                      int count) {
  // A target that the kernels are not compiled for cannot be tested.
  const int64_t targets = hwy::SupportedTargets() & kernel_targets();
  ASSERT_NE(targets, 0);
  for (int64_t rest = targets; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    for (int i = 0; i < count; ++i) {
      const CaseSpec spec = spec_of(1000 + static_cast<uint64_t>(i));
      SCOPED_TRACE(std::string(hwy::TargetName(target)) + " " + describe(spec));
      const AttentionCase c = make_case(spec);
      const RunResult expected = reference_of(c, backend);
      hwy::SetSupportedTargetsForTest(target);
      const RunResult found = run_case(c, backend, {.threads = 2});
      std::vector<RunResult> with_other_units;
      for (const Bf16Unit unit : {Bf16Unit::kNone, Bf16Unit::kDotProducts, Bf16Unit::kMatrix}) {
        if (unit == bf16_unit() || !has_bf16_unit(unit)) continue;
        const UseBf16Unit use(unit);
        with_other_units.push_back(run_case(c, backend, {.threads = 2}));
      }
      hwy::SetSupportedTargetsForTest(0);
      expect_agreement(found, expected, spec.dtype);
      for (const RunResult& other : with_other_units) expect_agreement(other, expected, spec.dtype);
    }
  }
}

}  // namespace attn::testing
