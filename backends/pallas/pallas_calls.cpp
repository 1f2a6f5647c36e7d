// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_calls.h"

#include <fmt/format.h>

#include <numeric>

#include "backends/pallas/metadata.h"
#include "backends/pallas/pallas_grid.h"
#include "backends/pallas/pallas_paged_decode.h"
#include "engine/core/counted.h"

namespace attn::backends::pallas {
namespace {

std::string padding_sentence(int64_t rows, int64_t padding) {
  return fmt::format("{} padded to a multiple of {}: {}, of which {} padding.",
                     rows == 1 ? "1 row is" : fmt::format("{} rows are", rows), kPrefillMultiple,
                     rows + padding, padding == 1 ? "1 is" : fmt::format("{} are", padding));
}

void add_prefill_calls(const AttentionMetadata& batch, std::vector<PlannedCall>& calls) {
  const AttentionMetadata* prefills = batch.prefill_metadata();
  if (!prefills) return;
  PaddedPrefills memory;
  const PaddedPrefills& padded = padded_prefills(*prefills, memory);
  PlannedCall with_context;
  with_context.kernel = KernelId::kPallasMultiQuery;
  int64_t prompts_in_pages = 0;
  for (int64_t s = 0; s < prefills->num_seqs(); ++s) {
    const int64_t rows = prefills->query_len(s), padding = padded.rows_of(s) - rows;
    if (rows == 0) continue;
    if (prefills->context_lens[static_cast<size_t>(s)] > 0) {
      if (prompts_in_pages++ == 0) with_context.first_sequence = s;
      with_context.sequences = s - with_context.first_sequence + 1;
      with_context.rows += rows + padding;
      with_context.padding += padding;
      continue;
    }
    PlannedCall call;
    call.kernel = KernelId::kPallasFlash;
    call.first_sequence = s;
    call.sequences = 1;
    call.rows = rows + padding;
    call.padding = padding;
    call.reasons.emplace_back("The prompt has no cached tokens: flash attention, one call each.");
    call.reasons.push_back(padding_sentence(rows, padding));
    calls.push_back(std::move(call));
  }
  if (prompts_in_pages == 0) return;
  with_context.reasons.push_back(fmt::format(
      "{} cached tokens, which are read from the pages together with the new ones.",
      prompts_in_pages == 1 ? "1 prompt has" : fmt::format("{} prompts have", prompts_in_pages)));
  with_context.reasons.push_back(
      padding_sentence(with_context.rows - with_context.padding, with_context.padding));
  calls.push_back(std::move(with_context));
}

std::string core_sentence(const AttentionConfig& config, TpuVersion version, Megacore mode,
                          int64_t sequences) {
  const std::string numbers =
      fmt::format("{} and {}", counted(config.num_kv_heads, "KV head", "KV heads"),
                  counted(sequences, "sequence", "sequences"));
  if (!has_two_cores(version))
    return fmt::format("Megacore mode none: a TPU {} has one core.", name_of(version));
  if (mode == Megacore::kKvHead)
    return fmt::format(
        "Megacore mode kv_head ({}): core 0 takes KV heads 0, 2, ..., core 1 takes 1, 3, ...",
        numbers);
  if (mode == Megacore::kBatch)
    return fmt::format(
        "Megacore mode batch ({}): core 0 takes sequences 0, 2, ... of the call, core 1 takes 1, "
        "3, ...",
        numbers);
  return fmt::format("Megacore mode none ({}, both odd): one core does everything.", numbers);
}

// Who copies the pages of a call.
std::string copy_sentence(int64_t cores, int workers, const DecodeWorkers& shared) {
  if (workers == 1)
    return "1 worker: it copies the pages of the next compute block before it computes the present "
           "one, so nothing overlaps.";
  const auto us = [](uint64_t ns) { return static_cast<double>(ns) / 1000; };
  if (shared.alone)
    return fmt::format(
        "The work is estimated at {:.0f} us, less than the {:.0f} us for which a worker is woken "
        "on the real clock: one worker does all of it, and copies the pages of the next compute "
        "block "
        "before it computes the present one.",
        us(shared.work_ns), us(ThreadPool::kWakeNs));
  const std::string both =
      fmt::format("{} workers for {}", workers, counted(cores, "core", "cores"));
  if (shared.copiers)
    return both +
           ": while the worker of a core computes a block, another one copies the pages of the "
           "next.";
  return both +
         ": the worker of a core copies the pages of the next compute block before it computes the "
         "present one, so nothing overlaps. This would need two workers per core.";
}

void add_decode_calls(const AttentionConfig& config, const AttentionMetadata& batch,
                      const PlanInputs& inputs, std::vector<PlannedCall>& calls) {
  const AttentionMetadata* decodes = batch.decode_metadata();
  if (!decodes) return;
  const int64_t width = decodes->max_blocks_per_seq, all = decodes->num_seqs();
  const TpuVersion version = tpu_version(config);
  const std::vector<CallRange> ranges = split_calls(all, width);
  for (size_t i = 0; i < ranges.size(); ++i) {
    const CallRange& range = ranges[i];
    const Megacore mode = megacore_mode(version, config.num_kv_heads, range.count);
    PlannedCall call;
    call.kernel = KernelId::kPallasPagedDecode;
    call.first_sequence = batch.num_prefills + range.first;
    call.sequences = call.rows = range.count;
    call.reasons.push_back(fmt::format(
        "Block table in scalar memory: {} x {} x 4 bytes = {} of {} bytes{}.",
        counted(all, "sequence", "sequences"), counted(width, "block", "blocks"), all * width * 4,
        kScalarMemoryBytes,
        ranges.size() == 1
            ? ", so one call"
            : fmt::format("; {} x 4 bytes each, so at most {} per call, rounded down to an even "
                          "number: call {} of {}",
                          width, sequences_per_call(all, width), i + 1, ranges.size())));
    call.reasons.push_back(core_sentence(config, version, mode, range.count));
    std::vector<int64_t> lengths;
    for (int64_t s = range.first; s < range.first + range.count; ++s)
      lengths.push_back(decodes->seq_lens[static_cast<size_t>(s)]);
    std::string blocks;
    for (int core = 0; core < num_cores(mode); ++core)
      blocks += fmt::format(
          "{}core {}: {}", core == 0 ? "" : ", ", core,
          decode_blocks(lengths, config.num_kv_heads, inputs.block_size, mode, core).size());
    call.reasons.push_back(fmt::format("Compute blocks of {} pages: {}.",
                                       pages_per_compute_block(inputs.block_size), blocks));
    call.reasons.push_back(copy_sentence(
        num_cores(mode), inputs.workers,
        decode_workers(num_cores(mode), std::accumulate(lengths.begin(), lengths.end(), int64_t{0}),
                       config.num_heads, config.head_size, inputs.workers, inputs.order)));
    calls.push_back(std::move(call));
  }
}

}  // namespace

std::vector<PlannedCall> planned_calls(const AttentionConfig& config,
                                       const AttentionMetadata& batch, const PlanInputs& inputs) {
  std::vector<PlannedCall> calls;
  add_prefill_calls(batch, calls);
  add_decode_calls(config, batch, inputs, calls);
  return calls;
}

std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& batch) {
  const AttentionMetadata* prefills = batch.prefill_metadata();
  std::vector<PlannedMask> masks;
  for (int64_t s = 0; prefills && s < prefills->num_seqs(); ++s) {
    PlannedMask mask = rule_mask(config, *prefills, s, 1);
    const bool cached = prefills->context_lens[static_cast<size_t>(s)] > 0;
    mask.name = cached ? "rule in the kernel" : "causal = true";
    mask.form = cached ? MaskForm::kPerTile : MaskForm::kFlag;
    mask.tiles = visited_tiles(*mask.rule, cached ? kQueriesPerComputeBlock : kBlock, kBlock);
    masks.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace attn::backends::pallas
