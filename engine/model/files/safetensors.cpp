// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/model/files/file_format.h"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors is little endian and read as it is");

using Json = nlohmann::json;

constexpr uint64_t kMaxHeaderBytes = 100'000'000;
constexpr size_t kMaxTensors = 250'000;
// Most JSON values of one tensor, or of the metadata.
constexpr size_t kMaxMemberValues = 20'000;
// Estimated bytes of memory for each byte of a header: its text and the list of its tensors.
constexpr uint64_t kBytesPerHeaderByte = 8;
constexpr uint64_t kMaxExactInteger = uint64_t{1} << 53;  // integers up to this are exact as double

// Types of the format that are not read here. A file may have such tensors as long as nobody reads
// them.
struct OtherType {
  std::string_view name;
  int64_t bits;
};
constexpr std::array<OtherType, 10> kOtherTypes = {{{"U16", 16},
                                                    {"U32", 32},
                                                    {"U64", 64},
                                                    {"C64", 64},
                                                    {"F8_E4M3FNUZ", 8},
                                                    {"F8_E5M2FNUZ", 8},
                                                    {"F8_E8M0", 8},
                                                    {"F6_E2M3", 6},
                                                    {"F6_E3M2", 6},
                                                    {"F4", 4}}};
constexpr const char* kSupported =
    "F64, F32, F16, BF16, F8_E4M3, F8_E5M2, I64, I32, I16, I8, U8, BOOL";

// Describes, for an error message, a file whose first 8 bytes are no header length and are not
// followed by `{`.
const char* other_content(std::string_view head) {
  const auto is_text = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t';
  };
  if (!std::ranges::all_of(head, is_text)) return "bytes that do not begin with a header length";
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' ? "a text, perhaps JSON" : "a text";
}

// Reads the header and checks it against the number of data bytes after it.
class HeaderReader {
 public:
  HeaderReader(std::string file, uint64_t data_bytes)
      : file_(std::move(file)), data_bytes_(data_bytes) {}

  void read(std::string_view text, std::vector<TensorEntry>& tensors,
            std::map<std::string, std::string>& metadata) const {
    const JsonLimits limits{.max_bytes = kMaxHeaderBytes, .max_values = kMaxMemberValues};
    parse_json_members(text, file_ + " header", limits,
                       [&](const std::string& name, const Json& value) {
                         if (name == "__metadata__") {
                           read_metadata(value, metadata);
                           return;
                         }
                         if (tensors.size() == kMaxTensors)
                           refuse("too many tensors", "$", fmt::format("more than {}", kMaxTensors),
                                  fmt::format("at most {}", kMaxTensors));
                         tensors.push_back(read_entry(name, value));
                       });
    check_cover(tensors);
  }

 private:
  [[noreturn]] void refuse(const char* what, const std::string& path, std::string found,
                           std::string allowed, std::string advice = "") const {
    throw_bad_input({what, fmt::format("{}, {}", file_, path), std::move(found), std::move(allowed),
                     std::move(advice)});
  }

