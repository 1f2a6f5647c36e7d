// SPDX-License-Identifier: GPL-3.0-or-later
// Session files come from anywhere. Every bad one is refused with what is wrong, where, what was
// found and what is allowed; cut short, with any bit of any byte turned, or with right checksums
// around wrong contents.
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <random>

#include "engine/core/error.h"
#include "tests/engine/session/session_file_support.h"

namespace attn {
namespace {

using test::Chunks;
using test::set_number;
using test::TemporaryFolder;

// A small run that has everything: a prefix tree, a swap pool, row states, a warning.
const std::string& good_file() {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    test::SavedRun run(test::tiny_scenario());
    run.engine->warn("a sentence");
    run.recorder->drain();
    run.save(folder.path() / "a.attn-session");
    return test::read_bytes(folder.path() / "a.attn-session");
  }();
  return bytes;
}

class Reader {
 public:
  // The refusal; no value where the file is taken.
  std::optional<Error> refusal(std::string_view bytes) {
    test::write_bytes(file(), bytes);
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

std::string sealed(const std::function<void(Chunks&)>& change) {
  Chunks chunks(good_file());
  change(chunks);
  return chunks.whole();
}

std::string with_bytes(const std::function<void(std::string&)>& change, bool seal = true) {
  std::string bytes = good_file();
  change(bytes);
  if (seal) test::seal_table(bytes);
  return bytes;
}

// A chunk written anew by the means of the writer.
std::string put(const std::function<void(PutBytes&)>& write) {
  PutBytes out;
  write(out);
  return out.bytes;
}

size_t entry_of(ChunkKind kind) {
  return kSessionHeaderBytes + static_cast<size_t>(kind) * kSessionEntryBytes;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

struct Bad {
  const char* name;
  std::string bytes;
  const char *what, *where, *found, *allowed;  // parts of the error's
};

// Events: fields at their offsets.
std::string event_with(EventKind kind, size_t at, uint64_t value, size_t size) {
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

std::vector<Bad> bad_containers() {
  const std::string good = good_file();
  const size_t size = good.size();
  std::vector<Bad> list;
  const auto add = [&](const char* name, std::string bytes, const char* what, const char* where,
                       const char* found, const char* allowed) {
    list.push_back({name, std::move(bytes), what, where, found, allowed});
  };
  add("empty", "", "not a session file", "byte 0", "an empty file", "ATTNSESS");
  add("other magic", with_bytes([](std::string& b) { b[3] = 'X'; }), "not a session file",
      "byte 0", "ATTXSESS", "ATTNSESS");
  add("a JSON file", "{\"version\": 1}", "not a session file", "byte 0", "{", "ATTNSESS");
  add("magic alone", "ATTNSESS", "ends inside its header", "byte 8", "8 bytes", "32 bytes");
  add("newer version", with_bytes([](std::string& b) { set_number(b, 8, 2, 4); }),
      "version of the session format is not known", "byte 8", "2", "1");
  add("version 0", with_bytes([](std::string& b) { set_number(b, 8, 0, 4); }),
      "version of the session format is not known", "byte 8", "0", "1");
  add("no chunks", with_bytes([](std::string& b) { set_number(b, 12, 0, 4); }),
      "too few chunks", "byte 12", "0", "12 or more");
  add("more chunks than bytes",
      with_bytes([](std::string& b) { set_number(b, 12, 0xffffffff, 4); }),
      "table of chunks ends past the end", "byte 12", "4294967295 chunks", "at most");
  add("cut short", good.substr(0, size - 1), "cut short", "byte 16", "bytes", "bytes");
  add("trailing bytes", good + "x", "goes on after its end", "byte 16", "bytes", "bytes");
  add("size 2^64 - 1",
      with_bytes([](std::string& b) { set_number(b, 16, ~uint64_t{0}, 8); }), "cut short",
      "byte 16", "bytes", "18446744073709551615 bytes");
  add("checksum of the table", with_bytes([](std::string& b) { b[24] ^= 1; }, false),
      "checksum of the table", "byte 24", "", "");
  add("chunk of another name", with_bytes([](std::string& b) {
        b[entry_of(ChunkKind::kRun)] = 'R';
      }),
      "another name", "byte 96", "Run", "run");
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
  add("checksum of a chunk",
      with_bytes([](std::string& b) { b[b.find("\"title\"")] ^= 1; }, false),
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
  add("scenario is no JSON",
      [](Chunks& c) { c.of(ChunkKind::kScenario) = "{"; }, "", "(scenario)", "", "");
  add("scenario is empty", [](Chunks& c) { c.of(ChunkKind::kScenario).clear(); }, "",
      "(scenario)", "", "");
  add("scenario of another version",
      [](Chunks& c) { replace(c.of(ChunkKind::kScenario), "\"version\": 1", "\"version\": 9"); },
      "version of the scenario format", "$.version", "9", "1");
  add("scenario with a wrong number",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"block_size\": 4", "\"block_size\": 0");
      },
      "", "$.engine.block_size", "0", "1 to 256");
  add("scenario of more blocks than there are",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"num_blocks\": 8", "\"num_blocks\": 1048576");
      },
      "fewer blocks than the cache", "(blocks", "bytes", "1048576 blocks");
  add("scenario of fewer blocks than there are",
      [](Chunks& c) {
        replace(c.of(ChunkKind::kScenario), "\"num_blocks\": 8", "\"num_blocks\": 7");
      },
      "", "", "", "");
  add("view is no JSON", [](Chunks& c) { c.of(ChunkKind::kView) = "[1,"; }, "", "(view)", "", "");
  add("view is no object", [](Chunks& c) { c.of(ChunkKind::kView) = "[1]"; },
      "is not an object", "(view), $", "array", "an object");
  add("view is larger than 1 MiB",
      [](Chunks& c) {
        c.of(ChunkKind::kView) = "{\"a\":\"" + std::string((1 << 20), 'x') + "\"}";
      },
      "", "(view)", "", "");
  add("view is too deep",
      [](Chunks& c) {
        c.of(ChunkKind::kView) = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
      },
      "", "(view)", "", "");
  add("view has a key twice",
      [](Chunks& c) { c.of(ChunkKind::kView) = "{\"a\":1,\"a\":2}"; }, "", "(view)", "", "");
  add("messages end early", [](Chunks& c) { c.of(ChunkKind::kMessages) = "\x02\x01" "a"; },
      "chunk ends inside a number", "(messages: message)", "0 bytes", "");
  add("message is longer than its chunk",
      [](Chunks& c) { c.of(ChunkKind::kMessages) = "\x01\x7f" "a"; }, "text ends past its chunk",
      "(messages: message)", "127 bytes", "at most 1 bytes");
  add("more messages than bytes",
      [](Chunks& c) {
        c.of(ChunkKind::kMessages) = put([](PutBytes& out) { out.natural(~uint64_t{0}); });
      },
      "list is too long", "(messages: messages)", "18446744073709551615 items", "at most 0");
  add("a number of 70 bits",
      [](Chunks& c) { c.of(ChunkKind::kMessages) = std::string(9, '\xff') + "\x7f"; },
      "number is too large", "(messages: messages)", "more than 64 bits", "2^64 - 1");
  add("a number with a byte too many",
      [](Chunks& c) { c.of(ChunkKind::kMessages) = std::string("\x80\x00", 2); },
      "longer than it needs to be", "(messages: messages)", "a last byte of 0", "shortest");
  add("messages go on", [](Chunks& c) { c.of(ChunkKind::kMessages) += "x"; },
      "goes on after its last value", "(messages: end)", "1 more bytes", "nothing");
  add("a token twice",
      [](Chunks& c) {
        c.of(ChunkKind::kTokens) = put([](PutBytes& out) {
          out.natural(2);
          for (int i = 0; i < 2; ++i) {
            out.natural(3);
            out.text("a", "");
          }
        });
      },
      "token stands twice", "(tokens: token)", "3", "more than 3");
  add("tokens without a text",
      [](Chunks& c) { c.of(ChunkKind::kTokens) = std::string(1, '\0'); }, "token has no text",
      "(requests: token)", "", "table of texts");
  return list;
}

std::vector<Bad> bad_runs() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, const std::function<void(Chunks&)>& change,
                       const char* what, const char* where, const char* found,
                       const char* allowed) {
    list.push_back({name, sealed(change), what, where, found, allowed});
  };
  // The run chunk begins with two texts, the name of the source, then its dimensions.
  const auto source = [](Chunks& c, size_t field, char value) {
    std::string& run = c.of(ChunkKind::kRun);
    size_t at = 0;
    for (int text = 0; text < 3; ++text) at += 1 + static_cast<uint8_t>(run[at]);
    run[at + field] = value;
  };
  add("more query heads than the log-sum-exps are of",
      [&](Chunks& c) { source(c, 1, 3); }, "", "(record", "", "");
  add("KV heads that do not divide",
      [&](Chunks& c) {
        source(c, 1, 2);
        source(c, 2, 1);
      },
      "KV heads do not divide", "(run: KV heads)", "2", "a divisor of 3");
  add("another head size",
      [&](Chunks& c) { source(c, 3, 30); }, "", "(record", "", "");
  add("run ends early", [](Chunks& c) { c.of(ChunkKind::kRun).resize(9); }, "", "(run", "", "");
  add("run goes on", [](Chunks& c) { c.of(ChunkKind::kRun) += '\0'; },
      "goes on after its last value", "(run: end)", "1 more bytes", "nothing");
  add("a flag that is 2", [](Chunks& c) { c.of(ChunkKind::kRun).back() = 2; },
      "neither yes nor no", "(run: was slowed or paused)", "2", "0 or 1");
  add("requests end early", [](Chunks& c) { c.of(ChunkKind::kRequests).resize(5); }, "",
      "(requests", "", "");
  add("two requests of one number",
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
  add("a prompt longer than its tokens",
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
  add("a request number of 25 bits",
      [](Chunks& c) {
        c.of(ChunkKind::kRequests) = put([](PutBytes& out) {
          out.natural(1);
          out.natural(uint64_t{1} << 24);
        });
      },
      "number is out of range", "(requests: request)", "16777216", "0 to 16777215");
  add("no steps but a step", [](Chunks& c) { c.of(ChunkKind::kSteps) = std::string(1, '\0'); },
      "fewer steps than it has done", "(steps: steps)", "0", "or more");
  add("a step before the beginning",
      [](Chunks& c) {
        c.of(ChunkKind::kSteps) = put([](PutBytes& out) {
          out.natural(1);
          out.difference(-5, "");
          for (int i = 0; i < 80; ++i) out.natural(0);
        });
      },
      "time is out of range", "(steps: begin of a step)", "-5 ns", "0 to 2^62");
  add("a step that ends after 2^62 ns",
      [](Chunks& c) {
        c.of(ChunkKind::kSteps) = put([](PutBytes& out) {
          out.natural(1);
          out.difference(int64_t{1} << 62, "");
          out.difference(1, "");
          for (int i = 0; i < 80; ++i) out.natural(0);
        });
      },
      "time is out of range", "(steps: end of a step)", "1 ns", "0 to 2^62");
  add("more swap blocks than the scenario",
      [](Chunks& c) { c.of(ChunkKind::kBlocks)[0] = 3; }, "list is too long",
      "(blocks: swap blocks)", "3 items", "at most 2");
  add("blocks end early",
      [](Chunks& c) { c.of(ChunkKind::kBlocks).resize(20); }, "", "(blocks", "", "");
  add("a block of nobody",
      [](Chunks& c) { c.of(ChunkKind::kBlocks)[1] = 9; }, "block belongs to no request",
      "(blocks: owner)", "8", "a request of the run, or none");
  add("a block with more tokens than it has slots",
      [](Chunks& c) { c.of(ChunkKind::kBlocks)[4] = 5; }, "number is out of range",
      "(blocks: filled slots)", "5", "0 to 4");
  add("texts of another rule", [](Chunks& c) { c.of(ChunkKind::kTexts)[0] = 3; },
      "number is out of range", "(texts: rule of the texts)", "3", "0 to 2");
  add("texts of no request",
      [](Chunks& c) { c.of(ChunkKind::kTexts) = std::string(2, '\0'); },
      "texts are not of all requests", "(texts: requests)", "0", "2");
  add("fewer records than requests that were computed",
      [](Chunks& c) { c.parts.pop_back(); }, "differ in number",
      "(requests: has been computed)", "1 records", "2");
  add("more records than requests that were computed",
      [](Chunks& c) { c.parts.push_back(c.parts.back()); }, "differ in number",
      "(requests: has been computed)", "3 records", "2");
  return list;
}

std::vector<Bad> bad_histories() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, const std::function<void(PutBytes&)>& write,
                       const char* what, const char* where, const char* found,
                       const char* allowed) {
    list.push_back({name, sealed([&](Chunks& c) {
                      c.of(ChunkKind::kHistory) = put([&](PutBytes& out) {
                        out.flag(true, "");
                        write(out);
                      });
                    }),
                    what, where, found, allowed});
  };
  // The state before step 1: no requests, 8 + 2 blocks.
  const auto before = [](PutBytes& out) {
    out.natural(0);
    for (int block = 0; block < 10; ++block)
      for (int field = 0; field < 8; ++field) out.natural(0);
  };
  const auto plan = [](PutBytes& out, int sequences, uint64_t request, uint64_t query_len) {
    out.natural(1);  // step
    out.natural(static_cast<uint64_t>(sequences));
    for (int i = 0; i < sequences; ++i) {
      out.natural(request);
      out.natural(0);
      out.natural(query_len - 1);
      out.flag(true, "");
      out.natural(0);
    }
    for (int empty = 0; empty < 9; ++empty) out.natural(0);
    out.natural(0);
    out.natural(0);
  };
  // A request in the list of what changed: tokens, table.
  const auto request = [](PutBytes& out, uint64_t place, uint64_t tokens, uint64_t keep,
                          const std::vector<uint64_t>& table, uint64_t left_window = 0) {
    out.natural(place);
    for (int field = 0; field < 8; ++field) out.natural(0);
    out.natural(tokens);
    for (int field = 0; field < 3; ++field) out.natural(0);
    const double none = 0;
    out.raw(&none, sizeof none);
    out.natural(left_window);
    out.natural(keep);
    out.natural(table.size());
    for (const uint64_t block : table) out.natural(block);
    out.natural(0);
    out.natural(0);
  };
  const auto nothing = [](PutBytes& out) {
    for (int list_of = 0; list_of < 3; ++list_of) out.natural(0);
  };
  add("more steps than the run", [](PutBytes& out) { out.natural(99); }, "list is too long",
      "(history: steps)", "99 items", "at most");
  add("steps from 0", [](PutBytes& out) {
        out.natural(1);
        out.natural(0xffff);
      },
      "number is out of range", "(history: first step)", "65536", "1 to");
  add("history ends early", [](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        out.natural(0);
      },
      "chunk ends", "(history: owner)", "", "");
  add("a planned request that is not there", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 7, 3);
      },
      "no request has this number", "(history: planned request)", "7", "a request of the run");
  add("a step whose requests have no place", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 0, 3);
        out.natural(0);
        nothing(out);
        nothing(out);
        out.natural(0);
      },
      "differ in number", "(history: places of the planned requests)", "0", "1");
  add("a change of a request that is not there", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        out.natural(2);
      },
      "number is out of range", "(history: place of a request)", "2", "0 to 1");
  add("a change of the second request before the first", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 1, 3, 0, {});
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "before the one in front of it", "(history: place of a request)", "1", "0 to 0");
  add("a table that keeps what it had not", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 3, {1});
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "keeps more than it had", "(history: block table)", "3 and 0 blocks", "at most 0 and 0");
  add("a table with a block beyond the pool", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {8});
      },
      "number is out of range", "(history: block table)", "8", "0 to 7");
  add("more blocks left the window than there were", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2}, 3);
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "left the window", "(history: blocks left of the window)", "3", "at most 2");
  add("a request shorter than its prompt", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 4, 0, {1});
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "fewer tokens than its prompt", "(history: tokens of a request)", "4", "5 or more");
  add("a step that writes outside of its table", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 0, 9);
        out.natural(1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2});
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "outside of its block table", "(history: query length)", "9 tokens", "at most 8");
  add("a changed block beyond the pool", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(0);
        out.natural(1);
        out.natural(8);
      },
      "number is out of range", "(history: changed blocks)", "8", "0 to 7");
  add("a query of 2^40 tokens", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 0, uint64_t{1} << 40);
      },
      "number is out of range", "(history: query length)", "1099511627776", "1 to 16777215");
  add("a request planned twice", [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 2, 0, 5);
        out.natural(2);
        out.natural(0);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2});
        out.natural(0);
        out.natural(0);
        nothing(out);
        out.natural(0);
      },
      "planned twice", "(history: place of a planned request)", "0", "each request once");
  return list;
}

