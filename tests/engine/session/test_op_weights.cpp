// SPDX-License-Identifier: GPL-3.0-or-later
// `attn op` as a program: attention weights of every mask and cache, padded heads, block-sparse
// keys, scales of caches, and the modelled TPU time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "engine/attention/attention_bias.h"
#include "engine/core/rng.h"
#include "engine/model/files/safetensors.h"
#include "tests/engine/session/attn_program.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

struct WeightsResult {
  int code = -1;
  std::string text;  // stdout and stderr
};

struct OpCaseFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
  test::TemporaryFolder folder;

  void random(const std::string& name, const Shape& shape, float size = 1) {
    Tensor tensor(DType::kF32, shape);
    Rng rng(name.size() * 100 + static_cast<uint64_t>(name.back()));
    for (float& x : tensor.span<float>()) x = size * rng.normal();
    tensors[name] = std::move(tensor);
  }
  void ints(const std::string& name, const Shape& shape, const std::vector<int32_t>& values) {
    Tensor tensor(DType::kI32, shape);
    std::ranges::copy(values, tensor.data<int32_t>());
    tensors[name] = std::move(tensor);
  }
  void slots(const std::string& name, const std::vector<int64_t>& values) {
    Tensor tensor(DType::kI64, {static_cast<int64_t>(values.size())});
    std::ranges::copy(values, tensor.data<int64_t>());
    tensors[name] = std::move(tensor);
  }
  WeightsResult run(const std::string& more) const {
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
    write_safetensors(folder.path() / "in.safetensors", named, metadata);
    const std::string command = test::shell_quote(ATTN_PROGRAM) + " op --in " +
                                test::shell_quote(folder.path() / "in.safetensors") + " --out " +
                                test::shell_quote(folder.path() / "out.safetensors") + " " + more +
                                " 2>&1";
    WeightsResult result;
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[512];
    while (const size_t count = fread(buffer, 1, sizeof buffer, pipe))
      result.text.append(buffer, count);
    result.code = WEXITSTATUS(pclose(pipe));
    return result;
  }
  SafetensorsFile output() const {
    return SafetensorsFile::open(folder.path() / "out.safetensors");
  }
};

// One prompt of `tokens` tokens, without a cache.
void make_prompt(OpCaseFile& file, int32_t tokens, int64_t heads, int64_t kv_heads,
                 int64_t head_size) {
  file.random("query", {tokens, heads, head_size});
  file.random("key", {tokens, kv_heads, head_size});
  file.random("value", {tokens, kv_heads, head_size});
  file.ints("seq_lens", {1}, {tokens});
  file.ints("query_lens", {1}, {tokens});
}

// A prompt of 32 tokens, of which the first `cached` are in the cache, in blocks of 8.
void make_decoder_case(OpCaseFile& file, int32_t cached = 11, int64_t head_size = 64) {
  make_prompt(file, 32 - cached, 4, 2, head_size);
  file.random("key_cache", {6, 8, 2, head_size});
  file.random("value_cache", {6, 8, 2, head_size});
  file.ints("block_tables", {1, 4}, {5, 0, 2, 3});
  file.ints("seq_lens", {1}, {32});
  const int32_t table[] = {5, 0, 2, 3};
  std::vector<int64_t> slots;
  for (int64_t i = cached; i < 32; ++i) slots.push_back(table[i / 8] * 8 + i % 8);
  file.slots("slot_mapping", slots);
}

void expect_rows_of_one(const Tensor& weights) {
  const int64_t rows = weights.dim(0) * weights.dim(1), keys = weights.dim(2);
  ASSERT_GT(rows * keys, 0);
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t k = 0; k < keys; ++k) sum += weights.data<float>()[row * keys + k];
    ASSERT_NEAR(sum, 1, 1e-5) << "row " << row;
  }
}

