// SPDX-License-Identifier: GPL-3.0-or-later
// A row from its scores to its output, as AttentionRecord and AttentionRow recompute it after runs:
// compared with sums in f64 over the kernels' operands, and with the output that the kernels wrote.
#include "engine/session/record/attention_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/attention/attention_bias.h"
#include "engine/core/error.h"
#include "engine/model/files/safetensors.h"
#include "engine/session/record/query_key_value_file.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

constexpr int64_t kRowHeads = 4, kRowKvHeads = 2, kRowWidth = 32;

// A run of one request. Keeps the kernels' queries, keys, values and outputs by layer and position.
struct WatchedRun {
  using Rows = std::map<std::pair<int, int64_t>, std::vector<float>>;

  WatchedRun(const ScenarioAttention& attention, const std::string& backend)
      : scenario(test::synthetic_scenario({37}, 6)) {
    scenario.attention = attention;
    if (attention.type == AttentionType::kEncoderOnly) scenario.requests[0].max_tokens = 1;
    scenario.engine.backend = backend;
    scenario.engine.block_size = 8;
    scenario.engine.kv_cache_dtype = "f32";
    const std::shared_ptr<Source> source = load_source(scenario);
    const AttentionConfig config = layer_configs(scenario, source->shape()).of(0);
    impl = backend_named(backend).make_impl(config);
    EngineOptions options;
    options.recorder = &recorder;
    options.history_bytes = size_t{1} << 20;
    options.forward = [this](const AttentionInputs& inputs, const AttentionMetadata& metadata,
                             const AttentionOutputs& out, const Execution& execution) {
      if (!impl->forward(inputs, metadata, out, execution)) return false;
      const int64_t first = metadata.context_lens[0];
      keep(inputs.layer, first, *inputs.query, query);
      keep(inputs.layer, first, *inputs.key, key);
      keep(inputs.layer, first, *inputs.value, value);
      keep(inputs.layer, first, *out.out, output);
      return true;
    };
    engine = std::make_unique<Engine>(scenario, source, std::move(options));
    while (engine->has_work() && engine->step()) {
    }
    recorder.drain();
    shot = engine->snapshot(EnginePhase::kFinished);
    scale = static_cast<double>(source->shape().scale);
  }

  static void keep(int layer, int64_t first, const Tensor& tensor, Rows& rows) {
    const int64_t width = tensor.dim(1) * tensor.dim(2);
    for (int64_t i = 0; i < tensor.dim(0); ++i) {
      const float* from = tensor.data<float>() + i * width;
      rows[{layer, first + i}] = {from, from + width};
    }
  }
  static std::span<const float> head_of(const Rows& rows, int layer, int64_t position,
                                        int64_t head) {
    return std::span(rows.at({layer, position}))
        .subspan(static_cast<size_t>(head * kRowWidth), kRowWidth);
  }
  double score(int layer, int64_t head, int64_t q, int64_t k) const {
    const double dot = test::dot(head_of(query, layer, q, head), head_of(key, layer, k, head / 2));
    const double cap = record().shape().rules.of(layer).soft_cap;
    double result = scale * dot;
    if (cap > 0) result = cap * std::tanh(result / cap);
    if (scenario.attention.alibi)
      result += static_cast<double>(standard_alibi_slopes(kRowHeads)[static_cast<size_t>(head)]) *
                static_cast<double>(k - q);
    return result;
  }
  bool sees(int64_t q, int64_t k) const {
    const int64_t window = scenario.attention.sliding_window;
    return k <= q && (window == 0 || k > q - window);
  }
  const AttentionRecord& record() const { return *shot.requests[0].attention; }

  Scenario scenario;
  std::unique_ptr<AttentionImpl> impl;
  Recorder recorder{2};
  Rows query, key, value, output;
  std::unique_ptr<Engine> engine;
  EngineSnapshot shot;
  double scale = 0;
};

