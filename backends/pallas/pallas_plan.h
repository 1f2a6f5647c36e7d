// SPDX-License-Identifier: GPL-3.0-or-later
// Plans, tasks and page buffers of the pallas kernels, and the copy of pages.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "backends/pallas/pallas_flash.h"
#include "backends/pallas/pallas_grid.h"
#include "backends/pallas/pallas_multi_query.h"
#include "backends/pallas/pallas_page_handover.h"
#include "backends/pallas/pallas_paged_decode.h"

namespace attn::backends::pallas {

// Flash: the query blocks, and where the repeated keys and values lie.
struct FlashPlan {
  struct Tile {
    int64_t head = 0, row = 0, rows = 0;  // rows of the padded prompt
  };
  const FlashArgs* args = nullptr;
  int64_t width = 0;        // head size rounded up to a multiple of 16
  float* keys = nullptr;    // [H, padded_len / 64 rounded up, D, 64]
  float* values = nullptr;  // [H, blocks of 128 tokens, each in strips]
  std::vector<Tile> tiles;
  // [Hkv, blocks] whether all values are finite; written by the workers.
  std::vector<uint8_t> finite;

  int64_t blocks() const { return (args->padded_len + kBlock - 1) / kBlock; }

  int64_t key_floats() const { return round_up(args->padded_len, 64) * args->head_size; }
  int64_t value_floats() const { return args->padded_len * width; }
};

struct MultiQueryPlan {
  struct Task {
    int64_t sequence = 0, kv_head = 0, row = 0;
  };
  const PagedArgs* args = nullptr;
  int64_t block_tokens = 0;                // tokens of a compute block
  int64_t rows = kQueriesPerComputeBlock;  // query rows of a task
  std::vector<Task> tasks;
};

// Decode: what each core does, in order.
struct DecodeCallPlan {
  const PagedArgs* args = nullptr;
  int64_t first_sequence = 0;  // ComputeBlock::sequence counts from here
  int64_t block_tokens = 0;
  std::vector<std::vector<ComputeBlock>> cores;
};

struct DecodeTask {
  int core = 0;
  bool copies = false;            // true: the task copies pages; false: it computes
  float* memory = nullptr;        // scratch memory with two page buffers
  PageHandover* pages = nullptr;  // null: the worker that computes copies the pages, too
};

// Two buffers that pages are copied to. Each holds the keys and values of a compute block, in the
// cache's element type.
struct PageBuffers {
  std::byte* base = nullptr;
  size_t half_bytes = 0;  // bytes of the keys, or of the values, of one compute block
  std::byte* keys(int buffer) const { return base + static_cast<size_t>(2 * buffer) * half_bytes; }
  std::byte* values(int buffer) const { return keys(buffer) + half_bytes; }
  static size_t half(int64_t block_tokens, int64_t head_size, DType dtype) {
    return static_cast<size_t>(block_tokens * head_size) * size_of(dtype);
  }
};

// Copies tokens first_token .. first_token + tokens - 1 of a KV head, page by page, to dense rows
// [tokens, head_size].
inline void copy_pages(const KvSource& source, int64_t kv_head, int64_t first_token, int64_t tokens,
                       int64_t head_size, std::byte* to) {
  const size_t element = size_of(source.dtype);
  const auto row_bytes = static_cast<size_t>(head_size) * element;
  const auto* base = static_cast<const std::byte*>(source.base);
  for (int64_t t = 0; t < tokens;) {
    const int64_t in_page = (first_token + t) % source.block_size;
    const int64_t rows =
        tokens - t < source.block_size - in_page ? tokens - t : source.block_size - in_page;
    const auto from = static_cast<size_t>(source.row(first_token + t, kv_head)) * element;
    std::memcpy(to + static_cast<size_t>(t) * row_bytes, base + from,
                static_cast<size_t>(rows) * row_bytes);
    t += rows;
  }
}

}  // namespace attn::backends::pallas
