// SPDX-License-Identifier: GPL-3.0-or-later
// `attn op` as a program: what its input must look like, what is refused, and what it prints. Also
// captured plans, and caches of fp8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "engine/model/files/safetensors.h"
#include "tests/engine/session/attn_program.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

using test::attn_program;
using test::read_file;
using testing::HasSubstr;
using testing::Not;
using Result = test::ProgramResult;

class OpFile {
 public:
  OpFile()
      : query(DType::kF32, {3, 2, 32}),
        key(DType::kF32, {3, 1, 32}),
        cache(DType::kF32, {2, 8, 1, 32}),
        slots(DType::kI64, {3}),
        tables(DType::kI32, {1, 1}),
        seq_lens(DType::kI32, {1}),
        query_lens(DType::kI32, {1}) {
    for (int64_t i = 0; i < 3; ++i) slots.data<int64_t>()[i] = i;
    seq_lens.data<int32_t>()[0] = query_lens.data<int32_t>()[0] = 3;
  }
  Result run(std::vector<std::string> more = {}) const {
    std::vector<NamedTensor> tensors = {{"query", &query},
                                        {"key", &key},
                                        {"value", &key},
                                        {"slot_mapping", &slots},
                                        {"block_tables", &tables},
                                        {"seq_lens", &seq_lens},
                                        {"query_lens", &query_lens},
                                        {"key_cache", &cache},
                                        {"value_cache", values.empty() ? &cache : &values}};
    std::erase_if(tensors, [&](const NamedTensor& tensor) {
      const bool of_cache = tensor.name.ends_with("_cache") || tensor.name == "slot_mapping" ||
                            tensor.name == "block_tables";
      return tensor.name == without || (cache.shape().empty() && of_cache);
    });
    if (!extra.empty()) tensors.push_back({extra, &query_lens});
    if (slopes.size() > 0) tensors.push_back({"alibi_slopes", &slopes});
    write_safetensors(folder.path() / "in.safetensors", tensors, metadata);
    std::vector<std::string> words = {"op", "--in", folder.path() / "in.safetensors", "--out",
                                      folder.path() / "out.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    return attn_program(words);
  }
  test::TemporaryFolder folder;
  Tensor query, key, cache, slots, tables, seq_lens, query_lens, slopes;
  Tensor values;  // value_cache, if it is not the same as key_cache
  std::map<std::string, std::string> metadata;
  std::string without, extra;
};

void expect_bad(const Result& result, const std::string& word) {
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr(word));
}

TEST(OpInput, LimitsOfNumbersFitTheRefusal) {
  OpFile file;
  file.metadata["scale"] = "1e-50";
  EXPECT_THAT(file.run().err,
              HasSubstr("value is too small for a 32-bit float at in.safetensors, "
                        "__metadata__.scale: found `1e-50`, allowed 0, or a number from "));
  file.metadata["scale"] = "1e50";
  EXPECT_THAT(file.run().err, HasSubstr("allowed a number from -1000000 to 1000000"));
  file.metadata["scale"] = "1";
  file.metadata["block_size"] = "1.5";
  EXPECT_THAT(file.run().err, HasSubstr("found `1.5`, allowed a whole number from 1 to 1048576"));
}

TEST(CliOpInput, AnArrayIsToldWhatOpReads) {
  const test::TemporaryFolder folder;
  test::write_npy(folder.path() / "q.npy", Tensor(DType::kF32, {2, 4, 8}));
  const Result result =
      attn_program({"op", "--in", folder.path() / "q.npy", "--out", folder.path() / "out"});
  expect_bad(result, "NumPy .npy");
  EXPECT_THAT(result.err, HasSubstr("one safetensors file that has the tensors of the call"));
  EXPECT_THAT(result.err, Not(HasSubstr("weights")));
}

