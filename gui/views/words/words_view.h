// SPDX-License-Identifier: GPL-3.0-or-later
// WordsView: prompt and answer of the shown request as running text. The weights of the selected
// row shade the tokens that it reads. GUI thread.
#pragma once

#include "gui/views/words/words_canvas.h"
#include "gui/widgets/request/head_view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class WordsView : public HeadView {
  Q_OBJECT
 public:
  explicit WordsView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("words"); }
  QString title() const override { return tr("Words"); }
  std::vector<KeyHelp> key_help() const override;
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

  WordsCanvas& canvas() { return *canvas_; }
  const WordsScene& scene() const { return canvas_->scene(); }
  QToolButton* tokens_button() const { return tokens_; }
  QToolButton* weights_button() const { return weights_; }

 protected:
  bool waits_for_rows() const override;
  void refresh() override;

 private:
  void build_header();
  void connect_canvas();
  WordsScene make_scene() const;
  void read_selection(WordsScene& scene, const RequestView& request) const;
  std::shared_ptr<const RowWeights> row_weights(const WordsScene& scene,
                                                const RequestView& now) const;
  PointedState pointed_here() const;
  void select(const WordPlace& place);
  void select_key(const WordPlace& place);
  void select_cell(int64_t query, int64_t key);
  void describe();

  QToolButton *tokens_, *weights_;
  WordsCanvas* canvas_;
  SelectionState revealed_;  // the selection that was handled last
  // The weights read last, and the record that they are from.
  mutable std::shared_ptr<const RowWeights> read_;
  mutable std::weak_ptr<const AttentionRecord> read_of_;
};

ViewEntry words_entry();

}  // namespace attn::gui
