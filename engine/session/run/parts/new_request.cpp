// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/new_request.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/session/scenario/prompts/request_tokens.h"

namespace attn {
namespace {

constexpr const char* kSomeTokens = "a text of which the tokenizer makes one token or more";

// Refuses ids that the model does not know: a tokenizer may have tokens that were added to it but
// not to the model.
std::vector<int32_t> known_tokens(std::vector<int32_t> ids, const NewRequest& added) {
  const int64_t vocab = added.source.shape().vocab_size;
  for (const int32_t id : ids)
    if (id >= vocab)
      throw_bad_input({"the prompt has a token that the model does not have",
                       fmt::format("request {}", added.id),
                       fmt::format("{}, token {}", quote_text(added.source.token_text(id)), id),
                       fmt::format("tokens 0 to {}", vocab - 1), "Remove it from the prompt"});
  return ids;
}

std::vector<int32_t> prompt_ids(const ScenarioRequest& asked, const NewRequest& added) {
  if (added.given) return added.given->ids;
  if (!added.scenario.source.reads_text())
    return added.source.prompt_ids(added.id, asked.prompt_tokens, asked.encoder_tokens);
  return known_tokens(tokens_of_texts(asked, added.source).own, added);
}

// The tokens of the encoder. None without cross attention.
std::vector<int32_t> encoder_ids(const ScenarioRequest& asked, const NewRequest& added,
                                 const std::string& where) {
  const Source& source = added.source;
  if (added.scenario.attention.type != AttentionType::kEncoderDecoder) return {};
  if (added.given) return added.given->encoder_ids;
  if (source.shape().max_encoder_len < 1)
    throw_bad_input({"the source has no encoder", "$.attention.type", source.shape().name,
                     "a model with an encoder and a decoder, a synthetic source or tensors for "
                     "cross attention",
                     ""});
  if (added.scenario.source.reads_text()) {
    std::vector<int32_t> ids = known_tokens(tokens_of_texts(asked, source).encoder, added);
    if (ids.empty())
      throw_bad_input({"the prompt has no tokens for the encoder", where, quote_text(asked.prompt),
                       kSomeTokens, "Type other text"});
    return ids;
  }
  if (asked.encoder_tokens < 1)
    throw_bad_input({"cross attention needs the number of encoder tokens", where,
                     fmt::format("encoder_tokens {}", asked.encoder_tokens), "1 or more tokens",
                     ""});
  return source.encoder_ids(added.id, asked.encoder_tokens);
}

}  // namespace

Request make_request(const ScenarioRequest& asked, NewRequest added) {
  const Scenario& scenario = added.scenario;
  const Source& source = added.source;
  const std::string where = fmt::format("request {}", added.id);
  if (asked.max_tokens < 1)
    throw_bad_input({"max_tokens is out of range", where, fmt::format("{}", asked.max_tokens),
                     "1 or more", ""});
  if (scenario.attention.type == AttentionType::kEncoderOnly && asked.max_tokens != 1)
    throw_bad_input({"an encoder generates no text", where, fmt::format("{}", asked.max_tokens),
                     "max_tokens 1: one token is sampled from the last row of the prompt", ""});
  const int64_t vocab = source.shape().vocab_size;
  if (asked.sampling.top_k < 0 || asked.sampling.top_k > vocab)
    throw_bad_input({"top_k is out of range", where, fmt::format("{}", asked.sampling.top_k),
                     fmt::format("0 to {}, the size of the vocabulary", vocab), ""});
  Request request;
  request.id = added.id;
  request.name = asked.name.empty() ? where : asked.name;
  const bool has_prompt = !added.prompt.empty();
  if (!has_prompt) request.prompt = asked.prompt;
  request.prompt_ids = has_prompt ? std::move(added.prompt) : prompt_ids(asked, added);
  for (const int32_t token : request.prompt_ids)
    if (scenario.source.reads_text() && (token < 0 || token >= vocab))
      throw_bad_input({"the prompt has a token that the model does not have", where,
                       fmt::format("token {}", token), fmt::format("tokens 0 to {}", vocab - 1),
                       ""});
  request.encoder_ids = encoder_ids(asked, added, where);
  if (request.prompt_ids.empty())
    throw_bad_input({"the prompt has no tokens", where, quote_text(asked.prompt), kSomeTokens,
                     "Type other text"});
  request.max_tokens = asked.max_tokens;
  request.stop_tokens = source.stop_tokens();
  request.suppressed_tokens = source.suppressed_tokens();
  request.sampling = asked.sampling;
  request.priority = asked.priority;
  request.n = asked.n;
  request.beam_width = asked.beam_width;
  request.length_penalty = asked.length_penalty;
  request.early_stopping = asked.early_stopping;
  return request;
}

}  // namespace attn
