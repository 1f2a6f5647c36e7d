// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario: what a run computes and how, in one JSON file. Unknown keys are refused. Also finds
// shipped scenarios and models. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/types.h"
#include "engine/model/synthetic/synthetic_spec.h"
#include "engine/model/synthetic/tensor_spec.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/intervene/intervention.h"
#include "engine/trace/clock.h"

namespace attn {

// Positions [first, first + tokens) whose residual stream and head outputs are kept
// (ResidualRecord).
struct ResidualWindow {
  int64_t first = 0, tokens = 0;  // tokens 0: nothing is kept
  bool operator==(const ResidualWindow&) const = default;
};

struct ScenarioRequest {
  std::string name;    // label; empty: "request N"
  std::string prompt;  // for a model
  // For a model with encoder and decoder: the decoder's text after its first token.
  std::string decoder_prompt;
  int64_t prompt_tokens = 0;  // for a source that reads no text
  // Cross attention of a source that reads no text: number of encoder tokens. Otherwise 0.
  int64_t encoder_tokens = 0;
  // Most tokens to generate, [1, 1048576]. An encoder needs 1.
  int64_t max_tokens = 32;
  SamplingParams sampling;
  int64_t n = 1;                // sequences sampled from the prompt
  int64_t beam_width = 1;       // above 1: beam search, with temperature 0 and n 1
  double length_penalty = 1;    // beam search: see beam_score()
  bool early_stopping = false;  // a beam search ends once beam_width hypotheses are finished
  int64_t priority = 0;         // smaller goes first
  double arrival_s = 0;         // seconds, for arrivals "listed"
  std::vector<Intervention> interventions = {};  // forks have them too
  ResidualWindow residual = {};
  bool operator==(const ScenarioRequest&) const = default;
};

struct ScenarioSource {
  // In a valid scenario exactly one of the three is set.
  std::string model;  // shipped name, folder or GGUF file
  std::optional<SyntheticSpec> synthetic;
  std::optional<TensorSpec> tensors;  // request i is sequence i of the tensors

