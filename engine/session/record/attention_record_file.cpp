// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and loads an AttentionRecord in a session file. After save_about() come, for each layer,
// log-sum-exps [H, rows] and the queries [H, D] of the rows that are computed for at least one
// head. Then come the keys [Hkv, keys, D] of the layers, then their values if the record has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/session/record/attention_record.h"
#include "engine/session/record/attention_record_impl.h"
#include "engine/session/session_file/session_bytes.h"

namespace attn {

using namespace record;

namespace {

template <class Archive, class Shape>
void archive_about(Archive& a, Shape& shape) {
  a.number(shape.encoder_keys, 0, kMostPositions, "encoder keys");
  a.flag(shape.keeps_keys, "keeps its keys");
}

int64_t layers_of(const AttentionRecord::Shape& shape) {
  int64_t count = 0;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer) count += shape.has(layer) ? 1 : 0;
  return count;
}

// Refuses a record that does not fit in memory. A row that is not computed has no query in the
// file, but gets room for one.
void check_room(const AttentionRecord::Shape& shape, int64_t rows, const TakeBytes& in) {
  // 4 bytes each, doubled because from 64 rows on the chunks have room for up to twice the rows.
  const double need = 8.0 * static_cast<double>(rows) *
                      static_cast<double>(layers_of(shape) * shape.num_heads) *
                      static_cast<double>(shape.head_size);
  ask_memory(
      {.bytes = need,
       .what = "record does not fit in memory",
       .where = in.place("rows"),
       .found = fmt::format("{} rows x {} layers x {} heads x {} (head size) x 8 bytes = {}", rows,
                            layers_of(shape), shape.num_heads, shape.head_size, bytes_text(need)),
       .advice = ""});
}

}  // namespace

// One more than the last row that is computed for at least one head; 0: there is none.
int64_t AttentionRecord::rows_done(int64_t layer) const {
  for (int64_t row = num_rows(); row > 0; --row)
    for (int64_t head = 0; head < shape_.num_heads; ++head)
      if (row_done(layer, head, row - 1)) return row;
  return 0;
}

// How many keys of a table, from position 0 on, a saved copy needs for the rows computed so far.
int64_t AttentionRecord::keys_needed(TableKind kind) const {
  int64_t done = 0, all = 0;
  bool causal = true;
  for (int64_t layer = 0; layer < shape_.num_layers; ++layer) {
    if (!impl_->reads(static_cast<size_t>(layer), kind)) continue;
    done = std::max(done, rows_done(layer));
    all = num_keys(layer);
    causal = causal && shape_.rules.of(layer).causal;
  }
  if (done == 0) return 0;
  return std::min(impl_->keys_available(impl_->table(kind)), causal ? done : all);
}

// How many rows, from the first on, ignore the window in layers with ALiBi.
int64_t AttentionRecord::rows_without_window() const {
  int64_t rows = 0;
  for (const WeightRule& rule : shape_.rules.list())
    rows = std::max(rows, rule.rows_without_window);
  return rows;
}

void AttentionRecord::save_about(PutBytes& out) const {
  archive_about(out, shape_);
  out.number(num_rows(), 0, kMostPositions, "rows");
  for (const TableKind kind : {TableKind::kOwn, TableKind::kCross}) {
    if (!impl_->has(kind)) continue;
    const Impl::Table& table = impl_->table(kind);
    out.list(impl_->cache ? table.blocks : table.places, kMostCount, "blocks", [&](int32_t block) {
      out.number(block, -1, std::numeric_limits<int32_t>::max(), "block");
    });
  }
  out.flag(impl_->has_values, "has values");
  out.number(rows_without_window(), 0, kMostPositions, "rows without a window");
}

