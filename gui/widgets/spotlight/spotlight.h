// SPDX-License-Identifier: GPL-3.0-or-later
// Spotlight: a ring over a view, around what is selected or around a given part. The ring is a
// circle, or a frame around a part or a whole row. It takes no input and follows the selection when
// the view scrolls or zooms. Exported pictures do not have it. GUI thread.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include "gui/widgets/view.h"

namespace attn::gui {

class Spotlight : public QWidget {
  Q_OBJECT
 public:
  explicit Spotlight(QWidget* parent);
  // Rings the selection of this view; null: no ring. The ring shrinks to its size when the
  // selection comes into sight, unless motion is reduced.
  void show_on(View* view);
  // Rings this part, in pixels of the view; empty: the selection.
  void show_on(View* view, const QRect& part);
  View* view() const { return view_; }
  // Where the selection, or the middle of the part, is in the view; nullopt: no ring is shown.
  std::optional<QPoint> place() const { return place_; }
  // The part given to show_on(); empty: none.
  QRect part() const { return part_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  std::optional<QPoint> place_now() const;
  QRect framed_now() const;
  QPointer<View> view_;
  std::optional<QPoint> place_;
  QRect part_;
  QRect framed_;  // the part, or the row of the selection; empty: the ring is a circle
  QTimer look_;
  QVariantAnimation closing_in_;
};

}  // namespace attn::gui
