// SPDX-License-Identifier: GPL-3.0-or-later
// Probes: how a kernel is observed. Kernels with tiles are templates over one of three:
//   NullProbe   empty
//   TraceProbe  records one event per tile, per page fetch and per task inside the kernel, and
//               reports finished rows and watched softmax states
//   StepProbe   the same, and waits at the gate before each tile (pause, pace, step, cancel)
// A probe is used by one worker. Also here: Execution with its sinks, passing the gate, spans of
// kernels and of their tasks, and instants.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/core/thread_pool.h"
#include "engine/trace/clock.h"
#include "engine/trace/event.h"
#include "engine/trace/recorder.h"
#include "engine/trace/run_gate.h"

namespace attn {

// Receives finished query rows, whose log-sum-exp is in memory.
class RowsSink {
 public:
  virtual ~RowsSink() = default;
  // Rows q_begin .. q_begin + count - 1 (absolute positions) of `request` and `head` are finished.
  // lse: [count] f32, lse_stride elements apart.
  virtual void rows_done(uint32_t request, int layer, int head, int64_t q_begin, int64_t count,
                         const float* lse, int64_t lse_stride) = 0;
};

// The running softmax of one query row as the kernel holds it after one tile of keys:
//   max = largest score so far, sum = sum of exp(score - max) so far.
// `begins`: the state starts with this tile, because it is the first one, or the first of a part
// that is merged later.
struct RowStateEvent {
  uint32_t request = 0;
  uint32_t query = 0;    // absolute position of the row
  uint32_t k_begin = 0;  // the tile's first key
  uint32_t k_count = 0;
  float max = 0, sum = 0;
  uint8_t layer = kNoLayer, head = 0, lane = 0;
  KernelId kernel = {};
  bool begins = false;
};
static_assert(sizeof(RowStateEvent) == 32 && std::is_trivially_copyable_v<RowStateEvent>);

// Receives the softmax state of watched rows, tile by tile. Workers call it while they compute.
class RowStateSink {
 public:
  virtual ~RowStateSink() = default;
  virtual bool watches(uint32_t request, int layer, uint32_t head) const = 0;
  virtual void row_state(const RowStateEvent& event) = 0;
};

// What a kernel gets from its surroundings.
struct Execution {
  ThreadPool* pool = nullptr;  // required
  // Null: no trace. Then `rows` and `row_states` are told nothing, and tiles do not wait at the
  // gate.
  Recorder* recorder = nullptr;
  RunClock* clock = nullptr;           // required with a recorder
  RunGate* gate = nullptr;             // null: never waits
  RowsSink* rows = nullptr;            // null: finished rows are not reported
  RowStateSink* row_states = nullptr;  // null: running maxima and sums are not reported
  uint32_t step = 0;
  uint8_t layer = kNoLayer;
  // Most rows of a query tile of a prefill kernel, above 0; 0: the kernel chooses.
  int64_t query_tile_rows = 0;

  TaskOrder order() const {
    return clock && clock->is_virtual() ? TaskOrder::kStatic : TaskOrder::kDynamic;
  }
};

// Passes the gate on behalf of `lane`. The time that it waits does not count on the real clock.
// False: cancelled.
bool pass_gate(const Execution& execution, Granularity unit, int lane);
// As pass_gate(), but the wait of a paused run also ends when a command needs the engine thread
// (RunGate::interrupt).
RunGate::Passed pass_gate_or_interrupt(const Execution& execution, Granularity unit, int lane);

struct NullProbe {
  NullProbe(const Execution&, int /*worker*/) {}
  static bool tile_begin() { return true; }
  static void row_states(const TileEvent&, int64_t, int64_t, const float*, const float*, int64_t,
                         bool) {}
  static void tile_end(const TileEvent&, int64_t /*head_size*/) {}
  static void fetch_begin() {}
  static void fetch_end(const PageFetch&) {}
  static void task_begin() {}
  static void task_end(KernelId, int64_t /*task*/, int64_t /*tokens*/, double /*bytes*/) {}
  static void rows_done(const TileEvent&, const float*, int64_t) {}
  static uint64_t now_ns() { return 0; }
  static void wait_until(uint64_t /*ns*/) {}
};

class TraceProbe {
 public:
  TraceProbe(const Execution& execution, int worker)
      : execution_(execution), lane_(lane_of_worker(worker)) {}

