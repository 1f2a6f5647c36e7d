// SPDX-License-Identifier: GPL-3.0-or-later
// Bad session files are refused with what is wrong, where, what was found and what is allowed:
// errors in the container (header, table of chunks, checksums), in texts such as the scenario, in
// requests, tokens, steps and blocks, and in notes. Histories, events and attention are in
// test_bad_session_run.cpp.

#include "tests/engine/session/session_file/bad_session.h"

namespace attn {
namespace {

using test::Bad;
using test::Chunks;
using test::entry_of;
using test::good_file;
using test::put;
using test::Reader;
using test::replace;
using test::sealed;
using test::set_number;
using test::with_bytes;

std::vector<Bad> bad_containers() {
  const std::string good = good_file();
  const size_t size = good.size();
  std::vector<Bad> list;
  const auto add = [&](const char* name, std::string bytes, const char* what, const char* where,
                       const char* found, const char* allowed) {
    list.push_back({name, std::move(bytes), what, where, found, allowed});
  };
  add("empty", "", "not a session file", "byte 0", "an empty file", "ATTNSESS");
  add("other magic", with_bytes([](std::string& b) { b[3] = 'X'; }), "not a session file", "byte 0",
      "ATTXSESS", "ATTNSESS");
  add("a JSON file", "{\"version\": 1}", "not a session file", "byte 0", "{", "ATTNSESS");
  add("magic alone", "ATTNSESS", "ends inside its header", "byte 8", "8 bytes", "32 bytes");
  add("newer version", with_bytes([](std::string& b) { set_number(b, 8, 9, 4); }),
      "version of the session format is not known", "byte 8", "9", "1 to 8");
  add("version 0", with_bytes([](std::string& b) { set_number(b, 8, 0, 4); }),
      "version of the session format is not known", "byte 8", "0", "1 to 8");
  add("no chunks", with_bytes([](std::string& b) { set_number(b, 12, 0, 4); }), "too few chunks",
      "byte 12", "0", "13 or more");
  add("more chunks than bytes",
      with_bytes([](std::string& b) { set_number(b, 12, 0xffffffff, 4); }),
      "table of chunks ends past the end", "byte 12", "4294967295 chunks", "at most");
  add("cut short", good.substr(0, size - 1), "cut short", "byte 16", "bytes, needed ", "");
  add("trailing bytes", good + "x", "goes on after its end", "byte 16", "bytes, needed ", "");
  add("size 2^64 - 1", with_bytes([](std::string& b) { set_number(b, 16, ~uint64_t{0}, 8); }),
      "cut short", "byte 16", "needed 18446744073709551615 bytes", "");
  add("checksum of the table", with_bytes([](std::string& b) { b[24] ^= 1; }, false),
      "checksum of the table", "byte 24", "", "");
  add("chunk of another name",
      with_bytes([](std::string& b) { b[entry_of(ChunkKind::kRun)] = 'R'; }), "another name",
      "byte 96", "Run", "run");
  add("chunks swapped", with_bytes([](std::string& b) {
        std::string one = b.substr(entry_of(ChunkKind::kRun), kSessionEntryBytes);
        std::string two = b.substr(entry_of(ChunkKind::kTokens), kSessionEntryBytes);
        b.replace(entry_of(ChunkKind::kRun), kSessionEntryBytes, two);
        b.replace(entry_of(ChunkKind::kTokens), kSessionEntryBytes, one);
      }),
      "another name", "byte 96", "tokens", "run");
  add("chunks overlap", with_bytes([](std::string& b) {
        const size_t at = entry_of(ChunkKind::kView) + 8;
        set_number(b, at, test::number_in(b, at, 8) - 1, 8);
      }),
      "begins inside what is before it", "byte 72", "view at byte", "byte");
  add("a hole between chunks", with_bytes([](std::string& b) {
        const size_t at = entry_of(ChunkKind::kView) + 8;
        set_number(b, at, test::number_in(b, at, 8) + 1, 8);
      }),
      "hole before the chunk", "byte 72", "view at byte", "byte");
  add("offset 2^64 - 1", with_bytes([](std::string& b) {
        set_number(b, entry_of(ChunkKind::kView) + 8, ~uint64_t{0}, 8);
      }),
      "hole before the chunk", "byte 72", "18446744073709551615", "byte");
  add("length 2^64 - 1", with_bytes([](std::string& b) {
        set_number(b, entry_of(ChunkKind::kEvents) + 16, ~uint64_t{0}, 8);
      }),
      "chunk ends past the end", "byte 368", "events of 18446744073709551615 bytes", "at most");
  add("length that wraps", with_bytes([](std::string& b) {
        const size_t at = entry_of(ChunkKind::kEvents);
        set_number(b, at + 16, ~uint64_t{0} - test::number_in(b, at + 8, 8) + 2, 8);
      }),
      "chunk ends past the end", "byte 368", "events of", "at most");
  add("bytes behind the last chunk", with_bytes([](std::string& b) {
        b += "more";
        set_number(b, 16, b.size(), 8);
      }),
      "bytes behind the last chunk", "byte", "4 bytes", "nothing");
  add("checksum of a chunk", with_bytes([](std::string& b) { b[b.find("\"title\"")] ^= 1; }, false),
      "checksum of a chunk is wrong", "(scenario)", "other bytes", "");
  return list;
}

std::vector<Bad> bad_texts() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, const std::function<void(Chunks&)>& change,
                       const char* what, const char* where, const char* found,
                       const char* allowed) {
    list.push_back({name, sealed(change), what, where, found, allowed});
  };
  add(
      "scenario is no JSON", [](Chunks& c) { c.of(ChunkKind::kScenario) = "{"; }, "", "(scenario)",
      "", "");
  add(
      "scenario is empty", [](Chunks& c) { c.of(ChunkKind::kScenario).clear(); }, "", "(scenario)",
      "", "");
  add(
      "scenario of another version",
      [](Chunks& c) { replace(c.of(ChunkKind::kScenario), "\"version\": 1", "\"version\": 9"); },
      "version of the scenario format", "$.version", "9", "1");
  add(
      "scenario with a wrong number",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"block_size\": 4", "\"block_size\": 0");
      },
      "", "$.engine.block_size", "0", "1 to 256");
  add(
      "scenario of more blocks than there are",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"num_blocks\": 8", "\"num_blocks\": 1048576");
      },
      "fewer blocks than the cache", "(blocks", "bytes", "1048576 blocks");
  add(
      "scenario of fewer blocks than there are",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"num_blocks\": 8", "\"num_blocks\": 7");
      },
      "", "", "", "");
  add(
      "view is no JSON", [](Chunks& c) { c.of(ChunkKind::kView) = "[1,"; }, "", "(view)", "", "");
  add(
      "view is no object", [](Chunks& c) { c.of(ChunkKind::kView) = "[1]"; }, "is not an object",
      "(view), $", "array", "an object");
  add(
      "view is larger than 64 MiB",
      [](Chunks& c) { c.of(ChunkKind::kView) = "{\"a\":\"" + std::string(64 << 20, 'x') + "\"}"; },
      "", "(view)", "", "");
  add(
      "view is too deep",
      [](Chunks& c) {
        c.of(ChunkKind::kView) = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
      },
      "", "(view)", "", "");
  add(
      "view has a key twice", [](Chunks& c) { c.of(ChunkKind::kView) = "{\"a\":1,\"a\":2}"; }, "",
      "(view)", "", "");
  add(
      "messages end early",
      [](Chunks& c) {
        c.of(ChunkKind::kMessages) =
            "\x02\x01"
            "a";
      },
      "chunk ends inside a number", "(messages: message)", "0 bytes", "");
  add(
      "message is longer than its chunk",
      [](Chunks& c) {
        c.of(ChunkKind::kMessages) =
            "\x01\x7f"
            "a";
      },
      "text ends past its chunk", "(messages: message)", "127 bytes", "at most 1 bytes");
  add(
      "more messages than bytes",
      [](Chunks& c) {
        c.of(ChunkKind::kMessages) = put([](PutBytes& out) { out.natural(~uint64_t{0}); });
      },
      "list is too long", "(messages: messages)", "18446744073709551615 items", "at most 0");
  add(
      "a number of 70 bits",
      [](Chunks& c) { c.of(ChunkKind::kMessages) = std::string(9, '\xff') + "\x7f"; },
      "number is too large", "(messages: messages)", "more than 64 bits", "2^64 - 1");
  add(
      "a number with a byte too many",
      [](Chunks& c) { c.of(ChunkKind::kMessages) = std::string("\x80\x00", 2); },
      "longer than it needs to be", "(messages: messages)", "a last byte of 0", "shortest");
  add(
      "messages go on", [](Chunks& c) { c.of(ChunkKind::kMessages) += "x"; },
      "goes on after its last value", "(messages: end)", "1 more bytes", "nothing");
  add(
      "a token twice",
      [](Chunks& c) {
        c.of(ChunkKind::kTokens) = put([](PutBytes& out) {
          out.natural(2);
          for (int i = 0; i < 2; ++i) {
            out.natural(3);
            out.text("a", "");
          }
        });
      },
      "token appears twice", "(tokens: token)", "3", "more than 3");
  add(
      "tokens without a text", [](Chunks& c) { c.of(ChunkKind::kTokens) = std::string(1, '\0'); },
      "token has no text", "(requests: token)", "", "table of texts");
  return list;
}

