// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/transformer/shape_keys.h"

#include <algorithm>

#include "engine/core/limits.h"

namespace attn {
namespace {

const char* name_in(const ConfigReader& reader, const SizeKey& key) {
  const auto found =
      std::ranges::find_if(key.names, [&](const char* name) { return reader.root().has(name); });
  return found == key.names.end() ? key.names.front() : *found;
}

}  // namespace

bool read_shape(ConfigReader& reader, const ShapeKeys& keys, TransformerSpec& to) {
  const auto read = [&](const SizeKey& key, int64_t most, int64_t otherwise, std::string& name,
                        int64_t& size) {
    name = name_in(reader, key);
    return reader.size(name.c_str(), most, size, otherwise);
  };
  const bool has_inner = !keys.inner.names.empty();
  bool ok = read(keys.width, has_inner ? ConfigReader::kMostWidth : ConfigReader::kMostWidth / 4,
                 keys.width.otherwise, to.width.name, to.width.size);
  if (has_inner) {
    ok &= read(keys.inner, ConfigReader::kMostWidth,
               keys.inner.otherwise ? keys.inner.otherwise : 4 * to.width.size, to.inner.name,
               to.inner.size);
  } else {
    to.inner = {"4 * " + to.width.name, 4 * to.width.size};
  }
  ok &= read(keys.layers, kMostLayers, keys.layers.otherwise, to.layers.name, to.layers.size);
  ok &= read(keys.vocabulary, kMostVocabulary, keys.vocabulary.otherwise, to.vocabulary.name,
             to.vocabulary.size);
  ok &= read(keys.positions, kMostPositions, keys.positions.otherwise, to.positions_key,
             to.max_model_len);
  to.heads_key = name_in(reader, keys.heads);
  return reader.heads(to.width.size,
                      {.heads = to.heads_key.c_str(),
                       .kv_heads = keys.kv_heads,
                       .size = keys.size,
                       .width = to.width.name.c_str(),
                       .default_heads = keys.heads.otherwise,
                       .default_kv_heads = keys.default_kv_heads},
                      to.heads) &&
         ok;
}

}  // namespace attn
