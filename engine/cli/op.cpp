// SPDX-License-Identifier: GPL-3.0-or-later
// `attn op`: one attention call from a file, through the same backend objects as a run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/attention/layer_warnings.h"
#include "engine/attention/pad_heads.h"
#include "engine/cli/backend_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/op_case.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/model/files/safetensors.h"
#include "engine/model/not_finite.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn::cli {
namespace {

CommandSpec op_spec() {
  CommandSpec spec{
      "attn op",
      "Runs one attention call: reads tensors and block tables, writes output and log-sum-exp.",
      {},
      {{"--in", "FILE", "case as safetensors (docs/formats.md)"},
       {"--out", "FILE",
        "result as safetensors: output, lse, and the caches where the call has them"},
       {"--backend", "NAME", "default: the file's, else torch_sdpa"},
       {"--weights", "", "also write weights.<sequence> [head, query, key]"},
       {"--trace", "FILE", "write the kernels' tiles as a Chrome trace"},
       {"--pad-head-size", "",
        "if the backend lacks the head size: pad with zeros to the next that it has"},
       {"--threads", "N", "worker threads; default: one for each hardware thread"}},
      "If the backend refuses the call, its reasons are printed, and the exit code is 3."};
  add_backend_options(spec, "default: as the file says");
  return spec;
}

template <class T>
void widen(const Tensor& codes, Tensor& numbers) {
  for (int64_t i = 0; i < codes.size(); ++i) numbers.data<float>()[i] = to_f32(codes.data<T>()[i]);
}
template <class T>
void narrow(const Tensor& numbers, Tensor& codes) {
  for (int64_t i = 0; i < codes.size(); ++i)
    codes.data<T>()[i] = from_f32<T>(numbers.data<float>()[i]);
}

Tensor codes_to_f32(const Tensor& codes) {
  if (!is_quantised(codes.dtype())) return convert(codes, DType::kF32);
  Tensor numbers(DType::kF32, codes.shape());
  if (codes.dtype() == DType::kF8E4M3) widen<Float8E4M3>(codes, numbers);
  if (codes.dtype() == DType::kF8E5M2) widen<Float8E5M2>(codes, numbers);
  if (codes.dtype() == DType::kI8) widen<int8_t>(codes, numbers);
  return numbers;
}

Tensor f32_to_codes(const Tensor& numbers, DType dtype) {
  if (!is_quantised(dtype)) return convert(numbers, dtype);
  Tensor codes(dtype, numbers.shape());
  if (dtype == DType::kF8E4M3) narrow<Float8E4M3>(numbers, codes);
  if (dtype == DType::kF8E5M2) narrow<Float8E5M2>(numbers, codes);
  if (dtype == DType::kI8) narrow<int8_t>(numbers, codes);
  return codes;
}

// Pads each head with zeros to `head_size` elements, or cuts off the elements beyond.
Tensor with_head_size(Tensor rows, int64_t head_size) {
  Shape shape = rows.shape();
  if (shape.back() == head_size) return rows;
  shape.back() = head_size;
  Tensor result(rows.dtype(), shape);
  copy_heads(rows, result);
  return result;
}

// A cache in the backend's own layout, with the head size of padded_config(). It is filled from
// [num_blocks, block_size, Hkv, D] and read back. An f32 input is taken as numbers, any other as
// codes of the cache.
class OpCache {
 public:
  OpCache(const AttentionBackend& backend, const OpCase& input) : backend_(backend), input_(input) {
    if (input.num_blocks == 0) return;
    const AttentionConfig config = padded_config(backend, input.config);
    storage_ = Tensor(config.kv_cache_dtype,
                      backend.kv_cache_shape(input.num_blocks, input.block_size,
                                             config.num_kv_heads, config.head_size));
    view_ = {&storage_,           input.num_blocks, input.block_size,
             config.num_kv_heads, config.head_size, &input.scales};
    slots_.resize(static_cast<size_t>(input.num_blocks * input.block_size));
    std::iota(slots_.begin(), slots_.end(), int64_t{0});
    const Tensor keys = with_head_size(codes_to_f32(input.key_cache), config.head_size),
                 values = with_head_size(codes_to_f32(input.value_cache), config.head_size);
    LayerScales scales = input.scales;
    if (input.key_cache.dtype() != DType::kF32) {
      scales.k_scale = 1;
      scales.k_head_scales.clear();
    }
    if (input.value_cache.dtype() != DType::kF32) {
      scales.v_scale = 1;
      scales.v_head_scales.clear();
    }
    KvCacheView filled = view_;
    filled.scales = &scales;
    backend.write_rows(filled, slots_, keys.data<float>(), values.data<float>());
  }

