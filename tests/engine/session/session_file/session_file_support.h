// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are saved, and session files that can be taken apart into chunks and put together again
// with right checksums, so that a reader gets as far as the error inside.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/core/error.h"
#include "engine/session/history/step_history.h"
#include "engine/session/session_file/session_chunks.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/shipped_scenario.h"

namespace attn::test {

// A run, to its end or for some steps, with everything that a window keeps of it.
struct SavedRun {
  explicit SavedRun(const Scenario& scenario, int steps = -1)
      : recorder(std::make_unique<Recorder>(num_workers(scenario))) {
    EngineOptions options;
    options.recorder = recorder.get();
    options.history_bytes = size_t{1} << 26;
    options.row_states = &row_states;
    row_states.watch(0, static_cast<int>(scenario.view.layer),
                     static_cast<int>(scenario.view.head));
    engine = std::make_unique<Engine>(scenario, options);
    while (engine->has_work() && steps-- != 0) EXPECT_TRUE(engine->step());
    recorder->drain();
    snapshot = std::make_shared<const EngineSnapshot>(
        engine->snapshot(engine->has_work() ? EnginePhase::kPaused : EnginePhase::kFinished));
  }
  SessionInputs inputs() const { return {snapshot, recorder.get(), &row_states, view}; }
  void save(const std::filesystem::path& file) const { save_session(file, inputs()); }

  std::unique_ptr<Recorder> recorder;
  RowStateLog row_states;
  std::unique_ptr<Engine> engine;
  std::shared_ptr<const EngineSnapshot> snapshot;
  std::string view = "{\"tab\":\"heatmap\"}";
};

// Two requests on few blocks: a file of about 5 KB.
inline Scenario tiny_scenario() {
  Scenario scenario = synthetic_scenario({5, 3}, 3);
  scenario.source.synthetic->num_layers = 1;
  scenario.source.synthetic->num_heads = 2;
  scenario.source.synthetic->num_kv_heads = 1;
  scenario.source.synthetic->head_size = 32;
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 8;
  scenario.engine.num_swap_blocks = 2;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.threads = 1;
  return scenario;
}

inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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

// A file, taken apart into its chunks.
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
    return parts[static_cast<size_t>(kind) + index].second;
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
  std::vector<std::pair<std::string, std::string>> parts;  // name of 8 bytes, content
};

}  // namespace attn::test
