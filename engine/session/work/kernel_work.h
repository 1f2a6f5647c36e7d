// SPDX-License-Identifier: GPL-3.0-or-later
// KernelWork: the operations and the bytes of each call of an attention kernel in a run, counted
// from the tiles that it recorded. What is counted is what the answer needs, whatever a kernel does
// beside it, so that two kernels with the same work have the same numbers:
//
//   operations   a multiply and an add for each visible (query, key) pair and element of a head, in
//                Q K^T and again in P V: 4 x pairs x head size. Masked pairs of a tile, padding
//                rows, the softmax and biases do not count.
//   bytes        each query and each output once, and once per KV head each key and value that a
//                row of the call sees, in the type in which the kernel reads them. So it is the
//                least that has to be moved; a kernel that reads a key again finds it in a cache.
//
// torch_sdpa's kernel math computes in three parts, which each have their own operations, and the
// scores between them are written and read as f32. Kernels without tiles have no numbers here.
// Exceptions are said at count_bytes(). One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/session/run/layer_configs.h"
#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"

namespace attn {

struct KernelCall {
  KernelId kernel = KernelId::kFlashPrefill;
  uint8_t layer = kNoLayer;
  uint32_t step = 0;
  uint64_t begin_ns = 0, duration_ns = 0;
  size_t event = 0;  // index of its span among the events
  double operations = 0, bytes = 0;
};

// Calls added up.
struct WorkSum {
  int64_t calls = 0;
  double operations = 0, bytes = 0, ns = 0;
  size_t longest = 0;  // index into calls() of the call that took longest
  double intensity() const { return operations / bytes; }  // operations per byte
  double gops() const { return operations / ns; }          // 1e9 operations per second
};
struct KernelSum {
  KernelId kernel = KernelId::kFlashPrefill;
  uint32_t step = 0;  // of sums of one step
  WorkSum sum = {};
};

class KernelWork {
 public:
  // Forgets everything; for another run.
  void clear() { *this = KernelWork(); }
  // Takes events from the first one that it has not seen, at most `most`. events: all events of the
  // run so far, in order of recording. True: it has taken all.
  bool take(const EngineSnapshot& run, const std::vector<TraceEvent>& events, size_t most);
  size_t taken() const { return taken_; }  // events
  // Tiles whose kernel has not ended yet.
  size_t waiting() const { return waiting_.size(); }

  // Calls of kernels with tiles, in the order in which they ran.
  const std::vector<KernelCall>& calls() const { return calls_; }
  // A sum for each kernel that has operations, in order of first use, of the steps up to
  // `last_step`.
  std::vector<KernelSum> by_kernel(uint32_t last_step) const;
  // The same for each step.
  std::vector<KernelSum> by_step(uint32_t last_step) const;

 private:
  // What a call reads of one sequence: rows and keys from the first to before the end.
  struct Reads {
    uint32_t request = 0;
    int64_t q_begin = 0, q_end = 0, k_begin = 0, k_end = 0;
    double bytes = 0;  // already added to the call's bytes
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