std::vector<Bad> bad_events() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, std::string bytes, const char* what, const char* where,
                       const char* found, const char* allowed) {
    list.push_back({name, std::move(bytes), what, where, found, allowed});
  };
  add("events of 33 bytes", sealed([](Chunks& c) { c.of(ChunkKind::kEvents) += "x"; }),
      "no whole number of items", "(events)", "bytes", "a multiple of 32");
  add("an event of no kind", event_with(EventKind::kStep, 13, 0xee, 1), "no known kind",
      "(events: kind)", "238", "0 to");
  add("an event on lane 9", event_with(EventKind::kStep, 14, 9, 1), "what the run has not",
      "(events: lane)", "9", "0 to 1");
  add("an event of layer 5", event_with(EventKind::kStep, 15, 5, 1), "what the run has not",
      "(events: layer)", "5", "0 to 0");
  add("an event after 2^63 ns", event_with(EventKind::kStep, 0, uint64_t{1} << 63, 8),
      "what the run has not", "(events: begin)", "9223372036854775808", "");
  add("a step that was not", event_with(EventKind::kStep, 16, 77, 4), "what the run has not",
      "(events: step)", "77", "0 to");
  add("a kernel that is not", event_with(EventKind::kKernel, 16, 200, 4),
      "what the run has not", "(events: kernel)", "200", "0 to");
  add("a token of no request", event_with(EventKind::kTokenSampled, 16, 5, 4),
      "of no request of the run", "(events: request)", "5", "a request of the run");
  add("a tile of no request", event_with(EventKind::kTile, 16, 5 | 5u << 24, 4),
      "of no request of the run", "(events: request)", "5", "a request of the run");
  add("a tile of head 9", event_with(EventKind::kTile, 27, 9, 1), "what the run has not",
      "(events: head)", "9", "0 to 1");
  add("a block beyond the pool", event_with(EventKind::kBlockAllocated, 16, 8, 4),
      "what the run has not", "(events: block)", "8", "0 to 7");
  add("a warning without a sentence", event_with(EventKind::kWarning, 16, 6, 4),
      "what the run has not", "(events: message)", "6", "0 to");
  add("an end without a state", event_with(EventKind::kRequestFinished, 20, 44, 4),
      "what the run has not", "(events: state)", "44", "0 to 6");
  const auto row = [](size_t at, uint64_t value, size_t size) {
    return sealed([&](Chunks& c) { set_number(c.of(ChunkKind::kRowStates), at, value, size); });
  };
  add("a row state of no request", row(0, 9, 4), "of no request", "(rowstate: request)", "9", "");
  add("a row state of layer 7", row(24, 7, 1), "what the run has not", "(rowstate: layer)", "7",
      "0 to 0");
  add("a row state of head 7", row(25, 7, 1), "what the run has not", "(rowstate: head)", "7",
      "0 to 1");
  add("a row state of query 2^24", row(4, uint64_t{1} << 24, 4), "what the run has not",
      "(rowstate: query)", "16777216", "0 to 16777215");
  add("a row state with more behind it", row(31, 1, 1), "what the run has not",
      "(rowstate: zeros)", "1", "0 to 0");
  return list;
}

