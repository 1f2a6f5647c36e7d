// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView: the controls in its header, and what they choose.
#include <QLocale>
#include <QMenu>
#include <algorithm>
#include <initializer_list>

#include "gui/theme/theme.h"
#include "gui/views/attention/heatmap_view.h"
#include "gui/views/attention/heatmap_words.h"

namespace attn::gui {

void HeatmapView::make_header() {
  header_ = new PanelHeader(tr("Attention"), this);
  request_box_ = new QComboBox;
  request_box_->setAccessibleName(tr("Request"));
  request_box_->setToolTip(tr("The sequence whose attention is shown"));
  request_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  request_box_->setMinimumContentsLength(8);
  const auto number_box = [](const QString& name, const QString& tip) {
    auto* box = new QSpinBox;
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
  };
  layer_box_ = number_box(tr("Layer"), tr("Layer of the model (Shift+. and Shift+,)"));
  head_box_ = number_box(tr("Head"), tr("Attention head (. and ,)"));
  other_layer_box_ =
      number_box(tr("Layer that is subtracted"), tr("The layer that is subtracted (Shift+O)"));
  other_head_box_ =
      number_box(tr("Head that is subtracted"), tr("The head that is subtracted (O)"));
  make_show_menu();
  map_box_ = new QComboBox;
  map_box_->setAccessibleName(tr("Colour map"));
  map_box_->setToolTip(tr("Colour map (C)"));
  for (ColorMapId map : kColorMaps) map_box_->addItem(name_of(map));
  scale_box_ = new QComboBox;
  scale_box_->setAccessibleName(tr("Scale"));
  reduce_box_ = new QComboBox;
  reduce_box_->setAccessibleName(tr("Block value"));
  reduce_box_->setToolTip(tr("What a pixel shows where it holds several cells (M)"));
  reduce_box_->addItem(tr("max"));
  reduce_box_->addItem(tr("mean"));
  for (QWidget* control : std::initializer_list<QWidget*>{
           request_box_, layer_box_, head_box_, other_layer_box_, other_head_box_, show_button_,
           map_box_, scale_box_, reduce_box_})
    header_->add_control(control);

  connect(request_box_, &QComboBox::activated, this, [this](int index) {
    selection().show(request_box_->itemData(index).toLongLong(), selection().shown_layer(),
                     selection().shown_head());
  });
  connect(layer_box_, &QSpinBox::valueChanged, this,
          [this](int layer) { show_head(layer, scene_.head.head); });
  connect(head_box_, &QSpinBox::valueChanged, this,
          [this](int head) { show_head(scene_.head.layer, head); });
  connect(map_box_, &QComboBox::activated, this,
          [this](int i) { set_color_map(kColorMaps[static_cast<size_t>(i)]); });
  connect(scale_box_, &QComboBox::activated, this, [this](int i) {
    if (scene_.head.combine.is_difference())
      set_difference_range(kDifferenceRanges[i]);
    else
      set_scale(static_cast<ColorScale::Kind>(i));
  });
  const auto subtract = [this] {
    show_combined({scene_.head.combine.kind, {other_layer_box_->value(), other_head_box_->value()}},
                  scene_.keep);
  };
  connect(other_layer_box_, &QSpinBox::valueChanged, this, subtract);
  connect(other_head_box_, &QSpinBox::valueChanged, this, subtract);
  connect(reduce_box_, &QComboBox::activated, this,
          [this](int i) { set_reduce(static_cast<Reduce>(i)); });
}

void HeatmapView::make_show_menu() {
  show_button_ = new QToolButton;
  show_button_->setText(tr("Show"));
  show_button_->setAccessibleName(tr("What is shown"));
  show_button_->setToolTip(tr("Means and differences of heads (V), which cells are kept (K)"));
  show_button_->setPopupMode(QToolButton::InstantPopup);
  show_button_->setAutoRaise(true);
  show_button_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(show_button_);
  show_button_->setMenu(menu);
  const auto group_of = [&](const QString& title) {
    menu->addSection(title);
    return new QActionGroup(menu);
  };
  const auto add = [&](QActionGroup* group, const QString& text, const QVariant& choice) {
    QAction* action = menu->addAction(text);
    action->setCheckable(true);
    action->setData(choice);
    group->addAction(action);
  };
  combine_actions_ = group_of(tr("Value of a cell"));
  for (Combine kind : kCombines)
    add(combine_actions_, name_of(kind), QVariant(static_cast<int>(kind)));
  keep_actions_ = group_of(tr("Cells that are kept"));
  for (const Keep& keep : kKeeps)
    add(keep_actions_, name_of(keep), QVariant(static_cast<qlonglong>(keep.code())));
  connect(combine_actions_, &QActionGroup::triggered, this, [this](QAction* action) {
    choose_combination(static_cast<Combine>(action->data().toInt()));
  });
  connect(keep_actions_, &QActionGroup::triggered, this,
          [this](QAction* action) { set_keep(Keep::from_code(action->data().toLongLong())); });
}

// Wide enough for the longest thing each can say, at every text size.
void HeatmapView::size_controls() {
  const QFontMetrics metrics(Theme::instance().font());
  const int frame = Theme::instance().px(44);
  for (QSpinBox* box : {layer_box_, head_box_, other_layer_box_, other_head_box_})
    box->setFixedWidth(metrics.horizontalAdvance(box->prefix() + QStringLiteral("00")) + frame);
  for (QComboBox* box : {map_box_, scale_box_, reduce_box_}) {
    int widest = 0;
    for (int i = 0; i < box->count(); ++i)
      widest = std::max(widest, metrics.horizontalAdvance(box->itemText(i)));
    box->setFixedWidth(widest + frame);
  }
}

void HeatmapView::name_boxes(bool in_full) {
  layer_box_->setPrefix(in_full ? tr("layer ") : tr("L "));
  head_box_->setPrefix(in_full ? tr("head ") : tr("H "));
  other_layer_box_->setPrefix(in_full ? tr("− layer ") : tr("− L "));
  other_head_box_->setPrefix(in_full ? tr("head ") : tr("H "));
  size_controls();
}

// What does not fit leaves in the order of its use; each has a key as well. At last the names of
// the boxes get short.
void HeatmapView::fit_controls() {
  const Combination& combine = scene_.head.combine;
  other_layer_box_->setVisible(combine.is_difference());
  other_head_box_->setVisible(combine.kind == Combine::kHeadDifference);
  reduce_box_->setVisible(level_ > 0);
  map_box_->setVisible(!combine.is_difference());
  scale_box_->show();
  request_box_->show();
  header_->set_title(tr("Attention"));
  name_boxes(true);
  const auto fits = [this] {
    header_->layout()->activate();
    return header_->layout()->sizeHint().width() <= width();
  };
  for (QWidget* control : std::initializer_list<QWidget*>{map_box_, scale_box_, reduce_box_}) {
    if (fits()) return;
    control->hide();
  }
  if (fits()) return;
  header_->set_title(QString());
  if (fits()) return;
  name_boxes(false);
  if (!fits() && request_box_->count() < 2) request_box_->hide();
}

// The boxes and the menu say what is shown; the scale of differences is its range.
void HeatmapView::show_combination() {
  const Combination& combine = scene_.head.combine;
  layer_box_->setEnabled(combine.uses_layer());
  head_box_->setEnabled(combine.uses_head());
  for (QAction* action : combine_actions_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(combine.kind));
  for (QAction* action : keep_actions_->actions())
    action->setChecked(action->data().toLongLong() == scene_.keep.code());
  const QSignalBlocker blocker(scale_box_);
  scale_box_->clear();
  if (combine.is_difference()) {
    scale_box_->setToolTip(tr("The largest difference that has a colour of its own (L)"));
    for (const double range : kDifferenceRanges) {
      scale_box_->addItem(QStringLiteral("±") + QLocale().toString(range));
      if (range == scene_.difference_range) scale_box_->setCurrentIndex(scale_box_->count() - 1);
    }
  } else {
    scale_box_->setToolTip(tr("Scale of the colours (L). Log shows small weights"));
    for (const ColorScale::Kind kind : {ColorScale::Kind::kLinear, ColorScale::Kind::kLog})
      scale_box_->addItem(name_of(kind));
    scale_box_->setCurrentIndex(static_cast<int>(scene_.scale.kind));
  }
  fit_controls();
}

std::vector<KeyHelp> HeatmapView::key_help() const {
  return {{tr("Ctrl+wheel, + and −"), tr("Zoom at the pointer, at the middle")},
          {tr("Wheel, Shift+wheel"), tr("Scroll down, sideways")},
          {tr("Middle drag"), tr("Pan")},
          {tr("Drag"), tr("Zoom to the range")},
          {tr("Double-click, F, Home"), tr("Show everything")},
          {tr("Click"), tr("Select a cell, or a token by its label")},
          {tr("Arrows, Page up, Page down"), tr("Move the selected cell")},
          {tr("Enter, Esc"), tr("Select the cell at the cursor, clear the selection")},
          {tr("T, Shift+T"), tr("Select the token of the cell's row, of its column")},
          {tr(". and ,"), tr("Next and previous head; with Shift: layer")},
          {tr("C, L, M"), tr("Colour map, linear or log, max or mean of blocks")},
          {tr("V, Shift+V"), tr("One head, means, differences: next and previous")},
          {tr("O, Shift+O"), tr("Of a difference: next head, next layer that is subtracted")},
          {tr("K, Shift+K"), tr("Keep fewer cells, more cells")}};
}

void HeatmapView::set_color_map(ColorMapId map) {
  scene_.map = map;
  map_box_->setCurrentIndex(
      static_cast<int>(std::find(kColorMaps.begin(), kColorMaps.end(), map) - kColorMaps.begin()));
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_scale(ColorScale::Kind kind) {
  scene_.scale = weight_scale(kind);
  if (!scene_.head.combine.is_difference()) scale_box_->setCurrentIndex(static_cast<int>(kind));
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_reduce(Reduce reduce) {
  scene_.reduce = reduce;
  reduce_box_->setCurrentIndex(static_cast<int>(reduce));
  view_changed();
}

void HeatmapView::set_difference_range(double range) {
  scene_.difference_range = range;
  show_combination();
  cells_dirty_ = true;
  update();
}

void HeatmapView::set_combination(const Combination& combination) {
  show_combined(combination, scene_.keep);
}

void HeatmapView::set_keep(const Keep& keep) {
  show_combined(scene_.head.combine, keep);
}

void HeatmapView::show_combined(const Combination& combination, const Keep& keep) {
  if (combination == scene_.head.combine && keep == scene_.keep) return show_combination();
  put_combined(combination, keep);
}

void HeatmapView::put_combined(const Combination& combination, const Keep& keep) {
  scene_.head.combine = combination;
  scene_.keep = keep;
  cells_dirty_ = true;
  show_combination();
  read_shown();
  want_tiles();
  update_description();
  update();
}

// A difference from itself is 0 everywhere: then the next one is subtracted.
void HeatmapView::choose_combination(Combine kind) {
  Combination next{kind, scene_.head.combine.other};
  const int64_t layers = std::max<int64_t>(1, scene_.num_layers);
  if (kind == Combine::kHeadDifference &&
      next.other == HeadId{scene_.head.layer, scene_.head.head}) {
    if (++next.other.head >= scene_.num_heads) {
      next.other.head = 0;
      next.other.layer = (next.other.layer + 1) % layers;
    }
  }
  if (kind == Combine::kLayerDifference && next.other.layer == scene_.head.layer)
    next.other.layer = (next.other.layer + 1) % layers;
  show_combined(next, scene_.keep);
}

void HeatmapView::step_other(int64_t layers, int64_t heads) {
  Combination next = scene_.head.combine;
  if (!next.is_difference()) return;
  next.other.layer = (next.other.layer + layers) % std::max<int64_t>(1, scene_.num_layers);
  next.other.head = (next.other.head + heads) % std::max<int64_t>(1, scene_.num_heads);
  show_combined(next, scene_.keep);
}

}  // namespace attn::gui
