// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with cross attention: outputs, weights and cells are compared with sums in f64 on the
// backends that accept it; also where the encoder's keys lie, and what cross attention can be
// combined with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/model/synthetic/synthetic.h"
#include "engine/session/compare/compare.h"
#include "engine/session/history/step_history.h"
#include "engine/session/record/head_reader.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"
#include "tests/support/shipped_scenario.h"
#include "tests/support/tensor_files.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kLayers = 2, kHeads = 4, kKvHeads = 2, kSize = 32, kBlock = 8;
constexpr int64_t kPromptLengths[] = {9, 20}, kEncoders[] = {37, 5}, kNewTokens = 6;

Scenario cross_scenario(const std::string& backend, SyntheticKind kind = SyntheticKind::kRandom) {
  Scenario scenario = test::synthetic_scenario({kPromptLengths[0], kPromptLengths[1]}, kNewTokens);
  scenario.source.synthetic->kind = kind;
  scenario.source.synthetic->sharpness = 2;
  scenario.source.synthetic->max_model_len = 64;
  scenario.attention.type = AttentionType::kEncoderDecoder;
  for (size_t i = 0; i < 2; ++i) scenario.requests[i].encoder_tokens = kEncoders[i];
  scenario.engine.backend = backend;
  scenario.engine.block_size = kBlock;
  scenario.engine.num_blocks = 6;
  scenario.engine.clock = ClockKind::kVirtual;
  return scenario;
}

// The queries of all rows and the encoder's keys and values, from a separate source.
struct Operands {
  Tensor query, key, value;  // query: [rows, H, D]; key and value: [keys, Hkv, D]
};
Operands operands_of(const Scenario& scenario, int64_t request, int64_t layer,
                     const std::vector<int32_t>& tokens) {
  const std::shared_ptr<Source> source = load_source(scenario);
  StepTokens step;
  step.has_encoder = true;
  step.token_ids = tokens;
  const int64_t keys = scenario.requests[static_cast<size_t>(request)].encoder_tokens;
  for (size_t i = 0; i < tokens.size(); ++i) step.positions.push_back(static_cast<int32_t>(i));
  step.encoder_lens.assign(tokens.size(), static_cast<int32_t>(keys));
  step.encoder_ids = source->encoder_ids(request, keys);
  for (int32_t i = 0; i < keys; ++i) step.encoder_positions.push_back(i);
  ThreadPool pool(1);
  RunClock clock(ClockKind::kVirtual, 2);
  Execution execution;
  execution.pool = &pool;
  execution.clock = &clock;
  Operands operands;
  EXPECT_TRUE(source->begin_step(step, execution));
  EXPECT_TRUE(source->qkv(layer, operands.query, operands.key, operands.value, execution));
  return operands;
}

struct CrossRun {
  using Row = std::vector<float>;  // [H, D]
  explicit CrossRun(const Scenario& scenario_in)
      : scenario(scenario_in), source(load_source(scenario)) {
    const AttentionBackend& backend = backend_named(scenario.engine.backend);
    const AttentionConfig config = layer_configs(scenario, source->shape()).of(0);
    impl = backend.make_impl(config);
    EngineOptions options;
    options.recorder = &recorder;
    options.history_bytes = size_t{1} << 20;
    options.forward = [this](const AttentionInputs& inputs, const AttentionMetadata& metadata,
                             const AttentionOutputs& out, const Execution& execution) {
      if (!impl->forward(inputs, metadata, out, execution)) return false;
      keep(inputs, metadata, *out.out);
      return true;
    };
    engine = std::make_unique<Engine>(scenario, source, std::move(options));
  }
  void to_end() {
    while (engine->has_work() && engine->step()) {
    }
    recorder.drain();
    shot = engine->snapshot(EnginePhase::kFinished);
  }
  void keep(const AttentionInputs& inputs, const AttentionMetadata& metadata, const Tensor& out) {
    EXPECT_EQ(inputs.key != nullptr, metadata.num_prefills > 0);
    for (const int64_t slot : metadata.slot_mapping) EXPECT_EQ(slot, kPaddingSlot);
    const int64_t width = out.dim(1) * out.dim(2);
    for (int64_t s = 0; s < metadata.num_seqs(); ++s)
      for (int64_t i = 0; i < metadata.query_len(s); ++i) {
        const int64_t row = metadata.query_start_loc[static_cast<size_t>(s)] + i;
        Row& to = rows[{metadata.request(s), inputs.layer,
                        metadata.context_lens[static_cast<size_t>(s)] + i}];
        for (int64_t d = 0; d < width; ++d)
          to.push_back(out.dtype() == DType::kF32 ? out.data<float>()[row * width + d]
                                                  : to_f32(out.data<BFloat16>()[row * width + d]));
      }
  }
  std::vector<int32_t> tokens(size_t request) const {
    std::vector<int32_t> ids;
    for (const TokenView& token : *shot.requests[request].tokens) ids.push_back(token.id);
    return ids;
  }

