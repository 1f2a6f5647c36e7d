// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/model/hidden_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/program/standard_streams.h"
#include "engine/explore/explored_run.h"
#include "engine/explore/logit_lens.h"
#include "engine/explore/next_token.h"
#include "engine/model/tokenizer/mask_token.h"

namespace attn::cli {
namespace {

constexpr int64_t kWords = 5;  // tokens printed per masked place

}  // namespace

void print_hidden_words(Scenario scenario, const std::shared_ptr<Source>& source) {
  const std::string& prompt = scenario.requests.front().prompt;
  const auto mask = mask_token(dynamic_cast<const Model&>(*source).tokenizer());
  if (!mask)
    throw_bad_input({"this encoder has no token that hides a word, so it says nothing of a text",
                     "attn generate", source->shape().name,
                     "an encoder whose tokenizer has \"[MASK]\" or \"<mask>\"",
                     "Open it in the window to see its attention"});
  const std::string hidden = source->token_text(*mask);
  const std::vector<int32_t> ids = source->encode(prompt);
  if (std::ranges::find(ids, *mask) == ids.end())
    throw_bad_input({"an encoder writes no text: it says which word is hidden, and here none is",
                     "--prompt", quote_text(prompt), fmt::format("a text with {}", hidden),
                     fmt::format("For example \"Paris is the {} of France.\"", hidden)});
  const ExploredRun run = *explore(scenario, source);
  ThreadPool pool(num_workers(scenario));
  Execution execution;
  execution.pool = &pool;
  SamplingParams plain;
  plain.temperature = 1;
  std::vector<int32_t> filled = run.tokens;
  std::string lines;
  for (int64_t place = 0; place < run.num_tokens(); ++place) {
    if (filled[static_cast<size_t>(place)] != *mask) continue;
    Tensor logits;
    own_logits(run.model(), *run.residual, place, 1, logits, execution);
    const NextToken next = next_token(std::as_const(logits).span<float>(), plain, place, kWords);
    filled[static_cast<size_t>(place)] = next.choices.front().token;
    std::string words;
    for (const TokenChoice& choice : next.choices)
      words += fmt::format("{}{} {:.1f}%", words.empty() ? "" : ", ",
                           quote_text(source->token_text(choice.token)), 100 * choice.plain);
    lines += fmt::format("token {}: {}\n", place, words);
  }
  print_out("{}\n{}", source->decode(filled), lines);
}

}  // namespace attn::cli
