// SPDX-License-Identifier: GPL-3.0-or-later
// PointsView: queries and keys of the shown head as points of a plane, with lines for the weights
// of one query. A slider adds one vector to all keys, which changes the weights only by rounding.
// GUI thread.
#pragma once

#include <QLabel>
#include <QSlider>

#include "gui/models/newest.h"
#include "gui/views/points/points_canvas.h"
#include "gui/widgets/request/head_view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class PointsView : public HeadView {
  Q_OBJECT
 public:
  explicit PointsView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("points"); }
  QString title() const override { return tr("Queries and keys as points"); }
  std::vector<KeyHelp> key_help() const override;
  std::vector<ViewCommand> commands() override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  bool is_behind() const override { return planes_.is_behind(); }

  PointsCanvas& canvas() { return *canvas_; }
  const PointsScene& scene() const { return canvas_->scene(); }
  QSlider* slider() const { return slider_; }

 protected:
  void refresh() override;

 private:
  void build_header();
  void connect_canvas();
  std::optional<PointsWish> wish() const;
  PointsScene make_scene(std::shared_ptr<const PointsData> plane) const;
  std::shared_ptr<const PointsRow> row_of(const PointsScene& scene, const Head& head,
                                          const RequestView& request) const;
  PointedState pointed_here() const;
  PointsScene exported() const;
  void choose_point(bool key, int64_t position);
  void describe();

  QLabel* slider_name_;
  QSlider* slider_;
  PointsCanvas* canvas_;
  mutable std::shared_ptr<const PointsRow> row_;      // last one made
  mutable std::shared_ptr<const PointsData> row_of_;  // the data of row_
  Newest<PointsWish, PointsData> planes_;
};

ViewEntry points_entry();

}  // namespace attn::gui
