// SPDX-License-Identifier: GPL-3.0-or-later
// The next token: the distribution as the sampler made it, and the draw. Also how likely the tokens
// of a sequence were, and their draws again. next_token(): any thread; the other functions: engine
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/model.h"
#include "engine/scheduler/request.h"
#include "engine/session/record/residual_record.h"

namespace attn {

enum class CutBy { kNothing, kTemperature0, kTopK, kTopP, kSuppressed };

struct TokenChoice {
  int32_t token = 0;
  float logit = 0;
  double plain = 0;        // softmax(logits), what the model says
  double tempered = 0;     // softmax(logits / temperature); temperature 0: 1 for the taken token
  double probability = 0;  // of the draw; 0 if it was cut away
  CutBy cut = CutBy::kNothing;
  // Its part [begin, end) of the strip [0, 1) of the draw; both 0 if it was cut away.
  double begin = 0, end = 0;
};

struct NextToken {
  std::vector<TokenChoice> choices;  // the most likely first, the lower id first among equals
  int64_t vocabulary = 0;            // how many tokens there are
  int64_t candidates = 0;            // how many the sampler left
  double cut_by_top_k = 0, cut_by_top_p = 0;  // tempered probability of the tokens cut away
  double suppressed = 0;                      // tempered probability of suppressed tokens
  double random = 0;                          // place on the strip
  int32_t token = 0;                          // the token that is drawn
  TokenChoice drawn;                          // `token` as a choice
  double residue = 0;                         // largest |sum - 1| of plain, tempered, probability
};

// logits [vocab] f32, sampling, position, suppressed: as for sample_token(). most: the most choices
// that are listed. Throws as sample_token() does.
NextToken next_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position, int64_t most, std::span<const int32_t> suppressed = {});

struct PastToken {
  int64_t position = 0;
  double log_probability = 0;  // nats
  int64_t rank = 0;            // 0: most likely
};
// How likely tokens were for the model: positions [first + 1, first + count] of `tokens`, each from
// the residual stream of the position before it. Positions past the end of `tokens` are left out.
// False: cancelled. Throws as own_logits() does.
bool past_tokens(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                 int64_t first, int64_t count, std::vector<PastToken>& past,
                 const Execution& execution);
// past_tokens() for an encoder, whose logits at a position are about the token there: positions
// [first, first + count) of `tokens`.
bool tokens_in_place(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                     int64_t first, int64_t count, std::vector<PastToken>& in_place,
                     const Execution& execution);

// Draws the tokens at [prompt_len, prompt_len + count) again, each from the logits of the row
// before it. equal: how many are the same. False: cancelled. Throws as own_logits() and
// sample_token() do.
bool draw_again(Model& model, const ResidualRecord& record, std::span<const int32_t> tokens,
                int64_t prompt_len, int64_t count, const SamplingParams& sampling, int64_t& equal,
                const Execution& execution);

}  // namespace attn
