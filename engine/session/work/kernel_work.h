// SPDX-License-Identifier: GPL-3.0-or-later
// KernelWork: the operations and the bytes of each call of an attention kernel, counted from the
// recorded tiles. Both count what the result needs, not other work of a kernel. One thread.
//
//   operations   4 x pairs x head size: a multiply and an add in Q K^T and in P V for each visible
//                (query, key) pair. Masked pairs, padding, softmax and biases do not count.
//   bytes        each query and each output once, and for each KV head the keys and values from the
//                first to the last that the call sees, in the type in which the kernel reads them.
//
// Each part of torch_sdpa's kernel math counts its own operations and bytes, with those of the f32
// scores. Kernels without tiles have no numbers here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/session/run/layer_configs.h"
#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"

namespace attn {

struct KernelCall {
  KernelId kernel = {};
  uint8_t layer = kNoLayer;
  uint32_t step = 0;
  uint64_t begin_ns = 0, duration_ns = 0;
  size_t event = 0;  // index of its span
  double operations = 0, bytes = 0;
};

// Calls added up.
struct WorkSum {
  int64_t calls = 0;
  double operations = 0, bytes = 0, ns = 0;
  size_t longest = 0;                                      // index into calls()
  double intensity() const { return operations / bytes; }  // operations per byte
  double gops() const { return operations / ns; }          // 1e9 operations per second
};
struct KernelSum {
  KernelId kernel = {};
  uint32_t step = 0;  // only in by_step()
  WorkSum sum = {};
};

class KernelWork {
 public:
  // Forgets everything; for another run.
  void clear() { *this = KernelWork(); }
  // Takes at most `most` further events. events: all events of the run so far, in order of
  // recording. Returns true once it has taken all.
  bool take(const EngineSnapshot& run, const std::vector<TraceEvent>& events, size_t most);
  size_t taken() const { return taken_; }  // events
  // Tiles that belong to no call yet.
  size_t waiting() const { return waiting_.size(); }

  // Calls of kernels with tiles, in the order in which they ran.
  const std::vector<KernelCall>& calls() const { return calls_; }
  // A sum per kernel over the steps up to `last_step`, in order of first use. Calls without
  // operations are left out.
  std::vector<KernelSum> by_kernel(uint32_t last_step) const;
  // A sum per step and kernel.
  std::vector<KernelSum> by_step(uint32_t last_step) const;

 private:
  // What a call reads of one sequence: rows and keys, [begin, end).
  struct Reads {
    uint32_t request = 0;
    int64_t q_begin = 0, q_end = 0, k_begin = 0, k_end = 0;
    double bytes = 0;  // part of the call's bytes
  };

  bool prepare(const EngineSnapshot& run);
  void take_call(const EngineSnapshot& run, const TraceEvent& event, size_t index);
  std::optional<size_t> call_of(const TraceEvent& tile) const;
  void add(const EngineSnapshot& run, const TraceEvent& event, size_t call);
  double count_bytes(const KernelCall& call, const Reads& reads) const;

  size_t taken_ = 0;
  std::optional<LayerConfigs> configs_;
  const AttentionBackend* backend_ = nullptr;
  std::vector<KernelCall> calls_;
  std::vector<std::vector<Reads>> reads_;  // [calls]
  std::vector<TraceEvent> waiting_;
};

}  // namespace attn
