// SPDX-License-Identifier: GPL-3.0-or-later
// What an AttentionRecord holds. Private to attention_record.cpp and attention_record_file.cpp.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <shared_mutex>
#include <span>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn {
namespace record {

// This NaN means "not computed". A NaN that a kernel computed is published as the quiet NaN.
inline constexpr uint32_t kNotComputedBits = 0x7fc0a77eu;
inline constexpr float kNotComputed = std::bit_cast<float>(kNotComputedBits);

inline bool is_computed(float lse) {
  return std::bit_cast<uint32_t>(lse) != kNotComputedBits;
}
inline constexpr int32_t kArchived = -1;

enum class Part { kKeys, kValues };
inline constexpr Part kParts[] = {Part::kKeys, Part::kValues};
inline constexpr int64_t kFirstChunk = 64;  // rows
inline constexpr size_t kMaxChunks = 32;

// Chunk 0 holds rows [0, 64), chunk c rows [64 << (c-1), 64 << c). Rows do not move when a sequence
// grows.
inline size_t chunk_of(int64_t row) {
  return static_cast<size_t>(std::bit_width(static_cast<uint64_t>(row / kFirstChunk)));
}
inline int64_t chunk_begin(size_t chunk) {
  return chunk == 0 ? 0 : kFirstChunk << (chunk - 1);
}
inline int64_t chunk_rows(size_t chunk) {
  return chunk == 0 ? kFirstChunk : kFirstChunk << (chunk - 1);
}

// Rows of one layer. Queries are left uninitialised, so they take physical memory only for the
// pages that are written.
struct Chunk {
  Chunk(int64_t rows_in, int64_t heads, int64_t head_size)
      : rows(rows_in),
        query(new float[static_cast<size_t>(rows_in * heads * head_size)]),
        lse(new std::atomic<float>[static_cast<size_t>(rows_in * heads)]) {
    for (int64_t i = 0; i < rows * heads; ++i)
      lse[static_cast<size_t>(i)].store(kNotComputed, std::memory_order_relaxed);
  }
  int64_t rows;
  std::unique_ptr<float[]> query;             // [rows, H, D]
  std::unique_ptr<std::atomic<float>[]> lse;  // [H, rows]
};

// A shared mutex on which new readers wait while a writer waits.
class FairSharedMutex {
 public:
  void lock() {
    writers_.fetch_add(1, std::memory_order_acq_rel);
    mutex_.lock();
  }
  void unlock() {
    mutex_.unlock();
    if (writers_.fetch_sub(1, std::memory_order_acq_rel) == 1) writers_.notify_all();
  }
  void lock_shared() {
    for (int waiting; (waiting = writers_.load(std::memory_order_acquire)) > 0;)
      writers_.wait(waiting);
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
  std::atomic<int> writers_{0};
};

}  // namespace record

struct AttentionRecord::Impl {
  using ArchivedBlock = std::shared_ptr<const std::vector<float>>;  // [up to block size, Hkv, D]

  struct Layer {
    std::array<std::atomic<record::Chunk*>, record::kMaxChunks> chunks{};
    std::vector<std::unique_ptr<record::Chunk>> owned;  // engine thread
    // [Part][logical block of the table that the layer reads]; null where the cache has the block,
    // and past the keys that a session file has. Values of a file without values: empty.
    std::array<std::vector<ArchivedBlock>, 2> archived;
    std::vector<ArchivedBlock>& archived_of(record::Part part) {
      return archived[static_cast<size_t>(part)];
    }
    const std::vector<ArchivedBlock>& archived_of(record::Part part) const {
      return archived[static_cast<size_t>(part)];
    }
  };

  struct Table {
    // Index: logical block. Value: the block in the cache, or record::kArchived if its keys and
    // values are read from Layer::archived.
    std::vector<int32_t> blocks;
    // Of a record from a session file: the block table when it was saved, from which operands()
    // takes the slot of a key.
    std::vector<int32_t> places;
  };

  Impl(const Shape& shape_in, std::shared_ptr<const KvStorage> cache_in, int64_t size_of_blocks)
      : shape(shape_in),
        cache(std::move(cache_in)),
        tokens_per_block(size_of_blocks),
        layers(static_cast<size_t>(shape_in.num_layers)) {}