void expect_row(const WatchedRun& run, const AttentionRecord& record, int layer, int64_t head,
                int64_t q) {
  const auto row = attention_row(record, layer, head, q);
  ASSERT_TRUE(row) << layer << ' ' << head << ' ' << q;
  const int64_t first = row->keys.begin;
  ASSERT_EQ(row->keys.end, q + 1);
  ASSERT_TRUE(run.sees(q, first) && (first == 0 || !run.sees(q, first - 1)));
  double max = -1e9, sum = 0;
  for (int64_t k = first; k <= q; ++k) max = std::max(max, run.score(layer, head, q, k));
  for (int64_t k = first; k <= q; ++k) sum += std::exp(run.score(layer, head, q, k) - max);
  const auto& sinks = run.scenario.attention.sinks;
  const double sink =
      sinks.empty() ? 0 : std::exp(sinks[sinks.size() > 1 ? static_cast<size_t>(head) : 0] - max);
  EXPECT_NEAR(row->max, max, 1e-5 * (1 + std::abs(max)));
  EXPECT_NEAR(row->exp_sum, sum, 1e-4 * sum);
  EXPECT_NEAR(row->sink_exp, sink, 1e-4 * sink);
  const double lse = static_cast<double>(record.lse(layer, head, q));
  double largest = 0, sink_weight = sinks.empty() ? 0 : sink / (sum + sink);
  std::vector<double> output(kRowWidth, 0.0);
  for (int64_t k = first; k <= q; ++k) {
    const size_t at = row->at(k);
    const double score = run.score(layer, head, q, k);
    ASSERT_NEAR(row->score[at], score, 1e-5 * (1 + std::abs(score)));
    // One rounded subtraction, and an exponential of at most 1 ulp of error.
    const double minus_lse = static_cast<double>(row->score[at] - static_cast<float>(lse));
    ASSERT_NEAR(row->weight[at], std::exp(minus_lse), 2.4e-7 * row->weight[at] + 1e-37);
    const double minus_max = static_cast<double>(row->score[at] - row->max);
    ASSERT_NEAR(row->exp[at], std::exp(minus_max), 2.4e-7 * row->exp[at] + 1e-37);
    // One reason why weight and exp / all() differ: the log-sum-exp was rounded to f32.
    ASSERT_NEAR(row->weight[at], row->exp[at] / row->all(),
                (2e-6 + 4e-7 * std::abs(lse)) * row->weight[at] + 1e-30);
    const double weight = std::exp(score - max) / (sum + sink);
    const auto value = WatchedRun::head_of(run.value, layer, k, head / 2);
    for (size_t e = 0; e < output.size(); ++e) {
      output[e] += weight * static_cast<double>(value[e]);
      largest = std::max(largest, std::abs(static_cast<double>(value[e])));
    }
  }
  EXPECT_EQ(row->exp[row->at(first + (std::ranges::max_element(row->score) - row->score.begin()))],
            1.0f);
  EXPECT_NEAR(row->weight_sum + sink_weight, 1, 1e-5);
  std::vector<float> same(row->score.size());
  record.weights(layer, head, q, 1, first, std::ssize(same), same.data());
  EXPECT_EQ(row->weight, same);
  record.exponentials(layer, head, q, 1, first, std::ssize(same), &row->max, same.data());
  EXPECT_EQ(row->exp, same);
  ASSERT_EQ(row->output.size(), size_t{kRowWidth});
  const auto written = WatchedRun::head_of(run.output, layer, q, head);
  for (size_t e = 0; e < output.size(); ++e) {
    ASSERT_NEAR(row->output[e], output[e], 1e-5 * largest);
    ASSERT_NEAR(row->output[e], written[e], 1e-5 * largest) << "what the kernel wrote";
  }
}

void expect_rows(const WatchedRun& run, const AttentionRecord& record) {
  for (int layer = 0; layer < 2; ++layer)
    for (const int64_t head : {0, 3})
      for (int64_t q = 0; q < record.num_rows(); ++q) expect_row(run, record, layer, head, q);
  const int64_t n = record.num_rows();
  std::vector<float> scores(static_cast<size_t>(n * n)), maxima(static_cast<size_t>(n), 0.0f),
      exps(scores.size());
  record.scores(1, 3, 0, n, 0, n, scores.data());
  record.exponentials(1, 3, 0, n, 0, n, maxima.data(), exps.data());
  for (int64_t q = 0; q < n; ++q)
    for (int64_t k = 0; k < n; ++k) {
      const auto at = static_cast<size_t>(q * n + k);
      EXPECT_EQ(std::isinf(scores[at]), !run.sees(q, k));
      EXPECT_EQ(exps[at] == 0, !run.sees(q, k));
      float one = 0;
      record.scores(1, 3, q, 1, k, 1, &one);
      EXPECT_EQ(one, scores[at]);
      EXPECT_EQ(record.operands(1, 3, q, k).score, run.sees(q, k) ? scores[at] : 0.0f);
    }
}

