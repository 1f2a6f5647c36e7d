// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/probe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

namespace attn {
namespace {

// Kernels report maxima in units of ln 2.
constexpr double kLn2 = 0.693147180559945309;
// The machine that the virtual clock models: the speed of one thread, and the fixed time that every
// piece of work takes.
constexpr double kFlopsPerNs = 32.0, kBytesPerNs = 8.0, kFixedNs = 200.0;

uint64_t clamp_ns(uint64_t duration) {
  return std::min(duration, kMaxDurationNs);
}

uint32_t clamp_u32(int64_t value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, std::numeric_limits<uint32_t>::max()));
}

template <class Wait>
auto leave_out_wait(const Execution& execution, int lane, Wait&& wait) {
  const auto begin = std::chrono::steady_clock::now();
  const auto go_on = wait();
  if (execution.clock && !execution.clock->is_virtual())
    execution.clock->leave_out(
        lane, static_cast<uint64_t>(
                  std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count()));
  return go_on;
}

void record_ended(const Execution& execution, uint8_t lane, uint64_t begin_ns, TraceEvent event) {
  const uint64_t end_ns = execution.clock->now_ns(lane);
  execution.clock->mark(lane, end_ns);
  event.begin_ns = begin_ns;
  event.duration_ns = clamp_ns(end_ns - begin_ns);
  event.lane = lane;
  event.layer = execution.layer;
  execution.recorder->push(event);
}

void record_task(const Execution& execution, uint8_t lane, uint64_t begin_ns, KernelId kernel,
                 int64_t task, int64_t tokens) {
  TraceEvent event;
  event.kind = EventKind::kTask;
  event.a = static_cast<uint32_t>(kernel);
  event.b = execution.step;
  event.c = clamp_u32(task);
  event.d = clamp_u32(tokens);
  record_ended(execution, lane, begin_ns, event);
}

}  // namespace

bool pass_gate(const Execution& execution, Granularity unit, int lane) {
  RunGate& gate = *execution.gate;
  if (gate.open()) [[likely]]
    return true;
  return leave_out_wait(execution, lane, [&] { return gate.checkpoint(unit); });
}

RunGate::Passed pass_gate_or_interrupt(const Execution& execution, Granularity unit, int lane) {
  return leave_out_wait(execution, lane,
                        [&] { return execution.gate->checkpoint_or_interrupt(unit); });
}

uint64_t modelled_ns(double flops, double bytes) {
  return static_cast<uint64_t>(kFixedNs + std::max(flops / kFlopsPerNs, bytes / kBytesPerNs));
}

void TraceProbe::tile_end(const TileEvent& tile, int64_t head_size) {
  // q.k and p.v: two multiply-adds per (query, key, element); keys and values are read once.
  const double pairs = static_cast<double>(tile.q_count) * tile.heads * tile.k_count;
  const double width = static_cast<double>(head_size);
  execution_.clock->spend(lane_, modelled_ns(4.0 * pairs * width, 8.0 * tile.k_count * width));
  TraceEvent event;
  pack(tile, event);
  record_ended(execution_, lane_, begin_ns_, event);
}

void TraceProbe::fetch_end(const PageFetch& fetch) {
  execution_.clock->spend(lane_, modelled_ns(0, static_cast<double>(fetch.bytes)));
  TraceEvent event;
  event.kind = EventKind::kPageFetch;
  event.a = fetch.request | static_cast<uint32_t>(fetch.kernel) << 24;
  event.b = fetch.first_page;
  event.c = fetch.pages;
  event.d = fetch.kv_head;
  record_ended(execution_, lane_, fetch_begin_ns_, event);
}

void TraceProbe::task_end(KernelId kernel, int64_t task, int64_t tokens, double bytes) {
  execution_.clock->spend(lane_, modelled_ns(0, bytes));
  record_task(execution_, lane_, task_begin_ns_, kernel, task, tokens);
}

void TraceProbe::report_rows(const TileEvent& tile, int64_t first, int64_t rows, const float* max,
                             const float* sum, int64_t stride, bool begins) {
  RowStateEvent event;
  event.request = tile.request;
  event.k_begin = tile.k_begin;
  event.k_count = tile.k_count;
  event.layer = execution_.layer;
  event.head = static_cast<uint8_t>(tile.head);
  event.lane = lane_;
  event.kernel = tile.kernel;
  event.begins = begins;
  for (int64_t row = 0; row < rows; ++row) {
    event.query = tile.q_begin + static_cast<uint32_t>(first + row);
    event.max = static_cast<float>(static_cast<double>(max[row * stride]) * kLn2);
    event.sum = sum[row * stride];
    execution_.row_states->row_state(event);
  }
}

KernelSpan::KernelSpan(const Execution& execution, KernelId kernel, int64_t tasks, int64_t tokens)
    : execution_(execution) {
  if (execution.gate && !pass_gate(execution, Granularity::kKernel, kEngineLane)) cancelled_ = true;
  if (!execution.recorder) return;
  execution.clock->join_lanes();
  event_.begin_ns = execution.clock->now_ns(kEngineLane);
  event_.kind = EventKind::kKernel;
  event_.lane = kEngineLane;
  event_.layer = execution.layer;
  event_.a = static_cast<uint32_t>(kernel);
  event_.b = execution.step;
  event_.c = clamp_u32(tasks);
  event_.d = clamp_u32(tokens);
}

KernelSpan::~KernelSpan() {
  if (!execution_.recorder || cancelled_) return;
  execution_.clock->end_kernel(event_.begin_ns);
  event_.duration_ns = clamp_ns(execution_.clock->now_ns(kEngineLane) - event_.begin_ns);
  execution_.recorder->push(event_);
}

bool traced_parallel_for_impl(const Execution& execution, KernelId kernel, int64_t tasks,
                              int64_t tokens, double flops_per_task, double bytes_per_task,
                              void (*fn)(void*, int64_t, int), void* context) {
  KernelSpan span(execution, kernel, tasks, tokens);
  if (span.cancelled()) return false;
  std::atomic<bool> stopped{false};
  const uint64_t work_ns =
      static_cast<uint64_t>(tasks) * modelled_ns(flops_per_task, bytes_per_task);
  execution.pool->parallel_for(tasks, execution.order(), work_ns, [&](int64_t task, int worker) {
    const uint8_t lane = lane_of_worker(worker);
    if (execution.gate && execution.gate->state() >= RunGate::State::kPaused &&
        !leave_out_wait(execution, lane, [&] { return execution.gate->wait_while_paused(); })) {
      stopped.store(true, std::memory_order_relaxed);
      return;
    }
    if (!execution.recorder) {
      fn(context, task, worker);
      return;
    }
    const uint64_t begin_ns = execution.clock->now_ns(lane);
    fn(context, task, worker);
    execution.clock->spend(lane, modelled_ns(flops_per_task, bytes_per_task));
    record_task(execution, lane, begin_ns, kernel, task, tokens);
  });
  return !stopped.load(std::memory_order_relaxed);
}

void emit_instant(const Execution& execution, EventKind kind, uint32_t a, uint32_t b, uint32_t c,
                  uint32_t d) {
  if (!execution.recorder) return;
  TraceEvent event;
  event.begin_ns = execution.clock->now_ns(kEngineLane);
  event.kind = kind;
  event.lane = kEngineLane;
  event.layer = execution.layer;
  event.a = a;
  event.b = b;
  event.c = c;
  event.d = d;
  execution.recorder->push(event);
}

}  // namespace attn
