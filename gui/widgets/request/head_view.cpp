// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/request/head_view.h"

#include <QSignalBlocker>
#include <algorithm>

#include "engine/model/model.h"
#include "gui/models/explore/inside.h"
#include "gui/theme/theme.h"

namespace attn::gui {

HeadView::HeadView(const ViewContext& context, const QString& title, QWidget* parent)
    : View(context, parent),
      header_(new PanelHeader(title, this)),
      request_box_(new RequestBox(bridge(), selection())),
      layer_box_(new QSpinBox),
      head_box_(new QSpinBox) {
  const auto spin = [](QSpinBox* box, const QString& prefix, const QString& name,
                       const QString& tip) {
    box->setPrefix(prefix);
    box->setAccessibleName(name);
    box->setToolTip(tip);
  };
  spin(layer_box_, tr("layer "), tr("Layer"), tr("Attention layer (Shift+. and Shift+,)"));
  spin(head_box_, tr("head "), tr("Head"), tr("Attention head (. and ,)"));
  connect(layer_box_, &QSpinBox::valueChanged, this,
          [this](int layer) { step_head(layer - static_cast<int>(selection().shown_layer()), 0); });
  connect(head_box_, &QSpinBox::valueChanged, this,
          [this](int head) { step_head(0, head - static_cast<int>(selection().shown_head())); });
  size_boxes();
}

void HeadView::size_boxes() {
  const QFontMetrics metrics(Theme::instance().font());
  for (QSpinBox* box : {layer_box_, head_box_})
    box->setFixedWidth(metrics.horizontalAdvance(box->prefix() + QStringLiteral("00")) +
                       Theme::instance().px(44));
}

void HeadView::follow(Canvas* canvas, const std::vector<QWidget*>& controls,
                      std::vector<QWidget*> leaving) {
  stack(header_, canvas, canvas);
  for (QWidget* control : {static_cast<QWidget*>(request_box_), static_cast<QWidget*>(layer_box_),
                           static_cast<QWidget*>(head_box_)})
    header_->add_control(control);
  for (QWidget* control : controls) header_->add_control(control);
  leaving.insert(leaving.begin(), request_box_);
  leaving.insert(leaving.end(), {head_box_, layer_box_});
  header_->set_leaving(std::move(leaving));
  setAccessibleName(title());
  connect(canvas, &Canvas::run_asked, &bridge(), &EngineBridge::run);
  connect(canvas, &Canvas::head_step_asked, this, [this](int step) { step_head(0, step); });
  connect(canvas, &Canvas::layer_step_asked, this, [this](int step) { step_head(step, 0); });
  connect(&bridge(), &EngineBridge::run_started, this, &HeadView::changed);
  on_shown([this] { changed(); });
  connect(&bridge(), &EngineBridge::attention_changed, this, [this] {
    if (waits_for_rows()) changed();
  });
  connect(&bridge(), &EngineBridge::gate_changed, this, &HeadView::changed);
  connect(&inside(), &Inside::changed, this, [this] {
    if (bridge().session()) changed();
  });
  connect(&selection(), &Selection::shown_changed, this, &HeadView::changed);
  connect(&selection(), &Selection::changed, this, &HeadView::changed);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    size_boxes();
    changed();
  });
}

HeadView::Head HeadView::shown_head() const {
  Head head;
  const RequestView* request = shown_request(bridge(), selection());
  if (!request || !request->attention) return head;
  const EngineSnapshot* past = past_step() ? shown().get() : nullptr;
  if (past && !request_by_id(*past, request->id)) return head;
  const AttentionRecord::Shape& shape = request->attention->shape();
  head.request = request;
  head.record = request->attention;
  head.layer = std::clamp<int64_t>(selection().shown_layer(), 0, shape.num_layers - 1);
  head.head = std::clamp<int64_t>(selection().shown_head(), 0, shape.num_heads - 1);
  head.rows = rows_known(*request, past);
  return head;
}

std::shared_ptr<const Model> HeadView::model() const {
  const auto& snapshot = bridge().snapshot();
  if (!snapshot) return nullptr;
  if (auto model = snapshot->model.lock()) return model;
  const auto& loaded = const_cast<HeadView*>(this)->inside().now();
  return loaded && bridge().session() ? std::dynamic_pointer_cast<const Model>(loaded->run.source)
                                      : nullptr;
}

void HeadView::choose(const ViewChoices&) {
  if (needs_model() && bridge().session()) inside().show_all();
}

void HeadView::changed() {
  if (isVisible()) refresh();
  // Also while the view is hidden, exports_changed() tells of a change.
  const QString why = nothing_to_export();
  if (told_ == why) return;
  told_ = why;
  emit exports_changed();
}

void HeadView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

void HeadView::refresh_boxes() {
  request_box_->refresh(shown().get());
  const auto& snapshot = bridge().snapshot();
  const auto set = [](QSpinBox* box, int64_t value, int64_t count) {
    const QSignalBlocker blocker(box);
    box->setMaximum(static_cast<int>(std::max<int64_t>(0, count - 1)));
    box->setValue(static_cast<int>(value));
  };
  set(layer_box_, selection().shown_layer(), snapshot ? snapshot->source.num_layers : 0);
  set(head_box_, selection().shown_head(), snapshot ? snapshot->source.num_heads : 0);
}

void HeadView::step_head(int layers, int heads) {
  if (const auto& snapshot = bridge().snapshot())
    selection().show_head(selection().shown_layer() + layers, selection().shown_head() + heads,
                          snapshot->source.num_layers, snapshot->source.num_heads);
}

}  // namespace attn::gui

#include "moc_head_view.cpp"