TEST(CliOpInput, ChecksEverything) {
  EXPECT_EQ(OpFile().run().code, 0);
  const auto with = [](const std::string& key, const std::string& value) {
    OpFile file;
    file.metadata[key] = value;
    return file.run();
  };
  for (const char* key : {"scale", "block_size", "num_kv_heads", "num_prefills", "sliding_window",
                          "logits_soft_cap", "k_scale"})
    expect_bad(with(key, "nonsense"), key);
  expect_bad(with("scale", "nan"), "scale");
  expect_bad(with("attn_type", "DECODE"), "attn_type");
  expect_bad(with("sdpa_kernel", "flush"), "sdpa_kernel");
  expect_bad(with("extended", "perhaps"), "extended");
  expect_bad(with("kv_cache_dtype", "f33"), "kv_cache_dtype");
  expect_bad(with("blok_size", "8"), "block_size");
  expect_bad(with("block_size", "16"), "key_cache");
  expect_bad(with("num_kv_heads", "2"), "num_kv_heads");
  expect_bad(with("num_prefills", "0"), "num_prefills");
  expect_bad(with("backend", "torch_spda"), "torch_sdpa");
  for (const char* name :
       {"query", "key", "slot_mapping", "seq_lens", "query_lens", "value_cache"}) {
    OpFile file;
    file.without = name;
    EXPECT_EQ(file.run().code, 2) << name;
  }
  OpFile file;
  file.extra = "slot_maping";
  expect_bad(file.run(), "slot_mapping");
  file.extra = "expected.output";
  EXPECT_EQ(file.run().code, 0);
  file.slots.data<int64_t>()[1] = 16;
  expect_bad(file.run(), "slot");
  file.slots.data<int64_t>()[1] = -1;
  expect_bad(file.run(), "slot -1");
  file.slots.data<int64_t>()[1] = 9;
  const Result elsewhere = file.run();
  expect_bad(elsewhere, "slot 9");
  expect_bad(elsewhere, "allowed slot 1: ");
  file.slots.data<int64_t>()[1] = 2;
  expect_bad(file.run(), "slot_mapping[2]");
  file.slots.data<int64_t>()[1] = 1;
  file.tables.data<int32_t>()[0] = 2;
  expect_bad(file.run(), "block");
  file.tables.data<int32_t>()[0] = 0;
  file.seq_lens.data<int32_t>()[0] = 9;
  expect_bad(file.run(), "block");
  file.seq_lens.data<int32_t>()[0] = 2;
  expect_bad(file.run(), "seq_len");
  file.query_lens.data<int32_t>()[0] = 2;
  expect_bad(file.run(), "query_lens");
}

TEST(CliOpInput, NoAxisMayBeEmptyOrShort) {
  for (const Shape& shape : {Shape{2, 0, 1, 32}, Shape{0, 8, 1, 32}}) {
    OpFile file;
    file.cache = Tensor(DType::kF32, shape);
    expect_bad(file.run(), "no slots");
  }
  for (const char* type : {"DECODER", "ENCODER", "ENCODER_ONLY"}) {
    OpFile file;
    file.key = Tensor(DType::kF32, {1, 1, 32});
    file.metadata = {{"attn_type", type}, {"backend", "reference"}};
    expect_bad(file.run(), "tensor `key`");
  }
  OpFile file;
  file.slopes = Tensor(DType::kF32, {2});
  file.slopes.data<float>()[1] = std::numeric_limits<float>::infinity();
  expect_bad(file.run(), "ALiBi slope");
}

TEST(CliOpInput, WithoutACacheAllArePrefills) {
  for (const char* type : {"DECODER", "ENCODER_ONLY"}) {
    OpFile file;
    file.query = Tensor(DType::kF32, {1, 2, 32});
    file.key = Tensor(DType::kF32, {1, 1, 32});
    file.cache = Tensor();
    file.seq_lens.data<int32_t>()[0] = file.query_lens.data<int32_t>()[0] = 1;
    file.metadata = {{"attn_type", type}, {"backend", "reference"}};
    const Result result = file.run();
    EXPECT_EQ(result.code, 0) << type << result.err;
  }
}

TEST(CliOpInput, BatchesOnlyAsTheBackendRunsThem) {
  OpFile file;
  file.cache = Tensor(DType::kF32, {3, 8, 1, 32});
  file.tables = Tensor(DType::kI32, {2, 2});
  file.seq_lens = Tensor(DType::kI32, {2});
  file.query_lens = Tensor(DType::kI32, {2});
  const auto set = [&](std::vector<int> tables, std::vector<int> seq, std::vector<int> query,
                       std::vector<int> slots) {
    std::ranges::copy(tables, file.tables.data<int32_t>());
    std::ranges::copy(seq, file.seq_lens.data<int32_t>());
    std::ranges::copy(query, file.query_lens.data<int32_t>());
    std::ranges::copy(slots, file.slots.data<int64_t>());
  };
  set({0, 0, 1, 2}, {2, 10}, {2, 1}, {0, 1, 17});
  Result result = file.run();
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("in one call, not both"));
  EXPECT_EQ(file.run({"--backend", "reference"}).code, 0);
  set({0, 0, 1, 2}, {2, 10}, {1, 2}, {1, 16, 17});
  for (const char* rule : {"", "window", "ALiBi"}) {
    SCOPED_TRACE(rule);
    file.metadata = {};
    if (rule == std::string_view("window")) file.metadata["sliding_window"] = "4";
    file.slopes = rule == std::string_view("ALiBi") ? Tensor(DType::kF32, {2}) : Tensor();
    result = file.run();
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("prefix decoding"));
    EXPECT_EQ(file.run({"--backend", "reference"}).code, 0);
    file.metadata["extended"] = "true";
    EXPECT_EQ(file.run().code, 0);
  }
}

