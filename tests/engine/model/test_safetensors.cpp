// SPDX-License-Identifier: GPL-3.0-or-later
// Safetensors files and sharded weights: what is read, written and refused. Prefixes and flipped
// bits of a good file cause no crash.
#include "engine/model/files/safetensors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <limits>

#include "engine/model/files/weight_files.h"
#include "engine/model/tokenizer/text_file.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::string with_length(uint64_t length, const std::string& rest) {
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out + rest;
}

std::string file_of(const std::string& header, size_t data_bytes) {
  return with_length(header.size(), header + std::string(data_bytes, '\1'));
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  ASSERT_TRUE(out.good());
}

class Safetensors : public testing::Test {
 protected:
  fs::path path() const { return folder_.path / "x.safetensors"; }
  SafetensorsFile open(const std::string& bytes) const {
    write(path(), bytes);
    return SafetensorsFile::open(path());
  }
  void refused(const std::string& bytes, const Refusal& expected) const {
    write(path(), bytes);
    expect_refused(expected, [&] { SafetensorsFile::open(path()); });
  }
  std::string advice_for(const std::string& head) const {
    write(path(), head + std::string(100, 'x'));
    const auto error = error_of([&] { SafetensorsFile::open(path()); });
    return error ? error->parts().advice : "not refused";
  }
  ScratchFolder folder_;
};

TEST_F(Safetensors, WrittenFilesComeBack) {
  Tensor f32(DType::kF32, {2, 3}), bf16(DType::kBF16, {5}), i64(DType::kI64, {}),
      empty(DType::kF16, {0, 4}), flags(DType::kBool, {3});
  for (int i = 0; i < 6; ++i) f32.data<float>()[i] = static_cast<float>(i) - 2.5f;
  for (int i = 0; i < 5; ++i) bf16.data<BFloat16>()[i] = to_bf16(static_cast<float>(i));
  i64.data<int64_t>()[0] = -7;
  static_cast<uint8_t*>(flags.raw())[1] = 1;
  const std::string odd = "odd \"name\" \\ é\n";
  write_safetensors(
      path(), {{"f32", &f32}, {odd, &bf16}, {"scalar", &i64}, {"empty", &empty}, {"flags", &flags}},
      {{"format", "pt"}, {"note", "a \"quote\""}});
  const auto file = SafetensorsFile::open(path());
  EXPECT_EQ(file.tensors().size(), 5u);
  EXPECT_EQ(file.metadata().at("note"), "a \"quote\"");
  for (const auto& [name, tensor] : {std::pair<std::string, const Tensor*>{"f32", &f32},
                                     {odd, &bf16},
                                     {"scalar", &i64},
                                     {"empty", &empty},
                                     {"flags", &flags}}) {
    const Tensor got = file.read(name);
    EXPECT_EQ(got.dtype(), tensor->dtype());
    EXPECT_EQ(got.shape(), tensor->shape());
    ASSERT_EQ(got.bytes(), tensor->bytes());
    EXPECT_TRUE(got.empty() || std::memcmp(got.raw(), tensor->raw(), got.bytes()) == 0) << name;
  }
  EXPECT_EQ(fs::file_size(path()) % 8, (24 + 10 + 8 + 3) % 8u)
      << "the data begins at a multiple of 8";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path), {}), 1)
      << "no temporary file is left";
  EXPECT_EQ(file.find("f33"), nullptr);
  expect_refused({kBad, "tensor is missing", "x.safetensors", "\"f33\"", "5 tensors"},
                 [&] { file.read("f33"); });
}

TEST_F(Safetensors, WritingReplacesOrFailsAsAWhole) {
  Tensor a(DType::kF32, {4}), b(DType::kF32, {8});
  write_safetensors(path(), {{"a", &a}}, {});
  write_safetensors(path(), {{"b", &b}}, {});
  EXPECT_NE(SafetensorsFile::open(path()).find("b"), nullptr);
  expect_refused({ErrorCode::kFailed, "cannot write the file", "nowhere", "", ""}, [&] {
    write_safetensors(folder_.path / "nowhere" / "x", {{"a", &a}}, {});
  });
  fs::create_directory(folder_.path / "taken");
  expect_refused({ErrorCode::kFailed, "cannot write the file", "taken", "", ""}, [&] {
    write_safetensors(folder_.path / "taken", {{"a", &a}}, {});
  });
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path), {}), 2)
      << "no temporary file is left";
  expect_refused({kBad, "name", "", "\"a\"", "once"}, [&] {
    write_safetensors(path(), {{"a", &a}, {"a", &b}}, {});
  });
  expect_refused({kBad, "name", "", "__metadata__", ""}, [&] {
    write_safetensors(path(), {{"__metadata__", &a}}, {});
  });
  expect_refused({kBad, "UTF-8", "", "\\xFF", ""}, [&] {
    write_safetensors(path(), {{"\xff", &a}}, {});
  });
  EXPECT_NE(SafetensorsFile::open(path()).find("b"), nullptr);
}

