// SPDX-License-Identifier: GPL-3.0-or-later
// round_trip() saves a run, reads it, compares both, and saves it again.
#pragma once

#include <bit>

#include "engine/session/session_file/session_file.h"
#include "tests/engine/session/session_file/same_snapshot.h"
#include "tests/engine/session/session_file/session_file_support.h"

namespace attn::test {

inline bool same_bits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

inline void expect_same(const EngineSnapshot& found, const EngineSnapshot& expected) {
  expect_same_state(found, expected);
  EXPECT_EQ(found.phase_detail, expected.phase_detail);
  EXPECT_EQ(*found.scenario, *expected.scenario);
  EXPECT_EQ(found.scenario->origin.file, expected.scenario->origin.file);
  EXPECT_EQ(found.source.name, expected.source.name);
  EXPECT_EQ(found.source.num_layers, expected.source.num_layers);
  EXPECT_EQ(found.source.num_heads, expected.source.num_heads);
  EXPECT_EQ(found.source.num_kv_heads, expected.source.num_kv_heads);
  EXPECT_EQ(found.source.head_size, expected.source.head_size);
  EXPECT_EQ(found.source.scale, expected.source.scale);
  EXPECT_EQ(found.source.vocab_size, expected.source.vocab_size);
  EXPECT_EQ(found.source.max_model_len, expected.source.max_model_len);
  EXPECT_EQ(found.backend_name, expected.backend_name);
  EXPECT_EQ(*found.rules, *expected.rules);
  EXPECT_EQ(found.source.calls, expected.source.calls);
  EXPECT_EQ(found.layer, expected.layer);
  EXPECT_EQ(found.block_size, expected.block_size);
  EXPECT_EQ(found.cache_bytes, expected.cache_bytes);
  EXPECT_EQ(found.cache_head_size, expected.cache_head_size);
  EXPECT_EQ(found.modelled_device, expected.modelled_device);
  EXPECT_EQ(found.has_null_block, expected.has_null_block);
  ASSERT_EQ(found.rounding != nullptr, expected.rounding != nullptr);
  if (found.rounding) {
    EXPECT_EQ(rounding_csv(*found.rounding), rounding_csv(*expected.rounding));
  }
  EXPECT_EQ(found.num_lanes, expected.num_lanes);
  EXPECT_EQ(found.modelled_time, expected.modelled_time);
  EXPECT_EQ(found.restored, expected.restored);
  EXPECT_EQ(found.slowed_or_paused, expected.slowed_or_paused);
  EXPECT_EQ(steps_csv(found), steps_csv(expected));
}

// Compares the rules, the scale and the sizes, and for every head the log-sum-exps of all rows, the
// weights of a random tile, and the operands of a random cell.
inline void expect_same_record(const AttentionRecord& found, const AttentionRecord& expected,
                               std::mt19937& random) {
  ASSERT_EQ(found.num_rows(), expected.num_rows());
  EXPECT_EQ(found.shape().rules, expected.shape().rules);
  EXPECT_EQ(found.shape().scale, expected.shape().scale);
  EXPECT_EQ(found.shape().keeps_keys, expected.shape().keeps_keys);
  EXPECT_EQ(found.request(), expected.request());
  const int64_t rows = expected.num_rows();
  if (rows == 0) return;
  const auto pick = [&](int64_t count) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(count));
  };
  for (int64_t layer = 0; layer < expected.shape().num_layers; ++layer) {
    const int64_t keys = expected.num_keys(layer);
    ASSERT_EQ(found.num_keys(layer), keys);
    for (int64_t head = 0; head < expected.shape().num_heads && keys > 0; ++head) {
      for (int64_t row = 0; row < rows; ++row)
        ASSERT_TRUE(same_bits(found.lse(layer, head, row), expected.lse(layer, head, row)))
            << layer << " " << head << " " << row;
      const int64_t q = pick(rows), k = pick(keys);
      const int64_t nq = std::min<int64_t>(rows - q, 40), nk = std::min<int64_t>(keys - k, 70);
      std::vector<float> a(static_cast<size_t>(nq * nk)), b(a.size());
      found.weights(layer, head, q, nq, k, nk, a.data());
      expected.weights(layer, head, q, nq, k, nk, b.data());
      for (size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(same_bits(a[i], b[i])) << i;
      const int64_t query = pick(rows), key = pick(keys);
      const WeightOperands x = found.operands(layer, head, query, key),
                           y = expected.operands(layer, head, query, key);
      EXPECT_EQ(x.computed, y.computed);
      EXPECT_EQ(x.masked, y.masked);
      EXPECT_EQ(x.query, y.query);
      EXPECT_EQ(x.key, y.key);
      EXPECT_EQ(x.value, y.value);
      EXPECT_EQ(x.block, y.block);
      EXPECT_EQ(x.slot, y.slot);
      EXPECT_TRUE(same_bits(x.score, y.score));
      EXPECT_TRUE(same_bits(x.weight, y.weight));
    }
  }
}

