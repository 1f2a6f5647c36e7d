// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/memory.h"
#include "engine/model/files/file_format.h"
#include "engine/model/files/gguf_header.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGgufMagic = "GGUF";
constexpr int64_t kMostParts = 4096;
// The most bytes of quantised blocks that are read at a time, to be turned into f32 numbers.
constexpr int64_t kPieceBytes = int64_t{1} << 18;

// The name of part `number` (from 1) of `count`: "model-00002-of-00003.gguf".
std::string part_name(const std::string& stem, int64_t number, int64_t count) {
  return fmt::format("{}-{:05}-of-{:05}.gguf", stem, number, count);
}

// The beginning of the name before the ending of this part, such as "-00001-of-00003.gguf"; ""
// where the name does not have this ending.
std::string stem_of_part(const std::string& name, int64_t number, int64_t count) {
  const std::string ending = part_name("", number, count);
  return name.size() > ending.size() && name.ends_with(ending)
             ? name.substr(0, name.size() - ending.size())
             : "";
}

// Refuses tensors that overlap, holes before a tensor, and bytes after the padding of the last one.
void check_tensor_places(const GgufHeader& header, uint64_t file_bytes,
                         const std::vector<GgufTensor>& tensors) {
  std::vector<const GgufTensor*> sorted;
  for (const GgufTensor& tensor : tensors) sorted.push_back(&tensor);
  std::ranges::stable_sort(sorted, {}, [](const GgufTensor* tensor) {
    return std::pair(tensor->begin, tensor->begin + tensor->bytes);
  });
  uint64_t end = header.data_begin;
  for (const GgufTensor* tensor : sorted) {
    const auto refuse = [&](const char* what) {
      throw_bad_input({what,
                       fmt::format("{}, {}", header.metadata.file(), quote_text(tensor->name)),
                       fmt::format("byte {}", tensor->begin), fmt::format("byte {}", end), ""});
    };
    if (tensor->begin < end && tensor->bytes > 0) refuse("tensors overlap");
    if (tensor->begin > end) refuse("there is a hole before the tensor");
    end = std::max(end, align_up(tensor->begin + tensor->bytes, header.alignment));
  }
  if (file_bytes > end)
    throw_bad_input({"bytes are left over after the last tensor",
                     fmt::format("{}, byte {}", header.metadata.file(), end),
                     fmt::format("{} bytes", file_bytes - end), "the end of the file", ""});
}

// Which part of a split model a file says that it is, from 0, and how many parts there are. A file
// that is not split is part 0 of 1.
struct Split {
  int64_t number = 0, count = 1;
};
Split split_of(const GgufMetadata& metadata) {
  if (!metadata.has("split.count")) return {};
  const int64_t count = metadata.whole("split.count", 0, kMostParts);
  if (count <= 1) return {};
  return {metadata.whole("split.no", 0, count - 1), count};
}

}  // namespace

bool GgufFile::is_gguf(const fs::path& file) {
  try {
    const InputFile input = InputFile::open(file, "a GGUF file");
    std::array<char, kGgufMagic.size()> head{};
    if (input.size() < head.size()) return false;
    input.read(0, head.data(), head.size());
    return std::string_view(head.data(), head.size()) == kGgufMagic;
  } catch (const Error&) {
    return false;
  }
}

std::vector<fs::path> GgufFile::part_files(const fs::path& file) {
  std::vector<fs::path> files = {file};
  // `first` is an ending such as "-00001-of-00002.gguf"; only its length is used.
  const std::string name = file.filename().string(), first = part_name("", 1, 2);
  if (name.size() <= first.size()) return files;
  const std::string count = name.substr(name.size() - 10, 5);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::ranges::all_of(count, is_digit)) return files;
  const int64_t parts = std::stoll(count);
  const std::string stem = stem_of_part(name, 1, parts);
  for (int64_t number = 2; !stem.empty() && number <= std::min(parts, kMostParts); ++number)
    files.push_back(file.parent_path() / part_name(stem, number, parts));
  return files;
}

void GgufFile::add_part(const fs::path& file) {
  const std::string name = file.filename().string();
  InputFile input = InputFile::open(file, "a GGUF file");
  std::array<char, 32> head{};
  const size_t head_bytes = static_cast<size_t>(std::min<uint64_t>(input.size(), head.size()));
  input.read(0, head.data(), head_bytes);
  const std::string_view begin(head.data(), head_bytes);
  if (!begin.starts_with(kGgufMagic)) {
    const FileFormat* other = format_of(begin);
    throw_bad_input({"not a GGUF file", name + ", byte 0",
                     other           ? other->name
                     : begin.empty() ? "an empty file"
                                     : quote_text(begin.substr(0, kGgufMagic.size())),
                     "the letters GGUF", other ? other->advice : ""});
  }
  GgufHeader header = read_gguf_header(input, name);
  for (GgufTensor& tensor : header.tensors) tensor.file = files_.size();
  check_tensor_places(header, input.size(), header.tensors);
  const bool is_first = files_.empty();
  if (!is_first) {
    const Split split = split_of(header.metadata), first = split_of(metadata_);
    const auto number = static_cast<int64_t>(files_.size());
    if (split.number != number || split.count != first.count)
      throw_bad_input({"file is another part of a split model", name + ", split.no and split.count",
                       fmt::format("{} of {}", split.number, split.count),
                       fmt::format("{} of {}", number, first.count), ""});
  }
  for (GgufTensor& tensor : header.tensors) {
    if (!index_.try_emplace(tensor.name, tensors_.size()).second)
      throw_bad_input(
          {"tensor is in the model twice", name, quote_text(tensor.name), "each name once", ""});
    tensors_.push_back(std::move(tensor));
  }
  if (is_first) {
    version_ = header.version;
    metadata_ = std::move(header.metadata);
  }
  files_.push_back(std::move(input));
  file_names_.push_back(name);
}