  Scenario scenario;
  std::shared_ptr<Source> source;
  std::unique_ptr<AttentionImpl> impl;
  Recorder recorder{2};
  std::map<std::tuple<uint32_t, int, int64_t>, Row> rows;  // request, layer, position
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
};

// Compares the weights and outputs of a request with a softmax and a weighted sum in f64.
void expect_definition(const CrossRun& run, size_t request, double tolerance) {
  const AttentionRecord& record = *run.shot.requests[request].attention;
  const int64_t keys = run.scenario.requests[request].encoder_tokens, rows = record.num_rows();
  ASSERT_EQ(record.num_keys(0), keys);
  ASSERT_EQ(rows, run.shot.requests[request].num_computed);
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    const Operands x =
        operands_of(run.scenario, static_cast<int64_t>(request), layer, run.tokens(request));
    Eigen::MatrixXf weights(keys, rows);
    for (int64_t head = 0; head < kHeads; ++head) {
      const int64_t kv = head / (kHeads / kKvHeads);
      const Eigen::MatrixXd scores = test::head_rows(x.query, head).topRows(rows) *
                                     test::head_rows(x.key, kv).transpose() /
                                     std::sqrt(double{kSize});
      const Eigen::MatrixXd expected = test::softmax(scores);
      const Eigen::MatrixXd out = expected * test::head_rows(x.value, kv);
      record.weights(layer, head, 0, rows, 0, keys, weights.data());
      ASSERT_LT(test::max_difference(weights.cast<double>().transpose(), expected), tolerance)
          << "request " << request << " layer " << layer << " head " << head;
      for (int64_t q = 0; q < rows; ++q) {
        const CrossRun::Row& row = run.rows.at({request, static_cast<int>(layer), q});
        const Eigen::Map<const Eigen::RowVectorXf> found(row.data() + head * kSize, kSize);
        ASSERT_LT(test::max_difference(found.cast<double>(), out.row(q)), tolerance)
            << "request " << request << " layer " << layer << " row " << q << " head " << head;
      }
    }
  }
}

std::vector<std::string> accepting() {
  std::vector<std::string> names;
  for (const char* name : {"torch_sdpa", "xformers", "pallas", "reference", "unified"}) {
    const Scenario scenario = cross_scenario(name);
    const SourceShape shape = load_source(scenario)->shape();
    if (not_supported_reasons(backend_named(name), layer_configs(scenario, shape)).empty())
      names.emplace_back(name);
  }
  return names;
}

TEST(CrossAttention, OutputsAndWeightsAreThoseOfTheDefinitionOnEveryBackend) {
  EXPECT_THAT(accepting(), ElementsAre("torch_sdpa", "xformers", "reference", "unified"));
  std::optional<std::vector<int32_t>> first;
  for (const std::string& backend : accepting())
    for (const std::string kernel : {"flash", "math"}) {
      if (kernel == "math" && backend != "torch_sdpa") continue;
      SCOPED_TRACE(backend);
      Scenario scenario = cross_scenario(backend);
      scenario.engine.backend_options["sdpa_kernel"] = kernel;
      CrossRun run(scenario);
      run.to_end();
      for (size_t request = 0; request < 2; ++request) expect_definition(run, request, 2e-5);
      if (!first) first = run.tokens(0);
      EXPECT_EQ(run.tokens(0), *first);
    }
}

