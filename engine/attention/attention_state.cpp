// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/attention_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/core/error.h"

namespace attn {
namespace {

uint32_t clamp_u32(int64_t value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX));
}

template <class T>
size_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

template <class From, class To>
void copy_rows(const From& from, int64_t from_width, To& to, int64_t to_width, int64_t rows) {
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(from.begin() + row * from_width, from_width, to.begin() + row * to_width);
}

}  // namespace

size_t CapturedPlan::bytes() const {
  size_t bytes = query.bytes() + out.bytes() + lse.bytes() + bytes_of(metadata.slot_mapping) +
                 bytes_of(metadata.seq_lens) + bytes_of(metadata.context_lens) +
                 bytes_of(metadata.query_start_loc) + bytes_of(metadata.block_tables) +
                 bytes_of(metadata.requests);
  if (metadata.encoder_seq_lens)
    bytes += bytes_of(*metadata.encoder_seq_lens) + bytes_of(*metadata.cross_block_tables);
  return bytes;
}

void CapturedPlan::take_query(const Tensor& from, int64_t first_row) {
  const size_t row = query.bytes() / static_cast<size_t>(batch);
  const auto* source = static_cast<const std::byte*>(from.raw());
  auto* target = static_cast<std::byte*>(query.raw());
  const auto real = static_cast<size_t>(rows) * row;
  std::memcpy(target, source + static_cast<size_t>(first_row) * row, real);
  std::memset(target + real, 0, query.bytes() - real);
}

void CapturedPlan::give_output(Tensor& to, float* lse_to, int64_t first_row) const {
  const size_t row = out.bytes() / static_cast<size_t>(batch);
  std::memcpy(static_cast<std::byte*>(to.raw()) + static_cast<size_t>(first_row) * row, out.raw(),
              static_cast<size_t>(rows) * row);
  if (lse_to) std::copy_n(lse.data<float>(), rows * lse.dim(1), lse_to + first_row * lse.dim(1));
}

void AttentionState::begin_forward(const AttentionMetadata& metadata) {
  metadata.forget_attn_biases();
  replayed_ = nullptr;
  replayed_plan_ = nullptr;
  in_step_ = true;
}

int64_t AttentionState::padded_batch(int64_t batch) {
  for (const int64_t small : {1, 2, 4})
    if (batch <= small) return small;
  return (batch + 7) / 8 * 8;
}

std::vector<int64_t> AttentionState::capture_sizes(int64_t max_batch) {
  std::vector<int64_t> sizes;
  const int64_t last = padded_batch(max_batch);
  for (int64_t size = 1; size <= last; size = size < 8 ? size * 2 : size + 8) sizes.push_back(size);
  return sizes;
}

void AttentionState::capture(int64_t max_batch, const CaptureSpec& spec,
                             const Execution& execution) {
  if (max_batch < 1 || spec.max_blocks_per_seq < 1 || spec.block_size < 1)
    throw_bad_input({"a plan cannot be captured for an empty batch", "capture",
                     fmt::format("{} sequences, {} blocks of {}", max_batch,
                                 spec.max_blocks_per_seq, spec.block_size),
                     "1 or more of each", ""});
  plans_.clear();
  replayed_ = nullptr;
  replayed_plan_ = nullptr;
  spec_ = spec;
  for (const int64_t batch : capture_sizes(max_batch)) {
    CapturedPlan& plan = plans_[batch];
    const auto rows = static_cast<size_t>(batch);
    plan.batch = batch;
    AttentionMetadata& metadata = plan.metadata;
    metadata.num_decode_tokens = batch;
    metadata.slot_mapping.assign(rows, kPaddingSlot);
    metadata.seq_lens.assign(rows, 0);
    metadata.context_lens.assign(rows, 0);
    for (int32_t row = 0; row <= batch; ++row) metadata.query_start_loc.push_back(row);
    metadata.max_blocks_per_seq = spec.max_blocks_per_seq;
    metadata.block_tables.assign(rows * static_cast<size_t>(spec.max_blocks_per_seq), -1);
    metadata.max_query_len = 1;
    metadata.requests.assign(rows, kPaddingRequest);
    metadata.use_captured_plan = true;
    if (spec.max_cross_blocks > 0) {
      metadata.encoder_seq_lens.emplace(rows, 0);
      metadata.cross_block_tables.emplace(rows * static_cast<size_t>(spec.max_cross_blocks), -1);
      metadata.cross_slot_mapping.emplace();
      metadata.num_encoder_tokens = 0;
      metadata.max_encoder_seq_len = 0;
    }
    plan.query = Tensor(spec.dtype, {batch, spec.config.num_heads, spec.config.head_size});
    plan.out = Tensor(spec.dtype, plan.query.shape());
    plan.lse = Tensor(DType::kF32, {batch, spec.config.num_heads});
    on_capture(plan, execution);
    emit_instant(execution, EventKind::kPlanCaptured, clamp_u32(batch),
                 clamp_u32(static_cast<int64_t>(plan.bytes())));
  }
}

