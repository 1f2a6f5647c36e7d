// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of PALLAS: the common fields, and those that only this backend has. Its builder pads
// the prompts of the batch.
#pragma once

#include "backends/pallas/padding/padded_prefills.h"
#include "engine/attention/metadata.h"

namespace attn::backends::pallas {

struct PallasMetadata final : AttentionMetadata {
  bool is_prompt = false;  // all sequences are prompts; vLLM never mixes them with decodes
  PaddedPrefills padded;

  std::string_view type_name() const override { return "PallasMetadata"; }
  std::unique_ptr<AttentionMetadata> make_empty() const override {
    return std::make_unique<PallasMetadata>();
  }
  void on_built() override {
    is_prompt = num_prefills > 0 && num_decode_tokens == 0;
    padded = pad_prefills(*this);
  }
};

// The padded prefills of a batch: those of its builder, or, where another backend's builder made
// the batch, made now in `memory`.
inline const PaddedPrefills& padded_prefills(const AttentionMetadata& batch,
                                             PaddedPrefills& memory) {
  if (const auto* own = dynamic_cast<const PallasMetadata*>(&batch)) return own->padded;
  memory = pad_prefills(batch);
  return memory;
}

}  // namespace attn::backends::pallas