  void read_metadata(const Json& value, std::map<std::string, std::string>& metadata) const {
    if (!value.is_object())
      refuse("metadata is not an object", "$.__metadata__", value.type_name(), "texts by name");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string())
        refuse("metadata is not text", "$.__metadata__" + path_step(key), text.type_name(),
               "a string");
      metadata.emplace(key, text.get<std::string>());
    }
  }

  uint64_t whole_number(const Json& value, const std::string& path) const {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > kMaxExactInteger)
      refuse("not a whole number in range", path,
             value.is_number() ? value.dump() : value.type_name(), "0 to 2^53");
    return value.get<uint64_t>();
  }

  // Sets entry.dtype if the type is read here; returns the number of bits of an element.
  int64_t read_dtype(const std::string& path, TensorEntry& entry) const {
    const std::string& name = entry.dtype_name;
    // The format's names are upper case; dtype_from_name knows lower case ones too.
    const bool is_upper =
        std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (is_upper) entry.dtype = dtype_from_name(name);
    if (entry.dtype) return 8 * static_cast<int64_t>(size_of(*entry.dtype));
    const auto* other = std::ranges::find(kOtherTypes, name, &OtherType::name);
    if (other == kOtherTypes.end())
      refuse("element type is unknown", path, quote_text(name), kSupported);
    return other->bits;
  }

  TensorEntry read_entry(const std::string& name, const Json& value) const {
    const std::string path = "$" + path_step(name);
    if (!value.is_object())
      refuse("tensor is not an object", path, value.type_name(), "dtype, shape, data_offsets");
    for (const auto& [key, ignored] : value.items())
      if (key != "dtype" && key != "shape" && key != "data_offsets")
        refuse("unknown key of a tensor", path + path_step(key), quote_text(key),
               "dtype, shape, data_offsets");
    for (const char* key : {"dtype", "shape", "data_offsets"})
      if (!value.contains(key))
        refuse("key is missing", path, fmt::format("no {}", key), "dtype, shape, data_offsets");

    TensorEntry entry;
    entry.name = name;
    const Json& dtype = value["dtype"];
    if (!dtype.is_string())
      refuse("element type is not text", path + ".dtype", dtype.type_name(), kSupported);
    entry.dtype_name = dtype.get<std::string>();
    const int64_t bits = read_dtype(path + ".dtype", entry);
    const uint64_t bytes = read_shape(value["shape"], path + ".shape", bits, entry);

    const Json& offsets = value["data_offsets"];
    const std::string at = path + ".data_offsets";
    if (!offsets.is_array() || offsets.size() != 2)
      refuse("byte range is not a pair", at, offsets.type_name(), "[begin, end]");
    entry.begin = whole_number(offsets[0], at + "[0]");
    entry.end = whole_number(offsets[1], at + "[1]");
    if (entry.begin > entry.end)
      refuse("byte range ends before it begins", at, offsets.dump(), "begin <= end");
    if (entry.end > data_bytes_)
      refuse("byte range ends past the end of the file", at, fmt::format("{}", entry.end),
             fmt::format("at most {} bytes of data", data_bytes_));
    if (entry.end - entry.begin != bytes)
      refuse("byte range does not fit shape and type", at,
             fmt::format("{} bytes", entry.end - entry.begin),
             fmt::format("{} bytes for {} {}", bytes, entry.dtype_name, to_string(entry.shape)));
    return entry;
  }

  // Fills entry.shape; returns the number of bytes that its elements of `bits` bits each need.
  uint64_t read_shape(const Json& shape, const std::string& path, int64_t bits,
                      TensorEntry& entry) const {
    if (!shape.is_array()) refuse("shape is not an array", path, shape.type_name(), "[axis, ...]");
    if (shape.size() > kMostTensorAxes)
      refuse("tensor has too many axes", path, fmt::format("{}", shape.size()),
             fmt::format("at most {}", kMostTensorAxes));
    int64_t count = 1, bytes = 0;
    const auto refuse_size = [&] {
      refuse("shape is too large", path, shape.dump(), "fewer than 2^63 bytes");
    };
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const auto length =
          static_cast<int64_t>(whole_number(shape[axis], fmt::format("{}[{}]", path, axis)));
      entry.shape.push_back(length);
      if (__builtin_mul_overflow(count, length, &count)) refuse_size();
    }
    const int64_t rest_bits = count % 8 * bits;
    if (rest_bits % 8 != 0)
      refuse("elements do not fill whole bytes", path, fmt::format("{} of {} bits", count, bits),
             "a multiple of 8 bits");
    if (__builtin_mul_overflow(count / 8, bits, &bytes) ||
        __builtin_add_overflow(bytes, rest_bits / 8, &bytes))
      refuse_size();
    return static_cast<uint64_t>(bytes);
  }

  // Sorts the tensors by their place in the data. They must cover all of it, without overlaps or
  // holes.
  void check_cover(std::vector<TensorEntry>& tensors) const {
    std::sort(tensors.begin(), tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    uint64_t covered = 0;
    for (const TensorEntry& entry : tensors) {
      if (entry.begin != covered)
        refuse(entry.begin < covered ? "tensors overlap" : "there is a hole before the tensor",
               "$" + path_step(entry.name) + ".data_offsets[0]", fmt::format("{}", entry.begin),
               fmt::format("{}", covered));
      covered = entry.end;
    }
    if (covered != data_bytes_)
      refuse("bytes are left over after the last tensor", "data",
             fmt::format("{} bytes of data", data_bytes_), fmt::format("{}", covered));
  }

  std::string file_;
  uint64_t data_bytes_;
};

