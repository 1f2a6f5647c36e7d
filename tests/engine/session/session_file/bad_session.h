// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for bad session files: a good file, ways to make it bad, and the error that is expected.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "tests/engine/session/session_file/session_file_support.h"

namespace attn::test {

// The file of a small run with a prefix tree, a swap pool, row states, a warning and notes.
inline const std::string& good_file() {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    SavedRun run(tiny_scenario());
    run.engine->warn("a sentence");
    run.recorder->drain();
    run.notes = {{1, "prompts"}, {3, "the end"}};
    run.save(folder.path() / "a.attn-session");
    return read_bytes(folder.path() / "a.attn-session");
  }();
  return bytes;
}

class Reader {
 public:
  std::optional<Error> refusal(std::string_view bytes) {
    write_bytes(file(), bytes);
    try {
      load_session(file());
    } catch (const Error& error) {
      return error;
    }
    return std::nullopt;
  }
  std::filesystem::path file() const { return folder_.path() / "bad.attn-session"; }

 private:
  TemporaryFolder folder_;
};

inline std::string sealed(const std::function<void(Chunks&)>& change) {
  Chunks chunks(good_file());
  change(chunks);
  return chunks.whole();
}

inline std::string with_bytes(const std::function<void(std::string&)>& change, bool seal = true) {
  std::string bytes = good_file();
  change(bytes);
  if (seal) seal_table(bytes);
  return bytes;
}

inline std::string put(const std::function<void(PutBytes&)>& write) {
  PutBytes out;
  write(out);
  return out.bytes;
}

inline size_t entry_of(ChunkKind kind) {
  return kSessionHeaderBytes + static_cast<size_t>(kind) * kSessionEntryBytes;
}

inline void replace(std::string& text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

struct Bad {
  const char* name;
  std::string bytes;
  const char *what, *where, *found, *allowed;  // each: a part of the text
};

// The good file with a field of the first event of `kind` changed: `size` bytes at offset `at`.
inline std::string event_with(EventKind kind, size_t at, uint64_t value, size_t size) {
  return sealed([&](Chunks& chunks) {
    std::string& events = chunks.of(ChunkKind::kEvents);
    for (size_t i = 0; i < events.size(); i += 32)
      if (static_cast<uint8_t>(events[i + 13]) == static_cast<uint8_t>(kind)) {
        set_number(events, i + at, value, size);
        return;
      }
    ADD_FAILURE() << "no event of the kind " << name_of(kind);
  });
}

// The n-th value, from 0, that the reader takes under this name from the first chunk of this kind.
inline SessionValue value_in(const std::string& bytes, ChunkKind kind, const std::string& name,
                             size_t n = 0) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session";
  write_bytes(file, bytes);
  std::vector<SessionValue> values;
  const std::function<void(const SessionValue&)> watch = [&](const SessionValue& value) {
    if (value.name == name && Chunks(bytes).at(value.offset).first == static_cast<size_t>(kind))
      values.push_back(value);
  };
  TakeBytes::watcher = &watch;
  load_session(file);
  TakeBytes::watcher = nullptr;
  EXPECT_LT(n, values.size()) << name;
  return n < values.size() ? values[n] : SessionValue();
}

inline std::string with_value(const std::string& bytes, const SessionValue& value,
                              std::string_view other) {
  Chunks chunks(bytes);
  const auto [chunk, at] = chunks.at(value.offset);
  chunks.parts[chunk].second.replace(at, value.size, other);
  return chunks.whole();
}

inline void expect_refused(const Bad& bad, Reader& reader) {
  SCOPED_TRACE(bad.name);
  const auto error = reader.refusal(bad.bytes);
  ASSERT_TRUE(error) << "it was taken";
  EXPECT_EQ(error->code(), ErrorCode::kBadInput) << error->what();
  const ErrorParts& parts = error->parts();
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(parts.what, bad.what)) << parts.what;
  EXPECT_TRUE(has(parts.where, bad.where)) << parts.where;
  EXPECT_TRUE(has(parts.where, reader.file().c_str())) << parts.where;
  EXPECT_TRUE(has(parts.found, bad.found)) << parts.found;
  EXPECT_TRUE(has(parts.allowed, bad.allowed)) << parts.allowed;
  EXPECT_FALSE(parts.what.empty() || parts.where.empty() || parts.found.empty()) << error->what();
}

}  // namespace attn::test
