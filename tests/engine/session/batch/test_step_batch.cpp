// SPDX-License-Identifier: GPL-3.0-or-later
// That the metadata that the program shows of a step equals the metadata with which the backend was
// called, in the shipped scenarios on the backends that can run them. Also in a saved session, and
// the lengths and tables that a layer of a type reads.
#include "engine/session/batch/step_batch.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/session/batch/step_facts.h"
#include "engine/session/run/layer_configs.h"
#include "tests/engine/session/batch/recording_backend.h"
#include "tests/engine/session/session_file/session_file_support.h"

namespace attn {
namespace {

using test::RecordingBackend;

void expect_same(const AttentionMetadata& found, const AttentionMetadata& expected) {
  EXPECT_EQ(found.num_prefills, expected.num_prefills);
  EXPECT_EQ(found.num_prefill_tokens, expected.num_prefill_tokens);
  EXPECT_EQ(found.num_decode_tokens, expected.num_decode_tokens);
  EXPECT_EQ(found.slot_mapping, expected.slot_mapping);
  EXPECT_EQ(found.seq_lens, expected.seq_lens);
  EXPECT_EQ(found.context_lens, expected.context_lens);
  EXPECT_EQ(found.query_start_loc, expected.query_start_loc);
  EXPECT_EQ(found.block_tables, expected.block_tables);
  EXPECT_EQ(found.max_blocks_per_seq, expected.max_blocks_per_seq);
  EXPECT_EQ(found.max_query_len, expected.max_query_len);
  EXPECT_EQ(found.max_prefill_seq_len, expected.max_prefill_seq_len);
  EXPECT_EQ(found.max_decode_seq_len, expected.max_decode_seq_len);
  EXPECT_EQ(found.use_captured_plan, expected.use_captured_plan);
  EXPECT_EQ(found.requests, expected.requests);
  EXPECT_EQ(found.encoder_seq_lens, expected.encoder_seq_lens);
  EXPECT_EQ(found.num_encoder_tokens, expected.num_encoder_tokens);
  EXPECT_EQ(found.max_encoder_seq_len, expected.max_encoder_seq_len);
  EXPECT_EQ(found.cross_slot_mapping, expected.cross_slot_mapping);
  EXPECT_EQ(found.cross_block_tables, expected.cross_block_tables);
}

struct RecordedRun {
  // whole: the run keeps a trace and the attention. Otherwise the batch of a step is checked while
  // the step runs.
  RecordedRun(const Scenario& scenario, const std::shared_ptr<Source>& source, bool whole)
      : recorder(std::make_unique<Recorder>(num_workers(scenario))) {
    EngineOptions options;
    if (whole) options.recorder = recorder.get();
    options.keep_attention = whole;
    options.history_bytes = size_t{1} << 26;
    Engine engine(scenario, source, options);
    RecordingBackend::heard() = [&](int layer, const AttentionMetadata& metadata) {
      const auto step = static_cast<uint32_t>(engine.steps().size() + 1);
      const bool encoder = layer < engine.source().shape().num_encoder_layers();
      const auto [at, is_new] = (encoder ? encoder_called : called).emplace(step, metadata);
      if (!is_new) return expect_same(metadata, at->second);  // the same in all layers of a stack
      if (whole || layer != 0 || encoder) return;
      const EngineSnapshot now = engine.snapshot(EnginePhase::kRunning);
      const auto batch = batch_of(now);
      ASSERT_TRUE(batch) << step;
      EXPECT_EQ(batch->step, step);
      expect_same(*metadata_of(*batch, now), metadata);
    };
    while (engine.has_work() && engine.step()) continue;
    RecordingBackend::heard() = nullptr;
    recorder->drain();
    snapshot = std::make_shared<const EngineSnapshot>(engine.snapshot(EnginePhase::kFinished));
  }
  // By step: the batch with which layers were called, and that of the encoder's layers.
  std::map<uint32_t, AttentionMetadata> called, encoder_called;
  std::unique_ptr<Recorder> recorder;
  std::shared_ptr<const EngineSnapshot> snapshot;
};

void expect_all_steps(const EngineSnapshot& now,
                      const std::map<uint32_t, AttentionMetadata>& called) {
  ASSERT_TRUE(now.history);
  const StepHistory::Range range = now.history->range();
  ASSERT_EQ(range.first, 1u);
  for (uint32_t step = range.first; step <= range.last; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const auto batch = now.history->batch(step);
    const auto expected = called.find(step);
    ASSERT_EQ(batch.has_value(), expected != called.end());
    if (!batch) continue;
    ASSERT_EQ(batch->step, step);
    expect_same(*metadata_of(*batch, now), expected->second);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_FALSE(now.history->batch(range.last + 1));
}

bool can_run(const Scenario& scenario, const Source& source) {
  return not_supported_reasons(backend_named(scenario.engine.backend),
                               layer_configs(scenario, source.shape()))
      .empty();
}

std::shared_ptr<Source> source_for(const Scenario& scenario) {
  if (!scenario.source.reads_text()) return load_source(scenario);
  static std::map<std::string, std::shared_ptr<Source>> models;
  std::shared_ptr<Source>& model = models[model_folder(scenario).string()];
  if (!model) model = load_source(scenario);
  return model;
}

class EveryBackend : public testing::TestWithParam<const char*> {};

TEST_P(EveryBackend, ShowsWhatItWasCalledWith) {
  test::shipped_virtual("first-look");  // registers the backends
  test::recorded_backends();
  size_t runs = 0, steps = 0, captured = 0, left_window = 0;
  for (const std::string& name : shipped_scenarios()) {
    SCOPED_TRACE(name);
    Scenario scenario = test::shipped_virtual(name);
    scenario.engine.backend = RecordingBackend::name_for(GetParam());
    scenario.engine.backend_options = {};
    scenario.engine.use_captured_plan = name == "many-users" || name == "encoder-decoder";
    const std::shared_ptr<Source> source = source_for(scenario);
    if (!can_run(scenario, *source)) continue;
    const RecordedRun run(scenario, source, false);
    ASSERT_FALSE(testing::Test::HasFailure());
    ASSERT_FALSE(run.called.empty());
    ASSERT_NO_FATAL_FAILURE(expect_all_steps(*run.snapshot, run.called));
    for (const auto& [step, metadata] : run.encoder_called)
      expect_same(*encoder_metadata_of(*run.snapshot->history->batch(step), *run.snapshot),
                  metadata);
    EXPECT_EQ(run.encoder_called.empty(), source->shape().num_encoder_layers() == 0);
    ++runs;
    steps += run.called.size();
    for (const auto& [step, metadata] : run.called) captured += metadata.use_captured_plan;
    left_window += run.snapshot->has_null_block;
  }
  EXPECT_GE(runs, 1u);
  EXPECT_GE(steps, 20u);
  const BackendCapabilities capabilities = backend_named(GetParam()).capabilities();
  EXPECT_EQ(captured > 0, capabilities.captured_plans);
  EXPECT_EQ(left_window > 0, std::string(GetParam()) != "pallas");
}

INSTANTIATE_TEST_SUITE_P(StepBatch, EveryBackend,
                         testing::Values("unified", "torch_sdpa", "xformers", "pallas",
                                         "reference"));

TEST(StepBatch, ASavedSessionHasIt) {
  test::TemporaryFolder folder;
  for (const char* name : {"full-house-swap", "encoder-decoder", "sliding-window"}) {
    SCOPED_TRACE(name);
    Scenario scenario = test::shipped_virtual(name);
    test::recorded_backends();
    const std::string base = scenario.engine.backend;
    scenario.engine.backend = RecordingBackend::name_for(base);
    const RecordedRun run(scenario, source_for(scenario), true);
    EngineSnapshot saved = *run.snapshot;
    Scenario plain = *saved.scenario;
    plain.engine.backend = base;
    saved.scenario = std::make_shared<const Scenario>(plain);
    RowStateLog states;
    const auto file = std::filesystem::path(folder.path()) / "a.attn-session";
    save_session(
        file, {std::make_shared<const EngineSnapshot>(saved), run.recorder.get(), &states, "{}"});
    const Session session = load_session(file);
    ASSERT_NO_FATAL_FAILURE(expect_all_steps(*session.snapshot, run.called));
    ASSERT_TRUE(step_facts(*session.snapshot));
  }
}

TEST(StepBatch, AFullHistoryForgetsOldBatches) {
  const Scenario scenario = test::shipped_virtual("full-house");
  EngineOptions options;
  options.history_bytes = 1;  // keeps the newest segment only
  Engine engine(scenario, options);
  while (engine.has_work() && engine.step()) continue;
  EngineSnapshot now = engine.snapshot(EnginePhase::kFinished);
  const StepHistory::Range range = now.history->range();
  EXPECT_TRUE(now.history->batch(range.last));
  EXPECT_FALSE(now.history->batch(0));
  now.history = nullptr;
  EXPECT_FALSE(batch_of(now));
  EXPECT_FALSE(step_facts(now));
  EXPECT_FALSE(step_facts(EngineSnapshot{}));
}

TEST(StepFacts, TypesPickTheirLengthsAndTables) {
  const Scenario scenario = test::shipped_virtual("encoder-decoder");
  EngineOptions options;
  options.history_bytes = size_t{1} << 26;
  Engine engine(scenario, options);
  engine.step();
  std::set<AttentionType> types;
  const auto facts = step_facts(engine.snapshot(EnginePhase::kPaused));
  ASSERT_TRUE(facts);
  for (const StepFacts::Layers& layers : facts->layers) {
    ASSERT_FALSE(layers.picked.empty());
    const StepFacts::Picked& picked = layers.picked.front();
    EXPECT_TRUE(picked.is_prefill);
    EXPECT_EQ(picked.query_lens, "seq_lens");
    const bool cross = layers.config.attn_type == AttentionType::kEncoderDecoder;
    EXPECT_EQ(picked.key_lens, cross ? "encoder_seq_lens" : "seq_lens");
    EXPECT_EQ(picked.table, cross ? "cross_block_tables" : "block_tables");
    EXPECT_EQ(picked.max_seq_len,
              cross ? *facts->metadata->max_encoder_seq_len : facts->metadata->max_prefill_seq_len);
    types.insert(layers.config.attn_type);
  }
  EXPECT_EQ(types.size(), 2u);
}

}  // namespace
}  // namespace attn
