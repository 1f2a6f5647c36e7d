// SPDX-License-Identifier: GPL-3.0-or-later
// The Markdown of lessons, read by md4c (CommonMark and tables). Raw HTML, links, pictures and
// headings above ### are mistakes. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::lesson {

// HTML whose tags have no attributes. Text is escaped; entities such as `&amp;` are kept.
std::string markdown_to_html(std::string_view markdown);
// The plain text: an empty line between paragraphs, a hyphen before list items. Entities with a
// number or a common name, such as `&#8212;` and `&amp;`, become their character; others stay.
std::string markdown_to_plain(std::string_view markdown);
// Markdown that shows the signs of this text as they are, within a line and outside of code. Line
// feeds and carriage returns become blanks.
std::string markdown_escaped(std::string_view text);
// Of each byte, whether it is text of a code span or code block, where a backslash is no escape.
// Line feeds are not.
std::vector<bool> bytes_in_code(std::string_view markdown);

struct MarkdownMistake {
  int line = 0;  // of the text, from 0
  std::string what, found;
};
std::vector<MarkdownMistake> markdown_mistakes(std::string_view markdown);

}  // namespace attn::lesson
