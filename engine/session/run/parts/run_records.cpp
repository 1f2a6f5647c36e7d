// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/run_records.h"

#include <utility>

namespace attn {

RunRecords::RunRecords(Run run)
    : run_(std::move(run)), num_encoder_layers_(run_.shape.num_encoder_layers()) {}

void RunRecords::resize(size_t requests) {
  own_.resize(requests);
  encoder_.resize(requests);
  rows_without_window_.resize(requests);
}

void RunRecords::add_request() {
  resize(own_.size() + 1);
}

void RunRecords::forked(const Request& parent, const Request& child) {
  if (own_.size() <= child.id) resize(child.id + 1);
  rows_without_window_[child.id] = rows_without_window_[parent.id];
  for (List* list : {&own_, &encoder_})
    if (const auto& record = (*list)[parent.id]) (*list)[child.id] = record->fork(child.id);
}

void RunRecords::before_free(const Request& request) {
  const bool stays = is_finished(request.state) || request.state == RequestState::kSwapped;
  if (const auto& record = own_[request.id]) {
    if (stays)
      record->archive_keys();
    else
      record->forget_rows();
  }
  if (const auto& record = encoder_[request.id]; record && !stays) record->forget_rows();
}

void RunRecords::block_changed(const BlockChange& change) {
  if (change.kind != BlockChangeKind::kWindowLeft) return;
  if (const auto& record = own_[request_of_table(change.sequence)])
    record->archive_blocks(kind_of_table(change.sequence), change.logical, change.logical + 1);
}

void RunRecords::prepare(const PlannedSequence& planned, const Request& request,
                         const LayerRules& rules) {
  if (!run_.keeps) return;
  const SourceShape& shape = run_.shape;
  if (auto& record = encoder_[request.id]; num_encoder_layers_ > 0) {
    if (!record)
      record = std::make_shared<AttentionRecord>(
          request.id,
          AttentionRecord::Shape{shape.num_layers, shape.num_heads, shape.num_kv_heads,
                                 shape.head_size, shape.scale, *run_.rules, 0, true, 0, true},
          run_.cache);
    record->grow(planned.encoder_len);
  }
  std::shared_ptr<AttentionRecord>& record = own_[request.id];
  if (!record)
    record = std::make_shared<AttentionRecord>(
        request.id,
        AttentionRecord::Shape{shape.num_layers, shape.num_heads, shape.num_kv_heads,
                               shape.head_size, shape.scale,
                               rules.without_window(rows_without_window_[request.id]),
                               planned.encoder_len, run_.is_encoder, shape.first_query, false},
        run_.cache);
  record->grow(planned.context_len + planned.query_len);
  for (const TableKind kind : request.tables()) {
    const uint32_t table = table_id(request.id, kind);
    record->set_blocks(kind, run_.manager.blocks(table), run_.manager.blocks_left_window(table));
  }
}

void RunRecords::set_rows_without_window(uint32_t request, int64_t rows) {
  rows_without_window_[request] = rows;
  own_[request].reset();
}

void RunRecords::keep_queries(int64_t layer, const AttentionMetadata& batch,
                              const LayerOperands& operands) {
  if (!run_.keeps) return;
  const Tensor& query = operands.query;
  const Tensor& key = operands.key;
  const int64_t row = query.dim(1) * query.dim(2);
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    const int64_t first = batch.query_start_loc[static_cast<size_t>(s)];
    AttentionRecord& record = *list_of(layer)[batch.request(s)];
    record.keep_queries(layer, batch.context_lens[static_cast<size_t>(s)], batch.query_len(s),
                        query.data<float>() + first * row, row);
    if (!record.shape().keeps_keys) continue;
    // No cache holds these keys and values, so the record keeps them.
    const int64_t begin = first * key.dim(1) * key.dim(2);
    record.keep_keys(layer, batch.query_len(s), key.data<float>() + begin,
                     operands.value.data<float>() + begin);
  }
}

void RunRecords::publish_missing_rows(int64_t layer, const AttentionMetadata& batch,
                                      const Tensor& lse) {
  if (!run_.keeps) return;
  const int64_t heads = run_.shape.num_heads;
  for (int64_t s = 0; s < batch.num_seqs(); ++s) {
    AttentionRecord& record = *list_of(layer)[batch.request(s)];
    const int64_t context = batch.context_lens[static_cast<size_t>(s)];
    const float* rows = lse.data<float>() + batch.query_start_loc[static_cast<size_t>(s)] * heads;
    for (int64_t head = 0; head < heads; ++head) {
      int64_t first = 0;
      while (first < batch.query_len(s) && record.row_done(layer, head, context + first)) ++first;
      if (first < batch.query_len(s))
        record.publish_lse(layer, head, context + first, batch.query_len(s) - first,
                           rows + first * heads + head, heads);
    }
  }
}

void RunRecords::forget(const PlannedSequence& planned) {
  if (const auto& record = own_[planned.request]) record->forget_rows(planned.context_len);
  if (const auto& record = encoder_[planned.request]; record && planned.is_prefill)
    record->forget_rows();
}

void RunRecords::Sink::rows_done(uint32_t request, int layer, int head, int64_t q_begin,
                                 int64_t count, const float* lse, int64_t lse_stride) {
  const List& list = records_.list_of(layer);
  if (request < list.size() && list[request])
    list[request]->publish_lse(layer, head, q_begin, count, lse, lse_stride);
  if (records_.run_.progress) records_.run_.progress->add_rows(count);
}

}  // namespace attn
