// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/session/compare/compare_column.h"
#include "engine/session/compare/row_by_row.h"
#include "engine/session/run/engine.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn {
namespace {

constexpr size_t kNoColumn = ~size_t{0};

// Tolerance per element: |a - b| <= abs + rel * |b|.
struct Tolerance {
  double abs, rel;
};
Tolerance tolerance_of(DType dtype, int64_t longest) {
  if (dtype == DType::kF16) return {1e-3, 1e-3};
  if (dtype == DType::kBF16) return {4e-3, 8e-3};
  if (dtype != DType::kF32) return {1e-3, 1e-3};
  return longest >= 8192 ? Tolerance{3e-5, 5e-6} : Tolerance{1e-5, 5e-6};
}

void check(const CompareSpec& spec, const SourceShape& shape) {
  const size_t count = spec.backends.size();
  if (count < kMinCompared || count > kMaxCompared)
    throw_bad_input({"this number of backends cannot be compared", "backends",
                     fmt::format("{}", count),
                     fmt::format("{} to {} names", kMinCompared, kMaxCompared), ""});
  std::set<std::string> seen;
  for (const std::string& name : spec.backends) {
    // A name without a value stands for the value that the scenario has.
    const ComparedBackend compared = compared_backend(name);
    BackendOptions chosen = spec.scenario.engine.backend_options;
    if (compared.option) choose(chosen, *compared.option, compared.value);
    std::string whole(compared.backend->name());
    for (const BackendOption& option : compared.backend->options())
      whole += fmt::format("/{}", value_of(chosen, option));
    if (!seen.insert(whole).second)
      throw_bad_input({"a backend is named twice", "backends",
                       fmt::format("`{}`{}", name, name == whole ? "" : ", which is " + whole),
                       "each backend once", ""});
  }
  if (spec.layer < -1 || spec.layer >= shape.num_layers)
    throw_bad_input({"the source has no such layer", "layer", fmt::format("{}", spec.layer),
                     fmt::format("0 to {} in {}", shape.num_layers - 1, shape.name), ""});
}

// Number of keys of `span` that the query sees, over all heads.
int64_t keys_seen(const WeightRule& rule, int64_t num_heads, int64_t query, const KeySpan& span) {
  if (!rule.blocksparse) return num_heads * (span.end - span.begin);
  const int64_t size = rule.blocksparse->block_size;
  int64_t keys = 0;
  for (int64_t head = 0; head < num_heads; ++head)
    for (int64_t key = span.begin; key < span.end;) {
      const int64_t end = std::min(span.end, (key / size + 1) * size);
      if (sees_key(*rule.blocksparse, head, query, key)) keys += end - key;
      key = end;
    }
  return keys;
}

// Visible (query, key) pairs of a call, over all heads.
double pairs_needed(const AttentionMetadata& metadata, const AttentionConfig& config) {
  double pairs = 0;
  const WeightRule rule = weight_rule(config);
  const SeqLens lens = metadata.seq_lens_for(config.attn_type);
  for (int64_t s = 0; s < metadata.num_seqs(); ++s) {
    const auto at = static_cast<size_t>(s);
    for (int64_t i = 0; i < metadata.query_len(s); ++i) {
      const int64_t query = metadata.context_lens[at] + i;
      pairs += static_cast<double>(
          keys_seen(rule, config.num_heads, query, rule.span(query, lens.kv[at])));
    }
  }
  return pairs;
}

// Cache slots of the new keys of a sequence's first `rows` rows. In cross attention: slots of the
// encoder's keys in a prefill, otherwise none.
std::vector<int64_t> new_slots(const AttentionMetadata& metadata, bool cross, int64_t sequence,
                               int64_t rows, int64_t block_size) {
  const auto s = static_cast<size_t>(sequence);
  if (!cross) {
    const auto first = metadata.slot_mapping.begin() + metadata.query_start_loc[s];
    return {first, first + rows};
  }
  std::vector<int64_t> slots;
  if (sequence >= metadata.num_prefills) return slots;
  const auto table = metadata.cross_block_table(sequence);
  for (int64_t i = 0; i < (*metadata.encoder_seq_lens)[s]; ++i)
    slots.push_back(int64_t{table[static_cast<size_t>(i / block_size)]} * block_size +
                    i % block_size);
  return slots;
}

uint64_t ns_outside_kernels(const CompareColumn& column) {
  uint64_t kernels = 0;
  for (const KernelCost& cost : column.kernels) kernels += cost.time.ns;
  return column.total.ns - std::min(column.total.ns, kernels);
}

class Comparison {
 public:
  Comparison(const CompareSpec& spec, RunGate* gate, const CompareProgress& progress)
      : spec_(spec), gate_(gate), progress_(progress) {}
  CompareResult run();

