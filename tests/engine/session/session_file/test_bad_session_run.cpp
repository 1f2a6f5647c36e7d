// SPDX-License-Identifier: GPL-3.0-or-later
// Session files with a right container and a bad history, prefix tree, events, row states,
// attention or relative bias: that they are refused, with the right error.

#include <limits>

#include "tests/engine/session/session_file/bad_session.h"

namespace attn {
namespace {

using test::Bad;
using test::Chunks;
using test::event_with;
using test::put;
using test::Reader;
using test::sealed;
using test::set_number;

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
  const auto before = [](PutBytes& out) {
    out.natural(0);
    for (int block = 0; block < 10; ++block)
      for (int field = 0; field < 8; ++field) out.natural(0);
    for (int list_of = 0; list_of < 2; ++list_of) out.natural(0);
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
  const auto no_blocks = [](PutBytes& out) {
    for (int list_of = 0; list_of < 4; ++list_of) out.natural(0);
  };
  const auto nothing = [&](PutBytes& out) {
    out.natural(0);
    no_blocks(out);
  };
  add(
      "more steps than the run", [](PutBytes& out) { out.natural(99); }, "list is too long",
      "(history: steps)", "99 items", "at most");
  add(
      "steps from 0",
      [](PutBytes& out) {
        out.natural(1);
        out.natural(0xffff);
      },
      "number is out of range", "(history: first step)", "65536", "1 to");
  add(
      "history ends early",
      [](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        out.natural(0);
      },
      "chunk ends", "(history: owner)", "", "");
  add(
      "a planned request that is not there",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 7, 3);
      },
      "no request has this number", "(history: planned request)", "7", "a request of the run");
  add(
      "a step whose requests have no place",
      [&](PutBytes& out) {
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
  add(
      "a change of a request that is not there",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        out.natural(2);
      },
      "number is out of range", "(history: place of a request)", "2", "0 to 1");
  add(
      "a change of the second request before the first",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 1, 3, 0, {});
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "requests are in the wrong order", "(history: place of a request)", "1", "0 to 0");
  add(
      "a table that keeps what it had not",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 3, {1});
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "keeps more than it had", "(history: block table)", "3 and 0 blocks", "at most 0 and 0");
  add(
      "a table with a block beyond the pool",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {8});
      },
      "number is out of range", "(history: block table)", "8", "0 to 7");
  add(
      "more blocks left the window than there were",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2}, 3);
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "left the window", "(history: blocks left of the window)", "3", "at most 2");
  add(
      "a request shorter than its prompt",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 0, 0, 1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 4, 0, {1});
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "fewer tokens than its prompt", "(history: tokens of a request)", "4", "5 or more");
  add(
      "a step that writes outside of its table",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 0, 9);
        out.natural(1);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2});
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "outside of its block table", "(history: query length)", "9 tokens", "at most 8");
  add(
      "a changed block beyond the pool",
      [&](PutBytes& out) {
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
  add(
      "a query of 2^40 tokens",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 1, 0, uint64_t{1} << 40);
      },
      "number is out of range", "(history: query length)", "1099511627776", "1 to 16777215");
  add(
      "a request planned twice",
      [&](PutBytes& out) {
        out.natural(1);
        out.natural(0);
        before(out);
        plan(out, 2, 0, 5);
        out.natural(2);
        out.natural(0);
        out.natural(0);
        out.natural(1);
        request(out, 0, 5, 0, {1, 2});
        no_blocks(out);
        nothing(out);
        out.natural(0);
      },
      "planned twice", "(history: place of a planned request)", "0", "each request once");
  return list;
}