std::vector<Bad> bad_records() {
  std::vector<Bad> list;
  const auto add = [&](const char* name, const std::function<void(std::string&)>& change,
                       const char* what, const char* where, const char* found,
                       const char* allowed) {
    list.push_back({name, sealed([&](Chunks& c) { change(c.of(ChunkKind::kAttention)); }), what,
                    where, found, allowed});
  };
  // encoder keys, keeps its keys, rows, blocks; then 2 heads x 7 rows of log-sum-exps.
  add("a record of more rows", [](std::string& b) { b[2] = 8; }, "", "(record", "", "");
  add("a record of fewer rows", [](std::string& b) { b[2] = 6; }, "goes on after its last value",
      "(record: end)", "more bytes", "nothing");
  add("a record of 2^24 rows",
      [](std::string& b) {
        b.replace(2, 1, put([](PutBytes& out) { out.natural(uint64_t{1} << 24); }));
      },
      "more rows than its bytes can hold", "(record: rows)", "16777216", "log-sum-exps");
  add("a record of 2^60 rows",
      [](std::string& b) {
        b.replace(2, 1, put([](PutBytes& out) { out.natural(uint64_t{1} << 60); }));
      },
      "number is out of range", "(record: rows)", "1152921504606846976", "0 to 16777216");
  add("a record cut short", [](std::string& b) { b.pop_back(); }, "chunk ends inside a value",
      "(record: keys)", "bytes left", "bytes");
  add("a record that goes on", [](std::string& b) { b += "1234"; },
      "goes on after its last value", "(record: end)", "4 more bytes", "nothing");
  add("a row that is done without a query",
      [](std::string& b) {
        const size_t at = b.find("\x7e\xa7\xc0\x7f");
        // All rows are done here: one that is not has a query too many.
        EXPECT_EQ(at, std::string::npos);
        const size_t lse = 4 + static_cast<uint8_t>(b[3]);
        b.replace(lse, 4, "\x7e\xa7\xc0\x7f");
        b.replace(lse + 4 * 7, 4, "\x7e\xa7\xc0\x7f");
      },
      "goes on after its last value", "(record: end)", "more bytes", "nothing");
  add("a key in a block beyond the pool", [](std::string& b) { b[4] = 9; },
      "number is out of range", "(record: block)", "8", "-1 to 7");
  add("more blocks than the cache", [](std::string& b) { b[3] = 60; }, "list is too long",
      "(record: blocks)", "60 items", "at most 8");
  return list;
}

