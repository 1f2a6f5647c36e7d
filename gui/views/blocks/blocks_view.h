// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks view: the blocks of the paged cache as grids, the block tables, and the tree of known
// prefixes. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/blocks/blocks_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class BlocksView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null; show_snapshot() then sets the data.
  explicit BlocksView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("blocks"); }
  QString table_name() const override { return QStringLiteral("block_table"); }
  QString title() const override { return tr("Blocks"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  bool has_own_table() const override { return false; }
  Tour tour() const override;
  void leave_moment() override;
  void show_moment(const std::shared_ptr<const EngineSnapshot>& snapshot,
                   const QString& caption) override;

  BlocksCanvas& canvas() { return *canvas_; }
  // Shows and exports this snapshot instead of the one under the time cursor, until the next run
  // starts or null is given.
  void show_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  // Sets the text beside the title of exported pictures.
  void set_caption(const QString& caption) { canvas_->set_caption(caption); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_now(std::shared_ptr<const EngineSnapshot> snapshot);
  void arrange_header();
  void offer_prefixes();
  void show_parts();
  void parts_changed();

  bool has_bridge_;
  bool pinned_ = false;  // true: shows what show_snapshot() was given
  PanelHeader* header_;
  QLabel* figures_;
  QComboBox* color_by_;
  QToolButton* grid_;
  QToolButton* tables_;
  QToolButton* prefixes_;
  QToolButton* fit_;
  bool wants_prefixes_ = true;
  // True: the user switched the tree on or off. False: it is shown only in a wide view.
  bool asked_for_prefixes_ = false;
  BlocksCanvas* canvas_;
};

ViewEntry blocks_entry();

}  // namespace attn::gui
