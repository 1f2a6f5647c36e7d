// SPDX-License-Identifier: GPL-3.0-or-later
// RequestBox: the combo box for the request that is shown; views whose header offers such a choice
// use it. GUI thread.
#pragma once

#include <QComboBox>
#include <vector>

#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"

namespace attn::gui {

// The request that the views of attention show, as the shown layer sees it (RequestView::at): that
// of Selection::shown_request() or, if there is no such request, the first. Null: there is none.
const RequestView* shown_request(const EngineBridge& bridge, const Selection& selection);

// The number of query rows shown. past: the snapshot of the step at the time cursor; only rows
// computed by then count. Null: live; then all rows of the prompt count, even before they are
// computed.
int64_t rows_shown(const RequestView& now, const EngineSnapshot* past);
// rows_shown(), limited to the rows whose tokens `now` has, because the record may be a step ahead.
int64_t rows_known(const RequestView& now, const EngineSnapshot* past);

// Gives the box the width that its longest item needs in the present text size.
void fit_to_items(QComboBox& box);

class RequestBox : public QComboBox {
  Q_OBJECT
 public:
  RequestBox(const EngineBridge& bridge, Selection& selection, QWidget* parent = nullptr);
  // Lists the requests of the snapshot that the view shows, and selects the one that is shown; none
  // if that one came later.
  void refresh(const EngineSnapshot* snapshot);

 private:
  const EngineBridge& bridge_;
  Selection& selection_;
};

}  // namespace attn::gui