void expect_output_from_weights(const OpCaseFile& file, const std::vector<float>& values,
                                int64_t keys, double tolerance) {
  const SafetensorsFile result = file.output();
  const Tensor weights = result.read("weights.0"), out = result.read("output");
  const int64_t rows = out.dim(0), heads = out.dim(1), width = out.dim(2);
  ASSERT_EQ(weights.shape(), (Shape{heads, rows, keys}));
  for (int64_t head = 0; head < heads; ++head) {
    const Eigen::MatrixXd expected =
        test::head_rows(weights.data<float>() + head * rows * keys, rows, 1, keys, 0) *
        test::head_rows(values.data(), keys, 2, width, head / 2);
    ASSERT_LT(test::max_difference(test::head_rows(out, head), expected), tolerance)
        << "head " << head;
  }
}

// The values of all 32 positions: first the 11 in the cache, then the new ones.
std::vector<float> decoder_values(const OpCaseFile& file) {
  std::vector<float> values;
  const float* cache = file.tensors.at("value_cache").data<float>();
  const int32_t table[] = {5, 0, 2, 3};
  for (int64_t i = 0; i < 11; ++i) {
    const float* row = cache + (table[i / 8] * 8 + i % 8) * 128;
    values.insert(values.end(), row, row + 128);
  }
  const auto fresh = file.tensors.at("value").span<float>();
  values.insert(values.end(), fresh.begin(), fresh.end());
  return values;
}

TEST(OpWeights, OfEveryMaskMakeTheOutput) {
  OpCaseFile file;
  make_decoder_case(file);
  const auto run = [&](std::map<std::string, std::string> metadata, const char* backend) {
    file.metadata = std::move(metadata);
    file.metadata["extended"] = "true";
    const WeightsResult result = file.run(std::string("--weights --backend ") + backend);
    ASSERT_EQ(result.code, 0) << result.text;
    expect_output_from_weights(file, decoder_values(file), 32, 2e-5);
  };
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "unified"}) {
    SCOPED_TRACE(backend);
    run({}, backend);
    run({{"sliding_window", "5"}}, backend);
    if (std::string_view(backend) == "xformers") continue;  // xformers refuses a cap
    run({{"logits_soft_cap", "1.5"}}, backend);             // torch_sdpa ignores it
  }
  for (const char* backend : {"reference", "unified"}) {
    run({{"blocksparse_local_blocks", "1"},
         {"blocksparse_vert_stride", "2"},
         {"blocksparse_block_size", "8"},
         {"blocksparse_head_sliding_step", "1"}},
        backend);
    const Tensor weights = file.output().read("weights.0");
    const auto at = [&](int64_t head, int64_t row, int64_t key) {
      return weights.data<float>()[(head * 21 + row) * 32 + key];
    };
    EXPECT_EQ(at(0, 10, 3), 0.0f);
    EXPECT_GT(at(1, 10, 3), 0.0f);
    EXPECT_GT(at(0, 10, 10), 0.0f);  // key 10 is in block 1
  }
  Tensor slopes(DType::kF32, {4});
  std::ranges::copy(standard_alibi_slopes(4), slopes.data<float>());
  file.tensors["alibi_slopes"] = std::move(slopes);
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "unified"}) {
    SCOPED_TRACE(backend);
    run({}, backend);
  }
}

TEST(OpWeights, RowsAddUpToOneOverEveryCache) {
  const std::map<std::string, int> accepted = {
      {"reference", 42}, {"unified", 42}, {"torch_sdpa", 36}, {"xformers", 36}, {"pallas", 6}};
  for (const auto& [backend, count] : accepted) {
    int ran = 0;
    for (const char* cache : {"auto", "f32", "bf16", "f16", "fp8_e4m3", "fp8_e5m2", "int8"})
      for (const DType dtype : {DType::kF32, DType::kBF16})
        for (const int32_t cached : {0, 11, 31}) {
          SCOPED_TRACE(backend + ", cache " + cache + ", query " + std::string(name_of(dtype)) +
                       ", cached " + std::to_string(cached));
          OpCaseFile file;
          make_decoder_case(file, cached, 128);
          for (const char* name : {"query", "key", "value"})
            file.tensors[name] = convert(file.tensors[name], dtype);
          const std::string type = cache;
          if (type == "auto")
            for (const char* name : {"key_cache", "value_cache"})
              file.tensors[name] = convert(file.tensors[name], dtype);
          file.metadata = {{"kv_cache_dtype", cache}, {"extended", "true"}};
          if (type == "int8" || type.starts_with("fp8"))
            file.metadata["k_scale"] = file.metadata["v_scale"] = "0.0625";
          const WeightsResult result = file.run("--weights --threads 1 --backend " + backend);
          if (result.code == 3) continue;
          ASSERT_EQ(result.code, 0) << result.text;
          ++ran;
          expect_rows_of_one(file.output().read("weights.0"));
        }
    EXPECT_EQ(ran, count) << backend;
  }
}

