// SPDX-License-Identifier: GPL-3.0-or-later
// CircuitsView: OV, QK and composition of the shown head, computed from the weights alone. GUI
// thread.
#pragma once

#include "gui/models/newest.h"
#include "gui/views/circuits/circuits_canvas.h"
#include "gui/widgets/request/head_view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class CircuitsView : public HeadView {
  Q_OBJECT
 public:
  explicit CircuitsView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("circuits"); }
  QString title() const override { return tr("Circuits of a head"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QString nothing_to_export() const override { return refusal(); }
  void throw_if_refused() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override;
  void go_to_place(const std::vector<double>& place) override;
  Tour tour() const override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  bool is_behind() const override { return ov_.is_behind() || qk_.is_behind(); }

  CircuitsCanvas& canvas() { return *canvas_; }
  const CircuitsScene& scene() const { return canvas_->scene(); }
  QSpinBox* distance_box() const { return distance_box_; }

 protected:
  void refresh() override;
  bool needs_model() const override { return true; }

 private:
  // The circuit to compute: QK or, if `qk` is false, OV. nullopt: there is no model, or it has an
  // encoder and a decoder.
  std::optional<CircuitsWish> wish(bool qk) const;
  QString refusal() const;
  CircuitsScene make_scene() const;  // with the results that are known
  // Returns a function for any thread that also computes what the scene still lacks.
  std::function<CircuitsScene()> exported() const;
  void describe();

  QSpinBox* distance_box_;
  CircuitsCanvas* canvas_;
  const std::shared_ptr<LastCircuits<OvData>> last_ov_;
  const std::shared_ptr<LastCircuits<QkData>> last_qk_;
  Newest<CircuitsWish, OvData> ov_;
  Newest<CircuitsWish, QkData> qk_;
};

ViewEntry circuits_entry();

}  // namespace attn::gui
