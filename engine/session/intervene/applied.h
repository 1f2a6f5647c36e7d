// SPDX-License-Identifier: GPL-3.0-or-later
// AppliedInterventions: applies the interventions of one request while it runs, and counts the
// numbers that each changes. Engine thread; rules_with(): any thread.
//
// A row with a cut edge or without its sink is computed again from the query, the keys and the
// values: scores in f32, sums over keys in f64. The row is replaced only if the same arithmetic
// without interventions gives other bits.
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
  int64_t stored = 0;  // stored head size, padding included
};

struct StepRows {
  int64_t first = 0, count = 0;
};

// `plain` with the cut edges, and without the sinks that are off. Throws Error(kBadInput) for a
// sink that a head does not have. where: place of the list, for errors.
LayerRules rules_with(const std::vector<Intervention>& list, const SourceShape& shape,
                      const LayerRules& plain, const std::string& where);

class AppliedInterventions {
 public:
  AppliedInterventions(std::vector<Intervention> list, const SourceShape& shape,
                       const LayerRules& rules, const std::string& where);

  const std::vector<Intervention>& list() const { return list_; }
  const LayerRules& rules() const { return rules_; }

  // With ALiBi and a window, the first `rows` rows of the request ignore the window.
  void set_rows_without_window(int64_t rows) {
    plain_ = plain_.without_window(rows);
    rules_ = rules_.without_window(rows);
  }

  // Replacement values other than 0 come from runs without interventions: of this request's prompt,
  // or of other requests' prompts.
  bool needs_own_prompt() const;
  std::vector<int64_t> needed_requests() const;  // each once
  bool has_references() const { return has_references_; }
  // own: null where needs_own_prompt() is false. of: a record for each of needed_requests(), in
  // that order.
  void set_references(std::shared_ptr<const ResidualRecord> own,
                      std::vector<std::shared_ptr<const ResidualRecord>> of);

  bool changes_rows(int64_t layer) const;   // change_rows() may do something
  bool changes_heads(int64_t layer) const;  // change_heads() may do something

  // query [count, H, D]; out [count, H, D] and lse [count, H]: results of the backend, changed in
  // place. rounds_to_bf16: new outputs are rounded to bf16.
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
