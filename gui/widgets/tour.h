// SPDX-License-Identifier: GPL-3.0-or-later
// Tour: what a view says about itself when it is asked "What am I looking at?": some stops, each of
// them a place of the view and a few sentences with numbers of the run that it shows. A view makes
// it in a file of its own (heatmap_tour.cpp) from what it shows at this moment. GUI thread.
#pragma once

#include <QRect>
#include <QString>
#include <vector>

QT_FORWARD_DECLARE_CLASS(QWidget)

namespace attn::gui {

struct TourStop {
  QString title;  // a few words
  QString text;   // two or three sentences
  QRect place;    // what is ringed, pixels of the view, all of it in sight
};

class Tour {
 public:
  // view: the view itself.
  explicit Tour(const QWidget& view) : view_(view) {}

  // Adds a stop at this place of `part`: the view, or a widget in it, whose pixels these are. Only
  // the part of the place that is in sight is ringed; a stop of which nothing is in sight is left
  // out.
  void stop(const QWidget& part, const QRectF& place, const QString& title, const QString& text);
  // Adds a stop at a whole widget, `part`.
  void stop(const QWidget& part, const QString& title, const QString& text);
  // Says why the view has nothing to show, and what to do; this becomes the only stop of the tour.
  void nothing(const QString& why);

  const std::vector<TourStop>& stops() const { return stops_; }
  bool is_empty() const { return is_empty_; }  // nothing() was called

 private:
  const QWidget& view_;
  std::vector<TourStop> stops_;
  bool is_empty_ = false;
};

}  // namespace attn::gui
