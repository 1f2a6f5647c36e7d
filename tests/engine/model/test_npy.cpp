// SPDX-License-Identifier: GPL-3.0-or-later
// .npy: good files of several versions, types, axis orders and byte orders are read; a refusal
// states the code, the place, what was found and what is allowed; prefixes and flipped bits cause
// no crash.
#include "engine/model/files/npy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "tests/engine/model/expect_error.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

std::string npy(const std::string& header, const std::string& data, int major = 1, int minor = 0) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += static_cast<char>(minor);
  const size_t length_bytes = major == 1 ? 2 : 4;
  for (size_t i = 0; i < length_bytes; ++i) out += static_cast<char>(header.size() >> (8 * i));
  return out + header + data;
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
  return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}   \n", descr, order,
                     shape);
}
std::string f4(const std::string& shape, size_t elements) {
  return npy(dictionary("'<f4'", "False", shape), std::string(elements * 4, '\0'));
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::memcpy(out.data(), std::data(values), out.size());
  return out;
}
std::string swapped(std::string bytes, size_t width) {
  for (size_t at = 0; at < bytes.size(); at += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
  return bytes;
}

class Npy : public testing::Test {
 protected:
  fs::path path() const { return folder_.path / "x.npy"; }
  NpyFile open(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return NpyFile::open(path());
  }
  void refused(const std::string& bytes, const std::string& what, const std::string& where,
               const std::string& found, const std::string& allowed) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    SCOPED_TRACE(what);
    expect_refused({ErrorCode::kBadInput, what, where, found, allowed},
                   [&] { NpyFile::open(path()); });
  }
  ScratchFolder folder_;
};

TEST_F(Npy, EveryVersionAndShape) {
  const std::string data = bytes_of<float>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    const Tensor tensor = open(npy(dictionary("'<f4'", "False", "(2, 3)"), data, version)).read();
    EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
    EXPECT_EQ(tensor.data<float>()[5], 6);
  }
  EXPECT_EQ(open(f4("()", 1)).shape(), Shape{});
  EXPECT_EQ(open(f4("(5,)", 5)).shape(), Shape{5});
  EXPECT_EQ(open(f4("(2, 3,)", 6)).shape(), (Shape{2, 3}));
  EXPECT_EQ(open(f4("(2L, 3L)", 6)).shape(), (Shape{2, 3}));
  EXPECT_EQ(open(f4("(0, 7)", 0)).read().size(), 0);
  EXPECT_EQ(open(f4("(1, 1, 1, 1, 1, 1, 1, 2)", 2)).shape().size(), 8u);
  EXPECT_EQ(open(npy("{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"<f4\"}\n",
                     std::string(8, '\0')))
                .shape(),
            (Shape{1, 2}));
}

TEST_F(Npy, EveryType) {
  const auto first = [&](const std::string& descr, const std::string& data) {
    return convert(open(npy(dictionary("'" + descr + "'", "False", "(1,)"), data)).read(),
                   DType::kF64)
        .data<double>()[0];
  };
  EXPECT_EQ(first("<f8", bytes_of<double>({-2.5})), -2.5);
  EXPECT_EQ(first(">f8", swapped(bytes_of<double>({-2.5}), 8)), -2.5);
  EXPECT_EQ(first("<f4", bytes_of<float>({0.1f})), double{0.1f});
  EXPECT_EQ(first(">f4", swapped(bytes_of<float>({0.1f}), 4)), double{0.1f});
  EXPECT_EQ(first("=f4", bytes_of<float>({0.1f})), double{0.1f});
  EXPECT_EQ(first("<f2", bytes_of<uint16_t>({0x3C00})), 1);
  EXPECT_EQ(first(">f2", bytes_of<uint16_t>({0x003C})), 1);
  const auto type = [&](const std::string& descr, size_t bytes) {
    return open(npy(dictionary("'" + descr + "'", "False", "(1,)"), std::string(bytes, '\1')))
        .dtype();
  };
  EXPECT_EQ(type("<i8", 8), DType::kI64);
  EXPECT_EQ(type(">i4", 4), DType::kI32);
  EXPECT_EQ(type("<i2", 2), DType::kI16);
  EXPECT_EQ(type("|i1", 1), DType::kI8);
  EXPECT_EQ(type("|u1", 1), DType::kU8);
  EXPECT_EQ(type("|b1", 1), DType::kBool);
}

TEST_F(Npy, FortranOrderIsTurned) {
  // Element (i, j, k) of [2, 3, 4] is 100 i + 10 j + k; in the file the first axis varies fastest.
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data += bytes_of<float>({static_cast<float>(100 * i + 10 * j + k)});
  const Tensor tensor = open(npy(dictionary("'<f4'", "True", "(2, 3, 4)"), data)).read();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        EXPECT_EQ(tensor.data<float>()[(i * 3 + j) * 4 + k],
                  static_cast<float>(100 * i + 10 * j + k));
  EXPECT_EQ(open(npy(dictionary("'<f4'", "True", "(0, 3)"), "")).read().size(), 0);
}