TEST(OpWeights, RowsOfCrossAttentionAddUpToOne) {
  OpCaseFile file;
  make_prompt(file, 13, 4, 2, 64);
  file.random("key", {30, 2, 64});
  file.random("value", {30, 2, 64});
  file.random("key_cache", {4, 8, 2, 64});
  file.random("value_cache", {4, 8, 2, 64});
  file.ints("encoder_seq_lens", {1}, {30});
  file.ints("cross_block_tables", {1, 4}, {0, 1, 2, 3});
  for (const bool written : {true, false}) {
    std::vector<int64_t> slots(30, -1);
    for (size_t i = 0; written && i < slots.size(); ++i) slots[i] = static_cast<int64_t>(i);
    file.slots("cross_slot_mapping", slots);
    for (const char* backend : {"reference", "torch_sdpa", "xformers", "unified"})
      for (const char* cache : {"auto", "bf16"}) {
        SCOPED_TRACE(std::string(backend) + ", cache " + cache);
        file.metadata = {
            {"attn_type", "ENCODER_DECODER"}, {"kv_cache_dtype", cache}, {"extended", "true"}};
        const WeightsResult result = file.run(std::string("--weights --backend ") + backend);
        ASSERT_EQ(result.code, 0) << result.text;
        expect_rows_of_one(file.output().read("weights.0"));
      }
  }
}

