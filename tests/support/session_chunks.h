// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks: a session file that can be taken apart into chunks and put together again with right
// checksums. Also bytes of files, and numbers in bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/session/session_file/session_chunks.h"

namespace attn::test {

inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string bytes(in ? static_cast<size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(0, in.gcount())));
  return bytes;
}

inline void write_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline void set_number(std::string& bytes, size_t at, uint64_t value, size_t size) {
  std::memcpy(bytes.data() + at, &value, size);
}
inline uint64_t number_in(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

// Sets the checksum of header and table to match their present content.
inline void seal_table(std::string& bytes) {
  const uint64_t count = number_in(bytes, 12, 4);
  Checksum sum(static_cast<uint32_t>(number_in(bytes, 8, 4)));
  sum.add(std::string_view(bytes).substr(0, 24));
  const size_t most = bytes.size() > kSessionHeaderBytes ? bytes.size() - kSessionHeaderBytes : 0;
  sum.add(std::string_view(bytes).substr(kSessionHeaderBytes,
                                         std::min<size_t>(most, count * kSessionEntryBytes)));
  set_number(bytes, 24, sum.value(), 8);
}

struct Chunks {
  explicit Chunks(std::string_view bytes) : version(number_in(bytes, 8, 4)) {
    const uint64_t count = number_in(bytes, 12, 4);
    for (uint64_t i = 0; i < count; ++i) {
      const size_t at = kSessionHeaderBytes + i * kSessionEntryBytes;
      parts.emplace_back(bytes.substr(at, 8),
                         bytes.substr(number_in(bytes, at + 8, 8), number_in(bytes, at + 16, 8)));
    }
  }
  std::string& of(ChunkKind kind, size_t index = 0) {
    const size_t at =
        kind == ChunkKind::kAttention ? single_chunks(version) + index : static_cast<size_t>(kind);
    return parts[at].second;
  }
  // For the byte at `offset` of the file that whole() makes: the index of its chunk in `parts`, and
  // its offset in that chunk. The byte must lie behind the table of chunks.
  std::pair<size_t, size_t> at(uint64_t offset) const {
    uint64_t begin = kSessionHeaderBytes + parts.size() * kSessionEntryBytes;
    size_t chunk = 0;
    while (chunk + 1 < parts.size() && offset >= begin + parts[chunk].second.size())
      begin += parts[chunk++].second.size();
    return {chunk, static_cast<size_t>(offset - begin)};
  }
  std::string whole() const {
    std::string bytes(kSessionMagic);
    bytes.resize(kSessionHeaderBytes + parts.size() * kSessionEntryBytes);
    set_number(bytes, 8, version, 4);
    set_number(bytes, 12, parts.size(), 4);
    for (size_t i = 0; i < parts.size(); ++i) {
      const size_t at = kSessionHeaderBytes + i * kSessionEntryBytes;
      std::memcpy(bytes.data() + at, parts[i].first.data(), 8);
      set_number(bytes, at + 8, bytes.size(), 8);
      set_number(bytes, at + 16, parts[i].second.size(), 8);
      Checksum sum(static_cast<uint32_t>(version));
      sum.add(parts[i].second);
      set_number(bytes, at + 24, sum.value(), 8);
      bytes += parts[i].second;
    }
    set_number(bytes, 16, bytes.size(), 8);
    seal_table(bytes);
    return bytes;
  }
  uint64_t version;
  std::vector<std::pair<std::string, std::string>> parts;  // name (8 bytes) and content
};

}  // namespace attn::test
