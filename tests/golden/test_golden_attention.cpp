// SPDX-License-Identifier: GPL-3.0-or-later
// The backends against what PyTorch (attention/) and JAX's Pallas TPU kernels (pallas/) answered,
// every file on every backend that it names. The files poison every slot that is no context with
// NaN, so an answer without NaN also shows that nothing else was read.
#include <gtest/gtest.h>

#include "tests/golden/golden_case.h"

namespace attn::testing {
namespace {

TEST(GoldenAttention, AllFiles) {
  FolderReport report = run_golden_folder("attention");
  ASSERT_GE(report.files, 67u);
  // The oracle supports everything; the others say why not.
  EXPECT_EQ(report.ran["reference"], report.files);
}

TEST(GoldenPallas, AllFiles) {
  FolderReport report = run_golden_folder("pallas");
  ASSERT_GE(report.files, 19u);
  EXPECT_EQ(report.ran["reference"], report.files);
  if (!report.ran.contains("pallas"))
    GTEST_SKIP() << "backend pallas is not registered or refuses all; the reference ran";
}

}  // namespace
}  // namespace attn::testing
