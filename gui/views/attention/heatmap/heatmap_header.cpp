// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_header.h"

#include <QLayout>
#include <QLocale>
#include <QMenu>
#include <algorithm>
#include <initializer_list>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/heatmap/heatmap_words.h"

namespace attn::gui {
namespace {

QSpinBox* number_box(const QString& name, const QString& tip) {
  auto* box = new QSpinBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  return box;
}

QComboBox* choice_box(const QString& name, const QString& tip) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  return box;
}

void set_quietly(QSpinBox* box, int64_t value, int64_t count) {
  const QSignalBlocker blocker(box);
  box->setMaximum(static_cast<int>(std::max<int64_t>(0, count - 1)));
  box->setValue(static_cast<int>(value));
}

void set_quietly(QComboBox* box, int index) {
  if (index == box->currentIndex()) return;
  const QSignalBlocker blocker(box);
  box->setCurrentIndex(index);
}

}  // namespace

HeatmapHeader::HeatmapHeader(QWidget* parent)
    : PanelHeader(tr("Attention"), parent),
      request_box_(choice_box(tr("Request"), tr("The request whose attention is shown"))),
      layer_box_(number_box(tr("Layer"), tr("Attention layer (Shift+. and Shift+,)"))),
      head_box_(number_box(tr("Head"), tr("Attention head (. and ,)"))),
      other_layer_box_(
          number_box(tr("Layer that is subtracted"), tr("The layer that is subtracted (Shift+O)"))),
      other_head_box_(
          number_box(tr("Head that is subtracted"), tr("The head that is subtracted (O)"))),
      show_button_(new QToolButton),
      map_box_(choice_box(tr("Colour map"), tr("Colour map (C)"))),
      scale_box_(choice_box(tr("Scale"), QString())),
      reduce_box_(choice_box(tr("Block value"), tr("The value of a dot that stands for several "
                                                   "cells: their mean or their maximum; in place "
                                                   "of the maximum of differences, the largest "
                                                   "difference with its sign (M)"))) {
  request_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  request_box_->setMinimumContentsLength(8);
  make_show_menu();
  for (const ColorMapId map : kColorMaps) map_box_->addItem(name_of(map));
  reduce_box_->addItem(tr("max"));
  reduce_box_->addItem(tr("mean"));
  for (QWidget* control : std::initializer_list<QWidget*>{
           request_box_, layer_box_, head_box_, other_layer_box_, other_head_box_, show_button_,
           map_box_, scale_box_, reduce_box_})
    add_control(control);
  connect_controls();
}

void HeatmapHeader::make_show_menu() {
  show_button_->setText(tr("Show"));
  show_button_->setAccessibleName(tr("What is shown"));
  show_button_->setToolTip(
      tr("Choose one head, a mean or a difference (V), the number that a cell shows (S), and "
         "which cells are kept (K)"));
  show_button_->setPopupMode(QToolButton::InstantPopup);
  show_button_->setAutoRaise(true);
  show_button_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(show_button_);
  menu->setToolTipsVisible(true);
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
  combine_actions_ = group_of(tr("Heads that are shown"));
  for (const Combine kind : kCombines)
    add(combine_actions_, name_of(kind), QVariant(static_cast<int>(kind)));
  quantity_actions_ = group_of(tr("Number that a cell shows"));
  for (const Quantity quantity : kQuantities)
    add(quantity_actions_, name_of(quantity), QVariant(static_cast<int>(quantity)));
  keep_actions_ = group_of(tr("Cells that are kept"));
  for (const Keep& keep : kKeeps)
    add(keep_actions_, name_of(keep), QVariant(static_cast<qlonglong>(keep.code())));
}

void HeatmapHeader::connect_controls() {
  connect(request_box_, &QComboBox::activated, this,
          [this](int index) { emit request_chosen(request_box_->itemData(index).toLongLong()); });
  connect(layer_box_, &QSpinBox::valueChanged, this, &HeatmapHeader::layer_chosen);
  connect(head_box_, &QSpinBox::valueChanged, this, &HeatmapHeader::head_chosen);
  const auto subtract = [this] {
    emit other_chosen({other_layer_box_->value(), other_head_box_->value()});
  };
  connect(other_layer_box_, &QSpinBox::valueChanged, this, subtract);
  connect(other_head_box_, &QSpinBox::valueChanged, this, subtract);
  connect(combine_actions_, &QActionGroup::triggered, this, [this](const QAction* action) {
    emit combine_chosen(static_cast<Combine>(action->data().toInt()));
  });
  connect(quantity_actions_, &QActionGroup::triggered, this, [this](const QAction* action) {
    emit quantity_chosen(static_cast<Quantity>(action->data().toInt()));
  });
  connect(keep_actions_, &QActionGroup::triggered, this, [this](const QAction* action) {
    emit keep_chosen(Keep::from_code(action->data().toLongLong()));
  });
  connect(map_box_, &QComboBox::activated, this,
          [this](int i) { emit color_map_chosen(kColorMaps[static_cast<size_t>(i)]); });
  connect(scale_box_, &QComboBox::activated, this, [this](int i) {
    if (scale_is_a_range_)
      emit difference_range_chosen(kDifferenceRanges[i]);
    else
      emit scale_chosen(static_cast<ColorScale::Kind>(i));
  });
  connect(reduce_box_, &QComboBox::activated, this,
          [this](int i) { emit reduce_chosen(static_cast<Reduce>(i)); });
}