uint64_t AttentionRecord::saved_bytes() const {
  const auto heads = static_cast<uint64_t>(shape_.num_heads),
             width = static_cast<uint64_t>(shape_.head_size);
  uint64_t floats = 0;
  const uint64_t keys_of[] = {static_cast<uint64_t>(keys_needed(TableKind::kOwn)),
                              static_cast<uint64_t>(keys_needed(TableKind::kCross))};
  for (int64_t layer = 0; layer < shape_.num_layers; ++layer) {
    if (!shape_.has(layer)) continue;
    const uint64_t keys = keys_of[static_cast<size_t>(impl_->kind_of(static_cast<size_t>(layer)))];
    uint64_t rows = 0;
    for (int64_t row = 0; row < num_rows(); ++row) {
      bool done = false;
      for (int64_t head = 0; head < shape_.num_heads && !done; ++head)
        done = row_done(layer, head, row);
      rows += done ? 1 : 0;
    }
    floats +=
        heads * static_cast<uint64_t>(num_rows()) + rows * heads * width +
        (impl_->has_values ? 2 : 1) * keys * static_cast<uint64_t>(shape_.num_kv_heads) * width;
  }
  return floats * sizeof(float);
}

void AttentionRecord::save_rows(int64_t layer, PutBytes& out) const {
  if (!shape_.has(layer)) return;
  const int64_t rows = num_rows(), width = shape_.head_size;
  std::vector<bool> done(static_cast<size_t>(rows));
  for (int64_t head = 0; head < shape_.num_heads; ++head)
    for (int64_t row = 0; row < rows; ++row) {
      const float value = lse(layer, head, row);
      out.raw(&value, sizeof value);
      if (is_computed(value)) done[static_cast<size_t>(row)] = true;
    }
  for (int64_t row = 0; row < rows; ++row)
    if (done[static_cast<size_t>(row)])
      out.raw(impl_->query_at(layer, 0, row),
              static_cast<size_t>(shape_.num_heads * width) * sizeof(float));
}

// Writes keys or values [Hkv, keys, D], one KV head after the other.
void AttentionRecord::Impl::save_part(Part part, int64_t layer, int64_t keys, PutBytes& out) const {
  std::vector<float> one(static_cast<size_t>(keys * shape.head_size)), scratch;
  std::vector<int64_t> slots;
  std::shared_lock lock(mutex);
  for (int64_t head = 0; keys > 0 && head < shape.num_kv_heads; ++head) {
    copy_part(part, layer, head, 0, keys, slots, scratch, one.data());
    out.raw(one.data(), one.size() * sizeof(float));
  }
}

void AttentionRecord::save_keys(int64_t layer, PutBytes& out) const {
  if (!shape_.has(layer)) return;
  impl_->save_part(Part::kKeys, layer, keys_needed(impl_->kind_of(static_cast<size_t>(layer))),
                   out);
}

void AttentionRecord::save_values(int64_t layer, PutBytes& out) const {
  if (!impl_->has_values || !shape_.has(layer)) return;
  impl_->save_part(Part::kValues, layer, keys_needed(impl_->kind_of(static_cast<size_t>(layer))),
                   out);
}

AttentionRecord::AttentionRecord(uint32_t request, const Shape& shape, std::unique_ptr<Impl> impl)
    : request_(request), shape_(shape), impl_(std::move(impl)) {}

