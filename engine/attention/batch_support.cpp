// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "engine/attention/backend.h"

namespace attn {

std::vector<std::string> batch_not_supported_reasons(const AttentionBackend& backend,
                                                     const AttentionConfig& config,
                                                     const AttentionMetadata& metadata) {
  std::vector<std::string> reasons;
  if (config.extended) return reasons;
  const BackendCapabilities capabilities = backend.capabilities();
  if (!capabilities.mixed_batches && metadata.num_prefills > 0 && metadata.num_decode_tokens > 0)
    reasons.push_back(
        fmt::format("{} runs a batch of prefills or a batch of decodes, not both in one call.",
                    backend.display_name()));
  const auto prefills = metadata.context_lens.begin() + metadata.num_prefills;
  const bool has_context = std::any_of(metadata.context_lens.begin(), prefills,
                                       [](int32_t context_len) { return context_len > 0; });
  if (!capabilities.context_bias && has_context) {
    if (config.alibi_slopes)
      reasons.push_back(
          fmt::format("{} has no ALiBi in a prefill with cached tokens, as the original.",
                      backend.display_name()));
    if (config.sliding_window)
      reasons.push_back(
          fmt::format("{} has no sliding window in a prefill with cached tokens, as the original.",
                      backend.display_name()));
  }
  return reasons;
}

}  // namespace attn
