// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/attention_record.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <shared_mutex>

#include "engine/attention/pad_heads.h"
#include "engine/kernels/weight_recompute.h"

namespace attn {
namespace {

// One fixed NaN says "not computed"; a NaN that a kernel computed is published as the plain one.
constexpr uint32_t kNotComputedBits = 0x7fc0a77eu;
constexpr float kNotComputed = std::bit_cast<float>(kNotComputedBits);

bool is_computed(float lse) {
  return std::bit_cast<uint32_t>(lse) != kNotComputedBits;
}
constexpr int64_t kSubTile = 256;    // rows and columns computed under one lock
constexpr int64_t kFirstChunk = 64;  // rows; every further chunk doubles the room
constexpr size_t kMaxChunks = 32;

// Chunk c holds rows [64 << (c-1), 64 << c), chunk 0 rows [0, 64): rows never move when a sequence
// grows.
size_t chunk_of(int64_t row) {
  return static_cast<size_t>(std::bit_width(static_cast<uint64_t>(row / kFirstChunk)));
}
int64_t chunk_begin(size_t chunk) {
  return chunk == 0 ? 0 : kFirstChunk << (chunk - 1);
}
int64_t chunk_rows(size_t chunk) {
  return chunk == 0 ? kFirstChunk : kFirstChunk << (chunk - 1);
}

// Rows of one layer. Query memory is not touched before it is written, so a big chunk costs pages
// only when used.
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

// Counts writers that wait, so that a stream of readers lets them in.
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

}  // namespace

struct AttentionRecord::Impl {
  struct Layer {
    std::array<std::atomic<Chunk*>, kMaxChunks> chunks{};
    std::vector<std::unique_ptr<Chunk>> owned;  // engine thread
    std::vector<float> keys;                    // archived: [archived_rows, Hkv, D]
  };

  explicit Impl(const Shape& shape_in, std::shared_ptr<const KvStorage> cache_in)
      : shape(shape_in),
        cache(std::move(cache_in)),
        layers(static_cast<size_t>(shape_in.num_layers)) {}

  const Chunk* chunk(int64_t layer, int64_t row) const {
    return layers[static_cast<size_t>(layer)].chunks[chunk_of(row)].load(std::memory_order_acquire);
  }
  std::atomic<float>* lse_at(int64_t layer, int64_t head, int64_t row) const {
    const Chunk* rows = chunk(layer, row);
    if (!rows) return nullptr;
    return &rows->lse[static_cast<size_t>(head * rows->rows + row - chunk_begin(chunk_of(row)))];
  }
  float* query_at(int64_t layer, int64_t head, int64_t row) const {
    const Chunk* rows = chunk(layer, row);
    const int64_t local = row - chunk_begin(chunk_of(row));
    return rows->query.get() + (local * shape.num_heads + head) * shape.head_size;
  }
  int64_t slot_of(int64_t position) const {
    const int64_t block_size = cache->spec().block_size;
    return int64_t{blocks[static_cast<size_t>(position / block_size)]} * block_size +
           position % block_size;
  }
  // Under the shared lock. keys [count, D] of the KV head, positions k_begin...
  void copy_keys(int64_t layer, int64_t kv_head, int64_t k_begin, int64_t count,
                 std::vector<int64_t>& slots, std::vector<float>& rows, float* keys) const;
  int64_t keys_available() const {
    return cache ? static_cast<int64_t>(blocks.size()) * cache->spec().block_size : archived_rows;
  }