TEST(OpCross, PrefillsAreThoseWhoseEncoderTokensAreThere) {
  OpCaseFile file;
  file.random("key_cache", {8, 8, 2, 64});
  file.random("value_cache", {8, 8, 2, 64});
  file.ints("encoder_seq_lens", {2}, {30, 20});
  file.ints("cross_block_tables", {2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  file.metadata = {
      {"attn_type", "ENCODER_DECODER"}, {"backend", "reference"}, {"num_kv_heads", "2"}};
  const auto ran = [&](const std::vector<int32_t>& query_lens, const std::vector<int32_t>& seq_lens,
                       int64_t key_rows) {
    file.random("query", {query_lens[0] + query_lens[1], 4, 64});
    file.ints("query_lens", {2}, query_lens);
    file.ints("seq_lens", {2}, seq_lens);
    for (const char* name : {"key", "value", "cross_slot_mapping"}) file.tensors.erase(name);
    if (key_rows > 0) {
      file.random("key", {key_rows, 2, 64});
      file.random("value", {key_rows, 2, 64});
      file.slots("cross_slot_mapping", std::vector<int64_t>(static_cast<size_t>(key_rows), -1));
    }
    return file.run("--weights");
  };
  const auto counts = [&](const WeightsResult& result) {
    EXPECT_EQ(result.code, 0) << result.text;
    const size_t from = result.text.find("KV heads, "), to = result.text.find(" sequences");
    return from < to && to != std::string::npos ? result.text.substr(from + 10, to - from - 10)
                                                : result.text;
  };
  EXPECT_EQ(counts(ran({3, 2}, {3, 2}, 50)), "2 prefill and 0 decode");
  EXPECT_EQ(counts(ran({1, 1}, {1, 1}, 50)), "2 prefill and 0 decode");
  EXPECT_EQ(counts(ran({3, 1}, {3, 5}, 30)), "1 prefill and 1 decode");
  EXPECT_EQ(counts(ran({1, 1}, {1, 5}, 30)), "1 prefill and 1 decode");
  EXPECT_EQ(counts(ran({3, 1}, {3, 5}, 0)), "1 prefill and 1 decode");
  EXPECT_EQ(counts(ran({1, 1}, {4, 5}, 0)), "0 prefill and 2 decode");
  const WeightsResult odd = ran({3, 1}, {3, 5}, 31);
  EXPECT_EQ(odd.code, 2) << odd.text;
  EXPECT_THAT(odd.text, HasSubstr("found 31, allowed 50"));
}

TEST(OpWeights, OfEncodersAndCrossAttentionMakeTheOutput) {
  OpCaseFile file;
  make_prompt(file, 13, 4, 2, 64);
  const auto values = [&] {
    const auto span = file.tensors.at("value").span<float>();
    return std::vector<float>(span.begin(), span.end());
  };
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "unified"})
    for (const char* type : {"ENCODER", "ENCODER_ONLY"}) {
      SCOPED_TRACE(std::string(backend) + type);
      file.metadata = {{"attn_type", type}};
      const WeightsResult result = file.run(std::string("--weights --backend ") + backend);
      ASSERT_EQ(result.code, 0) << result.text;
      expect_output_from_weights(file, values(), 13, 2e-5);
    }
  // 13 queries and 30 encoder keys, which are written to blocks 2, 0, 3 and 1.
  file.random("key", {30, 2, 64});
  file.random("value", {30, 2, 64});
  file.random("key_cache", {4, 8, 2, 64});
  file.random("value_cache", {4, 8, 2, 64});
  file.ints("encoder_seq_lens", {1}, {30});
  file.ints("cross_block_tables", {1, 4}, {2, 0, 3, 1});
  const int32_t table[] = {2, 0, 3, 1};
  std::vector<int64_t> slots;
  for (int64_t i = 0; i < 30; ++i) slots.push_back(table[i / 8] * 8 + i % 8);
  file.slots("cross_slot_mapping", slots);
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "unified"}) {
    SCOPED_TRACE(backend);
    file.metadata = {{"attn_type", "ENCODER_DECODER"}};
    const WeightsResult result = file.run(std::string("--weights --backend ") + backend);
    ASSERT_EQ(result.code, 0) << result.text;
    expect_output_from_weights(file, values(), 30, 2e-5);
  }
}

TEST(OpWeights, Int8CachesTakeScalesPerHead) {
  OpCaseFile file;
  make_decoder_case(file);
  Tensor k_scale(DType::kF32, {2}), v_scale(DType::kF32, {2});
  k_scale.data<float>()[0] = v_scale.data<float>()[1] = 0.03125f;
  k_scale.data<float>()[1] = v_scale.data<float>()[0] = 0.0625f;
  file.tensors["k_scale"] = convert(k_scale, DType::kF32);
  file.tensors["v_scale"] = convert(v_scale, DType::kF32);
  file.metadata = {{"kv_cache_dtype", "int8"}};
  Tensor first;
  for (const char* backend : {"reference", "unified"}) {
    const WeightsResult result = file.run(std::string("--weights --backend ") + backend);
    ASSERT_EQ(result.code, 0) << result.text;
    const Tensor keys = file.output().read("key_cache"), values = file.output().read("value_cache");
    ASSERT_EQ(keys.dtype(), DType::kI8);
    // Position 20 is new row 9, in slot 2 * 8 + 4.
    for (int64_t head = 0; head < 2; ++head)
      for (int64_t d = 0; d < 64; ++d) {
        const float key = file.tensors["key"].data<float>()[(9 * 2 + head) * 64 + d];
        EXPECT_EQ(keys.data<int8_t>()[(20 * 2 + head) * 64 + d],
                  to_i8(key / k_scale.data<float>()[head]));
        const float value = file.tensors["value"].data<float>()[(9 * 2 + head) * 64 + d];
        EXPECT_EQ(values.data<int8_t>()[(20 * 2 + head) * 64 + d],
                  to_i8(value / v_scale.data<float>()[head]));
      }
  }
  const auto refused = [&](int code, const char* words) {
    const WeightsResult result = file.run("--backend unified");
    EXPECT_EQ(result.code, code) << result.text;
    EXPECT_THAT(result.text, HasSubstr(words));
  };
  file.metadata = {{"kv_cache_dtype", "fp8"}};
  refused(3, "are possible only in int8 caches");
  file.metadata = {{"kv_cache_dtype", "int8"}, {"k_scale", "2"}};
  refused(2, "a scale is given twice");
  file.metadata = {{"kv_cache_dtype", "int8"}};
  file.tensors["k_scale"] = Tensor(DType::kF32, {3});
  refused(2, "[2]");
  file.tensors["k_scale"] = Tensor(DType::kF32, {2});  // both scales are 0
  refused(2, "a scale is out of range");
}