  const KvCacheView& view() const { return view_; }
  Tensor keys() const { return read_codes(&AttentionBackend::read_keys); }
  Tensor values() const { return read_codes(&AttentionBackend::read_values); }
  // Returns f32 [slots, Hkv, D].
  Tensor keys_at(std::span<const int64_t> slots) const {
    return read(&AttentionBackend::read_keys, view_, slots);
  }

 private:
  using ReadRows = void (AttentionBackend::*)(const KvCacheView&, std::span<const int64_t>,
                                              float*) const;

  KvCacheView codes() const {
    KvCacheView view = view_;
    view.scales = nullptr;
    return view;
  }
  Tensor read(ReadRows read_rows, const KvCacheView& view, std::span<const int64_t> slots) const {
    Tensor rows(DType::kF32,
                {static_cast<int64_t>(slots.size()), view.num_kv_heads, view.head_size});
    (backend_.*read_rows)(view, slots, rows.data<float>());
    return with_head_size(std::move(rows), input_.config.head_size);
  }
  Tensor read_codes(ReadRows read_rows) const {
    Tensor found = f32_to_codes(read(read_rows, codes(), slots_), input_.config.kv_cache_dtype);
    Tensor result(found.dtype(), input_.key_cache.shape());
    std::memcpy(result.raw(), found.raw(), found.bytes());
    return result;
  }

