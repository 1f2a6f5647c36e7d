// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/compare_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/session/compare/row_by_row.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/work/visible_pairs.h"

namespace attn {
namespace {

constexpr double kNothingCompared = std::numeric_limits<double>::quiet_NaN();

// Tokens of a request's prompt and of its longest possible sequence. 0: the prompt is too long for
// the source.
struct Lengths {
  int64_t prompt = 0, whole = 0;
};

std::vector<Lengths> lengths_of(const Scenario& scenario, const Source& source) {
  const int64_t most = source.shape().max_model_len;
  std::vector<Lengths> lengths;
  for (const ScenarioRequest& request : scenario.requests) {
    const int64_t prompt = scenario.source.reads_text()
                               ? static_cast<int64_t>(source.encode(request.prompt).size())
                               : request.prompt_tokens;
    lengths.push_back(prompt > most ? Lengths{}
                                    : Lengths{prompt, std::min(most, prompt + request.max_tokens)});
  }
  return lengths;
}

// Estimates the tokens that go through the model in a run, with or without a cache.
double tokens_of(const std::vector<Lengths>& lengths, bool with_cache) {
  double tokens = 0;
  for (const auto& [prompt, whole] : lengths) {
    const auto p = static_cast<double>(prompt), n = static_cast<double>(whole);
    tokens += with_cache ? n : (n * (n - 1) - p * (p - 1)) / 2;
  }
  return tokens;
}

// Raises num_blocks and max_num_batched_tokens, up to limits, to hold the longest sequences side by
// side, and sets the watermark to 0. Returns whether num_blocks or max_num_batched_tokens grew.
bool make_room(const std::vector<Lengths>& lengths, ScenarioEngine& engine) {
  std::vector<int64_t> longest;
  for (const Lengths& length : lengths) longest.push_back(length.whole);
  std::ranges::sort(longest, std::greater());
  longest.resize(std::min(longest.size(), static_cast<size_t>(engine.max_num_seqs)));
  int64_t blocks = 1;  // null block
  for (const int64_t length : longest)
    blocks += (length + engine.block_size - 1) / engine.block_size;
  const int64_t tokens = std::accumulate(longest.begin(), longest.end(), int64_t{0});
  const std::pair before(engine.num_blocks, engine.max_num_batched_tokens);
  engine.num_blocks = std::max(engine.num_blocks, std::min(blocks, kMostBlocks));
  engine.max_num_batched_tokens =
      std::max(engine.max_num_batched_tokens, std::min(tokens, kMostTokens));
  engine.watermark = 0;
  return before != std::pair(engine.num_blocks, engine.max_num_batched_tokens);
}

// Logits of a sequence's last row, kept to be compared with those of the other run.
struct KeptRow {
  std::vector<float> logits;
  size_t step = 0;  // index into its run's steps
};
using RowKey = std::pair<uint32_t, int64_t>;  // request, answer token

class OneRun {
 public:
  OneRun(const Scenario& scenario, std::shared_ptr<Source> source, bool with_cache, RunGate* gate);
  // One step, if there is work left. Returns false when cancelled.
  bool advance(const LayerRules& rules);
  bool has_work() const { return engine_->has_work(); }
  const Engine& engine() const { return *engine_; }
  CacheCompareRun& result() { return result_; }
  std::map<RowKey, KeptRow>& rows() { return rows_; }
  const std::vector<std::unique_ptr<Request>>& requests() const {
    return engine_->scheduler().requests();
  }

 private:
  void keep_logits(const Tensor& logits, const std::vector<uint32_t>& requests);
  void take_step(const LayerRules& rules, const std::vector<int64_t>& lengths);
  void take_tile(const TileEvent& tile, uint8_t layer, const WeightRule& rule, int64_t num_rows,
                 CacheCompareStep& step);

