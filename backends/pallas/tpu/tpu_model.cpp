// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/tpu/tpu_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/core/error.h"

namespace attn::backends::pallas {
namespace {

constexpr std::array<TpuChip, 4> kChips{{{TpuVersion::kV4, 275e12, 1228e9, 2},
                                         {TpuVersion::kV5e, 197e12, 819e9, 1},
                                         {TpuVersion::kV5p, 459e12, 2765e9, 2},
                                         {TpuVersion::kV6e, 918e12, 1640e9, 1}}};

// q.k and p.v: two multiply-adds per (query, key, element).
double attention_flops(int64_t queries, int64_t keys, int64_t head_size) {
  return 4.0 * static_cast<double>(queries) * static_cast<double>(keys) *
         static_cast<double>(head_size);
}

void add_step(const TpuChip& chip, TpuStep step, TpuCall& call) {
  constexpr double kNsPerS = 1e9;
  step.compute_ns = step.flops / (chip.flops_per_s / chip.cores) * kNsPerS;
  step.memory_ns = step.bytes / (chip.bytes_per_s / chip.cores) * kNsPerS;
  call.core_ns[static_cast<size_t>(step.core)] += step.modelled_ns();
  call.steps.push_back(step);
}

void finish(TpuCall& call) {
  call.modelled_ns = *std::max_element(call.core_ns.begin(), call.core_ns.end());
}

TpuCall make_call(const TpuChip& chip, KernelId kernel) {
  TpuCall call;
  call.kernel = kernel;
  call.core_ns.assign(static_cast<size_t>(chip.cores), 0.0);
  return call;
}

double row_bytes(const TpuLayer& layer) {
  return static_cast<double>(layer.head_size * layer.element_bytes);
}

}  // namespace

std::span<const TpuChip> tpu_chips() {
  return kChips;
}

const TpuChip& tpu_chip(TpuVersion version) {
  for (const TpuChip& chip : kChips)
    if (chip.version == version) return chip;
  throw Error::not_supported({fmt::format(
      "There are no modelled times for a TPU {}, because the kernels need version 4 or later.",
      name_of(version))});
}

TpuCall model_flash(const TpuChip& chip, const TpuLayer& layer, int64_t sequence,
                    int64_t padded_len) {
  TpuCall call = make_call(chip, KernelId::kPallasFlash);
  call.first_sequence = sequence;
  call.sequences = 1;
  const int64_t blocks = (padded_len + kBlock - 1) / kBlock;
  for (int core = 0; core < chip.cores; ++core)
    for (int64_t head = core; head < layer.num_heads; head += chip.cores)
      for (int64_t q = 0; q < blocks; ++q) {
        const int64_t queries = std::min(kBlock, padded_len - q * kBlock);
        for (int64_t k = 0; k <= q; ++k) {
          const int64_t keys = std::min(kBlock, padded_len - k * kBlock);
          TpuStep step{core, sequence, head, q, k};
          step.flops = attention_flops(queries, keys, layer.head_size);
          const int64_t rows = 2 * keys + (k == 0 ? queries : 0) + (k == q ? queries : 0);
          step.bytes = static_cast<double>(rows) * row_bytes(layer);
          add_step(chip, step, call);
        }
      }
  finish(call);
  return call;
}

TpuCall model_multi_query(const TpuChip& chip, const TpuLayer& layer, int64_t block_size,
                          std::span<const TpuSequence> sequences) {
  TpuCall call = make_call(chip, KernelId::kPallasMultiQuery);
  call.sequences = static_cast<int64_t>(sequences.size());
  const int64_t group = layer.num_heads / layer.num_kv_heads;
  const int64_t tokens = pages_per_compute_block(block_size) * block_size;
  for (int64_t s = 0; s < call.sequences; ++s) {
    const TpuSequence& sequence = sequences[static_cast<size_t>(s)];
    const int64_t q_blocks = padded_prefill_length(sequence.query_len) / kQueriesPerComputeBlock;
    const int64_t context_len = sequence.seq_len - sequence.query_len;
    for (int64_t head = 0; head < layer.num_kv_heads; ++head)
      for (int64_t q = 0; q < q_blocks; ++q) {
        const int64_t last_row = (q + 1) * kQueriesPerComputeBlock - 1;
        const auto runs = [&](int64_t k) {
          return k * tokens < sequence.seq_len &&
                 below_or_on_diagonal(last_row, context_len, k * tokens);
        };
        for (int64_t k = 0; runs(k); ++k) {
          TpuStep step{0, sequence.sequence, head, q, k};
          const int64_t queries = group * kQueriesPerComputeBlock;
          step.flops = attention_flops(queries, tokens, layer.head_size);
          const int64_t rows = 2 * tokens + (k == 0 ? queries : 0) + (runs(k + 1) ? 0 : queries);
          step.bytes = static_cast<double>(rows) * row_bytes(layer);
          add_step(chip, step, call);
        }
      }
  }
  finish(call);
  return call;
}

TpuCall model_paged_decode(const TpuChip& chip, const TpuLayer& layer, int64_t block_size,
                           Megacore mode, std::span<const int64_t> seq_lens,
                           int64_t first_sequence) {
  TpuCall call = make_call(chip, KernelId::kPallasPagedDecode);
  call.megacore = mode;
  call.first_sequence = first_sequence;
  call.sequences = static_cast<int64_t>(seq_lens.size());
  const int64_t group = layer.num_heads / layer.num_kv_heads;
  const int64_t tokens = pages_per_compute_block(block_size) * block_size;
  for (int core = 0; core < num_cores(mode); ++core)
    for (const ComputeBlock& block :
         decode_blocks(seq_lens, layer.num_kv_heads, block_size, mode, core)) {
      TpuStep step{core, first_sequence + block.sequence, block.kv_head, 0,
                   block.first_token / tokens};
      step.flops = attention_flops(group, tokens, layer.head_size);
      const int64_t rows = 2 * tokens + (block.first ? group : 0) + (block.last ? group : 0);
      step.bytes = static_cast<double>(rows) * row_bytes(layer);
      add_step(chip, step, call);
    }
  finish(call);
  return call;
}

TpuModel model_forward(const AttentionConfig& config, const AttentionMetadata& metadata,
                       int64_t block_size, int64_t element_bytes) {
  TpuModel model;
  model.chip = tpu_chip(tpu_version(config));
  const TpuLayer layer{config.num_heads, config.num_kv_heads, config.head_size, element_bytes};
  if (const AttentionMetadata* part = metadata.prefill_metadata()) {
    std::vector<TpuSequence> cached;
    for (int64_t s = 0; s < part->num_seqs(); ++s) {
      const int64_t context_len = part->context_lens[static_cast<size_t>(s)];
      if (context_len == 0)
        model.calls.push_back(
            model_flash(model.chip, layer, s, padded_prefill_length(part->query_len(s))));
      else
        cached.push_back({s, part->query_len(s), context_len + part->query_len(s)});
    }
    if (!cached.empty())
      model.calls.push_back(model_multi_query(model.chip, layer, block_size, cached));
  }
  if (const AttentionMetadata* part = metadata.decode_metadata()) {
    const std::vector<int64_t> seq_lens(part->seq_lens.begin(), part->seq_lens.end());
    for (const CallRange& range : split_calls(part->num_seqs(), part->max_blocks_per_seq)) {
      const Megacore mode = megacore_mode(model.chip.version, config.num_kv_heads, range.count);
      const auto lengths = std::span(seq_lens).subspan(static_cast<size_t>(range.first),
                                                       static_cast<size_t>(range.count));
      model.calls.push_back(
          model_paged_decode(model.chip, layer, block_size, mode, lengths, range.first));
    }
  }
  for (const TpuCall& call : model.calls) model.modelled_ns += call.modelled_ns;
  return model;
}

namespace {

class TpuDeviceModel final : public DeviceModel {
 public:
  explicit TpuDeviceModel(const AttentionConfig& config) : config_(config) {}
  std::string name() const override { return fmt::format("TPU {}", name_of(tpu_version(config_))); }
  double forward_ns(const AttentionMetadata& metadata, int64_t block_size) const override {
    return model_forward(config_, metadata, block_size, kModelledElementBytes).modelled_ns;
  }

 private:
  AttentionConfig config_;
};

}  // namespace

std::unique_ptr<DeviceModel> make_device_model(const AttentionConfig& config) {
  if (tpu_version(config) < TpuVersion::kV4) return nullptr;
  return std::make_unique<TpuDeviceModel>(config);
}

}  // namespace attn::backends::pallas
