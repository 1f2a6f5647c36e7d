// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/run/answer_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_expression.h"
#include "engine/lesson/format/words.h"
#include "engine/lesson/quantity/lesson_language.h"
#include "engine/lesson/quantity/resolved_arguments.h"
#include "engine/lesson/run/why_not_shared.h"

namespace attn::lesson {
namespace {

std::string token_text(const std::vector<TokenView>* tokens, int64_t at) {
  if (!tokens || at < 0 || at >= static_cast<int64_t>(tokens->size())) return "";
  const std::string text = trimmed((*tokens)[static_cast<size_t>(at)].text.str());
  return text.empty() ? "" : fmt::format(" “{}”", text);
}

std::vector<size_t> options_that_hold(const ChoiceQuestion& choice, const FrozenRun& run) {
  std::vector<size_t> holding;
  for (size_t i = 0; i < choice.options.size(); ++i)
    if (value_of(choice.options[i].when, run).holds) holding.push_back(i);
  return holding;
}

int64_t step_to_show(const Task& task, const TaskKey& key, std::string_view view,
                     const FrozenRun& run) {
  if (key.place && key.place->step > 0) return key.place->step;
  if (const Expression* subject = subject_of(task))
    if (const int64_t step = step_of(*subject, run); step > 0) return step;
  return is_empty_at_end(view) ? run.peak().step_to_show : 0;
}

TaskKey key_of(const Step& step, const Task& task, const FrozenRun& run) {
  TaskKey key;
  if (const Expression* subject = subject_of(task); subject && !subject->empty()) {
    const QuantityValue value = value_of(*subject, run);
    key.number = value.number;
    key.place = value.place;
  }
  if (const auto* number = std::get_if<NumberQuestion>(&task.form)) {
    key.shown = shown(number->measure, key.number);
    key.number *= number->measure.scale;
    if (!std::isfinite(key.number))
      throw_bad_input({"the answer is not a finite number", "", key.shown, "a number", ""});
  } else if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
    const std::vector<size_t> holding = options_that_hold(*choice, run);
    if (holding.size() != 1) {
      std::vector<std::string> which;
      for (const size_t option : holding) which.push_back(choice->options[option].when.text);
      throw_bad_input(
          {"not exactly one answer to choose is right", "",
           fmt::format("{}{}", holding.empty() ? "none" : fmt::format("{}", fmt::join(which, ", ")),
                       choice->measure
                           ? fmt::format("; {} is {:.6g}", choice->measure->text, key.number)
                           : ""),
           "conditions of which exactly one holds",
           choice->measure ? why_not_shared(*choice->measure, key.number, run) : ""});
    }
    key.option = holding.front();
    key.shown = filled(choice->options[key.option].text, run);
  } else if (const auto* click = std::get_if<ClickQuestion>(&task.form)) {
    if (!key.place)
      throw_bad_input({"the target has no place in this run", "", click->target.text,
                       "a quantity that has one", ""});
    key.shown = place_text(*key.place, run, task.question.language);
  } else {
    const Goal& goal = std::get<Goal>(task.form);
    for (const Condition& condition : goal.conditions) {
      key.start.push_back(value_of(condition, run));
      key.shown += (key.shown.empty() ? "" : in_language(" and ", task.question.language));
      key.shown += condition.text;
    }
  }
  if (task.reveal) {
    key.reveal = *task.reveal;
    // A click is graded by its target, not by the place of the reveal.
    if (task.reveal->at)
      if (const auto place = value_of(*task.reveal->at, run).place;
          place && !std::holds_alternative<ClickQuestion>(task.form))
        key.place = place;
  }
  if (task.is_question())
    key.step = step_to_show(task, key, key.reveal.view.empty() ? step.view : key.reveal.view, run);
  return key;
}

}  // namespace

const Expression* subject_of(const Task& task) {
  if (const auto* number = std::get_if<NumberQuestion>(&task.form))
    return &number->measure.expression;
  if (const auto* click = std::get_if<ClickQuestion>(&task.form)) return &click->target;
  if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form))
    return choice->measure ? &*choice->measure : nullptr;
  return nullptr;
}

