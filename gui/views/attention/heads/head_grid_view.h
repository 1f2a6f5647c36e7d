// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGridView: the heads of the shown sequence as thumbnails with scores, ordered by layer and
// head, ranked by a score, or as points over two scores. GUI thread.
#pragma once

#include <QComboBox>

#include "gui/views/attention/heads/head_grid_canvas.h"
#include "gui/views/attention/heads/head_texts.h"
#include "gui/views/attention/written/quantity_box.h"
#include "gui/views/attention/written/written_lengths.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class HeadGridView : public View {
  Q_OBJECT
 public:
  explicit HeadGridView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("heads"); }
  QString title() const override { return tr("Head grid"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  bool table_is_of_request() const override { return !texts_->shown(); }
  void fit() override { canvas_->set_zoom(1); }
  void zoom(double factor) override { canvas_->set_zoom(canvas_->zoom_factor() * factor); }

  std::vector<double> place() const override {
    return {canvas_->zoom_factor(), canvas_->scroll_offset()};
  }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  void go_to_place(const std::vector<double>& place) override;
  void reveal_selection() override { canvas_->bring_into_view(canvas_->scene().shown); }
  Tour tour() const override;
  bool is_behind() const override { return stats_.behind() > 0 || texts_->is_computing(); }
  void choose(const ViewChoices& choices) override;

  void set_order(std::optional<HeadScore> order);  // a score that is given is also chosen
  void set_score(HeadScore score);
  // Shows the heads as points: `across` to the right, the chosen score upwards.
  void set_points(HeadScore across);
  void set_relative(bool relative);
  void set_reduce(Reduce reduce);
  // kWeight, kWrittenValue or kWrittenOutput. If the run cannot show the quantity, weights are
  // shown.
  void set_quantity(Quantity quantity);
  void set_color_map(ColorMapId map);
  void set_scale(ColorScale::Kind kind);

  HeadGridCanvas& canvas() { return *canvas_; }
  const HeadGridScene& scene() const { return canvas_->scene(); }
  HeadStats& stats() { return stats_; }
  QComboBox* order_box() const { return order_box_; }
  QuantityBox* quantity_box() const { return quantity_box_; }
  HeadTexts& texts() { return *texts_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  const RequestView* own_request() const;
  void build_header();
  void fit_controls();
  void run_started();
  void changed();
  void refresh();
  HeadGridScene make_scene() const;
  QString refusal_of(Quantity quantity) const;
  void choose_by_key(int key);
  void choose_order(int index);  // of order_box_
  void open_head(int64_t index);
  void step_head(int64_t layers, int64_t heads);
  void describe();

  PanelHeader* header_;
  RequestBox* request_box_;
  QComboBox *order_box_, *score_box_, *across_box_, *entropy_box_, *scale_box_, *reduce_box_;
  QuantityBox* quantity_box_;
  HeadTexts* texts_;
  HeadGridCanvas* canvas_;
  HeadStats stats_;
  std::optional<HeadScore> order_;
  std::optional<HeadScore> across_;  // of points; nullopt: no points
  HeadScore score_ = HeadScore::kInduction;
  bool relative_ = false;
  Reduce reduce_ = Reduce::kMax;
  Quantity quantity_ = Quantity::kWeight;
  ColorMapId map_ = ColorMapId::kCividis;
  ColorScale scale_ = weight_scale(ColorScale::Kind::kLinear);
  uint64_t seen_run_ = 0;  // the run whose colour settings have been taken
  mutable HeadsLengths lengths_;
  mutable std::shared_ptr<const std::vector<TokenView>>
      repeated_of_;  // what repeated_ was made from
  mutable std::shared_ptr<const RepeatedTokens> repeated_;
  mutable std::shared_ptr<const std::vector<TokenView>> encoder_repeated_of_;
  mutable std::shared_ptr<const RepeatedTokens> encoder_repeated_;
};

ViewEntry head_grid_entry();

}  // namespace attn::gui
