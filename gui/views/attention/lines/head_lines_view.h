// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLinesView: the queries and the keys of the shown sequence in two columns, and lines between
// them whose width and opacity show the weights, or weights times lengths, of heads of the shown
// layer. GUI thread.
#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include "gui/views/attention/lines/head_chips.h"
#include "gui/views/attention/lines/head_lines_canvas.h"
#include "gui/views/attention/written/quantity_box.h"
#include "gui/views/attention/written/written_lengths.h"
#include "gui/widgets/request/request_box.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class HeadLinesView : public View {
  Q_OBJECT
 public:
  explicit HeadLinesView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("head_lines"); }
  QString title() const override { return tr("Head lines"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  int64_t figure_positions() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;
  void choose(const ViewChoices& choices) override;

  void set_heads(std::vector<int64_t> heads);  // an empty list changes nothing
  void set_filter(const LineFilter& filter);
  // kWeight, kWrittenValue or kWrittenOutput. If the run cannot show the quantity, weights are
  // shown.
  void set_quantity(Quantity quantity);

  HeadLinesCanvas& canvas() { return *canvas_; }
  HeadChips& chips() { return *chips_; }
  const HeadLinesScene& scene() const { return canvas_->scene(); }
  LineRows& line_rows() { return rows_; }
  QSpinBox* layer_box() const { return layer_box_; }
  QuantityBox* quantity_box() const { return quantity_box_; }
  QDoubleSpinBox* value_box() const { return value_box_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_header();
  void fit_controls();
  void show_filter();
  void run_started();
  void changed();
  void refresh();
  void want_rows();
  void read_heads() const;
  QString refusal_of(Quantity quantity) const;
  void read_tokens(const RequestView& request) const;
  void read_selection(HeadLinesScene& scene, const RequestView& request) const;
  HeadLinesScene make_scene() const;
  HeadLinesScene file_scene() const;
  LineWindow exported_window(const HeadLinesScene& scene) const;
  static int exported_height(const LineWindow& window);
  void select_token(int side, int64_t position);
  void tell_pointed();
  void read_pointed();
  void toggle_head(int64_t head, bool on);
  void step_head(int64_t layers, int64_t heads);
  void describe();

  PanelHeader* header_;
  RequestBox* request_box_;
  QSpinBox *layer_box_, *head_box_;
  QuantityBox* quantity_box_;
  QComboBox* filter_box_;
  QDoubleSpinBox* value_box_;
  QToolButton* first_button_;
  HeadChips* chips_;
  HeadLinesCanvas* canvas_;
  LineRows rows_;
  LineFilter filter_;
  Quantity quantity_ = Quantity::kWeight;
  double least_weight_ = 0.05, top_mass_ = 0.9;  // last values of the two kinds of filter
  // The token chosen last in this view, with its column.
  LineToken last_chosen_;
  SelectionState revealed_;
  mutable std::vector<int64_t> heads_;  // the heads that are drawn
  mutable HeadsLengths lengths_;
  // The record whose tokens were measured for widest_.
  mutable std::shared_ptr<const AttentionRecord> measured_;
  mutable size_t measured_tokens_ = 0;
  mutable double widest_ = 0;
};

// Throws Error(kBadInput), which names --positions, if a picture cannot show these positions of so
// many computed rows.
void check_exported(int64_t first, int64_t last, int64_t rows);

ViewEntry head_lines_entry();

}  // namespace attn::gui
