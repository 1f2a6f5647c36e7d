// SPDX-License-Identifier: GPL-3.0-or-later
// The shown request and its number of rows, the width of a combo box, and RequestBox, the combo box
// for the request. GUI thread.
#pragma once

#include <QComboBox>
#include <vector>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"

namespace attn::gui {

// The request of Selection::shown_request(); if the run does not have it, the first request. The
// result is RequestView::at() of the shown layer. Null: there is no run, or it has no requests.
const RequestView* shown_request(const EngineBridge& bridge, const Selection& selection);

// The number of attention rows of the request. past: only rows that were computed by this snapshot
// count. Null: live; then all rows of the prompt count, even before they are computed.
int64_t rows_shown(const RequestView& now, const EngineSnapshot* past);
// rows_shown(), but at most as many rows as `now` has tokens: the record may be a step ahead.
int64_t rows_known(const RequestView& now, const EngineSnapshot* past);

void fit_to_items(QComboBox& box);

class RequestBox : public QComboBox {
  Q_OBJECT
 public:
  RequestBox(const EngineBridge& bridge, Selection& selection, QWidget* parent = nullptr);
  void refresh(const EngineSnapshot* snapshot);

 private:
  const EngineBridge& bridge_;
  Selection& selection_;
};

}  // namespace attn::gui