std::vector<Bad> bad_runs() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, const std::function<void(Chunks&)>& change,
                       const char* what, const char* where, const char* found,
                       const char* allowed) {
    list.push_back({name, sealed(change), what, where, found, allowed});
  };
  // The run chunk begins with three texts, the last one the name of the source, and then has the
  // source's dimensions.
  const auto source = [](Chunks& c, size_t field, char value) {
    std::string& run = c.of(ChunkKind::kRun);
    size_t at = 0;
    for (int text = 0; text < 3; ++text) at += 1 + static_cast<uint8_t>(run[at]);
    run[at + field] = value;
  };
  add(
      "more query heads than the log-sum-exps are of", [&](Chunks& c) { source(c, 1, 3); }, "",
      "(record", "", "");
  add(
      "KV heads that do not divide",
      [&](Chunks& c) {
        source(c, 1, 2);
        source(c, 2, 1);
      },
      "KV heads do not divide", "(run: KV heads)", "2", "a divisor of 3");
  add(
      "another head size", [&](Chunks& c) { source(c, 3, 30); }, "", "(record", "", "");
  add(
      "a head size that no scenario can have",
      [&](Chunks& c) {
        std::string& run = c.of(ChunkKind::kRun);
        size_t at = 0;
        for (int text = 0; text < 3; ++text) at += 1 + static_cast<uint8_t>(run[at]);
        run.replace(at + 3, 1, "\x80\x08");
      },
      "number is out of range", "(run: head size)", "1025", "1 to 1024");
  add(
      "run ends early", [](Chunks& c) { c.of(ChunkKind::kRun).resize(9); }, "", "(run", "", "");
  add(
      "run goes on", [](Chunks& c) { c.of(ChunkKind::kRun) += '\0'; },
      "goes on after its last value", "(run: end)", "1 more bytes", "nothing");
  add(
      "a flag that is 2", [](Chunks& c) { c.of(ChunkKind::kRun).back() = 2; }, "neither 0 nor 1",
      "(run: has counts of rounding)", "2", "0 or 1");
  add(
      "requests end early", [](Chunks& c) { c.of(ChunkKind::kRequests).resize(5); }, "",
      "(requests", "", "");
  add(
      "two requests of one number",
      [](Chunks& c) {
        c.of(ChunkKind::kRequests) = put([](PutBytes& out) {
          out.natural(2);
          for (int i = 0; i < 2; ++i) {
            out.natural(1);
            out.natural(0);
            out.natural(0);
            out.flag(false, "");
          }
        });
      },
      "two requests have the same number", "(requests: request)", "1", "each number once");
  add(
      "a prompt longer than its tokens",
      [](Chunks& c) {
        c.of(ChunkKind::kRequests) = put([](PutBytes& out) {
          out.natural(1);
          out.natural(0);
          out.natural(4);
          out.natural(0);
          out.flag(false, "");
        });
      },
      "prompt is longer than its request", "(requests: prompt tokens)", "4", "at most 0");
  add(
      "a request number of 25 bits",
      [](Chunks& c) {
        c.of(ChunkKind::kRequests) = put([](PutBytes& out) {
          out.natural(1);
          out.natural(uint64_t{1} << 24);
        });
      },
      "number is out of range", "(requests: request)", "16777216", "0 to 16777215");
  add(
      "no steps but a step", [](Chunks& c) { c.of(ChunkKind::kSteps) = std::string(1, '\0'); },
      "fewer steps than the run has done", "(steps: steps)", "0", "or more");
  add(
      "a step before the beginning",
      [](Chunks& c) {
        c.of(ChunkKind::kSteps) = put([](PutBytes& out) {
          out.natural(1);
          out.difference(-5, "");
          for (int i = 0; i < 80; ++i) out.natural(0);
        });
      },
      "time is out of range", "(steps: begin of a step)", "-5 ns", "0 to 2^62");
  add(
      "a step that ends after 2^62 ns",
      [](Chunks& c) {
        c.of(ChunkKind::kSteps) = put([](PutBytes& out) {
          out.natural(1);
          out.difference(int64_t{1} << 62, "");
          out.difference(1, "");
          for (int i = 0; i < 80; ++i) out.natural(0);
        });
      },
      "time is out of range", "(steps: end of a step)", "1 ns", "0 to 2^62");
  add(
      "more swap blocks than the scenario", [](Chunks& c) { c.of(ChunkKind::kBlocks)[0] = 3; },
      "list is too long", "(blocks: swap blocks)", "3 items", "at most 2");
  add(
      "blocks end early", [](Chunks& c) { c.of(ChunkKind::kBlocks).resize(20); }, "", "(blocks", "",
      "");
  add(
      "a block of nobody", [](Chunks& c) { c.of(ChunkKind::kBlocks)[1] = 9; },
      "block belongs to no request", "(blocks: owner)", "8", "a request of the run, or none");
  add(
      "a block with more tokens than it has slots",
      [](Chunks& c) { c.of(ChunkKind::kBlocks)[4] = 5; }, "number is out of range",
      "(blocks: filled slots)", "5", "0 to 4");
  add(
      "texts of another rule", [](Chunks& c) { c.of(ChunkKind::kTexts)[0] = 3; },
      "number is out of range", "(texts: rule of the texts)", "3", "0 to 2");
  add(
      "texts of no request", [](Chunks& c) { c.of(ChunkKind::kTexts) = std::string(2, '\0'); },
      "texts of some requests are missing", "(texts: requests)", "0", "2");
  add(
      "fewer records than requests that were computed", [](Chunks& c) { c.parts.pop_back(); },
      "differ in number", "(requests: has been computed)", "1 records", "2");
  add(
      "more records than requests that were computed",
      [](Chunks& c) { c.parts.push_back(c.parts.back()); }, "differ in number",
      "(requests: has been computed)", "3 records", "2");
  return list;
}

