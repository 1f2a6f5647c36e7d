// SPDX-License-Identifier: GPL-3.0-or-later
// The container of a session file: a header, a table of chunks, then the chunks one after another.
// For code that saves or loads sessions. Any thread.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files/input_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/session_file/session_bytes.h"
#include "engine/session/session_file/session_file.h"

namespace attn {

// In their order in the file. kAttention has a chunk for each sequence that has a record, two if
// the run has encoder layers. Other kinds have one chunk; files before kFirstNotesVersion have no
// kNotes.
enum class ChunkKind : uint8_t {
  kScenario,   // canonical JSON
  kView,       // JSON: state of the window
  kRun,        // figures, source, rules
  kTokens,     // texts of tokens, by id
  kRequests,   // requests when the run was saved, and the last plan
  kSteps,      // StepRecords
  kBlocks,     // both pools, prefix tree
  kHistory,    // StepHistory
  kTexts,      // output texts at earlier steps
  kMessages,   // texts of warnings
  kEvents,     // trace events, 32 bytes each
  kRowStates,  // row states, 32 bytes each
  kNotes,      // notes on steps
  kAttention,  // AttentionRecord
};
inline constexpr size_t kSingleChunks = static_cast<size_t>(ChunkKind::kAttention);
std::string_view name_of(ChunkKind kind);  // "scenario"

// Throws Error(kBadInput) if `json`, the state of the window, is not a JSON object, is too large or
// is nested too deep.
void check_session_view(const std::string& json, const std::string& where);

inline constexpr std::string_view kSessionMagic = "ATTNSESS";
// The version that is written; older files are read too. What each version brought:
//   1  all attention layers have one rule
//   2  the chunk "run" has what the source says of each layer, and a rule for each
//   3  the chunk "run" says whether it has these, and the types of layers; checksums are XXH64
//   4  records have values
//   5  notes
//   6  records say how many rows at the beginning ignore the window; "run" has the counts of
//      rounding
//   7  requests added to the run have their interventions, sampling and beam width
//   8  rules have a relative bias
inline constexpr uint32_t kSessionVersion = 8;
inline constexpr uint32_t kFirstXxh64Version = 3, kFirstValuesVersion = 4, kFirstNotesVersion = 5,
                          kFirstRoundingVersion = 6, kFirstAddedVersion = 7,
                          kFirstRelativeBiasVersion = 8;
constexpr size_t single_chunks(uint64_t version) {
  return version < kFirstNotesVersion ? static_cast<size_t>(ChunkKind::kNotes) : kSingleChunks;
}
// The header of a file: magic, version u32, number of chunks u32, size of the file u64, checksum of
// these and of the table u64
inline constexpr uint64_t kSessionHeaderBytes = 32;
// An entry of the table of chunks: name (8 bytes, padded with zeros), offset u64, length u64,
// checksum u64
inline constexpr uint64_t kSessionEntryBytes = 32;

// Running checksum of data in pieces, as in files of `version`: XXH64 from kFirstXxh64Version on.
// With the older algorithm, pieces before the last must be a multiple of 8 bytes long.
class Checksum {
 public:
  explicit Checksum(uint32_t version);
  void add(std::string_view bytes);
  uint64_t value() const;

 private:
  struct Free {
    void operator()(XXH64_state_t* state) const { XXH64_freeState(state); }
  };
  std::unique_ptr<XXH64_state_t, Free> state_;  // null: the checksum before XXH64
  uint64_t old_state_ = 0xcbf29ce484222325u, old_length_ = 0;
};

class ChunkWriter {
 public:
  // sizes: bytes of the chunks, in order. Throws Error(kFailed) if the disk has no room for them or
  // the file cannot be made.
  ChunkWriter(const std::filesystem::path& file,
              const std::vector<std::pair<ChunkKind, uint64_t>>& sizes, SessionProgress progress);

  void begin(ChunkKind kind);
  void write(std::string_view bytes);
  void end();  // call it when all bytes of the chunk are written
  void finish();

 private:
  struct Entry {
    ChunkKind kind;
    uint64_t offset, size, written = 0;
    Checksum sum = Checksum(kSessionVersion);
  };
  void put(std::string_view bytes, uint64_t offset);

  WholeFile file_;  // removed unless finish() is called
  std::vector<Entry> entries_;
  size_t at_ = 0;
  uint64_t total_ = 0, written_ = 0;
  SessionProgress progress_;
};

class ChunkReader {
 public:
  // Checks the header and the table: the chunks must be those of a session, in order, and cover the
  // file.
  ChunkReader(const std::filesystem::path& file, SessionProgress progress);

  struct Entry {
    ChunkKind kind;
    uint64_t offset = 0, size = 0, checksum = 0;
  };
  uint32_t version() const { return version_; }
  const std::vector<Entry>& entries() const { return entries_; }
  size_t count(ChunkKind kind) const;
  // Returns the bytes of one chunk and checks the checksum. index: among the chunks of its kind.
  std::string read(ChunkKind kind, size_t index = 0);
  TakeBytes take(ChunkKind kind, std::string_view bytes, size_t index = 0) const;
  // Calls each() with pieces of whole items, after the whole checksum was checked.
  void read_pieces(ChunkKind kind, uint64_t item_bytes,
                   const std::function<void(std::string_view piece, uint64_t offset)>& each);
  const Entry& entry(ChunkKind kind, size_t index = 0) const;
  std::string name() const { return file_.path().string(); }

 private:
  void read_table();
  void told(uint64_t bytes);
  [[noreturn]] void refuse_checksum(const Entry& entry) const;

  InputFile file_;
  uint32_t version_ = 0;
  std::vector<Entry> entries_;
  uint64_t done_ = 0;
  SessionProgress progress_;
};

}  // namespace attn