TEST_F(Safetensors, RefusesWhatIsNoFile) {
  expect_refused({kBad, "cannot be opened", "nowhere", "", ""},
                 [&] { SafetensorsFile::open(folder_.path / "nowhere"); });
  expect_refused({kBad, "not a file", "", "folder", ""},
                 [&] { SafetensorsFile::open(folder_.path); });
  ASSERT_EQ(::mkfifo((folder_.path / "fifo").c_str(), 0600), 0);
  expect_refused({kBad, "not a file", "fifo", "", ""},
                 [&] { SafetensorsFile::open(folder_.path / "fifo"); });
}

TEST_F(Safetensors, RefusesHeadersOutOfBounds) {
  refused("", {kBad, "too short", "x.safetensors, byte 0", "0 bytes", "8 bytes"});
  refused("1234567", {kBad, "too short", "byte 0", "7 bytes", "8 bytes"});
  refused(with_length(0, ""), {kBad, "does not start with {", "byte 8", "empty", "{"});
  refused(with_length(100'000'001, "{}"),
          {kBad, "header is too long", "byte 0", "100000001", "100000000"});
  refused(with_length(std::numeric_limits<uint64_t>::max(), "{}"),
          {kBad, "header is too long", "byte 0", "18446744073709551615", ""});
  refused(with_length(3, "{}"), {kBad, "past the end", "byte 0", "3 bytes", "2 bytes"});
  refused(with_length(2, "[]"), {kBad, "does not start with {", "byte 8", "[", "{"});
  refused(with_length(3, " {}"), {kBad, "does not start with {", "byte 8", " ", "{"});
  refused(file_of("{\"a\xff\":1}", 0),
          {kBad, "not valid JSON", "header, line 1, column 4 (byte 3)", "", ""});
  refused(file_of("{\"a\":}", 0),
          {kBad, "not valid JSON", "header, line 1, column 6 (byte 5)", "", ""});
  refused(file_of("{} x", 0),
          {kBad, "not valid JSON", "header, line 1, column 4 (byte 3)", "x", ""});
  refused(file_of(std::string("{}\0", 3), 0),
          {kBad, "NUL", "header, line 1, column 3 (byte 2)", "00", ""});
  EXPECT_TRUE(open(file_of("{}      ", 0)).tensors().empty());
}

