// SPDX-License-Identifier: GPL-3.0-or-later
// That a session file holds the sampling and the interventions of a request that was added during
// the run, which is not in the scenario.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/session/session_file/session_file_support.h"

namespace attn {
namespace {

TEST(SessionAdded, ARequestKeepsWhatIsChangedInIt) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "a.attn-session", again = folder.path() / "b.attn-session";
  test::SavedRun run(test::tiny_scenario(), 1);
  ScenarioRequest more = test::tiny_scenario().requests[1];
  more.sampling.top_k = 3;
  more.sampling.top_p = 0.9;
  more.sampling.seed = uint64_t{1} << 40 | 7;
  Intervention edge;
  edge.kind = InterventionKind::kEdge;
  edge.head = 1;
  edge.key = 1;
  more.interventions = {edge};
  const uint32_t added = run.engine->add_request(more);
  while (run.engine->has_work()) EXPECT_TRUE(run.engine->step());
  run.recorder->drain();
  run.snapshot =
      std::make_shared<const EngineSnapshot>(run.engine->snapshot(EnginePhase::kFinished));
  run.save(file);
  const Session session = load_session(file);
  const auto& requests = session.snapshot->requests;
  const auto found = std::ranges::find(requests, added, &RequestView::id);
  ASSERT_NE(found, requests.end());
  EXPECT_EQ(found->interventions, more.interventions);
  EXPECT_EQ(found->sampling, more.sampling);
  EXPECT_FALSE(found->attention->shape().rules.of(0).sees(1, 2, 1));  // the cut edge is masked
  EXPECT_TRUE(found->attention->shape().rules.of(0).sees(0, 2, 1));
  EXPECT_TRUE(requests.front().interventions.empty());
  RowStateLog states;
  for (const RowStateEvent& state : session.row_states) states.row_state(state);
  save_session(again, {session.snapshot, session.recorder.get(), &states, session.view, {}});
  EXPECT_TRUE(test::read_bytes(file) == test::read_bytes(again));
}

}  // namespace
}  // namespace attn
