// SPDX-License-Identifier: GPL-3.0-or-later
// Modelled TPU time of the pallas kernels. Nothing here is measured. Per grid step
//   modelled = max(compute, memory),  compute = flops / core's rate,  memory = bytes / core's share
// from the published figures of the chip; the copy of one step is taken to be hidden behind the
// computing of another. The steps of a core add up, a call takes as long as its slower core, and
// calls follow each other. Left out: grid overhead, the start of a call, copies that nothing hides.
// Show it under the name "modelled" only. Published figures: Google Cloud, "TPU system
// architecture" (v4: 275 TFLOP/s bf16, 1228 GB/s, two cores; v5e: 197, 819, one; v5p: 459, 2765,
// two; v6e: 918, 1640, one). No state; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backends/pallas/pallas_grid.h"
#include "engine/attention/backend.h"
#include "engine/trace/event.h"

namespace attn::backends::pallas {

struct TpuChip {
  TpuVersion version = TpuVersion::kV4;
  double flops_per_s = 0;  // bf16, whole chip
  double bytes_per_s = 0;  // memory bandwidth of the whole chip
  int cores = 1;           // the cores share both figures
};
std::span<const TpuChip> tpu_chips();
// Throws Error(kNotSupported) for a version that is not in the table; the kernels need 4 or later.
const TpuChip& tpu_chip(TpuVersion version);

// Bytes of an element of q, k, v and the output on a TPU: bf16.
inline constexpr int64_t kModelledElementBytes = 2;

struct TpuLayer {
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  int64_t element_bytes = kModelledElementBytes;
};

struct TpuStep {
  int core = 0;
  int64_t sequence = 0;  // index in its phase: prefill or decode
  int64_t head = 0;      // flash: query head; paged: KV head
  int64_t q_block = 0;   // 0 in decodes
  int64_t k_block = 0;
  double flops = 0, bytes = 0;
  double compute_ns = 0, memory_ns = 0;
  double modelled_ns() const { return compute_ns > memory_ns ? compute_ns : memory_ns; }
  bool memory_bound() const { return memory_ns > compute_ns; }
};

struct TpuCall {
  KernelId kernel = KernelId::kPallasFlash;
  Megacore megacore = Megacore::kNone;  // used by decodes only
  int64_t first_sequence = 0, sequences = 0;
  std::vector<TpuStep> steps;   // grid order, core by core; blocks above the diagonal left out
  std::vector<double> core_ns;  // per core the sum of its steps; 0 without work
  double modelled_ns = 0;       // time of the slower core
};

struct TpuModel {
  TpuChip chip;
  std::vector<TpuCall> calls;
  double modelled_ns = 0;
};

// Flash attention of one prompt padded to `padded_len`: q and k blocks of up to 128, head h on core
// h % cores. Each block counts with all of its pairs, also on the diagonal. K and V are read in
// every step; per head and q block, q is read once and the output written once.
TpuCall model_flash(const TpuChip& chip, const TpuLayer& layer, int64_t sequence,
                    int64_t padded_len);

struct TpuSequence {
  int64_t sequence = 0;  // its index among the prefills
  int64_t query_len = 0, seq_len = 0;
};
// Multi-query paged attention, on one core. A step is 16 queries of each head of a group against
// one compute block; all pages of a block are copied, also those past the end.
TpuCall model_multi_query(const TpuChip& chip, const TpuLayer& layer, int64_t block_size,
                          std::span<const TpuSequence> sequences);

// Models one call of paged decode. first_sequence: index among the decodes of the first of
// `seq_lens`.
TpuCall model_paged_decode(const TpuChip& chip, const TpuLayer& layer, int64_t block_size,
                           Megacore mode, std::span<const int64_t> seq_lens,
                           int64_t first_sequence = 0);

// What the backend's device_model() gives; null for versions below 4.
std::unique_ptr<DeviceModel> make_device_model(const AttentionConfig& config);

// The calls of one layer's forward of a batch.
TpuModel model_forward(const AttentionConfig& config, const AttentionMetadata& metadata,
                       int64_t block_size, int64_t element_bytes);

}  // namespace attn::backends::pallas