TEST_F(Safetensors, RefusesOtherFormatsByTheirFirstBytes) {
  using namespace std::string_literals;
  const auto other = [&](const std::string& head, const char* name) {
    refused(head + std::string(100, 'x'),
            {kBad, "not a safetensors file", "byte 0", name, "safetensors"});
  };
  other("PK\x03\x04"s, "zip");
  other("\x80\x02}q\x00("s, "pickle");
  other("\x80\x04\x95"s, "pickle");
  other("GGUF\x03\0\0\0"s, "GGUF");
  other("\x93NUMPY\x01\0"s, "NumPy");
  other("\x89HDF\r\n\x1a\n"s, "HDF5");
  other("\x1f\x8b\x08\0"s, "gzip");
  other("version https://git-lfs.github.com/spec/v1\n"s, "Git LFS");
  other("{\"version\": 1, \"title\": \"a scenario\"}", "JSON");
  other("once upon a time\n", "a text");
  other("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, "do not begin with a header length");
  EXPECT_THAT(advice_for("\x80\x04\x95"s), testing::HasSubstr("can run code"));
  EXPECT_THAT(advice_for("PK\x03\x04"s), testing::HasSubstr("can run code"));
  for (const std::string& head : {"GGUF\x03\0\0\0"s, "\x93NUMPY\x01\0"s, "\x89HDF\r\n\x1a\n"s,
                                  "\x1f\x8b\x08\0"s, "version https://git-lfs"s}) {
    EXPECT_THAT(advice_for(head), testing::Not(testing::HasSubstr("run code"))) << head;
    EXPECT_NE(advice_for(head), "") << head;
  }
  refused("once upo", {kBad, "not a safetensors file", "byte 0", "a text", ""});
  refused("PK\x03\x04"s, {kBad, "not a safetensors file", "byte 0", "zip", ""});
  // The length of this header, 640, has the same first bytes as a pickle.
  std::string header = "{}";
  header.resize(640, ' ');
  EXPECT_TRUE(open(file_of(header, 0)).tensors().empty());
}

// A file with one tensor "a": `value` is its JSON entry, `bytes` the size of the data.
std::string one(const std::string& value, size_t bytes) {
  return file_of("{\"a\":" + value + "}", bytes);
}

TEST_F(Safetensors, RefusesATypeOnlyWhereItIsRead) {
  const std::string header = R"({"a":{"dtype":"U32","shape":[2],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"F4","shape":[2,3],"data_offsets":[8,11]},)"
                             R"("c":{"dtype":"F6_E3M2","shape":[4],"data_offsets":[11,14]},)"
                             R"("d":{"dtype":"F8_E4M3FNUZ","shape":[],"data_offsets":[14,15]},)"
                             R"("e":{"dtype":"F32","shape":[1],"data_offsets":[15,19]}})";
  const SafetensorsFile file = open(file_of(header, 19));
  ASSERT_EQ(file.tensors().size(), 5u);
  EXPECT_EQ(file.read("e").shape(), (Shape{1}));
  for (const std::string name : {"a", "b", "c", "d"})
    expect_refused(
        {kBad, "not supported", "x.safetensors, " + name, file.find(name)->dtype_name, "BF16"},
        [&] { file.read(name); });
  EXPECT_EQ(file.find("c")->dtype_name, "F6_E3M2");
}

TEST_F(Safetensors, RefusesBadTensors) {
  const auto bad = [&](const std::string& value, size_t bytes, const Refusal& expected) {
    SCOPED_TRACE(value);
    refused(one(value, bytes), expected);
  };
  EXPECT_EQ(open(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 8)).tensors().size(),
            1u);
  bad("7", 0, {kBad, "not an object", "$.a", "number", ""});
  bad(R"({"shape":[2],"data_offsets":[0,8]})", 8, {kBad, "key is missing", "$.a", "no dtype", ""});
  bad(R"({"dtype":"F32","data_offsets":[0,8]})", 8,
      {kBad, "key is missing", "$.a", "no shape", ""});
  bad(R"({"dtype":"F32","shape":[2]})", 8, {kBad, "key is missing", "$.a", "no data_offsets", ""});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1})", 8,
      {kBad, "unknown key", "$.a.x", "x", "dtype"});
  bad(R"({"dtype":3,"shape":[2],"data_offsets":[0,8]})", 8,
      {kBad, "not text", "$.a.dtype", "number", "F32"});
  bad(R"({"dtype":"U32","shape":[3],"data_offsets":[0,8]})", 8,
      {kBad, "does not fit", "$.a.data_offsets", "8 bytes", "12 bytes for U32 [3]"});
  bad(R"({"dtype":"F6_E2M3","shape":[3],"data_offsets":[0,8]})", 8,
      {kBad, "whole bytes", "$.a.shape", "3 of 6 bits", "8 bits"});
  bad(R"({"dtype":"U64","shape":[9007199254740992,1023],"data_offsets":[0,0]})", 0,
      {kBad, "too large", "$.a.shape", "", "2^63"});
  bad(R"({"dtype":"F31","shape":[2],"data_offsets":[0,8]})", 8,
      {kBad, "unknown", "$.a.dtype", "F31", "BF16"});
  bad(R"({"dtype":"f32","shape":[2],"data_offsets":[0,8]})", 8,
      {kBad, "unknown", "$.a.dtype", "f32", "F32"});
  bad(R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})", 8,
      {kBad, "not an array", "$.a.shape", "number", ""});
  bad(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", 8,
      {kBad, "whole number", "$.a.shape[0]", "-2", "2^53"});
  bad(R"({"dtype":"F32","shape":[1,2.0],"data_offsets":[0,8]})", 8,
      {kBad, "whole number", "$.a.shape[1]", "2.0", ""});
  bad(R"({"dtype":"F32","shape":[true],"data_offsets":[0,8]})", 8,
      {kBad, "whole number", "$.a.shape[0]", "boolean", ""});
  bad(R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]})", 8,
      {kBad, "too many axes", "$.a.shape", "9", "8"});
  bad(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0,
      {kBad, "too large", "$.a.shape", "4294967296", "2^63"});
  bad(R"({"dtype":"F32","shape":[9007199254740992,1024],"data_offsets":[0,0]})", 0,
      {kBad, "too large", "$.a.shape", "", "2^63"});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":8})", 8,
      {kBad, "not a pair", "$.a.data_offsets", "", "[begin, end]"});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,8]})", 8,
      {kBad, "not a pair", "$.a.data_offsets", "", ""});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[-8,0]})", 8,
      {kBad, "whole number", "$.a.data_offsets[0]", "-8", ""});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8.5]})", 8,
      {kBad, "whole number", "$.a.data_offsets[1]", "8.5", ""});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,9007199254740993]})", 8,
      {kBad, "whole number", "$.a.data_offsets[1]", "9007199254740993", "2^53"});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]})", 8,
      {kBad, "whole number", "$.a.data_offsets[1]", "1.8", "2^53"});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[0,1e999]})", 8,
      {kBad, "out of range", "$.a.data_offsets[1]", "1e999", ""});
  bad(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})", 8,
      {kBad, "ends before it begins", "$.a.data_offsets", "[8,0]", ""});
  bad(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})", 8,
      {kBad, "past the end", "$.a.data_offsets", "16", "8 bytes"});
  bad(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})", 8,
      {kBad, "does not fit", "$.a.data_offsets", "8 bytes", "12 bytes for F32 [3]"});
  bad(R"({"dtype":"F16","shape":[2],"data_offsets":[0,8]})", 8,
      {kBad, "does not fit", "$.a.data_offsets", "8 bytes", "4 bytes for F16 [2]"});
  bad(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8,
      {kBad, "hole", "$.a.data_offsets[0]", "4", "0"});
  bad(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 8,
      {kBad, "left over", "data", "8 bytes", "4"});
}

