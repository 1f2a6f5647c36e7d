// SPDX-License-Identifier: GPL-3.0-or-later
// Letters and digits, trimming and splitting, for the ASCII words of a lesson file. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::lesson {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word_char(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
constexpr std::string_view trimmed_view(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}
inline std::string trimmed(std::string_view text) {
  return std::string(trimmed_view(text));
}
// The parts of "layer head query" between separators, without empty ones.
inline std::vector<std::string> split_words(std::string_view text, char between = ' ') {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = text.find(between);
    if (const std::string_view word = trimmed_view(text.substr(0, end)); !word.empty())
      words.emplace_back(word);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return words;
}

}  // namespace attn::lesson