void expect_refused(const Bad& bad, Reader& reader) {
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

TEST(BadSession, TheGoodFileIsTakenAlsoWhenItIsPutTogetherAgain) {
  Reader reader;
  const auto error = reader.refusal(good_file());
  EXPECT_FALSE(error) << error->what();
  EXPECT_TRUE(Chunks(good_file()).whole() == good_file());
}

TEST(BadSession, EveryBadFileIsRefusedWithItsError) {
  Reader reader;
  size_t count = 0;
  for (const auto& list : {bad_containers(), bad_texts(), bad_runs(), bad_histories(),
                           bad_events(), bad_records()})
    for (const Bad& bad : list) {
      expect_refused(bad, reader);
      ++count;
    }
  EXPECT_GE(count, 90u);
}

TEST(BadSession, EveryPrefixIsRefused) {
  Reader reader;
  const std::string& good = good_file();
  for (size_t size = 0; size < good.size(); ++size) {
    const auto error = reader.refusal(std::string_view(good).substr(0, size));
    ASSERT_TRUE(error) << size;
    ASSERT_EQ(error->code(), ErrorCode::kBadInput) << size;
  }
}

// Also prefixes of every chunk in a file whose lengths and checksums are right.
TEST(BadSession, EveryPrefixOfEveryChunkIsRefused) {
  Reader reader;
  const Chunks good(good_file());
  for (size_t chunk = 0; chunk < good.parts.size(); ++chunk) {
    const size_t size = good.parts[chunk].second.size();
    for (size_t most = 0; most < size; most += 1 + size / 400) {
      Chunks bad = good;
      bad.parts[chunk].second.resize(most);
      // A whole number of events, or of row states, is a run with fewer of them.
      if ((chunk == static_cast<size_t>(ChunkKind::kEvents) ||
           chunk == static_cast<size_t>(ChunkKind::kRowStates)) &&
          most % 32 == 0)
        continue;
      // The scenario without its last line end says the same.
      if (chunk == static_cast<size_t>(ChunkKind::kScenario) && most + 1 == size) continue;
      const auto error = reader.refusal(bad.whole());
      ASSERT_TRUE(error) << good.parts[chunk].first << " " << most;
      ASSERT_EQ(error->code(), ErrorCode::kBadInput) << error->what();
    }
  }
}

TEST(BadSession, EveryBitOfHeaderAndTableCounts) {
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

TEST(BadSession, EveryBitOfTheChunksCounts) {
  Reader reader;
  std::mt19937 random(3);
  for (size_t byte = 0; byte < good_file().size(); ++byte) {
    std::string bytes = good_file();
    bytes[byte] = static_cast<char>(bytes[byte] ^ 1 << random() % 8);
    const auto error = reader.refusal(bytes);
    ASSERT_TRUE(error) << byte;
    ASSERT_EQ(error->code(), ErrorCode::kBadInput) << byte;
  }
}

// What a reader makes of a run: all that views do with it must be possible.
void look_at_everything(const Session& session) {
  const EngineSnapshot& now = *session.snapshot;
  float sum = 0;
  for (const RequestView& request : now.requests) {
    if (!request.attention) continue;
    const AttentionRecord& record = *request.attention;
    const int64_t rows = std::min<int64_t>(record.num_rows(), 64),
                  keys = std::min<int64_t>(record.num_keys(), 64);
    std::vector<float> cells(static_cast<size_t>(rows * keys));
    for (int64_t layer = 0; layer < record.shape().num_layers; ++layer)
      for (int64_t head = 0; head < record.shape().num_heads; ++head) {
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

// Wrong bytes behind right checksums: refused, or a run that can be looked at. Under a sanitizer
// this is where reads and writes out of bounds would show.
TEST(BadSession, AnyByteBehindRightChecksumsIsRefusedOrHarmless) {
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
  EXPECT_GT(taken, 300u);  // floats, texts, times: other numbers, but a run
}

TEST(BadSession, WhatIsNoFileIsRefused) {
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

// The disk promises bytes that are not there any more when they are read.
TEST(BadSession, AFileThatShrinksIsRefused) {
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

// A file of 1 TiB that takes no room on the disk: refused by its size, no memory is asked for.
TEST(BadSession, AHugeHoleIsRefused) {
  Reader reader;
  test::write_bytes(reader.file(), good_file());
  std::filesystem::resize_file(reader.file(), uintmax_t{1} << 40);
  try {
    load_session(reader.file());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
  }
  std::string bytes = good_file();
  set_number(bytes, 16, uint64_t{1} << 40, 8);
  test::write_bytes(reader.file(), bytes);
  std::filesystem::resize_file(reader.file(), uintmax_t{1} << 40);
  try {
    load_session(reader.file());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace attn