TEST_F(Npy, OtherFilesAreNamed) {
  refused("", "not a .npy file", "byte 0", "empty", "numpy.save");
  refused("PK\x03\x04 and more", "not a .npy file", "byte 0", "zip archive (.npz", "one array");
  refused("\x80\x04\x95 pickle", "not a .npy file", "byte 0", "pickle", "one array");
  refused("\x89HDF\r\n", "not a .npy file", "byte 0", "HDF5", "one array");
  refused("\x1f\x8b\x08", "not a .npy file", "byte 0", "gzip", "one array");
  std::ofstream(path()) << "version https://git-lfs.example";
  const auto error = error_of([&] { NpyFile::open(path()); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->parts().advice, testing::HasSubstr("git lfs"));
  refused("version https://git-lfs.example", "not a .npy file", "byte 0", "Git LFS", "one array");
  refused("{\"a\": 1}", "not a .npy file", "byte 0", "NUMPY", "one array");
  refused("\x93NUMP", "not a .npy file", "byte 0", "NUMPY", "one array");
}

TEST_F(Npy, CutOffBeforeTheData) {
  refused("\x93NUMPY", "file is too short", "byte 6", "6 bytes", "at least 10");
  refused("\x93NUMPY\x01\x00\x05"s, "file is too short", "byte 6", "9 bytes", "at least 10");
  refused("\x93NUMPY\x02\x00\x05\x00"s, "file is too short", "byte 8", "10 bytes", "at least 12");
  refused("\x93NUMPY\x00\x00\x05\x00"s, "version is unknown", "byte 6", "0.0", "1.0, 2.0, 3.0");
  refused("\x93NUMPY\x04\x00\x05\x00"s, "version is unknown", "byte 6", "4.0", "1.0, 2.0, 3.0");
  refused("\x93NUMPY\x01\x02\x05\x00"s, "version is unknown", "byte 6", "1.2", "1.0, 2.0, 3.0");
  refused("\x93NUMPY\x01\x00\xff\xff{}"s, "header ends past", "byte 8", "65535", "at most 2");
  refused("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s, "header ends past", "byte 8", "4294967295",
          "at most 2");
  const std::string long_header = "{" + std::string(size_t{1} << 20, ' ') + "}\n";
  refused(npy(long_header, "", 2), "header is too long", "byte 8", "1048579", "1048576");
  std::string good = f4("(2, 3)", 6);
  refused(good.substr(0, good.size() - 1), "elements are missing", "byte ", "23 bytes", "24 bytes");
  refused(good + "x", "bytes are left over", "byte ", "25 bytes", "24 bytes");
}

TEST_F(Npy, HeadersOfAnotherGrammar) {
  const auto header = [&](const std::string& text, const std::string& what,
                          const std::string& found, const std::string& allowed) {
    refused(npy(text, std::string(24, '\0')), what, "x.npy, byte ", found, allowed);
  };
  header("", "does not end with a line end", "empty header", "\\n");
  header("{'descr': '<f4'}", "does not end with a line end", "}", "\\n");
  header("\n", "not a dictionary", "the end of the header", "{");
  header("[1, 2]\n", "not a dictionary", "[1, 2]", "{");
  header("{}\n", "key of the header is missing", "no descr", "fortran_order");
  header("{'descr': '<f4', 'shape': (6,)}\n", "key of the header is missing", "no fortran_order",
         "descr");
  header("{'descr': '<f4', 'fortran_order': False}\n", "key of the header is missing", "no shape",
         "descr");
  header("{'descr' '<f4'}\n", "not a dictionary", "'<f4'", ":");
  header("{'descr': '<f4' 'shape': (6,)}\n", "not a dictionary", "'shape'", "}");
  header("{,}\n", "not a dictionary", ",", "key");
  header("{'descr: 1}\n", "no closing quote", "'descr", "'");
  header("{descr: '<f4'}\n", "not a dictionary", "descr", "key");
  header("{'a': 1}\n", "unknown key", "a", "descr, fortran_order, shape");
  header("{'descr': '<f4', 'descr': '<f4'}\n", "stands twice", "descr", "once");
  header(dictionary("'<f4'", "False", "(6,)").insert(0, "__import__('os')"), "not a dictionary",
         "__import__", "{");
  header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), } + 1\n",
         "unexpected text after the header", "+ 1", "spaces");
  header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }\n\n",
         "unexpected text after the header", "", "spaces");
  header(dictionary("'<f4'", "0", "(6,)"), "neither True nor False", "0", "True, False");
  header(dictionary("'<f4'", "false", "(6,)"), "neither True nor False", "false", "True, False");
  header(dictionary("'<f4'", "True and False", "(6,)"), "not a dictionary", "and", "}");
  header("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), \0}\n"s, "not a dictionary",
         "\\x00", "key");
}

