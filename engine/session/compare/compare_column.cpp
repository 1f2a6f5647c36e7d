// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/compare_column.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/attention/pad_heads.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn {
namespace {

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

bool same_bits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

// Infinity where only one is finite, or they are different infinities.
double difference(float value, float baseline) {
  if (value == baseline) return 0;
  if (!std::isfinite(value) || !std::isfinite(baseline))
    return std::numeric_limits<double>::infinity();
  return std::abs(static_cast<double>(value) - static_cast<double>(baseline));
}

void add(Difference& total, const ComparePlace& place, double row_scale, double tolerance_abs,
         double tolerance_rel) {
  ++total.compared;
  if (std::isnan(place.value) || std::isnan(place.baseline)) {
    ++total.nan;
    ++total.outside;
    if (!same_bits(place.value, place.baseline)) ++total.unequal;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (total.max_abs < kInfinity) total.abs_at = place;
    if (total.max_rel < kInfinity) total.rel_at = place;
    total.max_abs = total.max_rel = kInfinity;
    return;
  }
  if (same_bits(place.value, place.baseline)) return;
  ++total.unequal;
  const double distance = difference(place.value, place.baseline);
  if (!(distance <= tolerance_abs + tolerance_rel * std::abs(static_cast<double>(place.baseline))))
    ++total.outside;
  if (distance > total.max_abs) {
    total.max_abs = distance;
    total.abs_at = place;
  }
  const double relative = row_scale > 0
                              ? distance / row_scale
                              : (distance > 0 ? std::numeric_limits<double>::infinity() : 0);
  if (relative > total.max_rel) {
    total.max_rel = relative;
    total.rel_at = place;
  }
}

}  // namespace

float element_of(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case DType::kBF16:
      return to_f32(tensor.data<BFloat16>()[i]);
    case DType::kF16:
      return to_f32(tensor.data<Float16>()[i]);
    default:
      return tensor.data<float>()[i];
  }
}

ColumnRun::ColumnRun(const AttentionBackend& backend, const LayerConfigs& configs,
                     CompareColumn column)
    : backend_(backend), configs_(configs), column_(std::move(column)) {
  column_.name = backend.name();
  column_.display_name = backend.display_name();
  column_.refusals = not_supported_reasons(backend, configs);
  column_.rules = layer_rules(backend, configs);
}

void ColumnRun::prepare(const KvStorageSpec& spec, bool own_cache, ClockKind clock, int workers) {
  const int64_t before = AlignedBuffer::bytes_alive();
  for (const AttentionConfig& config : configs_.distinct) {
    const Group& group = groups_.emplace_back(
        Group{.impl = backend_.make_impl(config),
              .state = backend_.make_state(),
              .device = backend_.device_model(padded_config(backend_, config))});
    add_new(group.impl->warnings(), column_.warnings);
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
  return cache_ ? cache_->layer(call.layer) : call.inputs->kv_cache;
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
  column_.total_ns += clock_->now_ns(kEngineLane) - begin;
  column_.workspace_bytes += AlignedBuffer::bytes_alive() - before;
  ++column_.calls;
  take_events(call);
  model_device(call);
  return true;
}

// After the call's own time is taken.
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
        if (at == column_.kernels.end()) at = column_.kernels.insert(at, KernelCost{kernel, 0, 0});
        ++at->calls;
        at->ns += event.duration_ns;
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
      double scale = 0;
      for (int64_t d = 0; d < width; ++d) {
        const double size = std::abs(element_of(baseline_out, at * width + d));
        if (std::isfinite(size)) scale = std::max(scale, size);
      }
      for (int64_t d = 0; d < width; ++d) {
        place.d = d;
        place.value = element_of(out, at * width + d);
        place.baseline = element_of(baseline_out, at * width + d);
        add(column.out, place, scale, tolerance_abs, tolerance_rel);
      }
      place.d = -1;
      place.value = lse.data<float>()[at];
      place.baseline = baseline_lse.data<float>()[at];
      // A difference of logarithms already is a relative difference of the sums.
      add(column.lse, place, std::max(1.0, std::abs(static_cast<double>(place.baseline))), 1e-5, 0);
    }
  }
}

}  // namespace attn
