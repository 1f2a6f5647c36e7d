// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/parse_lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <utility>

#include "engine/core/counted.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/outline.h"
#include "engine/lesson/format/parse_scenario_block.h"
#include "engine/lesson/format/parse_task.h"
#include "engine/lesson/format/words.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn::lesson {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFrontKeys = {"id", "title", "language", "needs", "part", "version"};
const std::vector<std::string> kDirectives = {"scenario", "predict", "observe", "reveal", "hint",
                                              "change",   "build",   "explain", "fact"};

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 60 && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(
             text, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; });
}

// "en", "pt-BR".
bool is_language(std::string_view text) {
  const size_t dash = text.find('-');
  const std::string_view base = text.substr(0, dash);
  const auto letters = [](std::string_view part, char first, char last) {
    return std::ranges::all_of(part, [=](char c) { return c >= first && c <= last; });
  };
  if ((base.size() != 2 && base.size() != 3) || !letters(base, 'a', 'z')) return false;
  return dash == std::string_view::npos ||
         (text.size() == dash + 3 && letters(text.substr(dash + 1), 'A', 'Z'));
}

class FrontReader {
 public:
  FrontReader(const std::vector<OutlineValue>& front, Mistakes& mistakes)
      : front_(front), mistakes_(mistakes) {}

  About read() {
    About about;
    std::set<std::string> seen;
    for (const OutlineValue& value : front_) {
      if (std::ranges::find(kFrontKeys, value.name) == kFrontKeys.end())
        mistakes_.add_unknown(value.line, "the front matter has no such key", value.name,
                              kFrontKeys);
      else if (!seen.insert(value.name).second)
        mistakes_.add({value.line, "a key of the front matter is given twice",
                       quote_text(value.name), "each key once"});
      else
        take(value, about);
    }
    for (const char* key : {"id", "title", "language", "needs", "version"})
      if (!seen.contains(key))
        mistakes_.add({1, fmt::format("the front matter has no `{}`", key),
                       seen.empty() ? "no keys" : fmt::format("{}", fmt::join(seen, ", ")),
                       "id, title, language, needs and version"});
    return about;
  }

 private:
  void refuse(const OutlineValue& value, std::string allowed) {
    mistakes_.add({value.line, fmt::format("`{}` has a wrong value", value.name),
                   quote_text(value.value), std::move(allowed)});
  }
  void take(const OutlineValue& value, About& about) {
    if (value.name == "id") {
      about.id = value.value;
      if (!is_id(value.value)) refuse(value, "1 to 60 lower-case letters, digits and hyphens");
    } else if (value.name == "title") {
      about.title = value.value;
      if (value.value.empty() || value.value.size() > 100) refuse(value, "1 to 100 bytes");
    } else if (value.name == "part") {
      about.part = value.value;
      if (value.value.size() > 100) refuse(value, "up to 100 bytes");
    } else if (value.name == "language") {
      about.language = value.value;
      if (!is_language(value.value)) refuse(value, "a code such as en, de or pt-BR");
    } else if (value.name == "version") {
      const std::string& text = value.value;
      const auto [end, trouble] =
          std::from_chars(text.data(), text.data() + text.size(), about.version);
      if (trouble != std::errc{} || end != text.data() + text.size() || about.version < 1 ||
          about.version > 1'000'000)
        refuse(value, "a whole number, 1 to 1000000");
    } else {
      needs(value, about);
    }
  }
  void needs(const OutlineValue& value, About& about) {
    if (value.value == "nothing") return;
    for (const std::string& need : split_words(value.value, ',')) {
      const std::vector<std::string> words = split_words(need);
      if (words.size() != 2 || words[0] != "model")
        return refuse(value, "`nothing`, or `model NAME`, several with commas between them");
      const std::vector<std::string> models = shipped_models();
      if (std::ranges::find(models, words[1]) == models.end())
        mistakes_.add_unknown(value.line, "there is no such bundled model", words[1], models);
      about.needs_models.push_back(words[1]);
    }
    if (about.needs_models.empty())
      refuse(value, "`nothing`, or `model NAME`, several with commas between them");
  }

  const std::vector<OutlineValue>& front_;
  Mistakes& mistakes_;
};

class LessonReader {
 public:
  explicit LessonReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  std::vector<Step> read(const std::vector<OutlineStep>& outline, const About& about) {
    std::vector<Step> steps;
    if (outline.size() > kMostSteps)
      mistakes_.add({outline[kMostSteps].line, "the lesson has too many steps",
                     fmt::format("{}", outline.size()), fmt::format("at most {}", kMostSteps)});
    // Steps over the limit are not read, because each would keep a scenario.
    for (const OutlineStep& from : std::span(outline).first(std::min(outline.size(), kMostSteps)))
      steps.push_back(read_step(from, steps.size(), about));
    if (!steps.empty()) check_kinds(steps);
    return steps;
  }

