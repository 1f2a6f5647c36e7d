// SPDX-License-Identifier: GPL-3.0-or-later
// Session files that are cut, have other bytes, shrink while they are read, or are not regular
// files: that each is refused or harmless.
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "tests/engine/session/session_file/bad_session.h"

namespace attn {
namespace {

using test::Chunks;
using test::good_file;
using test::Reader;
using test::set_number;
using test::TemporaryFolder;

TEST(BadSessionBytes, EveryPrefixIsRefused) {
  Reader reader;
  const std::string& good = good_file();
  for (size_t size = 0; size < good.size(); size += test::kSlowdown) {
    const auto error = reader.refusal(std::string_view(good).substr(0, size));
    ASSERT_TRUE(error) << size;
    ASSERT_EQ(error->code(), ErrorCode::kBadInput) << size;
  }
}

// The files have right lengths and checksums. Of chunks of 400 bytes or more up to about 400
// prefixes are tried.
TEST(BadSessionBytes, EveryPrefixOfEveryChunkIsRefused) {
  Reader reader;
  const Chunks good(good_file());
  for (size_t chunk = 0; chunk < good.parts.size(); ++chunk) {
    const size_t size = good.parts[chunk].second.size();
    for (size_t most = 0; most < size; most += 1 + size / 400) {
      Chunks bad = good;
      bad.parts[chunk].second.resize(most);
      // A chunk of events or row states that is cut between two of them is valid.
      if ((chunk == static_cast<size_t>(ChunkKind::kEvents) ||
           chunk == static_cast<size_t>(ChunkKind::kRowStates)) &&
          most % 32 == 0)
        continue;
      if (chunk == static_cast<size_t>(ChunkKind::kScenario) && most + 1 == size) continue;
      const auto error = reader.refusal(bad.whole());
      ASSERT_TRUE(error) << good.parts[chunk].first << " " << most;
      ASSERT_EQ(error->code(), ErrorCode::kBadInput) << error->what();
    }
  }
}

TEST(BadSessionBytes, EveryBitOfHeaderAndTableCounts) {
  Reader reader;
  const size_t head = kSessionHeaderBytes + Chunks(good_file()).parts.size() * kSessionEntryBytes;
  for (size_t byte = 0; byte < head; ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = good_file();
      bytes[byte] = static_cast<char>(bytes[byte] ^ 1 << bit);
      const auto error = reader.refusal(bytes);
      ASSERT_TRUE(error) << byte << " " << bit;
      ASSERT_EQ(error->code(), ErrorCode::kBadInput) << byte << " " << bit;
    }
}

TEST(BadSessionBytes, EveryBitOfTheChunksCounts) {
  Reader reader;
  std::mt19937 random(3);
  for (size_t byte = 0; byte < good_file().size(); byte += test::kSlowdown) {
    std::string bytes = good_file();
    bytes[byte] = static_cast<char>(bytes[byte] ^ 1 << random() % 8);
    const auto error = reader.refusal(bytes);
    ASSERT_TRUE(error) << byte;
    ASSERT_EQ(error->code(), ErrorCode::kBadInput) << byte;
  }
}

// Reads weights, operands and steps of the history, as views do.
void look_at_everything(const Session& session) {
  const EngineSnapshot& now = *session.snapshot;
  float sum = 0;
  for (const RequestView& request : now.requests) {
    if (!request.attention) continue;
    const AttentionRecord& record = *request.attention;
    const int64_t rows = std::min<int64_t>(record.num_rows(), 64), most = 64;
    for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
      for (int64_t head = 0; head < record.shape().num_heads; ++head) {
        const int64_t keys = std::min(record.num_keys(layer), most);
        std::vector<float> cells(static_cast<size_t>(rows * keys));
        if (rows > 0 && keys > 0) record.weights(layer, head, 0, rows, 0, keys, cells.data());
        for (const float cell : cells) sum += cell;
        for (int64_t row = 0; row < rows; ++row)
          sum += record.operands(layer, head, row, row / 2).weight;
      }
  }
  if (now.history) {
    const StepHistory::Range range = now.history->range();
    for (uint32_t step = range.first; step <= range.last && !range.empty(); ++step)
      ASSERT_TRUE(now.history->restore(now, step)) << step;
  }
  EXPECT_EQ(session.recorder->counts().dropped, 0u);
  (void)sum;
}

// Under a sanitizer this test would show accesses out of bounds.
TEST(BadSessionBytes, AnyByteBehindRightChecksumsIsRefusedOrHarmless) {
  Reader reader;
  std::mt19937 random(5);
  const Chunks good(good_file());
  size_t refused = 0, taken = 0;
  for (size_t chunk = 0; chunk < good.parts.size(); ++chunk) {
    const size_t size = good.parts[chunk].second.size();
    for (size_t at = 0; at < size; at += 1 + size / 700) {
      Chunks bad = good;
      bad.parts[chunk].second[at] = static_cast<char>(
          at % 3 == 0 ? 0xff : bad.parts[chunk].second[at] ^ (1 + random() % 255));
      test::write_bytes(reader.file(), bad.whole());
      try {
        look_at_everything(load_session(reader.file()));
        ++taken;
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300u);
  EXPECT_GT(taken, 300u);  // files in which a float, a text or a time was changed, for example
}

TEST(BadSessionBytes, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [](const std::filesystem::path& file, const char* what) {
    try {
      load_session(file);
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      EXPECT_NE(error.parts().what.find(what), std::string::npos) << error.what();
      EXPECT_NE(error.parts().where.find(file.string()), std::string::npos) << error.what();
    }
  };
  refused(folder.path(), "not a file");
  refused("/dev/zero", "not a file");
  refused(folder.path() / "none.attn-session", "cannot be opened");
  const auto pipe = folder.path() / "pipe.attn-session";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  refused(pipe, "not a file");
}

TEST(BadSessionBytes, AFileThatShrinksIsRefused) {
  Reader reader;
  for (const double at : {0.05, 0.3, 0.6}) {
    test::write_bytes(reader.file(), good_file());
    bool cut = false;
    try {
      load_session(reader.file(), [&](double part) {
        if (part >= at && !cut) {
          std::filesystem::resize_file(reader.file(), good_file().size() / 20);
          cut = true;
        }
        return true;
      });
      FAIL() << at;
    } catch (const Error& error) {
      EXPECT_TRUE(cut);
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      EXPECT_NE(std::string(error.what()).find("became shorter"), std::string::npos)
          << error.what();
    }
  }
}

TEST(BadSessionBytes, AHugeHoleIsRefused) {
  Reader reader;
  const auto expect_refused = [&](const std::string& begin, const char* word) {
    test::write_bytes(reader.file(), begin);
    std::filesystem::resize_file(reader.file(), uintmax_t{1} << 40);
    try {
      load_session(reader.file());
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  expect_refused(good_file(), "");
  std::string bytes = good_file();
  set_number(bytes, 16, uint64_t{1} << 40, 8);
  expect_refused(bytes, "memory");
}

}  // namespace
}  // namespace attn