 private:
  void choose_columns();
  void run_once(const Scenario& scenario);
  void repeat(const Scenario& scenario);
  KvStorageSpec spec_of(const ColumnRun& run) const;
  Scenario row_by_row();
  void check_caches() const;
  void make_operands(const EngineSnapshot& shot);
  bool forward(const AttentionInputs&, const AttentionMetadata&, const AttentionOutputs&,
               const Execution&);
  bool forward_all(const CompareCall& call, const AttentionOutputs& outputs);
  void keep(const CompareCall& call);
  void keep_sequence(const CompareCall& call, int64_t sequence);
  void note_nan();
  void drive(Engine& engine);
  void finish(const Engine& engine);
  void report(const CompareCall& call);
  bool cancelled() const { return gate_ && gate_->cancelled(); }

  const CompareSpec& spec_;
  RunGate* gate_;
  const CompareProgress& progress_;
  CompareResult result_;
  std::shared_ptr<Source> source_;
  LayerConfigs configs_;
  // In the order of CompareSpec::backends. A baseline that is not one of them comes last.
  std::vector<std::unique_ptr<ColumnRun>> columns_;
  int64_t repetition_ = 0, planned_ = 1;  // from 0; their number
  size_t baseline_ = kNoColumn;
  std::shared_ptr<CompareOperands> operands_ = std::make_shared<CompareOperands>();
  Tolerance tolerance_{0, 0};
  uint32_t step_ = 0;
  int64_t tokens_ = 0;  // rows of the steps of this repetition
  // Counts the attention calls, and so decides which column computes a call first.
  int64_t layer_call_ = 0;
  int64_t expected_tokens_ = 1;
};

void Comparison::choose_columns() {
  for (const std::string& name : spec_.backends)
    columns_.push_back(
        std::make_unique<ColumnRun>(compared_backend(name), configs_, CompareColumn{}));
  const auto position = [this](auto&& wanted) {
    const auto at = std::find_if(columns_.begin(), columns_.end(), wanted);
    return at == columns_.end() ? kNoColumn : static_cast<size_t>(at - columns_.begin());
  };
  if (spec_.against_reference) {
    baseline_ = position([](const auto& run) { return run->backend().name() == "reference"; });
    if (baseline_ == kNoColumn) {
      columns_.push_back(
          std::make_unique<ColumnRun>(compared_backend("reference"), configs_, CompareColumn{}));
      baseline_ = columns_.size() - 1;
    }
    if (!columns_[baseline_]->column().refusals.empty()) baseline_ = kNoColumn;
  } else {
    baseline_ = position([](const auto& run) { return run->column().refusals.empty(); });
  }
  if (baseline_ != kNoColumn) columns_[baseline_]->column().is_baseline = true;
}

// Checks the memory for all caches together, because the system counts memory only once it is
// touched.
void Comparison::check_caches() const {
  int64_t bytes = 0;
  for (const auto& run : columns_)
    if (run->column().refusals.empty()) bytes += KvStorage::bytes_needed(spec_of(*run));
  check_memory(spec_of(*columns_[baseline_]), bytes, available_memory_bytes());
}

// Backends can have different head sizes, because some of them pad the heads.
KvStorageSpec Comparison::spec_of(const ColumnRun& run) const {
  return storage_spec(spec_.scenario, result_.shape, run.backend());
}

// Decides, request by request, whose operands are kept for maps, within the budget of memory.
void Comparison::make_operands(const EngineSnapshot& shot) {
  const SourceShape& shape = result_.shape;
  const int64_t layers = spec_.layer >= 0 ? 1 : shape.num_layers;
  int64_t left = spec_.keep_bytes;
  operands_->baseline = baseline_;
  operands_->rules = columns_[baseline_]->column().rules;
  for (const RequestView& request : shot.requests) {
    CompareOperands::Sequence sequence;
    const int64_t generated = request.id < spec_.scenario.requests.size()
                                  ? spec_.scenario.requests[request.id].max_tokens
                                  : 0;
    sequence.room = std::min(request.prompt_len + generated, shape.max_model_len);
    if (request.encoder_tokens)
      sequence.encoder_keys = static_cast<int64_t>(request.encoder_tokens->size());
    const int64_t keys = std::max(configs_.cache_own() ? sequence.room : 0, sequence.encoder_keys);
    const int64_t row = shape.num_heads * shape.head_size + shape.num_heads,
                  key = shape.num_kv_heads * shape.head_size;
    const auto columns = static_cast<int64_t>(columns_.size());
    const int64_t rows =
        std::max(sequence.room, shape.num_encoder_layers() > 0 ? sequence.encoder_keys : 0);
    const int64_t bytes =
        layers * 4 *
        (columns * (rows * row + keys * key) + rows * shape.num_heads * shape.head_size);
    sequence.kept = std::max(rows, keys) <= kMostMapSide && bytes <= left;
    if (sequence.kept) {
      left -= bytes;
      sequence.queries.resize(static_cast<size_t>(shape.num_layers));
      sequence.columns.assign(columns_.size(), std::vector<CompareOperands::Layer>(
                                                   static_cast<size_t>(shape.num_layers)));
    }
    operands_->sequences.push_back(std::move(sequence));
    expected_tokens_ += request.prompt_len + generated;
  }
}

Scenario Comparison::row_by_row() {
  Scenario scenario = spec_.scenario;
  if (make_row_by_row(scenario))
    result_.notes.emplace_back(
        "Compared without prefix caching, swapping, further samples and beams, so that every "
        "backend computes every row.");
  return scenario;
}

CompareResult Comparison::run() {
  Scenario scenario = row_by_row();
  if (progress_) progress_(0, "loading");
  source_ = load_source(scenario, [this](double, const std::string&) { return !cancelled(); });
  result_.title = scenario.title;
  result_.shape = source_->shape();
  result_.source = result_.shape.name;
  result_.layer = spec_.layer;
  result_.block_size = scenario.engine.block_size;
  check(spec_, result_.shape);
  configs_ = layer_configs(scenario, result_.shape);
  result_.attention = attention_text(scenario.attention, result_.shape);
  for (std::string& warning : attention_warnings(scenario, configs_.cache_own()))
    result_.notes.push_back(std::move(warning));
  const std::string& dtype = scenario.engine.kv_cache_dtype;
  result_.dtype = dtype == "auto" ? std::string(name_of(DType::kF32)) : dtype;
  choose_columns();
  if (baseline_ != kNoColumn) {
    result_.baseline = columns_[baseline_]->column().display_name;
    scenario.engine.backend = columns_[baseline_]->backend().name();
    scenario.view = {};  // not needed here
    repeat(scenario);
  }
  for (size_t i = 0; i < spec_.backends.size(); ++i)
    result_.columns.push_back(std::move(columns_[i]->column()));
  note_nan();
  for (size_t i = 0; i < result_.columns.size(); ++i)
    if (CompareColumn& of = result_.columns[i]; of.ran() && !of.is_baseline)
      of.weights = largest_weight_difference(result_, i, gate_);
  result_.cancelled = cancelled();
  return std::move(result_);
}

void Comparison::run_once(const Scenario& scenario) {
  EngineOptions options;
  options.gate = gate_;
  options.keep_attention = false;
  options.forward = [this](const AttentionInputs& inputs, const AttentionMetadata& metadata,
                           const AttentionOutputs& outputs, const Execution& execution) {
    return forward(inputs, metadata, outputs, execution);
  };
  Engine engine(scenario, source_, std::move(options));
  check_caches();
  for (size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i]->column().refusals.empty())
      columns_[i]->prepare(spec_of(*columns_[i]), i != baseline_, scenario.engine.clock,
                           num_workers(scenario));
  step_ = 0;
  tokens_ = 0;
  layer_call_ = repetition_;
  if (repetition_ == 0) make_operands(engine.snapshot(EnginePhase::kRunning));
  drive(engine);
  if (repetition_ == 0) finish(engine);
}