  const AttentionBackend& backend_;
  const OpCase& input_;
  Tensor storage_;
  KvCacheView view_;
  std::vector<int64_t> slots_;
};

struct SequenceOperands {
  int64_t row = 0, query_len = 0;  // first row of query and lse, number of rows
  int64_t q_begin = 0;             // position of the first row
  Tensor keys;                     // f32 [num_keys, Hkv, D]
};

// Copies rows of `rows`, from `row` on, to `keys`, from position `first` to the end.
void take_rows(const Tensor& rows, int64_t row, int64_t first, Tensor& keys) {
  const int64_t width = keys.dim(1) * keys.dim(2);
  std::copy_n(rows.data<float>() + row * width, (keys.dim(0) - first) * width,
              keys.data<float>() + first * width);
}

// Copies the first `count` keys of a sequence out of the cache, by its row of a block table.
void take_cached(const OpCase& input, const OpCache& cache, std::span<const int32_t> table,
                 int64_t count, Tensor& keys) {
  std::vector<int64_t> slots;
  for (int64_t position = 0; position < count; ++position)
    slots.push_back(int64_t{table[static_cast<size_t>(position / input.block_size)]} *
                        input.block_size +
                    position % input.block_size);
  const Tensor cached = cache.keys_at(slots);
  std::copy_n(cached.data<float>(), cached.size(), keys.data<float>());
}

// How many of a sequence's keys the kernel read from the cache; the others came with the call.
// context: tokens that were cached before the call.
int64_t keys_from_cache(const OpCase& input, const AttentionBackend& backend, int64_t seq,
                        int64_t keys, int64_t context) {
  if (seq >= input.metadata.num_prefills || input.key.empty()) return keys;
  return backend.reads_new_keys_from_cache(
             {input.config.attn_type, input.key.dtype(), input.config.kv_cache_dtype, context})
             ? keys
             : context;
}

// Collects what the weights of one sequence are recomputed from. key: f32, of the call.
// encoder_row: first row of the sequence among the encoder tokens.
SequenceOperands weight_operands(const OpCase& input, const AttentionBackend& backend,
                                 const OpCache& cache, const Tensor& key, int64_t seq,
                                 int64_t encoder_row) {
  const AttentionMetadata& metadata = input.metadata;
  const AttentionType type = input.config.attn_type;
  const auto s = static_cast<size_t>(seq);
  const bool encoder = type == AttentionType::kEncoder;
  const bool cross = type == AttentionType::kEncoderDecoder;
  const int64_t encoder_len = metadata.encoder_seq_lens ? (*metadata.encoder_seq_lens)[s] : 0;
  SequenceOperands result;
  result.row = encoder ? encoder_row : metadata.query_start_loc[s];
  result.query_len = encoder ? encoder_len : metadata.query_len(seq);
  const bool has_cache = input.num_blocks > 0 && (cross || type == AttentionType::kDecoder);
  result.q_begin = has_cache || cross ? metadata.context_lens[s] : 0;
  const int64_t context = has_cache && !cross ? metadata.context_lens[s] : 0;
  const int64_t count = cross ? encoder_len : context + result.query_len;
  const int64_t cached = has_cache ? keys_from_cache(input, backend, seq, count, context) : 0;
  result.keys = Tensor(DType::kF32, {count, input.config.num_kv_heads, input.config.head_size});
  if (cached > 0)
    take_cached(input, cache, cross ? metadata.cross_block_table(seq) : metadata.block_table(seq),
                cached, result.keys);
  if (cached < count) take_rows(key, cross ? encoder_row : result.row, cached, result.keys);
  return result;
}

// Weights [H, query_len, num_keys] of one sequence, recomputed from the operands and the
// log-sum-exps.
Tensor sequence_weights(const OpCase& input, const WeightRule& rule,
                        const SequenceOperands& operands, const Tensor& query, const Tensor& lse) {
  const AttentionMetadata& metadata = input.metadata;
  const AttentionConfig& config = input.config;
  const int64_t width = config.head_size, row = operands.row, keys = operands.keys.dim(0);
  Tensor weights(DType::kF32, {config.num_heads, operands.query_len, keys});
  if (operands.query_len == 0 || keys == 0) return weights;
  for (int64_t head = 0; head < config.num_heads; ++head) {
    WeightTile tile;
    tile.query = query.data<float>() + (row * config.num_heads + head) * width;
    tile.query_stride = config.num_heads * width;
    tile.key = operands.keys.data<float>() + head / config.group_size() * width;
    tile.key_stride = config.num_kv_heads * width;
    tile.lse = lse.data<float>() + row * config.num_heads + head;
    tile.lse_stride = config.num_heads;
    tile.q_begin = operands.q_begin;
    tile.q_count = operands.query_len;
    tile.k_count = keys;
    tile.head_size = width;
    tile.scale = config.scale;
    tile.rule = &rule;
    tile.head = head;
    if (const float* bias = metadata.dense_bias_at(row)) {
      tile.bias = bias + head * metadata.dense_bias_head_stride();
      tile.bias_stride = metadata.dense_bias->dim(2);
    }
    recompute_weights(tile, weights.data<float>() + head * operands.query_len * keys, keys);
  }
  return weights;
}

// The weights of every sequence.
std::vector<Tensor> all_weights(const OpCase& input, const AttentionBackend& backend,
                                const OpCache& cache, const Tensor& lse) {
  const Tensor query = convert(input.query, DType::kF32), key = convert(input.key, DType::kF32);
  WeightRule rule = layer_rule(backend, input.config);
  std::vector<Tensor> weights;
  int64_t encoder_row = 0;
  for (int64_t seq = 0; seq < input.metadata.num_seqs(); ++seq) {
    rule.rows_without_window = backend.rows_without_window(input.config, input.metadata, seq);
    weights.push_back(sequence_weights(
        input, rule, weight_operands(input, backend, cache, key, seq, encoder_row), query, lse));
    if (input.metadata.encoder_seq_lens)
      encoder_row += (*input.metadata.encoder_seq_lens)[static_cast<size_t>(seq)];
  }
  return weights;
}

struct ModelledTime {
  std::string device;
  double us = 0;
};
std::optional<ModelledTime> modelled_time(const OpCase& input, const AttentionBackend& backend) {
  const auto device = backend.device_model(padded_config(backend, input.config));
  if (!device) return std::nullopt;
  return ModelledTime{device->name(), 1e-3 * device->forward_ns(input.metadata, input.block_size)};
}

void write_trace(const std::string& file, Recorder& recorder) {
  recorder.drain();
  EngineSnapshot shot;
  shot.num_lanes = recorder.num_lanes();
  write_file_atomically(file, trace_json(shot, recorder.sorted(), recorder.messages()));
}

void write_result(const std::string& file, const OpCase& input, const AttentionBackend& backend,
                  const OpCache& cache, const Tensor& out, const Tensor& lse, bool with_weights) {
  std::vector<std::string> names = {"output", "lse"};
  std::vector<Tensor> owned;
  std::vector<const Tensor*> tensors = {&out, &lse};
  if (input.num_blocks > 0) {
    names.insert(names.end(), {"key_cache", "value_cache"});
    owned.push_back(cache.keys());
    owned.push_back(cache.values());
  }
  if (with_weights) {
    std::vector<Tensor> weights = all_weights(input, backend, cache, lse);
    for (size_t seq = 0; seq < weights.size(); ++seq) {
      names.push_back(fmt::format("weights.{}", seq));
      owned.push_back(std::move(weights[seq]));
    }
  }
  for (const Tensor& tensor : owned) tensors.push_back(&tensor);
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < names.size(); ++i) named.push_back({names[i], tensors[i]});
  std::map<std::string, std::string> notes = {
      {"program", fmt::format("Attention Workbench {}", ATTN_VERSION)},
      {"backend", std::string(backend.name())}};
  if (const auto time = modelled_time(input, backend))
    notes[modelled_time_name(time->device)] = format_double(time->us);
  write_safetensors(file, named, notes);
}

