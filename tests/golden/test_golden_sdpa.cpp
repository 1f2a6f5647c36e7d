// SPDX-License-Identifier: GPL-3.0-or-later
// Compares backends with the answers of PyTorch's scaled_dot_product_attention
// (tests/golden/README.md). Also that unified with exactness fast has more of its bits than
// without.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "backends/register_all.h"
#include "engine/model/files/safetensors.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

struct GoldenCase {
  AttentionConfig config;
  AttentionMetadata metadata;
  Tensor query, key, value, key_cache, value_cache, output, lse;
  int64_t block_size = 0;
};

GoldenCase load(const std::filesystem::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  GoldenCase c;
  c.query = file.read("query");
  c.key = file.read("key");
  c.value = file.read("value");
  c.key_cache = convert(file.read("key_cache"), DType::kF32);
  c.value_cache = convert(file.read("value_cache"), DType::kF32);
  c.output = file.read("expected.output");
  c.lse = file.read("expected.lse");
  const auto& metadata = file.metadata();
  c.config = make_config(c.query.dim(1), std::stol(metadata.at("num_kv_heads")), c.query.dim(2));
  c.config.scale = std::stof(metadata.at("scale"));
  c.block_size = std::stol(metadata.at("block_size"));
  const Tensor tables = file.read("block_tables"), seq_lens = file.read("seq_lens"),
               query_lens = file.read("query_lens"), slots = file.read("slot_mapping");
  const int64_t num_prefills = std::stol(metadata.at("num_prefills"));
  std::vector<SequenceSlice> slices;
  for (int64_t s = 0; s < seq_lens.size(); ++s) {
    const int64_t query_len = query_lens.data<int32_t>()[s];
    slices.push_back({static_cast<uint32_t>(s), seq_lens.data<int32_t>()[s] - query_len, query_len,
                      s < num_prefills,
                      tables.span<int32_t>().subspan(static_cast<size_t>(s * tables.dim(1)),
                                                     static_cast<size_t>(tables.dim(1)))});
  }
  c.metadata = build_metadata(slices, c.block_size);
  c.metadata.slot_mapping.assign(slots.span<int64_t>().begin(), slots.span<int64_t>().end());
  return c;
}

RunResult run(const GoldenCase& c, const AttentionBackend& backend, const BackendOptions& chosen) {
  const int64_t num_blocks = c.key_cache.dim(0), kv_heads = c.config.num_kv_heads;
  Tensor storage(c.query.dtype(),
                 backend.kv_cache_shape(num_blocks, c.block_size, kv_heads, c.config.head_size));
  const KvCacheView cache{&storage, num_blocks, c.block_size, kv_heads, c.config.head_size};
  std::vector<int64_t> slots;
  for (int64_t slot = 0; slot < num_blocks * c.block_size; ++slot) slots.push_back(slot);
  backend.write_rows(cache, slots, c.key_cache.data<float>(), c.value_cache.data<float>());
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  RunResult result;
  result.out = Tensor(c.query.dtype(), c.query.shape());
  result.lse = Tensor(DType::kF32, {c.query.dim(0), c.config.num_heads});
  AttentionConfig config = c.config;
  config.backend_options = chosen;
  backend.make_impl(config)->forward({&c.query, &c.key, &c.value, cache, {}}, c.metadata,
                                     {&result.out, &result.lse, nullptr}, execution);
  return result;
}

std::vector<std::filesystem::path> golden_files(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ATTN_SOURCE_DIR "/tests/golden") / folder))
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(GoldenSdpa, AllFiles) {
  register_all_backends();
  const auto files = golden_files("sdpa");
  ASSERT_GE(files.size(), 50u);
  std::map<std::string, double> largest;  // per backend, kernel and dtype
  for (const auto& path : files) {
    const GoldenCase c = load(path);
    for (const auto& [backend, kernel] :
         {std::pair{"reference", "auto"}, {"torch_sdpa", "flash"}, {"torch_sdpa", "math"}}) {
      SCOPED_TRACE(fmt::format("{} {} {}", path.filename().string(), backend, kernel));
      const RunResult found = run(c, backend_named(backend), {{"sdpa_kernel", kernel}});
      double& worst = largest[fmt::format("{} {} {}", backend, kernel, name_of(c.query.dtype()))];
      worst = std::max(worst, largest_difference(found.out, c.output));
      EXPECT_EQ(compare(found.out, c.output, tolerance_for(c.query.dtype(), 0)), "");
      EXPECT_EQ(compare(found.lse, c.lse, {1e-5, 1e-6}), "");
    }
  }
  for (const auto& [what, difference] : largest)
    fmt::print("largest output difference, {}: {:.2g}\n", what, difference);
}

// The share of the outputs that have other bits than PyTorch's.
double other_bits(const Tensor& found, const Tensor& expected) {
  const Tensor as_bf16 = convert(expected, DType::kBF16);
  int64_t others = 0;
  for (int64_t i = 0; i < found.size(); ++i)
    others += found.data<BFloat16>()[i].bits != as_bf16.data<BFloat16>()[i].bits;
  return static_cast<double>(others) / static_cast<double>(found.size());
}

// PyTorch and exactness "fast" round weights to bf16; "invariant" keeps them in f32. So fewer
// outputs of "fast" must have other bits than PyTorch's.
TEST(GoldenSdpa, FastRoundsWeightsAsPyTorchDoes) {
  register_all_backends();
  const auto files = golden_files("rounded_weights");
  ASSERT_EQ(files.size(), 2u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const GoldenCase c = load(path);
    const AttentionBackend& backend = backend_named("unified");
    const RunResult fast = run(c, backend, {{"exactness", "fast"}});
    const RunResult invariant = run(c, backend, {});
    EXPECT_EQ(compare(fast.out, c.output, tolerance_for(DType::kBF16, 0)), "");
    EXPECT_EQ(compare(fast.lse, c.lse, {1e-5, 1e-6}), "");
    const double rounded = other_bits(fast.out, c.output),
                 exact = other_bits(invariant.out, c.output);
    fmt::print("outputs with other bits than PyTorch's: fast {:.3f}, invariant {:.3f}\n", rounded,
               exact);
    EXPECT_LT(rounded, 0.1);
    EXPECT_LT(3 * rounded, exact);
  }
}

}  // namespace
}  // namespace attn::testing
