// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapHeader: the controls above the heatmap. The view sets what they show. The header emits a
// signal when the user chooses something. GUI thread.
#pragma once

#include <QActionGroup>
#include <QComboBox>
#include <QSpinBox>
#include <QToolButton>
#include <functional>
#include <vector>

#include "gui/theme/panel_header.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

class HeatmapHeader : public PanelHeader {
  Q_OBJECT
 public:
  explicit HeatmapHeader(QWidget* parent);

  // --- what is shown; none of these emits a signal ---
  // Returns false if these requests were listed already.
  bool list_requests(const std::vector<RequestView>& requests);
  void show_head(uint32_t request, const HeatmapScene& scene);
  // refused: says why a quantity cannot be chosen; empty: it can be.
  void show_choices(const HeatmapScene& scene, const std::function<QString(Quantity)>& refused);
  // Shows the controls that `head` and `level` need, and hides some if `width` is too small. level:
  // the level of detail.
  void fit_controls(int width, const HeadRef& head, int level);

 signals:
  void request_chosen(int64_t request);
  void layer_chosen(int layer);
  void head_chosen(int head);
  void other_chosen(const HeadId& other);  // layer and head to subtract
  void combine_chosen(Combine kind);
  void keep_chosen(const Keep& keep);
  void quantity_chosen(Quantity quantity);
  void color_map_chosen(ColorMapId map);
  void scale_chosen(ColorScale::Kind kind);
  void difference_range_chosen(double range);
  void reduce_chosen(Reduce reduce);

 private:
  void make_show_menu();
  void connect_controls();
  void size_controls();
  void name_boxes(bool in_full, bool of_encoder);

  QComboBox* request_box_;
  QSpinBox *layer_box_, *head_box_;
  QSpinBox *other_layer_box_, *other_head_box_;  // layer and head to subtract
  QToolButton* show_button_;
  QActionGroup *combine_actions_, *quantity_actions_, *keep_actions_;
  QComboBox *map_box_, *scale_box_, *reduce_box_;
  bool scale_is_a_range_ = false;  // true: scale_box_ lists kDifferenceRanges
};

}  // namespace attn::gui