bool HeatmapHeader::list_requests(const std::vector<RequestView>& requests) {
  const auto is_listed = [this](const RequestView& view, int index) {
    return request_box_->itemData(index).toLongLong() == static_cast<qlonglong>(view.id) &&
           request_box_->itemText(index) == QString::fromStdString(view.name);
  };
  bool same = request_box_->count() == static_cast<int>(requests.size());
  for (int i = 0; same && i < request_box_->count(); ++i)
    same = is_listed(requests[static_cast<size_t>(i)], i);
  if (same) return false;
  const QSignalBlocker blocker(request_box_);
  request_box_->clear();
  for (const RequestView& view : requests)
    request_box_->addItem(QString::fromStdString(view.name), static_cast<qlonglong>(view.id));
  return true;
}

void HeatmapHeader::show_head(uint32_t request, const HeatmapScene& scene) {
  set_quietly(request_box_, request_box_->findData(static_cast<qlonglong>(request)));
  // The box may show only a part of the name, so the tooltip has the whole name.
  request_box_->setToolTip(plain_tooltip(
      tr("The request whose attention is shown: %1").arg(request_box_->currentText())));
  set_quietly(layer_box_, scene.head.layer, scene.num_layers);
  set_quietly(head_box_, scene.head.head, scene.num_heads);
  set_quietly(other_layer_box_, scene.head.combine.other.layer, scene.num_layers);
  set_quietly(other_head_box_, scene.head.combine.other.head, scene.num_heads);
}

void HeatmapHeader::show_choices(const HeatmapScene& scene,
                                 const std::function<QString(Quantity)>& refused) {
  const Combination& combine = scene.head.combine;
  layer_box_->setEnabled(combine.uses_layer());
  head_box_->setEnabled(combine.uses_head());
  for (QAction* action : combine_actions_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(combine.kind));
  for (QAction* action : quantity_actions_->actions()) {
    const auto quantity = static_cast<Quantity>(action->data().toInt());
    const QString refusal = refused(quantity);
    action->setChecked(quantity == scene.quantity());
    action->setEnabled(refusal.isEmpty());
    action->setToolTip(refusal.isEmpty() ? meaning_of(quantity) : refusal);
  }
  for (QAction* action : keep_actions_->actions())
    action->setChecked(action->data().toLongLong() == scene.keep.code());
  map_box_->setCurrentIndex(
      static_cast<int>(std::ranges::find(kColorMaps, scene.map) - kColorMaps.begin()));
  reduce_box_->setCurrentIndex(static_cast<int>(scene.reduce));
  scale_is_a_range_ = combine.is_difference();
  const QSignalBlocker blocker(scale_box_);
  scale_box_->clear();
  if (scale_is_a_range_) {
    scale_box_->setToolTip(
        tr("The difference that gets the strongest colour; larger ones get the same colour (L)"));
    for (const double range : kDifferenceRanges) {
      scale_box_->addItem(QStringLiteral("±") + QLocale().toString(range));
      if (range == scene.difference_range) scale_box_->setCurrentIndex(scale_box_->count() - 1);
    }
  } else {
    scale_box_->setToolTip(tr("Scale of the colours (L). A log scale makes small numbers visible"));
    for (const ColorScale::Kind kind : {ColorScale::Kind::kLinear, ColorScale::Kind::kLog})
      scale_box_->addItem(name_of(kind));
    scale_box_->setCurrentIndex(static_cast<int>(scene.scale.kind));
  }
}

void HeatmapHeader::size_controls() {
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

void HeatmapHeader::name_boxes(bool in_full, bool of_encoder) {
  if (of_encoder) {
    layer_box_->setPrefix(in_full ? tr("encoder layer ") : tr("enc. L "));
    other_layer_box_->setPrefix(in_full ? tr("− encoder layer ") : tr("− enc. L "));
  } else {
    layer_box_->setPrefix(in_full ? tr("layer ") : tr("L "));
    other_layer_box_->setPrefix(in_full ? tr("− layer ") : tr("− L "));
  }
  head_box_->setPrefix(in_full ? tr("head ") : tr("H "));
  other_head_box_->setPrefix(in_full ? tr("head ") : tr("H "));
  size_controls();
}

void HeatmapHeader::fit_controls(int width, const HeadRef& head, int level) {
  const Combination& combination = head.combine;
  const bool scores = head.quantity == Quantity::kScore;  // they have their own colours and scale
  other_layer_box_->setVisible(combination.is_difference());
  other_head_box_->setVisible(combination.kind == Combine::kHeadDifference);
  reduce_box_->setVisible(level > 0);
  map_box_->setVisible(!combination.is_difference() && !scores);
  scale_box_->setVisible(!scores);
  request_box_->show();
  set_title(tr("Attention"));
  name_boxes(true, head.is_encoder());
  const auto fits = [this, width] {
    layout()->activate();
    return layout()->sizeHint().width() <= width;
  };
  for (QWidget* control : std::initializer_list<QWidget*>{map_box_, scale_box_, reduce_box_}) {
    if (fits()) return;
    control->hide();
  }
  if (fits()) return;
  set_title(QString());
  if (fits()) return;
  name_boxes(false, head.is_encoder());
  if (!fits() && request_box_->count() < 2) request_box_->hide();
}

}  // namespace attn::gui

#include "moc_heatmap_header.cpp"
