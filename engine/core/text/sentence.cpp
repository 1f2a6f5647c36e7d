// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/text/sentence.h"

namespace attn {

Sentence Sentence::same(std::string_view name) {
  Sentence sentence(0);
  sentence.text = name;
  return sentence;
}

std::string english(const Sentence& sentence) {
  std::string out;
  const std::string& text = sentence.text;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t part = text[i] == '%' && i + 1 < text.size()
                            ? static_cast<size_t>(text[i + 1] - '1')
                            : sentence.parts.size();
    if (part < sentence.parts.size()) {
      out += english(sentence.parts[part]);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace attn
