// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the backends with the answers of PyTorch (attention/) and of JAX's Pallas TPU kernels
// (pallas/).
#include <gtest/gtest.h>

#include "tests/golden/golden_case.h"

namespace attn::testing {
namespace {

TEST(GoldenAttention, AllFiles) {
  FolderReport report = run_golden_folder("attention");
  ASSERT_GE(report.files, 67u);
  // The reference runs every file. Another backend runs the files that name it, except those for
  // which it gives a reason (run_golden_folder() prints the reasons).
  EXPECT_EQ(report.ran["reference"], report.files);
  // Lower bounds, to notice a backend that begins to refuse cases.
  EXPECT_GE(report.ran["torch_sdpa"], 48u);
  EXPECT_GE(report.ran["xformers"], 50u);
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