TEST(CrossAttention, OneThatRefusesItSaysSo) {
  Scenario scenario = cross_scenario("pallas");
  scenario.source.synthetic->head_size = 128;
  try {
    Engine engine(scenario, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
    EXPECT_THAT(error.sentences(), testing::Contains(HasSubstr("DECODER attention only")));
  }
}

TEST(CrossAttention, BlocksHoldTheEncodersKeysAndDoNotGrow) {
  CrossRun run(cross_scenario("torch_sdpa"));
  std::vector<std::vector<int32_t>> tables;
  while (run.engine->has_work()) {
    ASSERT_TRUE(run.engine->step());
    const EngineSnapshot now = run.engine->snapshot(EnginePhase::kRunning);
    if (!run.engine->has_work()) break;
    for (size_t request = 0; request < 2; ++request) {
      const RequestView& view = now.requests[request];
      ASSERT_EQ(static_cast<int64_t>(view.cross_table.blocks.size()),
                (kEncoders[request] + kBlock - 1) / kBlock);
      if (tables.size() < 2) tables.push_back(view.cross_table.blocks);
      EXPECT_EQ(view.cross_table.blocks, tables[request]);
      ASSERT_EQ(static_cast<int64_t>(view.encoder_tokens->size()), kEncoders[request]);
      EXPECT_EQ((*view.encoder_tokens)[3].text, "src3");
      int64_t filled = 0;
      for (const int32_t block : view.cross_table.blocks) {
        const BlockView& shown = now.blocks[static_cast<size_t>(block)];
        filled += shown.filled;
        EXPECT_EQ(shown.last_write_step, 1u);
        EXPECT_EQ(shown.last_read_step, now.step);
      }
      EXPECT_EQ(filled, kEncoders[request]);
      const KvStorage& cache = run.engine->cache();
      const Operands x = operands_of(run.scenario, static_cast<int64_t>(request), 1, {0});
      for (int64_t k = 0; k < kEncoders[request]; ++k) {
        const WeightOperands cell = view.attention->operands(1, 3, 2, k);
        const std::vector<int64_t> slots{
            view.cross_table.blocks[static_cast<size_t>(k / kBlock)] * kBlock + k % kBlock};
        ASSERT_EQ(cell.slot, slots[0]);
        std::vector<float> stored(kKvHeads * kSize);
        cache.backend().read_keys(cache.layer(1), slots, stored.data());
        for (int64_t d = 0; d < kSize; ++d) {
          ASSERT_EQ(cell.key[static_cast<size_t>(d)], stored[static_cast<size_t>(kSize + d)]);
          ASSERT_EQ(cell.key[static_cast<size_t>(d)],
                    x.key.data<float>()[(k * kKvHeads + 1) * kSize + d]);
        }
      }
    }
  }
  run.to_end();
  for (const RequestView& view : run.shot.requests) {
    EXPECT_EQ(view.state, RequestState::kFinishedLengthCapped);
    EXPECT_EQ(view.num_preemptions, 0);
    EXPECT_TRUE(view.cross_table.blocks.empty());
    EXPECT_EQ(static_cast<int64_t>(view.tokens->size()), view.prompt_len + kNewTokens);
  }
  for (const BlockView& block : run.shot.blocks) EXPECT_EQ(block.ref_count, 0);
  const auto then = run.shot.history->restore(run.shot, 3);
  ASSERT_TRUE(then);
  for (size_t request = 0; request < 2; ++request)
    EXPECT_EQ(then->requests[request].cross_table.blocks, tables[request]);
  EXPECT_EQ(then->blocks[static_cast<size_t>(tables[1][0])].filled, kEncoders[1]);
}

TEST(CrossAttention, CapturedPlansAndNarrowCachesShowWhatTheyComputed) {
  CrossRun plain(cross_scenario("unified"));
  plain.to_end();
  Scenario scenario = cross_scenario("unified");
  scenario.engine.use_captured_plan = true;
  Engine planned(scenario, {});
  planned.run_to_end();
  EXPECT_TRUE(planned.steps().back().captured_rows > 0);
  const EngineSnapshot shot = planned.snapshot(EnginePhase::kFinished);
  for (size_t request = 0; request < 2; ++request) {
    const AttentionRecord &a = *shot.requests[request].attention,
                          &b = *plain.shot.requests[request].attention;
    for (int64_t q = 0; q < a.num_rows(); ++q) ASSERT_EQ(a.lse(1, 2, q), b.lse(1, 2, q)) << q;
  }
  for (const char* dtype : {"bf16", "fp8"}) {
    SCOPED_TRACE(dtype);
    scenario = cross_scenario("unified");
    scenario.engine.kv_cache_dtype = dtype;
    CrossRun run(scenario);
    run.to_end();
    const AttentionRecord& record = *run.shot.requests[0].attention;
    std::vector<float> row(static_cast<size_t>(record.num_keys(1)));
    for (int64_t q = 0; q < record.num_rows(); ++q) {
      record.weights(1, 3, q, 1, 0, record.num_keys(1), row.data());
      double sum = 0;
      for (const float weight : row) sum += double{weight};
      ASSERT_NEAR(sum, 1, 2e-5) << q;
    }
  }
}

TEST(CrossAttention, SamplesAndBeamsShareTheBlocks) {
  for (const bool beam : {false, true}) {
    Scenario scenario = cross_scenario("xformers");
    (beam ? scenario.requests[0].beam_width : scenario.requests[0].n) = 3;
    scenario.requests[0].sampling.temperature = beam ? 0 : 1;
    CrossRun run(scenario);
    run.to_end();
    ASSERT_GT(run.shot.requests.size(), 3u);
    for (const StepRecord& step : *run.shot.steps) {
      EXPECT_EQ(step.copied_blocks, 0);
      EXPECT_LE(step.used_blocks, 6);
    }
    for (size_t request = 0; request < run.shot.requests.size(); ++request) {
      const RequestView& view = run.shot.requests[request];
      EXPECT_EQ(view.encoder_tokens->size(), request == 1 ? 5u : 37u);
      EXPECT_TRUE(view.attention->row_done(1, 3, view.num_computed - 1));
    }
  }
}

// With some of these lengths the encoder's text ends within a group of words whose order the
// translation changes.
TEST(CrossAttention, APromptIsTheTranslationOfWhatTheEncoderReads) {
  for (const int64_t words : {19, 20, 21}) {
    SCOPED_TRACE(words);
    Scenario scenario = test::shipped_virtual("cross-attention");
    scenario.requests.resize(1);
    scenario.requests[0].encoder_tokens = words;
    scenario.requests[0].prompt_tokens = words + 1;
    scenario.requests[0].max_tokens = 1;
    Engine engine(scenario, {});
    engine.run_to_end();
    const RequestView request = engine.snapshot(EnginePhase::kFinished).requests[0];
    for (int64_t q = 0; q < words; ++q) {
      const int64_t next = (*request.tokens)[static_cast<size_t>(q) + 1].id;
      ASSERT_LT(next, words) << q;
      EXPECT_GT(request.attention->operands(1, 0, q, next).weight, 0.5f) << q;
    }
  }
}

TEST(CrossAttention, TheShippedTranslationIsTheSameOnEveryBackend) {
  for (const std::string& backend : accepting()) {
    SCOPED_TRACE(backend);
    Scenario scenario = test::shipped_virtual("cross-attention");
    scenario.engine.backend = backend;
    Engine engine(scenario, {});
    engine.run_to_end();
    const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
    const auto source = make_synthetic_source(*scenario.source.synthetic, scenario.seed);
    for (const RequestView& request : shot.requests) {
      const auto count = static_cast<int64_t>(request.tokens->size());
      const std::vector<int32_t> wanted =
          source->prompt_ids(request.id, count, std::ssize(*request.encoder_tokens));
      std::vector<int32_t> found;
      for (const TokenView& token : *request.tokens) found.push_back(token.id);
      EXPECT_EQ(found, wanted) << *request.output_text;
      std::vector<int32_t> words(found.begin() + 1, found.end());
      EXPECT_FALSE(std::ranges::is_sorted(words));
      std::ranges::sort(words);
      for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], static_cast<int32_t>(i));
      for (int64_t q = 0; q + 1 < count; ++q)
        EXPECT_GT(request.attention->operands(1, 0, q, wanted[static_cast<size_t>(q) + 1]).weight,
                  0.5f);
      HeadReading reading;
      EXPECT_TRUE(read_head(
          *request.attention, 1, 3, request.attention->num_rows(), repeated_tokens_of(request),
          [] { return false; }, reading));
      EXPECT_NEAR(*reading.scores.relative_entropy, 1, 1e-6);
      EXPECT_FALSE(reading.scores.distance_tokens);
      EXPECT_FALSE(reading.scores.previous);
      EXPECT_FALSE(reading.scores.induction);
      const std::string csv = head_lines_csv(request, 1, std::vector<int64_t>{0}, {});
      EXPECT_THAT(csv, HasSubstr(",<s>,"));
      EXPECT_THAT(csv, HasSubstr(",src0,"));
    }
  }
}

