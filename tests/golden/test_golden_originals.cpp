// SPDX-License-Identifier: GPL-3.0-or-later
// Compares masks of torch_sdpa and xformers, caches of pallas that padded prompts were written to,
// and the outputs with those of the libraries that vLLM's backends call.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "backends/register_all.h"
#include "engine/model/files/safetensors.h"
#include "tests/golden/golden_case.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

TEST(GoldenOriginals, OutputsWithMasks) {
  FolderReport report = run_golden_folder("original_masks");
  ASSERT_GE(report.files, 15u);
  EXPECT_EQ(report.ran["torch_sdpa"], report.files);
  EXPECT_EQ(report.ran["xformers"], report.files - 4);
}

TEST(GoldenOriginals, OutputsOfTheMathKernel) {
  register_all_backends();
  for (const auto& path : golden_files("original_masks")) {
    SCOPED_TRACE(path.stem().string());
    GoldenCase c = load_golden_case(path);
    c.config.backend_options["sdpa_kernel"] = "math";
    const GoldenOutputs found = run_golden_case(c, backend_named("torch_sdpa"));
    const Tolerance bound = tolerance_for(c.query.dtype(), 0);
    const Tensor math = SafetensorsFile::open(path).read("expected.math");
    // Our output and that of PyTorch's `math` are each within the bound of the exact answer.
    EXPECT_EQ(compare(found.out, math, {2 * bound.absolute, 2 * bound.relative}), "");
    EXPECT_EQ(compare(found.out, c.output_f64, bound), "");
  }
}

// The rows of a mask [heads, queries, keys] from row `first` on.
Tensor rows_from(const Tensor& mask, int64_t first) {
  const int64_t heads = mask.dim(0), rows = mask.dim(1) - first, keys = mask.dim(2);
  Tensor part(DType::kF32, {heads, rows, keys});
  for (int64_t head = 0; head < heads; ++head)
    std::copy_n(mask.data<float>() + (head * mask.dim(1) + first) * keys, rows * keys,
                part.data<float>() + head * rows * keys);
  return part;
}

TEST(GoldenOriginals, MasksElementByElement) {
  register_all_backends();
  size_t dense = 0, packed = 0, tensors = 0;
  for (const auto& path : golden_files("original_masks")) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    const int64_t first_row = std::stol(file.metadata().at("first_row"));
    for (const char* name : {"torch_sdpa", "xformers"}) {
      SCOPED_TRACE(fmt::format("{} {}", path.stem().string(), name));
      if (file.metadata().at("expect_backends").find(name) == std::string::npos) continue;
      const GoldenCase c = load_golden_case(path);
      run_golden_case(c, backend_named(name));
      const BiasList* biases = c.metadata.prefill_metadata()->attn_bias_for(c.config.attn_type);
      const bool is_sdpa = backend_named(name).name() == "torch_sdpa";
      if (is_sdpa && !file.find("sdpa_mask.0")) {
        EXPECT_EQ(biases, nullptr);  // torch_sdpa has a flag, not a tensor, for a causal mask
        continue;
      }
      ASSERT_NE(biases, nullptr);
      if (!is_sdpa && file.find("packed_mask")) {
        ASSERT_EQ(biases->size(), 1u);
        EXPECT_EQ((*biases)[0]->name(), file.metadata().at("packed_class"));
        Tensor expected = file.read("packed_mask");
        Tensor found = (*biases)[0]->materialize();
        ASSERT_EQ(found.size(), expected.size());
        EXPECT_TRUE(std::ranges::equal(found.span<float>(), expected.span<float>()));
        ++packed;
        continue;
      }
      ASSERT_EQ(biases->size(), c.metadata.seq_lens.size());
      for (size_t s = 0; s < biases->size(); ++s) {
        const std::string tensor = is_sdpa ? "sdpa_mask" : "tensor_bias";
        const Tensor expected = convert(file.read(fmt::format("{}.{}", tensor, s)), DType::kF32);
        EXPECT_EQ((*biases)[s]->name(),
                  is_sdpa ? "DenseMask" : "LowerTriangularMaskWithTensorBias");
        EXPECT_EQ(compare(rows_from((*biases)[s]->materialize(), first_row), expected, {0, 0}), "");
        ++(is_sdpa ? dense : tensors);
      }
    }
  }
  fmt::print("{} dense masks, {} packed masks, {} tensor biases\n", dense, packed, tensors);
  EXPECT_GE(dense, 25u);
  EXPECT_GE(packed, 6u);
  EXPECT_GE(tensors, 11u);
}

TEST(GoldenOriginals, PaddingInTheBatch) {
  FolderReport report = run_golden_folder("pallas_padding");
  EXPECT_EQ(report.ran["pallas"], 2u);
  for (const auto& path : golden_files("pallas_padding")) {
    SCOPED_TRACE(path.stem().string());
    const SafetensorsFile file = SafetensorsFile::open(path);
    const GoldenCase c = load_golden_case(path);
    Tensor keys, values;
    run_golden_case(c, backend_named("pallas"), &keys, &values);
    EXPECT_EQ(compare(keys, file.read("expected.key_cache"), {0, 0}), "");
    EXPECT_EQ(compare(values, file.read("expected.value_cache"), {0, 0}), "");
  }
}

}  // namespace
}  // namespace attn::testing