CapturedPlan& AttentionState::plan(int64_t batch) {
  const auto found = plans_.find(batch);
  if (found == plans_.end())
    throw_bad_input({"no plan is captured for this batch size", "capture", fmt::format("{}", batch),
                     fmt::format("1, 2, 4, 8, 16, 24, ... up to {}", max_captured_batch()), ""});
  return found->second;
}

const AttentionMetadata& AttentionState::metadata_for_batch(int64_t batch) const {
  return const_cast<AttentionState*>(this)->plan(batch).metadata;
}

InputBuffers AttentionState::input_buffers(int64_t batch) {
  AttentionMetadata& metadata = plan(batch).metadata;
  InputBuffers buffers{metadata.slot_mapping,
                       metadata.seq_lens,
                       metadata.context_lens,
                       metadata.block_tables,
                       {},
                       {}};
  if (metadata.encoder_seq_lens) {
    buffers.encoder_seq_lens = *metadata.encoder_seq_lens;
    buffers.cross_block_tables = *metadata.cross_block_tables;
  }
  return buffers;
}

CapturedPlan* AttentionState::prepare_input_buffers(const AttentionMetadata& decode) {
  const int64_t rows = decode.num_decode_tokens;
  const bool cross = decode.encoder_seq_lens && decode.cross_block_tables;
  if (rows < 1 || decode.num_prefills > 0 || rows > max_captured_batch() ||
      decode.max_blocks_per_seq > spec_.max_blocks_per_seq || decode.dense_bias ||
      (cross && decode.max_cross_blocks() > spec_.max_cross_blocks))
    return nullptr;
  CapturedPlan& captured = plan(padded_batch(rows));
  captured.rows = rows;
  AttentionMetadata& metadata = captured.metadata;
  InputBuffers buffers = input_buffers(captured.batch);
  std::ranges::fill(buffers.slot_mapping, kPaddingSlot);
  std::ranges::fill(buffers.seq_lens, 0);
  std::ranges::fill(buffers.context_lens, 0);
  std::ranges::fill(buffers.block_tables, -1);
  std::ranges::copy(decode.slot_mapping, buffers.slot_mapping.begin());
  std::ranges::copy(decode.seq_lens, buffers.seq_lens.begin());
  std::ranges::copy(decode.context_lens, buffers.context_lens.begin());
  copy_rows(decode.block_tables, decode.max_blocks_per_seq, buffers.block_tables,
            spec_.max_blocks_per_seq, rows);
  std::ranges::fill(metadata.requests, kPaddingRequest);
  for (int64_t row = 0; row < rows; ++row)
    metadata.requests[static_cast<size_t>(row)] = decode.request(row);
  metadata.max_decode_seq_len = decode.max_decode_seq_len;
  if (cross) {
    std::ranges::fill(buffers.encoder_seq_lens, 0);
    std::ranges::fill(buffers.cross_block_tables, -1);
    std::ranges::copy(*decode.encoder_seq_lens, buffers.encoder_seq_lens.begin());
    copy_rows(*decode.cross_block_tables, decode.max_cross_blocks(), buffers.cross_block_tables,
              spec_.max_cross_blocks, rows);
    metadata.max_encoder_seq_len = decode.max_encoder_seq_len.value_or(0);
  }
  return &captured;
}

CapturedPlan* AttentionState::replay(const AttentionMetadata& decode, const Execution& execution) {
  if (in_step_ && replayed_ == &decode) return replayed_plan_;
  CapturedPlan* captured = prepare_input_buffers(decode);
  replayed_ = &decode;
  replayed_plan_ = captured;
  if (captured)
    emit_instant(execution, EventKind::kPlanReplayed, clamp_u32(captured->batch),
                 clamp_u32(captured->batch - captured->rows));
  return captured;
}

}  // namespace attn