std::shared_ptr<const AttentionRecord> AttentionRecord::load(uint32_t request, Shape shape,
                                                             int64_t block_size, int64_t num_blocks,
                                                             Tells tells, TakeBytes& in) {
  archive_about(in, shape);
  int64_t rows = 0;
  in.number(rows, 0, kMostPositions, "rows");
  // Checked before room is made for the rows: the file has the log-sum-exps of each row.
  const uint64_t lse_bytes = static_cast<uint64_t>(rows) *
                             static_cast<uint64_t>(layers_of(shape) * shape.num_heads) *
                             sizeof(float);
  if (lse_bytes > in.remaining())
    in.refuse("record has more rows than its bytes can hold", "rows", fmt::format("{}", rows),
              fmt::format("{} bytes of log-sum-exps, {} are left", lse_bytes, in.remaining()));
  check_room(shape, rows, in);
  auto impl = std::make_unique<Impl>(shape, nullptr, block_size);
  const auto most_blocks = static_cast<uint64_t>(
      std::max(num_blocks, (std::max(rows, shape.encoder_keys) + block_size - 1) / block_size));
  for (const TableKind kind : {TableKind::kOwn, TableKind::kCross}) {
    if (!impl->has(kind)) continue;
    Impl::Table& table = impl->table(kind);
    in.list(table.places, most_blocks, "blocks",
            [&](int32_t& block) { in.number(block, -1, num_blocks - 1, "block"); });
    table.blocks.assign(table.places.size(), kArchived);
  }
  impl->has_values = false;
  if (tells.values) in.flag(impl->has_values, "has values");
  int64_t unbounded = 0;
  if (tells.rows_without_window) in.number(unbounded, 0, kMostPositions, "rows without a window");
  shape.rules = shape.rules.without_window(unbounded);
  std::shared_ptr<AttentionRecord> record(new AttentionRecord(request, shape, std::move(impl)));
  record->reserve_rows(rows);
  record->impl_->num_rows.store(rows, std::memory_order_release);
  // Rows come first, because the number of keys follows from them.
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    if (shape.has(layer)) record->load_rows(layer, in);
  const int64_t keys_of[] = {record->keys_needed(TableKind::kOwn),
                             record->keys_needed(TableKind::kCross)};
  for (const Part part : kParts) {
    if (part == Part::kValues && !record->impl_->has_values) continue;
    for (int64_t layer = 0; layer < shape.num_layers; ++layer)
      if (shape.has(layer))
        record->impl_->load_part(
            part, layer,
            keys_of[static_cast<size_t>(record->impl_->kind_of(static_cast<size_t>(layer)))], in);
  }
  record->impl_->version.store(1, std::memory_order_release);
  return record;
}

void AttentionRecord::Impl::load_part(Part part, int64_t layer, int64_t keys, TakeBytes& in) {
  const int64_t row = shape.num_kv_heads * shape.head_size, size = block_size();
  const auto width = static_cast<size_t>(shape.head_size) * sizeof(float);
  const std::string_view bytes =
      in.raw(static_cast<uint64_t>(keys) * static_cast<uint64_t>(row) * sizeof(float),
             part == Part::kKeys ? "keys" : "values");
  const char* from = bytes.data();
  std::vector<std::vector<float>> blocks;
  for (int64_t first = 0; first < keys; first += size)
    blocks.emplace_back(static_cast<size_t>(std::min(size, keys - first) * row));
  for (int64_t head = 0; head < shape.num_kv_heads; ++head)
    for (int64_t k = 0; k < keys; ++k) {
      std::memcpy(
          blocks[static_cast<size_t>(k / size)].data() + k % size * row + head * shape.head_size,
          from, width);
      from += width;
    }
  std::vector<ArchivedBlock>& archived = layers[static_cast<size_t>(layer)].archived_of(part);
  archived.resize(table_of(layer).blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i)
    archived[i] = std::make_shared<const std::vector<float>>(std::move(blocks[i]));
}

void AttentionRecord::load_rows(int64_t layer, TakeBytes& in) {
  const int64_t rows = num_rows();
  std::vector<bool> done(static_cast<size_t>(rows));
  for (int64_t head = 0; head < shape_.num_heads; ++head)
    for (int64_t row = 0; row < rows; ++row) {
      float value = 0;
      in.raw(&value, sizeof value, "log-sum-exp");
      if (is_computed(value)) {
        done[static_cast<size_t>(row)] = true;
        if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
      }
      impl_->lse_at(layer, head, row)->store(value, std::memory_order_relaxed);
    }
  const size_t bytes = static_cast<size_t>(shape_.num_heads * shape_.head_size) * sizeof(float);
  for (int64_t row = 0; row < rows; ++row)
    if (done[static_cast<size_t>(row)]) in.raw(impl_->query_at(layer, 0, row), bytes, "queries");
}

}  // namespace attn
