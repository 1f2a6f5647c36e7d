// SPDX-License-Identifier: GPL-3.0-or-later
// TilesView: the tiles of one head, live or at an earlier tile. With the time cursor in the past,
// the tiles up to the end of that step. GUI thread.
#pragma once

#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <unordered_map>

#include "gui/theme/panel_header.h"
#include "gui/views/tiles/tiles_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class TilesView : public View {
  Q_OBJECT
 public:
  explicit TilesView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("tiles"); }
  QString title() const override { return tr("Tiles"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  QSize export_size() const override;
  QByteArray csv() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  std::vector<double> place() const override { return canvas_->transform().place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;

  TilesCanvas& canvas() { return *canvas_; }
  const TilesScene& scene() const { return canvas_->scene(); }
  QSlider* slider() const { return slider_; }
  QToolButton* live_button() const { return live_; }
  bool is_live() const { return live_now_; }
  // Shows the first `count` tiles of the head and stops following.
  void show_tiles(size_t count);
  void set_live(bool live);
  // Takes the newest data now, also while the view is hidden.
  void refresh();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_header();
  void run_started();
  void changed();  // watches the shown head, and refreshes a visible view
  void read_states();
  int64_t shown_row(const TilesScene& scene) const;
  void fill_row(TilesScene& scene, const RequestView& request,
                const std::vector<TileMark>& all) const;
  const StepRecord* past_record() const;
  std::vector<TileMark> tiles_shown() const;  // until the time cursor
  void step_tile(int step);
  void step_row(int step);
  void select_row(int64_t query, int64_t key);
  void show_head(int64_t layer, int64_t head);
  void arrange_header();

  TileHistory history_;
  // Reports of kernels by state_key().
  std::unordered_map<uint64_t, std::vector<RowStateEvent>> states_;
  size_t states_read_ = 0;
  uint64_t states_generation_ = 0;
  bool live_now_ = true;
  size_t at_ = 0;  // tiles shown when not live
  bool stale_ = true;
  PanelHeader* header_;
  QSpinBox *layer_, *head_;
  QToolButton *back_, *forward_, *live_, *fit_;
  QSlider* slider_;
  TilesCanvas* canvas_;
};

ViewEntry tiles_entry();

}  // namespace attn::gui