// Refuses a header with more than kMaxTensors + 2 JSON objects: each tensor is one, and so are the
// whole header and the metadata. Reads it piece by piece, because its text may take 100 MB.
void refuse_too_many_tensors(const InputFile& file, uint64_t header_bytes) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  if (header_bytes < 2 * kMaxTensors) return;
  std::string piece;
  size_t objects = 0;
  bool in_text = false, is_escaped = false;
  for (uint64_t at = 0; at < header_bytes; at += piece.size()) {
    piece.resize(static_cast<size_t>(std::min(kPiece, header_bytes - at)));
    file.read(8 + at, piece.data(), piece.size());
    for (const char c : piece) {
      if (is_escaped)
        is_escaped = false;
      else if (c == '"')
        in_text = !in_text;
      else if (in_text)
        is_escaped = c == '\\';
      else
        objects += c == '{' ? 1 : 0;
    }
    if (objects > kMaxTensors + 2)
      throw_bad_input({"too many tensors", fmt::format("{}, $", file.path().filename().string()),
                       fmt::format("more than {} objects in the header", kMaxTensors),
                       fmt::format("at most {}", kMaxTensors), ""});
  }
}

}  // namespace

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  SafetensorsFile result;
  result.file_ = InputFile::open(file, "a safetensors file");
  const uint64_t file_bytes = result.file_.size();

  std::array<char, 32> head{};
  const size_t head_bytes = static_cast<size_t>(std::min<uint64_t>(file_bytes, head.size()));
  result.file_.read(0, head.data(), head_bytes);
  uint64_t header_bytes = 0;
  if (head_bytes >= 8) std::memcpy(&header_bytes, head.data(), 8);
  const bool is_plausible = head_bytes > 8 && header_bytes <= kMaxHeaderBytes &&
                            header_bytes <= file_bytes - 8 && head[8] == '{';
  if (!is_plausible) {
    if (const FileFormat* format = format_of({head.data(), head_bytes}))
      throw_bad_input({"not a safetensors file", name + ", byte 0", format->name, "safetensors",
                       format->advice});
    if (head_bytes < 8)
      throw_bad_input({"file is too short", name + ", byte 0", fmt::format("{} bytes", file_bytes),
                       "at least 8 bytes of header length", ""});
    if (header_bytes > file_bytes - 8 && (head_bytes == 8 || head[8] != '{'))
      throw_bad_input({"not a safetensors file", name + ", byte 0",
                       other_content({head.data(), head_bytes}), "safetensors", ""});
    if (header_bytes > kMaxHeaderBytes)
      throw_bad_input({"header is too long", name + ", byte 0",
                       fmt::format("{} bytes", header_bytes),
                       fmt::format("at most {}", kMaxHeaderBytes), ""});
    if (header_bytes > file_bytes - 8)
      throw_bad_input({"header ends past the end of the file", name + ", byte 0",
                       fmt::format("{} bytes", header_bytes),
                       fmt::format("at most {} bytes that remain", file_bytes - 8),
                       "The file may be cut off"});
    throw_bad_input({"header does not start with {", name + ", byte 8",
                     header_bytes == 0 ? "an empty header" : quote_text({head.data() + 8, 1}), "{",
                     ""});
  }

  refuse_too_many_tensors(result.file_, header_bytes);
  ask_memory({.bytes = static_cast<double>(header_bytes * kBytesPerHeaderByte),
              .what = "header does not fit in memory",
              .where = name + ", byte 0",
              .found = fmt::format("{} bytes of header x {}", header_bytes, kBytesPerHeaderByte),
              .advice = ""});
  std::string text(static_cast<size_t>(header_bytes), '\0');
  result.file_.read(8, text.data(), header_bytes);
  result.data_begin_ = 8 + header_bytes;
  HeaderReader(name, file_bytes - result.data_begin_).read(text, result.tensors_, result.metadata_);
  text = {};
  for (size_t i = 0; i < result.tensors_.size(); ++i)
    result.index_.emplace(result.tensors_[i].name, i);
  return result;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto entry = index_.find(name);
  return entry == index_.end() ? nullptr : &tensors_[entry->second];
}

