// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/files/file_format.h"

namespace attn {
namespace {

using namespace std::string_view_literals;

constexpr auto kMagic = "\x93NUMPY"sv;
constexpr uint64_t kMaxNpyHeaderBytes = uint64_t{1} << 20;
constexpr const char* kNpyTypes = "f2, f4, f8 (i1, i2, i4, i8, u1 and b1 can only be inspected)";
constexpr const char* kConvert = "Save it as array.astype(numpy.float32)";

struct TypeName {
  std::string_view code;  // kind and size in bytes
  DType dtype;
};
constexpr TypeName kTypeNames[] = {{"f2", DType::kF16}, {"f4", DType::kF32}, {"f8", DType::kF64},
                                   {"i1", DType::kI8},  {"i2", DType::kI16}, {"i4", DType::kI32},
                                   {"i8", DType::kI64}, {"u1", DType::kU8},  {"b1", DType::kBool}};

// What the elements of a type are, if they are not real numbers; null for other types.
const char* kind_of(std::string_view descr) {
  constexpr auto kOrders = "<>|="sv;
  const size_t at = !descr.empty() && kOrders.find(descr[0]) != kOrders.npos ? 1 : 0;
  if (at >= descr.size()) return nullptr;
  switch (descr[at]) {
    case 'O':
      return "Python objects, which are pickles and can run code";
    case 'S':
    case 'a':
      return "byte strings";
    case 'U':
      return "texts";
    case 'V':
      return "raw records";
    case 'M':
    case 'm':
      return "times";
    case 'c':
      return "complex numbers";
    default:
      return nullptr;
  }
}

}  // namespace

class NpyHeader {
 public:
  NpyHeader(std::string file, std::string text, uint64_t first_byte)
      : file_(std::move(file)), text_(std::move(text)), first_byte_(first_byte) {}