// The first run compares, and every run measures. Each run has new implementations and caches, so
// none finds them warm.
void Comparison::repeat(const Scenario& scenario) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const bool modelled = scenario.engine.clock == ClockKind::kVirtual;
  result_.wanted_repetitions = planned_ = modelled ? 1 : std::max<int64_t>(1, spec_.repetitions);
  std::vector<std::vector<CompareColumn>> measured;  // [repetition][column]
  for (; repetition_ < planned_ && !result_.cancelled; ++repetition_) {
    if (repetition_ > 0)
      for (auto& run : columns_)
        run = std::make_unique<ColumnRun>(run->compared(), configs_, CompareColumn{});
    run_once(scenario);
    std::vector<CompareColumn>& columns = measured.emplace_back();
    for (auto& run : columns_) columns.push_back(std::move(run->column()));
    const double past_s = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto done = static_cast<double>(repetition_ + 1);
    if (past_s * (done + 1) / done > spec_.repeat_within_s) planned_ = repetition_ + 1;
  }
  result_.repetitions = std::ssize(measured);
  for (size_t i = 0; i < columns_.size(); ++i) {
    std::vector<uint64_t> times, outside;
    for (const auto& columns : measured) {
      times.push_back(columns[i].total.ns);
      outside.push_back(ns_outside_kernels(columns[i]));
    }
    CompareColumn& column = columns_[i]->column() = std::move(measured.front()[i]);
    column.total = repeated_time(times);
    column.outside_kernels = repeated_time(outside);
    for (KernelCost& kernel : column.kernels) {
      times = {kernel.time.ns};
      for (size_t run = 1; run < measured.size(); ++run)
        for (const KernelCost& cost : measured[run][i].kernels)
          if (cost.kernel == kernel.kernel) times.push_back(cost.time.ns);
      kernel.time = repeated_time(times);
    }
  }
}

