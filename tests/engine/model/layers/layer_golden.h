// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of layers: the answers of torch and transformers (tests/golden/layers), a pool to run
// on, and a comparison of numbers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/model/files/safetensors.h"
#include "engine/trace/probe.h"

namespace attn {

struct LayerRun {
  LayerRun() { execution.pool = &pool; }
  std::vector<float> numbers(const std::string& name) const {
    const Tensor tensor = golden.read(name);
    return {tensor.span<float>().begin(), tensor.span<float>().end()};
  }

  SafetensorsFile golden = SafetensorsFile::open(std::filesystem::path(ATTN_SOURCE_DIR) /
                                                 "tests/golden/layers/layers.safetensors");
  ThreadPool pool{2};
  Execution execution;
};

// Expects every number to differ by at most `absolute` + `relative` * |expected number|.
inline void expect_near(std::span<const float> got, std::span<const float> expected,
                        double relative, double absolute) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], absolute + relative * std::abs(double{expected[i]})) << i;
}

}  // namespace attn