Tensor SafetensorsFile::read(const TensorEntry& entry) const {
  if (!entry.dtype)
    throw_bad_input({"element type is not supported",
                     fmt::format("{}, {}", file_.path().filename().string(), entry.name),
                     entry.dtype_name, kSupported, "Convert the tensor to F32, F16 or BF16"});
  const auto bytes = static_cast<double>(entry.end - entry.begin);
  ask_memory({.bytes = bytes,
              .what = "tensor does not fit in memory",
              .where = fmt::format("{}, {}", file_.path().filename().string(), entry.name),
              .found = fmt::format("{} of {} = {}", to_string(entry.shape), entry.dtype_name,
                                   bytes_text(bytes)),
              .advice = ""});
  Tensor tensor(*entry.dtype, entry.shape);
  file_.read(data_begin_ + entry.begin, tensor.raw(), entry.end - entry.begin);
  return tensor;
}

Tensor SafetensorsFile::read(std::string_view name) const {
  const TensorEntry* entry = find(name);
  if (!entry) {
    std::vector<std::string> names;
    if (tensors_.size() <= 10'000)
      for (const TensorEntry& tensor : tensors_) names.push_back(tensor.name);
    const std::string near = nearest_match(name, names);
    throw_bad_input({"tensor is missing", file_.path().filename().string(),
                     fmt::format("no {}", quote_text(name)),
                     fmt::format("{} tensors", tensors_.size()),
                     near.empty() ? "" : "Did you mean " + quote_text(near) + "?"});
  }
  return read(*entry);
}

namespace {

std::string format_name(DType dtype) {
  std::string name(name_of(dtype));
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

// The header with its length in front, padded with spaces so that the data is 8-byte aligned.
std::string header_text(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                        const std::map<std::string, std::string>& metadata) {
  const auto text = [&](const std::string& value) {
    try {
      return Json(value).dump();
    } catch (const Json::exception&) {
      throw_bad_input(
          {"name is not UTF-8", file.filename().string(), quote_text(value), "UTF-8 text", ""});
    }
  };
  std::unordered_set<std::string_view> names;
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata)
      header += fmt::format("{}:{},", text(key), text(value));
    header.back() = '}';
    header += ',';
  }
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    if (name == "__metadata__" || !names.insert(name).second)
      throw_bad_input({"tensor name cannot be used", file.filename().string(), quote_text(name),
                       "each name once", ""});
    header += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}},",
                          text(name), format_name(tensor->dtype()), fmt::join(tensor->shape(), ","),
                          offset, offset + tensor->bytes());
    offset += tensor->bytes();
  }
  if (header.back() == ',') header.pop_back();
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t length = header.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out + header;
}

}  // namespace

void write_safetensors(const std::filesystem::path& name, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  WholeFile out(name);
  out.write(header_text(out.file(), tensors, metadata));
  for (const NamedTensor& named : tensors)
    out.write({reinterpret_cast<const char*>(named.tensor->raw()), named.tensor->bytes()});
  out.commit();
}

}  // namespace attn