void Comparison::note_nan() {
  for (size_t i = 0; i < spec_.backends.size(); ++i) {
    const CompareColumn& column = result_.columns[i];
    if (column.is_baseline || column.out.nan == 0) continue;
    result_.notes.push_back(
        fmt::format("{} of {} numbers of the output are NaN in {} or {}. They count as outside the "
                    "tolerance. Either the queries, keys or values contain NaN or infinity, or a "
                    "score or a sum was too large for 32-bit floats.",
                    column.out.nan, column.out.compared, column.display_name, result_.baseline));
  }
}

void Comparison::drive(Engine& engine) {
  int64_t longest = 0;
  for (const CompareOperands::Sequence& sequence : operands_->sequences)
    longest = std::max(longest, sequence.room);
  tolerance_ = tolerance_of(configs_.of(0).kv_cache_dtype, longest);
  result_.tolerance_abs = tolerance_.abs;
  result_.tolerance_rel = tolerance_.rel;
  try {
    while (engine.has_work() && (spec_.max_steps <= 0 || step_ < spec_.max_steps)) {
      ++step_;
      if (cancelled() || !engine.step()) {
        --step_;
        result_.cancelled = true;
        break;
      }
      tokens_ += engine.steps().back().prefill_tokens + engine.steps().back().decode_tokens;
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotSupported) throw;
    --step_;
    ColumnRun& baseline = *columns_[baseline_];
    baseline.column().refusals = error.sentences();
    baseline.column().refused_at = step_ + 1;
    result_.ended_early =
        fmt::format("The comparison ended early, because {}, the baseline, refused step {}.",
                    result_.baseline, step_ + 1);
  }
  result_.steps = step_;
  result_.tokens = tokens_;
}

