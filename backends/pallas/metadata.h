// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of PALLAS: the common fields, is_prompt and the padded prefills of the batch. Also
// padded_prefills() of metadata of any type.
#pragma once

#include "backends/pallas/padding/padded_prefills.h"
#include "engine/attention/metadata.h"

namespace attn::backends::pallas {

struct PallasMetadata final : AttentionMetadata {
  bool is_prompt = false;  // all sequences are prompts
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

// The padded prefills of a batch. If the batch is not a PallasMetadata, they are made in
// `memory`.
inline const PaddedPrefills& padded_prefills(const AttentionMetadata& batch,
                                             PaddedPrefills& memory) {
  if (const auto* own = dynamic_cast<const PallasMetadata*>(&batch)) return own->padded;
  memory = pad_prefills(batch);
  return memory;
}

}  // namespace attn::backends::pallas
