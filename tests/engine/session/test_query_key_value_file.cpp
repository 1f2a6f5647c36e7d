// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the file of queries, keys and values of a request, computes weights from it, and compares
// them with those of the run. For a request without computed rows, writing is refused.
#include "engine/session/record/query_key_value_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/model/files/safetensors.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

struct Written {
  explicit Written(const RequestView& request, int64_t layer) {
    const test::TemporaryFolder folder;
    write_query_key_value(folder.path() / "qkv.safetensors", request, layer);
    const SafetensorsFile file = SafetensorsFile::open(folder.path() / "qkv.safetensors");
    about = file.metadata();
    for (size_t i = 0; file.find("query." + std::to_string(i)); ++i) {
      query.push_back(file.read("query." + std::to_string(i)));
      key.push_back(file.read("key." + std::to_string(i)));
      value.push_back(file.read("value." + std::to_string(i)));
    }
    layers = layers_of(about.at("layers"));
  }
  static std::vector<int64_t> layers_of(const std::string& text) {
    std::vector<int64_t> layers;
    for (size_t at = 0; at < text.size(); at = std::min(text.find(' ', at), text.size() - 1) + 1)
      layers.push_back(std::stoll(text.substr(at)));
    return layers;
  }
  int64_t first_row() const { return std::stoll(about.at("first_row")); }

  std::map<std::string, std::string> about;
  std::vector<Tensor> query, key, value;
  std::vector<int64_t> layers;
};

// Recomputes the weights from the file's queries and keys: they are the record's, bit for bit.
// Without soft cap, ALiBi and sinks also compares them with a softmax in f64. Returns the number of
// query rows.
int64_t expect_weights(const RequestView& request, int64_t layer) {
  const Written written(request, layer);
  const AttentionRecord& record = *request.at(layer).attention;
  EXPECT_EQ(written.layers.size(), written.query.size());
  int64_t rows = 0;
  for (size_t i = 0; i < written.layers.size(); ++i) {
    const int64_t at = written.layers[i], heads = written.query[i].dim(0),
                  size = written.query[i].dim(2), keys = written.key[i].dim(1),
                  group = heads / written.key[i].dim(0), first = written.first_row();
    rows = written.query[i].dim(1);
    const WeightRule& rule = record.shape().rules.of(at);
    EXPECT_EQ(written.about.contains("rule." + std::to_string(i)), !rule.is_plain());
    for (int64_t head = 0; head < heads; ++head) {
      const float* query = written.query[i].data<float>() + head * rows * size;
      const float* key = written.key[i].data<float>() + head / group * keys * size;
      std::vector<float> found(static_cast<size_t>(rows * keys)), expected(found.size()), lse;
      for (int64_t q = 0; q < rows; ++q) lse.push_back(record.lse(at, head, first + q));
      record.weights(at, head, first, rows, 0, keys, expected.data());
      recompute_weights({.query = query,
                         .query_stride = size,
                         .key = key,
                         .key_stride = size,
                         .lse = lse.data(),
                         .q_begin = first,
                         .q_count = rows,
                         .k_begin = 0,
                         .k_count = keys,
                         .head_size = size,
                         .scale = std::stof(written.about.at("scale")),
                         .rule = &rule,
                         .head = head},
                        found.data(), keys);
      EXPECT_EQ(found, expected) << "layer " << at << " head " << head;
      if (rule.soft_cap != 0 || !rule.alibi_slopes.empty() || !rule.sinks.empty()) continue;
      for (int64_t q = 0; q < rows; ++q) {
        std::vector<double> e;
        double sum = 0;
        for (int64_t k = 0; k < keys; ++k) {
          double dot = 0;
          for (int64_t d = 0; d < size; ++d)
            dot +=
                static_cast<double>(query[q * size + d]) * static_cast<double>(key[k * size + d]);
          e.push_back(rule.sees(head, first + q, k)
                          ? std::exp(std::stod(written.about.at("scale")) * dot)
                          : 0);
          sum += e.back();
        }
        for (int64_t k = 0; k < keys; ++k)
          EXPECT_NEAR(expected[static_cast<size_t>(q * keys + k)], e[static_cast<size_t>(k)] / sum,
                      2e-5)
              << at << ' ' << head << ' ' << q << ' ' << k;
      }
    }
  }
  return rows;
}

