// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/prompts/request_tokens.h"

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {

RequestTokens tokens_of_texts(const ScenarioRequest& request, const Source& source) {
  const auto start = source.decoder_start();
  if (!start) return {.own = source.encode(request.prompt), .encoder = {}};
  RequestTokens tokens{.own = {*start}, .encoder = source.encode(request.prompt)};
  if (request.decoder_prompt.empty()) return tokens;
  const std::vector<int32_t> rest = source.encode_rest(request.decoder_prompt);
  if (rest.empty())
    throw_bad_input({"the text has no tokens", "decoder_prompt", quote_text(request.decoder_prompt),
                     "a text of which the tokenizer makes one token or more",
                     "Leave it out, and the decoder begins with its first token alone"});
  tokens.own.insert(tokens.own.end(), rest.begin(), rest.end());
  return tokens;
}

}  // namespace attn