  void read(NpyFile& npy) {
    if (text_.empty() || text_.back() != '\n')
      refuse("header does not end with a line end", text_.empty() ? 0 : text_.size() - 1,
             text_.empty() ? "an empty header" : quote_text({&text_.back(), 1}), "\\n");
    text_.pop_back();
    skip_spaces();
    expect('{');
    bool descr = false, order = false, shape = false;
    for (skip_spaces(); !take('}'); skip_spaces()) {
      const size_t at = at_;
      const std::string key = quoted("the name of a key");
      skip_spaces();
      expect(':');
      skip_spaces();
      bool* const seen = key == "descr"           ? &descr
                         : key == "fortran_order" ? &order
                         : key == "shape"         ? &shape
                                                  : nullptr;
      if (!seen)
        refuse("unknown key of the header", at, quote_text(key, 60), "descr, fortran_order, shape");
      if (*seen) refuse("key of the header stands twice", at, quote_text(key), "each key once");
      *seen = true;
      if (seen == &descr) read_descr(npy);
      if (seen == &order) npy.fortran_order_ = boolean();
      if (seen == &shape) read_shape(npy);
      skip_spaces();
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (at_ < text_.size())
      refuse("unexpected text after the header", at_, rest(), "spaces and a line end");
    const char* missing = !descr ? "descr" : !order ? "fortran_order" : !shape ? "shape" : nullptr;
    if (missing)
      refuse("key of the header is missing", 0, fmt::format("no {}", missing),
             "descr, fortran_order, shape");
  }

 private:
  [[noreturn]] void refuse(const char* what, size_t at, std::string found, std::string allowed,
                           std::string advice = "") const {
    throw_bad_input({what, fmt::format("{}, byte {}", file_, first_byte_ + at), std::move(found),
                     std::move(allowed), std::move(advice)});
  }
  std::string rest() const {
    return at_ >= text_.size() ? "the end of the header"
                               : quote_text(std::string_view(text_).substr(at_, 24));
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse("header is not a dictionary as NumPy writes it", at_, rest(), {&c, 1});
  }
  bool take_word(std::string_view word) {
    if (!std::string_view(text_).substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // Reads a string in ' or ". Escapes are not handled: no allowed string needs them.
  std::string quoted(const char* what) {
    const size_t at = at_;
    const char mark = at_ < text_.size() ? text_[at_] : '\0';
    if (mark != '\'' && mark != '"')
      refuse("header is not a dictionary as NumPy writes it", at, rest(), what);
    const size_t end = text_.find(mark, at_ + 1);
    if (end == std::string::npos)
      refuse("a text in the header has no closing quote", at, rest(), {&mark, 1});
    at_ = end + 1;
    return text_.substr(at + 1, end - at - 1);
  }
  bool boolean() {
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    refuse("fortran_order is neither True nor False", at_, rest(), "True, False");
  }

  void read_descr(NpyFile& npy) {
    const size_t at = at_;
    if (at_ < text_.size() && text_[at_] == '[')
      refuse("element type has fields", at, rest(), kNpyTypes,
             "Save one array of numbers for each field");
    const std::string descr = quoted("the type of the elements, as '<f4'");
    if (const char* kind = kind_of(descr))
      refuse("elements are not real numbers", at,
             fmt::format("{}: {}", quote_text(descr, 40), kind), kNpyTypes, kConvert);
    const char order = descr.empty() ? '\0' : descr[0];
    const auto type = std::ranges::find(
        kTypeNames, std::string_view(descr).substr(descr.empty() ? 0 : 1), &TypeName::code);
    if ((order != '<' && order != '>' && order != '|' && order != '=') ||
        type == std::end(kTypeNames))
      refuse("element type is unknown", at, quote_text(descr, 40), kNpyTypes, kConvert);
    if (order == '|' && size_of(type->dtype) > 1)
      refuse("element type has no byte order", at, quote_text(descr), "< or > before the type");
    npy.dtype_name_ = descr;
    npy.dtype_ = type->dtype;
    npy.swapped_ = order == '>';
  }

  // Reads a tuple: (), (3,), (3, 4), (3, 4,). Python 2 wrote 3L for 3.
  void read_shape(NpyFile& npy) {
    const size_t at = at_;
    if (!take('(')) refuse("shape is not a tuple", at, rest(), "(axis, ...)");
    bool comma = false;
    for (skip_spaces(); !take(')'); skip_spaces()) {
      const size_t axis = at_;
      int64_t length = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), length);
      if (failure == std::errc::result_out_of_range)
        refuse("axis is too long", axis, rest(), "0 to 2^63 - 1");
      if (failure != std::errc() || length < 0)
        refuse("axis is not a length", axis, rest(), "a whole number, 0 or more");
      at_ += static_cast<size_t>(end - begin);
      take('L');
      npy.shape_.push_back(length);
      if (npy.shape_.size() > kMostTensorAxes)
        refuse("tensor has too many axes", at, fmt::format("more than {}", kMostTensorAxes),
               fmt::format("at most {}", kMostTensorAxes));
      skip_spaces();
      comma = take(',');
      if (comma) continue;
      expect(')');
      break;
    }
    if (npy.shape_.size() == 1 && !comma)
      refuse("shape is not a tuple", at, fmt::format("({})", npy.shape_[0]),
             fmt::format("({},)", npy.shape_[0]));
  }

  std::string file_, text_;
  uint64_t first_byte_;
  size_t at_ = 0;
};

NpyFile NpyFile::open(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  NpyFile npy;
  npy.file_ = InputFile::open(path, "a .npy file");
  const uint64_t size = npy.file_.size();
  std::array<char, 32> head{};
  const auto head_bytes = static_cast<size_t>(std::min<uint64_t>(size, head.size()));
  npy.file_.read(0, head.data(), head_bytes);
  const std::string_view start(head.data(), head_bytes);
  if (!start.starts_with(kMagic)) {
    const FileFormat* format = format_of(start);
    throw_bad_input({"not a .npy file", name + ", byte 0",
                     format      ? format->name
                     : size == 0 ? "an empty file"
                                 : "no \\x93NUMPY at its start",
                     "one array, as numpy.save writes",
                     format ? format->advice : "Save query, key and value each with numpy.save"});
  }
  if (size < 10)
    throw_bad_input({"file is too short", name + ", byte 6", fmt::format("{} bytes", size),
                     "at least 10 bytes: magic, version, header length",
                     "The file may be cut off"});
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(head[at]); };
  const int major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    throw_bad_input({"version is unknown", name + ", byte 6", fmt::format("{}.{}", major, minor),
                     "1.0, 2.0, 3.0", ""});
  const size_t length_bytes = major == 1 ? 2 : 4, header_begin = 8 + length_bytes;
  if (size < header_begin)
    throw_bad_input({"file is too short", name + ", byte 8", fmt::format("{} bytes", size),
                     fmt::format("at least {} bytes: magic, version, header length", header_begin),
                     "The file may be cut off"});
  uint64_t header_bytes = 0;
  for (size_t i = 0; i < length_bytes; ++i) header_bytes |= uint64_t{byte(8 + i)} << (8 * i);
  if (header_bytes > size - header_begin)
    throw_bad_input({"header ends past the end of the file", name + ", byte 8",
                     fmt::format("{} bytes", header_bytes),
                     fmt::format("at most {} bytes that remain", size - header_begin),
                     "The file may be cut off"});
  if (header_bytes > kMaxNpyHeaderBytes)
    throw_bad_input({"header is too long", name + ", byte 8", fmt::format("{} bytes", header_bytes),
                     fmt::format("at most {}", kMaxNpyHeaderBytes), ""});
  std::string text(static_cast<size_t>(header_bytes), '\0');
  npy.file_.read(header_begin, text.data(), header_bytes);
  NpyHeader(name, std::move(text), header_begin).read(npy);
  npy.data_begin_ = header_begin + header_bytes;