  const Shape shape;
  mutable FairSharedMutex
      mutex;  // keys' place and rows that are forgotten: exclusive; looking at them: shared
  std::shared_ptr<const KvStorage> cache;  // null: archived
  std::shared_ptr<const KvStorage> home;   // where the keys live while the sequence holds blocks
  std::vector<int32_t> blocks;
  int64_t archived_rows = 0;
  std::vector<Layer> layers;
  std::atomic<int64_t> num_rows{0};
  std::atomic<uint64_t> version{0};
};

void AttentionRecord::Impl::copy_keys(int64_t layer, int64_t kv_head, int64_t k_begin,
                                      int64_t count, std::vector<int64_t>& slots,
                                      std::vector<float>& rows, float* keys) const {
  const int64_t heads = shape.num_kv_heads, width = shape.head_size;
  const float* source = nullptr;
  int64_t stored = width;  // elements of a head where the keys are: padded ones in the cache
  if (cache) {
    stored = cache->spec().head_size;
    slots.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) slots[static_cast<size_t>(i)] = slot_of(k_begin + i);
    rows.resize(static_cast<size_t>(count * heads * stored));
    cache->backend().read_keys(cache->layer(layer), slots, rows.data());
    source = rows.data();
  } else {
    source = layers[static_cast<size_t>(layer)].keys.data() + k_begin * heads * width;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(keys + i * width, source + (i * heads + kv_head) * stored,
                static_cast<size_t>(width) * sizeof(float));
}

AttentionRecord::AttentionRecord(uint32_t request, const Shape& shape,
                                 std::shared_ptr<const KvStorage> cache)
    : request_(request), shape_(shape), impl_(std::make_unique<Impl>(shape, cache)) {
  impl_->home = std::move(cache);
  if (shape_.keeps_keys) impl_->cache = nullptr;
}

AttentionRecord::~AttentionRecord() = default;

void AttentionRecord::grow(int64_t rows, std::span<const int32_t> blocks) {
  Impl& impl = *impl_;
  if (rows > 0) {
    for (Impl::Layer& layer : impl.layers) {
      for (size_t c = layer.owned.size(); c <= chunk_of(rows - 1); ++c) {
        layer.owned.push_back(
            std::make_unique<Chunk>(chunk_rows(c), shape_.num_heads, shape_.head_size));
        layer.chunks[c].store(layer.owned.back().get(), std::memory_order_release);
      }
    }
  }
  if (!shape_.keeps_keys && (!impl.cache || !std::ranges::equal(impl.blocks, blocks))) {
    std::lock_guard lock(impl.mutex);
    impl.blocks.assign(blocks.begin(), blocks.end());
    impl.cache = impl.home;
    impl.archived_rows = 0;
    for (Impl::Layer& layer : impl.layers) std::vector<float>().swap(layer.keys);
  }
  if (rows > impl.num_rows.load(std::memory_order_relaxed))
    impl.num_rows.store(rows, std::memory_order_release);
}

void AttentionRecord::keep_queries(int64_t layer, int64_t q_begin, int64_t count,
                                   const float* query, int64_t row_stride) {
  const size_t row_bytes = static_cast<size_t>(shape_.num_heads * shape_.head_size) * sizeof(float);
  for (int64_t i = 0; i < count; ++i) {
    // Nobody looks at these rows before their lse is there.
    std::memcpy(impl_->query_at(layer, 0, q_begin + i), query + i * row_stride, row_bytes);
  }
}

void AttentionRecord::keep_keys(int64_t layer, int64_t count, const float* key) {
  const size_t size = static_cast<size_t>(count * shape_.num_kv_heads * shape_.head_size);
  std::vector<float> kept(key, key + size);
  std::lock_guard lock(impl_->mutex);
  impl_->layers[static_cast<size_t>(layer)].keys = std::move(kept);
  impl_->archived_rows = count;
}

void AttentionRecord::archive_keys() {
  Impl& impl = *impl_;
  if (!impl.cache) return;
  const int64_t count = std::min(num_keys(), impl.keys_available());
  std::vector<int64_t> slots(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) slots[static_cast<size_t>(i)] = impl.slot_of(i);
  // Reading the cache needs no lock: only this thread's kernels write it. Readers switch over under
  // the lock.
  const int64_t stored = impl.cache->spec().head_size;
  Tensor rows(DType::kF32, {count, shape_.num_kv_heads, stored});
  Tensor kept(DType::kF32, {count, shape_.num_kv_heads, shape_.head_size});
  std::vector<std::vector<float>> keys(impl.layers.size());
  for (size_t layer = 0; layer < keys.size(); ++layer) {
    impl.cache->backend().read_keys(impl.cache->layer(static_cast<int64_t>(layer)), slots,
                                    rows.data<float>());
    copy_heads(rows, kept);  // without the padding of heads
    keys[layer].assign(kept.span<float>().begin(), kept.span<float>().end());
  }
  std::lock_guard lock(impl.mutex);
  for (size_t layer = 0; layer < keys.size(); ++layer)
    impl.layers[layer].keys = std::move(keys[layer]);
  impl.archived_rows = count;
  impl.cache = nullptr;
  impl.blocks.clear();
}

void AttentionRecord::forget_rows(int64_t first) {
  Impl& impl = *impl_;
  std::lock_guard lock(impl.mutex);
  if (first == 0) impl.blocks.clear();  // about to be freed, or grown again
  const int64_t rows = impl.num_rows.load(std::memory_order_relaxed);
  for (int64_t layer = 0; layer < shape_.num_layers; ++layer)
    for (int64_t head = 0; head < shape_.num_heads; ++head)
      for (int64_t row = first; row < rows; ++row)
        impl.lse_at(layer, head, row)->store(kNotComputed, std::memory_order_release);
  impl.version.fetch_add(1, std::memory_order_release);
}

void AttentionRecord::publish_lse(int64_t layer, int64_t head, int64_t q_begin, int64_t count,
                                  const float* lse, int64_t stride) {
  for (int64_t i = 0; i < count; ++i) {
    const float value = lse[i * stride];
    impl_->lse_at(layer, head, q_begin + i)
        ->store(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value,
                std::memory_order_release);
  }
  impl_->version.fetch_add(1, std::memory_order_release);
}

int64_t AttentionRecord::num_rows() const {
  return impl_->num_rows.load(std::memory_order_acquire);
}

int64_t AttentionRecord::num_keys() const {
  return key_columns(num_rows());
}

uint64_t AttentionRecord::version() const {
  return impl_->version.load(std::memory_order_acquire);
}

float AttentionRecord::lse(int64_t layer, int64_t head, int64_t query) const {
  if (query < 0 || query >= num_rows()) return kNotComputed;
  const std::atomic<float>* value = impl_->lse_at(layer, head, query);
  return value ? value->load(std::memory_order_acquire) : kNotComputed;
}

bool AttentionRecord::row_done(int64_t layer, int64_t head, int64_t query) const {
  return is_computed(lse(layer, head, query));
}

void AttentionRecord::weights(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                              int64_t k_begin, int64_t k_count, float* out) const {
  const int64_t width = shape_.head_size;
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  const int64_t tile_rows = std::min(q_count, kSubTile), tile_keys = std::min(k_count, kSubTile);
  std::vector<float> query(static_cast<size_t>(tile_rows * width)),
      key(static_cast<size_t>(tile_keys * width));
  std::vector<float> lse_rows(static_cast<size_t>(tile_rows)), cache_rows;
  std::vector<int64_t> slots;
  for (int64_t q0 = q_begin; q0 < q_begin + q_count; q0 += kSubTile) {
    const int64_t rows = std::min(kSubTile, q_begin + q_count - q0);
    for (int64_t k0 = k_begin; k0 < k_begin + k_count; k0 += kSubTile) {
      const int64_t columns = std::min(kSubTile, k_begin + k_count - k0);
      float* tile = out + (q0 - q_begin) * k_count + (k0 - k_begin);
      int64_t last_done = -1, keys = 0;
      {
        // Only copies under the lock; the arithmetic comes after it.
        std::shared_lock lock(impl_->mutex);
        for (int64_t i = 0; i < rows; ++i) {
          const float value = lse(layer, head, q0 + i);
          lse_rows[static_cast<size_t>(i)] = value;
          if (!is_computed(value)) continue;
          last_done = q0 + i;
          std::memcpy(query.data() + i * width, impl_->query_at(layer, head, q0 + i),
                      static_cast<size_t>(width) * sizeof(float));
        }
        // A finished row's keys are all in the cache; in causal attention keys behind the last
        // finished row may not be.
        const int64_t written = shape_.rule.causal ? last_done + 1 : last_done < 0 ? 0 : num_keys();
        keys = std::clamp<int64_t>(std::min(written, impl_->keys_available()) - k0, 0, columns);
        if (keys > 0) impl_->copy_keys(layer, kv_head, k0, keys, slots, cache_rows, key.data());
      }
      for (int64_t i = 0; i < rows; ++i) {
        const bool done = is_computed(lse_rows[static_cast<size_t>(i)]);
        float* row = tile + i * k_count;
        std::fill(row + (done ? keys : 0), row + columns, done ? 0.0f : kNotComputed);
      }
      for (int64_t first = 0; keys > 0 && first < rows;) {
        if (!is_computed(lse_rows[static_cast<size_t>(first)])) {
          ++first;
          continue;
        }
        int64_t end = first + 1;
        while (end < rows && is_computed(lse_rows[static_cast<size_t>(end)])) ++end;
        WeightTile job;
        job.query = query.data() + first * width;
        job.query_stride = width;
        job.key = key.data();
        job.key_stride = width;
        job.lse = lse_rows.data() + first;
        job.q_begin = q0 + first;
        job.q_count = end - first;
        job.k_begin = k0;
        job.k_count = keys;
        job.head_size = width;
        job.scale = shape_.scale;
        job.rule = &shape_.rule;
        job.head = head;
        recompute_weights(job, tile + first * k_count, k_count);
        // A row of NaN: the masked cells are 0 all the same.
        for (int64_t i = first; i < end; ++i)
          if (std::isnan(lse_rows[static_cast<size_t>(i)]))
            for (int64_t k = 0; k < keys; ++k)
              if (!shape_.rule.sees(head, q0 + i, k0 + k)) tile[i * k_count + k] = 0;
        first = end;
      }
    }
  }
}

WeightOperands AttentionRecord::operands(int64_t layer, int64_t head, int64_t query,
                                         int64_t key) const {
  WeightOperands result;
  result.scale = shape_.scale;
  result.lse = kNotComputed;
  result.masked = !shape_.rule.sees(head, query, key);
  result.soft_cap = shape_.rule.soft_cap;
  result.bias = shape_.rule.slope(head) * static_cast<float>(key - query);
  if (query < 0 || key < 0 || query >= num_rows() || key >= num_keys()) return result;
  const int64_t width = shape_.head_size;
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  {
    std::shared_lock lock(impl_->mutex);
    result.lse = lse(layer, head, query);
    result.computed = is_computed(result.lse);
    if (impl_->cache && key < impl_->keys_available()) {
      result.slot = impl_->slot_of(key);
      result.block = static_cast<int32_t>(result.slot / impl_->cache->spec().block_size);
    }
    if (!result.computed) return result;
    const float* row = impl_->query_at(layer, head, query);
    result.query.assign(row, row + width);
    if (result.masked || key >= impl_->keys_available()) return result;
    std::vector<int64_t> slots;
    std::vector<float> rows;
    result.key.resize(static_cast<size_t>(width));
    impl_->copy_keys(layer, kv_head, key, 1, slots, rows, result.key.data());
  }
  result.dot = score_dot(result.query.data(), result.key.data(), width);
  WeightTile job;
  job.query = result.query.data();
  job.query_stride = width;
  job.key = result.key.data();
  job.key_stride = width;
  job.lse = &result.lse;
  job.q_begin = query;
  job.q_count = 1;
  job.k_begin = key;
  job.k_count = 1;
  job.head_size = width;
  job.scale = result.scale;
  job.rule = &shape_.rule;
  job.head = head;
  recompute_scores(job, &result.score, 1);
  recompute_weights(job, &result.weight, 1);
  return result;
}

}  // namespace attn
