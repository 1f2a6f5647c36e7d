// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/results/lesson_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/core/files/json_writer.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/quantity/lesson_language.h"
#include "engine/session/page/run_page.h"

namespace attn::lesson {
namespace {

constexpr std::string_view kScript = R"js(
function showLesson(root, lesson, runs) {
  const make = (tag, parent, props) => { const e = Object.assign(document.createElement(tag), props || {}); parent.append(e); return e; };
  const say = english => lesson.words[english] ?? english;
  let right = 0, answered = 0;
  const total = lesson.steps.reduce((n, step) => n + step.tasks.filter(t => t.kind !== 'goal').length, 0);
  const score = make('p', root, {className: 'note'});
  const count = () => { score.textContent = answered ? right + say(' of ') + answered + say(' right, ') + (total - answered) + say(' to go.') : say('Nobody is marked: say what you expect, and be surprised.'); };
  const sections = lesson.steps.map((step, index) => {
    const section = make('section', root, {hidden: index > 0});
    make('h2', section, {textContent: (index + 1) + '. ' + step.title, tabIndex: -1});
    make('div', section, {innerHTML: step.text});
    const tasks = make('div', section);
    const stage = make('div', section);
    let show = null;
    const reveal = place => { if (!show) show = showRun(stage, runs[step.run], false, lesson.words); show(place); };
    if (!step.tasks.some(t => t.asksFirst)) reveal({view: step.view, step: step.shownStep});
    const next = make('button', section, {type: 'button', className: 'main', textContent: index + 1 < lesson.steps.length ? say('Next step') : say('To the beginning')});
    next.onclick = () => go((index + 1) % lesson.steps.length);
    // All predictions of a step are asked before the outcome of any of them is shown.
    const held = [];
    const tell = (number, outcome) => {
      const next = step.tasks[number + 1], waits = step.tasks[number].asksFirst && next && next.asksFirst;
      held.push(outcome);
      if (!waits) for (const one of held.splice(0).reverse()) one();  // the first one is shown last, and stays
      if (tasks.children[number + 1]) tasks.children[number + 1].hidden = false;
      return waits;
    };
    step.tasks.forEach((task, number) => ask(task, make('div', tasks, {className: 'task', hidden: number > 0}), reveal,
      outcome => tell(number, outcome)));
    return section;
  });
  function go(index) {
    sections.forEach((section, i) => { section.hidden = i !== index; });
    sections[index].querySelector('h2').focus();
    window.dispatchEvent(new Event('resize'));
  }
  // tell: takes a function that shows the outcome; returns whether it has to wait for other answers.
  function ask(task, box, reveal, tell) {
    make('div', box, {className: 'kind', textContent: task.title});
    make('div', box, {innerHTML: task.question});
    const form = make('form', box), name = 'task' + task.id;
    let read = () => null;
    if (task.kind === 'number') {
      const field = make('input', make('label', form, {textContent: say('Your answer: ')}), {type: 'number', min: task.min, max: task.max, step: 'any', required: true});
      make('span', form, {textContent: ' ' + task.unit + ' '});
      if (task.near) make('p', form, {className: 'note', textContent: task.near});
      read = () => field.value === '' ? null : {number: +field.value};
    } else if (task.kind === 'choice') {
      task.options.forEach((option, i) => { const label = make('label', form, {className: 'choice'});
        make('input', label, {type: 'radio', name, value: i, required: true}); make('span', label, {innerHTML: ' ' + option.text}); });
      read = () => { const chosen = form.querySelector('input:checked'); return chosen ? {option: +chosen.value} : null; };
    } else if (task.kind === 'click') {
      make('p', form, {textContent: say('Decide which place you mean. Then look.')});
      read = () => ({});
    } else {
      make('p', form, {className: 'note', textContent: say('This task changes the scenario, which needs the program. An answer that works: ') + task.answer + '.'});
      return tell(() => {});
    }
    const button = make('button', form, {type: 'submit', className: 'main', textContent: say('Answer')});
    let hints = 0;
    if (task.hints.length) make('button', form, {type: 'button', textContent: say('Hint'), onclick: e => {
      make('div', box, {className: 'note', innerHTML: task.hints[hints++]}); if (hints === task.hints.length) e.target.remove(); }});
    form.onsubmit = event => {
      event.preventDefault();
      const answer = read();
      if (!answer) return;
      for (const e of form.elements) e.disabled = true;
      for (const e of form.querySelectorAll('button')) e.remove();
      let outcome = null;
      if (task.kind === 'number') {
        // The same rule as in is_near() of grading.cpp.
        const a = answer.number, t = task.right, f = task.factor;
        const isNear = Math.abs(a - t) <= task.tolerance + 1e-9 * Math.max(1, Math.abs(t)) ||
          (f > 1 && a * t > 0 && a / t <= f * (1 + 1e-9) && a / t >= (1 - 1e-9) / f);
        outcome = isNear ? 'right' : a < t ? 'low' : 'high';
      } else if (task.kind === 'choice') outcome = answer.option === task.right ? 'right' : 'wrong';
      const showOutcome = () => {
        if (outcome) { ++answered; right += outcome === 'right'; count(); }
        const verdict = make('p', box, {className: 'verdict ' + (outcome === 'right' ? 'right' : outcome ? 'wrong' : '')});
        verdict.setAttribute('role', 'status');
        verdict.textContent = (outcome === 'right' ? say('Right: ') : outcome === 'low' ? say('It is more: ') : outcome === 'high' ? say('It is less: ') : outcome ? say('No: ') : say('It is ')) + task.answer;
        if (task.kind === 'choice') for (const option of new Set([answer.option, task.right])) make('div', box, {innerHTML: task.options[option].explanation});
        for (const e of task.explanations) if (!e.when || e.when === outcome) make('div', box, {innerHTML: e.text});
        reveal(task.place);
      };
      if (tell(showOutcome)) make('p', box, {className: 'note', textContent: say('Your answer stands.')});
    };
  }
  count();
}
)js";

const char* title_of(const Task& task) {
  switch (task.kind) {
    case TaskKind::kPredict:
      return "Predict, before you look";
    case TaskKind::kObserve:
      return "What did you see?";
    case TaskKind::kChange:
      return "Change";
    case TaskKind::kBuild:
      return "Build";
  }
  return "";
}

std::string html_of(const Text& text, const FrozenRun& run) {
  return markdown_to_html(filled(text, run));
}

// Writes the place that the page shows when the task is answered.
void write_place(const Step& step, const TaskKey& right, JsonWriter& json) {
  const std::string& view = right.reveal.view.empty() ? step.view : right.reveal.view;
  Place place = right.place && can_be_shown(*right.place) ? *right.place : Place{};
  place.step = right.step > 0 ? right.step : -1;
  json.key("place").begin_object().put("view", view);
  json.put("row", right.place && place.kind == PlaceKind::kRow);
  const std::pair<const char*, int64_t> fields[] = {
      {"request", place.request}, {"layer", place.layer}, {"head", place.head},
      {"query", place.query},     {"key", place.key},     {"block", place.block},
      {"step", place.step}};
  for (const auto& [name, number] : fields)
    if (number >= 0) json.put(name, number);
  json.end_object();
}

void write_task(const Step& step, const Task& task, const TaskKey& right, const FrozenRun& run,
                size_t id, JsonWriter& json) {
  const std::string& language = task.question.language;
  const auto* goal = std::get_if<Goal>(&task.form);
  json.begin_object().put("id", id);
  json.put("title", in_language(title_of(task), language));
  json.put("asksFirst", task.kind == TaskKind::kPredict);
  json.put("question", html_of(task.question, run));
  json.put("answer", goal ? solution_words(*goal, language) : answer_words(task, right));
  if (const auto* number = std::get_if<NumberQuestion>(&task.form)) {
    json.put("kind", "number").put("right", right.number).put("tolerance", number->tolerance);
    json.put("factor", number->factor).put("min", number->min).put("max", number->max);
    json.put("unit", in_language(number->measure.unit, language));
    json.put("near", tolerance_words(*number));
  } else if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
    json.put("kind", "choice").put("right", right.option).key("options").begin_array();
    for (const ChoiceQuestion::Option& option : choice->options) {
      json.begin_object().put("text", html_of(option.text, run));
      json.put("explanation", html_of(option.explanation, run)).end_object();
    }
    json.end_array();
  } else {
    json.put("kind", goal ? "goal" : "click");
  }
  json.key("hints").begin_array();
  for (const Hint& hint : task.hints) json.value(html_of(hint.text, run));
  json.end_array().key("explanations").begin_array();
  for (const Explanation& explanation : task.explanations) {
    json.begin_object().key("when");
    if (explanation.when)
      json.value(name_of(*explanation.when));
    else
      json.null();
    json.put("text", html_of(explanation.text, run)).end_object();
  }
  json.end_array();
  write_place(step, right, json);
  json.end_object();
}

