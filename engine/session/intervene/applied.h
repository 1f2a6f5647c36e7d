// SPDX-License-Identifier: GPL-3.0-or-later
// AppliedInterventions: the interventions of one request, while it runs. The engine calls it where
// a step has the numbers in its hands: the output of the heads before W_O, the rows of attention,
// the residual stream. It counts what each intervention changes, because one that changes no bit
// is a mistake that nothing else would show. Engine thread.
//
// A row with a cut edge or without its sink is computed again from its query, the keys and the
// values, in the order of the keys: scores by the code that recomputes weights for the views, sums
// in f64. A row is replaced only if the same arithmetic without the cut gives other bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/session/intervene/intervention.h"
#include "engine/session/record/layer_rules.h"
#include "engine/session/record/residual_record.h"

namespace attn {

// The keys and values of a sequence: row i is key `first` + i, [count, Hkv, stored head size] f32.
struct KeyRows {
  const float* key = nullptr;
  const float* value = nullptr;
  int64_t first = 0, count = 0;
  int64_t stored = 0;  // floats of a head; with padding more than the head size
};

// Rows of a sequence in a step: `count` rows from position `first` on.
struct StepRows {
  int64_t first = 0, count = 0;
};

// The rules of the run with what the interventions take out of the softmax of a row: cut edges and
// sinks. Throws Error(kBadInput) for a sink that a head does not have; `where` names the list.
LayerRules rules_with(const std::vector<Intervention>& list, const SourceShape& shape,
                      const LayerRules& plain, const std::string& where);

class AppliedInterventions {
 public:
  // rules: those of the run. Throws Error(kBadInput) for a sink that a head does not have.
  AppliedInterventions(std::vector<Intervention> list, const SourceShape& shape,
                       const LayerRules& rules, const std::string& where);

  const std::vector<Intervention>& list() const { return list_; }
  // The rules of the run with the cut edges and without the sinks that are off.
  const LayerRules& rules() const { return rules_; }

  // The first `rows` rows of the request ignore a window beside ALiBi.
  void set_rows_without_window(int64_t rows) {
    plain_ = plain_.without_window(rows);
    rules_ = rules_.without_window(rows);
  }

  // What some interventions take their numbers from: an untouched run of this request's own prompt,
  // or of another request's.
  bool needs_own_prompt() const;
  std::vector<int64_t> needed_requests() const;  // each once
  bool has_references() const { return has_references_; }
  // own: null where needs_own_prompt() is false. of: a record for each of needed_requests(), in
  // that order.
  void set_references(std::shared_ptr<const ResidualRecord> own,
                      std::vector<std::shared_ptr<const ResidualRecord>> of);

  // Whether an intervention may change something in a layer.
  bool changes_rows(int64_t layer) const;   // change_rows() may do something
  bool changes_heads(int64_t layer) const;  // change_heads() may do something

  // query [count, H, D]; out [count, H, D] and lse [count, H] are what the backend computed.
  // rounds_to_bf16: outputs of the backend are bf16 numbers.
  void change_rows(int64_t layer, StepRows rows, const float* query, const KeyRows& keys,
                   bool rounds_to_bf16, float* out, float* lse);
  // out [count, H, D].
  void change_heads(int64_t layer, StepRows rows, float* out);
  // x [count, width].
  void change_residual(ResidualSite site, int64_t layer, StepRows rows, int64_t width, float* x);

  // For each intervention, how many numbers it has changed so far; for a cut edge or a sink, how
  // many it would have changed alone. A row that is computed again counts again.
  std::span<const int64_t> changed() const { return changed_; }
  // A sentence for each intervention that has changed no bit.
  std::vector<std::string> without_effect() const;

 private:
  struct Reference {
    std::shared_ptr<const ResidualRecord> record;
    std::vector<float> mean;  // [D], of kMean
  };
  void replace(size_t which, std::span<float> to, const float* with);

  std::vector<Intervention> list_;
  SourceShape shape_;
  LayerRules plain_, rules_;
  std::vector<Reference> references_;  // one for each intervention
  std::vector<int64_t> changed_;
  bool has_references_ = false;
};

}  // namespace attn
