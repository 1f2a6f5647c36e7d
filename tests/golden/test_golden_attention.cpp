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
  // A backend that begins to refuse what it ran would otherwise go unnoticed.
  EXPECT_GE(report.ran["torch_sdpa"], 49u);
  EXPECT_GE(report.ran["xformers"], 51u);
  EXPECT_GE(report.ran["unified"], 66u);
}

TEST(GoldenPallas, AllFiles) {
  FolderReport report = run_golden_folder("pallas");
  ASSERT_GE(report.files, 19u);
  EXPECT_EQ(report.ran["reference"], report.files);
  // All but the two mixed batches, which pallas refuses.
  EXPECT_EQ(report.ran["pallas"], report.files - 2);
}

}  // namespace
}  // namespace attn::testing