  bool with_cache_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Engine> engine_;
  CacheCompareRun result_;
  std::map<RowKey, KeptRow> rows_;
  std::vector<TraceEvent> events_;
  // When the logits of the step were computed; nullopt: it has none, as a step that computes only
  // chunks of prompts.
  std::optional<int64_t> blocks_in_use_;
};

OneRun::OneRun(const Scenario& scenario, std::shared_ptr<Source> source, bool with_cache,
               RunGate* gate)
    : with_cache_(with_cache),
      recorder_(std::make_unique<Recorder>(num_workers(scenario), 1u << 14)) {
  EngineOptions options;
  options.gate = gate;
  options.recorder = recorder_.get();
  options.keep_attention = false;
  options.recompute = !with_cache;
  options.on_logits = [this](const Tensor& logits, const std::vector<uint32_t>& requests) {
    keep_logits(logits, requests);
  };
  engine_ = std::make_unique<Engine>(scenario, std::move(source), std::move(options));
  const SourceShape& shape = engine_->source().shape();
  result_.pairs_of_head.assign(static_cast<size_t>(shape.num_layers * shape.num_heads), 0);
  recorder_->clear();
}

void OneRun::keep_logits(const Tensor& logits, const std::vector<uint32_t>& asked) {
  blocks_in_use_ = engine_->scheduler().manager().pool(PoolKind::kDevice).num_used();
  const int64_t vocab = logits.dim(1);
  const auto* row = logits.data<float>();
  for (const uint32_t id : asked) {
    const Request& request = *engine_->scheduler().find(id);
    rows_[{id, static_cast<int64_t>(request.output_ids.size())}] = {
        std::vector<float>(row, row + vocab), result_.steps.size()};
    row += vocab;
  }
}

bool OneRun::advance(const LayerRules& rules) {
  if (!engine_->has_work()) return true;
  std::vector<int64_t> lengths;
  for (const auto& request : requests()) lengths.push_back(request->num_tokens());
  const size_t steps = engine_->steps().size();
  if (!engine_->step()) return false;
  if (engine_->steps().size() > steps) take_step(rules, lengths);
  return true;
}

void OneRun::take_tile(const TileEvent& tile, uint8_t layer, const WeightRule& rule,
                       int64_t num_rows, CacheCompareStep& step) {
  const SourceShape& shape = engine_->source().shape();
  auto at = std::ranges::find(step.rows, tile.request, &ComputedRows::request);
  if (at == step.rows.end())
    at = step.rows.insert(at, ComputedRows{.request = tile.request, .first = num_rows, .end = 0});
  at->first = std::min<int64_t>(at->first, tile.q_begin);
  at->end = std::max(at->end, std::min<int64_t>(int64_t{tile.q_begin} + tile.q_count, num_rows));
  at->pairs += visible_pairs(tile, rule, num_rows,
                             result_.pairs_of_head.data() + int64_t{layer} * shape.num_heads);
  step.tile_pairs += int64_t{tile.q_count} * tile.k_count * tile.heads;
}

void OneRun::take_step(const LayerRules& rules, const std::vector<int64_t>& lengths) {
  const StepRecord& record = engine_->steps().back();
  CacheCompareStep step;
  step.step = record.step;
  step.tokens = record.prefill_tokens + record.decode_tokens;
  step.ns = record.end_ns - record.begin_ns;
  step.attention_ns = record.attention_ns;
  recorder_->drain();
  events_.clear();
  recorder_->read(0, events_);
  recorder_->clear();
  for (const TraceEvent& event : events_) {
    if (event.kind == EventKind::kTile) {
      const TileEvent tile = unpack_tile(event);
      const int64_t unbounded = engine_->rows_without_window(tile.request);
      if (unbounded == 0)
        take_tile(tile, event.layer, rules.of(event.layer), lengths[tile.request], step);
      else
        take_tile(tile, event.layer, rules.without_window(unbounded).of(event.layer),
                  lengths[tile.request], step);
    } else if (event.kind == EventKind::kTokenSampled) {
      step.sampled.emplace_back(event.a, static_cast<int32_t>(event.c));
    }
  }
  std::ranges::sort(step.rows, {}, &ComputedRows::request);
  std::ranges::sort(step.sampled);
  for (const ComputedRows& rows : step.rows) step.pairs += rows.pairs;
  const KvStorageSpec& cache = engine_->cache().spec();
  const int64_t block_bytes = KvStorage::bytes_needed(cache) / cache.num_blocks;
  const int64_t blocks = std::exchange(blocks_in_use_, std::nullopt).value_or(record.used_blocks);
  step.kv_bytes = with_cache_ ? blocks * block_bytes
                              : step.tokens * (block_bytes / cache.block_size / cache.num_layers);
  result_.tokens += step.tokens;
  result_.pairs += step.pairs;
  result_.tile_pairs += step.tile_pairs;
  result_.ns += step.ns;
  result_.attention_ns += step.attention_ns;
  result_.most_kv_bytes = std::max(result_.most_kv_bytes, step.kv_bytes);
  result_.steps.push_back(std::move(step));
}

class CacheComparison {
 public:
  CacheComparison(const CacheCompareSpec& spec, RunGate* gate, const CompareProgress& progress)
      : spec_(spec), gate_(gate), progress_(progress) {}
  CacheCompareResult run();

 private:
  Scenario prepare();
  void ask_for_memory(const Scenario& scenario) const;
  void drive();
  void compare_tokens();
  void compare_logits();
  void compare_row(const KeptRow& with, const KeptRow& without, int64_t index,
                   CacheCompareAnswer& answer);
  void finish();
  void report() const;
  bool cancelled() const { return gate_ && gate_->cancelled(); }

