// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of XFORMERS: the common fields and has_prefix.
#pragma once

#include <algorithm>

#include "engine/attention/metadata.h"

namespace attn::backends::xformers {

struct XformersMetadata final : AttentionMetadata {
  // Whether a prompt of the batch has cached tokens.
  bool has_prefix = false;

  std::string_view type_name() const override { return "XFormersMetadata"; }
  std::unique_ptr<AttentionMetadata> make_empty() const override {
    return std::make_unique<XformersMetadata>();
  }
  void on_built() override {
    has_prefix = std::any_of(context_lens.begin(), context_lens.begin() + num_prefills,
                             [](int32_t context) { return context > 0; });
  }
};

}  // namespace attn::backends::xformers