void print_summary(const std::string& file, const OpCase& input, const AttentionBackend& backend,
                   const AttentionState& state) {
  const AttentionMetadata& metadata = input.metadata;
  std::string cache = "no cache";
  if (input.num_blocks > 0)
    cache = fmt::format("cache {} of {} x {}", cache_dtype_name(input.config.kv_cache_dtype),
                        counted(input.num_blocks, "block", "blocks"),
                        counted(input.block_size, "token", "tokens"));
  std::string plan;
  if (metadata.use_captured_plan && state.is_captured())
    plan = fmt::format(
        ", captured plan of {}",
        counted(AttentionState::padded_batch(metadata.num_decode_tokens), "row", "rows"));
  print_out(
      "{} ran {} attention: query {} {}, {}, {} prefill and {} decode sequences, {}{}; "
      "result in {}\n",
      backend.display_name(), name_of(input.config.attn_type), name_of(input.query.dtype()),
      to_string(input.query.shape()), counted(input.config.num_kv_heads, "KV head", "KV heads"),
      metadata.num_prefills, metadata.num_decode_tokens, cache, plan, file);
  if (const auto time = modelled_time(input, backend))
    print_out("On a {}: {:.3f} us (modelled, not measured; bf16)\n", time->device, time->us);
}

// The state for one call. Captures a plan for the decodes if the file asks for it and the backend
// has captured plans.
std::unique_ptr<AttentionState> state_for(const OpCase& input, const AttentionBackend& backend,
                                          const Execution& execution) {
  auto state = backend.make_state();
  const AttentionMetadata& metadata = input.metadata;
  if (metadata.use_captured_plan && metadata.num_decode_tokens > 0 &&
      backend.capabilities().captured_plans) {
    CaptureSpec spec;
    spec.config = padded_config(backend, input.config);
    spec.dtype = input.query.dtype();
    spec.max_blocks_per_seq = std::max<int64_t>(1, metadata.max_blocks_per_seq);
    spec.block_size = input.block_size;
    spec.max_cross_blocks = metadata.max_cross_blocks();
    state->capture(metadata.num_decode_tokens, spec, execution);
  }
  state->begin_forward(metadata);
  return state;
}

// Returns the path of the result. Refuses to write the result or the trace over the input, or both
// to one file.
std::string checked_output(const Options& options) {
  const std::string in = options.required_text("--in"), out = options.required_text("--out");
  check_output_place("--out", out);
  refuse_same_file("--out", out, "--in", in);
  if (const auto trace = options.text("--trace")) {
    check_output_place("--trace", *trace);
    refuse_same_file("--trace", *trace, "--in", in);
    refuse_same_file("--trace", *trace, "--out", out);
  }
  return out;
}

std::vector<std::string> notes_before(const OpCase& input, const AttentionBackend& backend,
                                      const AttentionImpl& impl) {
  std::vector<std::string> notes = warnings_of(backend, input.config, impl);
  if (const int64_t padded = cache_head_size(backend, input.config);
      padded != input.config.head_size && input.num_blocks > 0)
    notes.push_back(padded_cache_sentence(input.config.head_size, padded));
  if (input.metadata.use_captured_plan && !backend.capabilities().captured_plans)
    notes.push_back(fmt::format("{} has no captured plans, so use_captured_plan has no effect.",
                                backend.display_name()));
  return notes;
}

