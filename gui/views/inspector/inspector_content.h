// SPDX-License-Identifier: GPL-3.0-or-later
// InspectorContent: what is known about the selected thing and a clicked number, as lines that the
// panel paints and Copy writes as text. GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <span>
#include <utility>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

constexpr int kDigits = 7;  // a float has about seven
inline QString number(double value) {
  return format_number(value, kDigits);
}

struct InspectorItem {
  enum class Kind {
    kHeading,    // text
    kRow,        // name: text
    kFormula,    // text: a line of calculation
    kBar,        // name, token, value, text
    kVector,     // name, numbers
    kChain,      // name, token, cells
    kChainHead,  // name, cells: the column titles
    kTokens,     // name: slot and position, token
    kNote,       // text
  };
  Kind kind = Kind::kNote;
  QString name, text;
  TokenText token;
  double value = 0;
  std::vector<float> numbers;
  QStringList cells = {};

  QString to_text() const;  // the item as plain text
};

struct InspectorContent {
  QString title;
  std::vector<InspectorItem> items;
  bool empty = false;  // true: it only says what can be clicked

  QString to_text() const;  // title and items as plain text

  void heading(const QString& text) {
    items.push_back({InspectorItem::Kind::kHeading, {}, text, {}, 0, {}});
  }
  void row(const QString& name, const QString& text) {
    items.push_back({InspectorItem::Kind::kRow, name, text, {}, 0, {}});
  }
  void formula(const QString& text) {
    items.push_back({InspectorItem::Kind::kFormula, {}, text, {}, 0, {}});
  }
  void vector(const QString& name, std::vector<float> numbers) {
    items.push_back({InspectorItem::Kind::kVector, name, {}, {}, 0, std::move(numbers)});
  }
  void note(const QString& text) {
    items.push_back({InspectorItem::Kind::kNote, {}, text, {}, 0, {}});
  }
};

struct InspectorInput {
  const EngineSnapshot* snapshot = nullptr;  // null: nothing has run
  // The events of the run up to the shown step, in order of recording.
  std::span<const TraceEvent> events;
  SelectionState selection;
  int64_t shown_request = -1, shown_layer = 0, shown_head = 0;
  const Explanation* explained = nullptr;  // a clicked number; null: none is explained
};

InspectorContent inspect(const InspectorInput& input);

// How many numbers of keys and values fit into the cache, over all layers but the encoder's.
int64_t numbers_in_cache(const EngineSnapshot& snapshot);

}  // namespace attn::gui