inline std::vector<TraceEvent> all_events(const Recorder& recorder) {
  std::vector<TraceEvent> events;
  recorder.read(0, events);
  return events;
}

inline bool same_event(const TraceEvent& x, const TraceEvent& y) {
  return x.begin_ns == y.begin_ns && x.duration_ns == y.duration_ns && x.kind == y.kind &&
         x.lane == y.lane && x.layer == y.layer && x.a == y.a && x.b == y.b && x.c == y.c &&
         x.d == y.d;
}

// With the virtual clock lanes are merged in another order, so each lane is compared by itself.
inline void expect_same_events(const std::vector<TraceEvent>& found,
                               const std::vector<TraceEvent>& expected, const EngineSnapshot& run) {
  ASSERT_EQ(found.size(), expected.size());
  for (int lane = 0; lane < (run.modelled_time ? run.num_lanes : 1); ++lane) {
    const auto of_lane = [&](const std::vector<TraceEvent>& events) {
      std::vector<TraceEvent> some;
      for (const TraceEvent& event : events)
        if (!run.modelled_time || event.lane == lane) some.push_back(event);
      return some;
    };
    const auto a = of_lane(found), b = of_lane(expected);
    ASSERT_EQ(a.size(), b.size()) << lane;
    for (size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(same_event(a[i], b[i])) << lane << " " << i;
  }
}

inline void expect_same_run(const Session& found, const SavedRun& run) {
  const EngineSnapshot &now = *found.snapshot, &then = *run.snapshot;
  expect_same(now, then);
  ASSERT_TRUE(now.history);
  EXPECT_EQ(now.history->range(), then.history->range());
  const StepHistory::Range range = then.history->range();
  for (uint32_t step = range.first; step <= range.last; ++step) {
    const auto a = now.history->restore(now, step), b = then.history->restore(then, step);
    ASSERT_TRUE(a && b) << step;
    expect_same(*a, *b);
  }
  std::mt19937 random(7);
  for (size_t i = 0; i < then.requests.size(); ++i)
    if (then.requests[i].attention)
      expect_same_record(*now.requests[i].attention, *then.requests[i].attention, random);
  expect_same_events(all_events(*found.recorder), all_events(*run.recorder), then);
  EXPECT_EQ(found.recorder->messages(), run.recorder->messages());
  EXPECT_EQ(found.recorder->counts().recorded, run.recorder->counts().recorded);
  EXPECT_EQ(found.recorder->counts().pushed, run.recorder->counts().pushed);
  EXPECT_EQ(found.row_states.size(), run.row_states.size());
  EXPECT_EQ(found.view, run.view);
  EXPECT_EQ(found.notes, run.notes);
}

// The second file must have the same bytes, unless the phase of the session differs from that of
// the run.
inline void round_trip(const SavedRun& run) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.attn-session",
             again = folder.path() / "again.attn-session";
  run.save(file);
  const Session session = load_session(file);
  expect_same_run(session, run);
  RowStateLog states;
  for (const RowStateEvent& state : session.row_states) states.row_state(state);
  save_session(again,
               {session.snapshot, session.recorder.get(), &states, session.view, session.notes});
  const bool same = read_bytes(file) == read_bytes(again);
  EXPECT_TRUE(same || session.snapshot->phase != run.snapshot->phase);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

}  // namespace attn::test
