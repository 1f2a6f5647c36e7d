// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of a backend have in common: buffers with guard pages, and agreement with the fp64
// reference.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/attention_case.h"

namespace attn::testing {

// All backends are registered, and reading or writing past a buffer is a fault.
class BackendTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
};

// Within the tolerance of the case's type, and for the log-sum-exp 1e-5; where not, a failure that
// names the worst element.
void expect_agreement(const RunResult& found, const RunResult& expected, DType dtype);

// A run of the case against one of the reference, and the same bits when it runs again.
void expect_agreement_with_reference(const CaseSpec& spec, const AttentionBackend& backend,
                                     const RunOptions& options);

// The cases of seeds 1000 .. 1000 + count - 1 on every instruction set that this machine has and
// the kernels are compiled for, not only the best.
void expect_agreement_on_every_target(const AttentionBackend& backend,
                                      const std::function<CaseSpec(uint64_t seed)>& spec_of,
                                      int count);

}  // namespace attn::testing