  const record::Chunk* chunk(int64_t layer, int64_t row) const {
    return layers[static_cast<size_t>(layer)].chunks[record::chunk_of(row)].load(
        std::memory_order_acquire);
  }
  std::atomic<float>* lse_at(int64_t layer, int64_t head, int64_t row) const {
    const record::Chunk* rows = chunk(layer, row);
    if (!rows) return nullptr;
    return &rows->lse[static_cast<size_t>(head * rows->rows + row -
                                          record::chunk_begin(record::chunk_of(row)))];
  }
  float* query_at(int64_t layer, int64_t head, int64_t row) const {
    const record::Chunk* rows = chunk(layer, row);
    const int64_t local = row - record::chunk_begin(record::chunk_of(row));
    return rows->query.get() + (local * shape.num_heads + head) * shape.head_size;
  }
  int64_t slot_of(const Table& table, int64_t position) const {
    return int64_t{table.blocks[static_cast<size_t>(position / block_size())]} * block_size() +
           position % block_size();
  }
  // The slot in the cache that holds the key, or held it when the record was saved; -1: none.
  int64_t place_of(const Table& table, int64_t position) const {
    const auto logical = static_cast<size_t>(position / block_size());
    const int32_t block = cache ? table.blocks[logical] : table.places[logical];
    return block < 0 ? -1 : int64_t{block} * block_size() + position % block_size();
  }
  // Copies keys or values of a KV head, from k_begin on, to out [count, D]. Call it under the
  // shared lock. slots, rows: buffers.
  void copy_part(record::Part part, int64_t layer, int64_t kv_head, int64_t k_begin, int64_t count,
                 std::vector<int64_t>& slots, std::vector<float>& rows, float* out) const;
  // Reads keys or values of slots in the cache into rows [slots, Hkv, stored head size].
  void read_cache(record::Part part, int64_t layer, std::span<const int64_t> slots,
                  float* rows) const {
    if (part == record::Part::kKeys)
      cache->backend().read_keys(cache->layer(layer), slots, rows);
    else
      cache->backend().read_values(cache->layer(layer), slots, rows);
  }
  void save_part(record::Part part, int64_t layer, int64_t keys, PutBytes& out) const;
  void load_part(record::Part part, int64_t layer, int64_t keys, TakeBytes& in);
  int64_t keys_available(const Table& table) const {
    return static_cast<int64_t>(table.blocks.size()) * block_size();
  }
  int64_t block_size() const { return tokens_per_block; }
  bool is_archived(const Table& table, int64_t position) const {
    return table.blocks[static_cast<size_t>(position / block_size())] == record::kArchived;
  }
  TableKind kind_of(size_t layer) const {
    return shape.rules.of(static_cast<int64_t>(layer)).cross ? TableKind::kCross : TableKind::kOwn;
  }
  const Table& table_of(int64_t layer) const {
    return tables[static_cast<size_t>(kind_of(static_cast<size_t>(layer)))];
  }
  Table& table(TableKind kind) { return tables[static_cast<size_t>(kind)]; }
  const Table& table(TableKind kind) const { return tables[static_cast<size_t>(kind)]; }
  bool reads(size_t layer, TableKind kind) const {
    return shape.has(static_cast<int64_t>(layer)) && kind_of(layer) == kind;
  }
  bool has(TableKind kind) const {
    for (size_t layer = 0; layer < layers.size(); ++layer)
      if (reads(layer, kind)) return true;
    return false;
  }

  const Shape shape;
  // Held exclusively to change tables and keys or to forget rows, shared to copy operands.
  mutable record::FairSharedMutex mutex;
  const std::shared_ptr<const KvStorage> cache;  // null: from a session file, all keys are archived
  const int64_t tokens_per_block;
  std::array<Table, 2> tables;  // index: TableKind
  std::vector<Layer> layers;
  bool has_values = true;  // false: a session file without values
  std::atomic<int64_t> num_rows{0};
  std::atomic<uint64_t> version{0};
};

}  // namespace attn
