// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/results/sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/core/error.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/words.h"
#include "engine/lesson/quantity/lesson_language.h"

namespace attn::lesson {
namespace {

constexpr double kMostTrivial = 10;

bool is_trivial(double number) {
  return number >= 0 && number <= kMostTrivial && number == std::round(number);
}

// An ASCII letter, digit or underscore, or a byte of a longer character.
bool is_in_word(char c) {
  return is_word_char(c) || (c & 0x80) != 0;
}

struct WrittenNumber {
  double value = 0;
  int decimals = 0;
};
std::vector<WrittenNumber> numbers_in(std::string_view text) {
  std::vector<WrittenNumber> numbers;
  for (size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::string digits;
    WrittenNumber number;
    bool fraction = false;
    for (; at < text.size(); ++at) {
      const bool before_digit = at + 1 < text.size() && is_digit(text[at + 1]);
      if (is_digit(text[at])) {
        digits += text[at];
        number.decimals += fraction ? 1 : 0;
      } else if (text[at] == '.' && !fraction && before_digit) {
        digits += '.';
        fraction = true;
      } else if (text[at] != ',' || fraction || !before_digit) {
        break;
      }
    }
    std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    numbers.push_back(number);
  }
  return numbers;
}

bool tells_number(std::string_view text, double answer) {
  return std::ranges::any_of(numbers_in(text), [&](const WrittenNumber& number) {
    if (number.decimals == 0 && is_trivial(number.value)) return false;
    const double half = 0.5 * std::pow(10.0, -number.decimals);
    return std::abs(number.value - std::abs(answer)) <= half * (1 + 1e-9);
  });
}

bool has_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !is_in_word(text[at - 1]) || !is_in_word(word.front());
    const bool ends = end == text.size() || !is_in_word(text[end]) || !is_in_word(word.back());
    if (begins && ends) return true;
  }
  return false;
}

// The word of a place that answers a question. Empty: it has none.
std::string word_of(const Place& place, const FrozenRun& run, std::string_view language) {
  // place_text() puts tokens in “ ”. The last one is meant.
  const std::string text = place_text(place, run, language);
  switch (place.kind) {
    case PlaceKind::kCell:
    case PlaceKind::kRow:
    case PlaceKind::kToken: {
      constexpr std::string_view kOpen = "“", kClose = "”";
      const size_t open = text.rfind(kOpen), close = text.rfind(kClose);
      if (open == std::string::npos || close == std::string::npos || close < open) return "";
      return text.substr(open + kOpen.size(), close - open - kOpen.size());
    }
    case PlaceKind::kHead:
    case PlaceKind::kRequest:
      return text;
    case PlaceKind::kBlock:
    case PlaceKind::kStep:
      return "";
  }
  return "";
}

// The lesson's texts that the learners' copy prints of a part, without titles.
std::vector<const Text*> texts_of(const AnswerKey& key, const HandoutPart& part) {
  const Step& step = key.lesson->steps[part.step];
  if (part.task == HandoutPart::kStepText) return {&step.text};
  const Task& task = step.tasks[part.task];
  std::vector<const Text*> texts{task.on_paper.empty() ? &task.question : &task.on_paper};
  if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form))
    for (const ChoiceQuestion::Option& option : choice->options) texts.push_back(&option.text);
  return texts;
}

// Quantities whose number is a block, such as the block of a token.
struct NumberOfPlace {
  std::string quantity;
  Place place;
};
std::vector<NumberOfPlace> places_in(const Expression& expression, const FrozenRun& run) {
  std::vector<NumberOfPlace> places;
  for (const Expression::Node& node : expression.nodes) {
    if (node.kind != Expression::Kind::kQuantity) continue;
    QuantityValue value;
    try {
      value = compute(node.call, run);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kCancelled) throw;
      continue;  // check_lesson() tells of it
    }
    if (value.place && value.place->kind == PlaceKind::kBlock &&
        value.number == static_cast<double>(value.place->block))
      places.push_back({node.call.name, *value.place});
  }
  return places;
}

// Whether an insertion names a block from which the answer is computed.
bool tells_part(const Expression& put_in, const Task& task, const FrozenRun& run) {
  const Expression* subject = subject_of(task);
  if (!subject) return false;
  const std::vector<NumberOfPlace> asked = places_in(*subject, run);
  return std::ranges::any_of(places_in(put_in, run), [&](const NumberOfPlace& told) {
    return std::ranges::any_of(asked, [&](const NumberOfPlace& one) {
      return one.quantity == told.quantity && is_at(told.place, one.place);
    });
  });
}

