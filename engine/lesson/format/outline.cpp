// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/files/json.h"
#include "engine/core/utf8.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/format/words.h"

namespace attn::lesson {
namespace {

constexpr size_t kLongestLine = 4000;

class OutlineReader {
 public:
  OutlineReader(std::string_view text, Mistakes& mistakes) : mistakes_(mistakes) {
    size_t begin = 0;
    while (begin <= text.size()) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.push_back(line);
      begin = end + 1;
    }
    check_lines();
  }

  Outline read() {
    read_front();
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (fence_ || !is_special(line))
        plain_line(line);
      else if (line.starts_with("## "))
        heading(line);
      else if (line.starts_with(":::"))
        directive(line);
      ++at_;
    }
    finish_step();
    if (outline_.steps.empty())
      mistakes_.add({0, "the lesson has no steps", "no line that begins with `## `",
                     "a line `## Title` for each step"});
    return std::move(outline_);
  }

 private:
  int number() const { return static_cast<int>(at_) + 1; }
  static bool is_special(std::string_view line) {
    return line.starts_with("## ") || line == "##" || line.starts_with(":::");
  }

  void check_lines() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const int line = static_cast<int>(i) + 1;
      if (!is_utf8(lines_[i])) {
        mistakes_.add({line, "this line is not UTF-8", quote_text(lines_[i]), "text in UTF-8"});
        continue;
      }
      if (lines_[i].size() > kLongestLine)
        mistakes_.add({line, "this line is too long", fmt::format("{} bytes", lines_[i].size()),
                       fmt::format("at most {} bytes", kLongestLine)});
      const auto control = std::ranges::find_if(lines_[i], [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
      });
      if (control != lines_[i].end())
        mistakes_.add(
            {line, "this line has a control character", quote_text(lines_[i]), "text and tabs"});
    }
  }

  void read_front() {
    if (lines_[0] != "---") {
      mistakes_.add({1, "the lesson does not begin with its front matter", quote_text(lines_[0]),
                     "a line `---`, lines `key: value`, and a line `---`"});
      return;
    }
    for (at_ = 1; at_ < lines_.size(); ++at_) {
      const std::string_view line = lines_[at_];
      if (line == "---") {
        ++at_;
        return;
      }
      if (line.starts_with("## ") || line.starts_with(":::")) break;
      if (trimmed_view(line).empty()) continue;
      const size_t colon = line.find(':');
      if (colon == std::string_view::npos) {
        mistakes_.add({number(), "this line of the front matter has no value", quote_text(line),
                       "key: value"});
        continue;
      }
      outline_.front.push_back(
          {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)), number()});
    }
    mistakes_.add(
        {1, "the front matter has no end", "no second line `---`", "a line `---` after it"});
  }

  void plain_line(std::string_view line) {
    // In a code block nothing is a heading or directive.
    if (trimmed_view(line).starts_with("```")) fence_ = !fence_;
    if (line.starts_with("# ") && !fence_) {
      mistakes_.add({number(), "a heading of this level does not belong into a lesson",
                     quote_text(line), "`## Title` for a step, `### Title` within one",
                     "The lesson's title stands in the front matter"});
      return;
    }
    if (!in_step_) {
      if (!trimmed_view(line).empty())
        mistakes_.add({number(), "this text stands before the first step", quote_text(line),
                       "a line `## Title` before it"});
      return;
    }
    if (asked_ && !trimmed_view(line).empty()) {
      mistakes_.add({number(), "this text stands after a directive of its step", quote_text(line),
                     "the text of a step before its directives",
                     "Begin a new step with `## Title`, or put it into `:::explain`"});
      return;
    }
    if (step_.text.empty() && trimmed_view(line).empty()) return;
    if (step_.text.empty()) step_.text_line = number();
    step_.text += line;
    step_.text += '\n';
  }

  void heading(std::string_view line) {
    finish_step();
    in_step_ = true;
    step_.title = trimmed(line.substr(2));
    step_.line = number();
    if (step_.title.empty() || step_.title.size() > 100)
      mistakes_.add({number(), "the title of a step has a wrong length",
                     fmt::format("{} bytes", step_.title.size()), "1 to 100 bytes"});
  }

  void finish_step() {
    if (fence_)
      mistakes_.add({step_.line, "a code block is not closed", "no line ``` after it",
                     "a line ``` at its end"});
    fence_ = false;
    if (in_step_) outline_.steps.push_back(std::move(step_));
    step_ = {};
    in_step_ = asked_ = false;
  }

  void directive(std::string_view line) {
    OutlineDirective made;
    made.line = number();
    std::string_view rest = trimmed_view(line.substr(3));
    if (rest.empty()) {
      mistakes_.add({number(), "this line ends a directive, but none is open",
                     ":::", "`:::name` to begin one"});
      return;
    }
    size_t length = 0;
    while (length < rest.size() && is_word_char(rest[length])) ++length;
    made.name = std::string(rest.substr(0, length));
    attributes(rest.substr(length), made);
    body(made);
    if (!in_step_) {
      mistakes_.add({made.line, "a directive stands before the first step", ":::" + made.name,
                     "a line `## Title` before it"});
      return;
    }
    // The text of a step may stand before or after its scenario.
    if (made.name != "scenario") asked_ = true;
    step_.directives.push_back(std::move(made));
  }

  void attributes(std::string_view rest, OutlineDirective& made) {
    const auto refuse = [&](std::string_view found) {
      mistakes_.add({made.line, "this is not an attribute", quote_text(found),
                     "key=value or key=\"value with blanks\""});
    };
    while (!(rest = trimmed_view(rest)).empty()) {
      size_t length = 0;
      while (length < rest.size() && is_word_char(rest[length])) ++length;
      if (length == 0 || length >= rest.size() || rest[length] != '=') return refuse(rest);
      OutlineValue value{std::string(rest.substr(0, length)), "", made.line};
      rest.remove_prefix(length + 1);
      if (!rest.empty() && (rest[0] == '"' || rest[0] == '\'')) {
        const size_t end = rest.find(rest[0], 1);
        if (end == std::string_view::npos) {
          mistakes_.add({made.line, "a value has no closing quote", quote_text(rest),
                         "the same quote at its end"});
          return;
        }
        value.value = std::string(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
        if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t') return refuse(rest);
      } else {
        const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        value.value = std::string(rest.substr(0, end));
        rest.remove_prefix(end);
      }
      if (std::ranges::find(made.attributes, value.name, &OutlineValue::name) !=
          made.attributes.end())
        mistakes_.add({made.line, "an attribute is given twice", quote_text(value.name),
                       "each attribute once"});
      else
        made.attributes.push_back(std::move(value));
    }
  }

  void body(OutlineDirective& made) {
    made.body_line = made.line + 1;
    for (++at_; at_ < lines_.size(); ++at_) {
      const std::string_view line = lines_[at_];
      if (line.starts_with(":::")) {
        if (trimmed_view(line.substr(3)).empty()) {
          trim_body(made);
          return;
        }
        break;  // another directive begins
      }
      if (line.starts_with("## ")) break;
      made.body += line;
      made.body += '\n';
    }
    --at_;
    trim_body(made);
    mistakes_.add({made.line, "a directive is not closed", ":::" + made.name,
                   "a line `:::` at its end, before the next directive or step"});
  }

  static void trim_body(OutlineDirective& made) {
    // Removed lines are counted, so that the line numbers of the rest stay right.
    while (true) {
      const size_t end = made.body.find('\n');
      if (end == std::string::npos ||
          !trimmed_view(std::string_view(made.body).substr(0, end)).empty())
        break;
      made.body.erase(0, end + 1);
      ++made.body_line;
    }
    made.body.resize(made.body.find_last_not_of(" \t\n") + 1);
  }

  Mistakes& mistakes_;
  std::vector<std::string_view> lines_;
  size_t at_ = 0;
  Outline outline_;
  OutlineStep step_;
  bool in_step_ = false, asked_ = false, fence_ = false;
};

}  // namespace

Outline read_outline(std::string_view text, Mistakes& mistakes) {
  return OutlineReader(text, mistakes).read();
}

}  // namespace attn::lesson