TEST_F(Safetensors, RefusesTensorsThatDoNotFitTogether) {
  const auto two = [](const char* first, const char* second) {
    return fmt::format("{{\"a\":{},\"b\":{}}}", first, second);
  };
  const char* front = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  const char* back = R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})";
  EXPECT_EQ(open(file_of(two(back, front), 8)).tensors()[0].name, "b")
      << "in the order of their bytes";
  refused(file_of(two(front, front), 8), {kBad, "overlap", "$.b.data_offsets[0]", "0", "4"});
  refused(file_of(two(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", back), 8),
          {kBad, "overlap", "$.b", "4", "8"});
  refused(file_of(two(front, R"({"dtype":"F32","shape":[1],"data_offsets":[8,12]})"), 12),
          {kBad, "hole", "$.b", "8", "4"});
  refused(file_of(fmt::format("{{\"a\":{},\"a\":{}}}", front, back), 8),
          {kBad, "duplicate key", "$.a", "\"a\"", "once"});
  refused(file_of(R"({"__metadata__":{"a":1}})", 0),
          {kBad, "metadata is not text", "$.__metadata__.a", "number", ""});
  refused(file_of(R"({"__metadata__":[]})", 0),
          {kBad, "metadata is not an object", "$.__metadata__", "array", ""});
  refused(file_of(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
          {kBad, "duplicate key", "$.__metadata__.a", "", ""});
}

TEST_F(Safetensors, RefusesTooManyTensors) {
  for (std::string header : {"{\"__metadata__\":{},", "{"}) {
    for (int i = 0; i <= 250'000; ++i)
      header += fmt::format(R"("{}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}},)", i);
    header.back() = '}';
    refused(file_of(header, 0), {kBad, "too many tensors", "$", "more than 250000", "250000"});
  }
}

std::string sample() {
  return file_of(
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"b":{"dtype":"BF16","shape":[3],"data_offsets":[8,14]}})",
      14);
}

TEST_F(Safetensors, NoPrefixCrashes) {
  const std::string good = sample();
  EXPECT_NO_THROW(open(good));
  EXPECT_TRUE(error_of([&] { open(good + "x"); }));
  for (size_t length = good.size(); length-- > 0;) {
    ASSERT_EQ(::truncate(path().c_str(), static_cast<off_t>(length)), 0);
    EXPECT_TRUE(error_of([&] { SafetensorsFile::open(path()); })) << length;
  }
}

TEST_F(Safetensors, NoFlippedHeaderBitCrashes) {
  const std::string good = sample();
  write(path(), good);
  const int fd = ::open(path().c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  int accepted = 0;
  for (size_t at = 0; at < good.size() - 14; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      const char bad = static_cast<char>(good[at] ^ 1 << bit);
      ASSERT_EQ(::pwrite(fd, &bad, 1, static_cast<off_t>(at)), 1);
      const auto error = error_of([&] {
        const auto file = SafetensorsFile::open(path());
        for (const TensorEntry& entry : file.tensors()) file.read(entry);
        ++accepted;
      });
      if (!error) continue;
      EXPECT_EQ(error->code(), kBad) << error->what();
      EXPECT_FALSE(error->parts().where.empty()) << error->what();
    }
    ASSERT_EQ(::pwrite(fd, &good[at], 1, static_cast<off_t>(at)), 1);
  }
  ::close(fd);
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 8 * 24);
}

