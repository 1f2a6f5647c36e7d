// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/parse_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/lesson/format/attributes.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_expression.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/format/words.h"

namespace attn::lesson {
namespace {

constexpr double kHuge = 1e15;
constexpr size_t kLongestTextWords = 160;

// inside: "quantity | unit | decimals".
Measure read_insertion(std::string_view inside, int line, Mistakes& mistakes) {
  const size_t bar = inside.find('|');
  std::string_view unit, digits;
  if (bar != std::string_view::npos) {
    unit = inside.substr(bar + 1);
    inside = inside.substr(0, bar);
    if (const size_t second = unit.find('|'); second != std::string_view::npos) {
      digits = trimmed_view(unit.substr(second + 1));
      unit = unit.substr(0, second);
    }
  }
  int decimals = -1;
  if (!digits.empty()) {
    const auto [end, trouble] =
        std::from_chars(digits.data(), digits.data() + digits.size(), decimals);
    if (trouble != std::errc{} || end != digits.data() + digits.size() || decimals < 0 ||
        decimals > 9) {
      mistakes.add({line, "the number of decimals is wrong", quote_text(digits), "0 to 9"});
      decimals = -1;
    }
  }
  return parse_measure(inside, trimmed_view(unit), decimals, line, mistakes);
}

// An option of a choice, `- [condition] text > explanation`, with its indented further lines.
struct OptionLines {
  std::string text;
  int line;
};
std::vector<OptionLines> take_options(std::string& body, int body_line) {
  std::vector<OptionLines> options;
  std::string question;
  int line = body_line;
  for (size_t begin = 0; begin < body.size(); ++line) {
    const size_t end = std::min(body.find('\n', begin), body.size());
    const std::string_view text = std::string_view(body).substr(begin, end - begin);
    if (text.starts_with("- ["))
      options.push_back({std::string(text), line});
    else if (!options.empty() && text.starts_with(' '))
      options.back().text += ' ' + trimmed(text);
    else if (!options.empty() && !trimmed_view(text).empty())
      options.push_back({std::string(text), line});  // refused when it is read
    else if (options.empty())
      question += std::string(text) + '\n';
    begin = end + 1;
  }
  body = trimmed(question);
  return options;
}

std::optional<ChoiceQuestion::Option> read_option(const OptionLines& from,
                                                  const Expression* subject, Mistakes& mistakes) {
  const std::string_view text = from.text;
  constexpr const char* kForm = "- [condition] text > explanation";
  const size_t end = text.starts_with("- [") ? text.find("] ") : std::string_view::npos;
  if (end == std::string_view::npos) {
    mistakes.add({from.line, "this is not an answer to choose", quote_text(text), kForm});
    return std::nullopt;
  }
  const std::string_view condition = trimmed_view(text.substr(3, end - 3));
  if (condition.empty() || condition == "x" || condition == "X") {
    mistakes.add({from.line, "the right answer is typed", quote_text(text.substr(2, end - 1)),
                  "a condition on the run, such as [< 5], [3..5] or [steps = 8]",
                  "The program finds out which answer is right"});
    return std::nullopt;
  }
  const std::string_view rest = text.substr(end + 2);
  const size_t arrow = rest.find(" > ");
  if (arrow == std::string_view::npos || trimmed_view(rest.substr(0, arrow)).empty() ||
      trimmed_view(rest.substr(arrow + 3)).empty()) {
    mistakes.add({from.line, "an answer has no explanation of its own", quote_text(rest), kForm,
                  "Each answer, also a wrong one, gets its own sentence"});
    return std::nullopt;
  }
  ChoiceQuestion::Option option;
  option.line = from.line;
  option.when = parse_condition(condition, subject, from.line, mistakes);
  option.text = read_text(trimmed(rest.substr(0, arrow)), from.line, mistakes);
  option.explanation = read_text(trimmed(rest.substr(arrow + 3)), from.line, mistakes);
  return option;
}

std::optional<PlaceKind> place_kind_of(const Expression& expression) {
  if (expression.nodes.size() != 1) return std::nullopt;
  const Quantity* quantity = find_quantity(expression.nodes[0].call.name);
  return quantity ? place_kind_named(quantity->place) : std::nullopt;
}

std::optional<Expression> read_place(Attributes& attributes, const char* name, int line,
                                     Mistakes& mistakes) {
  const auto text = attributes.text(name);
  if (!text) return std::nullopt;
  Expression expression = parse_expression(*text, line, mistakes);
  if (!expression.empty() && !place_kind_of(expression))
    mistakes.add({line, "this quantity has no place in a view", quote_text(*text),
                  "a single quantity that has one, such as weight(key=0) or block_of(token=0)"});
  return expression;
}

}  // namespace

Text read_text(std::string markdown, int line, Mistakes& mistakes) {
  Text text;
  text.markdown = std::move(markdown);
  text.line = line;
  const std::string_view all = text.markdown;
  // The Markdown is checked without insertions, whose signs could be read as Markdown.
  std::string rest(all);
  for (size_t at = all.find("{{"); at != std::string_view::npos; at = all.find("{{", at + 2)) {
    const int here = line + static_cast<int>(std::count(
                                all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const size_t end = all.find("}}", at);
    if (end == std::string_view::npos ||
        all.substr(at, end - at).find('\n') != std::string_view::npos) {
      mistakes.add({here, "a number that is put in has no end", quote_text(all.substr(at)),
                    "{{quantity}} in one line"});
      break;
    }
    text.insertions.push_back(
        {at, end + 2, read_insertion(all.substr(at + 2, end - at - 2), here, mistakes)});
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(at),
              rest.begin() + static_cast<std::ptrdiff_t>(end + 2), '0');
    at = end;
  }
  const std::vector<bool> in_code = bytes_in_code(rest);
  for (const Text::Insertion& insertion : text.insertions)
    if (insertion.measure.expression.is_place && in_code[insertion.begin])
      mistakes.add({line + static_cast<int>(std::count(
                               rest.begin(),
                               rest.begin() + static_cast<std::ptrdiff_t>(insertion.begin), '\n')),
                    "a place cannot stand in code, because its tokens may have signs of Markdown",
                    quote_text(insertion.measure.expression.text), "a place outside of code"});
  for (const MarkdownMistake& mistake : markdown_mistakes(rest))
    mistakes.add({line + mistake.line, mistake.what, mistake.found,
                  "paragraphs, lists, tables, quotes, code, emphasis and headings from ### on"});
  if (const size_t words = split_words(all).size(); words > kLongestTextWords)
    mistakes.add({line, "this text is too long to be read at once", fmt::format("{} words", words),
                  fmt::format("at most {} words", kLongestTextWords), "Make two steps of it"});
  return text;
}

void TaskReader::take(const OutlineDirective& directive) {
  if (directive.name == "predict") return question(directive, TaskKind::kPredict);
  if (directive.name == "observe") return question(directive, TaskKind::kObserve);
  if (directive.name == "change") return goal(directive, TaskKind::kChange);
  if (directive.name == "build") return goal(directive, TaskKind::kBuild);
  if (directive.name == "reveal") return reveal(directive);
  if (directive.name == "hint") return hint(directive);
  if (directive.name == "explain") return explain(directive);
  fact(directive);
}

void TaskReader::add_task(Task task, const OutlineDirective& directive) {
  task.line = directive.line;
  task.name = fmt::format("step{}-{}", index_ + 1, name_of(task.kind));
  const auto same = std::ranges::count_if(
      step_.tasks, [&](const Task& other) { return other.kind == task.kind; });
  if (same > 0) task.name += fmt::format("-{}", same + 1);
  if (task.question.empty())
    mistakes_.add({directive.line, "the task has no question", ":::" + directive.name,
                   "a sentence between the lines"});
  if (task.kind == TaskKind::kPredict && same == static_cast<std::ptrdiff_t>(kMostPredictions))
    mistakes_.add({directive.line, "the step asks for too many predictions",
                   fmt::format("more than {}", kMostPredictions),
                   fmt::format("at most {}", kMostPredictions),
                   "Ask for the others in a step of their own"});
  if (task.kind == TaskKind::kPredict && !step_.tasks.empty() &&
      step_.tasks.back().kind != TaskKind::kPredict)
    mistakes_.add({directive.line, "this prediction comes when the run of its step was shown",
                   fmt::format(":::predict after :::{}", name_of(step_.tasks.back().kind)),
                   "the predictions of a step before its other tasks",
                   "Move it up, or begin another step with it"});
  if (step_.tasks.size() == kMostTasksOfStep) {
    mistakes_.add({directive.line, "the step has too many tasks",
                   fmt::format("more than {}", kMostTasksOfStep),
                   fmt::format("at most {}", kMostTasksOfStep)});
    return;
  }
  step_.tasks.push_back(std::move(task));
}

void TaskReader::question(const OutlineDirective& directive, TaskKind kind) {
  Task task;
  task.kind = kind;
  Attributes attributes(directive, mistakes_);
  const int line = directive.line;
  const std::vector<std::string> kinds = {"number", "choice", "click"};
  (void)attributes.required("kind", "number, choice or click");
  const auto form = attributes.one_of("kind", kinds);
  std::string body = directive.body;
  if (form == "number") {
    NumberQuestion number;
    const auto quantity = attributes.required("quantity", "what is to be predicted");
    const auto unit = attributes.text("unit");
    const auto decimals = attributes.number("decimals", 0, 9);
    if (quantity)
      number.measure = parse_measure(*quantity, unit.value_or(""),
                                     decimals ? static_cast<int>(*decimals) : -1, line, mistakes_);
    if (number.measure.expression.is_place)
      mistakes_.add({line, "this quantity is a place and not a number", quote_text(*quantity),
                     "a number, or kind=click"});
    const auto tolerance = attributes.number("tolerance", 0, kHuge);
    const auto factor = attributes.number("factor", 1, 1000);
    number.tolerance = tolerance.value_or(0);
    number.factor = factor.value_or(1);
    if (!tolerance && !factor)
      mistakes_.add({line, "the question does not say how near an answer must be",
                     "neither `tolerance` nor `factor`",
                     "tolerance=0 for an exact number, tolerance=5, or factor=1.5"});
    const bool percent = number.measure.unit == "%";
    const auto min = attributes.number("min", -kHuge, kHuge);
    const auto max = attributes.number("max", -kHuge, kHuge);
    number.min = min.value_or(0);
    number.max = max.value_or(100);
    if (!max && !percent)
      mistakes_.add({line, "the question does not say how far its slider goes", "no `max`",
                     "min=0 max=100; without them 0 to 100, with unit=% only"});
    if (number.max <= number.min)
      mistakes_.add({line, "the slider has no length",
                     fmt::format("min {} and max {}", number.min, number.max), "max above min"});
    number.step = attributes.number("step", 1e-9, kHuge).value_or(percent ? 1 : 0);
    if (number.step == 0) number.step = number.max - number.min > 2 ? 1 : 0.01;
    task.form = std::move(number);
  } else if (form == "choice") {
    ChoiceQuestion choice;
    if (const auto quantity = attributes.text("quantity"))
      choice.measure = parse_expression(*quantity, line, mistakes_);
    const auto options = take_options(body, directive.body_line);
    for (const OptionLines& from : options)
      if (auto option = read_option(from, choice.measure ? &*choice.measure : nullptr, mistakes_))
        choice.options.push_back(std::move(*option));
    if (options.size() < 2 || options.size() > 8)
      mistakes_.add({line, "the number of answers to choose from is wrong",
                     fmt::format("{}", options.size()), "2 to 8 lines `- [condition] text > why`"});
    task.form = std::move(choice);
  } else if (form == "click") {
    ClickQuestion click;
    if (const auto target = attributes.required("target", "a quantity that has a place")) {
      click.target = parse_expression(*target, line, mistakes_);
      const auto place = place_kind_of(click.target);
      if (place)
        click.kind = *place;
      else if (!click.target.empty())
        mistakes_.add({line, "this quantity has no place that could be clicked",
                       quote_text(*target),
                       "a single quantity that has one, such as heaviest_key"});
    }
    if (auto printed = attributes.text("on_paper"))
      task.on_paper = read_text(std::move(*printed), line, mistakes_);
    task.form = std::move(click);
  }
  task.question = read_text(std::move(body), directive.body_line, mistakes_);
  if (form) attributes.finish();
  add_task(std::move(task), directive);
}

void TaskReader::goal(const OutlineDirective& directive, TaskKind kind) {
  Task task;
  task.kind = kind;
  Attributes attributes(directive, mistakes_);
  Goal goal;
  std::vector<std::string> known;
  for (const Control& control : all_controls()) known.push_back(control.name);
  for (const std::string& name : split_words(
           attributes.required("controls", "what the learner may change").value_or(""), ',')) {
    if (const Control* control = find_control(name))
      goal.controls.push_back(*control);
    else
      mistakes_.add_unknown(directive.line, "there is no such control", name, known);
  }
  if (goal.controls.size() > 6)
    mistakes_.add({directive.line, "the task has too many controls",
                   fmt::format("{}", goal.controls.size()), "at most 6"});
  if (const auto text = attributes.required("goal", "conditions such as waste < 0.05"))
    goal.conditions = parse_conditions(*text, directive.line, mistakes_);
  // Settings are separated by semicolons, because a prompt may have commas.
  for (const std::string& text : split_words(
           attributes.required("solution", "settings that reach the goal").value_or(""), ';')) {
    const size_t equals = text.find('=');
    const std::string name = trimmed(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos ||
        std::ranges::find(goal.controls, name, &Control::name) == goal.controls.end()) {
      mistakes_.add({directive.line, "the solution sets what the learner cannot change",
                     quote_text(text), "control=value of the controls, with semicolons between"});
      continue;
    }
    goal.solution.push_back({name, trimmed(std::string_view(text).substr(equals + 1))});
  }
  attributes.finish();
  task.form = std::move(goal);
  task.question = read_text(directive.body, directive.body_line, mistakes_);
  add_task(std::move(task), directive);
}

Task* TaskReader::task_before(const OutlineDirective& directive) {
  if (!step_.tasks.empty()) return &step_.tasks.back();
  mistakes_.add({directive.line, "this directive belongs to a task, but there is none before it",
                 ":::" + directive.name,
                 "`:::predict`, `:::observe`, `:::change` or `:::build` before it in its step"});
  return nullptr;
}

void TaskReader::reveal(const OutlineDirective& directive) {
  Attributes attributes(directive, mistakes_);
  Spotlight spotlight;
  spotlight.view = attributes.one_of("view", view_names()).value_or("");
  spotlight.at = read_place(attributes, "at", directive.line, mistakes_);
  attributes.finish();
  if (!directive.body.empty())
    mistakes_.add({directive.body_line, "a reveal has no text", quote_text(directive.body),
                   "`:::explain` for a text"});
  Task* task = task_before(directive);
  if (!task) return;
  if (task->reveal)
    mistakes_.add({directive.line, "a task has two reveals", ":::reveal", "one per task"});
  task->reveal = std::move(spotlight);
}

void TaskReader::hint(const OutlineDirective& directive) {
  Attributes attributes(directive, mistakes_);
  Hint made;
  Spotlight spotlight;
  spotlight.view = attributes.one_of("view", view_names()).value_or("");
  spotlight.at = read_place(attributes, "at", directive.line, mistakes_);
  attributes.finish();
  if (spotlight.at || !spotlight.view.empty()) made.show = std::move(spotlight);
  made.text = read_text(directive.body, directive.body_line, mistakes_);
  if (made.text.empty())
    mistakes_.add({directive.line, "a hint is empty", ":::hint", "a sentence between the lines"});
  Task* task = task_before(directive);
  if (!task) return;
  if (task->hints.size() == kMostHints) {
    mistakes_.add(
        {directive.line, "a task has too many hints", fmt::format("more than {}", kMostHints),
         fmt::format("at most {}: a nudge, a suggestion, and where to look", kMostHints)});
    return;
  }
  task->hints.push_back(std::move(made));
}

void TaskReader::explain(const OutlineDirective& directive) {
  Attributes attributes(directive, mistakes_);
  Explanation made;
  const auto when = attributes.one_of("when", {"right", "low", "high", "wrong"});
  attributes.finish();
  for (const Outcome outcome :
       {Outcome::kRight, Outcome::kTooLow, Outcome::kTooHigh, Outcome::kWrong})
    if (when == name_of(outcome)) made.when = outcome;
  made.text = read_text(directive.body, directive.body_line, mistakes_);
  if (made.text.empty())
    mistakes_.add(
        {directive.line, "an explanation is empty", ":::explain", "a sentence between the lines"});
  Task* task = task_before(directive);
  if (!task) return;
  const bool number = std::holds_alternative<NumberQuestion>(task->form);
  if (made.when && number == (made.when == Outcome::kWrong) && made.when != Outcome::kRight)
    mistakes_.add({directive.line, "no answer of this task has this outcome",
                   fmt::format("when={}", name_of(*made.when)),
                   number ? "right, low, high" : "right, wrong"});
  task->explanations.push_back(std::move(made));
}

void TaskReader::fact(const OutlineDirective& directive) {
  Attributes attributes(directive, mistakes_);
  if (const auto that = attributes.required("that", "conditions such as steps = 8"))
    for (Condition& condition : parse_conditions(*that, directive.line, mistakes_))
      step_.facts.push_back(std::move(condition));
  attributes.finish();
  if (!directive.body.empty())
    mistakes_.add({directive.body_line, "a fact has no text", quote_text(directive.body),
                   "that=\"condition\" alone"});
}

void TaskReader::check_task(const Task& task) {
  // A choice has the explanations of its options.
  if (!std::holds_alternative<ChoiceQuestion>(task.form) && task.explanations.empty())
    mistakes_.add({task.line, "the task has no explanation", "no `:::explain` after it",
                   "at least one, with or without when="});
  const auto* goal = std::get_if<Goal>(&task.form);
  if (!goal) return;
  for (const Control& control : goal->controls)
    if (!has_control(control, step_.scenario))
      mistakes_.add({task.line, "the step's scenario has no such control", quote_text(control.name),
                     "a control of its source and engine"});
}

void TaskReader::finish(bool has_scenario) {
  if (!has_scenario) return;
  for (const Task& task : step_.tasks) check_task(task);
}

}  // namespace attn::lesson
