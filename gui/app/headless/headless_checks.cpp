// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/headless/headless_checks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/explore/texts/head_texts.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "engine/session/session_file/session_file.h"
#include "gui/app/language.h"
#include "gui/models/explore/what_if_list.h"

namespace attn::gui {

bool has_texts_file(const CommandLine& line) {
  return !line.texts.empty() && line.texts != kShippedTexts;
}

void check_texts(const CommandLine& line) {
  if (line.texts.empty()) return;
  if (!is_session_file(line.scenario))
    need_texts(open_scenario(line.scenario), "--texts", line.texts);
  if (!has_texts_file(line)) return;
  try {
    read_texts(line.texts);
  } catch (const Error& error) {
    ErrorParts parts = error.parts();
    parts.where = "--texts " + parts.where;
    throw Error(error.code(), std::move(parts));
  }
}

void check_lesson(const CommandLine& line) {
  if (line.lesson.empty()) return;
  const lesson::ParsedLesson parsed =
      lesson::read_lesson(lesson::find_lesson(line.lesson, program_language().toStdString()));
  if (!parsed.ok()) throw parsed.error();
}

void check_heads(const CommandLine& line, const EngineSnapshot* snapshot, const HeadId& shown) {
  if (!snapshot || snapshot->source.num_heads == 0) return;  // the source is not loaded
  const auto check = [](const char* option, const char* what, int64_t number, int64_t count) {
    if (number < count) return;
    throw_bad_input({.what = std::string("the source has no such ") + what,
                     .where = option,
                     .found = std::to_string(number),
                     .allowed = "0 to " + std::to_string(count - 1),
                     .advice = ""});
  };
  const SourceShape& source = snapshot->source;
  if (line.layer) check("--layer", "layer", *line.layer, source.num_layers);
  if (line.head) check("--head", "head", *line.head, source.num_heads);
  if (!line.heads.empty())
    check("--heads", "head", *std::ranges::max_element(line.heads), source.num_heads);
  for (const Intervention& what :
       knock_out_from_word(line.knock_out).value_or(std::vector<Intervention>{})) {
    check("--knock-out", "layer", what.layer, source.num_layers);
    check("--knock-out", "head", what.head, source.num_heads);
  }
  const auto combination = combination_from_word(line.combine);
  if (!combination) return;
  check("--combine", "layer", combination->other.layer, source.num_layers);
  check("--combine", "head", combination->other.head, source.num_heads);
  const bool layers = combination->kind == Combine::kLayerDifference;
  const bool is_itself =
      layers ? combination->other.layer == shown.layer
             : combination->kind == Combine::kHeadDifference && combination->other == shown;
  if (!is_itself) return;
  throw_bad_input(
      {.what = layers ? "a layer's mean minus itself is 0 in every cell"
                      : "a head minus itself is 0 in every cell",
       .where = "--combine",
       .found = "`" + line.combine + "` where layer " + std::to_string(shown.layer) + ", head " +
                std::to_string(shown.head) + " is shown",
       .allowed = layers ? "another layer" : "another head",
       .advice = "The shown head is that of --layer and --head where they are given, else that of "
                 "the scenario's `view` or of the saved session."});
}

}  // namespace attn::gui
