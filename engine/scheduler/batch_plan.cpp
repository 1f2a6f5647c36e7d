// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/batch_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace attn {
namespace {

int64_t tokens_of(const BatchPlan& plan, bool prefill) {
  int64_t tokens = 0;
  for (const PlannedSequence& sequence : plan.sequences) {
    if (sequence.is_prefill == prefill) tokens += sequence.query_len;
  }
  return tokens;
}

std::string counted(int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "  label: item, item\n"; nothing for an empty list.
template <class Items, class TextOf>
void append_list(std::string& text, const char* label, const Items& items, TextOf&& text_of) {
  if (items.empty()) return;
  std::vector<std::string> parts;
  for (const auto& item : items) parts.push_back(text_of(item));
  fmt::format_to(std::back_inserter(text), "  {}: {}\n", label, fmt::join(parts, ", "));
}

std::string id_text(uint32_t request) {
  return fmt::format("{}", request);
}
std::string move_text(const BlockMove& move) {
  return fmt::format("{} to {}", move.from, move.to);
}

}  // namespace

std::string_view name_of(PreemptionMode mode) {
  return mode == PreemptionMode::kSwap ? "swap" : "recompute";
}

int64_t BatchPlan::num_prefill_tokens() const {
  return tokens_of(*this, true);
}
int64_t BatchPlan::num_decode_tokens() const {
  return tokens_of(*this, false);
}

std::vector<uint32_t> BatchPlan::swapped_out() const {
  std::vector<uint32_t> requests;
  for (const Preemption& preemption : preempted)
    if (preemption.how == PreemptionMode::kSwap) requests.push_back(preemption.request);
  return requests;
}

std::string to_string(const BatchPlan& plan) {
  const int64_t prefill = plan.num_prefill_tokens();
  const int64_t decode = plan.num_decode_tokens();
  std::string text = fmt::format("step {}: ", plan.step);
  if (plan.empty()) {
    text += "nothing to compute\n";
  } else {
    text += fmt::format("{}, {} in prefill, {} in decode\n",
                        counted(static_cast<int64_t>(plan.sequences.size()), "sequence"),
                        counted(prefill, "token"), counted(decode, "token"));
  }
  append_list(text, "forked", plan.forked,
              [](const Fork& fork) { return fmt::format("{} from {}", fork.child, fork.parent); });
  append_list(text, "finished", plan.finished, id_text);
  append_list(text, "admitted", plan.admitted, id_text);
  append_list(text, "preempted", plan.preempted, [](const Preemption& preemption) {
    return fmt::format("{} by {}", preemption.request, name_of(preemption.how));
  });
  append_list(text, "swapped in", plan.swapped_in, id_text);
  append_list(text, "ignored", plan.ignored, id_text);
  append_list(text, "blocks swapped out", plan.swap_out_moves, move_text);
  append_list(text, "blocks swapped in", plan.swap_in_moves, move_text);
  append_list(text, "blocks copied", plan.copies, move_text);
  for (const PlannedSequence& sequence : plan.sequences) {
    const int64_t last = sequence.context_len + sequence.query_len - 1;
    const std::string tokens = sequence.query_len == 1
                                   ? fmt::format("token {}", last)
                                   : fmt::format("tokens {} to {}", sequence.context_len, last);
    const std::string samples = sequence.num_samples == 0 ? ""
                                : sequence.num_samples == 1
                                    ? ", then samples"
                                    : fmt::format(", then samples {}", sequence.num_samples);
    fmt::format_to(std::back_inserter(text), "  request {}: {} {}{}\n", sequence.request,
                   sequence.is_prefill ? "prefill" : "decode", tokens, samples);
  }
  fmt::format_to(std::back_inserter(text), "  free blocks: {} before, {} after\n",
                 plan.free_blocks_before, plan.free_blocks_after);
  return text;
}

}  // namespace attn