namespace {

// The first quantity that takes a step. Null: there is none.
const QuantityCall* call_with_step(const Expression& expression) {
  for (const Expression::Node& node : expression.nodes) {
    const Quantity* quantity = find_quantity(node.call.name);
    if (!quantity) continue;  // a number, or a sign
    const std::vector<std::string> arguments = split_words(quantity->arguments);
    if (std::ranges::find(arguments, "step") != arguments.end()) return &node.call;
  }
  return nullptr;
}

// ConditionValue::step
int64_t step_to_name(const Expression& expression, const FrozenRun& run) {
  const QuantityCall* call = call_with_step(expression);
  if (!call) return 0;
  const auto given = call->arguments.find("step");
  if (given != call->arguments.end() && given->second.kind == ArgumentValue::Kind::kInteger)
    return 0;
  return ResolvedArguments(*call, run).step();
}

}  // namespace

int64_t step_of(const Expression& expression, const FrozenRun& run) {
  const QuantityCall* call = call_with_step(expression);
  try {
    return call ? ResolvedArguments(*call, run).step_to_show() : 0;
  } catch (const Error&) {
    return 0;  // no such step
  }
}

int64_t step_of(const Goal& goal, const FrozenRun& run) {
  for (const Condition& condition : goal.conditions)
    if (const int64_t step = step_of(condition.left, run); step > 0) return step;
  return 0;
}

QuantityValue value_of(const Expression& expression, const FrozenRun& run) {
  using Kind = Expression::Kind;
  std::vector<double> stack;
  std::optional<Place> place;
  for (const Expression::Node& node : expression.nodes) {
    if (node.kind == Kind::kNumber) {
      stack.push_back(node.number);
      continue;
    }
    if (node.kind == Kind::kQuantity) {
      const QuantityValue value = compute(node.call, run);
      stack.push_back(value.number);
      if (!place) place = value.place;
      continue;
    }
    const double right = stack.back();
    stack.pop_back();
    double& left = stack.back();
    switch (node.kind) {
      case Kind::kAdd:
        left += right;
        break;
      case Kind::kSubtract:
        left -= right;
        break;
      case Kind::kMultiply:
        left *= right;
        break;
      default:
        if (right == 0)
          throw_bad_input({"this divides by zero", "", expression.text, "another divisor", ""});
        left /= right;
    }
  }
  return {stack.empty() ? 0 : stack.back(), place};
}

ConditionValue value_of(const Condition& condition, const FrozenRun& run) {
  ConditionValue value;
  value.left = value_of(condition.left, run).number;
  value.step = step_to_name(condition.left, run);
  value.right = value_of(condition.right, run).number;
  const bool between = condition.relation == Relation::kBetween;
  value.upper = between ? value_of(condition.upper, run).number : value.right;
  const double near = 1e-9 * std::max(std::abs(value.left), std::abs(value.right));
  const bool equal = std::abs(value.left - value.right) <= near;
  switch (condition.relation) {
    case Relation::kLess:
      value.holds = value.left < value.right && !equal;
      break;
    case Relation::kAtMost:
      value.holds = value.left < value.right || equal;
      break;
    case Relation::kMore:
      value.holds = value.left > value.right && !equal;
      break;
    case Relation::kAtLeast:
      value.holds = value.left > value.right || equal;
      break;
    case Relation::kEqual:
      value.holds = equal;
      break;
    case Relation::kNotEqual:
      value.holds = !equal;
      break;
    case Relation::kBetween:
      value.holds = (value.left > value.right || equal) && value.left <= value.upper;
      break;
  }
  return value;
}

std::string sentence_of(const Condition& condition, const ConditionValue& value) {
  Measure measure;
  measure.unit = condition.left.unit == "part" ? "%" : condition.left.unit;
  measure.scale = condition.left.unit == "part" ? 100 : 1;
  return fmt::format("{} is {}", condition.left.text, shown(measure, value.left));
}

