// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/prompts/own_prompts.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

constexpr const char* kOwnPrompt = "Own prompt";

std::string free_name(const Scenario& scenario) {
  std::string name = kOwnPrompt;
  for (int number = 2; std::ranges::find(scenario.requests, name, &ScenarioRequest::name) !=
                       scenario.requests.end();
       ++number)
    name = std::string(kOwnPrompt) + " " + std::to_string(number);
  return name;
}

}  // namespace

void name_own_prompts(Scenario& scenario, const Scenario& opened) {
  if (!scenario.source.reads_text() || !opened.source.reads_text()) return;
  const size_t count = std::min(scenario.requests.size(), opened.requests.size());
  for (size_t i = 0; i < count; ++i) {
    ScenarioRequest& request = scenario.requests[i];
    const ScenarioRequest& before = opened.requests[i];
    if (request.prompt == before.prompt) {
      if (request.name.starts_with(kOwnPrompt)) request.name = before.name;
    } else if (request.name == before.name && !before.name.empty() &&
               !before.name.starts_with(kOwnPrompt)) {
      request.name = free_name(scenario);
    }
  }
}

void need_texts(const Scenario& scenario, std::string_view option, const std::string& found) {
  if (!scenario.source.reads_text())
    throw_bad_input({.what = "the source of this scenario reads no text",
                     .where = std::string(option),
                     .found = "`" + found + "`",
                     .allowed = "a scenario with a model",
                     .advice = ""});
}

void give_prompt(Scenario& scenario, size_t request, std::string_view option,
                 const std::string& prompt) {
  need_texts(scenario, option, prompt);
  if (!is_utf8(prompt))
    throw_bad_input(
        {"the prompt is not valid UTF-8", std::string(option), quote_text(prompt), "UTF-8", ""});
  const Scenario opened = scenario;
  scenario.requests[request].prompt = prompt;
  name_own_prompts(scenario, opened);
  validate(scenario);
}

}  // namespace attn
