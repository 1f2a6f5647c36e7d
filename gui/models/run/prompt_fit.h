// SPDX-License-Identifier: GPL-3.0-or-later
// PromptFit: whether a request of the edited scenario can run and gets all its tokens, told before
// the run, in the words of the window's fields, and what would make it fit. GUI thread; no Widgets.
#pragma once

#include <QString>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/model/tokenizer/tokenizer.h"
#include "engine/session/run/snapshot.h"
#include "engine/session/scenario/scenario.h"

namespace attn::gui {

struct PromptFit {
  int64_t tokens = -1;    // of the prompt; -1: not known, and nothing is said
  bool runs = true;       // false: the engine refuses it
  QString sentence = {};  // what does not fit; empty: all does
  // What make_it_fit() changes: "Blocks 29"; empty: all fits, or nothing helps.
  QString fix = {};
};

// The fit of a request with a prompt of that many tokens. shape: of the source; max_model_len 0:
// not known.
PromptFit fit_of(const Scenario& scenario, const ScenarioRequest& request, int64_t prompt_tokens,
                 const SourceShape& shape);
// Why a request of a run was refused or ended before it had all its tokens; empty: neither.
QString reason_of(const EngineSnapshot& snapshot, const RequestView& request);

// Counts the tokens of prompts before there is a run. It reads a model's tokenizer when it is first
// asked for a prompt of that model.
class PromptMeter {
 public:
  // Takes what this run knows of its source and prompts; for these no file is read.
  void set_run(const std::shared_ptr<const EngineSnapshot>& snapshot);
  PromptFit fit(const Scenario& scenario, size_t request);
  // Raises Blocks, Batch budget, Max sequences and, in a synthetic source, Longest, so that the
  // request gets all its tokens. If a model or the tensors are too short, it cuts Max new tokens,
  // and the prompt of a model. Changes nothing if PromptFit::fix is empty.
  void make_it_fit(Scenario& scenario, size_t request);
  // Sets the number of blocks of `edited` to what all its requests need at once, but at least to
  // `least`, if the requests of `before` fitted at once, and requests were edited but neither the
  // source nor the size or number of blocks. For models only.
  void grow_cache(const Scenario& before, Scenario& edited, int64_t least);

 private:
  struct Known {
    Tokenizer tokenizer;
    SourceShape shape;
    // Tokens by text; first: whether the text is a whole one, which may get special tokens.
    std::map<std::pair<bool, std::string>, int64_t> counts;
    size_t bytes = 0;  // of these texts
  };
  Known* known_of(const Scenario& scenario);
  SourceShape shape_of(const Scenario& scenario);
  // The prompt tokens of the request's own sequence (with an encoder and a decoder, the decoder's);
  // -1: not known.
  int64_t tokens_of(const Scenario& scenario, const ScenarioRequest& request);
  // The request with its encoder_tokens set: how many tokens a model's encoder reads of the prompt.
  ScenarioRequest with_encoder(const Scenario& scenario, const ScenarioRequest& request);
  int64_t count_of(const Scenario& scenario, const std::string& text, bool whole);
  std::optional<int64_t> blocks_at_once(const Scenario& scenario);

  std::shared_ptr<const EngineSnapshot> run_;
  std::unordered_map<std::string, std::optional<Known>> models_;  // by folder; empty: unreadable
};

}  // namespace attn::gui
