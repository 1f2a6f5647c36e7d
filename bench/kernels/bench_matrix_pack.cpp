// SPDX-License-Identifier: GPL-3.0-or-later
// Packing keys and values in tiles of 256 tokens for a bf16 unit, if there is one.
#include <algorithm>

#include "backends/unified/backend.h"
#include "bench/kernels/cache_bench.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn::bench {
namespace {

constexpr int64_t kPackedTile = 256;

void pack(benchmark::State& state, DType dtype, bool keys) {
  Cache cache(backend_named("unified"), dtype);
  const CacheLayout layout = backends::unified::cache_layout(cache.view);
  KvSource source = keys ? layout.keys : layout.values;
  const std::vector<int64_t> order = shuffled(kBlocks);
  const std::vector<int32_t> table(order.begin(), order.end());
  source.block_table = table.data();
  const int64_t tokens = kBlocks * kBlockSize;
  const auto tile_bytes = static_cast<size_t>(keys ? matrix_key_bytes(kPackedTile, kHeadSize)
                                                   : matrix_value_bytes(kPackedTile, kHeadSize));
  AlignedBuffer packed(tile_bytes * static_cast<size_t>(tokens / kPackedTile));
  const double read = static_cast<double>(tokens * kHeadSize) * static_cast<double>(size_of(dtype));
  measure(
      state,
      [&] {
        std::byte* to = packed.data();
        for (int64_t k = 0; k < tokens; k += kPackedTile, to += tile_bytes)
          if (keys)
            matrix_pack_keys(source, 0, k, kPackedTile, kHeadSize, to);
          else
            matrix_pack_values(source, 0, k, kPackedTile, kHeadSize, to);
      },
      copy_work(read + static_cast<double>(packed.size())));
}

void add_pack(DType dtype, bool keys) {
  add_row(fmt::format("tile/pack/{}/{}/N{}/D{}/BS{}/T1", keys ? "keys" : "values", name_of(dtype),
                      kBlocks * kBlockSize, kHeadSize, kBlockSize),
          [=](benchmark::State& state) { pack(state, dtype, keys); });
}

}  // namespace

void register_matrix_pack() {
  if (!has_bf16_unit(Bf16Unit::kMatrix) && !has_bf16_unit(Bf16Unit::kDotProducts)) return;
  add_pack(DType::kBF16, true);
  add_pack(DType::kI8, true);
  add_pack(DType::kBF16, false);
}

}  // namespace attn::bench
