// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

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
  backend.add_batch_reasons(config, metadata, reasons);
  if (config.extended) return reasons;
  if (!capabilities.mixed_batches && metadata.num_prefills > 0 && metadata.num_decode_tokens > 0)
    reasons.push_back(fmt::format(
        "{} computes either prefills or decodes in one call, not both: all sequences of "
        "a batch are prompts, or none is.",
        backend.display_name()));
  return reasons;
}

}  // namespace attn
