// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/attention/fault.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"

namespace attn {
namespace {

int64_t longest(const std::vector<int32_t>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

// The encoder's tokens belong to the part with the prefills. Decodes read keys and values that were
// cached before.
void copy_encoder_fields(const AttentionMetadata& whole, int64_t first_seq, int64_t last_seq,
                         AttentionMetadata& part) {
  const bool is_prefill = first_seq < whole.num_prefills;
  if (whole.encoder_seq_lens) {
    part.encoder_seq_lens.emplace(whole.encoder_seq_lens->begin() + first_seq,
                                  whole.encoder_seq_lens->begin() + last_seq);
    part.max_encoder_seq_len = longest(*part.encoder_seq_lens);
  }
  if (whole.num_encoder_tokens)
    part.num_encoder_tokens = is_prefill ? *whole.num_encoder_tokens : 0;
  if (whole.cross_slot_mapping) {
    part.cross_slot_mapping.emplace();
    if (is_prefill) part.cross_slot_mapping = whole.cross_slot_mapping;
  }
  if (whole.cross_block_tables) {
    const int64_t width = whole.max_cross_blocks();
    part.cross_block_tables.emplace(whole.cross_block_tables->begin() + first_seq * width,
                                    whole.cross_block_tables->begin() + last_seq * width);
  }
}

std::shared_ptr<AttentionMetadata> part_of(const AttentionMetadata& whole, int64_t first_seq,
                                           int64_t last_seq) {
  std::shared_ptr<AttentionMetadata> part = whole.make_empty();
  const auto first = static_cast<size_t>(first_seq), last = static_cast<size_t>(last_seq);
  const int32_t row_begin = whole.query_start_loc[first];
  const int32_t row_end = whole.query_start_loc[last];
  part->slot_mapping.assign(whole.slot_mapping.begin() + row_begin,
                            whole.slot_mapping.begin() + row_end);
  part->max_blocks_per_seq = whole.max_blocks_per_seq;
  part->block_tables.assign(whole.block_tables.begin() + first_seq * whole.max_blocks_per_seq,
                            whole.block_tables.begin() + last_seq * whole.max_blocks_per_seq);
  part->dense_bias = whole.dense_bias;
  part->dense_bias_row = whole.dense_bias_row + row_begin;
  part->query_start_loc.push_back(0);
  for (size_t seq = first; seq < last; ++seq) {
    part->seq_lens.push_back(whole.seq_lens[seq]);
    part->context_lens.push_back(whole.context_lens[seq]);
    part->query_start_loc.push_back(whole.query_start_loc[seq + 1] - row_begin);
    part->requests.push_back(whole.request(static_cast<int64_t>(seq)));
    part->max_query_len =
        std::max<int64_t>(part->max_query_len, whole.query_len(static_cast<int64_t>(seq)));
  }
  copy_encoder_fields(whole, first_seq, last_seq, *part);
  return part;
}

void check_length(const char* field, size_t found, size_t expected) {
  if (found != expected)
    throw_bad_input({fmt::format("`{}` has the wrong length", field), "attention metadata",
                     fmt::format("{}", found), fmt::format("{}", expected), ""});
}

// Throws if two rows have the same slot, other than kPaddingSlot: workers could write it at the
// same time.
void check_slots_differ(const std::vector<int64_t>& slots, std::string_view field) {
  std::vector<int64_t> sorted(slots);
  std::ranges::sort(sorted);
  const auto first_real = std::ranges::lower_bound(sorted, int64_t{0});
  const auto twice = std::adjacent_find(first_real, sorted.end());
  if (twice == sorted.end()) return;
  const auto first = std::ranges::find(slots, *twice);
  const auto second = std::find(first + 1, slots.end(), *twice);
  throw_bad_input({"two tokens would be written to the same slot",
                   fmt::format("{}[{}]", field, second - slots.begin()),
                   fmt::format("slot {}, as in {}[{}]", *twice, field, first - slots.begin()),
                   "a different slot for every token", ""});
}

void check_starts(const std::vector<int32_t>& starts) {
  if (starts.front() != 0)
    throw_bad_input({"the first sequence does not begin at row 0", "query_start_loc[0]",
                     fmt::format("{}", starts.front()), "0", ""});
}

}  // namespace

void AttentionMetadata::split() const {
  if (split_) return;
  split_ = true;
  if (num_prefills > 0) {
    auto part = part_of(*this, 0, num_prefills);
    part->num_prefills = num_prefills;
    part->num_prefill_tokens = num_prefill_tokens;
    part->max_prefill_seq_len = longest(part->seq_lens);
    if (ATTN_IS_SEEDED(metadata_faults, kPrefillKeepsPlan))
      part->use_captured_plan = use_captured_plan;
    part->on_built();
    prefill_ = std::move(part);
  }
  if (num_decode_tokens > 0) {
    auto part = part_of(*this, num_prefills, num_seqs());
    part->num_decode_tokens = num_decode_tokens;
    part->max_decode_seq_len = longest(part->seq_lens);
    part->use_captured_plan =
        use_captured_plan && !ATTN_IS_SEEDED(metadata_faults, kDecodeLosesPlan);
    part->on_built();
    decode_ = std::move(part);
  }
}

const AttentionMetadata* AttentionMetadata::prefill_metadata() const {
  if (num_prefills > 0 && num_decode_tokens == 0 && !use_captured_plan) return this;
  split();
  return prefill_.get();
}

const AttentionMetadata* AttentionMetadata::decode_metadata() const {
  if (num_prefills == 0 && num_decode_tokens > 0) return this;
  split();
  return decode_.get();
}

void AttentionMetadata::require_fields(AttentionType type) const {
  if (type == AttentionType::kDecoder) return;
  if (type == AttentionType::kEncoderOnly) {
    if (num_decode_tokens > 0)
      throw_bad_input({"encoder attention has no decode tokens", "num_decode_tokens",
                       fmt::format("{}", num_decode_tokens), "0 for attention type ENCODER_ONLY",
                       "Put every sequence into the prefill part of the batch."});
    for (size_t s = 0; s < context_lens.size(); ++s)
      if (context_lens[s] > 0)
        throw_bad_input({"encoder attention has no cached tokens",
                         fmt::format("context_lens[{}]", s), fmt::format("{}", context_lens[s]),
                         "0 for attention type ENCODER_ONLY",
                         "Give the whole sequence as one prompt."});
    return;
  }
  std::vector<std::string_view> missing;
  if (!encoder_seq_lens) missing.push_back("encoder_seq_lens");
  if (!num_encoder_tokens) missing.push_back("num_encoder_tokens");
  if (!max_encoder_seq_len) missing.push_back("max_encoder_seq_len");
  if (type == AttentionType::kEncoderDecoder) {
    if (!cross_slot_mapping) missing.push_back("cross_slot_mapping");
    if (!cross_block_tables) missing.push_back("cross_block_tables");
  }
  if (missing.empty()) return;
  throw_bad_input({"fields of the metadata are missing that this attention type needs",
                   fmt::format("attention type {}", name_of(type)),
                   fmt::format("no {}", fmt::join(missing, ", ")), "all of them set", ""});
}

SeqLens AttentionMetadata::seq_lens_for(AttentionType type) const {
  require_fields(type);
  switch (type) {
    case AttentionType::kEncoder:
      return {*encoder_seq_lens, *encoder_seq_lens};
    case AttentionType::kEncoderDecoder:
      return {seq_lens, *encoder_seq_lens};
    case AttentionType::kDecoder:
    case AttentionType::kEncoderOnly:
      break;
  }
  return {seq_lens, seq_lens};
}

BlockTableArgs AttentionMetadata::block_table_args_for(AttentionType type, bool is_prefill) const {
  require_fields(type);
  switch (type) {
    case AttentionType::kEncoder:
      return {*encoder_seq_lens, *max_encoder_seq_len, {}, 0};
    case AttentionType::kEncoderDecoder:
      return {*encoder_seq_lens, *max_encoder_seq_len, *cross_block_tables, max_cross_blocks()};
    case AttentionType::kDecoder:
    case AttentionType::kEncoderOnly:
      break;
  }
  return {seq_lens, is_prefill ? max_prefill_seq_len : max_decode_seq_len, block_tables,
          max_blocks_per_seq};
}

std::optional<BiasList>& AttentionMetadata::bias_slot(AttentionType type) const {
  switch (type) {
    case AttentionType::kDecoder:
      return decoder_bias_;
    case AttentionType::kEncoderDecoder:
      return cross_bias_;
    case AttentionType::kEncoderOnly:
      return encoder_only_bias_;
    case AttentionType::kEncoder:
      break;
  }
  return encoder_bias_;
}

const BiasList* AttentionMetadata::attn_bias_for(AttentionType type) const {
  const auto& slot = bias_slot(type);
  return slot ? &*slot : nullptr;
}

void AttentionMetadata::set_attn_bias(AttentionType type, BiasList biases) const {
  bias_slot(type) = std::move(biases);
}

void AttentionMetadata::forget_attn_biases() const {
  decoder_bias_.reset();
  encoder_bias_.reset();
  encoder_only_bias_.reset();
  cross_bias_.reset();
  if (prefill_) prefill_->forget_attn_biases();
  if (decode_) decode_->forget_attn_biases();
}

namespace {

void add_encoder_fields(std::span<const SequenceSlice> slices, int64_t block_size,
                        AttentionMetadata& metadata) {
  metadata.encoder_seq_lens.emplace();
  metadata.cross_slot_mapping.emplace();
  metadata.cross_block_tables.emplace();
  int64_t width = 0, longest_encoder = 0;
  for (const SequenceSlice& slice : slices)
    width = std::max(width, static_cast<int64_t>(slice.cross_block_table.size()));
  for (const SequenceSlice& slice : slices) {
    const auto blocks = static_cast<int64_t>(slice.cross_block_table.size());
    if (blocks * block_size < slice.encoder_len)
      throw_bad_input(
          {"cross block table does not cover the encoder's tokens",
           fmt::format("request {}", slice.request),
           fmt::format("{} blocks of {} for {} tokens", blocks, block_size, slice.encoder_len),
           fmt::format("at least {} blocks", (slice.encoder_len + block_size - 1) / block_size),
           ""});
    metadata.encoder_seq_lens->push_back(static_cast<int32_t>(slice.encoder_len));
    longest_encoder = std::max(longest_encoder, slice.encoder_len);
    for (int64_t j = 0; j < width; ++j)
      metadata.cross_block_tables->push_back(
          j < blocks ? slice.cross_block_table[static_cast<size_t>(j)] : -1);
    for (int64_t token = 0; slice.is_prefill && token < slice.encoder_len; ++token)
      metadata.cross_slot_mapping->push_back(
          int64_t{slice.cross_block_table[static_cast<size_t>(token / block_size)]} * block_size +
          token % block_size);
  }
  metadata.num_encoder_tokens = static_cast<int64_t>(metadata.cross_slot_mapping->size());
  metadata.max_encoder_seq_len = longest_encoder;
}

}  // namespace

void AttentionMetadata::clear() {
  AttentionMetadata empty;
  for (auto member : {&AttentionMetadata::seq_lens, &AttentionMetadata::context_lens,
                      &AttentionMetadata::query_start_loc, &AttentionMetadata::block_tables}) {
    (this->*member).clear();
    (empty.*member).swap(this->*member);
  }
  slot_mapping.clear();
  empty.slot_mapping.swap(slot_mapping);
  requests.clear();
  empty.requests.swap(requests);
  *this = std::move(empty);
}

AttentionMetadata build_metadata(std::span<const SequenceSlice> slices, int64_t block_size) {
  AttentionMetadata metadata;
  build_metadata(slices, block_size, metadata);
  return metadata;
}

void build_metadata(std::span<const SequenceSlice> slices, int64_t block_size,
                    AttentionMetadata& metadata) {
  metadata.clear();
  metadata.query_start_loc.push_back(0);
  for (const SequenceSlice& slice : slices)
    metadata.max_blocks_per_seq =
        std::max(metadata.max_blocks_per_seq, static_cast<int64_t>(slice.block_table.size()));
  bool seen_decode = false;
  for (const SequenceSlice& slice : slices) {
    const int64_t seq_len = slice.context_len + slice.query_len;
    const bool has_places = slice.encoder_len == 0 || !slice.block_table.empty();
    if (has_places && static_cast<int64_t>(slice.block_table.size()) * block_size < seq_len)
      throw_bad_input(
          {"block table does not cover the sequence", fmt::format("request {}", slice.request),
           fmt::format("{} blocks of {} for {} tokens", slice.block_table.size(), block_size,
                       seq_len),
           fmt::format("at least {} blocks", (seq_len + block_size - 1) / block_size), ""});
    if (slice.is_prefill ? seen_decode : slice.query_len != 1)
      throw_bad_input({"the batch is in the wrong order", fmt::format("request {}", slice.request),
                       slice.is_prefill ? "a prefill after a decode"
                                        : fmt::format("{} decode tokens", slice.query_len),
                       "prefills first, then one token per decoding sequence", ""});
    seen_decode = seen_decode || !slice.is_prefill;
    for (int64_t position = slice.context_len; position < seq_len; ++position)
      metadata.slot_mapping.push_back(
          has_places ? int64_t{slice.block_table[static_cast<size_t>(position / block_size)]} *
                               block_size +
                           position % block_size
                     : kPaddingSlot);
    metadata.seq_lens.push_back(static_cast<int32_t>(seq_len));
    metadata.context_lens.push_back(static_cast<int32_t>(slice.context_len));
    metadata.query_start_loc.push_back(static_cast<int32_t>(metadata.slot_mapping.size()));
    metadata.requests.push_back(slice.request);
    metadata.block_tables.insert(metadata.block_tables.end(), slice.block_table.begin(),
                                 slice.block_table.end());
    metadata.block_tables.resize(
        metadata.seq_lens.size() * static_cast<size_t>(metadata.max_blocks_per_seq), -1);
    metadata.max_query_len = std::max(metadata.max_query_len, slice.query_len);
    if (slice.is_prefill) {
      ++metadata.num_prefills;
      metadata.num_prefill_tokens += slice.query_len;
      metadata.max_prefill_seq_len = std::max(metadata.max_prefill_seq_len, seq_len);
    } else {
      ++metadata.num_decode_tokens;
      metadata.max_decode_seq_len = std::max(metadata.max_decode_seq_len, seq_len);
    }
  }
  if (std::ranges::any_of(slices, [](const SequenceSlice& s) { return s.encoder_len > 0; }))
    add_encoder_fields(slices, block_size, metadata);
  metadata.on_built();
}

void validate(const AttentionMetadata& metadata, int64_t num_blocks, int64_t block_size) {
  if (num_blocks < 1 || block_size < 1)
    throw_bad_input({"the cache has no slots", "attention metadata",
                     fmt::format("{} blocks of {}", num_blocks, block_size),
                     "1 or more blocks of 1 or more tokens", ""});
  const auto num_seqs = static_cast<size_t>(metadata.num_seqs());
  check_length("context_lens", metadata.context_lens.size(), num_seqs);
  check_length("query_start_loc", metadata.query_start_loc.size(), num_seqs + 1);
  check_length("slot_mapping", metadata.slot_mapping.size(),
               static_cast<size_t>(metadata.num_tokens()));
  check_length("block_tables", metadata.block_tables.size(),
               num_seqs * static_cast<size_t>(metadata.max_blocks_per_seq));
  if (!metadata.requests.empty()) check_length("requests", metadata.requests.size(), num_seqs);
  check_length("query_start_loc's last entry", static_cast<size_t>(metadata.query_start_loc.back()),
               static_cast<size_t>(metadata.num_tokens()));
  for (size_t i = 0; i < metadata.slot_mapping.size(); ++i) {
    const int64_t slot = metadata.slot_mapping[i];
    if (slot < kPaddingSlot || slot >= num_blocks * block_size)
      throw_bad_input({"slot is outside the cache", fmt::format("slot_mapping[{}]", i),
                       fmt::format("{}", slot),
                       fmt::format("-1 (padding) to {}", num_blocks * block_size - 1), ""});
  }
  check_slots_differ(metadata.slot_mapping, "slot_mapping");
  check_starts(metadata.query_start_loc);
  for (int64_t seq = 0; seq < metadata.num_seqs(); ++seq) {
    const auto s = static_cast<size_t>(seq);
    const int32_t seq_len = metadata.seq_lens[s];
    if (seq_len < 0 || seq_len > kMostPositions || metadata.query_len(seq) < 0 ||
        metadata.context_lens[s] < 0 ||
        metadata.context_lens[s] + metadata.query_len(seq) != seq_len)
      throw_bad_input(
          {"sequence lengths are wrong", fmt::format("sequence {}", seq),
           fmt::format("seq_len {}, context_len {}, query_len {}", seq_len,
                       metadata.context_lens[s], metadata.query_len(seq)),
           fmt::format("seq_len = context_len + query_len, all from 0 to {}", kMostPositions), ""});
    const int64_t needed = (seq_len + block_size - 1) / block_size;
    if (needed > metadata.max_blocks_per_seq)
      throw_bad_input({"block table is too short", fmt::format("block_tables[{}]", seq),
                       fmt::format("{} blocks of {}", metadata.max_blocks_per_seq, block_size),
                       fmt::format("at least {} for {} tokens", needed, seq_len), ""});
    for (int64_t j = 0; j < needed; ++j) {
      const int32_t block = metadata.block_table(seq)[static_cast<size_t>(j)];
      if (block < 0 || block >= num_blocks)
        throw_bad_input({"block is outside the cache", fmt::format("block_tables[{}][{}]", seq, j),
                         fmt::format("{}", block), fmt::format("0 to {}", num_blocks - 1), ""});
    }
  }
}

namespace {

void check_cross_tables(const AttentionMetadata& metadata, int64_t num_blocks, int64_t block_size) {
  const int64_t width = metadata.max_cross_blocks();
  if (static_cast<int64_t>(metadata.cross_block_tables->size()) != metadata.num_seqs() * width)
    throw_bad_input({"`cross_block_tables` has the wrong length", "attention metadata",
                     fmt::format("{}", metadata.cross_block_tables->size()),
                     fmt::format("a multiple of {} sequences", metadata.num_seqs()), ""});
  for (int64_t seq = 0; seq < metadata.num_seqs(); ++seq) {
    const int64_t length = (*metadata.encoder_seq_lens)[static_cast<size_t>(seq)];
    const int64_t needed = (length + block_size - 1) / block_size;
    if (needed > width)
      throw_bad_input({"cross block table is too short", fmt::format("cross_block_tables[{}]", seq),
                       fmt::format("{} blocks of {}", width, block_size),
                       fmt::format("at least {} for {} encoder tokens", needed, length), ""});
    for (int64_t j = 0; j < needed; ++j) {
      const int32_t block = metadata.cross_block_table(seq)[static_cast<size_t>(j)];
      if (block < 0 || block >= num_blocks)
        throw_bad_input({"block is outside the cache",
                         fmt::format("cross_block_tables[{}][{}]", seq, j),
                         fmt::format("{}", block), fmt::format("0 to {}", num_blocks - 1), ""});
    }
  }
}

}  // namespace

void validate_for(AttentionType type, const AttentionMetadata& metadata, int64_t num_blocks,
                  int64_t block_size) {
  metadata.require_fields(type);
  if (type != AttentionType::kEncoder && type != AttentionType::kEncoderDecoder) return;
  check_length("encoder_seq_lens", metadata.encoder_seq_lens->size(),
               static_cast<size_t>(metadata.num_seqs()));
  // Encoder tokens come from the prefills only; in ENCODER attention from all sequences.
  const int64_t with_encoder =
      type == AttentionType::kEncoder ? metadata.num_seqs() : metadata.num_prefills;
  int64_t tokens = 0;
  for (int64_t seq = 0; seq < metadata.num_seqs(); ++seq) {
    const int32_t length = (*metadata.encoder_seq_lens)[static_cast<size_t>(seq)];
    if (length < 0 || length > kMostPositions)
      throw_bad_input({"encoder length is out of range", fmt::format("encoder_seq_lens[{}]", seq),
                       fmt::format("{}", length), fmt::format("0 to {}", kMostPositions), ""});
    if (seq < with_encoder) tokens += length;
  }
  check_length("num_encoder_tokens", static_cast<size_t>(*metadata.num_encoder_tokens),
               static_cast<size_t>(tokens));
  if (*metadata.max_encoder_seq_len < longest(*metadata.encoder_seq_lens))
    throw_bad_input({"max_encoder_seq_len is less than the longest encoder sequence",
                     "max_encoder_seq_len", fmt::format("{}", *metadata.max_encoder_seq_len),
                     fmt::format("at least {}", longest(*metadata.encoder_seq_lens)), ""});
  if (type == AttentionType::kEncoder) return;
  check_length("cross_slot_mapping", metadata.cross_slot_mapping->size(),
               static_cast<size_t>(tokens));
  const int64_t slots = num_blocks * block_size;
  for (size_t i = 0; i < metadata.cross_slot_mapping->size(); ++i) {
    const int64_t slot = (*metadata.cross_slot_mapping)[i];
    if (slot < kPaddingSlot || slot >= slots)
      throw_bad_input({"slot is outside the cache", fmt::format("cross_slot_mapping[{}]", i),
                       fmt::format("{}", slot), fmt::format("-1 (padding) to {}", slots - 1), ""});
  }
  check_slots_differ(*metadata.cross_slot_mapping, "cross_slot_mapping");
  if (num_blocks > 0) check_cross_tables(metadata, num_blocks, block_size);
}

}  // namespace attn