 private:
  Step read_step(const OutlineStep& from, size_t index, const About& about) {
    Step step;
    step.title = from.title;
    step.line = from.line;
    step.text = read_text(trimmed(from.text), from.text_line, mistakes_);
    bool has_own = false;
    TaskReader tasks(step, index, mistakes_);
    for (const OutlineDirective& directive : from.directives) {
      if (std::ranges::find(kDirectives, directive.name) == kDirectives.end()) {
        mistakes_.add_unknown(directive.line, "there is no such directive", directive.name,
                              kDirectives);
      } else if (directive.name == "scenario") {
        if (has_own)
          mistakes_.add({directive.line, "a step has two scenarios", "a second `:::scenario`",
                         "one per step"});
        has_own = true;
        previous_ =
            read_scenario_block(directive, previous_ ? &*previous_ : nullptr, mistakes_, step.view);
        knows_scenario_ = true;
        check_needs(directive, about);
      } else {
        tasks.take(directive);
      }
    }
    if (!knows_scenario_)
      mistakes_.add({from.line, "the first step has no scenario", "no `:::scenario` in it",
                     "`:::scenario name=NAME`, or one with JSON",
                     "Later steps without one keep the scenario of the step before"});
    knows_scenario_ = true;  // so that this mistake is added only once
    if (previous_) step.scenario = *previous_;
    // A step without a view of its own keeps that of the step before.
    if (step.view.empty()) step.view = view_;
    view_ = step.view;
    if (step.text.empty() && from.directives.empty())
      mistakes_.add({from.line, "a step is empty", quote_text(from.title),
                     "a text, or a directive, or both"});
    tasks.finish(previous_.has_value());
    return step;
  }

  void check_needs(const OutlineDirective& directive, const About& about) {
    if (!previous_ || previous_->source.model.empty()) return;
    const std::string& model = previous_->source.model;
    if (std::ranges::find(about.needs_models, model) == about.needs_models.end())
      mistakes_.add({directive.line,
                     "the scenario uses a model that the front matter does not name",
                     quote_text(model), fmt::format("needs: model {}", model)});
  }

  // The learner must predict or observe something, and change something.
  void check_kinds(const std::vector<Step>& steps) {
    const auto any = [&](auto&& is) {
      return std::ranges::any_of(
          steps, [&](const Step& step) { return std::ranges::any_of(step.tasks, is); });
    };
    if (!any([](const Task& task) { return task.is_question(); }))
      mistakes_.add({0, "the lesson asks nothing", "no `:::predict` and no `:::observe`",
                     "at least one of them"});
    if (!any([](const Task& task) { return !task.is_question(); }))
      mistakes_.add({0, "the learner changes nothing in this lesson",
                     "no `:::change` and no `:::build`", "at least one of them"});
  }

  Mistakes& mistakes_;
  std::optional<Scenario> previous_;
  std::string view_;  // of the step before
  bool knows_scenario_ = false;
};

void set_language(Lesson& lesson) {
  const std::string& language = lesson.about.language;
  if (language == "en") return;
  const auto set = [&](Text& text) {
    text.language = language;
    for (Text::Insertion& insertion : text.insertions) insertion.measure.language = language;
  };
  for (Step& step : lesson.steps) {
    set(step.text);
    for (Task& task : step.tasks) {
      set(task.question);
      set(task.on_paper);
      for (Hint& hint : task.hints) set(hint.text);
      for (Explanation& explanation : task.explanations) set(explanation.text);
      if (auto* number = std::get_if<NumberQuestion>(&task.form))
        number->measure.language = language;
      if (auto* choice = std::get_if<ChoiceQuestion>(&task.form))
        for (ChoiceQuestion::Option& option : choice->options) {
          set(option.text);
          set(option.explanation);
        }
    }
  }
}

}  // namespace

const std::vector<std::string>& view_names() {
  static const std::vector<std::string> names = {"heatmap", "lines",  "heads",    "tiles",
                                                 "compare", "blocks", "timeline", "metrics",
                                                 "events",  "words",  "step"};
  return names;
}

// At the end of a run no request holds blocks.
bool is_empty_at_end(std::string_view view) {
  return view == "blocks";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kRight:
      return "right";
    case Outcome::kTooLow:
      return "low";
    case Outcome::kTooHigh:
      return "high";
    case Outcome::kWrong:
      return "wrong";
  }
  return "";
}