  bool reads_text() const { return !model.empty(); }
  bool operator==(const ScenarioSource&) const = default;
};

// Settings of the attention layers. The defaults are those of a plain decoder.
struct ScenarioAttention {
  // kDecoder: causal self attention. kEncoderOnly: queries also see later tokens, and there is no
  // KV cache. kEncoderDecoder: there are layers of cross attention to the tokens of an encoder.
  // With a model it must be the model's type.
  AttentionType type = AttentionType::kDecoder;
  int64_t sliding_window = 0;  // tokens, with the query's own; 0: no window
  double logits_soft_cap = 0;  // score = cap * tanh(score / cap); 0: none
  // score += slope * (key - query), slopes by the standard rule. Not for models.
  bool alibi = false;
  // Additional logits in the softmax of each row: one per query head, or one for all heads; empty:
  // none.
  std::vector<double> sinks;
  std::optional<BlockSparse> blocksparse;  // none: no pattern; not for cross attention
  bool operator==(const ScenarioAttention&) const = default;
};

enum class ArrivalKind {
  kAllAtOnce,
  kListed,   // each at its arrival_s
  kPoisson,  // times drawn from the seed
};

struct ScenarioArrivals {
  ArrivalKind kind = ArrivalKind::kAllAtOnce;
  double rate_per_s = 1;  // requests per second, on the run's clock
  bool operator==(const ScenarioArrivals&) const = default;
};

struct ScenarioEngine {
  std::string backend = "torch_sdpa";
  BackendOptions backend_options;         // in JSON one key for each option
  int64_t block_size = 16;                // tokens per block, [1, 256]
  int64_t num_blocks = 64;                // [1, 1048576]
  int64_t max_num_batched_tokens = 2048;  // tokens per step
  int64_t max_num_seqs = 16;
  SchedulingPolicy policy = SchedulingPolicy::kPrefillFirst;
  PreemptionMode preemption = PreemptionMode::kRecompute;
  int64_t num_swap_blocks = 0;         // [0, 1048576]
  bool enable_prefix_caching = false;  // share full equal blocks
  double watermark = 0;  // share of blocks that an admission leaves while others run, [0, 0.99]
  std::string kv_cache_dtype = "auto";  // auto, f32, bf16, f16, fp8, fp8_e4m3, fp8_e5m2, int8
  // A stored number of an fp8 or int8 cache means number * scale. An int8 cache uses a list that is
  // not empty in place of its one scale: a scale per KV head.
  double k_scale = 1, v_scale = 1;
  std::vector<double> k_head_scales, v_head_scales;  // [Hkv]
  // Pads heads with zeros to the next size that the backend supports.
  bool pad_head_size = false;
  bool use_captured_plan = false;  // decode steps replay captured plans
  int64_t threads = 0;             // 0: the default number
  ClockKind clock = ClockKind::kReal;
  bool extended = false;
  bool operator==(const ScenarioEngine&) const = default;
};

struct ScenarioView {
  int64_t layer = 0, head = 0;
  double pace_tiles_per_s = 0;        // 0: full speed
  std::string color_map = "cividis";  // cividis, viridis, magma, grey
  std::string scale = "linear";       // linear, log
  bool operator==(const ScenarioView&) const = default;
};

// Where a scenario was read from, for messages and for relative paths in it. Scenarios that differ
// only in their origin are equal.
struct ScenarioOrigin {
  std::string file;  // empty: made in the program
  bool operator==(const ScenarioOrigin&) const { return true; }
};

struct Scenario {
  int64_t version = 1;
  std::string title;
  std::string description;
  uint64_t seed = 0;
  ScenarioSource source;
  std::vector<ScenarioRequest> requests;
  ScenarioArrivals arrivals;
  ScenarioAttention attention;
  ScenarioEngine engine;
  ScenarioView view;
  ScenarioOrigin origin = {};
  bool operator==(const Scenario&) const = default;
};

// A place in a scenario for errors: "first-look.json, $.engine.backend".
std::string place_in(const Scenario& scenario, std::string_view json_path);

// where: names the file in errors ("first-look.json"), and becomes the origin. Throws
// Error(kBadInput) with the JSON path.
Scenario parse_scenario(std::string_view json, std::string_view where);
Scenario load_scenario(const std::filesystem::path& file);
// Canonical JSON: keys in a fixed order, some of them only if they are set.
// parse_scenario(to_json(s)) == s if s is valid. scenario_hash() hashes it.
std::string to_json(const Scenario& scenario);
std::string scenario_hash(const Scenario& scenario);  // 16 hex digits (XXH64 of the canonical JSON)
// Checks the values of a scenario as parse_scenario() does. Throws Error(kBadInput) for the first
// one that is refused.
void validate(const Scenario& scenario);

// Shipped scenarios and models are scenarios/*.json and models/* in assets_folder(): $ATTN_ASSETS,
// or else a folder beside the program, in its install prefix or in the source tree. Throws
// Error(kBadInput), find_...() with a list of what there is; or_what ends the list of scenarios.
std::filesystem::path find_scenario(std::string_view name_or_file,
                                    std::string_view or_what = "or a file");
bool is_shipped_model(std::string_view name);
std::filesystem::path find_model(std::string_view name_or_path);
// Whether a model is there: a folder with config.json, or a file that is GGUF or has its ending.
bool is_model_path(const std::filesystem::path& path);
std::filesystem::path model_folder(const Scenario& scenario);
// The files that a run of the scenario may read: its own file, all files of its model, and those of
// its tensors. They need not exist. Throws Error(kBadInput) if there is no such model.
std::vector<std::filesystem::path> input_files(const Scenario& scenario);
std::filesystem::path assets_folder();
std::vector<std::string> shipped_models();     // names, tinystories-gqa first
std::vector<std::string> shipped_scenarios();  // names, first-look first

}  // namespace attn