TEST(CrossAttention, ComparisonsHoldAllBackendsAgainstEachOther) {
  CompareSpec spec;
  spec.scenario = cross_scenario("unified");
  spec.backends = {"unified", "torch_sdpa", "xformers", "pallas"};
  const CompareResult result = run_compare(spec);
  EXPECT_FALSE(result.columns[3].refusals.empty());
  EXPECT_EQ(result.columns[1].out.outside, 0);
  EXPECT_EQ(result.columns[2].out.outside, 0);
  double pairs = 0;
  for (size_t i = 0; i < 2; ++i)
    pairs += static_cast<double>((kPromptLengths[i] + kNewTokens - 1) * kEncoders[i]);
  EXPECT_EQ(result.needed_pairs, pairs * kLayers * kHeads);
  for (size_t request = 0; request < 2; ++request) {
    const DifferenceMap map = weight_differences(result, 2, request, 1, 3);
    EXPECT_TRUE(map.cross);
    ASSERT_EQ(map.rows, kPromptLengths[request] + kNewTokens - 1);
    ASSERT_EQ(map.columns, kEncoders[request]);
    EXPECT_LT(map.max_abs, 2e-5);
    EXPECT_FALSE(map.masked(0, map.columns - 1));
    EXPECT_EQ(static_cast<int64_t>(result.requests[request].encoder_tokens.size()), map.columns);
  }
}

