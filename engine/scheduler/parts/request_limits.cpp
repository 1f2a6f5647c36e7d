// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/request_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/counted.h"
#include "engine/scheduler/fault.h"
#include "engine/scheduler/request_needs.h"

namespace attn {
namespace {

constexpr uint64_t kWithEncoder = uint64_t{1} << 63;

}  // namespace

RequestLimits::RequestLimits(const SchedulerConfig& config, const BlockManager& manager)
    : config_(config),
      manager_(manager),
      block_size_(manager.config().block_size),
      usable_blocks_(manager.num_usable()) {}

std::string RequestLimits::never_fits(const Request& request) {
  const auto prompt_len = static_cast<int64_t>(request.prompt_ids.size());
  std::string reason;
  const auto add_sentence = [&reason](const std::string& sentence) {
    if (!reason.empty()) reason += ' ';
    reason += sentence;
  };
  if (prompt_len < 1) add_sentence("The prompt is empty: at least 1 token is needed.");
  const auto require_one = [&](const char* name, int64_t value) {
    if (value < 1) add_sentence(fmt::format("{} is {}: at least 1 is needed.", name, value));
  };
  require_one("max_tokens", request.max_tokens);
  require_one("n", request.n);
  require_one("beam_width", request.beam_width);
  if (request.n > 1 && request.is_beam()) {
    add_sentence(fmt::format("n is {} and beam_width is {}: one of them must be 1.", request.n,
                             request.beam_width));
  }
  const RequestNeeds needs = needs_of({.prompt_tokens = prompt_len,
                                       .encoder_tokens = request.places_in(TableKind::kCross),
                                       .caches_own = request.caches_own,
                                       .n = request.n,
                                       .beam_width = request.beam_width},
                                      1, config_.policy, block_size_);
  if (needs.model_len > config_.max_model_len) {
    add_sentence(
        fmt::format("The prompt has {} tokens. With one new token it needs a max_model_len of at "
                    "least {}; it is {}.",
                    prompt_len, needs.model_len, config_.max_model_len));
  }
  const auto encoder_len = static_cast<int64_t>(request.encoder_ids.size());
  if (config_.max_encoder_len > 0 && encoder_len > config_.max_encoder_len)
    add_sentence(fmt::format("The encoder would read {} tokens; it can read {}.", encoder_len,
                             config_.max_encoder_len));
  if (config_.policy == SchedulingPolicy::kPrefillFirst &&
      prompt_len > config_.max_num_batched_tokens) {
    add_sentence(
        fmt::format("The prompt has {} tokens, and prefill_first computes it in one step. This "
                    "needs a max_num_batched_tokens of at least {}; it is {}.",
                    prompt_len, prompt_len, config_.max_num_batched_tokens));
  }
  const int64_t sequences = needs.sequences;
  const auto require_seats = [&](const char* limit, int64_t value) {
    if (sequences <= value) return;
    add_sentence(
        fmt::format("{} sequences run at the same time. This needs a {} of at least {}; it is {}.",
                    sequences, limit, sequences, value));
  };
  if (sequences > 1) {
    require_seats("max_num_seqs", config_.max_num_seqs);
    require_seats("max_num_batched_tokens", config_.max_num_batched_tokens);
  }
  const auto has = [&] {
    std::string text;
    for (const TableKind kind : request.tables())
      text += fmt::format("{} {} has {}", text.empty() ? "The" : " and the",
                          kind == TableKind::kCross ? "encoder" : "prompt",
                          counted(request.places_in(kind), "token", "tokens"));
    return text + (request.tables().size() > 1 ? ", which needs" : " and needs");
  };
  const char* besides = manager_.config().sliding_window ? " besides the null block" : "";
  if (needs.blocks > usable_blocks_) {
    add_sentence(fmt::format(
        "{} {} of {}{}; the cache has {}{}.", has(), counted(needs.blocks, "block", "blocks"),
        counted(block_size_, "token", "tokens"),
        needs.copies > 1 ? fmt::format(" for {} beams", request.beam_width) : "", usable_blocks_,
        besides));
  } else if (reason.empty() && room_for(request, request.prompt_ids) == Room::kNever) {
    add_sentence(
        fmt::format("{} {} of {}. In addition a share of {} of all blocks must stay free "
                    "(watermark). The cache has {} blocks{}.",
                    has(), counted(needs.blocks / needs.copies, "block", "blocks"),
                    counted(block_size_, "token", "tokens"), manager_.config().watermark,
                    usable_blocks_, besides));
  }
  return reason;
}

// Beams that were computed again may share no blocks, so sharing is not counted on here.
std::optional<std::string> RequestLimits::cap_reason(const Request& request) const {
  const auto generated = static_cast<int64_t>(request.output_ids.size());
  const int64_t most = request.max_tokens + (ATTN_SCHEDULER_FAULT(kOneTokenMore) ? 1 : 0);
  if (generated >= most) return "";
  if (request.num_tokens() >= config_.max_model_len) {
    return fmt::format("Stopped after {} of {} tokens: the sequence reached max_model_len {}.",
                       generated, request.max_tokens, config_.max_model_len);
  }
  if (blocks_of(request) * copies_of(request) > usable_blocks_) {
    const std::string who = request.is_beam() ? fmt::format("{} beams may need", request.beam_width)
                            : request.tables().size() > 1 ? "the sequence and its encoder need"
                                                          : "the sequence needs";
    return fmt::format("Stopped after {} of {} tokens: {} more than all {} of {}{}.", generated,
                       request.max_tokens, who, counted(usable_blocks_, "block", "blocks"),
                       counted(block_size_, "token", "tokens"),
                       manager_.config().sliding_window ? " besides the null block" : "");
  }
  return std::nullopt;
}

// What is cached for a decoder's tokens depends on the encoder's tokens, too. The highest bit keeps
// these prefix keys apart from those of requests without an encoder.
uint64_t RequestLimits::prefix_key(const Request& request) {
  if (!request.has_encoder()) return request.cache_key;
  const auto key = std::pair(request.cache_key, request.encoder_ids);
  return encoder_keys_.try_emplace(key, kWithEncoder | encoder_keys_.size()).first->second;
}

Room RequestLimits::room_for(const Request& request, std::span<const int32_t> own_ids) {
  return manager_.can_allocate(request.caches_own ? own_ids : std::span<const int32_t>{},
                               prefix_key(request), request.places_in(TableKind::kCross));
}

// The number of blocks of all tables of the request, for its known tokens, if it shares none.
int64_t RequestLimits::blocks_of(const Request& request) const {
  int64_t blocks = 0;
  for (const TableKind kind : request.tables())
    blocks += (request.places_in(kind) + block_size_ - 1) / block_size_;
  return blocks;
}

// How many times blocks_of() a request may need side by side. Beams that were computed again may
// share no blocks.
int64_t RequestLimits::copies_of(const Request& request) const {
  return request.caches_own ? std::max<int64_t>(1, request.beam_width) : 1;
}

}  // namespace attn
