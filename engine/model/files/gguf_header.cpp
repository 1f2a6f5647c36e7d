// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/gguf_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/memory.h"

namespace attn {
namespace {

constexpr uint64_t kMostKeys = 1'000'000, kMostGgufTensors = 1'000'000;
constexpr uint64_t kMostKeyBytes = 65'535, kMostNameBytes = 64;
constexpr uint32_t kMostAxes = 4;
constexpr uint64_t kLeastAlignment = 8, kMostAlignment = 65'536;
// The fewest bytes of a key with its value, and of an entry of the table of tensors.
constexpr uint64_t kLeastKeyBytes = 8 + 1 + 4 + 1, kLeastTensorBytes = 8 + 1 + 4 + 4 + 8;
// Estimated bytes of memory for a value with its key, for a tensor, and for a text of an array,
// each without the letters of its texts.
constexpr uint64_t kValueMemory = 320, kTensorMemory = 1024, kTextMemory = 64;

// Takes numbers and texts from a file, one after another. Refuses what would go beyond its end.
class GgufBytes {
 public:
  GgufBytes(const InputFile& file, const std::string& name) : file_(file), name_(name) {}

  uint64_t at() const { return at_; }
  uint64_t remaining() const { return file_.size() - at_; }
  std::string place(uint64_t at) const { return fmt::format("{}, byte {}", name_, at); }
  [[noreturn]] void refuse(uint64_t at, std::string what, std::string found, std::string allowed,
                           std::string advice = "") const {
    throw_bad_input(
        {std::move(what), place(at), std::move(found), std::move(allowed), std::move(advice)});
  }

  void bytes(void* to, uint64_t count, const char* what) {
    need(count, 1, what);
    auto* out = static_cast<char*>(to);
    while (count > 0) {
      if (at_ < buffer_at_ || at_ >= buffer_at_ + buffer_.size()) {
        if (count >= kBufferBytes) {  // large pieces are read without the buffer
          file_.read(at_, out, count);
          at_ += count;
          return;
        }
        buffer_.resize(static_cast<size_t>(std::min<uint64_t>(kBufferBytes, remaining())));
        file_.read(at_, buffer_.data(), buffer_.size());
        buffer_at_ = at_;
      }
      const uint64_t from = at_ - buffer_at_,
                     part = std::min<uint64_t>(count, buffer_.size() - from);
      std::memcpy(out, buffer_.data() + from, part);
      out += part;
      at_ += part;
      count -= part;
    }
  }
  template <class T>
  T number(const char* what) {
    T value;
    bytes(&value, sizeof(T), what);
    return value;
  }
  // Refuses `count` records of at least `each` bytes where fewer bytes remain.
  void need(uint64_t count, uint64_t each, const char* what) const {
    if (count <= remaining() / each) return;
    refuse(at_, fmt::format("file ends inside {}", what),
           each == 1 ? fmt::format("{} bytes", count)
                     : fmt::format("{} of at least {} bytes", count, each),
           fmt::format("{} bytes that remain", remaining()), "The file may be cut off");
  }
  std::string text(uint64_t most, const char* what) {
    const uint64_t begin = at_, length = number<uint64_t>(what);
    if (length > remaining())
      refuse(begin, fmt::format("file ends inside {}", what),
             fmt::format("a text of {} bytes", length),
             fmt::format("{} bytes that remain", remaining()), "The file may be cut off");
    if (length > most)
      refuse(begin, fmt::format("{}: the text is too long", what), fmt::format("{} bytes", length),
             fmt::format("at most {} bytes", most));
    take_memory(length);
    std::string result(static_cast<size_t>(length), '\0');
    bytes(result.data(), length, what);
    return result;
  }
  // Adds `more` to the bytes of memory that the header takes. From time to time, checks that the
  // sum fits in memory.
  void take_memory(uint64_t more) {
    taken_ += static_cast<double>(more);
    if (taken_ <= granted_) return;
    ask_memory({.bytes = taken_,
                .what = "metadata does not fit in memory",
                .where = place(at_),
                .found = bytes_text(taken_),
                .advice = ""});
    granted_ = std::max<double>(kSmallNeed, 1.25 * taken_);
  }

 private:
  static constexpr uint64_t kBufferBytes = uint64_t{1} << 16;
  const InputFile& file_;
  std::string name_;
  uint64_t at_ = 0, buffer_at_ = 0;
  std::vector<char> buffer_;
  double taken_ = 0, granted_ = 0;  // bytes
};

class GgufHeaderReader {
 public:
  GgufHeaderReader(const InputFile& file, const std::string& name)
      : in_(file, name), file_bytes_(file.size()) {
    header_.metadata = GgufMetadata(name);
  }