namespace {

std::string words_of_quantity(std::string name) {
  static const std::map<std::string_view, std::string_view> kWords{
      {"blocks_of", "blocks of the request"},
      {"heaviest", "largest weight"},
      {"heaviest_position", "position of the largest weight"},
      {"kv_bytes", "memory of keys and values"},
      {"num_blocks", "Blocks of the cache"},  // as its field is called
      {"rescales", "rescalings of the sum"},
      {"tokens_of_step", "tokens of the step"},
      {"value_share", "share of what is passed on"},
      {"waste", "empty slots"},
  };
  if (const auto found = kWords.find(name); found != kWords.end())
    return std::string(found->second);
  std::ranges::replace(name, '_', ' ');
  return name;
}

Measure measure_of(const Condition& condition, std::string_view language) {
  Measure measure;
  measure.unit = condition.left.unit;
  measure.language = language;
  if (measure.unit == "part") {
    measure.unit = "%";
    measure.scale = 100;
  }
  if (measure.unit == "times") measure.unit.clear();  // "preemptions: 3 now" needs no unit
  return measure;
}

// If the left side is one quantity: its name, with the request if that is given by its name.
// Otherwise the expression.
std::string name_of_subject(const Condition& condition, std::string_view language) {
  const auto& nodes = condition.left.nodes;
  if (nodes.size() != 1 || nodes.front().kind != Expression::Kind::kQuantity)
    return condition.left.text;
  const QuantityCall& call = nodes.front().call;
  const std::string name(in_language(words_of_quantity(call.name), language));
  const auto request = call.arguments.find("request");
  if (request == call.arguments.end() || request->second.kind != ArgumentValue::Kind::kText)
    return name;
  return fmt::format("{} ({})", name, request->second.text);
}

std::string_view words_of(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return "less than";
    case Relation::kAtMost:
      return "at most";
    case Relation::kMore:
      return "more than";
    case Relation::kAtLeast:
      return "at least";
    case Relation::kNotEqual:
      return "not";
    case Relation::kEqual:
    case Relation::kBetween:
      return "exactly";
  }
  return "";
}

// What a condition wants: "less than 10 %", "10 to 20 %".
std::string wanted_words(const Condition& condition, const ConditionValue& value,
                         std::string_view language) {
  const Measure measure = measure_of(condition, language);
  const std::string right = shown(measure, value.right);
  if (condition.relation != Relation::kBetween)
    return fmt::format("{} {}", in_language(words_of(condition.relation), language), right);
  Measure lower = measure;
  lower.unit.clear();
  return fmt::format("{} {} {}", shown(lower, value.right), in_language("to", language),
                     shown(measure, value.upper));
}

}  // namespace

std::string goal_words(const Condition& condition, const ConditionValue& value,
                       std::string_view language, bool is_now) {
  const auto say = [&](std::string_view english) { return in_language(english, language); };
  Measure measure = measure_of(condition, language);
  if (measure.unit == "%") measure.decimals = 1;
  std::string now = std::isfinite(value.left) ? fmt::format("{} {}", shown(measure, value.left),
                                                            say(is_now ? "now" : "before"))
                                              : std::string(say("not in this run"));
  if (value.step > 0) now += fmt::format(fmt::runtime(say(", in step {}")), value.step);
  return fmt::format("{}: {}; {}: {}", name_of_subject(condition, language), now, say("wanted"),
                     wanted_words(condition, value, language));
}

