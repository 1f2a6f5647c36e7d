// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace attn {

void Model::check_step(const StepTokens& tokens) const {
  const auto check = [this](const std::vector<int32_t>& ids, const std::vector<int32_t>& positions,
                            const char* rows, int64_t longest) {
    for (size_t row = 0; row < ids.size(); ++row) {
      const int64_t token = ids[row], position = positions[row];
      if (token < 0 || token >= shape_.vocab_size)
        throw_bad_input({"token is not in the vocabulary", fmt::format("{} {}", rows, row),
                         fmt::format("{}", token), fmt::format("0 to {}", shape_.vocab_size - 1),
                         ""});
      if (position < 0 || position >= longest)
        throw_bad_input({"position is past the model's context", fmt::format("{} {}", rows, row),
                         fmt::format("{}", position), fmt::format("0 to {}", longest - 1),
                         "Use a shorter prompt or fewer tokens"});
    }
  };
  check(tokens.token_ids, tokens.positions, "row", shape_.max_model_len);
  check(tokens.encoder_ids, tokens.encoder_positions, "row of the encoder", shape_.max_encoder_len);
}

}  // namespace attn
