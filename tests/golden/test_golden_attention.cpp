// SPDX-License-Identifier: GPL-3.0-or-later
// The backends against what PyTorch (attention/) and JAX's Pallas TPU kernels (pallas/) answered,
// every file on every backend that it names. The files poison every slot that is no context with
// NaN, so an answer without NaN also shows that nothing else was read.
#include <gtest/gtest.h>

#include "tests/golden/golden_case.h"

namespace attn::testing {
namespace {

TEST(GoldenAttention, AllFiles) {
  const FolderReport report = run_golden_folder("attention");
  ASSERT_GE(report.files, 67u);
  if (report.ran.empty()) GTEST_SKIP() << "no backend here runs any of these files";
}

TEST(GoldenPallas, AllFiles) {
  const FolderReport report = run_golden_folder("pallas");
  ASSERT_GE(report.files, 19u);
  if (!report.ran.contains("pallas"))
    GTEST_SKIP() << "backend pallas is not registered or refuses all; the reference ran";
}

}  // namespace
}  // namespace attn::testing