TEST_F(Safetensors, AFileThatShrinksWhileOpenIsAnError) {
  const auto file = open(sample());
  ASSERT_EQ(::truncate(path().c_str(), static_cast<off_t>(sample().size() - 10)), 0);
  expect_refused({kBad, "became shorter", "byte", "end of file", "more bytes"},
                 [&] { file.read("a"); });
  expect_refused({kBad, "became shorter", "byte", "end of file", "6 more bytes"},
                 [&] { file.read("b"); });
}

// --- sharded weights ---

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    Tensor a(DType::kF32, {2}), b(DType::kF32, {3});
    write_safetensors(folder_.path / "one.safetensors", {{"a", &a}}, {});
    write_safetensors(folder_.path / "two.safetensors", {{"b", &b}}, {});
  }
  void index(const std::string& map) const {
    write(folder_.path / "model.safetensors.index.json",
          "{\"metadata\":{},\"weight_map\":" + map + "}");
  }
  void refused(const std::string& map, const Refusal& expected) const {
    SCOPED_TRACE(map);
    index(map);
    expect_refused(expected, [&] { WeightFiles::open(folder_.path); });
  }
  ScratchFolder folder_;
};

TEST_F(Shards, AreReadByName) {
  index(R"({"a":"one.safetensors","b":"two.safetensors"})");
  const auto files = WeightFiles::open(folder_.path);
  EXPECT_EQ(files.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(files.read("b").shape(), Shape{3});
  EXPECT_EQ(files.file_of("b"), "two.safetensors");
  EXPECT_EQ(files.find("c"), nullptr);
}

TEST_F(Shards, RefusesPathsThatLeadOutside) {
  const std::string place = "index.json, $.weight_map.a";
  const fs::path outside =
      folder_.path.parent_path() / (folder_.path.filename().string() + "-outside");
  fs::create_directory(outside);
  fs::copy_file(folder_.path / "one.safetensors", outside / "one.safetensors");
  refused(fmt::format(R"({{"a":"{}"}})", (outside / "one.safetensors").string()),
          {kBad, "outside the folder", place, "outside", "same folder"});
  refused(fmt::format(R"({{"a":"../{}/one.safetensors"}})", outside.filename().string()),
          {kBad, "outside the folder", place, "../", ""});
  refused(R"({"a":"x/../one.safetensors"})", {kBad, "outside the folder", place, "x/..", ""});
  fs::create_symlink(outside / "one.safetensors", folder_.path / "link.safetensors");
  refused(R"({"a":"link.safetensors"})", {kBad, "link that leads outside", place, "link", ""});
  fs::create_directory_symlink(outside, folder_.path / "linked");
  refused(R"({"a":"linked/one.safetensors"})",
          {kBad, "link that leads outside", place, "linked", ""});
  fs::create_symlink("one.safetensors", folder_.path / "inside.safetensors");
  index(R"({"a":"inside.safetensors"})");
  EXPECT_NO_THROW(WeightFiles::open(folder_.path));
  fs::remove_all(outside);
}

TEST_F(Shards, RefusesWhatDoesNotFit) {
  refused(R"({"a":"three.safetensors"})",
          {kBad, "shard is missing", "$.weight_map.a", "three", ""});
  refused(R"({"a":"two.safetensors","b":"one.safetensors"})",
          {kBad, "not in the shard", "$.weight_map.a", "in \"one.safetensors\"", "two"});
  refused(R"({"a":"one.safetensors","c":"two.safetensors"})",
          {kBad, "not in the shard", "$.weight_map.c", "in no shard", ""});
  refused(R"({"a":""})", {kBad, "no usable name", "$.weight_map.a", "\"\"", ""});
  refused(R"({"a":"x\\one.safetensors"})", {kBad, "no usable name", "$.weight_map.a", "", ""});
  refused(R"({"a":"x\u0000.safetensors"})", {kBad, "no usable name", "$.weight_map.a", "", ""});
  refused(R"({"a":7})", {kBad, "not text", "$.weight_map.a", "7", ""});
  refused(R"([])", {kBad, "not an object", "$.weight_map", "array", ""});
  refused(R"({"a":"one.safetensors","a":"two.safetensors"})",
          {kBad, "duplicate key", "$.weight_map.a", "", ""});
  refused(R"({"a":"."})", {kBad, "not a file", "", "", ""});
}

}  // namespace
}  // namespace attn
