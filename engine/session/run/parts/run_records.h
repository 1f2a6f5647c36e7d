// SPDX-License-Identifier: GPL-3.0-or-later
// RunRecords: the attention records of all requests, and how many rows of each ignore the window.
// Engine thread; workers write rows through sink().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/attention/metadata.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/record/attention_record.h"
#include "engine/session/run/parts/layer_operands.h"
#include "engine/session/run/step_progress.h"
#include "engine/trace/probe.h"

namespace attn {

class RunRecords {
 public:
  struct Run {
    const SourceShape& shape;
    bool keeps = true;        // false: no records are made
    bool is_encoder = false;  // every layer sees the whole prompt at once and keeps no cache
    std::shared_ptr<const LayerRules> rules;
    std::shared_ptr<const KvStorage> cache;
    const BlockManager& manager;
    StepProgress* progress = nullptr;
  };
  explicit RunRecords(Run run);

  bool keeps() const { return run_.keeps; }
  // Where kernels report finished rows; null: no records are kept.
  RowsSink* sink() { return run_.keeps ? &sink_ : nullptr; }
  // The layers [0, num_encoder_layers()) belong to an encoder before a decoder.
  int64_t num_encoder_layers() const { return num_encoder_layers_; }

  // --- requests: ids are 0, 1, 2, ... ---
  uint32_t num_requests() const { return static_cast<uint32_t>(own_.size()); }
  void add_request();
  void forked(const Request& parent, const Request& child);
  // Call before a sequence's device blocks are freed or swapped out. If the request has ended or is
  // swapped out, its record gets a copy of its keys and values; otherwise its rows are forgotten.
  void before_free(const Request& request);
  // If the change is a block that leaves the window, copies its keys and values to the record. Call
  // it before the block is written again.
  void block_changed(const BlockChange& change);

  // The record of a request's own tokens, and of its encoder's layers; null while there is none.
  const std::shared_ptr<AttentionRecord>& own(uint32_t request) const { return own_[request]; }
  const std::shared_ptr<AttentionRecord>& encoder(uint32_t request) const {
    return encoder_[request];
  }
  // How many rows of the request, from the first on, ignore the window.
  int64_t rows_without_window(uint32_t request) const { return rows_without_window_[request]; }

  // --- a step ---
  // Makes room for what the step computes of a sequence. rules: those of the request, which may
  // have interventions.
  void prepare(const PlannedSequence& planned, const Request& request, const LayerRules& rules);
  // Call prepare() afterwards: the rule of a record does not change, so the request gets another
  // record.
  void set_rows_without_window(uint32_t request, int64_t rows);
  void keep_queries(int64_t layer, const AttentionMetadata& batch, const LayerOperands& operands);
  // Publishes the rows that the kernels did not report.
  void publish_missing_rows(int64_t layer, const AttentionMetadata& batch, const Tensor& lse);
  // Forgets the rows of a sequence in the cancelled step.
  void forget(const PlannedSequence& planned);

 private:
  // Passes finished rows to the record of their request, and counts them. Workers call it while the
  // engine thread does not change the list of records.
  class Sink final : public RowsSink {
   public:
    explicit Sink(const RunRecords& records) : records_(records) {}
    void rows_done(uint32_t request, int layer, int head, int64_t q_begin, int64_t count,
                   const float* lse, int64_t lse_stride) override;

   private:
    const RunRecords& records_;
  };
  using List = std::vector<std::shared_ptr<AttentionRecord>>;

  const List& list_of(int64_t layer) const { return layer < num_encoder_layers_ ? encoder_ : own_; }
  void resize(size_t requests);

  const Run run_;
  const int64_t num_encoder_layers_;
  List own_, encoder_;                        // index: request id
  std::vector<int64_t> rows_without_window_;  // index: request id
  Sink sink_{*this};
};

}  // namespace attn
