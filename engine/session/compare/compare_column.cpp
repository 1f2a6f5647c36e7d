// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/compare_column.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/attention/layer_warnings.h"
#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn {
namespace {

using Eigen::ArrayXd, Eigen::ArrayXf;
using ArrayXb = Eigen::ArrayX<bool>;

// The sequence to which a flat row belongs, and its position in it.
struct RowPlace {
  uint32_t request = 0;
  int64_t position = 0;
};

std::vector<RowPlace> rows_of(const AttentionMetadata& metadata) {
  std::vector<RowPlace> rows;
  rows.reserve(static_cast<size_t>(metadata.num_tokens()));
  for (int64_t s = 0; s < metadata.num_seqs(); ++s)
    for (int64_t i = 0; i < metadata.query_len(s); ++i)
      rows.push_back({metadata.request(s), metadata.context_lens[static_cast<size_t>(s)] + i});
  return rows;
}

double pairs_of(const TileEvent& tile) {
  return static_cast<double>(tile.q_count) * tile.heads * tile.k_count;
}

// Adds the differences of one row and head: of [D] outputs, or of one log-sum-exp (row.d = -1). A
// difference is infinite where a number is NaN, or where they differ and one is infinite.
void add(Difference& total, const ComparePlace& row, const ArrayXf& value, const ArrayXf& baseline,
         double row_scale, double tolerance_abs, double tolerance_rel) {
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const ArrayXb nan = value.isNaN() || baseline.isNaN();
  const ArrayXb same_bits =
      value.unaryExpr(bits) == baseline.unaryExpr(bits) || (value.isNaN() && baseline.isNaN());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const ArrayXd expected = baseline.cast<double>();
  const ArrayXd exact = (value.cast<double>() - expected).abs();
  const ArrayXd distance = (value == baseline).select(0, exact.isNaN().select(kInfinity, exact));
  const ArrayXd relative =
      (distance == kInfinity).select(kInfinity, (distance == 0).select(0, distance / row_scale));
  const ArrayXb close = distance <= tolerance_abs + tolerance_rel * expected.abs();
  total.compared += value.size();
  total.unequal += (!same_bits).count();
  total.outside += (nan || !(same_bits || close)).count();
  total.nan += nan.count();
  const auto keep_largest = [&](const ArrayXd& sizes, double& largest, ComparePlace& place) {
    Eigen::Index at = 0;
    const double size = sizes.maxCoeff(&at);
    if (!(size > largest)) return;
    largest = size;
    place = row;
    place.d += at;
    place.value = value[at];
    place.baseline = baseline[at];
  };
  keep_largest(distance, total.max_abs, total.abs_at);
  keep_largest(relative, total.max_rel, total.rel_at);
}

template <class T>
void widen(const T* from, std::span<float> to) {
  std::transform(from, from + to.size(), to.begin(), [](T x) { return to_f32(x); });
}

ArrayXf elements_of(const Tensor& tensor, int64_t first, int64_t count) {
  ArrayXf elements(count);
  copy_elements(tensor, first, {elements.data(), static_cast<size_t>(count)});
  return elements;
}

}  // namespace

void copy_elements(const Tensor& tensor, int64_t first, std::span<float> to) {
  switch (tensor.dtype()) {
    case DType::kBF16:
      return widen(tensor.data<BFloat16>() + first, to);
    case DType::kF16:
      return widen(tensor.data<Float16>() + first, to);
    default:
      return widen(tensor.data<float>() + first, to);
  }
}

std::string ComparedBackend::name() const {
  std::string text(backend->name());
  return option ? text + '/' + value : text;
}

std::string ComparedBackend::display_name() const {
  std::string text(backend->display_name());
  return option ? text + ' ' + value : text;
}

ComparedBackend compared_backend(std::string_view name) {
  const size_t cut = name.find('/');
  ComparedBackend compared{&backend_named(name.substr(0, cut)), std::nullopt, ""};
  if (cut == std::string_view::npos) return compared;
  compared.value = name.substr(cut + 1);
  std::vector<std::string> known;
  for (const BackendOption& option : compared.backend->options()) {
    if (std::ranges::find(option.values, compared.value) != option.values.end()) {
      compared.option = option;
      return compared;
    }
    known.insert(known.end(), option.values.begin(), option.values.end());
  }
  throw_bad_input(
      {fmt::format("{} has no option with this value", compared.backend->name()), "backends",
       fmt::format("`{}`", name),
       known.empty()
           ? std::string(compared.backend->name())
           : fmt::format("{0}, {0}/{1}", compared.backend->name(),
                         fmt::join(known, fmt::format(", {}/", compared.backend->name()))),
       ""});
}

