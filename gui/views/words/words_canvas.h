// SPDX-License-Identifier: GPL-3.0-or-later
// WordsCanvas: the painted part of the view Words, with scroll bar, mouse and keys. It stays at the
// end of a growing text until it is scrolled away. GUI thread.
#pragma once

#include "gui/views/words/words_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class WordsCanvas : public BarCanvas {
  Q_OBJECT
 public:
  explicit WordsCanvas(QWidget* parent = nullptr);

  const WordsScene& scene() const { return scene_; }
  const WordsLayout& words_layout() const { return layout_; }
  // run: as EngineSnapshot::run.
  void set_scene(WordsScene scene, uint64_t run);
  void set_pointed(const PointedState& pointed);

  bool follows() const { return follows_; }
  void follow();
  void reveal(const WordPlace& place);  // scrolls as little as needed
  void fit();                           // the usual size, at the newest token
  void zoom(double factor) override;
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

  std::optional<WordPlace> place_at(const QPointF& position) const;  // widget coordinates
  QRectF rect_of(const WordPlace& place) const;  // first part, widget coordinates

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 240}; }
  QSize minimumSizeHint() const override { return {200, 48}; }

 signals:
  void pointed(bool of_encoder, qint64 token);  // -1: at no token
  void chosen(bool of_encoder, qint64 token);
  void key_chosen(bool of_encoder, qint64 token);  // the token should become the selected key
  void cleared();
  void tokens_toggled();
  void weights_toggled();

 protected:
  bool is_empty() const override;
  void paint_content(QPainter& painter) override;
  void relayout() override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool move(int key);
  void set_zoom(double zoom);

  WordsScene scene_;
  uint64_t run_ = 0;
  WordsLayout layout_;
  WordsParts parts_;
  bool follows_ = true;
  bool scrolling_ = false;  // true while relayout() moves the scroll bar
};

}  // namespace attn::gui
