// SPDX-License-Identifier: GPL-3.0-or-later
// Compares masks of the engine with the matrices that xFormers' classes of the same names make
// (tests/golden/generate/mask_cases.py): the values are equal.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "engine/attention/attention_bias.h"
#include "engine/core/error.h"
#include "engine/model/files/safetensors.h"
#include "tests/golden/golden_case.h"
#include "tests/support/attention_case.h"

namespace attn::testing {
namespace {

struct MaskFile {
  std::string type;
  // q, kv: lengths per block. starts (gappy masks only): the first key of each block, then the end
  // of the key axis.
  std::vector<int32_t> q, kv, starts;
  int64_t window = 0, left = 0, right = 0, padding = 0, page = 0;
  int64_t pages_per_row = 0;
  std::vector<int32_t> tables;
  std::shared_ptr<const Tensor> bias;
  Tensor mask;

  std::span<const int32_t> block_starts() const { return {starts.data(), starts.size() - 1}; }
};

std::vector<int32_t> integers(const std::map<std::string, std::string>& notes, const char* key) {
  std::vector<int32_t> numbers;
  const auto found = notes.find(key);
  if (found == notes.end()) return numbers;
  for (size_t at = 0; at < found->second.size();) {
    const size_t comma = std::min(found->second.find(',', at), found->second.size());
    numbers.push_back(std::stoi(found->second.substr(at, comma - at)));
    at = comma + 1;
  }
  return numbers;
}

int64_t integer(const std::map<std::string, std::string>& notes, const char* key) {
  const auto numbers = integers(notes, key);
  return numbers.empty() ? 0 : numbers[0];
}

MaskFile load(const std::filesystem::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const auto& notes = file.metadata();
  MaskFile m;
  m.type = notes.at("class");
  m.q = integers(notes, "q_seqlen");
  m.kv = integers(notes, "kv_seqlen");
  m.starts = integers(notes, "kv_seqstarts");
  m.window = integer(notes, "window_size");
  m.left = integer(notes, "window_left");
  m.right = integer(notes, "window_right");
  m.padding = integer(notes, "kv_padding");
  m.page = integer(notes, "page_size");
  if (file.find("block_tables")) {
    const Tensor tables = file.read("block_tables");
    m.tables.assign(tables.span<int32_t>().begin(), tables.span<int32_t>().end());
    m.pages_per_row = tables.dim(1);
  }
  if (file.find("bias")) m.bias = std::make_shared<Tensor>(file.read("bias"));
  m.mask = file.read("mask");
  return m;
}

// By class name of xFormers: makes the engine's mask of that name.
const std::map<std::string, std::function<BiasPtr(const MaskFile&)>>& makers() {
  using M = const MaskFile&;
  static const std::map<std::string, std::function<BiasPtr(M)>> kMakers = {
      {"LowerTriangularMask",
       [](M m) { return std::make_shared<LowerTriangularMask>(m.q[0], m.kv[0]); }},
      {"LowerTriangularFromBottomRightMask",
       [](M m) { return std::make_shared<LowerTriangularFromBottomRightMask>(m.q[0], m.kv[0]); }},
      {"LowerTriangularFromBottomRightLocalAttentionMask",
       [](M m) {
         return std::make_shared<LowerTriangularFromBottomRightLocalAttentionMask>(m.q[0], m.kv[0],
                                                                                   m.window);
       }},
      {"LocalAttentionFromBottomRightMask",
       [](M m) {
         return std::make_shared<LocalAttentionFromBottomRightMask>(m.q[0], m.kv[0], m.left,
                                                                    m.right);
       }},
      {"LowerTriangularMaskWithTensorBias",
       [](M m) { return std::make_shared<LowerTriangularMaskWithTensorBias>(m.bias); }},
      {"BlockDiagonalMask", [](M m) { return std::make_shared<BlockDiagonalMask>(m.q, m.kv); }},
      {"BlockDiagonalCausalMask",
       [](M m) { return std::make_shared<BlockDiagonalCausalMask>(m.q, m.kv); }},
      {"BlockDiagonalCausalFromBottomRightMask",
       [](M m) { return std::make_shared<BlockDiagonalCausalFromBottomRightMask>(m.q, m.kv); }},
      {"BlockDiagonalCausalLocalAttentionMask",
       [](M m) {
         return std::make_shared<BlockDiagonalCausalLocalAttentionMask>(m.q, m.kv, m.window);
       }},
      {"BlockDiagonalCausalLocalAttentionFromBottomRightMask",
       [](M m) {
         return std::make_shared<BlockDiagonalCausalLocalAttentionFromBottomRightMask>(m.q, m.kv,
                                                                                       m.window);
       }},
      {"BlockDiagonalPaddedKeysMask",
       [](M m) { return std::make_shared<BlockDiagonalPaddedKeysMask>(m.q, m.kv, m.padding); }},
      {"BlockDiagonalCausalWithOffsetPaddedKeysMask",
       [](M m) {
         return std::make_shared<BlockDiagonalCausalWithOffsetPaddedKeysMask>(m.q, m.kv, m.padding);
       }},
      {"BlockDiagonalCausalLocalAttentionPaddedKeysMask",
       [](M m) {
         return std::make_shared<BlockDiagonalCausalLocalAttentionPaddedKeysMask>(
             m.q, m.kv, m.padding, m.window);
       }},
      {"BlockDiagonalLocalAttentionPaddedKeysMask",
       [](M m) {
         return std::make_shared<BlockDiagonalLocalAttentionPaddedKeysMask>(m.q, m.kv, m.padding,
                                                                            m.left, m.right);
       }},
      {"BlockDiagonalGappyKeysMask",
       [](M m) {
         return std::make_shared<BlockDiagonalGappyKeysMask>(m.q, m.block_starts(), m.kv,
                                                             m.starts.back());
       }},
      {"BlockDiagonalCausalWithOffsetGappyKeysMask",
       [](M m) {
         return std::make_shared<BlockDiagonalCausalWithOffsetGappyKeysMask>(m.q, m.block_starts(),
                                                                             m.kv, m.starts.back());
       }},
      {"PagedBlockDiagonalPaddedKeysMask",
       [](M m) {
         return std::make_shared<PagedBlockDiagonalPaddedKeysMask>(m.q, m.kv, m.tables,
                                                                   m.pages_per_row, m.page);
       }},
      {"PagedBlockDiagonalCausalWithOffsetPaddedKeysMask",
       [](M m) {
         return std::make_shared<PagedBlockDiagonalCausalWithOffsetPaddedKeysMask>(
             m.q, m.kv, m.tables, m.pages_per_row, m.page);
       }},
  };
  return kMakers;
}

// A mask [q, kv] becomes [1, q, kv]; a mask with heads stays as it is.
Tensor with_heads(const Tensor& mask) {
  if (mask.rank() == 3) return convert(mask, DType::kF32);
  Tensor whole(DType::kF32, {1, mask.dim(0), mask.dim(1)});
  std::ranges::copy(mask.span<float>(), whole.data<float>());
  return whole;
}

// The span of visible() must contain every visible key; it may also contain masked keys.
void expect_spans_cover(const AttentionBias& bias, const Tensor& mask) {
  const int64_t rows = mask.dim(1), columns = mask.dim(2);
  for (int64_t head = 0; head < mask.dim(0); ++head)
    for (int64_t row = 0; row < rows; ++row) {
      const KeySpan span = bias.visible(row);
      for (int64_t key = 0; key < columns; ++key) {
        const float expected = mask.data<float>()[(head * rows + row) * columns + key];
        if (std::isinf(expected)) continue;
        EXPECT_TRUE(span.begin <= key && key < span.end)
            << fmt::format("row {}, key {} is outside [{}, {})", row, key, span.begin, span.end);
      }
    }
}

TEST(GoldenMasks, AllFiles) {
  const auto files = golden_files("masks");
  ASSERT_GE(files.size(), 107u);
  std::map<std::string, size_t> absent;
  std::set<std::string> met;
  size_t ran = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path.stem().string());
    const MaskFile file = load(path);
    const auto maker = makers().find(file.type);
    if (maker == makers().end()) {
      ++absent[file.type];
      continue;
    }
    met.insert(file.type);
    ++ran;
    BiasPtr bias;
    ASSERT_NO_THROW(bias = maker->second(file));
    EXPECT_EQ(bias->name(), file.type);
    const Tensor expected = with_heads(file.mask);
    const Tensor found = bias->materialize();
    EXPECT_EQ(compare(found, expected, {0, 0}), "");
    expect_spans_cover(*bias, expected);
  }
  EXPECT_EQ(met.size(), makers().size());
  fmt::print("masks: ran {} of {} files, {} classes\n", ran, files.size(), met.size());
  for (const auto& [type, count] : absent)
    fmt::print("masks: {} files of {} did not run: the engine has no such mask\n", count, type);
}

}  // namespace
}  // namespace attn::testing
