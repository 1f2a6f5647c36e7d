// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace attn {

void Model::check_step(const StepTokens& tokens) const {
  for (size_t row = 0; row < tokens.token_ids.size(); ++row) {
    const int64_t token = tokens.token_ids[row], position = tokens.positions[row];
    if (token < 0 || token >= shape_.vocab_size)
      throw_bad_input({"token is not in the vocabulary", fmt::format("row {}", row),
                       fmt::format("{}", token), fmt::format("0 to {}", shape_.vocab_size - 1),
                       ""});
    if (position < 0 || position >= shape_.max_model_len)
      throw_bad_input({"position is past the model's context", fmt::format("row {}", row),
                       fmt::format("{}", position),
                       fmt::format("0 to {}", shape_.max_model_len - 1),
                       "Use a shorter prompt or fewer tokens"});
  }
}

}  // namespace attn
