// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "engine/attention/backend.h"

namespace attn {
namespace {

void add_bias_reasons(const AttentionBackend& backend, const BackendCapabilities& capabilities,
                      const AttentionMetadata& metadata, std::vector<std::string>& reasons) {
  if (!metadata.dense_bias) return;
  if (!capabilities.dense_bias) {
    reasons.push_back(
        fmt::format("{} does not support a dense bias tensor.", backend.display_name()));
    return;
  }
  if (!capabilities.decode_dense_bias && metadata.num_decode_tokens > 0)
    reasons.push_back(fmt::format(
        "{} does not support a dense bias tensor in decode, because paged attention takes none.",
        backend.display_name()));
}

}  // namespace

std::vector<std::string> batch_not_supported_reasons(const AttentionBackend& backend,
                                                     const AttentionConfig& config,
                                                     const AttentionMetadata& metadata) {
  std::vector<std::string> reasons;
  const BackendCapabilities capabilities = backend.capabilities();
  add_bias_reasons(backend, capabilities, metadata, reasons);
  if (config.extended) return reasons;
  const bool mixed =
      capabilities.mixed_batches || (capabilities.mixed_when_chunked && config.chunked_prefill);
  if (!mixed && metadata.num_prefills > 0 && metadata.num_decode_tokens > 0)
    reasons.push_back(fmt::format(
        "{} computes either prefills or decodes in one call, not both{}.", backend.display_name(),
        capabilities.mixed_when_chunked ? ", unless chunked prefill is on" : ""));
  if (config.attn_type != AttentionType::kDecoder) return reasons;
  const auto prefills = metadata.context_lens.begin() + metadata.num_prefills;
  const bool has_context = std::any_of(metadata.context_lens.begin(), prefills,
                                       [](int32_t context_len) { return context_len > 0; });
  if (!capabilities.context_bias && has_context) {
    if (config.alibi_slopes)
      reasons.push_back(fmt::format(
          "{} does not support ALiBi in a prefill with cached tokens, as its original does not.",
          backend.display_name()));
    if (config.sliding_window)
      reasons.push_back(
          fmt::format("{} does not support a sliding window in a prefill with cached tokens, as "
                      "its original does not.",
                      backend.display_name()));
  }
  return reasons;
}

}  // namespace attn