TEST(CrossAttention, TensorsOfTheUser) {
  for (const int64_t keys : {11, 40}) {
    SCOPED_TRACE(keys);
    const test::TemporaryFolder folder;
    const Tensor query = test::random_tensor({2, kHeads, 17, kSize}, 1),
                 key = test::random_tensor({2, kKvHeads, keys, kSize}, 2),
                 value = test::random_tensor({2, kKvHeads, keys, kSize}, 3);
    test::write_npy(folder.path() / "q.npy", query);
    test::write_npy(folder.path() / "k.npy", key);
    test::write_npy(folder.path() / "v.npy", value);
    Scenario scenario = cross_scenario("torch_sdpa");
    scenario.source.synthetic.reset();
    scenario.source.tensors.emplace();
    scenario.source.tensors->query = folder.path() / "q.npy";
    scenario.source.tensors->key = folder.path() / "k.npy";
    scenario.source.tensors->value = folder.path() / "v.npy";
    scenario.engine.num_blocks = 16;
    for (ScenarioRequest& request : scenario.requests) {
      request.prompt_tokens = 12;
      request.encoder_tokens = keys;
    }
    ASSERT_NO_THROW(validate(scenario));
    Engine engine(scenario, {});
    engine.run_to_end();
    const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
    for (size_t s = 0; s < 2; ++s) {
      const RequestView& view = shot.requests[s];
      EXPECT_EQ(view.tokens->back().text, "<end>");
      EXPECT_EQ(view.encoder_tokens->back().text, "src" + std::to_string(keys - 1));
      ASSERT_EQ(view.attention->num_rows(), 17);
      const WeightOperands cell = view.attention->operands(0, 3, 16, keys - 1);
      const auto at = [&](const Tensor& tensor, int64_t heads, int64_t head, int64_t tokens) {
        const float* row = tensor.data<float>() +
                           ((static_cast<int64_t>(s) * heads + head) * tokens + tokens - 1) * kSize;
        return std::vector<float>(row, row + kSize);
      };
      EXPECT_EQ(cell.query, at(query, kHeads, 3, 17));
      EXPECT_EQ(cell.key, at(key, kKvHeads, 1, keys));
    }
    scenario.requests[1].encoder_tokens = keys + 1;
    EXPECT_THROW(Engine(scenario, {}), Error);
    const std::filesystem::path files[] = {folder.path()};
    const Scenario opened = tensor_scenario(files);
    EXPECT_EQ(opened.attention.type, AttentionType::kEncoderDecoder);
    EXPECT_EQ(opened.requests[1].encoder_tokens, keys);
    EXPECT_EQ(opened.requests[1].prompt_tokens, 17);
    Engine whole(opened, {});
    whole.run_to_end();
    EXPECT_EQ(whole.scheduler().requests()[1]->state, RequestState::kFinishedStopped);
    for (ScenarioRequest& request : scenario.requests) request.encoder_tokens = 0;
    scenario.attention = {};
    try {
      load_source(scenario);
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.parts().advice, HasSubstr("encoder_decoder"));
    }
  }
}

TEST(CrossAttention, RequestsThatJoinNeedAnEncoder) {
  Scenario scenario = cross_scenario("reference");
  Engine engine(scenario, {});
  ScenarioRequest more = scenario.requests[1];
  EXPECT_EQ(engine.add_request(more), 2u);
  more.encoder_tokens = 0;
  EXPECT_THROW(engine.add_request(more), Error);
  more.encoder_tokens = 65;
  EXPECT_THROW(engine.add_request(more), Error);
  more.encoder_tokens = 49;
  const uint32_t large = engine.add_request(more);
  engine.run_to_end();
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  EXPECT_EQ(shot.requests[large].state, RequestState::kFinishedIgnored);
  EXPECT_THAT(shot.requests[large].ignored_reason,
              HasSubstr("The encoder has 49 tokens and needs 7 blocks of 8 tokens"));
  EXPECT_EQ(shot.requests[2].state, RequestState::kFinishedLengthCapped);
}

}  // namespace
}  // namespace attn