std::string_view name_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::kPredict:
      return "predict";
    case TaskKind::kObserve:
      return "observe";
    case TaskKind::kChange:
      return "change";
    case TaskKind::kBuild:
      return "build";
  }
  return "";
}

size_t Step::num_predictions() const {
  const auto first =
      std::ranges::find_if(tasks, [](const Task& task) { return task.kind != TaskKind::kPredict; });
  return static_cast<size_t>(first - tasks.begin());
}

size_t Lesson::num_tasks() const {
  size_t tasks = 0;
  for (const Step& step : steps) tasks += step.tasks.size();
  return tasks;
}

double Lesson::minutes() const {
  // Words per minute of reading; minutes for a question and for a goal.
  constexpr double kWordsPerMinute = 200, kQuestion = 0.3, kGoal = 0.6;
  double minutes = 0;
  const auto reads = [&](const Text& text) {
    minutes += static_cast<double>(split_words(text.markdown).size()) / kWordsPerMinute;
  };
  for (const Step& step : steps) {
    reads(step.text);
    for (const Task& task : step.tasks) {
      reads(task.question);
      minutes += task.is_question() ? kQuestion : kGoal;
      if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
        for (const ChoiceQuestion::Option& option : choice->options) reads(option.text);
        reads(choice->options.front().explanation);  // one of them is counted
      }
      // Counts one explanation for an outcome, and those for every answer.
      bool one = false;
      for (const Explanation& explanation : task.explanations) {
        if (explanation.when && one) continue;
        one = one || explanation.when.has_value();
        reads(explanation.text);
      }
    }
  }
  return minutes;
}

Error ParsedLesson::error() const {
  return error_of(mistakes, origin);
}

ParsedLesson parse_lesson(std::string_view text, std::string_view origin) {
  ParsedLesson result;
  result.origin = fs::path(origin).filename().string();
  Mistakes mistakes;
  if (text.size() > kMostLessonBytes) {
    mistakes.add({0, "the lesson is too long", fmt::format("{} bytes", text.size()),
                  fmt::format("at most {} bytes", kMostLessonBytes)});
    result.mistakes = mistakes.sorted();
    return result;
  }
  std::string_view body = text;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  auto lesson = std::make_shared<Lesson>();
  const Outline outline = read_outline(body, mistakes);
  lesson->about = FrontReader(outline.front, mistakes).read();
  lesson->steps = LessonReader(mistakes).read(outline.steps, lesson->about);
  set_language(*lesson);
  lesson->origin = result.origin;
  lesson->hash = fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
  result.mistakes = mistakes.sorted();
  if (mistakes.empty()) result.lesson = std::move(lesson);
  return result;
}

ParsedLesson read_lesson(const std::filesystem::path& file) {
  return parse_lesson(read_text_file(file, kMostLessonBytes), file.string());
}

std::vector<std::filesystem::path> shipped_lessons(std::string_view language) {
  const auto in_folder = [](const fs::path& folder) {
    std::vector<fs::path> files;
    for_each_name(folder, [&](const char* name) {
      if (const fs::path file = folder / name; file.extension() == ".md") files.push_back(file);
    });
    std::ranges::sort(files);
    return files;
  };
  const fs::path folder = assets_folder() / "lessons";
  std::vector<fs::path> files = in_folder(folder);
  if (language == "en" || !is_language(language)) return files;
  for (fs::path& file : files) {
    const fs::path translated = folder / language / file.filename();
    if (has_entry(translated)) file = translated;
  }
  return files;
}

std::filesystem::path find_lesson(std::string_view name_or_file, std::string_view language) {
  const fs::path path(name_or_file);
  std::vector<std::string> names;
  for (const fs::path& file : shipped_lessons(language)) {
    names.push_back(file.stem().string());
    const std::string& name = names.back();
    const std::string number = name.substr(0, name.find('-'));
    if (name == name_or_file ||
        (!number.empty() && number.size() < 4 &&
         (number == name_or_file || number == fmt::format("0{}", name_or_file))))
      return file;
  }
  if (has_entry(path) || name_or_file.find('/') != std::string_view::npos || path.has_extension())
    return path;
  const std::string near = nearest_match(name_or_file, names);
  throw_bad_input({"there is no such lesson", "", quote_text(name_or_file),
                   names.empty() ? "a file" : fmt::format("a file, or {}", fmt::join(names, ", ")),
                   near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
}

}  // namespace attn::lesson
