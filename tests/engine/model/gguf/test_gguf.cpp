// SPDX-License-Identifier: GPL-3.0-or-later
// The container GGUF: values and tensors are read back; a refusal states the place, what was found
// and what is allowed; prefixes and changes of a good file cause no crash.
#include "engine/model/files/gguf.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>

#include "engine/core/rng.h"
#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/gguf/gguf_bytes.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();

class Gguf : public testing::Test {
 protected:
  fs::path path(const std::string& name = "x.gguf") const { return folder_.path / name; }
  fs::path write(const std::string& bytes, const std::string& name = "x.gguf") const {
    fs::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  GgufFile open(const std::string& bytes) const { return GgufFile::open(write(bytes)); }
  void refused(const std::string& bytes, const Refusal& expected) const {
    SCOPED_TRACE(expected.what);
    const fs::path file = write(bytes);
    expect_refused(expected, [&] { GgufFile::open(file); });
  }
  static std::string with_keys(std::vector<std::string> keys) {
    return GgufBytesOf{.version = 3, .keys = std::move(keys), .tensors = {}, .data = ""}.bytes();
  }
  static std::string with_tensors(std::vector<std::string> tensors, size_t bytes = 64) {
    return GgufBytesOf{
        .version = 3, .keys = {}, .tensors = std::move(tensors), .data = std::string(bytes, '\1')}
        .bytes();
  }
  ScratchFolder folder_;
};

std::string good_file(uint32_t version = 3) {
  const auto number = [](auto value) { return number_bytes(value); };
  std::string data = number(1.5f) + number(-2.0f) + number(0.25f) + number(8.0f) + number(0.0f) +
                     number(1.0f);  // tensor a: 24 bytes
  data.resize(32, '\0');
  data += number(uint16_t{0x3C00}) + std::string(32, '\2');  // tensor b: Q8_0, 34 bytes
  data.resize(96, '\0');
  data += number(int64_t{-7});  // tensor c
  return GgufBytesOf{
      .version = version,
      .keys = {key_bytes("a.u8", 0, number(uint8_t{200})), key_bytes("a.i8", 1, number(int8_t{-3})),
               key_bytes("a.u16", 2, number(uint16_t{60000})),
               key_bytes("a.i16", 3, number(int16_t{-300})), u32_key("a.u32", 4000000000),
               key_bytes("a.i32", 5, number(int32_t{-70000})), f32_key("a.f32", 0.1f),
               key_bytes("a.bool", 7, "\1"), text_key("a.text", "words\n"),
               array_key("a.words", 8, 2, text_bytes("x") + text_bytes("")),
               array_key("a.counts", 5, 3, number(1) + number(-2) + number(3)),
               key_bytes("a.u64", 10, number(kHuge)), key_bytes("a.i64", 11, number(int64_t{-9})),
               key_bytes("a.f64", 12, number(2.5))},
      .tensors = {tensor_bytes("a", {3, 2}, 0, 0), tensor_bytes("b", {32}, 8, 32),
                  tensor_bytes("c", {}, 27, 96)},
      .data = data}
      .bytes();
}

TEST_F(Gguf, ValuesAndTensorsComeBack) {
  for (const uint32_t version : {2u, 3u}) {
    const GgufFile file = open(good_file(version));
    EXPECT_EQ(file.version(), static_cast<int>(version));
    const GgufMetadata& m = file.metadata();
    ASSERT_EQ(m.values().size(), 14u);
    const auto any = [&](const char* key) {
      return m.whole(key, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
    };
    EXPECT_EQ(any("a.u8"), 200);
    EXPECT_EQ(any("a.i8"), -3);
    EXPECT_EQ(any("a.u16"), 60000);
    EXPECT_EQ(any("a.i16"), -300);
    EXPECT_EQ(any("a.u32"), 4000000000);
    EXPECT_EQ(any("a.i32"), -70000);
    EXPECT_EQ(any("a.i64"), -9);
    EXPECT_EQ(m.number("a.f32", 0, 1), 0.1f);
    EXPECT_EQ(m.number("a.f64", 0, 10), 2.5);
    EXPECT_EQ(m.number("a.u8", 0, 200), 200);
    EXPECT_TRUE(m.flag("a.bool"));
    EXPECT_EQ(m.text("a.text"), "words\n");
    EXPECT_EQ(m.texts("a.words"), (std::vector<std::string>{"x", ""}));
    EXPECT_EQ(m.wholes("a.counts", -2, 3), (std::vector<int64_t>{1, -2, 3}));
    EXPECT_EQ(m.numbers("a.counts"), (std::vector<float>{1, -2, 3}));
    EXPECT_EQ(GgufMetadata::shown(*m.find("a.text")), "\"words\\x0A\"");
    EXPECT_EQ(GgufMetadata::shown(*m.find("a.counts"), 2), "i32[3]: 1, -2, ...");
    EXPECT_EQ(GgufMetadata::shown(*m.find("a.u64")), "18446744073709551615");

    ASSERT_EQ(file.tensors().size(), 3u);
    EXPECT_EQ(file.find("a")->shape, (Shape{2, 3})) << "the outermost axis first";
    EXPECT_EQ(file.find("d"), nullptr);
    const Tensor a = file.read(*file.find("a"));
    EXPECT_EQ(a.shape(), (Shape{2, 3}));
    EXPECT_EQ(a.data<float>()[3], 8.0f);
    const Tensor b = file.read(*file.find("b"));
    EXPECT_EQ(b.dtype(), DType::kF32);
    EXPECT_EQ(b.data<float>()[31], 2.0f);
    EXPECT_EQ(file.read(*file.find("c")).data<int64_t>()[0], -7);
    float row[3];
    file.read_rows(*file.find("a"), 1, 1, row);
    EXPECT_EQ(row[0], 8.0f);
  }
}

TEST_F(Gguf, ValuesAreCheckedWhereTheyAreRead) {
  const GgufFile file = open(good_file());
  const GgufMetadata& m = file.metadata();
  expect_refused({kBad, "key is missing", "x.gguf, metadata", "no b.c", "a whole number"},
                 [&] { m.whole("b.c", 0, 1); });
  expect_refused({kBad, "out of range", "a.u8", "200", "0 to 199"},
                 [&] { m.whole("a.u8", 0, 199); });
  expect_refused(
      {kBad, "out of range", "a.u64", "18446744073709551615", "0 to 9223372036854775807"},
      [&] { m.whole("a.u64", 0, std::numeric_limits<int64_t>::max()); });
  expect_refused({kBad, "another type", "x.gguf, byte ", "text", "a whole number"},
                 [&] { m.whole("a.text", 0, 1); });
  expect_refused({kBad, "another type", "a.words", "an array of 2 text", "a text"},
                 [&] { m.text("a.words"); });
  expect_refused({kBad, "another type", "a.f32", "f32", "a whole number"},
                 [&] { m.whole("a.f32", 0, 1); });
  expect_refused({kBad, "another type", "a.words", "", "an array of numbers"},
                 [&] { m.numbers("a.words"); });
  expect_refused({kBad, "another type", "a.u8", "u8", "a bool"}, [&] { m.flag("a.u8"); });
  expect_refused({kBad, "another type", "a.counts", "an array of 3 i32", "u8 or i8"},
                 [&] { m.byte_array("a.counts"); });
  expect_refused({kBad, "element 1 is out of range", "a.counts", "-2", "0 to 5"},
                 [&] { m.wholes("a.counts", 0, 5); });
  expect_refused({kBad, "out of range", "a.f32", "0.1", "1 to 2"},
                 [&] { m.number("a.f32", 1, 2); });
}

TEST_F(Gguf, RefusesWhatIsNoGguf) {
  refused("", {kBad, "not a GGUF file", "x.gguf, byte 0", "an empty file", "GGUF"});
  refused("GGU", {kBad, "not a GGUF file", "byte 0", "\"GGU\"", "GGUF"});
  refused("PK\x03\x04 and more", {kBad, "not a GGUF file", "byte 0", "zip", "GGUF"});
  refused("GGUF", {kBad, "file ends inside the version", "byte 4", "4 bytes", "0 bytes"});
  EXPECT_FALSE(GgufFile::is_gguf(folder_.path));
  EXPECT_FALSE(GgufFile::is_gguf(path("nowhere")));
  EXPECT_FALSE(GgufFile::is_gguf(write("GGU")));
  EXPECT_TRUE(GgufFile::is_gguf(write("GGUF")));
}

TEST_F(Gguf, RefusesVersions) {
  const auto of = [](uint32_t version) {
    return GgufBytesOf{.version = version, .keys = {}, .tensors = {}, .data = ""}.bytes();
  };
  refused(of(0), {kBad, "version is not supported", "byte 4", "0", "2 or 3"});
  refused(of(1), {kBad, "version is not supported", "byte 4", "1", "2 or 3"});
  refused(of(4), {kBad, "version is not supported", "byte 4", "4", "2 or 3"});
  refused(of(0x03000000), {kBad, "big endian", "byte 4", "version 3", "little endian"});
  EXPECT_TRUE(open(of(3)).tensors().empty());
}

TEST_F(Gguf, RefusesCountsAndLengthsThatDoNotFit) {
  const GgufBytesOf empty;
  refused(empty.head(0, kHuge),
          {kBad, "too many keys", "byte 16", "18446744073709551615", "1000000"});
  refused(empty.head(kHuge, 0), {kBad, "too many tensors", "byte 8", "18446744073709551615", ""});
  refused(empty.head(0, 1000), {kBad, "file ends inside the keys", "byte 24",
                                "1000 of at least 14 bytes", "0 bytes that remain"});
  refused(empty.head(1000, 0), {kBad, "file ends inside the table of tensors", "byte 24",
                                "1000 of at least 25 bytes", "0 bytes"});
  const std::string one = empty.head(0, 1), rest(40, 'x');
  refused(one + number_bytes(kHuge) + rest,
          {kBad, "file ends inside a key", "byte 24", "18446744073709551615 bytes", "40 bytes"});
  refused(one + text_bytes(std::string(65'536, 'k')) + rest,
          {kBad, "a key: the text is too long", "byte 24", "65536", "65535"});
  refused(one + text_bytes("") + number_bytes(4u) + rest,
          {kBad, "key is empty", "byte 24", "", ""});
  refused(one + key_bytes("k", 13, rest), {kBad, "type of a value", "byte 33", "13", "0 to 12"});
  refused(one + key_bytes("k", 8, number_bytes(kHuge) + rest),
          {kBad, "file ends inside a text", "byte 37", "18446744073709551615 bytes", "40 bytes"});
  refused(one + key_bytes("k", 10, "1234"),
          {kBad, "file ends inside a value", "byte 37", "8", "4"});
  refused(one + key_bytes("k", 7, "\2"), {kBad, "neither 0 nor 1", "byte 37", "2", "0 or 1"});
  const auto array = [&](uint32_t element, uint64_t count, const std::string& elements) {
    return one + array_key("k", element, count, elements);
  };
  refused(array(4, kHuge, rest),
          {kBad, "file ends inside an array", "byte 41", "18446744073709551615 u32", "40 bytes"});
  refused(array(4, kHuge / 4 + 2, rest), {kBad, "file ends inside an array", "byte 41", "", ""});
  refused(array(8, kHuge, rest), {kBad, "the texts of an array", "byte 49", "", "40 bytes"});
  refused(array(8, 2, text_bytes("a") + number_bytes(kHuge)),
          {kBad, "a text of an array", "byte 58", "18446744073709551615", "0 bytes"});
  refused(array(9, 1, rest), {kBad, "arrays of arrays", "byte 37", "\"k\"", "numbers"});
  refused(array(13, 1, rest), {kBad, "type of a value", "byte 37", "13", "0 to 12"});
  refused(array(7, 2, "\1\3"), {kBad, "neither 0 nor 1", "byte 50", "3", ""});
}

TEST_F(Gguf, RefusesKeysAndAlignment) {
  refused(with_keys({u32_key("a", 1), u32_key("b", 1), f32_key("a", 1)}),
          {kBad, "key is given twice", "x.gguf, byte 58", "\"a\"", "once"});
  const char* const key = "general.alignment";
  for (const uint32_t bad : {0u, 1u, 4u, 24u, 33u, 131072u, 0x80000000u})
    refused(with_keys({u32_key(key, bad)}),
            {kBad, "alignment is not usable", key, std::to_string(bad), "8 to 65536"});
  refused(with_keys({f32_key(key, 32)}), {kBad, "another type", key, "f32", "a whole number"});
  refused(with_keys({text_key(key, "32")}), {kBad, "another type", key, "text", ""});
  for (const uint32_t good : {8u, 64u, 65536u}) {
    const GgufFile file = open(GgufBytesOf{.version = 3,
                                           .keys = {u32_key(key, good)},
                                           .tensors = {tensor_bytes("a", {1}, 0, 0)},
                                           .data = number_bytes(3.0f),
                                           .alignment = good}
                                   .bytes());
    EXPECT_EQ(file.read(*file.find("a")).data<float>()[0], 3.0f);
  }
}

TEST_F(Gguf, RefusesBadTensors) {
  const auto bad = [&](const std::string& tensor, const Refusal& expected) {
    refused(with_tensors({tensor}), expected);
  };
  bad(tensor_bytes("", {2}, 0, 0), {kBad, "name of a tensor is empty", "byte 24", "", ""});
  bad(tensor_bytes(std::string(65, 'n'), {2}, 0, 0),
      {kBad, "the name of a tensor: the text is too long", "byte 24", "65", "64"});
  bad(tensor_bytes("t", {1, 1, 1, 1, 1}, 0, 0),
      {kBad, "tensor \"t\" has too many axes", "byte 33", "5", "at most 4"});
  bad(tensor_bytes("t", {kHuge}, 0, 0), {kBad, "axis of tensor \"t\"", "byte 37", "", "2^62"});
  const uint64_t big = uint64_t{1} << 33;
  bad(tensor_bytes("t", {big, big}, 0, 0),
      {kBad, "shape of tensor \"t\" is too large", "byte 33", "8589934592", "2^63"});
  bad(tensor_bytes("t", {0, big, big}, 0, 0), {kBad, "too large", "byte 33", "", ""});
  bad(tensor_bytes("t", {uint64_t{1} << 61, 1}, 0, 0), {kBad, "too large", "byte 33", "", ""});
  for (const uint32_t removed : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u})
    bad(tensor_bytes("t", {32}, removed, 0),
        {kBad, "\"t\" was removed", "byte 45", std::to_string(removed), "Q4_K"});
  for (const uint32_t unknown : {43u, 1000u})
    bad(tensor_bytes("t", {32}, unknown, 0),
        {kBad, "\"t\" is unknown", "byte 45", std::to_string(unknown), "Q4_K"});
  bad(tensor_bytes("t", {33}, 8, 0), {kBad, "rows of tensor \"t\" are not whole blocks", "byte 33",
                                      "33", "32, the block of Q8_0"});
  bad(tensor_bytes("t", {32, 8}, 12, 0), {kBad, "not whole blocks", "", "32", "256"});
  bad(tensor_bytes("t", {2}, 0, 8), {kBad, "not aligned", "byte 24", "offset 8", "of 32"});
  bad(tensor_bytes("t", {17}, 0, 0),
      {kBad, "ends past the end", "byte 24", "offset 0 + 68 bytes", "at most 64"});
  bad(tensor_bytes("t", {2}, 0, kHuge - 31), {kBad, "ends past the end", "byte 24", "", "64"});
  bad(tensor_bytes("t", {8}, 0, 32), {kBad, "there is a hole", "\"t\"", "byte 96", "byte 64"});
  bad(tensor_bytes("t", {8}, 0, 0), {kBad, "left over", "byte 96", "32 bytes", "the end"});
  refused(with_tensors({tensor_bytes("a", {16}, 0, 0), tensor_bytes("b", {8}, 0, 32)}),
          {kBad, "tensors overlap", "\"b\"", "", ""});
  refused(with_tensors({tensor_bytes("a", {8}, 0, 0), tensor_bytes("a", {8}, 0, 32)}),
          {kBad, "tensor is in the model twice", "x.gguf", "\"a\"", "once"});
  EXPECT_EQ(open(with_tensors({tensor_bytes("b", {8}, 0, 32), tensor_bytes("a", {5}, 0, 0)}))
                .tensors()
                .size(),
            2u)
      << "in any order, with padding between them";
}

TEST_F(Gguf, RefusesATypeOnlyWhereItIsRead) {
  const GgufFile file = open(with_tensors({tensor_bytes("t", {256}, 19, 0)}));
  EXPECT_EQ(GgufFile::dtype_of(*file.find("t")), std::nullopt);
  expect_refused({kNot, "element type is not supported", "x.gguf, t", "IQ1_S", "IQ4_XS"},
                 [&] { file.read(*file.find("t")); });
}

TEST_F(Gguf, FileThatShrinksIsAnError) {
  const GgufFile file = open(good_file());
  fs::resize_file(path(), 100);
  expect_refused({kBad, "became shorter", "x.gguf", "", ""}, [&] { file.read(*file.find("a")); });
}

class SplitGguf : public Gguf {
 protected:
  static std::string part(uint16_t number, uint16_t count, const std::string& tensor,
                          uint32_t all = 2) {
    return GgufBytesOf{.version = 3,
                       .keys = {key_bytes("split.no", 2, number_bytes(number)),
                                key_bytes("split.count", 2, number_bytes(count)),
                                key_bytes("split.tensors.count", 5, number_bytes(all))},
                       .tensors = {tensor_bytes(tensor, {1}, 0, 0)},
                       .data = number_bytes(static_cast<float>(number))}
        .bytes();
  }
  void refused_parts(const std::string& first, const std::string& second,
                     const Refusal& expected) const {
    write(first, "m-00001-of-00002.gguf");
    write(second, "m-00002-of-00002.gguf");
    expect_refused(expected, [&] { GgufFile::open(path("m-00001-of-00002.gguf")); });
  }
};

TEST_F(SplitGguf, IsReadAsOne) {
  write(part(0, 2, "a"), "m-00001-of-00002.gguf");
  write(part(1, 2, "b"), "m-00002-of-00002.gguf");
  const GgufFile file = GgufFile::open(path("m-00001-of-00002.gguf"));
  EXPECT_EQ(file.file_names().size(), 2u);
  EXPECT_EQ(file.find("b")->file, 1u);
  EXPECT_EQ(file.read(*file.find("b")).data<float>()[0], 1.0f);
  expect_refused({kBad, "not the first part", "split.no", "part 2 of 2", "part 1"},
                 [&] { GgufFile::open(path("m-00002-of-00002.gguf")); });
}

TEST_F(SplitGguf, RefusesPartsThatDoNotFit) {
  const std::string a = part(0, 2, "a"), b = part(1, 2, "b");
  refused_parts(a, a, {kBad, "another part", "m-00002-of-00002.gguf", "0 of 2", "1 of 2"});
  refused_parts(a, part(1, 3, "b"), {kBad, "another part", "", "1 of 3", "1 of 2"});
  refused_parts(a, part(1, 2, "a"), {kBad, "twice", "m-00002", "\"a\"", ""});
  refused_parts(part(0, 2, "a", 3), b,
                {kBad, "do not have all tensors", "split.tensors.count", "2", "3"});
  refused(a, {kBad, "does not tell the names", "split.count", "\"x.gguf\"", "NAME-00001-of-00002"});
  write(part(0, 3, "a"), "m-00001-of-00003.gguf");
  expect_refused({kBad, "cannot be opened", "m-00002-of-00003.gguf", "", ""},
                 [&] { GgufFile::open(path("m-00001-of-00003.gguf")); });
}

void use(const fs::path& file) {
  try {
    const GgufFile gguf = GgufFile::open(file);
    for (const GgufValue& value : gguf.metadata().values()) GgufMetadata::shown(value);
    for (const GgufTensor& tensor : gguf.tensors())
      if (tensor.type->is_read()) gguf.read(tensor);
  } catch (const Error&) {
  }
}

TEST_F(Gguf, NoPrefixCrashes) {
  const fs::path file = write(good_file());
  for (uint64_t length = fs::file_size(file); length-- > 0;) {
    fs::resize_file(file, length);
    EXPECT_TRUE(error_of([&] { GgufFile::open(file); })) << length;
  }
}

TEST_F(Gguf, NoChangeCrashes) {
  const std::string good = good_file();
  const char* const wanted = std::getenv("ATTN_MUTATIONS");
  const int count = wanted ? std::atoi(wanted) : 1000;
  Rng rng(5);
  for (int i = 0; i < count; ++i) {
    std::string bad = good;
    for (uint64_t changes = 1 + rng.next() % 3; changes > 0; --changes) {
      const size_t at = rng.next() % bad.size();
      constexpr uint64_t kNumbers[] = {0,          1,     0xFF,      0x7FFFFFFF,
                                       0xFFFFFFFF, kHuge, kHuge / 2, kHuge - 31};
      const std::string number = number_bytes(kNumbers[rng.next() % std::size(kNumbers)]);
      if (rng.next() % 2 == 0)
        bad[at] = static_cast<char>(rng.next());
      else
        bad.replace(at, std::min(number.size(), bad.size() - at),
                    number.substr(0, bad.size() - at));
    }
    use(write(bad));
  }
}

TEST_F(Gguf, MillionAndOneKeysAreRead) {
  GgufBytesOf file;
  for (int i = 0; i < 999'999; ++i) file.keys.push_back(key_bytes(std::to_string(i), 0, "\1"));
  file.keys.push_back(file.keys.front());
  refused(file.bytes(), {kBad, "key is given twice", "", "\"0\"", "once"});
}

}  // namespace
}  // namespace attn
