// SPDX-License-Identifier: GPL-3.0-or-later
// The container of a session file: a header, a table of chunks, the chunks one after another.
// Private to the session files. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/input_file.h"
#include "engine/session/session_bytes.h"
#include "engine/session/session_file.h"

namespace attn {

// In the order in which they stand in the file. Of the last one there is one per sequence that has
// been computed, of the others one each.
enum class ChunkKind : uint8_t {
  kScenario,   // JSON: the scenario in canonical form
  kView,       // JSON: how the window showed the run
  kRun,        // figures of the run, sources' shape, rule, plan
  kTokens,     // texts of tokens, by id
  kRequests,   // requests as they are
  kSteps,      // StepRecords
  kBlocks,     // both pools, prefix tree
  kHistory,    // StepHistory
  kTexts,      // what requests had written at earlier steps
  kMessages,   // texts of warnings
  kEvents,     // trace events, 32 bytes each
  kRowStates,  // running maxima and sums, 32 bytes each
  kAttention,  // AttentionRecord
};
inline constexpr size_t kSingleChunks = static_cast<size_t>(ChunkKind::kAttention);
std::string_view name_of(ChunkKind kind);  // "scenario": as in the file, and in errors

// Throws where what the window showed is no JSON object, or larger or deeper than one should be.
void check_session_view(const std::string& json, const std::string& where);

inline constexpr std::string_view kSessionMagic = "ATTNSESS";
inline constexpr uint32_t kSessionVersion = 1;
// magic, version u32, number of chunks u32, size of the file u64, checksum of header and table u64
inline constexpr uint64_t kSessionHeaderBytes = 32;
// name (8 bytes, zeros behind it), offset u64, length u64, checksum u64
inline constexpr uint64_t kSessionEntryBytes = 32;

// Of bytes that come in pieces. Every word of 8 bytes goes through a step that can be undone, so
// two texts that differ within one word differ in their checksum.
class Checksum {
 public:
  void add(std::string_view bytes);
  uint64_t value() const;

 private:
  void step(uint64_t word);
  uint64_t state_ = 0xcbf29ce484222325u, length_ = 0;
  std::array<char, 8> rest_{};
};

class ChunkWriter {
 public:
  // sizes: of all chunks, in order. Throws Error(kFailed) where the disk has no room for them.
  ChunkWriter(const std::filesystem::path& file,
              const std::vector<std::pair<ChunkKind, uint64_t>>& sizes, SessionProgress progress);
  ~ChunkWriter();  // without finish(): as if nothing had been written
  ChunkWriter(const ChunkWriter&) = delete;
  ChunkWriter& operator=(const ChunkWriter&) = delete;

  void begin(ChunkKind kind);
  void write(std::string_view bytes);
  void end();  // as many bytes as were said
  void finish();

 private:
  struct Entry {
    ChunkKind kind;
    uint64_t offset, size, written = 0;
    Checksum sum = {};
  };
  void put(std::string_view bytes, uint64_t offset);
  [[noreturn]] void give_up(int code);

  std::filesystem::path file_;
  std::string temporary_;
  int fd_ = -1;
  std::vector<Entry> entries_;
  size_t at_ = 0;
  uint64_t total_ = 0, written_ = 0;
  SessionProgress progress_;
};

class ChunkReader {
 public:
  // Checks header and table: that the chunks are those of a session, in order, and cover the file.
  ChunkReader(const std::filesystem::path& file, SessionProgress progress);

  struct Entry {
    ChunkKind kind;
    uint64_t offset = 0, size = 0, checksum = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  size_t count(ChunkKind kind) const;
  // The bytes of one chunk, whose checksum is right. index: among those of its kind.
  std::string read(ChunkKind kind, size_t index = 0);
  // For reading what read() has returned.
  TakeBytes take(ChunkKind kind, std::string_view bytes, size_t index = 0) const;
  // In pieces of whole items, once the checksum is known to be right.
  void read_pieces(ChunkKind kind, uint64_t item_bytes,
                   const std::function<void(std::string_view piece, uint64_t offset)>& each);
  const Entry& entry(ChunkKind kind, size_t index = 0) const;
  std::string name() const { return file_.path().string(); }

 private:
  void read_table();
  void told(uint64_t bytes);
  [[noreturn]] void refuse_checksum(const Entry& entry) const;

  InputFile file_;
  std::vector<Entry> entries_;
  uint64_t done_ = 0;
  SessionProgress progress_;
};

}  // namespace attn