std::vector<Bad> bad_notes() {
  std::vector<Bad> list;
  struct Note {
    uint64_t step;
    std::string text;
  };
  const auto add = [&](const char* name, const std::vector<Note>& notes, const char* what,
                       const char* where, const char* found, const char* allowed) {
    list.push_back({name, sealed([&](Chunks& c) {
                      c.of(ChunkKind::kNotes) = put([&](PutBytes& out) {
                        out.natural(notes.size());
                        for (const Note& note : notes) {
                          out.natural(note.step);
                          out.text(note.text, "");
                        }
                      });
                    }),
                    what, where, found, allowed});
  };
  const char* step = "(notes: step of a note)";
  add("a note on step 0", {{0, "a"}}, "no such step", step, "0", "1 to 3");
  add("a note on a step that was not done", {{1, "a"}, {4, "b"}}, "no such step", step, "4",
      "1 to 3");
  add("a note on step 2^40", {{uint64_t{1} << 40, "a"}}, "number is out of range", step,
      "1099511627776", "0 to");
  add("two notes on a step", {{2, "a"}, {2, "b"}}, "two notes have the same step", step, "step 2",
      "more than 2");
  add("notes not in order", {{2, "a"}, {1, "b"}}, "not in order", step, "step 1", "more than 2");
  add("an empty note", {{1, ""}}, "note is empty", "(notes: note)", "0 bytes", "1 to 4096 bytes");
  add("a long note", {{1, std::string(4097, 'x')}}, "note is too long", "(notes: note)",
      "4097 bytes", "1 to 4096 bytes");
  add("a note that is not UTF-8", {{1, "\xc3("}}, "note is not UTF-8", "(notes: note)",
      "other bytes", "UTF-8");
  add("more notes than a run has", std::vector<Note>(1001, {1, "a"}), "list is too long",
      "(notes: notes)", "1001 items", "at most 1000");
  list.push_back({"notes that go on", sealed([](Chunks& c) { c.of(ChunkKind::kNotes) += "x"; }),
                  "goes on after its last value", "(notes: end)", "1 more bytes", "nothing"});
  return list;
}

