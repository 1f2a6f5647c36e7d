// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/results/handout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "engine/lesson/format/markdown.h"
#include "engine/lesson/quantity/lesson_language.h"
#include "engine/lesson/results/sheets.h"
#include "engine/session/page/run_page.h"

namespace attn::lesson {
namespace {

std::string css_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    // Escaped, these do not end the string or the style sheet.
    if (std::string_view("\"\\<>&\n").find(c) != std::string_view::npos)
      out += fmt::format("\\{:x} ", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

constexpr std::string_view kStyle = R"css(
body { max-width: 46rem; margin: 0 auto; padding: 1rem; color: #111; background: #fff;
       font: 11.5pt/1.45 "Inter", "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 1.6rem 0 .3rem; }
.who { display: flex; gap: 2rem; margin: 0 0 1rem; } .who span { flex: 1; border-bottom: 1px solid #555; }
.task { border: 1px solid #555; padding: .5rem .8rem; margin: .7rem 0; break-inside: avoid; }
.box { border: 1px solid #555; height: 2.2rem; margin: .4rem 0; }
.key { border-left: 4px solid #2f7d5b; padding: .1rem .7rem; margin: .4rem 0; }
.kind { font-size: .8rem; color: #444; } ol.choices { list-style: none; padding: 0; }
ol.choices li::before { content: "\2610\00a0"; } ol.choices li.right::before { content: "\2611\00a0"; }
.sheet { font-weight: 600; margin: 0; } .sheet.further { break-before: page; }
@media screen { .sheet.further { border-top: 3px solid #555; margin-top: 2.5rem; padding-top: .6rem; } }
img { max-width: 100%; } table { border-collapse: collapse; } td, th { border: 1px solid #999; padding: .1rem .5rem; }
)css";

std::string_view kind_text(TaskKind kind) {
  switch (kind) {
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

class Page {
 public:
  Page(const AnswerKey& key, const HandoutOptions& options)
      : key_(key), options_(options), further_(further_sheets(key)) {}

  std::string write() {
    const About& about = key_.lesson->about;
    html_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n"
        "<style>\n@page {{ size: A4; margin: 18mm;\n"
        "  @bottom-left {{ content: {}; font: 9pt sans-serif; }}\n"
        "  @bottom-right {{ content: counter(page) \" / \" counter(pages); font: 9pt sans-serif; "
        "}} }}"
        "{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
        html_escaped(about.language), html_escaped(about.title),
        css_quoted(heading_of(*key_.lesson)), kStyle, html_escaped(about.title));
    if (options_.with_key)
      html_ += fmt::format("<p>{} <code>{}</code>, {} {}. {}</p>\n", say("Teacher's copy. Lesson"),
                           html_escaped(about.id), say("version"), about.version,
                           say("The answers were computed from the runs of the lesson."));
    begin_sheet(1);
    for (size_t step = 0; step < key_.steps.size(); ++step) write_step(step);
    return std::move(html_) + "</body>\n</html>\n";
  }

 private:
  std::string_view say(std::string_view english) const {
    return in_language(english, key_.lesson->about.language);
  }
  void text(const Text& from, const FrozenRun& run) {
    html_ += markdown_to_html(filled(from, run));
  }
  // In the learners' copy a sheet has a place for the name, because sheets are handed out one by
  // one.
  void begin_sheet(size_t sheet) {
    if (!further_.empty())
      html_ += fmt::format("<p class=\"sheet{}\">{}</p>\n", sheet > 1 ? " further" : "",
                           sheet_words(further_, sheet, key_.lesson->about.language));
    if (!options_.with_key)
      html_ += fmt::format("<p class=\"who\">{} <span></span> {} <span></span></p>\n", say("Name"),
                           say("Date"));
  }
  void begin_sheet_at(const HandoutPart& part) {
    if (const size_t sheet = sheet_that_begins(further_, part)) begin_sheet(sheet);
  }
  void write_step(size_t index) {
    const Step& step = key_.lesson->steps[index];
    const FrozenRun& run = *key_.steps[index].run;
    begin_sheet_at({index, HandoutPart::kStepText});
    html_ += fmt::format("<h2>{}. {}</h2>\n", index + 1, html_escaped(step.title));
    text(step.text, run);
    if (options_.picture)
      if (const std::string picture = options_.picture(index); !picture.empty())
        html_ += fmt::format("<p><img src=\"{}\" alt=\"{} {}\"></p>\n", html_escaped(picture),
                             say("The start of step"), index + 1);
    for (size_t task = 0; task < step.tasks.size(); ++task) {
      begin_sheet_at({index, task});
      write_task(step.tasks[task], key_.steps[index].tasks[task], run);
    }
  }
  void write_task(const Task& task, const TaskKey& right, const FrozenRun& run) {
    html_ += fmt::format("<div class=\"task\">\n<div class=\"kind\">{}</div>\n",
                         say(kind_text(task.kind)));
    html_ += markdown_to_html(printed_question(*key_.lesson, task, run));
    if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
      html_ += "<ol class=\"choices\">\n";
      for (size_t i = 0; i < choice->options.size(); ++i) {
        const bool marked = options_.with_key && i == right.option;
        html_ += marked ? "<li class=\"right\">" : "<li>";
        text(choice->options[i].text, run);
        if (options_.with_key) text(choice->options[i].explanation, run);
        html_ += "</li>\n";
      }
      html_ += "</ol>\n";
    } else if (!options_.with_key) {
      html_ += "<div class=\"box\"></div>\n";
    }
    if (options_.with_key) write_key(task, right, run);
    html_ += "</div>\n";
  }
  void write_key(const Task& task, const TaskKey& right, const FrozenRun& run) {
    html_ += "<div class=\"key\">";
    const std::string& language = key_.lesson->about.language;
    if (const auto* goal = std::get_if<Goal>(&task.form)) {
      html_ += fmt::format("<p><strong>{}: {}.</strong></p>\n<p>{}: {}.</p>\n", say("Goal"),
                           html_escaped(wanted_words(*goal, right, language)), say("For example"),
                           html_escaped(solution_words(*goal, language)));
    } else if (!std::holds_alternative<ChoiceQuestion>(task.form)) {  // the right option is marked
      html_ +=
          fmt::format("<p><strong>{}</strong></p>\n", html_escaped(teacher_words(task, right)));
    }
    for (const Hint& hint : task.hints) {
      html_ += fmt::format("<p>{}:</p>", say("Hint"));
      text(hint.text, run);
    }
    for (const Explanation& explanation : task.explanations) {
      if (explanation.when)
        html_ += fmt::format(
            "<p>{}:</p>",
            say(fmt::format("If the answer is {}", *explanation.when == Outcome::kTooLow ? "too low"
                                                   : *explanation.when == Outcome::kTooHigh
                                                       ? "too high"
                                                       : name_of(*explanation.when))));
      text(explanation.text, run);
    }
    html_ += "</div>\n";
  }

  const AnswerKey& key_;
  const HandoutOptions& options_;
  std::vector<SheetStart> further_;
  std::string html_;
};

// Text for GIFT: one line, with special signs escaped.
std::string gift(std::string_view markdown) {
  std::string out;
  for (const char c : markdown_to_plain(markdown)) {
    if (c == '\n') {
      if (!out.ends_with(' ')) out += ' ';
      continue;
    }
    if (std::string_view("~=#{}:\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The name of a GIFT category, with slashes doubled.
std::string gift_category(std::string_view title) {
  std::string out;
  for (const char c : title) out += c == '/' ? std::string("//") : std::string(1, c);
  return out;
}

// The explanations for one outcome (nullopt: for every answer) after `sign`. Empty: there are none.
std::string gift_feedback(const Task& task, std::optional<Outcome> when, std::string_view sign,
                          const FrozenRun& run) {
  std::string words;
  for (const Explanation& explanation : task.explanations)
    if (explanation.when == when)
      words += (words.empty() ? "" : " ") + gift(filled(explanation.text, run));
  return words.empty() ? words : fmt::format("{}{}", sign, words);
}

}  // namespace

std::string handout_html(const AnswerKey& key, const HandoutOptions& options) {
  return Page(key, options).write();
}

std::string heading_of(const Lesson& lesson) {
  int number = 0;
  const char* end = lesson.origin.data() + lesson.origin.size();
  const auto [after, error] = std::from_chars(lesson.origin.data(), end, number);
  if (error != std::errc() || after == end || *after != '-') return lesson.about.title;
  return fmt::format(fmt::runtime(in_language("Lesson {}: {}", lesson.about.language)), number,
                     lesson.about.title);
}

std::string printed_question(const Lesson& lesson, const Task& task, const FrozenRun& run) {
  if (!task.on_paper.empty()) return filled(task.on_paper, run);
  std::string question = filled(task.question, run);
  if (std::holds_alternative<ClickQuestion>(task.form))
    question += fmt::format(
        "\n\n{}", in_language("On paper: write down what you would click.", lesson.about.language));
  return question;
}

std::string gift_text(const AnswerKey& key, std::vector<std::string>* notes) {
  const Lesson& lesson = *key.lesson;
  std::string out = fmt::format("// {}, version {}: questions of a lesson of Attention Workbench\n",
                                lesson.about.id, lesson.about.version);
  out += fmt::format("$CATEGORY: {}\n\n", gift_category(lesson.about.title));
  for (size_t step = 0; step < key.steps.size(); ++step) {
    const FrozenRun& run = *key.steps[step].run;
    for (size_t index = 0; index < lesson.steps[step].tasks.size(); ++index) {
      const Task& task = lesson.steps[step].tasks[index];
      const TaskKey& right = key.steps[step].tasks[index];
      const std::string head =
          fmt::format("::{} {}::[plain]{} {} ", gift(lesson.about.id), gift(task.name),
                      gift(filled(lesson.steps[step].text, run)), gift(filled(task.question, run)));
      if (const auto* number = std::get_if<NumberQuestion>(&task.form)) {
        // GIFT has a distance only, so a factor becomes the larger of its two distances.
        const double tolerance =
            std::max({number->tolerance, std::abs(right.number) * (number->factor - 1),
                      1e-6 * std::abs(right.number)});
        const std::string_view word = in_language(number->measure.unit, lesson.about.language);
        const std::string unit = word.empty() ? "" : fmt::format("(in {}) ", gift(word));
        out += fmt::format("{}{}{{#{:.15g}:{:.6g}{}{}}}\n\n", head, unit, right.number, tolerance,
                           gift_feedback(task, Outcome::kRight, "#", run),
                           gift_feedback(task, std::nullopt, "####", run));
      } else if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
        out += head + "{\n";
        for (size_t i = 0; i < choice->options.size(); ++i)
          out += fmt::format("  {}{} #{}\n", i == right.option ? '=' : '~',
                             gift(filled(choice->options[i].text, run)),
                             gift(filled(choice->options[i].explanation, run)));
        out += gift_feedback(task, std::nullopt, "  ####", run) + "}\n\n";
      } else if (notes) {
        notes->push_back(fmt::format(
            "{} was left out: {}", task.name,
            task.is_question() ? "Moodle knows no clicks into a view" : "it needs the program"));
      }
    }
  }
  if (const auto further = further_sheets(key); notes && !further.empty())
    notes->push_back(fmt::format(
        "the text of step {} tells the answer to {}{}: give each question a page of its own in the "
        "quiz, with sequential navigation",
        further.front().first.step + 1, further.front().tells,
        further.size() > 1 ? ", and there are other such texts" : ""));
  return out;
}

std::string skeleton(std::string_view id, std::string_view title, std::string_view language) {
  constexpr auto kEnglish = R"md(---
id: {}
title: {}
language: en
needs: model tinystories-gqa
version: 1
---

## What the last word reads

A model reads a sentence and adds a few words. Each word gives out 100 % of
its attention over the words before it and itself.

:::scenario name=first-look view=heatmap
{{ "engine": {{ "block_size": 16 }} }}
:::

:::predict kind=number quantity="share(key=0, query=last_prompt)" unit=% tolerance=10
How much of the attention of the last word of the prompt goes to the very
first token?
:::

:::hint
Look at the row of the last word of the prompt.
:::

:::hint view=heatmap at="weight(key=0, query=last_prompt)"
The ringed cell holds the answer.
:::

:::reveal view=heatmap at="weight(key=0, query=last_prompt)"
:::

:::explain when=low
It is more than that.
:::

:::explain when=high
It is less than that.
:::

:::explain
The weight is {{{{share(key=0, query=last_prompt) | % | 1}}}}.
:::

## Blocks that are filled

The run stores keys and values in blocks of {{{{block_size}}}} tokens. The last
block of a sequence is seldom full.

:::change controls="block_size" goal="waste(step=1) < 0.05" solution="block_size=5"
Choose a block size with which less than 5 % of the slots are empty after
the first step.
:::

:::explain
Smaller blocks leave fewer empty slots, and need longer tables.
:::
)md";
  constexpr auto kGerman = R"md(---
id: {}
title: {}
language: de
needs: model tinystories-gqa
version: 1
---

## Was das letzte Wort liest

Ein Modell liest einen Satz und fügt ein paar Wörter an. Jedes Wort verteilt
100 % seiner Aufmerksamkeit auf sich selbst und die Wörter davor.

:::scenario name=first-look view=heatmap
{{ "engine": {{ "block_size": 16 }} }}
:::

:::predict kind=number quantity="share(key=0, query=last_prompt)" unit=% tolerance=10
Wie viel von der Aufmerksamkeit des letzten Wortes im Prompt bekommt das
allererste Token?
:::

:::hint
Sieh dir die Zeile des letzten Wortes im Prompt an.
:::

:::hint view=heatmap at="weight(key=0, query=last_prompt)"
In der eingekreisten Zelle steht die Antwort.
:::

:::reveal view=heatmap at="weight(key=0, query=last_prompt)"
:::

:::explain when=low
Es ist mehr.
:::

:::explain when=high
Es ist weniger.
:::

:::explain
Das Gewicht ist {{{{share(key=0, query=last_prompt) | % | 1}}}}.
:::

## Gefüllte Blöcke

Der Lauf speichert Keys und Values in Blöcken zu {{{{block_size | - | 0}}}} Token.
Der letzte Block einer Sequenz ist selten voll.

:::change controls="block_size" goal="waste(step=1) < 0.05" solution="block_size=5"
Wähle eine Blockgröße, bei der nach dem ersten Schritt weniger als 5 % der
Slots leer sind.
:::

:::explain
Kleinere Blöcke lassen weniger Slots leer. Dafür werden die Tabellen länger.
:::
)md";
  return language == "de" ? fmt::format(kGerman, id, title) : fmt::format(kEnglish, id, title);
}

}  // namespace attn::lesson