void Comparison::finish(const Engine& engine) {
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  result_.modelled_time = shot.modelled_time;
  for (const RequestView& view : shot.requests) {
    CompareRequest request;
    request.id = view.id;
    request.name = view.name;
    request.rows = view.num_computed;
    request.kept = operands_->sequences[view.id].kept;
    request.ignored_reason = view.ignored_reason;
    for (const TokenView& token : *view.tokens) request.tokens.push_back(token.text);
    if (view.encoder_tokens)
      for (const TokenView& token : *view.encoder_tokens)
        request.encoder_tokens.push_back(token.text);
    result_.requests.push_back(std::move(request));
  }
  result_.operands = operands_;
}

bool Comparison::forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
                         const AttentionOutputs& outputs, const Execution& execution) {
  const CompareCall call{&inputs, &metadata, &execution, step_, execution.layer};
  report(call);
  ++layer_call_;
  // When one layer is compared, the baseline computes the others. These calls count only in
  // workspace_bytes.
  if (spec_.layer >= 0 && spec_.layer != call.layer) {
    CompareColumn& column = columns_[baseline_]->column();
    CompareColumn before = column;
    const bool done = columns_[baseline_]->forward(call, &outputs);
    before.workspace_bytes = column.workspace_bytes;
    column = std::move(before);
    return done;
  }
  for (size_t i = 0; i < columns_.size(); ++i)
    if (i != baseline_) columns_[i]->check_batch(call);
  if (!forward_all(call, outputs)) return false;
  if (repetition_ > 0) return true;  // later repetitions only measure
  result_.needed_pairs += pairs_needed(metadata, configs_.of(call.layer));
  const ColumnRun& baseline = *columns_[baseline_];
  for (size_t i = 0; i < columns_.size(); ++i)
    if (i != baseline_ && columns_[i]->active())
      compare_rows(call, columns_[i]->out(), columns_[i]->lse(), baseline.out(), baseline.lse(),
                   tolerance_.abs, tolerance_.rel, columns_[i]->column());
  keep(call);
  return true;
}

// Each call begins with the next column, because later columns find the operands warm in the
// processor's caches.
bool Comparison::forward_all(const CompareCall& call, const AttentionOutputs& outputs) {
  for (size_t turn = 0; turn < columns_.size(); ++turn) {
    const size_t i = (turn + static_cast<size_t>(layer_call_)) % columns_.size();
    if (!columns_[i]->active()) continue;
    if (cancelled() || !columns_[i]->forward(call, i == baseline_ ? &outputs : nullptr))
      return false;
  }
  return true;
}

void Comparison::keep(const CompareCall& call) {
  for (int64_t s = 0; s < call.metadata->num_seqs(); ++s)
    if (operands_->sequences[call.metadata->request(s)].kept) keep_sequence(call, s);
}