// In the tiny run request 0 has 8 tokens and request 1 has 6; blocks have 4 tokens.
std::vector<Bad> bad_prefixes() {
  std::vector<Bad> list;
  struct Prefix {
    uint64_t parent, request, serial;  // parent: 0 none, else 1 + its number
  };
  using Blocks = std::vector<std::pair<uint64_t, uint64_t>>;
  // Writes a state before step 1 in which the blocks of `hashed` are known by a prefix, then
  // `prefixes` and `blocks`.
  const auto add = [&](const char* name, const std::vector<int>& hashed,
                       const std::vector<Prefix>& prefixes, const Blocks& blocks, const char* what,
                       const char* where, const char* found, const char* allowed) {
    const auto write = [&](PutBytes& out) {
      out.flag(true, "");
      out.natural(1);
      out.natural(0);
      out.natural(0);
      for (int block = 0; block < 10; ++block) {
        for (int field = 0; field < 7; ++field) out.natural(0);
        out.flag(std::ranges::find(hashed, block) != hashed.end(), "");
      }
      out.natural(prefixes.size());
      for (const Prefix& prefix : prefixes)
        for (const uint64_t value : {prefix.parent, prefix.request, prefix.serial})
          out.natural(value);
      out.natural(blocks.size());
      for (const auto& [block, prefix] : blocks) {
        out.natural(block);
        out.natural(prefix);
      }
    };
    list.push_back({name, sealed([&](Chunks& c) { c.of(ChunkKind::kHistory) = put(write); }), what,
                    where, found, allowed});
  };
  add("a prefix under one that is not there", {}, {{1, 0, 0}}, {}, "number is out of range",
      "(history: parent of a prefix)", "0", "-1 to -1");
  add("a prefix of no request", {}, {{0, 2, 0}}, {}, "number is out of range",
      "(history: request of a prefix)", "2", "0 to 1");
  add("a prefix longer than its request", {}, {{0, 1, 0}, {1, 1, 1}}, {}, "longer than its request",
      "(history: request of a prefix)", "2 blocks of 4 tokens", "at most 6 tokens");
  add("a prefix that stands twice", {}, {{0, 0, 3}, {0, 1, 3}}, {}, "appears twice",
      "(history: serial number of a prefix)", "3", "a new number");
  add("a prefix older than its parent", {}, {{0, 0, 3}, {1, 0, 2}}, {}, "before its parent",
      "(history: serial number of a prefix)", "2", "more than 3");
  add("a prefix in a block beyond the pool", {}, {{0, 0, 0}}, {{8, 1}}, "number is out of range",
      "(history: block of a prefix)", "8", "0 to 7");
  add("a block with a prefix that is not there", {}, {{0, 0, 0}}, {{2, 2}},
      "number is out of range", "(history: prefix)", "1", "-1 to 0");
  add("a prefix in two blocks", {2, 3}, {{0, 0, 0}}, {{2, 1}, {3, 1}}, "lies in two blocks",
      "(history: prefix)", "blocks 2 and 3", "one block");
  add("two prefixes in one block", {2}, {{0, 0, 0}, {0, 1, 1}}, {{2, 1}, {2, 2}},
      "two prefixes lie in one block", "(history: block of a prefix)", "block 2",
      "each block once");
  add("more blocks of prefixes than blocks", {}, {{0, 0, 0}}, Blocks(9, {0, 0}), "list is too long",
      "(history: blocks of prefixes)", "9 items", "at most 8");
  add("a prefix in a block that says none", {}, {{0, 0, 0}}, {{2, 1}}, "contradicts",
      "(history: prefix)", "block 2 is not found", "no node of the prefix tree");
  add("a block that is found without a prefix", {5}, {}, {}, "contradicts", "(history: prefix)",
      "block 5 is found", "a node of the prefix tree");
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
  add("an event on lane 9", event_with(EventKind::kStep, 14, 9, 1),
      "something that the run does not have", "(events: lane)", "9", "0 to 1");
  add("an event of layer 5", event_with(EventKind::kStep, 15, 5, 1),
      "something that the run does not have", "(events: layer)", "5", "0 to 0");
  add("an event after 2^63 ns", event_with(EventKind::kStep, 0, uint64_t{1} << 63, 8),
      "something that the run does not have", "(events: begin)", "9223372036854775808", "");
  add("a step that was not", event_with(EventKind::kStep, 16, 77, 4),
      "something that the run does not have", "(events: step)", "77", "0 to");
  add("a kernel that is not", event_with(EventKind::kKernel, 16, 200, 4),
      "something that the run does not have", "(events: kernel)", "200", "0 to");
  add("a token of no request", event_with(EventKind::kTokenSampled, 16, 5, 4),
      "of no request of the run", "(events: request)", "5", "a request of the run");
  add("a tile of no request", event_with(EventKind::kTile, 16, 5 | 5u << 24, 4),
      "of no request of the run", "(events: request)", "5", "a request of the run");
  add("a tile of head 9", event_with(EventKind::kTile, 27, 9, 1),
      "something that the run does not have", "(events: head)", "9", "0 to 1");
  add("a block beyond the pool", event_with(EventKind::kBlockAllocated, 16, 8, 4),
      "something that the run does not have", "(events: block)", "8", "0 to 7");
  add("a warning without a sentence", event_with(EventKind::kWarning, 16, 6, 4),
      "something that the run does not have", "(events: message)", "6", "0 to");
  add("an end without a state", event_with(EventKind::kRequestFinished, 20, 44, 4),
      "something that the run does not have", "(events: state)", "44", "0 to 6");
  const auto row = [](size_t at, uint64_t value, size_t size) {
    return sealed([&](Chunks& c) { set_number(c.of(ChunkKind::kRowStates), at, value, size); });
  };
  add("a row state of no request", row(0, 9, 4), "of no request", "(rowstate: request)", "9", "");
  add("a row state of layer 7", row(24, 7, 1), "something that the run does not have",
      "(rowstate: layer)", "7", "0 to 0");
  add("a row state of head 7", row(25, 7, 1), "something that the run does not have",
      "(rowstate: head)", "7", "0 to 1");
  add("a row state of query 2^24", row(4, uint64_t{1} << 24, 4),
      "something that the run does not have", "(rowstate: query)", "16777216", "0 to 16777215");
  add("a row state with more behind it", row(31, 1, 1), "something that the run does not have",
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
  // A record is: encoder keys, whether it keeps its keys, rows, blocks, whether it has values, rows
  // without a window; then 2 heads x 7 rows of log-sum-exps.
  add(
      "a record of more rows", [](std::string& b) { b[2] = 8; }, "", "(record", "", "");
  add(
      "a record of fewer rows", [](std::string& b) { b[2] = 6; }, "goes on after its last value",
      "(record: end)", "more bytes", "nothing");
  add(
      "a record of the most rows",
      [](std::string& b) {
        b.replace(2, 1, put([](PutBytes& out) { out.natural((uint64_t{1} << 24) - 1); }));
      },
      "more rows than its bytes can hold", "(record: rows)", "16777215", "log-sum-exps");
  add(
      "a record of 2^60 rows",
      [](std::string& b) {
        b.replace(2, 1, put([](PutBytes& out) { out.natural(uint64_t{1} << 60); }));
      },
      "number is out of range", "(record: rows)", "1152921504606846976", "0 to 16777215");
  add(
      "a record whose first 2^24 rows ignore the window",
      [](std::string& b) {
        const size_t rows = 5 + static_cast<uint8_t>(b[3]);
        b.replace(rows, 1, put([](PutBytes& out) { out.natural(uint64_t{1} << 24); }));
      },
      "number is out of range", "(record: rows without a window)", "16777216", "0 to 16777215");
  add(
      "a record cut short", [](std::string& b) { b.pop_back(); }, "chunk ends inside a value",
      "(record: values)", "bytes left", "bytes");
  add(
      "a record that goes on", [](std::string& b) { b += "1234"; }, "goes on after its last value",
      "(record: end)", "4 more bytes", "nothing");
  add(
      "a row that is done without a query",
      [](std::string& b) {
        const size_t at = b.find("\x7e\xa7\xc0\x7f");
        EXPECT_EQ(at, std::string::npos);
        const size_t lse = 6 + static_cast<uint8_t>(b[3]);
        b.replace(lse, 4, "\x7e\xa7\xc0\x7f");
        b.replace(lse + 4 * 7, 4, "\x7e\xa7\xc0\x7f");
      },
      "goes on after its last value", "(record: end)", "more bytes", "nothing");
  add(
      "a key in a block beyond the pool", [](std::string& b) { b[4] = 9; },
      "number is out of range", "(record: block)", "8", "-1 to 7");
  add(
      "more blocks than the cache", [](std::string& b) { b[3] = 60; }, "list is too long",
      "(record: blocks)", "60 items", "at most 8");
  return list;
}

std::vector<Bad> bad_relative_biases() {
  const std::string& good = test::good_file();
  const SessionValue list = test::value_in(good, ChunkKind::kRun, "relative bias"),
                     before = test::value_in(good, ChunkKind::kRun, "distances before a query");
  const auto floats = [](const std::vector<float>& values) {
    return put([&](PutBytes& out) {
      out.natural(values.size());
      for (const float value : values) out.any_real(value, "");
    });
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  return {{"a bias for one of two heads", test::with_value(good, list, floats({1})),
           "there is not one bias per query head and distance", "(run: relative bias)", "1",
           "2, or none"},
          {"more biases than heads", test::with_value(good, list, floats({1, 2, 3})),
           "list is too long", "(run: relative bias)", "3 items", "at most 2"},
          {"a bias that is no number", test::with_value(good, list, floats({1, nan})),
           "number is not finite", "(run: relative bias)", "infinity or NaN", ""},
          {"distances that no file has",
           test::with_value(good, before, put([](PutBytes& out) { out.natural(1u << 30); })),
           "number is out of range", "(run: distances before a query)", "1073741824", "0 to"}};
}

TEST(BadSessionRun, EveryBadFileIsRefusedWithItsError) {
  Reader reader;
  size_t count = 0;
  for (const auto& list :
       {bad_histories(), bad_prefixes(), bad_events(), bad_records(), bad_relative_biases()})
    for (const Bad& bad : list) {
      expect_refused(bad, reader);
      ++count;
    }
  EXPECT_GE(count, 56u);
}

}  // namespace
}  // namespace attn
