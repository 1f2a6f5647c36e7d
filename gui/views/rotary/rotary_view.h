// SPDX-License-Identifier: GPL-3.0-or-later
// RotaryView: the score of one cell as a sum over pairs of elements, and as a function of the
// distance for the same content. GUI thread.
#pragma once

#include "gui/views/rotary/rotary_canvas.h"
#include "gui/widgets/request/head_view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class RotaryView : public HeadView {
  Q_OBJECT
 public:
  explicit RotaryView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("rotary"); }
  QString title() const override { return tr("A score by rotary frequency"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QString nothing_to_export() const override { return refusal(shown_head()); }
  void throw_if_refused() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;

  RotaryCanvas& canvas() { return *canvas_; }
  const RotaryScene& scene() const { return canvas_->scene(); }

 protected:
  void refresh() override;
  bool needs_model() const override { return true; }

 private:
  QString refusal(const Head& head) const;
  RotaryScene make_scene() const;
  std::shared_ptr<const RotaryCell> cell_of(const Head& head, const Rotary& rotary,
                                            bool& selected) const;
  void step_cell(int queries, int keys);
  void describe();

  RotaryCanvas* canvas_;
};

ViewEntry rotary_entry();

}  // namespace attn::gui