  const uint64_t rest = size - npy.data_begin_;
  auto bytes = static_cast<int64_t>(size_of(npy.dtype_));
  bool too_large = false;
  for (const int64_t axis : npy.shape_) too_large |= __builtin_mul_overflow(bytes, axis, &bytes);
  // The flag is needed: a later axis of length 0 would make the product 0 and hide the overflow.
  if (too_large)
    throw_bad_input(
        {"shape is too large", name, to_string(npy.shape_), "fewer than 2^63 bytes", ""});
  if (static_cast<uint64_t>(bytes) != rest)
    throw_bad_input(
        {static_cast<uint64_t>(bytes) > rest ? "elements are missing at the end of the file"
                                             : "bytes are left over after the last element",
         fmt::format("{}, byte {}", name, npy.data_begin_), fmt::format("{} bytes", rest),
         fmt::format("{} bytes for {} {}", bytes, npy.dtype_name_, to_string(npy.shape_)),
         static_cast<uint64_t>(bytes) > rest ? "The file may be cut off" : ""});
  return npy;
}

namespace {

void swap_bytes(Tensor& tensor) {
  const size_t width = size_of(tensor.dtype());
  auto* const bytes = static_cast<char*>(tensor.raw());
  for (size_t at = 0; at < tensor.bytes(); at += width)
    std::reverse(bytes + at, bytes + at + width);
}

// Copies an array whose first axis varies fastest to row-major order.
Tensor to_row_major(const Tensor& from) {
  Tensor to(from.dtype(), from.shape());
  const auto rank = static_cast<size_t>(from.rank());
  const size_t width = size_of(from.dtype());
  std::vector<int64_t> step(rank), index(rank, 0);  // step: strides of `from`, in elements
  int64_t product = 1;
  for (size_t axis = 0; axis < rank; ++axis) {
    step[axis] = product;
    product *= from.shape()[axis];
  }
  const auto* const in = static_cast<const char*>(from.raw());
  auto* const out = static_cast<char*>(to.raw());
  int64_t at = 0;
  for (int64_t i = 0; i < from.size(); ++i) {
    std::memcpy(out + static_cast<size_t>(i) * width, in + static_cast<size_t>(at) * width, width);
    for (size_t axis = rank; axis-- > 0;) {
      at += step[axis];
      if (++index[axis] < from.shape()[axis]) break;
      at -= step[axis] * from.shape()[axis];
      index[axis] = 0;
    }
  }
  return to;
}

}  // namespace

Tensor NpyFile::read() const {
  Tensor tensor(dtype_, shape_);
  file_.read(data_begin_, tensor.raw(), tensor.bytes());
  if (swapped_) swap_bytes(tensor);
  return fortran_order_ && shape_.size() > 1 ? to_row_major(tensor) : std::move(tensor);
}

std::string npy_bytes(const Tensor& tensor) {
  constexpr size_t kAlignment = 64;  // of the data, as numpy writes it
  const float* data = tensor.data<float>();
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (const int64_t axis : tensor.shape()) header += fmt::format("{}, ", axis);
  header += "), }";
  const size_t before = kMagic.size() + 4;  // bytes of magic, version and header length
  header.append(kAlignment - (before + header.size() + 1) % kAlignment, ' ') += '\n';
  std::string bytes(kMagic);
  bytes +=
      {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(data), tensor.bytes());
  return bytes;
}

}  // namespace attn