std::string wanted_words(const Goal& goal, const TaskKey& key, std::string_view language) {
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(goal.conditions.size(), key.start.size()); ++i)
    all.push_back(fmt::format("{}: {}", name_of_subject(goal.conditions[i], language),
                              wanted_words(goal.conditions[i], key.start[i], language)));
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string solution_words(const Goal& goal, std::string_view language) {
  std::vector<std::string> all;
  for (const Setting& setting : goal.solution) {
    const Control* control = find_control(setting.control);
    all.push_back(fmt::format("{} = {}",
                              in_language(control ? control->label : setting.control, language),
                              setting.value));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string place_text(const Place& place, const FrozenRun& run, std::string_view language) {
  const auto named = [&](std::string_view word, int64_t number) {
    return fmt::format("{} {}", in_language(word, language), number);
  };
  const RequestView* request = request_by_id(run.end(), place.request);
  const std::vector<TokenView>* own = request ? request->tokens.get() : nullptr;
  switch (place.kind) {
    case PlaceKind::kCell: {
      const bool cross = run.end().rules && run.end().rules->of(place.layer).cross;
      const std::vector<TokenView>* keys = cross && request ? request->encoder_tokens.get() : own;
      return fmt::format("{}{}, {}{}", named("query", place.query), token_text(own, place.query),
                         named("key", place.key), token_text(keys, place.key));
    }
    case PlaceKind::kRow:
      return named("query", place.query) + token_text(own, place.query);
    case PlaceKind::kToken:
      return named("token", place.token) + token_text(own, place.token);
    case PlaceKind::kRequest:
      return request ? request->name : to_string(place, false, language);
    default:
      return to_string(place, false, language);
  }
}

std::string tolerance_words(const NumberQuestion& question) {
  const std::string& language = question.measure.language;
  if (question.factor > 1)
    return fmt::format(fmt::runtime(in_language(
                           "an answer up to {} times too small or too large is right", language)),
                       fmt::format("{:.6g}", question.factor));
  if (question.tolerance < question.step) return "";
  Measure measure = question.measure;
  measure.scale = 1;
  measure.decimals = -1;
  return fmt::format(
      fmt::runtime(in_language("an answer up to {} too small or too large is right", language)),
      shown(measure, question.tolerance));
}

std::string answer_words(const Task& task, const TaskKey& right) {
  return std::holds_alternative<ChoiceQuestion>(task.form) ? markdown_to_plain(right.shown)
                                                           : right.shown;
}

std::string teacher_words(const Task& task, const TaskKey& right) {
  const auto* number = std::get_if<NumberQuestion>(&task.form);
  const std::string tolerance = number ? tolerance_words(*number) : "";
  return answer_words(task, right) + (tolerance.empty() ? "" : fmt::format(" ({})", tolerance));
}

std::string filled(const Text& text, const FrozenRun& run) {
  std::string out;
  size_t at = 0;
  for (const Text::Insertion& insertion : text.insertions) {
    out += text.markdown.substr(at, insertion.begin - at);
    const QuantityValue value = value_of(insertion.measure.expression, run);
    out += insertion.measure.expression.is_place && value.place
               ? markdown_escaped(place_text(*value.place, run, text.language))
               : shown(insertion.measure, value.number);
    at = insertion.end;
  }
  return out + text.markdown.substr(at);
}

AnswerKey make_answer_key(std::shared_ptr<const Lesson> lesson, const KeyOptions& options) {
  std::vector<Mistake> mistakes;
  AnswerKey key = try_answer_key(std::move(lesson), options, mistakes);
  if (!mistakes.empty()) throw error_of(mistakes, key.lesson->origin);
  return key;
}

AnswerKey try_answer_key(std::shared_ptr<const Lesson> lesson, const KeyOptions& options,
                         std::vector<Mistake>& mistakes) {
  AnswerKey key;
  key.lesson = std::move(lesson);
  key.sources = options.sources ? options.sources : std::make_shared<SourceCache>();
  std::map<std::string, std::shared_ptr<const FrozenRun>> runs;  // by scenario
  const auto fail = [&](int line, const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw error;
    const ErrorParts& parts = error.parts();
    mistakes.push_back({line, parts.what,
                        parts.where.empty() ? parts.found : parts.where + ": " + parts.found,
                        parts.allowed, parts.advice});
  };
  for (const Step& step : key.lesson->steps) {
    if (options.progress) options.progress(key.steps.size(), key.lesson->steps.size());
    StepKey& made = key.steps.emplace_back();
    const std::string canonical = to_json(step.scenario);
    try {
      std::shared_ptr<const FrozenRun>& run = runs[canonical];
      if (!run) run = FrozenRun::make(step.scenario, *key.sources, options.gate);
      made.run = run;
    } catch (const Error& error) {
      fail(step.line, error);
      continue;
    }
    for (const Task& task : step.tasks) {
      made.tasks.emplace_back();
      try {
        made.tasks.back() = key_of(step, task, *made.run);
      } catch (const Error& error) {
        fail(task.line, error);
      }
    }
  }
  return key;
}

}  // namespace attn::lesson