void Comparison::keep_sequence(const CompareCall& call, int64_t sequence) {
  const SourceShape& shape = result_.shape;
  const AttentionMetadata& metadata = *call.metadata;
  CompareOperands::Sequence& kept = operands_->sequences[metadata.request(sequence)];
  const int64_t first = metadata.context_lens[static_cast<size_t>(sequence)];
  const int64_t flat = metadata.query_start_loc[static_cast<size_t>(sequence)];
  const AttentionConfig& config = configs_.of(call.layer);
  const int64_t room = kept.room_of(config);
  const int64_t rows = std::min(metadata.query_len(sequence), room - first);
  const int64_t width = shape.num_heads * shape.head_size;
  const int64_t kv_width = shape.num_kv_heads * shape.head_size;
  const auto layer = static_cast<size_t>(call.layer);
  const auto new_rows = [&](std::vector<float>& values, int64_t per_row) {
    values.resize(static_cast<size_t>(room * per_row));
    return std::span(values).subspan(static_cast<size_t>(first * per_row),
                                     static_cast<size_t>(rows * per_row));
  };
  copy_elements(*call.inputs->query, flat * width, new_rows(kept.queries[layer], width));
  const bool cross = config.attn_type == AttentionType::kEncoderDecoder;
  // An encoder has no cache: its keys are those of the call.
  const bool uses_cache = cross || config.attn_type == AttentionType::kDecoder;
  const std::vector<int64_t> slots = new_slots(metadata, cross, sequence, rows, result_.block_size);
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (!columns_[c]->active()) continue;
    CompareOperands::Layer& to = kept.columns[c][layer];
    to.keys.resize(static_cast<size_t>(kept.keys_of(room, cross) * kv_width));
    float* keys = to.keys.data() + (cross ? 0 : first * kv_width);
    if (uses_cache && !slots.empty())
      columns_[c]->read_keys(call, slots, keys);
    else if (!uses_cache)
      copy_elements(*call.inputs->key, flat * kv_width,
                    {keys, static_cast<size_t>(rows * kv_width)});
    copy_elements(columns_[c]->out(), flat * width, new_rows(to.out, width));
    copy_elements(columns_[c]->lse(), flat * shape.num_heads, new_rows(to.lse, shape.num_heads));
    to.rows = std::max(to.rows, first + rows);
    if (first == 0)
      to.rows_without_window =
          columns_[c]->backend().rows_without_window(config, metadata, sequence);
  }
}

void Comparison::report(const CompareCall& call) {
  if (!progress_) return;
  const double layers = static_cast<double>(result_.shape.num_layers);
  const double step_part = static_cast<double>(call.layer) / layers;
  const double tokens =
      static_cast<double>(tokens_) + step_part * static_cast<double>(call.metadata->num_tokens());
  double fraction = tokens / static_cast<double>(expected_tokens_);
  if (spec_.max_steps > 0)
    fraction = std::max(fraction, (static_cast<double>(call.step) - 1 + step_part) /
                                      static_cast<double>(spec_.max_steps));
  fraction =
      (static_cast<double>(repetition_) + std::min(fraction, 1.0)) / static_cast<double>(planned_);
  const std::string place = fmt::format("step {}, layer {}", call.step, call.layer);
  progress_(fraction, repetition_ == 0 ? place
                                       : fmt::format("repetition {} of {}, {}", repetition_ + 1,
                                                     planned_, place));
}

}  // namespace

RepeatedTime repeated_time(std::vector<uint64_t> times_ns) {
  std::ranges::sort(times_ns);
  const size_t count = times_ns.size();
  const uint64_t low = times_ns[(count - 1) / 2], high = times_ns[count / 2];
  return {low + (high - low) / 2, times_ns.front(), times_ns.back()};
}

std::vector<std::string> default_backends(const Scenario& scenario, const SourceShape& shape) {
  std::vector<std::string> can, cannot;
  for (const AttentionBackend* backend : registered_backends()) {
    bool runs = false;
    try {
      runs = not_supported_reasons(*backend, layer_configs(scenario, shape)).empty();
    } catch (const Error&) {
      // run_compare() throws the same error.
    }
    (runs ? can : cannot).emplace_back(backend->name());
  }
  for (const std::string& name : cannot)
    if (can.size() < kMinCompared) can.push_back(name);
  can.resize(std::min(can.size(), kMaxCompared));
  return can;
}

CompareResult run_compare(const CompareSpec& spec, RunGate* gate, const CompareProgress& progress) {
  validate(spec.scenario);
  Comparison comparison(spec, gate, progress);
  return comparison.run();
}

}  // namespace attn
