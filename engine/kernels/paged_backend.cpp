// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/paged_backend.h"

#include "engine/attention/pad_heads.h"
#include "engine/core/error.h"

namespace attn {

std::unique_ptr<AttentionImpl> PagedBackend::make_impl(const AttentionConfig& config) const {
  validate(config);
  validate_options(*this, config);
  auto reasons = not_supported_reasons(config);
  if (!reasons.empty()) throw Error::not_supported(std::move(reasons));
  const int64_t head_size = cache_head_size(*this, config);
  if (head_size == config.head_size) return impl_for(config);
  return pad_heads(impl_for(padded_config(*this, config)), head_size);
}

}  // namespace attn
