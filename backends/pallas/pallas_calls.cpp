// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_calls.h"

#include <fmt/format.h>

#include <numeric>

#include "backends/pallas/metadata.h"
#include "backends/pallas/pallas_grid.h"
#include "backends/pallas/pallas_paged_decode.h"

namespace attn::backends::pallas {
namespace {

Sentence padding_sentence(int64_t rows, int64_t padding) {
  return {translatable("Step", "%1 padded to a multiple of %2: %3, of which %4 padding."),
          {counted(rows, translatable("Step", "1 row is"), translatable("Step", "%1 rows are")),
           kPrefillMultiple, rows + padding,
           counted(padding, translatable("Step", "1 is"), translatable("Step", "%1 are"))}};
}

Sentence worker_words(int workers) {
  return counted(workers, translatable("Step", "1 worker"), translatable("Step", "%1 workers"));
}
Sentence sequence_words(int64_t sequences) {
  return counted(sequences, translatable("Step", "1 sequence"),
                 translatable("Step", "%1 sequences"));
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
    call.reasons.emplace_back(translatable(
        "Step", "The prompt has no cached tokens: flash attention, in a call of its own."));
    call.reasons.push_back(padding_sentence(rows, padding));
    calls.push_back(std::move(call));
  }
  if (prompts_in_pages == 0) return;
  with_context.reasons.push_back(
      {translatable("Step",
                    "%1 cached tokens, which are read from the pages together with the new ones."),
       {counted(prompts_in_pages, translatable("Step", "1 prompt has"),
                translatable("Step", "%1 prompts have"))}});
  with_context.reasons.push_back(
      padding_sentence(with_context.rows - with_context.padding, with_context.padding));
  calls.push_back(std::move(with_context));
}

Sentence core_sentence(const AttentionConfig& config, TpuVersion version, Megacore mode,
                       int64_t sequences) {
  if (!has_two_cores(version))
    return {translatable("Step", "Megacore mode none: a TPU %1 has one core."),
            {Sentence::same(name_of(version))}};
  const std::vector<Sentence> numbers{
      counted(config.num_kv_heads, translatable("Step", "1 KV head"),
              translatable("Step", "%1 KV heads")),
      sequence_words(sequences)};
  if (mode == Megacore::kKvHead)
    return {translatable("Step",
                         "Megacore mode kv_head (%1 and %2): core 0 takes KV heads 0, 2, ..., "
                         "core 1 takes 1, 3, ..."),
            numbers};
  if (mode == Megacore::kBatch)
    return {translatable("Step",
                         "Megacore mode batch (%1 and %2): core 0 takes sequences 0, 2, ... of "
                         "the call, core 1 takes 1, 3, ..."),
            numbers};
  return {
      translatable("Step", "Megacore mode none (%1 and %2, both odd): one core does everything."),
      numbers};
}

Sentence copy_sentence(int64_t cores, int workers, const DecodeWorkers& shared) {
  if (workers == 1)
    return translatable("Step",
                        "1 worker: it copies the pages of the next compute block before it "
                        "computes the present one, so nothing overlaps.");
  const auto us = [](uint64_t ns) {
    return Sentence::same(fmt::format("{:.0f}", static_cast<double>(ns) / 1000));
  };
  if (shared.alone)
    return {translatable("Step",
                         "The work is estimated at %1 us, less than the %2 us for which a worker "
                         "is woken on the real clock: one worker does all of it, and copies the "
                         "pages of the next compute block before it computes the present one."),
            {us(shared.work_ns), us(ThreadPool::kWakeNs)}};
  const std::vector<Sentence> both{
      worker_words(workers),
      counted(cores, translatable("Step", "1 core"), translatable("Step", "%1 cores"))};
  if (shared.copiers)
    return {translatable("Step",
                         "%1 for %2: while the worker of a core computes a block, another one "
                         "copies the pages of the next."),
            both};
  return {translatable("Step",
                       "%1 for %2: the worker of a core copies the pages of the next compute "
                       "block before it computes the present one, so nothing overlaps. "
                       "Overlapping needs two workers per core."),
          both};
}

Sentence table_sentence(int64_t sequences, int64_t width, size_t call, size_t calls) {
  std::vector<Sentence> numbers{
      sequence_words(sequences),
      counted(width, translatable("Step", "1 block"), translatable("Step", "%1 blocks")),
      sequences * width * 4, kScalarMemoryBytes};
  if (calls == 1)
    return {translatable("Step",
                         "Block table in scalar memory: %1 x %2 x 4 bytes = %3 of %4 bytes, so "
                         "one call."),
            std::move(numbers)};
  for (const int64_t number : {width, sequences_per_call(sequences, width),
                               static_cast<int64_t>(call) + 1, static_cast<int64_t>(calls)})
    numbers.emplace_back(number);
  return {translatable("Step",
                       "Block table in scalar memory: %1 x %2 x 4 bytes = %3 of %4 bytes; %5 x 4 "
                       "bytes for each sequence, so at most %6 per call, rounded down to an even "
                       "number: call %7 of %8."),
          std::move(numbers)};
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
    call.reasons.push_back(table_sentence(all, width, i, ranges.size()));
    call.reasons.push_back(core_sentence(config, version, mode, range.count));
    std::vector<int64_t> lengths;
    for (int64_t s = range.first; s < range.first + range.count; ++s)
      lengths.push_back(decodes->seq_lens[static_cast<size_t>(s)]);
    std::vector<Sentence> blocks{pages_per_compute_block(inputs.block_size)};
    for (int core = 0; core < num_cores(mode); ++core)
      blocks.emplace_back(
          decode_blocks(lengths, config.num_kv_heads, inputs.block_size, mode, core).size());
    call.reasons.push_back(
        {blocks.size() == 2
             ? translatable("Step", "Compute blocks of up to %1 pages: %2 on core 0.")
             : translatable("Step",
                            "Compute blocks of up to %1 pages: %2 on core 0, %3 on core 1."),
         std::move(blocks)});
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
    mask.name = cached ? Sentence(translatable("Step", "rule in the kernel"))
                       : Sentence::same("causal = true");
    mask.form = cached ? MaskForm::kPerTile : MaskForm::kFlag;
    mask.tiles = visited_tiles(*mask.rule, cached ? kQueriesPerComputeBlock : kBlock, kBlock);
    masks.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace attn::backends::pallas
