// SPDX-License-Identifier: GPL-3.0-or-later
// RequestBox: the choice of the sequence whose attention is shown, the same in every attention
// view. GUI thread.
#pragma once

#include <QComboBox>
#include <vector>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"

namespace attn::gui {

// The request that the attention views show: the selection's, else the first. Null: there is none.
const RequestView* shown_request(const EngineBridge& bridge, const Selection& selection);

// Query rows of its attention at the step under the time cursor, of which `past` is the snapshot;
// `past` null: now, the prompt's rows before they are computed, too.
int64_t rows_shown(const RequestView& now, const EngineSnapshot* past);
// Of them, those whose tokens `now` has: the record may be a step ahead of it.
int64_t rows_known(const RequestView& now, const EngineSnapshot* past);

// Wide enough for the longest thing it can say, at every text size.
void fit_to_items(QComboBox& box);

class RequestBox : public QComboBox {
  Q_OBJECT
 public:
  RequestBox(const EngineBridge& bridge, Selection& selection, QWidget* parent = nullptr);
  // The requests of the newest snapshot, with the shown one chosen.
  void refresh();

 private:
  const EngineBridge& bridge_;
  Selection& selection_;
};

}  // namespace attn::gui
