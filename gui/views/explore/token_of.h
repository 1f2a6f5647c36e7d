// SPDX-License-Identifier: GPL-3.0-or-later
// The token that a person means by a text. Any thread.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace attn::gui {

// A token, other than `not_this`, that contains the text: first in the encoding of the text with a
// blank before it, then in that of the text alone. nullopt: there is none.
inline std::optional<int32_t> token_of(const Model& model, const QString& text, int32_t not_this) {
  for (const std::string& form : {" " + text.toStdString(), text.toStdString()}) {
    const std::vector<int32_t> ids = model.encode(form);
    for (const int32_t id : ids)
      if (id != not_this && QString::fromStdString(model.token_text(id)).contains(text)) return id;
  }
  return std::nullopt;
}

}  // namespace attn::gui
