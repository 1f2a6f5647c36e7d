// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/added_tokens.h"

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/steps/characters.h"

namespace attn {

void AddedTokenMatcher::add(std::string_view pattern, const AddedToken& token) {
  uint32_t node = 0;
  for (const char c : pattern) {
    uint32_t child = child_of(node, c);
    if (child == 0) {
      child = static_cast<uint32_t>(nodes_.size());
      Node& fresh = nodes_.emplace_back();
      fresh.byte = c;
      fresh.sibling = nodes_[node].child;
      nodes_[node].child = child;
    }
    node = child;
  }
  nodes_[node].token = token.id;
  nodes_[node].strip_left = token.strip_left;
  nodes_[node].strip_right = token.strip_right;
  nodes_[node].single_word = token.single_word;
}

uint32_t AddedTokenMatcher::child_of(uint32_t node, char byte) const {
  uint32_t child = nodes_[node].child;
  while (child != 0 && nodes_[child].byte != byte) child = nodes_[child].sibling;
  return child;
}

bool AddedTokenMatcher::next(std::string_view text, size_t from, Match& match) const {
  if (empty()) return false;
  for (size_t begin = from; begin < text.size(); ++begin) {
    const Node* found = nullptr;
    size_t end = begin;
    uint32_t node = 0;
    for (size_t i = begin; i < text.size(); ++i) {
      node = child_of(node, text[i]);
      if (node == 0) break;
      if (nodes_[node].token >= 0) {
        found = &nodes_[node];
        end = i + 1;
      }
    }
    if (!found) continue;
    match.begin = begin;
    match.end = end;
    match.id = found->token;
    match.strip_left = found->strip_left;
    match.strip_right = found->strip_right;
    match.single_word = found->single_word;
    return true;
  }
  return false;
}

bool AddedTokenMatcher::is_in_word(std::string_view text, const Match& match) {
  return (match.begin > 0 && is_word_character(last_char(text.substr(0, match.begin)).code)) ||
         (match.end < text.size() && is_word_character(first_char(text.substr(match.end)).code));
}

// Start of the run of white space that ends at `end`, but not before `low`.
size_t AddedTokenMatcher::space_begin(std::string_view text, size_t low, size_t end) {
  while (end > low) {
    const Utf8Char last = last_char(text.substr(low, end - low));
    if (!is_white_space(last.code)) break;
    end -= last.bytes;
  }
  return end;
}

size_t AddedTokenMatcher::space_end(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const Utf8Char next = first_char(text.substr(begin));
    if (!is_white_space(next.code)) break;
    begin += next.bytes;
  }
  return begin;
}

}  // namespace attn
