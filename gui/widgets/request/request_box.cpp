// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/request/request_box.h"

#include <QSignalBlocker>
#include <algorithm>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {

const RequestView* shown_request(const EngineBridge& bridge, const Selection& selection) {
  const auto& snapshot = bridge.snapshot();
  if (!snapshot || snapshot->requests.empty()) return nullptr;
  const RequestView* shown = request_by_id(*snapshot, selection.shown_request());
  return &(shown ? shown : &snapshot->requests.front())->at(selection.shown_layer());
}

int64_t rows_shown(const RequestView& now, const EngineSnapshot* past) {
  const int64_t rows = now.attention ? now.attention->num_rows() : 0;
  if (!past) return std::max(rows, now.prompt_len);
  const RequestView* then = request_by_id(*past, now.id);
  if (!then) return 0;
  const bool of_encoder = now.attention && now.attention->shape().of_encoder;
  return std::min(rows, (of_encoder && then->encoder ? *then->encoder : *then).num_computed);
}

int64_t rows_known(const RequestView& now, const EngineSnapshot* past) {
  const int64_t rows = rows_shown(now, past);
  return now.tokens ? std::min(rows, static_cast<int64_t>(now.tokens->size())) : rows;
}

void fit_to_items(QComboBox& box) {
  const QFontMetrics metrics(Theme::instance().font());
  int widest = 0;
  for (int i = 0; i < box.count(); ++i)
    widest = std::max(widest, metrics.horizontalAdvance(box.itemText(i)));
  box.setFixedWidth(widest + Theme::instance().px(44));
}

RequestBox::RequestBox(const EngineBridge& bridge, Selection& selection, QWidget* parent)
    : QComboBox(parent), bridge_(bridge), selection_(selection) {
  setAccessibleName(tr("Request"));
  setToolTip(tr("The request whose attention is shown"));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);
  connect(this, &QComboBox::activated, this, [this](int index) {
    selection_.show(itemData(index).toLongLong(), selection_.shown_layer(),
                    selection_.shown_head());
  });
}

void RequestBox::refresh(const EngineSnapshot* snapshot) {
  const QSignalBlocker blocker(this);
  const std::vector<RequestView> none;
  const std::vector<RequestView>& requests = snapshot ? snapshot->requests : none;
  bool same = count() == static_cast<int>(requests.size());
  for (int i = 0; same && i < count(); ++i) {
    const RequestView& view = requests[static_cast<size_t>(i)];
    same = itemData(i).toLongLong() == static_cast<qlonglong>(view.id) &&
           itemText(i) == QString::fromStdString(view.name);
  }
  if (!same) {
    clear();
    for (const RequestView& view : requests)
      addItem(QString::fromStdString(view.name), static_cast<qlonglong>(view.id));
  }
  const RequestView* shown = shown_request(bridge_, selection_);
  if (!shown) return;
  setCurrentIndex(findData(static_cast<qlonglong>(shown->id)));
  // The box may shorten the name.
  setToolTip(plain_tooltip(tr("The request whose attention is shown: %1").arg(currentText())));
}

}  // namespace attn::gui

#include "moc_request_box.cpp"