std::vector<ComparedBackend> all_compared_backends() {
  std::vector<ComparedBackend> all;
  for (const AttentionBackend* backend : registered_backends()) all.push_back({backend, {}, ""});
  for (const AttentionBackend* backend : registered_backends())
    for (const BackendOption& option : backend->options())
      if (option.about == BackendOption::About::kKernel)
        for (const std::string& value : option.values) all.push_back({backend, option, value});
  return all;
}

ColumnRun::ColumnRun(ComparedBackend compared, const LayerConfigs& configs, CompareColumn column)
    : compared_(std::move(compared)),
      backend_(*compared_.backend),
      configs_(configs),
      column_(std::move(column)) {
  if (compared_.option)
    for (AttentionConfig& config : configs_.distinct)
      choose(config.backend_options, *compared_.option, compared_.value);
  column_.name = compared_.name();
  column_.display_name = compared_.display_name();
  column_.refusals = not_supported_reasons(backend_, configs_);
  column_.rules = layer_rules(backend_, configs_);
}

void ColumnRun::prepare(const KvStorageSpec& spec, bool own_cache, ClockKind clock, int workers) {
  const int64_t before = AlignedBuffer::bytes_alive();
  for (const AttentionConfig& config : configs_.distinct) {
    const Group& group = groups_.emplace_back(
        Group{.impl = backend_.make_impl(config),
              .state = backend_.make_state(),
              .device = backend_.device_model(padded_config(backend_, config))});
    add_new(warnings_of(backend_, config, *group.impl), column_.warnings);
    if (group.device) column_.modelled_device = group.device->name();
  }
  column_.workspace_bytes = AlignedBuffer::bytes_alive() - before;
  if (own_cache) cache_ = std::make_unique<KvStorage>(backend_, spec);
  column_.cache_bytes = element_count(backend_.kv_cache_shape(spec.num_blocks, spec.block_size,
                                                              spec.num_kv_heads, spec.head_size)) *
                        static_cast<int64_t>(size_of(spec.dtype)) * spec.num_layers;
  clock_.emplace(clock, 1 + workers);
  recorder_ = std::make_unique<Recorder>(workers, 1u << 14);
}

void ColumnRun::check_batch(const CompareCall& call) {
  if (!active()) return;
  column_.refusals = batch_not_supported_reasons(backend_, configs_.of(call.layer), *call.metadata);
  if (!column_.refusals.empty()) column_.refused_at = call.step;
}

KvCacheView ColumnRun::cache_of(const CompareCall& call) const {
  return cache_ && !call.inputs->kv_cache.empty() ? cache_->layer(call.layer)
                                                  : call.inputs->kv_cache;
}

void ColumnRun::read_keys(const CompareCall& call, std::span<const int64_t> slots,
                          float* keys) const {
  const KvCacheView cache = cache_of(call);
  const auto rows = static_cast<int64_t>(slots.size());
  const int64_t width = call.inputs->query->dim(2);
  if (cache.head_size == width) return backend_.read_keys(cache, slots, keys);
  Tensor stored(DType::kF32, {rows, cache.num_kv_heads, cache.head_size});
  Tensor cropped(DType::kF32, {rows, cache.num_kv_heads, width});
  backend_.read_keys(cache, slots, stored.data<float>());
  copy_heads(stored, cropped);  // without the padding of heads
  std::ranges::copy(cropped.span<float>(), keys);
}

