// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/words/sentence_words.h"

#include "gui/models/text.h"

namespace attn::gui {

QString words_of(const Sentence& sentence) {
  QString words = tr(sentence.text.c_str());
  for (size_t part = 0; part < sentence.parts.size(); ++part)
    words.replace(QStringLiteral("%%1").arg(part + 1), words_of(sentence.parts[part]));
  return words;
}

}  // namespace attn::gui
