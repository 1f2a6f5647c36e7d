// SPDX-License-Identifier: GPL-3.0-or-later
// Tour: what a view says about itself when the user asks "What am I looking at?". It has stops;
// each is a place of the view and some sentences. GUI thread.
#pragma once

#include <QRect>
#include <QString>
#include <vector>

QT_FORWARD_DECLARE_CLASS(QWidget)

namespace attn::gui {

struct TourStop {
  QString title;  // a few words
  QString text;   // some sentences
  QRect place;    // the part of the view that gets a ring, in pixels of the view
};

class Tour {
 public:
  // view: the view that the tour is about.
  explicit Tour(const QWidget& view) : view_(view) {}

  // Adds a stop. part: the view, or a widget in it. place: in pixels of `part`. If none of the
  // place is visible, the stop is left out.
  void stop(const QWidget& part, const QRectF& place, const QString& title, const QString& text);
  // Adds a stop at a whole widget.
  void stop(const QWidget& part, const QString& title, const QString& text);
  void nothing(const QString& why);

  const std::vector<TourStop>& stops() const { return stops_; }
  bool is_empty() const { return is_empty_; }  // nothing() was called

 private:
  const QWidget& view_;
  std::vector<TourStop> stops_;
  bool is_empty_ = false;
};

}  // namespace attn::gui