  const CacheCompareSpec& spec_;
  RunGate* gate_;
  const CompareProgress& progress_;
  CacheCompareResult result_;
  std::shared_ptr<Source> source_;
  std::vector<Lengths> lengths_;
  std::unique_ptr<OneRun> with_, without_;
};

Scenario CacheComparison::prepare() {
  Scenario scenario = spec_.scenario;
  const bool changed = make_row_by_row(scenario);
  scenario.engine.use_captured_plan = false;
  scenario.view = {};  // not needed here
  const auto refuse = [](std::string why) {
    if (!why.empty()) throw Error::not_supported({std::move(why)});
  };
  refuse(no_cache_refusal(scenario));
  if (progress_) progress_(0, "loading");
  source_ = load_source(scenario, [this](double, const std::string&) { return !cancelled(); });
  const SourceShape& shape = source_->shape();
  refuse(no_cache_refusal(scenario, &shape));
  lengths_ = lengths_of(scenario, *source_);
  const bool wider = make_room(lengths_, scenario.engine);
  const LayerConfigs configs = layer_configs(scenario, shape);
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  result_.title = scenario.title;
  result_.source = shape.name;
  result_.shape = shape;
  result_.backend = backend.display_name();
  result_.attention = attention_text(scenario.attention, shape);
  result_.dtype = cache_dtype_name(configs.of(0).kv_cache_dtype);
  result_.block_size = scenario.engine.block_size;
  result_.rules = layer_rules(backend, configs);
  result_.modelled_time = scenario.engine.clock == ClockKind::kVirtual;
  if (changed)
    result_.notes.emplace_back(
        "Compared without prefix caching, swapping, further samples and beams, so that each run "
        "computes every row itself.");
  for (std::string& warning : attention_warnings(scenario, configs.cache_own()))
    result_.notes.push_back(std::move(warning));
  if (wider)
    result_.notes.push_back(
        fmt::format("Both runs have {} blocks and {} tokens a step, so that no prompt is cut and "
                    "no request is preempted.",
                    scenario.engine.num_blocks, scenario.engine.max_num_batched_tokens));
  return scenario;
}

// Checks that both runs fit in memory together. Each Engine checks its own run only, and memory
// that the first has taken but not touched yet still counts as available.
void CacheComparison::ask_for_memory(const Scenario& scenario) const {
  // Without a cache a step computes whole sequences, so their lengths stand for the prompts.
  std::vector<int64_t> whole;
  for (const Lengths& length : lengths_) whole.push_back(length.whole);
  const SourceShape& shape = source_->shape();
  const RunMemory one =
      run_memory(scenario, shape,
                 storage_spec(scenario, shape, backend_named(scenario.engine.backend)), whole, {});
  ask_memory({.bytes = 2 * one.total(),
              .what = "the runs with and without a cache do not fit in memory together",
              .where = "requests",
              .found = fmt::format("2 x (KV cache {} + operands of a step {} ({})) = {}",
                                   bytes_text(one.cache_bytes), bytes_text(one.step_bytes),
                                   one.step_factors, bytes_text(2 * one.total())),
              .advice = "Use fewer requests, shorter prompts or a smaller max_tokens"},
             available_memory_bytes());
}

CacheCompareResult CacheComparison::run() {
  const Scenario scenario = prepare();
  ask_for_memory(scenario);
  with_ = std::make_unique<OneRun>(scenario, source_, true, gate_);
  without_ = std::make_unique<OneRun>(scenario, source_, false, gate_);
  for (const auto& request : with_->requests()) {
    CacheCompareAnswer& answer = result_.answers.emplace_back();
    answer.request = request->id;
    answer.name = request->name;
    answer.prompt_tokens = static_cast<int64_t>(request->prompt_ids.size());
  }
  drive();
  finish();
  return std::move(result_);
}

void CacheComparison::drive() {
  for (int64_t round = 0; with_->has_work() || without_->has_work(); ++round) {
    if (spec_.max_steps > 0 && round >= spec_.max_steps) return;
    report();
    OneRun* order[] = {with_.get(), without_.get()};
    if (round % 2 == 1) std::swap(order[0], order[1]);
    for (OneRun* one : order) {
      if (!cancelled() && one->advance(result_.rules)) continue;
      result_.cancelled = true;
      return;
    }
    result_.logit_differences.resize(without_->result().steps.size(), kNothingCompared);
    compare_logits();
    compare_tokens();
  }
}

void CacheComparison::compare_logits() {
  for (auto at = with_->rows().begin(); at != with_->rows().end();) {
    const auto other = without_->rows().find(at->first);
    if (other == without_->rows().end()) {
      ++at;
      continue;
    }
    const auto& [request, index] = at->first;
    compare_row(at->second, other->second, index, result_.answers[request]);
    without_->rows().erase(other);
    at = with_->rows().erase(at);
  }
  // Rows of answers that differ are not compared any more.
  for (OneRun* one : {with_.get(), without_.get()})
    std::erase_if(one->rows(), [this](const auto& row) {
      return !result_.answers[row.first.first].same_tokens();
    });
}

void CacheComparison::compare_row(const KeptRow& with, const KeptRow& without, int64_t index,
                                  CacheCompareAnswer& answer) {
  if (!answer.same_tokens()) return;  // the two answers differ already
  double largest = 0;
  for (size_t i = 0; i < with.logits.size(); ++i) {
    const double a = with.logits[i], b = without.logits[i];
    double distance = a == b || (std::isnan(a) && std::isnan(b)) ? 0 : std::abs(a - b);
    if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
    largest = std::max(largest, distance);
    if (std::isfinite(a)) answer.largest_logit = std::max(answer.largest_logit, std::abs(a));
  }
  ++answer.compared_rows;
  if (answer.max_at < 0 || largest > answer.max_difference) {
    answer.max_difference = largest;
    answer.max_at = index;
  }
  double& of_step = result_.logit_differences[without.step];
  of_step = std::isnan(of_step) ? largest : std::max(of_step, largest);
}

void CacheComparison::compare_tokens() {
  for (CacheCompareAnswer& answer : result_.answers) {
    const auto& a = with_->requests()[answer.request]->output_ids;
    const auto& b = without_->requests()[answer.request]->output_ids;
    const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    if (!answer.same_tokens()) continue;
    const auto differs = std::mismatch(a.begin(), a.begin() + common, b.begin()).first;
    if (differs != a.begin() + common) answer.first_difference = differs - a.begin();
  }
}

void CacheComparison::finish() {
  for (CacheCompareAnswer& answer : result_.answers) {
    answer.with_cache = with_->requests()[answer.request]->output_ids;
    answer.without_cache = without_->requests()[answer.request]->output_ids;
    answer.text_with_cache = source_->decode(answer.with_cache);
    answer.text_without_cache = source_->decode(answer.without_cache);
    const size_t ended = std::min(answer.with_cache.size(), answer.without_cache.size());
    if (answer.same_tokens() && answer.with_cache.size() != answer.without_cache.size() &&
        !result_.cancelled)
      answer.first_difference = static_cast<int64_t>(ended);
  }
  result_.with_cache = std::move(with_->result());
  result_.without_cache = std::move(without_->result());
}

void CacheComparison::report() const {
  if (!progress_) return;
  const double all = tokens_of(lengths_, true) + tokens_of(lengths_, false);
  const auto done =
      static_cast<double>(with_->result().tokens) + static_cast<double>(without_->result().tokens);
  progress_(all > 0 ? std::min(done / all, 1.0) : 1,
            fmt::format("step {}", without_->result().steps.size() + 1));
}

}  // namespace

bool CacheCompareResult::same_answers() const {
  return std::ranges::all_of(answers, &CacheCompareAnswer::same_tokens);
}

double CacheCompareResult::max_difference() const {
  double largest = 0;
  for (const CacheCompareAnswer& answer : answers)
    largest = std::max(largest, answer.max_difference);
  return largest;
}

bool CacheCompareResult::equal_heads() const {
  return std::ranges::all_of(
      std::initializer_list<const CacheCompareRun*>{&with_cache, &without_cache},
      [](const CacheCompareRun* run) {
        return std::ranges::all_of(run->pairs_of_head, [run](int64_t pairs) {
          return pairs == run->pairs_of_head.front();
        });
      });
}

std::string no_cache_refusal(const Scenario& scenario, const SourceShape* shape) {
  if (scenario.attention.type == AttentionType::kEncoderOnly)
    return "An encoder computes its prompt in one step and has no KV cache, so there is nothing to "
           "compare.";
  const auto is_cross = [](const AttentionCall& call) {
    return call.type == AttentionType::kEncoderDecoder;
  };
  if (scenario.attention.type == AttentionType::kEncoderDecoder ||
      (shape && std::ranges::any_of(shape->calls, is_cross)))
    return "Cross attention keeps the keys of an encoder, which this comparison does not compute "
           "again. Choose a run with self attention only.";
  if (scenario.source.tensors)
    return "The queries, keys and values of this run come from files, so without a cache nothing "
           "would have to be computed again. Choose a model or a synthetic source.";
  return {};
}

CacheCompareResult compare_cache(const CacheCompareSpec& spec, RunGate* gate,
                                 const CompareProgress& progress) {
  validate(spec.scenario);
  CacheComparison comparison(spec, gate, progress);
  return comparison.run();
}

}  // namespace attn