  // Call it before each tile. False (StepProbe only): the run was cancelled, leave the loop.
  bool tile_begin() {
    begin_ns_ = execution_.clock->now_ns(lane_);
    return true;
  }
  // Reports, if watched, the running maxima and sums of rows [first, first + rows) of the tile's
  // q_count rows, with the tile merged in. max, sum: one value per row, `stride` floats apart;
  // maxima in units of ln 2. Call it before tile_end(), for one head at a time. begins: see
  // RowStateEvent.
  void row_states(const TileEvent& tile, int64_t first, int64_t rows, const float* max,
                  const float* sum, int64_t stride, bool begins) {
    const RowStateSink* sink = execution_.row_states;
    if (sink && sink->watches(tile.request, execution_.layer, tile.head)) [[unlikely]]
      report_rows(tile, first, rows, max, sum, stride, begins);
  }
  // Call it after a tile: records its kTile event. head_size is for the modelled cost on the
  // virtual clock.
  void tile_end(const TileEvent& tile, int64_t head_size);
  // Call fetch_begin() before and fetch_end() after pages are copied into a kernel's own buffer:
  // records a kPageFetch event.
  void fetch_begin() { fetch_begin_ns_ = execution_.clock->now_ns(lane_); }
  void fetch_end(const PageFetch& fetch);
  // Call task_begin() before and task_end() after a task of another kernel inside this one: records
  // a kTask event. `bytes` gives its cost on the virtual clock.
  void task_begin() { task_begin_ns_ = execution_.clock->now_ns(lane_); }
  void task_end(KernelId kernel, int64_t task, int64_t tokens, double bytes);
  // The tile's q_count rows from tile.q_begin on, of tile.head, have their final log-sum-exp.
  void rows_done(const TileEvent& tile, const float* lse, int64_t lse_stride) {
    if (execution_.rows)
      execution_.rows->rows_done(tile.request, execution_.layer, static_cast<int>(tile.head),
                                 tile.q_begin, tile.q_count, lse, lse_stride);
  }
  // now_ns(): the time of this worker's lane. wait_until(): the lane waited for work of another
  // worker that ended at `ns`.
  uint64_t now_ns() const { return execution_.clock->now_ns(lane_); }
  void wait_until(uint64_t ns) { execution_.clock->wait_until(lane_, ns); }

 protected:
  void report_rows(const TileEvent& tile, int64_t first, int64_t rows, const float* max,
                   const float* sum, int64_t stride, bool begins);

  const Execution& execution_;
  uint8_t lane_;
  uint64_t begin_ns_ = 0;
  uint64_t fetch_begin_ns_ = 0, task_begin_ns_ = 0;
};

class StepProbe : public TraceProbe {
 public:
  using TraceProbe::TraceProbe;
  bool tile_begin() {
    if (!pass_gate(execution_, Granularity::kTile, lane_)) return false;
    return TraceProbe::tile_begin();
  }
};

// Calls fn.template operator()<Probe>() with the probe that `execution` asks for.
template <class Fn>
decltype(auto) with_probe(const Execution& execution, Fn&& fn) {
  if (execution.recorder && execution.gate) return fn.template operator()<StepProbe>();
  if (execution.recorder) return fn.template operator()<TraceProbe>();
  return fn.template operator()<NullProbe>();
}

// Waits at the gate (kKernel), then records a kKernel span on the engine lane that lasts until
// destruction (see RunClock::end_kernel()), with the lanes of the clock joined at both ends. No
// span if cancelled or without a recorder. Engine thread.
class KernelSpan {
 public:
  KernelSpan(const Execution& execution, KernelId kernel, int64_t tasks, int64_t tokens);
  ~KernelSpan();
  KernelSpan(const KernelSpan&) = delete;
  KernelSpan& operator=(const KernelSpan&) = delete;
  bool cancelled() const { return cancelled_; }

 private:
  const Execution& execution_;
  TraceEvent event_;
  bool cancelled_ = false;
};

// Runs fn(task, worker) on the pool as kernel `kernel`. A recorder gets a kTask span per task.
// flops_per_task and bytes_per_task give the modelled time. Returns false if a cancellation left
// out tasks. For kernels without tiles.
bool traced_parallel_for_impl(const Execution&, KernelId, int64_t tasks, int64_t tokens,
                              double flops_per_task, double bytes_per_task,
                              void (*fn)(void*, int64_t, int), void* context);
template <class Fn>
bool traced_parallel_for(const Execution& execution, KernelId kernel, int64_t tasks, int64_t tokens,
                         double flops_per_task, double bytes_per_task, Fn&& fn) {
  using Callable = std::remove_reference_t<Fn>;
  return traced_parallel_for_impl(
      execution, kernel, tasks, tokens, flops_per_task, bytes_per_task,
      [](void* f, int64_t task, int worker) { (*static_cast<Callable*>(f))(task, worker); },
      const_cast<void*>(static_cast<const void*>(&fn)));
}

// Modelled time of a unit of work: the longer of flops at 32 per ns and bytes at 8 per ns, plus
// 200 ns.
uint64_t modelled_ns(double flops, double bytes);

// Records an instant on the engine lane, unless there is no recorder. Engine thread.
void emit_instant(const Execution& execution, EventKind kind, uint32_t a, uint32_t b = 0,
                  uint32_t c = 0, uint32_t d = 0);

}  // namespace attn
