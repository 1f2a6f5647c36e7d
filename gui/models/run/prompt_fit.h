// SPDX-License-Identifier: GPL-3.0-or-later
// PromptFit: whether a request of the edited scenario can run and gets all its tokens, and what
// would make it fit. PromptMeter finds this out; reason_of() says why a request of a run did not
// get its tokens. GUI thread; no Widgets.
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
  int64_t tokens = -1;    // tokens of the prompt, or that a decoder begins with; -1: not known
  bool runs = true;       // false: the engine refuses the request
  QString sentence = {};  // what does not fit; may be empty
  // What make_it_fit() changes, such as "Blocks 29"; empty: nothing.
  QString fix = {};
};

// prompt_tokens: PromptFit::tokens. shape: of the source; if its max_model_len is 0, the longest
// length is not known.
PromptFit fit_of(const Scenario& scenario, const ScenarioRequest& request, int64_t prompt_tokens,
                 const SourceShape& shape);
// Why a request of a run was refused or ended before it had all its tokens; empty unless
// RequestView::has_news().
QString reason_of(const EngineSnapshot& snapshot, const RequestView& request);

// Counts the tokens of a scenario's prompts, judges whether its requests fit, and changes it so
// that they do. Reads a model's tokenizer when it is first needed.
class PromptMeter {
 public:
  // From now on, takes the shape and token counts from this run where it has the same source.
  void set_run(const std::shared_ptr<const EngineSnapshot>& snapshot);
  PromptFit fit(const Scenario& scenario, size_t request);
  // As far as needed, raises Blocks, Batch budget, Max sequences and, in a synthetic source,
  // Longest. If a model or the tensors allow fewer tokens, lowers Max new tokens, and cuts a
  // model's prompt (decoder_prompt with an encoder). Changes nothing if PromptFit::fix is empty.
  void make_it_fit(Scenario& scenario, size_t request);
  // Sets the number of blocks of `edited` to what all its requests need at the same time, within
  // [least, kMostBlocks]. Does nothing unless the source is a model, the requests were edited but
  // not the source, the number of blocks or their size, and all requests of `before` fitted.
  void grow_cache(const Scenario& before, Scenario& edited, int64_t least);

 private:
  struct Known {
    Tokenizer tokenizer;
    SourceShape shape;
    // Numbers of tokens by text; -1: not known. The bool: whether the text is a whole prompt, which
    // may get special tokens.
    std::map<std::pair<bool, std::string>, int64_t> counts;
    size_t bytes = 0;  // of these texts
  };
  Known* known_of(const Scenario& scenario);
  SourceShape shape_of(const Scenario& scenario);
  // The number of prompt tokens; with an encoder and a decoder, the tokens with which the decoder
  // begins. -1: not known.
  int64_t tokens_of(const Scenario& scenario, const ScenarioRequest& request);
  // The request; if the model has an encoder and a decoder, with encoder_tokens set to the number
  // of the prompt's tokens (0: not known).
  ScenarioRequest with_encoder(const Scenario& scenario, const ScenarioRequest& request);
  int64_t count_of(const Scenario& scenario, const std::string& text, bool whole);
  std::optional<int64_t> blocks_at_once(const Scenario& scenario);

  std::shared_ptr<const EngineSnapshot> run_;
  std::unordered_map<std::string, std::optional<Known>> models_;  // by folder; nullopt: unreadable
};

}  // namespace attn::gui
