// SPDX-License-Identifier: GPL-3.0-or-later
// ExploreCanvas: shows an ExplorePicture, with a scroll bar, a keyboard cursor and tooltips. GUI
// thread.
#pragma once

#include <memory>

#include "gui/views/explore/explore_picture.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class ExploreCanvas : public BarCanvas {
  Q_OBJECT
 public:
  ExploreCanvas(const QString& name, const QString& empty_title, QWidget* parent = nullptr);

  // Null: the waiting text is shown. The cursor stays if the picture has its spot.
  void set_picture(std::shared_ptr<const ExplorePicture> picture);
  const std::shared_ptr<const ExplorePicture>& picture() const { return picture_; }
  // offers: with a button that emits switch_asked().
  void set_waiting_text(const QString& text, bool offers);
  QPushButton* on_button() const { return on_; }
  const QString& waiting_text() const { return waiting_; }
  const Spot& cursor() const { return cursor_; }
  // The part of a spot that is in sight, in pixels of the canvas.
  QRectF box_on_screen(const Spot& spot) const;
  void set_cursor(const Spot& spot);  // and scrolls it into sight
  double picture_zoom() const { return zoom_factor(); }

  void zoom(double factor) override;
  void fit();
  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  std::optional<Spot> spot_at(const QPointF& position) const;
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {200, 80}; }

 signals:
  void switch_asked();
  void clicked(const attn::gui::Spot& spot);
  void double_clicked(const attn::gui::Spot& spot);
  void chosen(const attn::gui::Spot& spot);   // the cursor was moved there by a key
  void opened(const attn::gui::Spot& spot);   // Enter
  void pointed(const attn::gui::Spot& spot);  // the spot under the mouse, or nowhere
  void cleared();                             // Esc
  void key_asked(int key);
  void zoomed();  // the picture is to be made for the new zoom_factor()

 protected:
  bool is_empty() const override { return !picture_; }
  void paint_waiting(QPainter& painter) override;
  void paint_content(QPainter& painter) override;
  void relayout() override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void describe();
  QRect waiting_area() const;
  void place_button();

  QPushButton* on_;
  bool offers_ = false;
  QString empty_title_, waiting_;
  std::shared_ptr<const ExplorePicture> picture_;
  Spot cursor_;
};

}  // namespace attn::gui