TEST_F(Npy, Shapes) {
  const auto shape = [&](const std::string& text, const std::string& what, const std::string& found,
                         const std::string& allowed) {
    refused(npy(dictionary("'<f4'", "False", text), std::string(24, '\0')), what, "x.npy", found,
            allowed);
  };
  shape("6", "not a tuple", "6", "(axis");
  shape("[6]", "not a tuple", "[6]", "(axis");
  shape("(6)", "not a tuple", "(6)", "(6,)");
  shape("(-6,)", "axis is not a length", "-6", "whole number");
  shape("(6.0,)", "not a dictionary", ".0", ")");
  shape("(1e3,)", "not a dictionary", "e3", ")");
  shape("(0x6,)", "not a dictionary", "x6", ")");
  shape("(1_000,)", "not a dictionary", "_000", ")");
  shape("(2*3,)", "not a dictionary", "*3", ")");
  shape("(,)", "axis is not a length", ",", "whole number");
  shape("(6,,)", "axis is not a length", ",", "whole number");
  shape("(None,)", "axis is not a length", "None", "whole number");
  shape("(True,)", "axis is not a length", "True", "whole number");
  shape("((6,),)", "axis is not a length", "(6,)", "whole number");
  shape("(99999999999999999999,)", "axis is too long", "9999", "2^63");
  shape("(9223372036854775807, 4)", "shape is too large", "9223372036854775807", "2^63 bytes");
  shape("(4294967296, 4294967296, 0)", "shape is too large", "4294967296", "2^63 bytes");
  shape("(1, 1, 1, 1, 1, 1, 1, 1, 1)", "too many axes", "more than 8", "at most 8");
  shape("(7,)", "elements are missing", "24 bytes", "28 bytes for <f4 [7]");
  shape("(5,)", "bytes are left over", "24 bytes", "20 bytes for <f4 [5]");
  shape("(1099511627776,)", "elements are missing", "24 bytes", "4398046511104 bytes");
}

TEST_F(Npy, ElementTypes) {
  const auto type = [&](const std::string& descr, const std::string& what,
                        const std::string& found) {
    refused(npy(dictionary(descr, "False", "(6,)"), std::string(24, '\0')), what, "x.npy, byte ",
            found, "");
  };
  type("'|O'", "not real numbers", "Python objects");
  type("'O'", "not real numbers", "Python objects");
  type("'|S5'", "not real numbers", "byte strings");
  type("'|a5'", "not real numbers", "byte strings");
  type("'<U4'", "not real numbers", "texts");
  type("'|V8'", "not real numbers", "raw records");
  type("'<M8[ns]'", "not real numbers", "times");
  type("'<m8[ns]'", "not real numbers", "times");
  type("'<c8'", "not real numbers", "complex");
  type("'>c16'", "not real numbers", "complex");
  type("[('a', '<f4'), ('b', '<f4')]", "element type has fields", "[('a'");
  type("'<f16'", "element type is unknown", "<f16");
  type("'<u2'", "element type is unknown", "<u2");
  type("'<u8'", "element type is unknown", "<u8");
  type("'<f'", "element type is unknown", "<f");
  type("'f4'", "element type is unknown", "f4");
  type("'<<f4'", "element type is unknown", "<<f4");
  type("''", "element type is unknown", "\"\"");
  type("'<'", "element type is unknown", "<");
  type("'|f4'", "no byte order", "|f4");
  type("None", "not a dictionary", "None");
  type("numpy.float32", "not a dictionary", "numpy");
}

TEST_F(Npy, FilesThatAreNone) {
  expect_refused({ErrorCode::kBadInput, "file cannot be opened", "missing.npy", "", ""},
                 [&] { NpyFile::open(folder_.path / "missing.npy"); });
  expect_refused({ErrorCode::kBadInput, "not a file", "", "a folder", "a .npy file"},
                 [&] { NpyFile::open(folder_.path); });
  const fs::path pipe = folder_.path / "pipe.npy";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused({ErrorCode::kBadInput, "not a file", "pipe.npy", "a pipe", ""},
                 [&] { NpyFile::open(pipe); });
}

TEST_F(Npy, AFileThatShrinksIsAnError) {
  const NpyFile file = open(f4("(1000,)", 1000));
  ASSERT_EQ(truncate(path().c_str(), 2000), 0);
  expect_refused(
      {ErrorCode::kBadInput, "became shorter", "x.npy, byte 2000", "end of file", "more"},
      [&] { static_cast<void>(file.read()); });
}

TEST_F(Npy, NoPrefixAndNoFlippedBitCrashes) {
  const std::string good = f4("(2, 3)", 6);
  ASSERT_NO_THROW(open(good));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(open(good.substr(0, length)), Error) << length;
  int accepted = 0;
  for (size_t at = 0; at < good.size() - 24; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      try {
        static_cast<void>(open(bad).read());
        ++accepted;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      }
    }
  EXPECT_LT(accepted, 10);  // accepted, for example: < changed to >
}

}  // namespace
}  // namespace attn
