// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/model/one_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/session/scenario/model_scenario.h"

namespace attn::cli {

void fit_to_text(const char* command, Scenario& scenario, const SourceShape& shape) {
  if (shape.type_of_model() == AttentionType::kEncoderOnly)
    throw_bad_input(
        {fmt::format("the model {} is an encoder, which continues no text", shape.name),
         fmt::format("{} --model", command), "an encoder", "a model that continues a text",
         fmt::format("`attn run {} --export DIR` computes its attention.", scenario.source.model)});
  fit_to_model(scenario, shape);
}

Error with_head_size_options(const Error& error) {
  std::vector<std::string> sentences = error.sentences();
  // A backend names the option as scenario files do.
  const auto is_head_size = [](const std::string& sentence) {
    return sentence.find("pad_head_size") != std::string::npos;
  };
  if (std::ranges::none_of(sentences, is_head_size)) return error;
  sentences.emplace_back(
      "On this command line: --pad-head-size, or --backend reference, which takes heads of any "
      "size.");
  return Error::several(error.code(), std::move(sentences));
}

}  // namespace attn::cli