bool ColumnRun::forward(const CompareCall& call, const AttentionOutputs* outputs) {
  Group& group = groups_[configs_.index[static_cast<size_t>(call.layer)]];
  AttentionInputs inputs = *call.inputs;
  inputs.kv_cache = cache_of(call);
  inputs.state = group.state.get();
  if (group.state && group.state_step != call.step) group.state->begin_forward(*call.metadata);
  group.state_step = call.step;
  const Tensor& query = *inputs.query;
  AttentionOutputs own;
  if (!outputs) {
    const Shape rows{query.dim(0), query.dim(1)};
    if (own_out_.shape() != query.shape() || own_out_.dtype() != query.dtype())
      own_out_ = Tensor(query.dtype(), query.shape());
    if (own_lse_.shape() != rows) own_lse_ = Tensor(DType::kF32, rows);
    own.out = &own_out_;
    own.lse = &own_lse_;
    outputs = &own;
  }
  out_ = outputs->out;
  lse_ = outputs->lse;

  Execution execution = *call.execution;
  execution.recorder = recorder_.get();
  execution.clock = &*clock_;
  execution.rows = nullptr;
  execution.row_states = nullptr;
  execution.query_tile_rows = 0;
  const int64_t before = AlignedBuffer::bytes_alive();
  clock_->join_lanes();
  const uint64_t begin = clock_->now_ns(kEngineLane);
  const bool done = group.impl->forward(inputs, *call.metadata, *outputs, execution);
  clock_->join_lanes();
  if (!done) return false;
  column_.total.ns += clock_->now_ns(kEngineLane) - begin;
  column_.workspace_bytes += AlignedBuffer::bytes_alive() - before;
  ++column_.calls;
  take_events(call);
  model_device(call);
  return true;
}

// Adds the call's time on the modelled device. Call it after the call's own time was taken.
void ColumnRun::model_device(const CompareCall& call) {
  const auto& device = groups_[configs_.index[static_cast<size_t>(call.layer)]].device;
  if (device)
    column_.modelled_device_ns += device->forward_ns(*call.metadata, cache_of(call).block_size);
}

void ColumnRun::take_events(const CompareCall& call) {
  recorder_->drain();
  events_.clear();
  recorder_->read(0, events_);
  recorder_->clear();
  for (const TraceEvent& event : events_) {
    switch (event.kind) {
      case EventKind::kKernel: {
        const auto kernel = static_cast<KernelId>(event.a);
        auto at = std::find_if(column_.kernels.begin(), column_.kernels.end(),
                               [kernel](const KernelCost& cost) { return cost.kernel == kernel; });
        if (at == column_.kernels.end()) at = column_.kernels.insert(at, KernelCost{kernel, 0, {}});
        ++at->calls;
        at->time.ns += event.duration_ns;
        break;
      }
      case EventKind::kTile:
        ++column_.tiles;
        column_.pairs += pairs_of(unpack_tile(event));
        break;
      case EventKind::kPageFetch:
        ++column_.page_fetches;
        column_.pages += event.c;
        break;
      case EventKind::kCallSplit:
        ++column_.splits;
        break;
      case EventKind::kPadding:
        if (padding_layer_ < 0) padding_layer_ = call.layer;
        if (call.layer == padding_layer_) column_.padding_rows += event.c;
        break;
      default:
        break;
    }
  }
}

void compare_rows(const CompareCall& call, const Tensor& out, const Tensor& lse,
                  const Tensor& baseline_out, const Tensor& baseline_lse, double tolerance_abs,
                  double tolerance_rel, CompareColumn& column) {
  const std::vector<RowPlace> rows = rows_of(*call.metadata);
  const int64_t heads = out.dim(1), width = out.dim(2);
  for (size_t row = 0; row < rows.size(); ++row) {
    for (int64_t head = 0; head < heads; ++head) {
      ComparePlace place{.step = call.step,
                         .request = rows[row].request,
                         .layer = call.layer,
                         .head = head,
                         .query = rows[row].position};
      const int64_t at = static_cast<int64_t>(row) * heads + head;
      const ArrayXf found_lse = elements_of(lse, at, 1),
                    expected_lse = elements_of(baseline_lse, at, 1);
      // A difference of logarithms already is a relative difference of the sums.
      add(column.lse, place, found_lse, expected_lse,
          std::max(1.0, std::abs(double{expected_lse[0]})), 1e-5, 0);
      const ArrayXf expected = elements_of(baseline_out, at * width, width);
      place.d = 0;
      add(column.out, place, elements_of(out, at * width, width), expected,
          expected.isFinite().select(expected.abs(), 0).maxCoeff(), tolerance_abs, tolerance_rel);
    }
  }
}

}  // namespace attn