TEST(AttentionRow, ScoresWeightsAndOutputAreThoseOfTheKernels) {
  ScenarioAttention window, alibi, cap, sink, all;
  window.sliding_window = all.sliding_window = 9;
  alibi.alibi = all.alibi = true;
  cap.logits_soft_cap = all.logits_soft_cap = 0.75;
  sink.sinks = all.sinks = {0.5, -1, 2, 0};
  for (const ScenarioAttention& attention : {ScenarioAttention{}, window, alibi, cap, sink, all}) {
    int accepted = 0;
    for (const char* backend : {"reference", "torch_sdpa", "unified"}) {
      std::unique_ptr<WatchedRun> run;
      try {
        run = std::make_unique<WatchedRun>(attention, backend);
      } catch (const Error&) {
        continue;
      }
      ++accepted;
      SCOPED_TRACE(backend);
      if (std::string(backend) == "reference") {
        ASSERT_EQ(run->record().shape().rules.of(0).soft_cap, attention.logits_soft_cap);
      }
      ASSERT_GT(run->record().num_rows(), 40);
      expect_rows(*run, run->record());
    }
    EXPECT_GE(accepted, 1);
  }
}

TEST(AttentionRow, SessionFilesHaveTheValues) {
  ScenarioAttention window;
  window.sliding_window = 9;
  const WatchedRun run(window, "reference");
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "run.attn-session";
  save_session(file,
               {std::make_shared<const EngineSnapshot>(run.shot), &run.recorder, nullptr, "{}"});
  const Session session = load_session(file);
  expect_rows(run, *session.snapshot->requests[0].attention);
}

TEST(AttentionRow, ExportedQueriesKeysAndValuesAreThoseOfTheKernels) {
  ScenarioAttention window;
  window.sliding_window = 9;
  for (const ScenarioAttention& attention : {ScenarioAttention{}, window}) {
    const WatchedRun run(attention, "unified");
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "qkv.safetensors";
    write_query_key_value(file, run.shot.requests[0], 1);
    const SafetensorsFile written = SafetensorsFile::open(file);
    EXPECT_EQ(written.metadata().at("layers"), "0, 1");
    EXPECT_EQ(std::stof(written.metadata().at("scale")), static_cast<float>(run.scale));
    EXPECT_EQ(written.metadata().contains("rule.1"), attention.sliding_window > 0);
    const int64_t rows = run.record().num_rows();
    const auto expect_same = [&](const std::string& name, const WatchedRun::Rows& given,
                                 int64_t heads) {
      for (int layer = 0; layer < 2; ++layer) {
        const Tensor tensor = written.read(name + "." + std::to_string(layer));
        ASSERT_EQ(tensor.shape(), (Shape{heads, rows, kRowWidth}));
        for (int64_t head = 0; head < heads; ++head)
          for (int64_t i = 0; i < rows; ++i)
            ASSERT_TRUE(std::ranges::equal(
                WatchedRun::head_of(given, layer, i, head),
                std::span(tensor.data<float>() + (head * rows + i) * kRowWidth, kRowWidth)))
                << name << ' ' << layer << ' ' << head << ' ' << i;
      }
    };
    expect_same("query", run.query, kRowHeads);
    expect_same("key", run.key, kRowKvHeads);
    expect_same("value", run.value, kRowKvHeads);
  }
}

TEST(AttentionRow, RowsThatAreNotComputedHaveNone) {
  const WatchedRun run({}, "reference");
  EXPECT_FALSE(attention_row(run.record(), 0, 0, run.record().num_rows()));
  EXPECT_FALSE(attention_row(run.record(), 0, 0, -1));
  std::vector<float> value(kRowWidth);
  EXPECT_FALSE(run.record().values(0, 0, 1 << 20, 1, value.data()));
}

TEST(AttentionRow, AnEncoderKeepsItsValues) {
  ScenarioAttention encoder;
  encoder.type = AttentionType::kEncoderOnly;
  const WatchedRun run(encoder, "reference");
  const AttentionRecord& record = run.record();
  for (const int64_t q : {0, 20, 36}) {
    const auto row = attention_row(record, 1, 3, q);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->keys, (KeySpan{0, 37}));
    const auto written = WatchedRun::head_of(run.output, 1, q, 3);
    for (size_t e = 0; e < written.size(); ++e) EXPECT_NEAR(row->output[e], written[e], 2e-5);
  }
}

}  // namespace
}  // namespace attn