TEST(CliOpInput, RefusalsExitWith3AndSaySo) {
  OpFile file;
  file.metadata["kv_cache_dtype"] = "fp8";
  Result result = file.run();
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("fp8"));
  file.metadata = {{"sliding_window", "2"}};
  EXPECT_EQ(file.run({"--weights"}).code, 0);
  file.metadata = {{"logits_soft_cap", "2"}};
  EXPECT_EQ(file.run({"--weights", "--backend", "reference"}).code, 0);
  for (const auto& [key, value] :
       {std::pair{"k_scale", "2"}, std::pair{"v_scale", "0.5"},
        std::pair{"use_captured_plan", "true"}, std::pair{"kv_cache_dtype", "int8"}}) {
    file.metadata = {{key, value}};
    result = file.run();
    EXPECT_EQ(result.code, 3) << key << result.err;
  }
}

TEST(CliOpInput, SaysInOneLineWhatRan) {
  const OpFile file;
  const Result result = file.run();
  EXPECT_EQ(result.out,
            "TORCH_SDPA ran DECODER attention: query f32 [3, 2, 32], 1 KV head, 1 prefill and 0 "
            "decode sequences, cache f32 of 2 blocks x 8 tokens; result in " +
                (file.folder.path() / "out.safetensors").string() + "\n");
}

TEST(CliOpInput, EncodersNeedNoCache) {
  OpFile file;
  for (const char* backend : {"torch_sdpa", "reference"}) {
    file.metadata = {{"attn_type", "ENCODER"}, {"backend", backend}};
    const Result result = file.run();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("ran ENCODER attention"));
  }
  file.seq_lens.data<int32_t>()[0] = 5;
  expect_bad(file.run(), "an encoder cannot have cached tokens");
}

TEST(CliOpInput, EncoderTensorsAreOfTheirTypes) {
  OpFile file;
  for (const char* name : {"encoder_seq_lens", "cross_slot_mapping", "cross_block_tables"}) {
    file.extra = name;
    expect_bad(file.run(), name);
    expect_bad(file.run(), "attn_type DECODER");
  }
  file.extra = "attn_bias";  // one axis instead of three
  expect_bad(file.run(), "3 axes");
}

TEST(CliOpInput, CrossAttentionNamesWhatIsMissing) {
  OpFile file;
  file.metadata = {{"attn_type", "ENCODER_DECODER"}};
  const Result result = file.run();
  expect_bad(result,
             "no encoder_seq_lens, num_encoder_tokens, max_encoder_seq_len, "
             "cross_slot_mapping, cross_block_tables");
}

TEST(CliOpInput, CapturedPlansGiveTheSameBits) {
  OpFile file;
  file.cache = Tensor(DType::kF32, {3, 8, 1, 32});
  for (int64_t i = 0; i < file.cache.size(); ++i)
    file.cache.data<float>()[i] = static_cast<float>(i * 37 % 101) / 50.0f - 1.0f;
  for (int64_t i = 0; i < file.query.size(); ++i)
    file.query.data<float>()[i] = static_cast<float>(i * 29 % 97) / 48.0f - 1.0f;
  file.tables = Tensor(DType::kI32, {3, 1});
  file.seq_lens = Tensor(DType::kI32, {3});
  file.query_lens = Tensor(DType::kI32, {3});
  for (int32_t s = 0; s < 3; ++s) {
    file.tables.data<int32_t>()[s] = 2 - s;
    file.seq_lens.data<int32_t>()[s] = 3;
    file.query_lens.data<int32_t>()[s] = 1;
    file.slots.data<int64_t>()[s] = (2 - s) * 8 + 2;
  }
  const auto output = [&](const char* captured) {
    file.metadata = {{"use_captured_plan", captured}, {"num_prefills", "0"}};
    const Result result = file.run();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out.find("captured plan of 4 rows") != std::string::npos,
              std::string_view(captured) == "true");
    return SafetensorsFile::open(file.folder.path() / "out.safetensors").read("output");
  };
  const Tensor without = output("false"), with = output("true");
  ASSERT_EQ(with.shape(), without.shape());
  EXPECT_EQ(std::memcmp(with.raw(), without.raw(), with.bytes()), 0);
  EXPECT_NE(with.data<float>()[0], 0.0f);
}

TEST(CliOpInput, NumbersThatAreNotFiniteAreTold) {
  OpFile file;
  Result result = file.run();
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("not finite")));
  for (int64_t i = 0; i < file.query.size(); ++i)
    file.query.data<float>()[i] = std::numeric_limits<float>::infinity();
  result = file.run();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(
      result.err,
      HasSubstr(
          "numbers of the output are NaN or infinite, the first one in row 0, head 0, element 0"));
}

