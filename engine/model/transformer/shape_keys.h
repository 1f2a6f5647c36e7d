// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a family's config.json for the shape of its tensors, and the values where a key is
// missing.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/config_reader.h"
#include "engine/model/transformer/transformer_spec.h"

namespace attn {

struct SizeKey {
  std::vector<const char*> names;  // the first of these that is there counts
  int64_t otherwise = 0;           // where no key is there; 0: required, but see `inner`
};

// `size` and kv_heads are keys that the config may have. Without `size` the head size is the width
// divided by the heads. kv_heads null: there are as many KV heads as query heads.
struct ShapeKeys {
  SizeKey width;
  // The inner size is 4 times the width if `inner` has no names, or if its `otherwise` is 0 and the
  // config has no such key.
  SizeKey inner;
  SizeKey layers, vocabulary, positions, heads;
  const char* kv_heads = nullptr;
  int64_t default_kv_heads = 0;  // where this key is missing, not null; 0: as many as query heads
  const char* size = nullptr;
};

// Reads the sizes into `to`, and the names of the axes for messages. Returns false when a problem
// was added.
bool read_shape(ConfigReader& reader, const ShapeKeys& keys, TransformerSpec& to);

}  // namespace attn