EngineSnapshot run_to_end(Engine& engine) {
  while (engine.has_work() && engine.step()) {
  }
  return engine.snapshot(EnginePhase::kFinished);
}

std::string refusal(const RequestView& request) {
  const test::TemporaryFolder folder;
  try {
    write_query_key_value(folder.path() / "qkv.safetensors", request, 0);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    return error.what();
  }
  return {};
}

TEST(QueryKeyValueFile, ARoundedCacheGivesWhatTheKernelsRead) {
  Scenario scenario = test::synthetic_scenario({20}, 12);
  scenario.engine.backend = "unified";
  scenario.engine.kv_cache_dtype = "fp8_e4m3";
  scenario.engine.block_size = 8;
  scenario.attention.sliding_window = 9;
  Engine engine(scenario, {});
  EXPECT_EQ(expect_weights(run_to_end(engine).requests[0], 0), 31);
}

TEST(QueryKeyValueFile, AnEncoderAndItsDecoderEachHaveTheirLayers) {
  Scenario scenario = test::synthetic_scenario({14}, 6);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.kind = SyntheticKind::kEncoderDecoder;
  source.num_encoder_layers = 2;
  scenario.attention.type = AttentionType::kEncoderDecoder;
  scenario.requests[0].encoder_tokens = 11;
  Engine engine(scenario, {});
  const RequestView request = run_to_end(engine).requests[0];
  const int64_t rows[] = {11, 19, 19}, keys[] = {11, 19, 11};
  const char* const layers[] = {"0, 1", "2, 4", "3, 5"};
  for (const int64_t layer : {0, 1, 2}) {
    const int64_t shown = layer == 0 ? 1 : layer + 1;
    EXPECT_EQ(expect_weights(request, shown), rows[layer]);
    const Written written(request, shown);
    EXPECT_EQ(written.about.at("layers"), layers[layer]);
    EXPECT_EQ(written.key[0].dim(1), keys[layer]);
    EXPECT_EQ(written.about.contains("rule.0"), layer != 1);
  }
}

TEST(QueryKeyValueFile, APrefixThatIsFoundHasKeysOnly) {
  Scenario scenario = test::model_scenario({"Once upon a time there was a little dog. The cat",
                                            "Once upon a time there was a little dog. "
                                            "A bird"},
                                           4);
  scenario.engine.block_size = 4;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.backend = "unified";
  scenario.engine.max_num_seqs = 1;
  Engine engine(scenario, {});
  const EngineSnapshot end = run_to_end(engine);
  EXPECT_GT(end.requests[1].num_cached, 4);
  for (const RequestView& request : end.requests) {
    const Written written(request, 0);
    EXPECT_EQ(written.first_row(), request.num_cached);
    EXPECT_EQ(expect_weights(request, 0) + request.num_cached, request.num_computed);
    EXPECT_EQ(written.key[0].dim(1), request.num_computed);
  }
}

TEST(QueryKeyValueFile, RequestsWithoutComputedRowsAreRefused) {
  Scenario scenario = test::synthetic_scenario({24, 24}, 20);
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 9;
  Engine engine(scenario, {});
  EXPECT_THAT(refusal(engine.snapshot(EnginePhase::kRunning).requests[0]),
              testing::HasSubstr("nothing of it was computed"));
  int preempted = 0;
  while (engine.has_work() && engine.step())
    for (const RequestView& request : engine.snapshot(EnginePhase::kRunning).requests)
      if (request.state == RequestState::kWaiting && request.num_preemptions > 0) {
        EXPECT_THAT(refusal(request), testing::HasSubstr("preempted"));
        ++preempted;
      }
  EXPECT_GT(preempted, 0);
  for (const RequestView& request : engine.snapshot(EnginePhase::kFinished).requests)
    EXPECT_EQ(expect_weights(request, 0), request.num_computed);
}

}  // namespace
}  // namespace attn