// The view itself if the page has it, otherwise the first view of the page.
std::string page_view(const std::string& view) {
  const std::vector<std::string>& views = page_views();
  return std::ranges::find(views, view) != views.end() ? view : views.front();
}

}  // namespace

std::string lesson_page_html(const AnswerKey& key) {
  const Lesson& lesson = *key.lesson;
  std::map<const FrozenRun*, size_t> places;
  std::string runs;
  JsonWriter json;
  json.begin_object().key("steps").begin_array();
  size_t id = 0;
  for (size_t index = 0; index < lesson.steps.size(); ++index) {
    const Step& step = lesson.steps[index];
    const FrozenRun& run = *key.steps[index].run;
    const auto [at, is_new] = places.try_emplace(&run, places.size());
    if (is_new) {
      const ScenarioView& view = run.scenario().view;
      runs += (runs.empty() ? "" : ",\n") + run_page_data({.snapshot = &run.end(),
                                                           .events = &run.events(),
                                                           .view = page_view(step.view),
                                                           .request = -1,
                                                           .layer = view.layer,
                                                           .head = view.head,
                                                           .step = 0});
    }
    json.begin_object().put("title", step.title).put("text", html_of(step.text, run));
    json.put("view", step.view);
    json.put("shownStep", is_empty_at_end(step.view) ? run.peak().step_to_show : 0);
    json.put("run", at->second).key("tasks").begin_array();
    for (size_t task = 0; task < step.tasks.size(); ++task)
      write_task(step, step.tasks[task], key.steps[index].tasks[task], run, id++, json);
    json.end_array().end_object();
  }
  json.end_array().key("words").begin_object();
  for (const auto& [english, word] : words_of_language(lesson.about.language))
    json.put(english, word);
  json.end_object().end_object();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{0}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{1}</title>\n"
      "<style>{2}</style>\n</head>\n<body>\n<h1>{1}</h1>\n<div id=\"lesson\"></div>\n"
      "<noscript><p>{7}</p></noscript>\n"
      "<script>{3}{4}\nshowLesson(document.getElementById('lesson'), {5}, [{6}]);\n</script>\n"
      "</body>\n</html>\n",
      html_escaped(lesson.about.language), html_escaped(lesson.about.title), page_style(),
      page_script(), kScript, script_json(json.text()), runs,
      in_language("This page asks with a script, which the browser does not run.",
                  lesson.about.language));
}

}  // namespace attn::lesson
