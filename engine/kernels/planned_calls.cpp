// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/planned_calls.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/decode/decode_plan.h"

namespace attn {
namespace {

// The decodes of a batch as the kernels see them, without operands. A captured plan adds rows of
// length 0.
struct DecodeLengths {
  std::vector<DecodeSequence> sequences;
  int64_t real_rows = 0, max_seq_len = 0;
  DecodeArgs args;
};

DecodeLengths decode_lengths(const AttentionConfig& config, const AttentionMetadata& decodes,
                             const PlanInputs& inputs) {
  DecodeLengths lengths;
  const BlockTableArgs table = decodes.block_table_args_for(config.attn_type, false);
  lengths.real_rows = decodes.num_seqs();
  lengths.max_seq_len = table.max_seq_len;
  for (const int32_t seq_len : table.seq_lens) {
    DecodeSequence sequence;
    sequence.seq_len = seq_len;
    lengths.sequences.push_back(sequence);
  }
  const auto rows = static_cast<size_t>(std::max(inputs.captured_rows, lengths.real_rows));
  lengths.sequences.resize(rows);
  lengths.args.num_heads = config.num_heads;
  lengths.args.num_kv_heads = config.num_kv_heads;
  lengths.args.head_size = config.head_size;
  lengths.args.blocksparse = config.blocksparse ? &*config.blocksparse : nullptr;
  return lengths;
}

PlannedCall decode_call(KernelId kernel, const AttentionMetadata& batch,
                        const DecodeLengths& lengths) {
  PlannedCall call;
  call.kernel = kernel;
  call.first_sequence = batch.num_prefills;
  call.sequences = lengths.real_rows;
  call.rows = static_cast<int64_t>(lengths.sequences.size());
  call.padding = call.rows - lengths.real_rows;
  return call;
}

Sentence merge_sentence(const DecodePlan& plan) {
  if (plan.merges.empty())
    return translatable("Step", "No row has more than one part, so nothing is merged.");
  return counted(
      plan.merges.size(),
      translatable("Step",
                   "1 pair of (sequence, head) is computed in several parts, each with its own "
                   "maximum, sum and output, and then merged in order of position."),
      translatable("Step",
                   "%1 pairs of (sequence, head) are computed in several parts, each with its own "
                   "maximum, sum and output, and then merged in order of position."));
}

Sentence task_words(const DecodePlan& plan) {
  return counted(plan.tasks.size(), translatable("Step", "1 task"),
                 translatable("Step", "%1 tasks"));
}

}  // namespace

PlannedCall prefill_call(const AttentionConfig& config, const AttentionMetadata& prefills,
                         KernelId kernel, int64_t first, int64_t count) {
  PlannedCall call;
  call.kernel = kernel;
  call.first_sequence = first;
  call.sequences = count;
  const SeqLens lens = prefills.seq_lens_for(config.attn_type);
  for (int64_t s = first; s < first + count; ++s)
    call.rows += config.attn_type == AttentionType::kEncoder ? lens.kv[static_cast<size_t>(s)]
                                                             : prefills.query_len(s);
  return call;
}

void add_calls_of_one_prompt(const AttentionConfig& config, const AttentionMetadata& prefills,
                             KernelId kernel, const Sentence& why,
                             std::vector<PlannedCall>& calls) {
  bool said = false;
  for (int64_t s = 0; s < prefills.num_seqs(); ++s) {
    PlannedCall call = prefill_call(config, prefills, kernel, s, 1);
    if (call.rows == 0) continue;
    if (!std::exchange(said, true)) call.reasons.push_back(why);
    calls.push_back(std::move(call));
  }
}

std::vector<PlannedCall> paged_decode_calls(const AttentionConfig& config,
                                            const AttentionMetadata& batch,
                                            const PlanInputs& inputs) {
  const AttentionMetadata* decodes = batch.decode_metadata();
  if (!decodes) return {};
  DecodeLengths lengths = decode_lengths(config, *decodes, inputs);
  lengths.args.sequences = lengths.sequences;
  const auto rows = static_cast<int64_t>(lengths.sequences.size());
  const bool is_v1 = use_paged_decode_v1(lengths.max_seq_len, rows, config.num_heads);
  const DecodePlan plan = is_v1 ? plan_decode_v1(lengths.args) : plan_decode_v2(lengths.args);
  PlannedCall call = decode_call(plan.kernel, batch, lengths);
  const int64_t partitions = (lengths.max_seq_len + kPartition - 1) / kPartition;
  call.reasons.push_back(
      {translatable("Step",
                    "v1 is used if the longest sequence has at most 8192 tokens and either fits "
                    "one partition of %1 or sequences x heads are more than 512. Here the longest "
                    "has %2 in %3, and %4 x %5 = %6: %7."),
       {kPartition,
        counted(lengths.max_seq_len, translatable("Step", "1 token"),
                translatable("Step", "%1 tokens")),
        counted(partitions, translatable("Step", "1 partition"),
                translatable("Step", "%1 partitions")),
        rows, config.num_heads, rows * config.num_heads, Sentence::same(is_v1 ? "v1" : "v2")}});
  if (is_v1)
    call.reasons.push_back(
        {translatable("Step", "%1: one per sequence and head, not cut along the keys."),
         {task_words(plan)}});
  else
    call.reasons.push_back(
        {translatable("Step", "%1: one per sequence, head and partition of %2 tokens."),
         {task_words(plan), kPartition}});
  if (!is_v1) call.reasons.push_back(merge_sentence(plan));
  return {call};
}

std::vector<PlannedCall> grouped_decode_calls(const AttentionConfig& config,
                                              const AttentionMetadata& batch,
                                              const PlanInputs& inputs, bool one_partial_per_task) {
  const AttentionMetadata* decodes = batch.decode_metadata();
  if (!decodes) return {};
  DecodeLengths lengths = decode_lengths(config, *decodes, inputs);
  lengths.args.sequences = lengths.sequences;
  lengths.args.one_partial_per_task = one_partial_per_task;
  const DecodePlan plan = plan_decode_grouped(lengths.args, inputs.workers);
  const int64_t heads = std::ranges::max_element(plan.tasks, {}, &DecodePlan::Task::heads)->heads;
  PlannedCall call = decode_call(plan.kernel, batch, lengths);
  call.reasons.push_back(
      {translatable("Step",
                    "%1 for %2: a task reads keys of one sequence and one KV head once for up to "
                    "%3; long sequences are cut along the keys."),
       {task_words(plan),
        counted(inputs.workers, translatable("Step", "1 worker"),
                translatable("Step", "%1 workers")),
        counted(heads, translatable("Step", "1 query head"),
                translatable("Step", "%1 query heads"))}});
  if (one_partial_per_task)
    call.reasons.push_back(
        {translatable("Step",
                      "Exactness fast: a task merges its keys into one partial result, so the last "
                      "digits can depend on where sequences are cut. In this step a task has up "
                      "to %1."),
         {counted(plan.tiles_per_partial * kKvTile, translatable("Step", "1 key"),
                  translatable("Step", "%1 keys"))}});
  call.reasons.push_back(merge_sentence(plan));
  return {call};
}

}  // namespace attn
