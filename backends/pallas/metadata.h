// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of PALLAS: the common fields, and what only its original has.
#pragma once

#include "engine/attention/metadata.h"

namespace attn::backends::pallas {

struct PallasMetadata final : AttentionMetadata {
  bool is_prompt = false;  // all sequences are prompts; the original never mixes them with decodes

  std::string_view type_name() const override { return "PallasMetadata"; }
  std::unique_ptr<AttentionMetadata> make_empty() const override {
    return std::make_unique<PallasMetadata>();
  }
  void on_built() override { is_prompt = num_prefills > 0 && num_decode_tokens == 0; }
};

}  // namespace attn::backends::pallas