TEST(CliOpInput, Fp8CachesKeepTheirCodes) {
  OpFile file;
  for (int64_t i = 0; i < file.key.size(); ++i) file.key.data<float>()[i] = 0.5f;
  file.key.data<float>()[0] = 1000.0f;  // 2000 after division by the scale: beyond 448
  file.cache.data<float>()[3 * 32] = 1.5f;
  file.metadata = {{"kv_cache_dtype", "fp8_e4m3"},
                   {"extended", "true"},
                   {"k_scale", "0.5"},
                   {"v_scale", "0.25"}};
  for (const char* backend : {"torch_sdpa", "reference"}) {
    const Result result = file.run({"--backend", backend});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("2 values were outside the range of the fp8_e4m3 cache"));
    const auto found = SafetensorsFile::open(file.folder.path() / "out.safetensors");
    const Tensor keys = found.read("key_cache"), values = found.read("value_cache");
    ASSERT_EQ(keys.dtype(), DType::kF8E4M3);
    EXPECT_EQ(to_f32(keys.data<Float8E4M3>()[0]), 448);
    EXPECT_EQ(to_f32(keys.data<Float8E4M3>()[1]), 1);    // 0.5 / 0.5
    EXPECT_EQ(to_f32(values.data<Float8E4M3>()[1]), 2);  // 0.5 / 0.25
    // The input cache holds plain numbers: 1.5 is stored as 1.5 / 0.5 in the keys and as 1.5 / 0.25
    // in the values.
    EXPECT_EQ(to_f32(keys.data<Float8E4M3>()[3 * 32]), 3);
    EXPECT_EQ(to_f32(values.data<Float8E4M3>()[3 * 32]), 6);
  }
}

TEST(CliOpInput, EachCacheIsReadByItsOwnType) {
  constexpr int64_t kAt = 3 * 32;  // of a slot that the call does not write
  OpFile file;
  file.metadata = {{"kv_cache_dtype", "fp8_e4m3"}, {"k_scale", "0.5"}, {"v_scale", "0.25"}};
  file.cache.data<float>()[kAt] = 1.5f;
  file.values = Tensor(DType::kF8E4M3, file.cache.shape());
  file.values.data<Float8E4M3>()[kAt] = from_f32<Float8E4M3>(1.5f);
  for (const bool are_keys_codes : {false, true}) {
    if (are_keys_codes) std::swap(file.cache, file.values);
    const Result result = file.run({"--backend", "reference"});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto found = SafetensorsFile::open(file.folder.path() / "out.safetensors");
    const Tensor keys = found.read("key_cache"), values = found.read("value_cache");
    EXPECT_EQ(to_f32(keys.data<Float8E4M3>()[kAt]), are_keys_codes ? 1.5f : 3.0f);
    EXPECT_EQ(to_f32(values.data<Float8E4M3>()[kAt]), are_keys_codes ? 6.0f : 1.5f);
  }
}

TEST(CliOpInput, OutputsReplaceNeitherTheInputNorEachOther) {
  namespace fs = std::filesystem;
  const OpFile file;
  const fs::path folder = file.folder.path(), in = folder / "in.safetensors";
  ASSERT_EQ(file.run().code, 0);
  const std::string before = read_file(in);
  fs::create_symlink(in, folder / "link.safetensors");
  fs::create_hard_link(in, folder / "hard.safetensors");
  fs::create_symlink(folder / "new.safetensors", folder / "to-new.safetensors");
  const auto refuse = [&](const std::vector<std::string>& more, const char* words) {
    std::vector<std::string> all = {"op", "--in", in};
    all.insert(all.end(), more.begin(), more.end());
    const Result result = attn_program(all);
    expect_bad(result, words);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(read_file(in), before);
    EXPECT_FALSE(fs::exists(folder / "new.safetensors"));
  };
  const std::string name = in.filename();
  for (const fs::path& out : {in, folder / "." / name, folder / ".." / folder.filename() / name,
                              folder / "link.safetensors", folder / "hard.safetensors"}) {
    SCOPED_TRACE(out);
    refuse({"--out", out}, "--out and --in name the same file");
    refuse({"--out", folder / "new.safetensors", "--trace", out},
           "--trace and --in name the same file");
  }
  for (const char* trace : {"new.safetensors", "to-new.safetensors"})
    refuse({"--out", folder / "new.safetensors", "--trace", folder / trace},
           "--trace and --out name the same file");
}

TEST(CliOpInput, UnwritableResultFails) {
  const OpFile file;
  EXPECT_EQ(file.run().code, 0);
  const Result result = attn_program(
      {"op", "--in", file.folder.path() / "in.safetensors", "--out", "/no/such/folder/out"});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("/no/such/folder/out"));
}

}  // namespace
}  // namespace attn