// A note about NaN and infinite numbers of out [T, H, D]; nullopt: all are finite.
std::optional<std::string> not_finite_sentence(const Tensor& out) {
  const int64_t first = first_not_finite(out);
  if (first < 0) return std::nullopt;
  const int64_t width = out.dim(2), row = out.dim(1) * width;
  return fmt::format(
      "{} of the {} numbers of the output are NaN or infinite, the first one in row {}, head {}, "
      "element {}. Either the operands contain NaN or infinity, or a score, a sum or an output was "
      "too large for its type.",
      count_not_finite(out), out.size(), first / row, first % row / width, first % width);
}

std::vector<std::string> notes_after(const OpCase& input, const CacheRounding& rounding,
                                     const Tensor& out) {
  const DType dtype = input.config.kv_cache_dtype;
  std::vector<std::string> notes = vanished_sentences(rounding.keys(), rounding.values(), dtype);
  if (const int64_t saturated = rounding.saturated(); saturated > 0)
    notes.push_back(
        fmt::format("{} outside the range of the {} cache and became the nearest number in it.",
                    saturated == 1 ? "1 value was" : fmt::format("{} values were", saturated),
                    cache_dtype_name(dtype)));
  if (auto sentence = not_finite_sentence(out)) notes.push_back(*std::move(sentence));
  return notes;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_error("attn: note: {}\n", note);
}

}  // namespace

int command_op(const Words& words) {
  const Options options(op_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(op_spec()));
    return 0;
  }
  const std::string result_file = checked_output(options);
  OpCase input = load_op_case(options.required_text("--in"), options.text("--backend"));
  change_backend_options(options, input.config.backend_options);
  input.config.pad_head_size = input.config.pad_head_size || options.has("--pad-head-size");
  const AttentionBackend& backend = backend_named(input.backend);
  note_other_devices(options, backend);
  const auto dtypes = backend.capabilities().dtypes;
  if (std::ranges::find(dtypes, input.query.dtype()) == dtypes.end())
    throw Error::not_supported({fmt::format("{} does not compute in {}.", backend.display_name(),
                                            name_of(input.query.dtype()))});
  const std::unique_ptr<AttentionImpl> impl = backend.make_impl(input.config);
  if (auto reasons = batch_not_supported_reasons(backend, input.config, input.metadata);
      !reasons.empty())
    throw Error::not_supported(std::move(reasons));
  const std::vector<std::string> notes = notes_before(input, backend, *impl);
  print_notes(notes);

  OpCache cache(backend, input);
  Tensor out(input.query.dtype(), input.query.shape());
  Tensor lse(DType::kF32, {input.query.dim(0), input.query.dim(1)});
  ThreadPool pool(static_cast<int>(
      options.integer("--threads", ThreadPool::hardware_workers(), 1, kMostWorkers)));
  Recorder recorder(pool.num_workers());
  RunClock clock(ClockKind::kReal, recorder.num_lanes());
  Execution execution;
  execution.pool = &pool;
  if (options.has("--trace")) {
    execution.recorder = &recorder;
    execution.clock = &clock;
    for (const std::string& note : notes)
      emit_instant(execution, EventKind::kWarning, recorder.add_message(note));
  }
  AttentionInputs inputs;
  inputs.query = &input.query;
  inputs.key = input.key.empty() ? nullptr : &input.key;
  inputs.value = input.value.empty() ? nullptr : &input.value;
  inputs.kv_cache = cache.view();
  inputs.scales = input.scales;
  const std::unique_ptr<AttentionState> state = state_for(input, backend, execution);
  inputs.state = state.get();
  AttentionOutputs outputs;
  outputs.out = &out;
  outputs.lse = &lse;
  impl->forward(inputs, input.metadata, outputs, execution);
  write_result(result_file, input, backend, cache, out, lse, options.has("--weights"));
  if (const auto trace = options.text("--trace")) write_trace(*trace, recorder);
  print_notes(notes_after(input, state->cache_rounding(), out));
  print_summary(result_file, input, backend, *state);
  return 0;
}

}  // namespace attn::cli
