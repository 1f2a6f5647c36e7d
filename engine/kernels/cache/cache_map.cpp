// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/cache_map.h"

#include <algorithm>
#include <utility>

namespace attn {

int64_t CacheMap::byte_of(CacheHalf which, const CacheElement& element) const {
  const KvSource& source = half(which);
  return (which == CacheHalf::kValue ? value_byte : 0) +
         (source.slot_row(element.slot, element.head) + source.element(element.d)) *
             element_bytes();
}

std::vector<CacheElement> CacheMap::read_at(CacheHalf which, const CacheElement& element,
                                            int64_t read_bytes) const {
  const int64_t begin = byte_of(which, element) / read_bytes * read_bytes;
  const int64_t block = element.slot / block_size;
  std::vector<std::pair<int64_t, CacheElement>> found;
  for (int64_t offset = 0; offset < block_size; ++offset)
    for (int64_t head = 0; head < num_kv_heads; ++head)
      for (int64_t d = 0; d < head_size; ++d) {
        const CacheElement other{block * block_size + offset, head, d};
        const int64_t byte = byte_of(which, other);
        if (byte >= begin && byte < begin + read_bytes) found.emplace_back(byte, other);
      }
  std::ranges::sort(found, {}, [](const auto& entry) { return entry.first; });
  std::vector<CacheElement> elements;
  for (const auto& entry : found) elements.push_back(entry.second);
  return elements;
}

}  // namespace attn
