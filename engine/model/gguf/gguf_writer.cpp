// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/gguf_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"

namespace attn {
namespace {

constexpr uint64_t kWrittenAlignment = 32;

template <class T>
void append(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}
void append_text(std::string& to, std::string_view text) {
  append<uint64_t>(to, text.size());
  to.append(text);
}
std::string key_of(std::string_view key, GgufType type) {
  std::string bytes;
  append_text(bytes, key);
  append(bytes, static_cast<uint32_t>(type));
  return bytes;
}
std::string padding(uint64_t bytes) {
  return std::string((kWrittenAlignment - bytes % kWrittenAlignment) % kWrittenAlignment, '\0');
}

template <class T>
std::string array_bytes(std::string_view key, GgufType element, const std::vector<T>& values) {
  std::string bytes = key_of(key, GgufType::kArray);
  append(bytes, static_cast<uint32_t>(element));
  append<uint64_t>(bytes, values.size());
  for (const T& value : values) {
    if constexpr (std::is_same_v<T, std::string>)
      append_text(bytes, value);
    else
      append(bytes, value);
  }
  return bytes;
}

}  // namespace

void GgufWriter::add(const GgufValue& value) {
  keys_ += key_of(value.key, value.type);
  ++num_keys_;
  if (value.type == GgufType::kText) return append_text(keys_, value.bytes);
  if (value.type == GgufType::kArray) {
    append(keys_, static_cast<uint32_t>(value.element));
    append<uint64_t>(keys_, value.count);
    for (const std::string& text : value.texts) append_text(keys_, text);
  }
  keys_ += value.bytes;
}

void GgufWriter::u32(std::string_view key, int64_t value) {
  keys_ += key_of(key, GgufType::kU32);
  append(keys_, static_cast<uint32_t>(value));
  ++num_keys_;
}
void GgufWriter::f32(std::string_view key, double value) {
  keys_ += key_of(key, GgufType::kF32);
  append(keys_, static_cast<float>(value));
  ++num_keys_;
}
void GgufWriter::flag(std::string_view key, bool value) {
  keys_ += key_of(key, GgufType::kBool);
  append<uint8_t>(keys_, value ? 1 : 0);
  ++num_keys_;
}
void GgufWriter::text(std::string_view key, std::string_view value) {
  keys_ += key_of(key, GgufType::kText);
  append_text(keys_, value);
  ++num_keys_;
}
void GgufWriter::texts(std::string_view key, const std::vector<std::string>& values) {
  keys_ += array_bytes(key, GgufType::kText, values);
  ++num_keys_;
}
void GgufWriter::numbers(std::string_view key, const std::vector<float>& values) {
  keys_ += array_bytes(key, GgufType::kF32, values);
  ++num_keys_;
}
void GgufWriter::kinds(std::string_view key, const std::vector<int32_t>& values) {
  keys_ += array_bytes(key, GgufType::kI32, values);
  ++num_keys_;
}
void GgufWriter::bytes(std::string_view key, std::string_view values) {
  keys_ += array_bytes(key, GgufType::kU8, std::vector<char>(values.begin(), values.end()));
  ++num_keys_;
}

void GgufWriter::tensor(std::string name, Shape shape, const WrittenType& type,
                        std::function<Tensor()> read) {
  tensors_.push_back({std::move(name), std::move(shape), type, std::move(read)});
}

uint64_t GgufWriter::Entry::bytes() const {
  return static_cast<uint64_t>(element_count(shape) / type.type->block * type.type->block_bytes);
}

std::string GgufWriter::header() const {
  std::string bytes = "GGUF";
  append<uint32_t>(bytes, 3);
  append<uint64_t>(bytes, tensors_.size());
  append(bytes, num_keys_);
  bytes += keys_;
  uint64_t offset = 0;
  for (const Entry& entry : tensors_) {
    append_text(bytes, entry.name);
    append(bytes, static_cast<uint32_t>(entry.shape.size()));
    for (size_t axis = entry.shape.size(); axis-- > 0;)
      append(bytes, static_cast<uint64_t>(entry.shape[axis]));
    append(bytes, entry.type.type->id);
    append(bytes, offset);
    offset += entry.bytes();
    offset += padding(offset).size();
  }
  return bytes + padding(bytes.size());
}

void GgufWriter::write(const std::filesystem::path& name,
                       const std::function<bool(double)>& progress) const {
  WholeFile out(name);
  out.write(header());
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Entry& entry = tensors_[i];
    if (progress && !progress(static_cast<double>(i) / static_cast<double>(tensors_.size())))
      throw Error(ErrorCode::kCancelled, {"writing was cancelled", entry.name, "", "", ""});
    const Tensor wide = convert(entry.read(), DType::kF32);
    std::string bytes(static_cast<size_t>(entry.bytes()), '\0');
    entry.type.quantize(wide.data<float>(), wide.size() / entry.type.type->block,
                        reinterpret_cast<std::byte*>(bytes.data()));
    out.write(bytes);
    out.write(padding(bytes.size()));
  }
  out.commit();
}

}  // namespace attn