TEST(OpWeights, HeadsArePaddedWhenAsked) {
  OpCaseFile file;
  make_decoder_case(file, 11, 48);
  ASSERT_EQ(file.run("--backend reference").code, 0);
  const SafetensorsFile reference = file.output();
  const Tensor expected = reference.read("output"), keys = reference.read("key_cache");
  const std::map<std::string, std::string> padded = {
      {"torch_sdpa", "64"}, {"xformers", "64"}, {"pallas", "128"}};
  for (const auto& [backend, size] : padded) {
    SCOPED_TRACE(backend);
    const WeightsResult refused = file.run("--backend " + backend);
    EXPECT_EQ(refused.code, 3) << refused.text;
    EXPECT_THAT(
        refused.text,
        HasSubstr("pad_head_size (Head padding in the window), heads are padded with zeros to " +
                  size));
    for (const bool by_key : {false, true}) {
      file.metadata = {{"pad_head_size", by_key ? "true" : "false"}, {"extended", "true"}};
      const WeightsResult result =
          file.run("--weights --backend " + backend + (by_key ? "" : " --pad-head-size"));
      ASSERT_EQ(result.code, 0) << result.text;
      EXPECT_THAT(result.text, HasSubstr("note: Heads are padded with zeros to " + size));
      EXPECT_THAT(result.text, HasSubstr("times as large as it would be with heads of 48"));
      const SafetensorsFile found = file.output();
      const Tensor out = found.read("output"), cache = found.read("key_cache");
      ASSERT_EQ(out.shape(), expected.shape());
      for (int64_t i = 0; i < out.size(); ++i)
        ASSERT_NEAR(out.data<float>()[i], expected.data<float>()[i], 1e-5) << i;
      ASSERT_EQ(cache.shape(), keys.shape());
      EXPECT_EQ(std::memcmp(cache.raw(), keys.raw(), keys.bytes()), 0);
      expect_rows_of_one(found.read("weights.0"));
    }
    file.metadata = {};
  }
  EXPECT_EQ(file.run("--backend unified --pad-head-size").code, 0);
}

TEST(OpWeights, PaddedHeadsGoThroughCapturedPlans) {
  OpCaseFile file;
  make_decoder_case(file, 31, 48);
  ASSERT_EQ(file.run("--backend reference").code, 0);
  const Tensor expected = file.output().read("output");
  file.metadata = {{"use_captured_plan", "true"}};
  const std::filesystem::path trace = file.folder.path() / "trace.json";
  const std::string more = "--pad-head-size --trace " + test::shell_quote(trace) + " --backend ";
  const WeightsResult result = file.run(more + "xformers");
  ASSERT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("captured plan of 1 row"));
  EXPECT_THAT(test::read_file(trace), HasSubstr("plan_captured"));
  const Tensor out = file.output().read("output");
  for (int64_t i = 0; i < out.size(); ++i)
    ASSERT_NEAR(out.data<float>()[i], expected.data<float>()[i], 1e-5) << i;
  for (const char* backend : {"pallas", "reference"}) {
    const WeightsResult without = file.run(more + backend);
    EXPECT_EQ(without.code, 0) << without.text;
    EXPECT_THAT(without.text,
                HasSubstr("has no captured plans, so use_captured_plan has no effect."));
    EXPECT_THAT(test::read_file(trace), testing::Not(HasSubstr("plan_captured")));
  }
}