void GgufFile::open_other_parts(const fs::path& first) {
  const Split split = split_of(metadata_);
  if (split.count <= 1) return;
  const std::string name = first.filename().string();
  const std::string stem = stem_of_part(name, split.number + 1, split.count);
  if (split.number != 0)
    metadata_.refuse(
        "split.no", "file is not the first part of a split model",
        fmt::format("part {} of {}", split.number + 1, split.count), "part 1",
        stem.empty() ? "Open the first part" : "Open " + part_name(stem, 1, split.count));
  if (stem.empty())
    metadata_.refuse("split.count", "name does not tell the names of the other parts",
                     quote_text(name), quote_text(part_name("NAME", 1, split.count)),
                     "Give the parts the names that they had");
  for (int64_t number = 2; number <= split.count; ++number)
    add_part(first.parent_path() / part_name(stem, number, split.count));
  if (!metadata_.has("split.tensors.count")) return;
  const int64_t wanted = metadata_.whole("split.tensors.count", 0, int64_t{1} << 31);
  if (wanted != static_cast<int64_t>(tensors_.size()))
    metadata_.refuse("split.tensors.count", "the parts do not have all tensors",
                     fmt::format("{}", tensors_.size()), fmt::format("{}", wanted));
}

GgufFile GgufFile::open(const fs::path& file) {
  GgufFile result;
  result.add_part(file);
  result.open_other_parts(file);
  return result;
}

const GgufTensor* GgufFile::find(std::string_view name) const {
  const auto entry = index_.find(std::string(name));
  return entry == index_.end() ? nullptr : &tensors_[entry->second];
}

std::optional<DType> GgufFile::dtype_of(const GgufTensor& tensor) {
  if (tensor.type->dequantize) return DType::kF32;
  return tensor.type->dtype;
}

Tensor GgufFile::room_for(const GgufTensor& tensor, Shape shape) const {
  const std::string where = fmt::format("{}, {}", file_names_[tensor.file], tensor.name);
  const std::optional<DType> dtype = dtype_of(tensor);
  if (!dtype)
    throw Error(ErrorCode::kNotSupported,
                {"element type is not supported", where, tensor.type->name, read_ggml_types(), ""});
  const auto bytes =
      static_cast<double>(element_count(shape)) * static_cast<double>(size_of(*dtype));
  ask_memory(
      {.bytes = bytes,
       .what = "tensor does not fit in memory",
       .where = where,
       .found = fmt::format("{} of {} = {}", to_string(shape), name_of(*dtype), bytes_text(bytes)),
       .advice = ""});
  return Tensor(*dtype, std::move(shape));
}

Tensor GgufFile::read(const GgufTensor& tensor) const {
  Tensor result = room_for(tensor, tensor.shape);
  if (!result.empty()) read_rows(tensor, 0, tensor.num_rows(), result.raw());
  return result;
}

void GgufFile::read_row_bytes(const GgufTensor& tensor, int64_t first, int64_t count,
                              void* to) const {
  // Rows are whole blocks, which the header's reader has checked.
  const int64_t row = tensor.row_length() / tensor.type->block * tensor.type->block_bytes;
  files_[tensor.file].read(tensor.begin + static_cast<uint64_t>(first * row), to,
                           static_cast<uint64_t>(count * row));
}

void GgufFile::read_rows(const GgufTensor& tensor, int64_t first, int64_t count, void* to) const {
  const GgmlType& type = *tensor.type;
  const int64_t row_blocks = tensor.row_length() / type.block, blocks = count * row_blocks;
  const InputFile& file = files_[tensor.file];
  const uint64_t begin =
      tensor.begin + static_cast<uint64_t>(first * row_blocks * type.block_bytes);
  if (!type.dequantize) return read_row_bytes(tensor, first, count, to);
  const int64_t piece = kPieceBytes / type.block_bytes;
  std::vector<std::byte> stored_blocks(
      static_cast<size_t>(std::min(piece, blocks) * type.block_bytes));
  for (int64_t block = 0; block < blocks; block += piece) {
    const int64_t part = std::min(piece, blocks - block);
    file.read(begin + static_cast<uint64_t>(block * type.block_bytes), stored_blocks.data(),
              static_cast<uint64_t>(part * type.block_bytes));
    type.dequantize(stored_blocks.data(), part, static_cast<float*>(to) + block * type.block);
  }
}

}  // namespace attn