TEST(BadSession, TheGoodFileIsTakenAlsoWhenItIsPutTogetherAgain) {
  Reader reader;
  const auto error = reader.refusal(good_file());
  EXPECT_FALSE(error) << error->what();
  EXPECT_TRUE(Chunks(good_file()).whole() == good_file());
}

TEST(BadSession, LayersThatEndEarlyOrLieAreRefused) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "layers.attn-session";
  test::SavedRun(test::shipped_virtual("alternating-layers"), 2).save(file);
  const std::string good = test::read_bytes(file);
  Reader reader;
  EXPECT_FALSE(reader.refusal(good));
  EXPECT_TRUE(Chunks(good).whole() == good);
  const std::string run = Chunks(good).of(ChunkKind::kRun);
  for (size_t size = 0; size < run.size(); ++size) {
    Chunks chunks(good);
    chunks.of(ChunkKind::kRun).resize(size);
    EXPECT_TRUE(reader.refusal(chunks.whole())) << size;
  }
  Chunks chunks(good);
  std::string& bytes = chunks.of(ChunkKind::kRun);
  const size_t call = bytes.find(std::string("\2L0", 3));
  ASSERT_NE(call, std::string::npos);
  bytes[call + 4] = '\2';
  expect_refused({"a flag that is neither", chunks.whole(), "", "(run: sliding window)", "2", ""},
                 reader);
  bytes[call + 3] = '\1';
  bytes[call + 4] = '\1';
  bytes.insert(call + 4, 1, static_cast<char>(AttentionType::kEncoderDecoder));
  expect_refused({"a type that the run cannot have", chunks.whole(), "", "(run: type of a layer)",
                  "ENCODER_DECODER", "DECODER"},
                 reader);
  for (const uint64_t earlier : {1, 2, 3, 4}) {
    chunks = Chunks(good);
    chunks.version = earlier;
    EXPECT_TRUE(reader.refusal(chunks.whole())) << earlier;
  }
}

TEST(BadSession, EveryBadFileIsRefusedWithItsError) {
  Reader reader;
  size_t count = 0;
  for (const auto& list : {bad_containers(), bad_texts(), bad_runs(), bad_notes()})
    for (const Bad& bad : list) {
      expect_refused(bad, reader);
      ++count;
    }
  EXPECT_GE(count, 65u);
}

}  // namespace
}  // namespace attn
