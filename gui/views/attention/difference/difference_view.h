// SPDX-License-Identifier: GPL-3.0-or-later
// DifferenceView: the attention weights of the shown head in the run of the window minus those in a
// second run, query by key. GUI thread.
#pragma once

#include <QTimer>

#include "gui/views/attention/difference/difference_canvas.h"
#include "gui/widgets/pair_entry.h"

namespace attn::gui {

class DifferenceView : public View {
  Q_OBJECT
 public:
  // As PairEntry::make().
  DifferenceView(const ViewContext& here, const ViewContext& beside, const QString& run,
                 QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("difference"); }
  QString title() const override { return tr("Difference of attention weights"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override {
    drawing()(painter, bounds);
  }
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  // The sentences of the view name what each run changes inside the model.
  bool table_is_of_request() const override { return false; }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;
  bool is_behind() const override { return canvas_->is_behind(); }
  QString nothing_to_export() const override { return pair().refusal; }

  // What is compared now.
  RunPair pair() const;
  DifferenceCanvas& canvas() { return *canvas_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void connect_canvas();
  void follow_runs_of_both();
  // Follows the run, at most some times a second.
  void changed_soon();
  void refresh();
  void read_selection();
  void read_pointed();
  void describe();
  void step_head(int64_t layers, int64_t heads);
  DifferenceScene exported() const;

  ViewContext beside_;
  QString run_;  // words for the second run
  PanelHeader* header_;
  DifferenceCanvas* canvas_;
  QTimer later_;
};

PairEntry difference_pair();

}  // namespace attn::gui
