// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/prompts/example_prompt.h"

#include <fmt/format.h>

#include "engine/core/counted.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/load_model.h"
#include "engine/model/tokenizer/mask_token.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

constexpr size_t kMostBytes = 2000;

// "example_prompt" of config.json, a key of this program. Empty: there is none.
std::string prompt_of_config(const std::filesystem::path& folder) {
  const char* const file = "config.json";
  nlohmann::json config;
  const TakenApart apart(config);
  config = parse_json(read_text_file(folder / file, kMostConfigBytes), file,
                      {.max_bytes = kMostConfigBytes, .max_values = kMostConfigValues});
  const JsonAt root(config, file);
  const char* const key = "example_prompt";
  if (!root.has(key)) return {};
  const std::string text = root[key].text();
  if (text.empty() || text.size() > kMostBytes)
    root[key].refuse("the example of a prompt is empty or too long",
                     counted(text.size(), "byte", "bytes"),
                     fmt::format("1 to {} bytes", kMostBytes));
  return text;
}

}  // namespace

std::string example_prompt(const std::filesystem::path& path, const SourceShape& shape) {
  if (std::filesystem::is_directory(path))
    if (std::string own = prompt_of_config(path); !own.empty()) return own;
  // An encoder predicts a word where one is hidden.
  if (shape.type_of_model() == AttentionType::kEncoderOnly) {
    const Tokenizer tokenizer = load_tokenizer(path);
    if (const auto mask = mask_token(tokenizer))
      return fmt::format("Paris is the {} of France.", tokenizer.piece(*mask));
  }
  return "Once upon a time";
}

}  // namespace attn