bool tells_answer(const AnswerKey& key, const HandoutPart& part, const HandoutPart& asked) {
  const Task& task = key.lesson->steps[asked.step].tasks[asked.task];
  const TaskKey& right = key.steps[asked.step].tasks[asked.task];
  const FrozenRun& run = *key.steps[asked.step].run;
  const FrozenRun& own_run = *key.steps[part.step].run;
  const auto* number = std::get_if<NumberQuestion>(&task.form);
  if (part.task == HandoutPart::kStepText &&
      tells_answer(key.lesson->steps[part.step].title, task, right, run))
    return true;
  return std::ranges::any_of(texts_of(key, part), [&](const Text* text) {
    // An insertion of the same quantity of the same run tells the answer.
    if (number && &run == &own_run &&
        std::ranges::any_of(text->insertions, [&](const Text::Insertion& put_in) {
          return put_in.measure.expression.text == number->measure.expression.text;
        }))
      return true;
    if (&run == &own_run && std::ranges::any_of(text->insertions, [&](const auto& put_in) {
          return tells_part(put_in.measure.expression, task, run);
        }))
      return true;
    return tells_answer(markdown_to_plain(filled(*text, own_run)), task, right, run);
  });
}

std::vector<HandoutPart> parts_of(const AnswerKey& key) {
  std::vector<HandoutPart> parts;
  for (size_t step = 0; step < key.steps.size(); ++step) {
    parts.push_back({step, HandoutPart::kStepText});
    for (size_t task = 0; task < key.steps[step].tasks.size(); ++task)
      parts.push_back({step, task});
  }
  return parts;
}

}  // namespace

bool tells_answer(std::string_view plain, const Task& task, const TaskKey& right,
                  const FrozenRun& run) {
  if (std::holds_alternative<Goal>(task.form)) return false;
  if (std::holds_alternative<NumberQuestion>(task.form)) return tells_number(plain, right.number);
  if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
    if (!choice->measure) return false;
    const double scale = choice->measure->unit == "part" ? 100 : 1;
    return tells_number(plain, right.number * scale);
  }
  if (!right.place) return false;
  const std::string word = word_of(*right.place, run, task.question.language);
  return word.empty() ? tells_number(plain, right.number) : has_word(plain, word);
}

std::vector<SheetStart> further_sheets(const AnswerKey& key) {
  std::vector<SheetStart> further;
  std::vector<HandoutPart> asked;  // on the sheet so far
  for (const HandoutPart& part : parts_of(key)) {
    const auto told = std::ranges::find_if(
        asked, [&](const HandoutPart& before) { return tells_answer(key, part, before); });
    if (told != asked.end()) {
      // The first question of a step stays with its text.
      const HandoutPart first =
          part.task == 0 ? HandoutPart{part.step, HandoutPart::kStepText} : part;
      further.push_back({first, key.lesson->steps[told->step].tasks[told->task].name});
      asked.clear();
    }
    if (part.task != HandoutPart::kStepText) asked.push_back(part);
  }
  return further;
}

size_t sheet_that_begins(const std::vector<SheetStart>& further, const HandoutPart& part) {
  const auto at = std::ranges::find(further, part, &SheetStart::first);
  return at == further.end() ? 0 : static_cast<size_t>(at - further.begin()) + 2;
}

std::string sheet_words(const std::vector<SheetStart>& further, size_t sheet,
                        std::string_view language) {
  const size_t all = further.size() + 1;
  if (sheet == 1)
    return fmt::format(fmt::runtime(in_language("Sheet {} of {}", language)), sheet, all);
  return fmt::format(
      fmt::runtime(in_language("Sheet {} of {}, after the answers to sheet {}", language)), sheet,
      all, sheet - 1);
}

std::string sheets_text(const AnswerKey& key) {
  const std::vector<SheetStart> further = further_sheets(key);
  if (further.empty()) return "";
  std::string text = fmt::format("the hand-out has {} sheets, to be given out one after the other",
                                 further.size() + 1);
  for (size_t i = 0; i < further.size(); ++i) {
    const HandoutPart& first = further[i].first;
    text += fmt::format("; sheet {} begins with {}, which tells the answer to {}", i + 2,
                        first.task == HandoutPart::kStepText
                            ? fmt::format("step {}", first.step + 1)
                            : key.lesson->steps[first.step].tasks[first.task].name,
                        further[i].tells);
  }
  return text;
}

}  // namespace attn::lesson
