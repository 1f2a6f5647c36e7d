// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of TORCH_SDPA: the common fields and is_prompt.
#pragma once

#include "engine/attention/metadata.h"

namespace attn::backends::torch_sdpa {

struct TorchSdpaMetadata final : AttentionMetadata {
  bool is_prompt = false;

  std::string_view type_name() const override { return "TorchSDPAMetadata"; }
  std::unique_ptr<AttentionMetadata> make_empty() const override {
    return std::make_unique<TorchSdpaMetadata>();
  }
  void on_built() override { is_prompt = num_prefills > 0 && num_decode_tokens == 0; }
};

}  // namespace attn::backends::torch_sdpa
