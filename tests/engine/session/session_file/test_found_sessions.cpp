// SPDX-License-Identifier: GPL-3.0-or-later
// Files that were found by changing single values of good session files (tests/fuzz). An earlier
// reader accepted them, and later work on the session failed. Now they are refused or can be used.

#include "engine/session/batch/step_facts.h"
#include "engine/session/report/report.h"
#include "engine/trace/lod_index.h"
#include "tests/engine/session/session_file/bad_session.h"

namespace attn {
namespace {

using test::expect_refused;
using test::Reader;
using test::value_in;
using test::with_value;

const std::string& plain_file() {
  static const std::string bytes = [] {
    Scenario scenario = test::tiny_scenario();
    scenario.engine.num_swap_blocks = 0;
    scenario.engine.enable_prefix_caching = false;
    const test::TemporaryFolder folder;
    test::SavedRun(scenario).save(folder.path() / "a.attn-session");
    return test::read_bytes(folder.path() / "a.attn-session");
  }();
  return bytes;
}

TEST(FoundSession, AHistoryThatWritesIntoAPoolThatIsNotThereIsRefused) {
  const SessionValue list = value_in(plain_file(), ChunkKind::kHistory, "changed swap blocks");
  ASSERT_EQ(list.size, 1u);
  const std::string entry("\1\5\0\0\0\0\0\0\0\0", 10);
  Reader reader;
  expect_refused(
      {"a swap block of no pool", with_value(plain_file(), list, entry),
       "place in a list that is empty", "(history: changed swap blocks)", "5", "the run has none"},
      reader);
}

TEST(FoundSession, APlanThatSwapsWithoutAPoolIsRefused) {
  const SessionValue list = value_in(plain_file(), ChunkKind::kRequests, "swapped in");
  Reader reader;
  const SessionValue moves = value_in(plain_file(), ChunkKind::kRequests, "swapped in", 1);
  ASSERT_NE(list.offset, moves.offset);
  expect_refused(
      {"a move from no pool", with_value(plain_file(), moves, std::string("\1\3\0", 3)),
       "place in a list that is empty", "(requests: swapped in)", "3", "the run has none"},
      reader);
}

TEST(FoundSession, AnEventOfASwapPoolThatIsNotThereIsRefused) {
  test::Chunks chunks(plain_file());
  std::string& events = chunks.of(ChunkKind::kEvents);
  for (size_t i = 0; i < events.size(); i += 32)
    if (static_cast<uint8_t>(events[i + 13]) == static_cast<uint8_t>(EventKind::kBlockAllocated)) {
      events[i + 13] = static_cast<char>(EventKind::kBlockSwappedOut);
      test::set_number(events, i + 28, 0, 4);
      break;
    }
  Reader reader;
  expect_refused({"an event of no pool", chunks.whole(), "names something that the run does not",
                  "(events: swap block)", "0", "none, because the run has none"},
                 reader);
}

// Products of such times can overflow 64 bits.
TEST(FoundSession, EventsAtAnyTimeAreRefusedOrDrawn) {
  for (const uint64_t begin :
       {uint64_t{1} << 54, uint64_t{1} << 62, (uint64_t{1} << 62) + 1, ~uint64_t{0}}) {
    SCOPED_TRACE(begin);
    const std::string bytes = test::event_with(EventKind::kStep, 0, begin, 8);
    Reader reader;
    const auto error = reader.refusal(bytes);
    EXPECT_EQ(error.has_value(), begin > uint64_t{1} << 62);
    if (error) continue;
    const Session session = load_session(reader.file());
    LodIndex lane;
    std::vector<TraceEvent> events = session.recorder->sorted();
    for (size_t i = 0; i < events.size(); ++i)
      if (events[i].lane == 0)
        lane.append({events[i].begin_ns, events[i].begin_ns + events[i].duration_ns,
                     static_cast<uint32_t>(i), 0});
    ASSERT_GE(lane.end_ns(), begin);
    std::vector<LodPiece> pieces;
    lane.pieces(0, lane.end_ns() + 1, 1000, pieces);
    ASSERT_FALSE(pieces.empty());
    EXPECT_EQ(pieces.back().column, 999);
  }
}

TEST(FoundSession, AStepThatEndsBeforeItBeginsIsRefused) {
  const SessionValue end = value_in(plain_file(), ChunkKind::kSteps, "end of a step", 1);
  PutBytes back;
  back.difference(-1, "");
  Reader reader;
  expect_refused({"a step back in time", with_value(plain_file(), end, back.bytes),
                  "step ends before it begins", "(steps: end of a step)", "ns", "at least"},
                 reader);
}

// The number of rows must not be used as a length before it is checked.
TEST(FoundSession, ACapturedPlanOfOtherRowsThanItsStepIsRefused) {
  const auto number = [](int64_t value) {
    return test::put([&](PutBytes& out) { out.number(value, 0, kMostTime, ""); });
  };
  constexpr size_t kStep = 2;  // two decodes
  constexpr int64_t kMany = int64_t{1} << 56;
  const std::string many =
      with_value(plain_file(), value_in(plain_file(), ChunkKind::kSteps, "captured rows", kStep),
                 number(kMany));
  Reader reader;
  expect_refused({"a plan of many rows", many, "captured plan does not fit its step",
                  "(steps: captured rows)", "72057594037927936", "0, or 2 for"},
                 reader);
  std::string both = plain_file();
  for (const char* name : {"captured rows", "decode tokens"}) {
    const SessionValue value = value_in(plain_file(), ChunkKind::kSteps, name, kStep);
    both = with_value(both, value, number(kMany));
  }
  ASSERT_FALSE(reader.refusal(both));
  const Session session = load_session(reader.file());
  const auto facts = step_facts(*session.snapshot);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->captured_rows, 2);
}

// In a run of an encoder no step writes into the block tables.
const std::string& encoder_file() {
  static const std::string bytes = [] {
    Scenario scenario = test::tiny_scenario();
    scenario.attention.type = AttentionType::kEncoderOnly;
    scenario.engine.enable_prefix_caching = false;
    for (ScenarioRequest& request : scenario.requests) request.max_tokens = 1;
    const test::TemporaryFolder folder;
    test::SavedRun(scenario).save(folder.path() / "a.attn-session");
    return test::read_bytes(folder.path() / "a.attn-session");
  }();
  return bytes;
}

// The values from the first one named `from` up to the first one named `to`.
SessionValue values_between(const std::string& bytes, const char* from, const char* to) {
  SessionValue values = value_in(bytes, ChunkKind::kHistory, from);
  values.size = value_in(bytes, ChunkKind::kHistory, to).offset - values.offset;
  return values;
}

TEST(FoundSession, AStepOfARequestThatIsNotThereIsRefused) {
  const std::string none("\0", 1);
  std::string bytes = with_value(
      encoder_file(), values_between(encoder_file(), "changed requests", "changed blocks"), none);
  bytes = with_value(bytes, values_between(encoder_file(), "requests", "owner"), none);
  Reader reader;
  expect_refused(
      {"a step of no request", bytes, "planned before it is there",
       "(history: place of a planned request)", "0", "none, because no request is there"},
      reader);
}

// The numbers that a request has while a step runs are checked as those after the step.
TEST(FoundSession, ABlockThatLeavesTheWindowOfNoTableIsRefused) {
  constexpr size_t kWhileItRuns = 2;  // the first two are those of both requests before the run
  const SessionValue left =
      value_in(encoder_file(), ChunkKind::kHistory, "blocks left of the window", kWhileItRuns);
  Reader reader;
  expect_refused(
      {"a window of no table", with_value(encoder_file(), left, "\3"),
       "more blocks left the window", "(history: blocks left of the window)", "3", "at most 2"},
      reader);
}

TEST(FoundSession, ARequestThatBeganBeforeItArrivedHasNoWaitingTime) {
  const SessionValue arrival = value_in(plain_file(), ChunkKind::kRequests, "time of arrival");
  PutBytes late;
  late.number(kMostTime, 0, kMostTime, "");
  Reader reader;
  ASSERT_FALSE(reader.refusal(with_value(plain_file(), arrival, late.bytes)));
  const Session session = load_session(reader.file());
  const RequestMetrics& metrics = session.snapshot->requests[0].metrics;
  EXPECT_FALSE(metrics.queue_ns || metrics.ttft_ns || metrics.e2e_ns);
  ASSERT_TRUE(metrics.tpot_ns);
  EXPECT_LT(*metrics.tpot_ns, 1e9);
}

TEST(FoundSession, ARangeWithoutNumbersIsAMistakeOfTheProgram) {
  TakeBytes in(std::string_view("\0\0", 2), "file", "chunk", 0);
  int64_t value = 0;
  EXPECT_THROW(in.number(value, 1, 0, "a number"), std::logic_error);
  EXPECT_THROW(in.index(value, 0, "an index"), Error);
  PutBytes out;
  EXPECT_THROW(out.index(0, 0, "an index"), std::logic_error);
}

}  // namespace
}  // namespace attn
