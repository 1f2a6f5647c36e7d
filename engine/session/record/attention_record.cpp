// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/attention_record.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <shared_mutex>

#include "engine/attention/pad_heads.h"
#include "engine/kernels/weight_recompute.h"
#include "engine/session/record/attention_record_impl.h"

namespace attn {
namespace {

constexpr int64_t kSubTile = 256;  // most rows and keys that recompute() copies under one lock

}  // namespace

using namespace record;

void AttentionRecord::Impl::copy_part(Part part, int64_t layer, int64_t kv_head, int64_t k_begin,
                                      int64_t count, std::vector<int64_t>& slots,
                                      std::vector<float>& rows, float* out) const {
  const Table& table = table_of(layer);
  const int64_t heads = shape.num_kv_heads, width = shape.head_size, end = k_begin + count;
  const auto copy = [&](const float* source, int64_t stored, int64_t n) {
    for (int64_t i = 0; i < n; ++i, out += width)
      std::memcpy(out, source + (i * heads + kv_head) * stored,
                  static_cast<size_t>(width) * sizeof(float));
  };
  for (int64_t k = k_begin; k < end;) {
    if (is_archived(table, k)) {
      const int64_t logical = k / block_size(), n = std::min(end, (logical + 1) * block_size()) - k;
      const auto& block =
          layers[static_cast<size_t>(layer)].archived_of(part)[static_cast<size_t>(logical)];
      copy(block->data() + k % block_size() * heads * width, width, n);
      k += n;
      continue;
    }
    slots.clear();
    for (; k < end && !is_archived(table, k); ++k) slots.push_back(slot_of(table, k));
    const int64_t stored = cache->spec().head_size;  // padding included
    rows.resize(slots.size() * static_cast<size_t>(heads * stored));
    read_cache(part, layer, slots, rows.data());
    copy(rows.data(), stored, static_cast<int64_t>(slots.size()));
  }
}

AttentionRecord::AttentionRecord(uint32_t request, const Shape& shape,
                                 std::shared_ptr<const KvStorage> cache)
    : request_(request), shape_(shape) {
  const int64_t block_size = cache->spec().block_size;
  impl_ = std::make_unique<Impl>(shape, std::move(cache), block_size);
}

AttentionRecord::~AttentionRecord() = default;

void AttentionRecord::reserve_rows(int64_t rows) {
  if (rows < 1) return;
  for (size_t l = 0; l < impl_->layers.size(); ++l) {
    if (!shape_.has(static_cast<int64_t>(l))) continue;
    Impl::Layer& layer = impl_->layers[l];
    for (size_t c = layer.owned.size(); c <= chunk_of(rows - 1); ++c) {
      layer.owned.push_back(
          std::make_unique<Chunk>(chunk_rows(c), shape_.num_heads, shape_.head_size));
      layer.chunks[c].store(layer.owned.back().get(), std::memory_order_release);
    }
  }
}

void AttentionRecord::grow(int64_t rows) {
  reserve_rows(rows);
  if (rows > impl_->num_rows.load(std::memory_order_relaxed))
    impl_->num_rows.store(rows, std::memory_order_release);
}

void AttentionRecord::set_blocks(TableKind kind, std::span<const int32_t> blocks,
                                 int64_t first_held) {
  Impl& impl = *impl_;
  std::vector<int32_t>& held = impl.table(kind).blocks;
  const auto first = static_cast<size_t>(first_held);
  const auto same = [&] {
    return held.size() == blocks.size() &&
           std::ranges::equal(std::span(held).subspan(first), blocks.subspan(first));
  };
  if (shape_.keeps_keys || same()) return;
  std::lock_guard lock(impl.mutex);
  held.resize(first);
  held.insert(held.end(), blocks.begin() + first_held, blocks.end());
  for (size_t layer = 0; layer < impl.layers.size(); ++layer) {
    if (!impl.reads(layer, kind)) continue;
    for (auto& archived : impl.layers[layer].archived) {
      archived.resize(first);  // these blocks are read from the cache again
      archived.resize(blocks.size());
    }
  }
}

std::shared_ptr<AttentionRecord> AttentionRecord::fork(uint32_t request) const {
  auto child = std::make_shared<AttentionRecord>(request, shape_, impl_->cache);
  const int64_t rows = num_rows();
  child->reserve_rows(rows);
  for (size_t l = 0; l < impl_->layers.size(); ++l) {
    const Impl::Layer& from = impl_->layers[l];
    Impl::Layer& to = child->impl_->layers[l];
    for (size_t c = 0; c < to.owned.size(); ++c) {
      const Chunk &source = *from.owned[c], &copy = *to.owned[c];
      const int64_t used = std::min(source.rows, rows - chunk_begin(c));
      const auto row = static_cast<size_t>(shape_.num_heads * shape_.head_size);
      std::copy_n(source.query.get(), static_cast<size_t>(used) * row, copy.query.get());
      for (size_t i = 0; i < static_cast<size_t>(source.rows * shape_.num_heads); ++i)
        copy.lse[i].store(source.lse[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    to.archived = from.archived;
  }
  child->impl_->tables = impl_->tables;
  child->impl_->num_rows.store(rows, std::memory_order_release);
  child->impl_->version.fetch_add(1, std::memory_order_release);
  return child;
}

void AttentionRecord::keep_queries(int64_t layer, int64_t q_begin, int64_t count,
                                   const float* query, int64_t row_stride) {
  const size_t row_bytes = static_cast<size_t>(shape_.num_heads * shape_.head_size) * sizeof(float);
  for (int64_t i = 0; i < count; ++i) {
    // Readers do not look at these rows before their log-sum-exp is published.
    std::memcpy(impl_->query_at(layer, 0, q_begin + i), query + i * row_stride, row_bytes);
  }
}

void AttentionRecord::keep_keys(int64_t layer, int64_t count, const float* key,
                                const float* value) {
  Impl& impl = *impl_;
  const int64_t size = impl.block_size(), row = shape_.num_kv_heads * shape_.head_size;
  std::array<std::vector<Impl::ArchivedBlock>, 2> blocks;
  for (int64_t first = 0; first < count; first += size) {
    const int64_t begin = first * row, end = std::min(count, first + size) * row;
    blocks[0].push_back(std::make_shared<const std::vector<float>>(key + begin, key + end));
    blocks[1].push_back(std::make_shared<const std::vector<float>>(value + begin, value + end));
  }
  std::lock_guard lock(impl.mutex);
  impl.table(TableKind::kOwn).blocks.assign(blocks[0].size(), kArchived);
  impl.layers[static_cast<size_t>(layer)].archived = std::move(blocks);
}

void AttentionRecord::archive_keys() {
  for (const TableKind kind : {TableKind::kOwn, TableKind::kCross})
    archive_blocks(kind, 0, static_cast<int64_t>(impl_->table(kind).blocks.size()));
}

void AttentionRecord::archive_blocks(TableKind kind, int64_t first, int64_t end) {
  Impl& impl = *impl_;
  Impl::Table& table = impl.table(kind);
  const int64_t size = impl.block_size();
  std::vector<int64_t> logicals, slots;
  for (int64_t logical = first; logical < end; ++logical) {
    if (impl.is_archived(table, logical * size)) continue;
    logicals.push_back(logical);
    for (int64_t i = 0; i < size; ++i) slots.push_back(impl.slot_of(table, logical * size + i));
  }
  if (logicals.empty()) return;
  // Reading the cache needs no lock: only this thread and its kernels write it.
  const auto count = static_cast<int64_t>(slots.size());
  Tensor rows(DType::kF32, {count, shape_.num_kv_heads, impl.cache->spec().head_size});
  Tensor kept(DType::kF32, {count, shape_.num_kv_heads, shape_.head_size});
  const int64_t block_elements = size * shape_.num_kv_heads * shape_.head_size;
  std::vector<std::array<std::vector<Impl::ArchivedBlock>, 2>> copies(impl.layers.size());
  for (size_t layer = 0; layer < copies.size(); ++layer) {
    if (!impl.reads(layer, kind)) continue;
    for (const Part part : kParts) {
      impl.read_cache(part, static_cast<int64_t>(layer), slots, rows.data<float>());
      copy_heads(rows, kept);  // without the padding of heads
      for (size_t i = 0; i < logicals.size(); ++i) {
        const float* block = kept.data<float>() + static_cast<int64_t>(i) * block_elements;
        copies[layer][static_cast<size_t>(part)].push_back(
            std::make_shared<const std::vector<float>>(block, block + block_elements));
      }
    }
  }
  std::lock_guard lock(impl.mutex);
  for (size_t i = 0; i < logicals.size(); ++i) {
    const auto logical = static_cast<size_t>(logicals[i]);
    table.blocks[logical] = kArchived;
    for (size_t layer = 0; layer < copies.size(); ++layer) {
      if (!impl.reads(layer, kind)) continue;
      for (const Part part : kParts)
        impl.layers[layer].archived_of(part)[logical] =
            std::move(copies[layer][static_cast<size_t>(part)][i]);
    }
  }
}

void AttentionRecord::forget_rows(int64_t first) {
  Impl& impl = *impl_;
  std::lock_guard lock(impl.mutex);
  if (first == 0) {  // set_blocks() or keep_keys() gives them again
    for (Impl::Table& table : impl.tables) table.blocks.clear();
    for (Impl::Layer& layer : impl.layers)
      for (auto& archived : layer.archived) archived.clear();
  }
  const int64_t rows = impl.num_rows.load(std::memory_order_relaxed);
  for (int64_t layer = 0; layer < shape_.num_layers; ++layer)
    for (int64_t head = 0; shape_.has(layer) && head < shape_.num_heads; ++head)
      for (int64_t row = first; row < rows; ++row)
        impl.lse_at(layer, head, row)->store(kNotComputed, std::memory_order_release);
  impl.version.fetch_add(1, std::memory_order_release);
}

void AttentionRecord::publish_lse(int64_t layer, int64_t head, int64_t q_begin, int64_t count,
                                  const float* lse, int64_t stride) {
  for (int64_t i = std::max<int64_t>(0, shape_.first_query - q_begin); i < count; ++i) {
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

int64_t AttentionRecord::num_keys(int64_t layer) const {
  return key_columns(layer, num_rows());
}

uint64_t AttentionRecord::version() const {
  return impl_->version.load(std::memory_order_acquire);
}

float AttentionRecord::lse(int64_t layer, int64_t head, int64_t query) const {
  const auto is_in = [](int64_t index, int64_t count) { return index >= 0 && index < count; };
  if (!is_in(query, num_rows()) || !is_in(layer, shape().num_layers) ||
      !is_in(head, shape().num_heads))
    return kNotComputed;
  const std::atomic<float>* value = impl_->lse_at(layer, head, query);
  return value ? value->load(std::memory_order_acquire) : kNotComputed;
}

bool AttentionRecord::row_done(int64_t layer, int64_t head, int64_t query) const {
  return is_computed(lse(layer, head, query));
}

void AttentionRecord::weights(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                              int64_t k_begin, int64_t k_count, float* out) const {
  recompute(Cells::kWeights, layer, head, q_begin, q_count, k_begin, k_count, nullptr, out);
}

void AttentionRecord::scores(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                             int64_t k_begin, int64_t k_count, float* out) const {
  recompute(Cells::kScores, layer, head, q_begin, q_count, k_begin, k_count, nullptr, out);
}

void AttentionRecord::exponentials(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                                   int64_t k_begin, int64_t k_count, const float* row_max,
                                   float* out) const {
  recompute(Cells::kExponentials, layer, head, q_begin, q_count, k_begin, k_count, row_max, out);
}

void AttentionRecord::recompute(Cells what, int64_t layer, int64_t head, int64_t q_begin,
                                int64_t q_count, int64_t k_begin, int64_t k_count,
                                const float* row_max, float* out) const {
  const float hidden = what == Cells::kScores ? -std::numeric_limits<float>::infinity() : 0.0f;
  const int64_t width = shape_.head_size;
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  const WeightRule& rule = shape_.rules.of(layer);
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
        std::shared_lock lock(impl_->mutex);
        for (int64_t i = 0; i < rows; ++i) {
          const float value = lse(layer, head, q0 + i);
          lse_rows[static_cast<size_t>(i)] = value;
          if (!is_computed(value)) continue;
          last_done = q0 + i;
          std::memcpy(query.data() + i * width, impl_->query_at(layer, head, q0 + i),
                      static_cast<size_t>(width) * sizeof(float));
        }
        // In causal attention keys after the last computed row may be missing.
        const int64_t written = rule.causal ? last_done + 1 : last_done < 0 ? 0 : num_keys(layer);
        keys = std::clamp<int64_t>(
            std::min(written, impl_->keys_available(impl_->table_of(layer))) - k0, 0, columns);
        if (keys > 0)
          impl_->copy_part(Part::kKeys, layer, kv_head, k0, keys, slots, cache_rows, key.data());
      }
      for (int64_t i = 0; i < rows; ++i) {
        const bool done = is_computed(lse_rows[static_cast<size_t>(i)]);
        float* row = tile + i * k_count;
        std::fill(row + (done ? keys : 0), row + columns, done ? hidden : kNotComputed);
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
        // exp(score - lse) is the weight. With row_max in the place of lse it is the exponential.
        const float* minus = row_max ? row_max + (q0 - q_begin) : lse_rows.data();
        job.lse = minus + first;
        job.q_begin = q0 + first;
        job.q_count = end - first;
        job.k_begin = k0;
        job.k_count = keys;
        job.head_size = width;
        job.scale = shape_.scale;
        job.rule = &rule;
        job.head = head;
        if (what == Cells::kScores)
          recompute_scores(job, tile + first * k_count, k_count);
        else
          recompute_weights(job, tile + first * k_count, k_count);
        // In a row whose lse or maximum is NaN the masked cells are 0 all the same.
        for (int64_t i = first; i < end && what != Cells::kScores; ++i)
          if (std::isnan(minus[i]))
            for (int64_t k = 0; k < keys; ++k)
              if (!rule.sees(head, q0 + i, k0 + k)) tile[i * k_count + k] = 0;
        first = end;
      }
    }
  }
}

bool AttentionRecord::values(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count,
                             float* out) const {
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  std::vector<int64_t> slots;
  std::vector<float> rows;
  std::shared_lock lock(impl_->mutex);
  if (!shape_.has(layer) || !impl_->has_values || k_begin < 0 ||
      k_begin + k_count > impl_->keys_available(impl_->table_of(layer)))
    return false;
  impl_->copy_part(Part::kValues, layer, kv_head, k_begin, k_count, slots, rows, out);
  return true;
}

bool AttentionRecord::keys(int64_t layer, int64_t head, int64_t k_begin, int64_t k_count,
                           float* out) const {
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  std::vector<int64_t> slots;
  std::vector<float> rows;
  std::shared_lock lock(impl_->mutex);
  if (!shape_.has(layer) || k_begin < 0 ||
      k_begin + k_count > impl_->keys_available(impl_->table_of(layer)))
    return false;
  impl_->copy_part(Part::kKeys, layer, kv_head, k_begin, k_count, slots, rows, out);
  return true;
}

bool AttentionRecord::queries(int64_t layer, int64_t head, int64_t q_begin, int64_t q_count,
                              float* out) const {
  std::shared_lock lock(impl_->mutex);
  for (int64_t i = 0; i < q_count; ++i) {
    if (!is_computed(lse(layer, head, q_begin + i))) return false;
    std::copy_n(impl_->query_at(layer, head, q_begin + i), shape_.head_size,
                out + i * shape_.head_size);
  }
  return true;
}

WeightOperands AttentionRecord::operands(int64_t layer, int64_t head, int64_t query,
                                         int64_t key) const {
  const WeightRule& rule = shape_.rules.of(layer);
  WeightOperands result;
  result.scale = shape_.scale;
  result.lse = kNotComputed;
  result.masked = !rule.sees(head, query, key);
  result.soft_cap = rule.soft_cap;
  result.bias = rule.bias(head, query, key);
  if (!shape_.has(layer) || query < 0 || key < 0 || query >= num_rows() || key >= num_keys(layer))
    return result;
  const int64_t width = shape_.head_size;
  const int64_t kv_head = head / (shape_.num_heads / shape_.num_kv_heads);
  {
    std::shared_lock lock(impl_->mutex);
    result.lse = lse(layer, head, query);
    result.computed = is_computed(result.lse);
    const Impl::Table& table = impl_->table_of(layer);
    if (key < impl_->keys_available(table)) {
      result.slot = impl_->place_of(table, key);
      if (result.slot >= 0) result.block = static_cast<int32_t>(result.slot / impl_->block_size());
    }
    if (!result.computed) return result;
    const float* row = impl_->query_at(layer, head, query);
    result.query.assign(row, row + width);
    if (result.masked || key >= impl_->keys_available(table)) return result;
    std::vector<int64_t> slots;
    std::vector<float> rows;
    result.key.resize(static_cast<size_t>(width));
    impl_->copy_part(Part::kKeys, layer, kv_head, key, 1, slots, rows, result.key.data());
    if (impl_->has_values) {
      result.value.resize(static_cast<size_t>(width));
      impl_->copy_part(Part::kValues, layer, kv_head, key, 1, slots, rows, result.value.data());
    }
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
  job.rule = &rule;
  job.head = head;
  recompute_scores(job, &result.score, 1);
  recompute_weights(job, &result.weight, 1);
  return result;
}

}  // namespace attn
