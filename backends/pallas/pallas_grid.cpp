// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_grid.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/kernels/fault.h"

namespace attn::backends::pallas {
namespace {

constexpr std::array<std::string_view, 6> kVersionNames{"v2", "v3", "v4", "v5e", "v5p", "v6e"};

}  // namespace

std::string_view name_of(Megacore mode) {
  switch (mode) {
    case Megacore::kKvHead:
      return "kv_head";
    case Megacore::kBatch:
      return "batch";
    case Megacore::kNone:
      break;
  }
  return "none";
}

std::string_view name_of(TpuVersion version) {
  return kVersionNames[static_cast<size_t>(version)];
}

const BackendOption& tpu_option() {
  static const BackendOption option = [] {
    const auto first = kVersionNames.begin() + static_cast<int>(TpuVersion::kV4);
    return BackendOption{
        .about = BackendOption::About::kDevice,
        .name = "tpu",
        .noun = "TPU",
        .title = "TPU, modelled",
        .meaning =
            "The TPU version whose time the backend pallas models from published figures, and "
            "whose number of cores it uses. Nothing is measured on a TPU.",
        .values = {first, kVersionNames.end()},
        .default_value = std::string(name_of(TpuVersion::kV4)),
        .refused = {kVersionNames.begin(), first}};
  }();
  return option;
}

TpuVersion tpu_version(const AttentionConfig& config) {
  const auto index = index_of(config.backend_options, tpu_option());
  return index ? static_cast<TpuVersion>(*index) : TpuVersion::kV4;
}

bool has_two_cores(TpuVersion version) {
  return version == TpuVersion::kV4 || version == TpuVersion::kV5p;
}

Megacore megacore_mode(TpuVersion version, int64_t num_kv_heads, int64_t batch) {
  if (!has_two_cores(version)) return Megacore::kNone;
  if (num_kv_heads % 2 == 0) return Megacore::kKvHead;
  return batch % 2 == 0 ? Megacore::kBatch : Megacore::kNone;
}

int num_cores(Megacore mode) {
  return mode == Megacore::kNone ? 1 : 2;
}

int64_t sequences_per_call(int64_t batch, int64_t max_blocks_per_seq) {
  if (max_blocks_per_seq < 1) return batch;
  const int64_t fit = kScalarMemoryBytes / (4 * max_blocks_per_seq);
  if (batch <= fit) return batch;
  return fit >= 2 ? fit / 2 * 2 : fit;
}

std::vector<CallRange> split_calls(int64_t batch, int64_t max_blocks_per_seq) {
  std::vector<CallRange> calls;
  const int64_t per_call = std::max<int64_t>(1, sequences_per_call(batch, max_blocks_per_seq));
  for (int64_t first = 0; first < batch; first += per_call)
    calls.push_back({ATTN_FAULT(kSplitFromFirst) ? 0 : first, std::min(per_call, batch - first)});
  return calls;
}

int64_t pages_per_compute_block(int64_t block_size) {
  const int64_t whole = kBlock / std::gcd(kBlock, block_size);
  return round_up(kPagesPerComputeBlock, whole);
}

std::vector<ComputeBlock> decode_blocks(std::span<const int64_t> seq_lens, int64_t num_kv_heads,
                                        int64_t block_size, Megacore mode, int core) {
  const int64_t pages = pages_per_compute_block(block_size), tokens = pages * block_size;
  const int64_t b_step = mode == Megacore::kBatch ? 2 : 1,
                h_step = mode == Megacore::kKvHead ? 2 : 1;
  std::vector<ComputeBlock> blocks;
  for (int64_t b = b_step == 2 ? core : 0; b < static_cast<int64_t>(seq_lens.size()); b += b_step) {
    const int64_t length = seq_lens[static_cast<size_t>(b)];
    for (int64_t h = h_step == 2 && !ATTN_FAULT(kCoresShareHeads) ? core : 0; h < num_kv_heads;
         h += h_step)
      for (int64_t i = 0; i * tokens < length; ++i) {
        const int64_t count = std::min(tokens, length - i * tokens);
        blocks.push_back({b, h, i * tokens, count, i * pages, (count + block_size - 1) / block_size,
                          i == 0, (i + 1) * tokens >= length});
      }
  }
  return blocks;
}

}  // namespace attn::backends::pallas
