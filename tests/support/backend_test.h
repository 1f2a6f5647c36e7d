// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of all backends share: a fixture that puts a guard page behind each buffer, and
// comparisons with the fp64 reference.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/attention_case.h"

namespace attn::testing {

// Registers all backends. Puts a guard page behind each buffer, to find accesses past its end.
class BackendTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
};

// Compares the output within the tolerance of dtype, and the log-sum-exp within
// 1e-5 + 1e-5 * |expected|. A larger difference is a test failure that names the worst element.
void expect_agreement(const RunResult& found, const RunResult& expected, DType dtype);

// Runs the case on the backend, compares it with the reference, and runs it again: the second run
// must give the same bits.
void expect_agreement_with_reference(const CaseSpec& spec, const AttentionBackend& backend,
                                     const RunOptions& options);

// Compares the backend with the reference in the cases of seeds 1000 .. 1000 + count - 1, on every
// instruction set that this machine has and the kernels are compiled for, with each bf16 unit that
// can be used there and without one.
void expect_agreement_on_every_target(const AttentionBackend& backend,
                                      const std::function<CaseSpec(uint64_t seed)>& spec_of,
                                      int count);

}  // namespace attn::testing