  GgufHeader read() && {
    in_.number<uint32_t>("the letters of the format");
    read_version();
    const uint64_t tensors_at = in_.at(), tensors = in_.number<uint64_t>("the number of tensors");
    const uint64_t keys_at = in_.at(), keys = in_.number<uint64_t>("the number of keys");
    check_count(keys_at, "keys", keys, kMostKeys);
    check_count(tensors_at, "tensors", tensors, kMostGgufTensors);
    in_.need(keys, kLeastKeyBytes, "the keys");
    in_.need(tensors, kLeastTensorBytes, "the table of tensors");
    for (uint64_t i = 0; i < keys; ++i) header_.metadata.add(read_value());
    read_alignment();
    in_.need(tensors, kLeastTensorBytes, "the table of tensors");
    for (uint64_t i = 0; i < tensors; ++i) {
      const uint64_t at = in_.at();
      header_.tensors.push_back(read_tensor());
      entries_at_.push_back(at);
    }
    header_.data_begin = align_up(in_.at(), header_.alignment);
    for (size_t i = 0; i < header_.tensors.size(); ++i) place(header_.tensors[i], entries_at_[i]);
    return std::move(header_);
  }

 private:
  void check_count(uint64_t at, const char* what, uint64_t count, uint64_t most) const {
    if (count > most)
      in_.refuse(at, fmt::format("too many {}", what), fmt::format("{}", count),
                 fmt::format("at most {}", most));
  }

  void read_version() {
    const uint64_t at = in_.at();
    const auto version = in_.number<uint32_t>("the version");
    header_.version = static_cast<int>(version);
    if (version == 2 || version == 3) return;
    const uint32_t turned = __builtin_bswap32(version);
    if (turned >= 1 && turned <= 3)
      in_.refuse(at, "file is big endian", fmt::format("version {} with its bytes turned", turned),
                 "little endian", "Convert the model again for this kind of machine");
    in_.refuse(at, "version is not supported", fmt::format("{}", version), "2 or 3",
               version == 1
                   ? "Convert the model again: version 1 was in use for a few weeks of 2023"
                   : "");
  }

  GgufType read_type(const char* what) {
    const uint64_t at = in_.at();
    const auto type = in_.number<uint32_t>(what);
    if (type >= kNumGgufTypes)
      in_.refuse(at, "type of a value is unknown", fmt::format("{}", type),
                 fmt::format("0 to {}", kNumGgufTypes - 1));
    return static_cast<GgufType>(type);
  }

  GgufValue read_value() {
    in_.take_memory(kValueMemory);
    GgufValue value;
    value.at = in_.at();
    value.key = in_.text(kMostKeyBytes, "a key");
    if (value.key.empty()) in_.refuse(value.at, "key is empty", "no letters", "a name");
    value.type = value.element = read_type("the type of a value");
    if (value.type == GgufType::kText) {
      value.bytes = in_.text(~uint64_t{0}, "a text");
      return value;
    }
    if (value.type == GgufType::kArray) {
      const uint64_t at = in_.at();
      value.element = read_type("the element type of an array");
      if (value.element == GgufType::kArray)
        in_.refuse(at, "arrays of arrays are not supported", quote_text(value.key),
                   "an array of numbers, bools or texts");
      const uint64_t count_at = in_.at();
      value.count = in_.number<uint64_t>("the length of an array");
      if (value.element == GgufType::kText) {
        read_texts(value);
        return value;
      }
      const uint64_t each = size_of(value.element);
      if (value.count > in_.remaining() / each)
        in_.refuse(count_at, "file ends inside an array",
                   fmt::format("{} {}", value.count, name_of(value.element)),
                   fmt::format("{} bytes that remain", in_.remaining()), "The file may be cut off");
    }
    const uint64_t begin = in_.at(), bytes = value.count * size_of(value.element);
    in_.take_memory(bytes);
    value.bytes.resize(static_cast<size_t>(bytes));
    in_.bytes(value.bytes.data(), bytes, "a value");
    if (value.element == GgufType::kBool)
      for (size_t i = 0; i < value.bytes.size(); ++i)
        if (static_cast<unsigned char>(value.bytes[i]) > 1)
          in_.refuse(begin + i, "truth value is neither 0 nor 1",
                     fmt::format("{}", static_cast<unsigned char>(value.bytes[i])), "0 or 1");
    return value;
  }

  void read_texts(GgufValue& value) {
    in_.need(value.count, sizeof(uint64_t), "the texts of an array");
    in_.take_memory(value.count * kTextMemory);
    value.texts.reserve(static_cast<size_t>(value.count));
    for (uint64_t i = 0; i < value.count; ++i)
      value.texts.push_back(in_.text(~uint64_t{0}, "a text of an array"));
  }

  void read_alignment() {
    const char* const key = "general.alignment";
    const GgufMetadata& metadata = header_.metadata;
    if (!metadata.has(key)) return;
    const int64_t alignment = metadata.whole(key, 0, int64_t{1} << 32);
    if (alignment < static_cast<int64_t>(kLeastAlignment) ||
        alignment > static_cast<int64_t>(kMostAlignment) ||
        !std::has_single_bit(static_cast<uint64_t>(alignment)))
      metadata.refuse(key, "alignment is not usable", fmt::format("{}", alignment),
                      fmt::format("a power of two from {} to {}", kLeastAlignment, kMostAlignment));
    header_.alignment = static_cast<uint64_t>(alignment);
  }

