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

void append_requests(std::string& text, const char* label, const std::vector<uint32_t>& requests) {
  if (requests.empty()) return;
  fmt::format_to(std::back_inserter(text), "  {}: {}\n", label, fmt::join(requests, ", "));
}

}  // namespace

int64_t BatchPlan::num_prefill_tokens() const {
  return tokens_of(*this, true);
}
int64_t BatchPlan::num_decode_tokens() const {
  return tokens_of(*this, false);
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
  append_requests(text, "admitted", plan.admitted);
  append_requests(text, "preempted", plan.preempted);
  append_requests(text, "ignored", plan.ignored);
  for (const PlannedSequence& sequence : plan.sequences) {
    const int64_t last = sequence.context_len + sequence.query_len - 1;
    const std::string tokens = sequence.query_len == 1
                                   ? fmt::format("token {}", last)
                                   : fmt::format("tokens {} to {}", sequence.context_len, last);
    fmt::format_to(std::back_inserter(text), "  request {}: {} {}{}\n", sequence.request,
                   sequence.is_prefill ? "prefill" : "decode", tokens,
                   sequence.samples ? ", then samples" : "");
  }
  fmt::format_to(std::back_inserter(text), "  free blocks: {} before, {} after\n",
                 plan.free_blocks_before, plan.free_blocks_after);
  return text;
}

}  // namespace attn
