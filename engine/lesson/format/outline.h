// SPDX-License-Identifier: GPL-3.0-or-later
// Outline: a lesson file cut into front matter, steps, texts and directives. Plain data; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/format/mistakes.h"

namespace attn::lesson {

struct OutlineValue {
  std::string name, value;
  int line = 0;
};
// A directive: `:::name key=value key="value"`, its body, and `:::`.
struct OutlineDirective {
  std::string name;
  std::vector<OutlineValue> attributes;
  std::string body;  // without outer blank lines
  int line = 0, body_line = 0;
};
struct OutlineStep {
  std::string title;
  std::string text;  // before the first directive other than `scenario`
  int line = 0, text_line = 0;
  std::vector<OutlineDirective> directives;
};
struct Outline {
  std::vector<OutlineValue> front;
  std::vector<OutlineStep> steps;
};

Outline read_outline(std::string_view text, Mistakes& mistakes);

}  // namespace attn::lesson