  GgufTensor read_tensor() {
    in_.take_memory(kTensorMemory);
    GgufTensor tensor;
    const uint64_t begin = in_.at();
    tensor.name = in_.text(kMostNameBytes, "the name of a tensor");
    if (tensor.name.empty()) in_.refuse(begin, "name of a tensor is empty", "no letters", "a name");
    const std::string name = quote_text(tensor.name);
    const uint64_t axes_at = in_.at();
    const auto axes = in_.number<uint32_t>("the number of axes");
    if (axes > kMostAxes)
      in_.refuse(axes_at, fmt::format("tensor {} has too many axes", name), fmt::format("{}", axes),
                 fmt::format("at most {}", kMostAxes));
    for (uint32_t axis = 0; axis < axes; ++axis) {
      const uint64_t at = in_.at(), length = in_.number<uint64_t>("the shape of a tensor");
      if (length > uint64_t{1} << 62)
        in_.refuse(at, fmt::format("axis of tensor {} is too long", name),
                   fmt::format("{}", length), "at most 2^62");
      tensor.shape.push_back(static_cast<int64_t>(length));
    }
    std::ranges::reverse(tensor.shape);  // the file has the fastest axis first
    const uint64_t type_at = in_.at();
    const auto type = in_.number<uint32_t>("the element type of a tensor");
    tensor.type = ggml_type(type);
    if (!tensor.type) {
      const bool removed = is_removed_ggml_type(type);
      in_.refuse(type_at,
                 fmt::format("element type of tensor {} {}", name,
                             removed ? "was removed from the format" : "is unknown"),
                 fmt::format("type {}", type), read_ggml_types(),
                 removed ? "Convert the model again" : "The file may be newer than this program");
    }
    set_bytes(tensor, axes_at);
    tensor.begin = in_.number<uint64_t>("the place of a tensor");
    return tensor;
  }

  // Computes the bytes of a tensor. Refuses rows that are not whole blocks and products that
  // overflow.
  void set_bytes(GgufTensor& tensor, uint64_t shape_at) const {
    const GgmlType& type = *tensor.type;
    const int64_t row = tensor.row_length();
    if (row % type.block != 0)
      in_.refuse(shape_at,
                 fmt::format("rows of tensor {} are not whole blocks", quote_text(tensor.name)),
                 fmt::format("{} numbers", row),
                 fmt::format("a multiple of {}, the block of {}", type.block, type.name));
    // An axis of length 0 must not hide the overflow of the others.
    int64_t count = 1, bytes = 0;
    bool fits = true, is_empty = false;
    for (const int64_t length : tensor.shape) {
      fits = fits && !__builtin_mul_overflow(count, std::max<int64_t>(1, length), &count);
      is_empty = is_empty || length == 0;
    }
    fits = fits && !__builtin_mul_overflow(count / type.block, type.block_bytes, &bytes) &&
           bytes < std::numeric_limits<int64_t>::max() - static_cast<int64_t>(kMostAlignment);
    if (!fits)
      in_.refuse(shape_at, fmt::format("shape of tensor {} is too large", quote_text(tensor.name)),
                 to_string(tensor.shape), "fewer than 2^63 bytes");
    tensor.bytes = is_empty ? 0 : static_cast<uint64_t>(bytes);
  }

  // Turns tensor.begin from an offset in the data into a place in the file. Refuses a tensor that
  // is not aligned or ends past the end of the file.
  void place(GgufTensor& tensor, uint64_t entry_at) const {
    const std::string name = quote_text(tensor.name);
    if (tensor.begin % header_.alignment != 0)
      in_.refuse(entry_at, fmt::format("tensor {} is not aligned", name),
                 fmt::format("offset {}", tensor.begin),
                 fmt::format("a multiple of {}", header_.alignment));
    const uint64_t room = file_bytes_ > header_.data_begin ? file_bytes_ - header_.data_begin : 0;
    if (tensor.begin > room || tensor.bytes > room - tensor.begin)
      in_.refuse(entry_at, fmt::format("tensor {} ends past the end of the file", name),
                 fmt::format("offset {} + {} bytes", tensor.begin, tensor.bytes),
                 fmt::format("at most {} bytes of data", room), "The file may be cut off");
    tensor.begin += header_.data_begin;
  }

  GgufBytes in_;
  uint64_t file_bytes_;
  GgufHeader header_;
  std::vector<uint64_t> entries_at_;  // byte where the entry of each tensor begins
};

}  // namespace

GgufHeader read_gguf_header(const InputFile& file, const std::string& name) {
  return GgufHeaderReader(file, name).read();
}

}  // namespace attn