TEST(OpWeights, ScalesThatLeaveOnlyZerosAreTold) {
  OpCaseFile file;
  make_decoder_case(file);
  for (const char* dtype : {"fp8_e4m3", "fp8_e5m2", "int8"}) {
    file.metadata = {{"kv_cache_dtype", dtype}, {"k_scale", "1e30"}, {"v_scale", "0.0625"}};
    for (const char* backend : {"reference", "unified"}) {
      const WeightsResult result = file.run(std::string("--backend ") + backend);
      ASSERT_EQ(result.code, 0) << result.text;
      EXPECT_THAT(
          result.text,
          HasSubstr(
              "note: 2688 of 2688 nonzero numbers of the keys were rounded to 0"));  // 21 tokens x
                                                                                     // 2 heads x 64
      EXPECT_THAT(result.text, HasSubstr("(k_scale) is too large"));
      EXPECT_THAT(result.text, testing::Not(HasSubstr("v_scale")));
    }
    file.metadata["k_scale"] = "0.0625";
    EXPECT_THAT(file.run("--backend unified").text, testing::Not(HasSubstr("too large")));
  }
}

TEST(OpWeights, BlockSparseKeysAreChecked) {
  OpCaseFile file;
  make_decoder_case(file);
  const auto run = [&](const char* key, const char* value, const char* backend) {
    file.metadata = {{key, value}};
    return file.run(std::string("--backend ") + backend);
  };
  EXPECT_EQ(run("blocksparse_local_blocks", "2", "unified").code, 0);
  EXPECT_EQ(run("blocksparse_local_blocks", "2", "torch_sdpa").code, 3);
  EXPECT_EQ(run("blocksparse_local_blocks", "0", "unified").code, 2);
  EXPECT_EQ(run("blocksparse_vert_stride", "many", "unified").code, 2);
  EXPECT_EQ(run("blocksparse_head_sliding_step", "-1", "unified").code, 2);
  EXPECT_THAT(run("blocksparse_vert_strid", "2", "unified").text,
              HasSubstr("Did you mean `blocksparse_vert_stride`?"));
}

TEST(OpWeights, PallasTellsItsModelledTime) {
  OpCaseFile file;
  make_prompt(file, 200, 2, 2, 128);
  std::map<std::string, double> us;
  for (const char* tpu : {"v4", "v5e", "v6e"}) {
    file.metadata = {{"tpu", tpu}};
    const WeightsResult result = file.run("--weights --backend pallas");
    ASSERT_EQ(result.code, 0) << result.text;
    EXPECT_THAT(result.text, HasSubstr(std::string("On a TPU ") + tpu + ": "));
    EXPECT_THAT(result.text, HasSubstr("us (modelled, not measured; bf16)"));
    const auto notes = file.output().metadata();
    const auto found = notes.find(std::string("modelled_tpu_") + tpu + "_us");
    ASSERT_NE(found, notes.end());
    us[tpu] = std::stod(found->second);
  }
  // 2 heads, query blocks of 128 and 80 rows (200 padded to 208): 3 grid steps per head, on one
  // core of 819 GB/s. Bytes: rows of k and v per step, of q and out once per query block, in bf16.
  const double bytes = 2 * 256.0 * (2 * 128 + 2 * 128 + 2 * 128 + 2 * 80 + 2 * 80);
  EXPECT_NEAR(us["v5e"], bytes / 819e3, 1e-6 * us["v5e"]);
  EXPECT_GT(us["v5e"], us["v6e"]);
  file.metadata = {{"tpu", "v7"}};
  EXPECT_EQ(file.run("--backend pallas").code, 2);
  file.metadata = {{"tpu", "v3"}};
  EXPECT_EQ(file.run("--backend pallas").code, 3);
  file.metadata = {};
  EXPECT_EQ(file.run("--backend reference").text.find("modelled"), std::string::npos);
}

}  // namespace
}  // namespace attn
